//! The journal of computed points: an append-only file with one line per point.
//!
//! ```text
//! 17 ok 0.1 1e-3 NaN #5c1f0a2b
//! 18 failed cannot assemble after 8 attempts: … #90ab12cd
//! ```
//!
//! A line ends with a checksum. A process that is killed leaves at most one incomplete line, which is removed. A line with a wrong checksum is ignored, and its
//! point is computed again. Each part of a study writes its own file.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use biela_files::open_own;
use biela_record::digest;

use super::error::ParameterStudyError;
use super::identity::Identity;
use super::sweep::SweepRow;

/// A part of the points: those whose number modulo `of` is `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepShard {
    /// The index of the part, from 0.
    pub index: usize,
    /// The number of parts.
    pub of: usize,
}

impl SweepShard {
    /// All points.
    pub const ALL: SweepShard = SweepShard { index: 0, of: 1 };

    /// Returns `true` if a point belongs to this part.
    pub fn has(self, point: usize) -> bool {
        point % self.of == self.index
    }

    fn file(self) -> String {
        if self == SweepShard::ALL {
            format!("{PREFIX}.{SUFFIX}")
        } else {
            format!("{PREFIX}-{}-of-{}.{SUFFIX}", self.index + 1, self.of)
        }
    }
}

impl std::str::FromStr for SweepShard {
    type Err = String;

    /// Parses `3/8`, counted from 1.
    fn from_str(text: &str) -> Result<Self, String> {
        let read = |text: &str| text.trim().parse::<usize>().ok();
        let parts = text.split_once('/');
        match parts.and_then(|(k, of)| Some((read(k)?, read(of)?))) {
            Some((k, of)) if k >= 1 && k <= of => Ok(SweepShard { index: k - 1, of }),
            _ => Err("write K/N, such as 3/8 for the third of eight parts".to_owned()),
        }
    }
}

const PREFIX: &str = "journal";
const SUFFIX: &str = "txt";
const DONE: &str = "ok";
const FAILED: &str = "failed";

/// Returns `true` if a file of this name is the journal of a part.
pub(super) fn is_journal(name: &str) -> bool {
    let middle = name
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(&format!(".{SUFFIX}")));
    middle.is_some_and(|middle| middle.is_empty() || middle.starts_with('-'))
}

/// The journals in a folder, sorted by name.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>, ParameterStudyError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(ParameterStudyError::File(folder.to_owned(), error)),
    };
    let is_journal = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(is_journal)
    };
    let mut list: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_journal)
        .collect();
    list.sort();
    Ok(list)
}

/// Rejects a journal that another process is writing.
pub(super) fn refuse_busy(path: &Path) -> Result<(), ParameterStudyError> {
    let failed = |error: io::Error| ParameterStudyError::File(path.to_owned(), error);
    let file = open_own(path, OpenOptions::new().read(true)).map_err(failed)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ParameterStudyError::Busy(path.to_owned())),
        _ => Ok(()),
    }
}

/// The known points of a study, and a file for further points.
#[derive(Debug)]
pub struct Journal {
    rows: BTreeMap<usize, SweepRow>,
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens the journal of a part in a folder and reads all journals there. A folder with another study is rejected.
    pub fn open(
        folder: &Path,
        identity: &Identity,
        part: SweepShard,
    ) -> Result<Self, ParameterStudyError> {
        identity.claim(folder)?;
        let path = folder.join(part.file());
        let failed = |error: io::Error| ParameterStudyError::File(path.clone(), error);
        let mut options = OpenOptions::new();
        let _ = options.create(true).read(true).append(true);
        let mut file = open_own(&path, &mut options).map_err(failed)?;
        // the journal is also safe on a file system without locks
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(ParameterStudyError::Busy(path));
        }
        let bytes = fs::read(&path).map_err(failed)?;
        let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |k| k + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(failed)?;
        }
        if whole == 0 {
            let line = format!("# points of a study of biela, plan {}\n", identity.plan);
            file.write_all(line.as_bytes()).map_err(failed)?;
        }
        let rows = read(folder, identity)?;
        Ok(Self { rows, file, path })
    }

    /// The known points.
    pub fn rows(&self) -> &BTreeMap<usize, SweepRow> {
        &self.rows
    }

    /// Adds a point.
    pub fn push(&mut self, row: SweepRow) -> Result<(), ParameterStudyError> {
        let written = self.file.write_all(line(&row).as_bytes());
        written.map_err(|error| ParameterStudyError::File(self.path.clone(), error))?;
        let _ = self.rows.insert(row.point, row);
        Ok(())
    }
}

/// Reads all points known in a folder. Journals of another plan are ignored.
pub(super) fn read(
    folder: &Path,
    identity: &Identity,
) -> Result<BTreeMap<usize, SweepRow>, ParameterStudyError> {
    let mut rows = BTreeMap::new();
    for path in files(folder)? {
        let text =
            fs::read(&path).map_err(|error| ParameterStudyError::File(path.clone(), error))?;
        for line in String::from_utf8_lossy(&text).split_terminator('\n') {
            let known = parse(line, identity.measures.len());
            if let Some(row) = known.filter(|row| row.point < identity.points) {
                let _ = rows.entry(row.point).or_insert(row);
            }
        }
    }
    Ok(rows)
}

fn check(body: &str) -> String {
    digest(body.as_bytes()).chars().take(8).collect()
}

fn line(row: &SweepRow) -> String {
    let body = match &row.values {
        Ok(values) => {
            let values: Vec<String> = values.iter().map(|x| format!("{x:?}")).collect();
            format!("{} {DONE} {}", row.point, values.join(" "))
        }
        Err(reason) => format!("{} {FAILED} {}", row.point, reason.replace('\n', " ")),
    };
    format!("{body} #{}\n", check(&body))
}

