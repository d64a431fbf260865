//! The equations of motion of a model file in symbolic form.
//!
//! [`derive()`] implements the command `biela derive`; [`with_mechanism`] passes the symbols themselves to a program.
//!
//! ```
//! use biela::derive::{DerivationFormat, DerivationRequest, EquationForm, Naming, derive};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("pendulum.toml");
//! # std::fs::write(&path, include_str!("../../templates/pendulum.toml"))?;
//! let request = DerivationRequest {
//!     naming: Naming::default(),
//!     form: EquationForm::Gravity,
//!     target: DerivationFormat::Text,
//!     speeds: Vec::new(),
//! };
//! let derived = derive(&path, &[] as &[&str], &request)?;
//! assert!(derived.text.contains("cos(q_pin)"));
//! # Ok(())
//! # }
//! ```

mod check;
mod module;
mod numbers;
mod report;
mod tables;

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use biela_core::model::{JointIndex, Model};
use biela_core::tree::{Numbers, span};
use biela_model::expr;
use biela_model::lower::Parameters;
use biela_symbol::code::Language;
use biela_symbol::mechanics::angles::use_angles;
use biela_symbol::mechanics::kane::{Speed, SpeedError};
use biela_symbol::mechanics::{Applied, ConstraintEquations, Mechanism};
use biela_symbol::{Symbol, isolated};

pub use numbers::{NamedNumber, SymbolGroup, ValueSource};

use crate::{Job, MOST_MEMORY, ModelError, assemble_within, load_with};

/// The part to derive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EquationForm {
    /// The complete equations of motion.
    Equations,
    /// The mass matrix M(q).
    Mass,
    /// Centrifugal and Coriolis terms h(q, v).
    Bias,
    /// The gravity terms g(q).
    Gravity,
    /// Constraint equations of loops, couplers and drivers: Φ, G, γ.
    Constraints,
    /// Kane's partial velocities, and the equations in generalized speeds.
    Kane,
    /// Energies, and Lagrange's equations derived from them.
    Lagrange,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DerivationFormat {
    /// Plain text.
    Text,
    /// LaTeX.
    Latex,
    /// Source code.
    Code(Language),
}

/// The parameterization of the free rotations of joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rotations {
    /// The dextral angles α, β, γ; singular at β = ±90°.
    #[default]
    Angles,
    /// Euler parameters.
    Parameters,
}

/// The choice of symbols.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// Groups of numeric values without a parameter that become symbols.
    pub groups: Vec<SymbolGroup>,
    /// The parameterization of free rotations.
    pub rotations: Rotations,
}

/// A request for a derivation.
#[derive(Clone, Debug)]
pub struct DerivationRequest {
    /// The choice of symbols.
    pub naming: Naming,
    /// The part to derive.
    pub form: EquationForm,
    /// The output format.
    pub target: DerivationFormat,
    /// Generalized speeds, each `name = formula`.
    pub speeds: Vec<String>,
}

/// The result of a derivation.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The formulas.
    pub text: String,
    /// Notes on the formulas.
    pub notes: Vec<String>,
}

/// An error of a derivation.
pub enum DeriveError {
    /// The model file is invalid.
    Model(ModelError),
    /// The request does not apply to the model.
    Request(String),
    /// The formulas do not agree with the engine: a bug in biela.
    Disagreement(String),
}

impl fmt::Display for DeriveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeriveError::Model(error) => error.fmt(f),
            DeriveError::Request(text) | DeriveError::Disagreement(text) => f.write_str(text),
        }
    }
}

biela_core::readable_errors!(DeriveError);

/// A model whose coordinates and parameters are symbols.
pub struct SymbolicModel<'m> {
    /// The mechanism.
    pub mechanism: Mechanism<'m>,
    /// Its constraints: loops, couplers and drivers.
    pub constraints: ConstraintEquations,
    /// Its applied forces.
    pub applied: Applied,
    /// All symbols in the equations of motion that are not coordinates, with their values.
    pub numbers: Vec<NamedNumber>,
    /// Further named numbers, which occur only in energies or partial velocities.
    pub others: Vec<NamedNumber>,
    /// The model as written, with the same coordinates.
    pub written: &'m Model,
    /// Notes for the reader.
    pub notes: Vec<String>,
}

