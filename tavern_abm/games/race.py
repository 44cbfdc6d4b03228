"""Races.

Players   two or more competitors; onlookers may back them
Stakes    each competitor puts up as much; the winner takes all, ties share
Order     a course has so many increments (a dash 2, a typical race 10, a
          marathon 20). In each, every competitor makes one check by the kind of
          leg, and its result is added to his Degree of Success (DS): Strength
          on foot, Swim, Climb, the mount's Strength when mounted or driving
Speed     +2 per full 10 ft of movement rate on the DS and on every check of
          what stands in the way; the Run feat +2 more on foot
Riding    a Ride check of 10, 20, 30 gives the mount +2, +4, +6 that increment
Obstacle  must be passed, or the race is forfeited. With retries: the increment
          is worth 0, and each retry costs 10 DS. Every increment of a climb is one
Hazard    failing it, the increment is worth 0
Damage    may come with a failure, or stand in its place where the course or the
          table allows it: then the increment counts in full. What a fall costs
          it costs whatever he chooses next
Water     a swim may have a DC: failing it the increment is worth 0, failing it
          by the course's margin the swimmer is pulled out, and out of the race
Long      after as many increments as the Constitution score a Constitution check
          each, DC twice the increments completed; failing it, rest, worth 0.
          The Endurance feat helps by 4 only where the table says so
Pace      all race long: -2 on the race's checks for +2 Constitution, or the reverse
Payout    the highest DS at the end wins; the last one left wins at once
Source    "Races and Chases" of a wiki page on games of skill (d20 third edition);
          our rulings stand in docs/games/race.md

Everything here is a rule, and draws nothing. A course is an array of int, shape
(n_increments, N_COLUMNS); a competitor's modifiers an array as `race_sheet` makes
it; where he stands an array of N_RACER, which the rules change in place. Who drives a race
asks `racer[NEEDS]` what he needs next, throws that or asks for a choice, and
hands it to `after`:

    enter(racer, course, who)
    while racer[NEEDS] != NOTHING:
        after(racer, course, who, thrown)
"""

from __future__ import annotations

from typing import Any

from ..asking import Flag, OneOf, Option, Text, Whole
from ..checks import passes
from ..compiled import rule
from .race_sheet import (
    CLIMB,
    ENDURANCE,
    KINDS,
    MOUNT_ENDURANCE,
    MOUNT_SAFE,
    MOUNTED,
    MOUNTS,
    RIDING,
    SAFE,
    TOUGHNESS,
    check_modifier,
    ride_bonus,
    skill_of,
)
from .race_sheet import entrant as entrant

ABOUT = "On foot, swimming, climbing or mounted, over whatever stands in the way."
PLACE = "yard"
MIN_SEATS, MAX_SEATS = 2, 12
DASH, TYPICAL, MARATHON = 2, 10, 20
MOST_INCREMENTS = 100
RETRY_COST = 10
# A course: one row an increment.
CLEAR, OBSTACLE, HAZARD = 0, 1, 2
"""What stands in the way of an increment."""
BESIDES, INSTEAD, CHOICE, OPEN = 0, 1, 2, 3
"""Damage comes on top of a failure, in its place, or in its place if he chooses; OPEN: it
comes first, and then he may go on as if nothing had happened."""
RACER_HURT, MOUNT_HURT, BOTH_HURT = 0, 1, 2
(
    KIND,
    DC,  # of the leg's own check; NO_DC where any result counts
    PENALTY,  # added to the leg's own check; 0 or less
    DROWNS_BY,  # failing the leg's check by as much is drowning; 0: never
    WAY,  # CLEAR, OBSTACLE or HAZARD, and its check:
    SKILL,
    WAY_DC,
    CAN_RETRY,
    N_DICE,  # damage of a failure
    FACES,
    DAMAGE_IS,
    WHO_IS_HURT,
    MOST_RETRIES,  # in one increment, wherever something may be tried again
    FEAT_HELPS,  # 1: the Endurance feat counts on Constitution checks
) = range(14)
N_COLUMNS = 14
NO_DC = -1000
NO_END = 10**6
"""MOST_RETRIES of a table that sets no limit."""

