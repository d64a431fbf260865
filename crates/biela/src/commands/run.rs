//! `biela run`: a model's motion, recorded.

mod checkpoints;
mod equilibria;
mod printer;
mod recorder;
mod summary;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use biela::core::analysis::{Analysis, ResumeError, Simulation, Study};
use biela::core::element::{ArgumentError, Info};
use biela::core::integrators::INTEGRATORS;
use biela::core::methods::METHODS;
use biela::core::model::Model;
use biela::explain::Reason;
use biela::record::{
    self, CSV_FILE, Checkpoint, DATA_FILE, Header, MANIFEST_FILE, Options, Results, Resuming,
    Status, Writer, checkpoint,
};
use biela::study::Taking;
use biela::view::Film;
use biela::viewer::{MOTION_FILE, SCENE_FILE, Scene};
use biela::{Changes, Job, OptionError, View, evidence};

use crate::commands::check::start_failure;
use crate::commands::limits::{self, LimitArgs, duration};
use crate::commands::plot;
use crate::commands::view::{Serving, Shown};
use crate::failure::{Code, Failure, Outcome, more};
use crate::input::ModelArgs;
use crate::progress::Meter;
use crate::{output, terminal};
use checkpoints::Checkpoints;
use printer::{Form, Printer, Range};
use recorder::Recorder;
use serde_json::json;
use summary::{Start, Summary};

const AFTER_HELP: &str = "\
Times and sizes are in SI units when bare, or carry a unit: --to 10, --step \"0.25 ms\".
Earlier results of biela in the output folder are replaced, unless a run there can be resumed.

Examples:
  biela run model.toml
  biela run model.toml --out results/long --to 60s --csv
  biela run model.toml --set \"length=1.2 m\" --set mass=3 --plot
  biela run model.toml --view
  biela run model.toml --integrator rk4 --step 1ms --json
  biela run model.toml --to 1h --checkpoint 10s
  biela run model.toml --to 1h --checkpoint 10s --resume
  biela run model.toml --print sismul --output-step 0.1s --quiet";

/// Run a model and record the results
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command"
)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Folder for the results [default: results/<name of the model>]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write data.csv as well
    #[arg(long)]
    csv: bool,
    /// Draw the results: plot.svg and plot.png in the folder, or the file named (.svg or .png)
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = Drawing::parse
    )]
    plot: Option<Drawing>,
    /// Show the run in the browser while it computes, until Ctrl-C
    #[arg(long, conflicts_with = "no_motion")]
    view: bool,
    #[command(flatten)]
    serving: Serving,
    /// Leave out motion.bin and scene.json, which `biela view` shows
    #[arg(long)]
    no_motion: bool,
    /// Keep a checkpoint this often on the clock, and where the run is interrupted
    #[arg(
        long,
        value_name = "TIME",
        allow_negative_numbers = true,
        conflicts_with = "print"
    )]
    checkpoint: Option<String>,
    /// Go on from the last checkpoint in the folder of the results
    #[arg(long, conflicts_with = "print")]
    resume: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print every output time on stdout as SISMUL does, blocks A to M
    #[arg(long, value_name = "FORM", conflicts_with = "json")]
    print: Option<Form>,
    /// Where the printed range of angles ends, in degrees: 270 as SISMUL has it
    #[arg(long, value_name = "DEG", default_value = "180", requires = "print")]
    print_angles: Range,
    /// Time to run to, instead of the model's duration
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    to: Option<String>,
    /// Coordinates to solve in, instead of the model's: absolute, tree
    #[arg(long, value_name = "WORD")]
    formulation: Option<String>,
    /// Solution method instead of the model's
    #[arg(long, value_name = "WORD", help = words("Solution method", METHODS))]
    method: Option<String>,
    /// Integrator instead of the model's
    #[arg(long, value_name = "WORD", help = words("Integrator", INTEGRATORS))]
    integrator: Option<String>,
    /// Step of an integrator with fixed step
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    step: Option<String>,
    /// Error allowed in a step, of an integrator with error control
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    tolerance: Option<String>,
    /// Time between rows of the results
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    output_step: Option<String>,
    /// Signals to record instead of the model's, with commas between them; `+NAME` first: besides the model's. `pin` stands for all of `pin`, `*.angle` for all angles
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    signals: Vec<String>,
    /// Print what came of it as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// Say nothing but problems
    #[arg(long, short)]
    quiet: bool,
}

/// Help that lists what there is.
pub(crate) fn words(what: &str, list: &[Info]) -> String {
    let names: Vec<&str> = list.iter().map(|info| info.name).collect();
    format!("{what}: {}", names.join(", "))
}

/// Where `--plot` draws.
#[derive(Clone, Debug)]
enum Drawing {
    InFolder,
    File(PathBuf),
}

