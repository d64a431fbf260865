//! Properties of beam cross-sections: `EA`, `EI`, mass per unit length; in space also torsion and shear stiffness.
//!
//! ```text
//! rectangle a ≥ b       J = a b³ (1/3 − 64 b/(π⁵ a) Σ tanh(nπa/2b)/n⁵), n = 1, 3, 5, …      (Saint-Venant)
//! box                   J = 4 A² / ∮ ds/t, A inside the middle line                            (Bredt)
//! ```
//!
//! An I-section is composed of flanges and web with a contribution of their junctions (W. C. Young, R. G. Budynas, *Roark's Formulas for Stress and
//! Strain*, table 10.7). Shear correction factors are those of G. R. Cowper, *Journal of Applied Mechanics* 33 (1966) 335-340. He gives none across the
//! web of an I-section; there the flanges carry the shear as rectangles.

use std::f64::consts::PI;

use super::SpatialSection;
use crate::element::{Field, FieldKind, Info};

/// The shape of a cross-section. In a planar beam heights are in the plane. In space widths are along y of the section, heights along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Profile {
    /// A solid circle.
    Circle {
        /// Radius.
        radius: f64,
    },
    /// A circle with a concentric hole.
    Tube {
        /// Outer radius.
        radius: f64,
        /// Inner radius.
        inner: f64,
    },
    /// A rectangle.
    Rectangle {
        /// Normal to the plane.
        width: f64,
        /// In the plane, across the beam.
        height: f64,
    },
    /// Two flanges and the web between them, which lies in the plane.
    I {
        /// Width of the flanges, normal to the plane.
        width: f64,
        /// Overall height, in the plane.
        height: f64,
        /// Thickness of each flange.
        flange: f64,
        /// Thickness of the web.
        web: f64,
    },
    /// A hollow rectangle.
    Box {
        /// Overall width, normal to the plane.
        width: f64,
        /// Overall height, in the plane.
        height: f64,
        /// Thickness of the two walls along the width.
        flange: f64,
        /// Thickness of the two walls along the height.
        web: f64,
    },
}

const LENGTH: FieldKind = FieldKind::Positive { unit: "m" };
const WIDTH: Field = Field::required("width", LENGTH, "normal to the plane; in space across `up`");
const HEIGHT: Field = Field::required(
    "height",
    LENGTH,
    "in the plane, across the beam; in space along `up`",
);

