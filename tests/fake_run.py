"""A small, plausible run folder without a model: for tests of whatever reads one."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tavern_abm.measures import auc, gini, reputations
from tavern_abm.patrons.competitor import SKILL_ABILITY
from tests import fake_society

TRADES = {"beggar": 10, "peasant": 14, "barmaid": 60, "farmer": 100, "smith": 110, "guard": 200}
ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
SKILLS = ("thievery", "perception", "bluff", "insight")
TRAITS = (
    "honesty",
    "emotionality",
    "extraversion",
    "agreeableness",
    "conscientiousness",
    "openness",
)
AWKWARD = (
    'Ned "Fingers" O\'Malley',
    "<script>alert('boo')</script>",
    "Zoë Müller-Ångström & Söhne",
    "</script><b>Bold</b> Bertha",
)
FIRST = [
    "Alda",
    "Bran",
    "Cora",
    "Dorn",
    "Edda",
    "Finn",
    "Gerta",
    "Hob",
    "Ilse",
    "Jory",
    "Kett",
    "Lisbet",
    "Marta",
    "Nob",
    "Orla",
    "Perrin",
]
LAST = [
    "Alewife",
    "Brook",
    "Cooper",
    "Dunn",
    "Ember",
    "Flint",
    "Greave",
    "Hollow",
    "Ironside",
    "Kettle",
    "Marsh",
    "Reed",
]
SENTENCES = ("warned", "thrown_out", "banned", "beaten", "killed")
COUNTS = [
    "guests",
    "games",
    "rounds",
    "staked_cp",
    "changed_hands_cp",
    "rake_cp",
    "mugs",
    "drinks_cp",
    "till_cp",
    "tricks_tried",
    "tricks_noticed",
    "tricks_convicted",
    "accusations_just",
    "accusations_unjust",
    "convictions_just",
    "convictions_unjust",
    "cleared",
    "warned",
    "thrown_out",
    "banned",
    "beaten_just",
    "beaten_unjust",
    "killed_just",
    "killed_unjust",
    "too_lucky",
    "too_lucky_chances",
    "brawls",
    "contests",
    "bets_cp",
    "hurt",
    "tricked_hands",
    "cheats_hands",
    "cheats_staked_cp",
    "cheats_net_cp",
    "honest_hands",
    "honest_staked_cp",
    "honest_net_cp",
    "dice_noticed",
    "ran",
    "got_away",
    "bribes",
    "bribes_cp",
    "loans",
    "loans_cp",
    "paid_back",
    "dodged",
    "hearsay",
    "rumors",
    "tellings",
    "believed",
    "suspected_right",
    "suspected_wrong",
    "missed",
    "unsuspected",
]
EVENT_COLUMNS = {
    "event_id": "int32",
    "night": "int32",
    "round": "int16",
    "tavern_id": "int16",
    "table_id": "int16",
    "kind": "str",
    "patron_id": "int32",
    "other_id": "int32",
    "amount_cp": "int64",
    "is_just": "boolean",
    "witnesses": "object",
    "text": "str",
    "natural": "int8",
    "dc": "int8",
    "modifier": "float64",
}


@dataclass(frozen=True)
class Fake:
    """What a fake run is like. A quiet one has no cheats, no sentences, no suspicion."""

    patrons: int = 40
    nights: int = 21
    seed: int = 7
    quiet: bool = False
    orcs: bool = False
    tavern: str = "The Rusty Flagon"
    held: int = 12  # beliefs that each person holds
    games: tuple[str, ...] = ("rotting-toes",)


def write_fake_run(folder: Path, fake: Fake | None = None) -> Path:
    """Write every table of a run that never was; the same `fake` gives the same tables."""
    fake = fake or Fake()
    rng = np.random.default_rng(fake.seed)
    folder.mkdir(parents=True, exist_ok=True)
    people = _people(fake, rng)
    wealth = _wealth(fake, people, rng)
    events = _events(fake, people, rng)
    nights = _nights(fake, wealth, events, rng)
    suspicion = _suspicion(fake, people, rng)
    society = _society(fake, people, wealth, events)
    nights = _talked_of(nights, society, people, suspicion)
    people = _reckoned(people, wealth, events, suspicion)
    tables = {
        "nights": nights,
        "patrons": people,
        "wealth": wealth,
        "events": events,
        "suspicion": suspicion,
        "ledger": _ledger(nights),
        "games": _games(fake, nights),
        "players": _players(fake, people, rng),
        **society,
    }
    for name, table in tables.items():
        table.to_parquet(folder / f"{name}.parquet", index=False)
    (folder / "scenario.toml").write_text(_scenario(fake), encoding="utf-8")
    info = _info(fake, nights, people)
    (folder / "run.json").write_text(json.dumps(info, indent=1), encoding="utf-8")
    return folder


def _people(fake: Fake, rng: np.random.Generator) -> pd.DataFrame:
    n = fake.patrons
    trade = rng.choice(list(TRADES), n)
    names = [f"{FIRST[i % 16]} {LAST[(i * 7 + i // 16) % 12]}" for i in range(n)]
    names[1 : 1 + len(AWKWARD)] = AWKWARD[: max(0, n - 1)]
    cheats = np.zeros(n, bool) if fake.quiet else rng.random(n) < 0.12
    cheats[2:3] = not fake.quiet
    wages = np.array([TRADES[each] for each in trade])
    gone = np.where(rng.random(n) < 0.05, rng.integers(1, fake.nights + 1, n), 0)
    columns: dict[str, Any] = {
        "patron_id": np.arange(1, n + 1, dtype=np.int32),
        "name": names[:n],
        "ancestry": rng.choice(["orc"] if fake.orcs else ["human", "dwarf", "halfling"], n),
        "sex": rng.choice(["female", "male"], n),
        "household_id": np.arange(n, dtype=np.int32) // 3 * 3 + 1,
        "temper": "merry",
        "gambler": "plain",
        "trade": trade,
        "rank": np.where(wages < 50, "poor", np.where(wages < 150, "common", "well-off")),
        "home_tavern": fake.tavern,
        "district": "market",
        "is_player": np.arange(n) == n - 1,
        "is_cheat_kind": cheats,
        "has_weighted_dice": False,
        **{ability: rng.integers(6, 17, n) for ability in ABILITIES},
        **{skill: rng.integers(0, 9, n) for skill in SKILLS},
        "feats": [[] for _ in range(n)],
        **{trait: rng.normal(size=n).astype(np.float32) for trait in TRAITS},
        "arrived_night": np.where(rng.random(n) < 0.06, rng.integers(0, fake.nights + 1, n), 0),
        "gone_night": pd.array(gone, dtype="Int32"),
        "wage_cp": wages,
        "start_cp": (wages * 15 * rng.lognormal(-0.32, 0.8, n)).astype(np.int64),
    }
    table = pd.DataFrame(columns)
    table = table.assign(level=1, speed_ft=30, **_untrained(table))
    stays = (gone == 0) | (gone <= table["arrived_night"].to_numpy())
    table.loc[stays, "gone_night"] = pd.NA
    table["whereabouts"] = np.where(stays, "here", "left")
    return table


def _untrained(people: pd.DataFrame) -> dict[str, Any]:
    """Modifiers of skills that nobody has trained."""
    return {skill: (people[ability] - 10) // 2 for skill, ability in SKILL_ABILITY.items()}


def _wealth(fake: Fake, people: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    n, nights = len(people), fake.nights
    steps = rng.normal(0, 30, (nights + 1, n)) + 8 * people["is_cheat_kind"].to_numpy()
    steps[0] = people["start_cp"]
    purses = np.maximum(np.cumsum(steps, axis=0), 0).astype(np.int64)
    night = np.repeat(np.arange(nights + 1), n)
    table = pd.DataFrame(
        {
            "night": night.astype(np.int32),
            "patron_id": np.tile(people["patron_id"].to_numpy(), nights + 1),
            "gold_cp": purses.ravel(),
        }
    )
    arrived = np.tile(people["arrived_night"].to_numpy(), nights + 1)
    gone = np.tile(people["gone_night"].fillna(nights + 1).to_numpy(int), nights + 1)
    return table[(night >= arrived) & (night < gone)].reset_index(drop=True)


class _Diary:
    """Events one after the other, each with its sentence."""

    def __init__(self, people: pd.DataFrame, rng: np.random.Generator) -> None:
        self.names = dict(zip(people["patron_id"], people["name"], strict=True))
        self.rng = rng
        self.rows: list[dict[str, Any]] = []

    def add(self, night: int, kind: str, text: str, one: int, other: int = 0, **more: Any) -> None:
        at_table = kind not in ("arrived", "left")
        row = {
            "event_id": len(self.rows) + 1,
            "night": night,
            "round": int(self.rng.integers(1, 25)) if at_table else 0,
            "tavern_id": int(at_table),
            "table_id": int(self.rng.integers(1, 5)) if at_table else 0,
            "kind": kind,
            "patron_id": one,
            "other_id": other,
            "amount_cp": 0,
            "is_just": None,
            "witnesses": [one, other] if other else [one],
            "text": text.format(one=self.names[one], other=self.names.get(other, "nobody"), **more),
            "natural": 0,
            "dc": 0,
            "modifier": 0.0,
        }
        self.rows.append(row | {key: more[key] for key in more if key in row})

    def table(self) -> pd.DataFrame:
        table = pd.DataFrame(self.rows, columns=list(EVENT_COLUMNS))
        return table.astype(EVENT_COLUMNS)


def _events(fake: Fake, people: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    diary = _Diary(people, rng)
    ids = people["patron_id"].to_numpy()
    cheats = people.loc[people["is_cheat_kind"], "patron_id"].to_numpy()
    for night in range(1, fake.nights + 1):
        for person in people.itertuples():
            if person.arrived_night == night:
                diary.add(night, "arrived", "{one} came to town.", person.patron_id)
            if person.gone_night is not pd.NA and person.gone_night == night:
                diary.add(night, "left", "{one} left for good.", person.patron_id)
        for _ in range(rng.poisson(len(ids) / 40)):
            one, other = (int(each) for each in rng.choice(ids, 2, replace=False))
            amount = int(rng.integers(40, 400))
            text = "{one} won {amount_cp} cp from {other} in one round."
            diary.add(night, "big_win", text, one, other, amount_cp=amount)
        for _ in range(rng.poisson(len(cheats) / 2) if len(cheats) else 0):
            _trick(fake, diary, night, int(rng.choice(cheats)), int(rng.choice(ids)))
        if not fake.quiet and rng.random() < 0.25:
            one, other = (int(each) for each in rng.choice(ids, 2, replace=False))
            diary.add(night, "accused", "{one} called {other} a cheat.", one, other, is_just=False)
            _trial(fake, diary, night, other, one, is_just=False)
    return diary.table()


def _trick(fake: Fake, diary: _Diary, night: int, cheat: int, other: int) -> None:
    natural = int(diary.rng.integers(1, 21))
    check = {"natural": natural, "dc": 19, "modifier": 0.1}
    if natural >= 13:
        diary.add(night, "trick", "{one} turned a die and nobody saw it.", cheat, **check)
        return
    diary.add(night, "failed_trick", "{one} fumbled as he turned a die.", cheat, **check)
    if natural < 6 and other != cheat:
        text = "{one} called {other} a cheat."
        diary.add(night, "accused", text, other, cheat, is_just=True)
        _trial(fake, diary, night, cheat, other, is_just=True)


def _trial(fake: Fake, diary: _Diary, night: int, one: int, other: int, is_just: bool) -> None:
    if diary.rng.random() < (0.2 if is_just else 0.6):
        diary.add(night, "cleared", "The table cleared {one}.", one, other, is_just=is_just)
        return
    diary.add(night, "convicted", "The table found {one} guilty.", one, other, is_just=is_just)
    odds = (0, 0, 0, 0.3, 0.7) if fake.orcs else (0.3, 0.4, 0.15, 0.1, 0.05)
    kind = str(diary.rng.choice(SENTENCES, p=odds))
    text = f"{{one}} was {kind.replace('_', ' ')}."
    diary.add(night, kind, text, one, other, is_just=is_just)


def _nights(
    fake: Fake, wealth: pd.DataFrame, events: pd.DataFrame, rng: np.random.Generator
) -> pd.DataFrame:
    rows = []
    for night in range(1, fake.nights + 1):
        purses = wealth.loc[wealth["night"] == night, "gold_cp"].to_numpy()
        tonight = events[events["night"] == night]
        row: dict[str, Any] = dict.fromkeys(COUNTS, 0)
        guests = int(rng.binomial(len(purses), 0.55))
        rounds = guests // 6 * 24
        row |= {"night": night, "tavern_id": 1, "tavern": fake.tavern, "guests": guests}
        row |= {"games": guests // 6, "rounds": rounds, "staked_cp": rounds * 20}
        row |= {"changed_hands_cp": rounds * 9, "mugs": int(guests * 2.5)}
        row |= {"drinks_cp": int(guests * 2.5) * 4, "till_cp": 10_000 + 30 * night}
        row |= _counted(tonight)
        row |= {"gini": gini(purses), "median_cp": int(np.median(purses))}
        row |= {"broke": int((purses < 10).sum()), "living": len(purses)}
        rows.append(row)
    return pd.DataFrame(rows)


def _counted(tonight: pd.DataFrame) -> dict[str, int]:
    def count(kind: str, is_just: bool | None = None) -> int:
        chosen = tonight[tonight["kind"] == kind]
        return len(chosen) if is_just is None else int((chosen["is_just"] == is_just).sum())

    noticed = count("failed_trick")
    row = {"tricks_tried": count("trick") + noticed, "tricks_noticed": noticed}
    row["tricks_convicted"] = count("caught")
    row |= {kind: count(kind) for kind in ("cleared", "warned", "thrown_out", "banned")}
    for name, kind in (
        ("accusations", "accused"),
        ("convictions", "convicted"),
        ("beaten", "beaten"),
        ("killed", "killed"),
    ):
        row[f"{name}_just"], row[f"{name}_unjust"] = count(kind, True), count(kind, False)
    return row


def _suspicion(fake: Fake, people: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    ids = people["patron_id"].to_numpy()
    cheat = people["is_cheat_kind"].to_numpy()
    held = 0 if fake.quiet else min(fake.held, len(ids) - 1)
    rows = []
    for night in sorted({*range(7, fake.nights + 1, 7), fake.nights}):
        for observer in range(len(ids)):
            for subject in rng.choice(len(ids), held, replace=False):
                if subject == observer:
                    continue
                log_odds = rng.normal(0.5 if cheat[subject] else -2.6, 1.3)
                rows.append((night, ids[observer], ids[subject], log_odds))
    table = pd.DataFrame(rows, columns=["night", "observer_id", "subject_id", "log_odds"])
    table["belief"] = 1 / (1 + np.exp(-table["log_odds"].astype(float)))
    table["n_own"] = 3.0
    table["settled"] = False
    return table.astype({"log_odds": "float32", "n_own": "float32"} | _id_types())


def _society(
    fake: Fake, people: pd.DataFrame, wealth: pd.DataFrame, events: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Tables of talk, trials and evenings, from draws of their own."""
    rng = np.random.default_rng([fake.seed, 1])
    ids = people["patron_id"].to_numpy()
    told = events.head(0) if fake.quiet else events
    rumors, tellings = fake_society.talk_tables(ids, told, fake.nights, rng)
    return {
        "rumors": rumors,
        "tellings": tellings,
        "trials": fake_society.trials_table(ids, told, rng),
        "acquaintances": fake_society.acquaintances_table(ids, rng),
        "evenings": fake_society.evenings_table(wealth, rng),
    }


