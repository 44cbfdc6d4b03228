"""Half-cards: what stands on them is what the record says, and who has one."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tavern_abm.pack.card_beliefs import belief_of
from tavern_abm.pack.card_pages import SIZES, to_json, to_markdown, to_text
from tavern_abm.pack.card_secrets import secret_of, worst_of
from tavern_abm.pack.card_words import Words, n_words, table_of
from tavern_abm.pack.cards import MOST_WORDS, NoCardError, cards_of, first_sentence
from tavern_abm.pack.documents import Card, Rumor
from tavern_abm.pack.dossiers import Records
from tavern_abm.pack.ear import confusable
from tavern_abm.pack.evening import Evening, evening_of
from tavern_abm.pack.house_dcs import dc_lines
from tavern_abm.pack.matter import Said
from tavern_abm.pack.situations import situations_of
from tavern_abm.run_folder import RunFolder, read_run
from tests.fake_pack import fake_pack
from tests.pack import little_town as town

Changed = Callable[..., tuple[RunFolder, Records]]


@pytest.fixture(scope="module")
def records(little_town: RunFolder, evening: Evening) -> Records:
    return Records(little_town, evening)


@pytest.fixture
def changed(little_town: RunFolder, tmp_path: Path) -> Changed:
    """The little town with other tables, or other rows of events."""

    def change(**tables: Any) -> tuple[RunFolder, Records]:
        folder = tmp_path / "changed"
        shutil.copytree(little_town.path, folder, dirs_exist_ok=True)
        for name, alter in tables.items():
            file = folder / f"{name}.parquet"
            alter(pd.read_parquet(file)).to_parquet(file, index=False)
        run = read_run(folder)
        return run, Records(run, evening_of(run))

    return change


def event(kind: str, who: int, other: int = 0, **more: Any) -> dict[str, Any]:
    """An event of the last night."""
    row = {"event_id": 99, "night": 6, "round": 5, "tavern_id": 1, "table_id": 1, "kind": kind}
    row |= {"patron_id": who, "other_id": other, "amount_cp": 0, "is_just": None, "natural": 0}
    return row | {"dc": 0, "modifier": 0.0, "witnesses": [], "text": f"Then {kind}."} | more


def with_events(*rows: dict[str, Any]) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda table: pd.concat([table, pd.DataFrame(rows)], ignore_index=True)


def secret(records: Records, who: int) -> str:
    return secret_of(records.dossier(who), records)


def states(records: Records, who: int) -> list[str]:
    person = records.evening.people[who]
    return [each.name for each in situations_of(person, records.dossier(who), records)]


# ------------------------------------------------------------- secrets


def test_secrets_are_what_the_record_says(records: Records) -> None:
    tries = "two tries, one bungled in plain sight"
    assert secret(records, town.OSK) == f"cheats: {tries}, found out once"
    assert secret(records, town.MORZA) == "had Jory Vane killed for cheating, who was honest"
    assert secret(records, town.NAN).startswith(
        "passed on a tale of Osk Gannet with Tam Harl's name in it"
    )
    assert secret(records, town.HOB).startswith("made up that Wilkin Roe cheats at Rotting Toes")
    assert "told Nan Tolliver's win of 9 gp as 18 gp" in secret(records, town.CORA)


@pytest.mark.parametrize("victim", [town.OSK, town.WILKIN])
def test_a_murder_is_what_somebody_hides_most(changed: Changed, victim: int) -> None:
    """Done by day and by no table's sentence, to a cheat or to an honest man."""
    _, now = changed(events=with_events(event("killed", victim, town.HOB, tavern_id=0, round=0)))
    name = now.evening.people[victim].name
    assert secret(now, town.HOB).startswith(f"killed {name}, night 6")
    assert "for cheating" not in secret(now, town.HOB)


def test_what_was_made_up_may_be_so(changed: Changed) -> None:
    for truth, said in (("true", "hit on the truth"), ("partly true", "came near the truth")):
        _, now = changed(rumors=lambda table, truth=truth: table.assign(truth=truth))
        assert f", and {said}" in secret(now, town.HOB)


