"""Exact odds: the rules of a game run over every possible throw, as fractions.

A game describes one step of its round as branches ``(next state, chance)``;
`solve` follows them to the end. Nothing here is simulated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

type Distribution[T] = dict[T, Fraction]
type Die = Mapping[int, Fraction]
type Branches[S] = Iterable[tuple[S, Fraction]]


def fair_die(faces: int) -> dict[int, Fraction]:
    """A die whose faces 1 to `faces` are alike."""
    return {face: Fraction(1, faces) for face in range(1, faces + 1)}


def weighted_die(faces: int, favoured: int, prob: Fraction) -> dict[int, Fraction]:
    """A die that shows `favoured` with chance `prob`, its other faces alike.

    Raises
    ------
    ValueError
        If `prob` is outside 0 to 1.

    Examples
    --------
    >>> weighted_die(6, 6, Fraction(1, 3))[1]
    Fraction(2, 15)
    """
    if not 0 <= prob <= 1:
        raise ValueError(f"chance of the favoured face must lie in 0 to 1 (got {prob})")
    rest = (1 - prob) / (faces - 1)
    return {face: prob if face == favoured else rest for face in range(1, faces + 1)}


def throws(n_dice: int, die: Die) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every throw of `n_dice` dice with its probability."""
    for dice in product(die, repeat=n_dice):
        yield dice, prod((die[face] for face in dice), start=Fraction(1))


def gather[T: Hashable](branches: Branches[T]) -> Distribution[T]:
    """Add up the chances of equal outcomes; impossible ones are left out."""
    total: Counter[T] = Counter()
    for outcome, chance in branches:
        if chance:
            total[outcome] += chance  # type: ignore[assignment]
    return dict(total)  # type: ignore[arg-type]


def solve[S: Hashable, E: Hashable](
    start: S, step: Callable[[S], Branches[S] | None], end: Callable[[S], E]
) -> Distribution[E]:
    """The distribution of how a round ends.

    Parameters
    ----------
    start : state
        Where the round stands at first.
    step : callable
        The branches from a state, or None where the round is over. States
        must not come back on themselves.
    end : callable
        What is asked about a final state.
    """

    @cache
    def ends(state: S) -> Distribution[E]:
        branches = step(state)
        if branches is None:
            return {end(state): Fraction(1)}
        return gather(
            (outcome, chance * later)
            for after, chance in gather(branches).items()
            for outcome, later in ends(after).items()
        )

    return ends(start)
