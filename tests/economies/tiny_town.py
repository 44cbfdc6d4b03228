"""A run of three nights, four people and two houses, written by hand: every sum can be checked."""

import json
from pathlib import Path

import pandas as pd

LEDGER = """
0 0 outside       purse/peasant  intervention   15
0 0 purse/peasant outside        intervention    5
1 0 outside       purse/smith    wage          100
1 0 outside       purse/noble    wage          300
1 0 outside       purse/peasant  wage           14
1 0 purse/smith   outside        living         80
1 0 purse/smith   treasury       tax             5
1 0 purse/noble   treasury       tax            15
1 1 purse/smith   till/1         fee             2
1 1 purse/peasant till/1         drink           8
1 1 purse/smith   pot            stake          20
1 1 purse/peasant pot            stake          20
1 1 pot           purse/smith    payout         38
1 1 pot           till/1         rake            2
1 1 till/1        outside        goods           4
1 1 till/1        outside        staff          90
1 1 till/1        treasury       excise          1
1 2 purse/noble   till/2         drink          40
1 2 till/2        outside        goods          20
1 2 till/2        outside        staff          60
2 0 outside       purse/smith    arrival       500
2 0 outside       purse/smith    wage          100
2 0 outside       purse/peasant  wage           14
2 1 purse/noble   pot            stake          50
2 1 purse/smith   pot            stake          50
2 1 purse/peasant pot            stake          10
2 1 pot           purse/smith    payout         80
2 1 pot           purse/peasant  payout         30
2 1 purse/smith   pot            loan            5
2 1 pot           purse/peasant  loan            5
2 1 purse/smith   pot            repayment       6
2 1 pot           purse/noble    repayment       6
2 1 purse/noble   outside        estate       3201
2 1 purse/smith   outside        bribe           7
2 1 till/1        outside        investment      3
2 2 till/2        outside        staff           4
2 2 till/2        outside        closure         6
3 0 outside       purse/smith    wage          200
3 0 purse/peasant outside        living         12
3 1 purse/smith   till/1         drink          12
3 1 till/1        outside        upkeep          5
"""
"""Night, tavern, from, to, reason, cp."""
PURSES = {
    0: {1: 1000, 2: 3000, 3: 60},
    1: {1: 1031, 2: 3245, 3: 56},
    2: {1: 1093, 3: 95, 4: 550},
    3: {1: 1181, 3: 83, 4: 650},
}
"""Purses by night and person, as the ledger leaves them (night 0: before the gift)."""
PEOPLE = [
    (1, "Ann", "female", "smith", "common", 100, "The Ale", 0, "here", 1000, 1181, 42),
    (2, "Bo", "male", "noble", "noble", 300, "The Bed", 0, "dead", 3000, 0, -44),
    (3, "Cy", "male", "peasant", "poor", 14, "The Ale", 0, "here", 60, 83, 0),
    (4, "Dee", "female", "smith", "common", 120, "The Ale", 2, "here", 500, 650, 0),
]
EVENINGS = [
    (1, 1, 1, 0, 18),
    (1, 2, 2, 2, 0),
    (1, 3, 1, 4, -20),
    (2, 1, 1, 0, 24),
    (2, 3, 1, 0, 20),
    (2, 4, 0, 0, 0),
    (3, 1, 1, 6, 0),
    (3, 3, 0, 0, 0),
    (3, 4, 0, 0, 0),
]
"""Night, person, tavern, mugs, won less lost."""
SCENARIO = """
[town]
population = 50

[[taverns]]
name = "The Ale"
district = "market"
quality = 2
custom = "decent"
mug_cp = 2
seat_fee_cp = 2
till_cp = 100

[[taverns]]
name = "The Bed"
district = "castle"
quality = 5
custom = "guild"
mug_cp = 20
seat_fee_cp = 0
till_cp = 50
"""


def write_tiny_town(folder: Path, ledger: str = LEDGER, version: int = 4) -> Path:
    """Write it; `version` is the format of the folder."""
    folder.mkdir(parents=True)
    (folder / "scenario.toml").write_text(SCENARIO)
    (folder / "run.json").write_text(json.dumps(_info(version)))
    tables = {
        "ledger": _ledger(ledger),
        "nights": _nights(version),
        "patrons": _patrons(version),
        "wealth": _wealth(),
        "events": _events(version),
    }
    if version >= 3:
        columns = ["night", "patron_id", "tavern_id", "drinks", "net_cp"]
        tables["evenings"] = pd.DataFrame(EVENINGS, columns=columns)
    for name, table in tables.items():
        table.to_parquet(folder / f"{name}.parquet")
    return folder


def _info(version: int) -> dict[str, object]:
    ledger = {"opening_cp": 4210, "inflow_cp": 1243, "outflow_cp": 3518, "closing_cp": 1935}
    shared = {"scenario": "tiny", "seed": 1, "nights": 3, "patrons": 4, "totals": {}}
    return {"format": version, "status": "finished", "ledger": ledger, **shared}


def _ledger(text: str) -> pd.DataFrame:
    columns = ["night", "tavern_id", "from_account", "to_account", "reason", "amount_cp"]
    rows = [line.split() for line in text.strip().splitlines()]
    table = pd.DataFrame(rows, columns=columns)
    return table.astype({"night": "int32", "tavern_id": "int16", "amount_cp": "int64"})


def _nights(version: int) -> pd.DataFrame:
    rows = [
        (1, 1, 2, 4, 17, True, 0),
        (1, 2, 1, 2, 10, True, 0),
        (2, 1, 3, 0, 14, True, 0),
        (2, 2, 0, 0, 0, True, 56),
        (3, 1, 1, 6, 21, True, 0),
        (3, 2, 0, 0, 0, False, 0),
    ]
    columns = ["night", "tavern_id", "guests", "mugs", "till_cp", "is_open", "unpaid_cp"]
    table = pd.DataFrame(rows, columns=columns)
    return table if version >= 4 else table[columns[:5]]


def _patrons(version: int) -> pd.DataFrame:
    columns = [
        "patron_id",
        "name",
        "sex",
        "trade",
        "rank",
        "wage_cp",
        "home_tavern",
        "arrived_night",
        "whereabouts",
        "start_cp",
        "end_cp",
        "games_net_cp",
    ]
    table = pd.DataFrame(PEOPLE, columns=columns)
    homes = ["market", "castle", "harbour", "market"]
    return table.assign(district=homes) if version >= 4 else table


def _wealth() -> pd.DataFrame:
    rows = [(n, who, cp) for n, purses in PURSES.items() for who, cp in purses.items()]
    return pd.DataFrame(rows, columns=["night", "patron_id", "gold_cp"])


def _events(version: int) -> pd.DataFrame:
    rows = [(2, 2, "unpaid", 56), (2, 1, "killed", 3201)]
    if version >= 4:
        rows.append((2, 2, "closed", 6))
    return pd.DataFrame(rows, columns=["night", "tavern_id", "kind", "amount_cp"])
