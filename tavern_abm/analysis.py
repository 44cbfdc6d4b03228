"""Estimates from the tables of a run: pure functions of arrays and data frames.

Nothing here reads a file or asks the model. Money is in copper pieces (cp).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from .measures import SUSPECTS, gini

BANDS = {"p10": 0.10, "p25": 0.25, "median": 0.50, "p75": 0.75, "p90": 0.90}
SENTENCES = ("warned", "thrown_out", "banned", "beaten", "killed", "too_lucky")
"""Kinds of event that are sentences, from the mildest on; the last is no trial's."""
TRICKS = ("tricks_tried", "tricks_noticed", "tricks_convicted")
ABOUT = ("name", "trade", "wage_cp", "is_player", "is_cheat", "is_cheat_kind")
"""What is told of a person beside what the games brought him."""
GAME_SUMS = ("tables", "rounds", "staked_cp", "changed_hands_cp", "rake_cp")


def wealth_bands(wealth: pd.DataFrame) -> pd.DataFrame:
    """Quantiles of purses and their Gini coefficient, night by night.

    Parameters
    ----------
    wealth : DataFrame
        Columns ``night`` and ``gold_cp``, one row per night and living person.

    Returns
    -------
    DataFrame
        One row per night in order: ``night``, the quantiles of `BANDS` in cp,
        ``gini`` and ``people``.
    """
    ordered = wealth.sort_values("night", kind="stable")
    nights, starts = np.unique(ordered["night"].to_numpy(), return_index=True)
    purses = np.split(ordered["gold_cp"].to_numpy(), starts[1:]) if nights.size else []
    rows = [
        [night, *np.quantile(purse, list(BANDS.values())), gini(purse), purse.size]
        for night, purse in zip(nights.tolist(), purses, strict=True)
    ]
    bands = pd.DataFrame(rows, columns=["night", *BANDS, "gini", "people"])
    return bands.astype({"night": int, "people": int})


def latest(suspicion: pd.DataFrame) -> pd.DataFrame:
    """Keep what was believed on the last recorded night."""
    if suspicion.empty:
        return suspicion
    is_last = suspicion["night"].eq(suspicion["night"].max())
    return suspicion.loc[is_last]


def nights_per_bar(n_nights: int) -> int:
    """How many nights one bar covers, so that a chart keeps to about 60 bars.

    Examples
    --------
    >>> [nights_per_bar(n) for n in (1, 45, 60, 365, 3650)]
    [1, 1, 7, 7, 63]
    """
    if n_nights <= 45:
        return 1
    return 7 * max(1, round(n_nights / 420))


def _bars(nights: pd.Series[Any], width: int) -> pd.Series[Any]:
    """First night of the bar that each night falls into."""
    return (nights - 1) // width * width + 1


def sentences_by_night(events: pd.DataFrame, n_nights: int) -> pd.DataFrame:
    """Count the sentences carried out, by night (or by weeks in a long run).

    Parameters
    ----------
    events : DataFrame
        Columns ``night``, ``kind`` and ``is_just`` (true, false or missing).
    n_nights : int
        Nights of the run.

    Returns
    -------
    DataFrame
        One row for each bar, kind of `SENTENCES` and justice that occurred:
        ``night`` (first of the bar), ``kind``, ``is_just``, ``number``. A
        beating for luck of which nobody knows better counts as unjust. A killing that
        is neither just nor unjust was no sentence (it was put in from outside).
    """
    is_murder = (events["kind"] == "killed") & events["is_just"].isna()
    sentences = events[events["kind"].isin(SENTENCES) & ~is_murder]
    table = pd.DataFrame(
        {
            "night": _bars(sentences["night"].astype(int), nights_per_bar(n_nights)),
            "kind": sentences["kind"].astype(str),
            "is_just": sentences["is_just"].astype("boolean").fillna(False).astype(bool),
        }
    )
    return table.groupby(["night", "kind", "is_just"]).size().reset_index(name="number")


def tricks_by_night(nights: pd.DataFrame) -> pd.DataFrame:
    """Sum the tricks of all taverns, by night (or by weeks in a long run).

    Parameters
    ----------
    nights : DataFrame
        Columns ``night`` and those of `TRICKS`, one row per night and tavern.

    Returns
    -------
    DataFrame
        ``night`` (first of the bar) and the columns of `TRICKS`.
    """
    width = nights_per_bar(int(nights["night"].max()) if len(nights) else 1)
    bars = _bars(nights["night"].astype(int), width)
    return nights[list(TRICKS)].groupby(bars).sum().reset_index()


