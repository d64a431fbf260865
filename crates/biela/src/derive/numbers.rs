//! Symbols for the numbers of a model.
//!
//! Parameters are recognized by their effect on the numbers of a model. The model is loaded a second time with every parameter perturbed by about 1e-10 of its
//! value, each by a different amount. Every number that a formula of parameters produced is then unique and stands for that formula ([`Symbol::stands_for`]). A
//! number that changed without being such a formula (e.g. a mass computed from shapes) gets its own symbol.

use std::collections::BTreeSet;

use biela_core::math::rotation::zero3;
use biela_core::math::{Mat3, Pose, Random, Real, Vec3};
use biela_core::model::{BodyIndex, Model, Space};
use biela_core::tree::Numbers;
use biela_model::lower::Parameters;
use biela_model::units::Dimension;
use biela_symbol::code::identifier;
use biela_symbol::{Symbol, VariableKind};

/// Groups of numeric values that become symbols although no parameter defines them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SymbolGroup {
    /// Masses of bodies.
    Masses,
    /// Moments of inertia.
    Inertias,
    /// Positions of mass centres and joints.
    Lengths,
    /// The acceleration of gravity.
    Gravity,
}

/// The origin of the value of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// A parameter of the model, by its index.
    Parameter(usize),
    /// Mass of a body.
    Mass(usize),
    /// Component of the mass centre of a body.
    Center(usize, usize),
    /// Entry of the inertia of a body.
    Inertia(usize, usize, usize),
    /// Component of the origin of a joint's first or second frame.
    Joint(usize, usize, usize),
    /// Armature inertia of a joint.
    Armature(usize),
    /// Component of gravity.
    Gravity(usize),
    /// The offset of a coupler, determined by assembly.
    Offset(usize),
}

/// A symbol that is not a coordinate.
#[derive(Clone, Debug)]
pub struct NamedNumber {
    /// The symbol.
    pub symbol: Symbol,
    /// Its value in the model as written.
    pub value: f64,
    /// SI unit, if known.
    pub unit: String,
    /// Its description; empty for a parameter.
    pub about: String,
    /// The origin of the value.
    pub source: ValueSource,
    /// Set if the symbol is the negative of that value.
    pub negative: bool,
}

impl NamedNumber {
    /// The value in another set of numbers; for an offset the value as written.
    pub(crate) fn value_in(&self, parameters: &Parameters, numbers: &Numbers) -> f64 {
        let value = match self.source {
            ValueSource::Parameter(i) => parameters.list.get(i).map_or(f64::NAN, |p| p.value),
            ValueSource::Mass(b) => numbers.bodies[b].0,
            ValueSource::Center(b, i) => numbers.bodies[b].1[i],
            ValueSource::Inertia(b, i, j) => numbers.bodies[b].2[(i, j)],
            ValueSource::Joint(j, side, i) => numbers.joints[j][side].p[i],
            ValueSource::Armature(j) => numbers.armatures[j],
            ValueSource::Gravity(i) => numbers.gravity[i],
            ValueSource::Offset(_) => self.value,
        };
        if self.negative { -value } else { value }
    }
}

/// The perturbed values of all symbolic parameters, as `name=value`.
pub(super) fn moved(parameters: &Parameters, held: &BTreeSet<String>) -> Vec<String> {
    let mut random = Random::new(11);
    let mut texts = Vec::new();
    for parameter in &parameters.list {
        // drawn for every parameter, so that holding one constant does not change the others
        let by = random.between(0.5, 1.5) * 1e-10;
        if parameter.formula.is_none() && !held.contains(&parameter.name) {
            let value = if parameter.value == 0.0 {
                by
            } else {
                parameter.value * (1.0 + by)
            };
            texts.push(format!("{}={value:e}", parameter.name));
        }
    }
    texts
}

