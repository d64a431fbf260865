//! Snapshots: the state of a run as a list of 64-bit words, bit for bit.
//!
//! One traversal of everything that a run changes serves both directions: it serialises the values, or restores them. The state of a type
//! is listed in one line, `keeps!`, beside it. Values that follow from the model and the arguments are not part of a snapshot.
//!
//! ```
//! use biela_core::keep::{Keep, Words};
//!
//! struct Counter {
//!     count: u64,
//!     last: f64,
//! }
//!
//! impl Keep for Counter {
//!     fn keep(&mut self, words: &mut Words) {
//!         self.count.keep(words);
//!         self.last.keep(words);
//!     }
//! }
//!
//! let mut counter = Counter { count: 3, last: 0.5 };
//! let snapshot = Words::of(&mut counter);
//! (counter.count, counter.last) = (9, 7.0);
//! assert!(Words::bring_back(snapshot, &mut counter));
//! assert_eq!((counter.count, counter.last), (3, 0.5));
//! ```

/// A type whose state can be serialised and restored.
pub trait Keep {
    /// Visits every value that changes in a run, in the same order each time.
    fn keep(&mut self, words: &mut Words);
}

/// A snapshot that is being written or read.
#[derive(Debug)]
pub struct Words {
    list: Vec<u64>,
    /// Index of the next word to read; `None` while writing.
    next: Option<usize>,
    fits: bool,
}

impl Words {
    /// Returns the snapshot of a state.
    pub fn of(state: &mut (impl Keep + ?Sized)) -> Vec<u64> {
        let mut words = Words {
            list: Vec::new(),
            next: None,
            fits: true,
        };
        state.keep(&mut words);
        words.list
    }

    /// Restores a snapshot. Returns `false` if the layout differs; the state is then unspecified.
    #[must_use]
    pub fn bring_back(mut list: Vec<u64>, state: &mut (impl Keep + ?Sized)) -> bool {
        Words::bring_back_again(&mut list, state)
    }

    /// The same for a snapshot that will be needed again.
    #[must_use]
    pub fn bring_back_again(list: &mut Vec<u64>, state: &mut (impl Keep + ?Sized)) -> bool {
        let mut words = Words {
            list: std::mem::take(list),
            next: Some(0),
            fits: true,
        };
        state.keep(&mut words);
        *list = words.list;
        words.fits && words.next == Some(list.len())
    }

    /// Writes a word, or returns its restored value.
    fn pass(&mut self, word: u64) -> u64 {
        match &mut self.next {
            None => {
                self.list.push(word);
                word
            }
            Some(next) => {
                let read = self.list.get(*next).copied();
                *next += 1;
                self.fits &= read.is_some();
                read.unwrap_or(word)
            }
        }
    }

    /// Writes a length, or checks that it is equal.
    fn length(&mut self, length: usize) {
        self.fits &= self.pass(length as u64) == length as u64;
    }

    /// Writes a length, or reads one that may differ but is limited by the number of remaining words.
    fn new_length(&mut self, length: usize, words_of: impl Fn(usize) -> usize) -> usize {
        let read = self.pass(length as u64);
        let Some(next) = self.next else {
            return length;
        };
        let left = self.list.len().saturating_sub(next);
        match usize::try_from(read) {
            Ok(read) if words_of(read) <= left => read,
            _ => {
                self.fits = false;
                0
            }
        }
    }

    /// Requires a condition of a restored state, without which the run cannot continue.
    pub fn require(&mut self, holds: bool) {
        self.fits &= holds;
    }

    /// Writes or reads a count or an index, which is at most `most`.
    fn count(&mut self, number: u64, most: u64) -> u64 {
        let read = self.pass(number);
        self.require(read <= most);
        read
    }

    /// Writes or reads a list that grows during a run; each of its items has at least one word.
    pub fn grown<T: Keep + Default>(&mut self, list: &mut Vec<T>) {
        let length = self.new_length(list.len(), |items| items);
        list.resize_with(length, T::default);
        for item in list {
            item.keep(self);
        }
    }
}

