"""A run that goes on from where it stopped is the run that never stopped, in every table."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from tavern_abm import Policy, TavernModel
from tavern_abm.continuing import revive, standing
from tavern_abm.continuing.standing import state
from tavern_abm.crates import METADATA
from tavern_abm.extent import Extent
from tavern_abm.patrons.columns import HOUSES
from tavern_abm.run_columns import TABLES
from tavern_abm.run_folder import RunFolder, RunFolderError, read_run
from tavern_abm.scenario import load_scenario
from tavern_abm.scenario.loading import builtin_scenarios
from tavern_abm.writing import write_run
from tests.uncompiled import with_and_without_numba

EVERY_SCENARIO = sorted(builtin_scenarios())
# Houses that close and grow, debts, lies, bribes, flights, people who come and go, and
# streaks that outlast the evening: all that one night hands on to the next.
EVENTFUL: dict[str, Any] = {
    "patrons": 140,
    "population.leave_prob": 0.02,
    "population.share_of_cheats": 0.4,
    "population.purse_days": 2.0,
    "taverns.1.staff_cp": 10,
    "taverns.1.upkeep_cp": 10,
    "loans.trust": 1.0,
    "loans.share_of_purse": 1.0,
    "taverns.0.till_cp": 300,
    "taverns.0.custom": "orc",
    "taverns.0.streaks_last": True,
    "taverns.1.custom": "dockside",
    "taverns.1.tables": [
        {"game": "rotting-toes", "count": 2, "stake": "auto"},
        {"game": "magic-wand", "count": 1, "stake": 5},
        {"game": "heads-or-tails", "count": "auto", "stake": 2},
    ],
    "loans.lending": True,
    "flight.runs": True,
    "talk.lie_prob": 0.9,
    "talk.mistake_prob": 0.1,
    "loans.dodge_prob": 0.6,
    "loans.due_nights": 2,
    "bribes.bribe_prob": 0.9,
    "fortunes.closing": True,
    "fortunes.close_after": 7,
    "fortunes.growth": True,
    "fortunes.every": 4,
    "fortunes.thrives_at": 0.01,
    "fortunes.table_cp": 10,
    "suspicion.fading": 1e-6,
    "suspicion.settled_fading": 1e-6,
    "suspicion.teller_memory": 3,
}
LEARNING: dict[str, Any] = {
    "patrons": 40,
    "minds.learning": "reinforcement",
    "population.hold_prevalence": True,
    "population.leave_prob": 0.05,
}
OF_THE_HOUR = ("started", "ended", "seconds", "salt", "continued_from")


def play(nights: int, name: str = "gossip-town", seed: int = 3, **settings: Any) -> TavernModel:
    model = TavernModel(name, rng=seed, **settings)
    model.run_for(nights)
    return model


def went_on(first: RunFolder, nights: int, place: Path, **how: Any) -> RunFolder:
    model = revive(first, **how)
    model.run_for(nights)
    return read_run(write_run(model, place, report=False))


def kept(model: TavernModel, place: Path) -> RunFolder:
    return read_run(write_run(model, place, report=False))


def assert_same(one: RunFolder, other: RunFolder) -> None:
    """Every file the same byte for byte but those that tell the hour; ``run.json`` but for it."""
    names = {file.name for file in one.path.iterdir()}
    assert names == {file.name for file in other.path.iterdir()}
    for name in sorted(names - {"run.json", METADATA}):
        assert (one.path / name).read_bytes() == (other.path / name).read_bytes(), name
    infos = [{k: v for k, v in run.info.items() if k not in OF_THE_HOUR} for run in (one, other)]
    assert infos[0] == infos[1]


def assert_goes_on(tmp_path: Path, n: int, m: int, record: str = "notable", **what: Any) -> None:
    """`n` nights and `m` more are `n + m` nights."""
    models = [
        TavernModel(what.get("name", "gossip-town"), rng=5, **what["settings"]) for _ in range(2)
    ]
    for model, nights in zip(models, (n, n + m), strict=True):
        model.record.keep_all = record == "full"
        model.run_for(nights)
    first, whole = kept(models[0], tmp_path / "first"), kept(models[1], tmp_path / "whole")
    assert_same(went_on(first, m, tmp_path / "more"), whole)


# ---------------------------------------------------------------- the equality


@pytest.mark.parametrize("name", EVERY_SCENARIO)
def test_every_scenario_goes_on_as_if_it_had_never_stopped(name: str, tmp_path: Path) -> None:
    assert_goes_on(tmp_path, 8, 4, name=name, settings={"patrons": 50})


@pytest.mark.slow
@pytest.mark.parametrize("record", ["notable", "full"])
@pytest.mark.parametrize("name", EVERY_SCENARIO)
def test_every_scenario_does_in_its_own_size(name: str, record: str, tmp_path: Path) -> None:
    patrons = min(load_scenario(name).patrons, 1500)
    assert_goes_on(tmp_path, 14, 7, record, name=name, settings={"patrons": patrons})


@pytest.fixture(scope="module")
def eventful() -> TavernModel:
    return play(14, **EVENTFUL)


def test_the_eventful_town_is_eventful(eventful: TavernModel) -> None:
    """Or the next test would prove little: of each kind before and after a night in the middle."""
    events, rumors = eventful.events, eventful.results()["rumors"]
    for kind in ("lent", "dodged", "paid_back", "bribed", "arrived", "left", "cleared", "broke"):
        assert set(events.loc[events["kind"] == kind, "night"] > 7) == {True, False}, kind
    assert set(events.loc[events["kind"] == "table_added", "night"]) == {4, 8, 12}
    assert set(events.loc[events["kind"] == "closed", "night"]) == {8}
    assert set(rumors.loc[rumors["changed"] == "invented", "made_night"] > 7) == {True, False}
    assert eventful.ways.epoch == 9


@pytest.mark.parametrize("n", [1, 4, 8, 9, 13])
def test_at_whatever_night_it_stops(n: int, eventful: TavernModel, tmp_path: Path) -> None:
    first = kept(play(n, **EVENTFUL), tmp_path / "first")
    assert_same(went_on(first, 14 - n, tmp_path / "more"), kept(eventful, tmp_path / "whole"))


@pytest.mark.parametrize("n", [3, 6])
def test_where_stakes_have_risen(n: int, tmp_path: Path) -> None:
    settings = EVENTFUL | {"fortunes.table_cp": 10**9}
    whole = play(10, **settings)
    events = whole.events
    assert set(events.loc[events["kind"] == "stakes_raised", "night"]) == {4, 8}
    first = kept(play(n, **settings), tmp_path / "first")
    assert_same(went_on(first, 10 - n, tmp_path / "more"), kept(whole, tmp_path / "whole"))


def test_on_two_threads_and_with_every_round_kept(tmp_path: Path) -> None:
    first = TavernModel("rusty-flagon", rng=3, patrons=60, threads=2)
    first.record.keep_all = True
    first.run_for(3)
    more = went_on(kept(first, tmp_path / "first"), 2, tmp_path / "more", threads=2)
    assert "rounds" in more.tables
    whole = TavernModel("rusty-flagon", rng=3, patrons=60)
    whole.record.keep_all = True
    whole.run_for(5)
    assert_same(more, kept(whole, tmp_path / "whole"))


def test_with_learners_and_a_fixed_share_of_cheats(tmp_path: Path) -> None:
    assert_goes_on(tmp_path, 6, 5, settings=LEARNING)


def test_of_a_big_towns_sample(tmp_path: Path) -> None:
    """In a big town only a sample is written down; here of a small one, so as to be quick."""
    models = [TavernModel("gossip-town", rng=3, patrons=60) for _ in range(2)]
    for model, nights in zip(models, (8, 11), strict=True):
        model.record.extent = Extent(5, 3, True)
        model.run_for(nights)
    first = kept(models[0], tmp_path / "first")
    more, whole = went_on(first, 3, tmp_path / "more"), kept(models[1], tmp_path / "whole")
    assert not more.table("suspicion")["in_full"].all()
    assert_same(more, whole)


def test_again_and_again(tmp_path: Path) -> None:
    run = kept(play(3, patrons=60), tmp_path / "0")
    salt, digest = run.info["salt"], run.info["digest"]
    assert run.info["continued_from"] is None
    for i, nights in enumerate((5, 1, 2), start=1):
        run = went_on(run, nights, tmp_path / str(i))
    assert run.info["nights"] == 11
    assert run.info["salt"] == salt
    assert run.info["continued_from"]["nights"] == 9
    assert run.info["continued_from"]["digest"] != digest
    assert_same(run, kept(play(11, patrons=60), tmp_path / "whole"))


def test_own_tables_and_own_decisions(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(Path(__file__).resolve().parents[1] / "data", data)

    settings = EVENTFUL | {"patrons": 60, "data": str(data)}
    own = Policy(pays_back=never)
    first = TavernModel("gossip-town", rng=3, policy=own, **settings)
    first.run_for(5)
    run = kept(first, tmp_path / "first")
    assert run.info["decisions"] == ["pays_back"]
    more = went_on(run, 3, tmp_path / "more", policy=own)
    assert more.info["totals"]["dodged"] > run.info["totals"]["dodged"]
    assert more.info["totals"]["paid_back"] == 0
    with pytest.raises(RunFolderError, match=r"decisions of its own \(pays_back\)"):
        revive(run)
    (data / "customs.toml").write_text((data / "customs.toml").read_text() + "\n")
    with pytest.raises(RunFolderError, match="have changed since it was played"):
        revive(run, policy=own)


def never(patron: Any, sheet: Any, loans: Any, u: float) -> bool:
    """A decision of one's own: to pay nothing back."""
    return False