def _talked_of(
    nights: pd.DataFrame,
    society: dict[str, pd.DataFrame],
    people: pd.DataFrame,
    suspicion: pd.DataFrame,
) -> pd.DataFrame:
    """The nights with what was told in them, and with made-up scores."""
    tellings, night = society["tellings"], nights["night"]
    told = night.map(tellings["night"].value_counts()).fillna(0).astype(int)
    believed = night.map(tellings.loc[tellings["believed"], "night"].value_counts())
    sprung = night.map(society["rumors"]["made_night"].value_counts())
    n_cheats = int(people["is_cheat_kind"].sum())
    pairs = night.map(suspicion["night"].value_counts()).fillna(0).astype(int)
    return nights.assign(
        tellings=told,
        believed=believed.fillna(0).astype(int),
        rumors=sprung.fillna(0).astype(int),
        hearsay=2 * told,
        suspected_right=n_cheats * night // 4,
        missed=n_cheats * 6,
        suspected_wrong=pairs // 20,
        unsuspected=200 * (len(suspicion) > 0),
        tricked_hands=60,
        cheats_hands=60,
        cheats_staked_cp=1200,
        cheats_net_cp=90,
        honest_hands=600,
        honest_staked_cp=12_000,
        honest_net_cp=-110,
        brier=0.08,
        is_open=True,
        repute=0.0,
        unpaid_cp=0,
        stakes_pct=100,
    )


