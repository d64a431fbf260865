"""Environments for reinforcement learning in the interface of Gymnasium, which has to be installed: `pip install gymnasium`.

    >>> from biela import gym
    >>> env = gym.CartPole()
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .model import Model, load

Array = NDArray[np.float64]
#: Values of joints at the start of an episode, from a random generator.
Start = Callable[[np.random.Generator], Mapping[str, float]]
#: Rewards of a batch of observations and actions: arrays (n, signals) and (n, inputs) to an array (n,).
Reward = Callable[[Array, Array], Array]
#: Whether episodes end, from a batch of observations.
Ends = Callable[[Array], NDArray[np.bool_]]


class Task:
    """What is learned on a model: what is observed and acted on, where episodes start and end, and what is rewarded.

    Functions take batches, so that one task serves `Env` and `VectorEnv`.
    """

    def __init__(
        self,
        model: Model,
        *,
        signals: Sequence[str],
        low: float | Sequence[float],
        high: float | Sequence[float],
        reward: Reward,
        start: Start | None = None,
        ends: Ends | None = None,
        observe: Callable[[Array], Array] | None = None,
        period: float = 0.02,
        periods: int = 500,
        picture: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.simulation = model.simulation(signals=signals, **options)
        inputs = len(self.simulation.inputs)
        if inputs == 0:
            raise ValueError("the model has no external inputs to act on; declare one with [[input]]")
        self.low = np.broadcast_to(np.asarray(low, dtype=float), (inputs,)).copy()
        self.high = np.broadcast_to(np.asarray(high, dtype=float), (inputs,)).copy()
        self.reward = reward
        self.start = start or (lambda random: {})
        self.ends = ends or (lambda observations: np.zeros(len(observations), dtype=bool))
        self.observe = observe or (lambda values: values)
        #: Time between actions in s, and the number of actions of an episode.
        self.period = period
        self.periods = periods
        #: Arguments of `Simulation.picture` for `render`.
        self.picture = dict(picture or {})
        width = self.observe(self.simulation.observe()[None]).shape[1]
        self.observation_space = spaces.Box(-np.inf, np.inf, (width,), dtype=np.float64)
        self.action_space = spaces.Box(self.low, self.high, dtype=np.float64)


class Env(gymnasium.Env[Array, Array]):
    """An environment of one simulation.

    With `render_mode="rgb_array"`, `render` returns an image. With "human", every step is shown in real time on a page of this machine, which opens in a browser
    if there is a display; its address is printed.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array"], "render_fps": 50}

    def __init__(self, task: Task, render_mode: str | None = None) -> None:
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise ValueError(f"render_mode is {render_mode!r}; use {' or '.join(map(repr, modes))}")
        self.metadata = {**self.metadata, "render_fps": round(1 / task.period)}
        self.task = task
        self.simulation = task.simulation.copy()
        self.observation_space = task.observation_space
        self.action_space = task.action_space
        self.render_mode = render_mode
        self._taken = 0
        #: The address of the page in the render mode "human".
        self.page: str | None = None
        self._shown = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Starts an episode at random values of the task, or at those of `options["initial"]`."""
        super().reset(seed=seed)
        initial = (options or {}).get("initial") or self.task.start(self.np_random)
        if initial:
            self.simulation.reset(initial=initial)
        else:
            self.simulation.reset()
        self._taken = 0
        self._show()
        return self._observation(), {}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Holds an action for one period. Actions are limited to the action space."""
        task = self.task
        action = np.minimum(np.maximum(np.asarray(action, dtype=float).reshape(task.low.shape), task.low), task.high)
        self._taken += 1
        self.simulation.advance(self._taken * task.period, action)
        self._show()
        observation = self._observation()
        reward = float(task.reward(observation[None], action[None])[0])
        terminated = bool(task.ends(observation[None])[0])
        return observation, reward, terminated, self._taken >= task.periods, {"time": self.simulation.time}

    def render(self) -> NDArray[np.uint8] | None:
        """Returns an image (height, width, 3) of the current state in the mode "rgb_array"; otherwise nothing, since "human" shows every step by itself."""
        if self.render_mode == "rgb_array":
            return self.simulation.picture(**self.task.picture)
        if self.render_mode is None:
            gymnasium.logger.warn('render() without a render mode draws nothing; create the environment with render_mode="rgb_array"')
        return None

    def close(self) -> None:
        """Ends the page of the mode "human"."""
        self.simulation.close()

    def _show(self) -> None:
        """Adds the current state to the page, in real time."""
        if self.render_mode != "human":
            return
        time.sleep(max(0.0, self._shown + self.task.period - time.monotonic()))
        self._shown = time.monotonic()
        page = self.simulation.show()
        if self.page is None:
            print(page)
        self.page = page

    def _observation(self) -> Array:
        observation: Array = self.task.observe(self.simulation.observe()[None])[0]
        return observation