# ---------------------------------------------------------------- a model that was revived


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return kept(play(4, patrons=60), tmp_path_factory.mktemp("runs") / "run")


def test_it_stands_where_the_run_stopped(run: RunFolder) -> None:
    model = revive(run)
    assert int(model.time) == 4
    assert model.digest() == run.info["digest"]
    assert model.ledger.summary() == run.info["ledger"]
    assert model.gini == run.info["totals"]["gini"]
    assert {agent.name for agent in model.agents} == set(
        run.table("patrons", filters=[("whereabouts", "==", "here")])["name"]
    )


def test_all_that_a_state_holds_is_put_back(tmp_path: Path) -> None:
    """Also what the nights to come may not happen to need."""
    model = play(6, **EVENTFUL)
    again = revive(kept(model, tmp_path / "run"))
    one, other = state(model), state(again)
    assert one.keys() == other.keys()
    for name, array in one.items():
        assert np.array_equal(array, other[name]), name
    assert vars(again.fortunes).keys() == vars(model.fortunes).keys()
    for name, value in vars(model.fortunes).items():
        assert np.array_equal(value, getattr(again.fortunes, name)), name
    assert again.playing.menu.stake.tolist() == model.playing.menu.stake.tolist()
    assert again.steps == model.steps == 6


def test_its_events_are_the_new_ones_and_their_ids_follow_on(run: RunFolder) -> None:
    model = revive(run)
    assert model.events.empty
    model.run_for(2)
    before, since = run.table("events"), model.events
    assert set(since["night"]) == {5, 6}
    assert since["event_id"].iloc[0] == before["event_id"].max() + 1
    whole = model.results()["events"]
    assert len(whole) == len(before) + len(since)
    assert whole["event_id"].tolist() == list(range(1, len(whole) + 1))
    assert set(model.nights["night"]) == {5, 6}