def _id_types() -> dict[str, str]:
    return {"night": "int32", "observer_id": "int32", "subject_id": "int32"}


def _reckoned(
    people: pd.DataFrame, wealth: pd.DataFrame, events: pd.DataFrame, suspicion: pd.DataFrame
) -> pd.DataFrame:
    ids = people["patron_id"]

    def counted(who: str, *kinds: str) -> "pd.Series[int]":
        found = events.loc[events["kind"].isin(kinds), who].value_counts()
        return ids.map(found).fillna(0).astype(int)

    last = suspicion[suspicion["night"] == suspicion["night"].max()]
    opinion = reputations(last).reindex(ids).reset_index(drop=True)
    end = ids.map(wealth.groupby("patron_id")["gold_cp"].last()).fillna(0).astype(int)
    tries = counted("patron_id", "trick", "failed_trick")
    return people.assign(
        has_tried=tries > 0,
        is_cheat=people["is_cheat_kind"] & (tries > 0),
        **_found_out(ids, events, people["is_cheat_kind"] & (tries > 0)),
        end_cp=end,
        games_net_cp=end - people["start_cp"],
        drinks_cp=90,
        hands=24,
        hand_wins=10,
        tries=tries,
        failed_checks=counted("patron_id", "failed_trick"),
        convicted=counted("patron_id", "convicted"),
        beaten=counted("patron_id", "beaten"),
        accused_others=counted("patron_id", "accused"),
        was_accused=counted("other_id", "accused"),
        banned_tavern_id=0,
        escaped=0,
        dodged=0,
        owes_cp=0,
        owes_to_id=0,
        condition="healthy",
        reputation=opinion["reputation"],
        notoriety=opinion["notoriety"].fillna(0).astype(int),
        believers=opinion["believers"].fillna(0).astype(int),
    )


