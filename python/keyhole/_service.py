"""Studies of a service, over HTTP: `keyhole serve` runs one."""

from __future__ import annotations

import json
import math
import os
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, overload
from urllib.parse import quote, urlencode, urlsplit
from uuid import uuid4

import numpy as np

from ._keyhole import (
    Belief, Choice, Clock, Cyclic, Error, FeedbackError, Fixed, Integer, InvalidArgument, Levels,
    Limit, LimitStatus, Number, Play, Plays, Proof, Set, Shares, Space, SpecError, Status,
    StudyError, Summary,
)
from ._studies import (
    DeletedStudy, FoundStudy, FrontPoint, Label, PastReceipt, Study, StudyChange, _id, _known, _require_text,
)
from ._text import in_full

if TYPE_CHECKING:
    import ssl
    from http.client import HTTPConnection

    from numpy.typing import ArrayLike, NDArray

    from ._keyhole import _Domain

    from ._studies import Facts, Known, Measured, Outside, Receipt, Told

__all__ = ["Service", "ServiceError", "connect"]

#: A service closes a connection that has been quiet for longer; then a new one is made.
_QUIET = 5.0


class ServiceError(Error):
    """A service that cannot be reached, or does not do what it was asked.

    `status` is that of its answer, as HTTP has it; 0 if there was none.
    """

    status = 0


class _AnswerLost(ServiceError):
    """A call may have been done, and is not safe to make again."""


#: What is raised for a problem whose type is the word of a code.
_KINDS: dict[str, type[Error]] = {
    **dict.fromkeys(["unknown_play", "unusable_feedback", "contradiction"], FeedbackError),
    **dict.fromkeys(["invalid_argument", "horizon_used_up"], InvalidArgument),
    "unreadable_spec": SpecError,
    **dict.fromkeys(["unknown_study", "other_description", "needs_renewal", "damaged_log",
                     "newer_log", "other_digits", "replaced"], StudyError),
    **dict.fromkeys(["disk", "database", "busy"], ServiceError),
}


def connect(url: str, token: str | None = None, *, patience: float = 30.0,
            ca: str | os.PathLike[str] | None = None) -> Service:
    """The studies of a service: connect("http://127.0.0.1:8600").open("blocks").

    `token` is what `keyhole token new` has printed, if the service has tokens. `patience` is for how
    many seconds a call without an answer is made again. `ca` is a file (PEM) of certificates to
    trust, for a url of https; without it those that the system trusts.
    """
    return Service(url, token, patience=patience, ca=ca)


