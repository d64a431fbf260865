//! Tables of partial velocities for trees that are too large for explicit formulas.
//!
//! The formulas of one joint are short for any tree. With j the parent of link k,
//!
//! ```text
//! S_k = S_j A_k      O_k = O_j + S_j b_k      ω_kl = S_j e_l      V_kl = S_j u_l + ω_kl × (G − O_s)
//! ```
//!
//! for the speeds l of the joint of each link s on the path from a body to the ground; all others are zero. Kane's equations are assembled numerically in this
//! form (H. A. A. Henrique, Universidade de São Paulo, 1993).

use biela_core::math::{Mat3, Vec3};
use biela_core::tree::Link;
use biela_symbol::{Symbol, latex};

use super::SymbolicModel;
use super::report::{DerivationReport, Patience};

impl DerivationReport {
    /// Writes the transformations of single joints, and the table of those that form the partial velocities of each body.
    pub(super) fn tables(&mut self, named: &SymbolicModel<'_>, simplifier: &mut Patience) {
        let mechanism = &named.mechanism;
        let tree = &mechanism.tree;
        let carrier = |link: &Link<Symbol>| link.parent.map_or(0, |parent| parent + 1);
        self.heading("the equations are too long to print in full; they follow from these partial velocities");
        self.heading("links, j the parent of k: S[k] = S[j] A[k] rotates the ground axes into those of k, O[k] = O[j] + S[j] b[k] is its origin");
        let mut list = Vec::new();
        for (k, link) in tree.links.iter().enumerate() {
            let (number, joint) = (k + 1, joint_of(named, link));
            self.remark(&format!("{number}: by {joint} on {}", on(carrier(link))));
            let (pose, columns) = mechanism.relative(k);
            self.rows(
                &format!("A[{number}]"),
                &format!("A_{{{number}}}"),
                &pose.R,
                simplifier,
                &mut list,
            );
            self.column(
                &format!("b[{number}]"),
                &format!("b_{{{number}}}"),
                &pose.p,
                simplifier,
                &mut list,
            );
            for (column, speed) in columns.iter().zip(&mechanism.v[link.velocities()]) {
                let tex = latex(*speed);
                self.column(
                    &format!("e[{speed}]"),
                    &format!("e[{tex}]"),
                    &column.w,
                    simplifier,
                    &mut list,
                );
                self.column(
                    &format!("u[{speed}]"),
                    &format!("u[{tex}]"),
                    &column.v,
                    simplifier,
                    &mut list,
                );
            }
        }
        self.assignments(&list);

        self.heading("mass centres G = O[k] + S[k] c of bodies with mass");
        let mut list = Vec::new();
        let massive = |b: &usize| !mechanism.numbers.bodies[*b].0.is_zero();
        let bodies: Vec<usize> = (0..named.written.bodies.len()).filter(massive).collect();
        for &b in &bodies {
            let place = &tree.places[b];
            let name = &named.written.bodies[b].name;
            let number = place.link.map_or(0, |link| link + 1);
            self.remark(&format!("`{name}`: on {}", on(number)));
            let center = place.pose.point(&mechanism.numbers.bodies[b].1);
            self.column(
                &format!("c[{name}]"),
                &format!(r"c[\mathrm{{{name}}}]"),
                &center,
                simplifier,
                &mut list,
            );
        }
        self.assignments(&list);

        self.heading("partial angular velocities w = (entry) e[speed], per body and link whose joint has the speed; I: ground, .: zero");
        let on_path = |b: usize, s: usize| {
            let link = tree.places[b].link;
            link.is_some_and(|link| tree.path(link).any(|i| i == s))
        };
        let moving: Vec<usize> = (0..tree.links.len())
            .filter(|s| !tree.links[*s].velocities().is_empty())
            .collect();
        let entry = |b: usize, s: usize| match carrier(&tree.links[s]) {
            _ if !on_path(b, s) => ".".to_owned(),
            0 => "I".to_owned(),
            j => format!("S[{j}]"),
        };
        let head: Vec<String> = moving.iter().map(|s| (s + 1).to_string()).collect();
        let rows: Vec<(String, Vec<String>)> = bodies
            .iter()
            .map(|&b| {
                let name = named.written.bodies[b].name.clone();
                (name, moving.iter().map(|&s| entry(b, s)).collect())
            })
            .collect();
        self.table(&head, &rows);
        self.remark("partial velocities of the mass centres, nonzero entries: v = (entry) u[speed] + w x (G - O[k]), k the link of the column");
        self.remark("M = sum over bodies of m v^T v + w^T I w, with I in ground axes; F = sum of m g^T v for gravity");
        self.remark("h = sum of m v^T a + w^T (I alpha + omega x I omega), with a and alpha at constant generalized speeds");
    }

