"""The arm-wrestling corner of an evening, against a second and plain reading of the rules."""

from __future__ import annotations

from math import exp
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavern_abm import Scenario, TavernModel, chance
from tavern_abm.asking import RefusedError, read_options
from tavern_abm.games import arm_wrestling as aw
from tavern_abm.games.contests import NO_BET
from tavern_abm.patrons.decisions import Policy
from tavern_abm.patrons.decisions.arm_wrestling import backs_wrestler, nerve, wrestles
from tavern_abm.tables import arm_wrestling as corner
from tavern_abm.tables import arm_wrestling_events as events
from tavern_abm.tables.accounts import PAYOUT, RAKE, STAKE
from tavern_abm.tables.record import BIG_WIN, BROKE, COUNTS, DECIDED, HURT
from tests.strategies import seeds
from tests.tables.plain_sitting import HOME, PlainSitting, PlainTable, Row, Watched, WatchedModel
from tests.uncompiled import with_and_without_numba

TABLE = {"game": "arm-wrestling", "seats": 6, "count": "auto"}
HOUSES: dict[str, dict[str, Any]] = {
    "plain": {"options": {}, "rake": 0},
    "spikes": {"options": {"surface": "spikes", "injury_weighs": True}, "rake": 500},
    "flames, off hand": {"options": {"surface": "flames", "hand": "off"}, "rake": 1000},
    "minds": {"options": {"style": "mental", "mental_damage": True}, "rake": 333},
    "short and rested": {"options": {"target": 7, "rest": True}, "rake": 10_000},
    "long": {"options": {"target": 60}, "rake": 0, "stake": 20},
}
type Played = tuple[WatchedModel, list[Watched]]


def town(house: str, **more: Any) -> Scenario:
    how = HOUSES[house]
    table = TABLE | {"options": how["options"], "stake": how.get("stake", "auto")}
    changes = {"patrons": 50, "taverns.0.tables": [table], "taverns.0.rake_bp": how["rake"]}
    return Scenario().with_settings(changes | more)


def after(nights: int, scenario: Scenario, **how: Any) -> TavernModel:
    model = TavernModel(scenario, rng=5, **how)
    model.run_for(nights)
    return model


@pytest.fixture(scope="module", params=HOUSES)
def played(request: pytest.FixtureRequest) -> Played:
    """Six nights in a house of each kind, watched sitting by sitting."""
    model = WatchedModel(town(request.param), rng=23)
    return model, model.watch(6)


# ---------------------------------------------------------------- a plain reading


class PlainEvening(PlainSitting):
    """A sitting at arm-wrestling tables."""

    def __init__(self, model: TavernModel, watched: Watched) -> None:
        super().__init__(model, watched)
        self.sheets = model.sheet

    def play(self) -> None:
        self.drink()
        for number, company in enumerate(self.companies(0)):
            PlainCorner(self, 0, number, company).play()
        self.rounds.sort(key=lambda each: (each["round"], each["table"]))


