//! What holds for every element kind: forces are the slope of the energy, tangents that of forces, rigid motion does nothing.

use super::element::SIZE;
use super::*;
use crate::math::{Random, Vec3};
use crate::model::BeamIndex;

const SECTION: Section = Section {
    axial: 7.0,
    bending: 3.0,
    mass: 1.25,
    damping: 0.0,
};
/// A bent element, stretched unevenly.
const BENT: [f64; SIZE] = [0.1, -0.2, 0.9, 0.35, 0.83, 0.21, 0.75, 0.62];
const STRAIGHT: [f64; SIZE] = [0.0, 0.0, 1.0, 0.0, 0.8, 0.0, 1.0, 0.0];

fn element(kind: &'static dyn ElementKind, section: Section, reference: &[f64]) -> Element {
    Element::new(kind, 0.8, section, reference, 0.0, kind.info().points)
}

fn named(name: &str) -> &'static dyn ElementKind {
    element_kind(name).unwrap()
}

fn force(element: &Element, e: &[f64], rates: &[f64]) -> [f64; SIZE] {
    let mut out = [0.0; SIZE];
    let _ = element.add_force(e, rates, 1.0, &mut out);
    out
}

fn assert_near(values: &[f64], expected: &[f64], tolerance: f64) {
    for (a, b) in values.iter().zip(expected) {
        assert!((a - b).abs() < tolerance, "{values:?} {expected:?}");
    }
}

/// Numbers of the S1 reference set: l = 0.8, EA = 7, EI = 3.
#[test]
fn forces_and_energies_have_the_reference_values() {
    let still = [0.0; SIZE];
    let structural = Element::new(named("structural"), 0.8, SECTION, &STRAIGHT, 0.0, [3, 3]);
    assert!((structural.energy(&BENT) - 0.197_468_903_817_319).abs() < 1e-14);
    let expected = [
        -0.870_992_21,
        0.628_454_40,
        0.314_853_61,
        -0.664_602_77,
        0.870_992_21,
        -0.628_454_40,
        -0.818_352_38,
        1.355_788_39,
    ];
    assert_near(&force(&structural, &BENT, &still), &expected, 1e-8);
    let green = element(named("green-lagrange"), SECTION, &STRAIGHT);
    let energy = 0.011_741_002_275_0 + 0.368_156_25;
    assert!((green.energy(&BENT) - energy).abs() < 1e-12);
    let expected = [
        -5.379_157_69,
        -1.800_548_14,
        -1.451_286_56,
        -1.659_089_07,
        5.379_157_69,
        1.800_548_14,
        -2.575_860_71,
        0.372_334_32,
    ];
    assert_near(&force(&green, &BENT, &still), &expected, 1e-8);
}

/// K_l of the closed forms of Berzeri and Shabana against quadrature.
#[test]
fn green_lagrange_stretch_has_its_closed_form() {
    let l = 0.8;
    let (d, a, b) = (
        [BENT[4] - BENT[0], BENT[5] - BENT[1]],
        [l * BENT[2], l * BENT[3]],
        [l * BENT[6], l * BENT[7]],
    );
    let dot = strain::dot;
    let (aa, bb, dd) = (dot(a, a), dot(b, b), dot(d, d));
    let (ab, ad, bd, ll) = (dot(a, b), dot(a, d), dot(b, d), l * l);
    let first = 3.0 / (70.0 * ll) * (aa + bb - 14.0 * ll - 6.0 * ad - 6.0 * bd + 24.0 * dd);
    let left = (bb - aa + 2.0 * ab - 14.0 * ll - 24.0 * ad + 36.0 * dd) / (280.0 * l);
    let right = (aa - bb + 2.0 * ab - 14.0 * ll - 24.0 * bd + 36.0 * dd) / (280.0 * l);
    let near = (12.0 * aa + bb - 3.0 * ab - 28.0 * ll + 3.0 * ad - 3.0 * bd + 18.0 * dd) / 420.0;
    let mixed = -(3.0 * aa + 3.0 * bb - 4.0 * ab - 14.0 * ll + 6.0 * ad + 6.0 * bd) / 840.0;
    let far = (aa + 12.0 * bb - 3.0 * ab - 28.0 * ll - 3.0 * ad + 3.0 * bd + 18.0 * dd) / 420.0;
    let stiffness = [
        [first, left, -first, right],
        [left, near, -left, mixed],
        [-first, -left, first, -right],
        [right, mixed, -right, far],
    ];
    // the printed entries for EA = 1
    for (value, expected) in [
        (first, 0.1152),
        (left, 0.011_480_892_857_1),
        (right, 0.011_249_464_285_7),
        (near, 0.002_232_428_571_43),
        (mixed, -8.257_142_857_14e-5),
        (far, 0.002_551_285_714_29),
    ] {
        assert!((value / l - expected).abs() < 1e-12, "{value} {expected}");
    }
    let soft = Section {
        bending: 0.0,
        ..SECTION
    };
    let forces = force(
        &element(named("green-lagrange"), soft, &STRAIGHT),
        &BENT,
        &[0.0; SIZE],
    );
    for i in 0..4 {
        for axis in 0..2 {
            let sum: f64 = (0..4).map(|j| stiffness[i][j] * BENT[2 * j + axis]).sum();
            assert!((forces[2 * i + axis] - SECTION.axial / l * sum).abs() < 1e-13);
        }
    }
}

