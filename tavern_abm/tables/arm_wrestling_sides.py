"""Who may wrestle at the table, and what each brings to a bout."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ..asking import ByName, Flag, Names, Option, RefusedError, Whole
from ..games import arm_wrestling as aw
from .backing import BACKERS, verify_backers
from .telling import AtTable, verify_purse

GAME = "arm-wrestling"
SPECTRAL = ("mage-hand", "bigbys-hand")

OPTIONS = (
    *aw.OPTIONS,
    Option("left_handed", Names(1, aw.MAX_SEATS), (), "Whose main hand is the others' off hand."),
    Option(
        "caster_levels", ByName(Whole(1, 40)), {}, "For spectral hands: 'Ann=5,Bo=3'; or a roster."
    ),
    Option("choosy", Flag(), False, "Who challenges and who holds the table may decline."),
    Option("onlookers_bet", Flag(), False, "Players who wait their turn bet as they like."),
    BACKERS,
)
"""What may be said about a game at the table."""


@dataclass(frozen=True)
class Side:
    """One of the two in a bout."""

    name: str
    arm: aw.Arm
    bonus: int  # to damage, if he wins
    weighs: tuple[str, ...]  # what weighs on him, in words


def verify_options(options: Mapping[str, Any], data: str | None = None) -> None:
    """Refuse options that make no sense together.

    Raises
    ------
    RefusedError
        Naming the option and the game.
    """
    if options["style"] != "arm":
        for name, plain in (("hand", "main"), ("surface", "table"), ("injury_weighs", False)):
            if options[name] != plain:
                problem = f"no hand lies on the table in {options['style']} bouts of {GAME}"
                raise RefusedError(f"{problem}; it goes with the style arm", name)
    if options["mental_damage"] and options["style"] != "mental":
        raise RefusedError(f"minds are hurt in mental bouts of {GAME} alone", "mental_damage")


def verify(table: AtTable) -> None:
    """Refuse what cannot be played, before anything is thrown.

    Raises
    ------
    RefusedError
        If somebody cannot take part: no stake, no caster level, nobody to back.
    """
    options = table.options
    verify_options(options)
    if options["style"] != "arm" and options["left_handed"]:
        problem = f"no hand lies on the table in {options['style']} bouts of {GAME}"
        raise RefusedError(f"{problem}; it goes with the style arm", "left_handed")
    if options["style"] not in SPECTRAL and options["caster_levels"]:
        problem = f"caster levels go with the styles {' and '.join(SPECTRAL)}"
        raise RefusedError(f"{problem}, not with {options['style']} ({GAME})", "caster_levels")
    _verify_names(table)
    verify_backers(table, table.players, GAME, "wrestle", may_wait=True)
    _verify_waiting(table)
    for name in table.players:
        verify_purse(table, name, GAME)
        if options["style"] in SPECTRAL and not caster_level(table, name):
            problem = f"{name} has no caster level: {options['style']} bouts of {GAME} are for"
            raise RefusedError(f"{problem} wizards and sorcerers", "caster_levels")


def _verify_waiting(table: AtTable) -> None:
    """Where only two are there, both wrestle in every bout, and neither can bet."""
    for name in table.options["backers"]:
        if name in table.players and len(table.players) == aw.MIN_SEATS:
            problem = f"of two who wrestle nobody looks on, and {name} cannot bet ({GAME})"
            raise RefusedError(problem, "backers")


def _verify_names(table: AtTable) -> None:
    known = ", ".join(table.players)
    for option in ("left_handed", "caster_levels"):
        for name in table.options[option]:
            if name not in table.players:
                raise RefusedError(f"nobody here is called '{name}'; there are {known}", option)


def caster_level(table: AtTable, name: str) -> int:
    """His caster level, from what was said at the table or from his sheet."""
    level = table.options["caster_levels"].get(name)
    return table.sheets[name].caster_level if level is None else int(level)


def side(
    table: AtTable, name: str, tired: Collection[str] = (), injured: Collection[str] = ()
) -> Side:
    """Somebody as he comes to a bout, with all that weighs on him.

    Parameters
    ----------
    tired, injured : collection of str
        Who failed a check and has not rested since; who has an injured hand.
    """
    sheet, options = table.sheets[name], table.options
    handicap, weighs = _handicap(table, name, name in tired, name in injured)
    endures = int(sheet.has("Endurance"))
    if options["style"] == "mental":
        pull = sheet.modifier("intelligence")
        mind = aw.arm(pull + handicap, sheet.wisdom, 0)
        return Side(name, mind, pull, weighs)
    is_spectral = options["style"] in SPECTRAL
    pull = caster_level(table, name) if is_spectral else sheet.modifier("strength")
    return Side(name, aw.arm(pull + handicap, sheet.constitution, endures), pull, weighs)


def _handicap(
    table: AtTable, name: str, is_tired: bool, is_injured: bool
) -> tuple[int, tuple[str, ...]]:
    options = table.options
    is_off = (options["hand"] == "off") != (name in options["left_handed"])
    two_weapon = table.sheets[name].has("Two-Weapon Fighting")
    handicap = aw.handicap(int(is_off), int(two_weapon), int(is_tired))
    weighs = ["tired"] if is_tired else []
    if is_off and not two_weapon:
        weighs.append("off hand")
    if options["injury_weighs"] and is_injured:
        handicap += aw.INJURED
        weighs.append("injured hand")
    return handicap, tuple(weighs)
