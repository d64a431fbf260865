//! The rigid four-bar mechanism of M. B. R. Fernandes (monograph, UFLA 2019) in three absolute angles, where M depends on q:
//!
//! ```text
//! M(q) q̈ + C_qᵀ λ = Q(t, q, q̇)        C(q) = 0
//! ```
//!
//! and the same mechanism as an ordinary planar model, where it does not.

use biela_core::analysis::{Assembled, Formulation, assemble};
use biela_core::element::FieldValue;
use biela_core::math::rotation::about;
use biela_core::math::{Jet, Pose, RowPattern, SymmetricPattern, Vec3};
use biela_core::model::{
    Body, BodyIndex, JointIndex, Law, MarkerIndex, MassProperties, Model, SignalFunction, Space,
};
use biela_core::system::{
    Loads, NotFinite, RowLabel, RowOwner, Sizes, State, System, SystemKinematics, SystemSignals,
    Workspace,
};

use crate::common::{at, force, joint, straight};

const MASS: [f64; 3] = [0.6811, 2.4740, 1.4700];
const G: f64 = 9.81;
/// Angles at the start, from the horizontal.
const START: [f64; 3] = [
    0.0,
    std::f64::consts::FRAC_PI_6,
    std::f64::consts::FRAC_PI_3,
];

/// Lengths of crank, coupler and follower; the printed digits of the last one do not close the loop.
fn lengths() -> [f64; 3] {
    [0.2, 0.9, 0.9 * START[1].sin() / START[2].sin()]
}

/// Where the follower stands on the ground.
fn foot() -> f64 {
    let [l1, l2, l3] = lengths();
    l1 + l2 * START[1].cos() - l3 * START[2].cos()
}

/// The moment on the crank; the branches meet at 5/18 s.
fn drive(t: f64) -> f64 {
    if t <= 0.2778 {
        10.0 * (3.0 * std::f64::consts::PI * t).sin()
    } else {
        465.883_829_8 * (-16.324_194 * t).exp()
    }
}

/// [`drive`] as a law of the model; its branches join smoothly, so it has no discontinuity.
#[derive(Debug)]
struct Drive;

impl SignalFunction for Drive {
    fn value(&self, time: f64, _: &[f64]) -> f64 {
        drive(time)
    }
    fn jet(&self, time: f64) -> Jet {
        Jet::new(drive(time), 0.0, 0.0)
    }
}

/// The mechanism as an ordinary planar model.
pub(crate) fn planar(driven: bool) -> Model {
    let space = Space::Planar;
    let mut model = Model::new("four-bar", space);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    let [l1, ..] = lengths();
    let corners = [[0.0, 0.0], [l1, 0.0], [foot(), 0.0]];
    let (mut roots, mut tips) = (Vec::new(), Vec::new());
    for i in 0..3 {
        let length = lengths()[i];
        let inertia = MASS[i] * length * length / 12.0;
        let mass = MassProperties::planar(MASS[i], [length / 2.0, 0.0], inertia).unwrap();
        let [x, y] = corners[i];
        let pose = Pose::new(about(2, START[i]), Vec3::new(x, y, 0.0));
        let body = model.add_body(Body::new(["crank", "coupler", "follower"][i], mass).at(pose));
        roots.push(model.body_marker(body));
        tips.push(model.add_marker("end", body, at(length, 0.0, 0.0)));
    }
    let foot = model.add_marker("foot", BodyIndex::GROUND, at(foot(), 0.0, 0.0));
    let pairs = [
        ("O", [MarkerIndex::GROUND, roots[0]]),
        ("A", [tips[0], roots[1]]),
        ("B", [tips[2], tips[1]]),
        ("P", [foot, roots[2]]),
    ];
    for (name, pair) in pairs {
        let _ = model.add_joint(name, joint("revolute", space), pair, &straight());
    }
    let law = Law::Function {
        inputs: [].into(),
        function: std::sync::Arc::new(Drive),
    };
    let value = if driven { law } else { Law::Constant(0.0) };
    let fields = [
        ("on", FieldValue::Marker(roots[0])),
        ("value", FieldValue::Law(value)),
    ];
    let _ = model.add_force("drive", force("torque", space, &fields));
    model
}

/// The equations in three angles; only joint B is an equation.
pub(crate) struct Angles {
    model: Model,
    driven: bool,
    rows: [RowLabel; 2],
    signals: SystemSignals,
    dense: SymmetricPattern,
    jacobian: RowPattern,
}

