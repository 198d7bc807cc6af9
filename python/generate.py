#!/usr/bin/env python3
"""usage: generate.py [--check]

Writes python/keyhole/sets.py and learners.py: a function for each set and learner of the catalogue,
with its parameters, defaults and docstring. With --check it only looks whether they are up to date.
Needs the package to be installed.
"""

import keyword
import pathlib
import sys
import textwrap

from keyhole import _keyhole

FOLDER = pathlib.Path(__file__).parent / "keyhole"

HEADER = {
    "set": '''"""A function for each set of the catalogue. Written by python/generate.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._keyhole import Set
from ._text import spec

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
''',
    "learner": '''"""A function for each learner of the catalogue: the spec of the algorithm, for a Learner.

Written by python/generate.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ._text import Bare, spec

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
''',
}

TYPES = {"number": "float", "whole": "int", "seed": "int", "flag": "bool",
         "coordinates": "ArrayLike", "numbers": "ArrayLike", "rows": "ArrayLike", "text": "str",
         "set": "Set", "sets": "Set", "learner": "str"}

WORDS = {"whole": "whole number", "seed": "whole number", "flag": "true or false",
         "coordinates": "number, or one for each coordinate", "numbers": "list of numbers",
         "rows": "list of lists of numbers", "learner": "spec of a learner"}


def python_name(parameter):
    name = parameter["name"]
    return name + "_" if keyword.iskeyword(name) else name


def python_default(parameter):
    if parameter["absent"] == "is_told":
        return "None"
    value = parameter["default"]
    if parameter["type"] == "flag":
        return value.capitalize()
    if parameter["type"] in ("word", "text"):
        return f'"{value}"'
    return "()" if value == "[]" else value


def declared(parameter):
    kind = parameter["type"]
    words = ", ".join(f'"{word}"' for word in parameter["words"])
    hint = f"Literal[{words}]" if kind == "word" else TYPES[kind]
    if parameter["absent"] == "is_told":
        hint += " | None"
    text = f"{python_name(parameter)}: {hint}"
    if kind == "sets":
        return "*" + text
    return text if parameter["absent"] == "refused" else f"{text} = {python_default(parameter)}"


def passed(parameter):
    name, value = parameter["name"], python_name(parameter)
    if parameter["type"] == "sets":
        return "*" + value
    if parameter["type"] in ("word", "learner"):
        value = f"Bare({value})"
    return f"{name}={value}" if name == python_name(parameter) else f'**{{"{name}": {value}}}'


def call(head, parts, tail):
    """head(part, part)tail, on one line or with a line for each part."""
    line = f"{head}({', '.join(parts)}){tail}"
    if len(line) <= 99:
        return line
    indent = " " * (len(head) - len(head.lstrip()))
    return f"{head}(\n" + "".join(f"{indent}    {part},\n" for part in parts) + f"{indent}){tail}"


def docstring(entry):
    summary = entry["summary"].replace("\\", "\\\\")
    lines = [f'"""{summary}.']
    if entry["capabilities"]:
        lines += ["", textwrap.fill("Capabilities: " + ", ".join(entry["capabilities"]) + ".", 94)]
    if entry["parameters"]:
        lines += ["", "Parameters", "----------"]
    for parameter in entry["parameters"]:
        kind = WORDS.get(parameter["type"], parameter["type"])
        if parameter["words"]:
            kind = "one of " + ", ".join(parameter["words"])
        about = [kind, parameter["range"]]
        if parameter["absent"] == "is_told":
            about.append("default: " + parameter["default"])
        lines.append(f"{python_name(parameter)} : {', '.join(filter(None, about))}")
        lines.append(textwrap.fill(parameter["meaning"], 90, initial_indent="    ",
                                   subsequent_indent="    "))
    return textwrap.indent("\n".join([*lines, '"""']), "    ")


def function(entry):
    parameters = entry["parameters"]
    result = "Set" if entry["kind"] == "set" else "str"
    made = [f'"{entry["name"]}"', *map(passed, parameters)]
    head, tail = ("    return Set(spec", ")") if result == "Set" else ("    return spec", "")
    return "\n".join([call(f"def {entry['name']}", list(map(declared, parameters)),
                           f" -> {result}:"),
                      docstring(entry), call(head, made, tail)])


def module(kind):
    entries = [entry for entry in _keyhole.catalogue() if entry["kind"] == kind]
    names = ", ".join(f'"{entry["name"]}"' for entry in entries)
    all_ = "__all__ = [\n" + textwrap.fill(names, 95, initial_indent="    ",
                                           subsequent_indent="    ") + ",\n]\n"
    return "\n\n\n".join([HEADER[kind] + "\n" + all_.strip(), *map(function, entries)]) + "\n"


def main():
    stale = []
    for kind in ("set", "learner"):
        path = FOLDER / f"{kind}s.py"
        text = module(kind)
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            stale.append(f"{path} is not what python/generate.py writes")
    sys.exit("\n".join(stale) or 0)


main()