def test_that_somebody_cheats_is_never_left_out(changed: Changed) -> None:
    trick = event("failed_trick", town.MORZA)
    _, now = changed(events=with_events(trick))
    whole = secret_of(now.dossier(town.MORZA), now)
    brief = secret_of(now.dossier(town.MORZA), now, is_brief=True)
    charge = "had Jory Vane killed for cheating, who was honest"
    assert whole == f"{charge}; cheats: one try, bungled, never accused"
    assert brief == f"{charge}; cheats herself"


def test_tales_about_oneself(changed: Changed) -> None:
    """Nan swapped herself for Osk, Cora made her own win bigger, and Hob lied of a debt to him."""

    def alter(table: pd.DataFrame) -> pd.DataFrame:
        ids = table["rumor_id"]
        table.loc[ids == 6, "subject_id"] = town.NAN
        table.loc[ids.isin((4, 5)), "subject_id"] = town.CORA
        table.loc[ids == 7, ["claim", "other_id", "amount_cp"]] = ["owes", town.HOB, 30]
        return table

    _, now = changed(rumors=alter)
    assert "passed on a tale of Osk Gannet with her own name in it" in secret(now, town.NAN)
    assert "told her own win of 9 gp as 18 gp" in secret(now, town.CORA)
    assert "made up that Wilkin Roe owes him 3 sp and will not pay" in secret(now, town.HOB)


def test_a_charge_against_a_cheat_is_no_secret(records: Records, changed: Changed) -> None:
    assert "Osk Gannet" not in secret(records, town.MORZA)  # convicted on her word, and rightly
    trick = event("trick", town.JORY, night=2)
    _, now = changed(events=with_events(trick))
    assert "Jory" not in secret(now, town.MORZA)


def test_kin_of_one_who_was_killed_by_day_want_no_judges(changed: Changed) -> None:
    for killer, name in ((0, "strangers"), (town.NAN, "Nan Tolliver")):
        by_day = event("killed", town.TAM, killer, tavern_id=0, round=0, table_id=0)
        _, now = changed(events=with_events(by_day))
        person = now.evening.people[town.BESS]
        (found,) = (
            each
            for each in situations_of(person, now.dossier(town.BESS), now)
            if each.name.startswith("kin")
        )
        assert found.name == "kin_killed"
        assert found.slots == {"other": "Tam Harl", "how": f"killed by {name}, night 6"}
        assert "kin_killed" not in states(now, town.NAN)
    for line in table_of("wants")["states"]["kin_killed"]:
        assert "(killed by strangers, night 6)" in line.format(
            other="Tam", how="killed by strangers, night 6"
        )


def test_a_bent_tale_is_the_least_of_secrets(records: Records) -> None:
    weight, sort = worst_of(records.dossier(town.NAN), records)
    assert (weight, sort) == (1, "bent tale")


def test_what_somebody_wants_stands_after_the_verb() -> None:
    wants = table_of("wants")
    lines = [line for part in wants.values() for lines in part.values() for line in lines]
    assert len(lines) > 200
    assert not [line for line in lines if line.startswith(("whoever", "who ", "that "))]


def test_a_debt_is_kept_by_who_could_pay_it(records: Records, changed: Changed) -> None:
    assert secret(records, town.WILKIN) == ("has the 2 sp 5 cp Cora Finch waits for, and keeps it")
    _, poor = changed(wealth=lambda table: table.assign(gold_cp=4))
    assert "owes Cora Finch 2 sp 5 cp and has 4 cp" in secret(poor, town.WILKIN)
    _, paid = changed(events=with_events(event("paid_back", town.WILKIN, town.CORA)))
    assert "Cora" not in secret(paid, town.WILKIN)


def test_bribes_and_flights_and_dice(changed: Changed) -> None:
    bribe = event("bribed", town.GIL, amount_cp=30)
    flight = event("got_away", town.BESS, town.NAN)
    _, now = changed(
        events=with_events(bribe, flight),
        patrons=lambda table: table.assign(has_weighted_dice=table["patron_id"] == town.WILKIN),
    )
    assert "paid the warden of the Eel Pot 3 sp to think again" in secret(now, town.GIL)
    assert "ran from a sentence at the Eel Pot, night 6, and got away" in secret(now, town.BESS)
    assert "carries weighted dice" in secret(now, town.WILKIN)


