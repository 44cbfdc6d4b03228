"""A check, what it finds, and when that agrees."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .. import chance

MOST_Z = 4.0
"""An estimate further off than so many standard errors does not agree."""
ROUNDING = 1e-9
"""How far off a value may be that nothing was drawn for."""

AGREES, IS_OFF, COMPARED = "agrees", "IS OFF", "compared"
"""Verdicts. COMPARED: a figure the model lays no claim to."""


@dataclass(frozen=True)
class Trial:
    """What a check is given to work with.

    Attributes
    ----------
    key : int
        Of all its draws.
    effort : float
        Share of the sample that is drawn: 1 for all of it.
    """

    key: int
    effort: float = 1.0

    def n(self, full: int, least: int = 1) -> int:
        """How many to draw where the whole sample has `full`."""
        return max(least, round(full * self.effort))

    def key_of(self, number: int) -> int:
        """The key of a part of the check."""
        return chance.subkey(self.key, chance.PLAY, number)

    def seed_of(self, number: int) -> int:
        """A seed for a model of its own."""
        return self.key_of(number) % 2**31


@dataclass(frozen=True)
class Finding:
    """What one line of a check came to.

    Attributes
    ----------
    exact : Fraction, float or None
        What is known; None where only a range is.
    estimate : float
    standard_error : float or None
        None where nothing was drawn.
    within : (float, float) or None
        The range the estimate must lie in, in place of MOST_Z standard errors.
    tolerance : float
        How far off it may be where nothing was drawn.
    is_claimed : bool
        False for a figure that is set beside the model's and no more.
    """

    exact: Fraction | float | None
    estimate: float
    standard_error: float | None = None
    within: tuple[float, float] | None = None
    tolerance: float = ROUNDING
    is_claimed: bool = True

    @property
    def z(self) -> float | None:
        """How many standard errors the estimate is off; None where there is none to tell by."""
        if self.exact is None or self.standard_error is None:
            return None
        off = self.estimate - float(self.exact)
        if self.standard_error == 0:
            return 0.0 if off == 0 else math.copysign(math.inf, off)
        return off / self.standard_error

    @property
    def verdict(self) -> str:
        """AGREES, IS_OFF or COMPARED."""
        if not self.is_claimed:
            return COMPARED
        return AGREES if self._holds() else IS_OFF

    def _holds(self) -> bool:
        if self.within is not None:
            return self.within[0] <= self.estimate <= self.within[1]
        if self.z is not None:
            return abs(self.z) <= MOST_Z
        assert self.exact is not None
        return abs(self.estimate - float(self.exact)) <= self.tolerance


def share(exact: Fraction | float, count: int, n: int) -> Finding:
    """So many of `n` independent trials, whose chance is known.

    Examples
    --------
    >>> round(share(Fraction(1, 2), 520, 1000).z, 4)
    1.2649
    """
    p = float(exact)
    return Finding(exact, count / n, math.sqrt(p * (1 - p) / n))


def mean(exact: Fraction | float, total: float, squares: float, n: int) -> Finding:
    """A mean of `n` independent numbers: their sum, and the sum of their squares."""
    estimate = total / n
    return Finding(exact, estimate, math.sqrt(max(0.0, squares / n - estimate**2) / n))


def equal(exact: Fraction | float, found: float, tolerance: float = ROUNDING) -> Finding:
    """A value for which nothing is drawn."""
    return Finding(exact, found, tolerance=tolerance)


def within(
    low: float, high: float, estimate: float, standard_error: float | None = None
) -> Finding:
    """A figure of which only a range is known."""
    return Finding(None, estimate, standard_error, within=(low, high))


@dataclass(frozen=True)
class Check:
    """Some quantities that one calculation or simulation gives, and what they should be.

    Attributes
    ----------
    section, title : str
        Where it stands in the table.
    source : str
        Where the exact or published values come from.
    lines : sequence of str
        A name for each of its findings, in order.
    run : callable
        From a `Trial` to the findings.
    """

    section: str
    title: str
    source: str
    lines: Sequence[str]
    run: Callable[[Trial], Sequence[Finding]]

    def names(self) -> list[str]:
        """The full name of each line."""
        return [f"{self.title}: {line}" for line in self.lines]

    def is_about(self, word: str) -> bool:
        """Say whether a word occurs in its section or in the name of one of its lines."""
        text = "\n".join([self.section, self.source, *self.names()])
        return word.casefold() in text.casefold()

    def hold(self, seed: int, effort: float = 1.0) -> list[Line]:
        """Run it; other checks and their order have no say in its draws."""
        key = chance.subkey(chance.run_key(seed), chance.PLAY, zlib.crc32(self.title.encode()))
        found = self.run(Trial(key, effort))
        assert len(found) == len(self.lines), f"{self.title}: {len(found)} findings"
        return [Line(self, name, each) for name, each in zip(self.lines, found, strict=True)]


@dataclass(frozen=True)
class Line:
    """A line of the table: a quantity of a check and what it came to."""

    check: Check
    name: str
    finding: Finding

    def to_json(self) -> dict[str, Any]:
        """As one object of the list that ``--json`` prints."""
        found = self.finding
        z = found.z
        return {
            "section": self.check.section,
            "name": f"{self.check.title}: {self.name}",
            "exact": None if found.exact is None else float(found.exact),
            "fraction": str(found.exact) if isinstance(found.exact, Fraction) else None,
            "range": None if found.within is None else [_finite(x) for x in found.within],
            "source": self.check.source,
            "estimate": _finite(found.estimate),
            "standard_error": _finite(found.standard_error),
            "z": _finite(z),
            "verdict": found.verdict.lower(),
        }


def _finite(x: float | None) -> float | None:
    """What JSON has no word for becomes null."""
    return x if x is not None and math.isfinite(x) else None
