//! Readable formulas: few brackets, and terms collected as in textbooks.
//!
//! A term consists of a number, a parameter that enters linearly (a mass), powers, sines and velocities. Terms that differ only in the linear parameter are
//! combined, and so are those that differ only in velocities:
//!
//! ```text
//! m1 l1² + m2 l1² + m2 l2² + 2 m2 l1 l2 cos q2   →   (m1 + m2) l1² + m2 l2² + 2 m2 l1 l2 cos q2
//! 2 m2 l1 l2 sin q2 q1' q2' + m2 l1 l2 sin q2 q2'²   →   m2 l1 l2 sin q2 (2 q1' + q2') q2'
//! ```

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use crate::arena::{QuickHasher, QuickMap, Symbol, VariableKind, variables};
use crate::compact::{bracket, factored, take_common};
use crate::identities::{Term, cancelled, paired, single_angles, term};
use crate::number::Number;
use crate::poly::{Poly, Trig, shorter};
use crate::tape::cost;

/// The maximum number of parameters in the search for linear ones.
const MOST_TRIED: usize = 40;

/// The way in which terms are combined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TermForm {
    /// Readable.
    Readable,
    /// With the fewest operations.
    Compact,
}

/// The polynomial as a formula: with sums of angles, with products of sines and cosines, or with single angles, whichever is shortest.
pub(crate) fn symbol(poly: &Poly, form: TermForm) -> Symbol {
    let poly = cancelled(poly);
    let write = |terms: Vec<Term>| match form {
        TermForm::Readable => collected(terms),
        TermForm::Compact => factored(terms),
    };
    let linear = write(poly.terms.iter().map(|(key, c)| term(*key, *c)).collect());
    let has_trig = poly.terms.iter().any(|(key, _)| key.trig != Trig::One);
    if !has_trig || poly.terms.len() < 2 {
        return linear;
    }
    let better = |first: Symbol, second: Symbol| match form {
        TermForm::Readable => shorter(first, second),
        TermForm::Compact if cost(&[first]) <= cost(&[second]) => first,
        TermForm::Compact => second,
    };
    // of equal length, squares and products are preferred to double angles, as in textbooks
    let mut best = better(write(paired(&poly)), linear);
    if let Some(terms) = single_angles(&poly) {
        best = better(best, write(terms));
    }
    best
}

fn kind(symbol: Symbol) -> Option<VariableKind> {
    symbol.as_variable().map(|v| v.kind)
}

/// Classifies factors: `true` for velocities, sums of velocities and accelerations.
fn motions(terms: &[Term]) -> QuickMap<Symbol, bool> {
    let mut known: QuickMap<Symbol, bool> = QuickMap::default();
    let moves = |v: &Symbol| {
        matches!(
            kind(*v),
            Some(VariableKind::Rate | VariableKind::Acceleration)
        )
    };
    for (base, _) in terms.iter().flat_map(|(_, list)| list) {
        let _ = known
            .entry(*base)
            .or_insert_with(|| variables(&[*base]).iter().any(moves));
    }
    known
}

fn collected(mut terms: Vec<Term>) -> Symbol {
    let mut front = take_common(&mut terms);
    let linear = linear_parameters(&terms);
    let motions = motions(&terms);
    // by everything except the linear parameter: its coefficient
    let mut sums: BTreeMap<SplitTerm, Vec<(Symbol, Number)>> = BTreeMap::new();
    for (c, list) in &terms {
        let (key, parameter) = split(list, &linear, &motions);
        sums.entry(key).or_default().push((parameter, *c));
    }
    // by everything except the velocities: their sum
    let mut rates: BTreeMap<(Symbol, Symbol, Symbol), Vec<Term>> = BTreeMap::new();
    for (key, list) in sums {
        let (by, sum) = primitive(&list);
        let group = rates.entry((key.powers, key.functions, sum)).or_default();
        group.push((by, key.motion));
    }
    // by velocities and functions: everything that they multiply
    let mut moving: BTreeMap<(Symbol, Symbol), Vec<(Symbol, Number)>> = BTreeMap::new();
    for ((powers, functions, sum), mut list) in rates {
        let mut motion = take_common(&mut list);
        let list: Vec<_> = list
            .into_iter()
            .map(|(c, motion)| (Symbol::product(motion), c))
            .collect();
        let (by, inner) = bracket(&list);
        motion.push((inner, Number::ONE));
        let (front, motion) = Symbol::product(motion).split();
        let group = moving.entry((motion, functions)).or_default();
        group.push((powers * sum, by * front));
    }
    let mut added: BTreeMap<Symbol, Vec<(Symbol, Number)>> = BTreeMap::new();
    for ((motion, functions), list) in moving {
        added
            .entry(motion)
            .or_default()
            .extend(together(functions, list));
    }
    let added: Vec<_> = added
        .into_iter()
        .flat_map(|(motion, list)| together(motion, list))
        .collect();
    let (by, sum) = bracket(&added);
    front.push((sum, Number::ONE));
    Symbol::product(front).scaled(by)
}

