//! `biela derive`: the equations of motion of a model as formulas and code.

use std::path::PathBuf;

use biela::derive::{DeriveError, Form, Group, Naming, Request, Rotations, Target, derive};
use biela::symbol::code::Language;
use clap::ValueEnum;

use crate::failure::{Code, Failure, Outcome};
use crate::input::ModelArgs;
use crate::output;
use crate::terminal;

/// Endings of formulas and programs.
const ENDINGS: [&str; 9] = ["txt", "md", "tex", "py", "c", "h", "rs", "m", "json"];

const AFTER_HELP: &str = "\
Parameters of the model become symbols by their names, and so do numbers that follow from them;
other numbers stay numbers unless --symbols names them. The formulas are compared with the engine
before they are shown.

Examples:
  biela derive model.toml
  biela derive model.toml --form mass --to latex
  biela derive model.toml --symbols masses,inertias,lengths,gravity
  biela derive model.toml --form lagrange
  biela derive coin.toml --form kane --speeds \"u1 = -free.beta_rate\" --speeds \"u2 = ...\"
  biela derive model.toml --to c -o model.c";

/// Derive the equations of motion as formulas or code
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// What to derive; code has all of it
    #[arg(long, value_enum, default_value_t = FormWord::Equations)]
    form: FormWord,
    /// How to write it
    #[arg(long, value_enum, default_value_t = TargetWord::Text)]
    to: TargetWord,
    /// Numbers without a parameter that become symbols too
    #[arg(long, value_name = "GROUP,…", value_enum, value_delimiter = ',')]
    symbols: Vec<GroupWord>,
    /// How free rotations are described: three angles, or four Euler parameters
    #[arg(long, value_enum, default_value_t = RotationWord::Angles)]
    rotations: RotationWord,
    /// A generalized speed for --form kane, linear in the rates; one for each degree of freedom
    #[arg(long = "speeds", value_name = "NAME=FORMULA")]
    speeds: Vec<String>,
    /// File to write instead of stdout
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormWord {
    /// All equations of motion
    Equations,
    /// The mass matrix M(q)
    Mass,
    /// Centrifugal and Coriolis terms h(q, q')
    Bias,
    /// The weight g(q)
    Gravity,
    /// Loops, couplers and drivers: Phi, G, gamma
    Constraints,
    /// Partial velocities; with --speeds the equations in these
    Kane,
    /// Energies and Lagrange's equations
    Lagrange,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TargetWord {
    Text,
    Latex,
    Rust,
    C,
    Python,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum GroupWord {
    Masses,
    Inertias,
    Lengths,
    Gravity,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RotationWord {
    Angles,
    Parameters,
}

pub(crate) fn run(args: &Args) -> Outcome {
    // problems and warnings of the model are told as everywhere
    let _ = args.model.load(false)?;
    if !args.speeds.is_empty() && !matches!(args.form, FormWord::Kane) {
        return Err(Failure::command("--speeds goes with --form kane"));
    }
    let derived =
        derive(&args.model.path, &args.model.set, &args.request()).map_err(
            |error| match error {
                DeriveError::Model(_) => Failure::new(Code::Model, error.to_string()),
                DeriveError::Request(_) | DeriveError::Disagreement(_) => Failure::command(error),
            },
        )?;
    for note in &derived.notes {
        terminal::say(&format!("{} {note}\n", terminal::err_ink().yellow("note:")));
    }
    match &args.out {
        Some(path) => {
            output::write(path, derived.text.as_bytes(), &ENDINGS)?;
            terminal::say(&format!("wrote {}\n", path.display()));
        }
        None => terminal::data(&derived.text)?,
    }
    Ok(Code::Done)
}

impl Args {
    fn request(&self) -> Request {
        let group = |word: &GroupWord| match word {
            GroupWord::Masses => Group::Masses,
            GroupWord::Inertias => Group::Inertias,
            GroupWord::Lengths => Group::Lengths,
            GroupWord::Gravity => Group::Gravity,
        };
        Request {
            naming: Naming {
                groups: self.symbols.iter().map(group).collect(),
                rotations: match self.rotations {
                    RotationWord::Angles => Rotations::Angles,
                    RotationWord::Parameters => Rotations::Parameters,
                },
            },
            form: match self.form {
                FormWord::Equations => Form::Equations,
                FormWord::Mass => Form::Mass,
                FormWord::Bias => Form::Bias,
                FormWord::Gravity => Form::Gravity,
                FormWord::Constraints => Form::Constraints,
                FormWord::Kane => Form::Kane,
                FormWord::Lagrange => Form::Lagrange,
            },
            target: match self.to {
                TargetWord::Text => Target::Text,
                TargetWord::Latex => Target::Latex,
                TargetWord::Rust => Target::Code(Language::Rust),
                TargetWord::C => Target::Code(Language::C),
                TargetWord::Python => Target::Code(Language::Python),
            },
            speeds: self.speeds.clone(),
        }
    }
}
