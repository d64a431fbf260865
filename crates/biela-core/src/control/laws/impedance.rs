use super::{ControlLaw, ControlSample, DesignModel, InverseDynamics, LawKind};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::dense;
use crate::math::rotation::{rotation_vector, transposed_product};
use crate::math::spatial::Twist;
use crate::math::{Pose, Vec3};
use crate::model::Space;
use crate::tree::{
    Operational, TreeLocation, articulate, jacobian, pose_of, positions, velocities, velocity_of,
};

/// Impedance control: virtual springs and dampers connect the tool to its reference pose.
///
/// ```text
/// F = K (x_r − x) + D (ẋ_r − ẋ)        τ = Jᵀ F + g(q) − (1 − Jᵀ J̄ᵀ) d q̇        J̄ = M⁻¹ Jᵀ Λ
/// ```
///
/// x are position and orientation of the tool in ground axes; those of the reference follow from forward kinematics. The orientation error is the
/// rotation vector to the reference. In equilibrium a force F on the tool displaces it by K⁻¹F. Axes without stiffness and damping are not controlled.
/// Null-space motions, which do not move the tool, are damped by d without a force on the tool (O. Khatib, *IEEE Journal of Robotics and
/// Automation* 3 (1987) 43-53; N. Hogan, *ASME Journal of Dynamic Systems, Measurement, and Control* 107 (1985) 1-24).
#[derive(Debug)]
pub struct Impedance {
    tool: TreeLocation,
    /// The axes that have stiffness or damping.
    axes: Vec<ImpedanceAxis>,
    null_damping: Vec<f64>,
    model: InverseDynamics,
    columns: Vec<Twist>,
    /// The rows of J that belong to the axes.
    rows: Vec<f64>,
    inertia: Operational,
    forces: Vec<f64>,
    /// Damping in the order of the tree, and the part of it that exerts a force on the tool.
    damping: Vec<f64>,
    pushed: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct ImpedanceAxis {
    /// Whether it is a rotation about the axis and not a translation along it.
    turn: bool,
    /// Index of the axis: x, y or z.
    number: usize,
    stiffness: f64,
    damping: f64,
}

impl ImpedanceAxis {
    fn of(self, translation: &Vec3<f64>, rotation: &Vec3<f64>) -> f64 {
        if self.turn {
            rotation[self.number]
        } else {
            translation[self.number]
        }
    }
}

fields! { Impedance {
    /// point or frame to which the springs are attached; the robot's tool if omitted
    tool: Text = "",
    /// stiffness along the axes of the ground
    stiffness: Vector { unit: "N/m" },
    /// damping along the axes of the ground
    damping: Vector { unit: "N*s/m" },
    /// rotational stiffness
    turn_stiffness: Number { unit: "N*m/rad" } = "0",
    /// rotational damping
    turn_damping: Number { unit: "N*m*s/rad" } = "0",
    /// damping of null-space motions, which do not move the tool
    null_damping: Gains { units: ["N*s/m", "N*m*s/rad"] } = "0",
} }

impl LawKind for Impedance {
    const INFO: Info = Info {
        name: "impedance",
        aliases: &[],
        summary: "virtual springs and dampers from the tool to its reference pose, with gravity compensation",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments, design: &DesignModel<'_>) -> Result<Self, ArgumentError> {
        design.fully_driven(Self::INFO.name)?;
        let name = arguments.word("tool");
        let tool = if name.is_empty() {
            *design.robot.tool().map_err(|error| ArgumentError {
                field: "tool",
                message: error.to_string(),
            })?
        } else {
            design.frame("tool", &name)?
        };
        let [stiffness, damping] = ["stiffness", "damping"].map(|name| arguments.vector(name));
        let turns = ["turn_stiffness", "turn_damping"].map(|name| arguments.number(name));
        let fields = [
            ("stiffness", stiffness.min()),
            ("damping", damping.min()),
            ("turn_stiffness", turns[0]),
            ("turn_damping", turns[1]),
        ];
        for (field, least) in fields {
            if least < 0.0 {
                let message = format!("a value is {least}; it must be zero or more");
                return Err(ArgumentError { field, message });
            }
        }
        let along = (0..arguments.space.axes()).map(|axis| ImpedanceAxis {
            turn: false,
            number: axis,
            stiffness: stiffness[axis],
            damping: damping[axis],
        });
        let about = match arguments.space {
            Space::Planar => 2..3,
            Space::Spatial => 0..3,
        };
        let about = about.map(|axis| ImpedanceAxis {
            turn: true,
            number: axis,
            stiffness: turns[0],
            damping: turns[1],
        });
        let axes: Vec<ImpedanceAxis> = along
            .chain(about)
            .filter(|axis| axis.stiffness > 0.0 || axis.damping > 0.0)
            .collect();
        let n = design.joints();
        Ok(Impedance {
            tool,
            null_damping: design.gains(arguments, "null_damping")?,
            model: InverseDynamics::new(design),
            columns: vec![Twist::zero(); n],
            rows: vec![0.0; n * axes.len()],
            inertia: Operational::new(&design.robot.tree, axes.len()),
            forces: vec![0.0; axes.len()],
            pushed: vec![0.0; axes.len()],
            damping: vec![0.0; n],
            axes,
        })
    }
}

impl Impedance {
    /// Returns pose and velocity of the tool.
    fn tool_at(&mut self, q: &[f64], v: &[f64]) -> (Pose, Twist) {
        let InverseDynamics { robot, ws, .. } = &mut self.model;
        robot.scatter_positions(q, &mut ws.q);
        robot.scatter(v, &mut ws.v);
        velocities(&robot.tree, &mut ws.tree, &ws.q, &ws.v);
        (
            pose_of(&ws.tree, &self.tool),
            velocity_of(&ws.tree, &self.tool),
        )
    }
}

impl ControlLaw for Impedance {
    fn efforts(&mut self, sample: &ControlSample<'_>, _: &[f64], efforts: &mut [f64]) {
        self.model.gravity(sample.q, efforts);
        let (aim, aim_rate) = self.tool_at(&sample.now.q, &sample.now.v);
        let (is, rate) = self.tool_at(sample.q, sample.v);
        // R_r = exp(δ) R
        let turn = transposed_product(&aim.R.transpose(), &is.R.transpose());
        let turn = rotation_vector(&turn);
        let InverseDynamics { robot, ws, .. } = &mut self.model;
        let n = efforts.len();
        positions(&robot.tree, &mut ws.tree, &ws.q);
        jacobian(&robot.tree, &ws.tree, &self.tool, &mut self.columns);
        for (i, axis) in self.axes.iter().enumerate() {
            self.forces[i] = axis.stiffness * axis.of(&(aim.p - is.p), &turn)
                + axis.damping * axis.of(&(aim_rate.v - rate.v), &(aim_rate.w - rate.w));
            for (entry, column) in self.rows[n * i..].iter_mut().zip(&self.columns) {
                *entry = axis.of(&column.v, &column.w);
            }
        }
        // d q̇ without the part that exerts a force on the tool
        for (i, joint) in robot.joints.iter().enumerate() {
            self.damping[joint.v] = -self.null_damping[i] * sample.v[i];
        }
        if self.damping.iter().any(|x| *x != 0.0) {
            articulate(&robot.tree, &mut ws.tree);
            self.inertia.update(&robot.tree, &mut ws.tree, &self.rows);
            for (i, push) in self.pushed.iter_mut().enumerate() {
                *push = dense::dot(self.inertia.response(i), &self.damping);
            }
            self.inertia.solve(&mut self.pushed);
            for (force, push) in self.forces.iter_mut().zip(&self.pushed) {
                *force -= push;
            }
        }
        for (i, joint) in robot.joints.iter().enumerate() {
            efforts[i] += self.damping[joint.v];
            let pull = |(force, row): (&f64, &[f64])| force * row[joint.v];
            let rows = self.rows.chunks_exact(n);
            efforts[i] += self.forces.iter().zip(rows).map(pull).sum::<f64>();
        }
    }
}