#[test]
fn forces_are_the_slope_of_the_energy() {
    for kind in ELEMENTS {
        let element = element(*kind, SECTION, &STRAIGHT);
        let exact = force(&element, &BENT, &[0.0; SIZE]);
        for i in 0..SIZE {
            let h = 1e-5;
            let energy = |sign: f64| {
                let mut e = BENT;
                e[i] += sign * h;
                element.energy(&e)
            };
            let slope = (energy(1.0) - energy(-1.0)) / (2.0 * h);
            assert!((slope - exact[i]).abs() < 1e-8, "{kind:?} {i}");
        }
    }
}

#[test]
fn tangents_are_the_slope_of_forces_in_positions_and_rates() {
    let mut random = Random::new(3);
    let rates: [f64; SIZE] = std::array::from_fn(|_| random.symmetric(2.0));
    let damped = Section {
        damping: 0.3,
        ..SECTION
    };
    for kind in ELEMENTS {
        let curved = kind.info().curved;
        let reference = if curved {
            BENT.map(|x| 0.9 * x)
        } else {
            STRAIGHT
        };
        let element = element(*kind, damped, &reference);
        for (k, c) in [(1.0, 0.0), (0.0, 1.0)] {
            let mut exact = [[0.0; SIZE]; SIZE];
            element.add_tangent(&BENT, &rates, (k, c), &mut exact);
            let mut slopes = [[0.0; SIZE]; SIZE];
            for j in 0..SIZE {
                let h = 1e-5;
                let side = |sign: f64| {
                    let (mut e, mut v) = (BENT, rates);
                    e[j] += k * sign * h;
                    v[j] += c * sign * h;
                    force(&element, &e, &v)
                };
                let (ahead, behind) = (side(1.0), side(-1.0));
                for i in 0..SIZE {
                    slopes[i][j] = (ahead[i] - behind[i]) / (2.0 * h);
                }
            }
            for i in 0..SIZE {
                for j in 0..SIZE {
                    let symmetric = 0.5 * (slopes[i][j] + slopes[j][i]);
                    let error = (exact[i][j] - symmetric).abs();
                    assert!(error < 1e-6 * SECTION.axial, "{kind:?} {i} {j}: {error:e}");
                }
            }
        }
    }
}

/// An element moved as a rigid body, and how fast.
fn moved(e: &[f64; SIZE], by: [f64; 2], angle: f64, omega: f64) -> ([f64; SIZE], [f64; SIZE]) {
    let (s, c) = angle.sin_cos();
    let (mut out, mut rates) = ([0.0; SIZE], [0.0; SIZE]);
    for (k, pair) in e.chunks_exact(2).enumerate() {
        let turned = [c * pair[0] - s * pair[1], s * pair[0] + c * pair[1]];
        let shift = if k % 2 == 0 { by } else { [0.0; 2] };
        for axis in 0..2 {
            out[2 * k + axis] = turned[axis] + shift[axis];
        }
        rates[2 * k] = -omega * turned[1];
        rates[2 * k + 1] = omega * turned[0];
    }
    (out, rates)
}

