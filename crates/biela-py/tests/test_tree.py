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


def test_forward_dynamics_inverts_inverse_dynamics(arm, states):
    q, v, a = (x[0] for x in states)
    tau = arm.rnea(q, v, a)
    assert arm.aba(q, v, tau) == pytest.approx(a, abs=1e-9)
    mass = arm.crba(q)
    assert mass == pytest.approx(mass.T, abs=0)
    assert mass @ a + arm.rnea(q, v, np.zeros(arm.nv)) == pytest.approx(tau, abs=1e-10)
    assert arm.inverse_mass(q) @ mass == pytest.approx(np.eye(arm.nv), abs=1e-9)


@pytest.mark.parametrize("threads", [None, 1, 2, 3])
def test_many_states_agree_bitwise_with_single_ones(arm, states, threads):
    q, v, a = states
    for function in (arm.rnea, arm.aba):
        alone = np.array([function(*state) for state in zip(q, v, a)])
        assert np.array_equal(function(q, v, a, threads=threads), alone)
    assert np.array_equal(arm.crba(q, threads=threads), np.array([arm.crba(x) for x in q]))


def test_out_is_written_in_place(arm, states):
    q, v, a = (x[0] for x in states)
    out = np.empty(arm.nv)
    assert arm.rnea(q, v, a, out) is out
    assert np.array_equal(out, arm.rnea(q, v, a))
    with pytest.raises(ValueError, match=r"out must be a contiguous float64 array of shape \[7\]"):
        arm.rnea(q, v, a, np.empty(6))
    with pytest.raises(ValueError, match="out must be"):
        arm.rnea(q, v, a, np.empty(7, dtype=np.float32))


def test_lists_and_other_arrays_are_accepted(arm, states):
    q, v, a = (x[0] for x in states)
    wide = np.zeros((arm.nv, 2))
    wide[:, 0] = a
    assert np.array_equal(arm.rnea(list(q), v, wide[:, 0]), arm.rnea(q, v, a))


def test_wrong_array_shapes_are_rejected(arm, states):
    q, v, a = states
    with pytest.raises(ValueError, match=r"v has shape \[6\]; expected \[7\]"):
        arm.rnea(q[0], v[0][:6], a[0])
    with pytest.raises(ValueError, match=r"a has shape \[299, 7\]; expected \[300, 7\]"):
        arm.rnea(q, v, a[:-1])


def test_derivatives_agree_with_finite_differences(arm, states):
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


def test_the_jacobian_is_the_derivative_of_the_pose(arm, states):
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


def random_states(tree, count, seed=5):
    """Positions with unit quaternions, and velocities."""
    random = np.random.default_rng(seed)
    start = np.tile(tree.neutral(), (count, 1))
    return tree.integrate(start, random.uniform(-1, 1, (count, tree.nv))), random.uniform(-1, 1, (count, tree.nv))


@pytest.fixture(scope="module")
def branched():
    """A free-floating body with an arm of two links and a spherical pendulum."""
    model = biela.Model(space="spatial", gravity=[0.3, -0.5, -9.81])
    for name, mass in {"base": 3, "upper": 2, "lower": 1, "bob": 0.5}.items():
        com = [0.1 * mass, -0.05, 0.2]
        model.body(name, mass=mass, inertia=[0.3, 0.4, 0.5], com=com, points={"tip": [0.2, 0.3, -0.4]})
    model.revolute("shoulder", between=["base.tip", "upper"], axis=[1, 0, 0])
    model.revolute("elbow", between=["upper.tip", "lower"], axis=[0, 1, 0], armature=0.2)
    model.spherical("socket", between=["base", "bob.tip"])
    return model.tree()


