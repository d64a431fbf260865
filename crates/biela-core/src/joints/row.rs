//! Scalar functions of the relative pose of two frames, with their first and second time derivatives.
//!
//! Let frame M move relative to frame F with orientation `R` (M to F), origin `p`, velocity `v = ṗ` and angular velocity
//! `w`, all as components in F. A function φ(R, p) has
//!
//! ```text
//! φ̇ = Jv·v + Jw·w          φ̈ = Jv·v̇ + Jw·ẇ + bias(R, p, v, w)
//! ```
//!
//! and `v̇`, `ẇ` are the time derivatives of the components. Every constraint equation and every joint coordinate is such a function. All of them
//! are composed of a few elementary functions by the chain rule:
//!
//! | function | Jv | Jw | bias |
//! |---|---|---|---|
//! | `p_i` | `e_i` | 0 | 0 |
//! | `R_ij = e_i·m_j`, `m_j` = column j of R | 0 | `m_j × e_i` | `e_i·(w×(w×m_j))` |

use crate::math::rotation::{column, cross, dot, unit, zero3};
use crate::math::{Mat3, Real, Vec3};
use crate::model::Space;

/// Motion of frame M relative to frame F, in F's axes.
#[derive(Clone, Copy, Debug)]
#[allow(non_snake_case)]
pub struct Relative<T: Real = f64> {
    /// Orientation: components in M to components in F.
    pub R: Mat3<T>,
    /// Origin of M.
    pub p: Vec3<T>,
    /// Time derivative of `p`.
    pub v: Vec3<T>,
    /// Angular velocity of M in F.
    pub w: Vec3<T>,
    /// For each measured angle, a value less than half a turn from the true one; it determines the number of full turns.
    pub turns: [f64; MAX_ANGLES],
    /// The curve that M follows: F's x axis, except for beam sliders.
    pub path: GuideCurve,
}

/// A curve through the origin of F, tangent to its x axis, for joints that follow a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuideCurve {
    /// Curve parameter s of the origin.
    pub place: f64,
    /// Stretch `|r'|`: arc length per unit of the parameter s.
    pub stretch: f64,
    /// Time derivative of the stretch at constant s.
    pub stretch_rate: f64,
    /// Second derivative `r''` of the curve, in F's axes.
    pub bend: Vec3<f64>,
}

impl GuideCurve {
    /// The x axis of F: a straight path.
    pub const STRAIGHT: GuideCurve = GuideCurve {
        place: 0.0,
        stretch: 1.0,
        stretch_rate: 0.0,
        bend: Vec3::new(0.0, 0.0, 0.0),
    };
}

/// The largest number of angles that a joint measures.
pub const MAX_ANGLES: usize = 3;

impl<T: Real> Relative<T> {
    /// No relative motion, at the pose (`R`, `p`).
    #[allow(non_snake_case)]
    pub fn at_rest(R: Mat3<T>, p: Vec3<T>) -> Self {
        Relative {
            R,
            p,
            v: zero3(),
            w: zero3(),
            turns: [0.0; MAX_ANGLES],
            path: GuideCurve::STRAIGHT,
        }
    }
}

/// Value and derivatives of a scalar function of the relative pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseFunction<T: Real = f64> {
    /// φ.
    pub phi: T,
    /// Derivative with respect to the relative velocity.
    pub v: Vec3<T>,
    /// Derivative with respect to the relative angular velocity.
    pub w: Vec3<T>,
    /// The part of φ̈ that does not depend on accelerations.
    pub bias: T,
}

impl<T: Real> PoseFunction<T> {
    /// A constant.
    pub fn constant(x: f64) -> Self {
        PoseFunction {
            phi: T::constant(x),
            v: zero3(),
            w: zero3(),
            bias: T::zero(),
        }
    }

    /// The translation `p_i`.
    pub fn translation(rel: &Relative<T>, i: usize) -> Self {
        PoseFunction {
            phi: rel.p[i],
            v: unit(i),
            w: zero3(),
            bias: T::zero(),
        }
    }

    /// `R_ij`: the direction cosine between axis i of F and axis j of M.
    pub fn cosine(rel: &Relative<T>, i: usize, j: usize) -> Self {
        let m = column(&rel.R, j);
        let e = unit(i);
        let turning = cross(&rel.w, &cross(&rel.w, &m));
        PoseFunction {
            phi: m[i],
            v: zero3(),
            w: cross(&m, &e),
            bias: turning[i],
        }
    }

    /// Returns φ̇ at the relative velocity.
    pub fn rate(&self, rel: &Relative<T>) -> T {
        dot(&self.v, &rel.v) + dot(&self.w, &rel.w)
    }

    /// The composition `f(φ)`, from the values of f, f′, f″ at φ.
    pub fn map(&self, rel: &Relative<T>, f: T, df: T, ddf: T) -> Self {
        let rate = self.rate(rel);
        PoseFunction {
            phi: f,
            v: self.v * df,
            w: self.w * df,
            bias: df * self.bias + ddf * rate * rate,
        }
    }

    /// `a φ`.
    pub fn scaled(&self, a: T) -> Self {
        PoseFunction {
            phi: self.phi * a,
            v: self.v * a,
            w: self.w * a,
            bias: self.bias * a,
        }
    }

