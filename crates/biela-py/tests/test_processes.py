"""Forked children, other processes, interrupts and memory."""

import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import biela
from conftest import PENDULUM, ROOT
from test_build import pendulum as built

#: Seconds that a child may take; a child that hangs is killed after them.
PATIENCE = 60


def arm():
    return biela.load(ROOT / "examples/robots/seven-axis/model.toml").tree()


def states(tree, count=1000):
    random = np.random.default_rng(3)
    return [random.uniform(-1, 1, (count, n)) for n in (tree.nq, tree.nv, tree.nv)]


def in_child(work):
    """Returns the value of `work` in a forked child, which is killed if it hangs."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        # in any case, the child does not continue with the tests
        try:
            os.close(reading)
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(pickle.dumps(work()))
        finally:
            os._exit(0)
    os.close(writing)
    until = time.monotonic() + PATIENCE
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail(f"the child did not end within {PATIENCE} s")
        time.sleep(0.01)
    with os.fdopen(reading, "rb") as pipe:
        return pickle.loads(pipe.read())


def rnea_digest(given):
    tree, inputs = given
    return tree.rnea(*inputs).tobytes()[:4096]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_many_states_in_a_forked_child_do_not_hang():
    tree = arm()
    inputs = states(tree)
    here = rnea_digest((tree, inputs))
    assert in_child(lambda: rnea_digest((tree, inputs))) == here
    # a child of the child, and the parent afterwards
    assert in_child(lambda: in_child(lambda: rnea_digest((tree, inputs)))) == here
    assert rnea_digest((tree, inputs)) == here


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_many_states_are_computed_in_processes(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("the system does not support this start method")
    tree = arm()
    inputs = states(tree)
    with multiprocessing.get_context(method).Pool(2) as pool:
        answers = pool.map_async(rnea_digest, [(tree, inputs)] * 2).get(timeout=PATIENCE)
    assert answers == [rnea_digest((tree, inputs))] * 2


def test_zero_threads_are_rejected():
    tree = arm()
    with pytest.raises(ValueError, match="threads must be at least 1"):
        tree.rnea(*states(tree), threads=0)


def interrupted(program):
    """Runs a program, sends SIGINT when it prints `ready`, and returns its further output."""
    head = f"import sys; sys.path[:0] = {[os.path.dirname(__file__), *sys.path]!r}\n"
    child = subprocess.Popen(
        [sys.executable, "-c", head + textwrap.dedent(program)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    try:
        assert child.stdout.readline().strip() == "ready"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        return child.communicate(timeout=PATIENCE)[0]
    finally:
        child.kill()
        child.wait()


RUN = """
    import time, biela
    from test_build import pendulum
    model = pendulum()
    {given}
    print("ready", flush=True)
    try:
        model.run(to="1e6 s", output_step="1 s")
    except KeyboardInterrupt as caught:
        print(type(caught).__name__, len(model.results.time) > 0, caught)
"""

CALLBACKS = {
    "function": """
    model.function("drag", lambda rate: time.sleep(0.02) or -rate, unit="N*m")
    model.torque("brake", on="rod", value="drag(pin.rate)")
""",
    "controller": """
    model.controller("pd", period="1 ms", inputs={{"angle": "pin.angle"}}, outputs={{"torque": "N*m"}},
        law=lambda t, angle: time.sleep(0.02) or -angle)
    model.torque("motor", on="rod", value="pd.torque")
""",
    "between": """
    import operator
    model.function("drag", operator.neg, unit="N*m")
    model.torque("brake", on="rod", value="0*drag(pin.rate)")
