import pytest

from documents import play


@pytest.mark.parametrize("page", ["README.md", "docs/src/python.md"])
def test_the_python_code_of_a_page_runs(page):
    assert play(page) > 0
