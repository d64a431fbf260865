use std::io;

/// Whether a write failed because there is no room: a full disk, a quota, or a limit on the size of files.
pub fn is_out_of_space(error: &io::Error) -> bool {
    use io::ErrorKind as K;
    matches!(
        error.kind(),
        K::StorageFull | K::QuotaExceeded | K::FileTooLarge
    )
}

/// Lets a write beyond the limit on the size of files (`ulimit -f`) fail with an error, as a full disk does. Without this the system ends the process by a
/// signal, with files and messages half written.
pub fn survive_size_limit() {
    #[cfg(unix)]
    {
        // A handler that does nothing is enough: the write then returns EFBIG. Where none can be installed, a write ends the process as before.
        let seen = std::sync::Arc::default();
        drop(signal_hook::flag::register(
            signal_hook::consts::SIGXFSZ,
            seen,
        ));
    }
}
