//! A robot arm from URDF: its mass matrix by the composite-rigid-body algorithm and its inverse dynamics by the recursive Newton–Euler algorithm.
//!
//! `cargo run -p biela --example robot_arm`
#![allow(clippy::print_stdout, unused_results)]

use std::error::Error;

use biela::core::tree::{Tree, TreeWorkspace, crba, rnea};
use biela::model::import::urdf::{UrdfOptions, import};
use biela::model::lower::Overrides;
use biela::prelude::*;

/// Two links of 0.5 m along x that turn about y.
const URDF: &str = r#"
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0.25 0 0"/> <mass value="2"/>
      <inertia ixx="0.001" iyy="0.042" izz="0.042" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="fore">
    <inertial>
      <origin xyz="0.25 0 0"/> <mass value="1"/>
      <inertia ixx="0.001" iyy="0.021" izz="0.021" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="shoulder" type="continuous">
    <parent link="base"/> <child link="upper"/> <axis xyz="0 1 0"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/> <child link="fore"/> <axis xyz="0 1 0"/> <origin xyz="0.5 0 0"/>
  </joint>
</robot>"#;

fn main() -> Result<(), Box<dyn Error>> {
    // ANCHOR: dynamics
    // a robot description becomes the text of a model, which can be edited and read
    let text = import("arm.urdf", URDF, &UrdfOptions::default())
        .text
        .ok_or("invalid URDF")?;
    let job = biela::read("arm.toml", &text, ".".as_ref(), &Overrides::default())?;
    let tree = Tree::new(&job.model)?;
    let mut workspace = TreeWorkspace::new(&tree);
    let (q, v, a) = ([0.3, -0.8], [1.0, 2.0], [5.0, -3.0]);

    // M(q), of which the algorithm gives the lower triangle
    let mut mass = Matrix::zeros(tree.velocities, tree.velocities);
    crba(&tree, &mut workspace, &q, |i, j, value| {
        (mass[(i, j)], mass[(j, i)]) = (value, value);
    });
    // τ = M(q) v̇ + c(q, v), and c(q, v) alone
    let (mut torque, mut bias) = ([0.0; 2], [0.0; 2]);
    rnea(&tree, &mut workspace, &q, &v, &a, &[], &mut torque);
    rnea(&tree, &mut workspace, &q, &v, &[0.0; 2], &[], &mut bias);
    // ANCHOR_END: dynamics
    println!(
        "mass matrix:{mass:.6}torques {torque:.6?} N·m, of which {bias:.6?} N·m without acceleration"
    );

    // closed form: M₂₂ = I + m l², M₁₂ = M₂₂ + m L l cos q₂
    let m22 = 0.021 + 1.0 * 0.25_f64.powi(2);
    assert!((mass[(1, 1)] - m22).abs() < 1e-12);
    assert!((mass[(0, 1)] - (m22 + 0.5 * 0.25 * q[1].cos())).abs() < 1e-12);
    for i in 0..2 {
        let product = mass[(i, 0)] * a[0] + mass[(i, 1)] * a[1];
        assert!((torque[i] - product - bias[i]).abs() < 1e-12);
    }

    // the same from a simulation in joint coordinates; here the forces of the model would count too
    let study = Study::new(Space::Spatial, 1.0, 0.1).with_formulation(Formulation::Tree);
    let mut simulation = simulate(job.model, &study)?;
    simulation.reset_to(&q, &v)?;
    let mut again = [0.0; 2];
    simulation.inverse_dynamics(&a, &mut again)?;
    println!("by the simulation: {again:.6?} N·m");
    assert!((0..2).all(|i| (again[i] - torque[i]).abs() < 1e-10));
    Ok(())
}