def test_kin_of_a_cheat(changed: Changed) -> None:
    _, now = changed(events=with_events(event("trick", town.TAM)))
    assert "her brother Tam cheats, and she has no idea" in secret(now, town.BESS)


def test_one_without_a_secret_has_a_reason(records: Records, changed: Changed) -> None:
    assert secret(records, town.BESS).startswith("none")
    believed = {"observer_id": town.NAN, "subject_id": town.BESS, "belief": 0.9, "night": 6}
    _, now = changed(suspicion=lambda table: pd.DataFrame([table.iloc[0].to_dict() | believed]))
    assert secret(now, town.BESS) == "none: she is honest, and it will not help her"


# ------------------------------------------------------------- beliefs


def belief(changed: Changed, *rows: tuple[int, int, float], who: int, night: int = 6) -> str:
    def alter(table: pd.DataFrame) -> pd.DataFrame:
        first = table.iloc[0].to_dict()
        names = ("observer_id", "subject_id", "belief")
        return pd.DataFrame(
            [first | dict(zip(names, row, strict=True)) | {"night": night} for row in rows]
        )

    _, now = changed(suspicion=alter)
    return belief_of(now.dossier(who), now)


def test_a_belief_says_who_is_right(changed: Changed) -> None:
    rows = ((town.BESS, town.OSK, 0.84), (town.BESS, town.NAN, 0.9))
    assert belief(changed, *rows, who=town.BESS) == "suspects Nan Tolliver (0.9), wrongly"
    assert belief(changed, rows[0], who=town.BESS) == "suspects Osk Gannet (0.8), rightly"
    assert belief(changed, rows[0], who=town.OSK) == "Bess Harl believes he cheats (true)"
    assert belief(changed, rows[1], who=town.NAN) == "Bess Harl believes she cheats (false)"


def test_beliefs_that_do_not_count(changed: Changed) -> None:
    faint = (town.BESS, town.OSK, 0.2)
    assert belief(changed, faint, who=town.BESS).startswith("holds nobody for a cheat")
    gone = (town.BESS, town.YLVA, 0.9), (town.BESS, town.JORY, 0.9), (town.BESS, town.PIP, 0.9)
    assert belief(changed, *gone, who=town.BESS).startswith("holds nobody for a cheat")
    half = (town.BESS, town.OSK, 0.4)
    assert belief(changed, half, who=town.BESS) == "half suspects Osk Gannet (0.4), rightly"
    many = [(each, town.OSK, 0.6) for each in (town.BESS, town.NAN, town.TAM)]
    assert belief(changed, *many, who=town.OSK) == "three believe he cheats (true)"


def test_beliefs_of_an_earlier_night_say_so(changed: Changed) -> None:
    row = (town.BESS, town.OSK, 0.84)
    assert belief(changed, row, who=town.BESS, night=5).endswith("rightly, as of night 5")
    assert "not on record" in belief(changed, row, who=town.BESS, night=7)


def test_beliefs_of_later_nights_are_not_known_yet(changed: Changed) -> None:
    def alter(table: pd.DataFrame) -> pd.DataFrame:
        rows = [(town.OSK, 5), (town.NAN, 7)]
        first = table.iloc[0].to_dict() | {"observer_id": town.BESS, "belief": 0.8}
        return pd.DataFrame([first | {"subject_id": who, "night": night} for who, night in rows])

    _, now = changed(suspicion=alter)
    assert "Osk Gannet" in belief_of(now.dossier(town.BESS), now)


# ------------------------------------------------------------- situations


def test_situations_are_what_the_record_says(records: Records) -> None:
    assert states(records, town.WILKIN)[0] == "owes_late"
    assert "wronged" in states(records, town.TAM)  # cleared on night 3
    assert "banned" in states(records, town.HOB)
    assert "lent" in states(records, town.CORA)
    assert "keeper" in states(records, town.CORA)  # in her own house
    assert "cheat" in states(records, town.OSK)
    assert "broke" in states(records, town.OSK)


