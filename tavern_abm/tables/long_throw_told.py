"""A long throw in front of a game master's table, throw by throw.

The rules are those of `games.long_throw`; only this driver asks for dice and
decisions and says what happens.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..asking import Flag, Option, RefusedError, Whole
from ..chance import CHOICE, roll, run_key
from ..coins import rake, show
from ..games import contests
from ..games import long_throw as lt
from ..games.long_throw_odds import too_heavy, verify_style
from ..objects import ThrownObject, find_object
from ..patrons.competitor import Competitor
from ..patrons.decisions.long_throw import backs_thrower, throwing_form
from . import long_throw_words as words
from .backing import BACKERS, Book, bet_of, never_laid, verify_backers
from .telling import HOUSE, AtTable, Play, Told, closing, verify_purse

RATIONALITY, THRILL = 4.0, 0.25
type Telling[T] = Generator[Told, None, T]


@dataclass
class _Yard:
    """Who is in the yard, and what carries over from contest to contest."""

    table: AtTable
    thing: ThrownObject
    contest: lt.Contest
    throwers: Mapping[str, lt.Thrower]  # those who can lift it
    net_cp: dict[str, int]
    house_cp: int = 0
    number: int = 0  # of the contest
    n_said: int = 0
    last: dict[tuple[str, ...], str] = field(default_factory=dict)  # said of each wordings
    bettors: set[str] = field(default_factory=set)  # who has laid a bet so far

    def told(self, kind: str, text: str, **facts: Any) -> Told:
        """A record of the contest that is on."""
        return Told(kind, text, facts, round=self.number)

    def say(self, *wordings: str) -> str:
        """One of some wordings, not the one before, the same for the same seed."""
        self.n_said += 1
        fresh = [each for each in wordings if each != self.last.get(wordings)] or wordings
        key = run_key(self.table.seed)
        said = self.last[wordings] = fresh[roll(key, CHOICE, self.n_said, len(fresh)) - 1]
        return said

    def can_pay(self, who: str, sum_cp: int) -> bool:
        """Say whether a purse still covers so much."""
        purse = self.table.purses.get(who)
        return purse is None or purse + self.net_cp[who] >= sum_cp


def tell(table: AtTable) -> Iterator[Told]:
    """Hold the contests and tell them, record by record."""
    yard = _open_yard(table)
    yield from _announce(yard)
    for number in range(1, table.rounds + 1):
        yard.number = number
        names = yield from _call_up(yard)
        if len(names) < lt.MIN_SEATS:
            yield yard.told("called_off", "Fewer than two are left to throw, and that is that.")
            break
        yield from _hold(yard, names)
    for who, text in never_laid(table, yard.bettors, "throw"):
        yield yard.told("not_laid", text, onlooker=who)
    gains = ", ".join(words.stands(who, net) for who, net in yard.net_cp.items())
    text = f"When all is thrown: {gains}." if table.rounds > 1 else ""
    yield closing(yard.net_cp, yard.house_cp, text)


# ---------------------------------------------------------------- before the first throw


def _open_yard(table: AtTable) -> _Yard:
    options = table.options
    style = options["style"]
    name = options["object"] or lt.OBJECTS[lt.STYLES.index(style)]
    thing = find_object(name, options["data"])
    verify_style(thing, PLAY.options, options)
    contest = lt.to_contest(thing.weight_lb, thing.increment_ft, thing.weapon, options)
    everybody = {who: to_thrower(sheet) for who, sheet in table.sheets.items()}
    throwers = {who: each for who, each in everybody.items() if lt.can_enter(each, contest)}
    _verify_able(everybody, throwers, thing)
    if contest.style == lt.PRECISION:
        _verify_reach(throwers, contest, thing)
    verify_backers(table, throwers, "long-throw", "throw")
    _verify_purses(table, throwers)
    names = [*table.players, *(who for who in options["backers"] if who not in table.players)]
    return _Yard(table, thing, contest, throwers, dict.fromkeys(names, 0))


def to_thrower(sheet: Competitor) -> lt.Thrower:
    """What the contest asks of somebody's sheet."""
    return lt.Thrower(
        sheet.strength,
        sheet.dexterity,
        lt.SIZES.index(sheet.size),
        sheet.base_attack,
        int(sheet.has("Far Shot")),
        int(sheet.has("Weapon Focus")),
    )


