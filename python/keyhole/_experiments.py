"""Experiments: problems x learners x repeats, as `keyhole run` plays them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ._catalogue import Catalogue
from ._keyhole import InputError, InvalidArgument, _Run
from ._progress import Line, is_watched
from ._results import Results, read_results
from ._text import quoted

if TYPE_CHECKING:
    Entry = str | Mapping[str, Any]
    Entries = Entry | Iterable[Entry]
    Path = str | os.PathLike[str]

__all__ = ["Experiment"]

_MOST_THREADS = 4096


class Experiment:
    """Problems x learners x repeats over a number of rounds, from a seed.

    Problems and learners are specs, such as the functions in kh.problems and kh.learners return. One
    with a name or more is a dict with the keys of docs/experiments.md: {"name": ..., "spec": ...,
    "delay": ...}. Everything is built once here, so that what cannot run is refused at once.
    """

    _canonical: str

    def __init__(self, problems: Entries, learners: Entries, rounds: int, *, repeats: int = 1,
                 seed: int = 0, checkpoints: Iterable[int] = (), slowest: float | None = None,
                 controls: bool = True, folder: Path = "",
                 catalogue: Catalogue | None = None) -> None:
        """`checkpoints` are rounds of the curves besides the usual ones. `slowest` leaves out learners
        that take more seconds a round. With `controls` what any learner must beat plays too.
        `folder` is what names of files in specs are relative to. `catalogue` has sets, problems and
        algorithms of your own.
        """
        table: dict[str, Any] = {"rounds": rounds, "repeats": repeats, "seed": seed}
        if checkpoints:
            table["checkpoints"] = list(checkpoints)
        if slowest is not None:
            table["slowest"] = slowest
        table["controls"] = controls
        table["problems"], table["learners"] = _listed(problems), _listed(learners)
        toml = "".join(f"{key} = {_toml(value)}\n" for key, value in table.items())
        self._set_up(toml, "", os.fspath(folder), catalogue)
        self._text = self._canonical

    @classmethod
    def from_toml(cls, source: Path, *, learners: Entries = (),
                  catalogue: Catalogue | None = None) -> Experiment:
        """The experiment of a file, or of a text in TOML: `source` is one if it has a '=' in it.

        `learners` play next to those of the text. `catalogue` has sets, problems and algorithms of
        your own.
        """
        made = cls.__new__(cls)
        if isinstance(source, str) and "=" in source:
            made._set_up(source, "", "", catalogue, learners)
            return made
        path = os.fspath(source)
        try:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: the file cannot be read: {error}") from error
        made._set_up(text, path, os.path.dirname(path), catalogue, learners)
        return made

    def _set_up(self, toml: str, name: str, folder: str, catalogue: Catalogue | None,
                learners: Entries = ()) -> None:
        self._catalogue = Catalogue() if catalogue is None else catalogue
        self._text, self._name, self._folder = toml, name, folder
        more = [_name_and_spec(learner) for learner in _listed(learners)]
        self._canonical = self._catalogue._catalogue.canonical(toml, name, folder, more)
        if more:
            self._text = self._canonical

    def to_toml(self) -> str:
        """The experiment as `keyhole run` takes it, with every default."""
        return self._canonical

    def run(self, directory: Path | None = None, *, threads: int | None = None,
            timing: float = 0.3, progress: bool | None = None) -> Results:
        """Plays what is missing in the directory, and returns the results.

        Ctrl-C raises KeyboardInterrupt soon; the same call goes on. Without a directory nothing is
        kept but what is returned. `threads` is one a core by default; an experiment with a
        catalogue of your own has one, since Python runs one thread at a time. `timing` is for how
        many seconds each learner's time is measured on each problem. `progress` shows a line on the
        standard error; by default where that is a terminal or in a notebook.
        """
        count = self._threads(threads)
        watched = is_watched() if progress is None else progress
        if directory is not None:
            self._play(os.fspath(directory), count, timing, watched)
            return read_results(directory)
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            self._play(folder, count, timing, watched)
            results = read_results(folder)
        results.directory = None
        return results

    def _threads(self, threads: int | None) -> int:
        own = len(self._catalogue) > 0
        if threads is None:
            return 1 if own else 0
        if not 1 <= threads <= _MOST_THREADS:
            raise InvalidArgument(f"threads must be from 1 to {_MOST_THREADS}, not {threads}")
        if own and threads > 1:
            raise InvalidArgument(f"an experiment with a catalogue of your own runs on one thread, "
                                  f"not {threads}: leave threads out")
        return threads

    def _play(self, directory: str, threads: int, timing: float, watched: bool) -> None:
        """Runs in a thread of its own, so that this one hears Ctrl-C."""
        import warnings
        from concurrent.futures import ThreadPoolExecutor, wait

        run = _Run(self._catalogue._catalogue, self._text, self._name, self._folder, directory,
                   threads, timing)
        line = Line(0) if watched else None
        with ThreadPoolExecutor(1) as executor:
            future = executor.submit(run.go)
            try:
                while not wait([future], timeout=0.1).done:
                    _show(line, run, last=False)
            except BaseException:
                run.stop()
                raise
            finally:
                _show(line, run, last=True)
        _, texts = future.result()
        for text in texts:
            warnings.warn(text, stacklevel=3)

    def __str__(self) -> str:
        return self.to_toml()

    def __repr__(self) -> str:
        return f"<keyhole.Experiment\n{self.to_toml()}>"


def _show(line: Line | None, run: _Run, last: bool) -> None:
    if line is None:
        return
    done, line.total = run.advance
    (line.end if last else line.show)(done, lambda: " rounds")


def _listed(entries: Entries) -> list[Entry]:
    return [entries] if isinstance(entries, (str, Mapping)) else list(entries)


def _name_and_spec(learner: Entry) -> tuple[str, str]:
    if not isinstance(learner, Mapping):
        return str(learner), str(learner)
    if "spec" not in learner or learner.keys() - {"name", "spec"}:
        raise InvalidArgument(f"a learner is a spec, or {{'name': ..., 'spec': ...}}, not {learner!r}")
    return str(learner.get("name", learner["spec"])), str(learner["spec"])


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{quoted(key)} = {_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if hasattr(value, "__index__"):
        return str(value.__index__())
    if hasattr(value, "__float__"):
        return float.__repr__(float(value))
    raise InvalidArgument(f"an experiment has texts, numbers, lists and dicts, not {value!r}")
