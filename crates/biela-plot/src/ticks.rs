//! Ticks of an axis and their labels.
//!
//! A linear tick is n·10ᵉ with integer n and a step of 1, 2 or 5 (on a very short axis also 4) times 10ᵉ. Labels are generated from the integer, so they are
//! exact, have the same number of decimals, and differ whenever the ticks do.

/// A labelled tick.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

/// All ticks of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ticks {
    pub(crate) major: Vec<Tick>,
    pub(crate) minor: Vec<f64>,
    /// The multiplier and offset of all labels, such as `×10³`, if the numbers would be long.
    pub(crate) note: Option<String>,
}

/// n·10ᵉ, rounded once.
fn scaled(n: i64, exponent: i32) -> f64 {
    let n = n as f64;
    if exponent >= 0 {
        n * 10_f64.powi(exponent)
    } else {
        n / 10_f64.powi(-exponent)
    }
}

/// Tolerance for a tick beyond the end of an axis, in steps, to compensate rounding.
const SLACK: f64 = 1e-6;

/// The integer multiples of a step on the axis.
fn multiples(low: f64, high: f64, step: f64) -> (i64, i64) {
    (
        (low / step - SLACK).ceil() as i64,
        (high / step + SLACK).floor() as i64,
    )
}

impl Ticks {
    /// Ticks with the given names, where they lie on the axis.
    pub(crate) fn named(names: &[(f64, String)], low: f64, high: f64) -> Self {
        let visible = names
            .iter()
            .filter(|(value, _)| (low..=high).contains(value));
        let major = visible.map(|(value, label)| Tick {
            value: *value,
            label: label.clone(),
        });
        Self {
            major: major.collect(),
            ..Self::default()
        }
    }

    /// At most `most` (at least 2) ticks on a linear axis, with the smallest possible step. `low < high`, finite, and far enough apart for distinct ticks (see
    /// `Axis`).
    pub(crate) fn linear(low: f64, high: f64, most: usize) -> Self {
        let most = most.max(2) as i64;
        let decade = ((high - low) / most as f64).log10().floor() as i32 - 1;
        let fitting = |mantissas: &[i64]| {
            let steps = (decade..decade + 4).flat_map(|e| mantissas.iter().map(move |&m| (m, e)));
            steps
                .map(|(m, e)| (m, e, multiples(low, high, scaled(m, e))))
                .find(|(_, _, (first, last))| last - first < most)
        };
        let usual = fitting(&[1, 2, 5]);
        let few = usual.is_none_or(|(_, _, (first, last))| last - first < 2);
        // with space for very few ticks, steps of 4 may give more than one
        let chosen = if few { fitting(&[1, 2, 4, 5]) } else { usual };
        chosen.map_or_else(Self::default, |(m, e, (first, last))| {
            Self::at_multiples(low, high, m, e, first..=last)
        })
    }

    fn at_multiples(
        low: f64,
        high: f64,
        mantissa: i64,
        exponent: i32,
        range: std::ops::RangeInclusive<i64>,
    ) -> Self {
        let numbers: Vec<i64> = range.map(|k| k * mantissa).collect();
        let (labels, note) = labels(&numbers, exponent);
        let major = numbers
            .iter()
            .zip(labels)
            .map(|(&n, label)| Tick {
                value: scaled(n, exponent),
                label,
            })
            .collect();
        // minor steps are a fifth of 1 and 5, a quarter of 2 and 4: again round numbers
        let per_major = if mantissa % 2 == 0 { 4 } else { 5 };
        let fine = 10 * mantissa / per_major;
        let (first, last) = multiples(low, high, scaled(fine, exponent - 1));
        let minor = (first..=last)
            .filter(|k| k % per_major != 0)
            .map(|k| scaled(k * fine, exponent - 1))
            .collect();
        Self { major, minor, note }
    }

