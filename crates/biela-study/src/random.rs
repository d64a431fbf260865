//! Counter-based random numbers: the number of a cell depends only on seed and cell.
//!
//! Philox4x32-10 of Salmon, Moraes, Dror and Shaw, *Parallel random numbers: as easy as 1, 2, 3*, SC11 (2011): ten rounds of
//!
//! ```text
//! (x₀, x₁, x₂, x₃) → (hi(M₁x₂) ⊕ x₁ ⊕ k₀, lo(M₁x₂), hi(M₀x₀) ⊕ x₃ ⊕ k₁, lo(M₀x₀))
//! ```

const M: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const W: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: usize = 10;

fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let a = u64::from(M[0]) * u64::from(counter[0]);
        let b = u64::from(M[1]) * u64::from(counter[2]);
        counter = [
            (b >> 32) as u32 ^ counter[1] ^ key[0],
            b as u32,
            (a >> 32) as u32 ^ counter[3] ^ key[1],
            a as u32,
        ];
        key = [key[0].wrapping_add(W[0]), key[1].wrapping_add(W[1])];
    }
    counter
}

/// 64 random bits of a cell.
pub(crate) fn bits(seed: u64, row: u64, column: u64) -> u64 {
    let halves = |x: u64| (x as u32, (x >> 32) as u32);
    let ((r0, r1), (c0, c1), (s0, s1)) = (halves(row), halves(column), halves(seed));
    let [low, high, ..] = philox([r0, r1, c0, c1], [s0, s1]);
    u64::from(high) << 32 | u64::from(low)
}

/// A number in the open interval from 0 to 1 that depends only on seed, row and column.
///
/// ```
/// assert_eq!(biela_study::uniform(1, 5, 2), biela_study::uniform(1, 5, 2));
/// assert_ne!(biela_study::uniform(1, 5, 2), biela_study::uniform(2, 5, 2));
/// ```
pub fn uniform(seed: u64, row: u64, column: u64) -> f64 {
    // the midpoints of 2^52 cells, each exact
    ((bits(seed, row, column) >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_the_published_numbers() {
        // kat_vectors of the Random123 library
        let zero = philox([0; 4], [0; 2]);
        assert_eq!(zero, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        let ones = philox([u32::MAX; 4], [u32::MAX; 2]);
        assert_eq!(ones, [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        let pi = philox(
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0],
        );
        assert_eq!(pi, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
    }

    #[test]
    fn random_numbers_are_uniform_and_independent() {
        let n = 20_000_u64;
        let x: Vec<f64> = (0..n).map(|k| uniform(3, k, 0)).collect();
        let y: Vec<f64> = (0..n).map(|k| uniform(3, k, 1)).collect();
        let mean = |f: &dyn Fn(usize) -> f64| (0..n as usize).map(f).sum::<f64>() / n as f64;
        assert!((mean(&|k| x[k]) - 0.5).abs() < 0.01);
        assert!((mean(&|k| (x[k] - 0.5).powi(2)) - 1.0 / 12.0).abs() < 0.003);
        assert!(mean(&|k| (x[k] - 0.5) * (y[k] - 0.5)).abs() < 0.003);
        let next = |k: usize| (x[k] - 0.5) * (x[(k + 1) % n as usize] - 0.5);
        assert!(mean(&next).abs() < 0.003);
    }
}
