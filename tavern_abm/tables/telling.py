"""A game told at the table: where its dice come from, who decides, what is said.

Each game has a `Play`. It draws nothing and reads nothing itself: it asks `Dice`
for every throw and `Deciders` for every choice, so that real people at a real
table may throw real dice and decide for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..asking import Option, RefusedError
from ..chance import CHOICE, PERSON, PLAY, roll, run_key, subkey, unit
from ..coins import parse, show
from ..patrons.competitor import Competitor

HOUSE = "the house"
"""Who throws what belongs to nobody: obstacles, falling stones, a hireling."""
BACK = "back"
"""What is typed to leave a sum unsaid and choose again."""
MOST_SAID = 80
_SHORT_NUMBER = re.compile(r"[+-]?[0-9]{1,12}")
type Ask = Callable[[str], str]
"""Puts a question to whoever sits at the keyboard and gives back the line typed.

It raises `RefusedError` where nobody answers any more."""


@dataclass(frozen=True)
class Told:
    """Something that happened at the table.

    Parameters
    ----------
    kind : str
        Such as ``"throw"`` or ``"payout"``.
    text : str
        One sentence or more, to be read out; empty where there is nothing to say.
    facts : mapping
        The same for programs: str, int, bool, None, and lists and mappings of them.
    round : int, default 0
        The round (game, bout, race) it belongs to, from 1; 0 for none.
    joins : bool, default False
        Whether its text goes on the same line as the one before.
    lifts : mapping
        Facts that describe the whole round, such as who was the Hand.
    """

    kind: str
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    round: int = 0
    joins: bool = False
    lifts: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"kind": self.kind} | dict(self.facts) | {"text": self.text}


class Dice:
    """Dice at the table: thrown by the program, or by the people who sit there.

    Each player has a stream of throws of his own, by his place and not his
    name, so that dice given by hand for one move nobody else's.

    Parameters
    ----------
    seed : int
        The same seed throws the same.
    players : sequence of str
        In the order of their places.
    given : mapping of name to faces, optional
        Faces that fell, used up in order; after them the program throws. None
        instead of faces: he is asked at every throw.
    ask : callable, optional
        Puts a question to the keyboard.
    """

    def __init__(
        self,
        seed: int,
        players: Sequence[str],
        given: Mapping[str, Sequence[int] | None] | None = None,
        ask: Ask | None = None,
        game: str = "",
    ) -> None:
        self.key = subkey(run_key(seed), PLAY, 0)
        self._places = _places(players)
        self._left = {name: list(faces or ()) for name, faces in (given or {}).items()}
        self._asked = {name for name, faces in (given or {}).items() if faces is None}
        self._thrown: dict[str, int] = {}
        self._ask, self._game = ask, game

    def roll(self, who: str, faces: int, what: str = "") -> int:
        """One die of so many faces, thrown by `who` (a player or `HOUSE`).

        Parameters
        ----------
        what : str
            What it is for: ``"a Strength check"``; shown to who is asked for it.

        Raises
        ------
        RefusedError
            If a face given by hand is not on the die.
        """
        by_hand = self._by_hand(who, 1, faces, what)
        return by_hand[0] if by_hand else self._fall(who, faces)

    def throw(self, who: str, n: int, faces: int, what: str = "") -> tuple[int, ...]:
        """So many dice at once: who throws them by hand is asked for all of them together."""
        by_hand = self._by_hand(who, n, faces, what)
        return by_hand + tuple(self._fall(who, faces) for _ in range(n - len(by_hand)))

    def throw_loaded(
        self, who: str, n: int, cases: Sequence[int], what: str = ""
    ) -> tuple[int, ...]:
        """So many loaded dice, which show each of the `cases` alike.

        Somebody who throws by hand has brought dice of his own: their faces, 1 to
        the highest case, count as they fall.

        Examples
        --------
        Dice that show a 2 three times out of four:

        >>> Dice(1, ["Ann"]).throw_loaded("Ann", 6, [1, 2, 2, 2])
        (2, 2, 2, 1, 1, 2)
        """
        by_hand = self._by_hand(who, n, max(cases), what)
        falls = (self._fall(who, len(cases)) for _ in range(n - len(by_hand)))
        return by_hand + tuple(cases[fall - 1] for fall in falls)

    def unused(self) -> dict[str, int]:
        """How many faces given by hand were never needed, by name."""
        return {name: len(faces) for name, faces in self._left.items() if faces}

    def _fall(self, who: str, faces: int) -> int:
        place = _place(self._places, who)
        return roll(subkey(self.key, PERSON, place), PLAY, self._next(who), faces)

    def _next(self, who: str) -> int:
        number = self._thrown[who] = self._thrown.get(who, -1) + 1
        return number

    def _by_hand(self, who: str, n: int, faces: int, what: str) -> tuple[int, ...]:
        """The faces that fell at the table, as many as there are, at most `n`."""
        left = self._left.get(who, [])
        if not left and who in self._asked and self._ask is not None:
            return self._ask_for(self._ask, who, n, faces, what)
        taken, self._left[who] = left[:n], left[n:]
        for face in taken:
            self._verify(who, face, faces, what)
        return tuple(taken)

    def _verify(self, who: str, face: int, faces: int, what: str) -> None:
        number = self._next(who) + 1
        if not 1 <= face <= faces:
            where = f"throw {number} of {who} in {self._game}" if self._game else f"{who}"
            purpose = f" ({what})" if what else ""
            raise RefusedError(
                f"{where}: a d{faces} has no face {face}{purpose}; it shows 1 to {faces}", "dice"
            )

    def _ask_for(self, ask: Ask, who: str, n: int, faces: int, what: str) -> tuple[int, ...]:
        purpose = f" for {what}" if what else ""
        question = f"{who}, throw {_dice(n, faces)}{purpose}"
        fallen: list[int] = []
        while len(fallen) < n:
            line = ask(question)
            found, problem = _read_faces(line, n - len(fallen), faces)
            fallen += found
            more = _dice(n - len(fallen), faces)
            question = f"{problem}. {who}, throw {more}{purpose}" if problem else f"and {more} more"
        return tuple(fallen)


def _places(players: Sequence[str]) -> dict[str, int]:
    """Everybody's stream of chance by his place; the house has the first."""
    return {HOUSE: 0} | {name: place for place, name in enumerate(players, start=1)}


