"""Arm wrestling at the table, round by round, as a game master tells it.

The rules are those of `games.arm_wrestling`. Two wrestle; the others wait in
line and may bet. The winner stays, the next in line challenges; whoever nobody
takes on, or who takes on nobody, gives up the table to the next. A game keeps

    line      who wrestles whom: the holder first, then the challengers
    tired     who failed a check and has not rested for a minute since
    injured   whose hand the spikes or flames have spoilt

from bout to bout.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field

from ..chance import CHOICE, roll, run_key, subkey
from ..chance import PLAY as AT_PLAY
from ..coins import rake, show
from ..games import arm_wrestling as aw
from ..games.contests import NO_BET, settle_stakes
from ..patrons.decisions.arm_wrestling import backs_wrestler, wrestles
from . import arm_wrestling_words as words
from .arm_wrestling_sides import OPTIONS, Side, side, verify
from .backing import Book, bet_of, never_laid
from .telling import AtTable, Play, Told, closing

RATIONALITY = 4.0
THRILL = 0.25
PLENTY = 100
"""Who has no purse named has this many stakes, when he asks himself whether to wrestle."""


@dataclass
class _Corner:
    """What carries over from bout to bout."""

    line: list[str]  # the holder, then the challengers in their order
    net_cp: dict[str, int]
    house_cp: int = 0
    tired: dict[str, int] = field(default_factory=dict)  # rounds rested since
    injured: set[str] = field(default_factory=set)
    number: int = 0  # of the bout
    said: int = 0  # wordings picked so far
    last: dict[tuple[str, ...], str] = field(default_factory=dict)  # picked of each wordings
    bettors: set[str] = field(default_factory=set)  # who has laid a bet so far


def tell(table: AtTable) -> Iterator[Told]:
    """Play `table.rounds` bouts and tell them, record by record.

    Raises
    ------
    RefusedError
        If somebody cannot take part: no stake, no caster level, nobody to back.
    """
    verify(table)
    onlookers = [name for name in table.options["backers"] if name not in table.players]
    corner = _Corner(list(table.players), dict.fromkeys([*table.players, *onlookers], 0))
    for number in range(1, table.rounds + 1):
        corner.number = number
        yield from _stand_down(table, corner)
        if len(corner.line) < aw.MIN_SEATS:
            break
        pair = yield from _find_pair(table, corner)
        if pair is None:
            break
        yield from _bout(table, corner, *pair)
    for who, text in never_laid(table, corner.bettors, "bout"):
        yield Told("not_laid", text, {"who": who}, corner.number)
    text = words.gains(corner.net_cp) if table.rounds > 1 else ""
    yield closing(
        corner.net_cp,
        corner.house_cp,
        f"When all is done: {text}" if text else "",
        tired=sorted(corner.tired),
        injured=sorted(corner.injured),
    )


# ---------------------------------------------------------------- who wrestles


def _left_cp(table: AtTable, corner: _Corner, name: str) -> int:
    """What somebody has; who has no purse named has plenty."""
    purse = table.purses.get(name)
    return PLENTY * table.stake_cp if purse is None else purse + corner.net_cp[name]


def _stand_down(table: AtTable, corner: _Corner) -> Iterator[Told]:
    for name in list(corner.line):
        if _left_cp(table, corner, name) < table.stake_cp:
            corner.line.remove(name)
            text = f"{name} cannot cover another stake and stands down."
            yield Told("stands_down", text, {"who": name}, corner.number)


type _Pair = tuple[Side, Side] | None


def _find_pair(table: AtTable, corner: _Corner) -> Generator[Told, None, _Pair]:
    """Who holds the table and who takes him on; None if no two will wrestle.

    Each in the line holds the table once, until there are two.
    """
    for _ in range(len(corner.line)):
        holder, *others = corner.line
        pair = yield from _challenge(table, corner)
        if pair is not None:
            return pair
        corner.line = [*others, holder]
        text = f"There is no bout against {holder}, and the table passes to {others[0]}."
        yield Told("no_bout", text, {"holder": holder}, corner.number)
    text = "Everybody has held the table, no two will wrestle, and that is that."
    yield Told("called_off", text, {}, corner.number)
    return None


def _challenge(table: AtTable, corner: _Corner) -> Generator[Told, None, _Pair]:
    """The holder, and the next in line where both will wrestle; nobody: None."""
    holder = corner.line[0]
    for name in corner.line[1:]:
        a, b = _come(table, corner, holder), _come(table, corner, name)
        unwilling, other = b, a
        if _takes_it(table, corner, b, a, f"wrestle {holder}"):
            if _takes_it(table, corner, a, b, f"{name} challenges you; wrestle"):
                return a, b
            unwilling, other = a, b
        corner.line.remove(name)
        corner.line.append(name)
        text = f"{unwilling.name} would rather not take on {other.name}."
        facts = {"who": unwilling.name, "against": other.name}
        yield Told("declines", text, facts, corner.number)
    return None


def _come(table: AtTable, corner: _Corner, name: str) -> Side:
    return side(table, name, corner.tired, corner.injured)


def _takes_it(table: AtTable, corner: _Corner, one: Side, other: Side, would_he: str) -> bool:
    """Whether one will wrestle the other; `would_he`: as the question puts it."""
    if not (table.options["choosy"] or table.deciders.is_asked(one.name)):
        return True
    purse = _left_cp(table, corner, one.name)
    edge = one.arm.pull - other.arm.pull

    def of_itself(u: float) -> str:
        takes = wrestles(edge, table.stake_cp, purse, RATIONALITY, THRILL, 0.0, u)
        return "yes" if takes else "no"

    question = f"{one.name}, {would_he} for {show(table.stake_cp)}?"
    return table.deciders.choose(one.name, question, ("yes", "no"), of_itself) == "yes"


# ---------------------------------------------------------------- a bout


def _bout(table: AtTable, corner: _Corner, a: Side, b: Side) -> Iterator[Told]:
    yield _opening(table, corner, a, b)
    book = yield from _lay_bets(table, corner, a, b)
    bout = aw.clasp()
    while bout.ended == aw.WRESTLING:
        if any(aw.must_check(bout.rounds, each.arm.wind) for each in (a, b)):
            bout = yield from _checks(table, corner, bout, a, b)
        if bout.ended == aw.WRESTLING:
            bout = yield from _round(table, corner, bout, a, b)
    winner = {aw.A_WINS: a, aw.B_WINS: b}.get(bout.ended)
    yield _result(table, corner, bout, a, b)
    if winner is not None:
        yield from _hurt(table, corner, winner, b if winner is a else a)
    yield from _pay(table, corner, a, b, winner)
    if book:
        won = (int(winner is a), int(winner is b))
        yield _pay_book(corner, *book.settle(won, table.rake_bp))
    yield from _afterwards(table, corner, bout, a, b)


def _opening(table: AtTable, corner: _Corner, a: Side, b: Side) -> Told:
    style, surface = table.options["style"], table.options["surface"]
    hand = "right" if table.options["hand"] == "main" else "left"
    scene = words.SCENES[style, surface].format(a=a.name, b=b.name, hand=hand)
    text = f"Bout {corner.number}, {show(table.stake_cp)} a side. {scene} {_form(a)} {_form(b)}"
    facts = {
        place: {
            "name": one.name,
            "modifier": one.arm.pull,
            "free_rounds": one.arm.wind,
            "check_modifier": one.arm.stamina,
            "weighs": list(one.weighs),
        }
        for place, one in (("a", a), ("b", b))
    }
    return Told("opening", text, {"bout": corner.number, **facts}, corner.number)


def _form(one: Side) -> str:
    weighs = f" ({words.in_a_row(one.weighs)})" if one.weighs else ""
    wind = "1 round" if one.arm.wind == 1 else f"{one.arm.wind} rounds"
    return f"{one.name}: {one.arm.pull:+}{weighs}, good for {wind}."


def _checks(
    table: AtTable, corner: _Corner, bout: aw.Bout, a: Side, b: Side
) -> Generator[Told, None, aw.Bout]:
    """The Constitution checks before a round."""
    naturals = [0, 0]
    ability = "Wisdom" if table.options["style"] == "mental" else "Constitution"
    is_second = False
    for i, one in enumerate((a, b)):
        if not aw.must_check(bout.rounds, one.arm.wind):
            continue
        naturals[i] = table.dice.roll(one.name, 20, f"a {ability} check")
        holds = aw.holds_out(bout.rounds, one.arm, naturals[i])
        dc = aw.check_dc(bout.rounds, one.arm.wind)
        told = (words.HOLDS_OUT if holds else words.GIVES_OUT)[table.options["style"]]
        summed = words.sum_of(naturals[i], one.arm.stamina)
        text = f"{one.name} tires, {summed} against DC {dc}."
        text = f"{text} {_pick(table, corner, told).format(who=one.name)}"
        facts = {
            "who": one.name,
            "ability": ability.lower(),
            "natural": naturals[i],
            "modifier": one.arm.stamina,
            "dc": dc,
            "passed": bool(holds),
        }
        yield Told("check", text, facts, corner.number, joins=is_second)
        is_second = True
    return aw.after_checks(bout, a.arm, b.arm, *naturals)


def _round(
    table: AtTable, corner: _Corner, bout: aw.Bout, a: Side, b: Side
) -> Generator[Told, None, aw.Bout]:
    """A round's opposed checks."""
    style, target = table.options["style"], table.options["target"]
    what = {"arm": "a Strength check", "mental": "an Intelligence check"}
    purpose = what.get(style, "a caster-level check")
    naturals = [table.dice.roll(one.name, 20, purpose) for one in (a, b)]
    natural_a, natural_b = naturals
    after = aw.after_round(bout, a.arm, b.arm, natural_a, natural_b, target)
    total_a, total_b = natural_a + a.arm.pull, natural_b + b.arm.pull
    text = f"Round {after.rounds}: {a.name} {total_a}, {b.name} {total_b}."
    if after.ended == aw.WRESTLING:
        text = f"{text} {_movement(table, corner, bout.lead, after.lead, a, b)}"
    facts = {
        "number": after.rounds,
        "naturals": naturals,
        "modifiers": [a.arm.pull, b.arm.pull],
        "lead": after.lead,
    }
    yield Told("round", text, facts, corner.number)
    return after