    /// At most `most` ticks on a logarithmic axis, `0 < low < high`: decades, or 1-2-5 or 1-3 within few decades, or linear ticks within a smaller range.
    pub(crate) fn logarithmic(low: f64, high: f64, most: usize) -> Self {
        let most = most.max(2);
        let (first, last) = multiples(low.log10(), high.log10(), 1.0);
        let decades = (last - first + 1).max(0) as usize;
        if decades < 3 {
            let loose = in_decades(low, high, first, last, &[1, 3]);
            let close = in_decades(low, high, first, last, &[1, 2, 5]);
            if close.len() < 3 {
                return Self::linear(low, high, most);
            }
            let chosen = [close, loose]
                .into_iter()
                .find(|ticks| (3..=most).contains(&ticks.len()));
            if let Some(major) = chosen {
                let minor = ones_to_nines(low, high, first, last);
                return Self {
                    major,
                    minor,
                    note: None,
                };
            }
        }
        let stride = decades.div_ceil(most).max(1) as i64;
        let (on, between): (Vec<i64>, Vec<i64>) =
            (first..=last).partition(|e| e.rem_euclid(stride) == 0);
        let major = on
            .iter()
            .map(|&e| Tick {
                value: scaled(1, e as i32),
                label: format!("10{}", superscript(e as i32)),
            })
            .collect();
        let minor = if stride == 1 {
            ones_to_nines(low, high, first, last)
        } else {
            between.iter().map(|&e| scaled(1, e as i32)).collect()
        };
        Self {
            major,
            minor,
            note: None,
        }
    }
}

/// Some numbers from 1 to 9 in every decade of a logarithmic axis.
fn in_decades(low: f64, high: f64, first: i64, last: i64, numbers: &[i64]) -> Vec<Tick> {
    (first - 1..=last)
        .flat_map(|e| numbers.iter().map(move |&n| (n, e as i32)))
        .map(|(n, e)| Tick {
            value: scaled(n, e),
            label: brief(n, e),
        })
        .filter(|tick| (low..=high).contains(&tick.value))
        .collect()
}

/// 2 to 9 in every decade of a logarithmic axis.
fn ones_to_nines(low: f64, high: f64, first: i64, last: i64) -> Vec<f64> {
    (first - 1..=last)
        .flat_map(|e| (2..=9).map(move |n| scaled(n, e as i32)))
        .filter(|value| (low..=high).contains(value))
        .collect()
}

/// With more digits the labels are relative to an offset.
const MOST_DIGITS: i32 = 6;

/// With more decimals the labels have a multiplier.
const MOST_DECIMALS: i32 = 5;

/// The labels of the numbers n·10ᵉ, and their multiplier and offset.
fn labels(numbers: &[i64], exponent: i32) -> (Vec<String>, Option<String>) {
    let largest = |numbers: &[i64]| numbers.iter().map(|n| n.unsigned_abs()).max().unwrap_or(0);
    // an axis has fewer than 10 steps of at most 5, so that an offset at the nearest hundred leaves two digits
    let middle = numbers.get(numbers.len() / 2).copied().unwrap_or(0);
    let offset = if digits(largest(numbers)) > MOST_DIGITS {
        (middle + 50).div_euclid(100) * 100
    } else {
        0
    };
    let numbers: Vec<i64> = numbers.iter().map(|n| n - offset).collect();
    let magnitude = digits(largest(&numbers)) - 1 + exponent;
    let multiplier = if (-2..4).contains(&magnitude) && -exponent <= MOST_DECIMALS {
        0
    } else {
        magnitude.div_euclid(3) * 3
    };
    let labels = numbers
        .iter()
        .map(|&n| decimal(n, exponent - multiplier))
        .collect();

    let times = (multiplier != 0).then(|| format!("×10{}", superscript(multiplier)));
    let plus = (offset != 0).then(|| {
        let sign = if offset < 0 { '−' } else { '+' };
        format!("{sign} {}", brief(offset.abs(), exponent))
    });
    let note = [times, plus]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ");
    (labels, (!note.is_empty()).then_some(note))
}

fn digits(n: u64) -> i32 {
    n.checked_ilog10().map_or(1, |log| log as i32 + 1)
}

/// n·10ᵉ in full, with −e decimals if e is negative.
fn decimal(n: i64, exponent: i32) -> String {
    let sign = if n < 0 { "−" } else { "" };
    let mut figures = n.unsigned_abs().to_string();
    if exponent >= 0 {
        if n != 0 {
            figures.extend(std::iter::repeat_n('0', exponent as usize));
        }
        return format!("{sign}{figures}");
    }
    let decimals = exponent.unsigned_abs() as usize;
    let whole = figures.len().saturating_sub(decimals);
    let zeros = "0".repeat((decimals + 1).saturating_sub(figures.len()));
    let (whole, fraction) = figures.split_at(whole);
    format!(
        "{sign}{}{whole}.{}{fraction}",
        &zeros[..zeros.len().min(1)],
        &zeros[zeros.len().min(1)..]
    )
}

