"""The report page of a run: one HTML file that opens anywhere, without a network."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .. import folders, html_pages, stories
from ..plots.theme import game_title
from ..rumor_words import listed
from ..run_folder import RunFolder, read_run, reading
from .data import RunData
from .headlines import headlines
from .panels import panels

REPORT = "report.html"


def write_report(run_folder: Path) -> Path:
    """Write the report page of a finished run into its folder.

    The page is written aside and moved into place, so that a half-written one is
    never found. The same folder gives the same bytes.

    Parameters
    ----------
    run_folder : pathlib.Path
        A folder that `tavern run` wrote.

    Returns
    -------
    pathlib.Path
        The page, ``report.html`` in that folder.

    Raises
    ------
    RunFolderError
        If the folder holds no finished run, or a table of it is damaged.
    OSError
        If the page cannot be written.
    """
    run = read_run(run_folder)
    with reading(run):
        page = render(run)
    place = run.path / REPORT
    folders.put_file(place, page.encode())
    return place


def render(run: RunFolder) -> str:
    """Make the page of a run as text."""
    data = RunData(run)
    figures = panels(data)
    return (
        html_pages.environment()
        .get_template("report/page.html.j2")
        .render(
            info=run.info,
            house=_house(data.scenario, str(run.info["scenario"])),
            headlines=headlines(data),
            panels=figures,
            network_id="network",
            nights=stories.by_night(data.notable),
            groups=stories.GROUPS,
            n_told=len(data.notable),
            n_events=int((data.events["kind"] != "odd_throw").sum()),
            n_lives=len(data.told),
            n_people=len(data.patrons),
            figures=html_pages.embedded_figures(
                {p.id: p.figure for p in figures if p.figure is not None}
            ),
            people=html_pages.embedded(_people(data)),
            style=html_pages.part("report/page.css"),
            script=html_pages.part("figures.js", "report/page.js"),
            plotly=html_pages.plotly_js(),
        )
    )


def _house(scenario: dict[str, Any], name: str) -> dict[str, Any]:
    """Taverns, games and customs of the scenario of a name, in words."""
    taverns = scenario.get("taverns") or [{}]
    games = [
        what.get("game", "")
        for each in taverns
        for what in [*each.get("tables", []), *each.get("yard", [])]
    ]
    names = [str(each.get("name", "the tavern")) for each in taverns]
    return {
        "title": names[0] if len(names) == 1 else name,
        "taverns": _listed(names),
        "customs": _listed(str(each.get("custom", "unknown")) for each in taverns),
        "games": _listed(map(game_title, games)) or "dice",
    }


def _listed(words: Iterable[str], most: int = 4) -> str:
    """Name each word once: a, b and c."""
    distinct = list(dict.fromkeys(words))
    if len(distinct) > most:
        distinct = [*distinct[:most], f"{len(distinct) - most} more"]
    return listed(distinct)


def _people(data: RunData) -> dict[str, Any]:
    """The lives, and what they are told with: events, names, the network, the median purse."""
    told = stories.lives(data.patrons, data.told, data.wealth, data.events, data.suspicions)
    ids = {event for life in told for event in life["story"]}
    events = data.events[data.events["event_id"].isin(ids)]
    named = {each for life in told for side in ("by", "on") for each, _ in life[side]["top"]}
    names = data.patrons[data.patrons["patron_id"].isin(named)]
    first = data.nodes.sort_values(["notoriety", "patron_id"], ascending=[False, True])
    return {
        "lives": told,
        "names": dict(zip(names["patron_id"].tolist(), names["name"], strict=True)),
        "edges": data.edges[["observer_id", "subject_id"]].to_numpy().tolist(),
        "events": {
            int(row["event_id"]): [int(row["night"]), row["text"]]
            for row in events.to_dict("records")
        },
        "median": [data.bands["night"].tolist(), (data.bands["median"] / 100).tolist()],
        "first": int(first["patron_id"].iloc[0]) if len(first) else None,
    }
