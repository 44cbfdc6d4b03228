"""Own tables of a scenario: they go along with a sweep, and say nothing of the machine."""

import shutil
from pathlib import Path

import pytest

from tavern_abm.crates import METADATA
from tavern_abm.scenario import load_scenario
from tavern_abm.shipped import shipped
from tavern_abm.sweeps.design import Design
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.measuring.own_tables import digests_of, portable
from tavern_abm.sweeps.running.sessions import play_session
from tavern_abm.sweeps.stores.frames import read
from tavern_abm.sweeps.stores.merging import merge
from tavern_abm.sweeps.stores.shards import Shard
from tavern_abm.sweeps.stores.store import Store
from tests.sweeps.quick_sweep import content


def lay_tables(home: Path) -> None:
    (home / "tables").mkdir(parents=True)
    shutil.copy(shipped("data") / "trades.toml", home / "tables")
    shutil.copy(shipped("data") / "courses" / "quay-dash.toml", home / "mill.toml")


def design_at(home: Path) -> Design:
    """A design whose scenario names a folder and a file below a place."""
    race = {"game": "race", "rounds": [1], "entrants": 4, "stake": 1}
    race["options"] = {"course": str(home / "mill.toml")}
    settings = {"data": str(home / "tables"), "taverns.0.yard": [race]}
    scenario = load_scenario("plain-dice", settings)
    return Design.from_dataframe(
        {"patrons": [20, 24]}, scenario=scenario, nights=1, replications=2, outputs=["gini"]
    )


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two shards of one design, each played where its tables lie elsewhere, then lost."""
    made = []
    for number in (1, 2):
        home = tmp_path_factory.mktemp("josiah")
        lay_tables(home)
        design = design_at(home)
        store = Store.create(home / "s", design, shard=Shard(number, 2))
        play_session(design, store)
        shutil.rmtree(home / "tables")
        (home / "mill.toml").unlink()
        made.append(store.path)
    return made


def test_what_a_sweep_says_names_no_place_of_the_machine(stores: list[Path]) -> None:
    for store in stores:
        for name in ("sweep.json", "design.json", METADATA):
            text = (store / name).read_text(encoding="utf-8")
            assert str(store.parent) not in text
            assert "josiah" not in text


def test_they_are_kept(stores: list[Path]) -> None:
    own = {file.relative_to(stores[0]).as_posix() for file in stores[0].glob("own/**/*.toml")}
    course = shipped("data") / "courses" / "quay-dash.toml"
    tables = {"taverns": [{"yard": [{"options": {"course": str(course)}}]}]}
    (name,) = digests_of(tables)
    assert own == {"own/data/trades.toml", name.replace("quay-dash", "mill")}
    assert portable(tables) == {"taverns": [{"yard": [{"options": {"course": name}}]}]}


def test_shards_of_other_places_are_one_sweep_and_it_goes_on_without_them(
    stores: list[Path], tmp_path: Path
) -> None:
    lay_tables(tmp_path / "home")
    whole = design_at(tmp_path / "home")
    one = Store.create(tmp_path / "one", whole)
    play_session(whole, one)
    both = Store.open(merge(stores, tmp_path / "both"))
    assert content(both.path) == content(one.path)
    shutil.rmtree(tmp_path / "home")
    design = both.design
    assert design.digest() == whole.digest() == both.manifest.design
    both.verify_same(design)
    run = design.run(1, 1)
    runs = read(both.path).runs.set_index("run_id")
    assert design.configuration(run).digest == runs.loc[run.run_id, "digest"]


def test_what_is_in_them_tells_one_sweep_from_another(stores: list[Path], tmp_path: Path) -> None:
    for changed in ("tables/trades.toml", "mill.toml"):
        home = tmp_path / changed.replace("/", "-")
        lay_tables(home)
        Store.open(stores[0]).verify_same(design_at(home))
        with (home / changed).open("a") as file:
            file.write("\n# mine\n")
        with pytest.raises(SweepError, match="another design"):
            Store.open(stores[0]).verify_same(design_at(home))
