//! Third-party tools for the checks, built from their published sources at pinned versions, below `target/tools`.

use std::path::{Path, PathBuf};

use crate::run;

/// A program and its source.
pub(crate) struct Tool {
    name: &'static str,
    version: &'static str,
}

/// Licences, sources and bans of dependencies.
pub(crate) const DENY: Tool = Tool {
    name: "cargo-deny",
    version: "0.20.2",
};

/// Unused dependencies.
pub(crate) const MACHETE: Tool = Tool {
    name: "cargo-machete",
    version: "0.9.2",
};

/// The book.
pub(crate) const MDBOOK: Tool = Tool {
    name: "mdbook",
    version: "0.5.4",
};

/// Line coverage of the tests.
pub(crate) const COVERAGE: Tool = Tool {
    name: "cargo-llvm-cov",
    version: "0.9.1",
};

/// Mutation testing.
pub(crate) const MUTANTS: Tool = Tool {
    name: "cargo-mutants",
    version: "27.1.0",
};

/// Breaking changes of the libraries.
pub(crate) const SEMVER: Tool = Tool {
    name: "cargo-semver-checks",
    version: "0.51.0",
};

/// Fuzzing of readers.
pub(crate) const FUZZ: Tool = Tool {
    name: "cargo-fuzz",
    version: "0.13.2",
};

impl Tool {
    /// Builds the program if this version is missing, and returns its path. It is built without optimization, because for small inputs building takes longer
    /// than running.
    pub(crate) fn install(&self, root: &Path) -> Result<String, String> {
        let folder = root.join("target").join("tools");
        let program = folder.join("bin").join(self.name);
        let stamp = folder.join(format!("{}-{}", self.name, self.version));
        if !(stamp.exists() && program.exists()) {
            let place = folder.display().to_string();
            let wanted = format!("{}@{}", self.name, self.version);
            let arguments = [
                "install", "--quiet", "--debug", "--locked", "--force", "--root", &place, &wanted,
            ];
            let build = shared_build(&folder).display().to_string();
            run("cargo", &arguments, &[("CARGO_TARGET_DIR", &build)])?;
            std::fs::write(&stamp, "").map_err(|e| format!("{}: {e}", stamp.display()))?;
        }
        Ok(program.display().to_string())
    }
}

/// Common dependencies of the tools are built once.
fn shared_build(folder: &Path) -> PathBuf {
    folder.join("build")
}
