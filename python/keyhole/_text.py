"""Specs: the texts that name sets and learners, made from Python values."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ._keyhole import Set


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
    parts = [_value(argument) for argument in arguments]
    parts += [f"{key}={_value(value)}" for key, value in named.items() if value is not None]
    return f"{name}({', '.join(parts)})"


def _value(value: Any) -> str:
    if isinstance(value, Set):
        return value._text
    if isinstance(value, Bare):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return float.__repr__(float(value))
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(each) for each in value) + "]"
    if isinstance(value, np.ndarray):
        return _value(value.tolist())
    return str(operator.index(value))
