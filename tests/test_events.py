"""Notable events: a sentence for each kind, and the truth recomputed from them alone."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tavern_abm import TavernModel
from tavern_abm.checks import passes
from tavern_abm.events import OF_THE_DAY, Person, Round, event_kinds, events_of_round
from tavern_abm.results import rounds_table
from tavern_abm.tables import flight_told, happenings, rotting_toes_events
from tavern_abm.tables.record import ACCUSED, BIG_WIN, BROKE, CAUGHT, CELL, ODD, TOO_LUCKY, TRICK
from tests.strategies import DICE_ALONE

WORDINGS = rotting_toes_events.WORDINGS | happenings.WORDINGS
SENTENCES = ("warned", "thrown_out", "banned", "beaten", "killed")
LIVELY = {
    "patrons": 100,
    "population.share_of_cheats": 0.3,
    "population.leave_prob": 0.02,
    "minds.tau": 0.5,
    "taverns.0.custom": "dockside",
    "taverns.0.till_cp": 300,
    "taverns.0.tables.0.stake": 30,
    "taverns.1.name": "The Gate",
    "taverns.1.custom": "orc",
    "fortunes.closing": False,  # bills stay unpaid night for night
}


@pytest.fixture(scope="module")
def model() -> TavernModel:
    model = TavernModel(DICE_ALONE, rng=12, **LIVELY)
    model.run_for(60)
    return model


@pytest.fixture(scope="module")
def wild() -> TavernModel:
    """A town in which the condemned run, wardens are bought, and dice are loaded, too."""
    settings = {
        "patrons": 200,
        "flight.runs": True,
        "bribes.bribe_prob": 0.2,
        "taverns.0.own_dice": True,
        "dice.owners": 0.5,
        "justice.accuse_prob": 0.6,
    }
    model = TavernModel(DICE_ALONE, rng=12, **LIVELY | settings)
    model.run_for(90)
    return model


@pytest.fixture(scope="module")
def events(model: TavernModel) -> pd.DataFrame:
    return model.events


# ---------------------------------------------------------------- one round, told


PEOPLE = {
    10: Person("Ada", 7, True),
    11: Person("Bo", 0, False),
    12: Person("Cy", -2, False),
    13: Person("Di", 0, True),
}
PLAIN = dict.fromkeys(CELL.names, 0) | {
    "hand": 0,
    "ended": 1,
    "stake": 20,
    "accuser": -1,
    "winner": -1,
    "seated": 0b1111,
    "followed": 0b0110,
    "n_rot": 2,
    "modifier": -0.4,
}


def told(hand: int = 10, **cell: Any) -> list[Any]:
    seats = [hand, *[row for row in PEOPLE if row != hand], -1, -1]
    one = Round(4, 9, 0, 2, seats, PLAIN | cell)
    return list(events_of_round(one, PEOPLE.__getitem__, "The Flagon", 19))


def says(event: Any, wording: str, **names: str) -> bool:
    """Whether it is told in one of the wordings; of Ada, unless somebody else is named."""
    given = {"hand": "Ada", "his": "her", "him": "her"} | names
    return event.text in {each.format_map(given) for each in WORDINGS[wording]}


def test_a_round_without_anything_has_no_events() -> None:
    assert told() == []


def test_a_trick() -> None:
    (event,) = told(notable=TRICK, tried=0b010, naturals=14, is_cheat=1)
    assert says(event, "trick", sum="14 + 7 against 19")
    assert (event.kind, event.patron_id, event.witnesses) == ("trick", 11, [])
    assert (event.natural, event.dc, event.modifier, event.amount_cp) == (14, 19, -0.4, 20)
    assert (event.night, event.round, event.tavern_id, event.table_id) == (4, 9, 1, 2)
    assert event.is_just is None


def test_a_failed_trick_and_one_at_a_higher_dc() -> None:
    first, second = told(
        notable=TRICK,
        tried=0b101,
        failed=0b001,
        odd=0b001,
        naturals=3 * 32 + 18,
        is_cheat=1,
        moves=1,
    )
    assert says(first, "failed_trick", sum="3 + 7 against 19")
    assert (first.kind, first.witnesses, first.modifier) == ("failed_trick", [12, 13], -0.4)
    assert says(second, "trick", sum="18 + 7 against 21")
    assert (second.dc, second.modifier) == (21, pytest.approx(-1.9))
    (again,) = told(notable=TRICK, tried=1, naturals=18, failed_before=1, hand=12)
    assert says(again, "trick", hand="Cy", his="his", sum="18 - 2 against 21")
    assert again.modifier == -0.4  # where nothing moves the chance, a failure does not


def test_an_odd_throw() -> None:
    (event,) = told(notable=ODD, odd=0b001)
    assert says(event, "odd")
    assert (event.kind, event.witnesses) == ("odd_throw", [12, 13])
    odd, trick = told(notable=ODD | TRICK, odd=0b001, tried=0b010, naturals=18)
    assert (odd.kind, trick.kind) == ("odd_throw", "trick")
    assert says(odd, "odd")


def test_a_trick_that_looked_odd_all_the_same() -> None:
    trick, odd = told(notable=ODD | TRICK, odd=0b010, tried=0b010, naturals=18)
    assert (trick.kind, odd.kind) == ("trick", "odd_throw")
    assert says(odd, "odd_trick")
    assert (trick.witnesses, odd.witnesses) == ([], [12, 13])


def test_caught_and_thrown_out() -> None:
    caught, out = told(notable=CAUGHT, ended=3, is_cheat=1, sentence=2)
    assert says(caught, "caught")
    assert (caught.is_just, out.is_just) == (True, True)
    assert (out.kind, out.patron_id, out.other_id) == ("thrown_out", 11, 0)
    assert out.text == "Ada was thrown out for the night."
    assert out.witnesses == [12, 13, 14]


@pytest.mark.parametrize(
    ("sentence", "nights", "kind", "text"),
    [
        (1, 0, "warned", "Bo got off with a warning."),
        (2, 0, "thrown_out", "Bo was thrown out for the night."),
        (3, 7, "banned", "Bo was banned from The Flagon for 7 nights."),
        (4, 1, "beaten", "Bo was beaten and has to lie up for 1 night."),
        (5, 0, "killed", "Bo was cut down at the table; 3 gp 5 cp went to the heirs."),
    ],
)
def test_a_trial(sentence: int, nights: int, kind: str, text: str) -> None:
    accused, convicted, sentenced = told(
        hand=11,
        notable=ACCUSED,
        accuser=1,
        verdict=2,
        n_judges=2,
        n_guilty=2,
        repaid=40,
        sentence=sentence,
        nights=nights,
        estate=305 if sentence == 5 else 0,
    )
    assert says(accused, "accused", accuser="Ada", hand="Bo", his="his")
    assert (accused.patron_id, accused.other_id, accused.is_just) == (11, 12, False)
    assert accused.witnesses == [13, 14]
    assert convicted.text == (
        "The table found Bo guilty, 2 of 2 against him, and he paid back 4 sp."
    )
    assert (convicted.kind, convicted.patron_id, convicted.other_id) == ("convicted", 12, 11)
    assert (convicted.amount_cp, convicted.is_just) == (40, False)
    assert (sentenced.kind, sentenced.text) == (kind, text)
    assert (sentenced.patron_id, sentenced.other_id, sentenced.is_just) == (12, 11, False)
    assert sentenced.amount_cp == (305 if kind == "killed" else 0)


def test_a_run_with_nobody_behind() -> None:
    """Where all who are angry are players' characters, who are not decided for."""
    cell = PLAIN | {"notable": CAUGHT, "ended": 3, "sentence": 4, "ran": 1, "pursuer": -1}
    texts = set()
    for round_ in range(1, 25):
        one = Round(4, round_, 0, 2, [10, 11, 12, 13, -1, -1], cell)
        caught, ran = events_of_round(one, PEOPLE.__getitem__, "The Flagon", 19)
        assert (caught.kind, ran.kind, ran.patron_id, ran.other_id) == ("caught", "ran", 11, 0)
        texts.add(ran.text)
    named = {"hand": "Ada", "him": "her", "what": "the beating"}
    assert texts == {each.format_map(named) for each in WORDINGS["ran_alone"]}