class VectorEnv(gymnasium.vector.VectorEnv[Array, Array, NDArray[Any]]):
    """Many simulations of one task, advanced together on several threads. An episode that ended starts again with the next step."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(self, task: Task, num_envs: int, *, threads: int | None = None) -> None:
        self.task = task
        self.num_envs = num_envs
        self.single_observation_space = task.observation_space
        self.single_action_space = task.action_space
        self.observation_space = batch_space(task.observation_space, num_envs)
        self.action_space = batch_space(task.action_space, num_envs)
        self._batch = task.simulation._raw.batch(num_envs, threads)
        self._taken = np.zeros(num_envs, dtype=int)
        self._ended = np.zeros(num_envs, dtype=bool)
        self._randoms: list[np.random.Generator] = []

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Starts all episodes; a seed s gives environment k the seed s + k."""
        if seed is not None or not self._randoms:
            seeds = seed if isinstance(seed, Sequence) else [None if seed is None else seed + k for k in range(self.num_envs)]
            self._randoms = [gymnasium.utils.seeding.np_random(one)[0] for one in seeds]
        self._begin(range(self.num_envs))
        return self._observations(), {}

    def step(self, actions: Array) -> tuple[Array, Array, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Holds one action per environment for one period; an environment whose episode ended starts again instead, with reward 0."""
        task = self.task
        actions = np.clip(np.asarray(actions, dtype=float).reshape(self.num_envs, -1), task.low, task.high)
        again = self._ended.copy()
        self._batch.advance(actions, task.period, again.tolist())
        if again.any():
            self._begin(np.flatnonzero(again))
        self._taken += ~again
        observations = self._observations()
        rewards = np.where(again, 0.0, task.reward(observations, actions))
        terminated = task.ends(observations) & ~again
        truncated = (self._taken >= task.periods) & ~again
        self._ended = terminated | truncated
        return observations, rewards, terminated, truncated, {}

    def _begin(self, which: Iterable[int]) -> None:
        chosen = [int(k) for k in which]
        starts = [self.task.start(self._randoms[k]) for k in chosen]
        names = list(starts[0]) if starts else []
        values = np.array([[start[name] for name in names] for start in starts], dtype=float).reshape(len(chosen), len(names))
        self._batch.reset(chosen, names, values)
        self._taken[chosen] = 0
        self._ended[chosen] = False

    def _observations(self) -> Array:
        return self.task.observe(self._batch.observe())


def _shipped(name: str) -> Model:
    return load(Path(__file__).parent / "environments" / f"{name}.toml")


def cart_pole() -> Task:
    """Swing a pole up from hanging and balance it: observed are position, sine and cosine of the angle, and the velocities."""

    def observe(values: Array) -> Array:
        x, angle, v, rate = values.T
        return np.stack([x, np.sin(angle), np.cos(angle), v, rate], axis=1)

    def reward(observations: Array, actions: Array) -> Array:
        x, _, upright, _, rate = observations.T
        rewards: Array = 0.5 * (1 + upright) - 0.05 * x**2 - 0.002 * rate**2 - 0.0005 * (actions**2).sum(axis=1)
        return rewards

    return Task(
        _shipped("cart-pole"),
        signals=["rail.position", "hinge.angle", "rail.rate", "hinge.rate"],
        low=-20.0,
        high=20.0,
        observe=observe,
        reward=reward,
        start=lambda random: {"hinge.angle": np.pi + random.uniform(-0.1, 0.1), "rail.position": random.uniform(-0.1, 0.1)},
        ends=lambda observations: np.abs(observations[:, 0]) > 3.0,
        picture={"size": (720, 288), "points": [(-3.1, -1.1), (3.1, 1.1)]},
    )


def five_bar() -> Task:
    """Move the hand of a planar arm with a closed loop to a target and hold it there."""
    target = np.array([0.05, 0.45])

    def reward(observations: Array, actions: Array) -> Array:
        distance = np.linalg.norm(observations[:, :2] - target, axis=1)
        rewards: Array = np.exp(-20 * distance) - 0.001 * (actions**2).sum(axis=1)
        return rewards

    return Task(
        _shipped("five-bar"),
        signals=["coupler_left.hand.x", "coupler_left.hand.y", "left.angle", "right.angle", "left.rate", "right.rate"],
        low=-2.0,
        high=2.0,
        reward=reward,
        start=lambda random: {"left.angle": np.deg2rad(117.6) + random.uniform(-0.1, 0.1)},
        periods=250,
        picture={"points": [(-0.7, -0.62), (0.7, 0.62)]},
    )


def flexible_pendulum() -> Task:
    """Move a flexible rod to a position 0.5 m away without leaving it vibrating."""

    def reward(observations: Array, actions: Array) -> Array:
        x, v, tip, tip_velocity = observations.T
        rewards: Array = -((x - 0.5) ** 2) - 0.1 * (tip - x) ** 2 - 0.01 * tip_velocity**2 - 0.0005 * (actions**2).sum(axis=1)
        return rewards

    return Task(
        _shipped("flexible-pendulum"),
        signals=["rail.position", "rail.rate", "rod.node4.x", "rod.node4.vx"],
        low=-10.0,
        high=10.0,
        reward=reward,
        periods=200,
        picture={"points": [(-0.6, -1.1), (1.1, 0.2)]},
    )


class CartPole(Env):
    """`cart_pole` as an environment."""

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__(cart_pole(), render_mode)


class FiveBar(Env):
    """`five_bar` as an environment."""

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__(five_bar(), render_mode)


class FlexiblePendulum(Env):
    """`flexible_pendulum` as an environment."""

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__(flexible_pendulum(), render_mode)
