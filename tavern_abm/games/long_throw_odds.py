"""Exact odds of a long throw between two: every pair of rolls, and every series.

The rules are those of `long_throw`; here they are run over all 400 pairs of
natural rolls, or, for precision, followed from series to series. The target
moves back for good, so that a contest ends and no series comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from ..asking import Answer, Option, RefusedError, chance_lines, verify_of_use
from ..objects import ThrownObject, find_object
from . import long_throw as lt
from .odds import Branches, Distribution, fair_die, gather, solve

A, B, TIE, NOBODY = "a", "b", "tie", "nobody"
_D20 = fair_die(20)


class Ends(NamedTuple):
    """How a contest of two ends; the four add up to 1."""

    a_wins: Fraction
    b_wins: Fraction
    tie: Fraction  # they share
    nobody: Fraction  # both tossed short: stakes go back


def exact_odds(a: lt.Thrower, b: lt.Thrower, contest: lt.Contest, throw_off: bool = False) -> Ends:
    """Who wins, in any style; both can lift what is thrown.

    Parameters
    ----------
    a, b : Thrower
    contest : Contest
    throw_off : bool, default False
        Whether those who tie throw again until one is ahead, and do not share;
        at a target nobody ties.

    Examples
    --------
    Strength 18 and 14 with the log: +1 against -4.

    >>> log = lt.Contest(lt.FAR, weight=150, increment=2)
    >>> exact_odds(lt.Thrower(18), lt.Thrower(14), log).a_wins
    Fraction(7, 10)
    """
    if contest.style == lt.PRECISION:
        series = exact_series(a, b, contest)
        ends = gather((end, chance) for (end, _), chance in series.items())
    else:
        pairs = product(_D20.items(), repeat=2)
        ends = gather((_end(x, y, a, b, contest), p * q) for (x, p), (y, q) in pairs)
    found = Ends(*(ends.get(end, Fraction(0)) for end in (A, B, TIE, NOBODY)))
    return _thrown_off(found) if throw_off and contest.style != lt.PRECISION else found


def _thrown_off(ends: Ends) -> Ends:
    """Ties settled by throws like the first, as often as it takes.

    Who tied at a toss has reached the hay, and so one of two can be ahead.
    """
    decided = ends.a_wins + ends.b_wins
    if not ends.tie:
        return ends
    a_wins, b_wins = (wins + ends.tie * wins / decided for wins in ends[:2])
    return Ends(a_wins, b_wins, Fraction(0), ends.nobody)


def _end(x: int, y: int, a: lt.Thrower, b: lt.Thrower, contest: lt.Contest) -> str:
    naturals, throwers = (x, y), (a, b)
    is_toss = contest.style == lt.TOSS
    results, is_in, winners = [0, 0], [1, 1], [0, 0]
    for i in range(2):
        results[i] = lt.degree_of_success(naturals[i], throwers[i], contest)
        if is_toss and lt.falls_short(naturals[i], throwers[i], contest):
            is_in[i] = 0
    n_winners = lt.find_best(results, is_in, winners)
    return (NOBODY, A if winners[0] else B, TIE)[n_winners]


def exact_distances(thrower: lt.Thrower, contest: lt.Contest) -> Distribution[int]:
    """The chance of each distance of one throw, in tenths of a foot, the shortest first.

    Examples
    --------
    >>> stone = lt.Contest(lt.FAR, weight=14, increment=10)
    >>> exact_distances(lt.Thrower(30), stone)[500]
    Fraction(1, 5)
    """
    thrown = gather((lt.distance_tenths(x, thrower, contest), p) for x, p in _D20.items())
    return dict(sorted(thrown.items()))


def hit_prob(thrower: lt.Thrower, contest: lt.Contest, series: int) -> Fraction:
    """The chance to hit the target in a series; 0 where it is out of reach."""
    if not lt.can_reach(thrower, contest, series):
        return Fraction(0)
    modifier = lt.attack_modifier(thrower, contest, series)
    return sum((p for x, p in _D20.items() if lt.hits(x, modifier, contest.target_ac)), Fraction(0))


def exact_series(
    a: lt.Thrower, b: lt.Thrower, contest: lt.Contest
) -> Distribution[tuple[str, int]]:
    """Joint chance of who wins at precision, and of how many series are thrown.

    ``(TIE, n)``: after `n` series neither can reach the target any more.
    """
    return solve(
        _Series(1, 1, 1),
        partial(_next_series, a=a, b=b, contest=contest),
        lambda at: ((NOBODY, A, B, TIE)[at.a_in + 2 * at.b_in], at.number - 1),
    )


class _Series(NamedTuple):
    """A series about to be thrown, and who is still in."""

    number: int
    a_in: int
    b_in: int


def _next_series(
    at: _Series, a: lt.Thrower, b: lt.Thrower, contest: lt.Contest
) -> Branches[_Series] | None:
    can_reach = [lt.can_reach(each, contest, at.number) for each in (a, b)]
    if not (at.a_in and at.b_in and any(can_reach)):
        return None
    p, q = (hit_prob(each, contest, at.number) for each in (a, b))
    chances = {(1, 1): p * q, (1, 0): p * (1 - q), (0, 1): (1 - p) * q, (0, 0): (1 - p) * (1 - q)}
    branches = []
    for has_hit, chance in chances.items():
        is_in = [1, 1]
        lt.after_series(is_in, has_hit)
        branches.append((_Series(at.number + 1, *is_in), chance))
    return branches


# ---------------------------------------------------------------- the answer


def answer(asked: Mapping[str, Any]) -> Answer:
    """What ``tavern odds long-throw`` says; `asked` has the value of each option of `ODDS`."""
    style = asked["style"]
    thing = find_object(asked["object"] or lt.OBJECTS[lt.STYLES.index(style)], asked["data"])
    verify_style(thing, lt.ODDS.options, asked)
    contest = lt.to_contest(thing.weight_lb, thing.increment_ft, thing.weapon, asked)
    throwers = {who: _thrower(who, asked, thing, contest) for who in (A, B)}
    ends = exact_odds(throwers[A], throwers[B], contest, asked["throw_off"])
    data: dict[str, Any] = ends._asdict()
    if style != "toss":
        del data["nobody"]
    rows = [(label.replace("_", " "), chance) for label, chance in data.items()]
    lines = [f"{thing.the.capitalize()}, {thing.weight_lb} lb, {_STYLES[style]}:"]
    lines += [_introduced(who, each, contest) for who, each in throwers.items()]
    lines += chance_lines(rows)
    more, more_lines = _MORE[style](throwers, contest)
    about = {"object": thing.name, "weight_lb": thing.weight_lb, "increment_ft": thing.increment_ft}
    loads = {who: _load(each, contest) for who, each in throwers.items()}
    return Answer(data | {"style": style} | about | loads | more, [*lines, *more_lines])


_STYLES = {
    "far": "thrown far",
    "precision": "thrown at a target",
    "caber": "turned as a caber",
    "toss": "tossed into the hay",
}


_GOES_WITH = {
    "distance": ("toss",),
    "soft_landing": ("toss",),
    "stone_damage": ("toss",),
    "caber_feats": ("caber",),
    "target_ac": ("precision",),
    "target_increments": ("precision",),
    "series_each": ("precision",),
    "furthest": ("precision",),
    "short_counts": ("far", "toss"),
    "wall": ("far", "toss"),
    **dict.fromkeys(("dexterity_a", "dexterity_b"), ("precision", "caber")),
    **dict.fromkeys(("base_attack_a", "base_attack_b"), ("precision",)),
}
"""The styles in which an option says anything; one that is not here does so in each."""
_OF_PEOPLE = {
    "wall": "a wall hurts people",
    "tumble": "people tumble",
}


def verify_style(thing: ThrownObject, options: Sequence[Option], asked: Mapping[str, Any]) -> None:
    """Say so if this cannot be done with this object, or an option is of no use.

    Parameters
    ----------
    options : sequence of Option
        What may be said here.
    asked : mapping
        The value of each.

    Raises
    ------
    RefusedError
        If something is to be tossed that is no person, or something is said that
        belongs to another style.
    """
    style = asked["style"]
    if style == "toss" and not thing.person:
        raise RefusedError(
            f"a toss needs a person to toss, and {thing.the} is none (long-throw)", "object"
        )
    verify_of_use(options, asked, _of_no_use(thing, style))


def _of_no_use(thing: ThrownObject, style: str) -> dict[str, str]:
    """Why an option says nothing in this style or of this object."""
    why: dict[str, str] = {}
    if not thing.person:
        why |= {
            name: f"{does}, and {thing.the} is none (long-throw)"
            for name, does in _OF_PEOPLE.items()
        }
    for name, styles in _GOES_WITH.items():
        if style not in styles:
            named = f"style{'s' if len(styles) > 1 else ''} {' and '.join(styles)}"
            why[name] = f"it goes with the {named}, not with {style} (long-throw)"
    if style == "precision":
        tied = "a throw-off is for tied checks, and at a target nobody ties (long-throw)"
        why["throw_off"] = tied
    return why


def too_heavy(who: str, whose: str, strength: int, size: int, thing: ThrownObject) -> str:
    """The sentence for somebody who may not enter.

    Examples
    --------
    >>> too_heavy("Cy", "Cy's", 12, 1, find_object("log"))
    "Cy cannot lift the log: 150 lb is above Cy's maximum load of 130 lb at Strength 12"
    """
    sized = "" if lt.SIZES[size] == "medium" else f" and {lt.SIZES[size]} size"
    return (
        f"{who} cannot lift {thing.the}: {thing.weight_lb} lb is above {whose} maximum load"
        f" of {lt.maximum_load(strength, size)} lb at Strength {strength}{sized}"
    )


def _thrower(
    who: str, asked: Mapping[str, Any], thing: ThrownObject, contest: lt.Contest
) -> lt.Thrower:
    thrower = lt.Thrower(
        asked[f"score_{who}"],
        asked[f"dexterity_{who}"],
        lt.SIZES.index(asked[f"size_{who}"]),
        asked[f"base_attack_{who}"],
        int(asked[f"far_shot_{who}"]),
        int(asked[f"focus_{who}"]),
    )
    if not lt.can_enter(thrower, contest):
        problem = too_heavy(who, "the", thrower.strength, thrower.size, thing)
        raise RefusedError(f"{problem} (long-throw)", f"score_{who}")
    if thrower.focus and not thing.weapon:
        raise RefusedError(
            f"{thing.the} is no weapon, and Weapon Focus counts for weapons alone (long-throw)",
            f"focus_{who}",
        )
    return thrower


def _load(thrower: lt.Thrower, contest: lt.Contest) -> dict[str, Any]:
    load = lt.load_of(thrower.strength, thrower.size, contest.weight)
    found: dict[str, Any] = {"load": lt.LOAD_NAMES[load], "penalty": lt.PENALTIES[load]}
    if contest.style != lt.PRECISION:
        found["modifier"] = lt.check_modifier(thrower, contest)
    return found


def _introduced(who: str, thrower: lt.Thrower, contest: lt.Contest) -> str:
    load = lt.load_of(thrower.strength, thrower.size, contest.weight)
    deft = contest.style in (lt.CABER, lt.PRECISION)
    scores = f"Strength {thrower.strength}" + (f", Dexterity {thrower.dexterity}" if deft else "")
    text = f"  {who}: {scores}, {lt.LOAD_NAMES[load]} load"
    text += f" (-{lt.PENALTIES[load]})" if lt.PENALTIES[load] else ""
    if contest.style == lt.PRECISION:
        return f"{text}, range increment {lt.own_increment(thrower, contest)} ft"
    text += f", {lt.check_modifier(thrower, contest):+d} on the check"
    return text + (", doubled by Far Shot" if lt.doubles(thrower, contest) else "")


def feet(tenths: int) -> str:
    """Tenths of a foot as people say them.

    Examples
    --------
    >>> feet(162), feet(400)
    ('16.2', '40')
    """
    return f"{tenths // 10}.{tenths % 10}".removesuffix(".0")


type _More = tuple[dict[str, Any], list[str]]


def _distances(throwers: Mapping[str, lt.Thrower], contest: lt.Contest) -> _More:
    chances = {who: exact_distances(each, contest) for who, each in throwers.items()}
    lines, means = [], {}
    for who, each in chances.items():
        means[who] = sum((Fraction(d, 10) * p for d, p in each.items()), Fraction(0))
        lines.append(f"How far {who} throws ({float(means[who]):.2f} ft on average):")
        lines += chance_lines([(f"{feet(d)} ft", p) for d, p in each.items()])
    by_feet = {who: {feet(d): p for d, p in each.items()} for who, each in chances.items()}
    return {"distances_ft": by_feet, "mean_distance_ft": means}, lines


def _toss(throwers: Mapping[str, lt.Thrower], contest: lt.Contest) -> _More:
    more, lines = _distances(throwers, contest)
    short = {
        who: sum((p for x, p in _D20.items() if lt.falls_short(x, each, contest)), Fraction(0))
        for who, each in throwers.items()
    }
    rows = [(f"{who} misses the hay", p) for who, p in short.items()]
    return more | {"misses": short}, chance_lines(rows) + lines


def _series(throwers: Mapping[str, lt.Thrower], contest: lt.Contest) -> _More:
    ends = exact_series(throwers[A], throwers[B], contest)
    mean = sum((n * chance for (_, n), chance in ends.items()), Fraction(0))
    last = max(n for _, n in ends)
    hits: list[dict[str, Any]] = [
        {"series": n, "distance_ft": lt.target_ft(n, contest)}
        | {who: hit_prob(each, contest, n) for who, each in throwers.items()}
        for n in range(1, last + 1)
    ]
    lines = [f"{float(mean):.2f} series on average, {last} at most. Chances to hit:"]
    for each in hits:
        chances = ", ".join(f"{who} {float(each[who]):.2f}" for who in throwers)
        lines.append(f"  series {each['series']}, {each['distance_ft']} ft: {chances}")
    return {"mean_series": mean, "hits": hits}, lines


def _nothing(throwers: Mapping[str, lt.Thrower], contest: lt.Contest) -> _More:
    return {}, []


_MORE: dict[str, Callable[[Mapping[str, lt.Thrower], lt.Contest], _More]] = {
    "far": _distances,
    "precision": _series,
    "caber": _nothing,
    "toss": _toss,
}
