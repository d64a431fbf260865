//! Tests that every joint of the list passes, in every space it supports and with every kind of argument.
//!
//! The two views are tested against each other, and both against finite differences along motions. Arguments follow from the kinds of the fields, so a
//! new joint is tested as soon as it is listed.
#![allow(non_snake_case)]

use nalgebra::SMatrix;

use super::*;
use crate::element::{Field, FieldKind, FieldValue};
use crate::math::rotation::{about, dot, identity, matrix, skew, turned, zero3};
use crate::math::{Mat3, Random, Vec3};

pub(super) const POSES: usize = 200;

/// A joint with its arguments, in one space.
struct Case {
    label: String,
    space: Space,
    joint: Joint,
}

/// The values to test in a field; none if it is optional. Ropes, which have no equations while they are slack, are tested as unilateral constraints.
fn values(field: &Field) -> Vec<FieldValue> {
    match field.kind {
        FieldKind::Flag => vec![FieldValue::Flag(false)],
        FieldKind::Number { .. } if field.name == "restitution" => Vec::new(),
        FieldKind::Number { .. } => [-0.2, 0.0, 0.35].map(FieldValue::Number).to_vec(),
        FieldKind::Positive { .. } => [0.15, 1.7].map(FieldValue::Number).to_vec(),
        FieldKind::Words(words) => (0..1_usize << words.len())
            .map(|set| {
                let chosen = (0..words.len()).filter(|i| set & (1 << i) != 0);
                FieldValue::Words(chosen.map(|i| words[i].to_owned()).collect())
            })
            .collect(),
        FieldKind::Direction => Vec::new(),
        other => panic!("no values to try for {other:?}"),
    }
}

/// Every joint of the list with every set of arguments, in every space it supports.
fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for info in JOINTS {
        for &space in info.spaces {
            let mut sets = vec![Arguments::new(space)];
            for field in info.fields {
                let choices = values(field);
                if !choices.is_empty() {
                    sets = sets
                        .iter()
                        .flat_map(|set| {
                            choices
                                .iter()
                                .map(|value| set.clone().with(field.name, value.clone()))
                        })
                        .collect();
                }
            }
            for set in sets {
                let label = format!("{} {space:?} {set:?}", info.name);
                let joint = Joint::build(info.name, &set).unwrap().unwrap();
                all.push(Case {
                    label,
                    space,
                    joint,
                });
            }
        }
    }
    all
}