def _movement(table: AtTable, corner: _Corner, before: int, after: int, a: Side, b: Side) -> str:
    style, surface = table.options["style"], table.options["surface"]
    told = (words.MINDS if style == "mental" else words.HANDS)[words.moved(before, after)]
    gainer, loser = (a, b) if after > before else (b, a)
    moves = _pick(table, corner, told).format(gainer=gainer.name, loser=loser.name)
    how = words.stands(style, surface, after, table.options["target"], a.name, b.name)
    return f"{moves} {how}".rstrip()


def _result(table: AtTable, corner: _Corner, bout: aw.Bout, a: Side, b: Side) -> Told:
    by_fatigue = bool(bout.tired_a or bout.tired_b)
    winner, loser = (a, b) if bout.ended == aw.A_WINS else (b, a)
    is_draw = bout.ended == aw.DRAW
    won = None if is_draw else winner.name
    lifts = {"a": a.name, "b": b.name, "winner": won, "n_rounds": bout.rounds, "lead": bout.lead}
    facts = {"winner": won, "by": "fatigue" if by_fatigue else "lead"}
    if is_draw:
        text = "Both give out, and neither leads: a draw."
        return Told("result", text, facts, corner.number, joins=True, lifts=lifts)
    if bout.tired_a and bout.tired_b:
        how = f"Both give out, and {winner.name} leads."
    elif by_fatigue:
        how = ""
    else:
        told = words.PINNED[table.options["style"]]
        how = _pick(table, corner, told).format(winner=winner.name, loser=loser.name)
    text = f"{how} {winner.name} wins bout {corner.number}.".lstrip()
    return Told("result", text, facts, corner.number, joins=True, lifts=lifts)


