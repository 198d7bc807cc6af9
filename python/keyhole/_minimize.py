"""One call: minimises a cost that is only seen at the points that are played."""

from __future__ import annotations

import contextlib
import copy
import os
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _history
from ._keyhole import InvalidArgument, Learner, Play, Set, Space
from ._progress import Line, is_watched
from ._text import Bare, spec

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    import pandas
    from numpy.typing import ArrayLike, NDArray

    from ._algorithms import Algorithm
    from ._plots import Plots

__all__ = ["Result", "Seen", "minimize"]

#: Rounds if neither these nor seconds are given.
_ROUNDS = 10_000


class Seen(NamedTuple):
    """A play, and what it cost."""

    #: The point.
    x: NDArray[np.float64]
    #: The values by name; empty unless on a space.
    values: dict[str, Any]
    #: What it cost, or gave.
    loss: float


@dataclass(frozen=True)
class Result:
    """What minimize() has found."""

    #: The point to deploy.
    x: NDArray[np.float64]
    #: What to deploy, by name; empty unless on a space.
    values: dict[str, Any]
    #: What `x` cost when it was tried once, after the last round; nan if that was not reached.
    fun: float
    #: How often the cost was called.
    nfev: int
    #: The losses of the rounds, in order.
    losses: NDArray[np.float64]
    #: The play with the least loss (the most, if gains are told); None before the first. Where
    #: losses have noise it is a lucky one: deploy `x`.
    best: Seen | None
    #: Why it ended.
    message: str
    #: Whether Ctrl-C ended it.
    interrupted: bool
    #: How long it took.
    seconds: float
    #: The learner: it can go on.
    learner: Learner
    _plays: list[Play] = field(repr=False, default_factory=list)
    _start: NDArray[np.float64] | None = field(repr=False, default=None)

    @property
    def average(self) -> float:
        """The mean of the losses; nan before the first."""
        return self.learner.summary().average

    @property
    def success(self) -> bool:
        """Whether it ended as it was to: by its rounds, its time or its callback."""
        return not np.isnan(self.fun)

    def history(self) -> NDArray[Any]:
        """All plays, as a structured array: play, loss, point, values."""
        points = np.array([play.point for play in self._plays]).reshape(
            len(self._plays), self.learner.set.dimension)
        return _history.table(self.learner.space, [play.id for play in self._plays], self.losses,
                              points, [play.values for play in self._plays])

    def to_frame(self) -> pandas.DataFrame:
        """All plays as a frame of pandas, with a column for each value or coordinate."""
        return _history.frame(self.learner.space, self.history())

    @property
    def plots(self) -> Plots:
        """Figures of the plays: plots.history(), plots.slices(), plots.parallel()."""
        from ._plots import Plots

        return Plots(self.learner.space, self.history(), self.x, self._start,
                     self.learner.estimate)

    def __repr__(self) -> str:
        found = f"values={self.values!r}" if self.values else f"x={self.x!r}"
        ended = ", interrupted" if self.interrupted else ""
        return (f"Result({found}, fun={self.fun:.6g}, average={self.average:.6g}, "
                f"{len(self.losses)} rounds{ended})")


def minimize(
    cost: Callable[..., float | tuple[float, Mapping[str, Any]]],
    on: Set | Space | Learner,
    rounds: int | None = None,
    learner: str | Algorithm = "default",
    *,
    seed: int | None = 0,
    start: Mapping[str, Any] | ArrayLike | None = None,
    max_step: ArrayLike | None = None,
    maximize: bool = False,
    seconds: float | None = None,
    workers: int | Executor = 1,
    callback: Callable[[Play, float], object] | None = None,
    progress: bool | None = None,
) -> Result:
    """Plays, and returns what it has found.

    On a set it calls cost(x) with a point, on a space cost(**values). `on` may be a Learner, such
    as that of a Result: then it goes on. Ctrl-C ends it early: what is known by then is returned.
    If the cost raises, so does this: the exception has what is known by then as `result`.

    Parameters
    ----------
    cost : function
        Returns what a point, or values by name, cost: a number; on a space with limits a pair of
        it and a dict of metrics. It is called once a round, and once more at what is recommended.
    on : Set, Space or Learner
        What is played on.
    rounds : whole number
        How many plays; 10,000, or with `seconds` any number.
    learner : text or Algorithm
        The spec of the algorithm.
    seed : whole number or None
        Same seed, same digits. None draws one.
    start : values by name, or a point
        What you run today. Default: the centre.
    max_step : number, or one for each coordinate
        How far a play may be from the one before. Default: any way.
    maximize : bool
        Whether the numbers are gains.
    seconds : number
        No round begins later.
    workers : whole number or concurrent.futures.Executor
        How many costs are measured at once: in so many threads, or in an executor of yours.
        Losses are told in the order of the plays, so that the digits do not depend on the time.
    callback : function
        callback(play, loss) is called after each round. If what it returns is true, or it raises
        StopIteration, that is the last round.
    progress : bool
        Shows a line on the standard error; by default where that is a terminal or in a notebook.
    """
    if not callable(cost):
        raise TypeError(f"cost must be a function, not {cost!r}")
    most = _count("rounds", rounds)
    if most is None and seconds is None:
        most = _ROUNDS
    if isinstance(on, Learner):
        if learner != "default" or start is not None or max_step is not None or seed or maximize:
            raise InvalidArgument("a learner has its algorithm, seed, start, max_step and maximize "
                                  "already: leave them out")
        player = on
    else:
        player = Learner(on, _with_start(learner, on, start), seed=seed, max_step=max_step,
                         maximize=maximize)
    run = _Run(cost, player, most, seconds, callback)
    run.go(workers, is_watched() if progress is None else progress)
    return run.result()


