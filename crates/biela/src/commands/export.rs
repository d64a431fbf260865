//! `biela export`: pictures and films, without a screen.

use std::path::{Path, PathBuf};

use biela::view::read_mesh;
use biela::viewer::picture::{
    Film, FilmError, Look, MOST_PIXELS, Moments, Painter, View, save_png,
};
use biela::viewer::{MotionReader, Scene};

use crate::commands::check::start_failure;
use crate::failure::{Code, Failure, Outcome};
use crate::{input, output, terminal};

const AFTER_HELP: &str = "\
The ending of FILE says what it becomes: .png a picture; .gif, .mp4 or .webm a film; a name without
ending a folder of numbered PNG frames; .html the viewer with motion and plots in one file that
opens from disk. Films in .mp4 and .webm are made by ffmpeg, where it is installed; the others need
nothing.

Examples:
  biela export results/slider-crank film.gif
  biela export results/slider-crank pose.png --at 0.25
  biela export results/stanford-arm film.mp4 --view=-40,30 --speed 0.5 --width 1280 --height 720
  biela export results/slider-crank slider-crank.html
  biela export results/light results/heavy both.html
  biela export model.toml start.png";

/// Pictures of a film beyond which it is refused.
const MOST_PICTURES: f64 = 100_000.0;
/// Pictures that the palette of a GIF is chosen by.
const PREVIEWED: u64 = 16;
/// Frames that the camera is placed by.
const LOOKED_AT: u64 = 400;

/// Make pictures and films of results, or a picture of a model
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Results folder, several of one mechanism for a page, or a model file
    #[arg(value_name = "RESULTS|MODEL", required = true)]
    inputs: Vec<PathBuf>,
    /// What to write: .png, .gif, .mp4, .webm, .html, or a folder
    #[arg(value_name = "FILE")]
    out: PathBuf,
    /// Time of a picture, s; the start when left out
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    at: Option<f64>,
    /// Where a film begins, s
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    from: Option<f64>,
    /// Where a film ends, s
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    to: Option<f64>,
    /// Pictures a second
    #[arg(long, value_name = "NUMBER", default_value_t = 25.0)]
    rate: f64,
    /// Seconds of the motion in a second of the film
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0)]
    speed: f64,
    /// Width in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 960)]
    width: usize,
    /// Height in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 540)]
    height: usize,
    /// From where: auto, x, y, z, or degrees about the vertical and above the horizon
    #[arg(long, value_name = "VIEW", default_value = "auto", value_parser = view)]
    view: View,
    /// Light on dark
    #[arg(long)]
    dark: bool,
    /// Give a parameter of a model another value; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
}

fn view(text: &str) -> Result<View, String> {
    Ok(match text {
        "auto" => View::Auto,
        "x" => View::Along(0),
        "y" => View::Along(1),
        "z" => View::Along(2),
        _ => {
            let degrees = |text: &str| text.trim().parse().ok().filter(|x: &f32| x.is_finite());
            let parsed = text.split_once(',');
            let parsed = parsed.and_then(|(a, b)| Some((degrees(a)?, degrees(b)?)));
            let (azimuth, elevation) =
                parsed.ok_or("write auto, x, y, z, or two angles in degrees such as -55,22")?;
            View::From { azimuth, elevation }
        }
    })
}

impl From<FilmError> for Failure {
    fn from(error: FilmError) -> Self {
        Failure::command(error)
    }
}

