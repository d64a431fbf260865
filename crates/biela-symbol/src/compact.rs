//! Compact formulas for computation: factors out common factors recursively, the most frequent first.

use crate::arena::{QuickMap, Symbol};
use crate::identities::{Term, times};
use crate::number::Number;
use crate::print::is_decimal;

/// The maximum number of terms of a polynomial that is searched for common factors.
const MOST_FACTORED: usize = 6_000;
/// A common number is factored out of a sum if it leaves integers up to this.
const MOST_MULTIPLE: i64 = 12;

/// Σ with common factors in front of brackets, the most frequent first.
pub(crate) fn factored(mut terms: Vec<Term>) -> Symbol {
    if terms.len() > MOST_FACTORED {
        let list = terms.into_iter().map(|(c, f)| (Symbol::product(f), c));
        return Symbol::sum(list, Number::ZERO);
    }
    let mut front = Vec::new();
    let mut added = Vec::new();
    loop {
        match terms.as_slice() {
            [] => break,
            [(c, list)] => {
                added.push((Symbol::product(list.iter().copied()), *c));
                break;
            }
            _ => {}
        }
        if added.is_empty() {
            front.extend(take_common(&mut terms));
        }
        let Some((base, exponent)) = most_frequent(&terms) else {
            added.extend(
                terms
                    .iter()
                    .map(|(c, list)| (Symbol::product(list.iter().copied()), *c)),
            );
            break;
        };
        let (mut with, without): (Vec<Term>, Vec<Term>) = terms
            .into_iter()
            .partition(|(_, list)| has(list, base, exponent));
        for (_, list) in &mut with {
            times(list, base, -exponent);
        }
        added.push((base.power(exponent) * factored(with), Number::ONE));
        terms = without;
    }
    let bracket = bracket(&added);
    front.push((bracket.1, Number::ONE));
    Symbol::product(front).scaled(bracket.0)
}

/// Factors the common number of all coefficients, and its sign, out of a sum.
pub(crate) fn bracket(terms: &[(Symbol, Number)]) -> (Number, Symbol) {
    let split: Vec<(Number, Symbol)> = terms
        .iter()
        .map(|(s, c)| {
            let (front, rest) = s.split();
            (front * *c, rest)
        })
        .collect();
    let Some(first) = split.first().map(|(c, _)| *c) else {
        return (Number::ONE, Symbol::ZERO);
    };
    let content = Number::content(split.iter().map(|(c, _)| *c));
    let small = |by: &Number| {
        let mut multiples = split.iter().map(|(c, _)| (*c / *by).as_whole());
        let whole = split.iter().any(|(c, _)| c.as_whole().is_some());
        // 2a + 4b is 2(a + 2b), but a + 0.2b is not 0.2(5a + b)
        multiples.all(|n| n.is_some_and(|n| n.abs() <= MOST_MULTIPLE))
            && !(whole && is_decimal(*by))
    };
    let by = match content.filter(small) {
        Some(by) if split.len() > 1 => by,
        None if split.len() > 1 && split.iter().all(|(c, _)| *c == first || *c == -first) => {
            if first.is_negative() {
                -first
            } else {
                first
            }
        }
        _ => Number::ONE,
    };
    let negative = split.len() > 1 && split.iter().all(|(c, _)| c.is_negative());
    let by = if negative { -by } else { by };
    let list = split.into_iter().map(|(c, s)| (s, c / by));
    (by, Symbol::sum(list, Number::ZERO))
}

fn has(list: &[(Symbol, Number)], base: Symbol, exponent: Number) -> bool {
    list.iter()
        .any(|(b, e)| *b == base && contains(*e, exponent))
}

/// Returns `true` if a power can be factored out of another one.
fn contains(e: Number, out: Number) -> bool {
    e.is_negative() == out.is_negative() && e.value().abs() >= out.value().abs()
}

/// Factors out the common factors of all terms.
pub(crate) fn take_common(terms: &mut [Term]) -> Vec<(Symbol, Number)> {
    let Some((_, first)) = terms.first() else {
        return Vec::new();
    };
    let mut common: Vec<(Symbol, Number)> = first.clone();
    for (_, list) in terms.iter().skip(1) {
        common.retain_mut(|(base, exponent)| {
            let Some((_, e)) = list.iter().find(|(b, _)| b == base) else {
                return false;
            };
            if e.is_negative() != exponent.is_negative() {
                return false;
            }
            if e.value().abs() < exponent.value().abs() {
                *exponent = *e;
            }
            true
        });
    }
    for (_, list) in terms.iter_mut() {
        for (base, exponent) in &common {
            times(list, *base, -*exponent);
        }
    }
    common
}

/// The factor that occurs in most terms, in at least two.
fn most_frequent(terms: &[Term]) -> Option<(Symbol, Number)> {
    let mut counts: QuickMap<Symbol, (usize, Number)> = QuickMap::default();
    for (_, list) in terms {
        for (base, e) in list {
            let entry = counts.entry(*base).or_insert((0, *e));
            if e.is_negative() == entry.1.is_negative() {
                entry.0 += 1;
                if e.value().abs() < entry.1.value().abs() {
                    entry.1 = *e;
                }
            }
        }
    }
    let mut best: Vec<(Symbol, (usize, Number))> =
        counts.into_iter().filter(|(_, (n, _))| *n > 1).collect();
    best.sort_by_key(|(base, (n, _))| (std::cmp::Reverse(*n), *base));
    best.first().map(|(base, (_, e))| (*base, *e))
}
