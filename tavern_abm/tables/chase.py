"""How a chase is played at the table."""

from __future__ import annotations

import re
from typing import Any

from ..asking import OneOf, Option, Text, Whole
from ..games import chase as rules
from ..games.race_sheet import SKILLS
from .chase_going import Tactic
from .chase_tactics import TACTICS
from .chase_told import tell
from .chase_ways import ON_OFFER
from .flight_told import KINDS, tell_round
from .telling import Play

__all__ = ["KINDS", "PLAY", "tell_round"]

_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?")
_PENALTY = Whole(0, rules.AWAY_LEAD)


class Plan:
    """Tactics in order, one an increment: ``hazard 4 climb, run, hide``."""

    word = "hazard 4,run,hide"

    def read(self, value: Any) -> tuple[Tactic, ...]:
        """Read them; whether each is allowed is seen when its turn comes.

        Examples
        --------
        >>> [tactic[:3] for tactic in Plan().read("hazard 4 climb, hide")]
        [('hazard', 4, 'climb'), ('hide', 0, '')]
        """
        if isinstance(value, tuple):
            return value
        return tuple(self._one(part.split()) for part in str(value).lower().split(","))

    def _one(self, said: list[str]) -> Tactic:
        name, *rest = said or [""]
        if name not in TACTICS:
            raise ValueError(f"'{' '.join(said)}' is none of {', '.join(TACTICS)}")
        if name != "hazard" and rest:
            raise ValueError(f"'{' '.join(said)}': only a hazard takes a penalty")
        checks = [word for word in rest if not _NUMBER.fullmatch(word)]
        penalties = [_penalty(" ".join(said), word) for word in rest if word not in checks]
        if len(penalties) > 1 or len(checks) > 1:
            raise ValueError(
                f"'{' '.join(said)}': a hazard has a penalty and a check, as in 'hazard 4 climb'"
            )
        for check in checks:
            if check not in SKILLS:
                raise ValueError(f"'{' '.join(said)}': '{check}' is none of {', '.join(SKILLS)}")
        return Tactic(name, penalties[0] if penalties else 0, checks[0] if checks else "")

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return {"type": "string"}


def _penalty(said: str, number: str) -> int:
    try:
        return _PENALTY.read(number)
    except ValueError:
        allowed = f"a whole number from {_PENALTY.low} to {_PENALTY.high}"
        raise ValueError(f"'{said}': a hazard's penalty is {allowed} (got {number})") from None


PLAY = Play(
    tell=tell,
    seats=(rules.MIN_SEATS, rules.MAX_SEATS),
    options=(
        *rules.START_OPTIONS,
        Option("ways", Text("file"), None, "A TOML file with ways of your own."),
        Option("choices", Whole(1, 5), ON_OFFER, "How many ways are on offer each increment."),
        Option("tactics", Plan(), (), "The escapee's first tactics, one an increment."),
        Option(
            "hazard_check",
            OneOf(SKILLS),
            "balance",
            "The check that gets the chaser past a hazard, where the hazard names none.",
        ),
        *rules.OPTIONS,
    ),
    help="""Tell a chase, increment by increment.

    The first player runs, the second is after him. If nothing is said of the start,
    the escapee's initiative check is his lead. Ways are put on offer for each
    increment, on foot, swimming, climbing, mounted or driving, and the escapee picks
    one for both; tactics are chosen by him too.

    \b
      tavern play chase --players "Ralf,the guard" --lead 12
      tavern play chase --distance-ft 100 --ask North --dice North
      tavern play chase --lead 12 --tactics "hazard 2 jump,run,hide" --ways my-town.toml
    """,
    players="Ralf,the guard",
    has_stakes=False,
    has_sheets=True,
)