def test_the_networks_kept_are_those_of_a_run_in_one_go(tmp_path: Path) -> None:
    """That of its last night a run has besides; it is not the last one any more."""
    first = kept(play(9, patrons=40), tmp_path / "first")
    assert set(first.table("suspicion")["night"]) == {7, 9}
    more = went_on(first, 6, tmp_path / "more")
    assert set(more.table("suspicion")["night"]) == {7, 14, 15}


# ---------------------------------------------------------------- what cannot go on


@pytest.fixture
def copied(run: RunFolder, tmp_path: Path) -> Path:
    return Path(shutil.copytree(run.path, tmp_path / "copy"))


def change_info(folder: Path, **changes: Any) -> None:
    info = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    (folder / "run.json").write_text(json.dumps(info | changes), encoding="utf-8")


def change_state(folder: Path, **changes: Any) -> None:
    with np.load(folder / "state.npz") as found:
        arrays = dict(found)
    arrays |= changes
    np.savez(folder / "state.npz", **{k: v for k, v in arrays.items() if v is not None})


def refusal(folder: Path) -> str:
    with pytest.raises(RunFolderError) as caught:
        revive(read_run(folder))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_an_earlier_format_is_played_again(copied: Path) -> None:
    change_info(copied, format=4)
    said = refusal(copied)
    assert "earlier version" in said
    assert said.endswith(f"tavern run {copied}/scenario.toml --nights 4 --seed 3")