pub(crate) fn run(args: &Args) -> Outcome {
    args.check()?;
    let has_ending = |ending: &str| {
        let found = args.out.extension();
        found.is_some_and(|e| e.eq_ignore_ascii_case(ending))
    };
    if has_ending("html") {
        return args.page();
    }
    let picture = has_ending("png");
    let [input] = args.inputs.as_slice() else {
        return Err(Failure::command(
            "a picture or a film shows one run; a page (.html) shows several",
        ));
    };
    if !input.is_dir() {
        return args.picture_of_model(input, picture);
    }
    let shown = input.display();
    let missing = || {
        Failure::command(format!(
            "{shown}: no motion is recorded there; run the model again, without --no-motion"
        ))
    };
    let scene = Scene::load(input)
        .map_err(Failure::command)?
        .ok_or_else(missing)?;
    let motion = MotionReader::open(input)
        .map_err(Failure::command)?
        .ok_or_else(missing)?;
    if motion.numbers() != scene.frame_size {
        return Err(Failure::command(format!(
            "{shown}: scene and motion are not of one run"
        )));
    }
    let read = |error: std::io::Error| Failure::command(format!("{shown}: {error}"));
    let last = motion.frames().checked_sub(1).ok_or_else(missing)?;
    let (first, last) = (
        motion.time(0).map_err(read)?,
        motion.time(last).map_err(read)?,
    );
    let (Some(first), Some(last)) = (first, last) else {
        return Err(missing());
    };
    let every = motion.frames().div_ceil(LOOKED_AT).max(1);
    let looked_at = motion.read(0, LOOKED_AT, every).map_err(read)?;
    let frames = biela::viewer::picture::frames(&looked_at, &scene);
    let folder = input.clone();
    let mut painter = Painter::new(
        &scene,
        args.look(),
        frames.iter().map(Vec::as_slice),
        &|file| read_mesh(&folder, file).ok(),
    );
    let moments = Moments::new(&scene, &motion).map_err(read)?;
    let mut moments = moments.ok_or_else(missing)?;
    if picture {
        let time = args.at.unwrap_or(first);
        let pixels = painter.paint(moments.at(time).map_err(read)?);
        save_png(&args.out, painter.size(), &pixels)?;
        terminal::say(&format!("drew {}\n", args.out.display()));
        return Ok(Code::Done);
    }
    let (from, to) = (
        args.from.unwrap_or(first).max(first),
        args.to.unwrap_or(last).min(last),
    );
    let step = args.speed / Film::rate(&args.out, args.rate);
    let count = ((to - from) / step).floor() + 1.0;
    if !(1.0..=MOST_PICTURES).contains(&count) {
        return Err(Failure::command(format!(
            "a film of {count} pictures from {from} s to {to} s: choose --from, --to, --rate and --speed so that there are 1 to {MOST_PICTURES}"
        )));
    }
    let mut film = Film::create(&args.out, painter.size(), args.rate)?;
    let pictures = count as u64;
    if film.has_palette() {
        for k in (0..pictures).step_by((pictures / PREVIEWED).max(1) as usize) {
            film.preview(&painter.paint(moments.at(from + k as f64 * step).map_err(read)?));
        }
    }
    for k in 0..pictures {
        let pixels = painter.paint(moments.at(from + k as f64 * step).map_err(read)?);
        film.push(&pixels)?;
    }
    film.finish()?;
    terminal::say(&format!("wrote {}, {count} pictures\n", args.out.display()));
    Ok(Code::Done)
}

impl Args {
    fn look(&self) -> Look {
        Look {
            size: [self.width, self.height],
            view: self.view,
            dark: self.dark,
        }
    }

    fn check(&self) -> Result<(), Failure> {
        let size = 16..=MOST_PIXELS;
        if !size.contains(&self.width) || !size.contains(&self.height) {
            return Err(Failure::command(format!(
                "--width and --height must be from 16 to {MOST_PIXELS} pixels"
            )));
        }
        for (name, time) in [("--at", self.at), ("--from", self.from), ("--to", self.to)] {
            if time.is_some_and(|time| !time.is_finite()) {
                return Err(Failure::command(format!(
                    "{name} must be a time in seconds"
                )));
            }
        }
        for (name, x) in [("--rate", self.rate), ("--speed", self.speed)] {
            if !(x > 0.0 && x.is_finite()) {
                return Err(Failure::command(format!(
                    "{name} must be greater than zero"
                )));
            }
        }
        Ok(())
    }

    /// The viewer with the results, in one file.
    fn page(&self) -> Outcome {
        if let Some(model) = self.inputs.iter().find(|input| !input.is_dir()) {
            return Err(Failure::command(format!(
                "a page needs a motion: `biela run {}` first, then export the results folder",
                model.display()
            )));
        }
        let page = biela::view::page(&self.inputs).map_err(Failure::command)?;
        let out = self.out.display();
        output::write(&self.out, page.as_ref(), &["html", "htm"])?;
        terminal::say(&format!("wrote {out}, {} kB\n", page.len() / 1000));
        Ok(Code::Done)
    }

    /// The assembled start of a model.
    fn picture_of_model(&self, model: &Path, picture: bool) -> Outcome {
        let job = input::load(model, &self.set, false)?;
        if !picture {
            let shown = model.display();
            return Err(Failure::command(format!(
                "a film needs a motion: `biela run {shown}` first, then export the results folder"
            )));
        }
        let study = job.study_or_start();
        let assembled =
            biela::start(job.model, &study).map_err(|error| start_failure(model, &error))?;
        let scene = biela::view::scene(&assembled, &job.description, &job.parameters);
        let folder = model.parent().unwrap_or(Path::new("")).to_owned();
        let pose = [scene.pose.as_slice()];
        let mut painter = Painter::new(&scene, self.look(), pose.into_iter(), &|file| {
            read_mesh(&folder, file).ok()
        });
        let pixels = painter.paint(&scene.pose);
        save_png(&self.out, painter.size(), &pixels)?;
        terminal::say(&format!("drew {}\n", self.out.display()));
        Ok(Code::Done)
    }
}
