"""Runs that write a results folder, are interrupted and resumed: the bytes of one run, or refused with the reason."""

import _thread
import json
import pickle
import signal
import threading

import numpy as np
import pytest

import biela
from conftest import PENDULUM

#: Several chunks of rows, events, and many rows per step.
LONG = {"to": "60 s", "output_step": "10 ms"}
#: Checkpoints only at interruptions.
SELDOM = {"checkpoint": "1 h"}


def contents(folder):
    """The bytes of every file in a results folder; of the manifest everything except wall-clock times."""
    files = {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    manifest = json.loads(files["manifest.json"])
    assert manifest.pop("timing")["wall_seconds"] > 0
    return files | {"manifest.json": manifest}


def stop_at(time, seen=None):
    """An observer that ends a run."""

    def look(t, row):
        if seen is not None:
            seen.append(t)
        return t < time

    return look


def raise_at(time, action):
    def look(t, row):
        if t >= time:
            action()

    return look


def fail():
    raise RuntimeError("enough")


def interrupt():
    signal.raise_signal(signal.SIGINT)


@pytest.fixture
def cut(pendulum, tmp_path):
    """A folder with an interrupted run."""
    folder = tmp_path / "cut"
    results = pendulum.run(**LONG, **SELDOM, folder=folder, observer=stop_at(20))
    assert results.status["state"] == "interrupted"
    return folder


def test_a_folder_has_the_results_in_memory(pendulum, tmp_path):
    results = pendulum.run(folder=tmp_path / "out")
    plain = pendulum.run()
    assert results.finished and np.array_equal(results.data, plain.data) and np.array_equal(results.time, plain.time)
    assert results.events == plain.events and results.checks == plain.checks
    plain.save(tmp_path / "saved")
    assert (tmp_path / "out/data.arrows").read_bytes() == (tmp_path / "saved/data.arrows").read_bytes()
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [
        "data.arrows",
        "manifest.json",
        "motion.bin",
        "scene.json",
    ]


def test_motion_in_a_folder_is_drawn_saved_and_pickled(pendulum, tmp_path):
    results = pendulum.run(to="0.2 s", folder=tmp_path / "out")
    again = pickle.loads(pickle.dumps(results))
    for k, each in enumerate((results, again)):
        each.picture(tmp_path / f"{k}.png", size=(160, 90))
        each.save(tmp_path / f"saved{k}")
        assert (tmp_path / f"saved{k}/motion.bin").read_bytes() == (tmp_path / "out/motion.bin").read_bytes()
    assert (tmp_path / "0.png").read_bytes() == (tmp_path / "1.png").read_bytes()
    results.save(tmp_path / "out", csv=True)
    assert {"data.csv", "motion.bin"} <= {file.name for file in (tmp_path / "out").iterdir()}
    unseen = pendulum.run(to="0.2 s", folder=tmp_path / "out", motion=False)
    assert not (tmp_path / "out/motion.bin").exists()
    with pytest.raises(biela.OptionError, match=r"run\(motion=True\)"):
        unseen.view()


@pytest.mark.parametrize("motion", [True, False])
@pytest.mark.parametrize(
    ("observer", "raises"),
    [
        (lambda time: stop_at(time), None),
        (lambda time: raise_at(time, fail), RuntimeError),
        (lambda time: raise_at(time, interrupt), biela.Interrupted),
    ],
    ids=["an observer", "an exception", "an interrupt"],
)
def test_a_run_with_interruptions_has_the_bytes_of_one(pendulum, tmp_path, observer, raises, motion):
    whole = pendulum.run(**LONG, folder=tmp_path / "whole", motion=motion)
    options = {**LONG, **SELDOM, "folder": tmp_path / "parts", "motion": motion}
    for resume, end in ((False, 20), (True, 50)):
        if raises is None:
            pendulum.run(**options, observer=observer(end), resume=resume)
        else:
            with pytest.raises(raises):
                pendulum.run(**options, observer=observer(end), resume=resume)
        part = pendulum.results
        assert part.status["state"] == "interrupted" and end <= part.time[-1] < end + 2
        assert np.array_equal(part.data, whole.data[: len(part.time)])
        assert (tmp_path / "parts/checkpoint.bin").exists()
    results = pendulum.run(**options, resume=True)
    assert results.finished and np.array_equal(results.data, whole.data) and results.events == whole.events
    assert results.statistics == whole.statistics and results.checks == whole.checks
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


def test_checkpoints_do_not_change_a_run(pendulum, tmp_path):
    pendulum.run(folder=tmp_path / "whole")
    pendulum.run(folder=tmp_path / "often", checkpoint=1e-6)
    assert contents(tmp_path / "often") == contents(tmp_path / "whole")


@pytest.mark.parametrize(("cause", "raises"), [(interrupt, biela.Interrupted), (fail, biela.FunctionError)])
def test_a_run_that_ends_in_a_python_function_is_resumed(tmp_path, cause, raises):
    model = biela.loads(PENDULUM + '[[force]]\nname = "wind"\ntype = "torque"\non = "rod"\nvalue = "gust(t)"\n', functions={"gust": lambda t: gust(t)})

    def calm(t):
        return np.sin(t)

    def storm(t):
        if t > 1:
            cause()
        return calm(t)

    gust = calm
    whole = model.run(folder=tmp_path / "whole")
    gust = storm
    with pytest.raises(raises):
        model.run(folder=tmp_path / "parts", checkpoint="1 us")
    gust = calm
    results = model.run(folder=tmp_path / "parts", resume=True)
    assert results.finished and np.array_equal(results.data, whole.data)
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


def test_a_run_interrupted_from_the_keyboard_is_resumed(pendulum, tmp_path):
    options = {"to": "1e6 s", "output_step": "1 s", "folder": tmp_path / "out", "checkpoint": 3600}
    threading.Timer(0.5, _thread.interrupt_main).start()
    with pytest.raises(biela.Interrupted) as caught:
        pendulum.run(**options)
    first = caught.value.results
    assert len(first.time) > 1
    results = pendulum.run(**options, observer=stop_at(first.time[-1] + 50), resume=True)
    assert len(results.time) >= len(first.time) + 50
    whole = pendulum.run(to="1e6 s", output_step="1 s", observer=stop_at(results.time[-1]))
    assert np.array_equal(results.time, whole.time) and np.array_equal(results.data, whole.data)


def test_an_observer_sees_every_row_once(pendulum, tmp_path):
    options = {**LONG, **SELDOM, "folder": tmp_path / "out"}
    seen = []
    part = pendulum.run(**options, observer=stop_at(20, seen))
    assert np.array_equal(seen, part.time)
    results = pendulum.run(**options, observer=stop_at(1e9, seen), resume=True)
    assert np.array_equal(seen, results.time)


def test_wall_clock_time_includes_that_before_the_checkpoint(pendulum, tmp_path):
    options = {**LONG, **SELDOM, "folder": tmp_path / "out"}
    part = pendulum.run(**options, observer=stop_at(20))
    assert pendulum.run(**options, resume=True).seconds > 0.5 * part.seconds


def test_an_interrupted_run_is_not_discarded(pendulum, cut):
    before = contents(cut)
    with pytest.raises(biela.OptionError, match=r"can be resumed from t = .* s: pass resume=True, or remove .*checkpoint\.bin"):
        pendulum.run(**LONG, folder=cut)
    assert contents(cut) == before


def test_another_run_is_rejected_with_every_difference(pendulum, cut):
    before = contents(cut)
    other = biela.loads(PENDULUM.replace("mass = 2\n", "mass = 3\n"))
    longer = biela.loads(PENDULUM, set={"length": "2 m"})
    for model, options, told in [
        (other, LONG, "the text of the model has changed"),
        (longer, LONG, r'set was \[\], is \["length=2 m"\]'),
        (pendulum, {**LONG, "to": "70 s", "tolerance": 1e-6}, r"duration was 60\.0, is 70\.0\n  integrator\.tolerance was 1e-8, is 1e-6"),
        (pendulum, {**LONG, "motion": False}, "motion was true, is false"),
        (pendulum, {**LONG, "signals": "pin.angle"}, "the recorded signals differ"),
    ]:
        with pytest.raises(biela.OptionError, match=told) as caught:
            model.run(**options, folder=cut, resume=True)
        assert "name another folder" in str(caught.value) and "--" not in str(caught.value)
    assert contents(cut) == before
    assert pendulum.run(**LONG, folder=cut, resume=True).finished


def test_changed_files_are_rejected_by_name(pendulum, cut):
    for name in ("data.arrows", "motion.bin", "scene.json", "checkpoint.bin"):
        file = cut / name
        good = file.read_bytes()
        middle = len(good) // 4
        file.write_bytes(good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :])
        with pytest.raises(biela.OptionError, match=rf"{name}: .*start the run again"):
            pendulum.run(**LONG, folder=cut, resume=True)
        file.write_bytes(good)
    assert pendulum.run(**LONG, folder=cut, resume=True).finished


