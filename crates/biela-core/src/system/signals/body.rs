//! Signals of bodies and of named points.

use super::quantities::quantities;
use super::table::ChannelList;
use super::{Evaluation, Instant, beam};
use crate::math::Vec3;
use crate::math::rotation::{apply_transposed, cross, dot, parameters, to_dextral};
use crate::model::{BodyIndex, MarkerIndex, MassProperties, Signal};
use crate::system::{BodyMotion, EvaluationContext, MarkerMotion};

quantities! {
    /// Quantities of a body; positions and velocities are those of its frame's origin, in ground axes.
    BodyQuantity, at: &MovingBody<'_> {
        X "x" "m" Position "position along x" = at.position()[0],
        Y "y" "m" Position "position along y" = at.position()[1],
        Z "z" "m" Position "position along z (spatial)" = at.position()[2],
        Angle "angle" "rad" Position "angle, counted over turns (planar)" = at.motion.angle,
        E0 "e0" "1" Position "Euler parameter e0 (spatial)" = parameters(&at.motion.R)[0],
        E1 "e1" "1" Position "Euler parameter e1 (spatial)" = parameters(&at.motion.R)[1],
        E2 "e2" "1" Position "Euler parameter e2 (spatial)" = parameters(&at.motion.R)[2],
        E3 "e3" "1" Position "Euler parameter e3 (spatial)" = parameters(&at.motion.R)[3],
        Roll "rot_x" "rad" Position "dextral angle about x (spatial)" = to_dextral(&at.motion.R)[0],
        Pitch "rot_y" "rad" Position "dextral angle about y (spatial)" = to_dextral(&at.motion.R)[1],
        Yaw "rot_z" "rad" Position "dextral angle about z (spatial)" = to_dextral(&at.motion.R)[2],
        Vx "vx" "m/s" Velocity "velocity along x" = at.velocity()[0],
        Vy "vy" "m/s" Velocity "velocity along y" = at.velocity()[1],
        Vz "vz" "m/s" Velocity "velocity along z (spatial)" = at.velocity()[2],
        Omega "omega" "rad/s" Velocity "angular velocity (planar)" = at.motion.w[2],
        OmegaX "omega_x" "rad/s" Velocity "angular velocity about ground x (spatial)" = at.motion.w[0],
        OmegaY "omega_y" "rad/s" Velocity "angular velocity about ground y (spatial)" = at.motion.w[1],
        OmegaZ "omega_z" "rad/s" Velocity "angular velocity about ground z (spatial)" = at.motion.w[2],
        SpinX "spin_x" "rad/s" Velocity "angular velocity about the body's x (spatial)" = at.spin()[0],
        SpinY "spin_y" "rad/s" Velocity "angular velocity about the body's y (spatial)" = at.spin()[1],
        SpinZ "spin_z" "rad/s" Velocity "angular velocity about the body's z (spatial)" = at.spin()[2],
        Ax "ax" "m/s^2" Acceleration "acceleration along x" = at.acceleration(|(a, _)| a[0]),
        Ay "ay" "m/s^2" Acceleration "acceleration along y" = at.acceleration(|(a, _)| a[1]),
        Az "az" "m/s^2" Acceleration "acceleration along z (spatial)" = at.acceleration(|(a, _)| a[2]),
        Alpha "alpha" "rad/s^2" Acceleration "angular acceleration (planar)" = at.acceleration(|(_, alpha)| alpha[2]),
        AlphaX "alpha_x" "rad/s^2" Acceleration "angular acceleration about ground x (spatial)" = at.acceleration(|(_, alpha)| alpha[0]),
        AlphaY "alpha_y" "rad/s^2" Acceleration "angular acceleration about ground y (spatial)" = at.acceleration(|(_, alpha)| alpha[1]),
        AlphaZ "alpha_z" "rad/s^2" Acceleration "angular acceleration about ground z (spatial)" = at.acceleration(|(_, alpha)| alpha[2]),
        Kinetic "kinetic" "J" Velocity "kinetic energy" = kinetic_energy(&at.evaluation.context, at.number),
    }
}

/// A body at an instant.
pub(super) struct MovingBody<'a> {
    evaluation: &'a Evaluation<'a>,
    number: usize,
    motion: &'a BodyMotion,
    mass: &'a MassProperties,
}

impl MovingBody<'_> {
    /// From the mass centre to the origin of the body frame.
    fn origin(&self) -> Vec3<f64> {
        -(self.motion.R * self.mass.center)
    }

    fn position(&self) -> Vec3<f64> {
        self.motion.r + self.origin()
    }

    fn velocity(&self) -> Vec3<f64> {
        self.motion.v + cross(&self.motion.w, &self.origin())
    }

    /// The angular velocity in body axes.
    fn spin(&self) -> Vec3<f64> {
        apply_transposed(&self.motion.R, &self.motion.w)
    }

    /// A component of the acceleration of the body frame's origin and of the angular acceleration.
    fn acceleration(&self, component: impl Fn((Vec3<f64>, Vec3<f64>)) -> f64) -> f64 {
        self.evaluation.at_instant(|instant| {
            let marker = instant.system.signals().body_marker(self.number);
            component(marker_acceleration(instant, marker))
        })
    }
}

