//! Couplers: linear relations between joint coordinates.
//!
//! ```text
//! Φ = Σ c_i q_i − offset = 0        Φ̇ = Σ c_i q̇_i        Φ̈ = Σ c_i q̈_i
//! gear             q₁ − ratio q₂,  or z₁ q₁ ± z₂ q₂ of teeth (minus where one has them inside)
//! rack-and-pinion  s − r θ
//! ```
//!
//! Angles are counted over several turns, so that the relation holds after any number of turns of a gear. The multiplier λ is the generalized force of the
//! coupler: −c_i λ acts on each coordinate, and the coupler does no work. With a backlash of the width b of the first coordinate the relation becomes
//! |Φ| ≤ |c₁| b/2, with an impact at its ends.

use std::collections::BTreeSet;

use biela_core::joints::Coordinate;
use biela_core::model::{Backlash, CouplerElement, JointIndex, Model};

use super::fields::choose;
use super::keys::{self, COUPLERS};
use super::names::{ElementFamily, NameIndex};
use super::reader::SectionReader;
use super::values::Context;
use crate::document::{DocumentField, Table};

/// Joint, coordinate and factor of each term.
type Terms = Vec<(JointIndex, usize, f64)>;
/// A coordinate with its description.
type DescribedCoordinate = (JointIndex, usize, Coordinate);

/// Reads every `[[coupler]]`.
pub(super) fn couplers<'t>(
    tables: &[&'t Table],
    model: &mut Model,
    names: &mut NameIndex,
    context: &Context<'t>,
) {
    for table in tables {
        let reader = SectionReader::new(&keys::COUPLER, table, context.diagnostics);
        let name = names.declare(&reader, "name", ElementFamily::Coupler, context);
        let kind = choose(&reader, ("type", COUPLERS), "type = \"gear\"");
        let relation = kind.and_then(|kind| {
            let (terms, offset) = match kind.name {
                "gear" => (gear(&reader, model, names, context)?, None),
                "rack-and-pinion" => (rack_and_pinion(&reader, model, names, context)?, None),
                _ => linear(&reader, model, names, context)?,
            };
            (!repeats(&reader, &terms, model, context)).then_some((kind.name, terms, offset))
        });
        let play = backlash(
            &reader,
            relation.as_ref().map(|found| &found.1),
            model,
            context,
        );
        if let Some((kind, terms, offset)) = relation {
            names.settle(&name, model.couplers.len());
            model.couplers.push(CouplerElement {
                name,
                origin: context.origin(reader.span()),
                kind,
                terms,
                offset,
                backlash: play,
            });
        }
        reader.finish();
    }
}

/// Reads `backlash`: the play of the first coordinate.
fn backlash<'t>(
    reader: &SectionReader<'t>,
    terms: Option<&Terms>,
    model: &Model,
    context: &Context<'t>,
) -> Option<Backlash> {
    let field = reader.get("backlash");
    let table = field.table()?;
    let play = SectionReader::called(
        &field.what(),
        &keys::BACKLASH,
        table.value,
        context.diagnostics,
    );
    let first = terms.and_then(|terms| terms.first());
    let angular = first.and_then(|(joint, k, _)| {
        let joint = &model.joints.get(joint.0)?.joint;
        Some(joint.coordinates(model.space).get(*k)?.angular)
    });
    let unit = match angular {
        Some(true) => "rad",
        Some(false) => "m",
        None => "",
    };
    let width = context.positive(&play.require("width", "width = \"0.1 deg\""), unit);
    let restitution_field = play.get("restitution");
    let restitution = context.number(&restitution_field, "1");
    play.finish();
    if let Some(e) = restitution.filter(|e| !(0.0..=1.0).contains(e)) {
        let label = format!("this is {e}");
        restitution_field.error("bad-value", "must be from 0 to 1", &label, None);
        return None;
    }
    Some(Backlash {
        width: width?,
        restitution: restitution.unwrap_or(0.0),
    })
}

/// Reports a coordinate that occurs twice in a relation.
fn repeats(
    reader: &SectionReader<'_>,
    terms: &Terms,
    model: &Model,
    context: &Context<'_>,
) -> bool {
    let mut seen = BTreeSet::new();
    let repeated = terms
        .iter()
        .find(|(joint, k, _)| !seen.insert((*joint, *k)));
    let Some((joint, ..)) = repeated else {
        return false;
    };
    let name = &model.joints[joint.0].name;
    let message = format!("{} has a coordinate of joint `{name}` twice", reader.what());
    let help = "list each coordinate once, with its total factor".to_owned();
    context.error("same-coordinate", message, (reader.span(), ""), Some(help));
    true
}

fn coordinates<'t>(
    field: &DocumentField<'t>,
    model: &Model,
    names: &NameIndex,
    context: &Context<'t>,
) -> Option<Vec<DescribedCoordinate>> {
    let items = field.array()?.value;
    let read: Vec<Option<DescribedCoordinate>> = items
        .iter()
        .map(|item| names.coordinate(item, model, context))
        .collect();
    read.into_iter().collect()
}

/// Reports a coordinate of the wrong kind.
fn check_kind(field: &DocumentField<'_>, coordinate: &Coordinate, angular: bool) -> bool {
    if coordinate.angular == angular {
        return true;
    }
    let (wanted, found) = if angular {
        ("an angle", "a length")
    } else {
        ("a length", "an angle")
    };
    let problem = format!("must be {wanted}");
    field.error(
        "wrong-coordinate",
        &problem,
        &format!("`{}` is {found}", coordinate.name),
        None,
    );
    false
}

