"""The kernel's evening, number by number, against a second and plain reading of the rules."""

from __future__ import annotations

from collections import Counter
from math import exp, log
from typing import Any

import numpy as np
import pytest

from tavern_abm import chance
from tavern_abm.data_tables import load_tables
from tavern_abm.games import rotting_toes as rt
from tavern_abm.tables.accounts import FLOWS, PAYOUT, RAKE, REPAID, REPAYMENT, STAKE
from tavern_abm.tables.record import (
    ACCUSED,
    BIG_WIN,
    BRIBED_OFF,
    BROKE,
    CAUGHT,
    COUNTS,
    ODD,
    TOO_LUCKY,
    TRICK,
    WEIGHTED,
)
from tests.strategies import DICE_ALONE
from tests.tables.plain_sitting import PlainSitting, Row, Watched, WatchedModel

ENDED = ("", "won", "lost", "void")
LIVELY = {
    "patrons": 60,
    "suspicion.memory": 200,
    "population.share_of_cheats": 0.3,
    "minds.tau": 0.5,
    "justice.accuse_prob": 0.8,
    "flight.runs": True,
    "bribes.bribe_prob": 0.3,
}
HOUSES: dict[str, dict[str, Any]] = {
    "decent": {"taverns.0.rake_bp": 0},
    "dockside": {"taverns.0.rake_bp": 730, "suspicion.sore_loser": 2.0},
    "orc": {"taverns.0.tables.0.stake": 10, "minds.thrill": 1.0, "minds.tau": 0.7},
    "guild": {"minds.ride_the_cheat": False, "minds.tau_moves": False, "rounds_per_sitting": 5},
    "lax": {"suspicion.attention": False, "suspicion.teller_memory": 0, "justice.brawl_prob": 0.9},
    "decent, of all sorts": {
        "taverns.0.own_dice": True,
        "dice.owners": 0.8,
        "dice.bias": 0.4,
        "population.gamblers": dict.fromkeys(load_tables().gamblers, 1.0),
    },
    "dockside, learning": {
        "taverns.0.own_dice": True,
        "minds.learning": "reinforcement",
        "minds.start_honest": 0.1,
        "patrons": 90,
    },
}
type Played = tuple[WatchedModel, list[Watched]]


@pytest.fixture(scope="module", params=HOUSES)
def played(request: pytest.FixtureRequest) -> Played:
    """Twelve nights in a house of each custom, watched sitting by sitting."""
    custom = request.param.split(",")[0]
    settings = LIVELY | {"taverns.0.custom": custom} | HOUSES[request.param]
    model = WatchedModel(DICE_ALONE, rng=23, **settings)
    return model, model.watch(12)


def rounds(played: Played) -> list[tuple[Watched, Row]]:
    return [(sitting, one) for sitting in played[1] for one in sitting.rounds]


def unpacked(cell: Row) -> Row:
    """A recorded round with the words and lists of the plain one."""
    dice, checks, naturals = cell["dice"], [], cell["naturals"]
    faces: list[int] = []
    while dice:
        dice, face = divmod(dice, 7)
        faces.insert(0, face)
    for _ in range(cell["tried"].bit_count()):
        naturals, natural = divmod(naturals, 32)
        checks.insert(0, natural)
    return cell | {"faces": faces, "checks": checks, "ended": ENDED[cell["ended"]]}


def test_the_whole_evening_is_the_one_the_rules_tell(played: Played) -> None:
    model, sittings = played
    n_rounds = 0
    for sitting in sittings:
        plain = PlainSitting(model, sitting)
        plain.play()
        assert len(plain.rounds) == len(sitting.rounds)
        for expected, cell in zip(plain.rounds, sitting.rounds, strict=True):
            found = unpacked(cell)
            where = (sitting.when.night, cell["round"], cell["table"])
            near = {"modifier": 1e-12, "beliefs": 0.6}  # these are whole 1/10,000s
            assert {name: found[name] for name in expected if name not in near} == {
                name: value for name, value in expected.items() if name not in near
            }, where
            for name, most in near.items():
                assert found[name] == pytest.approx(expected[name], abs=most), (name, where)
            n_rounds += 1
        assert_same_people(plain, sitting)
        assert_same_beliefs(plain, sitting)
        assert [
            {name: int(sum_) for name, sum_ in zip(COUNTS, row, strict=True) if sum_}
            for row in sitting.counts
        ] == [{name: int(sum_) for name, sum_ in row.items() if sum_} for row in plain.counts]
    assert n_rounds > 1000


