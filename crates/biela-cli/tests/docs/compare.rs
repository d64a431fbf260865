//! Compares the output shown on a page with the output of a command.

/// Whether two printed numbers agree: to three digits, or both at the level of rounding.
fn same_number(a: &str, b: &str) -> bool {
    let number = |text: &str| {
        text.trim_matches(|c| "(),;".contains(c))
            .parse::<f64>()
            .ok()
    };
    let (Some(a), Some(b)) = (number(a), number(b)) else {
        return false;
    };
    a.abs().max(b.abs()) < 1e-9 || (a - b).abs() <= 2e-3 * a.abs().max(b.abs())
}

fn same_line(shown: &str, printed: &str) -> bool {
    const CLOCK: &str = "s wall-clock time";
    let (shown, printed) = (shown.trim_end(), printed.trim_end());
    if shown == printed || (shown.contains(CLOCK) && printed.contains(CLOCK)) {
        return true;
    }
    let (a, b): (Vec<_>, Vec<_>) = (
        shown.split_whitespace().collect(),
        printed.split_whitespace().collect(),
    );
    // where every word is the same, the spaces differ, and they point at something
    a != b && same_words(&a, &b)
}

fn same_words(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], []) => true,
        (["…", rest @ ..], _) => (0..=printed.len()).any(|k| same_words(rest, &printed[k..])),
        ([a, shown @ ..], [b, printed @ ..]) => {
            (a == b || same_number(a, b)) && same_words(shown, printed)
        }
        _ => false,
    }
}

/// Whether the lines shown are the lines printed; `…` stands for any lines, or for any words of a line.
pub(crate) fn same_lines(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], []) => true,
        (["…", rest @ ..], _) => (0..=printed.len()).any(|k| same_lines(rest, &printed[k..])),
        ([a, shown @ ..], [b, printed @ ..]) => same_line(a, b) && same_lines(shown, printed),
        _ => false,
    }
}

#[test]
fn a_line_is_compared_by_its_words_and_numbers() {
    for (shown, printed, same) in [
        ("a 1.5 m", "a 1.5 m", true),
        (
            "off by 1.2e-14 (position)",
            "off by 9.9e-15 (position)",
            true,
        ),
        ("off by 1.2e-4", "off by 9.9e-5", false),
        ("361 steps", "362 steps", false),
        ("  ^^^", " ^^^", false),
        ("  0.1 s wall-clock time", "  0.2 s wall-clock time", true),
        ("one two", "one", false),
        ("off by … m", "off by 3 m", true),
    ] {
        assert_eq!(same_line(shown, printed), same, "{shown:?} {printed:?}");
    }
    assert!(same_lines(&["a", "…", "c"], &["a", "b", "b", "c"]));
    assert!(!same_lines(&["a", "…", "c"], &["a", "b"]));
}
