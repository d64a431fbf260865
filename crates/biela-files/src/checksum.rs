use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// The number of bytes read at once.
const BLOCK: usize = 256 << 10;

/// Length and SHA-256 of a file, updated as the file is written.
///
/// Its value is available at any time without reading the file again, and a file that is continued continues its checksum:
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// # let place = tempfile::tempdir()?;
/// # let path = place.path().join("rows");
/// let mut written = biela_files::Checksum::default();
/// written.update(b"first ");
/// written.update(b"second");
/// std::fs::write(&path, b"first second third")?;
/// let mut read = biela_files::Checksum::of_start(&path, 12)?;
/// assert_eq!(read.to_string(), written.to_string());
/// read.update(b" third");
/// assert_eq!(read.bytes(), 18);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Checksum {
    sum: Sha256,
    bytes: u64,
}

impl Checksum {
    /// Adds the following bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// The number of bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The checksum of the first `bytes` bytes of a file, or of the whole file if it is shorter.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is a link or not a regular file.
    pub fn of_start(path: &Path, bytes: u64) -> io::Result<Self> {
        let mut left = crate::open_own(path, File::options().read(true))?.take(bytes);
        let mut sum = Self::default();
        let mut block = vec![0; BLOCK];
        loop {
            match left.read(&mut block) {
                Ok(0) => return Ok(sum),
                Ok(count) => sum.update(&block[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// The SHA-256 in hexadecimal.
impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = self.sum.clone().finalize();
        sum.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
