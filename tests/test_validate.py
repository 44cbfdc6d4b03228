"""`validate`: its verdicts, its exact side, and that a broken formula fails its line."""

from __future__ import annotations

import ast
import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from tavern_abm import validate as v
from tavern_abm.games import rotting_toes as rt
from tavern_abm.society.evidence import exact_llr
from tavern_abm.validate.check import Check, Finding, equal, mean, share, within
from tavern_abm.validate.exact import people, talk, toes, walks

ROOT = Path(__file__).parents[1]
EXACT = ROOT / "tavern_abm" / "validate" / "exact"
CHEAP = (
    "log likelihood ratio",
    "mean likelihood ratio",
    "fading",
    "what weighs against a telling",
    "told -1 by one teller",
    "checks on a d20",
    "each the better one",
    "masters of trades",
)
"""Checks for which nothing is drawn and nothing compiled."""

# ---------------------------------------------------------------- verdicts


@pytest.mark.parametrize(
    ("finding", "verdict"),
    [
        (Finding(0.5, 0.5399, 0.01), v.AGREES),
        (Finding(0.5, 0.5401, 0.01), v.IS_OFF),
        (Finding(0.5, 0.4599, 0.01), v.IS_OFF),
        (Finding(0, 0.0, 0.0), v.AGREES),
        (Finding(0, 1e-9, 0.0), v.IS_OFF),
        (equal(Fraction(1, 3), 1 / 3), v.AGREES),
        (equal(Fraction(1, 3), 1 / 3 + 1e-8), v.IS_OFF),
        (equal(2, 2.1, tolerance=0.2), v.AGREES),
        (within(0.0, 1.0, 1.0), v.AGREES),
        (within(0.0, 1.0, 1.1, 5.0), v.IS_OFF),
        (within(-math.inf, 0.0, -9.0), v.AGREES),
        (within(0.0, 1.0, math.nan), v.IS_OFF),
        (equal(0, math.nan), v.IS_OFF),
        (Finding(0.5, math.nan, 0.01), v.IS_OFF),
        (Finding(0.5, 9.0, 0.01, is_claimed=False), v.COMPARED),
    ],
)
def test_verdicts(finding: Finding, verdict: str) -> None:
    assert finding.verdict == verdict


def test_errors_of_shares_and_means() -> None:
    assert share(Fraction(1, 5), 30, 100).standard_error == pytest.approx(0.04)
    found = mean(2, 1 + 2 + 3, 1 + 4 + 9, 3)
    assert (found.estimate, found.standard_error) == (2, pytest.approx(math.sqrt(2 / 3 / 3)))
    assert found.z == 0


def test_no_two_lines_share_a_name() -> None:
    names = [name for check in v.CHECKS for name in check.names()]
    assert len(set(names)) == len(names) > 150
    titles = [check.title for check in v.CHECKS]
    assert len(set(titles)) == len(titles)  # a title is what its draws are keyed by


def test_a_word_finds_its_checks() -> None:
    assert {check.section for check in v.about("hearsay")} == {"Hearsay"}
    assert [each.title for each in v.about("HALF-LIFE")] == ["fading, seen every round in a night"]
    assert len(v.about("")) == len(v.CHECKS)
    assert v.about("no such thing") == []


def test_a_line_as_json() -> None:
    check = Check("Dice", "a die", "counted", ["six", "rest"], lambda trial: FOUND)
    six, rest = (line.to_json() for line in check.hold(1))
    assert six == {
        "section": "Dice",
        "name": "a die: six",
        "exact": 0.5,
        "fraction": "1/2",
        "range": None,
        "source": "counted",
        "estimate": 0.75,
        "standard_error": 0.25,
        "z": 1.0,
        "verdict": "agrees",
    }
    assert (rest["exact"], rest["range"], rest["verdict"]) == (None, [0.0, None], "agrees")


FOUND = [Finding(Fraction(1, 2), 0.75, 0.25), within(0.0, math.inf, 3.0)]


def test_a_check_that_forgets_a_line_is_found_out() -> None:
    with pytest.raises(AssertionError, match="a die: 1 findings"):
        Check("Dice", "a die", "counted", ["six", "rest"], lambda trial: FOUND[:1]).hold(1)


# ---------------------------------------------------------------- the exact side


def test_the_exact_side_knows_nothing_of_the_package() -> None:
    for path in EXACT.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, path.name
                assert (node.module or "").split(".")[0] in sys.stdlib_module_names
            elif isinstance(node, ast.Import):
                assert all(name.name in sys.stdlib_module_names for name in node.names)


