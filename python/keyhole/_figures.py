"""Figures of results, fit for a paper. Imported when one is drawn: it needs matplotlib."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np

from . import _paper
from ._keyhole import InvalidArgument

if TYPE_CHECKING:
    from ._results import Results

#: Of Okabe and Ito, which the colour-blind tell apart, without the yellow that no page shows.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
#: One for each turn through the colours, so that print in grey is told apart for longer.
DASHES = ("-", "--", "-.", ":")
#: What any learner must beat: thin and grey, as in the report.
CONTROLS = ("stay", "random_vertex", "fed_constant")
MEASURES = {"regret": "average_regret", "loss": "average_loss"}

_INCHES = 6.75  # of the text of a page; one panel is a column of it
_COLUMN = 3.25
_STYLE = {
    "font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8, "xtick.labelsize": 7,
    "ytick.labelsize": 7, "legend.fontsize": 7, "lines.linewidth": 1.2, "axes.linewidth": 0.6,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.3,
    "grid.linewidth": 0.4,
    # Letters stay letters: journals want no Type 3 fonts.
    "pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "keyhole",
}


def style() -> Any:
    """The settings of a figure, for a `with`."""
    return matplotlib.rc_context(_STYLE)


def shade(height: float) -> Any:
    """The colour of a height from 0 to 1: dark is low."""
    return matplotlib.colormaps["viridis"](0.9 * height)


def chosen(given: str | Sequence[str] | None, there: list[str], what: str) -> list[str]:
    """Those that were asked for, or all."""
    names = there if given is None else [given] if isinstance(given, str) else list(given)
    for name in names:
        if name not in there:
            raise InvalidArgument(f"there is no {what} '{name}': there are {', '.join(there)}")
    return names


def draw(figure: Any, results: Results, measure: str, problems: str | Sequence[str] | None,
         learners: str | Sequence[str] | None, paper: Mapping[str, str]) -> None:
    """A panel for each problem, and one legend below."""
    if measure not in MEASURES:
        raise InvalidArgument(f"the measure is one of {', '.join(MEASURES)}, not {measure!r}")
    panels = chosen(problems, results.problems, "problem")
    players = chosen(learners, results.learners, "learner")
    published = _published(paper, measure, panels)
    columns = 2 if len(panels) == 4 else min(len(panels), 3)
    rows = -(-len(panels) // columns)
    key_columns = 2 if columns == 1 else 4
    key_rows = -(-(len(players) + (len(_paper.LEARNERS) if paper else 0)) // key_columns)
    figure.set_size_inches(_COLUMN if columns == 1 else _INCHES, 2.2 * rows + 0.17 * key_rows)
    figure.set_layout_engine("constrained")
    grid = figure.add_gridspec(rows + 1, columns,
                               height_ratios=[*[2.2] * rows, 0.17 * key_rows])
    curves = results.curves()
    curves = curves[curves["measure"] == MEASURES[measure]]
    for place, problem in enumerate(panels):
        axes = figure.add_subplot(grid[place // columns, place % columns])
        axes.set(title=problem, xlabel="round", xscale="log")
        if place % columns == 0:
            axes.set_ylabel(f"average {measure}")
        here = curves[curves["problem"] == problem]
        for player in players:
            _line(axes, here[here["learner"] == player], player, results.learners.index(player),
                  measure == "regret")
        if problem in published:
            _dots(axes, published[problem], results.learners)
        if measure == "regret":
            _logarithmic(axes)
    named = {label: handle for axes in figure.axes
             for handle, label in zip(*axes.get_legend_handles_labels())}
    key = figure.add_subplot(grid[rows, :])
    key.axis("off")
    key.legend(named.values(), named.keys(), loc="center", ncol=key_columns, frameon=False, borderpad=0)


def _line(axes: Any, curve: Any, name: str, place: int, logarithmic: bool) -> None:
    """A curve and its band; its colour is the learner's in every figure of the results."""
    control = name in CONTROLS
    colour = "0.6" if control else COLOURS[place % len(COLOURS)]
    dashes = DASHES[(CONTROLS.index(name) if control else place // len(COLOURS)) % len(DASHES)]
    mean, lower = curve["mean"], curve["lower"]
    if logarithmic:  # what is not positive has no place there
        mean = np.where(mean > 0, mean, np.nan)
        lower = np.maximum(lower, mean / 1000)
    axes.plot(curve["round"], mean, color=colour, linestyle=dashes, label=name,
              **({"linewidth": 0.7, "zorder": 1.5} if control else {}))
    if not np.isnan(curve["upper"]).all():
        axes.fill_between(curve["round"], lower, curve["upper"], color=colour,
                          alpha=0.1 if control else 0.2, linewidth=0)


def _published(paper: Mapping[str, str], measure: str, panels: list[str]) -> dict[str, Any]:
    """The paper's curves by the panel that they are to be in."""
    if paper and measure != "loss":
        raise InvalidArgument(f"the paper's curves are losses: plot \"loss\", not {measure!r}")
    chosen(list(paper), panels, "problem")
    chosen(list(paper.values()), list(_paper.CURVES), "experiment of the paper")
    return {problem: np.array(_paper.CURVES[experiment]) for problem, experiment in paper.items()}


def _dots(axes: Any, points: Any, learners: list[str]) -> None:
    """The paper's curves: dotted, each in the colour of the learner of its name, or grey."""
    for column, name in enumerate(_paper.LEARNERS, start=1):
        colour = COLOURS[learners.index(name) % len(COLOURS)] if name in learners else "0.6"
        axes.plot(points[:, 0], points[:, column], color=colour, linestyle=":", marker=".",
                  markersize=3, label=f"{name}, paper")


def _logarithmic(axes: Any) -> None:
    """The curves, and not their bands, say where the axis begins."""
    axes.set_yscale("log")
    means = np.concatenate([line.get_ydata() for line in axes.get_lines()])
    if not np.isnan(means).all():
        axes.set_ylim(bottom=np.nanmin(means) / 2)


def write(figure: Any, path: str | os.PathLike[str]) -> None:
    """The same bytes for the same figure: without a date."""
    dates = {".pdf": "CreationDate", ".svg": "Date"}
    end = os.path.splitext(os.fspath(path))[1].lower()
    figure.savefig(path, dpi=300, metadata={dates[end]: None} if end in dates else None)
