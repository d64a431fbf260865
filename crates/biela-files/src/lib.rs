//! How biela writes files. Every file that any part of the program writes is written through here.
//!
//! The threat is a folder from a stranger, a downloaded project for instance, in which names that the program will write to are links to files of
//! the user. The answer is that no link inside a folder is ever followed for writing:
//!
//! - [`write()`] and [`Draft`] make a new file of an unpredictable name beside the target and rename it to the target when it is whole. A reader sees the
//!   old file or the new one; a process that is killed leaves the old one; a link in the target's place is replaced, and what it led to stays as it is.
//! - [`open_own`] opens a file that is changed in place (a lock, a journal) and refuses a link.
//! - [`create_new`] makes a file that must not be there, not even as a link.
//! - [`folder()`] makes a folder and refuses a link in its place, [`subfolder`] does so for every component below a folder, and [`own_folder`] refuses a folder
//!   that holds files of others.
//!
//! A full disk and a limit on the size of files are the same to the rest of the program ([`is_out_of_space`], [`survive_size_limit`]). [`HeldFolder`] notices that the folder
//! of a long run was moved or deleted. [`Checksum`] is the checksum of a file as it grows, by which a run that is resumed knows that its files are what they were.
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
