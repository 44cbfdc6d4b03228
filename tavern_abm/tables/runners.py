"""What somebody brings to a race or a chase tonight."""

from __future__ import annotations

from ..compiled import rule
from ..games import race_sheet
from ..patrons.columns import FEATS, Ints, Row, SheetRow
from ..patrons.decisions.general import Minds
from .fitness import HURT_HAND, form

RUN = 1 << FEATS.index("Run")


@rule
def fill_runner(patron: Row, sheet: SheetRow, minds: Minds, who: Ints) -> int:
    """Write his sheet down as it is tonight: with his drink, weariness and a hurt hand.

    Returns what drink and weariness take off each check: 0 or less.
    """
    off = form(patron, minds)
    race_sheet.set_abilities(who, sheet.strength, sheet.dexterity, sheet.constitution, sheet.wisdom)
    race_sheet.set_skills(
        who,
        sheet.climb - HURT_HAND * patron.hurt_hand,
        sheet.swim,
        sheet.jump,
        sheet.balance,
        sheet.tumble,
        sheet.hide,
        sheet.spot,
        sheet.ride,
    )
    for skill in range(race_sheet.N_SKILLS):
        who[race_sheet.OWN + skill] += off
    race_sheet.set_speeds(who, sheet.speed_ft, 0, 0, sheet.feats & RUN > 0)
    return off