/// A model loaded with given parameter values and the requested parameterization of rotations.
struct ParameterizedModel {
    model: Model,
    parameters: Parameters,
    numbers: Numbers,
    /// Offsets of couplers in the assembled initial configuration.
    offsets: Vec<Option<f64>>,
}

impl ParameterizedModel {
    fn of(job: Job, rotations: Rotations) -> Self {
        let mut model = job.model;
        // the equations are those between contacts; contacts come after all joints of a file
        model.contacts.clear();
        model.joints.retain(|joint| !joint.is_contact);
        if rotations == Rotations::Angles {
            use_angles(&mut model);
        }
        for marker in &mut model.markers {
            marker.pose.R = marker.pose.R.map(snapped);
        }
        for joint in &mut model.joints {
            for pose in [&mut joint.first.1, &mut joint.second.1] {
                pose.R = pose.R.map(snapped);
            }
        }
        ParameterizedModel {
            numbers: Numbers::of(&model),
            parameters: job.parameters,
            offsets: model.couplers.iter().map(|c| c.offset).collect(),
            model,
        }
    }
}

/// Rounds a direction cosine that is close to 0 or ±1.
fn snapped(x: f64) -> f64 {
    if (x - x.round()).abs() < 1e-15 {
        x.round()
    } else {
        x
    }
}

/// Derives formulas from a model file with overridden parameter values, each `name=value`.
pub fn derive<S: AsRef<str> + Sync>(
    path: &Path,
    set: &[S],
    request: &DerivationRequest,
) -> Result<Derived, DeriveError> {
    with_mechanism(path, set, &request.naming, |named| {
        let speeds = speeds(named, &request.speeds)?;
        let text = match request.target {
            DerivationFormat::Text | DerivationFormat::Latex => {
                report::write(named, request, &speeds)?
            }
            DerivationFormat::Code(language) => module::write(named, language),
        };
        Ok(Derived {
            text,
            notes: named.notes.clone(),
        })
    })?
}

/// Rejects armature inertia whose velocity is not a velocity coordinate of the formulas.
fn refuse_armatures(model: &Model, rotations: Rotations) -> Result<(), DeriveError> {
    let cuts = span(model).cuts;
    for (j, element) in model.joints.iter().enumerate() {
        let tree = element.joint.shape(model.space).tree;
        let turns = tree.is_some_and(|tree| tree.rotation) && rotations == Rotations::Angles;
        let why = if cuts.contains(&JointIndex(j)) {
            "closes a loop; the equations are derived for the spanning tree: remove this armature, or that of another joint of the loop"
        } else if turns {
            "is a spherical or free joint; an armature requires Euler parameters instead of angles as its coordinates"
        } else {
            continue;
        };
        if element.armature != 0.0 {
            let name = &element.name;
            let text = format!("joint `{name}` has an armature and {why}");
            return Err(DeriveError::Request(text));
        }
    }
    Ok(())
}

