"""One increment of a race at a table: every throw with its sum, and every choice.

Where everybody throws once, it is told in figures on one line; where there is
more to throw, or somebody fails, each has a line of his own. `race_told` calls
the race, and pays for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..chance import CHOICE, roll, run_key, subkey
from ..chance import PLAY as AT_PLAY
from ..courses import Course, Way
from ..games import race, race_sheet
from ..patrons.decisions import race as decisions
from . import race_words as words
from .telling import HOUSE, AtTable, Told

type Rows = NDArray[np.int64]
CHOICES = {
    "on": race.TAKE_DAMAGE,
    "retry": race.TRY_AGAIN,
    "damage": race.TAKE_DAMAGE,
    "slow": race.LOSE_GROUND,
    "quit": race.GIVE_UP,
}
"""``on`` where the damage is suffered already, ``damage`` where it is still to come."""
OUTCOMES = ("", "forfeited", "barred", "gave up", "drowned")


@dataclass
class Ground:
    """The course, and what carries over from race to race."""

    table: AtTable
    course: Course
    rows: Rows
    net_cp: dict[str, int]
    is_long: bool
    house_cp: int = 0
    number: int = 0  # of the race
    n_said: int = 0
    last: dict[tuple[str, ...], str] = field(default_factory=dict)  # said of each wordings
    hurt: dict[str, int] = field(default_factory=dict)
    knows_of_damage: bool = False  # what it means has been said

    def told(self, kind: str, text: str, joins: bool = False, **facts: Any) -> Told:
        """A record of the race that is on."""
        return Told(kind, text, facts, self.number, joins)

    def say(self, wordings: tuple[str, ...], **names: Any) -> str:
        """One of some wordings, not the one before, the same for the same seed."""
        self.n_said += 1
        fresh = [each for each in wordings if each != self.last.get(wordings)] or wordings
        key = subkey(run_key(self.table.seed), AT_PLAY, 2)
        said = self.last[wordings] = fresh[roll(key, CHOICE, self.n_said, len(fresh)) - 1]
        return said.format(**names)

    def can_pay(self, who: str) -> bool:
        """Say whether a purse still covers the stake."""
        purse = self.table.purses.get(who)
        return purse is None or purse + self.net_cp[who] >= self.table.stake_cp


@dataclass
class Race:
    """One race: competitors by their place in it."""

    ground: Ground
    names: list[str]
    entrants: list[Rows]
    racers: Rows  # (n_racers, race.N_RACER)
    tired: set[str] = field(default_factory=set)  # it has been told, so it is no news
    leader: str = ""
    # Of the increment that is on:
    clear: list[str] = field(default_factory=list)  # got past what stands in it
    failed: set[str] = field(default_factory=set)  # and who did not, at the first try
    named: str = ""  # whose figures are being told
    is_shared: bool = False  # everybody's figures may stand on one line
    is_open: bool = False  # and the line that is on does take more of them
    is_bare: bool = False  # and it says only which increment it is

    @property
    def n_left(self) -> int:
        """How many are still in it."""
        return race.n_left(self.racers)

    def running(self) -> list[str]:
        """Who is still in it."""
        outs = self.racers[:, race.OUT]
        return [n for n, out in zip(self.names, outs, strict=True) if out == race.RUNNING]

    def figures(self, kind: str, name: str, said: str, **facts: Any) -> Told:
        """A sum of his, beside those of the others."""
        is_same = self.named == name
        joins = self.is_open or self.is_bare or is_same
        text = words.figures("" if is_same else name, said)
        self.is_open = self.is_open or (self.is_shared and not is_same)
        self.named, self.is_bare = name, False
        return self.ground.told(kind, text, joins, who=name, **facts)

    def event(self, kind: str, name: str, text: str, joins: bool = False, **facts: Any) -> Told:
        """Something that has happened to him, on a line of his own."""
        joins = joins or self.is_bare
        self.named, self.is_open, self.is_bare = name, False, False
        return self.ground.told(kind, text, joins, who=name, **facts)


def tell_increment(run: Race, at: int) -> Iterator[Told]:
    """Increment `at`, from 1: what is in the way, everybody's throws, the standings."""
    ground, course = run.ground, run.ground.course
    if at in course.starts and (len(course.legs) > 1 or course.legs[0].dc is not None):
        number = course.starts.index(at)
        kind = course.legs[number].kind
        yield ground.told("leg", words.leg(course, number), leg=number + 1, leg_kind=kind)
    entered = run.running()
    yield _begin(run, at)
    for i in range(len(run.names)):
        if run.racers[i, race.OUT] == race.RUNNING:
            yield from _run(run, i, at)
    way = course.way_at(at)
    run.clear = [who for who in run.clear if who in run.running()]
    if run.clear and way is not None:
        yield ground.told("clear", _cleared(run, way, entered), who=list(run.clear))
    yield _standings(run, at)


