"""Kinds of argument that several commands read."""

from __future__ import annotations

from typing import Any

import click


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
