"""The evening as a plain Mesa model: what one would write without any of the package's kernels.

It is the yardstick for speed and an independent check. It is written from
docs/explanation/the-evening.md (its sections give the headings below)
for one tavern with the default scenario, and shares with the package only
data, the exact likelihoods of a round and who the people are: guests are
objects, beliefs a dict a guest, tables lists, and chance is ``model.random``.

    >>> model = PlainTavern(patrons=40, rng=1)
    >>> model.run_for(7)
    >>> len(model.nights)
    7
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import exp, log
from statistics import median_low
from typing import Any

import mesa
import numpy as np

from tavern_abm import chance
from tavern_abm.data_tables import load_tables
from tavern_abm.patrons.traits import generate
from tavern_abm.scenario import Scenario
from tavern_abm.society.evidence import evidence_arrays
from tavern_abm.tables.record import COUNTS

# Day and doors
LEAVE_PROB, ARRIVE_PROB, GO_OUT_PROB = 0.005, 0.33, 0.6
SEAT_FEE, MUG, STAFF, TILL_AT_START = 2, 4, 410, 10_000
# Tables
ROUNDS, ROUNDS_PER_SITTING, SEATS = 24, 6, 6
SITTINGS = ROUNDS // ROUNDS_PER_SITTING
MUGS_MEAN = 2.5
STAKES = (100, 50, 20, 10, 5, 2, 1)
# Minds
RATIONALITY, THRILL = 4.0, 0.25
TAU, AFTER_FAILURE, AFTER_SENTENCE, FEAR_NIGHTS = 0.25, 1.5, 1.0, 30
HARD_DC, FALSE_ALARM = 19, 0.01
ASSUMED_THIEVERY, ASSUMED_WIN = 6, 41317 / 82944
# Beliefs
PRIOR = 0.10
L0 = log(PRIOR / (1 - PRIOR))
MEMORY, FADING, SETTLED_FADING = 32, 0.95, 0.99
MOST_LOG_ODDS, MOST_TOLD = 6.0, 4.5
SORE_LOSER, HEARSAY, TELLER_NIGHTS = 0.5, 0.3, 14
# Justice
ACCUSE_PROB, LOST_FACE, LOST_FACE_NIGHTS, BRAWL_PROB = 0.3, 0.7, 10, 0.15
SENTENCES = ("warned", "out", "banned", "beaten", "killed")

FACES = range(1, 7)
WON, LOST, VOID = 0, 1, 2
NEVER = -1000

_evidence = evidence_arrays(tau=TAU, thievery=ASSUMED_THIEVERY, dc=HARD_DC, false_alarm=FALSE_ALARM)
CHEAT: list[Any] = _evidence.cheat.tolist()  # [f][x][o][f']
HONEST: list[Any] = _evidence.honest.tolist()  # [x][o]


def expit(x: float) -> float:
    """The chance whose log-odds are `x`."""
    return 1 / (1 + exp(-x))


def clip(x: float, most: float) -> float:
    """`x`, or the nearer of -most and most."""
    return max(-most, min(most, x))


class Belief:
    """What somebody holds of somebody else: the log-odds that he is a cheat."""

    __slots__ = ("log_odds", "n_own", "settled", "tellers")

    def __init__(self) -> None:
        self.log_odds = L0
        self.n_own = 0.0
        self.settled = False
        self.tellers: set[Guest] = set()


class Guest(mesa.Agent):
    """Somebody who lives here."""

    def __init__(self, model: PlainTavern, person: dict[str, Any]) -> None:
        super().__init__(model)
        self.wage = person["wage"]
        self.purse = person["gold"]
        self.is_cheat = bool(person["is_cheat"])
        self.thievery = person["thievery"]
        self.perception = person["perception"]
        self.soreness = expit(-person["agreeableness"])
        self.threshold = person["threshold"]
        self.arrived = model.night
        self.lives_here = True
        self.beliefs: dict[Guest, Belief] = {}
        self.seen_rounds = self.seen_wins = 0
        self.tries = 0
        self.bruised_until = self.banned_until = NEVER
        self.punished = self.lost_face_until = NEVER
        self.table: int | None = None
        self.come_home()

    def come_home(self) -> None:
        """Forget all that counts for one night only."""
        self.in_house = False
        self.has_accused = False
        self.mugs = self.streak = self.failed = 0
        self.table = None
        self.phi = 0.0

    # ------------------------------------------------------------- 1. day, 2. doors

    def live_a_day(self) -> None:
        """Beliefs fade; he pays for his living, earns his wage, perhaps leaves for good."""
        model = self.model
        self.come_home()
        self.fade()
        if self.arrived == model.night:
            return
        wage, purse = self.wage, self.purse
        model.take(self, min(purse, (40 * wage + max(0, purse - 15 * wage)) // 50), "living")
        if self.bruised_until < model.night:
            self.purse += wage
            model.ledger["wage"] += wage
        if model.random.random() < LEAVE_PROB:
            self.go_for_good()

    def fade(self) -> None:
        """Let the night dull what he believes."""
        for belief in self.beliefs.values():
            left = SETTLED_FADING if belief.settled else FADING
            belief.log_odds = L0 + (belief.log_odds - L0) * left
            belief.n_own *= FADING
        if self.model.night % TELLER_NIGHTS == 0:
            for belief in self.beliefs.values():
                belief.tellers.clear()

    def go_for_good(self) -> None:
        """His purse goes with him, or to his heirs."""
        self.model.take(self, self.purse, "estate")
        self.in_house = False
        self.lives_here = False
        self.remove()

    def goes_out(self) -> bool:
        """Say whether he comes tonight."""
        night, purse = self.model.night, self.purse
        if self.bruised_until >= night or self.banned_until >= night:
            return False
        if purse < SEAT_FEE + 2 * MUG:
            return False
        return self.model.random.random() < GO_OUT_PROB * min(1, purse / (5 * self.wage))

    # ------------------------------------------------------------- 3. sittings

    def drink(self, wanted: int) -> None:
        """He has the mugs he wants, as far as a tenth of his purse goes."""
        spent = MUG * self.mugs
        affordable = ((self.purse + spent) // 10 - spent) // MUG
        mugs = max(0, min(wanted, affordable))
        self.mugs += mugs
        self.model.pay_house(self, MUG * mugs, "drink")
        self.model.counts["mugs"] += mugs
        self.model.counts["drinks_cp"] += MUG * mugs

    @property
    def tipsy(self) -> int:
        """Mugs above two."""
        return max(0, self.mugs - 2)

    def sit_down(self, table: int) -> None:
        """He takes his seat; at another table than before nobody knows of his failures."""
        if table != self.table:
            self.table = table
            self.phi = 0.0
        self.attention = expit(1.5 + 0.15 * self.perception - 0.4 * self.tipsy)

    def bet(self, hand: Guest, n_rot: int, n_not: int) -> str:
        """Choose among "rot", "not" and "out" by what each promises."""
        p = (20.4 + self.seen_wins) / (50 + self.seen_rounds)
        belief = self.beliefs.get(hand)
        if belief is not None:
            b = expit(belief.log_odds)
            p = (1 - b) * p + b * ASSUMED_WIN
        ev_not = p * n_rot / (2 + n_not) - (1 - p) if n_rot else 0.0
        ev_rot = (1 - p) * (1 + n_not) / (n_rot + 1) - p
        w_not = exp(RATIONALITY * (ev_not + THRILL))
        w_rot = exp(RATIONALITY * (ev_rot + THRILL))
        luck = self.model.random.random() * (w_not + w_rot + 1.0)
        if luck < w_rot:
            return "rot"
        return "not" if luck < w_rot + w_not else "out"

    def cheat_chance(self, stake: int) -> float:
        """Chance that he, a cheat, tries a trick at a throw without doubles."""
        model = self.model
        m = 0.5 * min(4, 10 * stake / max(1, self.purse)) + 0.2 * self.tipsy
        m -= model.custom.restraint
        if self.failed:
            m -= AFTER_FAILURE
        if model.night - self.punished <= FEAR_NIGHTS:
            m -= AFTER_SENTENCE
        return expit(log(TAU / (1 - TAU)) + m)

    def tries_a_trick(self) -> bool:
        """One check of Thievery; say whether it succeeds."""
        counts = self.model.counts
        self.tries += 1
        counts["tricks_tried"] += 1
        natural = self.model.random.randint(1, 20)
        if natural + self.thievery >= HARD_DC + 2 * self.failed:
            return True
        self.failed += 1
        counts["tricks_noticed"] += 1
        return False

    # ------------------------------------------------------------- beliefs

    def belief_about(self, other: Guest) -> Belief:
        """His belief about somebody; a new one may push the weakest out of his memory."""
        belief = self.beliefs.get(other)
        if belief is None:
            if len(self.beliefs) >= MEMORY:
                del self.beliefs[self.weakest_belief()]
            belief = self.beliefs[other] = Belief()
        return belief

    def weakest_belief(self) -> Guest:
        """Whom he forgets first: the least remarkable, settled ones last."""
        weakest, least = None, 1000.0
        for other, belief in self.beliefs.items():
            strength = abs(belief.log_odds - L0)
            if belief.settled:
                strength += 100
            if strength < least:
                weakest, least = other, strength
        return weakest

    def follow(self, hand: Guest, won: bool, llr: float, has_lost: bool) -> None:
        """He followed a round and makes of it what a sore loser may."""
        self.seen_rounds += 1
        self.seen_wins += won
        belief = self.belief_about(hand)
        belief.n_own += 1
        if not belief.settled:
            if has_lost and llr > 0:
                llr *= 1 + SORE_LOSER * self.soreness
            belief.log_odds = clip(belief.log_odds + llr, MOST_LOG_ODDS)

    def see_trick(self, hand: Guest) -> None:
        """A trick was confirmed before his eyes."""
        belief = self.belief_about(hand)
        belief.n_own += 1
        belief.log_odds = MOST_LOG_ODDS
        belief.settled = True

    def hear(self, teller: Guest, subject: Guest) -> float:
        """One hearsay move; what he believes about the subject after it."""
        told = clip(teller.beliefs[subject].log_odds, MOST_TOLD)
        belief = self.belief_about(subject)
        mine = belief.log_odds
        is_beyond = (mine > MOST_TOLD and told > 0) or (mine < -MOST_TOLD and told < 0)
        if not (belief.settled or is_beyond or teller in belief.tellers):
            belief.tellers.add(teller)
            of_teller = self.beliefs.get(teller)
            distrust = expit(of_teller.log_odds) if of_teller else PRIOR
            weight = HEARSAY * (1 - distrust) * 8 / (8 + belief.n_own)
            belief.log_odds += weight * (told - mine)
        return belief.log_odds

    def accuses(self, hand: Guest) -> bool:
        """Say whether he, who has lost to the Hand, accuses him."""
        belief = self.beliefs.get(hand)
        if self.has_accused or belief is None:
            return False
        threshold = self.threshold - 0.1 * self.tipsy
        if self.lost_face_until >= self.model.night:
            threshold += LOST_FACE
        return belief.log_odds > threshold and self.model.random.random() < ACCUSE_PROB

    @property
    def kind(self) -> str:
        """What his turns as the Hand are counted under."""
        return "cheats" if self.is_cheat else "honest"

    @property
    def is_just_to_punish(self) -> bool:
        """Say whether he is of the kind and has tried."""
        return self.is_cheat and self.tries > 0

    # ------------------------------------------------------------- sentences

    def leave_house(self) -> None:
        """He goes home for tonight."""
        self.in_house = False
        self.streak = 0

    def stay_home(self, nights: int) -> None:
        """He leaves hurt and stays at home for so many nights from tomorrow."""
        self.bruised_until = max(self.bruised_until, self.model.night + nights)
        self.leave_house()

    def get_beaten(self) -> None:
        """He is beaten, and will remember it."""
        self.punished = self.model.night
        self.stay_home(self.model.random.randint(1, 6))

    def suffer(self, sentence: str) -> None:
        """Carry out a sentence on him and count it."""
        model = self.model
        if sentence in ("beaten", "killed"):
            model.count(sentence, self.is_just_to_punish)
        else:
            model.counts["thrown_out" if sentence == "out" else sentence] += 1
        if sentence == "killed":
            self.go_for_good()
        elif sentence == "beaten":
            self.get_beaten()
        elif sentence != "warned":
            self.punished = model.night
            if sentence == "banned":
                self.banned_until = model.night + model.custom.ban_nights
            self.leave_house()


class Table:
    """A table of a sitting. `seats` goes clockwise and begins with the Hand."""

    def __init__(self, model: PlainTavern, number: int, guests: list[Guest]) -> None:
        self.model = model
        self.random = model.random
        limit = median_low(guest.purse for guest in guests) // 50
        self.stake = next((stake for stake in STAKES if stake <= limit), 1)
        self.seats = [guest for guest in guests if guest.purse >= self.stake]
        self.random.shuffle(self.seats)
        for guest in self.seats:
            guest.sit_down(number)

    def play(self) -> None:
        """A sitting."""
        self.model.counts["games"] += len(self.seats) > 1
        for _ in range(ROUNDS_PER_SITTING):
            if len(self.seats) < 2:
                break
            self.play_round()

    def play_round(self) -> None:
        """One round: steps 1 to 9 of the section "A round of Rotting Toes in the house"."""
        hand, *others = self.seats
        self.model.counts["too_lucky_chances"] += hand.streak + 1 == self.model.custom.lucky_wins
        rots, nots = self.take_bets(hand, others)
        tries = hand.tries
        ended, n_odd = self.throw(hand, bool(rots))
        self.model.counts["tricked_hands"] += hand.tries > tries
        losers, gain = self.settle(hand, rots, nots, ended)
        if ended == VOID:
            self.confirm_trick(hand, others)
        else:
            llr = self.evidence(hand, ended, n_odd) if rots else 0.0
            for guest in others:
                if self.random.random() < guest.attention:
                    guest.follow(hand, ended == WON, llr, guest in losers)
            if ended == WON:
                self.hear_accusations(hand, losers, gain)
            self.count_streak(hand, ended == WON)
        self.seats = [g for g in (*others, hand) if g.in_house and g.purse >= self.stake]

    def take_bets(self, hand: Guest, others: list[Guest]) -> tuple[list[Guest], list[Guest]]:
        """Who bets *rot* and who *not*, each seeing the bets before his own."""
        rots: list[Guest] = []
        nots: list[Guest] = []
        for guest in others:
            bet = guest.bet(hand, len(rots), len(nots))
            if bet == "rot":
                rots.append(guest)
            elif bet == "not":
                nots.append(guest)
        return rots, nots

    def throw(self, hand: Guest, somebody_bets_rot: bool) -> tuple[int, int]:
        """How the round ends, and how many of its throws look odd."""
        luck, choices = self.random.random, self.random.choices
        tempted = hand.is_cheat and somebody_bets_rot
        doubles = n_odd = 0
        for n_dice in (4, 3, 2):
            looks_odd = luck() < FALSE_ALARM
            if len(set(choices(FACES, k=n_dice))) < n_dice:
                doubles += 1
            elif tempted and luck() < hand.cheat_chance(self.stake):
                if hand.tries_a_trick():
                    doubles += 1
                elif hand.failed == 2:
                    return VOID, n_odd + 1
                else:
                    looks_odd = True
            n_odd += looks_odd
            if n_dice == 3 and doubles != 1:
                break
        return (WON if doubles == 2 else LOST), n_odd

    def settle(
        self, hand: Guest, rots: list[Guest], nots: list[Guest], ended: int
    ) -> tuple[list[Guest], int]:
        """Stakes change hands; the losers and what the Hand has won."""
        counts, stake = self.model.counts, self.stake
        counts["rounds"] += 1
        counts["hand_wins"] += ended == WON
        counts[f"{hand.kind}_hands"] += 1
        counts[f"{hand.kind}_staked_cp"] += stake
        counts["staked_cp"] += stake * (1 + len(rots) + len(nots))
        winners, losers = ([hand, *nots], rots) if ended == WON else (rots, [hand, *nots])
        if ended == VOID or not winners:
            return [], 0
        counts["changed_hands_cp"] += stake * len(losers)
        before = hand.purse
        for guest in losers:
            guest.purse -= stake
        self.share(stake * len(losers), winners)
        counts[f"{hand.kind}_net_cp"] += hand.purse - before
        return losers, -(-stake * len(losers) // len(winners)) if ended == WON else 0

    @staticmethod
    def share(pool: int, winners: list[Guest]) -> None:
        """An even split; odd coins go one each to the first clockwise from the Hand."""
        each, odd_coins = divmod(pool, len(winners))
        for place, guest in enumerate(winners):
            guest.purse += each + (place < odd_coins)

    def evidence(self, hand: Guest, result: int, n_odd: int) -> float:
        """ln(S / H) of what the table saw; the table's phi of the Hand moves with it."""
        phi = hand.phi
        (a00, a01), (a10, a11) = CHEAT[0][result][n_odd], CHEAT[1][result][n_odd]
        to_none = (1 - phi) * a00 + phi * a10
        to_one = (1 - phi) * a01 + phi * a11
        hand.phi = to_one / (to_none + to_one)
        return log((to_none + to_one) / HONEST[result][n_odd])

    def confirm_trick(self, hand: Guest, others: list[Guest]) -> None:
        """A second failed check: everybody knows, nobody votes, and he is out at the least."""
        self.model.counts["tricks_convicted"] += 1
        for guest in others:
            guest.see_trick(hand)
        sentence = self.model.draw_sentence()
        hand.suffer("out" if sentence == "warned" else sentence)

    def hear_accusations(self, hand: Guest, losers: list[Guest], gain: int) -> None:
        """The first loser who dares accuses him, if there are judges enough."""
        if len(self.seats) < 4:
            return
        for guest in losers:
            if guest.accuses(hand):
                self.hold_trial(hand, guest, losers, gain)
                return

    def hold_trial(self, hand: Guest, accuser: Guest, losers: list[Guest], gain: int) -> None:
        """All others seated hear the accuser out and vote."""
        model = self.model
        accuser.has_accused = True
        model.count("accusations", hand.is_just_to_punish)
        judges = [guest for guest in self.seats if guest is not hand and guest is not accuser]
        n_guilty = sum(judge.hear(accuser, hand) > 0 for judge in judges)
        if 2 * n_guilty > len(judges):
            model.count("convictions", hand.is_just_to_punish)
            hand.purse -= gain
            model.counts[f"{hand.kind}_net_cp"] -= gain
            self.share(gain, losers)
            hand.suffer(model.draw_sentence())
        else:
            self.clear(hand, accuser)

    def clear(self, hand: Guest, accuser: Guest) -> None:
        """Not guilty: the accuser loses face, and it may come to blows."""
        model = self.model
        model.counts["cleared"] += 1
        accuser.lost_face_until = model.night + LOST_FACE_NIGHTS
        if self.random.random() < BRAWL_PROB:
            model.counts["brawls"] += 1
            hand.stay_home(1)
            accuser.stay_home(1)

    def count_streak(self, hand: Guest, won: bool) -> None:
        """Keep count of the Hand's wins; where the custom holds, the lucky are beaten."""
        if not hand.in_house:
            return
        hand.streak = hand.streak + 1 if won else 0
        if hand.streak == self.model.custom.lucky_wins > 0:
            self.model.counts["too_lucky"] += 1
            hand.get_beaten()


