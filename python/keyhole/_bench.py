"""Optimisers of others next to the learners of a suite."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ._algorithms import Algorithm
from ._catalogue import Catalogue
from ._experiments import Experiment
from ._keyhole import InvalidArgument, Set

if TYPE_CHECKING:
    import os

    from numpy.typing import ArrayLike, NDArray

    from ._keyhole import Randomness
    from ._results import Results

    class Optimiser(Protocol):
        """What asks and tells."""

        def ask(self) -> ArrayLike: ...
        def tell(self, point: NDArray[np.float64], loss: float) -> Any: ...

__all__ = ["Task", "bench"]


@dataclass(frozen=True, eq=False)
class Task:
    """What an optimiser is made for: one run on one problem.

    `set` is played on. `low` and `high` are the box about it, and `start` is its centre. The run
    has so many `rounds`. Its `seed` is another one for each set and repeat.
    """

    #: The points that may be played.
    set: Set
    #: The least value of each coordinate in the set.
    low: NDArray[np.float64]
    #: The largest.
    high: NDArray[np.float64]
    #: The centre of the set.
    start: NDArray[np.float64]
    #: How many rounds the run has.
    rounds: int
    #: Another one for each set and repeat.
    seed: int


def bench(suite: str | os.PathLike[str], optimisers: Mapping[str, Callable[[Task], Optimiser]],
          directory: str | os.PathLike[str] | None = None, *, timing: float = 0.3,
          progress: bool | None = None, catalogue: Catalogue | None = None) -> Results:
    """Plays optimisers of yours next to the learners of a suite: a file or a text in TOML.

    Each is made for a Task, anew for each run, and on each problem once more to measure its time
    and, with `slowest`, to try it. Its ask() gives a point of as many numbers as the
    set has. Of a point that is not in the set the nearest is played; where the set cannot project,
    the last one in it on the way from the centre. tell(point, loss) has the point that was played.
    Without a recommend() it recommends the point of the least loss. The suite may name sets and
    problems of a `catalogue`. `directory`, `timing` and `progress` are those of Experiment.run.
    After a change of an optimiser take another directory.
    """
    catalogue = Catalogue() if catalogue is None else catalogue._copy()
    learners = []
    for name, make in optimisers.items():
        if not callable(make):
            raise TypeError(f"{name}: what makes an optimiser must be a class or a function, not "
                            f"{type(make).__name__}")
        spec = "own_" + re.sub("[^A-Za-z0-9]", lambda found: f"_{ord(found[0])}_", name)
        catalogue.add_algorithm(spec, _adapted(make))
        learners.append({"name": name, "spec": spec})
    experiment = Experiment.from_toml(suite, learners=learners, catalogue=catalogue)
    return experiment.run(directory, timing=timing, progress=progress)


def _adapted(make: Callable[[Task], Optimiser]) -> Callable[..., Algorithm]:
    def adapted(set: Set, horizon: int = 1) -> Algorithm:
        return _Asked(set, make, horizon)

    adapted.__doc__ = make.__doc__
    return adapted


class _Asked(Algorithm):
    """An optimiser as an algorithm."""

    def __init__(self, set: Set, make: Callable[[Task], Optimiser], rounds: int) -> None:
        super().__init__(set)
        self.make = make
        self.rounds = rounds
        self.optimiser: Optimiser | None = None  # until the first play
        self.played: dict[int, NDArray[np.float64]] = {}
        self.least = np.inf
        self.best = set.geometry.centre

    def play(self, t: int, random: Randomness) -> NDArray[np.float64]:
        if self.optimiser is None:
            self.optimiser = self.make(_task(self.set, self.rounds, random))
        self.played[t] = _inside(self.set, _point(self.set, self.optimiser.ask()))
        return self.played[t].copy()

    def absorb(self, s: int, loss: float, random: Randomness) -> None:
        assert self.optimiser is not None
        point = self.played.pop(s)
        if loss < self.least:
            self.least, self.best = loss, point.copy()
        self.optimiser.tell(point, loss)

    def recommend(self) -> NDArray[np.float64]:
        recommend = getattr(self.optimiser, "recommend", None)
        if recommend is None or np.isinf(self.least):  # nothing was told yet
            return self.best
        return _inside(self.set, _point(self.set, recommend()))

    def state(self) -> bytes:
        return b""


def _task(set: Set, rounds: int, random: Randomness) -> Task:
    towards = np.eye(set.dimension)
    low = np.array([set.minimise(row)[i] for i, row in enumerate(towards)])
    high = np.array([set.minimise(-row)[i] for i, row in enumerate(towards)])
    drawn = random.normals(1, 1).tobytes() + set.spec.encode()
    seed = int.from_bytes(hashlib.sha256(drawn).digest()[:4], "little") % 2**31
    return Task(set, low, high, set.geometry.centre, rounds, seed)


def _point(set: Set, given: ArrayLike) -> NDArray[np.float64]:
    """A copy: the optimiser's own may change."""
    point = np.array(given)
    if point.shape != (set.dimension,) or not np.can_cast(point.dtype, float, "same_kind"):
        raise InvalidArgument(f"a point must be {set.dimension} numbers, not {given!r}")
    return point.astype(float)


def _inside(set: Set, point: NDArray[np.float64]) -> NDArray[np.float64]:
    if point in set:
        return point
    if set.can_project:
        return set.project(point)
    centre = set.geometry.centre
    way = set.flatten(point - centre)
    # No point of the set is farther.
    way *= min(1.0, set.geometry.outer_radius / (np.linalg.norm(way) or 1.0))
    inside, outside = 0.0, 1.0
    for _ in range(53):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if centre + middle * way in set else (inside, middle)
    return centre + inside * way
