"""A game of Rotting Toes at the table, throw by throw, as a game master tells it.

The rules are those of `games.rotting_toes`, the very functions that the
evenings of the simulation run; only this driver asks for dice, bets and tricks
and writes down what happens.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from ..asking import ByName, Flag, OneOf, Option, RefusedError, Sum, Text, Whole
from ..chance import CHOICE, roll, run_key
from ..checks import HARD_DC, passes
from ..coins import CP_PER_GP, rake, show
from ..games import rotting_toes as rt
from ..patrons.decisions.rotting_toes import choose_side
from .rotting_toes_records import (
    Beating,
    Bet,
    Check,
    Closing,
    Notice,
    Opening,
    PassedOver,
    Payout,
    Penalty,
    QuickPayout,
    Record,
    Result,
    Throw,
    Toe,
    faces,
    sentence,
)
from .telling import HOUSE, AtTable, Play, Told, closing

P_WIN = 397 / 972
RATIONALITY = 4.0
THRILL = 0.25
BETS = {"rot": rt.ROT, "not": rt.NOT, "out": rt.OUT}
_BET_NAMES = {bet: name for name, bet in BETS.items()}
_ENDS = {rt.WIN: "win", rt.LOSE: "lose", rt.VOID: "void"}
PENALTIES = {"tavern": "ejected", "orc": "killed"}
"""Customs of a house by name, and what each does to a caught Hand."""
LUCKY_WINS = 4
NOTICE_DC = 10
PERCEPTION = 0
THIEVERY = 6
BESIDE_A_THROW = (Check, Notice, Toe)
_FACES = 6
LOADED = (6,) * 5 + tuple(face for face in range(1, 6) for _ in range(2))
"""A weighted die as cases that are all alike: a 6 with chance 5/15, 2/15 for each other face."""
LEAVE = "leave"
NAME = "rotting-toes"
_TRICKS, _HOUSE, _BETS = "Tricks", "The house", "Bets"

OPTIONS = (
    Option("bets", ByName(OneOf(tuple(BETS))), {}, "Fixed bets: 'East=rot,South=not'.", _BETS),
    Option(
        "side_bets", ByName(Sum()), {}, "What some bet instead of the stake: 'East=5 sp'.", _BETS
    ),
    Option("quick", Flag(), False, "Pay winners 2d4 gp for each gp of bet.", _BETS),
    Option("cheat", Text("name"), None, "Tries a trick at each throw without doubles.", _TRICKS),
    Option("weighted", Text("name"), None, "Has dice that show a 6 with chance 1/3.", _TRICKS),
    Option("thievery", Whole(-5, 30), None, "Of --cheat or --weighted.  [default: 6]", _TRICKS),
    Option("dc", Whole(5, 40), HARD_DC, "Of a trick.", _TRICKS),
    Option(
        "custom",
        OneOf(tuple(PENALTIES)),
        "tavern",
        "A caught Hand is thrown out, or killed.",
        _HOUSE,
    ),
    Option(
        "lucky",
        Flag(),
        False,
        "Beat whoever wins 4 times in a row as the Hand; orcs always do.",
        _HOUSE,
    ),
)

HELP = """Play Rotting Toes, and tell every throw.

The first player is the Hand in round 1: he throws 4d6, 3d6 and 2d6, and the others
bet on his toes. Doubles twice, and the toes stay on. Made to be read aloud. Bets that
are not given are drawn: people know the odds and like a bet.

\b
  tavern play rotting-toes
  tavern play rotting-toes --players "Ann,Bo,Cy" --rounds 3 --stake "5 sp"
  tavern play rotting-toes --bets "East=rot,South=not" --seed 3

Somebody cheats, among orcs; the quick payout of a game master in a hurry:

\b
  tavern play rotting-toes --cheat East --thievery 6 --rounds 4 --custom orc
  tavern play rotting-toes --quick

Ann throws real dice, and Bo decides for himself what to bet; Cy has 2 gp and no more:

\b
  tavern play rotting-toes --players "Ann,Bo,Cy" --rounds 6 --dice Ann --ask Bo \\
      --purses "Cy=2 gp"
