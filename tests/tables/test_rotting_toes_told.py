"""A told game is a game by the rules, and its sentences say what its records hold."""

import re
from collections import Counter
from itertools import pairwise
from math import exp, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.chance import run_key, subkey
from tavern_abm.checks import passes
from tavern_abm.games import rotting_toes as rt
from tavern_abm.patrons.decisions.rotting_toes import choose_side
from tavern_abm.tables.rotting_toes_records import (
    Beating,
    Bet,
    Check,
    Closing,
    Notice,
    Opening,
    Payout,
    Penalty,
    QuickPayout,
    Record,
    Result,
    Throw,
    Toe,
    Told,
    names,
)
from tavern_abm.tables.rotting_toes_told import (
    Game,
    lines,
    play,
    tell,
    throw_dice,
    turn_a_die,
)

SEATS = ("North", "East", "South", "West")


@st.composite
def games(draw: st.DrawFn) -> Game:
    players = draw(st.lists(st.sampled_from("ABCDEFGHIJKL"), min_size=2, max_size=12, unique=True))
    somebody = st.none() | st.sampled_from(players)
    bets = st.sampled_from(["rot", "not", "out"])
    return Game(
        players,
        seed=draw(st.integers(0, 2**64)),
        rounds=draw(st.integers(1, 12)),
        stake_cp=draw(st.integers(1, 1000)),
        bets=draw(st.dictionaries(st.sampled_from(players), bets)),
        cheat=draw(somebody),
        weighted=draw(somebody),
        thievery=draw(st.integers(-5, 30)),
        dc=draw(st.integers(5, 40)),
        custom=draw(st.sampled_from(["tavern", "orc"])),
        lucky=draw(st.booleans()),
        quick=draw(st.booleans()),
    )


def rounds_of(records: list[Record]) -> list[list[Record]]:
    """Records by round; the closing apart."""
    found: list[list[Record]] = []
    for record in records:
        if isinstance(record, Opening):
            found.append([])
        if not isinstance(record, Closing):
            found[-1].append(record)
    return found


def of[R: Record](kind: type[R], records: list[Record]) -> list[R]:
    return [each for each in records if isinstance(each, kind)]


# ---------------------------------------------------------------- by the rules


@given(games())
def test_every_round_is_by_the_rules(game: Game) -> None:
    """Replay the records alone: they must allow every next record."""
    failed: Counter[str] = Counter()
    for records in rounds_of(list(play(game))):
        hand = of(Opening, records)[0].hand
        (result,) = of(Result, records)
        if result.ended == "passed":
            continue
        toes = rt.deal(failed[hand])
        dice: tuple[int, ...] = ()
        for record in records:
            if isinstance(record, Throw):
                assert len(record.dice) == rt.n_dice(toes)
                assert record.doubles == rt.has_doubles(record.dice)
                toes, dice = rt.after_throw(toes, record.dice), record.dice
                assert record.number == toes.throws
            elif isinstance(record, Notice):
                assert passes(record.natural, record.perception, record.dc)
                assert (record.dc, hand) == (10 + game.thievery, game.weighted)
                toes = rt.after_notice(toes)
                assert record.failed_checks == toes.failed
            elif isinstance(record, Check):
                assert rt.can_cheat(toes)
                assert hand == game.cheat
                assert record.dc == rt.cheat_dc(toes, game.dc)
                assert record.succeeded == passes(record.natural, record.thievery, record.dc)
                assert rt.has_doubles(record.dice) == record.succeeded
                assert (
                    sum(a != b for a, b in zip(dice, record.dice, strict=True)) == record.succeeded
                )
                toes, dice = (
                    rt.after_check(toes, record.natural, record.thievery, game.dc),
                    record.dice,
                )
                assert record.failed_checks == toes.failed
            elif isinstance(record, Toe):
                assert record.face == min(dice)
                assert record.alike == dice.count(record.face)
                assert (record.dice_left, record.doubles) == (rt.n_dice(toes), toes.doubles)
        ends = {rt.WIN: "win", rt.LOSE: "lose", rt.VOID: "void"}
        assert result.ended == ends[rt.result(toes)]
        assert (result.doubles, result.throws) == (toes.doubles, toes.throws)
        failed[hand] = toes.failed