def test_a_wrong_is_forgotten_in_time(little_town: RunFolder, records: Records) -> None:
    later = Records(little_town, replace(records.evening, night=10))
    assert "wronged" not in states(later, town.TAM)
    early = Records(little_town, evening_of(little_town, 2))
    assert "wronged" not in states(early, town.TAM)


def test_a_debt_that_is_not_due_yet(changed: Changed) -> None:
    loan = event("lent", town.GIL, town.BESS, amount_cp=140, text="Bess lent it, due on night 9.")
    run, now = changed(events=with_events(loan))
    assert states(now, town.GIL)[0] == "owes"
    card = cards_of(run, now.evening, who=town.GIL)[0]
    assert "night 9" in card.wants
    assert "Bess Harl" in card.wants
    purses = {"wealth": lambda table: table.assign(gold_cp=500)}
    _, rich = changed(events=with_events(loan), **purses)
    assert secret(rich, town.GIL) == "owes Bess Harl 1 gp 4 sp and has 5 gp"


def test_honest_and_sentenced(changed: Changed) -> None:
    verdict = event("convicted", town.NAN, town.BESS, text="Guilty.")
    _, now = changed(events=with_events(verdict))
    assert "sentenced" in states(now, town.NAN)
    assert "sentenced" not in states(now, town.OSK)  # who cheats
    _, family = changed(events=with_events(event("convicted", town.BESS, town.NAN)))
    assert "kin_wronged" in states(family, town.TAM)


# ------------------------------------------------------------- who has a card


def test_players_the_dead_and_those_who_left_have_none(
    little_town: RunFolder, evening: Evening
) -> None:
    ids = {each.patron_id for each in cards_of(little_town, evening, count=50)}
    assert ids <= {*town.LAST} - {town.PIP}
    for who, why in (("Pip", "player's character"), ("Jory", "dead"), ("Ylva", "left town")):
        with pytest.raises(NoCardError, match=why):
            cards_of(little_town, evening, who=who)
    with pytest.raises(NoCardError, match="did you mean 'Tam Harl'"):
        cards_of(little_town, evening, who="Tam Hurl")
    with pytest.raises(NoCardError, match="has not come to town by night 2"):
        cards_of(little_town, evening_of(little_town, 2), who="Gil Marsh")


def test_people_of_one_house(little_town: RunFolder, evening: Evening) -> None:
    cards = cards_of(little_town, evening, tavern=town.EEL_POT, count=50)
    assert {each.tavern for each in cards} == {"The Eel Pot"}
    assert {each.patron_id for each in cards} == {town.BESS, town.NAN, town.WILKIN, town.GIL}


def test_a_house_in_which_nobody_is(little_town: RunFolder, evening: Evening) -> None:
    empty = replace(
        evening, people={i: replace(each, tavern=0, seat="") for i, each in evening.people.items()}
    )
    with pytest.raises(NoCardError, match="nobody is in the Eel Pot on night 6"):
        cards_of(little_town, empty, tavern=town.EEL_POT)
    with pytest.raises(NoCardError, match="in any tavern"):
        cards_of(little_town, empty)


def test_names_on_a_page_are_told_apart(talkative_run: RunFolder) -> None:
    evening = evening_of(talkative_run)
    cards = cards_of(talkative_run, evening, count=40)
    assert len(cards) > 4
    pairs = itertools.combinations([each.name for each in cards], 2)
    assert [pair for pair in pairs if confusable(*pair)] == []


def test_lines_on_a_page_differ(talkative_run: RunFolder) -> None:
    cards = cards_of(talkative_run, evening_of(talkative_run), count=5)
    for lines in ([c.says for c in cards], [c.looks.split(";")[-1] for c in cards]):
        assert len({*lines}) == len(lines)


def test_two_thirds_are_chosen_for_what_is_known_of_them(
    little_town: RunFolder, evening: Evening
) -> None:
    chosen = {each.patron_id for each in cards_of(little_town, evening, count=3)}
    assert len(chosen & {town.MORZA, town.HOB, town.OSK, town.WILKIN}) >= 2