/// Reads a gear: z1 q1 ± z2 q2 or q1 − ratio q2 is constant.
fn gear<'t>(
    reader: &SectionReader<'t>,
    model: &Model,
    names: &NameIndex,
    context: &Context<'t>,
) -> Option<Terms> {
    let field = reader.require("joints", "joints = [\"joint1\", \"joint2\"]");
    let pair = field.fixed_array::<2>().map(|pair| {
        pair.value
            .map(|item| (names.coordinate(&item, model, context), item))
    });
    let factors = gear_factors(reader, context);
    let [(first, first_field), (second, second_field)] = pair?;
    let (first, second) = (first?, second?);
    let fit = [
        check_kind(&first_field, &first.2, true),
        check_kind(&second_field, &second.2, true),
    ];
    let [a, b] = factors?;
    (fit == [true; 2]).then(|| vec![(first.0, first.1, a), (second.0, second.1, b)])
}

fn gear_factors<'t>(reader: &SectionReader<'t>, context: &Context<'t>) -> Option<[f64; 2]> {
    let (ratio, teeth, internal) = (
        reader.get("ratio"),
        reader.get("teeth"),
        reader.get("internal"),
    );
    let flag = internal.bool();
    if ratio.is_present() == teeth.is_present() {
        let both = ratio.is_present();
        let message = format!("{} needs exactly one of `ratio` and `teeth`", reader.what());
        let label = if both {
            "both are given"
        } else {
            "neither is given"
        };
        let span = if both {
            reader.key_span("teeth")
        } else {
            reader.span()
        };
        let help = "with ratio = -2 the first gear rotates twice as fast, in the opposite direction; teeth = [20, 40] is the same for external gears";
        context.error("which-ratio", message, (span, label), Some(help.to_owned()));
        return None;
    }
    if ratio.is_present() {
        if internal.is_present() {
            let help =
                "the sign of `ratio` is the direction of rotation; leave `internal` out".to_owned();
            internal.error("too-much", "applies only to `teeth`", "", Some(help));
        }
        let number = context.number(&ratio, "1")?;
        if number == 0.0 {
            ratio.error(
                "bad-value",
                "must not be zero",
                "the first gear would never turn",
                None,
            );
            return None;
        }
        return Some([1.0, -number]);
    }
    let [first, second] = context.tuple::<2>(&teeth, "1")?;
    let good = |z: f64| z >= 1.0 && z.fract() == 0.0;
    if !(good(first) && good(second)) {
        let help = "for a ratio that is not a quotient of integers use `ratio`".to_owned();
        teeth.error(
            "bad-value",
            "must be two integers, the numbers of teeth",
            "",
            Some(help),
        );
        return None;
    }
    let inside = flag.is_some_and(|flag| flag.value);
    Some([first, if inside { -second } else { second }])
}

fn linear<'t>(
    reader: &SectionReader<'t>,
    model: &Model,
    names: &NameIndex,
    context: &Context<'t>,
) -> Option<(Terms, Option<f64>)> {
    let joints_field = reader.require("joints", "joints = [\"joint1\", \"joint2\"]");
    let factors_field = reader.require("factors", "factors = [1, -2]");
    let offset_field = reader.get("offset");
    let joints = coordinates(&joints_field, model, names, context);
    let factors = context.numbers(&factors_field, "");
    let offset = context.number(&offset_field, "");
    let (joints, factors) = (joints?, factors?);
    if joints.len() < 2 {
        let help = "to hold one coordinate use a driver".to_owned();
        joints_field.error(
            "wrong-length",
            "must have two coordinates or more",
            &format!("has {}", joints.len()),
            Some(help),
        );
        return None;
    }
    if factors.len() != joints.len() {
        let label = format!("{} factors for {} coordinates", factors.len(), joints.len());
        factors_field.error(
            "wrong-length",
            "must have one factor for each coordinate",
            &label,
            None,
        );
        return None;
    }
    if factors.contains(&0.0) {
        factors_field.error(
            "bad-value",
            "must not contain zero",
            "leave that coordinate out",
            None,
        );
        return None;
    }
    if offset_field.is_present() && offset.is_none() {
        return None;
    }
    let terms = joints
        .iter()
        .zip(factors)
        .map(|((joint, k, _), factor)| (*joint, *k, factor));
    Some((terms.collect(), offset))
}

/// Reads a rack and pinion: s − r θ is constant.
fn rack_and_pinion<'t>(
    reader: &SectionReader<'t>,
    model: &Model,
    names: &NameIndex,
    context: &Context<'t>,
) -> Option<Terms> {
    let rack_field = reader.require("rack", "rack = \"joint1\"");
    let pinion_field = reader.require("pinion", "pinion = \"joint2\"");
    let radius_field = reader.require("radius", "radius = \"20 mm\"");
    let rack = names.coordinate(&rack_field, model, context);
    let pinion = names.coordinate(&pinion_field, model, context);
    let radius = context.number(&radius_field, "m");
    let rack = rack.filter(|rack| check_kind(&rack_field, &rack.2, false));
    let pinion = pinion.filter(|pinion| check_kind(&pinion_field, &pinion.2, true));
    if radius == Some(0.0) {
        radius_field.error("bad-value", "must not be zero", "", None);
        return None;
    }
    let (rack, pinion, radius) = (rack?, pinion?, radius?);
    Some(vec![(rack.0, rack.1, 1.0), (pinion.0, pinion.1, -radius)])
}