/// Converts the parameters to symbols and associates every number computed from them with its formula. Returns the named numbers.
pub(super) fn name_parameters(
    written: &Parameters,
    moved: &Parameters,
    held: &BTreeSet<String>,
) -> Vec<NamedNumber> {
    let mut named = Vec::new();
    let mut symbols: Vec<Option<Symbol>> = vec![None; moved.list.len()];
    for (i, parameter) in moved.list.iter().enumerate() {
        if parameter.formula.is_some() {
            continue;
        }
        if held.contains(&parameter.name) {
            symbols[i] = Some(Symbol::constant(parameter.value));
            continue;
        }
        let symbol = Symbol::variable(&parameter.name, VariableKind::Parameter, parameter.value);
        symbols[i] = Some(symbol);
        named.push(NamedNumber {
            symbol,
            value: written.list[i].value,
            unit: written.list[i]
                .dimension
                .map_or_else(String::new, Dimension::si_unit),
            about: String::new(),
            source: ValueSource::Parameter(i),
            negative: false,
        });
    }
    // parameters may depend on others in any order; a valid model has no cycles
    for _ in 0..moved.list.len() {
        for (i, parameter) in moved.list.iter().enumerate() {
            if let (None, Some(formula)) = (symbols[i], &parameter.formula) {
                let inputs: Option<Vec<Symbol>> = formula
                    .input_slots()
                    .iter()
                    .map(|&slot| symbols[slot])
                    .collect();
                if inputs.is_some() {
                    let all: Vec<Symbol> =
                        symbols.iter().map(|s| s.unwrap_or(Symbol::ZERO)).collect();
                    symbols[i] = Some(formula.eval(Symbol::ZERO, &all));
                }
            }
        }
    }
    let symbols: Vec<Symbol> = symbols
        .into_iter()
        .map(|s| s.unwrap_or(Symbol::ZERO))
        .collect();
    let before = written.list.iter().map(|p| p.value);
    let after = moved.list.iter().map(|p| p.value);
    for ((before, after), symbol) in before.zip(after).zip(&symbols) {
        stand(before, after, *symbol);
    }
    for ((before, _), (after, formula)) in written.formulas.iter().zip(&moved.formulas) {
        stand(*before, *after, formula.eval(Symbol::ZERO, &symbols));
    }
    named
}

/// A number that did not change could have any origin and is not associated.
fn stand(before: f64, after: f64, symbol: Symbol) {
    if before.to_bits() != after.to_bits() {
        symbol.stands_for(after);
    }
}

/// Assigns symbols to the numbers of a model.
pub(super) struct Namer<'n> {
    pub(super) model: &'n Model,
    pub(super) groups: &'n [SymbolGroup],
    pub(super) written: &'n Numbers,
    pub(super) moved: &'n Numbers,
    pub(super) named: Vec<NamedNumber>,
}

/// A number of the model with the data for its symbol.
struct SymbolicNumber {
    source: ValueSource,
    group: SymbolGroup,
    name: String,
    about: String,
    unit: &'static str,
}