impl Case {
    /// Its own random numbers, independent of the other cases in the list.
    fn random(&self, seed: u64) -> Random {
        let word = self.label.bytes().fold(seed, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Random::new(word)
    }

    fn tree(&self) -> Option<TreeShape> {
        self.joint.shape(self.space).tree
    }

    fn across(&self, q: &[f64], v: &[f64]) -> Across {
        let mut out = Across::new();
        self.joint.across(self.space, q, v, &mut out);
        out
    }

    fn rows(&self, rel: &Relative) -> Vec<PoseFunction> {
        let mut out = JointEquations::new();
        self.joint.rows(self.space, rel, &mut out);
        out.as_slice().to_vec()
    }

    fn coordinates(&self) -> &[Coordinate] {
        self.joint.coordinates(self.space)
    }

    /// All coordinates at a relative pose.
    fn measured(&self, rel: &Relative) -> Vec<PoseFunction> {
        (0..self.coordinates().len())
            .map(|k| self.joint.coordinate(self.space, k, rel))
            .collect()
    }

    /// The range of coordinate `k` in both directions: several turns, except where the joint limits it.
    fn reach(&self, k: usize) -> f64 {
        match self.coordinates()[k].name {
            "bend_x" | "bend_y" => 1.2,
            "elevation" => 1.4,
            _ if self.coordinates()[k].angular => 20.0,
            _ => 2.0,
        }
    }

    /// Random tree coordinates and velocities.
    fn sample(&self, tree: TreeShape, random: &mut Random) -> (Vec<f64>, Vec<f64>) {
        let mut q: Vec<f64> = (0..tree.scalars)
            .map(|k| random.symmetric(self.reach(k)))
            .collect();
        if tree.rotation {
            q.extend(random.rotation());
        }
        let v = (0..tree.freedom()).map(|_| random.symmetric(1.5)).collect();
        (q, v)
    }

    /// The relative motion at tree coordinates, with the angles known within half a turn.
    fn relative(&self, q: &[f64], v: &[f64], random: &mut Random) -> (Across, Relative) {
        let across = self.across(q, v);
        let mut rel = Relative::at_rest(across.R, across.p);
        for k in 0..across.freedom {
            rel.v += across.Hv[k] * v[k];
            rel.w += across.Hw[k] * v[k];
        }
        let angular = (0..self.coordinates().len()).filter(|k| self.coordinates()[*k].angular);
        for (slot, k) in angular.enumerate() {
            rel.turns[slot] = q.get(k).copied().unwrap_or(0.0) + random.symmetric(3.0);
        }
        (across, rel)
    }
}

/// Runs a check at every seeded pose of every joint that has a tree view.
fn at_every_pose(
    seed: u64,
    mut check: impl FnMut(&Case, TreeShape, &[f64], &[f64], &Across, &Relative, &mut Random),
) {
    for case in cases() {
        let mut random = case.random(seed);
        let Some(tree) = case.tree() else { continue };
        for _ in 0..POSES {
            let (q, v) = case.sample(tree, &mut random);
            let (across, rel) = case.relative(&q, &v, &mut random);
            check(&case, tree, &q, &v, &across, &rel, &mut random);
        }
    }
}

const STEP: f64 = 1e-3;

/// First derivative at zero by fourth-order finite differences.
fn slope(f: impl Fn(f64) -> f64) -> f64 {
    slope_within(STEP, f)
}

fn slope_within(h: f64, f: impl Fn(f64) -> f64) -> f64 {
    (f(-2.0 * h) - 8.0 * f(-h) + 8.0 * f(h) - f(2.0 * h)) / (12.0 * h)
}

/// Second derivative at zero by fourth-order finite differences.
fn curvature(f: impl Fn(f64) -> f64) -> f64 {
    curvature_within(STEP, f)
}

fn curvature_within(h: f64, f: impl Fn(f64) -> f64) -> f64 {
    let sum = 16.0 * (f(-h) + f(h)) - f(-2.0 * h) - f(2.0 * h) - 30.0 * f(0.0);
    sum / (12.0 * h * h)
}

/// `exp([d])`.
fn exponential(d: &Vec3<f64>) -> Mat3<f64> {
    matrix(&turned(&[1.0, 0.0, 0.0, 0.0], d))
}

pub(super) fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(
        error <= tolerance * (1.0 + expected.abs()),
        "{what}: {found:e} instead of {expected:e}"
    );
}

/// A relative motion with known derivatives at s = 0: `p = p0 + s v + ½ s² a`, `R = exp(s w + ½ s² b) R0`.
///
/// The rotation vector d = s w + ½ s² b has d × ḋ of order s², so the angular velocity at zero is w and its derivative b.
pub(super) struct Path {
    pub(super) start: Relative,
    acceleration: Vec3<f64>,
    angular_acceleration: Vec3<f64>,
}

impl Path {
    /// A path from a random pose, on or off the constraint manifold, but in the plane for planar models.
    pub(super) fn random(space: Space, random: &mut Random) -> Self {
        let mut point = |scale: f64| {
            let x = random.vector(scale);
            match space {
                Space::Planar => Vec3::new(x[0], x[1], 0.0),
                Space::Spatial => x,
            }
        };
        let (p, v, acceleration) = (point(1.5), point(1.0), point(1.0));
        let mut turn = |scale: f64| {
            let x = random.vector(scale);
            match space {
                Space::Planar => Vec3::new(0.0, 0.0, x[2]),
                Space::Spatial => x,
            }
        };
        let (R, w, angular_acceleration) = (exponential(&turn(2.5)), turn(1.0), turn(1.0));
        let mut start = Relative {
            v,
            w,
            ..Relative::at_rest(R, p)
        };
        start.path.stretch = 1.2;
        start.path.bend = Vec3::new(0.1, -0.2, 0.3);
        Path {
            start,
            acceleration,
            angular_acceleration,
        }
    }

    fn at(&self, s: f64) -> Relative {
        let d = self.start.w * s + self.angular_acceleration * (0.5 * s * s);
        let rate = self.start.w + self.angular_acceleration * s;
        // angular velocity of exp(d): (1 + [d]/2 + [d]²/6 + [d]³/24 + …) ḋ, exact to rounding for the small d used here
        let D = skew(&d);
        let J = identity::<f64>() + D / 2.0 + D * D / 6.0 + D * D * D / 24.0;
        Relative {
            R: exponential(&d) * self.start.R,
            p: self.start.p + self.start.v * s + self.acceleration * (0.5 * s * s),
            v: self.start.v + self.acceleration * s,
            w: J * rate,
            turns: self.start.turns,
            path: self.start.path,
        }
    }