@given(games())
def test_the_cheat_tries_at_every_throw_without_doubles(game: Game) -> None:
    for records in rounds_of(list(play(game))):
        if of(Opening, records)[0].hand == game.cheat:
            plain = [each for each in of(Throw, records) if not each.doubles]
            settled = any(each.failed_checks > 1 for each in of(Notice, records))
            assert len(of(Check, records)) == len(plain) - (settled and bool(plain))
        else:
            assert of(Check, records) == []


@given(games())
def test_the_hand_passes_clockwise_over_those_who_are_left(game: Game) -> None:
    present = list(game.players)
    rounds = rounds_of(list(play(game)))
    hands = [of(Opening, records)[0].hand for records in rounds]
    assert hands[0] == game.players[0]
    for records, (hand, following) in zip(rounds, pairwise([*hands, None]), strict=True):
        bettors = [each.seat for each in of(Bet, records)]
        at = present.index(hand)
        assert bettors == present[at + 1 :] + present[:at]
        gone = [each.seat for each in records if isinstance(each, Penalty | Beating)]
        assert gone in ([], [hand])
        present = [seat for seat in present if seat not in gone]
        if following:
            assert following == bettors[0]
    assert len(rounds) == game.rounds or len(present) < 2


@given(games())
def test_coins_are_kept(game: Game) -> None:
    total = dict.fromkeys(game.players, 0)
    records = list(play(game))
    for each in records:
        if isinstance(each, Payout):
            assert sum(each.net_cp.values()) == 0
            assert each.pool_cp == sum(net for net in each.net_cp.values() if net > 0)
            won = [net for net in each.net_cp.values() if net > 0]
            assert won == [] or len(each.odd_to) == each.pool_cp % len(won)
        if isinstance(each, Payout | QuickPayout):
            for seat, net in each.net_cp.items():
                total[seat] += net
    for closing in of(Closing, records):
        assert closing.net_cp == total


@given(games())
def test_a_caught_hand_goes_and_stakes_come_back(game: Game) -> None:
    for records in rounds_of(list(play(game))):
        (result,) = of(Result, records)
        penalties = [each.penalty for each in of(Penalty, records)]
        if result.ended == "void":
            assert penalties == ["killed" if game.custom == "orc" else "ejected"]
            (paid,) = [each for each in records if isinstance(each, Payout | QuickPayout)]
            assert set(paid.net_cp.values()) == {0}
        else:
            assert penalties == []


@given(games())
def test_the_fourth_win_in_a_row_is_beaten_where_the_custom_holds(game: Game) -> None:
    streak: Counter[str] = Counter()
    for records in rounds_of(list(play(game))):
        (result,) = of(Result, records)
        if result.ended == "win":
            streak[result.hand] += 1
        if result.ended == "lose":
            streak[result.hand] = 0
        is_beaten = game.lucky and result.ended == "win" and streak[result.hand] == 4
        assert [each.wins for each in of(Beating, records)] == [4] * is_beaten


def test_somebody_is_beaten_sooner_or_later() -> None:
    game = Game(("A", "B"), seed=1, rounds=400, lucky=True, cheat="A", thievery=30)
    records = list(play(game))
    assert [each.seat for each in of(Beating, records)] == ["A"]
    assert of(Closing, records)[0].too_few


@given(games())
def test_fixed_bets_are_kept_and_bettors_stake_what_the_hand_does(game: Game) -> None:
    for bet in of(Bet, list(play(game))):
        assert bet.bet == game.bets.get(bet.seat, bet.bet)
        assert bet.stake_cp == (0 if bet.bet == "out" else game.stake_cp)


def test_without_a_bet_the_dice_pass_on() -> None:
    game = Game(SEATS, bets=dict.fromkeys(SEATS, "out"), rounds=2)
    first, second = rounds_of(list(play(game)))
    assert [type(each) for each in first] == [Opening, Bet, Bet, Bet, Result]
    assert of(Result, first)[0].ended == "passed"
    assert of(Opening, second)[0].hand == "East"


