//! Robots in URDF: every kind of joint and element, invalid and damaged files.
#![allow(clippy::unwrap_used, clippy::panic, non_snake_case)]

use std::fs;
use std::path::{Path, PathBuf};

use biela_core::analysis::{Formulation, assemble};
use biela_core::joints::Joint;
use biela_core::math::rotation::about_axis;
use biela_core::math::{Mat3, Pose, Random, Vec3};
use biela_core::model::{JointLimits, Model, ShapeKind};
use biela_core::system::{Workspace, refresh_turns};
use biela_core::tree::{self, Tree, TreeLocation};
use biela_model::diagnostic::ReportStyle;
use biela_model::import::{Imported, urdf};
use biela_model::lower::{Overrides, parse};

const INERTIAL: &str = r#"<inertial>
  <origin xyz="0.1 -0.2 0.3" rpy="0.4 -0.5 0.6"/> <mass value="2"/>
  <inertia ixx="0.3" iyy="0.4" izz="0.5" ixy="0.01" ixz="0.02" iyz="-0.03"/>
</inertial>"#;

fn import(text: &str) -> Imported {
    urdf::import("robot.urdf", text, &urdf::UrdfOptions::default())
}

fn said(imported: &Imported) -> String {
    imported
        .diagnostics
        .render(&imported.sources, ReportStyle::Plain)
}

/// The model, without a word of the language.
fn model(imported: &Imported) -> Model {
    let text = imported.text.as_ref();
    let text = text.unwrap_or_else(|| panic!("{}", said(imported)));
    let loaded = parse("model.toml", text, &Overrides::default());
    let report = loaded
        .diagnostics
        .render(&loaded.sources, ReportStyle::Plain);
    assert!(!report.contains("error"), "{report}\n{text}");
    loaded.model.unwrap().model
}

/// A link `arm` on a base, with a joint of a kind and more in it.
fn one_joint(kind: &str, more: &str) -> String {
    format!(
        r#"<robot name="one"><link name="base"/><link name="arm">{INERTIAL}</link>
        <joint name="j" type="{kind}"><parent link="base"/><child link="arm"/>
        <origin xyz="0.5 0.6 0.7" rpy="0.1 0.2 0.3"/>{more}</joint></robot>"#
    )
}

/// X of `xyz` and `rpy`, by the formulas of the format written out: roll, pitch and yaw about fixed axes x, y, z.
fn pose(xyz: [f64; 3], [r, p, y]: [f64; 3]) -> Pose {
    let ((sr, cr), (sp, cp), (sy, cy)) = (r.sin_cos(), p.sin_cos(), y.sin_cos());
    let R = Mat3::new(
        cy * cp,
        cy * sp * sr - sy * cr,
        cy * sp * cr + sy * sr,
        sy * cp,
        sy * sp * sr + cy * cr,
        sy * sp * cr - cy * sr,
        -sp,
        cp * sr,
        cp * cr,
    );
    Pose::new(R, Vec3::from(xyz))
}

/// Where the body `arm` is at coordinates of the tree.
fn arm_at(model: &Model, q: &[f64]) -> Pose {
    let tree = Tree::spanning(model);
    let mut ws = tree::TreeWorkspace::new(&tree);
    tree::positions(&tree, &mut ws, q);
    let b = model.bodies.iter().position(|b| b.name == "arm").unwrap();
    tree::pose_of(&ws, &tree.places[b])
}

fn assert_same(a: &Pose, b: &Pose) {
    let apart = (a.R - b.R).norm() + (a.p - b.p).norm();
    assert!(apart < 1e-14, "{a:?}\n{b:?}");
}

#[test]
fn a_revolute_joint_rotates_the_child_about_its_axis_in_the_joint_frame() {
    let origin = pose([0.5, 0.6, 0.7], [0.1, 0.2, 0.3]);
    let limit = "<limit lower='-1' upper='2' velocity='3' effort='4'/>";
    for (kind, axis, more) in [
        ("revolute", [1.0, 0.0, 0.0], limit.to_owned()),
        (
            "revolute",
            [0.0, 0.6, -0.8],
            format!("<axis xyz='0 3 -4'/>{limit}"),
        ),
        (
            "continuous",
            [0.0, 0.0, 1.0],
            "<axis xyz='0 0 1'/>".to_owned(),
        ),
    ] {
        let model = model(&import(&one_joint(kind, &more)));
        let turn = about_axis(&Vec3::from(axis), 0.8);
        let expected = origin.then(&Pose::new(turn, Vec3::zeros()));
        assert_same(&arm_at(&model, &[0.8]), &expected);
    }
}

