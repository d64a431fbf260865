//! Python environments of the workspace below `target/`: one to read results as users do, one with robots and the programs against which imports are compared,
//! one with the peer programs of benchmarks, three to build and test the package, and one for the spelling check.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder and its packages, pinned, so that a new release elsewhere does not change a result.
pub(crate) struct Environment {
    folder: &'static str,
    packages: &'static [&'static str],
}

/// The packages with which users read results.
pub(crate) const READERS: Environment = Environment {
    folder: "python",
    packages: &[
        "numpy==2.4.6",
        "pandas==3.1.1",
        "polars==2.1.0",
        "pyarrow==26.0.1",
    ],
};

/// Published robot descriptions, and the programs that read them.
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

/// The peer programs of benchmarks.
pub(crate) const PEERS: Environment = Environment {
    folder: "peers",
    packages: &[
        "exudyn==1.13.6",
        "gymnasium==1.4.0",
        "numpy==2.4.6",
        "pin==4.1.0",
        "mujoco==3.17.0",
        "sympy==1.14.0",
    ],
};

/// The build tools of the package.
pub(crate) const BUILDER: Environment = Environment {
    folder: "builder",
    packages: &["maturin==1.16.0"],
};

/// The test dependencies of the package.
pub(crate) const PACKAGE: Environment = Environment {
    folder: "package",
    packages: &[
        "dask==2026.8.0",
        "distributed==2026.8.0",
        "gymnasium==1.4.0",
        "ipykernel==7.4.0",
        "mypy==2.4.1",
        "nbclient==0.11.0",
        "nbformat==5.11.1",
        "numpy==2.4.6",
        "pandas==3.1.1",
        "pytest==9.2.0",
        "ray==2.60.0",
        "xarray==2026.9.0",
    ],
};

/// The spelling checker.
pub(crate) const SPELLER: Environment = Environment {
    folder: "speller",
    packages: &["typos==1.51.1"],
};

/// A user's environment: only the package and its dependencies.
const USER: Environment = Environment {
    folder: "user",
    packages: &[],
};

/// Builds the package, installs it in an empty and in a test environment, and tests it.
pub(crate) fn package(root: &Path, release: bool) -> Result<(), String> {
    let wheel = wheel(root, release)?;
    let folder = root.join("crates").join("biela-py");
    let tests = folder.join("tests").display().to_string();
    USER.make(root)?;
    let user = USER.python(root);
    call(&user, &["-m", "pip", "install", "--quiet", &wheel])?;
    call(&user, &[&format!("{tests}/documents.py"), "README.md"])?;
    let python = installed_in(&PACKAGE, root, &wheel)?;
    call(&python, &["-m", "pytest", "--quiet", &tests])
}

/// Installs the package into an environment, replacing an earlier version.
pub(crate) fn installed_in(
    environment: &Environment,
    root: &Path,
    wheel: &str,
) -> Result<String, String> {
    let python = environment.install(root)?;
    let again = ["--force-reinstall", "--no-deps", wheel];
    let mut arguments = vec!["-m", "pip", "install", "--quiet"];
    arguments.extend(again);
    call(&python, &arguments)?;
    Ok(python)
}

/// Builds the package and returns the path of its wheel.
pub(crate) fn wheel(root: &Path, release: bool) -> Result<String, String> {
    let builder = BUILDER.install(root)?;
    let wheels = root.join("target").join("wheels");
    // an older wheel of another version would be found next to the new one
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels).map_err(|e| format!("{}: {e}", wheels.display()))?;
    }
    let manifest = root
        .join("crates/biela-py/Cargo.toml")
        .display()
        .to_string();
    let out = wheels.display().to_string();
    let profile = if release { "release" } else { "dev" };
    let mut arguments = vec!["-m", "maturin", "build", "--quiet", "--locked"];
    arguments.extend(["--profile", profile]);
    arguments.extend(["--manifest-path", &manifest, "--out", &out]);
    call(&builder, &arguments)?;
    let entries = std::fs::read_dir(&wheels).map_err(|e| format!("{out}: {e}"))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    let wheel = paths.find(|path| path.extension().is_some_and(|end| end == "whl"));
    let wheel = wheel.ok_or_else(|| format!("{out} has no wheel"))?;
    Ok(wheel.display().to_string())
}

impl Environment {
    fn path(&self, root: &Path) -> PathBuf {
        root.join("target").join(self.folder)
    }

    fn python(&self, root: &Path) -> String {
        self.program(root, "python")
    }

    /// The path of a program that the packages installed.
    pub(crate) fn program(&self, root: &Path, name: &str) -> String {
        let program = self.path(root).join("bin").join(name);
        program.to_string_lossy().into_owned()
    }

    fn stamp(&self, root: &Path) -> PathBuf {
        self.path(root).join("packages.txt")
    }

    /// Its interpreter, if all packages are installed.
    pub(crate) fn installed(&self, root: &Path) -> Option<String> {
        let found = std::fs::read_to_string(self.stamp(root)).ok()?;
        (found == self.packages.join("\n")).then(|| self.python(root))
    }

    /// Recreates the environment without packages.
    fn make(&self, root: &Path) -> Result<(), String> {
        let folder = self.path(root).to_string_lossy().into_owned();
        call("python3", &["-m", "venv", "--clear", &folder])
    }

    /// Creates the environment if necessary, and returns its interpreter.
    pub(crate) fn install(&self, root: &Path) -> Result<String, String> {
        if let Some(python) = self.installed(root) {
            return Ok(python);
        }
        self.make(root)?;
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
