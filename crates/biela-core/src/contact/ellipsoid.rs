use super::pairs::ellipsoids;
use super::{Nearest, SurfaceKind, positive, ring};
use crate::math::rotation::identity;
use crate::math::{Mat3, Pose, Real, Vec3};
use crate::model::Space;
use std::f64::consts::TAU;

/// An ellipsoid with the semi-axes (a₁, a₂, a₃) along the axes of its frame, centred at its origin.
///
/// ```text
/// support function  h(n) = √(Σ aᵢ² nᵢ²)     support point  x(n) = ∇h = (aᵢ² nᵢ)/h
/// d(c) = max over unit n of n · c − h(n)
/// ```
///
/// The maximum is unique outside. Inside, where several normals have the same depth (the centre, for example), one of them is selected.
#[derive(Clone, Copy, Debug)]
pub struct Ellipsoid {
    axes: Vec3<f64>,
}

impl Ellipsoid {
    /// An ellipsoid from its semi-axes along x, y and z.
    pub fn new(axes: [f64; 3]) -> Result<Self, String> {
        let mut all = Vec3::zeros();
        for (k, name) in ["semi-axis x", "semi-axis y", "semi-axis z"]
            .into_iter()
            .enumerate()
        {
            all[k] = positive("ellipsoid", name, axes[k])?;
        }
        Ok(Self { axes: all })
    }

    pub(super) fn axes(&self) -> &Vec3<f64> {
        &self.axes
    }

    /// The support point x(n): the point with the outward normal n, of any length.
    pub(super) fn support<T: Real>(&self, n: &Vec3<T>) -> Vec3<T> {
        let stretched = self.scaled(n);
        let h = stretched
            .iter()
            .fold(T::zero(), |sum, c| sum + *c * *c)
            .sqrt();
        self.scaled(&stretched) / h
    }

    fn scaled<T: Real>(&self, n: &Vec3<T>) -> Vec3<T> {
        Vec3::from_fn(|i, _| n[i] * T::constant(self.axes[i]))
    }
}

impl SurfaceKind for Ellipsoid {
    const SPACES: &'static [Space] = &[Space::Spatial];

    fn name(&self) -> &'static str {
        "ellipsoid"
    }

    fn examples() -> Vec<Self> {
        vec![Self {
            axes: Vec3::new(0.3, 0.45, 0.7),
        }]
    }

    fn nearest<T: Real>(&self, c: &Vec3<T>) -> Nearest<T> {
        let pose = Pose {
            R: identity(),
            p: *c,
        };
        let contact = ellipsoids::contact(self, None, &pose);
        Nearest {
            distance: contact.gap,
            normal: contact.normal,
        }
    }

    /// With F = Σ xᵢ²/aᵢ² − 1, K = P ∇∇F P/|∇F| and P = 1 − n nᵀ.
    fn curvature(&self, _x: &Vec3<f64>, n: &Vec3<f64>) -> Option<Mat3<f64>> {
        let x = self.support(n);
        let slope = Vec3::from_fn(|i, _| x[i] / (self.axes[i] * self.axes[i])).norm();
        let bend = Mat3::from_diagonal(&self.axes.map(|a| 1.0 / (a * a)));
        let tangential = Mat3::identity() - n * n.transpose();
        Some(tangential * bend * tangential / slope)
    }

    fn radius_of_bounds(&self) -> f64 {
        self.axes.max()
    }

    fn outline(&self) -> Vec<Vec<Vec3<f64>>> {
        [[0, 1], [1, 2], [2, 0]]
            .map(|axes| {
                let unit = ring(Vec3::zeros(), 1.0, axes, 0.0, TAU);
                unit.iter().map(|x| self.scaled(x)).collect()
            })
            .to_vec()
    }
}
