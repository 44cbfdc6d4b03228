"""The pots of Magic Wand as they are told: who takes them, how they are split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..games import betting as bt
from . import magic_wand_words as words
from .magic_wand_places import Game
from .telling import Told


@dataclass(frozen=True)
class _Pot:
    """Coins between two levels of what was put in, and who takes them."""

    coins: int
    own: int  # what each winner put in himself
    raked: int
    shares: dict[int, int]  # by winner, in the order in which odd coins go
    rivals: list[int]  # seats that could have won it

    @property
    def is_uncalled(self) -> bool:
        """Whether nobody else put in anything."""
        return self.coins == self.own


def _pots(game: Game, ranks: Sequence[int], net: list[int]) -> Iterator[_Pot]:
    """Pay pot by pot; `net` is filled."""
    chips, rake_bp, low = game.chips, game.night.table.rake_bp, 0
    while (high := bt.next_level(chips, low)) > low:
        before = list(net)
        _, raked = bt.pay_pot(ranks, chips, game.button, low, high, net, rake_bp)
        rivals = [seat for seat in game.left() if bt.is_in_pot(chips, seat, high)]
        best = max(ranks[seat] for seat in rivals)
        winners = [seat for seat in rivals if ranks[seat] == best]
        if winners[0] == game.button:
            winners = [*winners[1:], winners[0]]
        shares = {seat: net[seat] - before[seat] + high - low for seat in winners}
        yield _Pot(bt.pot_between(chips, low, high), high - low, raked, shares, rivals)
        low = high


def pay(game: Game, ranks: Sequence[int]) -> Iterator[Told]:
    """Pay the pots, the main pot first; `ranks` decide, by seat (`magic_wand.rank`)."""
    net = [0] * len(game.names)
    pots = list(_pots(game, ranks, net))
    n_pots = sum(not pot.is_uncalled for pot in pots)
    for place, pot in enumerate(pots):
        yield _told_pot(game, ranks, pot, words.pot_name(place, n_pots), place)
    house = -sum(net)
    net_cp = dict(zip(game.names, net, strict=True))
    for who, each in net_cp.items():
        game.night.net_cp[who] += each
    game.night.house_cp += house
    facts = {"net_cp": net_cp, "house_cp": house}
    yield game.told("payout", words.gains(net_cp), facts, joins=True)


def _told_pot(game: Game, ranks: Sequence[int], pot: _Pot, name: str, place: int) -> Told:
    winner = next(iter(pot.shares))
    shares = {game.names[seat]: coins for seat, coins in pot.shares.items()}
    is_seen = len(pot.rivals) > 1
    facts: dict[str, Any] = {
        "pot": "uncalled" if pot.is_uncalled else name,
        "coins_cp": pot.coins,
        "shares_cp": shares,
        "rake_cp": pot.raked,
        "score": ranks[winner] // 2 if is_seen else None,
        "by_reduce_person": is_seen and _is_by_spell(ranks, pot),
    }
    if pot.is_uncalled:
        text = words.uncalled(game.names[winner], pot.coins)
    elif not is_seen:
        alone = len(game.left()) == 1
        text = words.unopposed(game.names[winner], name, pot.coins, pot.raked, alone)
    else:
        text = words.pot(
            name, pot.coins, shares, facts["score"], facts["by_reduce_person"], pot.raked
        )
    return game.told("pot", text, facts, joins=place > 0)


def _is_by_spell(ranks: Sequence[int], pot: _Pot) -> bool:
    """Whether Reduce Person broke a tie for a pot."""
    best = ranks[next(iter(pot.shares))]
    return best % 2 == 1 and any(ranks[seat] == best - 1 for seat in pot.rivals)
