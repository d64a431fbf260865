use std::io;

/// Returns `true` if a write failed because there is no space: a full disk, a quota, or a limit on the size of files.
pub fn is_out_of_space(error: &io::Error) -> bool {
    use io::ErrorKind as K;
    matches!(
        error.kind(),
        K::StorageFull | K::QuotaExceeded | K::FileTooLarge
    )
}

/// Makes a write beyond the limit on the size of files (`ulimit -f`) fail with an error, like a full disk. Without this the system ends the process with a
/// signal, and files and messages stay incomplete.
pub fn survive_size_limit() {
    #[cfg(unix)]
    {
        // A handler that does nothing is sufficient: the write then returns EFBIG. If none can be installed, such a write still ends the process.
        let seen = std::sync::Arc::default();
        drop(signal_hook::flag::register(
            signal_hook::consts::SIGXFSZ,
            seen,
        ));
    }
}
