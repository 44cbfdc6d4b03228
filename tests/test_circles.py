"""Circles of a network."""

import pandas as pd
import pytest

from tavern_abm.circles import circles, modularity, ties

EDGES = pd.DataFrame(
    {
        "observer_id": [2, 3, 1, 12, 13, 13, 3],
        "subject_id": [1, 2, 3, 11, 12, 11, 13],
        "belief": [0.9, 0.8, 0.9, 0.9, 0.8, 0.9, 0.6],
    }
)


def test_the_largest_circle_is_the_first() -> None:
    more = pd.concat([EDGES, pd.DataFrame([[14, 11, 0.9]], columns=EDGES.columns)])
    assert circles(EDGES) == {1: 1, 2: 1, 3: 1, 11: 2, 12: 2, 13: 2}
    assert circles(more) == {11: 1, 12: 1, 13: 1, 14: 1, 1: 2, 2: 2, 3: 2}
    assert circles(EDGES.iloc[::-1]) == circles(EDGES)


def test_suspicion_both_ways_is_one_heavier_tie() -> None:
    both = pd.DataFrame({"observer_id": [1, 2], "subject_id": [2, 1], "belief": [0.75, 0.5]})
    assert ties(both).edges[1, 2]["weight"] == 1.25


def test_modularity_by_its_definition() -> None:
    circle = circles(EDGES)
    weight = EDGES["belief"].sum()
    expected = 0.0
    for number in (1, 2):
        inside = EDGES[
            EDGES["observer_id"].map(circle).eq(number) & EDGES["subject_id"].map(circle).eq(number)
        ]["belief"].sum()
        ends = sum(
            EDGES.loc[EDGES[end].map(circle).eq(number), "belief"].sum()
            for end in ("observer_id", "subject_id")
        )
        expected += inside / weight - (ends / (2 * weight)) ** 2
    assert modularity(EDGES, circle) == pytest.approx(expected)


def test_no_network() -> None:
    assert circles(EDGES.head(0)) == {}
    assert modularity(EDGES.head(0), {}) != modularity(EDGES.head(0), {})
