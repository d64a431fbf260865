use super::{ControlLaw, ControlSample, DesignModel, Estimate, LawKind, ReferencePoint};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::spatial::{RigidInertia, Sym3};
use crate::math::{Pose, Vec3, dense};
use crate::model::Space;
use crate::robot::Robot;
use crate::tree::{Tree, TreeWorkspace, rnea};

/// Adaptive control: estimates the inertial parameters of chosen bodies while the robot moves.
///
/// ```text
/// s = ė + Λ e        w = q̇_r + Λ e        τ = M̂ ẇ + Ĉ(q, q̇) w + ĝ + K s        τ = Y(q, q̇, w, ẇ) π̂ + K s
/// π̂_(k+1) = π̂_k + T Γ Yᵀ s
/// ```
///
/// (J.-J. E. Slotine, W. Li, *International Journal of Robotics Research* 6:3 (1987) 49-59.) The generalized forces are linear in the mass m, the first
/// moment m c and the inertia about the body's origin of every body. π̂ are the parameters that have a gain; their initial values are those of the design
/// model. Tracking errors converge to zero even if the excitation is insufficient for the estimates to converge. C(q, q̇) w is symmetric in q̇ and w,
/// so it follows from inverse dynamics at their mean and at half of their difference, and `Ṁ − 2C` is skew-symmetric, as the stability proof requires.
/// An estimated mass is never negative.
#[derive(Debug)]
pub struct Adaptive {
    slope: Vec<f64>,
    gain: Vec<f64>,
    period: f64,
    robot: Robot,
    parameters: Vec<EstimatedParameter>,
    whole: Bilinear,
    motion: AdaptiveMotion,
    ws: TreeWorkspace,
    f: Vec<f64>,
    difference: Vec<f64>,
    s: Vec<f64>,
    /// The regressor Y, one column per parameter.
    regressor: Vec<f64>,
}

/// An estimated parameter.
#[derive(Debug)]
struct EstimatedParameter {
    name: String,
    unit: &'static str,
    /// Value in the design model.
    design: f64,
    gain: f64,
    /// Whether it is a mass, which cannot be negative.
    mass: bool,
    /// The robot with a unit value of this parameter and no other inertia.
    unit_robot: Bilinear,
}

/// A tree whose inverse dynamics is evaluated at two different velocities, with and without gravity.
#[derive(Debug)]
struct Bilinear {
    tree: Tree,
    weightless: Tree,
}

/// q, half of q̇ + w and of q̇ − w, and ẇ, in the order of the tree.
#[derive(Debug)]
struct AdaptiveMotion {
    q: Vec<f64>,
    mean: Vec<f64>,
    half: Vec<f64>,
    rates: Vec<f64>,
    still: Vec<f64>,
}

impl Bilinear {
    fn new(tree: Tree) -> Self {
        let mut weightless = tree.clone();
        weightless.gravity = Vec3::zeros();
        Bilinear { tree, weightless }
    }

    /// `M ẇ + C(q, q̇) w + g`.
    fn efforts(
        &self,
        ws: &mut TreeWorkspace,
        motion: &AdaptiveMotion,
        difference: &mut [f64],
        out: &mut [f64],
    ) {
        let AdaptiveMotion {
            q,
            mean,
            half,
            rates,
            still,
        } = motion;
        rnea(&self.tree, ws, q, mean, rates, &[], out);
        rnea(&self.weightless, ws, q, half, still, &[], difference);
        dense::add(out, -1.0, difference);
    }
}

fields! { Adaptive {
    /// decay rate Λ of the errors
    slope: Gains { units: ["1/s", "1/s"] },
    /// gain K of the combined error s
    kd: Gains { units: ["N*s/m", "N*m*s/rad"] },
    /// the bodies of the design model whose inertial parameters are estimated
    bodies: Names,
    /// adaptation gain of the mass; zero does not adapt it. The mass is at the body's mass centre, or at its origin if first moments are estimated too
    mass_gain: Number { unit: "" } = "0",
    /// adaptation gain of the first moment, mass times mass centre
    moment_gain: Number { unit: "" } = "0",
    /// adaptation gain of the inertia about the body's origin
    inertia_gain: Number { unit: "" } = "0",
} }

