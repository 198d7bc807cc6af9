"""Sets, problems and algorithms of your own by name, next to the built-ins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ._keyhole import InvalidArgument, Set, _Catalogue

if TYPE_CHECKING:
    import inspect

    from ._algorithms import Algorithm
    from ._problems import Problem

__all__ = ["Catalogue"]

_KINDS = {"float": "number", "int": "whole", "bool": "flag", "str": "text", "Set": "set",
          "list": "numbers", "tuple": "numbers"}
_FROM_THE_PROBLEM = {"loss_bound": "number", "gradient_bound": "number", "horizon": "whole"}


class Catalogue:
    """What the specs of an Experiment can name: the built-ins, and what you add.

    Each is added by a name and by what makes it when it is called: a class or a function. Its
    parameters can be given in a spec, `mine(step=0.1)`, if their default or annotation is a float,
    an int, a bool, a str, a list of numbers or (the annotation) a Set.
    """

    def __init__(self) -> None:
        self._catalogue = _Catalogue()
        self._names: list[str] = []

    def add_set(self, name: str, make: Set | Callable[..., Set]) -> None:
        """A set, or what makes one: make(**parameters)."""
        if isinstance(make, Set):
            made = make
            self._add("set", name, lambda: made, 0)
        else:
            self._add("set", name, make, 0)

    def add_problem(self, name: str, make: Callable[..., Problem]) -> None:
        """What makes a problem: make(**parameters). It is called once in each repeat."""
        self._add("problem", name, make, 0)

    def add_algorithm(self, name: str, make: Callable[..., Algorithm]) -> None:
        """What makes an algorithm: make(set, **parameters).

        Parameters that are called loss_bound, gradient_bound and horizon are taken from the problem
        and the length of the run, unless the spec gives them.
        """
        self._add("learner", name, make, 1)

    def __contains__(self, name: object) -> bool:
        """Whether something of that name was added."""
        return name in self._names

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<keyhole.Catalogue: the built-ins, {', '.join(self._names) or 'nothing else'}>"

    def _copy(self) -> Catalogue:
        copy = Catalogue()
        copy._catalogue, copy._names = self._catalogue.copy(), list(self._names)
        return copy

    def _add(self, kind: str, name: str, make: Callable[..., Any], first: int) -> None:
        if not callable(make):
            raise TypeError(f"{name}: what makes it must be a class or a function, not "
                            f"{type(make).__name__}")
        summary = ((make.__doc__ or "").strip() or "of your own").splitlines()[0].rstrip(".")
        self._catalogue.add(kind, name, summary, _parameters(name, make, first), make)
        self._names.append(name)


def _parameters(name: str, make: Callable[..., Any],
                first: int) -> list[tuple[str, str, str | None]]:
    """The name, the type and the default in words of each that a spec can give."""
    import inspect

    found: list[tuple[str, str, str | None]] = []
    given: Sequence[inspect.Parameter] = list(inspect.signature(make).parameters.values())
    for parameter in given[first:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        kind = _kind(parameter)
        required = parameter.default is parameter.empty
        if kind is not None:
            default = None if required else repr(parameter.default)
            found.append((parameter.name, kind, default))
        elif required:
            raise InvalidArgument(
                f"{name}: a spec cannot give the parameter '{parameter.name}': annotate it as a "
                f"float, int, bool, str, list or Set, or give it a default")
    return found


def _kind(parameter: inspect.Parameter) -> str | None:
    if parameter.name in _FROM_THE_PROBLEM:
        return _FROM_THE_PROBLEM[parameter.name]
    if parameter.annotation is not parameter.empty:
        annotation = parameter.annotation
        text = annotation if isinstance(annotation, str) else annotation.__name__
        return _KINDS.get(text.split("[")[0].split(".")[-1])
    return _KINDS.get(type(parameter.default).__name__)
