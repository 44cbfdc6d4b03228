"""The bare games of the benchmarks: each is there, and comes out as its exact odds say."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import bare_games
from tavern_abm.games import GAMES

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def test_every_game_has_a_bare_one() -> None:
    assert set(bare_games.GAMES) == set(GAMES)
    for game, bares in bare_games.GAMES.items():
        assert all(bare.game == game and bare.quantities for bare in bares)


@pytest.mark.parametrize("game", GAMES)
def test_estimates_are_near(game: str) -> None:
    n = 20_000
    for bare in bare_games.GAMES[game]:
        counts = bare.play(n, seed=3)
        for quantity in bare.quantities:
            estimate, error = quantity.estimate(counts, n)
            assert abs(estimate - float(quantity.exact)) <= 4.5 * error, quantity.name


def test_the_seed_is_all_the_luck_there_is() -> None:
    bare = bare_games.GAMES["chase"][0]
    assert bare.play(500, seed=1) == bare.play(500, seed=1) != bare.play(500, seed=2)


@pytest.mark.slow
def test_a_million_rounds_of_each_agree() -> None:
    command = [sys.executable, str(BENCHMARKS / "oracles.py"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["rounds"] == 1_000_000
    assert {value["game"] for value in found["values"]} == set(GAMES)


@pytest.mark.slow
def test_what_is_off_is_found(tmp_path: Path) -> None:
    """With one exact value moved by a hundredth the table says so, and fails."""
    script = tmp_path / "moved.py"
    script.write_text(
        "import sys, dataclasses\n"
        f"sys.path.insert(0, {str(BENCHMARKS)!r})\n"
        "import bare_games, oracles\n"
        "bare = bare_games.HEADS_OR_TAILS\n"
        "moved = dataclasses.replace(bare.quantities[0], exact=0.51)\n"
        "bare = dataclasses.replace(bare, quantities=[moved])\n"
        "oracles.GAMES = {'heads-or-tails': [bare]}\n"
        "sys.argv = ['oracles.py']\n"
        "oracles.main()\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "IS OFF" in done.stdout