def _hurt(table: AtTable, corner: _Corner, winner: Side, loser: Side) -> Iterator[Told]:
    """What the loser suffers where there are spikes, flames or damaging minds."""
    is_mental = table.options["style"] == "mental"
    surface = "mental" if is_mental else table.options["surface"]
    if surface == "table" or (is_mental and not table.options["mental_damage"]):
        return
    natural = table.dice.roll(winner.name, 4, "damage")
    suffered = aw.damage(natural, winner.bonus)
    summed = words.sum_of(natural, max(0, winner.bonus))
    text = _pick(table, corner, words.HURT[surface]).format(loser=loser.name, sum=summed)
    if not is_mental:
        corner.injured.add(loser.name)
        text += f" The hand is injured, {aw.INJURED} to attacks and skills with it until healed."
    facts = {
        "who": loser.name,
        "natural": natural,
        "bonus": max(0, winner.bonus),
        "damage": suffered,
        "is_injured": not is_mental,
    }
    yield Told("damage", text, facts, corner.number)


def _afterwards(table: AtTable, corner: _Corner, bout: aw.Bout, a: Side, b: Side) -> Iterator[Told]:
    """Who is tired now, who has rested, and who stands where in the line."""
    for name in list(corner.tired):
        if name not in (a.name, b.name):
            corner.tired[name] += bout.rounds
    for one, is_tired in ((a, bout.tired_a), (b, bout.tired_b)):
        if is_tired or one.name in corner.tired:
            corner.tired[one.name] = 0
    if table.options["rest"]:
        corner.tired.clear()
    for name in [name for name, rested in corner.tired.items() if rested >= aw.REST_ROUNDS]:
        del corner.tired[name]
    goes = a.name if bout.ended == aw.B_WINS else b.name
    stays = b.name if goes == a.name else a.name
    corner.line = [stays, *(name for name in corner.line if name not in (a.name, b.name)), goes]
    newly = [one.name for one, is_tired in ((a, bout.tired_a), (b, bout.tired_b)) if is_tired]
    if newly and not table.options["rest"]:
        verb = "wrestles" if len(newly) == 1 else "wrestle"
        text = f"{words.in_a_row(newly)} {verb} at {aw.TIRED} until rested for a minute."
        yield Told("tired", text, {"who": newly}, corner.number)


