//! Runs libFuzzer to find inputs that make a reader panic, hang or exceed its memory: the targets in the folder `fuzz`.
//!
//! The readers are built by a nightly compiler with coverage counters and overflow checks, without the address sanitizer: the workspace has no unsafe code of
//! its own, and the measured memory is then that of the readers. Comparisons are not traced, which would take more than half of the time; the dictionaries
//! contain the words that readers compare with.

use std::path::PathBuf;

use crate::{root, tools};

/// The default number of executions of each target.
const RUNS: &str = "100000";
/// Limits per input: memory (MB) and time (s).
const LIMITS: [&str; 2] = ["-rss_limit_mb=512", "-timeout=10"];

/// Parses the arguments: the names of targets and the number of executions; `None` if they are invalid.
fn understood<'w>(words: &[&'w str]) -> Option<(Vec<&'w str>, &'w str)> {
    let (mut names, mut runs) = (Vec::new(), RUNS);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--runs" => runs = words.next().filter(|n| n.parse::<u64>().is_ok())?,
            name if !name.starts_with('-') => names.push(name),
            _ => return None,
        }
    }
    Some((names, runs))
}

/// Runs the named targets, or all of them, in sequence.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    let (names, runs) = understood(words).ok_or("fuzz accepts names of targets and --runs N")?;
    let all = targets()?;
    if let Some(unknown) = names.iter().find(|name| !all.iter().any(|t| t == *name)) {
        return Err(format!(
            "no target `{unknown}`; there are {}",
            all.join(", ")
        ));
    }
    let tool = tools::FUZZ.install(&root())?;
    let built = built();
    for target in all
        .iter()
        .filter(|t| names.is_empty() || names.contains(&t.as_str()))
    {
        let corpus = built.join("corpus").join(target);
        std::fs::create_dir_all(&corpus).map_err(|e| format!("{}: {e}", corpus.display()))?;
        let folder = |part: &str| format!("fuzz/{part}/{target}");
        let (corpus, built) = (corpus.display().to_string(), built.display().to_string());
        let artifacts = format!("-artifact_prefix={built}/found-{target}-");
        let dictionary = format!("-dict={}.dict", folder("dictionaries"));
        let (runs, seeds) = (format!("-runs={runs}"), folder("seeds"));
        let arguments = [
            "fuzz",
            "run",
            "--fuzz-dir",
            "fuzz",
            "--target-dir",
            &built,
            "--sanitizer",
            "none",
            "--no-trace-compares",
            target,
            &corpus,
            &seeds,
            "--",
            &runs,
            LIMITS[0],
            LIMITS[1],
            &dictionary,
            &artifacts,
            "-max_len=16384",
            "-print_final_stats=1",
            "-verbosity=1",
        ];
        crate::run(&tool, &arguments, &[("RUSTUP_TOOLCHAIN", "nightly")])?;
    }
    Ok(())
}

/// The folder of the instrumented readers and of the findings.
fn built() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    target
        .map_or_else(|| root().join("target"), PathBuf::from)
        .join("fuzz")
}

/// The targets: the files that have a line for each of them.
fn targets() -> Result<Vec<String>, String> {
    let folder = root().join("fuzz/fuzz_targets");
    let files = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let stem = |path: PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
    let mut names: Vec<_> = files
        .flatten()
        .filter_map(|file| stem(file.path()))
        .collect();
    names.sort();
    Ok(names)
}
