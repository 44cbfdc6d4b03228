"""A run of five people and nine nights, written by hand: for tests of the diary and of rumours.

Ned Flint cheats, is caught lying low by rumour, accused, convicted, banned and beaten; Cora
Dunn watches and talks; Hob Marsh hears it; Edda Reed makes things up; Old Tam dies.
"""

import json
from pathlib import Path
from typing import Any

import pandas as pd

NED, CORA, HOB, EDDA, TAM = 1, 2, 3, 4, 5
NIGHTS = 9
PEOPLE = [
    (NED, "Ned Flint", "male", "human", "smith", True),
    (CORA, "Cora Dunn", "female", "elf", "guard", False),
    (HOB, "Hob Marsh", "male", "dwarf", "farmer", False),
    (EDDA, "Edda Reed", "female", "halfling", "barmaid", False),
    (TAM, "Old Tam", "male", "human", "beggar", False),
]
EVENTS: list[dict[str, Any]] = [
    {"night": 2, "round": 4, "kind": "trick", "patron_id": NED, "text": "Ned Flint palmed a die."},
    {
        "night": 2,
        "round": 9,
        "kind": "failed_trick",
        "patron_id": NED,
        "text": "Ned Flint's thumb slipped (7 + 6 against 19).",
        "witnesses": [CORA, HOB],
    },
    {
        "night": 3,
        "round": 5,
        "kind": "accused",
        "patron_id": CORA,
        "other_id": NED,
        "is_just": True,
        "text": "Cora Dunn called Ned Flint a cheat to his face.",
        "witnesses": [HOB, EDDA],
    },
    {
        "night": 3,
        "round": 5,
        "kind": "convicted",
        "patron_id": NED,
        "other_id": CORA,
        "is_just": True,
        "text": "The table found Ned Flint guilty, 2 of 2 against him.",
        "witnesses": [HOB, EDDA],
    },
    {
        "night": 3,
        "round": 5,
        "kind": "banned",
        "patron_id": NED,
        "other_id": CORA,
        "is_just": True,
        "text": "Ned Flint was banned from The Eel Pot for 2 nights.",
        "witnesses": [HOB, EDDA],
    },
    {
        "night": 6,
        "round": 2,
        "kind": "accused",
        "patron_id": NED,
        "other_id": HOB,
        "is_just": False,
        "text": "Ned Flint called Hob Marsh a cheat.",
        "witnesses": [CORA, EDDA],
    },
    {
        "night": 6,
        "round": 2,
        "kind": "cleared",
        "patron_id": HOB,
        "other_id": NED,
        "is_just": True,
        "text": "The table cleared Hob Marsh (0 of 2 against him).",
        "witnesses": [CORA, EDDA],
    },
    {
        "night": 6,
        "round": 2,
        "kind": "brawl",
        "patron_id": HOB,
        "other_id": NED,
        "text": "Hob Marsh and Ned Flint came to blows over it.",
        "witnesses": [CORA, EDDA],
    },
    {
        "night": 7,
        "round": 3,
        "kind": "killed",
        "patron_id": TAM,
        "other_id": HOB,
        "is_just": False,
        "amount_cp": 12,
        "text": "Old Tam was cut down at the table; 1 sp 2 cp went to the heirs.",
        "witnesses": [CORA],
    },
    {
        "night": 8,
        "round": 6,
        "kind": "big_win",
        "patron_id": CORA,
        "other_id": HOB,
        "amount_cp": 305,
        "text": "Cora Dunn raked in 3 gp 5 cp at one throw.",
        "witnesses": [HOB],
    },
]
# Who was out on which night: (night, patron): (table, drinks, net).
OUT = {
    (2, NED): (1, 3, 40),
    (2, CORA): (1, 1, -12),
    (2, HOB): (1, 0, 0),
    (3, NED): (2, 2, -60),
    (3, CORA): (2, 2, 20),
    (3, HOB): (2, 4, 20),
    (3, EDDA): (2, 1, 20),
    (6, NED): (1, 1, 5),
    (6, CORA): (1, 2, -5),
    (6, HOB): (1, 2, 0),
    (6, EDDA): (1, 2, 0),
    (7, CORA): (1, 1, 0),
    (7, HOB): (1, 1, 0),
    (7, TAM): (1, 1, 0),
    (8, CORA): (1, 12, 305),
    (8, HOB): (0, 1, 0),
}
RUMORS: list[dict[str, Any]] = [
    {"rumor_id": 1, "event_id": 2, "claim": "cheats", "subject_id": NED, "night": 2},
    {"rumor_id": 2, "event_id": 5, "claim": "banned", "subject_id": NED, "night": 3},
    {
        "rumor_id": 3,
        "story_id": 2,
        "parent_id": 2,
        "event_id": 5,
        "claim": "banned",
        "subject_id": EDDA,
        "night": 3,
        "changed": "person",
        "made_by": HOB,
        "made_night": 6,
        "truth": "wrong person",
    },
    {
        "rumor_id": 4,
        "event_id": 0,
        "claim": "cheats",
        "subject_id": HOB,
        "night": 6,
        "changed": "invented",
        "made_by": EDDA,
        "made_night": 6,
        "truth": "false",
    },
]
TELLINGS: list[dict[str, Any]] = [
    {"telling_id": 1, "rumor_id": 1, "teller_id": CORA, "listener_id": EDDA, "night": 2},
    {
        "telling_id": 2,
        "rumor_id": 1,
        "teller_id": CORA,
        "listener_id": HOB,
        "night": 3,
        "knew": True,
    },
    {
        "telling_id": 3,
        "rumor_id": 2,
        "teller_id": CORA,
        "listener_id": TAM,
        "night": 3,
        "believed": False,
    },
    {"telling_id": 4, "rumor_id": 4, "teller_id": EDDA, "listener_id": CORA, "night": 6},
    {
        "telling_id": 5,
        "rumor_id": 3,
        "told_rumor_id": 2,
        "teller_id": HOB,
        "listener_id": CORA,
        "night": 6,
        "knew": True,
        "changed": "person",
    },
    {
        "telling_id": 6,
        "rumor_id": 4,
        "teller_id": CORA,
        "listener_id": HOB,
        "night": 7,
        "told_from": 4,
    },
    {
        "telling_id": 7,
        "rumor_id": 3,
        "told_rumor_id": 2,
        "teller_id": HOB,
        "listener_id": NED,
        "night": 6,
        "changed": "person",
    },
]