impl Angles {
    /// The system at its start, ready to run.
    pub(crate) fn assembled(driven: bool) -> Assembled {
        let mut assembled = assemble(planar(driven), Formulation::Absolute).unwrap();
        let row = |number| RowLabel {
            owner: RowOwner::Joint(JointIndex(2)),
            number,
            nonholonomic: false,
        };
        let mut jacobian = RowPattern::new();
        jacobian.push(0..3);
        jacobian.push(0..3);
        let (model, rows) = (planar(driven), [row(0), row(1)]);
        let system = Angles {
            signals: SystemSignals::new(&model, &rows),
            model,
            driven,
            rows,
            dense: SymmetricPattern {
                entries: vec![(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)],
            },
            jacobian,
        };
        let mut state = State::new(system.sizes());
        state.q.copy_from_slice(&START);
        (assembled.state, assembled.active) = (state, vec![true; 2]);
        assembled.system = std::sync::Arc::new(system);
        assembled
    }

    /// m₂ L₁ L₂ / 2.
    fn coupling() -> f64 {
        let [l1, l2, _] = lengths();
        0.5 * MASS[1] * l1 * l2
    }
}

fn angles(kinematics: &SystemKinematics) -> [f64; 3] {
    [0, 1, 2].map(|i| kinematics.bodies[i].angle)
}

fn speeds(kinematics: &SystemKinematics) -> [f64; 3] {
    [0, 1, 2].map(|i| kinematics.bodies[i].w.z)
}

impl System for Angles {
    fn model(&self) -> &Model {
        &self.model
    }
    fn sizes(&self) -> Sizes {
        Sizes {
            positions: 3,
            velocities: 3,
            rows: 2,
            works: 1,
            turns: 3 * self.model.joints.len(),
        }
    }
    fn rows(&self) -> &[RowLabel] {
        &self.rows
    }
    fn signals(&self) -> &SystemSignals {
        &self.signals
    }
    fn mass_pattern(&self) -> &SymmetricPattern {
        &self.dense
    }
    fn jacobian_pattern(&self) -> &RowPattern {
        &self.jacobian
    }
    fn armature_buffer(&self) -> usize {
        0
    }

    fn update(&self, time: f64, q: &[f64], v: &[f64], turns: &[f64], out: &mut SystemKinematics) {
        out.time = time;
        let mut ends = [Vec3::zeros(), Vec3::zeros(), Vec3::new(foot(), 0.0, 0.0)];
        let mut moving = [Vec3::zeros(); 3];
        for i in 0..3 {
            let (sin, cos) = q[i].sin_cos();
            let half = Vec3::new(cos, sin, 0.0) * (0.5 * lengths()[i]);
            let turned = Vec3::new(-half.y, half.x, 0.0) * v[i];
            let body = &mut out.bodies[i];
            body.R = about(2, q[i]);
            body.angle = q[i];
            body.w = Vec3::new(0.0, 0.0, v[i]);
            body.r = ends[i] + half;
            body.v = moving[i] + turned;
            if i == 0 {
                (ends[1], moving[1]) = (half * 2.0, turned * 2.0);
            }
        }
        out.update_joints(&self.model, turns);
    }

    fn velocities(&self, _: &[f64], rates: &[f64], out: &mut [f64]) {
        out.copy_from_slice(rates);
    }

    fn position_rates(&self, _: &[f64], v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(v);
    }
    fn implicit_positions(&self, known: &[f64], v: &[f64], c: f64, q: &mut [f64]) {
        for i in 0..3 {
            q[i] = known[i] + c * v[i];
        }
    }
    fn retract(&self, q: &mut [f64], delta: &[f64]) {
        for i in 0..3 {
            q[i] += delta[i];
        }
    }
    fn normalize(&self, _: &mut [f64]) {}

    fn mass(&self, ws: &mut Workspace) {
        let [t1, t2, _] = angles(&ws.kinematics);
        let l = lengths();
        let [i1, i2, i3] = [0, 1, 2].map(|i| MASS[i] * l[i] * l[i] / 12.0);
        ws.mass.copy_from_slice(&[
            i1 + 0.25 * MASS[0] * l[0] * l[0] + MASS[1] * l[0] * l[0],
            Self::coupling() * (t1 - t2).cos(),
            i2 + 0.25 * MASS[1] * l[1] * l[1],
            0.0,
            0.0,
            i3 + 0.25 * MASS[2] * l[2] * l[2],
        ]);
    }

    fn forces(&self, ws: &mut Workspace) -> Result<(), NotFinite> {
        let ([t1, t2, t3], [w1, w2, _]) = (angles(&ws.kinematics), speeds(&ws.kinematics));
        let [l1, l2, l3] = lengths();
        let moment = if self.driven {
            drive(ws.kinematics.time)
        } else {
            0.0
        };
        let k = Self::coupling() * (t1 - t2).sin();
        ws.force.copy_from_slice(&[
            moment - (MASS[0] + 2.0 * MASS[1]) * G * 0.5 * l1 * t1.cos() - k * w2 * w2,
            -MASS[1] * G * 0.5 * l2 * t2.cos() + k * w1 * w1,
            -MASS[2] * G * 0.5 * l3 * t3.cos(),
        ]);
        ws.power[0] = moment * w1;
        Ok(())
    }