# A racer: where he stands.
RUNNING, FORFEITED, BARRED, GAVE_UP, DROWNED = range(5)
"""In the race, or why he is out; BARRED: nothing he throws would pass."""
(
    TOTAL,  # his Degree of Success
    ON_FOOT,  # increments completed by himself: on foot, swimming, climbing
    ON_MOUNT,  # and mounted or driving
    OUT,
    HURT,  # damage taken so far, his own and his mount's
    HURT_MOUNT,
    NEEDS,  # from here on: of the increment he is in
    RESTS,
    IS_WORTHLESS,
    RIDE_BONUS,
    N_RETRIES,
    DICE_LEFT,
    TAKES_DAMAGE,
    IS_PAST,  # past what stood in the way; now the leg's own check
) = range(14)
N_RACER = 14
NOTHING, ENDURE, PASS, HARM, RIDE, MOVE, CHOOSE = range(7)
"""What he needs next: a d20 for ENDURE, PASS, RIDE and MOVE, a damage die, a choice."""
_FAILED, _AT_WAY, _AT_GROUND = 11, 12, 13
"""Where he is between throws; nobody outside ever sees him there."""
GIVE_UP, TRY_AGAIN, TAKE_DAMAGE, LOSE_GROUND = range(4)
"""Choices; LOSE_GROUND: at a hazard, rather no damage and an increment worth 0."""

FATIGUE = ("auto", "on", "off")
LENGTHS = {"dash": DASH, "typical": TYPICAL, "marathon": MARATHON}


class Length:
    """Increments of a race: a number, or what such a race is called."""

    word = "number"

    def read(self, value: Any) -> int:
        """Read it."""
        known = LENGTHS.get(str(value).strip().lower())
        return Whole(1, MOST_INCREMENTS).read(value) if known is None else known

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return {"anyOf": [Whole(1, MOST_INCREMENTS).schema(), {"enum": list(LENGTHS)}]}


COURSE_OPTIONS: tuple[Option, ...] = (
    Option("course", Text("course"), None, "A course by name, or the path of a .toml file."),
    Option(
        "increments",
        Length(),
        None,
        "Without a course: how many, or dash (2), typical (10, the default), marathon (20).",
    ),
    Option("kind", OneOf(KINDS), None, "Without a course: how it is raced; on foot by default."),
    Option("dc", Whole(0, 60), None, "Without a course: of a climb (default 15) or a swim."),
)
DATA_OPTION: Option = Option(
    "data", Text("folder"), None, "Your own data folder: DATA/courses/NAME.toml."
)
RULE_OPTIONS: tuple[Option, ...] = (
    Option("fatigue", OneOf(FATIGUE), "auto", "Constitution checks; auto: from 20 increments."),
    Option("damage_instead", Flag(), False, "Damage may be taken instead of a failure."),
    Option(
        "retries",
        Whole(0, 50),
        None,
        "At most so many in an increment, then one is out; else as many as one likes.",
    ),
)
ENDURANCE_OPTION: Option = Option(
    "endurance_helps", Flag(), False, "The Endurance feat is +4 on Constitution checks."
)
OPTIONS: tuple[Option, ...] = (
    *COURSE_OPTIONS,
    *RULE_OPTIONS,
    Option("pacing", Flag(), True, "Competitors may pace themselves, or sprint."),
)


# ---------------------------------------------------------------- an increment


@rule
def completed(racer: Any) -> int:
    """Increments completed, rests among them: the row of the course he is in."""
    return int(racer[ON_FOOT] + racer[ON_MOUNT])


@rule
def needed_modifier(racer: Any, course: Any, who: Any) -> int:
    """What is added to the d20 he needs now."""
    at = completed(racer)
    kind = course[at, KIND]
    if racer[NEEDS] == ENDURE:
        if kind >= MOUNTED:
            return int(who[MOUNT_ENDURANCE])
        return int(who[ENDURANCE] + course[at, FEAT_HELPS] * who[TOUGHNESS])
    if racer[NEEDS] == RIDE:
        return int(who[MOUNTS + RIDING])
    if racer[IS_PAST] == 0:
        return check_modifier(who, kind, course[at, SKILL])
    own = check_modifier(who, kind, skill_of(kind))
    return int(own + course[at, PENALTY] + racer[RIDE_BONUS])


@rule
def needed_dc(racer: Any, course: Any) -> int:
    """The DC of the check he needs now; NO_DC where any result counts."""
    at = completed(racer)
    if racer[NEEDS] == ENDURE:
        raced = racer[ON_MOUNT] if course[at, KIND] >= MOUNTED else racer[ON_FOOT]
        return int(2 * raced)
    if racer[NEEDS] == RIDE:
        return NO_DC
    return int(course[at, DC] if racer[IS_PAST] == 1 else course[at, WAY_DC])


@rule
def enter(racer: Any, course: Any, who: Any) -> None:
    """Begin his next increment; `racer[NEEDS]` then says what he needs first.

    Parameters
    ----------
    racer : array of int, shape (N_RACER,)
        Changed in place: where he stands. All 0 before the start.
    course : array of int, shape (n_increments, N_COLUMNS)
    who : array of int, shape (N_FIELDS,)
    """
    for field in range(NEEDS, N_RACER):
        racer[field] = 0
    is_mounted = course[completed(racer), KIND] >= MOUNTED
    raced = racer[ON_MOUNT] if is_mounted else racer[ON_FOOT]
    lasts = who[MOUNT_SAFE] if is_mounted else who[SAFE]
    racer[NEEDS] = ENDURE if raced >= lasts else _AT_WAY
    _go_on(racer, course, who)