    /// `J·acceleration + bias`.
    fn second(&self, row: &PoseFunction) -> f64 {
        dot(&row.v, &self.acceleration) + dot(&row.w, &self.angular_acceleration) + row.bias
    }
}

#[test]
fn equations_hold_on_the_motion_of_the_tree_view_with_their_two_derivatives() {
    at_every_pose(1, |case, tree, _, _, across, rel, _| {
        let label = &case.label;
        assert_eq!(across.freedom, tree.freedom(), "columns of {label}");
        for (i, row) in case.rows(rel).iter().enumerate() {
            assert!(row.phi.abs() <= 1e-12, "residual {i} of {label}");
            for k in 0..across.freedom {
                let rate = dot(&row.v, &across.Hv[k]) + dot(&row.w, &across.Hw[k]);
                assert!(rate.abs() <= 1e-12, "row {i}, column {k} of {label}");
            }
            let turning = dot(&row.v, &across.bias_v) + dot(&row.w, &across.bias_w);
            assert!((turning + row.bias).abs() <= 1e-10, "bias {i} of {label}");
        }
    });
}

#[test]
fn equations_are_independent_and_leave_the_degrees_of_freedom_of_the_tree_view() {
    at_every_pose(2, |case, tree, _, _, _, rel, _| {
        let (label, rows) = (&case.label, case.rows(rel));
        let shape = case.joint.shape(case.space);
        assert_eq!(shape.position_rows, rows.len(), "rows of {label}");
        assert_eq!(rows.len(), case.space.freedom() - tree.freedom(), "{label}");
        let mut J = SMatrix::<f64, 6, 6>::zeros();
        for (i, row) in rows.iter().enumerate() {
            J.fixed_view_mut::<1, 3>(i, 0).copy_from(&row.v.transpose());
            J.fixed_view_mut::<1, 3>(i, 3).copy_from(&row.w.transpose());
        }
        assert!(J.iter().all(|x| x.is_finite()), "{label}: {J}");
        let singular = J.singular_values();
        let rank = singular.iter().filter(|x| **x > 1e-3).count();
        assert_eq!(rank, rows.len(), "{label}: {singular}");
    });
}

#[test]
fn equations_that_make_the_origins_coincide_come_first() {
    at_every_pose(10, |case, _, _, _, _, rel, _| {
        let mut rows = JointEquations::new();
        case.joint.rows(case.space, rel, &mut rows);
        let count = rows.coincident();
        assert!(count == 0 || count == case.space.axes(), "{}", case.label);
        for (i, row) in rows.as_slice()[..count].iter().enumerate() {
            assert_eq!(*row, PoseFunction::translation(rel, i), "{}", case.label);
        }
    });
}

#[test]
fn derivatives_of_equations_and_coordinates_match_differences_along_any_motion() {
    for case in cases() {
        let mut random = case.random(3);
        let position_rows = case.joint.shape(case.space).position_rows;
        let mut checked = 0;
        for _ in 0..POSES {
            let mut path = Path::random(case.space, &mut random);
            // keep the angles of the start, off by less than half a turn
            let angles = case.measured(&path.start);
            let angular = (0..angles.len()).filter(|k| case.coordinates()[*k].angular);
            for (slot, k) in angular.enumerate() {
                path.start.turns[slot] = angles[k].phi + random.symmetric(3.0);
            }
            let functions = |rel: &Relative| {
                let mut all = case.rows(rel);
                all.truncate(position_rows);
                all.extend(case.measured(rel));
                all
            };
            let rows = functions(&path.start);
            // near a singular pose of an angle, finite differences are inaccurate
            let steep = |row: &PoseFunction| {
                row.w.norm() > 5.0 || row.v.norm() > 5.0 || row.bias.abs() > 50.0
            };
            // skip also where doubling the step changes the difference quotient
            let bent = |i: usize| {
                let value = |s: f64| functions(&path.at(s))[i].phi;
                let slopes = slope(value) - slope_within(2.0 * STEP, value);
                let curvatures = curvature(value) - curvature_within(2.0 * STEP, value);
                slopes.abs() > 1e-7 || curvatures.abs() > 1e-6
            };
            if rows.iter().any(steep) || (0..rows.len()).any(bent) {
                continue;
            }
            checked += 1;
            for (k, row) in case.measured(&path.start).iter().enumerate() {
                let alone = case.joint.direction(case.space, k, &path.start);
                let apart = (alone.v - row.v).norm() + (alone.w - row.w).norm();
                assert!(apart < 1e-12, "direction {k} of {}: {apart:e}", case.label);
            }
            for (i, row) in rows.iter().enumerate() {
                let what = format!("function {i} of {}", case.label);
                let value = |s: f64| functions(&path.at(s))[i].phi;
                assert_close(row.rate(&path.start), slope(value), 1e-7, &what);
                assert_close(path.second(row), curvature(value), 1e-6, &what);
            }
        }
        assert!(checked > POSES / 2, "{}: too few poses", case.label);
    }
}