def _verify_able(
    everybody: Mapping[str, lt.Thrower], able: Mapping[str, lt.Thrower], thing: ThrownObject
) -> None:
    if len(able) >= lt.MIN_SEATS:
        return
    why = [
        too_heavy(who, f"{who}'s", each.strength, each.size, thing)
        for who, each in everybody.items()
        if who not in able
    ]
    there_is = f"only {next(iter(able))} can lift it" if able else "nobody can"
    raise RefusedError(
        f"{'; '.join(why)}; a contest needs two who can lift it, and {there_is} (long-throw)",
        "object",
    )


def _verify_reach(
    throwers: Mapping[str, lt.Thrower], contest: lt.Contest, thing: ThrownObject
) -> None:
    if not any(lt.can_reach(each, contest, 1) for each in throwers.values()):
        raise RefusedError(
            f"nobody can throw {thing.the} {lt.target_ft(1, contest)} ft: it is more than"
            f" {contest.furthest} range increments for {words.listed(list(throwers))} (long-throw)",
            "target_increments",
        )


def _verify_purses(table: AtTable, throwers: Mapping[str, lt.Thrower]) -> None:
    for who in table.purses:
        if who in throwers:
            verify_purse(table, who, "long-throw")


def _announce(yard: _Yard) -> Iterator[Told]:
    thing, contest = yard.thing, yard.contest
    about = f": {thing.about}" if thing.about else ""
    task = words.TASKS[contest.style].format(contest.toss_ft, lt.target_ft(1, contest))
    text = f"{thing.the.capitalize()} weighs {thing.weight_lb} lb{about}. {task}"
    facts = {"object": thing.name, "weight_lb": thing.weight_lb, "increment_ft": thing.increment_ft}
    yield Told("announcement", text, facts | {"style": lt.STYLES[contest.style]})
    for who, sheet in yard.table.sheets.items():
        thrower = to_thrower(sheet)
        load = lt.load_of(thrower.strength, thrower.size, thing.weight_lb)
        yield Told("load", _loaded(yard, who, thrower, load), _load_facts(who, thrower, load))


def _load_facts(who: str, thrower: lt.Thrower, load: int) -> dict[str, Any]:
    most = lt.maximum_load(thrower.strength, thrower.size)
    return {"who": who, "load": lt.LOAD_NAMES[load], "maximum_load_lb": most}


def _loaded(yard: _Yard, who: str, thrower: lt.Thrower, load: int) -> str:
    """What somebody finds out who picks it up; nothing where it is light."""
    if load == lt.TOO_HEAVY:
        effort = yard.say("bends, heaves, goes red and lets it be", "gets it to move, and no more")
        most = lt.maximum_load(thrower.strength, thrower.size)
        return f"{who} {effort}: {most} lb are the most {who} can lift. No throw for {who}."
    if load == lt.LIGHT:
        return ""
    return f"For {who} it is a {lt.LOAD_NAMES[load]} load: -{lt.PENALTIES[load]} on every roll."


# ---------------------------------------------------------------- who throws, who bets


def _call_up(yard: _Yard) -> Telling[list[str]]:
    """Who throws in this contest; who has run out of coins or has had enough is told."""
    names = []
    for who in yard.throwers:
        if not yard.can_pay(who, yard.table.stake_cp):
            text = f"{who} can no longer cover the stake and looks on."
            yield yard.told("looks_on", text, who=who, why="purse")
        elif not _enters(yard, who):
            yield yard.told("looks_on", f"{who} would rather look on.", who=who, why="choice")
        else:
            names.append(who)
    return names


def _enters(yard: _Yard, who: str) -> bool:
    """Ask those who decide for themselves; the others have come to throw."""
    question = f"{who}, do you throw for {show(yard.table.stake_cp)}?"
    return yard.table.deciders.choose(who, question, ("yes", "no"), lambda u: "yes") == "yes"


def _place_bets(yard: _Yard, names: Sequence[str]) -> Telling[Book]:
    """What the onlookers lay on those who throw."""
    book = Book()
    for who in yard.net_cp:
        bet = bet_of(yard.table, who)
        if who in names or not yard.can_pay(who, bet):
            continue
        choice = _backs(yard, who, names, book.on_each(len(names)))
        if choice != contests.NO_BET:
            book.lay(who, choice, bet)
            yard.bettors.add(who)
            facts = {"onlooker": who, "backs": names[choice], "bet_cp": bet}
            yield yard.told("bet", book.said(who, names), **facts)
    return book


