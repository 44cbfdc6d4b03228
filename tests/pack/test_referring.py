"""Whom words mean: names by what the teller knows, and pronouns that can mean but one."""

from dataclasses import replace
from typing import Any

import pytest

from tavern_abm.pack.evening import Evening
from tavern_abm.pack.referring import Names, UnfitError, kin_word
from tests.pack.people import HOB, JOAN, MAUD, NAN, OTTO, TAM, evening


def names(of: Evening | None = None, *cast: int) -> Names:
    return Names(of or evening(), NAN, cast or (TAM, MAUD))


def test_who_is_known_is_named_in_full_and_then_in_short() -> None:
    said = names()
    assert [said.name(TAM), said.name(TAM)] == ["Tam Harl", "Tam"]


def test_kin_is_called_kin() -> None:
    said = names(evening(), OTTO)
    assert said.name(OTTO) in ("my brother Otto", "my cousin Otto")
    assert said.name(OTTO) == "Otto"


def test_kin_is_not_called_kin_in_the_mouth_of_others() -> None:
    said = names(evening(), OTTO)
    said.is_quoted = True
    assert said.name(OTTO) == "Otto Tolliver"


def test_kin_of_another_byname_or_people_is_a_cousin() -> None:
    for change in ({"name": "Otto Crake"}, {"ancestry": "half-elf"}):
        assert kin_word(evening(otto=change), NAN, OTTO) == "cousin"


def test_kin_is_the_same_to_each_other_all_round() -> None:
    of = evening()
    words = {kin_word(of, NAN, OTTO), kin_word(of, OTTO, NAN)}
    assert words in ({"brother", "sister"}, {"cousin"})


def test_a_stranger_is_findable_whatever_he_is_called() -> None:
    ways = set()
    for household in range(40):
        of = evening(nan={"patron_id": NAN}, hob={"household": household + 50})
        said = Names(of, NAN, (HOB, household + 100)).name(HOB)
        ways.add(said)
        assert "Merrow" in said
    for teller in range(60):  # another teller may call him otherwise
        of = evening(joan={"household": 3})
        of = Evening(30, 30, of.houses, {**of.people, teller + 100: of.people[NAN]})
        ways.add(Names(of, teller + 100, (HOB,)).name(HOB))
    assert {"Hob Merrow", "Merrow the ferryman", "Hob Merrow the ferryman"} <= ways


def test_a_stranger_may_be_the_brother_of_somebody_known() -> None:
    ways = set()
    of = evening(ties={teller: frozenset({JOAN}) for teller in range(100, 200)})
    for teller in range(100, 200):
        people = {**of.people, teller: of.people[NAN]}
        said = Names(Evening(30, 30, of.houses, people, of.ties), teller, (HOB,))
        first = said.name(HOB)
        ways.add(first)
        if "Joan" in first:
            assert said.through == {JOAN}
    kin = kin_word(of, JOAN, HOB)
    assert (f"Joan Merrow's {kin}" in ways) is (kin != "cousin")


def test_nobody_is_the_brother_of_somebody_who_has_two() -> None:
    brothers = {"otto": {"name": "Otto Merrow", "household": 3}}
    assert any("Joan" in way for way in ways_to_say(HOB, known=JOAN))
    assert not any("Joan" in way for way in ways_to_say(HOB, known=JOAN, **brothers))


def test_a_byname_and_a_trade_are_said_only_where_no_other_has_both() -> None:
    assert "Merrow the ferryman" in ways_to_say(HOB)
    for state in ((), ("dead",)):
        otto = {"name": "Otto Merrow", "trade_word": "ferryman", "state": frozenset(state)}
        ways = ways_to_say(HOB, otto=otto)
        assert "Merrow the ferryman" not in ways
        assert {"Hob Merrow", "Hob Merrow the ferryman"} <= ways
    assert "Merrow the ferryman" in ways_to_say(HOB, otto={"name": "Otto Merrow"})


