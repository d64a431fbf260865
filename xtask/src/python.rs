//! Python environments of the workspace's own below `target/`: one reads results as users do, one holds robots and the programs
//! that imports of them are compared with, one the programs that benchmarks run beside ours.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder and its packages, pinned, so that a new release elsewhere does not change a result here.
pub(crate) struct Environment {
    folder: &'static str,
    packages: &'static [&'static str],
}

/// The packages that users read results with.
pub(crate) const READERS: Environment = Environment {
    folder: "python",
    packages: &[
        "numpy==2.4.6",
        "pandas==3.1.1",
        "polars==2.1.0",
        "pyarrow==26.0.1",
    ],
};

/// Robot descriptions as people publish them, and the programs that read them.
pub(crate) const ROBOTS: Environment = Environment {
    folder: "robots",
    packages: &[
        "example-robot-data==6.0.0",
        "gymnasium==1.4.0",
        "mujoco==3.17.0",
        "numpy==2.4.6",
        "pin==4.1.0",
    ],
};

/// The programs that benchmarks run beside ours.
pub(crate) const PEERS: Environment = Environment {
    folder: "peers",
    packages: &[
        "exudyn==1.13.6",
        "numpy==2.4.6",
        "pin==4.1.0",
        "mujoco==3.17.0",
        "sympy==1.14.0",
    ],
};

impl Environment {
    fn path(&self, root: &Path) -> PathBuf {
        root.join("target").join(self.folder)
    }

    fn python(&self, root: &Path) -> String {
        let python = self.path(root).join("bin").join("python");
        python.to_string_lossy().into_owned()
    }

    fn stamp(&self, root: &Path) -> PathBuf {
        self.path(root).join("packages.txt")
    }

    /// Its interpreter, when all packages are there.
    pub(crate) fn installed(&self, root: &Path) -> Option<String> {
        let found = std::fs::read_to_string(self.stamp(root)).ok()?;
        (found == self.packages.join("\n")).then(|| self.python(root))
    }

    /// Makes the environment when it is not there, and returns its interpreter.
    pub(crate) fn install(&self, root: &Path) -> Result<String, String> {
        if let Some(python) = self.installed(root) {
            return Ok(python);
        }
        let folder = self.path(root).to_string_lossy().into_owned();
        call("python3", &["-m", "venv", "--clear", &folder])?;
        let python = self.python(root);
        let mut arguments = vec!["-m", "pip", "install", "--quiet"];
        arguments.extend(self.packages);
        call(&python, &arguments)?;
        let stamp = self.stamp(root);
        std::fs::write(&stamp, self.packages.join("\n"))
            .map_err(|e| format!("{}: {e}", stamp.display()))?;
        Ok(python)
    }
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
