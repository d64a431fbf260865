//! Fixed sparsity patterns.

/// Rows of a sparse matrix: row `i` has the columns `columns[start[i]..start[i + 1]]`.
#[derive(Clone, Debug, Default)]
pub struct RowPattern {
    /// Start of each row; one more entry than rows.
    pub start: Vec<usize>,
    /// Column of each entry.
    pub columns: Vec<usize>,
}

impl RowPattern {
    /// A pattern without rows.
    pub fn new() -> Self {
        RowPattern {
            start: vec![0],
            columns: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn push(&mut self, columns: impl IntoIterator<Item = usize>) {
        self.columns.extend(columns);
        self.start.push(self.columns.len());
    }

    /// Returns the number of rows.
    pub fn num_rows(&self) -> usize {
        self.start.len() - 1
    }

    /// Returns the number of entries.
    pub fn num_entries(&self) -> usize {
        self.columns.len()
    }

    /// Returns the indices of the entries of row `i`.
    pub fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.start[i]..self.start[i + 1]
    }

    /// Returns row `i` times a vector.
    pub fn row_times(&self, i: usize, values: &[f64], x: &[f64]) -> f64 {
        let range = self.range(i);
        let pairs = self.columns[range.clone()].iter().zip(&values[range]);
        pairs.map(|(&c, v)| v * x[c]).sum()
    }

    /// `y += Aᵀ x` for row `i`: adds `factor` times the row.
    pub fn add_row(&self, i: usize, values: &[f64], factor: f64, y: &mut [f64]) {
        let range = self.range(i);
        for (&c, v) in self.columns[range.clone()].iter().zip(&values[range]) {
            y[c] += factor * v;
        }
    }
}

/// The lower triangle of a symmetric matrix as a list of entries (row ≥ column).
#[derive(Clone, Debug, Default)]
pub struct SymmetricPattern {
    /// Row and column of each entry.
    pub entries: Vec<(usize, usize)>,
}

impl SymmetricPattern {
    /// `y += A x`.
    pub fn add_product(&self, values: &[f64], x: &[f64], y: &mut [f64]) {
        for (&(i, j), v) in self.entries.iter().zip(values) {
            y[i] += v * x[j];
            if i != j {
                y[j] += v * x[i];
            }
        }
    }

    /// `xᵀ A x`.
    pub fn quadratic(&self, values: &[f64], x: &[f64]) -> f64 {
        let pairs = self.entries.iter().zip(values);
        pairs
            .map(|(&(i, j), v)| v * x[i] * x[j] * if i == j { 1.0 } else { 2.0 })
            .sum()
    }
}

/// Updates the largest norm of a row so far. A single evaluation has a small weight: evaluations of rejected steps may be far off, and a row must not
/// appear to vanish relative to them for the rest of the run.
pub(crate) fn remember_length(longest: &mut f64, length: f64) {
    const GROWTH: f64 = 1.1;
    *longest = if *longest > 0.0 {
        longest.max(length.min(GROWTH * *longest))
    } else {
        length
    };
}
