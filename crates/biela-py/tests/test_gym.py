"""Environments in the interface of Gymnasium."""

from __future__ import annotations

import time

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from biela import gym  # noqa: E402

TASKS = [gym.cart_pole, gym.five_bar, gym.flexible_pendulum]


@pytest.mark.parametrize("environment", [gym.CartPole, gym.FiveBar, gym.FlexiblePendulum])
def test_environments_pass_the_check_of_gymnasium(environment):
    check_env(environment(), skip_render_check=True)


@pytest.mark.parametrize("environment", [gym.CartPole, gym.FiveBar, gym.FlexiblePendulum])
def test_environments_render_images_with_one_camera(environment):
    env = environment(render_mode="rgb_array")
    assert env.metadata["render_fps"] == round(1 / env.task.period)
    env.reset(seed=1)
    first = env.render()
    width, height = env.task.picture.get("size", (640, 480))
    assert first.shape == (height, width, 3) and first.dtype == np.uint8
    # bodies have colours, the background is grey
    assert (np.ptp(first.astype(int), axis=2) > 60).sum() > 100
    for _ in range(10):
        env.step(env.action_space.high)
    later = env.render()
    changed = (first != later).any(axis=2).mean()
    assert 0.001 < changed < 0.5, "the mechanism moves before the same background"
    env.reset(seed=1)
    assert np.array_equal(env.render(), first)
    env.close()


def test_human_rendering_serves_a_page_without_a_browser(capsys, monkeypatch):
    from urllib.request import urlopen

    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    env = gym.CartPole(render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out.strip() == env.page
    assert env.page.startswith("http://127.0.0.1:")
    began = time.monotonic()
    for _ in range(5):
        env.step(env.action_space.high)
    assert time.monotonic() - began > 4 * env.task.period, "shown in real time"
    assert env.render() is None
    env.reset(seed=2)
    with urlopen(env.page, timeout=10) as answer:
        assert answer.status == 200 and b"<script" in answer.read()
    env.close()
    with pytest.raises(OSError):
        urlopen(env.page, timeout=2)


def test_render_modes_are_checked(recwarn):
    with pytest.raises(ValueError, match="'human' or 'rgb_array'"):
        gym.CartPole(render_mode="ansi")
    env = gym.CartPole()
    env.reset(seed=1)
    assert env.render() is None
    assert any("render mode" in str(one.message) for one in recwarn)


@pytest.mark.parametrize("task", TASKS)
def test_vector_environments_give_the_episodes_of_single_ones(task):
    task = task()
    task.periods = 7
    vector, singles = gym.VectorEnv(task, 3, threads=2), [gym.Env(task) for _ in range(3)]
    observations, _ = vector.reset(seed=11)
    expected = [single.reset(seed=11 + k)[0] for k, single in enumerate(singles)]
    assert np.array_equal(observations, expected)
    random = np.random.default_rng(0)
    ended = [False] * 3
    for _ in range(18):
        actions = random.uniform(task.low, task.high, (3, len(task.low)))
        observations, rewards, terminated, truncated, _ = vector.step(actions)
        for k, single in enumerate(singles):
            if ended[k]:
                seen, reward, stops, late = single.reset()[0], 0.0, False, False
            else:
                seen, reward, stops, late, _ = single.step(actions[k])
            assert observations[k] == pytest.approx(seen, abs=1e-9)
            assert (rewards[k], terminated[k], truncated[k]) == (pytest.approx(reward, abs=1e-9), stops, late)
            ended[k] = stops or late


def test_a_seed_repeats_an_episode():
    ends = []
    for _ in range(2):
        env = gym.CartPole()
        env.reset(seed=5)
        env.action_space.seed(5)
        for _ in range(50):
            observation, *_ = env.step(env.action_space.sample())
        ends.append(observation)
    assert np.array_equal(*ends)


def test_a_model_without_inputs_is_rejected():
    import biela

    model = biela.Model("m", space="planar")
    model.body("b", mass=1, inertia=1)
    model.prismatic("rail", between=["ground", "b"])
    with pytest.raises(ValueError, match="no external inputs"):
        gym.Task(model, signals=["rail.position"], low=-1, high=1, reward=lambda o, a: o[:, 0])
