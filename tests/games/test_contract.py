"""What every game keeps, whichever it is: nothing here names one.

A new game is tested here as soon as it has its line in `games.GAMES`. Each is
played once to the end and compared with ``tests/golden/play/GAME.txt``. After a
change that is meant, write those files anew and read the difference::

    TAVERN_REFRESH_GOLDEN=1 python -m pytest tests/games/test_contract.py -k golden
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tavern_abm import TavernModel
from tavern_abm.asking import Option, Question
from tavern_abm.cli.odds import odds
from tavern_abm.cli.play import play
from tavern_abm.games import GAMES, about, load_game
from tavern_abm.patrons.decisions import general, shipped_decisions
from tavern_abm.results.evenings import games_table
from tavern_abm.tables import happenings
from tavern_abm.tables.telling import Play
from tests.strategies import DICE_ALONE

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "play"
HEADINGS = (
    "Players",
    "Stakes",
    "Order of play",
    "Payout",
    "Cheating",
    "Variants and options",
    "Rulings",
    "Exact odds",
    "Source and credit",
)
PLACES = ("table", "yard", "street")
MOST_OPTIONS = 8
SEEDS = range(1, 6)

every_game = pytest.mark.parametrize("game", GAMES)


def surface(game: str) -> Play:
    found: Play = load_game(game, "tables").PLAY
    return found


def names(n: int, prefix: str = "P") -> list[str]:
    return [f"{prefix}{i}" for i in range(1, n + 1)]


def run(game: str, players: Sequence[str], **said: Any) -> Result:
    """Play a game with so many players, and what is said of it."""
    args = [game, "--players", ",".join(players)]
    for name, value in said.items():
        args += [f"--{name.replace('_', '-')}", str(value)]
    return CliRunner().invoke(play, args)


def document(game: str, players: Sequence[str], **said: Any) -> dict[str, Any]:
    """The same, as one document."""
    args = [game, "--players", ",".join(players), "--json"]
    for name, value in said.items():
        args += [f"--{name.replace('_', '-')}", str(value)]
    result = CliRunner().invoke(play, args)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def refused(result: Result, *words: str) -> None:
    """It is wrong usage, and the message has all these words."""
    assert result.exit_code == 2, result.output
    assert all(word in result.stderr for word in words), (words, result.stderr)


def with_stakes(game: str) -> Play:
    found = surface(game)
    if not found.has_stakes:
        pytest.skip("no money changes hands")
    return found


# ---------------------------------------------------------------- money


@every_game
@pytest.mark.parametrize("stake", [1, 7, 100])
@pytest.mark.parametrize("rake_bp", [0, 777, 10_000])
def test_not_a_coin_is_made_or_lost(game: str, stake: int, rake_bp: int) -> None:
    low, high = with_stakes(game).seats
    for seed in SEEDS:
        for n in (low, min(high, low + 1), min(high, 6)):
            found = document(game, names(n), seed=seed, rounds=4, stake=stake, rake_bp=rake_bp)
            assert sum(found["net_cp"].values()) + found["house_cp"] == 0
            assert found["house_cp"] >= 0 if rake_bp else found["house_cp"] == 0
            assert all(type(each) is int for each in found["net_cp"].values())


@every_game
def test_the_books_of_games_without_stakes_are_empty(game: str) -> None:
    if surface(game).has_stakes:
        pytest.skip("money changes hands")
    found = document(game, names(surface(game).seats[0]))
    assert not any(found["net_cp"].values())
    assert found["house_cp"] == 0


@every_game
def test_nobody_ever_owes_anything(game: str) -> None:
    """With a purse of just the stake one plays on, is all in, and never below 0."""
    low, high = with_stakes(game).seats
    n = min(high, max(low, 4))
    for stake in (1, 10):
        purses = ",".join(f"{name}={stake}" for name in names(n))
        for seed in SEEDS:
            found = document(game, names(n), seed=seed, rounds=20, stake=stake, purses=purses)
            assert found["rounds"], "nobody played at all"
            assert all(stake + net >= 0 for net in found["net_cp"].values())


@every_game
def test_one_is_as_poor_as_a_single_stake_among_the_rich(game: str) -> None:
    low, high = with_stakes(game).seats
    n = min(high, max(low, 4))
    for poor in names(n):
        found = document(game, names(n), rounds=12, stake=10, purses=f"{poor}=10", seed=3)
        assert found["net_cp"][poor] >= -10


@every_game
def test_who_cannot_cover_the_stake_is_named(game: str) -> None:
    low, _ = with_stakes(game).seats
    for poor in names(low):
        for purse in (0, 9):
            said = {"stake": 10, "purses": f"{poor}={purse}"}
            told = run(game, names(low), **said)
            refused(told, poor)
            assert game in told.stderr.partition("Error:")[2]


# ---------------------------------------------------------------- seats


@every_game
def test_fewest_and_most_seats(game: str) -> None:
    low, high = surface(game).seats
    for n in (low, high):
        found = document(game, names(n), rounds=2)
        assert list(found["net_cp"]) == names(n)
        assert found["players"] == names(n)


@every_game
def test_too_few_and_too_many_are_refused(game: str) -> None:
    low, high = surface(game).seats
    for n in (low - 1, high + 1):
        refused(run(game, names(n)), game, "--players", f"got {n}")


@every_game
def test_nobody_sits_twice_or_without_a_name(game: str) -> None:
    low, _ = surface(game).seats
    refused(run(game, [*names(low - 1), "P1"]), game, "P1")
    refused(run(game, [*names(low - 1), " "]), game, "--players")


@every_game
def test_whoever_is_not_there_is_named(game: str) -> None:
    low, _ = surface(game).seats
    options = {"ask": "Nobody", "dice": "Nobody=1"}
    if surface(game).has_stakes:
        options["purses"] = "Nobody=500"
    for option, value in options.items():
        refused(run(game, names(low), **{option: value}), game, f"--{option}", "Nobody", "P1")


# ---------------------------------------------------------------- play


@every_game
def test_it_ends_and_numbers_its_rounds(game: str) -> None:
    low, _ = surface(game).seats
    for rounds in (1, 15):
        found = document(game, names(low), rounds=rounds)
        numbers = [part["round"] for part in found["rounds"]]
        assert numbers == list(range(1, len(numbers) + 1))
        assert 1 <= len(numbers) <= rounds
        assert all(part["records"] for part in found["rounds"])


@every_game
def test_what_is_told_is_what_is_written(game: str) -> None:
    low, _ = surface(game).seats
    found = document(game, names(low), rounds=3)
    records = [*found["opening"], *(each for part in found["rounds"] for each in part["records"])]
    assert all(record["kind"] for record in records)
    told = " ".join(run(game, names(low), rounds=3).stdout.split())
    assert told.startswith(" ".join(" ".join(r["text"] for r in records if r["text"]).split()))


@every_game
def test_the_same_seed_plays_the_same(game: str) -> None:
    low, _ = surface(game).seats
    plays = {}
    for seed in SEEDS:
        plays[seed] = document(game, names(low), seed=seed, rounds=2)["rounds"]
        assert plays[seed] == document(game, names(low), seed=seed, rounds=2)["rounds"]
    assert any(plays[seed] != plays[1] for seed in SEEDS)


@every_game
def test_names_are_nothing_but_names(game: str) -> None:
    """Other names at the same places: the same rounds, and the same coins by place."""
    low, high = surface(game).seats
    n = min(high, max(low, 5))
    for seed in SEEDS:
        one = document(game, names(n), seed=seed, rounds=4)
        other = document(game, names(n, "Q"), seed=seed, rounds=4)
        assert list(one["net_cp"].values()) == list(other["net_cp"].values())
        assert one["house_cp"] == other["house_cp"]
        kinds = [[record["kind"] for part in each["rounds"] for record in part["records"]]
                 for each in (one, other)]  # fmt: skip
        assert kinds[0] == kinds[1]


@every_game
def test_dice_by_hand_show_what_the_die_has(game: str) -> None:
    low, _ = surface(game).seats
    for face in (0, 99):
        refused(run(game, names(low), dice=f"P1={face}"), "--dice", "P1", game, str(face))
    assert run(game, names(low), dice="P1=1").exit_code == 0


@every_game
def test_golden_playthrough(game: str) -> None:
    told = CliRunner().invoke(play, [game, "--seed", "7", "--rounds", "2"])
    assert told.exit_code == 0, told.output
    kept = GOLDEN / f"{game}.txt"
    if os.environ.get("TAVERN_REFRESH_GOLDEN"):
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(told.stdout, "utf-8")
    assert told.stdout == kept.read_text("utf-8")


# ---------------------------------------------------------------- in an evening

OF_AN_EVENING = ("Choices", "blank_scratch", "tell_round")


def in_the_house(game: str) -> dict[str, Any]:
    """What a scenario says so that the first tavern runs this game."""
    place = load_game(game).PLACE
    if place == "table":
        return {"taverns.0.tables": [{"game": game, "seats": max(6, surface(game).seats[0])}]}
    if place == "yard":
        return {"taverns.0.yard": [{"game": game, "rounds": [1, 7, 13]}]}
    pytest.skip("no house runs it")


@every_game
def test_what_an_evening_needs_is_there(game: str) -> None:
    in_the_house(game)
    tables = load_game(game, "tables")
    assert [name for name in OF_AN_EVENING if not hasattr(tables, name)] == []
    assert hasattr(
        tables, {"table": "make_play_sitting", "yard": "make_hold"}[load_game(game).PLACE]
    )
    assert set(tables.Choices._fields) <= set(shipped_decisions())
    assert not set(getattr(tables, "KINDS", {})) & set(happenings.KINDS)


@pytest.mark.slow
@every_game
def test_a_house_runs_it(game: str) -> None:
    """The ledger stops a run whose books do not balance; and the same seed runs the same."""
    runs = []
    for _ in range(2):
        model = TavernModel(DICE_ALONE, rng=4, patrons=80, **in_the_house(game))
        model.run_for(5)
        assert game in model.playing.games
        nights = games_table(model)
        assert nights.loc[nights["game"] == game, "rounds"].sum() > 0
        assert (model.people["gold"] >= 0).all()
        runs.append(model.people.tobytes())
    assert runs[0] == runs[1]


# ---------------------------------------------------------------- what a game consists of


@every_game
def test_a_game_says_what_it_is(game: str) -> None:
    rules = load_game(game)
    assert rules.__doc__
    assert rules.__doc__.count("\n") > 10, "its rules sheet"
    assert about(game) == rules.ABOUT
    assert "\n" not in rules.ABOUT
    assert rules.PLACE in PLACES
    assert surface(game).seats == (rules.MIN_SEATS, rules.MAX_SEATS)
    assert surface(game).help


@every_game
def test_options_have_a_default_that_is_allowed(game: str) -> None:
    options = load_game(game).OPTIONS
    assert all(isinstance(option, Option) and option.help for option in options)
    assert len(options) <= MOST_OPTIONS
    for each in (options, surface(game).options, load_game(game).ODDS.options):
        assert max(Counter(option.name for option in each).values(), default=1) == 1
    for option in options:
        assert option.kind.schema()
        if option.default is not None:
            assert option.kind.read(option.default) == option.default


@every_game
def test_the_table_offers_what_a_scenario_may_set(game: str) -> None:
    at_table = {option.name: option for option in surface(game).options}
    for option in load_game(game).OPTIONS:
        assert at_table[option.name].kind == option.kind
        assert at_table[option.name].default == option.default


@every_game
def test_it_can_be_asked_about_its_odds(game: str) -> None:
    assert isinstance(load_game(game).ODDS, Question)
    told = CliRunner().invoke(odds, [game])
    assert told.exit_code == 0, told.output
    found = json.loads(CliRunner().invoke(odds, [game, "--json"]).stdout)
    assert found.pop("game") == game
    assert found


@every_game
def test_nobody_else_decides_under_the_same_name(game: str) -> None:
    found = load_game(game, "patrons.decisions").DECISIONS
    others = Counter(list(general.DECISIONS))
    for each in GAMES:
        others.update(list(load_game(each, "patrons.decisions").DECISIONS))
    for name, decision in found.items():
        assert others[name] == 1, name
        assert shipped_decisions()[name] is decision
        assert decision.__doc__


@every_game
def test_it_has_its_page(game: str) -> None:
    page = (ROOT / "docs" / "games" / f"{game}.md").read_text("utf-8")
    headings = [line for line in page.splitlines() if line.startswith("#")]
    assert headings[0].startswith("# ")
    assert headings[1:] == [f"## {heading}" for heading in HEADINGS]
