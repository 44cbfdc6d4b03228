"""`tavern check`: what is wrong with a scenario, a design or wordings, or what is in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from ..coins import show
from .errors import INVALID_SCENARIO

if TYPE_CHECKING:
    from ..scenario import Scenario, ScenarioError, TableOfGames, Tavern, YardEvent

MOST_PINNED = 20
"""So many of the people who are pinned are named."""


@click.command()
@click.argument("scenario", metavar="FILE")
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON document, with the problems if any."
)
@click.option("--trades", is_flag=True, help="Of a town: every trade, not the commonest alone.")
@click.option(
    "--samples",
    type=click.IntRange(0, 20),
    help="Of wordings: so many samples of each line that is not shipped, or of each if said.",
)
@click.option("--run", metavar="FOLDER", help="Of wordings: take the samples from this run.")
def check(scenario: str, as_json: bool, trades: bool, samples: int | None, run: str | None) -> None:
    """Check a scenario, a design or a file of wordings, and say in a few lines what is in it.

    FILE is a file, or the name of a built-in scenario or ready design; or a file of things that
    people say of an event, such as those of data/wordings, a folder of them, or
    your own data folder with a folder wordings in it.
    All problems are told at once, each with file, line and what is wrong:

    \b
      inn.toml:7: taverns.0.capcity: unknown field (did you mean 'capacity'?)

    Exit code 0 if it can be used, 3 if not.

    \b
      tavern check inn.toml
      tavern check rusty-flagon
      tavern check river-town --trades
      tavern check study.toml
      tavern check my-data/wordings/owes.toml
      tavern check my-data
    """  # noqa: D301
    from .check_wordings import check_wordings, holds_wordings

    if holds_wordings(scenario):
        if trades:
            raise click.UsageError("--trades is said of a town, and these are wordings")
        check_wordings(scenario, run, samples, as_json=as_json)
        return
    if samples is not None or run is not None:
        raise click.UsageError("--samples and --run are said of wordings, and this is a scenario")
    from .check_design import check_design, holds_design

    if holds_design(scenario):
        if trades:
            raise click.UsageError("--trades is said of a town, and this is a design")
        check_design(scenario, as_json=as_json)
        return
    _check_scenario(scenario, as_json=as_json, trades=trades)


def _check_scenario(scenario: str, *, as_json: bool, trades: bool) -> None:
    from ..scenario import ScenarioError, load_scenario

    try:
        loaded = load_scenario(scenario)
    except ScenarioError as error:
        if not as_json:
            raise
        click.echo(_faults_as_json(scenario, error))
        raise click.exceptions.Exit(INVALID_SCENARIO) from None
    if trades and loaded.town is None:
        raise click.UsageError(f"--trades is said of a town, and '{scenario}' has no [town]")
    click.echo(_as_json(scenario, loaded) if as_json else "\n".join(_lines(loaded, trades)))


def _lines(scenario: Scenario, all_trades: bool) -> Iterator[str]:
    yield f"{scenario.name}: a sound scenario"
    if scenario.description:
        yield f"  {scenario.description.strip().partition('\n')[0]}"
    sittings = (
        f"{_times(scenario.rounds_per_night, 'round')} a night,"
        f" {scenario.rounds_per_sitting} a sitting"
    )
    cheats = f"{scenario.population.share_of_cheats:.0%} of the cheating kind"
    if scenario.town is not None:
        yield from _of_town(scenario, all_trades)
        yield f"  {cheats}; {sittings}"
        yield from _pinned(scenario)
        return
    yield f"  {_times(scenario.patrons, 'patron')}, {cheats}; {sittings}"
    for tavern in scenario.taverns:
        yield f"  {_tavern_line(tavern)}"
    yield from _pinned(scenario)


def _of_town(scenario: Scenario, all_trades: bool) -> Iterator[str]:
    """What a town comes to; all of it is founded only here."""
    from ..data_tables import load_tables
    from .check_town import town_lines

    lines = town_lines(scenario, load_tables(scenario.data), all_trades=all_trades)
    yield from (f"  {line}" for line in lines)


def _pinned(scenario: Scenario) -> Iterator[str]:
    if scenario.people:
        names = ", ".join(person.name for person in scenario.people[:MOST_PINNED])
        rest = len(scenario.people) - MOST_PINNED
        yield f"  pinned: {names}{f' and {rest:,} more' if rest > 0 else ''}"


def _tavern_line(tavern: Tavern) -> str:
    tables = ", ".join(map(_tables, tavern.tables)) or "no tables"
    room = "" if tavern.capacity == "auto" else f", room for {tavern.capacity:,}"
    yard = "".join(f"; {_event(event)}" for event in tavern.yard)
    return f"{tavern.name} ({tavern.district}){room}: custom {tavern.custom}; {tables}{yard}"


def _tables(table: TableOfGames) -> str:
    number = "tables" if table.count == "auto" else _times(table.count, "table")
    seats = f"{table.game} with {_times(table.seats, 'seat')}"
    return f"{number} of {seats}, {_stake(table.stake)}{_options(table.options)}"


def _event(event: YardEvent) -> str:
    rounds = ", ".join(map(str, event.rounds))
    many = "s" if len(event.rounds) > 1 else ""
    field = f"{event.game} in round{many} {rounds} with up to {event.entrants}"
    return f"{field}, {_stake(event.stake)}{_options(event.options)}"


def _stake(stake: int | str) -> str:
    return f"stake {show(stake)}" if isinstance(stake, int) else "stakes by purse"


def _options(options: Mapping[str, Any]) -> str:
    return "".join(f", {name} {value}" for name, value in options.items())


def _times(number: int, singular: str) -> str:
    # Not `stories.times`: that would load pandas.
    return f"{number:,} {singular}{'' if number == 1 else 's'}"


def _as_json(source: str, scenario: Scenario) -> str:
    town: dict[str, Any] = {}
    if scenario.town is not None:
        from ..data_tables import load_tables
        from ..founding import resolved
        from .check_town import town_summary

        data = load_tables(scenario.data)
        town = {"town": town_summary(scenario, data)}
        scenario = resolved(scenario, data)
    tables = {table.game for tavern in scenario.taverns for table in tavern.tables}
    events = {event.game for tavern in scenario.taverns for event in tavern.yard}
    summary = {
        "source": source,
        "is_valid": True,
        "name": scenario.name,
        "description": scenario.description,
        "patrons": scenario.patrons,
        "taverns": [tavern.name for tavern in scenario.taverns],
        "games": sorted(tables | events),
        "people": [person.name for person in scenario.people],
        **town,
        "problems": [],
    }
    return json.dumps(summary, indent=2, ensure_ascii=False)


def _faults_as_json(source: str, error: ScenarioError) -> str:
    problems = [
        {"path": each.path, "line": each.line, "field": each.field, "problem": each.problem}
        for each in error.problems
    ]
    summary = {"source": source, "is_valid": False, "problems": problems}
    return json.dumps(summary, indent=2, ensure_ascii=False)
