use super::nearest::{Equations, implicit, numbers, root};
use super::spline::PeriodicSpline;
use super::{Nearest, SurfaceKind};
use crate::math::rotation::{dot, identity};
use crate::math::{Jet, Mat3, Pose, Real, Vec3};
use crate::model::Space;
use std::f64::consts::TAU;

/// A smooth closed curve x(u) in the plane, such as the profile of a cam: periodic, twice continuously differentiable, counter-clockwise, without
/// self-intersection.
///
/// With the tangent t = x′(u) and the outward normal n = (t_y, −t_x)/|t|, the nearest point to c satisfies
///
/// ```text
/// t(u) · (c − x(u)) = 0      d = n · (c − x(u))
/// ```
///
/// A global search over stored samples selects the neighbourhood, Newton's method the parameter. The curve may be concave in parts. Only the
/// nearest point is a candidate: a circle or a line that is in contact with a concave part at two points has one contact point at a time. At a centre of curvature
/// the second derivative of the gap is not defined; it is that of a fixed nearest parameter there.
///
/// The interpolation error of a spline through points at spacing h is O(h⁴); for a formula it is measured between the samples, see
/// [`interpolation_error`](Curve::interpolation_error).
#[derive(Clone, Debug)]
pub struct Curve {
    profile: Profile,
    samples: Vec<Sample>,
    /// Greatest distance of consecutive samples.
    spacing: f64,
    interpolation_error: Option<f64>,
}

#[derive(Clone, Debug)]
enum Profile {
    /// x = r(θ) (cos θ, sin θ).
    Polar(PeriodicSpline),
    /// x = (x(u), y(u)).
    Cartesian([PeriodicSpline; 2]),
}

/// A point of the curve for the global search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) parameter: f64,
    pub(super) point: Vec3<f64>,
    pub(super) normal: Vec3<f64>,
}

impl Curve {
    /// The curve r(θ) through a table of angles (radians, increasing within one turn) and radii. If the last angle is one turn after the first, the last radius must
    /// equal the first.
    pub fn from_polar(table: &[(f64, f64)]) -> Result<Self, String> {
        let mut table = table;
        if let [first, .., last] = table
            && (last.0 - first.0 - TAU).abs() < 1e-9
        {
            if (last.1 - first.1).abs() > 1e-9 * first.1.abs() {
                return Err(format!(
                    "A curve has the radius {} at its first angle and {} one turn later; it is not closed.",
                    first.1, last.1
                ));
            }
            table = &table[..table.len() - 1];
        }
        if table.len() < 4 {
            return Err(format!(
                "A curve has {} points; it needs at least four.",
                table.len()
            ));
        }
        let (angles, radii): (Vec<f64>, Vec<f64>) = table.iter().copied().unzip();
        let increasing =
            angles.windows(2).all(|a| a[0] < a[1]) && angles[angles.len() - 1] < angles[0] + TAU;
        if !increasing || angles.iter().any(|a| !a.is_finite()) {
            return Err("The angles of a curve must increase within one turn.".into());
        }
        if let Some(k) = radii.iter().position(|r| !(*r > 0.0 && r.is_finite())) {
            return Err(format!(
                "The radius of a curve at the angle {} rad is {}; it must be positive and finite.",
                angles[k], radii[k]
            ));
        }
        Self::with(Profile::Polar(PeriodicSpline::new(&angles, TAU, &radii)))
    }

    /// The closed curve through points (x, y), parametrised by chord length. The first point is not repeated at the end. A clockwise list is reversed.
    pub fn from_points(points: &[[f64; 2]]) -> Result<Self, String> {
        let n = points.len();
        if n < 4 {
            return Err(format!("A curve has {n} points; it needs at least four."));
        }
        if let Some(k) = points
            .iter()
            .position(|x| !x[0].is_finite() || !x[1].is_finite())
        {
            return Err(format!(
                "Point {} of a curve has a coordinate that is not finite.",
                k + 1
            ));
        }
        let area: f64 = (0..n)
            .map(|i| points[i][0] * points[(i + 1) % n][1] - points[i][1] * points[(i + 1) % n][0])
            .sum();
        let mut points = points.to_vec();
        if area < 0.0 {
            points.reverse();
        }
        let mut knots = vec![0.0];
        for i in 0..n {
            let (a, b) = (points[i], points[(i + 1) % n]);
            let chord = (b[0] - a[0]).hypot(b[1] - a[1]);
            if chord == 0.0 {
                return Err(format!("Point {} of a curve is repeated.", i + 1));
            }
            knots.push(knots[i] + chord);
        }
        let period = knots[n];
        let axis = |k: usize| {
            let values: Vec<f64> = points.iter().map(|x| x[k]).collect();
            PeriodicSpline::new(&knots[..n], period, &values)
        };
        Self::with(Profile::Cartesian([axis(0), axis(1)]))
    }

