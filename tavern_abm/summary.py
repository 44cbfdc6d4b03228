"""A finished run in a few lines, for whoever started it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from .analysis import fortunes, games_in_all
from .coins import show
from .run_folder import RunFolder
from .stories import times
from .trade_words import trades_of, trades_played

TOP = 3
"""How many of those who won and lost most are named."""


def summary(run: RunFolder) -> list[str]:
    """Tell what came of a run: people, money, tricks and what was done about them.

    Parameters
    ----------
    run : RunFolder
        A finished run.

    Returns
    -------
    list of str
        Lines of at most about 100 characters.
    """
    info = run.info
    houses = run.scenario()["taverns"]
    sign = houses[0]["name"] if len(houses) == 1 else times(len(houses), "tavern")
    parts = {
        "People": _people(info),
        "House": _house(run, houses),
        "Games": _games(run),
        "Tricks": _tricks(info["totals"]),
        "Justice": [*_justice(info["totals"]), *_murders(run)],
        "Talk": _talk(info["totals"]),
        "Fortunes": _fortunes(run),
    }
    lines = [f"{sign}: {times(info['nights'], 'night')}, seed {info['seed']}", ""]
    for name, part in parts.items():
        for i, line in enumerate(part):
            lines.append(f"{'' if i else name:<10}{line}")
    return lines


def _people(info: dict[str, Any]) -> Iterator[str]:
    totals = info["totals"]
    yield (
        f"{info['patrons']:,} at the start; {totals['arrived']:,} came, {totals['left']:,} left "
        f"for good, {totals['died']:,} died; {totals['living']:,} live here now"
    )


def _house(run: RunFolder, houses: list[dict[str, Any]]) -> Iterator[str]:
    ledger = run.table("ledger", ["to_account", "reason", "amount_cp"])
    income = ledger[ledger["to_account"].str.startswith("till/")]
    by_reason = income.groupby("reason")["amount_cp"].sum()
    sources = [
        f"{show(by_reason[reason])} {words}"
        for reason, words in (
            ("drink", "for drink"),
            ("fee", "at the door"),
            ("rake", "from the tables"),
        )
        if reason in by_reason
    ]
    yield "took " + (", ".join(sources) or "nothing")
    till = run.info["totals"]["till_cp"]
    made = till - sum(house["till_cp"] for house in houses)
    verb = "lost" if made < 0 else "made"
    yield f"{verb} {show(abs(made))} when all was paid; {show(till)} in the till now"


def _games(run: RunFolder) -> Iterator[str]:
    """All games together; by game where there are several; and what onlookers bet."""
    totals = run.info["totals"]
    yield f"{times(totals['rounds'], 'round')} played, {show(totals['staked_cp'])} staked"
    games = games_in_all(run.table("games")) if "games" in run.tables else pd.DataFrame()
    if len(games) > 1:
        names = [game.replace("-", " ") for game in games["game"]]
        width = max(map(len, names))
        for name, rounds, staked in zip(names, games["rounds"], games["staked_cp"], strict=True):
            yield f"{name:<{width}}  {times(rounds, 'round')}, {show(staked)}"
    if totals.get("bets_cp"):
        yield f"of it {show(totals['bets_cp'])} bet by those who looked on"
    if totals.get("hurt"):
        yield f"{times(totals['hurt'], 'injury', 'injuries')}"


def _tricks(totals: dict[str, Any]) -> Iterator[str]:
    yield (
        f"{totals['tricks_tried']:,} tried, {totals['tricks_noticed']:,} fumbled, "
        f"{totals['tricks_convicted']:,} caught in the act"
    )


def _justice(totals: dict[str, Any]) -> Iterator[str]:
    for label, kind in (
        ("accused", "accusations"),
        ("guilty by vote", "convictions"),
        ("beaten", "beaten"),
        ("killed", "killed"),
    ):
        just, unjust = totals[f"{kind}_just"], totals[f"{kind}_unjust"]
        who = f"{times(just, 'cheat')}, {times(unjust, 'innocent')}" if just or unjust else "nobody"
        yield f"{label + ':':<16}{who}"
    if totals["too_lucky"]:
        yield f"and beaten for mere luck: {totals['too_lucky']:,}"
    if totals.get("ran"):
        yield f"{totals['ran']:,} ran for it, and {totals['got_away']:,} got away"


def _murders(run: RunFolder) -> Iterator[str]:
    """Those killed by no table's sentence: such a thing is put in, and counts for no justice."""
    events = run.table("events", ["kind"], filters=[("kind", "==", "killed"), ("round", "==", 0)])
    if len(events):
        yield f"{'murdered:':<16}{times(len(events), 'person', 'people')}, by no table's sentence"


def _talk(totals: dict[str, Any]) -> Iterator[str]:
    """What was told, and how far people's beliefs are right; nothing of runs without talk."""
    if totals.get("tellings"):
        told = times(totals["tellings"])
        yield f"{times(totals['rumors'], 'rumour')} told {told}, believed {totals['believed']:,}"
    if totals.get("hearsay"):
        yield f"suspicions passed on {times(totals['hearsay'])}"
    if totals.get("ppv") is not None:
        yield f"of suspicions, {totals['ppv']:.0%} are right"


def _fortunes(run: RunFolder) -> Iterator[str]:
    top = fortunes(run.table("patrons"), TOP)
    called = trades_of(top["trade"], top["sex"], trades_played(run.scenario()))
    people = [f"{name} ({trade})" for name, trade in zip(top["name"], called, strict=True)]
    width = max(map(len, people), default=0)
    for who, net in zip(people, top["games_net_cp"], strict=True):
        yield f"{who:<{width}}  {'won' if net > 0 else 'lost'} {show(abs(net))}"
    if top.empty:
        yield "nobody won or lost anything at the tables"
