"""What a set and an algorithm must satisfy, and whether one of your own does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ._algorithms import Algorithm
from ._keyhole import Set, _check_algorithm, _check_set

__all__ = ["Report", "check_algorithm", "check_set"]


@dataclass(frozen=True)
class Report:
    """What the checks found. A finding is a broken promise; a report without one is no proof."""

    #: The checks that ran, in order, and what each found; empty if nothing.
    checks: dict[str, str]

    @property
    def findings(self) -> dict[str, str]:
        """The checks that found something."""
        return {check: message for check, message in self.checks.items() if message}

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def __str__(self) -> str:
        return "\n".join(f"{check} FAILED: {message}" if message else f"{check} ok"
                         for check, message in self.checks.items())


def check_set(set: Set, *, seed: int = 1, directions: int = 200, polytope: bool = False) -> Report:
    """Checks a set against the contract of sets; the names of the checks are in testing.h.

    `directions` is how many random directions are tried, drawn from `seed`. With `polytope` every answer of the oracle
    must be a vertex.
    """
    return Report(_check_set(set, seed, directions, polytope))


def check_algorithm(make: Callable[[Set], Algorithm], set: Set, *, rounds: int = 40, seed: int = 1,
                    random: bool = True, learns: bool = True) -> Report:
    """Checks an algorithm, which make(set) makes, against the contract of learners.

    The time taken grows with the square of the rounds. `seed` is that of the learners. Say whether it
    draws at `random`, and whether it `learns`: whether its losses shape its plays.
    """
    return Report(_check_algorithm(make, set, rounds, seed, random, learns))
