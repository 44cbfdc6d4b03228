"""Files of wordings: what is read of them, and what is said where one is wrong."""

from pathlib import Path

import pytest

from tavern_abm.data_tables import DataError, Source
from tavern_abm.pack.tags import KINDS
from tavern_abm.pack.wordings import Fault, load_wordings, read_condition, read_lines

SAY = """
[[say]]
if = "knows, not self"
t = "{who} owes it, {who} says so, and {who} has not a copper to pay it with."

[[say]]
full = true
adds = "a bent key: untrue"
t = "“Who is it?” “{who}.” “What now?” “Not a copper in the house, only a bent key.”"
"""


def lines_of(text: str, name: str = "owes") -> tuple[list[str], list[Fault]]:
    found, faults = read_lines(Source(f"{name}.toml", text.encode()))
    return [wording.text for wording in found], faults


def test_what_stands_in_a_file() -> None:
    found, faults = read_lines(Source("owes.toml", SAY.encode()))
    assert not faults
    first, second = found
    assert (first.place, first.kinds, first.line) == ("say", ("owes",), 2)
    assert first.condition.tags == (("knows", True), ("self", False))
    assert second.is_full
    assert (second.adds, second.adds_untrue) == ("a bent key", True)


def test_a_line_may_deny_what_is_charged() -> None:
    text = "[[say]]\nif = 'self'\ndenies = true\nt = 'not me, and I can prove it.'\n"
    (line,), faults = read_lines(Source("cheats.toml", text.encode()))
    assert not faults
    assert line.denies
    (line,), _ = read_lines(Source("cheats.toml", text.replace("denies = true", "").encode()))
    assert not line.denies
    found, faults = read_lines(Source("heads.toml", text.replace("say", "head").encode()))
    assert not found
    assert "unknown field 'denies'" in faults[0].problem


def test_an_id_follows_from_the_words_alone() -> None:
    (one, _), _ = read_lines(Source("owes.toml", SAY.encode()))
    text = SAY.replace("knows, not self", "stranger").replace("[[say]]", "\n\n[[say]]", 1)
    (other, _), _ = read_lines(Source("elsewhere/owes.toml", text.encode()))
    assert one.id == other.id
    assert one.line != other.line
    (third, _), _ = read_lines(Source("owes.toml", SAY.replace("copper to", "coin to").encode()))
    assert third.id != one.id
    assert third.id.startswith("owes-")
    assert len(third.id) == len("owes-") + 8


def test_a_condition_holds_where_all_of_it_does() -> None:
    condition, problems = read_condition("knows, not self,  trade  baker")
    assert not problems
    assert condition.holds(frozenset({"knows", "trade baker", "drunk"}))
    assert not condition.holds(frozenset({"knows", "trade baker", "self"}))
    assert not condition.holds(frozenset({"knows"}))


@pytest.mark.parametrize("tag", ["i am keeper", "i am smith", "game wand", "source did it"])
def test_tags_of_several_words(tag: str) -> None:
    condition, problems = read_condition(f"not {tag}")
    assert not problems
    assert condition.tags == ((tag, False),)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ('[[say]]\nt = "a"\n[[say]]\nif = "knwos"\nt = "b"', 3, "did you mean 'knows'"),
        ('[[say]]\nif = "trade bakre"\nt = "b"', 1, "did you mean 'trade baker'"),
        ('[[say]]\nt = "a"\n\n[[say]]\ntext = "b"', 4, "unknown field 'text'"),
        ('[[say]]\nif = "knows"', 1, "no text"),
        ('[[say]]\nt = "a"\nfull = "yes"', 1, "full"),
        ('[[say]]\nt = "a"\n[[sya]]\nt = "b"', 3, "unknown table 'sya'"),
        ('[[say]]\nt = "a"\n[[say]]\nt = "a"', 3, "the same words stand on line 1"),
        ('[say]\nt = "a"', 1, "no list"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, problem: str) -> None:
    _, faults = lines_of(text)
    assert any(fault.line == line and problem in str(fault) for fault in faults), faults


def test_all_that_is_wrong_is_told_at_once_and_the_rest_is_read() -> None:
    found, faults = lines_of('[[say]]\nif = "x"\nt = "a"\n[[say]]\nt = "b"\n[[say]]\nz = 1')
    assert found == ["b"]
    assert [fault.line for fault in faults] == [1, 6, 6]


def test_a_line_beside_is_for_some_kinds_or_for_all() -> None:
    text = '[[head]]\nk = "owes, broke"\nif = "far"\nt = "ask {first}."\n[[head]]\nt = "so."'
    found, faults = read_lines(Source("heads.toml", text.encode()))
    assert not faults
    assert [line.kinds for line in found] == [("owes", "broke"), ()]
    assert {line.place for line in found} == {"head"}


def test_a_line_beside_for_a_kind_that_is_none() -> None:
    _, faults = lines_of('[[tail]]\nk = "ows"\nt = "so."', "tails")
    assert "did you mean 'owes'" in str(faults[0])


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("debts", b"", "no kind of event is called 'debts'"),
        ("bout", b"[[say]\n", "invalid TOML"),
        ("bout", b'[[say]]\nt = "\xff"', "is not UTF-8 text"),
    ],
)
def test_a_file_that_cannot_be_read_at_all(name: str, content: bytes, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        read_lines(Source(f"{name}.toml", content))


def test_a_folder_of_ones_own_adds_to_the_shipped_lines(tmp_path: Path) -> None:
    (tmp_path / "wordings").mkdir()
    (tmp_path / "wordings" / "owes.toml").write_text(SAY, "utf-8")
    shipped, both = load_wordings(), load_wordings(tmp_path)
    assert len(both.says["owes"]) == len(shipped.says["owes"]) + 2
    assert both.heads == shipped.heads
    assert both.says["owes"][-1].id in both.by_id


def test_a_folder_of_ones_own_without_wordings_changes_nothing(tmp_path: Path) -> None:
    assert load_wordings(tmp_path).says == load_wordings().says


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        load_wordings(tmp_path / "nowhere")


def test_an_own_file_that_is_wrong_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "wordings").mkdir()
    (tmp_path / "wordings" / "owes.toml").write_text('\n[[say]]\nif = "x"\nt = "a"', "utf-8")
    with pytest.raises(DataError, match=r"owes\.toml:2: unknown tag 'x'"):
        load_wordings(tmp_path)


def test_there_are_enough_of_every_kind() -> None:
    says = load_wordings().says
    assert sum(map(len, says.values())) >= 400
    assert all(len(says[kind]) >= 15 for kind in KINDS)


@pytest.mark.parametrize("kind", ["bribed", "bout", "race", "throw", "lent", "arrived", "left"])
def test_what_retellings_never_bend_is_added_to(kind: str) -> None:
    """Only who saw it tells of these: unless he adds to it, the kind would say that it is true."""
    says = load_wordings().says[kind]
    assert sum(line.adds_untrue for line in says) >= 8
    assert sum(not line.adds_untrue for line in says) >= 30


def test_who_owns_up_to_his_exaggeration_tells_no_untruth() -> None:
    says = [line for lines in load_wordings().says.values() for line in lines]
    owned = [line for line in says if line.adds.startswith("admits")]
    assert len(owned) > 5
    assert not any(line.adds_untrue for line in owned)


def test_no_two_lines_have_one_id() -> None:
    wordings = load_wordings()
    lines = [line for kind in wordings.says.values() for line in kind]
    lines += [*wordings.heads, *wordings.tails]
    assert len({line.id for line in lines}) == len(lines) == len(wordings.by_id)
