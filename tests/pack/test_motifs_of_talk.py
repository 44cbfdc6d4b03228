"""Motifs of talk and flight: each finds its situation, and not where a part of it lacks."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pack.bench import (
    BESS,
    CHASED,
    MORZA,
    NAN,
    OSK,
    TAM,
    evening_with,
    found,
    happening,
    invented,
    only,
    past_with,
    person,
    roles,
)

# ------------------------------------------------------------- talk


def test_one_hand_is_behind_what_befell_others_at_its_tables() -> None:
    evening = evening_with(*(person(each) for each in (TAM, BESS, OSK, MORZA)))
    events = [
        happening("trick", TAM, night=9, event_id=1),
        happening("broke", BESS, night=9, event_id=2),
        happening("trick", TAM, night=11, table_id=4, event_id=3),
        happening("accused", MORZA, OSK, night=11, table_id=4, event_id=4),
        happening("broke", MORZA, night=12, event_id=5),  # he was not at that table
    ]
    situation, said = only("one_hand", past_with(*events), evening)
    assert roles(situation) == {"victim": BESS, "cheat": TAM}
    assert situation.events == (2, 4)
    assert "Osk Gannet" in said.now
    assert not found("one_hand", past_with(*events[:3], events[4]), evening)
    a_cheat_too = happening("trick", OSK, night=2, table_id=9, event_id=6)
    assert not found("one_hand", past_with(*events, a_cheat_too), evening)


def test_a_lie_is_followed_back_to_who_made_it_up() -> None:
    people = [person(each) for each in (TAM, BESS, OSK, MORZA)]
    evening = evening_with(*people, person(NAN, tavern=2))
    known = {"inventions": [invented()], "believers": lambda _: {OSK: NAN, MORZA: NAN, BESS: OSK}}
    situation, said = only("false_tale", past_with(**known), evening)
    assert roles(situation) == {"teller": OSK, "subject": TAM, "liar": NAN}
    assert situation.story == (5, TAM)
    expected = "Osk has it from Nan Tolliver, who made it up and is at the Three Keys."
    assert said.lever == expected
    deeper = known | {"believers": lambda _: {BESS: OSK, OSK: NAN, MORZA: BESS}}
    _, said = only("false_tale", past_with(**deeper), evening)
    assert "Bess has it from Osk Gannet, who has it from Nan Tolliver" in said.lever


def test_a_lie_needs_believers_and_somebody_to_tell_it() -> None:
    people = [person(each) for each in (TAM, BESS, OSK, MORZA)]
    few = {"inventions": [invented()], "believers": lambda _: {OSK: NAN, BESS: NAN}}
    evening = evening_with(*people, person(NAN))
    assert not found("false_tale", past_with(**few), evening)
    many = few | {"believers": lambda _: {OSK: NAN, MORZA: NAN, BESS: OSK}}
    nobody = evening_with(person(TAM), *(person(n, tavern=2) for n in (BESS, OSK, MORZA, NAN)))
    assert not found("false_tale", past_with(**many), nobody)


def version(listener: int, subject: int, truth: str, rumor: int) -> dict[str, Any]:
    return {
        "listener_id": listener,
        "rumor_id": rumor,
        "story_id": 3,
        "event_id": 1,
        "claim": "beaten",
        "subject_id": subject,
        "truth": truth,
    }


def test_two_versions_of_one_event_meet_in_one_room() -> None:
    people = [person(each) for each in (TAM, BESS, OSK, MORZA)]
    event = happening("beaten", OSK, night=9, witnesses=(MORZA,))
    right, wrong = version(BESS, OSK, "true", 3), version(TAM, NAN, "wrong person", 4)
    known = {"held": lambda *_: [wrong, right]}
    away = evening_with(*people, person(NAN, tavern=0))
    situation, said = only("two_versions", past_with(event, **known), away)
    assert roles(situation) == {"errs": TAM, "knows": BESS, "named": NAN}
    assert situation.story == (3, NAN)
    assert said.lever.startswith("Morza Vell (stool 4) saw it, on night 9 here")
    assert "is at home" in said.now
    here = evening_with(*people, person(NAN))
    assert only("two_versions", past_with(event, **known), here)[0].scene == "here"


def test_versions_that_agree_or_are_both_wrong_make_no_quarrel() -> None:
    evening = evening_with(*(person(each) for each in (TAM, BESS, OSK, MORZA, NAN)))
    event = happening("beaten", OSK, night=9)
    same = [version(BESS, OSK, "true", 3), version(TAM, OSK, "partly true", 4)]
    both = [version(BESS, MORZA, "wrong person", 3), version(TAM, NAN, "wrong person", 4)]
    untrue = [version(BESS, OSK, "false", 3), version(TAM, NAN, "wrong person", 4)]
    for rows in (same, both, untrue):
        past = past_with(event, held=lambda *_, rows=rows: rows)
        assert not found("two_versions", past, evening)


# ------------------------------------------------------------- flight


def test_a_chase_goes_out_of_the_door_tonight() -> None:
    ran = happening("ran", TAM, BESS, text="Tam Harl ran from the beating.")
    away = happening("got_away", TAM, BESS, event_id=2, text=CHASED)
    evening = evening_with(person(TAM, tavern=0), person(BESS))
    situation, said = only("chase", past_with(ran, away), evening)
    assert situation.events == (1, 2)
    assert "Tam makes off between the stalls of the Corn Market." in said.now
    assert said.nobody == "Tam gets away, and lies low through night 19, five nights off."
    caught = away._replace(kind="run_down", text="Bess Crake had Tam Harl by the collar.")
    _, said = only("chase", past_with(ran, caught), evening)
    assert said.nobody == "Bess runs him down, and the beating follows tonight."
    assert not found("chase", past_with(away._replace(night=13)), evening)


@pytest.mark.parametrize("kind", ["got_away", "run_down"])
def test_a_chase_passes_the_doors_of_its_part_of_town(kind: str) -> None:
    away = happening(kind, TAM, BESS, text=CHASED)
    evening = evening_with(person(TAM, tavern=0), person(BESS), person(OSK, tavern=2))
    near = past_with(away, districts={1: "river", 2: "river"})
    scenes_of = {each.tavern: each.scene for each in found("chase", near, evening)}
    assert scenes_of == {1: kind, 2: f"{kind}_passing"}
    empty = evening_with(person(TAM, tavern=0), person(BESS))
    assert len(found("chase", near, empty)) == 1
    assert len(found("chase", past_with(away), evening)) == 1


@pytest.mark.parametrize(
    ("kind", "night", "text", "scene"),
    [
        ("got_away", 12, CHASED, "got_away"),
        ("banned", 12, "was banned from The Eel Pot for 7 nights.", "banned"),
        ("banned", 12, "was banned from The Eel Pot for 30 nights.", "banned_long"),
        ("banned", 14, "was banned from The Eel Pot for 30 nights.", "thrown_out"),
        ("thrown_out", 14, "was thrown out for the night.", "thrown_out"),
        ("killed", 12, "was cut down at the table.", "killed"),
    ],
)
def test_what_was_left_behind_waits_for_its_owner(
    kind: str, night: int, text: str, scene: str
) -> None:
    state = frozenset({"killed": {"dead"}, "got_away": {"hiding"}}.get(kind, ()))
    evening = evening_with(person(TAM, tavern=0, state=state), person(BESS))
    left = happening(kind, TAM, night=night, text=text, witnesses=(BESS,))
    situation, said = only("left_behind", past_with(left), evening)
    assert (situation.scene, roles(situation)) == (scene, {"holder": BESS, "owner": TAM})
    assert said.title in (situation.values["thing"].capitalize(), "Nobody's, for now") or (
        said.title.lower() == situation.values["thing"].lower()
    )


def test_what_was_left_is_the_same_each_time_and_gone_once_its_owner_is_back() -> None:
    left = happening("thrown_out", TAM, witnesses=(BESS,))
    away = evening_with(person(TAM, tavern=0), person(BESS))
    things = {only("left_behind", past_with(left), away)[0].values["thing"] for _ in range(3)}
    assert len(things) == 1
    back = evening_with(person(TAM), person(BESS))
    assert not found("left_behind", past_with(left), back)
    yesterday = left._replace(night=13)
    assert not found("left_behind", past_with(yesterday), away)


def test_who_got_away_and_drinks_elsewhere_lies_low_no_more() -> None:
    left = happening("got_away", TAM, night=6, text=CHASED, witnesses=(BESS,))
    out = evening_with(person(TAM, tavern=2), person(BESS))
    situation, said = only("left_behind", past_with(left), out)
    assert situation.scene == "about"
    assert said.clock == "Tam is at the Three Keys tonight: until somebody tells Bess."
    assert "lies low" not in " ".join((said.now, said.clock))
    hiding = evening_with(person(TAM, tavern=0, state=frozenset({"hiding"})), person(BESS))
    assert only("left_behind", past_with(left), hiding)[0].scene == "got_away"


@pytest.mark.parametrize(
    ("kind", "foe", "scene"),
    [
        ("got_away", (), "low_alone"),
        ("got_away", (OSK,), "low_foe"),
        ("beaten", (), "up_alone"),
        ("too_lucky", (OSK,), "up_foe"),
    ],
)
def test_who_lies_low_has_kin_in_the_house(kind: str, foe: tuple[int, ...], scene: str) -> None:
    state = frozenset({"hiding" if kind == "got_away" else "bruised"})
    text = "has to lie up for 4 nights." if kind != "got_away" else "he lies low for 4 nights."
    hid = happening(kind, TAM, night=13, text=text, witnesses=foe)
    people = [person(TAM, tavern=0, state=state), person(BESS, household=TAM), person(OSK)]
    situation, said = only("hiding", past_with(hid), evening_with(*people))
    assert situation.scene == scene
    assert "night 17, three nights off" in said.clock
    alone = evening_with(people[0], people[2])
    assert not found("hiding", past_with(hid), alone)
