//! `biela robot workspace`: reachable workspace and manipulability of the tool.

use std::fmt::Write as _;
use std::path::Path;

use biela::core::math::Vec3;
use biela::core::robot::{
    Extreme, SectionMap, WorkspaceSection, extremes, reachable_points, section,
};
use biela::plot::{Color, Figure, LineShape, MarkerShape, Panel, Series, SeriesStyle};
use serde_json::json;

use super::saved::OutputArgs;
use super::{saved, tool};
use crate::commands::plot;
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::output;
use crate::terminal::{self, six_digits};

const AFTER_HELP: &str = "\
Points are those of random poses within the joint limits (a full turn if there are none). The section is a plane
through the first joint, or through the centre of the reached points; every point of its grid is tried, and Yoshikawa's manipulability measure is computed there.

Examples:
  biela robot workspace arm.toml
  biela robot workspace arm.toml --section xy --grid 60 --out reach";

/// Map the reachable workspace of the tool within the joint limits, and its manipulability
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    tool: tool::ToolArgs,
    /// Number of random poses
    #[arg(long, value_name = "N", default_value_t = 4000)]
    points: usize,
    /// Plane of the section
    #[arg(long, value_enum, default_value = "xz")]
    section: Plane,
    /// Number of grid points along the longer side of the section
    #[arg(long, value_name = "N", default_value_t = 40)]
    grid: usize,
    /// Seed of the random poses
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Plane {
    Xy,
    Xz,
    Yz,
}

