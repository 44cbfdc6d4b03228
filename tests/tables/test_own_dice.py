"""Weighted dice in an evening: who throws them, how they fall, who notices, what is recorded."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from tavern_abm import Policy, TavernModel, chance
from tavern_abm.games import rotting_toes as rt
from tavern_abm.tables.record import COUNTS
from tests.strategies import DICE_ALONE
from tests.tables.plain_sitting import Row, WatchedModel

ROGUES = {
    "patrons": 60,
    "population.share_of_cheats": 0.5,
    "dice.owners": 1.0,
    "flight.runs": False,
    "bribes.bribe_prob": 0.0,
}
OWN_DICE = ROGUES | {"taverns.0.own_dice": True}


def ever(patron, failed, stake, restraint, night, minds, u) -> bool:  # type: ignore[no-untyped-def]
    return True


# ---------------------------------------------------------------- the rules


def test_a_weighted_die_falls_as_the_bias_says() -> None:
    n = 3000
    faces = Counter(rt.weighted_face((i + 0.5) / n, 1 / 3) for i in range(n))
    assert faces[6] == n // 3
    assert all(faces[face] == pytest.approx(n * 2 / 15, abs=1) for face in range(1, 6))
    assert {rt.weighted_face(u, 1.0) for u in (0.0, 0.999)} == {6}
    assert {rt.weighted_face(u, 0.0) for u in (0.0, 1 - 2**-53)} == {1, 5}


def test_four_weighted_dice_win_as_often_as_was_worked_out() -> None:
    """205747/421875 for a bias of 1/3: enumerated in the rules of the games."""
    die = {6: Fraction(1, 3)} | dict.fromkeys(range(1, 6), Fraction(2, 15))
    assert rt.exact_odds(die=die)[rt.WIN] == Fraction(205747, 421875)


@pytest.mark.parametrize("bias", [1 / 3, 0.6])
def test_throws_of_weighted_dice_win_at_the_exact_rate(bias: float) -> None:
    n, key = 20_000, chance.run_key(11)
    won = 0
    for round_ in range(n):
        toes = rt.deal(0)
        while rt.n_dice(toes):
            first = chance.slot(round_, 4 * toes.throws)
            dice = [
                rt.weighted_face(chance.unit(key, chance.THROW, first + i), bias)
                for i in range(rt.n_dice(toes))
            ]
            toes = rt.after_throw(toes, dice)
        won += rt.result(toes) == rt.WIN
    exact = Fraction(bias).limit_denominator(1000)
    die = {6: exact} | dict.fromkeys(range(1, 6), (1 - exact) / 5)
    p = float(rt.exact_odds(die=die)[rt.WIN])
    assert won / n == pytest.approx(p, abs=4 * (p * (1 - p) / n) ** 0.5)


# ---------------------------------------------------------------- the evening


@pytest.fixture(scope="module")
def model() -> WatchedModel:
    """A fortnight in which whoever has weighted dice throws them whenever it may pay."""
    model = WatchedModel(DICE_ALONE, rng=4, policy=Policy(throws_own_dice=ever), **OWN_DICE)
    model.watch(14)
    return model


def cells(model: WatchedModel) -> list[Row]:
    return [one for sitting in model.watched for one in sitting.rounds]


def test_owners_throw_them_where_somebody_bets_rot(model: WatchedModel) -> None:
    for cell in cells(model):
        hand = cell["rows"][cell["hand"]]
        assert cell["weighted"] == (model.people.weighted[hand] and cell["n_rot"] > 0)


def test_noticed_at_the_chance_that_the_checks_give(model: WatchedModel) -> None:
    expected = variance = noticed = 0.0
    for cell in cells(model):
        if not cell["weighted"]:
            continue
        rows, hand = cell["rows"], cell["hand"]
        dc = 10 + model.people.thievery[rows[hand]]
        unseen = 1.0
        for seat, row in enumerate(rows):
            if cell["seated"] >> seat & 1 and seat != hand:
                needed = dc - model.people.perception[row]
                unseen *= 1 - min(20, max(0, 21 - needed)) / 20
        expected += 1 - unseen
        variance += unseen * (1 - unseen)
        noticed += cell["noticed_by"] >= 0
    assert expected > 100
    assert noticed == pytest.approx(expected, abs=4 * variance**0.5)


def test_every_round_of_them_is_an_event_and_a_try(model: WatchedModel) -> None:
    played, events = cells(model), model.events
    kinds = Counter(events.kind)
    assert kinds["weighted_dice"] == sum(cell["weighted"] for cell in played)
    noticed = sum(cell["noticed_by"] >= 0 for cell in played)
    sums = sum(each.counts.sum(axis=0) for each in model.watched)
    assert kinds["dice_noticed"] == noticed == sums[COUNTS.index("dice_noticed")]
    tries = events[events.kind.isin(["trick", "failed_trick", "weighted_dice"])]
    by_id = tries.groupby("patron_id").size()
    assert model.people.tries.sum() == len(tries) == sums[COUNTS.index("tricks_tried")]
    first = tries.groupby("patron_id").night.min()
    for patron_id, n in by_id.items():
        assert model.people.tries[patron_id - 1] == n
        assert model.people.first_try[patron_id - 1] == first[patron_id]


def test_who_notices_is_named_and_the_check_was_passed(model: WatchedModel) -> None:
    events = model.events
    told = events[events.kind == "dice_noticed"]
    assert (told.other_id > 0).all()
    perception = model.people.perception[told.other_id.to_numpy() - 1]
    assert (told.natural + perception >= told.dc).all()
    assert (told.dc == 10 + model.people.thievery[told.patron_id.to_numpy() - 1]).all()
    assert told.text.str.len().min() > 20
    assert told.text.nunique() > len(told) / 2


def test_hands_of_cheats_are_tallied_apart(model: WatchedModel) -> None:
    sums = dict(
        zip(COUNTS, sum(each.counts.sum(axis=0) for each in model.watched).tolist(), strict=True)
    )
    played = cells(model)
    tricked = [cell for cell in played if cell["tried"] or cell["weighted"]]
    assert sums["tricked_hands"] == len(tricked)
    kind = model.people.is_cheat
    cheats = [cell for cell in played if kind[cell["rows"][cell["hand"]]]]
    assert 0 < len(tricked) < len(cheats) < len(played)
    assert sums["cheats_hands"] == len(cheats)
    assert sums["honest_hands"] == len(played) - len(cheats)
    assert sums["cheats_staked_cp"] == sum(cell["stake"] for cell in cheats)
    assert sums["cheats_net_cp"] == sum(map(gain_of, cheats))
    assert sums["honest_net_cp"] + sums["cheats_net_cp"] == sum(map(gain_of, played))


def gain_of(cell: Row) -> int:
    """What the Hand won or lost by a round without rake, by what is written down of it."""
    if cell["ended"] == rt.WIN:
        share = -(-cell["pool"] // (1 + cell["n_not"]))
        return share - cell["repaid"]
    return -cell["stake"] if cell["ended"] == rt.LOSE and cell["n_rot"] else 0


# ---------------------------------------------------------------- switched off


def dice_of(**settings: object) -> list[tuple[int, int, int, int]]:
    """The first night's dice, by table and round."""
    model = WatchedModel(DICE_ALONE, rng=9, **settings)
    model.watch(1)
    return [(one["round"], one["table"], one["dice"], one["weighted"]) for one in cells(model)]


def test_where_the_house_says_no_nobody_throws_them() -> None:
    model = TavernModel(DICE_ALONE, rng=4, **ROGUES)
    model.run_for(5)
    assert "weighted_dice" not in set(model.events.kind)
    nobody = TavernModel(DICE_ALONE, rng=4, **(OWN_DICE | {"dice.owners": 0.0}))
    nobody.run_for(5)
    assert (nobody.people.gold == model.people.gold).all()
    assert (nobody.people.tries == model.people.tries).all()


def test_nobody_elses_throws_move() -> None:
    """In the first sitting, before purses differ: the same dice but where weighted ones fell."""
    with_, without = dice_of(**OWN_DICE), dice_of(**ROGUES)
    first = [(a, b) for a, b in zip(with_, without, strict=False) if a[0] == 1]
    assert first
    assert all(a[:3] == b[:3] for a, b in first if not a[3])