def _backs(yard: _Yard, who: str, names: Sequence[str], bets: Sequence[int]) -> int:
    """The index of whom somebody backs, or NO_BET; `bets`: what lies on each in cp."""
    options, stake = yard.table.options, yard.table.stake_cp
    if who in options["backers"]:
        backed = options["backers"][who].on
        return names.index(backed) if backed in names else contests.NO_BET
    forms = [throwing_form(yard.throwers[name], yard.contest) for name in names]

    def otherwise(u: float) -> int:
        if not options["onlookers_bet"]:
            return 0
        return backs_thrower(forms, bets, stake, RATIONALITY, THRILL, u) + 1

    numbered = ", ".join(f"{i} {name}" for i, name in enumerate(names, start=1))
    question = f"{who}, whom do you back with {show(stake)}? 0 nobody, {numbered}"
    return yard.table.deciders.number(who, question, 0, len(names), otherwise) - 1


# ---------------------------------------------------------------- a contest


def _hold(yard: _Yard, names: Sequence[str]) -> Iterator[Told]:
    stake = yard.table.stake_cp
    text = f"{words.listed(names)} put up {show(stake)} each."
    if yard.table.rounds > 1:
        text = f"Contest {yard.number}. {text}"
    yield yard.told("opening", text, throwers=list(names), stake_cp=stake)
    book = yield from _place_bets(yard, names)
    if yard.contest.style == lt.PRECISION:
        winners = yield from _throw_at_target(yard, names)
    else:
        winners = yield from _throw_once_each(yard, names)
    yield from _settle(yard, names, winners, book)


class _Thrown(NamedTuple):
    """A throw, and what it is worth."""

    result: int  # degree of success
    tenths: int  # of a foot; 0 for a caber
    counts: bool  # False: a toss that fell short


def _throw_once_each(yard: _Yard, names: Sequence[str]) -> Telling[list[int]]:
    thrown = yield from _throw_all(yard, names)
    best = _best(thrown)
    while len(best) > 1 and yard.table.options["throw_off"]:
        tied = f"{words.listed(best)} tie at {thrown[best[0]].result} and throw again."
        yield yard.told("throw_off", tied, who=best)
        thrown = yield from _throw_all(yard, best)
        best = _best(thrown) or best  # all short of the hay: as they were
    result = max((thrown[who].result for who in best), default=0)
    why = _despite(yard, best[0], thrown) if len(best) == 1 else ""
    yield _result(yard, best, f"with {result}", f"tie at {result}", why)
    return [int(who in best) for who in names]


def _throw_all(yard: _Yard, names: Sequence[str]) -> Telling[dict[str, _Thrown]]:
    thrown = {}
    for who in names:
        thrown[who] = yield from _throw(yard, who)
    return thrown


def _best(thrown: Mapping[str, _Thrown]) -> list[str]:
    """Who threw best; nobody if every toss fell short."""
    winners = [0] * len(thrown)
    results = [each.result for each in thrown.values()]
    lt.find_best(results, [int(each.counts) for each in thrown.values()], winners)
    return [who for who, won in zip(thrown, winners, strict=True) if won]


def _despite(yard: _Yard, winner: str, thrown: Mapping[str, _Thrown]) -> str:
    """Why a throw has won that was not the longest."""
    far = thrown[winner].tenths
    longer = [who for who, each in thrown.items() if each.tenths > far]
    level = [who for who, each in thrown.items() if each.tenths == far > 0 and who != winner]
    return words.despite(winner, longer, level, lt.doubles(yard.throwers[winner], yard.contest))


def _result(yard: _Yard, best: list[str], won: str, tied: str, why: str = "") -> Told:
    if not best:
        text = "Not one has reached the hay, and so nobody wins."
    elif len(best) > 1:
        text = f"{words.listed(best)} {tied} and share."
    else:
        text = f"{best[0]} {yard.say('wins', 'has it', 'takes it')} {won}. {why}".rstrip()
    facts = {"winners": best}
    return Told("result", text, facts, round=yard.number, lifts=facts)


