//! Writes rows to the files of a results folder, chunk by chunk.
//!
//! A chunk is written when it is full. Its size is an eighth of the rows already written, between 64 and 4096 rows: a killed run loses at most 64 rows or an
//! eighth of its rows, and a long run has few, large chunks. The size does not depend on a clock, so that repeated runs produce identical bytes.

use std::{fs::File, io::Write, path::PathBuf};

use biela_files::Checksum;

use crate::{
    CSV_FILE, DATA_FILE, Kept, RecordError, RecordedColumn, arrow,
    checkpoint::{FileMark, RecordPosition},
    csv::{write_csv_header, write_csv_row},
};

/// Rows in the first chunk.
const FIRST_CHUNK_ROWS: usize = 64;
/// The maximum size of a chunk, unless the first chunk is larger.
const MAX_CHUNK_BYTES: usize = 4 << 20;

/// A writer, and its name for messages.
#[derive(Debug)]
pub(crate) struct RecordSink<W> {
    pub(crate) path: PathBuf,
    pub(crate) to: W,
    /// The checksum of complete writes.
    pub(crate) good: Checksum,
}

impl<W: Write> RecordSink<W> {
    fn write(&mut self, bytes: &[u8], kept: Kept) -> Result<(), RecordError> {
        self.to
            .write_all(bytes)
            .map_err(|source| RecordError::Write {
                path: self.path.clone(),
                source,
                kept,
            })?;
        self.good.update(bytes);
        Ok(())
    }
}

/// Collects rows and writes them as chunks. All buffers are allocated at creation.
#[derive(Debug)]
pub(crate) struct Recorder<W: Write> {
    columns: usize,
    most_rows: usize,
    chunk_rows: usize,
    pending: Vec<f64>,
    message: Vec<u8>,
    pub(crate) data: RecordSink<W>,
    csv: Option<(RecordSink<W>, Vec<u8>)>,
    pub(crate) kept: Kept,
    /// The file whose write failed; nothing is written afterwards.
    broken: Option<PathBuf>,
}

impl<W: Write> Recorder<W> {
    /// Starts both files.
    pub(crate) fn new(
        data: RecordSink<W>,
        csv: Option<RecordSink<W>>,
        model: &str,
        columns: &[RecordedColumn],
        most_rows: usize,
    ) -> Result<Self, RecordError> {
        let mut recorder = Self::sized(data, csv, columns.len(), most_rows);
        arrow::encode_schema(&mut recorder.message, model, columns);
        recorder.data.write(&recorder.message, Kept::default())?;
        if let Some((sink, text)) = &mut recorder.csv {
            write_csv_header(text, columns);
            sink.write(text, Kept::default())?;
        }
        Ok(recorder)
    }

    /// Resumes files that end exactly at a position.
    pub(crate) fn resumed(
        data: RecordSink<W>,
        csv: Option<RecordSink<W>>,
        columns: &[RecordedColumn],
        most_rows: usize,
        place: &RecordPosition,
    ) -> Self {
        let mut recorder = Self::sized(data, csv, columns.len(), most_rows);
        recorder.kept = place.kept;
        recorder.pending.extend_from_slice(&place.pending);
        recorder.chunk_rows = recorder.next_chunk_rows();
        recorder
    }

    fn sized(
        data: RecordSink<W>,
        csv: Option<RecordSink<W>>,
        columns: usize,
        most_rows: usize,
    ) -> Self {
        let fitting = (MAX_CHUNK_BYTES / (8 * columns)).max(FIRST_CHUNK_ROWS);
        let most_rows = most_rows.clamp(1, fitting);
        // no f64 needs more than 24 characters; one more for the comma
        let text = || Vec::with_capacity(25 * columns * most_rows);
        Self {
            columns,
            most_rows,
            chunk_rows: most_rows.min(FIRST_CHUNK_ROWS),
            pending: Vec::with_capacity(columns * most_rows),
            message: Vec::with_capacity(arrow::batch_size_bound(columns, most_rows)),
            data,
            csv: csv.map(|sink| (sink, text())),
            kept: Kept::default(),
            broken: None,
        }
    }

    /// The pending rows, each with its time first.
    pub(crate) fn pending_rows(&self) -> impl Iterator<Item = &[f64]> {
        self.pending.chunks_exact(self.columns)
    }

