"""A race in front of a game master's table, increment by increment.

The rules are those of `games.race`; only this driver asks for dice and
decisions and says what happens. Something is said of a competitor where
something happens to him, and every increment ends with a line of standings.
Damage is reported; nobody here has hit points.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..asking import ByName, OneOf, Option, RefusedError, Text
from ..chance import CHOICE, roll, run_key, subkey
from ..chance import PLAY as AT_PLAY
from ..coins import rake, show
from ..courses import Course, Way, mounted, to_array
from ..games import contests, race, race_sheet
from ..games.race_odds import asked_course
from ..patrons.decisions import race as decisions
from . import race_words as words
from .telling import HOUSE, AtTable, Play, Told, closing, verify_purse

type Telling[T] = Generator[Told, None, T]
type Rows = NDArray[np.int64]
CHOICES = {
    "retry": race.TRY_AGAIN,
    "damage": race.TAKE_DAMAGE,
    "slow": race.LOSE_GROUND,
    "quit": race.GIVE_UP,
}
OUTCOMES = ("", "forfeited", "barred", "gave up", "drowned")


@dataclass
class _Ground:
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
class _Race:
    """One race: competitors by their place in it."""

    ground: _Ground
    names: list[str]
    entrants: list[Rows]
    racers: Rows  # (n_racers, race.N_RACER)
    clear: list[str] = field(default_factory=list)  # got past what stood in this increment
    resting: set[str] = field(default_factory=set)  # have rested, so it is no news
    leader: str = ""

    @property
    def n_left(self) -> int:
        """How many are still in it."""
        return race.n_left(self.racers)


def tell(table: AtTable) -> Iterator[Told]:
    """Hold the races and tell them, record by record.

    Raises
    ------
    RefusedError
        If the course is wrong, or somebody cannot cover the stake or backs nobody.
    """
    ground = _open(table)
    yield from _announce(ground)
    for number in range(1, table.rounds + 1):
        ground.number = number
        names = yield from _call_up(ground)
        if len(names) < race.MIN_SEATS:
            yield ground.told("called_off", "Fewer than two would race, and that is that.")
            break
        yield from _hold(ground, names)
    text = words.gains(ground.net_cp) if table.rounds > 1 else ""
    text = f"When all races are run: {text}" if text else ""
    yield closing(ground.net_cp, ground.house_cp, text, damage=ground.hurt)


# ---------------------------------------------------------------- before the start


def _open(table: AtTable) -> _Ground:
    course = asked_course(table.options)
    backers = table.options["backers"]
    for who, backed in backers.items():
        if backed not in table.players:
            allowed = f"they race: {', '.join(table.players)}"
            raise RefusedError(f"{who} cannot back {backed}; {allowed} (race)", "backers")
        if who in table.players:
            raise RefusedError(f"{who} races and cannot back anybody (race)", "backers")
    for who in table.options["pace"]:
        if who not in table.players:
            allowed = f"they race: {', '.join(table.players)}"
            raise RefusedError(f"nobody in the race is called '{who}'; {allowed}", "pace")
    for who in table.purses:
        verify_purse(table, who, "race")
    fatigue = race.FATIGUE.index(table.options["fatigue"])
    return _Ground(
        table,
        course,
        to_array(course, table.options["damage_instead"]),
        dict.fromkeys([*table.players, *backers], 0),
        race.is_long_race(course.n_increments, fatigue),
    )


def _announce(ground: _Ground) -> Iterator[Told]:
    course = ground.course
    n = "1 increment" if course.n_increments == 1 else f"{course.n_increments} increments"
    text = f"{words.upper(course.title)}, {n}. {course.about}".rstrip()
    facts = {
        "course": course.name or None,
        "title": course.title,
        "increments": course.n_increments,
        "tires": ground.is_long,
    }
    yield Told("announcement", text, facts)


def _call_up(ground: _Ground) -> Telling[list[str]]:
    """Who races this time; those who are asked may decline."""
    table = ground.table
    names = []
    for who in table.players:
        if not ground.can_pay(who):
            text = f"{who} can no longer cover the stake and looks on."
            yield ground.told("looks_on", text, who=who, why="purse")
            continue
        question = f"{who}, race for {show(table.stake_cp)}?"
        if table.deciders.choose(who, question, ("yes", "no"), lambda u: "yes") == "yes":
            names.append(who)
        else:
            yield ground.told("looks_on", f"{who} would rather look on.", who=who, why="choice")
    return names


def _hold(ground: _Ground, names: list[str]) -> Iterator[Told]:
    stake = show(ground.table.stake_cp)
    text = f"Race {ground.number}. {words.in_a_row(names)} put up {stake} each."
    yield ground.told("opening", text, racers=names, stake_cp=ground.table.stake_cp)
    yield from _lay_bets(ground, names)
    entrants = yield from _set_paces(ground, names)
    run = _Race(ground, names, entrants, np.zeros((len(names), race.N_RACER), np.int64))
    for at in range(1, ground.course.n_increments + 1):
        yield from _increment(run, at)
        if run.n_left < race.MIN_SEATS:
            break
    yield from _finish(run)


def _lay_bets(ground: _Ground, names: Sequence[str]) -> Iterator[Told]:
    for who, backed in ground.table.options["backers"].items():
        if backed in names:
            text = f"{who} lays {show(ground.table.stake_cp)} on {backed}."
            bet = ground.table.stake_cp
            yield ground.told("bet", text, joins=True, who=who, on=backed, bet_cp=bet)


def _set_paces(ground: _Ground, names: Sequence[str]) -> Telling[list[Rows]]:
    """The competitors' modifiers, once everybody has chosen a pace."""
    entrants = []
    paces: dict[str, list[str]] = {}
    for who in names:
        pace = _pace(ground, who)
        paces.setdefault(pace, []).append(who)
        sheet = mounted(ground.table.sheets[who], ground.course.mount)
        entrants.append(race_sheet.entrant(sheet, race_sheet.PACES[pace], ground.is_long))
        yield ground.told("pace", "", who=who, pace=pace)
    for pace in ("pace", "sprint"):
        if pace in paces:
            yield ground.told("paces", words.pace(pace, paces[pace]), pace=pace, who=paces[pace])
    return entrants


