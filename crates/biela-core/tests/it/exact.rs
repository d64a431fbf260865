//! Geometrically exact beams against closed forms and published numbers.

use std::sync::Arc;

use std::f64::consts::{FRAC_PI_4, PI, TAU};

use biela_core::analysis::{Assembled, Formulation, Statics, assemble};
use biela_core::element::{FieldValue, Origin};
use biela_core::flexible::{ExactBeam, ExactBeamDefinition, SpatialSection};
use biela_core::forces::Force;
use biela_core::math::rotation::{about, about_axis, identity};
use biela_core::math::{Mat3, Pose, Vec3};
use biela_core::model::{BodyIndex, MarkerIndex, Model, Space, Velocity0};
use biela_core::system::{EvaluationContext, Loads, Workspace, channels};
use nalgebra::{DMatrix, DVector, SymmetricEigen};

use crate::common::{force, joint, run, straight, study};

/// A square section of unit side: E = 1e7, ν = 0, no shear factor.
const SQUARE: [f64; 6] = [1e7, 0.5e7, 0.5e7, 0.5e7 / 6.0, 1e7 / 12.0, 1e7 / 12.0];

fn plan(frames: Vec<Pose>, section: SpatialSection) -> ExactBeamDefinition {
    let last = frames.len() - 1;
    ExactBeamDefinition {
        name: "beam".to_owned(),
        origin: Origin::default(),
        sections: vec![section; last],
        frames,
        tension: 0.0,
        places: vec![(0, "start".to_owned()), (last, "end".to_owned())],
        profiles: None,
    }
}

/// Frames along x, turned as a whole.
fn line(length: f64, elements: usize, turn: &Mat3<f64>) -> Vec<Pose> {
    let at = |k: usize| Vec3::x() * (length * k as f64 / elements as f64);
    let frame = |k: usize| Pose::new(*turn, turn * at(k));
    (0..=elements).map(frame).collect()
}

fn model(plan: &ExactBeamDefinition) -> Model {
    let mut model = Model::new("beam", Space::Spatial);
    let _ = ExactBeam::build(&mut model, plan);
    model
}

fn clamp(model: &mut Model) {
    let first = model.exact_beams[0].nodes[0];
    let marker = model.body_marker(first);
    let frame = model.bodies[first.0].start.pose.unwrap();
    let wall = model.add_marker("wall", BodyIndex::GROUND, frame);
    let _ = model.add_joint(
        "clamp",
        joint("weld", Space::Spatial),
        [wall, marker],
        &straight(),
    );
}

fn tip(model: &Model) -> MarkerIndex {
    model.body_marker(*model.exact_beams[0].nodes.last().unwrap())
}

fn push(model: &mut Model, load: Vec3<f64>) {
    let laws = load.iter().map(|x| biela_core::model::Law::Constant(*x));
    let fields = [
        ("at", FieldValue::Marker(tip(model))),
        ("value", FieldValue::Laws(laws.collect())),
    ];
    let load = force("force", Space::Spatial, &fields);
    let _ = model.add_force("load", load);
}

fn twist(model: &mut Model, axis: Vec3<f64>, moment: f64) {
    let fields = [
        ("on", FieldValue::Marker(tip(model))),
        ("value", FieldValue::Number(moment)),
        ("axis", FieldValue::Vector(axis)),
    ];
    let load = force("torque", Space::Spatial, &fields);
    let _ = model.add_force("moment", load);
}

/// A clamped beam at rest under a load that grows in stages, each beginning where the one before ended.
fn settled(plan: &ExactBeamDefinition, stages: usize, load: impl Fn(&mut Model, f64)) -> Assembled {
    let mut poses: Option<Vec<Pose>> = None;
    let mut stage = 1;
    loop {
        let mut model = model(plan);
        clamp(&mut model);
        load(&mut model, stage as f64 / stages as f64);
        for (body, pose) in model.bodies.iter_mut().zip(poses.into_iter().flatten()) {
            body.start.pose = Some(pose);
        }
        let mut assembled = assemble(model, Formulation::Absolute).unwrap();
        assembled.state = Statics::new(&assembled).settle().unwrap().state;
        if stage == stages {
            return assembled;
        }
        poses = Some(frames(&assembled));
        stage += 1;
    }
}

