//! Messages of the Arrow IPC stream format, for tables of `f64`.
//!
//! ```text
//! stream  = schema message, record batch message …, end mark
//! message = FFFFFFFF | i32 size of metadata | metadata (FlatBuffers, padded to 8) | body (padded to 8)
//! end     = FFFFFFFF | 00000000
//! ```
//!
//! The body of a record batch is one block of little-endian `f64` per column. Slot numbers and codes follow
//! `Message.fbs` and `Schema.fbs` of the Arrow columnar format, metadata version 5.
//!
//! Each message also contains its CRC-32 as Arrow custom metadata, which other readers ignore: eight hexadecimal digits under the key `crc32`, counted as zeros
//! in the sum. Arrow itself has no checksum; without it a chunk that a power failure left half zero would be read as results.

use crate::{
    FORMAT, RecordedColumn,
    flat::{self, FlatTable, Slot, Vector, link},
};

/// Marks the end of a complete stream.
pub(crate) const END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
/// Bytes before the metadata of a message.
pub(crate) const PREFIX: usize = 8;
/// The maximum size of metadata, for writing and reading.
pub(crate) const MAX_METADATA: usize = 64 << 20;
/// The maximum number of columns, for writing and reading.
pub(crate) const MAX_COLUMNS: usize = 100_000;

/// Alignment of columns in a body, as Arrow recommends for vector instructions.
const ALIGNMENT: usize = 64;
const METADATA_V5: i16 = 4;
const SCHEMA: u8 = 1;
const RECORD_BATCH: u8 = 3;
const LITTLE_ENDIAN: i16 = 0;
const FLOATING_POINT: u8 = 3;
const DOUBLE: i16 = 2;
const CHECKSUM_KEY: &str = "crc32";
const CHECKSUM_DIGITS: usize = 8;
/// The maximum number of keys that are read in one list, because fields could share a crafted list.
const MAX_KEYS: usize = 256;
const FORMAT_KEY: &str = "biela.format";
const MODEL_KEY: &str = "biela.model";

/// Encodes the schema of a table as one message.
pub(crate) fn encode_schema(out: &mut Vec<u8>, model: &str, columns: &[RecordedColumn]) {
    let open = OpenMessage::new(out, SCHEMA, 0);
    let schema = flat::table(out, [Slot::I16(LITTLE_ENDIAN), Slot::Offset, Slot::Offset]);
    link(out, open.header, schema.at);
    let fields = flat::offsets(out, columns.len());
    link(out, schema.slots[1], fields);
    for (i, column) in columns.iter().enumerate() {
        // name, nullable, kind of type, type, dictionary, children, metadata
        let field = flat::table(
            out,
            [
                Slot::Offset,
                Slot::U8(0),
                Slot::U8(FLOATING_POINT),
                Slot::Offset,
                Slot::Absent,
                Slot::Offset,
                Slot::Offset,
            ],
        );
        link(out, fields + 4 + 4 * i, field.at);
        let name = flat::string(out, &column.name);
        link(out, field.slots[0], name);
        let double = flat::table(out, [Slot::I16(DOUBLE)]);
        link(out, field.slots[3], double.at);
        let children = flat::offsets(out, 0);
        link(out, field.slots[5], children);
        let (texts, _) = key_values(
            out,
            &[("unit", &column.unit), ("description", &column.description)],
        );
        link(out, field.slots[6], texts);
    }
    let (texts, _) = key_values(
        out,
        &[(FORMAT_KEY, &FORMAT.to_string()), (MODEL_KEY, model)],
    );
    link(out, schema.slots[2], texts);
    let digits = open.end_metadata(out);
    seal(out, digits);
}

/// Encodes rows of `columns` values each as one record batch message.
pub(crate) fn encode_batch(out: &mut Vec<u8>, columns: usize, values: &[f64]) {
    let rows = values.len() / columns;
    let bytes = 8 * rows;
    let stride = bytes.next_multiple_of(ALIGNMENT);
    let open = OpenMessage::new(out, RECORD_BATCH, columns * stride);
    let batch = flat::table(out, [Slot::I64(rows as i64), Slot::Offset, Slot::Offset]);
    link(out, open.header, batch.at);
    // length and null count of each column
    let nodes = flat::pairs(out, (0..columns).map(|_| [rows as i64, 0]));
    link(out, batch.slots[1], nodes);
    // offset and length of the validity bits (none) and of the values of each column
    let buffers = flat::pairs(
        out,
        (0..2 * columns).map(|i| {
            let offset = (i / 2 * stride) as i64;
            [offset, if i % 2 == 0 { 0 } else { bytes as i64 }]
        }),
    );
    link(out, batch.slots[2], buffers);
    let digits = open.end_metadata(out);
    for column in 0..columns {
        for row in 0..rows {
            out.extend(values[row * columns + column].to_le_bytes());
        }
        out.resize(out.len() + stride - bytes, 0);
    }
    seal(out, digits);
}

