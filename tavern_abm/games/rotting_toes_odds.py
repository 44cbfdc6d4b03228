"""What can be asked about the odds of Rotting Toes: its ends, its bets, what a round proves.

Nothing is simulated. The rules are imported where they are asked, since their
module ends by importing `ODDS` from here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..asking import Answer, Chance, Flag, Option, Question, RefusedError, Sum, Whole
from ..checks import HARD_DC
from ..coins import CP_PER_GP, show

if TYPE_CHECKING:
    from ..society.evidence import Likelihood

ASSUMED_THIEVERY = 6
ASSUMED_TAU, ASSUMED_FALSE_ALARM = Fraction(1, 4), Fraction(1, 100)
_LABELS = {"hand_wins": "the Hand wins", "hand_loses": "the Hand loses", "caught": "he is caught"}
_ROLES = {"hand": "the Hand", "not": "each not", "rot": "each rot"}
_A_TRICK, _BETS, _SUSPICION = "Tricks and dice", "What a bet is worth", "What a round proves"
_ONLY_EVIDENCE = ("tau", "false_alarm")
_NEVER_EVIDENCE = ("weighted", "n_rot", "n_not", "stake")

OPTIONS = (
    Option(
        "thievery",
        Whole(-5, 30),
        help="The Hand tries a trick at each throw without doubles, with this modifier.",
        group=_A_TRICK,
    ),
    Option("dc", Whole(5, 40), HARD_DC, "The house's DC.", _A_TRICK),
    Option(
        "failures", Whole(0, 1), 0, "Failed checks of the Hand tonight before this round.", _A_TRICK
    ),
    Option(
        "weighted",
        Chance(),
        help="All his dice favour the same face with this chance.",
        group=_A_TRICK,
    ),
    Option("n_rot", Whole(0, 100), help="How many bet on rot.", group=_BETS),
    Option("n_not", Whole(0, 100), help="How many bet on not, beside the Hand.", group=_BETS),
    Option("stake", Sum(), help="What each of them stakes, such as '1 gp'.", group=_BETS),
    Option("llr", Flag(), False, "What a table can conclude from a round it has seen.", _SUSPICION),
    Option(
        "tau",
        Chance(),
        help="With --llr: how often a cheat tries.  [default: 1/4]",
        group=_SUSPICION,
    ),
    Option(
        "false_alarm",
        Chance(),
        help="With --llr: chance that an innocent throw looks odd.  [default: 1/100]",
        group=_SUSPICION,
    ),
)

HELP = """Give the exact odds of Rotting Toes, as fractions. Nothing is simulated.

The rules of the game are run over every possible throw.

\b
  tavern odds rotting-toes
  tavern odds rotting-toes --thievery 6 --dc 19        a cheat's odds
  tavern odds rotting-toes --thievery 6 --failures 1   the table is wary already
  tavern odds rotting-toes --weighted 1/3              loaded dice
  tavern odds rotting-toes --n-rot 2 --n-not 1 --stake "5 sp"
                                                       what each bet is worth

Suspicion: how far what a table sees of a round, its end and the throws
that looked odd, speaks for a cheat (above 0) or an honest Hand (below 0).

\b
  tavern odds rotting-toes --llr --thievery 6 --tau 1/4 --false-alarm 0.01
