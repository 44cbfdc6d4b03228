"""Kinds of argument that several commands read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

MAX_NIGHTS = 1_000_000
MAX_SEED = 2**63 - 1
MAX_THREADS = 256
MAX_JOBS = 1024
MAX_REPLICATES = 1_000_000


class Kind(click.ParamType):  # type: ignore[type-arg]  # generic only from click 8.5 on
    """A kind of argument of our own."""


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number; what is none is told in plain words."""
        try:
            int(value)
        except ValueError:
            self.fail(f"'{value}' is not a whole number", param, ctx)
        number: int = super().convert(value, param, ctx)
        return number


class Setting(Kind):
    """A field of the scenario and its value."""

    name = "path=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See that there is a path; what it says is for the scenario to judge."""
        path, equals, _ = str(value).partition("=")
        if not equals or not path.strip():
            self.fail(f"'{value}' is no setting; write it like taverns.0.rake_bp=500", param, ctx)
        return str(value)


class Threads(WholeNumber):
    """How many threads: a number, or ``auto``."""

    name = "auto|number"

    def __init__(self) -> None:
        super().__init__(1, MAX_THREADS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number, if it is one."""
        return value if value == "auto" else super().convert(value, param, ctx)


class Jobs(WholeNumber):
    """How many processes: a number, or ``auto``."""

    name = "auto|number"

    def __init__(self) -> None:
        super().__init__(1, MAX_JOBS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number, if it is one."""
        return value if value == "auto" else super().convert(value, param, ctx)


class Confidence(Kind):
    """A share between 0 and 1: ``0.95`` or ``95%``."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the share."""
        found = _share(value)
        if found is None or not 0 < found < 1:
            self.fail(f"'{value}' is no confidence; write it like 0.95 or 95%", param, ctx)
        return found


class Width(Kind):
    """Half of an interval: ``0.01`` in units of the output, or ``5%`` of the mean."""

    name = "width"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number, and whether it is a share of the mean."""
        found = _share(value)
        if found is None or not 0 < found < float("inf"):
            self.fail(f"'{value}' is no width; write it like 0.01 or 5%", param, ctx)
        return {"relative" if str(value).strip().endswith("%") else "half_width": found}


def _share(value: Any) -> float | None:
    text = str(value).strip()
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return None


def printed[Command: Callable[..., Any]](page: str) -> Callable[[Command], Command]:
    """The options of what is printed or written: --format, --out and --force.

    Parameters
    ----------
    page : str
        File of the page, unless --out names another: see `places.out_of`.
    """
    options = (
        click.option(
            "--format",
            "format_",
            type=click.Choice(["text", "json", "csv", "html"]),
            default="text",
            show_default=True,
            help="json, csv: every number; html: a page that opens anywhere.",
        ),
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            help=f"File to write.  [default: stdout; html: {page}]",
        ),
        click.option("--force", is_flag=True, help="Replace the file if it is there."),
    )

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add