def test_a_damaged_checkpoint_is_replaced_by_the_one_before_with_a_warning(pendulum, cut, tmp_path):
    pendulum.run(**LONG, folder=tmp_path / "whole")
    pendulum.run(**LONG, **SELDOM, folder=cut, observer=stop_at(40), resume=True)
    (cut / "checkpoint.bin").write_bytes(b"no checkpoint")
    with pytest.warns(RuntimeWarning, match=r"not a checkpoint of biela(.|\n)*resuming from the previous checkpoint, at t = 2"):
        pendulum.run(**LONG, folder=cut, resume=True)
    assert contents(cut) == contents(tmp_path / "whole")


def test_a_folder_with_nothing_to_resume_is_reported(pendulum, tmp_path):
    with pytest.raises(biela.OptionError, match="no results here"):
        pendulum.run(folder=tmp_path / "nowhere", resume=True)
    assert not (tmp_path / "nowhere").exists()
    pendulum.run(folder=tmp_path / "out")
    with pytest.raises(biela.OptionError, match="nothing to resume: the run finished"):
        pendulum.run(folder=tmp_path / "out", resume=True)
    pendulum.run(folder=tmp_path / "out", observer=stop_at(1))
    with pytest.raises(biela.OptionError, match="no checkpoint to resume from; start the run again with checkpoints"):
        pendulum.run(folder=tmp_path / "out", resume=True)


