"""One call: minimises a cost that is only seen at the points that are played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._keyhole import Learner, Set, Space
from ._progress import Line, is_watched

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ._algorithms import Algorithm

__all__ = ["Result", "minimize"]


@dataclass(frozen=True)
class Result:
    """What minimize() has found."""

    #: The point to deploy.
    x: NDArray[np.float64]
    #: What to deploy, by name; empty unless on a space.
    values: dict[str, Any]
    #: The losses of the rounds, in order.
    losses: NDArray[np.float64]
    #: Whether Ctrl-C ended it.
    interrupted: bool
    #: The learner: it can go on.
    learner: Learner

    @property
    def average(self) -> float:
        """The mean of the losses; nan before the first."""
        return self.learner.summary().average

    def __repr__(self) -> str:
        found = f"values={self.values!r}" if self.values else f"x={self.x!r}"
        ended = ", interrupted" if self.interrupted else ""
        return f"Result({found}, average={self.average:.6g}, {len(self.losses)} rounds{ended})"


def minimize(
    cost: Callable[..., float],
    on: Set | Space,
    rounds: int = 10_000,
    learner: str | Algorithm = "default",
    *,
    seed: int = 0,
    max_step: ArrayLike | None = None,
    maximize: bool = False,
    progress: bool | None = None,
) -> Result:
    """Plays so many rounds, and returns what it has found.

    On a set it calls cost(x) with a point, on a space cost(**values). Ctrl-C ends it early: what is
    known by then is returned. `progress` shows a line on the standard error; by default where that
    is a terminal or in a notebook. With `maximize` the numbers are gains.
    """
    player = Learner(on, learner, seed=seed, max_step=max_step, maximize=maximize)
    by_name = isinstance(on, Space)
    losses = np.empty(rounds)
    line = Line(rounds) if (is_watched() if progress is None else progress) else None
    done = 0
    interrupted = False

    def recent() -> str:
        return f", mean loss {losses[max(0, done - 1000):done].mean():.4g}" if done else ""

    try:
        while done < rounds:
            play = player.ask()
            loss = float(cost(**play.values) if by_name else cost(play.point))
            player.tell(play, loss)
            losses[done] = loss
            done += 1
            if line is not None:
                line.show(done, recent)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if line is not None:
            line.end(done, recent)
    return Result(player.recommend(), player.recommend_values(), losses[:done], interrupted, player)