#[test]
fn a_prismatic_joint_slides_along_its_axis_whatever_its_length() {
    let origin = pose([0.5, 0.6, 0.7], [0.1, 0.2, 0.3]);
    let imported = import(&one_joint(
        "prismatic",
        "<axis xyz='0 3 4'/><limit lower='0.1' upper='0.4' velocity='1' effort='1'/>",
    ));
    assert!(said(&imported).contains("the axis of <joint> `j` has length 5.0000"));
    let model = model(&imported);
    let slide = Pose::new(Mat3::identity(), Vec3::new(0.0, 0.12, 0.16));
    assert_same(&arm_at(&model, &[0.2]), &origin.then(&slide));
    // zero is out of its limits
    assert_eq!(model.joints[0].initial[0].value, Some(0.1));
}

#[test]
fn a_planar_joint_moves_normal_to_its_axis_and_a_floating_one_with_six_dof() {
    let found = model(&import(&one_joint("planar", "<axis xyz='0 0 1'/>")));
    assert!(matches!(found.joints[0].joint, Joint::Planar(_)));
    let origin = pose([0.5, 0.6, 0.7], [0.1, 0.2, 0.3]);
    let motion = Pose::new(about_axis(&Vec3::z(), 0.3), Vec3::new(0.1, 0.2, 0.0));
    assert_same(&arm_at(&found, &[0.1, 0.2, 0.3]), &origin.then(&motion));
    // about another normal the child stays in the plane across it
    let tilted = model(&import(&one_joint("planar", "<axis xyz='0 0.6 0.8'/>")));
    let at = origin.inverse().then(&arm_at(&tilted, &[0.1, 0.2, 0.3]));
    assert!(at.p.dot(&Vec3::new(0.0, 0.6, 0.8)).abs() < 1e-14);
    assert!((at.p.norm() - 0.05_f64.sqrt()).abs() < 1e-14);
    let free = model(&import(&one_joint("floating", "")));
    assert!(matches!(free.joints[0].joint, Joint::Free(_)));
    let assembled = assemble(free, Formulation::Tree).unwrap();
    assert_eq!(assembled.state.v.len(), 6);
}

#[test]
fn inertia_is_rotated_from_the_inertial_frame_to_the_link_frame() {
    let model = model(&import(&one_joint("continuous", "")));
    let R = pose([0.0; 3], [0.4, -0.5, 0.6]).R;
    let given = Mat3::new(0.3, 0.01, 0.02, 0.01, 0.4, -0.03, 0.02, -0.03, 0.5);
    let mass = &model.bodies[0].mass;
    assert!((mass.inertia - R * given * R.transpose()).norm() < 1e-15);
    assert_eq!((mass.mass, mass.center), (2.0, Vec3::new(0.1, -0.2, 0.3)));
}

#[test]
fn limits_are_imported_and_empty_ranges_are_reported_and_ignored() {
    let limits = |text: &str| {
        let imported = import(&one_joint("revolute", text));
        (model(&imported).joints[0].limits, said(&imported))
    };
    let (found, report) = limits("<limit lower='-1' upper='2' velocity='3' effort='4'/>");
    assert_eq!(report, "");
    let expected = JointLimits {
        lower: -1.0,
        upper: 2.0,
        rate: 3.0,
        effort: 4.0,
    };
    assert_eq!(found, expected);
    let (found, report) = limits("<limit velocity='0' effort='inf'/>");
    assert_eq!(found, JointLimits::NONE);
    assert!(
        report.contains("the lower limit 0 is not less than the upper limit 0"),
        "{report}"
    );
    assert!(report.contains("`velocity` is 0"), "{report}");
    let (found, report) = limits("");
    assert_eq!(found, JointLimits::NONE);
    assert!(report.contains("<joint> `j` has no <limit>"), "{report}");
    // a joint that turns freely has no use for ends
    let text = "<limit lower='-1' upper='2' velocity='3' effort='4'/>";
    let imported = import(&one_joint("continuous", text));
    let found = model(&imported).joints[0].limits;
    assert_eq!(
        found,
        JointLimits {
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            ..expected
        }
    );
    assert!(said(&imported).contains("`lower` of <limit> is not used"));
}