impl Keep for f64 {
    fn keep(&mut self, words: &mut Words) {
        *self = f64::from_bits(words.pass(self.to_bits()));
    }
}

impl Keep for bool {
    fn keep(&mut self, words: &mut Words) {
        *self = words.pass(u64::from(*self)) != 0;
    }
}

/// Larger than any count of a run.
const MOST: u64 = 1 << 48;

impl Keep for u64 {
    fn keep(&mut self, words: &mut Words) {
        *self = words.count(*self, MOST);
    }
}

impl Keep for usize {
    fn keep(&mut self, words: &mut Words) {
        *self = words.count(*self as u64, MOST) as usize;
    }
}

impl Keep for u32 {
    fn keep(&mut self, words: &mut Words) {
        *self = words.count(u64::from(*self), u64::from(u32::MAX / 2)) as u32;
    }
}

/// A text: its length in bytes, then eight bytes per word.
impl Keep for String {
    fn keep(&mut self, words: &mut Words) {
        let mut bytes = std::mem::take(self).into_bytes();
        let length = words.new_length(bytes.len(), |bytes| bytes.div_ceil(8));
        bytes.resize(length, 0);
        for eight in bytes.chunks_mut(8) {
            let mut word = [0; 8];
            word[..eight.len()].copy_from_slice(eight);
            let word = words.pass(u64::from_le_bytes(word)).to_le_bytes();
            eight.copy_from_slice(&word[..eight.len()]);
        }
        match String::from_utf8(bytes) {
            Ok(text) => *self = text,
            Err(_) => words.fits = false,
        }
    }
}

impl<T: Keep + ?Sized> Keep for Box<T> {
    fn keep(&mut self, words: &mut Words) {
        self.as_mut().keep(words);
    }
}

impl<T: Keep> Keep for [T] {
    fn keep(&mut self, words: &mut Words) {
        words.length(self.len());
        for item in self {
            item.keep(words);
        }
    }
}

impl<T: Keep> Keep for Vec<T> {
    fn keep(&mut self, words: &mut Words) {
        self.as_mut_slice().keep(words);
    }
}

impl<T: Keep, const N: usize> Keep for [T; N] {
    fn keep(&mut self, words: &mut Words) {
        self.as_mut_slice().keep(words);
    }
}

impl<A: Keep, B: Keep> Keep for (A, B) {
    fn keep(&mut self, words: &mut Words) {
        self.0.keep(words);
        self.1.keep(words);
    }
}

/// A value that may be absent at times.
impl<T: Keep + Default> Keep for Option<T> {
    fn keep(&mut self, words: &mut Words) {
        let mut there = self.is_some();
        there.keep(words);
        match (there, &mut *self) {
            (false, _) => *self = None,
            (true, Some(value)) => value.keep(words),
            (true, None) => self.insert(T::default()).keep(words),
        }
    }
}

/// Writes or reads an optional part that is present or absent in both directions.
pub(crate) fn keep_part<T: Keep>(part: &mut Option<T>, words: &mut Words) {
    words.length(usize::from(part.is_some()));
    if let Some(part) = part {
        part.keep(words);
    }
}

/// Lists the fields of a type that are its state. After a semicolon: parts that are present or absent depending on the arguments. After an arrow: conditions on
/// indices.
macro_rules! keeps {
    ($type:ty: $($field:ident),* $(; $($part:ident),+)? $(=> |$it:ident| $holds:expr)?) => {
        impl $crate::keep::Keep for $type {
            fn keep(&mut self, words: &mut $crate::keep::Words) {
                $($crate::keep::Keep::keep(&mut self.$field, words);)*
                $($($crate::keep::keep_part(&mut self.$part, words);)+)?
                $({
                    let $it = &*self;
                    let holds = $holds;
                    words.require(holds);
                })?
            }
        }
    };
}
pub(crate) use keeps;

