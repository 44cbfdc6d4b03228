"""The registry of quantities: every one there is, in the order of the reference page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...measures import theil, top_share
from ...run_columns import TABLES
from ...scores import MEANINGS as OF_SCORES
from .quantities import Quantity
from .quantity_ratios import ratios
from .quantity_words import (
    BELIEFS,
    CHEATS,
    GROUP_OF,
    GROUPS,
    HOUSES,
    MEAN_OF_HOUSES,
    MEANINGS,
    MONEY,
    OF_THE_TOWN,
    PEOPLE,
    PLAY,
    STANDING,
    TALK,
    TITLES,
)

if TYPE_CHECKING:
    from .collecting import Collected

type Nightly = Callable[[Collected], Any]

TAKINGS, COSTS = ("drink", "fee", "rake"), ("goods", "staff", "upkeep", "excise")
"""Reasons of the ledger's entries into tills and out of them, but for what is invested."""


def _columns() -> Iterator[Quantity]:
    """Every column of the table of nights."""
    for column in TABLES["nights"].columns:
        name = column.name
        if name in ("night", "tavern_id", "tavern"):
            continue
        yield Quantity(
            name,
            TITLES.get(name) or name.removesuffix("_cp").replace("_", " ").capitalize(),
            "houses" if name == "is_open" else column.unit,
            _meaning(name, column.meaning),
            "nightly",
            "last" if name in STANDING else "sum",
            GROUP_OF[name],
            _adding(name),
            by_house="" if name in OF_THE_TOWN else "mean" if name in MEAN_OF_HOUSES else "sum",
        )


def _meaning(name: str, text: str) -> str:
    text = MEANINGS.get(name, text)
    return f"{text}; the mean of the houses, if none is named" if name in MEAN_OF_HOUSES else text


def _adding(*names: str) -> Nightly:
    """Columns of the nights, added up."""

    def add(collected: Collected) -> Any:
        first, *others = (collected.column(name) for name in names)
        return sum(others, start=first)

    return add


def _night(name: str, title: str, group: str, meaning: str, of: Nightly) -> Quantity:
    """A quantity of nights and houses that adds up."""
    unit = "cp" if name.endswith("_cp") else "count"
    return Quantity(name, title, unit, meaning, "nightly", "sum", group, of, by_house="sum")


def _sums() -> Iterator[Quantity]:
    """Columns that belong together."""
    yield _night(
        "hands",
        "Rounds of a Hand",
        PLAY,
        "rounds of Rotting Toes, each of which has a Hand",
        _adding("cheats_hands", "honest_hands"),
    )
    for verb in ("accusations", "convictions"):
        meanings = {
            "accusations": "of cheats and of others, at the tables",
            "convictions": "accused found guilty by their table, cheats or not",
        }
        both = _adding(f"{verb}_just", f"{verb}_unjust")
        yield _night(verb, verb.capitalize(), CHEATS, meanings[verb], both)
    for kind in ("just", "unjust"):
        name = f"convictions_{kind}"
        same = f"the same as `{name}`"
        yield _night(f"{kind}_convictions", TITLES[name], CHEATS, same, _adding(name))
    yield _night(
        "beatings",
        "Beatings",
        CHEATS,
        "by sentence or for too many wins in a row, of cheats and of others",
        _adding("beaten_just", "beaten_unjust", "too_lucky"),
    )
    yield _night(
        "killings",
        "Killings",
        CHEATS,
        "by sentence, of cheats and of others",
        _adding("killed_just", "killed_unjust"),
    )


def _harm() -> Iterator[Quantity]:
    """Who suffered, by the truth."""
    yield _night(
        "just_harm",
        "Cheats beaten or killed",
        CHEATS,
        "by sentence",
        _adding("beaten_just", "killed_just"),
    )
    yield _night(
        "unjust_beatings",
        "Unjust beatings",
        CHEATS,
        "of people who had not cheated, by sentence or for their luck, as the report counts them",
        lambda collected: collected.column("beaten_unjust") + collected.unjust_luck(),
    )
    yield _night(
        "unjust_harm",
        "Honest people beaten or killed",
        CHEATS,
        "`unjust_beatings` and `killed_unjust` together",
        lambda collected: (
            _adding("beaten_unjust", "killed_unjust")(collected) + collected.unjust_luck()
        ),
    )


def _money(*reasons: str, less: tuple[str, ...] = ()) -> Nightly:
    return lambda collected: collected.money(reasons) - collected.money(less)


def _of_houses() -> Iterator[Quantity]:
    """What the ledger says of the houses."""
    yield _night("fees_cp", "Fees", HOUSES, "paid at the doors", _money("fee"))
    yield _night("takings_cp", "Takings", HOUSES, "drinks, fees and rake", _money(*TAKINGS))
    yield _night(
        "costs_cp",
        "Costs",
        HOUSES,
        "goods, staff, upkeep and excise, as far as they were paid",
        _money(*COSTS),
    )
    yield _night(
        "house_profit_cp",
        "Profit of the houses",
        HOUSES,
        "takings less costs; what is invested or paid out is no cost",
        _money(*TAKINGS, less=COSTS),
    )