@pytest.mark.parametrize(("is_cheat", "is_just"), [(0, True), (1, False)])
def test_an_acquittal_and_a_brawl(is_cheat: int, is_just: bool) -> None:
    trial = {"accuser": 2, "verdict": 1, "n_judges": 2, "n_guilty": 1, "is_cheat": is_cheat}
    accused, cleared, brawl = told(notable=ACCUSED, brawl=1, **trial)
    assert says(accused, "accused", accuser="Cy")
    assert says(cleared, "cleared", accuser="Cy", votes="1 of 2")
    assert (accused.is_just, cleared.is_just) == (not is_just, is_just)
    assert brawl.text == "Ada and Cy came to blows over it and both went home."
    assert (brawl.patron_id, brawl.other_id, brawl.witnesses) == (11, 13, [12, 14])


def test_luck() -> None:
    lucky, win, broke, too = told(
        notable=TOO_LUCKY | BIG_WIN | BROKE,
        lucky_nights=3,
        winner=1,
        winner_net=120,
        broke=0b1100,
    )
    assert lucky.text == "Ada won once too often as the Hand and was beaten for it (3 nights)."
    assert (lucky.kind, lucky.is_just) == ("too_lucky", False)
    assert win.text == "Bo raked in 1 gp 2 sp at one throw."
    assert (win.patron_id, win.other_id, win.amount_cp) == (12, 11, 120)
    assert broke.text == "Cy could no longer cover the stake and got up."
    assert (broke.patron_id, too.patron_id, broke.amount_cp) == (13, 14, 20)


