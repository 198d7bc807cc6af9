"""Studies: learners that live in a folder, for any number of threads and processes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np

from . import _history
from ._keyhole import (
    FeedbackError, Fixed, InvalidArgument, Learner, Play, Plays, Set, Shares, Space, Status, Summary,
    _counts, _Store, _Study,
)

if TYPE_CHECKING:
    from types import TracebackType

    import matplotlib.axes
    import pandas
    from numpy.typing import ArrayLike, NDArray

    from ._plots import Plots
    from ._service import Service

    Receipt = Literal["fresh", "repeated", "expired", "late"]
    Durability = Literal["disk", "process"]
    Facts = Literal["points", "witness"]
    Outside = Literal["refuse", "project", "skip"]
    Folder = str | os.PathLike[str]
    Ids = NDArray[np.integer[Any]]
    Known = Mapping[str, Any]
    Measured = Mapping[str, Any]
    Told = (tuple[Play | int, float] | tuple[Play | int, float, float]
            | tuple[Play | int, float | None, float, Measured | None])

__all__ = [
    "DeletedStudy", "FoundStudy", "FrontPoint", "Label", "PastReceipt", "Store", "StoreCopy",
    "Study", "StudyChange", "create", "open",
]


class PastReceipt(NamedTuple):
    """What became of losses of the past."""

    #: How many were learned.
    learned: int
    #: How many of these at the nearest point.
    projected: int
    #: How many were left out.
    skipped: int


class FrontPoint(NamedTuple):
    """A point of the front of the loss and a metric, and what is believed of it."""

    #: What it stands for, by name.
    values: dict[str, Any]
    #: The point, in the set.
    point: NDArray[np.float64]
    #: What a round costs there, as losses are told.
    loss: float
    #: The standard deviation of that.
    loss_error: float
    #: What the metric is there.
    metric: float
    #: The standard deviation of that.
    metric_error: float


class Label(NamedTuple):
    """What people write on a study."""

    #: Any text.
    note: str
    #: Words by which it is found, such as "prod" or "team:search".
    tags: list[str]


class FoundStudy(NamedTuple):
    """A study that was found, and what is written on it."""

    #: Its name.
    name: str
    #: Any text.
    note: str
    #: Words by which it is found.
    tags: list[str]


class StudyChange(NamedTuple):
    """Where a study was changed, and what became of its losses so far."""

    #: The latest play before.
    after: int
    #: How many losses the new learner was taught.
    learned: int
    #: How many the new space had no room for.
    dropped: int


class DeletedStudy(NamedTuple):
    """A study that is deleted and can be brought back."""

    #: Its name.
    name: str
    #: Until when.
    until: datetime


class StoreCopy(NamedTuple):
    """What became of the studies of a store that was copied."""

    #: How many were copied.
    copied: int
    #: How many were there already, as far as here or farther.
    there: int
    #: Why the others were not copied, a sentence each.
    failures: list[str]


class Store:
    """Studies in a folder, by name. Any number of processes may have the same folder.

    Instead of a folder it may be a database of PostgreSQL: "postgresql://me@host/database".
    With durability "disk" a step survives a power cut, with "process" the end of the process only,
    and is many times faster. Folders on network file systems need `allow_network`. A call waits at
    most `wait` seconds for others who hold a study, and then raises an Error of code "busy".
    """

    def __init__(self, folder: Folder, *, durability: Durability = "disk",
                 allow_network: bool = False, wait: float = 10.0) -> None:
        self._arguments = (os.fspath(folder), durability, allow_network, wait)
        self._store = _Store(*self._arguments)

    @classmethod
    def in_memory(cls, *, wait: float = 10.0) -> Store:
        """A new store in memory, for tests: it ends with the process.

        Its studies do all that those of a folder do. Other processes do not have them: it cannot be
        pickled, and a forked child has studies of its own from then on.
        """
        store = cls.__new__(cls)
        store._arguments = ("", "process", False, wait)
        store._store = _Store.in_memory(wait)
        return store

    @property
    def folder(self) -> str:
        """Where the studies are; empty for a store in memory."""
        return self._arguments[0]

    def create(self, name: str, on: Set | Space | str, learner: str = "default", *, seed: int = 0,
               stream: int = 0, window: int = 4096, expiry: int | None = None,
               max_step: ArrayLike | None = None, maximize: bool = False,
               start: dict[str, Any] | None = None, facts: Facts = "points") -> Study:
        """A new study, or the one of that name if it has the same description.

        Parameters
        ----------
        name : text
            What it is called in its store.
        on : Set, Space or text
            What is played on; a text is the spec of a set.
        learner : text
            The spec of an algorithm.
        seed : whole number
            Same seed, same digits.
        stream : whole number
            Another stream of the same seed, for those who share one.
        window : whole number
            How many of the latest plays can still be told.
        expiry : whole number or None
            How many of them are waited for: an older one counts as missing. Default: the window.
        max_step : number, or one for each coordinate
            How far a play may be from the one before. Default: any way.
        maximize : bool
            Whether the numbers told are gains.
        start : values by name
            What you run today, for a study on a space. Default: the centre.
        facts : "points" or "witness"
            What the log keeps of each point: the point, or 32 bits.
        """
        options = {"seed": seed, "stream": stream, "window": window, "expiry": expiry,
                   "max_step": max_step, "maximize": maximize}
        played_on: Space | str = on if isinstance(on, Space) else (
            on._text if isinstance(on, Set) else _require_text(on))
        arrays = on._arrays if isinstance(on, Set) else {}
        return Study(self, name, self._store.create(name, played_on, learner, options, start,
                                                    facts, arrays))

    def open(self, name: str) -> Study:
        """The study of a name."""
        return Study(self, name, self._store.open(name))

    def delete(self, name: str, *, keep: float = 0.0) -> None:
        """Deletes a study and all that was learned. For `keep` seconds it can be brought back."""
        self._store.remove(name, keep)

    def undelete(self, name: str) -> Study:
        """Brings back the study of that name that was deleted last, with all that was learned."""
        self._store.undelete(name)
        return self.open(name)

    def deleted(self) -> list[DeletedStudy]:
        """What can be brought back, in the order of the names; of one name, the latest first."""
        return [DeletedStudy(name, datetime.fromtimestamp(until, timezone.utc))
                for name, until in self._store.deleted()]

    def verify(self, name: str) -> dict[str, int]:
        """Reads the whole log of a study and plays it again: frames, bytes, torn, state_hash."""
        return self._store.verify(name)

    def renew(self, name: str, *, dry_run: bool = False) -> str:
        """Lets a study go on that another version has made.

        Returns what it goes on with: "what was learned", "recommendation", "nothing", or "not
        needed". With `dry_run` it says so, and changes nothing.
        """
        return self._store.renew(name, dry_run)

    def change(self, name: str, space: Space, start: dict[str, Any] | None = None) -> StudyChange:
        """Lets a study go on on another space: other bounds, a parameter more or less, another rule.

        A new learner is taught all losses so far that there is room for. The numbers of the plays
        go on. `start` is what you run today; without it the start of before, as far as its
        parameters are left. It must have each parameter that is new. A study that is so already
        stays as it is. Open a study again after it was changed.
        """
        return StudyChange(*self._store.change(name, space, start))

    def copy(self, name: str, to: Store | Service) -> None:
        """Copies a study to another store or to a service, byte for byte.

        To a service it may be made again, and then sends what has come since.
        """
        if isinstance(to, Store):
            self._store.copy(name, to._store)
        else:
            self._store.copy_to_service(name, to.url, to._token or "", to._ca or "", to._patience)

    def copy_all(self, to: Store) -> StoreCopy:
        """Copies all studies `to` another store, and those of tenants, each as it is at one moment.

        A study that is there with an earlier part of the same log is replaced, one that is there
        with another log is left alone.
        """
        return StoreCopy(*self._store.copy_all(to._store))

    def find(self, text: str = "", *, tag: str = "", prefix: str = "") -> list[FoundStudy]:
        """The studies that fit, in the order of their names: see Study.label().

        `text` stands in the name or in the note, in small or capital letters; `tag` is one of the
        tags; `prefix` is how the name begins. What is empty fits every study.
        """
        return [FoundStudy(*found) for found in self._store.find(text, tag, prefix)]

    def _label(self, name: str) -> Label:
        return Label(*self._store.label(name))

    def _set_label(self, name: str, label: Label) -> None:
        self._store.set_label(name, label.note, label.tags)

    def __iter__(self) -> Iterator[str]:
        return iter(self._store.list())

    def __len__(self) -> int:
        return len(self._store.list())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._store.has(name)

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.folder:
            raise TypeError("a store in memory cannot be pickled: other processes do not have it")
        return _store_again, self._arguments

    def __repr__(self) -> str:
        return f"Store({self.folder!r})" if self.folder else "Store.in_memory()"


def _store_again(folder: str, durability: Durability, allow_network: bool,
                 wait: float) -> Store:
    return Store(folder, durability=durability, allow_network=allow_network, wait=wait)


class Study:
    """A learner that lives in a store: killed at any moment, it goes on bit for bit.

    An ask is in the log before it is answered, and a tell before it is acknowledged. What raises is
    not in the log and changes nothing. A forked child may go on with the study of its parent, and a
    pickled study is the same study.
    """

    _left_behind: list[_Study] = []

    def __init__(self, store: Store, name: str, study: _Study) -> None:
        """Use create() or open()."""
        self.store = store
        self.name = name
        self._study = study
        self._process = os.getpid()

    @property
    def _live(self) -> _Study:
        if self._process != os.getpid():
            # A thread that is not here may have held its lock when the process was forked.
            self._left_behind.append(self._study)
            self._study = self.store._store.open(self.name)
            self._process = os.getpid()
        return self._study

    @property
    def _home(self) -> Store | Service:
        return self.store

    @property
    def place(self) -> str:
        """Where it lives: the folder of its store, "memory", or the url of its service."""
        return self.store.folder or "memory"

    def label(self, note: str | None = None, tags: str | Iterable[str] | None = None) -> Label:
        """What is written on it, for people and for Store.find(). Nothing is learned from it.

        A note or tags that are given take the place of what was there:
        study.label("with the new index", tags=["prod", "team:search"]).
        """
        label = self._home._label(self.name)
        if note is None and tags is None:
            return label
        given = label.tags if tags is None else [tags] if isinstance(tags, str) else list(tags)
        self._home._set_label(self.name, Label(label.note if note is None else note, given))
        return self._home._label(self.name)

    @property
    def learner(self) -> str:
        """The spec of its algorithm, as it was given."""
        return self._study.learner

    @property
    def space(self) -> Space | None:
        """The space that is played on; None for a set."""
        on = self._study.on
        return on if isinstance(on, Space) else None

    @property
    def set(self) -> Set:
        """The set that is played on."""
        on = self._study.on
        return on.set if isinstance(on, Space) else Set(on)

    @overload
    def ask(self, count: None = None, *, worker: str = "", context: Known | None = None,
            **known: Any) -> Play: ...
    @overload
    def ask(self, count: int, *, context: Known | None = None, **known: Any) -> Plays: ...
    def ask(self, count: int | None = None, *, worker: str = "", context: Known | None = None,
            **known: Any) -> Play | Plays:
        """The next play, or `count` of them as one unit.

        A worker that gives its name gets the play again that it has not told yet, so it may ask
        again after a crash.

        What is known is given by the names of the contexts of the space: ask(load=812), or
        ask(context={"load": 812}). What is None is not known. What is left out is not known either,
        but for a clock, which is looked at. A worker that gets its play again gets it with the context that it was made for.
        """
        if count is not None:
            return self._live.ask_many(count, _known(context, known))
        return self._live.step([], 1, worker, _known(context, known))[1][0]

    @overload
    def tell(self, play: Play | int, loss: float, *, count: float | None = None,
             error: float | None = None, metrics: Measured | None = None,
             **measured: float | None) -> Receipt: ...
    @overload
    def tell(self, play: Plays | list[int] | Ids, loss: ArrayLike, *,
             count: ArrayLike | None = None, error: ArrayLike | None = None,
             metrics: Measured | None = None, **measured: ArrayLike) -> list[Receipt]: ...
    def tell(self, play: Any, loss: Any, *, count: Any = None, error: Any = None,
             metrics: Measured | None = None, **measured: Any) -> Any:
        """Tells the loss of a play, or the losses of many as one unit.

        `count` is how many measurements a loss is the mean of, or `error` its standard error, for
        all or one each. Learners that cannot be taught refuse it.

        What was `measured` besides is given by the names of the limits of the space: tell(play,
        0.4, p99=183), or tell(play, 0.4, metrics={"p99": 183}); of many plays an array each. What
        is left out, None or nan was not measured.
        """
        ids = play.ids if isinstance(play, Plays) else play
        if isinstance(play, Play) or np.ndim(ids) == 0:
            return self.step([(play, loss, _counts(count, error, 1, None)[0],
                               _known(metrics, measured))], asks=0)[0][0]
        losses = np.asarray(loss, dtype=float)
        if losses.shape != (len(ids),):
            raise InvalidArgument(f"there must be one loss for each of the {len(ids)} plays")
        counts = _counts(count, error, len(ids), None)
        rows = _rows_of(_known(metrics, measured), len(ids))
        return self.step(zip(ids, losses.tolist(), counts, rows), asks=0)[0]

    def measure(self, play: Play | int | Plays | list[int] | Ids,
                metrics: Measured | None = None, **measured: Any) -> None:
        """Tells `metrics` of a play, or of many as one unit, without the loss.

        They are `measured` before it, after it or in its place, and given as in tell().
        """
        ids: Any = play.ids if isinstance(play, Plays) else play
        told = _known(metrics, measured)
        one = isinstance(play, Play) or np.ndim(ids) == 0
        rows = [(ids, told)] if one else zip(ids, _rows_of(told, len(ids)))
        self.step([(each, None, 1.0, row) for each, row in rows], asks=0)

    def step(self, tells: Iterable[Told], asks: int = 1, *, worker: str = "",
             context: Known | None = None,
             **known: Any) -> tuple[list[Receipt], list[Play]]:
        """Tells and asks as one unit: all of it is in the log, or nothing.

        Each of `tells` is a play and its loss, and perhaps its count, and its metrics as a dict; with
        metrics the loss may be None. A `worker` that gives its name gets the play again that it has
        not told yet. What is `known` is given as in ask(), by name or as a `context`.
        """
        return self._live.step([_told(*told) for told in tells], asks, worker,
                               _known(context, known))

    def learn(self, values: Any, loss: ArrayLike, *, count: ArrayLike | None = None,
              error: ArrayLike | None = None, half_life: float | None = None,
              outside: Outside = "refuse", id: str = "",
              context: Known | list[Known] | None = None,
              metrics: Measured | None = None) -> PastReceipt:
        """Learns losses of points that were not asked for, as one unit: all of them or none.

        `values` are those of one point by name, or a list of such dicts, or a frame of pandas with
        a column for each name; on a set a point, or an array with a row for each. `loss` is what
        each cost. `count` and `error` are those of tell(). Each `half_life` of later losses halves what one counts. With
        `outside` "project" the nearest point is taken for one outside the set, with "skip" it is
        left out. `context` is what was known then, for all of them or one each; a frame may have
        columns for it. `metrics` are those of tell(), an array each for many points, or columns of
        a frame; with them a loss may be nan, for one that was not measured.

        What is learned twice counts twice, unless it has an `id`: what was learned
        by the same one before is not learned again.
        """
        where = _places(self.space, values)
        losses = np.atleast_1d(np.asarray(loss, dtype=float))
        if losses.shape != (len(where),):
            raise InvalidArgument(f"there must be one loss for each of the {len(where)} points")
        counts = _counts(count, error, len(where), half_life)
        contexts = _contexts(self.space, values, context, len(where))
        measured = _metrics(self.space, values, metrics, len(where))
        return self._learn(where, losses.tolist(), counts, outside, id, contexts, measured)

    def _learn(self, where: list[Any], losses: list[float], counts: list[float],
               outside: Outside, id: str, contexts: list[Known | None],
               metrics: list[Measured]) -> PastReceipt:
        return PastReceipt(*self._live.learn(where, losses, counts, outside, id, contexts,
                                             metrics))

    @property
    def past(self) -> int:
        """How many losses of points that were not asked for it has learned."""
        return self._live.past()

    @property
    def changed(self) -> StudyChange | None:
        """Where it was last changed (Store.change()), if it was."""
        change = self._live.changed()
        return None if change is None else StudyChange(*change)

    def explore(self, on: bool) -> None:
        """Switches exploring off or on for all who ask; the log keeps it.

        While it is off, plays are what is recommended, and what they cost is not learned from.
        """
        self._live.explore(on)

    def prove(self, share: float = 0.1) -> None:
        """Has a coin make that share of the plays at the start; the log keeps it.

        `status().proof` says how much better the others are, whenever you look. With 0 there is no
        coin.
        """
        self._live.prove(share)

    @property
    def explores(self) -> bool:
        """Whether exploring is on."""
        return self._live.explores()

    def recommend(self, *, context: Known | None = None, **known: Any) -> NDArray[np.float64]:
        """The point to deploy where that `context` is `known`, as ask() takes it.

        No clock is looked at. `status().proof` says what a coin has proven.
        """
        return self._live.recommend(_known(context, known))

    def recommend_values(self, *, context: Known | None = None, **known: Any) -> dict[str, Any]:
        """What to deploy, by name, where that `context` is `known`; empty for a study on a set."""
        return self._live.recommend_values(_known(context, known))

    def front(self, metric: str = "") -> list[FrontPoint]:
        """What can be had of the `metric` of a limit, and what it costs.

        From the best metric to the least loss, as the models believe; empty before enough is known.
        The limits of the other metrics hold. The only metric needs no name.
        """
        return [FrontPoint(*at) for at in self._live.front(metric)]

    def estimate(self, values: Any, *, context: Known | None = None,
                 **known: Any) -> NDArray[Any]:
        """What a round is believed to cost at `values`, where that `context` is `known`.

        `values` are those of learn(): of one point, or of many. A structured array has a row for
        each: loss, loss_error, excess above what is recommended, excess_error. The errors are
        standard deviations; nan where nothing is believed. The belief is good where plays were
        made, which is near what is recommended.
        """
        return self._estimate(_places(self.space, values), _known(context, known))

    def _estimate(self, where: list[Any], known: Known) -> NDArray[Any]:
        points = [at if self.space is None or not isinstance(at, dict) else self.space.point(at)
                  for at in where]
        return self._live.estimate(points, known)

    @property
    def clipped(self) -> int:
        """How many numbers of contexts were far outside their ranges, and names never listed.

        A nearer number was taken, and all such names for one.
        """
        return self._live.clipped()

    def summary(self) -> Summary:
        """Counts and the average loss."""
        return self._live.summary()

    def needs_renewal(self) -> bool:
        """Whether another version made it: then it cannot be asked or told; see Store.renew()."""
        return self._live.needs_renewal()

    def status(self) -> Status:
        """What the learner is doing now."""
        return self._live.status()

    @property
    def state(self) -> bytes:
        """The state of the learner."""
        return self._live.state()

    def history(self) -> NDArray[Any]:
        """All plays, as a structured array: play, worker, loss, point, values, context, metrics.

        The loss is nan where none was told. `values` has a field for each parameter of the space,
        `context` one for each context, if there are any: nan or empty where it was not known.
        `metrics` has one for each limit, if there are any: nan where it was not told. A study that
        was changed has its earlier plays as well, with the values that they had: nan or empty for
        parameters that came later, and points of nan.
        """
        plays, workers, losses, metrics = self.store._store.history(self.name, self._live)
        return _history.table(self.space, plays.ids, losses, plays.points, plays.values, workers,
                              plays.contexts, metrics)

    def to_frame(self) -> pandas.DataFrame:
        """All plays as a frame of pandas, with a column for each value or coordinate.

        A parameter, context or metric named play, worker or loss has the column "value.play" and so
        on.
        """
        return _history.frame(self.space, self.history())

    def plot(self, ax: matplotlib.axes.Axes | None = None, *,
             recent: int = 100) -> matplotlib.axes.Axes:
        """Draws the losses, and the mean of the `recent` latest, into `ax` of matplotlib.

        Without `ax` it makes a figure. `plots` has more.
        """
        from . import _plots

        if ax is None:
            import matplotlib.pyplot

            ax = matplotlib.pyplot.figure().add_subplot()
        plays = self.history()
        _plots.draw_history(ax, plays[~np.isnan(plays["loss"])], recent)
        ax.legend()
        return ax

    @property
    def plots(self) -> Plots:
        """Figures of the plays: plots.history(), plots.slices(), plots.parallel() and, with limits,
        plots.front().
        """
        from ._plots import Plots

        return Plots(self.space, self.history(), self.recommend(), self._start, self.estimate,
                     self.front)

    @property
    def _start(self) -> NDArray[np.float64] | None:
        """Where it began."""
        start = self._study.start
        if self.space is not None and start:
            return self.space.point(start)
        return Learner(self.set, self.learner).recommend()

    def __enter__(self) -> Study:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Nothing is to be done: what was answered is in the log."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _open_again, (self.store, self.name)

    def _repr_html_(self) -> str:
        from ._html import of_study

        return of_study(self)

    def __repr__(self) -> str:
        on = self.space or self.set.spec
        return f"<keyhole.Study {self.name!r} in {self.place!r}: {self.learner} on {on}>"


def _open_again(store: Store, name: str) -> Study:
    return store.open(name)


def _require_text(on: Any) -> str:
    if isinstance(on, str):
        return on
    raise TypeError(f"a study plays on a Set, a Space or the spec of a set, not on {on!r}")


def _id(play: Play | int) -> int:
    number = play.id if isinstance(play, Play) else play.__index__()
    if not 0 <= number < 2**64:
        raise FeedbackError(f"there is no play {number}")
    return number


def _known(context: Known | None, known: dict[str, Any]) -> dict[str, Any]:
    return {**(context or {}), **known}


def _told(play: Play | int, loss: float | None, count: float = 1.0,
          metrics: Measured | None = None) -> tuple[int, float | None, float, Measured | None]:
    return _id(play), None if loss is None else float(loss), float(count), metrics


def _rows_of(columns: Measured, count: int, what: str = "plays") -> list[dict[str, Any]]:
    """What was measured of each of so many plays or points."""
    for name, column in columns.items():
        if np.shape(column) != (count,):
            raise InvalidArgument(f"there must be one {name} for each of the {count} {what}")
    rows = zip(*columns.values()) if columns else [()] * count
    return [dict(zip(columns, row)) for row in rows]


def _column(frame: Any, name: str) -> str:
    """The column of a parameter, context or metric, as to_frame() writes it."""
    return f"value.{name}" if f"value.{name}" in frame.columns else name


def _named(frame: Any, names: Iterable[str]) -> dict[str, Any]:
    """The values of such names, as far as a frame has them."""
    columns = {name: _column(frame, name) for name in names}
    return {name: frame[column].tolist() for name, column in columns.items()
            if column in frame.columns}


def _metrics(space: Space | None, values: Any, given: Measured | None,
             count: int) -> list[Measured]:
    """What was measured at each of so many points besides the loss."""
    if given is None and space is not None and hasattr(values, "columns"):
        given = _named(values, space.limits)
    if count == 1 and all(np.ndim(value) == 0 for value in (given or {}).values()):
        return [given or {}]
    return list(_rows_of(given or {}, count, "points"))


def _contexts(space: Space | None, values: Any, given: Known | list[Known] | None,
              count: int) -> list[Known | None]:
    """What was known at each of so many losses."""
    if given is None and space is not None and hasattr(values, "columns"):
        known = _named(values, space.contexts)
        return [{name: x for name, x in zip(known, row) if x == x and x != ""}
                for row in zip(*known.values())] if known else [None] * count
    if given is None or isinstance(given, Mapping):
        return [given] * count
    if len(given) != count:
        raise InvalidArgument(f"there must be one context for each of the {count} points")
    return list(given)


def _places(space: Space | None, values: Any) -> list[Any]:
    """A dict of values, or a point, for each loss."""
    if isinstance(values, dict):
        return [values]
    if hasattr(values, "to_dict") and hasattr(values, "columns"):
        return _rows(space, values)
    if space is not None and len(values) > 0 and isinstance(values[0], dict):
        return list(values)
    points = np.asarray(values, dtype=float)
    if points.ndim not in (1, 2):
        raise InvalidArgument("give a point, or an array with a row for each")
    return [points] if points.ndim == 1 else list(points)


def _rows(space: Space | None, frame: pandas.DataFrame) -> list[Any]:
    """The rows of a frame that has a column for each name, as to_frame() writes them."""
    if space is None:
        names = [name for name in frame.columns if name[:1] == "x" and name[1:].isdigit()]
        return list(frame[sorted(names, key=lambda name: int(name[1:]))].to_numpy(dtype=float))
    columns: dict[str, list[Any]] = {}
    for name, domain in space.parameters.items():
        if isinstance(domain, Fixed) and name not in frame.columns:
            continue
        parts = ([f"{name}.{share}" for share in domain.names] if isinstance(domain, Shares)
                 else [_column(frame, name)])
        missing = [part for part in parts if part not in frame.columns]
        if missing:
            raise InvalidArgument(f"the frame has no column {missing[0]!r}")
        columns[name] = (frame[parts].to_numpy(dtype=float).tolist()
                         if isinstance(domain, Shares) else frame[parts[0]].tolist())
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def _store_of(store: Store | Folder, durability: Durability, allow_network: bool,
              wait: float) -> Store:
    if isinstance(store, Store):
        return store
    return Store(store, durability=durability, allow_network=allow_network, wait=wait)


def create(store: Store | Folder, name: str, on: Set | Space | str, learner: str = "default", *,
           durability: Durability = "disk", allow_network: bool = False, wait: float = 10.0,
           **options: Any) -> Study:
    """A new study in a store or its folder, or the one of that name with the same description.

    `name`, `on`, `learner` and the other options are those of Store.create(); `durability`,
    `allow_network` and `wait` those of a Store.
    """
    return _store_of(store, durability, allow_network, wait).create(name, on, learner, **options)


def open(store: Store | Folder, name: str, *, durability: Durability = "disk",
         allow_network: bool = False, wait: float = 10.0) -> Study:
    """The study of a name in a store or its folder.

    `durability`, `allow_network` and `wait` are those of a Store.
    """
    return _store_of(store, durability, allow_network, wait).open(name)
