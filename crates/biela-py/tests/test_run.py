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


def test_the_motion_conserves_energy(pendulum):
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


def test_signals_are_selected_by_name_or_by_element(pendulum):
    results = pendulum.run(signals=["rod.tip.x", "pin.reaction", "rod.tip"])
    assert list(results)[0] == "rod.tip.x" and "pin.reaction.fx" in results
    assert len(set(results)) == len(results)
    with pytest.raises(biela.OptionError, match="did you mean `pin.rate`"):
        pendulum.run(signals=["pin.raet"])


def test_a_single_string_is_one_signal(pendulum):
    assert list(pendulum.run(signals="pin.angle")) == ["pin.angle"]
    assert pendulum.linearize(outputs="rod.tip.x").C.shape == (1, 2)


def test_events_are_listed(pendulum):
    results = pendulum.run()
    assert results.events and results.events[0][1] == "lowest"
    at = results.events[0][0]
    assert np.interp(at, results.time, results["pin.angle"]) == pytest.approx(-np.pi / 2, abs=1e-3)


def test_an_unknown_name_is_rejected_with_a_similar_one(pendulum):
    results = pendulum.run()
    with pytest.raises(KeyError, match="did you mean `pin.angle`"):
        results["pin.angel"]
    with pytest.raises(KeyError, match="its signals are pin.angle"):
        results["pin"]


def test_tables_have_units(pendulum):
    results = pendulum.run()
    frame = results.to_pandas()
    assert frame.index.name == "time" and frame.attrs["units"]["pin.rate"] == "rad/s"
    assert frame["pin.angle"].iloc[-1] == results["pin.angle"][-1]
    dataset = results.to_xarray()
    assert dataset["pin.rate"].attrs["units"] == "rad/s"
    assert float(dataset["pin.angle"].sel(time=0.5)) == results["pin.angle"][50]


def test_every_error_of_a_model_is_reported_with_its_location():
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


def test_invalid_options_are_rejected_by_the_names_of_their_arguments(pendulum):
    with pytest.raises(biela.OptionError, match="no integrator is called `rk5`; did you mean `rk4`"):
        pendulum.run(integrator="rk5")
    with pytest.raises(biela.OptionError, match="^to: cannot take `3 m`"):
        pendulum.run(to="3 m")


def test_a_run_without_a_duration_names_the_argument():
    model = biela.loads(PENDULUM.partition("[study]")[0])
    for ask in (model.run, model.kinematics):
        with pytest.raises(biela.OptionError, match=r'has no duration; pass the end time, run\(to="2 s"\)') as caught:
            ask()
        assert "--" not in str(caught.value)
    assert model.run(to="0.1 s").finished
    assert model.statics().equilibria


def test_errors_of_overridden_parameters_do_not_name_options_of_the_command():
    with pytest.raises(biela.ModelError, match="did you mean `length`") as caught:
        biela.loads(PENDULUM, set={"lenght": 1})
    assert caught.value.diagnostics[0]["file"] == "<set>" and "--set" not in str(caught.value)


def test_joints_that_cannot_be_closed_are_an_assembly_error():
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
    assert took > 0.1, "the run is too short for this test"
    assert len(counted) > 20 * took


def test_progress_is_reported(pendulum):
    told = []
    pendulum.run(to="3000 s", output_step="10 s", progress=lambda *figures: told.append(figures))
    assert told, "a run of more than a tenth of a second reports its progress"
    times = [time for time, _, _ in told]
    assert times == sorted(times) and all(end == 3000 for _, end, _ in told)


def test_the_progress_bar_is_drawn_and_removed(pendulum, capsys):
    pendulum.run(to="3000 s", output_step="10 s", progress=True)
    shown = capsys.readouterr().err
    assert "%" in shown and "/3000 s" in shown and shown.endswith("\r")


def test_an_observer_receives_every_row_and_may_stop_the_run(pendulum):
    seen = []

    def look(time, row):
        seen.append((time, row[0]))
        return len(seen) < 50

    with_end = pendulum.run(observer=look)
    assert len(seen) == len(with_end.time) == 50
    assert with_end.status["state"] == "interrupted"
    assert seen[-1][1] == with_end.data[-1, 0]


def test_an_exception_of_an_observer_is_raised_and_results_are_kept(pendulum):
    def fail(time, row):
        if time > 0.5:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        pendulum.run(observer=fail)
    assert pendulum.results.time[-1] == pytest.approx(0.51)


def test_saved_results_equal_those_of_the_command(pendulum, tmp_path):
    results = pendulum.run()
    results.save(tmp_path / "out", csv=True)
    rows = (tmp_path / "out" / "data.csv").read_text().splitlines()
    names = rows[0].split(",")
    assert names[0] == "time" and len(rows) == 202
    last = dict(zip(names, map(float, rows[-1].split(","))))
    assert last["pin.angle"] == results["pin.angle"][-1]


