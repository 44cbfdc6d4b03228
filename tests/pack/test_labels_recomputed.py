"""The label of every rumour, worked out a second time from its words and the table of events.

Nothing of the pack's own judging is used here: only what a rumour says, `events.parquet`,
and the scenario for what is played at which table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from tavern_abm.cli import tavern
from tavern_abm.pack.documents import Rumor
from tavern_abm.pack.matter import Said
from tavern_abm.pack.memory import Memory
from tavern_abm.pack.rumors import NothingToTellError, of_run, rumors_of, wanted_of
from tavern_abm.run_folder import RunFolder, read_run
from tests.pack.little_town import (
    BESS,
    CORA,
    EEL_POT,
    GIL,
    HOB,
    JORY,
    MORZA,
    NAN,
    NIGHTS,
    OSK,
    TAM,
    THREE_KEYS,
    WILKIN,
    YLVA,
)

TRIES = ("trick", "failed_trick", "weighted_dice", "dice_noticed")
TELLS = {"owes": "dodged", "ran": "got_away", "won": "big_win", "race": "race_won"} | {
    "throw": "throw_won",
    "accused": "cleared",
}
"""Kinds of event by the kinds of rumour that have another name."""
SET_APART = 1_000_000
"""Numbers kept for the tables of a room that opens as many as it needs."""


class Happened(NamedTuple):
    """A row of the table of events, in plain numbers."""

    event_id: int
    night: int
    round: int
    tavern_id: int
    table_id: int
    kind: str
    patron_id: int
    other_id: int
    amount_cp: int


@dataclass(frozen=True)
class Record:
    """What had happened by a night.

    Attributes
    ----------
    events : list of Happened
        In the order of their ids.
    rooms : dict of int to list of (int, str)
        By tavern_id: the number before a room's first table, and its game; the last room first.
    """

    events: list[Happened]
    rooms: dict[int, list[tuple[int, str]]]

    @classmethod
    def of(cls, run: RunFolder, night: int) -> Record:
        table = run.table("events", list(Happened._fields))
        rows = [Happened(*row) for row in table.itertuples(index=False, name=None)]
        houses = enumerate(run.scenario()["taverns"], start=1)
        rooms = {at: sorted(_rooms(house), reverse=True) for at, house in houses}
        return cls([row for row in rows if row.night <= night], rooms)

    def about(self, subject: int, kinds: Iterable[str]) -> list[Happened]:
        kinds = set(kinds)
        return [row for row in self.events if row.patron_id == subject and row.kind in kinds]

    def at_once(self, event: Happened) -> list[Happened]:
        """Everything of the same round of the same table."""
        place = (event.night, event.round, event.tavern_id, event.table_id)
        return [
            row
            for row in self.events
            if (row.night, row.round, row.tavern_id, row.table_id) == place
        ]

    def games_of(self, event: Happened) -> set[str]:
        """What an event may be said to belong to: his table's game, or the chase he ran in."""
        if not event.table_id:
            return {""}
        rooms = self.rooms[event.tavern_id]
        games = {next(game for before, game in rooms if before < event.table_id)}
        ran = {row.patron_id for row in self.at_once(event) if row.kind == "ran"}
        return games | ({"chase"} if event.patron_id in ran else set())

    def against(self, event: Happened) -> set[int]:
        """Everybody who had a hand in what befell the subject of an event."""
        named = {event.other_id}
        for row in self.at_once(event):
            if row.patron_id == event.patron_id:
                named.add(row.other_id)
            if row.other_id == event.patron_id and row.kind == "accused":
                named.add(row.patron_id)
        return named - {0}


