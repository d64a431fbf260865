//! Formulas as text and LaTeX.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use biela_core::math::Vec3;
use biela_symbol::code::in_comment;
use biela_symbol::mechanics::kane::{ReducedEquations, Speed, reduce};
use biela_symbol::mechanics::lagrange::{energies, equations, moving_part};
use biela_symbol::mechanics::{Mechanism, Simplifier};
use biela_symbol::{Symbol, latex, latex_name, substitute, text, variables};

use super::{DerivationFormat, DerivationRequest, DeriveError, EquationForm, SymbolicModel};

/// Writes the requested part.
pub(super) fn write(
    named: &SymbolicModel<'_>,
    request: &DerivationRequest,
    speeds: &[Speed],
) -> Result<String, DeriveError> {
    let mut page = DerivationReport::new(request.target == DerivationFormat::Latex);
    let mechanism = &named.mechanism;
    let mut simplifier = Patience(mechanism.simplifier());
    match request.form {
        EquationForm::Equations => {
            page.motion(named, &mut simplifier);
            page.constraints(named, &mut simplifier);
        }
        EquationForm::Mass => page.mass(mechanism, &mut simplifier),
        EquationForm::Bias => {
            let entries = simplifier.simplify_all(&mechanism.bias());
            page.vector("h", "centrifugal and Coriolis terms h(q, q')", &entries);
        }
        EquationForm::Gravity => {
            let entries = simplifier.simplify_all(&mechanism.gravity());
            page.vector("g", "gravity terms g(q), on the left-hand side", &entries);
        }
        EquationForm::Constraints => {
            if named.constraints.rows.is_empty() {
                return Err(DeriveError::Request(
                    "the model has no loops, couplers or drivers: there are no constraints"
                        .to_owned(),
                ));
            }
            page.constraints(named, &mut simplifier);
        }
        EquationForm::Kane if speeds.is_empty() => page.partials(named, &mut simplifier),
        EquationForm::Kane => {
            let reduced = reduce(mechanism, &named.constraints, speeds, &mut simplifier.0)?;
            page.reduced(named, speeds, &reduced, &mut simplifier);
        }
        EquationForm::Lagrange => page.lagrange(named, &mut simplifier)?,
    }
    let too_long = |page: &DerivationReport, simplifier: &Patience| {
        simplifier.0.is_exhausted() || page.is_cut.get()
    };
    let of_motion = !matches!(request.form, EquationForm::Constraints) && speeds.is_empty();
    if too_long(&page, &simplifier) && of_motion {
        page = DerivationReport::new(page.latex);
        simplifier = Patience(mechanism.simplifier());
        page.tables(named, &mut simplifier);
    }
    if too_long(&page, &simplifier) {
        return Err(DeriveError::Request(
            "the formulas are too long to print; request a single part of the equations, or code in Rust, C or Python".to_owned(),
        ));
    }
    Ok(page.headed(named))
}

/// Simplifies until a limit is exceeded; later formulas are skipped, because nothing will be shown.
pub(super) struct Patience(Simplifier);

impl Patience {
    pub(super) fn simplify(&mut self, symbol: Symbol) -> Symbol {
        if self.0.is_exhausted() {
            return Symbol::ZERO;
        }
        let simple = self.0.simplify(symbol);
        if self.0.is_exhausted() {
            Symbol::ZERO
        } else {
            simple
        }
    }

    fn simplify_all(&mut self, symbols: &[Symbol]) -> Vec<Symbol> {
        symbols.iter().map(|s| self.simplify(*s)).collect()
    }
}

pub(super) struct DerivationReport {
    pub(super) latex: bool,
    /// Set if a formula was truncated.
    is_cut: Cell<bool>,
    /// The symbols of all formulas so far.
    shown: RefCell<BTreeSet<Symbol>>,
    out: String,
}

