//! Decks read and run in every formulation, and tables of references.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use biela::core::analysis::{Formulation, Observer, Simulation, Statistics, Stop, Study, assemble};
use biela::core::element::FieldValue;
use biela::core::integrators::INTEGRATORS;
use biela::core::math::Vec3;
use biela::core::model::{JointIndex, JointQuantity, Model, Signal};
use biela::core::system::Instant;
use biela::model::diagnostic::ReportStyle;
use biela::model::import::sismul;
use biela::model::lower::{Lowered, Overrides, parse};
use biela::sismul::{JointRelativeMotion, SismulTree};

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A table: rows of fields by the names of the columns.
pub(super) fn table(path: &str) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(root().join("validation").join(path)).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<BTreeMap<String, String>> = lines
        .map(|line| {
            let fields = line.split(',').map(str::to_owned);
            names
                .iter()
                .map(|name| (*name).to_owned())
                .zip(fields)
                .collect()
        })
        .collect();
    assert!(rows.len() > 1, "{path}");
    rows
}

pub(super) fn number(row: &BTreeMap<String, String>, name: &str) -> f64 {
    let text = &row.get(name).unwrap_or_else(|| panic!("no column {name}"));
    text.parse().unwrap_or_else(|_| panic!("{name} = {text}"))
}

/// The model of a deck of cards.
pub(super) fn imported(path: &str, length: Option<&str>) -> Lowered {
    let cards = std::fs::read(root().join(path)).unwrap();
    let options = sismul::SismulOptions {
        length: length.map(str::to_owned),
    };
    let imported = sismul::import(path, &cards, &options);
    let said = imported
        .diagnostics
        .render(&imported.sources, ReportStyle::Plain);
    let text = imported.text.unwrap_or_else(|| panic!("{said}"));
    parse("model.toml", &text, &Overrides::default())
        .model
        .unwrap()
}

/// Everything that SISMUL prints, at one time.
pub(super) struct Print {
    pub(super) time: f64,
    pub(super) bodies: Vec<JointRelativeMotion>,
    /// Force of the last joint on its second body, along the ground's axes.
    pub(super) closing: Vec3<f64>,
}

pub(super) struct Prints {
    tree: SismulTree,
    prints: Vec<Print>,
}

impl Observer for Prints {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let context = instant.context();
        let last = JointIndex(context.model.joints.len() - 1);
        let component = |i| instant.signal(Signal::Joint(last, JointQuantity::Reaction(i)));
        let force = Vec3::new(component(0), component(1), component(2));
        self.prints.push(Print {
            time: context.time(),
            bodies: (0..self.tree.links().len())
                .map(|b| self.tree.relative(instant, b))
                .collect(),
            closing: context.kinematics.joints[last.0].R_F * force,
        });
        ControlFlow::Continue(())
    }
}

/// A run in one formulation.
pub(super) struct Found {
    pub(super) formulation: &'static str,
    pub(super) prints: Vec<Print>,
    pub(super) statistics: Statistics,
}

impl Found {
    pub(super) fn at(&self, time: f64) -> &Print {
        let found = self
            .prints
            .iter()
            .find(|print| (print.time - time).abs() < 1e-9);
        found.unwrap_or_else(|| panic!("no print at {time}"))
    }
}

/// Runs a model in every formulation.
pub(super) fn runs(
    make: impl Fn() -> Model,
    duration: f64,
    output_step: f64,
    tolerance: f64,
) -> Vec<Found> {
    let mut found = Vec::new();
    for &(word, formulation, _) in Formulation::LIST {
        let model = make();
        let mut study = Study::new(model.space, duration, output_step);
        study.formulation = formulation;
        study.integrator = biela::choose("integrator", INTEGRATORS, "dop853", model.space).unwrap();
        study
            .integrator
            .arguments
            .set("tolerance", FieldValue::Number(tolerance));
        let mut prints = Prints {
            tree: SismulTree::of(&model).unwrap(),
            prints: Vec::new(),
        };
        let assembled = assemble(model, formulation).unwrap_or_else(|e| panic!("{word}: {e}"));
        let mut simulation = Simulation::new(assembled, &study).unwrap();
        assert_eq!(simulation.run(&mut prints), Ok(Stop::Finished), "{word}");
        found.push(Found {
            formulation: word,
            prints: prints.prints,
            statistics: simulation.statistics(),
        });
    }
    assert!(!found.is_empty());
    found
}

#[track_caller]
pub(super) fn close(found: f64, expected: f64, allowed: f64, what: &str) {
    let off = (found - expected).abs();
    assert!(
        off <= allowed,
        "{what}: {found:.9} instead of {expected}, off by {off:.2e}"
    );
}

/// Difference of two angles in degrees, whatever the turns.
pub(super) fn apart(a: f64, b: f64) -> f64 {
    let turns = (a - b) / 360.0;
    (turns - turns.round()) * 360.0
}
