"""Whether what was said is so."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tavern_abm.pack.evening import evening_of
from tavern_abm.pack.judging import FALSE, PARTLY, TRUE, Facts, truth_of
from tavern_abm.pack.knowledge import tales_of
from tavern_abm.pack.matter import Said, Tale
from tavern_abm.run_folder import RunFolder, read_run
from tavern_abm.society.truth import KIND_OF, TRICKS
from tests.pack import little_town as town
from tests.pack.test_labels_recomputed import Record, label_of

WON = 8
"""The event of Nan's nine gold."""


def _won(**more: Any) -> Said:
    return Said("won", town.NAN, **more)


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ({}, ()),
        ({"amount_cp": (900, 900)}, ()),
        ({"amount_cp": (850, 999)}, ()),
        ({"amount_cp": (900, 950), "night": (2, 3), "tavern": 2, "game": "rotting-toes"}, ()),
        ({"amount_cp": (1800, 1800)}, ("told as eighteen gold, was nine gold",)),
        ({"amount_cp": (1000, 1900)}, ("told as ten gold to nineteen gold, was nine gold",)),
        ({"night": (5, 6)}, ("told as tonight to last night, was three nights back (night 3)",)),
        ({"night": (6, 6)}, ("told as tonight, was three nights back (night 3)",)),
        ({"tavern": 1}, ("told of the Eel Pot, was at the Three Keys",)),
        ({"game": "magic-wand"}, ("told of the wand, was at dice",)),
        ({"adds": "wept", "adds_untrue": True}, ("the teller adds: wept",)),
        ({"adds": "wept"}, ()),
    ],
)  # fmt: skip
def test_each_detail_is_judged_if_it_is_said(
    facts: Facts, more: dict[str, Any], wrong: tuple[str, ...]
) -> None:
    verdict = truth_of(_won(**more), WON, facts)
    assert verdict.wrong == wrong
    assert verdict.truth == (PARTLY if wrong else TRUE)
    assert verdict.key.startswith(
        "Nan Tolliver won 9 gp at Rotting Toes at the Three Keys on night 3"
    )
    assert verdict.event_id == WON


def test_several_details_may_be_wrong(facts: Facts) -> None:
    verdict = truth_of(_won(amount_cp=(1, 5), night=(6, 6), tavern=1), WON, facts)
    assert len(verdict.wrong) == 3


def test_a_wrong_person_is_false_and_the_key_says_to_whom_it_happened(facts: Facts) -> None:
    verdict = truth_of(Said("beaten", town.TAM, other=town.MORZA), 5, facts)
    assert verdict.truth == FALSE
    assert verdict.wrong == ("it was Osk Gannet, not Tam Harl",)
    assert "Osk Gannet was beaten at the Eel Pot on night 2" in verdict.key


def test_the_other_one_counts_only_if_he_is_said(facts: Facts) -> None:
    # The event of the beating names nobody; Morza had accused him in that round.
    assert truth_of(Said("beaten", town.OSK), 5, facts).truth == TRUE
    assert truth_of(Said("beaten", town.OSK, other=town.MORZA), 5, facts).truth == TRUE
    verdict = truth_of(Said("beaten", town.OSK, other=town.NAN), 5, facts)
    assert verdict.truth == FALSE
    assert verdict.wrong == ("it was Morza Vell, not Nan Tolliver",)


def test_a_brawl_is_true_of_both(facts: Facts) -> None:
    for one, other in ((town.NAN, town.BESS), (town.BESS, town.NAN)):
        assert truth_of(Said("brawl", one, other=other), 16, facts).truth == TRUE
    assert truth_of(Said("brawl", town.TAM, other=town.BESS), 16, facts).truth == FALSE


# ---------------------------------------------------------------- cheating


def test_who_has_tried_cheats(facts: Facts) -> None:
    verdict = truth_of(Said("cheats", town.OSK, other=town.MORZA, night=(2, 2), tavern=1), 4, facts)
    assert verdict.truth == TRUE
    assert verdict.key.startswith(
        "Osk Gannet has tried two tricks, the first on night 2, the Eel Pot."
    )


