"""How far it is: a bar for whoever looks, a line now and then for a log."""

import io
import time

import pytest

from tavern_abm.sweeps.running.progress import Bar, Log, duration, progress_for


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_terminal_and_lines_elsewhere() -> None:
    assert isinstance(progress_for(Terminal()), Bar)
    assert isinstance(progress_for(io.StringIO()), Log)


def test_the_bar_counts_failures_and_what_was_there() -> None:
    screen = Terminal()
    bar = Bar(screen)
    bar.begin(10, 4)
    bar.advance(2, 1)
    bar.total(20)
    bar.say("a line above it")
    assert "a line above it\n" in screen.getvalue()
    assert "7/20" in screen.getvalue()
    assert "failed=1" in screen.getvalue()
    bar.end()


def test_a_log_has_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    file = io.StringIO()
    log = Log(file, seconds=60.0)
    log.begin(1000, 100)
    for now in (10.0, 30.0, 61.0, 70.0, 122.0):  # noqa: B007 - the clock reads it
        log.advance(49, 1)
    log.end()
    assert file.getvalue().splitlines() == [
        "250 of 1,000 runs (3 failed), about 5 min 5 s left",
        "350 of 1,000 runs (5 failed), about 5 min 17 s left",
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.04, "0.0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (3600, "1 h 0 min"), (86400, "1 d 0 h")],
)
def test_times(seconds: float, text: str) -> None:
    assert duration(seconds) == text