#[test]
fn velocity_equations_are_linear_in_velocity_and_their_derivative_matches_differences() {
    let mut random = Random::new(4);
    let mut count = 0;
    for case in cases() {
        let shape = case.joint.shape(case.space);
        let rows = |rel: &Relative| case.rows(rel)[shape.position_rows..].to_vec();
        for _ in 0..POSES {
            let path = Path::random(case.space, &mut random);
            // the contact point of a disc that is almost flat moves around its rim arbitrarily fast
            if case.joint.info().name == "rolling-disc" && path.start.R[(2, 2)].abs() > 0.95 {
                continue;
            }
            let found = rows(&path.start);
            assert_eq!(found.len(), shape.velocity_rows, "{}", case.label);
            for (i, row) in found.iter().enumerate() {
                count += 1;
                let what = format!("velocity row {i} of {}", case.label);
                assert_close(row.phi, row.rate(&path.start), 1e-14, &what);
                let change = slope(|s| rows(&path.at(s))[i].phi);
                assert_close(path.second(row), change, 1e-6, &what);
            }
        }
    }
    assert!(count > 3 * POSES);
}

#[test]
fn motion_of_the_tree_view_matches_differences_of_its_pose() {
    at_every_pose(5, |case, tree, q, v, across, rel, _| {
        let label = &case.label;
        let at = |s: f64| {
            let mut moved: Vec<f64> = (0..tree.scalars).map(|k| q[k] + s * v[k]).collect();
            if tree.rotation {
                let e = [0, 1, 2, 3].map(|i| q[tree.scalars + i]);
                let w = Vec3::from_column_slice(&v[tree.scalars..]);
                // the angular velocity is in F's axes: express the rotation in M
                let in_M = matrix(&e).transpose() * w;
                moved.extend(turned(&e, &(in_M * s)));
            }
            case.across(&moved, v)
        };
        let velocity = |s: f64| {
            let there = at(s);
            (0..there.freedom).fold((zero3(), zero3()), |(linear, angular), k| {
                (linear + there.Hv[k] * v[k], angular + there.Hw[k] * v[k])
            })
        };
        // Ṙ = [w] R
        let W = skew(&rel.w) * rel.R;
        for i in 0..3 {
            let what = format!("component {i} of {label}");
            assert_close(rel.v[i], slope(|s| at(s).p[i]), 1e-8, &what);
            assert_close(across.bias_v[i], slope(|s| velocity(s).0[i]), 1e-7, &what);
            assert_close(across.bias_w[i], slope(|s| velocity(s).1[i]), 1e-7, &what);
            for j in 0..3 {
                assert_close(W[(i, j)], slope(|s| at(s).R[(i, j)]), 1e-8, &what);
            }
        }
    });
}

#[test]
fn measured_coordinates_are_the_tree_coordinates_counted_over_turns() {
    at_every_pose(6, |case, tree, q, v, across, rel, _| {
        let label = &case.label;
        for (k, row) in case.measured(rel).iter().take(tree.scalars).enumerate() {
            let name = case.coordinates()[k].name;
            let what = format!("{name} of {label}");
            assert_close(row.phi, q[k], 1e-12, &what);
            assert_close(row.rate(rel), v[k], 1e-12, &what);
            // q̈ = 0 in the bias of the tree view
            let turning = dot(&row.v, &across.bias_v) + dot(&row.w, &across.bias_w);
            assert!((turning + row.bias).abs() <= 1e-9, "bias of {what}");
        }
    });
}

#[test]
fn coordinates_of_a_pose_invert_the_tree_view() {
    at_every_pose(7, |case, tree, q, _, across, rel, _| {
        let mut found = vec![f64::NAN; tree.positions()];
        case.joint.locate(case.space, rel, &mut found);
        for k in 0..tree.scalars {
            assert_close(found[k], q[k], 1e-12, &case.label);
        }
        let pose = case.joint.pose(case.space, &found);
        assert!((pose.R - across.R).norm() < 1e-12, "{}", case.label);
        assert!((pose.p - across.p).norm() < 1e-12, "{}", case.label);
    });
}

