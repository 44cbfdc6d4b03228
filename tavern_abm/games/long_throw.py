"""Long throw.

Players   two or more who can lift what is thrown: their maximum load is at
          least its weight
Stakes    every thrower puts up as much; onlookers may back one of them
Loads     a medium load costs 3 on every roll of the contest, a heavy load 6
Far       one Strength check each, and the check itself is the Degree of
          Success: the highest wins, however far it flies. Weapon Focus in the
          weapon thrown +1; Far Shot doubles the total
Distance  at 10 one range increment, one more for every 4 above, without an
          end; below 10 a part of the first. Far Shot doubles the increment
People    who is thrown takes 1d6 on landing, against something solid 1d6 + the
          thrower's Strength bonus, which is hurt as much; Tumble DC 15: unhurt
Precision attack rolls at a target of AC 5, 4 increments away, in turns; who
          misses while another hits is out; after two series it moves back by
          one; nobody throws beyond five of his own; the last one in wins
Caber     it must turn over and land on the end that was held: a Dexterity
          check, the load counts, Far Shot and Weapon Focus do not; best wins
Toss      a halfling, into hay or snow 15 ft away: who throws short has lost
          and is pelted with 1d4 stones; else as Far
Payout    winner takes all, tied winners share; nobody wins: stakes go back
Source    "Gambling", Degree of Success (d20 third edition, CC BY-SA 3.0);
          our rulings stand in docs/games/long-throw.md

Everything here is a rule: state in, thrown dice in, state out. It draws nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..asking import Answer, Flag, OneOf, Option, Question, Text, Whole
from ..checks import ability_modifier, passes
from ..compiled import rule

ABOUT = "Stone, log or halfling: whoever throws it with the highest check wins."
PLACE = "yard"
MIN_SEATS, MAX_SEATS = 2, 12
SIZES = ("small", "medium", "large", "huge")
STYLES = ("far", "precision", "caber", "toss")
FAR, PRECISION, CABER, TOSS = 0, 1, 2, 3
LIGHT, MEDIUM, HEAVY, TOO_HEAVY = 0, 1, 2, 3
"""What a weight is to somebody."""
LOAD_NAMES = ("light", "medium", "heavy", "too heavy")
PENALTIES = (0, 3, 6)
TUMBLE_DC = 15
MOST_STRENGTH = 60

# Upper bounds in lb of a light, a medium and a heavy load by Strength, 0 to 29: the
# d20 SRD's carrying capacity. Above 29 it is the row with the same last digit, times
# 4 for every 10 points.
# fmt: off
_LOADS = (
    (0, 0, 0), (3, 6, 10), (6, 13, 20), (10, 20, 30), (13, 26, 40),
    (16, 33, 50), (20, 40, 60), (23, 46, 70), (26, 53, 80), (30, 60, 90),
    (33, 66, 100), (38, 76, 115), (43, 86, 130), (50, 100, 150), (58, 116, 175),
    (66, 133, 200), (76, 153, 230), (86, 173, 260), (100, 200, 300), (116, 233, 350),
    (133, 266, 400), (153, 306, 460), (173, 346, 520), (200, 400, 600), (233, 466, 700),
    (266, 533, 800), (306, 613, 920), (346, 693, 1040), (400, 800, 1200), (466, 933, 1400),
)
# fmt: on
_QUARTERS = (3, 4, 8, 16)  # of a medium body's loads, by size
_SIZE_TO_HIT = (1, 0, -1, -2)


class Thrower(NamedTuple):
    """What somebody brings to the contest; flags are 0 or 1."""

    strength: int  # score, 1 to 60
    dexterity: int = 10  # score
    size: int = 1  # index into SIZES
    base_attack: int = 0
    far_shot: int = 0
    focus: int = 0  # Weapon Focus in what is thrown; counts for weapons alone
    form: int = 0  # added to every roll: drink and weariness take off


class Contest(NamedTuple):
    """What is thrown, and how; flags are 0 or 1."""

    style: int  # FAR, PRECISION, CABER or TOSS
    weight: int  # lb
    increment: int  # ft
    is_weapon: int = 0
    short_counts: int = 1  # a result below 10 still flies a part of an increment
    caber_feats: int = 0  # Far Shot and Weapon Focus count with the caber too
    toss_ft: int = 15  # to the hay
    target_ac: int = 5
    target_increments: int = 4  # to the target, at first
    series_each: int = 2  # series before it moves back
    furthest: int = 5  # own increments, beyond which nobody throws at a target


# ---------------------------------------------------------------- lifting


@rule
def load_limit(strength: int, size: int, load: int) -> int:
    """The heaviest light, medium or heavy load, in lb, rounded down to whole ones.

    Parameters
    ----------
    strength : int
        Score; below 1 nothing can be lifted.
    size : int
        Index into SIZES: small bodies carry 3/4 of it, large 2, huge 4 times as much.
    load : int
        LIGHT, MEDIUM or HEAVY, which is the maximum load.

    References
    ----------
    .. [1] d20 System Reference Document, "Carrying Capacity".

    Examples
    --------
    >>> [load_limit(18, 1, load) for load in (LIGHT, MEDIUM, HEAVY)]
    [100, 200, 300]
    >>> load_limit(33, 1, HEAVY), load_limit(11, 0, HEAVY)
    (2400, 86)
    """
    row = max(strength, 0)
    times = 1
    while row > 29:
        row -= 10
        times *= 4
    return _LOADS[row][load] * times * _QUARTERS[size] // 4


@rule
def maximum_load(strength: int, size: int) -> int:
    """The most somebody can lift, in lb."""
    return load_limit(strength, size, HEAVY)


@rule
def load_of(strength: int, size: int, weight: int) -> int:
    """What a weight in whole lb is to somebody: LIGHT, MEDIUM, HEAVY or TOO_HEAVY.

    Examples
    --------
    The log of 150 lb, for Strength 12, 13, 16 and 21:

    >>> [LOAD_NAMES[load_of(strength, 1, 150)] for strength in (12, 13, 16, 21)]
    ['too heavy', 'heavy', 'medium', 'light']
    """
    load = LIGHT
    while load < TOO_HEAVY and weight > load_limit(strength, size, load):
        load += 1
    return load


@rule
def can_enter(thrower: Thrower, contest: Contest) -> bool:
    """Say whether somebody can lift what is thrown."""
    return contest.weight <= maximum_load(thrower.strength, thrower.size)


@rule
def load_penalty(thrower: Thrower, contest: Contest) -> int:
    """What the load costs him on every roll of the contest: 0, 3 or 6; he can lift it."""
    load = load_of(thrower.strength, thrower.size, contest.weight)
    return PENALTIES[min(load, HEAVY)]


# ---------------------------------------------------------------- the check


@rule
def has_feats(contest: Contest) -> bool:
    """Say whether Far Shot and Weapon Focus count in this contest."""
    return contest.style != CABER or contest.caber_feats == 1


@rule
def focus_bonus(thrower: Thrower, contest: Contest) -> int:
    """1 with Weapon Focus in the weapon that is thrown, else 0."""
    return 1 if thrower.focus == 1 and contest.is_weapon == 1 and has_feats(contest) else 0


@rule
def check_modifier(thrower: Thrower, contest: Contest) -> int:
    """Modifier of his check: Strength, or Dexterity for the caber; load and focus counted.

    Examples
    --------
    Strength 18 and the log, a medium load: +4 - 3; Dexterity 14 and the caber: +2 - 3.

    >>> ann = Thrower(strength=18, dexterity=14)
    >>> check_modifier(ann, Contest(FAR, 150, 2)), check_modifier(ann, Contest(CABER, 150, 2))
    (1, -1)
    """
    score = thrower.dexterity if contest.style == CABER else thrower.strength
    modifier = ability_modifier(score) + focus_bonus(thrower, contest) + thrower.form
    return modifier - load_penalty(thrower, contest)


@rule
def doubles(thrower: Thrower, contest: Contest) -> bool:
    """Say whether Far Shot works for him here."""
    return thrower.far_shot == 1 and has_feats(contest)


@rule
def degree_of_success(natural: int, thrower: Thrower, contest: Contest) -> int:
    """His result in the contest: the check, doubled by Far Shot after all modifiers.

    Parameters
    ----------
    natural : int
        The d20 as it fell, 1 to 20.
    """
    total = natural + check_modifier(thrower, contest)
    return 2 * total if doubles(thrower, contest) else total


@rule
def own_increment(thrower: Thrower, contest: Contest) -> int:
    """His own range increment in ft: the object's, doubled by Far Shot."""
    return 2 * contest.increment if doubles(thrower, contest) else contest.increment


