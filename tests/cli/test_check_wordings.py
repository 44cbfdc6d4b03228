"""`tavern check` of a file of wordings: what is wrong with it, or how its lines sound."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tavern_abm.cli import tavern
from tavern_abm.shipped import shipped

GOOD = "{who} owes {sum} to {by}, and sits there smiling as if it were the other way about."
FILE = f"""
[[say]]
if = "has by, has sum"
t = "{GOOD}"
"""


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(tavern, ["check", *arguments])


def write(text: str, name: str = "owes.toml") -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, "utf-8")
    return name


def test_five_samples_of_each_new_line() -> None:
    result = run(write(FILE))
    assert result.exit_code == 0
    first, line, *samples = result.stdout.splitlines()
    assert first == "owes.toml: 1 line, all sound"
    assert line == "  line 2: has by, has sum"
    assert len(set(samples)) == 5
    assert all("and sits there smiling as if" in each and "{" not in each for each in samples)
    assert result.stdout == run("owes.toml").stdout


def test_as_many_samples_as_asked_for() -> None:
    assert len(run(write(FILE), "--samples", "2").stdout.splitlines()) == 4
    assert run("owes.toml", "--samples", "0").stdout == "owes.toml: 1 line, all sound\n"


def test_a_line_that_sounds_but_one_way_is_heard_once() -> None:
    text = "I owe it, yes, and I owe it to a better man than you or any of yours."
    assert len(run(write(f'[[say]]\nif = "self"\nt = "{text}"')).stdout.splitlines()) == 3


def test_lines_that_are_shipped_are_not_new() -> None:
    file = str(shipped("data") / "wordings" / "bribed.toml")
    (line,) = run(file).stdout.splitlines()
    assert line.endswith("lines, all sound")
    assert len(run(file, "--samples", "1").stdout.splitlines()) > 20


def test_of_what_stands_before_or_after_it_is_heard_with_it() -> None:
    result = run(write('[[tail]]\nif = "bruised"\nt = "{he} can be found at home."', "tails.toml"))
    _, _, *samples = result.stdout.splitlines()
    assert len(samples) == 5
    assert all("can be found at home." in each and len(each) > 60 for each in samples)


def test_what_is_wrong_is_said_with_its_line_and_nothing_else() -> None:
    text = "{who} has a new hat. Ask {him} whose money that was, and watch {him} take it off."
    result = run(write(FILE + f'\n[[say]]\nif = "knwos"\nt = "{text}"\n'))
    assert result.exit_code == 3
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        "owes.toml:6: unknown tag 'knwos' (did you mean 'knows'?); see docs/how-to/add-a-wording.md"
    ]


def test_all_that_is_wrong_is_said_at_once() -> None:
    result = run(write(f'[[say]]\nt = "They say {GOOD[:-1]} 62."\n[[say]]\nt = "short"\n'))
    assert [line.split(":")[1] for line in result.stderr.splitlines()] == ["1", "1", "3", "3", "3"]


def test_what_is_wrong_with_a_text_is_said_beside_what_is_wrong_with_its_tags() -> None:
    text = "They say {who} owes {gold} since {when}, and sits there smiling all the same, mind."
    result = run(write(f'[[say]]\nif = "hapy, owse"\nful = true\nt = "{text}"\n'))
    said = result.stderr
    assert "unknown field 'ful'" in said
    assert "unknown tag 'hapy' (did you mean 'merry'?)" in said
    assert "unknown tag 'owse' (did you mean 'owes'?)" in said
    assert "unknown slot {gold}; use {sum}" in said
    assert "a word of time beside a slot" in said
    assert "for since when there is {since}" in said
    assert "an opening that says nothing" in said
    assert "no event ever fits it" not in said
    for wrong, right in (
        ("hapy, owse", "merry, owes"),
        ("ful = true\n", ""),
        ("{gold} since {when}", "{sum} {since}"),
        ("They say {who}", "{who}"),
    ):
        Path("owes.toml").write_text(Path("owes.toml").read_text().replace(wrong, right))
    assert run("owes.toml").exit_code == 0, run("owes.toml").stderr


def test_an_entry_without_text_has_nothing_else_to_be_said_of_it() -> None:
    result = run(write('[[say]]\nif = "knwos"\n[[say]]\nt = 4\n'))
    assert [line.split(":")[1] for line in result.stderr.splitlines()] == ["1", "3"]


def test_a_slot_that_is_like_none_is_told_which_there_are() -> None:
    result = run(write(FILE.replace("smiling", "{xyzzy}")))
    assert "unknown slot {xyzzy}; take it out; there are {at}, {by}, " in result.stderr


def test_a_data_folder_of_ones_own() -> None:
    write(FILE, "my-data/wordings/owes.toml")
    result = run("my-data")
    assert result.exit_code == 0
    assert result.stdout.startswith("my-data/wordings/owes.toml: 1 line, all sound")
    write('[[head]]\nif = "far"\nt = "ask {first} 3 times."', "my-data/wordings/heads.toml")
    assert run("my-data").stderr.startswith("my-data/wordings/heads.toml:1: a digit")


def test_what_is_no_toml() -> None:
    result = run(write("[[say]]\nt = 'a\n"))
    assert result.exit_code == 3
    assert result.stderr.startswith("owes.toml:2: invalid TOML")


def test_a_file_named_as_no_kind_of_event() -> None:
    result = run(write(FILE, "ows.toml"))
    assert result.exit_code == 3
    assert "did you mean 'owes'" in result.stderr


def test_a_folder() -> None:
    write(FILE, "wordings/owes.toml")
    write('[[head]]\nif = "far"\nt = "ask {first} 3 times."', "wordings/heads.toml")
    result = run("wordings")
    assert result.exit_code == 3
    assert result.stderr.startswith("wordings/heads.toml:1: a digit")
    Path("wordings/heads.toml").unlink()
    assert run("wordings").exit_code == 0


def test_colours() -> None:
    result = run(str(shipped("data") / "wordings" / "colors.toml"))
    assert result.exit_code == 0
    bad = '[[color]]\nname = "spot"\nframe = "at {spot}"\nvalues = ["the table 3"]\n'
    result = run(write(bad, "wordings/colors.toml"))
    assert result.exit_code == 3
    assert "wordings/colors.toml:4: spot: values.0: must be in words" in result.stderr


def test_as_json() -> None:
    result = run(write(f'[[say]]\nt = "{GOOD[:-1]} 62."'), "--json")
    assert result.exit_code == 3
    summary = json.loads(result.stdout)
    assert summary["is_valid"] is False
    assert summary["problems"] == [
        {
            "path": "owes.toml",
            "line": 1,
            "problem": "a digit: '6'",
            "cure": "write numbers as words, and sums and nights as slots",
        }
    ]
    result = run(write(FILE), "--json")
    assert json.loads(result.stdout) == {"source": "owes.toml", "is_valid": True, "problems": []}


def test_samples_from_a_run(tmp_path: Path) -> None:
    from tests.fake_run import Fake, write_fake_run

    folder = write_fake_run(tmp_path / "run", Fake())
    text = '[[say]]\nt = "{who} took it all home from {game}, and never counted it twice."'
    result = run(write(text, "won.toml"), "--run", str(folder))
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) > 2
    text = text.replace("[[say]]", '[[say]]\nif = "trade banker, drunk, pious"')
    result = run(write(text, "won.toml"), "--run", str(folder))
    assert result.stdout.splitlines()[-1].strip() == "(nobody of this run could say it tonight)"
    result = run("won.toml", "--run", "nowhere")
    assert result.exit_code == 3
    assert len(result.stderr.splitlines()) == 1


def test_options_that_make_no_sense() -> None:
    assert run(write(FILE), "--trades").exit_code == 2
    write("patrons = 4\n", "inn.toml")
    result = run("inn.toml", "--samples", "3")
    assert result.exit_code == 2
    assert "this is a scenario" in result.stderr


def test_a_scenario_is_still_a_scenario() -> None:
    write("patrons = 4\n", "inn.toml")
    assert "a sound scenario" in run("inn.toml").stdout