#[test]
fn a_geared_rotor_becomes_armature() {
    let text = one_joint("continuous", "").replace(
        "</robot>",
        "<transmission name='t'><joint name='j'/><actuator name='m'><mechanicalReduction>50</mechanicalReduction>\
         <rotor_inertia value='2e-4'/></actuator></transmission></robot>",
    );
    let imported = import(&text);
    let armature = model(&imported).joints[0].armature;
    assert!((armature - 2500.0 * 2e-4).abs() < 1e-15);
}

#[test]
fn a_mimic_joint_is_coupled_and_starts_consistent_with_its_leader() {
    let text = format!(
        r#"<robot name="hand"><link name="palm"/><link name="a">{INERTIAL}</link><link name="b">{INERTIAL}</link>
        <link name="c">{INERTIAL}</link>
        <joint name="ja" type="revolute"><parent link="palm"/><child link="a"/><limit lower="0.5" upper="1" effort="1" velocity="1"/></joint>
        <joint name="jb" type="continuous"><parent link="a"/><child link="b"/><mimic joint="ja" multiplier="-2" offset="0.25"/></joint>
        <joint name="jc" type="prismatic"><parent link="b"/><child link="c"/><mimic joint="jb"/><limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
        </robot>"#
    );
    let model = model(&import(&text));
    let starts: Vec<f64> = model
        .joints
        .iter()
        .map(|j| j.initial[0].value.unwrap())
        .collect();
    assert_eq!(starts, [0.5, -0.75, -0.75]);
    assert_eq!(model.couplers.len(), 2);
    let assembled = assemble(model, Formulation::Tree).unwrap();
    assert_eq!(assembled.mobility.freedom, 1);
    for (q, expected) in assembled.state.q.iter().zip([0.5, -0.75, -0.75]) {
        assert!((q - expected).abs() < 1e-12);
    }
}

#[test]
fn fixed_massless_links_become_frames_with_their_shapes() {
    let text = format!(
        r#"<robot name="tool"><link name="world"/><link name="arm">{INERTIAL}</link>
        <link name="flange"><visual><origin xyz="0 0 1"/><geometry><sphere radius="0.1"/></geometry></visual></link><link name="tip"/>
        <joint name="j" type="continuous"><parent link="world"/><child link="arm"/></joint>
        <joint name="f" type="fixed"><parent link="arm"/><child link="flange"/><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/></joint>
        <joint name="t" type="fixed"><parent link="flange"/><child link="tip"/><origin xyz="0 0 0.5"/></joint></robot>"#
    );
    let imported = import(&text);
    assert_eq!(said(&imported), "");
    let model = model(&imported);
    assert_eq!((model.bodies.len(), model.joints.len()), (1, 1));
    let flange = pose([1.0, 2.0, 3.0], [0.1, 0.2, 0.3]);
    let marker = |name: &str| model.markers.iter().find(|m| m.name == name).unwrap().pose;
    assert_same(&marker("flange"), &flange);
    let tip = flange.then(&Pose::new(Mat3::identity(), Vec3::new(0.0, 0.0, 0.5)));
    assert_same(&marker("tip"), &tip);
    let shape = &model.bodies[0].shapes[0];
    let up = flange.then(&Pose::new(Mat3::identity(), Vec3::z()));
    assert_same(&shape.pose, &up);
    assert_eq!(
        model.robot.tool.map(|t| model.markers[t.0].name.as_str()),
        Some("tip")
    );
}

/// The angle of a joint was a turn off where the frames of its bodies were turned far against one another.
#[test]
fn mimic_joints_start_at_their_own_angle_for_any_orientation_of_their_frames() {
    for yaw in [3.1, -3.1] {
        for axis in ["0.5 -0.6 0.62", "0.5 0.6 0.62"] {
            let text = format!(
                r#"<robot name="turned"><link name="world"/><link name="base">{INERTIAL}</link><link name="a">{INERTIAL}</link>
                <link name="b">{INERTIAL}</link>
                <joint name="w" type="fixed"><parent link="world"/><child link="base"/><origin rpy="0 0 {yaw}"/></joint>
                <joint name="ja" type="continuous"><parent link="base"/><child link="a"/><axis xyz="{axis}"/></joint>
                <joint name="jb" type="continuous"><parent link="base"/><child link="b"/><mimic joint="ja"/></joint></robot>"#
            );
            let assembled = assemble(model(&import(&text)), Formulation::Tree).unwrap();
            let system = assembled.system.as_ref();
            let mut state = assembled.state.clone();
            let mut ws = Workspace::new(system);
            system.update(0.0, &state.q, &state.v, &state.turns, &mut ws.kinematics);
            refresh_turns(system.model(), &ws.kinematics, &mut state.turns);
            system.update(0.0, &state.q, &state.v, &state.turns, &mut ws.kinematics);
            system.constraints(&mut ws);
            assert!(ws.phi.iter().all(|r| r.abs() < 1e-12), "{:?}", ws.phi);
        }
    }
}

