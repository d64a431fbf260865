//! Materials, and the coefficients of contact between them.
//!
//! The coefficients of a pair of materials are measured for the pair: no rule derives them from those of each material with itself. A pair without a
//! `[[material_pair]]` is therefore an error, unless the contact gives coefficients of its own.

use std::collections::BTreeMap;

use biela_core::model::{BodyIndex, ContactLaw, Material, MaterialIndex, Model, Space};

use super::checked;
use crate::diagnostic::{Diagnostic, Span};
use crate::document::{DocumentField, Table, ValueKind};
use crate::lower::keys;
use crate::lower::names::{ElementFamily, NameIndex};
use crate::lower::reader::SectionReader;
use crate::lower::values::Context;

/// The materials of a body: its own, and those of its shapes.
#[derive(Default)]
pub(in crate::lower) struct BodyMaterials {
    own: Option<MaterialIndex>,
    shapes: Vec<Option<MaterialIndex>>,
}

impl NameIndex {
    /// The material of a shape of a body, or of its other surfaces.
    pub(super) fn material_of(
        &self,
        body: BodyIndex,
        shape: Option<usize>,
    ) -> Option<MaterialIndex> {
        let materials = self.materials.get(&body)?;
        let of_shape = shape.and_then(|k| materials.shapes.get(k).copied().flatten());
        of_shape.or(materials.own)
    }
}

/// Reads `material` of a body and of its shapes.
pub(in crate::lower) fn read_body_materials<'t>(
    reader: &SectionReader<'t>,
    body: BodyIndex,
    names: &mut NameIndex,
    context: &Context<'t>,
) {
    let given = |field: DocumentField<'t>| names.material(&field, context);
    let own = given(reader.get("material"));
    let shapes = match reader.get("shapes").value().map(|value| &value.kind) {
        Some(ValueKind::Array(items)) => items.as_slice(),
        _ => &[],
    };
    let of_shape = |(k, shape): (usize, &'t crate::document::Value)| {
        let what = format!("shape {} of {}", k + 1, reader.what());
        let table = shape.as_table()?;
        let shape = SectionReader::called(&what, &keys::SHAPE, table, context.diagnostics);
        given(shape.get("material"))
    };
    let shapes = shapes.iter().enumerate().map(of_shape).collect();
    let _ = names.materials.insert(body, BodyMaterials { own, shapes });
}

/// Reads every `[[material]]`.
pub(in crate::lower) fn materials<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) {
    for table in tables {
        let reader = SectionReader::new(&keys::MATERIAL, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Material, context);
        let youngs_modulus = context.positive(&reader.get("young"), "Pa");
        let field = reader.get("poisson");
        let poisson_ratio = context.number(&field, "1");
        if let Some(nu) = poisson_ratio.filter(|nu| !(*nu > -1.0 && *nu <= 0.5)) {
            let label = format!("this is {nu}");
            let problem = "must be greater than -1 and at most 0.5";
            field.error("bad-value", problem, &label, None);
        }
        names.settle(&name, model.materials.len());
        model.materials.push(Material {
            name,
            youngs_modulus,
            poisson_ratio,
        });
        reader.finish();
    }
}

/// The coefficients of a law that a table gives.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coefficients {
    friction: Option<f64>,
    static_friction: Option<f64>,
    restitution: Option<f64>,
    tangential_restitution: Option<f64>,
    rolling_resistance: Option<f64>,
    spinning_resistance: Option<f64>,
}

