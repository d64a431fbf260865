from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

PENDULUM = """
format = 1
name = "pendulum"
space = "planar"
gravity = [0, -9.81]

[parameters]
length = "1 m"
start = "-30 deg"

[[body]]
name = "rod"
mass = 2
inertia = "2 kg*length^2/12"
com = ["length/2", 0]
points = { tip = ["length", 0] }

[[joint]]
name = "pin"
type = "revolute"
between = ["ground", "rod"]
initial = { angle = "start" }

[[event]]
name = "lowest"
when = "pin.angle + 90 deg"

[study]
duration = "2 s"
output_step = "10 ms"
"""


@pytest.fixture
def pendulum():
    import biela

    return biela.loads(PENDULUM)


@pytest.fixture
def root():
    return ROOT
