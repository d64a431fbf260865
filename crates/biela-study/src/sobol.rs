//! Sobol's sequence with the direction numbers of S. Joe and F. Y. Kuo, *Constructing Sobol sequences with better two-dimensional
//! projections*, SIAM J. Sci. Comput. 30 (2008), file `new-joe-kuo-6.21201`.
//!
//! Coordinate j of point k is `⊕ᵢ gᵢ vᵢⱼ` over the bits gᵢ of the Gray code of k, with a seeded digital shift, which preserves the equidistribution of the
//! sequence.

use crate::random::bits;

/// Degree, inner coefficients and first direction numbers of the primitive polynomials from the second coordinate on.
const TABLE: [(u32, u32, &[u32]); MOST_FACTORS - 1] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
    (6, 19, &[1, 1, 1, 15, 7, 5]),
    (6, 22, &[1, 3, 1, 15, 13, 25]),
    (6, 25, &[1, 1, 5, 5, 19, 61]),
    (7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    (7, 4, &[1, 3, 7, 13, 13, 15, 69]),
];

/// The maximum number of coordinates with direction numbers.
pub const MOST_FACTORS: usize = 21;

const BITS: u32 = 32;

/// The direction numbers of one coordinate, the first in the highest bit.
fn directions(factor: usize) -> [u32; BITS as usize] {
    let mut v = [0; BITS as usize];
    let Some((degree, inner, first)) = factor.checked_sub(1).and_then(|k| TABLE.get(k)) else {
        return std::array::from_fn(|i| 1 << (BITS - 1 - i as u32));
    };
    let s = *degree as usize;
    for i in 0..BITS as usize {
        if let Some(m) = first.get(i) {
            v[i] = m << (BITS - 1 - i as u32);
            continue;
        }
        v[i] = v[i - s] ^ (v[i - s] >> s);
        for k in 1..s {
            if inner >> (s - 1 - k) & 1 == 1 {
                v[i] ^= v[i - k];
            }
        }
    }
    v
}

/// The sequence with a number of coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Sobol {
    directions: Vec<[u32; BITS as usize]>,
    shifts: Vec<u32>,
}

impl Sobol {
    /// Creates the sequence with at most [`MOST_FACTORS`] coordinates.
    pub(crate) fn new(factors: usize, seed: u64) -> Self {
        Self {
            directions: (0..factors).map(directions).collect(),
            shifts: (0..factors as u64)
                .map(|factor| bits(seed, u64::MAX, factor) as u32)
                .collect(),
        }
    }

    /// A coordinate of point `k`, in the open interval from 0 to 1.
    pub(crate) fn at(&self, k: usize, factor: usize) -> f64 {
        let word = self.word(k, factor) ^ self.shifts[factor];
        (f64::from(word) + 0.5) / (1_u64 << BITS) as f64
    }

    fn word(&self, k: usize, factor: usize) -> u32 {
        let gray = (k ^ (k >> 1)) as u32;
        let taken = |i: &usize| gray >> i & 1 == 1;
        let list = &self.directions[factor];
        (0..BITS as usize)
            .filter(taken)
            .fold(0, |word, i| word ^ list[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_points_are_the_published_ones() {
        // reference: scipy.stats.qmc.Sobol(d=5, scramble=False)
        let sobol = Sobol::new(5, 0);
        let expected = [
            [0.0, 0.0, 0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25, 0.25, 0.75],
            [0.25, 0.75, 0.75, 0.75, 0.25],
            [0.375, 0.375, 0.625, 0.875, 0.375],
            [0.875, 0.875, 0.125, 0.375, 0.875],
        ];
        for (k, row) in expected.iter().enumerate() {
            let found: [f64; 5] =
                std::array::from_fn(|j| f64::from(sobol.word(k, j)) / 4_294_967_296.0);
            assert_eq!(&found, row, "point {k}");
        }
    }

    #[test]
    fn points_of_large_index_agree_in_all_coordinates() {
        // the highest eight bits; reference: scipy.stats.qmc.Sobol(d=21, scramble=False)
        let expected: [(usize, [u32; MOST_FACTORS]); 2] = [
            (
                77,
                [
                    214, 214, 2, 198, 214, 130, 58, 166, 46, 110, 34, 202, 126, 86, 254, 18, 210,
                    226, 202, 2, 38,
                ],
            ),
            (
                200,
                [
                    53, 99, 105, 151, 209, 143, 7, 249, 85, 159, 255, 151, 79, 151, 25, 177, 163,
                    217, 191, 45, 93,
                ],
            ),
        ];
        let sobol = Sobol::new(MOST_FACTORS, 0);
        for (k, row) in expected {
            let found: [u32; MOST_FACTORS] = std::array::from_fn(|j| sobol.word(k, j) >> 24);
            assert_eq!(found, row, "point {k}");
        }
    }

    #[test]
    fn every_coordinate_fills_every_cell_once() {
        let sobol = Sobol::new(MOST_FACTORS, 5);
        for factor in 0..MOST_FACTORS {
            let mut seen = [0; 256];
            for k in 0..256 {
                seen[(256.0 * sobol.at(k, factor)) as usize] += 1;
            }
            assert_eq!(seen, [1; 256], "coordinate {factor}");
        }
    }

    #[test]
    fn a_seed_scrambles_the_points_and_keeps_their_stratification() {
        let (one, other) = (Sobol::new(2, 1), Sobol::new(2, 2));
        assert_ne!(one.at(3, 0), other.at(3, 0));
        // 16 boxes of the square, each with 4 of 64 points
        for sobol in [one, other] {
            let mut seen = [0; 16];
            for k in 0..64 {
                let cell = |factor| (4.0 * sobol.at(k, factor)) as usize;
                seen[4 * cell(0) + cell(1)] += 1;
            }
            assert_eq!(seen, [4; 16]);
        }
    }
}
