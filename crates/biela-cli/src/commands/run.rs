//! `biela run`: simulates a model and records the results.

mod equilibria;
mod inputs;
mod printer;
mod summary;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use biela::core::analysis::{Analysis, Observer, Observers, Study, stop_when};
use biela::core::element::Info;
use biela::core::integrators::INTEGRATORS;
use biela::core::methods::METHODS;
use biela::explain::Reason;
use biela::model::lower::Measures;
use biela::record::{CSV_FILE, DATA_FILE, Header, MANIFEST_FILE, Results};
use biela::view::{FolderRecorder, PLOT_FILES, RunFolder};
use biela::viewer::{MOTION_FILE, SCENE_FILE, Scene};
use biela::{Changes, Job, OptionError, PlotPanels, RunError, Session};

use crate::commands::check::start_failure;
use crate::commands::limits::{self, LimitArgs, duration};
use crate::commands::plot;
use crate::commands::view::{Serving, WatchedRun};
use crate::failure::{CommandResult, Failure, FailureCode, more};
use crate::input::ModelArgs;
use crate::progress::Meter;
use crate::{output, terminal};
use printer::{AngleRange, PrintFormat, SismulPrinter};
use summary::{AssemblySummary, RunSummary};

const AFTER_HELP: &str = "\
Bare numbers are in SI units; a value may carry its unit: --to 10, --step \"0.25 ms\".
Results of biela in the output folder are replaced. An interrupted run that can be resumed is not: add --resume.

Examples:
  biela run model.toml
  biela run model.toml --out results/long --to 60s --csv
  biela run model.toml --set \"length=1.2 m\" --set mass=3 --plot
  biela run model.toml --view
  biela run model.toml --integrator rk4 --step 1ms --json
  biela run model.toml --input push=push.csv
  biela run model.toml --to 1h --checkpoint 10s
  biela run model.toml --to 1h --checkpoint 10s --resume
  biela run model.toml --print sismul --output-step 0.1s --quiet";

/// Simulate a model and record the results
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command"
)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Folder for the results [default: results/<model name>]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write data.csv
    #[arg(long)]
    csv: bool,
    /// Plot the results: plot.svg and plot.png in the results folder, or the given file (.svg or .png)
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = Drawing::parse
    )]
    plot: Option<Drawing>,
    /// Show the run in the browser while it computes; the page is served until Ctrl-C
    #[arg(long, conflicts_with = "no_motion")]
    view: bool,
    #[command(flatten)]
    serving: Serving,
    /// Do not write motion.bin and scene.json, which `biela view` needs
    #[arg(long)]
    no_motion: bool,
    /// Write a checkpoint at this interval of wall-clock time, and when the run is interrupted, e.g. 10s
    #[arg(
        long,
        value_name = "TIME",
        allow_negative_numbers = true,
        conflicts_with = "print"
    )]
    checkpoint: Option<String>,
    /// Resume from the last checkpoint in the results folder
    #[arg(long, conflicts_with = "print")]
    resume: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print the state at every output time on stdout in the format of SISMUL, blocks A to M
    #[arg(long, value_name = "FORM", conflicts_with = "json")]
    print: Option<PrintFormat>,
    /// Upper limit of printed angles in degrees: 180, or 270 as in SISMUL
    #[arg(long, value_name = "DEG", default_value = "180", requires = "print")]
    print_angles: AngleRange,
    /// End time instead of the duration of the model, e.g. 10 (seconds) or "2 min"
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    to: Option<String>,
    /// Formulation instead of that of the model: absolute (Cartesian coordinates), tree (joint coordinates)
    #[arg(long, value_name = "WORD")]
    formulation: Option<String>,
    /// Formulation of contacts instead of that of the model: events (rigid, with impacts), compliant (elastic)
    #[arg(long, value_name = "WORD")]
    contact: Option<String>,
    /// Solution method instead of that of the model
    #[arg(long, value_name = "WORD", help = words("Solution method", METHODS))]
    method: Option<String>,
    /// Integrator instead of that of the model
    #[arg(long, value_name = "WORD", help = words("Integrator", INTEGRATORS))]
    integrator: Option<String>,
    /// Step size of a fixed-step integrator, e.g. 1ms
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    step: Option<String>,
    /// Tolerance of the local error per step, for an integrator with step-size control, e.g. 1e-8
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    tolerance: Option<String>,
    /// Time between recorded rows, e.g. 10ms
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    output_step: Option<String>,
    /// Before the start, move bodies apart where surfaces penetrate each other, by the least displacement that keeps the joints closed
    #[arg(long)]
    resolve_penetration: bool,
    /// Signals to record instead of those of the model, separated by commas, e.g. pin,rod.tip.x; `pin` selects all signals of `pin`, `*.angle` all angles; a
    /// leading `+` adds to the signals of the model
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    signals: Vec<String>,
    /// Values of an external input, NAME=FILE for a CSV table of time and value, or NAME=VALUE; can be repeated, e.g. push=push.csv or "push=3 N"
    #[arg(long, value_name = "NAME=FILE")]
    input: Vec<String>,
    /// Print a summary as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only warnings and errors
    #[arg(long, short)]
    quiet: bool,
}