def _begin(run: Race, at: int) -> Told:
    """Say which increment it is, and what it asks of everybody."""
    run.clear, run.failed, run.named = [], set(), ""
    dc = _tiring_dc(run)
    tired = f" Constitution DC {dc}." if dc else ""
    way = run.ground.course.way_at(at)
    is_mounted = run.ground.rows[at - 1, race.KIND] >= race_sheet.MOUNTED
    run.is_bare = way is None
    run.is_open = run.is_shared = run.is_bare and not is_mounted
    if way is None:
        return run.ground.told("begins", f"Increment {at}.{tired}", increment=at)
    text = f"{words.way(way, at, run.ground.course.retries != 0)}{tired}"
    return run.ground.told("way", text, increment=at, skill=way.skill, dc=way.dc)


def _tiring_dc(run: Race) -> int:
    """The DC of the increment's Constitution checks; 0 if nobody has to make one."""
    for racer, who in zip(run.racers, run.entrants, strict=True):
        if racer[race.OUT] != race.RUNNING:
            continue
        trial = racer.copy()
        race.enter(trial, run.ground.rows, who)
        if trial[race.NEEDS] == race.ENDURE:
            return race.needed_dc(trial, run.ground.rows)
    return 0


def _cleared(run: Race, way: Way, entered: Sequence[str]) -> str:
    others = [who for who in entered if who not in run.clear]
    if not others:
        who = {1: entered[0], 2: "Both"}.get(len(entered), "All")
    elif len(others) < len(run.clear) > 2 and all(each in run.failed for each in others):
        who = f"All but {words.in_a_row(others)}"
    else:
        who = words.in_a_row(run.clear)
    s = "s" if len(run.clear) == 1 else ""
    told = words.CLEARS["hazard" if way.is_hazard else "obstacle"]
    verbs = {"get": f"get{s}", "clear": f"clear{s}", "come": f"come{s}"}
    return run.ground.say(told, who=who, way=way.name, **verbs)


def _standings(run: Race, at: int) -> Told:
    """Who is where, the foremost first; who is left alone is ahead of nobody."""
    places = [i for i in range(len(run.names)) if run.racers[i, race.OUT] == race.RUNNING]
    places.sort(key=lambda i: -int(run.racers[i, race.TOTAL]))
    totals = {run.names[i]: int(run.racers[i, race.TOTAL]) for i in places}
    if len(places) < race.MIN_SEATS:
        return run.ground.told("standings", "", increment=at, totals=totals)
    shown = [f"{name} {total}" for name, total in totals.items()]
    first = run.names[places[0]]
    if totals[run.names[places[1]]] != totals[first]:
        told = words.TAKES_LEAD if run.leader not in ("", first) else words.LEADS
        shown[0] = run.ground.say(told, who=first, total=totals[first])
        run.leader = first
    text = f"After {at}: {', '.join(shown)}."
    return run.ground.told("standings", text, increment=at, totals=totals)


# ---------------------------------------------------------------- throws


def _run(run: Race, i: int, at: int) -> Iterator[Told]:
    """One competitor's increment."""
    racer, who, rows = run.racers[i], run.entrants[i], run.ground.rows
    before = int(racer[race.TOTAL])
    race.enter(racer, rows, who)
    while racer[race.NEEDS] != race.NOTHING:
        need = racer[race.NEEDS]
        if need == race.CHOOSE:
            yield _choose(run, i)
        elif need == race.HARM:
            yield _harm(run, i)
        else:
            yield _check(run, i)
    if racer[race.OUT] == race.BARRED:
        yield _barred(run, i)
    yield run.ground.told(
        "increment",
        "",
        who=run.names[i],
        increment=at,
        gain=int(racer[race.TOTAL]) - before,
        total=int(racer[race.TOTAL]),
        rests=bool(racer[race.RESTS]),
        out=OUTCOMES[racer[race.OUT]] or None,
    )