impl Profile {
    /// Names in the model file with their fields.
    pub const LIST: &'static [Info] = &[
        Info::table("circle", "", &[Field::required("radius", LENGTH, "radius")]),
        Info::table(
            "tube",
            "",
            &[
                Field::required("radius", LENGTH, "outer radius"),
                Field::required("inner", LENGTH, "inner radius"),
            ],
        ),
        Info::table("rectangle", "", &[WIDTH, HEIGHT]),
        Info::table(
            "I",
            "",
            &[
                WIDTH,
                HEIGHT,
                Field::required("flange", LENGTH, "thickness of each flange"),
                Field::required(
                    "web",
                    LENGTH,
                    "thickness of the web, which lies in the plane",
                ),
            ],
        ),
        Info::table(
            "box",
            "",
            &[
                WIDTH,
                HEIGHT,
                Field::required(
                    "flange",
                    LENGTH,
                    "thickness of the two walls along the width",
                ),
                Field::required("web", LENGTH, "thickness of the two walls along the height"),
            ],
        ),
    ];

    /// Whether its dimensions are consistent.
    pub fn is_sound(&self) -> bool {
        match *self {
            Profile::Tube { radius, inner } => inner < radius,
            Profile::I {
                width,
                height,
                flange,
                web,
            } => web <= width && 2.0 * flange <= height,
            Profile::Box {
                width,
                height,
                flange,
                web,
            } => 2.0 * web < width && 2.0 * flange < height,
            Profile::Circle { .. } | Profile::Rectangle { .. } => true,
        }
    }

    /// Its dimensions, at most four.
    fn lengths(&self) -> [f64; 4] {
        match *self {
            Profile::Circle { radius } => [radius, 0.0, 0.0, 0.0],
            Profile::Tube { radius, inner } => [radius, inner, 0.0, 0.0],
            Profile::Rectangle { width, height } => [width, height, 0.0, 0.0],
            Profile::I {
                width,
                height,
                flange,
                web,
            }
            | Profile::Box {
                width,
                height,
                flange,
                web,
            } => [width, height, flange, web],
        }
    }

    /// Interpolates linearly towards another section of the same type; `None` if the types differ.
    pub fn between(&self, other: &Self, share: f64) -> Option<Self> {
        if std::mem::discriminant(self) != std::mem::discriminant(other) {
            return None;
        }
        let (from, to) = (self.lengths(), other.lengths());
        let [a, b, c, d] = std::array::from_fn(|i| from[i] + share * (to[i] - from[i]));
        Some(match self {
            Profile::Circle { .. } => Profile::Circle { radius: a },
            Profile::Tube { .. } => Profile::Tube {
                radius: a,
                inner: b,
            },
            Profile::Rectangle { .. } => Profile::Rectangle {
                width: a,
                height: b,
            },
            Profile::I { .. } => Profile::I {
                width: a,
                height: b,
                flange: c,
                web: d,
            },
            Profile::Box { .. } => Profile::Box {
                width: a,
                height: b,
                flange: c,
                web: d,
            },
        })
    }

    /// Area.
    pub fn area(&self) -> f64 {
        match *self {
            Profile::Circle { radius } => PI * radius * radius,
            Profile::Tube { radius, inner } => PI * (radius * radius - inner * inner),
            Profile::Rectangle { width, height } => width * height,
            Profile::I {
                width,
                height,
                flange,
                web,
            } => width * height - (width - web) * (height - 2.0 * flange),
            Profile::Box {
                width,
                height,
                flange,
                web,
            } => width * height - (width - 2.0 * web) * (height - 2.0 * flange),
        }
    }

    /// Second moment of area about the normal of the plane through the centroid.
    pub fn second_moment(&self) -> f64 {
        self.second_moments()[0]
    }

    /// Second moments of area about y and about z through the centroid.
    pub fn second_moments(&self) -> [f64; 2] {
        let round = |radius: f64| PI / 4.0 * radius.powi(4);
        let block = |width: f64, height: f64| {
            [width * height.powi(3) / 12.0, height * width.powi(3) / 12.0]
        };
        match *self {
            Profile::Circle { radius } => [round(radius); 2],
            Profile::Tube { radius, inner } => [round(radius) - round(inner); 2],
            Profile::Rectangle { width, height } => block(width, height),
            Profile::I {
                width,
                height,
                flange,
                web,
            } => {
                let (flanges, inside) = (block(width, flange), height - 2.0 * flange);
                let strip = block(web, inside);
                let hole = block(width - web, inside);
                [
                    block(width, height)[0] - hole[0],
                    2.0 * flanges[1] + strip[1],
                ]
            }
            Profile::Box {
                width,
                height,
                flange,
                web,
            } => {
                let (all, hole) = (
                    block(width, height),
                    block(width - 2.0 * web, height - 2.0 * flange),
                );
                [all[0] - hole[0], all[1] - hole[1]]
            }
        }
    }

    /// Whether its bending stiffness is the same in all directions.
    pub fn bends_alike(&self) -> bool {
        let [about, across] = self.second_moments();
        (about - across).abs() <= 1e-6 * about.max(across)
    }

    /// Torsion constant J: the torsional moment is `GJ` times the twist per unit length.
    pub fn torsion_constant(&self) -> f64 {
        match *self {
            Profile::Circle { .. } | Profile::Tube { .. } => self.second_moments().iter().sum(),
            Profile::Rectangle { width, height } => torsion_of_block(width, height),
            Profile::I {
                width,
                height,
                flange,
                web,
            } => {
                let inside = height - 2.0 * flange;
                // the inscribed circle at the junction of flange and web
                let circle = flange + web * web / (4.0 * flange);
                let junction = 0.15 * flange.min(web) / flange.max(web) * circle.powi(4);
                2.0 * torsion_of_block(width, flange) + inside * web.powi(3) / 3.0 + 2.0 * junction
            }
            Profile::Box {
                width,
                height,
                flange,
                web,
            } => {
                let (b, h) = (width - web, height - flange);
                2.0 * (b * h).powi(2) * flange * web / (b * web + h * flange)
            }
        }
    }

    /// Shear correction factors along y and along z for Poisson's ratio ν.
    pub fn shear_factors(&self, nu: f64) -> [f64; 2] {
        let block = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
        match *self {
            Profile::Circle { .. } => [6.0 * (1.0 + nu) / (7.0 + 6.0 * nu); 2],
            Profile::Tube { radius, inner } => {
                let m = (inner / radius).powi(2);
                let whole = (1.0 + m).powi(2);
                let factor =
                    6.0 * (1.0 + nu) * whole / ((7.0 + 6.0 * nu) * whole + (20.0 + 12.0 * nu) * m);
                [factor; 2]
            }
            Profile::Rectangle { .. } => [block; 2],
            Profile::I {
                width,
                height,
                flange,
                web,
            } => {
                let middle = height - flange;
                let (m, n) = (2.0 * width * flange / (middle * web), width / middle);
                let turn = 30.0 * (m + m * m) + 5.0 * nu * (8.0 * m + 9.0 * m * m);
                let along = thin_walled(nu, m, n * n * turn);
                let across = block * 2.0 * width * flange / self.area();
                [across, along]
            }
            Profile::Box {
                width,
                height,
                flange,
                web,
            } => {
                let side = |b: f64, h: f64, flange: f64, web: f64| {
                    let (m, n) = (b * flange / (h * web), b / h);
                    let turn = 10.0 * ((3.0 + nu) * m + 3.0 * m * m);
                    thin_walled(nu, m, n * n * turn)
                };
                let (b, h) = (width - web, height - flange);
                [side(h, b, web, flange), side(b, h, flange, web)]
            }
        }
    }
}

