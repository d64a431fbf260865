//! Constraints on generalized speeds: `B y = g`, and differentiated `B y' = g' − B' y`.
//!
//! A row of a joint is a linear function of the relative motion of its frames F and M ([`crate::joints::PoseFunction`]), whose partial velocities are
//!
//! ```text
//! w_l = R_Fᵀ (ω_Bl − ω_Al)        v_l = R_Fᵀ (V_Ml − V_Fl − ω_Al × d)        d from F to M
//! ```
//!
//! Coincidence of points in a loop is imposed along ground axes, `B_l = V_Ml − V_Fl`.

use super::{Kane, Speeds};
use crate::joints::{Joint, JointEquations, PoseFunction, Relative};
use crate::math::rotation::{
    apply, apply_transposed, cross, dot, product, transposed_product, unit, zero3,
};
use crate::math::spatial::Twist;
use crate::math::{Jet, Mat3, Pose, Real, Vec3};
use crate::model::{BodyIndex, DriverTarget, JointIndex, Model, Space};
use crate::tree::{Numbers, Tree, TreeLocation};

/// Rows on the generalized speeds.
#[derive(Clone, Debug)]
pub struct SpeedConstraints<T: Real = f64> {
    /// Number of speeds.
    pub n: usize,
    /// B, row by row.
    pub B: Vec<T>,
    /// g.
    pub g: Vec<T>,
    /// `g' − B' y`.
    pub gamma: Vec<T>,
    /// Upper bound of the coefficients of each row without cancellation: much smaller values are rounding errors.
    pub size: Vec<f64>,
    /// The body whose own joint the row belongs to, if any: the force of such a row is part of that joint's reaction.
    pub joint: Vec<Option<usize>>,
}

impl<T: Real> SpeedConstraints<T> {
    /// An empty set of rows on `n` speeds.
    pub fn new(n: usize) -> Self {
        SpeedConstraints {
            n,
            B: Vec::new(),
            g: Vec::new(),
            gamma: Vec::new(),
            size: Vec::new(),
            joint: Vec::new(),
        }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.g.len()
    }

    /// Returns the coefficients of a row.
    pub fn row(&self, i: usize) -> &[T] {
        &self.B[self.n * i..self.n * (i + 1)]
    }

    /// Adds a row that belongs to no joint of the tree.
    pub fn push(&mut self, row: &[T], g: T, gamma: T) {
        let i = self.start(None);
        for (b, x) in self.B[self.n * i..].iter_mut().zip(row) {
            *b = *x;
            self.size[i] = self.size[i].max(x.number().abs());
        }
        (self.g[i], self.gamma[i]) = (g, gamma);
    }

    /// Adds a row of zeros, for the joint of a body or for none, and returns its index.
    fn start(&mut self, joint: Option<usize>) -> usize {
        self.B.resize(self.B.len() + self.n, T::zero());
        self.g.push(T::zero());
        self.gamma.push(T::zero());
        self.size.push(0.0);
        self.joint.push(joint);
        self.g.len() - 1
    }
}

/// A frame fixed to a body, moving with the speeds y and y' = 0, in ground axes.
#[derive(Clone, Copy)]
struct MovingFrame<T: Real> {
    body: Option<usize>,
    R: Mat3<T>,
    p: Vec3<T>,
    /// Position relative to the body's origin.
    arm: Vec3<T>,
    w: Vec3<T>,
    v: Vec3<T>,
    alpha: Vec3<T>,
    a: Vec3<T>,
}

/// Two frames and the motion of the second in the first.
struct FramePair<T: Real> {
    F: MovingFrame<T>,
    M: MovingFrame<T>,
    relative: Relative<T>,
}

/// Returns the two frames of a joint of a model.
fn places<T: Real>(
    tree: &Tree<T>,
    model: &Model,
    numbers: &Numbers<T>,
    joint: JointIndex,
) -> [TreeLocation<T>; 2] {
    let element = &model.joints[joint.0];
    let [first, second] = &numbers.joints[joint.0];
    [
        on_tree(tree, element.first.0, first),
        on_tree(tree, element.second.0, second),
    ]
}

/// Returns a frame given in a body's frame.
fn on_tree<T: Real>(tree: &Tree<T>, body: BodyIndex, pose: &Pose<T>) -> TreeLocation<T> {
    body.number().map_or(
        TreeLocation {
            link: None,
            pose: *pose,
        },
        |b| TreeLocation {
            link: tree.places[b].link,
            pose: tree.places[b].pose.then(pose),
        },
    )
}