@rule
def after(racer: Any, course: Any, who: Any, thrown: int) -> None:
    """Go on with what he needed: a d20 as it fell, a damage die, or a choice.

    Until `racer[NEEDS]` is NOTHING: then the increment is over for him.
    """
    need = racer[NEEDS]
    if need == CHOOSE:
        _choose(racer, course, thrown)
    elif need == HARM:
        _suffer(racer, course, thrown)
    else:
        result = thrown + needed_modifier(racer, course, who)
        dc = needed_dc(racer, course)
        if need == RIDE:
            racer[RIDE_BONUS] = ride_bonus(result)
            racer[NEEDS] = MOVE
        elif need == MOVE:
            _move(racer, course, result, dc)
        elif need == PASS:
            racer[NEEDS] = _AT_GROUND if result >= dc else _FAILED
        else:
            racer[RESTS] = 0 if result >= dc else 1
            racer[IS_WORTHLESS] = racer[RESTS]
            racer[NEEDS] = _AT_WAY
    _go_on(racer, course, who)


@rule
def can_choose(racer: Any, course: Any, who: Any, choice: int) -> bool:
    """Say whether a choice is open to him while `racer[NEEDS]` is CHOOSE."""
    at = completed(racer)
    has_tries = racer[N_RETRIES] < course[at, MOST_RETRIES]
    if racer[IS_PAST] == 1:
        return bool(choice == GIVE_UP or (choice == TRY_AGAIN and has_tries))
    is_hazard = course[at, WAY] == HAZARD
    if choice == TAKE_DAMAGE:
        return bool(course[at, DAMAGE_IS] >= CHOICE)
    if choice == TRY_AGAIN:
        can_retry = not is_hazard and course[at, CAN_RETRY] == 1 and has_tries
        return bool(can_retry and not _is_barred(racer, course, who))
    return bool(is_hazard == (choice == LOSE_GROUND))


@rule
def _is_barred(racer: Any, course: Any, who: Any) -> bool:
    """Say whether not even a 20 passes the check at hand, the Ride bonus apart."""
    return not passes(20, needed_modifier(racer, course, who), needed_dc(racer, course))


# Each step stands in one place only, so that it is compiled once.


@rule
def _go_on(racer: Any, course: Any, who: Any) -> None:
    """Walk on to the next throw or choice, or to the end of the increment."""
    if racer[NEEDS] == _FAILED:
        _fail(racer, course)
    if racer[NEEDS] == _AT_WAY:
        _meet_way(racer, course, who)
    if racer[NEEDS] == _AT_GROUND:
        _meet_ground(racer, course, who)


@rule
def _meet_way(racer: Any, course: Any, who: Any) -> None:
    """Come upon what stands in the way; a hazard takes nothing from one who rests."""
    at = completed(racer)
    way = course[at, WAY]
    if way == CLEAR or (way == HAZARD and racer[IS_WORTHLESS] == 1):
        racer[NEEDS] = _AT_GROUND
        return
    racer[NEEDS] = PASS
    is_final = way == OBSTACLE and course[at, DAMAGE_IS] == BESIDES
    if is_final and _is_barred(racer, course, who):
        _leave(racer, BARRED)


@rule
def _fail(racer: Any, course: Any) -> None:
    """Fail at it: by choice or by the course damage comes first."""
    at = completed(racer)
    if course[at, DAMAGE_IS] == CHOICE:
        racer[NEEDS] = CHOOSE
    elif course[at, N_DICE] > 0:
        racer[DICE_LEFT] = course[at, N_DICE]
        racer[NEEDS] = HARM
    else:
        _pay_for(racer, course)


@rule
def _suffer(racer: Any, course: Any, face: int) -> None:
    """One damage die; the same dice hurt rider and mount where both fall."""
    hurt = course[completed(racer), WHO_IS_HURT]
    if hurt != MOUNT_HURT:
        racer[HURT] += face
    if hurt != RACER_HURT:
        racer[HURT_MOUNT] += face
    racer[DICE_LEFT] -= 1
    if racer[DICE_LEFT] == 0:
        _pay_for(racer, course)


