"""Rumours of an evening: what each holds, how they are ordered, and what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from itertools import pairwise

import pandas as pd
import pytest

from tavern_abm.pack import pages
from tavern_abm.pack.balance import TRUTHS
from tavern_abm.pack.documents import Link, PlayerRumor, Rumor
from tavern_abm.pack.evening import Evening, NoSuchNightError, evening_of
from tavern_abm.pack.facts import Facts
from tavern_abm.pack.judging import truth_of
from tavern_abm.pack.leads import dc_of, load_lines, sentence, verify_slots
from tavern_abm.pack.memory import Memory, Told, session_of
from tavern_abm.pack.ordering import in_order
from tavern_abm.pack.rumors import (
    Made,
    NothingToTellError,
    TooFewError,
    make_rumors,
    of_run,
    run_id,
    told_of,
)
from tavern_abm.pack.sameness import name_words, opening_of, runs_in, words_of
from tavern_abm.pack.voicing import RunVoice
from tavern_abm.run_folder import RunFolder
from tests.pack.offers_made_up import offer, telling_offers


@pytest.fixture(scope="module")
def made(talkative_run: RunFolder) -> Made:
    return make_rumors(talkative_run, count="d20")


@pytest.fixture(scope="module")
def tonight(talkative_run: RunFolder) -> Evening:
    return evening_of(talkative_run)


# ------------------------------------------------------------- what each holds


def test_every_teller_is_out_tonight_and_no_player(made: Made, tonight: Evening) -> None:
    for rumor in made.rumors:
        teller = tonight.people[rumor.teller_id]
        assert teller.tavern == rumor.tavern_id > 0
        assert tonight.houses[rumor.tavern_id] == rumor.tavern
        assert (teller.name, teller.seat) == (rumor.teller, rumor.seat)
        assert not teller.is_player
        assert "dead" not in teller.state


def test_every_chain_leads_from_who_could_know_to_the_teller(made: Made) -> None:
    for rumor in made.rumors:
        first, *others = rumor.chain
        assert first.how in ("saw it", "did it", "lived it", "made it up")
        assert all(link.how == "was told" for link in others)
        assert rumor.chain[-1].patron_id == rumor.teller_id
        assert rumor.chain[-1].pressed == "tells it"
        assert all(link.pressed for link in rumor.chain)
        assert (first.how == "made it up") == (rumor.event == 0)


def test_the_truth_is_that_of_what_was_said(made: Made, talkative_run: RunFolder) -> None:
    facts = Facts.of(talkative_run)
    for rumor in made.rumors:
        assert truth_of(rumor.said, rumor.event, facts).truth == rumor.truth
        assert rumor.key


def test_numbers_run_from_one_and_ids_are_all_different(made: Made) -> None:
    assert [rumor.number for rumor in made.rumors] == list(range(1, 21))
    assert len({rumor.id for rumor in made.rumors}) == 20
    assert all(len(rumor.id) == 16 and rumor.id.isalnum() for rumor in made.rumors)


def test_each_leads_to_something_and_the_teller_has_an_answer(made: Made) -> None:
    for rumor in made.rumors:
        assert rumor.strength in (1, 2, 3)
        assert rumor.dc in (10, 12, 15, 20)
        for text in (rumor.hook, rumor.pressed):
            assert text
            assert "{" not in text
            assert text == sentence(text)
    assert len({rumor.pressed for rumor in made.rumors}) >= 12


def test_who_was_in_it_does_not_say_that_he_looked_on(little_town: RunFolder) -> None:
    of = of_run(little_town, None, None)
    hows = set()
    for tale in of.tales:
        _, line = of.guide.pressed(tale)
        how = next(each.how for each in load_lines().pressed if each.t == line)
        hows.add((tale.chain[-1].how, how))
    assert hows >= {("saw it", "saw it"), ("lived it", "lived it"), ("was told", "was told")}
    assert hows <= {
        ("saw it", "saw it"),
        ("made it up", "saw it"),
        ("lived it", "lived it"),
        ("did it", "lived it"),
        ("did it", "is owed"),
        ("made it up", "is owed"),
        ("was told", "was told"),
    }


def test_nobody_is_looked_for_who_is_past_finding(talkative_run: RunFolder) -> None:
    of = of_run(talkative_run, None, None)
    leads = [(tale, of.guide.lead(tale, offer().utterance, "true")[0].text) for tale in of.tales]
    for tale, text in leads:
        subject = of.evening.people[tale.claim.subject]
        assert f"{subject.name} is gone from town" not in text
        assert f"{subject.name} is dead and has" not in text
    assert any(of.evening.people[tale.claim.subject].state & {"gone"} for tale, _ in leads)


# ------------------------------------------------------------- no two alike


def test_no_two_sound_alike(made: Made, tonight: Evening) -> None:
    assert len({rumor.wording for rumor in made.rumors}) == 20
    assert len({opening_of(rumor.text, 2) for rumor in made.rumors}) == 20
    people = name_words(person.name for person in tonight.people.values())
    runs = Counter(
        run
        for rumor in made.rumors
        for run in runs_in(rumor.text, people, name_words(tonight.houses.values()))
    )
    assert max(runs.values()) == 1
    assert max(Counter(rumor.form for rumor in made.rumors).values()) <= 7
    assert max(Counter(rumor.teller_id for rumor in made.rumors).values()) <= 2
    assert max(Counter(rumor.event or -rumor.story for rumor in made.rumors).values()) <= 2


def test_sessions_in_a_row_repeat_no_wording(talkative_run: RunFolder) -> None:
    memory, told = Memory(), set()
    for _ in range(4):
        rumors = make_rumors(talkative_run, count="d12", seen=memory).rumors
        assert told.isdisjoint(rumor.wording for rumor in rumors)
        told |= {rumor.wording for rumor in rumors}
        memory = memory.and_then(session_of(_run_id(talkative_run), 21, {}, told_of(rumors)))
    assert len(told) == 48


def _run_id(run: RunFolder) -> str:
    from tavern_abm.pack.identity import salt_of

    return run_id(salt_of(run))


def test_without_a_memory_they_do_repeat(talkative_run: RunFolder) -> None:
    sets = [
        {rumor.wording for rumor in make_rumors(talkative_run, count=12, draw=draw).rumors}
        for draw in range(1, 6)
    ]
    assert sets[0] != sets[1]
    assert len(set[str]().union(*sets)) < sum(map(len, sets))


def test_what_speaks_knows_how_often_each_head_and_tail_was_told(
    little_town: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def speak(*_: object, told: Mapping[str, int], **__: object) -> None:
        asked.append(told)

    monkeypatch.setattr(RunVoice, "speak", speak)
    told = [Told(wording="w", head="heads-1", tail="tails-1", story=1, event=0)] * 2
    memory = Memory().and_then(session_of("another", 1, {}, told))
    with pytest.raises(NothingToTellError):
        make_rumors(little_town, count=3, seen=memory)
    assert asked
    assert all(each == {"heads-1": 2, "tails-1": 2} for each in asked)


# ------------------------------------------------------------- in order


def test_neighbours_differ_and_the_order_tells_nothing() -> None:
    offers = telling_offers(20, 4)
    ordered = in_order(offers, "5a17" * 8)
    assert sorted(one.key for one in ordered) == sorted(one.key for one in offers)
    assert all(a.utterance.form != b.utterance.form for a, b in pairwise(ordered))
    assert in_order(reversed(offers), "5a17" * 8) == ordered
    assert in_order(offers, "a517" * 8) != ordered


def test_the_place_of_a_rumour_does_not_hang_on_its_truth() -> None:
    # A hundred orders of the same twenty, each of which has ten true ones; the mean place of
    # these is 9.5 with a standard error of 0.13.
    offers = [offer(at, "true" if at < 10 else "false", form="plain") for at in range(20)]
    orders = [in_order(offers, f"{salt:032x}") for salt in range(100)]
    places = [at for order in orders for at, one in enumerate(order) if one.label == 0]
    assert abs(sum(places) / len(places) - 9.5) < 4 * 0.13


def test_two_of_one_event_or_teller_stand_apart() -> None:
    offers = [offer(at, event=at // 2, teller=50 + at // 2) for at in range(12)]
    ordered = in_order(offers, "5a17" * 8)
    assert all(a.source != b.source for a, b in pairwise(ordered))


# ------------------------------------------------------------- what can be asked for


def test_only_some_kinds(talkative_run: RunFolder) -> None:
    found = make_rumors(talkative_run, count=4, kinds=["beaten", "left"]).rumors
    assert {rumor.kind for rumor in found} <= {"beaten", "left"}


def test_only_strong_ones(talkative_run: RunFolder) -> None:
    found = make_rumors(talkative_run, count=5, strength=2).rumors
    assert min(rumor.strength for rumor in found) >= 2


def test_no_event_is_told_of_twice_where_there_are_others(talkative_run: RunFolder) -> None:
    for draw in range(4):
        rumors = make_rumors(talkative_run, count="d20", draw=draw).rumors
        events = Counter(rumor.event for rumor in rumors if rumor.event)
        assert max(events.values()) == 1


def test_a_lead_knows_who_has_been_in_which_house(talkative_run: RunFolder) -> None:
    rows = pd.read_parquet(talkative_run.path / "evenings.parquet")
    night = int(rows["night"].max()) - 1
    visits = of_run(talkative_run, night, None).guide.visits
    rows = rows[(rows["night"] <= night) & (rows["tavern_id"] > 0)]
    assert len(visits) == len(rows[["patron_id", "tavern_id"]].drop_duplicates())
    for each in rows[["patron_id", "tavern_id", "night"]].head(200).itertuples(index=False):
        assert each.night <= visits[each.patron_id, each.tavern_id] <= night


@pytest.mark.parametrize(("mix", "truth"), [((1, 0, 0), "true"), ((0, 0, 1), "false")])
def test_only_true_or_false_ones(
    talkative_run: RunFolder, mix: tuple[int, ...], truth: str
) -> None:
    found = make_rumors(talkative_run, count=6, mix=mix)
    assert {rumor.truth for rumor in found.rumors} == {truth}
    assert "6 " + truth in found.notes[0]


def test_the_note_says_what_the_mix_came_to(made: Made) -> None:
    counts = Counter(rumor.truth for rumor in made.rumors)
    said = ", ".join(f"{counts[truth]} {truth}" for truth in TRUTHS)
    assert made.notes[0].startswith(f"{said}; drawn around a mix of 60, 25, 15")


def test_a_note_where_too_little_is_believed_that_is_false(little_town: RunFolder) -> None:
    found = make_rumors(little_town, count=8, mix=(0, 0, 1))
    assert "those who are out believe only" in found.notes[0]
    assert "were drawn" in found.notes[0]


def test_versions_of_an_event_contradict_each_other(talkative_run: RunFolder) -> None:
    events = Counter(rumor.event for rumor in make_rumors(talkative_run).rumors if rumor.event)
    told = pd.read_parquet(talkative_run.path / "rumors.parquet")
    events = told[told["event_id"] > 0]["event_id"].value_counts()
    found = make_rumors(talkative_run, event=int(events.index[0])).rumors
    assert {rumor.event for rumor in found} == {int(events.index[0])}
    assert len(found) >= 2
    departs = [(each.said.subject, each.truth, each.key) for each in found]
    assert len({*departs}) == len(found)
    assert sum(rumor.truth == "true" for rumor in found) <= 1
    assert len({rumor.teller_id for rumor in found}) == len(found)


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"night": 99}, NoSuchNightError, "no night 99"),
        ({"count": "d100", "kinds": ["left"]}, TooFewError, "there are only .* of these kinds"),
        ({"kinds": ["bribed"]}, NothingToTellError, "has anything to tell of bribed"),
        ({"event": 999_999}, NothingToTellError, "tells of event 999999"),
    ],
)
def test_what_there_is_not(
    talkative_run: RunFolder, asked: Mapping[str, object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words) as found:
        make_rumors(talkative_run, **asked)  # type: ignore[arg-type]
    assert "\n" not in str(found.value)


def test_too_few_says_which_die_there_is_enough_for(little_town: RunFolder) -> None:
    with pytest.raises(TooFewError, match=r"only \d+ .*ask for d\d+, or let them talk") as found:
        make_rumors(little_town, count="d100")
    assert 6 <= found.value.n < 100
    assert len(make_rumors(little_town).rumors) in (6, 8, 12, 20)


# ------------------------------------------------------------- the same bytes


def test_the_same_bytes_whatever_the_hash_seed(talkative_run: RunFolder) -> None:
    program = (
        "import sys; from tavern_abm.run_folder import read_run;"
        "from tavern_abm.pack import pages, rumors; run = read_run(sys.argv[1]);"
        "made = rumors.make_rumors(run, count='d20');"
        "print(pages.json_of(pages.page_of(run, made.rumors, made.notes)))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program, str(talkative_run.path)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


# ------------------------------------------------------------- pages


@pytest.fixture(scope="module")
def page(made: Made, talkative_run: RunFolder) -> pages.Page:
    return pages.page_of(talkative_run, made.rumors, made.notes)


def test_the_players_pages_hold_nothing_but_what_players_may_see(made: Made) -> None:
    marked = [_marked(rumor) for rumor in made.rumors]
    other = [replace(rumor, truth="false", dc=15, chain=()) for rumor in marked]
    for page_of in pages.FOR_PLAYERS.values():
        page = page_of(pages.players_of(marked))
        assert "Zqxcanary" not in page
        assert page == page_of(pages.players_of(other))
        assert marked[0].text.split()[-1] in page
    assert {*PlayerRumor.__dataclass_fields__} == {"text", "heard_at", "speaker_as_seen"}


def _marked(rumor: Rumor) -> Rumor:
    """A rumour with a mark in all that is hidden."""
    seen = ("text", "tavern", "speaker_as_seen")
    hidden = {
        name: "Zqxcanary"
        for name, value in asdict(rumor).items()
        if isinstance(value, str) and name not in seen
    }
    return replace(rumor, **hidden)  # type: ignore[arg-type]


def test_json_is_a_list_of_objects(page: pages.Page) -> None:
    found = json.loads(pages.json_of(page))
    wanted = {"id", "text", "teller", "chain", "truth", "said", "event", "hook", "dc"}
    assert len(found) == 20
    assert all(wanted <= each.keys() for each in found)
    assert {"kind", "subject", "amount_cp", "tavern"} <= found[0]["said"].keys()


def test_the_key_stands_below_the_table(page: pages.Page) -> None:
    for text in (pages.text_of(page), pages.markdown_of(page)):
        table, _, key = text.partition("KEY" if "KEY" in text else "## Key")
        assert "leads to" in key
        assert "leads to" not in table
        assert page.footer.split(";")[0] in key
        assert "seed" not in table


def test_markdown_has_no_markup_of_its_own(page: pages.Page) -> None:
    text = pages.markdown_of(page)
    assert "<script>" not in text.replace(r"\<script>", "")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert all(line.replace(r"\|", "").count("|") == 4 for line in rows)


def test_csv_has_a_row_a_rumour_and_no_formulas(page: pages.Page) -> None:
    from io import StringIO

    rumors = [replace(rumor, teller="=1+1") for rumor in page.rumors]
    table = pd.read_csv(StringIO(pages.csv_of(replace(page, rumors=rumors))))
    assert len(table) == 20
    assert (table["teller"] == "'=1+1").all()


def test_players_have_one_csv_wherever_it_is_made(page: pages.Page) -> None:
    from tavern_abm.exports import gm_csv
    from tests.fake_pack import fake_pack

    pack = fake_pack()
    exported = gm_csv.files(pack)["for-players/talk.csv"].decode()
    assert pages.players_csv(pages.players_of(pack.rumors)) + "\n" == exported
    assert pages.csv_of(page).startswith("\ufeffnumber,id,text,teller,speaker,")


# ------------------------------------------------------------- leads


def test_every_slot_of_the_leads_can_be_filled() -> None:
    assert verify_slots(load_lines()) == []


def test_leads_can_be_read_in_one_breath() -> None:
    assert all(len(words_of(line.t)) <= 40 for line in load_lines().leads)


@pytest.mark.parametrize(
    ("heard", "guests", "dc"),
    [(31, 100, 10), (30, 100, 12), (10, 100, 15), (3, 100, 20), (1, 200, 20), (0, 0, 20)],
)
def test_what_many_have_heard_is_easily_learned(heard: int, guests: int, dc: int) -> None:
    assert dc_of(heard, guests) == dc


# ------------------------------------------------------------- what a set follows from


def _with(run: RunFolder, **info: object) -> RunFolder:
    return RunFolder(run.path, run.info | info)


def test_a_set_follows_from_the_salt_and_not_from_scenario_and_seed(
    little_town: RunFolder,
) -> None:
    def told(run: RunFolder) -> list[Rumor]:
        return make_rumors(run, count=5).rumors

    ours = told(little_town)
    assert told(_with(little_town, seed=99, digest="f" * 64, scenario="another")) == ours
    other = told(_with(little_town, salt="0f" * 16))
    assert [each.wording for each in other] != [each.wording for each in ours]
    seats, others = (
        {each.patron_id: each.seat for each in evening_of(run).people.values()}
        for run in (little_town, _with(little_town, salt="0f" * 16))
    )
    assert seats != others


# ------------------------------------------------------------- chains


def _chain(*houses: str) -> list[Link]:
    return [
        Link(f"P{at}", at, "was told" if at else "saw it", at + 1, house, "out tonight, at the Inn")
        for at, house in enumerate(houses)
    ]


def test_a_house_that_all_of_a_chain_went_through_is_named_once() -> None:
    there = "out tonight, at the Eel Pot (a stool)"
    links = _chain("", "The Eel Pot", "The Eel Pot")
    chain = [replace(link, pressed=there) for link in links]
    assert pages.chain_of(chain) == (
        "P0 (saw it, night 1; out tonight, at the Eel Pot (a stool)) > "
        "P1 (was told, night 2; out tonight (a stool)) > "
        "P2 (was told, night 3; out tonight (a stool))"
    )
    apart = pages.chain_of(_chain("The Eel Pot", "The Crown"))
    assert "night 1, the Eel Pot;" in apart
    assert "night 2, the Crown;" in apart


@pytest.mark.parametrize(("n", "between"), [(4, ""), (5, ""), (6, "(2 more)"), (17, "(13 more)")])
def test_of_a_long_chain_both_ends_are_named(n: int, between: str) -> None:
    text = pages.chain_of(_chain(*["The Eel Pot", "The Crown"] * 9)[:n])
    assert ("P2 (" in text) == (not between)
    assert between in text
    for at in (0, 1, n - 2, n - 1):
        assert f"P{at} (" in text