/// Converts coordinates and parameters of a model to symbols and passes them to a closure. The symbols belong to the thread of the closure.
pub fn with_mechanism<S: AsRef<str> + Sync, R: Send>(
    path: &Path,
    set: &[S],
    naming: &Naming,
    act: impl FnOnce(&SymbolicModel<'_>) -> R + Send,
) -> Result<R, DeriveError> {
    let set: Vec<String> = set.iter().map(|s| s.as_ref().to_owned()).collect();
    let job = load_with(path, &set).map_err(DeriveError::Model)?;
    refuse_armatures(&job.model, naming.rotations)?;
    let exact = job.model.exact_beams.iter().map(|beam| &beam.name);
    let mut beams = job.model.beams.iter().map(|beam| &beam.name).chain(exact);
    if let Some(beam) = beams.next() {
        return Err(DeriveError::Request(format!(
            "beam `{beam}` is flexible; equations are derived for rigid bodies only: set `rigid = true`"
        )));
    }
    if job.model.spin != 0.0 {
        let problem = "equations are derived in an inertial ground frame: remove `spin`";
        return Err(DeriveError::Request(problem.to_owned()));
    }
    if let Some(coupler) = job.model.couplers.iter().find(|c| c.backlash.is_some()) {
        return Err(DeriveError::Request(format!(
            "coupler `{}` has a backlash; equations are derived for bilateral constraints: remove `backlash`",
            coupler.name
        )));
    }
    let open: Vec<String> = job.model.contacts.iter().map(|c| c.name.clone()).collect();
    let mut written = ParameterizedModel::of(job, naming.rotations);
    if written.offsets.iter().any(Option::is_none)
        && let Ok(job) = load_with(path, &set)
    {
        let formulation = job.study_or_start().formulation;
        if let Ok(assembled) = assemble_within(job.model, formulation, MOST_MEMORY) {
            let couplers = &assembled.system.model().couplers;
            written.offsets = couplers.iter().map(|c| c.offset).collect();
        }
    }
    let written = written;
    let read = |more: &[String]| -> Option<ParameterizedModel> {
        let all: Vec<&String> = set.iter().chain(more).collect();
        Some(ParameterizedModel::of(
            load_with(path, &all).ok()?,
            naming.rotations,
        ))
    };
    let mut held = BTreeSet::new();
    let mut notes: Vec<String> = { open.iter() }
        .map(|name| {
            format!("contact `{name}` is not part of the equations: they hold while it is open")
        })
        .collect();
    let moved = read_moved(&written, &read, &mut held, &mut notes)?;
    // a parameter with an effect that no formula reproduces is detected numerically and stays a number
    let evading = isolated(|| {
        let named = named(&written, &moved, &held, naming, Vec::new())?;
        check::evading(&named, &written, &read)
    });
    let evading = evading.map_err(|_| internal())??;
    let moved = if evading.is_empty() {
        moved
    } else {
        for name in evading {
            notes.push(format!(
                "parameter `{name}` stays numeric: part of its effect has no formula, e.g. through an orientation or a table"
            ));
            let _ = held.insert(name);
        }
        read_moved(&written, &read, &mut held, &mut notes)?
    };
    let result = isolated(|| {
        let named = named(&written, &moved, &held, naming, notes)?;
        check::agreement(&named, &written)?;
        Ok(act(&named))
    });
    result.map_err(|_| internal())?
}

fn internal() -> DeriveError {
    DeriveError::Disagreement(
        "the derivation failed unexpectedly; please report this model".to_owned(),
    )
}

/// Loads the model with perturbed parameters; those that cannot be perturbed are held constant.
fn read_moved(
    written: &ParameterizedModel,
    read: &dyn Fn(&[String]) -> Option<ParameterizedModel>,
    held: &mut BTreeSet<String>,
    notes: &mut Vec<String>,
) -> Result<ParameterizedModel, DeriveError> {
    let texts = numbers::moved(&written.parameters, held);
    if let Some(reading) = read(&texts) {
        return Ok(reading);
    }
    for text in texts {
        if read(std::slice::from_ref(&text)).is_none() {
            let name = text.split('=').next().unwrap_or_default().to_owned();
            notes.push(format!(
                "parameter `{name}` stays numeric: the model is valid for its present value only"
            ));
            let _ = held.insert(name);
        }
    }
    let texts = numbers::moved(&written.parameters, held);
    read(&texts).ok_or_else(|| {
        DeriveError::Request("the model is invalid for perturbed parameter values: the parameters are coupled by a condition; fix some of them".to_owned())
    })
}

fn named<'m>(
    written: &'m ParameterizedModel,
    moved: &'m ParameterizedModel,
    held: &BTreeSet<String>,
    naming: &Naming,
    mut notes: Vec<String>,
) -> Result<SymbolicModel<'m>, DeriveError> {
    let parameters = numbers::name_parameters(&written.parameters, &moved.parameters, held);
    let mut namer = numbers::Namer {
        model: &written.model,
        groups: &naming.groups,
        written: &written.numbers,
        moved: &moved.numbers,
        named: parameters,
    };
    let symbols = namer.numbers();
    let mut numbers = namer.named;
    let mechanism = Mechanism::new(&moved.model, symbols)
        .map_err(|error| DeriveError::Request(error.to_string()))?;
    let (constraints, applied) = (mechanism.constraints(), mechanism.applied());
    let open = written
        .model
        .couplers
        .iter()
        .enumerate()
        .filter(|(_, c)| c.offset.is_none());
    for ((c, coupler), symbol) in open.zip(&constraints.offsets) {
        numbers.push(NamedNumber {
            symbol: *symbol,
            value: written.offsets.get(c).copied().flatten().unwrap_or(0.0),
            unit: String::new(),
            about: format!("initial sum of coupler `{}`", coupler.name),
            source: ValueSource::Offset(c),
            negative: false,
        });
    }
    // a value that occurs in no equation needs no symbol
    let used = used(&mechanism, &constraints, &applied);
    let (numbers, others): (Vec<_>, Vec<_>) = numbers
        .into_iter()
        .partition(|number| used.contains(&number.symbol));
    let derived: Vec<String> = numbers
        .iter()
        .filter(|n| !matches!(n.source, ValueSource::Parameter(_) | ValueSource::Offset(_)))
        .filter(|n| naming.groups.is_empty() && !n.about.is_empty())
        .map(|n| format!("`{}`", n.symbol))
        .collect();
    if !derived.is_empty() {
        notes.push(format!(
            "{} follow from parameters through shapes or axes, not through a formula: they are symbols of their own",
            derived.join(", ")
        ));
    }
    Ok(SymbolicModel {
        mechanism,
        constraints,
        applied,
        numbers,
        others,
        written: &written.model,
        notes,
    })
}

