"""Results of a run: signals by name, with units, and error figures."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _biela
from .errors import OptionError

if TYPE_CHECKING:
    import pandas
    import xarray


class Table(Mapping[str, NDArray[np.float64]]):
    """Columns over time by name. `table["pin.angle"]` is a view, not a copy."""

    def __init__(self, raw: dict[str, Any]) -> None:
        #: The times of the rows, s.
        self.time: NDArray[np.float64] = raw["time"]
        #: All values: one row per time, one column per signal.
        self.data: NDArray[np.float64] = raw["data"]
        self._channels: list[tuple[str, str, str]] = raw["channels"]
        self._column = {name: k for k, (name, _, _) in enumerate(self._channels)}

    @property
    def units(self) -> dict[str, str]:
        """The SI unit of each signal, "1" if dimensionless."""
        return {name: unit for name, unit, _ in self._channels}

    @property
    def meanings(self) -> dict[str, str]:
        """The description of each signal."""
        return {name: text for name, _, text in self._channels}

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name == "time":
            return self.time
        try:
            return self.data[:, self._column[name]]
        except KeyError:
            near = difflib.get_close_matches(name, self._column, n=1)
            below = [known for known in self._column if known.startswith(f"{name}.")]
            if below:
                help = f"; its signals are {', '.join(below[:8])}"
            else:
                help = f"; did you mean `{near[0]}`?" if near else ""
            raise KeyError(f"no signal is called `{name}`{help}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._column)

    def __len__(self) -> int:
        return len(self._column)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a DataFrame with time as its index; `frame.attrs["units"]` contains the units."""
        import pandas

        index = pandas.Index(self.time, name="time")
        frame = pandas.DataFrame(self.data, index=index, columns=list(self._column), copy=False)
        frame.attrs["units"] = {"time": "s", **self.units}
        return frame

    def to_xarray(self) -> xarray.Dataset:
        """Returns a Dataset over time; every variable has its `units` and `long_name`."""
        import xarray

        variables = {
            name: ("time", self.data[:, k], {"units": unit, "long_name": text})
            for k, (name, unit, text) in enumerate(self._channels)
        }
        return xarray.Dataset(variables, coords={"time": ("time", self.time, {"units": "s"})})


