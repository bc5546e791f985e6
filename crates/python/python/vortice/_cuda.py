"""Finds CUDA's run-time compiler where the extra `vortice[cuda]` has put it."""

from __future__ import annotations

import os
from importlib.util import find_spec


def _folder() -> str | None:
    """The folder of NVRTC among the installed packages, if it is there."""
    spec = find_spec("nvidia")
    for place in (spec.submodule_search_locations or []) if spec else []:
        folder = os.path.join(place, "cu13", "lib")
        if os.path.isdir(folder):
            return folder
    return None


if "VORTICE_NVRTC" not in os.environ and (_found := _folder()) is not None:
    os.environ["VORTICE_NVRTC"] = _found