/// The frames of all nodes.
fn frames(assembled: &Assembled) -> Vec<Pose> {
    let ws = evaluated(assembled);
    let model = assembled.system.model();
    let own = |b: usize| {
        let frame = ws.kinematics.frame(model, (BodyIndex(b), Pose::identity()));
        Pose::new(frame.R, frame.p)
    };
    (0..model.bodies.len()).map(own).collect()
}

fn evaluated(assembled: &Assembled) -> Workspace {
    let (system, state) = (assembled.system.as_ref(), &assembled.state);
    let mut ws = Workspace::new(system);
    system.update(0.0, &state.q, &state.v, &state.turns, &mut ws.kinematics);
    ws
}

/// The value of a signal of positions and velocities.
fn value(assembled: &Assembled, name: &str) -> f64 {
    let model = assembled.system.model();
    let found = channels(model).into_iter().find(|c| c.name == name);
    let ws = evaluated(assembled);
    let context = EvaluationContext {
        model,
        kinematics: &ws.kinematics,
    };
    context.signal(found.unwrap().signal)
}

/// Where the end of a clamped beam comes to rest under a load.
fn rest(plan: &ExactBeamDefinition, stages: usize, load: impl Fn(&mut Model, f64)) -> Vec3<f64> {
    frames(&settled(plan, stages, load)).last().unwrap().p
}

#[test]
fn a_moment_rolls_a_strip_up_exactly_whatever_the_number_of_elements() {
    // a strip: weak about z alone
    let stiffness = [1e7, 5e6, 5e6, 5e6, 5e6, 1e6];
    let section = SpatialSection::homogeneous(stiffness, 1.0);
    let turn = about_axis(&Vec3::new(0.48, 0.6, 0.64), 1.0);
    let (length, axis) = (60.0, turn * Vec3::z());
    for (elements, share) in [(1, 0.25), (2, 0.8), (3, 1.0), (7, 2.0), (20, 1.0)] {
        let (angle, radius) = (share * TAU, length / (share * TAU));
        let moment = stiffness[5] / radius;
        let plan = plan(line(length, elements, &turn), section);
        // on the circle of radius EI/M all nodes are in balance
        let mut model = model(&plan);
        twist(&mut model, axis, moment);
        for (k, body) in model.bodies.iter_mut().enumerate() {
            let here = angle * k as f64 / elements as f64;
            let p = Vec3::new(radius * here.sin(), radius * (1.0 - here.cos()), 0.0);
            body.start.pose = Some(Pose::new(turn * about(2, here), turn * p));
        }
        let assembled = assemble(model, Formulation::Absolute).unwrap();
        let mut ws = evaluated(&assembled);
        assembled.system.load(&mut ws).unwrap();
        for b in 1..=elements {
            assert!(ws.loads.torque[b].norm() < 1e-10 * moment, "{elements}");
            assert!(ws.loads.force[b].norm() < 1e-10 * moment, "{elements}");
        }
        // statics finds it as near as it looks, and at once where no element turns by much
        let stages = if elements > 8 { 1 } else { 12 };
        let end = rest(&plan, stages, |model, part| {
            twist(model, axis, part * moment);
        });
        let expected = Vec3::new(radius * angle.sin(), radius * (1.0 - angle.cos()), 0.0);
        let off = (end - turn * expected).norm() / length;
        assert!(off < 1e-6, "{elements}: {off:e}");
    }
}

#[test]
fn torsion_stretch_and_shear_are_those_of_a_bar() {
    let section = SpatialSection::homogeneous([900.0, 40.0, 30.0, 2.0, 5.0, 7.0], 1.0);
    for elements in [1, 6] {
        let plan = plan(line(2.0, elements, &identity()), section);
        let found = settled(&plan, 1, |model, _| {
            twist(model, Vec3::x(), 1.3);
            push(model, Vec3::new(4.5, 0.0, 0.0));
        });
        let near = |name: &str, expected: f64| {
            let value = value(&found, name);
            assert!(
                (value - expected).abs() < 1e-9,
                "{name}: {value} {expected}"
            );
        };
        near("beam.end.rot_x", 1.3 * 2.0 / 2.0);
        near("beam.end.x", 2.0 * (1.0 + 4.5 / 900.0));
        near("beam.start.torsional_moment", 1.3);
        near("beam.start.twist", 0.65);
        near("beam.start.axial_force", 4.5);
        near("beam.end.strain", 0.005);
        near("beam.length", 2.01);
        near("beam.elastic", 0.5 * 1.3 * 1.3 + 0.5 * 4.5 * 0.01);
    }
}