    fn constraints(&self, ws: &mut Workspace) {
        let (t, w) = (angles(&ws.kinematics), speeds(&ws.kinematics));
        let l = lengths();
        let sign = [1.0, 1.0, -1.0];
        let (mut phi, mut gamma) = ([-foot(), 0.0], [0.0; 2]);
        for i in 0..3 {
            let (sin, cos) = t[i].sin_cos();
            let x = sign[i] * l[i];
            phi[0] += x * cos;
            phi[1] += x * sin;
            ws.jacobian[i] = -x * sin;
            ws.jacobian[3 + i] = x * cos;
            gamma[0] += x * cos * w[i] * w[i];
            gamma[1] += x * sin * w[i] * w[i];
        }
        ws.phi.copy_from_slice(&phi);
        ws.gamma.copy_from_slice(&gamma);
        ws.drift.fill(0.0);
        for row in 0..2 {
            ws.rate[row] = self.jacobian.row_times(row, &ws.jacobian, &w);
        }
    }

    fn tangent_pattern(&self) -> &SymmetricPattern {
        &self.dense
    }

    fn tangent(&self, ws: &mut Workspace, lambda: &[f64], k: f64, c: f64, out: &mut [f64]) {
        let ([t1, t2, t3], [w1, w2, _]) = (angles(&ws.kinematics), speeds(&ws.kinematics));
        let [l1, l2, l3] = lengths();
        let (s, cos) = ((t1 - t2).sin(), Self::coupling() * (t1 - t2).cos());
        let s = Self::coupling() * s;
        let pull = |t: f64| lambda[0] * t.cos() + lambda[1] * t.sin();
        // K of gravity, centrifugal terms and the curvature of the constraints, and the symmetric part of C
        let stiffness = [
            -(MASS[0] + 2.0 * MASS[1]) * G * 0.5 * l1 * t1.sin() + cos * w2 * w2 - l1 * pull(t1),
            -0.5 * cos * (w1 * w1 + w2 * w2),
            -MASS[1] * G * 0.5 * l2 * t2.sin() + cos * w1 * w1 - l2 * pull(t2),
            0.0,
            0.0,
            -MASS[2] * G * 0.5 * l3 * t3.sin() + l3 * pull(t3),
        ];
        for (i, value) in out.iter_mut().enumerate() {
            *value = ws.mass[i] + k * stiffness[i];
        }
        out[1] += c * s * (w2 - w1);
    }

    fn generalize(&self, kinematics: &SystemKinematics, loads: &Loads, out: &mut [f64]) {
        let (t, l) = (angles(kinematics), lengths());
        for (body, (force, torque)) in loads.force.iter().zip(&loads.torque).enumerate() {
            out[body] += torque.z;
            let mut turned = vec![(body, 0.5)];
            if body == 1 {
                turned.push((0, 1.0));
            }
            for (i, share) in turned {
                let (sin, cos) = t[i].sin_cos();
                out[i] += share * l[i] * (force.y * cos - force.x * sin);
            }
        }
    }

    fn body_columns(&self, body: usize) -> Vec<usize> {
        if body == 1 { vec![0, 1] } else { vec![body] }
    }

    fn body_acceleration(
        &self,
        kinematics: &SystemKinematics,
        rates: &[f64],
        body: usize,
    ) -> (Vec3<f64>, Vec3<f64>) {
        let (t, w, l) = (angles(kinematics), speeds(kinematics), lengths());
        let along = |i: usize, share: f64| {
            let (sin, cos) = t[i].sin_cos();
            let (turning, pulling) = (rates[i], w[i] * w[i]);
            Vec3::new(
                -sin * turning - cos * pulling,
                cos * turning - sin * pulling,
                0.0,
            ) * (share * l[i])
        };
        let root = if body == 1 {
            along(0, 1.0)
        } else {
            Vec3::zeros()
        };
        (root + along(body, 0.5), Vec3::new(0.0, 0.0, rates[body]))
    }

    /// Only joint B has multipliers, and nothing asks for reactions.
    fn settle(&self, _: &mut Workspace, _: &[f64], _: &[f64], _: &[f64]) {}

    fn coordinates(&self, kinematics: &SystemKinematics, q: &mut [f64], v: &mut [f64]) {
        q.copy_from_slice(&angles(kinematics));
        v.copy_from_slice(&speeds(kinematics));
    }
}
