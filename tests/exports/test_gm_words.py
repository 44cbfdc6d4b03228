"""Lines of keys, cards and situations, as every page of the game master shows them."""

import html
from dataclasses import replace

from tavern_abm.exports import gm_words, markdown, printable
from tavern_abm.pack.documents import players_page
from tests.fake_pack import fake_pack

PACK = fake_pack(3)


def test_a_house_is_named_as_in_a_sentence_for_both() -> None:
    rumor = replace(PACK.rumors[0], tavern="The Eel Pot", speaker_as_seen="a carter by the fire")
    heard = players_page(replace(PACK, rumors=(rumor,))).rumors[0]
    assert gm_words.spoken_by(rumor) == "a carter by the fire, the Eel Pot"
    assert gm_words.spoken_by(heard) == "a carter by the fire, the Eel Pot"


def test_a_chain_says_what_becomes_of_those_who_ask_but_not_of_who_tells_it() -> None:
    saw, told = PACK.rumors[0].chain
    saw = replace(
        saw, name="Maud", how="saw it", night=9, tavern="The Eel Pot", pressed="left town"
    )
    told = replace(told, name="Nan", how="was told", night=11, tavern="", pressed="tells it")
    rumor = replace(PACK.rumors[0], chain=(saw, told))
    assert gm_words.chain(rumor) == (
        "Maud (saw it, night 9, the Eel Pot; left town) > Nan (was told, night 11)"
    )


def test_what_the_key_tells_already_is_not_told_again() -> None:
    rumor = PACK.rumors[0]
    labels = [line.label for line in gm_words.key_lines(rumor)]
    assert "The teller adds" in labels
    again = replace(rumor, key=f"He never did. The teller adds {rumor.said.adds}: untrue.")
    assert "The teller adds" not in [line.label for line in gm_words.key_lines(again)]


def test_an_edition_is_named_once() -> None:
    card = replace(PACK.cards[0], numbers=("3.5 Spot +1", "Perc +2", "5e pPerc 13"), fight="")
    assert gm_words.number_lines(card) == [
        ("3.5", "Spot +1"),
        ("4e", "Perc +2"),
        ("5e", "pPerc 13"),
    ]


def test_lines_with_nothing_in_them_are_left_out() -> None:
    hook = replace(PACK.hooks[0], if_nobody="", wants=("Morza: luck", "Posy: her boot back!"))
    lines = dict(gm_words.hook_lines(hook))
    assert "IF NOBODY ACTS" not in lines
    assert lines["WANTS"] == "Morza: luck. Posy: her boot back!"


def test_numbers_of_rumours() -> None:
    card = PACK.cards[0]
    told = [gm_words.rumors_of(replace(card, rumors=each)) for each in ((), (4,), (9, 2, 9))]
    assert told == ["", "rumour 4", "rumours 2, 9"]


def test_which_run_it_was() -> None:
    run = {"scenario": "river-town", "seed": 4, "replicate": 0, "version": "1.2", "nights": 14}
    told = gm_words.made_of(replace(PACK, run=run))
    assert told == "scenario river-town, seed 4, replicate 0, night 14, tavern_abm 1.2"


def test_the_key_says_where_the_teller_sits() -> None:
    rumor = replace(PACK.rumors[0], teller="Nan Roe", seat="the stair", tavern="The Eel Pot")
    assert dict(gm_words.key_lines(rumor))["Says it"] == "Nan Roe, the stair, the Eel Pot"
    for page in (printable.game_master(fake_pack(3)), markdown.game_master(fake_pack(3))):
        key = page.partition("The key")[2]
        for each in PACK.rumors:
            assert each.seat in html.unescape(key).replace("\\", "")
