"""What drink, weariness and wounds do to people in games of skill.

Damage heals by one point a level and night, as in the third edition. Nobody
here has hit points: as many wounds as one's Constitution score send one home
until some have healed.
"""

from __future__ import annotations

from ..compiled import rule
from ..patrons.columns import NOBODY, Row, SheetRow
from ..patrons.decisions.general import Minds

SOBER_MUGS = 2
MOST_DRUNK = 4
WEARINESS = 2
HURT_HAND = 2


@rule
def form(patron: Row, minds: Minds) -> int:
    """What is added to a check of skill or strength tonight: 0 or less.

    Each mug above two takes off `drink_penalty`, four mugs' worth at most; who
    is worn out has 2 less.
    """
    drunk = min(MOST_DRUNK, max(0, patron.drinks - SOBER_MUGS)) * minds.drink_penalty
    return -drunk - WEARINESS * patron.weary


@rule
def wound(patron: Row, sheet: SheetRow, points: int, night: int) -> bool:
    """Take damage; say whether it is so much that he has to go home.

    Then he stays there until his wounds are fewer than his Constitution score.
    """
    patron.wounds += points
    if patron.wounds < sheet.constitution:
        return False
    too_many = patron.wounds - sheet.constitution + 1
    nights = (too_many + sheet.level - 1) // sheet.level
    patron.bruised_until = max(patron.bruised_until, night + nights)
    patron.tavern = NOBODY
    return True


@rule
def mend(patron: Row, sheet: SheetRow) -> None:
    """A night's rest: a point of damage a level heals, and with the last the hand."""
    if patron.wounds > 0:
        patron.wounds = max(0, patron.wounds - sheet.level)
    if patron.wounds == 0:
        patron.hurt_hand = 0
