"""Whether the way a rumour is worded tells if it is true: statistics over many evenings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tavern_abm.cli import tavern
from tavern_abm.pack.documents import Rumor
from tavern_abm.pack.memory import Memory, session_of
from tavern_abm.pack.rumors import make_rumors, of_run, rumors_of, run_id, told_of, wanted_of
from tavern_abm.pack.sameness import name_words, opening_of, runs_in, words_of
from tavern_abm.run_folder import RunFolder, read_run

SEEDS = 25
POINTS = 0.1
"""By which P(true | a feature) and P(true | none) may differ."""
FEWEST = 20
"""Rumours with a feature, and without, from which a share means anything."""
SELDOM = 0.125
"""A share of rumours from which a difference is mostly luck."""
FORMS = ("overheard", "address", "question", "first person", "plain")
NOTICED: dict[str, Callable[[Rumor], bool]] = {
    "sum": lambda rumor: rumor.said.amount_cp is not None,
    "place": lambda rumor: rumor.said.tavern is not None,
    "this house": lambda rumor: rumor.said.tavern == rumor.tavern_id,
    "another house": lambda rumor: rumor.said.tavern not in (None, rumor.tavern_id),
    "says here": lambda rumor: "here" in words_of(rumor.text),
    "exclaims": lambda rumor: "!" in rumor.text,
    "very long": lambda rumor: len(words_of(rumor.text)) > 34,
    "names another": lambda rumor: rumor.said.other is not None,
    "time": lambda rumor: rumor.said.night is not None,
    "head": lambda rumor: bool(rumor.head),
    "tail": lambda rumor: bool(rumor.tail),
}


def tell(rumors: Iterable[Rumor]) -> dict[str, float]:
    """By how much a rumour with each feature is likelier to be true than one without."""
    found = list(rumors)
    true = np.array([rumor.truth == "true" for rumor in found])
    n_words = np.array([len(words_of(rumor.text)) for rumor in found])
    noticed = {name: np.array([has(rumor) for rumor in found]) for name, has in NOTICED.items()}
    noticed |= {form: np.array([rumor.form == form for rumor in found]) for form in FORMS}
    noticed["long"] = n_words > np.median(n_words)
    return {
        name: float(true[has].mean() - true[~has].mean())
        for name, has in noticed.items()
        if min(has.sum(), (~has).sum()) >= FEWEST
    }


def too_much(found: list[Rumor]) -> dict[str, float]:
    """Features that tell more than they may, and by how much.

    What only few have may tell more by luck: up to three standard errors.
    """
    found_with = {name: sum(map(has, found)) for name, has in NOTICED.items()}
    seldom = {name: n for name, n in found_with.items() if n < SELDOM * len(found)}
    within = {name: max(POINTS, 3 * _error(found, max(1, n))) for name, n in seldom.items()}
    return {
        name: round(by, 3)
        for name, by in tell(found).items()
        if abs(by) >= within.get(name, POINTS)
    }


def _error(found: list[Rumor], n_with: int) -> float:
    """The standard error of the difference in P(true) of those with and without a feature."""
    n, p = len(found), np.mean([rumor.truth == "true" for rumor in found])
    return float(np.sqrt(p * (1 - p) * (1 / n_with + 1 / max(1, n - n_with))))


def test_draws_of_one_evening_tell_little(talkative_run: RunFolder) -> None:
    # Eight sets of twenty: by luck alone a difference has a standard error of some 10 points
    # where a quarter have the feature; sets that were evened out stay well below two of them.
    of = of_run(talkative_run, None, None)
    sets = [
        rumors_of(of, wanted_of(count=20, draw=draw, night=None, tavern=None), Memory()).rumors
        for draw in range(8)
    ]
    told = tell(rumor for rumors in sets for rumor in rumors)
    assert {"long", "address", "plain"} <= told.keys()
    assert max(map(abs, told.values())) < 2 * POINTS


@pytest.fixture(scope="module")
def of_a_house(tmp_path_factory: pytest.TempPathFactory) -> list[Rumor]:
    """A set of each of twenty-five fortnights in a house that stands alone."""
    folder = tmp_path_factory.mktemp("seeds")
    runs = (_played(folder / str(seed), "rusty-flagon", seed) for seed in range(1, SEEDS + 1))
    return [rumor for run in runs for rumor in make_rumors(run, count="d20").rumors]


def _played(folder: Path, scenario: str, seed: int) -> RunFolder:
    """A fortnight in a house."""
    asked = [scenario, "--nights", "14", "--seed", str(seed), "--out", str(folder), "--no-report"]
    done = CliRunner().invoke(tavern, ["run", *asked])
    assert done.exit_code == 0, done.output
    return read_run(folder)


@pytest.mark.slow
def test_wording_does_not_tell_the_truth(of_a_house: list[Rumor]) -> None:
    told = tell(of_a_house)
    wanted = {"sum", "place", "time", "head", "overheard", "address", "first person", "plain"}
    assert wanted | {"long"} <= told.keys()
    assert too_much(of_a_house) == {}


@pytest.fixture(scope="module")
def of_a_town(tmp_path_factory: pytest.TempPathFactory) -> list[list[Rumor]]:
    """Three sets of each of fifteen towns with several houses."""
    folder = tmp_path_factory.mktemp("towns")
    sets = []
    for seed in range(1, 16):
        of = of_run(_played(folder / str(seed), "river-town", seed), None, None)
        for draw in range(3):
            wanted = wanted_of(count=20, draw=draw, night=None, tavern=None)
            sets.append(rumors_of(of, wanted, Memory()).rumors)
    return sets


@pytest.mark.slow
def test_in_a_town_of_several_houses_wording_does_not_tell_either(
    of_a_town: list[list[Rumor]],
) -> None:
    found = [rumor for each in of_a_town for rumor in each]
    told = tell(found)
    wanted = {"sum", "this house", "another house", "says here", "time", "head", "very long"}
    assert wanted | {"overheard", "address", "first person", "plain", "long"} <= told.keys()
    assert too_much(found) == {}


@pytest.mark.slow
def test_in_a_town_most_is_false_in_what_it_tells_and_not_in_what_is_added(
    of_a_town: list[list[Rumor]],
) -> None:
    for rumors in of_a_town:
        assert sum(rumor.said.adds_untrue for rumor in rumors) <= 1
    false = [rumor for each in of_a_town for rumor in each if rumor.truth == "false"]
    assert np.mean([rumor.kind in ("cheats", "owes") for rumor in false]) < 0.45


@pytest.mark.slow
def test_the_number_of_a_rumour_does_not_tell_it(of_a_house: list[Rumor]) -> None:
    # Five hundred places from 1 to 20: the mean of 300 has a standard error of 0.34.
    places = np.array([rumor.number for rumor in of_a_house])
    true = np.array([rumor.truth == "true" for rumor in of_a_house])
    error = places.std() * np.sqrt(1 / true.sum() + 1 / (~true).sum())
    assert abs(places[true].mean() - places[~true].mean()) < 4 * error


@pytest.mark.slow
def test_the_mix_is_what_was_asked_for_on_the_whole(of_a_house: list[Rumor]) -> None:
    for truth, share in (("true", 0.6), ("partly true", 0.25), ("false", 0.15)):
        found = np.mean([rumor.truth == truth for rumor in of_a_house])
        assert abs(found - share) < 4 * np.sqrt(share * (1 - share) / len(of_a_house))


@pytest.mark.slow
def test_six_sessions_in_a_row_repeat_nothing(tmp_path: Path) -> None:
    run = _played(tmp_path / "run", "river-town", 4)
    of = of_run(run, None, None)
    people = name_words(person.name for person in of.evening.people.values())
    signs = name_words(of.evening.houses.values())
    memory = Memory()
    for _ in range(6):
        wanted = wanted_of(count="d20", night=None, tavern=None)
        rumors = rumors_of(of, wanted, memory).rumors
        assert memory.wordings.isdisjoint(rumor.wording for rumor in rumors)
        sources = memory.sources(run_id(of.salt))
        assert sources.keys().isdisjoint(rumor.event or -rumor.story for rumor in rumors)
        assert len({opening_of(rumor.text, 2) for rumor in rumors}) == 20
        runs = [runs_in(rumor.text, people, signs) for rumor in rumors]
        assert sum(map(len, runs)) == len(frozenset().union(*runs))
        assert max(sum(rumor.form == form for rumor in rumors) for form in FORMS) <= 7
        memory = memory.and_then(session_of(run_id(of.salt), 14, {}, told_of(rumors)))
    assert len(memory.wordings) == 120