impl LawKind for Adaptive {
    const INFO: Info = Info {
        name: "adaptive",
        aliases: &["slotine-li"],
        summary: "adaptive control: estimates inertial parameters of chosen bodies from the tracking error while the robot moves",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(arguments: &Arguments, design: &DesignModel<'_>) -> Result<Self, ArgumentError> {
        design.fully_driven(Self::INFO.name)?;
        let robot = design.robot.clone();
        let n = robot.joints.len();
        let parameters = parameters(arguments, design)?;
        let zeros = || vec![0.0; n];
        Ok(Adaptive {
            slope: design.gains(arguments, "slope")?,
            gain: design.gains(arguments, "kd")?,
            period: design.period,
            whole: Bilinear::new(robot.tree.clone()),
            motion: AdaptiveMotion {
                q: zeros(),
                mean: zeros(),
                half: zeros(),
                rates: zeros(),
                still: zeros(),
            },
            ws: TreeWorkspace::new(&robot.tree),
            f: zeros(),
            difference: zeros(),
            s: zeros(),
            regressor: vec![0.0; n * parameters.len()],
            robot,
            parameters,
        })
    }
}

/// Returns the parameters that have a gain, of all named bodies.
fn parameters(
    arguments: &Arguments,
    design: &DesignModel<'_>,
) -> Result<Vec<EstimatedParameter>, ArgumentError> {
    let fields = ["mass_gain", "moment_gain", "inertia_gain"];
    let gains = fields.map(|name| arguments.number(name));
    for (field, gain) in fields.into_iter().zip(gains) {
        if gain < 0.0 {
            let message = format!("it is {gain}; it must be zero or more");
            return Err(ArgumentError { field, message });
        }
    }
    let [mass_gain, moment_gain, inertia_gain] = gains;
    let mut found = Vec::new();
    for name in arguments.words("bodies") {
        let body = design.body("bodies", &name)?;
        let place = body.number().map(|b| &design.robot.tree.places[b]);
        let Some((link, pose)) = place.and_then(|place| Some((place.link?, place.pose))) else {
            return Err(ArgumentError {
                field: "bodies",
                message: format!("body `{name}` is fixed, so its parameters cannot be estimated"),
            });
        };
        let given = &design.model.bodies[body.0].mass;
        let own = RigidInertia::new(given.mass, &given.center, Sym3::of(&given.inertia));
        let mut add = |word: &str, unit, gain: f64, value: f64, inertia: &RigidInertia| {
            if gain > 0.0 {
                found.push(EstimatedParameter {
                    name: format!("{name}_{word}"),
                    unit,
                    design: value,
                    gain,
                    mass: unit == "kg",
                    unit_robot: unit_robot(&design.robot.tree, link, &pose, inertia),
                });
            }
        };
        let center = if moment_gain > 0.0 {
            Vec3::zeros()
        } else {
            given.center
        };
        let point = RigidInertia::new(1.0, &center, Sym3::zero());
        add("mass", "kg", mass_gain, own.m, &point);
        let space = design.model.space;
        for (k, word) in ["x", "y", "z"].into_iter().enumerate().take(space.axes()) {
            let mut unit = RigidInertia::zero();
            unit.h[k] = 1.0;
            add(
                &format!("moment_{word}"),
                "kg*m",
                moment_gain,
                own.h[k],
                &unit,
            );
        }
        let entries = [
            ("xx", 0, 0),
            ("yy", 1, 1),
            ("zz", 2, 2),
            ("yz", 1, 2),
            ("xz", 0, 2),
            ("xy", 0, 1),
        ];
        let planar = space == Space::Planar;
        for (word, i, j) in entries {
            if planar && word != "zz" {
                continue;
            }
            let mut unit = RigidInertia::zero();
            let mut matrix = crate::math::Mat3::zeros();
            matrix[(i, j)] = 1.0;
            matrix[(j, i)] = 1.0;
            unit.J = Sym3::of(&matrix);
            let value = own.J.matrix()[(i, j)];
            add(
                &format!("inertia_{word}"),
                "kg*m^2",
                inertia_gain,
                value,
                &unit,
            );
        }
    }
    if found.is_empty() {
        return Err(ArgumentError {
            field: "bodies",
            message: "there is no parameter to estimate: name a body, and set `mass_gain`, `moment_gain` or `inertia_gain`".to_owned(),
        });
    }
    Ok(found)
}

/// The robot with an inertia on one link only, given in a frame of the link.
fn unit_robot(tree: &Tree, link: usize, pose: &Pose, inertia: &RigidInertia) -> Bilinear {
    let mut tree = tree.clone();
    for link in &mut tree.links {
        link.inertia = RigidInertia::zero();
    }
    tree.armature.fill(0.0);
    tree.links[link].inertia = inertia.turned(&pose.R).seen_from(&pose.p);
    Bilinear::new(tree)
}

impl Adaptive {
    /// Computes Y and s of a sample.
    fn look(&mut self, sample: &ControlSample<'_>) {
        let ReferencePoint { q, v, a } = sample.now;
        let motion = &mut self.motion;
        for (i, joint) in self.robot.joints.iter().enumerate() {
            let (e, rate) = (q[i] - sample.q[i], v[i] - sample.v[i]);
            let w = v[i] + self.slope[i] * e;
            self.s[joint.v] = rate + self.slope[i] * e;
            motion.q[joint.q] = sample.q[i];
            motion.mean[joint.v] = 0.5 * (sample.v[i] + w);
            motion.half[joint.v] = 0.5 * (sample.v[i] - w);
            motion.rates[joint.v] = a[i] + self.slope[i] * rate;
        }
        let n = self.s.len();
        let columns = self.regressor.chunks_exact_mut(n);
        for (parameter, column) in self.parameters.iter().zip(columns) {
            let robot = &parameter.unit_robot;
            robot.efforts(&mut self.ws, motion, &mut self.difference, column);
        }
    }
}

impl ControlLaw for Adaptive {
    fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|p| p.design).collect()
    }

    fn efforts(&mut self, sample: &ControlSample<'_>, states: &[f64], efforts: &mut [f64]) {
        self.look(sample);
        let (whole, motion) = (&self.whole, &self.motion);
        whole.efforts(&mut self.ws, motion, &mut self.difference, &mut self.f);
        let columns = self.regressor.chunks_exact(self.f.len());
        for ((parameter, estimate), column) in self.parameters.iter().zip(states).zip(columns) {
            dense::add(&mut self.f, estimate - parameter.design, column);
        }
        for (i, joint) in self.robot.joints.iter().enumerate() {
            efforts[i] = self.f[joint.v] + self.gain[i] * self.s[joint.v];
        }
    }

    fn advance(&mut self, sample: &ControlSample<'_>, _: &[f64], states: &mut [f64]) {
        self.look(sample);
        let columns = self.regressor.chunks_exact(self.s.len());
        for ((parameter, estimate), column) in self.parameters.iter().zip(states).zip(columns) {
            *estimate += self.period * parameter.gain * dense::dot(column, &self.s);
            if parameter.mass {
                *estimate = estimate.max(0.0);
            }
        }
    }

    fn estimates(&self) -> Vec<Estimate> {
        let shown = |p: &EstimatedParameter| Estimate {
            name: p.name.clone(),
            unit: p.unit,
        };
        self.parameters.iter().map(shown).collect()
    }

    fn estimate(&self, states: &[f64], values: &mut [f64]) {
        values.copy_from_slice(states);
    }
}