class PlainTavern(mesa.Model):
    """One tavern and the people who live around it; a step is a night.

    Parameters
    ----------
    patrons : int
        Places in the town, each filled at the start.
    custom : str
        A name of data/customs.
    rng : int
        The seed, which also says who the people are: `TavernModel` has the
        same people for the same seed.

    Attributes
    ----------
    nights : list of dict
        What happened, by the names of `COUNTS`, and the gini and mean of the purses.
    """

    def __init__(self, patrons: int = 120, custom: str = "decent", rng: int = 1) -> None:
        super().__init__(rng=rng)
        self.night = 0
        self.places = patrons
        self.data = load_tables()
        self.custom = self.data.customs[custom]
        self.people = self.draw_people(rng)
        for _ in range(patrons):
            Guest(self, next(self.people))
        self.till = TILL_AT_START
        self.ledger: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.nights: list[dict[str, Any]] = []

    def draw_people(self, seed: int) -> Iterator[dict[str, Any]]:
        """Everybody who ever lives here, in the order of coming, drawn in blocks."""
        scenario = Scenario().with_settings({"population.share_of_cheats": PRIOR})
        key = chance.run_key(seed)
        first, n = 1, self.places
        while True:
            people, sheet = generate(np.arange(first, first + n), key, scenario, self.data, [1.0])
            names = ("wage", "gold", "is_cheat", "thievery", "perception", "threshold")
            columns = {name: getattr(people, name).tolist() for name in names}
            columns["agreeableness"] = sheet.agreeableness.tolist()
            for row in zip(*columns.values(), strict=True):
                yield dict(zip(columns, row, strict=True))
            first, n = first + n, 64

    # ------------------------------------------------------------- the night

    def step(self) -> None:
        """Play one night."""
        self.night += 1
        self.counts = Counter()
        self.ledger = Counter()
        coins = self.coins()
        self.pass_day()
        guests = self.open_doors()
        for _ in range(SITTINGS):
            self.play_sitting(guests)
        self.close()
        self.check_books(coins)
        self.record()

    def pass_day(self) -> None:
        """Newcomers fill vacant places; then everybody lives his day."""
        for _ in range(self.places - len(self.agents)):
            if self.random.random() < ARRIVE_PROB:
                newcomer = Guest(self, next(self.people))
                self.ledger["arrival"] += newcomer.purse
        self.agents.shuffle_do("live_a_day")

    def open_doors(self) -> list[Guest]:
        """Those who come tonight; each pays at the door."""
        guests = self.agents.select(lambda guest: guest.goes_out()).to_list()
        for guest in guests:
            guest.in_house = True
            self.pay_house(guest, SEAT_FEE, "fee")
        self.counts["guests"] = len(guests)
        return guests

    def play_sitting(self, guests: list[Guest]) -> None:
        """Drinks, seats by purse, and some rounds at every table."""
        present = [guest for guest in guests if guest.in_house]
        thirst = self.rng.poisson(MUGS_MEAN / SITTINGS, len(present)).tolist()
        for guest, wanted in zip(present, thirst, strict=True):
            guest.drink(wanted)
        seated = [guest for guest in present if guest.purse > 0]
        seated.sort(key=lambda guest: guest.purse, reverse=True)
        for number, company in enumerate(self.companies(seated)):
            Table(self, number, company).play()

    @staticmethod
    def companies(seated: list[Guest]) -> list[list[Guest]]:
        """Who sits with whom: the richest at the first table, all tables about as full."""
        n = len(seated)
        n_tables = -(-n // SEATS)
        tables: list[list[Guest]] = [[] for _ in range(n_tables)]
        for rank, guest in enumerate(seated):
            tables[rank * n_tables // n].append(guest)
        return tables

    def draw_sentence(self) -> str:
        """A sentence by the odds of the custom."""
        odds = [getattr(self.custom, name) for name in SENTENCES]
        return self.random.choices(SENTENCES, odds)[0]

    def count(self, what: str, is_just: bool) -> None:
        """Count something that is just or unjust."""
        self.counts[f"{what}_{'just' if is_just else 'unjust'}"] += 1

    # ------------------------------------------------------------- 4. closing, the books

    def take(self, guest: Guest, amount: int, reason: str) -> None:
        """Coins leave the town."""
        guest.purse -= amount
        self.ledger[reason] += amount

    def pay_house(self, guest: Guest, amount: int, reason: str) -> None:
        """Coins go to the till."""
        guest.purse -= amount
        self.till += amount
        self.ledger[reason] += amount

    def close(self) -> None:
        """The till pays goods and staff, as far as it goes."""
        for reason, bill in (("goods", self.ledger["drink"] // 2), ("staff", STAFF)):
            paid = min(bill, self.till)
            self.till -= paid
            self.ledger[reason] += paid

    def coins(self) -> int:
        """All coins in town, in cp."""
        return self.till + sum(guest.purse for guest in self.agents)

    def check_books(self, coins_before: int) -> None:
        """Hold the night's books against the coins."""
        book = self.ledger
        inflow = book["wage"] + book["arrival"]
        outflow = book["living"] + book["estate"] + book["goods"] + book["staff"]
        coins = self.coins()
        if coins != coins_before + inflow - outflow:
            raise AssertionError(f"night {self.night}: {coins} cp do not match {dict(book)}")

    def record(self) -> None:
        """Note what happened tonight."""
        purses = np.sort([guest.purse for guest in self.agents])
        n, total = len(purses), int(purses.sum())
        ranks = np.arange(1, n + 1)
        night = {name: self.counts[name] for name in (*COUNTS, "hand_wins")}
        night["gini"] = float(2 * (ranks @ purses) / (n * total) - (n + 1) / n) if total else 0.0
        night["mean_cp"] = total / n
        night["living"] = n
        night["till_cp"] = self.till
        night["brier"] = self.score(night)
        self.nights.append(night)

    def score(self, night: dict[str, Any]) -> float:
        """Hold what people believe of each other against the truth; the Brier score."""
        squares, pairs = 0.0, 0
        for guest in self.agents:
            for other, belief in guest.beliefs.items():
                if not other.lives_here:
                    continue
                pairs += 1
                is_cheat = other.is_just_to_punish
                squares += (expit(belief.log_odds) - is_cheat) ** 2
                if belief.log_odds > 0:
                    night["suspected_right" if is_cheat else "suspected_wrong"] += 1
                else:
                    night["missed" if is_cheat else "unsuspected"] += 1
        return squares / pairs if pairs else float("nan")
