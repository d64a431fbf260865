//! Images and animations of results folders, drawn without a display.
//!
//! ```no_run
//! use biela::view::{ExportSettings, Recording};
//!
//! let recording = Recording::open("results/pendulum".as_ref())?;
//! let settings = ExportSettings { time: Some(0.25), ..ExportSettings::default() };
//! recording.picture("pose.png".as_ref(), &settings)?;
//! # Ok::<(), biela::view::ExportError>(())
//! ```

use std::fmt;
use std::path::{Path, PathBuf};

use biela_view::picture::{
    Film, FilmError, ImageSettings, InterpolatedMotion, MOST_PIXELS, Painter, Shot, Tracer,
    ViewDirection, save_png,
};
use biela_view::{MotionReader, Scene};

use super::read_mesh;

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

/// Settings of images and animations.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportSettings {
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// Direction of the camera.
    pub view: ViewDirection,
    /// Dark background.
    pub dark: bool,
    /// Surfaces, points and forces of contacts.
    pub contacts: bool,
    /// Time of an image in s, or number of the equilibrium; `None` for the first.
    pub time: Option<f64>,
    /// Start of animations, ghosts and traces in s; `None` for the start of the motion.
    pub from: Option<f64>,
    /// End of animations, ghosts and traces in s; `None` for the end of the motion.
    pub to: Option<f64>,
    /// Number of faint poses behind the pose of an image, at equal intervals.
    pub ghosts: usize,
    /// Points whose paths are drawn.
    pub traces: Vec<String>,
    /// Frames per second of an animation.
    pub rate: f64,
    /// Seconds of the motion per second of an animation.
    pub speed: f64,
}

impl Default for ExportSettings {
    fn default() -> Self {
        ExportSettings {
            size: [960, 540],
            view: ViewDirection::Auto,
            dark: false,
            contacts: true,
            time: None,
            from: None,
            to: None,
            ghosts: 0,
            traces: Vec::new(),
            rate: 25.0,
            speed: 1.0,
        }
    }
}

/// The reason why an image or an animation cannot be drawn.
///
/// `{}` names the settings as arguments of the library, `{:#}` as options of the command.
#[non_exhaustive]
pub enum ExportError {
    /// The folder contains no motion.
    NoMotion(PathBuf),
    /// Scene and motion are of different runs.
    Mixed(PathBuf),
    /// The scene or the motion cannot be read.
    Unreadable(String),
    /// Width or height is out of range.
    Size,
    /// There are too many ghosts.
    Ghosts,
    /// A time is NaN or infinite.
    Time(&'static str),
    /// A number is not positive.
    NotPositive(&'static str),
    /// A traced point does not exist.
    UnknownPoint {
        /// Its name.
        name: String,
        /// Some of the points of the scene.
        known: String,
    },
    /// Ghosts in an animation.
    GhostsInFilm,
    /// An animation, or the path of a point, of equilibria.
    Equilibria(PathBuf),
    /// The number of frames is out of range.
    Frames {
        /// The number of frames.
        count: f64,
        /// Start and end of the animation in s.
        span: [f64; 2],
    },
    /// The file cannot be written.
    File(FilmError),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dashes = if f.alternate() { "--" } else { "" };
        match self {
            ExportError::NoMotion(folder) => {
                let help = if f.alternate() {
                    "without --no-motion"
                } else {
                    "with its motion"
                };
                let folder = folder.display();
                write!(
                    f,
                    "{folder}: no motion was recorded; run the model again {help}"
                )
            }
            ExportError::Mixed(folder) => write!(
                f,
                "{}: scene and motion belong to different runs; run the model again",
                folder.display()
            ),
            ExportError::Unreadable(problem) => f.write_str(problem),
            ExportError::Size => write!(
                f,
                "{dashes}width and {dashes}height must be from 16 to {MOST_PIXELS} pixels"
            ),
            ExportError::Ghosts => write!(f, "{dashes}ghosts must be at most {MOST_GHOSTS}"),
            ExportError::Time(name) => {
                // the command and the library differ in one name
                let name = if f.alternate() && *name == "time" {
                    "at"
                } else {
                    name
                };
                write!(f, "{dashes}{name} must be a time in seconds")
            }
            ExportError::NotPositive(name) => write!(f, "{dashes}{name} must be positive"),
            ExportError::UnknownPoint { name, known } => write!(
                f,
                "{dashes}trace: no point is called `{name}`; points: {known}"
            ),
            ExportError::GhostsInFilm => write!(
                f,
                "{dashes}ghosts applies to images (.png); in an animation use {dashes}trace"
            ),
            ExportError::Equilibria(folder) => write!(
                f,
                "{}: equilibria have no motion; export an image (.png) without {dashes}trace",
                folder.display()
            ),
            ExportError::Frames {
                count,
                span: [from, to],
            } => write!(
                f,
                "the animation would have {count} frames from t = {from} s to {to} s; choose {dashes}from, {dashes}to, {dashes}rate and {dashes}speed so that it has 1 to {MOST_PICTURES}"
            ),
            ExportError::File(error) => error.fmt(f),
        }
    }
}

biela_core::readable_errors!(ExportError);

impl From<FilmError> for ExportError {
    fn from(error: FilmError) -> Self {
        ExportError::File(error)
    }
}

impl ExportSettings {
    /// Checks the ranges of all settings.
    pub fn check(&self) -> Result<(), ExportError> {
        let size = 16..=MOST_PIXELS;
        if !self.size.iter().all(|pixels| size.contains(pixels)) {
            return Err(ExportError::Size);
        }
        if self.ghosts > MOST_GHOSTS {
            return Err(ExportError::Ghosts);
        }
        for (name, time) in [("time", self.time), ("from", self.from), ("to", self.to)] {
            if time.is_some_and(|time| !time.is_finite()) {
                return Err(ExportError::Time(name));
            }
        }
        for (name, x) in [("rate", self.rate), ("speed", self.speed)] {
            if !(x > 0.0 && x.is_finite()) {
                return Err(ExportError::NotPositive(name));
            }
        }
        Ok(())
    }

