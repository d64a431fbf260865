//! Tables as Parquet files: one row group, one plain uncompressed page per column.
//!
//! The format is that of github.com/apache/parquet-format: pages, then their description in Thrift's compact protocol, its length, and `PAR1` at both ends. The
//! crate `parquet` adds minutes of build time even without Arrow. The subset needed for a table of numbers and texts is implemented here; the tests read it
//! with pyarrow, pandas and polars.

use std::io::{self, Write};

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableColumn {
    /// Integers.
    Whole(Vec<i64>),
    /// Numbers; NaN is written as missing.
    Numbers(Vec<f64>),
    /// Texts; `None` is missing.
    Texts(Vec<Option<String>>),
}

impl TableColumn {
    fn len(&self) -> usize {
        match self {
            Self::Whole(list) => list.len(),
            Self::Numbers(list) => list.len(),
            Self::Texts(list) => list.len(),
        }
    }

    /// Physical type: INT64, DOUBLE, BYTE_ARRAY.
    fn kind(&self) -> i64 {
        match self {
            Self::Whole(_) => 2,
            Self::Numbers(_) => 5,
            Self::Texts(_) => 6,
        }
    }

    fn is_optional(&self) -> bool {
        !matches!(self, Self::Whole(_))
    }

    /// The content of the page: definition levels, then the values that are present.
    fn page(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Self::Whole(list) => {
                for x in list {
                    bytes.extend_from_slice(&x.to_le_bytes());
                }
            }
            Self::Numbers(list) => {
                presence(&mut bytes, list.iter().map(|x| !x.is_nan()));
                for x in list.iter().filter(|x| !x.is_nan()) {
                    bytes.extend_from_slice(&x.to_le_bytes());
                }
            }
            Self::Texts(list) => {
                presence(&mut bytes, list.iter().map(Option::is_some));
                for text in list.iter().flatten() {
                    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
                    bytes.extend_from_slice(text.as_bytes());
                }
            }
        }
        bytes
    }
}

/// Definition levels: runs of equal bits, each a length and the bit, after the number of bytes.
fn presence(bytes: &mut Vec<u8>, present: impl Iterator<Item = bool>) {
    let mut runs: Vec<(u64, bool)> = Vec::new();
    for bit in present {
        match runs.last_mut() {
            Some((length, last)) if *last == bit => *length += 1,
            _ => runs.push((1, bit)),
        }
    }
    let mut list = Vec::new();
    for (length, bit) in runs {
        varint(&mut list, length << 1);
        list.push(u8::from(bit));
    }
    bytes.extend_from_slice(&(list.len() as u32).to_le_bytes());
    bytes.append(&mut list);
}

fn varint(bytes: &mut Vec<u8>, mut x: u64) {
    while x >= 0x80 {
        bytes.push(x as u8 | 0x80);
        x >>= 7;
    }
    bytes.push(x as u8);
}

