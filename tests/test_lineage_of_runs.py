"""Every rumour of a run can be followed back, and its truth found from the events alone."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from tavern_abm import TavernModel
from tests.society.test_truth import told_again

SETTINGS: dict[str, Any] = {
    "taverns.0.custom": "dockside",
    "population.share_of_cheats": 0.2,
    "talk.lie_prob": 1.0,
    "talk.mistake_prob": 0.1,
    "loans.dodge_prob": 0.6,
    "population.purse_days": 4.0,
}


@pytest.fixture(scope="module")
def run() -> dict[str, pd.DataFrame]:
    model = TavernModel("gossip-town", rng=6, **SETTINGS)
    model.run_for(20)
    return model.results()


def test_every_telling_is_of_a_rumour_and_every_story_has_one_beginning(
    run: dict[str, pd.DataFrame],
) -> None:
    rumors, tellings = run["rumors"], run["tellings"]
    assert rumors["rumor_id"].tolist() == list(range(1, len(rumors) + 1))
    for column in ("rumor_id", "told_rumor_id"):
        assert set(tellings[column]) <= set(rumors["rumor_id"])
    story = dict(zip(rumors["rumor_id"], rumors["story_id"], strict=True))
    assert all(story[one] == one for one in rumors["story_id"])
    child = rumors[rumors["parent_id"] > 0]
    assert (child["parent_id"].map(story) == child["story_id"]).all()
    assert (tellings["rumor_id"].map(story) == tellings["told_rumor_id"].map(story)).all()
    told = tellings.groupby("rumor_id").size()
    assert child["rumor_id"].isin(told.index).all()  # bent in a telling, which heard it so


def test_following_back_ends_at_a_witness_or_an_inventor(run: dict[str, pd.DataFrame]) -> None:
    rumors = {one.rumor_id: one for one in run["rumors"].itertuples()}
    tellings = {one.telling_id: one for one in run["tellings"].itertuples()}
    saw = witnesses(run["events"])
    n_ends = {"witness": 0, "inventor": 0}
    for telling in tellings.values():
        before = telling
        while before.told_from:
            earlier = tellings[before.told_from]
            assert earlier.listener_id == before.teller_id
            assert earlier.rumor_id == before.told_rumor_id
            assert earlier.believed
            assert not earlier.knew
            assert earlier.telling_id < before.telling_id
            assert earlier.night <= before.night
            before = earlier
        root = rumors[before.told_rumor_id]
        assert root.parent_id == 0
        if root.event_id:
            assert before.teller_id in saw[root.event_id]
            n_ends["witness"] += 1
        else:
            assert root.changed == "invented"
            assert before.teller_id == root.made_by
            n_ends["inventor"] += 1
    assert min(n_ends.values()) > 50


def witnesses(events: pd.DataFrame) -> dict[int, set[int]]:
    """Who was there when an event happened: those in it, and all who saw it."""
    return {
        event.event_id: {event.patron_id, event.other_id, *event.witnesses}
        for event in events.itertuples()
    }


def test_truth_is_what_the_events_say(run: dict[str, pd.DataFrame]) -> None:
    events = list(run["events"].itertuples(index=False))
    found = [told_again(rumor, events) for rumor in run["rumors"].itertuples()]
    assert run["rumors"]["truth"].tolist() == found
    assert set(found) == {"true", "partly true", "false", "wrong person"}