#[cfg(test)]
mod tests {
    use super::*;

    struct Thing {
        x: f64,
        list: Vec<f64>,
        part: Option<(usize, bool)>,
        guest: Option<f64>,
        fixed: f64,
    }
    keeps!(Thing: x, list, guest; part);

    fn thing() -> Thing {
        Thing {
            x: -0.0,
            list: vec![f64::NAN, f64::MIN_POSITIVE, 1.0 / 3.0],
            part: Some((7, true)),
            guest: Some(2.5),
            fixed: 1.0,
        }
    }

    #[test]
    fn every_bit_is_restored() {
        let words = Words::of(&mut thing());
        let mut other = Thing {
            x: 1.0,
            list: vec![0.0; 3],
            part: Some((0, false)),
            guest: None,
            fixed: 2.0,
        };
        assert!(Words::bring_back(words.clone(), &mut other));
        assert_eq!(Words::of(&mut other), words);
        assert!(other.x.is_sign_negative() && other.part == Some((7, true)));
        assert_eq!(other.guest, Some(2.5));
        assert_eq!(other.fixed.to_bits(), 2.0_f64.to_bits());
    }

    #[derive(Default)]
    struct Diary {
        lines: Vec<(f64, String)>,
    }
    impl Keep for Diary {
        fn keep(&mut self, words: &mut Words) {
            words.grown(&mut self.lines);
        }
    }

    #[test]
    fn growing_lists_and_texts_are_restored() {
        let lines = ["", "impact", "ß – eight", "sixteen letters!"];
        let lines = lines.map(|text| (text.len() as f64, text.to_owned()));
        let mut diary = Diary {
            lines: lines.to_vec(),
        };
        let words = Words::of(&mut diary);
        assert_eq!(diary.lines, lines);
        let mut other = Diary::default();
        assert!(Words::bring_back(words.clone(), &mut other));
        assert_eq!(other.lines, lines);
        assert!(Words::bring_back(words, &mut diary));
        assert_eq!(diary.lines, lines);
    }

    #[test]
    fn lengths_beyond_the_end_of_a_snapshot_are_rejected() {
        for list in [
            vec![u64::MAX],
            vec![1 << 40, 0],
            vec![1, 0, u64::MAX],
            vec![1, 0, 9, 0],
            vec![1, 0, 1, 0xff],
        ] {
            assert!(!Words::bring_back(list, &mut Diary::default()));
        }
    }

    struct Pointer {
        list: Vec<f64>,
        at: usize,
    }
    keeps!(Pointer: list, at => |pointer| pointer.at < pointer.list.len());

    #[test]
    fn invalid_indices_and_counts_in_a_snapshot_are_rejected() {
        let mut pointer = Pointer {
            list: vec![1.0, 2.0],
            at: 1,
        };
        let words = Words::of(&mut pointer);
        assert!(Words::bring_back(words.clone(), &mut pointer));
        for wrong in [2, u64::MAX] {
            let mut words = words.clone();
            *words.last_mut().unwrap() = wrong;
            assert!(!Words::bring_back(words, &mut pointer));
        }
        assert!(!Words::bring_back(vec![u64::MAX], &mut 0_u64));
        assert!(!Words::bring_back(vec![1 << 31], &mut 0_u32));
    }

    #[test]
    fn a_snapshot_of_another_layout_is_rejected() {
        let words = Words::of(&mut thing());
        let mut longer = thing();
        longer.list.push(0.0);
        assert!(!Words::bring_back(words.clone(), &mut longer));
        let mut without = thing();
        without.part = None;
        assert!(!Words::bring_back(words.clone(), &mut without));
        assert!(!Words::bring_back(words[1..].to_vec(), &mut thing()));
        let mut more = words;
        more.push(0);
        assert!(!Words::bring_back(more, &mut thing()));
    }
}
