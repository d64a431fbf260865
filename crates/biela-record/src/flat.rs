//! The subset of the FlatBuffers encoding that Arrow messages need.
//!
//! A buffer starts with a `u32` offset to the root table. Every `u32` offset is relative to its own position, forward.
//!
//! ```text
//! vtable:  u16 size of vtable | u16 size of table | u16 place of slot 0 in the table (0 = absent) | slot 1 | …
//! table:   i32 back to vtable | inline numbers, and u32 offsets to strings, vectors and tables
//! vector:  u32 count | elements            string:  u32 count | UTF-8 | NUL
//! ```
//!
//! Numbers are little-endian and aligned to their size, counted from the start of the buffer. The encoder writes parents before children, so that offsets point
//! forward, and fills in an offset (`link`) once its target is written. The buffer must start at a multiple of 8 in `out`.

/// The content of one slot of a table.
pub(crate) enum Slot {
    Absent,
    U8(u8),
    I16(i16),
    I64(i64),
    /// To be filled in with [`link`].
    Offset,
}

impl Slot {
    fn width(&self) -> usize {
        match self {
            Slot::Absent => 0,
            Slot::U8(_) => 1,
            Slot::I16(_) => 2,
            Slot::Offset => 4,
            Slot::I64(_) => 8,
        }
    }
}

/// The position of a table and of each of its slots.
pub(crate) struct PlacedTable<const N: usize> {
    pub(crate) at: usize,
    pub(crate) slots: [usize; N],
}

/// Appends a table.
pub(crate) fn table<const N: usize>(out: &mut Vec<u8>, slots: [Slot; N]) -> PlacedTable<N> {
    let mut places = [0; N];
    let mut size: usize = 4;
    for (place, slot) in places.iter_mut().zip(&slots) {
        let width = slot.width();
        if width > 0 {
            *place = size.next_multiple_of(width);
            size = *place + width;
        }
    }
    let vtable_size = 4 + 2 * N;
    pad(out, 8, vtable_size);
    out.extend((vtable_size as u16).to_le_bytes());
    out.extend((size as u16).to_le_bytes());
    for place in places {
        out.extend((place as u16).to_le_bytes());
    }
    let at = out.len();
    out.extend((vtable_size as i32).to_le_bytes());
    for (place, slot) in places.iter().zip(slots) {
        if slot.width() > 0 {
            out.resize(at + place, 0);
        }
        match slot {
            Slot::Absent => {}
            Slot::U8(value) => out.push(value),
            Slot::I16(value) => out.extend(value.to_le_bytes()),
            Slot::I64(value) => out.extend(value.to_le_bytes()),
            Slot::Offset => out.extend([0; 4]),
        }
    }
    PlacedTable {
        at,
        slots: places.map(|place| at + place),
    }
}

/// Appends a string.
pub(crate) fn string(out: &mut Vec<u8>, text: &str) -> usize {
    pad(out, 4, 0);
    let at = out.len();
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
    out.push(0);
    at
}

/// Appends a vector of `count` offsets to be linked; element `i` is at `4 + 4 i` from the returned position.
pub(crate) fn offsets(out: &mut Vec<u8>, count: usize) -> usize {
    pad(out, 4, 0);
    let at = out.len();
    out.extend((count as u32).to_le_bytes());
    out.resize(out.len() + 4 * count, 0);
    at
}

/// Appends a vector of pairs of `i64`, the encoding of nodes and buffers in Arrow.
pub(crate) fn pairs(out: &mut Vec<u8>, pairs: impl ExactSizeIterator<Item = [i64; 2]>) -> usize {
    pad(out, 8, 4);
    let at = out.len();
    out.extend((pairs.len() as u32).to_le_bytes());
    for pair in pairs {
        out.extend(pair[0].to_le_bytes());
        out.extend(pair[1].to_le_bytes());
    }
    at
}

/// Sets the offset at `from` to point to `to`, which is later in the buffer.
pub(crate) fn link(out: &mut [u8], from: usize, to: usize) {
    out[from..from + 4].copy_from_slice(&((to - from) as u32).to_le_bytes());
}

/// Appends zeros until the data after `ahead` more bytes are aligned to `width`.
pub(crate) fn pad(out: &mut Vec<u8>, width: usize, ahead: usize) {
    out.resize((out.len() + ahead).next_multiple_of(width) - ahead, 0);
}

fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    bytes_at(bytes, at).map(|b| usize::from(u16::from_le_bytes(b)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(bytes_at(bytes, at)?)).ok()
}

fn i64_at(bytes: &[u8], at: usize) -> Option<i64> {
    bytes_at(bytes, at).map(i64::from_le_bytes)
}

/// A table in untrusted bytes: anything outside the buffer is treated as absent.
#[derive(Clone, Copy)]
pub(crate) struct FlatTable<'a> {
    bytes: &'a [u8],
    at: usize,
    vtable: usize,
    slots: usize,
}

impl<'a> FlatTable<'a> {
    /// The root table of a buffer.
    pub(crate) fn root(bytes: &'a [u8]) -> Option<Self> {
        Self::behind(bytes, 0)
    }

