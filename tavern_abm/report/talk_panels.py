"""The figures of a report page about talk: how much was told, and who learned it from whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .. import analysis
from ..plots.rumor_tree import TRUTHS, Tree, plot_rumor_trees
from ..plots.talk import plot_talk
from ..plots.theme import bar_names, safe
from ..rumor_trees import family, most_told, tree
from ..rumor_words import claim_of
from ..stories import percent, times
from .data import RunData, pair_id
from .panel import MOST_ROWS, Panel

MOST_TREES = 8
"""Stories to choose from."""
LONGEST_TITLE = 90
TIES = {
    "kin": "kin",
    "trade": "of the same trade",
    "tavern": "of the same tavern",
    "chance": "an acquaintance",
    "met": "met over a mug",
}


def talk(data: RunData) -> Panel:
    """How much was told, night by night."""
    by_night = analysis.talk_by_night(data.tellings, data.n_nights)
    width = analysis.nights_per_bar(data.n_nights)
    names = bar_names(by_night["night"].tolist(), width, data.n_nights)
    numbers = by_night[["told", "news", "believed"]].to_numpy().tolist()
    return Panel(
        "talk",
        "Talk",
        "How often somebody told somebody a story. Bars stand inside each other: what is news to "
        "the listener is part of what is told, and only that can be believed or not. A teller "
        "whose listener knew it already tells that story no more." + _sampled(data),
        _talk_finding(data),
        plot_talk(by_night, data.n_nights),
        ["When", "Told", "News", "Believed"],
        [[name, *map(int, row)] for name, row in zip(names, numbers, strict=True)],
    )


def _sampled(data: RunData) -> str:
    """Which tellings are written down, where it is not all of them."""
    n = data.one_in("story")
    if n == 1:
        return ""
    return f" Of a town this big the tellings of one story in {n} are kept, and counted here."


def _talk_finding(data: RunData) -> str:
    rumors, tellings = data.rumors, data.tellings
    news = tellings[~tellings["knew"].astype(bool)]
    believed = float(news["believed"].mean()) if len(news) else 0.0
    text = (
        f"{times(rumors['story_id'].nunique(), 'story', 'stories')} in "
        f"{times(len(rumors), 'version')}, told {times(len(tellings))}. "
        f"{percent(len(news) / len(tellings))} of it was news to the listener, who believed "
        f"{percent(believed)} of that. {_how_true(rumors, tellings)}"
    )
    passed = int(data.nights["hearsay"].sum()) if "hearsay" in data.nights else 0
    return f"{text} Suspicions were passed on {times(passed)}." if passed else text


def _how_true(rumors: pd.DataFrame, tellings: pd.DataFrame) -> str:
    truth = dict(zip(rumors["rumor_id"].tolist(), rumors["truth"].tolist(), strict=True))
    shares = tellings["rumor_id"].map(truth).value_counts(normalize=True)
    words = {"wrong person": "about the wrong person"}
    parts = [
        f"{percent(float(shares[each]))} {words.get(each, each)}"
        for each in TRUTHS
        if each in shares.index
    ]
    return f"Of what was told, {' and '.join(filter(None, [', '.join(parts[:-1]), parts[-1]]))}."


def rumor(data: RunData) -> Panel:
    """The trees of the stories that went farthest, and a table of all."""
    roots = most_told(data.rumors, data.tellings, MOST_TREES)
    trees = [_tree(data, root) for root in roots]
    return Panel(
        "rumor",
        "Who told whom",
        "From left to right run the nights. On the left stand those who saw it, or the one who "
        "made it up; a line leads from each to those to whom it was news (again, if they had "
        "forgotten it). The sign says what the version heard is in truth; it is hollow where it "
        "was not believed, and then not told on. Point at a sign to read who told what to whom.",
        _rumor_finding(data, roots),
        plot_rumor_trees(trees) if trees else None,
        ["Story, as it began", "In truth", "Versions", "Told", "News to", "Believed by"],
        _story_rows(data),
        n_rows=data.rumors["story_id"].nunique(),
    )


def _rumor_finding(data: RunData, roots: list[int]) -> str:
    if not roots:
        return "No story was news to anybody."
    versions, tellings = family(data.rumors, data.tellings, roots[0])
    n = _listeners(tellings)
    return f"Farthest went this: {_claim(data, versions.iloc[0])}. {_reached(n)}."


def _listeners(tellings: pd.DataFrame) -> int:
    """How many people came to know of it by talk."""
    return int(tellings.loc[~tellings["knew"].astype(bool), "listener_id"].nunique())


def _reached(n: int) -> str:
    return f"{times(n, 'person', 'people')} came to know of it by talk"


def _tree(data: RunData, root: int) -> Tree:
    versions, tellings = family(data.rumors, data.tellings, root)
    nodes = tree(versions, tellings)
    claims = {row["rumor_id"]: _claim(data, row) for row in versions.to_dict("records")}
    truth = dict(zip(versions["rumor_id"].tolist(), versions["truth"].tolist(), strict=True))
    nodes = nodes.assign(
        name=[data.names.get(each, "?") for each in nodes["person_id"].tolist()],
        truth=nodes["rumor_id"].map(truth),
    )
    title = f"{claims[versions['rumor_id'].iloc[0]]} ({_listeners(tellings)} heard)"
    return Tree(
        title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…",
        _note(data, root, versions, tellings, nodes),
        nodes.assign(hover=_hovers(data, nodes, claims, is_made_up=root < 0)),
    )


def _note(
    data: RunData,
    root: int,
    versions: pd.DataFrame,
    tellings: pd.DataFrame,
    nodes: pd.DataFrame,
) -> str:
    """What happened, and how far word of it went."""
    told = times(len(tellings))
    news = tellings[~tellings["knew"].astype(bool)]
    believers = news.loc[news["believed"].astype(bool), "listener_id"].nunique()
    reach = (
        f"Told {told} in {times(len(versions), 'version')}; {_reached(_listeners(tellings))}, "
        f"and {believers:,} believed it."
    )
    n_drawn = int((nodes["parent"] >= 0).sum())
    if n_drawn < len(news):
        reach += f" Drawn are the first {n_drawn:,}."
    return f"{_origin(data, root, versions)} {reach}"


def _origin(data: RunData, root: int, versions: pd.DataFrame) -> str:
    if root < 0:
        first = versions.iloc[0]
        liar = data.names.get(int(first["made_by"]), "Somebody")
        return f"{liar} made it up on night {int(first['made_night'])}."
    event = data.events[data.events["event_id"] == root]
    if event.empty:
        return ""
    return f"What happened, on night {int(event['night'].iloc[0])}: {event['text'].iloc[0]}"


def _claim(data: RunData, row: Any) -> str:
    return claim_of(row, lambda who: data.names.get(who, "somebody"), data.houses)


def _hovers(
    data: RunData, nodes: pd.DataFrame, claims: dict[int, str], is_made_up: bool
) -> list[str]:
    rows = nodes.to_dict("records")
    texts = []
    for row in rows:
        source = rows[row["parent"]] if row["parent"] >= 0 else None
        texts.append(
            f"<b>{safe(row['name'])}</b>, night {int(row['night'])}<br>"
            f"{_how(data, row, source, is_made_up)}<br>“{safe(claims[row['rumor_id']])}”<br>"
            f"in truth: {row['truth']}"
        )
    return texts


def _how(
    data: RunData, row: dict[Any, Any], source: dict[Any, Any] | None, is_made_up: bool
) -> str:
    if source is None:
        return "made it up" if is_made_up else "was there"
    tie = data.ties.get(int(pair_id(row["person_id"], source["person_id"])))
    who = safe(source["name"]) + (f" ({TIES.get(tie, tie)})" if tie else "")
    bent = "" if row["rumor_id"] == source["rumor_id"] else ", bent"
    return f"told by {who}{bent}; {'believed it' if row['believed'] else 'did not believe it'}"


def _story_rows(data: RunData) -> list[list[Any]]:
    """The stories that most people came to know of, those first."""
    rumors, told = data.rumors, data.tellings
    story = rumors.set_index("rumor_id")["story_id"]
    is_news = ~told["knew"].astype(bool)
    some = (told, told[is_news], told[is_news & told["believed"].astype(bool)])
    counts = [each["rumor_id"].map(story).value_counts() for each in some]
    counts.insert(0, rumors["story_id"].value_counts())
    first = rumors.drop_duplicates("story_id")
    numbers = [first["story_id"].map(each).fillna(0).astype(int) for each in counts]
    order = np.lexsort((first["story_id"], -numbers[2]))[:MOST_ROWS]
    columns = [each.iloc[order].tolist() for each in numbers]
    rows = first.iloc[order].to_dict("records")
    return [
        [_claim(data, row), row["truth"], *each] for row, *each in zip(rows, *columns, strict=True)
    ]
