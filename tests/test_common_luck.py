"""A mechanism that is switched off moves nobody else's luck."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from tavern_abm import TavernModel
from tavern_abm.results import rounds_table

AT = ["night", "round", "tavern_id", "table_id"]
ALL_ON: dict[str, Any] = {
    "taverns.0.tables": [{"game": "rotting-toes"}],
    "taverns.0.custom": "dockside",
    "bribes.bribe_prob": 0.3,
    "population.purse_days": 3.0,
    "loans.trust": 1.0,
    "minds.tau": 0.9,
    "population.share_of_cheats": 0.3,
    "suspicion.assumed_share": 0.3,
    "talk.lie_prob": 1.0,
}
OFF: dict[str, dict[str, Any]] = {
    "talk": {"talk.contacts": 0},
    "rumours": {"talk.rumors": 0},
    "lies": {"talk.lie_prob": 0.0},
    "loans": {"loans.lending": False},
    "flight": {"flight.runs": False},
    "bribes": {"bribes.bribe_prob": 0.0},
    "accusations": {"justice.accusations": False},
}


def rounds(nights: int, **settings: Any) -> pd.DataFrame:
    model = TavernModel("rusty-flagon", rng=11, patrons=60, **(ALL_ON | settings))
    model.record.keep_all = True
    model.run_for(nights)
    table = rounds_table(model)
    return table[table["game"] == "rotting-toes"].set_index(AT)


@pytest.fixture(scope="module")
def with_all() -> pd.DataFrame:
    return rounds(6)


@pytest.mark.parametrize("what", ["talk", "rumours", "lies"])
def test_the_first_night_is_the_same_with_and_without_talk(
    what: str, with_all: pd.DataFrame
) -> None:
    without = rounds(1, **OFF[what])
    first = with_all[with_all.index.get_level_values("night") == 1]
    pd.testing.assert_frame_equal(first, without, check_dtype=False)


@pytest.mark.parametrize("what", OFF)
def test_a_table_throws_the_same_dice(what: str, with_all: pd.DataFrame) -> None:
    """Who sits there may differ from then on; how its dice fall does not."""
    without = rounds(6, **OFF[what])
    both = with_all.join(without, how="inner", suffixes=("", "_off"))
    assert len(both) > 300
    # A trick that comes off ends a turn early: then one side has fewer throws.
    for one, other in zip(both["dice"], both["dice_off"], strict=True):
        assert one.startswith(other) or other.startswith(one)


@pytest.mark.parametrize("what", ["talk", "loans", "flight", "bribes", "accusations"])
def test_what_is_switched_off_was_at_work(what: str, with_all: pd.DataFrame) -> None:
    """Without it, other people sit where they would have sat."""
    assert not with_all["hand_id"].equals(rounds(6, **OFF[what])["hand_id"])
