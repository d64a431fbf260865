import time
import traceback

import numpy as np
import pytest

import biela
from test_build import pendulum


def test_a_force_may_be_a_python_function():
    by_hand = pendulum()
    by_hand.torque("drag", on="rod", value="-0.3 [N*m*s^3]*pin.rate*pin.rate*pin.rate")
    model = pendulum()

    @model.function("drag_of", unit="N*m")
    def drag_of(rate):
        return -0.3 * rate * rate * rate

    model.torque("drag", on="rod", value="drag_of(pin.rate)")
    assert np.array_equal(model.run()["pin.angle"], by_hand.run()["pin.angle"])
    assert drag_of(1.0) == -0.3


def test_units_and_arguments_of_a_function_are_checked():
    model = pendulum()
    model.function("push", lambda t: 1.0, unit="N")
    model.torque("motor", on="rod", value="push(t)")
    with pytest.raises(biela.ModelError, match=r"is a force \(N\); a torque"):
        model.run()
    model = pendulum()
    model.function("push", lambda t: 1.0)
    model.torque("motor", on="rod", value="push(t, 2)")
    with pytest.raises(biela.ModelError, match="`push` takes 1 argument, not 2"):
        model.run()
    with pytest.raises(ValueError, match="`mm` is not an SI unit"):
        model = pendulum()
        model.function("push", lambda t: 1.0, unit="mm")
        model.run()


def test_a_driver_follows_a_function_with_derivatives():
    model = pendulum()
    w = 3.0
    model.function("sway", lambda t: (np.sin(w * t), w * np.cos(w * t), -w * w * np.sin(w * t)), derivatives=True)
    model.driver("crank", on="pin", value="sway(t)")
    results = model.kinematics(to="1 s", signals=["pin"])
    assert results["pin.angle"] == pytest.approx(np.sin(w * results.time), abs=1e-9)
    assert results["pin.acceleration"] == pytest.approx(-w * w * np.sin(w * results.time), abs=1e-7)


def test_a_function_without_derivatives_is_rejected_as_a_motion():
    model = pendulum()
    model.function("sway", lambda t: np.sin(t))
    model.driver("crank", on="pin", value="sway(t)")
    with pytest.raises(biela.Error) as caught:
        model.kinematics(to="1 s")
    assert "sway" in str(caught.value) or "crank" in str(caught.value)


def test_an_event_and_a_sensor_may_call_python_functions():
    model = pendulum()
    model.function("height", lambda angle: np.sin(angle) + 0.8)
    model.sensor("over", value="height(pin.angle)")
    model.event("mark", when="height(pin.angle)", action="stop")
    results = model.run(signals=["over", "pin.angle"])
    assert results.status["state"] == "event" and results.status["name"] == "mark"
    assert np.sin(results["pin.angle"][-1]) == pytest.approx(-0.8, abs=1e-6)
    assert results["over"] == pytest.approx(np.sin(results["pin.angle"]) + 0.8)


def controlled(law, **more):
    model = pendulum()
    model.controller(
        "pd",
        period="1 ms",
        inputs={"angle": "pin.angle", "rate": "pin.rate"},
        outputs={"torque": "N*m"},
        law=law,
        **more,
    )
    model.torque("motor", on="rod", value="pd.torque")
    return model


def test_a_python_controller_agrees_with_the_same_formulas():
    by_hand = pendulum()
    by_hand.controller(
        "pd",
        period="1 ms",
        inputs={"angle": "pin.angle", "rate": "pin.rate"},
        outputs={"torque": "-40 [N*m]*angle - 5 [N*m*s]*rate"},
    )
    by_hand.torque("motor", on="rod", value="pd.torque")
    model = controlled(lambda t, angle, rate: -40 * angle - 5 * rate)
    assert np.array_equal(model.run()["pin.angle"], by_hand.run()["pin.angle"])


def test_arguments_are_matched_by_name():
    swapped = controlled(lambda t, rate, angle: -40 * angle - 5 * rate)
    straight = controlled(lambda t, angle, rate: -40 * angle - 5 * rate)
    assert np.array_equal(swapped.run()["pin.angle"], straight.run()["pin.angle"])
    with pytest.raises(ValueError, match="the arguments of the law are the time and speed; its inputs are angle, rate"):
        controlled(lambda t, speed: 0.0)


def test_lists_of_inputs_are_arrays_and_lists_of_outputs_are_returned():
    seen = []

    def law(t, state):
        seen.append(state)
        return {"torque_0": -40 * state[0], "torque_1": -5 * state[1]}

    model = pendulum()
    model.controller(
        "pd",
        period="1 ms",
        inputs={"state": ["pin.angle", "pin.rate"]},
        outputs={"torque": ["N*m", {"unit": "N*m", "saturation": [-1, 1]}]},
        law=law,
    )
    model.torque("motor", on="rod", value="pd.torque_0 + pd.torque_1")
    results = model.run(to="0.1 s", signals=["pd", "pin"])
    assert isinstance(seen[0], np.ndarray) and seen[0].shape == (2,)
    assert len(seen) == 101 and np.abs(results["pd.torque_1"]).max() <= 1


def test_a_law_of_a_file_is_replaced_by_name(tmp_path):
    model = controlled(lambda t, angle, rate: -40 * angle - 5 * rate)
    model.save(tmp_path / "model.toml")
    text = (tmp_path / "model.toml").read_text()
    assert text.startswith("# pd: Python functions")
    again = biela.load(tmp_path / "model.toml", controllers={"pd": lambda t, angle, rate: -40 * angle - 5 * rate})
    assert np.array_equal(again.run().data, model.run().data)
    with pytest.raises(biela.OptionError, match="did you mean `pd`"):
        biela.load(tmp_path / "model.toml", controllers={"pdd": lambda t: 0})


def breaks_at_half(t, angle, rate):
    if t > 0.5:
        raise ZeroDivisionError("the controller broke")
    return 0.0


def test_an_exception_of_a_controller_is_raised_with_its_name_and_traceback():
    model = controlled(breaks_at_half)
    with pytest.raises(biela.FunctionError, match="controller `pd` raised ZeroDivisionError") as caught:
        model.run()
    cause = caught.value.__cause__
    assert isinstance(cause, ZeroDivisionError)
    assert "breaks_at_half" in "".join(traceback.format_tb(cause.__traceback__))
    results = caught.value.results
    assert results is model.results and results.time[-1] == pytest.approx(0.5, abs=0.011)
    with pytest.raises(biela.FunctionError):
        model.run()


def test_an_exception_of_a_formula_function_is_raised():
    model = pendulum()

    def bad(t):
        return {}["missing"] if t > 0.5 else 0.0

    model.function("bad", bad)
    model.torque("motor", on="rod", value="bad(t)")
    with pytest.raises(biela.FunctionError, match="function `bad` raised KeyError") as caught:
        model.run()
    assert 0.3 < caught.value.results.time[-1] <= 0.51
    model.function("bad", lambda t: "text")
    with pytest.raises(biela.FunctionError, match="function `bad` raised TypeError"):
        model.run()


def test_a_wrong_number_of_outputs_is_rejected():
    with pytest.raises(biela.FunctionError, match="the law returned 2 values; the outputs are torque"):
        controlled(lambda t, angle, rate: (1, 2)).run()


def test_a_controller_at_1000_samples_per_second_is_fast_enough(root):
    """Checks the order of magnitude; `cargo xtask bench python` measures the time."""
    model = controlled(lambda t, angle, rate: -40 * angle - 5 * rate)
    began = time.perf_counter()
    model.run(to="2 s")
    assert time.perf_counter() - began < 2