"""


@dataclass
class _Night:
    """The table, and what carries over from round to round."""

    table: AtTable
    present: list[str]
    failed: dict[str, int]
    streak: dict[str, int]
    net_cp: dict[str, int]
    house_cp: int = 0

    def option(self, name: str) -> Any:
        """What was said about the game."""
        return self.table.options[name]

    def bet_cp(self, name: str) -> int:
        """What somebody stakes if he bets."""
        return int(self.option("side_bets").get(name, self.table.stake_cp))

    def can_pay(self, name: str, sum_cp: int) -> bool:
        """Say whether a purse holds so much; one that nobody has described does."""
        purse = self.table.purses.get(name)
        return purse is None or purse + self.net_cp[name] >= sum_cp

    @property
    def able(self) -> list[str]:
        """Those present who can cover the stake."""
        return [name for name in self.present if self.can_pay(name, self.table.stake_cp)]

    @property
    def thievery(self) -> int:
        """The modifier of who cheats."""
        given = self.option("thievery")
        return THIEVERY if given is None else int(given)


def tell(table: AtTable) -> Iterator[Told]:
    """Play the game and tell it, record by record.

    Raises
    ------
    RefusedError
        If somebody is named who does not play, a purse does not cover the
        stake, or two options do not go together.

    Examples
    --------
    >>> from tavern_abm.tables.telling import Deciders, Dice, lines
    >>> names = ["North", "East"]
    >>> options = {option.name: option.default for option in OPTIONS} | {"bets": {"East": "rot"}}
    >>> dice = Dice(3, names, {"North": [4, 4, 2, 1, 6, 3, 3]})
    >>> table = AtTable(names, 3, 1, 100, {}, 0, dice, Deciders(3, names), options)
    >>> for line in lines(tell(table)):
    ...     print(line)
    Round 1. North is the Hand and stakes 1 gp.
    "Rot!" says East, and lays down 1 gp.
    Throw 1: 4 4 2 1, doubles. The 1 rots off. One more pair wins.
    Throw 2: 6 3 3, doubles.
    Doubles twice: North wins.
    North wins 1 gp.
    """
    run = run_key(table.seed)
    number = 0
    for place, record in enumerate(play(table)):
        text = sentence(record, partial(_pick, run, place))
        if isinstance(record, Closing):
            yield closing(record.net_cp, record.house_cp, text, played=record.played)
            return
        if isinstance(record, Opening | PassedOver):
            number = record.round
        beside = isinstance(record, BESIDE_A_THROW)
        facts = asdict(record)
        yield Told(record.kind, text, facts, number, joins=beside, lifts=_lifts(record))


def play(table: AtTable) -> Iterator[Record]:
    """Play the game: its records in order.

    Raises
    ------
    RefusedError
        See `tell`.
    """
    _verify(table)
    zero = dict.fromkeys(table.players, 0)
    night = _Night(table, list(table.players), dict(zero), dict(zero), dict(zero))
    place = played = 0
    while played < table.rounds and len(night.able) >= rt.MIN_SEATS:
        played += 1
        while night.present[place] not in night.able:
            yield PassedOver(played, night.present[place], table.stake_cp)
            place = (place + 1) % len(night.present)
        hand = night.present[place]
        yield from _round(night, played, hand)
        # Who sat left of a Hand that is gone has moved up into his place.
        place = (place + (hand in night.present)) % len(night.present)
    quick = bool(night.option("quick"))
    yield Closing(played, table.rounds, dict(night.net_cp), night.house_cp, quick)


def turn_a_die(dice: Sequence[int], face: int) -> tuple[int, list[int]]:
    """Which die a trick turns to `face`, the lowest, and the dice afterwards.

    Examples
    --------
    >>> turn_a_die([4, 1, 6], 6)
    (1, [4, 6, 6])
    """
    turned = dice.index(min(dice))
    return turned, [face if i == turned else old for i, old in enumerate(dice)]


# ---------------------------------------------------------------- at the door


def _verify(table: AtTable) -> None:
    """Refuse what makes no sense before anything is thrown."""
    options = table.options
    for name in ("cheat", "weighted"):
        if options[name] is not None:
            _verify_player(table, options[name], name)
    for name in ("bets", "side_bets"):
        for player in options[name]:
            _verify_player(table, player, name)
    if options["thievery"] is not None and not (options["cheat"] or options["weighted"]):
        raise RefusedError("--thievery says nothing without --cheat or --weighted")
    if options["weighted"] and options["custom"] == "orc":
        raise RefusedError("--weighted: orcs let nobody throw dice of his own")
    if options["quick"] and table.rake_bp:
        raise RefusedError("a quick payout comes from nowhere: there is no pot to rake", "rake_bp")
    for player, purse_cp in table.purses.items():
        if purse_cp < table.stake_cp:
            raise RefusedError(
                f"{player} cannot sit down at {NAME}: a seat must cover the stake of"
                f" {show(table.stake_cp)}, and this purse holds {show(purse_cp)}",
                "purses",
            )


def _verify_player(table: AtTable, name: str, option: str) -> None:
    if name not in table.players:
        there = ", ".join(table.players)
        raise RefusedError(f"nobody here is called '{name}'; there are {there}", option)


# ---------------------------------------------------------------- a round


def _round(night: _Night, number: int, hand: str) -> Iterator[Record]:
    yield Opening(number, hand, night.table.stake_cp)
    seats = _clockwise(night.present, hand)
    bets = yield from _place_bets(night, seats)
    if bets.count(rt.OUT) == len(seats) - 1 and not night.option("quick"):
        yield Result(hand, "passed", 0, 0)
        return
    toes = yield from _throws(night, seats)
    ended = rt.result(toes)
    yield Result(hand, _ENDS[ended], toes.doubles, toes.throws)
    pay = _pay_quickly if night.option("quick") else _pay
    paid = pay(night, seats, bets, ended)
    _book(night, paid)
    yield paid
    night.failed[hand] = toes.failed
    night.streak[hand] = rt.next_streak(night.streak[hand], ended)
    yield from _customs(night, hand, ended)


def _place_bets(night: _Night, seats: Sequence[str]) -> Generator[Record, None, list[int]]:
    """Bets in turn from the Hand's left, each seeing the ones before his.

    Returns
    -------
    list of int
        Of every seat; NOT for the Hand, who is the first.
    """
    bets = [rt.NOT] + [rt.OUT] * (len(seats) - 1)
    for seat, name in enumerate(seats[1:], start=1):
        stake = night.bet_cp(name)
        can_pay = night.can_pay(name, stake)
        if can_pay:
            bet = _bet(night, name, stake, bets.count(rt.ROT), bets.count(rt.NOT) - 1)
            bets[seat] = BETS[bet]
        staked = 0 if bets[seat] == rt.OUT else stake
        yield Bet(name, _BET_NAMES[bets[seat]], staked, can_pay)
    return bets


def _bet(night: _Night, name: str, stake: int, n_rot: int, n_not: int) -> str:
    fixed = night.option("bets").get(name)
    if fixed:
        return str(fixed)
    return night.table.deciders.choose(
        name,
        f"{name}, {show(stake)} on which? So far {n_rot} on rot, {n_not} on not",
        tuple(BETS),
        lambda u: _BET_NAMES[choose_side(RATIONALITY, THRILL, P_WIN, n_rot, n_not, u)],
    )


def _throws(night: _Night, seats: Sequence[str]) -> Generator[Record, None, rt.Toes]:
    """Throw until the round is over.

    Returns
    -------
    Toes
        How it stands then.
    """
    hand = seats[0]
    toes = rt.deal(night.failed[hand])
    while rt.n_dice(toes):
        dice = _fall(night, hand, toes)
        toes = rt.after_throw(toes, dice)
        yield Throw(toes.throws, dice, toes.plain == 0)
        if hand == night.option("weighted") and toes.throws == 1:
            noticed = _notice(night, seats, toes.failed)
            if noticed:
                toes = rt.after_notice(toes)
                yield noticed
        if hand == night.option("cheat") and rt.can_cheat(toes) and _tries(night, hand, toes, dice):
            toes, check = _check(night, hand, toes, dice)
            dice = check.dice
            yield check
        if rt.n_dice(toes):
            lowest = min(dice)
            yield Toe(lowest, dice.count(lowest), rt.n_dice(toes), toes.doubles)
    return toes


def _fall(night: _Night, hand: str, toes: rt.Toes) -> tuple[int, ...]:
    n, what = rt.n_dice(toes), f"throw {toes.throws + 1}"
    if hand == night.option("weighted"):
        return night.table.dice.throw_loaded(hand, n, LOADED, what)
    return night.table.dice.throw(hand, n, _FACES, what)


def _notice(night: _Night, seats: Sequence[str], failed: int) -> Notice | None:
    """The first seat clockwise that notices the weighted dice this round, if any."""
    dc = NOTICE_DC + night.thievery
    for name in seats[1:]:
        natural = night.table.dice.roll(name, 20, "a Perception check")
        if passes(natural, PERCEPTION, dc):
            return Notice(name, seats[0], natural, PERCEPTION, dc, failed + 1)
    return None


def _tries(night: _Night, hand: str, toes: rt.Toes, dice: Sequence[int]) -> bool:
    dc = rt.cheat_dc(toes, night.option("dc"))
    question = f"{hand}, {faces(dice)}: try to turn a die (Thievery {night.thievery:+d}, DC {dc})"
    return night.table.deciders.choose(hand, question, ("yes", "no"), lambda u: "yes") == "yes"


def _check(night: _Night, hand: str, toes: rt.Toes, dice: tuple[int, ...]) -> tuple[rt.Toes, Check]:
    """The trick: the round after it, and its record."""
    dc = rt.cheat_dc(toes, night.option("dc"))
    natural = night.table.dice.roll(hand, 20, "a Thievery check")
    after = rt.after_check(toes, natural, night.thievery, night.option("dc"))
    succeeded = after.failed == toes.failed
    checked = (hand, natural, night.thievery, dc, succeeded)
    face = _new_face(night, hand, dice) if succeeded else 0
    if face:
        turned, now = turn_a_die(dice, face)
        return after, Check(*checked, dice[turned], face, tuple(now), after.failed)
    if succeeded:
        after = rt.after_letting_be(toes)
    return after, Check(*checked, 0, 0, dice, after.failed)


def _new_face(night: _Night, hand: str, dice: Sequence[int]) -> int:
    """What the lowest die shall show, like one of the others; 0 to let it be."""
    lowest = min(dice)
    alike = sorted({face for face in dice if face != lowest}, reverse=True)
    chosen = night.table.deciders.choose(
        hand,
        f"{hand}, unseen: the {lowest} becomes",
        (*map(str, alike), LEAVE),
        lambda u: str(alike[0]),
    )
    return 0 if chosen == LEAVE else int(chosen)


# ---------------------------------------------------------------- after it


def _pay(night: _Night, seats: Sequence[str], bets: Sequence[int], ended: int) -> Payout:
    net = [0] * len(seats)
    stakes = [night.table.stake_cp, *(night.bet_cp(name) for name in seats[1:])]
    pool = rt.payout(ended, 0, bets, stakes, net, night.table.rake_bp)
    taken = rake(pool, night.table.rake_bp)
    n_winners = sum(each > 0 for each in net)
    odd = [
        name
        for name, each in zip(seats, net, strict=True)
        if n_winners and each > (pool - taken) // n_winners
    ]
    return Payout(_ENDS[ended], pool, taken, dict(zip(seats, net, strict=True)), tuple(odd))


def _pay_quickly(
    night: _Night, seats: Sequence[str], bets: Sequence[int], ended: int
) -> QuickPayout:
    dice = night.table.dice.throw(HOUSE, 2, 4, "the quick payout")
    winning = rt.NOT if ended == rt.WIN else rt.ROT
    net = {}
    for place, (name, bet) in enumerate(zip(seats, bets, strict=True)):
        stake = night.bet_cp(name) if place else night.table.stake_cp
        gain = sum(dice) * stake if bet == winning else -stake
        net[name] = 0 if ended == rt.VOID or bet == rt.OUT else gain
    return QuickPayout(_ENDS[ended], dice, net)


def _book(night: _Night, paid: Payout | QuickPayout) -> None:
    for name, net in paid.net_cp.items():
        night.net_cp[name] += net
    night.house_cp -= sum(paid.net_cp.values())


def _customs(night: _Night, hand: str, ended: int) -> Iterator[Record]:
    custom = night.option("custom")
    beats = night.option("lucky") or custom == "orc"
    if ended == rt.VOID:
        night.present.remove(hand)
        yield Penalty(hand, PENALTIES[custom])
    elif rt.is_too_lucky(night.streak[hand], LUCKY_WINS if beats else 0):
        night.present.remove(hand)
        yield Beating(hand, night.streak[hand])


def _lifts(record: Record) -> Mapping[str, Any]:
    """What a record says of its whole round."""
    match record:
        case Opening():
            return {"hand": record.hand}
        case Result():
            return {"ended": record.ended, "net_cp": {}, "house_cp": 0}
        case Payout() | QuickPayout():
            net_cp = dict(record.net_cp)
            return {"net_cp": net_cp, "house_cp": -sum(net_cp.values())}
    return {}


def _pick(run: int, number: int, texts: Sequence[str]) -> str:
    return texts[roll(run, CHOICE, number, len(texts)) - 1]


def _clockwise(names: Sequence[str], first: str) -> list[str]:
    at = names.index(first)
    return [*names[at:], *names[:at]]


PLAY = Play(
    tell,
    (rt.MIN_SEATS, rt.MAX_SEATS),
    OPTIONS,
    HELP,
    players="North,East,South,West",
    stake_cp=CP_PER_GP,
)