    /// The appearance of images.
    pub fn image(&self) -> ImageSettings {
        ImageSettings {
            size: self.size,
            view: self.view,
            dark: self.dark,
            contacts: self.contacts,
        }
    }

    /// The time interval of animations, ghosts and traces.
    fn span(&self, [first, last]: [f64; 2]) -> [f64; 2] {
        [
            self.from.unwrap_or(first).max(first),
            self.to.unwrap_or(last).min(last),
        ]
    }
}

/// Returns the direction of the camera: `auto`, `gravity`, `x`, `y`, `z`, or azimuth and elevation in degrees, `-55,22`.
pub fn view_direction(text: &str) -> Result<ViewDirection, String> {
    Ok(match text {
        "auto" => ViewDirection::Auto,
        "gravity" => ViewDirection::Gravity,
        "x" => ViewDirection::Along(0),
        "y" => ViewDirection::Along(1),
        "z" => ViewDirection::Along(2),
        _ => {
            let degrees = |text: &str| text.trim().parse().ok().filter(|x: &f32| x.is_finite());
            let parsed = text.split_once(',');
            let parsed = parsed.and_then(|(a, b)| Some((degrees(a)?, degrees(b)?)));
            let (azimuth, elevation) = parsed
                .ok_or("write auto, gravity, x, y, z, or two angles in degrees, e.g. -55,22")?;
            ViewDirection::From { azimuth, elevation }
        }
    })
}

/// The recorded motion of a results folder.
#[derive(Debug)]
pub struct Recording {
    folder: PathBuf,
    scene: Scene,
    motion: MotionReader,
    /// Times of the first and of the last frame. For equilibria, which have no time, their numbers; 0 is the initial configuration.
    times: [f64; 2],
    /// The frames are equilibria instead of a motion.
    rests: bool,
}

impl Recording {
    /// Opens the motion of a results folder.
    pub fn open(folder: &Path) -> Result<Self, ExportError> {
        let missing = || no_motion(folder);
        let scene = Scene::load(folder)
            .map_err(ExportError::Unreadable)?
            .ok_or_else(missing)?;
        let motion = MotionReader::open(folder)
            .map_err(|problem| ExportError::Unreadable(problem.to_string()))?
            .ok_or_else(missing)?;
        if motion.numbers() != scene.frame_size {
            return Err(ExportError::Mixed(folder.to_owned()));
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
    fn frames(&self, times: impl Iterator<Item = f64>) -> Result<Vec<Vec<f32>>, ExportError> {
        if self.rests {
            return times.map(|number| self.equilibrium(number)).collect();
        }
        let mut moments = self.moments()?;
        times.map(|time| moments.frame(time)).collect()
    }

    /// Returns an equilibrium by its number, counted from 1: the initial configuration below 1, the last equilibrium beyond the end.
    fn equilibrium(&self, number: f64) -> Result<Vec<f32>, ExportError> {
        let number = number.clamp(0.0, self.times[1]).round() as u64;
        let Some(row) = number.checked_sub(1) else {
            return Ok(self.scene.pose.clone());
        };
        let bytes = self.motion.read(row, 1, 1);
        let bytes = bytes.map_err(|error| unreadable(&self.folder, &error))?;
        let frame = biela_view::picture::frames(&bytes, &self.scene).pop();
        frame.ok_or_else(|| no_motion(&self.folder))
    }

    /// The default time of an image: the start of a motion, or the first equilibrium.
    fn shown_first(&self) -> f64 {
        if self.rests { 1.0 } else { self.times[0] }
    }

    fn moments(&self) -> Result<Reel<'_>, ExportError> {
        let moments = InterpolatedMotion::new(&self.scene, &self.motion);
        let moments = moments.map_err(|error| unreadable(&self.folder, &error))?;
        Ok(Reel {
            folder: &self.folder,
            moments: moments.ok_or_else(|| no_motion(&self.folder))?,
        })
    }

    /// Returns a sample of frames of the whole motion.
    fn overview(&self) -> Result<Vec<Vec<f32>>, ExportError> {
        let every = self.motion.frames().div_ceil(LOOKED_AT).max(1);
        let bytes = self.motion.read(0, LOOKED_AT, every);
        let bytes = bytes.map_err(|error| unreadable(&self.folder, &error))?;
        Ok(biela_view::picture::frames(&bytes, &self.scene))
    }

    fn painter<'s>(
        &'s self,
        look: ImageSettings,
        frames: &[Vec<f32>],
        points: &[[f32; 3]],
    ) -> Painter<'s> {
        let frames = frames.iter().map(Vec::as_slice);
        Painter::around(&self.scene, look, frames, points, &|file| {
            read_mesh(&self.folder, file).ok()
        })
    }
}

