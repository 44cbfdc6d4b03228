"""Circles of people: communities of a network of beliefs."""

from __future__ import annotations

import networkx as nx
import pandas as pd

SEED = 7
"""Where Louvain's method begins, so that the same network has the same circles."""


def circles(edges: pd.DataFrame) -> dict[int, int]:
    """Part people into circles of shared suspicion.

    A circle is a community of the network taken as undirected, a tie as heavy as
    the beliefs in either direction: people who suspect each other, and those who
    suspect the same persons. Louvain's method from a fixed start.

    Parameters
    ----------
    edges : DataFrame
        ``observer_id``, ``subject_id``, ``belief``.

    Returns
    -------
    dict of int to int
        The number of everybody's circle, from 1, the largest.

    References
    ----------
    .. [1] V. D. Blondel, J.-L. Guillaume, R. Lambiotte and E. Lefebvre, "Fast
       unfolding of communities in large networks", Journal of Statistical
       Mechanics (2008) P10008.
    """
    found = nx.community.louvain_communities(ties(edges), seed=SEED)
    ordered = sorted(found, key=lambda circle: (-len(circle), min(circle)))
    return {each: number for number, circle in enumerate(ordered, 1) for each in sorted(circle)}


def ties(edges: pd.DataFrame) -> nx.Graph[int]:
    """The network as undirected; a tie weighs what is believed in both directions together."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(sorted({*edges["observer_id"].tolist(), *edges["subject_id"].tolist()}))
    columns = (edges[name].tolist() for name in ("observer_id", "subject_id", "belief"))
    for observer, subject, belief in zip(*columns, strict=True):
        before = graph.get_edge_data(observer, subject, {"weight": 0.0})["weight"]
        graph.add_edge(observer, subject, weight=before + belief)
    return graph


def modularity(edges: pd.DataFrame, circle: dict[int, int]) -> float:
    """By how much more suspicion stays within circles than it would by chance; nan for none."""
    if edges.empty:
        return float("nan")
    parts: dict[int, set[int]] = {}
    for each, number in circle.items():
        parts.setdefault(number, set()).add(each)
    return float(nx.community.modularity(ties(edges), parts.values()))
