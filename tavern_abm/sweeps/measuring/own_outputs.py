"""Outputs of one's own: functions of a model that has been played, from a Python file."""

from __future__ import annotations

import hashlib
import linecache
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..errors import SweepError

if TYPE_CHECKING:
    from ...model import TavernModel
    from ..outputs import Configuration

__all__ = ["OwnOutput", "number_of", "own_files", "own_sources", "read_own"]

OWN = "own"
"""The folder, in that of a sweep, of what is a user's own."""
_OWN = re.compile(r"(?P<file>.+\.py):(?P<function>\w+)")


@dataclass(frozen=True)
class OwnOutput:
    """A function of the model that gives a number, with the text of its file.

    The text travels with the configuration: workers on other machines need no file, and
    what is done with the file later changes nothing of a sweep that has begun.

    Attributes
    ----------
    name : str
        Of the column: that of the function.
    file : str
        Name of the file, without its folder.
    source : str
        The text of the file.
    path : str
        Where it was read; no part of what tells one output from another.
    """

    name: str
    file: str
    source: str
    path: str = ""

    def __call__(self, model: TavernModel) -> float:
        """The number for a model after its last night.

        Raises
        ------
        TypeError
            If the function gives no number.
        """
        function = _function(self.source, self.path or self.file, self.name)
        return number_of(function(model), f"{self.file}:{self.name}")

    def document(self) -> dict[str, str]:
        """What tells it from others."""
        return {"name": self.name, "file": self.file, "source": self.source}

    @classmethod
    def from_document(cls, document: Mapping[str, str]) -> Self:
        """The output that a document tells of."""
        return cls(document["name"], document["file"], document["source"])


def is_own(name: str) -> bool:
    """Whether an output is one of the user's.

    Examples
    --------
    >>> is_own("mine.py:delay"), is_own("gini:mean")
    (True, False)
    """
    return _OWN.fullmatch(name) is not None


def read_own(
    outputs: Sequence[str], known: Iterable[OwnOutput] = (), folder: Path | None = None
) -> tuple[tuple[str, ...], tuple[OwnOutput, ...]]:
    """Read the files of a user's own outputs.

    Parameters
    ----------
    outputs : sequence of str
        As a design names them: ``"gini"``, ``"mine.py:delay"``.
    known : iterable of OwnOutput
        Those that have been read already.
    folder : Path, optional
        From where the files are seen; the current folder if it is not given.

    Returns
    -------
    names : tuple of str
        The columns: ``"gini"``, ``"delay"``.
    own : tuple of OwnOutput
        The known ones and those read.

    Raises
    ------
    SweepError
        If there is no such file, it cannot be run, or has no such function.
    """
    own = {each.name: each for each in known}
    names = []
    for output in outputs:
        found = _OWN.fullmatch(output)
        if found is None:
            names.append(output)
            continue
        each = _read((folder or Path()) / found["file"], found["function"], output)
        if own.setdefault(each.name, each).source != each.source:
            raise SweepError(f"output {output!r}: another function of that name is there already")
        names.append(each.name)
    _verify_files(own.values())
    return tuple(names), tuple(own.values())


def own_sources(configuration: Configuration) -> dict[str, str]:
    """The text of every file of own outputs, by the name of the file."""
    return {each.file: each.source for each in getattr(configuration, "own", ())}


def own_files(configuration: Configuration) -> list[Path]:
    """The files of own outputs that are still where they were read, each once."""
    paths = [each.path for each in getattr(configuration, "own", ()) if each.path]
    return [path for path in map(Path, dict.fromkeys(paths)) if path.is_file()]


def number_of(value: Any, what: str) -> float:
    """A value as a number.

    Raises
    ------
    TypeError
        If it is none.

    Examples
    --------
    >>> number_of(True, "delay"), number_of(3, "delay")
    (1.0, 3.0)
    >>> number_of("3", "delay")
    Traceback (most recent call last):
    TypeError: delay must be a number (got '3')
    """
    if isinstance(value, str | bytes) or value is None:
        raise TypeError(f"{what} must be a number (got {value!r})")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what} must be a number (got {value!r})") from None


def _read(path: Path, function: str, output: str) -> OwnOutput:
    try:
        source = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SweepError(f"output {output!r}: no such file", path) from None
    except (OSError, ValueError) as error:
        raise SweepError(f"output {output!r}: it cannot be read ({error})", path) from None
    own = OwnOutput(function, path.name, source, str(path.resolve()))
    try:
        _function(source, own.path, function)
    except AttributeError as error:
        raise SweepError(f"output {output!r}: {error}", path) from None
    except Exception as error:
        text = f"output {output!r}: the file cannot be run ({type(error).__name__}: {error})"
        raise SweepError(text, path, _line_of(error, own.path)) from None
    return own


def _line_of(error: Exception, path: str) -> int | None:
    """The line of a user's file at which it broke."""
    if isinstance(error, SyntaxError):
        return error.lineno
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _verify_files(own: Iterable[OwnOutput]) -> None:
    """Two files of one name could not both stand in a store."""
    sources: dict[str, str] = {}
    for each in own:
        if sources.setdefault(each.file, each.source) != each.source:
            text = f"two different files of own outputs are called {each.file!r}; rename one"
            raise SweepError(text)


def _function(source: str, path: str, name: str) -> Callable[[TavernModel], Any]:
    names = _run(source, path)
    function = names.get(name)
    if not callable(function):
        there = [each for each, thing in names.items() if _is_of(thing, names["__name__"])]
        raise AttributeError(f"no function {name!r} in it (there are: {', '.join(there)})")
    return function  # type: ignore[no-any-return]


def _is_of(thing: Any, module: str) -> bool:
    return callable(thing) and getattr(thing, "__module__", None) == module


@lru_cache(maxsize=64)
def _run(source: str, path: str) -> dict[str, Any]:
    """The names of a file that has been run, once in each process."""
    mark = hashlib.sha256(source.encode()).hexdigest()[:12]
    names: dict[str, Any] = {"__name__": f"own_outputs_{mark}", "__file__": path}
    # Tracebacks show the text that was run, whatever has become of the file.
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    exec(compile(source, path, "exec"), names)  # the user's own file, as he asked
    return names