#[test]
fn a_short_cantilever_deflects_as_a_timoshenko_beam_with_an_error_of_second_order() {
    let [ky, kz, iy, iz] = [3.0e6, 2.0e6, 5.0e5, 8.0e5];
    let section = SpatialSection::homogeneous([1e8, ky, kz, 1e6, iy, iz], 1.0);
    let length: f64 = 2.0;
    let load = Vec3::new(0.0, 40.0, -80.0);
    let expected = Vec3::new(
        0.0,
        load[1] * (length.powi(3) / (3.0 * iz) + length / ky),
        load[2] * (length.powi(3) / (3.0 * iy) + length / kz),
    );
    let errors = [4, 8, 16].map(|elements| {
        let end = rest(
            &plan(line(length, elements, &identity()), section),
            1,
            |model, share| {
                push(model, load * share);
            },
        );
        (end - expected - Vec3::x() * length).norm() / expected.norm()
    });
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.2, "{errors:?}");
    }
    assert!(errors[2] < 1e-3, "{errors:?}");
    // the moment and the force at the wall are the load's, on any mesh
    let plan = plan(line(length, 3, &identity()), section);
    let found = settled(&plan, 1, |model, _| push(model, load));
    let wall = |name: &str| value(&found, &format!("beam.start.{name}"));
    assert!((wall("bending_moment_z") - length * load[1]).abs() < 1e-4);
    assert!((wall("bending_moment_y") + length * load[2]).abs() < 1e-4);
    assert!((wall("shear_force_y") - load[1]).abs() < 1e-4);
    assert!((wall("curvature_z") - length * load[1] / iz).abs() < 1e-9);
}

/// The arc of Bathe and Bolourchi: an eighth of a circle of radius 100 in the x–y plane, tangent to y at the start.
fn arc(elements: usize) -> ExactBeamDefinition {
    let frame = |k: usize| {
        let angle = FRAC_PI_4 * k as f64 / elements as f64;
        let p = Vec3::new(100.0 * (1.0 - angle.cos()), 100.0 * angle.sin(), 0.0);
        // x along the beam, z upwards
        let x = Vec3::new(angle.sin(), angle.cos(), 0.0);
        Pose::new(Mat3::from_columns(&[x, Vec3::z().cross(&x), Vec3::z()]), p)
    };
    plan(
        (0..=elements).map(frame).collect(),
        SpatialSection::homogeneous(SQUARE, 1.0),
    )
}

/// Ends of the arc under 300 and 600 across its plane: J. C. Simo, L. Vu-Quoc, *Computer Methods in Applied Mechanics and Engineering* 58
/// (1986) 79-116; the others published lie within 0.4 of them (K.-J. Bathe, S. Bolourchi, *International Journal for Numerical Methods in Engineering* 14 (1979)
/// 961-986).
#[test]
fn the_bend_of_bathe_and_bolourchi_has_the_published_tip_position() {
    for (load, expected) in [
        (300.0, Vec3::new(22.33, 58.84, 40.08)),
        (600.0, Vec3::new(15.79, 47.23, 53.37)),
    ] {
        let ends = [4, 8, 16].map(|elements| {
            rest(&arc(elements), 1, |model, share| {
                push(model, Vec3::new(0.0, 0.0, share * load));
            })
        });
        assert!((ends[1] - expected).norm() < 0.5, "{load}: {ends:?}");
        let order = ((ends[0] - ends[1]).norm() / (ends[1] - ends[2]).norm()).log2();
        assert!((order - 2.0).abs() < 0.2, "{order}");
    }
}