/// The frames of a recording in the order of time.
struct Reel<'r> {
    folder: &'r Path,
    moments: InterpolatedMotion<'r>,
}

impl Reel<'_> {
    fn frame(&mut self, time: f64) -> Result<Vec<f32>, ExportError> {
        let frame = self.moments.at(time);
        let frame = frame.map_err(|error| unreadable(self.folder, &error))?;
        Ok(frame.to_vec())
    }
}

fn no_motion(folder: &Path) -> ExportError {
    ExportError::NoMotion(folder.to_owned())
}

fn unreadable(folder: &Path, error: &std::io::Error) -> ExportError {
    ExportError::Unreadable(format!("{}: {error}", folder.display()))
}

/// The path of a point: positions with their times.
#[derive(Default)]
struct PointTrace {
    times: Vec<f64>,
    points: Vec<[f32; 3]>,
}

impl PointTrace {
    /// Returns the path up to a time.
    fn until(&self, time: f64) -> &[[f32; 3]] {
        &self.points[..self.times.partition_point(|t| *t <= time)]
    }
}

/// Returns the traced points of a scene by name.
fn tracers(scene: &Scene, names: &[String]) -> Result<Vec<Tracer>, ExportError> {
    let find = |name: &String| {
        Tracer::find(scene, name).ok_or_else(|| {
            let mut known = Tracer::names(scene);
            let more = if known.len() > LISTED { ", …" } else { "" };
            known.truncate(LISTED);
            ExportError::UnknownPoint {
                name: name.clone(),
                known: format!("{}{more}", known.join(", ")),
            }
        })
    };
    names.iter().map(find).collect()
}