def assert_same_people(plain: PlainSitting, sitting: Watched) -> None:
    for row, guest in plain.people.items():
        found, expected = vars(sitting.after.people[row]), vars(guest)
        near = ("filter", "q_cheat", "q_honest", "reference")
        for name in near:
            assert found[name] == pytest.approx(expected[name], abs=1e-12), (row, name)
        skipped = (*near, "row")
        assert {name: found[name] for name in found if name not in skipped} == {
            name: expected[name] for name in expected if name not in skipped
        }, row


def assert_same_beliefs(plain: PlainSitting, sitting: Watched) -> None:
    assert set(plain.beliefs) == set(sitting.after.beliefs)
    for pair, expected in plain.beliefs.items():
        found = sitting.after.beliefs[pair]
        assert found.log_odds == pytest.approx(expected.log_odds, abs=2e-5), pair
        assert found.n_own == pytest.approx(expected.n_own, abs=2e-5), pair
        assert (found.settled, found.moved, found.told) == (
            expected.settled,
            expected.moved,
            expected.told,
        )


def test_something_of_everything_happened(played: Played) -> None:
    """Or the comparison would say little."""
    model, sittings = played
    sums = dict(zip(COUNTS, sum(each.counts.sum(axis=0) for each in sittings), strict=True))
    for what in ("tricks_tried", "tricks_noticed", "tricks_convicted", "accusations_just", "mugs"):
        assert sums[what] > 3, what
    assert sums["accusations_unjust"] + sums["cleared"] > 5
    custom = model.data.customs[model.scenario.taverns[0].custom]
    if custom.banned:
        assert sums["banned"] > 0
    if custom.killed > 0.1:
        assert sums["killed_just"] > 0
        assert sums["too_lucky"] > 0
    if custom.warned + custom.out < 1:
        assert sums["ran"] > 0
        assert sums["bribes"] > 0
    if model.scenario.taverns[0].own_dice:
        assert sums["dice_noticed"] > 5
    assert sums["rake_cp"] > 0 or not model.scenario.taverns[0].rake_bp


# ---------------------------------------------------------------- one rule at a time


def test_dice_are_those_of_the_table_and_the_round(played: Played) -> None:
    model, _ = played
    for sitting, cell in rounds(played):
        night = chance.subkey(model.run_key, chance.NIGHT, sitting.when.night)
        key = chance.subkey(
            chance.subkey(night, chance.TAVERN, cell["tavern"] + 1), chance.TABLE, cell["table"]
        )
        faces = unpacked(cell)["faces"]
        indices = [64 * cell["round"] + i for i in (0, 1, 2, 3, 4, 5, 6, 8, 9)][: len(faces)]
        if cell["weighted"]:
            bias, units = (
                model.scenario.dice.bias,
                [chance.unit(key, chance.THROW, i) for i in indices],
            )
            assert [face == 6 for face in faces] == [u < bias for u in units]
        else:
            assert faces == [chance.draw(key, chance.THROW, i) % 6 + 1 for i in indices]


def test_results_follow_from_dice_and_checks(played: Played) -> None:
    """By the rules as they stand, which ``odds`` and ``play`` use."""
    model, _ = played
    dc = model.scenario.taverns[0].thievery_dc
    for _, cell in rounds(played):
        found = unpacked(cell)
        toes, faces, checks = rt.deal(cell["failed_before"]), found["faces"], found["checks"]
        thievery = model.people.thievery[cell["rows"][cell["hand"]]]
        while rt.n_dice(toes):
            at, n = toes.throws, rt.n_dice(toes)
            toes, faces = rt.after_throw(toes, faces[:n]), faces[n:]
            if cell["noticed_by"] >= 0 and at == 0:
                toes = rt.after_notice(toes)
            if cell["tried"] >> at & 1:
                toes = rt.after_check(toes, checks.pop(0), thievery, dc)
        assert not faces
        assert not checks
        assert rt.result(toes) == cell["ended"]


