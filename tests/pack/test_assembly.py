"""The whole pack of an evening, and houses by their names."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tavern_abm.pack.assembly import PACK_ERRORS, NoSuchTavernError, first_of, make_pack, tavern_of
from tavern_abm.pack.documents import Pack, players_page
from tavern_abm.pack.ear import confusable
from tavern_abm.pack.evening import evening_of
from tavern_abm.pack.own_words import says_of
from tavern_abm.pack.rumors import of_run
from tavern_abm.run_folder import RunFolder


@pytest.fixture(scope="module")
def pack(little_town: RunFolder) -> Pack:
    return make_pack(little_town, count=6, people=4, situations=3)


def test_a_pack_is_of_one_evening(pack: Pack, little_town: RunFolder) -> None:
    assert (pack.night, len(pack.rumors), len(pack.notes)) == (6, 6, 1)
    assert pack.title == "Rumours in little, night 6"
    assert pack.run["seed"] == little_town.info["seed"]
    assert 1 <= len(pack.cards) <= 4
    assert len(pack.hooks) <= 3
    assert {rumor.tavern_id for rumor in pack.rumors} <= pack.taverns.keys()
    assert all(number <= 6 for card in pack.cards for number in card.rumors)


def test_whoever_a_situation_turns_on_has_a_card(little_town: RunFolder) -> None:
    pack = make_pack(little_town, count=6, people=8, situations=3)
    wanted = first_of(pack.hooks)
    assert wanted == [hook.people[0] for hook in pack.hooks] + [
        hook.people[1] for hook in pack.hooks if len(hook.people) > 1
    ]
    evening = evening_of(little_town)
    met = [each for each in wanted if not evening.people[each].state & {"dead", "gone"}]
    names = {each.patron_id: each.name for each in pack.cards}
    without = [each for each in met if each not in names]
    assert all(
        any(confusable(evening.people[each].name, name) for name in names.values())
        for each in without
    )
    assert [*names][: len(met) - len(without)] == [each for each in met if each in names]
    fewer = make_pack(little_town, count=6, people=2, situations=3)
    assert len(fewer.cards) == 2
    assert {each.patron_id for each in fewer.cards} <= {*wanted}


def test_players_get_the_same_rumours_in_the_same_order(pack: Pack) -> None:
    page = players_page(pack)
    assert [each.text for each in page.rumors] == [each.text for each in pack.rumors]


def test_one_house_by_its_name(little_town: RunFolder) -> None:
    pack = make_pack(little_town, tavern="the eel pot", count=3, people=2, situations=1)
    assert pack.title == "Rumours at the Eel Pot, night 6"
    assert {rumor.tavern for rumor in pack.rumors} == {"The Eel Pot"}
    assert {card.tavern for card in pack.cards} <= {"The Eel Pot"}


def test_nothing_but_rumours(little_town: RunFolder) -> None:
    pack = make_pack(little_town, count=3, people=0, situations=0)
    assert (pack.cards, pack.hooks) == ((), ())


def test_the_same_pack_twice(little_town: RunFolder, pack: Pack) -> None:
    assert make_pack(little_town, count=6, people=4, situations=3) == pack


@pytest.mark.parametrize(
    ("name", "number"),
    [("The Eel Pot", 1), ("eel pot", 1), ("THREE KEYS", 2), ("2", 2), ("keys", 2)],
)
def test_a_house_is_found(little_town: RunFolder, name: str, number: int) -> None:
    assert tavern_of(little_town, name) == number


@pytest.mark.parametrize(
    ("name", "hint"),
    [("Eel Pit", "did you mean 'The Eel Pot'"), ("3", "this run has"), ("", "this run has")],
)
def test_a_house_that_there_is_not(little_town: RunFolder, name: str, hint: str) -> None:
    with pytest.raises(NoSuchTavernError, match=hint):
        tavern_of(little_town, name)


@pytest.mark.parametrize(
    "asked", [{"night": 99}, {"tavern": "Nowhere"}, {"count": 900}, {"kinds": ["throw"]}]
)
def test_what_there_is_not_is_one_of_four_errors(
    little_town: RunFolder, asked: Mapping[str, object]
) -> None:
    with pytest.raises(PACK_ERRORS) as found:
        make_pack(little_town, **asked)  # type: ignore[arg-type]
    assert "\n" not in str(found.value)


def test_a_line_of_ones_own_is_about_oneself(little_town: RunFolder) -> None:
    of = of_run(little_town, None, None)
    says = says_of(of)
    own = {tale.teller for tale in of.tales if not tale.tags.isdisjoint(("self", "doer"))}
    lines = {who: says(who) for who in own}
    assert any(lines.values())
    spoken = [line for line in lines.values() if line]
    assert len({*spoken}) == len(spoken)  # nobody says what another has said
    others = of.evening.people.keys() - own
    assert all(says(who) == "" for who in others)
