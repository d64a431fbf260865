import _thread
import threading
import time

import numpy as np
import pytest

import biela
from conftest import PENDULUM


def test_a_run_gives_signals_by_name_as_views(pendulum):
    results = pendulum.run()
    assert results.finished and results.status["state"] == "finished"
    angle = results["pin.angle"]
    assert angle.shape == results.time.shape == (201,)
    assert np.shares_memory(angle, results.data)
    assert angle[0] == pytest.approx(np.radians(-30), abs=1e-12)
    assert results.units["pin.angle"] == "rad" and "angle" in results.meanings["pin.angle"]
    assert results.checks["relative_energy_error"] < 1e-6
    assert results.start["freedom"] == 1


def test_the_motion_obeys_the_conservation_of_energy(pendulum):
    results = pendulum.run(tolerance=1e-10)
    angle, rate = results["pin.angle"], results["pin.rate"]
    # a rod about its end: 1/6 m l² ω² + m g l/2 sin φ
    energy = 2 / 6 * rate**2 + 2 * 9.81 / 2 * np.sin(angle)
    assert np.ptp(energy) < 1e-7


def test_parameters_and_options_change_a_run(pendulum):
    longer = biela.loads(PENDULUM, set={"length": "2 m", "start": -0.5})
    results = longer.run(to="500 ms", integrator="rk4", step="1 ms", output_step=0.1)
    assert results.time[-1] == pytest.approx(0.5) and len(results.time) == 6
    assert results["pin.angle"][0] == pytest.approx(-0.5)
    assert results.statistics["steps"] == 500


def test_signals_are_chosen_by_name_or_by_what_they_belong_to(pendulum):
    results = pendulum.run(signals=["rod.tip.x", "pin.reaction", "rod.tip"])
    assert list(results)[0] == "rod.tip.x" and "pin.reaction.fx" in results
    assert len(set(results)) == len(results)
    with pytest.raises(biela.OptionError, match="did you mean `pin.rate`"):
        pendulum.run(signals=["pin.raet"])


def test_events_are_told(pendulum):
    results = pendulum.run()
    assert results.events and results.events[0][1] == "lowest"
    at = results.events[0][0]
    assert np.interp(at, results.time, results["pin.angle"]) == pytest.approx(-np.pi / 2, abs=1e-3)


def test_a_name_that_is_not_there_is_told_with_one_that_is(pendulum):
    results = pendulum.run()
    with pytest.raises(KeyError, match="did you mean `pin.angle`"):
        results["pin.angel"]
    with pytest.raises(KeyError, match="there is pin.angle"):
        results["pin"]


def test_tables_have_units(pendulum):
    results = pendulum.run()
    frame = results.to_pandas()
    assert frame.index.name == "time" and frame.attrs["units"]["pin.rate"] == "rad/s"
    assert frame["pin.angle"].iloc[-1] == results["pin.angle"][-1]
    dataset = results.to_xarray()
    assert dataset["pin.rate"].attrs["units"] == "rad/s"
    assert float(dataset["pin.angle"].sel(time=0.5)) == results["pin.angle"][50]


def test_every_mistake_of_a_model_is_told_at_its_place():
    text = PENDULUM.replace('"revolute"', '"revolut"').replace("mass = 2\n", 'mass = "2 m"\n')
    with pytest.raises(biela.ModelError) as caught:
        biela.loads(text, name="swing.toml")
    told = str(caught.value)
    assert "swing.toml:13:9" in told and "did you mean `revolute`?" in told
    assert told.rstrip().endswith("2 errors; nothing was run")
    codes = [problem["code"] for problem in caught.value.diagnostics]
    assert codes == ["wrong-unit", "unknown-type"]
    assert caught.value.diagnostics[0]["line"] == 13
    assert isinstance(caught.value, ValueError)