def test_a_big_town_without_a_state(copied: Path) -> None:
    (copied / "state.npz").unlink()
    change_info(copied, extent=Extent(23, 23, False)._asdict())
    assert refusal(copied).endswith("--record full")


def test_a_state_that_is_missing(copied: Path) -> None:
    (copied / "state.npz").unlink()
    assert "the state of this run is missing" in refusal(copied)


def bytes_of(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


NO_ARCHIVE = bytes_of(np.zeros(3))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"text", NO_ARCHIVE])
def test_a_state_that_is_none(copied: Path, content: bytes) -> None:
    (copied / "state.npz").write_bytes(content)
    assert "state.npz: damaged" in refusal(copied)


def test_a_state_cut_short(copied: Path) -> None:
    file = copied / "state.npz"
    file.write_bytes(file.read_bytes()[:-500])
    assert "state.npz: damaged" in refusal(copied)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"night": np.int64(3)}, "not of the night"),
        ({"tills": None}, "it lacks 'tills'"),
        ({"people.gold": None}, "it lacks 'people.gold'"),
        ({"games.won": np.zeros((3, 1), np.int64)}, "damaged"),
        ({"games.inclination": np.zeros((3, 9))}, "damaged"),
        ({"tills": np.zeros(7, np.int64)}, "damaged"),
        ({"rooms.stake": np.zeros(0, np.int64)}, "damaged"),
        ({"n_rows": np.int64(10**6)}, "damaged"),
        ({"people.home": np.full(3, 99, np.int64)}, "damaged"),
        ({"people.home": np.full(60, "Eel Pot")}, "people.home is of <U7 in 1 dimensions, not of"),
        ({"tills": np.zeros(2)}, "tills is of float64"),
    ],
)
def test_a_state_that_was_changed(copied: Path, change: dict[str, Any], word: str) -> None:
    change_state(copied, **change)
    assert word in refusal(copied)


INDICES = {
    "people.home": (-1, 2),
    "people.tavern": (-2, 2),
    "people.visited": (-2, 2),
    "people.banned_from": (-2, 2),
    "people.also_banned": (5 * HOUSES + 2,),
    "people.wish": (-2, 999),
    "people.trade": (-1, 999),
    "people.whereabouts": (-1, 4),
    "people.owes_to": (-2, 9999),
    "people.grudge": (-2, 9999),
    "beliefs.subject": (-2, 9999),
    "acquaintances.other": (-2, 9999),
    "acquaintances.tie": (-1, 5),
    "sheet.household": (-1, 9999),
    "sheet.ancestry": (-1, 99),
    "sheet.sex": (-1, 2),
    "sheet.size_class": (-1, 4),
    "sheet.temper": (-1, 6),
    "sheet.gambler": (-1, 99),
    "known.story": (-2, 99_999),
    "known.rumor": (-1, 99_999),
    "known.told_from": (-2, 10**7),
    "known.subject": (-1, 9999),
    "known.claim": (-1, 13),
    "known.n_heard": (-1,),
    "versions.story": (-1, 99_999),
    "versions.parent": (-2, 99_999),
    "versions.subject": (-1, 9999),
    "versions.other": (-2, 9999),
    "versions.made_by": (-2, 9999),
    "versions.tavern": (-2, 2),
    "versions.claim": (-1, 13),
    "versions.kind": (-2, 15),
    "versions.game": (-2, 99),
    "versions.changed": (-1, 17),
}


