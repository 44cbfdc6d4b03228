"""A betting round of Magic Wand as it is told: who checks, bets, calls, raises, folds.

`games.betting` keeps the rules; here people are asked, or decide by the
decisions of `patrons.decisions.magic_wand`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..chance import PLAY as AT_PLAY
from ..chance import TRAIT, run_key, subkey, unit
from ..coins import show
from ..games import betting as bt
from ..patrons.decisions import magic_wand as minds
from . import magic_wand_words as words
from .magic_wand_places import Game
from .telling import AtTable, Told

RATIONALITY = 2.0
THRILL = 0.25
BOLDNESS = 0.3
"""Players are between this much bolder and this much shyer than most, in antes."""
RESTRAINT = 2
"""Bets and raises a round at which the program's people leave it, without a fixed limit."""


def betting_round(game: Game, die: int) -> Iterator[Told]:
    """The bets on a hidden die (0: d4, 1: d6, 2: d8), until all have matched or folded."""
    betting = bt.open_round(game.limits, game.chips, game.button)
    if betting.turn == bt.NO_SEAT:
        text = "" if game.has_done_betting else words.NO_MORE_BETS
        game.has_done_betting = True
        yield game.told("betting", text, {"number": die + 1, "opens": None})
        return
    opener = game.names[betting.turn]
    text = game.night.pick(words.OPENS)
    text = text.format(nth=words.NTH[die], who=opener, pot=show(bt.pot(game.chips)))
    yield game.told("betting", text, {"number": die + 1, "opens": opener})
    while betting.turn != bt.NO_SEAT:
        seat = betting.turn
        betting, told = _move(game, betting, seat, die)
        yield told


def _move(game: Game, betting: bt.Betting, seat: int, die: int) -> tuple[bt.Betting, Told]:
    """One seat's bet, call or fold."""
    chips, limits = game.chips, game.limits
    spot, chance = _spot(game, betting, seat), _win_prob(game, seat)
    word, raise_to = _decide(game, betting, seat, die, spot, chance)
    move = {"fold": bt.FOLD, "check": bt.CALL, "call": bt.CALL}.get(word, bt.RAISE)
    had = chips.stack[seat]
    betting = bt.act(limits, betting, chips, move, raise_to)
    cost = had - chips.stack[seat]
    is_all_in = cost > 0 and chips.stack[seat] == 0
    facts = {
        "who": game.names[seat],
        "move": word,
        "cost_cp": cost,
        "to_cp": chips.put_in[seat],
        "all_in": is_all_in,
        "pot_cp": bt.pot(chips),
    }
    wordings = words.MOVES["all-in" if is_all_in else word]
    text = game.night.pick(wordings).format(
        who=game.names[seat], cost=show(cost), to=show(chips.put_in[seat])
    )
    return betting, game.told("bet", text, facts, joins=True)


def _decide(
    game: Game, betting: bt.Betting, seat: int, die: int, spot: minds.Spot, chance: float
) -> tuple[str, int]:
    """A move, and how high a bet or a raise goes; who is asked how high may go back."""
    while True:
        word = _choose(game, betting, seat, die, spot, chance)
        if word not in ("bet", "raise"):
            return word, 0
        raise_to = _raise_to(game, betting, seat, spot, chance)
        if raise_to is not None:
            return word, raise_to


def _spot(game: Game, betting: bt.Betting, seat: int) -> minds.Spot:
    """What a seat faces."""
    return minds.spot_of(game.limits, betting, game.chips, seat)


def _win_prob(game: Game, seat: int) -> float:
    own = minds.hand_key(*game.dice[seat])
    return minds.win_prob(seat, own, game.open_keys(), game.chips.status)


def _choose(
    game: Game, betting: bt.Betting, seat: int, die: int, spot: minds.Spot, chance: float
) -> str:
    """One of check, bet, call, raise and fold."""
    stays = "call" if spot.to_call else "check"
    rises = "raise" if betting.high else "bet"
    can_rise = bt.can_raise(game.limits, betting, game.chips, seat)
    moves = {bt.FOLD: "fold", bt.CALL: stays, bt.RAISE: rises}
    if game.limits.kind != bt.FIXED and betting.n_bets >= RESTRAINT:
        moves[bt.RAISE] = stays

    def of_itself(u: float) -> str:
        bold = _boldness(game.night.table, game.names[seat])
        bluff = minds.BLUFF_PROB
        return moves[minds.choose_bet(chance, spot, bold, THRILL, RATIONALITY, bluff, u)]

    question = _question(game, seat, die, spot)
    options = [stays, rises, "fold"] if can_rise else [stays, "fold"]
    return game.night.table.deciders.choose(game.names[seat], question, options, of_itself)


def _raise_to(
    game: Game, betting: bt.Betting, seat: int, spot: minds.Spot, chance: float
) -> int | None:
    """How high, in cp put in this round, where the limit leaves a choice; None: go back."""
    least = bt.min_raise_to(game.limits, betting, game.chips, seat)
    most = bt.max_raise_to(game.limits, betting, game.chips, seat)
    who = game.names[seat]
    question = f"{who}, how much in all this round? {show(game.chips.put_in[seat])} is in"
    return game.night.table.deciders.sum(
        who,
        question,
        least,
        most,
        lambda u: int(minds.choose_raise_to(chance, spot, least, most, u)),
    )


def _question(game: Game, seat: int, die: int, spot: minds.Spot) -> str:
    """What somebody has to know to bet: the pot, the call, his hidden die, the open ones."""
    opened = {game.names[each]: game.open_dice(each) for each in game.left()}
    who = game.names[seat]
    left = None if who not in game.night.table.purses else game.chips.stack[seat]
    coins = bt.pot(game.chips), spot.to_call, left
    return words.question(who, die, game.dice[seat][die], opened, *coins)


def _boldness(table: AtTable, name: str) -> float:
    """How bold a player of the program's is, by his place."""
    key = subkey(run_key(table.seed), AT_PLAY, 3)
    return BOLDNESS * (2.0 * unit(key, TRAIT, list(table.players).index(name)) - 1.0)