def test_a_secret_makes_somebody_worth_meeting(little_town: RunFolder, evening: Evening) -> None:
    """Whatever the luck of the run: nobody else comes near what these have to hide."""
    first = set()
    for seed in range(25):
        run = replace(little_town, info=little_town.info | {"seed": seed})
        first.add(cards_of(run, evening, count=1)[0].patron_id)
    assert first <= {town.MORZA, town.HOB, town.OSK}
    assert len(first) > 1


def test_words_go_with_the_night_and_looks_with_the_person(evening: Evening) -> None:
    nan = evening.people[town.NAN]
    by_night = [Words(7, 0, night) for night in range(1, 11)]
    assert len({words.looks(nan) for words in by_night}) == 1
    assert len({words.fights(nan, "spy") for words in by_night}) == 1
    assert len({words.wants(nan, []) for words in by_night}) > 2
    assert len({words.says(nan, []) for words in by_night}) > 2
    assert len({Words(seed, 0, 1).looks(nan) for seed in range(10)}) > 2


def rumor(number: int, teller: int, *about: int) -> Rumor:
    return replace(
        fake_pack(1).rumors[0],
        number=number,
        teller_id=teller,
        about=about,
        said=Said("won", teller),
    )


def test_whoever_is_in_the_rumours_has_a_card(little_town: RunFolder, evening: Evening) -> None:
    rumors = [rumor(1, town.BESS, town.GIL), rumor(4, town.GIL, town.NAN)]
    cards = cards_of(little_town, evening, count=4, rumors=rumors)
    assert {each.patron_id for each in cards} >= {town.GIL, town.NAN}
    assert {each.patron_id: each.rumors for each in cards}[town.GIL] == (1, 4)


# ------------------------------------------------------------- what stands on them


def words_of(card: Card) -> int:
    return n_words(card.tonight, card.looks, card.says, card.wants, card.belief, card.secret)


def test_no_card_has_more_words_than_it_may(
    little_town: RunFolder, talkative_run: RunFolder
) -> None:
    def says(_: int) -> str:
        return "so " * 39 + "much"

    for run in (little_town, talkative_run):
        evening = evening_of(run)
        out = [each.patron_id for each in evening.people.values() if each.tavern]
        who = [each for each in out if not evening.people[each].is_player]
        for given in (None, says):
            cards = cards_of(run, evening, who=who, says=given)
            assert [card.name for card in cards if words_of(card) > MOST_WORDS] == []


def test_a_line_of_his_own_comes_first(little_town: RunFolder, evening: Evening) -> None:
    def says(patron_id: int) -> str:
        return {town.OSK: "I dropped it.", town.NAN: "“Well?” “Well.”"}.get(patron_id, "")

    osk, nan, tam = cards_of(little_town, evening, who=["Osk", "Nan", "Tam"], says=says)
    assert osk.says == "“I dropped it.”"
    assert nan.says == "“Well?” “Well.”"  # has quotes of its own
    assert tam.says.startswith("“")


def test_where_somebody_is(little_town: RunFolder, evening: Evening) -> None:
    gil = evening.people[town.GIL]
    home = {
        frozenset(("bruised",)): "home in bed, bandaged",
        frozenset(("hiding",)): "nowhere to be seen",
        frozenset(("broke",)): "at home, without the coin for an evening",
        frozenset[str](): "at home",
    }
    for state, words in home.items():
        one = replace(gil, tavern=0, seat="", state=state)
        there = replace(evening, people=evening.people | {town.GIL: one})
        assert cards_of(little_town, there, who=town.GIL)[0].tonight == words
    out = cards_of(little_town, evening, who=town.GIL)[0].tonight
    assert out == f"{gil.seat}, the Eel Pot; five mugs in"


def test_a_card_keeps_to_its_person(little_town: RunFolder, evening: Evening) -> None:
    alone = cards_of(little_town, evening, who=town.HOB)[0]
    among = {each.patron_id: each for each in cards_of(little_town, evening, count=50)}
    assert among[town.HOB] == alone
    before = cards_of(little_town, evening_of(little_town, 5), who=town.HOB)[0]
    assert (before.id, before.looks, before.fight) == (alone.id, alone.looks, alone.fight)


