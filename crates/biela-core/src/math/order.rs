//! Elimination orders for saddle-point systems.

use std::collections::BTreeSet;

use super::sparse::{RowPattern, SymmetricPattern};

/// Entries of the mass matrix per coordinate above which joint coordinates are assumed, each coupled with all on its path.
const COUPLED: usize = 4;

/// Returns a minimum-degree order of all unknowns, velocities `0..n` and then rows, in which every row comes after its
/// velocities: the unknowns in order of elimination.
///
/// Velocities involved in the same groups of rows are ordered together, and so are rows of one group (those of a joint), which keeps
/// the graph small and its nodes dense.
pub(crate) fn least_fill(
    num_velocities: usize,
    mass: &SymmetricPattern,
    rows: &RowPattern,
    row_groups: &[usize],
) -> Vec<usize> {
    if mass.entries.len() > COUPLED * num_velocities {
        // joint coordinates: the mass matrix of a tree has no fill-in if coordinates far from the ground are eliminated first
        let velocities = (0..num_velocities).rev();
        return velocities
            .chain(num_velocities..num_velocities + row_groups.len())
            .collect();
    }
    let num_row_groups = row_groups.iter().max().map_or(0, |g| g + 1);
    let mut touching: Vec<Vec<usize>> = vec![Vec::new(); num_velocities];
    for (row, &group) in row_groups.iter().enumerate() {
        for k in rows.range(row) {
            let list = &mut touching[rows.columns[k]];
            if list.last() != Some(&group) {
                list.push(group);
            }
        }
    }
    // consecutive velocities involved in the same groups: one node of the graph
    let mut members: Vec<Vec<usize>> = Vec::new();
    let mut node_of = vec![0; num_velocities];
    for v in 0..num_velocities {
        if v == 0 || touching[v] != touching[v - 1] || touching[v].is_empty() {
            members.push(Vec::new());
        }
        node_of[v] = members.len() - 1;
        let last = members.len() - 1;
        members[last].push(v);
    }
    let num_primal = members.len();
    members.resize(num_primal + num_row_groups, Vec::new());
    for (row, &group) in row_groups.iter().enumerate() {
        members[num_primal + group].push(num_velocities + row);
    }

    let mut graph: Vec<Vec<usize>> = vec![Vec::new(); members.len()];
    let mut connect = |a: usize, b: usize| {
        graph[a].push(b);
        graph[b].push(a);
    };
    for &(i, j) in &mass.entries {
        if node_of[i] != node_of[j] {
            connect(node_of[i], node_of[j]);
        }
    }
    for v in 0..num_velocities {
        for &group in &touching[v] {
            connect(node_of[v], num_primal + group);
        }
    }
    for neighbours in &mut graph {
        neighbours.sort_unstable();
        neighbours.dedup();
    }

    let is_row = |node: usize| node >= num_primal;
    // a row waits for its velocities
    let mut waits_for: Vec<usize> = (0..members.len())
        .map(|node| {
            let velocities = graph[node].iter().filter(|other| !is_row(**other));
            if is_row(node) { velocities.count() } else { 0 }
        })
        .collect();
    let original: Vec<Vec<usize>> = (0..num_primal)
        .map(|node| graph[node].iter().copied().filter(|n| is_row(*n)).collect())
        .collect();
    let size = |nodes: &[usize]| -> usize { nodes.iter().map(|node| members[*node].len()).sum() };
    let mut degree: Vec<usize> = graph.iter().map(|neighbours| size(neighbours)).collect();
    // rows that wait for velocities are not in the queue yet
    let mut queue: BTreeSet<(usize, usize)> = (0..members.len())
        .filter(|node| waits_for[*node] == 0)
        .map(|node| (degree[node], node))
        .collect();
    let mut released = vec![false; members.len()];
    let mut order = Vec::with_capacity(num_velocities + row_groups.len());
    let (mut left, mut union) = (members.len(), Vec::new());
    while let Some((_, node)) = queue.pop_first() {
        order.extend(&members[node]);
        left -= 1;
        for &row in original.get(node).into_iter().flatten() {
            waits_for[row] -= 1;
            released[row] = waits_for[row] == 0;
        }
        let clique = std::mem::take(&mut graph[node]);
        // in a complete graph elimination adds no edges: the degree of a node is the size of all others
        let complete = clique.len() == left;
        for &a in &clique {
            let queued = queue.remove(&(degree[a], a));
            degree[a] = if complete {
                usize::MAX - members[a].len()
            } else {
                unite(&graph[a], &clique, &mut union);
                union.retain(|other| *other != node && *other != a);
                std::mem::swap(&mut graph[a], &mut union);
                size(&graph[a])
            };
            if queued || std::mem::take(&mut released[a]) {
                let _ = queue.insert((degree[a], a));
            }
        }
        if complete {
            finish(
                &mut queue,
                (&original, &members),
                &mut waits_for,
                &mut order,
            );
            break;
        }
    }
    order
}

/// Orders the nodes of a complete graph by their degrees, each row after its velocities.
fn finish(
    queue: &mut BTreeSet<(usize, usize)>,
    (original, members): (&[Vec<usize>], &[Vec<usize>]),
    waits_for: &mut [usize],
    order: &mut Vec<usize>,
) {
    while let Some((_, node)) = queue.pop_first() {
        order.extend(&members[node]);
        for &row in original.get(node).into_iter().flatten() {
            waits_for[row] -= 1;
            if waits_for[row] == 0 {
                let _ = queue.insert((usize::MAX - members[row].len(), row));
            }
        }
    }
}

/// The union of two sorted lists.
fn unite(a: &[usize], b: &[usize], out: &mut Vec<usize>) {
    out.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        out.push(a[i].min(b[j]));
        let (next_a, next_b) = (a[i] <= b[j], b[j] <= a[i]);
        i += usize::from(next_a);
        j += usize::from(next_b);
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
}
