"""Looking ahead: playing on tells what the longer run's own record tells."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tavern_abm import TavernModel
from tavern_abm.pack.ahead import Ahead, ahead_of, nights_to_play
from tavern_abm.pack.motifs import Situation, Watch
from tavern_abm.pack.motifs.past import Happening
from tavern_abm.run_folder import RunFolder, RunFolderError, read_run
from tavern_abm.writing import write_run
from tests.pack.bench import happening, person

TAM, BESS, OSK = 1, 2, 3


def played(nights: int, place: Path) -> RunFolder:
    model = TavernModel("gossip-town", rng=3, patrons=60)
    model.run_for(nights)
    return read_run(write_run(model, place, report=False))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, RunFolder]:
    """Six nights, and twelve of the same."""
    folder = tmp_path_factory.mktemp("ahead")
    return played(6, folder / "short"), played(12, folder / "long")


@pytest.mark.parametrize("night", [3, 6])
def test_playing_on_is_what_happens_in_the_longer_run(
    runs: tuple[RunFolder, RunFolder], night: int
) -> None:
    short, long = runs
    ahead, record = ahead_of(short, night, 12 - night), ahead_of(long, night, 12 - night)
    assert ahead == record
    assert (ahead.night, ahead.until) == (night, 12)
    assert {each.night for each in ahead.happenings} <= {*range(night + 1, 13)}
    assert sum(ahead.believers.values()) > 0
    assert [each.event_id for each in ahead.happenings] == sorted(
        each.event_id for each in ahead.happenings
    )


def test_only_what_is_not_recorded_is_played(runs: tuple[RunFolder, RunFolder]) -> None:
    short, long = runs
    nights: list[int] = []
    ahead_of(short, 4, 5, progress=lambda: nights.append(1))
    assert len(nights) == nights_to_play(short, 4, 5) == 3
    ahead_of(long, 4, 5, progress=lambda: pytest.fail("nothing has to be played"))


def test_nothing_is_written(runs: tuple[RunFolder, RunFolder]) -> None:
    short, _ = runs
    before = {file.name: file.read_bytes() for file in short.path.iterdir()}
    ahead_of(short, 6, 2)
    assert before == {file.name: file.read_bytes() for file in short.path.iterdir()}


def test_a_town_whose_state_was_not_kept_says_what_to_do(
    runs: tuple[RunFolder, RunFolder], tmp_path: Path
) -> None:
    shutil.copytree(runs[0].path, tmp_path / "run")
    (tmp_path / "run" / "state.npz").unlink()
    run = read_run(tmp_path / "run")
    with pytest.raises(RunFolderError, match=r"state\.npz: .*--no-ahead.*--night") as error:
        ahead_of(run, 6, 7)
    assert "\n" not in str(error.value)
    assert ahead_of(run, 3, 3).until == 6


# ------------------------------------------------------------- what comes of a situation


def situation(*watches: Watch) -> Situation:
    return Situation("debt", "room", 1, {"a": person(TAM), "b": person(BESS)}, watches=watches)


def outcome(*happened: Happening, watches: tuple[Watch, ...]) -> list[str]:
    return [each.kind for each in Ahead(14, 21, happened).outcome(situation(*watches))]


def test_the_kind_that_answers_best_goes_before_the_earliest() -> None:
    watch = Watch("a", ("killed", "accused"))
    accused = happening("accused", TAM, night=15)
    killed = happening("killed", TAM, night=17, event_id=2)
    assert outcome(accused, killed, watches=(watch,)) == ["killed"]
    assert outcome(accused, accused._replace(night=19), watches=(watch,)) == ["accused"]
    assert outcome(watches=(watch,)) == []


def test_what_befalls_others_is_nothing_to_it() -> None:
    assert outcome(happening("killed", OSK), watches=(Watch("a", ("killed",)),)) == []
    between = Watch("a", ("accused",), other="b")
    assert outcome(happening("accused", TAM, OSK), watches=(between,)) == []
    assert outcome(happening("accused", TAM, BESS), watches=(between,)) == ["accused"]


def test_a_house_is_watched_by_its_place() -> None:
    closed = happening("closed", 0, tavern_id=1)
    assert outcome(closed, watches=(Watch("house", ("closed",)),)) == ["closed"]
    elsewhere = closed._replace(tavern_id=2)
    assert outcome(elsewhere, watches=(Watch("house", ("closed",)),)) == []
    only_here = Watch("a", ("banned",), house=True)
    assert outcome(happening("banned", TAM, tavern_id=2), watches=(only_here,)) == []


def test_a_verdict_and_its_sentence_are_told_once() -> None:
    banned = happening("banned", TAM, night=15)
    convicted = happening("convicted", TAM, night=15, event_id=0)
    left = happening("left", TAM, night=16, round=0, table_id=0, event_id=3)
    watches = (Watch("a", ("banned",)), Watch("a", ("convicted",)), Watch("a", ("left",)))
    assert outcome(convicted, banned, left, watches=watches) == ["banned", "left"]


def test_at_most_two_are_told_in_order_of_time() -> None:
    happened = [
        happening(kind, TAM, night=night, event_id=night)
        for kind, night in (("left", 18), ("broke", 16), ("lent", 15))
    ]
    watches = tuple(Watch("a", (kind,)) for kind in ("left", "broke", "lent"))
    assert outcome(*happened, watches=watches) == ["broke", "left"]


def test_what_comes_long_after_the_clock_is_another_matter() -> None:
    watch = Watch("a", ("broke",))
    late = happening("broke", TAM, night=19)
    assert outcome(late, watches=(watch,)) == []
    assert outcome(late._replace(night=18), watches=(watch,)) == ["broke"]
    ahead, of = Ahead(14, 21, (late,)), situation(watch)
    assert ahead.last_of(of) == 18
    until = replace(of, until=16)
    assert ahead.last_of(until) == 20
    assert ahead.outcome(until) == [late]
    assert Ahead(14, 15, ()).last_of(until) == 15


@pytest.mark.parametrize("kind", ["cleared", "brawl"])
def test_quarrels_with_outsiders_are_not_of_it(kind: str) -> None:
    watch = (Watch("a", (kind,)),)
    assert outcome(happening(kind, TAM, OSK), watches=watch) == []
    assert outcome(happening(kind, TAM, BESS), watches=watch) == [kind]
    convicted = happening("convicted", TAM, OSK)
    assert outcome(convicted, watches=(Watch("a", ("convicted",)),)) == ["convicted"]