def test_a_plot_is_an_svg(pendulum, tmp_path):
    results = pendulum.run()
    plot = results.plot("pin.angle", over="pin.rate")
    assert plot.svg.startswith("<svg") or plot.svg.startswith("<?xml")
    plot.save(tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").read_text(encoding="utf-8") == plot.svg
    with pytest.raises(biela.OptionError, match="pin.angel"):
        results.plot("pin.angel")


PNG = b"\x89PNG\r\n\x1a\n"


def test_the_extension_of_a_plot_selects_its_format(pendulum, tmp_path):
    plot = pendulum.run().plot("pin.angle")
    for name in ("plot.png", "PLOT.PNG"):
        plot.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(PNG)
    for name in ("plot.pdf", "plot"):
        with pytest.raises(biela.OptionError, match=r"must end in \.svg or \.png"):
            plot.save(tmp_path / name)
        assert not (tmp_path / name).exists()


def size_of(png):
    return tuple(int.from_bytes(png[at : at + 4], "big") for at in (16, 20))


def test_a_picture_and_a_film_show_the_motion(pendulum, tmp_path):
    results = pendulum.run(to="0.5 s", motion=True)
    small = {"size": (160, 90)}
    pictures = {}
    for name, options in {
        "start": {},
        "later": {"time": "0.4 s"},
        "ghosts": {"time": 0.4, "ghosts": 4},
        "trace": {"time": 0.4, "trace": "rod.tip"},
        "dark": {"dark": True},
    }.items():
        results.picture(tmp_path / f"{name}.png", **small, **options)
        pictures[name] = (tmp_path / f"{name}.png").read_bytes()
        assert pictures[name].startswith(PNG) and size_of(pictures[name]) == (160, 90)
    assert len(set(pictures.values())) == len(pictures)
    # 25 frames per second of the motion, from 0 to 0.5 s
    assert results.film(tmp_path / "film.gif", **small) == 13
    assert (tmp_path / "film.gif").read_bytes().startswith(b"GIF89a")
    assert results.film(tmp_path / "slow.gif", speed=0.5, to=0.2, **small) == 11


def test_pictures_and_films_reject_what_they_cannot_draw(pendulum, tmp_path):
    results = pendulum.run(to="0.5 s", motion=True)
    for wrong, text in {
        lambda: results.picture(tmp_path / "a.jpg"): r"must end in \.png",
        lambda: results.film(tmp_path / "a.png"): r"must end in \.gif",
        lambda: results.picture(tmp_path / "a.png", trace="rod.top"): "^trace: no point is called `rod.top`",
        lambda: results.picture(tmp_path / "a.png", time="1 m"): "^time: cannot take",
        lambda: results.picture(tmp_path / "a.png", view="up"): "^view: write auto",
        lambda: results.film(tmp_path / "a.gif", size=(1, 1)): "^width and height must be",
        lambda: results.film(tmp_path / "a.gif", rate=0): "^rate must be positive",
        lambda: pendulum.run(to="0.1 s").picture(tmp_path / "a.png"): r"run\(motion=True\)",
    }.items():
        with pytest.raises(biela.OptionError, match=text):
            wrong()
    assert list(tmp_path.iterdir()) == []


def test_a_notebook_shows_a_model_as_a_table(pendulum):
    shown = pendulum._repr_html_()
    assert "<b>pendulum</b>" in shown and "<td style" in shown and "rod" in shown and "length" in shown
    assert biela.Model(name="<i>", space="planar")._repr_html_().startswith("<b>&lt;i&gt;</b>")


def test_a_run_with_its_motion_is_shown_in_the_viewer(pendulum, tmp_path):
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


def test_a_summary_agrees_with_the_command(pendulum):
    text = pendulum.run().summary()
    assert text.startswith("pendulum: finished at t = 2 s")
    for word in ("recorded", "solver", "constraints", "energy", "events"):
        assert word in text


def test_a_check_counts_degrees_of_freedom(pendulum):
    told = pendulum.check()
    assert told["freedom"] == 1 and told["redundant"] == [] and told["problems"] == []


def test_statics_finds_both_equilibria(pendulum):
    results = pendulum.statics(start_points=20)
    found = {e["stability"]: angle for e, angle in zip(results.equilibria, results["pin.angle"])}
    assert np.sin(found["stable"]) == pytest.approx(-1) and np.sin(found["unstable"]) == pytest.approx(1)


def test_statics_accepts_a_tolerance(pendulum):
    assert pendulum.statics(tolerance=1e-4).equilibria[0]["stability"] == "stable"
    with pytest.raises(biela.OptionError, match="from 1e-14 to 1e-3"):
        pendulum.statics(tolerance=0.5)


def test_a_linearized_pendulum_has_its_natural_frequency(pendulum):
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


def test_a_driven_mechanism_is_solved_by_kinematics():
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


def test_a_file_is_read_with_its_included_files_and_named_in_messages(tmp_path):
    path = tmp_path / "swing.toml"
    path.write_text(PENDULUM.replace("space", "spce"))
    with pytest.raises(biela.ModelError, match=r"swing\.toml:4:1"):
        biela.load(path)


def test_help_for_units_suggests_a_valid_formula():
    text = PENDULUM.replace('when = "pin.angle + 90 deg"', 'when = "pin.angle + 0.5 rad + 1 rad/s*t"')
    with pytest.raises(biela.ModelError) as error:
        biela.loads(text)
    assert "[rad/s*t]" not in str(error.value)
    assert "[rad/s]" in str(error.value)
