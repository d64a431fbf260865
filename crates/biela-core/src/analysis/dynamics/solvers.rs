//! The method and the constraint manifold for the active rows.
//!
//! Both are built for a set of active rows: the order of elimination and the pattern of the factors follow from it. Contacts and friction change the set at every
//! event, and few sets alternate, so solvers of earlier sets are kept. One that is used again begins in the state in which it was built: results do not depend on
//! what is kept.

use super::{Choice, Dynamics};
use crate::keep::{Keep, Words};
use crate::methods::{self, Manifold, Method};
use crate::system::System;

/// The maximum number of sets of rows whose solvers are kept.
const MOST_KEPT: usize = 16;

/// The solvers for a set of active rows.
#[derive(Clone)]
pub(super) struct Solvers {
    active: Vec<bool>,
    pub(super) method: Box<dyn Method>,
    /// See [`Method::is_direct`].
    pub(super) direct: bool,
    /// Projects states near a singular configuration.
    pub(super) manifold: Manifold,
    /// The state in which they were built; recorded when they are kept for the first time.
    fresh: Vec<u64>,
}

impl Solvers {
    pub(super) fn new(system: &dyn System, active: &[bool], method: Box<dyn Method>) -> Self {
        let mut solvers = Solvers {
            active: active.to_vec(),
            direct: method.is_direct(),
            method,
            manifold: Manifold::new(system, active),
            fresh: Vec::new(),
        };
        if !system.unilaterals().is_empty() {
            solvers.fresh = Words::of(&mut solvers);
        }
        solvers
    }

    /// Returns to the state in which they were built; `false` if it was not recorded.
    fn begin_again(&mut self) -> bool {
        let mut fresh = std::mem::take(&mut self.fresh);
        let restored = Words::bring_back_again(&mut fresh, self);
        self.fresh = fresh;
        restored
    }
}

impl Keep for Solvers {
    fn keep(&mut self, words: &mut Words) {
        self.method.keep(words);
        self.manifold.keep(words);
    }
}

/// Solvers of other sets of rows, the oldest first.
#[derive(Default)]
pub(super) struct KeptSolvers(Vec<Solvers>);

/// A copy of a run begins without them.
impl Clone for KeptSolvers {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Dynamics {
    /// Changes to the solvers for the active rows.
    pub(super) fn renew_method(&mut self) {
        self.work_before = self.work_before + self.solvers.method.work();
        let kept = &mut self.kept.0;
        if let Some(k) = kept.iter().position(|kept| kept.active == self.active)
            && kept[k].begin_again()
        {
            std::mem::swap(&mut self.solvers, &mut kept[k]);
            return;
        }
        let Choice { kind, arguments } = &self.made_from;
        let (system, active) = (self.system.as_ref(), &self.active);
        // a method that was built once can be built again
        if let Some(Ok(method)) = methods::build(kind, arguments, system, active) {
            let solvers = Solvers::new(system, active, method);
            let before = std::mem::replace(&mut self.solvers, solvers);
            if kept.len() == MOST_KEPT {
                let _ = kept.remove(0);
            }
            if !before.fresh.is_empty() {
                kept.push(before);
            }
        }
    }
}