#[cfg(test)]
mod tests {
    use super::super::suite::random_robot;
    use super::*;
    use crate::math::Random;
    use crate::tree::crba;

    /// `sᵀ (Ṁ − 2C(q, q̇)) s = 0` for any s, and `C(q, q̇) q̇` agrees with inverse dynamics.
    #[test]
    fn the_coriolis_matrix_has_the_christoffel_symbols() {
        let mut random = Random::new(5);
        for n in 2..7 {
            let model = random_robot(n, &mut random);
            let robot = Robot::of(&model).unwrap();
            let tree = &robot.tree;
            let mut some = || -> Vec<f64> { (0..n).map(|_| random.symmetric(1.5)).collect() };
            let (q, v, s) = (some(), some(), some());
            let mut ws = TreeWorkspace::new(tree);
            let mut kinetic = |step: f64| {
                let at: Vec<f64> = q.iter().zip(&v).map(|(q, v)| q + step * v).collect();
                let mut twice = 0.0;
                crba(tree, &mut ws, &at, |i, j, m| {
                    let both = if i == j { 1.0 } else { 2.0 };
                    twice += both * m * s[i] * s[j];
                });
                twice
            };
            let h = 1e-4;
            let change = (kinetic(h) - kinetic(-h)) / (2.0 * h);
            let still = vec![0.0; n];
            let both = Bilinear::new(tree.clone());
            let (mut part, mut out, mut rest) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
            let mut of = |w: &[f64], out: &mut [f64]| {
                let mix = |sign: f64| v.iter().zip(w).map(|(v, w)| 0.5 * (v + sign * w)).collect();
                let motion = AdaptiveMotion {
                    q: q.clone(),
                    mean: mix(1.0),
                    half: mix(-1.0),
                    rates: still.clone(),
                    still: still.clone(),
                };
                both.efforts(&mut ws, &motion, &mut part, out);
            };
            of(&still, &mut rest);
            of(&s, &mut out);
            let product: f64 = (0..n).map(|i| s[i] * (out[i] - rest[i])).sum();
            assert!((change - 2.0 * product).abs() < 1e-6, "{change} {product}");
            of(&v, &mut out);
            rnea(tree, &mut ws, &q, &v, &still, &[], &mut rest);
            assert!(out.iter().zip(&rest).all(|(a, b)| (a - b).abs() < 1e-11));
        }
    }
}
