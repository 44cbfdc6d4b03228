"""The figures of a report page, each with a finding in words and a table of its numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from .. import analysis, coins
from ..circles import circles, modularity
from ..plots.fortunes import plot_fortunes
from ..plots.network import plot_network, truth
from ..plots.sentences import LOOKS, plot_sentences
from ..plots.theme import bar_names
from ..plots.tricks import plot_tricks
from ..plots.wealth import plot_wealth
from ..stories import percent, times
from .data import RunData
from .game_panels import games, livings
from .panel import Panel
from .talk_panels import rumor, talk
from .town_panels import districts, houses
from .truth_panels import accuracy, known, trials


def panels(data: RunData) -> list[Panel]:
    """All figures, in the order of the page."""
    about_games = [games(data), livings(data)] if data.has_games else []
    about_town = [
        *([houses(data)] if data.has_town else []),
        *([districts(data)] if data.has_town and len(data.district_sums) > 1 else []),
    ]
    about_talk = [talk(data), rumor(data)] if len(data.tellings) else []
    return [
        _wealth(data),
        *about_town,
        *about_games,
        _tricks(data),
        *([trials(data)] if len(data.trials) else []),
        _sentences(data),
        *([known(data)] if data.has_scores else []),
        *([accuracy(data)] if data.pairs["is_cheat"].nunique() == 2 else []),
        _network(data),
        *about_talk,
        _fortunes(data),
    ]


def _wealth(data: RunData) -> Panel:
    bands = data.bands
    finding = "No purse was recorded."
    if len(bands):
        first, last = bands.iloc[0], bands.iloc[-1]
        finding = (
            f"The median purse went from {coins.show(round(first['median']))} to "
            f"{coins.show(round(last['median']))}, the Gini coefficient from "
            f"{first['gini']:.2f} to {last['gini']:.2f}."
        )
    rows = [
        [
            int(row["night"]),
            *(coins.show(round(row[name])) for name in analysis.BANDS),
            f"{row['gini']:.3f}",
            int(row["people"]),
        ]
        for row in bands.to_dict("records")
    ]
    return Panel(
        "wealth",
        "Wealth",
        "Half of the people have less than the line. Half of them lie within the dark band "
        "and eight in ten within the light one. Below: how unequal purses are.",
        finding,
        plot_wealth(bands) if len(bands) else None,
        ["Night", "10 % have less than", "25 %", "Median", "75 %", "90 %", "Gini", "People"],
        rows,
    )


def _tricks(data: RunData) -> Panel:
    tricks = analysis.tricks_by_night(data.nights)
    tried, noticed, caught = (int(tricks[name].sum()) for name in analysis.TRICKS)
    finding = "Nobody tried to cheat."
    if tried:
        finding = (
            f"{times(tried, 'trick')} tried; {noticed:,} noticed ({percent(noticed / tried)}) "
            f"and {caught:,} caught in the act."
        )
    names = _bar_names(tricks, data)
    rows = [[name, *map(int, row)] for name, row in _zipped(names, tricks[[*analysis.TRICKS]])]
    return Panel(
        "tricks",
        "Cheating",
        "A trick is one try at turning a die. Bars stand inside each other: what was noticed "
        "is part of what was tried, and a second failed trick in a night is a catch.",
        finding,
        plot_tricks(tricks, data.n_nights) if tried else None,
        ["When", "Tried", "Noticed", "Caught in the act"],
        rows,
    )


def _bar_names(table: pd.DataFrame, data: RunData) -> list[str]:
    width = analysis.nights_per_bar(data.n_nights)
    return bar_names(table["night"].tolist(), width, data.n_nights)


def _zipped(names: list[str], table: pd.DataFrame) -> Iterable[tuple[str, list[Any]]]:
    return zip(names, table.to_numpy().tolist(), strict=True)


def _sentences(data: RunData) -> Panel:
    sentences = analysis.sentences_by_night(data.events, data.n_nights)
    rows = [
        [name, LOOKS[kind][0], "just" if is_just else "unjust", number]
        for name, (_, kind, is_just, number) in _zipped(_bar_names(sentences, data), sentences)
    ]
    return Panel(
        "sentences",
        "Beatings and other sentences",
        _sentences_caption(sentences),
        _sentences_finding(sentences),
        plot_sentences(sentences, data.n_nights) if len(sentences) else None,
        ["When", "Sentence", "Justice", "Number"],
        rows,
    )


def _sentences_finding(sentences: pd.DataFrame) -> str:
    is_luck = sentences["kind"] == "too_lucky"
    passed = sentences[~is_luck]
    finding = "Nobody was sentenced."
    if len(passed):
        unjust = int(passed.loc[~passed["is_just"], "number"].sum())
        kinds = passed.groupby("kind")["number"].sum().sort_values(ascending=False)
        usual = f"most often: {LOOKS[str(kinds.index[0])][0]}, {times(int(kinds.iloc[0]))}"
        total = times(int(passed["number"].sum()), "sentence")
        finding = f"{total}, {unjust:,} of them unjust; {usual}."
    if is_luck.any():
        lucky = times(int(sentences.loc[is_luck, "number"].sum()), "beating")
        finding += f" Also {lucky} for mere luck."
    return finding


def _sentences_caption(sentences: pd.DataFrame) -> str:
    caption = (
        "What became of those found guilty, by the custom of the house. Just means that the "
        "person had in truth cheated; the people at the table could not know."
    )
    if (sentences["kind"] == "too_lucky").any():
        caption += " Beaten for luck means for too many wins in a row, without any trial."
    return caption


def _network(data: RunData) -> Panel:
    nodes, edges = data.nodes, data.edges
    order = nodes.sort_values(["notoriety", "patron_id"], ascending=[False, True])
    finding = "In the end nobody suspects anybody."
    if len(edges):
        first = order.iloc[0]
        finding = (
            f"In the end there are {times(len(data.suspicions), 'suspicion')}. Most suspected: "
            f"{first['name']}, by {times(first['notoriety'], 'person', 'people')}; in truth: "
            f"{truth(first.to_dict())}."
        )
    circle = circles(edges)
    if len(edges):
        finding += f" {_circles_finding(data, circle)}"
    rows = [
        [
            row["name"],
            truth(row),
            row["notoriety"],
            _opinion(row["reputation"]),
            circle.get(row["patron_id"], "–"),
        ]
        for row in order.to_dict("records")
    ]
    return Panel(
        "network",
        "Who suspects whom",
        _network_caption(data),
        finding,
        plot_network(nodes, edges) if len(edges) else None,
        ["Name", "In truth", "Suspected by", "Mean belief of those with an opinion", "Circle"],
        rows,
    )


def _circles_finding(data: RunData, circle: dict[int, int]) -> str:
    n = len({*circle.values()})
    if n == 1:
        return "All of them fall into one circle."
    share = modularity(data.edges, circle)
    return f"They fall into {n} circles that suspect the same people (modularity {share:.2f})."


def _network_caption(data: RunData) -> str:
    caption = (
        "A line joins one who suspects with the one he suspects of cheating (belief above "
        "one half). The bigger the sign, the more people suspect that person; its shape tells "
        "the truth, which only you can see. A circle is a group within which there is more "
        "suspicion than chance would have it (Louvain's method)."
    )
    left_out = len(data.suspicions) - len(data.edges)
    if left_out:
        caption += (
            f" Drawn: the most suspected and those who are surest of it, {len(data.nodes)} people "
            f"with {len(data.edges):,} suspicions; {left_out:,} more are not."
        )
    return caption


def _opinion(reputation: Any) -> str:
    return "–" if pd.isna(reputation) else percent(float(reputation))


def _fortunes(data: RunData) -> Panel:
    chosen = analysis.fortunes(data.patrons)
    finding = "Nobody won or lost a coin."
    if len(chosen):
        ends = [chosen.iloc[0], chosen.iloc[-1]]
        finding = " ".join(_fortune(end["name"], int(end["games_net_cp"])) for end in ends)
    rows = [
        [row["name"], row["trade"], coins.show(row["games_net_cp"]), truth(row)]
        for row in chosen.to_dict("records")
    ]
    return Panel(
        "fortunes",
        "Winners and losers",
        "What the games alone brought, over all nights; ◆ marks a cheat.",
        finding,
        plot_fortunes(data.patrons) if len(chosen) else None,
        ["Name", "Trade", "Won or lost", "In truth"],
        rows,
    )


def _fortune(name: str, net_cp: int) -> str:
    return f"{name} {'won' if net_cp > 0 else 'lost'} {coins.show(abs(net_cp))}."
