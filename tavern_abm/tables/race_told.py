"""A race in front of a game master's table, increment by increment.

The rules are those of `games.race`; only this driver and `race_turns` ask for
dice and decisions and say what happens. What everybody adds to his throws is
said before the start; then every throw is told with its sum, and every increment
ends with a line of standings. Damage is reported; nobody here has hit points.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

import numpy as np

from ..asking import ByName, OneOf, Option, RefusedError
from ..coins import rake, show
from ..courses import mounted, to_array
from ..games import contests, race, race_sheet
from ..games.race_odds import asked_course
from ..patrons.decisions import race as decisions
from . import race_words as words
from .backing import BACKERS, Book, verify_backers
from .race_turns import Ground, Race, Rows, tell_increment
from .telling import AtTable, Play, Told, closing, verify_purse

type Telling[T] = Generator[Told, None, T]


def tell(table: AtTable) -> Iterator[Told]:
    """Hold the races and tell them, record by record.

    Raises
    ------
    RefusedError
        If there is no such course, or somebody cannot cover the stake or backs nobody.
    DataError
        If the course is wrong.
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


def _open(table: AtTable) -> Ground:
    course = asked_course(table.options)
    verify_backers(table, table.players, "race", "race")
    if table.options["pace"] and not table.options["pacing"]:
        problem = "in a race without pacing nobody has a pace; leave out --pace or --no-pacing"
        raise RefusedError(f"{problem} (race)", "pace")
    for who in table.options["pace"]:
        if who not in table.players:
            allowed = f"they race: {', '.join(table.players)}"
            raise RefusedError(f"nobody in the race is called '{who}'; {allowed}", "pace")
    for who in table.purses:
        verify_purse(table, who, "race")
    fatigue = race.FATIGUE.index(table.options["fatigue"])
    return Ground(
        table,
        course,
        to_array(course, table.options["damage_instead"]),
        dict.fromkeys([*table.players, *table.options["backers"]], 0),
        race.is_long_race(course.n_increments, fatigue),
    )


def _announce(ground: Ground) -> Iterator[Told]:
    course = ground.course
    n = "1 increment" if course.n_increments == 1 else f"{course.n_increments} increments"
    text = f"{words.upper(course.title)}, {n}. {course.about}".rstrip()
    if course.retries is not None:
        text += f" {words.retries(course.retries)}"
    facts = {
        "course": course.name or None,
        "title": course.title,
        "increments": course.n_increments,
        "tires": ground.is_long,
    }
    yield Told("announcement", text, facts)


def _call_up(ground: Ground) -> Telling[list[str]]:
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


def _hold(ground: Ground, names: list[str]) -> Iterator[Told]:
    stake = show(ground.table.stake_cp)
    text = f"Race {ground.number}. {words.in_a_row(names)} put up {stake} each."
    yield ground.told("opening", text, racers=names, stake_cp=ground.table.stake_cp)
    book = Book()
    book.lay_backers(ground.table, names)
    for who, on in book.backed.items():
        bet = {"who": who, "on": names[on], "bet_cp": book.bets_cp[who]}
        yield ground.told("bet", book.said(who, names), joins=True, **bet)
    entrants = yield from _set_paces(ground, names)
    run = Race(ground, names, entrants, np.zeros((len(names), race.N_RACER), np.int64))
    yield from _modifiers(run)
    for at in range(1, ground.course.n_increments + 1):
        yield from tell_increment(run, at)
        if run.n_left < race.MIN_SEATS:
            break
    yield from _finish(run, book)


def _set_paces(ground: Ground, names: Sequence[str]) -> Telling[list[Rows]]:
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
            yield ground.told(
                "paces", words.pace(pace, paces[pace], len(names)), pace=pace, who=paces[pace]
            )
    return entrants


def _pace(ground: Ground, who: str) -> str:
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


def _modifiers(run: Race) -> Iterator[Told]:
    """What everybody adds to the throws of each kind of leg, and when they tire."""
    ground, whos = run.ground, dict(zip(run.names, run.entrants, strict=True))
    has_pace = any(who[race_sheet.PACE] for who in run.entrants)
    for kind in dict.fromkeys(leg.kind for leg in ground.course.legs):
        at = race_sheet.KINDS.index(kind)
        parts = {name: _parts(who, at) for name, who in whos.items()}
        sums = {name: sum(each) for name, each in parts.items()}
        text = words.modifiers(kind, parts, has_pace)
        if at >= race_sheet.MOUNTED:
            rides = {n: int(who[race_sheet.MOUNTS + race_sheet.RIDING]) for n, who in whos.items()}
            text += f" {words.rides(rides)}"
        yield ground.told("modifiers", text, leg_kind=kind, modifiers=sums)
    n_mounted = int((ground.rows[:, race.KIND] >= race_sheet.MOUNTED).sum())
    yield from _tiring(run, "racer", len(ground.rows) - n_mounted)
    yield from _tiring(run, "mount", n_mounted)


