"""Kernels: never stale, never in need of a cache, open to any function of a user's."""

import functools
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest

from tavern_abm import compiled
from tavern_abm.compiled import cache_folder, kernel, rule, source_digest

compiling = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="Numba is switched off")
PACKAGE = Path(compiled.__file__).parent
KERNEL = """
from tavern_abm.coins import share
from tavern_abm.compiled import kernel

@kernel
def shares(pool):
    return share(pool, 3, 0) + share(pool, 3, 1)

print(shares(11), len(shares.dispatcher.stats.cache_hits))
"""


class People(NamedTuple):
    gold: np.ndarray  # int64
    luck: np.ndarray  # float32


class Choices(NamedTuple):
    stakes: Callable[..., int]
    dares: Callable[..., bool]
    hopes: Callable[..., float]


@rule
def stakes(people: People, row: int, u: float) -> int:
    return people.gold[row] // 50


@rule
def dares(people: People, row: int, u: float) -> bool:
    return u < people.luck[row]


@rule
def hopes(people: People, row: int, u: float) -> float:
    return u * 2.5


DEFAULTS = {"stakes": stakes, "dares": dares, "hopes": hopes}


@rule
def turn(choose: Choices, people: People, row: int) -> float:
    u = float(people.luck[row]) / 2
    if choose.dares(people, row, u):
        return choose.stakes(people, row, u) + choose.hopes(people, row, u)
    return -choose.hopes(people, row, u)


def make_round(choices: Choices) -> Callable[[People, np.ndarray], None]:
    stakes, dares, hopes = choices

    @kernel(defaults=DEFAULTS)
    def round_(people: People, out: np.ndarray) -> None:
        choose = Choices(stakes, dares, hopes)
        for row in range(len(out)):
            out[row] = turn(choose, people, row)

    return round_


@pytest.fixture
def people() -> People:
    rng = np.random.default_rng(5)
    return People(rng.integers(0, 10**6, 200), rng.random(200).astype(np.float32))


def play(choices: Choices, people: People) -> tuple[list[float], list[float]]:
    """The round compiled, and the same in plain Python."""
    out, plain = np.zeros((2, len(people.gold)))
    make_round(choices)(people, out)
    for row in range(len(plain)):
        plain[row] = turn(choices, people, row)
    return out.tolist(), plain.tolist()


# ---------------------------------------------------------------- functions of a user's own


def test_our_decisions(people: People) -> None:
    out, plain = play(Choices(stakes, dares, hopes), people)
    assert out == plain


def test_a_lambda_is_compiled_and_bridged_over_by_nothing(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "_bridge", lambda *_: pytest.fail("bridged"))
    own = Choices(stakes, lambda people, row, u: people.gold[row] > 5000, lambda *args: 1.5)
    out, plain = play(own, people)
    assert out == plain


def test_a_function_with_a_memory(people: People) -> None:
    """Dicts and lists of plain Python, changed as it goes."""
    seen: dict[int, list[str]] = {}

    def remembers(people: People, row: int, u: float):  # type: ignore[no-untyped-def]
        seen.setdefault(row, []).append(f"{u:.3f}")
        return people.gold.item(row) > 5000 and isinstance(people, People)

    out, plain = play(Choices(stakes, remembers, hopes), people)
    assert out == plain
    assert {len(each) for each in seen.values()} == {2}


class Moody:
    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, people: People, row: int, u: float) -> int:
        self.asked += 1
        return self.asked

    def hopes(self, people: People, row: int, u: float) -> float:
        return 0.5 + len(str(self.asked))


def test_objects_keep_their_state(people: People) -> None:
    moody, counted = Moody(), Moody()
    choices = Choices(moody, lambda *args: True, functools.partial(counted.hopes))
    out = np.zeros(len(people.gold))
    make_round(choices)(people, out)
    assert moody.asked == len(out)
    assert out.tolist() == [row + 1 + 1.5 for row in range(len(out))]


@compiling
@pytest.mark.parametrize(
    ("answer", "taken"), [(np.int8(3), 3.0), ("4", 4.0), (True, 1.0), (2.9, 2.0)]
)
def test_an_answer_is_of_the_kind_that_was_asked_for(
    people: People, answer: object, taken: float
) -> None:
    own = Choices(lambda *args: [answer][len(str(args)) * 0], lambda *args: True, lambda *args: 0.0)
    out = np.zeros(len(people.gold))
    make_round(own)(people, out)
    assert set(out.tolist()) == {taken}


