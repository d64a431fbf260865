//! Seeded changes of inputs, for tests without a fuzzer: what libFuzzer does, without its eyes.

use biela_core::math::Random;

/// Inputs made of seeds.
#[derive(Debug)]
pub struct Mutator<'s> {
    seeds: &'s [Vec<u8>],
    words: &'s [Vec<u8>],
    random: Random,
}

/// Inputs grow no longer than this.
const LONGEST: usize = 1 << 16;

impl<'s> Mutator<'s> {
    /// Changes of these seeds, with these words; the same for the same number.
    pub fn new(seeds: &'s [Vec<u8>], words: &'s [Vec<u8>], number: u64) -> Self {
        let random = Random::new(number);
        Mutator {
            seeds,
            words,
            random,
        }
    }

    /// The next input: a seed with one to eight changes.
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut bytes = self.pick(self.seeds).to_vec();
        for _ in 0..=self.random.below(8) {
            self.change(&mut bytes);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn pick<'l>(&mut self, list: &'l [Vec<u8>]) -> &'l [u8] {
        if list.is_empty() {
            return &[];
        }
        &list[self.random.below(list.len())]
    }

    /// A place from the start to the end, both included.
    fn place(&mut self, length: usize) -> usize {
        self.random.below(length + 1)
    }

    /// A stretch of some bytes, most often a short one.
    fn stretch(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.place(length);
        let most = 1 + self.random.below(64);
        start..(start + self.place(most)).min(length)
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let range = self.stretch(bytes.len());
        match self.random.below(8) {
            0 if !range.is_empty() => bytes[range.start] ^= 1 << self.random.below(8),
            1 if !range.is_empty() => bytes[range.start] = self.random.bits() as u8,
            2 => drop(bytes.drain(range)),
            3 => {
                let copy = bytes[range].to_vec();
                let at = self.place(bytes.len());
                drop(bytes.splice(at..at, copy));
            }
            4 => {
                let word = self.pick(self.words).to_vec();
                drop(bytes.splice(range.start..range.start, word));
            }
            5 => {
                let word = self.pick(self.words).to_vec();
                drop(bytes.splice(range, word));
            }
            6 => {
                let other = self.pick(self.seeds);
                let from = self.stretch(other.len());
                drop(bytes.splice(range, other[from].to_vec()));
            }
            _ => {
                let number = [
                    "0",
                    "-1",
                    "1e308",
                    "1e-320",
                    "nan",
                    "4294967296",
                    "18446744073709551615",
                ];
                let number = number[self.random.below(number.len())];
                drop(bytes.splice(range, number.bytes()));
            }
        }
    }
}

/// The words of a libFuzzer dictionary: a line each, in quotes, with `\\`, `\"` and `\xAB`.
pub fn dictionary(text: &str) -> Vec<Vec<u8>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(word).collect()
}

fn word(line: &str) -> Option<Vec<u8>> {
    let quoted = &line[line.find('"')? + 1..line.rfind('"')?];
    let mut bytes = Vec::new();
    let mut rest = quoted.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b'x' => {
                    let mut digit = || char::from(rest.next()?).to_digit(16);
                    (digit()? * 16 + digit()?) as u8
                }
                escaped => escaped,
            },
            byte => byte,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dictionary_is_read_with_its_escapes() {
        let text = "# names\n\"body\"\nquote=\"a\\\"b\"\n\"\\x00\\\\\"\n\n";
        let words: [&[u8]; 3] = [b"body", b"a\"b", b"\0\\"];
        assert_eq!(dictionary(text), words);
    }

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        let seeds = [b"format = 1".to_vec(), b"name".to_vec()];
        let make = |number| {
            let mut mutator = Mutator::new(&seeds, &[], number);
            (0..50).map(|_| mutator.next_input()).collect::<Vec<_>>()
        };
        assert_eq!(make(1), make(1));
        assert_ne!(make(1), make(2));
    }
}
