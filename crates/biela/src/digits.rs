//! Formatting of numbers.

/// Formats a number with at most `most` significant digits, without trailing zeros: `0.0312`, `412`, `1.3e-9`.
///
/// ```
/// assert_eq!(biela::digits(-12.345_67, 4), "-12.35");
/// assert_eq!(biela::digits(1.3e-9, 4), "1.3e-9");
/// ```
pub fn digits(x: f64, most: usize) -> String {
    // a cancellation error far below any meaningful value
    if x.abs() < 1e-99 {
        return "0".to_owned();
    }
    if !x.is_finite() {
        return x.to_string();
    }
    let exponent = x.abs().log10().floor();
    if (-4.0..7.0).contains(&exponent) {
        let decimals = (most as f64 - 1.0 - exponent).max(0.0) as usize;
        let text = format!("{x:.decimals$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    } else {
        let text = format!("{x:.*e}", most.min(4) / 2);
        text.replace("0e", "e")
            .replace("0e", "e")
            .replace(".e", "e")
    }
}
