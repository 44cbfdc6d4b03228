import pandas as pd
import pytest

from tavern_abm.plots.known import plot_known

NAN = float("nan")


def table(**columns: list[float]) -> pd.DataFrame:
    shares = {"tpr": [0.2, 0.4], "fpr": [0.1, 0.1], "ppv": [0.5, 0.6]} | columns
    return pd.DataFrame(shares).assign(night=[1, 2], pairs=10)


def test_three_lines_apart_by_colour_dash_and_sign() -> None:
    figure = plot_known(table())
    assert [list(trace.y) for trace in figure.data] == [[0.2, 0.4], [0.5, 0.6], [0.1, 0.1]]
    for looks in ("color", "dash"):
        assert len({trace.line[looks] for trace in figure.data}) == 3
    assert len({trace.marker.symbol for trace in figure.data}) == 3


def test_what_is_undefined_is_not_drawn() -> None:
    figure = plot_known(table(ppv=[NAN, 0.5]))
    assert [list(trace.x) for trace in figure.data] == [[1, 2], [2], [1, 2]]


@pytest.mark.parametrize("nothing", [table().head(0), table().assign(pairs=0)])
def test_nobody_remembers_anything(nothing: pd.DataFrame) -> None:
    assert len(plot_known(nothing).data) == 0
