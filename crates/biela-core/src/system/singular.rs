//! Singular poses: constraint rows that are independent elsewhere depend on each other there.
//!
//! ```text
//! r = g_k − Σ c_j g_j        s = |r| / max |g_k|
//! ```
//!
//! r is the part of a row that earlier rows do not span, the row k is the one that has least of it, and s vanishes where the rank drops. On the way
//! through such a pose r goes through zero and turns round, so `r · r₀` changes its sign: the pose can be found as a root.

use super::{RowOwner, State, System, Workspace};
use crate::keep::{Keep, Words, keeps};
use crate::math::{Kkt, RowOrder, SymmetricPattern};

/// What a singular pose means for the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meaning {
    /// Joints alone depend on each other: the mechanism may go on in more ways than one.
    #[default]
    Bifurcation,
    /// A driver depends on joints: it has no hold on the motion there, and cannot pass where it would have to.
    DeadCentre,
}

impl Meaning {
    /// One word for lists and machines.
    pub fn word(self) -> &'static str {
        match self {
            Meaning::Bifurcation => "bifurcation",
            Meaning::DeadCentre => "dead-centre",
        }
    }

    /// What it means, in words.
    pub fn text(self) -> &'static str {
        match self {
            Meaning::Bifurcation => "the mechanism may go on in more ways than one",
            Meaning::DeadCentre => "the driver has no hold on the motion",
        }
    }
}

/// A pose at which rows depend on each other that are independent elsewhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SingularPose {
    /// When.
    pub time: f64,
    /// s: the part of the weakest row that the others do not span, against its largest length so far.
    pub measure: f64,
    /// What it means.
    pub meaning: Meaning,
    /// The elements whose rows depend on each other, in the order of the model: "joint `pin`", "driver `motor`", …
    pub elements: Vec<String>,
}

impl Keep for SingularPose {
    fn keep(&mut self, words: &mut Words) {
        let mut stops = self.meaning == Meaning::DeadCentre;
        self.time.keep(words);
        self.measure.keep(words);
        stops.keep(words);
        words.grown(&mut self.elements);
        self.meaning = if stops {
            Meaning::DeadCentre
        } else {
            Meaning::Bifurcation
        };
    }
}

/// The rows at one pose: which is the weakest, and what of it the others do not span.
#[derive(Clone, Debug)]
pub struct Look {
    /// When.
    pub time: f64,
    /// The row k.
    pub row: usize,
    /// r.
    pub residual: Vec<f64>,
    /// s.
    pub measure: f64,
}

keeps!(Look: time, row, residual, measure);

impl Look {
    /// `r · r'` of two looks at the same row.
    pub fn dot(&self, other: &Look) -> f64 {
        let pairs = self.residual.iter().zip(&other.residual);
        pairs.map(|(x, y)| x * y).sum()
    }
}

/// Measures how far the rows of a system that take part are from a loss of rank.
#[derive(Clone, Debug)]
pub struct Rank {
    kkt: Kkt,
    /// The unit matrix: rank does not depend on the metric, and a plain one does not drown rows in extreme masses.
    metric: Vec<f64>,
    jacobian: Vec<f64>,
    active: Vec<bool>,
    combination: Vec<f64>,
    /// Largest length of each row so far.
    longest: Vec<f64>,
}

keeps!(Rank: kkt, active, longest);

/// A row that enters the dependence with less than this is not named.
const LEAST_PART: f64 = 1e-3;

impl Rank {
    /// For the rows of a system that take part.
    pub fn new(system: &dyn System, active: &[bool]) -> Self {
        let n = system.sizes().velocities;
        let diagonal = SymmetricPattern {
            entries: (0..n).map(|i| (i, i)).collect(),
        };
        let rows = system.jacobian_pattern();
        let groups: Vec<usize> = (0..rows.num_rows()).collect();
        Rank {
            kkt: Kkt::new(n, &diagonal, rows, &groups, RowOrder::Given),
            metric: vec![1.0; n],
            jacobian: vec![0.0; rows.num_entries()],
            active: active.to_vec(),
            combination: vec![0.0; rows.num_rows()],
            longest: vec![0.0; rows.num_rows()],
        }
    }

    /// Number of rows.
    pub fn num_rows(&self) -> usize {
        self.longest.len()
    }

    /// Storage for a look.
    pub fn blank(&self) -> Look {
        Look {
            time: 0.0,
            row: 0,
            residual: vec![0.0; self.metric.len()],
            measure: 1.0,
        }
    }

    /// Looks at a state, at the weakest row or at the one given.
    pub fn look(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        state: &State,
        row: Option<usize>,
        out: &mut Look,
    ) {
        system.update(
            state.time,
            &state.q,
            &state.v,
            &state.turns,
            &mut ws.kinematics,
        );
        system.constraints(ws);
        self.jacobian.copy_from_slice(&ws.jacobian);
        let pattern = system.jacobian_pattern();
        for (i, active) in self.active.iter().enumerate() {
            if !active {
                self.jacobian[pattern.range(i)].fill(0.0);
            }
        }
        self.kkt.factor(&self.metric, &self.jacobian);
        let row = row.unwrap_or(self.kkt.weakest().row);
        (out.time, out.row, out.measure) = (state.time, row, 1.0);
        out.residual.fill(0.0);
        if row >= self.active.len() {
            return;
        }
        // not from the pivot, in which a small r would be lost in the rounding of its square
        self.kkt.combination(row, &mut self.combination[..row]);
        pattern.add_row(row, &self.jacobian, 1.0, &mut out.residual);
        for (i, longest) in self.longest.iter_mut().enumerate() {
            *longest = longest.max(norm(&self.jacobian[pattern.range(i)]));
        }
        for (i, c) in self.combination[..row].iter().enumerate() {
            pattern.add_row(i, &self.jacobian, -c, &mut out.residual);
        }
        if self.longest[row] > 0.0 {
            out.measure = norm(&out.residual) / self.longest[row];
        }
    }

    /// The pose of the last look, described.
    pub fn describe(&self, system: &dyn System, look: &Look) -> SingularPose {
        let (labels, pattern) = (system.rows(), system.jacobian_pattern());
        let length = |row: usize| norm(&self.jacobian[pattern.range(row)]);
        let least = LEAST_PART * self.longest[look.row];
        let depends = |row: usize| self.combination[row].abs() * length(row) > least;
        let rows = (0..look.row)
            .filter(|row| depends(*row))
            .chain([look.row])
            .map(|row| labels[row]);
        let (mut elements, mut meaning) = (Vec::new(), Meaning::Bifurcation);
        for label in rows {
            if matches!(label.owner, RowOwner::Driver(_)) {
                meaning = Meaning::DeadCentre;
            }
            let element = label.describe(system.model());
            if !elements.contains(&element) {
                elements.push(element);
            }
        }
        SingularPose {
            time: look.time,
            measure: look.measure,
            meaning,
            elements,
        }
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