def _throw(yard: _Yard, who: str) -> Telling[_Thrown]:
    """One check, and where it sends the object."""
    thrower, contest = yard.throwers[who], yard.contest
    is_caber, is_toss = contest.style == lt.CABER, contest.style == lt.TOSS
    what = "a Dexterity check" if is_caber else "a Strength check"
    natural = yard.table.dice.roll(who, 20, f"{what} with {yard.thing.the}")
    result = lt.degree_of_success(natural, thrower, contest)
    facts: dict[str, Any] = {
        "thrower": who,
        "natural": natural,
        "modifier": lt.check_modifier(thrower, contest),
        "result": result,
    }
    roll_text = words.sum_of(natural, lt.check_modifier(thrower, contest))
    if lt.doubles(thrower, contest):
        roll_text += f", doubled by Far Shot to {result}"
    if is_caber:
        yield yard.told("throw", words.turned(yard.say, who, roll_text, result), **facts)
        yield from _land(yard, thrower, is_solid=False)
        return _Thrown(result, 0, counts=True)
    tenths = lt.distance_tenths(natural, thrower, contest)
    is_short = is_toss and lt.falls_short(natural, thrower, contest)
    facts |= {"tenths_ft": tenths} | ({"falls_short": is_short} if is_toss else {})
    yield yard.told("throw", words.thrown(yard.say, who, yard.thing, roll_text, tenths), **facts)
    is_solid = 0 < 10 * yard.table.options["wall"] <= tenths
    if is_solid or not (is_toss and yard.table.options["soft_landing"] and not is_short):
        yield from _land(yard, thrower, is_solid)
    if is_short:
        yield from _pelt(yard, who)
    return _Thrown(result, tenths, counts=not is_short)


# ---------------------------------------------------------------- thrown people


def _land(yard: _Yard, thrower: lt.Thrower, is_solid: bool) -> Iterator[Told]:
    """What becomes of a person thrown; nothing is told of a thing."""
    options, dice = yard.table.options, yard.table.dice
    if not yard.thing.person:
        return
    natural = dice.roll(HOUSE, 20, f"a Tumble check of {yard.thing.the}")
    is_well = lt.lands_well(natural, options["tumble"])
    die = 0 if is_well and not is_solid else dice.roll(HOUSE, 6, "the landing")
    damage = lt.impact(die, thrower.strength, is_solid)
    facts = {"natural": natural, "tumble": options["tumble"], "is_solid": is_solid, "die": die}
    hurt = {"damage": 0 if is_well else damage, "struck_damage": damage if is_solid else 0}
    check = words.sum_of(natural, options["tumble"])
    text = words.landed(yard.say, yard.thing, is_well, is_solid, damage, check)
    told = yard.told("landing", text, thrown=yard.thing.name, **facts, **hurt)
    yield Told(told.kind, told.text, told.facts, told.round, joins=True)


def _pelt(yard: _Yard, who: str) -> Iterator[Told]:
    n_stones = yard.table.dice.roll(HOUSE, 4, f"the stones for {who}")
    damage = lt.pelting(n_stones, yard.table.options["stone_damage"])
    stones = "one stone finds" if n_stones == 1 else f"{n_stones} stones find"
    jeer = yard.say(
        "Short! The little folk along the fence have kept stones for this",
        "That is not the hay. Somebody three feet tall gives the word",
    )
    text = f"{jeer}: {stones} {who}, {words.points(damage)}, and {who} has lost."
    yield yard.told("pelted", text, thrower=who, n_stones=n_stones, damage=damage)


# ---------------------------------------------------------------- precision


def _throw_at_target(yard: _Yard, names: Sequence[str]) -> Telling[list[int]]:
    is_in = [1] * len(names)
    series, n_left = 1, len(names)
    while n_left > 1 and _somebody_reaches(yard, names, is_in, series):
        yield _series_opens(yard, series)
        has_hit = [0] * len(names)
        for i, who in enumerate(names):
            if is_in[i]:
                has_hit[i] = yield from _throw_at(yard, who, series)
        before = list(is_in)
        n_left = lt.after_series(is_in, has_hit)
        yield _series_ends(yard, names, before, is_in, series)
        series += 1
    best = [who for who, still in zip(names, is_in, strict=True) if still]
    beyond = f"cannot throw {lt.target_ft(series, yard.contest)} ft"
    yield _result(yard, best, "as the last one in", beyond)
    return is_in


def _somebody_reaches(yard: _Yard, names: Sequence[str], is_in: Sequence[int], series: int) -> bool:
    left = [who for who, still in zip(names, is_in, strict=True) if still]
    return any(lt.can_reach(yard.throwers[who], yard.contest, series) for who in left)


