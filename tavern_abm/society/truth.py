"""Whether a rumour is true: worked out from the record of events, never thrown for.

A version is compared with what the events say of the one it names:

- **true**: it happened to him, on that night, in that house, with that sum;
- **partly true**: it happened to him, but on another night, in another house,
  or with another sum;
- **wrong person**: it did not happen to him; it happened to another, and the
  rumour sprang from that;
- **false**: none of these.

Only what had happened by the night on which the version came up counts: what
comes after makes it no truer.

That somebody *cheats* is true if he has tried a trick by the night it names:
whether or not he was seen, and whoever cleared him. Its place and night are
those of the event it sprang from, or of any try of his; an invention has no
event, so its place and night are right whatever they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

TRUE, PARTLY, FALSE, WRONG_PERSON = "true", "partly true", "false", "wrong person"
TRICKS = ("trick", "failed_trick", "weighted_dice", "dice_noticed")
"""Kinds of event that are a try at a trick by patron_id."""
KIND_OF = {
    "thrown_out": "thrown_out",
    "banned": "banned",
    "beaten": "beaten",
    "killed": "killed",
    "too_lucky": "too_lucky",
    "won": "big_win",
    "broke": "broke",
    "brawl": "brawl",
    "ran": "got_away",
    "run_down": "run_down",
    "owes": "dodged",
    "bribed": "bribed",
}
"""The kind of event that makes each claim true, but for ``cheats``."""
WITH_SUM = ("won", "owes", "bribed")
"""Claims that name a sum."""
NEVER = 2**31
"""A night after all others."""
BETWEEN_TWO = ("brawl",)
"""Claims that are as true of other_id as of patron_id."""


def label(rumors: pd.DataFrame, events: pd.DataFrame) -> pd.Series[str]:
    """The truth of each rumour, from the table of events alone.

    Parameters
    ----------
    rumors : DataFrame
        With ``event_id``, ``claim``, ``subject_id``, ``amount_cp``, ``night``,
        ``tavern_id`` (0 for a debt that was not paid in the morning) and
        ``made_night``.
    events : DataFrame
        The table of events of the same run.

    Returns
    -------
    Series of str, indexed like `rumors`
        ``true``, ``partly true``, ``false`` or ``wrong person``.
    """
    import pandas as pd

    labels = np.full(len(rumors), FALSE, dtype=object)
    for claim, at in rumors.groupby("claim").indices.items():
        some = rumors.iloc[at]
        if claim == "cheats":
            labels[at] = _about_cheating(some, events)
        else:
            labels[at] = _about_events(some, events, str(claim))
    return pd.Series(labels, index=rumors.index, name="truth")


def _about_events(some: pd.DataFrame, events: pd.DataFrame, claim: str) -> list[str]:
    """Rumours that something happened to somebody."""
    happened = _happened(events, claim)
    exact = set(map(tuple, happened[["patron_id", "night", "tavern_id", "sum"]].to_numpy()))
    first = happened.groupby("patron_id")["night"].min().to_dict()
    sums = some["amount_cp"] if claim in WITH_SUM else some["amount_cp"] * 0
    told = zip(some["subject_id"], some["night"], some["tavern_id"], sums, strict=True)
    labels = []
    made, springs = some["made_night"].tolist(), (some["event_id"] > 0).tolist()
    for one, by_then, has_source in zip(told, made, springs, strict=True):
        if one in exact and one[1] <= by_then:
            labels.append(TRUE)
        elif first.get(one[0], NEVER) <= by_then:
            labels.append(PARTLY)
        else:
            labels.append(WRONG_PERSON if has_source else FALSE)
    return labels


def _happened(events: pd.DataFrame, claim: str) -> pd.DataFrame:
    """The events that make a claim true, with their ``sum`` where it is told."""
    import pandas as pd

    of = events.loc[events["kind"] == KIND_OF[claim]]
    if claim in BETWEEN_TWO:
        of = pd.concat([of, of.assign(patron_id=of["other_id"])])
    return of.assign(sum=of["amount_cp"] if claim in WITH_SUM else 0)


def _about_cheating(some: pd.DataFrame, events: pd.DataFrame) -> list[str]:
    """Rumours that somebody cheats."""
    tries = events.loc[events["kind"].isin(TRICKS)]
    first = tries.groupby("patron_id")["night"].min().to_dict()
    where = set(map(tuple, tries[["patron_id", "night", "tavern_id"]].to_numpy()))
    source = events.set_index("event_id")[["patron_id", "night", "tavern_id"]]
    source = source.reindex(some["event_id"]).fillna(0).astype(np.int64)
    labels = []
    told = zip(some["subject_id"], some["night"], some["tavern_id"], strict=True)
    sources, made = source.itertuples(index=False, name=None), some["made_night"].tolist()
    for one, by_then, (meant, at, house) in zip(told, made, sources, strict=True):
        subject, night, tavern = one
        if first.get(subject, NEVER) > by_then:
            is_mixed_up = meant not in (0, subject) and first.get(meant, NEVER) <= by_then
            labels.append(WRONG_PERSON if is_mixed_up else FALSE)
            continue
        is_placed = meant == 0 or (night, tavern) == (at, house) or one in where
        labels.append(TRUE if first[subject] <= night and is_placed else PARTLY)
    return labels