#[test]
fn a_massless_flywheel_keeps_its_inertia() {
    let text = one_joint("continuous", "").replace("<mass value=\"2\"/>", "<mass value=\"0\"/>");
    let imported = import(&text);
    let mass = model(&imported).bodies[0].mass;
    assert!(mass.mass == 0.0 && mass.inertia[(0, 0)] > 0.1);
    assert_eq!(said(&imported), "");
}

#[test]
fn a_massless_link_moves_if_the_links_it_carries_have_inertia() {
    let text = format!(
        r#"<robot name="wrist"><link name="base"/><link name="cross"/><link name="arm">{INERTIAL}</link>
        <joint name="a" type="continuous"><parent link="base"/><child link="cross"/></joint>
        <joint name="b" type="continuous"><parent link="cross"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"#
    );
    let imported = import(&text);
    assert_eq!(said(&imported), "");
    let free = model(&imported);
    assert_eq!(free.bodies[0].mass.mass, 0.0);
    assert_eq!(assemble(free, Formulation::Tree).unwrap().state.v.len(), 2);
    // about parallel axes through one point the two are indistinguishable
    let imported = import(&text.replace("<axis xyz=\"0 1 0\"/>", ""));
    let report = said(&imported);
    assert!(report.contains("<joint> `a` has zero inertia"), "{report}");
    assert_eq!(model(&imported).joints.len(), 1);
}

#[test]
fn a_floating_base_needs_inertia() {
    let text = "<robot name='dust'><link name='speck'/></robot>";
    let options = urdf::UrdfOptions {
        base: urdf::Base::Floating,
        ..urdf::UrdfOptions::default()
    };
    let report = said(&urdf::import("robot.urdf", text, &options));
    assert!(report.contains("error[no-inertia]"), "{report}");
    assert!(report.contains("robot.urdf:1:32"), "{report}");
}

#[test]
fn an_impossible_inertia_is_imported_with_a_warning() {
    let text = one_joint("continuous", "").replace("izz=\"0.5\"", "izz=\"1.5\"");
    let imported = import(&text);
    let report = said(&imported);
    assert!(
        report.contains("the inertia of <link> `arm` is physically impossible"),
        "{report}"
    );
    assert!((model(&imported).bodies[0].mass.inertia.trace() - 2.2).abs() < 1e-12);
}

#[test]
fn a_mesh_is_named_with_its_scale() {
    let mesh = "<visual><geometry><mesh filename='package://arm/link \"1\".stl' scale='0.001 0.001 -0.001'/></geometry></visual>";
    let text = one_joint("continuous", "").replace("</link>", &format!("{mesh}</link>"));
    let imported = import(&text);
    assert_eq!(said(&imported), "");
    let model = model(&imported);
    let expected = ShapeKind::Mesh {
        file: "package://arm/link \"1\".stl".to_owned(),
        scale: Vec3::new(0.001, 0.001, -0.001),
    };
    assert_eq!(model.bodies[0].shapes[0].kind, expected);
}

#[test]
fn joints_with_zero_inertia_are_locked_at_their_initial_position() {
    let text = format!(
        r#"<robot name="gripper"><link name="arm">{INERTIAL}</link><link name="finger"/><link name="follower">{INERTIAL}</link>
        <joint name="grip" type="prismatic"><parent link="arm"/><child link="finger"/><axis xyz="0 1 0"/>
        <limit lower="0.02" upper="0.08" effort="1" velocity="1"/></joint>
        <joint name="other" type="continuous"><parent link="arm"/><child link="follower"/><mimic joint="grip" offset="0.1"/></joint></robot>"#
    );
    let options = urdf::UrdfOptions {
        base: urdf::Base::Floating,
        ..urdf::UrdfOptions::default()
    };
    let imported = urdf::import("robot.urdf", &text, &options);
    let report = said(&imported);
    assert!(
        report.contains("<joint> `grip` has zero inertia"),
        "{report}"
    );
    assert!(
        report.contains("<joint> `other` follows a locked joint"),
        "{report}"
    );
    let model = model(&imported);
    let finger = model.markers.iter().find(|m| m.name == "finger").unwrap();
    assert_eq!(finger.pose.p, Vec3::new(0.0, 0.02, 0.0));
    let kinds: Vec<&str> = model.joints.iter().map(|j| j.joint.info().name).collect();
    assert_eq!(kinds, ["free", "weld"]);
}

