"""Pages that show runs in a browser."""

from __future__ import annotations

import sys
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import _vortice


class Page:
    """A page that shows runs, served on this machine alone, to who knows its address.

    A notebook shows it as a link, a terminal as the address to open. It is closed by `close`, at the end of a `with`, or when
    it is forgotten.
    """

    def __init__(self, address: str, native: _vortice.Page | None = None) -> None:
        self.address = address
        """What to open in a browser; who has it may look and steer."""
        self._native = native

    def close(self) -> None:
        """Serves it no longer; the page of a running flow ends with its run."""
        if self._native is not None:
            self._native.close()

    def open(self) -> bool:
        """Opens it in the browser of this machine; tells whether there is one."""
        import webbrowser

        return webbrowser.open(self.address)

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        address = escape(self.address)
        shown = escape(self.address.split("?")[0])
        return f'watch at <a href="{address}" target="_blank" rel="noopener noreferrer">{shown}</a>'

    def __repr__(self) -> str:
        return f"watch at {self.address}"


def announce(page: Page) -> None:
    """Shows where a page is: in a notebook as a link, elsewhere as a line."""
    if "IPython" in sys.modules:
        from IPython import get_ipython

        if hasattr(get_ipython(), "kernel"):
            from IPython.display import display

            display(page)
            return
    print(page, file=sys.stderr, flush=True)


def replay(runs: list[Any], port: int | None) -> Page:
    """A page of finished runs: paths, or a case with its flow time and arrays."""
    from . import _vortice

    native = _vortice.Page(runs, port)
    return Page(native.address, native)
