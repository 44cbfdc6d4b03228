"""Estimates against their definitions, worked out the long way round."""

import pandas as pd
import pytest
from hypothesis import strategies as st

from tavern_abm import analysis

purses = st.lists(st.integers(0, 10_000), min_size=1, max_size=40)

BELIEFS = pd.DataFrame(
    {
        "night": [7, 7, 7, 3],
        "observer_id": [1, 2, 3, 1],
        "subject_id": [9, 9, 2, 2],
        "belief": [0.8, 0.3, 0.5, 0.9],
    }
)


def test_only_beliefs_above_one_half_are_suspicions() -> None:
    pairs = analysis.suspects(BELIEFS)
    assert pairs["belief"].tolist() == [0.9, 0.8]


def test_the_most_concerned_are_suspects_with_those_surest_of_it() -> None:
    edges = pd.DataFrame(
        {
            "observer_id": [1, 2, 3, 4, 5],
            "subject_id": [9, 9, 9, 8, 8],
            "belief": [0.6, 0.9, 0.8, 0.99, 0.7],
        }
    )
    assert analysis.most_concerned(edges, 99, accusers=2) == [9, 2, 3, 8, 4, 5, 1]
    assert analysis.most_concerned(edges, 4, accusers=2) == [9, 2, 3, 8]
    assert analysis.most_concerned(edges.head(0), 4) == []


@pytest.mark.parametrize("n_nights", [1, 45, 46, 365, 1000, 5000])
def test_a_chart_keeps_to_a_readable_number_of_bars(n_nights: int) -> None:
    assert 1 <= n_nights / analysis.nights_per_bar(n_nights) <= 90


def test_sentences_by_night() -> None:
    events = pd.DataFrame(
        {
            "night": [1, 1, 2, 3, 3],
            "kind": ["beaten", "beaten", "trick", "too_lucky", "killed"],
            "is_just": pd.array([True, False, None, None, True], dtype="boolean"),
        }
    )
    assert analysis.sentences_by_night(events, 3).to_numpy().tolist() == [
        [1, "beaten", False, 1],
        [1, "beaten", True, 1],
        [3, "killed", True, 1],
        [3, "too_lucky", False, 1],
    ]
    assert analysis.sentences_by_night(events, 70)["night"].tolist() == [1, 1, 1, 1]
    assert analysis.sentences_by_night(events.head(0), 3).empty


def test_tricks_are_summed_over_taverns_and_weeks() -> None:
    nights = pd.DataFrame(
        {
            "night": [1, 1, 8, 50],
            "tricks_tried": [1, 2, 3, 4],
            "tricks_noticed": [1, 0, 0, 2],
            "tricks_convicted": [0, 0, 0, 1],
        }
    )
    tricks = analysis.tricks_by_night(nights)
    assert tricks["night"].tolist() == [1, 8, 50]
    assert tricks["tricks_tried"].tolist() == [3, 3, 4]


GAMES = pd.DataFrame(
    {
        "night": [1, 1, 1, 8, 50],
        "tavern_id": [1, 2, 1, 1, 1],
        "game": ["race", "race", "magic-wand", "race", "chess"],
        "tables": [1, 1, 2, 1, 0],
        "rounds": [1, 1, 9, 1, 0],
        "staked_cp": [10, 20, 30, 40, 0],
        "changed_hands_cp": [5, 10, 15, 20, 0],
        "rake_cp": [1, 0, 0, 2, 0],
    }
)


def test_games_are_summed_over_taverns_and_weeks() -> None:
    assert analysis.games_by_night(GAMES, 10).to_numpy().tolist() == [
        ["magic-wand", 1, 9, 30, 0],
        ["race", 1, 2, 30, 1],
        ["race", 8, 1, 40, 2],
    ]
    assert analysis.games_by_night(GAMES, 100)["night"].tolist() == [1, 1, 8]
    assert analysis.games_by_night(GAMES.head(0), 10).empty


def test_the_game_with_most_at_stake_comes_first() -> None:
    sums = analysis.games_in_all(GAMES)
    assert sums["game"].tolist() == ["race", "magic-wand", "chess"]
    assert sums.iloc[0].tolist() == ["race", 3, 3, 70, 35, 3]


