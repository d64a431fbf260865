//! Checks against dense factorisations.

use super::*;
use crate::math::Random;
use nalgebra::{DMatrix, DVector};

struct Case {
    mass: SymmetricPattern,
    mass_values: Vec<f64>,
    rows: RowPattern,
    row_values: Vec<f64>,
    groups: Vec<usize>,
    n: usize,
}

/// A chain of bodies with three coordinates, two rows per joint, and `repeated` copies of earlier rows.
fn chain(bodies: usize, repeated: usize, seed: u64) -> Case {
    let mut random = Random::new(seed);
    let n = 3 * bodies;
    let mass = SymmetricPattern {
        entries: (0..bodies)
            .flat_map(|b| (0..3).flat_map(move |i| (0..=i).map(move |j| (3 * b + i, 3 * b + j))))
            .collect(),
    };
    let mass_values = mass
        .entries
        .iter()
        .map(|(i, j)| {
            if i == j {
                3.0 + random.symmetric(1.0)
            } else {
                random.symmetric(0.5)
            }
        })
        .collect();
    let (mut rows, mut values, mut groups) = (RowPattern::new(), Vec::new(), Vec::new());
    for joint in 0..bodies {
        for _ in 0..2 {
            let first = 3 * joint.saturating_sub(1);
            rows.push(first..3 * joint + 3);
            values.extend((first..3 * joint + 3).map(|_| random.symmetric(1.0)));
            groups.push(joint);
        }
    }
    for copy in 0..repeated {
        let source = rows.range(copy);
        let columns: Vec<usize> = rows.columns[source.clone()].to_vec();
        let copied: Vec<f64> = values[source].iter().map(|v| -2.0 * v).collect();
        rows.push(columns);
        values.extend(copied);
        groups.push(bodies);
    }
    Case {
        mass,
        mass_values,
        rows,
        row_values: values,
        groups,
        n,
    }
}

fn dense(case: &Case, drop: &[usize]) -> DMatrix<f64> {
    let m = case.rows.num_rows();
    let mut k = DMatrix::zeros(case.n + m, case.n + m);
    for (&(i, j), v) in case.mass.entries.iter().zip(&case.mass_values) {
        k[(i, j)] = *v;
        k[(j, i)] = *v;
    }
    for i in 0..m {
        if drop.contains(&i) {
            k[(case.n + i, case.n + i)] = 1.0;
            continue;
        }
        for e in case.rows.range(i) {
            let c = case.rows.columns[e];
            k[(case.n + i, c)] = case.row_values[e];
            k[(c, case.n + i)] = case.row_values[e];
        }
    }
    k
}

#[test]
fn solution_matches_a_dense_factorisation_in_both_orders() {
    for order in [RowOrder::Given, RowOrder::LeastFill] {
        for seed in 0..20 {
            let case = chain(7, 0, seed);
            let m = case.rows.num_rows();
            let mut random = Random::new(100 + seed);
            let right = DVector::from_fn(case.n + m, |_, _| random.symmetric(1.0));
            let expected = dense(&case, &[]).lu().solve(&right).unwrap();
            let mut kkt = Kkt::new(case.n, &case.mass, &case.rows, &case.groups, order);
            kkt.factor(&case.mass_values, &case.row_values);
            assert_eq!(kkt.num_dependent(), 0);
            let mut f = right.as_slice()[..case.n].to_vec();
            let mut g = right.as_slice()[case.n..].to_vec();
            kkt.solve(&case.mass_values, &case.row_values, &mut f, &mut g);
            f.extend(g);
            assert!((DVector::from_vec(f) - &expected).norm() < 1e-10 * expected.norm());
        }
    }
}

#[test]
fn an_unsymmetric_block_is_solved_as_a_dense_factorisation_solves_it_in_both_orders() {
    for order in [RowOrder::Given, RowOrder::LeastFill] {
        for seed in 0..20 {
            let case = chain(7, 0, seed);
            let m = case.rows.num_rows();
            let mut random = Random::new(200 + seed);
            let skew: Vec<f64> = (case.mass.entries.iter())
                .map(|(i, j)| if i == j { 0.0 } else { random.symmetric(30.0) })
                .collect();
            let mut matrix = dense(&case, &[]);
            for (&(i, j), a) in case.mass.entries.iter().zip(&skew) {
                matrix[(i, j)] += a;
                matrix[(j, i)] -= a;
            }
            let right = DVector::from_fn(case.n + m, |_, _| random.symmetric(1.0));
            let expected = matrix.lu().solve(&right).unwrap();
            let mut kkt =
                Kkt::new(case.n, &case.mass, &case.rows, &case.groups, order).with_unsymmetric();
            // consecutively, in the same buffers
            kkt.factor(&case.mass_values, &case.row_values);
            for _ in 0..2 {
                kkt.factor_unsymmetric(&case.mass_values, &skew, &case.row_values);
                assert_eq!(kkt.num_dependent(), 0);
                let mut f = right.as_slice()[..case.n].to_vec();
                let mut g = right.as_slice()[case.n..].to_vec();
                kkt.solve_once(&mut f, &mut g);
                f.extend(g);
                assert!((DVector::from_vec(f) - &expected).norm() < 1e-9 * expected.norm());
            }
        }
    }
}