/// An upper bound of the size of a schema message.
pub(crate) fn schema_size_bound(model: &str, columns: &[RecordedColumn]) -> usize {
    let texts = |c: &RecordedColumn| c.name.len() + c.unit.len() + c.description.len();
    let fields: usize = columns.iter().map(|c| 256 + texts(c)).sum();
    1024 + model.len() + fields
}

/// An upper bound of the size of a record batch message, to allocate once.
pub(crate) fn batch_size_bound(columns: usize, rows: usize) -> usize {
    512 + columns * (48 + (8 * rows).next_multiple_of(ALIGNMENT))
}

/// A message whose metadata is being written.
struct OpenMessage {
    /// The position of the link to the header.
    header: usize,
    /// The position of the link to the custom metadata.
    custom: usize,
}

impl OpenMessage {
    fn new(out: &mut Vec<u8>, kind: u8, body_len: usize) -> Self {
        out.clear();
        out.extend(END);
        out.extend([0; 4]);
        let message = flat::table(
            out,
            [
                Slot::I16(METADATA_V5),
                Slot::U8(kind),
                Slot::Offset,
                Slot::I64(body_len as i64),
                Slot::Offset,
            ],
        );
        link(out, PREFIX, message.at);
        Self {
            header: message.slots[2],
            custom: message.slots[4],
        }
    }

    /// Returns the position of the checksum digits.
    fn end_metadata(self, out: &mut Vec<u8>) -> usize {
        let (texts, digits) = key_values(out, &[(CHECKSUM_KEY, "00000000")]);
        link(out, self.custom, texts);
        flat::pad(out, 8, 0);
        let size = (out.len() - PREFIX) as i32;
        out[4..PREFIX].copy_from_slice(&size.to_le_bytes());
        digits
    }
}

/// Appends a vector of key-value tables. Returns its position and that of the last value's text.
fn key_values(out: &mut Vec<u8>, pairs: &[(&str, &str)]) -> (usize, usize) {
    let vector = flat::offsets(out, pairs.len());
    let mut last = 0;
    for (i, (key, value)) in pairs.iter().enumerate() {
        let pair = flat::table(out, [Slot::Offset, Slot::Offset]);
        link(out, vector + 4 + 4 * i, pair.at);
        let key = flat::string(out, key);
        link(out, pair.slots[0], key);
        let value = flat::string(out, value);
        link(out, pair.slots[1], value);
        last = value + 4;
    }
    (vector, last)
}

/// Fills in the checksum of a message whose digits are still zeros.
fn seal(out: &mut [u8], digits: usize) {
    let sum = crc32fast::hash(&out[PREFIX..]);
    for i in 0..CHECKSUM_DIGITS {
        let nibble = (sum >> (4 * (CHECKSUM_DIGITS - 1 - i))) as usize & 0xf;
        out[digits + i] = b"0123456789abcdef"[nibble];
    }
}

/// A message with parsed, untrusted metadata.
pub(crate) struct Message<'a> {
    metadata: &'a [u8],
    kind: u8,
    header: FlatTable<'a>,
    pub(crate) body_len: u64,
    checksum: Option<(usize, u32)>,
}

/// Columns, and whether biela wrote them; in that case every message must have its checksum.
pub(crate) struct Schema {
    pub(crate) columns: Vec<RecordedColumn>,
    pub(crate) model: Option<String>,
    pub(crate) format: Option<u64>,
}

type Checked<T> = Result<T, &'static str>;

