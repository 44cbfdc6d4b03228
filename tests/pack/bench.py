"""People on a bench and a record made by hand: for tests of what looks through them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tavern_abm.data_tables import load_tables
from tavern_abm.pack.evening import Evening, Person
from tavern_abm.pack.motifs import MOTIFS, Past, Situation
from tavern_abm.pack.motifs.past import Happening, Trial
from tavern_abm.pack.motifs.words import MOST_WORDS, Lines, Outcome, lines_of
from tavern_abm.run_folder import RunFolder

NIGHT = 14
TAM, BESS, OSK, MORZA, NAN, HOB = range(1, 7)
UNPLAYED = Outcome(0, [])
NAMES = ("Tam Harl", "Bess Crake", "Osk Gannet", "Morza Vell", "Nan Tolliver", "Hob Merrow")
WOMEN = (2, 4, 5)
ABOUT = {"scenario": "bench", "seed": 1, "nights": NIGHT, "salt": "5a17" * 8}


def person(patron_id: int, **known: Any) -> Person:
    """Somebody who sits at the first table of the first house, unless something else is said."""
    name = NAMES[(patron_id - 1) % len(NAMES)]
    plain: dict[str, Any] = {
        "name": name,
        "given": name.split()[0],
        "ancestry": "human",
        "sex": "female" if patron_id in WOMEN else "male",
        "trade": "carter",
        "trade_word": "carter",
        "what": "human carter",
        "rank": "common",
        "temper": "sour",
        "household": patron_id,
        "home_tavern": 1,
        "is_player": False,
        "state": frozenset(),
        "tavern": 1,
        "seat": f"stool {patron_id}",
        "drinks": 2,
        "table_id": 1,
        "stayed": True,
        "tell": "a wet cuff",
    }
    at_home = {"seat": "", "table_id": 0, "drinks": 0, "stayed": False}
    is_home = known.get("tavern", 1) == 0
    return Person(patron_id, **(plain | (at_home if is_home else {}) | known))


def evening_with(*people: Person) -> Evening:
    """The last evening of a run, with these people."""
    houses = {1: "The Eel Pot", 2: "The Three Keys"}
    return Evening(NIGHT, NIGHT, houses, {each.patron_id: each for each in people})


def happening(kind: str, patron_id: int, other_id: int = 0, **known: Any) -> Happening:
    """An event of tonight at the first table of the first house, unless something else is said."""
    plain: dict[str, Any] = {
        "event_id": 1,
        "night": NIGHT,
        "round": 3,
        "tavern_id": 1,
        "table_id": 1,
        "kind": kind,
        "patron_id": patron_id,
        "other_id": other_id,
        "amount_cp": 0,
        "is_just": None,
        "witnesses": (),
        "text": "",
    }
    return Happening(**(plain | known))


def judged(accuser: int, accused: int, verdict: str, **known: Any) -> Trial:
    """A trial of tonight."""
    plain: dict[str, Any] = {
        "night": NIGHT,
        "round": 3,
        "tavern_id": 1,
        "accuser_id": accuser,
        "accused_id": accused,
        "verdict": verdict,
        "is_cheat": False,
        "tricked": False,
        "sentence": "",
        "guilty": (),
    }
    return Trial(**(plain | known))


def past_with(*happenings: Happening, custom: str = "decent", **known: Any) -> Past:
    """What had happened by the last night: these events, and what is said of its tables."""
    past = Past(RunFolder(Path(), dict(ABOUT)), NIGHT)
    plain: dict[str, Any] = {
        "happenings": sorted(happenings),
        "trials": [],
        "suspicions": {},
        "purses": {},
        "won_tonight": {},
        "wages": {},
        "houses": {},
        "customs": dict.fromkeys((1, 2), load_tables().customs[custom]),
        "lasting": frozenset(),
        "districts": {1: "river", 2: "market"},
        "due_nights": 7,
        "inventions": [],
        "believers": lambda _: {},
        "held": lambda *_: [],
        "streaks": {},
    }
    past.__dict__.update(plain | known)  # as if each of its tables had been read
    return past


def found(motif: str, past: Past, evening: Evening) -> list[Situation]:
    """What a motif finds; each of it can be said, in no more words than a hook may have."""
    situations = list(MOTIFS[motif](past, evening))
    for each in situations:
        said = lines_of(each, evening, UNPLAYED)
        assert said is not None
        assert said.n_words <= MOST_WORDS
        assert not re.search(r"[{}@]|  |None", " ".join(map(str, said)))
    return situations


def only(motif: str, past: Past, evening: Evening) -> tuple[Situation, Lines]:
    """The one situation that a motif finds, and its words."""
    situation, *others = found(motif, past, evening)
    assert not others
    said = lines_of(situation, evening, UNPLAYED)
    assert said is not None
    return situation, said


def roles(situation: Situation) -> dict[str, int]:
    return {role: each.patron_id for role, each in situation.cast.items()}


def lent(**known: Any) -> Any:
    text = "Bess Crake lent Tam Harl 1 sp 4 cp, to be paid back by night 17."
    return happening("lent", TAM, BESS, **({"night": 10, "amount_cp": 14, "text": text} | known))


def slip(**known: Any) -> Any:
    return happening("failed_trick", TAM, witnesses=(BESS, OSK), **known)


def wrongly(kind: str, **known: Any) -> Any:
    return happening(kind, TAM, BESS, **({"night": 12, "is_just": False} | known))


def invented(**known: Any) -> dict[str, Any]:
    plain = {"story_id": 5, "claim": "cheats", "game": "rotting-toes", "subject_id": TAM}
    plain |= {"other_id": 0, "amount_cp": 0, "night": 9, "tavern_id": 1, "made_by": NAN}
    return plain | {"made_night": 9, "changed": "invented"} | known


CHASED = (
    "Tam Harl was out of the door with a lead of 14 on Bess Crake. Tam makes off between the "
    "stalls of the Corn Market. Tam runs: 3 + 8 = 11. Bess runs: 9 + 7 = 16. Bess came back "
    "alone after 2 increments; he lies low for 5 nights."
)
"""How the record tells of a chase."""
