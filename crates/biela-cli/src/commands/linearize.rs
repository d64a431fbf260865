//! `biela linearize`: state matrices, eigenvalues and mode shapes.

mod files;
mod report;
mod sweep;

use std::path::{Path, PathBuf};

use biela::core::analysis::{LinearModelRequest, LinearizeError};
use biela::{Job, LinearError, LinearizedModel, OperatingPoint};

use crate::commands::check::start_failure;
use crate::commands::plot;
use crate::failure::{CommandResult, Failure, FailureCode};
use crate::input::ModelArgs;
use crate::terminal;
use sweep::ParameterGrid;

const AFTER_HELP: &str = "\
States are independent coordinates and velocities, joint coordinates first; inputs are loads of forces
(`motor`, `push.fx`) or drivers, whose acceleration is then the input. Outputs are any signals.
With --out the folder contains A.csv, B.csv, C.csv, D.csv, modes.csv, linear.json, and for each mode a
results folder with the poses of all bodies over one period.

Examples:
  biela linearize model.toml
  biela linearize model.toml --at equilibrium --json
  biela linearize model.toml --at 2.5s --inputs motor --outputs arm.tip.x,arm.tip.y --out linear
  biela linearize model.toml --sweep v=0:10:101 --plot";

/// Linearize a model: state matrices, frequencies, damping ratios, mode shapes, root loci
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Operating point: `start`, `equilibrium`, or a time of a run from the start, e.g. 2.5s
    #[arg(long, value_name = "STATE", default_value = "start")]
    at: String,
    /// Inputs, separated by commas: forces (`motor`, `push.fx`) or drivers
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    inputs: Vec<String>,
    /// Outputs, separated by commas: any signals
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    outputs: Vec<String>,
    /// Coordinates preferred as states, separated by commas
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    coordinates: Vec<String>,
    /// Folder for matrices and mode shapes
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Amplitude of the mode shapes: largest rotation (rad) or displacement (m) of a body
    #[arg(long, value_name = "NUMBER", default_value = "0.1")]
    amplitude: String,
    /// Eigenvalues over a parameter: name, first value, last value and number of values, e.g. v=0:10:101
    #[arg(long, value_name = "NAME=A:B:N")]
    sweep: Option<String>,
    /// Plot the eigenvalues of a sweep: sweep.svg, or the given file (.svg or .png), and the root locus next to it
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "sweep.svg",
        value_parser = picture,
        requires = "sweep"
    )]
    plot: Option<PathBuf>,
    /// Print the linear model as JSON; for a sweep one object per line
    #[arg(long)]
    pub(crate) json: bool,
}

fn picture(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    plot::check_extension(&file).map_err(|failure| failure.text)?;
    Ok(file)
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let at = args.at()?;
    let request = LinearModelRequest {
        inputs: args.inputs.clone(),
        outputs: args.outputs.clone(),
        coordinates: args.coordinates.clone(),
    };
    if let Some(text) = &args.sweep {
        let sweep = ParameterGrid::parse(text).map_err(Failure::command)?;
        return sweep::run(args, &sweep, at, &request);
    }
    let amplitude = biela::quantity(&args.amplitude, "1")
        .map_err(|error| Failure::command(error.about("--amplitude")))?;
    let job = args.model.load(args.json)?;
    let name = job.model.name.clone();
    let info = files::info(&args.model.path, &job);
    let linear = args.linear(job, at, &request)?;
    if args.json {
        terminal::data(&format!("{:#}\n", report::to_json(&name, &linear)))?;
    } else {
        terminal::data(&report::render(terminal::out_page(), &name, at, &linear))?;
    }
    if let Some(dir) = &args.out {
        files::write(dir, &info, &linear, amplitude)?;
        if !args.json {
            terminal::say(&format!("wrote {}\n", dir.display()));
        }
    }
    Ok(FailureCode::Done)
}

impl Args {
    fn at(&self) -> Result<OperatingPoint, Failure> {
        match self.at.as_str() {
            "start" => Ok(OperatingPoint::Start),
            "equilibrium" => Ok(OperatingPoint::Equilibrium),
            text => match biela::quantity(text, "s") {
                Ok(time) => Ok(OperatingPoint::Time(time)),
                Err(error) => Err(Failure::command(format!(
                    "--at: {error}; write start, equilibrium or a time, e.g. 2.5s"
                ))),
            },
        }
    }

    /// Returns the linear model of a job; an error ends the command.
    fn linear(
        &self,
        job: Job,
        at: OperatingPoint,
        request: &LinearModelRequest,
    ) -> Result<LinearizedModel, Failure> {
        biela::linearize(job, at, request).map_err(|error| failure(&self.model.path, &error))
    }
}

fn failure(path: &Path, error: &LinearError) -> Failure {
    let code = match error {
        LinearError::Start(error) => return start_failure(path, error),
        LinearError::Linearize(LinearizeError::Input { .. } | LinearizeError::Name { .. }) => {
            FailureCode::Command
        }
        LinearError::Study(_) => FailureCode::Model,
        _ => FailureCode::Solver,
    };
    Failure::new(code, format!("{}: {error}", path.display())).because(error)
}