def test_options_that_cannot_be_taken_are_refused_with_the_text_of_the_command(pendulum):
    with pytest.raises(biela.OptionError, match="no integrator is called `rk5`; did you mean `rk4`"):
        pendulum.run(integrator="rk5")
    with pytest.raises(biela.OptionError, match="--to: cannot take `3 m`"):
        pendulum.run(to="3 m")


def test_joints_that_cannot_close_are_an_error_of_assembly():
    text = PENDULUM + """
[[joint]]
name = "far"
type = "revolute"
between = ["ground.away", "rod.tip"]
[ground]
points = { away = [5, 0] }
"""
    with pytest.raises(biela.AssemblyError, match="far"):
        biela.loads(text).run()


def test_a_run_that_fails_keeps_its_results():
    text = PENDULUM + """
[[force]]
name = "wrong"
type = "torque"
on = "rod"
value = "1/(1 - t)^2"
"""
    model = biela.loads(text)
    with pytest.raises(biela.SolverError, match="the solver stopped") as caught:
        model.run()
    results = caught.value.results
    assert results is model.results and 0.5 < results.time[-1] <= 1.0
    assert results.status["state"] == "failed"


def test_an_interrupt_keeps_the_results(pendulum):
    threading.Timer(0.5, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt) as caught:
        pendulum.run(to="1e7 s", output_step="1 s")
    assert isinstance(caught.value, biela.Interrupted)
    results = caught.value.results
    assert results is pendulum.results and len(results.time) > 1
    assert results.status["state"] == "interrupted"


def test_other_threads_run_while_a_model_does(pendulum):
    counted = []

    def count():
        while not done.is_set():
            counted.append(time.perf_counter())
            time.sleep(0.001)

    done = threading.Event()
    thread = threading.Thread(target=count)
    thread.start()
    began = time.perf_counter()
    pendulum.run(to="2000 s", output_step="1 s")
    took = time.perf_counter() - began
    done.set()
    thread.join()
    assert took > 0.1, "the run is too short to tell"
    assert len(counted) > 20 * took


def test_progress_is_told_now_and_then(pendulum):
    told = []
    pendulum.run(to="3000 s", output_step="10 s", progress=lambda *figures: told.append(figures))
    assert told, "a run of more than a tenth of a second tells of itself"
    times = [time for time, _, _ in told]
    assert times == sorted(times) and all(end == 3000 for _, end, _ in told)


def test_a_bar_comes_and_goes(pendulum, capsys):
    pendulum.run(to="3000 s", output_step="10 s", progress=True)
    shown = capsys.readouterr().err
    assert "%" in shown and "/3000 s" in shown and shown.endswith("\r")


def test_an_observer_sees_every_row_and_may_end_the_run(pendulum):
    seen = []

    def look(time, row):
        seen.append((time, row[0]))
        return len(seen) < 50

    with_end = pendulum.run(observer=look)
    assert len(seen) == len(with_end.time) == 50
    assert with_end.status["state"] == "interrupted"
    assert seen[-1][1] == with_end.data[-1, 0]


def test_what_an_observer_raises_comes_out_and_results_are_kept(pendulum):
    def fail(time, row):
        if time > 0.5:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        pendulum.run(observer=fail)
    assert pendulum.results.time[-1] == pytest.approx(0.51)


def test_results_are_saved_as_the_command_saves_them(pendulum, tmp_path):
    results = pendulum.run()
    results.save(tmp_path / "out", csv=True)
    rows = (tmp_path / "out" / "data.csv").read_text().splitlines()
    names = rows[0].split(",")
    assert names[0] == "time" and len(rows) == 202
    last = dict(zip(names, map(float, rows[-1].split(","))))
    assert last["pin.angle"] == results["pin.angle"][-1]


def test_a_plot_is_a_drawing(pendulum, tmp_path):
    results = pendulum.run()
    plot = results.plot("pin.angle", over="pin.rate")
    assert plot.svg.startswith("<svg") or plot.svg.startswith("<?xml")
    plot.save(tmp_path / "plot.svg")
    with pytest.raises(biela.OptionError, match="pin.angel"):
        results.plot("pin.angel")