/// Mass and stiffness matrices on the motions that the joints leave free.
fn matrices(assembled: &Assembled) -> (DMatrix<f64>, DMatrix<f64>) {
    let system = assembled.system.as_ref();
    let mut ws = evaluated(assembled);
    // what joints bear has no part in it: they hold ends alone
    let stressed = vec![0.0; system.sizes().rows];
    system.mass(&mut ws);
    system.constraints(&mut ws);
    system.forces(&mut ws).unwrap();
    let n = system.sizes().velocities;
    let spread = |values: &[f64]| {
        let mut dense = DMatrix::zeros(n, n);
        let entries = system.tangent_pattern().entries.iter();
        for (&(i, j), x) in entries.zip(values) {
            dense[(i, j)] += *x;
            if i != j {
                dense[(j, i)] += *x;
            }
        }
        dense
    };
    let mut values = vec![0.0; system.tangent_pattern().entries.len()];
    system.tangent(&mut ws, &stressed, 0.0, 0.0, &mut values);
    let mass = spread(&values);
    system.tangent(&mut ws, &stressed, 1.0, 0.0, &mut values);
    let stiffness = spread(&values) - &mass;
    let pattern = system.jacobian_pattern();
    let mut rows = DMatrix::zeros(n, system.sizes().rows);
    for i in 0..system.sizes().rows {
        for e in pattern.range(i) {
            rows[(pattern.columns[e], i)] = ws.jacobian[e];
        }
    }
    let q = rows.qr().q();
    let free = SymmetricEigen::new(DMatrix::identity(n, n) - &q * q.transpose());
    let columns: Vec<DVector<f64>> = (0..n)
        .filter(|i| free.eigenvalues[*i] > 0.5)
        .map(|i| free.eigenvectors.column(i).into_owned())
        .collect();
    let basis = DMatrix::from_columns(&columns);
    let on = |a: DMatrix<f64>| basis.transpose() * a * &basis;
    (on(mass), on(stiffness))
}

/// Angular frequencies, smallest first.
fn frequencies(model: Model) -> Vec<f64> {
    let assembled = assemble(model, Formulation::Absolute).unwrap();
    let (mass, stiffness) = matrices(&assembled);
    let lower = mass.cholesky().unwrap().l();
    let half = lower.solve_lower_triangular(&stiffness).unwrap();
    let whole = lower.solve_lower_triangular(&half.transpose()).unwrap();
    let mut squares: Vec<f64> = SymmetricEigen::new(whole)
        .eigenvalues
        .iter()
        .copied()
        .collect();
    squares.sort_by(f64::total_cmp);
    squares.into_iter().map(|x| x.max(0.0).sqrt()).collect()
}

fn has(list: &[f64], expected: f64, tolerance: f64, what: &str) {
    let nearest = list
        .iter()
        .copied()
        .min_by(|a, b| f64::total_cmp(&(a - expected).abs(), &(b - expected).abs()));
    let off = nearest.unwrap() / expected - 1.0;
    assert!(off.abs() < tolerance, "{what}: off by {off:e}");
}

#[test]
fn a_slender_cantilever_has_the_frequencies_of_bernoulli_of_a_rod_and_of_a_shaft() {
    let (length, elements) = (2.0, 56);
    // EI far apart, so that no two frequencies are near
    let stiffness = [4e6, 1.5e6, 1.4e6, 0.9, 2.0, 5.3];
    let section = SpatialSection::homogeneous(stiffness, 1.7);
    let mut model = model(&plan(line(length, elements, &identity()), section));
    clamp(&mut model);
    let list = frequencies(model);
    for (ei, plane) in [(2.0, "z"), (5.3, "y")] {
        for (k, root) in [1.875_104_069, 4.694_091_133, 7.854_757_438]
            .into_iter()
            .enumerate()
        {
            let expected = (root / length).powi(2) * f64::sqrt(ei / 1.7);
            has(
                &list,
                expected,
                1e-3,
                &format!("bending along {plane}, mode {k}"),
            );
        }
    }
    let [about_y, about_z] = section.inertia;
    for k in 0..3 {
        let wave = (f64::from(k) + 0.5) * PI / length;
        has(
            &list,
            wave * f64::sqrt(4e6 / 1.7),
            1e-3,
            &format!("stretch, mode {k}"),
        );
        let speed = f64::sqrt(0.9 / (about_y + about_z));
        has(&list, wave * speed, 1e-3, &format!("torsion, mode {k}"));
    }
}

