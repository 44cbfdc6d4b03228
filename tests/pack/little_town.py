"""A town of twelve people in two houses, six nights: small enough to know who knows what.

Its folder has every table of a run; those that the pack reads are written out here.

Out on the last night: at the Eel Pot Bess, Nan, Wilkin and Gil; at the Three Keys Tam, Osk,
Morza, Hob, Cora and Pip, who is a player's. Jory was killed, Ylva has left town.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from tavern_abm.run_folder import RunFolder, read_run
from tests.fake_run import Fake, write_fake_run

TAM, BESS, OSK, MORZA, NAN, HOB, CORA, WILKIN, PIP, JORY, YLVA, GIL = range(1, 13)
EEL_POT, THREE_KEYS = 1, 2
NIGHTS = 6
NAMES = (
    *("Tam Harl", "Bess Harl", "Osk Gannet", "Morza Vell", "Nan Tolliver", "Hob Merrow"),
    *("Cora Finch", "Wilkin Roe", "Pip Strand", "Jory Vane", "Ylva Dunn", "Gil Marsh"),
)
WOMEN = {BESS, MORZA, NAN, CORA, YLVA}
TRADES = (
    *("carter", "cooper", "smith", "butcher", "servant", "fisher"),
    *("innkeeper", "beggar", "thief", "sailor", "barmaid", "barmaid"),
)
RANKS = {CORA: "well-off", WILKIN: "poor", NAN: "poor"}
TEMPERS = ("sour", "merry", "fearful", "boastful", "careful", "pious")
HOMES = {OSK, HOB, CORA, JORY}
SCENARIO = """\
name = "little"
patrons = 12
[[taverns]]
name = "The Eel Pot"
custom = "orc"
seat_fee_cp = 1
mug_cp = 3
[[taverns.tables]]
game = "rotting-toes"
count = 2
[[taverns.tables]]
game = "arm-wrestling"
count = "auto"
[[taverns.yard]]
game = "race"
[[taverns]]
name = "The Three Keys"
custom = "decent"
seat_fee_cp = 2
mug_cp = 5
[[taverns.tables]]
game = "rotting-toes"
count = "auto"
[[taverns.tables]]
game = "arm-wrestling"
count = "auto"
"""

_EVENT = ("event_id", "night", "tavern_id", "kind", "patron_id", "other_id", "amount_cp", "text")
EVENTS: tuple[tuple[Any, ...], ...] = (
    (1, 2, 1, "trick", OSK, 0, 20, "Osk Gannet turned a die unseen.", ()),
    (2, 2, 1, "failed_trick", OSK, 0, 20, "Osk Gannet's die rolled away.", (TAM, NAN, MORZA)),
    (3, 2, 1, "accused", MORZA, OSK, 0, "Morza Vell called Osk Gannet a cheat.", (TAM, NAN)),
    (4, 2, 1, "convicted", OSK, MORZA, 30, "The table found Osk Gannet guilty.", (TAM, NAN)),
    (5, 2, 1, "beaten", OSK, 0, 0, "Osk Gannet was beaten.", (TAM, NAN, MORZA)),
    (6, 3, 2, "accused", HOB, TAM, 0, "Hob Merrow called Tam Harl a cheat.", (CORA, WILKIN)),
    (7, 3, 2, "cleared", TAM, HOB, 0, "The table cleared Tam Harl. A row.", (CORA, WILKIN)),
    (8, 3, 2, "big_win", NAN, 0, 900, "Nan Tolliver raked in 9 gp.", (CORA, WILKIN)),
    (9, 3, 1, "killed", JORY, MORZA, 75, "Jory Vane was killed.", (BESS,)),
    (10, 4, 0, "arrived", GIL, 0, 310, "Gil Marsh came to town with 3 gp 1 sp.", ()),
    (11, 4, 1, "lent", WILKIN, CORA, 25, "Cora Finch lent Wilkin Roe 2 sp 5 cp.", ()),
    (12, 5, 0, "left", YLVA, 0, 40, "Ylva Dunn left town for good with 4 sp.", ()),
    (
        13,
        5,
        1,
        "banned",
        HOB,
        0,
        0,
        "Hob Merrow was banned from The Eel Pot for 7 nights.",
        (BESS,),
    ),
    (14, 6, 0, "dodged", WILKIN, CORA, 25, "Wilkin Roe could not pay Cora Finch.", ()),
    (15, 6, 2, "bout", MORZA, OSK, 10, "Morza Vell slammed Osk Gannet's hand.", (TAM,)),
    (16, 6, 1, "brawl", NAN, BESS, 0, "Nan Tolliver and Bess Harl came to blows.", (GIL,)),
)
_RUMOR = (
    *("rumor_id", "story_id", "parent_id", "event_id", "claim", "game", "subject_id", "other_id"),
    *("amount_cp", "night", "tavern_id", "changed", "made_by", "made_night"),
)
DICE = "rotting-toes"
RUMORS: tuple[tuple[Any, ...], ...] = (
    (1, 1, 0, 4, "cheats", DICE, OSK, MORZA, 0, 2, 1, "", 0, 2),
    (2, 2, 0, 5, "beaten", DICE, OSK, MORZA, 0, 2, 1, "", 0, 2),
    (3, 3, 0, 7, "cheats", DICE, TAM, HOB, 0, 3, 2, "", 0, 3),
    (4, 4, 0, 8, "won", DICE, NAN, 0, 900, 3, 2, "", 0, 3),
    (5, 4, 4, 8, "won", DICE, NAN, 0, 1800, 3, 2, "sum", CORA, 4),
    (6, 2, 2, 5, "beaten", DICE, TAM, MORZA, 0, 2, 1, "person", NAN, 4),
    (7, 7, 0, 0, "cheats", DICE, WILKIN, 0, 0, 5, 2, "invented", HOB, 5),
    (8, 8, 0, 9, "killed", DICE, JORY, MORZA, 0, 3, 1, "", 0, 3),
    (9, 9, 0, 16, "brawl", DICE, NAN, BESS, 0, 6, 1, "", 0, 6),
)
_TELLING = (
    *("telling_id", "rumor_id", "told_rumor_id", "teller_id", "listener_id", "night"),
    *("tavern_id", "knew", "believed", "told_from"),
)
TELLINGS: tuple[tuple[Any, ...], ...] = (
    (1, 1, 1, NAN, BESS, 3, 1, False, True, 0),
    (2, 1, 1, BESS, HOB, 4, 2, False, True, 1),
    (3, 5, 4, CORA, BESS, 4, 1, False, True, 0),
    (4, 6, 2, NAN, CORA, 4, 2, False, True, 0),
    (5, 5, 5, BESS, GIL, 5, 1, False, True, 3),
    (6, 7, 7, HOB, MORZA, 5, 2, False, True, 0),
    (7, 7, 7, MORZA, OSK, 6, 2, False, False, 6),
    (8, 6, 6, CORA, TAM, 5, 2, True, False, 4),
    (9, 6, 6, CORA, HOB, 5, 2, False, True, 4),
    (10, 1, 1, HOB, GIL, 6, 1, False, True, 2),
    (11, 5, 5, GIL, NAN, 6, 1, True, False, 5),
)
LAST = {
    **dict.fromkeys((BESS, NAN, WILKIN, GIL), EEL_POT),
    **dict.fromkeys((TAM, OSK, MORZA, HOB, CORA, PIP), THREE_KEYS),
}
"""Where everybody was on the last night."""
DRINKS = {BESS: 1, NAN: 2, GIL: 5}


def write_little_town(folder: Path) -> RunFolder:
    """Write its folder and open it."""
    write_fake_run(folder, Fake(patrons=len(NAMES), nights=NIGHTS))
    tables = {
        "patrons": _patrons(folder),
        "events": _events(),
        "rumors": _rumors(),
        "tellings": pd.DataFrame(TELLINGS, columns=list(_TELLING)).assign(changed=""),
        "trials": _trials(folder),
        "acquaintances": _acquaintances(),
        "evenings": _evenings(),
        "wealth": _wealth(),
    }
    for name, table in tables.items():
        table.to_parquet(folder / f"{name}.parquet", index=False)
    (folder / "scenario.toml").write_text(SCENARIO, encoding="utf-8")
    info = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    info |= {"scenario": "little", "nights": NIGHTS, "patrons": len(NAMES)}
    info["salt"] = "5a17" * 8  # what is drawn for its rumours follows from it
    (folder / "run.json").write_text(json.dumps(info), encoding="utf-8")
    return read_run(folder)


def _patrons(folder: Path) -> pd.DataFrame:
    n = len(NAMES)
    ids = range(1, n + 1)
    gone = [{JORY: 3, YLVA: 5}.get(each) for each in ids]
    where = {JORY: "dead", YLVA: "left"}
    return pd.read_parquet(folder / "patrons.parquet").assign(
        name=NAMES,
        ancestry=["half-orc" if each == MORZA else "human" for each in ids],
        sex=["female" if each in WOMEN else "male" for each in ids],
        household_id=[TAM if each in (TAM, BESS) else each for each in ids],
        temper=[TEMPERS[each % len(TEMPERS)] for each in ids],
        trade=TRADES,
        rank=[RANKS.get(each, "common") for each in ids],
        home_tavern=["The Three Keys" if each in HOMES else "The Eel Pot" for each in ids],
        is_player=[each == PIP for each in ids],
        arrived_night=[4 if each == GIL else 0 for each in ids],
        gone_night=pd.array(gone, "Int32"),
        whereabouts=[where.get(each, "here") for each in ids],
        banned_tavern_id=[EEL_POT if each == HOB else 0 for each in ids],
        owes_cp=[25 if each == WILKIN else 0 for each in ids],
        owes_to_id=[CORA if each == WILKIN else 0 for each in ids],
    )


def _events() -> pd.DataFrame:
    table = pd.DataFrame([dict(zip((*_EVENT, "witnesses"), row, strict=True)) for row in EVENTS])
    tables = [0 if kind in ("arrived", "left", "lent", "dodged") else 1 for kind in table["kind"]]
    tables = [
        1_000_001 if kind == "bout" else at for kind, at in zip(table["kind"], tables, strict=True)
    ]
    return table.assign(
        round=[0 if not at else 5 for at in tables],
        table_id=tables,
        is_just=pd.array([None] * len(table), "boolean"),
        natural=0,
        dc=0,
        modifier=0.0,
        witnesses=[list(each) for each in table["witnesses"]],
    )


def _rumors() -> pd.DataFrame:
    return pd.DataFrame(RUMORS, columns=list(_RUMOR)).assign(truth="true")


def _trials(folder: Path) -> pd.DataFrame:
    table = pd.read_parquet(folder / "trials.parquet")
    common = {"round": 5, "table_id": 1, "game": DICE, "accuser_belief": 0.8, "tricked": False}
    common |= {"sentence": "", "ran": False, "repaid_cp": 0}
    rows = [
        common
        | {"night": 2, "tavern_id": 1, "accuser_id": MORZA, "accused_id": OSK, "n_guilty": 2}
        | {"judges": [TAM, NAN], "beliefs": [0.9, 0.7], "verdict": "convicted", "is_cheat": True},
        common
        | {"night": 3, "tavern_id": 2, "accuser_id": HOB, "accused_id": TAM, "n_guilty": 1}
        | {"judges": [CORA, WILKIN], "beliefs": [0.2, 0.6], "verdict": "cleared"}
        | {"is_cheat": False},
    ]
    return pd.DataFrame(rows, columns=table.columns)


def _acquaintances() -> pd.DataFrame:
    ties = ((TAM, BESS, "kin", 0), (TAM, MORZA, "tavern", 0), (NAN, GIL, "met", 6))
    columns = ["patron_id", "other_id", "tie", "since_night"]
    return pd.DataFrame(ties, columns=columns)


def _evenings() -> pd.DataFrame:
    """The last night as it was; before it everybody sat at his own house's first table."""
    rows = []
    for night in range(1, NIGHTS + 1):
        for each in range(1, len(NAMES) + 1):
            if (each == JORY and night > 3) or (each == YLVA and night > 4):
                continue
            if each == GIL and night < 4:
                continue
            house = THREE_KEYS if each in HOMES else EEL_POT
            house = LAST.get(each, house) if night == NIGHTS else house
            rows.append((night, each, house, 1, DRINKS.get(each, 0), True, 0, "healthy"))
    columns = ["night", "patron_id", "tavern_id", "table_id", "drinks", "stayed", "net_cp"]
    return pd.DataFrame(rows, columns=[*columns, "condition"])


def _wealth() -> pd.DataFrame:
    evenings = _evenings()
    purses = {TAM: 6, BESS: 7, OSK: 11}
    return pd.DataFrame(
        {
            "night": evenings["night"],
            "patron_id": evenings["patron_id"],
            "gold_cp": [purses.get(each, 100) for each in evenings["patron_id"]],
        }
    )
