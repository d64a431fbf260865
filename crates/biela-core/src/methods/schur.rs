mod semidefinite;

use crate::keep::keeps;
use semidefinite::SparseFactor;

use super::constraint_projector::projection_tolerance_field;
use super::dense::{dot, forward};
use super::equations::Equations;
use super::mass::MassBlocks;
use super::{Method, MethodKind, Projected};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::math::{RowPattern, SymmetricPattern};
use crate::model::Space;
use crate::system::{System, row_groups};

/// The Schur complement method: first the multipliers, from a symmetric positive definite system, then the accelerations (Pacheco, eq.
/// 4.29-4.30, signs corrected).
///
/// ```text
/// (G M⁻¹ Gᵀ) λ = G M⁻¹ f − γ             v̇ = M⁻¹ (f − Gᵀ λ)
/// ```
///
/// M is factorised by its blocks, `M = L Lᵀ`. With `ĝ_i = L⁻¹ g_i` the entries are `ĝ_i · ĝ_j`, nonzero only if two rows share a
/// block. The sparsity pattern and the fill-reducing order are computed once. Each factorisation skips rows that depend on earlier ones. Because
/// the condition number of the matrix is the square of that of `Ĝ`, one step of iterative refinement on the whole system follows. After each step
/// the state is projected as by [`super::Projection`].
///
/// Cost: assembly of the matrix and a sparse Cholesky factorisation of the size of the rows, proportional to the number of bodies for
/// chains. Use it if there are few rows relative to coordinates.
#[derive(Clone, Debug)]
pub struct Schur {
    mass: SymmetricPattern,
    rows: RowPattern,
    blocks: MassBlocks,
    /// Parts of the rows ĝ, one for each block in which a row has entries.
    parts: Vec<RowBlock>,
    metric_rows: Vec<f64>,
    /// Target index of each value of G in `metric_rows`.
    target: Vec<usize>,
    /// The products that form each entry of the lower triangle: `products[product_start[e]..product_start[e + 1]]`.
    product_start: Vec<usize>,
    products: Vec<Product>,
    values: Vec<f64>,
    factor: SparseFactor,
    force_left: Vec<f64>,
    row_left: Vec<f64>,
    rates: Vec<f64>,
    multipliers: Vec<f64>,
}

keeps!(Schur: factor);

/// The part of a row in one block: the block, and the start of its entries.
#[derive(Clone, Copy, Debug)]
struct RowBlock {
    block: usize,
    begin: usize,
}

/// A scalar product of the parts of two rows in one block.
#[derive(Clone, Copy, Debug)]
struct Product {
    first: usize,
    second: usize,
    size: usize,
}

impl Schur {
    /// Analyses the sparsity pattern of a system.
    pub(crate) fn of(system: &dyn System) -> Self {
        let n = system.sizes().velocities;
        let (mass, rows) = (
            system.mass_pattern().clone(),
            system.jacobian_pattern().clone(),
        );
        let blocks = MassBlocks::new(n, &mass);
        let m = rows.num_rows();

        let (mut part_start, mut parts, mut target) = (vec![0], Vec::new(), Vec::new());
        let mut length = 0;
        for i in 0..m {
            let columns = &rows.columns[rows.range(i)];
            let mut own: Vec<usize> = columns.iter().map(|c| blocks.locate(*c).0).collect();
            own.sort_unstable();
            own.dedup();
            let begin = parts.len();
            for &block in &own {
                let part = RowBlock {
                    block,
                    begin: length,
                };
                parts.push(part);
                length += blocks.size(block);
            }
            for &column in columns {
                let (block, place) = blocks.locate(column);
                let part = parts[begin..].iter().find(|p: &&RowBlock| p.block == block);
                target.push(part.map_or(0, |p| p.begin) + place);
            }
            part_start.push(parts.len());
        }

        // lower triangle: rows that share a block
        let mut entries = Vec::new();
        let (mut product_start, mut products) = (vec![0], Vec::new());
        for i in 0..m {
            for j in 0..=i {
                let before = products.len();
                for a in &parts[part_start[i]..part_start[i + 1]] {
                    for b in &parts[part_start[j]..part_start[j + 1]] {
                        if a.block == b.block {
                            products.push(Product {
                                first: a.begin,
                                second: b.begin,
                                size: blocks.size(a.block),
                            });
                        }
                    }
                }
                if products.len() > before || i == j {
                    entries.push((i, j));
                    product_start.push(products.len());
                }
            }
        }
        Schur {
            values: vec![0.0; entries.len()],
            factor: SparseFactor::new(m, &entries, &row_groups(system)),
            metric_rows: vec![0.0; length],
            force_left: vec![0.0; n],
            row_left: vec![0.0; m],
            rates: vec![0.0; n],
            multipliers: vec![0.0; m],
            mass,
            rows,
            blocks,
            parts,
            target,
            product_start,
            products,
        }
    }