impl<'a> Message<'a> {
    pub(crate) fn decode(metadata: &'a [u8]) -> Checked<Self> {
        let message = FlatTable::root(metadata).ok_or("a message has no root")?;
        let body_len = u64::try_from(message.i64(3).unwrap_or(0))
            .map_err(|_| "a message has a negative size")?;
        let checksum = message
            .vector(4)
            .and_then(|pairs| find(pairs, CHECKSUM_KEY))
            .and_then(|(digits, at)| Some((at, parse_checksum(digits)?)));
        Ok(Self {
            metadata,
            kind: message.u8(1).ok_or("a message has no kind")?,
            header: message.table(2).ok_or("a message has no header")?,
            body_len,
            checksum,
        })
    }

    /// Compares the checksum; with `required` a message without one is rejected.
    pub(crate) fn verify(&self, body: &[u8], required: bool) -> Checked<()> {
        let Some((at, stated)) = self.checksum else {
            return if required {
                Err("a message has no checksum")
            } else {
                Ok(())
            };
        };
        let mut sum = crc32fast::Hasher::new();
        sum.update(&self.metadata[..at]);
        sum.update(&[b'0'; CHECKSUM_DIGITS]);
        sum.update(&self.metadata[at + CHECKSUM_DIGITS..]);
        sum.update(body);
        if sum.finalize() == stated {
            Ok(())
        } else {
            Err("a checksum does not match")
        }
    }

    pub(crate) fn schema(&self) -> Checked<Schema> {
        if self.kind != SCHEMA {
            return Err("the first message is not a schema");
        }
        if self.header.i16(0).unwrap_or(LITTLE_ENDIAN) != LITTLE_ENDIAN {
            return Err("the numbers are big-endian");
        }
        let fields = self.header.vector(1).ok_or("the schema has no fields")?;
        if fields.len() > MAX_COLUMNS {
            return Err("it has more than 100000 columns");
        }
        // Crafted offsets could repeat one long text for every column.
        let mut budget = self.metadata.len();
        let mut columns = Vec::new();
        for i in 0..fields.len() {
            let field = fields.table(i).ok_or("a field is damaged")?;
            let is_double = field.u8(2) == Some(FLOATING_POINT)
                && field.table(3).and_then(|kind| kind.i16(0)) == Some(DOUBLE)
                && !field.has(4);
            if !is_double {
                return Err("a column is not Float64");
            }
            let texts = field.vector(6);
            let text = |key| texts.and_then(|pairs| find(pairs, key)).map_or("", |t| t.0);
            let name = field.string(0).ok_or("a column has no name")?.0;
            let (unit, description) = (text("unit"), text("description"));
            budget = budget
                .checked_sub(name.len() + unit.len() + description.len())
                .ok_or("the texts of the schema overlap")?;
            columns.push(RecordedColumn::new(name, unit, description));
        }
        let texts = self.header.vector(2);
        let text = |key| texts.and_then(|pairs| find(pairs, key)).map(|t| t.0);
        let format = match text(FORMAT_KEY) {
            None => None,
            Some(number) => Some(number.parse().map_err(|_| "the format is not a number")?),
        };
        Ok(Schema {
            columns,
            model: text(MODEL_KEY).map(String::from),
            format,
        })
    }

    /// Appends the rows of a record batch to the columns, all of them or, on an error, none. Returns their number.
    pub(crate) fn append_rows(&self, body: &[u8], data: &mut [Vec<f64>]) -> Checked<u64> {
        let batch = self.batch(data.len())?;
        for column in 0..data.len() {
            let _ = batch.block(column)?;
        }
        for (column, values) in data.iter_mut().enumerate() {
            let block = body.get(batch.block(column)?).ok_or(OUTSIDE)?;
            let (numbers, _) = block.as_chunks();
            values.extend(numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)));
        }
        Ok(batch.rows)
    }

    /// The body layout of a record batch with this number of columns.
    pub(crate) fn batch(&self, columns: usize) -> Checked<Batch<'a>> {
        if self.kind != RECORD_BATCH {
            return Err("a message is not a record batch");
        }
        if self.header.has(3) {
            return Err("a record batch is compressed");
        }
        let rows = u64::try_from(self.header.i64(0).unwrap_or(0))
            .map_err(|_| "a record batch has a negative length")?;
        let body = usize::try_from(self.body_len).map_err(|_| OUTSIDE)?;
        let bytes = usize::try_from(rows)
            .ok()
            .and_then(|rows| rows.checked_mul(8))
            .filter(|bytes| {
                bytes
                    .checked_mul(columns)
                    .is_some_and(|all| all <= body || columns == 0)
            })
            .ok_or("a record batch exceeds its body")?;
        let nodes = self.header.vector(1).ok_or("a record batch has no nodes")?;
        let buffers = self
            .header
            .vector(2)
            .ok_or("a record batch has no buffers")?;
        if nodes.len() != columns || buffers.len() != 2 * columns {
            return Err("a record batch does not match the schema");
        }
        Ok(Batch {
            rows,
            bytes,
            body,
            nodes,
            buffers,
        })
    }
}