def _place(places: dict[str, int], who: str) -> int:
    """The place of somebody, who is given the next one if he has none: an onlooker."""
    return places.setdefault(who, len(places))


def _dice(n: int, faces: int) -> str:
    return f"a d{faces}" if n == 1 else f"{n}d{faces}"


def _read_faces(line: str, most: int, faces: int) -> tuple[list[int], str]:
    """The faces typed, and what is wrong with them if anything is."""
    words = line.replace(",", " ").split()
    if len(words) == 1 and words[0].isascii() and len(words[0]) == most > 1 and faces < 10:
        words = list(words[0])  # 4421 for four dice
    if not words:
        return [], "Nothing was typed"
    for word in words:
        if not (word.isascii() and word.isdecimal() and 1 <= int(word[:9]) <= faces):
            return [], f"A d{faces} shows 1 to {faces}, not '{word}'"
    if len(words) > most:
        asked_for = "one die" if most == 1 else f"{most} dice"
        return [], f"That is {len(words)} faces for {asked_for}"
    return [int(word) for word in words], ""


class Deciders:
    """Who decides: the program for its people, the people at the table for theirs.

    Parameters
    ----------
    seed : int
        The same seed decides the same.
    players : sequence of str
        In the order of their places.
    asked : collection of str
        Those who decide for themselves.
    ask : callable, optional
        Puts a question to the keyboard.
    """

    def __init__(
        self,
        seed: int,
        players: Sequence[str],
        asked: Collection[str] = (),
        ask: Ask | None = None,
    ) -> None:
        self.key = subkey(run_key(seed), PLAY, 1)
        self._places = _places(players)
        self._asked, self._ask = set(asked), ask
        self._decided: dict[str, int] = {}

    def is_asked(self, who: str) -> bool:
        """Say whether somebody decides for himself."""
        return who in self._asked and self._ask is not None

    def luck(self, who: str) -> float:
        """A uniform number in [0, 1) for the next decision of the program's."""
        number = self._decided[who] = self._decided.get(who, -1) + 1
        return unit(subkey(self.key, PERSON, _place(self._places, who)), CHOICE, number)

    def choose(
        self, who: str, question: str, words: Sequence[str], otherwise: Callable[[float], str]
    ) -> str:
        """One of some words: asked of `who`, or decided by `otherwise` with a uniform number."""
        u = self.luck(who)
        if len(words) == 1:
            return words[0]
        if not self.is_asked(who):
            return otherwise(u)
        assert self._ask is not None
        text = f"{question} [{'/'.join(words)}]"
        while True:
            line = self._ask(text).strip().lower()
            meant = [word for word in words if word.lower() == line]
            meant = meant or [word for word in words if line and word.lower().startswith(line)]
            if len(meant) == 1:
                return meant[0]
            text = f"'{line}' is none of {', '.join(words)}. {question} [{'/'.join(words)}]"

    def number(
        self, who: str, question: str, low: int, high: int, otherwise: Callable[[float], int]
    ) -> int:
        """A whole number from `low` to `high`: asked of `who`, or decided by `otherwise`."""
        u = self.luck(who)
        if low == high:
            return low
        if not self.is_asked(who):
            return otherwise(u)
        assert self._ask is not None
        text = f"{question} [{low} to {high}]"
        while True:
            line = self._ask(text).strip()
            if _SHORT_NUMBER.fullmatch(line) and low <= int(line) <= high:
                return int(line)
            text = f"'{line}' is no number from {low} to {high}. {question} [{low} to {high}]"

    def sum(
        self, who: str, question: str, low: int, high: int, otherwise: Callable[[float], int]
    ) -> int | None:
        """A sum of money from `low` to `high` cp: ``12`` or ``1 sp 2 cp``.

        None: who is asked would rather go back, and typed so.
        """
        u = self.luck(who)
        if low == high:
            return low
        if not self.is_asked(who):
            return otherwise(u)
        assert self._ask is not None
        allowed = f"{show(low)} to {show(high)}"
        text = f"{question} [{allowed}, or {BACK}]"
        while True:
            line = self._ask(text).strip().lower()
            if line and BACK.startswith(line):
                return None
            sum_cp = _read_sum(line)
            if sum_cp is not None and low <= sum_cp <= high:
                return sum_cp
            text = f"'{line}' is no sum from {allowed}. {question} [{allowed}, or {BACK}]"

    def describe(self, who: str, question: str) -> str:
        """What somebody who is asked says in his own words; empty if nothing, or not asked."""
        if not self.is_asked(who):
            return ""
        assert self._ask is not None
        return " ".join(self._ask(question).split())[:MOST_SAID]


