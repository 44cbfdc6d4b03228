"""Kinds of argument that several commands read: games, chances, sums of money."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import click

from ..coins import parse
from ..games import GAMES

_NUMBER = re.compile(r"\d{1,12}(/\d{1,12}|\.\d{0,12})?|\.\d{1,12}")
MAX_SUM_CP = 10**12


class Kind(click.ParamType):  # type: ignore[type-arg]  # generic only from click 8.5 on
    """A kind of argument of our own."""


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number; what is none is told in plain words."""
        try:
            int(value)
        except ValueError:
            self.fail(f"'{value}' is not a whole number", param, ctx)
        number: int = super().convert(value, param, ctx)
        return number


class GameName(Kind):
    """A game by the name in `games.GAMES`."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Give back the name; suggest the nearest one if there is no such game."""
        if value in GAMES:
            return str(value)
        from difflib import get_close_matches

        close = get_close_matches(str(value).lower(), GAMES, n=1, cutoff=0.5)
        hint = f"did you mean '{close[0]}'?" if close else f"games: {', '.join(GAMES)}"
        self.fail(f"no such game: '{value}'; {hint}", param, ctx)


class Chance(Kind):
    """A chance from 0 to 1, read exactly."""

    name = "chance"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Fraction:
        """Read ``1/4`` or ``0.25`` as a fraction."""
        if isinstance(value, Fraction):
            return value
        text = str(value).strip()
        try:
            chance = Fraction(text) if _NUMBER.fullmatch(text) else None
        except ZeroDivisionError:
            chance = None
        if chance is None or chance > 1:
            self.fail(f"'{value}' is not a chance from 0 to 1, such as 1/4 or 0.25", param, ctx)
        return chance


class Sum(Kind):
    """A sum of money in whole copper pieces, at least 1 cp."""

    name = "sum"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read ``3 gp 5 sp`` as copper pieces."""
        try:
            sum_cp = parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if not 1 <= sum_cp <= MAX_SUM_CP:
            self.fail(f"'{value}' is not a sum from 1 cp to {MAX_SUM_CP:,} cp", param, ctx)
        return sum_cp


GAME = GameName()
CHANCE = Chance()
SUM = Sum()
MODIFIER = WholeNumber(-5, 30)
"""A skill modifier."""
DC = WholeNumber(5, 40)
"""A difficulty class."""
