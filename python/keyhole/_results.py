"""What an experiment has left in its directory."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ._keyhole import InputError

if TYPE_CHECKING:
    import matplotlib.figure
    import pandas
    from numpy.typing import NDArray

    Measure = Literal["regret", "loss"]
    PaperExperiment = Literal["quadratic", "portfolio", "completion"]
    Path = str | os.PathLike[str]

__all__ = ["Results", "read_results"]

_CURVES: list[tuple[str, str]] = [
    ("problem", "U"), ("learner", "U"), ("measure", "U"), ("round", "u8"), ("mean", "f8"),
    ("lower", "f8"), ("upper", "f8"), ("repeats", "u8")]
_INTERVALS = ("average_loss", "average_regret", "relative_regret", "recommended")
_NUMBERS = ("largest_relative_regret", "worst_window", "regret_slope", "seconds_per_round",
            "oracle_calls_per_round")
_MEANS = ("arithmetic", "geometric", "recommended")
_COUNTS = ("infeasible_plays", "alarms")


class Results:
    """The curves and the summary of an experiment."""

    def __init__(self, directory: str | None, toml: str, curves: NDArray[Any],
                 details: dict[str, Any]) -> None:
        """Use Experiment.run() or read_results()."""
        #: Where the results are; None if they were not kept.
        self.directory = directory
        #: The experiment, as run.
        self.toml = toml
        #: All that summary.json holds (docs/experiments.md).
        self.details = details
        self._curves = curves

    @property
    def problems(self) -> list[str]:
        """The names of the problems."""
        return [problem["name"] for problem in self.details["problems"]]

    @property
    def learners(self) -> list[str]:
        """The names of the learners, the controls last."""
        return [learner["name"] for learner in self.details["problems"][0]["learners"]]

    def curves(self) -> NDArray[Any]:
        """All points of all curves, as a structured array.

        Its fields are problem, learner, measure ("average_loss" or "average_regret"), round, mean,
        lower and upper (of the 95 % interval; nan for one repeat) and repeats.
        """
        return self._curves.copy()

    def summary(self) -> NDArray[Any]:
        """A row for each problem and learner after the last round, as a structured array.

        What there is not is nan. The fields whose names end in _lower and _upper are 95 %
        intervals; docs/experiments.md says what the others are.
        """
        rows = [_row(problem, learner) for problem in self.details["problems"]
                for learner in problem["learners"]]
        fields = [("problem", "U"), ("learner", "U"), ("rounds", "u8"), ("left_out", "?")]
        fields += [(name + end, "f8") for name in _INTERVALS for end in ("", "_lower", "_upper")]
        fields += [("regret_bound", "f8"), ("regret_bound_holds", "?")]
        fields += [(name, "f8") for name in _NUMBERS] + [(name, "u8") for name in _COUNTS]
        return _array(fields, rows)

    def means(self) -> NDArray[Any]:
        """Relative regret over all problems: a row for each learner and checkpoint.

        The fields are learner, round, problems (how many enter), arithmetic and geometric (their
        means), recommended (the geometric mean for the points that are recommended then), and
        recommended_problems (how many enter that).
        """
        rows = [(each["learner"], mean["round"], mean["problems"],
                 *(_number(mean.get(name)) for name in _MEANS), mean.get("recommended_problems", 0))
                for each in self.details["relative_regret_means"] for mean in each["means"]]
        fields = [("learner", "U"), ("round", "u8"), ("problems", "u8")]
        fields += [(name, "f8") for name in _MEANS] + [("recommended_problems", "u8")]
        return _array(fields, rows)

    def to_frame(self, what: Literal["summary", "curves", "means"] = "summary"
                 ) -> pandas.DataFrame:
        """The summary, the curves or the means (`what`), as a frame of pandas."""
        import pandas

        return pandas.DataFrame(getattr(self, what)())

    def plot(self, measure: Measure = "regret", *, problems: str | Sequence[str] | None = None,
             learners: str | Sequence[str] | None = None,
             paper: Mapping[str, PaperExperiment] | None = None) -> matplotlib.figure.Figure:
        """Draws the average regret or loss (`measure`) over the rounds, a panel for each problem.

        Bands are 95 % intervals. `problems` and `learners` choose some, in that order. `paper` adds
        the losses that the paper has published: `paper={"my problem": "quadratic"}` dots those of
        its quadratic problem into the panel of mine. Needs matplotlib.
        """
        import matplotlib.pyplot

        from . import _figures

        with _figures.style():
            figure = matplotlib.pyplot.figure()
            _figures.draw(figure, self, measure, problems, learners, paper or {})
        return figure

    @property
    def plots(self) -> ResultsPlots:
        """Figures: plots.history() is that of plot()."""
        return ResultsPlots(self)

    def save(self, path: Path, measure: Measure = "regret", *,
             problems: str | Sequence[str] | None = None,
             learners: str | Sequence[str] | None = None,
             paper: Mapping[str, PaperExperiment] | None = None) -> None:
        """Writes the figure of plot() to a file: PDF, SVG or PNG by the end of its `path`.

        `measure`, `problems`, `learners` and `paper` are those of plot().
        """
        from matplotlib.figure import Figure

        from . import _figures

        with _figures.style():
            figure = Figure()
            _figures.draw(figure, self, measure, problems, learners, paper or {})
            _figures.write(figure, path)

    def __str__(self) -> str:
        summary = self.summary()
        width = max(map(len, self.learners))
        lines: list[str] = []
        for problem in self.details["problems"]:
            if lines:
                lines.append("")
            lines.append(f"{problem['name']}, {problem['rounds']} rounds, "
                         f"{self.details['repeats']} repeats")
            lines.append(f"{'learner':{width}}  {'average loss':>20}  {'average regret':>20}")
            for row in summary[summary["problem"] == problem["name"]]:
                lines.append(f"{row['learner']:{width}}  {_interval(row, 'average_loss'):>20}  "
                             f"{_interval(row, 'average_regret'):>20}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        where = "" if self.directory is None else f" in {self.directory!r}"
        return (f"<keyhole.Results{where}: {len(self.problems)} problems, "
                f"{len(self.learners)} learners, {self.details['repeats']} repeats>")


class ResultsPlots:
    """Figures of the results of an experiment. Each call makes one of its own."""

    def __init__(self, results: Results) -> None:
        #: As Results.plot().
        self.history = results.plot


def read_results(directory: Path) -> Results:
    """The results of a finished experiment in its `directory`, of `keyhole run` too."""
    folder = os.fspath(directory)
    toml = _text(folder, "experiment.toml")
    try:
        details = json.loads(_text(folder, "summary.json"))
        rows = list(csv.reader(io.StringIO(_text(folder, "curves.csv"), newline="")))
        if rows[0] != [name for name, _ in _CURVES]:
            raise ValueError("curves.csv has other columns")
        curves = _array(_CURVES, [tuple(field or "nan" for field in row) for row in rows[1:]])
        results = Results(folder, toml, curves, details)
        results.summary()
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise InputError(f"{folder}: the results are damaged: delete curves.csv and summary.json, "
                         f"and run the experiment again ({error})") from error
    return results


def _text(folder: str, name: str) -> str:
    try:
        with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError as error:
        if name != "experiment.toml" and os.path.exists(os.path.join(folder, "experiment.toml")):
            raise InputError(f"{folder}: the experiment is not finished: run it again") from error
        raise InputError(f"{folder}: the directory holds no results of an experiment") from error


def _array(fields: list[tuple[str, str]], rows: list[Any]) -> NDArray[Any]:
    """A structured array whose texts are as long as the longest."""
    types = []
    for place, (name, kind) in enumerate(fields):
        longest = max([1, *(len(row[place]) for row in rows)]) if kind == "U" else 0
        types.append((name, f"U{longest}" if longest else kind))
    return np.array(rows, dtype=types)


def _row(problem: dict[str, Any], learner: dict[str, Any]) -> tuple[Any, ...]:
    row: list[Any] = [problem["name"], learner["name"], problem["rounds"], learner["left_out"]]
    for name in _INTERVALS:
        interval = learner.get(name) or {}
        row += [_number(interval.get(part)) for part in ("mean", "lower", "upper")]
    bound = learner.get("regret_bound") or {}
    row += [_number(bound.get("per_round")), bound.get("holds", False)]
    row += [_number(learner.get(name)) for name in _NUMBERS]
    row += [learner.get(name, 0) for name in _COUNTS]
    return tuple(row)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _interval(row: Any, name: str) -> str:
    """The mean and half of its interval; n/a for a learner that was left out."""
    if row["left_out"]:
        return "n/a"
    half = (row[name + "_upper"] - row[name + "_lower"]) / 2
    return f"{row[name]:.4g}" if np.isnan(half) else f"{row[name]:.4g} +- {half:.2g}"
