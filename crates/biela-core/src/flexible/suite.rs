//! Properties of every element formulation, in the plane and in space: forces are gradients of the energy, tangents are derivatives of forces, and
//! rigid motion causes no strain.

use super::*;
use crate::math::rotation::{about, about_axis, cross, dot};
use crate::math::{Mat3, Random, Vec3};
use crate::model::BeamIndex;

const SECTION: Section = Section {
    axial: 7.0,
    bending: 3.0,
    mass: 1.25,
    damping: 0.0,
};
const DAMPED: Section = Section {
    damping: 0.3,
    ..SECTION
};
/// A bent element with non-uniform stretch.
const BENT: [f64; 8] = [0.1, -0.2, 0.9, 0.35, 0.83, 0.21, 0.75, 0.62];
const STRAIGHT: [f64; 8] = [0.0, 0.0, 1.0, 0.0, 0.8, 0.0, 1.0, 0.0];

fn named(name: &str) -> &'static dyn ElementKind {
    element_kind(name).unwrap()
}

/// Every formulation in the plane and in space.
fn all() -> Vec<(&'static dyn ElementKind, ElementStrains)> {
    let plane = ELEMENTS.iter().map(|k| (*k, k.plane().into()));
    let space = ELEMENTS
        .iter()
        .filter_map(|k| Some((*k, k.space()?.into())));
    plane.chain(space).collect()
}

/// The bent element; in space it leaves the plane.
fn bent(axes: usize) -> Vec<f64> {
    spread(&BENT, axes, [0.05, 0.2, -0.15, -0.3])
}

fn straight_one(axes: usize) -> Vec<f64> {
    spread(&STRAIGHT, axes, [0.0; 4])
}

/// Values in the plane, with components along z inserted if there are three axes.
fn spread(values: &[f64; 8], axes: usize, z: [f64; 4]) -> Vec<f64> {
    let pairs = values.chunks_exact(2).zip(z);
    let triples = pairs.flat_map(|(pair, z)| [pair[0], pair[1], z].into_iter().take(axes));
    triples.collect()
}

fn element(
    (kind, measuring): &(&'static dyn ElementKind, ElementStrains),
    section: Section,
    reference: &[f64],
) -> BeamElement {
    BeamElement::new(*measuring, 0.8, section, reference, 0.0, kind.points())
}

fn planar(name: &str, section: Section) -> BeamElement {
    let kind = named(name);
    element(&(kind, kind.plane().into()), section, &STRAIGHT)
}

fn force(element: &BeamElement, e: &[f64], rates: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; e.len()];
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
    let still = [0.0; 8];
    let measuring = named("structural").plane().into();
    let structural = BeamElement::new(measuring, 0.8, SECTION, &STRAIGHT, 0.0, [3, 3]);
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
    let green = planar("green-lagrange", SECTION);
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
    let forces = force(&planar("green-lagrange", soft), &BENT, &[0.0; 8]);
    for i in 0..4 {
        for axis in 0..2 {
            let sum: f64 = (0..4).map(|j| stiffness[i][j] * BENT[2 * j + axis]).sum();
            assert!((forces[2 * i + axis] - SECTION.axial / l * sum).abs() < 1e-13);
        }
    }
}

#[test]
fn forces_are_the_gradient_of_the_energy() {
    for kind in all() {
        let axes = kind.1.axes();
        let element = element(&kind, SECTION, &straight_one(axes));
        let exact = force(&element, &bent(axes), &vec![0.0; 4 * axes]);
        for i in 0..4 * axes {
            let h = 1e-5;
            let energy = |sign: f64| {
                let mut e = bent(axes);
                e[i] += sign * h;
                element.energy(&e)
            };
            let slope = (energy(1.0) - energy(-1.0)) / (2.0 * h);
            assert!((slope - exact[i]).abs() < 1e-8, "{kind:?} {i}");
        }
    }
}

