//! Robots in URDF: the command.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::Place;

#[test]
fn a_robot_is_imported_to_stdout_or_to_a_new_file() {
    let place = Place::new();
    let robot =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/robots/ur-like/robot.urdf");
    place.write("robot.urdf", &std::fs::read_to_string(robot).unwrap());
    let printed = place.run(&["import", "urdf", "robot.urdf"]).exits(0);
    assert!(printed.out.contains("tool = \"wrist_3_link.tool0\"") && printed.err.is_empty());
    let _ = place
        .run(&["import", "urdf", "robot.urdf", "--out", "new/model.toml"])
        .exits(0)
        .says(&["wrote new/model.toml", "next: biela check new/model.toml"]);
    assert_eq!(place.text("new/model.toml"), printed.out);
    let _ = place.run(&["check", "new/model.toml", "--strict"]).exits(0);
    let floating = place
        .run(&["import", "urdf", "robot.urdf", "--base", "floating"])
        .exits(0);
    assert!(floating.out.contains("type = \"free\""));
    place.write("broken.urdf", "<robot name='r'><link name='a'></robot>");
    let _ = place
        .run(&["import", "urdf", "broken.urdf"])
        .exits(3)
        .says(&["</robot> closes <link>", "broken.urdf:1:32"]);
}
