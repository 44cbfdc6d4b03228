"""Exact odds of a race between two: the rules run over every throw, increment by increment.

Competitors do not hinder each other. So each has a distribution of his own, of
where he drops out and of his total at the end (`fortune`), and the two are
compared (`compare`). Damage moves nobody's total and is left out.

Chances are fractions. Where somebody never gives up, and so may fail at one
obstacle again and again without end, they are floats that are right to twelve
decimals: tries beyond the point where less than `TAIL` of the chance is left
count as giving up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..asking import Answer, Names, OneOf, Option, Question, RefusedError, Text, Whole, chance_lines
from ..patrons.competitor import Competitor, load_roster
from . import race, race_sheet

if TYPE_CHECKING:
    from ..courses import Course

type Rows = NDArray[np.int64]
type Who = NDArray[np.int64]
type Chance = Fraction | float
TAIL = 1e-15
ERROR_BELOW = 1e-12
MOST_RETRIES = 400
"""Retries in a whole race up to which fractions are within reach."""
MOST_DIGITS = 2000


class Fortune(NamedTuple):
    """What may become of one competitor."""

    out: list[Chance]  # that he drops out in each increment
    totals: dict[int, Chance]  # his DS at the end, if he gets there


class Ends(NamedTuple):
    """How a race of two ends."""

    a_wins: Chance
    b_wins: Chance
    tie: Chance
    nobody: Chance  # both drop out in the same increment


def fortune(course: Rows, who: Who, retries: int | None = None) -> Fortune:
    """The distribution of a competitor's race.

    Parameters
    ----------
    course : ndarray of int64, shape (n_increments, race.N_COLUMNS)
    who : ndarray of int64, shape (race_sheet.N_FIELDS,)
    retries : int, optional
        He gives up after so many retries of one obstacle; None: never. Where he
        may take damage instead of a failure, he does.

    Returns
    -------
    Fortune
        Its chances are Fraction where that is within reach.

    Examples
    --------
    >>> from ..courses import plain_course, to_array
    >>> one = race_sheet.entrant(Competitor("Ann", speed_ft=0))
    >>> fortune(to_array(plain_course("foot", 2)), one).totals[40]
    Fraction(1, 400)
    """
    is_exact = _is_exact(course, retries)
    sure: Any = Fraction(1) if is_exact else 1.0
    racer = [0] * race.N_RACER
    in_race, out, gains = sure, [], []
    known: dict[tuple[bytes, int], tuple[dict[int, Any], Any]] = {}
    for row in course:
        mounted = row[race.KIND] >= race_sheet.MOUNTED
        raced = race.ON_MOUNT if mounted else race.ON_FOOT
        lasts = int(who[race_sheet.MOUNT_SAFE if mounted else race_sheet.SAFE])
        # Two increments alike in all that matters to him.
        alike = row.tobytes(), max(racer[raced], lasts - 1)
        if alike not in known:
            known[alike] = _increment(racer, course, who, sure, retries)
        gained, leaves = known[alike]
        gains.append(gained)
        out.append(in_race * leaves)
        in_race *= 1 - leaves
        racer[raced] += 1
    totals = _add_up_exactly(gains) if is_exact else _add_up(gains)
    return Fortune(out, {total: in_race * p for total, p in totals.items()})


def compare(a: Fortune, b: Fortune) -> Ends:
    """How a race between two such competitors ends.

    The last one left wins at once; who drop out in the same increment do it together.

    Examples
    --------
    >>> compare(Fortune([0.0], {3: 1.0}), Fortune([0.5], {2: 0.25, 3: 0.25}))
    Ends(a_wins=0.75, b_wins=0.0, tie=0.25, nobody=0.0)
    """
    tie = _total(chance * b.totals.get(total, 0) for total, chance in a.totals.items())
    nobody = _total(p * q for p, q in zip(a.out, b.out, strict=True))
    return Ends(_wins(a, b), _wins(b, a), tie, nobody)


def _wins(one: Fortune, other: Fortune) -> Chance:
    """The chance that one wins: still in when the other drops out, or ahead at the end."""
    chance: Chance = _total(one.totals.values()) * _total(other.out)
    gone: Chance = 0 * chance
    for out, others_out in zip(one.out, other.out, strict=True):
        chance += out * gone
        gone += others_out
    behind = sorted(other.totals.items(), reverse=True)
    below: Chance = 0 * chance
    for total, p in sorted(one.totals.items()):
        while behind and behind[-1][0] < total:
            below += behind.pop()[1]
        chance += p * below
    return chance


def _total(chances: Iterable[Any]) -> Any:
    return sum(chances, start=Fraction(0))


def n_retried(course: Rows) -> int:
    """In how many increments something may be failed again and again."""
    retried = (course[:, race.WAY] == race.OBSTACLE) & (course[:, race.CAN_RETRY] == 1)
    # Who may take damage there does so at once.
    retried &= course[:, race.DAMAGE_IS] < race.CHOICE
    return int((retried | (course[:, race.KIND] == race_sheet.CLIMB)).sum())


def _is_exact(course: Rows, retries: int | None) -> bool:
    n = n_retried(course)
    return n == 0 or (retries is not None and n * retries <= MOST_RETRIES)


def _add_up_exactly(gains: Sequence[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    """The distribution of a sum; whole weights are faster than fractions."""
    weights = {0: 1}
    scale = 1
    for gained in gains:
        common = lcm(*(p.denominator for p in gained.values()))
        scale *= common
        found: Counter[int] = Counter()
        for gain, p in gained.items():
            more = int(p * common)
            for total, weight in weights.items():
                found[total + gain] += weight * more
        weights = dict(found)
    return {total: Fraction(weight, scale) for total, weight in weights.items()}


def _add_up(gains: Sequence[Mapping[int, float]]) -> dict[int, float]:
    """The distribution of a sum of floats; what is next to impossible is left out."""
    low, weights = 0, np.ones(1)
    for gained in gains:
        first = min(gained)
        more = np.zeros(max(gained) - first + 1)
        for gain, p in gained.items():
            more[gain - first] = p
        n = len(weights) + len(more) - 1
        weights = np.fft.irfft(np.fft.rfft(weights, n) * np.fft.rfft(more, n), n)
        likely = np.flatnonzero(weights > TAIL)
        weights = np.maximum(weights[likely[0] : likely[-1] + 1], 0.0)
        low += first + int(likely[0])
    return {low + i: float(p) for i, p in enumerate(weights)}


def _increment(
    start: list[int], course: Rows, who: Who, sure: Any, retries: int | None
) -> tuple[dict[int, Any], Any]:
    """What the next increment adds to the DS, and the chance to drop out in it."""
    racer = start.copy()
    racer[race.TOTAL] = 0
    race.enter(racer, course, who)
    live: dict[tuple[int, ...], Any] = {tuple(racer): sure}
    gains: dict[int, Any] = {}
    leaves = 0 * sure
    while live:
        following: dict[tuple[int, ...], Any] = {}
        for state, p in live.items():
            if state[race.NEEDS] != race.NOTHING:
                for after, q in _branches(state, course, who, retries, p):
                    following[after] = following.get(after, 0) + q
            elif state[race.OUT] != race.RUNNING:
                leaves += p
            else:
                gains[state[race.TOTAL]] = gains.get(state[race.TOTAL], 0) + p
        live = following
    stays = sure - leaves
    return {gain: p / stays for gain, p in gains.items()} if gains else {0: sure}, leaves


def _branches(
    state: tuple[int, ...], course: Rows, who: Who, retries: int | None, p: Any
) -> list[tuple[tuple[int, ...], Chance]]:
    need = state[race.NEEDS]
    if need == race.CHOOSE:
        return [(_after(state, course, who, _choice(state, course, who, retries, p)), p)]
    if need == race.HARM:
        return [(_after(state, course, who, 1), p)]
    return [(_after(state, course, who, natural), p / 20) for natural in range(1, 21)]


def _after(state: tuple[int, ...], course: Rows, who: Who, thrown: int) -> tuple[int, ...]:
    racer = list(state)
    race.after(racer, course, who, thrown)
    racer[race.HURT] = racer[race.HURT_MOUNT] = 0
    return tuple(int(each) for each in racer)


def _choice(state: tuple[int, ...], course: Rows, who: Who, retries: int | None, p: Chance) -> int:
    if race.can_choose(state, course, who, race.TAKE_DAMAGE):
        return race.TAKE_DAMAGE
    is_done = p < TAIL if retries is None else state[race.N_RETRIES] >= retries
    can_retry = race.can_choose(state, course, who, race.TRY_AGAIN)
    return race.TRY_AGAIN if can_retry and not is_done else race.GIVE_UP


# ---------------------------------------------------------------- the question


def _answer(asked: Mapping[str, Any]) -> Answer:
    course = asked_course(asked)
    sheets = [_sheet(asked, side) for side in (0, 1)]
    entrants = [_entrant(asked, side, sheets[side], course) for side in (0, 1)]
    from ..courses import to_array

    rows = to_array(course, asked["damage_instead"])
    fortunes = [fortune(rows, who, course.retries) for who in entrants]
    ends = compare(*fortunes)
    data: dict[str, Any] = {name: _leaf(chance) for name, chance in ends._asdict().items()}
    for side, each in zip("ab", fortunes, strict=True):
        finishes = _total(each.totals.values())
        data[f"{side}_finishes"] = _leaf(finishes)
        mean = _total(total * p for total, p in each.totals.items())
        data[f"{side}_mean_total"] = float(mean / finishes) if finishes else None
    data |= {"course": course.name or None, "increments": course.n_increments}
    return Answer(data, _lines(asked, course, sheets, ends, data))


def asked_course(asked: Mapping[str, Any]) -> Course:
    """The course that is asked for, or a plain one, with what the table says of it.

    Raises
    ------
    RefusedError
        If there is no such course, or the options do not go together.
    DataError
        If the course is there and wrong, or there is no such folder.
    """
    course = _known_course(asked)
    changes: dict[str, Any] = {}
    if asked.get("retries") is not None:
        changes["retries"] = asked["retries"]
    if asked.get("endurance_helps"):
        changes["endurance_helps"] = True
    return replace(course, **changes)


def _known_course(asked: Mapping[str, Any]) -> Course:
    from ..courses import course_file, load_course, plain_course
    from ..data_tables import verify_folder

    if asked.get("data") is not None:
        verify_folder(Path(asked["data"]))
    if asked["course"] is None:
        kind, dc = asked["kind"] or "foot", asked["dc"]
        if dc is not None and kind not in ("climb", "swim"):
            problem = f"race: no DC in a race of kind '{kind}'; climb and swim have one"
            raise RefusedError(problem, "dc")
        return plain_course(kind, asked["increments"] or race.TYPICAL, dc)
    for name in ("increments", "kind", "dc"):
        if asked[name] is not None:
            problem = f"race: the course says so itself (got {asked[name]}); leave one of them out"
            raise RefusedError(problem, name)
    try:
        course_file(asked["course"], asked.get("data"))
    except FileNotFoundError as error:
        raise RefusedError(f"race: {error}", "course") from None
    return load_course(asked["course"], asked.get("data"))


def _sheet(asked: Mapping[str, Any], side: int) -> Competitor:
    """The competitor on side 0 or 1: of the roster, or of plain numbers."""
    letter = "ab"[side]
    sheet = Competitor(letter, constitution=10)
    if asked["roster"] is not None:
        people = load_roster(asked["roster"])
        names = asked["who"] or list(people)[:2]
        if len(names) < 2:
            raise RefusedError("race needs two people in the roster (got 1)", "roster")
        if names[side] not in people:
            problem = f"nobody in the roster is called '{names[side]}' (race)"
            raise RefusedError(problem, "who")
        sheet = people[names[side]]
    elif asked["who"]:
        raise RefusedError("names stand in a roster; give one too (race)", "who")
    changes = {
        field: asked[f"{option}_{letter}"]
        for field, option in (("speed_ft", "speed"), ("constitution", "constitution"))
        if asked[f"{option}_{letter}"] is not None
    }
    return replace(sheet, **changes)


def _entrant(asked: Mapping[str, Any], side: int, sheet: Competitor, course: Course) -> Who:
    from ..courses import mounted

    letter = "ab"[side]
    fatigue = race.FATIGUE.index(asked["fatigue"])
    who = race_sheet.entrant(
        mounted(sheet, course.mount),
        race_sheet.PACES[asked[f"pace_{letter}"]],
        race.is_long_race(course.n_increments, fatigue) and _tires(asked, side),
    )
    who[race_sheet.OWN : race_sheet.OWN + race_sheet.N_SKILLS] += asked[f"modifier_{letter}"]
    who[race_sheet.MOUNTS + race_sheet.RIDING] += asked[f"modifier_{letter}"]
    return who


def _tires(asked: Mapping[str, Any], side: int) -> bool:
    """Plain numbers say nothing of a Constitution, unless they do."""
    is_known = asked["roster"] is not None or asked[f"constitution_{'ab'[side]}"] is not None
    return is_known or asked["fatigue"] == "on"


def _leaf(chance: Chance) -> Any:
    """An exact chance as it is; a float, or a fraction too long to print, with its error."""
    if isinstance(chance, Fraction) and chance.denominator < 10**MOST_DIGITS:
        return chance
    return {"exact": None, "value": float(chance), "error_below": ERROR_BELOW}


def _lines(
    asked: Mapping[str, Any],
    course: Course,
    sheets: Sequence[Competitor],
    ends: Ends,
    data: Mapping[str, Any],
) -> list[str]:
    a, b = (sheet.name for sheet in sheets)
    is_exact = all(isinstance(each, Fraction) for each in ends)
    how = "exact" if is_exact else "right to 12 decimals: nobody gives up, however often he fails"
    rows = [(f"{a} wins", ends.a_wins), (f"{b} wins", ends.b_wins), ("a tie", ends.tie)]
    if ends.nobody > ERROR_BELOW:
        rows.append(("nobody gets there", ends.nobody))
    lines = [
        f"{course.title[0].upper()}{course.title[1:]}, {course.n_increments} increments: {how}.",
        *chance_lines(rows),
    ]
    for name, side in ((a, "a"), (b, "b")):
        mean = data[f"{side}_mean_total"]
        if mean is not None:
            lines.append(f"  {name} has {mean:.2f} DS at the finish, on average")
    fatigue = race.FATIGUE.index(asked["fatigue"])
    if race.is_long_race(course.n_increments, fatigue):
        for number, sheet in enumerate(sheets):
            if not _tires(asked, number):
                lines.append(f"  {sheet.name} never tires: no Constitution is given")
    return lines


_MODIFIER, _SCORE, _SPEED = Whole(-20, 60), Whole(1, 60), Whole(0, 300)
_PACE = OneOf(tuple(race_sheet.PACES))

ODDS = Question(
    options=(
        *race.COURSE_OPTIONS,
        race.DATA_OPTION,
        Option("modifier_a", _MODIFIER, 0, "Added to every check of a's (speed comes on top)."),
        Option("modifier_b", _MODIFIER, 0, "And of b's."),
        Option("speed_a", _SPEED, None, "Movement rate of a in feet; 30 if none is given."),
        Option("speed_b", _SPEED, None, "And of b."),
        Option("constitution_a", _SCORE, None, "Score of a; left out, he never tires."),
        Option("constitution_b", _SCORE, None, "And of b."),
        Option("pace_a", _PACE, "steady", "All race long."),
        Option("pace_b", _PACE, "steady", "And of b."),
        *race.RULE_OPTIONS,
        race.ENDURANCE_OPTION,
        Option("roster", Text("file"), None, "A TOML file of people, in place of plain numbers."),
        Option("who", Names(2, 2), None, "Which two of them; else the first two."),
    ),
    answer=_answer,
    help="""Give the odds of a race between two.

    Exact: every throw of the whole course is reckoned with. Where they may try again
    at an obstacle and never give up, the chances are right to twelve decimals.

    \b
      tavern odds race --increments 10 --modifier-a 1 --modifier-b 0
      tavern odds race --course harbour-swim --modifier-a 2
      tavern odds race --course dak-rothian-marathon --modifier-a 4 --constitution-a 14
                       --constitution-b 14 --retries 3
    """,
)