impl Coefficients {
    /// Reads the coefficients; `None` if one of them is not a number or out of its range.
    pub(super) fn read<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Option<Self> {
        let given = |key: &'static str, unit: &str| {
            let field = reader.get(key);
            if field.is_present() {
                context.number(&field, unit).map(Some)
            } else {
                Some(None)
            }
        };
        let (friction, static_friction) = (given("friction", "1"), given("static_friction", "1"));
        let restitution = given("restitution", "1");
        let tangential_restitution = given("tangential_restitution", "1");
        let rolling_resistance = given("rolling_resistance", "m");
        let spinning_resistance = given("spinning_resistance", "m");
        if context.space == Space::Planar && context.space_known {
            let field = reader.get("spinning_resistance");
            if field.is_present() {
                let problem = "applies only to a spatial model";
                let label = "in the plane no body turns about the normal of a contact";
                field.error("wrong-space", problem, label, None);
            }
        }
        let given = Coefficients {
            friction: friction?,
            static_friction: static_friction?,
            restitution: restitution?,
            tangential_restitution: tangential_restitution?,
            rolling_resistance: rolling_resistance?,
            spinning_resistance: spinning_resistance?,
        };
        checked(reader, given.law(), context).map(|_| given)
    }

    fn list(&self) -> [Option<f64>; 6] {
        [
            self.friction,
            self.static_friction,
            self.restitution,
            self.tangential_restitution,
            self.rolling_resistance,
            self.spinning_resistance,
        ]
    }

    /// Whether no coefficient is given.
    pub(super) fn is_empty(&self) -> bool {
        self.list().iter().all(Option::is_none)
    }

    /// These coefficients, and those of `other` where they are not given. The two coefficients of friction belong together if that in slip is given.
    pub(super) fn over(self, other: Self) -> Self {
        let static_friction = other.static_friction.filter(|_| self.friction.is_none());
        Coefficients {
            friction: self.friction.or(other.friction),
            static_friction: self.static_friction.or(static_friction),
            restitution: self.restitution.or(other.restitution),
            tangential_restitution: self.tangential_restitution.or(other.tangential_restitution),
            rolling_resistance: self.rolling_resistance.or(other.rolling_resistance),
            spinning_resistance: self.spinning_resistance.or(other.spinning_resistance),
        }
    }

    /// The law; a coefficient that is not given is zero, that of friction in stick equal to the one in slip.
    pub(super) fn law(&self) -> ContactLaw {
        let value = |coefficient: Option<f64>| coefficient.unwrap_or(0.0);
        let friction = value(self.friction);
        ContactLaw::SMOOTH
            .with_friction(friction)
            .with_static_friction(self.static_friction.unwrap_or(friction))
            .with_restitution(value(self.restitution))
            .with_tangential_restitution(value(self.tangential_restitution))
            .with_rolling_resistance(value(self.rolling_resistance))
            .with_spinning_resistance(value(self.spinning_resistance))
    }
}

/// The reason why materials give no coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MissingPair {
    /// The two materials have no pair.
    Pair([MaterialIndex; 2]),
    /// Only one of the surfaces has a material.
    Side(MaterialIndex),
}

impl MissingPair {
    /// The problem and what to do.
    pub(super) fn explain(self, model: &Model) -> (String, String) {
        let name = |material: MaterialIndex| model.materials[material.0].name.as_str();
        match self {
            MissingPair::Pair(pair) => {
                let [first, second] = pair.map(name);
                let surfaces = if first == second {
                    format!("two surfaces of the material `{first}`")
                } else {
                    format!("the materials `{first}` and `{second}`")
                };
                (
                    format!("{surfaces} have no coefficients of contact"),
                    format!(
                        "add [[material_pair]] with between = [\"{first}\", \"{second}\"], `friction` and `restitution`, or give coefficients of its own"
                    ),
                )
            }
            MissingPair::Side(material) => (
                format!(
                    "a surface of the material `{}` meets one without a material",
                    name(material)
                ),
                "give both a `material`, or give coefficients of its own, such as `friction`"
                    .to_owned(),
            ),
        }
    }
}

/// The coefficients of the pairs of materials.
#[derive(Default)]
pub(in crate::lower) struct PairTable {
    pairs: BTreeMap<[MaterialIndex; 2], (Coefficients, Span)>,
}

impl PairTable {
    /// The coefficients of the materials of two surfaces; none if neither has a material.
    pub(super) fn find(
        &self,
        sides: [Option<MaterialIndex>; 2],
    ) -> Result<Coefficients, MissingPair> {
        let pair = match sides {
            [None, None] => return Ok(Coefficients::default()),
            [Some(material), None] | [None, Some(material)] => {
                return Err(MissingPair::Side(material));
            }
            [Some(first), Some(second)] => sorted([first, second]),
        };
        let found = self.pairs.get(&pair);
        found.map_or(Err(MissingPair::Pair(pair)), |(found, _)| Ok(*found))
    }
}

fn sorted<T: Ord>(mut pair: [T; 2]) -> [T; 2] {
    pair.sort();
    pair
}

/// Reads every `[[material_pair]]`.
pub(in crate::lower) fn pairs<'t>(
    tables: &[&'t Table],
    names: &NameIndex,
    context: &Context<'t>,
) -> PairTable {
    let mut table = PairTable::default();
    for pair in tables {
        let what = "a material pair";
        let reader = SectionReader::called(what, &keys::MATERIAL_PAIR, pair, context.diagnostics);
        let field = reader.require("between", "between = [\"steel\", \"rubber\"]");
        let sides = field.fixed_array::<2>().map(|sides| sides.value);
        let sides = sides.map(|sides| sides.map(|side| names.material(&side, context)));
        let coefficients = Coefficients::read(&reader, context);
        if let (Some([Some(first), Some(second)]), Some(given)) = (sides, coefficients) {
            let pair = sorted([first, second]);
            let span = field.span().unwrap_or(reader.span());
            if let Some((_, earlier)) = table.pairs.insert(pair, (given, span)) {
                let message = "the coefficients of two materials are given twice";
                context.diagnostics.push(
                    Diagnostic::error("duplicate-pair", message)
                        .at(span, "the second pair")
                        .also(earlier, "the first pair")
                        .help("leave one of them out; the order of the materials does not matter"),
                );
            }
        }
        reader.finish();
    }
    table
}
