"""A bout of arm wrestling of an evening: what people bring to it, and what it does to them."""

from __future__ import annotations

from .. import chance
from ..chance import roll
from ..checks import ability_modifier
from ..compiled import rule
from ..games import arm_wrestling as aw
from ..patrons.columns import FEATS, Ints
from .fitness import form, wound
from .seats import World

STYLE, HAND, SURFACE, TARGET, REST, INJURY_WEIGHS, MENTAL_DAMAGE = range(len(aw.OPTIONS))
"""Columns of `Tables.options`, in the order of the game's own."""
MENTAL = aw.STYLES.index("mental")
ENDURANCE = 1 << FEATS.index("Endurance")
TWO_WEAPON = 1 << FEATS.index("Two-Weapon Fighting")
DRAWS_PER_ROUND = 4


@rule
def hurts(options: Ints) -> int:
    """Say, by 1 or 0, whether the loser of a bout is hurt at a table with these options."""
    if options[STYLE] == MENTAL:
        return options[MENTAL_DAMAGE]
    return 1 if options[SURFACE] > 0 else 0


@rule
def bonus_of(world: World, options: Ints, row: int) -> int:
    """Somebody's Strength modifier, or in bouts of minds that of his Intelligence."""
    sheet = world.sheet[row]
    score = sheet.intelligence if options[STYLE] == MENTAL else sheet.strength
    return ability_modifier(score)


@rule
def arm_of(world: World, options: Ints, row: int) -> aw.Arm:
    """What somebody brings to a bout tonight: drink, weariness and a hurt hand included."""
    patron, sheet = world.people[row], world.sheet[row]
    pull = bonus_of(world, options, row) + form(patron, world.minds)
    if options[STYLE] == MENTAL:
        return aw.arm(pull, sheet.wisdom, 0)
    pull += aw.handicap(options[HAND], sheet.feats & TWO_WEAPON, 0)
    if options[INJURY_WEIGHS] == 1 and patron.hurt_hand == 1:
        pull += aw.INJURED
    return aw.arm(pull, sheet.constitution, sheet.feats & ENDURANCE)


@rule
def wrestle(key: int, a: aw.Arm, b: aw.Arm, target: int) -> aw.Bout:
    """A bout to its end, with the dice of `key`."""
    bout = aw.clasp()
    while bout.ended == aw.WRESTLING:
        at = DRAWS_PER_ROUND * bout.rounds
        natural_a = roll(key, chance.CONTEST, at, 20)
        natural_b = roll(key, chance.CONTEST, at + 1, 20)
        bout = aw.after_checks(bout, a, b, natural_a, natural_b)
        if bout.ended == aw.WRESTLING:
            natural_a = roll(key, chance.CONTEST, at + 2, 20)
            natural_b = roll(key, chance.CONTEST, at + 3, 20)
            bout = aw.after_round(bout, a, b, natural_a, natural_b, target)
    return bout


@rule
def tire(world: World, options: Ints, row: int, gave_out: int) -> None:
    """Who gave out is weary for tonight, unless the house lets him rest."""
    if gave_out == 1 and options[REST] == 0:
        world.people[row].weary = 1


@rule
def hurt(
    world: World, options: Ints, winner: int, loser: int, key: int, night: int
) -> tuple[int, int]:
    """Hurt the loser of a bout (a row, as is the winner); the damage, and 1 if he goes home."""
    suffered = aw.damage(roll(key, chance.DAMAGE, 0, 4), bonus_of(world, options, winner))
    if options[STYLE] != MENTAL:
        world.people[loser].hurt_hand = 1
    if wound(world.people[loser], world.sheet[loser], suffered, night):
        return suffered, 1
    return suffered, 0
