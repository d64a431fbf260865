//! Checkpoints: any bytes are safe to read, and a run resumed from any row gives the same bytes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::{fs, path::Path};

use biela_record::{
    CSV_FILE, Checkpoint, DATA_FILE, FileMark, RecordError, Resuming, RunOutcome, RunStatus,
    Writer, WriterOptions,
    checkpoint::{CHECKPOINT_FILE, waiting},
};
use common::{header, recorded, started, time, values};
use proptest::prelude::*;

const ROWS: u32 = 300;

fn with_csv() -> WriterOptions {
    WriterOptions {
        csv: true,
        ..WriterOptions::default()
    }
}

/// A checkpoint of a writer as it is now.
fn checkpoint(writer: &Writer, row: u32) -> Checkpoint {
    Checkpoint {
        header: header(),
        time: time(row),
        place: writer.place().unwrap(),
        state: vec![u64::from(row), u64::MAX],
        notes: vec![],
    }
}

fn push(writer: &mut Writer, rows: std::ops::Range<u32>) {
    for row in rows {
        writer.push(time(row), &values(row)).unwrap();
    }
}

fn bytes(dir: &Path) -> [Vec<u8>; 3] {
    [DATA_FILE, CSV_FILE, "manifest.json"].map(|name| fs::read(dir.join(name)).unwrap())
}

#[test]
fn a_run_resumed_from_any_row_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let _ = recorded(&whole, ROWS, with_csv());
    let dir = folder.path().join("parts");
    for row in (0..ROWS).step_by(7) {
        let mut writer = started(&dir, row, with_csv());
        writer.save(&checkpoint(&writer, row)).unwrap();
        // data after the checkpoint are lost, however the run ends
        push(&mut writer, row..(row + 80).min(ROWS));
        if row % 2 == 0 {
            let _ = writer
                .finish(RunOutcome::new(RunStatus::Interrupted))
                .unwrap();
        } else {
            drop(writer);
        }
        assert_eq!(waiting(&dir, &header()), Some(time(row)));
        let resuming = Resuming::open(&dir, &header()).unwrap();
        let (mut writer, kept) = Writer::resume(resuming, &header(), with_csv()).unwrap();
        assert_eq!(kept.state, [u64::from(row), u64::MAX]);
        push(&mut writer, row..ROWS);
        let _ = writer.finish(RunOutcome::new(RunStatus::Finished)).unwrap();
        assert!(bytes(&dir) == bytes(&whole), "from row {row}");
        assert!(!dir.join(CHECKPOINT_FILE).exists());
        assert_eq!(waiting(&dir, &header()), None);
    }
}

#[test]
fn a_rejected_resume_leaves_the_folder_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let mut writer = started(dir, 100, with_csv());
    writer.save(&checkpoint(&writer, 100)).unwrap();
    push(&mut writer, 100..200);
    let error = Resuming::open(dir, &header()).unwrap_err();
    assert!(matches!(error, RecordError::Locked { .. }), "{error}");
    drop(writer);
    let before = bytes(dir);
    let mut other = header();
    other.biela = "0.2.0".into();
    let _ = other.options.insert("duration".into(), 2.into());
    let error = Resuming::open(dir, &other).unwrap_err();
    let text = error.to_string();
    for words in ["biela was 0.1.0, is 0.2.0", "duration was not given, is 2"] {
        assert!(text.contains(words), "{text}");
    }
    assert!(bytes(dir) == before);
    drop(Resuming::open(dir, &header()).unwrap());
    assert!(bytes(dir) == before && !dir.join("biela.lock").exists());
}

#[test]
fn a_new_run_leaves_no_checkpoint_of_an_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let writer = started(folder.path(), 10, with_csv());
    for row in 0..2 {
        writer.save(&checkpoint(&writer, row)).unwrap();
    }
    drop(writer);
    drop(started(folder.path(), 3, with_csv()));
    let error = Resuming::open(folder.path(), &header()).unwrap_err();
    assert!(matches!(error, RecordError::NoCheckpoint { .. }), "{error}");
}

#[test]
fn a_truncated_checkpoint_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let writer = started(folder.path(), 70, with_csv());
    let file = checkpoint(&writer, 70).to_bytes().unwrap();
    assert!(Checkpoint::read(&file).is_ok());
    for length in 0..file.len() {
        let _ = Checkpoint::read(&file[..length]).unwrap_err();
    }
    for place in 0..file.len() {
        let mut damaged = file.clone();
        damaged[place] ^= 0x10;
        // four bytes behind the version mean nothing, and the checksum is over them too
        let _ = Checkpoint::read(&damaged).unwrap_err();
    }
}

/// A file with the right checksum around any contents.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut file = b"biela-cp\x02\0\0\0\0\0\0\0".to_vec();
    file.extend(body);
    let sum = biela_record::digest(&file);
    let byte = |k: usize| u8::from_str_radix(&sum[2 * k..2 * k + 2], 16).unwrap();
    file.extend((0..32).map(byte));
    file
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_panic(body in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = Checkpoint::read(&body);
        let _ = Checkpoint::read(&sealed(&body));
    }

    #[test]
    fn any_counts_are_read_without_a_panic(words in proptest::collection::vec(prop_oneof![0_u64..20, any::<u64>()], 0..40)) {
        let header = serde_json::to_vec(&header()).unwrap();
        let mut body = (header.len() as u64).to_le_bytes().to_vec();
        body.extend(&header);
        body.extend(2_u64.to_le_bytes());
        body.extend(b"[]");
        body.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        let _ = Checkpoint::read(&sealed(&body));
    }

    #[test]
    fn a_checkpoint_is_read_back_exactly(state in proptest::collection::vec(any::<u64>(), 0..50), pending in proptest::collection::vec(any::<u64>(), 0..9), rows in any::<u64>(), complete in any::<bool>()) {
        let mut kept = Checkpoint { state: state.clone(), notes: state, ..Checkpoint::default() };
        kept.place.pending = pending.iter().map(|bits| f64::from_bits(*bits)).collect();
        kept.place.kept.rows = rows;
        let (name, sha256) = (CSV_FILE.to_owned(), "00".to_owned());
        kept.place.files = vec![FileMark { name, bytes: rows, sha256, complete }];
        let file = kept.to_bytes().unwrap();
        let read = Checkpoint::read(&file).unwrap();
        prop_assert_eq!(read.to_bytes().unwrap(), file);
    }
}