impl Plane {
    fn axes(self) -> [usize; 2] {
        match self {
            Plane::Xy => [0, 1],
            Plane::Xz => [0, 2],
            Plane::Yz => [1, 2],
        }
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];
/// Colours for the manipulability, from low to high; they differ in lightness, so that colour vision does not matter.
const SHADES: [u32; 5] = [0xd6_e6f4, 0x9e_c9e2, 0x5b_a3cf, 0x23_71b5, 0x08_306b];

pub(super) fn run(args: &Args) -> CommandResult {
    if !(2..=400).contains(&args.grid) || args.points > 1_000_000 {
        let text = "--grid must be from 2 to 400, --points at most a million";
        return Err(Failure::command(text));
    }
    let job = args.tool.model.load(args.output.quiet)?;
    let (robot, place) = args.tool.robot(&job)?;
    let cloud = reachable_points(&robot, &place, args.points, args.seed);
    let reach = extremes(&robot, &place, args.seed);
    let [a, b] = args.section.axes();
    // the plane goes through the first joint, or through the centre of the reached points if the joint is outside
    let mut center = robot
        .tree
        .links
        .first()
        .map_or(Vec3::zeros(), |link| link.frame.p);
    let c = 3 - a - b;
    let (under, over) = (reach.low[c].value, reach.high[c].value);
    if !(under..=over).contains(&center[c]) {
        center[c] = f64::midpoint(under, over);
    }
    let (low, high) = (reach.low[a].value, reach.high[a].value);
    let (bottom, top) = (reach.low[b].value, reach.high[b].value);
    let step = (high - low).max(top - bottom) / (args.grid - 1) as f64;
    let mut origin = center;
    (origin[a], origin[b]) = (low, bottom);
    let points = |length: f64| (length / step).round() as usize + 1;
    let unit = |k: usize| {
        let mut v = Vec3::zeros();
        v[k] = 1.0;
        v
    };
    let grid = WorkspaceSection {
        origin,
        u: unit(a),
        v: unit(b),
        count: [points(high - low), points(top - bottom)],
        step,
    };
    let map = section(&robot, &place, grid, args.seed);

    let dir = args.output.dir(&job, "workspace")?;
    write(&dir.join("points.csv"), &points_csv(&cloud))?;
    write(&dir.join("section.csv"), &section_csv(&map, [a, b]))?;
    if !args.output.no_plot {
        let figure = picture(&job.model.name, &cloud, &map, [a, b]);
        for name in ["workspace.svg", "workspace.png"] {
            plot::write(&figure, &dir.join(name))?;
        }
    }
    let rows = [
        ("nearest to the first joint", &reach.nearest),
        ("furthest from it", &reach.furthest),
    ];
    let axes = (0..job.model.space.axes()).flat_map(|k| {
        [
            (["least x", "least y", "least z"][k], &reach.low[k]),
            (["largest x", "largest y", "largest z"][k], &reach.high[k]),
        ]
    });
    let all: Vec<(&str, &Extreme)> = rows.into_iter().chain(axes).collect();
    if args.output.json {
        let list: Vec<_> = all
            .iter()
            .map(|(what, e)| json!({ "what": what, "value": e.value, "point": e.point.as_slice(), "q": e.q }))
            .collect();
        let reached = map.cells.iter().flatten().count();
        let text = json!({
            "model": job.model.name, "extremes": list,
            "section": { "points": map.cells.len(), "reached": reached, "step": step },
        });
        terminal::data(&format!("{text:#}\n"))?;
    } else if !args.output.quiet {
        let row = |(what, extreme): &(&str, &Extreme)| {
            let point: Vec<String> = extreme
                .point
                .iter()
                .map(|x| terminal::beside(*x, 1.0))
                .collect();
            vec![
                (*what).to_owned(),
                six_digits(extreme.value),
                point.join(", "),
            ]
        };
        let rows: Vec<Vec<String>> = all.iter().map(row).collect();
        let reached = map.cells.iter().flatten().count();
        let share = format!(
            "{reached} of {} points of the section are reached",
            map.cells.len()
        );
        terminal::data(&saved::sheet(&job.model.name, &[("workspace", share)]))?;
        let heading = ["reach", "value (m)", "there (m)"];
        terminal::data(&terminal::table(terminal::out_page().ink, &heading, &rows))?;
        terminal::say(&format!(
            "\nwrote {}: points.csv, section.csv",
            dir.display()
        ));
        let drawn = if args.output.no_plot {
            "\n"
        } else {
            ", workspace.svg, workspace.png\n"
        };
        terminal::say(drawn);
    }
    Ok(FailureCode::Done)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().map_or(Ok(()), biela_files::folder);
    folder
        .map_err(|error| Failure::command(format!("cannot write {}: {error}", path.display())))?;
    output::write(path, text.as_bytes(), &["csv"])
}

fn points_csv(cloud: &[Vec3<f64>]) -> String {
    let mut out = "x,y,z\n".to_owned();
    for p in cloud {
        let _ = writeln!(out, "{:?},{:?},{:?}", p[0], p[1], p[2]);
    }
    out
}

fn section_csv(map: &SectionMap, [a, b]: [usize; 2]) -> String {
    let mut out = format!("{},{},manipulability\n", AXES[a], AXES[b]);
    let columns = map.section.count[0];
    for (k, cell) in map.cells.iter().enumerate() {
        let p = map.section.point(k % columns, k / columns);
        let measure = cell.map_or_else(String::new, |m| format!("{m:?}"));
        let _ = writeln!(out, "{:?},{:?},{measure}", p[a], p[b]);
    }
    out
}

/// Draws the points projected along the third axis, and the section in shades.
fn picture<'a>(
    name: &str,
    cloud: &[Vec3<f64>],
    map: &SectionMap,
    [a, b]: [usize; 2],
) -> Figure<'a> {
    let dots = |marker| SeriesStyle {
        line: LineShape::None,
        marker: Some(marker),
        width: Some(1.0),
        ..SeriesStyle::default()
    };
    let label = |k: usize| format!("{} (m)", AXES[k]);
    let pick = |k: usize| cloud.iter().map(|p| p[k]).collect::<Vec<f64>>();
    let seen = Panel::new(label(a), label(b))
        .equal_aspect()
        .series(Series::new("random poses", pick(a), pick(b)).style(dots(MarkerShape::Circle)));
    let best = map.cells.iter().flatten().copied().fold(0.0, f64::max);
    let columns = map.section.count[0];
    let mut panel = Panel::new(label(a), label(b)).equal_aspect();
    for (shade, color) in SHADES.into_iter().enumerate() {
        let [from, to] = [shade, shade + 1].map(|s| s as f64 / SHADES.len() as f64);
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for (k, cell) in map.cells.iter().enumerate() {
            let share = cell.map(|m| if best > 0.0 { m / best } else { 0.0 });
            let inside = |s: f64| s >= from && (s < to || shade + 1 == SHADES.len());
            if share.is_some_and(inside) {
                let p = map.section.point(k % columns, k / columns);
                x.push(p[a]);
                y.push(p[b]);
            }
        }
        let name = format!("manipulability {:.0} to {:.0} %", 100.0 * from, 100.0 * to);
        let style = SeriesStyle {
            color: Some(Color::hex(color)),
            ..dots(MarkerShape::Square)
        };
        panel = panel.series(Series::new(name, x, y).style(style));
    }
    Figure::new(format!("{name}: workspace"))
        .panel(seen)
        .panel(panel)
        .size(760.0, 1150.0)
}