    /// Adds a line of text between formulas.
    fn remark(&mut self, words: &str) {
        let mark = if self.latex { "% " } else { "  " };
        self.line(&format!("{mark}{words}"));
    }

    fn column(
        &mut self,
        name: &str,
        tex: &str,
        vector: &Vec3<Symbol>,
        simplifier: &mut Patience,
        list: &mut Vec<(String, String, String)>,
    ) {
        let entries: Vec<Symbol> = vector.iter().map(|x| simplifier.simplify(*x)).collect();
        if entries.iter().any(|entry| !entry.is_zero()) {
            let texts: Vec<String> = entries.iter().map(|entry| self.formula(*entry)).collect();
            let value = if self.latex {
                format!(r"\begin{{pmatrix}} {} \end{{pmatrix}}", texts.join(r" \\ "))
            } else {
                format!("({})", texts.join(", "))
            };
            list.push((name.to_owned(), tex.to_owned(), value));
        }
    }

    fn rows(
        &mut self,
        name: &str,
        tex: &str,
        matrix: &Mat3<Symbol>,
        simplifier: &mut Patience,
        list: &mut Vec<(String, String, String)>,
    ) {
        let row = |page: &DerivationReport, i: usize, simplifier: &mut Patience| {
            let texts = (0..3).map(|j| page.formula(simplifier.simplify(matrix[(i, j)])));
            texts
                .collect::<Vec<_>>()
                .join(if page.latex { " & " } else { ", " })
        };
        let rows: Vec<String> = (0..3).map(|i| row(self, i, simplifier)).collect();
        let value = if self.latex {
            format!(r"\begin{{pmatrix}} {} \end{{pmatrix}}", rows.join(r" \\ "))
        } else {
            format!("({})", rows.join("; "))
        };
        list.push((name.to_owned(), tex.to_owned(), value));
    }

    fn assignments(&mut self, list: &[(String, String, String)]) {
        if list.is_empty() {
            return;
        }
        if self.latex {
            self.line(r"\begin{align*}");
            for (i, (_, name, value)) in list.iter().enumerate() {
                let end = if i + 1 < list.len() { r" \\" } else { "" };
                self.line(&format!("{name} &= {value}{end}"));
            }
            self.line(r"\end{align*}");
        } else {
            for (name, _, value) in list {
                self.line(&format!("  {name} = {value}"));
            }
        }
    }

    /// Adds a table with labelled rows.
    fn table(&mut self, head: &[String], rows: &[(String, Vec<String>)]) {
        if self.latex {
            self.line(&format!(r"\begin{{array}}{{l{}}}", "c".repeat(head.len())));
            self.line(&format!(r"& {} \\", head.join(" & ")));
            for (name, cells) in rows {
                let cells: Vec<String> = cells
                    .iter()
                    .map(|cell| {
                        cell.replace('[', "_{")
                            .replace(']', "}")
                            .replace('.', r"\cdot")
                    })
                    .collect();
                let name = name.replace('_', r"\_");
                self.line(&format!(r"\mathrm{{{name}}} & {} \\", cells.join(" & ")));
            }
            self.line(r"\end{array}");
            return;
        }
        let wide = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let cells = rows.iter().flat_map(|(_, cells)| cells).chain(head);
        let cell = cells.map(String::len).max().unwrap_or(0);
        let mut write = |name: &str, cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|c| format!("{c:>cell$}")).collect();
            self.line(&format!("  {name:wide$}  {}", cells.join(" ")));
        };
        write("", head);
        for (name, cells) in rows {
            write(name, cells);
        }
    }
}

/// The joint between a link and its parent.
fn joint_of(named: &SymbolicModel<'_>, link: &Link<Symbol>) -> String {
    let joint = link
        .element
        .map(|joint| &named.written.joints[joint.0].name);
    joint.map_or("moving freely".to_owned(), |name| format!("`{name}`"))
}

/// The name of the parent of a link.
fn on(carrier: usize) -> String {
    if carrier == 0 {
        "the ground".to_owned()
    } else {
        format!("link {carrier}")
    }
}