/// Help text that lists the available keywords.
pub(crate) fn words(what: &str, list: &[Info]) -> String {
    let names: Vec<&str> = list.iter().map(|info| info.name).collect();
    format!("{what}: {}", names.join(", "))
}

/// The destination of `--plot`.
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

/// Set when the user interrupts the run.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Set when a viewer page stops the run.
pub(super) static STOPPED: AtomicBool = AtomicBool::new(false);
/// Time allowed after a deadline for the current step and for closing files.
const GRACE: Duration = Duration::from_secs(5);

/// Returns `true` if the user or a page wants to stop the run.
fn is_to_end() -> bool {
    let ends = [&INTERRUPTED, &STOPPED];
    ends.iter().any(|flag| flag.load(Ordering::Relaxed))
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let most_memory = args.limits.start(GRACE)?;
    let mut job = args.model.load(args.quiet)?;
    if !args.signals.is_empty() {
        biela::select_signals(&mut job, &args.signals)
            .map_err(|error| Failure::command(error.about("--signals")))?;
    }
    let study = args.study(&job).map_err(Failure::command)?;
    let every = args.every()?;
    let dir = args.dir(&job)?;
    let mut header = args.header(&job, &study);
    let inputs = inputs::read(&job.model, &args.input)?;
    inputs::note(&mut header, &inputs);
    let mut printer = args
        .print
        .map(|form| SismulPrinter::new(form, args.print_angles, &job.model, &study))
        .transpose()
        .map_err(|error| Failure::command(format!("--print: {error}")))?;

    let assembled = biela::start_within(job.model, &study, most_memory)
        .map_err(|error| start_failure(&args.model.path, &error))?;
    let start = AssemblySummary::of(&assembled, job.study.is_none() && args.to.is_none());
    let scene = biela::view::scene(&assembled, &job.description, &job.parameters);
    let mut session = Session::new(assembled, &study, &job.outputs.channels)
        .map_err(|error| args.study_failure(&error))?;
    if let Analysis::Statics {
        start_points,
        load_steps,
        ..
    } = study.analysis
    {
        let asked = (start_points, load_steps);
        return equilibria::run(args, session, asked, (dir, &header), (&start, &scene));
    }
    if let Some(simulation) = session.simulation() {
        inputs::feed(simulation, inputs)?;
    }
    listen();
    let folder = RunFolder {
        measures: job.measures,
        checkpoint: every,
        ..args.folder(&dir, &header, &scene, biela::rows(&study))
    };
    let mut recorder = args.open(&folder, &mut session)?;
    let shown = if args.view {
        let name = &header.model.name;
        let (shown, live) = WatchedRun::start(&args.serving, &dir, name, &STOPPED)?;
        recorder.show(live, session.events());
        Some(shown)
    } else {
        None
    };
    let mut meter = Meter::new(args.quiet);
    meter.resume(recorder.elapsed());
    let mut stop = stop_when(is_to_end);
    let mut observers: Vec<&mut dyn Observer> = vec![&mut meter];
    observers.extend(printer.as_mut().map(|printer| printer as &mut dyn Observer));
    observers.push(&mut stop);
    let run = recorder.run(session, &mut Observers(observers));
    limits::over();
    let run = run.map_err(|error| start_failure(&args.model.path, &error))?;
    meter.finish();
    let summary = RunSummary::close(run, recorder, (header, dir, study, start));
    args.report(&summary)?;
    if let Some(shown) = shown {
        shown.stay(args.quiet);
    }
    Ok(summary.code())
}

/// Installs the interrupt handler. The first interrupt stops the run and closes its files; the second ends the process immediately.
pub(crate) fn listen() {
    let set = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(FailureCode::Interrupted as i32);
        }
    });
    // without the handler an interrupt acts as a kill: complete chunks stay readable
    drop(set);
}

