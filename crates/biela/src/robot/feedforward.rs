//! Inverse dynamics along a reference motion, separated by origin.

use biela_core::robot::Efforts;

use super::{History, RobotReference};

/// Returns the inertial, centripetal and Coriolis, gravity and total generalized forces of all joints along a reference motion.
pub fn feedforward(reference: &mut RobotReference, times: &[f64]) -> History {
    let mut history = History {
        times: times.to_vec(),
        ..History::default()
    };
    let words = [
        ("inertial", "for accelerations, M q̈"),
        ("coriolis", "for centripetal and Coriolis accelerations"),
        ("gravity", "against gravity"),
        ("total", "sum"),
    ];
    let columns = words.map(|(word, text)| {
        let add = |joint: &biela_core::robot::RobotJoint| {
            history.add(format!("{}.{word}", joint.name), joint.effort_unit(), text)
        };
        let joints = reference.robot.joints.iter();
        joints.map(add).collect::<Vec<usize>>()
    });
    let mut ws = reference.workspace();
    let mut efforts = Efforts::default();
    for &time in times {
        reference.at(time);
        let [q, rate, acceleration] = &reference.point;
        let robot = &reference.robot;
        robot.efforts(&mut ws, [q, rate, acceleration], &mut efforts);
        let parts = [
            &efforts.inertial,
            &efforts.coriolis,
            &efforts.gravity,
            &efforts.total,
        ];
        for (part, columns) in parts.into_iter().zip(&columns) {
            for (value, &column) in part.iter().zip(columns) {
                history.values[column].push(*value);
            }
        }
    }
    for list in &columns {
        history.draw(list);
    }
    history
}
