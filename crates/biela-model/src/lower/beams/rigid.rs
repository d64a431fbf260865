//! A beam that does not deform.

use biela_core::flexible::{Beam, Station};
use biela_core::math::rotation::about;
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{
    BeamIndex, Body, MarkerIndex, MassProperties, Model, Shape, ShapeKind, Velocity0,
};

use super::places::Place;
use crate::lower::names::{Names, Points};

/// The same beam as one body: its frame is that of the start.
pub(super) fn add_rigid(
    name: &str,
    beam: &Beam,
    places: Vec<Place<'_>>,
    model: &mut Model,
    names: &mut Names,
) {
    let at = |distance: f64| {
        let station = Station::new(BeamIndex(0), beam, distance);
        let motion = station.motion(&beam.start());
        let p = Vec3::new(motion.r[0], motion.r[1], 0.0);
        Pose::new(about(2, motion.angle()), p)
    };
    let frame = at(0.0);
    let mass = beam.mass();
    let sum = beam.sum(&beam.reference);
    let center = Vec3::new(sum[0] / mass, sum[1] / mass, 0.0);
    // the angular momentum of a turn about the origin by 1 rad/s is the inertia about it
    let mut turning = beam.clone();
    turning.set_rigid_velocity([0.0; 2], 1.0);
    let inertia = beam.angular_momentum(&turning.start()) - mass * center.norm_squared();
    let own = frame.inverse().point(&center);
    let properties = MassProperties::planar(mass, [own[0], own[1]], inertia);
    let mut body = Body::new(
        name,
        properties.unwrap_or(MassProperties {
            mass,
            center: own,
            inertia: Mat3::identity() * mass,
        }),
    );
    body.origin = beam.origin.clone();
    // what it looks like: slender bars from node to node
    let (length, pieces) = (beam.length(), beam.num_coordinates() / 4 - 1);
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
    let (v, e) = (&beam.velocity, &beam.reference);
    if v.iter().any(|x| *x != 0.0) {
        // r' is a unit vector at the start, where its rate is ω × r'
        let omega = e[2] * v[3] - e[3] * v[2];
        body.velocity = Some(Velocity0 {
            linear: Vec3::new(v[0], v[1], 0.0),
            angular: Vec3::new(0.0, 0.0, omega),
        });
    }
    let index = model.add_body(body.at(frame));
    names.settle(name, index.0);
    let mut points = Points::new(MarkerIndex(model.markers.len() - 1));
    for (place, distance, span) in places {
        let pose = frame.inverse().then(&at(distance));
        points.add(place, model.add_marker(place, index, pose), span);
    }
    names.bodies.push(points);
}