@pytest.mark.parametrize("name", INDICES)
def test_nothing_in_a_state_points_beyond_what_there_is(
    copied: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is seen before anything is made of it: a kernel would read what is not there."""
    monkeypatch.setattr(standing, "_place_people", None)
    with np.load(copied / "state.npz") as found:
        array = found[name]
    for value in INDICES[name]:
        wrong = array.copy()
        wrong.flat[-1] = value
        change_state(copied, **{name: wrong})
        assert refusal(copied).endswith(f"damaged: {name} points beyond what there is")


def test_a_state_of_another_run(copied: Path, tmp_path: Path) -> None:
    other = kept(play(4, patrons=60, seed=4), tmp_path / "other")
    shutil.copy(other.path / "state.npz", copied / "state.npz")
    assert (
        refusal(copied) == f"{copied}: damaged: state.npz, tables and run.json are not of one run"
    )


@pytest.mark.parametrize("changes", [{"seed": 5}, {"replicate": 1}, {"digest": "0"}])
def test_a_seed_of_another_run(copied: Path, changes: dict[str, Any]) -> None:
    change_info(copied, **changes)
    assert "are not of one run" in refusal(copied)


def test_tables_of_another_version(copied: Path) -> None:
    """Not called damaged alone: a version may make other tables of the same nights."""
    versions = read_run(copied).info["versions"] | {"tavern_abm": "0.0.1"}
    change_info(copied, versions=versions, digest="0")
    assert "played by tavern_abm 0.0.1, and " in refusal(copied)


@pytest.mark.parametrize("name", ["people.gold", "ledger.outside_cp", "tellings"])
def test_a_number_that_was_changed(copied: Path, name: str) -> None:
    with np.load(copied / "state.npz") as found:
        changed = found[name] + np.int64(1)
    change_state(copied, **{name: changed})
    assert "are not of one run" in refusal(copied)


def test_what_is_no_number(copied: Path) -> None:
    with np.load(copied / "state.npz") as found:
        changed = found["beliefs.strength"] * np.nan
    change_state(copied, **{"beliefs.strength": changed})
    assert "beliefs.strength holds what is no number" in refusal(copied)


@pytest.mark.parametrize("name", [name for name in TABLES if name != "rounds"])
def test_a_table_without_a_column_or_a_row(copied: Path, name: str) -> None:
    file = copied / f"{name}.parquet"
    whole = pq.read_table(file)
    lost = whole.column_names[-1]
    pq.write_table(whole.drop_columns([lost]), file)
    assert refusal(copied) == (f"{file}: damaged or of another version: it has no column '{lost}'")
    if len(whole):
        pq.write_table(whole.slice(0, len(whole) - 1), file)
        assert "are not of one run" in refusal(copied)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": "x"}, "damaged: its seed must be a whole number from 0 (got 'x')"),
        ({"seed": -1}, "damaged: its seed must be a whole number from 0 (got -1)"),
        ({"nights": "14"}, "damaged: its nights must be a whole number from 0 (got '14')"),
        ({"patrons": True}, "damaged: its patrons must be a whole number from 0 (got True)"),
        ({"replicate": "x"}, "damaged: its replicate is no whole number"),
        ({"extent": Extent(0, 0, True)._asdict()}, "damaged: its extent has a sample that is none"),
        ({"extent": Extent(1, 1, 2)._asdict()}, "damaged: its extent does not say whether"),
        ({"data_digest": "ab"}, "damaged: it tells of tables of its own, and the scenario"),
        ({"decisions": 7}, "damaged: what is said of its decisions"),
    ],
)
def test_what_is_said_of_a_run_is_nonsense(copied: Path, change: dict[str, Any], said: str) -> None:
    change_info(copied, **change)
    assert f"run.json: {said}" in refusal(copied)


def test_a_scenario_that_is_missing(copied: Path) -> None:
    (copied / "scenario.toml").unlink()
    assert "the scenario of this run is missing" in refusal(copied)


def test_an_extent_that_is_missing(copied: Path) -> None:
    change_info(copied, extent={"half": 1})
    assert "run.json: damaged" in refusal(copied)


def test_a_table_that_is_missing_or_cut_short(copied: Path) -> None:
    file = copied / "wealth.parquet"
    content = file.read_bytes()
    file.write_bytes(content[:-9])
    assert "wealth.parquet: damaged or not a table" in refusal(copied)
    file.unlink()
    assert "wealth.parquet: this table is missing" in refusal(copied)


def test_tables_are_read_only_when_they_are_joined(run: RunFolder) -> None:
    assert pd.api.types.is_list_like(revive(run).results()["events"]["witnesses"].iloc[-1])


UNCOMPILED = """
from pathlib import Path
from tempfile import TemporaryDirectory
from tavern_abm import TavernModel
from tavern_abm.continuing import revive
from tavern_abm.run_folder import read_run
from tavern_abm.writing import write_run
from tests.uncompiled import with_and_without_numba

model = TavernModel("gossip-town", rng=3, patrons=24)
model.run_for(2)
with TemporaryDirectory() as place:
    again = revive(read_run(write_run(model, Path(place, "run"), report=False)))
    again.run_for(2)
    print(again.digest())
"""


@pytest.mark.slow
def test_the_same_without_numba() -> None:
    assert with_and_without_numba(UNCOMPILED) == [play(4, patrons=24).digest()] * 2