impl DerivationReport {
    fn new(latex: bool) -> Self {
        DerivationReport {
            latex,
            is_cut: Cell::new(false),
            shown: RefCell::default(),
            out: String::new(),
        }
    }

    pub(super) fn formula(&self, symbol: Symbol) -> String {
        self.shown.borrow_mut().extend(variables(&[symbol]));
        let text = if self.latex {
            latex(symbol)
        } else {
            text(symbol)
        };
        // the printer truncates formulas that are nested too deeply
        if text.contains('…') {
            self.is_cut.set(true);
        }
        text
    }

    pub(super) fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// Adds a heading; in LaTeX a comment, so that the formulas can be inserted anywhere.
    pub(super) fn heading(&mut self, words: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        let mark = if self.latex { "% " } else { "" };
        self.line(&format!("{mark}{words}"));
    }

    /// Returns the page with name, coordinates and symbols before the formulas, so that every symbol is defined.
    fn headed(mut self, named: &SymbolicModel<'_>) -> String {
        let formulas = std::mem::take(&mut self.out);
        self.head(named);
        if !formulas.is_empty() {
            self.out.push('\n');
        }
        self.out + formulas.trim_start_matches('\n')
    }

    /// Adds name, coordinates and symbols.
    fn head(&mut self, named: &SymbolicModel<'_>) {
        let mark = if self.latex { "% " } else { "" };
        self.line(&format!("{mark}{}", in_comment(&named.written.name)));
        self.heading("coordinates");
        let mechanism = &named.mechanism;
        let width = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
        let wide = width(&mut mechanism.coordinates.iter().map(|c| c.name.len()));
        for c in &mechanism.coordinates {
            self.line(&format!(
                "{mark}  {:wide$}  {}, {}",
                c.name, c.signal, c.unit
            ));
        }
        let shown = self.shown.take();
        let others = named.others.iter().filter(|n| shown.contains(&n.symbol));
        let numbers: Vec<_> = named.numbers.iter().chain(others).collect();
        if numbers.is_empty() {
            return;
        }
        self.heading("symbols");
        let wide = width(&mut numbers.iter().map(|n| n.symbol.to_string().len()));
        for number in numbers {
            let name = number.symbol.to_string();
            let value = format!("{:?} {}", number.value, number.unit);
            let about = if number.about.is_empty() {
                String::new()
            } else {
                format!("  {}", number.about)
            };
            self.line(&format!(
                "{mark}  {name:wide$} = {}{about}",
                value.trim_end()
            ));
        }
    }

    /// Adds lines `name = formula`.
    fn definitions(&mut self, list: &[(String, String, Symbol)]) {
        if self.latex {
            self.line(r"\begin{align*}");
            let count = list.len();
            for (i, (_, name, symbol)) in list.iter().enumerate() {
                let end = if i + 1 < count { r" \\" } else { "" };
                self.line(&format!("{name} &= {}{end}", self.formula(*symbol)));
            }
            self.line(r"\end{align*}");
        } else {
            for (name, _, symbol) in list {
                self.line(&format!("  {name} = {}", self.formula(*symbol)));
            }
        }
    }

    fn mass(&mut self, mechanism: &Mechanism<'_>, simplifier: &mut Patience) {
        let n = mechanism.freedom();
        let entries = mechanism.mass();
        self.heading("mass matrix M(q), symmetric");
        let mut list = Vec::new();
        for i in 0..n {
            for j in 0..=i {
                let entry = simplifier.simplify(entries[i * n + j]);
                let (a, b) = (i + 1, j + 1);
                list.push((format!("M[{a},{b}]"), format!("M_{{{a},{b}}}"), entry));
            }
        }
        self.definitions(&list);
    }

    fn vector(&mut self, name: &str, words: &str, entries: &[Symbol]) {
        self.heading(words);
        let list: Vec<_> = entries
            .iter()
            .enumerate()
            .map(|(i, s)| {
                (
                    format!("{name}[{}]", i + 1),
                    format!("{name}_{{{}}}", i + 1),
                    *s,
                )
            })
            .collect();
        self.definitions(&list);
    }

