//! Order conditions of Runge-Kutta methods by rooted trees (J. C. Butcher). A method has order p if for every tree τ of
//! up to p nodes `Σ b_i Φ_i(τ) = 1/γ(τ)`, where for τ = [τ₁ … τ_m]
//!
//! ```text
//! Φ_i(τ) = Π_m Σ_j a_ij Φ_j(τ_m)      γ(τ) = |τ| Π_m γ(τ_m)
//! ```

/// A rooted tree, evaluated for a tableau.
struct RootedTree {
    nodes: u32,
    gamma: f64,
    phi: Vec<f64>,
}

/// Returns the trees of up to `most` nodes, each multiset of branches once.
fn trees(a: &[&[f64]], most: u32) -> Vec<RootedTree> {
    let root = RootedTree {
        nodes: 1,
        gamma: 1.0,
        phi: vec![1.0; a.len()],
    };
    let mut found = vec![root];
    for nodes in 2..=most {
        let smaller = found.len();
        let mut made = Vec::new();
        grow(a, &found, smaller, nodes - 1, &mut Vec::new(), &mut made);
        found.extend(made);
    }
    found
}

/// Adds to `made` all trees whose branches are `chosen` and others up to tree number `below`, with `left` nodes in total.
fn grow(
    a: &[&[f64]],
    found: &[RootedTree],
    below: usize,
    left: u32,
    chosen: &mut Vec<usize>,
    made: &mut Vec<RootedTree>,
) {
    if left == 0 {
        let branches = || chosen.iter().map(|b| &found[*b]);
        let nodes = 1 + branches().map(|b| b.nodes).sum::<u32>();
        let row =
            |i: usize, b: &RootedTree| a[i].iter().zip(&b.phi).map(|(a, p)| a * p).sum::<f64>();
        made.push(RootedTree {
            nodes,
            gamma: f64::from(nodes) * branches().map(|b| b.gamma).product::<f64>(),
            phi: (0..a.len())
                .map(|i| branches().map(|b| row(i, b)).product())
                .collect(),
        });
        return;
    }
    for branch in 0..below {
        if found[branch].nodes <= left {
            chosen.push(branch);
            grow(
                a,
                found,
                branch + 1,
                left - found[branch].nodes,
                chosen,
                made,
            );
            let _ = chosen.pop();
        }
    }
}

/// Returns the largest residual `Σ b_i Φ_i − θ^|τ|/γ` over the trees of each number of nodes, up to `most`, for the value of the method at the
/// fraction θ of the step.
pub(super) fn residuals(a: &[&[f64]], b: &[f64], theta: f64, most: u32) -> Vec<f64> {
    let mut worst = vec![0.0_f64; most as usize];
    for tree in trees(a, most) {
        let weight: f64 = b.iter().zip(&tree.phi).map(|(b, p)| b * p).sum();
        let residual = weight - theta.powi(tree.nodes as i32) / tree.gamma;
        let slot = &mut worst[tree.nodes as usize - 1];
        *slot = slot.max(residual.abs());
    }
    worst
}

/// Returns the order of a tableau; residuals below `rounding` are treated as zero. Orders above 9 are not checked.
pub(super) fn order_of(a: &[&[f64]], b: &[f64], rounding: f64) -> usize {
    let residuals = residuals(a, b, 1.0, 9);
    let order = residuals.iter().position(|r| *r > rounding);
    order.unwrap_or(residuals.len())
}

#[test]
fn there_are_as_many_trees_as_known() {
    let trees = trees(&[&[]], 8);
    let count = |nodes| trees.iter().filter(|t| t.nodes == nodes).count();
    assert_eq!(
        [1, 2, 3, 4, 5, 6, 7, 8].map(count),
        [1, 1, 2, 4, 9, 20, 48, 115]
    );
}
