use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Makes a folder with those above it, or finds it there; a link in its place is refused. Links above it are the user's own.
///
/// # Errors
///
/// When there is a link or a file of that name, or no folder can be made.
pub fn folder(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => Err(is_link(path)),
        Ok(there) if there.is_dir() => Ok(()),
        _ => fs::create_dir_all(path),
    }
}

/// Makes a folder, or finds one that holds nothing but files of the program, by their names; one with anything else in it is refused, because files of the user
/// may be among those that are replaced.
///
/// # Errors
///
/// As for [`folder`]; and when something else is in it, which is named.
pub fn own_folder(path: &Path, is_ours: impl Fn(&str) -> bool) -> io::Result<()> {
    folder(path)?;
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(crate::draft::PREFIX) && !is_ours(&name) {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                format!(
                    "the folder holds other files (`{}`); name a new or empty one",
                    name.escape_debug()
                ),
            ));
        }
    }
    Ok(())
}

/// Makes a folder below another, or finds it there, and gives its path; a link on the way from `outer` is refused.
///
/// # Errors
///
/// As for [`folder`]; and when `inner` is absolute or leads out.
pub fn subfolder(outer: &Path, inner: &Path) -> io::Result<PathBuf> {
    let mut path = outer.to_owned();
    for component in inner.components() {
        let Component::Normal(name) = component else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "a folder inside is named by names alone",
            ));
        };
        path.push(name);
        folder(&path)?;
    }
    Ok(path)
}

/// Makes a temporary folder that nobody else may look into, with an unpredictable name behind `prefix`; it goes when it is dropped.
///
/// # Errors
///
/// When it cannot be made.
pub fn private_folder(prefix: &str) -> io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    let _ = builder.prefix(prefix).rand_bytes(12);
    #[cfg(unix)]
    let _ = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

/// Makes a file that must not be there, not even as a link.
///
/// # Errors
///
/// When it is there, or cannot be made.
pub fn create_new(path: &Path) -> io::Result<File> {
    File::create_new(path)
}

/// Opens a file of the program's own to be changed in place, with these options; a link is refused, and so is anything but a plain file.
///
/// # Errors
///
/// When there is a link or no plain file of that name, or it cannot be opened.
pub fn open_own(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let never = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        let _ = options.custom_flags(never.bits().cast_signed());
    }
    if fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink()) {
        return Err(is_link(path));
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a plain file",
        ))
    }
}

fn is_link(path: &Path) -> io::Error {
    let to = fs::read_link(path).unwrap_or_default();
    io::Error::new(
        io::ErrorKind::InvalidInput,
        format!(
            "it is a symbolic link (to {}), and links are not written through; remove it, or name another place",
            to.display().to_string().escape_debug()
        ),
    )
}
