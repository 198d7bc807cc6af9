"""Base polytopes of submodular functions of your own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._keyhole import Set, own_set

if TYPE_CHECKING:
    from collections.abc import Callable


class _Greedy:
    """Edmonds' greedy method: elements by rising direction, each with what it adds."""

    def __init__(self, size: int, value: Callable[[list[int]], float]) -> None:
        self.size = size
        self.value = value

    def __call__(self, direction: Any) -> Any:
        point = np.empty(self.size)
        taken: list[int] = []
        before = 0.0
        for element in np.argsort(direction, kind="stable").tolist():
            taken.append(element)
            now = float(self.value(taken))
            point[element] = now - before
            before = now
        return point


def submodular_bases(size: int, value: Callable[[list[int]], float],
                     name: str = "submodular_bases") -> Set:
    """The base polytope of a submodular function of your own, as an own_set().

    {x : x(S) <= value(S) for every set S of the elements 0, ..., size - 1, x(all) = value(all)}.
    value(S) gets a list of different elements. It must be 0 for none, and submodular: the larger a
    set, the less an element adds to it. testing.check_set() finds out whether it is. A spec of
    `coverage_bases` or `cut_bases` is quicker where it fits. `name` is what it is called in specs.
    """
    if (nothing := float(value([]))) != 0:
        raise ValueError(f"a submodular function must be 0 for the empty set, not {nothing}")
    return own_set(size, _Greedy(size, value), name=name)