    fn behind(bytes: &'a [u8], offset_at: usize) -> Option<Self> {
        let at = offset_at.checked_add(u32_at(bytes, offset_at)?)?;
        let back = i64::from(i32::from_le_bytes(bytes_at(bytes, at)?));
        let vtable = usize::try_from(i64::try_from(at).ok()?.checked_sub(back)?).ok()?;
        let slots = u16_at(bytes, vtable)?.checked_sub(4)? / 2;
        Some(Self {
            bytes,
            at,
            vtable,
            slots,
        })
    }

    fn place(&self, slot: usize) -> Option<usize> {
        if slot >= self.slots {
            return None;
        }
        match u16_at(self.bytes, self.vtable.checked_add(4 + 2 * slot)?)? {
            0 => None,
            inside => self.at.checked_add(inside),
        }
    }

    pub(crate) fn has(&self, slot: usize) -> bool {
        self.place(slot).is_some()
    }

    pub(crate) fn u8(&self, slot: usize) -> Option<u8> {
        self.bytes.get(self.place(slot)?).copied()
    }

    pub(crate) fn i16(&self, slot: usize) -> Option<i16> {
        bytes_at(self.bytes, self.place(slot)?).map(i16::from_le_bytes)
    }

    pub(crate) fn i64(&self, slot: usize) -> Option<i64> {
        i64_at(self.bytes, self.place(slot)?)
    }

    pub(crate) fn table(&self, slot: usize) -> Option<FlatTable<'a>> {
        FlatTable::behind(self.bytes, self.place(slot)?)
    }

    pub(crate) fn vector(&self, slot: usize) -> Option<Vector<'a>> {
        let offset_at = self.place(slot)?;
        let at = offset_at.checked_add(u32_at(self.bytes, offset_at)?)?;
        Some(Vector {
            bytes: self.bytes,
            first: at.checked_add(4)?,
            len: u32_at(self.bytes, at)?,
        })
    }

    /// A string and its position in the buffer.
    pub(crate) fn string(&self, slot: usize) -> Option<(&'a str, usize)> {
        let Vector { bytes, first, len } = self.vector(slot)?;
        let text = bytes.get(first..first.checked_add(len)?)?;
        Some((std::str::from_utf8(text).ok()?, first))
    }
}

/// A vector in untrusted bytes.
#[derive(Clone, Copy)]
pub(crate) struct Vector<'a> {
    bytes: &'a [u8],
    first: usize,
    len: usize,
}

impl<'a> Vector<'a> {
    /// The declared count; elements may still be absent.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    fn place(&self, index: usize, width: usize) -> Option<usize> {
        if index >= self.len {
            return None;
        }
        self.first.checked_add(index.checked_mul(width)?)
    }

    pub(crate) fn table(&self, index: usize) -> Option<FlatTable<'a>> {
        FlatTable::behind(self.bytes, self.place(index, 4)?)
    }

    pub(crate) fn pair(&self, index: usize) -> Option<[i64; 2]> {
        let at = self.place(index, 16)?;
        Some([
            i64_at(self.bytes, at)?,
            i64_at(self.bytes, at.checked_add(8)?)?,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let mut out = vec![0; 4];
        let root = table(
            &mut out,
            [
                Slot::U8(7),
                Slot::Absent,
                Slot::I64(-5),
                Slot::Offset,
                Slot::I16(300),
                Slot::Offset,
            ],
        );
        link(&mut out, 0, root.at);
        let text = string(&mut out, "Kurbelwinkel φ");
        link(&mut out, root.slots[3], text);
        let numbers = pairs(&mut out, [[1, 2], [3, i64::MIN]].into_iter());
        link(&mut out, root.slots[5], numbers);
        out
    }

    #[test]
    fn encoded_tables_are_read_back() {
        let bytes = sample();
        let root = FlatTable::root(&bytes).unwrap();
        assert_eq!(root.u8(0), Some(7));
        assert!(!root.has(1));
        assert_eq!(root.i64(2), Some(-5));
        assert_eq!(root.string(3).unwrap().0, "Kurbelwinkel φ");
        assert_eq!(root.i16(4), Some(300));
        let numbers = root.vector(5).unwrap();
        assert_eq!((numbers.len(), numbers.pair(0)), (2, Some([1, 2])));
        assert_eq!(
            (numbers.pair(1), numbers.pair(2)),
            (Some([3, i64::MIN]), None)
        );
        assert!(!root.has(6));
    }

    #[test]
    fn wide_numbers_are_aligned() {
        let bytes = sample();
        let root = FlatTable::root(&bytes).unwrap();
        assert!(root.place(2).unwrap().is_multiple_of(8));
        assert!(root.vector(5).unwrap().first.is_multiple_of(8));
    }

    #[test]
    fn a_truncated_buffer_reads_as_absent() {
        let bytes = sample();
        for end in 0..bytes.len() {
            if let Some(root) = FlatTable::root(&bytes[..end]) {
                assert_eq!(root.vector(5).and_then(|v| v.pair(1)), None);
            }
        }
    }
}
