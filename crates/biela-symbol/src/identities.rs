//! Trigonometric identities that convert the normal form back to the usual notation: squares and products of sines, division by a cosine.

use std::collections::BTreeMap;

use biela_core::math::Real;

use crate::arena::{Function, Node, QuickMap, Symbol};
use crate::number::Number;
use crate::poly::{CoefficientFactor, Collector, Poly, Trig, trig};

/// The maximum number of sines and cosines in a group that is searched for pairs.
const MOST_PAIRED: usize = 48;
/// The maximum number of terms of a polynomial that is written with single angles.
const MOST_SINGLE: usize = 80;

/// A coefficient and powers.
pub(crate) type Term = (Number, Vec<(Symbol, Number)>);

pub(crate) fn factors(mono: Symbol) -> Vec<(Symbol, Number)> {
    match &*mono.node() {
        Node::Product(factors) => factors.to_vec(),
        _ if mono == Symbol::ONE => Vec::new(),
        _ => vec![(mono, Number::ONE)],
    }
}

/// A term with its sine or cosine as a factor.
pub(crate) fn term(key: CoefficientFactor, coefficient: Number) -> Term {
    let mut factors = factors(key.mono);
    match key.trig {
        Trig::One => {}
        Trig::Cos(x) => times(&mut factors, x.cos(), Number::ONE),
        Trig::Sin(x) => times(&mut factors, x.sin(), Number::ONE),
    }
    (coefficient, factors)
}

/// Multiplies a power into a list of factors.
pub(crate) fn times(factors: &mut Vec<(Symbol, Number)>, base: Symbol, exponent: Number) {
    match factors.iter_mut().find(|(b, _)| *b == base) {
        Some(factor) => factor.1 = factor.1 + exponent,
        None => factors.push((base, exponent)),
    }
    factors.retain(|(_, exponent)| !exponent.is_zero());
}

/// A sum that is zero if it consists of rounding errors only.
fn near_sum(a: Number, b: Number) -> Number {
    let sum = a + b;
    let size = a.value().abs().max(b.value().abs());
    if matches!(sum, Number::Float(x) if x.abs() < 1e-13 * size) {
        Number::ZERO
    } else {
        sum
    }
}

/// Half an angle, if its coefficients stay integers.
fn half(angle: Symbol) -> Option<Symbol> {
    let whole = match &*angle.node() {
        Node::Number(_) => angle.is_zero(),
        Node::Sum(terms, constant) => {
            let even = |c: &Number| c.as_whole().is_some_and(|n| n % 2 == 0);
            constant.is_zero() && terms.iter().all(|(_, c)| even(c))
        }
        _ => false,
    };
    whole.then(|| Symbol::sum([(angle, Number::ratio(1, 2))], Number::ZERO))
}

/// The terms grouped by the factor of their sines and cosines.
fn groups(poly: &Poly) -> BTreeMap<Symbol, Vec<(Trig, Number)>> {
    let mut groups: BTreeMap<Symbol, Vec<(Trig, Number)>> = BTreeMap::new();
    for (key, c) in &poly.terms {
        groups.entry(key.mono).or_default().push((key.trig, *c));
    }
    groups
}

