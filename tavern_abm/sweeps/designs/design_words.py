"""What a design varies, measures and draws its luck from, in lines for the screen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..design import Design, Factor

SHOWN = 8
"""Of more levels than this only the first and the last are told."""


def told(design: Design) -> Iterator[str]:
    r"""A line a factor, then what is wanted of each run, and the luck.

    Examples
    --------
    >>> from tavern_abm.sweeps.design import Design
    >>> print(*told(Design.from_dataframe({"patrons": [40, 80]}, outputs=["gini"])), sep="\n")
    patrons: 40, 80
    outputs: gini
    seed 42; in a replicate all points have the same luck
    """
    yield from map(told_factor, design.factors)
    yield f"outputs: {', '.join(design.configuration.outputs)}"
    if design.configuration.series:
        yield f"series: {', '.join(design.configuration.series)}"
    luck = "in a replicate all points have the same luck"
    if design.luck == "own":
        luck = "each point has luck of its own"
    yield f"seed {design.seed}; {luck}"


def told_factor(factor: Factor) -> str:
    """What a factor is called, and over what it goes.

    Examples
    --------
    >>> from tavern_abm.sweeps.design import Factor
    >>> told_factor(
    ...     Factor(("suspicion.false_alarm",), "false alarm", None, 0.001, 0.1, is_log=True)
    ... )
    'false alarm: 0.001 to 0.1, logarithmic'
    >>> told_factor(Factor(("patrons",), "patrons", tuple((n,) for n in range(20, 40))))
    'patrons: 20, 21, 22 ... 39 (20 levels)'
    """
    if factor.levels is None:
        kind = ", whole numbers" if factor.is_whole else ", logarithmic" if factor.is_log else ""
        return f"{factor.label}: {factor.low:.12g} to {factor.high:.12g}{kind}"
    levels = [" and ".join(dict.fromkeys(map(_value, level))) for level in factor.levels]
    if len(levels) > SHOWN:
        return f"{factor.label}: {', '.join(levels[:3])} ... {levels[-1]} ({len(levels):,} levels)"
    return f"{factor.label}: {', '.join(levels)}"


def _value(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return "as the scenario has it" if value is None else text