    /// `φ + ψ`.
    pub fn plus(&self, other: &Self) -> Self {
        PoseFunction {
            phi: self.phi + other.phi,
            v: self.v + other.v,
            w: self.w + other.w,
            bias: self.bias + other.bias,
        }
    }

    /// `φ ψ`.
    pub fn times(&self, other: &Self, rel: &Relative<T>) -> Self {
        let two = T::constant(2.0);
        PoseFunction {
            phi: self.phi * other.phi,
            v: self.v * other.phi + other.v * self.phi,
            w: self.w * other.phi + other.w * self.phi,
            bias: self.bias * other.phi
                + self.phi * other.bias
                + two * self.rate(rel) * other.rate(rel),
        }
    }

    /// `√φ`, for φ > 0.
    pub fn sqrt(&self, rel: &Relative<T>) -> Self {
        let root = self.phi.sqrt();
        let df = T::constant(0.5) / root;
        self.map(rel, root, df, -T::constant(0.5) * df / self.phi)
    }

    /// `1/φ`.
    pub fn inverse(&self, rel: &Relative<T>) -> Self {
        let f = T::one() / self.phi;
        self.map(rel, f, -f * f, T::constant(2.0) * f * f * f)
    }

    /// The polar angle of the point (`x`, `y`), within half a turn of `near`:
    /// θ̇ = (x ẏ − y ẋ)/ρ², θ̈ = (x ÿ − y ẍ)/ρ² − 2 θ̇ (x ẋ + y ẏ)/ρ².
    pub fn angle(y: &Self, x: &Self, rel: &Relative<T>, near: f64) -> Self {
        let square = x.phi * x.phi + y.phi * y.phi;
        let (a, b) = (x.phi / square, y.phi / square);
        let (rate_x, rate_y) = (x.rate(rel), y.rate(rel));
        let rate = a * rate_y - b * rate_x;
        let principal = y.phi.atan2(x.phi);
        let turn = std::f64::consts::TAU;
        let turns = ((near - principal.number()) / turn).round();
        PoseFunction {
            phi: principal + T::constant(turn * turns),
            v: y.v * a - x.v * b,
            w: y.w * a - x.w * b,
            bias: a * y.bias - b * x.bias - T::constant(2.0) * rate * (a * rate_x + b * rate_y),
        }
    }

    /// Angle of rotation about axis `k`, from the columns of R: for z, `atan2(R_10, R_00)`.
    pub fn turn_about(rel: &Relative<T>, k: usize, near: f64) -> Self {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        PoseFunction::angle(
            &PoseFunction::cosine(rel, j, i),
            &PoseFunction::cosine(rel, i, i),
            rel,
            near,
        )
    }

    /// The gradient of that angle only: with the column (c, s, u) of R, `θ̇ = w_z − u (c w_x + s w_y)/(c² + s²)` for z.
    pub fn direction_of_turn(rel: &Relative<T>, k: usize) -> Self {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (c, s, u) = (rel.R[(i, i)], rel.R[(j, i)], rel.R[(k, i)]);
        let lean = u / (c * c + s * s);
        let mut row = PoseFunction::constant(0.0);
        row.w[i] = -lean * c;
        row.w[j] = -lean * s;
        row.w[k] = T::one();
        row
    }
}

/// The largest number of equations of one joint.
pub const MAX_ROWS: usize = 6;

/// The constraint equations of a joint: position equations φ = 0 first, then velocity equations `Jv·v + Jw·w = 0`.
#[derive(Clone, Debug)]
pub struct JointEquations<T: Real = f64> {
    list: [PoseFunction<T>; MAX_ROWS],
    len: usize,
    coincident: usize,
}

impl<T: Real> JointEquations<T> {
    /// No equations.
    pub fn new() -> Self {
        JointEquations {
            list: [PoseFunction::constant(0.0); MAX_ROWS],
            len: 0,
            coincident: 0,
        }
    }

    /// Removes all equations.
    pub fn clear(&mut self) {
        self.len = 0;
        self.coincident = 0;
    }

    /// Adds an equation.
    pub fn push(&mut self, row: PoseFunction<T>) {
        self.list[self.len] = row;
        self.len += 1;
    }

    /// Adds `p = 0`, in all axes of the space: the origins coincide. These equations precede all others of a joint, and a system may express
    /// them along any axes.
    pub fn coincide(&mut self, space: Space, rel: &Relative<T>) {
        for i in 0..space.axes() {
            self.push(PoseFunction::translation(rel, i));
        }
        self.coincident = space.axes();
    }

    /// The number of leading equations that make the origins coincide.
    pub fn coincident(&self) -> usize {
        self.coincident
    }

    /// Adds `p_i = 0` for each axis of the list.
    pub fn lock_translations(&mut self, rel: &Relative<T>, axes: &[usize]) {
        for &i in axes {
            self.push(PoseFunction::translation(rel, i));
        }
    }

    /// Adds `R_ij = 0`: axis i of F stays perpendicular to axis j of M.
    pub fn perpendicular(&mut self, rel: &Relative<T>, pairs: &[(usize, usize)]) {
        for &(i, j) in pairs {
            self.push(PoseFunction::cosine(rel, i, j));
        }
    }

    /// The equations.
    pub fn as_slice(&self) -> &[PoseFunction<T>] {
        &self.list[..self.len]
    }
}

impl<T: Real> Default for JointEquations<T> {
    fn default() -> Self {
        Self::new()
    }
}
