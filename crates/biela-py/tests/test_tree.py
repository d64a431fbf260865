import numpy as np
import pytest

import biela


@pytest.fixture(scope="module")
def arm():
    from conftest import ROOT

    return biela.load(ROOT / "examples/robots/seven-axis/model.toml").tree()


@pytest.fixture
def states(arm):
    random = np.random.default_rng(7)
    return [random.uniform(-1, 1, (300, n)) for n in (arm.nq, arm.nv, arm.nv)]


def test_accelerations_and_forces_belong_together(arm, states):
    q, v, a = (x[0] for x in states)
    tau = arm.rnea(q, v, a)
    assert arm.aba(q, v, tau) == pytest.approx(a, abs=1e-9)
    mass = arm.crba(q)
    assert mass == pytest.approx(mass.T, abs=0)
    assert mass @ a + arm.rnea(q, v, np.zeros(arm.nv)) == pytest.approx(tau, abs=1e-10)
    assert arm.inverse_mass(q) @ mass == pytest.approx(np.eye(arm.nv), abs=1e-9)


@pytest.mark.parametrize("threads", [None, 1, 2, 3])
def test_many_states_give_what_each_gives_to_the_last_bit(arm, states, threads):
    q, v, a = states
    for function in (arm.rnea, arm.aba):
        alone = np.array([function(*state) for state in zip(q, v, a)])
        assert np.array_equal(function(q, v, a, threads=threads), alone)
    assert np.array_equal(arm.crba(q, threads=threads), np.array([arm.crba(x) for x in q]))


def test_out_is_written_where_it_is(arm, states):
    q, v, a = (x[0] for x in states)
    out = np.empty(arm.nv)
    assert arm.rnea(q, v, a, out) is out
    assert np.array_equal(out, arm.rnea(q, v, a))
    with pytest.raises(ValueError, match=r"out must be an array of float64 in one piece with shape \[7\]"):
        arm.rnea(q, v, a, np.empty(6))
    with pytest.raises(ValueError, match="out must be"):
        arm.rnea(q, v, a, np.empty(7, dtype=np.float32))


def test_lists_and_other_arrays_are_taken_too(arm, states):
    q, v, a = (x[0] for x in states)
    wide = np.zeros((arm.nv, 2))
    wide[:, 0] = a
    assert np.array_equal(arm.rnea(list(q), v, wide[:, 0]), arm.rnea(q, v, a))


def test_shapes_that_do_not_fit_are_told(arm, states):
    q, v, a = states
    with pytest.raises(ValueError, match=r"v has shape \[6\]; it should have \[7\]"):
        arm.rnea(q[0], v[0][:6], a[0])
    with pytest.raises(ValueError, match=r"a has shape \[299, 7\]; it should have \[300, 7\]"):
        arm.rnea(q, v, a[:-1])


def test_derivatives_are_those_of_differences(arm, states):
    q, v, a = (x[0] for x in states)
    by_q, by_v = arm.rnea_derivatives(q, v, a)
    step = 1e-6

    def slope(function, x):
        columns = []
        for k in range(len(x)):
            e = np.zeros(len(x))
            e[k] = step
            columns.append((function(x + e) - function(x - e)) / (2 * step))
        return np.array(columns).T

    assert by_q == pytest.approx(slope(lambda x: arm.rnea(x, v, a), q), abs=1e-6)
    assert by_v == pytest.approx(slope(lambda x: arm.rnea(q, x, a), v), abs=1e-6)
    tau = arm.rnea(q, v, a)
    da_dq, da_dv, inverse = arm.aba_derivatives(q, v, tau)
    assert da_dq == pytest.approx(slope(lambda x: arm.aba(x, v, tau), q), abs=1e-4)
    assert da_dv == pytest.approx(slope(lambda x: arm.aba(q, x, tau), v), abs=1e-4)
    assert inverse == pytest.approx(arm.inverse_mass(q), abs=1e-9)


def test_the_jacobian_is_the_rate_of_the_pose(arm, states):
    q, v, _ = (x[0] for x in states)
    frame = arm.frames[-1]
    step = 1e-6
    ahead, behind = arm.pose(q + step * v, frame), arm.pose(q - step * v, frame)
    rate = (ahead - behind) / (2 * step)
    twist = arm.jacobian(q, frame) @ v
    assert twist[3:] == pytest.approx(rate[:3, 3], abs=1e-7)
    spin = rate[:3, :3] @ arm.pose(q, frame)[:3, :3].T
    assert twist[:3] == pytest.approx([spin[2, 1], spin[0, 2], spin[1, 0]], abs=1e-7)
    with pytest.raises(KeyError, match="no body or point"):
        arm.pose(q, "nothing")


def test_a_mechanism_with_loops_has_no_tree(root):
    with pytest.raises(biela.OptionError, match="close loops"):
        biela.load(root / "examples/mechanisms/four-bar/model.toml").tree()


def test_a_free_body_stands_straight():
    body = 'format = 1\nspace = "spatial"\n[[body]]\nname = "brick"\nmass = 1\ninertia = [1, 2, 3]\n'
    with pytest.warns(biela.ModelWarning):
        tree = biela.loads(body).tree()
    assert (tree.nq, tree.nv) == (7, 6)
    assert tree.pose(tree.neutral(), "brick") == pytest.approx(np.eye(4))


def test_efforts_along_a_trajectory(root):
    table = biela.load(root / "examples/robots/scara/model.toml").inverse_dynamics(points=11)
    assert len(table.time) == 11 and any("total" in name for name in table)
