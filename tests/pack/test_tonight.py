"""What befell the people of a situation earlier tonight, and kin of those killed by day."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tavern_abm.pack.ahead import Ahead
from tavern_abm.pack.evening import Evening
from tavern_abm.pack.hooks import outcome_of
from tavern_abm.pack.motifs import Past, Situation
from tavern_abm.pack.motifs.past import Happening
from tavern_abm.pack.motifs.tonight import earlier_tonight
from tavern_abm.pack.motifs.words import lines_of
from tests.pack.bench import (
    BESS,
    MORZA,
    NAN,
    OSK,
    TAM,
    UNPLAYED,
    evening_with,
    found,
    happening,
    only,
    past_with,
    person,
)

ROOM = evening_with(*(person(each) for each in (TAM, BESS, OSK, MORZA)))
BELIEVED = {TAM: {BESS: 0.9}}
SLIPPED = happening("failed_trick", TAM, witnesses=(BESS,), event_id=9, night=13)


def now_after(*happened: Happening) -> str:
    """What the players find at a table whose Tam is suspected by Bess."""
    past = past_with(SLIPPED, *happened, suspicions=BELIEVED)
    situation, _ = only("trial", past, ROOM)
    told = replace(situation, tonight=earlier_tonight(past, situation))
    said = lines_of(told, ROOM, UNPLAYED)
    assert said is not None
    return said.now


def test_who_was_cleared_tonight_is_said_to_have_been() -> None:
    one, two = (happening("cleared", TAM, who, event_id=20 + who) for who in (OSK, MORZA))
    assert now_after(one, two).endswith(". Tam was tried and cleared twice tonight.")
    assert now_after(one).endswith(". Tam was tried and cleared tonight.")
    by_bess = happening("cleared", TAM, BESS, event_id=21)
    assert now_after(by_bess).endswith(". Bess called Tam a cheat tonight, and was not believed.")
    assert now_after(one, one._replace(night=13)) == now_after(one)
    assert "tonight" not in now_after(one._replace(night=13))


def test_what_a_situation_was_found_in_is_not_told_twice() -> None:
    past = past_with(cleared := happening("cleared", TAM, BESS))
    cast = {"accuser": person(BESS), "cheat": person(TAM)}
    just = Situation("half_right", "just", 1, cast, events=(cleared.event_id,))
    assert earlier_tonight(past, just) == {}
    assert earlier_tonight(past, replace(just, events=()))["key"] == "cleared_by"


def test_what_befell_a_bystander_is_nothing_to_it() -> None:
    cleared = happening("cleared", BESS, OSK)
    assert now_after(cleared) == now_after()
    by_tam = now_after(cleared._replace(other_id=TAM))
    assert by_tam.endswith("Tam called Bess a cheat tonight, and was not believed.")


def test_who_is_not_of_it_yet_is_named_in_full() -> None:
    past = past_with(happening("cleared", MORZA, TAM))
    cast = {"teller": person(BESS), "subject": person(TAM), "liar": person(MORZA)}
    values = {"claim": "Tam Harl cheats", "n": "four", "chain": "x", "whereabouts": "is here"}
    tale = Situation("false_tale", "room", 1, cast, values)
    said = lines_of(replace(tale, tonight=earlier_tonight(past, tale)), ROOM, UNPLAYED)
    assert said is not None
    assert "Tam called Morza Vell a cheat tonight, and was not believed." in said.now
    assert "Morza Vell (carter): nobody to ask" in said.wants


# ------------------------------------------------------------- killed by day

KILLED: dict[str, Any] = {"tavern_id": 0, "table_id": 0, "round": 0, "night": 12}


def grave(killer: int = 0, **known: Any) -> Past:
    return past_with(happening("killed", TAM, killer, **(KILLED | known)))


def mourners(*others: Any) -> Evening:
    dead = person(TAM, tavern=0, state=frozenset({"dead"}))
    return evening_with(dead, person(BESS, household=TAM), *others)


def test_kin_of_one_whom_strangers_killed_look_at_each_new_face() -> None:
    situation, said = only("mourned", grave(witnesses=(NAN, BESS)), mourners(person(NAN)))
    assert situation.scene == "strangers"
    assert "killed by strangers two nights back" in said.now
    assert said.lever.startswith("Nan Tolliver (carter), who is here, saw how Tam died")
    text = " ".join((said.now, *said.wants, said.lever))
    assert "sentence" not in text
    assert "judged" not in text
    this_morning = only("mourned", grave(night=14), mourners())[1]
    assert "killed by strangers this morning" in this_morning.now
    assert "Nobody else in the room saw it" in this_morning.lever


def test_a_known_killer_is_named_wherever_he_is() -> None:
    saw = (BESS,)
    situation, said = only("mourned", grave(OSK, witnesses=saw), mourners(person(OSK)))
    assert (situation.scene, situation.people) == ("here", (BESS, TAM, OSK))
    assert "Osk Gannet" in said.now
    away, said = only("mourned", grave(OSK, witnesses=saw), mourners(person(OSK, tavern=2)))
    assert away.scene == "known"
    assert said.lever.startswith("Osk is at the Three Keys.")
    gone = person(OSK, tavern=0, state=frozenset({"gone"}))
    assert not found("mourned", grave(OSK), mourners(gone))


def test_kin_who_have_not_heard_who_did_it_do_not_know() -> None:
    evening = mourners(person(OSK))
    unknown, said = only("mourned", grave(OSK), evening)
    assert unknown.scene == "unknown"
    assert "Osk" not in said.now
    assert said.lever.startswith("It was Osk, who is here, stool 3.")
    told = grave(OSK)
    told.__dict__["held"] = lambda *_: [{"event_id": 1, "other_id": OSK, "listener_id": BESS}]
    assert only("mourned", told, evening)[0].scene == "here"
    told.__dict__["held"] = lambda *_: [{"event_id": 1, "other_id": NAN, "listener_id": BESS}]
    assert only("mourned", told, evening)[0].scene == "unknown"


def test_a_sentence_of_a_table_and_an_old_grave_are_not_mourned_so() -> None:
    assert not found("mourned", grave(tavern_id=1), mourners())
    assert not found("mourned", grave(night=3), mourners())
    assert not found("mourned", grave(), evening_with(person(BESS)))
    assert not found("left_behind", grave(witnesses=(BESS,)), mourners())
    assert not found("wronged", grave(OSK, is_just=False), mourners(person(OSK)))


def test_a_killing_by_day_has_no_house_and_no_word_it_was_on() -> None:
    evening = mourners(person(OSK))
    situation = only("mourned", grave(OSK), evening)[0]
    for killer, words in ((0, "strangers"), (BESS, "Bess")):
        dies = happening("killed", OSK, killer, **(KILLED | {"night": 15}))
        outcome = outcome_of(situation, Ahead(14, 21, (dies,)))
        said = lines_of(situation, evening, outcome)
        assert said is not None
        assert said.nobody == f"Night 15: Osk is killed by {words}."
