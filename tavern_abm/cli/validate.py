"""`tavern validate`: the model against what is known, in one table."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import click

from .errors import RUN_FAILED
from .parameters import MAX_SEED, WholeNumber
from .progress import bar_of

if TYPE_CHECKING:
    from ..validate import Check, Finding, Line

WIDE = 50
HEADINGS = ("exact", "estimate", "std error", "z")


@click.command()
@click.option("--only", "word", default="", metavar="WORD", help="Checks about this alone.")
@click.option(
    "--seed",
    type=WholeNumber(0, MAX_SEED),
    default=1,
    show_default=True,
    help="Another one, another sample.",
)
@click.option("--list", "is_list", is_flag=True, help="Name the checks and run none.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, a list of lines.")
def validate(word: str, seed: int, is_list: bool, as_json: bool) -> None:
    """Hold the model against what is known, in one table.

    Odds that can be calculated, laws of the literature, published figures: each
    beside what the rules, the kernels and the evenings of this package come to.
    Exact values are worked out separately, from the rules alone.

    An estimate agrees if it is within 4 standard errors of the exact value, or,
    where nothing is drawn, equal to it; a figure of which only a range is known
    must lie within. One estimate in 16,000 is off by bad luck: if one is, try
    another seed. It takes about a minute.

    \b
      tavern validate
      tavern validate --only fading         a word of a section, line or source
      tavern validate --only "sequential test" --seed 7
      tavern validate --json > lines.json

    Exit code 0 if all agree, 1 if any line is off.
    """  # noqa: D301
    from ..validate import IS_OFF, about

    checks = about(word)
    if not checks:
        text = f"no check is about '{word}'; name them with --list"
        raise click.BadParameter(text, param_hint="'--only'")
    if is_list:
        _list(checks, as_json)
        return
    if not as_json:
        _say_if_it_takes_long()
    lines = list(_held(checks, seed, as_json))
    if as_json:
        click.echo(json.dumps([each.to_json() for each in lines], indent=2, allow_nan=False))
    n_off = sum(each.finding.verdict == IS_OFF for each in lines)
    if not as_json:
        click.echo(_summary(lines, n_off))
    if n_off:
        raise click.exceptions.Exit(RUN_FAILED)


def _say_if_it_takes_long() -> None:
    """Say so where the loops have not been compiled yet, going by one of them."""
    from ..compiled import cache_folder

    folder = cache_folder()
    if folder is None or not any(folder.rglob("games._bouts-*.nbi")):
        once = "" if folder is None else ", once a version"
        click.echo(f"compiling{once}; it takes a minute or two more ...", err=True)


def _list(checks: list[Check], as_json: bool) -> None:
    """Name the checks and their lines."""
    if as_json:
        click.echo(json.dumps([name for each in checks for name in each.names()], indent=2))
        return
    for section, some in groupby(checks, lambda each: each.section):
        click.echo(f"{section}")
        for each in some:
            click.echo(f"  {each.title}")
            for line in each.lines:
                click.echo(f"    {line}")


def _held(checks: list[Check], seed: int, is_silent: bool) -> Iterator[Line]:
    """Run the checks, telling each as it is done, with a bar while a person waits."""
    section = ""
    with bar_of("check", len(checks), is_silent) as bar:
        for check in checks:
            bar.set_postfix_str(check.title[:40])
            lines = check.hold(seed)
            if not is_silent:
                with bar.external_write_mode(file=sys.stdout):
                    if check.section != section:
                        click.echo(_heading(check.section, is_first=not section))
                        section = check.section
                    click.echo(_told(check, lines))
            bar.update()
            yield from lines


def _heading(section: str, is_first: bool) -> str:
    """The line above a section, with the headings of the columns."""
    exact, estimate, error, z = HEADINGS
    text = f"{section.upper():<{WIDE}} {exact:>15} {estimate:>12} {error:>10} {z:>6}"
    return text if is_first else f"\n{text}"


def _told(check: Check, lines: list[Line]) -> str:
    """A check as it is printed: its title, where its values come from, and its lines."""
    told = [f"  {check.title}", f"    [{check.source}]"]
    return "\n".join([*told, *(_line(line) for line in lines)])


def _line(line: Line) -> str:
    found = line.finding
    error = "" if found.standard_error is None else f"{found.standard_error:.3g}"
    z = "" if found.z is None or found.within is not None else f"{found.z:+.2f}"
    return (
        f"    {line.name:<{WIDE - 4}} {_known(found):>15} {_number(found.estimate):>12}"
        f" {error:>10} {z:>6}  {found.verdict}"
    )


def _known(found: Finding) -> str:
    """The exact value, or the range that is known."""
    if found.exact is not None:
        return _number(float(found.exact))
    assert found.within is not None
    low, high = found.within
    if math.isinf(low):
        return f"at most {_number(high)}"
    if math.isinf(high):
        return f"at least {_number(low)}"
    return f"{_number(low)} to {_number(high)}"


def _number(value: float) -> str:
    """Whole numbers as such, others with six figures."""
    if not math.isfinite(value):
        return str(value)
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.6g}" if abs(value) >= 1e-4 else f"{value:.1e}"


def _summary(lines: list[Line], n_off: int) -> str:
    largest = max((abs(each.finding.z or 0.0) for each in lines), default=0.0)
    verdict = "all agree" if n_off == 0 else f"{n_off} OFF"
    return f"\n{len(lines)} lines, {verdict}; the largest z is {largest:.2f}"
