//! Singular configurations: constraint rows that are independent elsewhere become dependent.
//!
//! ```text
//! r = g_k − Σ c_j g_j        s = |r| / max |g_k|
//! ```
//!
//! r is the part of a row that earlier rows do not span, k is the row with the smallest such part, and s vanishes where the constraint Jacobian loses rank.
//! On a path through such a configuration r passes through zero and reverses its direction, so `r · r₀` changes sign: the configuration can be located as a
//! root.

use super::{RowOwner, State, System, Workspace};
use crate::keep::{Keep, Words, keeps};
use crate::math::{Kkt, RowOrder, RowPattern, SymmetricPattern};

/// The consequence of a singular configuration for the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meaning {
    /// Only joints are dependent: a bifurcation, at which several motions are possible.
    #[default]
    Bifurcation,
    /// A driver depends on joints: it does not control the motion there, and cannot enforce a passage.
    DeadCentre,
}

impl Meaning {
    /// Returns one word for lists and programs.
    pub fn word(self) -> &'static str {
        match self {
            Meaning::Bifurcation => "bifurcation",
            Meaning::DeadCentre => "dead-centre",
        }
    }

    /// Returns a description of the consequence.
    pub fn text(self) -> &'static str {
        match self {
            Meaning::Bifurcation => "the mechanism may continue on several branches",
            Meaning::DeadCentre => "the driver does not control the motion",
        }
    }
}

/// A singular configuration: rows are dependent that are independent elsewhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SingularPose {
    /// Time, s.
    pub time: f64,
    /// s: the independent part of the weakest row, relative to its largest norm so far.
    pub measure: f64,
    /// Its consequence.
    pub meaning: Meaning,
    /// Deviation of the velocity after the configuration from its continuation (norm of the velocity coordinates), if it is a considerable part of the
    /// velocity.
    pub jump: Option<f64>,
    /// The elements whose rows are dependent, in the order of the model: "joint `pin`", "driver `motor`", …
    pub elements: Vec<String>,
}

impl SingularPose {
    /// Adds the elements of another loss of rank at the same time.
    pub fn join(&mut self, other: SingularPose) {
        self.measure = self.measure.max(other.measure);
        if other.meaning == Meaning::DeadCentre {
            self.meaning = other.meaning;
        }
        for element in other.elements {
            if !self.elements.contains(&element) {
                self.elements.push(element);
            }
        }
    }
}

impl Keep for SingularPose {
    fn keep(&mut self, words: &mut Words) {
        let mut stops = self.meaning == Meaning::DeadCentre;
        self.time.keep(words);
        self.measure.keep(words);
        stops.keep(words);
        let (mut jumped, mut jump) = (self.jump.is_some(), self.jump.unwrap_or(0.0));
        jumped.keep(words);
        jump.keep(words);
        self.jump = jumped.then_some(jump);
        words.grown(&mut self.elements);
        self.meaning = if stops {
            Meaning::DeadCentre
        } else {
            Meaning::Bifurcation
        };
    }
}

/// The rows at one configuration: the weakest row, and its independent part.
#[derive(Clone, Debug)]
pub struct WeakestRow {
    /// Time, s.
    pub time: f64,
    /// The row k.
    pub row: usize,
    /// r.
    pub residual: Vec<f64>,
    /// s.
    pub measure: f64,
}

keeps!(WeakestRow: time, row, residual, measure);

impl WeakestRow {
    /// Returns `r · r'` of two evaluations of the same row.
    pub fn dot(&self, other: &WeakestRow) -> f64 {
        let pairs = self.residual.iter().zip(&other.residual);
        pairs.map(|(x, y)| x * y).sum()
    }
}

/// Measures the distance of the active rows of a system from rank deficiency.
#[derive(Clone, Debug)]
pub struct Rank {
    kkt: Kkt,
    /// A diagonal metric with the squared largest entry of each column at the first measurement. Rank does not depend on the metric; this one
    /// depends neither on masses nor on the size of the mechanism.
    metric: Vec<f64>,
    /// Whether the metric is known.
    measured: bool,
    /// The active rows; the others have no entries.
    pattern: RowPattern,
    jacobian: Vec<f64>,
    combination: Vec<f64>,
    /// Largest norm of each row so far.
    longest: Vec<f64>,
}

keeps!(Rank: kkt, metric, measured, longest);

/// A row that enters the dependence with a smaller factor is not listed.
const LEAST_PART: f64 = 1e-3;