class Service:
    """The studies of a service, with the methods of a Store: connect(), whose `url`, `token` and
    `ca` it takes.

    A call that gets no answer is made again, for `patience` seconds, where that is safe: a loss
    counts once however often it is told, and a worker that gives its name gets its play again. An
    ask of nobody in particular is not made again: it raises ServiceError.
    """

    def __init__(self, url: str, token: str | None = None, *, patience: float = 30.0,
                 ca: str | os.PathLike[str] | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or (
                parts.path.strip("/") or parts.query or parts.username):
            raise InvalidArgument(f"a service has a url such as http://127.0.0.1:8600, not {url!r}")
        if token is not None and not re.fullmatch("[!-~]*", token):
            raise InvalidArgument("a token has no spaces and no end of a line")
        self.url = f"{parts.scheme}://{parts.netloc}"
        self._token = token
        self._patience = patience
        if ca is not None and parts.scheme != "https":
            raise InvalidArgument(f"ca is for a url of https, and {url!r} is none")
        self._ca = None if ca is None else os.fspath(ca)
        self._trusted = _trusted(self._ca) if parts.scheme == "https" else None
        self._lines = threading.local()  # a connection a thread

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
        body: dict[str, Any] = {"name": name, "learner": learner, "seed": seed, "stream": stream,
                                "window": window, "maximize": maximize}
        if isinstance(on, Space):
            body["space"] = _space_json(on)
        else:
            body["set"] = in_full(on) if isinstance(on, Set) else _require_text(on)
        if expiry is not None:
            body["expiry"] = expiry
        if max_step is not None:
            steps = np.asarray(max_step, dtype=float)
            body["max_step" if steps.ndim == 0 else "max_steps"] = steps.tolist()
        if start is not None:
            if not isinstance(on, Space):
                raise InvalidArgument("a start by name needs a space: give the learner start=[...] "
                                      "instead")
            body["start"] = _values_json(on, start)
        if facts != "points":
            body["facts"] = facts
        return RemoteStudy(self, name, self._json("POST", "/v1/studies", body))

    def open(self, name: str) -> Study:
        """The study of a name."""
        return RemoteStudy(self, name, self._json("GET", _path(name)))

    def delete(self, name: str) -> None:
        """Deletes a study and all that was learned."""
        self._call("DELETE", _path(name))

    def undelete(self, name: str) -> Study:
        """Brings back the study of that name that was deleted last, if the service keeps it."""
        return RemoteStudy(self, name, self._json("POST", _path(name) + "/undelete"))

    def deleted(self) -> list[DeletedStudy]:
        """What can be brought back, of those that the token is for: Store.deleted()."""
        return [DeletedStudy(each["name"], datetime.fromisoformat(each["until"].replace("Z", "+00:00")))
                for each in self._json("GET", "/v1/deleted")["studies"]]

    def change(self, name: str, space: Space, start: dict[str, Any] | None = None) -> StudyChange:
        """Lets a study go on on another space with what was learned, and a `start`: Store.change()."""
        body: dict[str, Any] = {"space": _space_json(space)}
        if start is not None:
            body["start"] = _values_json(space, start)
        return _read_change(self._json("POST", _path(name) + "/change", body))

    def renew(self, name: str, *, dry_run: bool = False) -> str:
        """Lets a study go on that another version has made: Store.renew(), with its `dry_run`.

        A call that was made again after a lost answer may return "not needed".
        """
        goes_on_with: str = self._json("POST", _path(name) + "/renewal",
                                       {"dry_run": dry_run})["goes_on_with"]
        return goes_on_with.replace("_", " ")

    def find(self, text: str = "", *, tag: str = "", prefix: str = "") -> list[FoundStudy]:
        """The studies with a `text`, a `tag` and a `prefix`, as Store.find() has them, of those that
        the token is for.
        """
        return list(self._found(text, tag, prefix))

    def _found(self, text: str, tag: str, prefix: str) -> Iterator[FoundStudy]:
        search = {"search": text, "tag": tag, "prefix": prefix, "limit": 1000, "after": ""}
        while True:
            page = self._json("GET", f"/v1/studies?{urlencode(search)}")
            for study in page["studies"]:
                yield FoundStudy(study["name"], *_read_label(study))
            if "next" not in page:
                return
            search["after"] = page["next"]

    def _label(self, name: str) -> Label:
        return _read_label(self._json("GET", _path(name)))

    def _set_label(self, name: str, label: Label) -> None:
        self._json("PUT", _path(name) + "/label", label._asdict())

    def __iter__(self) -> Iterator[str]:
        return (study.name for study in self._found("", "", ""))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        try:
            self._json("GET", _path(name))
        except StudyError as error:
            if error.code != "unknown_study":
                raise
            return False
        return True

    def __reduce__(self) -> tuple[Any, ...]:
        return _service_again, (self.url, self._token, self._patience, self._ca)

    def __repr__(self) -> str:
        return f"Service({self.url!r})"

    def _json(self, method: str, path: str, body: object = None, *, again: bool = True) -> Any:
        text = self._call(method, path, body, again=again)
        try:
            return json.loads(text)
        except ValueError as error:
            raise ServiceError(f"the service at {self.url} answers what no service of studies "
                               f"does: {error}") from error

    def _call(self, method: str, path: str, body: object = None, *, again: bool = True) -> bytes:
        """The answer. A call that may have been done is made `again` only if that is safe."""
        from http.client import HTTPException

        content = None if body is None else json.dumps(
            body, allow_nan=False, default=_plain).encode()
        headers = {"Content-Type": "application/json"} if content is not None else {}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        end = time.monotonic() + self._patience
        pause = 0.01
        while True:
            sent = False
            try:
                line = self._line()
                sent = True
                line.request(method, path, content, headers)
                answer = line.getresponse()
                text = answer.read()
                self._lines.used = time.monotonic()
                if answer.status < 300:
                    return text
                failure = _failure(answer.status, text)
                if not _is_not_now(answer.status, text):
                    raise failure
                if not again and not _is_undone(text):
                    raise _AnswerLost(str(failure)) from failure
            except (OSError, HTTPException) as error:
                self._hang_up()
                if self._trusted is not None and _is_distrust(error):
                    raise ServiceError(f"the certificate of {self.url} is not good: {error}; ca "
                                       "names a file of certificates to trust") from error
                if sent and not again:
                    raise _AnswerLost("the answer to an ask was lost: a worker with a name could "
                                      "ask again") from error
                failure = ServiceError(f"the service at {self.url} does not answer ({error}): is "
                                       "it running?")
            if time.monotonic() > end:
                raise failure
            time.sleep(pause)
            pause = min(2 * pause, 1.0)

    def _line(self) -> HTTPConnection:
        """The connection of this thread; a child has its own."""
        from http.client import HTTPConnection, HTTPSConnection

        lines = self._lines
        quiet = time.monotonic() - getattr(lines, "used", -math.inf)
        if getattr(lines, "process", None) != os.getpid() or quiet > _QUIET:
            self._hang_up()
        if getattr(lines, "line", None) is None:
            place, timeout = urlsplit(self.url).netloc, max(1.0, self._patience)
            if self._trusted is None:
                line = HTTPConnection(place, timeout=timeout)
            else:
                line = HTTPSConnection(place, timeout=timeout, context=self._trusted)
            line.connect()
            lines.line, lines.process = line, os.getpid()
        connected: HTTPConnection = lines.line
        return connected

    def _hang_up(self) -> None:
        line = getattr(self._lines, "line", None)
        if line is not None:
            line.close()
        self._lines.line = None


def _read_label(shown: dict[str, Any]) -> Label:
    return Label(shown.get("note", ""), shown.get("tags", []))


class RemoteStudy(Study):
    """A study of a service, with the methods of any other."""

    def __init__(self, service: Service, name: str, shown: dict[str, Any]) -> None:
        """Use create() or open() of a Service."""
        self.service = service
        self.name = name
        self._space = _read_space(shown["space"]) if "space" in shown else None
        self._set = self._space.set if self._space is not None else Set(shown["set"])
        self._learner: str = shown["learner"]

    @property
    def _home(self) -> Service:
        return self.service

    @property
    def place(self) -> str:
        return self.service.url

    @property
    def learner(self) -> str:
        return self._learner

    @property
    def space(self) -> Space | None:
        return self._space

    @property
    def set(self) -> Set:
        return self._set

    @overload
    def ask(self, count: None = None, *, worker: str = "", context: Known | None = None,
            **known: Any) -> Play: ...
    @overload
    def ask(self, count: int, *, context: Known | None = None, **known: Any) -> Plays: ...
    def ask(self, count: int | None = None, *, worker: str = "", context: Known | None = None,
            **known: Any) -> Play | Plays:
        in_context = _known(context, known)
        if count is None:
            return self.step([], 1, worker=worker, context=in_context)[1][0]
        plays = self.step([], count, context=in_context)[1]
        points = np.array([play.point for play in plays]).reshape(count, self._set.dimension)
        ids = np.array([play.id for play in plays], dtype=np.uint64)
        pairs = np.array([play.pair for play in plays], dtype=np.uint64)
        on_space = plays if self._space is not None else []
        return Plays((ids, points, [play.values for play in on_space], pairs,
                      [play.context for play in on_space]))

    def step(self, tells: Iterable[Told], asks: int = 1, *, worker: str = "",
             context: Known | None = None,
             **known: Any) -> tuple[list[Receipt], list[Play]]:
        return self._step([_tell_json(*told) for told in tells], asks, worker,
                          _context_json(_known(context, known)))

    def _step(self, tells: list[dict[str, Any]], asks: int, worker: str,
              context: dict[str, Any]) -> tuple[list[Receipt], list[Play]]:
        body: dict[str, Any] = {"asks": asks, "tells": tells}
        if context:
            body["context"] = context
        if worker and asks:
            body["worker"] = worker
        try:
            given = self._json("/steps", body, again=not asks or bool(worker and not tells))
        except _AnswerLost as lost:
            if not worker:
                raise lost.__cause__ if isinstance(lost.__cause__, Error) else lost
            # One after the other both are safe: the worker gets the play again, if it got one.
            return (self._step(tells, 0, "", {})[0],
                    self._step([], asks, worker, context)[1])
        return given["receipts"], [self._play(play) for play in given["plays"]]

    def _learn(self, where: list[Any], losses: list[float], counts: list[float],
               outside: Outside, id: str, contexts: list[Known | None],
               metrics: list[Measured]) -> PastReceipt:
        past: list[dict[str, Any]] = [{"count": _finite(count), **self._place(at)}
                                      for at, count in zip(where, counts)]
        for one, loss, context, measured in zip(past, losses, contexts, metrics):
            if context:
                one["context"] = _context_json(context)
            if told := _metrics_json(measured):
                one["metrics"] = told
            if loss == loss or not told:
                one["loss"] = _finite(loss)
        # With an id the call is safe to make again.
        given = self._json("/past", {"losses": past, "outside": outside, "id": id or uuid4().hex})
        return PastReceipt(given["learned"], given["projected"], given["skipped"])

    def _place(self, at: Any) -> dict[str, Any]:
        if not isinstance(at, dict):
            return {"point": [_finite(x) for x in at]}
        if self._space is None:
            raise InvalidArgument("values by name need a space")
        domains = self._space.parameters
        return {"values": {name: _value_json(domains.get(name), value)
                           for name, value in at.items()}}

    @property
    def past(self) -> int:
        past: int = self._json("")["past"]
        return past

    @property
    def changed(self) -> StudyChange | None:
        change = self._json("").get("changed")
        return None if change is None else _read_change(change)

    def explore(self, on: bool) -> None:
        self.service._call("PUT", _path(self.name) + "/paused", {"paused": not on})

    def prove(self, share: float = 0.1) -> None:
        self.service._call("POST", _path(self.name) + "/proof", {"share": share})

    @property
    def explores(self) -> bool:
        return not self._json("")["paused"]

    def recommend(self, *, context: Known | None = None, **known: Any) -> NDArray[np.float64]:
        return np.array(self._json(_recommendation(_known(context, known)))["point"])

    def recommend_values(self, *, context: Known | None = None, **known: Any) -> dict[str, Any]:
        return self._values(self._json(_recommendation(_known(context, known))))

    def _estimate(self, where: list[Any], known: Known) -> NDArray[Any]:
        names = ("loss", "loss_error", "excess", "excess_error")
        rows: list[tuple[float, ...]] = []
        for first in range(0, len(where), 1000):
            points = [self._place(at) for at in where[first:first + 1000]]
            given = self._json("/estimates", {"points": points, "context": _context_json(known)})
            rows += [tuple(one.get(name, one.get(name.replace("loss", "gain"), math.nan))
                           for name in names) for one in given["estimates"]]
        return np.array(rows, dtype=[(name, "f8") for name in names])

    def front(self, metric: str = "") -> list[FrontPoint]:
        given = self._json("/front" + ("?" + urlencode({"metric": metric}) if metric else ""))
        return [FrontPoint(self._values(at), np.array(at["point"]),
                           at.get("loss", at.get("gain", math.nan)),
                           at.get("loss_error", at.get("gain_error", math.nan)),
                           at["metric"], at["metric_error"]) for at in given["front"]]

    @property
    def clipped(self) -> int:
        return int(self._json("").get("clipped", 0))

    def summary(self) -> Summary:
        """Counts and the average loss. Calls of oracles and losses above a bound are 0 here."""
        shown = self._json("")
        counts = [shown[name] for name in ("asked", "told", "pending", "oldest_pending", "missing",
                                           "repeated", "expired", "late")]
        return Summary((*counts, 0, 0, shown.get("mean_loss", math.nan)))

    def status(self) -> Status:
        """What the learner is doing now. Calls of oracles are 0 here."""
        shown = self._json("")
        belief = shown.get("belief", {})
        proof = shown.get("proof", {})
        known = [shown.get(name, math.nan) for name in ("exploring", "reach")]
        return Status((shown.get("recent_mean_loss", math.nan), shown.get("recent_told", 0),
                       shown.get("mean_loss", math.nan), *known, shown.get("restarts", 0), 0,
                       Belief([belief.get(name, math.nan) for name in (
                           "noise", "gain", "gain_error", "curvature", "fit")]),
                       Proof((proof.get("share", 0.0), proof.get("gain", math.nan),
                              proof.get("error", math.nan), proof.get("proven", 0),
                              proof.get("worse", 0))),
                       {name: _limit_status(limit)
                        for name, limit in shown.get("limits", {}).items()}))

    def needs_renewal(self) -> bool:
        return bool(self._json("").get("needs_renewal", False))

    @property
    def state(self) -> bytes:
        return self.service._call("GET", _path(self.name) + "/state")

    def history(self) -> NDArray[Any]:
        """All plays, as a structured array: play, worker, loss. A service does not keep points."""
        plays: list[tuple[int, str, float]] = []
        log = self.service._call("GET", _path(self.name) + "/log")
        for step in map(json.loads, log.splitlines()):
            for tell in step["tells"]:
                if tell["told"] in ("fresh", "late") and "loss" in tell:
                    id, worker, _ = plays[tell["play"] - 1]
                    plays[id - 1] = (id, worker, tell["loss"])
            plays += [(id, step.get("worker", ""), math.nan) for id in step["plays"]]
        longest = max([1, *(len(worker) for _, worker, _ in plays)])
        return np.array(plays, dtype=[("play", "u8"), ("worker", f"U{longest}"), ("loss", "f8")])

    @property
    def _start(self) -> None:
        """A service keeps no points to compare with it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _remote_again, (self.service, self.name)

    def _json(self, path: str, body: object = None, *, again: bool = True) -> Any:
        method = "GET" if body is None else "POST"
        return self.service._json(method, _path(self.name) + path, body, again=again)

    def _play(self, given: dict[str, Any]) -> Play:
        return Play((given["play"], np.array(given["point"]), self._values(given),
                     given.get("recommended", False), given.get("pair", 0),
                     given.get("context", {})))

    def _values(self, given: dict[str, Any]) -> dict[str, Any]:
        if self._space is None:
            return {}
        values: dict[str, Any] = given["values"]
        for name, domain in self._space.parameters.items():
            if isinstance(domain, Shares):
                values[name] = dict(zip(domain.names, values[name]))
        return values


def _trusted(ca: str | None) -> ssl.SSLContext:
    """The certificates of a file; without one those that the system trusts."""
    import ssl

    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise InvalidArgument(f"{ca!r} is no file of certificates (PEM), which ca must name: "
                              f"{error}") from error


def _is_distrust(error: Exception) -> bool:
    """Whether a certificate is not trusted: to try again is no use."""
    import ssl

    return isinstance(error, ssl.SSLCertVerificationError)


def _service_again(url: str, token: str | None, patience: float, ca: str | None) -> Service:
    return Service(url, token, patience=patience, ca=ca)


def _remote_again(service: Service, name: str) -> Study:
    return service.open(name)


def _read_change(given: dict[str, int]) -> StudyChange:
    return StudyChange(given["after"], given["learned"], given["dropped"])


def _path(name: str) -> str:
    return "/v1/studies/" + quote(name, safe="")


def _failure(status: int, text: bytes) -> Error:
    """What the problem of an answer is in Python: what a study on a disk would have raised."""
    try:
        problem = json.loads(text)
        kind, detail = problem["type"].rpartition(":")[2], problem["detail"]
    except (ValueError, KeyError, TypeError, AttributeError):
        kind, detail = "", f"the service answers with status {status}"
    error = _KINDS.get(kind, ServiceError)(detail)
    if kind in _KINDS:
        error.code = kind
    if isinstance(error, ServiceError):
        error.status = status
    return error


def _is_not_now(status: int, text: bytes) -> bool:
    """Whether a service cannot now, and may later, as if a token has made its calls of a second."""
    return status == 503 or (status == 429 and b'"urn:keyhole:rate"' in text)


def _is_undone(text: bytes) -> bool:
    """Whether a service that cannot now (503) says that it has done nothing."""
    try:
        problem = json.loads(text)
        kind = problem["type"].rpartition(":")[2]
        return kind in ("busy", "replaced", "rate") or (
            kind == "database" and problem.get("maybe_stored") is False)
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def _plain(value: Any) -> Any:
    """A number of NumPy as one that JSON knows."""
    if isinstance(value, (np.integer, np.floating, np.bool_)):
        return value.item()
    raise TypeError(f"a service takes numbers, texts, lists and dicts, not {value!r}")


def _finite(loss: float) -> float:
    if not math.isfinite(loss):
        error = FeedbackError(f"a loss must be a finite number, not {float(loss)}")
        error.code = "unusable_feedback"
        raise error
    return float(loss)


def _tell_json(play: Play | int, loss: float | None, count: float = 1.0,
               metrics: Measured | None = None) -> dict[str, Any]:
    told: dict[str, Any] = {"play": _id(play)}
    if loss is not None:
        told["loss"] = _finite(loss)
    if count != 1:
        told["count"] = _finite(count)
    measured = _metrics_json(metrics)
    return {**told, "metrics": measured} if measured else told


def _metrics_json(metrics: Measured | None) -> dict[str, Any]:
    return {name: value for name, value in _context_json(metrics or {}).items()
            if value is not None}


def _limit_status(given: dict[str, Any]) -> LimitStatus:
    numbers = [given.get(name, math.nan) for name in (
        "recent", "over", "recommended", "error", "price")]
    return LimitStatus((*numbers, given.get("start_is_over", False),
                        given.get("none_is_within", False)))


def _space_json(space: Space) -> dict[str, Any]:
    parameters = [{"name": name, **_domain_json(domain)}
                  for name, domain in space.parameters.items()]
    json = {"parameters": parameters, "constraints": space.constraints}
    contexts = [{"name": name, **_domain_json(domain)} for name, domain in space.contexts.items()]
    limits = [{"name": name, **_limit_json(limit)} for name, limit in space.limits.items()]
    # An older service knows none of these.
    more = {"contexts": contexts, "limits": limits}
    return {**json, **{name: list for name, list in more.items() if list}}


def _limit_json(limit: Limit) -> dict[str, Any]:
    names = ("most", "least", "each", "over", "unit")
    known = {name: getattr(limit, name) for name in names}
    return {name: value for name, value in known.items() if value not in (None, "")}


def _context_json(context: Known) -> dict[str, Any]:
    """What is known, as JSON has it: NaN is not known there either."""
    known = {name: _known_value(value) for name, value in context.items()}
    return {name: None if value != value else value for name, value in known.items()}


def _recommendation(context: Known) -> str:
    known = {name: value for name, value in _context_json(context).items() if value is not None}
    return "/recommendation" + ("?" + urlencode(known) if known else "")


def _known_value(value: Any) -> Any:
    """A text, a number, or True or False, without NumPy."""
    value = value.item() if isinstance(value, np.generic) else value
    return value if isinstance(value, (str, bool, int, type(None))) else float(value)


def _domain_json(domain: _Domain | Cyclic | Clock) -> dict[str, Any]:
    if isinstance(domain, Clock):
        return {"type": "clock", "clock": domain.every}
    if isinstance(domain, Cyclic):
        return {"type": "cyclic", "period": domain.period, "unit": domain.unit}
    if isinstance(domain, Choice):
        return {"type": "choice", "names": domain.names}
    if isinstance(domain, Shares):
        limits = {"least": domain.least, "most": domain.most}
        return {"type": "shares", "names": domain.names, "total": domain.total,
                **{name: limit for name, limit in limits.items() if limit is not None}}
    if isinstance(domain, Levels):
        return {"type": "levels", "levels": domain.levels, "unit": domain.unit}
    if isinstance(domain, Fixed):
        return {"type": "fixed", "fixed": domain.value}
    json = {"type": "number", "from": domain.low, "to": domain.high, "scale": domain.scale,
            "unit": domain.unit}
    if isinstance(domain, Integer):
        json["type"] = "integer"
        if domain.step != 1:
            json["step"] = domain.step
        if domain.scale == "linear":
            del json["scale"]  # an older service does not know it
    return json


def _read_space(given: dict[str, Any]) -> Space:
    parameters = {each["name"]: _read_domain(each) for each in given["parameters"]}
    contexts = {each["name"]: _read_context(each) for each in given.get("contexts", [])}
    limits = {each["name"]: Limit(**{key: value for key, value in each.items() if key != "name"})
              for each in given.get("limits", [])}
    return Space(parameters, constraints=given.get("constraints", []), contexts=contexts,
                 limits=limits)


def _read_context(given: dict[str, Any]) -> Number | Cyclic | Choice | Clock:
    if given["type"] == "clock":
        return Clock(given["clock"])
    if given["type"] == "cyclic":
        return Cyclic(given["period"], given.get("unit", ""))
    if given["type"] == "choice":
        return Choice(given["names"])
    return Number(given["from"], given["to"], given.get("scale", "linear"), given.get("unit", ""))


def _read_domain(given: dict[str, Any]) -> _Domain:
    if given["type"] == "choice":
        return Choice(given["names"])
    if given["type"] == "levels":
        return Levels(given["levels"], given.get("unit", ""))
    if given["type"] == "fixed":
        return Fixed(given["fixed"])
    if given["type"] == "shares":
        return Shares(given["names"], given.get("total", 1.0), given.get("least"),
                      given.get("most"))
    if given["type"] == "integer":
        return Integer(given["from"], given["to"], given.get("scale", "linear"),
                       given.get("unit", ""), given.get("step", 1))
    return Number(given["from"], given["to"], given.get("scale", "linear"), given.get("unit", ""))


def _values_json(space: Space, values: Mapping[str, Any]) -> dict[str, Any]:
    space.point(values)  # raises what is wrong with them
    return {name: _value_json(space.parameters[name], value) for name, value in values.items()}


def _value_json(domain: _Domain | None, value: Any) -> Any:
    if isinstance(domain, Shares):
        amounts = [value[share] for share in domain.names] if isinstance(value, dict) else value
        return [float(amount) for amount in amounts]
    if domain is None or isinstance(domain, (Choice, Levels, Fixed)):
        return value
    return int(value) if isinstance(domain, Integer) and value == int(value) else float(value)