    /// Adds a sum of products over several lines; `terms` start with their sign.
    fn equation(&mut self, first: &str, terms: &[String], right: &str) {
        let joined = |separator: &str| terms.join(separator);
        if self.latex {
            self.line(r"\begin{align*}");
            self.line(&format!("& {} = {right}", joined(" \\\\\n& \\quad ")));
            self.line(r"\end{align*}");
        } else {
            self.line(&format!("  {first}"));
            self.line(&format!("    {}", joined("\n    ")));
            self.line(&format!("    = {right}"));
        }
    }

    /// A term with its sign, unless it is zero; a sum as a factor is put in brackets.
    fn term(&self, factor: Symbol, by: Option<Symbol>, first: bool) -> Option<String> {
        if factor.is_zero() {
            return None;
        }
        let product = match by {
            // the printer forms the product, so that brackets and signs are consistent
            Some(by) => factor * by,
            None => factor,
        };
        let text = self.formula(product);
        Some(match (first, text.strip_prefix('-')) {
            (true, _) => text,
            (false, Some(rest)) => format!("- {rest}"),
            (false, None) => format!("+ {text}"),
        })
    }

    fn motion(&mut self, named: &SymbolicModel<'_>, simplifier: &mut Patience) {
        let mechanism = &named.mechanism;
        let n = mechanism.freedom();
        let mass = simplifier.simplify_all(&mechanism.mass());
        let bias = simplifier.simplify_all(&mechanism.bias());
        let gravity = simplifier.simplify_all(&mechanism.gravity());
        self.heading("equations of motion");
        for i in 0..n {
            let mut terms: Vec<String> = Vec::new();
            let row = (0..n).map(|j| (mass[i * n + j], Some(mechanism.a[j])));
            for (factor, by) in row.chain([(bias[i], None), (gravity[i], None)]) {
                terms.extend(self.term(factor, by, terms.is_empty()));
            }
            if terms.is_empty() {
                terms.push("0".to_owned());
            }
            let right = self.right_side(named, i, simplifier);
            self.equation(&format!("[{}]", mechanism.v[i]), &terms, &right);
        }
        self.footer(named, simplifier);
    }

    /// Defines the letters for forces that are not written out.
    fn footer(&mut self, named: &SymbolicModel<'_>, simplifier: &mut Patience) {
        let mark = if self.latex { "% " } else { "  " };
        let lengths = &named.applied.lengths;
        if !lengths.is_empty() {
            self.heading("lengths");
            let list: Vec<_> = lengths
                .iter()
                .map(|(l, length)| (l.to_string(), latex(*l), simplifier.simplify(*length)))
                .collect();
            self.definitions(&list);
        }
        for (symbol, force) in &named.applied.efforts {
            self.line(&format!(
                "{mark}{symbol}: force or torque of `{force}`, defined by its law"
            ));
        }
        if !named.applied.left_out.is_empty() {
            let names = named
                .applied
                .left_out
                .iter()
                .map(|name| format!("`{name}`"));
            let names: Vec<String> = names.collect();
            self.line(&format!(
                "{mark}Q: generalized forces of {}",
                names.join(", ")
            ));
        }
    }

    /// Applied forces and constraint forces.
    fn right_side(&self, named: &SymbolicModel<'_>, i: usize, simplifier: &mut Patience) -> String {
        let force = simplifier.simplify(named.applied.forces[i]);
        let mut right: Vec<String> = self.forces(named, i, force);
        for (k, row) in named.constraints.rows.iter().enumerate() {
            if !row.jacobian[i].is_zero() {
                right.push(if self.latex {
                    format!(r"G_{{{},{}}} \lambda_{{{}}}", k + 1, i + 1, k + 1)
                } else {
                    format!("G[{},{}]*lambda[{}]", k + 1, i + 1, k + 1)
                });
            }
        }
        sum_of(&right)
    }

