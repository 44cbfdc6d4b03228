"""Who sits at a Magic Wand table, and how a game stands: what the telling keeps in mind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..chance import CHOICE, roll, run_key, subkey
from ..chance import PLAY as AT_PLAY
from ..coins import clockwise
from ..games import betting as bt
from ..games import magic_wand as mw
from ..patrons.decisions import magic_wand as minds
from .telling import AtTable, Told


@dataclass
class Night:
    """What carries over from game to game."""

    table: AtTable
    present: list[str]
    net_cp: dict[str, int]
    button: str = ""
    house_cp: int = 0
    failed: dict[str, int] = field(default_factory=dict)
    said: int = 0  # wordings picked so far
    last: dict[tuple[str, ...], str] = field(default_factory=dict)  # said of each wordings

    def option(self, name: str) -> Any:
        """How the house plays it."""
        return self.table.options[name]

    def pick(self, told: Sequence[str]) -> str:
        """One of some wordings by the seed, and not the one before."""
        self.said += 1
        key, of = subkey(run_key(self.table.seed), AT_PLAY, 2), tuple(told)
        fresh = [each for each in of if each != self.last.get(of)] or of
        self.last[of] = fresh[roll(key, CHOICE, self.said, len(fresh)) - 1]
        return self.last[of]

    @property
    def is_screened(self) -> bool:
        """Whether those who play read along, so that what is hidden stays unsaid."""
        screen, deciders = self.option("screen"), self.table.deciders
        if screen is None:
            return any(deciders.is_asked(name) for name in self.table.players)
        return bool(screen == "players")

    def for_the_master(self, text: str) -> str:
        """What only the game master may read; empty where the players read along."""
        return "" if self.is_screened else text

    def purse_cp(self, name: str) -> int | None:
        """What somebody has now; None: as much as is needed."""
        purse = self.table.purses.get(name)
        return None if purse is None else purse + self.net_cp[name]


@dataclass
class Game:
    """One game: seats are places in `names`."""

    night: Night
    number: int
    names: list[str]
    button: int
    chips: bt.Chips
    limits: bt.Limits
    dice: list[list[int]]  # own dice, hidden ones among them; 0: not thrown
    n_open: int = 0  # dice of each seat that all have seen
    has_done_betting: bool = False  # and it has been said

    def told(self, kind: str, text: str, facts: dict[str, Any], joins: bool = False) -> Told:
        """A record of this game."""
        return Told(kind, text, facts, self.number, joins, self.lifts())

    def lifts(self) -> dict[str, Any]:
        """What describes the whole game."""
        return {"button": self.names[self.button], "pot_cp": bt.pot(self.chips)}

    def left(self) -> list[int]:
        """Seats that have not folded, clockwise from the button."""
        n_seats = len(self.names)
        seats = [clockwise(self.button, step, n_seats) for step in range(n_seats)]
        return [seat for seat in seats if self.chips.status[seat] != bt.FOLDED]

    def open_keys(self) -> list[int]:
        """Everybody's open dice, as `patrons.decisions.magic_wand` has them."""
        return [minds.hand_key(*padded(self.open_dice(seat))) for seat in self.seats()]

    def open_dice(self, seat: int) -> list[int]:
        """A seat's dice that all have seen."""
        return self.dice[seat][: self.n_open]

    def seats(self) -> range:
        """Every seat, folded or not."""
        return range(len(self.names))


def padded(dice: Sequence[int]) -> list[int]:
    """A hand with 0 for what is not thrown yet, or not seen."""
    return [*dice, *[0] * (mw.N_DICE - len(dice))]