#[test]
fn tangents_are_the_derivatives_of_forces_by_positions_and_velocities() {
    let mut random = Random::new(3);
    for kind in all() {
        let axes = kind.1.axes();
        let size = 4 * axes;
        let rates: Vec<f64> = (0..size).map(|_| random.symmetric(2.0)).collect();
        let reference: Vec<f64> = bent(axes).iter().map(|x| 0.9 * x).collect();
        let element = element(&kind, DAMPED, &reference);
        for (k, c) in [(1.0, 0.0), (0.0, 1.0)] {
            let mut exact = vec![0.0; size * size];
            element.add_tangent(&bent(axes), &rates, (k, c), &mut exact);
            let mut slopes = vec![0.0; size * size];
            for j in 0..size {
                let h = 1e-5;
                let side = |sign: f64| {
                    let (mut e, mut v) = (bent(axes), rates.clone());
                    e[j] += k * sign * h;
                    v[j] += c * sign * h;
                    force(&element, &e, &v)
                };
                let (ahead, behind) = (side(1.0), side(-1.0));
                for i in 0..size {
                    slopes[size * i + j] = (ahead[i] - behind[i]) / (2.0 * h);
                }
            }
            for i in 0..size {
                for j in 0..=i {
                    let symmetric = 0.5 * (slopes[size * i + j] + slopes[size * j + i]);
                    let error = (exact[size * i + j] - symmetric).abs();
                    assert!(error < 1e-6 * SECTION.axial, "{kind:?} {i} {j}: {error:e}");
                }
            }
        }
    }
}

/// Nodal values rotated, and positions translated.
fn moved(e: &[f64], by: &Vec3<f64>, turn: &Mat3<f64>) -> Vec<f64> {
    let axes = e.len() / 4;
    let of = |(k, values): (usize, &[f64])| {
        let vector = Vec3::new(values[0], values[1], values.get(2).copied().unwrap_or(0.0));
        let shift = if k % 2 == 0 { *by } else { Vec3::zeros() };
        let there = turn * vector + shift;
        there.iter().copied().take(axes).collect::<Vec<_>>()
    };
    e.chunks_exact(axes).enumerate().flat_map(of).collect()
}

/// Velocities of a rigid rotation about the origin.
fn turning(e: &[f64], omega: &Vec3<f64>) -> Vec<f64> {
    moved(e, &Vec3::zeros(), &crate::math::rotation::skew(omega))
}

/// Rotations and angular velocities, in the plane or in space.
fn turns(axes: usize) -> Vec<(Mat3<f64>, Vec3<f64>)> {
    [0.3, 2.0, -3.0]
        .map(|angle| {
            if axes == 2 {
                return (about(2, angle), Vec3::new(0.0, 0.0, 5.0));
            }
            let axis = Vec3::new(0.48, -0.6, 0.64);
            (about_axis(&axis, angle), Vec3::new(3.0, -1.0, 2.0))
        })
        .to_vec()
}

