"""What interventions do to a town: people, coins, beliefs and rumours, and a line in the record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..coins import show
from ..events import plain_event
from ..games import GAMES
from ..patrons.columns import DEAD, HERE, HOUSES, LEFT, NOBODY
from ..patrons.decisions.general import may_enter
from ..patrons.decisions.talk import CHEATS, CLAIMS, OWES
from ..rumor_words import in_passing
from ..scenario.problems import nearest
from ..society.rumors import NO_GAME
from ..society.suspicion import (
    HEARSAY_BOUND,
    clamp,
    hear,
    log_odds_now,
    memory_of,
    place,
    refresh,
    write,
)
from ..tables.accounts import ESTATE, GIVEN, TAKEN
from ..tables.record import N_HEARSAY, N_RUMORS
from ..town.day import leave_for_good
from .interventions import OUTSIDE, STRANGERS, Accused, Died, Entry, Left, Paid, Rumor

if TYPE_CHECKING:
    from ..model import TavernModel

_PLAYERS = re.compile(r"\b(players?|pcs?|party|heroes|strangers?|adventurers?|we|us|me)\b")
"""What players are called by who does not know how to write them."""


class Morning(NamedTuple):
    """The morning on which something is put in."""

    model: TavernModel
    night: int
    counts: Any
    flows: Any

    def tell(
        self,
        kind: str,
        text: str,
        *,
        row: int,
        tavern: int = NOBODY,
        amount: int = 0,
        **more: Any,
    ) -> None:
        """Let the record have it, as a `plain_event`; `more` are further fields of an event."""
        event = plain_event(self.night, kind, text, row=row, tavern=tavern, amount=amount)
        self.model.record.of_players.append(event._replace(**more))


class Interventions:
    """What is put into a run from outside, each in the morning of its night.

    Parameters
    ----------
    done : iterable of Entry, optional
        What has been put in before the run stopped.

    Attributes
    ----------
    done : list of Entry
        All that has happened so far, with its night.
    notes : list of str
        What whoever put it in should know of it, a line each.
    """

    def __init__(self, done: Iterable[Entry] = ()) -> None:
        self.done = list(done)
        self.notes: list[str] = []
        self._to_come: list[Entry] = []

    def add(self, entries: Iterable[Entry], first: int, last: int | None = None) -> None:
        """Have these happen as well, from the night `first` on.

        Parameters
        ----------
        last : int, optional
            The last night that will be played.

        Raises
        ------
        DataError
            If one is of a night that is over, or will not come.
        """
        for entry in entries:
            night = entry.what.night or first
            if night < first:
                raise entry.error(f"night {night} is over; the next one is night {first}")
            if last is not None and night > last:
                raise entry.error(f"night {night} is not played; the last one is night {last}")
            self._to_come.append(
                entry._replace(what=entry.what.model_copy(update={"night": night}))
            )

    def __call__(self, model: TavernModel, night: int, counts: Any, flows: Any) -> bool:
        """Let happen what is of this morning; say whether anything was."""
        due = [entry for entry in self._to_come if entry.what.night == night]
        morning = Morning(model, night, counts, flows)
        for entry in due:
            find = Finder(model, entry)
            EFFECTS[type(entry.what)](morning, entry.what, find)
            self.done.append(entry)
            self.notes += find.notes
        self._to_come = [entry for entry in self._to_come if entry not in due]
        return bool(due)


class Finder:
    """Finds people and houses by name, and says in one line what is wrong with one."""

    def __init__(self, model: TavernModel, entry: Entry) -> None:
        self.model, self.entry = model, entry
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        """Have something said to whoever put it in, with its place."""
        self.notes.append(str(self.entry.error(text)))

    def anybody(self, field: str, name: str) -> int:
        """The row of somebody who has ever lived here."""
        rows = {self.model.name_of(row): row for row in range(self.model.n_rows)}
        by_folded = {each.casefold(): row for each, row in rows.items()}
        row = by_folded.get(name.casefold())
        if row is None and name.casefold() == STRANGERS:
            text = "strangers can only kill; for coins of theirs leave the name out"
            raise self.entry.error(f"{field}: {text}")
        if row is None:
            meant, outside = nearest(name, rows), self._outside(field)
            if outside and _PLAYERS.search(name.casefold()):
                meant = None
            hints = (f"did you mean {meant!r}?" if meant else "", outside)
            hint = f" ({'; '.join(filter(None, hints))})" if any(hints) else ""
            raise self.entry.error(f"{field}: nobody in town is called {name!r}{hint}")
        return row

    def _outside(self, field: str) -> str:
        """How those are written in a field who are not of the town, such as the players."""
        if isinstance(self.entry.what, Died) and field == "by":
            return f'for your players, or others from outside, write by = "{STRANGERS}"'
        if isinstance(self.entry.what, Paid):
            return f"for your players, or others from outside, leave out {field!r}"
        return ""

    def living(self, field: str, name: str) -> int:
        """The row of somebody who lives here."""
        row = self.anybody(field, name)
        people, called = self.model.people, self.model.name_of(row)
        where, gone = int(people.whereabouts[row]), int(people.gone[row])
        if where == DEAD:
            raise self.entry.error(f"{field}: {called} died on night {gone}")
        if where == LEFT:
            raise self.entry.error(f"{field}: {called} left town on night {gone}")
        return row

    def talker(self, field: str, name: str) -> int:
        """The row of somebody who lives here and is decided for."""
        row = self.living(field, name)
        if self.model.people.is_player[row]:
            text = f"{self.model.name_of(row)} is a player's character, and talks for himself"
            raise self.entry.error(f"{field}: {text}")
        return row

    def tavern(self, field: str, name: str) -> int:
        """The index of a house."""
        signs = [tavern.name for tavern in self.model.scenario.taverns]
        by_folded = {sign.casefold(): at for at, sign in enumerate(signs)}
        at = by_folded.get(name.casefold(), by_folded.get(f"the {name.casefold()}"))
        if at is None:
            meant = nearest(name, signs)
            hint = f"did you mean {meant!r}?" if meant else f"there are {', '.join(signs[:12])}"
            raise self.entry.error(f"{field}: no house in town is called {name!r} ({hint})")
        return at


# ---------------------------------------------------------------- deaths and departures


def _die(morning: Morning, what: Died, find: Finder) -> None:
    """He is dead; his purse goes to the heirs, and who did it, saw it or found him knows."""
    model, row = morning.model, find.living("who", what.who)
    killer = _killer(what, find)
    if killer == row:
        raise find.entry.error("by: leave it out, unless another killed him")
    saw = [find.living("seen_by", name) for name in what.seen_by]
    if row in saw:
        raise find.entry.error(f"seen_by: {model.name_of(row)} is who died; name others")
    # Of a body that is found nobody can say whose work it was.
    is_found = not saw and killer == NOBODY
    knows = list(dict.fromkeys(_kin(model, row) if is_found else saw))
    told: dict[str, Any] = {"row": row, "other_id": killer + 1, "witnesses": _ids(knows)}
    told["amount"] = _bury(morning, row)
    kind = "died" if what.by is None else "killed"
    morning.tell(kind, what.text or _obituary(model, row, killer, kind), **told)
    if kind == "killed":
        _spring(morning, kind, row, killer, knows)


def _killer(what: Died, find: Finder) -> int:
    """Row of who killed him; NOBODY if he died by himself, or at the hands of strangers."""
    if what.by is None or what.by.casefold() == STRANGERS:
        return NOBODY
    return find.living("by", what.by)


def _bury(morning: Morning, row: int) -> int:
    """He lives here no more; the purse he leaves, in cp."""
    people = morning.model.people
    purse, home = int(people.gold[row]), int(people.home[row])
    # Who dies leaves his purse in a house, by the books; who goes away takes it by day.
    morning.flows[1 + home, ESTATE, people.trade[row]] += purse
    people.gold[row] = 0
    people.whereabouts[row] = DEAD
    people.gone[row] = morning.night
    people.tavern[row] = NOBODY
    return purse


def _obituary(model: TavernModel, row: int, killer: int, kind: str) -> str:
    if kind == "died":
        return f"{model.name_of(row)} died."
    by = "strangers" if killer == NOBODY else model.name_of(killer)
    return f"{model.name_of(row)} was killed by {by}."


def _kin(model: TavernModel, row: int) -> list[int]:
    """Rows of those of his household who live here, without him."""
    household = model.sheet.household[: model.n_rows]
    is_kin = (household == household[row]) & (model.people.whereabouts[: model.n_rows] == HERE)
    return [each for each in np.flatnonzero(is_kin).tolist() if each != row]


def _ids(rows: list[int]) -> list[int]:
    return [row + 1 for row in rows]


def _spring(morning: Morning, kind: str, row: int, other: int, knows: list[int]) -> None:
    grapevine, people = morning.model.company.grapevine, morning.model.people
    grapevine.spring_plain(kind, morning.night, row, other, witnesses=knows)
    morning.counts[people.home[row], N_RUMORS] += grapevine.has_rumors


def _leave(morning: Morning, what: Left, find: Finder) -> None:
    model, row = morning.model, find.living("who", what.who)
    purse = leave_for_good(model.people[row], morning.night, morning.flows)
    text = what.text or f"{model.name_of(row)} left town for good with {show(purse)}."
    morning.tell("left", text, row=row, amount=purse)


# ---------------------------------------------------------------- coins


def _pay(morning: Morning, what: Paid, find: Finder) -> None:
    """Coins from one to another, through the world outside if only one is of the town."""
    model, amount = morning.model, what.amount
    payer = NOBODY if what.from_.casefold() == OUTSIDE else find.living("from", what.from_)
    payee = NOBODY if what.who.casefold() == OUTSIDE else find.living("who", what.who)
    if payer == payee:
        raise find.entry.error("who and from: name two, not one and the same")
    if payer != NOBODY:
        held = int(model.people.gold[payer])
        if held < amount:
            text = f"{model.name_of(payer)} holds {show(held)}, no more (got {show(amount)})"
            raise find.entry.error(f"amount: {text}")
        _book(morning, payer, -amount)
    if payee != NOBODY:
        _book(morning, payee, amount)
    _tell_payment(morning, what, payer, payee)


def _book(morning: Morning, row: int, amount: int) -> None:
    people = morning.model.people
    people.gold[row] += amount
    morning.flows[0, GIVEN if amount > 0 else TAKEN, people.trade[row]] += abs(amount)


def _tell_payment(morning: Morning, what: Paid, payer: int, payee: int) -> None:
    name, amount = morning.model.name_of, what.amount
    if payee == NOBODY:
        text = f"{name(payer)} was made {show(amount)} poorer by somebody from outside."
        morning.tell("taken", what.text or text, row=payer, amount=amount)
        return
    giver = "somebody from outside" if payer == NOBODY else name(payer)
    text = f"{name(payee)} had {show(amount)} from {giver}."
    morning.tell("given", what.text or text, row=payee, amount=amount, other_id=payer + 1)


# ---------------------------------------------------------------- what is said of people


def _accuse(morning: Morning, what: Accused, find: Finder) -> None:
    """He calls him a cheat, as sure as he would have to be at a table; his house hears it."""
    model, people, night = morning.model, morning.model.people, morning.night
    accused, accuser = find.living("who", what.who), find.talker("by", what.by)
    if accused == accuser:
        raise find.entry.error("by: nobody accuses himself")
    told = _be_sure(model, accuser, accused, night)
    home = int(people.home[accuser])
    is_there = (people.whereabouts == HERE) & (people.home == home) & (people.is_player == 0)
    rows = np.flatnonzero(is_there[: model.n_rows]).tolist()
    heard = [row for row in rows if row not in (accuser, accused)]
    for row in heard:
        hear(memory_of(model.beliefs, row), accused, accuser, told, night, model.ways)
    people.accusations[accuser] += 1
    people.accused[accused] += 1
    morning.counts[home, N_HEARSAY] += len(heard)
    house = in_passing(model.scenario.taverns[home].name)
    name = model.name_of
    text = f"{name(accuser)} called {name(accused)} a cheat before all who drink at {house}."
    is_just = bool(people.is_cheat[accused] == 1 and people.tries[accused] > 0)
    told_of: dict[str, Any] = {
        "other_id": accused + 1,
        "is_just": is_just,
        "witnesses": _ids(heard),
    }
    morning.tell("denounced", what.text or text, row=accuser, tavern=home, **told_of)


def _be_sure(model: TavernModel, accuser: int, accused: int, night: int) -> float:
    """Let him believe it as firmly as it takes to accuse; what he believes, as log-odds."""
    memory, ways = memory_of(model.beliefs, accuser), model.ways
    k = place(memory, accused, night, ways)
    refresh(memory, k, night, ways)
    sure = clamp(float(model.people.threshold[accuser]), HEARSAY_BOUND)
    if memory.held[k].settled == 0 and log_odds_now(memory, k, night, ways) < sure:
        write(memory, k, sure, night, ways)
    return log_odds_now(memory, k, night, ways)


def _plant(morning: Morning, what: Rumor, find: Finder) -> None:
    """From now on he tells it, as if he had made it up himself."""
    model, people = morning.model, morning.model.people
    grapevine = model.company.grapevine
    if not grapevine.has_rumors:
        raise find.entry.error("no rumours travel in this town (talk.contacts or talk.rumors is 0)")
    teller, subject = find.talker("by", what.by), find.anybody("about", what.about)
    other = NOBODY if what.other is None else find.anybody("other", what.other)
    claim = CLAIMS.index(what.claim)
    if claim == OWES and other == NOBODY:
        other = teller
    if other == subject:
        hint = "" if what.other is not None else "left out, it is the teller; "
        raise find.entry.error(f"other: {hint}name another than {model.name_of(subject)}")
    death = grapevine.first_of("killed", subject) if what.claim == "killed" else None
    night = what.happened or (max(1, morning.night - 1) if death is None else int(death.night))
    if night > morning.night:
        raise find.entry.error(f"happened: night {night} is still to come")
    told = {"other": other, "amount": what.amount or 0, "claimed_night": night}
    told |= {"tavern": _place_of(model, what, subject, claim, find)}
    if death is not None and what.tavern is None:
        told |= {"tavern": int(death.tavern)}
    told |= {"game": _game_of(what, claim, grapevine.games)}
    grapevine.plant(morning.night, teller, claim, subject, **told)
    morning.counts[people.home[teller], N_RUMORS] += 1
    text = f"{model.name_of(teller)} took to telling a tale about {model.name_of(subject)}."
    morning.tell("planted", what.text or text, row=teller, other_id=subject + 1)
    late = _why_not_tonight(model, teller, morning.night)
    if late:
        find.note(f"by: {model.name_of(teller)} {late}")


def _why_not_tonight(model: TavernModel, row: int, night: int) -> str:
    """Why somebody who has something to tell cannot tell it tonight, or not at home; else empty."""
    one = model.people[row]
    until = max(int(one.bruised_until), int(one.low_until))
    if until >= night:
        why = "is laid up" if one.bruised_until >= one.low_until else "lies low"
        return f"{why}, and tells it only when he is out again, from night {until + 1}"
    if may_enter(one, one.home, night):
        return ""
    bans = [int(one.banned_until)] if one.banned_from == one.home else []
    if one.also_banned % HOUSES == one.home:
        bans.append(int(one.also_banned // HOUSES))
    house = in_passing(model.scenario.taverns[one.home].name)
    return f"is banned from {house}, and tells it there only from night {max(bans) + 1}"


def _place_of(model: TavernModel, what: Rumor, subject: int, claim: int, find: Finder) -> int:
    """Where it claims to have happened: of a debt nowhere, else in the subject's own house."""
    if what.tavern is not None:
        return find.tavern("tavern", what.tavern)
    return NOBODY if claim == OWES else int(model.people.home[subject])


def _game_of(what: Rumor, claim: int, judged: Any) -> int:
    """At which game: of cheating at one where people are accused of it."""
    if what.game is not None:
        return list(GAMES).index(what.game)
    return int(judged[0]) if claim == CHEATS and len(judged) else NO_GAME


EFFECTS: dict[type, Callable[[Morning, Any, Finder], None]] = {
    Died: _die,
    Left: _leave,
    Paid: _pay,
    Accused: _accuse,
    Rumor: _plant,
}
"""What each kind of intervention does."""