impl<T: Real> Kane<T> {
    /// Returns all rows of a model at a time: locked motions of tree joints (for [`Speeds::Relative`]), loop-closing joints, velocity (nonholonomic)
    /// constraints, couplers and drivers.
    pub fn constraints(
        &self,
        tree: &Tree<T>,
        model: &Model,
        numbers: &Numbers<T>,
        time: f64,
    ) -> SpeedConstraints<T> {
        let mut out = SpeedConstraints::new(self.speeds().len());
        if self.speeds == Speeds::Relative {
            for i in 0..tree.links.len() {
                self.lock(tree, i, &mut out);
            }
        }
        for j in &tree.span.cuts {
            let [F, M] = places(tree, model, numbers, *j);
            self.close(tree.space, &model.joints[j.0].joint, &F, &M, &mut out);
        }
        for coupler in &model.couplers {
            let row = out.start(None);
            for (joint, k, factor) in &coupler.terms {
                let between = self.between(&places(tree, model, numbers, *joint));
                let coordinate =
                    model.joints[joint.0]
                        .joint
                        .coordinate(tree.space, *k, &between.relative);
                self.add(
                    &coordinate.scaled(T::constant(*factor)),
                    &between,
                    row,
                    &mut out,
                );
            }
        }
        for driver in &model.drivers {
            let motion = driver.motion.at(time);
            match driver.target {
                DriverTarget::Joint(joint, k) => {
                    let between = self.between(&places(tree, model, numbers, joint));
                    let own = tree.links.iter().position(|l| l.element == Some(joint));
                    let coordinate =
                        model.joints[joint.0]
                            .joint
                            .coordinate(tree.space, k, &between.relative);
                    let row = out.start(own);
                    self.add(&coordinate, &between, row, &mut out);
                    prescribe(&motion, row, &mut out);
                }
                DriverTarget::Point(marker, axis) => {
                    let marker = &model.markers[marker.0];
                    let ground = TreeLocation {
                        link: None,
                        pose: Pose::identity(),
                    };
                    let point = on_tree(tree, marker.body, &marker.pose.constant());
                    let between = self.between(&[ground, point]);
                    let row = out.start(None);
                    self.coincide(axis, &between, row, &mut out);
                    prescribe(&motion, row, &mut out);
                }
            }
        }
        out
    }

    /// Adds the rows of the motions that the joint of link `i` locks, in the axes of its first frame; in a planar model also the motions out of the plane.
    pub fn lock(&self, tree: &Tree<T>, i: usize, out: &mut SpeedConstraints<T>) {
        let link = &tree.links[i];
        let parent = TreeLocation {
            link: link.parent,
            pose: link.frame,
        };
        let own = TreeLocation {
            link: Some(i),
            pose: Pose::identity(),
        };
        let between = self.between(&if link.reversed {
            [own, parent]
        } else {
            [parent, own]
        });
        let mut rows = JointEquations::new();
        link.joint.rows(tree.space, &between.relative, &mut rows);
        for row in rows.as_slice() {
            let place = out.start(Some(i));
            self.add(row, &between, place, out);
        }
        if tree.space == Space::Planar {
            let still = [(zero3(), unit(0)), (zero3(), unit(1)), (unit(2), zero3())];
            for (v, w) in still {
                let row = PoseFunction {
                    v,
                    w,
                    ..PoseFunction::constant(0.0)
                };
                let place = out.start(Some(i));
                self.add(&row, &between, place, out);
            }
        }
    }

    /// Adds the rows of a joint between two frames that is not a tree joint: a loop closure, rolling or a knife edge.
    pub fn close(
        &self,
        space: Space,
        joint: &Joint,
        F: &TreeLocation<T>,
        M: &TreeLocation<T>,
        out: &mut SpeedConstraints<T>,
    ) {
        let between = self.between(&[*F, *M]);
        let mut rows = JointEquations::new();
        joint.rows(space, &between.relative, &mut rows);
        for (i, row) in rows.as_slice().iter().enumerate() {
            let place = out.start(None);
            if i < rows.coincident() {
                self.coincide(i, &between, place, out);
            } else {
                self.add(row, &between, place, out);
            }
        }
    }

