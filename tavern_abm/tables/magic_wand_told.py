"""Magic Wand at the table, throw by throw and bet by bet, as a game master tells it.

Dice and spells are those of `games.magic_wand`, bets and pots those of
`games.betting`. A game runs like this:

1. Everybody antes; one has the button.
2. Three times, with d4, d6 and d8: hidden throws (and a cheat's fingers, where
   no referee watches), a betting round, the dice are shown. As soon as only
   one has not folded: on to 4.
3. The showdown: a circuit of spells, one of Contingencies (`magic_wand_shown`).
4. The pots, the main pot first; the button moves on.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ..asking import OneOf, Option, RefusedError, Text, Whole
from ..checks import HARD_DC, passes
from ..coins import show
from ..games import betting as bt
from ..games import magic_wand as mw
from ..games.rotting_toes import DC_RISE, MAX_FAILED
from ..patrons.decisions import magic_wand as minds
from . import magic_wand_words as words
from .magic_wand_bets import betting_round
from .magic_wand_places import Game, Night, padded
from .magic_wand_pots import pay
from .magic_wand_shown import Reveal, showdown
from .telling import HOUSE, AtTable, Play, Told, closing

NAME = "magic-wand"
KINDS = {"fixed": bt.FIXED, "pot": bt.POT, "no": bt.NO_LIMIT}
PLENTY = 1000
"""Antes before a player who has no purse named, at the start of each game."""
OPTIONS = (
    *mw.OPTIONS,
    Option("cheat", Text("name"), None, "Tries to set his dice; needs --no-referee.", "Tricks"),
    Option("thievery", Whole(-5, 30), 6, "Modifier of --cheat.", "Tricks"),
    Option("dc", Whole(5, 40), HARD_DC, "Of a trick; 2 more after a failure.", "Tricks"),
    Option("first_button", Text("name"), None, "Has it first, without a roll-off."),
    Option(
        "screen",
        OneOf(("players", "gm")),
        None,
        "Who reads along. Players: what is hidden is told to nobody. By default the gm;"
        " the players where somebody is asked.",
    ),
)


def tell(table: AtTable) -> Iterator[Told]:
    """Play `table.rounds` games and tell them, record by record.

    Raises
    ------
    RefusedError
        If somebody cannot cover the ante, or a cheat is wanted under a referee's eyes.
    """
    _verify(table)
    night = Night(table, list(table.players), dict.fromkeys(table.players, 0))
    yield from _first_button(night)
    for number in range(1, table.rounds + 1):
        yield from _stand_up(night, number)
        if len(night.present) < mw.MIN_SEATS:
            text = f"Fewer than {mw.MIN_SEATS} are left, and the table breaks up."
            yield Told("breaks_up", text, {"present": list(night.present)}, number)
            break
        yield from _game(night, number)
        night.button = _next(night, night.button)
    text = f"When the table rises: {words.gains(night.net_cp)}" if table.rounds > 1 else ""
    yield closing(night.net_cp, night.house_cp, text if any(night.net_cp.values()) else "")


# ---------------------------------------------------------------- at the door


def _verify(table: AtTable) -> None:
    """Refuse what makes no sense before anything is thrown."""
    for option in ("cheat", "first_button"):
        name = table.options[option]
        if name is not None and name not in table.players:
            there = ", ".join(table.players)
            raise RefusedError(f"nobody here is called '{name}'; there are {there}", option)
    if table.options["cheat"] and table.options["referee"]:
        who = table.options["cheat"]
        problem = f"{who} cannot cheat at {NAME} under a referee's eyes; add --no-referee"
        raise RefusedError(problem, "cheat")
    for name, purse_cp in table.purses.items():
        if purse_cp < table.stake_cp:
            raise RefusedError(
                f"{name} cannot sit down at {NAME}: a seat must cover the ante of"
                f" {show(table.stake_cp)}, and this purse holds {show(purse_cp)}",
                "purses",
            )


def _first_button(night: Night) -> Iterator[Told]:
    """The roll-off, thrown by the house: dice given by hand are for the hands."""
    given = night.option("first_button")
    tied = list(night.present) if given is None else [given]
    is_first = True
    while len(tied) > 1:
        faces = {who: night.table.dice.roll(HOUSE, 20, f"{who}'s roll-off") for who in tied}
        tied = [who for who, face in faces.items() if face == max(faces.values())]
        facts = {"faces": faces, "button": tied[0] if len(tied) == 1 else None}
        yield Told("roll_off", words.roll_off(faces, is_first), facts, joins=not is_first)
        is_first = False
    night.button = tied[0]


def _next(night: Night, name: str) -> str:
    """Who of those present sits next clockwise from somebody."""
    players = list(night.table.players)
    at = players.index(name)
    after = players[at + 1 :] + players[: at + 1]
    return next((each for each in after if each in night.present), name)


def _stand_up(night: Night, number: int) -> Iterator[Told]:
    """Who cannot cover another ante leaves."""
    for name in list(night.present):
        purse = night.purse_cp(name)
        if purse is not None and purse < night.table.stake_cp:
            if night.button == name:
                night.button = _next(night, name)
            night.present.remove(name)
            left = f"{show(purse)} left" if purse else "nothing left"
            text = f"{name} has {left}, too little for the ante, and stands up."
            yield Told("stands_up", text, {"who": name, "purse_cp": purse}, number)


# ---------------------------------------------------------------- a game


def _game(night: Night, number: int) -> Iterator[Told]:
    game = _sit_down(night, number)
    yield _opening(game)
    for die in range(mw.N_DICE):
        caught = yield from _throw(game, die)
        if caught is not None:
            yield _void(game, caught)
            return
        yield from betting_round(game, die)
        if bt.n_in(game.chips) == 1:
            break
        yield _show(game, die)
    ranks = yield from _showdown(game)
    yield from pay(game, ranks)


def _sit_down(night: Night, number: int) -> Game:
    ante = night.table.stake_cp
    purses = [night.purse_cp(name) for name in night.present]
    plenty = max([PLENTY * ante, *(purse for purse in purses if purse is not None)])
    chips = bt.lay_out([plenty if purse is None else purse for purse in purses])
    bt.post_antes(chips, ante)
    kind = KINDS[night.option("limit")]
    max_bets = 1 + night.option("max_raises") if kind == bt.FIXED else 0
    limits = bt.Limits(kind, ante, max_bets)
    dice = [[0] * mw.N_DICE for _ in night.present]
    button = night.present.index(night.button)
    return Game(night, number, list(night.present), button, chips, limits, dice)


def _opening(game: Game) -> Told:
    ante, button = game.night.table.stake_cp, game.names[game.button]
    coins = bt.pot(game.chips)
    text = words.opening(game.number, game.names, button, ante, coins)
    text += words.all_in_at_once([game.names[seat] for seat in _all_in(game)])
    return game.told("opening", text, {"players": game.names, "button": button, "ante_cp": ante})


def _all_in(game: Game) -> list[int]:
    return [seat for seat in game.left() if game.chips.status[seat] == bt.ALL_IN]


def _show(game: Game, die: int) -> Told:
    game.n_open = die + 1
    faces = {game.names[seat]: game.dice[seat][die] for seat in game.left()}
    facts = {"die": mw.FACES[die], "faces": faces}
    return game.told("show", words.revealed(die, faces), facts)


def _showdown(game: Game) -> Generator[Told, None, list[int]]:
    """What decides who wins, by seat; the spells are told."""
    live = [int(status != bt.FOLDED) for status in game.chips.status]
    night = game.night
    order, up = night.option("order_matters"), night.option("halve_up")
    hands = mw.deal_hands(game.dice, live, game.button, order, up)
    if sum(live) > 1:
        yield from showdown(Reveal(night.table, game.number, game.names, hands, night.pick))
    return [mw.rank(hands, seat) for seat in game.seats()]


# ---------------------------------------------------------------- the throws


def _throw(game: Game, die: int) -> Generator[Told, None, int | None]:
    """Everybody's hidden throw of a die; the seat that is caught at a trick, if one is."""
    is_first = True
    for seat in game.left():
        who, faces = game.names[seat], mw.FACES[die]
        face = game.night.table.dice.roll(who, faces, f"the hidden {words.DICE[die]}")
        game.dice[seat][die] = face
        facts = {"who": who, "die": faces, "face": face, "hidden": True}
        begins = game.night.pick(words.THROWS[die]) if is_first else ""
        seen = game.night.for_the_master(words.hidden_throw(who, face))
        yield game.told("throw", f"{begins} {seen}".strip(), facts, joins=not is_first)
        is_first = False
        if who == game.night.option("cheat"):
            yield from _try_a_trick(game, seat, die)
            if game.night.failed.get(who, 0) >= MAX_FAILED:
                return seat
    return None


