//! `biela compare`: runs one model with many methods and integrators and compares cost and error.

mod diagram;
mod measure;
mod plan;
mod table;

use std::path::{Path, PathBuf};

use biela::core::analysis::{Analysis, Stop, Study};
use biela::core::element::Info;
use biela::core::integrators::INTEGRATORS;
use biela::core::methods::METHODS;
use biela::core::system::Channel;
use biela::distance::{ComparisonReference, RunComparison, motion};
use biela::explain::told;
use biela::{Job, RunError};

use crate::commands::check::start_failure;
use crate::commands::plot;
use crate::commands::run::{is_interrupted, listen, words};
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::input::ModelArgs;
use crate::terminal;
use measure::{RunMeasurement, measure};
use plan::Combination;

const AFTER_HELP: &str = "\
Distance: the largest difference from the reference motion at the output times, relative to the
range of the motion. Distances below the error of the reference itself carry no information.
CPU time is that of the run alone. The choice of the model is always included and marked by a star.
A combination that fails is listed with the reason; the others continue.

Examples:
  biela compare model.toml
  biela compare model.toml --methods all
  biela compare model.toml --methods schur,tangent --integrators rk4,dopri5,bdf --to 2s
  biela compare model.toml --integrators dopri5,dop853,abm --tolerance 1e-4,1e-6,1e-8,1e-10 --plot
  biela compare model.toml --contacts all --integrators dop853 --tolerance 1e-8
  biela compare model.toml --reference augmented/abm/1e-13 --json";

/// Run a model with many methods and integrators and compare cost and error
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Solution methods
    #[arg(long, value_name = "WORD,…", value_delimiter = ',', help = list_help("Solution methods", METHODS))]
    methods: Vec<String>,
    /// Integrators
    #[arg(long, value_name = "WORD,…", value_delimiter = ',', help = list_help("Integrators", INTEGRATORS))]
    integrators: Vec<String>,
    /// Formulations to compare, or `all` [default: that of the model]
    #[arg(long, value_name = "WORD,…", value_delimiter = ',')]
    formulations: Vec<String>,
    /// Formulations of contacts to compare: events, compliant, or `all` [default: that of the model]
    #[arg(long, value_name = "WORD,…", value_delimiter = ',')]
    contacts: Vec<String>,
    /// Tolerances of the local error, for integrators with step-size control, e.g. 1e-4,1e-6 [default: that of the model or of the integrator]
    #[arg(
        long,
        value_name = "NUMBER,…",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    tolerance: Vec<String>,
    /// Step sizes of fixed-step integrators, e.g. 1ms,0.1ms [default: that of the model or of the integrator]
    #[arg(
        long,
        value_name = "TIME,…",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    step: Vec<String>,
    /// End time instead of the duration of the model, e.g. 2s
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    to: Option<String>,
    /// Bodies, points, joints or signals whose motion is compared [default: the recorded signals]
    #[arg(long = "of", value_name = "NAME,…", value_delimiter = ',')]
    names: Vec<String>,
    /// The reference run that counts as exact: method/integrator, optionally with /tolerance or /step
    #[arg(long, value_name = "M/I/X", default_value = "projection/dop853/1e-12")]
    reference: String,
    /// Plot distance over work: compare.svg, or the given file (.svg or .png)
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "compare.svg",
        value_parser = picture
    )]
    plot: Option<PathBuf>,
    /// Measure of work on the x axis of the plot
    #[arg(long, value_name = "WORK", value_enum, default_value_t = diagram::Work::Cpu)]
    against: diagram::Work,
    /// Print one JSON object per line, as soon as each run ends
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only warnings and errors
    #[arg(long, short)]
    quiet: bool,
}

fn list_help(what: &str, list: &[Info]) -> String {
    let all = "`all`; default: all if neither --methods nor --integrators is given, otherwise those of the model";
    format!("{}, or {all}", words(what, list))
}

fn picture(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    plot::check_extension(&file).map_err(|failure| failure.text)?;
    Ok(file)
}

/// A combination and its result.
type ComparisonRow = (Combination, RunMeasurement);