def test_kin_and_history(little_town: RunFolder, evening: Evening) -> None:
    bess, osk = cards_of(little_town, evening, who=["Bess", "Osk"])
    assert len(bess.kin) == 1
    assert bess.kin[0].startswith(("brother Tam Harl, carter: ", "cousin Tam Harl, carter: "))
    assert osk.history[0] == "night 6, the Three Keys: Morza Vell slammed Osk Gannet's hand."
    assert osk.history[-1] == "night 2, the Eel Pot: Osk Gannet turned a die unseen."
    assert [line.split(",")[0] for line in osk.history] == ["night 6", *["night 2"] * 5]


def test_nothing_of_later_nights(little_town: RunFolder) -> None:
    """On night 1 nothing has happened yet: nobody cheats, nobody owes, nobody made anything up."""
    first = evening_of(little_town, 1)
    cards = cards_of(little_town, first, count=50)
    assert all(not card.history for card in cards)
    text = " ".join(f"{card.secret} {card.wants}" for card in cards)
    for word in ("cheats:", "made up", "owes", "killed", "told of"):
        assert word not in text


def test_a_chase_is_told_in_one_sentence() -> None:
    assert first_sentence("Bo ran. Bo runs: 3 + 8 = 11.") == "Bo ran."
    assert first_sentence("") == ""


def test_the_dc_of_a_trick(changed: Changed) -> None:
    """The cheats of this town add 7 in 3.5, 7 in 4e, 6 in 5e: DC 19 is 19, 19 and 18."""
    trained = {"level": 1, "dexterity": 14, "thievery": 7}
    run, _ = changed(patrons=lambda table: table.assign(**trained, is_cheat_kind=True))
    (line,) = dc_lines(run, [town.EEL_POT, town.THREE_KEYS, 0])
    assert "roll d20 plus his Sleight of Hand (3.5, 5e) or Thievery (4e)" in line
    assert line.endswith(": 19 or more in 3.5, 19 in 4e, 18 in 5e, and nobody sees it.")
    honest, _ = changed(patrons=lambda table: table.assign(is_cheat_kind=False))
    assert dc_lines(honest, [town.EEL_POT]) == []


# ------------------------------------------------------------- pages


def test_three_sizes(little_town: RunFolder, evening: Evening) -> None:
    cards = cards_of(little_town, evening, who=["Osk", "Bess"])
    for write in (to_text, to_markdown):
        line, card, page = (write(cards, size) for size in SIZES)
        assert len(line.splitlines()) == 2
        assert len(line) < len(card) < len(page)
        assert "passive Perception" in page
        assert "passive Perception" not in card
        assert "SECRET" in card
    lines = [each for each in to_text(cards[:1]).splitlines() if each[2:12].strip()]
    assert [each[:12].strip() for each in lines[1:7]] == [
        *("tonight", "see/hear", "says", "wants", "belief", "SECRET")
    ]


def test_a_name_is_no_markup(talkative_run: RunFolder) -> None:
    evening = evening_of(talkative_run)
    name = "<script>alert('boo')</script>"
    who = next(each for each in evening.people.values() if each.name == name)
    here = replace(who, state=frozenset(), is_player=False)
    there = replace(evening, people=evening.people | {who.patron_id: here})
    card = cards_of(talkative_run, there, who=who.patron_id)
    assert "<script>" not in to_markdown(card).replace("\\<", "")
    assert name.upper() in to_text(card)
    assert '"name": "<script>' in to_json(card)


SCRIPT = """
import sys
from tavern_abm.pack.card_pages import to_json
from tavern_abm.pack.cards import cards_of
from tavern_abm.pack.evening import evening_of
from tavern_abm.run_folder import read_run
run = read_run(sys.argv[1])
sys.stdout.write(to_json(cards_of(run, evening_of(run), count=30)))
"""


def test_the_same_bytes_whatever_the_hash_seed(talkative_run: RunFolder) -> None:
    cards_of(talkative_run, evening_of(talkative_run), count=1)  # so that it has its salt
    outputs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(talkative_run.path)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1] != b""
