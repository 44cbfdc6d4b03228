"""Tables of the people: who they are, what they believe of each other, whom they know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pandas as pd

from ..extent import kept_of
from ..measures import reputations
from ..patrons.columns import (
    ABILITIES,
    COLUMNS,
    DEAD,
    FEATS,
    HERE,
    SEXES,
    SKILLS,
    TEMPERS,
    TRAITS,
)
from ..society.acquaintance import pairs
from ..society.suspicion import with_belief
from ..town.closing import CONDITIONS, condition_of
from ..town.districts import districts_of

if TYPE_CHECKING:
    from ..model import TavernModel

WHEREABOUTS = {HERE: "here", DEAD: "dead"}


def patrons_table(model: TavernModel) -> pd.DataFrame:
    """Everybody who has ever lived here, with his record and what others think of him."""
    n, people, sheet = model.n_rows, model.people, model.sheet
    trades = list(model.data.trades.values())
    taverns = [tavern.name for tavern in model.scenario.taverns]
    districts = districts_of(model.scenario)
    pick = {name: getattr(people, name)[:n] for name in COLUMNS}
    here, night = pick["whereabouts"] == HERE, int(model.time)
    table: dict[str, Any] = {
        "patron_id": np.arange(1, n + 1, dtype=np.int32),
        "name": [model.name_of(row) for row in range(n)],
        "ancestry": [model.ancestries[i] for i in sheet.ancestry[:n].tolist()],
        "sex": [SEXES[i] for i in sheet.sex[:n].tolist()],
        "household_id": (sheet.household[:n] + 1).astype(np.int32),
        "temper": [TEMPERS[i] for i in sheet.temper[:n].tolist()],
        "gambler": [model.gamblers[i] for i in sheet.gambler[:n].tolist()],
        "trade": [trades[i].name for i in pick["trade"].tolist()],
        "rank": [trades[i].rank for i in pick["trade"].tolist()],
        "home_tavern": [taverns[i] for i in pick["home"].tolist()],
        "district": [districts[i] for i in sheet.quarter[:n].tolist()],
        "is_player": pick["is_player"] == 1,
        "is_cheat_kind": pick["is_cheat"] == 1,
        "has_weighted_dice": pick["weighted"] == 1,
        "has_tried": pick["tries"] > 0,
        "is_cheat": (pick["is_cheat"] == 1) & (pick["tries"] > 0),
        "level": sheet.level[:n],
        **{name: getattr(sheet, name)[:n] for name in ABILITIES},
        "thievery": pick["thievery"],
        "perception": pick["perception"],
        **{name: getattr(sheet, name)[:n] for name in SKILLS},
        "speed_ft": sheet.speed_ft[:n],
        "feats": [_feats(bits) for bits in sheet.feats[:n].tolist()],
        **{name: getattr(sheet, name)[:n] for name in TRAITS},
        "wage_cp": pick["wage"],
        "arrived_night": pick["arrived"],
        "gone_night": pd.array(np.where(here, 0, pick["gone"]), "Int64"),
        "whereabouts": [WHEREABOUTS.get(i, "left") for i in pick["whereabouts"].tolist()],
        "condition": _conditions(pick, night),
        "wounds": pick["wounds"],
        "banned_tavern_id": _banned(pick, night),
        "start_cp": pick["start_gold"],
        "end_cp": pick["gold"],
        "owes_cp": pick["owes_cp"],
        "owes_to_id": (pick["owes_to"] + 1).astype(np.int32),
        "games_net_cp": pick["games_net"],
        "drinks_cp": pick["drinks_cp"],
        "hands": pick["hands"],
        "hand_wins": pick["hand_wins"],
        "tries": pick["tries"],
        "failed_checks": pick["failed_ever"],
        "first_try_night": _night(pick["first_try"]),
        "suspected_night": _night(pick["suspected"]),
        "convicted": pick["convicted"],
        "beaten": pick["beaten"],
        "escaped": pick["escaped"],
        "dodged": pick["dodged"],
        "accused_others": pick["accusations"],
        "was_accused": pick["accused"],
    }
    table["gone_night"][here] = pd.NA
    believed = reputations(model.suspicion.to_frame()).reindex(range(1, n + 1))
    table["reputation"] = believed["reputation"].to_numpy(np.float64)
    for name in ("notoriety", "believers"):
        table[name] = believed[name].fillna(0).to_numpy(np.int64)
    return pd.DataFrame(table)


class _Health(NamedTuple):
    """What `condition_of` looks at: a row of people takes ten times as long to look up."""

    bruised_until: int
    low_until: int
    hurt_hand: int
    wounds: int


def _conditions(pick: dict[str, Any], night: int) -> list[str]:
    """How everybody is tomorrow."""
    columns = (pick[name].tolist() for name in _Health._fields)
    health = map(_Health, *columns)
    return [CONDITIONS[condition_of(cast(Any, each), night)] for each in health]


def _night(column: Any) -> Any:
    """A night, missing where it has not come."""
    nights = pd.array(column, "Int64")
    nights[column == 0] = pd.NA
    return nights


def _banned(pick: dict[str, Any], night: int) -> Any:
    """The tavern somebody is banned from, or 0."""
    return np.where(pick["banned_until"] > night, pick["banned_from"] + 1, 0).astype(np.int16)


def _feats(bits: int) -> list[str]:
    return [feat for i, feat in enumerate(FEATS) if bits >> i & 1]


def suspicion_table(model: TavernModel) -> pd.DataFrame:
    """Edges of the suspicion network, every seventh night and the last.

    In a big town those that are written down: see `extent`.
    """
    networks = dict(model.record.networks)
    networks[int(model.time)] = kept_of(model.suspicion.columns, model.record.extent)
    parts = [pd.DataFrame(_of_a_night(night, net)) for night, net in networks.items()]
    return pd.concat(parts, ignore_index=True)


def _of_a_night(night: int, network: dict[str, Any]) -> dict[str, Any]:
    nights = np.full(len(network["log_odds"]), night, np.int32)
    return {"night": nights} | with_belief(network) | {"in_full": network["in_full"]}


def acquaintances_table(model: TavernModel) -> pd.DataFrame:
    """Who knows whom at the end, of those who live here."""
    return pd.DataFrame(pairs(model.company.acquaintances, model.living()))
