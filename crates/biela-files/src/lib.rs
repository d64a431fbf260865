//! File output of biela. All parts of the program write files through this crate.
//!
//! The threat is an untrusted folder, such as a downloaded project, in which names that the program will write to are links to files of the user. Therefore no
//! link inside a folder is ever followed for writing:
//!
//! - [`write()`] and [`Draft`] create a file with an unpredictable name next to the target and rename it to the target when it is complete. A reader sees the
//!   old file or the new one. A killed process leaves the old one. If the target is a link, the link is replaced, and the file that it points to stays
//!   unchanged.
//! - [`open_own`] opens a file that is modified in place (a lock, a journal) and rejects a link.
//! - [`create_new`] creates a file that must not exist, not even as a link.
//! - [`folder()`] creates a folder and rejects a link in its place, [`subfolder`] does so for every component below a folder, and [`own_folder`] rejects a
//!   folder that contains foreign files.
//!
//! A full disk and a limit on the size of files are treated alike ([`is_out_of_space`], [`survive_size_limit`]). [`HeldFolder`] detects that the folder of a
//! long run was moved or deleted. [`Checksum`] is the checksum of a growing file, with which a resumed run verifies that its files are unchanged.
//!
//! ```
//! # fn main() -> std::io::Result<()> {
//! # let place = tempfile::tempdir()?;
//! # let folder = place.path();
//! biela_files::write(&folder.join("plot.svg"), b"<svg/>")?;
//! # Ok(())
//! # }
//! ```

mod checksum;
mod draft;
mod folders;
mod held;
mod space;

pub use checksum::Checksum;
pub use draft::{Draft, write};
pub use folders::{create_new, folder, open_own, own_folder, private_folder, subfolder};
pub use held::{HeldFolder, Whereabouts, is_at};
pub use space::{is_out_of_space, survive_size_limit};
