"""What happened to whom, in sentences: the notable events and the lives of people.

Everything comes from the tables of a run and is returned as plain data (dicts,
lists, text), ready for a page or for JSON.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from . import analysis, coins

# How notable an event of each kind is, when there is not room for all.
WEIGHTS = {
    "killed": 100,
    "died": 95,
    "closed": 90,
    "beaten": 80,
    "too_lucky": 80,
    "caught": 70,
    "got_away": 70,
    "run_down": 70,
    "bribed": 65,
    "brawl": 65,
    "banned": 60,
    "ran": 60,
    "dice_noticed": 55,
    "unpaid": 55,
    "table_added": 52,
    "stakes_raised": 52,
    "convicted": 50,
    "thrown_out": 50,
    "cleared": 45,
    "broke": 40,
    "dodged": 40,
    "accused": 40,
    "denounced": 45,
    "taken": 35,
    "given": 30,
    "planted": 30,
    "warned": 40,
    "big_win": 30,
    "failed_trick": 25,
    "left": 15,
    "lent": 15,
    "paid_back": 14,
    "trick": 12,
    "arrived": 10,
    "not_opened": 2,
    "odd_throw": 1,
}
OF_A_GAME = 28
"""Weight of every other kind: what a game of its own tells of, such as a bout decided."""
GROUPS = {
    "justice": "Accusations and sentences",
    "tricks": "Tricks",
    "games": "Games and contests",
    "money": "Money",
    "people": "Comings and goings",
}
_GROUP_OF = {
    "trick": "tricks",
    "failed_trick": "tricks",
    "odd_throw": "tricks",
    "caught": "tricks",
    "dice_noticed": "tricks",
    "big_win": "money",
    "broke": "money",
    "lent": "money",
    "paid_back": "money",
    "dodged": "money",
    "unpaid": "money",
    "closed": "money",
    "table_added": "money",
    "stakes_raised": "money",
    "arrived": "people",
    "left": "people",
    "died": "people",
    "given": "money",
    "taken": "money",
    "planted": "people",
    "not_opened": "games",
}
# One, and several of them; a kind that is not here says the same for both.
_LABELS = {
    "trick": ("trick", "tricks"),
    "failed_trick": ("failed trick", "failed tricks"),
    "big_win": ("big win", "big wins"),
    "brawl": ("brawl", "brawls"),
    "caught": ("caught in the act", "caught in the act"),
    "too_lucky": ("beaten for luck", "beaten for luck"),
    "broke": ("left the table", "left the table"),
    "unpaid": ("the house could not pay", "the house could not pay"),
    "closed": ("house closed for good", "houses closed for good"),
    "table_added": ("table added", "tables added"),
    "not_opened": ("not played", "not played"),
    "ran": ("ran from a sentence", "ran from a sentence"),
    "run_down": ("chased and caught", "chased and caught"),
    "bribed": ("bribe", "bribes"),
    "dice_noticed": ("weighted dice seen", "weighted dice seen"),
    "lent": ("loan", "loans"),
    "dodged": ("debt not paid", "debts not paid"),
    "bout": ("bout", "bouts"),
    "drawn_bout": ("drawn bout", "drawn bouts"),
    "died": ("death", "deaths"),
    "given": ("gift", "gifts"),
    "taken": ("coins taken", "coins taken"),
    "denounced": ("called a cheat", "called cheats"),
    "planted": ("tale planted", "tales planted"),
}
MOST_EVENTS = 2000
MOST_A_NIGHT = 60
MOST_A_PERSON = 40
MOST_PURSES = 180
MOST_BELIEFS = 8
_NO_BELIEFS: dict[str, Any] = {"number": 0, "top": []}


def times(number: int, singular: str = "time", plural: str | None = None) -> str:
    """Say a number of things.

    Examples
    --------
    >>> times(1), times(1200, "person", "people"), times(0, "trick")
    ('1 time', '1,200 people', '0 tricks')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def label(kind: str, number: int = 1) -> str:
    """Say what an event of a kind is called.

    Examples
    --------
    >>> label("thrown_out"), label("big_win", 2)
    ('thrown out', 'big wins')
    """
    one, several = _LABELS.get(kind, (kind.replace("_", " "),) * 2)
    return one if number == 1 else several


def often(number: int) -> str:
    """Say how often: never, once, twice, 3 times.

    Examples
    --------
    >>> [often(n) for n in range(4)]
    ['never', 'once', 'twice', '3 times']
    """
    return ("never", "once", "twice")[number] if number < 3 else times(number)


def percent(share: float) -> str:
    """Say a share in per cent, held together by a space that never breaks."""
    return f"{share:.0%}".replace("%", "\N{NO-BREAK SPACE}%")


