"""The studies: what they estimate, what they play, and that they run."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pandas as pd
import pytest

STUDIES = Path(__file__).parents[1] / "studies"


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> ModuleType:
    monkeypatch.syspath_prepend(str(STUDIES))
    return importlib.import_module(request.param)


def with_study(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("study", [name], indirect=True)


# ---------------------------------------------------------------- what they share


@with_study("replicates")
def test_runs_of_a_point_come_in_the_order_of_replicates(study: ModuleType) -> None:
    runs = pd.DataFrame({"a": [1, 2, 1], "replicate": [5, 0, 3], "x": [0, 1, 2]})
    assert study.of(runs, a=1)["replicate"].tolist() == [3, 5]


@with_study("replicates")
def test_it_says_an_estimate_with_its_interval(study: ModuleType) -> None:
    assert f"{study.about(0.5, 0.1):.2f}" == "0.50 (0.40 to 0.60)"
    row = study.row({"a": 1}, {"x": study.about(0.5, 0.1)})
    assert row == {"a": 1, "x": 0.5, "x_half": pytest.approx(0.1)}


# ---------------------------------------------------------------- harsh justice


@with_study("harsh_justice")
def test_the_design_has_every_combination_once_and_its_controls(study: ModuleType) -> None:
    points = study.design()
    arms = pd.Series([point["arm"] for point in points]).value_counts()
    assert arms["as it comes"] == 4 * 3 * 2 * 3
    assert arms["prevalence held"] == 4 * 3 * 2
    assert arms["tries held"] == arms["both held"] == 4 * 2
    assert len({tuple(point.values()) for point in points}) == len(points)


@with_study("harsh_justice")
def test_a_point_sets_what_it_says(study: ModuleType) -> None:
    point = study._point("orc", 1.5, 3, 0.2, "both held")
    scenario = study.scenario_of(point)
    assert scenario.taverns[0].custom == "orc"
    assert scenario.suspicion.sore_loser == 1.5
    assert scenario.talk.contacts == 3
    assert scenario.population.newcomers_share_of_cheats == 0.2
    assert scenario.population.hold_prevalence
    assert not scenario.minds.tau_moves
    assert not scenario.flight.runs
    plain = study.scenario_of(point | {"arm": "as it comes"})
    assert not plain.population.hold_prevalence
    assert plain.minds.tau_moves


@with_study("harsh_justice")
def test_deeds_are_those_since_and_newcomers_count(study: ModuleType) -> None:
    kinds = [(n, np.int64) for n in ("hands", "games_net", "convicted", "is_cheat", "tries")]
    # A cheat convicted before and again; an honest man; a cheat who came since and was convicted
    # twice; one of the kind who never tried and was convicted.
    before = np.array([(10, 100, 1, 1, 3), (8, -100, 0, 0, 0)], kinds)
    after = np.array(
        [(15, 160, 2, 1, 4), (12, -130, 0, 0, 0), (3, -20, 2, 1, 1), (1, 0, 1, 1, 0)], kinds
    )
    assert study.deeds(after, before) == {
        "hands": 13.0,
        "cheats_hands": 9.0,
        "cheats_net_cp": 40.0,
        "people_convicted": 3.0,
        "cheats_convicted": 2.0,
    }


# ---------------------------------------------------------------- gossip


@with_study("gossip")
def test_delays_are_of_cheats_who_could_be_followed(study: ModuleType) -> None:
    # found after 3 nights; found at once; never; left unsuspected on the second night;
    # tried too late to be followed; of the kind and never tried; honest.
    people = SimpleNamespace(
        is_cheat=np.array([1, 1, 1, 1, 1, 1, 0]),
        first_try=np.array([5, 7, 9, 4, 55, 0, 0]),
        suspected=np.array([8, 7, 0, 0, 56, 0, 0]),
        gone=np.array([20, 0, 0, 6, 0, 0, 0]),
    )
    model = SimpleNamespace(people=people, n_rows=7)
    assert study.first_suspicions(model) == {
        "cheats": 3.0,
        "delay": 3.0 + 0.0 + 14.0,
        "at_once": 1.0,
        "found": 2.0,
    }


@with_study("gossip")
def test_what_talk_changes_is_taken_within_replicates(study: ModuleType) -> None:
    sums = {name for top, bottom, _ in study.OUTCOMES.values() for name in (top, bottom)}
    runs = pd.DataFrame(
        [
            {"town": town, "replicate": replicate}
            | {name: float(10 + replicate + (town != "silent")) for name in sums}
            | {"runs": 1.0}
            for replicate in range(4)
            for town in study.TOWNS
        ]
    )
    table = study.estimates(runs).set_index("outcome")
    assert table.loc["unjust_beatings", "change"] == pytest.approx(1.0)
    assert table.loc["unjust_beatings", "change_half"] == pytest.approx(0.0, abs=1e-9)
    assert table.loc["unjust_beatings", "lies"] == pytest.approx(0.0)
    assert len(study.lines(table.reset_index())) == 5 * len(study.OUTCOMES)
    assert len(study.figure(table).data[0].x) == len(study.OUTCOMES)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("study", "nights"), [("gossip", 20), ("harsh_justice", 26)], indirect=["study"]
)
def test_a_small_one_runs_to_its_end(
    study: ModuleType,
    nights: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(study, "NIGHTS", nights)
    study.main(["--replicates", "2", "--jobs", "1", "--out", str(tmp_path / "out")])
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "estimates.csv",
        "figure.html",
        "runs.csv",
    ]
    assert "change" in capsys.readouterr().out or study.__name__ == "harsh_justice"


@with_study("town_takings")
def test_a_towns_houses_are_ranked_by_its_own_books(
    study: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study, "POPULATION", 1_500)
    monkeypatch.setattr(study, "NIGHTS", 2)
    found = study.play({"arm": "founded anew"}, 0)
    assert set(found) == set(study.OUTCOMES)
    assert -1 <= found["quality"] <= 1
    assert 0 < found["gini"] < 1
    assert found["closed"] == 0