pub(crate) fn run(args: &Args) -> CommandResult {
    let job = args.model.load(args.quiet)?;
    let own = args.own(&job)?;
    let space = job.model.space;
    let combinations = plan::combinations(args, &own, space).map_err(Failure::command)?;
    let finest = plan::reference(args, &own, space).map_err(Failure::command)?;
    let channels = motion(&job, &args.names).map_err(Failure::command)?;
    measure::check_size(&own, channels.len()).map_err(Failure::command)?;
    if !args.quiet {
        let runs = terminal::count(combinations.len(), "combination");
        terminal::say(&format!("running {runs} and the reference\n"));
    }

    listen();
    let name = job.model.name.clone();
    let digest = job.report.digest();
    let (reference, exact) = args.run_reference(job, &finest, &channels)?;
    if args.json {
        terminal::data(&table::json_line(&finest, &exact, true))?;
    }
    let mut rows: Vec<ComparisonRow> = Vec::with_capacity(combinations.len());
    for combination in combinations {
        if is_interrupted() {
            break;
        }
        let measured = args.run_combination(&digest, &combination, &channels, &reference);
        if args.json {
            terminal::data(&table::json_line(&combination, &measured, false))?;
        }
        rows.push((combination, measured));
    }
    if !args.json {
        let page = terminal::out_page();
        let text = table::render(page, &name, &channels, (&finest, &exact), &rows);
        terminal::data(&text)?;
    }
    if let Some(file) = &args.plot {
        args.draw(file, &name, &finest, &rows)?;
    }
    Ok(verdict(&exact, &rows))
}

/// The exit code: success if there was something to compare.
fn verdict(exact: &RunMeasurement, rows: &[ComparisonRow]) -> FailureCode {
    if is_interrupted() {
        return FailureCode::Interrupted;
    }
    let problem = match &exact.ended {
        Err(message) => {
            format!("the reference run stopped: {message}\nchoose another with --reference")
        }
        Ok(_) if rows.iter().all(|(_, measured)| measured.ended.is_err()) => {
            "no combination reached its end".to_owned()
        }
        Ok(_) => return FailureCode::Done,
    };
    terminal::say(&format!(
        "{} {problem}\n",
        terminal::err_ink().red("error:")
    ));
    FailureCode::Solver
}

impl Args {
    /// The study of the model with the requested end time.
    fn own(&self, job: &Job) -> Result<Study, Failure> {
        let mut study = job.study_or_start();
        if let Analysis::Statics { .. } = study.analysis {
            let shown = self.model.path.display();
            return Err(Failure::command(format!(
                "{shown}: the study is statics; there is no motion to compare"
            )));
        }
        match &self.to {
            Some(text) => biela::set_duration(&mut study, job, text).map_err(Failure::command)?,
            None if job.study.is_none() => {
                let shown = self.model.path.display();
                return Err(Failure::command(format!(
                    "{shown}: the model has no dynamic study; add a duration to [study], or use --to TIME"
                )));
            }
            None => {}
        }
        Ok(study)
    }

    /// Runs the reference. A model that cannot be assembled ends the comparison here.
    fn run_reference(
        &self,
        job: Job,
        finest: &Combination,
        channels: &[Channel],
    ) -> Result<(ComparisonReference, RunMeasurement), Failure> {
        let mut reference = ComparisonReference::new(channels, finest.study.output_step);
        let see = |time: f64, values: &[f64]| reference.push(time, values);
        let measured = match measure(job.model, &finest.study, channels, self.quiet, see) {
            Ok(measured) => measured,
            Err(RunError::Study(error)) => {
                return Err(Failure::command(format!("--reference: {error}")));
            }
            Err(error) => return Err(start_failure(&self.model.path, &error)),
        };
        match &measured.ended {
            Ok(Stop::Finished | Stop::Event { .. }) => reference.close(measured.reached),
            // an incomplete reference is unusable
            _ => reference = ComparisonReference::new(channels, finest.study.output_step),
        }
        Ok((reference, measured))
    }

    /// Runs one combination. A failure is reported in its row.
    fn run_combination(
        &self,
        digest: &str,
        combination: &Combination,
        channels: &[Channel],
        reference: &ComparisonReference,
    ) -> RunMeasurement {
        let job = biela::load_with(&self.model.path, &self.model.set);
        let Some(job) = job.ok().filter(|job| job.report.digest() == digest) else {
            return RunMeasurement::refused("the model file was changed during the comparison");
        };
        let mut comparison = RunComparison::new(reference);
        let see = |time: f64, values: &[f64]| comparison.see(time, values);
        match measure(job.model, &combination.study, channels, self.quiet, see) {
            Ok(measured) => measured.judged(&comparison, reference),
            Err(error) => RunMeasurement::refused(told(&error, &error)),
        }
    }

    fn draw(
        &self,
        file: &Path,
        name: &str,
        finest: &Combination,
        rows: &[ComparisonRow],
    ) -> Result<(), Failure> {
        let Some(figure) = diagram::figure(name, finest, self.against, rows) else {
            terminal::say("nothing to plot: no run has a distance from the reference\n");
            return Ok(());
        };
        plot::write(&figure, file)?;
        if !self.quiet {
            terminal::say(&format!("drew {}\n", file.display()));
        }
        Ok(())
    }
}