def _check(run: Race, i: int) -> Told:
    """A d20, whatever it is for."""
    racer, who, rows = run.racers[i], run.entrants[i], run.ground.rows
    at, name = race.completed(racer), run.names[i]
    need, is_past = int(racer[race.NEEDS]), bool(racer[race.IS_PAST])
    modifier, dc = race.needed_modifier(racer, rows, who), race.needed_dc(racer, rows)
    extra = [int(rows[at, race.PENALTY]), int(racer[race.RIDE_BONUS])] if is_past else [0, 0]
    check = _check_name(run, need, is_past, at)
    what = f"{'an' if check[0] in 'AEIOU' else 'a'} {check} check"
    what += f" against DC {dc}" if dc != race.NO_DC else ""
    natural = run.ground.table.dice.roll(name, 20, what)
    race.after(racer, rows, who, natural)
    passed = natural + modifier >= dc
    if need == race.RIDE:
        extra = [0, 0]
    summed = words.addition(natural, modifier - sum(extra), *extra)
    facts: dict[str, Any] = {"increment": at + 1, "check": check.lower(), "natural": natural}
    facts |= {"modifier": modifier}
    facts |= {} if dc == race.NO_DC else {"dc": dc, "passed": passed}
    if need == race.ENDURE:
        return _endured(run, i, passed, f"{check} {summed}", facts)
    if not passed:
        text = _failed(run, i, at, is_past, f"{check} {summed} against DC {dc}")
        return run.event("check", name, text, **facts)
    return run.figures("check", name, _passed(run, i, need, check, summed), **facts)


def _check_name(run: Race, need: int, is_past: bool, at: int) -> str:
    if need == race.ENDURE:
        return "Constitution"
    if need == race.RIDE:
        return "Ride"
    rows = run.ground.rows
    skill = race_sheet.skill_of(rows[at, race.KIND]) if is_past else rows[at, race.SKILL]
    return words.CHECKS[race_sheet.SKILLS[skill]]


def _passed(run: Race, i: int, need: int, check: str, summed: str) -> str:
    """What is said of a check that did not fail: the Ride bonus, and what a retry is worth."""
    racer = run.racers[i]
    if need == race.RIDE:
        bonus = int(racer[race.RIDE_BONUS])
        return f"Ride {summed}{f' for +{bonus}' if bonus else ', no help'}"
    if need == race.PASS:
        run.clear.append(run.names[i])
        summed = f"{check} {summed}"
    worthless = race.N_RETRIES if need == race.PASS else race.IS_WORTHLESS
    return f"{summed}, worth nothing" if racer[worthless] else summed


def _endured(run: Race, i: int, passed: bool, summed: str, facts: dict[str, Any]) -> Told:
    """That somebody tires is told in words the first time, and then in figures."""
    name = run.names[i]
    said = f"{summed}{'' if passed else ', a rest'}"
    is_news = name not in run.tired
    run.tired.add(name)
    if not is_news:
        return run.figures("check", name, said, **facts)
    joins = run.is_open or run.is_bare
    run.is_open, run.is_bare, run.named = run.is_shared, False, name
    text = run.ground.say(words.HOLDS if passed else words.RESTS, who=name)
    return run.ground.told("check", f"{text} ({summed}).", joins, who=name, **facts)


def _failed(run: Race, i: int, at: int, is_past: bool, summed: str) -> str:
    """What has gone wrong in row `at` of the course, and whether it was the end."""
    say, course, name = run.ground.say, run.ground.course, run.names[i]
    way, leg = course.way_at(at + 1), course.leg_at(at + 1)
    why_out = run.racers[i, race.OUT]
    if not is_past:
        assert way is not None
        run.failed.add(name)
        told = say(words.FAILS_WAY, who=name, way=way.name)
        lost = f" {say(words.FORFEITS, who=name)}" if why_out != race.RUNNING else ""
        return f"{told}, {summed}.{lost}"
    where = leg.name or ("the wall" if leg.kind == "climb" else "the water")
    names = {"who": name, "leg": where}
    if leg.kind == "climb":
        return f"{say(words.FAILS_CLIMB, **names)}, {summed}."
    if why_out == race.DROWNED:
        return f"{say(words.DROWNS, **names)}, {summed}. {words.PULLED_OUT.format(who=name)}"
    return f"{say(words.FAILS_SWIM, **names)}, {summed}."


