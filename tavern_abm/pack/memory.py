"""What was told before: a small file, so that the next session repeats nothing.

JSON, with an entry for each set: of which run and night it was, what was asked for, and of
each rumour its wording, head, tail, story and event. Wordings are the same in all runs, so
one file does for a whole campaign.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .. import folders

KIND = "rumours told"
FORMAT = 1


class NoMemoryError(ValueError):
    """A file that remembers no rumours."""


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Told(_Row):
    """A rumour that was told."""

    wording: str
    head: str = ""
    tail: str = ""
    story: Annotated[int, Field(ge=0)]
    event: Annotated[int, Field(ge=0)]


class Session(_Row):
    """A set that was told: ``run`` is the run's own id, ``asked`` what was asked for.

    ``of`` is its scenario, for whoever looks for the set; older files do not say.
    """

    run: str
    of: str = ""
    night: int
    asked: dict[str, Any] = Field(default_factory=dict)
    told: list[Told]


class _File(_Row):
    kind: Literal["rumours told"]
    format: Literal[1]
    sessions: list[Session]


@dataclass(frozen=True)
class Memory:
    """Sets that were told, the oldest first."""

    sessions: tuple[Session, ...] = ()

    @property
    def wordings(self) -> frozenset[str]:
        """Ids of all wordings told."""
        return frozenset(told.wording for session in self.sessions for told in session.told)

    @property
    def lines(self) -> Mapping[str, int]:
        """How often each head and tail was told."""
        told = (each for session in self.sessions for each in session.told)
        lines = (line for each in told for line in (each.head, each.tail))
        return Counter(line for line in lines if line)

    def sources(self, run: str) -> Mapping[int, int]:
        """How often each event of a run was told of; less than 0 for stories made up."""
        own = (session.told for session in self.sessions if session.run == run)
        return Counter(each.event or -each.story for told in own for each in told)

    def and_then(self, session: Session) -> Memory:
        """With one set more."""
        return Memory((*self.sessions, session))

    def about_last(self, run: str) -> str:
        """Of which run and night the last set is, in words."""
        if not self.sessions:
            return "it holds none yet: leave --again out"
        last = self.sessions[-1]
        whose = "this run" if last.run == run else last.of or "another run"
        return f"the last set in it is of {whose}, night {last.night}"

    def before_last(self, run: str, asked: Mapping[str, Any]) -> Memory | None:
        """Without the last set, if that was what was asked for just so; else None."""
        last = self.sessions[-1] if self.sessions else None
        if last is None or last.run != run or last.asked != dict(asked):
            return None
        return Memory(self.sessions[:-1])


def read_memory(file: Path) -> Memory:
    """Read what was told; a file that is not there yet remembers nothing.

    Raises
    ------
    NoMemoryError
        If it is something else, or cannot be read.
    """
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        return Memory(tuple(_File.model_validate(document).sessions))
    except FileNotFoundError:
        return Memory()
    except (OSError, ValueError, RecursionError) as error:
        raise NoMemoryError(_problem(file, error)) from None


def _problem(file: Path, error: Exception) -> str:
    what = "holds no rumours told"
    if isinstance(error, OSError):
        what = f"cannot be read ({error.strerror})"
    elif isinstance(error, ValidationError):
        where = ".".join(map(str, error.errors()[0]["loc"]))
        what = f"holds no rumours told ({where or 'it'} is not as we write it)"
    return f"'{file}' {what}; name another file, or one that is not there yet"


def write_memory(file: Path, memory: Memory) -> None:
    """Write it aside and move it into place.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    document = {
        "kind": KIND,
        "format": FORMAT,
        "sessions": [session.model_dump() for session in memory.sessions],
    }
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    folders.put_file(file, text.encode())


def session_of(
    run: str, night: int, asked: Mapping[str, Any], told: Iterable[Told], of: str = ""
) -> Session:
    """A set that was told."""
    return Session(run=run, of=of, night=night, asked=dict(asked), told=list(told))