#[test]
fn shapes_come_from_visual_or_collision_geometry() {
    let link = r#"<link name="base">
        <visual><geometry><box size="1 2 3"/></geometry></visual>
        <visual><origin rpy="0 0 0.5"/><geometry><cylinder radius="0.1" length="0.4"/></geometry></visual>
        <visual><geometry><capsule radius="0.1" length="0.4"/></geometry></visual>
        <visual><geometry><box size="0 0 0"/></geometry></visual>
        <collision><geometry><sphere radius="0.5"/></geometry></collision>
        </link><link name="arm">INERTIAL<collision><geometry><sphere radius="0.6"/></geometry></collision></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>"#;
    let text = format!(
        "<robot name='r'>{}</robot>",
        link.replace("INERTIAL", INERTIAL)
    );
    let imported = import(&text);
    let report = said(&imported);
    assert!(
        report.contains("<box> of `base` has a size of 0"),
        "{report}"
    );
    assert!(
        report.contains("<collision> in <link> is not used"),
        "{report}"
    );
    let shown = model(&imported);
    let kinds: Vec<bool> = shown
        .ground_shapes
        .iter()
        .map(|s| matches!(s.kind, ShapeKind::Cylinder { .. }))
        .collect();
    assert_eq!(kinds, [false, true, false]);
    // where a link has none of the kind that is asked for, the other stands in
    assert_eq!(shown.bodies[0].shapes.len(), 1);
    let options = urdf::UrdfOptions {
        shapes: urdf::Shapes::Collision,
        ..urdf::UrdfOptions::default()
    };
    let simple = model(&urdf::import("robot.urdf", &text, &options));
    assert_eq!(simple.ground_shapes.len(), 1);
}

#[test]
fn invalid_names_are_changed_and_the_original_names_are_noted() {
    let text = one_joint("continuous", "")
        .replace("\"j\"", "\"arm\"")
        .replace("\"base\"", "\"base.link/0\"");
    let imported = import(&text);
    let written = imported.text.clone().unwrap();
    assert!(written.contains("name = \"joint_arm\""), "{written}");
    assert!(written.contains("# `arm`"), "{written}");
    assert!(written.contains("points.base_link_0 = "), "{written}");
    let _ = model(&imported);
}

#[test]
fn unsupported_elements_are_listed_once_per_type() {
    let text = one_joint(
        "continuous",
        "<safety_controller k_velocity='1'/><calibration rising='0'/><dynamics damping='0' spring='3'/>",
    )
    .replace("</robot>", "<gazebo/>\n<gazebo reference='arm'/>\n<material name='red'/></robot>");
    let report = said(&import(&text));
    for kind in [
        "<safety_controller> in <joint> is not used",
        "<calibration> in <joint> is not used",
        "`spring` of <dynamics> is not used",
        "<gazebo> in <robot> is not used (2 times: lines 6, 7)",
        "<material> in <robot> is not used",
    ] {
        assert!(report.contains(kind), "{kind}\n{report}");
    }
    assert!(report.ends_with("5 warnings\n"), "{report}");
}

