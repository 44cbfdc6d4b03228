"""Evenings of Magic Wand: every game against a plain reading, the books, the beliefs, the tales."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm import Policy, TavernModel, chance
from tavern_abm.data_tables import load_tables
from tavern_abm.games import betting as bt
from tavern_abm.games import game_number
from tavern_abm.games import magic_wand as mw
from tavern_abm.games.magic_wand_odds import run_showdown
from tavern_abm.patrons.decisions import magic_wand as minds
from tavern_abm.society.judgement import OUT
from tavern_abm.tables import magic_wand as table_of_wands
from tavern_abm.tables import magic_wand_game
from tavern_abm.tables.accounts import FLOWS, PAYOUT, RAKE, STAKE
from tavern_abm.tables.magic_wand_events import (
    BUTTON,
    FAILED,
    FAILED_BEFORE,
    HANDS,
    NATURALS,
    ODD_ONES,
    TRIED,
)
from tavern_abm.tables.record import BIG_WIN, COUNTS, NO_SEAT
from tests.strategies import DICE_ALONE, seeds

NOBODY = -1
type Cell = dict[str, Any]
QUIET = {"justice.accusations": False, "taverns.0.mugs_mean": 0.0}
LIVELY = {
    "patrons": 40,
    "suspicion.memory": 100,
    "suspicion.false_alarm": 0.05,
    "population.share_of_cheats": 0.4,
    "minds.tau": 0.5,
}
OF_ALL_SORTS = {
    "population.gamblers": dict.fromkeys(load_tables().gamblers, 1.0),
    "bribes.bribe_prob": 0.5,
    "taverns.0.custom": "dockside",
    "taverns.0.thievery_dc": 23,
}
HOUSES: dict[str, dict[str, Any]] = {
    "refereed": {},
    "unwatched": {"referee": False},
    "pot": {"referee": False, "limit": "pot"},
    "no limit": {"limit": "no", "halve_up": True},
    "one raise": {"max_raises": 1, "order_matters": True},
}


def town(options: dict[str, Any], *others: str, seats: int = 6, **more: Any) -> dict[str, Any]:
    """Settings of a house that runs a room of Magic Wand, and rooms of other games."""
    room = {"game": "magic-wand", "seats": seats, "count": "auto", "options": options}
    rooms = [room, *({"game": game, "seats": 6, "count": 1} for game in others)]
    return {"taverns.0.tables": rooms} | more


class Watched(TavernModel):
    """Keeps how people stood before every sitting, and every game."""

    def watch(self, nights: int) -> Iterator[tuple[Any, list[Cell], Any]]:
        """Each sitting: people before it, its games in order, people after it."""
        self.before: dict[tuple[int, int], Any] = {}
        self.after: dict[tuple[int, int], Any] = {}
        self.firsts: dict[tuple[int, int], Any] = {}
        self.record.keep_all = True
        self._play, self.playing.play = self.playing.play, self._watch_sitting
        self.run_for(nights)
        cells = kept_games(self)
        for key, when in self.firsts.items():
            games = [cell for cell in cells if cell["night"] == when.night]
            games = [g for g in games if 0 <= g["round"] - when.first_round < when.n_rounds]
            games.sort(key=lambda g: (g["tavern"], g["table"], g["round"]))
            yield self.before[key], games, self.after[key]

    def _watch_sitting(self, when: Any, tonight: Any) -> None:
        key = (when.night, when.sitting)
        self.firsts[key] = when
        self.before[key] = self.people.copy()
        self._play(when, tonight)
        self.after[key] = self.people.copy()


def kept_games(model: TavernModel) -> list[Cell]:
    """Every game kept, as plain values."""
    return [cell for kept in model.record.rounds() for cell in unpacked(kept)]


def unpacked(cells: Any) -> list[Cell]:
    games = [dict(zip(cells.dtype.names, cell, strict=True)) for cell in cells.tolist()]
    for game in games:
        game["facts"] = [int(fact) for fact in game["facts"]]
        game["rows"] = [int(row) for row in game["rows"]]
    return [game for game in games if game["game"] == game_number("magic-wand")]


# ---------------------------------------------------------------- a game told plainly


class PlainGame:
    """One game once more, with dicts by seat; decisions and rules are the shipped ones."""

    def __init__(self, model: TavernModel, cell: Cell, people: dict[int, Any], n_seats: int):
        self.model, self.cell, self.people, self.n = model, cell, people, n_seats
        (room,) = (r for r in model.scenario.taverns[0].tables if r.game == "magic-wand")
        defaults = {option.name: option.default for option in mw.OPTIONS}
        self.options = defaults | dict(room.options)
        self.rows = dict(enumerate(cell["rows"][:n_seats]))
        self.seats = [s for s in range(n_seats) if cell["seated"] >> s & 1]
        self.button = cell["facts"][BUTTON]
        night = chance.subkey(model.run_key, chance.NIGHT, cell["night"])
        tavern = chance.subkey(night, chance.TAVERN, 1)
        table = chance.subkey(tavern, chance.TABLE, cell["table"])
        self.key = chance.subkey(table, chance.TABLE, cell["round"])
        self.hands = {seat: [0, 0, 0] for seat in self.seats}
        self.shown = {seat: [0, 0, 0] for seat in self.seats}
        self.tried, self.failed, self.odd = set(), set(), set()
        self.naturals: dict[tuple[int, int], int] = {}
        self.caught: int | None = None
        self.n_moves = 0
        self.failed_before = {s for s in self.seats if self.man(s).failed}

    def man(self, seat: int) -> Any:
        return self.people[self.rows[seat]]

    def luck(self, seat: int) -> int:
        return chance.subkey(int(self.man(seat).luck), chance.TABLE, self.key)

    def order(self) -> list[int]:
        return sorted(self.seats, key=lambda seat: (seat - self.button) % self.n)

    def play(self) -> list[int]:
        """What each seat wins or loses."""
        stake = self.cell["stake"]
        stacks = [self.man(s).gold if s in self.seats else 0 for s in range(self.n)]
        self.chips = bt.lay_out(stacks)
        bt.post_antes(self.chips, stake)
        for die in range(3):
            if bt.n_in(self.chips) > 1 and self.caught is None:
                self.throw(die)
            if bt.n_in(self.chips) > 1 and self.caught is None:
                self.bet()
                self.shown = {seat: list(hand) for seat, hand in self.hands.items()}
        net = [0] * self.n
        self.raked = self.pool = 0
        if self.caught is None:
            rake_bp = self.model.scenario.taverns[0].rake_bp
            self.pool, self.raked = bt.pay_out(self.scores(), self.chips, self.button, net, rake_bp)
        return net

    def throw(self, die: int) -> None:
        for seat in self.order():
            if self.chips.status[seat] == bt.FOLDED or self.caught is not None:
                continue
            at, faces = 3 * seat + die, (4, 6, 8)[die]
            face = chance.roll(self.key, chance.THROW, at, faces)
            if not self.options["referee"]:
                face = self.finger(seat, die, at, face)
            self.hands[seat][die] = face

    def finger(self, seat: int, die: int, at: int, face: int) -> int:
        model, man = self.model, self.man(seat)
        alarm = model.scenario.suspicion.false_alarm
        if chance.unit(self.key, chance.ODD_THROW, at) < alarm:
            self.odd.add((seat, die))
        u = chance.unit(self.luck(seat), chance.CHEAT, die)
        restraint = float(model.houses.restraint[0])
        if not minds.wand_cheat(
            man, self.cell["stake"], restraint, self.cell["night"], model.minds, u
        ):
            return face
        status = self.chips.status
        wanted = minds.best_face(seat, self.number(self.hands, seat), die, self.open(), status)
        if wanted == face:
            return face
        self.tried.add((seat, die))
        natural = chance.roll(self.key, chance.THIEVERY, at, 20)
        self.naturals[seat, die] = natural
        if natural + man.thievery >= model.scenario.taverns[0].thievery_dc + 2 * man.failed:
            return wanted
        self.failed.add((seat, die))
        self.odd.add((seat, die))
        man.failed += 1
        if man.failed == 2:
            self.caught = seat
        return face

    def number(self, hands: dict[int, list[int]], seat: int) -> int:
        return minds.hand_key(*hands.get(seat, [0, 0, 0]))

    def open(self) -> list[int]:
        return [self.number(self.shown, seat) for seat in range(self.n)]

    def bet(self) -> None:
        kinds = ("fixed", "pot", "no")
        kind = kinds.index(self.options["limit"])
        most = self.options["max_raises"] + 1 if kind == bt.FIXED else 60
        limits = bt.Limits(kind, self.cell["stake"], most)
        betting = bt.open_round(limits, self.chips, self.button)
        while not bt.is_round_over(betting):
            seat = betting.turn
            man, sheet = self.man(seat), self.model.sheet[self.rows[seat]]
            share = minds.win_prob(
                seat, self.number(self.hands, seat), self.open(), self.chips.status
            )
            spot = minds.spot_of(limits, betting, self.chips, seat)
            u = chance.unit(self.luck(seat), chance.BET, self.n_moves)
            bold, bluff = minds.boldness_of(sheet), minds.bluff_prob_of(sheet)
            move = minds.wand_bet(man, share, spot, bold, bluff, self.model.minds, u)
            least = bt.min_raise_to(limits, betting, self.chips, seat)
            top = bt.max_raise_to(limits, betting, self.chips, seat)
            u = chance.unit(self.luck(seat), chance.CHOICE, self.n_moves)
            to = minds.wand_raise_to(man, share, spot, least, top, u) if move == bt.RAISE else 0
            betting = bt.act(limits, betting, self.chips, move, to)
            self.n_moves += 1

    def scores(self) -> list[int]:
        live = [int(status != bt.FOLDED) for status in self.chips.status]
        self.cast = {}
        if sum(live) < 2:
            return [0] * self.n
        dice = [self.hands.get(seat, [0, 0, 0]) for seat in range(self.n)]
        order, up = self.options["order_matters"], self.options["halve_up"]
        hands = mw.deal_hands(dice, live, self.button, int(order), int(up))
        run_showdown(hands, self.key)
        self.cast = {seat: hands.cast[seat] for seat in self.seats}
        return [mw.rank(hands, seat) for seat in range(self.n)]

    def pay(self, net: list[int]) -> None:
        """What was won and lost; and what a man caught paid the warden to look away."""
        for seat in self.seats:
            self.man(seat).gold += net[seat]
            self.man(seat).games_net += net[seat]
        if self.cell["bribe"]:
            caught = self.man(self.cell["hand"])
            days = self.model.scenario.bribes.bribe_days
            assert self.cell["bribe"] == int(days * caught.wage) < caught.gold
            assert self.cell["sentence"] == OUT
            caught.gold -= self.cell["bribe"]


def bits(dice: set[tuple[int, int]]) -> int:
    return sum(1 << (3 * seat + die) for seat, die in dice)


def check_game(model: TavernModel, cell: Cell, people: dict[int, Any], n_seats: int) -> None:
    """A recorded game against the plain one; purses move on."""
    plain = PlainGame(model, cell, people, n_seats)
    net = plain.play()
    facts = cell["facts"]
    assert facts[FAILED_BEFORE] == sum(1 << seat for seat in plain.failed_before)
    assert (facts[TRIED], facts[FAILED]) == (bits(plain.tried), bits(plain.failed))
    assert facts[ODD_ONES] == bits(plain.odd)
    for seat in plain.seats:
        hand, status = divmod(facts[HANDS + seat], 4)
        hand, spell = divmod(hand, 16)
        assert status == plain.chips.status[seat]
        assert hand == minds.hand_key(*plain.hands[seat])
        assert plain.caught is not None or spell == plain.cast.get(seat, mw.NO_SPELL)
    for (seat, die), natural in plain.naturals.items():
        assert facts[NATURALS + die] >> 5 * seat & 31 == natural
    assert cell["pool"] == plain.pool
    assert cell["winner_net"] == max(0, *net)
    if plain.caught is not None:
        assert (cell["hand"], cell["sentence"] > 0) == (plain.caught, True)
    plain.pay(net)


@pytest.fixture(scope="module", params=HOUSES)
def watched(request: pytest.FixtureRequest) -> tuple[Watched, list[Any]]:
    """Four nights in each kind of house, without accusations and drink."""
    config = town(HOUSES[request.param], **LIVELY, **QUIET, **OF_ALL_SORTS)
    model = Watched("rusty-flagon", rng=5, **config)
    return model, list(model.watch(4))


def test_every_game_is_the_one_the_rules_tell(watched: tuple[Watched, list[Any]]) -> None:
    model, sittings = watched
    n_games = n_tried = 0
    for before, games, after in sittings:
        people = {
            row: SimpleNamespace(**dict(zip(before.dtype.names, values, strict=True)))
            for row, values in enumerate(before.tolist())
        }
        killed = set()
        for cell in games:
            check_game(model, cell, people, 6)
            n_games += 1
            n_tried += cell["facts"][TRIED].bit_count()
            if cell["estate"]:
                killed.add(cell["rows"][cell["hand"]])
        for row, man in people.items():
            assert row in killed or after[row].gold == man.gold
            assert after[row].failed == man.failed
    assert n_games > 100
    (room,) = model.scenario.taverns[0].tables
    is_watched = room.options.get("referee", True)
    assert (n_tried > 0) == (not is_watched)
    assert is_watched or model.nights[["bribes", "ran"]].sum().gt(0).all()


def test_the_button_goes_round(watched: tuple[Watched, list[Any]]) -> None:
    for _, games, _ in watched[1]:
        for one, following in pairwise(games):
            if one["table"] != following["table"]:
                continue
            seated = [s for s in range(6) if following["seated"] >> s & 1]
            button = one["facts"][BUTTON]
            expected = min(seated, key=lambda seat: (seat - button - 1) % 6)
            assert following["facts"][BUTTON] == expected
            assert following["round"] == one["round"] + 1


def test_first_night_beliefs_are_the_sum_of_what_was_seen() -> None:
    """Everybody begins with the prior; each game he follows adds what the throws prove."""
    settings = town({"referee": False}, **LIVELY, **QUIET)
    model = Watched(DICE_ALONE, rng=8, **settings)
    sittings = list(model.watch(1))
    own = table_of_wands.make_own([], model.scenario)
    expected: dict[tuple[int, int], float] = {}
    settled = set()
    for before, games, _ in sittings:
        for cell in games:
            facts, net = cell["facts"], {}
            people = {
                row: SimpleNamespace(**dict(zip(before.dtype.names, values, strict=True)))
                for row, values in enumerate(before.tolist())
            }
            net = replayed(model, games, cell, people)
            seated = [s for s in range(6) if cell["seated"] >> s & 1]
            caught = cell["hand"] if cell["sentence"] else None
            for seat in seated:
                if not cell["followed"] >> seat & 1:
                    continue
                for other in seated if caught is None else [caught]:
                    pair = (cell["rows"][seat], cell["rows"][other])
                    if seat == other:
                        continue
                    belief = expected.setdefault(pair, model.ways.prior)
                    if caught is not None:
                        settled.add(pair)
                        expected[pair] = 6.0
                        continue
                    shift = proof(own, facts, cell, other)
                    if shift > 0 and net[seat] < 0:
                        shift *= 1 + model.ways.sore_loser * before[pair[0]].soreness
                    if pair not in settled:
                        expected[pair] = max(-6.0, min(6.0, belief + shift))
    found = model.suspicion.columns
    pairs = zip(found["observer_id"] - 1, found["subject_id"] - 1, strict=True)
    log_odds = dict(zip(((int(a), int(b)) for a, b in pairs), found["log_odds"], strict=True))
    assert log_odds.keys() == expected.keys()
    assert len(expected) > 50
    for pair, belief in expected.items():
        assert log_odds[pair] == pytest.approx(belief, abs=1e-4)


def replayed(
    model: TavernModel, games: list[Cell], until: Cell, people: dict[int, Any]
) -> list[int]:
    """What each seat won in a game; all the games before it are played, too."""
    for cell in games:
        plain = PlainGame(model, cell, people, 6)
        net = plain.play()
        if cell is until:
            return net
        plain.pay(net)
    raise AssertionError


def proof(own: Any, facts: list[int], cell: Cell, seat: int) -> float:
    """What the throws of a seat prove, by what is recorded of its hand."""
    hand = facts[HANDS + seat] // 64
    faces = (hand // 63, hand // 9 % 7, hand % 9)
    shift = 0.0
    for die, face in enumerate(faces):
        if facts[ODD_ONES] >> (3 * seat + die) & 1:
            shift += own.odd[0, die]
        elif face:
            shift += own.plain[0, die]
    return shift


# ---------------------------------------------------------------- what throws prove


def test_what_throws_prove_adds_up() -> None:
    """On average an honest man's likelihood ratio is 1, whatever the die."""
    model = TavernModel(DICE_ALONE, rng=1, patrons=10)
    own = table_of_wands.make_own([], model.scenario)
    alarm = model.scenario.suspicion.false_alarm
    for die in range(3):
        odd, plain = math.exp(own.odd[0, die]), math.exp(own.plain[0, die])
        assert alarm * odd + (1 - alarm) * plain == pytest.approx(1.0, abs=1e-12)


