"""Figures of what was played. Imported when one is drawn: they need matplotlib."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _figures, _history
from ._keyhole import Fixed, Integer, InvalidArgument, Number, Shares, Space

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import matplotlib.axes
    import matplotlib.figure
    from numpy.typing import NDArray

    from ._studies import FrontPoint

#: Panels of a figure, if none are named: more cannot be read.
_MOST = 12
#: Plays that a mean is taken of for the start.
_FIRST = 20
_BLUE, _ORANGE = _figures.COLOURS[:2]
_GREY = "0.6"


class Plots:
    """Figures of the plays of a study or of minimize(). Each call makes one of its own."""

    def __init__(self, space: Space | None, plays: NDArray[Any], recommended: NDArray[np.float64],
                 start: NDArray[np.float64] | None, estimate: Callable[[Any], NDArray[Any]],
                 front: Callable[[str], list[FrontPoint]] | None = None) -> None:
        """Use the `plots` of a study or of a result."""
        self._estimate = estimate
        self._front = front
        self._space = space
        self._plays = plays[~np.isnan(plays["loss"])]
        self._recommended = recommended
        self._start = start

    def history(self, *, recent: int = 100) -> matplotlib.figure.Figure:
        """The losses, the mean of the `recent` latest, and what the start cost, with 95 % bands.

        The start is the mean of the plays that were made there. If there are fewer than 20, it is
        that of the first 20 plays, which are near it: prove() makes plays there.
        """
        figure, axes = _panels(1)
        draw_history(axes[0], self._plays, recent)
        there, name = self._at_start()
        if len(there):
            mean, half = there.mean(), _half(len(there), there.std(ddof=1) if len(there) > 1 else 0)
            axes[0].axhline(mean, color=_GREY, linewidth=0.8, zorder=1, label=name)
            axes[0].axhspan(mean - half, mean + half, color=_GREY, alpha=0.2, linewidth=0)
        axes[0].legend(frameon=False, fontsize=7)
        return figure

    def slices(self, names: str | Sequence[str] | None = None, *,
               bins: int = 12) -> matplotlib.figure.Figure:
        """The losses over each value or coordinate, a panel for each; `names` choose some.

        The blue line is the mean of the plays in each of `bins` parts with as many plays each, with
        its 95 % band. What is recommended is marked. The orange line is what the model believes of
        each value of a parameter, the others as recommended: its band is the 95 % of how much more
        that costs than what is recommended.
        """
        columns = self._columns(names)
        figure, panels = _panels(len(columns))
        recommended = self._shown()
        losses = self._plays["loss"]
        for axes, (name, column) in zip(panels, columns.items()):
            axes.set(xlabel=name, ylabel="loss" if axes is panels[0] else None)
            domain = self._domain(name)
            place = _placed(column, domain)
            axes.plot(place, losses, ".", color="0.75", markersize=2, zorder=1)
            texts = _texts(domain)
            known = ~np.isnan(place)
            middle, mean, half = _means(place[known], losses[known], bins, texts is not None)
            if texts is not None:
                axes.errorbar(middle, mean, half, fmt="o", color=_BLUE, markersize=4, capsize=2)
                axes.set_xticks(range(len(texts)), texts)
            else:
                axes.plot(middle, mean, color=_BLUE)
                axes.fill_between(middle, mean - half, mean + half, color=_BLUE, alpha=0.2,
                                  linewidth=0)
                if _is_log(domain):
                    axes.set_xscale("log")
            if name in recommended:  # no context and no metric
                axes.axvline(_placed(recommended[name], domain)[0], color=_ORANGE, linewidth=1)
            values, believed = self._believed(name)
            if len(values):
                place = _placed(values, domain)
                loss, half = believed["loss"], 1.96 * believed["excess_error"]
                if texts is not None:
                    axes.errorbar(place + 0.1, loss, half, fmt="o", color=_ORANGE, markersize=3,
                                  capsize=2)
                else:
                    axes.plot(place, loss, color=_ORANGE, linewidth=1)
                    axes.fill_between(place, loss - half, loss + half, color=_ORANGE, alpha=0.2,
                                      linewidth=0)
        return figure

    def importance(self) -> matplotlib.figure.Figure:
        """What each parameter costs at its worst value, the others as recommended.

        As the model believes, with 95 % bars. A parameter that costs nothing there makes no
        difference where it was played.
        """
        found: list[tuple[float, float, str]] = []
        for name in () if self._space is None else self._space.parameters:
            values, believed = self._believed(name)
            if len(values):
                worst = believed[np.abs(believed["excess"]).argmax()]
                found.append((abs(worst["excess"]), 1.96 * worst["excess_error"], name))
        if not found:
            raise InvalidArgument("nothing is believed of the parameters: there is no space, too "
                                  "little was seen, or the learner has no model of the losses")
        found = sorted(found)[-_MOST:]
        figure, (axes,) = _panels(1)
        axes.barh([name for _, _, name in found], [cost for cost, _, _ in found], color=_BLUE,
                  xerr=[half for _, half, _ in found], ecolor="0.3", height=0.6)
        axes.set(xlabel="cost of the worst value")
        return figure

    def front(self, metric: str = "") -> matplotlib.figure.Figure:
        """The least loss for each bound on the `metric` of a limit, as the models believe.

        The bands are of 95 %, in either direction. The plays are grey, and so is the limit. The only
        metric needs no name. For a study with limits.
        """
        if self._space is None or self._front is None or not self._space.limits:
            raise InvalidArgument("there are no limits here: a front is of a study with some")
        points = self._front(metric)  # which refuses a metric that does not exist
        limits = self._space.limits
        metric = metric or next(iter(limits))
        at = np.array([point.metric for point in points])
        loss = np.array([point.loss for point in points])
        metric_half = 1.96 * np.array([point.metric_error for point in points])
        half = 1.96 * np.array([point.loss_error for point in points])
        limit = limits[metric]
        figure, (axes,) = _panels(1)
        if "metrics" in (self._plays.dtype.names or ()):
            axes.plot(self._plays["metrics"][metric], self._plays["loss"], ".", color="0.75",
                      markersize=2, label="plays", zorder=1)
        axes.plot(at, loss, color=_BLUE, label="least loss")
        axes.fill_between(at, loss - half, loss + half, color=_BLUE, alpha=0.2, linewidth=0)
        axes.fill_betweenx(loss, at - metric_half, at + metric_half, color=_BLUE, alpha=0.2,
                           linewidth=0)
        axes.axvline(limit.least if limit.most is None else limit.most, color=_GREY, linewidth=0.8,
                     zorder=1, label="limit")
        axes.set(xlabel=f"{metric}, {limit.unit}" if limit.unit else metric, ylabel="loss")
        axes.legend(frameon=False, fontsize=7)
        return figure

    def parallel(self, names: str | Sequence[str] | None = None, *,
                 most: int = 200) -> matplotlib.figure.Figure:
        """The latest plays, `most` of them, as lines through an axis for each value and the loss.

        Dark lines are those with low losses, the thick one is what is recommended. `names` choose
        some of the values.
        """
        columns = self._columns(names)
        figure, panels = _panels(1, wide=True)
        axes = panels[0]
        plays = slice(max(0, len(self._plays) - most), None)
        losses = self._plays["loss"][plays]
        recommended = self._shown()
        lines: list[Any] = []
        thick: list[float] = []
        for place, (name, column) in enumerate(columns.items()):
            domain = self._domain(name)
            scaled, ends = _scaled(_placed(column, domain), domain)
            lines.append(scaled[plays])
            at = _placed(recommended.get(name, [np.nan]), domain)
            thick.append(_scaled(at, domain, ends)[0][0])
            texts = _texts(domain)
            _end_texts(axes, place, [f"{end:.4g}" if texts is None else texts[int(end)]
                                     for end in ends])
        low, high = (losses.min(), losses.max()) if len(losses) else (0.0, 1.0)
        height = (losses - low) / (high - low if high > low else 1)
        for k in np.argsort(-losses):
            axes.plot(range(len(lines) + 1), [*(line[k] for line in lines), height[k]],
                      color=_figures.shade(height[k]), linewidth=0.5, alpha=0.6)
        axes.plot(range(len(thick)), thick, color=_ORANGE, linewidth=2.5, label="recommended")
        _end_texts(axes, len(lines), [f"{low:.4g}", f"{high:.4g}"])
        axes.set_xticks(range(len(lines) + 1), [*columns, "loss"])
        axes.tick_params(axis="x", length=0)
        axes.set(yticks=[], ylim=(-0.08, 1.02), xlim=(-0.2, len(lines) + 0.2))
        axes.legend(frameon=False, fontsize=7, loc="lower left", bbox_to_anchor=(0, 1.05))
        return figure

    def _at_start(self) -> tuple[NDArray[np.float64], str]:
        losses: NDArray[np.float64] = self._plays["loss"]
        if self._start is not None and "point" in (self._plays.dtype.names or ()):
            near = np.isclose(self._plays["point"], self._start, rtol=0, atol=1e-12).all(axis=1)
            if near.sum() >= _FIRST:
                return losses[near], "at the start"
        first = losses[:_FIRST]
        return first, f"mean of the first {len(first)}"

    def _believed(self, name: str) -> tuple[list[Any], NDArray[Any]]:
        """Values of a parameter that the space has with the others as recommended, and what is
        believed of them; none where nothing is.
        """
        values, points = [], []
        if self._space is not None and name in self._space.parameters:
            others = self._space.likeliest(self._recommended)
            for value in _grid(self._domain(name)):
                with contextlib.suppress(InvalidArgument):  # another one that a constraint leaves out
                    points.append(self._space.point({**others, name: value}))
                    values.append(value)
        believed = self._estimate(np.array(points)) if points else np.array([])
        is_known = len(points) > 0 and not np.isnan(believed["loss"]).any()
        return (values, believed) if is_known else ([], believed)

    def _columns(self, names: str | Sequence[str] | None) -> dict[str, Any]:
        columns = {name: column for name, column in
                   _history.columns(self._space, self._plays).items()
                   if not isinstance(self._domain(name), Fixed)}
        if not columns:
            raise InvalidArgument("what was played is not known here: a service keeps losses only")
        if names is None and len(columns) > _MOST:
            names = list(columns)[:_MOST]
        return {name: columns[name] for name in _figures.chosen(names, list(columns), "value")}

    def _domain(self, name: str) -> Any:
        return None if self._space is None else self._space.parameters.get(name)

    def _shown(self) -> dict[str, Any]:
        """What is recommended, as a column of one play."""
        values = {} if self._space is None else self._space.likeliest(self._recommended)
        one = _history.table(self._space, [0], [0.0], self._recommended[None, :], [values])
        return _history.columns(self._space, one)


def draw_history(axes: matplotlib.axes.Axes, plays: NDArray[Any], recent: int) -> None:
    """Losses, and the mean of the latest with its 95 % band."""
    losses = plays["loss"]
    ends = np.arange(1, len(losses) + 1)
    begins = np.maximum(0, ends - recent)
    count = ends - begins

    def windows(numbers: Any) -> Any:
        sums = np.concatenate([[0.0], np.cumsum(numbers)])
        return (sums[ends] - sums[begins]) / count

    level = losses.mean() if len(losses) else 0.0  # squares of what is left are exact enough
    mean = windows(losses - level)
    spread = np.sqrt(np.maximum(windows((losses - level) ** 2) - mean**2, 0))
    half = _half(count, spread * np.sqrt(count / np.maximum(count - 1, 1)))
    axes.plot(plays["play"], losses, ".", color="0.75", markersize=2, label="loss", zorder=1)
    axes.plot(plays["play"], level + mean, color=_BLUE, label=f"mean of the latest {recent}")
    axes.fill_between(plays["play"], level + mean - half, level + mean + half, color=_BLUE, alpha=0.2,
                      linewidth=0)
    axes.set(xlabel="play", ylabel="loss")


def _panels(count: int, wide: bool = False) -> tuple[Any, list[Any]]:
    """A figure with so many panels."""
    import matplotlib.pyplot

    columns = min(count, 3)
    rows = -(-count // columns)
    with _figures.style():
        figure = matplotlib.pyplot.figure()
        figure.set_size_inches(6.75 if columns > 1 or wide else 4.5, 2.2 * rows if columns > 1 else 3)
        figure.set_layout_engine("constrained")
        grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in grid[count:]:
        axes.axis("off")
    return figure, list(grid[:count])


def _end_texts(axes: Any, place: int, texts: list[str]) -> None:
    """What the two ends of an upright axis are."""
    for at, text in enumerate(texts):
        axes.annotate(text, (place, at), (0, 4 * at - 2), textcoords="offset points", ha="center",
                      va="bottom" if at else "top", fontsize=6)


def _half(count: Any, spread: Any) -> Any:
    """Half of the 95 % interval of a mean of so many."""
    return 1.96 * spread / np.sqrt(count)


def _is_log(domain: Any) -> bool:
    return isinstance(domain, (Number, Integer)) and domain.scale == "log"


def _texts(domain: Any) -> list[str] | None:
    """The values of a parameter that has a list of them."""
    values = _history.listed(domain)
    return None if values is None else [str(value) for value in values]


def _place(value: Any, values: list[Any]) -> float:
    """The place of a value in a list; nan if it is not there. True is not 1."""
    def is_it(each: Any) -> bool:
        return isinstance(each, bool) == isinstance(value, (bool, np.bool_)) and each == value

    return next((float(place) for place, each in enumerate(values) if is_it(each)), np.nan)


def _placed(column: Any, domain: Any) -> Any:
    """Numbers; the place of a value in a list of them; nan for what was played of others."""
    values = _history.listed(domain)
    if values is not None:
        return np.array([_place(value, values) for value in column], dtype=float)
    return np.array([np.nan if isinstance(value, str) else value for value in column], dtype=float)


def _scaled(place: Any, domain: Any, ends: tuple[float, float] | None = None) -> Any:
    """From 0 to 1 between the ends, which are those of the domain or of the plays."""
    if ends is None:
        values = _history.listed(domain)
        if values is not None:
            ends = (0, len(values) - 1)
        elif isinstance(domain, (Number, Integer)):
            ends = (domain.low, domain.high)
        else:
            known = place[~np.isnan(place)]
            ends = (known.min(), known.max()) if len(known) else (0, 1)
    low, high = ends
    if _is_log(domain):
        low, high, place = np.log(low), np.log(high), np.log(place)
    return (place - low) / (high - low if high > low else 1), ends


def _grid(domain: Any) -> list[Any]:
    """Values from one end of a domain to the other."""
    if isinstance(domain, Fixed):
        return []
    if isinstance(domain, Shares):
        return [{each: float(each == one) for each in domain.names} for one in domain.names]
    values = _history.listed(domain)
    if values is not None:
        return list(values)
    low, high = domain.low, domain.high
    grid = np.geomspace(low, high, 33) if _is_log(domain) else np.linspace(low, high, 33)
    if isinstance(domain, Integer):
        return sorted({low + domain.step * round((x - low) / domain.step) for x in grid.tolist()})
    return list(np.clip(grid, low, high).tolist())


def _means(place: Any, losses: Any, bins: int, by_name: bool) -> tuple[Any, Any, Any]:
    """Where the parts are, their means and half of their intervals."""
    order = np.argsort(place, kind="stable")
    if by_name:
        parts = [np.flatnonzero(place == name) for name in np.unique(place)]
    else:
        parts = [part for part in np.array_split(order, bins) if len(part)]
    middle = np.array([place[part].mean() for part in parts])
    mean = np.array([losses[part].mean() for part in parts])
    half = np.array([_half(len(part), losses[part].std(ddof=1)) if len(part) > 1 else 0.0
                     for part in parts])
    return middle, mean, half