def _pace(ground: _Ground, who: str) -> str:
    options = ground.table.options
    if who in options["pace"]:
        return str(options["pace"][who])
    can_choose = options["pacing"] and ground.is_long
    sheet = ground.table.sheets[who]
    own = race_sheet.entrant(sheet)
    kinds = ground.rows[:, race.KIND]
    n_own = int((kinds < race_sheet.MOUNTED).sum())
    modifier = race_sheet.check_modifier(own, race_sheet.FOOT, race_sheet.STRENGTH)

    def of_itself(u: float) -> str:
        pace = decisions.chooses_pace(modifier, sheet.constitution, n_own, u)
        return next(word for word, change in race_sheet.PACES.items() if change == pace)

    question = f"{who}, what pace? Easy: -2 on checks, +2 Constitution; a sprint the reverse"
    allowed = tuple(race_sheet.PACES) if can_choose else ("steady",)
    return ground.table.deciders.choose(who, question, allowed, of_itself)


# ---------------------------------------------------------------- an increment


def _increment(run: _Race, at: int) -> Iterator[Told]:
    ground, course = run.ground, run.ground.course
    if at in course.starts and (len(course.legs) > 1 or course.legs[0].dc is not None):
        number = course.starts.index(at)
        kind = course.legs[number].kind
        yield ground.told("leg", words.leg(course, number), leg=number + 1, leg_kind=kind)
    way = course.way_at(at)
    if way is not None:
        yield ground.told("way", _approach(way), increment=at, skill=way.skill, dc=way.dc)
    run.clear = []
    before = run.racers[:, race.TOTAL].copy()
    for i in range(len(run.names)):
        if run.racers[i, race.OUT] == race.RUNNING:
            yield from _run(run, i, at)
    run.clear = [who for who in run.clear if who in _running(run)]
    if run.clear and way is not None:
        yield ground.told("clear", _cleared(run, way), who=list(run.clear))
    yield _standings(run, at, before)


def _running(run: _Race) -> list[str]:
    """Who is still in the race."""
    return [
        name
        for name, out in zip(run.names, run.racers[:, race.OUT], strict=True)
        if out == race.RUNNING
    ]


