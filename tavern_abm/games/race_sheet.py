"""Who races: what everybody brings to the checks of a race.

A competitor is an array of int, shape (N_FIELDS,): what the movement rate adds
on foot, swimming, climbing and mounted; the modifiers of all skills, his own and
those of his mount; the pace; and how long he and his mount last. `entrant` makes
one of a sheet; kernels fill theirs with `set_abilities`, `set_skills`,
`set_speeds`, `set_toughness`, `set_mount` and at last `set_effort`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..checks import ability_modifier
from ..compiled import rule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..patrons.competitor import Competitor

KINDS = ("foot", "swim", "climb", "mounted", "driven")
FOOT, SWIM, CLIMB, MOUNTED, DRIVEN = range(5)
RUN_BONUS = 2
ENDURANCE_BONUS = 4
PACING, STEADY, SPRINTING = -2, 0, 2
"""What a pace adds to the race's checks; it is taken off the Constitution."""
PACES: dict[str, int] = {"steady": STEADY, "pace": PACING, "sprint": SPRINTING}

SKILLS = (
    "strength",
    "dexterity",
    "constitution",
    "wisdom",
    "climb",
    "swim",
    "jump",
    "balance",
    "tumble",
    "hide",
    "spot",
    "ride",
)
MOUNTED_SKILLS = ("strength", "climb", "swim", "jump", "ride")
"""What can be asked of a rider: all are the mount's but the Ride check."""
N_SKILLS = 12
(
    STRENGTH,
    DEXTERITY,
    CONSTITUTION,
    WISDOM,
    CLIMBING,
    SWIMMING,
    JUMP,
    BALANCE,
    TUMBLE,
    HIDE,
    SPOT,
    RIDING,
) = range(12)
RATE = 0  # 4 fields: what the movement rate adds on foot, swimming, climbing, mounted
OWN = 4
MOUNTS = OWN + N_SKILLS
PACE = MOUNTS + N_SKILLS
SAFE = PACE + 1  # increments before he tires, and the modifier against it
ENDURANCE = PACE + 2
MOUNT_SAFE = PACE + 3
MOUNT_ENDURANCE = PACE + 4
TOUGHNESS = PACE + 5  # what the Endurance feat gives, where a table lets it help
N_FIELDS = PACE + 6
NEVER_TIRES = 10**6


