import pandas as pd

from tavern_abm.plots.districts import plot_districts
from tavern_abm.plots.house_profits import plot_house_profits
from tavern_abm.plots.houses import (
    MOST_DISTRICTS,
    MOST_EACH,
    OTHER_DISTRICTS,
    a_night,
    plot_takings,
)
from tests.fake_economy import fake_books


def places(figure: object) -> dict[float, float]:
    """What each place has, over all traces."""
    return {y: x for trace in figure.data for x, y in zip(trace.x, trace.y, strict=True)}


def test_profits_from_the_greatest_down_coloured_by_district() -> None:
    houses = fake_books(n_houses=6).houses
    figure = plot_house_profits(houses)
    bars = places(figure)
    profits = sorted(houses["profit_per_night_cp"] / 10, reverse=True)
    assert [bars[i] for i in range(6)] == profits
    assert [trace.name for trace in figure.data] == ["castle", "harbour", "market"]
    assert len({trace.marker.color for trace in figure.data}) == 3
    assert len({trace.marker.pattern.shape for trace in figure.data}) == 3
    # The axis of places runs downwards.
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]


def test_each_bar_stands_beside_its_name() -> None:
    houses = fake_books(n_houses=3).houses
    figure = plot_house_profits(houses)
    names = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    best = houses.loc[houses["profit_per_night_cp"].idxmax(), "tavern"]
    assert names[0] == best.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def test_names_are_escaped_and_a_closed_house_is_marked() -> None:
    houses = fake_books().houses
    houses["closed_night"] = pd.array([9, pd.NA, pd.NA], dtype="Int64")
    figure = plot_house_profits(houses)
    assert "The &lt;b&gt;Bold&lt;/b&gt; &amp; Brave ×" in figure.layout.yaxis.ticktext
    told = [text for trace in figure.data for text in trace.hovertext]
    assert sum("closed on night 9" in text for text in told) == 1
    assert not any("<b>" in text for text in told)


def test_of_a_large_town_only_both_ends_are_drawn() -> None:
    houses = fake_books(n_houses=831, awkward=False).houses
    houses["profit_per_night_cp"] = [float(i) for i in range(831)]
    figure = plot_house_profits(houses)
    bars = places(figure)
    assert len(bars) == 2 * MOST_EACH
    assert (bars[0], bars[MOST_EACH - 1]) == (83.0, 81.6)
    assert (bars[MOST_EACH + 1], bars[2 * MOST_EACH]) == (1.4, 0.0)
    assert f"<i>… {831 - 2 * MOST_EACH} more …</i>" in figure.layout.yaxis.ticktext
    assert len(figure.data) == 3


def test_the_smallest_of_many_districts_share_a_look() -> None:
    houses = fake_books(n_houses=20).houses
    houses["district"] = [f"d{i % 10}" for i in range(20)]
    figure = plot_takings(houses)
    assert len(figure.data) == MOST_DISTRICTS + 1
    assert figure.data[-1].name == OTHER_DISTRICTS
    assert len(places(figure)) == 20


def test_a_single_district_too_many_keeps_its_name() -> None:
    houses = fake_books(n_houses=MOST_DISTRICTS + 1).houses
    houses["district"] = [f"d{i}" for i in range(MOST_DISTRICTS + 1)]
    figure = plot_takings(houses)
    assert [trace.name for trace in figure.data] == sorted(houses["district"])
    assert len({(t.marker.color, t.marker.pattern.shape) for t in figure.data}) == len(houses)


def test_takings_are_those_of_a_night_open() -> None:
    houses = fake_books().houses
    houses["nights_open"] = [10, 5, 0]
    houses["takings_cp"] = [1000, 1000, 0]
    assert a_night(houses).tolist() == [100, 200, 0]
    figure = plot_takings(houses)
    assert [places(figure)[i] for i in range(3)] == [20, 10, 0]
    assert figure.layout.xaxis.title.text == "Takings a night (sp)"


def test_one_district_needs_no_legend_and_no_house_no_bars() -> None:
    houses = fake_books().houses.assign(district="")
    assert plot_takings(houses).layout.showlegend is False
    assert plot_takings(houses.head(0)).layout.annotations[0].text == "There is no house."


def nights(*rows: tuple[int, str, int]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["night", "district", "takings_cp"])


def test_districts_stand_one_on_the_other_the_greatest_first() -> None:
    by_night = nights((1, "gate", 100), (1, "<market>", 500), (2, "gate", 300), (2, "gate", 50))
    figure = plot_districts(by_night, 2)
    assert [(trace.name, tuple(trace.y)) for trace in figure.data] == [
        ("&lt;market&gt;", (5.0,)),
        ("gate", (1.0, 3.5)),
    ]
    assert figure.data[1].hovertext == ("Night 1, gate: 1 gp", "Night 2, gate: 3 gp 5 sp")
    assert figure.layout.barmode == "stack"


def test_a_long_run_has_a_bar_for_each_week_and_keeps_every_coin() -> None:
    by_night = nights(*((night, f"d{night % 9}", 100) for night in range(1, 91)))
    figure = plot_districts(by_night, 90)
    assert len(figure.data) == MOST_DISTRICTS + 1
    assert sum(sum(trace.y) for trace in figure.data) == 90
    assert max(len(trace.y) for trace in figure.data) <= 13


def test_no_house_took_a_coin() -> None:
    figure = plot_districts(nights((1, "gate", 0)), 1)
    assert figure.layout.annotations[0].text == "No house took a coin."