    /// The position in the files, and the pending rows.
    pub(crate) fn place(&self) -> RecordPosition {
        let csv = self.csv.as_ref().map(|(sink, _)| (CSV_FILE, sink));
        let sinks = [(DATA_FILE, &self.data)].into_iter().chain(csv);
        let mark = |(name, sink): (&str, &RecordSink<W>)| FileMark::growing(name, &sink.good);
        RecordPosition {
            kept: self.kept,
            files: sinks.map(mark).collect(),
            pending: self.pending.clone(),
        }
    }

    /// The size of the next chunk.
    fn next_chunk_rows(&self) -> usize {
        let eighth = usize::try_from(self.kept.rows / 8).unwrap_or(usize::MAX);
        eighth.max(FIRST_CHUNK_ROWS).min(self.most_rows)
    }

    pub(crate) fn push(&mut self, time: f64, values: &[f64]) -> Result<(), RecordError> {
        self.refuse_if_broken()?;
        if values.len() + 1 != self.columns {
            return Err(RecordError::RowLength {
                expected: self.columns - 1,
                found: values.len(),
            });
        }
        self.pending.push(time);
        self.pending.extend_from_slice(values);
        if self.pending.len() >= self.columns * self.chunk_rows {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the pending rows as one chunk.
    pub(crate) fn flush(&mut self) -> Result<(), RecordError> {
        self.refuse_if_broken()?;
        if self.pending.is_empty() {
            return Ok(());
        }
        arrow::encode_batch(&mut self.message, self.columns, &self.pending);
        if let Err(error) = self.data.write(&self.message, self.kept) {
            self.broken = Some(self.data.path.clone());
            return Err(error);
        }
        let last_row = self.pending.len() - self.columns;
        self.kept.rows += (self.pending.len() / self.columns) as u64;
        self.kept.last_time = Some(self.pending[last_row]);
        if let Some((sink, text)) = &mut self.csv {
            text.clear();
            for row in self.pending.chunks_exact(self.columns) {
                write_csv_row(text, row);
            }
            if let Err(error) = sink.write(text, self.kept) {
                self.broken = Some(sink.path.clone());
                return Err(error);
            }
        }
        self.pending.clear();
        self.chunk_rows = self.next_chunk_rows();
        Ok(())
    }

    /// Writes the pending rows and the end mark.
    pub(crate) fn end(&mut self) -> Result<(), RecordError> {
        self.flush()?;
        if let Err(error) = self.data.write(&arrow::END, self.kept) {
            self.broken = Some(self.data.path.clone());
            return Err(error);
        }
        Ok(())
    }

    fn refuse_if_broken(&self) -> Result<(), RecordError> {
        match &self.broken {
            None => Ok(()),
            Some(path) => Err(RecordError::Stopped {
                path: path.clone(),
                kept: self.kept,
            }),
        }
    }
}

impl Recorder<File> {
    fn sinks(&self) -> impl Iterator<Item = &RecordSink<File>> {
        std::iter::once(&self.data).chain(self.csv.as_ref().map(|(sink, _)| sink))
    }

    /// Synchronizes the files to disk.
    pub(crate) fn sync(&self) -> Result<(), RecordError> {
        for RecordSink { path, to, .. } in self.sinks() {
            to.sync_all().map_err(|source| RecordError::Write {
                path: path.clone(),
                source,
                kept: self.kept,
            })?;
        }
        Ok(())
    }

    /// After a failed write, truncates the files to their last complete chunk, so that every reader accepts them.
    pub(crate) fn drop_torn_tails(&self) {
        for RecordSink { to, good, .. } in self.sinks() {
            // biela ignores an incomplete tail, so a failure here does no harm
            let _ = to.set_len(good.bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(count: usize) -> Vec<RecordedColumn> {
        (0..count)
            .map(|i| RecordedColumn::new(format!("c{i}"), "m", ""))
            .collect()
    }

    fn sink<W>(to: W) -> RecordSink<W> {
        RecordSink {
            path: PathBuf::from("data"),
            to,
            good: Checksum::default(),
        }
    }

    /// Accepts `room` bytes, then reports a full disk.
    #[derive(Debug)]
    struct SmallDisk {
        room: usize,
        taken: Vec<u8>,
    }

    fn small_disk(room: usize) -> RecordSink<SmallDisk> {
        let taken = Vec::new();
        sink(SmallDisk { room, taken })
    }

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if self.room == 0 && !bytes.is_empty() {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            let taken = bytes.len().min(self.room);
            self.room -= taken;
            self.taken.extend(&bytes[..taken]);
            Ok(taken)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// The bytes of a run of 200 rows on disks of this size, the stored rows, and whether there was no error.
    fn on_disks(rooms: [usize; 2]) -> Option<([Vec<u8>; 2], u64, bool)> {
        let [data, csv] = rooms.map(small_disk);
        let mut recorder = Recorder::new(data, Some(csv), "m", &columns(2), 64).ok()?;
        let mut push = |i: i32| recorder.push(f64::from(i), &[f64::from(i).sin()]);
        let pushed = (0..200).try_for_each(&mut push);
        let ended = recorder.end();
        assert_eq!(pushed.is_err() || ended.is_err(), recorder.broken.is_some());
        let whole = pushed.is_ok() && ended.is_ok();
        let rows = recorder.kept.rows;
        let data = recorder.data;
        let (csv, _) = recorder.csv?;
        let good =
            |sink: RecordSink<SmallDisk>| sink.to.taken[..sink.good.bytes() as usize].to_vec();
        Some(([good(data), good(csv)], rows, whole))
    }

    #[test]
    fn a_disk_that_fills_up_at_any_byte_keeps_whole_chunks() {
        let ([data, csv], rows, whole) = on_disks([usize::MAX; 2]).unwrap();
        assert!(whole && rows == 200);
        let lines = |csv: &[u8]| csv.split(|byte| *byte == b'\n').count() - 1;
        assert_eq!(lines(&csv), 201);
        for room in 0..data.len().max(csv.len()) {
            for rooms in [[room, usize::MAX], [usize::MAX, room]] {
                let Some((kept, rows, whole)) = on_disks(rooms) else {
                    continue;
                };
                assert!(data.starts_with(&kept[0]) && csv.starts_with(&kept[1]));
                assert_eq!(whole, kept == [data.clone(), csv.clone()], "{rooms:?}");
                // full chunks of 64 rows, and the remainder at the end
                assert!(rows % 64 == 0 || rows == 200, "{rooms:?}");
                let lines = lines(&kept[1]) as u64;
                assert!(lines + 64 > rows && lines <= rows + 1, "{rooms:?}");
            }
        }
    }

    #[test]
    fn recording_reuses_its_buffers() {
        let mut recorder = Recorder::new(
            sink(std::io::sink()),
            Some(sink(std::io::sink())),
            "m",
            &columns(5),
            4096,
        )
        .unwrap();
        let capacities = |r: &Recorder<_>| {
            let text = r.csv.as_ref().unwrap().1.capacity();
            (r.pending.capacity(), r.message.capacity(), text)
        };
        let before = capacities(&recorder);
        for i in 0..100_000 {
            let x = -f64::from(i) * 1.234_567_890_123_456_7e-300;
            recorder.push(x, &[x; 4]).unwrap();
        }
        assert_eq!(recorder.chunk_rows, 4096);
        assert_eq!(capacities(&recorder), before);
    }

    #[test]
    fn a_killed_run_loses_at_most_64_rows_or_an_eighth() {
        let mut recorder =
            Recorder::new(sink(std::io::sink()), None, "m", &columns(1), 4096).unwrap();
        for row in 1..50_000_u64 {
            recorder.push(row as f64, &[]).unwrap();
            let lost = row - recorder.kept.rows;
            assert!(lost < 64.max(recorder.kept.rows / 8).min(4096));
        }
    }

    #[test]
    fn a_wide_table_has_shorter_chunks() {
        let recorder =
            Recorder::new(sink(std::io::sink()), None, "m", &columns(5000), usize::MAX).unwrap();
        assert_eq!(recorder.most_rows, (4 << 20) / 8 / 5000);
    }

    #[test]
    fn a_full_disk_error_states_the_time_of_the_kept_results() {
        let mut recorder = Recorder::new(small_disk(5000), None, "m", &columns(2), 64).unwrap();
        let error = (1..1000)
            .find_map(|i| recorder.push(f64::from(i) / 64.0, &[0.0]).err())
            .unwrap();
        let text = error.to_string();
        assert!(text.contains("results kept to t = 3;"), "{text}");
        assert!(text.contains("free some space"), "{text}");
        let again = recorder.push(9.0, &[0.0]).unwrap_err();
        assert!(matches!(again, RecordError::Stopped { .. }));
        assert!(recorder.end().is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_full_device_is_reported() {
        let full = || {
            let file = File::options().write(true).open("/dev/full").unwrap();
            sink(file)
        };
        let error = Recorder::new(full(), None, "m", &columns(1), 64).unwrap_err();
        assert!(error.to_string().contains("no results kept"), "{error}");

        let data = sink(tempfile::tempfile().unwrap());
        let error = Recorder::new(data, Some(full()), "m", &columns(1), 64).unwrap_err();
        assert!(matches!(error, RecordError::Write { .. }), "{error}");
    }
}
