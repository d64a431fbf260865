use super::{
    Across, Coordinate, JointDimensions, JointEquations, JointKind, PoseFunction, Relative,
    TreeShape, dextral_angle,
};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::Real;
use crate::model::Space;

/// Generic joint: locks any of the six relative coordinates.
///
/// The coordinates are the translations `x`, `y`, `z` of M along F's axes and the dextral angles `alpha`, `beta`, `gamma`,
/// `R = Rx(α) Ry(β) Rz(γ)`. The equation of a locked translation is `p_i = 0`. The equations of locked angles are
///
/// | locked | equations |
/// |---|---|
/// | one of α, β, γ | `R_12 = 0`, `R_02 = 0`, `R_01 = 0` |
/// | two, axis k free | axis k of F perpendicular to the two other axes of M |
/// | all three | as a weld |
///
/// If all angles are free, the tree view uses Euler parameters. A planar model has `x`, `y`, `gamma`.
#[derive(Clone, Debug)]
pub struct Generic {
    locked: [bool; 6],
    coordinates: Vec<Coordinate>,
    /// Index, among the six relative coordinates, of each measured coordinate.
    which: Vec<usize>,
}

const WORDS: &[&str] = &["x", "y", "z", "alpha", "beta", "gamma"];

impl Generic {
    fn free_angles(&self) -> usize {
        self.locked[3..].iter().filter(|locked| !**locked).count()
    }

    /// The axis of the free angle if there is exactly one.
    fn free_axis(&self) -> usize {
        (0..3).find(|k| !self.locked[3 + k]).unwrap_or(2)
    }
}

fields! { Generic {
    /// the relative coordinates that are locked at zero
    locked: Words(WORDS),
} }

impl JointKind for Generic {
    const INFO: Info = Info {
        name: "generic",
        aliases: &["six-axis"],
        summary: "locks any of the six relative coordinates",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };
    const AXIS: usize = 2;

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        let mut locked = match arguments.space {
            Space::Planar => [false, false, true, true, true, false],
            Space::Spatial => [false; 6],
        };
        for word in arguments.words("locked") {
            if let Some(i) = WORDS.iter().position(|w| *w == word) {
                locked[i] = true;
            }
        }
        let which: Vec<usize> = (0..6).filter(|i| !locked[*i]).collect();
        let coordinates = which
            .iter()
            .map(|&i| Coordinate {
                name: WORDS[i],
                angular: i >= 3,
                turning: i >= 3,
            })
            .collect();
        Ok(Generic {
            locked,
            coordinates,
            which,
        })
    }

    fn shape(&self, space: Space) -> JointDimensions {
        let free = self.which.len();
        let rotation = self.free_angles() == 3;
        let scalars = if rotation { free - 3 } else { free };
        JointDimensions {
            position_rows: space.freedom() - free,
            velocity_rows: 0,
            tree: Some(TreeShape { scalars, rotation }),
        }
    }

    fn coordinates(&self, _: Space) -> &[Coordinate] {
        &self.coordinates
    }

    fn rows<T: Real>(&self, space: Space, rel: &Relative<T>, out: &mut JointEquations<T>) {
        let planar = space == Space::Planar;
        let pinned = self.locked[..space.axes()].iter().all(|locked| *locked);
        if pinned {
            out.coincide(space, rel);
        }
        for i in 0..3 {
            if self.locked[i] && !pinned && !(planar && i == 2) {
                out.lock_translations(rel, &[i]);
            }
        }
        if planar {
            if self.locked[5] {
                out.perpendicular(rel, &[(1, 0)]);
            }
            return;
        }
        match self.free_angles() {
            0 => out.perpendicular(rel, &[(1, 0), (2, 0), (2, 1)]),
            1 => {
                let k = self.free_axis();
                out.perpendicular(rel, &[(k, (k + 1) % 3), (k, (k + 2) % 3)]);
            }
            2 => {
                let pair = if self.locked[3] {
                    (1, 2)
                } else if self.locked[4] {
                    (0, 2)
                } else {
                    (0, 1)
                };
                out.perpendicular(rel, &[pair]);
            }
            _ => {}
        }
    }

    fn coordinate<T: Real>(&self, _: Space, k: usize, rel: &Relative<T>) -> PoseFunction<T> {
        let i = self.which[k];
        if i < 3 {
            return PoseFunction::translation(rel, i);
        }
        // the turn counts belong to the measured angles, in order
        let slot = self.which[..k].iter().filter(|j| **j >= 3).count();
        let near = rel.turns[slot];
        let minus = |row: PoseFunction<T>| row.scaled(T::constant(-1.0));
        match self.free_angles() {
            1 => PoseFunction::turn_about(rel, i - 3, near),
            // Rx Ry, Rx Rz or Ry Rz: each angle follows from entries that are independent of the other
            2 => {
                let (y, x) = match (self.locked[3], self.locked[4], i) {
                    (true, _, 4) => (
                        PoseFunction::cosine(rel, 0, 2),
                        PoseFunction::cosine(rel, 2, 2),
                    ),
                    (true, _, _) => (
                        PoseFunction::cosine(rel, 1, 0),
                        PoseFunction::cosine(rel, 1, 1),
                    ),
                    (_, true, 3) => (
                        minus(PoseFunction::cosine(rel, 1, 2)),
                        PoseFunction::cosine(rel, 2, 2),
                    ),
                    (_, true, _) => (
                        minus(PoseFunction::cosine(rel, 0, 1)),
                        PoseFunction::cosine(rel, 0, 0),
                    ),
                    (_, _, 3) => (
                        PoseFunction::cosine(rel, 2, 1),
                        PoseFunction::cosine(rel, 1, 1),
                    ),
                    (_, _, _) => (
                        PoseFunction::cosine(rel, 0, 2),
                        PoseFunction::cosine(rel, 0, 0),
                    ),
                };
                PoseFunction::angle(&y, &x, rel, near)
            }
            _ => dextral_angle(rel, i - 3),
        }
    }

    fn across<T: Real>(&self, _: Space, q: &[T], v: &[T], out: &mut Across<T>) {
        let rotation = self.free_angles() == 3;
        for (k, &i) in self.which.iter().enumerate() {
            if i < 3 {
                out.slide(i, q[k]);
            } else if rotation {
                out.rotate(&q[k..]);
                return;
            } else {
                out.turn(i - 3, q[k], v[k]);
            }
        }
    }
}