/// Terms with squares and products of sines and cosines: K + c cos 2a and c cos a ± c cos b.
pub(crate) fn paired(poly: &Poly) -> Vec<Term> {
    let mut result = Vec::new();
    for (mono, group) in groups(poly) {
        let mut constant = Number::ZERO;
        let mut rest: Vec<(Trig, Number)> = Vec::new();
        for (trig, c) in group {
            match trig {
                Trig::One => constant = c,
                _ => rest.push((trig, c)),
            }
        }
        let mut push = |c: Number, trigs: &[(bool, Symbol)]| {
            let mut front = c;
            let mut list = factors(mono);
            for (sine, angle) in trigs {
                let (trig, sign) = trig(*sine, *angle);
                front = front * sign;
                match trig {
                    Trig::One => {}
                    Trig::Cos(x) => times(&mut list, x.cos(), Number::ONE),
                    Trig::Sin(x) => times(&mut list, x.sin(), Number::ONE),
                }
            }
            if !front.is_zero() {
                result.push((front, list));
            }
        };
        // K + c cos 2a = (K − c) + 2c cos² a = (K + c) − 2c sin² a, whichever has the smaller constant
        rest.retain(|(trig, c)| {
            let Trig::Cos(angle) = trig else { return true };
            let Some(a) = half(*angle) else { return true };
            if constant.is_zero() || c.value().abs() > constant.value().abs() {
                return true;
            }
            let two = Number::whole(2) * *c;
            if c.is_negative() == constant.is_negative() {
                constant = near_sum(constant, -*c);
                push(two, &[(false, a), (false, a)]);
            } else {
                constant = near_sum(constant, *c);
                push(-two, &[(true, a), (true, a)]);
            }
            false
        });
        push(constant, &[]);
        while let Some((first, c)) = rest.pop() {
            let partner = if rest.len() > MOST_PAIRED {
                None
            } else {
                rest.iter().enumerate().find_map(|(at, (second, d))| {
                    let pair = product_of(first, *second, c == *d)?;
                    (c == *d || c == -*d).then_some((at, pair))
                })
            };
            if let Some((at, (by, trigs))) = partner {
                let _ = rest.remove(at);
                push(c * by, &trigs);
            } else {
                match first {
                    Trig::One => push(c, &[]),
                    Trig::Cos(x) => push(c, &[(false, x)]),
                    Trig::Sin(x) => push(c, &[(true, x)]),
                }
            }
        }
    }
    result
}

/// The sum (or the difference) of two sines or cosines as a product.
fn product_of(first: Trig, second: Trig, plus: bool) -> Option<(Number, [(bool, Symbol); 2])> {
    let two = Number::whole(2);
    let halves = |a: Symbol, b: Symbol| Some((half(a + b)?, half(a - b)?));
    match (first, second) {
        (Trig::Cos(a), Trig::Cos(b)) => {
            let (p, m) = halves(a, b)?;
            Some(if plus {
                (two, [(false, p), (false, m)])
            } else {
                (-two, [(true, p), (true, m)])
            })
        }
        (Trig::Sin(a), Trig::Sin(b)) => {
            let (p, m) = halves(a, b)?;
            Some(if plus {
                (two, [(true, p), (false, m)])
            } else {
                (two, [(false, p), (true, m)])
            })
        }
        _ => None,
    }
}

/// The terms with sines and cosines of single angles: sin(a + 2b) becomes products of powers, with sin² = 1 − cos². `None` if that would be long.
pub(crate) fn single_angles(poly: &Poly) -> Option<Vec<Term>> {
    let mut sums: BTreeMap<Vec<(Symbol, Number)>, Number> = BTreeMap::new();
    let mut angles: Vec<Symbol> = Vec::new();
    if poly.terms.len() > MOST_SINGLE {
        return None;
    }
    for (key, c) in &poly.terms {
        let (sine, angle) = match key.trig {
            Trig::One => (false, Symbol::ZERO),
            Trig::Cos(angle) => (false, angle),
            Trig::Sin(angle) => (true, angle),
        };
        let parts = single_parts(angle)?;
        for (x, _) in &parts {
            if !angles.contains(x) {
                angles.push(*x);
            }
        }
        // cosine and sine of the partial angle, as sums of products
        let (mut cos, mut sin) = (vec![(Number::ONE, Vec::new())], Vec::new());
        for (x, times) in parts {
            let negative = times < 0;
            for _ in 0..times.abs() {
                let (next_cos, next_sin) = turned(&cos, &sin, x, negative);
                (cos, sin) = (next_cos, next_sin);
            }
        }
        for (d, list) in if sine { sin } else { cos } {
            let mut all = factors(key.mono);
            for (base, e) in list {
                times(&mut all, base, e);
            }
            all.sort_by_key(|(base, _)| *base);
            let entry = sums.entry(all).or_insert(Number::ZERO);
            *entry = near_sum(*entry, *c * d);
        }
    }
    sums.retain(|_, c| !c.is_zero());
    for x in angles {
        squares_of_sines(&mut sums, x);
    }
    Some(sums.into_iter().map(|(list, c)| (c, list)).collect())
}