    /// A generalized force: the explicit terms, and a letter for the rest.
    fn forces(&self, named: &SymbolicModel<'_>, i: usize, force: Symbol) -> Vec<String> {
        let mut parts = Vec::new();
        if !force.is_zero() {
            parts.push(self.formula(force));
        }
        if !named.applied.left_out.is_empty() {
            parts.push(if self.latex {
                format!("Q_{{{}}}", i + 1)
            } else {
                format!("Q[{}]", i + 1)
            });
        }
        parts
    }

    fn constraints(&mut self, named: &SymbolicModel<'_>, simplifier: &mut Patience) {
        let rows = &named.constraints.rows;
        if rows.is_empty() {
            return;
        }
        self.heading("constraints Phi(q, t) = 0");
        let mark = if self.latex { "% " } else { "  " };
        let mut list = Vec::new();
        for (k, row) in rows.iter().enumerate() {
            let kind = if row.phi.is_none() {
                ", on velocities only"
            } else {
                ""
            };
            self.line(&format!("{mark}{}: {}{kind}", k + 1, row.label));
            if let Some(phi) = row.phi {
                list.push((
                    format!("Phi[{}]", k + 1),
                    format!(r"\Phi_{{{}}}", k + 1),
                    simplifier.simplify(phi),
                ));
            }
        }
        if !list.is_empty() {
            self.definitions(&list);
        }
        self.heading("G v' = gamma, with the nonzero entries of G");
        let mut list = Vec::new();
        for (k, row) in rows.iter().enumerate() {
            for (j, entry) in row.jacobian.iter().enumerate() {
                let entry = simplifier.simplify(*entry);
                if !entry.is_zero() {
                    let (a, b) = (k + 1, j + 1);
                    list.push((format!("G[{a},{b}]"), format!("G_{{{a},{b}}}"), entry));
                }
            }
        }
        for (k, row) in rows.iter().enumerate() {
            let gamma = simplifier.simplify(row.gamma);
            list.push((
                format!("gamma[{}]", k + 1),
                format!(r"\gamma_{{{}}}", k + 1),
                gamma,
            ));
        }
        self.definitions(&list);
    }

    fn partials(&mut self, named: &SymbolicModel<'_>, simplifier: &mut Patience) {
        let mechanism = &named.mechanism;
        for (b, body) in named.written.bodies.iter().enumerate() {
            if mechanism.numbers.bodies[b].0.is_zero() {
                continue;
            }
            self.heading(&format!(
                "partial velocities of `{}`, in ground axes",
                body.name
            ));
            let mut list = Vec::new();
            for (k, column) in mechanism.partial_velocities(b).iter().enumerate() {
                let speed = mechanism.v[k];
                for (letter, tex, vector) in [("w", r"\omega", &column.w), ("v", "v", &column.v)] {
                    components((letter, tex), vector, speed, simplifier, &mut list);
                }
            }
            self.definitions(&list);
        }
        let n = mechanism.freedom();
        let weight: Vec<Symbol> = mechanism.gravity().iter().map(|g| -*g).collect();
        let mass = mechanism.mass();
        let bias = mechanism.bias();
        self.heading("generalized active forces F of gravity, generalized inertia forces F*; F + F* + Q + G^T lambda = 0");
        let mut list = Vec::new();
        for i in 0..n {
            list.push((
                format!("F[{}]", i + 1),
                format!("F_{{{}}}", i + 1),
                simplifier.simplify(weight[i]),
            ));
        }
        for i in 0..n {
            let inertia = (0..n).fold(bias[i], |sum, j| sum + mass[i * n + j] * mechanism.a[j]);
            list.push((
                format!("F*[{}]", i + 1),
                format!("F^*_{{{}}}", i + 1),
                simplifier.simplify(-inertia),
            ));
        }
        self.definitions(&list);
    }

