"""All that is so of a tale and its teller."""

from __future__ import annotations

import dataclasses

import pytest

from tavern_abm.pack.evening import Evening
from tavern_abm.pack.matter import Claim, Hop, Tale
from tavern_abm.pack.tagging import Tagger, big_sum_of
from tavern_abm.pack.tags import GAMES, TAGS
from tests.pack import little_town as town

BIG = 1000
SAW = Hop(town.CORA, "saw it", 3, town.THREE_KEYS)
WON = Claim("won", "rotting-toes", town.NAN, 0, 900, 3, town.THREE_KEYS)


def _tags(
    evening: Evening, claim: Claim, teller: int, *before: Hop, is_grown: bool = False
) -> frozenset[str]:
    how = "was told" if before else "saw it"
    chain = (*before, Hop(teller, how, 5, 1))
    return Tagger(evening, BIG).tags_of(claim, teller, chain, is_grown=is_grown)


def test_every_tag_is_of_the_vocabulary(tales: list[Tale]) -> None:
    for tale in tales:
        for tag in tale.tags:
            word, _, rest = tag.partition(" ")
            is_open = (
                word == "trade" or tag.startswith("i am ") or (word == "game" and rest in GAMES)
            )
            assert is_open or tag in TAGS, tag


def test_all_tags_of_a_tale(evening: Evening) -> None:
    before = (SAW, Hop(town.BESS, "was told", 4, town.EEL_POT))
    assert _tags(evening, WON, town.GIL, *before) == {
        *("far", "knows", "elsewhere", "bystander", "present"),
        *("drunk", "sour", "mid", "i am barmaid"),
        *("sex f", "trade servant", "recent", "has place", "has sum", "game toes"),
    }


@pytest.mark.parametrize(
    ("hows", "expected"),
    [
        (["saw it"], {"eye"}),
        (["did it"], {"eye"}),
        (["lived it"], {"eye"}),
        (["made it up"], {"lie", "eye"}),
        (["saw it", "was told"], {"heard", "source saw it"}),
        (["did it", "was told"], {"heard", "source did it"}),
        (["lived it", "was told"], {"heard"}),
        (["made it up", "was told"], {"heard", "source saw it"}),
        (["saw it", "was told", "was told"], {"far"}),
    ],
)
def test_how_near_one_is_to_it(evening: Evening, hows: list[str], expected: set[str]) -> None:
    who = (town.CORA, town.BESS, town.GIL)[-len(hows) :]
    chain = [Hop(one, how, 4, 1) for one, how in zip(who, hows, strict=True)]
    tags = Tagger(evening, BIG).tags_of(WON, town.GIL, chain)
    knowing = {"eye", "heard", "far", "lie", "source saw it", "source did it"}
    assert tags & knowing == expected


def test_part_and_nearness(evening: Evening) -> None:
    brawl = Claim("brawl", "", town.BESS, town.NAN, 0, 6, town.EEL_POT)
    own, other, kin = (_tags(evening, brawl, each) for each in (town.BESS, town.NAN, town.TAM))
    assert own & {"self", "doer", "bystander", "knows", "stranger", "kin"} == {"self"}
    assert other & {"self", "doer", "bystander"} == {"doer"}
    assert {"kin", "knows", "bystander", "absent", "elsewhere"} <= kin
    assert {"here", "present", "has by", "by f", "same sex", "fresh"} <= other
    mixed = _tags(evening, brawl._replace(other=town.OSK), town.TAM)
    assert "by m" in mixed
    assert "same sex" not in mixed
    turned = _tags(evening, brawl._replace(subject=town.NAN, other=town.BESS), town.TAM)
    assert {"by kin", "stranger"} <= turned


@pytest.mark.parametrize(
    ("night", "tag"), [(6, "fresh"), (5, "fresh"), (4, "recent"), (2, "recent"), (1, "old")]
)
def test_how_long_ago(evening: Evening, night: int, tag: str) -> None:
    tags = _tags(evening, WON._replace(night=night), town.GIL)
    assert tags & {"fresh", "recent", "old"} == {tag}


def test_what_happened_in_no_house_happened_by_day(evening: Evening) -> None:
    killed = Claim("killed", "", town.JORY, town.MORZA, 0, 3, 0)
    by_day = {"by day", "has place", "here", "elsewhere"}
    assert _tags(evening, killed, town.BESS) & by_day == {"by day"}
    at_a_table = _tags(evening, killed._replace(tavern=town.EEL_POT), town.BESS)
    assert at_a_table & by_day == {"has place", "here"}


def test_sums(evening: Evening) -> None:
    assert "big sum" not in _tags(evening, WON._replace(amount_cp=BIG), town.GIL)
    assert "big sum" in _tags(evening, WON._replace(amount_cp=BIG + 1), town.GIL)
    assert "has sum" not in _tags(evening, WON._replace(amount_cp=0), town.GIL)
    assert "grown" in _tags(evening, WON, town.GIL, SAW, is_grown=True)
    assert big_sum_of({"data": "gone/since"}) == big_sum_of({}) == 25 * 40


def test_a_sum_has_grown_if_it_is_more_than_it_was(tales: list[Tale]) -> None:
    grown = {each.rumor_id for each in tales if "grown" in each.tags}
    assert grown == {5}


@pytest.mark.parametrize(
    ("drinks", "tag"), [(0, "sober"), (1, "sober"), (2, "tipsy"), (3, "tipsy"), (4, "drunk")]
)
def test_drink(evening: Evening, drinks: int, tag: str) -> None:
    gil = dataclasses.replace(evening.people[town.GIL], drinks=drinks)
    changed = dataclasses.replace(evening, people=evening.people | {town.GIL: gil})
    assert _tags(changed, WON, town.GIL) & {"sober", "tipsy", "drunk"} == {tag}


def test_standing_and_trade(evening: Evening) -> None:
    cora = _tags(evening, WON, town.CORA)
    assert {"high", "i am innkeeper", "i am keeper"} <= cora
    assert "i am keeper" not in _tags(evening, WON, town.GIL)
    assert "low" in _tags(evening, WON, town.WILKIN)


def test_the_subjects_state_tonight(evening: Evening) -> None:
    def told_of(subject: int) -> frozenset[str]:
        return _tags(evening, WON._replace(subject=subject), town.GIL)

    assert {"owes", "present"} <= told_of(town.WILKIN)
    assert {"broke", "absent"} <= told_of(town.TAM)
    assert "dead" in told_of(town.JORY)
    assert "gone" in told_of(town.YLVA)
    # Ties of those who are gone stand nowhere: whether he knew them is left open.
    assert not told_of(town.JORY) & {"knows", "stranger"}