# ---------------------------------------------------------------- those of a run


def test_every_kind_happens_and_has_its_sentence(wild: TavernModel) -> None:
    events = wild.events
    kinds = rotting_toes_events.KINDS | happenings.KINDS | flight_told.KINDS | OF_THE_DAY
    assert set(events.kind) == set(kinds) - {"not_opened"}
    assert set(kinds) <= set(event_kinds())
    for event in events.itertuples():
        assert re.fullmatch(r"[A-Z].*[.]", event.text), event.text
        assert "None" not in event.text
        assert "  " not in event.text


def test_every_wording_is_used_and_stays(wild: TavernModel) -> None:
    events = wild.events
    assert wild.events.text.equals(events.text)
    kinds = {"odd": "odd_throw", "odd_trick": "odd_throw"}
    for kind, wordings in WORDINGS.items():
        if kind == "ran_alone":  # whoever condemns is angry: see the test of it
            continue
        texts = events.text[events.kind == kinds.get(kind, kind)]
        for wording in wordings:
            literal = re.sub(r"\\\{\w+\\\}", ".+", re.escape(wording))
            assert texts.str.fullmatch(literal).any(), wording


def test_ids_count_events_in_the_order_they_happened(events: pd.DataFrame) -> None:
    assert events.event_id.tolist() == list(range(1, len(events) + 1))
    order = events[["night", "round", "tavern_id", "table_id"]]
    assert order.values.tolist() == sorted(order.values.tolist())
    assert events.night.between(1, 60).all()
    by_day = events.kind.isin(("arrived", "left"))
    at_closing = events.kind == "unpaid"
    assert events["round"].between(0, 25).all()
    assert ((events["round"] == 0) == by_day).all()
    assert ((events["round"] == 25) == at_closing).all()
    assert ((events.table_id == 0) == (by_day | at_closing)).all()


def test_everybody_named_exists(model: TavernModel, events: pd.DataFrame) -> None:
    patrons = model.patrons.set_index("patron_id")
    ids = set(patrons.index)
    assert set(events.patron_id) <= ids | {0}
    assert set(events.other_id) <= ids | {0}
    assert {each for witnesses in events.witnesses for each in witnesses} <= ids
    assert ((events.patron_id == 0) == (events.kind == "unpaid")).all()
    for event in events.itertuples():
        if event.patron_id:
            assert patrons.name[event.patron_id] in event.text
        if event.kind in ("accused", "cleared", "brawl"):
            assert patrons.name[event.other_id] in event.text
        assert event.tavern_id in (0, 1, 2)


def test_nobody_witnesses_his_own_doing(events: pd.DataFrame) -> None:
    for event in events.itertuples():
        assert event.patron_id not in event.witnesses
        assert event.other_id not in event.witnesses
        assert len(set(event.witnesses)) == len(event.witnesses) <= 5
        if event.kind in ("trick", "arrived", "left", "unpaid"):
            assert event.witnesses == []


def test_everybody_in_an_event_lives_here_then(model: TavernModel, events: pd.DataFrame) -> None:
    patrons = model.patrons.set_index("patron_id")
    arrived, gone = patrons.arrived_night, patrons.gone_night.fillna(10**6)
    for event in events.itertuples():
        for each in {event.patron_id, event.other_id, *event.witnesses} - {0}:
            assert arrived[each] <= event.night <= gone[each]


def test_checks_succeed_and_fail_as_they_should(model: TavernModel, events: pd.DataFrame) -> None:
    thievery = model.patrons.set_index("patron_id").thievery
    tries = events[events.kind.isin(("trick", "failed_trick"))]
    failed: Counter[tuple[int, int]] = Counter()
    for event in tries.itertuples():
        who = (event.night, event.patron_id)
        assert 1 <= event.natural <= 20
        assert event.dc == 19 + 2 * failed[who]
        success = passes(event.natural, int(thievery[event.patron_id]), event.dc)
        assert (event.kind == "trick") == success
        failed[who] += not success
        assert failed[who] <= 2
    others = events[~events.kind.isin(("trick", "failed_trick"))]
    assert not others[["natural", "dc", "modifier"]].any().any()
    caught = events.query("kind == 'caught'")[["night", "patron_id"]].values.tolist()
    assert sorted(map(tuple, caught)) == sorted(who for who, n in failed.items() if n == 2)