impl Drawing {
    fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Drawing::InFolder);
        }
        let file = PathBuf::from(text);
        plot::check_extension(&file).map_err(|failure| failure.text)?;
        Ok(Drawing::File(file))
    }
}

/// Drawings that `--plot` makes in the results folder.
const DRAWINGS: [&str; 2] = ["plot.svg", "plot.png"];
/// What else there may be of earlier results.
const FILMS: [&str; 2] = [MOTION_FILE, SCENE_FILE];

/// Set when the user wants the run to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Set when a page wants the run to end.
pub(super) static STOPPED: AtomicBool = AtomicBool::new(false);
/// Time beyond a deadline for the step under way and for closing files.
const GRACE: Duration = Duration::from_secs(5);
/// What ends a run.
const ENDS: [&AtomicBool; 2] = [&INTERRUPTED, &STOPPED];

pub(crate) fn run(args: &Args) -> Outcome {
    let most_memory = args.limits.start(GRACE)?;
    let mut job = args.model.load(args.quiet)?;
    if !args.signals.is_empty() {
        biela::select_signals(&mut job, &args.signals)
            .map_err(|error| Failure::command(error.about("--signals")))?;
    }
    let study = args.study(&job).map_err(Failure::command)?;
    let every = args.every()?;
    let dir = args.dir(&job)?;
    let header = args.header(&job, &study);

    let printer = args
        .print
        .map(|form| Printer::new(form, args.print_angles, &job.model, &study))
        .transpose()
        .map_err(|error| Failure::command(format!("--print: {error}")))?;

    let assembled = biela::start_within(job.model, &study, most_memory)
        .map_err(|error| start_failure(&args.model.path, &error))?;
    let mut start = Start::of(&assembled, job.study.is_none() && args.to.is_none());
    let scene = biela::view::scene(&assembled, &job.description, &job.parameters);
    if let Analysis::Statics {
        start_points,
        load_steps,
        tolerance,
    } = study.analysis
    {
        let channels = &job.outputs.channels;
        return equilibria::run(
            args,
            &assembled,
            (start_points, load_steps, tolerance),
            (dir, &header, channels),
            (&start, &scene),
        );
    }
    let rows = biela::rows(&study);
    let simulation =
        Simulation::new(assembled, &study).map_err(|error| args.study_failure(&error))?;
    let identity = args.identity(&header);
    listen();
    let Opened {
        mut simulation,
        writer,
        film,
        resumed,
    } = if args.resume {
        args.resume(&dir, simulation, &header, &identity, rows)?
    } else {
        args.begin(&dir, simulation, (&header, &identity), &scene, rows)?
    };
    let checkpoints = every.map(|every| Checkpoints::new(every, identity));
    let mut shown = None;
    let mut live = None;
    if args.view {
        let started = Shown::start(&args.serving, &dir, &header.model.name, &STOPPED)?;
        (shown, live) = (Some(started.0), Some(started.1));
    }
    let meter = Meter::new(args.quiet);
    let mut recorder = Recorder::new(&job.outputs.channels, writer, meter, ENDS)
        .measuring(Taking::new(job.measures))
        .printing(printer)
        .filming(film)
        .showing(live)
        .checkpointing(checkpoints);
    if let Some(checkpoint) = resumed
        && !recorder.resume(checkpoint)
    {
        return Err(misfit(&dir, &ResumeError::Misfit));
    }
    let ended = simulation.run(&mut recorder);
    limits::over();
    let statistics = simulation.statistics();
    start.notes.extend(evidence::notes(&statistics));
    let stiff = ended.as_ref().ok().and_then(|_| simulation.stiff_force());
    start.notes.extend(stiff.as_ref().map(evidence::stiff));
    let (writer, live, mut recorded) = recorder.close();
    let caution = simulation.caution();
    recorded.warnings.extend(caution.map(str::to_owned));
    recorded.warnings.extend(simulation.passed_over());
    let unresolved = evidence::unresolved(&statistics, &job.outputs.channels);
    recorded.warnings.extend(unresolved);
    let mut summary = Summary {
        model: header.model.name,
        dir,
        study,
        start,
        signals: header.columns.len(),
        statistics,
        damps: simulation.damps(),
        simulated: simulation.state().time,
        ended,
        recorded,
        kept: writer.kept(),
    };
    let finished = writer.finish(summary.outcome());
    summary.take(finished);
    if let Some(live) = live {
        live.finish();
    }

    if args.quiet {
        summary.start.warn();
    } else {
        terminal::say(&summary.render(args, terminal::err_page()));
    }
    if let Some(problem) = summary.problem() {
        terminal::say(&format!(
            "{} {problem}\n",
            terminal::err_ink().red("error:")
        ));
    }
    let reason = summary.reason();
    if let Some(reason) = reason.filter(|_| !args.quiet || summary.code() != Code::Done) {
        terminal::say(&more(reason));
    }
    if args.json {
        terminal::data(&format!("{:#}\n", summary.to_json()))?;
    }
    // there is no room for drawings either, or no folder
    if let Some(drawing) = args.plot.as_ref().filter(|_| !summary.is_unrecorded()) {
        args.draw(&summary.dir, drawing)?;
    }
    if let Some(shown) = shown {
        shown.stay(args.quiet);
    }
    Ok(summary.code())
}

