"""A bar of tqdm, if that is there."""

from __future__ import annotations

import math
from typing import Any


class Progress:
    """Shows how far a run is, by flow time if it ends at one, else by its steps."""

    def __init__(self, wanted: bool, title: str, end: float | None) -> None:
        self._bar: Any = None
        self._end = end
        if not wanted:
            return
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        form = "{desc}: {percentage:3.0f}% |{bar}| {postfix} [{elapsed}<{remaining}]" if end else None
        self._bar = tqdm(total=end, desc=title, unit=" steps", leave=False, bar_format=form)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def tell(self, step: int, time: float, _dt: float, residual: float, error: float, _ended: bool) -> None:
        """Hears where the run is."""
        if self._bar is None:
            return
        near = f"iteration error {error:.1e}" if math.isfinite(error) else f"residual {residual:.1e}/s"
        self._bar.set_postfix_str(f"step {step}, t = {time:.4g} s, {near}", refresh=False)
        self._bar.n = min(time, self._end) if self._end else step
        self._bar.refresh()