#[test]
fn repeated_rows_are_left_out_of_an_unsymmetric_factorisation() {
    for seed in 0..20 {
        let case = chain(5, 2, seed);
        let m = case.rows.num_rows();
        let mut random = Random::new(seed);
        let skew: Vec<f64> = (case.mass.entries.iter())
            .map(|(i, j)| if i == j { 0.0 } else { random.symmetric(1.0) })
            .collect();
        let (mass, rows, groups) = (&case.mass, &case.rows, &case.groups);
        let mut kkt = Kkt::new(case.n, mass, rows, groups, RowOrder::Given).with_unsymmetric();
        kkt.factor_unsymmetric(&case.mass_values, &skew, &case.row_values);
        assert_eq!(kkt.num_dependent(), 2);
        assert!(kkt.is_dependent(m - 1) && kkt.is_dependent(m - 2));
    }
}

#[test]
fn repeated_rows_are_found_identified_and_left_out() {
    for seed in 0..20 {
        let case = chain(5, 2, seed);
        let m = case.rows.num_rows();
        let mut kkt = Kkt::new(
            case.n,
            &case.mass,
            &case.rows,
            &case.groups,
            RowOrder::Given,
        );
        kkt.factor(&case.mass_values, &case.row_values);
        assert_eq!(kkt.num_dependent(), 2);
        assert!(kkt.is_dependent(m - 1) && kkt.is_dependent(m - 2));
        // the first repeated row is −2 times row 0, without other contributions
        let mut factors = vec![0.0; m - 2];
        kkt.combination(m - 2, &mut factors);
        for (row, factor) in factors.into_iter().enumerate() {
            let expected = if row == 0 { -2.0 } else { 0.0 };
            assert!((factor - expected).abs() < 1e-9, "row {row}: {factor}");
        }
        // a consistent right-hand side is satisfied by all rows, including the skipped ones
        let mut random = Random::new(7 + seed);
        let a: Vec<f64> = (0..case.n).map(|_| random.symmetric(1.0)).collect();
        let mut g: Vec<f64> = (0..m)
            .map(|i| case.rows.row_times(i, &case.row_values, &a))
            .collect();
        let mut f: Vec<f64> = (0..case.n).map(|_| random.symmetric(1.0)).collect();
        let wanted = g.clone();
        kkt.solve(&case.mass_values, &case.row_values, &mut f, &mut g);
        for i in 0..m {
            let met = case.rows.row_times(i, &case.row_values, &f);
            assert!((met - wanted[i]).abs() < 1e-10);
        }
        assert_eq!(g[m - 1], 0.0);
    }
}

#[test]
fn minimum_fill_in_of_a_chain_does_not_depend_on_the_order_of_its_rows() {
    let case = chain(60, 0, 3);
    let m = case.rows.num_rows();
    // shuffled rows: the given order causes fill-in, the minimum-degree order does not
    let mut random = Random::new(5);
    let mut order: Vec<usize> = (0..m / 2).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i + 1));
    }
    let (mut rows, mut groups) = (RowPattern::new(), Vec::new());
    for &joint in &order {
        for row in [2 * joint, 2 * joint + 1] {
            rows.push(case.rows.columns[case.rows.range(row)].to_vec());
            groups.push(joint);
        }
    }
    let entries = |order| {
        Kkt::new(case.n, &case.mass, &rows, &groups, order)
            .l_values
            .len()
    };
    let straight = Kkt::new(
        case.n,
        &case.mass,
        &case.rows,
        &case.groups,
        RowOrder::Given,
    );
    assert!(entries(RowOrder::LeastFill) <= straight.l_values.len());
    assert!(entries(RowOrder::Given) > straight.l_values.len());
}

#[test]
fn a_row_that_was_far_too_long_in_a_rejected_step_is_not_left_out_for_ever() {
    let case = chain(3, 0, 5);
    let mut kkt = Kkt::new(
        case.n,
        &case.mass,
        &case.rows,
        &case.groups,
        RowOrder::LeastFill,
    );
    kkt.factor(&case.mass_values, &case.row_values);
    let wild: Vec<f64> = case.row_values.iter().map(|x| 1e9 * x).collect();
    for _ in 0..20 {
        kkt.factor(&case.mass_values, &wild);
    }
    kkt.factor(&case.mass_values, &case.row_values);
    assert_eq!(kkt.num_dependent(), 0);
    // a row that vanishes is dependent
    let mut gone = case.row_values.clone();
    for e in case.rows.range(2) {
        gone[e] *= 1e-9;
    }
    kkt.factor(&case.mass_values, &gone);
    assert!(kkt.is_dependent(2) && kkt.num_dependent() == 1);
}
