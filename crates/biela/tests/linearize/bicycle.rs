//! The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab, Proc. R. Soc. A 463 (2007) 1955–1982.

use super::*;
use biela::core::math::{Matrix, spectrum};

const BICYCLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../examples/vehicles/bicycle/model.toml"
);

fn bicycle(speed: f64, request: &Request) -> Linear {
    let text = std::fs::read_to_string(BICYCLE).unwrap();
    let set = [format!("v={speed:?} m/s")];
    try_linear(&text, &set, At::Start, request).unwrap_or_else(|e| panic!("{e}"))
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

/// Table 2 of the paper: speed; capsize; weave, two reals or real and imaginary part; castering.
const TABLE: [(f64, [f64; 4]); 11] = [
    (
        0.0,
        [
            -3.131_643_247_906_56,
            3.131_643_247_906_56,
            5.530_943_717_653_93,
            -5.530_943_717_653_93,
        ],
    ),
    (
        1.0,
        [
            -3.134_231_250_665_78,
            3.526_961_709_900_70,
            0.807_740_275_199_30,
            -7.110_080_146_374_42,
        ],
    ),
    (
        2.0,
        [
            -3.071_586_456_415_14,
            2.682_345_175_127_45,
            1.680_662_965_906_75,
            -8.673_879_848_317_35,
        ],
    ),
    (
        3.0,
        [
            -2.633_661_372_536_67,
            1.706_756_056_639_75,
            2.315_824_473_843_25,
            -10.351_014_672_459_2,
        ],
    ),
    (
        4.0,
        [
            -1.429_444_273_613_26,
            0.413_253_315_211_25,
            3.079_108_186_032_06,
            -12.158_614_265_764_47,
        ],
    ),
    (
        5.0,
        [
            -0.322_866_429_004_09,
            -0.775_341_882_195_85,
            4.464_867_713_788_23,
            -14.078_389_692_798_22,
        ],
    ),
    (
        6.0,
        [
            -0.004_066_900_769_70,
            -1.526_444_865_841_42,
            5.876_730_605_987_09,
            -16.085_371_230_980_26,
        ],
    ),
    (
        7.0,
        [
            0.102_681_705_747_66,
            -2.138_756_442_583_62,
            7.195_259_133_298_05,
            -18.157_884_661_252_62,
        ],
    ),
    (
        8.0,
        [
            0.143_278_797_657_13,
            -2.693_486_835_810_97,
            8.460_379_713_969_31,
            -20.279_408_943_945_69,
        ],
    ),
    (
        9.0,
        [
            0.157_901_840_309_17,
            -3.216_754_022_524_85,
            9.693_773_515_317_91,
            -22.437_885_590_408_58,
        ],
    ),
    (
        10.0,
        [
            0.161_053_386_531_72,
            -3.720_168_404_372_87,
            10.906_811_394_762_87,
            -24.624_596_350_174_04,
        ],
    ),
];

#[test]
fn the_benchmark_bicycle_has_the_published_eigenvalues() {
    for (speed, [capsize, weave, second, caster]) in TABLE {
        let found = bicycle(speed, &Request::default());
        assert_eq!(
            (found.model.positions.len(), found.model.speeds.len()),
            (7, 3)
        );
        let real = |x| Complex::new(x, 0.0);
        let mut expected = vec![real(capsize), real(caster)];
        if speed == 0.0 {
            expected.extend([real(weave), real(second)]);
        } else {
            expected.push(Complex::new(weave, second));
        }
        assert_values(&found, &expected, 6, 1e-9);
        // and the same from the published matrices
        let mut again = published(speed);
        again.retain(|x| x.im >= 0.0);
        assert_values(&found, &again, 6, 1e-9);
        assert!(
            found.model.change_rate < 1e-6,
            "{}",
            found.model.change_rate
        );
        assert!(found.model.accelerations.iter().all(|a| a.abs() < 1e-11));
    }
}

/// The speed at which the real part of a mode vanishes, by secants.
fn crossing(mut low: f64, mut high: f64, real: impl Fn(&Linear) -> f64) -> f64 {
    let at = |speed| real(&bicycle(speed, &Request::default()));
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
    let weave = |linear: &Linear| {
        let mode = linear.modes.iter().find(|m| m.is_oscillation()).unwrap();
        mode.value.re
    };
    let found = crossing(4.2, 4.3, weave);
    assert!(
        (found / 4.292_382_536_341_11 - 1.0).abs() < 1e-10,
        "{found}"
    );
    let capsize = |linear: &Linear| {
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
fn steering_torque_enters_as_the_published_mass_matrix_says() {
    // M⁻¹ e₂: lean and steer accelerations for a unit of steer torque; lean to the right, steer to the right in the paper
    let request = Request {
        inputs: names(&["hands"]),
        outputs: names(&["ride.beta_acceleration", "steering.acceleration"]),
        ..Request::default()
    };
    let found = bicycle(3.0, &request);
    let det = 80.81722 * 0.297_841_881_996_86 - 2.319_413_322_087_09_f64.powi(2);
    // our steer is positive to the left: its sign turns both as torque and as angle
    assert!((found.model.d[(0, 0)] - 2.319_413_322_087_09 / det).abs() < 1e-11);
    assert!((found.model.d[(1, 0)] - 80.81722 / det).abs() < 1e-9);
}
