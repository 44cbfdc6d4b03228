"""What happens in a round of Rotting Toes, as records, and a sentence for each.

The records are the truth; a game master's text and the JSON of ``tavern play``
are both made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import ClassVar

from ..coins import show

type Pick = Callable[[Sequence[str]], str]


@dataclass(frozen=True, slots=True)
class Record:
    """Something that happened at the table."""

    kind: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Opening(Record):
    """A round begins."""

    kind: ClassVar[str] = "opening"
    round: int
    hand: str
    stake_cp: int


@dataclass(frozen=True, slots=True)
class PassedOver(Record):
    """The dice have gone past somebody who cannot cover the stake as the Hand."""

    kind: ClassVar[str] = "passed_over"
    round: int
    seat: str
    stake_cp: int


@dataclass(frozen=True, slots=True)
class Bet(Record):
    """A seat has bet ``rot`` or ``not``, or sits ``out`` (stake 0), perhaps for want of coins."""

    kind: ClassVar[str] = "bet"
    seat: str
    bet: str
    stake_cp: int
    can_pay: bool


@dataclass(frozen=True, slots=True)
class Throw(Record):
    """The Hand has thrown; 4, 3 or 2 dice."""

    kind: ClassVar[str] = "throw"
    number: int
    dice: tuple[int, ...]
    doubles: bool


@dataclass(frozen=True, slots=True)
class Notice(Record):
    """A seat has noticed the Hand's weighted dice: one more failed check."""

    kind: ClassVar[str] = "notice"
    seat: str
    hand: str
    natural: int
    perception: int
    dc: int
    failed_checks: int


@dataclass(frozen=True, slots=True)
class Check(Record):
    """The Hand has tried a trick: a die turned, or one more failed check.

    `old` and `new` are the faces of the turned die, 0 where none was turned: the
    check failed, or he let it be. `dice` lie on the table afterwards.
    """

    kind: ClassVar[str] = "check"
    hand: str
    natural: int
    thievery: int
    dc: int
    succeeded: bool
    old: int
    new: int
    dice: tuple[int, ...]
    failed_checks: int


@dataclass(frozen=True, slots=True)
class Toe(Record):
    """The lowest die has been taken away; `alike` dice showed that face."""

    kind: ClassVar[str] = "toe"
    face: int
    alike: int
    dice_left: int
    doubles: int


@dataclass(frozen=True, slots=True)
class Result(Record):
    """How the round ended: ``win``, ``lose``, ``void`` or, without bets, ``passed``."""

    kind: ClassVar[str] = "result"
    hand: str
    ended: str
    doubles: int
    throws: int


@dataclass(frozen=True, slots=True)
class Payout(Record):
    """Who wins what of the losers' stakes; with the house's rake the net sums to 0.

    `odd_to` got one odd coin each.
    """

    kind: ClassVar[str] = "payout"
    ended: str
    pool_cp: int
    rake_cp: int
    net_cp: Mapping[str, int]
    odd_to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuickPayout(Record):
    """One throw of 2d4 for all winners: so many gp for each gp of bet, from nowhere."""

    kind: ClassVar[str] = "quick_payout"
    ended: str
    dice: tuple[int, ...]
    net_cp: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Penalty(Record):
    """What the custom does to a caught Hand: ``ejected`` or ``killed``."""

    kind: ClassVar[str] = "penalty"
    seat: str
    penalty: str


@dataclass(frozen=True, slots=True)
class Beating(Record):
    """A Hand has won too often in a row and is beaten for it."""

    kind: ClassVar[str] = "beating"
    seat: str
    wins: int


@dataclass(frozen=True, slots=True)
class Closing(Record):
    """The last round is over; what each, and the house, has won or lost in all.

    With a quick payout ``house_cp`` stands for coins that came from nowhere
    (negative) or went there. `asked_for` rounds were to be played.
    """

    kind: ClassVar[str] = "closing"
    played: int
    asked_for: int
    net_cp: Mapping[str, int]
    house_cp: int
    quick: bool


