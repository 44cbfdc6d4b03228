"""What happened at a table, told: the parts that are the same whatever it plays.

A game tells its kept rounds in its own `tell_round`, which is handed a `Teller`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .. import chance
from ..coins import show
from ..patrons.columns import NOBODY
from ..society.judgement import BANNED, BEATEN, KILLED, NONE, OUT, WARNED
from .record import ACCUSED, BIG_WIN, BRIBED_OFF, BROKE, CAUGHT, CONVICTED, NO_SEAT, TOO_LUCKY

KINDS = {
    "caught": "the second failed check of a night; the round is void",
    "accused": "a loser accuses the one who won from him (other_id)",
    "convicted": "the table finds the accused guilty; other_id is the accuser",
    "cleared": "the table acquits the accused; other_id is the accuser",
    "warned": "a sentence",
    "thrown_out": "a sentence: out of the house for tonight",
    "banned": "a sentence",
    "beaten": "a sentence",
    "killed": "a sentence; amount_cp is the purse he leaves",
    "bribed": "the warden took amount_cp, and a milder sentence follows",
    "ran": "ran from a sentence; other_id went after him, if anybody did",
    "too_lucky": "beaten for too many wins in a row as the Hand",
    "brawl": "accused and accuser (other_id) come to blows after an acquittal",
    "big_win": "a large win at one round; other_id is he whose turn it was",
    "broke": "left the table unable to cover the stake",
}
"""Kinds of event that can happen at any table."""
WORDINGS: dict[str, tuple[str, ...]] = {
    "accused": (
        "{accuser} called {hand} a cheat to {his} face.",
        "{accuser} struck the table and named {hand} a cheat.",
        "{accuser} wanted to see what {hand} had in {his} sleeve.",
    ),
    "cleared": (
        "The table cleared {hand} ({votes} against {him}), and {accuser} lost face.",
        "{accuser}'s word was not enough ({votes} against {hand}); {accuser} looked a fool.",
    ),
    "too_lucky": (
        "{hand} won once too often as the Hand and was beaten for it ({nights}).",
        "Nobody wins like that for nothing: the table beat {hand} ({nights} abed).",
        "One win too many, and {hand} was dragged from the table and beaten ({nights}).",
    ),
    "bribed": (
        "{hand} pressed {sum} into the warden's palm, and the warden thought again.",
        "The warden's purse was {sum} heavier, and {hand} was seen in a better light.",
        "Of {hand}'s coins {sum} went under the warden's cap, and the custom was forgotten.",
    ),
    "ran": (
        "{hand} did not wait for {what}: over the bench and out, with {pursuer} behind {him}.",
        "{hand} threw a mug at the nearest head and ran from {what}; {pursuer} went after {him}.",
        "Nobody had a hand on {hand} yet: {he} ran from {what}, and {pursuer} ran after {him}.",
    ),
    "ran_alone": (
        "{hand} ran from {what}, and nobody cared to go after {him}.",
        "{hand} was out of the door before {what}, and nobody got up.",
    ),
    "caught": (
        "{hand} was caught at it a second time in one night: all stakes went back.",
        "Twice in one night was enough: {hand} was a proven cheat, and all stakes went back.",
    ),
}
"""Sentences to choose from, by the round, so that a long story does not drone."""
WORTH_TELLING_CP = 10
SENTENCES = {
    WARNED: "warned",
    OUT: "thrown_out",
    BANNED: "banned",
    BEATEN: "beaten",
    KILLED: "killed",
}
DREADED = {OUT: "the door", BANNED: "the ban", BEATEN: "the beating", KILLED: "the knife"}


class Event(NamedTuple):
    """One notable event. Ids are 0 where there is nobody, no tavern, no table."""

    night: int
    round: int
    tavern_id: int
    table_id: int
    kind: str
    patron_id: int
    other_id: int
    amount_cp: int
    is_just: bool | None
    natural: int
    dc: int
    modifier: float
    witnesses: list[int]
    text: str


class Person(NamedTuple):
    """What a sentence needs to know of somebody."""

    name: str
    thievery: int
    is_female: bool
    sheet: Any = None  # his `SheetRow`, for what he did in games of skill; None: not known

    @property
    def he(self) -> str:
        """The pronoun."""
        return "she" if self.is_female else "he"

    @property
    def him(self) -> str:
        """The pronoun, as an object."""
        return "her" if self.is_female else "him"

    @property
    def his(self) -> str:
        """Whose something is."""
        return "her" if self.is_female else "his"


class Round(NamedTuple):
    """A notable round of a table, as it was recorded."""

    night: int
    round: int
    tavern: int  # index
    table_id: int
    seats: Sequence[int]  # rows, as the sitting began
    cell: dict[str, Any]


class Teller:
    """Writes down one kept round.

    Parameters
    ----------
    played : Round
        The round as it was recorded.
    who : callable
        The person in a row.
    house : str
        Name of the tavern.
    dc : int
        The house's DC of a Thievery check.
    options : mapping
        The options of the table, or of the event in the yard, by name.
    """

    def __init__(
        self,
        played: Round,
        who: Callable[[int], Person],
        house: str,
        dc: int,
        options: Mapping[str, Any],
    ) -> None:
        self.played, self.who, self.house, self.dc = played, who, house, dc
        self.options = options
        self.cell, self.seats = played.cell, played.seats
        self.hand_row = self.seats[self.cell["hand"]]
        self.hand = who(self.hand_row)
        self.is_cheat = bool(self.cell["is_cheat"])
        self.at_table = self.rows(self.cell["seated"])
        self.watching = self.rows(self.cell["followed"])

    def rows(self, mask: int) -> list[int]:
        """Rows of the seats whose bits are set."""
        return [row for seat, row in enumerate(self.seats) if mask >> seat & 1]

    def pick(self, choices: Sequence[str], salt: int = 0) -> str:
        """One of some wordings, the same for the same round in every telling."""
        here = chance.hash63(self.played.night * 1000 + self.played.round, self.hand_row)
        return choices[(here + salt) % len(choices)]

    def say(self, choices: Sequence[str], salt: int = 0, **names: Any) -> str:
        """One of some wordings, filled in: {hand}, {he}, {his} and {him} are whose turn it was."""
        hand = self.hand
        return self.pick(choices, salt).format(
            hand=hand.name, he=hand.he, his=hand.his, him=hand.him, **names
        )

    def event(
        self,
        kind: str,
        text: str,
        row: int,
        other: int = NOBODY,
        *,
        amount: int = 0,
        is_just: bool | None = None,
        natural: int = 0,
        dc: int = 0,
        modifier: float = 0.0,
        witnesses: Iterable[int] | None = None,
    ) -> Event:
        """An event of this round; witnesses are those at the table unless others are named."""
        seen = self.at_table if witnesses is None else witnesses
        return Event(
            self.played.night,
            self.played.round,
            self.played.tavern + 1,
            self.played.table_id,
            kind,
            row + 1,
            other + 1,
            amount,
            is_just,
            natural,
            dc,
            modifier,
            [each + 1 for each in seen if each not in (row, other)],
            text,
        )

    def justice(self) -> Iterator[Event]:
        """A trick confirmed, or an accusation and what came of it."""
        cell, hand = self.cell, self.hand
        if cell["notable"] & CAUGHT:
            text = self.say(WORDINGS["caught"])
            yield self.event("caught", text, self.hand_row, amount=cell["stake"], is_just=True)
        accuser_row = NOBODY
        if cell["notable"] & ACCUSED:
            accuser_row = self.seats[cell["accuser"]]
            yield from self._trial(accuser_row)
        if cell["notable"] & BRIBED_OFF:
            yield self._bribe()
        if cell["ran"]:
            yield self._run()
        elif cell["sentence"] != NONE:
            yield self.sentence(accuser_row)
        if cell["brawl"]:
            accuser = self.who(accuser_row)
            text = f"{hand.name} and {accuser.name} came to blows over it and both went home."
            yield self.event("brawl", text, self.hand_row, accuser_row)

    def _trial(self, accuser_row: int) -> Iterator[Event]:
        cell, hand, accuser = self.cell, self.hand, self.who(accuser_row)
        text = self.say(WORDINGS["accused"], accuser=accuser.name)
        yield self.event("accused", text, accuser_row, self.hand_row, is_just=self.is_cheat)
        votes = f"{cell['n_guilty']} of {cell['n_judges']}"
        if cell["verdict"] == CONVICTED:
            text = f"The table found {hand.name} guilty, {votes} against {hand.him}"
            if cell["repaid"] >= WORTH_TELLING_CP:
                text += f", and {hand.he} paid back {show(cell['repaid'])}"
            kind, is_just, text = "convicted", self.is_cheat, text + "."
        else:
            text = self.say(WORDINGS["cleared"], accuser=accuser.name, votes=votes)
            kind, is_just = "cleared", not self.is_cheat
        yield self.event(
            kind, text, self.hand_row, accuser_row, amount=cell["repaid"], is_just=is_just
        )

    def _bribe(self) -> Event:
        sum_cp = self.cell["bribe"]
        text = self.say(WORDINGS["bribed"], sum=show(sum_cp))
        return self.event("bribed", text, self.hand_row, amount=sum_cp, witnesses=())

    def _run(self) -> Event:
        what, pursuer = DREADED[self.cell["sentence"]], self.cell["pursuer"]
        if pursuer == NO_SEAT:
            return self.event("ran", self.say(WORDINGS["ran_alone"], what=what), self.hand_row)
        row = self.seats[pursuer]
        text = self.say(WORDINGS["ran"], what=what, pursuer=self.who(row).name)
        return self.event("ran", text, self.hand_row, row)

    def sentence(self, accuser_row: int, where: str = "at the table") -> Event:
        """The sentence that was carried out."""
        cell, name = self.cell, self.hand.name
        what, nights = cell["sentence"], nights_of(cell["nights"])
        text = {
            WARNED: f"{name} got off with a warning.",
            OUT: f"{name} was thrown out for the night.",
            BANNED: f"{name} was banned from {self.house} for {nights}.",
            BEATEN: f"{name} was beaten and has to lie up for {nights}.",
            KILLED: f"{name} was cut down {where}; {show(cell['estate'])} went to the heirs.",
        }[what]
        return self.event(
            SENTENCES[what],
            text,
            self.hand_row,
            accuser_row,
            amount=cell["estate"],
            is_just=self.is_cheat,
        )

    def luck(self, at_what: str = "at one throw") -> Iterator[Event]:
        """Beaten for luck, a large win, empty purses."""
        cell = self.cell
        if cell["notable"] & TOO_LUCKY:
            nights = nights_of(cell["lucky_nights"])
            text = self.say(WORDINGS["too_lucky"], nights=nights)
            yield self.event("too_lucky", text, self.hand_row, is_just=self.is_cheat)
        if cell["notable"] & BIG_WIN and cell["winner"] != NO_SEAT:
            row = self.seats[cell["winner"]]
            amount = cell["winner_net"]
            text = f"{self.who(row).name} raked in {show(amount)} {at_what}."
            yield self.event("big_win", text, row, self.hand_row, amount=amount)
        if cell["notable"] & BROKE:
            for row in self.rows(cell["broke"]):
                person = self.who(row)
                text = f"{person.name} could no longer cover the stake and got up."
                yield self.event("broke", text, row, amount=cell["stake"])


def nights_of(n: int) -> str:
    """So many nights, in words."""
    return f"{n} night" if n == 1 else f"{n} nights"


def plain_event(
    night: int, kind: str, text: str, *, row: int = NOBODY, tavern: int = NOBODY, amount: int = 0
) -> Event:
    """An event of the day: nobody's doing at a table."""
    return Event(night, 0, tavern + 1, 0, kind, row + 1, 0, amount, None, 0, 0, 0.0, [], text)
