"""What an evening costs in a house, and what the house costs: as said, or by its quality."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..coins import MOST_CP

if TYPE_CHECKING:
    from ..data_tables import DataTables
    from ..scenario.schema import Tavern


class Prices(NamedTuple):
    """What a house takes and owes, in cp; staff and upkeep by the night."""

    mug_cp: int
    seat_fee_cp: int
    staff_cp: int
    upkeep_cp: int
    till_cp: int  # on the first morning


def prices_of(tavern: Tavern, data: DataTables) -> Prices:
    """The prices of a tavern: its own where it names them, those of its band of quality else.

    Staff, upkeep and first till of a band are for a house of its size (`places`);
    one with a capacity has them in proportion to it.
    """
    band = next(each for each in data.qualities.values() if each.band == tavern.quality)
    size = 1.0 if tavern.capacity == "auto" else tavern.capacity / band.places
    by_band = Prices(
        band.mug_cp,
        band.seat_fee_cp,
        *(
            min(MOST_CP, round(sum_cp * size))
            for sum_cp in (band.staff_cp, band.upkeep_cp, band.till_cp)
        ),
    )
    named = {name: getattr(tavern, name) for name in Prices._fields}
    return by_band._replace(**{name: sum_ for name, sum_ in named.items() if sum_ != "auto"})
