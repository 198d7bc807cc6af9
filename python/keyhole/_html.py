"""What notebooks show: small tables, and the pictures of sets. Colours suit light and dark."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._keyhole import (
    Choice, Clock, Cyclic, Error, Fixed, GradientLearner, Integer, Learner, Levels, Limit, Number,
    Set, Shares, Space, Summary,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._keyhole import _Domain
    from ._studies import Study

    Points = NDArray[np.float64]

#: Above it the picture would take longer than one waits for a table.
_MOST_COORDINATES = 400


def of_set(set: Set) -> str:
    """A set: what it is, and its picture."""
    g = set.geometry
    rows = [("coordinates", set.dimension), ("dimension of the hull", set.hull_dimension),
            ("inner radius", _number(g.inner_radius)),
            ("outer radius", _at_most(g.outer_radius, g.outer_radius_exact)),
            ("diameter", _at_most(g.diameter, g.diameter_exact)),
            ("projects", "yes" if set.can_project else "no"),
            ("has a gauge", "yes" if set.can_gauge else "no")]
    picture = _picture(set) if set.dimension <= _MOST_COORDINATES else ""
    return table(_short(set.spec), rows) + picture


def of_learner(learner: Learner | GradientLearner) -> str:
    """A learner: where it stands."""
    on: Set | Space = learner.space or learner.set
    rows: list[tuple[str, object]] = [("plays on", _name(on))]
    try:
        rows += _counts(learner.summary())
        rows.append(("recommends", _values(learner.recommend_values() or learner.recommend())))
    except Error as error:  # it has failed, or its algorithm cannot say
        rows.append(("refuses", error))
    return table(_short(learner.spec), rows)


def of_space(space: Space) -> str:
    """A space: its parameters and constraints."""
    rows = [(name, _domain(domain)) for name, domain in space.parameters.items()]
    rows += [("constraint", text) for text in space.constraints]
    rows += [(f"context {name}", _domain(domain)) for name, domain in space.contexts.items()]
    rows += [(f"limit {name}", _limit(limit)) for name, limit in space.limits.items()]
    return table("Space", rows)


def of_study(study: Study) -> str:
    """A study: where it stands."""
    rows: list[tuple[str, object]] = [("lives in", study.place),
                                      ("learner", _short(study.learner)),
                                      ("plays on", _name(study.space or study.set))]
    rows += _counts(study.summary())
    rows.append(("recommends", _values(study.recommend_values() or study.recommend())))
    if study.needs_renewal():
        rows.append(("made by", "another version: Store.renew() lets it go on"))
    return table(study.name, rows)


def table(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """Two columns under a title; all of it is escaped."""
    lines = "".join(f'<tr><th style="text-align:left">{html.escape(name)}</th>'
                    f'<td style="text-align:left">{html.escape(str(value))}</td></tr>'
                    for name, value in rows)
    return (f'<table><thead><tr><th colspan="2" style="text-align:left"><code>{html.escape(title)}'
            f"</code></th></tr></thead><tbody>{lines}</tbody></table>")


def _counts(summary: Summary) -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = [("asked", summary.asked), ("told", summary.told),
                                      ("waited for", summary.pending)]
    if not math.isnan(summary.average):
        rows.append(("average loss", _number(summary.average)))
    return rows


def _name(on: Set | Space) -> str:
    return _short(on.spec) if isinstance(on, Set) else _short(", ".join(on.parameters))


def _domain(domain: _Domain | Cyclic | Clock) -> str:
    if isinstance(domain, Clock):
        return f"the time of the {domain.every}"
    if isinstance(domain, Choice):
        return "one of " + ", ".join(map(_values, domain.names))
    if isinstance(domain, Fixed):
        return f"fixed at {_values(domain.value)}"
    if isinstance(domain, Shares):
        return f"shares of {_number(domain.total)}: " + ", ".join(domain.names)
    unit = f" {domain.unit}" if domain.unit else ""
    if isinstance(domain, Levels):
        return "levels " + ", ".join(map(_values, domain.levels)) + unit
    if isinstance(domain, Cyclic):
        return f"cyclic, period {_number(domain.period)}{unit}"
    scale = ", log scale" if domain.scale == "log" else ""
    if isinstance(domain, Integer):
        step = f", step {domain.step}" if domain.step != 1 else ""
        return f"whole number, {domain.low} to {domain.high}{unit}{scale}{step}"
    return f"number, {_number(domain.low)} to {_number(domain.high)}{unit}{scale}"


def _limit(limit: Limit) -> str:
    bound = f"at most {_number(limit.most)}" if limit.most is not None else (
        f"at least {_number(limit.least or 0)}")
    unit = f" {limit.unit}" if limit.unit else ""
    return f"{bound}{unit}, " + ("over all rounds" if limit.over else
                                 f"in each round with probability {_number(limit.each)}")


def _values(values: Any) -> str:
    if isinstance(values, dict):
        return ", ".join(f"{name}: {_values(value)}" for name, value in values.items())
    if isinstance(values, np.ndarray):
        rest = ", ..." if len(values) > 10 else ""
        return ", ".join(_number(x) for x in values[:10]) + rest
    return _number(values) if isinstance(values, float) else str(values)


def _number(x: float) -> str:
    return f"{x:.6g}"


def _at_most(x: float, exact: bool) -> str:
    return _number(x) if exact else f"at most {_number(x)}"


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:200] + "..."


def _picture(set: Set) -> str:
    """The set as it is seen on a plane, and the ball of radius r about its centre."""
    seen = "in" if set.hull_dimension <= 2 else "projected onto a plane of"
    outline = _outline(set, _plane(set))
    low, high = outline.min(axis=0), outline.max(axis=0)
    unit = float((high - low).max()) / 180 or 1.0  # of the set, a pixel
    middle = (low + high) / 2
    corners = " ".join(f"{x:.2f},{-y:.2f}" for x, y in (outline - middle) / unit)
    x, y = -middle / unit
    ball = (f'<circle cx="{x:.2f}" cy="{-y:.2f}" r="{set.geometry.inner_radius / unit:.2f}" '
            'fill="none" stroke="#ea580c"/>' if set.hull_dimension > 1 else "")
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" '
            f'viewBox="-100 -100 200 200" role="img"><title>{html.escape(_short(set.spec))}, {seen}'
            f' its hull</title><polygon points="{corners}" fill="#3b82f6" fill-opacity="0.25" '
            f'stroke="#3b82f6" stroke-width="2" stroke-linejoin="round"/>{ball}'
            f'<circle cx="{x:.2f}" cy="{-y:.2f}" r="2.5" fill="#ea580c"/></svg>')


def _plane(set: Set) -> Points:
    """Two directions of the hull, a row each; zeros where it has fewer."""
    n = set.dimension
    turns = np.arange(n) / n
    # No two axes look alike: those of flat sets go around once, as for a simplex, others half-way.
    angles = (2 if set.hull_dimension < n else 1) * np.pi * turns + 0.2
    if n == 2:
        angles = np.array([0, np.pi / 2])
    lengths = 1 + 0.2 * turns**2
    wanted = [np.cos(angles) * lengths, np.sin(angles) * lengths, *np.eye(n)]
    rows: list[Points] = []
    for direction in wanted:
        flat = set.flatten(direction)
        for row in rows * 2:  # twice: the second time removes what rounding has left
            flat = flat - (row @ flat) * row
        length = float(np.linalg.norm(flat))
        if length > 1e-3 and len(rows) < min(2, set.hull_dimension):
            rows.append(flat / length)
    return np.array(rows + [np.zeros(n)] * (2 - len(rows)))


def _outline(set: Set, plane: Points) -> Points:
    """The corners of what is seen on the plane, about the centre; of a curve enough of them."""
    centre = set.geometry.centre
    close = 2e-3 * set.geometry.outer_radius

    def farthest(direction: Points) -> Points:
        seen: Points = plane @ (set.minimise(-direction @ plane) - centre)
        return seen

    def between(a: Points, b: Points, depth: int) -> list[Points]:
        """Those from a on and before b, which comes next to the left."""
        side = b - a
        normal = np.array([side[1], -side[0]])
        length = float(np.linalg.norm(normal))
        if length < close:
            return []
        c = farthest(normal / length)
        if depth == 0 or (c - a) @ normal / length < close:
            return [a]
        return between(a, c, depth - 1) + between(c, b, depth - 1)

    ends = [farthest(np.array(d)) for d in ([1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0])]
    corners = [c for a, b in zip(ends, ends[1:] + ends[:1]) for c in between(a, b, 8)]
    return np.array(corners or ends[:1])