@compiling
def test_no_answer_is_an_error(people: People) -> None:
    own = Choices(lambda *args: print(end=str(args)[:0]), lambda *args: True, hopes)
    with pytest.raises(TypeError, match="NoneType"):
        make_round(own)(people, np.zeros(len(people.gold)))


def test_an_error_in_it_comes_through(people: People) -> None:
    empty: dict[str, bool] = {}
    own = Choices(stakes, lambda people, row, u: empty["nobody"], hopes)
    with pytest.raises(KeyError, match="nobody"):
        make_round(own)(people, np.zeros(len(people.gold)))


def test_it_can_be_asked_from_several_threads(people: People) -> None:
    asked: list[int] = []
    own = Choices(stakes, lambda people, row, u: asked.append(row) is None, hopes)
    loop = make_round(own)
    outs = np.zeros((4, len(people.gold)))
    threads = [threading.Thread(target=loop, args=(people, out)) for out in outs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(asked) == outs.size
    assert (outs == outs[0]).all()


@compiling
def test_an_unknown_kind_of_answer_says_what_to_do() -> None:
    names: dict[int, str] = {}
    unknown = lambda number: names.get(number)  # noqa: E731

    @kernel
    def loop(out: np.ndarray) -> None:
        out[0] = unknown(1)

    with pytest.raises(TypeError, match="annotate it with -> int, -> float or -> bool"):
        loop(np.zeros(1))


def test_its_own_annotation_is_enough() -> None:
    names = {1: "Ann"}

    def known(number: int) -> int:
        return len(names.get(number, ""))

    @kernel
    def loop(out: np.ndarray) -> None:
        out[0] = known(1)

    out = np.zeros(1)
    loop(out)
    assert out[0] == 3


def test_only_our_own_decisions_are_kept_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(compiled, "cache_folder", lambda: asked.append(True))
    make_round(Choices(stakes, dares, hopes))
    assert asked == []


def test_without_jit_a_kernel_is_its_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)

    def loop() -> None: ...

    assert kernel(loop) is loop
    assert kernel(defaults={})(loop) is loop


# ---------------------------------------------------------------- the cache


def run_script(script: Path, home: Path | str, **more: str) -> list[int]:
    """Run a script beside a copy of the package; the whole numbers it prints."""
    env = os.environ | {"PYTHONPATH": str(script.parent), "XDG_CACHE_HOME": str(home)} | more
    env.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, script], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [int(each) for each in done.stdout.split()]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    shutil.copytree(PACKAGE, tmp_path / "tavern_abm", ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "script.py"
    path.write_text(KERNEL)
    return path


def test_an_edited_rule_is_never_served_stale(script: Path) -> None:
    home = script.parent / "home"
    assert run_script(script, home) == [8, 0]
    assert run_script(script, home) == [8, 1]
    rules = script.parent / "tavern_abm" / "coins.py"
    edited = rules.read_text().replace(
        "return pool // n_winners +", "return 100 + pool // n_winners +"
    )
    assert edited != rules.read_text()
    rules.write_text(edited)
    assert run_script(script, home) == [208, 0]
    assert len(list((home / "tavern_abm").iterdir())) == 2


def test_a_cache_folder_that_cannot_be_made_is_survived(script: Path, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    assert run_script(script, "/dev/null/x", TMPDIR=str(temporary)) == [8, 0]
    assert run_script(script, "/dev/null/x", TMPDIR=str(temporary)) == [8, 1]


def test_nowhere_to_write_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/x")
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/dev/null/y")
    monkeypatch.setattr(compiled, "cache_folder", cache_folder.__wrapped__)
    assert compiled.cache_folder() is None

    @kernel
    def double(number: int) -> int:
        return 2 * number

    assert double(21) == 42


def test_only_the_newest_caches_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for age in range(8):
        old = tmp_path / "tavern_abm" / f"old{age}"
        old.mkdir(parents=True)
        os.utime(old, (1e9 - age, 1e9 - age))
    folder = cache_folder.__wrapped__()
    assert folder == tmp_path / "tavern_abm" / source_digest()
    kept = {each.name for each in (tmp_path / "tavern_abm").iterdir()}
    assert kept == {folder.name, "old0", "old1", "old2"}


def test_numbas_own_settings_are_left_alone() -> None:
    before = numba.config.CACHE_DIR
    kernel(lambda: 1)
    assert before == numba.config.CACHE_DIR


def test_the_rules_do_without_numba() -> None:
    asked = (
        "import sys, tavern_abm.games.rotting_toes as rt; rt.exact_odds();"
        "print(*[name for name in ('numba', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