#[test]
fn a_rigid_motion_needs_no_force_and_forces_turn_with_the_element() {
    let stiff = Section {
        axial: 1e9,
        bending: 1e4,
        mass: 1.0,
        damping: 0.1,
    };
    for kind in ELEMENTS {
        let reference = if kind.info().curved { BENT } else { STRAIGHT };
        let element = element(*kind, stiff, &reference);
        for angle in [0.3, 2.0, -3.0] {
            let (e, rates) = moved(&reference, [3.0, -2.0], angle, 5.0);
            let mut out = [0.0; SIZE];
            let power = element.add_force(&e, &rates, 1.0, &mut out);
            let largest = out.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            assert!(
                largest < 1e-10 * stiff.axial * 10.0,
                "{kind:?}: {largest:e}"
            );
            assert!(power.abs() < 1e-10 * stiff.axial);
        }
        let here = force(&element, &BENT.map(|x| 1.01 * x), &[0.0; SIZE]);
        let (there, _) = moved(&BENT.map(|x| 1.01 * x), [1.0, 2.0], 1.1, 0.0);
        let (turned, _) = moved(&here, [0.0; 2], 1.1, 0.0);
        let forces = force(&element, &there, &[0.0; SIZE]);
        assert_near(&forces, &turned, 1e-9 * stiff.axial);
        assert!(
            (element.energy(&there) / element.energy(&BENT.map(|x| 1.01 * x)) - 1.0).abs() < 1e-9
        );
    }
}

#[test]
fn damping_takes_power_and_is_the_rate_of_strain_times_stiffness() {
    let damped = Section {
        damping: 0.3,
        ..SECTION
    };
    let mut random = Random::new(8);
    let rates: [f64; SIZE] = std::array::from_fn(|_| random.symmetric(2.0));
    for kind in ELEMENTS {
        let (with, without) = (
            element(*kind, damped, &STRAIGHT),
            element(*kind, SECTION, &STRAIGHT),
        );
        let mut out = [0.0; SIZE];
        let power = with.add_force(&BENT, &rates, 1.0, &mut out);
        let plain = force(&without, &BENT, &rates);
        let drag: f64 = (0..SIZE).map(|i| -(out[i] - plain[i]) * rates[i]).sum();
        assert!(power < 0.0 && (power - drag).abs() < 1e-12 * power.abs());
    }
}

fn beam(kind: &str, elements: usize) -> Beam {
    let (nodes, length) = straight([0.2, 0.1], [1.0, 0.7], elements).unwrap();
    let sections = vec![SECTION; elements];
    Beam::new("rod", named(kind), (&nodes, length), &sections, 0.0, None)
}

#[test]
fn a_rigidly_moving_beam_has_the_energies_and_momenta_of_a_rod() {
    let mut beam = beam("cable", 3);
    let (velocity, omega) = ([0.3, -0.7], 2.0);
    beam.set_rigid_velocity(velocity, omega);
    let motion = beam.start();
    let (mass, length) = (beam.mass(), beam.length());
    assert!((length - 1.0).abs() < 1e-15 && (mass - SECTION.mass).abs() < 1e-15);
    let center = [0.6, 0.4];
    let v = [
        velocity[0] - omega * center[1],
        velocity[1] + omega * center[0],
    ];
    let inertia = mass * length * length / 12.0;
    let kinetic = 0.5 * mass * strain::dot(v, v) + 0.5 * inertia * omega * omega;
    assert!((beam.kinetic_energy(&motion) - kinetic).abs() < 1e-14);
    let angular = mass * strain::cross(center, v) + inertia * omega;
    assert!((beam.angular_momentum(&motion) - angular).abs() < 1e-14);
    assert_near(&beam.sum(&motion.e), &center.map(|x| mass * x), 1e-14);
    assert_near(&beam.sum(&motion.rates), &v.map(|x| mass * x), 1e-14);
    let mass_matrix = beam.mass_matrix();
    let mut twice = 0.0;
    for ((i, j), value) in &mass_matrix {
        let factor = if i == j { 1.0 } else { 2.0 };
        twice += factor * value * motion.rates[*i] * motion.rates[*j];
    }
    assert!((0.5 * twice - kinetic).abs() < 1e-14);
    assert!(beam.strain_energy(&motion) < 1e-28);
}

#[test]
fn weight_sums_to_mass_times_gravity_and_does_work_on_the_mass_centre() {
    let beam = beam("green-lagrange", 2);
    let gravity = Vec3::new(0.5, -9.81, 0.0);
    let mut out = vec![0.0; beam.num_coordinates()];
    let _ = beam.add_forces(&beam.start(), &gravity, &mut out);
    let positions = |axis: usize| -> f64 { out.iter().skip(axis).step_by(NODE).sum() };
    assert!((positions(0) - 0.5 * beam.mass()).abs() < 1e-13);
    assert!((positions(1) + 9.81 * beam.mass()).abs() < 1e-13);
    let mut random = Random::new(5);
    let shift: Vec<f64> = out.iter().map(|_| random.symmetric(1.0)).collect();
    let work: f64 = out.iter().zip(&shift).map(|(f, d)| f * d).sum();
    let sum = beam.sum(&shift);
    assert!((work - strain::dot([0.5, -9.81], sum)).abs() < 1e-12);
}