/// A struct of Thrift's compact protocol.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    last: i16,
}

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Thrift {
    fn field(&mut self, id: i16, kind: u8) {
        // field identifiers here increase by less than 16
        self.bytes.push(((id - self.last) as u8) << 4 | kind);
        self.last = id;
    }

    fn zigzag(&mut self, x: i64) {
        varint(&mut self.bytes, ((x << 1) ^ (x >> 63)) as u64);
    }

    fn i32(mut self, id: i16, x: i64) -> Self {
        self.field(id, I32);
        self.zigzag(x);
        self
    }

    fn i64(mut self, id: i16, x: i64) -> Self {
        self.field(id, I64);
        self.zigzag(x);
        self
    }

    fn text(mut self, id: i16, text: &str) -> Self {
        self.field(id, BINARY);
        self.bytes.append(&mut binary(text));
        self
    }

    fn inner(mut self, id: i16, inner: Thrift) -> Self {
        self.field(id, STRUCT);
        self.bytes.append(&mut inner.finish());
        self
    }

    fn list(mut self, id: i16, kind: u8, items: Vec<Vec<u8>>) -> Self {
        self.field(id, LIST);
        if items.len() < 15 {
            self.bytes.push((items.len() as u8) << 4 | kind);
        } else {
            self.bytes.push(0xF0 | kind);
            varint(&mut self.bytes, items.len() as u64);
        }
        for mut item in items {
            self.bytes.append(&mut item);
        }
        self
    }

    fn finish(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn binary(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    varint(&mut bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

fn number(x: i64) -> Vec<u8> {
    let mut thrift = Thrift::default();
    thrift.zigzag(x);
    thrift.bytes
}

const PLAIN: i64 = 0;
const RLE: i64 = 3;

/// Writes a table; columns must have equal length. `notes` are stored as metadata of the file, such as units.
pub fn write_parquet(
    out: &mut impl Write,
    columns: &[(String, TableColumn)],
    notes: &[(&str, String)],
) -> io::Result<()> {
    let rows = columns.first().map_or(0, |(_, column)| column.len());
    if columns.iter().any(|(_, column)| column.len() != rows) || i32::try_from(rows).is_err() {
        let message = "the columns of a table must have the same length, at most 2147483647";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    out.write_all(b"PAR1")?;
    let mut at = 4_i64;
    let mut chunks = Vec::new();
    for (name, column) in columns {
        let page = column.page();
        let size = page.len() as i64;
        let values = Thrift::default()
            .i32(1, rows as i64)
            .i32(2, PLAIN)
            .i32(3, RLE)
            .i32(4, RLE);
        let header = Thrift::default()
            .i32(1, 0)
            .i32(2, size)
            .i32(3, size)
            .inner(5, values)
            .finish();
        out.write_all(&header)?;
        out.write_all(&page)?;
        let total = header.len() as i64 + size;
        let about = Thrift::default()
            .i32(1, column.kind())
            .list(2, I32, vec![number(PLAIN), number(RLE)])
            .list(3, BINARY, vec![binary(name)])
            .i32(4, 0)
            .i64(5, rows as i64)
            .i64(6, total)
            .i64(7, total)
            .i64(9, at);
        chunks.push(Thrift::default().i64(2, at).inner(3, about).finish());
        at += total;
    }
    let root = Thrift::default()
        .text(4, "table")
        .i32(5, columns.len() as i64);
    let mut schema = vec![root.finish()];
    for (name, column) in columns {
        let element = Thrift::default()
            .i32(1, column.kind())
            .i32(3, i64::from(column.is_optional()))
            .text(4, name);
        schema.push(match column {
            // UTF-8, as the old converted type and the new logical type
            TableColumn::Texts(_) => {
                let string = Thrift::default().inner(1, Thrift::default());
                element.i32(6, 0).inner(10, string).finish()
            }
            _ => element.finish(),
        });
    }
    let group = Thrift::default()
        .list(1, STRUCT, chunks)
        .i64(2, at - 4)
        .i64(3, rows as i64);
    let notes = notes
        .iter()
        .map(|(key, value)| Thrift::default().text(1, key).text(2, value).finish());
    let footer = Thrift::default()
        .i32(1, 1)
        .list(2, STRUCT, schema)
        .i64(3, rows as i64)
        .list(4, STRUCT, vec![group.finish()])
        .list(5, STRUCT, notes.collect())
        .text(6, concat!("biela version ", env!("CARGO_PKG_VERSION")))
        .finish();
    out.write_all(&footer)?;
    out.write_all(&(footer.len() as u32).to_le_bytes())?;
    out.write_all(b"PAR1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_the_bytes_of_the_format() {
        let columns = [("n".to_owned(), TableColumn::Whole(vec![7, -1]))];
        let mut bytes = Vec::new();
        write_parquet(&mut bytes, &columns, &[]).unwrap_or_else(|e| panic!("{e}"));
        // page header: type 0, sizes 16 and 16, 2 values, PLAIN, RLE, RLE
        let header = [
            0x15, 0, 0x15, 32, 0x15, 32, 0x2C, 0x15, 4, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0,
        ];
        assert_eq!(&bytes[..4], b"PAR1");
        assert_eq!(&bytes[4..21], &header);
        assert_eq!(&bytes[21..29], &7_i64.to_le_bytes());
        assert_eq!(&bytes[29..37], &(-1_i64).to_le_bytes());
        let length = bytes.len();
        let footer = u32::from_le_bytes([
            bytes[length - 8],
            bytes[length - 7],
            bytes[length - 6],
            bytes[length - 5],
        ]);
        assert_eq!(37 + footer as usize + 8, length);
    }

    #[test]
    fn missing_values_take_one_run_of_bits() {
        let column = TableColumn::Numbers(vec![1.0, f64::NAN, f64::NAN, 2.0]);
        let page = column.page();
        assert_eq!(&page[..10], &[6, 0, 0, 0, 2, 1, 4, 0, 2, 1]);
        assert_eq!(page.len(), 10 + 16);
    }

    #[test]
    fn columns_of_different_lengths_are_rejected() {
        let columns = [
            ("a".to_owned(), TableColumn::Whole(vec![1])),
            ("b".to_owned(), TableColumn::Whole(vec![])),
        ];
        assert!(write_parquet(&mut Vec::new(), &columns, &[]).is_err());
    }
}
