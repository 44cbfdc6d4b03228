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
FORMS = ("overheard", "address", "question", "first person", "plain")
NOTICED: dict[str, Callable[[Rumor], bool]] = {
    "sum": lambda rumor: rumor.said.amount_cp is not None,
    "place": lambda rumor: rumor.said.tavern is not None,
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


def test_draws_of_one_evening_tell_little(talkative_run: RunFolder) -> None:
    # Eight sets of twenty: by luck alone a difference has a standard error of some 10 points
    # where a quarter have the feature; sets that were evened out stay well below two of them.
    of = of_run(talkative_run, None, None)
    sets = [
        rumors_of(of, wanted_of(count=20, draw=draw, night=None, tavern=None), Memory()).rumors
        for draw in range(8)
    ]
    told = tell(rumor for rumors in sets for rumor in rumors)
    assert {"head", "long", "address", "plain"} <= told.keys()
    assert max(map(abs, told.values())) < 2 * POINTS


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[RunFolder]:
    folder = tmp_path_factory.mktemp("seeds")
    return [_played(folder / str(seed), "rusty-flagon", seed) for seed in range(1, SEEDS + 1)]


def _played(folder: Path, scenario: str, seed: int) -> RunFolder:
    """A fortnight in a house."""
    asked = [scenario, "--nights", "14", "--seed", str(seed), "--out", str(folder), "--no-report"]
    done = CliRunner().invoke(tavern, ["run", *asked])
    assert done.exit_code == 0, done.output
    return read_run(folder)


@pytest.mark.slow
def test_wording_does_not_tell_the_truth(runs: list[RunFolder]) -> None:
    sets = [make_rumors(run, count="d20").rumors for run in runs]
    told = tell(rumor for rumors in sets for rumor in rumors)
    wanted = {"sum", "place", "time", "head", "overheard", "address", "first person", "plain"}
    assert wanted | {"long"} <= told.keys()
    assert {name: round(by, 3) for name, by in told.items() if abs(by) >= POINTS} == {}


@pytest.mark.slow
def test_the_number_of_a_rumour_does_not_tell_it(runs: list[RunFolder]) -> None:
    # Five hundred places from 1 to 20: the mean of 300 has a standard error of 0.34.
    rumors = [rumor for run in runs for rumor in make_rumors(run, count="d20").rumors]
    places = np.array([rumor.number for rumor in rumors])
    true = np.array([rumor.truth == "true" for rumor in rumors])
    error = places.std() * np.sqrt(1 / true.sum() + 1 / (~true).sum())
    assert abs(places[true].mean() - places[~true].mean()) < 4 * error


@pytest.mark.slow
def test_the_mix_is_what_was_asked_for_on_the_whole(runs: list[RunFolder]) -> None:
    rumors = [rumor for run in runs for rumor in make_rumors(run, count="d20").rumors]
    for truth, share in (("true", 0.6), ("partly true", 0.25), ("false", 0.15)):
        found = np.mean([rumor.truth == truth for rumor in rumors])
        assert abs(found - share) < 4 * np.sqrt(share * (1 - share) / len(rumors))


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
