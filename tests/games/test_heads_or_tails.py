"""Heads or tails: who wins what, at the table and in an evening."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numba
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm import TavernModel, chance
from tavern_abm.cli.odds import odds
from tavern_abm.cli.play import play
from tavern_abm.coins import rake
from tavern_abm.games import heads_or_tails as ht
from tavern_abm.games.heads_or_tails import HEADS, OUT, TAILS
from tavern_abm.patrons.decisions import Policy
from tavern_abm.patrons.decisions.heads_or_tails import calls_coin
from tavern_abm.tables.accounts import PAYOUT, RAKE, STAKE
from tavern_abm.tables.record import COUNTS
from tests.strategies import DICE_ALONE
from tests.tables.plain_sitting import Row, Watched, WatchedModel
from tests.uncompiled import with_and_without_numba

TABLE: dict[str, Any] = {"game": "heads-or-tails", "seats": 5, "count": "auto"}


@given(
    st.sampled_from([HEADS, TAILS]),
    st.lists(st.sampled_from([OUT, HEADS, TAILS]), min_size=2, max_size=12),
    st.data(),
)
def test_not_a_coin_is_made_or_lost(coin: int, calls: list[int], data: st.DataObject) -> None:
    tosser = data.draw(st.integers(0, len(calls) - 1))
    stake, rake_bp = data.draw(st.integers(1, 1000)), data.draw(st.integers(0, 10_000))
    net = [-9] * len(calls)
    pool = ht.payout(coin, tosser, calls, stake, net, rake_bp)
    assert sum(net) == -rake(pool, rake_bp)
    assert all(won == 0 for won, call in zip(net, calls, strict=True) if call == OUT)
    assert all(won >= -stake for won in net)


def test_odd_coins_go_clockwise_from_the_tosser() -> None:
    net = [0] * 5
    assert ht.payout(HEADS, 3, [HEADS, TAILS, HEADS, HEADS, TAILS], 10, net) == 20
    assert net == [7, -10, 6, 7, -10]


def test_nobody_right_and_stakes_go_back() -> None:
    net = [1, 1]
    assert ht.payout(HEADS, 0, [TAILS, TAILS], 10, net) == 0
    assert net == [0, 0]


@pytest.mark.parametrize(
    ("n_heads", "n_tails", "side"), [(0, 1, HEADS), (1, 0, TAILS), (2, 2, TAILS), (4, 1, TAILS)]
)
def test_the_tosser_takes_what_fewer_call(n_heads: int, n_tails: int, side: int) -> None:
    assert ht.tosser_side(n_heads, n_tails) == side


@pytest.mark.parametrize(("n_heads", "n_tails"), [(1, 0), (3, 1), (2, 2), (0, 5)])
def test_exact_gains_are_the_mean_over_both_faces(n_heads: int, n_tails: int) -> None:
    side = ht.tosser_side(n_heads, n_tails)
    calls = [side] + [HEADS] * n_heads + [TAILS] * n_tails
    stake = 60  # divides by every number of winners here
    total = [0] * len(calls)
    for coin in (HEADS, TAILS):
        net = [0] * len(calls)
        ht.payout(coin, 0, calls, stake, net)
        total = [a + b for a, b in zip(total, net, strict=True)]
    gains = ht.expected_gains(n_heads, n_tails, stake)
    assert gains["tosser"] == Fraction(total[0], 2)
    for call, word in ((HEADS, "heads"), (TAILS, "tails")):
        assert all(
            Fraction(each, 2) == gains[word]
            for each, seat in zip(total, calls, strict=True)
            if seat == call
        )


def test_people_call_against_the_crowd() -> None:
    for before, u in product([(0, 0), (2, 1), (1, 3)], (0.0, 0.3, 0.6, 0.9)):
        assert calls_coin(*before, u) in (HEADS, TAILS)
    assert calls_coin(2, 1, 0.7) == TAILS
    assert calls_coin(2, 1, 0.8) == HEADS


def test_a_toss_is_told() -> None:
    args = ["--players", "Ann,Bo,Cy", "--dice", "Ann=1", "--ask", "Bo,Cy", "--stake", "5 cp"]
    told = CliRunner().invoke(play, ["heads-or-tails", *args], input="heads\nh\n")
    assert told.exit_code == 0
    assert '"Heads," says Bo.\n"Heads," says Cy.' in told.stdout
    assert "Ann takes tails and tosses: heads." in told.stdout
    assert "Bo wins 3 cp, Cy wins 2 cp." in told.stdout


def test_who_cannot_stake_any_more_sits_out() -> None:
    args = ["--players", "Ann,Bo,Cy", "--purses", "Ann=10,Bo=10", "--rounds", "50", "--seed", "2"]
    told = CliRunner().invoke(play, ["heads-or-tails", *args])
    assert told.exit_code == 0
    assert told.stdout.count("has the coin") < 50


def test_somebody_has_to_call() -> None:
    told = CliRunner().invoke(odds, ["heads-or-tails", "--heads", "0", "--tails", "0"])
    assert told.exit_code == 2
    assert "got 0" in told.stderr


def test_gains_are_printed_as_sums() -> None:
    told = CliRunner().invoke(odds, ["heads-or-tails", "--heads", "3", "--tails", "0"])
    lines = [line.split(None, 1) for line in told.stdout.splitlines()[-3:]]
    assert lines == [["heads", "-33.33 cp (-100/3)"], ["tails", "100 cp"], ["tosser", "100 cp"]]


# ---------------------------------------------------------------- in an evening


def town(**more: Any) -> dict[str, Any]:
    return {"patrons": 50, "taverns.0.tables": [TABLE], "taverns.0.rake_bp": 700} | more


type Played = list[Watched]


@pytest.fixture(scope="module")
def played() -> Played:
    """Five nights at tables of this game alone, every toss kept."""
    return WatchedModel("rusty-flagon", rng=5, **town()).watch(5)


def test_every_toss_is_the_one_the_rules_tell(
    played: Played,
) -> None:
    """Given who sat there, luck that is keyed leaves only one way for a toss to go."""
    n_tosses = 0
    for sitting in played:
        gained: Counter[int] = Counter()
        for toss in sitting.rounds:
            net, pool = replayed(sitting, toss)
            assert toss["pool"] == pool
            assert toss["winner_net"] == max(net)
            assert net[toss["winner"]] == max(net)
            for row, won in zip(toss["rows"], net, strict=True):
                gained[row] += won
            n_tosses += 1
        for row, person in sitting.after.people.items():
            assert person.games_net - sitting.before.people[row].games_net == gained[row]
    assert n_tosses > 200


def replayed(sitting: Watched, toss: Row) -> tuple[list[int], int]:
    """What each seat gains at a toss, and the pool, by a plain reading of the rules."""
    seats = [row if toss["seated"] >> seat & 1 else None for seat, row in enumerate(toss["rows"])]
    tosser, n = toss["hand"], len(seats)
    calls = [OUT] * n
    for step in range(1, n):
        row = seats[(tosser + step) % n]
        if row is not None:
            key = chance.subkey(sitting.when.night_key, chance.PATRON, row + 1)
            u = chance.unit(key, chance.BET, 64 * toss["round"])
            calls[(tosser + step) % n] = calls_coin(calls.count(HEADS), calls.count(TAILS), u)
    calls[tosser] = HEADS if calls.count(HEADS) < calls.count(TAILS) else TAILS
    house = chance.subkey(sitting.when.night_key, chance.TAVERN, toss["tavern"] + 1)
    key = chance.subkey(house, chance.TABLE, toss["table"])
    assert toss["ended"] == chance.roll(key, chance.THROW, 64 * toss["round"], 2)
    net = [0] * n
    pool = ht.payout(toss["ended"], tosser, calls, toss["stake"], net, 700)
    return net, pool


def test_the_books_say_what_was_played(played: Played) -> None:
    for sitting in played:
        counts = dict(zip(COUNTS, sitting.counts.sum(axis=0).tolist(), strict=True))
        tosses = sitting.rounds
        taken = sum(rake(toss["pool"], 700) for toss in tosses)
        staked = sum(toss["stake"] * toss["seated"].bit_count() for toss in tosses)
        assert counts["rounds"] == len(tosses)
        assert counts["changed_hands_cp"] == sum(toss["pool"] for toss in tosses)
        assert counts["rake_cp"] == taken == sitting.flows[:, RAKE].sum()
        assert counts["staked_cp"] == staked == sitting.flows[:, STAKE].sum()
        assert sitting.flows[:, PAYOUT].sum() == staked - taken


def test_the_coin_passes_clockwise(played: Played) -> None:
    for sitting in played:
        for table in {toss["table"] for toss in sitting.rounds}:
            tosses = [toss for toss in sitting.rounds if toss["table"] == table]
            for toss, following in pairwise(tosses):
                seat = toss["hand"]
                while True:
                    seat = (seat + 1) % len(toss["rows"])
                    if following["seated"] >> seat & 1:
                        break
                assert following["hand"] == seat


def test_threads_change_nothing() -> None:
    one, two = (TavernModel(DICE_ALONE, rng=8, threads=threads, **town()) for threads in (1, 2))
    for model in (one, two):
        model.run_for(4)
    n = one.n_rows
    assert one.people[:n].tobytes() == two.people[:n].tobytes()
    assert one.gini == two.gini


def test_beside_another_game_the_books_balance_too() -> None:
    tables = [TABLE | {"count": 1}, {"game": "rotting-toes"}]
    model = TavernModel(DICE_ALONE, rng=3, **town(**{"taverns.0.tables": tables}))
    model.run_for(4)
    played = model.results()["games"].query("rounds > 0")
    assert set(played["game"]) == set(model.playing.games) == {"heads-or-tails", "rotting-toes"}
    assert (model.people["gold"] >= 0).all()


def test_a_stake_nobody_can_cover_opens_no_table() -> None:
    table = TABLE | {"count": 1, "stake": 10**9}
    model = TavernModel(DICE_ALONE, rng=3, **town(**{"taverns.0.tables": [table]}))
    model.run_for(1)
    events = model.events
    (text,) = events.loc[events["kind"] == "not_opened", "text"]
    assert text.startswith("Heads or tails was not played tonight: nobody could cover a stake")
    assert model.nights["rounds"].sum() == 0


SHORT = """
from tavern_abm import TavernModel
table = {"game": "heads-or-tails", "seats": 5}
model = TavernModel("rusty-flagon", rng=7, patrons=16, **{"taverns.0.tables": [table]})
model.run_for(3)
print(model.digest())
"""


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="Numba is switched off")
def test_compiled_and_uncompiled_are_the_same() -> None:
    compiled, plain = with_and_without_numba(SHORT)
    assert compiled == plain != ""


def test_a_function_of_ones_own_calls_the_coin() -> None:
    """All on heads: the tosser alone is on the other side."""
    policy = Policy(calls_coin=lambda n_heads, n_tails, u: 1)
    model = WatchedModel("rusty-flagon", rng=5, policy=policy, **town())
    for sitting in model.watch(2):
        for toss in sitting.rounds:
            n_callers = toss["seated"].bit_count() - 1
            assert toss["pool"] == toss["stake"] * (1 if toss["ended"] == HEADS else n_callers)
