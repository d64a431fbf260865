//! Axis ranges from data.

use crate::ticks::Ticks;

/// A range narrower than this, relative to the magnitude of its numbers, counts as constant.
const RELATIVE_FLOOR: f64 = 1e-9;

/// Larger numbers are shown at the end of the axis, so that no difference overflows.
const LARGEST: f64 = 1e290;

/// Numbers beyond this, or its inverse, are shown at the end of a logarithmic axis, so that it can be padded.
const LARGEST_LOG: f64 = 1e250;

/// The smallest range of an axis: smaller ones cannot be divided into ticks.
const SMALLEST_SPAN: f64 = 1e-280;

/// Margin beyond the data at each end, as a fraction of the range.
const MARGIN: f64 = 0.05;

/// Linear or logarithmic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AxisScale {
    Linear,
    Logarithmic,
}

impl AxisScale {
    pub(crate) fn new(logarithmic: bool) -> Self {
        if logarithmic {
            Self::Logarithmic
        } else {
            Self::Linear
        }
    }

    /// Returns `true` if a number can be shown on such an axis.
    pub(crate) fn shows(self, value: f64) -> bool {
        value.is_finite() && (self == Self::Linear || value > 0.0)
    }
}

/// Minimum and maximum of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Extent {
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        values
            .map(|value| value.clamp(-LARGEST, LARGEST))
            .map(|value| Self {
                low: value,
                high: value,
            })
            .reduce(|a, b| Self {
                low: a.low.min(b.low),
                high: a.high.max(b.high),
            })
    }
}

