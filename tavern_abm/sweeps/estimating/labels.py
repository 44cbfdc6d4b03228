"""Factors by the labels that a design gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from ..design import Design
from ..errors import SweepError
from .groups import path_named

type Labels = Mapping[str, tuple[str, ...]]
"""Paths by label."""


def labels_of(design: Design) -> dict[str, tuple[str, ...]]:
    """The labels that are more than the path, with the paths that vary under them."""
    return {
        each.label: each.paths for each in design.factors if each.label not in ("", *each.paths)
    }


def paths_named(name: str, paths: Sequence[str], labels: Labels) -> list[str]:
    """The parameters that are meant: by a label, a path, or the end of one.

    Raises
    ------
    SweepError
        If there is none, or there are several.

    Examples
    --------
    >>> mugs = {"a mug": ("taverns.0.mug_cp", "taverns.1.mug_cp")}
    >>> paths_named("a mug", [*mugs["a mug"], "minds.tau"], mugs)
    ['taverns.0.mug_cp', 'taverns.1.mug_cp']
    >>> paths_named("tau", [*mugs["a mug"], "minds.tau"], mugs)
    ['minds.tau']
    """
    if name in labels:
        return list(labels[name])
    try:
        return [path_named(name, paths)]
    except SweepError:
        path_named(name, [*paths, *labels])  # tells the nearest of all there are
        raise


def labelled(table: pd.DataFrame, labels: Labels) -> pd.DataFrame:
    """A table for print: parameters that vary alone go by their labels.

    A label that is called like another column, or has a dot in it, is not taken.

    Examples
    --------
    >>> table = pd.DataFrame({"minds.tau": [0.1], "n": [4]})
    >>> list(labelled(table, {"forgetting": ("minds.tau",)}).columns)
    ['forgetting', 'n']
    """
    taken = set(table.columns)
    heads = {
        paths[0]: label
        for label, paths in labels.items()
        if len(paths) == 1 and label not in taken and "." not in label
    }
    return table.rename(columns=heads)