def _approach(way: Way) -> str:
    again = " It may be tried again." if way.can_retry else ""
    return f"In increment {way.at}: {way.name}, {words.CHECKS[way.skill]} DC {way.dc}.{again}"


def _cleared(run: _Race, way: Way) -> str:
    s = "s" if len(run.clear) == 1 else ""
    who = "All" if len(run.clear) == run.n_left > 2 else words.in_a_row(run.clear)
    told = words.CLEARS["hazard" if way.is_hazard else "obstacle"]
    verbs = {"get": f"get{s}", "clear": f"clear{s}", "come": f"come{s}"}
    return run.ground.say(told, who=who, way=way.name, **verbs)


def _run(run: _Race, i: int, at: int) -> Iterator[Told]:
    """One competitor's increment."""
    racer, who, rows = run.racers[i], run.entrants[i], run.ground.rows
    before = int(racer[race.TOTAL])
    race.enter(racer, rows, who)
    while racer[race.NEEDS] != race.NOTHING:
        need = racer[race.NEEDS]
        if need == race.CHOOSE:
            yield from _choose(run, i)
        elif need == race.HARM:
            yield from _harm(run, i)
        else:
            yield from _check(run, i)
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


def _check(run: _Race, i: int) -> Iterator[Told]:
    """A d20, whatever it is for."""
    racer, who, rows = run.racers[i], run.entrants[i], run.ground.rows
    at = race.completed(racer)
    need, is_past = int(racer[race.NEEDS]), bool(racer[race.IS_PAST])
    modifier = race.needed_modifier(racer, rows, who)
    dc = race.needed_dc(racer, rows)
    check = _check_name(run, need, is_past, at)
    what = f"{'an' if check[0] in 'AEIOU' else 'a'} {check} check"
    what += f" against DC {dc}" if dc != race.NO_DC else ""
    natural = run.ground.table.dice.roll(run.names[i], 20, what)
    race.after(racer, rows, who, natural)
    passed = natural + modifier >= dc
    text = ""
    if need == race.ENDURE:
        text = _endured(run, i, passed, words.against(check, natural, modifier, dc))
    elif need == race.PASS and passed:
        run.clear.append(run.names[i])
    elif not passed:
        text = _failed(run, i, at, is_past, words.against(check, natural, modifier, dc))
    facts: dict[str, Any] = {"check": check.lower(), "natural": natural, "modifier": modifier}
    facts |= {} if dc == race.NO_DC else {"dc": dc, "passed": passed}
    yield run.ground.told("check", text, who=run.names[i], increment=at + 1, **facts)


def _check_name(run: _Race, need: int, is_past: bool, at: int) -> str:
    if need == race.ENDURE:
        return "Constitution"
    if need == race.RIDE:
        return "Ride"
    rows = run.ground.rows
    skill = race_sheet.skill_of(rows[at, race.KIND]) if is_past else rows[at, race.SKILL]
    return words.CHECKS[race_sheet.SKILLS[skill]]


def _endured(run: _Race, i: int, passed: bool, summed: str) -> str:
    """Who rests again is seen in the standings; the first rest is told."""
    name = run.names[i]
    if name in run.resting and not passed:
        return ""
    if not passed:
        run.resting.add(name)
    told = words.HOLDS if passed else words.RESTS
    return f"{run.ground.say(told, who=name)} ({summed}.)"


def _failed(run: _Race, i: int, at: int, is_past: bool, summed: str) -> str:
    """What has gone wrong in row `at` of the course, and whether it was the end."""
    say, course, name = run.ground.say, run.ground.course, run.names[i]
    way, leg = course.way_at(at + 1), course.leg_at(at + 1)
    why_out = run.racers[i, race.OUT]
    if not is_past:
        assert way is not None
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


