use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Creates a folder and its parents, or accepts an existing one; a link in its place is rejected. Links above it belong to the user.
///
/// # Errors
///
/// If there is a link or a file of that name, or the folder cannot be created.
pub fn folder(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => Err(is_link(path)),
        Ok(there) if there.is_dir() => Ok(()),
        _ => fs::create_dir_all(path),
    }
}

/// Creates a folder, or accepts one that contains only files of the program, judged by their names. A folder with other files is rejected, because files of the
/// user could be replaced.
///
/// # Errors
///
/// As for [`folder`], and if it contains another file, which is named.
pub fn own_folder(path: &Path, is_ours: impl Fn(&str) -> bool) -> io::Result<()> {
    folder(path)?;
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(crate::draft::PREFIX) && !is_ours(&name) {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                format!(
                    "the folder contains other files (`{}`); name a new or empty one",
                    name.escape_debug()
                ),
            ));
        }
    }
    Ok(())
}

/// Creates a folder below another, or accepts an existing one, and returns its path; a link between `outer` and it is rejected.
///
/// # Errors
///
/// As for [`folder`], and if `inner` is absolute or leaves `outer`.
pub fn subfolder(outer: &Path, inner: &Path) -> io::Result<PathBuf> {
    let mut path = outer.to_owned();
    for component in inner.components() {
        let Component::Normal(name) = component else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the path of a subfolder must be relative, without `..`",
            ));
        };
        path.push(name);
        folder(&path)?;
    }
    Ok(path)
}

/// Creates a private temporary folder with an unpredictable name after `prefix`; it is removed on drop.
///
/// # Errors
///
/// If it cannot be created.
pub fn private_folder(prefix: &str) -> io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    let _ = builder.prefix(prefix).rand_bytes(12);
    #[cfg(unix)]
    let _ = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

/// Creates a file that must not exist, not even as a link.
///
/// # Errors
///
/// If it exists, or cannot be created.
pub fn create_new(path: &Path) -> io::Result<File> {
    File::create_new(path)
}

/// Opens a file of the program with these options, to modify it in place; a link or anything but a regular file is rejected.
///
/// # Errors
///
/// If there is a link or a file that is not regular, or it cannot be opened.
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
            "not a regular file",
        ))
    }
}

fn is_link(path: &Path) -> io::Error {
    let to = fs::read_link(path).unwrap_or_default();
    io::Error::new(
        io::ErrorKind::InvalidInput,
        format!(
            "it is a symbolic link to {}, and biela does not write through links; remove it, or name another path",
            to.display().to_string().escape_debug()
        ),
    )
}