/// A run that is ready to go: at its start, or at its last checkpoint.
struct Opened {
    simulation: Simulation,
    writer: Writer,
    film: Option<Film>,
    resumed: Option<Checkpoint>,
}

/// A checkpoint that is whole, but does not fit.
fn misfit(dir: &Path, error: &ResumeError) -> Failure {
    let file = dir.join(checkpoint::CHECKPOINT_FILE);
    Failure::command(format!("{}: {error}; start the run again", file.display()))
        .because(Reason::Resume)
}

/// A drawing of earlier results would belie the new ones; often there is none.
fn clear_drawings(dir: &Path) {
    for name in DRAWINGS {
        let _ = std::fs::remove_file(dir.join(name));
    }
}

/// The first interrupt lets the run end in good order, the second ends the process at once.
pub(crate) fn listen() {
    let set = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(Code::Interrupted as i32);
        }
    });
    // without the handler an interrupt ends the run as a kill does: whole chunks stay readable
    drop(set);
}

/// Lets the run end in good order, as the first interrupt does.
pub(crate) fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// Whether the user wants the run to end.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// A model's name as the name of a folder.
pub(crate) fn folder_name(name: &str) -> String {
    let safe = |c: char| {
        if c.is_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '-'
        }
    };
    let name: String = name.chars().map(safe).collect();
    let name = name.trim_matches(['.', '-']);
    (if name.is_empty() { "model" } else { name }).to_owned()
}

impl Args {
    /// The study of the model, changed by the options.
    fn study(&self, job: &Job) -> Result<Study, OptionError> {
        let study = self.changes().study(job)?;
        if let Analysis::Statics { .. } = study.analysis {
            self.refuse_motion()?;
        }
        Ok(study)
    }

    fn changes(&self) -> Changes {
        Changes {
            to: self.to.clone(),
            formulation: self.formulation.clone(),
            method: self.method.clone(),
            integrator: self.integrator.clone(),
            step: self.step.clone(),
            tolerance: self.tolerance.clone(),
            output_step: self.output_step.clone(),
        }
    }

    fn options(&self) -> Options {
        Options {
            csv: self.csv,
            ..Options::default()
        }
    }

    /// The time between checkpoints, where they are wanted.
    fn every(&self) -> Result<Option<Duration>, Failure> {
        duration("--checkpoint", self.checkpoint.as_ref())
    }

    /// What tells a run from others where it is resumed: its header, and the files that it writes.
    fn identity(&self, header: &Header) -> Header {
        let mut identity = header.clone();
        for (name, value) in [("csv", self.csv), ("motion", !self.no_motion)] {
            let _ = identity.options.insert(name.into(), json!(value));
        }
        identity
    }

    /// Starts a run in a folder of its own.
    fn begin(
        &self,
        dir: &Path,
        simulation: Simulation,
        (header, identity): (&Header, &Header),
        scene: &Scene,
        rows: f64,
    ) -> Result<Opened, Failure> {
        if let Some(time) = checkpoint::waiting(dir, identity) {
            let dir = dir.display();
            return Err(Failure::command(format!(
                "{dir}: this run was cut short here and can go on from t = {} s: add --resume, or remove {dir}/{} to start anew",
                terminal::time(time),
                checkpoint::CHECKPOINT_FILE
            ))
            .because(Reason::Resume));
        }
        let writer = self.writer(dir, header)?;
        let (writer, film) = self.film(writer, dir, scene, simulation.model(), rows)?;
        Ok(Opened {
            simulation,
            writer,
            film,
            resumed: None,
        })
    }

