"""The key of a rumour: plain to who was not there, and it says where everybody is to be found."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tavern_abm.pack.choosing import Offer
from tavern_abm.pack.evening import Evening
from tavern_abm.pack.facts import Fact, Facts, _by_claim
from tavern_abm.pack.judging import Verdict
from tavern_abm.pack.keys import key_of, whereabouts
from tavern_abm.pack.lead_cases import Cases
from tavern_abm.pack.matter import Said, Tale, Utterance
from tavern_abm.pack.speech import sum_said
from tests.pack.people import HOB, MAUD, NAN, TAM, evening, tale, told_by


def fact(kind: str, subject: int = TAM, event_id: int = 7, **known: Any) -> Fact:
    plain: dict[str, Any] = {
        "parts": {},
        "games": frozenset(),
        "amount_cp": 0,
        "night": 25,
        "tavern": 1,
        "text": "",
    }
    return Fact(event_id, kind, subject, **plain | known)


def record(*facts: Fact) -> Facts:
    people = SimpleNamespace(pronoun=lambda one: "she" if one == MAUD else "he")
    by_id = {each.event_id: each for each in facts}
    return Facts(30, by_id, _by_claim(facts), {}, cast("Any", people))


def offered(told: Tale, said: Said, verdict: Verdict, text: str = "He did.") -> Offer:
    return Offer(told, Utterance(text, said, "w-1", "plain"), verdict)


# ------------------------------------------------------------- plain words


def test_a_sum_is_repeated_as_it_was_spoken() -> None:
    chain = told_by(HOB, MAUD, NAN)
    told = next(
        each
        for each in (
            tale(evening(), kind="won", other=0, amount_cp=n, chain=chain) for n in range(610, 690)
        )
        if "odd" in sum_said(each.claim.amount_cp, 3, NAN, 7, 7, False).words
    )
    spoken = sum_said(told.claim.amount_cp, 3, NAN, 7, 7, False)
    said = Said("won", TAM, amount_cp=spoken.span)
    wrong = ("told as last night, was two nights back (night 28)", "told as 6 gold, was four gold")
    verdict = Verdict("partly true", wrong, "Tam won 4 gp.", 7)
    key = key_of(offered(told, said, verdict, f"{spoken.words.capitalize()}!"), record())
    assert key == (
        "Tam won 4 gp. Told as last night, was two nights back (night 28). "
        f"Told as {spoken.words}, was four gold."
    )
    unspoken = key_of(offered(told, said, verdict, "A purse full."), record())
    assert "Told as 6 gold, was four gold." in unspoken


@pytest.mark.parametrize(
    ("who", "words"), [(TAM, "The accused does cheat."), (MAUD, "The accused has never tried")]
)
def test_the_key_of_an_accusation_says_whether_the_accused_cheats(who: int, words: str) -> None:
    told = tale(evening(), kind="accused", subject=who, other=0)
    verdict = Verdict("true", (), "The table cleared him.", 7)
    facts = record(fact("trick", TAM, 3))
    assert words in key_of(offered(told, Said("accused", who), verdict), facts)
    known = replace(verdict, key="He has tried one trick.")
    assert words not in key_of(offered(told, Said("accused", who), known), facts)


def test_a_race_is_explained_and_its_totals_left_out() -> None:
    told = tale(evening(), kind="race", other=0)
    verdict = Verdict("true", (), "Tam won the Harbour Swim with 136 before five others.", 7)
    key = key_of(offered(told, Said("race", TAM), verdict), record(fact("race_won", amount_cp=260)))
    assert "136" not in key
    assert "won the Harbour Swim before five others" in key
    assert "The winner took home two gold and six silver." in key


# ------------------------------------------------------------- whereabouts


def found(told: Tale, of: Evening, line: str, *facts: Fact, truth: str = "true") -> list[str]:
    said = Said(told.claim.kind, told.claim.subject, told.claim.other or None)
    case = Cases(of, record(*facts)).of(told, Utterance("He did.", said, "w-1", "plain"), truth)
    return [*whereabouts(told, case, line, of, record(*facts))]


@pytest.mark.parametrize(
    ("state", "tavern", "words"),
    [
        ("", 1, "Tam Harl is at the Eel Pot"),
        ("", 0, "Tam Harl is at home."),
        ("bruised", 0, "Tam Harl is laid up at home."),
        ("gone", 0, "Tam Harl has left town (night 27)."),
        ("dead", 0, "Tam Harl is dead, killed on night 26."),
    ],
)
def test_where_the_subject_is_can_be_answered(state: str, tavern: int, words: str) -> None:
    of = evening(tam={"state": frozenset({state} - {""}), "tavern": tavern})
    told = tale(of, kind="beaten", other=0)
    happened = fact("killed", TAM, 8, night=26), fact("left", TAM, 9, night=27)
    told_of_kin = found(told, of, "{kin} is {kin.where}.", fact("beaten"), *happened)
    assert len(told_of_kin) == 1
    assert told_of_kin[0].startswith(words.rstrip("."))
    assert not found(told, of, "{who} is {who.where}.", fact("beaten"), *happened)


def test_what_the_lead_says_in_other_words_is_not_said_again() -> None:
    of = evening(tam={"tavern": 0})
    told = tale(of, kind="won", other=0)
    assert not found(told, of, "{who} stayed here; {who} is at home.", fact("big_win"))
    assert found(told, of, "{who} won.", fact("big_win"))


def test_both_of_a_brawl_can_be_found_and_whom_it_really_befell() -> None:
    of = evening(maud={"tavern": 0})
    fought = fact("brawl", parts={MAUD: "accuser"})
    both = found(tale(of, kind="brawl"), of, "{who} is {who.where}.", fought)
    assert both == ["Maud Tench is at home."]
    another = found(
        tale(of, kind="ran", other=0),
        of,
        "{who}, {who.where}.",
        fact("got_away", HOB),
        truth="false",
    )
    assert [text.partition(" (")[0] for text in another] == ["Hob Merrow is at the Eel Pot"]
