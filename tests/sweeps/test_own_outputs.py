"""Functions of a user's own file as outputs of a sweep."""

import math
import pickle
from pathlib import Path

import pytest

from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.measuring.configuration import RunConfiguration, configuration_from
from tavern_abm.sweeps.measuring.own_outputs import OwnOutput, own_files, own_sources, read_own
from tavern_abm.sweeps.runs import Run

MINE = '''
"""Numbers of mine."""

import numpy as np

FACTOR = 2


def richest(model):
    """The largest purse."""
    return np.max(model.people.gold[model.living()])


def doubled(model):
    return FACTOR * model.gini


def word(model):
    return "many"


def broken(model):
    return model.ginny


def nothing(model):
    return float("nan")


def endless(model):
    return float("-inf")
'''
SMALL = Run(0, 0, 1, {"patrons": 20})


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(MINE, encoding="utf-8")
    return file


def configured(*names: str, folder: Path) -> RunConfiguration:
    outputs, own = read_own(names, folder=folder)
    return RunConfiguration("rusty-flagon", until=2, outputs=outputs, own=own)


def test_a_column_is_called_as_its_function(mine: Path) -> None:
    one = configured("gini", "mine.py:richest", "mine.py:doubled", folder=mine.parent)
    assert one.outputs == ("gini", "richest", "doubled")
    outcomes = one(SMALL).outcomes
    model = one.instantiate_model(SMALL)
    one.run_model(model)
    assert outcomes["doubled"] == 2 * outcomes["gini"]
    assert outcomes["richest"] == model.people.gold[model.living()].max()


def test_a_path_can_be_given_in_python(mine: Path) -> None:
    one = RunConfiguration("rusty-flagon", until=1, outputs=(f"{mine}:doubled",))
    assert one.outputs == ("doubled",)
    assert own_files(one) == [mine]


def test_no_file_is_needed_once_it_has_been_read(mine: Path) -> None:
    one = configured("mine.py:doubled", folder=mine.parent)
    wanted = one(SMALL).outcomes
    mine.unlink()
    copy, again = pickle.loads(pickle.dumps(one)), configuration_from(one.document())
    assert copy(SMALL).outcomes == again(SMALL).outcomes == wanted
    assert own_sources(again) == {"mine.py": MINE}
    assert own_files(one) == []


def test_what_is_done_with_the_file_later_is_another_design(mine: Path) -> None:
    one = configured("mine.py:doubled", folder=mine.parent)
    mine.write_text(MINE.replace("FACTOR = 2", "FACTOR = 3"), encoding="utf-8")
    other = configured("mine.py:doubled", folder=mine.parent)
    assert one.document() != other.document()
    assert other(SMALL).outcomes["doubled"] == pytest.approx(1.5 * one(SMALL).outcomes["doubled"])


def test_where_the_file_lies_makes_no_other_design(mine: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    copy = tmp_path / "elsewhere" / "mine.py"
    copy.write_text(MINE, encoding="utf-8")
    one, other = (configured("mine.py:doubled", folder=f.parent) for f in (mine, copy))
    assert one.document() == other.document()


def test_no_number_is_an_outcome_that_is_not_defined(mine: Path) -> None:
    assert math.isnan(configured("mine.py:nothing", folder=mine.parent)(SMALL).outcomes["nothing"])


def test_what_is_no_number_fails_the_run(mine: Path) -> None:
    with pytest.raises(TypeError, match=r"mine\.py:word must be a number \(got 'many'\)"):
        configured("mine.py:word", folder=mine.parent)(SMALL)


def test_what_is_infinite_fails_the_run_by_its_name(mine: Path) -> None:
    with pytest.raises(ValueError, match=r"outcome 'endless' must be finite.* \(got -inf\)"):
        configured("gini", "mine.py:endless", folder=mine.parent)(SMALL)


def test_a_function_that_raises_shows_its_line(mine: Path) -> None:
    with pytest.raises(AttributeError, match="ginny") as error:
        configured("mine.py:broken", folder=mine.parent)(SMALL)
    last = error.traceback[-1]
    assert (str(last.path), last.name) == (str(mine), "broken")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.py:delay", "none.py: output 'none.py:delay': no such file"),
        (
            "mine.py:delay",
            "no function 'delay' in it (there are: richest, doubled, word, broken, nothing, "
            "endless)",
        ),
        ("torn.py:f", "torn.py:2: output 'torn.py:f': the file cannot be run (SyntaxError"),
        ("lost.py:f", "lost.py:3: output 'lost.py:f': the file cannot be run (ModuleNotFoundError"),
    ],
)
def test_a_file_that_cannot_be_used(mine: Path, name: str, message: str) -> None:
    (mine.parent / "torn.py").write_text("x = 1\ndef f(:\n", encoding="utf-8")
    (mine.parent / "lost.py").write_text("\n\nimport no_such_package\n", encoding="utf-8")
    with pytest.raises(SweepError, match=r"^[^\n]*$") as error:
        read_own([name], folder=mine.parent)
    assert message in str(error.value)


def test_two_functions_of_one_name(mine: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text("def doubled(model):\n    return 1\n", encoding="utf-8")
    with pytest.raises(SweepError, match="another function of that name is there already"):
        read_own(["mine.py:doubled", "other.py:doubled"], folder=tmp_path)


def test_two_files_of_one_name(mine: Path, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "mine.py").write_text("def f(model):\n    return 1\n", encoding="utf-8")
    with pytest.raises(SweepError, match=r"two different files .* 'mine\.py'; rename one"):
        read_own(["mine.py:doubled", "b/mine.py:f"], folder=tmp_path)


def test_the_path_is_no_part_of_what_an_output_is() -> None:
    output = OwnOutput("f", "mine.py", "def f(model): return 1", "/somewhere/mine.py")
    assert "path" not in output.document()