def test_who_was_cleared_and_is_honest_does_not_cheat(facts: Facts) -> None:
    verdict = truth_of(Said("cheats", town.TAM), 7, facts)
    assert verdict.truth == FALSE
    assert verdict.wrong == ("Tam Harl has never tried a trick",)
    assert verdict.key == (
        "Tam Harl has never tried a trick. The table cleared Tam Harl (night 3, the Three Keys)."
    )


def test_whoever_is_said_to_have_accused_him_must_have(facts: Facts) -> None:
    verdict = truth_of(Said("cheats", town.OSK, other=town.NAN), 4, facts)
    assert (verdict.truth, verdict.wrong) == (FALSE, ("it was Morza Vell, not Nan Tolliver",))


def test_a_cheat_before_his_first_try_did_not_cheat_that_night(facts: Facts) -> None:
    verdict = truth_of(Said("cheats", town.OSK, night=(1, 1)), 4, facts)
    assert verdict.truth == PARTLY
    assert verdict.wrong == ("told as five nights back, was four nights back (night 2)",)


@pytest.mark.parametrize(("night", "truth"), [(3, TRUE), (1, PARTLY)])
def test_his_trial_is_a_night_and_house_of_a_cheat(
    little_town: RunFolder, tmp_path: Path, night: int, truth: str
) -> None:
    facts = changed(little_town, tmp_path, {7: {"patron_id": town.OSK, "night": night}})
    # He tried on night 2 at the Eel Pot only; the trial was at the Three Keys.
    said = Said("cheats", town.OSK, night=(night, night), tavern=town.THREE_KEYS)
    assert truth_of(said, 7, facts).truth == truth
    assert truth_of(said, 4, facts).truth == PARTLY


def test_an_invention_may_name_any_night_and_house(facts: Facts) -> None:
    lie = truth_of(Said("cheats", town.WILKIN, night=(5, 5), tavern=2), 0, facts)
    assert (lie.truth, lie.wrong) == (FALSE, ("Wilkin Roe has never tried a trick", "made up"))
    hit = truth_of(Said("cheats", town.OSK, night=(5, 5), tavern=2), 0, facts)
    assert hit.truth == TRUE
    assert hit.key.endswith("It was made up all the same.")
    early = truth_of(Said("cheats", town.OSK, night=(1, 1)), 0, facts)
    assert early.truth == PARTLY


def test_what_befell_another_makes_no_house_right(facts: Facts) -> None:
    # The story sprang from Tam's trial at the Three Keys; Osk cheats, but never did there.
    verdict = truth_of(Said("cheats", town.OSK, tavern=town.THREE_KEYS), 7, facts)
    assert verdict.truth == PARTLY
    assert verdict.wrong == ("told of the Three Keys, was at the Eel Pot",)
    assert "What it sprang from: The table cleared Tam Harl" in verdict.key


def test_who_is_said_to_have_said_it_must_have_then_and_there(facts: Facts) -> None:
    # Osk tried on night 2 at the Eel Pot, where Morza accused him.
    said = Said("cheats", town.OSK, other=town.MORZA)
    right = truth_of(replace(said, night=(2, 2), tavern=town.EEL_POT), 0, facts)
    assert (right.truth, right.wrong) == (TRUE, ())
    assert "The table found Osk Gannet guilty." in right.key
    verdict = truth_of(replace(said, night=(5, 6), tavern=town.THREE_KEYS), 0, facts)
    assert verdict.truth == PARTLY
    assert verdict.wrong == (
        "told as tonight to last night, was four nights back (night 2)",
        "told of the Three Keys, was at the Eel Pot",
    )


def test_whoever_called_him_a_cheat_before_he_tried_did_say_it_then(
    little_town: RunFolder, tmp_path: Path
) -> None:
    facts = changed(little_town, tmp_path, {3: {"night": 1}, 4: {"night": 1}})
    said = Said("cheats", town.OSK, other=town.MORZA, night=(1, 1))
    assert truth_of(said, 4, facts).truth == TRUE
    assert truth_of(replace(said, other=None), 4, facts).truth == PARTLY