@pytest.mark.parametrize("tau", [Fraction(0), Fraction(1, 4), Fraction(2, 3), Fraction(1)])
@pytest.mark.parametrize(("thievery", "dc", "failed"), [(6, 19, 0), (2, 15, 1), (-3, 30, 0)])
def test_two_enumerations_of_a_turn(tau: Fraction, thievery: int, dc: int, failed: int) -> None:
    alarm = Fraction(1, 50)
    ours = toes.views(toes.Cheat(tau, thievery, dc, failed), alarm)
    names = {rt.WIN: toes.WON, rt.LOSE: toes.LOST, rt.VOID: toes.VOID}
    theirs = rt.exact_signals(tau, thievery, dc, alarm, failed)
    assert ours == {(names[s.ended], s.n_odd, s.failed): p for s, p in theirs.items()}


def test_two_derivations_of_a_likelihood_ratio() -> None:
    table = exact_llr(tau="1/3", thievery=8, dc=20, false_alarm="1/40")
    for how, ended in ((toes.WON, rt.WIN), (toes.LOST, rt.LOSE)):
        for odd in range(4):
            cheat = toes.Cheat(Fraction(1, 3), 8, 20)
            ratio, _ = toes.likelihood_ratio((how, odd), Fraction(0), cheat, Fraction(1, 40))
            assert math.log(ratio) == pytest.approx(table[ended, odd].llr, abs=1e-12)


def test_closed_forms_where_there_are_some() -> None:
    p = Fraction(397, 972)
    assert walks.too_lucky_per_turn(p, 4) == (1 - p) * p**4 / (1 - p**4)
    assert walks.too_lucky_of_evening(p, 4, 4) == p**4
    for win, start, target in ((0.5, 10, 100), (0.49, 50, 100), (0.45, 10, 20)):
        r = (1 - win) / win
        ruin = 1 - start / target if r == 1 else 1 - (1 - r**start) / (1 - r**target)
        bets = (
            start * (target - start)
            if r == 1
            else (start - target * (1 - ruin)) / ((1 - win) - win)
        )
        found = walks.gamblers_ruin(win, start, target)
        assert found == (pytest.approx(ruin, abs=1e-10), pytest.approx(bets, rel=1e-10))
    assert talk.still_true(Fraction(1, 10), 3) == (1 + Fraction(4, 5) ** 3) / 2
    mean_share, variance = people.urn_after(2, 3, 7)
    spread = Fraction(2 * 3 * 7 * (2 + 3 + 7), (2 + 3) ** 2 * (2 + 3 + 1) * (2 + 3 + 7) ** 2)
    assert (mean_share, variance) == (Fraction(2, 5), spread)


def test_a_rumour_in_a_crowd_reaches_as_many_as_the_limit_says() -> None:
    limit = 0.2
    for _ in range(200):
        limit = math.exp(-2 * (1 - limit))
    assert talk.never_hear(2000) == pytest.approx(limit, abs=1e-4)
    assert talk.never_hear(2) == 0


# ---------------------------------------------------------------- the checks


@pytest.mark.parametrize("word", CHEAP)
def test_cheap_checks_agree(word: str) -> None:
    lines = list(v.validate(word))
    assert lines
    assert [line.name for line in lines if line.finding.verdict != v.AGREES] == []