def _series_opens(yard: _Yard, series: int) -> Told:
    far = lt.target_ft(series, yard.contest)
    moved = series > 1 and far > lt.target_ft(series - 1, yard.contest)
    text = f"Series {series}: the target {'moves back to' if moved else 'stands at'} {far} ft."
    return yard.told("series", text, series=series, distance_ft=far)


def _throw_at(yard: _Yard, who: str, series: int) -> Telling[int]:
    thrower, contest = yard.throwers[who], yard.contest
    if not lt.can_reach(thrower, contest, series):
        text = f"{who} cannot throw so far; that is a miss."
        yield yard.told("throw", text, thrower=who, series=series, natural=None, hit=False)
        return 0
    natural = yard.table.dice.roll(who, 20, f"an attack roll with {yard.thing.the}")
    modifier = lt.attack_modifier(thrower, contest, series)
    is_hit = lt.hits(natural, modifier, contest.target_ac)
    if is_hit:
        end = yard.say("a hit", "it strikes home", "dead on")
    else:
        end = yard.say("a miss", "wide", "it drops short")
    text = f"{who}: {words.aimed(natural, modifier, contest.target_ac, is_hit)}; {end}."
    facts = {"thrower": who, "series": series, "natural": natural, "modifier": modifier}
    yield yard.told("throw", text, **facts, hit=is_hit)
    yield from _land(yard, thrower, is_solid=is_hit)
    return int(is_hit)


def _series_ends(
    yard: _Yard, names: Sequence[str], before: Sequence[int], is_in: Sequence[int], series: int
) -> Told:
    out = [who for who, was, still in zip(names, before, is_in, strict=True) if was > still]
    left = [who for who, still in zip(names, is_in, strict=True) if still]
    text = f"{words.listed(out)} {'are' if len(out) > 1 else 'is'} out." if out else "All stay in."
    return yard.told("series_end", text, series=series, out=out, left=left)


# ---------------------------------------------------------------- money


def _settle(
    yard: _Yard, names: Sequence[str], winners: Sequence[int], book: Book
) -> Iterator[Told]:
    rake_bp, stake = yard.table.rake_bp, yard.table.stake_cp
    net = [0] * len(names)
    pool = contests.settle_stakes(winners, [stake] * len(names), net, rake_bp)
    taken = rake(pool, rake_bp)
    yield _paid(yard, "payout", dict(zip(names, net, strict=True)), taken, "")
    if book:
        yield _paid(yard, "book", *book.settle(winners, rake_bp), "In the book: ")


def _paid(yard: _Yard, kind: str, net_cp: Mapping[str, int], house_cp: int, where: str) -> Told:
    for who, net in net_cp.items():
        yard.net_cp[who] += net
    yard.house_cp += house_cp
    gains = [f"{who} gains {show(net)}" for who, net in net_cp.items() if net > 0]
    losses = [f"{who} loses {show(-net)}" for who, net in net_cp.items() if net < 0]
    parts = gains + (losses if where else [])
    parts += [f"the house keeps {show(house_cp)}"] if house_cp else []
    text = f"{where}{words.listed(parts)}." if parts else f"{where}all coins go back.".capitalize()
    return yard.told(kind, text, net_cp=dict(net_cp), house_cp=house_cp)


PLAY = Play(
    tell,
    (lt.MIN_SEATS, lt.MAX_SEATS),
    (
        lt.STYLE,
        lt.OBJECT,
        *lt.RULINGS,
        *lt.TARGET,
        *lt.HAY,
        Option("tumble", Whole(-10, 60), 1, "Tumble modifier of whoever is thrown."),
        Option(
            "wall", Whole(0, 1000), 0, "Feet to something solid that stops the thrown; 0: none."
        ),
        lt.THROW_OFF,
        BACKERS,
        Option("onlookers_bet", Flag(), False, "Players who cannot lift it bet as they like."),
        lt.DATA,
    ),
    """Hold a long throw at the table and tell it.

    Everybody who can lift the object throws it, for a stake each; who cannot looks
    on. People are drawn unless a roster says what they can do.

    \b
      tavern play long-throw --players "Ann,Bo,Cy" --seed 3
      tavern play long-throw --object log --roster party.toml
      tavern play long-throw --style precision --rounds 3
      tavern play long-throw --style toss --backers "Zed=North:5 sp,Yan=East"
      tavern play long-throw --object halfling --wall 10 --tumble 4
    """,
    has_sheets=True,
)