def _harm(run: _Race, i: int) -> Iterator[Told]:
    """All damage dice of a fall."""
    racer, rows = run.racers[i], run.ground.rows
    name, at = run.names[i], race.completed(racer)
    n_dice, faces = int(rows[at, race.N_DICE]), int(rows[at, race.FACES])
    dice = run.ground.table.dice.throw(HOUSE, n_dice, faces, "damage")
    for face in dice:
        race.after(racer, rows, run.entrants[i], face)
    hurts = int(rows[at, race.WHO_IS_HURT])
    mount = "vehicle" if rows[at, race.KIND] == race_sheet.DRIVEN else "mount"
    whom = (name, f"{name}'s {mount}", f"{name} and {mount} alike")[hurts]
    text = words.hurt(dice, n_dice, faces, whom)
    if racer[race.OUT] == race.FORFEITED:
        text += f" {run.ground.say(words.FORFEITS, who=name)}"
    harmed = {0: [name], 1: [mount], 2: [name, mount]}[hurts]
    facts = {"who": name, "harmed": harmed, "dice": list(dice), "damage": sum(dice)}
    yield run.ground.told("damage", text, joins=True, **facts)


def _barred(run: _Race, i: int) -> Told:
    racer, rows, name = run.racers[i], run.ground.rows, run.names[i]
    at = race.completed(racer)
    dc = race.needed_dc(racer, rows)
    modifier = race.needed_modifier(racer, rows, run.entrants[i])
    way = run.ground.course.way_at(at + 1)
    stands = run.ground.course.leg_at(at + 1).name or "the wall"
    if way is not None and racer[race.IS_PAST] == 0:
        stands = way.name
    text = words.BARRED.format(way=stands, who=name, modifier=f"{modifier:+}", dc=dc)
    return run.ground.told("barred", text, who=name, dc=dc, modifier=modifier)


# ---------------------------------------------------------------- choices


def _choose(run: _Race, i: int) -> Iterator[Told]:
    racer, rows, who, name = run.racers[i], run.ground.rows, run.entrants[i], run.names[i]
    open_ = [word for word, c in CHOICES.items() if race.can_choose(racer, rows, who, c)]
    question = _question(run, i, open_)
    deciders = run.ground.table.deciders
    word = deciders.choose(name, question, open_, lambda u: _decide(run, i, open_, u))
    race.after(racer, rows, who, CHOICES[word])
    told = {
        "retry": words.AGAIN,
        "damage": words.TAKES_DAMAGE,
        "slow": (words.LOSES_GROUND,),
        "quit": words.GIVES_UP if len(open_) > 1 else words.FORFEITS,
    }[word]
    text = run.ground.say(told, who=name, cost=race.RETRY_COST)
    yield run.ground.told("choice", text, joins=True, who=name, choice=word)


def _question(run: _Race, i: int, open_: Sequence[str]) -> str:
    at = race.completed(run.racers[i])
    n_dice, faces = run.ground.rows[at, race.N_DICE], run.ground.rows[at, race.FACES]
    said = {
        "retry": f"try again for {race.RETRY_COST} DS",
        "damage": f"take {n_dice}d{faces} damage and go on",
        "slow": "lose this increment",
        "quit": "give up",
    }
    total = run.racers[i, race.TOTAL]
    return f"{run.names[i]}, with {total} so far: {', or '.join(said[word] for word in open_)}?"


def _decide(run: _Race, i: int, open_: Sequence[str], u: float) -> str:
    """What people choose by themselves."""
    racer, rows, who = run.racers[i], run.ground.rows, run.entrants[i]
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


# ---------------------------------------------------------------- standings and coins


def _standings(run: _Race, at: int, before: Rows) -> Told:
    """Who is where, the foremost first."""
    places = [i for i in range(len(run.names)) if run.racers[i, race.OUT] == race.RUNNING]
    places.sort(key=lambda i: -int(run.racers[i, race.TOTAL]))
    totals = {run.names[i]: int(run.racers[i, race.TOTAL]) for i in places}
    if not places:
        return run.ground.told("standings", "", increment=at, totals=totals)
    shown = [_standing(run, i, int(before[i])) for i in places]
    first = run.names[places[0]]
    is_tied = len(places) > 1 and totals[run.names[places[1]]] == totals[first]
    if not is_tied:
        told = words.TAKES_LEAD if run.leader not in ("", first) else words.LEADS
        said = run.ground.say(told, who=first, total=totals[first])
        shown[0] = f"{said}{shown[0].removeprefix(f'{first} {totals[first]}')}"
        run.leader = first
    text = f"After {at}: {', '.join(shown)}."
    return run.ground.told("standings", text, increment=at, totals=totals)