def _found_out(
    ids: "pd.Series[int]", events: pd.DataFrame, is_cheat: "pd.Series[bool]"
) -> dict[str, Any]:
    """When cheats first tried, and when (some nights later, but for some) they were suspected."""
    tried = events[events["kind"].isin(["trick", "failed_trick"])]
    first = ids.map(tried.groupby("patron_id")["night"].min()).where(is_cheat)
    suspected = (first + ids % 5).where(ids % 4 > 0)
    return {
        "first_try_night": first.astype("Int32"),
        "suspected_night": suspected.astype("Int32"),
    }


def _ledger(nights: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "night": nights["night"],
            "tavern_id": 1,
            "from_account": "purse/farmer",
            "to_account": "till/1",
            "reason": "drink",
            "amount_cp": nights["drinks_cp"],
        }
    )


def _games(fake: Fake, nights: pd.DataFrame) -> pd.DataFrame:
    """The nights' sums dealt out over the games, the first with the most."""
    shares = [1 / 2**i for i in range(1, len(fake.games))]
    shares.insert(0, 1 - sum(shares))
    parts = []
    for number, (game, share) in enumerate(zip(fake.games, shares, strict=True)):
        part = nights[["night", "tavern_id"]].assign(game=game, tables=nights["games"] * 4)
        for name in ("rounds", "staked_cp", "changed_hands_cp"):
            part[name] = (nights[name] * share).astype(np.int64)
        part["rake_cp"] = part["changed_hands_cp"] * number // 20
        parts.append(part.assign(bets_cp=0))
    table = pd.concat(parts).sort_values(["night", "tavern_id", "game"], ignore_index=True)
    return table.astype({"night": "int32", "tavern_id": "int16"})