def test_only_the_kind_ever_tries_and_only_where_it_pays(played: Played) -> None:
    model, _ = played
    tried = 0
    for _, cell in rounds(played):
        assert cell["tried"] & ~cell["plain"] == 0
        assert cell["failed"] & ~cell["tried"] == 0
        assert cell["failed"] & ~cell["odd"] == 0
        is_of_the_kind = model.people.is_cheat[cell["rows"][cell["hand"]]] or learns(model)
        if not is_of_the_kind or cell["n_rot"] == 0:
            assert cell["tried"] == cell["weighted"] == 0
        if cell["n_rot"] == 0:
            assert cell["plain"] == 0
        tried += cell["tried"].bit_count() + cell["weighted"]
    assert tried == model.people.tries.sum()
    assert model.people.tries[model.people.is_cheat == 0].any() == learns(model)


def learns(model: WatchedModel) -> bool:
    return model.scenario.minds.learning == "reinforcement"


def n_failed(cell: Row) -> int:
    """Failed checks of a round; weighted dice that were noticed are one."""
    return cell["failed"].bit_count() + (cell["noticed_by"] >= 0)


def test_a_round_is_void_at_the_second_failed_check_alone(played: Played) -> None:
    for _, cell in rounds(played):
        failed = cell["failed_before"] + n_failed(cell)
        assert cell["failed_before"] <= 1
        assert (cell["ended"] == rt.VOID) == (failed == 2)
        if cell["ended"] == rt.VOID:
            assert cell["pool"] == cell["winner_net"] == 0
            assert cell["sentence"] >= 2  # thrown out at the least
            assert cell["followed"] == cell["seated"] & ~(1 << cell["hand"])
            assert cell["accuser"] == -1


def test_failed_checks_count_up_through_the_night(played: Played) -> None:
    nights: dict[tuple[int, int], int] = Counter()
    for sitting, cell in rounds(played):
        who = (sitting.when.night, cell["rows"][cell["hand"]])
        assert cell["failed_before"] == nights[who]
        nights[who] += n_failed(cell)