def test_a_worked_proof() -> None:
    """DC 19 against +6: fails on 1 to 12. A cheat tries at a quarter of the d4s not yet best."""
    model = TavernModel(DICE_ALONE, rng=1, patrons=10)
    suspicion = model.scenario.suspicion
    assert (suspicion.assumed_tau, suspicion.assumed_thievery) == (0.25, 6)
    assert model.scenario.taverns[0].thievery_dc == 19
    seen = Fraction(1, 4) * Fraction(3, 4) * Fraction(12, 20)
    alarm = Fraction(str(suspicion.false_alarm))
    own = table_of_wands.make_own([], model.scenario)
    assert own.odd[0, 0] == pytest.approx(math.log((seen + (1 - seen) * alarm) / alarm))
    assert own.plain[0, 0] == pytest.approx(math.log(1 - seen))


def test_options_stand_where_the_table_looks_for_them() -> None:
    names = [option.name for option in mw.OPTIONS]
    at = (
        magic_wand_game.LIMIT,
        magic_wand_game.MAX_RAISES,
        magic_wand_game.REFEREE,
        magic_wand_game.ORDER_MATTERS,
        magic_wand_game.HALVE_UP,
    )
    expected = ["limit", "max_raises", "referee", "order_matters", "halve_up"]
    assert [names[i] for i in at] == expected
    limit = mw.OPTIONS[magic_wand_game.LIMIT].kind
    assert limit.words == ("fixed", "pot", "no")  # type: ignore[attr-defined]
    assert (bt.FIXED, bt.POT, bt.NO_LIMIT) == (0, 1, 2)


