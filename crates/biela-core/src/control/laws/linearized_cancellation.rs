use super::feedforward::Ahead;
use super::feedforward::averaged_field;
use super::{ControlLaw, ControlSample, DesignModel, InverseDynamics, LawKind};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::dense;
use crate::model::Space;
use crate::tree::{DynamicsDerivatives, rnea_derivatives};

/// Linearised cancellation: feedforward, and a feedback that gives small errors specified dynamics.
///
/// ```text
/// δf = A δq̈ + 2B δq̇ + C δq                          of the design model about the reference
/// δq̈ + 2 ΨᵀΩΨ δq̇ + Ω² δq = 0                        specified, Ω and Ψ diagonal: damping ratio Ψ²
/// τ = f + K_P δq + K_D δq̇      K_P = A Ω² − C      K_D = 2 A ΨᵀΩΨ − 2B      δq = q_r − q
/// ```
///
/// After L. Guo, J. Angeles (1989) in the form of F. A. M. Cipparrone, *Dynamic simulator for robot manipulators* (Universidade de São Paulo, 1991,
/// in Portuguese), whose program takes errors from the next point of the reference. One of its formulas has the feedback with the
/// opposite sign, `sign = "printed"`: that loop is unstable.
#[derive(Debug)]
pub struct LinearizedCancellation {
    /// Ω².
    squared: Vec<f64>,
    /// 2 ΨᵀΩΨ.
    damping: Vec<f64>,
    next: bool,
    /// +1, or −1 as printed.
    sign: f64,
    ahead: Ahead,
    derivatives: DynamicsDerivatives,
    /// Errors of position and velocity, and the resulting acceleration, in the order of the tree.
    dq: Vec<f64>,
    dv: Vec<f64>,
    answer: Vec<f64>,
    correction: Vec<f64>,
}

fields! { LinearizedCancellation {
    /// natural frequency Ω of the errors
    frequency: Gains { units: ["rad/s", "rad/s"] },
    /// damping Ψ of the errors; its square is the damping ratio
    damping: Gains { units: ["1", "1"] },
    /// reference point from which errors and gains are computed: that of the next sample, or of this one
    aim: Choice(&["next", "current"]) = "next",
    use averaged_field;
    /// sign of the feedback: the correct one, or the one printed in the source, with which the loop is unstable
    sign: Choice(&["right", "printed"]) = "right",
} }

impl LawKind for LinearizedCancellation {
    const INFO: Info = Info {
        name: "linearized-cancellation",
        aliases: &[],
        summary: "feedforward with gains from the design model linearised about the reference, for specified natural frequency and damping",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments, design: &DesignModel<'_>) -> Result<Self, ArgumentError> {
        design.fully_driven(Self::INFO.name)?;
        let omega = design.gains(arguments, "frequency")?;
        let psi = design.gains(arguments, "damping")?;
        let n = design.joints();
        Ok(LinearizedCancellation {
            squared: omega.iter().map(|w| w * w).collect(),
            damping: omega
                .iter()
                .zip(&psi)
                .map(|(w, p)| 2.0 * p * w * p)
                .collect(),
            next: arguments.word("aim") != "current",
            sign: if arguments.word("sign") == "printed" {
                -1.0
            } else {
                1.0
            },
            ahead: Ahead::new(arguments, design),
            derivatives: DynamicsDerivatives::new(&design.robot.tree),
            dq: vec![0.0; n],
            dv: vec![0.0; n],
            answer: vec![0.0; n],
            correction: vec![0.0; n],
        })
    }
}

impl ControlLaw for LinearizedCancellation {
    fn efforts(&mut self, sample: &ControlSample<'_>, _: &[f64], efforts: &mut [f64]) {
        let aim = sample.aim(self.next);
        self.ahead.efforts(sample, efforts);
        let InverseDynamics { robot, ws, .. } = &mut self.ahead.model;
        for (i, joint) in robot.joints.iter().enumerate() {
            let (e, rate) = (aim.q[i] - sample.q[i], aim.v[i] - sample.v[i]);
            self.dq[joint.v] = e;
            self.dv[joint.v] = rate;
            self.answer[joint.v] = self.squared[i] * e + self.damping[i] * rate;
        }
        robot.scatter_positions(&aim.q, &mut ws.q);
        robot.scatter(&aim.v, &mut ws.v);
        robot.scatter(&aim.a, &mut ws.a);
        let by = &mut self.derivatives;
        rnea_derivatives(&robot.tree, &mut ws.tree, &ws.q, &ws.v, &ws.a, by);
        // A (Ω² δq + 2 ΨᵀΩΨ δq̇) − C δq − 2B δq̇
        self.correction.fill(0.0);
        by.add_mass_product(&self.answer, &mut self.correction);
        let n = self.dq.len();
        for j in 0..n {
            let column = n * j..n * j + n;
            dense::add(&mut self.correction, -self.dq[j], &by.by_q[column.clone()]);
            dense::add(&mut self.correction, -self.dv[j], &by.by_v[column]);
        }
        for (joint, effort) in robot.joints.iter().zip(efforts) {
            *effort += self.sign * self.correction[joint.v];
        }
    }
}
