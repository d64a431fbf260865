//! Runs the benchmark groups, each in its own process, together with installed peer programs.

use crate::{python, root};

const GROUPS: [&str; 10] = [
    "chain",
    "pendulum",
    "redundant",
    "memory",
    "tree",
    "derive",
    "robot",
    "control",
    "beam",
    PYTHON,
];
/// The group for the Python package.
const PYTHON: &str = "python";
const OPTIONS: [&str; 2] = ["--peers", "--json"];

/// Returns `true` if the arguments are options and at most one group.
pub(crate) fn understands(words: &[&str]) -> bool {
    let known = |word: &&str| GROUPS.contains(word) || OPTIONS.contains(word);
    words.iter().all(known) && words.iter().filter(|word| GROUPS.contains(word)).count() <= 1
}

/// Runs the named group, or all of them, and fails if one violates its requirements.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    let chosen = |group: &&&str| words.contains(group) || !words.iter().any(|w| GROUPS.contains(w));
    let peer = exudyn(words.contains(&"--peers"));
    let mut failed = Vec::new();
    for group in GROUPS.iter().filter(chosen) {
        if *group == PYTHON {
            if let Err(problem) = package(peer.is_some(), words.contains(&"--json")) {
                eprintln!("{problem}");
                failed.push(PYTHON);
            }
            continue;
        }
        let mut arguments = vec![
            "run",
            "--quiet",
            "--release",
            "--locked",
            "-p",
            "biela-bench",
            "--",
        ];
        arguments.push(group);
        if words.contains(&"--json") {
            arguments.push("--json");
        }
        if let Some(python) = &peer {
            arguments.extend(["--peers", python]);
        }
        if crate::run("cargo", &arguments, &[]).is_err() {
            failed.push(*group);
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("benchmarks failed: {}", failed.join(", ")))
    }
}

/// Builds and measures the Python package, together with Pinocchio if the peers are installed.
fn package(peers: bool, json: bool) -> Result<(), String> {
    let wheel = python::wheel(&root(), true)?;
    let environment = if peers {
        python::PEERS
    } else {
        python::PACKAGE
    };
    let python = python::installed_in(&environment, &root(), &wheel)?;
    let mut arguments = vec!["benches/python_package.py"];
    if json {
        arguments.push("--json");
    }
    crate::run(&python, &arguments, &[])
}

/// The interpreter with Exudyn; without it, published times are used.
fn exudyn(install: bool) -> Option<String> {
    let found = if install {
        python::PEERS.install(&root())
    } else {
        let hint = "cargo xtask bench --peers installs it";
        python::PEERS
            .installed(&root())
            .ok_or_else(|| hint.to_owned())
    };
    found
        .map_err(|why| eprintln!("exudyn is not installed; its published times are used: {why}"))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::understands;

    #[test]
    fn options_and_at_most_one_group_are_accepted() {
        assert!(understands(&[]));
        assert!(understands(&["--json", "chain", "--peers"]));
        assert!(!understands(&["chain", "memory"]));
        assert!(!understands(&["--fast"]));
    }
}
