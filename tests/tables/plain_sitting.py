"""A sitting of Rotting Toes told plainly: the house rules once more, with objects and dicts.

Given how people and beliefs stood as a sitting began, and the luck that is
keyed to who, when and what for, there is only one way it can go. So every
number of the kernel's can be held against a second reading of the rules,
which shares nothing with it but the draws.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import exp, log
from types import SimpleNamespace
from typing import Any

import numpy as np

from tavern_abm import TavernModel, chance
from tavern_abm.games import game_number
from tavern_abm.patrons.columns import FEATS
from tavern_abm.playing import Tonight
from tavern_abm.tables.seating import Sitting

HOME = -1
SENTENCES = ("warned", "out", "banned", "beaten", "killed")
DREAD = {"banned": 0.5, "beaten": 1.5, "killed": 4.0}
D20_VARIANCE = (20**2 - 1) / 12
LEAP = 4.75  # by which a walk of d20 steps overshoots an end, on average
STAKES = (100, 50, 20, 10, 5, 2, 1)
type Row = dict[str, Any]


def expit(x: float) -> float:
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


def clip(x: float, most: float) -> float:
    return max(-most, min(most, x))


@dataclass
class Belief:
    """What somebody holds of somebody else."""

    log_odds: float
    n_own: float
    moved: int
    settled: bool
    told: set[int] = field(default_factory=set)


@dataclass
class State:
    """People by row, and beliefs by who holds them and about whom."""

    people: dict[int, SimpleNamespace]
    beliefs: dict[tuple[int, int], Belief]

    @classmethod
    def of(cls, model: TavernModel) -> State:
        """How everything stands."""
        rows = model.people[: model.n_rows]
        names = rows.dtype.names
        people = {
            row: SimpleNamespace(row=row, **dict(zip(names, values, strict=True)))
            for row, values in enumerate(rows.tolist())
        }
        beliefs = {}
        for who, k in np.argwhere(model.beliefs.subject >= 0).tolist():
            held, told = model.beliefs.held[who, k], int(model.beliefs.told[who, k])
            beliefs[who, int(model.beliefs.subject[who, k])] = Belief(
                float(held["log_odds"]),
                float(held["n_own"]),
                int(held["moved"]),
                bool(held["settled"]),
                {bit for bit in range(63) if told >> bit & 1},
            )
        return cls(people, beliefs)


@dataclass
class Watched:
    """A sitting as the kernel played it."""

    when: Sitting
    guests: list[int]
    before: State
    after: State
    rounds: list[Row]
    counts: Any
    flows: Any


class WatchedModel(TavernModel):
    """Keeps every sitting; memories must have room for all, so that nobody is forgotten."""

    def watch(self, nights: int) -> list[Watched]:
        """Play these nights, the first ones."""
        self.watched: list[Watched] = []
        self.record.keep_all = True
        self._play, self.playing.play = self.playing.play, self._watch_sitting
        self.run_for(nights)
        per_sitting, n_sittings = self.scenario.rounds_per_sitting, self.watched[-1].when.sitting
        for one in kept_rounds(self):
            at = (one["night"] - 1) * n_sittings + (one["round"] - 1) // per_sitting
            self.watched[at].rounds.append(one)
        return self.watched

    def _watch_sitting(self, when: Sitting, tonight: Tonight) -> None:
        before = State.of(self)
        counts, flows = np.zeros_like(tonight.counts), np.zeros_like(tonight.flows)
        self._play(when, tonight._replace(counts=counts, flows=flows))
        tonight.counts[...] += counts
        tonight.flows[...] += flows
        rows = tonight.crowd.rows.tolist()
        self.watched.append(Watched(when, rows, before, State.of(self), [], counts, flows))


def kept_rounds(model: TavernModel) -> list[Row]:
    """Every round kept, as plain values, by night, round, tavern and table."""
    kept = model.record.rounds()
    assert kept
    rounds = [
        dict(zip(cells.dtype.names, cell, strict=True))
        for cells in kept
        for cell in cells[cells["game"] != game_number("chase")].tolist()
    ]
    for one in rounds:
        (room,) = model.scenario.taverns[one["tavern"]].tables
        for each in ("rows", "beliefs"):
            one[each] = [int(of_seat) for of_seat in one[each][: room.seats]]
    return sorted(rounds, key=lambda one: [one[k] for k in ("night", "round", "tavern", "table")])


class PlainSitting:
    """Plays a sitting from how things stood before it.

    Attributes
    ----------
    rounds : list of dict
        Those played, with the columns of the record.
    counts : list of Counter
        By tavern.
    """

    def __init__(self, model: TavernModel, watched: Watched) -> None:
        self.scenario = model.scenario
        self.customs = model.data.customs
        self.when, self.guests = watched.when, watched.guests
        self.people, self.beliefs = watched.before.people, watched.before.beliefs
        self.sheet = model.sheet
        self.prior = log(1 / (1 / self.scenario.population.share_of_cheats - 1))
        self.ways = model.ways  # of which only the tables of likelihoods are read
        self.night = watched.when.night
        self.night_key = chance.subkey(model.run_key, chance.NIGHT, self.night)
        self.rounds: list[Row] = []
        self.counts: list[Counter[str]] = [Counter() for _ in self.scenario.taverns]

    def luck(self, row: int, purpose: int, index: int) -> float:
        key = chance.subkey(self.night_key, chance.PATRON, row + 1)
        return chance.unit(key, purpose, index)

    def play(self) -> None:
        self.drink()
        for tavern in range(len(self.scenario.taverns)):
            for number, company in enumerate(self.companies(tavern)):
                PlainTable(self, tavern, number, company).play()
        self.rounds.sort(key=lambda each: (each["round"], each["tavern"], each["table"]))

    def drink(self) -> None:
        sittings = -(-self.scenario.rounds_per_night // self.scenario.rounds_per_sitting)
        for row in self.guests:
            guest = self.people[row]
            if guest.tavern == HOME:
                continue
            house = self.scenario.taverns[guest.tavern]
            mean = house.mugs_mean / sittings * guest.thirst
            u = self.luck(row, chance.MUGS, self.when.sitting)
            wanted, total = 0, exp(-mean)
            term = total
            while u >= total and wanted < 60:
                wanted += 1
                term *= mean / wanted
                total += term
            morning = guest.gold + house.mug_cp * guest.drinks
            more = 0
            while more < wanted and 10 * house.mug_cp * (guest.drinks + more + 1) <= morning:
                more += 1
            guest.drinks += more
            guest.drinks_cp += more * house.mug_cp
            guest.gold -= more * house.mug_cp
            self.counts[guest.tavern]["mugs"] += more
            self.counts[guest.tavern]["drinks_cp"] += more * house.mug_cp

    def companies(self, tavern: int) -> list[list[int]]:
        """Who sits at which table, each in the order of seats."""
        (room,) = self.scenario.taverns[tavern].tables
        least = 1 if room.stake == "auto" else room.stake
        here = [self.people[row] for row in self.guests if self.people[row].tavern == tavern]
        able = [guest for guest in here if guest.gold >= least]
        lot = {
            guest.row: chance.draw(
                chance.subkey(self.night_key, chance.PATRON, guest.row + 1),
                chance.SEATING,
                self.when.sitting,
            )
            for guest in able
        }
        n = len(able)
        n_tables = -(-n // room.seats)
        if room.count != "auto" and room.count < n_tables:
            n_tables = room.count
            able = sorted(able, key=lambda guest: lot[guest.row])[: n_tables * room.seats]
            n = len(able)
        if n < 2:
            return []
        able.sort(key=lambda guest: (-guest.gold, lot[guest.row]))
        tables: list[list[int]] = [[] for _ in range(n_tables)]
        for rank, guest in enumerate(able):
            tables[rank * n_tables // n].append(guest.row)
            guest.sitting = self.when.sitting
            guest.sittings += 1
        return [sorted(company, key=lot.__getitem__) for company in tables]

    # ------------------------------------------------------------- beliefs

    def now(self, who: int, about: int) -> float:
        """A log-odds as it stands tonight."""
        belief = self.beliefs.get((who, about))
        if belief is None:
            return self.prior
        ways = self.scenario.suspicion
        factor = ways.settled_fading if belief.settled else ways.fading
        left = factor ** (self.night - belief.moved)
        return self.prior + (belief.log_odds - self.prior) * left

    def belief(self, who: int, about: int) -> Belief:
        """A belief, faded to tonight; made if there is none."""
        if (who, about) not in self.beliefs:
            self.beliefs[who, about] = Belief(self.prior, 0.0, self.night, False)
        belief = self.beliefs[who, about]
        belief.log_odds = self.now(who, about)
        belief.n_own *= self.scenario.suspicion.fading ** (self.night - belief.moved)
        belief.moved = self.night
        return belief

    def hear(self, who: int, about: int, teller: int, told: float) -> None:
        belief, ways = self.belief(who, about), self.scenario.suspicion
        if belief.settled or (ways.teller_memory and teller % 63 in belief.told):
            return
        distrust = expit(self.now(who, teller))
        told = clip(told, 4.5)
        mine = belief.log_odds
        if not (abs(mine) > 4.5 and mine * told > 0):
            weight = ways.hearsay * (1 - distrust) * 8 / (8 + belief.n_own)
            belief.log_odds = mine + weight * (told - mine)
        if ways.teller_memory:
            belief.told.add(teller % 63)


class PlainTable:
    """A table of the sitting."""

    def __init__(self, sitting: PlainSitting, tavern: int, number: int, company: list[int]) -> None:
        self.sitting, self.people = sitting, sitting.people
        self.scenario, self.night = sitting.scenario, sitting.night
        self.house = sitting.scenario.taverns[tavern]
        self.custom = sitting.customs[self.house.custom]
        self.tavern, self.number = tavern, number
        self.counts = sitting.counts[tavern]
        (room,) = self.house.tables
        self.began = company + [HOME] * (room.seats - len(company))
        self.seats = list(self.began)
        key = chance.subkey(sitting.night_key, chance.TAVERN, tavern + 1)
        self.key = chance.subkey(key, chance.TABLE, number)
        self.stake = room.stake if room.stake != "auto" else self.agreed_stake(company)
        self.turn = 0

    def agreed_stake(self, company: list[int]) -> int:
        purses = sorted(self.people[row].gold for row in company)
        median = purses[(len(purses) - 1) // 2]
        return next((stake for stake in STAKES if stake <= 0.02 * median), 1)

    def clockwise(self, seat: int) -> list[int]:
        """Seats taken by others, from the one left of `seat`."""
        n = len(self.seats)
        around = [(seat + step) % n for step in range(1, n)]
        return [each for each in around if self.seats[each] != HOME]

    def others(self, seat: int) -> list[int]:
        """Seats taken by others, from the first."""
        return [i for i, row in enumerate(self.seats) if row != HOME and i != seat]

    def play(self) -> None:
        for seat, row in enumerate(self.seats):
            if row == HOME:
                continue
            guest = self.people[row]
            if guest.gold < self.stake:
                self.seats[seat] = HOME
            elif guest.table != self.number:
                guest.table, guest.filter = self.number, 0.0
        self.counts["games"] += sum(row != HOME for row in self.seats) >= 2
        self.moods = {row: self.mood(self.people[row]) for row in self.seats if row != HOME}
        for at in range(self.sitting.when.n_rounds):
            if sum(row != HOME for row in self.seats) < 2:
                return
            self.play_round(self.sitting.when.first_round + at)

    def mood(self, guest: SimpleNamespace) -> float:
        """What a bet is worth to him: more, or less, once he is down by a tenth of his purse."""
        lost = guest.net_before - guest.games_net
        is_chasing = lost > 0 and lost >= 0.1 * (guest.gold + lost)
        return guest.thrill + (guest.chasing if is_chasing else 0.0)

    def slot(self, index: int) -> int:
        return 64 * self.round + index

    def play_round(self, round_: int) -> None:
        self.round = round_
        n = len(self.seats)
        while self.seats[self.turn] == HOME:
            self.turn = (self.turn + 1) % n
        self.hand_seat = self.turn
        self.hand = self.people[self.seats[self.hand_seat]]
        self.told: Row = {
            "round": round_,
            "tavern": self.tavern,
            "table": self.number,
            "rows": self.began,
            "night": self.night,
            "hand": self.hand_seat,
            "stake": self.stake,
            "failed_before": self.hand.failed,
            "modifier": self.pressure(0) if self.hand.is_cheat and self.is_moved() else 0.0,
            "seated": sum(1 << i for i, row in enumerate(self.seats) if row != HOME),
            "accuser": -1,
            **dict.fromkeys(("verdict", "n_judges", "n_guilty", "sentence", "nights"), 0),
            **dict.fromkeys(("repaid", "estate", "brawl", "lucky_nights"), 0),
            **dict.fromkeys(("bribe", "ran"), 0),
            "pursuer": -1,
        }
        lucky = self.custom.lucky_wins
        self.counts["too_lucky_chances"] += lucky > 0 and self.hand.streak + 1 == lucky
        self.bets = self.place_bets()
        self.make_up_his_mind()
        self.throw()
        self.settle()
        self.notice()
        self.told["is_cheat"] = self.is_just()
        self.judge()
        self.tally()
        self.learn()
        broke = [
            i
            for i, row in enumerate(self.seats)
            if row != HOME and self.people[row].gold < self.stake
        ]
        for seat in broke:
            self.seats[seat] = HOME
        self.told["broke"] = sum(1 << seat for seat in broke)
        self.told["beliefs"] = [self.believed(seat) for seat in range(n)]
        self.counts["rounds"] += 1
        self.sitting.rounds.append(self.told)
        self.turn = (self.hand_seat + 1) % n

    def believed(self, seat: int) -> float:
        """In 1/10,000: what a seat makes of one accused or caught; -1 where that is nothing."""
        pair = (self.began[seat], self.hand.row)
        is_tried = self.told["accuser"] >= 0 or self.ended == "void"
        if not is_tried or not self.told["seated"] >> seat & 1 or pair not in self.sitting.beliefs:
            return -1
        return 10_000 * expit(self.sitting.now(*pair))

    # ------------------------------------------------------------- bets and dice

    def place_bets(self) -> dict[int, str]:
        minds, bets = self.scenario.minds, {}
        placed: Counter[str] = Counter()
        for seat in self.clockwise(self.hand_seat):
            guest = self.people[self.seats[seat]]
            p = (20.4 + guest.seen_wins) / (50 + guest.seen_rounds)
            p = expit(log(p / (1 - p)) + guest.superstition * self.hand.streak)
            if (guest.row, self.hand.row) in self.sitting.beliefs and minds.ride_the_cheat:
                b = expit(self.sitting.now(guest.row, self.hand.row))
                q1 = float(self.sitting.ways.cheat_evidence[self.tavern, 0, 0].sum())
                p = (1 - b) * p + b * q1
            n_rot, n_not = placed["rot"], placed["not"]
            ev_not = p * n_rot / (2 + n_not) - (1 - p) if n_rot else 0.0
            ev_rot = (1 - p) * (1 + n_not) / (n_rot + 1) - p
            w_rot = exp(guest.rationality * (ev_rot + self.moods[guest.row]))
            w_not = exp(guest.rationality * (ev_not + self.moods[guest.row]))
            at = self.sitting.luck(guest.row, chance.BET, self.slot(0)) * (w_rot + w_not + 1)
            bets[seat] = "rot" if at < w_rot else "not" if at < w_rot + w_not else "out"
            placed[bets[seat]] += 1
        self.told |= {"n_rot": placed["rot"], "n_not": placed["not"]}
        return bets

    def pressure(self, failed: int) -> float:
        hand = self.hand
        m = 0.5 * min(4, 10 * self.stake / max(1, hand.gold)) + 0.2 * max(0, hand.drinks - 2)
        m += hand.cheating - self.custom.restraint - 1.5 * (failed == 1)
        return m - 1.0 * (self.night - hand.punished <= 30)

    def is_moved(self) -> bool:
        minds = self.scenario.minds
        return minds.tau_moves and not self.learns and self.hand.propensity < 0

    @property
    def learns(self) -> bool:
        return self.scenario.minds.learning == "reinforcement"

    def make_up_his_mind(self) -> None:
        """Where people learn: to cheat in this turn or not, if there is anything to gain."""
        if self.learns:
            hand = self.hand
            u = self.sitting.luck(hand.row, chance.LEARN, self.slot(0))
            share = hand.q_cheat / (hand.q_cheat + hand.q_honest)
            hand.is_tricking = int(self.told["n_rot"] > 0 and u < share)

    def learn(self) -> None:
        """Both propensities, then what he expects of a turn."""
        if not self.learns or not self.told["n_rot"]:
            return
        hand, told = self.hand, self.told
        sentence = SENTENCES[told["sentence"] - 1] if told["sentence"] else ""
        x = (self.net[self.hand_seat] - told["repaid"] - told["bribe"]) / self.stake
        if told["ran"]:
            x -= 1
        else:
            x -= {"out": 1, "banned": 0.5 * told["nights"], "beaten": 8}.get(sentence, 0)
        if told["lucky_nights"] and (sentence != "beaten" or told["ran"]):
            x -= 8
        surplus = x - hand.reference
        cheated = bool(hand.is_tricking)
        hand.q_cheat = max(0.01, 0.98 * hand.q_cheat + surplus * (0.95 if cheated else 0.05))
        hand.q_honest = max(0.01, 0.98 * hand.q_honest + surplus * (0.05 if cheated else 0.95))
        hand.reference = 0.95 * hand.reference + 0.05 * x

    def tally(self) -> None:
        """What the Hand staked and won, by his kind; and whether there was a trick in it."""
        self.counts["tricked_hands"] += self.told["tried"] > 0 or self.told["weighted"]
        kind = "cheats" if self.hand.is_cheat else "honest"
        self.counts[f"{kind}_hands"] += 1
        self.counts[f"{kind}_staked_cp"] += self.stake
        self.counts[f"{kind}_net_cp"] += self.net[self.hand_seat] - self.told["repaid"]

    def brings_dice(self) -> bool:
        """Weighted dice of his own, where the house lets people throw theirs."""
        if not (self.house.own_dice and self.hand.weighted and self.told["n_rot"]):
            return False
        return self.is_tempted(self.sitting.luck(self.hand.row, chance.NOTICE, self.slot(0)))

    def who_notices(self) -> int:
        """The first seat clockwise with d20 + Perception of 10 + his Thievery or more; -1."""
        for seat in self.clockwise(self.hand_seat):
            guest = self.people[self.seats[seat]]
            key = chance.subkey(self.sitting.night_key, chance.PATRON, guest.row + 1)
            natural = chance.roll(key, chance.NOTICE, self.slot(1), 20)
            if natural + guest.perception >= 10 + self.hand.thievery:
                return seat
        return -1

    def face(self, index: int, is_weighted: bool) -> int:
        if not is_weighted:
            return chance.roll(self.key, chance.THROW, self.slot(index), 6)
        u, bias = chance.unit(self.key, chance.THROW, self.slot(index)), self.scenario.dice.bias
        bounds = [bias + (1 - bias) * i / 5 for i in range(5)]
        return 6 if u < bias else max(i + 1 for i in range(5) if u >= bounds[i])

    def tries(self, throw: int) -> bool:
        u = self.sitting.luck(self.hand.row, chance.CHEAT, self.slot(throw))
        return bool(self.told["n_rot"]) and self.is_tempted(u)

    def is_tempted(self, u: float) -> bool:
        hand, minds = self.hand, self.scenario.minds
        if self.learns:
            return bool(hand.is_tricking)
        if not hand.is_cheat:
            return False
        prob = hand.propensity
        if prob < 0:
            m = self.pressure(hand.failed) if self.is_moved() else 0.0
            prob = expit(log(minds.tau / (1 - minds.tau)) + m)
        return u < prob

    def throw(self) -> None:
        hand, ended, doubles = self.hand, "", 0
        failed_before, is_weighted, noticed_by = hand.failed, self.brings_dice(), -1
        faces: list[int] = []
        naturals: list[int] = []
        bits: dict[str, set[int]] = {"plain": set(), "tried": set(), "failed": set(), "odd": set()}
        for throw, n_dice in enumerate((4, 3, 2)):
            dice = [self.face(4 * throw + i, is_weighted) for i in range(n_dice)]
            faces += dice
            if is_weighted and throw == 0:
                noticed_by = self.who_notices()
                if noticed_by >= 0:
                    hand.failed += 1
                    bits["odd"].add(throw)
            alarm = chance.unit(self.key, chance.ODD_THROW, self.slot(throw))
            if alarm < self.scenario.suspicion.false_alarm:
                bits["odd"].add(throw)
            if len(set(dice)) < n_dice:
                doubles += 1
            elif self.told["n_rot"]:
                bits["plain"] |= {throw} if hand.failed < 2 else set()
                if hand.failed < 2 and self.tries(throw):
                    bits["tried"].add(throw)
                    naturals.append(chance.roll(self.key, chance.THIEVERY, self.slot(throw), 20))
                    if naturals[-1] + hand.thievery >= self.house.thievery_dc + 2 * hand.failed:
                        doubles += 1
                    else:
                        hand.failed += 1
                        bits["failed"].add(throw)
                        bits["odd"].add(throw)
            if hand.failed == 2:
                ended = "void"
            elif doubles == 2:
                ended = "won"
            elif throw == 2 or (throw == 1 and doubles == 0):
                ended = "lost"
            if ended:
                break
        self.ended, self.n_odd = ended, len(bits["odd"])
        n_tried = len(bits["tried"]) + is_weighted
        hand.tries += n_tried
        if n_tried and not hand.first_try:
            hand.first_try = self.night
        hand.failed_ever += hand.failed - failed_before
        hand.hands += 1
        hand.hand_wins += ended == "won"
        if ended != "void":
            hand.streak = hand.streak + 1 if ended == "won" else 0
        self.counts["tricks_tried"] += n_tried
        self.counts["tricks_noticed"] += hand.failed - failed_before
        self.counts["dice_noticed"] += noticed_by >= 0
        self.told |= {"weighted": int(is_weighted), "noticed_by": noticed_by}
        self.told |= {name: sum(1 << throw for throw in which) for name, which in bits.items()}
        self.told |= {"faces": faces, "checks": naturals, "ended": ended}

    def settle(self) -> None:
        """Stakes change hands."""
        sides = {self.hand_seat: "not"} | self.bets
        n = len(self.seats)
        winning = "not" if self.ended == "won" else "rot"
        around = [(self.hand_seat + step) % n for step in range(n)]
        winners = [seat for seat in around if sides.get(seat) == winning]
        losers = [seat for seat in around if sides.get(seat) not in (None, "out", winning)]
        self.net = dict.fromkeys(sides, 0)
        pool = 0
        if self.ended != "void" and winners:
            pool = self.stake * len(losers)
            prize = pool - pool * self.house.rake_bp // 10_000
            for i, seat in enumerate(winners):
                self.net[seat] = prize // len(winners) + (i < prize % len(winners))
            for seat in losers:
                self.net[seat] = -self.stake
            self.counts["rake_cp"] += pool - prize
        for seat, net in self.net.items():
            guest = self.people[self.seats[seat]]
            guest.gold += net
            guest.games_net += net
        self.counts["staked_cp"] += self.stake * sum(side != "out" for side in sides.values())
        self.counts["changed_hands_cp"] += pool
        best = max(self.net.values())
        self.told["pool"] = pool
        self.told["winner_net"] = best
        self.told["winner"] = min(s for s in self.net if self.net[s] == best) if best > 0 else -1

    # ------------------------------------------------------------- what is made of it

    def shift(self) -> float:
        """The log likelihood ratio of the round; the table's filter moves along."""
        if self.ended == "void" or not self.told["n_rot"]:
            return 0.0
        x, phi = int(self.ended == "lost"), self.hand.filter
        cheat = self.sitting.ways.cheat_evidence[self.tavern][:, x, self.n_odd]  # [f][f']
        joint = (1 - phi) * cheat[0] + phi * cheat[1]
        self.hand.filter = float(joint[1] / joint.sum())
        return log(joint.sum() / self.sitting.ways.honest_evidence[x, self.n_odd])

    def notice(self) -> None:
        ways, shift, followed = self.scenario.suspicion, self.shift(), 0
        for seat in self.others(self.hand_seat):
            guest = self.people[self.seats[seat]]
            attention = 1.0
            if ways.attention:
                drowsy = 0.4 * max(0, guest.drinks - 2)
                attention = expit(1.5 + 0.15 * guest.perception - drowsy)
            u = self.sitting.luck(guest.row, chance.FOLLOW, self.slot(0))
            if self.ended != "void" and u >= attention:
                continue
            followed |= 1 << seat
            belief = self.sitting.belief(guest.row, self.hand.row)
            belief.n_own += 1
            if self.ended == "void":
                belief.log_odds, belief.settled = 6.0, True
                continue
            guest.seen_rounds += 1
            guest.seen_wins += self.ended == "won"
            felt = shift
            if shift > 0 and self.net[seat] < 0:
                felt *= 1 + ways.sore_loser * guest.soreness
            if not belief.settled:
                belief.log_odds = clip(belief.log_odds + felt, 6.0)
        self.told["followed"] = followed

    # ------------------------------------------------------------- justice

    def is_just(self) -> int:
        is_of_the_kind = bool(self.hand.is_cheat) and self.hand.tries > 0
        return int(is_of_the_kind or self.hand.failed == 2)  # or a learner caught in the act

    def count(self, what: str) -> None:
        self.counts[f"{what}_{'just' if self.is_just() else 'unjust'}"] += 1

    def judge(self) -> None:
        self.lucky = 0 < self.custom.lucky_wins <= self.hand.streak
        if self.ended == "void":
            self.counts["tricks_convicted"] += 1
            drawn = self.drawn_sentence()
            self.condemn("out" if drawn == "warned" else drawn, "out")
        elif self.ended == "won":
            accuser = self.accuser()
            if accuser is not None:
                self.trial(accuser)
        if self.lucky and self.seats[self.hand_seat] != HOME:
            self.counts["too_lucky"] += 1
            self.told["lucky_nights"] = self.beat()

    def accuser(self) -> int | None:
        justice, night = self.scenario.justice, self.night
        if not justice.accusations or sum(row != HOME for row in self.seats) < 4:
            return None
        for seat in self.clockwise(self.hand_seat):
            guest = self.people[self.seats[seat]]
            knows = (guest.row, self.hand.row) in self.sitting.beliefs
            if self.net[seat] >= 0 or guest.has_accused or not knows:
                continue
            threshold = guest.threshold - 0.1 * max(0, guest.drinks - 2)
            if guest.lost_face_until >= night:
                threshold += justice.lost_face
            u = self.sitting.luck(guest.row, chance.ACCUSE, self.slot(0))
            if self.sitting.now(guest.row, self.hand.row) > threshold and u < justice.accuse_prob:
                return seat
        return None

    def trial(self, seat: int) -> None:
        accuser, hand = self.people[self.seats[seat]], self.hand
        accuser.has_accused = 1
        accuser.accusations += 1
        hand.accused += 1
        self.count("accusations")
        told = self.sitting.now(accuser.row, hand.row)
        judges = [self.seats[each] for each in self.others(self.hand_seat) if each != seat]
        for judge in judges:
            self.sitting.hear(judge, hand.row, accuser.row, told)
        n_guilty = sum(self.sitting.now(judge, hand.row) > 0 for judge in judges)
        self.told |= {"accuser": seat, "n_judges": len(judges), "n_guilty": n_guilty}
        if n_guilty > len(judges) / 2:
            self.told["verdict"] = 2
            hand.convicted += 1
            self.count("convictions")
            self.repay()
            for loser in self.others(self.hand_seat):
                if self.net[loser] < 0:
                    self.resent(self.people[self.seats[loser]], hand)
            self.resent(hand, accuser)
            self.condemn(self.drawn_sentence(), "warned")
            return
        self.told["verdict"] = 1
        self.counts["cleared"] += 1
        self.resent(hand, accuser)
        accuser.lost_face_until = self.night + self.scenario.justice.lost_face_nights
        brawl = chance.unit(self.key, chance.BRAWL, self.slot(0))
        if brawl < self.scenario.justice.brawl_prob:
            self.told["brawl"] = 1
            self.counts["brawls"] += 1
            for each in (self.hand_seat, seat):
                self.send_home(each, hurt=1)

    def resent(self, who: SimpleNamespace, whom: SimpleNamespace) -> None:
        if self.scenario.justice.grudge_nights:
            who.grudge, who.grudge_night = whom.row, self.night

    def repay(self) -> None:
        losers = [s for s in self.clockwise(self.hand_seat) if self.net[s] < 0]
        won = min(self.net[self.hand_seat], self.hand.gold)
        each, odd = divmod(won, len(losers))
        shares = {self.hand_seat: -won} | {s: each + (i < odd) for i, s in enumerate(losers)}
        for seat, amount in shares.items():
            guest = self.people[self.seats[seat]]
            guest.gold += amount
            guest.games_net += amount
        self.told["repaid"] = won

    def send_home(self, seat: int, hurt: int = 0) -> None:
        guest = self.people[self.seats[seat]]
        guest.tavern, guest.streak = HOME, 0
        if hurt:
            guest.bruised_until = max(guest.bruised_until, self.night + hurt)
        self.seats[seat] = HOME

    def drawn_sentence(self) -> str:
        u = chance.unit(self.key, chance.SENTENCE, self.slot(0))
        below = 0.0
        for what in SENTENCES:
            below += getattr(self.custom, what)
            if u < below:
                return what
        raise AssertionError(u)

    def condemn(self, what: str, mildest: str) -> None:
        """The warden may look away, the condemned may run; or else he takes it."""
        if what != mildest and self.bribes(what):
            what = mildest
        if what not in DREAD or not self.runs(what):
            self.sentence(what)

    def bribes(self, what: str) -> bool:
        """Whether coins change hands at the door; nobody pays with all he has."""
        hand, bribes = self.hand, self.scenario.bribes
        price = int(bribes.bribe_days * hand.wage)
        if hand.is_player or not bribes.bribe_prob or not 0 < price < hand.gold:
            return False
        odds = bribes.bribe_prob / (1 - bribes.bribe_prob)
        odds *= 0.53 ** float(self.sitting.sheet.honesty[hand.row])
        offers = self.sitting.luck(hand.row, chance.BRIBE, self.slot(0)) < odds / (1 + odds)
        takes = chance.unit(self.key, chance.BRIBE, self.slot(0)) < bribes.take_prob
        if offers and takes:
            hand.gold -= price
            self.told["bribe"] = price
            self.counts["bribes"] += 1
            self.counts["bribes_cp"] += price
        return offers and takes

    def runs(self, what: str) -> bool:
        """Whether he is out of the door, and after him whoever was angry and runs best."""
        hand = self.hand
        if hand.is_player or not self.scenario.flight.runs:
            return False
        angry = [seat for seat in self.clockwise(self.hand_seat) if self.is_angry(seat)]
        pursuer = max(angry, key=lambda seat: self.running(self.seats[seat]), default=-1)
        away = 1.0
        if angry:
            edge = self.running(hand.row) - self.running(self.seats[pursuer])
            away = self.gets_away(edge)
        fear = 0.3 * float(self.sitting.sheet.emotionality[hand.row])
        u = self.sitting.luck(hand.row, chance.FLEE, self.slot(0))
        if u >= expit(2 * (DREAD[what] * away - 1) + fear):
            return False
        self.told |= {"sentence": 1 + SENTENCES.index(what), "ran": 1, "pursuer": pursuer}
        self.counts["ran"] += 1
        self.send_home(self.hand_seat)
        if angry:
            self.seats[pursuer] = HOME
        return True

    def is_angry(self, seat: int) -> bool:
        """He lost to the condemned in this round, or holds him for a cheat."""
        row = self.seats[seat]
        pair = (row, self.hand.row)
        suspects = pair in self.sitting.beliefs and self.sitting.now(*pair) > 0
        return not self.people[row].is_player and (self.net[seat] < 0 or suspects)

    def running(self, row: int) -> int:
        """Strength, rate, the Run feat; less for drink and weariness."""
        guest, sheet = self.people[row], self.sitting.sheet
        drunk = min(4, max(0, guest.drinks - 2)) * self.scenario.minds.drink_penalty
        has_feat = int(sheet.feats[row]) >> FEATS.index("Run") & 1
        rate = 2 * (int(sheet.speed_ft[row]) // 10) + 2 * has_feat
        return (int(sheet.strength[row]) - 10) // 2 + rate - drunk - 2 * guest.weary

    def gets_away(self, edge: int) -> float:
        """A Brownian motion from his likely lead: does it come to 30 before it comes to 0."""
        lead = 10.5 + (int(self.sitting.sheet.dexterity[self.hand.row]) - 10) // 2
        at, width, drift = lead + LEAP, 30 + 2 * LEAP, -2 * edge / (2 * D20_VARIANCE)
        return (1 - exp(drift * at)) / (1 - exp(drift * width)) if edge else at / width

    def sentence(self, what: str) -> None:
        hand = self.hand
        if what == "killed" and hand.is_player:
            what = "beaten"
        self.told["sentence"] = 1 + SENTENCES.index(what)
        if what in ("beaten", "killed"):
            self.count(what)
        else:
            self.counts["thrown_out" if what == "out" else what] += 1
        if what == "warned":
            return
        hand.punished = self.night
        nights = 0
        if what == "banned":
            nights = self.custom.ban_nights
            hand.banned_from, hand.banned_until = self.tavern, self.night + nights
        elif what == "killed":
            hand.whereabouts, hand.gone = 3, self.night
            self.told["estate"], hand.gold = hand.gold, 0
        if what == "beaten":
            self.told["nights"] = self.beat()
        else:
            self.told["nights"] = nights
            self.send_home(self.hand_seat)

    def beat(self) -> int:
        slot = self.slot(self.hand_seat)
        nights = chance.roll(self.key, chance.NIGHTS_HURT, slot, 6)
        self.hand.punished = self.night
        self.hand.beaten += 1
        self.send_home(self.hand_seat, hurt=nights)
        return nights
