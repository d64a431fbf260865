//! Runs the benchmark groups, each in its own process, together with installed peer programs.

use crate::{python, root};

/// A group: the part of the benchmark program, and the part of the Python package.
struct Group {
    name: &'static str,
    native: bool,
    script: Option<&'static str>,
}

impl Group {
    const fn native(name: &'static str) -> Self {
        Group {
            name,
            native: true,
            script: None,
        }
    }
}

const GROUPS: [Group; 12] = [
    Group::native("chain"),
    Group::native("pendulum"),
    Group::native("redundant"),
    Group::native("memory"),
    Group::native("tree"),
    Group::native("derive"),
    Group::native("robot"),
    Group::native("control"),
    Group::native("beam"),
    Group::native("contact"),
    Group {
        name: "step",
        native: true,
        script: Some("benches/step.py"),
    },
    Group {
        name: "python",
        native: false,
        script: Some("benches/python_package.py"),
    },
];
const OPTIONS: [&str; 2] = ["--peers", "--json"];

fn is_group(word: &str) -> bool {
    GROUPS.iter().any(|group| group.name == word)
}

/// Returns `true` if the arguments are options and at most one group.
pub(crate) fn understands(words: &[&str]) -> bool {
    let known = |word: &&str| is_group(word) || OPTIONS.contains(word);
    words.iter().all(known) && words.iter().filter(|word| is_group(word)).count() <= 1
}

/// Runs the named group, or all of them, and fails if one violates its requirements.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    let all = !words.iter().any(|word| is_group(word));
    let json = words.contains(&"--json");
    let peer = exudyn(words.contains(&"--peers"));
    let mut failed = Vec::new();
    for group in GROUPS.iter().filter(|g| all || words.contains(&g.name)) {
        // both parts run, also if the first violates a requirement
        let native = group
            .native
            .then(|| program(group.name, peer.as_deref(), json));
        let script = group.script.map(|path| script(path, peer.is_some(), json));
        for problem in [native, script]
            .into_iter()
            .flatten()
            .filter_map(Result::err)
        {
            eprintln!("{problem}");
            failed.push(group.name);
        }
    }
    failed.dedup();
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("benchmarks failed: {}", failed.join(", ")))
    }
}

/// Runs a group of the benchmark program.
fn program(group: &str, peer: Option<&str>, json: bool) -> Result<(), String> {
    let mut arguments = vec!["run", "--quiet", "--release", "--locked"];
    arguments.extend(["-p", "biela-bench", "--", group]);
    if json {
        arguments.push("--json");
    }
    if let Some(python) = peer {
        arguments.extend(["--peers", python]);
    }
    crate::run("cargo", &arguments, &[])
}

/// Builds the Python package and runs a script that measures it, together with the peers if they are installed.
fn script(path: &str, peers: bool, json: bool) -> Result<(), String> {
    let wheel = python::wheel(&root(), true)?;
    let environment = if peers {
        python::PEERS
    } else {
        python::PACKAGE
    };
    let python = python::installed_in(&environment, &root(), &wheel)?;
    let mut arguments = vec![path];
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