def _read_sum(line: str) -> int | None:
    try:
        return parse(line)
    except ValueError:
        return None


@dataclass(frozen=True)
class AtTable:
    """A game to be played at the table.

    Parameters
    ----------
    players : sequence of str
        Places clockwise.
    seed, rounds : int
        Rounds, games, bouts or races at most.
    stake_cp : int
        What is staked, anted or put up.
    purses : mapping of name to int
        What some have in their purses, in cp; the others have as much as is needed.
    rake_bp : int
        The house's share of the coins that change hands, in basis points.
    dice : Dice
    deciders : Deciders
    options : mapping
        The game's own options, every one with its value.
    sheets : mapping of name to Competitor
        What everybody can do, for games of skill; empty for the others.
    """

    players: Sequence[str]
    seed: int
    rounds: int
    stake_cp: int
    purses: Mapping[str, int]
    rake_bp: int
    dice: Dice
    deciders: Deciders
    options: Mapping[str, Any]
    sheets: Mapping[str, Competitor] = field(default_factory=dict)


@dataclass(frozen=True)
class Play:
    """How a game is played at the table.

    Parameters
    ----------
    tell : callable
        From an `AtTable` to an iterator of `Told`, in order. Its last record is
        of kind ``"closing"`` with facts ``net_cp`` (coins won less coins lost,
        by name) and ``house_cp``, which add up to 0. It raises `RefusedError`.
    seats : tuple of int
        Fewest and most players.
    options : sequence of Option
        Its own options, beside players, seed, rounds, stake, purses, rake, dice and ask.
    players : str
        Names to play with if none are given.
    stake_cp : int
        The stake if none is given.
    help : str
        What ``tavern play GAME --help`` says; a paragraph after a backspace
        character on a line of its own keeps its lines.
    has_stakes : bool
        Whether money changes hands at all.
    has_sheets : bool
        Whether it matters what people can do: ``--roster`` is offered, and who
        is not in it is drawn.
    """

    tell: Callable[[AtTable], Iterator[Told]]
    seats: tuple[int, int]
    options: Sequence[Option]
    help: str
    players: str = "North,East,South,West"
    stake_cp: int = 100
    has_stakes: bool = True
    has_sheets: bool = False


def verify_purse(table: AtTable, who: str, game: str) -> None:
    """Make sure that somebody can cover the first stake.

    Raises
    ------
    RefusedError
        If it is known what he has, and it is less.
    """
    purse = table.purses.get(who)
    if purse is not None and purse < table.stake_cp:
        stake, has = show(table.stake_cp), show(purse)
        raise RefusedError(f"{who} cannot cover the stake of {stake} with {has} ({game})", "purses")


def closing(net_cp: Mapping[str, int], house_cp: int = 0, text: str = "", **facts: Any) -> Told:
    """The last record of every game.

    Raises
    ------
    RuntimeError
        If coins were made or lost: the books of a game must balance to the coin.
    """
    if sum(net_cp.values()) + house_cp != 0:
        raise RuntimeError(f"coins were made or lost: {dict(net_cp)}, the house {house_cp} cp")
    return Told("closing", text, {"net_cp": dict(net_cp), "house_cp": house_cp} | facts)


def lines(telling: Iterable[Told]) -> Iterator[str]:
    """The sentences in lines: what joins the sentence before it stands beside it.

    Examples
    --------
    >>> list(lines([Told("throw", "4 4 2."), Told("toe", "The 2 rots off.", joins=True)]))
    ['4 4 2. The 2 rots off.']
    """
    line = ""
    for told in telling:
        if told.text and line and not told.joins:
            yield line
            line = ""
        line = f"{line} {told.text}".strip()
    if line:
        yield line
