"""Help and wrong usage load nothing heavy, and every command can be found."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tavern_abm.cli import COMMANDS, tavern

HEAVY = {"mesa", "numba", "pandas", "numpy", "pydantic", "plotly", "pyarrow", "scipy", "networkx"}
PROGRAM = """
import sys
from tavern_abm.cli import main
try:
    main()
finally:
    print(*sorted(name for name in sys.modules if "." not in name), file=sys.stderr)
"""


def run(*arguments: str) -> tuple[subprocess.CompletedProcess[str], set[str]]:
    """Run `tavern` in a process of its own; gives the result and the modules it loaded."""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    return done, set(done.stderr.splitlines()[-1].split())


def test_the_check_below_would_notice() -> None:
    done, loaded = run("check", "rusty-flagon")
    assert done.returncode == 0
    assert "pydantic" in loaded


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--help"], 0),
        (["-h"], 0),
        (["--version"], 0),
        ([], 2),
        (["rnu"], 2),
        (["--nights", "3"], 2),
        (["check"], 2),
        (["check", "--jsn", "x"], 2),
        (["new"], 2),
        (["scenarios", "orc"], 2),
        (["scenarios"], 0),
    ],
    ids=str,
)
def test_light_answers(arguments: list[str], code: int) -> None:
    done, loaded = run(*arguments)
    assert done.returncode == code
    assert loaded & HEAVY == set()


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(("option", "code"), [("--help", 0), ("--no-such-option", 2)])
def test_help_and_wrong_usage_of_every_command_are_light(name: str, option: str, code: int) -> None:
    done, loaded = run(name, option)
    assert done.returncode == code
    assert loaded & HEAVY == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_under_its_name(name: str) -> None:
    command = tavern.get_command(click.Context(tavern), name)
    assert isinstance(command, click.Command)
    assert command.name == name
    assert command.help
    assert [p.name for p in command.params if isinstance(p, click.Option) and not p.help] == []


def test_help_lists_every_command_with_its_line() -> None:
    done, _ = run("--help")
    for name, entry in COMMANDS.items():
        assert f"  {name} " in done.stdout
        assert entry.help in done.stdout
    assert "--version" in done.stdout
