"""The metadata of a folder tell machines what it is: complete, true, and of the standard."""

import hashlib
import json
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pandas as pd
import pytest
from click.testing import CliRunner

from tavern_abm import TavernModel, crates
from tavern_abm.cli import tavern
from tavern_abm.crates import METADATA, Publisher, write_crate
from tavern_abm.shipped import shipped
from tavern_abm.sweeps.design import Auto
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.stores.crate import write_crate as write_crate_of_sweep
from tavern_abm.sweeps.stores.merging import merge
from tavern_abm.sweeps.stores.store import Store
from tavern_abm.sweeps.stores.store_tables import TABLES
from tavern_abm.writing import write_run
from tests.sweeps.quick_sweep import FAILS, content, quick_design
from tests.sweeps.quick_sweep import played as played_sweep

Graph = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = TavernModel("orc-gate", rng=3, patrons=30)
    model.run_for(3)
    return write_run(model, tmp_path_factory.mktemp("runs") / "orc gate", report=True)


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    """A sweep of which a run failed, with a file of one's own in its folder."""
    design = quick_design(name="rake", about="Does a rake make a town poor?", seed=7)
    store = played_sweep(tmp_path / "rake", design, fails=FAILS)
    store.mark("finished")
    merge([store.path])
    (store.path / "own").mkdir()
    (store.path / "own" / "mine.py").write_text("def delay(model): return 1.0\n")
    (store.path / "notes.txt").write_text("my own")
    return store.path


def graph_of(folder: Path) -> Graph:
    found = json.loads((folder / METADATA).read_text(encoding="utf-8"))["@graph"]
    graph = {entity["@id"]: entity for entity in found}
    assert len(graph) == len(found), "two entities with one id"
    return graph


def references(value: Any) -> Iterator[str]:
    """Every id that a property points at."""
    if isinstance(value, list):
        for each in value:
            yield from references(each)
    elif isinstance(value, dict):
        yield value["@id"]


def verify_standard(graph: Graph) -> None:
    """What RO-Crate 1.1 and the Process Run Crate profile ask of every crate."""
    assert graph[METADATA]["about"] == {"@id": "./"}
    assert graph[METADATA]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    root = graph["./"]
    assert root["@type"] == "Dataset"
    assert {"name", "description", "datePublished", "license", "conformsTo"} <= set(root)
    (action,) = [each for each in graph.values() if each["@type"] == "CreateAction"]
    assert root["mentions"] == {"@id": action["@id"]}
    assert graph[action["instrument"]["@id"]]["@type"] == "SoftwareApplication"
    assert action["startTime"] <= action["endTime"]
    for entity in graph.values():
        for key, value in entity.items():
            if key != "@id":
                targets = set(references(value)) - {"https://w3id.org/ro/crate/1.1"}
                assert targets <= set(graph), (entity["@id"], key)


def verify_files(folder: Path, graph: Graph, unhashed: str) -> None:
    """Each file is part of the whole and as it says."""
    parts = {each["@id"] for each in graph["./"]["hasPart"]}
    files = {id_: each for id_, each in graph.items() if each["@type"] == "File"}
    assert set(files) <= parts
    for id_, entity in files.items():
        content = (folder / unquote(id_)).read_bytes()
        assert entity["description"]
        assert "/" in entity["encodingFormat"]
        assert entity["encodingFormat"] != "application/octet-stream"
        if id_ != unhashed:
            assert entity["sha256"] == hashlib.sha256(content).hexdigest()
            assert entity["contentSize"] == str(len(content))


def test_a_run(played: Path) -> None:
    graph = graph_of(played)
    verify_standard(graph)
    verify_files(played, graph, "run.json")
    files = {id_ for id_, each in graph.items() if each["@type"] == "File"}
    assert files | {METADATA} == {path.name for path in played.iterdir()}


def test_a_run_says_what_went_in(played: Path) -> None:
    graph, info = graph_of(played), json.loads((played / "run.json").read_text())
    action = graph["#run"]
    put_in = set(references(action["object"]))
    assert put_in == {"scenario.toml", "#seed", "#replicate", "#nights"}
    assert (graph["#seed"]["value"], graph["#nights"]["value"]) == (3, 3)
    assert graph["#digest"]["value"] == info["digest"]
    assert action["description"] == "tavern run scenario.toml --seed 3 --nights 3"
    assert action["endTime"] == info["ended"]
    program = graph[action["instrument"]["@id"]]
    assert program["softwareVersion"] == info["versions"]["tavern_abm"]
    below = {graph[id_]["name"] for id_ in references(program["softwareRequirements"])}
    assert below == set(info["versions"]) - {"tavern_abm"}


def test_the_salt_is_not_told(played: Path) -> None:
    salt = json.loads((played / "run.json").read_text())["salt"]
    assert salt not in (played / METADATA).read_text()


