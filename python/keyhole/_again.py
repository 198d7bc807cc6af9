"""What pickles call: functions of Python, since those of an extension module cannot be pickled."""

from __future__ import annotations

from typing import Any

from . import _keyhole


def learner(kind: Any, on: Any, spec: str, options: dict[str, Any], state: bytes) -> Any:
    """A learner made again, with its state."""
    result = kind(on, spec, **options)
    result.restore(state)
    return result


def own_set(*arguments: Any) -> _keyhole.Set:
    """A set made again from functions."""
    return _keyhole.own_set(*arguments)
