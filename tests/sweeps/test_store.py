"""The folder of a sweep: made once, opened again, and never mixed with another."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tavern_abm.shipped import shipped
from tavern_abm.sweeps.design import Auto, Design, Factor
from tavern_abm.sweeps.designs.making import design_of
from tavern_abm.sweeps.designs.points import Listed
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.runs import run_id_of
from tavern_abm.sweeps.stores import store as store_module
from tavern_abm.sweeps.stores.manifest import OF_SWEEPS, sources
from tavern_abm.sweeps.stores.parts import part_of
from tavern_abm.sweeps.stores.shards import Shard
from tavern_abm.sweeps.stores.store import Store, StoreTally
from tests.sweeps.quick_sweep import (
    FAILS,
    Quick,
    keep,
    play,
    played,
    quick_design,
    record_files,
    runs_of,
)

ROOT = Path(__file__).parents[2]


def area(settings: dict[str, float], seed: int) -> dict[str, float]:
    return {"area": settings["a"] * settings["b"] + seed % 2}


def everything(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


# ------------------------------------------------------------------- made and opened


def test_what_a_new_store_holds(tmp_path: Path) -> None:
    written = tmp_path / "mine.toml"
    written.write_text("# as I wrote it\n")
    store = Store.create(tmp_path / "a" / "s", quick_design(), source=written)
    assert sorted(everything(store.path)) == ["design.json", "design.toml", "sweep.json"]
    assert (store.path / "design.toml").read_text() == "# as I wrote it\n"
    manifest = json.loads((store.path / "sweep.json").read_text())
    assert {key: manifest[key] for key in ("format", "name", "points", "replications")} == {
        "format": 1,
        "name": "quick",
        "points": 3,
        "replications": 4,
    }
    assert manifest["design"] == quick_design().digest()
    assert manifest["versions"]["tavern_abm"]
    assert (manifest["nights"], manifest["status"], manifest["shard"]) == (4, "stopped", None)
    assert [path.name for path in store.path.parent.iterdir()] == ["s"]


def test_a_store_opened_is_the_store_that_was_made(tmp_path: Path) -> None:
    made = Store.create(tmp_path / "s", quick_design(), shard=(3, 8))
    store = Store.open(str(tmp_path / "s"))
    assert store.manifest == made.manifest
    assert store.manifest.shard == (3, 8)
    assert store.points[2] == {"patrons": 80, "taverns.0.custom": "orc"}


def test_the_design_comes_back_without_its_file(tmp_path: Path) -> None:
    design = design_of(area, factors={"a": [1, 2], "b": [0.5]}, outputs=["area"], replications=2)
    Store.create(tmp_path / "s", design)
    again = Store.open(tmp_path / "s").design
    assert again.digest() == design.digest()
    runs = list(again.runs(2))
    assert runs == list(design.runs(2))
    assert again.configuration(runs[3]).outcomes == design.configuration(runs[3]).outcomes


def test_own_outputs_go_along(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def delay(model):\n    return 1.0\n")
    own = f"{tmp_path / 'mine.py'}:delay"
    design = Design.from_dataframe({"patrons": [20]}, nights=1, outputs=["gini", own])
    store = Store.create(tmp_path / "s", design)
    assert (store.path / "own" / "mine.py").read_text() == "def delay(model):\n    return 1.0\n"
    (tmp_path / "mine.py").unlink()
    assert Store.open(store.path).design.configuration.outputs == ("gini", "delay")


def test_nothing_that_is_there_is_touched(tmp_path: Path) -> None:
    store = played(tmp_path / "s")
    before = everything(tmp_path)
    text = "a sweep is in it already; go on with it by --resume, or name another --out"
    with pytest.raises(SweepError, match=text):
        Store.create(store.path, quick_design())
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("")
    with pytest.raises(SweepError, match="not empty; name another --out"):
        Store.create(tmp_path / "full", quick_design())
    with pytest.raises(SweepError, match="a file of that name is there"):
        Store.create(tmp_path / "full" / "thesis.txt", quick_design())
    assert everything(tmp_path) == before | {"full/thesis.txt": b""}


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    assert Store.create(tmp_path / "s", quick_design()).finished() == {}


def test_a_store_whose_making_fails_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store_module.folders, "write_file", full)
    with pytest.raises(OSError, match="No space"):
        Store.create(tmp_path / "s", quick_design())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("design", "text"),
    [
        (quick_design(points=Listed({"seed": [1]})), "factor 'seed' has the name of a column"),
        (quick_design(configuration=Quick(outputs=("run_id",))), "output 'run_id' has the name"),
        (quick_design(configuration=Quick(series=("time",))), "series 'time' has the name"),
        (quick_design(configuration=Quick(outputs=("a", "a"))), "output 'a' is there twice"),
    ],
    ids=["factor", "output", "series", "twice"],
)
def test_columns_that_would_have_one_name(tmp_path: Path, design: Design, text: str) -> None:
    with pytest.raises(SweepError, match=text):
        Store.create(tmp_path / "s", design)
    assert not (tmp_path / "s").exists()


# ------------------------------------------------------------------- what is no store


def damaged(store: Store, **changes: object) -> None:
    file = store.path / "sweep.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


def test_what_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    for name, text in {
        "gone": "no such folder",
        "file": "not a folder; give the folder that `tavern sweep` wrote",
        "folder": r"not a sweep \(it has no sweep.json\)",
    }.items():
        with pytest.raises(SweepError, match=f"{name}: {text}"):
            Store.open(tmp_path / name)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"format": 2}, "s: a sweep of format 2; this version reads 1 to 1: update tavern-abm"),
        ({"format": 0}, "s: a sweep of format 0; this version reads 1 to 1; no version wrote that"),
        ({"format": None}, "sweep.json: damaged: it lacks the format"),
        ({"shard": [1]}, r"sweep.json: damaged: shard cannot be \[1\]"),
        ({"shard": [3, 2]}, r"sweep.json: damaged: shard cannot be \[3, 2\]"),
        ({"shard": ["1", "2"]}, "sweep.json: damaged: shard cannot be"),
        ({"outputs": None}, "sweep.json: damaged: outputs cannot be null"),
        ({"outputs": "gini"}, 'sweep.json: damaged: outputs cannot be "gini"'),
        ({"versions": []}, r"sweep.json: damaged: versions cannot be \[\]"),
        ({"versions": {"mesa": 3}}, "sweep.json: damaged: versions cannot be"),
        ({"replications": "z"}, 'sweep.json: damaged: replications cannot be "z"'),
        ({"replications": -1}, "sweep.json: damaged: replications cannot be -1"),
        ({"points": -3}, "sweep.json: damaged: points cannot be -3"),
        ({"points": True}, "sweep.json: damaged: points cannot be true"),
        ({"status": "done"}, 'sweep.json: damaged: status cannot be "done"'),
        ({"more": 1}, "sweep.json: damaged: it has 'more', which format 1 has not"),
    ],
    ids=str,
)
def test_a_later_or_damaged_store(tmp_path: Path, changes: dict[str, object], text: str) -> None:
    damaged(Store.create(tmp_path / "s", quick_design()), **changes)
    with pytest.raises(SweepError, match=text):
        Store.open(tmp_path / "s")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 1}', b"\xff"])
def test_a_torn_manifest(tmp_path: Path, content: bytes) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    (store.path / "sweep.json").write_bytes(content)
    with pytest.raises(SweepError, match=r"sweep\.json: damaged: "):
        Store.open(store.path)


@pytest.mark.parametrize("name", ["design.json", "parts"])
def test_a_store_that_lacks_something(tmp_path: Path, name: str) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    (store.path / name).rename(tmp_path / "elsewhere")
    with pytest.raises(SweepError, match=f"s: damaged: it lacks {name}"):
        Store.open(store.path)


@pytest.mark.parametrize(("name", "file"), [("parts", True), ("design.json", False)])
def test_a_store_in_which_something_is_of_another_kind(
    tmp_path: Path, name: str, file: bool
) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    (store.path / name).rename(tmp_path / "elsewhere")
    if file:
        (store.path / name).touch()
    else:
        (store.path / name).mkdir()
    with pytest.raises(SweepError, match=f"s: damaged: its {name} is something else"):
        Store.open(store.path)


def test_the_version_of_what_drew_the_points(tmp_path: Path) -> None:
    grid = Store.create(tmp_path / "grid", quick_design()).manifest
    assert "salib" not in grid.versions
    morris = Store.create(tmp_path / "morris", quick_design(method="morris")).manifest
    assert set(morris.versions) - set(grid.versions) == {"salib"}


# ------------------------------------------------------------------- the same sweep


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"levels": ((40,), (90,))}, "(patrons, level 2: 80 there, 90 here)"),
        ({"levels": ((40,),)}, "(levels of patrons: [40, 80] there, [40] here)"),
        ({"is_log": True}, "(is_log of patrons: false there, true here)"),
    ],
    ids=str,
)
def test_factors_that_differ_are_named(tmp_path: Path, changes: dict[str, Any], text: str) -> None:
    factor = Factor(("patrons",), "guests", ((40,), (80,)))
    store = Store.create(tmp_path / "s", quick_design(factors=(factor,)))
    with pytest.raises(SweepError) as found:
        store.verify_same(quick_design(factors=(replace(factor, **changes),)))
    assert text in str(found.value)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"configuration": Quick(until=60)}, r"\(nights: 4 there, 60 here"),
        ({"configuration": Quick(outputs=("a",))}, r'outputs: \["a", "b"\] there, \["a"\] here'),
        ({"seed": 2}, "seed: 1 there, 2 here"),
        ({"luck": "own"}, 'luck: "shared" there, "own" here'),
        ({"points": Listed({"patrons": [40, 40, 81]})}, r"points\.columns\."),
    ],
    ids=["nights", "outputs", "seed", "luck", "points"],
)
def test_another_design_is_refused_by_what_differs(
    tmp_path: Path, changes: dict[str, object], text: str
) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    with pytest.raises(SweepError, match=rf"s: a sweep of another design .*{text}.*--out"):
        store.verify_same(quick_design(**changes))


@pytest.mark.parametrize(
    "changes", [{}, {"name": "other"}, {"about": "Why?"}, {"replications": 9}], ids=str
)
def test_the_same_design_goes_on(tmp_path: Path, changes: dict[str, object]) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    store.verify_same(quick_design(**changes))
    with pytest.raises(SweepError, match="seed: 1 there, 2 here"):
        store.verify_same(quick_design(seed=2, **changes))


def test_a_factor_may_be_called_otherwise(tmp_path: Path) -> None:
    one, other = (quick_design(factors=(Factor(("patrons",), name),)) for name in "ab")
    store = Store.create(tmp_path / "s", one)
    store.verify_same(other)
    assert store.manifest.design == other.digest()
    with pytest.raises(SweepError, match=r"factors.0.paths.0: \"patrons\" there, \"p\" here"):
        store.verify_same(quick_design(factors=(Factor(("p",), "a"),)))


def test_files_of_ones_own_that_were_changed_are_named(tmp_path: Path) -> None:
    mine, trades = tmp_path / "mine.py", tmp_path / "mine" / "trades.toml"
    trades.parent.mkdir()
    mine.write_text("def delay(model):\n    return 1.0\n")
    shutil.copy(shipped("data") / "trades.toml", trades)

    def design() -> Design:
        outputs = ["gini", f"{mine}:delay"]
        fixed = {"data": str(trades.parent)}
        return design_of(fixed=fixed, factors={"patrons": [20]}, nights=1, outputs=outputs)

    store = Store.create(tmp_path / "s", design())
    store.verify_same(design())
    mine.write_text("def delay(model):\n    return 2.0\n")
    with pytest.raises(SweepError, match=r"another design is in it \(mine\.py has been changed\);"):
        store.verify_same(design())
    mine.write_text("def delay(model):\n    return 1.0\n")
    trades.write_text(trades.read_text() + "# mine\n")
    with pytest.raises(SweepError, match=r"\(the tables in the folder `data` have been changed\)"):
        store.verify_same(design())


def test_another_program_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    monkeypatch.setattr(store_module, "source_digest", lambda: "other")
    with pytest.raises(SweepError, match=r"the program has been changed since .* undo that"):
        store.verify_same(quick_design())
    monkeypatch.setattr(store_module, "versions", lambda: {"tavern_abm": "9.0"})
    with pytest.raises(SweepError, match=r"begun with tavern-abm .*, and this is 9.0: results"):
        store.verify_same(quick_design())


def test_replications_may_be_added(tmp_path: Path) -> None:
    store = played(tmp_path / "s")
    more = quick_design(replications=6, name="longer")
    with store.locked():
        store.adopt(more)
    assert Store.open(store.path).tally() == (12, 0, 18)
    assert Store.open(store.path).document["replications"] == 6
    assert Store.open(store.path).manifest.name == "longer"
    with store.locked():
        store.adopt(quick_design(replications=2))
    assert Store.open(store.path).tally().planned == 18


def test_killed_between_the_design_and_the_manifest_the_rest_is_written_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    more = quick_design(replications=9)
    with monkeypatch.context() as patched:
        patched.setattr(Store, "_rewrite", lambda *_, **__: pytest.exit("killed"))
        with pytest.raises(BaseException, match="killed"):
            store.adopt(more)
    assert json.loads((store.path / "design.json").read_text())["replications"] == 9
    assert Store.open(store.path).manifest.replications == 4
    Store.open(store.path).adopt(more)
    assert Store.open(store.path).tally() == (0, 0, 27)


def test_what_another_sweep_has_added_meanwhile_stays(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    assert store.document["replications"] == 4
    Store.open(store.path).adopt(quick_design(replications=9))
    store.adopt(quick_design(replications=6))
    assert Store.open(store.path).manifest.replications == 9
    assert store.document["replications"] == 9


def test_of_another_rule_nobody_knows_how_many(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", quick_design(replications=Auto("a", half_width=0.1)))
    play(store, quick_design(replications=1))
    assert (store.tally().planned, store.tally().missing) == (None, None)
    assert str(store.tally()) == "3 runs"


# ------------------------------------------------------------------- what was played


def test_what_was_finished(tmp_path: Path) -> None:
    design = quick_design()
    store = Store.create(tmp_path / "s", design)
    assert store.finished() == {}
    play(store, design, runs_of(design)[:6], fails=FAILS)
    expected = {run.run_id: "done" for run in runs_of(design)[:6]} | {FAILS: "failed"}
    assert store.finished() == expected
    assert list(store.finished()) == sorted(expected)
    assert store.tally() == (5, 1, 12)
    assert str(store.tally()) == "6 of 12 runs (1 failed); 6 are missing"


def test_what_failed_may_be_played_again(tmp_path: Path) -> None:
    store = played(tmp_path / "s", fails=FAILS)
    design = quick_design()
    play(store, design, [run for run in runs_of(design) if run.run_id == FAILS])
    assert store.tally() == (12, 0, 12)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("replications", [1, 4, 7])
def test_runs_of_a_shard_are_counted(tmp_path: Path, count: int, replications: int) -> None:
    planned = []
    for number in range(1, count + 1):
        store = Store.create(
            tmp_path / f"{number}", quick_design(replications=replications), shard=(number, count)
        )
        has = Shard(number, count).has
        n_runs = sum(has(s, r, 3) for s in range(3) for r in range(replications))
        assert store.tally().planned == n_runs
        planned.append(n_runs)
    assert sum(planned) == 3 * replications


def test_how_it_stands_is_written_down(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    for status in ("playing", "finished"):
        store.mark(status)  # type: ignore[arg-type]
        assert Store.open(store.path).manifest.status == status


def test_at_the_end_nothing_of_it_is_open(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", quick_design())
    with store.locked():
        part = part_of(store.path, Quick())
        keep(part, runs_of(quick_design())[0], quick_design())
        with pytest.raises(SweepError, match=f"process {os.getpid()} "), store.locked():
            pass
    assert not part.is_there()
    assert len(record_files(store)) == 1


def test_a_tally_in_words() -> None:
    assert str(StoreTally(20_000, 0, 20_000)) == "20,000 of 20,000 runs"
    assert str(StoreTally(300, 1, 240)) == "301 of 301 runs (1 failed)"


# ------------------------------------------------------------------- the program


LOADED = """
import sys
from tavern_abm.sweeps.measuring.configuration import RunConfiguration
from tavern_abm.sweeps.runs import Run
from tavern_abm.sweeps.measuring.quantities import quantities
names = tuple(quantities())
given = dict(outputs=names, series=("gini", "staked_cp"))
RunConfiguration("rusty-flagon", until=2, **given)(Run(0, 0, 1, {"patrons": 30}))
print(*(module.__file__ for name, module in sys.modules.items() if name.startswith("tavern_abm")))
"""


def test_the_digest_of_the_program_covers_whatever_a_run_loads() -> None:
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", LOADED],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {Path(name) for name in done.stdout.split()}
    known = {file for _, file in sources()}
    package = ROOT / "tavern_abm" / "sweeps"
    assert loaded - known <= {package / "__init__.py", package / "errors.py"}
    assert all((package / name).exists() for name in OF_SWEEPS)


def test_numbers_of_runs_fit_their_column() -> None:
    assert run_id_of(1_000_000, 999_999) < 2**63
