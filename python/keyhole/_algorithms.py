"""Algorithms of your own, for a Learner."""

from __future__ import annotations

import io
import pickle
from typing import TYPE_CHECKING, Any

from ._keyhole import Randomness, Set

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Algorithm"]


class Algorithm:
    """One bandit algorithm on one set: derive from it, and give it to a Learner.

    The calls of ask number t: advance(), from the second ask on; absorb() of the losses told since
    the ask before, in order of their plays; play(). Everything random comes from `random`, as pure
    functions of the number of a play, so that a direction can be drawn again when its loss arrives.
    kh.testing.check_algorithm() tells whether the contract is kept.
    """

    #: In specs and states: put what distinguishes it into it.
    name = "own_algorithm"

    def __init__(self, set: Set) -> None:
        self.set = set

    def play(self, t: int, random: Randomness) -> ArrayLike:
        """The point of round t, in the set."""
        raise NotImplementedError

    def absorb(self, s: int, loss: float, random: Randomness) -> None:
        """Learns the loss of round s."""
        raise NotImplementedError

    def advance(self) -> None:
        """Makes the step from the round played last to the next."""

    def recommend(self) -> NDArray[np.float64]:
        """The point to deploy, without exploration."""
        raise NotImplementedError

    def state(self) -> bytes:
        """All that shapes what follows. By default all attributes but the set, pickled."""
        fields: dict[str, Any] = {k: v for k, v in sorted(vars(self).items()) if k != "set"}
        buffer = io.BytesIO()
        pickler = pickle.Pickler(buffer, protocol=4)
        pickler.fast = True  # equal values have equal bytes, whether or not they are one object
        pickler.dump(fields)
        return buffer.getvalue()

    def restore(self, state: bytes) -> None:
        """Goes on from a state. By default it unpickles: restore only states that you trust."""
        vars(self).update(pickle.loads(state))

    def __str__(self) -> str:
        return self.name