# ---------------------------------------------------------------- coins


def _pay(table: AtTable, corner: _Corner, a: Side, b: Side, winner: Side | None) -> Iterator[Told]:
    winners = [int(winner is a), int(winner is b)]
    net = [0, 0]
    pool = settle_stakes(winners, [table.stake_cp] * 2, net, table.rake_bp)
    house = rake(pool, table.rake_bp)
    net_cp = {a.name: net[0], b.name: net[1]}
    _book_keep(corner, net_cp, house)
    text = words.gains(net_cp) if winner else "Both take back their stakes."
    yield Told(
        "payout",
        text + (f" The house takes {show(house)}." if house else ""),
        {"net_cp": net_cp, "house_cp": house},
        corner.number,
    )


def _lay_bets(table: AtTable, corner: _Corner, a: Side, b: Side) -> Generator[Told, None, Book]:
    """What the onlookers lay, on a (0) or on b (1)."""
    names = (a.name, b.name)
    book = Book()
    for name in _onlookers(table, corner, names):
        backing = table.options["backers"].get(name)
        if backing is not None:
            on = names.index(backing.on) if backing.on in names else NO_BET
        else:
            on = _choose_bet(table, name, a, b, book.on_each(2))
        if on == NO_BET:
            continue
        book.lay(name, on, bet_of(table, name))
        corner.bettors.add(name)
        facts = {"who": name, "on": names[on], "bet_cp": bet_of(table, name)}
        yield Told("bet", book.said(name, names), facts, corner.number, joins=len(book) > 1)
    return book


def _onlookers(table: AtTable, corner: _Corner, wrestling: Sequence[str]) -> Iterator[str]:
    """Who could bet on this bout: backers, and players who wait and can pay."""
    for name in dict.fromkeys([*table.options["backers"], *corner.line]):
        if name in wrestling:
            continue
        is_backer = name in table.options["backers"]
        if name not in table.players:
            yield name
        elif _left_cp(table, corner, name) < bet_of(table, name):
            continue
        elif is_backer or table.options["onlookers_bet"] or table.deciders.is_asked(name):
            yield name


def _choose_bet(table: AtTable, name: str, a: Side, b: Side, laid_cp: Sequence[int]) -> int:
    """Whom somebody backs with a stake who sees what lies on each."""
    edge = a.arm.pull - b.arm.pull
    names = (a.name.lower(), b.name.lower(), "neither")
    if len(set(names)) < len(names):
        names = ("first", "second", "neither")
    choices = dict(zip(names, (0, 1, NO_BET), strict=True))
    told = {on: word for word, on in choices.items()}

    def of_itself(u: float) -> str:
        n_first, n_second = (each // table.stake_cp for each in laid_cp)
        return told[backs_wrestler(edge, n_first, n_second, RATIONALITY, THRILL, u)]

    question = f"{name}, {show(table.stake_cp)} on {a.name}, on {b.name}, or neither?"
    return choices[table.deciders.choose(name, question, names, of_itself)]


def _pay_book(corner: _Corner, net_cp: dict[str, int], house: int) -> Told:
    _book_keep(corner, net_cp, house)
    text = words.gains(net_cp) or "The bets go back."
    if house:
        text += f" The house keeps {show(house)}."
    return Told("book", text, {"net_cp": net_cp, "house_cp": house}, corner.number, joins=True)


def _book_keep(corner: _Corner, net_cp: dict[str, int], house: int) -> None:
    for name, net in net_cp.items():
        corner.net_cp[name] += net
    corner.house_cp += house


def _pick(table: AtTable, corner: _Corner, told: Sequence[str]) -> str:
    """One of some wordings by the seed, not the one before."""
    corner.said += 1
    wordings = tuple(told)
    fresh = [each for each in wordings if each != corner.last.get(wordings)] or wordings
    key = subkey(run_key(table.seed), AT_PLAY, 2)
    said = corner.last[wordings] = fresh[roll(key, CHOICE, corner.said, len(fresh)) - 1]
    return said


PLAY = Play(
    tell=tell,
    seats=(aw.MIN_SEATS, aw.MAX_SEATS),
    options=OPTIONS,
    has_sheets=True,
    help="""Play arm wrestling and tell every round.

    The first two players wrestle; the winner stays and the next in line challenges.
    What people can do is drawn, or comes from a roster.

    \b
      tavern play arm-wrestling --players "Ann,Bo,Cy" --rounds 4 --seed 7
      tavern play arm-wrestling --surface spikes --backers "Zed=North:5 sp,Yan=East"
      tavern play arm-wrestling --players "Ann,Bo" --style mage-hand --caster-levels "Ann=5,Bo=3"
      tavern play arm-wrestling --players "Ann,Bo" --dice Ann --ask Ann
    """,
)