def games_by_night(games: pd.DataFrame, n_nights: int) -> pd.DataFrame:
    """Sum what was staked and what the house took, by game and night (or by weeks).

    Parameters
    ----------
    games : DataFrame
        ``night``, ``game``, ``rounds``, ``staked_cp``, ``rake_cp``, one row per
        night, tavern and game.
    n_nights : int
        Nights of the run.

    Returns
    -------
    DataFrame
        One row per game and bar in which it was played, in order: ``game``,
        ``night`` (first of the bar) and the sums.
    """
    bars = _bars(games["night"].astype(int), nights_per_bar(n_nights))
    sums = games[["rounds", "staked_cp", "rake_cp"]].groupby([games["game"], bars]).sum()
    return sums[sums["rounds"] > 0].reset_index()


def games_in_all(games: pd.DataFrame) -> pd.DataFrame:
    """Sums over all nights and taverns, a row a game, the one with most at stake first.

    Parameters
    ----------
    games : DataFrame
        ``game`` and the columns of `GAME_SUMS`.
    """
    sums = games.groupby("game")[list(GAME_SUMS)].sum().reset_index()
    return sums.sort_values(
        ["staked_cp", "rounds", "game"], ascending=[False, False, True], ignore_index=True
    )


A_WEEK = 7
"""Who has been here for fewer nights has made a catch, not a living."""


def livings(players: pd.DataFrame, patrons: pd.DataFrame, n_nights: int) -> pd.DataFrame:
    """What each game brought each person, against his wage.

    Somebody lives by a game if it brought him at least a day's wage a night,
    over all the nights that he lived here and not only those on which he played;
    a week of them at least (or the whole run, if it is shorter).

    Parameters
    ----------
    players : DataFrame
        ``patron_id``, ``game``, ``sittings``, ``net_cp``.
    patrons : DataFrame
        ``patron_id``, ``arrived_night``, ``gone_night`` and the columns of `ABOUT`.
    n_nights : int
        Nights of the run.

    Returns
    -------
    DataFrame
        The rows of `players` with the columns of `ABOUT`, ``a_night_cp`` (net
        gain a night) and ``lives_by_it``; for each game, in alphabetical order,
        from the greatest gain to the greatest loss.
    """
    about = patrons[["patron_id", *ABOUT]].copy()
    last = patrons["gone_night"].fillna(n_nights).astype(int)
    about["nights"] = (last - patrons["arrived_night"].astype(int)).clip(lower=1)
    found = players.merge(about, on="patron_id", validate="many_to_one")
    is_enough = found["net_cp"] >= found["wage_cp"] * found["nights"]
    found["a_night_cp"] = found["net_cp"] / found["nights"]
    is_settled = found["nights"] >= min(A_WEEK, n_nights)
    found["lives_by_it"] = is_enough & is_settled & (found["net_cp"] > 0)
    return found.sort_values(
        ["game", "net_cp", "patron_id"], ascending=[True, False, True], ignore_index=True
    )


def top_winners(livings: pd.DataFrame, n: int) -> pd.DataFrame:
    """The `n` first winners at each game: who lives by it before who does not, then by gain.

    Parameters
    ----------
    livings : DataFrame
        As `livings` gives it.
    n : int
        At most so many a game; who won nothing is not among them.
    """
    winners = livings[livings["net_cp"] > 0]
    ordered = winners.sort_values(
        ["game", "lives_by_it", "net_cp", "patron_id"],
        ascending=[True, False, False, True],
        ignore_index=True,
    )
    return ordered.groupby("game").head(n)


def fortunes(patrons: pd.DataFrame, n: int = 10) -> pd.DataFrame:
    """Those who won and those who lost most at the tables.

    Parameters
    ----------
    patrons : DataFrame
        One row per person with ``patron_id`` and ``games_net_cp``.
    n : int, default 10
        How many of each.

    Returns
    -------
    DataFrame
        Rows of `patrons` from the greatest gain to the greatest loss, at most
        `n` winners and `n` losers; who came out even is not among them.
    """
    ordered = patrons.sort_values(
        ["games_net_cp", "patron_id"], ascending=[False, True], kind="stable"
    )
    winners = ordered[ordered["games_net_cp"] > 0].head(n)
    losers = ordered[ordered["games_net_cp"] < 0].tail(n)
    return pd.concat([winners, losers])


def suspects(suspicion: pd.DataFrame, threshold: float = SUSPECTS) -> pd.DataFrame:
    """Who suspects whom: the pairs with a belief above `threshold`, strongest first."""
    pairs = suspicion[suspicion["belief"] > threshold]
    return pairs.sort_values(
        ["belief", "subject_id", "observer_id"], ascending=[False, True, True], kind="stable"
    )