/// Saint-Venant's series.
fn torsion_of_block(width: f64, height: f64) -> f64 {
    let (a, b) = (width.max(height), width.min(height));
    // terms decrease with the fifth power: the remainder is below rounding of the sum
    let term = |k: u32| {
        let n = f64::from(2 * k + 1);
        (n * PI * a / (2.0 * b)).tanh() / n.powi(5)
    };
    let sum: f64 = (0..300).rev().map(term).sum();
    a * b.powi(3) * (1.0 / 3.0 - 64.0 * b / (PI.powi(5) * a) * sum)
}

/// Cowper's factor of a web with flanges; m is the ratio of their areas, `turn` the contribution of the flange width.
fn thin_walled(nu: f64, m: f64, turn: f64) -> f64 {
    let one = 12.0 + m * (72.0 + m * (150.0 + m * 90.0));
    let other = 11.0 + m * (66.0 + m * (135.0 + m * 90.0));
    10.0 * (1.0 + nu) * (1.0 + 3.0 * m).powi(2) / (one + nu * other + turn)
}

impl SpatialSection {
    /// A section of one material with moduli E and G, without damping.
    pub fn new(profile: &Profile, young: f64, shear: f64, density: f64) -> Self {
        let area = profile.area();
        let [about_y, about_z] = profile.second_moments();
        // moduli outside the isotropic range, as of composites, use the factors of the nearest isotropic material
        let nu = (young / (2.0 * shear) - 1.0).clamp(-0.9, 0.5);
        let [along_y, along_z] = profile.shear_factors(nu);
        SpatialSection {
            stiffness: [
                young * area,
                along_y * shear * area,
                along_z * shear * area,
                shear * profile.torsion_constant(),
                young * about_y,
                young * about_z,
            ],
            mass: density * area,
            inertia: [density * about_y, density * about_z],
            damping: 0.0,
        }
    }
}

/// Stiffness and mass properties of a beam segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Axial stiffness EA, N.
    pub axial: f64,
    /// Bending stiffness EI, N·m².
    pub bending: f64,
    /// Mass per unit length, kg/m.
    pub mass: f64,
    /// Kelvin–Voigt time constant τ, s: stress = stiffness × (strain + τ × strain rate).
    pub damping: f64,
}