    /// The curve r(θ) of a formula, sampled at `count` equal steps of θ.
    pub fn from_polar_formula(count: usize, formula: impl Fn(f64) -> f64) -> Result<Self, String> {
        let angle = |k: f64| TAU * k / count as f64;
        let table: Vec<_> = (0..count)
            .map(|k| (angle(k as f64), formula(angle(k as f64))))
            .collect();
        let mut curve = Self::from_polar(&table)?;
        let error = |k: usize| {
            let middle = angle(k as f64 + 0.5);
            let (x, _) = curve.at(middle);
            (x.norm() - formula(middle)).abs()
        };
        curve.interpolation_error = Some((0..count).map(error).fold(0.0, f64::max));
        Ok(curve)
    }

    /// The closed curve (x(θ), y(θ)) of a formula with the period 2π, sampled at `count` equal steps of θ.
    pub fn from_formula(count: usize, formula: impl Fn(f64) -> [f64; 2]) -> Result<Self, String> {
        let angle = |k: f64| TAU * k / count as f64;
        let points: Vec<_> = (0..count).map(|k| formula(angle(k as f64))).collect();
        let mut curve = Self::from_points(&points)?;
        let error = |k: usize| {
            let x = formula(angle(k as f64 + 0.5));
            curve.nearest(&Vec3::new(x[0], x[1], 0.0)).distance.abs()
        };
        curve.interpolation_error = Some((0..count).map(error).fold(0.0, f64::max));
        Ok(curve)
    }

    /// Greatest distance between a formula and the spline, measured midway between the samples; `None` for a table.
    pub fn interpolation_error(&self) -> Option<f64> {
        self.interpolation_error
    }

    fn with(profile: Profile) -> Result<Self, String> {
        let mut curve = Self {
            profile,
            samples: Vec::new(),
            spacing: 0.0,
            interpolation_error: None,
        };
        curve.samples = curve.sampled();
        let points = || curve.samples.iter().map(|s| s.point);
        let distances = points()
            .zip(points().cycle().skip(1))
            .map(|(a, b)| (b - a).norm());
        let spacing = distances.fold(0.0, f64::max);
        let normals = || curve.samples.iter().map(|s| s.normal);
        let turn: f64 = normals()
            .zip(normals().cycle().skip(1))
            .map(|(a, b)| (a[0] * b[1] - a[1] * b[0]).atan2(a.dot(&b)))
            .sum();
        if (turn - TAU).abs() > 0.1 {
            return Err("A curve must be smooth and closed, counter-clockwise, and must not intersect itself: its tangent must turn by one turn.".into());
        }
        curve.spacing = spacing;
        Ok(curve)
    }

    /// At least 128 samples, and at least two per interval of the spline; no more than 2048.
    fn sampled(&self) -> Vec<Sample> {
        let spline = match &self.profile {
            Profile::Polar(r) => r,
            Profile::Cartesian([x, _]) => x,
        };
        let count = (2 * spline.knots().len()).clamp(128, 2048);
        let step = spline.period() / count as f64;
        (0..count)
            .map(|k| {
                let parameter = spline.knots()[0] + step * k as f64;
                let (point, t) = self.at(parameter);
                let normal = Vec3::new(t[1], -t[0], 0.0) / t.norm();
                Sample {
                    parameter,
                    point,
                    normal,
                }
            })
            .collect()
    }

    /// Returns the point x(u) and the tangent x′(u).
    pub(super) fn at<T: Real>(&self, u: T) -> (Vec3<T>, Vec3<T>) {
        let o = T::zero();
        match &self.profile {
            Profile::Polar(radius) => {
                let ((s, c), (r, slope)) = (u.sin_cos(), radius.at(u));
                let tangent = Vec3::new(slope * c - r * s, slope * s + r * c, o);
                (Vec3::new(r * c, r * s, o), tangent)
            }
            Profile::Cartesian([x, y]) => {
                let ((x, dx), (y, dy)) = (x.at(u), y.at(u));
                (Vec3::new(x, y, o), Vec3::new(dx, dy, o))
            }
        }
    }