def _try_a_trick(game: Game, seat: int, die: int) -> Iterator[Told]:
    """A Thievery check to set the die just thrown, where another face would be better."""
    night, who, thrown = game.night, game.names[seat], game.dice[seat][die]
    face = _wanted_face(game, seat, die)
    if face == thrown:
        return
    failed = night.failed.get(who, 0)
    modifier, dc = night.option("thievery"), night.option("dc") + DC_RISE * failed
    natural = night.table.dice.roll(who, 20, "a Thievery check")
    succeeded = passes(natural, modifier, dc)
    if succeeded:
        game.dice[seat][die] = face
    else:
        night.failed[who] = failed + 1
    after = game.dice[seat][die]
    facts = {"who": who, "natural": natural, "modifier": modifier, "dc": dc}
    facts |= {"succeeded": succeeded, "faces": [thrown, after], "hidden": True}
    text = night.for_the_master(words.check(who, natural, modifier, dc, die, (thrown, after)))
    yield game.told("check", text, facts, joins=True)
    if not succeeded and failed + 1 < MAX_FAILED:
        odd = night.pick(words.ODD_THROWS).format(who=who)
        yield game.told("odd_throw", odd, {"who": who}, joins=True)


def _wanted_face(game: Game, seat: int, die: int) -> int:
    """What a cheat would like his die to show; what it shows, if he lets it be."""
    own = padded(game.dice[seat][:die])
    thrown = game.dice[seat][die]

    def best(u: float) -> int:
        keys, status = game.open_keys(), game.chips.status
        return int(minds.best_face(seat, minds.hand_key(*own), die, keys, status))

    who = game.names[seat]
    shown = f"{who}, your {words.DICE[die]} shows {thrown}"
    question = f"{shown}; turn it by Thievery to ({thrown} leaves it)"
    return game.night.table.deciders.number(who, question, 1, mw.FACES[die], best)


