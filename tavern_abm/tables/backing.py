"""Onlookers at a contest told at the table: whom they back, and with how much.

Every contest offers the option `BACKERS`, refuses with `verify_backers` those who
cannot back anybody, and keeps the bets on one contest in a `Book`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..asking import ByName, Option, RefusedError, Sum, Text
from ..coins import show
from ..games.contests import settle_book
from .telling import AtTable


@dataclass(frozen=True)
class Backing:
    """Whom an onlooker backs.

    Parameters
    ----------
    on : str
        The contestant.
    sum_cp : int or None, default None
        What he lays, at least 1 cp; None: the stake of the contest.

    Examples
    --------
    >>> str(Backing("Ann", 50)), str(Backing("Bo"))
    ('Ann:5 sp', 'Bo')
    """

    on: str
    sum_cp: int | None = None

    def __str__(self) -> str:
        return self.on if self.sum_cp is None else f"{self.on}:{show(self.sum_cp)}"


@dataclass(frozen=True)
class Backed:
    """A contestant, and after a colon a sum of money: ``Ann:5 sp``, or ``Ann`` alone."""

    word: str = "name[:sum]"

    def read(self, value: Any) -> Backing:
        """Read it; whether there is such a contestant is seen later.

        Examples
        --------
        >>> Backed().read("Ann: 1 gp 5 sp")
        Backing(on='Ann', sum_cp=150)
        """
        name, sign, given = str(value).rpartition(":")
        if not sign:
            return Backing(Text().read(value))
        return Backing(Text().read(name), Sum().read(given.strip()))

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return Text().schema()


BACKERS = Option(
    "backers",
    ByName(Backed()),
    {},
    "Onlookers, whom they back, and what they lay if not the stake: 'Zed=Ann:5 sp,Yan=Bo'.",
)


def bet_of(table: AtTable, who: str) -> int:
    """What somebody lays, in cp: the sum said with `BACKERS`, or the stake."""
    backing = table.options["backers"].get(who)
    if backing is None or backing.sum_cp is None:
        return table.stake_cp
    return int(backing.sum_cp)


def verify_backers(
    table: AtTable, contestants: Collection[str], game: str, verb: str, may_wait: bool = False
) -> None:
    """Refuse those who back nobody who is there, or back anybody though they compete.

    Parameters
    ----------
    contestants : collection of str
        Who may be backed.
    game, verb : str
        For the messages: ``"long-throw"``, ``"throw"``.
    may_wait : bool, default False
        Whether a contestant may look on at the contests of others, and back them.

    Raises
    ------
    RefusedError
        Naming the onlooker and the game.
    """
    for who, backing in table.options["backers"].items():
        if backing.on not in contestants:
            allowed = f"they {verb}: {', '.join(contestants)}"
            raise RefusedError(f"{who} cannot back {backing.on}; {allowed} ({game})", "backers")
        if who == backing.on or (who in contestants and not may_wait):
            whom = who if may_wait else "anybody"
            raise RefusedError(f"{who} {verb}s and cannot back {whom} ({game})", "backers")
        purse, bet = table.purses.get(who), bet_of(table, who)
        if purse is not None and purse < bet:
            problem = f"{who} cannot cover the bet of {show(bet)} with {show(purse)}"
            raise RefusedError(f"{problem} ({game})", "purses")


def never_laid(table: AtTable, laid: Collection[str], noun: str) -> Iterator[tuple[str, str]]:
    """Whose bet came to nothing, and a sentence to say so.

    Parameters
    ----------
    laid : collection of str
        Who has laid a bet.
    noun : str
        What the contestant did not have: ``"bout"``.
    """
    for who, backing in table.options["backers"].items():
        if who not in laid:
            theirs = f" that {who} could bet on" if who in table.players else ""
            why = f"{backing.on} had no {noun}{theirs}"
            yield who, f"{who}'s bet on {backing.on} was never laid: {why}."


@dataclass
class Book:
    """The bets on one contest.

    Examples
    --------
    30 cp and 10 cp on the winner share 20 cp as 3 to 1.

    >>> book = Book()
    >>> book.lay("Zed", 0, 30), book.lay("Yan", 0, 10), book.lay("Xe", 1, 20)
    (None, None, None)
    >>> book.on_each(2), book.settle([1, 0])
    ([40, 20], ({'Zed': 15, 'Yan': 5, 'Xe': -20}, 0))
    """

    backed: dict[str, int] = field(default_factory=dict)  # index of the contestant
    bets_cp: dict[str, int] = field(default_factory=dict)

    def lay(self, who: str, on: int, bet_cp: int) -> None:
        """Write down a bet on the contestant of an index."""
        self.backed[who], self.bets_cp[who] = on, bet_cp

    def lay_backers(self, table: AtTable, names: Sequence[str]) -> None:
        """Write down the bets of `BACKERS` on those who compete: `names`, in their order."""
        for who, backing in table.options["backers"].items():
            if backing.on in names:
                self.lay(who, names.index(backing.on), bet_of(table, who))

    def on_each(self, n: int) -> list[int]:
        """What lies on each of `n` contestants, in cp."""
        sums = [0] * n
        for who, on in self.backed.items():
            sums[on] += self.bets_cp[who]
        return sums

    def settle(self, winners: Sequence[int], rake_bp: int = 0) -> tuple[dict[str, int], int]:
        """What each has won or lost, in cp, and what the house has of it (`settle_book`)."""
        net = [0] * len(self.backed)
        bets = list(self.bets_cp.values())
        house = settle_book(list(self.backed.values()), bets, winners, net, rake_bp)
        return dict(zip(self.backed, net, strict=True)), house

    def said(self, who: str, names: Sequence[str]) -> str:
        """A bet as it is read out."""
        return f"{who} lays {show(self.bets_cp[who])} on {names[self.backed[who]]}."

    def __len__(self) -> int:
        return len(self.backed)