def test_the_truth_can_be_recomputed_from_the_events_alone(
    model: TavernModel, events: pd.DataFrame
) -> None:
    """A cheat is one of the kind who has tried; every try is an event, in its order."""
    patrons = model.patrons.set_index("patron_id")
    kind, tried = patrons.is_cheat_kind, set()
    judged = 0
    for event in events.itertuples():
        if event.kind in ("trick", "failed_trick"):
            tried.add(event.patron_id)
        of_whom = event.other_id if event.kind == "accused" else event.patron_id
        is_cheat = bool(kind.get(of_whom, False)) and of_whom in tried
        if event.kind in ("accused", "convicted", "caught", "too_lucky", *SENTENCES):
            assert event.is_just == is_cheat, event
            judged += 1
        elif event.kind == "cleared":
            assert event.is_just == (not is_cheat)
            judged += 1
        else:
            assert pd.isna(event.is_just)
    assert judged > 200
    assert set(patrons.index[patrons.has_tried]) == tried
    tries = events[events.kind.isin(("trick", "failed_trick"))].patron_id.value_counts()
    assert tries.to_dict() == patrons.tries[patrons.tries > 0].to_dict()


def test_records_of_people_are_sums_of_events(model: TavernModel, events: pd.DataFrame) -> None:
    patrons = model.patrons.set_index("patron_id")

    def by_patron(*kinds: str, column: str = "patron_id") -> dict[int, int]:
        return events[events.kind.isin(kinds)][column].value_counts().to_dict()

    for name, found in {
        "failed_checks": by_patron("failed_trick"),
        "convicted": by_patron("convicted"),
        "beaten": by_patron("beaten", "too_lucky"),
        "accused_others": by_patron("accused"),
        "was_accused": by_patron("accused", column="other_id"),
    }.items():
        assert patrons[name][patrons[name] > 0].to_dict() == found, name
    assert set(by_patron("killed")) == set(patrons.index[patrons.whereabouts == "dead"])
    assert set(by_patron("left")) == set(patrons.index[patrons.whereabouts == "left"])
    assert set(by_patron("arrived")) == set(patrons.index[patrons.arrived_night > 0])


def test_a_brawl_follows_an_acquittal_and_a_sentence_a_verdict(events: pd.DataFrame) -> None:
    before = events.shift(1)
    for kind, allowed in (
        ("brawl", {"cleared"}),
        ("convicted", {"accused"}),
        ("cleared", {"accused"}),
        *((kind, {"convicted", "caught"}) for kind in SENTENCES),
    ):
        at = events.kind == kind
        assert set(before.kind[at]) <= allowed, kind
        where = ["night", "round", "tavern_id", "table_id"]
        assert (events[where][at] == before[where][at]).all().all()


def test_amounts(model: TavernModel, events: pd.DataFrame) -> None:
    wins = events.query("kind == 'big_win'")
    stakes = np.where(wins.tavern_id == 1, 30, 1)
    assert (wins.amount_cp >= 4 * stakes).all()
    unpaid = events.query("kind == 'unpaid'")
    assert (unpaid.amount_cp > 0).all()
    assert (unpaid.patron_id == 0).all()
    assert (events.query("kind == 'broke' and tavern_id == 1").amount_cp == 30).all()
    convicted = events.query("kind == 'convicted'")
    ledger = model.results()["ledger"].query("reason == 'repayment' and to_account == 'pot'")
    assert convicted.amount_cp.sum() == ledger.amount_cp.sum()


def test_every_throw_that_looked_odd_to_somebody_is_an_event() -> None:
    model = TavernModel(DICE_ALONE, rng=12, **LIVELY | {"suspicion.false_alarm": 0.2})
    model.record.keep_all = True
    model.run_for(10)
    rounds = rounds_table(model).query("ended != 'void' and n_rot > 0")
    where = ["night", "round", "tavern_id", "table_id"]
    events = model.events
    seen = events[events.kind.isin(("odd_throw", "failed_trick"))].groupby(where).size()
    for one in rounds.itertuples():
        at = (one.night, one.round, one.tavern_id, one.table_id)
        found = seen.get(at, 0)
        assert found in (0, int(one.odd).bit_count()), at  # 0 where nobody followed the round


def test_the_modifier_is_the_one_applied() -> None:
    model = TavernModel(DICE_ALONE, rng=12, **LIVELY | {"minds.tau_moves": False})
    model.run_for(10)
    tries = model.events[model.events.kind.isin(("trick", "failed_trick"))]
    assert len(tries) > 20
    assert not tries.modifier.any()


def test_bills_left_unpaid_come_last_of_the_night(events: pd.DataFrame) -> None:
    unpaid = events.query("kind == 'unpaid' and tavern_id == 1")
    for event in unpaid.itertuples():
        tonight = events[(events.night == event.night) & events["round"].between(1, 24)]
        assert event.event_id > tonight.event_id.max()
