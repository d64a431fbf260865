"""The type annotations match the code."""

import subprocess
import sys
from pathlib import Path

import pytest

import biela

pytest.importorskip("mypy")


def run(*arguments, folder):
    return subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True, timeout=300)


def test_the_package_is_typed_strictly(root):
    done = run("mypy", "python/biela", folder=root / "crates/biela-py")
    assert done.returncode == 0, done.stdout


def test_the_stubs_match_the_compiled_extension(tmp_path):
    assert (Path(biela.__file__).parent / "py.typed").exists()
    done = run("mypy.stubtest", "biela._biela", folder=tmp_path)
    assert done.returncode == 0, done.stdout
