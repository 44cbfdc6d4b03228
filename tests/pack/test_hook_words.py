"""The words of hooks: whole, short enough, and naming everybody rightly."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tavern_abm.pack.ahead import Ahead
from tavern_abm.pack.hooks import outcome_of
from tavern_abm.pack.motifs import MOTIFS
from tavern_abm.pack.motifs.words import (
    FIELDS,
    MOST_WORDS,
    Outcome,
    after,
    lines_of,
    named,
    scene_of,
    tables,
)
from tests.pack.bench import (
    BESS,
    CHASED,
    MORZA,
    NAN,
    NIGHT,
    OSK,
    TAM,
    evening_with,
    found,
    happening,
    invented,
    lent,
    only,
    past_with,
    person,
    slip,
    wrongly,
)

# ------------------------------------------------------------- players and words


def test_players_characters_are_in_no_situation() -> None:
    evening = evening_with(person(TAM, is_player=True), person(BESS))
    assert not found("debt", past_with(lent()), evening)
    assert not found("one_slip", past_with(slip()), evening)
    assert not found("streak", past_with(streaks={TAM: 3}, custom="orc"), evening)
    ran = happening("got_away", TAM, BESS, text=CHASED)
    assert not found("chase", past_with(ran), evening)
    assert not found("wronged", past_with(wrongly("banned")), evening)
    away = evening_with(person(TAM, is_player=True, tavern=0), person(BESS))
    assert not found("left_behind", past_with(ran._replace(witnesses=(BESS,))), away)


def scenes() -> Iterator[tuple[str, str]]:
    for motif in MOTIFS:
        own = [name for name, words in tables()[motif].items() if isinstance(words, dict)]
        yield from ((motif, scene) for scene in own if scene not in ("parts", "short"))


def test_every_motif_has_words_and_no_words_lack_a_motif() -> None:
    assert {*tables()} == {*MOTIFS, "after", "tonight"}


@pytest.mark.parametrize(("motif", "scene"), [*scenes()])
def test_every_scene_is_whole(motif: str, scene: str) -> None:
    words = scene_of(motif, scene)
    assert {*FIELDS} <= {*words}
    assert "quiet" in words or "nobody" in words
    lists = [words[field] for field in FIELDS if field != "wants"]
    assert all(isinstance(each, str) for choices in lists for each in choices)
    assert all(isinstance(each, list) for each in words["wants"])
    assert {*words["short"]} <= {*FIELDS}


def test_every_outcome_that_is_watched_for_has_words() -> None:
    evening = evening_with(*(person(each) for each in (TAM, BESS, OSK, MORZA)))
    past = past_with(lent(), slip(), suspicions={OSK: {BESS: 0.9}}, purses={TAM: 5})
    known = {*tables()["after"]}
    for motif in ("debt", "one_slip", "noose"):
        for situation in found(motif, past, evening):
            assert {kind for watch in situation.watches for kind in watch.kinds} <= known


@pytest.mark.parametrize("kind", sorted({*tables()["after"]} - {"words"}))
def test_every_outcome_reads_as_a_sentence(kind: str) -> None:
    evening = evening_with(person(TAM), person(BESS), person(OSK))
    situation = next(iter(found("one_slip", past_with(slip()), evening)))
    came = happening(kind, TAM, OSK, night=16, is_just=False, amount_cp=30)
    said = lines_of(situation, evening, Outcome(21, [came]))
    assert said is not None
    assert re.fullmatch(r"Night 16: [A-Z].+\.", said.nobody)
    assert not re.search(r"[{}]|  ", said.nobody)


def test_a_sentence_says_on_whose_word_and_whether_it_is_just() -> None:
    evening = evening_with(person(TAM), person(BESS), person(OSK))
    situation = next(iter(found("one_slip", past_with(slip()), evening)))
    banned = happening("banned", TAM, OSK, night=16, is_just=True)
    expected = "Night 16: Tam is banned from the Eel Pot on the word of Osk Gannet"
    assert after([banned], situation, evening) == f"{expected}, and deserves it."
    unjust = banned._replace(is_just=False, other_id=0)
    expected = "Night 16: Tam is banned from the Eel Pot, and is honest."
    assert after([unjust], situation, evening) == expected


def test_two_of_one_name_are_told_in_full() -> None:
    evening = evening_with(person(TAM), person(BESS, name="Tam Crake", given="Tam"))
    _, said = only("debt", past_with(lent(), purses={TAM: 5}), evening)
    assert said.wants[0].startswith("Tam Harl: ")
    assert said.lever.startswith("Tam Harl has 5 cp")


def test_a_seat_goes_before_a_word_too_many() -> None:
    seat = "the very long bench under the second window that nobody has opened since the flood"
    evening = evening_with(person(TAM, seat=seat), person(BESS, seat=seat))
    _, said = only("one_slip", past_with(slip()), evening)
    assert said.n_words <= MOST_WORDS
    assert said.now.count(seat) < 2


def test_humans_are_told_by_their_trade() -> None:
    assert f"{named(person(TAM)).full}" == "Tam Harl (carter, stool 1)"
    orc = person(TAM, ancestry="orc", what="orc carter")
    assert f"{named(orc).full}" == "Tam Harl (orc carter, stool 1)"


def test_more_believers_are_what_comes_of_a_tale() -> None:
    people = [person(each) for each in (TAM, BESS, OSK, MORZA, NAN)]
    known = {"inventions": [invented()], "believers": lambda _: {OSK: NAN, MORZA: NAN, BESS: OSK}}
    evening = evening_with(*people)
    situation = next(iter(MOTIFS["false_tale"](past_with(**known), evening)))
    ahead = Ahead(NIGHT, 21, (), {(5, TAM): 4})
    said = lines_of(situation, evening, outcome_of(situation, ahead))
    assert said is not None
    assert "four more believe it" in said.nobody
    none = lines_of(situation, evening, outcome_of(situation, Ahead(NIGHT, 21, ())))
    assert none is not None
    assert "four" not in none.nobody
    assert "night 21" in none.nobody
