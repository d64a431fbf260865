//! A strain as a function of what an element looks like at a point.
//!
//! Every strain of a beam here depends on `z = (r', r'', d)`: slope, bend and the chord from end to end, each linear in the node
//! coordinates. An element kind gives value, gradient and second derivative in z; energy, force and tangent follow for all kinds alike.

/// Slope, bend and chord.
#[derive(Clone, Copy, Debug, Default)]
pub struct Local {
    /// r', by material length.
    pub slope: [f64; 2],
    /// r''.
    pub bend: [f64; 2],
    /// From the first node to the second.
    pub chord: [f64; 2],
}

/// Where the parts of z begin.
pub(super) const SLOPE: usize = 0;
pub(super) const BEND: usize = 2;
pub(super) const CHORD: usize = 4;

/// Which strain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Stretch.
    Axial,
    /// Bending; some kinds have two components.
    Bending(usize),
}

/// A strain with its derivatives in z.
#[derive(Clone, Copy, Debug)]
pub struct Strain {
    /// Value.
    pub value: f64,
    /// First derivative.
    pub gradient: [f64; 6],
    /// Second derivative.
    pub hessian: [[f64; 6]; 6],
}

impl Strain {
    /// Zero.
    pub fn zero() -> Self {
        Strain {
            value: 0.0,
            gradient: [0.0; 6],
            hessian: [[0.0; 6]; 6],
        }
    }

    /// Sets a part of the gradient.
    pub(super) fn set_gradient(&mut self, at: usize, values: [f64; 2]) {
        self.gradient[at] = values[0];
        self.gradient[at + 1] = values[1];
    }

    /// Sets a block of the second derivative and the block opposite to it.
    pub(super) fn set_block(&mut self, row: usize, column: usize, values: [[f64; 2]; 2]) {
        for (i, line) in values.iter().enumerate() {
            for (j, value) in line.iter().enumerate() {
                self.hessian[row + i][column + j] = *value;
                self.hessian[column + j][row + i] = *value;
            }
        }
    }
}

pub(super) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(super) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