/// Stops the run and closes its files, as the first interrupt does.
pub(crate) fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// Returns `true` if the user has interrupted the run.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Converts the name of a model to a folder name.
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
    /// The study of the model with the overrides of the command line.
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
            contact: self.contact.clone(),
            method: self.method.clone(),
            integrator: self.integrator.clone(),
            step: self.step.clone(),
            tolerance: self.tolerance.clone(),
            output_step: self.output_step.clone(),
            resolve_penetration: self.resolve_penetration,
        }
    }

    /// The interval between checkpoints, if they are enabled.
    fn every(&self) -> Result<Option<Duration>, Failure> {
        duration("checkpoint", self.checkpoint.as_ref())
    }

    /// The results folder of a run with this expected number of rows, without measures and checkpoints.
    fn folder<'a>(
        &'a self,
        dir: &'a Path,
        header: &'a Header,
        scene: &'a Scene,
        rows: f64,
    ) -> RunFolder<'a> {
        RunFolder {
            dir,
            header,
            rows,
            csv: self.csv,
            scene: (!self.no_motion).then_some(scene),
            meshes: Some(self.model.folder()),
            measures: Measures::default(),
            checkpoint: None,
        }
    }

    /// Starts a new run in its folder, or resumes the one in it.
    fn open(
        &self,
        folder: &RunFolder<'_>,
        session: &mut Session,
    ) -> Result<FolderRecorder, Failure> {
        if !self.resume {
            return Ok(folder.create(session)?);
        }
        let recorder = folder.resume(session)?;
        if let Some(text) = &recorder.passed_over {
            let word = terminal::err_ink().yellow("warning:");
            terminal::say(&format!("{word} {text}\n"));
        }
        Ok(recorder)
    }

    /// The names of the result files, as text.
    fn files(&self) -> String {
        let mut names = vec![DATA_FILE];
        if self.csv {
            names.push(CSV_FILE);
        }
        names.push(MANIFEST_FILE);
        if !self.no_motion {
            names.extend([MOTION_FILE, SCENE_FILE]);
        }
        names.join(", ")
    }

    /// Prints the summary of a run, and plots its results.
    fn report(&self, summary: &RunSummary) -> Result<(), Failure> {
        if self.quiet {
            summary.start.warn();
        } else {
            terminal::say(&summary.render(self, terminal::err_page()));
        }
        if let Some(problem) = summary.problem() {
            terminal::say(&format!(
                "{} {problem}\n",
                terminal::err_ink().red("error:")
            ));
        }
        let shown = !self.quiet || summary.code() != FailureCode::Done;
        if let Some(reason) = summary.reason().filter(|_| shown) {
            terminal::say(&more(reason));
        }
        if self.json {
            terminal::data(&format!("{:#}\n", summary.to_json()))?;
        }
        // without results there is nothing to plot, or no folder to write to
        match &self.plot {
            Some(drawing) if !summary.is_unrecorded() => self.draw(&summary.dir, drawing),
            _ => Ok(()),
        }
    }

    /// Rejects options that do not apply to a static study.
    fn refuse_motion(&self) -> Result<(), OptionError> {
        let given = [
            ("plot", self.plot.is_some()),
            ("print", self.print.is_some()),
            ("view", self.view),
            ("checkpoint", self.checkpoint.is_some()),
            ("resume", self.resume),
            ("input", !self.input.is_empty()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(biela::nothing_moves(name)),
            None => Ok(()),
        }
    }

    /// The failure for invalid fields of a method or integrator, set by an option or by the model.
    fn study_failure(&self, error: &RunError) -> Failure {
        let here = [&self.method, &self.integrator, &self.step, &self.tolerance];
        let from_command = here.iter().any(|option| option.is_some());
        let code = if from_command {
            FailureCode::Command
        } else {
            FailureCode::Model
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

    /// Plots the recorded signals into the results folder or into one file.
    fn draw(&self, dir: &Path, drawing: &Drawing) -> Result<(), Failure> {
        let results = Results::open(dir).map_err(Failure::command)?;
        let view = PlotPanels::of_results(&results).map_err(Failure::command)?;
        let title = results.model().unwrap_or_default();
        let figure = view.figure(title);
        let files: Vec<PathBuf> = match drawing {
            Drawing::InFolder => PLOT_FILES.iter().map(|name| dir.join(name)).collect(),
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