def test_a_living_is_a_days_wage_for_each_night_one_lived_here() -> None:
    patrons = pd.DataFrame(
        {
            "patron_id": [1, 2, 3, 4],
            "name": ["A", "B", "C", "D"],
            "trade": "smith",
            "wage_cp": [10, 10, 10, 0],
            "is_player": False,
            "is_cheat": False,
            "is_cheat_kind": False,
            "arrived_night": [0, 0, 15, 0],
            "gone_night": pd.array([None, 9, None, None], dtype="Int32"),
        }
    )
    players = pd.DataFrame(
        {
            "patron_id": [1, 2, 3, 1, 4],
            "game": ["race", "race", "race", "chess", "race"],
            "sittings": [5, 5, 5, 2, 1],
            "net_cp": [199, 90, 50, 200, 0],
        }
    )
    found = analysis.livings(players, patrons, 20)
    assert found["game"].tolist() == ["chess", "race", "race", "race", "race"]
    assert found["net_cp"].tolist() == [200, 199, 90, 50, 0]
    assert found["a_night_cp"].tolist() == [10.0, 9.95, 10.0, 10.0, 0.0]
    assert found["lives_by_it"].tolist() == [True, False, True, False, False]
    assert analysis.top_winners(found, 2)["net_cp"].tolist() == [200, 90, 199]
    assert analysis.top_winners(found, 9)["net_cp"].tolist() == [200, 90, 199, 50]


def test_fortunes_go_from_the_greatest_gain_to_the_greatest_loss() -> None:
    patrons = pd.DataFrame({"patron_id": [1, 2, 3, 4, 5], "games_net_cp": [0, -5, 30, -50, 30]})
    assert analysis.fortunes(patrons)["patron_id"].tolist() == [3, 5, 2, 4]
    assert analysis.fortunes(patrons, n=1)["patron_id"].tolist() == [3, 4]


def test_eventful_keeps_the_weightiest_and_of_equals_the_latest() -> None:
    events = pd.DataFrame(
        {"event_id": [1, 2, 3, 4], "kind": ["trick", "killed", "trick", "unheard of"]}
    )
    kept = analysis.eventful(events, {"killed": 9, "trick": 2}, 2)
    assert kept["event_id"].tolist() == [2, 3]


def test_wealth_bands() -> None:
    wealth = pd.DataFrame(
        {"night": [1, 0, 1, 0, 1], "patron_id": [1, 1, 2, 2, 3], "gold_cp": [0, 4, 10, 8, 20]}
    )
    bands = analysis.wealth_bands(wealth)
    assert bands["night"].tolist() == [0, 1]
    assert bands["median"].tolist() == [6, 10]
    assert bands["p25"].tolist() == [5, 5]
    assert bands["people"].tolist() == [2, 3]
    assert bands["gini"].tolist() == pytest.approx([1 / 6, 4 / 9])
    assert analysis.wealth_bands(wealth.head(0)).empty


# ---------------------------------------------------------------- trials and talk

TRIALS = pd.DataFrame(
    {
        "verdict": ["convicted", "cleared", "convicted", "caught", "cleared"],
        "is_cheat": [True, False, False, True, False],
        "judges": [[1, 2, 3], [4, 5], [6, 7], [8], [9, 10]],
        "beliefs": [[0.9, 0.5, None], [0.2, -1.0], [0.55, 0.55], [0.9], [None, None]],
    }
)


def test_judges_without_an_opinion_count_as_judges_alone() -> None:
    table = analysis.judged(TRIALS)
    assert table["n_judges"].tolist() == [3, 2, 2, 1, 2]
    assert table["judges_belief"].tolist() == pytest.approx(
        [0.7, 0.2, 0.55, 0.9, float("nan")], nan_ok=True
    )


def test_verdicts_by_what_was_believed() -> None:
    table = analysis.verdicts_by_belief(analysis.judged(TRIALS))
    assert table.to_numpy().tolist() == [
        [False, "cleared", 0.2, 0.3, 1],
        [False, "convicted", 0.5, 0.6, 1],
        [True, "convicted", 0.7, 0.8, 1],
    ]
    assert analysis.verdicts_by_belief(analysis.judged(TRIALS.head(0))).empty


def test_talk_is_summed_by_night_and_by_weeks() -> None:
    tellings = pd.DataFrame(
        {
            "night": [1, 1, 1, 8],
            "knew": [False, False, True, False],
            "believed": [True, False, False, True],
        }
    )
    assert analysis.talk_by_night(tellings, 8).to_numpy().tolist() == [[1, 3, 2, 1], [8, 1, 1, 1]]
    assert analysis.talk_by_night(tellings, 100)["night"].tolist() == [1, 8]
    assert analysis.talk_by_night(tellings.head(0), 8).empty