const OUTSIDE: &str = "a column lies outside its record batch";

/// The body layout of a record batch.
pub(crate) struct Batch<'a> {
    pub(crate) rows: u64,
    /// Bytes of a column.
    bytes: usize,
    /// Bytes of the body.
    body: usize,
    nodes: Vector<'a>,
    buffers: Vector<'a>,
}

impl Batch<'_> {
    /// The byte range of the values of a column in the body.
    pub(crate) fn block(&self, column: usize) -> Checked<std::ops::Range<usize>> {
        if self.nodes.pair(column) != Some([self.rows as i64, 0]) {
            return Err("a column has missing values or another length");
        }
        let [offset, length] = self
            .buffers
            .pair(2 * column + 1)
            .ok_or("a record batch has no buffers")?;
        usize::try_from(offset)
            .ok()
            .filter(|_| length >= self.bytes as i64)
            .and_then(|offset| Some(offset..offset.checked_add(self.bytes)?))
            .filter(|block| block.end <= self.body)
            .ok_or(OUTSIDE)
    }
}

/// The value of a key and its position.
fn find<'a>(pairs: Vector<'a>, key: &str) -> Option<(&'a str, usize)> {
    (0..pairs.len().min(MAX_KEYS))
        .map_while(|i| pairs.table(i))
        .find(|pair| pair.string(0).is_some_and(|(text, _)| text == key))?
        .string(1)
}

fn parse_checksum(digits: &str) -> Option<u32> {
    if digits.len() == CHECKSUM_DIGITS {
        u32::from_str_radix(digits, 16).ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stay_within_their_bounds() {
        let mut out = Vec::new();
        for length in 0..20 {
            let text = "x".repeat(length);
            for count in [1, 2, 3, 50] {
                let columns = vec![RecordedColumn::new(&text, &text, &text); count];
                encode_schema(&mut out, &text, &columns);
                assert!(out.len() <= schema_size_bound(&text, &columns));
                encode_batch(&mut out, count, &vec![0.0; count * length]);
                assert!(out.len() <= batch_size_bound(count, length));
            }
        }
    }

    #[test]
    fn overlapping_texts_are_rejected() {
        let mut out = Vec::new();
        let long = "a long description ".repeat(100);
        let columns =
            [("a", ""), ("b", &*long)].map(|(name, text)| RecordedColumn::new(name, "", text));
        encode_schema(&mut out, "m", &columns);
        let metadata = &mut out[PREFIX..];
        assert_eq!(decoded_columns(metadata), Ok(2));

        // Let every entry of a longer list of fields point to the field with the long text.
        let mut crafted = Vec::new();
        let many = vec![RecordedColumn::new("c", "", ""); 999];
        encode_schema(&mut crafted, "m", &[&many[..], &columns[1..]].concat());
        let fields = place_of_fields(&crafted);
        let last = fields + 4 * 999;
        let target = last + u32_at(&crafted, last);
        for i in 0..999 {
            link(&mut crafted, fields + 4 * i, target);
        }
        assert_eq!(
            decoded_columns(&crafted[PREFIX..]),
            Err("the texts of the schema overlap")
        );
    }

    fn decoded_columns(metadata: &[u8]) -> Checked<usize> {
        Ok(Message::decode(metadata)?.schema()?.columns.len())
    }

    fn u32_at(bytes: &[u8], at: usize) -> usize {
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
    }

    /// The first entry of the list of 1000 fields: the only position with that count before it.
    fn place_of_fields(message: &[u8]) -> usize {
        let at = (PREFIX..message.len()).step_by(4);
        4 + at
            .into_iter()
            .find(|&at| u32_at(message, at) == 1000)
            .unwrap()
    }
}
