//! `biela plot`: plots results to a file or as a sketch on the terminal.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use biela::model::diagnostic::escaped;
use biela::plot::Figure;
use biela::record::{Results, Tail};
use biela::{PlotPanels, PlotPanelsError};

use crate::failure::{CommandResult, Failure, FailureCode};
use crate::{output, terminal};

const AFTER_HELP: &str = "\
On a terminal and without --out, the signals are sketched in text; otherwise an SVG file is written next to the data.
A name selects all signals below it: `pin.reaction` selects `pin.reaction.fx` and the others.

Examples:
  biela plot results/pendulum
  biela plot results/pendulum pin.angle pin.rate --out swing.png
  biela plot results/pendulum rod.tip.y --x rod.tip.x
  biela plot results/pendulum --panel pin.angle --panel energy.kinetic,energy.potential";

/// Pixels of a PNG per unit of length of a figure, for sharp text.
const DOTS: f64 = 2.0;

/// The maximum number of names in a message.
const MOST_NAMES: usize = 40;

/// Plot results as SVG, PNG or a sketch on the terminal
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Results folder, or an Arrow stream file
    #[arg(value_name = "DIR|FILE")]
    results: PathBuf,
    /// Signals to plot, grouped by unit [default: the panels of the model, otherwise all signals]
    #[arg(value_name = "SIGNAL")]
    signals: Vec<String>,
    /// Image file to write, .svg or .png
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Signal on the x axis instead of time
    #[arg(long, value_name = "SIGNAL")]
    x: Option<String>,
    /// Signals of one panel, separated by commas; repeatable, panels are stacked from top to bottom
    #[arg(long = "panel", value_name = "SIGNAL,…")]
    panels: Vec<String>,
    /// Title above the panels
    #[arg(long)]
    title: Option<String>,
    /// Width of the image in pixels
    #[arg(long, value_name = "PIXELS")]
    width: Option<f64>,
    /// Height of the image in pixels
    #[arg(long, value_name = "PIXELS")]
    height: Option<f64>,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    if let Some(file) = &args.out {
        check_extension(file)?;
    }
    let results = Results::open(&args.results).map_err(Failure::command)?;
    if let Tail::Damaged(why) = results.tail() {
        let heading = terminal::err_ink().yellow("warning:");
        terminal::say(&format!(
            "{heading} the data are damaged ({why}); only the intact part is shown\n"
        ));
    }
    if results.rows() == 0 {
        let shown = args.results.display();
        return Err(Failure::command(format!(
            "{shown}: the results contain no rows yet"
        )));
    }
    let view = args
        .view(&results)
        .map_err(|error| args.explain(&error, &results))?;
    if args.out.is_none() && terminal::out_is_terminal() {
        let ink = terminal::out_page().ink;
        let sketch = view
            .sketch(terminal::width(), ink.is_colour())
            .map_err(Failure::command)?;
        terminal::data(&terminal::coloured(&sketch))?;
    } else {
        let title = args
            .title
            .as_deref()
            .or(results.model())
            .unwrap_or_default();
        let mut figure = view.figure(title);
        let file = args.out.clone().unwrap_or_else(|| args.beside_the_data());
        let dots = match extension(&file) {
            // a narrow image has fewer pixels rather than larger text
            Some(PlotFormat::Png) => {
                (args.width.unwrap_or(f64::INFINITY) / figure.width).clamp(1.0, DOTS)
            }
            _ => 1.0,
        };
        figure.width = args.width.map_or(figure.width, |width| width / dots);
        figure.height = args.height.map(|height| height / dots);
        write_with(&figure, &file, dots)?;
        terminal::say(&format!("drew {}\n", file.display()));
    }
    say_left_out(&view);
    Ok(FailureCode::Done)
}

impl Args {
    fn view<'r>(&self, results: &'r Results) -> Result<PlotPanels<'r>, PlotPanelsError> {
        let mut panels: Vec<Vec<&str>> = self
            .panels
            .iter()
            .map(|panel| {
                panel
                    .split(',')
                    .map(str::trim)
                    .filter(|s| !s.is_empty())
                    .collect()
            })
            .collect();
        let view = match (panels.is_empty(), self.signals.is_empty()) {
            (true, true) => PlotPanels::of_results(results)?,
            (true, false) => PlotPanels::of_signals(results, &self.signals)?,
            (false, _) => {
                panels.extend(self.signals.iter().map(|signal| vec![signal.as_str()]));
                PlotPanels::of_panels(results, &panels)?
            }
        };
        match &self.x {
            Some(x) => view.over(x),
            None => Ok(view),
        }
    }

    /// Converts the error to a failure; for unknown names it lists the available signals.
    fn explain(&self, error: &PlotPanelsError, results: &Results) -> Failure {
        let PlotPanelsError::Unknown(unknown) = error else {
            return Failure::command(format!("{}: {error}", self.results.display()));
        };
        let all = results.columns();
        let names = all
            .iter()
            .take(MOST_NAMES)
            .map(|column| escaped(&column.name));
        let mut names = names.collect::<Vec<_>>().join(", ");
        if all.len() > MOST_NAMES {
            let more = all.len() - MOST_NAMES;
            let _ = write!(names, " and {more} more");
        }
        let dir = self.results.display();
        let wanted: Vec<String> = unknown.iter().map(|signal| escaped(&signal.name)).collect();
        let wanted = wanted.join(",");
        Failure::command(format!(
            "{error}\nrecorded: {names}\n`biela info {dir}` describes them; `biela run MODEL --signals +{wanted}` records more"
        ))
    }

    fn beside_the_data(&self) -> PathBuf {
        if self.results.is_dir() {
            self.results.join("plot.svg")
        } else {
            self.results.with_extension("svg")
        }
    }
}

/// Rejects a file name that ends in neither .svg nor .png.
pub(crate) fn check_extension(file: &Path) -> Result<(), Failure> {
    if extension(file).is_some() {
        return Ok(());
    }
    let shown = file.display();
    Err(Failure::command(format!(
        "{shown}: the name of a plot must end in .svg or .png"
    )))
}

#[derive(Clone, Copy)]
enum PlotFormat {
    Svg,
    Png,
}

fn extension(file: &Path) -> Option<PlotFormat> {
    let extension = file.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "svg" => Some(PlotFormat::Svg),
        "png" => Some(PlotFormat::Png),
        _ => None,
    }
}

/// Writes a figure in the format of the file extension.
pub(crate) fn write(figure: &Figure<'_>, file: &Path) -> Result<(), Failure> {
    write_with(figure, file, DOTS)
}

/// Writes a figure; `dots` is the number of PNG pixels per unit of length of the figure.
fn write_with(figure: &Figure<'_>, file: &Path, dots: f64) -> Result<(), Failure> {
    let bytes = match extension(file) {
        Some(PlotFormat::Png) => figure.to_png(dots),
        _ => figure.to_svg().map(String::into_bytes),
    };
    let bytes = bytes.map_err(Failure::command)?;
    output::write(file, &bytes, &["svg", "png"])
}

/// Prints a note about signals that did not fit into the figure.
pub(crate) fn say_left_out(view: &PlotPanels<'_>) {
    if view.left_out() > 0 {
        let n = view.left_out();
        terminal::say(&format!(
            "{n} more signals were recorded; name them to plot them\n"
        ));
    }
}