@rule
def _pay_for(racer: Any, course: Any) -> None:
    """What a failure costs beside the damage, if there was any."""
    at = completed(racer)
    racer[NEEDS] = _AT_GROUND
    if course[at, DAMAGE_IS] == INSTEAD or racer[TAKES_DAMAGE] == 1:
        return
    if course[at, DAMAGE_IS] == OPEN:
        racer[NEEDS] = CHOOSE
        return
    racer[IS_WORTHLESS] = 1
    if course[at, WAY] == OBSTACLE:
        if course[at, CAN_RETRY] == 1:
            racer[NEEDS] = CHOOSE
        else:
            _leave(racer, FORFEITED)


@rule
def _choose(racer: Any, course: Any, choice: int) -> None:
    at = completed(racer)
    if choice == TAKE_DAMAGE and course[at, DAMAGE_IS] == OPEN:
        racer[NEEDS] = _AT_GROUND
    elif choice == TAKE_DAMAGE:
        racer[TAKES_DAMAGE] = 1
        racer[DICE_LEFT] = course[at, N_DICE]
        racer[NEEDS] = HARM
    elif choice == TRY_AGAIN:
        racer[N_RETRIES] += 1
        racer[TOTAL] -= RETRY_COST
        racer[IS_WORTHLESS] = 1
        racer[NEEDS] = MOVE if racer[IS_PAST] == 1 else PASS
    elif choice == LOSE_GROUND:
        racer[IS_WORTHLESS] = 1
        racer[NEEDS] = _AT_GROUND
    else:
        has_tries = racer[N_RETRIES] < course[at, MOST_RETRIES]
        can_go_on = has_tries and (racer[IS_PAST] == 1 or course[at, CAN_RETRY] == 1)
        _leave(racer, GAVE_UP if can_go_on else FORFEITED)


@rule
def _meet_ground(racer: Any, course: Any, who: Any) -> None:
    """Go on to the leg's own check, where there is still something to gain or to lose by it."""
    at = completed(racer)
    kind = course[at, KIND]
    racer[IS_PAST] = 1
    has_peril = kind == CLIMB or course[at, DROWNS_BY] > 0
    if racer[RESTS] == 1 or (racer[IS_WORTHLESS] == 1 and not has_peril):
        _finish(racer, course)
        return
    racer[NEEDS] = RIDE if kind >= MOUNTED else MOVE
    if kind == CLIMB and _is_barred(racer, course, who):
        _leave(racer, BARRED)


@rule
def _move(racer: Any, course: Any, result: int, dc: int) -> None:
    """The leg's own check: its result is the increment's worth if it makes the DC."""
    at = completed(racer)
    drowns_by = course[at, DROWNS_BY]
    if result >= dc:
        if racer[IS_WORTHLESS] == 0:
            racer[TOTAL] += result
        _finish(racer, course)
    elif course[at, KIND] == CLIMB:
        racer[IS_WORTHLESS] = 1
        racer[NEEDS] = CHOOSE
    elif drowns_by > 0 and dc - result >= drowns_by:
        _leave(racer, DROWNED)
    else:
        _finish(racer, course)


@rule
def _finish(racer: Any, course: Any) -> None:
    if course[completed(racer), KIND] >= MOUNTED:
        racer[ON_MOUNT] += 1
    else:
        racer[ON_FOOT] += 1
    racer[NEEDS] = NOTHING


@rule
def _leave(racer: Any, why: int) -> None:
    racer[OUT] = why
    racer[NEEDS] = NOTHING


# ---------------------------------------------------------------- the race


@rule
def is_long_race(n_increments: int, fatigue: int) -> bool:
    """Say whether competitors tire; `fatigue` as in FATIGUE: 0 auto, 1 on, 2 off."""
    return fatigue == 1 or (fatigue == 0 and n_increments >= MARATHON)


@rule
def n_left(racers: Any) -> int:
    """How many are still in the race.

    Parameters
    ----------
    racers : array of int, shape (n_racers, N_RACER)
    """
    left = 0
    for i in range(len(racers)):
        if racers[i, OUT] == RUNNING:
            left += 1
    return left


@rule
def mark_winners(racers: Any, winners: Any) -> int:
    """Fill `winners` with 1 for the highest DS of those still in, else 0; count them.

    Ask when the last increment has been run, or as soon as one alone is left, or
    none, at the end of an increment: all run it at the same time.

    Parameters
    ----------
    racers : array of int, shape (n_racers, N_RACER)
    winners : array of int, shape (n_racers,)
        Filled.
    """
    best = 0
    n_winners = 0
    for i in range(len(racers)):
        winners[i] = 0
        if racers[i, OUT] != RUNNING:
            continue
        if n_winners == 0 or racers[i, TOTAL] > best:
            best = racers[i, TOTAL]
            n_winners = 0
            for j in range(i):
                winners[j] = 0
        if racers[i, TOTAL] == best:
            winners[i] = 1
            n_winners += 1
    return n_winners


from .race_odds import ODDS  # noqa: E402, F401
