//! A small seeded generator for configurations in tests, perturbations and checks: the same numbers on every machine.

use super::Vec3;
use super::rotation::normalized;

/// A seeded stream of numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A stream that depends only on `seed`.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in (−`scale`, `scale`).
    pub fn symmetric(&mut self, scale: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        scale * (2.0 * unit - 1.0)
    }

    /// Uniform in (`low`, `high`).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        0.5 * (low + high) + self.symmetric(0.5 * (high - low))
    }

    /// An index below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count.max(1) as u64) as usize
    }

    /// Components uniform in (−`scale`, `scale`).
    pub fn array<const N: usize>(&mut self, scale: f64) -> [f64; N] {
        std::array::from_fn(|_| self.symmetric(scale))
    }

    /// A vector with components in (−`scale`, `scale`).
    pub fn vector(&mut self, scale: f64) -> Vec3<f64> {
        let [x, y, z] = self.array::<3>(scale);
        Vec3::new(x, y, z)
    }

    /// Unit Euler parameters, uniform over rotations.
    pub fn rotation(&mut self) -> [f64; 4] {
        loop {
            let e = self.array::<4>(1.0);
            let n = e.iter().map(|x| x * x).sum::<f64>();
            if n > 0.01 && n < 1.0 {
                return normalized(&e);
            }
        }
    }
}
