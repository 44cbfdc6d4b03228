"""What a rumour could lead to: by the record, not by what is told, and in words of its own."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tavern_abm.pack.evening import Evening
from tavern_abm.pack.facts import Fact, Facts, _by_claim
from tavern_abm.pack.lead_cases import PLACES, Cases
from tavern_abm.pack.leads import Guide, _when, load_lines
from tavern_abm.pack.matter import Hop, Said, Tale, Utterance
from tavern_abm.pack.tagging import MADE_IT_UP, SAW_IT, WAS_TOLD
from tavern_abm.pack.tags import KINDS
from tests.pack.people import COLORS, HOB, JOAN, MAUD, NAN, OTTO, TAM, evening, tale

COMMON = (
    *("thrown_out", "banned", "won", "broke", "brawl", "cheats", "beaten", "ran", "run_down"),
    *("accused", "arrived"),
)
EVENT = 7
"""The event that a tale of `people.tale` springs from; it was on night 25, tonight is 30."""
AS = {"won": "big_win", "ran": "got_away", "accused": "cleared"}


def fact(kind: str, subject: int = TAM, event_id: int = EVENT, **known: Any) -> Fact:
    """Something that befell Tam at the Eel Pot, unless something else is said."""
    plain: dict[str, Any] = {
        "parts": {},
        "games": frozenset({"rotting-toes"}),
        "amount_cp": 0,
        "night": 25,
        "tavern": 1,
        "text": "",
    }
    return Fact(event_id, kind, subject, **plain | known)


def record(*facts: Fact, charges: dict[int, dict[int, list[Fact]]] | None = None) -> Facts:
    by_id = {each.event_id: each for each in facts}
    return Facts(30, by_id, _by_claim(facts), charges or {}, cast("Any", None))


def words(said: Said | None = None, text: str = "Tam did.") -> Utterance:
    return Utterance(text, said or Said("cheats", TAM), "cheats-1", "plain")


def tags(told: Tale, truth: str, of: Evening, *facts: Fact, **known: Any) -> set[str]:
    said = Said(told.claim.kind, told.claim.subject, told.claim.other or None)
    return Cases(of, record(*facts, **known)).of(told, words(said), truth).tags


def leads(told: Tale, truth: str, of: Evening, *facts: Fact, **known: Any) -> list[str]:
    """All that a rumour could lead to, until the words come again."""
    return [*lines(told, truth, of, *facts, **known).values()]


def lines(
    told: Tale,
    truth: str,
    of: Evening,
    *facts: Fact,
    visits: dict[tuple[int, int], int] | None = None,
    **known: Any,
) -> dict[str, str]:
    """The same, by the lines that it is made of."""
    said = Said(told.claim.kind, told.claim.subject, told.claim.other or None)
    guide = Guide(of, COLORS, record(*facts, **known), visits or {})
    found: dict[str, str] = {}
    while True:
        lead, line = guide.lead(told, words(said), truth, found)
        if line in found:
            return found
        found[line] = lead.text


# ------------------------------------------------------------- why it is false


def test_who_was_accused_and_is_innocent_was_not_taken_for_another() -> None:
    of = evening()
    told = tale(of, kind="cheats", other=0)
    found = tags(told, "false", of, fact("cleared", parts={MAUD: "accuser"}))
    assert "cleared" in found
    assert "mixed up" not in found
    texts = " ".join(leads(told, "false", of, fact("cleared", parts={MAUD: "accuser"})))
    assert "another did" not in texts
    assert "stood accused at the Eel Pot" in texts


def test_another_did_it_only_if_he_did() -> None:
    of = evening()
    told = tale(of, kind="cheats", other=0)
    judged = fact("convicted", HOB)
    assert "mixed up" not in tags(told, "false", of, judged)
    assert "mixed up" in tags(told, "false", of, judged, fact("trick", HOB, 3))
    beaten = tale(of, kind="beaten", other=0)
    assert "mixed up" in tags(beaten, "false", of, fact("beaten", HOB))
    assert "mixed up" not in tags(beaten, "false", of, fact("thrown_out", HOB))


def test_of_whom_only_the_other_one_is_wrong_it_is_not_said_that_it_never_was() -> None:
    of = evening()
    told = tale(of, kind="thrown_out", other=MAUD)
    put_out = fact("thrown_out", parts={HOB: "accuser"})
    assert "wrong by" in tags(told, "false", of, put_out)
    texts = " ".join(leads(told, "false", of, put_out))
    assert "never put out" not in texts
    assert "Maud Tench had no hand in it" in texts


@pytest.mark.parametrize("kind", ["brawl", "thrown_out", "beaten", "bout", "killed"])
def test_no_lead_of_what_was_not_so_has_the_other_one_act(kind: str) -> None:
    of = evening()
    told = tale(of, kind=kind, other=MAUD)
    texts = leads(told, "false", of, fact(AS.get(kind, kind), HOB, parts={JOAN: ""}))
    assert texts
    assert not any("Maud" in text for text in texts)
    assert not any("held his arms" in text or "It is not over" in text for text in texts)


@pytest.mark.parametrize("state", ["dead", "gone"])
@pytest.mark.parametrize("whom", ["tam", "maud"])
def test_nobody_acts_who_is_dead_or_gone(state: str, whom: str) -> None:
    lost = {"state": frozenset({state}), "tavern": 0}
    of = evening(**{whom: lost})
    told = tale(of, kind="brawl", other=MAUD)
    texts = leads(told, "true", of, fact("brawl", parts={MAUD: ""}))
    assert texts
    if whom == "maud":
        assert not any("Maud" in text for text in texts)
    asking = list(lines(told, "true", of, fact("brawl", parts={MAUD: ""})))
    named = [line for line in load_lines().leads if line.t in asking and "who" in line.people]
    assert whom == "maud" or all(f"who {state}" in line.wanted for line in named)


# ------------------------------------------------------------- what is so


def test_who_made_it_up_did_not_see_it() -> None:
    of = evening()
    chain = (Hop(OTTO, MADE_IT_UP, 25, 1), Hop(NAN, WAS_TOLD, 26, 1))
    told = tale(of, kind="cheats", other=0, chain=chain)
    made_up = Tale(**{**vars(told), "event_id": 0})
    tried = fact("trick", event_id=3)
    assert "made up" in tags(made_up, "true", of, tried)
    assert not any("who saw it" in text for text in leads(made_up, "true", of, tried))
    seen = (Hop(OTTO, SAW_IT, 25, 1), chain[1])
    honest = tale(of, kind="cheats", other=0, chain=seen)
    assert any("Otto Tolliver, who saw it" in text for text in leads(honest, "true", of, tried))


def test_who_ran_after_somebody_did_not_speak_against_him() -> None:
    of = evening(tam={"state": frozenset({"dead"}), "tavern": 0})
    told = tale(of, kind="killed", other=MAUD)
    killed = fact("killed", parts={MAUD: "pursuer"})
    ran_after = leads(told, "true", of, killed)
    assert not any("spoke against" in text for text in ran_after)
    assert any("ran after" in text for text in ran_after)
    accused = {TAM: {MAUD: [fact("accused", event_id=6)]}}
    assert any("spoke against" in text for text in leads(told, "true", of, killed, charges=accused))
    later = {TAM: {MAUD: [fact("accused", event_id=8)]}}
    assert not any(
        "spoke against" in text for text in leads(told, "true", of, killed, charges=later)
    )


def test_a_killing_by_day_is_no_tables_sentence() -> None:
    of = evening(tam={"state": frozenset({"dead"}), "tavern": 0})
    told = tale(of, kind="killed", other=0, tavern=0)
    texts = leads(told, "true", of, fact("killed", tavern=0, games=frozenset()))
    assert any("No table judged" in text for text in texts)
    assert not any("A table judged" in text or "who sat there" in text for text in texts)


def test_what_was_paid_back_need_not_be_back_in_a_few_days() -> None:
    owing = evening(tam={"state": frozenset({"owes"})})
    lent = fact("lent", parts={MAUD: ""}, amount_cp=620)
    told = tale(owing, kind="lent")
    assert any("must be back" in text for text in leads(told, "true", owing, lent))
    quit_of_it = evening()
    assert not any("must be back" in text for text in leads(told, "true", quit_of_it, lent))
    of_another = fact("lent", event_id=9, parts={HOB: ""})
    assert "unpaid" not in tags(told, "true", owing, lent, of_another)


def test_who_lies_bruised_has_no_evening_to_fill() -> None:
    of = evening(tam={"state": frozenset({"bruised"}), "tavern": 0})
    for kind in ("thrown_out", "banned"):
        texts = leads(tale(of, kind=kind, other=0), "true", of, fact(kind))
        assert not any("evening to fill" in text or "comes by" in text for text in texts)


def test_another_house_is_another_one() -> None:
    of = evening()
    told = tale(of, kind="thrown_out", other=0)
    back = leads(told, "true", of, fact("thrown_out"))
    assert not any("another house" in text for text in back)
    elsewhere = leads(told, "true", of, fact("thrown_out", tavern=2))
    assert any("in another house now" in text for text in elsewhere)


def test_who_came_weeks_ago_is_not_new_in_town() -> None:
    of = evening()
    told = tale(of, kind="arrived", other=0)
    fresh = leads(told, "true", of, fact("arrived", night=29))
    assert any("new in town" in text for text in fresh)
    old = leads(told, "true", of, fact("arrived", night=11))
    assert not any("new in town" in text for text in old)


def test_the_family_asks_while_it_is_fresh_and_some_of_it_are_out() -> None:
    of = evening(hob={"state": frozenset({"dead"}), "tavern": 0})
    told = tale(of, kind="killed", subject=HOB, other=0)
    assert any(
        "dead one's kin" in t for t in leads(told, "true", of, fact("killed", HOB, night=30))
    )
    assert not any("dead one's kin" in t for t in leads(told, "true", of, fact("killed", HOB)))


def test_nobody_is_called_honest_who_was_beaten_for_winning() -> None:
    lines = [line.t for line in load_lines().leads if "too_lucky" in line.of]
    assert lines
    assert not any("is honest" in text for text in lines)


def test_who_was_let_in_again_does_not_mean_to_be() -> None:
    of = evening(tam={"tavern": 2})
    told = tale(of, kind="thrown_out", other=0)
    put_out = fact("thrown_out", night=28)
    assert any("let in again" in text for text in leads(told, "true", of, put_out))
    visited = {(TAM, 1): 29}
    assert not any(
        "let in again" in text for text in leads(told, "true", of, put_out, visits=visited)
    )
    before = {(TAM, 1): 28}
    assert any("let in again" in text for text in leads(told, "true", of, put_out, visits=before))


def test_who_was_barred_tonight_may_not_go_in_again() -> None:
    of = evening()
    told = tale(of, kind="banned", other=0)
    assert any("may go in again" in t for t in leads(told, "true", of, fact("banned", night=10)))
    tonight = leads(told, "true", of, fact("banned", night=30))
    assert not any("may go in again" in text for text in tonight)


@pytest.mark.parametrize(("house", "walks"), [(1, False), (2, True)])
def test_nobody_walks_into_the_house_he_sits_in(house: int, walks: bool) -> None:
    of = evening(maud={"tavern": house})
    texts = leads(tale(of, kind="brawl"), "true", of, fact("brawl", parts={MAUD: "accuser"}))
    assert any("walks into the other's house" in text for text in texts) == walks
    assert any("takes bets on a second round" in text for text in texts) != walks


@pytest.mark.parametrize("kind", ["run_down", "ran", "beaten", "brawl", "won", "broke", "killed"])
def test_whom_it_really_befell_is_named_and_found(kind: str) -> None:
    of = evening(hob={"state": frozenset({"dead"}), "tavern": 0}) if kind == "killed" else evening()
    texts = leads(tale(of, kind=kind, other=0), "false", of, fact(AS.get(kind, kind), HOB))
    named = [text for text in texts if "Hob Merrow" in text]
    assert named
    assert kind == "killed" or all("Hob Merrow, at the Eel Pot" in t or "is at" in t for t in named)


def test_nobody_acts_whom_it_befell_if_he_is_gone() -> None:
    of = evening(hob={"state": frozenset({"gone"}), "tavern": 0})
    texts = leads(tale(of, kind="ran", other=0), "false", of, fact("got_away", HOB))
    assert texts
    assert not any("Hob" in text for text in texts)


@pytest.mark.parametrize("state", ["", "dead"])
def test_who_has_kin_here_is_not_without_kin(state: str) -> None:
    of = evening(joan={"state": frozenset({state} - {""}), "tavern": 0})
    told = tale(of, kind="arrived", subject=HOB, other=0)
    texts = leads(told, "true", of, fact("arrived", HOB, night=29))
    assert any("no kin in town" in text for text in texts) == (state == "dead")


def test_no_house_is_blamed_where_only_a_touch_is_untrue() -> None:
    of = evening()
    told = tale(of, kind="broke", other=0)
    guide = Guide(of, COLORS, record(fact("broke")))
    for said in (Said("broke", TAM, tavern=1), Said("broke", TAM, night=(26, 27))):
        assert "misplaced" not in guide.case_of(told, words(said), "partly true").tags
    elsewhere = guide.case_of(told, words(Said("broke", TAM, tavern=2)), "partly true")
    assert "misplaced" in elsewhere.tags


def test_who_broke_away_and_got_away_is_one_and_the_same() -> None:
    of = evening()
    ran, away = fact("ran", HOB, 7), fact("got_away", HOB, 8)
    told = tale(of, kind="ran", other=0)
    assert "mixed up" in tags(told, "false", of, ran, away)
    assert "mixed up" not in tags(told, "false", of, ran, fact("got_away", HOB, 8, night=20))


# ------------------------------------------------------------- no words twice


@pytest.mark.parametrize("place", ["out", "home"])
@pytest.mark.parametrize("truth", ["true", "partly true", "false"])
@pytest.mark.parametrize("kind", COMMON)
def test_each_common_case_has_four_leads_of_its_own(kind: str, truth: str, place: str) -> None:
    if kind in ("accused", "arrived") and truth == "false":
        pytest.skip("only those who were there tell of it")
    of = evening(tam={"tavern": 1 if place == "out" else 0})
    other = MAUD if kind == "brawl" else 0
    told = tale(of, kind=kind, other=other)
    subject = HOB if truth == "false" else TAM
    facts = [fact(AS.get(kind, kind), subject, parts={MAUD: ""} if other else {})]
    if kind == "cheats":
        facts = [fact("convicted", subject), fact("trick", subject, 3)]
    assert len(own_leads(told, truth, of, *facts)) >= 4


def own_leads(told: Tale, truth: str, of: Evening, *facts: Fact) -> list[str]:
    """What a rumour could lead to in words that are for its kind."""
    own = {line.t for line in load_lines().leads if told.claim.kind in line.of}
    return [line for line in lines(told, truth, of, *facts) if line in own]


@pytest.mark.parametrize("ago", [1, 12])
def test_who_left_leaves_four_leads(ago: int) -> None:
    of = evening(tam={"state": frozenset({"gone"}), "tavern": 0})
    told = tale(of, kind="left", other=0, tavern=0)
    assert len(own_leads(told, "true", of, fact("left", night=30 - ago, tavern=0))) >= 4


@pytest.mark.parametrize("truth", ["true", "partly true", "false"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", PLACES)
def test_everything_leads_somewhere(kind: str, truth: str, place: str) -> None:
    here = {"tavern": 1} if place == "out" else {"tavern": 0, "state": frozenset({place})}
    of = evening(tam=here, nan=here)
    for teller in (NAN, TAM):
        assert leads(tale(of, kind=kind, teller=teller), truth, of)


def test_words_come_again_only_when_nothing_else_fits() -> None:
    of = evening()
    told = tale(of, kind="won", other=0)
    texts = leads(told, "true", of, fact("big_win"))
    assert len(set(texts)) == len(texts) >= 7
    assert texts == leads(told, "true", of, fact("big_win"))


def test_a_lead_is_as_strong_as_was_asked_for() -> None:
    of = evening()
    told = tale(of, kind="cheats", other=0)
    guide = Guide(of, COLORS, record(fact("trick")))
    used: set[str] = set()
    for _ in range(2):
        lead, line = guide.lead(told, words(), "true", used, least=3)
        used.add(line)
        assert lead.strength == guide.strength(told, words(), "true") == 3


# ------------------------------------------------------------- if pressed


def test_a_creditor_answers_as_one() -> None:
    of = evening()
    for kind in ("owes", "lent"):
        chain = (Hop(MAUD, MADE_IT_UP, 25, 1),)
        told = tale(of, kind=kind, teller=MAUD, chain=chain)
        owed = {line.t for line in load_lines().pressed if line.how == "is owed"}
        assert Guide(of, COLORS, record()).pressed(told)[1] in owed
    by_another = tale(of, chain=(Hop(NAN, MADE_IT_UP, 25, 1),))
    assert Guide(of, COLORS, record()).pressed(by_another)[1] not in owed


@pytest.mark.parametrize(
    ("ago", "words_of_it"),
    [(12, "twelve nights back"), (13, "a fortnight or so back"), (18, "some weeks back")],
)
def test_thirteen_nights_are_a_fortnight_or_so(ago: int, words_of_it: str) -> None:
    assert _when(ago) == words_of_it


def test_what_kin_said_in_a_tavern_was_not_said_at_home() -> None:
    of = evening(ties={})
    guide = Guide(of, COLORS, record())
    told_in = tale(of, chain=(Hop(OTTO, SAW_IT, 25, 1), Hop(NAN, WAS_TOLD, 26, 2)))
    told_at_home = tale(of, chain=(Hop(OTTO, SAW_IT, 25, 1), Hop(NAN, WAS_TOLD, 26, 0)))
    answers = {
        name: _answers(guide, each) for name, each in (("in", told_in), ("at", told_at_home))
    }
    assert not any("our own table" in text for text in answers["in"])
    assert any("our own table" in text for text in answers["at"])


def test_nobody_is_sent_to_ask_the_dead() -> None:
    of = evening(otto={"state": frozenset({"dead"}), "tavern": 0})
    chain = (Hop(OTTO, SAW_IT, 25, 1), Hop(NAN, WAS_TOLD, 26, 2))
    texts = _answers(Guide(of, COLORS, record()), tale(of, chain=chain))
    assert any("in the ground" in text for text in texts)
    assert not any("Ask him yourself" in text or "don't tell him" in text for text in texts)


def _answers(guide: Guide, told: Tale) -> list[str]:
    used: list[str] = []
    texts: list[str] = []
    while True:
        text, line = guide.pressed(told, used)
        if line in used:
            return texts
        used.append(line)
        texts.append(text)