def test_a_step_and_a_difference_are_inverse(branched):
    q, dq = random_states(branched, 20)
    assert branched.nq > branched.nv
    moved = branched.integrate(q, dq)
    assert branched.difference(q, moved) == pytest.approx(dq, abs=1e-12)
    assert np.array_equal(branched.integrate(q[3], dq[3]), moved[3])
    assert np.array_equal(branched.difference(q[3], moved[3]), branched.difference(q, moved)[3])
    for joint in branched.joints:
        if joint.positions.stop - joint.positions.start > joint.velocities.stop - joint.velocities.start:
            quaternions = moved[:, joint.positions.stop - 4 : joint.positions.stop]
            assert np.linalg.norm(quaternions, axis=1) == pytest.approx(1, abs=1e-14)
    # a step along v moves every frame with the velocity J v
    step = 1e-6
    for frame in ("lower.tip", "bob"):
        ahead = branched.pose(branched.integrate(q[0], step * dq[0]), frame)
        behind = branched.pose(branched.integrate(q[0], -step * dq[0]), frame)
        velocity = (ahead - behind)[:3, 3] / (2 * step)
        assert branched.jacobian(q[0], frame)[3:] @ dq[0] == pytest.approx(velocity, abs=1e-8)
    scalars = np.zeros(branched.nq)
    with pytest.raises(ValueError, match="dq has shape"):
        branched.integrate(scalars, scalars)


def test_external_loads_act_through_the_jacobian(arm, branched):
    random = np.random.default_rng(2)
    for tree, frames in ((arm, arm.frames[-2:]), (branched, ["lower.tip", "bob", "base"])):
        q, v = random_states(tree, 100)
        a = random.uniform(-1, 1, v.shape)
        loads = {frame: random.uniform(-5, 5, (100, 6)) for frame in frames}
        loads[frames[0]] = loads[frames[0]][0]
        tau = tree.rnea(q, v, a, loads=loads)
        generalized = sum(
            np.einsum("nij,ni->nj", tree.jacobian(q, frame), np.broadcast_to(load, (100, 6)))
            for frame, load in loads.items()
        )
        assert tau == pytest.approx(tree.rnea(q, v, a) - generalized, abs=1e-10)
        assert tree.aba(q, v, tau, loads=loads) == pytest.approx(a, abs=1e-9)
        single = {frame: np.broadcast_to(load, (100, 6))[7] for frame, load in loads.items()}
        assert np.array_equal(tree.rnea(q[7], v[7], a[7], loads=single), tau[7])
        assert np.array_equal(tree.rnea(q, v, a, loads=loads, threads=2), tau)
        assert np.array_equal(tree.rnea(q, v, a, loads={}), tree.rnea(q, v, a))
        assert np.array_equal(tree.rnea(q[0], v[0], a[0], loads={"ground": np.ones(6)}), tree.rnea(q[0], v[0], a[0]))


def test_wrong_loads_are_rejected(arm, states):
    q, v, a = (x[0] for x in states)
    with pytest.raises(KeyError, match="no body or point is called `nothing`"):
        arm.rnea(q, v, a, loads={"nothing": np.zeros(6)})
    with pytest.raises(ValueError, match=r'has shape \[3\]; expected \[6\]: moment and force'):
        arm.aba(q, v, a, loads={arm.frames[-1]: np.zeros(3)})


def test_the_mass_centre_is_the_gradient_of_gravity(branched):
    q, v = random_states(branched, 10)
    still = np.zeros(branched.nv)
    step = 1e-6
    centre = branched.center_of_mass(q)
    assert centre.shape == (10, 3) and np.array_equal(branched.center_of_mass(q[4]), centre[4])
    for at, along in zip(q, v):
        moved = [branched.center_of_mass(branched.integrate(at, s * step * along)) for s in (1, -1)]
        velocity = (moved[0] - moved[1]) / (2 * step)
        # the power of the weight
        power = -6.5 * np.array([0.3, -0.5, -9.81]) @ velocity
        assert branched.rnea(at, still, still) @ along == pytest.approx(power, abs=1e-6)


def test_the_coriolis_matrix_is_passive(arm, branched):
    for tree in (arm, branched):
        q, v = random_states(tree, 20)
        still = np.zeros_like(v)
        coriolis = tree.coriolis(q, v)
        bias = tree.rnea(q, v, still) - tree.rnea(q, still, still)
        assert np.einsum("nij,nj->ni", coriolis, v) == pytest.approx(bias, abs=1e-10)
        assert np.array_equal(tree.coriolis(q[3], v[3]), coriolis[3])
        step = 1e-6
        rate = (tree.crba(tree.integrate(q, step * v)) - tree.crba(tree.integrate(q, -step * v))) / (2 * step)
        skew = rate - 2 * coriolis
        assert skew + skew.transpose(0, 2, 1) == pytest.approx(0, abs=1e-6)


