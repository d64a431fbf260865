//! Tabulated functions: y over strictly increasing x, interpolated linearly or by a natural cubic spline.
//!
//! Every piece is the polynomial y = a + b s + c s² + d s³ in s = x − x_k. The second derivatives M_k = 2 c_k of the spline solve
//!
//! ```text
//! h₋ M₋ + 2 (h₋ + h) M + h M₊ = 6 ((y₊ − y)/h − (y − y₋)/h₋)        M = 0 at both ends
//! ```
//!
//! so that value, first and second derivative are continuous at the knots. Beyond the ends the table is constant or linear. Evaluation of a jet gives exact
//! derivatives.

use std::fmt;

use biela_core::math::Real;

use super::program::Continuity;
use crate::units::Dimension;

/// The interpolation between the points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Linear interpolation.
    #[default]
    Linear,
    /// A natural cubic spline.
    Cubic,
}

/// The extrapolation beyond the ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extrapolation {
    /// Constant extrapolation with the end value.
    #[default]
    Hold,
    /// Linear extrapolation with the end slope.
    Linear,
}

/// The reason why points do not form a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TableError {
    /// There are fewer than two points.
    TooShort,
    /// There are `x` abscissae but `y` ordinates.
    Lengths {
        /// The number of x values.
        x: usize,
        /// The number of y values.
        y: usize,
    },
    /// Point `index`, counted from zero, is not finite.
    NotFinite {
        /// The index of the point.
        index: usize,
    },
    /// The x of point `index`, counted from zero, is not greater than the previous one.
    NotIncreasing {
        /// The index of the point.
        index: usize,
    },
    /// The difference quotients of adjacent points overflow.
    TooSteep,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort => f.write_str("a table needs at least two points"),
            Self::Lengths { x, y } => {
                write!(
                    f,
                    "a table needs as many values of y as of x: there are {x} of x and {y} of y"
                )
            }
            Self::NotFinite { index } => {
                write!(f, "point {} of the table is NaN or infinite", index + 1)
            }
            Self::NotIncreasing { index } => {
                write!(
                    f,
                    "x must increase: that of point {} is not greater than that of point {index}",
                    index + 1
                )
            }
            Self::TooSteep => f.write_str("the slopes of the table overflow"),
        }
    }
}

biela_core::readable_errors!(TableError);

/// a + b s + c s² + d s³ with s = x − anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CubicPiece {
    anchor: f64,
    coefficients: [f64; 4],
}

/// A tabulated function.
#[derive(Clone, Debug, PartialEq)]
pub struct TabulatedFunction {
    x: Vec<f64>,
    /// One piece before the first point, one between each two, one after the last.
    pieces: Vec<CubicPiece>,
    interpolation: Interpolation,
    extrapolation: Extrapolation,
    dimensions: (Option<Dimension>, Option<Dimension>),
}

impl TabulatedFunction {
    /// Creates the table through the points (x, y).
    ///
    /// ```
    /// use biela_model::expr::{Extrapolation, Interpolation, TabulatedFunction};
    ///
    /// let lift = TabulatedFunction::new(&[0.0, 1.0, 3.0], &[0.0, 2.0, 2.5], Interpolation::Linear, Extrapolation::Hold).unwrap();
    /// assert_eq!(lift.eval(0.5), 1.0);
    /// assert_eq!(lift.eval(7.0), 2.5);
    /// ```
    pub fn new(
        x: &[f64],
        y: &[f64],
        interpolation: Interpolation,
        extrapolation: Extrapolation,
    ) -> Result<Self, TableError> {
        if x.len() != y.len() {
            return Err(TableError::Lengths {
                x: x.len(),
                y: y.len(),
            });
        }
        if x.len() < 2 {
            return Err(TableError::TooShort);
        }
        if let Some(index) = (0..x.len()).find(|&k| !(x[k].is_finite() && y[k].is_finite())) {
            return Err(TableError::NotFinite { index });
        }
        if let Some(index) = (1..x.len()).find(|&k| x[k] <= x[k - 1]) {
            return Err(TableError::NotIncreasing { index });
        }
        let curvatures = match interpolation {
            Interpolation::Linear => vec![0.0; x.len()],
            Interpolation::Cubic => natural_curvatures(x, y),
        };
        let inner = |k: usize| {
            let (h, m, m_next) = (x[k + 1] - x[k], curvatures[k], curvatures[k + 1]);
            let slope = (y[k + 1] - y[k]) / h - h * (2.0 * m + m_next) / 6.0;
            CubicPiece {
                anchor: x[k],
                coefficients: [y[k], slope, m / 2.0, (m_next - m) / (6.0 * h)],
            }
        };
        let last = x.len() - 1;
        let straight = |k: usize, slope: f64| {
            let slope = if extrapolation == Extrapolation::Hold {
                0.0
            } else {
                slope
            };
            CubicPiece {
                anchor: x[k],
                coefficients: [y[k], slope, 0.0, 0.0],
            }
        };
        let end_slope = {
            let h = x[last] - x[last - 1];
            let [_, b, c, d] = inner(last - 1).coefficients;
            b + h * (2.0 * c + h * 3.0 * d)
        };
        let mut pieces = Vec::with_capacity(x.len() + 1);
        pieces.push(straight(0, inner(0).coefficients[1]));
        pieces.extend((0..last).map(inner));
        pieces.push(straight(last, end_slope));
        if pieces
            .iter()
            .flat_map(|piece| piece.coefficients)
            .any(|c| !c.is_finite())
        {
            return Err(TableError::TooSteep);
        }
        Ok(Self {
            x: x.to_vec(),
            pieces,
            interpolation,
            extrapolation,
            dimensions: (None, None),
        })
    }

