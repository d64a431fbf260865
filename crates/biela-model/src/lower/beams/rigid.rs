//! Rigid beams.

use biela_core::flexible::{Beam, Station};
use biela_core::math::rotation::unit;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{
    BeamIndex, Body, MarkerIndex, MassProperties, Model, Shape, ShapeKind, Velocity0,
};

use super::centreline::Attachment;
use super::stations::NamedStation;
use crate::lower::names::{NameIndex, Points};

/// Adds the beam as one body, whose frame is that of the start.
pub(super) fn add_rigid(
    name: &str,
    (beam, velocity): (Beam, Option<Velocity0>),
    places: Vec<NamedStation<'_>>,
    model: &mut Model,
    names: &mut NameIndex,
) -> Attachment {
    let at = |distance: f64| pose_at(&beam, distance);
    let frame = at(0.0);
    let mut body = Body::new(name, properties(&beam, &frame));
    body.origin = beam.origin.clone();
    // its appearance: slender bars from node to node
    let (length, pieces) = (beam.length(), beam.elements.len());
    let node = |k: usize| {
        frame
            .inverse()
            .point(&at(length * k as f64 / pieces as f64).p)
    };
    body.shapes = (0..pieces)
        .map(|k| Shape {
            kind: ShapeKind::Bar {
                radius: length / 100.0,
                from: node(k),
                to: node(k + 1),
            },
            pose: Pose::identity(),
        })
        .collect();
    body.velocity = velocity;
    let index = model.add_body(body.at(frame));
    names.settle(name, index.0);
    let mut points = Points::new(MarkerIndex(model.markers.len() - 1));
    for place in places {
        let pose = frame.inverse().then(&at(place.distance).then(&place.frame));
        let marker = model.add_marker(place.name, index, pose);
        points.add(place.name, marker, place.span);
    }
    names.bodies.push(points);
    Attachment::Bodies(Box::new(move |distance| {
        (index, frame.inverse().then(&pose_at(&beam, distance)))
    }))
}

/// The pose of the section at a distance from the start, in the reference shape.
fn pose_at(beam: &Beam, distance: f64) -> Pose {
    let station = Station::new(BeamIndex(0), beam, distance);
    let motion = station.motion(&beam.start());
    Pose::new(station.orientation(&motion), motion.r)
}

/// Mass, mass centre and inertia in the frame of the start.
fn properties(beam: &Beam, frame: &Pose) -> MassProperties {
    let mass = beam.mass();
    let center = beam.sum(&beam.reference) / mass;
    let own = frame.inverse().point(&center);
    // the angular momentum of a rotation with 1 rad/s about an axis through the mass centre is a column of the central inertia
    let column = |axis: usize| {
        let mut turning = beam.clone();
        let omega: Vec3<f64> = unit(axis);
        turning.set_rigid_velocity(&-omega.cross(&center), &omega);
        beam.angular_momentum(&turning.start())
    };
    if beam.axes() == 2 {
        let planar = MassProperties::planar(mass, [own[0], own[1]], column(2)[2]);
        return planar.unwrap_or_else(|_| MassProperties::massless(own));
    }
    let mut inertia = Mat3::from_columns(&[column(0), column(1), column(2)]);
    // a line has no inertia about itself, a beam has m 2 I/A, where I/A is EI/EA
    let mut before = 0.0;
    for element in &beam.elements {
        let station = Station::new(BeamIndex(0), beam, before + 0.5 * element.length);
        let along = station.motion(&beam.start()).slope.normalize();
        let section = &element.section;
        let about = element.mass() * 2.0 * section.bending / section.axial;
        inertia += along * along.transpose() * about;
        before += element.length;
    }
    MassProperties {
        mass,
        center: own,
        inertia: frame.R.transpose() * inertia * frame.R,
    }
}