@singledispatch
def sentence(record: Record, pick: Pick) -> str:
    """Say it in a sentence or two; `pick` chooses among wordings of the same."""
    raise TypeError(f"no words for {record!r}")


@sentence.register
def _opening(it: Opening, pick: Pick) -> str:
    stake = show(it.stake_cp)
    return f"Round {it.round}. " + pick(
        (
            f"{it.hand} is the Hand and stakes {stake}.",
            f"The dice are with {it.hand}, who stakes {stake}.",
            f"{it.hand} takes up the dice and puts down {stake}.",
        )
    )


@sentence.register
def _passed_over(it: PassedOver, pick: Pick) -> str:
    return pick(
        (
            f"{it.seat} cannot cover {show(it.stake_cp)} and is passed over as the Hand.",
            f"The dice go past {it.seat}, who has no {show(it.stake_cp)} left to stake.",
        )
    )


@sentence.register
def _bet(it: Bet, pick: Pick) -> str:
    stake = show(it.stake_cp)
    if not it.can_pay:
        return pick((f"{it.seat} has too little left to bet.", f"{it.seat} cannot cover a bet."))
    if it.bet == "out":
        return pick((f"{it.seat} sits this one out.", f"{it.seat} only watches."))
    return pick(
        (
            f"{it.seat} bets {stake} on {it.bet}.",
            f"{it.seat} puts {stake} on {it.bet}.",
            f'"{it.bet.capitalize()}!" says {it.seat}, and lays down {stake}.',
        )
    )


@sentence.register
def _throw(it: Throw, pick: Pick) -> str:
    found = ("doubles",) if it.doubles else ("no doubles", "all different")
    return f"Throw {it.number}: {faces(it.dice)}, {pick(found)}."


@sentence.register
def _notice(it: Notice, pick: Pick) -> str:
    sure = it.failed_checks > 1
    check = f"Perception {_sum(it.natural, it.perception)} against DC {it.dc}"
    end = "that settles it" if sure else "the table grows wary"
    return pick(
        (
            f"{it.seat} takes a long look at {it.hand}'s dice ({check}): {end}.",
            f"{it.seat} thinks {it.hand}'s dice fall too well ({check}): {end}.",
        )
    )


@sentence.register
def _check(it: Check, pick: Pick) -> str:
    check = f"Thievery {_sum(it.natural, it.thievery)} against DC {it.dc}"
    if it.succeeded and it.old == 0:
        return f"{it.hand} could turn a die unseen ({check}), and lets it be."
    if it.succeeded:
        turned = f"the {it.old} into a {it.new}"
        return pick(
            (
                f"{it.hand} turns {turned} unseen ({check}): {faces(it.dice)}, doubles.",
                f"A quick finger makes {turned} ({check}): {faces(it.dice)}, doubles.",
            )
        )
    if it.failed_checks > 1:
        return f"{it.hand} reaches for a die again ({check}), and all see it."
    return pick(
        (
            f"{it.hand} fumbles at a die ({check}); the table grows wary.",
            f"{it.hand}'s finger slips ({check}), and eyes narrow.",
        )
    )


@sentence.register
def _toe(it: Toe, pick: Pick) -> str:
    gone = f"The {it.face}" if it.alike == 1 else f"One of the {it.face}s"
    taken = pick((f"{gone} is taken away.", f"{gone} rots off."))
    if it.dice_left == 2:
        return f"{taken} Two dice are left, and all hangs on them."
    return taken + (" One more pair wins." if it.doubles else "")


@sentence.register
def _result(it: Result, pick: Pick) -> str:
    if it.ended == "passed":
        return f"Nobody bets. {it.hand} takes the stake back and passes the dice on."
    if it.ended == "void":
        return f"{it.hand} is caught cheating. The round is void."
    if it.ended == "win":
        return f"Doubles twice: {it.hand} wins." + pick(("", " The toes stay on."))
    pairs = "No doubles" if it.doubles == 0 else "Doubles only once"
    throws = "two throws" if it.throws == 2 else "three throws"
    return f"{pairs} in {throws}: " + pick(
        (f"the toes rot, and {it.hand} loses.", f"{it.hand} loses. The toes rot off.")
    )


