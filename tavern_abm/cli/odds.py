"""`tavern odds`: the exact odds of a game."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from ..checks import HARD_DC
from ..coins import CP_PER_GP, show
from .parameters import CHANCE, DC, GAME, MODIFIER, SUM, WholeNumber

if TYPE_CHECKING:
    from ..society.evidence import Likelihood

ASSUMED_THIEVERY = 6
_ENDS = ("hand_wins", "hand_loses", "caught")
_LABELS = {"hand_wins": "the Hand wins", "hand_loses": "the Hand loses", "caught": "he is caught"}
_ROLES = {"hand": "the Hand", "not": "each not", "rot": "each rot"}


@click.command()
@click.argument("game", type=GAME)
@click.option(
    "--thievery",
    type=MODIFIER,
    help="The Hand tries a trick at each throw without doubles, with this modifier, -5 to 30.",
)
@click.option("--dc", type=DC, default=HARD_DC, show_default=True, help="The house's DC, 5 to 40.")
@click.option(
    "--failures",
    type=WholeNumber(0, 1),
    default=0,
    show_default=True,
    help="Failed checks of the Hand tonight before this round.",
)
@click.option("--weighted", type=CHANCE, help="All his dice favour the same face with this chance.")
@click.option("--n-rot", type=WholeNumber(0, 100), help="How many bet on rot.")
@click.option("--n-not", type=WholeNumber(0, 100), help="How many bet on not, beside the Hand.")
@click.option("--stake", type=SUM, help="What each of them stakes, such as '1 gp'.")
@click.option("--llr", is_flag=True, help="What a table can conclude from a round it has seen.")
@click.option("--tau", type=CHANCE, help="With --llr: how often a cheat tries.  [default: 1/4]")
@click.option(
    "--false-alarm",
    type=CHANCE,
    help="With --llr: chance that an innocent throw looks odd.  [default: 1/100]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def odds(game: str, llr: bool, as_json: bool, **given: Any) -> None:
    """Give the exact odds of GAME, as fractions. Nothing is simulated.

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
    """  # noqa: D301
    _verify(llr, given)
    answer = _evidence(given) if llr else _ends(given)
    if as_json:
        click.echo(json.dumps({"game": game} | answer, indent=2))
        return
    for line in _tell_evidence(answer) if llr else _tell_ends(answer, given):
        click.echo(line)


def _verify(llr: bool, given: Mapping[str, Any]) -> None:
    """Refuse options that say nothing in the question asked."""
    others = ("weighted", "n_rot", "n_not", "stake") if llr else ("tau", "false_alarm")
    for name in others:
        if given[name] is not None:
            option = "--" + name.replace("_", "-")
            verb = "does not go with" if llr else "goes only with"
            raise click.UsageError(f"{option} {verb} --llr")
    if not llr and given["thievery"] is None:
        for name in ("dc", "failures"):
            if _is_given(name):
                raise click.UsageError(f"--{name} says nothing without --thievery or --llr")


def _is_given(name: str) -> bool:
    source = click.get_current_context().get_parameter_source(name)
    return source is not click.core.ParameterSource.DEFAULT


def _ends(given: Mapping[str, Any]) -> dict[str, Any]:
    from ..games import rotting_toes as rt
    from ..games.odds import weighted_die

    cheats = given["thievery"] is not None
    weight = given["weighted"]
    ends = rt.exact_odds(
        cheats=rt.Always if cheats else rt.Never,
        thievery=given["thievery"] or 0,
        dc=given["dc"],
        failed=given["failures"],
        die=rt.FAIR_D6 if weight is None else weighted_die(6, 6, weight),
    )
    answer: dict[str, Any] = {
        key: _number(ends[end]) for key, end in zip(_ENDS, (rt.WIN, rt.LOSE, rt.VOID), strict=True)
    }
    if _asks_for_gains(given):
        gains = rt.expected_gains(ends, *_bets(given))
        answer["expected"] = {role: _number(gain) for role, gain in gains.items()}
    return answer


def _asks_for_gains(given: Mapping[str, Any]) -> bool:
    return any(given[name] is not None for name in ("n_rot", "n_not", "stake"))


def _bets(given: Mapping[str, Any]) -> tuple[int, int, int]:
    """Bettors of each kind and their stake: one *rot*, no *not*, 1 gp if not said."""
    n_rot = 1 if given["n_rot"] is None else given["n_rot"]
    return n_rot, given["n_not"] or 0, given["stake"] or CP_PER_GP


def _evidence(given: Mapping[str, Any]) -> dict[str, Any]:
    from ..games import rotting_toes as rt
    from ..society.evidence import exact_llr, honest_expectation

    thievery = ASSUMED_THIEVERY if given["thievery"] is None else given["thievery"]
    tau = Fraction(1, 4) if given["tau"] is None else given["tau"]
    false_alarm = Fraction(1, 100) if given["false_alarm"] is None else given["false_alarm"]
    table = exact_llr(
        tau=tau,
        thievery=thievery,
        dc=given["dc"],
        false_alarm=false_alarm,
        failed=given["failures"],
    )
    letters = {rt.WIN: "W", rt.LOSE: "L", rt.VOID: "V"}
    named = {f"{letters[ended]}{n_odd}": each for (ended, n_odd), each in table.items()}
    return {
        "llr": {name: _finite(each.llr) for name, each in named.items()},
        "likelihood": {name: _likelihood(each) for name, each in named.items()},
        "cheat_ends": {
            letter: _number(sum((c.cheat for k, c in named.items() if k[0] == letter), Fraction()))
            for letter in letters.values()
        },
        "honest_expectation": _number(honest_expectation(table)),
        "assumed": {
            "thievery": thievery,
            "dc": given["dc"],
            "failures": given["failures"],
            "tau": _number(tau),
            "false_alarm": _number(false_alarm),
        },
    }


def _likelihood(each: Likelihood) -> dict[str, Any]:
    return {"cheat": _number(each.cheat), "honest": _number(each.honest)}


def _number(exact: Fraction) -> dict[str, Any]:
    return {"exact": str(exact), "value": float(exact)}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _tell_ends(answer: Mapping[str, Any], given: Mapping[str, Any]) -> Iterable[str]:
    yield f"Rotting Toes: {_who(given)}"
    yield ""
    yield from _table([(_LABELS[key], answer[key]) for key in _ENDS], 6)
    yield ""
    win, lose = (Fraction(answer[key]["exact"]) for key in _ENDS[:2])
    yield from _when_to_bet(win, lose)
    if "expected" in answer:
        n_rot, n_not, stake = _bets(given)
        yield ""
        yield (
            f"Expected gain in cp, with {n_rot} on rot and {n_not} on not beside the Hand,"
            f" {show(stake)} each:"
        )
        yield ""
        yield from _table([(_ROLES[role], gain) for role, gain in answer["expected"].items()], 4)


def _who(given: Mapping[str, Any]) -> str:
    dice = "" if given["weighted"] is None else f", dice weighted {given['weighted']}"
    if given["thievery"] is None:
        return "a Hand who tries no trick" + dice
    again = ", one failed check already" if given["failures"] else ""
    return (
        f"a Hand who tries a trick at each throw without doubles"
        f" (Thievery {given['thievery']:+d}, DC {given['dc']}{again}){dice}"
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


def _tell_evidence(answer: Mapping[str, Any]) -> Iterable[str]:
    assumed = answer["assumed"]
    yield "Rotting Toes: what a round shows about its Hand"
    yield (
        f"The cheat in question has Thievery {assumed['thievery']:+d} against DC {assumed['dc']},"
        f" tries with chance {assumed['tau']['exact']} at a throw"
    )
    yield (
        f"without doubles, and has {'one' if assumed['failures'] else 'no'} failed check tonight."
        f" Innocent throws look odd with chance {assumed['false_alarm']['exact']}."
    )
    yield ""
    yield f"  {'seen':<16}{'cheat':>10}{'honest':>10}{'LLR':>10}"
    for name, llr in answer["llr"].items():
        cheat, honest = (answer["likelihood"][name][who]["value"] for who in ("cheat", "honest"))
        yield f"  {_seen(name):<16}{cheat:>10.6f}{honest:>10.6f}{_llr(llr, cheat):>10}"
    yield ""
    yield "LLR is ln(cheat/honest): add it to the log-odds of your suspicion. Above 0 it speaks"
    yield "for a cheat, below 0 for an honest Hand; what only a cheat can show settles it."
    honest = answer["honest_expectation"]
    yield (
        f"Over rounds an honest Hand can play, e^LLR is {honest['exact']} = {honest['value']:.6f}"
        " on average."
    )


def _seen(name: str) -> str:
    end = {"W": "won", "L": "lost", "V": "void"}[name[0]]
    return f"{end}, {name[1]} odd"


def _llr(llr: float | None, cheat: float) -> str:
    if llr is None:
        return "settled" if cheat else "cleared"
    return f"{llr:+.4f}"


def _table(rows: list[tuple[str, dict[str, Any]]], decimals: int) -> Iterable[str]:
    wide = max(len(label) for label, _ in rows)
    long = max(len(number["exact"]) for _, number in rows)
    for label, number in rows:
        value = f"{number['value']:.{decimals}f}"
        yield f"  {label:<{wide}}  {number['exact']:>{long}}  {value:>{decimals + 5}}"
