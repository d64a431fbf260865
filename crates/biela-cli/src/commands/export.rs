//! `biela export`: images and animations without a display.

use std::path::{Path, PathBuf};

use biela::view::{ExportError, ExportSettings, Recording, read_mesh, view_direction};
use biela::viewer::picture::{FilmError, Painter, ViewDirection, save_png};

use crate::commands::check::start_failure;
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::{input, output, terminal};

const AFTER_HELP: &str = "\
The extension of FILE selects the format: .png an image; .gif, .mp4 or .webm an animation; no
extension a folder of numbered PNG frames; .html the viewer with motion and plots in one file that
opens from disk. Formats .mp4 and .webm require ffmpeg; the others have no
requirements.

Examples:
  biela export results/slider-crank film.gif
  biela export results/slider-crank pose.png --at 0.25
  biela export results/four-bar work.png --at 0.4 --ghosts 6 --to 0.6 --trace coupler.P
  biela export results/stanford-arm film.mp4 --view=-40,30 --speed 0.5 --width 1280 --height 720
  biela export results/slider-crank slider-crank.html
  biela export results/light results/heavy both.html
  biela export model.toml start.png";

/// Export images and animations of results, or an image of a model
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Results folder, several results folders of one mechanism for .html, or a model file
    #[arg(value_name = "RESULTS|MODEL", required = true)]
    inputs: Vec<PathBuf>,
    /// File to write: .png, .gif, .mp4, .webm, .html, or a folder for PNG frames
    #[arg(value_name = "FILE")]
    out: PathBuf,
    /// Time of the image in s, or the number of the equilibrium [default: the first]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    at: Option<f64>,
    /// Start of the animation, ghosts and traces in s [default: start of the motion]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    from: Option<f64>,
    /// End of the animation, ghosts and traces in s [default: end of the motion]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    to: Option<f64>,
    /// Number of faint poses (ghosts) behind the pose of an image, at equal intervals from --from up to, but not including, --to
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    ghosts: usize,
    /// Draw the path of a point: body.point, body.com, body, beam.start or beam.end; repeatable
    #[arg(long, value_name = "POINT")]
    trace: Vec<String>,
    /// Frames per second of the animation
    #[arg(long, value_name = "NUMBER", default_value_t = 25.0)]
    rate: f64,
    /// Playback speed: seconds of the motion per second of the animation
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0)]
    speed: f64,
    /// Width in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 960)]
    width: usize,
    /// Height in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 540)]
    height: usize,
    /// Camera direction: auto, gravity (auto with gravity pointing down), x, y, z, or azimuth,elevation in degrees, e.g. --view=-40,30
    #[arg(long, value_name = "VIEW", default_value = "auto", value_parser = view_direction)]
    view: ViewDirection,
    /// Dark background
    #[arg(long)]
    dark: bool,
    /// Leave out surfaces, points and forces of contacts
    #[arg(long)]
    no_contacts: bool,
    /// Override the value of a parameter of a model, e.g. --set "length=1.2 m"; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
}

impl From<FilmError> for Failure {
    fn from(error: FilmError) -> Self {
        Failure::command(error)
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        Failure::command(error)
    }
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let settings = args.settings();
    settings.check()?;
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
            "an image or an animation shows one run; a page (.html) shows several",
        ));
    };
    if !input.is_dir() {
        return args.picture_of_model(input, picture, &settings);
    }
    let recording = Recording::open(input)?;
    let out = args.out.display();
    if picture {
        recording.picture(&args.out, &settings)?;
        terminal::say(&format!("drew {out}\n"));
    } else {
        let frames = recording.film(&args.out, &settings)?;
        terminal::say(&format!("wrote {out}, {frames} frames\n"));
    }
    Ok(FailureCode::Done)
}

impl Args {
    fn settings(&self) -> ExportSettings {
        ExportSettings {
            size: [self.width, self.height],
            view: self.view,
            dark: self.dark,
            contacts: !self.no_contacts,
            time: self.at,
            from: self.from,
            to: self.to,
            ghosts: self.ghosts,
            traces: self.trace.clone(),
            rate: self.rate,
            speed: self.speed,
        }
    }

    /// Writes the viewer with the results as one file.
    fn page(&self) -> CommandResult {
        if self.ghosts > 0 || !self.trace.is_empty() {
            return Err(Failure::command(
                "--ghosts and --trace apply to images and animations; the viewer of a page can trace points",
            ));
        }
        if let Some(model) = self.inputs.iter().find(|input| !input.is_dir()) {
            return Err(Failure::command(format!(
                "a page needs a motion; run `biela run {}`, then export the results folder",
                model.display()
            )));
        }
        let page = biela::view::page(&self.inputs).map_err(Failure::command)?;
        let out = self.out.display();
        output::write(&self.out, page.as_ref(), &["html", "htm"])?;
        terminal::say(&format!("wrote {out}, {} kB\n", page.len() / 1000));
        Ok(FailureCode::Done)
    }

    /// Renders the assembled initial configuration of a model.
    fn picture_of_model(
        &self,
        model: &Path,
        picture: bool,
        settings: &ExportSettings,
    ) -> CommandResult {
        let job = input::load(model, &self.set, false)?;
        if !picture {
            let shown = model.display();
            return Err(Failure::command(format!(
                "an animation needs a motion; run `biela run {shown}`, then export the results folder"
            )));
        }
        if self.ghosts > 0 || !self.trace.is_empty() {
            return Err(Failure::command(format!(
                "--ghosts and --trace need a motion; run `biela run {}`, then export the results folder",
                model.display()
            )));
        }
        let study = job.study_or_start();
        let assembled =
            biela::start(job.model, &study).map_err(|error| start_failure(model, &error))?;
        let scene = biela::view::scene(&assembled, &job.description, &job.parameters);
        let folder = model.parent().unwrap_or(Path::new("")).to_owned();
        let pose = [scene.pose.as_slice()];
        let mut painter = Painter::new(&scene, settings.image(), pose.into_iter(), &|file| {
            read_mesh(&folder, file).ok()
        });
        let pixels = painter.paint(&scene.pose);
        save_png(&self.out, painter.size(), &pixels)?;
        terminal::say(&format!("drew {}\n", self.out.display()));
        Ok(FailureCode::Done)
    }
}