def _parts(who: Rows, kind: int) -> list[int]:
    """Ability, speed and pace of the check by which a kind of leg is raced."""
    is_mounted = kind >= race_sheet.MOUNTED
    skills = race_sheet.MOUNTS if is_mounted else race_sheet.OWN
    rate = race_sheet.RATE + min(kind, race_sheet.MOUNTED)
    fields = (skills + race_sheet.skill_of(kind), rate, race_sheet.PACE)
    return [int(who[at]) for at in fields]


def _tiring(run: Race, whose: str, n_increments: int) -> Iterator[Told]:
    """After how many increments they make Constitution checks, where anybody has to."""
    safe, added = {
        "racer": (race_sheet.SAFE, race_sheet.ENDURANCE),
        "mount": (race_sheet.MOUNT_SAFE, race_sheet.MOUNT_ENDURANCE),
    }[whose]
    lasts = {}
    for name, who in zip(run.names, run.entrants, strict=True):
        helps = run.ground.course.endurance_helps and whose == "racer"
        bonus = int(who[race_sheet.TOUGHNESS]) if helps else 0
        lasts[name] = int(who[safe]), int(who[added]) + bonus
    tires = {name: each for name, each in lasts.items() if each[0] < n_increments}
    if tires:
        text = words.tiring(whose, tires)
        after = {name: each[0] for name, each in tires.items()}
        yield run.ground.told("tiring", text, whose=whose, after=after)


# ---------------------------------------------------------------- after the race


def _finish(run: Race, book: Book) -> Iterator[Told]:
    ground = run.ground
    winners = [0] * len(run.names)
    race.mark_winners(run.racers, winners)
    won = [name for name, is_winner in zip(run.names, winners, strict=True) if is_winner]
    totals = dict(zip(run.names, run.racers[:, race.TOTAL].tolist(), strict=True))
    lifts = {"winners": won, "totals": totals}
    text = _result(run, won, totals)
    yield Told("result", text, {"winners": won, "totals": totals}, ground.number, lifts=lifts)
    yield from _hurts(run)
    yield from _pay(run, winners, book)


def _result(run: Race, won: Sequence[str], totals: Mapping[str, int]) -> str:
    if not won:
        return "Nobody is left in the race, and nobody has won it."
    if run.n_left == 1:
        return f"{won[0]} is the last one left, and has won."
    if len(won) == 1:
        return f"{won[0]} wins with {totals[won[0]]}."
    return f"{words.in_a_row(won)} come in together with {totals[won[0]]} and share."


def _hurts(run: Race) -> Iterator[Told]:
    """The damage everybody has taken in this race."""
    facts = {}
    said = []
    is_ridden = (run.ground.rows[:, race.KIND] == race_sheet.MOUNTED).any()
    carrier = "mount" if is_ridden else "vehicle"
    for name, racer in zip(run.names, run.racers, strict=True):
        own, mounts = int(racer[race.HURT]), int(racer[race.HURT_MOUNT])
        if own or mounts:
            facts[name] = {"damage": own, "mount_damage": mounts}
            said += [f"{name} {own}"] if own else []
            said += [f"{name}'s {carrier} {mounts}"] if mounts else []
            run.ground.hurt[name] = run.ground.hurt.get(name, 0) + own
    if said:
        yield run.ground.told("damage_taken", f"Damage taken: {', '.join(said)}.", damage=facts)


def _pay(run: Race, winners: list[int], book: Book) -> Iterator[Told]:
    ground, table = run.ground, run.ground.table
    net = [0] * len(run.names)
    pool = contests.settle_stakes(winners, [table.stake_cp] * len(net), net, table.rake_bp)
    net_cp, house = dict(zip(run.names, net, strict=True)), rake(pool, table.rake_bp)
    yield _paid(ground, "payout", net_cp, house, "The stakes go back.")
    if book:
        net_cp, house = book.settle(winners, table.rake_bp)
        yield _paid(ground, "book", net_cp, house, "The bets go back.")


def _paid(ground: Ground, kind: str, net_cp: dict[str, int], house: int, if_none: str) -> Told:
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
        race.ENDURANCE_OPTION,
        race.DATA_OPTION,
        Option("pace", ByName(OneOf(tuple(race_sheet.PACES))), {}, "Who goes at which pace."),
        BACKERS,
    ),
    has_sheets=True,
    help="""Run a race and tell it, increment by increment.

    What people can do is drawn, or comes from a roster. In a long race people choose
    a pace for themselves, unless it is given or they are asked.

    \b
      tavern play race --course dak-rothian-marathon --players "Ann,Bo,Cy,Di,Ed,Flo"
      tavern play race --increments dash --players "Ann,Bo" --backers "Zed=Ann:5 sp,Yan=Bo"
      tavern play race --kind climb --dc 14 --increments 4 --ask North --dice North
      tavern play race --course my-river.toml --pace "North=pace,East=sprint"
    """,
)
