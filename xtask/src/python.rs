//! A Python environment of the workspace's own, with the packages that users read results with.

use std::path::Path;
use std::process::Command;

/// The packages, pinned, so that a new release elsewhere does not change a test here.
const PACKAGES: &[&str] = &[
    "numpy==2.4.6",
    "pandas==3.1.1",
    "polars==2.1.0",
    "pyarrow==26.0.1",
];

/// Makes the environment below `target/` when it is not there, and returns its interpreter.
pub(crate) fn environment(root: &Path) -> Result<String, String> {
    let folder = root.join("target").join("python");
    let python = folder.join("bin").join("python");
    let stamp = folder.join("packages.txt");
    let wanted = PACKAGES.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(python.to_string_lossy().into_owned());
    }
    let folder_text = folder.to_string_lossy().into_owned();
    call("python3", &["-m", "venv", "--clear", &folder_text])?;
    let python_text = python.to_string_lossy().into_owned();
    let mut arguments = vec!["-m", "pip", "install", "--quiet"];
    arguments.extend(PACKAGES);
    call(&python_text, &arguments)?;
    std::fs::write(&stamp, wanted).map_err(|e| format!("{}: {e}", stamp.display()))?;
    Ok(python_text)
}

fn call(program: &str, arguments: &[&str]) -> Result<(), String> {
    eprintln!("+ {program} {}", arguments.join(" "));
    let status = Command::new(program).args(arguments).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{program} {} failed", arguments.join(" "))),
        Err(e) => Err(format!(
            "cannot start {program}: {e}; install Python 3.10 or newer with venv"
        )),
    }
}
