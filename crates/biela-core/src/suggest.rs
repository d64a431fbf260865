//! Spelling suggestions: the candidate most similar to a misspelt word.
//!
//! The metric is the optimal string alignment variant of the Damerau–Levenshtein distance: the smallest number of insertions, deletions, substitutions and
//! transpositions of adjacent characters that turns one word into the other, ignoring case.

/// Longer words are not compared, because the cost is quadratic.
const LONGEST: usize = 64;

/// Further candidates are not compared, to bound the time in a very large model.
const MOST_COMPARED: usize = 5000;

/// Returns the candidate most similar to `word`, if it is similar enough.
///
/// The cutoff grows with length: one edit in a word of three letters, about one in every three letters after that. A tie is resolved in favour of the first
/// candidate, so the result is deterministic.
///
/// ```
/// use biela_core::suggest::did_you_mean;
///
/// let joints = ["revolute", "prismatic", "spherical"];
/// assert_eq!(did_you_mean("revolut", joints), Some("revolute"));
/// assert_eq!(did_you_mean("PRISMATIC", joints), Some("prismatic"));
/// assert_eq!(did_you_mean("banana", joints), None);
/// ```
pub fn did_you_mean<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let word = folded(word)?;
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().take(MOST_COMPARED) {
        let Some(letters) = folded(candidate) else {
            continue;
        };
        let cutoff = word.len().max(letters.len()) / 3;
        if word.len().abs_diff(letters.len()) > cutoff {
            continue;
        }
        let distance = distance(&word, &letters);
        if distance <= cutoff && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The characters in lower case, or `None` if the word is too long to compare.
fn folded(word: &str) -> Option<Vec<char>> {
    let letters: Vec<char> = word
        .chars()
        .flat_map(char::to_lowercase)
        .take(LONGEST + 1)
        .collect();
    (letters.len() <= LONGEST).then_some(letters)
}

/// The distance of two words, computed from three rows of the table d(i, j).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_previous = vec![0; b.len() + 1];
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    let mut current = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        current[0] = i;
        for j in 1..=b.len() {
            let replace = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replace.min(previous[j] + 1).min(current[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before_previous[j - 2] + 1);
            }
            current[j] = least;
        }
        std::mem::swap(&mut before_previous, &mut previous);
        std::mem::swap(&mut previous, &mut current);
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(a: &str, b: &str) -> usize {
        distance(
            &a.chars().collect::<Vec<_>>(),
            &b.chars().collect::<Vec<_>>(),
        )
    }

    #[test]
    fn distances_match_hand_counted_edits() {
        for (a, b, edits) in [
            ("", "", 0),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("mass", "msas", 1),
            ("ca", "abc", 3),
            ("gravity", "gravity", 0),
        ] {
            assert_eq!(between(a, b), edits, "{a} {b}");
            assert_eq!(between(b, a), edits, "{b} {a}");
        }
    }

    #[test]
    fn a_tie_goes_to_the_first_candidate() {
        assert_eq!(did_you_mean("bat", ["cat", "hat"]), Some("cat"));
        assert_eq!(did_you_mean("bat", ["hat", "cat"]), Some("hat"));
    }

    #[test]
    fn the_nearest_beats_the_first() {
        assert_eq!(did_you_mean("pionts", ["joints", "points"]), Some("points"));
    }

    #[test]
    fn a_short_word_gets_no_unrelated_suggestion() {
        assert_eq!(did_you_mean("x", ["y"]), None);
        assert_eq!(did_you_mean("on", ["to"]), None);
        assert_eq!(did_you_mean("", ["a"]), None);
    }

    #[test]
    fn a_very_long_word_gets_no_suggestion() {
        let long = "a".repeat(1_000_000);
        assert_eq!(did_you_mean(&long, ["a"]), None);
        assert_eq!(did_you_mean("a", [long.as_str()]), None);
    }
}
