"""Exceptions: what is wrong, with which key and value, and what to do about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any


class VorticeError(Exception):
    """Anything that goes wrong in Vortice.

    `key` is the key of the case, `value` what stands there, `remedy` what to do; None or empty where there is none.
    """

    key: str | None = None
    value: Any = None
    remedy: str = ""

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self._message = message
        self._details = details
        for name, detail in details.items():
            setattr(self, name, detail)

    def __str__(self) -> str:
        return f"{self._message}\n  help: {self.remedy}" if self.remedy else self._message

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self._message, self._details)


def _again(kind: type[VorticeError], message: str, details: dict[str, Any]) -> VorticeError:
    return kind(message, **details)


class CaseError(VorticeError, ValueError):
    """A key of a case, or an argument, has a wrong name, type or value; `line` is its line in the case's text."""

    line: int | None = None


class UnsupportedError(CaseError):
    """A method, `method`, cannot do what the case asks for by `key`."""

    method: str | None = None


class DivergedError(VorticeError, ArithmeticError):
    """The flow is no longer finite: `field` is `value` in `cell` (x, y, z, counted from 0) at `step` and `time` in s."""

    step: int | None = None
    time: float | None = None
    field: str | None = None
    cell: tuple[int, int, int] | None = None


class DeviceError(VorticeError, RuntimeError):
    """A device that was asked for is not there or failed, or a run is no longer there."""


class RanksError(VorticeError, RuntimeError):
    """Ranks do not fit the grid."""


class FileError(VorticeError, OSError):
    """A file, `path`, cannot be read or written, or does not hold what it should."""

    path: Path | None = None
