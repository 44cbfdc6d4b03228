"""The suspicion network of a night as GEXF (Gephi) and GraphML (yEd, igraph, Cytoscape).

Both are written by networkx, which takes neither lists nor None for attributes: lists are
joined by semicolons, and what is missing is left out of its node.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from ..measures import reputations
from ..run_folder import RunFolder, RunFolderError

PERSON = (
    *("name", "ancestry", "sex", "trade", "rank", "home_tavern", "district"),
    *("temper", "gambler", "is_player", "is_cheat_kind", "has_weighted_dice"),
    *("thievery", "perception", "insight", "honesty", "feats", "wage_cp"),
    *("arrived_night", "gone_night"),
)
"""Columns of the table of patrons that a node has."""
BELIEF = ("belief", "log_odds", "n_own", "settled", "in_full")
"""Columns of the table of suspicion that an edge has."""
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

type Graph = nx.DiGraph[int]


def suspicion_graph(run: RunFolder, night: int | None = None) -> Graph:
    """Who believes what of whom, with what there is to know of the people.

    Parameters
    ----------
    run : RunFolder
        A finished run.
    night : int, optional
        One whose network is written down: every seventh, and the last (which is taken
        if none is named).

    Returns
    -------
    networkx.DiGraph
        A node for everybody who lived here as the night closed, by patron_id, and for the
        dead and the gone of whom somebody still believes something. Its attributes are the
        columns `PERSON` of the table of patrons and, as of that night: ``is_here``,
        ``gold_cp`` (left out where he is not), ``has_tried`` and ``is_cheat`` (by the
        truth), ``reputation`` (mean belief of those who hold one about him; left out where
        nobody does), ``notoriety`` (how many hold him for a cheat) and ``believers``.
        An edge from who believes to whom it is about, with the columns `BELIEF` of the
        table of suspicion, and ``weight``, which is the belief (0 to 1).

    Raises
    ------
    RunFolderError
        If the network of that night was not written down, or a table is damaged.
    """
    edges = run.table("suspicion")
    last = int(run.info["nights"])
    asked = last if night is None else night
    _verify_recorded(run, edges["night"], asked)
    edges = edges[edges["night"] == asked]
    graph: Graph = nx.DiGraph(
        name=f"{run.info['scenario']}, seed {run.info['seed']}, night {asked}"
    )
    for node in _nodes(run, edges, asked).apply(_shortest).to_dict("records"):
        graph.add_node(int(node["patron_id"]), **_plain(node))
    pairs = edges[["observer_id", "subject_id"]].to_numpy().tolist()
    beliefs = edges[[name for name in BELIEF if name in edges]].apply(_shortest).to_dict("records")
    for (observer, subject), belief in zip(pairs, beliefs, strict=True):
        said = _plain(belief)
        graph.add_edge(observer, subject, **said, weight=said["belief"])
    return graph


def _verify_recorded(run: RunFolder, nights: pd.Series[Any], asked: int) -> None:
    """Refuse a night of which no network is there, and say which there are."""
    there = sorted({*nights.unique().tolist(), int(run.info["nights"])})
    if asked in there:
        return
    known = ", ".join(map(str, there))
    text = f"no network of night {asked} was written down (there are those of {known})"
    raise RunFolderError(run.path / "suspicion.parquet", text)


def _nodes(run: RunFolder, edges: pd.DataFrame, night: int) -> pd.DataFrame:
    """Everybody who lived here as the night closed or is in its network, as he was then."""
    patrons = run.table("patrons")
    wealth = run.table("wealth", filters=[("night", "==", night)])
    gold = wealth.set_index("patron_id")["gold_cp"].astype(object)
    ids = patrons["patron_id"]
    here = patrons[ids.isin(gold.index) | ids.isin(edges["subject_id"])]
    node = here[["patron_id", *(name for name in PERSON if name in here)]].copy()
    node["is_here"] = here["patron_id"].isin(gold.index)
    node["gold_cp"] = here["patron_id"].map(gold)
    if "first_try_night" in here:
        node["has_tried"] = here["first_try_night"].fillna(night + 1) <= night
        node["is_cheat"] = node["has_tried"] & here["is_cheat_kind"]
    of_night = reputations(edges).reindex(here["patron_id"])
    node["reputation"] = of_night["reputation"].to_numpy()
    for name in ("notoriety", "believers"):
        node[name] = of_night[name].fillna(0).astype(int).to_numpy()
    return node


def _shortest(column: pd.Series[Any]) -> pd.Series[Any]:
    """Single floats as the shortest doubles that mean the same: 2.85, not 2.8499999046."""
    if column.dtype != np.float32:
        return column
    return pd.Series([float(str(each)) for each in column.to_numpy()], column.index)


def _plain(attributes: Mapping[Any, Any]) -> dict[str, Any]:
    """Attributes as both formats take them; what is missing is left out."""
    plain = {str(name): _value(value) for name, value in attributes.items()}
    return {name: value for name, value in plain.items() if value is not None}


def _value(value: Any) -> Any:
    """A value as a plain bool, int, float or text; None if there is none."""
    if isinstance(value, list | tuple | np.ndarray):
        return ";".join(map(str, value))
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return None
    plain = value.item() if isinstance(value, np.generic) else value
    return _NO_XML.sub("", plain) if isinstance(plain, str) else plain


def gexf(graph: Graph) -> bytes:
    """A graph in GEXF 1.2draft, which Gephi reads; the same bytes for the same graph."""
    shown: Graph = graph.copy()
    for _, node in shown.nodes(data=True):
        node["label"] = node.get("name", "")
    content = io.BytesIO()
    nx.write_gexf(shown, content, version="1.2draft")
    text = content.getvalue().decode()
    text = re.sub(r' lastmodifieddate="[^"]*"', "", text, count=1)  # the day of writing
    return re.sub(r"<creator>[^<]*</creator>", "<creator>tavern_abm</creator>", text).encode()


def graphml(graph: Graph) -> bytes:
    """A graph in GraphML; the same bytes for the same graph."""
    content = io.BytesIO()
    # The writer in plain Python: with lxml, where that is installed, the bytes would differ.
    nx.write_graphml_xml(graph, content)
    text = content.getvalue().decode()
    for key in re.findall(r'<key id="(\w+)"[^>]* attr\.type="boolean"', text):
        # XML's booleans are small: igraph and Gephi want them so.
        text = text.replace(f'<data key="{key}">True<', f'<data key="{key}">true<')
        text = text.replace(f'<data key="{key}">False<', f'<data key="{key}">false<')
    return text.encode()


NETWORKS: dict[str, Callable[[Graph], bytes]] = {"gexf": gexf, "graphml": graphml}
"""Formats by name; each turns a graph into a file."""


def files(run: RunFolder, format_: str, night: int | None = None) -> dict[str, bytes]:
    """The file of the export by its name, such as ``suspicion-night-30.gexf``."""
    asked = int(run.info["nights"]) if night is None else night
    return {f"suspicion-night-{asked}.{format_}": NETWORKS[format_](suspicion_graph(run, night))}