def test_derivatives_on_branches_do_not_depend_on_earlier_calls(branched):
    q, v = (x[0] for x in random_states(branched, 1))
    fresh = branched.rnea_derivatives(q, v, v)
    branched.aba_derivatives(q, v, v)
    for found, expected in zip(branched.rnea_derivatives(q, v, v), fresh):
        assert np.array_equal(found, expected)


def test_a_mechanism_with_loops_has_no_tree(root):
    with pytest.raises(biela.OptionError, match="close kinematic loops"):
        biela.load(root / "examples/mechanisms/four-bar/model.toml").tree()


def test_a_free_body_has_the_identity_rotation_in_the_neutral_state():
    body = 'format = 1\nspace = "spatial"\n[[body]]\nname = "brick"\nmass = 1\ninertia = [1, 2, 3]\n'
    with pytest.warns(biela.ModelWarning):
        tree = biela.loads(body).tree()
    assert (tree.nq, tree.nv) == (7, 6)
    assert tree.pose(tree.neutral(), "brick") == pytest.approx(np.eye(4))


def test_joint_torques_along_a_trajectory(root):
    table = biela.load(root / "examples/robots/scara/model.toml").inverse_dynamics(points=11)
    assert len(table.time) == 11 and any("total" in name for name in table)


def test_inverse_kinematics_inverts_the_pose(arm, states):
    for q in states[0][:5]:
        target = arm.pose(q, "link7")
        found = arm.inverse_kinematics(target, "link7")
        assert arm.pose(found, "link7") == pytest.approx(target, abs=1e-7)
        point = arm.inverse_kinematics(target[:3, 3], "link7", start=q)
        assert arm.pose(point, "link7")[:3, 3] == pytest.approx(target[:3, 3], abs=1e-7)
        down = arm.inverse_kinematics([0.5, 0.1, 0.4], "link7", direction=[0, 0, -2])
        assert arm.pose(down, "link7")[:3, 2:] == pytest.approx(np.array([[0, 0.5], [0, 0.1], [-1, 0.4]]), abs=1e-7)


def test_several_solutions_are_distinct_and_a_search_is_repeatable(arm):
    several = arm.inverse_kinematics_all([0.5, 0.1, 0.4], "link7", most=4)
    assert several.shape == (4, 7)
    assert all(np.abs(a - b).max() > 1e-3 for k, a in enumerate(several) for b in several[:k])
    for q in several:
        assert arm.pose(q, "link7")[:3, 3] == pytest.approx([0.5, 0.1, 0.4], abs=1e-7)
    assert np.array_equal(several, arm.inverse_kinematics_all([0.5, 0.1, 0.4], "link7", most=4))


def test_an_unreachable_target_is_an_error_with_its_distance(arm):
    straight = 0.34 + 0.4 + 0.4 + 0.126
    with pytest.raises(biela.UnreachableError, match="closest pose is 0.7") as error:
        arm.inverse_kinematics([0, 0, straight + 0.75], "link7")
    reached = arm.pose(error.value.q, "link7")[:3, 3]
    assert error.value.distance == pytest.approx(np.linalg.norm(reached - [0, 0, straight + 0.75]))
    assert error.value.distance == pytest.approx(0.75, abs=0.02)
    with pytest.raises(ValueError, match=r"expected a point \(3,\) or a matrix"):
        arm.inverse_kinematics([1.0, 2.0], "link7")
    with pytest.raises(ValueError, match="rotation"):
        arm.inverse_kinematics(np.ones((4, 4)), "link7")
    with pytest.raises(KeyError, match="did you mean `link7`"):
        arm.inverse_kinematics([0, 0, 1], "link77")


def test_inverse_kinematics_of_a_planar_arm_uses_two_coordinates(pendulum):
    tree = pendulum.tree()
    q = tree.inverse_kinematics([0.6, -0.8], "rod.tip")
    assert q == pytest.approx([np.arctan2(-0.8, 0.6)], abs=1e-7)
    with pytest.raises(biela.OptionError, match="no tool"):
        tree.inverse_kinematics([0.6, -0.8])
