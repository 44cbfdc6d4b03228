import numpy as np
import pandas as pd
import pytest

from tavern_abm.plots.accuracy import MOST_POINTS, plot_accuracy

PAIRS = pd.DataFrame(
    {"belief": [0.9, 0.85, 0.2, 0.1, 0.15], "is_cheat": [True, False, True, False, False]}
)
PEOPLE = pd.DataFrame(
    {"reputation": [0.8, 0.1, float("nan"), 0.3], "is_cheat": [True, False, False, True]}
)


def test_two_curves_and_what_became_of_beliefs() -> None:
    figure = plot_accuracy(PAIRS, PEOPLE)
    names, beliefs, guessing, perfect, bins = figure.data
    assert names.name == "the name people have: area 1.00"
    assert beliefs.name == "single beliefs: area 0.83"
    assert list(beliefs.y) == [0, 0.5, 0.5, 1, 1, 1]
    assert list(guessing.x) == list(perfect.y) == [0, 1]
    assert list(bins.x) == [0.125, 0.2, 0.85, 0.9]
    assert list(bins.y) == [0, 1, 0, 1]
    assert bins.hovertext[0] == "2 beliefs at 10% to 20%:<br>0.0% of them about a cheat"
    assert bins.marker.size[0] > bins.marker.size[1]


def test_on_a_phone_the_second_figure_is_below_the_first() -> None:
    meta = plot_accuracy(PAIRS, PEOPLE).layout.meta
    assert meta["narrow"].keys() == meta["wide"].keys()
    assert meta["narrow"]["yaxis2.domain"][1] < meta["narrow"]["yaxis.domain"][0]
    assert meta["wide"]["xaxis.domain"][1] < meta["wide"]["xaxis2.domain"][0]
    assert meta["narrow"]["height"] > meta["wide"]["height"] == 470


def test_a_long_curve_is_thinned_and_keeps_its_ends() -> None:
    rng = np.random.default_rng(1)
    pairs = pd.DataFrame({"belief": rng.random(5000), "is_cheat": rng.random(5000) < 0.3})
    curve = plot_accuracy(pairs, PEOPLE).data[1]
    assert len(curve.x) == MOST_POINTS
    assert (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1]) == (0, 0, 1, 1)


def test_nobody_has_a_name() -> None:
    nameless = PEOPLE.assign(reputation=float("nan"))
    assert plot_accuracy(PAIRS, nameless).data[0].name == "the name people have"


@pytest.mark.parametrize("pairs", [PAIRS.head(0), PAIRS.assign(is_cheat=True)])
def test_nothing_to_tell_apart(pairs: pd.DataFrame) -> None:
    assert len(plot_accuracy(pairs, PEOPLE).data) == 0
