use super::arguments::{components, fault};
use super::{Force, ForceKind, Measure};
use crate::element::{ArgumentError, Arguments, Field, FieldKind, Info};
use crate::flexible::{Beam, Station, gauss};
use crate::math::Vec3;
use crate::math::rotation::{apply, dot};
use crate::model::{BeamIndex, Law, Model, Space, Stage};
use crate::system::{Loads, Scene};

/// Force by length, along a beam or a part of it, from outside the model.
///
/// ```text
/// f(s) = value + (end_value − value) (s − from)/(to − from)      s = length of the beam without stress, from its start
/// dF = f ds                      frame = "ground": along the ground's axes
/// dF = R(s) f ds                 frame = "beam": along the axes of the place, x along the beam; it follows
/// Q = ∫ Sᵀ dF        P = ∫ dF · v        V = −∫ dF · r   of a constant load along the ground's axes
/// ```
///
/// by Gauss points in each element: exact along the ground's axes, where S is a cubic. It has no reaction. Measured: `fx`, `fy`, `fz`, the
/// whole force along the ground's axes.
#[derive(Debug)]
pub struct Distributed {
    on: BeamIndex,
    /// Where it begins and ends; the whole beam when not given.
    from: Option<f64>,
    to: Option<f64>,
    /// By length, where it begins and where it ends.
    value: Vec<Law>,
    end_value: Vec<Law>,
    follows: bool,
    /// Constant along the ground's axes, so that it has a potential.
    conservative: bool,
    points: Vec<Point>,
}

/// A Gauss point.
#[derive(Clone, Copy, Debug)]
struct Point {
    station: Station,
    /// Its length.
    weight: f64,
    /// Where it is between both ends of the load, from 0 to 1.
    share: f64,
}

/// Gauss points an element: S times a linear load is of degree four; a load that follows is no polynomial.
const POINTS: usize = 3;
const POINTS_FOLLOWING: usize = 5;

impl Distributed {
    /// The load by length at both ends, along its own axes.
    fn ends(&self, scene: &Scene<'_>) -> [Vec3<f64>; 2] {
        let of = |laws: &[Law]| {
            let mut value = Vec3::zeros();
            for (x, law) in value.iter_mut().zip(laws) {
                *x = scene.evaluate(law);
            }
            value
        };
        let start = of(&self.value);
        let linear = !self.end_value.is_empty();
        [start, if linear { of(&self.end_value) } else { start }]
    }

    /// Calls `visit` with every Gauss point, the force there in ground axes, position and velocity.
    fn visit(
        &self,
        scene: &Scene<'_>,
        mut visit: impl FnMut(&Point, Vec3<f64>, Vec3<f64>, Vec3<f64>),
    ) {
        let [start, end] = self.ends(scene);
        for point in &self.points {
            let value = (start + (end - start) * point.share) * point.weight;
            let place = scene.place(&point.station);
            let force = if self.follows {
                apply(&place.R, &value)
            } else {
                value
            };
            visit(point, force, place.r, place.v);
        }
    }
}

const MEASURES: &[Measure] = &[
    Measure {
        name: "fx",
        unit: "N",
        stage: Stage::Velocity,
        text: "whole force along the ground's x",
    },
    Measure {
        name: "fy",
        unit: "N",
        stage: Stage::Velocity,
        text: "whole force along the ground's y",
    },
    Measure {
        name: "fz",
        unit: "N",
        stage: Stage::Velocity,
        text: "whole force along the ground's z",
    },
];

