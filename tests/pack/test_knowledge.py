"""Who could tell what tonight, and through whom he has it."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from tavern_abm.pack.evening import Evening, evening_of
from tavern_abm.pack.knowledge import tales_of
from tavern_abm.pack.matter import Claim, Hop, Tale
from tavern_abm.run_folder import RunFolder, RunFolderError, read_run
from tests.pack import little_town as town


def _of(tales: list[Tale], teller: int) -> set[tuple[str, int, int]]:
    """What somebody tells: kind, subject and version (0: no rumour)."""
    return {
        (each.claim.kind, each.claim.subject, each.rumor_id)
        for each in tales
        if each.teller == teller
    }


def _one(tales: list[Tale], teller: int, kind: str, subject: int) -> Tale:
    (found,) = (
        each
        for each in tales
        if (each.teller, each.claim.kind, each.claim.subject) == (teller, kind, subject)
    )
    return found


def test_who_was_there_tells_what_happened(tales: list[Tale]) -> None:
    assert _of(tales, town.TAM) == {
        ("cheats", town.OSK, 1),
        ("beaten", town.OSK, 2),
        ("accused", town.TAM, 0),
        ("bout", town.MORZA, 0),
        ("arrived", town.GIL, 0),
        ("left", town.YLVA, 0),
    }
    assert _one(tales, town.TAM, "beaten", town.OSK).chain == (
        Hop(town.TAM, "saw it", 2, town.EEL_POT),
    )


def test_who_was_told_tells_the_version_he_was_told(tales: list[Tale]) -> None:
    tale = _one(tales, town.GIL, "won", town.NAN)
    assert tale.rumor_id == 5
    assert tale.claim.amount_cp == 1800
    assert tale.chain == (
        Hop(town.CORA, "saw it", 3, town.THREE_KEYS),
        Hop(town.BESS, "was told", 4, town.EEL_POT),
        Hop(town.GIL, "was told", 5, town.EEL_POT),
    )


def test_who_was_there_holds_to_it_whatever_is_told(tales: list[Tale]) -> None:
    assert _one(tales, town.CORA, "won", town.NAN).rumor_id == 4  # she made 1800 of it herself
    assert _one(tales, town.NAN, "won", town.NAN).chain[0].how == "lived it"


def test_the_subject_lived_it_and_the_other_one_did_it(tales: list[Tale]) -> None:
    hows = {
        each.teller: each.chain[0].how
        for each in tales
        if each.claim.kind == "beaten" and each.claim.subject == town.OSK
    }
    assert hows == {
        town.OSK: "lived it",
        town.MORZA: "did it",
        town.TAM: "saw it",
        town.NAN: "saw it",
    }


def test_an_inventor_tells_it_as_such(tales: list[Tale]) -> None:
    tale = _one(tales, town.HOB, "cheats", town.WILKIN)
    assert tale.event_id == 0
    assert tale.chain == (Hop(town.HOB, "made it up", 5, 0),)
    assert _one(tales, town.MORZA, "cheats", town.WILKIN).chain[0] == tale.chain[0]


def test_who_did_not_believe_it_does_not_tell_it(tales: list[Tale]) -> None:
    assert ("cheats", town.WILKIN, 7) not in _of(tales, town.OSK)


@pytest.mark.parametrize("column", ["subject_id", "other_id"])
def test_nobody_tells_of_himself_what_he_has_only_heard(
    little_town: RunFolder, tmp_path: Path, column: str
) -> None:
    copy = read_run(shutil.copytree(little_town.path, tmp_path / "run"))
    file = copy.path / "rumors.parquet"
    table = pd.read_parquet(file)
    assert _tellers_of(copy, 6) == {town.CORA, town.HOB}
    table.loc[table["rumor_id"] == 6, column] = town.HOB
    table.to_parquet(file, index=False)
    assert _tellers_of(copy, 6) == {town.CORA}


def test_what_somebody_did_to_himself_is_not_told(little_town: RunFolder, tmp_path: Path) -> None:
    copy = read_run(shutil.copytree(little_town.path, tmp_path / "run"))
    file = copy.path / "rumors.parquet"
    table = pd.read_parquet(file)
    table.loc[table["rumor_id"] == 6, "subject_id"] = town.MORZA
    table.to_parquet(file, index=False)
    assert _tellers_of(copy, 6) == set()


@pytest.mark.parametrize(
    ("column", "wrong", "night", "listener", "is_told"),
    [
        ("tavern_id", town.THREE_KEYS, 6, town.WILKIN, False),
        ("tavern_id", town.THREE_KEYS, 5, town.WILKIN, False),
        ("tavern_id", town.THREE_KEYS, 4, town.WILKIN, True),
        ("tavern_id", town.THREE_KEYS, 6, town.CORA, False),  # who sits at the Three Keys
        ("tavern_id", town.THREE_KEYS, 4, town.CORA, True),
        ("subject_id", town.TAM, 6, town.WILKIN, False),
        ("subject_id", town.TAM, 5, town.WILKIN, True),
        ("subject_id", town.TAM, 6, town.CORA, True),
        ("amount_cp", 7, 6, town.WILKIN, True),
    ],
)
def test_nobody_tells_where_everybody_knows_better(
    little_town: RunFolder,
    tmp_path: Path,
    column: str,
    wrong: int,
    night: int,
    listener: int,
    is_told: bool,
) -> None:
    """Nan fought Bess at the Eel Pot, some night, and it is told otherwise on night 6."""
    copy = read_run(shutil.copytree(little_town.path, tmp_path / "run"))
    rumors, tellings = (copy.path / f"{name}.parquet" for name in ("rumors", "tellings"))
    table = pd.read_parquet(rumors)
    table.loc[table["rumor_id"] == 9, "night"] = night
    bent = table[table["rumor_id"] == 9].assign(rumor_id=10, parent_id=9, **{column: wrong})
    pd.concat([table, bent]).to_parquet(rumors, index=False)
    table = pd.read_parquet(tellings)
    more = table.tail(1).assign(telling_id=12, rumor_id=10, teller_id=town.NAN, told_from=0)
    more = more.assign(listener_id=listener, knew=False, believed=True)
    pd.concat([table, more]).to_parquet(tellings, index=False)
    assert _tellers_of(copy, 10) == ({listener} if is_told else set())


def test_what_nobody_tells_still_stands_in_the_chain_of_what_came_of_it(
    little_town: RunFolder, tmp_path: Path
) -> None:
    copy = read_run(shutil.copytree(little_town.path, tmp_path / "run"))
    rumors, tellings = (pd.read_parquet(copy.path / f"{name}.parquet") for name in _TALK)
    bent = rumors[rumors["rumor_id"] == 5].assign(
        rumor_id=10, other_id=town.NAN, changed="person", made_by=town.CORA
    )
    tellings.loc[tellings["telling_id"] == 3, "rumor_id"] = 10  # what Bess had from Cora
    pd.concat([rumors, bent]).to_parquet(copy.path / "rumors.parquet", index=False)
    tellings.to_parquet(copy.path / "tellings.parquet", index=False)
    found = tales_of(copy, evening_of(copy))
    assert _tellers_of(copy, 10) == set()
    hops = _one(found, town.GIL, "won", town.NAN).chain
    assert [hop.patron_id for hop in hops] == [town.CORA, town.BESS, town.GIL]


_TALK = ("rumors", "tellings")


def _tellers_of(run: RunFolder, rumor: int) -> set[int]:
    return {each.teller for each in tales_of(run, evening_of(run)) if each.rumor_id == rumor}


def test_who_was_there_and_forgot_holds_to_what_he_saw(
    little_town: RunFolder, evening: Evening, tmp_path: Path
) -> None:
    copy = read_run(shutil.copytree(little_town.path, tmp_path / "run"))
    file = copy.path / "tellings.parquet"
    table = pd.read_parquet(file)
    row = table["telling_id"] == 11
    table.loc[row, ["listener_id", "knew", "believed"]] = [town.WILKIN, False, True]
    table.to_parquet(file, index=False)
    tale = _one(tales_of(copy, evening), town.WILKIN, "won", town.NAN)
    assert (tale.rumor_id, len(tale.chain)) == (4, 1)


def test_only_those_who_held_him_for_a_cheat_say_so_of_one_who_was_cleared(
    tales: list[Tale],
) -> None:
    assert ("cheats", town.TAM, 3) in _of(tales, town.HOB)  # the accuser
    assert ("cheats", town.TAM, 3) in _of(tales, town.WILKIN)  # 0.6 sure
    for each in (town.CORA, town.TAM):  # 0.2 sure; the accused
        assert ("cheats", town.TAM, 3) not in _of(tales, each)
        assert ("accused", town.TAM, 0) in _of(tales, each)


def test_nobody_tells_what_the_whole_house_saw(
    little_town: RunFolder, evening: Evening, tales: list[Tale], tmp_path: Path
) -> None:
    # All four at the Eel Pot sat with Ylva on her last night but Gil, who came that day.
    assert _tellers(tales, evening, "left", town.EEL_POT) == set()
    assert _tellers(tales, evening, "left", town.THREE_KEYS) == {town.TAM, town.MORZA}
    copy = read_run(shutil.copytree(little_town.path, tmp_path / "run"))
    file = copy.path / "evenings.parquet"
    table = pd.read_parquet(file)
    was_there = (table["night"] == 4) & (table["patron_id"] == town.WILKIN)
    table.loc[was_there, "table_id"] = 2
    table.to_parquet(file, index=False)
    found = _tellers(tales_of(copy, evening), evening, "left", town.EEL_POT)
    assert found == {town.BESS, town.NAN, town.GIL}


def test_kin_know_that_somebody_left(
    little_town: RunFolder, tales: list[Tale], tmp_path: Path
) -> None:
    copy = read_run(shutil.copytree(little_town.path, tmp_path / "run"))
    file = copy.path / "patrons.parquet"
    table = pd.read_parquet(file)
    table.loc[table["patron_id"] == town.YLVA, "household_id"] = town.OSK
    table.to_parquet(file, index=False)
    assert ("left", town.YLVA, 0) not in _of(tales, town.OSK)
    assert ("left", town.YLVA, 0) in _of(tales_of(copy, evening_of(copy)), town.OSK)


def _tellers(tales: list[Tale], evening: Evening, kind: str, house: int) -> set[int]:
    return {
        each.teller
        for each in tales
        if each.claim.kind == kind and evening.people[each.teller].tavern == house
    }


def test_only_who_is_out_and_no_player_tells(evening: Evening, tales: list[Tale]) -> None:
    tellers = {each.teller for each in tales}
    assert tellers == set(town.LAST) - {town.PIP}
    assert all(evening.people[each].tavern for each in tellers)


def test_how_many_of_the_house_know_it(tales: list[Tale]) -> None:
    beaten = _one(tales, town.CORA, "beaten", town.TAM)
    # Tam, Osk and Morza were there, Cora and Hob were told, in whatever version.
    assert (beaten.heard, beaten.guests) == (5, 6)
    lie = _one(tales, town.HOB, "cheats", town.WILKIN)
    assert (lie.heard, lie.guests) == (3, 6)  # Osk does not believe it, but knows it


def test_taverns_can_be_picked(little_town: RunFolder, evening: Evening, tales: list[Tale]) -> None:
    for house in evening.houses:
        own = [each for each in tales if evening.people[each.teller].tavern == house]
        assert tales_of(little_town, evening, {house}) == own
    assert tales_of(little_town, evening, {7}) == []


def test_an_earlier_night_knows_nothing_of_later_ones(little_town: RunFolder) -> None:
    told = tales_of(little_town, evening_of(little_town, 3))
    assert max(hop.night for each in told for hop in each.chain) == 3
    assert {each.claim.kind for each in told} == {"cheats", "beaten", "accused", "won", "killed"}
    assert all(each.rumor_id not in (5, 6, 7) for each in told)


def test_the_sum_of_a_purse_is_nobodys_business(tales: list[Tale]) -> None:
    amounts = {each.claim.amount_cp for each in tales if each.claim.kind in ("arrived", "left")}
    assert amounts == {0}
    assert _one(tales, town.CORA, "lent", town.WILKIN).claim == Claim(
        *("lent", "", town.WILKIN, town.CORA, 25, 4, town.EEL_POT)
    )


def test_two_who_won_together_are_not_told_of(little_town: RunFolder, tmp_path: Path) -> None:
    copy = read_run(shutil.copytree(little_town.path, tmp_path / "run"))
    file = copy.path / "events.parquet"
    table = pd.read_parquet(file)
    for kind, n in (("race_won", 0), ("throw_won", 0)):
        table.loc[table["event_id"] == 15, "kind"] = kind
        table.to_parquet(file, index=False)
        kinds = Counter(each.claim.kind for each in tales_of(copy, evening_of(copy)))
        assert kinds["race"] == kinds["throw"] == n
    table.loc[table["event_id"] == 15, "other_id"] = 0
    table.to_parquet(file, index=False)
    assert _one(tales_of(copy, evening_of(copy)), town.TAM, "throw", town.MORZA).claim.other == 0


def test_who_forgot_and_was_told_anew_stands_in_the_chain_once(
    little_town: RunFolder, tmp_path: Path
) -> None:
    copy = read_run(shutil.copytree(little_town.path, tmp_path / "run"))
    file = copy.path / "tellings.parquet"
    table = pd.read_parquet(file)
    # Nan tells Bess, Bess tells Hob, Hob tells Nan, who has forgotten; and she tells Gil.
    table.loc[table["telling_id"] == 10, ["teller_id", "listener_id"]] = [town.HOB, town.NAN]
    more = table[table["telling_id"] == 10].assign(
        telling_id=12, teller_id=town.NAN, listener_id=town.GIL, told_from=10
    )
    pd.concat([table, more]).to_parquet(file, index=False)
    chain = _one(tales_of(copy, evening_of(copy)), town.GIL, "cheats", town.OSK).chain
    assert [hop.patron_id for hop in chain] == [town.NAN, town.GIL]
    assert chain[0].how == "saw it"


def test_every_source_could_know(talkative_run: RunFolder) -> None:
    events = talkative_run.table("events").set_index("event_id")
    rumors = talkative_run.table("rumors").set_index("rumor_id")
    for tale in tales_of(talkative_run, evening_of(talkative_run)):
        first = tale.chain[0]
        if tale.claim.kind in ("arrived", "left"):
            continue
        if not tale.event_id:
            assert first.patron_id == rumors.loc[tale.story_id, "made_by"]
            continue
        event = events.loc[tale.event_id]
        there = {event["patron_id"], event["other_id"], *event["witnesses"]}
        there.add(rumors.loc[tale.story_id, "subject_id"] if tale.story_id else 0)
        assert first.patron_id in there


def test_every_chain_is_a_chain_of_tellings(talkative_run: RunFolder) -> None:
    tellings = talkative_run.table("tellings")
    told = set(zip(tellings["teller_id"], tellings["listener_id"], tellings["night"], strict=True))
    for tale in tales_of(talkative_run, evening_of(talkative_run)):
        assert tale.chain[-1].patron_id == tale.teller
        assert len({hop.patron_id for hop in tale.chain}) == len(tale.chain)
        for before, hop in zip(tale.chain, tale.chain[1:], strict=False):
            assert (before.patron_id, hop.patron_id, hop.night) in told
            assert before.night <= hop.night


def test_nobody_stands_in_a_chain_who_has_not_come_by_yet(talkative_run: RunFolder) -> None:
    # Its people came on nights of their own, and were told of things before.
    for night in range(1, 22):
        evening = evening_of(talkative_run, night)
        tales = tales_of(talkative_run, evening)
        assert {hop.patron_id for tale in tales for hop in tale.chain} <= evening.people.keys()


def test_tables_that_do_not_fit_are_one_line(
    little_town: RunFolder, evening: Evening, tmp_path: Path
) -> None:
    copy = read_run(shutil.copytree(little_town.path, tmp_path / "run"))
    file = copy.path / "rumors.parquet"
    pd.read_parquet(file).assign(event_id=99).to_parquet(file, index=False)
    with pytest.raises(RunFolderError, match="damaged: its tables"):
        tales_of(copy, evening)