class _Run:
    """One call of minimize()."""

    def __init__(self, cost: Callable[..., Any], player: Learner, most: int | None,
                 seconds: float | None, callback: Callable[[Play, float], object] | None) -> None:
        self.cost, self.player, self.most, self.callback = cost, player, most, callback
        self.by_name = player.space is not None
        self.start = player.recommend() if player.asked == 0 else None
        self.gains = "maximize=true" in player.spec
        self.plays: list[Play] = []
        self.losses: list[float] = []
        self.fun = float("nan")
        self.calls = 0
        self.message = "all rounds were played"
        self.interrupted = False
        self.began = time.monotonic()
        self.end = float("inf") if seconds is None else self.began + seconds
        self.pending: deque[tuple[Play, Callable[[], Any]]] = deque()

    def go(self, workers: int | Executor, watched: bool) -> None:
        """Plays until it is to end."""
        from concurrent.futures import Executor, ThreadPoolExecutor

        line = Line(self.most) if watched else None
        own = None
        try:
            if isinstance(workers, Executor):
                executor: Executor | None = workers
                slots = getattr(workers, "_max_workers", None) or os.cpu_count() or 1
            else:
                slots = _count("workers", workers) or 0
                if slots == 0:
                    raise InvalidArgument("workers must be 1 or more, or an executor, not 0")
                executor = own = ThreadPoolExecutor(slots) if slots > 1 else None
            self._play(slots, executor, line)
            if self.losses:
                values, x = self.player.recommend_values(), self.player.recommend()
                self.fun = _loss(self._begin(executor, x, values)())[0]
        except KeyboardInterrupt:
            self.interrupted = True
            self.message = "Ctrl-C ended it"
        except Exception as error:
            self.message = f"{type(error).__name__}: {error}"
            with contextlib.suppress(Exception):
                error.result = self.result()  # type: ignore[attr-defined]
                getattr(error, "add_note", str)(  # from Python 3.11 on
                    f"minimize() has {len(self.losses)} losses: the exception has them as `result`")
            raise
        finally:
            for _, answer in self.pending:
                if isinstance(answer, _Answer):
                    answer.future.cancel()
            if own is not None:
                own.shutdown(wait=False)
            if line is not None:
                line.end(len(self.losses), self._recent)

    def _play(self, slots: int, executor: Executor | None, line: Line | None) -> None:
        asked = 0
        while True:
            while len(self.pending) < slots and asked != self.most:
                if time.monotonic() >= self.end:
                    self.message = "the time was over"
                    break
                play = self.player.ask()
                asked += 1
                self.pending.append((play, self._begin(executor, play.point, play.values)))
            if not self.pending:
                return
            play, answer = self.pending.popleft()
            loss, metrics = _loss(answer())
            self.player.tell(play, loss, metrics=metrics)
            self.plays.append(play)
            self.losses.append(loss)
            if line is not None:
                line.show(len(self.losses), self._recent)
            if self.callback is not None and _is_last(self.callback, play, loss):
                self.message = "the callback ended it"
                return

    def _begin(self, executor: Executor | None, x: Any, values: dict[str, Any]) -> Any:
        """What gives the cost when it is called; an executor begins at once. A cost may write into
        what it is given: it gets a copy."""
        self.calls += 1
        given = copy.deepcopy(values if self.by_name else x)
        call = partial(self.cost, **given) if self.by_name else partial(self.cost, given)
        return call if executor is None else _Answer(executor.submit(call))

    def _recent(self) -> str:
        latest = self.losses[-1000:]
        return f", mean loss {sum(latest) / len(latest):.4g}" if latest else ""

    def result(self) -> Result:
        """What is known now."""
        losses = np.array(self.losses)
        best = None
        if self.losses:
            place = int(losses.argmax() if self.gains else losses.argmin())
            play = self.plays[place]
            best = Seen(play.point, play.values, self.losses[place])
        return Result(self.player.recommend(), self.player.recommend_values(), self.fun, self.calls,
                      losses, best, self.message, self.interrupted,
                      time.monotonic() - self.began, self.player, self.plays, self.start)


class _Answer:
    """What an executor is at."""

    def __init__(self, future: Future[Any]) -> None:
        self.future = future

    def __call__(self) -> Any:
        return self.future.result()


def _is_last(callback: Callable[[Play, float], object], play: Play, loss: float) -> bool:
    try:
        return bool(callback(play, loss))
    except StopIteration:
        return True


def _with_start(learner: str | Algorithm, on: Set | Space,
                start: Mapping[str, Any] | ArrayLike | None) -> str | Algorithm:
    """The learner with its start, as a study has it."""
    if start is None:
        return learner
    if not isinstance(learner, str):
        raise InvalidArgument("an Algorithm of your own has a start of its own: leave start out")
    if isinstance(start, Mapping):
        if not isinstance(on, Space):
            raise InvalidArgument("a start by name needs a space: give a point")
        point = on.point(start)
    else:
        point = np.asarray(start, dtype=float)
    text = spec("", start=point.tolist())[1:-1]
    if learner == "default":
        return Bare(f"posterior({text})")
    if not learner.endswith(")"):
        return f"{learner}({text})"
    return learner[:-1] + ("" if learner.endswith("()") else ", ") + text + ")"


def _count(name: str, given: Any) -> int | None:
    if given is None:
        return None
    if not hasattr(given, "__index__") or given.__index__() < 0:
        raise InvalidArgument(f"{name} must be a whole number, 0 or more, not {given!r}")
    return int(given.__index__())


def _loss(given: Any) -> tuple[float, Mapping[str, Any] | None]:
    """The loss, and the metrics if it has any."""
    loss, metrics = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
    try:
        return float(loss), metrics
    except (TypeError, ValueError):
        raise TypeError(f"the cost must return a number, not {loss!r}") from None