"""


def answer(asked: Mapping[str, Any]) -> Answer:
    """The odds of a round, or with ``llr`` what a round proves.

    Parameters
    ----------
    asked : mapping
        The value of every one of `OPTIONS`, and ``given``, the names of those
        that were said.

    Raises
    ------
    RefusedError
        If an option says nothing in the question asked.

    Examples
    --------
    >>> asked = {option.name: option.default for option in OPTIONS} | {"given": set()}
    >>> answer(asked).data["hand_wins"]
    Fraction(397, 972)
    """
    _verify(asked)
    return _evidence(asked) if asked["llr"] else _ends(asked)


ODDS = Question(OPTIONS, answer, HELP)


def _verify(asked: Mapping[str, Any]) -> None:
    """Refuse options that say nothing in the question asked."""
    for name in _NEVER_EVIDENCE if asked["llr"] else _ONLY_EVIDENCE:
        if asked[name] is not None:
            verb = "does not go with" if asked["llr"] else "goes only with"
            raise RefusedError(f"{Option(name, Flag()).flag} {verb} --llr")
    if not asked["llr"] and asked["thievery"] is None:
        for name in ("dc", "failures"):
            if name in asked["given"]:
                raise RefusedError(f"--{name} says nothing without --thievery or --llr")


# ---------------------------------------------------------------- how a round ends


def _ends(asked: Mapping[str, Any]) -> Answer:
    from . import rotting_toes as rt
    from .odds import weighted_die

    weight = asked["weighted"]
    ends = rt.exact_odds(
        cheats=rt.Never if asked["thievery"] is None else rt.Always,
        thievery=asked["thievery"] or 0,
        dc=asked["dc"],
        failed=asked["failures"],
        die=rt.FAIR_D6 if weight is None else weighted_die(6, 6, weight),
    )
    data: dict[str, Any] = {
        key: ends[end] for key, end in zip(_LABELS, (rt.WIN, rt.LOSE, rt.VOID), strict=True)
    }
    lines = _tell_ends(asked, data)
    if any(asked[name] is not None for name in ("n_rot", "n_not", "stake")):
        n_rot, n_not, stake = _bets(asked)
        data["expected"] = rt.expected_gains(ends, n_rot, n_not, stake)
        lines += _tell_gains(data["expected"], n_rot, n_not, stake)
    return Answer(data, lines)


def _bets(asked: Mapping[str, Any]) -> tuple[int, int, int]:
    """Bettors of each kind and their stake: one *rot*, no *not*, 1 gp if not said."""
    n_rot = 1 if asked["n_rot"] is None else asked["n_rot"]
    return n_rot, asked["n_not"] or 0, asked["stake"] or CP_PER_GP


def _tell_ends(asked: Mapping[str, Any], data: Mapping[str, Fraction]) -> list[str]:
    return [
        f"Rotting Toes: {_who(asked)}",
        "",
        *_table([(label, data[key]) for key, label in _LABELS.items()], 6),
        "",
        *_when_to_bet(data["hand_wins"], data["hand_loses"]),
    ]


def _who(asked: Mapping[str, Any]) -> str:
    dice = "" if asked["weighted"] is None else f", dice weighted {asked['weighted']}"
    if asked["thievery"] is None:
        return "a Hand who tries no trick" + dice
    again = ", one failed check already" if asked["failures"] else ""
    return (
        f"a Hand who tries a trick at each throw without doubles"
        f" (Thievery {asked['thievery']:+d}, DC {asked['dc']}{again}){dice}"
    )


def _when_to_bet(win: Fraction, lose: Fraction) -> Iterable[str]:
    """Say when a bet on rot pays, counting those who share a won pool."""
    if lose == 0:
        yield "A bet on rot can only lose against such a Hand, or come back if he is caught."
        return
    if win == 0:
        yield "A bet on not can only lose with such a Hand, or come back if he is caught."
        return
    even = win / lose
    yield "Winners share the losers' stakes evenly: the fewer make a bet, the more it is worth."
    yield (
        f"At equal stakes both bets are fair when (1 + n_not)/n_rot = {even} = {float(even):.4f},"
        " your own bet"
    )
    yield "counted and the Hand being the 1: above that rot gains, below it not gains."


def _tell_gains(gains: Mapping[str, Fraction], n_rot: int, n_not: int, stake: int) -> Sequence[str]:
    return [
        "",
        f"Expected gain in cp, with {n_rot} on rot and {n_not} on not beside the Hand,"
        f" {show(stake)} each:",
        "",
        *_table([(_ROLES[role], gain) for role, gain in gains.items()], 4),
    ]


# ---------------------------------------------------------------- what a round proves


def _evidence(asked: Mapping[str, Any]) -> Answer:
    from ..society.evidence import exact_llr, honest_expectation
    from . import rotting_toes as rt

    assumed = {
        "thievery": ASSUMED_THIEVERY if asked["thievery"] is None else asked["thievery"],
        "dc": asked["dc"],
        "failures": asked["failures"],
        "tau": ASSUMED_TAU if asked["tau"] is None else asked["tau"],
        "false_alarm": (
            ASSUMED_FALSE_ALARM if asked["false_alarm"] is None else asked["false_alarm"]
        ),
    }
    table = exact_llr(
        tau=assumed["tau"],
        thievery=assumed["thievery"],
        dc=assumed["dc"],
        false_alarm=assumed["false_alarm"],
        failed=assumed["failures"],
    )
    letters = {rt.WIN: "W", rt.LOSE: "L", rt.VOID: "V"}
    named = {f"{letters[ended]}{n_odd}": each for (ended, n_odd), each in table.items()}
    data = {
        "llr": {name: _finite(each.llr) for name, each in named.items()},
        "likelihood": {name: each._asdict() for name, each in named.items()},
        "cheat_ends": {letter: _cheat_ends(named, letter) for letter in letters.values()},
        "honest_expectation": honest_expectation(table),
        "assumed": assumed,
    }
    return Answer(data, list(_tell_evidence(data, named)))


def _cheat_ends(named: Mapping[str, Likelihood], letter: str) -> Fraction:
    return sum((each.cheat for name, each in named.items() if name[0] == letter), Fraction())


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _tell_evidence(data: Mapping[str, Any], named: Mapping[str, Likelihood]) -> Iterable[str]:
    assumed = data["assumed"]
    yield "Rotting Toes: what a round shows about its Hand"
    yield (
        f"The cheat in question has Thievery {assumed['thievery']:+d} against DC {assumed['dc']},"
        f" tries with chance {assumed['tau']} at a throw"
    )
    yield (
        f"without doubles, and has {'one' if assumed['failures'] else 'no'} failed check tonight."
        f" Innocent throws look odd with chance {assumed['false_alarm']}."
    )
    yield ""
    yield f"  {'seen':<16}{'cheat':>10}{'honest':>10}{'LLR':>10}"
    for name, each in named.items():
        cheat, honest = float(each.cheat), float(each.honest)
        yield f"  {_seen(name):<16}{cheat:>10.6f}{honest:>10.6f}{_llr(each):>10}"
    yield ""
    yield "LLR is ln(cheat/honest): add it to the log-odds of your suspicion. Above 0 it speaks"
    yield "for a cheat, below 0 for an honest Hand; what only a cheat can show settles it."
    average = data["honest_expectation"]
    yield (
        f"Over rounds an honest Hand can play, e^LLR is {average} = {float(average):.6f}"
        " on average."
    )


def _seen(name: str) -> str:
    end = {"W": "won", "L": "lost", "V": "void"}[name[0]]
    return f"{end}, {name[1]} odd"


def _llr(each: Likelihood) -> str:
    if math.isfinite(each.llr):
        return f"{each.llr:+.4f}"
    return "settled" if each.cheat else "cleared"


def _table(rows: Sequence[tuple[str, Fraction]], decimals: int) -> Iterable[str]:
    wide = max(len(label) for label, _ in rows)
    long = max(len(str(number)) for _, number in rows)
    for label, number in rows:
        value = f"{float(number):.{decimals}f}"
        yield f"  {label:<{wide}}  {number!s:>{long}}  {value:>{decimals + 5}}"
