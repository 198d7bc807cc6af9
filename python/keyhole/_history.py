"""Tables of plays: what a study and minimize() show of what was tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._keyhole import Choice, Integer, Shares, Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas
    from numpy.typing import ArrayLike, NDArray


def table(space: Space | None, ids: ArrayLike, losses: ArrayLike, points: NDArray[np.float64],
          values: Sequence[dict[str, Any]], workers: Sequence[str] | None = None,
          contexts: Sequence[Mapping[str, Any]] | None = None,
          metrics: Sequence[Mapping[str, float]] | None = None) -> NDArray[Any]:
    """A row for each play: play, worker, loss, point, values, context, metrics."""
    fields: list[Any] = [("play", "u8")]
    if workers is not None:
        fields.append(("worker", f"U{max([1, *map(len, workers)])}"))
    fields += [("loss", "f8"), ("point", "f8", (points.shape[1],))]
    if space is not None:
        fields.append(("values", [_field(*item) for item in space.parameters.items()]))
    if space is not None and space.contexts and contexts is not None:
        fields.append(("context", [_field(*item) for item in space.contexts.items()]))
    if space is not None and space.limits and metrics is not None:
        fields.append(("metrics", [(name, "f8") for name in space.limits]))
    result = np.empty(len(points), dtype=fields)
    result["play"], result["loss"], result["point"] = ids, losses, points
    if workers is not None:
        result["worker"] = workers
    if space is not None:
        for name in space.parameters:
            for row, given in zip(result["values"], values):
                value = given[name]
                row[name] = list(value.values()) if isinstance(value, dict) else value
    if space is not None and space.contexts and contexts is not None:
        for name, domain in space.contexts.items():
            unknown = "" if isinstance(domain, Choice) else np.nan
            result["context"][name] = [known.get(name, unknown) for known in contexts]
    if space is not None and space.limits and metrics is not None:
        for name in space.limits:
            result["metrics"][name] = [told.get(name, np.nan) for told in metrics]
    return result


def columns(space: Space | None, plays: NDArray[Any]) -> dict[str, Any]:
    """What was played, a column for each value or coordinate; nothing where it is not known."""
    known = plays.dtype.names or ()
    if space is None or "values" not in known:
        points: Any = plays["point"].T if "point" in known else ()
        return {f"x{i + 1}": x for i, x in enumerate(points)}
    found: dict[str, Any] = {}
    for name, domain in space.parameters.items():
        column = plays["values"][name]
        if isinstance(domain, Shares):
            found.update({f"{name}.{share}": x for share, x in zip(domain.names, column.T)})
        else:
            found[name] = column
    if "context" in known:
        found.update({name: plays["context"][name] for name in space.contexts})
    if "metrics" in known:
        found.update({name: plays["metrics"][name] for name in space.limits})
    return found


def frame(space: Space | None, plays: NDArray[Any]) -> pandas.DataFrame:
    """The same as a frame of pandas."""
    import pandas

    shown = ("point", "values", "context", "metrics")
    first = [name for name in plays.dtype.names or () if name not in shown]
    return pandas.DataFrame({**{name: plays[name] for name in first}, **columns(space, plays)})


def _field(name: str, domain: object) -> tuple[Any, ...]:
    if isinstance(domain, Shares):
        return name, "f8", (len(domain.names),)
    if isinstance(domain, Choice):
        return name, f"U{max(map(len, domain.names))}"
    return name, "i8" if isinstance(domain, Integer) else "f8"