def most_concerned(edges: pd.DataFrame, n: int, accusers: int = 12) -> list[int]:
    """Choose the people whom suspicion concerns most.

    Those most suspected come first (by the sum of the beliefs of all who suspect
    them), each together with the few who are surest of it, so that a choice from
    a large house still shows who suspects whom. If there is room, then everybody
    else who suspects or is suspected.

    Parameters
    ----------
    edges : DataFrame
        ``observer_id``, ``subject_id``, ``belief``.
    n : int
        At most so many people.
    accusers : int, default 12
        How many come with each suspect at first.

    Returns
    -------
    list of int
        Their ids, each once.
    """
    ordered = suspects(edges, threshold=-1.0)
    ids = ordered["subject_id"]
    weight = ordered["belief"].astype(float).groupby(ids).sum().round(9)
    most = weight.sort_values(ascending=False, kind="stable").index[:n]
    near = ordered[ids.isin(most)].groupby("subject_id").head(accusers)
    surest = near.groupby("subject_id")["observer_id"].agg(list)
    circles = [[subject, *surest[subject]] for subject in most]
    everybody = [ordered["subject_id"].tolist(), ordered["observer_id"].tolist()]
    people = dict.fromkeys(int(each) for circle in circles + everybody for each in circle)
    return list(people)[:n]


def eventful(events: pd.DataFrame, weights: dict[str, int], n: int) -> pd.DataFrame:
    """Keep the `n` events of most weight; among equals the later ones, in order of time."""
    weight = events["kind"].map(weights).fillna(0).to_numpy(dtype=np.int64)
    order = np.lexsort((-events["event_id"].to_numpy(dtype=np.int64), -weight))
    return events.iloc[np.sort(order[:n])]


VERDICTS = ("caught", "convicted", "cleared")


def judged(trials: pd.DataFrame) -> pd.DataFrame:
    """What the judges of each trial believed.

    Parameters
    ----------
    trials : DataFrame
        ``beliefs``: of each judge, 0 to 1; null or below 0 where he has none.

    Returns
    -------
    DataFrame
        The rows of `trials` with ``n_judges`` and ``judges_belief``, the mean of
        those who hold one (nan where none does).
    """
    beliefs = [_beliefs_held(each) for each in trials["beliefs"]]
    return trials.assign(
        n_judges=[0 if each is None else len(each) for each in trials["judges"]],
        judges_belief=[float(np.mean(each)) if len(each) else np.nan for each in beliefs],
    )


def _beliefs_held(beliefs: Iterable[Any] | None) -> list[float]:
    held = [] if beliefs is None else [float(each) for each in beliefs if not pd.isna(each)]
    return [each for each in held if each >= 0]


def verdicts_by_belief(judged: pd.DataFrame, n_bins: int = 10) -> pd.DataFrame:
    """Count verdicts of the table by the truth and by what the judges believed.

    Parameters
    ----------
    judged : DataFrame
        As `judged` gives it. Who was caught in the act stood no trial, and is
        not counted.

    Returns
    -------
    DataFrame
        One row for each that occurred: ``is_cheat``, ``verdict``, ``low`` and
        ``high`` (of the bin of the mean belief), ``number``.
    """
    voted = judged[(judged["verdict"] != "caught") & judged["judges_belief"].notna()]
    place = (voted["judges_belief"] * n_bins).astype(int).clip(upper=n_bins - 1)
    counts = voted.groupby(["is_cheat", "verdict", place.rename("low")]).size()
    table = counts.reset_index(name="number")
    table["high"] = (table["low"] + 1) / n_bins
    table["low"] = table["low"] / n_bins
    return table[["is_cheat", "verdict", "low", "high", "number"]]


def talk_by_night(tellings: pd.DataFrame, n_nights: int) -> pd.DataFrame:
    """Count what was told, by night (or by weeks in a long run).

    Parameters
    ----------
    tellings : DataFrame
        ``night``, ``knew``, ``believed``.
    n_nights : int
        Nights of the run.

    Returns
    -------
    DataFrame
        ``night`` (first of the bar), ``told``, ``news`` (to one who did not know
        the story) and ``believed`` (of the news, what was believed).
    """
    news = ~tellings["knew"].astype(bool)
    table = pd.DataFrame(
        {
            "night": _bars(tellings["night"].astype(int), nights_per_bar(n_nights)),
            "told": 1,
            "news": news.astype(int),
            "believed": (news & tellings["believed"].astype(bool)).astype(int),
        }
    )
    return table.groupby("night").sum().reset_index()
