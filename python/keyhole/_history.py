"""Tables of plays: what a study and minimize() show of what was tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._keyhole import Choice, Fixed, Integer, Levels, Shares, Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas
    from numpy.typing import ArrayLike, NDArray


def table(space: Space | None, ids: ArrayLike, losses: ArrayLike, points: NDArray[np.float64],
          values: Sequence[dict[str, Any]], workers: Sequence[str] | None = None,
          contexts: Sequence[Mapping[str, Any]] | None = None,
          metrics: Sequence[Mapping[str, float]] | None = None) -> NDArray[Any]:
    """A row for each play: play, worker, loss, point, values, context, metrics."""
    columns: dict[str, list[tuple[tuple[Any, ...], list[Any]]]] = {}
    if space is not None:
        columns["values"] = [
            _column(*item, [given[item[0]] for given in values]) for item in space.parameters.items()]
    if space is not None and space.contexts and contexts is not None:
        columns["context"] = [
            _column(*item, [known.get(item[0], _unknown(item[1])) for known in contexts])
            for item in space.contexts.items()]
    if space is not None and space.limits and metrics is not None:
        columns["metrics"] = [
            ((name, "f8"), [told.get(name, np.nan) for told in metrics]) for name in space.limits]
    fields: list[Any] = [("play", "u8")]
    if workers is not None:
        fields.append(("worker", f"U{max([1, *map(len, workers)])}"))
    fields += [("loss", "f8"), ("point", "f8", (points.shape[1],))]
    fields += [(group, [field for field, _ in given]) for group, given in columns.items()]
    result = np.empty(len(points), dtype=fields)
    result["play"], result["loss"], result["point"] = ids, losses, points
    if workers is not None:
        result["worker"] = workers
    for group, given in columns.items():
        for field, column in given:
            if column:
                result[group][field[0]] = column
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
    """The same as a frame of pandas. What is named play, worker or loss is "value.play" and so on."""
    import pandas

    shown = ("point", "values", "context", "metrics")
    found = {name: plays[name] for name in plays.dtype.names or () if name not in shown}
    more = {f"value.{name}" if name in found else name: column
            for name, column in columns(space, plays).items()}
    return pandas.DataFrame({**found, **more})


def listed(domain: object) -> list[Any] | None:
    """The values of a parameter that has a list of them; None for others."""
    if isinstance(domain, Fixed):
        return [domain.value]
    if isinstance(domain, Levels):
        return domain.levels
    return domain.names if isinstance(domain, Choice) else None


def _unknown(domain: object) -> Any:
    return {"U": "", "f": np.nan}.get(_dtype(domain).kind)


def _column(name: str, domain: object, given: list[Any]) -> tuple[tuple[Any, ...], list[Any]]:
    """A field that has room for what was played when the space was another one, and its values."""
    if isinstance(domain, Shares):
        return (name, "f8", (len(domain.names),)), [list(shares.values()) for shares in given]
    own = _dtype(domain)
    if own.kind == "O" or any(
            value is None or isinstance(value, str) != (own.kind == "U") for value in given):
        return (name, "O"), given
    return (name, np.result_type(own, np.array(given).dtype) if given else own), given


def _dtype(domain: object) -> np.dtype[Any]:
    values = listed(domain)
    if values is not None:
        kinds = {type(value) for value in values}
        return np.array(values).dtype if len(kinds) == 1 or kinds == {int, float} else np.dtype("O")
    return np.dtype("i8" if isinstance(domain, Integer) else "f8")