@sentence.register
def _payout(it: Payout, pick: Pick) -> str:
    if it.ended == "void":
        return "Every stake goes back to its owner."
    if it.pool_cp == 0:
        if it.ended == "win":
            return "Nobody bet on rot, so there is nothing to win."
        return "Nobody bet on rot, so every stake goes back to its owner."
    return _shared(it) + (f" The house takes {show(it.rake_cp)}." if it.rake_cp else "")


def _shared(it: Payout) -> str:
    winners = [seat for seat, net in it.net_cp.items() if net > 0]
    prize = it.pool_cp - it.rake_cp
    if not winners:
        return "Nothing is left to share."
    if len(winners) == 1:
        return f"{winners[0]} wins {show(prize)}."
    each = show((prize - len(it.odd_to)) // len(winners))
    shared = f"{names(winners)} share {show(prize)}: {each} each"
    if len(it.odd_to) == 1:
        return f"{shared}, and the odd copper goes to {it.odd_to[0]}."
    if it.odd_to:
        return f"{shared}, and the {len(it.odd_to)} odd coppers go to {names(it.odd_to)}."
    return f"{shared}."


@sentence.register
def _quick(it: QuickPayout, pick: Pick) -> str:
    if it.ended == "void":
        return "Every stake goes back to its owner."
    winners = [seat for seat, net in it.net_cp.items() if net > 0]
    losers = [seat for seat, net in it.net_cp.items() if net < 0]
    said = []
    if winners:
        won = show(it.net_cp[winners[0]]) + (" each" if len(winners) > 1 else "")
        gain = "gains" if len(winners) == 1 else "gain"
        said.append(f"The 2d4 show {names([*map(str, it.dice)])}: {names(winners)} {gain} {won}.")
    if losers:
        lost = "loses the stake" if len(losers) == 1 else "lose their stakes"
        said.append(f"{names(losers)} {lost}.")
    return " ".join(said)


@sentence.register
def _penalty(it: Penalty, pick: Pick) -> str:
    if it.penalty == "killed":
        return pick(
            (
                f"The orcs kill {it.seat} on the spot.",
                f"Axes come out, and {it.seat} dies at the table.",
            )
        )
    return pick(
        (
            f"{it.seat} is thrown out.",
            f"{it.seat} is out of the game, and out of the door.",
        )
    )


@sentence.register
def _beating(it: Beating, pick: Pick) -> str:
    return f"{it.wins} wins in a row as the Hand: too lucky. " + pick(
        (
            f"{it.seat} is given a savage beating and plays no more tonight.",
            f"{it.seat} is beaten black and blue and plays no more tonight.",
        )
    )


@sentence.register
def _closing(it: Closing, pick: Pick) -> str:
    said = []
    if it.played < it.asked_for:
        said.append("Too few are left to play on.")
    if it.asked_for > 1:
        rounds = "1 round" if it.played == 1 else f"{it.played} rounds"
        sums = ", ".join(f"{seat} {_signed(net)}" for seat, net in it.net_cp.items())
        said.append(f"After {rounds}: {sums}.")
    if it.quick and it.house_cp:
        verb = "made" if it.house_cp < 0 else "swallowed"
        said.append(f"The quick payout {verb} {show(abs(it.house_cp))}.")
    elif it.house_cp and it.asked_for > 1:
        said.append(f"The house has taken {show(it.house_cp)}.")
    return " ".join(said)


def faces(dice: Sequence[int]) -> str:
    """The dice as they lie: ``4 4 2 1``."""
    return " ".join(map(str, dice))


def names(seats: Sequence[str]) -> str:
    """Names in a row.

    Examples
    --------
    >>> names(["North"]), names(["North", "East", "West"])
    ('North', 'North, East and West')
    """
    *others, last = seats
    return f"{', '.join(others)} and {last}" if others else last


def _sum(natural: int, modifier: int) -> str:
    return f"{natural} {'-' if modifier < 0 else '+'} {abs(modifier)} = {natural + modifier}"


def _signed(net_cp: int) -> str:
    return f"{'+' if net_cp > 0 else ''}{show(net_cp)}"
