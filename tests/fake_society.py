"""The tables of a run that never was about talk and trials: see `fake_run`."""

from typing import Any

import numpy as np
import pandas as pd

CLAIMS = {"beaten": "beaten", "killed": "killed", "big_win": "won", "accused": "cheats"}
"""What is told of an event of each kind."""
FRESH = 7
RUMOR_TYPES = dict.fromkeys(
    ("rumor_id", "story_id", "parent_id", "event_id", "subject_id", "other_id"), "int32"
) | {"amount_cp": "int64", "night": "int32", "tavern_id": "int16", "made_by": "int32"}
TELLING_TYPES = dict.fromkeys(
    ("telling_id", "rumor_id", "told_rumor_id", "teller_id", "listener_id", "night", "told_from"),
    "int32",
)
RUMOR_COLUMNS = [
    *("rumor_id", "story_id", "parent_id", "event_id", "claim", "game", "subject_id", "other_id"),
    *("amount_cp", "night", "tavern_id", "changed", "made_by", "made_night", "truth"),
]
TELLING_COLUMNS = [
    *("telling_id", "rumor_id", "told_rumor_id", "teller_id", "listener_id", "night", "tavern_id"),
    *("knew", "believed", "changed", "told_from"),
]


class Town:
    """A town that talks: each who believes a story tells it on, now and then bent."""

    def __init__(self, ids: Any, n_nights: int, rng: np.random.Generator) -> None:
        self.ids, self.n_nights, self.rng = ids, n_nights, rng
        self.rumors: list[dict[str, Any]] = []
        self.tellings: list[dict[str, Any]] = []

    def spring(self, event: dict[Any, Any], claim: str) -> None:
        """Let those who saw it tell of it until nobody cares."""
        rumor = self.version(
            event_id=event["event_id"],
            claim=claim,
            subject_id=event["other_id" if claim == "cheats" else "patron_id"],
            amount_cp=event["amount_cp"],
            night=event["night"],
            made_night=event["night"],
            truth="true" if claim != "cheats" or event["is_just"] is True else "false",
        )
        knows = {int(each): (rumor, 0) for each in event["witnesses"]}
        self.spread(knows, {*knows}, event["night"])

    def invent(self, liar: int, about: int, night: int) -> None:
        """A lie."""
        rumor = self.version(
            claim="cheats",
            subject_id=about,
            night=night,
            made_by=liar,
            made_night=night,
            changed="invented",
            truth="false",
        )
        self.spread({liar: (rumor, 0)}, {liar}, night)

    def version(self, **fields: Any) -> dict[str, Any]:
        """A version of a story, as it goes into the table."""
        n = len(self.rumors) + 1
        rumor = {
            "rumor_id": n,
            "story_id": n,
            "parent_id": 0,
            "event_id": 0,
            "game": "rotting-toes",
            "other_id": 0,
            "amount_cp": 0,
            "tavern_id": 1,
            "changed": "",
            "made_by": 0,
            "truth": "true",
        } | fields
        self.rumors.append(rumor)
        return rumor

    def spread(
        self, knows: dict[int, tuple[dict[str, Any], int]], telling: set[int], first: int
    ) -> None:
        """Night by night, until it is no news."""
        for night in range(first, min(first + FRESH, self.n_nights + 1)):
            for teller in sorted(telling):
                if self.rng.random() < 0.5:
                    listener = int(self.rng.choice(self.ids))
                    self.tell(teller, listener, night, knows, telling)

    def tell(
        self, teller: int, listener: int, night: int, knows: dict[int, Any], telling: set[int]
    ) -> None:
        """One telling; a teller whose listener knew it stops."""
        if listener == teller:
            return
        rumor, told_from = knows[teller]
        knew = listener in knows
        heard = self.bent(rumor, teller, night) if self.rng.random() < 0.1 else rumor
        believed = not knew and self.rng.random() < 0.7
        self.tellings.append(
            {
                "telling_id": len(self.tellings) + 1,
                "rumor_id": heard["rumor_id"],
                "told_rumor_id": rumor["rumor_id"],
                "teller_id": teller,
                "listener_id": listener,
                "night": night,
                "tavern_id": 1,
                "knew": knew,
                "believed": believed,
                "changed": "" if heard is rumor else heard["changed"],
                "told_from": told_from,
            }
        )
        if knew:
            telling.discard(teller)
            return
        knows[listener] = (heard, len(self.tellings))
        if believed:
            telling.add(listener)

    def bent(self, rumor: dict[str, Any], by: int, night: int) -> dict[str, Any]:
        """Another version of a story."""
        changes = {"parent_id": rumor["rumor_id"], "made_by": by, "made_night": night}
        if self.rng.random() < 0.3:
            subject = int(self.rng.choice(self.ids))
            changes |= {"subject_id": subject, "changed": "person", "truth": "wrong person"}
        else:
            truth = "partly true" if rumor["truth"] == "true" else rumor["truth"]
            changes |= {"night": max(1, rumor["night"] - 2), "changed": "night", "truth": truth}
        own = {name: rumor[name] for name in RUMOR_COLUMNS if name != "rumor_id"}
        return self.version(**(own | changes))