    /// Goes on with a run from the last checkpoint in its folder.
    fn resume(
        &self,
        dir: &Path,
        mut simulation: Simulation,
        header: &Header,
        identity: &Header,
        rows: f64,
    ) -> Result<Opened, Failure> {
        let mut resuming = Resuming::open(dir, identity)?;
        let state = std::mem::take(&mut resuming.checkpoint.state);
        simulation
            .resume(state)
            .map_err(|error| misfit(dir, &error))?;
        let film = if self.no_motion {
            None
        } else {
            let film = Film::resume(dir, simulation.model(), rows, &resuming);
            Some(film.map_err(|error| {
                Failure::command(format!(
                    "{}: cannot go on with the motion: {error}; start the run again",
                    dir.join(MOTION_FILE).display()
                ))
                .because(Reason::Resume)
            })?)
        };
        if let Some(problem) = &resuming.passed_over {
            let word = terminal::err_ink().yellow("warning:");
            let time = terminal::time(resuming.checkpoint.time);
            terminal::say(&format!(
                "{word} {problem}\ngoing on from the checkpoint before it, at t = {time} s\n"
            ));
        }
        let (writer, checkpoint) = Writer::resume(resuming, header, self.options())?;
        clear_drawings(dir);
        Ok(Opened {
            simulation,
            writer,
            film,
            resumed: Some(checkpoint),
        })
    }

    /// The writer of the results, in a folder without drawings of earlier ones.
    fn writer(&self, dir: &Path, header: &Header) -> Result<Writer, Failure> {
        let writer = Writer::create(dir, header, self.options())?;
        clear_drawings(dir);
        for name in FILMS {
            let _ = std::fs::remove_file(dir.join(name));
        }
        Ok(writer)
    }

    /// The files of the results, in words.
    fn files(&self) -> String {
        let mut names = vec![DATA_FILE];
        if self.csv {
            names.push(CSV_FILE);
        }
        names.push(MANIFEST_FILE);
        if !self.no_motion {
            names.extend(FILMS);
        }
        names.join(", ")
    }

    /// Films the run, unless that is not wanted. Where it cannot be filmed, the run has failed.
    fn film(
        &self,
        writer: Writer,
        dir: &Path,
        scene: &Scene,
        model: &Model,
        rows: f64,
    ) -> Result<(Writer, Option<Film>), Failure> {
        if self.no_motion {
            return Ok((writer, None));
        }
        let error = match Film::create(dir, scene, model, Some(self.model.folder()), rows) {
            Ok(film) => return Ok((writer, Some(film))),
            Err(error) => error,
        };
        let text = format!(
            "{}: cannot write the motion: {error}; leave it out with --no-motion",
            dir.display()
        );
        let status = Status::Failed {
            message: text.clone(),
            time: f64::NAN,
        };
        // the first failure is the one to report
        drop(writer.finish(record::Outcome::new(status)));
        Err(Failure::file(text, &error))
    }

    /// Options that a study of statics has no use for.
    fn refuse_motion(&self) -> Result<(), OptionError> {
        let given = [
            ("plot", self.plot.is_some()),
            ("print", self.print.is_some()),
            ("view", self.view),
            ("checkpoint", self.checkpoint.is_some()),
            ("resume", self.resume),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(biela::nothing_moves(name)),
            None => Ok(()),
        }
    }

    /// A method or integrator that does not take its values: from the command, or from the model.
    fn study_failure(&self, error: &ArgumentError) -> Failure {
        let here = [&self.method, &self.integrator, &self.step, &self.tolerance];
        let from_command = here.iter().any(|option| option.is_some());
        let code = if from_command {
            Code::Command
        } else {
            Code::Model
        };
        Failure::new(
            code,
            format!("{}: [study] {error}", self.model.path.display()),
        )
        .because(Reason::BadModel)
    }

    fn dir(&self, job: &Job) -> Result<PathBuf, Failure> {
        output::folder(self.out.as_ref(), &folder_name(&job.model.name))
    }

    fn header(&self, job: &Job, study: &Study) -> Header {
        job.header(
            &self.model.path,
            &self.model.set,
            biela::study_options(study),
        )
    }

    /// Draws what was recorded, into the folder or into one file.
    fn draw(&self, dir: &Path, drawing: &Drawing) -> Result<(), Failure> {
        let results = Results::open(dir).map_err(Failure::command)?;
        let view = View::of_results(&results).map_err(Failure::command)?;
        let title = results.model().unwrap_or_default();
        let figure = view.figure(title);
        let files: Vec<PathBuf> = match drawing {
            Drawing::InFolder => DRAWINGS.iter().map(|name| dir.join(name)).collect(),
            Drawing::File(file) => vec![file.clone()],
        };
        for file in &files {
            plot::write(&figure, file)?;
        }
        if self.quiet {
            return Ok(());
        }
        if terminal::err_is_terminal() {
            let ink = terminal::err_ink();
            let sketch = view
                .sketch(terminal::width(), ink.is_colour())
                .map_err(Failure::command)?;
            terminal::say(&format!("\n{}", terminal::coloured(&sketch)));
        }
        let names: Vec<String> = files
            .iter()
            .map(|file| file.display().to_string())
            .collect();
        terminal::say(&format!("drew {}\n", names.join(" and ")));
        plot::say_left_out(&view);
        Ok(())
    }
}
