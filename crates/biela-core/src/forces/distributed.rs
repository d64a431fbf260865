use super::arguments::fault;
use super::{Force, ForceKind, ForceMeasure};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::flexible::{Station, gauss};
use crate::math::rotation::{apply, dot};
use crate::math::{Pose, Vec3};
use crate::model::{AnyBeam, BodyIndex, Law, Model, Space, Stage};
use crate::system::{EvaluationContext, Loads};

/// Distributed load: an external force per unit length on a beam or a part of it.
///
/// ```text
/// f(s) = value + (end_value − value) (s − from)/(to − from)      s = arc length of the unstressed beam, from its start
/// dF = f ds                      frame = "ground": along the ground's axes
/// dF = R(s) f ds                 frame = "beam": along the axes of the cross-section, x along the beam (follower load)
/// Q = ∫ Sᵀ dF        P = ∫ dF · v        V = −∫ dF · r   of a constant load along the ground's axes
/// ```
///
/// The integrals use Gauss points in each element; they are exact along the ground's axes, where S is cubic. On a geometrically exact beam the load acts on
/// the half elements that belong to each node, as the mass does. It has no reaction in the model. Measured: `fx`, `fy`, `fz`, the
/// total force along the ground's axes.
#[derive(Debug)]
pub struct Distributed {
    on: AnyBeam,
    /// Start and end of the load; the whole beam if omitted.
    from: Option<f64>,
    to: Option<f64>,
    /// Force per unit length at its start and at its end.
    value: Vec<Law>,
    end_value: Vec<Law>,
    follows: bool,
    /// Whether it is constant along the ground's axes, so that it has a potential.
    conservative: bool,
    points: Vec<LoadPoint>,
}

/// A Gauss point.
#[derive(Clone, Copy, Debug)]
struct LoadPoint {
    place: LoadCarrier,
    /// Length it represents.
    weight: f64,
    /// Position between both ends of the load, from 0 to 1.
    share: f64,
}

/// The carrier of a point on a beam.
#[derive(Clone, Copy, Debug)]
enum LoadCarrier {
    /// A station, interpolated from the nodal coordinates.
    Station(Station),
    /// A node, and the pose of the point in its frame.
    Node(BodyIndex, Pose),
}

/// Motion of a point at an instant, and the force there.
struct LoadPointMotion {
    r: Vec3<f64>,
    v: Vec3<f64>,
    force: Vec3<f64>,
}

/// Gauss points per element: S times a linear load is of degree four; a follower load is not a polynomial.
const POINTS: usize = 3;
const POINTS_FOLLOWING: usize = 5;

impl Distributed {
    /// The force per unit length at both ends, in its own axes.
    fn ends(&self, context: &EvaluationContext<'_>) -> [Vec3<f64>; 2] {
        let of = |laws: &[Law]| {
            let mut value = Vec3::zeros();
            for (x, law) in value.iter_mut().zip(laws) {
                *x = context.evaluate(law);
            }
            value
        };
        let start = of(&self.value);
        let linear = !self.end_value.is_empty();
        [start, if linear { of(&self.end_value) } else { start }]
    }

    /// Calls `visit` with every Gauss point, its motion and the force there.
    fn visit(
        &self,
        context: &EvaluationContext<'_>,
        mut visit: impl FnMut(&LoadPoint, &LoadPointMotion),
    ) {
        let [start, end] = self.ends(context);
        for point in &self.points {
            let value = (start + (end - start) * point.share) * point.weight;
            let (r, v, axes) = match &point.place {
                LoadCarrier::Station(station) => {
                    let motion = context.place(station);
                    (motion.r, motion.v, motion.R)
                }
                LoadCarrier::Node(node, pose) => {
                    let frame = context.kinematics.frame(context.model, (*node, *pose));
                    (frame.p, frame.v, frame.R)
                }
            };
            let force = if self.follows {
                apply(&axes, &value)
            } else {
                value
            };
            visit(point, &LoadPointMotion { r, v, force });
        }
    }

    /// The intervals of the beam on which the load is integrated: elements, or the half elements of an exact beam.
    fn stretches(&self, model: &Model) -> Vec<[f64; 2]> {
        match self.on {
            AnyBeam::Exact(beam) => model
                .exact_beams
                .get(beam)
                .map_or_else(Vec::new, |beam| beam.halves(model)),
            AnyBeam::Nodal(beam) => {
                let elements = model.beams.get(beam.0).map(|beam| &beam.elements);
                let mut end = 0.0;
                let lengths = elements.into_iter().flatten().map(|e| e.length);
                lengths
                    .map(|length| {
                        end += length;
                        [end - length, end]
                    })
                    .collect()
            }
        }
    }

