"""Whole copper pieces: parsing, printing and even splits. No float ever holds money."""

from __future__ import annotations

import re

from .compiled import rule

CP_PER_SP = 10
CP_PER_GP = 100
MOST_CP = 10**12
"""The largest sum a file may name: a million purses of it still fit in 63 bits."""
_WORTH = {"gp": CP_PER_GP, "sp": CP_PER_SP, "cp": 1}
_TERM = re.compile(r"(\d[\d,_]*)\s*(gp|sp|cp)")


def parse(text: str | int) -> int:
    """Read a sum of money as whole copper pieces.

    Parameters
    ----------
    text : str or int
        ``"3 gp 5 sp 2 cp"``: any of the three coins, each at most once, in
        falling order, with one sign in front if need be; or a bare whole
        number of cp.

    Raises
    ------
    ValueError
        If the text is no such sum; the message shows it.

    Examples
    --------
    >>> parse("3 gp 5 sp 2 cp"), parse("-7 sp"), parse(12), parse("1,200")
    (352, -70, 12, 1200)
    """
    if isinstance(text, int):
        return int(text)
    body = text.strip().lower()
    sign = -1 if body.startswith("-") else 1
    body = body.removeprefix("-").removeprefix("+").strip()
    if re.fullmatch(r"\d[\d,_]*", body):
        return sign * int(re.sub(r"[,_]", "", body))
    terms = _TERM.findall(body)
    coins = [coin for _, coin in terms]
    leftover = _TERM.sub("", body).strip(" ,")
    if not terms or leftover or coins != [coin for coin in _WORTH if coin in coins]:
        raise ValueError(f"not a sum of money: {text!r}; write it like '3 gp 5 sp 2 cp'")
    return sign * sum(int(re.sub(r"[,_]", "", number)) * _WORTH[coin] for number, coin in terms)


def show(amount_cp: int) -> str:
    """Print copper pieces as gold, silver and copper.

    Examples
    --------
    >>> show(352), show(-70), show(0), show(123_400)
    ('3 gp 5 sp 2 cp', '-7 sp', '0 cp', '1,234 gp')
    """
    left = abs(int(amount_cp))
    parts = []
    for coin, worth in _WORTH.items():
        number, left = divmod(left, worth)
        if number:
            parts.append(f"{number:,} {coin}")
    return ("-" if amount_cp < 0 else "") + (" ".join(parts) or "0 cp")


def rounded(amount_cp: float, coin_cp: int = 1) -> int:
    """Round to whole coins of a worth in cp, halves away from nothing; in cp.

    Examples
    --------
    >>> rounded(6225, CP_PER_SP), rounded(-6225, CP_PER_SP), rounded(0.4), rounded(2.5)
    (6230, -6230, 0, 3)
    """
    whole = int(abs(amount_cp) / coin_cp + 0.5) * coin_cp
    return -whole if amount_cp < 0 else whole


@rule
def clockwise(seat: int, steps: int, n_seats: int) -> int:
    """The seat so many `steps` (0 to `n_seats`) on from a seat.

    Examples
    --------
    >>> clockwise(4, 1, 6), clockwise(4, 3, 6)
    (5, 1)
    """
    at = seat + steps
    return at - n_seats if at >= n_seats else at


@rule
def share(pool: int, n_winners: int, place: int) -> int:
    """Coins for the winner at `place` in an even split (0 is the first clockwise).

    The odd coins go one each to the first winners clockwise, so the shares
    always add up to the pool.

    Examples
    --------
    >>> [share(11, 3, place) for place in range(3)]
    [4, 4, 3]
    """
    return pool // n_winners + (1 if place < pool % n_winners else 0)


@rule
def rake(pool: int, rake_bp: int) -> int:
    """The house's share of coins that change hands, rounded down.

    `rake_bp` is in basis points: 100 is 1 %.

    Examples
    --------
    >>> rake(399, 500)
    19
    """
    return pool * rake_bp // 10_000