fn bad_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad-urdf");
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "urdf"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn bad_robots_give_the_golden_reports() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let paths = bad_files();
    assert!(paths.len() >= 10);
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let imported = urdf::import(&name, &text, &urdf::UrdfOptions::default());
        assert!(imported.text.is_none(), "{name}");
        for problem in imported.diagnostics.sorted() {
            assert!(problem.primary.is_some(), "{name}: {}", problem.message);
        }
        let report = said(&imported);
        let golden = path.with_extension("txt");
        if update {
            fs::write(&golden, &report).unwrap();
        } else if fs::read_to_string(&golden).unwrap_or_default() != report {
            wrong.push(format!("{name}\n{report}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "UPDATE_GOLDEN=1 rewrites\n{}",
        wrong.join("\n")
    );
}

/// A robot with some of everything.
fn rich() -> String {
    one_joint(
        "revolute",
        "<axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/><dynamics damping='1' friction='0.1'/>",
    )
    .replace(
        "</robot>",
        "<link name='b'><visual><geometry><box size='1 1 1'/></geometry></visual></link><link name='c'/>\
         <joint name='k' type='prismatic'><parent link='arm'/><child link='b'/><mimic joint='j' multiplier='2'/>\
         <limit lower='0' upper='1' effort='1' velocity='1'/></joint>\
         <joint name='l' type='fixed'><parent link='b'/><child link='c'/></joint>\
         <transmission name='t'><joint name='j'/><actuator name='m'><rotor_inertia value='1'/></actuator></transmission></robot>",
    )
}

#[test]
fn reading_a_mutated_robot_never_panics() {
    const WORDS: [&str; 24] = [
        "nan",
        "inf",
        "-1",
        "0",
        "1e308",
        "1e-320",
        "",
        "arm",
        "base",
        "j",
        "<",
        ">",
        "/>",
        "&",
        "&amp;",
        "\"",
        "'",
        "<link name='x'/>",
        "<!--",
        "]]>",
        "fixed",
        "floating",
        "\u{0}",
        "é",
    ];
    let text = rich();
    let whole = import(&text);
    assert!(!said(&whole).contains("error[xml]"));
    let mut random = Random::new(11);
    for _ in 0..1500 {
        let mut damaged = text.clone();
        for _ in 0..=random.below(3) {
            let (mut a, mut b) = (random.below(damaged.len()), random.below(40));
            b = (a + b).min(damaged.len());
            while !damaged.is_char_boundary(a) {
                a -= 1;
            }
            while !damaged.is_char_boundary(b) {
                b += 1;
            }
            match random.below(3) {
                0 => damaged.replace_range(a..b, ""),
                1 => damaged.insert_str(a, WORDS[random.below(WORDS.len())]),
                _ => {
                    let piece = damaged[a..b].to_owned();
                    let mut at = random.below(damaged.len());
                    while !damaged.is_char_boundary(at) {
                        at -= 1;
                    }
                    damaged.insert_str(at, &piece);
                }
            }
        }
        let imported = import(&damaged);
        assert_eq!(
            imported.text.is_none(),
            imported.diagnostics.has_errors(),
            "{damaged}"
        );
        let _ = said(&imported);
    }
}

#[test]
fn a_link_fixed_to_the_ground_has_a_pose_of_the_ground() {
    // bodies fixed to the ground belong to it
    let model = model(&import(&one_joint("fixed", "")));
    let tree = Tree::spanning(&model);
    let TreeLocation { link, pose: found } = tree.places[0];
    assert_eq!(link, None);
    assert_same(&found, &pose([0.5, 0.6, 0.7], [0.1, 0.2, 0.3]));
}

#[test]
fn a_wrong_scale_of_a_visual_mesh_does_not_reject_the_robot() {
    let scaled = |scale: &str| {
        let mesh = format!(
            "<visual><geometry><mesh filename='a.stl' scale='{scale}'/></geometry></visual>"
        );
        import(
            &one_joint("revolute", "")
                .replace("</inertial></link>", &format!("</inertial>{mesh}</link>")),
        )
    };
    let shapes = |imported: &Imported| {
        let model = model(imported);
        let body = model.bodies.iter().find(|b| b.name == "arm").unwrap();
        body.shapes
            .iter()
            .map(|s| s.kind.clone())
            .collect::<Vec<_>>()
    };
    let mesh = |scale: [f64; 3]| ShapeKind::Mesh {
        file: "a.stl".to_owned(),
        scale: Vec3::from(scale),
    };
    assert_eq!(
        shapes(&scaled("0.001 0.002 -0.003")),
        [mesh([0.001, 0.002, -0.003])]
    );
    assert_eq!(shapes(&scaled("0.001")), [mesh([0.001; 3])]);
    for scale in [
        "",
        "1 2",
        "1 1 1 1",
        "inf 1 1",
        "0,001 0,001 0,001",
        "${scale}",
    ] {
        let imported = scaled(scale);
        assert_eq!(shapes(&imported), [], "{scale}");
        assert!(said(&imported).contains("warning[bad-scale]"), "{scale}");
    }
    assert!(said(&scaled("0 0 0")).contains("warning[no-extent]"));
}

#[test]
fn an_xml_declaration_after_blank_lines_or_a_comment_does_not_reject_the_robot() {
    let robot = one_joint("revolute", "");
    let expected = import(&robot).text.unwrap();
    for before in ["\n", "<!-- from a program -->\n", "\u{feff}  \n"] {
        let imported = import(&format!("{before}<?xml version=\"1.0\"?>\n{robot}"));
        assert_eq!(
            imported.text.as_ref(),
            Some(&expected),
            "{}",
            said(&imported)
        );
    }
}
