//! Gauss-Legendre quadrature on [0, 1]: `∫ f dξ ≈ Σ w f(ξ)`, exact for polynomials of degree `2 n − 1`.

/// Largest number of points of a rule.
pub const MOST_POINTS: usize = 5;

/// Positions and weights of the rule with `points` points, clamped to the range 1 to [`MOST_POINTS`].
pub(crate) fn gauss(points: usize) -> &'static [(f64, f64)] {
    const ONE: [(f64, f64); 1] = [(0.5, 1.0)];
    const TWO: [(f64, f64); 2] = [
        (0.211_324_865_405_187_1, 0.5),
        (0.788_675_134_594_812_9, 0.5),
    ];
    const THREE: [(f64, f64); 3] = [
        (0.112_701_665_379_258_31, 5.0 / 18.0),
        (0.5, 4.0 / 9.0),
        (0.887_298_334_620_741_7, 5.0 / 18.0),
    ];
    const FOUR: [(f64, f64); 4] = [
        (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
        (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
        (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
        (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
    ];
    const FIVE: [(f64, f64); 5] = [
        (0.046_910_077_030_668_004, 0.118_463_442_528_094_54),
        (0.230_765_344_947_158_45, 0.239_314_335_249_683_23),
        (0.5, 0.284_444_444_444_444_44),
        (0.769_234_655_052_841_5, 0.239_314_335_249_683_23),
        (0.953_089_922_969_332, 0.118_463_442_528_094_54),
    ];
    match points {
        0 | 1 => &ONE,
        2 => &TWO,
        3 => &THREE,
        4 => &FOUR,
        _ => &FIVE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_of_n_points_is_exact_up_to_degree_2n_minus_1_and_no_further() {
        for n in 1..=MOST_POINTS {
            let integral =
                |degree: i32| -> f64 { gauss(n).iter().map(|(xi, w)| w * xi.powi(degree)).sum() };
            for degree in 0..2 * n as i32 {
                let error = integral(degree) - 1.0 / f64::from(degree + 1);
                assert!(
                    error.abs() < 2e-16,
                    "{n} points, degree {degree}: {error:e}"
                );
            }
            let beyond = 2 * n as i32;
            assert!((integral(beyond) - 1.0 / f64::from(beyond + 1)).abs() > 1e-7);
        }
    }

    #[test]
    fn the_length_of_a_parabola_is_found() {
        // y = x² from (0, 0) to (2, 4): √17 + asinh(4)/4, pieces of 5 points
        let exact = 17.0_f64.sqrt() + 4.0_f64.asinh() / 4.0;
        let pieces = 40;
        let mut length = 0.0;
        for k in 0..pieces {
            for (xi, w) in gauss(5) {
                let x = 2.0 * (f64::from(k) + xi) / f64::from(pieces);
                length += w * 2.0 / f64::from(pieces) * (1.0 + 4.0 * x * x).sqrt();
            }
        }
        assert!((length - exact).abs() < 1e-12);
    }
}