class Plot:
    """A plot, which notebooks display."""

    def __init__(self, results: Results, signals: list[str], over: str | None) -> None:
        self._source = (results, signals, over)
        #: The plot as SVG.
        self.svg = results._drawn(signals, over, png=False).decode("utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes an image; the extension of the file selects the format, .svg or .png."""
        path = Path(path)
        match path.suffix.lower():
            case ".svg":
                path.write_text(self.svg, encoding="utf-8")
            case ".png":
                results, signals, over = self._source
                path.write_bytes(results._drawn(signals, over, png=True))
            case _:
                raise OptionError(f"{path}: the name of a plot must end in .svg or .png")


class View:
    """The interactive viewer with a motion and its signals, as one page, which notebooks display."""

    def __init__(self, html: str) -> None:
        #: The self-contained page.
        self.html = html

    def _repr_html_(self) -> str:
        page = escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 560px; border: 1px solid #8884"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file that opens in a browser."""
        Path(path).write_text(self.html, encoding="utf-8")


def names_of(given: Iterable[str] | str) -> list[str]:
    """A list of names; a single string is one name."""
    return [given] if isinstance(given, str) else list(given)


def texts_of(values: Iterable[float | str | None]) -> list[str | None]:
    return [None if value is None else str(value) for value in values]


def _motion_files(folder: Path) -> list[Path]:
    """The files of a recorded motion, relative to their folder."""
    names = ("scene.json", "motion.bin", "meshes/*")
    return [file.relative_to(folder) for name in names for file in sorted(folder.glob(name))]


def in_notebook() -> bool:
    """Returns True in a notebook."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    return running is not None and "IPKernelApp" in running.config


class Results(Table):
    """The results of a run: signals, events, and error figures."""

    def __init__(self, raw: dict[str, Any], film: tempfile.TemporaryDirectory[str] | Path | None = None) -> None:
        super().__init__(raw)
        self._film = film
        #: Name of the model.
        self.model: str = raw["model"]
        #: The outcome: "finished", "event", "interrupted" or "failed", with time and message.
        self.status: dict[str, Any] = raw["status"]
        #: Steps, evaluations, factorizations, and the smallest and largest step.
        self.statistics: dict[str, Any] = raw["statistics"]
        #: Constraint residuals and energy error.
        self.checks: dict[str, Any] = raw["checks"]
        #: Time and name of each event.
        self.events: list[tuple[float, str]] = raw["events"]
        #: Warnings about the reliability of the results.
        self.warnings: list[str] = raw["warnings"]
        #: The results of assembly: degrees of freedom, redundant constraints, moved bodies.
        self.start: dict[str, Any] = raw["start"]
        #: Singular configurations that were crossed.
        self.singular_poses: list[dict[str, Any]] = raw["singular_poses"]
        #: The equilibria of a static study, one per row.
        self.equilibria: list[dict[str, Any]] = raw["equilibria"]
        #: Method, integrator and times.
        self.options: dict[str, Any] = raw["options"]
        #: Wall-clock time, s.
        self.seconds: float = raw["seconds"]
        self._digest: str | None = raw["digest"]

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        if self._film is not None:
            folder = self._motion()
            state["_film"] = {str(name): (folder / name).read_bytes() for name in _motion_files(folder)}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        files = state["_film"]
        self.__dict__.update(state)
        if files is not None:
            self._film = tempfile.TemporaryDirectory()
            for name, content in files.items():
                file = Path(self._film.name) / name
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(content)

    def __copy__(self) -> Results:
        # copies share the folder of the motion, which is deleted with the last of them
        other = Results.__new__(Results)
        other.__dict__.update(self.__dict__)
        return other

    @property
    def finished(self) -> bool:
        """True if the run reached its end, or was ended by an event."""
        return self.status["state"] in ("finished", "event")

    def summary(self) -> str:
        """Returns a summary of the run as text."""
        rows, signals = self.data.shape
        end = self.time[-1] if len(self.time) else float("nan")
        lines = [f"{self.model}: {self._ending()}", ""]

        def line(name: str, text: str) -> None:
            lines.append(f"  {name:<12} {text}")

        line("recorded", f"{rows} rows of {signals} signals")
        if self.statistics["steps"]:
            work = self.statistics
            rejected = f", {work['rejected_steps']} rejected" if work["rejected_steps"] else ""
            line("solver", f"{work['steps']} steps{rejected}, {work['evaluations']} evaluations")
            checks = self.checks
            line(
                "constraints",
                f"off by at most {checks['largest_position_error']:.3g} (position), "
                f"{checks['largest_velocity_error']:.3g} (velocity)",
            )
            share = checks["relative_energy_error"]
            exchanged = f", {share:.3g} of what was exchanged" if share is not None else ""
            line("energy", f"balance off by at most {checks['largest_energy_error']:.3g} J{exchanged}")
            rate = end / self.seconds if self.seconds > 0 else float("inf")
            line("time", f"{self.seconds:.3g} s on the clock, {rate:.3g} × real time")
        for row, found in enumerate(self.equilibria):
            line(
                "equilibrium" if row == 0 else "",
                f"{found['stability']}, potential energy {found['potential_energy']:.6g} J",
            )
        names: dict[str, list[float]] = {}
        for at, name in self.events:
            names.setdefault(name, []).append(at)
        for name, times in names.items():
            line("events", f"`{name}` {len(times)} times, first at t = {times[0]:.9g} s")
        if more := self.statistics.get("events_not_listed"):
            line("events", f"and {more} more that were only counted")
        for warning in self.warnings:
            line("warning", warning)
        for note in self.start["notes"]:
            line("note", note)
        return "\n".join(lines)

    def _ending(self) -> str:
        end = f"{self.time[-1]:.9g} s" if len(self.time) else "the start"
        match self.status["state"]:
            case "finished" if self.equilibria:
                return f"{len(self.equilibria)} equilibria" if len(self.equilibria) > 1 else "1 equilibrium"
            case "finished":
                return f"finished at t = {end}"
            case "event":
                return f"ended by event `{self.status['name']}` at t = {self.status['time']:.9g} s"
            case "interrupted":
                return f"interrupted at t = {end}"
            case _:
                return f"stopped at t = {self.status['time']:.9g} s: {self.status['message']}"

    def save(self, folder: str | os.PathLike[str], *, csv: bool = False) -> None:
        """Writes a results folder like the command: `biela plot`, `biela info` and others read it."""
        self._save_signals(folder, csv)
        if self._film is not None and self._motion() != Path(folder).absolute():
            for name in _motion_files(self._motion()):
                file = Path(folder) / name
                file.parent.mkdir(exist_ok=True)
                shutil.copyfile(self._motion() / name, file)

    def _save_signals(self, folder: str | os.PathLike[str], csv: bool = False) -> None:
        about = {
            "model": self.model,
            "digest": self._digest,
            "options": self.options,
            "status": self.status,
            "statistics": self.statistics,
            "checks": {**self.checks, "warnings": self.warnings},
        }
        _biela.save(
            Path(folder), json.dumps(about), self._channels, self.time, self.data, self.events, csv
        )

    def view(self, *others: Results) -> View:
        """Returns the viewer with this motion, and with those of other runs of the same mechanism. The run must have recorded its motion."""
        with tempfile.TemporaryDirectory() as folder:
            folders = []
            for k, results in enumerate((self, *others)):
                results._motion()
                folders.append(Path(folder) / f"{self.model}-{k}" if others else Path(folder) / self.model)
                results.save(folders[-1])
            return View(_biela.page(folders))

    def plot(self, *signals: str, over: str | None = None) -> Plot:
        """Plots signals, or the panels of the model; over time or over another signal. A name may select all signals below it."""
        return Plot(self, list(signals), over)

    def _drawn(self, signals: list[str], over: str | None, *, png: bool) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            self._save_signals(folder)
            return _biela.draw(Path(folder), signals, over, png)

    def picture(
        self,
        path: str | os.PathLike[str],
        *,
        time: float | str | None = None,
        view: str = "auto",
        size: tuple[int, int] = (960, 540),
        dark: bool = False,
        ghosts: int = 0,
        trace: Iterable[str] | str = (),
        from_: float | str | None = None,
        to: float | str | None = None,
    ) -> None:
        """Draws the mechanism at a time (default: the start) to a PNG file. The run must have recorded its motion.

        `view` is auto, gravity, x, y, z, or azimuth and elevation in degrees such as "-40,30". `ghosts` is a number of faint poses at equal intervals from
        `from_` up to, but not including, `to`; `trace` names points whose paths are drawn. `size` is width and height in pixels.
        """
        path = Path(path)
        if path.suffix.lower() != ".png":
            raise OptionError(f"{path}: the name of an image must end in .png")
        times = [time, from_, to]
        self._export(path, False, (tuple(size), view, dark, texts_of(times), ghosts, names_of(trace), (25.0, 1.0)))

    def film(
        self,
        path: str | os.PathLike[str],
        *,
        from_: float | str | None = None,
        to: float | str | None = None,
        rate: float = 25.0,
        speed: float = 1.0,
        view: str = "auto",
        size: tuple[int, int] = (960, 540),
        dark: bool = False,
        trace: Iterable[str] | str = (),
    ) -> int:
        """Draws the motion to an animation, .gif, .mp4 or .webm, and returns its number of frames. The run must have recorded its motion.

        `rate` is the number of frames per second, `speed` the seconds of the motion per second of the animation; the other arguments are those of `picture`.
        The formats .mp4 and .webm require ffmpeg.
        """
        path = Path(path)
        if path.suffix.lower() not in (".gif", ".mp4", ".webm"):
            raise OptionError(f"{path}: the name of an animation must end in .gif, .mp4 or .webm")
        times = [None, from_, to]
        return self._export(path, True, (tuple(size), view, dark, texts_of(times), 0, names_of(trace), (rate, speed)))

    def _export(self, path: Path, animation: bool, request: Any) -> int:
        return _biela.export(self._motion(), path, animation, request)

    def _motion(self) -> Path:
        """The folder of the recorded motion."""
        if self._film is None:
            raise OptionError("the run has not recorded its motion: use run(motion=True)")
        return self._film if isinstance(self._film, Path) else Path(self._film.name)

    def __repr__(self) -> str:
        rows, signals = self.data.shape
        return f"<biela.Results of {self.model}: {self._ending()}, {rows} rows of {signals} signals>"

    def _repr_html_(self) -> str:
        drawing = self.plot().svg if len(self.time) > 1 and len(self) else ""
        moving = self.view()._repr_html_() if self._film is not None else ""
        return f"<pre>{escape(self.summary())}</pre>{drawing}{moving}"
