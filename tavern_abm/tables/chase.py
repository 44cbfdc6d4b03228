"""How a chase is played at the table."""

from __future__ import annotations

from typing import Any

from ..asking import OneOf, Option, Text, Whole
from ..games import chase as rules
from ..patrons.competitor import ABILITIES, SKILL_ABILITY
from .chase_told import TACTICS, Tactic, tell
from .telling import Play


class Plan:
    """Tactics in order, one an increment: ``hazard 4, run, hide``."""

    word = "hazard 4,run,hide"

    def read(self, value: Any) -> tuple[Tactic, ...]:
        """Read them; whether each is allowed is seen when its turn comes.

        Examples
        --------
        >>> Plan().read("hazard 4, hide")
        (Tactic(name='hazard', penalty=4), Tactic(name='hide', penalty=0))
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
        if len(rest) > 1 or not all(part.isdecimal() and len(part) < 4 for part in rest):
            raise ValueError(
                f"'{' '.join(said)}': a hazard's penalty is a number, as in 'hazard 4'"
            )
        return Tactic(name, int(rest[0]) if rest else 0)

    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        return {"type": "string"}


PLAY = Play(
    tell=tell,
    seats=(rules.MIN_SEATS, rules.MAX_SEATS),
    options=(
        *rules.START_OPTIONS,
        Option("ways", Text("file"), None, "A TOML file with ways of your own."),
        Option("choices", Whole(1, 5), 3, "How many ways are on offer each increment."),
        Option("tactics", Plan(), (), "The escapee's first tactics, one an increment."),
        Option(
            "hazard_check",
            OneOf((*SKILL_ABILITY, *ABILITIES)),
            "balance",
            "The check that gets the chaser past a hazard.",
        ),
        *rules.OPTIONS,
    ),
    help="""Tell a chase, increment by increment.

    The first player runs, the second is after him. If nothing is said of the start,
    the escapee's initiative check is his lead. Ways are put on offer for each
    increment and the escapee picks one for both; tactics are chosen by him too.

    \b
      tavern play chase --players "Ralf,the guard" --lead 12
      tavern play chase --distance-ft 100 --ask North --dice North
      tavern play chase --lead 12 --tactics "hazard 2,run,hide" --ways my-town.toml
    """,
    players="Ralf,the guard",
    has_stakes=False,
    has_sheets=True,
)
