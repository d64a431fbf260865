use super::{ControlLaw, ControlSample, DesignModel, InverseDynamics, LawKind};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::{LinearQuadratic, Matrix, RiccatiError};
use crate::model::Space;
use crate::tree::{DynamicsDerivatives, aba_derivatives};

/// Linear quadratic regulator about the configuration at the start of the reference.
///
/// ```text
/// ẋ = A x + B u,   x = (q − q_0, q̇)        of the design model at rest at q_0
/// τ = f(q_r, q̇_r, q̈_r) + K ((q_r, q̇_r) − (q, q̇))
/// ```
///
/// K is the optimal feedback for the cost `Σ xᵀ Q x + uᵀ R u` over the samples, with u held between them, or for the integral in continuous
/// time. Joints that are not actuated are stabilised by the others if the system is stabilizable: q_0 must be an equilibrium for them.
#[derive(Debug)]
pub struct Lqr {
    /// One row per driven joint; one column per position, then one per velocity. Stored by rows.
    gain: Vec<f64>,
    /// The driven joints.
    driven: Vec<usize>,
    model: InverseDynamics,
}

fields! { Lqr {
    /// weight of squared position errors, one per joint of the robot
    position_weight: Weights { units: ["1/m^2", "1/rad^2"] },
    /// weight of squared velocity errors, one per joint of the robot
    rate_weight: Weights { units: ["s^2/m^2", "s^2/rad^2"] } = "0",
    /// weight of squared forces or torques, one per driven joint
    effort_weight: Gains { units: ["1/N^2", "1/(N*m)^2"] },
    /// time in which the cost is defined: discrete, with forces and torques held between samples, or continuous
    design: Choice(&["sampled", "continuous"]) = "sampled",
} }

impl LawKind for Lqr {
    const INFO: Info = Info {
        name: "lqr",
        aliases: &[],
        summary: "linear quadratic regulator about the configuration at the start of the reference, also for underactuated robots",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments, design: &DesignModel<'_>) -> Result<Self, ArgumentError> {
        let problem = Self::problem(arguments, design)?;
        let found = if arguments.word("design") == "continuous" {
            problem.continuous()
        } else {
            problem.sampled(design.period).discrete()
        };
        let found = found.map_err(|error| ArgumentError {
            field: match error {
                RiccatiError::InputWeights => "effort_weight",
                _ => "position_weight",
            },
            message: error.to_string(),
        })?;
        Ok(Lqr {
            gain: found.gain.transpose().as_slice().to_vec(),
            driven: driven(design),
            model: InverseDynamics::new(design),
        })
    }
}

fn driven(design: &DesignModel<'_>) -> Vec<usize> {
    let all = 0..design.joints();
    all.filter(|&i| design.driven[i]).collect()
}

impl Lqr {
    /// Returns the linear model about the start of the reference, and the cost.
    pub fn problem(
        arguments: &Arguments,
        design: &DesignModel<'_>,
    ) -> Result<LinearQuadratic, ArgumentError> {
        let arguments = &*Self::INFO.complete(arguments)?;
        let (n, driven) = (design.joints(), driven(design));
        let m = driven.len();
        let weights = [
            design.per_joint(arguments, "position_weight")?,
            design.per_joint(arguments, "rate_weight")?,
        ];
        let efforts = design.gains(arguments, "effort_weight")?;
        let robot = &design.robot;
        let mut model = InverseDynamics::new(design);
        let mut hold = vec![0.0; n];
        model.gravity(&design.start.q, &mut hold);
        let scale = hold.iter().fold(1e-9_f64, |most, x| most.max(x.abs()));
        for (i, joint) in robot.joints.iter().enumerate() {
            if !design.driven[i] && hold[i].abs() > 1e-6 * scale.max(1e-3) {
                return Err(ArgumentError {
                    field: "law",
                    message: format!(
                        "joint `{}` is not driven, but needs {:.6} {} at the start of the reference: start at an equilibrium",
                        joint.name,
                        hold[i],
                        joint.effort_unit()
                    ),
                });
            }
        }
        let ws = &mut model.ws;
        robot.scatter(&hold, &mut ws.a);
        let tau = ws.a.clone();
        let still = vec![0.0; n];
        let mut by = DynamicsDerivatives::new(&robot.tree);
        aba_derivatives(
            &robot.tree,
            &mut ws.tree,
            &ws.q,
            &still,
            &tau,
            &mut ws.a,
            &mut by,
        );
        let v = |i: usize| robot.joints[i].v;
        let mut a = Matrix::zeros(2 * n, 2 * n);
        let mut b = Matrix::zeros(2 * n, m);
        let mut q = Matrix::zeros(2 * n, 2 * n);
        for i in 0..n {
            a[(i, n + i)] = 1.0;
            for j in 0..n {
                a[(n + i, j)] = by.by_q[n * v(j) + v(i)];
                a[(n + i, n + j)] = by.by_v[n * v(j) + v(i)];
            }
            for (k, &j) in driven.iter().enumerate() {
                b[(n + i, k)] = by.inverse[n * v(j) + v(i)];
            }
            q[(i, i)] = weights[0][i];
            q[(n + i, n + i)] = weights[1][i];
        }
        let r = Matrix::from_fn(m, m, |i, j| if i == j { efforts[driven[i]] } else { 0.0 });
        Ok(LinearQuadratic { a, b, q, r })
    }
}

impl ControlLaw for Lqr {
    fn efforts(&mut self, sample: &ControlSample<'_>, _: &[f64], efforts: &mut [f64]) {
        self.model.along(sample.now, efforts);
        let n = efforts.len();
        for (row, &joint) in self.gain.chunks_exact(2 * n).zip(&self.driven) {
            for j in 0..n {
                let (e, rate) = sample.error(j);
                efforts[joint] += row[j] * e + row[n + j] * rate;
            }
        }
    }
}
