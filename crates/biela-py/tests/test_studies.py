"""Optimization, fits and sensitivities from Python: closed forms, and the results of the library that the command prints."""

from __future__ import annotations

import math
import os
import signal
import threading

import numpy as np
import pytest

import biela

#: A point mass on a massless rod of length l: small oscillations have the period 2π √(l/g).
PENDULUM = """
format = 1
name = "pendulum"
space = "planar"
gravity = [0, "-9.81 m/s^2"]
[parameters]
length = "1 m"
mass = "2 kg"
twice = "2*length"
[[body]]
name = "bob"
mass = "mass"
inertia = "1e-9 kg*m^2"
com = ["twice/2", 0]
[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "bob"]
initial = { angle = "-89.9 deg" }
[[event]]
name = "lowest"
when = "pin.angle + 90 deg"
[[measure]]
name = "first"
event = "lowest"
[[measure]]
name = "second"
event = "lowest"
which = 2
[[measure]]
name = "period"
value = "2*(second - first)"
[study]
duration = "6 s"
output_step = "10 ms"
[optimize]
maximize = "-(period - 1.5 s)^2"
vary.length = { from = "0.2 m", to = "2 m" }
"""


def period(length):
    return 2 * math.pi * math.sqrt(length / 9.81)


@pytest.fixture
def model():
    return biela.loads(PENDULUM)


def test_an_optimum_is_that_of_the_closed_form(model):
    found = biela.optimize(model, threads=2)
    assert found.converged and found.objective == "-(period - 1.5 s)^2" and found.unit == "s^2"
    assert found.parameters["length"] == pytest.approx(9.81 * (1.5 / (2 * math.pi)) ** 2, rel=1e-4)
    assert found.units == {"length": "m"} and found.bounds == {"length": (0.2, 2.0)} and found.at_bounds == {}
    assert found.value == pytest.approx(0, abs=1e-8) and found.failed == 0
    assert len(found.history) == found.steps and found.history[-1] == found.value
    assert np.all(np.diff(found.history) >= 0), "the best value of a maximum grows"


def test_arguments_replace_the_objective_and_the_bounds_of_the_model(model):
    found = biela.optimize(model, minimize="period", vary={"length": ("0.5 m", 1.5)}, method="local", threads=1)
    assert found.at_bounds == {"length": "lower"} and found.parameters["length"] == pytest.approx(0.5)
    assert found.value == pytest.approx(period(0.5), rel=1e-5)
    swing = {"name": "swing", "of": "pin.rate", "take": "max"}
    faster = biela.optimize(model, maximize="swing", vary={"length": (0.5, 1.5)}, measures=[swing], method="local")
    assert faster.at_bounds == {"length": "lower"}


def test_the_result_does_not_depend_on_the_number_of_threads(model):
    one, two = (biela.optimize(model, seed=3, most=4, threads=threads) for threads in (1, 2))
    assert one.parameters == two.parameters and np.array_equal(one.history, two.history)


def test_a_fit_finds_the_length_of_measurements_and_its_confidence(model):
    time = np.linspace(0, 5, 60)
    noise = 2e-5 * np.random.default_rng(1).standard_normal(60)
    angle = np.deg2rad(-90) + np.deg2rad(0.1) * np.cos(2 * np.pi * time / period(0.8)) + noise
    data = {"time": time, "pin.angle": angle}
    found = biela.fit(model, data, vary={"length": (0.3, 2.0)}, deviation={"pin.angle": "2e-5 rad"}, threads=2)
    assert found.converged and found.residuals == 60 and found.unidentified == []
    half = found.half_widths["length"]
    assert half is not None and abs(found.parameters["length"] - 0.8) < 3 * half < 0.01
    assert found.rms["pin.angle"] == pytest.approx(2e-5, rel=0.3)
    assert found.history[-1] == pytest.approx(found.squares) and found.history[0] > found.squares
    wider = biela.fit(model, data, vary={"length": (0.3, 2.0)}, level=0.99)
    assert wider.half_widths["length"] > half


def test_a_parameter_without_effect_is_not_identified(model):
    time = np.linspace(0, 5, 60)
    angle = np.deg2rad(-90) + np.deg2rad(0.1) * np.cos(2 * np.pi * time / period(0.8))
    vary = {"length": (0.3, 2.0), "mass": (1.0, 3.0)}
    found = biela.fit(model, {"time": time, "pin.angle": angle}, vary=vary)
    assert found.half_widths["mass"] is None and [set(one) for one in found.unidentified] == [{"mass"}]


def test_the_gallery_is_fitted_as_by_the_command(root):
    """The values are those that the book prints for `biela fit`."""
    path = root / "examples/studies/double-pendulum-masses/model.toml"
    found = biela.fit(path)
    assert found.parameters == {"m1": pytest.approx(1.2004, abs=5e-5), "m2": pytest.approx(0.798902, abs=5e-7)}
    assert found.half_widths == {"m1": pytest.approx(0.00337, abs=5e-6), "m2": pytest.approx(0.00176, abs=5e-6)}
    assert found.condition == pytest.approx(1.18, abs=5e-3) and (found.runs, found.steps) == (30, 5)
    assert found.correlation.shape == (2, 2) and found.correlation[0, 0] == pytest.approx(1)
    measured = path.parent / "measured.csv"
    assert biela.fit(path, measured).parameters == found.parameters


def test_derivatives_are_those_of_the_closed_form(model):
    found = biela.sensitivity(model, threads=2)
    assert list(found.parameters) == ["length", "mass"], "formulas of others are left out"
    assert found["period", "length"] == pytest.approx(period(1.0) / 2, rel=1e-5)
    assert found["period", "mass"] == pytest.approx(0, abs=1e-6)
    assert found.derivatives.shape == found.errors.shape == (3, 2)
    assert found.relative[2, 0] == pytest.approx(0.5, rel=1e-5)
    assert found.measures["period"] == pytest.approx(period(1.0), rel=1e-5) and found.units["first"] == "s"
    alone = biela.sensitivity(model, "length", steps={"length": 0.02})
    assert alone["period", "length"] == pytest.approx(found["period", "length"], rel=1e-6)


def test_errors_name_the_argument_and_the_call(model):
    with pytest.raises(biela.ModelError, match=r"test_studies.py:\d+, optimize\(\)"):
        biela.optimize(model, minimize="perriod")
    with pytest.raises(biela.OptionError, match="not both"):
        biela.optimize(model, minimize="period", maximize="period")
    with pytest.raises(biela.OptionError, match=r"\[fit\]"):
        biela.fit(model)
    with pytest.raises(biela.OptionError, match="no parameter `lenght`"):
        biela.sensitivity(model, "lenght")
    with pytest.raises(biela.OptionError, match="equal length"):
        biela.fit(model, {"time": [0, 1], "pin.angle": [0]}, vary={"length": (1, 2)})
    with pytest.raises(biela.OptionError, match="tolerance"):
        biela.optimize(model, tolerance=0)
    with pytest.raises(biela.OptionError, match="missing.csv"):
        biela.fit(model, "missing.csv", vary={"length": (1, 2)})
    model.function("double", lambda x: 2 * x)
    with pytest.raises(biela.OptionError, match="Python functions"):
        biela.optimize(model)


def test_ctrl_c_and_an_exception_of_progress_end_a_search(model):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        biela.optimize(model, tolerance=1e-15, most=100_000)

    def progress(runs, best):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        biela.optimize(model, progress=progress)