    /// Computes (a, λ) in `rates` and `multipliers` for the force and row values in `force_left` and `row_left`.
    fn substitute(&mut self, jacobian: &[f64]) {
        self.rates.copy_from_slice(&self.force_left);
        self.blocks.forward(&mut self.rates);
        self.blocks.backward(&mut self.rates);
        for i in 0..self.multipliers.len() {
            let free = self.rows.row_times(i, jacobian, &self.rates);
            self.multipliers[i] = free - self.row_left[i];
        }
        self.factor.solve(&mut self.multipliers);
        self.rates.copy_from_slice(&self.force_left);
        for (i, l) in self.multipliers.iter().enumerate() {
            self.rows.add_row(i, jacobian, -l, &mut self.rates);
        }
        self.blocks.forward(&mut self.rates);
        self.blocks.backward(&mut self.rates);
    }
}

impl Equations for Schur {
    fn factor(&mut self, mass: &[f64], jacobian: &[f64]) {
        self.blocks.factor(mass);
        self.metric_rows.fill(0.0);
        for (&at, v) in self.target.iter().zip(jacobian) {
            self.metric_rows[at] += v;
        }
        for part in &self.parts {
            let range = part.begin..part.begin + self.blocks.size(part.block);
            forward(self.blocks.block(part.block), &mut self.metric_rows[range]);
        }
        for (e, value) in self.values.iter_mut().enumerate() {
            let products = &self.products[self.product_start[e]..self.product_start[e + 1]];
            *value = products
                .iter()
                .map(|p| {
                    let first = &self.metric_rows[p.first..p.first + p.size];
                    dot(first, &self.metric_rows[p.second..p.second + p.size])
                })
                .sum();
        }
        self.factor.factor(&self.values);
    }

    fn num_dependent(&self) -> usize {
        self.factor.num_dependent()
    }

    fn independence(&self) -> f64 {
        self.factor.independence()
    }

    fn solve(&mut self, mass: &[f64], jacobian: &[f64], f: &mut [f64], gamma: &mut [f64]) {
        self.force_left.copy_from_slice(f);
        self.row_left.copy_from_slice(gamma);
        self.substitute(jacobian);
        f.copy_from_slice(&self.rates);
        gamma.copy_from_slice(&self.multipliers);

        // iterative refinement: solve again for the residual
        self.rates.fill(0.0);
        self.mass.add_product(mass, f, &mut self.rates);
        for (i, l) in gamma.iter().enumerate() {
            self.rows.add_row(i, jacobian, *l, &mut self.rates);
            self.row_left[i] -= self.rows.row_times(i, jacobian, f);
        }
        for (left, done) in self.force_left.iter_mut().zip(&self.rates) {
            *left -= done;
        }
        self.substitute(jacobian);
        for (x, d) in f.iter_mut().zip(&self.rates) {
            *x += d;
        }
        for (x, d) in gamma.iter_mut().zip(&self.multipliers) {
            *x += d;
        }
    }
}

fields! { Schur {
    use projection_tolerance_field;
} }

impl MethodKind for Schur {
    const INFO: Info = Info {
        name: "schur",
        aliases: &[],
        summary: "multipliers from the Schur complement, then accelerations; projection after each step",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(
        arguments: &Arguments,
        system: &dyn System,
        active: &[bool],
    ) -> Result<Box<dyn Method>, ArgumentError> {
        let method = Projected::new(arguments, system, active, Schur::of(system));
        Ok(Box::new(method))
    }
}
