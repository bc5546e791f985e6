"""Cases."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from . import _vortice
from ._arrays import Centres
from ._errors import CaseError
from ._page import Page, announce
from ._progress import Progress
from ._settings import document, settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._run import Run
    from ._steps import Now, Steps


class Checked(TypedDict):
    """What a method says of a case: derived numbers, warnings, and the memory that it needs in bytes."""

    facts: dict[str, str]
    warnings: list[str]
    memory: float


def case(source: str | PathLike[str] | Mapping[str, Any] | Case, /, **changes: Any) -> Case:
    """A case: built-in by its name, of a file, or of a dict with the keys of a case file; see `Case.with_changes`.

    >>> case("cavity", cells=64, reynolds=400)
    >>> case("my.toml", method="lbm", until=10.0)
    >>> case({"title": "My flow", "grid": {"cells": [32, 32, 1], "size": [1.0, 1.0, 0.1]}, ...})
    """
    if isinstance(source, Case):
        return source.with_changes(**changes)
    _refuse_twice(changes)
    first = {key: value for key, value in changes.items() if key not in _LATER}
    later = {key: value for key, value in changes.items() if key in _LATER}
    if isinstance(source, Mapping):
        native = _vortice.Case.parse(document(source), "case", settings(first))
        name = "case"
    else:
        text = fspath(source)
        native = _vortice.Case.open(text, settings(first))
        name = Path(text).stem
    return Case(native, name).with_changes(**later)


# What refers to what the other changes have made of the case.
_LATER = ("cells", "reynolds")


class Case(Centres):
    """A flow to be computed. It does not change: `with_changes` makes another one."""

    _native: _vortice.Case

    def __init__(self, native: _vortice.Case, name: str) -> None:
        self._native = native
        self.name = name

    def with_changes(self, **changes: Any) -> Case:
        """The same case with other values of keys.

        A key is named by its last word where that is clear (`viscosity` is `fluid.viscosity`, `until` is `run.until`), with
        `_` for `-`, by its whole path (`**{"run.max-steps": 100}`), or in its table (`fdm={"over-relaxation": 1.7}`).
        `cells` is a number along the shortest side, of a case with bodies across the length of its scale, or a list of two or
        three; `reynolds` changes the viscosity.
        """
        _refuse_twice(changes)
        given = dict(changes)
        cells, reynolds = given.pop("cells", None), given.pop("reynolds", None)
        listed = isinstance(cells, Sequence) and not isinstance(cells, str)
        if listed:
            given["grid.cells"] = [*cells, 1] if len(cells) == 2 else [*cells]
        native = self._native
        if given:
            native = native.with_sets(settings(given))
        if cells is not None and not listed:
            native = native.with_cells(_whole("cells", cells))
        if reynolds is not None:
            native = native.with_reynolds(float(reynolds))
        return Case(native, self.name)

    @property
    def title(self) -> str:
        """One line for people."""
        return self._native.title

    @property
    def text(self) -> str:
        """The text of the case, as a case file has it."""
        return self._native.text

    @property
    def method(self) -> str:
        """Name of its method."""
        return self._native.method

    @property
    def cells(self) -> tuple[int, int, int]:
        """Cells in x, y and z."""
        return self._native.cells

    @property
    def is_plane(self) -> bool:
        """Whether the flow is plane: one cell in z."""
        return self._native.is_plane

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an array with one value in each cell: (z, y, x), of a plane flow (y, x)."""
        nx, ny, nz = self.cells
        return (ny, nx) if self.is_plane else (nz, ny, nx)

    @property
    def viscosity(self) -> float:
        """Kinematic viscosity in m2/s."""
        return self._native.viscosity

    @property
    def density(self) -> float:
        """Density in kg/m3."""
        return self._native.density

    @property
    def reynolds(self) -> float:
        """Reynolds number of its scale."""
        return self._native.reynolds

    @property
    def scale(self) -> tuple[float, float]:
        """Length in m and velocity in m/s that the Reynolds number and errors refer to."""
        return self._native.scale

    @property
    def spacing(self) -> tuple[float, float, float]:
        """Width of a cell in m in x, y and z."""
        return self._native.spacing

    @property
    def end(self) -> float | None:
        """Flow time in s at which it ends; None if it ends when the flow is steady."""
        return self._native.end

    @property
    def solid(self) -> NDArray[Any]:
        """Which cells are solid, as an array of `shape`."""
        return self._native.solids().astype(bool).reshape(self.shape)

    def wall_velocity(self, face: str) -> tuple[float, float, float] | None:
        """Velocity in m/s of a face of the box (`y-high`) that is a wall; None of one that is none."""
        return self._native.wall_velocity(face)

    def check(self) -> Checked:
        """What the method says of the case before it runs; refuses what it cannot do."""
        checked: Checked = json.loads(self._native.check())
        return checked

    def run(
        self,
        method: str | None = None,
        *,
        device: str | None = None,
        threads: int | None = None,
        out: str | PathLike[str] | None = None,
        replace: bool = False,
        restart: str | PathLike[str] | None = None,
        ranks: int = 1,
        watch: bool | int = False,
        changes: Sequence[tuple[int, float, list[str]]] = (),
        progress: bool = True,
        on_step: Callable[[Now], bool | None] | None = None,
        every: int = 100,
    ) -> Run:
        """Computes the flow to its end.

        Python goes on meanwhile in its other threads. Ctrl-C stops the run after its present step, leaves a checkpoint and
        raises KeyboardInterrupt, which names the file; `restart` goes on from one. In `out` the run leaves the files of the
        program: fields, tables, a checkpoint, a picture and a summary; the folder must not hold those of another run, unless
        `replace` is set or the run goes on from its checkpoint. `on_step` is called with the flow of the moment each so many
        (`every`) steps, and stops the run if it returns False. `ranks` cut the grid for so many threads of this process.

        `watch` serves a page that shows the flow and steers it, at a free port of this machine or the one of this number, and
        says where. A run that comes to its end while the page is open stays there, until it is stopped there or the page is
        left. `changes` of an earlier run (`Steps.changes`, `Recorded.changes`) are made again at their steps.
        """
        from ._run import Run
        from ._steps import Now

        chosen = self._chosen(method, device)
        if ranks != 1:
            _refuse_with_ranks(watch=watch, changes=changes, on_step=on_step)
            return chosen._run_on_ranks(_whole("ranks", ranks), threads, out, replace, restart, progress)
        how = "drive" if on_step is None else "beside"
        session = chosen._begin(threads, out, replace, restart, watch, how)
        if changes:
            session.repeat(list(changes))
        try:
            with Progress(progress, chosen._running, chosen.end) as bar:
                if on_step is not None:
                    while session.go("steps", _whole("every", every), bar.tell) and not session.stopped:
                        if on_step(Now(chosen, session)) is False:
                            break
                elif session.address is not None:
                    session.drive(bar.tell)
                else:
                    session.go("end", 0, bar.tell)
        except KeyboardInterrupt:
            raise _interrupted(chosen._leave(session, out)) from None
        return Run._of(chosen, session, out)

    @property
    def _running(self) -> str:
        return f"{self.name} by {self.method}"

    def _run_on_ranks(
        self,
        ranks: int,
        threads: int | None,
        out: str | PathLike[str] | None,
        replace: bool,
        restart: str | PathLike[str] | None,
        progress: bool,
    ) -> Run:
        from ._run import Run

        left = self._left(out)
        folder, begun = (None if path is None else fspath(path) for path in (out, restart))
        try:
            with Progress(progress, f"{self._running}, {ranks} ranks", self.end) as bar:
                fields, told = _vortice.run_on_ranks(
                    self._native, self.name, ranks, str(left), threads, folder, replace, begun, bar.tell
                )
        except KeyboardInterrupt:
            raise (_interrupted(left) if left.is_file() else KeyboardInterrupt("interrupted before its first step")) from None
        return Run(self, dict(fields), json.loads(told), out)

    def steps(
        self,
        every: float | None = None,
        method: str | None = None,
        *,
        steps: int | None = None,
        device: str | None = None,
        threads: int | None = None,
        out: str | PathLike[str] | None = None,
        replace: bool = False,
        restart: str | PathLike[str] | None = None,
        watch: bool | int = False,
        changes: Sequence[tuple[int, float, list[str]]] = (),
    ) -> Steps:
        """Drives the flow: each so many seconds of flow time (`every`) or so many `steps` it pauses, and yields the flow of the
        moment. It ends when the case does, or when the loop is left. `changes` of an earlier drive, `Steps.changes`, are made
        again at their steps. `watch` serves a page as for `run`: it holds the flow and changes it, and its `stop` ends the loop.
        """
        from ._steps import Steps

        chosen = self._chosen(method, device)
        if (every is None) == (steps is None):
            problem = "give either `every`, in s of flow time, or a number of `steps`"
            raise CaseError(f"every: {problem}", key="every", value=every, remedy="write steps(every=0.1)")
        if every is not None and not every > 0:
            remedy = "give seconds of flow time, such as 0.1"
            raise CaseError(f"every: is {every}", key="every", value=every, remedy=remedy)
        count = None if steps is None else _whole("steps", steps)
        session = chosen._begin(threads, out, replace, restart, watch, "beside")
        if changes:
            session.repeat(list(changes))
        return Steps(chosen, session, every, count, out)

    def _chosen(self, method: str | None, device: str | None) -> Case:
        sets = [f"run.{key}={json.dumps(v)}" for key, v in (("method", method), ("device", device)) if v is not None]
        return Case(self._native.with_sets(sets), self.name)

    def _begin(
        self,
        threads: int | None,
        out: str | PathLike[str] | None,
        replace: bool,
        restart: str | PathLike[str] | None,
        watch: bool | int,
        how: str,
    ) -> _vortice.Session:
        folder, begun = (None if path is None else fspath(path) for path in (out, restart))
        page = None if watch is False else how
        port = None if isinstance(watch, bool) else _whole("watch", watch)
        session = _vortice.Session(self._native, self.name, threads, folder, replace, begun, page, port)
        if session.address is not None:
            announce(Page(session.address))
        return session

    def _left(self, out: str | PathLike[str] | None) -> Path:
        """Where an interrupted run leaves its checkpoint; makes the folder."""
        folder = Path("out", self.name) if out is None else Path(out)
        folder.mkdir(parents=True, exist_ok=True)
        return folder / ("interrupted.h5" if out is None else "checkpoint.h5")

    def _leave(self, session: _vortice.Session, out: str | PathLike[str] | None) -> Path:
        """Leaves a checkpoint of a run that is interrupted."""
        path = self._left(out)
        session.checkpoint(str(path))
        return path

    def __repr__(self) -> str:
        nx, ny, nz = self.cells
        cells = f"{nx} x {ny}" if self.is_plane else f"{nx} x {ny} x {nz}"
        return f"<Case {self.title!r}, {cells} cells, by {self.method}>"


def _refuse_twice(changes: Mapping[str, Any]) -> None:
    also = [key for key in ("viscosity", "fluid.viscosity") if key in changes]
    if also and "reynolds" in changes:
        problem = f"reynolds: sets `fluid.viscosity`, and so does `{also[0]}`"
        raise CaseError(problem, key="reynolds", value=changes["reynolds"], remedy="keep one of them")


def _refuse_with_ranks(**given: Any) -> None:
    for name, value in given.items():
        if value:
            remedy = f"leave `ranks` out, or `{name}`"
            raise CaseError(f"ranks: a run on several is not driven, and `{name}` does that", key="ranks", remedy=remedy)


def _interrupted(path: Path) -> KeyboardInterrupt:
    return KeyboardInterrupt(f"interrupted; go on with restart={str(path)!r}")


def _whole(name: str, value: Any) -> int:
    try:
        if int(value) == value and value > 0:
            return int(value)
    except (TypeError, ValueError):
        pass
    raise CaseError(f"{name}: is {value!r}", key=name, value=value, remedy="give a whole number from 1 on")