def test_written_anew_it_is_the_same(played: Path) -> None:
    before = (played / METADATA).read_bytes()
    write_crate(played)
    assert (played / METADATA).read_bytes() == before


def test_whoever_publishes_says_so(played: Path) -> None:
    before = (played / METADATA).read_bytes()
    orcid, licence = (
        "https://orcid.org/0000-0002-1825-0097",
        "https://creativecommons.org/licenses/by/4.0/",
    )
    write_crate(played, Publisher("Josiah Carberry", orcid, "Brown University", licence))
    graph = graph_of(played)
    verify_standard(graph)
    assert graph["./"]["license"] == {"@id": licence}
    assert graph["./"]["author"] == graph["#run"]["agent"] == {"@id": orcid}
    assert graph[orcid]["name"] == "Josiah Carberry"
    assert graph[orcid]["affiliation"] == graph["./"]["publisher"] == {"@id": "#affiliation"}
    said = (played / METADATA).read_bytes()
    write_crate(played)
    assert (played / METADATA).read_bytes() == said, "who published it is kept"
    write_crate(played, Publisher("Josiah Carberry"))
    assert graph_of(played)["#author"]["name"] == "Josiah Carberry"
    write_crate(played)
    assert graph_of(played)["./"]["author"] == {"@id": "#author"}
    write_crate(played, Publisher())
    assert (played / METADATA).read_bytes() == before


def test_metadata_that_are_damaged_are_written_anew(played: Path) -> None:
    before = (played / METADATA).read_bytes()
    for text in ("{", "[]", '{"@graph": [{"@id": "./"}]}'):
        (played / METADATA).write_text(text)
        write_crate(played)
        assert (played / METADATA).read_bytes() == before


def test_a_report_that_is_written_anew_is_named_anew(played: Path) -> None:
    (played / "report.html").write_text("old")
    assert CliRunner().invoke(tavern, ["report", str(played)]).exit_code == 0
    verify_files(played, graph_of(played), "run.json")


def test_a_run_that_went_on_and_had_own_decisions(played: Path) -> None:
    info = json.loads((played / "run.json").read_text())
    info |= {
        "continued_from": {"nights": 2, "digest": "d" * 64, "version": "0.6.0"},
        "decisions": ["cheats", "accuses"],
        "data_digest": "e" * 64,
    }
    document = json.loads(crates.crate_of_run(played, info))
    graph = {entity["@id"]: entity for entity in document["@graph"]}
    verify_standard(graph)
    assert graph["#continued-from"]["value"] == "d" * 64
    assert graph["#decisions"]["value"] == "cheats, accuses"
    assert graph["#data-digest"]["value"] == "e" * 64
    assert graph["#run"]["description"] == "tavern rerun ."


def test_a_sweep(sweep: Path) -> None:
    write_crate_of_sweep(sweep)
    graph = graph_of(sweep)
    verify_standard(graph)
    verify_files(sweep, graph, "sweep.json")
    parts = {each["@id"] for each in graph["./"]["hasPart"]}
    tables = {f"{name}.parquet" for name in TABLES}
    assert parts == {"sweep.json", "design.json", "merged.json", "own/mine.py", "parts/", *tables}
    assert graph["./"]["name"] == "sweep rake"
    about = graph["./"]["description"]
    assert about.startswith("Does a rake make a town poor? 12 runs")
    assert "1 of them failed" in about
    action = graph["#sweep"]
    assert action["name"] == "playing the runs of rake"
    assert action["startTime"] == json.loads((sweep / "sweep.json").read_text())["created"]
    timings = pd.read_parquet(sweep / "timings.parquet")
    ends = timings["started"] + pd.to_timedelta(timings["seconds"], unit="s")
    assert action["endTime"] == ends.max().floor("s").isoformat()
    assert action["actionStatus"] == "http://schema.org/CompletedActionStatus"


def test_a_sweep_says_what_went_in_and_what_was_measured(sweep: Path) -> None:
    write_crate_of_sweep(sweep)
    graph = graph_of(sweep)
    put_in = {graph[id_]["name"]: graph[id_] for id_ in references(graph["#sweep"]["object"])}
    assert set(put_in) == {
        *("design.json", "own/mine.py", "seed", "luck", "replications", "method"),
        *("points", "nights", "design", "source"),
    }
    assert put_in["seed"]["value"] == 7
    assert put_in["design"]["value"] == Store.open(sweep).manifest.design
    measured = {graph[id_]["name"] for id_ in references(graph["./"]["variableMeasured"])}
    assert measured == {"a", "b"}


def test_who_publishes_a_sweep_is_kept(sweep: Path) -> None:
    write_crate_of_sweep(sweep, Publisher("Josiah Carberry"))
    write_crate_of_sweep(sweep)
    assert graph_of(sweep)["#author"]["name"] == "Josiah Carberry"


