"""The figures of a report page about the games: what is played, and who lives by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from .. import analysis, coins
from ..plots.games import plot_games
from ..plots.livings import plot_livings
from ..plots.network import truth
from ..plots.theme import game_title
from ..stories import percent, times
from .data import RunData
from .panel import Panel

WINNERS_OF_ONE, WINNERS_OF_EACH = 10, 4
"""Bars of winners: at the only game of a house, and at each of several."""
WINNERS_TOLD = 20
"""Rows of winners a game in the table."""


def games(data: RunData) -> Panel:
    """What was played: rounds, stakes and the house's take of each game."""
    sums = data.games_in_all
    is_played = sums[sums["rounds"] > 0]
    by_night = analysis.games_by_night(data.games, data.n_nights)
    return Panel(
        "games",
        "The games" if len(sums) > 1 else "The game",
        _games_caption(is_played),
        _games_finding(is_played) + _hurt(data),
        plot_games(by_night, data.game_order, data.n_nights) if len(by_night) else None,
        [
            "Game",
            "Opened",
            "Rounds",
            "Staked",
            "Changed hands",
            "The house took",
            "Players",
            "Live by it",
        ],
        [_game_row(row, data.livings) for row in sums.to_dict("records")],
        is_open=len(sums) > 1,
    )


def _games_caption(sums: pd.DataFrame) -> str:
    caption = "What was put on the tables, and by onlookers on contests"
    if len(sums) > 1:
        caption += ", one game on top of the other"
    return f"{caption}. Below: what the house took." if sums["rake_cp"].sum() else f"{caption}."


def _hurt(data: RunData) -> str:
    nights = data.nights
    hurt = int(nights["hurt"].sum()) if "hurt" in nights else 0
    return f" Contests and chases left {times(hurt, 'injury', 'injuries')} behind." if hurt else ""


def _games_finding(sums: pd.DataFrame) -> str:
    if sums.empty:
        return "Nobody played."
    first = sums.iloc[0]
    took = int(sums["rake_cp"].sum())
    moved = int(sums["changed_hands_cp"].sum())
    share = f", {_share(took, moved)} of what changed hands" if took else ""
    house = f"The house took {coins.show(took)}{share}." if took else "The house took nothing."
    if len(sums) == 1:
        game = game_title(first["game"])
        rounds = times(int(first["rounds"]), "round")
        return f"{rounds} of {game}, with {_gold(first['staked_cp'])} at stake. {house}"
    most = sums.sort_values("rounds", ascending=False, kind="stable").iloc[0]
    same = most["game"] == first["game"]
    where = (
        "which had the most rounds too"
        if same
        else (f"the most rounds were of {game_title(most['game'])}")
    )
    return (
        f"{len(sums)} games were played. Most was at stake at {game_title(first['game'])} "
        f"({_gold(first['staked_cp'])}), {where} ({int(most['rounds']):,}). {house}"
    )


def _game_row(row: dict[Any, Any], livings: pd.DataFrame) -> list[Any]:
    players = livings[livings["game"] == row["game"]]
    return [
        game_title(row["game"]),
        f"{row['tables']:,}",
        f"{row['rounds']:,}",
        coins.show(row["staked_cp"]),
        coins.show(row["changed_hands_cp"]),
        coins.show(row["rake_cp"]),
        f"{len(players):,}",
        f"{players['lives_by_it'].sum():,}",
    ]


def livings(data: RunData) -> Panel:
    """Who makes a living by which game."""
    found = data.livings
    order = data.game_order
    n = WINNERS_OF_ONE if len(order) == 1 else WINNERS_OF_EACH
    winners = analysis.top_winners(found, n)
    told = analysis.top_winners(found, WINNERS_TOLD)
    rows = [
        _winner_row(row) for game in order for row in told[told["game"] == game].to_dict("records")
    ]
    return Panel(
        "livings",
        "Who makes a living by it",
        f"Those who live by {'each' if len(order) > 1 else 'the'} game, then its other great "
        "winners: what it brought them a night, over all the nights they lived here. Whose bar "
        "reaches the mark won at least a day's wage a night; to live by it takes a week of that. "
        "◆ marks a cheat.",
        _livings_finding(found, order),
        plot_livings(winners, order) if len(winners) else None,
        [
            "Name",
            "Game",
            "Trade",
            "Won in all",
            "Sittings",
            "A night",
            "Day's wage",
            "Lives by it",
            "In truth",
        ],
        rows,
    )


def _livings_finding(found: pd.DataFrame, order: Sequence[str]) -> str:
    if not (found["net_cp"] > 0).any():
        return "Nobody won a coin."
    best = found.sort_values(["net_cp", "patron_id"], ascending=[False, True]).iloc[0]
    first = (
        f"Most was won by {best['name']} ({best['trade']}): {coins.show(best['net_cp'])} "
        f"at {game_title(best['game'])}, in {times(int(best['sittings']), 'sitting')}."
    )
    return f"{_how_many(found, order)} {first}"


def _how_many(found: pd.DataFrame, order: Sequence[str]) -> str:
    living = found[found["lives_by_it"]]
    n = living["patron_id"].nunique()
    players = times(found["patron_id"].nunique(), "person", "people")
    if not n:
        return f"Of {players} who played, nobody is ahead by a day's wage a night."
    are = "is" if n == 1 else "are"
    text = f"Of {players} who played, {n:,} {are} ahead by at least a day's wage a night"
    if len(order) == 1:
        return f"{text}."
    counts = living["game"].value_counts()
    some = [f"{game_title(game)} {counts[game]:,}" for game in order if game in counts.index]
    return f"{text} ({', '.join(some)})."


def _winner_row(row: dict[Any, Any]) -> list[Any]:
    return [
        row["name"],
        game_title(row["game"]),
        row["trade"],
        coins.show(row["net_cp"]),
        f"{row['sittings']:,}",
        coins.show(round(row["a_night_cp"])),
        coins.show(row["wage_cp"]),
        "yes" if row["lives_by_it"] else "no",
        truth(row),
    ]


def _gold(sum_cp: int) -> str:
    """A large sum without its coppers."""
    return coins.show(sum_cp if sum_cp < 100 * coins.CP_PER_GP else sum_cp // 100 * 100)


def _share(part: int, whole: int) -> str:
    share = part / whole if whole else 0.0
    return (
        percent(share)
        if share >= 0.1 or not share
        else f"{share:.1%}".replace("%", "\N{NO-BREAK SPACE}%")
    )
