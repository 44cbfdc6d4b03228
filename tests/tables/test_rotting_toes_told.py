"""A told game is a game by the rules, and its sentences say what its records hold."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import exp, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavern_abm.asking import RefusedError
from tavern_abm.checks import passes
from tavern_abm.coins import rake
from tavern_abm.games import rotting_toes as rt
from tavern_abm.patrons.decisions.rotting_toes import choose_side
from tavern_abm.tables.rotting_toes_records import (
    Beating,
    Bet,
    Check,
    Closing,
    Notice,
    Opening,
    PassedOver,
    Payout,
    Penalty,
    QuickPayout,
    Record,
    Result,
    Throw,
    Toe,
    names,
    sentence,
)
from tavern_abm.tables.rotting_toes_told import (
    LOADED,
    OPTIONS,
    PLAY,
    play,
    tell,
    turn_a_die,
)
from tavern_abm.tables.telling import AtTable, Deciders, Dice, Told, lines

SEATS = ("North", "East", "South", "West")
DEFAULTS: Mapping[str, Any] = {option.name: option.default for option in OPTIONS}
ONE_THROW = {"North": [4, 4, 2, 1, 6, 3, 3]}


def table(
    players: Sequence[str] = SEATS,
    *,
    seed: int = 1,
    rounds: int = 1,
    stake_cp: int = 100,
    purses: Mapping[str, int] | None = None,
    rake_bp: int = 0,
    dice: Mapping[str, Sequence[int]] | None = None,
    **options: Any,
) -> AtTable:
    """A table to play at; it can be played once, since its dice are used up."""
    return AtTable(
        players,
        seed,
        rounds,
        stake_cp,
        purses or {},
        rake_bp,
        Dice(seed, players, dice),
        Deciders(seed, players),
        {**DEFAULTS, **options},
    )


def again(game: AtTable) -> AtTable:
    """The same table before its first throw."""
    return replace(
        game, dice=Dice(game.seed, game.players), deciders=Deciders(game.seed, game.players)
    )


def option(game: AtTable, name: str) -> Any:
    return game.options[name]


def thievery(game: AtTable) -> int:
    return 6 if option(game, "thievery") is None else int(option(game, "thievery"))


@st.composite
def games(draw: st.DrawFn) -> AtTable:
    players = draw(st.lists(st.sampled_from("ABCDEFGHIJKL"), min_size=2, max_size=12, unique=True))
    somebody = st.none() | st.sampled_from(players)
    sides = st.sampled_from(["rot", "not", "out"])
    stake_cp = draw(st.integers(1, 1000))
    cheat, weighted = draw(somebody), draw(somebody)
    quick = draw(st.booleans())
    thieves = st.none() | st.integers(-5, 30)
    return table(
        players,
        seed=draw(st.integers(0, 2**63 - 1)),
        rounds=draw(st.integers(1, 12)),
        stake_cp=stake_cp,
        purses=draw(st.dictionaries(st.sampled_from(players), st.integers(stake_cp, 3 * stake_cp))),
        rake_bp=0 if quick else draw(st.sampled_from([0, 0, 500, 10_000])),
        bets=draw(st.dictionaries(st.sampled_from(players), sides)),
        side_bets=draw(st.dictionaries(st.sampled_from(players), st.integers(1, 1000))),
        cheat=cheat,
        weighted=weighted,
        thievery=draw(thieves) if cheat or weighted else None,
        dc=draw(st.integers(5, 40)),
        custom="tavern" if weighted else draw(st.sampled_from(["tavern", "orc"])),
        lucky=draw(st.booleans()),
        quick=quick,
    )


def rounds_of(records: list[Record]) -> list[list[Record]]:
    """Records by round; the closing apart."""
    found: list[list[Record]] = []
    for record in records:
        if isinstance(record, Opening):
            found.append([])
        if not isinstance(record, Closing | PassedOver):
            found[-1].append(record)
    return found


def of[R: Record](kind: type[R], records: list[Record]) -> list[R]:
    return [each for each in records if isinstance(each, kind)]


# ---------------------------------------------------------------- by the rules


@given(games())
def test_every_round_is_by_the_rules(game: AtTable) -> None:
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
                assert (record.dc, hand) == (10 + thievery(game), option(game, "weighted"))
                toes = rt.after_notice(toes)
                assert record.failed_checks == toes.failed
            elif isinstance(record, Check):
                assert rt.can_cheat(toes)
                assert hand == option(game, "cheat")
                assert record.dc == rt.cheat_dc(toes, option(game, "dc"))
                assert record.succeeded == passes(record.natural, record.thievery, record.dc)
                assert rt.has_doubles(record.dice) == record.succeeded
                assert (
                    sum(a != b for a, b in zip(dice, record.dice, strict=True)) == record.succeeded
                )
                toes, dice = (
                    rt.after_check(toes, record.natural, record.thievery, option(game, "dc")),
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
def test_the_cheat_tries_at_every_throw_without_doubles(game: AtTable) -> None:
    for records in rounds_of(list(play(game))):
        if of(Opening, records)[0].hand == option(game, "cheat"):
            plain = [each for each in of(Throw, records) if not each.doubles]
            settled = any(each.failed_checks > 1 for each in of(Notice, records))
            assert len(of(Check, records)) == len(plain) - (settled and bool(plain))
        else:
            assert of(Check, records) == []


@given(games())
def test_the_hand_passes_clockwise_over_those_who_are_left(game: AtTable) -> None:
    present = list(game.players)
    records = list(play(game))
    rounds = rounds_of(records)
    hands = [of(Opening, each)[0].hand for each in rounds]
    over = [
        [each.seat for each in of(PassedOver, records) if each.round == number]
        for number in range(1, len(rounds) + 2)
    ]
    assert hands[0] == game.players[0]
    for each, (hand, following), skipped in zip(
        rounds, pairwise([*hands, None]), over[1:], strict=True
    ):
        bettors = [bet.seat for bet in of(Bet, each)]
        at = present.index(hand)
        assert bettors == present[at + 1 :] + present[:at]
        gone = [end.seat for end in each if isinstance(end, Penalty | Beating)]
        assert gone in ([], [hand])
        present = [seat for seat in present if seat not in gone]
        if following:
            assert [*skipped, following] == [*bettors, hand][: len(skipped) + 1]
    (closing,) = of(Closing, records)
    assert closing.played == len(rounds) <= closing.asked_for == game.rounds


@given(games())
def test_coins_are_kept_and_nobody_is_ever_in_debt(game: AtTable) -> None:
    total = dict.fromkeys(game.players, 0)
    house = 0
    records = list(play(game))
    for each in records:
        if isinstance(each, Opening):
            assert _purse(game, each.hand, total) >= game.stake_cp
        if isinstance(each, PassedOver):
            assert _purse(game, each.seat, total) < game.stake_cp
        if isinstance(each, Bet):
            staked = option(game, "side_bets").get(each.seat, game.stake_cp)
            assert each.can_pay == (_purse(game, each.seat, total) >= staked)
            assert each.can_pay or each.bet == "out"
        if isinstance(each, Payout):
            assert each.rake_cp == rake(each.pool_cp, game.rake_bp)
            assert sum(each.net_cp.values()) + each.rake_cp == 0
            won = [net for net in each.net_cp.values() if net > 0]
            assert sum(won) == each.pool_cp - each.rake_cp
            assert won == [] or len(each.odd_to) == sum(won) % len(won)
        if isinstance(each, Payout | QuickPayout):
            house -= sum(each.net_cp.values())
            for seat, net in each.net_cp.items():
                total[seat] += net
            assert all(_purse(game, seat, total) >= 0 for seat in game.purses)
    (closing,) = of(Closing, records)
    assert (closing.net_cp, closing.house_cp) == (total, house)
    assert closing.quick or house >= 0


def _purse(game: AtTable, name: str, net_cp: Mapping[str, int]) -> float:
    return game.purses.get(name, float("inf")) + net_cp[name]


@given(games())
def test_a_game_ends_only_when_too_few_can_go_on(game: AtTable) -> None:
    records = list(play(game))
    (closing,) = of(Closing, records)
    if closing.played < game.rounds:
        gone = {each.seat for each in records if isinstance(each, Penalty | Beating)}
        able = [
            name
            for name in game.players
            if name not in gone and _purse(game, name, closing.net_cp) >= game.stake_cp
        ]
        assert len(able) < rt.MIN_SEATS


@given(games())
def test_a_caught_hand_goes_and_stakes_come_back(game: AtTable) -> None:
    for records in rounds_of(list(play(game))):
        (result,) = of(Result, records)
        penalties = [each.penalty for each in of(Penalty, records)]
        if result.ended == "void":
            is_orc = option(game, "custom") == "orc"
            assert penalties == ["killed" if is_orc else "ejected"]
            (paid,) = [each for each in records if isinstance(each, Payout | QuickPayout)]
            assert set(paid.net_cp.values()) == {0}
        else:
            assert penalties == []


@given(games())
def test_the_fourth_win_in_a_row_is_beaten_where_the_custom_holds(game: AtTable) -> None:
    streak: Counter[str] = Counter()
    for records in rounds_of(list(play(game))):
        (result,) = of(Result, records)
        if result.ended == "win":
            streak[result.hand] += 1
        if result.ended == "lose":
            streak[result.hand] = 0
        beats = option(game, "lucky") or option(game, "custom") == "orc"
        is_beaten = beats and result.ended == "win" and streak[result.hand] == 4
        assert [each.wins for each in of(Beating, records)] == [4] * is_beaten


def test_somebody_is_beaten_sooner_or_later() -> None:
    game = table(("A", "B"), rounds=400, lucky=True, cheat="A", thievery=30)
    records = list(play(game))
    assert [each.seat for each in of(Beating, records)] == ["A"]
    (closing,) = of(Closing, records)
    assert closing.played < closing.asked_for


@given(games())
def test_fixed_bets_are_kept_and_bettors_stake_what_the_hand_does(game: AtTable) -> None:
    for bet in of(Bet, list(play(game))):
        stake = option(game, "side_bets").get(bet.seat, game.stake_cp)
        if bet.can_pay:
            assert bet.bet == option(game, "bets").get(bet.seat, bet.bet)
        assert bet.stake_cp == (0 if bet.bet == "out" else stake)


def test_without_a_bet_the_dice_pass_on() -> None:
    game = table(bets=dict.fromkeys(SEATS, "out"), rounds=2)
    first, second = rounds_of(list(play(game)))
    assert [type(each) for each in first] == [Opening, Bet, Bet, Bet, Result]
    assert of(Result, first)[0].ended == "passed"
    assert of(Opening, second)[0].hand == "East"


def test_quick_payouts_are_2d4_gold_for_each_gold() -> None:
    seen = Counter()
    for seed in range(300):
        game = table(seed=seed, stake_cp=150, bets={"East": "rot", "South": "not"}, quick=True)
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
    game = table(("A", "B"), seed=9, rounds=n_rounds, bets={"A": "rot", "B": "rot"})
    wins = sum(each.ended == "win" for each in of(Result, list(play(game))))
    prob = 397 / 972
    assert abs(wins / n_rounds - prob) < 4 * sqrt(prob * (1 - prob) / n_rounds)


def test_weighted_dice_win_as_often_as_the_exact_odds_say() -> None:
    """Nobody notices: the cheat is far too good for Perception +0."""
    n_rounds = 8_000
    bets = {"A": "rot", "B": "rot"}
    game = table(("A", "B"), seed=5, rounds=2 * n_rounds, bets=bets, weighted="A", thievery=30)
    rounds = [each for each in of(Result, list(play(game))) if each.hand == "A"]
    wins = sum(each.ended == "win" for each in rounds)
    prob = 205747 / 421875
    assert len(rounds) == n_rounds
    assert abs(wins / n_rounds - prob) < 4 * sqrt(prob * (1 - prob) / n_rounds)


def test_weighted_dice_show_a_six_in_a_third_of_throws() -> None:
    assert [LOADED.count(face) for face in range(1, 7)] == [2, 2, 2, 2, 2, 5]


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
    bets = [of(Bet, list(play(table(seed=seed, bets=fixed))))[-1].bet for seed in range(n_games)]
    gain_rot, gain_not = (575 / 3 - 397) / 972, (397 - 575) / 972
    weights = [exp(4 * (gain_rot + 0.25)), exp(4 * (gain_not + 0.25)), 1.0]
    for bet, weight in zip(("rot", "not", "out"), weights, strict=True):
        prob = weight / sum(weights)
        assert abs(bets.count(bet) / n_games - prob) < 4 * sqrt(prob * (1 - prob) / n_games)


def test_the_same_seed_tells_the_same_and_another_does_not() -> None:
    def text(seed: int) -> list[str]:
        return [told.text for told in tell(table(seed=seed, rounds=3))]

    assert text(3) == text(3)
    assert text(3) != text(4)


# ---------------------------------------------------------------- sentences


@given(games())
def test_sentences_say_what_happened(game: AtTable) -> None:
    game_again = again(game)
    for told, it in zip(tell(game), play(game_again), strict=True):
        text = told.text
        assert text == text.strip()
        assert (told.kind, text == "" or text[-1] in ".!") == (it.kind, True)
        assert text or isinstance(it, Closing)
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
                assert it.succeeded == (it.old > 0)
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
            case PassedOver():
                assert it.seat in text


def _say(record: Record) -> str:
    return sentence(record, lambda texts: texts[0])


def _payout_text(
    net_cp: dict[str, int], odd_to: tuple[str, ...], ended: str = "win", rake_cp: int = 0
) -> str:
    pool = rake_cp + sum(net for net in net_cp.values() if net > 0)
    return _say(Payout(ended, pool, rake_cp, net_cp, odd_to))


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


def test_the_rake_is_told() -> None:
    told = _payout_text({"A": 9, "C": -10}, (), rake_cp=1)
    assert told == "A wins 9 cp. The house takes 1 cp."
    told = _payout_text({"A": 0, "C": -10}, (), rake_cp=10)
    assert told == "Nothing is left to share. The house takes 1 sp."


def test_what_is_said_at_the_end() -> None:
    assert _say(Closing(1, 1, {"A": 5, "B": -5}, 0, False)) == ""
    assert _say(Closing(2, 2, {"A": 5, "B": -6}, 1, False)) == (
        "After 2 rounds: A +5 cp, B -6 cp. The house has taken 1 cp."
    )
    assert _say(Closing(1, 2, {"A": 5, "B": -5}, 0, False)) == (
        "Too few are left to play on. After 1 round: A +5 cp, B -5 cp."
    )
    assert _say(Closing(1, 1, {"A": 500, "B": -100}, -400, True)) == ("The quick payout made 4 gp.")
    assert _say(Closing(1, 1, {"A": -100, "B": 0}, 100, True)) == (
        "The quick payout swallowed 1 gp."
    )


def test_who_cannot_pay_is_told() -> None:
    assert _say(PassedOver(2, "Bo", 100)) == (
        "Bo cannot cover 1 gp and is passed over as the Hand."
    )
    assert _say(Bet("Bo", "out", 0, False)) == "Bo has too little left to bet."


def test_odd_coins_that_a_share_is_too_small_for() -> None:
    """One copper among three: two get nothing."""
    bets = {"East": "rot", "South": "not", "West": "not"}
    told = list(tell(table(stake_cp=1, bets=bets, dice=ONE_THROW)))
    (paid,) = [each for each in told if each.kind == "payout"]
    assert paid.facts["net_cp"] == {"North": 1, "East": -1, "South": 0, "West": 0}
    assert paid.text == "North wins 1 cp."


def test_what_follows_from_a_throw_stands_in_its_line() -> None:
    told = list(lines(tell(table(bets=dict.fromkeys(SEATS, "rot"), dice=ONE_THROW))))
    (first,) = [line for line in told if line.startswith("Throw 1: 4 4 2 1, doubles. ")]
    assert first.endswith("One more pair wins.")


def test_the_facts_of_a_round_are_lifted() -> None:
    told = list(tell(table(bets=dict.fromkeys(SEATS, "rot"), dice=ONE_THROW)))
    lifted: dict[str, Any] = {}
    for each in told:
        assert each.round == (each.kind != "closing")
        lifted |= each.lifts
    net_cp = {"North": 300, "East": -100, "South": -100, "West": -100}
    assert lifted == {"hand": "North", "ended": "win", "net_cp": net_cp, "house_cp": 0}
    assert told[-1] == Told("closing", "", {"net_cp": net_cp, "house_cp": 0, "played": 1})


def test_the_game_is_told_as_it_is_played() -> None:
    """Nothing is thrown before what came before it has been told."""
    game = table(dice={"North": [4, 4, 2, 1, 7]})
    telling = tell(game)
    kinds = [next(telling).kind for _ in range(6)]
    assert kinds == ["opening", "bet", "bet", "bet", "throw", "toe"]
    with pytest.raises(RefusedError, match="no face 7"):
        next(telling)


# ---------------------------------------------------------------- at the door


@pytest.mark.parametrize(
    ("game", "words", "name"),
    [
        (table(cheat="Bob"), "nobody here is called 'Bob'", "cheat"),
        (table(weighted="Bob"), "nobody here is called 'Bob'", "weighted"),
        (table(bets={"Bob": "rot"}), "nobody here is called 'Bob'", "bets"),
        (table(side_bets={"Bob": 1}), "nobody here is called 'Bob'", "side_bets"),
        (table(thievery=3), "--thievery says nothing", None),
        (table(weighted="East", custom="orc"), "orcs let nobody", None),
        (table(quick=True, rake_bp=1), "no pot to rake", "rake_bp"),
        (
            table(purses={"East": 99}),
            "East cannot sit down at rotting-toes: a seat must cover the stake of 1 gp, and"
            " this purse holds 9 sp 9 cp",
            "purses",
        ),
    ],
    ids=range(8),
)
def test_what_makes_no_sense_is_refused_before_the_first_throw(
    game: AtTable, words: str, name: str | None
) -> None:
    with pytest.raises(RefusedError, match=re.escape(words)) as caught:
        next(tell(game))
    assert caught.value.option == name


def test_the_frame_knows_who_may_sit() -> None:
    assert PLAY.seats == (rt.MIN_SEATS, rt.MAX_SEATS) == (2, 12)
    assert PLAY.tell is tell


def test_wordings_vary() -> None:
    texts = Counter(
        re.sub(r"[A-Z]\w+(?= (is the|takes|, who))", "X", told.text.split(". ")[1])
        for seed in range(60)
        for told in tell(table(seed=seed))
        if told.kind == "opening"
    )
    assert len(texts) == 3


def test_the_lowest_die_is_made_like_another() -> None:
    assert turn_a_die([6, 4, 2, 1], 6) == (3, [6, 4, 2, 6])
    assert turn_a_die([6, 4, 2, 1], 2) == (3, [6, 4, 2, 2])
    assert turn_a_die([1, 2], 2) == (0, [2, 2])


def test_names_in_a_row() -> None:
    assert names(["A", "B"]) == "A and B"


def test_a_record_without_words_is_refused() -> None:
    with pytest.raises(TypeError, match="no words for"):
        _say(Record())