def test_coins_change_hands_among_the_table_and_the_house(played: Played) -> None:
    """Every sitting's flows sum to nothing: stakes in, payouts and rake out."""
    model, sittings = played
    rake_bp = model.scenario.taverns[0].rake_bp
    assert FLOWS[STAKE].target == FLOWS[PAYOUT].source == "pot"
    for sitting in sittings:
        by_flow = sitting.flows.sum(axis=(0, 2))
        assert by_flow[STAKE] == by_flow[PAYOUT] + by_flow[RAKE]
        assert by_flow[REPAID] == by_flow[REPAYMENT] == sum(c["repaid"] for c in sitting.rounds)
        assert by_flow[RAKE] == sum(c["pool"] * rake_bp // 10_000 for c in sitting.rounds)
    net = model.people.games_net.sum()
    assert net == -sum(sitting.flows[:, RAKE].sum() for sitting in sittings)


def test_pools(played: Played) -> None:
    for _, cell in rounds(played):
        loses = {rt.WIN: cell["n_rot"], rt.LOSE: 1 + cell["n_not"] if cell["n_rot"] else 0}
        assert cell["pool"] == cell["stake"] * loses.get(cell["ended"], 0)


def test_streaks_count_a_patrons_own_turns(played: Played) -> None:
    model, _ = played
    lucky = model.data.customs[model.scenario.taverns[0].custom].lucky_wins
    streaks: Counter[tuple[int, int]] = Counter()
    too_lucky = 0
    for sitting, cell in rounds(played):
        who = (sitting.when.night, cell["rows"][cell["hand"]])
        if cell["ended"] == rt.WIN:
            streaks[who] += 1
        elif cell["ended"] == rt.LOSE:
            streaks[who] = 0
        is_seated = cell["sentence"] < 2 and not cell["brawl"]
        assert (cell["lucky_nights"] > 0) == (0 < lucky <= streaks[who] and is_seated)
        assert 0 <= cell["lucky_nights"] <= 6
        too_lucky += cell["lucky_nights"] > 0
    assert (too_lucky > 0) == (lucky > 0)


def test_the_hand_passes_clockwise(played: Played) -> None:
    last: dict[tuple[int, int, int], Row] = {}
    for sitting, cell in rounds(played):
        table = (sitting.when.night, sitting.when.sitting, cell["table"])
        before = last.get(table)
        last[table] = cell
        seats = range(len(cell["rows"]))
        taken = [seat for seat in seats if cell["seated"] >> seat & 1]
        assert cell["hand"] in taken
        if before is None:
            assert cell["hand"] == taken[0]
            continue
        assert cell["seated"] & ~before["seated"] == 0  # nobody sits down in between
        next_ = [seat for seat in taken if seat > before["hand"]] or taken
        assert cell["hand"] == next_[0]
        assert before["broke"] & cell["seated"] == 0


def test_what_is_notable(played: Played) -> None:
    for _, cell in rounds(played):
        noticed = int(cell["noticed_by"] >= 0)
        innocent = cell["odd"] & ~cell["failed"] & ~noticed and cell["ended"] != rt.VOID
        expected = {
            TRICK: cell["tried"] > 0,
            ODD: bool(innocent and cell["followed"] and cell["n_rot"]),
            CAUGHT: cell["ended"] == rt.VOID,
            ACCUSED: cell["accuser"] >= 0,
            TOO_LUCKY: cell["lucky_nights"] > 0,
            BROKE: cell["broke"] > 0,
            WEIGHTED: cell["weighted"] == 1,
            BRIBED_OFF: cell["bribe"] > 0,
        }
        assert cell["notable"] & ~BIG_WIN == sum(bit for bit, is_so in expected.items() if is_so)
        if cell["notable"] & BIG_WIN:
            assert cell["winner_net"] >= 4 * cell["stake"]


def test_the_table_filters_what_it_cannot_see(played: Played) -> None:
    """Phi, by enumeration of both histories, and the ratio it gives: nothing of the kernel's."""
    model, sittings = played
    cheat, honest = model.ways.cheat_evidence[0], model.ways.honest_evidence
    phi: dict[tuple[int, int], float] = {}
    at: dict[tuple[int, int], int] = {}
    for sitting in sittings:
        seen = {one["table"]: one["rows"] for one in sitting.rounds}
        for number, seats in seen.items():
            for row in seats:
                if at.get((sitting.when.night, row)) != number:
                    phi[sitting.when.night, row] = 0.0
                    at[sitting.when.night, row] = number
        for cell in sitting.rounds:
            who = (sitting.when.night, cell["rows"][cell["hand"]])
            if cell["ended"] == rt.VOID or not cell["n_rot"]:
                continue
            x, o = cell["ended"] - 1, cell["odd"].bit_count()
            before = np.array([1 - phi[who], phi[who]])
            joint = before @ cheat[:, x, o, :]
            phi[who] = joint[1] / joint.sum()
            assert joint.sum() <= 1
            assert honest[x, o] > 0
        for row, guest in sitting.after.people.items():
            if guest.tavern == 0 and (sitting.when.night, row) in phi:
                assert guest.filter == pytest.approx(phi[sitting.when.night, row], abs=1e-12)


def test_tries_are_at_the_chance_they_should_be(played: Played) -> None:
    """Of all throws at which a cheat might have tried, as many as the recorded chances say."""
    model, _ = played
    if learns(model):
        pytest.skip("where people learn, what they have learnt is the chance")
    tau, moves = model.scenario.minds.tau, model.scenario.minds.tau_moves
    expected = variance = tried = 0.0
    for _, cell in rounds(played):
        if not model.people.is_cheat[cell["rows"][cell["hand"]]]:
            continue
        failed = cell["failed_before"] + (cell["noticed_by"] >= 0)
        for throw in range(3):
            if cell["plain"] >> throw & 1:
                m = cell["modifier"] - 1.5 * (failed == 1) if moves else 0.0
                prob = 1 / (1 + exp(-(log(tau / (1 - tau)) + m)))
                expected += prob
                variance += prob * (1 - prob)
                tried += cell["tried"] >> throw & 1
                failed += cell["failed"] >> throw & 1
    assert tried == pytest.approx(expected, abs=4 * variance**0.5)
    assert expected > 40