/// Frequencies of a beam on two supports: free to turn at both ends, and to slide along x at one.
fn supported(section: SpatialSection, elements: usize) -> Vec<f64> {
    let mut model = model(&plan(line(1.0, elements, &identity()), section));
    let start = model.body_marker(model.exact_beams[0].nodes[0]);
    let end = tip(&model);
    let wall = model.add_marker("wall", BodyIndex::GROUND, Pose::new(identity(), Vec3::x()));
    let ball = joint("spherical", Space::Spatial);
    let slot = joint("point-on-line", Space::Spatial);
    let _ = model.add_joint("ball", ball, [MarkerIndex::GROUND, start], &straight());
    let _ = model.add_joint("slot", slot, [wall, end], &straight());
    frequencies(model)
}

/// Timoshenko's beam: `(k²EI + kGA − ρI ω²) (kGA k² − ρA ω²) = (kGA k)²` with k = nπ/L.
#[test]
fn a_beam_on_two_supports_has_the_frequencies_of_timoshenko() {
    // thick, where shear and the inertia of sections matter; and slender, where few elements are enough
    let thick = [4e3, 1.5e3, 1.2e3, 5.0, 12.0, 7.0];
    let slender = [4e6, 1.5e6, 1.2e6, 5.0, 12.0, 7.0];
    for (stiffness, elements) in [(thick, 40), (slender, 12)] {
        let section = SpatialSection::homogeneous(stiffness, 1.7);
        let list = supported(section, elements);
        for (axis, plane) in [(0, "y"), (1, "z")] {
            let (shear, bending) = (stiffness[1 + axis], stiffness[5 - axis]);
            let rotary = section.inertia[1 - axis];
            for n in 1..=3 {
                let k = f64::from(n) * PI;
                let (a, b) = (k * k * bending + shear, shear * k * k);
                // ρI ρA x² − (ρA a + ρI b) x + a b − (shear k)² = 0
                let rest = bending * k * k * b;
                let (p, q) = (rotary * 1.7, 1.7 * a + rotary * b);
                let square = 2.0 * rest / (q + (q * q - 4.0 * p * rest).sqrt());
                let what = format!("bending along {plane}, mode {n}, {elements} elements");
                has(&list, square.sqrt(), 1e-3, &what);
            }
        }
    }
}

/// L. Prandtl, 1899: a cantilever of narrow section under a load at its end tips over sideways at `4.0126 √(EI_y GJ) / L²`.
#[test]
fn a_narrow_cantilever_buckles_laterally_at_the_load_of_prandtl() {
    let length = 1.0;
    let stiffness = [1e7, 4e6, 4e6, 0.8, 1.0, 4000.0];
    let section = SpatialSection::homogeneous(stiffness, 1.0);
    let critical = 4.0126 * f64::sqrt(0.8);
    let softest = |share: f64| {
        let plan = plan(line(length, 32, &identity()), section);
        let load = Vec3::new(0.0, -share * critical, 0.0);
        let found = settled(&plan, 1, |model, _| push(model, load));
        SymmetricEigen::new(matrices(&found).1).eigenvalues.min()
    };
    let (below, above) = (softest(0.98), softest(1.02));
    let share = 0.98 + 0.04 * below / (below - above);
    assert!(
        below > 0.0 && above < 0.0 && (share - 1.0).abs() < 5e-3,
        "{share}"
    );
}

/// A force without its tangent.
#[derive(Debug)]
struct Silent(Arc<dyn Force>);

impl Force for Silent {
    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        self.0.apply(context, loads);
    }

    fn bodies(&self, model: &Model) -> Vec<BodyIndex> {
        self.0.bodies(model)
    }
}

