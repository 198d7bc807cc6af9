"""A line on the standard error that says how far something is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def is_watched() -> bool:
    """Whether somebody looks at the standard error: on a terminal, or in a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


class Line:
    """A line that says how far it is, ten times a second at most."""

    def __init__(self, total: int | None) -> None:
        """Without a total it says how much is done."""
        self.total = total
        self._start = time.monotonic()
        self._next = self._start

    def show(self, done: int, note: Callable[[], str] = str) -> None:
        """`note` says what stands after the numbers."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + 0.1
        width = 20
        far = str(done)
        if self.total is not None:
            full = width * done // max(self.total, 1)
            far = f"[{'#' * full}{' ' * (width - full)}] {done}/{self.total}"
        sys.stderr.write(f"\r{far}{note()}, {now - self._start:.0f} s ")
        sys.stderr.flush()

    def end(self, done: int, note: Callable[[], str] = str) -> None:
        self._next = 0.0
        self.show(done, note)
        sys.stderr.write("\n")