def _void(game: Game, seat: int) -> Told:
    """The second failed check: the stakes go back, and the cheat is out."""
    night, who = game.night, game.names[seat]
    if night.button == who:
        night.button = _before(night, who)
    night.present.remove(who)
    net_cp = dict.fromkeys(game.names, 0)
    facts = {"who": who, "net_cp": net_cp}
    return game.told("void", words.CAUGHT.format(who=who), facts, joins=True)


def _before(night: Night, name: str) -> str:
    """Who sits before somebody: the button is to move on from there."""
    at = night.present.index(name)
    return night.present[at - 1]


PLAY = Play(
    tell=tell,
    seats=(mw.MIN_SEATS, mw.MAX_SEATS),
    options=OPTIONS,
    stake_cp=1,
    help="""Play Magic Wand, and tell every throw, bet and spell.

    Everybody antes the stake and throws d4, d6 and d8 unseen, with a betting round
    before each is shown; then spells are cast. What only the game master may know
    stands in [square brackets]; with --screen players it is left out, as it is
    wherever somebody is asked.

    \b
      tavern play magic-wand
      tavern play magic-wand --players "Ann,Bo,Cy,Di,Ed" --rounds 5 --seed 7
      tavern play magic-wand --limit no --stake "1 sp" --purses "North=2 gp,East=5 sp"

    Ann throws her own dice and bets for herself; East is a cheat, and nobody watches:

    \b
      tavern play magic-wand --players "Ann,Bo,Cy,Di" --dice Ann --ask Ann
      tavern play magic-wand --no-referee --cheat East --thievery 9 --rounds 6
    """,
)
