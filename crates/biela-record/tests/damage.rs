//! Truncated, modified or crafted files: complete chunks are read, everything else is rejected, and nothing panics.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may fail loudly"
)]

use std::{fs, path::Path, sync::LazyLock};

use biela_record::{Results, Tail, WriterOptions};
use proptest::prelude::*;

mod common;
use common::{recorded, time, values};

/// Rows 0 to `rows`, in the order and with the bits that were recorded.
fn is_a_prefix(results: &Results) -> bool {
    let (Some(times), Some(first), Some(second)) =
        (results.series(0), results.series(1), results.series(2))
    else {
        return results.rows() == 0;
    };
    let rows = results.rows() as usize;
    [times, first, second].iter().all(|c| c.len() == rows)
        && (0..results.rows() as u32).all(|row| {
            let (i, [a, b]) = (row as usize, values(row));
            times[i] == time(row) && first[i] == a && second[i].to_bits() == b.to_bits()
        })
}

/// A file of three chunks and the places where they end, schema first.
fn sample(dir: &Path) -> (Vec<u8>, Vec<usize>) {
    let small = WriterOptions {
        chunk_rows: 3,
        ..WriterOptions::default()
    };
    let bytes = fs::read(recorded(dir, 8, small)).unwrap();
    let mut ends = Vec::new();
    for rows in [0, 3, 6, 8] {
        let length = fs::read(recorded(dir, rows, small)).unwrap().len();
        ends.push(length - 8);
    }
    (bytes, ends)
}

#[test]
fn a_file_truncated_at_any_byte_opens_with_its_complete_chunks() {
    let dir = tempfile::tempdir().unwrap();
    let (bytes, ends) = sample(dir.path());
    for cut in 0..bytes.len() {
        let results = Results::from_bytes(&bytes[..cut]).unwrap();
        let chunks = ends.iter().skip(1).filter(|&&end| end <= cut).count();
        assert_eq!(results.rows(), [0, 3, 6, 8][chunks], "cut at {cut}");
        assert_eq!(results.tail(), &Tail::Cut, "cut at {cut}");
        assert_eq!(!results.columns().is_empty(), cut >= ends[0]);
        assert!(is_a_prefix(&results));
    }
}

#[test]
fn a_run_killed_before_its_schema_still_has_its_columns() {
    let dir = tempfile::tempdir().unwrap();
    let data = recorded(dir.path(), 0, WriterOptions::default());
    fs::write(&data, [0xff; 5]).unwrap();
    let results = Results::open(dir.path()).unwrap();
    assert_eq!((results.columns().len(), results.rows()), (3, 0));
    assert_eq!(results.column("crank.angle"), Some(&[][..]));
}

#[test]
fn a_tail_of_zeros_is_not_read_as_results() {
    let dir = tempfile::tempdir().unwrap();
    let (mut bytes, ends) = sample(dir.path());
    // The body of the second chunk, as a power cut may leave it.
    bytes[ends[2] - 64..].fill(0);
    let results = Results::from_bytes(&bytes).unwrap();
    assert_eq!(results.rows(), 3);
    assert!(matches!(results.tail(), Tail::Damaged(_)));
}

#[test]
fn any_single_changed_byte_is_detected_or_harmless() {
    let dir = tempfile::tempdir().unwrap();
    let (bytes, _) = sample(dir.path());
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= flip;
            if let Ok(results) = Results::from_bytes(&changed) {
                assert!(is_a_prefix(&results), "byte {at} ^ {flip:#x}");
                assert!(!results.is_complete(), "byte {at} ^ {flip:#x}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn changed_files_are_read_without_a_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        cut in any::<prop::sample::Index>(),
        cuts in any::<bool>(),
    ) {
        static SAMPLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
            let dir = tempfile::tempdir().unwrap();
            sample(dir.path()).0
        });
        let mut bytes = SAMPLE.clone();
        for (at, value) in &changes {
            let at = at.index(bytes.len());
            bytes[at] = *value;
        }
        if cuts {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(results) = Results::from_bytes(&bytes) {
            for i in 0..results.columns().len() {
                prop_assert_eq!(results.series(i).unwrap().len() as u64, results.rows());
            }
        }
    }

    #[test]
    fn random_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), starts_well in any::<bool>()) {
        let mut file = Vec::new();
        if starts_well {
            file.extend([0xff; 4]);
            file.extend((bytes.len() as u32 / 2).to_le_bytes());
        }
        file.extend(bytes);
        if let Ok(results) = Results::from_bytes(&file) {
            prop_assert_eq!(results.rows(), 0);
        }
    }
}
