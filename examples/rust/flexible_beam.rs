//! A flexible cantilever: its deflection under its own weight and its first natural frequencies, compared with Euler–Bernoulli theory.
//!
//! `cargo run -p biela --example flexible_beam`
#![allow(clippy::print_stdout, unused_results)]

use std::error::Error;

use biela::core::flexible::{Beam, Profile, Section, element_kind, straight};
use biela::prelude::*;

/// Length, m, and number of elements.
const LENGTH: f64 = 1.0;
const ELEMENTS: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    // ANCHOR: model
    let mut model = Model::new("cantilever", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    // a steel strip, 20 mm wide and 10 mm high
    let profile = Profile::Rectangle {
        width: 0.02,
        height: 0.01,
    };
    let section = Section::new(&profile, 210e9, 7850.0);
    let kind = element_kind("cable").ok_or("no such element")?;
    // nodes along a line; a section for each element
    let (nodes, length) = straight([0.0, 0.0], [LENGTH, 0.0], ELEMENTS).ok_or("no line")?;
    let shape = (nodes.as_slice(), length);
    let sections = [section; ELEMENTS];
    let beam = Beam::new("strip", kind.plane(), shape, &sections, 0.0, kind.points());
    let beam = model.add_beam(beam);
    // stations are points of the beam to which joints and forces attach
    let root = model.add_station(beam, "root", 0.0);
    let tip = model.add_station(beam, "tip", LENGTH);
    let between = [MarkerIndex::GROUND, model.body_marker(root)];
    model.connect("clamp", Weld, between);
    // ANCHOR_END: model

    // ANCHOR: analysis
    // the study starts at the equilibrium, where the linear model gives the modes
    let mut study = Study::new(Space::Planar, 1.0, 0.01);
    study.analysis = Analysis::MotionFromEquilibrium;
    let mut simulation = simulate(model, &study)?;
    let sag = -simulation.read(Signal::Body(tip, BodyQuantity::Y))?;
    let linear = simulation.linearize(&LinearModelRequest::default())?;
    let frequencies: Vec<f64> = modes(&linear)?.iter().map(|mode| mode.value.im).collect();
    // ANCHOR_END: analysis

    let (ei, mass) = (section.bending, section.mass);
    let expected = mass * 9.81 * LENGTH.powi(4) / (8.0 * ei);
    println!(
        "deflection {:.4} mm, theory {:.4} mm",
        1e3 * sag,
        1e3 * expected
    );
    assert!((sag / expected - 1.0).abs() < 1e-3);
    for (found, factor) in frequencies
        .iter()
        .zip([1.875_104_f64, 4.694_091, 7.854_757])
    {
        let exact = factor.powi(2) * (ei / mass).sqrt() / LENGTH.powi(2);
        println!("natural frequency {found:9.4} rad/s, theory {exact:9.4} rad/s");
        assert!((found / exact - 1.0).abs() < 2e-3);
    }
    Ok(())
}
