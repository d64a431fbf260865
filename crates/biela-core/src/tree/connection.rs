//! The connection array of a tree of bodies (R. L. Huston, C. E. Passerello, M. W. Harlow, *Journal of Applied Mechanics* 45 (1978)
//! 889-894).
//!
//! Bodies are numbered from 1; 0 is the ground. L(k) < k is the lower (parent) body of k.
//!
//! ```text
//! L⁰(k) = k        Lⁿ(k) = L(Lⁿ⁻¹(k)),  L(0) = 0
//! ```
//!
//! Column k of the rows L⁰, L¹, … is the path from k to the ground.

/// A body whose lower body is itself or has a higher number, which is impossible in a tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NotATree {
    /// The body, numbered from 1.
    pub body: usize,
    /// Its given lower body.
    pub lower: usize,
}

impl std::fmt::Display for NotATree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the parent of body {} is body {}: a parent must have a lower number, or be the ground (0)",
            self.body, self.lower
        )
    }
}

crate::readable_errors!(NotATree);

fn check(lower: &[usize]) -> Result<(), NotATree> {
    let wrong = lower.iter().enumerate().find(|(i, lower)| **lower > *i);
    wrong.map_or(Ok(()), |(i, lower)| {
        Err(NotATree {
            body: i + 1,
            lower: *lower,
        })
    })
}

/// Returns the rows L⁰, L¹, … up to the first row of zeros after L⁰.
pub fn connection_array(lower: &[usize]) -> Result<Vec<Vec<usize>>, NotATree> {
    check(lower)?;
    let mut row: Vec<usize> = (1..=lower.len()).collect();
    let mut rows = vec![row.clone()];
    while row.iter().any(|k| *k != 0) {
        for k in &mut row {
            *k = k.checked_sub(1).map_or(0, |i| lower[i]);
        }
        rows.push(row.clone());
    }
    Ok(rows)
}

/// Returns the highest-numbered body of each branch, including the body itself. If bodies are numbered depth first, the bodies from k to this one
/// are the branch of k.
pub fn branch_ends(lower: &[usize]) -> Result<Vec<usize>, NotATree> {
    check(lower)?;
    let mut ends: Vec<usize> = (1..=lower.len()).collect();
    for i in (0..lower.len()).rev() {
        if let Some(j) = lower[i].checked_sub(1) {
            ends[j] = ends[j].max(ends[i]);
        }
    }
    Ok(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_the_connection_array_are_paths_to_the_ground() {
        // sample tree and table of H. A. A. Henrique, Escola Politécnica USP, 1993
        let rows = connection_array(&[0, 1, 1, 3, 1, 5, 6, 7, 6]).unwrap();
        let expected = [
            [1, 2, 3, 4, 5, 6, 7, 8, 9],
            [0, 1, 1, 3, 1, 5, 6, 7, 6],
            [0, 0, 0, 1, 0, 1, 5, 6, 5],
            [0, 0, 0, 0, 0, 0, 1, 5, 1],
            [0, 0, 0, 0, 0, 0, 0, 1, 0],
            [0, 0, 0, 0, 0, 0, 0, 0, 0],
        ];
        assert_eq!(rows, expected);
        assert_eq!(connection_array(&[]).unwrap(), [Vec::<usize>::new()]);
    }

    #[test]
    fn branches_end_at_their_highest_body() {
        let seated_man = [0, 1, 2, 3, 4, 3, 6, 3, 1, 9, 1, 11];
        let expected = [12, 8, 8, 5, 5, 7, 7, 8, 10, 10, 12, 12];
        assert_eq!(branch_ends(&seated_man).unwrap(), expected);
        assert_eq!(
            branch_ends(&[0, 1, 2, 3, 1, 5]).unwrap(),
            [6, 4, 4, 4, 6, 6]
        );
    }

    #[test]
    fn a_parent_with_a_higher_number_is_rejected() {
        let wrong = NotATree { body: 2, lower: 3 };
        assert_eq!(connection_array(&[0, 3, 2]), Err(wrong));
        assert_eq!(branch_ends(&[0, 3, 2]), Err(wrong));
        assert_eq!(connection_array(&[1]), Err(NotATree { body: 1, lower: 1 }));
        assert!(
            wrong
                .to_string()
                .starts_with("the parent of body 2 is body 3")
        );
    }
}