#[test]
fn a_rigid_motion_causes_no_force_and_forces_rotate_with_the_element() {
    let stiff = Section {
        axial: 1e9,
        bending: 1e4,
        mass: 1.0,
        damping: 0.1,
    };
    for kind in all() {
        let axes = kind.1.axes();
        let curved = element(&kind, stiff, &bent(axes)).curved();
        let reference = if curved {
            bent(axes)
        } else {
            straight_one(axes)
        };
        let element = element(&kind, stiff, &reference);
        let far = Vec3::new(3.0, -2.0, if axes == 2 { 0.0 } else { 1.0 });
        for (turn, omega) in turns(axes) {
            let e = moved(&reference, &far, &turn);
            let mut out = vec![0.0; e.len()];
            let power = element.add_force(&e, &turning(&e, &omega), 1.0, &mut out);
            let largest = out.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            assert!(
                largest < 1e-10 * stiff.axial * 10.0,
                "{kind:?}: {largest:e}"
            );
            assert!(power.abs() < 1e-10 * stiff.axial);
        }
        let strained: Vec<f64> = bent(axes).iter().map(|x| 1.01 * x).collect();
        let still = vec![0.0; strained.len()];
        let here = force(&element, &strained, &still);
        for (turn, _) in turns(axes) {
            let there = moved(&strained, &far, &turn);
            let turned = moved(&here, &Vec3::zeros(), &turn);
            let forces = force(&element, &there, &still);
            assert_near(&forces, &turned, 1e-9 * stiff.axial);
            assert!((element.energy(&there) / element.energy(&strained) - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn damping_dissipates_and_is_stiffness_times_strain_rate() {
    let mut random = Random::new(8);
    for kind in all() {
        let axes = kind.1.axes();
        let rates: Vec<f64> = (0..4 * axes).map(|_| random.symmetric(2.0)).collect();
        let (with, without) = (
            element(&kind, DAMPED, &straight_one(axes)),
            element(&kind, SECTION, &straight_one(axes)),
        );
        let mut out = vec![0.0; 4 * axes];
        let power = with.add_force(&bent(axes), &rates, 1.0, &mut out);
        let plain = force(&without, &bent(axes), &rates);
        let drag: f64 = (0..4 * axes).map(|i| -(out[i] - plain[i]) * rates[i]).sum();
        assert!(power < 0.0 && (power - drag).abs() < 1e-12 * power.abs());
    }
}

#[test]
fn a_bent_element_is_not_damped_by_a_rigid_motion() {
    for kind in all() {
        let axes = kind.1.axes();
        let element = element(&kind, DAMPED, &straight_one(axes));
        let e = bent(axes);
        for (_, omega) in turns(axes) {
            let power = element.add_force(&e, &turning(&e, &omega), 1.0, &mut [0.0; 12]);
            assert!(power.abs() < 1e-13, "{kind:?} {power:e}");
        }
    }
}

#[test]
fn an_element_bent_in_a_tilted_plane_equals_the_planar_element() {
    let tilt = about_axis(&Vec3::new(0.48, -0.6, 0.64), 1.3);
    let far = Vec3::new(0.3, -2.0, 1.0);
    for kind in ELEMENTS {
        let Some(space) = kind.space() else { continue };
        let flat = element(&(*kind, kind.plane().into()), SECTION, &STRAIGHT);
        let tilted = element(&(*kind, space.into()), SECTION, &straight_one(3));
        let there = moved(&spread(&BENT, 3, [0.0; 4]), &far, &tilt);
        assert!((flat.energy(&BENT) - tilted.energy(&there)).abs() < 1e-14);
        let forces: [f64; 8] = force(&flat, &BENT, &[0.0; 8]).try_into().unwrap();
        let expected = moved(&spread(&forces, 3, [0.0; 4]), &Vec3::zeros(), &tilt);
        assert_near(&force(&tilted, &there, &[0.0; 12]), &expected, 1e-13);
        let (mut flat_tangent, mut tilted_tangent) = ([0.0; 64], [0.0; 144]);
        flat.add_tangent(&BENT, &[0.0; 8], (1.0, 0.0), &mut flat_tangent);
        tilted.add_tangent(&there, &[0.0; 12], (1.0, 0.0), &mut tilted_tangent);
        let mut random = Random::new(4);
        for _ in 0..5 {
            let shift: [f64; 8] = std::array::from_fn(|_| random.symmetric(1.0));
            let turned = moved(&spread(&shift, 3, [0.0; 4]), &Vec3::zeros(), &tilt);
            let twice = |tangent: &[f64], d: &[f64]| -> f64 {
                let rows = tangent.chunks_exact(d.len()).zip(d);
                rows.map(|(row, x)| x * row.iter().zip(d).map(|(a, b)| a * b).sum::<f64>())
                    .sum()
            };
            let difference = twice(&flat_tangent, &shift) - twice(&tilted_tangent, &turned);
            assert!(difference.abs() < 1e-11, "{difference:e}");
        }
    }
}

/// A straight beam, in the plane or in space.
fn beams(kind: &str, elements: usize) -> [Beam; 2] {
    let (points, sections) = (named(kind).points(), vec![SECTION; elements]);
    let (nodes, length) = straight([0.2, 0.1], [1.0, 0.7], elements).unwrap();
    let plane = named(kind).plane();
    let flat = Beam::new("rod", plane, (&nodes, length), &sections, 0.0, points);
    let (nodes, length) = straight([0.2, 0.1, -0.3], [0.68, 0.7, 0.34], elements).unwrap();
    let space = named(kind).space().unwrap();
    let deep = Beam::new("rod", space, (&nodes, length), &sections, 0.0, points);
    [flat, deep]
}

#[test]
fn the_mass_matrix_is_the_integral_of_the_shape_functions() {
    for beam in beams("cable", 1) {
        let axes = beam.axes();
        let matrix = beam.mass_matrix();
        // every pair of coordinates on one axis; 5 points are exact for degree six
        for i in 0..4 * axes {
            for j in 0..=i {
                let integrand = |xi: f64| {
                    let s = hermite::shape(1.0, xi);
                    s[i / axes] * s[j / axes]
                };
                let points = quadrature::gauss(5).iter();
                let integral: f64 = points.map(|(xi, w)| w * integrand(*xi)).sum();
                let exact = if i % axes == j % axes {
                    SECTION.mass * integral
                } else {
                    0.0
                };
                let value = matrix.get(&(i, j)).copied().unwrap_or(0.0);
                assert!((value - exact).abs() < 1e-15, "{axes} {i} {j}");
            }
        }
    }
}

#[test]
fn a_rigidly_moving_beam_has_the_energies_and_momenta_of_a_rod() {
    for mut beam in beams("cable", 3) {
        let flat = beam.axes() == 2;
        let keep = |x: Vec3<f64>| if flat { Vec3::new(x[0], x[1], 0.0) } else { x };
        let velocity = keep(Vec3::new(0.3, -0.7, 0.4));
        let omega = if flat {
            Vec3::new(0.0, 0.0, 2.0)
        } else {
            Vec3::new(1.5, 0.5, 2.0)
        };
        beam.set_rigid_velocity(&velocity, &omega);
        let motion = beam.start();
        let (mass, length) = (beam.mass(), beam.length());
        assert!((length - 1.0).abs() < 1e-15 && (mass - SECTION.mass).abs() < 1e-15);
        let (center, along) = if flat {
            (Vec3::new(0.6, 0.4, 0.0), Vec3::new(0.8, 0.6, 0.0))
        } else {
            (Vec3::new(0.44, 0.4, 0.02), Vec3::new(0.48, 0.6, 0.64))
        };
        let v = velocity + cross(&omega, &center);
        let inertia = mass * length * length / 12.0;
        // a slender rod has no inertia about its own axis
        let across = omega - along * dot(&omega, &along);
        let kinetic = 0.5 * mass * dot(&v, &v) + 0.5 * inertia * dot(&across, &across);
        assert!((beam.kinetic_energy(&motion) - kinetic).abs() < 1e-14);
        let angular = cross(&center, &v) * mass + across * inertia;
        assert!((beam.angular_momentum(&motion) - angular).norm() < 1e-14);
        assert!((beam.sum(&motion.e) - center * mass).norm() < 1e-14);
        assert!((beam.sum(&motion.rates) - v * mass).norm() < 1e-14);
        let mut twice = 0.0;
        for ((i, j), value) in &beam.mass_matrix() {
            let factor = if i == j { 1.0 } else { 2.0 };
            twice += factor * value * motion.rates[*i] * motion.rates[*j];
        }
        assert!((0.5 * twice - kinetic).abs() < 1e-14);
        assert!(beam.strain_energy(&motion) < 1e-28);
    }
}

#[test]
fn weight_sums_to_mass_times_gravity_and_does_work_on_the_mass_centre() {
    for beam in beams("green-lagrange", 2) {
        let gravity = Vec3::new(0.5, -9.81, if beam.axes() == 2 { 0.0 } else { 2.0 });
        let mut out = vec![0.0; beam.num_coordinates()];
        let _ = beam.add_forces(&beam.start(), &gravity, &mut out);
        for axis in 0..beam.axes() {
            let total: f64 = out.iter().skip(axis).step_by(beam.node_size()).sum();
            assert!((total - gravity[axis] * beam.mass()).abs() < 1e-13);
        }
        let mut random = Random::new(5);
        let shift: Vec<f64> = out.iter().map(|_| random.symmetric(1.0)).collect();
        let work: f64 = out.iter().zip(&shift).map(|(f, d)| f * d).sum();
        assert!((work - dot(&gravity, &beam.sum(&shift))).abs() < 1e-12);
    }
}

#[test]
fn stations_move_rotate_and_transmit_loads_as_the_centreline_does() {
    for beam in beams("cable", 2) {
        let mut random = Random::new(9);
        let mut motion = beam.start();
        for x in motion.e.iter_mut().chain(&mut motion.rates) {
            *x += random.symmetric(0.3);
        }
        let accelerations: Vec<f64> = motion.e.iter().map(|_| random.symmetric(1.0)).collect();
        for distance in [0.0, 0.2, 0.5, 0.9, 1.0] {
            let station = Station::new(BeamIndex(0), &beam, distance);
            let here = station.motion(&motion);
            // time derivatives by finite differences along a motion of constant acceleration
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
            let tangent = |m: &StationMotion| m.slope / m.slope.norm();
            let turned = (tangent(&a) - tangent(&b)) / (2.0 * h);
            assert!((turned - cross(&here.omega(), &tangent(&here))).norm() < 1e-8);
            assert!(dot(&here.omega(), &tangent(&here)).abs() < 1e-14);
            let at = station.coordinates();
            let (linear, alpha) = station.acceleration(&here, &accelerations[at.clone()]);
            assert!(((a.omega() - b.omega()) / (2.0 * h) - alpha).norm() < 1e-7);
            assert!(((a.v - b.v) / (2.0 * h) - linear).norm() < 1e-8);
            // power of a load computed in two ways, and the derivative of the generalized force of a moment
            let flat = beam.axes() == 2;
            let load = Vec3::new(0.4, -1.3, if flat { 0.0 } else { 0.9 });
            let moment = if flat {
                Vec3::new(0.0, 0.0, 0.7)
            } else {
                Vec3::new(-0.2, 0.5, 0.7)
            };
            let mut out = vec![0.0; at.len()];
            station.add_load(&here, &load, &moment, &mut out);
            let rates = &motion.rates[at.clone()];
            let power: f64 = out.iter().zip(rates).map(|(f, v)| f * v).sum();
            let expected = dot(&load, &here.v) + dot(&moment, &here.omega());
            assert!((power - expected).abs() < 1e-13);
            for i in 0..at.len() {
                let (v, w) = station.column(&here, i);
                assert!((out[i] - dot(&load, &v) - dot(&moment, &w)).abs() < 1e-13);
                for j in 0..at.len() {
                    let slope = |i: usize, j: usize| {
                        let nearby = |sign: f64| {
                            let mut near = motion.clone();
                            near.e[at.start + j] += sign * h;
                            dot(&moment, &station.column(&station.motion(&near), i).1)
                        };
                        (nearby(1.0) - nearby(-1.0)) / (2.0 * h)
                    };
                    let symmetric = 0.5 * (slope(i, j) + slope(j, i));
                    let exact = station.turn_curvature(&here, &moment, i, j);
                    assert!((symmetric - exact).abs() < 1e-7);
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
}

#[test]
fn axes_of_a_station_follow_the_tangent_by_the_smallest_rotation_beyond_its_opposite() {
    let [_, beam] = beams("cable", 2);
    let station = Station::new(BeamIndex(0), &beam, 0.0);
    let mut motion = beam.start();
    let start = station.orientation(&station.motion(&motion));
    // z stays as close to the ground's z as the tangent permits
    assert!((start.column(0) - Vec3::new(0.48, 0.6, 0.64)).norm() < 1e-15);
    assert!(start[(2, 1)].abs() < 1e-15 && start[(2, 2)] > 0.0);
    let axis: Vec3<f64> = start.column(1).into();
    for angle in [0.4, 3.0, std::f64::consts::PI - 1e-10, std::f64::consts::PI] {
        let turn = about_axis(&axis, angle);
        let slope: Vec3<f64> = turn * start.column(0) * 1.2;
        motion.e[3..6].copy_from_slice(slope.as_slice());
        let now = station.orientation(&station.motion(&motion));
        assert!((now.transpose() * now - Mat3::identity()).norm() < 1e-14);
        assert!((now.determinant() - 1.0).abs() < 1e-14);
        assert!((now.column(0) - slope / 1.2).norm() < 1e-15);
        if angle < 3.1 {
            assert!((now - turn * start).norm() < 1e-14, "{angle}");
        }
    }
    let upright = straight([0.0; 3], [0.0, 0.0, -2.0], 2).unwrap();
    let kind = named("cable").space().unwrap();
    let hanging = Beam::new(
        "rope",
        kind,
        (&upright.0, upright.1),
        &[SECTION; 2],
        0.0,
        [3, 3],
    );
    let station = Station::new(BeamIndex(0), &hanging, 1.0);
    let axes = station.orientation(&station.motion(&hanging.start()));
    assert_eq!(axes.column(1), Vec3::new(0.0, 1.0, 0.0));
}

#[test]
fn internal_forces_are_those_of_the_deformation() {
    let section = Section {
        axial: 1e6,
        bending: 10.0,
        mass: 1.0,
        damping: 0.0,
    };
    let (tension, a) = (30.0, 1e-5);
    // a small deflection y = a x³: M = EI 6 a x, shear = −EI 6 a
    let check = |beam: &Beam, normal: usize, sign: f64| {
        let mut motion = beam.start();
        let axes = beam.axes();
        for node in motion.e.chunks_exact_mut(2 * axes) {
            let x = node[0];
            node[normal] = a * x * x * x;
            node[axes + normal] = 3.0 * a * x * x;
        }
        let station = Station::new(BeamIndex(0), beam, 1.3);
        let inside = beam.internal(&station, &motion);
        assert!((inside.moment - 10.0 * 6.0 * a * 1.3).abs() < 1e-9);
        assert!((inside.shear + sign * 10.0 * 6.0 * a).abs() < 1e-9);
        assert!((inside.axial - tension).abs() < 1e-2);
        assert!((inside.strain - tension / 1e6).abs() < 1e-8);
        assert!((inside.curvature - 6.0 * a * 1.3).abs() < 1e-10);
        let energy = beam.strain_energy(&beam.start());
        assert!((energy - 0.5 * tension * tension / 1e6 * 2.0).abs() < 1e-12);
    };
    for kind in ELEMENTS {
        let points = kind.points();
        let (nodes, l) = straight([0.0; 2], [2.0, 0.0], 4).unwrap();
        let flat = Beam::new(
            "rod",
            kind.plane(),
            (&nodes, l),
            &[section; 4],
            tension,
            points,
        );
        check(&flat, 1, 1.0);
        if let Some(kind) = kind.space() {
            let (nodes, l) = straight([0.0; 3], [2.0, 0.0, 0.0], 4).unwrap();
            let deep = Beam::new("rod", kind, (&nodes, l), &[section; 4], tension, points);
            // magnitudes, in any direction
            check(&deep, 1, -1.0);
            check(&deep, 2, -1.0);
        }
    }
}

#[test]
fn a_spatial_cable_starts_on_its_curve_with_bending_stress_and_no_stretch() {
    let helix = |k: u32| {
        let angle = f64::from(k) * 0.2;
        [angle.cos(), angle.sin(), 0.3 * angle]
    };
    let points: Vec<[f64; 3]> = (0..=20).map(helix).collect();
    let (nodes, length) = along_curve(&points, 16).unwrap();
    let whole = 4.0 * 1.09_f64.sqrt();
    assert!((16.0 * length - whole).abs() < 1e-4 * whole);
    let kind = named("cable").space().unwrap();
    let beam = Beam::new("coil", kind, (&nodes, length), &[SECTION; 16], 0.0, [3, 3]);
    // curvature of a helix of radius 1 and pitch 2π 0.3: 1/(1 + 0.3²)
    let bend = 0.5 * SECTION.bending * whole / (1.09 * 1.09);
    assert!((beam.strain_energy(&beam.start()) / bend - 1.0).abs() < 5e-3);
    let inside = beam.internal(&Station::new(BeamIndex(0), &beam, 2.0), &beam.start());
    assert!((inside.moment - SECTION.bending / 1.09).abs() < 1e-2 * inside.moment);
    assert!(inside.strain.abs() < 1e-15);
}