/// An angle as a small number of small integer multiples of others.
fn single_parts(angle: Symbol) -> Option<Vec<(Symbol, i64)>> {
    let parts = match &*angle.node() {
        Node::Number(_) if angle.is_zero() => Vec::new(),
        Node::Sum(terms, constant) if constant.is_zero() => {
            let whole = terms.iter().map(|(x, c)| Some((*x, c.as_whole()?)));
            whole.collect::<Option<Vec<_>>>()?
        }
        _ => vec![(angle, 1)],
    };
    let small = parts.len() <= 3 && parts.iter().all(|(_, n)| n.abs() <= 4);
    small.then_some(parts)
}

/// Cosine and sine of a + x (or a − x) from those of a.
fn turned(cos: &[Term], sin: &[Term], x: Symbol, negative: bool) -> (Vec<Term>, Vec<Term>) {
    let (s, c) = x.sin_cos();
    let sign = if negative {
        Number::MINUS_ONE
    } else {
        Number::ONE
    };
    let mut next = (BTreeMap::new(), BTreeMap::new());
    let add = |sum: &mut BTreeMap<Vec<(Symbol, Number)>, Number>,
               list: &[Term],
               by: Symbol,
               sign: Number| {
        for (d, old) in list {
            let mut product = old.clone();
            times(&mut product, by, Number::ONE);
            product.sort_by_key(|(base, _)| *base);
            // sin² = 1 − cos²
            let squared = product
                .iter()
                .position(|(b, e)| *b == s && *e == Number::whole(2));
            let mut parts = vec![(*d * sign, product)];
            if let Some(at) = squared {
                let (d, mut product) = parts.remove(0);
                let _ = product.remove(at);
                parts.push((d, product.clone()));
                times(&mut product, c, Number::whole(2));
                product.sort_by_key(|(base, _)| *base);
                parts.push((-d, product));
            }
            for (d, product) in parts {
                let entry = sum.entry(product).or_insert(Number::ZERO);
                *entry = *entry + d;
            }
        }
    };
    add(&mut next.0, cos, c, Number::ONE);
    add(&mut next.0, sin, s, -sign);
    add(&mut next.1, sin, c, Number::ONE);
    add(&mut next.1, cos, s, sign);
    let list = |sum: BTreeMap<Vec<(Symbol, Number)>, Number>| {
        let terms = sum.into_iter().filter(|(_, d)| !d.is_zero());
        terms.map(|(product, d)| (d, product)).collect()
    };
    (list(next.0), list(next.1))
}

/// Rewrites a − a cos² x as a sin² x.
fn squares_of_sines(sums: &mut BTreeMap<Vec<(Symbol, Number)>, Number>, x: Symbol) {
    let (sin, cos) = x.sin_cos();
    let with: Vec<(Vec<(Symbol, Number)>, Number)> =
        sums.iter().map(|(l, c)| (l.clone(), *c)).collect();
    for (list, c) in with {
        let power = list
            .iter()
            .find(|(base, _)| *base == cos)
            .and_then(|(_, e)| e.as_whole());
        if power.is_none_or(|n| n < 2) {
            continue;
        }
        let mut rest = list.clone();
        times(&mut rest, cos, Number::whole(-2));
        rest.sort_by_key(|(base, _)| *base);
        if sums.get(&rest) == Some(&-c) && sums.contains_key(&list) {
            let _ = (sums.remove(&list), sums.remove(&rest));
            times(&mut rest, sin, Number::whole(2));
            rest.sort_by_key(|(base, _)| *base);
            let entry = sums.entry(rest).or_insert(Number::ZERO);
            *entry = *entry - c;
        }
    }
}