    fn reduced(
        &mut self,
        named: &SymbolicModel<'_>,
        speeds: &[Speed],
        reduced: &ReducedEquations,
        simplifier: &mut Patience,
    ) {
        self.heading("generalized speeds");
        let list: Vec<_> = speeds
            .iter()
            .map(|s| {
                (
                    s.name.clone(),
                    latex_name(&s.name),
                    simplifier.simplify(s.definition),
                )
            })
            .collect();
        self.definitions(&list);
        self.heading("rates");
        let mechanism = &named.mechanism;
        let list: Vec<_> = mechanism
            .v
            .iter()
            .zip(&reduced.rates)
            .map(|(v, rate)| (v.to_string(), latex(*v), *rate))
            .collect();
        self.definitions(&list);
        self.heading("equations of motion, without constraint forces");
        let moving: Vec<(Symbol, Symbol)> = mechanism
            .v
            .iter()
            .copied()
            .zip(reduced.rates.iter().copied())
            .collect();
        for (k, equation) in reduced.equations.iter().enumerate() {
            let directions = reduced.directions[k].iter().zip(&named.applied.forces);
            let force = directions.fold(Symbol::ZERO, |sum, (w, q)| sum + *w * *q);
            let force = substitute(force, moving.iter().copied());
            let right = sum_of(&self.forces(named, k, simplifier.simplify(force)));
            let left = self.formula(*equation);
            self.equation(&format!("[{}]", speeds[k].name), &[left], &right);
        }
    }

    fn lagrange(
        &mut self,
        named: &SymbolicModel<'_>,
        simplifier: &mut Patience,
    ) -> Result<(), DeriveError> {
        let mechanism = &named.mechanism;
        let Some(equations) = equations(mechanism) else {
            return Err(DeriveError::Request(
                "Lagrange's equations require coordinates whose time derivatives are the velocities; use angles instead of Euler parameters for rotations".to_owned(),
            ));
        };
        let energies = energies(mechanism);
        self.heading("kinetic energy T, gravitational potential V without constants");
        let list = [
            (
                "T".to_owned(),
                "T".to_owned(),
                simplifier.simplify(energies.kinetic),
            ),
            (
                "V".to_owned(),
                "V".to_owned(),
                moving_part(simplifier.simplify(energies.potential)),
            ),
        ];
        self.definitions(&list);
        self.heading("Lagrange's equations d/dt dT/dq' - dT/dq + dV/dq = Q + G^T lambda");
        for (i, equation) in equations.iter().enumerate() {
            let left = self.formula(simplifier.simplify(*equation));
            let right = self.right_side(named, i, simplifier);
            self.equation(&format!("[{}]", mechanism.v[i]), &[left], &right);
        }
        Ok(())
    }
}

/// The nonzero components of a partial velocity; `letters` are its names in text and in LaTeX.
fn components(
    letters: (&str, &str),
    vector: &Vec3<Symbol>,
    speed: Symbol,
    simplifier: &mut Patience,
    list: &mut Vec<(String, String, Symbol)>,
) {
    for (axis, x) in ["x", "y", "z"].iter().zip(vector.iter()) {
        let x = simplifier.simplify(*x);
        if !x.is_zero() {
            let text = format!("{}_{axis}[{speed}]", letters.0);
            let tex = format!("{}_{{{axis}}}[{}]", letters.1, latex(speed));
            list.push((text, tex, x));
        }
    }
}

/// The sum of terms that may start with their sign.
fn sum_of(terms: &[String]) -> String {
    let mut sum = String::new();
    for term in terms {
        match (sum.is_empty(), term.strip_prefix('-')) {
            (true, _) => sum.push_str(term),
            (false, Some(rest)) => {
                sum.push_str(" - ");
                sum.push_str(rest);
            }
            (false, None) => {
                sum.push_str(" + ");
                sum.push_str(term);
            }
        }
    }
    if sum.is_empty() { "0".to_owned() } else { sum }
}
