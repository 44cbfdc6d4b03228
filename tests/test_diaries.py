"""The diary: what it says is what the record has, night by night, fit to be read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from tavern_abm import diaries
from tavern_abm.diaries import Diary, diary_of
from tavern_abm.run_folder import RunFolder, read_run
from tests.fake_life import CORA, EDDA, HOB, NED, NIGHTS, TAM, write_life
from tests.fake_run import Fake, write_fake_run


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return read_run(write_life(tmp_path / "run"))


def night(diary: Diary, number: int) -> str:
    """The paragraph that tells a night."""
    return next(e.text for e in diary.entries if e.first <= number <= e.last)


# ---------------------------------------------------------------- who is meant


@pytest.mark.parametrize("wanted", ["Ned Flint", "ned flint", " FLINT ", "1"])
def test_somebody_is_found_by_name_part_or_id(run: RunFolder, wanted: str) -> None:
    assert diaries.find_patron(run, wanted) == NED


@pytest.mark.parametrize(
    ("wanted", "hint"),
    [
        ("d", "'d' fits 4 people: Ned Flint, Cora Dunn, Edda Reed, Old Tam"),
        ("Cora Dun.", "nobody in this run is called 'Cora Dun.'; did you mean 'Cora Dunn'?"),
        ("99", "nobody in this run is called '99'"),
        ("", "nobody in this run is called ''"),
    ],
)
def test_who_is_not_found_is_told_who_there_is(run: RunFolder, wanted: str, hint: str) -> None:
    with pytest.raises(diaries.NobodyError) as told:
        diaries.find_patron(run, wanted)
    assert hint in str(told.value)


# ---------------------------------------------------------------- what is said


def test_it_opens_with_who_he_is(run: RunFolder) -> None:
    assert diary_of(run, NED).opening == (
        "Ned Flint is a human smith, of the common sort, and at home in the Eel Pot. "
        "He is crooked by nature. He earns one gold and one silver a day and began with "
        "five gold and two silver. In truth he is a cheat: he tried two tricks, and one went wrong."
    )
    edda = diary_of(run, EDDA).opening
    assert "She is good company." in edda
    assert edda.endswith("In truth she has never cheated.")


def test_a_man_of_a_trade_named_for_women_is_called_by_his_own_word(run: RunFolder) -> None:
    file = run.path / "patrons.parquet"
    people = pd.read_parquet(file)
    people["trade"] = "barmaid"
    people.to_parquet(file)
    assert diary_of(run, NED).opening.startswith("Ned Flint is a human potman")
    assert diary_of(run, EDDA).opening.startswith("Edda Reed is a halfling barmaid")


def test_a_trick_a_slip_and_what_it_brought(run: RunFolder) -> None:
    text = night(diary_of(run, NED), 2)
    assert "the Eel Pot" in text
    assert "three mugs" in text
    assert "four silver" in text
    assert re.search(r"nobody saw it|unseen|better than it had fallen", text)
    assert re.search(r"people looked up|went wrong|poor job", text)


def test_a_verdict_from_each_chair(run: RunFolder) -> None:
    accused = night(diary_of(run, NED), 3)
    assert "Cora Dunn called him a cheat, and the table believed it, two of two." in accused
    assert "He was banned for two nights. A cheat he was." in accused
    accuser = night(diary_of(run, CORA), 3)
    assert "She called Ned Flint a cheat, as good as sure of it, and the table agreed" in accuser
    assert "Ned Flint was a cheat indeed." in accuser
    assert "Ned Flint was banned for two nights." in accuser
    judge = night(diary_of(run, HOB), 3)
    assert re.search(r"believed it, as the table did|was for it, and so was the table", judge)
    assert "Cora Dunn called Ned Flint a cheat" in judge


def test_an_acquittal_from_each_chair(run: RunFolder) -> None:
    accuser = night(diary_of(run, NED), 6)
    assert (
        "He called Hob Marsh a cheat, half sure of it, but the table would not have it" in accuser
    )
    assert "and he lost face; Hob Marsh was no cheat." in accuser
    assert "He and Hob Marsh came to blows over it, and both went home." in accuser
    assert "Ned Flint called him a cheat, but the table cleared him." in night(
        diary_of(run, HOB), 6
    )
    judge = night(diary_of(run, CORA), 6)
    assert re.search(r"no more than the table did|against it, and so was the table", judge)
    no_opinion = night(diary_of(run, EDDA), 6)
    assert "called Hob Marsh" not in no_opinion


def test_a_door_that_is_shut_and_a_bed(run: RunFolder) -> None:
    entries = {(e.first, e.last): e.text for e in diary_of(run, NED).entries}
    assert entries[4, 5] == "The door was shut to him, and he stayed at home."
    assert re.search("bruise", night(diary_of(run, NED), 7))
    assert (1, 2) in entries
    assert entries[1, 2].startswith("After a night at home ")


def test_an_empty_purse_is_a_reason(run: RunFolder) -> None:
    assert night(diary_of(run, TAM), 1) == "He had not the price of a mug, and stayed at home."


def test_what_was_only_seen(run: RunFolder) -> None:
    assert "She was there when Old Tam was cut down at the table." in night(diary_of(run, CORA), 7)


def test_the_dead_stop(run: RunFolder) -> None:
    diary = diary_of(run, TAM)
    assert diary.entries[-1].last == 7
    assert "He was cut down at the table. He was no cheat." in diary.entries[-1].text
    assert diary.closing.endswith("He died on night 7.")


def test_what_one_is_told(run: RunFolder) -> None:
    edda = night(diary_of(run, EDDA), 2)
    assert "Cora Dunn" in edda
    assert "Ned Flint cheated at dice" in edda
    tam = night(diary_of(run, TAM), 3)
    assert re.search("did not believe it|had his doubts|idle talk", tam)
    assert "It was true all the same." in tam
    cora = night(diary_of(run, CORA), 6)
    assert "Hob Marsh cheated at dice" in cora
    assert "It was not so." in cora
    ned = night(diary_of(run, NED), 6)
    assert "Edda Reed had been banned three nights before" in ned
    assert "It had been somebody else." in ned


def test_what_one_tells_on(run: RunFolder) -> None:
    assert "Edda Reed" in night(diary_of(run, CORA), 2)
    assert re.search("had been there|at first hand", night(diary_of(run, CORA), 2))
    assert "She put it about that Hob Marsh cheated at dice, every word of it made up" in night(
        diary_of(run, EDDA), 6
    )
    assert "in his mouth it became another's story" in night(diary_of(run, HOB), 6)
    # What was no news to the listener is not told; nor is it heard.
    assert "Hob Marsh heard" not in night(diary_of(run, CORA), 3)
    assert "banned" not in night(diary_of(run, CORA), 6)


def test_a_debt_to_the_teller_is_owed_to_him(run: RunFolder) -> None:
    file = run.path / "rumors.parquet"
    rumors = pd.read_parquet(file)
    rumors.loc[rumors["rumor_id"] == 4, ["claim", "other_id"]] = ["owes", EDDA]
    rumors.loc[rumors["rumor_id"] == 4, "amount_cp"] = 400
    rumors.to_parquet(file)
    claim = "Hob Marsh owed her four gold and would not pay"
    assert claim in night(diary_of(run, EDDA), 6)
    assert claim in night(diary_of(run, CORA), 6)


def test_what_was_won_is_left_out_where_the_record_has_it_not(tmp_path: Path) -> None:
    run = read_run(write_life(tmp_path / "run", net=False))
    assert "four silver" not in night(diary_of(run, NED), 2)


def test_a_run_without_talk_has_a_diary(run: RunFolder) -> None:
    for name in ("rumors", "tellings", "trials", "evenings"):
        (run.path / f"{name}.parquet").unlink()
    assert "Cora Dunn called him a cheat" in night(diary_of(run, NED), 3)


@pytest.mark.parametrize(
    ("kind", "hers", "his"),
    [
        (
            "lent",
            "She borrowed three gold and one silver from Hob Marsh.",
            "He lent Cora Dunn three gold and one silver.",
        ),
        (
            "dodged",
            "She owed Hob Marsh three gold and one silver and did not pay.",
            "Cora Dunn owed him three gold and one silver and did not pay.",
        ),
        ("got_away", "She got away.", "Cora Dunn got away from him."),
        ("run_down", "Hob Marsh ran her down.", "He ran Cora Dunn down."),
        ("dice_noticed", "Hob Marsh saw that her dice", "He saw that Cora Dunn's dice"),
    ],
)
def test_a_deed_from_both_sides(run: RunFolder, kind: str, hers: str, his: str) -> None:
    file = run.path / "events.parquet"
    events = pd.read_parquet(file)
    events.loc[events["kind"] == "big_win", "kind"] = kind
    events.to_parquet(file)
    assert hers in night(diary_of(run, CORA), 8)
    assert his in night(diary_of(run, HOB), 8)


# ---------------------------------------------------------------- how it is told


def test_quiet_nights_are_folded_and_none_is_lost(run: RunFolder) -> None:
    for who in (NED, CORA, HOB, EDDA, TAM):
        entries = diary_of(run, who).entries
        last = 7 if who == TAM else NIGHTS
        assert [n for e in entries for n in range(e.first, e.last + 1)] == [*range(1, last + 1)]
    assert [e.heading for e in diary_of(run, NED).entries][-2:] == ["Night 7", "Nights 8 and 9"]


def test_some_nights_alone(run: RunFolder) -> None:
    entries = diary_of(run, NED, 3, 6).entries
    assert (entries[0].first, entries[-1].last) == (3, 6)
    assert diary_of(run, NED, 3, None).entries[-1].last == NIGHTS
    assert diary_of(run, NED, 40).entries == []


def test_it_names_the_events_and_tellings_it_tells(run: RunFolder) -> None:
    entry = next(e for e in diary_of(run, NED).entries if e.last == 6)
    assert entry.event_ids == [6, 7, 8]
    assert entry.telling_ids == [7]


def test_it_reads_the_same_every_time(run: RunFolder) -> None:
    assert diary_of(run, CORA) == diary_of(run, CORA)


@pytest.mark.parametrize("is_quiet", [False, True])
def test_every_life_reads_well(tmp_path: Path, is_quiet: bool) -> None:
    run = read_run(write_fake_run(tmp_path / "run", Fake(patrons=30, nights=12, quiet=is_quiet)))
    for who in run.table("patrons")["patron_id"].tolist():
        diary = diary_of(run, who)
        for text in (diary.opening, diary.closing, *(e.text for e in diary.entries)):
            told = text.replace("<script>alert('boo')</script>", "X").replace("O'Malley", "X")
            assert not re.search(r"[{}]|  | [.,;]|\.\.|None|nan|NaN|<NA>", told), told
            assert re.match(r"[A-Z<0-9\"“]", text), text
            assert text.endswith((".", "!")), text


def test_a_name_may_hold_any_sign(run: RunFolder) -> None:
    file = run.path / "patrons.parquet"
    people = pd.read_parquet(file)
    people["name"] = ["{Ned}", "C{0}ra", "{he", "Edda}", "%s"]
    people.to_parquet(file)
    assert "C{0}ra called him a cheat" in night(diary_of(run, NED), 3)
    assert "{he had been thrown" not in night(diary_of(run, CORA), 7)
    for who in (NED, CORA, HOB, EDDA, TAM):
        diaries.to_text(diary_of(run, who))


def test_as_text_and_as_markdown(run: RunFolder) -> None:
    diary = diary_of(run, NED)
    text = diaries.to_text(diary)
    assert max(map(len, text.splitlines())) <= diaries.WIDTH
    assert text.splitlines()[0] == "Ned Flint"
    page = diaries.to_markdown(diary)
    assert page.startswith("# Ned Flint\n\nNed Flint is a human smith")
    assert "**Night 3.** " in page
    document = json.loads(json.dumps(diaries.to_json(diary)))
    assert document["entries"][0]["heading"] == "Night 2"


def test_an_event_of_a_kind_unknown_here_tells_itself(run: RunFolder) -> None:
    file = run.path / "events.parquet"
    events = pd.read_parquet(file)
    events.loc[0, "kind"], events.loc[0, "text"] = "tossed", "Ned Flint tossed a halfling."
    events.to_parquet(file)
    assert "He tossed a halfling." in night(diary_of(run, NED), 2)