/// A factor times a sum, as one term; unchanged if the factor is one.
fn together(factor: Symbol, terms: Vec<(Symbol, Number)>) -> Vec<(Symbol, Number)> {
    if factor == Symbol::ONE {
        return terms;
    }
    let (by, sum) = bracket(&terms);
    vec![(sum * factor, by)]
}

/// A sum divided by the common number of its coefficients, and that number; a single term has coefficient one.
fn primitive(list: &[(Symbol, Number)]) -> (Number, Symbol) {
    let Some((_, first)) = list.first() else {
        return (Number::ONE, Symbol::ZERO);
    };
    let content = if list.len() == 1 {
        Some(*first)
    } else {
        Number::content(list.iter().map(|(_, c)| *c))
    };
    let by = match content {
        Some(content) if first.is_negative() && list.len() > 1 => -content,
        Some(content) => content,
        None => Number::ONE,
    };
    let sum = list.iter().map(|(s, c)| (*s, *c / by));
    (by, Symbol::sum(sum, Number::ZERO))
}

/// A term without its linear parameter.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SplitTerm {
    /// Powers of parameters and coordinates.
    powers: Symbol,
    /// Sines, cosines, brackets.
    functions: Symbol,
    /// Velocities and accelerations.
    motion: Vec<(Symbol, Number)>,
}

/// A term without its linear parameter, and the parameter (one if it has none).
fn split(
    list: &[(Symbol, Number)],
    linear: &[Symbol],
    motions: &QuickMap<Symbol, bool>,
) -> (SplitTerm, Symbol) {
    let (mut powers, mut functions, mut motion) = (Vec::new(), Vec::new(), Vec::new());
    let mut parameter = Symbol::ONE;
    for &(base, e) in list {
        if e.is_one() && linear.contains(&base) {
            parameter = base;
        } else if motions.get(&base) == Some(&true) {
            motion.push((base, e));
        } else if kind(base).is_some() {
            powers.push((base, e));
        } else {
            functions.push((base, e));
        }
    }
    motion.sort_by_key(|(base, _)| *base);
    let key = SplitTerm {
        powers: Symbol::product(powers),
        functions: Symbol::product(functions),
        motion,
    };
    (key, parameter)
}

/// Parameters that enter linearly, at most one in each term, chosen so that the fewest terms remain.
fn linear_parameters(terms: &[Term]) -> Vec<Symbol> {
    let mut candidates: Vec<Symbol> = Vec::new();
    let mut excluded: Vec<Symbol> = Vec::new();
    for (_, list) in terms {
        for (base, e) in list {
            if kind(*base) == Some(VariableKind::Parameter) {
                let into = if e.is_one() {
                    &mut candidates
                } else {
                    &mut excluded
                };
                if !into.contains(base) {
                    into.push(*base);
                }
            }
        }
    }
    candidates.retain(|p| !excluded.contains(p));
    candidates.sort_unstable();
    candidates.truncate(MOST_TRIED);
    let place = |p: Symbol| candidates.iter().position(|c| *c == p);
    let mut together = vec![vec![false; candidates.len()]; candidates.len()];
    for (_, list) in terms {
        let present: Vec<usize> = list.iter().filter_map(|(base, _)| place(*base)).collect();
        for &a in &present {
            for &b in &present {
                together[a][b] = true;
            }
        }
    }
    let mut best: (usize, Vec<Symbol>) = (terms.len(), Vec::new());
    for seed in 0..candidates.len() {
        let mut chosen = vec![seed];
        for other in 0..candidates.len() {
            if !chosen.iter().any(|p| together[*p][other]) {
                chosen.push(other);
            }
        }
        let chosen: Vec<Symbol> = chosen.into_iter().map(|p| candidates[p]).collect();
        let rest = |list: &[(Symbol, Number)]| {
            let mut hasher = QuickHasher::default();
            list.iter()
                .filter(|(base, _)| !chosen.contains(base))
                .for_each(|factor| factor.hash(&mut hasher));
            hasher.finish()
        };
        let mut groups: Vec<u64> = terms.iter().map(|(_, list)| rest(list)).collect();
        groups.sort_unstable();
        groups.dedup();
        if groups.len() < best.0 {
            best = (groups.len(), chosen);
        }
    }
    best.1
}