    /// Returns the point x(u) and the outward normal n(u).
    pub(super) fn with_normal<T: Real>(&self, u: T) -> (Vec3<T>, Vec3<T>) {
        let (x, t) = self.at(u);
        let length = dot(&t, &t).sqrt();
        (x, Vec3::new(t[1] / length, -t[0] / length, T::zero()))
    }

    pub(super) fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Greatest distance of consecutive samples.
    pub(super) fn spacing(&self) -> f64 {
        self.spacing
    }

    /// The parameter u that minimises the function `value` of the point x(u), of slope at most one; `equation` is its derivative with respect to u. Every
    /// local minimum of the samples within their spacing of the least is refined.
    pub(super) fn minimise(
        &self,
        pose: &Pose<f64>,
        equation: &impl Equations<1>,
        value: impl Fn(&Vec3<f64>) -> f64,
    ) -> f64 {
        let samples = &self.samples;
        let n = samples.len();
        let at = |i: usize| value(&samples[i % n].point);
        let step = samples[1].parameter - samples[0].parameter;
        let least = (0..n).map(at).fold(f64::INFINITY, f64::min);
        let mut best = (f64::INFINITY, samples[0].parameter);
        for i in 0..n {
            let here = at(i);
            if here > least + self.spacing || here > at(i + 1) || here > at(i + n - 1) {
                continue;
            }
            let u = samples[i].parameter;
            let refined = root(equation, pose, u - step, u + step, u);
            for u in [u, refined] {
                let result = value(&self.at(u).0);
                if result <= best.0 {
                    best = (result, u);
                }
            }
        }
        best.1
    }

    /// The parameter of the point nearest to `c`.
    pub(super) fn nearest_parameter(&self, c: &Vec3<f64>) -> f64 {
        let pose = Pose::translation(c[0], c[1], 0.0);
        self.minimise(&pose, &Foot(self), |x| (c - x).norm())
    }
}

/// −t(u) · (c − x(u)) = 0, with c the origin of the pose.
struct Foot<'a>(&'a Curve);

impl Equations<1> for Foot<'_> {
    fn residual<T: Real>(&self, [u]: &[T; 1], pose: &Pose<T>) -> [T; 1] {
        let (x, t) = self.0.at(*u);
        [dot(&t, &(x - pose.p))]
    }
}

impl SurfaceKind for Curve {
    const SPACES: &'static [Space] = &[Space::Planar];

    fn name(&self) -> &'static str {
        "curve"
    }

    fn examples() -> Vec<Self> {
        let cam = Self::from_polar_formula(180, |a| 0.5 + 0.06 * a.cos() + 0.06 * (3.0 * a).cos());
        let oval = Self::from_formula(180, |a| {
            [0.6 * a.cos() + 0.1, 0.4 * a.sin() + 0.05 * (2.0 * a).cos()]
        });
        cam.into_iter().chain(oval).collect()
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        let start = self.nearest_parameter(&numbers(c));
        let pose = Pose {
            R: identity(),
            p: *c,
        };
        let [u] = implicit(&Foot(self), [start], &pose);
        let (x, normal) = self.with_normal(u);
        Nearest {
            distance: dot(&normal, &(c - x)),
            normal,
        }
    }

    fn curvature(&self, x: &Vec3<f64>, n: &Vec3<f64>) -> Option<Mat3<f64>> {
        let u = self.nearest_parameter(x);
        let (_, t) = self.at(Jet::time(u));
        let speed = t[0].value.hypot(t[1].value);
        let bend = (t[0].value * t[1].rate - t[1].value * t[0].rate) / (speed * speed * speed);
        Some((Mat3::identity() - n * n.transpose()) * bend)
    }

    fn radius_of_bounds(&self) -> f64 {
        self.samples
            .iter()
            .fold(0.0, |r: f64, s| r.max(s.point.norm()))
            + 0.5 * self.spacing
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        let points = self.samples.iter().chain(self.samples.first());
        vec![points.map(|s| s.point).collect()]
    }
}
