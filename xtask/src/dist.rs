//! Release archives: a statically linked program, its manual pages, completions, and licences.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::copy::told;
use crate::run;

/// Linux on 64-bit Intel and AMD, with a statically linked C library.
const TARGET: &str = "x86_64-unknown-linux-musl";
const SHELLS: [(&str, &str); 3] = [
    ("bash", "biela.bash"),
    ("zsh", "_biela"),
    ("fish", "biela.fish"),
];
const TEXTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Builds the static program and packs it with its documents to `target/dist`.
pub(crate) fn pack(root: &Path) -> Result<(), String> {
    run("rustup", &["target", "add", TARGET], &[])?;
    let target = root.join("target");
    let built = ["build", "--release", "--locked", "--package", "biela-cli"];
    let place = target.display().to_string();
    let arguments = [&built, &["--target", TARGET, "--target-dir", &place][..]].concat();
    // debug information is three quarters of its size
    let bare = [
        ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
        ("CARGO_PROFILE_RELEASE_STRIP", "symbols"),
    ];
    run("cargo", &arguments, &bare)?;
    let name = format!("biela-{}-{TARGET}", env!("CARGO_PKG_VERSION"));
    let dist = target.join("dist");
    let folder = dist.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|e| told(&folder, &e))?;
    }
    let completions = folder.join("completions");
    fs::create_dir_all(&completions).map_err(|e| told(&completions, &e))?;
    let program = folder.join("biela");
    copy(&target.join(TARGET).join("release").join("biela"), &program)?;
    for text in TEXTS {
        copy(&root.join(text), &folder.join(text))?;
    }
    let program = program.display().to_string();
    let pages = folder.join("man1").display().to_string();
    run(&program, &["man", "--out", &pages], &[])?;
    for (shell, file) in SHELLS {
        let path = completions.join(file);
        fs::write(&path, output(&program, &["completions", shell])?)
            .map_err(|e| told(&path, &e))?;
    }
    let archive = dist.join(format!("{name}.tar.gz")).display().to_string();
    let dist = dist.display().to_string();
    run("tar", &["-czf", &archive, "-C", &dist, &name], &[])?;
    eprintln!("wrote {archive}");
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let copied = fs::copy(from, to).map_err(|e| told(from, &e));
    copied.map(|_| ())
}

fn output(program: &str, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let done = Command::new(program).args(arguments).output();
    match done {
        Ok(done) if done.status.success() => Ok(done.stdout),
        Ok(_) => Err(format!("{program} {} failed", arguments.join(" "))),
        Err(e) => Err(format!("cannot start {program}: {e}")),
    }
}
