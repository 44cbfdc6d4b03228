"""Motifs: what makes a situation out of a record.

Each is a function of what had happened (`Past`) and of who is where tonight
(`Evening`) that finds its situations; another one is a function and a line here,
and its words in ``data/cards/hooks.toml``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..evening import Evening
from .flight import chase, hiding, left_behind
from .grievances import bought, half_right, old_accuser, old_blows, term, wronged
from .money import closing, debt, ruin
from .mourning import mourned
from .past import Past
from .situation import Situation, Watch
from .stories import false_tale, one_hand, two_versions
from .table import marked, noose, one_slip, streak, trial

__all__ = ["MOTIFS", "Past", "Situation", "Watch"]

type Motif = Callable[[Past, Evening], Iterator[Situation]]

MOTIFS: dict[str, Motif] = {
    "chase": chase,
    "streak": streak,
    "noose": noose,
    "wronged": wronged,
    "mourned": mourned,
    "one_hand": one_hand,
    "false_tale": false_tale,
    "debt": debt,
    "left_behind": left_behind,
    "half_right": half_right,
    "two_versions": two_versions,
    "trial": trial,
    "marked": marked,
    "term": term,
    "hiding": hiding,
    "closing": closing,
    "bought": bought,
    "old_blows": old_blows,
    "old_accuser": old_accuser,
    "one_slip": one_slip,
    "ruin": ruin,
}
"""Every motif by name."""