def _purse(name: str, title: str, unit: str, meaning: str, of: Callable[[Any], float]) -> Quantity:
    """What is worked out from the purses of a night."""
    how = ("nightly", "last", MONEY, lambda collected: collected.by_purses(of))
    return Quantity(name, title, unit, meaning, *how, of_purses=of)  # type: ignore[arg-type]


def _of_purses() -> Iterator[Quantity]:
    share = "of all coins in purses"
    for part, name, title in (
        (0.1, "top_10_share", "Share of the richest tenth"),
        (0.01, "top_1_share", "Share of the richest hundredth"),
    ):
        yield _purse(name, title, "0 to 1", share, _top(part))
    yield _purse("theil", "Theil index of purses", "0 up", "0 where all have the same", theil)
    yield _purse("mean_cp", "Mean purse", "cp", "of those who live here", _mean)


def _top(share: float) -> Callable[[Any], float]:
    return lambda purses: top_share(purses, share)


def _mean(purses: Any) -> float:
    return float(np.mean(purses)) if len(purses) else float("nan")


_FINALS: tuple[tuple[str, str, str, str, str, Callable[[Collected], float]], ...] = (
    (
        *("gini_change", "Change of the Gini", "-1 to 1", MONEY),
        "`gini` at the end less that before the first night that counts",
        lambda collected: collected.gini_change(),
    ),
    (
        *("rank_correlation", "Rank correlation of purses", "-1 to 1", MONEY),
        "Spearman's, of the purses at the end with those before the first night that counts, of "
        "those who lived here on both: 1 frozen, 0 shuffled",
        lambda collected: collected.rank_correlation(),
    ),
    (
        *("arrived", "Newcomers", "people", PEOPLE, "who came to live here"),
        lambda collected: collected.arrived(),
    ),
    (
        *("left", "People who left", "people", PEOPLE, "for good"),
        lambda collected: collected.gone("left"),
    ),
    (
        *("died", "People who died", "people", PEOPLE, "killed, most of them by sentence"),
        lambda collected: collected.gone("dead"),
    ),
    (
        *("nights_played", "Nights played", "nights", PLAY),
        "that count: those of the design less the warm-up, or fewer where a class of your own "
        "stops before",
        lambda collected: float(len(collected.nights)),
    ),
    (
        *("false_tellings", "False tellings", "count", TALK),
        "tellings of rumours that are false or blame the wrong person; slow: to know, the events "
        "of the run are told first",
        lambda collected: collected.false_tellings(),
    ),
)
"""Name, title, unit, group and meaning, and how it comes of what is collected."""


def _final(
    name: str,
    title: str,
    unit: str,
    group: str,
    meaning: str,
    of: Callable[[Collected], float],
) -> Quantity:
    """A number of the run as it ends."""
    return Quantity(name, title, unit, meaning, "final", "", group, of_run=of)


def _finals() -> Iterator[Quantity]:
    return (_final(*row) for row in _FINALS)


_SCORES = {
    "cheats_tried": ("people", CHEATS),
    "cheats_suspected": ("people", CHEATS),
    "nights_to_suspicion": ("nights", CHEATS),
    "nights_to_suspicion_30": ("nights", CHEATS),
    "cheats_win": ("0 to 1", CHEATS),
    "honest_win": ("0 to 1", CHEATS),
    "auc_observer": ("0 to 1", BELIEFS),
    "auc_pairs": ("0 to 1", BELIEFS),
    "ece": ("0 to 1", BELIEFS),
    "calibration_intercept": ("log-odds", BELIEFS),
    "calibration_slope": ("ratio", BELIEFS),
}
"""Scores of the report that are no sums over nights: unit and heading."""


def _scores() -> Iterator[Quantity]:
    for name, (unit, group) in _SCORES.items():
        title, text, _ = OF_SCORES[name]
        title = title.replace("Nights until then", "Nights until a cheat is suspected")
        meaning = text if group == BELIEFS else f"{text}; of the whole run, whatever the warm-up"
        if name == "nights_to_suspicion_30":
            meaning += "; null where the last who wait were watched for less, as in shorter runs"
        yield _final(name, title, unit, group, meaning, _score(name))
        if name == "auc_observer":
            yield _final("auc", title, unit, group, f"the same as `{name}`", _score(name))
    yield _final(
        "auc_reputation",
        "Ranking by reputation (AUC)",
        "0 to 1",
        BELIEFS,
        "how often a cheat has the worse reputation of a cheat and an honest person; people who "
        "have left or died included",
        lambda collected: collected.reputation_auc(),
    )


def _score(name: str) -> Callable[[Collected], float]:
    return lambda collected: collected.score(name)


def _all() -> dict[str, Quantity]:
    nightly = (_columns, _sums, _harm, _of_houses, _of_purses)
    known = [each for part in (*nightly, ratios, _finals, _scores) for each in part()]
    known.sort(key=lambda each: GROUPS.index(each.group))
    return {each.name: each for each in known}


KNOWN = _all()
"""Every quantity by its name."""
