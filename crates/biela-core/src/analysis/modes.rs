//! Modes of a linear model: `x(t) = Re(c φ e^{λt})` solves `ẋ = A x` for every eigenvalue λ of A with its eigenvector φ.

use super::{LinearVariable, Linearization};
use crate::math::{Complex, NoSpectrum, pencil_spectrum, spectrum};
use crate::system::{System, SystemKinematics};

/// A real or imaginary part of an eigenvalue smaller than this times its magnitude is treated as zero when a mode is classified.
const NEUTRAL: f64 = 1e-9;

/// A mode: one real eigenvalue, or a conjugate pair, and its mode shape.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Mode {
    /// λ; of a pair the one with positive imaginary part.
    pub value: Complex<f64>,
    /// φ, in the order of the states, normalised to a largest position of one.
    pub shape: Vec<Complex<f64>>,
}

/// The development of a small disturbance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    /// It decays: stable.
    Decays,
    /// It persists: neutral.
    Stays,
    /// It grows: unstable.
    Grows,
}

impl Trend {
    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            Trend::Decays => "stable",
            Trend::Stays => "neutral",
            Trend::Grows => "unstable",
        }
    }
}

impl Mode {
    /// Whether λ is zero: a cyclic coordinate or combination, or its velocity.
    pub fn is_zero(&self) -> bool {
        self.value == Complex::new(0.0, 0.0)
    }

    /// Whether the motion oscillates.
    pub fn is_oscillation(&self) -> bool {
        self.value.im.abs() > NEUTRAL * self.value.norm()
    }

    /// Returns the development of a small disturbance along the mode; a zero eigenvalue is neutral (a double one may drift).
    pub fn trend(&self) -> Trend {
        let Complex { re, .. } = self.value;
        if re.abs() <= NEUTRAL * self.value.norm() {
            Trend::Stays
        } else if re < 0.0 {
            Trend::Decays
        } else {
            Trend::Grows
        }
    }

    /// "zero", "stable oscillation", "unstable", …
    pub fn describe(&self) -> &'static str {
        match (self.is_zero(), self.is_oscillation(), self.trend()) {
            (true, ..) => "zero",
            (_, true, Trend::Stays) => "undamped oscillation",
            (_, true, Trend::Decays) => "stable oscillation",
            (_, true, Trend::Grows) => "unstable oscillation",
            (_, false, trend) => trend.word(),
        }
    }

    /// Returns the frequency of the damped oscillation, Hz: `|Im λ|/2π`.
    pub fn frequency(&self) -> f64 {
        self.value.im.abs() / std::f64::consts::TAU
    }

    /// Returns the natural angular frequency `|λ|`, rad/s.
    pub fn natural_frequency(&self) -> f64 {
        self.value.norm()
    }

    /// Returns the damping ratio `−Re λ/|λ|`: positive if the mode decays, negative if it grows; `None` for a zero.
    pub fn damping_ratio(&self) -> Option<f64> {
        (!self.is_zero()).then(|| -self.value.re / self.value.norm())
    }

    /// Returns the time constant `−1/Re λ`, in which the mode decays (or grows, if negative) by a factor of e; `None` if it does neither.
    pub fn time_constant(&self) -> Option<f64> {
        (self.trend() != Trend::Stays).then(|| -1.0 / self.value.re)
    }

    /// Returns the positions that participate, the largest first: variable, amplitude relative to the largest, phase in rad.
    pub fn parts<'v>(
        &self,
        positions: &'v [LinearVariable],
    ) -> Vec<(&'v LinearVariable, f64, f64)> {
        let mut parts: Vec<_> = positions
            .iter()
            .zip(&self.shape)
            .map(|(variable, x)| (variable, x.norm(), x.arg()))
            .filter(|(_, amplitude, _)| *amplitude > 1e-6)
            .collect();
        parts.sort_by(|a, b| b.1.total_cmp(&a.1));
        parts
    }

    /// Returns the duration of one animation of the mode: a period, or a time constant; one second for a zero.
    pub fn period(&self) -> f64 {
        if self.is_oscillation() {
            1.0 / self.frequency()
        } else {
            self.time_constant().map_or(1.0, f64::abs)
        }
    }
}

