"""Specs: the texts that name sets and learners, made from Python values.

A list of more than MANY numbers stands in the spec of a set by the name of its content. The numbers
go along as an array.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ._keyhole import Set, _array_text

MANY = 4096


class Bare(str):
    """A text that stands in a spec as it is: a word, or a spec of its own."""


def named(value: Set | str | None) -> Set | Bare | None:
    """A set, or one that a catalogue of yours has by this spec."""
    return Bare(value) if isinstance(value, str) else value


def unless(value: Any, default: Any) -> Any:
    """None for a value that is the default, so that a spec leaves it out."""
    return None if isinstance(value, type(default)) and value == default else value


def quoted(text: str) -> str:
    """A text between quotes, for specs and TOML."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r") + '"'


def spec(name: str, *arguments: Any, **named: Any) -> str:
    """name(argument, key=value, ...); what is None is left out."""
    return _spec(name, arguments, named, None)


def set_spec(name: str, *arguments: Any, **named: Any) -> tuple[str, dict[str, Any]]:
    """The same of a set, and the arrays that it names."""
    arrays: dict[str, Any] = {}
    return _spec(name, arguments, named, arrays), arrays


def in_full(value: Set) -> str:
    """The text of a set with its arrays written down, for what takes nothing but texts."""
    text = value._text
    for name, array in value._arrays.items():
        text = text.replace(_named(name, array), _value(array.tolist(), None))
    return text


def _spec(name: str, arguments: tuple[Any, ...], named: dict[str, Any],
          arrays: dict[str, Any] | None) -> str:
    parts = [_value(argument, arrays) for argument in arguments]
    parts += [f"{key}={_value(value, arrays)}" for key, value in named.items() if value is not None]
    return f"{name}({', '.join(parts)})"


def _named(name: str, array: Any) -> str:
    return f'array("{name}", {"x".join(str(size) for size in array.shape)})'


def _large(value: Any) -> Any:
    """The numbers of a long list or of a matrix as an array that nobody changes, else None."""
    if isinstance(value, (list, tuple)):
        row = value[0] if value else None
        width = len(row) if isinstance(row, (list, tuple, np.ndarray)) else 1
        if len(value) * width <= MANY:
            return None
        try:
            value = np.array(value)
        except ValueError:  # rows of several lengths
            return None
    if not isinstance(value, np.ndarray) or value.size <= MANY or value.ndim > 2:
        return None
    if value.dtype.kind not in "fiu":
        return None
    array = np.ascontiguousarray(value, dtype=np.float64)
    if array is value and not _is_frozen(array):
        array = array.copy()
    array.flags.writeable = False
    return array


def _is_frozen(array: Any) -> bool:
    """Whether neither the array nor what it is a view of can be written."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return False
        array = array.base
    return array is None or isinstance(array, bytes) or getattr(array, "closed", None) is False


def _value(value: Any, arrays: dict[str, Any] | None) -> str:
    if isinstance(value, Set):
        if arrays is None:
            return in_full(value)
        arrays.update(value._arrays)
        return value._text
    array = None if arrays is None else _large(value)
    if arrays is not None and array is not None:
        name, _ = _array_text(array)
        arrays[name] = array
        return _named(name, array)
    if isinstance(value, Bare):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return float.__repr__(float(value))
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(each, None) for each in value) + "]"
    if isinstance(value, np.ndarray):
        return _value(value.tolist(), None)
    try:
        return str(operator.index(value))
    except TypeError:
        raise TypeError(f"a spec has numbers, texts, lists and sets, not {value!r}") from None