#[test]
fn the_tangent_of_a_beam_agrees_with_differences_at_lower_cost() {
    let tangent = |silent: bool| {
        let mut model = thrown(12, 2e-3);
        if silent {
            for element in &mut model.forces {
                element.force = Arc::new(Silent(Arc::clone(&element.force)));
            }
            model.exact_beams.clear();
        }
        let assembled = assemble(model, Formulation::Absolute).unwrap();
        let system = assembled.system.as_ref();
        let mut ws = evaluated(&assembled);
        system.mass(&mut ws);
        system.forces(&mut ws).unwrap();
        let mut values = vec![0.0; system.tangent_pattern().entries.len()];
        // the best of several, lest others on the machine count
        let mut best = std::time::Duration::MAX;
        for _ in 0..20 {
            let before = std::time::Instant::now();
            system.tangent(&mut ws, &[], 0.9, 0.7, &mut values);
            best = best.min(before.elapsed());
        }
        (values, best)
    };
    let ((own, short), (differenced, long)) = (tangent(false), tangent(true));
    let size = own.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    for (a, b) in own.iter().zip(&differenced) {
        assert!((a - b).abs() < 1e-6 * size, "{a} {b}");
    }
    // five times as fast, with all else that a tangent takes
    assert!(3 * short < long, "{short:?} {long:?}");
}

/// A bent and twisted beam, thrown.
fn thrown(elements: usize, damping: f64) -> Model {
    let section = SpatialSection {
        damping,
        ..SpatialSection::homogeneous([600.0, 200.0, 180.0, 1.0, 2.0, 3.0], 1.5)
    };
    let frame = |k: usize| {
        let s = 2.0 * k as f64 / elements as f64;
        let p = Vec3::new((0.9 * s).sin() / 0.9, (1.0 - (0.9 * s).cos()) / 0.9, 0.0);
        Pose::new(about(2, 0.9 * s) * about(0, 0.4 * s), p)
    };
    let mut model = model(&plan((0..=elements).map(frame).collect(), section));
    let (v, w) = (Vec3::new(1.0, -0.5, 0.3), Vec3::new(2.0, 1.0, 3.0));
    for body in &mut model.bodies {
        let pose = body.start.pose.unwrap();
        body.velocity = Some(Velocity0 {
            linear: v + w.cross(&pose.p),
            angular: w,
        });
    }
    model
}

#[test]
fn a_free_beam_conserves_its_momenta_and_its_energy() {
    let study = study(Space::Spatial, 1.0, 0.1, "augmented", "dopri5", 1e-9);
    let series = run(thrown(5, 0.0), &study);
    for name in [
        "momentum_x",
        "momentum_y",
        "momentum_z",
        "angular_momentum_x",
        "angular_momentum_y",
        "angular_momentum_z",
    ] {
        let all = series.all(&format!("system.{name}"));
        assert!(all.iter().all(|x| (x - all[0]).abs() < 1e-7), "{name}");
    }
    let energy = series.all("energy.total");
    assert!(
        energy
            .iter()
            .all(|x| (x - energy[0]).abs() < 1e-7 * energy[0])
    );
    let elastic = series.all("beam.elastic");
    assert!(elastic.iter().any(|x| *x > 1e-2 * energy[0]));
    // damping dissipates energy, which its work accounts for; momenta are conserved
    let series = run(thrown(5, 1e-2), &study);
    assert!(series.last("beam.work") < -1e-2);
    assert!(series.last("energy.balance").abs() < 1e-6);
    let spin = series.all("system.angular_momentum_z");
    assert!((spin[spin.len() - 1] - spin[0]).abs() < 1e-7);
}

#[test]
fn a_beam_moves_the_same_in_joint_coordinates() {
    let mut study = study(Space::Spatial, 0.3, 0.1, "augmented", "dopri5", 1e-9);
    let ends = [Formulation::Absolute, Formulation::Tree].map(|formulation| {
        study.formulation = formulation;
        let series = run(thrown(3, 1e-2), &study);
        ["x", "y", "z", "bending_moment_z"].map(|axis| series.last(&format!("beam.end.{axis}")))
    });
    for (a, b) in ends[0].iter().zip(&ends[1]) {
        assert!((a - b).abs() < 1e-7, "{ends:?}");
    }
}