def test_invalid_arguments_are_rejected_by_name(pendulum, tmp_path):
    for options, told in [
        ({"checkpoint": 1}, "^checkpoint: the run needs a results folder; pass its path as `folder`"),
        ({"resume": True}, "^resume: the run needs a results folder"),
        ({"folder": tmp_path / "out", "checkpoint": "3 m"}, "^checkpoint: cannot take `3 m`"),
        ({"folder": tmp_path / "out", "checkpoint": 0}, "^checkpoint: cannot take `0`"),
    ]:
        with pytest.raises(biela.OptionError, match=told):
            pendulum.run(**options)
    still = biela.loads(PENDULUM.partition("[study]")[0] + '[study]\nanalysis = "statics"\n')
    for options in ({"checkpoint": 1}, {"resume": True}):
        with pytest.raises(biela.OptionError, match=f"^{next(iter(options))}: not applicable to a statics study"):
            still.run(folder=tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("years of work")
    with pytest.raises(biela.OptionError, match="is not a results folder of biela"):
        pendulum.run(folder=tmp_path / "mine")


def test_equilibria_are_written_to_a_folder(tmp_path):
    still = biela.loads(PENDULUM.partition("[study]")[0] + '[study]\nanalysis = "statics"\n')
    results = still.run(folder=tmp_path / "out")
    assert results.equilibria[0]["stability"] == "stable" and len(results.time) == 1
    assert json.loads((tmp_path / "out/manifest.json").read_text())["rows"] == 1