@rule
def flight(total: int, increment: int, short_counts: int) -> int:
    """How far a throw flies, in tenths of a foot.

    At 10 one increment, and one more for every 4 points above; below 10
    ``total / 10`` of an increment (nothing, if `short_counts` is 0), never less
    than nothing.

    Examples
    --------
    A javelin, 30 ft, thrown with 9, 10, 13, 14 and 34:

    >>> [flight(total, 30, 1) / 10 for total in (9, 10, 13, 14, 34)]
    [27.0, 30.0, 30.0, 60.0, 210.0]
    """
    if total >= 10:
        return 10 * increment * (1 + (total - 10) // 4)
    return max(total, 0) * increment * short_counts


@rule
def distance_tenths(natural: int, thrower: Thrower, contest: Contest) -> int:
    """How far he throws it with this natural roll, in tenths of a foot.

    Far Shot doubles the increment here and not the total.
    """
    total = natural + check_modifier(thrower, contest)
    return flight(total, own_increment(thrower, contest), contest.short_counts)


@rule
def falls_short(natural: int, thrower: Thrower, contest: Contest) -> bool:
    """Say whether a halfling tossed so misses the hay, by less than 15 ft of flight."""
    return distance_tenths(natural, thrower, contest) < 10 * contest.toss_ft


@rule
def find_best(results: Any, is_in: Any, winners: Any) -> int:
    """Mark the highest results among those who are in; tied ones all win.

    Parameters
    ----------
    results : array of int, shape (n,)
        Degrees of Success.
    is_in : array of int, shape (n,)
        1 for a thrower who counts: he has entered and has not missed.
    winners : array of int, shape (n,)
        Filled: 1 or 0.

    Returns
    -------
    int
        How many have won; 0 where nobody is in.

    Examples
    --------
    >>> winners = [0] * 4
    >>> find_best([15, 22, 22, 30], [1, 1, 1, 0], winners), winners
    (2, [0, 1, 1, 0])
    """
    n_winners = 0
    for i in range(len(results)):
        is_best = is_in[i] == 1
        for j in range(len(results)):
            if is_in[j] == 1 and results[j] > results[i]:
                is_best = False
        winners[i] = 1 if is_best else 0
        n_winners += winners[i]
    return n_winners


# ---------------------------------------------------------------- thrown people


@rule
def strength_bonus(strength: int) -> int:
    """What Strength adds to damage: its modifier, never less than 0."""
    return max(ability_modifier(strength), 0)


@rule
def impact(die: int, strength: int, is_solid: bool) -> int:
    """Damage of a landing: the d6, and against something solid the thrower's Strength bonus.

    What is struck takes as much; the one who is thrown, nothing if he lands well
    (`lands_well`).

    Examples
    --------
    >>> impact(4, 18, is_solid=False), impact(4, 18, is_solid=True)
    (4, 8)
    """
    return die + strength_bonus(strength) if is_solid else die


@rule
def lands_well(natural: int, tumble: int) -> bool:
    """Say whether a thrown one's Tumble check spares him all damage: DC 15."""
    return passes(natural, tumble, TUMBLE_DC)


@rule
def pelting(n_stones: int, stone_damage: int) -> int:
    """Damage to who tossed short: 1d4 stones, 1 point each by default."""
    return n_stones * stone_damage


# ---------------------------------------------------------------- precision


@rule
def target_ft(series: int, contest: Contest) -> int:
    """How far away the target stands in a series, counted from 1.

    It moves back by the object's own increment, whoever throws.

    Examples
    --------
    >>> [target_ft(series, Contest(PRECISION, 2, 30)) for series in (1, 2, 3, 5)]
    [120, 120, 150, 180]
    """
    moves = (series - 1) // contest.series_each
    return (contest.target_increments + moves) * contest.increment


@rule
def can_reach(thrower: Thrower, contest: Contest, series: int) -> bool:
    """Say whether the target is within five of his own increments."""
    return target_ft(series, contest) <= contest.furthest * own_increment(thrower, contest)


@rule
def attack_modifier(thrower: Thrower, contest: Contest, series: int) -> int:
    """Modifier of his attack roll at the target in a series.

    Base attack + Dexterity + size + Weapon Focus - load penalty - 2 for each
    full increment of his own; so 4 increments are -8, and -4 with Far Shot.

    Examples
    --------
    >>> javelin = Contest(PRECISION, 2, 30, is_weapon=1)
    >>> attack_modifier(Thrower(10, 14), javelin, 1)
    -6
    >>> attack_modifier(Thrower(10, 14, far_shot=1, focus=1), javelin, 1)
    -1
    """
    increments = target_ft(series, contest) // own_increment(thrower, contest)
    modifier = thrower.base_attack + ability_modifier(thrower.dexterity)
    modifier += _SIZE_TO_HIT[thrower.size] + focus_bonus(thrower, contest) + thrower.form
    return modifier - load_penalty(thrower, contest) - 2 * increments


@rule
def hits(natural: int, modifier: int, armour: int) -> bool:
    """Say whether an attack roll hits: a natural 20 does, a natural 1 does not."""
    return natural == 20 or (natural > 1 and natural + modifier >= armour)


@rule
def after_series(is_in: Any, has_hit: Any) -> int:
    """Put out whoever missed while another hit; if all missed, all stay.

    Parameters
    ----------
    is_in : array of int, shape (n,)
        1 for who is still in; changed in place.
    has_hit : array of int, shape (n,)
        1 for who hit in this series. Who cannot reach the target has not hit.

    Returns
    -------
    int
        How many are left.

    Examples
    --------
    >>> is_in = [1, 1, 0, 1]
    >>> after_series(is_in, [1, 0, 0, 1]), is_in, after_series(is_in, [0, 0, 0, 0])
    (2, [1, 0, 0, 1], 2)
    """
    n_hits = 0
    for i in range(len(is_in)):
        n_hits += is_in[i] * has_hit[i]
    n_left = 0
    for i in range(len(is_in)):
        if n_hits > 0 and has_hit[i] == 0:
            is_in[i] = 0
        n_left += is_in[i]
    return n_left


# ---------------------------------------------------------------- what may be asked

OBJECTS = ("stone", "javelin", "log", "halfling")
"""What is thrown in each of STYLES unless somebody says otherwise."""
STYLE = Option("style", OneOf(STYLES), "far", "What decides.")
OBJECT = Option(
    "object",
    Text("object"),
    None,
    "What is thrown: one of data/objects.toml.  [stone; javelin, log and halfling by style]",
)
DATA = Option("data", Text("folder"), None, "A folder with an objects.toml of your own.")
RULINGS = (
    Option("distance", Whole(1, 1000), 15, "Toss: feet to the hay; by the rules 15 or more."),
    Option("caber_feats", Flag(), False, "Caber: Far Shot and Weapon Focus count too."),
    Option("target_ac", Whole(1, 60), 5, "Precision: armour class of the target."),
    Option("target_increments", Whole(1, 20), 4, "Precision: increments to it at first."),
)
HAY = (
    Option("soft_landing", Flag(), False, "Toss: nobody is hurt in hay or snow."),
    Option("stone_damage", Whole(0, 20), 1, "Toss: damage of each stone."),
)
OPTIONS = (STYLE, OBJECT, *RULINGS, *HAY)
"""What a scenario may say of a contest."""
TARGET = (
    Option("series_each", Whole(1, 5), 2, "Precision: series before it moves back."),
    Option("furthest", Whole(1, 10), 5, "Precision: own increments anybody throws at most."),
    Option("short_counts", Flag(), True, "Below 10 it flies a part of an increment."),
)
"""What can be said besides where one contest is played or asked about."""
THROW_OFF = Option("throw_off", Flag(), False, "Who ties throws again until one is ahead.")
_DEFAULTS = {option.name: option.default for option in (*RULINGS, *TARGET)}


def to_contest(weight: int, increment: int, is_weapon: bool, options: Mapping[str, Any]) -> Contest:
    """The contest that the options of a table make of an object.

    Parameters
    ----------
    weight, increment : int
        The object's weight in lb and its range increment in ft.
    is_weapon : bool
        Whether Weapon Focus can count.
    options : mapping
        The value of `STYLE`, and of those of `RULINGS` and `TARGET` that are not at
        their defaults.
    """
    options = _DEFAULTS | dict(options)
    return Contest(
        STYLES.index(options["style"]),
        weight,
        increment,
        int(is_weapon),
        int(options["short_counts"]),
        int(options["caber_feats"]),
        options["distance"],
        options["target_ac"],
        options["target_increments"],
        options["series_each"],
        options["furthest"],
    )


def _asked_of(who: str) -> tuple[Option, ...]:
    return (
        Option(f"score_{who}", Whole(1, MOST_STRENGTH), 10, f"Strength score of {who}."),
        Option(f"dexterity_{who}", Whole(1, MOST_STRENGTH), 10, f"Dexterity score of {who}."),
        Option(f"size_{who}", OneOf(SIZES), "medium", f"Size of {who}."),
        Option(f"base_attack_{who}", Whole(0, 40), 0, f"Base attack bonus of {who} (precision)."),
        Option(f"far_shot_{who}", Flag(), False, f"{who} has Far Shot."),
        Option(f"focus_{who}", Flag(), False, f"{who} has Weapon Focus in what is thrown."),
    )


def _answer(asked: Mapping[str, Any]) -> Answer:
    from .long_throw_odds import answer  # which is made of the rules above

    return answer(asked)


ODDS = Question(
    (*_asked_of("a"), *_asked_of("b"), STYLE, OBJECT, *RULINGS, *TARGET, THROW_OFF, DATA),
    _answer,
    """Give the exact odds of a long throw between two, a and b.

    Scores are ability scores, not modifiers: what they can lift, what the load
    costs them and their modifiers follow.

    \b
      tavern odds long-throw --score-a 18 --score-b 14 --object log
      tavern odds long-throw --object javelin --far-shot-a --focus-b
      tavern odds long-throw --style precision --base-attack-a 4 --far-shot-b
      tavern odds long-throw --style caber --score-a 16 --score-b 18 --dexterity-a 14
      tavern odds long-throw --style toss --score-a 14 --score-b 12
    """,
)
