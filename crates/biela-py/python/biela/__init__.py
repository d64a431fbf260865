"""Multibody dynamics: mechanisms, robots and flexible bodies from a text file or from Python.

    >>> import biela
    >>> results = biela.run("pendulum.toml", to="2 s")
    >>> results["pin.angle"]
"""

from ._biela import __version__
from .errors import AssemblyError, Error, FunctionError, Interrupted, ModelError, OptionError, SolverError, UnreachableError
from .functions import Function
from .linear import Linear, Mode
from .component import Component
from .model import Model, ModelWarning, from_mjcf, from_robo, from_sismul, from_urdf, load, loads, run
from .results import Plot, Results, Table, View
from .simulation import Simulation, rollout
from .studies import Fit, Optimum, Sensitivity, fit, optimize, sensitivity
from .sweep import Sweep, sweep
from .tree import Joint, Tree

__all__ = [
    "AssemblyError",
    "Error",
    "Fit",
    "Function",
    "FunctionError",
    "Interrupted",
    "Joint",
    "Linear",
    "Mode",
    "Component",
    "Model",
    "ModelError",
    "ModelWarning",
    "Optimum",
    "OptionError",
    "Plot",
    "Results",
    "Sensitivity",
    "Simulation",
    "SolverError",
    "Sweep",
    "Table",
    "Tree",
    "UnreachableError",
    "View",
    "__version__",
    "fit",
    "from_mjcf",
    "from_robo",
    "from_sismul",
    "from_urdf",
    "load",
    "loads",
    "optimize",
    "rollout",
    "run",
    "sensitivity",
    "sweep",
]