#[test]
fn stations_move_turn_and_pass_loads_on_as_the_centreline_does() {
    let beam = beam("cable", 2);
    let mut random = Random::new(9);
    let mut motion = beam.start();
    for x in motion.e.iter_mut().chain(&mut motion.rates) {
        *x += random.symmetric(0.3);
    }
    let accelerations: Vec<f64> = motion.e.iter().map(|_| random.symmetric(1.0)).collect();
    for distance in [0.0, 0.2, 0.5, 0.9, 1.0] {
        let station = Station::new(BeamIndex(0), &beam, distance);
        let here = station.motion(&motion);
        // rates by differences along a motion of constant acceleration
        let after = |h: f64| {
            let mut later = motion.clone();
            for i in 0..later.e.len() {
                later.e[i] += h * motion.rates[i] + 0.5 * h * h * accelerations[i];
                later.rates[i] += h * accelerations[i];
            }
            station.motion(&later)
        };
        let h = 1e-5;
        let (a, b) = (after(h), after(-h));
        assert!(((a.angle() - b.angle()) / (2.0 * h) - here.omega()).abs() < 1e-8);
        let at = station.coordinates();
        let (linear, alpha) = station.acceleration(&here, &accelerations[at.clone()]);
        assert!(((a.omega() - b.omega()) / (2.0 * h) - alpha).abs() < 1e-7);
        assert!(((a.v[0] - b.v[0]) / (2.0 * h) - linear[0]).abs() < 1e-8);
        // power of a load two ways, and the change of a moment's generalised force
        let (load, moment) = ([0.4, -1.3], 0.7);
        let mut out = vec![0.0; at.len()];
        station.add_load(&here, load, moment, &mut out);
        let power: f64 = out
            .iter()
            .zip(&motion.rates[at.clone()])
            .map(|(f, v)| f * v)
            .sum();
        let expected = strain::dot(load, here.v) + moment * here.omega();
        assert!((power - expected).abs() < 1e-13);
        for i in 0..at.len() {
            let [x, y, turn] = station.column(&here, i);
            assert!((out[i] - (load[0] * x + load[1] * y + moment * turn)).abs() < 1e-13);
            for j in 0..at.len() {
                let nearby = |sign: f64| {
                    let mut near = motion.clone();
                    near.e[at.start + j] += sign * h;
                    station.column(&station.motion(&near), i)[2]
                };
                let slope = (nearby(1.0) - nearby(-1.0)) / (2.0 * h);
                assert!((slope - station.angle_curvature(&here, i, j)).abs() < 1e-7);
            }
        }
        let nodes = if distance == 0.2 || distance == 0.9 {
            2
        } else {
            1
        };
        assert_eq!(station.nodes, nodes, "{distance}");
    }
}

#[test]
fn internal_forces_are_those_of_the_deformation() {
    for kind in ELEMENTS {
        let section = Section {
            axial: 1e6,
            bending: 10.0,
            mass: 1.0,
            damping: 0.0,
        };
        let (nodes, length) = straight([0.0; 2], [2.0, 0.0], 4).unwrap();
        let tension = 30.0;
        let beam = Beam::new("rod", *kind, (&nodes, length), &[section; 4], tension, None);
        // a small deflection y = a x³: M = EI 6 a x, shear = −EI 6 a
        let a = 1e-5;
        let mut motion = beam.start();
        for node in motion.e.chunks_exact_mut(NODE) {
            let x = node[0];
            node[1] = a * x * x * x;
            node[3] = 3.0 * a * x * x;
        }
        let station = Station::new(BeamIndex(0), &beam, 1.3);
        let inside = beam.internal(&station, &motion);
        assert!(
            (inside.moment - 10.0 * 6.0 * a * 1.3).abs() < 1e-9,
            "{kind:?}"
        );
        assert!((inside.shear + 10.0 * 6.0 * a).abs() < 1e-9);
        assert!((inside.axial - tension).abs() < 1e-2);
        assert!((inside.strain - tension / 1e6).abs() < 1e-8);
        assert!((inside.curvature - 6.0 * a * 1.3).abs() < 1e-10);
        let energy = beam.strain_energy(&beam.start());
        assert!((energy - 0.5 * tension * tension / 1e6 * 2.0).abs() < 1e-12);
    }
}