/// Divides by the sines and cosines in denominators as far as possible.
pub(crate) fn cancelled(poly: &Poly) -> Poly {
    let mut todo: Vec<(Symbol, Vec<(Trig, Number)>)> = groups(poly).into_iter().collect();
    let mut sum = Collector::default();
    while let Some((mono, group)) = todo.pop() {
        let divisor = factors(mono).into_iter().find_map(|(base, e)| {
            let below = e.as_whole().is_some_and(|n| n < 0);
            match *base.node() {
                Node::Function(Function::Cos, x) if below => Some((base, false, x)),
                Node::Function(Function::Sin, x) if below => Some((base, true, x)),
                _ => None,
            }
        });
        let divided = divisor.and_then(|(base, sine, x)| {
            let (quotient, rest) = divide(&group, sine, x)?;
            Some((mono * base, quotient, rest))
        });
        match divided {
            Some((less, quotient, rest)) => {
                let (front, less) = less.split();
                todo.push((
                    less,
                    quotient.into_iter().map(|(t, c)| (t, c * front)).collect(),
                ));
                for (trig, c) in rest {
                    sum.add(CoefficientFactor { mono, trig }, c);
                }
            }
            None => {
                for (trig, c) in group {
                    sum.add(CoefficientFactor { mono, trig }, c);
                }
            }
        }
    }
    sum.finish()
}

type Sums = Vec<(Trig, Number)>;

/// Quotient and remainder of a sum of sines and cosines divided by cos x or sin x; `None` if the result is not shorter.
///
/// ```text
/// cos A =  2 cos x cos(A−x) − cos(A−2x)      sin A = 2 cos x sin(A−x) − sin(A−2x)
/// cos A = −2 sin x sin(A−x) + cos(A−2x)      sin A = 2 sin x cos(A−x) + sin(A−2x)
/// ```
fn divide(group: &[(Trig, Number)], by_sine: bool, x: Symbol) -> Option<(Sums, Sums)> {
    let mut dividend: QuickMap<Trig, Number> = group.iter().copied().collect();
    let mut quotient = Collector::default();
    let mut rest = Vec::new();
    let at = |trig: Trig| CoefficientFactor {
        mono: Symbol::ONE,
        trig,
    };
    loop {
        let mut open: Vec<(i64, Trig, Number)> = dividend
            .iter()
            .filter(|(_, c)| !c.is_zero())
            .map(|(t, c)| (multiple(*t, x), *t, *c))
            .collect();
        open.sort_by_key(|(k, t, _)| (-k.abs(), *t));
        let Some(&(k, first, c)) = open.first() else {
            break;
        };
        let _ = dividend.remove(&first);
        let (angle, sine) = match first {
            Trig::Cos(angle) => (angle, false),
            Trig::Sin(angle) => (angle, true),
            Trig::One => (Symbol::ZERO, false),
        };
        // the angle with a positive multiple of x
        let (angle, c) = match (k < 0, sine) {
            (true, true) => (-angle, -c),
            (true, false) => (-angle, c),
            (false, _) => (angle, c),
        };
        let two = Number::whole(2) * c;
        let lone = angle - x;
        let exact = k.abs() == 1 && lone.is_zero() && sine == by_sine;
        if exact {
            quotient.add(at(Trig::One), c);
            continue;
        }
        let back = trig(sine, lone - x);
        let back_has = dividend.get(&back.0).copied().unwrap_or(Number::ZERO);
        // with x once, the other part of the pair must be present
        let back_sign = if by_sine {
            Number::ONE
        } else {
            Number::MINUS_ONE
        };
        let paired = !lone.is_zero() && back_has == -(c * back_sign * back.1);
        if k.abs() >= 2 || (k.abs() == 1 && paired) {
            let (trig, sign) = trig(sine != by_sine, lone);
            let sign = if by_sine && !sine { -sign } else { sign };
            quotient.add(at(trig), two * sign);
            let entry = dividend.entry(back.0).or_insert(Number::ZERO);
            *entry = *entry + c * back_sign * back.1;
        } else {
            rest.push((first, if k < 0 && sine { -c } else { c }));
        }
    }
    let quotient: Sums = quotient
        .finish()
        .terms
        .into_iter()
        .map(|(key, c)| (key.trig, c))
        .collect();
    (rest.len() < group.len() && !quotient.is_empty()).then_some((quotient, rest))
}

/// The integer multiple of x in an angle.
fn multiple(trig: Trig, x: Symbol) -> i64 {
    let (Trig::Cos(angle) | Trig::Sin(angle)) = trig else {
        return 0;
    };
    if angle == x {
        return 1;
    }
    match &*angle.node() {
        Node::Sum(terms, _) => terms
            .iter()
            .find(|(s, _)| *s == x)
            .and_then(|(_, c)| c.as_whole())
            .unwrap_or(0),
        _ => 0,
    }
}
