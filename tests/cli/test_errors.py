"""What goes wrong gives one clear line on stderr and its exit code."""

import errno
import os
import signal
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import COMMANDS, Entry, tavern
from tavern_abm.data_tables import DataError
from tavern_abm.scenario import Problem, ScenarioError

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "from tavern_abm.cli import main; main()"
# Without the like of PYTHONUNBUFFERED: it is the buffer that makes trouble at the exit.
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
ENVIRONMENT["PYTHONPATH"] = str(ROOT)


@pytest.fixture
def outcome(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], Result]:
    """Run a command `tavern fake` that does what it is given."""

    def run(action: Callable[[], object]) -> Result:
        module = types.ModuleType("tavern_abm.cli.fake")
        module.fake = click.command("fake")(action)  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(COMMANDS, "fake", Entry("fake:fake", "Do as told."))
        return CliRunner().invoke(tavern, ["fake"], prog_name="tavern")

    return run


def raiser(error: BaseException) -> Callable[[], None]:
    def action() -> None:
        raise error

    return action


PROBLEMS = (Problem("inn.toml", 3, "a", "is wrong"), Problem("inn.toml", None, "", "is wrong too"))
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "runs/x/events.parquet")
DENIED = PermissionError(errno.EACCES, "Permission denied", "/closed/run")


@pytest.mark.parametrize(
    ("error", "code", "lines"),
    [
        (ScenarioError(*PROBLEMS), 3, "inn.toml:3: a: is wrong\ninn.toml: is wrong too\n"),
        (DataError("my/trades.toml", "is wrong", line=4), 3, "my/trades.toml:4: is wrong\n"),
        (FULL, 1, "the disk is full: runs/x/events.parquet\n"),
        (OSError(errno.EDQUOT, "Quota exceeded"), 1, "the disk is full\n"),
        (DENIED, 1, "Permission denied: /closed/run\n"),
        (OSError("no errno"), 1, "no errno\n"),
        (KeyboardInterrupt(), 130, "\ninterrupted\n"),
        (click.Abort(), 130, "interrupted\n"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 1, ""),
        (click.exceptions.Exit(3), 3, ""),
        (click.exceptions.Exit(0), 0, ""),
    ],
    ids=repr,
)
def test_code_and_line(
    outcome: Callable[..., Result], error: BaseException, code: int, lines: str
) -> None:
    result = outcome(raiser(error))
    assert result.exit_code == code
    assert result.stderr == lines
    assert result.stdout == ""


def test_a_command_that_ends_well(outcome: Callable[..., Result]) -> None:
    result = outcome(lambda: click.echo("here you are"))
    assert (result.exit_code, result.stdout, result.stderr) == (0, "here you are\n", "")


@pytest.mark.parametrize("error", [ValueError("seat 3 has no dice"), ZeroDivisionError()])
def test_a_fault_of_ours_is_not_hidden(outcome: Callable[..., Result], error: Exception) -> None:
    assert outcome(raiser(error)).exception is error


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("rnu", "did you mean 'run'?"),
        ("chekc", "did you mean 'check'?"),
        ("zzz", "there are run, "),
    ],
)
def test_wrong_command_suggests_the_nearest(name: str, hint: str) -> None:
    result = CliRunner().invoke(tavern, [name], prog_name="tavern")
    assert result.exit_code == 2
    assert f"no such command '{name}'; {hint}" in result.stderr
    assert result.stdout == ""


def test_wrong_option_suggests_the_nearest() -> None:
    result = CliRunner().invoke(tavern, ["check", "--jsno", "x"])
    assert result.exit_code == 2
    assert "--json" in result.stderr


def test_version() -> None:
    result = CliRunner().invoke(tavern, ["--version"])
    assert result.exit_code == 0
    assert result.stdout.startswith("tavern ")


# Commands that write to stdout: one that sees at once that it cannot, and one that leaves
# it to the end of the program to find out.
FAKE = """
import click, sys, types
from tavern_abm.cli import COMMANDS, Entry
@click.command()
def fake():
    {action}
sys.modules["tavern_abm.cli.fake"] = module = types.ModuleType("fake")
module.fake = fake
COMMANDS["fake"] = Entry("fake:fake", "Do as told.")
"""
WRITERS = pytest.mark.parametrize(
    "action", ["click.echo('x')", "print('x')", "print('x' * 99_999)", "print('x', flush=True)"]
)


def fake_process(action: str, **streams: Any) -> subprocess.Popen[str]:
    program = FAKE.format(action=action) + PROGRAM
    command = [sys.executable, "-c", program, "fake"]
    return subprocess.Popen(command, stderr=subprocess.PIPE, env=ENVIRONMENT, text=True, **streams)


@WRITERS
def test_broken_pipe_is_quiet(action: str) -> None:
    process = fake_process(action, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@WRITERS
def test_full_disk_under_stdout(action: str) -> None:
    with Path("/dev/full").open("w") as full:
        process = fake_process(action, stdout=full)
        _, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint) == (1, "the disk is full\n")


@WRITERS
def test_a_closed_stdout_is_quiet(action: str) -> None:
    process = fake_process(action, preexec_fn=lambda: os.close(1))
    _, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(("arguments", "code"), [(["nonsense"], 2), (["check", "none.toml"], 3)])
def test_full_disk_under_stderr(arguments: list[str], code: int) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-c", PROGRAM, *arguments]
        done = subprocess.run(command, stderr=full, env=ENVIRONMENT, check=False, timeout=60)
    assert done.returncode == code


def test_ctrl_c_leaves_no_traceback() -> None:
    action = "click.echo('waiting'); import time; time.sleep(60)"
    process = fake_process(action, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == "waiting\n"
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint.strip()) == (130, "interrupted")
