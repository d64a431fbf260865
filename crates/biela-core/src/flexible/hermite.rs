//! The cubic shape functions of a beam element of length l, ξ = x/l:
//!
//! ```text
//! r = s₁ r_A + s₂ r'_A + s₃ r_B + s₄ r'_B
//! s₁ = 1 − 3ξ² + 2ξ³     s₂ = l (ξ − 2ξ² + ξ³)     s₃ = 3ξ² − 2ξ³     s₄ = l (ξ³ − ξ²)
//! ```

/// s.
pub(super) fn shape(l: f64, xi: f64) -> [f64; 4] {
    let (x2, x3) = (xi * xi, xi * xi * xi);
    [
        1.0 - 3.0 * x2 + 2.0 * x3,
        l * (xi - 2.0 * x2 + x3),
        3.0 * x2 - 2.0 * x3,
        l * (x3 - x2),
    ]
}

/// ds/dx.
pub(super) fn slope(l: f64, xi: f64) -> [f64; 4] {
    let x2 = xi * xi;
    [
        6.0 * (x2 - xi) / l,
        1.0 - 4.0 * xi + 3.0 * x2,
        6.0 * (xi - x2) / l,
        3.0 * x2 - 2.0 * xi,
    ]
}

/// d²s/dx².
pub(super) fn bend(l: f64, xi: f64) -> [f64; 4] {
    [
        (12.0 * xi - 6.0) / (l * l),
        (6.0 * xi - 4.0) / l,
        (6.0 - 12.0 * xi) / (l * l),
        (6.0 * xi - 2.0) / l,
    ]
}

/// `∫ s sᵀ dξ`: the mass matrix of an element of unit mass, for each axis.
pub(super) fn mass(l: f64) -> [[f64; 4]; 4] {
    let (a, b, c, d) = (13.0 / 35.0, 11.0 * l / 210.0, 9.0 / 70.0, 13.0 * l / 420.0);
    let (f, g) = (l * l / 105.0, l * l / 140.0);
    [[a, b, c, -d], [b, f, d, -g], [c, d, a, -b], [-d, -g, -b, f]]
}

/// `∫ s dξ`.
pub(super) fn mean(l: f64) -> [f64; 4] {
    [0.5, l / 12.0, 0.5, -l / 12.0]
}

/// A linear combination of nodal values, for each axis: `Σ c_k e_k`.
#[inline]
pub(super) fn combine<const D: usize>(coefficients: &[f64; 4], e: &[f64]) -> [f64; D] {
    let mut sum = [0.0; D];
    for (c, values) in coefficients.iter().zip(e.chunks_exact(D)) {
        for (x, value) in sum.iter_mut().zip(values) {
            *x += c * value;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::quadrature::gauss;
    use super::*;

    #[test]
    fn mass_and_mean_are_the_integrals_of_the_shape_functions() {
        let l = 0.7;
        let (closed, mean) = (mass(l), mean(l));
        for i in 0..4 {
            let first: f64 = gauss(5).iter().map(|(xi, w)| w * shape(l, *xi)[i]).sum();
            assert!((first - mean[i]).abs() < 1e-15);
            for j in 0..4 {
                let product = |xi: f64| shape(l, xi)[i] * shape(l, xi)[j];
                let integral: f64 = gauss(5).iter().map(|(xi, w)| w * product(*xi)).sum();
                assert!((integral - closed[i][j]).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn each_derivative_is_the_slope_of_the_preceding_one() {
        type Functions = fn(f64, f64) -> [f64; 4];
        let (l, xi, h) = (0.7, 0.3, 1e-5);
        let pairs: [(Functions, Functions); 2] = [(shape, slope), (slope, bend)];
        for (f, df) in pairs {
            let (ahead, behind) = (f(l, xi + h), f(l, xi - h));
            for k in 0..4 {
                let difference = (ahead[k] - behind[k]) / (2.0 * h * l);
                assert!((difference - df(l, xi)[k]).abs() < 1e-6);
            }
        }
    }
}
