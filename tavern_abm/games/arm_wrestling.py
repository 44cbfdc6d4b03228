"""Arm wrestling.

Players   two wrestle, matching hands; the others look on and may bet
Stakes    both put up the same stake; onlookers bet in the book (`contests`)
Order     each round both make a Strength check and the difference moves the
          lead; who leads by 20 has won
Fatigue   as many rounds as one's Constitution score are free; before each
          round after that a Constitution check, DC 10, +1 for each check made;
          failing it loses the bout; both fail: who leads wins, at 0 it is a
          draw; whoever failed has -2 with that arm until a minute's rest
Payout    the winner takes both stakes; a draw gives them back
Variants  the off hand (-2, not with Two-Weapon Fighting); over spikes or flames
          (1d4 + the winner's Strength bonus, and an injured hand); mage hands
          (caster-level checks); minds (Intelligence and Wisdom)
Source    the page on games of skill, d20 third edition, CC BY-SA 3.0;
          our rulings stand in docs/games/arm-wrestling.md

Everything here is a rule: state in, thrown dice in, state out. It draws nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import count
from typing import Any, NamedTuple

from ..asking import Answer, Flag, OneOf, Option, Question, Whole, chance_lines
from ..checks import ability_modifier, opposed, passes
from ..compiled import rule

ABOUT = "Two arms, one table: the first 20 ahead wins."
PLACE = "table"
MIN_SEATS, MAX_SEATS = 2, 12
TARGET = 20
WRESTLING, A_WINS, B_WINS, DRAW = 0, 1, 2, 3
"""Where a bout between a and b stands."""
FIRST_DC = 10
ENDURANCE = 4
OFF_HAND = -2
TIRED = -2
INJURED = -2
"""What an injured hand costs its owner's attacks and skills, until it is healed."""
REST_ROUNDS = 10
"""A minute of rest, in rounds of six seconds."""
STYLES = ("arm", "mage-hand", "bigbys-hand", "mental")
SURFACES = ("table", "spikes", "flames")

OPTIONS = (
    Option("style", OneOf(STYLES), "arm", "Arms, spectral hands, or minds alone."),
    Option("hand", OneOf(("main", "off")), "main", "Main hands, or off hands at -2."),
    Option("surface", OneOf(SURFACES), "table", "What lies where the loser's hand comes down."),
    Option("target", Whole(1, 200), TARGET, "The lead that wins."),
    Option("rest", Flag(), False, "A minute's rest after every bout: nobody stays tired."),
    Option("injury_weighs", Flag(), False, "An injured hand wrestles at -2, too."),
    Option("mental_damage", Flag(), False, "The loser of a bout of minds is hurt."),
)
"""How a table may play it."""


class Arm(NamedTuple):
    """What somebody brings to a bout, all told; of a mind as well as an arm."""

    pull: int  # modifier of his opposed checks
    wind: int  # rounds before he tires: his Constitution score
    stamina: int  # modifier of his Constitution checks


class Bout(NamedTuple):
    """Where a bout stands."""

    rounds: int  # wrestled so far
    lead: int  # positive: a leads
    tired_a: int  # 1: a has failed his Constitution check
    tired_b: int
    ended: int  # WRESTLING, A_WINS, B_WINS or DRAW


@rule
def handicap(is_off_hand: int, has_two_weapon: int, is_tired: int) -> int:
    """What off hands and tired arms take off a Strength check: 0, -2 or -4.

    Examples
    --------
    >>> handicap(1, 0, 1), handicap(1, 1, 0)
    (-4, 0)
    """
    off_hand = OFF_HAND if is_off_hand and not has_two_weapon else 0
    return off_hand + TIRED if is_tired else off_hand


@rule
def arm(pull: int, constitution: int, has_endurance: int) -> Arm:
    """Somebody's arm, or in a bout of minds his mind.

    Parameters
    ----------
    pull : int
        Modifier of his opposed checks, every handicap included.
    constitution : int
        The score; Wisdom in a bout of minds.
    has_endurance : int
        1 with the feat; it is of no use to a mind.

    Examples
    --------
    >>> arm(2, 13, 1)
    Arm(pull=2, wind=13, stamina=5)
    """
    bonus = ENDURANCE if has_endurance else 0
    return Arm(pull, constitution, ability_modifier(constitution) + bonus)


@rule
def clasp() -> Bout:
    """A new bout: hands clasped, nobody ahead."""
    return Bout(0, 0, 0, 0, WRESTLING)


