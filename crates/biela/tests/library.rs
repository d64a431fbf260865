//! The library as a program uses it: loading, mistakes, and errors as `main` prints them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::float_cmp, unused_results)]

use std::error::Error;
use std::fs;

use biela::core::model::Velocity0;
use biela::core::tree::{Tree, TreeError};
use biela::model::import::urdf::{Base, UrdfOptions};
use biela::model::lower::Overrides;
use biela::prelude::*;

fn add_rod(model: &mut Model, name: &str) -> BodyIndex {
    let mass = MassProperties::planar(2.0, [0.5, 0.0], 1.0 / 6.0).unwrap();
    model.add_body(Body::new(name, mass))
}

fn pendulum() -> (Model, JointIndex) {
    let mut model = Model::new("pendulum", Space::Planar);
    let rod = add_rod(&mut model, "rod");
    let between = [MarkerIndex::GROUND, model.body_marker(rod)];
    let pin = model.connect("pin", Revolute, between);
    (model, pin)
}

const URDF: &str = r#"<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0.25 0 0"/><mass value="2"/>
    <inertia ixx="0.001" iyy="0.042" izz="0.042" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
</robot>"#;

const MJCF: &str = r#"<mujoco model="arm"><worldbody><body name="upper">
  <inertial pos="0.25 0 0" mass="2" diaginertia="0.001 0.042 0.042"/>
  <joint name="shoulder" type="hinge" axis="0 1 0"/></body></worldbody></mujoco>"#;

#[test]
fn urdf_and_mjcf_are_loaded_by_their_extension() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("arm.urdf", URDF), ("arm.xml", MJCF), ("arm.MJCF", MJCF)] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let job = biela::load(&path).unwrap();
        let joints: Vec<&str> = job.model.joints.iter().map(|j| j.name.as_str()).collect();
        assert!(joints.contains(&"shoulder"), "{name}: {joints:?}");
        assert!(job.report.files().next().unwrap().name().ends_with(name));
        assert_eq!(Tree::new(&job.model).unwrap().velocities, 1);
    }
    let floating = UrdfOptions {
        base: Base::Floating,
        ..UrdfOptions::default()
    };
    let path = folder.path().join("floating.urdf");
    let heavy = r#"<link name="base"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>"#;
    fs::write(&path, URDF.replace(r#"<link name="base"/>"#, heavy)).unwrap();
    let job = biela::load_urdf(&path, &floating).unwrap();
    assert_eq!(Tree::new(&job.model).unwrap().velocities, 1 + 6);
}

#[test]
fn a_urdf_that_is_missing_or_invalid_is_an_error_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arm.urdf");
    let error = biela::load(&path).unwrap_err().to_string();
    assert!(error.contains("arm.urdf"), "{error}");
    fs::write(&path, URDF.replace("</robot>", "")).unwrap();
    let error = biela::load(&path).unwrap_err().to_string();
    assert!(error.contains("arm.urdf:"), "{error}");
}

#[test]
fn main_prints_the_text_of_an_error() {
    let errors: Vec<Box<dyn Error>> = vec![
        biela::read(
            "m.toml",
            "format = 1\nspaec = \"planar\"\n",
            ".".as_ref(),
            &Overrides::default(),
        )
        .unwrap_err()
        .into(),
        find_signal(&pendulum().0, "pin.angel").unwrap_err().into(),
        simulate(
            Model::new("empty", Space::Planar),
            &Study::new(Space::Planar, 1.0, 0.1),
        )
        .err()
        .unwrap()
        .into(),
        MassProperties::planar(-1.0, [0.0, 0.0], 1.0)
            .unwrap_err()
            .into(),
    ];
    for error in errors {
        // `fn main() -> Result<(), Box<dyn Error>>` prints "Error: " and this
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}

#[test]
fn the_joint_that_was_added_last_closes_the_loop() {
    // a four-bar linkage in every order of its joints
    for order in [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 0, 1], [1, 2, 3, 0]] {
        let mut model = Model::new("four-bar", Space::Planar);
        let rods = ["crank", "coupler", "rocker"].map(|name| add_rod(&mut model, name));
        let bodies = [
            BodyIndex::GROUND,
            rods[0],
            rods[1],
            rods[2],
            BodyIndex::GROUND,
        ];
        let tip = Pose::translation(1.0, 0.0, 0.0);
        for k in order {
            let between = [bodies[k], bodies[k + 1]].map(|body| model.add_marker("end", body, tip));
            model.connect(format!("pin {k}"), Revolute, between);
        }
        let Err(TreeError::Loop { joint }) = Tree::new(&model) else {
            panic!("the loop was accepted");
        };
        assert_eq!(joint, format!("pin {}", order[3]));
    }
}