# ---------------------------------------------------------------- the evening


@settings(max_examples=12)
@given(
    seeds,
    st.sampled_from(list(HOUSES.values())),
    st.integers(4, 12),
    st.integers(0, 1),
    st.sampled_from([0, 500, 10_000]),
    st.sampled_from(["auto", 1, 50, 10_000]),
    st.integers(3, 60),
)
def test_no_coin_is_made_or_lost(
    seed: int,
    options: dict[str, Any],
    seats: int,
    n_others: int,
    rake_bp: int,
    stake: Any,
    patrons: int,
) -> None:
    """The ledger stops a run whose books do not balance."""
    config = town(options, *["rotting-toes"][:n_others], seats=seats)
    config["taverns.0.tables"][0]["stake"] = stake
    model = TavernModel(
        "rusty-flagon", rng=seed, patrons=patrons, **config, **{"taverns.0.rake_bp": rake_bp}
    )
    model.run_for(3)
    assert model.people.gold.min() >= 0
    flows = sum((model.ledger.blank(),))
    assert flows.shape[1] == len(FLOWS)


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_do_not_matter(threads: int) -> None:
    config = town({"referee": False}, "rotting-toes", patrons=80)
    one = TavernModel(DICE_ALONE, rng=3, **config)
    many = TavernModel(DICE_ALONE, rng=3, threads=threads, **config)
    for model in (one, many):
        model.run_for(5)
    assert one.digest() == many.digest()


