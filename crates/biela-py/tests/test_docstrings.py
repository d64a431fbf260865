"""Every public name of the package and of its compiled extension has a docstring."""

from __future__ import annotations

import inspect

import pytest

import biela
from biela import _biela


def undocumented(name, thing):
    """The names of a module or class without a docstring."""
    if not inspect.getdoc(thing):
        yield name
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            described = callable(value) or isinstance(value, (property, staticmethod, classmethod)) or inspect.isgetsetdescriptor(value)
            if described and not member.startswith("_") and not inspect.getdoc(getattr(thing, member)):
                yield f"{name}.{member}"


def public(module):
    return [name for name in dir(module) if not name.startswith("_")]


@pytest.mark.parametrize("module", [biela, _biela], ids=lambda module: module.__name__)
def test_everything_has_a_docstring(module):
    pytest.importorskip("gymnasium")
    assert len(public(module)) > 10
    missing = [text for name in public(module) for text in undocumented(name, getattr(module, name))]
    assert missing == []


def test_environments_have_docstrings():
    gym = pytest.importorskip("gymnasium") and __import__("biela.gym", fromlist=["gym"])
    own = [name for name in public(gym) if getattr(getattr(gym, name), "__module__", "") == "biela.gym" and callable(getattr(gym, name))]
    assert "CartPole" in own
    assert [text for name in own for text in undocumented(name, getattr(gym, name))] == []
