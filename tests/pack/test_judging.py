"""Whether what was said is so."""

from __future__ import annotations

import shutil
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
        ({"amount_cp": (1800, 1800)}, ("told as 18 gold, was nine gold",)),
        ({"amount_cp": (1000, 1900)}, ("told as ten gold to 19 gold, was nine gold",)),
        ({"night": (5, 6)}, ("told as last night to tonight, was three nights back (night 3)",)),
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
    copy = read_run(shutil.copytree(little_town.path, tmp_path / "run"))
    file = copy.path / "events.parquet"
    table = pd.read_parquet(file)
    table.loc[table["event_id"] == 7, ["patron_id", "night"]] = [town.OSK, night]
    table.to_parquet(file, index=False)
    # He tried on night 2 at the Eel Pot only; the trial was at the Three Keys.
    said = Said("cheats", town.OSK, night=(night, night), tavern=town.THREE_KEYS)
    assert truth_of(said, 7, Facts.of(copy)).truth == truth
    assert truth_of(said, 4, Facts.of(copy)).truth == PARTLY


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