    fn frame(&self, place: &TreeLocation<T>) -> MovingFrame<T> {
        let at = place
            .link
            .map_or_else(super::BodyMotionState::ground, |k| self.placed[k]);
        let arm = apply(&at.S, &place.pose.p);
        let arm_rate = apply(&at.S_rate, &place.pose.p);
        MovingFrame {
            body: place.link,
            R: product(&at.S, &place.pose.R),
            p: at.o + arm,
            arm,
            w: at.w,
            v: at.v + arm_rate,
            alpha: at.alpha,
            a: at.a + cross(&at.alpha, &arm) + cross(&at.w, &arm_rate),
        }
    }

    fn between(&self, places: &[TreeLocation<T>; 2]) -> FramePair<T> {
        let [F, M] = [self.frame(&places[0]), self.frame(&places[1])];
        let d = M.p - F.p;
        let slip = M.v - F.v - cross(&F.w, &d);
        let pose = (transposed_product(&F.R, &M.R), apply_transposed(&F.R, &d));
        let relative = Relative {
            v: apply_transposed(&F.R, &slip),
            w: apply_transposed(&F.R, &(M.w - F.w)),
            ..Relative::at_rest(pose.0, pose.1)
        };
        FramePair { F, M, relative }
    }

    /// Returns the partial angular velocity of a frame and the partial velocity of its origin.
    fn partial_at(&self, frame: &MovingFrame<T>, l: usize) -> Twist<T> {
        frame.body.map_or_else(Twist::zero, |k| {
            let partial = self.partial(k, l);
            Twist::new(partial.w, partial.o + cross(&partial.w, &frame.arm))
        })
    }

    /// Adds a function of the relative motion to row `i`.
    fn add(
        &self,
        row: &PoseFunction<T>,
        between: &FramePair<T>,
        i: usize,
        out: &mut SpeedConstraints<T>,
    ) {
        let (F, M) = (&between.F, &between.M);
        let (gv, gw) = (apply(&F.R, &row.v), apply(&F.R, &row.w));
        let d = M.p - F.p;
        let reach = length(&d);
        let mut size = out.size[i];
        let B = &mut out.B[out.n * i..out.n * (i + 1)];
        for (l, b) in B.iter_mut().enumerate() {
            let moved = |frame: &MovingFrame<T>| frame.body.is_some_and(|k| self.moves(l, k));
            // a speed that moves both frames moves them as one rigid body
            if moved(F) != moved(M) {
                let (first, second) = (self.partial_at(F, l), self.partial_at(M, l));
                let v = second.v - first.v - cross(&first.w, &d);
                *b += dot(&gv, &v) + dot(&gw, &(second.w - first.w));
                let turning = length(&first.w) + length(&second.w);
                let moving = length(&first.v) + length(&second.v) + length(&first.w) * reach;
                size = size.max(length(&gv) * moving + length(&gw) * turning);
            }
        }
        out.size[i] = size;
        // relative accelerations at y' = 0, in the rotating axes of F
        let slip = M.v - F.v - cross(&F.w, &d);
        let linear =
            M.a - F.a - cross(&F.alpha, &d) - cross(&F.w, &(M.v - F.v)) - cross(&F.w, &slip);
        let angular = M.alpha - F.alpha - cross(&F.w, &(M.w - F.w));
        out.gamma[i] -= dot(&gv, &linear) + dot(&gw, &angular) + row.bias;
    }

    /// Adds the distance of the origins along a ground axis to row `i`.
    fn coincide(
        &self,
        axis: usize,
        between: &FramePair<T>,
        i: usize,
        out: &mut SpeedConstraints<T>,
    ) {
        let (F, M) = (&between.F, &between.M);
        for l in 0..out.n {
            let (first, second) = (self.partial_at(F, l).v, self.partial_at(M, l).v);
            out.B[out.n * i + l] += second[axis] - first[axis];
            out.size[i] = out.size[i].max(length(&first) + length(&second));
        }
        out.gamma[i] -= M.a[axis] - F.a[axis];
    }
}

fn length<T: Real>(x: &Vec3<T>) -> f64 {
    x.map(Real::number).norm()
}

/// Sets g and g' of a row to a prescribed motion.
fn prescribe<T: Real>(motion: &Jet, i: usize, out: &mut SpeedConstraints<T>) {
    out.g[i] += T::constant(motion.rate);
    out.gamma[i] += T::constant(motion.curvature);
}