def talk_tables(
    ids: Any, events: pd.DataFrame, n_nights: int, rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rumours and tellings of what happened, and of what did not."""
    town = Town(ids, n_nights, rng)
    for event in events.to_dict("records"):
        if event["kind"] in CLAIMS:
            town.spring(event, CLAIMS[event["kind"]])
    for night in range(3, n_nights + 1, 9):
        if len(events):
            town.invent(*(int(each) for each in rng.choice(ids, 2, replace=False)), night)
    rumors = pd.DataFrame(town.rumors, columns=RUMOR_COLUMNS).astype(RUMOR_TYPES)
    tellings = pd.DataFrame(town.tellings, columns=TELLING_COLUMNS).astype(TELLING_TYPES)
    return rumors, tellings.astype({"knew": bool, "believed": bool})


def trials_table(ids: Any, events: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """A trial for each verdict among the events, and the catches."""
    rows = []
    for event in events.to_dict("records"):
        if event["kind"] not in ("convicted", "cleared", "caught"):
            continue
        judges = [int(each) for each in rng.choice(ids, 4, replace=False)]
        middle = 0.65 if event["kind"] == "convicted" else 0.25
        beliefs: list[float | None] = rng.beta(6 * middle, 6 * (1 - middle), 4).round(4).tolist()
        beliefs[3] = None
        rows.append(
            {
                "night": event["night"],
                "round": event["round"],
                "tavern_id": 1,
                "table_id": event["table_id"],
                "game": "rotting-toes",
                "accuser_id": event["other_id"],
                "accused_id": event["patron_id"],
                "accuser_belief": 0.8,
                "judges": judges,
                "beliefs": beliefs,
                "n_guilty": sum(each is not None and each > 0.5 for each in beliefs),
                "verdict": event["kind"],
                "is_cheat": event["is_just"] is True,
                "tricked": False,
                "sentence": "" if event["kind"] == "cleared" else "warned",
                "ran": False,
                "repaid_cp": 0,
            }
        )
    columns = [
        *("night", "round", "tavern_id", "table_id", "game", "accuser_id", "accused_id"),
        *("accuser_belief", "judges", "beliefs", "n_guilty", "verdict", "is_cheat", "tricked"),
        *("sentence", "ran", "repaid_cp"),
    ]
    table = pd.DataFrame(rows, columns=columns)
    return table.astype({"is_cheat": bool, "tricked": bool, "ran": bool})


def acquaintances_table(ids: Any, rng: np.random.Generator) -> pd.DataFrame:
    """A ring in which everybody knows the next two, by this or that."""
    n = len(ids)
    pairs = sorted({tuple(sorted((i, (i + step) % n))) for i in range(n) for step in (1, 2)})
    pairs = [pair for pair in pairs if pair[0] != pair[1]]
    return pd.DataFrame(
        {
            "patron_id": [int(ids[a]) for a, _ in pairs],
            "other_id": [int(ids[b]) for _, b in pairs],
            "tie": rng.choice(["kin", "trade", "tavern", "chance", "met"], len(pairs)),
            "since_night": 0,
        }
    )


def evenings_table(wealth: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Who went out and who did not."""
    nights = wealth[wealth["night"] > 0]
    out = rng.random(len(nights)) < 0.55
    return pd.DataFrame(
        {
            "night": nights["night"].to_numpy(),
            "patron_id": nights["patron_id"].to_numpy(),
            "tavern_id": out.astype(np.int16),
            "table_id": np.where(out, rng.integers(1, 5, len(nights)), 0),
            "drinks": np.where(out, rng.poisson(2.5, len(nights)), 0),
            "stayed": out,
            "net_cp": np.where(out, rng.integers(-40, 41, len(nights)), 0),
            "condition": "healthy",
        }
    )
