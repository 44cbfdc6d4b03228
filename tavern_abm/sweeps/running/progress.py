"""How far a sweep is: a bar on a terminal, a line now and then in a log."""

from __future__ import annotations

import sys
import time
from typing import Any, Protocol, TextIO

LOG_SECONDS = 60.0
"""In a log there is a line so often."""


class Progress(Protocol):
    """What is told how far a sweep is."""

    def begin(self, total: int, before: int) -> None:
        """So many runs in all, of which earlier sessions have played some."""
        ...

    def total(self, total: int, before: int) -> None:
        """There are more runs than was known, and of them earlier sessions have played some."""
        ...

    def advance(self, done: int, failed: int) -> None:
        """So many more runs have ended, some of which failed."""
        ...

    def say(self, text: str) -> None:
        """A line for the user."""
        ...

    def end(self) -> None:
        """The session is over."""
        ...


class Silent:
    """Tells nothing."""

    def begin(self, total: int, before: int) -> None:
        """Nothing."""

    def total(self, total: int, before: int) -> None:
        """Nothing."""

    def advance(self, done: int, failed: int) -> None:
        """Nothing."""

    def say(self, text: str) -> None:
        """Nothing."""

    def end(self) -> None:
        """Nothing."""


class Bar:
    """A bar with the time that is left, where there is a terminal, and failures counted.

    Parameters
    ----------
    file : text file, optional
        stderr unless another one is given.
    """

    def __init__(self, file: TextIO | None = None) -> None:
        self._file = file if file is not None else sys.stderr
        self._bar: Any = None
        self._before = self._failed = 0

    def begin(self, total: int, before: int) -> None:
        """Show the bar."""
        from tqdm import tqdm

        self._before = before
        self._bar = tqdm(
            total=total, initial=before, unit="run", file=self._file, leave=False, smoothing=0.05
        )

    def total(self, total: int, before: int) -> None:
        """Make it longer."""
        if self._bar is None or (total, before) == (self._bar.total, self._before):
            return
        self._bar.total = total
        self._bar.initial += before - self._before  # has taken no time
        self._bar.n += before - self._before
        self._before = before
        self._bar.refresh()

    def advance(self, done: int, failed: int) -> None:
        """Move on."""
        if self._bar is None:
            return
        self._failed += failed
        if failed:
            self._bar.set_postfix(failed=self._failed, refresh=False)
        self._bar.update(done + failed)

    def say(self, text: str) -> None:
        """Print a line above it."""
        from tqdm import tqdm

        tqdm.write(text, file=self._file)

    def end(self) -> None:
        """Take it away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class Log:
    """A line now and then: for logs of array jobs, where a bar would fill pages.

    Parameters
    ----------
    file : text file, optional
        stderr unless another one is given.
    seconds : float
        From one line to the next.
    """

    def __init__(self, file: TextIO | None = None, seconds: float = LOG_SECONDS) -> None:
        self._file, self._seconds = file, seconds
        self._total = self._before = self._ended = self._failed = 0
        self._began = self._last = time.monotonic()

    def begin(self, total: int, before: int) -> None:
        """Take the time."""
        self._total, self._before = total, before
        self._began = self._last = time.monotonic()

    def total(self, total: int, before: int) -> None:
        """Remember it."""
        self._total, self._before = total, before

    def advance(self, done: int, failed: int) -> None:
        """Print a line, if it is time."""
        self._ended += done + failed
        self._failed += failed
        now = time.monotonic()
        if now - self._last >= self._seconds:
            self._last = now
            self.say(self._line(now - self._began))

    def say(self, text: str) -> None:
        """Print a line."""
        print(text, file=self._file or sys.stderr, flush=True)

    def end(self) -> None:
        """Nothing."""

    def _line(self, seconds: float) -> str:
        there = self._before + self._ended
        failed = f" ({self._failed} failed)" if self._failed else ""
        line = f"{there:,} of {self._total:,} runs{failed}"
        if not self._ended:  # of what takes its time nothing is known
            return line
        left = seconds / self._ended * (self._total - there)
        return f"{line}, about {duration(left)} left"


def progress_for(file: TextIO | None = None) -> Progress:
    """A bar on a terminal, else lines; nothing where there is no stderr."""
    file = file if file is not None else sys.stderr
    if file is None:
        return Silent()
    return Bar(file) if file.isatty() else Log(file)


def duration(seconds: float) -> str:
    """A time in words that fit its size.

    Examples
    --------
    >>> duration(0.4), duration(75), duration(4000), duration(400_000)
    ('0.4 s', '1 min 15 s', '1 h 6 min', '4 d 15 h')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    for size, name, part, part_name in ((60, "min", 1, "s"), (3600, "h", 60, "min")):
        if whole < size * (60 if size == 60 else 24):
            return f"{whole // size} {name} {whole % size // part} {part_name}"
    return f"{whole // 86400:,} d {whole % 86400 // 3600} h"