def _standing(run: _Race, i: int, before: int) -> str:
    total = int(run.racers[i, race.TOTAL])
    how = "rests" if run.racers[i, race.RESTS] else f"{total - before:+}"
    return f"{run.names[i]} {total} ({how})"


def _finish(run: _Race) -> Iterator[Told]:
    ground = run.ground
    winners = [0] * len(run.names)
    race.mark_winners(run.racers, winners)
    won = [name for name, is_winner in zip(run.names, winners, strict=True) if is_winner]
    totals = dict(zip(run.names, run.racers[:, race.TOTAL].tolist(), strict=True))
    lifts = {"winners": won, "totals": totals}
    text = _result(run, won, totals)
    yield Told("result", text, {"winners": won, "totals": totals}, ground.number, lifts=lifts)
    yield from _hurts(run)
    yield from _pay(run, winners)


def _result(run: _Race, won: Sequence[str], totals: Mapping[str, int]) -> str:
    if not won:
        return "Nobody is left in the race, and nobody has won it."
    if run.n_left == 1:
        return f"{won[0]} is the last one left, and has won."
    if len(won) == 1:
        return f"{won[0]} wins with {totals[won[0]]}."
    return f"{words.in_a_row(won)} come in together with {totals[won[0]]} and share."


def _hurts(run: _Race) -> Iterator[Told]:
    """The damage everybody has taken in this race."""
    facts = {}
    said = []
    for name, racer in zip(run.names, run.racers, strict=True):
        own, mounts = int(racer[race.HURT]), int(racer[race.HURT_MOUNT])
        if own or mounts:
            facts[name] = {"damage": own, "mount_damage": mounts}
            theirs = [f"{own}"] if own else []
            theirs += [f"{mounts} to what carries {name}"] if mounts else []
            said.append(f"{name} {' and '.join(theirs)}")
            run.ground.hurt[name] = run.ground.hurt.get(name, 0) + own
    if said:
        yield run.ground.told("damage_taken", f"Damage taken: {', '.join(said)}.", damage=facts)


def _pay(run: _Race, winners: list[int]) -> Iterator[Told]:
    ground, table = run.ground, run.ground.table
    net = [0] * len(run.names)
    pool = contests.settle_stakes(winners, [table.stake_cp] * len(net), net, table.rake_bp)
    net_cp, house = dict(zip(run.names, net, strict=True)), rake(pool, table.rake_bp)
    yield _paid(ground, "payout", net_cp, house, "The stakes go back.")
    backing = {
        who: run.names.index(backed)
        for who, backed in table.options["backers"].items()
        if backed in run.names
    }
    if backing:
        net = [0] * len(backing)
        bets = [table.stake_cp] * len(backing)
        house = contests.settle_book(list(backing.values()), bets, winners, net, table.rake_bp)
        net_cp = dict(zip(backing, net, strict=True))
        yield _paid(ground, "book", net_cp, house, "The bets go back.")


def _paid(ground: _Ground, kind: str, net_cp: dict[str, int], house: int, if_none: str) -> Told:
    for who, net in net_cp.items():
        ground.net_cp[who] += net
    ground.house_cp += house
    text = words.gains(net_cp) or if_none
    text += f" The house takes {show(house)}." if house else ""
    return ground.told(kind, text, net_cp=net_cp, house_cp=house)


PLAY = Play(
    tell=tell,
    seats=(race.MIN_SEATS, race.MAX_SEATS),
    options=(
        *race.OPTIONS,
        race.DATA_OPTION,
        Option("pace", ByName(OneOf(tuple(race_sheet.PACES))), {}, "Who goes at which pace."),
        Option("backers", ByName(Text()), {}, "Onlookers and whom they back: 'Zed=Ann,Yan=Bo'."),
    ),
    has_sheets=True,
    help="""Run a race and tell it, increment by increment.

    What people can do is drawn, or comes from a roster. In a long race people choose
    a pace for themselves, unless it is given or they are asked.

    \b
      tavern play race --course dak-rothian-marathon --players "Ann,Bo,Cy,Di,Ed,Flo"
      tavern play race --increments dash --players "Ann,Bo" --backers "Zed=Ann,Yan=Bo"
      tavern play race --kind climb --dc 14 --increments 4 --ask North --dice North
      tavern play race --course my-river.toml --pace "North=pace,East=sprint"
    """,
)