fn parse(line: &str, measures: usize) -> Option<SweepRow> {
    let (body, sum) = line.rsplit_once(" #")?;
    if sum != check(body) {
        return None;
    }
    let mut words = body.splitn(3, ' ');
    let point = words.next()?.parse().ok()?;
    let kind = words.next()?;
    let rest = words.next().unwrap_or_default();
    let values = match kind {
        DONE => {
            let values = rest.split_whitespace().map(|word| word.parse().ok());
            let values = values.collect::<Option<Vec<f64>>>();
            Ok(values.filter(|values| values.len() == measures)?)
        }
        FAILED => Err(rest.to_owned()),
        _ => return None,
    };
    Some(SweepRow { point, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        Identity {
            model: "m".to_owned(),
            texts: "t".to_owned(),
            plan: "p".to_owned(),
            points: 10,
            parameters: vec![("a".to_owned(), "m".to_owned())],
            measures: vec![
                ("x".to_owned(), "1".to_owned()),
                ("y".to_owned(), "1".to_owned()),
            ],
        }
    }

    fn rows() -> Vec<SweepRow> {
        let values = [
            vec![0.1 + 0.2, -1e-300],
            vec![f64::NAN, f64::INFINITY],
            vec![5e-324, 1.797_693_134_862_315_7e308],
        ];
        let mut rows: Vec<SweepRow> = values
            .into_iter()
            .enumerate()
            .map(|(point, values)| SweepRow {
                point,
                values: Ok(values),
            })
            .collect();
        rows.push(SweepRow {
            point: 3,
            values: Err("it broke # here".to_owned()),
        });
        rows
    }

    fn written(folder: &Path) -> PathBuf {
        let mut journal =
            Journal::open(folder, &identity(), SweepShard::ALL).unwrap_or_else(|e| panic!("{e}"));
        for row in rows() {
            journal.push(row).unwrap_or_else(|e| panic!("{e}"));
        }
        folder.join("journal.txt")
    }

    fn opened(folder: &Path) -> Journal {
        Journal::open(folder, &identity(), SweepShard::ALL).unwrap_or_else(|e| panic!("{e}"))
    }

    fn temporary() -> tempfile::TempDir {
        tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"))
    }

    fn bits(row: &SweepRow) -> Result<Vec<u64>, &String> {
        let values = row.values.as_ref();
        values.map(|values| values.iter().map(|x| x.to_bits()).collect())
    }

    #[test]
    fn points_are_restored_bitwise() {
        let folder = temporary();
        let _ = written(folder.path());
        let journal = opened(folder.path());
        for row in rows() {
            assert_eq!(bits(&journal.rows()[&row.point]), bits(&row));
        }
    }

    #[test]
    fn a_truncated_line_is_removed_wherever_it_is_truncated() {
        let folder = temporary();
        let file = written(folder.path());
        let whole = fs::read(&file).unwrap_or_else(|e| panic!("{e}"));
        for length in 0..whole.len() {
            fs::write(&file, &whole[..length]).unwrap_or_else(|e| panic!("{e}"));
            let mut journal = opened(folder.path());
            let known = journal.rows().len();
            assert!(known <= 4);
            for row in rows().into_iter().skip(known) {
                journal.push(row).unwrap_or_else(|e| panic!("{e}"));
            }
            drop(journal);
            let again = fs::read(&file).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(again, whole, "torn after {length} bytes");
        }
    }

    #[test]
    fn a_modified_line_is_skipped() {
        let folder = temporary();
        let file = written(folder.path());
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{e}"));
        fs::write(&file, text.replace("-1e-300", "-2e-300")).unwrap_or_else(|e| panic!("{e}"));
        let journal = opened(folder.path());
        assert_eq!(
            journal.rows().keys().copied().collect::<Vec<_>>(),
            [1, 2, 3]
        );
    }

    #[test]
    fn another_study_in_the_folder_is_rejected_with_the_difference() {
        let folder = temporary();
        let _ = written(folder.path());
        let change = |f: &dyn Fn(&mut Identity)| {
            let mut other = identity();
            f(&mut other);
            let refused = Journal::open(folder.path(), &other, SweepShard::ALL);
            refused.map_or_else(|e| e.to_string(), |_| String::new())
        };
        assert!(change(&|i| i.texts = "u".to_owned()).contains("the model has changed"));
        assert!(
            change(&|i| i.plan = "q".to_owned())
                .contains("the values of the parameters have changed")
        );
        assert!(change(&|i| i.points = 11).contains("the number of points has changed"));
        assert_eq!(change(&|_| {}), "");
    }

    #[test]
    fn a_part_that_another_process_writes_is_not_opened() {
        let folder = temporary();
        let first = opened(folder.path());
        let second = Journal::open(folder.path(), &identity(), SweepShard::ALL);
        assert!(matches!(second, Err(ParameterStudyError::Busy(_))));
        let other = Journal::open(folder.path(), &identity(), SweepShard { index: 1, of: 2 });
        assert!(other.is_ok(), "another part has a journal of its own");
        drop(first);
        assert!(Journal::open(folder.path(), &identity(), SweepShard::ALL).is_ok());
    }

    #[test]
    fn the_parts_partition_all_points() {
        let parts: Vec<SweepShard> = (1..=3)
            .map(|k| format!("{k}/3").parse().unwrap_or(SweepShard::ALL))
            .collect();
        for point in 0..20 {
            assert_eq!(parts.iter().filter(|part| part.has(point)).count(), 1);
        }
        for bad in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(bad.parse::<SweepShard>().is_err(), "{bad}");
        }
    }
}