impl ForceKind for Distributed {
    const INFO: Info = Info {
        name: "distributed",
        aliases: &["distributed-load", "line-load"],
        summary: "pushes a beam along its length",
        spaces: &[Space::Planar, Space::Spatial],
        fields: &[
            Field::required("on", FieldKind::Beam, "the beam it acts on"),
            Field::required(
                "value",
                FieldKind::LawVector { unit: "N/m" },
                "components of the force by length of the beam without stress",
            ),
            Field::optional(
                "end_value",
                FieldKind::LawVector { unit: "N/m" },
                "",
                "the same where the load ends, with a linear course between; as `value` when left out",
            ),
            Field::optional(
                "frame",
                FieldKind::Choice(&["ground", "beam"]),
                "ground",
                "whose axes the components are along: fixed, or following the beam, x along it",
            ),
            Field::optional(
                "from",
                FieldKind::Along,
                "",
                "where the load begins: a share of the length such as 0.25, or a distance such as \"12 mm\"; the start of the beam when left out",
            ),
            Field::optional(
                "to",
                FieldKind::Along,
                "",
                "where the load ends; the end of the beam when left out",
            ),
        ],
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        let end_value = match arguments.get("end_value") {
            Some(_) => components(arguments, "end_value")?,
            None => Vec::new(),
        };
        let (from, to) = (
            arguments.optional_number("from"),
            arguments.optional_number("to"),
        );
        if let (start, Some(end)) = (from.unwrap_or(0.0), to)
            && end <= start
        {
            return Err(fault(
                "to",
                format!("it is {end} m from the start, not beyond `from` at {start} m"),
            ));
        }
        let value = components(arguments, "value")?;
        let follows = arguments.word("frame") == "beam";
        let constant = |law: &Law| law.constant().is_some();
        Ok(Distributed {
            on: arguments.beam("on"),
            from,
            to,
            conservative: !follows && value.iter().chain(&end_value).all(constant),
            value,
            end_value,
            follows,
            points: Vec::new(),
        })
    }
}

impl Force for Distributed {
    fn is_load(&self) -> bool {
        true
    }

    fn attach(&mut self, model: &Model) {
        self.points.clear();
        let Some(beam) = model.beams.get(self.on.0) else {
            return;
        };
        let from = self.from.unwrap_or(0.0);
        let to = self.to.unwrap_or_else(|| beam.length());
        let count = if self.follows {
            POINTS_FOLLOWING
        } else {
            POINTS
        };
        let mut start = 0.0;
        for element in &beam.elements {
            let end = start + element.length;
            let (a, b) = (f64::max(start, from), f64::min(end, to));
            for (xi, weight) in gauss(count).iter().filter(|_| a < b) {
                let s = a + xi * (b - a);
                self.points.push(Point {
                    station: Station::new(self.on, beam, s),
                    weight: weight * (b - a),
                    share: (s - from) / (to - from),
                });
            }
            start = end;
        }
    }

    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        let length = model.beams.get(self.on.0).map_or(0.0, Beam::length);
        match self.from {
            Some(from) if from >= length => {
                let message = format!("it is the end of the beam, {length} m from its start");
                Err(fault("from", message))
            }
            _ => Ok(()),
        }
    }

    fn apply(&self, scene: &Scene<'_>, loads: &mut Loads) {
        let mut power = 0.0;
        self.visit(scene, |point, force, _, v| {
            loads.add_at_place(scene, &point.station, &force);
            power += dot(&force, &v);
        });
        if !self.conservative {
            loads.add_power(power);
        }
    }

    fn potential(&self, scene: &Scene<'_>) -> f64 {
        let mut potential = 0.0;
        if self.conservative {
            self.visit(scene, |_, force, r, _| potential -= dot(&force, &r));
        }
        potential
    }

    fn dissipates(&self) -> bool {
        !self.conservative
    }

    fn measures(&self) -> &'static [Measure] {
        &MEASURES[..self.value.len()]
    }

    fn measure(&self, k: usize, scene: &Scene<'_>) -> f64 {
        let mut sum = 0.0;
        self.visit(scene, |_, force, _, _| sum += force[k]);
        sum
    }

    fn laws(&self) -> Vec<&Law> {
        self.value.iter().chain(&self.end_value).collect()
    }
}
