import numpy as np
import pandas as pd

from tavern_abm.measures import gini, lorenz
from tavern_abm.plots.lorenz import MOST_POINTS, plot_lorenz


def curves(**purses: list[int]) -> pd.DataFrame:
    parts = []
    for of, some in purses.items():
        people, money = lorenz(some)
        parts.append(pd.DataFrame({"of": of, "share_of_people": people, "share_of_wealth": money}))
    return pd.concat(parts)


def test_a_line_for_each_curve_and_one_of_equality() -> None:
    table = curves(start=[1, 1, 2], end=[0, 1, 3], losses=[1, 5])
    figure = plot_lorenz(table, {"start": 0.167, "end": 0.5, "losses": float("nan")})
    assert [trace.name for trace in figure.data] == [
        "all alike: Gini 0",
        "purses at the start: Gini 0.167",
        "purses at the end: Gini 0.500",
        "losses at the tables",
    ]
    assert list(figure.data[2].y) == [0, 0, 0.25, 1]
    assert len({trace.line.dash for trace in figure.data[1:]}) == 3
    assert figure.data[2].hovertext[2] == "purses at the end: the poorest 67% have 25.0%"
    assert figure.layout.xaxis.title.text == "The poorest of the people"


def test_a_long_curve_is_thinned_out_and_keeps_its_ends_and_its_gini() -> None:
    purses = np.random.default_rng(1).exponential(1000, 30_000).astype(int)
    (_, curve) = plot_lorenz(curves(end=purses.tolist()), {"end": gini(purses)}).data
    assert len(curve.x) == MOST_POINTS
    assert (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1]) == (0, 0, 1, 1)
    # The trapezia between the points that are left miss less than the width of the line.
    area = np.trapezoid(curve.y, curve.x)
    assert abs(1 - 2 * area - gini(purses)) < 1e-3


def test_nobody_is_left() -> None:
    nothing = curves(end=[1]).head(0)
    assert plot_lorenz(nothing, {}).layout.annotations[0].text == "Nobody was left to compare."
