//! Every target reads its seeds and thousands of changes of them, in bounded time and memory; `cargo xtask fuzz` goes on from there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use biela_fuzz::mutate::{Mutator, dictionary};
use biela_fuzz::{TARGETS, Target};

/// Changed inputs of each target.
const INPUTS: usize = 4000;
/// Time that one input may take, on a busy machine.
const SLOWEST: Duration = Duration::from_secs(5);
/// Memory that all of it may take, kB.
const MOST_MEMORY: u64 = 512 << 10;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz")
        .join(name)
}

fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folder = folder("seeds").join(target.name);
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} has no seeds", target.name);
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

fn words(target: &Target) -> Vec<Vec<u8>> {
    let path = folder("dictionaries")
        .join(target.name)
        .with_extension("dict");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    dictionary(&text)
}

/// Feeds the inputs to the target, one after the other in a separate thread; panics with the input that does not return in time.
fn feed(target: &'static Target, inputs: Vec<Vec<u8>>) {
    let inputs = Arc::new(inputs);
    let (done, waiting) = mpsc::channel();
    let fed = Arc::clone(&inputs);
    let _ = std::thread::spawn(move || {
        for (k, bytes) in fed.iter().enumerate() {
            (target.run)(bytes);
            if done.send(k).is_err() {
                return;
            }
        }
    });
    for (k, bytes) in inputs.iter().enumerate() {
        let came_back = waiting.recv_timeout(SLOWEST) == Ok(k);
        let text = String::from_utf8_lossy(bytes);
        assert!(
            came_back,
            "{} broke, or took too long, at {text:?}",
            target.name
        );
    }
}

/// The peak memory of the process in kB; `None` if the system does not report it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn every_target_survives_its_seeds_and_thousands_of_mutations() {
    for target in TARGETS {
        let (seeds, words) = (seeds(target), words(target));
        let mut mutator = Mutator::new(&seeds, &words, 20_240_607);
        let changed: Vec<_> = (0..INPUTS).map(|_| mutator.next_input()).collect();
        feed(target, seeds);
        feed(target, changed);
    }
    if let Some(peak) = peak() {
        assert!(peak < MOST_MEMORY, "{peak} kB");
    }
}

#[test]
fn every_target_has_a_fuzz_binary_and_every_fuzz_binary_a_target() {
    let manifest = std::fs::read_to_string(folder("Cargo.toml")).unwrap();
    let mut lines: Vec<_> = std::fs::read_dir(folder("fuzz_targets"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    lines.sort();
    let mut names: Vec<_> = TARGETS
        .iter()
        .map(|target| format!("{}.rs", target.name))
        .collect();
    names.sort();
    assert_eq!(lines, names);
    for target in TARGETS {
        let bin = format!("path = \"fuzz_targets/{}.rs\"", target.name);
        assert!(manifest.contains(&bin), "{bin}");
    }
}

#[test]
fn seeds_are_small() {
    let size = |target: &Target| seeds(target).iter().map(Vec::len).sum::<usize>();
    let all: usize = TARGETS.iter().map(size).sum();
    assert!(all < 2 << 20, "{all} bytes");
}