impl Recording {
    /// Computes the paths of the traced points.
    fn traces(&self, settings: &ExportSettings) -> Result<Vec<PointTrace>, ExportError> {
        let tracers = tracers(&self.scene, &settings.traces)?;
        let mut traces: Vec<PointTrace> = tracers.iter().map(|_| PointTrace::default()).collect();
        if tracers.is_empty() {
            return Ok(traces);
        }
        let [from, to] = settings.span(self.times);
        let count = (4 * self.motion.frames()).clamp(PATH_POINTS[0], PATH_POINTS[1]);
        let mut reel = self.moments()?;
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

    /// Draws one pose to a PNG file, with ghosts and traces if requested. The camera frames these if present, otherwise the whole motion.
    pub fn picture(&self, file: &Path, settings: &ExportSettings) -> Result<(), ExportError> {
        settings.check()?;
        if self.rests && !settings.traces.is_empty() {
            return Err(ExportError::Equilibria(self.folder.clone()));
        }
        let [from, to] = settings.span(self.times);
        let instant = |k: usize| from + (to - from) * k as f64 / settings.ghosts as f64;
        let ghosts = self.frames((0..settings.ghosts).map(instant))?;
        let time = settings.time.unwrap_or(self.shown_first());
        let pose = self.frames(std::iter::once(time))?.swap_remove(0);
        let traces = self.traces(settings)?;
        let mut painter = if ghosts.is_empty() && traces.is_empty() {
            self.painter(settings.image(), &self.overview()?, &[])
        } else {
            let shown = [&ghosts[..], std::slice::from_ref(&pose)].concat();
            let points: Vec<_> = traces.iter().flat_map(|t| &t.points).copied().collect();
            self.painter(settings.image(), &shown, &points)
        };
        let traces: Vec<&[[f32; 3]]> = traces.iter().map(|t| t.points.as_slice()).collect();
        let pixels = painter.paint_shot(&Shot {
            frame: &pose,
            ghosts: &ghosts,
            traces: &traces,
        });
        save_png(file, painter.size(), &pixels)?;
        Ok(())
    }

    /// Renders an animation; traced points leave their path behind.
    /// The file extension selects the format, as in [`Film::create`]. Returns the number of frames.
    pub fn film(&self, file: &Path, settings: &ExportSettings) -> Result<u64, ExportError> {
        settings.check()?;
        if self.rests {
            return Err(ExportError::Equilibria(self.folder.clone()));
        }
        if settings.ghosts > 0 {
            return Err(ExportError::GhostsInFilm);
        }
        let [from, to] = settings.span(self.times);
        let step = settings.speed / Film::rate(file, settings.rate);
        let count = ((to - from) / step).floor() + 1.0;
        if !(1.0..=MOST_PICTURES).contains(&count) {
            let span = [from, to];
            return Err(ExportError::Frames { count, span });
        }
        let traces = self.traces(settings)?;
        let mut painter = self.painter(settings.image(), &self.overview()?, &[]);
        let mut paint = |reel: &mut Reel<'_>, k: u64| -> Result<Vec<u8>, ExportError> {
            let time = from + k as f64 * step;
            let traces: Vec<&[[f32; 3]]> = traces.iter().map(|t| t.until(time)).collect();
            Ok(painter.paint_shot(&Shot {
                traces: &traces,
                ..Shot::of(&reel.frame(time)?)
            }))
        };
        let mut film = Film::create(file, settings.size, settings.rate)?;
        let pictures = count as u64;
        if film.has_palette() {
            let mut reel = self.moments()?;
            for k in (0..pictures).step_by((pictures / PREVIEWED).max(1) as usize) {
                film.preview(&paint(&mut reel, k)?);
            }
        }
        let mut reel = self.moments()?;
        for k in 0..pictures {
            film.push(&paint(&mut reel, k)?)?;
        }
        film.finish()?;
        Ok(pictures)
    }
}