""",
}


@pytest.mark.parametrize("what", CALLBACKS)
def test_ctrl_c_in_a_python_callback_raises_interrupted(what):
    given = CALLBACKS[what].replace("{{", "{").replace("}}", "}").strip().replace("\n    ", "\n    ")
    said = interrupted(RUN.replace("{given}", given))
    assert said.startswith("Interrupted True interrupted"), said


def test_ctrl_c_in_a_function_interrupts_every_analysis():
    def stop(t):
        raise KeyboardInterrupt

    model = built()
    model.function("stop", stop, unit="N*m")
    model.torque("motor", on="rod", value="stop(t)")
    for ask in (model.run, model.statics, lambda: model.linearize("start"), lambda: model.linearize("equilibrium")):
        with pytest.raises(KeyboardInterrupt):
            ask()

    def leave(t):
        raise SystemExit(3)

    model.function("stop", leave, unit="N*m")
    with pytest.raises(SystemExit):
        model.run()


SWEEP = """
[[measure]]
name = "end"
of = "pin.angle"
take = "range"
[sweep]
plan = "grid"
vary.length = { values = ["1 m", "2 m"] }
"""


def test_ctrl_c_ends_a_sweep_in_the_middle_of_a_point():
    said = interrupted("""
        import biela
        from conftest import PENDULUM
        from test_processes import SWEEP
        model = biela.loads(PENDULUM.replace('"2 s"', '"1e6 s"').replace('"10 ms"', '"1 s"') + SWEEP)
        print("ready", flush=True)
        try:
            biela.sweep(model, threads=1)
        except KeyboardInterrupt:
            print("interrupted")
    """)
    assert said.strip() == "interrupted"


def test_an_analysis_that_exceeds_the_memory_raises():
    tree = arm()
    q = np.broadcast_to(np.zeros(tree.nq), (1 << 50, tree.nq))
    with pytest.raises(MemoryError):
        tree.crba(q)
    with pytest.raises(MemoryError, match="cannot be allocated"):
        biela.load(ROOT / "examples/robots/scara/model.toml").inverse_dynamics(points=1 << 60)


def within_two_gigabytes(text, **options):
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    try:
        results = biela.loads(text).run(to="50 s", output_step="1 us", **options)
        return len(results.time), results.status["state"]
    except MemoryError as error:
        return str(error)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory limit needs Linux")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_table_that_exceeds_the_memory_raises_before_the_run():
    said = in_child(lambda: within_two_gigabytes(PENDULUM))
    assert isinstance(said, str) and "5.0000e7 rows of 7 signals need 3.2 GB of memory" in said
    # a run that an event ends has only the rows up to the event
    ends = PENDULUM.replace('when = "pin.angle + 90 deg"', 'when = "t - 10.5 us"\naction = "stop"')
    rows, state = in_child(lambda: within_two_gigabytes(ends))
    assert state == "event" and rows in (11, 12)
    seen = []
    look = lambda t, row: seen.append(t) or len(seen) < 9
    assert in_child(lambda: within_two_gigabytes(PENDULUM, observer=look)) == (9, "interrupted")


def drag_of(rate):
    return -0.3 * rate


def law_of(t, angle):
    return -2 * angle


def with_callables():
    model = built()
    model.function("drag", drag_of, unit="N*m")
    model.torque("brake", on="rod", value="drag(pin.rate)")
    model.controller(
        "pd", period="1 ms", inputs={"angle": "pin.angle"}, outputs={"torque": "N*m"}, law=law_of
    )
    model.torque("motor", on="rod", value="pd.torque")
    return model


def last_angle(model):
    return model.run(to="0.2 s")["pin.angle"][-1]


@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])
def test_models_trees_and_results_are_pickled_and_copied(again, tmp_path):
    path = tmp_path / "swing.toml"
    path.write_text(PENDULUM)
    for model in (biela.loads(PENDULUM, set={"length": "2 m"}), biela.load(path), with_callables()):
        other = again(model)
        assert last_angle(other) == last_angle(model)
        results = again(model.results)
        assert np.array_equal(results.data, model.results.data) and results.units == model.results.units
        assert results.summary() == model.results.summary()
    tree = arm()
    inputs = [x[0] for x in states(tree)]
    assert np.array_equal(again(tree).rnea(*inputs), tree.rnea(*inputs))
    linear = biela.loads(PENDULUM).linearize()
    assert np.array_equal(again(linear).A, linear.A)


@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])
def test_models_are_pickled_and_copied_after_use(again):
    for model in (biela.loads(PENDULUM), built(), with_callables()):
        model.check()
        assert again(model).check()["freedom"] == 1
        model.run(to="0.1 s", motion=True)
        assert last_angle(again(model)) == last_angle(model)
        plot = model.results.plot("pin.angle")
        assert again(plot).svg == plot.svg


def test_elements_added_to_a_copy_are_not_in_the_model():
    model = built()
    for other in (copy.copy(model), copy.deepcopy(model)):
        other.torque("push", on="rod", value="1 N*m")
        assert "push" in other.to_toml() and "push" not in model.to_toml()


def test_a_model_is_sent_to_spawned_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        answers = pool.map_async(last_angle, [with_callables()]).get(timeout=PATIENCE)
    assert answers == [last_angle(with_callables())]


def test_results_are_pickled_with_their_motion(pendulum):
    results = pendulum.run(to="0.2 s", motion=True)
    there = pickle.loads(pickle.dumps(results))
    assert there.view().html == results.view().html


def test_a_callable_that_cannot_be_pickled_is_named(monkeypatch):
    # as if cloudpickle were not installed
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    model = built()
    model.function("drag", lambda rate: -rate, unit="N*m")
    with pytest.raises(pickle.PicklingError, match="function `drag` cannot be pickled.*top level of a module"):
        pickle.dumps(model)
    model = built()
    model.controller(
        "pd", period="1 ms", inputs={"angle": "pin.angle"}, outputs={"torque": "N*m"}, law=lambda t, angle: 0.0
    )
    with pytest.raises(pickle.PicklingError, match="the law of controller `pd` cannot be pickled"):
        pickle.dumps(model)
    # copies in the same process share it
    assert copy.deepcopy(model).run(to="0.1 s").finished


def test_cloudpickle_sends_lambdas():
    pytest.importorskip("cloudpickle")
    model = built()
    factor = 0.3
    model.function("drag", lambda rate: -factor * rate, unit="N*m")
    model.torque("brake", on="rod", value="drag(pin.rate)")
    assert last_angle(pickle.loads(pickle.dumps(model))) == last_angle(model)


def test_a_pickled_tree_rejects_changed_files(tmp_path):
    (tmp_path / "part.toml").write_text('format = 1\n[[body]]\nname = "rod"\nmass = 2\ninertia = 1\n')
    main = 'format = 1\nspace = "planar"\ninclude = ["part.toml"]\n[[joint]]\nname = "pin"\ntype = "revolute"\nbetween = ["ground", "rod"]\n'
    (tmp_path / "main.toml").write_text(main)
    written = pickle.dumps(biela.load(tmp_path / "main.toml").tree())
    assert pickle.loads(written).nv == 1
    (tmp_path / "part.toml").write_text('format = 1\n[[body]]\nname = "rod"\nmass = 3\ninertia = 1\n')
    with pytest.raises(biela.OptionError, match="has changed since the tree was pickled"):
        pickle.loads(written)


def test_errors_are_pickled():
    with pytest.raises(biela.ModelError) as caught:
        biela.loads(PENDULUM.replace("space", "spce"))
    there = pickle.loads(pickle.dumps(caught.value))
    assert str(there) == str(caught.value) and there.diagnostics == caught.value.diagnostics
    results = biela.loads(PENDULUM).run(to="0.1 s")
    there = pickle.loads(pickle.dumps(biela.Interrupted("interrupted", results)))
    assert np.array_equal(there.results.data, results.data)


INERTIAL = """<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"""
URDF = f"""<robot name="arm"><link name="base">{INERTIAL}</link><link name="rod">{INERTIAL}</link>
<joint name="pin" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint></robot>"""


@pytest.mark.filterwarnings("ignore::biela.ModelWarning")
def test_load_imports_by_the_extension_of_the_file(tmp_path):
    (tmp_path / "arm.urdf").write_text(URDF)
    (tmp_path / "robot.xml").write_text(PART)
    fixed = biela.load(tmp_path / "arm.urdf")
    assert fixed.to_toml() == biela.from_urdf(tmp_path / "arm.urdf").to_toml()
    assert biela.load(tmp_path / "arm.urdf", base="floating").check()["freedom"] == 7
    assert biela.load(tmp_path / "robot.xml", root=tmp_path).facts()["bodies"] == ["rod"]
    assert biela.run(tmp_path / "arm.urdf", to="0.1 s").finished
    with pytest.raises(TypeError, match="no argument `keyframe` for arm.urdf; its options are base"):
        biela.load(tmp_path / "arm.urdf", keyframe="home")
    (tmp_path / "model.toml").write_text(PENDULUM)
    with pytest.raises(TypeError, match="no argument `base` for model.toml$"):
        biela.load(tmp_path / "model.toml", base="fixed")


MJCF = """<mujoco><include file="{file}"/><worldbody/></mujoco>"""
PART = """<mujoco><worldbody><body name="rod"><joint name="pin"/><geom size="0.1" mass="1"/></body></worldbody></mujoco>"""


def test_an_import_reads_files_below_the_folder_of_the_model_or_the_given_root(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "robot").mkdir()
    (tmp_path / "parts" / "rod.xml").write_text(PART)
    path = tmp_path / "robot" / "robot.xml"
    path.write_text(MJCF.format(file="../parts/rod.xml"))
    with pytest.raises(biela.ModelError, match="outside"):
        biela.from_mjcf(path)
    assert biela.from_mjcf(path, root=tmp_path).facts()["bodies"] == ["rod"]
    with pytest.raises(biela.ModelError, match="outside"):
        biela.from_mjcf(path, root=tmp_path / "robot")