def test_a_notebook_shows_a_model_as_a_table(pendulum):
    shown = pendulum._repr_html_()
    assert "<b>pendulum</b>" in shown and "<td style" in shown and "rod" in shown and "length" in shown
    assert biela.Model(name="<i>", space="planar")._repr_html_().startswith("<b>&lt;i&gt;</b>")


def test_a_run_that_keeps_its_motion_is_shown_by_the_viewer(pendulum, tmp_path):
    results = pendulum.run(to="0.5 s", motion=True)
    view = results.view()
    view.save(tmp_path / "view.html")
    assert "<!doctype html" in view.html[:200].lower() and "pendulum" in view.html
    assert view._repr_html_().startswith("<iframe srcdoc=")
    assert "<svg" in results._repr_html_() and "<iframe" in results._repr_html_()
    results.save(tmp_path / "saved")
    assert {"motion.bin", "scene.json", "data.arrows"} <= {file.name for file in (tmp_path / "saved").iterdir()}
    with pytest.raises(biela.OptionError, match=r"run\(motion=True\)"):
        pendulum.run(to="0.5 s").view()


def test_a_summary_tells_what_the_command_tells(pendulum):
    text = pendulum.run().summary()
    assert text.startswith("pendulum: finished at t = 2 s")
    for word in ("recorded", "solver", "constraints", "energy", "events"):
        assert word in text


def test_a_check_counts_freedom(pendulum):
    told = pendulum.check()
    assert told["freedom"] == 1 and told["redundant"] == [] and told["problems"] == []


def test_statics_finds_both_equilibria(pendulum):
    results = pendulum.statics(start_points=20)
    found = {e["stability"]: angle for e, angle in zip(results.equilibria, results["pin.angle"])}
    assert np.sin(found["stable"]) == pytest.approx(-1) and np.sin(found["unstable"]) == pytest.approx(1)


def test_statics_takes_a_tolerance(pendulum):
    assert pendulum.statics(tolerance=1e-4).equilibria[0]["stability"] == "stable"
    with pytest.raises(biela.OptionError, match="from 1e-14 to 1e-3"):
        pendulum.statics(tolerance=0.5)


def test_the_frequency_of_a_linear_pendulum(pendulum):
    linear = pendulum.linearize("equilibrium", outputs=["rod.tip.x"])
    assert linear.A.shape == (2, 2) and linear.C.shape == (1, 2)
    mode = linear.modes[-1]
    assert mode.frequency == pytest.approx(np.sqrt(1.5 * 9.81) / (2 * np.pi), rel=1e-6)
    assert np.sort_complex(linear.eigenvalues) == pytest.approx(np.sort_complex(np.linalg.eigvals(linear.A)))


def test_equations_are_derived_with_the_names_of_parameters(pendulum):
    assert "length" in pendulum.derive("mass")
    assert "def " in pendulum.derive(to="python")
    with pytest.raises(biela.OptionError, match="no form is called `masss`"):
        pendulum.derive("masss")


def test_a_driven_mechanism_moves_without_integration():
    driven = PENDULUM + """
[[driver]]
name = "crank"
on = "pin"
value = "-30 deg + 2 [rad/s] * t"
"""
    results = biela.loads(driven).kinematics(to="0.5 s", output_step="0.1 s", signals=["pin.angle", "crank"])
    angle = results["pin.angle"]
    assert angle == pytest.approx(np.radians(-30) + 2 * results.time)
    # the torque carries the rod's weight at constant speed
    assert results["crank.effort"] == pytest.approx(2 * 9.81 / 2 * np.cos(angle))


def test_a_file_is_read_with_what_it_includes_and_named_in_messages(tmp_path):
    path = tmp_path / "swing.toml"
    path.write_text(PENDULUM.replace("space", "spce"))
    with pytest.raises(biela.ModelError, match=r"swing\.toml:4:1"):
        biela.load(path)