/// All symbols of the equations.
fn used(
    mechanism: &Mechanism<'_>,
    constraints: &ConstraintEquations,
    applied: &Applied,
) -> BTreeSet<Symbol> {
    let mut roots = mechanism.mass();
    roots.extend(mechanism.bias());
    roots.extend(mechanism.gravity());
    roots.extend(applied.written_out());
    for row in &constraints.rows {
        roots.extend(row.phi);
        roots.push(row.rate);
    }
    biela_symbol::variables(&roots).into_iter().collect()
}

/// Parses generalized speeds: `u1 = -hold.beta_rate`.
fn speeds(named: &SymbolicModel<'_>, texts: &[String]) -> Result<Vec<Speed>, DeriveError> {
    let mechanism = &named.mechanism;
    let mut known: Vec<(String, Symbol)> = Vec::new();
    for (coordinate, q) in mechanism.coordinates.iter().zip(&mechanism.q) {
        known.push((coordinate.signal.clone(), *q));
    }
    if mechanism.has_plain_rates() {
        for (coordinate, v) in mechanism.coordinates.iter().zip(&mechanism.v) {
            let joint = &coordinate.joint;
            let alone = mechanism
                .coordinates
                .iter()
                .filter(|c| c.joint == *joint)
                .count()
                == 1;
            if alone && !joint.contains('.') {
                known.push((format!("{joint}.rate"), *v));
            } else {
                known.push((format!("{}_rate", coordinate.signal), *v));
            }
        }
    } else {
        known.extend(mechanism.v.iter().map(|v| (v.to_string(), *v)));
    }
    known.extend(
        named
            .numbers
            .iter()
            .map(|n| (n.symbol.to_string(), n.symbol)),
    );
    let speed = |text: &String| {
        let wrong =
            |why: String| DeriveError::Request(format!("generalized speed `{text}`: {why}"));
        let (name, formula) = text
            .split_once('=')
            .ok_or_else(|| wrong("write NAME = FORMULA, e.g. u1 = pin.rate".to_owned()))?;
        let name = name.trim();
        let fits = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() || !fits || Symbol::find(name).is_some() {
            return Err(wrong(format!(
                "`{name}` is not a valid name: use letters, digits and _, and no name of the model"
            )));
        }
        let ast = expr::parse(formula).map_err(|error| wrong(error.message))?;
        let mut resolve = |name: &str| {
            let slot = known.iter().position(|(word, _)| word == name)?;
            Some(expr::Binding::Input {
                slot,
                dimension: None,
            })
        };
        let names = || known.iter().map(|(word, _)| word.clone()).collect();
        let program = expr::compile(&ast, &mut resolve, &names).map_err(|errors| {
            let texts = errors.into_iter().map(|e| match e.help {
                Some(help) => format!("{}; {help}", e.message),
                None => e.message,
            });
            wrong(texts.collect::<Vec<_>>().join("; "))
        })?;
        let inputs: Vec<Symbol> = known.iter().map(|(_, symbol)| *symbol).collect();
        Ok(Speed {
            name: name.to_owned(),
            definition: program.eval(Symbol::ZERO, &inputs),
        })
    };
    texts.iter().map(speed).collect()
}

impl From<SpeedError> for DeriveError {
    fn from(error: SpeedError) -> Self {
        DeriveError::Request(error.to_string())
    }
}