def test_who_was_called_a_cheat_by_day_was_called_one(
    little_town: RunFolder, tmp_path: Path
) -> None:
    by_day = {"kind": "denounced", "night": 4, "table_id": 0, "patron_id": town.NAN}
    by_day |= {"other_id": town.OSK, "text": "Nan Tolliver called Osk Gannet a cheat before all."}
    run = copied(little_town, tmp_path, {15: by_day})
    said = Said("cheats", town.OSK, other=town.NAN, night=(4, 4), game="rotting-toes")
    verdict = truth_of(said, 0, Facts.of(run))
    assert (verdict.truth, verdict.wrong) == (TRUE, ())
    assert "before all." in verdict.key
    assert label_of(said, 0, Record.of(run, town.NIGHTS)) == TRUE
    said = replace(said, night=(3, 3))
    assert truth_of(said, 0, Facts.of(run)).truth == PARTLY
    assert label_of(said, 0, Record.of(run, town.NIGHTS)) == PARTLY


# ---------------------------------------------------------------- denials


def test_whoever_cheats_and_denies_it_says_what_is_false(facts: Facts) -> None:
    verdict = truth_of(Said("cheats", town.OSK, other=town.MORZA, denies=True), 4, facts)
    assert (verdict.truth, verdict.of_charge) == (FALSE, TRUE)
    assert verdict.key.startswith(
        "The charge is true, and the denial false. Osk Gannet has tried two tricks, the first on"
    )
    assert verdict.key.count("tried two tricks") == 1


def test_whoever_is_honest_and_denies_it_says_what_is_true(facts: Facts) -> None:
    verdict = truth_of(Said("cheats", town.TAM, denies=True), 7, facts)
    assert (verdict.truth, verdict.wrong, verdict.of_charge) == (TRUE, (), FALSE)
    assert verdict.key == (
        "The charge is false, and the denial true. Tam Harl has never tried a trick. "
        "The table cleared Tam Harl (night 3, the Three Keys)."
    )
    who = truth_of(Said("cheats", town.TAM, other=town.NAN, denies=True), 7, facts)
    assert (who.truth, who.wrong) == (PARTLY, ("it was Hob Merrow, not Nan Tolliver",))
    nobody = truth_of(Said("cheats", town.CORA, other=town.NAN, denies=True), 0, facts)
    assert nobody.wrong == ("Nan Tolliver had no part in it",)


def test_who_was_cleared_and_says_that_he_is_honest_must_be(
    little_town: RunFolder, tmp_path: Path
) -> None:
    said = Said("accused", town.TAM, denies=True)
    assert truth_of(said, 7, Facts.of(little_town)).truth == TRUE
    facts = changed(little_town, tmp_path, {1: {"patron_id": town.TAM}})
    verdict = truth_of(said, 7, facts)
    assert (verdict.truth, verdict.of_charge) == (FALSE, TRUE)
    assert verdict.key.startswith("The charge is true, and the denial false.")
    assert "The table cleared Tam Harl" in verdict.key
    never = truth_of(Said("accused", town.NAN, denies=True), 7, facts)
    assert never.truth == FALSE


# ---------------------------------------------------------------- debts, and deaths by day


def test_who_has_paid_since_owes_no_more(little_town: RunFolder, tmp_path: Path) -> None:
    paid = {"kind": "paid_back", "night": 6, "patron_id": town.WILKIN, "other_id": town.CORA}
    run = copied(little_town, tmp_path, {14: {"night": 5}, 15: paid})
    said = Said("owes", town.WILKIN, other=town.CORA, amount_cp=(25, 25))
    verdict = truth_of(said, 14, Facts.of(run))
    assert (verdict.truth, verdict.wrong) == (PARTLY, ("paid back since, on night 6",))
    assert verdict.key == (
        "Wilkin Roe could not pay Cora Finch (night 5); paid back since, on night 6."
    )
    assert truth_of(said, 14, Facts.of(run, 5)).truth == TRUE
    for night, label in ((5, TRUE), (6, PARTLY)):
        assert label_of(said, 14, Record.of(run, night)) == label


