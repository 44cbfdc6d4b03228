"""Offers: which wordings are looked at, what goes before them, and how they are weighed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from tavern_abm.pack.choosing import Offer, choose
from tavern_abm.pack.facts import Facts
from tavern_abm.pack.judging import Verdict
from tavern_abm.pack.keys import key_of
from tavern_abm.pack.matter import Said
from tavern_abm.pack.offers import Crier
from tavern_abm.pack.rumors import Evenings, of_run
from tavern_abm.pack.voicing import heads_before
from tavern_abm.run_folder import RunFolder
from tests.pack.offers_made_up import offer
from tests.pack.people import HOB, JOAN, MAUD, NAN, TAM, evening, tale, told_by, wording

FACTS = Facts(30, {}, {}, {}, cast("Any", None))
SRC = wording("{src} saw it done.", "heard", place="head")
FIRST = wording("Go to {first} if you want it fresh.", "far", place="head")


@pytest.fixture(scope="module")
def tonight(talkative_run: RunFolder) -> Evenings:
    return of_run(talkative_run, None, None)


def crier(of: Evenings, draw: int = 0) -> Crier:
    return Crier(of.evening, of.voice, of.guide, ("a draw", draw))


# ------------------------------------------------------------- heads


def test_a_head_names_nobody_whom_the_rumour_is_about() -> None:
    of = evening()
    plain = wording("{who} owes {by} {sum}.")
    of_hob = tale(of, chain=told_by(HOB, JOAN, NAN))
    assert heads_before(plain, of_hob, [SRC, FIRST]) == [SRC, FIRST]
    assert heads_before(plain, tale(of, chain=told_by(HOB, MAUD, NAN)), [SRC, FIRST]) == [FIRST]
    assert heads_before(plain, tale(of, chain=told_by(TAM, JOAN, NAN)), [SRC, FIRST]) == [SRC]


@pytest.mark.parametrize(
    "line",
    [
        wording("{src} says that {who} owes {sum}."),
        wording("{first} lent {who} the half of it."),
        wording("They say that {who} owes {sum}.", "far"),
        wording("{who} owes {sum}, I'm told.", "heard"),
        wording("I owe nobody {sum}.", denies=True),
    ],
)
def test_no_head_goes_before_what_says_itself_where_it_is_from(line: object) -> None:
    told = tale(evening(), chain=told_by(HOB, JOAN, NAN))
    assert heads_before(line, told, [SRC, FIRST]) == []  # type: ignore[arg-type]


# ------------------------------------------------------------- which wordings


def test_what_a_wording_rules_out_adds_nothing_to_its_weight(tonight: Evenings) -> None:
    found = crier(tonight).offers(tonight.tales)
    lines = {line.id: line for kind in _kinds(found) for line in tonight.voice.wordings(kind)}
    for each in found:
        asked = lines[each.utterance.wording].condition
        assert each.weight == pytest.approx(0.6 * len(asked.wanted))
    assert any(lines[each.utterance.wording].condition.unwanted for each in found)


def _kinds(found: list[Offer]) -> set[str]:
    return {each.tale.claim.kind for each in found}


def test_where_there_are_many_each_draw_looks_at_a_part_of_its_own(tonight: Evenings) -> None:
    every = _wordings(crier(tonight).offers(tonight.tales))
    parts = [_wordings(crier(tonight, draw).offers(tonight.tales, many=10)) for draw in (0, 1)]
    assert parts[0] < every
    assert len(parts[0]) > 0.3 * len(every)
    assert parts[0] != parts[1]


def _wordings(found: list[Offer]) -> set[str]:
    return {each.utterance.wording for each in found}


def test_a_wording_that_fits_many_tales_is_not_taken_in_every_draw() -> None:
    # One wording of forty has thirty offers, each other one has one. Of eight taken, it is one in
    # a fifth of the draws if every wording is as likely; thirty chances would make it nearly all.
    common = [offer(at, wording="w-0") for at in range(30)]
    others = [offer(30 + at, wording=f"w-{at + 1}") for at in range(39)]
    draws = [choose([*common, *others], 8, mix=(1, 0, 0), key=draw) for draw in range(60)]
    taken = [any(each.utterance.wording == "w-0" for each in draw.offers) for draw in draws]
    assert sum(taken) < 0.6 * len(draws)


# ------------------------------------------------------------- the key in words


@pytest.mark.parametrize(
    ("adds", "is_untrue", "said"),
    [
        ("the small drink: unknown", False, "The teller adds the small drink; the record does not"),
        ("the inn sign", True, "The teller adds the inn sign, which is untrue."),
    ],
)
def test_the_key_says_in_words_what_the_teller_adds(adds: str, is_untrue: bool, said: str) -> None:
    told = offer(0)
    words = replace(told.utterance, said=Said("won", 3, adds=adds, adds_untrue=is_untrue))
    wrong = (f"the teller adds: {adds}",) if is_untrue else ()
    key = key_of(replace(told, utterance=words, verdict=Verdict("true", wrong, "He won.")), FACTS)
    assert said in key
    assert "unknown" not in key
    assert key.count("eller adds") == 1