class PlainCorner(PlainTable):
    """A table of it."""

    sitting: PlainEvening

    def play(self) -> None:
        (room,) = self.house.tables
        self.options = read_options(aw.OPTIONS, room.options)
        self.holder = self.last = 0
        for seat, row in enumerate(self.seats):
            if row != HOME and self.people[row].gold < self.stake:
                self.seats[seat] = HOME
            elif row != HOME:
                self.people[row].table = self.number
        self.counts["games"] += self.n_here() >= 2
        for at in range(self.sitting.when.n_rounds):
            if self.n_here() >= 2:
                self.play_round(self.sitting.when.first_round + at)

    def n_here(self) -> int:
        return sum(row != HOME for row in self.seats)

    def at(self, seat: int) -> Any:
        return self.people[self.seats[seat]]

    def sheet(self, seat: int) -> Any:
        return self.sitting.sheets[self.seats[seat]]

    def bonus(self, seat: int) -> int:
        is_mental = self.options["style"] == "mental"
        score = self.sheet(seat).intelligence if is_mental else self.sheet(seat).strength
        return int(score - 10) // 2

    def arm(self, seat: int) -> tuple[int, int, int]:
        """Modifier, free rounds, modifier to hold out."""
        guest, sheet = self.at(seat), self.sheet(seat)
        per_mug = self.scenario.minds.drink_penalty
        pull = self.bonus(seat) - per_mug * min(4, max(0, guest.drinks - 2)) - 2 * guest.weary
        if self.options["style"] == "mental":
            return pull, int(sheet.wisdom), int(sheet.wisdom - 10) // 2
        if self.options["hand"] == "off" and not sheet.feats & 8:
            pull -= 2
        if self.options["injury_weighs"] and guest.hurt_hand:
            pull -= 2
        con = int(sheet.constitution)
        return pull, con, (con - 10) // 2 + (4 if sheet.feats & 1 else 0)

    def does_hurt(self) -> bool:
        if self.options["style"] == "mental":
            return bool(self.options["mental_damage"])
        return bool(self.options["surface"] != "table")

    def wants(self, seat: int, other: int) -> bool:
        guest, sheet = self.at(seat), self.sheet(seat)
        bold = nerve(sheet.extraversion, sheet.emotionality, guest.wounds, self.does_hurt())
        edge = self.arm(seat)[0] - self.arm(other)[0]
        u = self.sitting.luck(self.seats[seat], chance.ENTER, self.slot(0))
        thrill = self.scenario.minds.thrill
        return wrestles(edge, self.stake, guest.gold, guest.rationality, thrill, bold, u)

    def play_round(self, round_: int) -> None:
        self.round = round_
        while self.seats[self.holder] == HOME:
            self.holder = (self.holder + 1) % len(self.seats)
        line = [seat for seat in [*self.clockwise(self.last), self.last] if seat != self.holder]
        line = [seat for seat in line if self.seats[seat] != HOME]
        willing = [s for s in line if self.wants(s, self.holder) and self.wants(self.holder, s)]
        if not willing:
            self.holder = self.clockwise(self.holder)[0]
            return
        self.bout(willing[0])

    def bout(self, rival: int) -> None:
        holder = self.holder
        a, b = self.arm(holder), self.arm(rival)
        told: Row = {
            "night": self.night,
            "round": self.round,
            "table": self.number,
            "rows": self.began,
            "hand": holder,
            "stake": self.stake,
            "seated": sum(1 << i for i, row in enumerate(self.seats) if row != HOME),
        }
        backed = self.bets(rival, a[0] - b[0])
        ended, lead, n_rounds, tired, damage_die = self.wrestle(a, b)
        net = self.settle_all(rival, backed, ended)
        told["pool"] = sum(-each for each in net.values() if each < 0)
        told["winner"] = max(net, key=lambda seat: (net[seat], -seat))
        told["winner_net"] = net[told["winner"]]
        if told["winner_net"] <= 0:
            told["winner"], told["winner_net"] = -1, 0
        if not self.options["rest"]:
            for seat, gave_out in zip((holder, rival), tired, strict=True):
                self.at(seat).weary |= gave_out
        winner, loser = (rival, holder) if ended == aw.B_WINS else (holder, rival)
        damage, home = 0, 0
        if ended != aw.DRAW and self.does_hurt():
            damage, home = self.hurt(winner, loser, damage_die)
        self.last, self.holder = rival, winner
        told["broke"] = 0
        for seat, row in enumerate(self.seats):
            if row != HOME and self.people[row].gold < self.stake:
                told["broke"] |= 1 << seat
                self.seats[seat] = HOME
        facts = [rival, a[0], b[0], n_rounds, lead, ended, tired[0] + 2 * tired[1], damage, home]
        told["facts"] = [*facts, len(backed)]
        is_upset = (a[0] - b[0]) * {aw.A_WINS: 1, aw.B_WINS: -1, aw.DRAW: 0}[ended] <= -3
        told["notable"] = HURT * (damage > 0) | BROKE * (told["broke"] > 0)
        told["notable"] |= DECIDED * (is_upset or ended == aw.DRAW)
        self.counts.update(rounds=1, contests=1, bets_cp=self.stake * len(backed))
        self.sitting.rounds.append(told)

    def bets(self, rival: int, edge: int) -> dict[int, int]:
        backed: dict[int, int] = {}
        for seat in self.clockwise(rival):
            if seat == self.holder:
                continue
            laid = list(backed.values())
            u = self.sitting.luck(self.seats[seat], chance.BACK, self.slot(0))
            mind = self.at(seat).rationality, self.scenario.minds.thrill
            on = backs_wrestler(edge, laid.count(0), laid.count(1), *mind, u)
            if on != NO_BET:
                backed[seat] = on
        return backed

    def wrestle(
        self, a: tuple[int, int, int], b: tuple[int, int, int]
    ) -> tuple[int, int, int, tuple[int, int], int]:
        key = chance.subkey(self.key, chance.TABLE, self.round)
        die = [chance.roll(key, chance.CONTEST, i, 20) for i in range(400)]
        lead = done = 0
        damage_die = chance.roll(key, chance.DAMAGE, 0, 4)
        while True:
            x = die[4 * done : 4 * done + 4]
            gave_out = tuple(
                int(done >= wind and natural + stamina < 10 + done - wind)
                for natural, (_, wind, stamina) in zip(x, (a, b), strict=False)
            )
            ahead = aw.A_WINS if lead > 0 else aw.B_WINS if lead < 0 else aw.DRAW
            if any(gave_out):
                ended = {(1, 1): ahead, (1, 0): aw.B_WINS, (0, 1): aw.A_WINS}[gave_out]
                return ended, lead, done, gave_out, damage_die
            lead, done = lead + x[2] + a[0] - x[3] - b[0], done + 1
            if abs(lead) >= self.options["target"]:
                return (aw.A_WINS if lead > 0 else aw.B_WINS), lead, done, (0, 0), damage_die

    def settle_all(self, rival: int, backed: dict[int, int], ended: int) -> dict[int, int]:
        """Stakes and the book; what each won less what he lost, by seat."""
        won = {aw.A_WINS: 0, aw.B_WINS: 1}.get(ended)
        net = dict.fromkeys([self.holder, rival, *backed], 0)
        house = 0
        if won is not None:
            pair = (self.holder, rival)
            fee = self.stake * self.house.rake_bp // 10_000
            net[pair[won]], net[pair[1 - won]] = self.stake - fee, -self.stake
            right = [seat for seat, on in backed.items() if on == won]
            lost = self.stake * (len(backed) - len(right))
            if right:
                share = (lost - lost * self.house.rake_bp // 10_000) // len(right)
                net |= {seat: share if on == won else -self.stake for seat, on in backed.items()}
            house = -sum(net.values())
        for seat, each in net.items():
            self.at(seat).gold += each
            self.at(seat).games_net += each
        staked = self.stake * len(net)
        lost = sum(-each for each in net.values() if each < 0)
        self.counts.update(staked_cp=staked, rake_cp=house, changed_hands_cp=lost)
        return net

    def hurt(self, winner: int, loser: int, die: int) -> tuple[int, int]:
        guest, sheet = self.at(loser), self.sheet(loser)
        damage = die + max(0, self.bonus(winner))
        guest.wounds += damage
        if self.options["style"] != "mental":
            guest.hurt_hand = 1
        self.counts["hurt"] += 1
        if guest.wounds < sheet.constitution:
            return damage, 0
        nights = -(-(guest.wounds - int(sheet.constitution) + 1) // int(sheet.level))
        guest.bruised_until = max(guest.bruised_until, self.night + nights)
        guest.tavern = self.seats[loser] = HOME
        return damage, 1


def test_the_whole_evening_is_the_one_the_rules_tell(played: Played) -> None:
    model, sittings = played
    n_rounds = 0
    for sitting in sittings:
        plain = PlainEvening(model, sitting)
        plain.play()
        assert len(plain.rounds) == len(sitting.rounds)
        for expected, cell in zip(plain.rounds, sitting.rounds, strict=True):
            found = cell | {"facts": list(cell["facts"][: events.N_FACTS])}
            found["notable"] &= ~BIG_WIN
            assert {name: found[name] for name in expected} == expected
            n_rounds += 1
        for row, guest in plain.people.items():
            assert vars(sitting.after.people[row]) == vars(guest), row
        (counts,) = sitting.counts
        assert {name: int(n) for name, n in zip(COUNTS, counts, strict=True) if n} == {
            name: int(n) for name, n in plain.counts[0].items() if n
        }
    assert n_rounds > 100


def test_something_of_everything_happened(played: Played) -> None:
    """Or the comparison would say little."""
    model, sittings = played
    options = model.scenario.taverns[0].tables[0].options
    cells = [cell for sitting in sittings for cell in sitting.rounds]
    facts = np.array([cell["facts"][: events.N_FACTS] for cell in cells])
    assert {aw.A_WINS, aw.B_WINS} <= set(facts[:, events.ENDED])
    assert facts[:, events.N_BETS].max() >= 3
    is_hurting = options.get("surface") or options.get("mental_damage")
    assert (facts[:, events.DAMAGE].max() > 0) == bool(is_hurting)
    assert (facts[:, events.GAVE_OUT] > 0).any()
    assert model.people.weary.any() == (not options.get("rest"))
    assert len({cell["hand"] for cell in cells}) > 2


def test_coins_change_hands_among_the_table_and_the_house(played: Played) -> None:
    model, sittings = played
    for sitting in sittings:
        by_flow = sitting.flows.sum(axis=(0, 2))
        assert by_flow[STAKE] == by_flow[PAYOUT] + by_flow[RAKE]
    net = model.people.games_net.sum()
    assert net == -sum(sitting.flows[:, RAKE].sum() for sitting in sittings)
    assert model.people.gold.min() >= 0


def test_the_stronger_win_as_often_as_the_exact_odds_say(played: Played) -> None:
    """Summed over many bouts: each had its own chance."""
    model, sittings = played
    options = read_options(aw.OPTIONS, model.scenario.taverns[0].tables[0].options)
    is_mental = options["style"] == "mental"
    expected = variance = won = 0.0
    for cell in [cell for sitting in sittings for cell in sitting.rounds][:150]:
        facts = cell["facts"]
        rows = cell["rows"][cell["hand"]], cell["rows"][facts[events.RIVAL]]
        arms = []
        for row, pull in zip(rows, (facts[events.PULL], facts[events.RIVAL_PULL]), strict=True):
            sheet = model.sheet[row]
            con = sheet.wisdom if is_mental else sheet.constitution
            arms.append(aw.arm(pull, int(con), int(not is_mental and sheet.feats & 1)))
        prob = chance_of_a(*arms, options["target"])
        expected += prob
        variance += prob * (1 - prob)
        won += facts[events.ENDED] == aw.A_WINS
    assert won == pytest.approx(expected, abs=4 * variance**0.5)


CACHE: dict[Any, float] = {}


def chance_of_a(a: aw.Arm, b: aw.Arm, target: int) -> float:
    edge = a.pull - b.pull, a[1:], b[1:], target
    if edge not in CACHE:
        CACHE[edge] = float(aw.exact_odds(a, b, target).a_wins)
    return CACHE[edge]


# ---------------------------------------------------------------- what is told


def test_hurts_upsets_and_empty_purses_are_told() -> None:
    model = after(8, town("spikes", patrons=80))
    told = model.events
    assert {"bout", "hurt_hand"} <= set(told.kind)
    hurt = told[told.kind == "hurt_hand"]
    assert hurt.text.str.contains("The nails went into").all()
    assert model.nights.hurt.sum() == len(hurt)
    bouts = told[told.kind == "bout"]
    assert (bouts.patron_id > 0).all()
    assert (bouts.other_id > 0).all()


def test_every_wording_can_be_told(played: Played) -> None:
    model, _ = played
    texts = model.events.text
    assert not texts.str.contains("[{}]").any()
    assert texts.str.endswith((".", "!")).all()


def test_a_bout_on_a_bare_table_is_told_only_if_it_is_an_upset_or_a_draw() -> None:
    model = after(40, town("plain", patrons=80))
    told = model.events[model.events.kind.isin(["bout", "drawn_bout"])]
    assert set(told.kind) == {"bout", "drawn_bout"}
    assert len(told) < model.nights.contests.sum() / 20


# ---------------------------------------------------------------- wounds and weariness


def test_wounds_and_a_hurt_hand_last_until_they_heal() -> None:
    model = after(5, town("spikes", patrons=80))
    people = model.people
    assert people.hurt_hand.any()
    assert (people.wounds[people.hurt_hand == 1] > 0).all()
    assert not people.hurt_hand[people.wounds == 0].any()


def test_who_is_badly_hurt_stays_at_home() -> None:
    model = after(15, town("spikes", patrons=80))
    here = model.living()
    up = here[model.people.bruised_until[here] < 15]
    assert model.events.text.str.contains("went home to lie up").any()
    assert not (model.people.wounds[up] >= model.sheet.constitution[up]).any()


# ---------------------------------------------------------------- any town


@settings(max_examples=12)
@given(
    seeds,
    st.sampled_from(list(HOUSES)),
    st.integers(1, 40),
    st.integers(2, 12),
    st.sampled_from(["auto", 1, 50, 5000]),
    st.integers(0, 10_000),
    st.booleans(),
)
def test_books_balance_and_threads_do_not_matter(
    seed: int, house: str, patrons: int, seats: int, stake: int | str, rake_bp: int, beside: bool
) -> None:
    table = TABLE | {"options": HOUSES[house]["options"], "seats": seats, "stake": stake}
    tables = [table, {"game": "rotting-toes", "count": 1}] if beside else [table]
    changes = {"patrons": patrons, "taverns.0.tables": tables, "taverns.0.rake_bp": rake_bp}
    scenario = Scenario().with_settings(changes)
    one, two = (TavernModel(scenario, rng=seed, threads=n) for n in (1, 2))
    for model in (one, two):
        model.run_for(3)
        assert model.people.gold.min() >= 0
    assert one.digest() == two.digest()


def test_a_stake_nobody_can_cover_opens_no_table() -> None:
    table = TABLE | {"stake": 10**9}
    model = after(1, town("plain", **{"taverns.0.tables": [table]}))
    (text,) = model.events[model.events.kind == "not_opened"].text
    assert "Arm wrestling was not played tonight: nobody could cover a stake of" in text
    assert model.nights.games.sum() == 0


SHORT = """
from tavern_abm import Scenario, TavernModel
table = {"game": "arm-wrestling", "seats": 5, "options": {"surface": "flames"}}
scenario = Scenario().with_settings({"patrons": 16, "taverns.0.tables": [table]})
model = TavernModel(scenario, rng=7)
model.run_for(3)
print(model.digest())
"""


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="Numba is switched off")
def test_compiled_and_uncompiled_are_the_same() -> None:
    compiled, plain = with_and_without_numba(SHORT)
    assert compiled == plain != ""


# ---------------------------------------------------------------- decisions of one's own


def test_nobody_wrestles_where_nobody_wants_to() -> None:
    model = after(2, town("plain", **{"minds.thrill": -10.0}))
    assert model.nights.games.sum() > 0
    assert model.nights.contests.sum() == model.nights.staked_cp.sum() == 0


def test_everybody_willing_and_a_strange_bet_that_is_none() -> None:
    def always(edge, stake, purse, rationality, thrill, boldness, u):  # type: ignore[no-untyped-def]
        return stake <= purse

    def strange(edge, n_first, n_second, rationality, thrill, u):  # type: ignore[no-untyped-def]
        return 7

    policy = Policy(wrestles=always, backs_wrestler=strange)
    model = after(2, town("plain", **{"rounds_per_night": 6}), policy=policy)
    assert model.nights.contests.sum() == 6 * model.nights.games.sum() > 0
    assert model.nights.bets_cp.sum() == 0


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"style": "mage-hand"}, "for wizards and sorcerers, and no patron is one"),
        ({"style": "bigbys-hand"}, "for wizards and sorcerers, and no patron is one"),
        ({"style": "mental", "surface": "spikes"}, "no hand lies on the table in mental bouts"),
        ({"style": "mental", "injury_weighs": True}, "no hand lies on the table"),
        ({"mental_damage": True}, "minds are hurt in mental bouts of arm-wrestling alone"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(RefusedError, match=problem):
        corner.verify_options(read_options(aw.OPTIONS, options), None)


def test_the_options_are_numbered_as_the_game_lists_them() -> None:
    from tavern_abm.tables import arm_wrestling_bouts as bouts

    names = [option.name.upper() for option in aw.OPTIONS]
    assert [getattr(bouts, name) for name in names] == list(range(len(names)))


def test_nerve() -> None:
    assert nerve(0.0, 0.0, 0, 0) == 0.0
    assert nerve(1.0, 3.0, 0, 0) == 0.5
    assert nerve(0.0, -1.0, 0, 1) == 0.0
    assert exp(nerve(0.0, 0.0, 4, 0)) < 0.5
