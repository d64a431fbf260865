//! Whatever the text, reading it ends, and errors point inside it.

use std::ops::Range;
use std::time::{Duration, Instant};

use biela_core::math::Jet;
use biela_model::expr::{Binding, ExprError, MAX_LENGTH, compile, parse};
use biela_model::units::Dimension;
use proptest::prelude::*;

/// Parses, compiles and evaluates; names resolve by their length to one kind of binding or another.
fn exercise(text: &str) -> Result<(), TestCaseError> {
    let inside = |error: &ExprError| {
        let Range { start, end } = error.span.clone();
        start <= end
            && end <= text.len()
            && text.is_char_boundary(start)
            && text.is_char_boundary(end)
    };
    let mut resolve = |name: &str| match name.len() % 4 {
        0 => Some(Binding::Constant {
            value: 0.5,
            dimension: None,
        }),
        1 => Some(Binding::Input {
            slot: 0,
            dimension: None,
        }),
        2 => Some(Binding::Input {
            slot: 1,
            dimension: Some(Dimension::LENGTH),
        }),
        _ => None,
    };
    let known = || vec!["crank".to_owned(), "rod".to_owned()];
    match parse(text).map(|ast| compile(&ast, &mut resolve, &known)) {
        Err(error) => prop_assert!(inside(&error), "{error:?}"),
        Ok(Err(errors)) => prop_assert!(
            !errors.is_empty() && errors.iter().all(inside),
            "{errors:?}"
        ),
        Ok(Ok(program)) => {
            let number = program.eval(0.3, &[1.5, -2.0]);
            let jet = program.eval(
                Jet::time(0.3),
                &[Jet::new(1.5, 1.0, 0.0), Jet::new(-2.0, 0.0, 1.0)],
            );
            let close = (number - jet.value).abs() <= 1e-9 * number.abs().max(1e-300);
            prop_assert!(
                close || number.is_nan() || !number.is_finite(),
                "{number} {jet:?}"
            );
            if let Some(constant) = program.constant() {
                prop_assert!(constant == number || constant.is_nan());
            }
        }
    }
    Ok(())
}

const SEEDS: [&str; 6] = [
    "5*sin(2*3.14159*t)*exp(-0.3*t)+100*(x-0.1)+2.5*v*abs(v)",
    "if(x > 5 mm and not (v < 0), step5(t, 0, 0, 1 s, 20 [N*m]), -v^2)",
    "'left-wheel'.x ? clamp(rod.A.x, -1, 1) : mod(t, 0.5) % 3",
    "-12.5e-3 m",
    "9.81 m/s^2",
    "min(1, 2, max(x, y)) == 3 or hypot(3 m, 4 m) >= 5 m",
];

proptest! {
    #[test]
    fn random_text_never_panics(text in "\\PC{0,80}") {
        exercise(&text)?;
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn random_pieces_of_the_language_never_panic(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "1", "2.5", "1e3", "t", "x", "yy", "pi", "sin(", "min(", "step5(", "if(", "(", ")", ",", "+", "-", "*",
                "/", "%", "^", "<", "==", "and ", "or ", "not ", "?", ":", " ", "mm", " m", "[N*m]", "[", "]", "'a-b'",
                ".", "5 m", "°", "²", "é",
            ]),
            0..60,
        ),
    ) {
        exercise(&pieces.concat())?;
    }

    #[test]
    fn mutated_formulas_never_panic(
        seed in 0..SEEDS.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<char>(), 0..3_u8), 0..6),
    ) {
        let mut letters: Vec<char> = SEEDS[seed].chars().collect();
        for (place, letter, action) in edits {
            let at = place.index(letters.len().max(1));
            match action {
                0 if at < letters.len() => { let _ = letters.remove(at); }
                1 if at < letters.len() => letters[at] = letter,
                _ => letters.insert(at.min(letters.len()), letter),
            }
        }
        exercise(&letters.into_iter().collect::<String>())?;
    }
}

#[test]
fn the_longest_text_of_any_kind_is_read_within_a_second() {
    for piece in [
        "(", "1+", "x*", "-", "x ", "'a", "1 m", "[", "°", "sin(", "q+", "min(q,", "a.", "2^",
        "1?2:", "x<", "é",
    ] {
        let text: String = piece.repeat(MAX_LENGTH / piece.len());
        let start = Instant::now();
        exercise(&text).unwrap();
        assert!(
            start.elapsed() < Duration::from_secs(1),
            "{piece} took {:?}",
            start.elapsed()
        );
    }
}
