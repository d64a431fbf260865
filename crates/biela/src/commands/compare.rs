//! `biela compare`: one model by many methods and integrators, and what each costs and errs.

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
use biela::distance::{Comparison, Reference, motion};
use biela::explain::told;
use biela::{Job, RunError};

use crate::commands::check::start_failure;
use crate::commands::plot;
use crate::commands::run::{is_interrupted, listen, words};
use crate::failure::{Code, Failure, Outcome};
use crate::input::ModelArgs;
use crate::terminal;
use measure::{Measured, measure};
use plan::Combination;

const AFTER_HELP: &str = "\
Distance: the largest difference from the motion of the reference at the output times, as a share
of the range of the motion. Below the error of the reference itself it says nothing.
CPU time is that of the run alone. The choice of the model is always among the rows, with a star.
A combination that fails gets a note; the others go on.

Examples:
  biela compare model.toml
  biela compare model.toml --methods all
  biela compare model.toml --methods schur,tangent --integrators rk4,dopri5,bdf --to 2s
  biela compare model.toml --integrators dopri5,dop853,abm --tolerance 1e-4,1e-6,1e-8,1e-10 --plot
  biela compare model.toml --reference augmented/abm/1e-13 --json";

/// Run a model by many methods and integrators and compare cost and error
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
    /// Formulations, or `all` [default: that of the model]
    #[arg(long, value_name = "WORD,…", value_delimiter = ',')]
    formulations: Vec<String>,
    /// Errors allowed in a step, for the integrators with error control [default: that of the model or the integrator]
    #[arg(
        long,
        value_name = "NUMBER,…",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    tolerance: Vec<String>,
    /// Steps, for the integrators with fixed step [default: that of the model or the integrator]
    #[arg(
        long,
        value_name = "TIME,…",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    step: Vec<String>,
    /// Time to run to, instead of the model's duration
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    to: Option<String>,
    /// Bodies, points, joints or signals whose motion is compared [default: the recorded ones]
    #[arg(long = "of", value_name = "NAME,…", value_delimiter = ',')]
    names: Vec<String>,
    /// The run that counts as exact: method/integrator, or method/integrator/tolerance or step
    #[arg(long, value_name = "M/I/X", default_value = "projection/dop853/1e-12")]
    reference: String,
    /// Draw distance against work: compare.svg, or the file named (.svg or .png)
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "compare.svg",
        value_parser = picture
    )]
    plot: Option<PathBuf>,
    /// What the drawing takes for work
    #[arg(long, value_name = "WORK", value_enum, default_value_t = diagram::Work::Cpu)]
    against: diagram::Work,
    /// Print one JSON object a line, as soon as a run is over
    #[arg(long)]
    pub(crate) json: bool,
    /// Say nothing but problems
    #[arg(long, short)]
    quiet: bool,
}

fn list_help(what: &str, list: &[Info]) -> String {
    let all = "`all`; with neither methods nor integrators all of both, else those of the model";
    format!("{}, or {all}", words(what, list))
}

fn picture(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    plot::check_extension(&file).map_err(|failure| failure.text)?;
    Ok(file)
}

/// A combination and what came of it.
type Row = (Combination, Measured);

pub(crate) fn run(args: &Args) -> Outcome {
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
    let mut rows: Vec<Row> = Vec::with_capacity(combinations.len());
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

/// How the command ends: well, as long as there was something to compare.
fn verdict(exact: &Measured, rows: &[Row]) -> Code {
    if is_interrupted() {
        return Code::Interrupted;
    }
    let problem = match &exact.ended {
        Err(message) => format!("the reference stopped: {message}\nchoose another by --reference"),
        Ok(_) if rows.iter().all(|(_, measured)| measured.ended.is_err()) => {
            "no combination came to its end".to_owned()
        }
        Ok(_) => return Code::Done,
    };
    terminal::say(&format!(
        "{} {problem}\n",
        terminal::err_ink().red("error:")
    ));
    Code::Solver
}

impl Args {
    /// The study of the model, to the time asked for.
    fn own(&self, job: &Job) -> Result<Study, Failure> {
        let mut study = job.study_or_start();
        if let Analysis::Statics { .. } = study.analysis {
            let shown = self.model.path.display();
            return Err(Failure::command(format!(
                "{shown}: the model asks for equilibria; there is no motion to compare"
            )));
        }
        match &self.to {
            Some(text) => biela::set_duration(&mut study, job, text).map_err(Failure::command)?,
            None if job.study.is_none() => {
                let shown = self.model.path.display();
                return Err(Failure::command(format!(
                    "{shown}: the model has no study of motion; add a duration to [study], or --to TIME"
                )));
            }
            None => {}
        }
        Ok(study)
    }

    /// Runs what counts as exact; a model that cannot be assembled ends the comparison here.
    fn run_reference(
        &self,
        job: Job,
        finest: &Combination,
        channels: &[Channel],
    ) -> Result<(Reference, Measured), Failure> {
        let mut reference = Reference::new(channels, finest.study.output_step);
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
            // half a reference is none
            _ => reference = Reference::new(channels, finest.study.output_step),
        }
        Ok((reference, measured))
    }

    /// Runs one combination; whatever stops it is told in its row.
    fn run_combination(
        &self,
        digest: &str,
        combination: &Combination,
        channels: &[Channel],
        reference: &Reference,
    ) -> Measured {
        let job = biela::load_with(&self.model.path, &self.model.set);
        let Some(job) = job.ok().filter(|job| job.report.digest() == digest) else {
            return Measured::refused("the model file was changed during the comparison");
        };
        let mut comparison = Comparison::new(reference);
        let see = |time: f64, values: &[f64]| comparison.see(time, values);
        match measure(job.model, &combination.study, channels, self.quiet, see) {
            Ok(measured) => measured.judged(&comparison, reference),
            Err(error) => Measured::refused(told(&error, &error)),
        }
    }

    fn draw(
        &self,
        file: &Path,
        name: &str,
        finest: &Combination,
        rows: &[Row],
    ) -> Result<(), Failure> {
        let Some(figure) = diagram::figure(name, finest, self.against, rows) else {
            terminal::say("nothing to draw: no run has a distance from the reference\n");
            return Ok(());
        };
        plot::write(&figure, file)?;
        if !self.quiet {
            terminal::say(&format!("drew {}\n", file.display()));
        }
        Ok(())
    }
}
