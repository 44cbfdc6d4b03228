"""`Patron`, the Mesa agent: a view of one row of the columns."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

import mesa

from .columns import FEATS, SEXES, SHEET_COLUMNS

if TYPE_CHECKING:
    from ..model import TavernModel


def _column(name: str, doc: str) -> property:
    def read(self: Patron) -> Any:
        return getattr(self.model.people, name).item(self.row)

    def write(self: Patron, value: Any) -> None:
        getattr(self.model.people, name)[self.row] = value

    return property(read, write, doc=doc)


def _sheet_column(name: str) -> property:
    def read(self: Patron) -> Any:
        return getattr(self.model.sheet, name).item(self.row)

    def write(self: Patron, value: Any) -> None:
        getattr(self.model.sheet, name)[self.row] = value

    return property(read, write, doc=f"{name.capitalize()}, from the character sheet.")


def _whole(value: object) -> int:
    """Whole copper pieces; a truth value or a fraction is a slip."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"gold is whole copper pieces (got {value!r})") from None


class Patron(mesa.Agent):
    """Row ``unique_id - 1`` of the model's columns.

    What is written between nights holds from the next night on. `gold` is
    booked in the ledger as an intervention. Inside a night the columns are the
    kernels' own: a view shows the morning.

    The character sheet's columns (strength ... charisma, skills, traits) are
    attributes too.
    """

    model: TavernModel

    def __init__(self, model: TavernModel, row: int) -> None:
        self.row = row
        super().__init__(model)

    is_cheat = _column("is_cheat", "1 for one of the cheating kind (the truth).")
    is_player = _column("is_player", "1 for a player's character.")
    propensity = _column("propensity", "Pinned chance of a try at a throw; -1 where it is not.")
    thievery = _column("thievery", "Modifier.")
    perception = _column("perception", "Modifier.")
    threshold = _column("threshold", "Log-odds above which he accuses.")
    rationality = _column("rationality", "Precision of his choice of bets.")
    wage = _column("wage", "Copper pieces a day.")
    tries = _column("tries", "Tries at a trick so far.")
    hands = _column("hands", "Rounds as the Hand so far.")
    games_net = _column("games_net", "Copper pieces won less lost at the tables.")
    beaten = _column("beaten", "Times he was beaten.")
    convicted = _column("convicted", "Times a table found him guilty.")
    accused = _column("accused", "Times he was accused.")
    bruised_until = _column("bruised_until", "Last night he stays at home, hurt.")
    banned_until = _column("banned_until", "Last night of his ban.")

    @property
    def gold(self) -> int:
        """His purse, in cp. Setting it books the difference as an intervention."""
        return int(self.model.people.gold.item(self.row))

    @gold.setter
    def gold(self, value: int) -> None:
        self.model.intervene(self.row, _whole(value) - self.gold)

    @property
    def name(self) -> str:
        """His full name."""
        return self.model.name_of(self.row)

    @property
    def trade(self) -> str:
        """What he lives by."""
        return self.model.trades[self.model.people.trade.item(self.row)]

    @property
    def ancestry(self) -> str:
        """His people."""
        return self.model.ancestries[self.model.sheet.ancestry.item(self.row)]

    @property
    def sex(self) -> str:
        """Female or male."""
        return SEXES[self.model.sheet.sex.item(self.row)]

    @property
    def feats(self) -> list[str]:
        """His feats by name."""
        bits = self.model.sheet.feats.item(self.row)
        return [feat for i, feat in enumerate(FEATS) if bits >> i & 1]

    def __repr__(self) -> str:
        """Name and id, for a reader of lists."""
        return f"<Patron {self.unique_id} {self.name}>"


for _name in SHEET_COLUMNS:
    if not hasattr(Patron, _name):
        setattr(Patron, _name, _sheet_column(_name))
