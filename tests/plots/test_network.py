import pandas as pd
import pytest

from tavern_abm.plots.network import TRUTHS, VIEWS, layout, plot_network

PEOPLE = pd.DataFrame(
    {
        "patron_id": [1, 2, 3, 4],
        "name": ["Alda", "<i>Bran</i>", "Cora", "Dorn"],
        "is_cheat_kind": [False, True, True, False],
        "is_cheat": [False, True, False, False],
        "is_player": [False, False, False, True],
        "notoriety": [0, 3, 1, 0],
        "reputation": [0.2, 0.8, 0.7, float("nan")],
    }
)
EDGES = pd.DataFrame(
    {
        "observer_id": [1, 3, 4, 1, 2],
        "subject_id": [2, 2, 2, 3, 1],
        "belief": [0.99, 0.8, 0.6, 0.7, 0.2],
    }
)


def named(figure: object, name: str) -> object:
    return next(trace for trace in figure.data if trace.name == name)


def test_lines_are_classed_by_belief_and_weak_beliefs_are_not_drawn() -> None:
    figure = plot_network(PEOPLE, EDGES)
    drawn = {name: len(named(figure, name).x) // 3 for name in LINE_NAMES}
    assert drawn == {"suspects": 2, "is fairly sure": 1, "is certain": 1}
    assert len({named(figure, name).line.dash for name in LINE_NAMES}) == 3


LINE_NAMES = ("suspects", "is fairly sure", "is certain")


def test_signs_tell_the_truth_by_shape_as_well_as_by_colour() -> None:
    figure = plot_network(PEOPLE, EDGES)
    ids = {name: named(figure, name).customdata for name in TRUTHS}
    assert ids == {
        "honest": (1,),
        "a cheat": (2,),
        "would cheat, never tried": (3,),
        "a player": (4,),
    }
    assert len({named(figure, name).marker.symbol for name in TRUTHS}) == 4
    assert all(named(figure, name).showlegend for name in TRUTHS)


def test_the_more_suspected_the_bigger() -> None:
    figure = plot_network(PEOPLE, EDGES)
    (cheat,), (honest,) = (named(figure, name).marker.size for name in ("a cheat", "honest"))
    assert cheat > honest


def test_names_are_escaped() -> None:
    figure = plot_network(PEOPLE, EDGES)
    assert "&lt;i&gt;Bran&lt;/i&gt;" in named(figure, "a cheat").hovertext[0]
    assert "&lt;i&gt;Bran&lt;/i&gt;" in named(figure, "names").text
    assert named(figure, "names on a phone").visible is False


def test_only_the_suspected_are_named() -> None:
    figure = plot_network(PEOPLE, EDGES)
    assert {"Alda", "Dorn"}.isdisjoint(named(figure, "names").text)


def test_the_layout_is_the_same_every_time_and_within_bounds() -> None:
    ids = PEOPLE["patron_id"].tolist()
    place = layout(ids, EDGES)
    assert place == layout(ids, EDGES)
    assert len(set(place.values())) == len(ids)
    assert all(abs(x) <= 1 and abs(y) <= 1 for x, y in place.values())
    assert plot_network(PEOPLE, EDGES) == plot_network(PEOPLE.iloc[::-1], EDGES)


def test_one_alone_is_in_the_middle() -> None:
    assert layout([5], EDGES.head(0)) == {5: (0.0, 0.0)}


@pytest.mark.parametrize("edges", [EDGES.head(0), EDGES.tail(1)])
def test_no_suspicion(edges: pd.DataFrame) -> None:
    figure = plot_network(PEOPLE, edges)
    assert len(figure.data) == 0
    assert figure.layout.annotations[0].text == "Nobody suspects anybody."


# ---------------------------------------------------------------- what colours can show

GANGS = pd.DataFrame(
    {
        "observer_id": [2, 3, 4, 12, 13, 14, 21],
        "subject_id": [1, 1, 1, 11, 11, 11, 22],
        "belief": 0.9,
    }
)
MANY = pd.DataFrame({"patron_id": [1, 2, 3, 4, 11, 12, 13, 14, 21, 22]}).assign(
    name="Alda", is_cheat_kind=False, is_player=False, notoriety=1, reputation=0.4
)
MANY["is_cheat"] = MANY["patron_id"].isin([1, 22])


def of_view(figure: object, view: int) -> list[object]:
    return [trace for trace in figure.data if trace.meta and trace.meta["view"] == view]


def test_a_figure_says_what_its_colours_can_show() -> None:
    figure = plot_network(PEOPLE, EDGES)
    assert [each["title"] for each in figure.layout.meta["views"]] == list(VIEWS)
    for view in range(3):
        traces = of_view(figure, view)
        assert {trace.visible for trace in traces} == {view == 0}
        assert sorted(each for trace in traces for each in trace.customdata) == [1, 2, 3, 4]


def test_circles_have_a_colour_each_and_the_smallest_share_one() -> None:
    traces = of_view(plot_network(MANY, GANGS), 1)
    assert [trace.name for trace in traces] == ["circle 1", "circle 2", "smaller circles"]
    assert [set(trace.customdata) for trace in traces] == [{1, 2, 3, 4}, {11, 12, 13, 14}, {21, 22}]
    assert len({trace.marker.color for trace in traces}) == 3
    shapes = dict(zip(traces[0].customdata, traces[0].marker.symbol, strict=True))
    assert (shapes[1], shapes[2]) == ("diamond", "circle")


def test_a_name_is_a_shade_and_nobody_without_one_is_lost() -> None:
    (trace,) = of_view(plot_network(PEOPLE, EDGES), 2)
    shades = dict(zip(trace.customdata, trace.marker.color, strict=True))
    assert shades == {1: 0.2, 2: 0.8, 3: 0.7, 4: 0.0}
    assert (trace.marker.cmin, trace.marker.cmax) == (0, 1)
    assert "mean belief –" in trace.hovertext[list(trace.customdata).index(4)]
