"""`tavern rumors`: what it prints and remembers, and how it refuses."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from tavern_abm import folders
from tavern_abm.cli import tavern
from tavern_abm.pack.memory import Memory, session_of, write_memory
from tests.pack.little_town import write_little_town


@pytest.fixture(autouse=True)
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_little_town(Path("run"))


def call(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["rumors", *arguments], prog_name="tavern")


def rumors(*arguments: str) -> list[dict[str, object]]:
    done = call("run", "--format", "json", *arguments)
    assert (done.exit_code, done.stderr) == (0, "")
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def test_a_page_with_its_key_below() -> None:
    done = call("run", "--die", "d6")
    assert (done.exit_code, done.stderr) == (0, "")
    table, _, key = done.stdout.partition("KEY, for the game master alone")
    assert table.startswith("Rumours in little, night 6\n")
    assert table.count("\n   ") >= 6
    assert key.count("if pressed:") == key.count("leads to:") == key.count("DC:") == 6
    assert "seed" in key


def test_a_list_of_objects() -> None:
    found = rumors("--count", "5")
    wanted = {"id", "text", "teller", "chain", "truth", "said", "event", "hook", "dc"}
    assert [each["number"] for each in found] == [1, 2, 3, 4, 5]
    assert all(wanted <= each.keys() for each in found)


def test_one_house_one_night_some_kinds() -> None:
    assert {each["tavern"] for each in rumors("--tavern", "eel", "--count", "3")} == {"The Eel Pot"}
    kinds = {each["kind"] for each in rumors("--kind", "brawl, cheats", "--count", "2")}
    assert kinds <= {"brawl", "cheats"}
    assert "night 5" in call("run", "--night", "5", "--count", "2").stdout


def test_another_draw_another_set() -> None:
    assert rumors("--count", "4") == rumors("--count", "4")
    assert rumors("--count", "4") != rumors("--count", "4", "--draw", "1")


def test_the_players_page_has_no_key() -> None:
    for form in ("text", "md", "json", "csv"):
        page = call("run", "--count", "4", "--players", "--format", form).stdout
        full = rumors("--count", "4")
        assert all(str(each["id"]) not in page for each in full)
        for word in ("truth", "TRUE", "DC", "if pressed", "seed", "event", "strength"):
            assert word not in page
    seen = json.loads(call("run", "--count", "4", "--players", "--format", "json").stdout)
    assert [each["text"] for each in seen] == [each["text"] for each in full]
    assert {*seen[0]} == {"text", "heard_at", "speaker_as_seen"}


# ------------------------------------------------------------- what was told before


def test_what_was_told_is_not_told_again_unless_it_is_asked_for() -> None:
    first = rumors("--count", "4", "--seen", "told.json")
    again = rumors("--count", "4", "--seen", "told.json", "--again")
    players = call(
        *("run", "--count", "4", "--seen", "told.json", "--players", "--format", "json")
    ).stdout
    second = rumors("--count", "4", "--seen", "told.json")
    assert again == first
    assert [each["text"] for each in json.loads(players)] == [each["text"] for each in first]
    assert {each["wording"] for each in first}.isdisjoint(each["wording"] for each in second)
    assert len(json.loads(Path("told.json").read_text())["sessions"]) == 2


def test_what_could_not_be_given_is_not_remembered() -> None:
    assert call("run", "--count", "900", "--seen", "told.json").exit_code == 2
    assert not Path("told.json").exists()
    Path("page.txt").write_text("mine")
    assert call("run", "--count", "4", "--seen", "told.json", "--out", "page.txt").exit_code == 2
    assert not Path("told.json").exists()
    assert Path("page.txt").read_text() == "mine"


def test_a_file_is_written_aside_and_replaced_only_by_force() -> None:
    done = call("run", "--count", "4", "--out", "new/page.md", "--format", "md")
    assert (done.exit_code, done.stdout) == (0, "new/page.md\n")
    assert Path("new/page.md").read_text().startswith("# Rumours in little")
    assert call("run", "--count", "4", "--out", "new/page.md").exit_code == 2
    assert call("run", "--count", "4", "--out", "new/page.md", "--force").exit_code == 0
    assert [each.name for each in Path("new").iterdir()] == ["page.md"]


# ------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--tavern", "The Eel Pit"), "'--tavern': no house is called 'The Eel Pit'; did you mean"),
        (("--night", "99"), "'--night': no night 99: nights 1 to 6 were played"),
        (("--die", "d100"), "'--die': 100 rumours were asked for and there are only "),
        (("--count", "400"), "'--count': 400 rumours were asked for and there are only "),
        (("--kind", "beeten"), "'--kind': no kind of rumour is called 'beeten'; did you mean"),
        (("--kind", "throw"), "has anything to tell of throw on night 6"),
        (("--mix", "60,40"), "'--mix': '60,40' is no mix; write true, partly true, false as"),
        (("--mix", "0,0,0"), "'--mix': '0,0,0' leaves nothing"),
        (("--mix", "-1,2,3"), "'--mix': '-1,2,3' is no mix"),
        (("--strength", "4"), "'--strength'"),
        (("--die", "d6", "--count", "3"), "give one of them"),
        (("--versions",), "--versions needs --event"),
        (("--event", "999", "--versions"), "tells of event 999"),
        (("--again",), "--again needs --seen"),
        (("--seen", "run/run.json"), "'--seen': 'run/run.json' holds no rumours told"),
        (("--seen", "new.json", "--again"), "'--again': 'new.json' does not end with a set"),
        (("--out", "run/run.json", "--force"), "is a file of the run itself"),
        (("--event", "4", "--players"), "--event tells the truth of what was told; leave"),
        (("--story", "1", "--players"), "--story tells the truth of what was told; leave"),
        (("--stories", "--players"), "--stories tells the truth of what was told; leave"),
        (("--stories", "--die", "d6"), "--die has no say in what --stories prints"),
        (("--event", "4", "--draw", "0"), "--draw has no say in what --event without --versions"),
        (("--story", "1", "--top", "3"), "--top has no say in what --story prints"),
        (("--story", "1", "--format", "md"), "--story is printed as text or json, not as md"),
        (("--stories", "--out", "run/run.json", "--force"), "is a file of the run itself"),
        (("--seen", "/dev/full"), "'--seen': '/dev/full' is no file that can remember anything"),
        (("--seen", "none/told.json"), "there is no folder"),
        (("--tavern", "the"), "'--tavern': several houses fit 'the': The Eel Pot, The Three Keys"),
    ],
)
def test_refused_in_a_line(arguments: tuple[str, ...], hint: str) -> None:
    done = call("run", *arguments)
    assert done.exit_code == 2
    assert hint in done.stderr
    assert done.stderr.strip().count("\n") <= 3  # usage, a hint at --help, and one line
    assert done.stdout == ""


def test_a_run_in_which_nobody_has_anything_to_tell() -> None:
    for name in ("rumors", "tellings", "events", "trials"):
        table = pd.read_parquet(f"run/{name}.parquet")
        table.iloc[:0].to_parquet(f"run/{name}.parquet")
    done = call("run")
    assert done.exit_code == 2
    assert "nobody has anything to tell on night 6; let them talk for more nights" in done.stderr


@pytest.mark.parametrize("name", ["patrons", "evenings", "rumors", "tellings", "events"])
def test_a_damaged_run_folder(name: str) -> None:
    Path(f"run/{name}.parquet").write_bytes(b"no table")
    done = call("run")
    assert done.exit_code == 3
    assert f"run/{name}.parquet: damaged or not a table" in done.stderr
    assert done.stderr.count("\n") == 1
    Path(f"run/{name}.parquet").unlink()
    assert f"this run has no table {name!r}" in call("run").stderr


def test_no_run() -> None:
    done = call("nowhere")
    assert (done.exit_code, done.stderr) == (3, "nowhere: no such folder\n")


# ------------------------------------------------------------- trees, into a file


@pytest.mark.parametrize("asked", [("--stories",), ("--story", "1"), ("--event", "4")])
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_tree_goes_into_a_file(asked: tuple[str, ...], form: str) -> None:
    printed = call("run", *asked, "--format", form).stdout
    done = call("run", *asked, "--format", form, "--out", "tree.txt")
    assert (done.exit_code, done.stdout) == (0, "tree.txt\n")
    assert Path("tree.txt").read_text() == printed
    assert call("run", *asked, "--out", "tree.txt").exit_code == 2


# ------------------------------------------------------------- where it is remembered


def test_nothing_is_printed_that_cannot_be_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    write = folders.write_file

    def full(path: Path, content: bytes) -> None:
        if "told.json" in path.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(path, content)

    monkeypatch.setattr(folders, "write_file", full)
    done = call("run", "--count", "4", "--seen", "told.json")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "cannot write to told.json: the disk is full; choose another --seen\n"
    assert [each.name for each in Path().iterdir()] == ["run"]


def test_it_says_which_set_is_the_last_one() -> None:
    session = session_of("another", 21, {}, [], "river-town")
    write_memory(Path("told.json"), Memory().and_then(session))
    done = call("run", "--seen", "told.json", "--again")
    assert done.exit_code == 2
    assert "the last set in it is of river-town, night 21" in done.stderr
    assert call("run", "--count", "4", "--seen", "told.json").exit_code == 0
    done = call("run", "--count", "3", "--seen", "told.json", "--again")
    assert "the last set in it is of this run, night 6" in done.stderr


def test_heads_and_tails_come_back_only_when_all_were_told() -> None:
    told: list[object] = []
    for _ in range(6):
        set_ = rumors("--count", "5", "--seen", "told.json")
        told += [each[part] for each in set_ for part in ("head", "tail") if each[part]]
    assert len(told) > 1
    assert len(told) == len({*told})
