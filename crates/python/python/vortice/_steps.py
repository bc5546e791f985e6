"""Runs that are driven from Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from . import _vortice
from ._arrays import Fields, shown
from ._case import _interrupted
from ._errors import DeviceError
from ._page import Page
from ._settings import settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._case import Case
    from ._run import Run


@dataclass(frozen=True)
class Force:
    """The force of the flow on a body, a solid box or a wall."""

    force: tuple[float, float, float]
    """In N, of a plane flow for each metre of its depth."""
    torque: float
    """About the line along z through its middle, in N m."""
    coefficients: tuple[float, float, float]
    """The force over half the density, the squared velocity of the scale, and the area."""

    @property
    def drag(self) -> float:
        """Coefficient of the force in x."""
        return self.coefficients[0]

    @property
    def lift(self) -> float:
        """Coefficient of the force in y."""
        return self.coefficients[1]


class Now(Fields):
    """The flow of a moment. What is asked for is fetched then, so ask before the run goes on."""

    def __init__(self, case: Case, session: _vortice.Session) -> None:
        self.case = case
        self._session = session
        self.step, self.time, self.dt, self.residual, self.iteration_error, self.is_last = session.moment()
        self._kept: dict[str, Any] = {}

    def field(self, name: str) -> NDArray[Any]:
        """An array by its name, as those of `Run`: `velocity`, `pressure`, `vorticity`, `temperature`, or a scalar."""
        kept: NDArray[Any] = self._kept_or(name, lambda: shown(*self._session.field(name), name))
        return kept

    @property
    def forces(self) -> dict[str, Force]:
        """The forces on bodies, solid boxes and walls, by their names."""

        def ask() -> dict[str, Force]:
            return {name: Force(force, torque, on) for name, force, torque, on in self._session.forces()}

        kept: dict[str, Force] = self._kept_or("forces of bodies", ask)
        return kept

    def set(self, **changes: Any) -> None:
        """Changes keys of the case while the flow goes on, named as in `Case.with_changes`: what decides the shape of what is
        computed (grid, method, precision, device) cannot be changed.
        """
        self._expect_here()
        self._session.set(settings(changes))

    def checkpoint(self, path: str | PathLike[str]) -> None:
        """Writes the complete state, from which `restart` goes on."""
        self._expect_here()
        self._session.checkpoint(str(path))

    def plot(self) -> Any:
        """A figure of matplotlib: speed with streamlines."""
        from ._plot import figure

        return figure(self.case, self.velocity, [], f"{self.case.title}, t = {self.time:.4g} s")

    def _kept_or(self, name: str, ask: Any) -> Any:
        if name not in self._kept:
            self._expect_here()
            self._kept[name] = ask()
        return self._kept[name]

    def _expect_here(self) -> None:
        if self._session.moment()[0] != self.step:
            raise DeviceError(
                f"step {self.step}: the run has gone on since",
                key="step",
                value=self.step,
                remedy="ask for what you need before the loop goes on",
            )

    def __repr__(self) -> str:
        return f"<Now: step {self.step}, t = {self.time:.6g} s>"


class Steps(Iterator[Now]):
    """A run that goes on as far as a loop asks. Left alone it waits; once it is forgotten it ends."""

    def __init__(
        self,
        case: Case,
        session: _vortice.Session,
        every: float | None,
        steps: int | None,
        out: str | PathLike[str] | None,
    ) -> None:
        self.case = case
        self._session = session
        self._every = every
        self._steps = steps
        self._out = out
        self._looks = 0

    def __next__(self) -> Now:
        before, time, *_, ended = self._session.moment()
        if ended or self._session.stopped:
            raise StopIteration
        try:
            if self._steps is not None:
                self._session.go("steps", self._steps)
            else:
                self._session.go("time", self._next_look(time))
        except KeyboardInterrupt:
            raise _interrupted(self.case._leave(self._session, self._out)) from None
        if self._session.stopped or self._session.moment()[0] == before:
            raise StopIteration
        return Now(self.case, self._session)

    def _next_look(self, now: float) -> float:
        every = self._every or 0.0
        self._looks = max(self._looks + 1, int(now / every))
        while self._looks * every <= now:
            self._looks += 1
        return self._looks * every

    @property
    def page(self) -> Page | None:
        """The page that shows it, if it is watched."""
        return None if self._session.address is None else Page(self._session.address)

    @property
    def changes(self) -> list[tuple[int, float, list[str]]]:
        """What was changed: the step after which it was, its flow time in s, and the settings."""
        return self._session.changes()

    def set(self, **changes: Any) -> None:
        """As `Now.set`."""
        self._session.set(settings(changes))

    def checkpoint(self, path: str | PathLike[str]) -> None:
        """As `Now.checkpoint`."""
        self._session.checkpoint(str(path))

    def finish(self) -> Run:
        """Ends the run where it is."""
        from ._run import Run

        return Run._of(self.case, self._session, self._out)
