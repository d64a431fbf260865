//! A planar beam as rigid bars with torsion springs between them.
//!
//! Each element of length l becomes a hinge at its midpoint with a spring of stiffness `EI/l`, which rotates by `l κ` as the element would. Rigid bars connect
//! the hinges; those at the ends have half the length. The bending moment at the midpoint of an element equals its mean to second order, so the error is
//! proportional to l². Bars do not stretch.

use biela_core::element::{Arguments, FieldValue};
use biela_core::flexible::Beam;
use biela_core::forces;
use biela_core::joints::Joint;
use biela_core::math::rotation::{about, identity};
use biela_core::math::{Pose, Vec3};
use biela_core::model::{
    Body, BodyIndex, MarkerIndex, MassProperties, Model, Shape, ShapeKind, Space, Velocity0,
};

use super::centreline::Attachment;
use super::stations::NamedStation;
use crate::lower::names::{NameIndex, Points};
use crate::lower::values::Context;

/// A bar: its ends as distances along the beam.
struct LumpedBar {
    from: f64,
    to: f64,
}

/// Adds bars, hinges and springs; returns the bars for attachments.
pub(super) fn add_lumped<'t>(
    name: &str,
    (beam, velocity): (&Beam, Option<Velocity0>),
    places: Vec<NamedStation<'t>>,
    (model, names): (&mut Model, &mut NameIndex),
    context: &Context<'t>,
) -> Attachment {
    let count = beam.elements.len();
    let piece = beam.elements[0].length;
    let total = piece * count as f64;
    let bars: Vec<LumpedBar> = (0..=count)
        .map(|k| LumpedBar {
            from: ((k as f64 - 0.5) * piece).max(0.0),
            to: ((k as f64 + 0.5) * piece).min(total),
        })
        .collect();
    let e = &beam.reference;
    let (start, along) = (Vec3::new(e[0], e[1], 0.0), Vec3::new(e[2], e[3], 0.0));
    let turn = about(2, along[1].atan2(along[0]));
    let mut places_on: Vec<Vec<NamedStation<'t>>> = (0..=count).map(|_| Vec::new()).collect();
    for place in places {
        places_on[bar_at(place.distance, piece, count)].push(place);
    }
    let mut points: Option<(usize, Points)> = None;
    let mut last: Option<MarkerIndex> = None;
    let mut bodies: Vec<(BodyIndex, f64)> = Vec::new();
    for (k, (bar, on)) in bars.iter().zip(&places_on).enumerate() {
        // the frame of a bar is that of the station on it
        let (own, origin) = on.first().map_or_else(
            || (format!("bar{k}"), bar.from),
            |place| (place.name.to_owned(), place.distance),
        );
        for place in on.iter().skip(1) {
            let message = format!(
                "point `{}` of beam `{name}` lies on the same bar as `{own}`",
                place.name
            );
            let help =
                "a lumped beam has at most one point per bar: increase `elements`".to_owned();
            context.error("conflict", message, (place.span, ""), Some(help));
        }
        let body = bar_body(format!("{name}.{own}"), beam, (k, bar, origin));
        let frame = Pose::new(turn, start + along * origin);
        let index = model.add_body(placed(body, &frame, velocity.as_ref(), start));
        let marker = model.body_marker(index);
        bodies.push((index, origin));
        if let Some(before) = last {
            let pose = Pose::new(identity(), Vec3::new(bar.from - origin, 0.0, 0.0));
            let here = model.add_marker("near", index, pose);
            add_hinge(name, (k, beam), [before, here], model);
        }
        last = Some(hinge_after(model, index, bar.to - origin));
        let (_, points) = points.get_or_insert_with(|| (index.0, Points::new(marker)));
        for place in on {
            points.add(place.name, marker, place.span);
        }
        names.bodies.push(Points::new(marker));
    }
    if let Some((first, points)) = points {
        names.bodies[first] = points;
        names.settle(name, first);
    }
    let at = move |distance: f64| {
        let (body, origin) = bodies[bar_at(distance, piece, count)];
        let offset = Vec3::new(distance - origin, 0.0, 0.0);
        (body, Pose::new(identity(), offset))
    };
    Attachment::Bodies(Box::new(at))
}

