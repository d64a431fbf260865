//! The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab, Proc. R. Soc. A 463 (2007) 1955–1982.

use super::*;
use biela::core::math::{Matrix, spectrum};

const BICYCLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../examples/vehicles/bicycle/model.toml"
);

fn bicycle(speed: f64, request: &LinearModelRequest) -> LinearizedModel {
    let text = std::fs::read_to_string(BICYCLE).unwrap();
    let set = [format!("v={speed:?} m/s")];
    try_linear(&text, &set, OperatingPoint::Start, request).unwrap_or_else(|e| panic!("{e}"))
}

/// The published equations `M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = f` in lean and steer, section 5 of the paper.
fn published(speed: f64) -> Vec<Complex<f64>> {
    let m = [
        [80.81722, 2.319_413_322_087_09],
        [2.319_413_322_087_09, 0.297_841_881_996_86],
    ];
    let c1 = [
        [0.0, 33.866_413_914_924_94],
        [-0.850_356_414_569_78, 1.685_403_973_975_60],
    ];
    let k0 = [
        [-80.95, -2.599_516_852_498_72],
        [-2.599_516_852_498_72, -0.803_294_884_586_18],
    ];
    let k2 = [[0.0, 76.597_345_895_732_22], [0.0, 2.654_315_237_946_04]];
    let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    let inverse = [
        [m[1][1] / det, -m[0][1] / det],
        [-m[1][0] / det, m[0][0] / det],
    ];
    let mut a = Matrix::zeros(4, 4);
    for i in 0..2 {
        a[(i, i + 2)] = 1.0;
        for j in 0..2 {
            for k in 0..2 {
                let stiffness = 9.81 * k0[k][j] + speed * speed * k2[k][j];
                a[(i + 2, j)] -= inverse[i][k] * stiffness;
                a[(i + 2, j + 2)] -= inverse[i][k] * speed * c1[k][j];
            }
        }
    }
    spectrum(&a, &Matrix::zeros(4, 4)).unwrap().values
}

/// Table 2 of the paper: speed and the eigenvalues, of a pair the one with positive imaginary part.
fn table() -> Vec<(f64, Vec<Complex<f64>>)> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../validation/meijaard-bicycle/reference.csv"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let [speed, capsize, castering, weave, imaginary, second] = cells[..] else {
            panic!("{line}");
        };
        let mut values = vec![
            Complex::new(capsize, 0.0),
            Complex::new(castering, 0.0),
            Complex::new(weave, imaginary),
        ];
        if second != 0.0 {
            values.push(Complex::new(second, 0.0));
        }
        (speed, values)
    });
    rows.collect()
}

#[test]
fn the_benchmark_bicycle_has_the_published_eigenvalues() {
    let table = table();
    assert_eq!(table.len(), 11);
    for (speed, expected) in table {
        let found = bicycle(speed, &LinearModelRequest::default());
        assert_eq!(
            (found.model.positions.len(), found.model.speeds.len()),
            (7, 3)
        );
        assert_values(&found, &expected, 6, 1e-11);
        // and the same from the published matrices
        let mut again = published(speed);
        again.retain(|x| x.im >= 0.0);
        // whose entries have fourteen decimals
        assert_values(&found, &again, 6, 1e-11);
        assert!(
            found.model.change_rate < 1e-6,
            "{}",
            found.model.change_rate
        );
        assert!(found.model.accelerations.iter().all(|a| a.abs() < 1e-11));
    }
}

/// The speed at which the real part of a mode vanishes, by secants.
fn crossing(mut low: f64, mut high: f64, real: impl Fn(&LinearizedModel) -> f64) -> f64 {
    let at = |speed| real(&bicycle(speed, &LinearModelRequest::default()));
    let (mut at_low, mut at_high) = (at(low), at(high));
    for _ in 0..3 {
        let next = high - at_high * (high - low) / (at_high - at_low);
        (low, at_low) = (high, at_high);
        (high, at_high) = (next, at(next));
    }
    high
}

#[test]
fn the_bicycle_is_stable_between_its_weave_and_its_capsize_speed() {
    let weave = |linear: &LinearizedModel| {
        let mode = linear.modes.iter().find(|m| m.is_oscillation()).unwrap();
        mode.value.re
    };
    let found = crossing(4.2, 4.3, weave);
    assert!(
        (found / 4.292_382_536_341_11 - 1.0).abs() < 1e-10,
        "{found}"
    );
    let capsize = |linear: &LinearizedModel| {
        let mut real = linear
            .modes
            .iter()
            .filter(|m| !m.is_oscillation() && !m.is_zero());
        real.next().unwrap().value.re
    };
    let found = crossing(6.01, 6.03, capsize);
    assert!(
        (found / 6.024_262_015_388_37 - 1.0).abs() < 1e-10,
        "{found}"
    );
}

#[test]
fn the_steering_torque_acts_through_the_published_mass_matrix() {
    // M⁻¹ e₂: lean and steer accelerations for a unit of steer torque; lean to the right, steer to the right in the paper
    let request = LinearModelRequest {
        inputs: names(&["hands"]),
        outputs: names(&["ride.beta_acceleration", "steering.acceleration"]),
        ..LinearModelRequest::default()
    };
    let found = bicycle(3.0, &request);
    let det = 80.81722 * 0.297_841_881_996_86 - 2.319_413_322_087_09_f64.powi(2);
    // our steer is positive to the left: its sign turns both as torque and as angle
    assert!((found.model.d[(0, 0)] - 2.319_413_322_087_09 / det).abs() < 1e-11);
    assert!((found.model.d[(1, 0)] - 80.81722 / det).abs() < 1e-9);
}
