use super::constraint_projector::projection_tolerance_field;
use super::dense::{add, dot};
use super::equations::Equations;
use super::mass::MassBlocks;
use super::{DEPENDENT, Method, MethodKind, Projected};
use crate::element::{ArgumentError, Arguments, Info, fields};
use crate::keep::keeps;
use crate::math::{RowPattern, remember_length};
use crate::model::Space;
use crate::system::System;

/// Row orthogonalisation: the Gram-Schmidt process on the rows of G in the metric of M⁻¹, which decouples the multipliers
/// (Pacheco, eq. 4.23-4.28, the contribution of that thesis).
///
/// ```text
/// g_a = Σ_b l_ab g*_b,    G* M⁻¹ G*ᵀ = 1              γ* = L⁻¹ γ
/// λ* = G* M⁻¹ f − γ*      v̇ = M⁻¹ (f − G*ᵀ λ*)        λ = L⁻ᵀ λ*
/// ```
///
/// The modified Gram-Schmidt process is applied twice to each row, which keeps the rows orthogonal to rounding accuracy. A row with no
/// remainder depends on the rows before it and is skipped. No basis of the free motions is needed. After each step the
/// state is projected as by [`super::Projection`].
///
/// Cost: O(m² n) for m rows and n coordinates, because the orthogonal rows are dense. Use it for small models whose rows
/// are nearly dependent: unlike [`super::Schur`], it does not square their condition number.
#[derive(Clone, Debug)]
pub struct RowOrthogonalisation {
    pattern: RowPattern,
    blocks: MassBlocks,
    n: usize,
    /// Orthonormal rows `L_M⁻¹ g*`, with M = L_M L_Mᵀ.
    orthonormal: Vec<f64>,
    /// Which rows of G are independent, and the coefficients l_ab of row a with respect to these rows.
    kept: Vec<usize>,
    /// The smallest remainder of a row relative to its largest norm so far, squared.
    independence: f64,
    longest: Vec<f64>,
    coefficients: Vec<f64>,
    starred: Vec<f64>,
}

keeps!(RowOrthogonalisation: independence, longest);

impl RowOrthogonalisation {
    /// Creates the buffers for a system.
    pub(crate) fn of(system: &dyn System) -> Self {
        let (n, m) = (system.sizes().velocities, system.sizes().rows);
        RowOrthogonalisation {
            pattern: system.jacobian_pattern().clone(),
            blocks: MassBlocks::new(n, system.mass_pattern()),
            n,
            orthonormal: vec![0.0; m * n],
            kept: Vec::with_capacity(m),
            independence: 1.0,
            longest: vec![0.0; m],
            coefficients: vec![0.0; m * m],
            starred: vec![0.0; m],
        }
    }
}

impl Equations for RowOrthogonalisation {
    fn factor(&mut self, mass: &[f64], jacobian: &[f64]) {
        let (n, m) = (self.n, self.pattern.num_rows());
        self.blocks.factor(mass);
        self.kept.clear();
        self.independence = 1.0;
        self.coefficients.fill(0.0);
        for a in 0..m {
            let rank = self.kept.len();
            let (done, rest) = self.orthonormal.split_at_mut(n * rank);
            let row = &mut rest[..n];
            row.fill(0.0);
            self.pattern.add_row(a, jacobian, 1.0, row);
            self.blocks.forward(row);
            let longest = self.longest[a].max(dot(row, row));
            remember_length(&mut self.longest[a], dot(row, row));
            let coefficients = &mut self.coefficients[m * rank..m * rank + m];
            coefficients.fill(0.0);
            for _ in 0..2 {
                for (b, earlier) in done.chunks_exact(n.max(1)).enumerate() {
                    let d = dot(row, earlier);
                    add(row, -d, earlier);
                    coefficients[b] += d;
                }
            }
            let left = dot(row, row);
            if longest > 0.0 {
                self.independence = self.independence.min(left / longest);
            }
            if left <= DEPENDENT * longest {
                continue;
            }
            coefficients[rank] = left.sqrt();
            let scale = 1.0 / coefficients[rank];
            for x in row {
                *x *= scale;
            }
            self.kept.push(a);
        }
    }

    fn num_dependent(&self) -> usize {
        self.pattern.num_rows() - self.kept.len()
    }

    fn independence(&self) -> f64 {
        self.independence
    }

    fn solve(&mut self, _: &[f64], _: &[f64], f: &mut [f64], gamma: &mut [f64]) {
        let (n, m, rank) = (self.n, gamma.len(), self.kept.len());
        self.blocks.forward(f);
        // γ*, then λ*, row by row: the contribution of a row to f̂ does not affect the others
        for (k, &row) in self.kept.iter().enumerate() {
            let l = &self.coefficients[m * k..=m * k + k];
            self.starred[k] = (gamma[row] - dot(&l[..k], &self.starred[..k])) / l[k];
        }
        for k in 0..rank {
            let row = &self.orthonormal[n * k..n * k + n];
            let star = dot(row, f) - self.starred[k];
            add(f, -star, row);
            self.starred[k] = star;
        }
        self.blocks.backward(f);
        gamma.fill(0.0);
        for k in (0..rank).rev() {
            let l = &self.coefficients[m * k..=m * k + k];
            let multiplier = self.starred[k] / l[k];
            add(&mut self.starred[..k], -multiplier, &l[..k]);
            gamma[self.kept[k]] = multiplier;
        }
    }
}

fields! { RowOrthogonalisation {
    use projection_tolerance_field;
} }

impl MethodKind for RowOrthogonalisation {
    const INFO: Info = Info {
        name: "rows",
        aliases: &["row-orthogonalization"],
        summary: "constraint rows orthogonalised in the metric of the inverse mass matrix; projection after each step",
        spaces: &[Space::Planar, Space::Spatial],
        fields: Self::FIELDS,
    };

    fn build(
        arguments: &Arguments,
        system: &dyn System,
        active: &[bool],
    ) -> Result<Box<dyn Method>, ArgumentError> {
        let method = Projected::new(arguments, system, active, RowOrthogonalisation::of(system));
        Ok(Box::new(method))
    }
}
