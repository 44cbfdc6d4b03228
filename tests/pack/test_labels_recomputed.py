"""The label of every rumour, worked out a second time from its words and the table of events.

`label_of` uses nothing of the pack's own judging: only what a rumour says, `events.parquet`,
and the scenario for what is played at which table. The two are then held against each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

from tavern_abm.cli import tavern
from tavern_abm.pack.documents import Rumor
from tavern_abm.pack.facts import Facts
from tavern_abm.pack.judging import truth_of
from tavern_abm.pack.matter import Said
from tavern_abm.pack.memory import Memory
from tavern_abm.pack.rumors import NothingToTellError, of_run, rumors_of, wanted_of
from tavern_abm.pack.tags import KINDS
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
TELLS = {
    "owes": "dodged",
    "ran": "got_away",
    "won": "big_win",
    "race": "race_won",
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
        """Everything of the same round of the same table; at none, the event alone."""
        if not event.table_id:
            return [event]
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
        before += SET_APART if room.get("count", "auto") == "auto" else room["count"]
    for at, event in enumerate(house.get("yard", ())):
        yield SET_APART * len(tables) + at, event["game"]


def label_of(said: Said, event_id: int, record: Record) -> str:
    """Whether words are true, partly true or false."""
    if said.denies:
        return _denied(said, event_id, record)
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
        not _paid_later(event, record)
        and _within(said.amount_cp, event.amount_cp)
        and _within(said.night, event.night)
        and said.tavern in (None, event.tavern_id)
        and (said.game is None or said.game in record.games_of(event))
    )


def _paid_later(event: Happened, record: Record) -> bool:
    """Whether somebody who could not pay has paid that same lender on a later morning."""
    return event.kind == "dodged" and any(
        (row.patron_id, row.other_id) == (event.patron_id, event.other_id)
        for row in record.events
        if row.kind == "paid_back" and row.night > event.night
    )


def _within(span: tuple[int, int] | None, value: int) -> bool:
    return span is None or span[0] <= value <= span[1]


def _cheats(said: Said, event_id: int, record: Record) -> tuple[bool, bool]:
    """Whether he has tried a trick, and whether one could speak of it so.

    Who is told to have said so must have, and then and there. Else: nobody cheated on a night
    before his first try, and what was made up can be held against nothing else of a night or
    a house.
    """
    tries = record.about(said.subject, TRIES)
    if not tries:
        return False, False
    if said.other is not None:
        return _called(said, record)
    if said.night is not None and said.night[1] < tries[0].night:
        return True, False
    if event_id == 0:
        said = replace(said, night=None, tavern=None)
    own = [row for row in record.events if row.patron_id == said.subject]
    times = [row for row in own if row.kind in TRIES or row.event_id == event_id]
    return True, any(_fits(said, each, record) for each in times)


def _called(said: Said, record: Record) -> tuple[bool, bool]:
    """Whether the one they name ever called him a cheat, and whether once as they say."""
    him, them = said.subject, said.other
    called = (("accused", them, him), ("denounced", them, him))
    tried = (("convicted", him, them), ("cleared", him, them))
    theirs = [
        row for row in record.events if (row.kind, row.patron_id, row.other_id) in (*called, *tried)
    ]
    return bool(theirs), any(_is_of_place(said, row, record) for row in theirs)


def _is_of_place(said: Said, row: Happened, record: Record) -> bool:
    """Whether it was then and there, and at that game if it was at any."""
    is_game = said.game is None or not row.table_id or said.game in record.games_of(row)
    is_house = said.tavern is None or said.tavern == row.tavern_id
    return is_game and is_house and _within(said.night, row.night)


def _denied(said: Said, event_id: int, record: Record) -> str:
    """Who has tried denies it falsely; of who has not, the rest must be right to be true.

    Of whispers that name nobody there is no record to hold anything against.
    """
    if said.kind == "accused":
        found = label_of(replace(said, denies=False), event_id, record)
        return "false" if record.about(said.subject, TRIES) else found
    if record.about(said.subject, TRIES):
        return "false"
    is_right = said.other is None or all(_called(said, record))
    return "true" if is_right and not said.adds_untrue else "partly true"


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
    (Said("cheats", OSK, night=(2, 2), tavern=EEL_POT), 4, "true"),
    (Said("cheats", OSK, night=(2, 2), tavern=THREE_KEYS), 4, "partly true"),
    (Said("cheats", OSK, game="magic-wand"), 0, "partly true"),
    (Said("cheats", OSK, night=(6, 6)), 7, "partly true"),
    (Said("cheats", TAM), 7, "false"),
    (Said("cheats", OSK, other=MORZA, night=(2, 2), tavern=EEL_POT), 0, "true"),
    (Said("cheats", OSK, other=MORZA, night=(6, 6), tavern=EEL_POT), 0, "partly true"),
    (Said("cheats", OSK, other=MORZA, tavern=THREE_KEYS), 0, "partly true"),
    (Said("cheats", TAM, denies=True), 7, "true"),
    (Said("cheats", OSK, denies=True), 4, "false"),
    (Said("cheats", OSK, night=(6, 6), denies=True), 7, "false"),
    (Said("cheats", TAM, tavern=EEL_POT, denies=True), 0, "true"),
    (Said("cheats", TAM, other=HOB, tavern=THREE_KEYS, denies=True), 7, "true"),
    (Said("cheats", TAM, other=HOB, tavern=EEL_POT, denies=True), 7, "partly true"),
    (Said("cheats", TAM, other=MORZA, denies=True), 7, "partly true"),
    (Said("cheats", TAM, adds_untrue=True, denies=True), 7, "partly true"),
    (Said("accused", TAM, other=HOB, denies=True), 7, "true"),
    (Said("accused", TAM, night=(6, 6), denies=True), 7, "partly true"),
    (Said("accused", OSK, denies=True), 7, "false"),
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
    said: Said, event: int, label: str, little_town: RunFolder, facts: Facts
) -> None:
    assert label_of(said, event, Record.of(little_town, NIGHTS)) == label
    assert truth_of(said, event, facts).truth == label


def bent(record: Record, rng: np.random.Generator) -> tuple[Said, int]:
    """What happened, told with some of it left out and some of it wrong; and of which event."""
    event = record.events[rng.integers(len(record.events))]
    kind = {told: kind for kind, told in TELLS.items()}.get(event.kind, event.kind)
    kind = kind if kind in KINDS else "cheats"
    night, sum_ = (int(rng.choice([at, at, at + 1])) for at in (event.night, event.amount_cp))
    details: dict[str, Any] = {
        "other": int(rng.choice([event.other_id or GIL, MORZA, BESS])),
        "game": str(rng.choice(["rotting-toes", "rotting-toes", "magic-wand"])),
        "amount_cp": (sum_, sum_ + 5) if kind != "cheats" else None,
        "night": (max(1, night - int(rng.integers(2))), night),
        "tavern": int(rng.choice([event.tavern_id, EEL_POT])),
    }
    left_out = {"game"} if not event.table_id else set()
    left_out |= {name for name in details if rng.random() < 0.5}
    said = {name: value for name, value in details.items() if name not in left_out}
    subject = int(rng.choice([event.patron_id, event.patron_id, event.other_id or OSK]))
    sprang_from = int(rng.choice([event.event_id, record.events[0].event_id, 0]))
    asides = {"adds_untrue": bool(rng.random() < 0.1)}
    asides["denies"] = kind in ("cheats", "accused") and bool(rng.random() < 0.3)
    return Said(kind, subject, **said, **asides), sprang_from


def test_claims_bent_at_random_are_judged_alike(little_town: RunFolder, facts: Facts) -> None:
    record, rng = Record.of(little_town, NIGHTS), np.random.default_rng(6)
    found: Counter[str] = Counter()
    for _ in range(2_000):
        said, event = bent(record, rng)
        label = label_of(said, event, record)
        assert truth_of(said, event, facts).truth == label, (said, event)
        found[label] += 1
    assert min(found["true"], found["partly true"], found["false"]) > 300


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
    record = Record.of(talkative_run, 21)
    for draw in range(3):
        rumors = told(talkative_run, 21, mix=(1, 1, 1), draw=draw)
        assert differing(rumors, record) == []
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
