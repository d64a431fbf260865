//! `biela derive`: derives the equations of motion in symbolic form and as code.

use std::path::PathBuf;

use biela::derive::{
    DerivationFormat, DerivationRequest, DeriveError, EquationForm, Naming, Rotations, SymbolGroup,
    derive,
};
use biela::symbol::code::Language;
use clap::ValueEnum;

use crate::failure::{CommandResult, Failure, FailureCode};
use crate::input::ModelArgs;
use crate::output;
use crate::terminal;

/// File extensions of formulas and programs.
const ENDINGS: [&str; 9] = ["txt", "md", "tex", "py", "c", "h", "rs", "m", "json"];

const AFTER_HELP: &str = "\
Parameters of the model become symbols, and so do numbers that are computed from them; other
numbers stay numeric unless --symbols selects them. The formulas are compared with the numerical
engine before they are printed.

Examples:
  biela derive model.toml
  biela derive model.toml --form mass --to latex
  biela derive model.toml --symbols masses,inertias,lengths,gravity
  biela derive model.toml --form lagrange
  biela derive coin.toml --form kane --speeds \"u1 = -free.beta_rate\" --speeds \"u2 = ...\"
  biela derive model.toml --to c -o model.c";

/// Derive the equations of motion in symbolic form or as code
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Part to derive; code always contains all parts
    #[arg(long, value_enum, default_value_t = FormWord::Equations)]
    form: FormWord,
    /// Output format
    #[arg(long, value_enum, default_value_t = TargetWord::Text)]
    to: TargetWord,
    /// Groups of numeric values that become symbols too, separated by commas
    #[arg(long, value_name = "GROUP,…", value_enum, value_delimiter = ',')]
    symbols: Vec<GroupWord>,
    /// Parameterization of free rotations: three angles, or four Euler parameters
    #[arg(long, value_enum, default_value_t = RotationWord::Angles)]
    rotations: RotationWord,
    /// A generalized speed for --form kane, linear in the generalized velocities; give one per degree of freedom
    #[arg(long = "speeds", value_name = "NAME=FORMULA")]
    speeds: Vec<String>,
    /// File to write instead of stdout
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormWord {
    /// The complete equations of motion
    Equations,
    /// The mass matrix M(q)
    Mass,
    /// Centrifugal and Coriolis terms h(q, q')
    Bias,
    /// The gravity terms g(q)
    Gravity,
    /// Constraints of loops, couplers and drivers: Phi, G, gamma
    Constraints,
    /// Partial velocities; with --speeds the equations of motion in these generalized speeds
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

pub(crate) fn run(args: &Args) -> CommandResult {
    // reports errors and warnings of the model
    let _ = args.model.load(false)?;
    if !args.speeds.is_empty() && !matches!(args.form, FormWord::Kane) {
        return Err(Failure::command("--speeds requires --form kane"));
    }
    let derived =
        derive(&args.model.path, &args.model.set, &args.request()).map_err(
            |error| match error {
                DeriveError::Model(_) => Failure::new(FailureCode::Model, error.to_string()),
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
    Ok(FailureCode::Done)
}

impl Args {
    fn request(&self) -> DerivationRequest {
        let group = |word: &GroupWord| match word {
            GroupWord::Masses => SymbolGroup::Masses,
            GroupWord::Inertias => SymbolGroup::Inertias,
            GroupWord::Lengths => SymbolGroup::Lengths,
            GroupWord::Gravity => SymbolGroup::Gravity,
        };
        DerivationRequest {
            naming: Naming {
                groups: self.symbols.iter().map(group).collect(),
                rotations: match self.rotations {
                    RotationWord::Angles => Rotations::Angles,
                    RotationWord::Parameters => Rotations::Parameters,
                },
            },
            form: match self.form {
                FormWord::Equations => EquationForm::Equations,
                FormWord::Mass => EquationForm::Mass,
                FormWord::Bias => EquationForm::Bias,
                FormWord::Gravity => EquationForm::Gravity,
                FormWord::Constraints => EquationForm::Constraints,
                FormWord::Kane => EquationForm::Kane,
                FormWord::Lagrange => EquationForm::Lagrange,
            },
            target: match self.to {
                TargetWord::Text => DerivationFormat::Text,
                TargetWord::Latex => DerivationFormat::Latex,
                TargetWord::Rust => DerivationFormat::Code(Language::Rust),
                TargetWord::C => DerivationFormat::Code(Language::C),
                TargetWord::Python => DerivationFormat::Code(Language::Python),
            },
            speeds: self.speeds.clone(),
        }
    }
}