def _harm(run: Race, i: int) -> Told:
    """All damage dice of a fall."""
    racer, rows, ground = run.racers[i], run.ground.rows, run.ground
    name, at = run.names[i], race.completed(racer)
    n_dice, faces = int(rows[at, race.N_DICE]), int(rows[at, race.FACES])
    dice = ground.table.dice.throw(HOUSE, n_dice, faces, "damage")
    for face in dice:
        race.after(racer, rows, run.entrants[i], face)
    hurts = int(rows[at, race.WHO_IS_HURT])
    mount = "vehicle" if rows[at, race.KIND] == race_sheet.DRIVEN else "mount"
    whom = (name, f"{name}'s {mount}", f"{name} and {mount} alike")[hurts]
    text = words.hurt(dice, n_dice, faces, whom)
    if racer[race.OUT] == race.FORFEITED:
        text += f" {ground.say(words.FORFEITS, who=name)}"
    elif not ground.knows_of_damage:
        text += f" {words.DAMAGE_IS_TOLD}"
        ground.knows_of_damage = True
    harmed = {0: [name], 1: [mount], 2: [name, mount]}[hurts]
    facts = {"harmed": harmed, "dice": list(dice), "damage": sum(dice)}
    return run.event("damage", name, text, joins=True, **facts)


def _barred(run: Race, i: int) -> Told:
    racer, rows, name = run.racers[i], run.ground.rows, run.names[i]
    at = race.completed(racer)
    dc = race.needed_dc(racer, rows)
    modifier = race.needed_modifier(racer, rows, run.entrants[i])
    way = run.ground.course.way_at(at + 1)
    stands = run.ground.course.leg_at(at + 1).name or "the wall"
    if way is not None and racer[race.IS_PAST] == 0:
        stands = way.name
        run.failed.add(name)
    text = words.BARRED.format(way=stands, who=name, modifier=f"{modifier:+}", dc=dc)
    return run.event("barred", name, text, dc=dc, modifier=modifier)


# ---------------------------------------------------------------- choices


def _choose(run: Race, i: int) -> Told:
    racer, who, name = run.racers[i], run.entrants[i], run.names[i]
    open_ = _open_to(run, i)
    deciders = run.ground.table.deciders
    word = deciders.choose(
        name, _question(run, i, open_), open_, lambda u: _decide(run, i, open_, u)
    )
    race.after(racer, run.ground.rows, who, CHOICES[word])
    told = {
        "on": words.GOES_ON,
        "retry": words.AGAIN,
        "damage": words.TAKES_DAMAGE,
        "slow": (words.LOSES_GROUND,),
        "quit": words.GIVES_UP if len(open_) > 1 else words.FORFEITS,
    }[word]
    text = run.ground.say(told, who=name, cost=race.RETRY_COST)
    return run.event("choice", name, text, joins=True, choice=word)


def _open_to(run: Race, i: int) -> list[str]:
    """The words for what he may choose."""
    racer, rows, who = run.racers[i], run.ground.rows, run.entrants[i]
    is_suffered = rows[race.completed(racer), race.DAMAGE_IS] == race.OPEN
    other = "damage" if is_suffered else "on"
    words_ = [word for word in CHOICES if word != other]
    return [word for word in words_ if race.can_choose(racer, rows, who, CHOICES[word])]


def _question(run: Race, i: int, open_: Sequence[str]) -> str:
    at = race.completed(run.racers[i])
    n_dice, faces = run.ground.rows[at, race.N_DICE], run.ground.rows[at, race.FACES]
    said = {
        "on": "go on, hurt as you are",
        "retry": f"try again for {race.RETRY_COST} DS",
        "damage": f"take {n_dice}d{faces} damage and go on",
        "slow": "lose this increment",
        "quit": "give up",
    }
    total = run.racers[i, race.TOTAL]
    return f"{run.names[i]}, with {total} so far: {', or '.join(said[word] for word in open_)}?"


def _decide(run: Race, i: int, open_: Sequence[str], u: float) -> str:
    """What people choose by themselves; what is suffered already costs nothing more."""
    racer, rows, who = run.racers[i], run.ground.rows, run.entrants[i]
    if "on" in open_:
        return "on"
    if "damage" in open_:
        loss = decisions.expected_loss(racer, rows, who)
        if decisions.takes_damage(decisions.expected_harm(racer, rows), loss, u):
            return "damage"
        return next(word for word in ("slow", "retry", "quit") if word in open_)
    others = [
        int(run.racers[j, race.TOTAL])
        for j in range(len(run.names))
        if j != i and run.racers[j, race.OUT] == race.RUNNING
    ]
    lead = int(racer[race.TOTAL]) - max(others, default=int(racer[race.TOTAL]))
    left = run.ground.course.n_increments - race.completed(racer) - 1
    return "quit" if decisions.gives_up(lead, left, u) else "retry"