def test_quick_payouts_are_2d4_gold_for_each_gold() -> None:
    seen = Counter()
    for seed in range(300):
        game = Game(
            SEATS, seed=seed, stake_cp=150, bets={"East": "rot", "South": "not"}, quick=True
        )
        records = list(play(game))
        (paid,) = of(QuickPayout, records)
        assert all(1 <= die <= 4 for die in paid.dice)
        seen[sum(paid.dice)] += 1
        gain = sum(paid.dice) * 150
        winner, loser = ("South", "East") if paid.ended == "win" else ("East", "South")
        assert (paid.net_cp[winner], paid.net_cp[loser]) == (gain, -150)
        assert paid.net_cp["North"] == paid.net_cp["South"]
        assert paid.net_cp["West"] in (gain, -150, 0)
    assert set(seen) == set(range(2, 9))


# ---------------------------------------------------------------- chance


def test_told_rounds_win_as_often_as_the_exact_odds_say() -> None:
    n_rounds = 20_000
    game = Game(("A", "B"), seed=9, rounds=n_rounds, bets={"A": "rot", "B": "rot"})
    wins = sum(each.ended == "win" for each in of(Result, list(play(game))))
    prob = 397 / 972
    assert abs(wins / n_rounds - prob) < 4 * sqrt(prob * (1 - prob) / n_rounds)


def test_weighted_dice_show_a_six_in_a_third_of_throws() -> None:
    faces = Counter()
    for number in range(3000):
        faces.update(throw_dice(subkey(run_key(4), 1, number), 0, 4, True))
    assert set(faces) == set(range(1, 7))
    n_dice = faces.total()
    for face, prob in [(6, 1 / 3), *((face, 2 / 15) for face in range(1, 6))]:
        assert abs(faces[face] / n_dice - prob) < 4 * sqrt(prob * (1 - prob) / n_dice)


def test_throws_of_a_round_share_no_die() -> None:
    """All nine dice of a round differ in their index, so none shows up twice."""
    key = run_key(6)
    dice = [
        throw_dice(subkey(key, 1, n), throw, 4 - throw, False)
        for n in range(500)
        for throw in (0, 1)
    ]
    same = sum(first[:3] == second for first, second in zip(dice[::2], dice[1::2], strict=True))
    assert same < 12


@pytest.mark.parametrize(
    ("n_rot", "n_not", "shares"),
    [
        # By hand: weights e^1.732510, e^1 and 1; then e^-0.042181, e^1.084362 and 1.
        (0, 0, (0.60330, 0.29001, 0.10669)),
        (3, 0, (0.19501, 0.60158, 0.20341)),
    ],
)
def test_bets_follow_the_logit_choice(n_rot: int, n_not: int, shares: tuple[float, ...]) -> None:
    n = 20_000
    chosen = Counter(
        choose_side(4.0, 0.25, 397 / 972, n_rot, n_not, (i + 0.5) / n) for i in range(n)
    )
    found = [chosen[bet] / n for bet in (rt.ROT, rt.NOT, rt.OUT)]
    assert found == pytest.approx(shares, abs=1e-4)


def test_bets_are_drawn_by_what_has_been_bet_before() -> None:
    """Two on rot and none on not, then West by the logit choice."""
    n_games = 3000
    fixed = {"East": "rot", "South": "rot"}
    bets = [
        of(Bet, list(play(Game(SEATS, seed=seed, bets=fixed))))[-1].bet for seed in range(n_games)
    ]
    gain_rot, gain_not = (575 / 3 - 397) / 972, (397 - 575) / 972
    weights = [exp(4 * (gain_rot + 0.25)), exp(4 * (gain_not + 0.25)), 1.0]
    for bet, weight in zip(("rot", "not", "out"), weights, strict=True):
        prob = weight / sum(weights)
        assert abs(bets.count(bet) / n_games - prob) < 4 * sqrt(prob * (1 - prob) / n_games)


def test_the_same_seed_tells_the_same_and_another_does_not() -> None:
    def text(seed: int) -> list[str]:
        return [told.text for told in tell(Game(SEATS, seed=seed, rounds=3))]

    assert text(3) == text(3)
    assert text(3) != text(4)


# ---------------------------------------------------------------- sentences


