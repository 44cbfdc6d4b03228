"""Tables of what happened: events, told in a sentence each, and trials."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ..coins import show
from ..events import Event, Person, Round, events_of_round, plain_event
from ..games import GAMES
from ..patrons.columns import NOBODY, SEXES
from ..recording import unpacked
from ..society.judgement import NONE
from ..tables.flight import GAME as CHASE
from ..tables.happenings import SENTENCES
from ..tables.record import ACCUSED, CAUGHT, CONVICTED, NO_SEAT
from ..town.fortunes import turn_events
from ..town.loans import debt_events

if TYPE_CHECKING:
    from ..model import TavernModel

_TYPES = {
    "night": "int32",
    "round": "int16",
    "tavern_id": "int16",
    "table_id": "int32",
    "patron_id": "int32",
    "other_id": "int32",
    "amount_cp": "int64",
    "is_just": "boolean",
    "natural": "int8",
    "dc": "int8",
    "modifier": "float64",
}


def events_table(model: TavernModel) -> pd.DataFrame:
    """Notable events, one a row, in the order they happened.

    Of a run that goes on from another one, those of its own nights: their ids follow on.
    """
    tell(model)
    parts = [*model.record.told, _listed(_all_others(model))]

    def column(name: str) -> pd.Series[Any]:
        joined: pd.Series[Any] = pd.concat([part[name] for part in parts], ignore_index=True)
        return joined

    at = np.lexsort([column(name) for name in reversed(_WHEN)])  # stable, as `sorted` is
    first = 1 if model.record.past is None else model.record.past.n_events + 1
    table: dict[str, Any] = {"event_id": np.arange(first, first + len(at), dtype=np.int32)}
    for name in Event._fields:  # one by one: a city's events are long
        table[name] = column(name).iloc[at].reset_index(drop=True)
    table["witnesses"] = pd.Series(table["witnesses"].array.tolist(), dtype=object)
    return pd.DataFrame(table)


_WHEN = ("night", "round", "tavern_id", "table_id")
_PER_BATCH = 20_000
"""Events that are listed at once: as Python objects they take ten times the room."""
_IDS = pd.ArrowDtype(pa.list_(pa.int32()))


def _listed(events: Iterable[Event]) -> pd.DataFrame:
    """Events as a table, their witnesses packed."""
    columns = list(zip(*events, strict=True)) or [()] * len(Event._fields)
    types: dict[str, Any] = {"witnesses": _IDS} | _TYPES
    return pd.DataFrame(
        {
            name: pd.array(list(values), dtype=types.get(name, "str"))
            for name, values in zip(Event._fields, columns, strict=True)
        }
    )


def _all_others(model: TavernModel) -> Iterator[Event]:
    """What happened at no table, by the day or at closing time."""
    who = _persons(model)
    closing = model.scenario.rounds_per_night + 1
    yield from model.record.of_players
    yield from _of_the_day(model, who)
    yield from _of_houses(model)
    yield from _of_debts(model, who)
    yield from (event._replace(round=closing) for event in model.record.idle)


def _persons(model: TavernModel) -> Callable[[int], Person]:
    """What gives the person in a row, each made once."""
    people: dict[int, Person] = {}
    sheet, thievery = np.asarray(model.sheet), np.asarray(model.people)["thievery"]
    female = sheet["sex"] == SEXES.index("female")

    def who(row: int) -> Person:
        person = people.get(row)
        if person is None:
            facts = (thievery.item(row), bool(female[row]), model.sheet[row])
            person = people[row] = Person(model.name_of(row), *facts)
        return person

    return who


def tell(model: TavernModel, *, thin_out: bool = False) -> None:
    """Tell the rounds that have been kept since the last time; the rest is told already.

    It may be called after any night, and spares the table of events that work. If
    they are to be thinned out, of these rounds only trials are kept for later.
    """
    record = model.record
    rounds = record.rounds()
    who = _persons(model)
    batch: list[Event] = []
    for cells in rounds[record.n_told :]:
        batch += _told(cells, model, who)
        if len(batch) >= _PER_BATCH:
            record.told.append(_listed(batch))
            batch = []
    if batch:
        record.told.append(_listed(batch))
    if thin_out:
        record.thin_out(record.n_told)
    record.n_told = len(rounds)


def _told(cells: Any, model: TavernModel, who: Callable[[int], Person]) -> Iterator[Event]:
    """The events of some kept rounds; those without any are kept only for the table of rounds."""
    taverns = model.scenario.taverns
    for one in unpacked(cells[cells["notable"] != 0]):
        house = taverns[one.tavern]
        yield from events_of_round(one, who, house.name, house.thievery_dc, _options_of(one, model))


def _options_of(one: Round, model: TavernModel) -> dict[str, Any]:
    """What the teller of a round is to know of its table, or of the streets around it."""
    if one.cell["game"] == CHASE:
        return model.company.flights.options_at(one.tavern)
    return model.playing.options_at(one.tavern, one.table_id)


def _of_the_day(model: TavernModel, who: Callable[[int], Person]) -> Iterator[Event]:
    """Who came and went, and what a house could not pay."""
    record = model.record
    for night, rows in record.arrived:
        for row in rows.tolist():
            purse = model.people.start_gold.item(row)
            text = f"{who(row).name} came to town with {show(purse)}."
            yield plain_event(night, "arrived", text, row=row, amount=purse)
    for night, leavers in record.departed:
        for row, purse in leavers.tolist():
            text = f"{who(row).name} left town for good with {show(purse)}."
            yield plain_event(night, "left", text, row=row, amount=purse)
    for night, tavern, amount in record.unpaid:
        name = model.scenario.taverns[tavern].name
        text = f"{name} could not pay {show(amount)} of its bills."
        closing = model.scenario.rounds_per_night + 1
        event = plain_event(night, "unpaid", text, tavern=tavern, amount=amount)
        yield event._replace(round=closing)


def _of_houses(model: TavernModel) -> Iterator[Event]:
    """Houses that closed or grew, as the night closed."""
    signs = [tavern.name for tavern in model.scenario.taverns]
    closing = model.scenario.rounds_per_night + 1
    for night, turns in model.record.turns:
        for event in turn_events(night, turns, signs):
            yield event._replace(round=closing)


def _of_debts(model: TavernModel, who: Callable[[int], Person]) -> Iterator[Event]:
    """Coins lent, paid back, and owed beyond the day."""
    for log in model.record.debts:
        yield from debt_events(log, who)


def trials_table(model: TavernModel) -> pd.DataFrame:
    """Who was accused or caught, what his table believed, and what was true."""
    rows = [
        _trial(one)
        for cells in model.record.rounds()
        for one in unpacked(cells[(cells["notable"] & (ACCUSED | CAUGHT)) != 0])
    ]
    rows.sort(key=lambda row: (row["night"], row["round"], row["tavern_id"], row["table_id"]))
    return pd.DataFrame(rows, columns=list(_TRIAL)).astype(_TRIAL)


_TRIAL = {
    "night": "int32",
    "round": "int16",
    "tavern_id": "int16",
    "table_id": "int32",
    "game": "object",
    "accuser_id": "int32",
    "accused_id": "int32",
    "accuser_belief": "float64",
    "judges": "object",
    "beliefs": "object",
    "n_guilty": "int16",
    "verdict": "object",
    "is_cheat": "bool",
    "tricked": "bool",
    "sentence": "object",
    "ran": "bool",
    "repaid_cp": "int64",
}
"""Columns of the trials, and how they are kept."""


def _trial(one: Round) -> dict[str, Any]:
    cell, seats = one.cell, one.seats
    is_caught = bool(cell["notable"] & CAUGHT)
    parties = (cell["hand"], cell["accuser"])
    bench = [at for at in range(len(seats)) if cell["seated"] >> at & 1 and at not in parties]
    beliefs = [at / 10_000 if at != NOBODY else np.nan for at in cell["beliefs"]]
    verdict = "convicted" if cell["verdict"] == CONVICTED else "cleared"
    accuser = NO_SEAT if is_caught else cell["accuser"]
    return {
        "night": one.night,
        "round": one.round,
        "tavern_id": one.tavern + 1,
        "table_id": one.table_id,
        "game": list(GAMES)[cell["game"]],
        "accuser_id": 0 if accuser == NO_SEAT else seats[accuser] + 1,
        "accused_id": seats[cell["hand"]] + 1,
        "accuser_belief": np.nan if accuser == NO_SEAT else beliefs[accuser],
        "judges": [seats[at] + 1 for at in bench],
        "beliefs": [beliefs[at] for at in bench],
        "n_guilty": cell["n_guilty"],
        "verdict": "caught" if is_caught else verdict,
        "is_cheat": bool(cell["is_cheat"]),
        "tricked": bool(cell["tried"]) or bool(cell["weighted"]),
        "sentence": "" if cell["sentence"] == NONE else SENTENCES[cell["sentence"]],
        "ran": bool(cell["ran"]),
        "repaid_cp": cell["repaid"],
    }
