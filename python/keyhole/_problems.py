"""Problems of your own, for an Experiment."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ._keyhole import Randomness, Set

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Problem"]


class Problem:
    """Losses f_1, f_2, ..., convex on a set: derive from it, and add it to a Catalogue.

    draw(t, random) makes f_t the current loss, and value(x) and gradient(x) serve it to all players.
    Everything random comes from `random`, so that f_t is the same whenever it is drawn: hindsight
    draws all rounds again to find the best fixed point, unless there is a total().
    """

    #: In results: put what distinguishes it into it.
    name = "own_problem"
    #: How many rounds there are; None for any number.
    rounds: int | None = None
    #: How often the best fixed point is chosen again, in rounds; None for never.
    segment: int | None = None
    #: M: no loss has a larger magnitude on the set.
    loss_bound = math.inf
    #: G: no gradient is longer on the set.
    gradient_bound = math.inf
    #: Whether these bounds hold for certain.
    bounds_proven = False

    def __init__(self, set: Set) -> None:
        self.set = set

    def draw(self, t: int, random: Randomness) -> None:
        """Makes f_t the current loss, in any order of the rounds.

        What is drawn for all rounds together comes from the numbers of round 0.
        """
        raise NotImplementedError

    def value(self, x: NDArray[Any]) -> float:
        """f_t(x)."""
        raise NotImplementedError

    def gradient(self, x: NDArray[Any]) -> ArrayLike | None:
        """A (sub)gradient of f_t at x. None: differences of values inside the set stand in."""
        return None

    def total(self) -> Any:
        """An empty sum of losses with add(), which adds the current one, value(x) and gradient(x).

        None: the losses are drawn again whenever the sum is asked for, which takes much longer.
        """
        return None