impl Rank {
    /// Creates the measurement for the active rows of a system that may be dependent.
    pub fn new(system: &dyn System, takes_part: impl Fn(usize) -> bool) -> Self {
        let n = system.sizes().velocities;
        let diagonal = SymmetricPattern {
            entries: (0..n).map(|i| (i, i)).collect(),
        };
        let all = system.jacobian_pattern();
        let rows = all.num_rows();
        let mut pattern = RowPattern::new();
        for row in 0..rows {
            let range = if takes_part(row) {
                all.range(row)
            } else {
                0..0
            };
            pattern.push(all.columns[range].iter().copied());
        }
        let groups: Vec<usize> = (0..rows).collect();
        Rank {
            kkt: Kkt::new(n, &diagonal, &pattern, &groups, RowOrder::Given),
            metric: vec![1.0; n],
            measured: false,
            jacobian: vec![0.0; pattern.num_entries()],
            pattern,
            combination: vec![0.0; rows],
            longest: vec![0.0; rows],
        }
    }

    /// Returns the number of rows.
    pub fn num_rows(&self) -> usize {
        self.longest.len()
    }

    /// Allocates a [`WeakestRow`].
    pub fn blank(&self) -> WeakestRow {
        WeakestRow {
            time: 0.0,
            row: 0,
            residual: vec![0.0; self.metric.len()],
            measure: 1.0,
        }
    }

    /// Factorises the rows at a state, for [`Rank::share`], [`Rank::independence`] and [`Rank::residual`].
    pub fn factor(&mut self, system: &dyn System, ws: &mut Workspace, state: &State) {
        system.update(
            state.time,
            &state.q,
            &state.v,
            &state.turns,
            &mut ws.kinematics,
        );
        system.constraints(ws);
        let all = system.jacobian_pattern();
        for row in 0..self.num_rows() {
            let own = self.pattern.range(row);
            let from = all.start[row];
            let values = &ws.jacobian[from..from + own.len()];
            self.jacobian[own].copy_from_slice(values);
        }
        if !std::mem::replace(&mut self.measured, true) {
            self.measure_columns();
        }
        self.kkt.factor(&self.metric, &self.jacobian);
        for (i, longest) in self.longest.iter_mut().enumerate() {
            *longest = longest.max(norm(&self.jacobian[self.pattern.range(i)]));
        }
    }

    /// Sets the metric: the largest derivative of the rows with respect to each velocity, so that metres and radians are comparable in mechanisms of any size.
    fn measure_columns(&mut self) {
        self.metric.fill(0.0);
        for (column, value) in self.pattern.columns.iter().zip(&self.jacobian) {
            self.metric[*column] = self.metric[*column].max(value * value);
        }
        for metric in &mut self.metric {
            if *metric == 0.0 {
                *metric = 1.0;
            }
        }
    }

    /// Returns the part of an active row that those before it do not span, relative to its largest norm so far.
    pub fn share(&self, row: usize) -> f64 {
        self.kkt.share(row).sqrt()
    }

    /// Returns the distance of the rows from rank deficiency: the squared share of the weakest row; one if there are no rows.
    pub fn independence(&self) -> f64 {
        self.kkt.weakest().share
    }

    /// Evaluates one row in the last factorisation, made at `time`.
    pub fn residual(&mut self, time: f64, row: usize, out: &mut WeakestRow) {
        (out.time, out.row, out.measure) = (time, row, 1.0);
        out.residual.fill(0.0);
        if row >= self.num_rows() {
            return;
        }
        let pattern = &self.pattern;
        // not from the pivot, in which a small r is lost in the rounding error of its square
        self.kkt.combination(row, &mut self.combination[..row]);
        pattern.add_row(row, &self.jacobian, 1.0, &mut out.residual);
        for (i, c) in self.combination[..row].iter().enumerate() {
            if *c != 0.0 {
                pattern.add_row(i, &self.jacobian, -c, &mut out.residual);
            }
        }
        // norms are in the metric of the factorisation
        for (x, metric) in out.residual.iter_mut().zip(&self.metric) {
            *x /= metric.sqrt();
        }
        let longest = self.kkt.squared_lengths()[row].sqrt();
        if longest > 0.0 {
            out.measure = norm(&out.residual) / longest;
        }
    }

    /// Evaluates a state, for the weakest row or the given one.
    pub fn look(
        &mut self,
        system: &dyn System,
        ws: &mut Workspace,
        state: &State,
        row: Option<usize>,
        out: &mut WeakestRow,
    ) {
        self.factor(system, ws, state);
        let row = row.unwrap_or(self.kkt.weakest().row);
        self.residual(state.time, row, out);
    }

    /// Describes the configuration of the last evaluation.
    pub fn describe(&self, system: &dyn System, look: &WeakestRow) -> SingularPose {
        let labels = system.rows();
        let length = |row: usize| norm(&self.jacobian[self.pattern.range(row)]);
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
            jump: None,
            elements,
        }
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