/// Returns the value of a signal of a body; zero for the ground.
pub(super) fn value(evaluation: &Evaluation<'_>, body: BodyIndex, q: BodyQuantity) -> f64 {
    body.number().map_or(0.0, |number| {
        q.value(&MovingBody {
            evaluation,
            number,
            motion: &evaluation.context.kinematics.bodies[number],
            mass: &evaluation.context.model.bodies[number].mass,
        })
    })
}

/// Returns the kinetic energy of a body.
pub(super) fn kinetic_energy(context: &EvaluationContext<'_>, b: usize) -> f64 {
    let motion = &context.kinematics.bodies[b];
    let mass = &context.model.bodies[b].mass;
    let w = apply_transposed(&motion.R, &motion.w);
    0.5 * (mass.mass * dot(&motion.v, &motion.v) + dot(&w, &(mass.inertia * w)))
}

quantities! {
    /// Quantities of a named point, in ground axes.
    PointQuantity, at: &MovingPoint<'_> {
        X "x" "m" Position "position along x" = at.motion().p[0],
        Y "y" "m" Position "position along y" = at.motion().p[1],
        Z "z" "m" Position "position along z (spatial)" = at.motion().p[2],
        Vx "vx" "m/s" Velocity "velocity along x" = at.motion().v[0],
        Vy "vy" "m/s" Velocity "velocity along y" = at.motion().v[1],
        Vz "vz" "m/s" Velocity "velocity along z (spatial)" = at.motion().v[2],
        Ax "ax" "m/s^2" Acceleration "acceleration along x" = at.acceleration(0),
        Ay "ay" "m/s^2" Acceleration "acceleration along y" = at.acceleration(1),
        Az "az" "m/s^2" Acceleration "acceleration along z (spatial)" = at.acceleration(2),
    }
}

/// A marker at an instant.
pub(super) struct MovingPoint<'a> {
    pub(super) evaluation: &'a Evaluation<'a>,
    pub(super) marker: MarkerIndex,
}

impl MovingPoint<'_> {
    fn motion(&self) -> MarkerMotion {
        self.evaluation.context.marker(self.marker)
    }

    fn acceleration(&self, axis: usize) -> f64 {
        let of = |instant: &Instant<'_>| marker_acceleration(instant, self.marker).0[axis];
        self.evaluation.at_instant(of)
    }
}

/// Returns the acceleration of a marker's origin and the angular acceleration of its body, in ground axes.
fn marker_acceleration(instant: &Instant<'_>, marker: MarkerIndex) -> (Vec3<f64>, Vec3<f64>) {
    let context = instant.context();
    let Some(b) = context.body_of(marker).number() else {
        return (Vec3::zeros(), Vec3::zeros());
    };
    let motion = &context.kinematics.bodies[b];
    let (a, alpha) = instant
        .system
        .body_acceleration(context.kinematics, instant.rates, b);
    let s = context.marker(marker).p - motion.r;
    (
        a + cross(&alpha, &s) + cross(&motion.w, &cross(&motion.w, &s)),
        alpha,
    )
}

/// Adds the signals of the bodies, stations of beams among them.
pub(super) fn list(channels: &mut ChannelList<'_>) {
    let bodies = channels.model.bodies.iter().enumerate();
    for (b, body) in bodies.filter(|(_, body)| !body.is_candidate) {
        let station = body.station.is_some();
        let of_body = BodyQuantity::ALL.iter();
        let of_body = of_body.filter(|q| !station || **q != BodyQuantity::Kinetic);
        channels.add_all(
            &body.name,
            of_body,
            |text| format!("{text} of {}", body.name),
            |q| Signal::Body(BodyIndex(b), q),
        );
        if station {
            beam::list_station(channels, BodyIndex(b));
        }
    }
}

/// Adds the signals of the named points of bodies.
pub(super) fn list_points(channels: &mut ChannelList<'_>) {
    let model = channels.model;
    for (m, marker) in model.markers.iter().enumerate() {
        let named = !marker.name.is_empty() && marker.body != BodyIndex::GROUND;
        if named && channels.wants(model.body_name(marker.body)) {
            let point = model.marker_name(MarkerIndex(m));
            channels.add_all(
                &point,
                PointQuantity::ALL,
                |text| format!("{text} of point {point}"),
                |q| Signal::Point(MarkerIndex(m), q),
            );
        }
    }
}