def ways_to_say(who: int, known: int = 0, **changes: Any) -> set[str]:
    """What a hundred strangers call somebody, who know but one."""
    ties = {teller: frozenset({known}) for teller in range(100, 200)}
    of = evening(ties=ties, **changes)
    stranger = replace(of.people[NAN], household=99)
    return {
        Names(Evening(30, 30, of.houses, {**of.people, one: stranger}, ties), one, (who,)).name(who)
        for one in range(100, 200)
    }


def test_kin_of_one_given_name_keep_their_bynames() -> None:
    of = evening(tam={"name": "Otto Crake", "given": "Otto", "household": 1})
    assert names(of, OTTO).name(OTTO).endswith(" Otto Tolliver")


def test_the_only_one_of_his_looks_in_a_house_may_be_described() -> None:
    rare = {"ancestry": "half-orc", "what": "half-orc ferryman", "home_tavern": 2}
    of = evening(hob=rare)
    ways = {
        Names(Evening(30, 30, of.houses, {**of.people, one: of.people[NAN]}), one, (HOB,)).name(HOB)
        for one in range(100, 200)
    }
    assert "that half-orc ferryman from Gorm's Yard" in ways
    twin = {**rare, "patron_id": JOAN}
    of = evening(hob=rare, joan=twin)
    ways = {
        Names(Evening(30, 30, of.houses, {**of.people, one: of.people[NAN]}), one, (HOB,)).name(HOB)
        for one in range(100, 200)
    }
    assert not any("half-orc" in way for way in ways)


def test_nobody_is_called_a_thief_by_who_does_not_know() -> None:
    of = evening(hob={"trade": "thief", "trade_word": "thief"})
    for teller in range(100, 160):
        people = {**of.people, teller: of.people[NAN]}
        assert "thief" not in Names(Evening(30, 30, of.houses, people), teller, (HOB,)).name(HOB)


def test_two_of_one_given_name_keep_their_bynames() -> None:
    of = evening(maud={"name": "Tam Tench", "given": "Tam"})
    said = names(of)
    assert [said.name(TAM), said.name(MAUD), said.name(TAM)] == [
        "Tam Harl",
        "Tam Tench",
        "Tam Harl",
    ]


def test_a_pronoun_means_who_was_named() -> None:
    said = names()
    said.name(TAM)
    assert [said.pronoun(TAM, form) for form in ("he", "him", "his", "himself")] == [
        *("he", "him", "his", "himself")
    ]
    said.name(MAUD)
    assert said.pronoun(MAUD, "his") == "her"
    assert said.pronoun(TAM, "his") == "his"  # the two are told apart by it


def test_of_two_men_the_one_named_last_is_he() -> None:
    said = names(evening(ties={NAN: frozenset({TAM, HOB})}), TAM, HOB)
    said.name(TAM)
    said.name(HOB)
    assert said.pronoun(HOB, "he") == "he"
    assert said.pronoun(TAM, "his") == "Tam's"
    assert said.pronoun(TAM, "he") == "he"
    with pytest.raises(UnfitError):
        said.pronoun(HOB, "himself")


def test_a_pronoun_before_the_name_must_not_be_taken_for_anothers() -> None:
    said = names(evening(ties={NAN: frozenset({TAM, HOB})}), TAM, HOB)
    assert said.pronoun(TAM, "he") == "he"
    with pytest.raises(UnfitError):
        said.name(HOB)
    said = names()
    said.pronoun(TAM, "he")
    assert said.name(MAUD) == "Maud Tench"  # she is not he
    assert said.name(TAM) == "Tam Harl"


def test_the_teller_is_nobody_else() -> None:
    for said in (lambda: names().name(NAN), lambda: names().pronoun(NAN, "he")):
        with pytest.raises(UnfitError):
            said()


def test_titles_stay() -> None:
    of = evening(tam={"name": "Lord Tam Harl"})
    said = names(of)
    assert [said.name(TAM), said.name(TAM)] == ["Lord Tam Harl", "Lord Tam"]
