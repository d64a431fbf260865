//! HHT-I3 and generalized-α on the rigid four-bar of M. B. R. Fernandes: the numbers of the monograph, reference motions, orders.

use std::ops::ControlFlow;

use biela_core::analysis::{
    Assembled, Choice, Formulation, Observer, RunFailure, Simulation, Statistics, Study, assemble,
};
use biela_core::element::{Arguments, FieldValue};
use biela_core::integrators::{IntegrationError, build};
use biela_core::model::{EnergyQuantity, Signal, Space};
use biela_core::system::Instant;

use crate::common::study;
use crate::four_bar_angles::{Angles, planar};

/// The quantities of the monograph at an output time.
#[derive(Clone, Copy, Debug)]
struct Row {
    time: f64,
    angles: [f64; 3],
    speeds: [f64; 3],
    multipliers: [f64; 2],
    accelerations: [f64; 3],
    energy: f64,
    kinetic: f64,
    work: f64,
    /// ‖C‖ and ‖C_q q̇‖.
    position_error: f64,
    velocity_error: f64,
}

impl Row {
    fn multipliers_and_energy(&self) -> [f64; 3] {
        let [l1, l2] = self.multipliers;
        [l1, l2, self.energy]
    }
}

#[derive(Default)]
struct Rows(Vec<Row>);

