//! `biela export`: images and animations without a display.

use std::path::{Path, PathBuf};

use biela::view::read_mesh;
use biela::viewer::picture::{
    Film, FilmError, Look, MOST_PIXELS, Moments, Painter, Shot, Tracer, View, save_png,
};
use biela::viewer::{MotionReader, Scene};

use crate::commands::check::start_failure;
use crate::failure::{Code, Failure, Outcome};
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

/// The maximum number of frames of an animation.
const MOST_PICTURES: f64 = 100_000.0;
/// The number of frames from which the palette of a GIF is computed.
const PREVIEWED: u64 = 16;
/// The number of frames from which the camera is placed.
const LOOKED_AT: u64 = 400;
/// The maximum number of ghosts in an image.
const MOST_GHOSTS: usize = 200;
/// The minimum and maximum number of points of a drawn path.
const PATH_POINTS: [u64; 2] = [400, 8000];
/// The maximum number of names in a message.
const LISTED: usize = 12;

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
    #[arg(long, value_name = "VIEW", default_value = "auto", value_parser = view)]
    view: View,
    /// Dark background
    #[arg(long)]
    dark: bool,
    /// Override the value of a parameter of a model, e.g. --set "length=1.2 m"; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
}

fn view(text: &str) -> Result<View, String> {
    Ok(match text {
        "auto" => View::Auto,
        "gravity" => View::Gravity,
        "x" => View::Along(0),
        "y" => View::Along(1),
        "z" => View::Along(2),
        _ => {
            let degrees = |text: &str| text.trim().parse().ok().filter(|x: &f32| x.is_finite());
            let parsed = text.split_once(',');
            let parsed = parsed.and_then(|(a, b)| Some((degrees(a)?, degrees(b)?)));
            let (azimuth, elevation) = parsed
                .ok_or("write auto, gravity, x, y, z, or two angles in degrees such as -55,22")?;
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
    let recording = Recording::open(input)?;
    if recording.rests && !(picture && args.trace.is_empty()) {
        return Err(Failure::command(format!(
            "{}: equilibria have no motion; write a picture (.png) without --trace",
            input.display()
        )));
    }
    if picture {
        args.picture(&recording)
    } else {
        args.film(&recording)
    }
}

/// The recorded motion of a results folder.
struct Recording {
    folder: PathBuf,
    scene: Scene,
    motion: MotionReader,
    /// Times of the first and of the last frame. For equilibria, which have no time, their numbers; 0 is the initial configuration.
    times: [f64; 2],
    /// The frames are equilibria instead of a motion.
    rests: bool,
}

impl Recording {
    fn open(folder: &Path) -> Result<Self, Failure> {
        let missing = || no_motion(folder);
        let scene = Scene::load(folder)
            .map_err(Failure::command)?
            .ok_or_else(missing)?;
        let motion = MotionReader::open(folder)
            .map_err(Failure::command)?
            .ok_or_else(missing)?;
        if motion.numbers() != scene.frame_size {
            return Err(Failure::command(format!(
                "{}: scene and motion are not of one run",
                folder.display()
            )));
        }
        let last = motion.frames().checked_sub(1).ok_or_else(missing)?;
        let time = |number| {
            let time = motion.time(number).map_err(|e| unreadable(folder, &e))?;
            time.ok_or_else(missing)
        };
        let mut times = [time(0)?, time(last)?];
        let rests = times[0] >= times[1];
        if rests {
            times = [0.0, motion.frames() as f64];
        }
        Ok(Recording {
            folder: folder.to_owned(),
            scene,
            motion,
            times,
            rests,
        })
    }

    /// Returns the frames at these times, which must be in ascending order.
    fn frames(&self, times: impl Iterator<Item = f64>) -> Result<Vec<Vec<f32>>, Failure> {
        if self.rests {
            return times.map(|number| self.equilibrium(number)).collect();
        }
        let mut moments = self.moments()?;
        times.map(|time| moments.frame(time)).collect()
    }

    /// Returns an equilibrium by its number, counted from 1: the initial configuration below 1, the last equilibrium beyond the end.
    fn equilibrium(&self, number: f64) -> Result<Vec<f32>, Failure> {
        let number = number.clamp(0.0, self.times[1]).round() as u64;
        let Some(row) = number.checked_sub(1) else {
            return Ok(self.scene.pose.clone());
        };
        let bytes = self.motion.read(row, 1, 1);
        let bytes = bytes.map_err(|error| unreadable(&self.folder, &error))?;
        let frame = biela::viewer::picture::frames(&bytes, &self.scene).pop();
        frame.ok_or_else(|| no_motion(&self.folder))
    }

    /// The default time of an image: the start of a motion, or the first equilibrium.
    fn shown_first(&self) -> f64 {
        if self.rests { 1.0 } else { self.times[0] }
    }

    fn moments(&self) -> Result<Reel<'_>, Failure> {
        let moments = Moments::new(&self.scene, &self.motion);
        let moments = moments.map_err(|error| unreadable(&self.folder, &error))?;
        Ok(Reel {
            folder: &self.folder,
            moments: moments.ok_or_else(|| no_motion(&self.folder))?,
        })
    }

    /// Returns a sample of frames of the whole motion.
    fn overview(&self) -> Result<Vec<Vec<f32>>, Failure> {
        let every = self.motion.frames().div_ceil(LOOKED_AT).max(1);
        let bytes = self.motion.read(0, LOOKED_AT, every);
        let bytes = bytes.map_err(|error| unreadable(&self.folder, &error))?;
        Ok(biela::viewer::picture::frames(&bytes, &self.scene))
    }

    fn painter<'s>(&'s self, look: Look, frames: &[Vec<f32>], points: &[[f32; 3]]) -> Painter<'s> {
        let frames = frames.iter().map(Vec::as_slice);
        Painter::around(&self.scene, look, frames, points, &|file| {
            read_mesh(&self.folder, file).ok()
        })
    }
}

