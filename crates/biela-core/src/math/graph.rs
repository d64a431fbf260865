//! Graph algorithms.

/// Returns which edges of a graph lie in cycles: all except its bridges (R. E. Tarjan, *A note on finding the bridges of a graph*, 1974).
pub(crate) fn in_cycles(nodes: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for (e, (a, b)) in edges.iter().enumerate() {
        at[*a].push(e);
        at[*b].push(e);
    }
    let mut cyclic = vec![true; edges.len()];
    let (mut order, mut low) = (vec![usize::MAX; nodes], vec![0; nodes]);
    let mut count = 0;
    for root in 0..nodes {
        if order[root] != usize::MAX {
            continue;
        }
        // node, the edge that led to it, its next edge
        let mut path = vec![(root, usize::MAX, 0)];
        (order[root], low[root]) = (count, count);
        count += 1;
        while let Some((node, came, next)) = path.pop() {
            if let Some(&edge) = at[node].get(next) {
                path.push((node, came, next + 1));
                let (a, b) = edges[edge];
                let other = if a == node { b } else { a };
                if edge == came {
                    continue;
                }
                if order[other] == usize::MAX {
                    (order[other], low[other]) = (count, count);
                    count += 1;
                    path.push((other, edge, 0));
                } else {
                    low[node] = low[node].min(order[other]);
                }
            } else if let Some(&(parent, ..)) = path.last() {
                low[parent] = low[parent].min(low[node]);
                if low[node] > order[parent] {
                    cyclic[came] = false;
                }
            }
        }
    }
    cyclic
}

#[cfg(test)]
mod tests {
    use super::in_cycles;

    #[test]
    fn bridges_are_not_part_of_cycles() {
        // a triangle, a bridge, two nodes joined twice, and a leaf
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (4, 5)];
        let expected = [true, true, true, false, true, true, false];
        assert_eq!(in_cycles(7, &edges), expected);
    }
}