/// The range of an axis. `low < high`, finite, positive if logarithmic, with ticks that are distinct as `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlotAxis {
    pub(crate) scale: AxisScale,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl PlotAxis {
    /// Returns an axis for data. Data that are constant within rounding get a range around their value; `padded` adds margins at both ends; ranges below
    /// `noise_floor` count as constant.
    pub(crate) fn around(
        data: Option<Extent>,
        scale: AxisScale,
        padded: bool,
        noise_floor: f64,
    ) -> Self {
        match scale {
            AxisScale::Linear => Self::linear(data, padded, noise_floor),
            AxisScale::Logarithmic => Self::logarithmic(data, padded),
        }
    }

    fn linear(data: Option<Extent>, padded: bool, noise_floor: f64) -> Self {
        let scale = AxisScale::Linear;
        let Some(Extent { low, high }) = data else {
            return Self {
                scale,
                low: 0.0,
                high: 1.0,
            };
        };
        let size = low.abs().max(high.abs());
        let floor = if noise_floor.is_finite() {
            noise_floor.max(SMALLEST_SPAN)
        } else {
            SMALLEST_SPAN
        };
        if size <= floor {
            let half = size.max(1.0);
            return Self {
                scale,
                low: -half,
                high: half,
            };
        }
        let span = high - low;
        if span <= floor || span <= RELATIVE_FLOOR * size {
            let middle = low + span / 2.0;
            return Self {
                scale,
                low: middle - 0.1 * size,
                high: middle + 0.1 * size,
            };
        }
        let margin = if padded { MARGIN * span } else { 0.0 };
        Self {
            scale,
            low: low - margin,
            high: high + margin,
        }
    }

    fn logarithmic(data: Option<Extent>, padded: bool) -> Self {
        let scale = AxisScale::Logarithmic;
        let Some(Extent { low, high }) = data else {
            return Self {
                scale,
                low: 0.1,
                high: 10.0,
            };
        };
        let [low, high] = [low, high].map(|end| end.clamp(1.0 / LARGEST_LOG, LARGEST_LOG));
        if high < 1.01 * low {
            return Self {
                scale,
                low: low / 2.0,
                high: high * 2.0,
            };
        }
        let margin = if padded {
            (MARGIN * (high.ln() - low.ln())).exp()
        } else {
            1.0
        };
        Self {
            scale,
            low: low / margin,
            high: high * margin,
        }
    }

    /// Returns the axis between two requested ends, if it is valid.
    pub(crate) fn between(ends: (f64, f64), scale: AxisScale) -> Option<Self> {
        let (low, high) = (ends.0.min(ends.1), ends.0.max(ends.1));
        let least = match scale {
            AxisScale::Linear => -LARGEST,
            AxisScale::Logarithmic => 1.0 / LARGEST,
        };
        let drawable = least <= low && high <= LARGEST;
        let apart = high - low > (1e-12 * low.abs().max(high.abs())).max(SMALLEST_SPAN);
        (drawable && apart).then_some(Self { scale, low, high })
    }

    /// The relative position of a value: 0 at the low end, 1 at the high end, and beyond for values outside.
    pub(crate) fn place(&self, value: f64) -> f64 {
        match self.scale {
            AxisScale::Linear => (value - self.low) / (self.high - self.low),
            AxisScale::Logarithmic => {
                (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln())
            }
        }
    }

    /// Returns at most `most` ticks.
    pub(crate) fn ticks(&self, most: usize) -> Ticks {
        match self.scale {
            AxisScale::Linear => Ticks::linear(self.low, self.high, most),
            AxisScale::Logarithmic => Ticks::logarithmic(self.low, self.high, most),
        }
    }

    /// Returns an axis with the same centre, `factor ≥ 1` times as wide.
    pub(crate) fn widened(&self, factor: f64) -> Self {
        let extra = (self.high - self.low) * (factor - 1.0) / 2.0;
        let (low, high) = (self.low - extra, self.high + extra);
        Self::between((low, high), self.scale).unwrap_or(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn around(low: f64, high: f64) -> PlotAxis {
        PlotAxis::around(Some(Extent { low, high }), AxisScale::Linear, true, 1e-12)
    }

    #[test]
    fn data_has_a_margin_at_both_ends() {
        let axis = around(0.0, 10.0);
        assert_eq!((axis.low, axis.high), (-0.5, 10.5));
    }

    #[test]
    fn rounding_noise_about_zero_is_shown_as_zero() {
        let axis = around(-3e-17, 5e-17);
        assert_eq!((axis.low, axis.high), (-1.0, 1.0));
    }

    #[test]
    fn rounding_noise_about_a_value_is_shown_as_that_value() {
        let axis = around(20.0 - 4e-15, 20.0 + 4e-15);
        assert!(
            (axis.low - 18.0).abs() < 1e-9 && (axis.high - 22.0).abs() < 1e-9,
            "{axis:?}"
        );
    }

    #[test]
    fn small_data_is_shown_when_the_noise_floor_is_lowered() {
        let axis = PlotAxis::around(
            Some(Extent {
                low: 0.0,
                high: 1e-17,
            }),
            AxisScale::Linear,
            false,
            0.0,
        );
        assert_eq!((axis.low, axis.high), (0.0, 1e-17));
    }

    #[test]
    fn requested_limits_may_be_in_either_order_but_must_differ() {
        let axis = PlotAxis::between((5.0, -1.0), AxisScale::Linear).unwrap();
        assert_eq!((axis.low, axis.high), (-1.0, 5.0));
        for ends in [(1.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert_eq!(PlotAxis::between(ends, AxisScale::Linear), None);
        }
        assert_eq!(PlotAxis::between((0.0, 1.0), AxisScale::Logarithmic), None);
    }

    #[test]
    fn a_logarithmic_axis_maps_equal_ratios_to_equal_distances() {
        let axis = PlotAxis::between((1.0, 1e4), AxisScale::Logarithmic).unwrap();
        assert!((axis.place(100.0) - 0.5).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn any_data_gives_an_axis_with_ticks(a in any::<f64>(), b in any::<f64>(), log in any::<bool>(), padded in any::<bool>(), floor in any::<f64>()) {
            let scale = AxisScale::new(log);
            let data = Extent::of([a, b].into_iter().filter(|v| scale.shows(*v)));
            let axis = PlotAxis::around(data, scale, padded, floor);
            prop_assert!(axis.low < axis.high && axis.low.is_finite() && axis.high.is_finite());
            prop_assert!(!log || axis.low > 0.0);
            let ticks = axis.ticks(9);
            prop_assert!((2..=9).contains(&ticks.major.len()), "{axis:?} {ticks:?}");
            if let Some(Extent { low, high }) = data {
                let [low, high] = if log { [low, high].map(|end| end.clamp(1e-250, 1e250)) } else { [low, high] };
                prop_assert!(axis.low <= low && high <= axis.high);
            }
        }
    }
}