@pytest.mark.parametrize("other", [town.HOB, 0])
def test_who_was_killed_by_day_was_killed_by_nobodys_vote(
    little_town: RunFolder, tmp_path: Path, other: int
) -> None:
    by_day = {"round": 0, "table_id": 0, "tavern_id": 0, "other_id": other}
    facts = changed(little_town, tmp_path, {9: by_day})
    said = Said("killed", town.JORY, other=other or None)
    verdict = truth_of(said, 9, facts)
    assert verdict.truth == TRUE
    who = "Hob Merrow" if other else "strangers"
    assert verdict.key == f"Jory Vane was killed on night 3; {who} did it."


# ---------------------------------------------------------------- against the record


def test_the_record_is_that_of_tonight(little_town: RunFolder) -> None:
    assert truth_of(_won(), WON, Facts.of(little_town, 2)).truth == FALSE
    assert truth_of(_won(), WON, Facts.of(little_town, 3)).truth == TRUE


def test_what_those_tell_who_were_there_is_true(little_town: RunFolder, tales: list[Tale]) -> None:
    facts = Facts.of(little_town)
    for tale in tales:
        if tale.rumor_id in (3, 5, 6, 7):  # a slander, a sum that grew, a wrong person, a lie
            continue
        verdict = truth_of(_all_said(tale), tale.event_id, facts)
        assert (verdict.truth, verdict.wrong) == (TRUE, ()), tale


def test_keys_are_one_line_and_end_in_a_stop(talkative_run: RunFolder) -> None:
    facts = Facts.of(talkative_run)
    for tale in tales_of(talkative_run, evening_of(talkative_run)):
        key = truth_of(_all_said(tale), tale.event_id, facts).key
        assert key.endswith(".")
        assert "\n" not in key
        assert ".." not in key


def test_the_label_worked_out_another_way(talkative_run: RunFolder) -> None:
    """By filtering the table of events, a claim at a time."""
    facts = Facts.of(talkative_run)
    events = talkative_run.table("events")
    n = 0
    for tale in tales_of(talkative_run, evening_of(talkative_run)):
        claim = tale.claim
        if claim.kind not in ("won", "beaten", "cheats"):
            continue
        n += 1
        for with_sum in (False, True):
            span = (claim.amount_cp, claim.amount_cp) if with_sum and claim.amount_cp else None
            said = Said(claim.kind, claim.subject, amount_cp=span)
            kinds = TRICKS if claim.kind == "cheats" else (KIND_OF[claim.kind],)
            own = events[events["kind"].isin(kinds) & (events["patron_id"] == claim.subject)]
            is_exact = span is None or (own["amount_cp"] == claim.amount_cp).any()
            expected = FALSE if own.empty else TRUE if is_exact else PARTLY
            assert truth_of(said, tale.event_id, facts).truth == expected
    assert n > 100


def copied(run: RunFolder, folder: Path, rows: dict[int, dict[str, Any]]) -> RunFolder:
    """A copy of a run in which some events were otherwise, by event_id."""
    copy = read_run(shutil.copytree(run.path, folder / "run"))
    file = copy.path / "events.parquet"
    table = pd.read_parquet(file)
    for number, row in rows.items():
        table.loc[table["event_id"] == number, list(row)] = list(row.values())
    table.to_parquet(file, index=False)
    return copy


def changed(run: RunFolder, folder: Path, rows: dict[int, dict[str, Any]]) -> Facts:
    """The record of such a copy."""
    return Facts.of(copied(run, folder, rows))


def _all_said(tale: Tale) -> Said:
    """As if all of it were said."""
    claim = tale.claim
    return Said(
        kind=claim.kind,
        subject=claim.subject,
        other=claim.other or None,
        game=claim.game or None,
        amount_cp=(claim.amount_cp, claim.amount_cp) if claim.amount_cp else None,
        night=(claim.night, claim.night),
        tavern=claim.tavern or None,
    )
