"""Incompressible flow by three methods, from one case, judged against published tables.

>>> import vortice as vt
>>> case = vt.case("cavity", cells=64, reynolds=400)
>>> run = case.run(method="fvm")
>>> run.velocity.shape
(64, 64, 2)

`case` opens a case; `Case.run` computes it, `Case.steps` drives it; `compare` runs methods and grids and makes a page;
`open` looks into the folder of a finished run; `method` makes a method of a Python function. `cases()` and `methods()`
list what there is. Errors are `VorticeError`, with `key`, `value` and `remedy`.
"""

from __future__ import annotations

import atexit as _atexit
import os as _os

from . import _cuda as _cuda
from . import _vortice
from ._case import Case, case
from ._errors import (
    CaseError,
    DeviceError,
    DivergedError,
    FileError,
    RanksError,
    UnsupportedError,
    VorticeError,
)
from ._method import Flow, method
from ._page import Page
from ._recorded import Recorded, RecordedStep, open
from ._run import Run
from ._steps import Force, Now, Steps
from ._study import Study, compare, validate



def _end(process: int = _os.getpid()) -> None:
    # The threads of a run are not those of a process that was forked.
    if _os.getpid() == process:
        _vortice.end_calls()


_atexit.register(_end)

# Behind it stands the commit that it was built from.
__version__: str = _vortice.version().split()[0]

__all__ = [
    "Case",
    "CaseError",
    "DeviceError",
    "DivergedError",
    "FileError",
    "Flow",
    "Force",
    "Now",
    "Page",
    "RanksError",
    "Recorded",
    "RecordedStep",
    "Run",
    "Steps",
    "Study",
    "UnsupportedError",
    "VorticeError",
    "case",
    "cases",
    "compare",
    "method",
    "methods",
    "open",
    "validate",
]


def cases() -> dict[str, str]:
    """The built-in cases: name and title."""
    return dict(_vortice.cases())


def methods() -> dict[str, str]:
    """The methods: name and a sentence about each."""
    return dict(_vortice.methods())