SHORT = """
from tavern_abm import TavernModel
from tavern_abm.results import rounds_table
rooms = [{"game": "magic-wand", "seats": 5, "count": "auto", "options": OPTIONS}]
model = TavernModel("rusty-flagon", rng=7, patrons=16, **{"taverns.0.tables": rooms})
model.run_for(3)
print(model.digest())
"""


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="Numba is switched off")
@pytest.mark.parametrize("options", [HOUSES["unwatched"], HOUSES["no limit"]])
def test_compiled_and_uncompiled_are_the_same(options: dict[str, Any]) -> None:
    model = TavernModel("rusty-flagon", rng=7, patrons=16, **town(options, seats=5))
    model.run_for(3)
    done = subprocess.run(
        [sys.executable, "-c", SHORT.replace("OPTIONS", repr(options))],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert done.stdout.strip() == model.digest()


@pytest.mark.parametrize(
    ("patrons", "stake"), [(3, "auto"), (60, 10**9)], ids=["too few", "too dear"]
)
def test_a_table_that_nobody_can_fill_is_not_opened(patrons: int, stake: Any) -> None:
    config = town({}, patrons=patrons)
    config["taverns.0.tables"][0]["stake"] = stake
    model = TavernModel(DICE_ALONE, rng=2, **config)
    model.run_for(2)
    assert model.nights.games.sum() == 0
    events = model.events
    idle = events[events.kind == "not_opened"]
    assert len(idle) == 2
    assert idle.text.str.contains("Magic wand was not played tonight: ").all()


def test_stakes_rake_and_payouts_are_booked() -> None:
    config = town({"limit": "pot"}, **{"taverns.0.rake_bp": 1000, "taverns.0.mugs_mean": 0.0})
    model = TavernModel(DICE_ALONE, rng=4, patrons=60, **config)
    model.run_for(4)
    nights = model.nights
    assert (nights.rake_cp > 0).all()
    assert (nights.rake_cp <= nights.changed_hands_cp // 10).all()
    assert (nights.changed_hands_cp < nights.staked_cp).all()
    assert (STAKE, PAYOUT, RAKE) == (4, 5, 6)
    assert set(COUNTS) >= {"staked_cp", "rake_cp", "changed_hands_cp"}


# ---------------------------------------------------------------- decisions of a user's own


def always(patron: Any, stake: int, restraint: float, night: int, minds: Any, u: float) -> bool:
    return True


def never_folds(
    patron: Any, chance: float, spot: Any, bold: float, bluff: float, minds: Any, u: float
) -> int:
    return 1


CHEATS = Policy(wand_cheat=always, wand_bet=never_folds)


def nonsense(
    patron: Any, chance: float, spot: Any, bold: float, bluff: float, minds: Any, u: float
) -> int:
    return 77


def test_who_always_succeeds_shows_what_he_likes_best() -> None:
    """All cheat, all pass their checks: the d8s are 8 but where a spell is better."""
    config = town({"referee": False}, **QUIET, **{"taverns.0.thievery_dc": 1})
    model = Watched("rusty-flagon", rng=6, patrons=20, policy=CHEATS, **config)
    for _, games, _ in model.watch(1):
        for cell in games:
            for seat in range(6):
                hand = cell["facts"][HANDS + seat] // 64
                if cell["seated"] >> seat & 1:
                    assert hand // 63 == 4
                    assert hand % 9 == 8 or mw.combination(hand // 63, hand // 9 % 7, hand % 9)
    assert model.nights.tricks_tried.sum() > 0
    assert model.nights.tricks_noticed.sum() == 0


def test_who_always_fails_is_out_at_his_second_try() -> None:
    config = town({"referee": False}, **QUIET, **{"taverns.0.thievery_dc": 60})
    model = TavernModel(DICE_ALONE, rng=6, patrons=20, policy=CHEATS, **config)
    model.run_for(1)
    (night,) = model.nights.itertuples()
    assert night.tricks_noticed == night.tricks_tried
    assert night.tricks_convicted > 0
    assert model.people.failed.max() <= 2
    events = model.events
    assert (events.kind == "caught").sum() == night.tricks_convicted


@pytest.mark.slow
def test_whatever_a_strange_policy_says_is_a_fold() -> None:
    """All fold in turn; the last one in takes the antes."""
    model = Watched(
        "rusty-flagon", rng=6, patrons=40, policy=Policy(wand_bet=nonsense), **town({}, **QUIET)
    )
    n_games = 0
    for _, games, _ in model.watch(2):
        for cell in games:
            n_seats = cell["seated"].bit_count()
            assert cell["pool"] == cell["winner_net"] == (n_seats - 1) * cell["stake"]
            assert cell["winner"] != NO_SEAT
            n_games += 1
    assert n_games > 0


def test_a_referee_sees_to_it_that_nobody_cheats() -> None:
    config = town({}, **LIVELY)
    model = TavernModel(DICE_ALONE, rng=9, policy=CHEATS, **config)
    model.run_for(3)
    assert model.nights.tricks_tried.sum() == 0
    assert len(model.suspicion.columns["belief"]) == 0


# ---------------------------------------------------------------- the tales


@pytest.fixture(scope="module")
def lively() -> Watched:
    model = Watched("rusty-flagon", rng=12, **town({"referee": False}, **LIVELY))
    list(model.watch(6))
    return model


def test_every_try_is_told_with_its_check(lively: Watched) -> None:
    events, nights = lively.events, lively.nights
    tries = events[events.kind.isin(["trick", "failed_trick"])]
    assert len(tries) == nights.tricks_tried.sum()
    assert (events.kind == "failed_trick").sum() == nights.tricks_noticed.sum()
    for event in tries.itertuples():
        thievery = int(lively.people[event.patron_id - 1].thievery)
        assert (event.natural + thievery >= event.dc) == (event.kind == "trick")
        assert event.dc in (19, 21)


def test_tales_can_be_read_aloud(lively: Watched) -> None:
    events = lively.events
    assert {"odd_throw", "big_win", "spell", "accused"} <= set(events.kind)
    for text in events.text:
        assert not set("{}[]") & set(text)
        assert text.endswith(".")
    big = events[events.kind == "big_win"]
    assert (big.amount_cp > 0).all()
    assert set(table_of_wands.KINDS) == {"spell"}


def test_spells_are_told_where_a_large_win_is(lively: Watched) -> None:
    cells = kept_games(lively)
    spells = [
        cell["facts"][HANDS + seat] >> 2 & 15
        for cell in cells
        if cell["notable"] & BIG_WIN
        for seat in range(6)
    ]
    told = lively.events[lively.events.kind == "spell"]
    assert len(told) == sum(spell != mw.NO_SPELL for spell in spells)


def test_a_win_worth_telling_is_twenty_stakes_and_a_tenth_of_the_purse(lively: Watched) -> None:
    cells = kept_games(lively)
    for cell in cells:
        if cell["winner_net"] < 20 * cell["stake"]:
            assert not cell["notable"] & BIG_WIN
    assert np.mean([bool(cell["notable"] & BIG_WIN) for cell in cells]) < 0.3