/// n·10ᵉ in the shortest form: in full, or d.d×10ᵉ if far from one.
fn brief(n: i64, exponent: i32) -> String {
    let (mut n, mut exponent) = (n, exponent);
    while n != 0 && n % 10 == 0 {
        n /= 10;
        exponent += 1;
    }
    let magnitude = digits(n.unsigned_abs()) - 1 + exponent;
    if (-4..6).contains(&magnitude) {
        return decimal(n, exponent);
    }
    let mantissa = decimal(n, exponent - magnitude);
    format!("{mantissa}×10{}", superscript(magnitude))
}

fn superscript(n: i32) -> String {
    n.to_string()
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            '4' => '⁴',
            '5' => '⁵',
            '6' => '⁶',
            '7' => '⁷',
            '8' => '⁸',
            '9' => '⁹',
            _ => '⁰',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels_of(ticks: &Ticks) -> Vec<&str> {
        ticks.major.iter().map(|t| t.label.as_str()).collect()
    }

    /// The number that a label and the note of its axis represent.
    fn read(label: &str, note: Option<&str>) -> f64 {
        fn ascii(text: &str) -> String {
            let plain = text.replace('−', "-").replace(' ', "");
            plain
                .chars()
                .map(|c| {
                    "⁰¹²³⁴⁵⁶⁷⁸⁹"
                        .chars()
                        .position(|s| s == c)
                        .map_or(c, |d| (b'0' + d as u8) as char)
                })
                .collect()
        }
        fn number(text: &str) -> f64 {
            let (mantissa, exponent) = match text.split_once("10⁻") {
                Some((m, e)) => (m, format!("-{}", ascii(e))),
                None => match text
                    .split_once("×10")
                    .or_else(|| text.strip_prefix("10").map(|e| ("1", e)))
                {
                    Some((m, e))
                        if !e.starts_with(|c: char| c.is_ascii_digit() || c == '.')
                            && !e.is_empty() =>
                    {
                        (m, ascii(e))
                    }
                    _ => (text, String::from("0")),
                },
            };
            let mantissa = ascii(mantissa.trim_end_matches('×'));
            let mantissa = if mantissa.is_empty() { "1" } else { &mantissa };
            format!("{mantissa}e{exponent}")
                .parse()
                .unwrap_or_else(|_| panic!("cannot read {text}"))
        }
        let (mut factor, mut offset) = (1.0, 0.0);
        if let Some(note) = note {
            let (times, plus) = match note.find(['+', '−']) {
                Some(at) => note.split_at(at),
                None => (note, ""),
            };
            if !times.trim().is_empty() {
                factor = number(times.trim());
            }
            if let Some(rest) = plus.strip_prefix('+') {
                offset = number(rest.trim());
            } else if let Some(rest) = plus.strip_prefix('−') {
                offset = -number(rest.trim());
            }
        }
        number(label) * factor + offset
    }

    #[test]
    fn a_plain_range_gets_plain_numbers() {
        let ticks = Ticks::linear(0.0, 1.0, 6);
        assert_eq!(
            labels_of(&ticks),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(ticks.note, None);
        assert_eq!(ticks.minor.len(), 15);
    }

    #[test]
    fn a_very_short_axis_may_have_steps_of_four() {
        let ticks = Ticks::linear(-4.4, 4.4, 3);
        assert_eq!(labels_of(&ticks), ["−4", "0", "4"]);
        assert_eq!(ticks.minor, [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn negative_numbers_have_a_typographic_minus_sign() {
        assert_eq!(
            labels_of(&Ticks::linear(-25.0, 25.0, 6)),
            ["−20", "−10", "0", "10", "20"]
        );
    }

    #[test]
    fn large_and_small_numbers_share_an_engineering_multiplier() {
        let large = Ticks::linear(0.0, 61_000.0, 8);
        assert_eq!(labels_of(&large), ["0", "10", "20", "30", "40", "50", "60"]);
        assert_eq!(large.note.as_deref(), Some("×10³"));
        let small = Ticks::linear(0.0, 2.1e-5, 5);
        assert_eq!(labels_of(&small), ["0", "5", "10", "15", "20"]);
        assert_eq!(small.note.as_deref(), Some("×10⁻⁶"));
    }

    #[test]
    fn a_narrow_range_far_from_zero_has_an_offset() {
        let ticks = Ticks::linear(9_806_650.0, 9_806_650.4, 5);
        assert_eq!(labels_of(&ticks), ["0.0", "0.1", "0.2", "0.3", "0.4"]);
        assert_eq!(ticks.note.as_deref(), Some("+ 9.80665×10⁶"));
        let below = Ticks::linear(-1.000_002, -1.000_001_6, 5);
        assert_eq!(below.note.as_deref(), Some("×10⁻⁶ − 1"));
    }

    #[test]
    fn decades_are_powers_of_ten() {
        let ticks = Ticks::logarithmic(0.5e-3, 2e2, 8);
        assert_eq!(
            labels_of(&ticks),
            ["10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹", "10²"]
        );
        let many = Ticks::logarithmic(1e-16, 1.0, 6);
        assert_eq!(
            labels_of(&many),
            ["10⁻¹⁵", "10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "10⁰"]
        );
        assert_eq!(
            labels_of(&Ticks::logarithmic(0.9, 60.0, 8)),
            ["1", "2", "5", "10", "20", "50"]
        );
        assert_eq!(
            labels_of(&Ticks::logarithmic(2.0, 4.0, 5)),
            ["2.0", "2.5", "3.0", "3.5", "4.0"]
        );
    }

    fn ends() -> impl Strategy<Value = (f64, f64)> {
        let mantissa = -1.0..1.0_f64;
        let wide = (mantissa.clone(), mantissa, -200..200_i32)
            .prop_map(|(a, b, e)| (a * 10_f64.powi(e), b * 10_f64.powi(e)));
        let narrow = (-1e9..1e9_f64, 1e-8..1.0_f64)
            .prop_map(|(at, relative)| (at, at + relative * at.abs().max(1.0)));
        prop_oneof![wide, narrow]
            .prop_map(|(a, b)| (a.min(b), a.max(b)))
            .prop_filter("apart", |(a, b)| b - a > 1e-9 * a.abs().max(b.abs()))
    }

    proptest! {
        #[test]
        fn linear_ticks_span_the_axis_in_even_round_steps((low, high) in ends(), most in 8..=10_usize) {
            let ticks = Ticks::linear(low, high, most);
            let values: Vec<f64> = ticks.major.iter().map(|t| t.value).collect();
            prop_assert!((3..=most).contains(&values.len()), "{} ticks", values.len());
            let step = (values[values.len() - 1] - values[0]) / (values.len() - 1) as f64;
            prop_assert!(values[0] > low - 1e-5 * step && values[0] - low < 1.001 * step);
            prop_assert!(values[values.len() - 1] < high + 1e-5 * step && high - values[values.len() - 1] < 1.001 * step);
            for minor in &ticks.minor {
                prop_assert!(*minor > low - 1e-5 * step && *minor < high + 1e-5 * step);
            }
        }

        #[test]
        fn a_label_with_its_note_reads_as_the_value_of_the_tick((low, high) in ends(), most in 2..=10_usize) {
            let ticks = Ticks::linear(low, high, most);
            prop_assert!(ticks.major.len() <= most);
            for (i, tick) in ticks.major.iter().enumerate() {
                let told = read(&tick.label, ticks.note.as_deref());
                prop_assert!((told - tick.value).abs() <= 1e-9 * (high - low) + 4.0 * f64::EPSILON * tick.value.abs(),
                    "{} {:?} is not {}", tick.label, ticks.note, tick.value);
                prop_assert!(tick.label.chars().count() <= 8, "{}", tick.label);
                prop_assert!(ticks.major[..i].iter().all(|other| other.label != tick.label));
            }
            let decimals = |label: &str| label.split_once('.').map_or(0, |(_, fraction)| fraction.len());
            prop_assert!(ticks.major.windows(2).all(|w| decimals(&w[0].label) == decimals(&w[1].label)));
        }

        #[test]
        fn logarithmic_ticks_lie_on_the_axis_and_read_as_their_value(low in -100.0..100.0_f64, decades in 0.01..60.0_f64, most in 4..=10_usize) {
            let (low, high) = (10_f64.powf(low), 10_f64.powf(low + decades));
            let ticks = Ticks::logarithmic(low, high, most);
            prop_assert!((2..=most).contains(&ticks.major.len()), "{} ticks", ticks.major.len());
            for (i, tick) in ticks.major.iter().enumerate() {
                prop_assert!(tick.value > low * (1.0 - 1e-5) && tick.value < high * (1.0 + 1e-5));
                let told = read(&tick.label, ticks.note.as_deref());
                prop_assert!((told / tick.value - 1.0).abs() < 1e-9, "{} is not {}", tick.label, tick.value);
                prop_assert!(ticks.major[..i].iter().all(|other| other.label != tick.label));
            }
        }
    }
}
