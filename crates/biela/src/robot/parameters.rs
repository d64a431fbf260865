//! Base parameters of a robot, and their excitation by a motion.

use biela_core::model::Model;
use biela_core::robot::Robot;
use biela_core::robot::regressor::{BaseParameters, DynamicParameter, Excitation, Regressor};

use super::{RobotReference, WorkbenchError};

/// The base parameters of a robot, as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Identifiable {
    /// Formula and value of each combination, in SI units.
    pub combinations: Vec<(String, f64)>,
    /// Parameters without effect on any motion of the joints.
    pub idle: Vec<String>,
    /// The total number of parameters.
    pub parameters: usize,
    /// The excitation of the combinations by a motion.
    pub excitation: Option<Excitation>,
}

/// Returns the base parameters of a robot, with `drives` also those of rotors and friction. With a reference it also returns the excitation at the given number
/// of points.
pub fn identifiable(
    model: &Model,
    drives: bool,
    reference: Option<(&mut RobotReference, &[f64])>,
) -> Result<Identifiable, WorkbenchError> {
    let robot = Robot::of(model)?;
    let tree = &robot.tree;
    let mut regressor = Regressor::new(tree, drives);
    let base = BaseParameters::of(tree, &mut regressor);
    let values = base.values(&regressor.parameters(tree));
    let name = |parameter: DynamicParameter| describe(model, &robot, parameter);
    let formulas = base
        .groups
        .iter()
        .map(|group| base.formula(&regressor, group, name));
    let combinations = formulas.zip(values).collect();
    let idle = base.idle.iter().map(|&k| name(regressor.parameter(k)));
    let idle = idle.collect();
    let parameters = regressor.columns();
    let excitation = reference.map(|(reference, times)| {
        let motion: Vec<[Vec<f64>; 3]> = times
            .iter()
            .map(|&time| {
                reference.at(time);
                let [mut q, mut v, mut a] = [
                    vec![0.0; tree.positions],
                    vec![0.0; tree.velocities],
                    vec![0.0; tree.velocities],
                ];
                robot.scatter_positions(&reference.point[0], &mut q);
                robot.scatter(&reference.point[1], &mut v);
                robot.scatter(&reference.point[2], &mut a);
                [q, v, a]
            })
            .collect();
        base.excitation(tree, &mut regressor, &motion)
    });
    Ok(Identifiable {
        combinations,
        idle,
        parameters,
        excitation,
    })
}

/// `Izz(upper)` for a parameter of a link, `viscous(elbow)` for a parameter of a drive.
pub(super) fn describe(model: &Model, robot: &Robot, parameter: DynamicParameter) -> String {
    let of = match parameter.name {
        "armature" | "viscous" | "coulomb" => {
            let joint = robot.joints.iter().find(|joint| joint.v == parameter.of);
            joint.map(|joint| joint.name.as_str())
        }
        _ => {
            let on = |place: &biela_core::tree::TreeLocation| place.link == Some(parameter.of);
            let body = robot.tree.places.iter().position(on);
            body.map(|b| model.bodies[b].name.as_str())
        }
    };
    format!("{}({})", parameter.name, of.unwrap_or("?"))
}
