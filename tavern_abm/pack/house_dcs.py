"""The DC of a trick in three editions: the chance of its coming off stays what it is."""

from __future__ import annotations

from collections.abc import Iterable

from ..checks import HARD_DC
from ..run_folder import RunFolder
from .conversion import dc_in, typical_thief

COLUMNS = (
    *("is_cheat_kind", "level", "strength", "dexterity", "wisdom", "charisma", "thievery"),
    *("spot", "perception", "insight", "bluff", "climb", "swim", "jump", "balance", "tumble"),
    "hide",
)


def dc_lines(run: RunFolder, taverns: Iterable[int]) -> list[str]:
    """For each DC against tricks of some taverns, what it is in each edition.

    Parameters
    ----------
    run : RunFolder
        The run.
    taverns : iterable of int
        Their ids.
    """
    people = run.table("patrons", COLUMNS).to_dict("records")
    typical = typical_thief({str(key): row[key] for key in row} for row in people)
    houses = run.scenario()["taverns"]
    wanted = sorted({int(houses[each - 1].get("thievery_dc", HARD_DC)) for each in taverns if each})
    if typical is None:
        return []
    return [
        "When one of them turns a die at your table, roll d20 plus his Sleight of Hand (3.5, 5e) "
        f"or Thievery (4e): {dc} or more in 3.5, {dc_in(dc, typical.in_35, typical.in_4th)} in 4e, "
        f"{dc_in(dc, typical.in_35, typical.in_5th)} in 5e, and nobody sees it."
        for dc in wanted
    ]
