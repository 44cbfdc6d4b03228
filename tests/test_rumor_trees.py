"""Trees of rumours: who learned it from whom, and where each stands in the picture."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from tavern_abm.rumor_trees import family, most_told, origin, tree
from tests.fake_run import Fake, write_fake_run

RUMORS = pd.DataFrame(
    {
        "rumor_id": [1, 2, 3, 4],
        "story_id": [1, 1, 3, 4],
        "event_id": [9, 9, 0, 9],
        "made_night": [2, 3, 1, 2],
    }
)
# (telling, version heard, version told, teller, listener, night, knew, believed, told from)
TELLINGS = pd.DataFrame(
    [
        (1, 1, 1, 50, 60, 2, False, True, 0),
        (2, 1, 1, 51, 61, 2, False, False, 0),
        (3, 2, 1, 60, 62, 3, False, True, 1),
        (4, 2, 2, 62, 60, 3, True, False, 3),
        (5, 3, 3, 70, 71, 3, False, True, 0),
        (6, 2, 2, 62, 63, 4, False, False, 3),
        (7, 1, 1, 50, 64, 4, False, True, 0),
        (8, 4, 4, 51, 62, 4, False, True, 0),
    ],
    columns=[
        *("telling_id", "rumor_id", "told_rumor_id", "teller_id", "listener_id", "night"),
        *("knew", "believed", "told_from"),
    ],
)


def test_all_stories_of_one_event_go_back_to_it() -> None:
    assert origin(RUMORS).tolist() == [9, 9, -3, 9]
    assert most_told(RUMORS, TELLINGS, 5) == [9, -3]
    assert most_told(RUMORS, TELLINGS, 1) == [9]
    assert most_told(RUMORS.head(0), TELLINGS.head(0), 5) == []


def test_everybody_hangs_on_whoever_told_him_first() -> None:
    nodes = tree(*family(RUMORS, TELLINGS, 9))
    who = nodes["person_id"].tolist()
    told_by = [who[parent] if parent >= 0 else 0 for parent in nodes["parent"]]
    assert list(zip(who, told_by, strict=True)) == [
        (50, 0),
        (51, 0),
        (51, 0),
        (60, 50),
        (61, 51),
        (62, 60),
        (63, 62),
        (64, 50),
        (62, 51),
    ]
    assert nodes["rumor_id"].tolist() == [1, 1, 4, 1, 1, 2, 2, 1, 4]
    assert nodes["night"].tolist() == [2, 2, 2, 2, 2, 3, 4, 4, 4]
    assert nodes.loc[nodes["person_id"] == 61, "believed"].tolist() == [False]


def test_leaves_are_a_unit_apart_and_tellers_stand_amid_their_listeners() -> None:
    nodes = tree(*family(RUMORS, TELLINGS, 9))
    heights = nodes["y"].tolist()
    parents = nodes["parent"].tolist()
    leaves = sorted(y for row, y in enumerate(heights) if row not in parents)
    assert leaves == [0, 1, 3, 5]
    assert heights[0] == 0.5
    assert heights[parents.index(0)] == 0.0


def test_of_too_many_the_first_are_kept_with_those_who_told_them() -> None:
    nodes = tree(*family(RUMORS, TELLINGS, 9), most=5)
    assert nodes["person_id"].tolist() == [50, 51, 51, 60, 61]
    assert len(tree(*family(RUMORS, TELLINGS, 9), most=1)) == 3


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[pd.DataFrame, pd.DataFrame]:
    folder = write_fake_run(tmp_path_factory.mktemp("run"), Fake(patrons=80, nights=30))
    rumors, tellings = (
        pd.read_parquet(folder / f"{name}.parquet") for name in ("rumors", "tellings")
    )
    return rumors, tellings


def test_no_branches_cross(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    for root in most_told(*tables, 20):
        nodes = tree(*family(*tables, root))
        parents, heights = nodes["parent"].to_numpy(), nodes["y"].to_numpy()
        assert (parents < np.arange(len(nodes))).all()
        spans = [[y, y] for y in heights]
        for row in range(len(nodes) - 1, -1, -1):
            if parents[row] >= 0:
                above = spans[parents[row]]
                above[0] = min(above[0], spans[row][0])
                above[1] = max(above[1], spans[row][1])
        for teller in range(-1, len(nodes)):
            own = sorted(spans[row] for row in np.flatnonzero(parents == teller))
            assert all(a[1] < b[0] for a, b in pairwise(own))


def test_every_news_is_in_its_tree(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    rumors, tellings = tables
    roots = most_told(rumors, tellings, 10_000)
    drawn = sum((tree(*family(*tables, root))["parent"] >= 0).sum() for root in roots)
    assert drawn == (~tellings["knew"]).sum()