@pytest.mark.slow
def test_all_agree_in_time() -> None:
    program = "from tavern_abm.cli import main; main()"
    command = [sys.executable, "-c", program, "validate", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    lines = json.loads(done.stdout)
    assert [each["name"] for each in lines if each["verdict"] == "is off"] == []
    assert done.returncode == 0
    assert len(lines) == sum(len(check.lines) for check in v.CHECKS)


def test_the_page_names_every_check() -> None:
    page = (ROOT / "docs" / "reference" / "validate.md").read_text("utf-8")
    for check in v.CHECKS:
        assert f"| {check.title} | {len(check.lines)} | {check.source} |" in page
    assert all(f"`{path.name}`" in page for path in EXACT.glob("[!_]*.py"))


# ---------------------------------------------------------------- broken on purpose


class Fault(NamedTuple):
    """A formula broken in the source, and where the table must notice."""

    file: str
    right: str
    wrong: str
    word: str  # of the checks to run
    lines: tuple[str, ...]  # parts of names of lines that must be off
    effort: float = 1.0


DICE, SUSPICION = "tables/rotting_toes.py", "society/suspicion.py"
FAULTS = {
    "the sign of the likelihood ratio": Fault(
        DICE,
        "math.log(likelihood / ways.honest_evidence[x, n_odd])",
        "math.log(ways.honest_evidence[x, n_odd] / likelihood)",
        "log likelihood ratio of a round",
        ("won, 0 odd", "lost, 1 odd"),
    ),
    "odd throws ignored": Fault(
        DICE,
        "math.log(likelihood / ways.honest_evidence[x, n_odd])",
        "math.log(likelihood / ways.honest_evidence[x, 0])",
        "log likelihood ratio of a round",
        ("won, 1 odd", "lost, 3 odd throws, 0 failed"),
    ),
    "failed checks not reckoned with": Fault(
        DICE,
        "hand.filter = marked / likelihood",
        "hand.filter = one",
        "log likelihood ratio of two rounds",
        ("tries 1/4", "tries 3/5", "tries 1/10"),
    ),
    "failed checks that do not look odd": Fault(
        "games/rotting_toes.py",
        "odd = Fraction(1) if after.failed > toes.failed else Fraction(false_alarm)",
        "odd = Fraction(false_alarm)",
        "likelihood ratio of a round",
        ("won, 1 odd throws, 0 failed", "lost, 0 odd throws, 0 failed"),
    ),
    "a likelihood that does not add up to 1": Fault(
        "society/evidence.py",
        "cheat[failed, _ROWS[seen.ended], seen.n_odd, seen.failed] = float(prob)",
        "cheat[failed, _ROWS[seen.ended], seen.n_odd, seen.failed] = 1.01 * float(prob)",
        "mean likelihood ratio",
        ("tries 1/4",),
    ),
    "fading a round": Fault(
        SUSPICION,
        "write(memory, k, clamp(float(belief.log_odds) + shift, BOUND), night, ways)",
        "write(memory, k, clamp(0.95 * float(belief.log_odds) + shift, BOUND), night, ways)",
        "fading",
        ("half-life", "largest error"),
    ),
    "a belief that fades away from the prior": Fault(
        SUSPICION,
        "ways.prior + (float(memory.held[k].log_odds) - ways.prior) * left",
        "ways.prior - (float(memory.held[k].log_odds) - ways.prior) * left",
        "fading",
        ("largest error",),
    ),
    "hearsay that is added": Fault(
        SUSPICION,
        "return log_odds + weight * (told - log_odds)",
        "return log_odds + weight * told",
        "hearsay",
        ("after 5 tellings", "tellings that overshoot", "beyond what anybody believed"),
        0.02,
    ),
    "hearsay that overshoots": Fault(
        SUSPICION,
        "return log_odds + weight * (told - log_odds)",
        "return log_odds + 2.0 * weight * (told - log_odds)",
        "hearsay",
        ("after 1 telling", "tellings that overshoot"),
        0.02,
    ),
    "the DC": Fault(
        "games/rotting_toes.py",
        "return dc + DC_RISE * toes.failed",
        "return dc + 1 + DC_RISE * toes.failed",
        "always tries",
        ("Thievery +9 against DC 19", "Thievery +12 against DC 19"),
        0.005,
    ),
    "a DC that does not rise": Fault(
        "games/rotting_toes.py",
        "return dc + DC_RISE * toes.failed",
        "return dc",
        "always tries",
        ("one failed check",),
        0.004,
    ),
    "a cheat who tries twice as often": Fault(
        "patrons/decisions/rotting_toes.py",
        "return u < patron.propensity",
        "return u < 2.0 * patron.propensity",
        "tries with chance 1/4",
        ("he wins", "he loses"),
        0.01,
    ),
    "his own bet not counted": Fault(
        "patrons/decisions/rotting_toes.py",
        "win_prob * n_rot / (2.0 + n_not)",
        "win_prob * n_rot / (1.0 + n_not)",
        "bets in turn",
        ("bets on not of 5",),
        0.01,
    ),
    "a streak that outlives a loss": Fault(
        "games/rotting_toes.py",
        "return 0 if ended == LOSE else streak",
        "return streak",
        "beatings a turn",
        ("4 wins in a row",),
        0.01,
    ),
    "logit of the share as the intercept": Fault(
        "patrons/traits.py",
        "return float(brentq(excess, lowest, 60.0, xtol=1e-12))",
        "return math.log(share / (1 - share))",
        "mean share of the cheating kind",
        ("intercept for 10%",),
        0.05,
    ),
    "honesty with the wrong sign": Fault(
        "patrons/traits.py",
        "slope = math.log(population.honesty_odds_ratio)",
        "slope = -math.log(population.honesty_odds_ratio)",
        "honesty-humility",
        ("log odds ratio",),
        0.05,
    ),
    "living costs rounded up": Fault(
        "town/day.py",
        "max(0, purse - 15 * wage)) // 50)",
        "max(0, purse - 15 * wage) + 49) // 50)",
        "purses of people",
        ("after a day", "after 400 days"),
        0.1,
    ),
    "a gambler who stops too soon": Fault(
        "tables/seats.py",
        "people[seats[seat]].gold < stake:",
        "people[seats[seat]].gold <= stake:",
        "gambler's ruin",
        ("ruin, from 10 to 20", "tosses, from 10 to 20, chance 0.49"),
        0.006,
    ),
    "learning that forgets": Fault(
        "patrons/decisions/learning.py",
        "return max(least, kept * propensity + reward * share)",
        "return max(least, 0.9 * kept * propensity + reward * share)",
        "urn",
        ("its variance",),
        0.005,
    ),
    "a stifler that keeps talking": Fault(
        "society/rumors.py",
        "    elif is_stifled:\n        stop(",
        "    elif False:\n        stop(",
        "in evenings of talk",
        ("share of 120 people",),
        0.01,
    ),
    "a mistake that is never put right": Fault(
        "society/rumor_limits.py",
        "is_right = not is_right",
        "is_right = False",
        "mistaken for each other",
        ("after 3 tellings", "after 10 tellings"),
        0.01,
    ),
    "labels mixed up": Fault(
        "accuracy.py",
        "counts = [suspects & label, suspects & ~label, ~suspects & label, ~suspects & ~label]",
        "counts = [suspects & label, ~suspects & label, suspects & ~label, ~suspects & ~label]",
        "PPV",
        ("of 5% cheats", "of 10% cheats"),
        0.1,
    ),
    "a Theil index of logarithms alone": Fault(
        "measures.py",
        "(parts * np.log(parts)).sum()",
        "np.log(parts).sum()",
        "exponential law",
        ("Theil",),
        0.1,
    ),
    "the poorest taken for the richest": Fault(
        "measures.py",
        "return 1.0 - float(np.interp(1.0 - share, people, money))",
        "return float(np.interp(share, people, money))",
        "exponential law",
        ("richest 1% have", "richest 20% have"),
        0.1,
    ),
    "a Gini coefficient that is a rank off": Fault(
        "measures.py",
        "ranks = 2.0 * np.arange(1, n + 1) - n - 1",
        "ranks = 2.0 * np.arange(1, n + 1) - n",
        "exponential law",
        ("Gini of 10",),
        0.1,
    ),
}
FAST_ONES = ("the sign of the likelihood ratio", "hearsay that is added", "fading a round")


def verdicts_of(folder: Path, checks: Iterable[tuple[str, float]]) -> list[dict[str, str]]:
    """Verdicts of the lines of some checks, by a copy of the package in a folder, without Numba."""
    program = (
        "import json, tavern_abm.validate as v\n"
        f"for word, effort in {list(checks)!r}:\n"
        "    lines = v.validate(word, effort=effort)\n"
        "    print(json.dumps({f'{x.check.title}: {x.name}': x.finding.verdict for x in lines}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def copy_of_the_package(folder: Path) -> Path:
    """A copy whose source can be broken, beside the data it reads."""
    copy = folder / "tavern_abm"
    shutil.copytree(ROOT / "tavern_abm", copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("data", "scenarios"):
        (folder / name).symlink_to(ROOT / name)
    return copy


@pytest.mark.parametrize(
    "name",
    [name if name in FAST_ONES else pytest.param(name, marks=pytest.mark.slow) for name in FAULTS],
)
def test_a_broken_formula_fails_its_line(name: str, tmp_path: Path) -> None:
    fault = FAULTS[name]
    path = copy_of_the_package(tmp_path) / fault.file
    source = path.read_text("utf-8")
    assert fault.right in source, f"{fault.file} says it otherwise now"
    path.write_text(source.replace(fault.right, fault.wrong), "utf-8")
    (verdicts,) = verdicts_of(tmp_path, [(fault.word, fault.effort)])
    for part in fault.lines:
        lines = [line for line in verdicts if part in line]
        assert lines, part
        assert {line: verdicts[line] for line in lines} == dict.fromkeys(lines, v.IS_OFF)


@pytest.mark.slow
def test_without_a_fault_the_same_lines_agree(tmp_path: Path) -> None:
    """So it is the fault that fails them, and neither the copy nor the small samples."""
    copy_of_the_package(tmp_path)
    checks = dict.fromkeys((fault.word, fault.effort) for fault in FAULTS.values())
    for verdicts in verdicts_of(tmp_path, checks):
        assert verdicts == dict.fromkeys(verdicts, v.AGREES)
