//! Topological order of dependencies, and cycles.

/// An order in which everything follows its dependencies, and the cycles that cannot be ordered.
pub(super) struct Order {
    /// All items that are not in a cycle and do not depend on one.
    pub(super) order: Vec<usize>,
    /// The members of each cycle, each depending on the next and the last on the first.
    pub(super) circles: Vec<Vec<usize>>,
}

/// Orders `depends.len()` items; `depends[i]` lists the dependencies of item `i`.
pub(super) fn order(depends: &[Vec<usize>]) -> Order {
    let count = depends.len();
    let mut dependents = vec![Vec::new(); count];
    let mut open: Vec<usize> = depends.iter().map(Vec::len).collect();
    for (thing, needed) in depends.iter().enumerate() {
        for &other in needed {
            dependents[other].push(thing);
        }
    }
    let mut order: Vec<usize> = (0..count).filter(|&thing| open[thing] == 0).collect();
    let mut next = 0;
    while let Some(&thing) = order.get(next) {
        next += 1;
        for &dependent in &dependents[thing] {
            open[dependent] -= 1;
            if open[dependent] == 0 {
                order.push(dependent);
            }
        }
    }
    Order {
        circles: circles(depends, &open),
        order,
    }
}

/// Follows the dependencies of the remaining items until one repeats.
fn circles(depends: &[Vec<usize>], open: &[usize]) -> Vec<Vec<usize>> {
    let mut circles = Vec::new();
    let mut walk_of = vec![usize::MAX; depends.len()];
    for start in (0..depends.len()).filter(|&thing| open[thing] > 0) {
        let mut path = Vec::new();
        let mut at = start;
        while walk_of[at] == usize::MAX {
            walk_of[at] = start;
            path.push(at);
            let Some(&next) = depends[at].iter().find(|&&other| open[other] > 0) else {
                break;
            };
            at = next;
        }
        // A walk that ends in an earlier walk has found no new cycle.
        if walk_of[at] == start
            && let Some(first) = path.iter().position(|&thing| thing == at)
        {
            let circle = path.split_off(first);
            if depends[circle[circle.len() - 1]].contains(&circle[0]) {
                circles.push(circle);
            }
        }
    }
    circles
}

/// The maximum nesting depth of formulas.
const MOST_DEEP: usize = 64;
/// The maximum number of formulas evaluated for one value.
const MOST_EVALUATED: usize = 10_000;

/// The items whose evaluation is too expensive, given that dependencies are evaluated again for each use.
pub(super) fn too_heavy(depends: &[Vec<usize>], order: &[usize]) -> Vec<bool> {
    let mut depth = vec![0_usize; depends.len()];
    let mut count = vec![0_usize; depends.len()];
    for &thing in order {
        depth[thing] = 1 + depends[thing]
            .iter()
            .map(|&on| depth[on])
            .max()
            .unwrap_or(0);
        let needed = depends[thing].iter().map(|&on| count[on]);
        count[thing] = needed.fold(1, usize::saturating_add);
    }
    (0..depends.len())
        .map(|at| depth[at] > MOST_DEEP || count[at] > MOST_EVALUATED)
        .collect()
}

/// A cycle as text: `a`, then `b`, then `a` again.
pub(super) fn circle_text<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    const MOST: usize = 8;
    let names: Vec<&str> = names.into_iter().collect();
    let mut words: Vec<String> = names
        .iter()
        .take(MOST)
        .map(|name| format!("`{name}`"))
        .collect();
    if names.len() > MOST {
        words.push("…".to_owned());
    }
    words.extend(names.first().map(|name| format!("`{name}`")));
    words.join(" → ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_follows_its_dependencies() {
        let found = order(&[vec![1, 2], vec![2], vec![], vec![0]]);
        assert_eq!(found.order, [2, 1, 0, 3]);
        assert!(found.circles.is_empty());
    }

    #[test]
    fn cycles_are_found_without_the_nodes_that_depend_on_them() {
        // 0 → 1 → 2 → 1, 3 → 3, 4 → 3
        let found = order(&[vec![1], vec![2], vec![1], vec![3], vec![3]]);
        assert!(found.order.is_empty());
        assert_eq!(found.circles, [vec![1, 2], vec![3]]);
    }

    #[test]
    fn formulas_that_double_at_every_level_exceed_the_limit() {
        let depends: Vec<Vec<usize>> = (0..40_usize)
            .map(|i| (i.saturating_sub(2)..i).collect())
            .collect();
        let heavy = too_heavy(&depends, &order(&depends).order);
        assert!(!heavy[10] && heavy[39]);
    }

    #[test]
    fn a_very_long_chain_needs_no_deep_stack() {
        let depends: Vec<Vec<usize>> = (0..200_000).map(|i| vec![(i + 1) % 200_000]).collect();
        assert_eq!(order(&depends).circles.len(), 1);
    }
}