#[test]
fn planar_joints_stay_in_the_plane() {
    at_every_pose(8, |case, _, _, _, across, rel, _| {
        if case.space == Space::Spatial {
            return;
        }
        let label = &case.label;
        let turn = about(2, rel.R[(1, 0)].atan2(rel.R[(0, 0)]));
        assert!((rel.R - turn).norm() < 1e-15, "{label}");
        let out_of_plane = [rel.p[2], rel.v[2], rel.w[0], rel.w[1]];
        assert_eq!(out_of_plane, [0.0; 4], "{label}");
        assert_eq!(
            [across.bias_v[2], across.bias_w[0], across.bias_w[1]],
            [0.0; 3]
        );
        for row in case.rows(rel).iter().chain(&case.measured(rel)) {
            assert_eq!([row.v[2], row.w[0], row.w[1]], [0.0; 3], "{label}");
        }
    });
}

#[test]
fn at_zero_coordinates_the_frames_coincide_if_the_joint_permits() {
    for case in cases() {
        let Some(tree) = case.tree() else { continue };
        let mut q = vec![0.0; tree.scalars];
        if tree.rotation {
            q.extend([1.0, 0.0, 0.0, 0.0]);
        }
        let pose = case.joint.pose(case.space, &q);
        assert_eq!(pose.R, identity(), "{}", case.label);
        let apart = case.joint.info().name == "distance";
        assert_eq!(pose.p != zero3(), apart, "{}", case.label);
    }
}

#[test]
fn a_joint_has_an_axis_if_and_only_if_rotating_both_frames_changes_its_motion() {
    let mut moved: Vec<(&str, f64)> = JOINTS.iter().map(|info| (info.name, 0.0)).collect();
    let mut of_case = |case: &Case, rel: &Relative, random: &mut Random| {
        if case.space == Space::Planar {
            return;
        }
        let T = exponential(&random.vector(1.0));
        let seen = Relative {
            R: T.transpose() * rel.R * T,
            p: T.transpose() * rel.p,
            v: T.transpose() * rel.v,
            w: T.transpose() * rel.w,
            turns: rel.turns,
            path: rel.path,
        };
        let rows = case.rows(&seen);
        let open = rows
            .iter()
            .map(|row| row.phi.abs().max(row.rate(&seen).abs()));
        let worst = open.fold(0.0, f64::max);
        if case.joint.has_axis() {
            let known = moved
                .iter_mut()
                .find(|(name, _)| *name == case.joint.info().name);
            let known = known.unwrap();
            known.1 = known.1.max(worst);
        } else {
            assert!(worst < 1e-12, "{}: {worst:e}", case.label);
        }
    };
    at_every_pose(77, |case, _, _, _, _, rel, random| {
        of_case(case, rel, random);
    });
    for case in cases().iter().filter(|case| case.tree().is_some()) {
        let name = case.joint.info().name;
        let moves = moved.iter().any(|(known, by)| *known == name && *by > 1e-3);
        let spatial = case.joint.info().spaces.contains(&Space::Spatial);
        assert_eq!(moves, case.joint.has_axis() && spatial, "{name}");
    }
}

#[test]
fn names_are_unique_and_everything_is_described() {
    let mut words: Vec<&str> = Vec::new();
    for info in JOINTS {
        words.push(info.name);
        words.extend(info.aliases);
        assert!(!info.summary.is_empty() && !info.spaces.is_empty());
        assert!(
            info.fields.iter().all(|f| !f.doc.is_empty()),
            "{}",
            info.name
        );
    }
    let count = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), count, "a word names two joints");
    for case in cases() {
        assert!(case.joint.axis() < 3);
        let mut names: Vec<&str> = case.coordinates().iter().map(|c| c.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{}", case.label);
        assert!(case.coordinates().iter().filter(|c| c.angular).count() <= MAX_ANGLES);
        let shape = case.joint.shape(case.space);
        assert!(shape.position_rows + shape.velocity_rows <= MAX_ROWS);
        assert!(
            shape
                .tree
                .is_none_or(|t| t.scalars <= count && t.positions() <= MAX_POSITIONS)
        );
    }
    assert!(Joint::build("hinge", &Arguments::new(Space::Planar)).is_some());
    assert!(Joint::build("nonsense", &Arguments::new(Space::Planar)).is_none());
}

#[test]
fn a_generic_joint_rejects_an_unknown_word() {
    let arguments =
        Arguments::new(Space::Spatial).with("locked", FieldValue::Words(vec!["w".to_owned()]));
    let error = Joint::build("generic", &arguments).unwrap().unwrap_err();
    assert_eq!(error.field, "locked");
}