impl Namer<'_> {
    /// Returns all numbers as symbols.
    pub(super) fn numbers(&mut self) -> Numbers<Symbol> {
        let gravity = self.gravity();
        let bodies = (0..self.written.bodies.len())
            .map(|b| self.body(b))
            .collect();
        let joints = (0..self.written.joints.len())
            .map(|j| [self.frame(j, 0), self.frame(j, 1)])
            .collect();
        let armatures = (0..self.written.joints.len())
            .map(|j| self.armature(j))
            .collect();
        Numbers {
            gravity,
            bodies,
            joints,
            armatures,
        }
    }

    fn gravity(&mut self) -> Vec3<Symbol> {
        let alone = self.written.gravity.iter().filter(|x| **x != 0.0).count() == 1;
        let mut gravity = zero3();
        for i in 0..3 {
            let entry = SymbolicNumber {
                source: ValueSource::Gravity(i),
                group: SymbolGroup::Gravity,
                name: if alone {
                    "g".to_owned()
                } else {
                    format!("g_{}", AXES[i])
                },
                about: "acceleration of gravity".to_owned(),
                unit: "m/s^2",
            };
            gravity[i] = self.symbol(
                (self.written.gravity[i], self.moved.gravity[i]),
                alone,
                entry,
            );
        }
        gravity
    }

    fn body(&mut self, b: usize) -> (Symbol, Vec3<Symbol>, Mat3<Symbol>) {
        let name = &self.model.bodies[b].name;
        let (short, shown) = (identifier(name), format!("`{name}`"));
        let (written, moved) = (&self.written.bodies[b], &self.moved.bodies[b]);
        let entry = SymbolicNumber {
            source: ValueSource::Mass(b),
            group: SymbolGroup::Masses,
            name: format!("m_{short}"),
            about: format!("mass of {shown}"),
            unit: "kg",
        };
        let mass = self.symbol((written.0, moved.0), false, entry);
        let alone = written.1.iter().filter(|x| **x != 0.0).count() == 1;
        let mut center = zero3();
        for i in 0..3 {
            let entry = SymbolicNumber {
                source: ValueSource::Center(b, i),
                group: SymbolGroup::Lengths,
                name: if alone {
                    format!("c_{short}")
                } else {
                    format!("c_{short}_{}", AXES[i])
                },
                about: format!("mass centre of {shown} along {}", AXES[i]),
                unit: "m",
            };
            center[i] = self.symbol((written.1[i], moved.1[i]), alone, entry);
        }
        let planar = self.model.space == Space::Planar;
        let mut inertia = Mat3::from_element(Symbol::ZERO);
        for i in 0..3 {
            for j in i..3 {
                // a planar model has only one moment of inertia
                if planar && (i, j) != (2, 2) {
                    continue;
                }
                let axes = format!("{}{}", AXES[i], AXES[j]);
                let entry = SymbolicNumber {
                    source: ValueSource::Inertia(b, i, j),
                    group: SymbolGroup::Inertias,
                    name: if planar {
                        format!("I_{short}")
                    } else {
                        format!("I_{short}_{axes}")
                    },
                    about: if planar {
                        format!("moment of inertia of {shown} about its mass centre")
                    } else {
                        format!("inertia {axes} of {shown} about its mass centre")
                    },
                    unit: "kg*m^2",
                };
                let pair = (written.2[(i, j)], moved.2[(i, j)]);
                inertia[(i, j)] = self.symbol(pair, false, entry);
                inertia[(j, i)] = inertia[(i, j)];
            }
        }
        (mass, center, inertia)
    }

    fn frame(&mut self, j: usize, side: usize) -> Pose<Symbol> {
        let element = &self.model.joints[j];
        let body = [element.first.0, element.second.0][side];
        let alone = self.lengths_on(body) == 1;
        let (body, joint) = (self.model.body_name(body), &element.name);
        let (written, moved) = (&self.written.joints[j][side], &self.moved.joints[j][side]);
        let mut p = zero3();
        for i in 0..3 {
            let entry = SymbolicNumber {
                source: ValueSource::Joint(j, side, i),
                group: SymbolGroup::Lengths,
                name: if alone {
                    format!("l_{}", identifier(body))
                } else {
                    format!("l_{}_{}_{}", identifier(body), identifier(joint), AXES[i])
                },
                about: format!("position of joint `{joint}` on `{body}` along {}", AXES[i]),
                unit: "m",
            };
            p[i] = self.symbol((written.p[i], moved.p[i]), alone, entry);
        }
        let mut turn = Mat3::from_element(Symbol::ZERO);
        for i in 0..9 {
            turn[i] = Symbol::behind(moved.R[i]).unwrap_or_else(|| Symbol::constant(written.R[i]));
        }
        Pose { R: turn, p }
    }

    fn armature(&mut self, j: usize) -> Symbol {
        let element = &self.model.joints[j];
        let angular = element.joint.coordinates(self.model.space);
        let angular = angular.iter().any(|coordinate| coordinate.angular);
        let entry = SymbolicNumber {
            source: ValueSource::Armature(j),
            group: SymbolGroup::Inertias,
            name: format!("a_{}", identifier(&element.name)),
            about: format!("armature of joint `{}`", element.name),
            unit: if angular { "kg*m^2" } else { "kg" },
        };
        self.symbol(
            (self.written.armatures[j], self.moved.armatures[j]),
            false,
            entry,
        )
    }

    /// The number of nonzero lengths of the joints of a body.
    fn lengths_on(&self, body: BodyIndex) -> usize {
        let mut count = 0;
        for (element, frames) in self.model.joints.iter().zip(&self.written.joints) {
            for (owner, frame) in [element.first.0, element.second.0].into_iter().zip(frames) {
                if owner == body {
                    count += frame.p.iter().filter(|x| **x != 0.0).count();
                }
            }
        }
        count
    }

    /// The formula that a number stands for, or the number itself, or a new symbol. If `alone` is set, its name does not indicate a direction, so it is
    /// positive.
    fn symbol(
        &mut self,
        (written, moved): (f64, f64),
        alone: bool,
        entry: SymbolicNumber,
    ) -> Symbol {
        if let Some(symbol) = Symbol::behind(moved) {
            return symbol;
        }
        let unmoved = written.to_bits() == moved.to_bits();
        if unmoved && (written == 0.0 || !self.groups.contains(&entry.group)) {
            return Symbol::constant(written);
        }
        let negative = alone && written < 0.0;
        let value = if negative { -written } else { written };
        let mut name = entry.name;
        while Symbol::find(&name).is_some() {
            name.push('_');
        }
        let symbol = Symbol::variable(&name, VariableKind::Parameter, value);
        self.named.push(NamedNumber {
            symbol,
            value,
            unit: entry.unit.to_owned(),
            about: entry.about,
            source: entry.source,
            negative,
        });
        if negative { -symbol } else { symbol }
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];