/// The frames of a recording in the order of time.
struct Reel<'r> {
    folder: &'r Path,
    moments: Moments<'r>,
}

impl Reel<'_> {
    fn frame(&mut self, time: f64) -> Result<Vec<f32>, Failure> {
        let frame = self.moments.at(time);
        let frame = frame.map_err(|error| unreadable(self.folder, &error))?;
        Ok(frame.to_vec())
    }
}

fn no_motion(folder: &Path) -> Failure {
    Failure::command(format!(
        "{}: no motion is recorded there; run the model again, without --no-motion",
        folder.display()
    ))
}

fn unreadable(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::command(format!("{}: {error}", folder.display()))
}

/// The path of a point: positions with their times.
#[derive(Default)]
struct Trace {
    times: Vec<f64>,
    points: Vec<[f32; 3]>,
}

impl Trace {
    /// Returns the path up to a time.
    fn until(&self, time: f64) -> &[[f32; 3]] {
        &self.points[..self.times.partition_point(|t| *t <= time)]
    }
}

/// Returns the traced points of a scene by name.
fn tracers(scene: &Scene, names: &[String]) -> Result<Vec<Tracer>, Failure> {
    let find = |name: &String| {
        Tracer::find(scene, name).ok_or_else(|| {
            let mut known = Tracer::names(scene);
            let more = if known.len() > LISTED { ", …" } else { "" };
            known.truncate(LISTED);
            Failure::command(format!(
                "--trace: no point is called `{name}`; there are {}{more}",
                known.join(", ")
            ))
        })
    };
    names.iter().map(find).collect()
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
        if self.ghosts > MOST_GHOSTS {
            return Err(Failure::command(format!(
                "--ghosts must be at most {MOST_GHOSTS}"
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

    /// The time interval of animations, ghosts and traces.
    fn span(&self, [first, last]: [f64; 2]) -> [f64; 2] {
        [
            self.from.unwrap_or(first).max(first),
            self.to.unwrap_or(last).min(last),
        ]
    }

    /// Computes the paths of the traced points.
    fn traces(&self, recording: &Recording) -> Result<Vec<Trace>, Failure> {
        let tracers = tracers(&recording.scene, &self.trace)?;
        let mut traces: Vec<Trace> = tracers.iter().map(|_| Trace::default()).collect();
        if tracers.is_empty() {
            return Ok(traces);
        }
        let [from, to] = self.span(recording.times);
        let count = (4 * recording.motion.frames()).clamp(PATH_POINTS[0], PATH_POINTS[1]);
        let mut reel = recording.moments()?;
        for k in 0..=count {
            let time = from + (to - from) * k as f64 / count as f64;
            let frame = reel.frame(time)?;
            for (tracer, trace) in tracers.iter().zip(&mut traces) {
                if let Some(point) = tracer.at(&frame) {
                    trace.times.push(time);
                    trace.points.push(point);
                }
            }
        }
        Ok(traces)
    }

    /// Renders one pose, with ghosts and traces if requested. The camera frames these if present, otherwise the whole motion.
    fn picture(&self, recording: &Recording) -> Outcome {
        let [from, to] = self.span(recording.times);
        let instant = |k: usize| from + (to - from) * k as f64 / self.ghosts as f64;
        let ghosts = recording.frames((0..self.ghosts).map(instant))?;
        let time = self.at.unwrap_or(recording.shown_first());
        let pose = recording.frames(std::iter::once(time))?.swap_remove(0);
        let traces = self.traces(recording)?;
        let mut painter = if ghosts.is_empty() && traces.is_empty() {
            recording.painter(self.look(), &recording.overview()?, &[])
        } else {
            let shown = [&ghosts[..], std::slice::from_ref(&pose)].concat();
            let points: Vec<_> = traces.iter().flat_map(|t| &t.points).copied().collect();
            recording.painter(self.look(), &shown, &points)
        };
        let traces: Vec<&[[f32; 3]]> = traces.iter().map(|t| t.points.as_slice()).collect();
        let pixels = painter.paint_shot(&Shot {
            frame: &pose,
            ghosts: &ghosts,
            traces: &traces,
        });
        save_png(&self.out, painter.size(), &pixels)?;
        terminal::say(&format!("drew {}\n", self.out.display()));
        Ok(Code::Done)
    }

    /// Renders an animation; traced points leave their path behind.
    fn film(&self, recording: &Recording) -> Outcome {
        if self.ghosts > 0 {
            return Err(Failure::command(
                "--ghosts are for pictures (.png); in a film use --trace",
            ));
        }
        let [from, to] = self.span(recording.times);
        let step = self.speed / Film::rate(&self.out, self.rate);
        let count = ((to - from) / step).floor() + 1.0;
        if !(1.0..=MOST_PICTURES).contains(&count) {
            return Err(Failure::command(format!(
                "a film of {count} pictures from {from} s to {to} s: choose --from, --to, --rate and --speed so that there are 1 to {MOST_PICTURES}"
            )));
        }
        let traces = self.traces(recording)?;
        let mut painter = recording.painter(self.look(), &recording.overview()?, &[]);
        let mut paint = |reel: &mut Reel<'_>, k: u64| -> Result<Vec<u8>, Failure> {
            let time = from + k as f64 * step;
            let traces: Vec<&[[f32; 3]]> = traces.iter().map(|t| t.until(time)).collect();
            Ok(painter.paint_shot(&Shot {
                traces: &traces,
                ..Shot::of(&reel.frame(time)?)
            }))
        };
        let mut film = Film::create(&self.out, [self.width, self.height], self.rate)?;
        let pictures = count as u64;
        if film.has_palette() {
            let mut reel = recording.moments()?;
            for k in (0..pictures).step_by((pictures / PREVIEWED).max(1) as usize) {
                film.preview(&paint(&mut reel, k)?);
            }
        }
        let mut reel = recording.moments()?;
        for k in 0..pictures {
            film.push(&paint(&mut reel, k)?)?;
        }
        film.finish()?;
        terminal::say(&format!("wrote {}, {count} pictures\n", self.out.display()));
        Ok(Code::Done)
    }

    /// Writes the viewer with the results as one file.
    fn page(&self) -> Outcome {
        if self.ghosts > 0 || !self.trace.is_empty() {
            return Err(Failure::command(
                "--ghosts and --trace are for pictures and films; the viewer of a page traces points by itself",
            ));
        }
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

    /// Renders the assembled initial configuration of a model.
    fn picture_of_model(&self, model: &Path, picture: bool) -> Outcome {
        let job = input::load(model, &self.set, false)?;
        if !picture {
            let shown = model.display();
            return Err(Failure::command(format!(
                "a film needs a motion: `biela run {shown}` first, then export the results folder"
            )));
        }
        if self.ghosts > 0 || !self.trace.is_empty() {
            return Err(Failure::command(format!(
                "--ghosts and --trace need a motion: `biela run {}` first, then export the results folder",
                model.display()
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
