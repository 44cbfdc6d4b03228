import numpy as np
import pandas as pd

from tavern_abm.plots.mobility import plot_mobility


def matrix(shares: np.ndarray) -> pd.DataFrame:
    fifths = range(1, 6)
    return pd.DataFrame(shares, index=pd.Index(fifths, name="start"), columns=fifths)


def test_rows_are_the_start_and_columns_the_end() -> None:
    shares = np.full((5, 5), 0.1)
    shares[0] = [0.7, 0.3, 0, 0, 0]
    figure = plot_mobility(matrix(shares))
    (heat,) = figure.data
    assert (heat.y[0], heat.x[1]) == ("poorest fifth", "second")
    assert heat.z[0][1] == 0.3
    assert heat.hovertext[0][1] == (
        "Of the poorest fifth at the start, 30% were in the second at the end"
    )
    assert figure.layout.xaxis.title.text == "At the end"
    numbers = {(each.y, each.x): each for each in figure.layout.annotations}
    assert numbers["poorest fifth", "second"].text == "30%"
    dark, light = numbers["poorest fifth", "poorest fifth"], numbers["middle", "middle"]
    assert (dark.font.color, light.font.color != "white") == ("white", True)


def test_a_row_of_nobody_stays_blank() -> None:
    shares = np.full((5, 5), 0.2)
    shares[2] = np.nan
    figure = plot_mobility(matrix(shares))
    assert list(figure.data[0].z[2]) == [None] * 5
    assert sum(each.text == "" for each in figure.layout.annotations) == 5


def test_nobody_was_here_both_times() -> None:
    figure = plot_mobility(matrix(np.full((5, 5), np.nan)))
    assert figure.layout.annotations[0].text.startswith("Too few people")