    /// The point at arc length `s`, in an interval of the beam.
    fn place(&self, model: &Model, (k, [start, end]): (usize, [f64; 2]), s: f64) -> LoadCarrier {
        match self.on {
            AnyBeam::Nodal(beam) => {
                LoadCarrier::Station(Station::new(beam, &model.beams[beam.0], s))
            }
            AnyBeam::Exact(beam) => {
                let share = (s - start) / (end - start);
                let (node, pose) = model.exact_beams[beam].place(model, k, share);
                LoadCarrier::Node(node, pose)
            }
        }
    }
}

const MEASURES: &[ForceMeasure] = &[
    ForceMeasure {
        name: "fx",
        unit: "N",
        stage: Stage::Velocity,
        text: "total force along the ground's x",
    },
    ForceMeasure {
        name: "fy",
        unit: "N",
        stage: Stage::Velocity,
        text: "total force along the ground's y",
    },
    ForceMeasure {
        name: "fz",
        unit: "N",
        stage: Stage::Velocity,
        text: "total force along the ground's z",
    },
];

fields! { Distributed {
    /// the beam it acts on
    on: Beam,
    /// components of the force per unit length of the unstressed beam
    value: LawVector { unit: "N/m" },
    /// components at the end of the load, linear in between; equal to `value` if omitted
    end_value: LawVector { unit: "N/m" } = "",
    /// axes of the components: those of the ground, or those of the beam (follower load), with x along it
    frame: Choice(&["ground", "beam"]) = "ground",
    /// start of the load: a fraction of the length such as 0.25, or a distance such as "12 mm"; the start of the beam if omitted
    from: Along = "",
    /// end of the load; the end of the beam if omitted
    to: Along = "",
} }

impl ForceKind for Distributed {
    const INFO: Info = Info {
        name: "distributed",
        aliases: &["distributed-load", "line-load"],
        summary: "applies a distributed load along a beam",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments) -> Result<Self, ArgumentError> {
        let end_value = arguments.laws("end_value");
        let (from, to) = (
            arguments.optional_number("from"),
            arguments.optional_number("to"),
        );
        if let (start, Some(end)) = (from.unwrap_or(0.0), to)
            && end <= start
        {
            return Err(fault(
                "to",
                format!("it is at {end} m, which is not beyond `from` at {start} m"),
            ));
        }
        let value = arguments.laws("value");
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
        let from = self.from.unwrap_or(0.0);
        let to = self
            .to
            .or_else(|| model.beam_length(self.on))
            .unwrap_or(0.0);
        let count = if self.follows {
            POINTS_FOLLOWING
        } else {
            POINTS
        };
        let mut points = Vec::new();
        for (k, [start, end]) in self.stretches(model).into_iter().enumerate() {
            let (a, b) = (f64::max(start, from), f64::min(end, to));
            for (xi, weight) in gauss(count).iter().filter(|_| a < b) {
                let s = a + xi * (b - a);
                points.push(LoadPoint {
                    place: self.place(model, (k, [start, end]), s),
                    weight: weight * (b - a),
                    share: (s - from) / (to - from),
                });
            }
        }
        self.points = points;
    }

    fn check(&self, model: &Model) -> Result<(), ArgumentError> {
        let length = model.beam_length(self.on).unwrap_or(0.0);
        match self.from {
            Some(from) if from >= length => {
                let message = format!("it is not before the end of the beam at {length} m");
                Err(fault("from", message))
            }
            _ => Ok(()),
        }
    }

    fn apply(&self, context: &EvaluationContext<'_>, loads: &mut Loads) {
        let mut power = 0.0;
        self.visit(context, |point, at| {
            match &point.place {
                LoadCarrier::Station(station) => loads.add_at_place(context, station, &at.force),
                LoadCarrier::Node(node, _) => loads.add_force(context, *node, &at.r, &at.force),
            }
            power += dot(&at.force, &at.v);
        });
        if !self.conservative {
            loads.add_power(power);
        }
    }

    fn potential(&self, context: &EvaluationContext<'_>) -> f64 {
        let mut potential = 0.0;
        if self.conservative {
            self.visit(context, |_, at| potential -= dot(&at.force, &at.r));
        }
        potential
    }

    fn dissipates(&self) -> bool {
        !self.conservative
    }

    fn measures(&self) -> &'static [ForceMeasure] {
        &MEASURES[..self.value.len()]
    }

    fn measure(&self, k: usize, context: &EvaluationContext<'_>) -> f64 {
        let mut sum = 0.0;
        self.visit(context, |_, at| sum += at.force[k]);
        sum
    }

    fn laws(&self) -> Vec<&Law> {
        self.value.iter().chain(&self.end_value).collect()
    }
}
