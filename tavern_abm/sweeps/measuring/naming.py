"""Names and digests by which a store finds again what was played."""

from __future__ import annotations

import hashlib
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from ..errors import SweepError


def canonical(value: Any) -> str:
    """Plain data as one text: the same for the same data, whatever the order of keys.

    Examples
    --------
    >>> import numpy as np
    >>> canonical({"b": np.int64(2), "a": (1.5, True)})
    '{"a":[1.5,true],"b":2}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=_plain)


def _plain(value: Any) -> Any:
    """What JSON does not know, as it does: NumPy's numbers and arrays, paths, models."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_unset=True)
    return str(value)


def name_of(thing: Any) -> str:
    """The name by which a function or class can be imported again.

    Examples
    --------
    >>> name_of(canonical)
    'tavern_abm.sweeps.measuring.naming:canonical'
    """
    return f"{thing.__module__}:{thing.__qualname__}"


def imported(name: str, kind: str) -> object:
    """What is called ``module:name``; modules in the current folder are found as well.

    Raises
    ------
    SweepError
        If it cannot be imported.
    """
    module, _, names = name.partition(":")
    if module == "__main__":
        text = f"the {kind} {name} of this sweep is of a script; put it into a module"
        raise SweepError(f"{text}, so that it can be imported again")
    try:
        thing: Any = _module(module)
        for each in names.split("."):
            thing = getattr(thing, each)
    except (ImportError, AttributeError) as error:
        raise SweepError(f"the {kind} {name} of this sweep cannot be imported: {error}") from None
    return cast(object, thing)


def _module(module: str) -> Any:
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        here = str(Path.cwd())
        if error.name != module.partition(".")[0] or here in sys.path:
            raise
        sys.path.append(here)  # a command of ours has not got it, as `python` itself has
        return import_module(module)


def source_digest_of(function: Any) -> str | None:
    """SHA-256 of the text of a function; None where there is none to be had."""
    import inspect

    try:
        return hashlib.sha256(inspect.getsource(function).encode()).hexdigest()
    except (OSError, TypeError):
        return None