@rule
def must_check(rounds: int, wind: int) -> bool:
    """Say whether somebody must pass a Constitution check before the next round."""
    return rounds >= wind


@rule
def check_dc(rounds: int, wind: int) -> int:
    """The DC of that check: 10, and 1 more for each he has made in this bout.

    Examples
    --------
    >>> [check_dc(rounds, 12) for rounds in (12, 13, 20)]
    [10, 11, 18]
    """
    return FIRST_DC + rounds - wind


@rule
def holds_out(rounds: int, one: Arm, natural: int) -> bool:
    """Say whether somebody can wrestle another round; `natural` is his d20, if he needs one."""
    if not must_check(rounds, one.wind):
        return True
    return passes(natural, one.stamina, check_dc(rounds, one.wind))


@rule
def leader(lead: int) -> int:
    """Who wins if it ends now: A_WINS, B_WINS, or DRAW at a lead of 0."""
    if lead == 0:
        return DRAW
    return A_WINS if lead > 0 else B_WINS


@rule
def after_checks(bout: Bout, a: Arm, b: Arm, natural_a: int, natural_b: int) -> Bout:
    """The bout after the Constitution checks that come before a round.

    Parameters
    ----------
    natural_a, natural_b : int
        Each d20 as it fell; anything for one who need not check yet.

    Examples
    --------
    Both have wrestled ten rounds and both fail; b leads by 3 and wins.

    >>> tired = arm(0, 10, 0)
    >>> after_checks(Bout(10, -3, 0, 0, WRESTLING), tired, tired, 9, 2)
    Bout(rounds=10, lead=-3, tired_a=1, tired_b=1, ended=2)
    """
    tired_a = 0 if holds_out(bout.rounds, a, natural_a) else 1
    tired_b = 0 if holds_out(bout.rounds, b, natural_b) else 1
    ended = WRESTLING
    if tired_a and tired_b:
        ended = leader(bout.lead)
    elif tired_a:
        ended = B_WINS
    elif tired_b:
        ended = A_WINS
    return Bout(bout.rounds, bout.lead, tired_a, tired_b, ended)


@rule
def after_round(bout: Bout, a: Arm, b: Arm, natural_a: int, natural_b: int, target: int) -> Bout:
    """The bout after a round's opposed checks.

    Examples
    --------
    >>> after_round(Bout(3, 8, 0, 0, WRESTLING), arm(2, 10, 0), arm(0, 10, 0), 15, 4, 20)
    Bout(rounds=4, lead=21, tired_a=0, tired_b=0, ended=1)
    """
    lead = bout.lead + opposed(natural_a, a.pull, natural_b, b.pull)
    ended = leader(lead) if abs(lead) >= target else WRESTLING
    return Bout(bout.rounds + 1, lead, 0, 0, ended)


@rule
def damage(natural: int, bonus: int) -> int:
    """What the loser suffers over spikes or flames: 1d4 and the winner's Strength bonus.

    In a bout of minds, where the house plays it so, his Intelligence bonus. A
    bonus below 0 takes nothing off.

    Examples
    --------
    >>> damage(3, 2), damage(3, -1)
    (5, 3)
    """
    return natural + max(0, bonus)


# ---------------------------------------------------------------- exact odds

FACES = range(1, 21)


class BoutOdds(NamedTuple):
    """How a bout ends."""

    a_wins: Fraction
    b_wins: Fraction
    draw: Fraction
    a_tires: Fraction  # chance that a fails his Constitution check
    b_tires: Fraction
    mean_rounds: Fraction  # with opposed checks