fn length(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Observer for Rows {
    fn sample(&mut self, instant: &Instant<'_>) -> ControlFlow<()> {
        let bodies = &instant.workspace.kinematics.bodies;
        let take = |values: &[f64], i: usize| values.get(i).copied().unwrap_or(f64::NAN);
        self.0.push(Row {
            time: instant.context().time(),
            angles: [0, 1, 2].map(|i| bodies[i].angle),
            speeds: [0, 1, 2].map(|i| bodies[i].w.z),
            multipliers: [0, 1].map(|i| take(instant.multipliers, i)),
            accelerations: [0, 1, 2].map(|i| take(instant.rates, i)),
            energy: instant.signal(Signal::Energy(EnergyQuantity::Total)),
            kinetic: instant.signal(Signal::Energy(EnergyQuantity::Kinetic)),
            work: instant.work[0],
            position_error: length(&instant.workspace.phi),
            velocity_error: length(&instant.workspace.rate),
        });
        ControlFlow::Continue(())
    }
}

/// A finished or broken run.
struct Done {
    rows: Vec<Row>,
    ended: Result<(), RunFailure>,
    statistics: Statistics,
}

impl Done {
    fn at(&self, time: f64) -> &Row {
        let row = self.rows.iter().find(|r| (r.time - time).abs() < 1e-9);
        row.unwrap_or_else(|| panic!("no output at {time}"))
    }
    fn worst(&self, value: impl Fn(&Row) -> f64) -> f64 {
        self.rows.iter().map(value).fold(0.0, f64::max)
    }
    /// Largest change of the energy that no work explains, against the energy at the start.
    fn energy_error(&self) -> f64 {
        let start = self.rows[0].energy;
        self.worst(|r| ((r.energy - r.work - start) / start).abs())
    }
}

fn run(assembled: Assembled, study: &Study) -> Done {
    let mut simulation = Simulation::new(assembled, study).unwrap();
    let mut rows = Rows::default();
    let ended = simulation.run(&mut rows).map(|_| ());
    Done {
        rows: rows.0,
        ended,
        statistics: simulation.statistics(),
    }
}

fn with(kind: &str, duration: f64, output: f64, fields: &[(&'static str, FieldValue)]) -> Study {
    let mut arguments = Arguments::new(Space::Planar);
    for (name, value) in fields {
        arguments.set(name, value.clone());
    }
    let mut study = study(Space::Planar, duration, output, "augmented", "rk4", 1.0);
    study.integrator = Choice {
        kind: kind.to_owned(),
        arguments,
    };
    study
}

/// The scheme and the tolerances of the monograph's appendix.
fn appendix(duration: f64, step: f64, alpha: f64) -> Study {
    let fields = [
        ("step", FieldValue::Number(step)),
        ("alpha", FieldValue::Number(alpha)),
        ("average", FieldValue::Word("forces".into())),
        ("newton", FieldValue::Word("full".into())),
        ("residual_tolerance", FieldValue::Number(1e-8)),
        ("correction_tolerance", FieldValue::Number(1e-4)),
        ("max_iterations", FieldValue::Number(20.0)),
        ("min_step", FieldValue::Number(1e-15)),
    ];
    with("hht", duration, step, &fields)
}

/// The mechanism as an ordinary model.
fn ordinary(driven: bool, formulation: Formulation) -> Assembled {
    assemble(planar(driven), formulation).unwrap()
}

fn word(text: &str) -> FieldValue {
    FieldValue::Word(text.to_owned())
}

/// Asserts that a number is the one printed, to half a unit of its last digit and a little.
fn printed(found: f64, text: &str, what: &str) {
    let decimals = text.split_once('.').map_or(0, |(_, d)| d.len());
    let unit = 10.0_f64.powi(-(decimals as i32));
    let off = (found - text.parse::<f64>().unwrap()).abs();
    assert!(off <= 0.51 * unit, "{what}: {found:.10} instead of {text}");
}

/// t, θ1, θ2, θ3, θ̇1, T + V, work of the drive.
const DRIVEN: &str = "\
0.1 0.13421554 0.47504526 1.00415331 5.338343 9.622530 0.917136
0.2 1.13511780 0.32934979 1.14120911 10.710068 19.219507 10.514113
0.3 2.40377902 0.43881912 1.67273042 16.332714 27.610361 18.904967
0.4 4.90285424 0.89506990 1.80153491 20.095621 31.623211 22.917817
0.5 6.85043995 0.36916244 0.98233837 27.543174 32.229776 23.524382
1.0 17.64026215 0.89110096 1.73156551 18.384369 32.391427 23.686033
1.5 27.79476012 0.48257428 1.76412255 20.729681 32.391470 23.686076
2.0 38.79568008 0.32956472 1.12663276 18.243578 32.391470 23.686076";

/// t, θ1, θ2, θ3, θ̇1, λ1, λ2, T.
const FREE: &str = "\
0.2 -0.21488279 0.61159866 1.14918437 -1.657682 -14.63644 -23.56031 0.193519
0.4 -0.59881762 0.76563490 1.38804328 -2.305657 -5.71408 -18.95284 0.565301
0.6 -1.26692808 0.89380311 1.75654851 -5.027148 3.27379 -10.54008 1.779544
0.8 -2.74302657 0.66886586 1.96145046 -5.154741 3.10952 -0.82262 0.611816
1.0 -2.32151546 0.76461399 1.97962161 9.005336 8.59279 4.58493 1.744853
1.5 -0.28707558 0.64229690 1.19056052 1.750425 -12.68012 -22.67141 0.247611
2.0 -0.31413863 0.65376153 1.20673848 -1.783438 -11.98346 -22.34594 0.268485";

fn table(text: &'static str) -> impl Iterator<Item = (f64, Vec<&'static str>)> {
    text.lines().map(|line| {
        let mut words = line.split(' ');
        (words.next().unwrap().parse().unwrap(), words.collect())
    })
}

#[test]
fn the_start_has_the_accelerations_multipliers_and_energy_of_the_monograph() {
    let done = run(Angles::assembled(true), &appendix(1e-4, 1e-4, -0.3));
    let start = &done.rows[0];
    let found = [start.accelerations, start.multipliers_and_energy()].concat();
    let texts = [
        "-14.84904428",
        "5.71539981",
        "5.71539981",
        "-20.33452232",
        "-25.09966312",
        "8.70539400",
    ];
    for (found, text) in found.into_iter().zip(texts) {
        printed(found, text, "start");
    }
}

#[test]
fn the_driven_four_bar_keeps_its_constraints_as_in_the_monograph() {
    let done = run(Angles::assembled(true), &appendix(2.0, 1e-4, -0.3));
    assert_eq!(done.ended, Ok(()));
    // rounding of angles near 39 rad
    assert!(done.worst(|r| r.position_error) < 5e-15);
    let velocity = done.worst(|r| r.velocity_error);
    assert!((velocity / 3.498e-5 - 1.0).abs() < 1e-3, "{velocity:e}");
    let end = done.at(2.0);
    printed(end.angles[0], "38.96332", "θ1");
    printed(end.energy, "32.900", "energy");
    // both values together identify the step and the duration of the run
    let longer = run(Angles::assembled(true), &appendix(2.0, 2e-4, -0.3));
    let velocity = longer.worst(|r| r.velocity_error);
    assert!((velocity / 1.44e-4 - 1.0).abs() < 5e-3, "{velocity:e}");
    let shorter = done.rows.iter().filter(|r| r.time < 1.0 + 1e-9);
    let velocity = shorter.map(|r| r.velocity_error).fold(0.0, f64::max);
    assert!((velocity / 3.42e-5 - 1.0).abs() < 2e-3, "{velocity:e}");
}

#[test]
fn the_free_four_bar_loses_as_much_energy_as_in_the_monograph() {
    // α, step, share of the energy, θ1 at the end
    let cases = [
        (-0.3, 1e-4, 1.149e-4, Some("-0.31494465")),
        (0.0, 1e-4, 8e-8, Some("-0.31413857")),
        (-0.3, 1e-3, 1.15e-3, None),
        (-0.3, 5e-3, 5.87e-3, None),
    ];
    for (alpha, step, energy, angle) in cases {
        let done = run(Angles::assembled(false), &appendix(2.0, step, alpha));
        let what = format!("α = {alpha}, {step} s");
        let found = done.energy_error();
        assert!((found / energy - 1.0).abs() < 0.06, "{what}: {found:e}");
        if let Some(text) = angle {
            printed(done.at(2.0).angles[0], text, &what);
            assert!(done.worst(|r| r.position_error) < 6e-16, "{what}");
            assert!(done.worst(|r| r.velocity_error) < 2.9e-7, "{what}");
            assert_eq!(done.statistics.integrator.rejected, 0, "{what}");
        }
        if (alpha, step) == (-0.3, 1e-4) {
            // as many iterations as an independent program needs
            let iterations = done.statistics.integrator.factorizations;
            assert!(iterations.abs_diff(39_983) < 10, "{iterations}");
        }
    }
}

#[test]
fn without_damping_the_free_four_bar_follows_its_reference_motion() {
    let done = run(Angles::assembled(false), &appendix(2.0, 5e-5, 0.0));
    for (time, texts) in table(FREE) {
        let row = done.at(time);
        let [a, b, c] = row.angles;
        let [l1, l2] = row.multipliers;
        let found = [a, b, c, row.speeds[0], l1, l2, row.kinetic];
        let allowed = [1e-6, 1e-6, 1e-6, 2e-6, 2e-5, 2e-5, 2e-6];
        for (k, (found, text)) in found.into_iter().zip(texts).enumerate() {
            let off = (found - text.parse::<f64>().unwrap()).abs();
            assert!(off < allowed[k], "{k} at {time}: {found} instead of {text}");
        }
    }
}

#[test]
fn every_formulation_follows_the_reference_motion_of_the_driven_four_bar() {
    let fine = |method| study(Space::Planar, 2.0, 0.1, method, "dop853", 1e-13);
    let runs = [
        ("angles", run(Angles::assembled(true), &fine("augmented"))),
        (
            "absolute",
            run(ordinary(true, Formulation::Absolute), &fine("projection")),
        ),
        (
            "tree",
            run(ordinary(true, Formulation::Tree), &fine("projection")),
        ),
    ];
    for (name, done) in runs {
        for (time, texts) in table(DRIVEN) {
            let row = done.at(time);
            let [a, b, c] = row.angles;
            let found = [a, b, c, row.speeds[0], row.energy, row.work];
            for (k, (found, text)) in found.into_iter().zip(texts).enumerate() {
                // the work of the reference misses what the drive jumps by at 0.2778 s
                let units = if k < 4 { 1.1 } else { 2.1 };
                let decimals = text.split_once('.').map_or(0, |(_, d)| d.len());
                let off = (found - text.parse::<f64>().unwrap()).abs();
                let allowed = units * 10.0_f64.powi(-(decimals as i32));
                assert!(
                    off < allowed,
                    "{name}, {k} at {time}: {found:.9} instead of {text}"
                );
            }
        }
    }
}

/// Errors of θ1 after 0.6 s of free motion at these steps, against the reference of an explicit integrator.
fn errors<const N: usize>(
    assembled: impl Fn() -> Assembled,
    kind: &str,
    fields: &[(&'static str, FieldValue)],
    steps: [f64; N],
) -> [f64; N] {
    let exact = -1.266_928_081_942_951;
    steps.map(|h| {
        let fields = [fields, &[("step", FieldValue::Number(h))]].concat();
        let done = run(assembled(), &with(kind, 0.6, 0.6, &fields));
        done.at(0.6).angles[0] - exact
    })
}

#[test]
fn averaged_forces_are_of_first_order_where_the_mass_matrix_varies() {
    let fields = [("average", word("forces"))];
    let found = errors(
        || Angles::assembled(false),
        "hht",
        &fields,
        [8e-4, 4e-4, 2e-4, 1e-4, 5e-5],
    );
    let published = [3.53e-4, 1.76e-4, 8.8e-5, 4.4e-5, 2.2e-5];
    for (found, published) in found.into_iter().zip(published) {
        assert!((found / published - 1.0).abs() < 5e-3, "{found:e}");
    }
}

#[test]
fn schemes_of_the_family_are_of_second_order_in_every_formulation_and_form() {
    let angles = || Angles::assembled(false);
    let absolute = || ordinary(false, Formulation::Absolute);
    let tree = || ordinary(false, Formulation::Tree);
    let formulations: [(&str, &dyn Fn() -> Assembled); 3] = [
        ("angles", &angles),
        ("absolute", &absolute),
        ("tree", &tree),
    ];
    let schemes = [
        ("hht", vec![("alpha", FieldValue::Number(-0.3))]),
        ("hht", vec![("alpha", FieldValue::Number(-0.05))]),
        (
            "generalized-alpha",
            vec![("spectral_radius", FieldValue::Number(0.5))],
        ),
        (
            "generalized-alpha",
            vec![("spectral_radius", FieldValue::Number(0.9))],
        ),
    ];
    for (name, assembled) in formulations {
        for (kind, fields) in &schemes {
            for form in ["index-3", "index-2"] {
                let fields = [
                    fields.as_slice(),
                    &[
                        ("form", word(form)),
                        ("newton_tolerance", FieldValue::Number(1e-13)),
                    ],
                ]
                .concat();
                let [coarse, fine] = errors(assembled, kind, &fields, [1.6e-3, 4e-4]);
                let order = (coarse / fine).ln() / 4.0_f64.ln();
                assert!(
                    (order - 2.0).abs() < 0.15,
                    "{name} {kind} {fields:?}: {order:.3}"
                );
            }
        }
    }
}

#[test]
fn where_the_mass_matrix_is_constant_both_averages_are_the_same_scheme() {
    let at_end = |average| {
        let fields = [
            ("step", FieldValue::Number(1e-3)),
            ("average", word(average)),
            ("newton_tolerance", FieldValue::Number(1e-14)),
        ];
        let done = run(
            ordinary(true, Formulation::Absolute),
            &with("hht", 0.5, 0.5, &fields),
        );
        done.at(0.5).angles[0]
    };
    let (forces, accelerations) = (at_end("forces"), at_end("accelerations"));
    assert!(
        (forces - accelerations).abs() < 1e-7,
        "{forces} {accelerations}"
    );
}

#[test]
fn without_numerical_damping_the_driven_four_bar_fails_with_a_caution() {
    for step in [2e-4, 1e-4, 5e-5] {
        let mut simulation =
            Simulation::new(Angles::assembled(true), &appendix(2.0, step, 0.0)).unwrap();
        let caution = simulation.caution().unwrap();
        assert!(caution.contains("Add numerical damping"), "{caution}");
        let failure = simulation.run(&mut Rows::default()).unwrap_err();
        assert!(
            matches!(failure.cause, IntegrationError::StepTooSmall { .. }),
            "{failure}"
        );
        assert!(failure.time > 1.3 && failure.time < 1.9, "{failure}");
    }
    // the least damping will do, and so will velocities on the constraints
    let done = run(Angles::assembled(true), &appendix(2.0, 2e-4, -0.01));
    assert_eq!(done.ended, Ok(()));
    let fields = [
        ("step", FieldValue::Number(2e-4)),
        ("alpha", FieldValue::Number(0.0)),
        ("form", word("index-2")),
    ];
    let mut simulation =
        Simulation::new(Angles::assembled(true), &with("hht", 2.0, 0.1, &fields)).unwrap();
    assert_eq!(simulation.caution(), None);
    assert!(simulation.run(&mut Rows::default()).is_ok());
}

#[test]
fn stabilised_index_two_keeps_velocities_on_the_constraints() {
    for kind in ["hht", "generalized-alpha"] {
        let fields = [("form", word("index-2"))];
        let done = run(
            ordinary(true, Formulation::Absolute),
            &with(kind, 1.0, 1e-3, &fields),
        );
        assert!(done.worst(|r| r.position_error) < 1e-12);
        // the correction of Newton's method that is left, times γ/(βh)
        assert!(done.worst(|r| r.velocity_error) < 5e-9);
        let done = run(
            ordinary(true, Formulation::Absolute),
            &with(kind, 1.0, 1e-3, &[]),
        );
        assert!(done.worst(|r| r.velocity_error) > 1e-4);
    }
}

#[test]
fn adaptive_steps_keep_the_order_and_few_are_rejected() {
    let exact = 17.640_262_145_370;
    for form in ["index-3", "index-2"] {
        for kind in ["hht", "generalized-alpha"] {
            let found = [1e-6, 1e-8].map(|tolerance| {
                let fields = [
                    ("tolerance", FieldValue::Number(tolerance)),
                    ("form", word(form)),
                ];
                let done = run(
                    ordinary(true, Formulation::Absolute),
                    &with(kind, 1.0, 1.0, &fields),
                );
                let work = done.statistics.integrator;
                assert!(10 * work.rejected < work.steps, "{kind} {form}: {work:?}");
                assert!(
                    3 * work.factorizations < 2 * work.steps,
                    "{kind} {form}: {work:?}"
                );
                ((done.at(1.0).angles[0] - exact).abs(), work.steps as f64)
            });
            let [(coarse, few), (fine, many)] = found;
            let order = (coarse / fine).ln() / (many / few).ln();
            // errors of index 3 still fall a little faster than they will
            assert!(
                order > 1.9 && order < 2.6,
                "{kind} {form}: {found:?}, order {order:.2}"
            );
            assert!(fine < 2e-3, "{kind} {form}: {fine:e}");
        }
    }
}

#[test]
fn short_steps_are_not_rejected_for_rounding() {
    let fields = [("step", FieldValue::Number(1e-5))];
    for formulation in [Formulation::Absolute, Formulation::Tree] {
        let done = run(ordinary(true, formulation), &with("hht", 0.1, 0.1, &fields));
        assert_eq!(done.statistics.integrator.rejected, 0);
    }
    // with absolute tolerances on residuals some are: rounding of C is divided by βh²
    let done = run(
        ordinary(true, Formulation::Absolute),
        &appendix(0.1, 1e-5, -0.3),
    );
    assert_eq!(done.ended, Ok(()));
}

#[test]
fn a_step_on_which_newton_fails_is_halved_and_grows_again() {
    let fields = [
        ("step", FieldValue::Number(0.02)),
        ("max_iterations", FieldValue::Number(4.0)),
        ("newton", word("full")),
    ];
    let done = run(
        ordinary(true, Formulation::Absolute),
        &with("hht", 1.0, 1.0, &fields),
    );
    assert_eq!(done.ended, Ok(()));
    let (least, most) = done.statistics.steps_between;
    assert!(done.statistics.integrator.rejected > 0);
    assert!(least < 0.011 && most > 0.019, "{least} {most}");
}

#[test]
fn unsupported_options_of_the_family_are_rejected() {
    let refused = |kind: &str, fields: &[(&'static str, FieldValue)]| {
        let study = with(kind, 1.0, 1.0, fields);
        build(kind, &study.integrator.arguments, 3)
            .unwrap()
            .err()
            .map(|e| e.field)
    };
    for alpha in [-0.31, 0.01, f64::NAN] {
        assert_eq!(
            refused("hht", &[("alpha", FieldValue::Number(alpha))]),
            Some("alpha")
        );
    }
    for alpha in [-0.3, 0.0] {
        assert_eq!(
            refused("hht", &[("alpha", FieldValue::Number(alpha))]),
            None
        );
    }
    assert_eq!(
        refused("hht", &[("max_iterations", FieldValue::Number(2.5))]),
        Some("max_iterations")
    );
    let literal = [
        ("tolerance", FieldValue::Number(1e-6)),
        ("average", word("forces")),
    ];
    assert_eq!(refused("hht", &literal), Some("tolerance"));
    let radius = [("spectral_radius", FieldValue::Number(1.1))];
    assert_eq!(
        refused("generalized-alpha", &radius),
        Some("spectral_radius")
    );
}
