//! Elimination orders for saddle-point systems.

use std::collections::BTreeSet;

use super::sparse::{RowPattern, SymmetricPattern};

/// Entries of the mass matrix a coordinate beyond which coordinates are those of a tree, each coupled with all on its path.
const COUPLED: usize = 4;

/// A minimum-degree order of all unknowns, velocities `0..n` and then rows, in which every row comes after the velocities it
/// touches. Returns the unknowns in order of elimination.
///
/// Velocities that the same groups of rows touch are ordered together, and so are rows of one group (those of a joint), which keeps
/// the graph small and its nodes dense.
pub(crate) fn least_fill(
    num_velocities: usize,
    mass: &SymmetricPattern,
    rows: &RowPattern,
    row_groups: &[usize],
) -> Vec<usize> {
    if mass.entries.len() > COUPLED * num_velocities {
        // joint coordinates: the mass matrix of a tree does not fill when coordinates far from the ground go first
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
    // neighbours in a row are touched by the same groups: one node of the graph
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

    let mut graph = vec![BTreeSet::new(); members.len()];
    let mut waits_for = vec![0; members.len()];
    let mut connect = |a: usize, b: usize| {
        a != b && {
            let _ = graph[b].insert(a);
            graph[a].insert(b)
        }
    };
    for &(i, j) in &mass.entries {
        let _ = connect(node_of[i], node_of[j]);
    }
    for v in 0..num_velocities {
        for &group in &touching[v] {
            if connect(node_of[v], num_primal + group) {
                waits_for[num_primal + group] += 1;
            }
        }
    }

    let degree = |neighbours: &BTreeSet<usize>| -> usize {
        neighbours.iter().map(|g| members[*g].len()).sum()
    };
    let is_row = |node: usize| node >= num_primal;
    // rows that wait for velocities are not in the queue yet
    let mut queue: BTreeSet<(usize, usize)> = (0..members.len())
        .filter(|node| waits_for[*node] == 0)
        .map(|node| (degree(&graph[node]), node))
        .collect();
    let mut released = vec![false; members.len()];
    let original: Vec<Vec<usize>> = (0..num_primal)
        .map(|node| graph[node].iter().copied().filter(|n| is_row(*n)).collect())
        .collect();
    let mut order = Vec::with_capacity(num_velocities + row_groups.len());
    while let Some((_, node)) = queue.pop_first() {
        order.extend(&members[node]);
        let clique: Vec<usize> = std::mem::take(&mut graph[node]).into_iter().collect();
        if !is_row(node) {
            for &row in &original[node] {
                waits_for[row] -= 1;
                released[row] = waits_for[row] == 0;
            }
        }
        for &a in &clique {
            let queued = queue.remove(&(degree(&graph[a]), a));
            let _ = graph[a].remove(&node);
            for &b in &clique {
                if a != b {
                    let _ = graph[a].insert(b);
                }
            }
            if queued || std::mem::take(&mut released[a]) {
                let _ = queue.insert((degree(&graph[a]), a));
            }
        }
    }
    order
}
