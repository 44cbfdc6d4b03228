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
    bar.total(20, 4)
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


def test_a_log_of_a_death_before_any_run_has_ended() -> None:
    file = io.StringIO()
    log = Log(file, seconds=0.0)
    log.begin(10, 4)
    log.advance(0, 0)
    assert file.getvalue() == "4 of 10 runs\n"


def test_what_later_rounds_find_played_is_no_work() -> None:
    screen = Terminal()
    bar, log = Bar(screen), Log(io.StringIO(), seconds=0.0)
    for each in (bar, log):
        each.begin(10, 4)
        each.advance(6, 0)
        each.total(20, 9)
        each.advance(5, 0)
    assert (bar._bar.n, bar._bar.initial, bar._bar.total) == (20, 9, 20)
    bar.end()
    assert log._line(11.0) == "20 of 20 runs, about 0.0 s left"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.04, "0.0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (3600, "1 h 0 min"), (86400, "1 d 0 h")],
)
def test_times(seconds: float, text: str) -> None:
    assert duration(seconds) == text