@given(games())
def test_sentences_say_what_happened(game: Game) -> None:
    for told in tell(game):
        text, it = told.text, told.record
        assert text == text.strip()
        assert text[-1] in ".!"
        assert "  " not in text
        match it:
            case Throw():
                assert text.startswith(f"Throw {it.number}: {' '.join(map(str, it.dice))}, ")
                assert (", doubles." in text) == it.doubles
            case Toe():
                assert str(it.face) in text
                assert ("One of the" in text) == (it.alike > 1)
            case Check():
                assert f"{it.natural} {'-' if it.thievery < 0 else '+'} {abs(it.thievery)}" in text
                assert f"against DC {it.dc}" in text
                assert ("doubles" in text) == it.succeeded
            case Result(ended="win"):
                assert f"{it.hand} wins" in text
            case Result(ended="lose"):
                assert f"{it.hand} loses" in text
                assert ("No doubles" in text) == (it.doubles == 0)
            case Payout():
                assert all(seat in text for seat in it.odd_to)
                assert all(seat in text for seat, net in it.net_cp.items() if net > 0)
            case Bet():
                assert text.startswith((f"{it.seat} ", '"'))
                assert it.bet == "out" or it.bet in text.lower()


def _payout_text(net_cp: dict[str, int], odd_to: tuple[str, ...], ended: str = "win") -> str:
    from tavern_abm.tables.rotting_toes_records import sentence

    pool = sum(net for net in net_cp.values() if net > 0)
    return sentence(Payout(ended, pool, net_cp, odd_to), lambda texts: texts[0])


def test_odd_coins_are_told() -> None:
    assert _payout_text({"A": 4, "B": 4, "C": 3, "D": -11}, ("A", "B")) == (
        "A, B and C share 1 sp 1 cp: 3 cp each, and the 2 odd coppers go to A and B."
    )
    assert _payout_text({"A": 6, "B": 5, "C": -11}, ("A",)) == (
        "A and B share 1 sp 1 cp: 5 cp each, and the odd copper goes to A."
    )
    assert _payout_text({"A": 5, "B": 5, "C": -10}, ()) == "A and B share 1 sp: 5 cp each."
    assert _payout_text({"A": 10, "C": -10}, ()) == "A wins 1 sp."
    assert "nothing to win" in _payout_text({"A": 0}, ())
    assert "goes back" in _payout_text({"A": 0}, (), ended="lose")


def test_odd_coins_that_a_share_is_too_small_for() -> None:
    """One copper among three: two get nothing."""
    game = Game(SEATS, stake_cp=1, bets={"East": "rot", "South": "not", "West": "not"}, seed=0)
    for seed in range(50):
        told = list(tell(Game(**vars(game) | {"seed": seed})))
        (paid,) = [each for each in told if isinstance(each.record, Payout)]
        if paid.record.ended == "win":
            assert paid.record.net_cp == {"North": 1, "East": -1, "South": 0, "West": 0}
            assert "North" in paid.text
            return
    pytest.fail("nobody ever won")


def test_what_follows_from_a_throw_stands_in_its_line() -> None:
    told = [
        Told(Throw(1, (4, 4, 2, 1), True), "Throw 1: 4 4 2 1, doubles."),
        Told(Toe(1, 1, 3, 1), "The 1 is taken away."),
        Told(Throw(2, (3, 3, 1), True), "Throw 2: 3 3 1, doubles."),
    ]
    assert list(lines(told)) == [
        "Throw 1: 4 4 2 1, doubles. The 1 is taken away.",
        "Throw 2: 3 3 1, doubles.",
    ]


def test_wordings_vary() -> None:
    texts = Counter(
        re.sub(r"[A-Z]\w+(?= (is the|takes|, who))", "X", told.text.split(". ")[1])
        for seed in range(60)
        for told in tell(Game(SEATS, seed=seed))
        if isinstance(told.record, Opening)
    )
    assert len(texts) == 3


def test_the_lowest_die_is_made_like_the_highest() -> None:
    assert turn_a_die([6, 4, 2, 1]) == (3, [6, 4, 2, 6])
    assert turn_a_die([1, 2]) == (0, [2, 2])


def test_names_in_a_row() -> None:
    assert names(["A", "B"]) == "A and B"


def test_a_record_without_words_is_refused() -> None:
    from tavern_abm.tables.rotting_toes_records import sentence

    with pytest.raises(TypeError, match="no words for"):
        sentence(Record(), lambda texts: texts[0])