/// Returns all modes of a linear model: zeros first, then by natural frequency.
pub fn modes(linear: &Linearization) -> Result<Vec<Mode>, NoSpectrum> {
    let spectrum = match &linear.pencil {
        Some(pencil) => pencil_spectrum(&pencil.f, &pencil.e, &pencil.uncertainty)?,
        None => spectrum(&linear.a, &linear.uncertainty)?,
    };
    let positions = linear.positions.len();
    let pairs = spectrum.values.into_iter().zip(spectrum.vectors);
    let mut modes: Vec<Mode> = pairs
        .filter(|(value, _)| value.im >= 0.0)
        .map(|(value, shape)| Mode {
            shape: normalized(shape, positions),
            value,
        })
        .collect();
    modes.sort_by(|a, b| a.value.norm().total_cmp(&b.value.norm()));
    Ok(modes)
}

/// Normalises a shape to a largest position of one; to a largest speed of one if no position participates.
fn normalized(mut shape: Vec<Complex<f64>>, positions: usize) -> Vec<Complex<f64>> {
    let largest = |part: &[Complex<f64>]| {
        let of = part.iter().max_by(|a, b| a.norm().total_cmp(&b.norm()));
        of.copied().filter(|x| x.norm() > 1e-9)
    };
    if let Some(unit) = largest(&shape[..positions]).or_else(|| largest(&shape[positions..])) {
        for x in &mut shape {
            *x /= unit;
        }
    }
    shape
}

/// Returns the poses of all bodies in the animation of a mode: `q₀ ⊕ amplitude Re(δ e^{λt})` at the times `k T/steps`, k = 0 … steps, of one period (see
/// [`Mode::period`]). Growth and decay of an oscillation are omitted, and the reference motion is frozen.
///
/// The largest rotation (in rad) or displacement (in m) of a body is `amplitude`.
pub fn mode_motion(
    system: &dyn System,
    linear: &Linearization,
    mode: &Mode,
    amplitude: f64,
    steps: usize,
    mut show: impl FnMut(f64, &SystemKinematics),
) {
    let state = &linear.state;
    let mut kinematics = SystemKinematics::new(system.model());
    let n = linear.displacements.nrows();
    let positions = linear.displacements.ncols();
    let delta: Vec<Complex<f64>> = (0..n)
        .map(|i| {
            (0..positions)
                .map(|j| mode.shape[j] * linear.displacements[(i, j)])
                .sum()
        })
        .collect();
    let largest = |part: fn(&Complex<f64>) -> f64, kinematics: &mut SystemKinematics| {
        let direction: Vec<f64> = delta.iter().map(part).collect();
        system.update(state.time, &state.q, &direction, &state.turns, kinematics);
        kinematics.pace(1.0)
    };
    let size = largest(|x| x.re, &mut kinematics).max(largest(|x| x.im, &mut kinematics));
    let scale = if size > 0.0 { amplitude / size } else { 0.0 };
    let rate = if mode.is_oscillation() {
        Complex::new(0.0, mode.value.im)
    } else {
        Complex::new(mode.value.re, 0.0)
    };
    let still = vec![0.0; n];
    for k in 0..=steps {
        let time = mode.period() * k as f64 / steps.max(1) as f64;
        let now = (rate * time).exp() * scale;
        let step: Vec<f64> = delta.iter().map(|x| (x * now).re).collect();
        let mut q = state.q.clone();
        system.retract(&mut q, &step);
        system.update(state.time, &q, &still, &state.turns, &mut kinematics);
        show(time, &kinematics);
    }
}