def exact_odds(a: Arm, b: Arm, target: int = TARGET) -> BoutOdds:
    """Follow the lead round by round, in whole numbers of equally likely throws.

    Parameters
    ----------
    target : int, default 20
        The lead that wins, at least 1.

    Examples
    --------
    >>> strong, weak = arm(1, 10, 0), arm(0, 10, 0)
    >>> odds = exact_odds(strong, weak)
    >>> round(float(odds.a_wins), 6), round(float(odds.mean_rounds), 3)
    (0.630499, 6.699)
    """
    shifts = _shifts(a.pull, b.pull)
    total = [Fraction(0)] * 4  # by `ended`
    a_tires = b_tires = mean_rounds = Fraction(0)
    leads, ways = {0: 1}, 1  # leads[x] of `ways` equal cases stand at lead x
    for rounds in count():  # the DC rises until somebody surely fails
        hold_a, hold_b = _holding(a, rounds), _holding(b, rounds)
        fail_a, fail_b = 20 - hold_a, 20 - hold_b
        n, ways = sum(leads.values()), ways * 400
        total[A_WINS] += Fraction(n * hold_a * fail_b, ways)
        total[B_WINS] += Fraction(n * fail_a * hold_b, ways)
        for lead, cases in leads.items():
            total[leader(lead)] += Fraction(cases * fail_a * fail_b, ways)
        a_tires += Fraction(n * fail_a, 20 * ways // 400)
        b_tires += Fraction(n * fail_b, 20 * ways // 400)
        if n * hold_a * hold_b == 0:
            break
        mean_rounds += Fraction(n * hold_a * hold_b, ways)
        leads, ways = _moved(leads, shifts, hold_a * hold_b), ways * 400
        for lead in [lead for lead in leads if abs(lead) >= target]:
            total[leader(lead)] += Fraction(leads.pop(lead), ways)
    a_wins, b_wins, draw = total[A_WINS:]
    return BoutOdds(a_wins, b_wins, draw, a_tires, b_tires, mean_rounds)


def _shifts(pull_a: int, pull_b: int) -> dict[int, int]:
    """In how many of 400 throws a round moves the lead by so much."""
    shifts: dict[int, int] = {}
    for natural_a in FACES:
        for natural_b in FACES:
            shift = opposed(natural_a, pull_a, natural_b, pull_b)
            shifts[shift] = shifts.get(shift, 0) + 1
    return shifts


def _holding(one: Arm, rounds: int) -> int:
    """On how many faces of a d20 somebody can wrestle another round."""
    return sum(holds_out(rounds, one, natural) for natural in FACES)


def _moved(leads: Mapping[int, int], shifts: Mapping[int, int], weight: int) -> dict[int, int]:
    moved: dict[int, int] = {}
    for lead, cases in leads.items():
        for shift, throws in shifts.items():
            after = lead + shift
            moved[after] = moved.get(after, 0) + cases * weight * throws
    return moved


_SIDES = ("a", "b")
_OF_EACH = (
    ("strength", Whole(-10, 60), 0, "{}'s Strength modifier."),
    ("con", Whole(1, 60), 10, "{}'s Constitution score."),
    ("endurance", Flag(), False, "{} has Endurance: +4 on Constitution checks."),
    ("off_hand", Flag(), False, "{} wrestles with the off hand: -2."),
    ("two_weapon", Flag(), False, "{} has Two-Weapon Fighting: no -2 for the off hand."),
    ("tired", Flag(), False, "{} comes tired from the last bout: -2."),
)


def _asked_arm(asked: Mapping[str, Any], side: str) -> Arm:
    of = {name: asked[f"{name}_{side}"] for name, *_ in _OF_EACH}
    pull = of["strength"] + handicap(of["off_hand"], of["two_weapon"], of["tired"])
    return arm(pull, of["con"], of["endurance"])


def _of(one: Arm) -> str:
    return f"d20{one.pull:+} a round; after {one.wind} rounds d20{one.stamina:+} to hold out"


def _answer(asked: Mapping[str, Any]) -> Answer:
    a, b = (_asked_arm(asked, side) for side in _SIDES)
    odds = exact_odds(a, b, asked["target"])
    lines = [
        f"Arm wrestling to a lead of {asked['target']}.",
        *(f"  {side}: {_of(one)}" for side, one in zip(_SIDES, (a, b), strict=True)),
        "Chance that",
        *chance_lines(
            [
                ("a wins", odds.a_wins),
                ("b wins", odds.b_wins),
                ("it is a draw", odds.draw),
                ("a gives out, tired", odds.a_tires),
                ("b gives out, tired", odds.b_tires),
            ]
        ),
        f"Rounds on average: {float(odds.mean_rounds):.3f}",
    ]
    return Answer(odds._asdict(), lines)


ODDS = Question(
    options=(
        *(
            Option(f"{name}_{side}", kind, default, text.format(side))
            for name, kind, default, text in _OF_EACH
            for side in _SIDES
        ),
        Option("target", Whole(1, 200), TARGET, "The lead that wins."),
    ),
    answer=_answer,
    help="""Give the exact odds of a bout of arm wrestling between a and b.

    For mage hands give caster levels in place of Strength modifiers; for a bout
    of minds Intelligence modifiers and Wisdom scores.

    \b
      tavern odds arm-wrestling --strength-a 4 --con-a 8 --strength-b 1 --con-b 16
      tavern odds arm-wrestling --off-hand-a --two-weapon-b --off-hand-b
      tavern odds arm-wrestling --con-a 18 --endurance-a --tired-b --json
    """,
)