def write_life(folder: Path, *, net: bool = True) -> Path:
    """Write the run; without `net` its evenings do not say what the games brought."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = {
        "patrons": pd.DataFrame([_person(*person) for person in PEOPLE]),
        "events": _events(),
        "evenings": _evenings(net),
        "wealth": pd.DataFrame(
            [
                {"night": night, "patron_id": each[0], "gold_cp": 5 if each[0] == TAM else 500}
                for night in range(NIGHTS + 1)
                for each in PEOPLE
            ]
        ),
        "trials": _trials(),
        "rumors": pd.DataFrame([_rumor(each) for each in RUMORS]),
        "tellings": pd.DataFrame([_telling(each) for each in TELLINGS]),
    }
    for name, table in tables.items():
        table.to_parquet(folder / f"{name}.parquet", index=False)
    scenario = '[[taverns]]\nname = "The Eel Pot"\nseat_fee_cp = 2\nmug_cp = 4\n'
    (folder / "scenario.toml").write_text(scenario, encoding="utf-8")
    info = {"format": 2, "status": "finished", "scenario": "life", "seed": 1}
    info |= {"nights": NIGHTS, "patrons": len(PEOPLE), "totals": {}}
    (folder / "run.json").write_text(json.dumps(info), encoding="utf-8")
    return folder


def _person(
    number: int, name: str, sex: str, ancestry: str, trade: str, is_cheat: bool
) -> dict[str, Any]:
    is_dead = number == TAM
    return {
        "patron_id": number,
        "name": name,
        "sex": sex,
        "ancestry": ancestry,
        "trade": trade,
        "rank": "common",
        "home_tavern": "The Eel Pot",
        "is_player": False,
        "is_cheat_kind": is_cheat,
        "honesty": -1.7 if is_cheat else 0.2,
        "emotionality": 0.0,
        "extraversion": 2.1 if number == EDDA else 0.0,
        "agreeableness": 0.0,
        "conscientiousness": 0.0,
        "openness": 0.0,
        "arrived_night": 0,
        "gone_night": pd.NA if not is_dead else 7,
        "whereabouts": "dead" if is_dead else "here",
        "wage_cp": 110,
        "start_cp": 520,
        "tries": 2 if is_cheat else 0,
        "failed_checks": 1 if is_cheat else 0,
        "games_net_cp": -15 if is_cheat else 0,
        "believers": 3,
        "notoriety": 1 if is_cheat else 0,
    }


def _events() -> pd.DataFrame:
    blank = {"tavern_id": 1, "table_id": 1, "other_id": 0, "amount_cp": 0, "is_just": None}
    rows = [
        {"event_id": i} | blank | {"witnesses": []} | event for i, event in enumerate(EVENTS, 1)
    ]
    return pd.DataFrame(rows).astype({"is_just": "boolean"})


def _evenings(net: bool) -> pd.DataFrame:
    rows = []
    for night in range(1, NIGHTS + 1):
        for number, *_ in PEOPLE:
            if number == TAM and night > 7:
                continue
            table, drinks, won = OUT.get((night, number), (0, 0, 0))
            is_out = (night, number) in OUT
            is_bruised = number == NED and night == 6  # as he goes to bed
            rows.append(
                {
                    "night": night,
                    "patron_id": number,
                    "tavern_id": int(is_out),
                    "table_id": table,
                    "drinks": drinks,
                    "stayed": is_out,
                    "condition": "bruised" if is_bruised else "healthy",
                }
                | ({"net_cp": won} if net else {})
            )
    return pd.DataFrame(rows)


def _trials() -> pd.DataFrame:
    shared = {"tavern_id": 1, "table_id": 1, "game": "rotting-toes", "tricked": False}
    rows = [
        {"night": 3, "round": 5, "accuser_id": CORA, "accused_id": NED, "accuser_belief": 0.97}
        | {"judges": [HOB, EDDA], "beliefs": [0.8, 0.7], "n_guilty": 2, "verdict": "convicted"},
        {"night": 6, "round": 2, "accuser_id": NED, "accused_id": HOB, "accuser_belief": 0.6}
        | {"judges": [CORA, EDDA], "beliefs": [0.1, None], "n_guilty": 0, "verdict": "cleared"},
    ]
    more = {"is_cheat": True, "sentence": "", "ran": False, "repaid_cp": 0}
    return pd.DataFrame([row | shared | more for row in rows])


def _rumor(given: dict[str, Any]) -> dict[str, Any]:
    blank = {"story_id": given["rumor_id"], "parent_id": 0, "game": "rotting-toes", "other_id": 0}
    blank |= {"amount_cp": 0, "tavern_id": 1, "changed": "", "made_by": 0}
    return blank | {"made_night": given["night"], "truth": "true"} | given


def _telling(given: dict[str, Any]) -> dict[str, Any]:
    blank = {"told_rumor_id": given["rumor_id"], "tavern_id": 1, "changed": "", "told_from": 0}
    knew = bool(given.get("knew"))
    return blank | {"knew": knew, "believed": not knew} | given
