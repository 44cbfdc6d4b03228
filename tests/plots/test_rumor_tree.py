import pandas as pd

from tavern_abm.plots.rumor_tree import Tree, plot_rumor_trees

NODES = pd.DataFrame(
    {
        "person_id": [1, 2, 3, 4],
        "parent": [-1, 0, 1, 0],
        "night": [3, 3, 3, 5],
        "believed": [True, True, False, True],
        "y": [0.5, 0.0, 0.0, 1.0],
        "name": ["Alda", "<b>Bran</b>", "Cora", "Dorn"],
        "truth": ["true", "true", "false", "true"],
        "hover": ["a", "b", "c", "d"],
    }
)
STORY = Tree("Alda won", "What happened.", NODES)


def named(figure: object, name: str) -> object:
    return next(trace for trace in figure.data if trace.name == name)


def test_a_step_on_the_same_evening_goes_to_the_right() -> None:
    figure = plot_rumor_trees([STORY])
    assert list(named(figure, "true").x) == [2.55, 3.0, 5.0]
    assert list(named(figure, "false").x) == [3.3]


def test_lines_lead_from_teller_to_listener() -> None:
    lines = named(plot_rumor_trees([STORY]), "told")
    assert lines.x[:4] == (2.55, 2.55, 3.0, None)
    assert lines.y[:4] == (0.5, 0.0, 0.0, None)
    assert len(lines.x) == 4 * 3


def test_the_sign_is_the_truth_and_hollow_if_not_believed() -> None:
    figure = plot_rumor_trees([STORY])
    assert named(figure, "true").marker.symbol == ("circle",) * 3
    assert named(figure, "false").marker.symbol == ("triangle-up-open",)


def test_only_sources_are_named_and_names_are_escaped() -> None:
    figure = plot_rumor_trees([STORY, Tree("x", "y", NODES.assign(parent=-1))])
    first, second = (trace.text for trace in figure.data if trace.name == "sources")
    assert [text.strip() for text in first] == ["Alda"]
    assert "&lt;b&gt;Bran&lt;/b&gt;" in second[1]


def test_one_tree_is_shown_and_the_others_can_be_chosen() -> None:
    long = pd.concat([NODES] * 9, ignore_index=True)
    other = Tree("Another", "", long.assign(y=range(len(long)), parent=-1, night=30))
    figure = plot_rumor_trees([STORY, other])
    assert [each["title"] for each in figure.layout.meta["views"]] == ["Alda won", "Another"]
    assert {(trace.meta["view"], trace.visible) for trace in figure.data} == {(0, True), (1, False)}
    first, second = (each["layout"] for each in figure.layout.meta["views"])
    assert figure.layout.height == first["height"] < second["height"]
    assert first["xaxis.tickvals"] == [3, 4, 5]
    assert list(figure.layout.xaxis.tickvals) == [3, 4, 5]


def test_no_story() -> None:
    assert plot_rumor_trees([]).layout.annotations[0].text == "No story was told on."
