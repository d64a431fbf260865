//! The command `biela`.

mod commands;
mod failure;
mod input;
mod output;
mod progress;
mod terminal;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{
    check, compare, completions, derive, explain, export, fit, import, info, linearize, man, new,
    optimize, plot, reference, robot, run, schema, sensitivity, sweep, validate, view,
};
use failure::{CommandResult, FailureCode};

const AFTER_HELP: &str = "\
Exit codes:
  0    done
  1    a requirement failed, e.g. `check --strict` or `validate`
  2    invalid command: option, path or folder
  3    invalid model file
  4    the model cannot be assembled
  5    the solver stopped; partial results are kept
  6    the results could not be written, e.g. disk full; the part already written is kept
  130  interrupted; partial results are kept

Examples:
  biela new pendulum                        write pendulum/model.toml, a model to start from
  biela check pendulum/model.toml           report every problem without running
  biela run pendulum/model.toml --plot      run it and plot the results
  biela plot results/pendulum pin.angle     plot one signal
  biela view pendulum/model.toml            show it in the browser
  biela export results/pendulum film.gif    export an animation
  biela compare pendulum/model.toml         compare methods and integrators
  biela sweep pendulum/model.toml           run it for many parameter values
  biela linearize pendulum/model.toml       eigenvalues, damping ratios and mode shapes
  biela derive pendulum/model.toml          the equations of motion in symbolic form
  biela validate                            validate the program on this machine";

/// Multibody dynamics from a text file: check, simulate and plot mechanisms
#[derive(Parser, Debug)]
#[command(name = "biela", version, after_help = AFTER_HELP, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    New(new::Args),
    Check(check::Args),
    Info(info::Args),
    Run(Box<run::Args>),
    Plot(plot::Args),
    View(view::Args),
    Export(Box<export::Args>),
    Compare(Box<compare::Args>),
    Sweep(Box<sweep::Args>),
    Optimize(Box<optimize::Args>),
    Fit(Box<fit::Args>),
    Sensitivity(Box<sensitivity::Args>),
    Linearize(Box<linearize::Args>),
    Derive(derive::Args),
    Robot(Box<robot::Args>),
    Import(import::Args),
    Validate(validate::Args),
    Schema(schema::Args),
    Reference(reference::Args),
    Explain(explain::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    fn wants_json(&self) -> bool {
        match self {
            Command::Check(args) => args.json,
            Command::Info(args) => args.json,
            Command::Run(args) => args.json,
            Command::Compare(args) => args.json,
            Command::Sweep(args) => args.json,
            Command::Optimize(args) => args.json,
            Command::Fit(args) => args.json,
            Command::Sensitivity(args) => args.json,
            Command::Linearize(args) => args.json,
            Command::Robot(args) => args.wants_json(),
            Command::View(args) => args.json,
            Command::Validate(args) => args.json,
            _ => false,
        }
    }

    fn carry_out(&self) -> CommandResult {
        match self {
            Command::New(args) => new::run(args),
            Command::Check(args) => check::run(args),
            Command::Info(args) => info::run(args),
            Command::Run(args) => run::run(args),
            Command::Plot(args) => plot::run(args),
            Command::View(args) => view::run(args),
            Command::Export(args) => export::run(args),
            Command::Compare(args) => compare::run(args),
            Command::Sweep(args) => sweep::run(args),
            Command::Optimize(args) => optimize::run(args),
            Command::Fit(args) => fit::run(args),
            Command::Sensitivity(args) => sensitivity::run(args),
            Command::Linearize(args) => linearize::run(args),
            Command::Derive(args) => derive::run(args),
            Command::Robot(args) => robot::run(args),
            Command::Import(args) => import::run(args),
            Command::Validate(args) => validate::run(args),
            Command::Schema(args) => schema::run(args),
            Command::Reference(args) => reference::run(args),
            Command::Explain(args) => explain::run(args),
            Command::Completions(args) => completions::run(args),
            Command::Man(args) => man::run(args),
        }
    }
}

/// The command as it was given. A message about words of the command line is written as any other: the words may come from the name of a file.
fn parsed() -> Result<Cli, ExitCode> {
    Cli::try_parse().map_err(|error| {
        if !error.use_stderr() {
            // a page of help, without words of the user
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        let text = error.render().to_string();
        let headed = text.strip_prefix("error:").map(|rest| {
            let heading = terminal::err_ink().red("error:");
            format!("{heading}{rest}")
        });
        terminal::say(&headed.unwrap_or(text));
        ExitCode::from(FailureCode::Command as u8)
    })
}

fn main() -> ExitCode {
    biela_files::survive_size_limit();
    let cli = match parsed() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let code = match cli.command.carry_out() {
        Ok(code) => code,
        Err(failure) => {
            let ink = terminal::err_ink();
            if failure.headed {
                terminal::say(&failure.text);
            } else {
                terminal::say(&format!("{} {}\n", ink.red("error:"), failure.text));
            }
            if let Some(reason) = failure.reason {
                terminal::say(&failure::more(reason));
            }
            if cli.command.wants_json() {
                // if stdout cannot be written, the exit code still reports the failure
                let _ = terminal::data(&format!("{:#}\n", failure.to_json()));
            }
            failure.code
        }
    };
    ExitCode::from(code as u8)
}

impl FailureCode {
    /// Success if the requirement holds, otherwise the exit code of a failed requirement.
    fn require(holds: bool) -> Self {
        if holds {
            FailureCode::Done
        } else {
            FailureCode::Requirement
        }
    }
}
