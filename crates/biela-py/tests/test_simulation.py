"""Simulations that are stepped from Python."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import biela

ENVIRONMENTS = Path(biela.__file__).parent / "environments"
SIGNALS = ["rail.position", "hinge.angle", "rail.rate", "hinge.rate"]


def cart_pole(**options):
    return biela.load(ENVIRONMENTS / "cart-pole.toml").simulation(signals=SIGNALS, **options)


def test_a_loop_of_steps_sets_inputs_and_reads_signals():
    simulation = cart_pole()
    assert simulation.inputs == {"push": "N"}
    assert simulation.units == {"rail.position": "m", "hinge.angle": "rad", "rail.rate": "m/s", "hinge.rate": "rad/s"}
    out = np.zeros(4)
    for k in range(1, 101):
        assert simulation.step(2.0, out) is None
        assert simulation.time == pytest.approx(k * 1e-3, abs=1e-12)
    # 2 N on the carriage of 1 kg, whose pole hangs below it and hardly moves at first
    assert 0.1 * 2 / 1.1 < out[2] < 0.1 * 2 / 1.0
    assert simulation.read("push") == 2.0
    assert np.array_equal(simulation.observe(), out)
    assert np.array_equal(simulation.step([0.0]), simulation.observe())
    assert np.array_equal(simulation.step(np.array([0.0])), simulation.observe())


def test_a_run_in_parts_has_the_bits_of_one_run():
    model = biela.load(ENVIRONMENTS / "cart-pole.toml")
    whole = model.run(to=1.0, output_step=0.01, signals=SIGNALS)
    simulation = model.simulation(signals=SIGNALS, to=1.0, output_step=0.01)
    for time, row in zip(whole.time, zip(*(whole[name] for name in SIGNALS))):
        simulation.advance(time)
        assert simulation.observe().tolist() == list(row)


def test_snapshots_copies_and_resets_repeat_the_motion():
    simulation = cart_pole(integrator="dopri5", tolerance=1e-8)
    simulation.reset(initial={"hinge.angle": 0.3, "rail.rate": 1.0})
    assert simulation.observe() == pytest.approx([0, 0.3, 1.0, 0], abs=1e-12)
    simulation.set("push", 3.0)
    simulation.advance(0.0503)
    kept, other = simulation.snapshot(), copy.deepcopy(simulation)
    ends = []
    for each in (simulation, other):
        each.advance(0.2)
        ends.append(each.observe())
    simulation.restore(kept)
    assert simulation.time == 0.0503
    simulation.advance(0.2)
    ends.append(simulation.observe())
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])
    q, v = other.state
    other.reset(q, v)
    assert other.time == 0 and other.observe() == pytest.approx(ends[1], abs=1e-12)
    simulation.reset()
    assert simulation.observe() == pytest.approx([0, np.pi, 0, 0])


def test_the_energy_balance_holds_over_all_parts():
    simulation = cart_pole(integrator="dopri5", tolerance=1e-10)
    for k in range(100):
        simulation.set("push", np.sin(0.3 * k))
        simulation.advance(0.01 * (k + 1))
    assert abs(simulation.read("energy.balance")) < 1e-7
    assert simulation.statistics["checks"]["largest_energy_error"] < 1e-6


def test_linear_models_and_inverse_dynamics_hold_at_the_current_time():
    simulation = cart_pole()
    linear = simulation.linearize(inputs=["push"], outputs=["push"])
    assert linear.B.shape == (4, 1) and linear.D.tolist() == [[1.0]]
    simulation.advance(0.1)
    accelerations = [simulation.read("rail.acceleration"), simulation.read("hinge.acceleration")]
    assert simulation.inverse_dynamics(accelerations) == pytest.approx([0, 0], abs=1e-9)


def test_one_name_is_a_list_of_one():
    model = biela.load(ENVIRONMENTS / "cart-pole.toml")
    simulation = model.simulation(signals="hinge.angle")
    assert simulation.signals == ["hinge.angle"]
    assert simulation.linearize(inputs="push", outputs="hinge.angle").B.shape == (4, 1)
    assert biela.rollout(model, steps=2, dt=0.1, signals="hinge.angle").shape == (1, 3, 1)


def test_a_snapshot_is_pickled_instead_of_a_simulation():
    simulation, other = cart_pole(), cart_pole()
    simulation.advance(0.0105)
    with pytest.raises(TypeError, match="pickle its model and `snapshot\\(\\)`"):
        pickle.dumps(simulation)
    other.restore(pickle.loads(pickle.dumps(simulation.snapshot())))
    for each in (simulation, other):
        each.advance(0.1)
    assert np.array_equal(simulation.observe(), other.observe())


def test_a_closed_loop_and_a_flexible_rod_are_stepped_too():
    five_bar = biela.load(ENVIRONMENTS / "five-bar.toml").simulation(signals=["left.angle", "hand.angle"])
    for _ in range(100):
        five_bar.step([0.2, -0.1])
    assert five_bar.read("system.position_error") < 1e-9
    rod = biela.load(ENVIRONMENTS / "flexible-pendulum.toml").simulation(signals=["rod.node4.x"])
    rod.set("push", 5.0)
    assert rod.advance(0.2) is None
    assert rod.observe()[0] != 0


def test_rollouts_equal_single_simulations_with_any_number_of_threads():
    model = biela.load(ENVIRONMENTS / "cart-pole.toml")
    random = np.random.default_rng(3)
    angles, inputs = random.uniform(-1, 1, 8), random.uniform(-5, 5, (8, 20, 1))
    options = dict(steps=20, dt=0.02, initial={"hinge.angle": angles}, inputs=inputs, signals=SIGNALS)
    one = biela.rollout(model, threads=1, **options)
    two = biela.rollout(model, threads=2, **options)
    assert one.shape == (8, 21, 4) and np.array_equal(one, two)
    simulation = model.simulation(signals=SIGNALS)
    simulation.reset(initial={"hinge.angle": angles[5]})
    for k in range(20):
        simulation.set("push", inputs[5, k, 0])
        simulation.advance(0.02 * (k + 1))
    assert np.array_equal(simulation.observe(), one[5, -1])
    q, v = simulation.state
    from_states = simulation.rollout(steps=1, dt=0.01, initial=np.concatenate([q, v])[None])
    assert from_states[0, 0] == pytest.approx(one[5, -1], abs=1e-12)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda s: s.set("pusch", 1.0), "no input is called `pusch`; did you mean `push`"),
        (lambda s: s.set("push", float("nan")), "give a finite number"),
        (lambda s: s.step([1.0, 2.0]), "the model has 1 inputs; 2 values are given"),
        (lambda s: s.read("hinge.angel"), "did you mean `hinge.angle`"),
        (lambda s: s.restore(b"12345678"), "the snapshot does not fit"),
        (lambda s: s.advance(float("inf")), "give a finite time"),
        (lambda s: s.reset(initial={"energy.total": 1.0}), "cannot be an initial value"),
        (lambda s: s.reset([0.0], None), "q has 1 elements; 2 are required"),
        (lambda s: s.observe(np.zeros(3)), "4 are required"),
        (lambda s: s.rollout(steps=0, dt=0.1), "at least 1"),
        (lambda s: s.rollout(steps=2, dt=0.1, inputs=np.zeros((3, 1, 1))), "inputs must have the shape"),
    ],
)
def test_misuse_is_an_error_and_changes_nothing(wrong, message):
    simulation = cart_pole()
    simulation.advance(0.0105)
    before = simulation.snapshot()
    with pytest.raises((biela.Error, ValueError), match=message):
        wrong(simulation)
    assert simulation.time in (0.0105, 0.0) and (simulation.time == 0.0 or simulation.snapshot() == before)


def test_an_exception_of_a_python_function_reaches_the_caller():
    model = biela.loads(
        (ENVIRONMENTS / "cart-pole.toml").read_text().replace('effort = "push"', 'effort = "kick(t)"'),
        functions={"kick": biela.Function(lambda t: 1 / 0 if t > 0.01 else 0.0, unit="N")},
    )
    simulation = model.simulation(signals=SIGNALS)
    with pytest.raises(biela.FunctionError, match="ZeroDivisionError"):
        simulation.advance(0.1)


def test_models_without_a_duration_are_stepped():
    text = (ENVIRONMENTS / "cart-pole.toml").read_text().split("[study]")[0]
    simulation = biela.loads(text).simulation(signals=SIGNALS, integrator="rk4", step="1 ms", formulation="tree")
    simulation.advance(20.0)
    assert simulation.time == pytest.approx(20.0)
