"""The functions of the extension module: their signatures, and what is wrong with a call."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from types import BuiltinFunctionType
from typing import Any, NamedTuple

import numpy as np

_WORDS = {"int": "a whole number", "float": "a number", "bool": "True or False", "str": "a text",
          "bytes": "bytes", "dict": "a dict", "list": "a list", "List": "a list",
          "numpy.ndarray": "numbers", "Callable": "a function"}


class _Parameter(NamedTuple):
    name: str
    #: As pybind11 names it; empty for *, *args and **kwargs.
    type: str
    default: str | None


#: How each function is called, and its parameters, by its id: it lives as long as the module.
_known: dict[int, tuple[str, list[_Parameter]]] = {}


def adopt(module: Any) -> None:
    """Gives the functions of the module signatures that Python reads, and has wrong calls said."""
    for owner in [module, *(each for each in vars(module).values() if isinstance(each, type))]:
        for name, member in list(vars(owner).items()):
            function = getattr(member, "__func__", member)
            line, _, rest = (getattr(function, "__doc__", None) or "").partition("\n")
            if not isinstance(function, BuiltinFunctionType) or not line.startswith(f"{name}("):
                continue
            parameters = list(_parameters(line))
            of = "" if owner is module else owner.__name__.lstrip("_")
            _known[id(function)] = (of if name == "__init__" else f"{of}.{name}" if of else name,
                                    parameters)
            module._document(function, f"{name}({_signature(parameters)})\n--\n\n{rest.strip()}")
            if name == "__init__":
                module._document_type(owner, f"{of}({_signature(parameters[1:])})\n--\n\n")


def _parameters(line: str) -> Iterator[_Parameter]:
    """Those of a line such as "ask(self: Learner, count: int = 3) -> Play", as pybind11 writes it."""
    depth, quote, part = 0, "", ""
    for letter in line[line.index("(") + 1:]:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        if depth < 0 or (letter == "," and depth == 0 and not quote):
            found = re.fullmatch(r"\s*([*\w]+)(?:: (.*?))?(?: = (.*))?", part)
            if found:
                yield _Parameter(found[1], found[2] or "", found[3])
            part = ""
            if depth < 0:
                return
        else:
            part += letter


def _signature(parameters: list[_Parameter]) -> str:
    return ", ".join(name if default is None else f"{name}={default}"
                     for name, _, default in parameters)


def refusal(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception:
    """What is to be raised for a call that does not fit."""
    where, parameters = _known.get(id(function), ("this call", []))
    return _refusal(where, [each for each in parameters if each.name != "self"],
                    args[1:] if parameters and parameters[0].name == "self" else args, kwargs)


def _refusal(where: str, parameters: list[_Parameter], args: tuple[Any, ...],
             kwargs: dict[str, Any]) -> Exception:
    from ._keyhole import InvalidArgument

    named = [each for each in parameters if not each.name.startswith("*")]
    names = [each.name for each in named]
    stars = [each.name for each in parameters if each.name.startswith("*")]
    order = names[:[each.name for each in parameters].index("*")] if "*" in stars else names
    if len(args) > len(order) and "*args" not in stars:
        by_name = f"; by name {', '.join(names[len(order):])}" if len(order) < len(names) else ""
        return TypeError(f"{where}() takes {', '.join(order) or 'no arguments'}{by_name}: "
                         f"{len(args)} were given")
    given = {**dict(zip(order, args)), **kwargs}
    for name in kwargs:
        if name not in names and "**kwargs" not in stars:
            near = difflib.get_close_matches(name, names, 1)
            meant = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(names) or 'none'}"
            return TypeError(f"{where}() has no argument {name!r}: {meant}")
    for each in named:
        if each.name not in given:
            if each.default is None:
                return TypeError(f"{where}() needs {each.name!r}")
            continue
        value = given[each.name]
        if not _fits(value, each.type):
            return TypeError(f"{where}(): {each.name} must be {_words(each.type)}, not "
                             f"{_shown(value)}")
    for each in named:
        value = given.get(each.name)
        if each.type in ("int", "Optional[int]") and value is not None and not (
                0 <= value.__index__() < 2**63):
            return InvalidArgument(f"{where}(): {each.name} must be a whole number that is not "
                                   f"below 0 or too large, not {_shown(value)}")
    return TypeError(f"{where}() cannot take what it was given: see help()")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"a {type(value).__name__}"


def _words(kind: str) -> str:
    found = re.fullmatch(r"Optional\[(.*)\]", kind)
    if found:
        return _words(found[1]) + " or None"
    found = re.fullmatch(r"(?:List|Sequence)\[(.*)\]", kind)
    if found:
        return "a list of " + {"str": "texts", "float": "numbers", "int": "whole numbers"}.get(
            found[1], "such as help() shows")
    base = kind.partition("[")[0]
    return _WORDS.get(base, "a " + base.replace("_keyhole.", ""))


def _fits(value: Any, kind: str) -> bool:
    """Whether a value is of a type; where that cannot be told, it is."""
    found = re.fullmatch(r"Optional\[(.*)\]", kind)
    if found:
        return value is None or _fits(value, found[1])
    found = re.fullmatch(r"(?:List|Sequence)\[(.*)\]", kind)
    if found:
        return (not isinstance(value, (str, bytes)) and hasattr(value, "__iter__")
                and all(_fits(each, found[1]) for each in value))
    if kind == "int":
        return hasattr(value, "__index__")
    if kind == "float":
        return hasattr(value, "__float__") or hasattr(value, "__index__")
    if kind == "bool":
        return type(value).__name__ in ("bool", "bool_")
    if kind in ("str", "bytes", "dict", "list"):
        return isinstance(value, {"str": str, "bytes": bytes, "dict": dict, "list": list}[kind])
    if kind.startswith("Callable"):
        return callable(value)
    if kind.startswith("numpy.ndarray"):
        try:
            return np.asarray(value, dtype=float).dtype == float
        except (TypeError, ValueError):
            return False
    if kind.startswith("keyhole._keyhole."):
        return kind.rpartition(".")[2] in [base.__name__ for base in type(value).__mro__]
    return True