    /// Returns the table with the dimensions of x and y, for the dimension check of formulas.
    pub fn with_dimensions(self, x: Option<Dimension>, y: Option<Dimension>) -> Self {
        Self {
            dimensions: (x, y),
            ..self
        }
    }

    /// The dimensions of x and y, if known.
    pub fn dimensions(&self) -> (Option<Dimension>, Option<Dimension>) {
        self.dimensions
    }

    /// The first and last x.
    pub fn range(&self) -> (f64, f64) {
        (self.x[0], self.x[self.x.len() - 1])
    }

    /// Returns the value at `x`. At an inner point the following piece is used, at the last point the preceding one.
    pub fn eval<T: Real>(&self, x: T) -> T {
        let (at, last) = (x.number(), self.x.len() - 1);
        let index = if at > self.x[last] {
            last + 1
        } else {
            self.x[..last].partition_point(|knot| *knot <= at)
        };
        let CubicPiece {
            anchor,
            coefficients: [a, b, c, d],
        } = self.pieces[index];
        let s = x - T::constant(anchor);
        T::constant(a) + s * (T::constant(b) + s * (T::constant(c) + s * T::constant(d)))
    }

    /// The nearest x above (or below) at which the table has a kink; `None` if there is none. A spline has kinks at most at its ends.
    pub(super) fn corner_beside(&self, x: f64, above: bool) -> Option<f64> {
        let last = self.x.len() - 1;
        let ends = [self.x[0], self.x[last]];
        let corners = match (self.interpolation, self.extrapolation) {
            (Interpolation::Linear, Extrapolation::Hold) => self.x.as_slice(),
            (Interpolation::Linear, Extrapolation::Linear) => &self.x[1..last],
            (Interpolation::Cubic, Extrapolation::Hold) => &ends,
            (Interpolation::Cubic, Extrapolation::Linear) => &[],
        };
        if above {
            let next = corners.partition_point(|corner| *corner <= x);
            corners.get(next).copied()
        } else {
            let next = corners.partition_point(|corner| *corner < x);
            next.checked_sub(1).map(|k| corners[k])
        }
    }

    /// The continuity of the table, including its ends.
    pub fn continuity(&self) -> Continuity {
        match (self.interpolation, self.extrapolation) {
            (Interpolation::Cubic, Extrapolation::Linear) => Continuity::Curvature,
            _ => Continuity::Value,
        }
    }
}

/// The second derivatives of the natural spline at the points, by the tridiagonal (Thomas) algorithm. The matrix is diagonally dominant, so no pivot vanishes.
fn natural_curvatures(x: &[f64], y: &[f64]) -> Vec<f64> {
    let last = x.len() - 1;
    let mut upper = vec![0.0; x.len()];
    let mut curvature = vec![0.0; x.len()];
    for k in 1..last {
        let (before, after) = (x[k] - x[k - 1], x[k + 1] - x[k]);
        let bend = 6.0 * ((y[k + 1] - y[k]) / after - (y[k] - y[k - 1]) / before);
        let pivot = 2.0 * (before + after) - before * upper[k - 1];
        upper[k] = after / pivot;
        curvature[k] = (bend - before * curvature[k - 1]) / pivot;
    }
    for k in (1..last).rev() {
        curvature[k] -= upper[k] * curvature[k + 1];
    }
    curvature
}
