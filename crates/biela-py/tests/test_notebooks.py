"""The notebooks of the gallery run from top to bottom."""

import nbformat
import pytest
from nbclient import NotebookClient

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_has_output(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), "notebooks are kept without outputs"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": path.parent}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert "text/plain" in kinds or any(output.output_type == "stream" for output in shown)
    if path.stem != "monte-carlo":
        pages = [output.data["text/html"] for output in shown if "text/html" in output.get("data", {})]
        assert any("<svg" in page and "<iframe" in page for page in pages), "results show a plot and the viewer"