impl Section {
    /// A section of one material, without damping.
    pub fn new(profile: &Profile, young: f64, density: f64) -> Self {
        Section {
            axial: young * profile.area(),
            bending: young * profile.second_moment(),
            mass: density * profile.area(),
            damping: 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_the_area_and_second_moment_of_tables() {
        // IPE 100 without fillets: b 55, h 100, tf 5.7, tw 4.1 mm
        let i = Profile::I {
            width: 55.0,
            height: 100.0,
            flange: 5.7,
            web: 4.1,
        };
        let web = 4.1 * 88.6_f64.powi(3) / 12.0;
        let flange = 55.0 * 5.7_f64.powi(3) / 12.0 + 55.0 * 5.7 * 47.15_f64.powi(2);
        assert!((i.area() - (2.0 * 55.0 * 5.7 + 88.6 * 4.1)).abs() < 1e-9);
        assert!((i.second_moment() - (web + 2.0 * flange)).abs() < 1e-6);
        let (circle, tube) = (
            Profile::Circle { radius: 0.02 },
            Profile::Tube {
                radius: 0.02,
                inner: 0.01,
            },
        );
        let inner = Profile::Circle { radius: 0.01 };
        assert!((circle.second_moment() - 1.256_637e-7).abs() < 1e-12);
        let difference = circle.second_moment() - inner.second_moment();
        assert!((tube.second_moment() - difference).abs() < 1e-20);
        let square = Profile::Rectangle {
            width: 0.1,
            height: 0.2,
        };
        assert!((square.second_moment() - 0.1 * 0.008 / 12.0).abs() < 1e-18);
        assert!((square.second_moments()[1] - 0.2 * 0.001 / 12.0).abs() < 1e-18);
        let flanges = 5.7 * 55.0_f64.powi(3) / 12.0;
        let web = 88.6 * 4.1_f64.powi(3) / 12.0;
        assert!((i.second_moments()[1] - (2.0 * flanges + web)).abs() < 1e-6);
        assert!(circle.bends_alike() && tube.bends_alike());
        assert!(!square.bends_alike() && !i.bends_alike());
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        let off = value / expected - 1.0;
        assert!(off.abs() < tolerance, "{value} {expected}: {off:e}");
    }

    /// J by Prandtl's stress function, `∇²φ = −2` inside and φ = 0 on the boundary: twice its volume. Successive over-relaxation on a square grid.
    fn torsion_by_membrane(inside: impl Fn(f64, f64) -> bool, size: [f64; 2], cell: f64) -> f64 {
        let [nx, ny] = size.map(|length| (length / cell).round() as usize);
        let mut phi = vec![vec![0.0; ny + 1]; nx + 1];
        let full = |i: usize, j: usize| {
            // a point is interior if all four cells around it are in the section
            let at = |di: f64, dj: f64| inside((i as f64 + di) * cell, (j as f64 + dj) * cell);
            at(-0.5, -0.5) && at(-0.5, 0.5) && at(0.5, -0.5) && at(0.5, 0.5)
        };
        let points: Vec<(usize, usize)> = (1..nx)
            .flat_map(|i| (1..ny).map(move |j| (i, j)))
            .filter(|&(i, j)| full(i, j))
            .collect();
        for _ in 0..600 {
            for &(i, j) in &points {
                let around = phi[i - 1][j] + phi[i + 1][j] + phi[i][j - 1] + phi[i][j + 1];
                let off = 0.25 * (around + 2.0 * cell * cell) - phi[i][j];
                phi[i][j] += 1.85 * off;
            }
        }
        2.0 * cell * cell * phi.iter().flatten().sum::<f64>()
    }

    #[test]
    fn torsion_constants_are_those_of_handbooks() {
        let block = |width: f64, height: f64| Profile::Rectangle { width, height };
        // S. P. Timoshenko, J. N. Goodier, Theory of Elasticity, art. 109: k₁ of J = k₁ a b³
        for (ratio, factor) in [(1.0, 0.1406), (2.0, 0.229), (4.0, 0.281), (10.0, 0.312)] {
            near(block(1.0, ratio).torsion_constant(), factor * ratio, 2e-3);
            near(block(ratio, 1.0).torsion_constant(), factor * ratio, 2e-3);
        }
        near(
            Profile::Circle { radius: 2.0 }.torsion_constant(),
            8.0 * PI,
            1e-14,
        );
        let i = Profile::I {
            width: 40.0,
            height: 60.0,
            flange: 6.0,
            web: 4.0,
        };
        let inside = |x: f64, y: f64| {
            (0.0..40.0).contains(&x)
                && (0.0..60.0).contains(&y)
                && (!(6.0..54.0).contains(&y) || (18.0..22.0).contains(&x))
        };
        let [coarse, fine] = [1.0, 0.5].map(|cell| torsion_by_membrane(inside, [40.0, 60.0], cell));
        let expected = fine + (fine - coarse) / 3.0;
        near(i.torsion_constant(), expected, 0.03);
        // a square tube 100 × 100 × 5: EN 10210-2 gives 439 cm⁴ with round corners; thin walls t b³ with middle line b
        let tube = Profile::Box {
            width: 100.0,
            height: 100.0,
            flange: 5.0,
            web: 5.0,
        };
        near(tube.torsion_constant(), 5.0 * 95.0_f64.powi(3), 1e-14);
        near(tube.torsion_constant(), 439e4, 0.03);
    }

    #[test]
    fn second_moments_about_both_axes_are_those_of_tables() {
        // IPE 100: EN 10365 gives 171 cm⁴ and 15.9 cm⁴ with four fillets of 7 mm, whose centroid is at 0.2234 of the radius from their edges
        let i = Profile::I {
            width: 55.0,
            height: 100.0,
            flange: 5.7,
            web: 4.1,
        };
        let [strong, weak] = i.second_moments();
        let fillets = 4.0 * (1.0 - PI / 4.0) * 49.0 * (44.3 - 0.2234 * 7.0_f64).powi(2);
        near(strong + fillets, 171e4, 2e-3);
        near(weak, 15.9e4, 0.01);
        let tube = Profile::Box {
            width: 60.0,
            height: 100.0,
            flange: 4.0,
            web: 5.0,
        };
        let by_walls = 2.0 * (5.0 * 100.0_f64.powi(3) / 12.0)
            + 2.0 * (50.0 * 4.0_f64.powi(3) / 12.0 + 50.0 * 4.0 * 48.0_f64.powi(2));
        near(tube.second_moments()[0], by_walls, 1e-13);
        near(tube.area(), 2.0 * 5.0 * 100.0 + 2.0 * 4.0 * 50.0, 1e-14);
        let turned = Profile::Box {
            width: 100.0,
            height: 60.0,
            flange: 5.0,
            web: 4.0,
        };
        near(turned.second_moments()[1], by_walls, 1e-13);
    }

    #[test]
    fn shear_factors_are_those_of_cowper() {
        let circle = Profile::Circle { radius: 1.0 };
        let block = Profile::Rectangle {
            width: 1.0,
            height: 2.0,
        };
        near(circle.shear_factors(0.3)[0], 0.886, 1e-3);
        near(block.shear_factors(0.3)[1], 0.850, 1e-3);
        near(block.shear_factors(0.0)[0], 5.0 / 6.0, 1e-14);
        // a tube without a hole is a circle; one of a thin wall has 2 (1 + ν)/(4 + 3ν)
        let tube = |inner: f64| Profile::Tube { radius: 1.0, inner }.shear_factors(0.3)[0];
        near(tube(1e-9), circle.shear_factors(0.3)[0], 1e-12);
        near(tube(0.999_999), 2.6 / 4.9, 1e-5);
        // webs without flanges are rectangles
        let i = Profile::I {
            width: 1e-9,
            height: 1.0,
            flange: 1e-12,
            web: 1e-9,
        };
        near(i.shear_factors(0.3)[1], block.shear_factors(0.3)[0], 1e-2);
        // a thin square box, ν = 0: m = n = 1 gives 160/384
        let tube = Profile::Box {
            width: 1.001,
            height: 1.001,
            flange: 1e-3,
            web: 1e-3,
        };
        near(tube.shear_factors(0.0)[0], 160.0 / 384.0, 1e-12);
        near(tube.shear_factors(0.0)[1], 160.0 / 384.0, 1e-12);
    }
}