/// The number of the bar at a distance from the start.
fn bar_at(distance: f64, piece: f64, count: usize) -> usize {
    ((distance / piece + 0.5) as usize).min(count)
}

/// The frame at the far end of a bar.
fn hinge_after(model: &mut Model, bar: BodyIndex, distance: f64) -> MarkerIndex {
    let pose = Pose::new(identity(), Vec3::new(distance, 0.0, 0.0));
    model.add_marker("far", bar, pose)
}

/// A bar with its frame at `origin` along the beam: the halves of the elements that it consists of.
fn bar_body(name: String, beam: &Beam, (k, bar, origin): (usize, &LumpedBar, f64)) -> Body {
    let node = 0.5 * (bar.from + bar.to);
    let node = match k {
        0 => bar.from,
        k if k == beam.elements.len() => bar.to,
        _ => node,
    };
    let before = k
        .checked_sub(1)
        .map(|e| (&beam.elements[e], bar.from, node));
    let after = beam.elements.get(k).map(|e| (e, node, bar.to));
    let halves: Vec<(f64, f64, f64)> = [before, after]
        .into_iter()
        .flatten()
        .map(|(element, from, to)| {
            let length = to - from;
            let middle = 0.5 * (from + to) - origin;
            (element.section.mass * length, middle, length)
        })
        .collect();
    let mass: f64 = halves.iter().map(|(m, ..)| m).sum();
    let center = halves.iter().map(|(m, x, _)| m * x).sum::<f64>() / mass;
    let about = |(m, x, l): &(f64, f64, f64)| m * (l * l / 12.0 + (x - center) * (x - center));
    let inertia = halves.iter().map(about).sum();
    let properties = MassProperties::planar(mass, [center, 0.0], inertia);
    let center = Vec3::new(center, 0.0, 0.0);
    let mut body = Body::new(
        name,
        properties.unwrap_or_else(|_| MassProperties::massless(center)),
    );
    body.origin = beam.origin.clone();
    body.shapes = vec![Shape {
        kind: ShapeKind::Bar {
            radius: beam.length() / 100.0,
            from: Vec3::new(bar.from - origin, 0.0, 0.0),
            to: Vec3::new(bar.to - origin, 0.0, 0.0),
        },
        pose: Pose::identity(),
    }];
    body
}

/// Returns a bar in its pose, moving with the beam as a rigid body.
fn placed(mut body: Body, frame: &Pose, velocity: Option<&Velocity0>, start: Vec3<f64>) -> Body {
    body.velocity = velocity.map(|given| Velocity0 {
        linear: given.linear + given.angular.cross(&(frame.p - start)),
        angular: given.angular,
    });
    body.at(*frame)
}

/// Adds the hinge at the midpoint of the element before bar `k`, with its spring.
fn add_hinge(name: &str, (k, beam): (usize, &Beam), between: [MarkerIndex; 2], model: &mut Model) {
    let arguments = Arguments::new(Space::Planar);
    let Some(Ok(hinge)) = Joint::build("revolute", &arguments) else {
        return;
    };
    let joint = model.add_joint(format!("{name}.hinge{k}"), hinge, between, &identity());
    model.joints[joint.0].origin = beam.origin.clone();
    let element = &beam.elements[k - 1];
    let stiffness = element.section.bending / element.length;
    let arguments = arguments
        .with("joint", FieldValue::Coordinate(joint, 0))
        .with("stiffness", FieldValue::Number(stiffness))
        .with(
            "damping",
            FieldValue::Number(stiffness * element.section.damping),
        );
    if let Some(Ok(spring)) = forces::build("joint-spring-damper", &arguments) {
        let force = model.add_force(format!("{name}.spring{k}"), spring);
        model.forces[force.0].origin = beam.origin.clone();
    }
}
