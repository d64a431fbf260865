import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import biela
from conftest import ROOT
from test_build import pendulum

SLIDER = ROOT / "examples/studies/slider-crank-tolerances/model.toml"


def study(points=60, duration="2 s"):
    model = pendulum()
    model.measure("height", of="rod.tip.y", take="max")
    model.sweep(
        plan="latin",
        points=points,
        seed=3,
        vary={"length": {"from": "0.8 m", "to": "1.2 m"}, "start": {"from": "-40 deg", "to": "-20 deg"}},
    )
    return model


def same(first, second):
    assert list(first) == list(second) and first.problems == second.problems
    for name in first:
        assert np.array_equal(first[name], second[name], equal_nan=True), name


@pytest.fixture(scope="module")
def table():
    return biela.sweep(study())


def test_a_table_has_parameters_and_measures(table):
    assert list(table) == ["length", "start", "height"] and table.units["length"] == "m"
    assert table["length"].min() >= 0.8 and table["length"].max() <= 1.2
    # without friction the tip returns to its initial height, or starts at the highest point
    assert table["height"] == pytest.approx(table["length"] * np.sin(table["start"]), abs=2e-3)
    frame = table.to_pandas()
    assert frame.shape == (60, 4) and frame["problem"].isna().all() and frame.attrs["units"]["height"] == "m"


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_the_number_of_threads_does_not_change_a_bit(table, threads):
    same(biela.sweep(study(), threads=threads), table)


def test_other_executors_do_not_change_a_bit(table):
    with ThreadPoolExecutor(2) as executor:
        same(biela.sweep(study(), executor=executor), table)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        same(biela.sweep(study(), executor=executor), table)
    with pytest.raises(biela.OptionError, match="is not an executor"):
        biela.sweep(study(), executor="many")


def test_a_folder_stores_points_and_the_sweep_continues(table, tmp_path):
    told = []

    def enough(known, points):
        told.append(known)
        if known >= 20:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        biela.sweep(study(), folder=tmp_path, threads=1, progress=enough)
    again = []
    with ThreadPoolExecutor(2) as executor:
        whole = biela.sweep(study(), folder=tmp_path, executor=executor, csv=True, progress=lambda k, n: again.append(k))
    same(whole, table)
    assert told[-1] >= 20 and again[0] > 20 and again[-1] == 60
    assert (tmp_path / "table.parquet").exists() and (tmp_path / "table.csv").exists()
    with pytest.raises(biela.OptionError, match="another study"):
        biela.sweep(study(points=61), folder=tmp_path)


def test_failed_points_are_reported_and_have_nan_values():
    model = study(points=20)
    model.torque("wrong", on="rod", value="if(length > 1 m, 1 [N*m*s^2]/(1 s - t)^2, 0 [N*m])")
    table = biela.sweep(model)
    failed = np.isnan(table["height"])
    assert 0 < failed.sum() < 20 and np.array_equal(failed, table["length"] > 1)
    assert set(table.problems) == set(np.flatnonzero(failed))


def test_a_model_without_a_sweep_is_rejected():
    with pytest.raises(biela.OptionError, match=r"the model has no \[sweep\]"):
        biela.sweep(pendulum())
    model = study()
    model.function("f", lambda t: 0.0)
    with pytest.raises(biela.OptionError, match="calls Python functions"):
        biela.sweep(model)
    model = study()
    model.body("wrong", mass="1 s", inertia=1)
    with pytest.raises(biela.ModelError, match=r'test_sweep\.py:\d+, body\("wrong"\)'):
        biela.sweep(model)


def test_dask_gives_the_same_table_when_a_worker_is_killed():
    distributed = pytest.importorskip("distributed")
    here = biela.sweep(SLIDER)
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster, distributed.Client(cluster) as client:
        killed = []

        def kill_one(known, points):
            if known > 100 and not killed:
                pid = next(iter(client.run(os.getpid).values()))
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

        there = biela.sweep(SLIDER, executor=client, progress=kill_one)
    assert killed, "a worker was killed in the middle"
    same(there, here)
    assert len(here["stroke"]) == 1000


def test_ray_gives_the_same_table_when_a_worker_is_killed():
    ray = pytest.importorskip("ray")
    here = biela.sweep(SLIDER)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        @ray.remote
        def pid():
            return os.getpid()

        killed = []

        def kill_one(known, points):
            if known > 100 and not killed:
                killed.append(ray.get(pid.remote()))
                os.kill(killed[0], signal.SIGKILL)
                time.sleep(0.1)

        there = biela.sweep(SLIDER, executor=ray, progress=kill_one)
    finally:
        ray.shutdown()
    assert killed, "a worker was killed in the middle"
    same(there, here)


def test_a_sweep_of_a_text_reads_the_files_of_its_folder(tmp_path):
    text = """format = 1
space = "planar"
gravity = [0, "-9.81 m/s^2"]
[parameters]
height = "1 m"
[[body]]
name = "stone"
mass = 1
inertia = 1
position = [0, "height"]
[[event]]
name = "landing"
when = "stone.y"
action = "stop"
[[measure]]
name = "fall"
event = "landing"
[study]
duration = "5 s"
[sweep]
plan = "list"
file = "heights.csv"
"""
    (tmp_path / "heights.csv").write_text("height [m]\n1\n4\n")
    table = biela.sweep(biela.loads(text, folder=tmp_path), threads=1)
    assert table["fall"][1] == pytest.approx(2 * table["fall"][0], rel=1e-6)
    # the digest of the study is that of the file, so that both continue the same folder
    (tmp_path / "stone.toml").write_text(text)
    biela.sweep(biela.loads(text, name="stone.toml", folder=tmp_path), folder=tmp_path / "points", threads=1)
    again = biela.sweep(tmp_path / "stone.toml", folder=tmp_path / "points", threads=1)
    assert np.array_equal(again["fall"], table["fall"])