#[test]
fn a_check_reports_every_invalid_field_of_an_element() {
    let (mut model, pin) = pendulum();
    let far = MarkerIndex(99);
    let spring = SpringDamper::new([MarkerIndex::GROUND, far]);
    model.add_force("spring", spring.stiffness(f64::NAN).length(f64::INFINITY));
    model.add_force("stop", JointDamping::new((pin, 3), f64::NAN));
    model.bodies[0].mass.mass = f64::NAN;
    model.bodies[0].mass.center.x = f64::INFINITY;
    let faults = model.check().unwrap_err();
    let found: Vec<(&str, &str)> = faults
        .list()
        .iter()
        .map(|fault| (fault.element.as_str(), fault.field))
        .collect();
    for wanted in [
        ("force `spring`", "between"),
        ("force `spring`", "stiffness"),
        ("force `spring`", "length"),
        ("force `stop`", "joint"),
        ("force `stop`", "damping"),
        ("body `rod`", "mass"),
        ("body `rod`", "com"),
    ] {
        assert!(found.contains(&wanted), "{wanted:?} is not in {found:?}");
    }
    let study = Study::new(Space::Planar, 1.0, 0.1)
        .with_integrator(Dopri5::new().tolerance(-1.0).max_step(f64::NAN));
    assert_eq!(study.check().unwrap_err().list().len(), 2);
}

#[test]
fn a_study_of_the_other_space_is_refused() {
    let (model, _) = pendulum();
    let study = Study::new(Space::Spatial, 1.0, 0.1);
    let error = simulate(model.clone(), &study).err().unwrap().to_string();
    assert!(error.contains("the study is spatial"), "{error}");
    let error = biela::run(Job::of(model, study)).unwrap_err().to_string();
    assert!(error.contains("the study is spatial"), "{error}");
}

#[test]
#[should_panic(expected = "one value per signal")]
fn a_buffer_that_is_too_short_panics() {
    let (model, _) = pendulum();
    let signals = ["pin.angle", "pin.rate"].map(|name| find_signal(&model, name).unwrap());
    let mut simulation = simulate(model, &Study::new(Space::Planar, 1.0, 0.1)).unwrap();
    let _ = simulation.observe(&signals, &mut [0.0]);
}

#[test]
fn an_initial_velocity_of_a_body_on_a_joint_takes_effect_or_is_noted() {
    let spinning = Velocity0 {
        linear: Vec3::zeros(),
        angular: Vec3::new(0.0, 0.0, 2.0),
    };
    let text = |initial: &str| {
        format!(
            "format = 1\nspace = \"planar\"\n[[body]]\nname = \"rod\"\nmass = 2\ninertia = 1\ncom = [0.5, 0]\nvelocity = [0, 0]\nomega = 2\n\
             [[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbetween = [\"ground\", \"rod\"]\ninitial = {{ {initial} }}\n[study]\nduration = 1\n"
        )
    };
    for (rate, initial) in [(None, "angle = 0.3"), (Some(0.0), "angle = 0.3, rate = 0")] {
        let (mut model, pin) = pendulum();
        model.bodies[0].velocity = Some(spinning);
        match rate {
            None => model.set_initial_value(pin, 0, 0.3),
            Some(rate) => model.set_initial(pin, 0, 0.3, rate),
        }
        let study = Study::new(Space::Planar, 1.0, 0.1);
        let simulation = simulate(model.clone(), &study).unwrap();
        let job = biela::read(
            "m.toml",
            &text(initial),
            ".".as_ref(),
            &Overrides::default(),
        );
        for job in [Job::of(model, study), job.unwrap()] {
            let run = biela::run(job).unwrap();
            assert_eq!(run.column("pin.angle").unwrap()[0], 0.3);
            assert_eq!(run.column("pin.rate").unwrap()[0], rate.unwrap_or(2.0));
            assert_eq!(run.assembly_notes.is_empty(), rate.is_none());
            assert_eq!(run.assembly_notes, simulation.assembly_notes());
        }
    }
}

#[derive(Debug)]
struct Powered;

impl Force for Powered {
    fn apply(&self, _: &EvaluationContext<'_>, _: &mut Loads) {}

    fn measures(&self) -> &'static [ForceMeasure] {
        const {
            &[ForceMeasure {
                name: "power",
                unit: "W",
                stage: Stage::Velocity,
                text: "electric power",
            }]
        }
    }
}

#[test]
fn a_name_belongs_to_one_signal() {
    let (mut model, pin) = pendulum();
    model.add_force("motor", Motor::new(pin).viscous(0.1));
    let mut names: Vec<String> = channels(&model).into_iter().map(|c| c.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    model.check().unwrap();
    model.add_force("powered", Powered);
    let faults = model.check().unwrap_err().to_string();
    assert!(faults.contains("measure `power`"), "{faults}");
}

#[test]
fn a_measure_whose_unit_is_unknown_is_a_warning() {
    let text = |measure: &str| {
        format!(
            "format = 1\nspace = \"planar\"\n[[body]]\nname = \"rod\"\nmass = 2\ninertia = 1\ncom = [0.5, 0]\n\
             [[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbetween = [\"ground\", \"rod\"]\n[study]\nduration = 1\n\
             [[measure]]\nname = \"peak\"\nof = \"rod.x\"\ntake = \"max\"\n[[measure]]\nname = \"span\"\n{measure}\n"
        )
    };
    for (measure, unit, warnings) in [
        ("value = \"peak + 1\"", "m", 0),
        ("value = \"2*peak\"", "1", 1),
        ("value = \"2*peak\"\nunit = \"m\"", "m", 0),
    ] {
        let job = biela::read("m", &text(measure), ".".as_ref(), &Overrides::default()).unwrap();
        assert_eq!(job.measures.list[1].unit, unit, "{measure}");
        assert_eq!(job.report.diagnostics.warnings(), warnings, "{measure}");
    }
}