def _players(fake: Fake, people: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """What the games brought, dealt out so that it adds up to everybody's `games_net_cp`."""
    parts = [people["games_net_cp"].to_numpy()]
    for _ in fake.games[1:]:
        part = rng.integers(-400, 400, len(people))
        parts[0] = parts[0] - part
        parts.append(part)
    rows = [
        (int(who), game, int(rng.integers(1, 4 * fake.nights)), int(net))
        for game, part in zip(fake.games, parts, strict=True)
        for who, net in zip(people["patron_id"], part, strict=True)
    ]
    table = pd.DataFrame(rows, columns=["patron_id", "game", "sittings", "net_cp"])
    return table.astype({"patron_id": "int32"})


def _scenario(fake: Fake) -> str:
    custom = "orc" if fake.orcs else "decent"
    return (
        f'name = "fake"\npatrons = {fake.patrons}\n'
        f'[[taverns]]\nname = {json.dumps(fake.tavern)}\ncustom = "{custom}"\ntill_cp = 10000\n'
        + "".join(f'[[taverns.tables]]\ngame = "{game}"\n' for game in fake.games)
    )


def _info(fake: Fake, nights: pd.DataFrame, people: pd.DataFrame) -> dict[str, Any]:
    totals: dict[str, Any] = {name: int(nights[name].sum()) for name in COUNTS}
    totals |= {"arrived": 0, "left": int((people["whereabouts"] == "left").sum()), "died": 0}
    totals |= {"broke": int(nights["broke"].iloc[-1]), "gini": float(nights["gini"].iloc[-1])}
    area = auc(people["reputation"], people["is_cheat"])
    totals["auc_reputation"] = None if np.isnan(area) else area
    totals["living"] = int((people["whereabouts"] == "here").sum())
    totals["till_cp"] = int(nights["till_cp"].iloc[-1])
    return {
        "format": 4,
        "status": "finished",
        "scenario": "fake",
        "seed": fake.seed,
        "replicate": 0,
        "nights": fake.nights,
        "patrons": fake.patrons,
        "digest": "0" * 64,
        "salt": "5a17" * 8,
        "versions": {"tavern_abm": "0.1.0", "python": "3.12.0"},
        "started": "2025-01-01T18:00:00+00:00",
        "ended": "2025-01-01T18:00:09+00:00",
        "seconds": 9.0,
        "totals": totals,
        "ledger": {"opening_cp": 1, "inflow_cp": 1, "outflow_cp": 1, "closing_cp": 1},
    }