def _rooms(house: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Rooms, those tables that a thriving house adds to each, and the yard."""
    tables, before = house.get("tables", ()), 0
    for at, room in enumerate(tables):
        yield before, room["game"]
        yield SET_APART * (len(tables) + 1 + at), room["game"]
        before += SET_APART if room["count"] == "auto" else room["count"]
    for at, event in enumerate(house.get("yard", ())):
        yield SET_APART * len(tables) + at, event["game"]


def label_of(said: Said, event_id: int, record: Record) -> str:
    """Whether words are true, partly true or false."""
    judge = _cheats if said.kind == "cheats" else _befell
    so, right = judge(said, event_id, record)
    if not so:
        return "false"
    return "true" if right and not said.adds_untrue else "partly true"


def _befell(said: Said, event_id: int, record: Record) -> tuple[bool, bool]:
    """Whether such a thing befell him at all, and whether it once did in all that is said."""
    such = list(_such(said, record))
    return bool(such), any(_fits(said, each, record) for each in such)


def _such(said: Said, record: Record) -> Iterator[Happened]:
    kind = TELLS.get(said.kind, said.kind)
    for row in record.events:
        if row.kind != kind:
            continue
        pair = (row.patron_id, row.other_id)
        sides = (pair, pair[::-1]) if kind == "brawl" else (pair,)
        for subject, other in sides:
            others = {other} if kind in ("brawl", "cleared") else record.against(row)
            if subject == said.subject and (said.other is None or said.other in others):
                yield row


def _fits(said: Said, event: Happened, record: Record) -> bool:
    return (
        _within(said.amount_cp, event.amount_cp)
        and _within(said.night, event.night)
        and said.tavern in (None, event.tavern_id)
        and (said.game is None or said.game in record.games_of(event))
    )


def _within(span: tuple[int, int] | None, value: int) -> bool:
    return span is None or span[0] <= value <= span[1]


def _cheats(said: Said, event_id: int, record: Record) -> tuple[bool, bool]:
    """Whether he has tried a trick, and whether one could speak of it so."""
    tries = record.about(said.subject, TRIES)
    if said.other is not None and not _named_him(said.subject, said.other, record):
        return False, False
    if not tries:
        return False, False
    if event_id == 0:
        too_early = said.night is not None and said.night[1] < tries[0].night
        return True, not too_early and _played(said, tries, record)
    spoken_of = [row for row in record.events if row.event_id == event_id]
    times = tries + [row for row in spoken_of if row.patron_id == said.subject]
    return True, any(_fits(said, each, record) for each in times)


def _played(said: Said, tries: list[Happened], record: Record) -> bool:
    return said.game is None or any(said.game in record.games_of(each) for each in tries)


def _named_him(subject: int, other: int, record: Record) -> bool:
    """Whether somebody ever called him a cheat, or noticed his dice."""
    called = any(row.other_id == subject for row in record.about(other, ("accused", "denounced")))
    noticed = record.about(subject, ("dice_noticed", "convicted", "cleared"))
    return called or any(row.other_id == other for row in noticed)


# ------------------------------------------------------------- by hand


BY_HAND = [
    (Said("beaten", OSK), 5, "true"),
    (Said("beaten", TAM), 5, "false"),
    (Said("beaten", OSK, other=MORZA, night=(1, 2), tavern=EEL_POT), 5, "true"),
    (Said("beaten", OSK, other=NAN), 5, "false"),
    (Said("beaten", OSK, night=(3, 4)), 5, "partly true"),
    (Said("beaten", OSK, tavern=THREE_KEYS), 5, "partly true"),
    (Said("beaten", OSK, adds="a stave: untrue", adds_untrue=True), 5, "partly true"),
    (Said("cheats", OSK, other=MORZA), 4, "true"),
    (Said("cheats", OSK, other=NAN), 4, "false"),
    (Said("cheats", OSK, night=(6, 6)), 0, "true"),
    (Said("cheats", OSK, night=(1, 1)), 0, "partly true"),
    (Said("cheats", OSK, night=(6, 6)), 7, "partly true"),
    (Said("cheats", TAM), 7, "false"),
    (Said("accused", TAM, other=HOB), 7, "true"),
    (Said("accused", HOB, other=TAM), 7, "false"),
    (Said("won", NAN, amount_cp=(850, 900)), 8, "true"),
    (Said("won", NAN, amount_cp=(901, 950)), 8, "partly true"),
    (Said("won", NAN, game="rotting-toes"), 8, "true"),
    (Said("won", NAN, game="magic-wand"), 8, "partly true"),
    (Said("brawl", BESS, other=NAN), 16, "true"),
    (Said("brawl", BESS, other=GIL), 16, "false"),
    (Said("owes", WILKIN, other=CORA, amount_cp=(20, 29)), 14, "true"),
    (Said("owes", CORA, other=WILKIN), 14, "false"),
    (Said("lent", WILKIN, other=CORA, tavern=EEL_POT), 11, "true"),
    (Said("killed", JORY, amount_cp=(75, 75), night=(3, 3)), 9, "true"),
    (Said("left", YLVA), 12, "true"),
    (Said("arrived", GIL, night=(5, 6)), 10, "partly true"),
]


@pytest.mark.parametrize(("said", "event", "label"), BY_HAND)
def test_labels_of_a_little_town(
    said: Said, event: int, label: str, little_town: RunFolder
) -> None:
    assert label_of(said, event, Record.of(little_town, NIGHTS)) == label


def test_what_has_not_happened_yet_is_not_so(little_town: RunFolder) -> None:
    assert label_of(Said("brawl", NAN), 16, Record.of(little_town, NIGHTS - 1)) == "false"


# ------------------------------------------------------------- recomputed


def told(run: RunFolder, night: int, **asked: Any) -> list[Rumor]:
    """A set of rumours: as many as a die has faces that can be filled."""
    asked = {"tavern": None, **asked}
    of = of_run(run, night, asked["tavern"])
    try:
        return rumors_of(of, wanted_of(night=night, **asked), Memory()).rumors
    except NothingToTellError:
        return []


def differing(rumors: Iterable[Rumor], record: Record) -> list[str]:
    """Rumours with another label than the words and the record give."""
    pairs = ((each, label_of(each.said, each.event, record)) for each in rumors)
    return [
        f"{each.truth}, should be {label}: {each.text} {each.said} event {each.event}"
        for each, label in pairs
        if each.truth != label
    ]


def test_labels_of_a_house_recomputed(talkative_run: RunFolder) -> None:
    found: Counter[str] = Counter()
    for night in (8, 21):
        rumors = told(talkative_run, night, mix=(1, 1, 1))
        assert differing(rumors, Record.of(talkative_run, night)) == []
        found.update(each.truth for each in rumors)
    assert len(found) == 3
    assert found.total() > 30


@pytest.mark.slow
@pytest.mark.parametrize("night", [5, 10, 14])
def test_labels_of_a_town_recomputed(town: RunFolder, night: int) -> None:
    rumors = told(town, night, count="d100")
    rumors += told(town, night, count="d100", mix=(1, 1, 1), draw=1)
    for house in (1, 6, 11):
        rumors += told(town, night, tavern=house, mix=(1, 1, 1), draw=2)
    assert len(rumors) > 220
    assert min(Counter(each.truth for each in rumors).values()) > 20
    assert differing(rumors, Record.of(town, night)) == []


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = tmp_path_factory.mktemp("labels") / "town"
    command = ["run", "river-town", "--nights", "14", "--seed", "4", "--no-report", "--quiet"]
    result = CliRunner().invoke(tavern, [*command, "--out", str(folder)])
    assert result.exit_code == 0, result.output
    return read_run(folder)