def test_a_sweep_of_another_rule_for_how_many(tmp_path: Path) -> None:
    design = quick_design(replications=Auto("a", half_width=0.1))
    store = Store.create(tmp_path / "s", design, shard=(1, 2))
    write_crate_of_sweep(store.path)
    graph = graph_of(store.path)
    assert json.loads(graph["#replications-of-the-sweep"]["value"])["output"] == "a"
    assert json.loads(graph["#shard-of-the-sweep"]["value"]) == [1, 2]
    assert graph["#sweep"]["actionStatus"] == "http://schema.org/ActiveActionStatus"


def test_a_sweep_that_is_not_merged(sweep: Path) -> None:
    for file in sweep.glob("*.parquet"):
        file.unlink()
    write_crate_of_sweep(sweep)
    graph = graph_of(sweep)
    verify_standard(graph)
    assert "not merged yet" in graph["./"]["description"]


WRITTEN = """
scenario = "plain-dice"
nights = 2
replicates = 2
outputs = ["rounds", "gini"]
[set]
patrons = 20
[[factors]]
path = "taverns.0.rake_bp"
values = [0, 500]
"""


@pytest.mark.parametrize(
    ("asked", "again"),
    [
        ("", "tavern sweep design.toml"),
        ("--nights 2 --seed 1", "tavern sweep design.toml"),
        ("--seed 5 --nights 3", "tavern sweep design.toml --nights 3 --seed 5"),
        ("--replicates 3 --shard 2/2", "tavern sweep design.toml --replicates 3 --shard 2/2"),
        (
            "--set patrons=24 --nights 1 --set taverns.0.custom=orc",
            "tavern sweep design.toml --nights 1 --set patrons=24 --set taverns.0.custom=orc",
        ),
        ("--set data=mine", 'python -c "import json; '),
        ("--set data=mine --shard 1/2", 'python -c "import json; '),
    ],
)
def test_what_plays_a_sweep_again_plays_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str, again: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dice.toml").write_text(WRITTEN)
    Path("mine").mkdir()
    shutil.copy(shipped("data") / "trades.toml", "mine")
    play = ["sweep", "dice.toml", "--jobs", "1", "--out", "s", *asked.split()]
    assert CliRunner().invoke(tavern, play).exit_code == 0
    command = graph_of(Path("s"))["#sweep"]["description"]
    assert command.startswith(again)
    # In the folder itself: whatever else there was may be gone.
    Path("dice.toml").unlink()
    shutil.rmtree("mine")
    monkeypatch.chdir("s")
    program, *arguments = shlex.split(command)
    if program == "tavern":
        arguments += ["--jobs", "1", "--out", "../again"]
        assert CliRunner().invoke(tavern, arguments).exit_code == 0
    else:
        exec(arguments[1], {})
    place = Path("../again" if program == "tavern" else "again")
    assert content(place) == content(Path())


def test_after_more_replications_other_options_play_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dice.toml").write_text(WRITTEN)
    play = ["sweep", "dice.toml", "--jobs", "1", "--out", "s", "--set", "patrons=24"]
    CliRunner().invoke(tavern, play)
    CliRunner().invoke(tavern, ["sweep", "s", "--jobs", "1", "--resume", "--replicates", "3"])
    command = graph_of(Path("s"))["#sweep"]["description"]
    assert command == "tavern sweep design.toml --replicates 3 --set patrons=24"


def test_a_design_that_names_other_files_is_not_said_to_be_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("points.csv").write_text("taverns.0.rake_bp\n0\n500\n")
    head, _, _ = WRITTEN.partition("[[factors]]")
    Path("dice.toml").write_text(head + '[sampling]\nmethod = "table"\nfile = "points.csv"\n')
    done = CliRunner().invoke(tavern, ["sweep", "dice.toml", "--jobs", "1", "--out", "s"])
    assert done.exit_code == 0, done.output
    assert "design.json" in graph_of(Path("s"))["#sweep"]["description"]


def test_a_folder_of_neither(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"not a run \(it has no run.json\)"):
        write_crate(tmp_path)
    with pytest.raises(SweepError, match=r"not a sweep"):
        write_crate_of_sweep(tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(ValueError, match=r"run\.json: damaged"):
        write_crate(tmp_path)
    assert not (tmp_path / METADATA).exists()


def test_the_library_of_the_standard_reads_them(played: Path, sweep: Path) -> None:
    rocrate = pytest.importorskip("rocrate.rocrate")
    write_crate_of_sweep(sweep)
    for folder in (played, sweep):
        crate = rocrate.ROCrate(folder)
        there = {path.name for path in folder.glob("*.parquet")}
        assert there <= {entity.id for entity in crate.data_entities}
        action = crate.root_dataset["mentions"]
        assert action.type == "CreateAction"
        assert action["instrument"]["name"] == "tavern_abm"