def notable(events: pd.DataFrame, n_nights: int, most: int = MOST_EVENTS) -> pd.DataFrame:
    """Choose the events worth telling: the most notable of each night, and of all.

    Parameters
    ----------
    events : DataFrame
        At least ``event_id``, ``night``, ``kind``.
    n_nights : int
        Nights of the run; they share the room evenly.
    most : int
        At most so many in all.
    """
    told = events[events["kind"] != "odd_throw"]
    a_night = min(MOST_A_NIGHT, max(5, most // max(1, n_nights)))
    weight = _weights(told["kind"])
    ordered = told.assign(_weight=weight).sort_values(
        ["night", "_weight", "event_id"], ascending=[True, False, True], kind="stable"
    )
    kept = ordered.groupby("night").head(a_night).drop(columns="_weight")
    weights = {str(kind): weight_of(kind) for kind in kept["kind"].unique()}
    return analysis.eventful(kept.sort_values("event_id"), weights, most)


def weight_of(kind: str) -> int:
    """How notable an event of a kind is, when there is not room for all.

    Examples
    --------
    >>> weight_of("killed") > weight_of("bout") > weight_of("arrived")
    True
    """
    return WEIGHTS.get(kind, OF_A_GAME)


def _weights(kinds: pd.Series[str]) -> pd.Series[int]:
    return kinds.map({kind: weight_of(kind) for kind in kinds.unique()})


def by_night(events: pd.DataFrame, n_open: int = 3) -> list[dict[str, Any]]:
    """Group events by night; the last night and the most eventful ones are open.

    Returns
    -------
    list of dict
        In order of time, each with ``night``, ``is_open``, ``summary`` and
        ``events`` (dicts of ``kind``, ``label``, ``group``, ``text``,
        ``justice``).
    """
    if events.empty:
        return []
    weight = _weights(events["kind"]).groupby(events["night"]).sum()
    stirring = weight.sort_values(ascending=False, kind="stable").index[: n_open - 1]
    is_open = {*stirring.tolist(), int(events["night"].max())}
    return [
        {
            "night": int(str(night)),
            "is_open": night in is_open,
            "summary": _summary(tonight["kind"]),
            "events": [_told(row) for row in tonight.to_dict("records")],
        }
        for night, tonight in events.groupby("night")
    ]


def _told(event: dict[Any, Any]) -> dict[str, str]:
    kind = str(event["kind"])
    return {
        "kind": kind,
        "label": label(kind),
        "group": _GROUP_OF.get(kind, "justice" if kind in WEIGHTS else "games"),
        "text": str(event["text"]),
        "justice": _justice(event["is_just"]),
    }


def _justice(is_just: Any) -> str:
    if pd.isna(is_just):
        return ""
    return "just" if is_just else "unjust"


def _summary(kinds: pd.Series[str]) -> str:
    """Name what a night is remembered for: its three weightiest kinds of event.

    An acquittal stands behind the accusation it ended.
    """
    counts = kinds.value_counts()
    ordered = sorted(counts.index, key=lambda kind: (-weight_of(kind), kind))[:3]
    if {"accused", "cleared"} <= {*ordered}:
        ordered.remove("cleared")
        ordered.insert(ordered.index("accused") + 1, "cleared")
    return ", ".join(f"{counts[kind]} {label(kind, counts[kind])}" for kind in ordered)


def lives(
    patrons: pd.DataFrame,
    ids: Iterable[int],
    wealth: pd.DataFrame,
    events: pd.DataFrame,
    edges: pd.DataFrame,
) -> list[dict[str, Any]]:
    """Tell the lives of some people.

    Parameters
    ----------
    patrons, wealth : DataFrame
        Tables of the run.
    ids : iterable of int
        Whose.
    events : DataFrame
        The events to tell from; a person's are those in which he is the doer or
        the other, at most `MOST_A_PERSON` of them, the weightiest.
    edges : DataFrame
        ``observer_id``, ``subject_id``, ``belief``: who suspects whom, the
        strongest suspicions first.

    Returns
    -------
    list of dict
        By name: ``id``, ``name``, ``about``, ``truth``, ``record``,
        ``standing``, ``fate``, ``nights`` and ``purse`` (gp), ``by`` and ``on``
        (who suspects him and whom he suspects: their ``number``, and the ``top``
        ones as pairs of an id and per cent), ``story`` (event ids).
    """
    wanted = sorted({int(each) for each in ids})
    rows = patrons[patrons["patron_id"].isin(wanted)]
    purses = _purses(wealth, wanted)
    stories = _stories(events, wanted)
    by = _beliefs(edges, wanted, "subject_id", "observer_id")
    on = _beliefs(edges, wanted, "observer_id", "subject_id")
    told = []
    for row in rows.to_dict("records"):
        each = int(row["patron_id"])
        nights, purse = purses.get(each, ([], []))
        told.append(
            {
                "id": each,
                "name": row["name"],
                "about": about(row),
                "truth": truth(row),
                "record": record(row),
                "standing": standing(row),
                "fate": fate(row),
                "nights": nights,
                "purse": purse,
                "by": by.get(each, _NO_BELIEFS),
                "on": on.get(each, _NO_BELIEFS),
                "story": stories.get(each, []),
            }
        )
    return sorted(told, key=lambda life: (str(life["name"]).casefold(), life["id"]))


def about(person: dict[Any, Any]) -> str:
    """Who somebody is, in a few words."""
    words = f"{person['ancestry']} {person['trade']} ({person['rank']})"
    return f"{words[:1].upper()}{words[1:]}, at home in {person['home_tavern']}."


def truth(person: dict[Any, Any]) -> str:
    """Tell somebody's true nature, which no one at the table knows."""
    if person["is_player"]:
        return "A player's character: sits down at no table by itself."
    if person["is_cheat"]:
        failed = times(person["failed_checks"], "failed check")
        return f"In truth a cheat: {times(person['tries'], 'trick')} tried, {failed}."
    if person["is_cheat_kind"]:
        return "In truth of the cheating kind, but has not tried yet."
    return "In truth honest."


def record(person: dict[Any, Any]) -> str:
    """Sum up what somebody did and what was done to him."""
    net = int(person["games_net_cp"])
    games = f"{'lost' if net < 0 else 'won'} {coins.show(abs(net))} in all."
    if person["hands"]:
        hands = f"Threw the dice as the Hand in {times(person['hands'], 'round')}"
        games = f"{hands} and won {person['hand_wins']:,}; {games}"
    else:
        games = f"Never threw the dice as the Hand; {games}"
    accused, convicted = int(person["was_accused"]), int(person["convicted"])
    law = f"Accused {often(accused)}, convicted {often(convicted)}, "
    law += f"beaten {often(int(person['beaten']))}; "
    law += f"accused others {often(int(person['accused_others']))}."
    if not (accused or convicted or person["beaten"] or person["accused_others"]):
        law = "Never accused and never accused anybody."
    return f"{games} {law}"


def standing(person: dict[Any, Any]) -> str:
    """Tell what others believe of somebody."""
    if not person["believers"] or pd.isna(person["reputation"]):
        return "Nobody holds an opinion."
    holders = times(person["believers"], "person holds", "people hold")
    suspects = times(person["notoriety"], "of them suspects", "of them suspect")
    mean = percent(person["reputation"])
    return f"{holders} an opinion; {suspects} a cheat. Mean belief in a cheat: {mean}."


def fate(person: dict[Any, Any]) -> str:
    """Tell when somebody came and went."""
    arrived, gone = int(person["arrived_night"]), person["gone_night"]
    came = f"Came to town on night {arrived}. " if arrived else ""
    if person["whereabouts"] == "here" or pd.isna(gone):
        condition = str(person["condition"])
        return came + ("" if condition == "healthy" else f"{condition.capitalize()}.")
    went = "Died" if person["whereabouts"] == "dead" else "Left for good"
    return f"{came}{went} on night {int(gone)}."


def _purses(wealth: pd.DataFrame, ids: list[int]) -> dict[int, tuple[list[int], list[float]]]:
    """Nights and purses (gp) of each; of a long run only every so many nights."""
    rows = wealth[wealth["patron_id"].isin(ids)]
    if rows.empty:
        return {}
    last = int(rows["night"].max())
    step = -(-last // MOST_PURSES) if last else 1
    night = rows["night"]
    rows = rows[(night % step == 0) | (night == last)].sort_values(["patron_id", "night"])
    return {
        int(str(each)): (own["night"].tolist(), (own["gold_cp"] / 100).tolist())
        for each, own in rows.groupby("patron_id")
    }


def _stories(events: pd.DataFrame, ids: list[int]) -> dict[int, list[int]]:
    """Ids of each one's weightiest events, in order of time."""
    told = events[events["kind"] != "odd_throw"].copy()
    told["weight"] = _weights(told["kind"]).to_numpy(dtype=np.int64)
    columns = ["event_id", "weight"]
    parts = [
        told[["patron_id", *columns]],
        told.loc[told["other_id"] != told["patron_id"], ["other_id", *columns]].rename(
            columns={"other_id": "patron_id"}
        ),
    ]
    own = pd.concat(parts)
    own = own[own["patron_id"].isin(ids)].sort_values(
        ["patron_id", "weight", "event_id"], ascending=[True, False, False], kind="stable"
    )
    kept = own.groupby("patron_id").head(MOST_A_PERSON)
    return {
        int(str(each)): sorted(rows["event_id"].tolist())
        for each, rows in kept.groupby("patron_id")
    }


def _beliefs(edges: pd.DataFrame, ids: list[int], of: str, other: str) -> dict[int, Any]:
    """How many suspicions each of `ids` has, and the strongest: (id, per cent)."""
    own = edges[edges[of].isin(ids)]
    found: dict[int, Any] = {}
    for each, rows in own.groupby(of):
        top = rows.head(MOST_BELIEFS)
        sure = [min(99, round(100 * belief)) for belief in top["belief"].tolist()]
        pairs = list(zip(top[other].tolist(), sure, strict=True))
        found[int(str(each))] = {"number": len(rows), "top": pairs}
    return found