@rule
def rate_bonus(speed_ft: int) -> int:
    """What a movement rate adds to checks: 2 for each full 10 ft.

    Examples
    --------
    >>> rate_bonus(30), rate_bonus(25), rate_bonus(60)
    (6, 4, 12)
    """
    return 2 * (speed_ft // 10)


@rule
def set_abilities(who: Any, strength: int, dexterity: int, constitution: int, wisdom: int) -> None:
    """Fill in his ability scores, as modifiers; skills come after, see `set_skills`."""
    who[OWN + STRENGTH] = ability_modifier(strength)
    who[OWN + DEXTERITY] = ability_modifier(dexterity)
    who[OWN + CONSTITUTION] = ability_modifier(constitution)
    who[OWN + WISDOM] = ability_modifier(wisdom)


@rule
def set_skills(
    who: Any,
    climb: int,
    swim: int,
    jump: int,
    balance: int,
    tumble: int,
    hide: int,
    spot: int,
    ride: int,
) -> None:
    """Fill in his skill modifiers; an untrained one is that of its ability."""
    who[OWN + CLIMBING] = climb
    who[OWN + SWIMMING] = swim
    who[OWN + JUMP] = jump
    who[OWN + BALANCE] = balance
    who[OWN + TUMBLE] = tumble
    who[OWN + HIDE] = hide
    who[OWN + SPOT] = spot
    who[OWN + RIDING] = ride


@rule
def set_speeds(who: Any, speed_ft: int, swim_ft: int, climb_ft: int, runs: bool) -> None:
    """Fill in what he gains by his movement rates.

    Parameters
    ----------
    who : array of int, shape (N_FIELDS,)
    speed_ft : int
        On land, in feet.
    swim_ft, climb_ft : int
        0: none of his own, the land speed counts.
    runs : bool
        Whether he has the Run feat.
    """
    who[RATE + FOOT] = rate_bonus(speed_ft) + (RUN_BONUS if runs else 0)
    who[RATE + SWIM] = rate_bonus(swim_ft if swim_ft > 0 else speed_ft)
    who[RATE + CLIMB] = rate_bonus(climb_ft if climb_ft > 0 else speed_ft)


@rule
def set_toughness(who: Any, endures: bool) -> None:
    """Fill in whether he has the Endurance feat."""
    who[TOUGHNESS] = ENDURANCE_BONUS if endures else 0


@rule
def set_mount(who: Any, strength: int, jump: int, speed_ft: int, ride: int) -> None:
    """Fill in a mount: a Strength score, a Jump modifier, a speed; `ride` is the rider's.

    A mount climbs and swims by its Strength.
    """
    modifier = ability_modifier(strength)
    for skill in range(N_SKILLS):
        who[MOUNTS + skill] = 0
    who[MOUNTS + STRENGTH] = modifier
    who[MOUNTS + CLIMBING] = modifier
    who[MOUNTS + SWIMMING] = modifier
    who[MOUNTS + JUMP] = jump
    who[MOUNTS + RIDING] = ride
    who[RATE + MOUNTED] = rate_bonus(speed_ft)


@rule
def set_effort(
    who: Any, pace: int, is_long: bool, constitution: int, mount_constitution: int, is_exempt: bool
) -> None:
    """Fill in a pace, and how long he and his mount last.

    Parameters
    ----------
    who : array of int, shape (N_FIELDS,)
    pace : int
        PACING, STEADY or SPRINTING: added to the race's checks, and taken off the
        Constitution score of whoever does the running.
    is_long : bool
        Whether anybody tires in this race.
    constitution, mount_constitution : int
        Scores.
    is_exempt : bool
        A mount that never tires: undead or mechanical.
    """
    who[PACE] = pace
    who[SAFE] = max(0, constitution - pace) if is_long else NEVER_TIRES
    who[ENDURANCE] = ability_modifier(constitution - pace)
    tires = is_long and not is_exempt
    who[MOUNT_SAFE] = max(0, mount_constitution - pace) if tires else NEVER_TIRES
    who[MOUNT_ENDURANCE] = ability_modifier(mount_constitution - pace)


def entrant(sheet: Competitor, pace: int = STEADY, is_long: bool = False) -> NDArray[np.int64]:
    """Somebody's modifiers in a race, from his sheet.

    Parameters
    ----------
    sheet : Competitor
    pace : int
        PACING, STEADY or SPRINTING.
    is_long : bool
        Whether anybody tires in this race.

    Returns
    -------
    ndarray of int64, shape (N_FIELDS,)

    Examples
    --------
    >>> from ..patrons.competitor import Competitor
    >>> ann = entrant(Competitor("Ann", strength=14, feats=("Run",)))
    >>> check_modifier(ann, FOOT, STRENGTH), check_modifier(ann, MOUNTED, STRENGTH)
    (10, 15)
    """
    who = np.zeros(N_FIELDS, np.int64)
    scores = [getattr(sheet, SKILLS[i]) for i in (STRENGTH, DEXTERITY, CONSTITUTION, WISDOM)]
    set_abilities(who, *scores)
    set_skills(who, *(sheet.skill(name) for name in SKILLS[CLIMBING:]))
    set_speeds(who, sheet.speed_ft, sheet.swim_ft, sheet.climb_ft, sheet.has("Run"))
    set_toughness(who, sheet.has("Endurance"))
    ride = sheet.skill("ride")
    set_mount(who, sheet.mount_strength, sheet.mount_jump, sheet.mount_speed_ft, ride)
    lasts = sheet.constitution, sheet.mount_constitution, sheet.mount_is_exempt
    set_effort(who, pace, is_long, *lasts)
    return who


@rule
def check_modifier(who: Any, kind: int, skill: int) -> int:
    """The modifier of a check of the race, with speed and pace.

    The speed is the mount's on a mounted or driven leg, else that of swimming or
    climbing where that is the skill, else that of the leg.

    Parameters
    ----------
    who : array of int, shape (N_FIELDS,)
    kind : int
        Of the leg.
    skill : int
        Index in SKILLS.
    """
    if kind >= MOUNTED:
        return int(who[MOUNTS + skill] + who[RATE + MOUNTED] + who[PACE])
    mode = kind
    if skill == CLIMBING:
        mode = CLIMB
    elif skill == SWIMMING:
        mode = SWIM
    return int(who[OWN + skill] + who[RATE + mode] + who[PACE])


@rule
def skill_of(kind: int) -> int:
    """The check by which a kind of leg is raced."""
    if kind == SWIM:
        return SWIMMING
    return CLIMBING if kind == CLIMB else STRENGTH


@rule
def ride_bonus(result: int) -> int:
    """What a Ride check gives the mount.

    Examples
    --------
    >>> [ride_bonus(result) for result in (9, 10, 20, 29, 30, 45)]
    [0, 2, 4, 4, 6, 6]
    """
    return 2 * max(0, min(3, result // 10))
