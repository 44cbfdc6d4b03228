"""What the lint finds in wordings, and that it finds nothing in ours."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from tavern_abm.cli import tavern
from tavern_abm.data_tables import DataError
from tavern_abm.pack.colors import Colors, load_colors
from tavern_abm.pack.evening import Evening, evening_of
from tavern_abm.pack.knowledge import tales_of
from tavern_abm.pack.lint import (
    length_of,
    lint_evening,
    lint_file,
    lint_folder,
    lint_rendered,
    lint_wording,
)
from tavern_abm.pack.matter import Said, Tale, Utterance
from tavern_abm.pack.samples import obstacle_to, stages
from tavern_abm.pack.speaking import speak
from tavern_abm.pack.tags import GAMES, KINDS, SLOTS, TAGS, TEMPER
from tavern_abm.pack.templates import slots_of
from tavern_abm.pack.wordings import load_wordings
from tavern_abm.run_folder import RunFolder, read_run
from tavern_abm.shipped import shipped
from tests.pack.people import MAUD, NAN, TAM, evening, tale, wording

REST = "and that is all there is to say about it, friend."
SHIPPED = shipped("data") / "wordings"


def problems_of(text: str, condition: str = "", place: str = "say", **known: object) -> list[str]:
    line = wording(text, condition, place, **known)  # type: ignore[arg-type]
    return [fault.problem for fault in lint_wording(line)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{hwo} owes it, {who} does,", "unknown slot {hwo}"),
        ("{who} owes a {sum},", "a or an before a slot"),
        ("{who} drinks in the {place},", "an article"),
        ("Poor old {who} owes it,", "an article"),
        ("Rumour has it that {who} owes it,", "an opening that says nothing"),
        ("They say {who} owes it,", "an opening that says nothing"),
        ("Word is that {who} owes it,", "an opening that says nothing"),
        ("Have you heard that {who} owes it,", "an opening that says nothing"),
        ("{who} owes 62 silver,", "a digit"),
        ("{who} owes  it,", "two spaces"),
        ("{who} owes it ,", "a space before a stop"),
        ("{who} owes it,,", "two stops"),
        ("{who} owes it -- now,", "dots or dashes"),
        ("{who} owes owes it,", "a word twice"),
        ("{who} owes “it,", "a quote that is not closed"),
        ('“Who?” asked {who}, "no",', "straight and curly"),
        ("{who} was in {at},", "a preposition before {at}"),
        ("{who} came back {at},", "a word of going before {at}"),
        ("{who} owes it since {when},", "a word of time beside a slot"),
        ("{who} has owed it {since} ago,", "a word of time beside a slot"),
        ("I saw {who} weep over it,", "says that the teller saw it"),
        ("With my own eyes I found {who} weeping,", "says that the teller saw it"),
        ("I told {who} to leave it alone,", "says that the teller had to do with them"),
        ("{who} asked me for all of it,", "says that the teller had to do with them"),
        ("We all saw {who} weep,", "says that the teller had to do with them"),
        ("{who} wept under here,", "says that it was in this house"),
        ("{who} wept in this room,", "says that it was in this house"),
        ("{who} wept last night,", "says when it was"),
        ("{who} wept, and was gone tonight,", "says when it was"),
        ("{who} wept three nights ago,", "says when it was"),
        ("{who} and {his} wife wept,", "says of somebody what is in no record"),
        ("{who} limps and weeps,", "says of somebody what is in no record"),
        ("{his} mother and {who} wept,", "says of somebody what is in no record"),
        ("{who} has eleven boots,", "names a number"),
        ("{who} has forty boots,", "names a number"),
        ("Somebody owes it to somebody and weeps,", "nobody could tell whom it is about"),
        ("{who} owes it and {by.he} minds,", "{by.he} and the like of somebody not named"),
        ("{src} saw {who} weep,", "{src} need not have seen it"),
        ("{first} watched {who} weep,", "{first} may have done it"),
        ("{who} says the debt is {his}.", "{his} with nothing after it"),
        ("{who} owes [it|that,", "a bracket that is not closed"),
    ],
)
def test_what_may_not_be_said(text: str, problem: str) -> None:
    found = problems_of(f"{text} {REST}")
    assert any(problem in each for each in found), found


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("I saw {who} weep over it,", "eye"),
        ("I told {who} to leave it alone,", "knows"),
        ("{who} wept last night,", "fresh"),
        ("{who} wept in this room,", "here"),
        ("Our house weeps over {who},", "kin"),
        ("{src} saw {who} weep,", "source saw it"),
        ("“I saw it,” says {who},", ""),
        ("{who} has two hands and ten fingers,", ""),
        ("You hear that {who} owes it,", ""),
        ("{who} owes {sum} [now|still],", ""),
        ("I heard it from {src}: {who} owes it,", ""),
        ("I told {src} that {who} owes it,", ""),
    ],
)
def test_what_may(text: str, condition: str) -> None:
    assert problems_of(f"{text} {REST}", condition) == []


def test_who_adds_something_says_so_instead() -> None:
    text = f"{{who}} has forty boots, I saw them last night, {REST}"
    assert len(problems_of(text)) == 3
    assert problems_of(text, adds="the boots", adds_untrue=True) == []


@pytest.mark.parametrize(
    ("text", "condition", "slot"),
    [
        (f"{{who}} owes it, {REST}", "self", "{who}"),
        (f"I owe it, and {{he}} owes it, {REST}", "self", "{he}"),
        (f"{{who}} owes it to {{by}}, {REST}", "doer", "{by}"),
    ],
)
def test_nobody_speaks_of_himself_as_of_another(text: str, condition: str, slot: str) -> None:
    assert any(f"himself as {slot}" in each for each in problems_of(text, condition))


def test_every_choice_is_looked_at_and_each_thing_said_once() -> None:
    assert problems_of(f"{{who}} owes [all|62] of it, [now|still], {REST}") == ["a digit: '6'"]


def test_an_exchange_is_full_and_one_who_talks_alone_is_not() -> None:
    exchange = "“Who owes it to whom?” “{who} does, to {by}.” “And will he ever pay it back?”"
    assert "an overheard exchange" in problems_of(exchange)
    assert problems_of(exchange, is_full=True) == []
    assert "full, and nobody answers anybody" in problems_of(
        f"{{who}} owes it, {REST}", is_full=True
    )


def test_what_denies_is_of_a_kind_with_a_charge() -> None:
    line = wording(f"{{who}} owes nobody anything, {REST}", denies=True)
    assert [each.problem for each in lint_wording(line)] == [
        "denies, and nobody is charged with anything"
    ]
    for kind in ("cheats", "accused"):
        assert lint_wording(line._replace(kinds=(kind,))) == []


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("{who} owes {sum}.", 4, 11), ("{who}'s here.", 2, 5), ("Not a half-orc's.", 3, 3)],
)
def test_words_are_counted_as_they_come_out(text: str, least: int, most: int) -> None:
    assert length_of(text) == (least, most)


def test_too_short_and_too_long() -> None:
    assert any("words only" in each for each in problems_of("{who} owes it."))
    long = f"{{who}} owes {{sum}} to {{by}}, {{when}}, {REST} " + "And more. " * 11
    assert any("at most" in each.cure for each in lint_wording(wording(long)))
    assert problems_of("{who} owes it.", "", "head") == []
    assert any("may come to" in each for each in problems_of("word " * 21, "", "tail"))


@pytest.mark.parametrize(
    ("text", "condition", "why"),
    [
        (f"I owe it, {REST}", "self, stranger", "'stranger'"),
        (f"{{who}} owes it, {REST}", "fresh, old", "'old'"),
        (f"{{who}} owes it, {REST}", "dead, present", "'present'"),
        (f"{{who}} owes it at {{game}}, {REST}", "", "nothing to fill in for {game}"),
        (f"{{who}} owes it, {{src}} says, {REST}", "lie", "nothing to fill in for {src}"),
    ],
)
def test_what_fits_no_event_is_told(text: str, condition: str, why: str) -> None:
    (found,) = problems_of(text, condition)
    assert found.startswith("no event ever fits it")
    assert why in found


def test_a_kind_that_befalls_one_alone_has_nobody_else() -> None:
    line = wording(f"{{who}} ran first, said {{by}}, {REST}")._replace(kinds=("race",))
    assert "{by}" in obstacle_to(line)


# ------------------------------------------------------------- files


def write(folder: Path, name: str, *texts: str, entry: str = "say") -> Path:
    file = folder / f"{name}.toml"
    file.write_text("".join(f"[[{entry}]]\nt = '{text}'\n\n" for text in texts), "utf-8")
    return file


def test_a_file_is_told_line_by_line(tmp_path: Path) -> None:
    good = "{who} owes it, and that is all there is to be said."
    file = write(tmp_path, "owes", good, "{who} owes 62 silver to the whole of the lower town now.")
    (fault,) = lint_file(file)
    assert str(fault) == (
        f"{file}:4: a digit: '6'; write numbers as words, and sums and nights as slots"
    )


def test_two_lines_that_share_four_words(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "owes",
        "{who} counts the spoons before the soup comes, and always will, they tell me.",
        "Nobody dines with {who} who does not count the spoons before the soup.",
        "Nobody with {who} for company has any spoons left, before or after the soup.",
    )
    found = [str(fault) for fault in lint_file(file) if "shares" in fault.problem]
    assert len(found) == 1
    assert "owes.toml:4: shares 'spoons before the soup' with line 1" in found[0].replace(
        "the spoons before the", "spoons before the soup"
    )


def test_names_do_not_part_words_that_are_shared(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "owes",
        "Whatever {who} owes to {by} is more than a horse would cost you here.",
        "Ask whatever owes to is in such a place as that, and you find {who}.",
    )
    assert any("whatever owes to is" in fault.problem for fault in lint_file(file))


def test_a_folder_is_told_file_by_file(tmp_path: Path) -> None:
    write(tmp_path, "owes", "{who} owes 62 silver to the whole of the lower town now.")
    write(tmp_path, "heads", "{who} said 3.", entry="head")
    assert [Path(fault.path).name for fault in lint_folder(tmp_path)] == ["heads.toml", "owes.toml"]


def test_colours_are_read_in_their_sentence(tmp_path: Path) -> None:
    file = tmp_path / "colors.toml"
    file.write_text(
        '[[color]]\nname = "thing"\nframe = "Only {thing} was left."\n'
        'values = ["a old boot", "an eel spear", "a unicorn", "the the hat", "one boot"]\n',
        "utf-8",
    )
    found = [fault.problem for fault in lint_file(file)]
    assert any("'a old boot': 'a old'" in each for each in found)
    assert any("'the the hat': a word twice" in each for each in found)
    assert len({each.split(":")[0] for each in found}) == 2


def test_a_file_of_another_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no kind of event is called 'debts'"):
        lint_file(write(tmp_path, "debts", "{who} owes it."))


# ------------------------------------------------------------- as it comes out


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Tam Harl owes 62 silver.", "a digit"),
        ("Tam Harl owes {sum}.", "a slot that was not filled"),
        ("Tam Harl  owes it.", "two spaces"),
        ("Tam Harl owes owes it.", "a word twice"),
        ("Tam Harl owes it. he does.", "small letter"),
        ("Tam Harl owes it , he does.", "a stop too many"),
        ("Tam Harl owes it at here.", "at here"),
        ("Tam Harl owes the a baker.", "two articles"),
        ('Tam Harl owes "it".', "a straight quote"),
        ("Tam Harl owes it.", "4 words"),
        ("He owes it, and all of the lower town knows it by now.", "is nowhere in the words"),
    ],
)
def test_what_may_not_come_out(text: str, problem: str) -> None:
    said = Utterance(text, Said("owes", TAM), "owes-1", "plain", named=frozenset({TAM}))
    assert any(problem in each for each in lint_rendered(said, tale(evening()), evening()))


def test_who_is_meant_must_be_findable_and_not_be_the_teller() -> None:
    text = "All of the lower town knows by now who owes it, and to whom."
    said = Utterance(text, Said("owes", TAM), "owes-1", "plain")
    told = tale(evening())
    assert "nobody could tell whom it is about" in lint_rendered(said, told, evening())
    said = replace(said, named=frozenset({TAM, NAN}))
    assert "the teller speaks of himself by name" in lint_rendered(said, told, evening())
    mine = tale(evening(), teller=MAUD)
    assert lint_rendered(replace(said, named=frozenset()), mine, evening()) != []


# ------------------------------------------------------------- ours


@pytest.mark.parametrize("file", sorted(SHIPPED.glob("*.toml")), ids=lambda file: file.stem)
def test_nothing_is_wrong_with_a_shipped_file(file: Path) -> None:
    assert [str(fault) for fault in lint_file(file)] == []


def test_every_shipped_line_can_be_said_and_comes_out_right() -> None:
    wordings, colors = load_wordings(), Colors(("stage",), load_colors())
    for line in (line for lines in wordings.says.values() for line in lines):
        n_said = 0
        for evening_, told in islice(stages(line), 12):
            said = speak(told, line, evening_, colors)
            if said is not None:
                n_said += 1
                assert lint_rendered(said, told, evening_) == [], said.text
        assert n_said > 0, line


def test_nothing_comes_out_wrong_in_a_little_town(
    little_town: RunFolder, evening: Evening, tales: Sequence[Tale]
) -> None:
    found = list(lint_evening(evening, tales, load_wordings(), Colors.of(little_town)))
    assert found == []


@pytest.mark.slow
def test_nothing_comes_out_wrong_among_people_of_awkward_names(talkative_run: RunFolder) -> None:
    tonight = evening_of(talkative_run)
    told = tales_of(talkative_run, tonight)
    found = list(lint_evening(tonight, told, load_wordings(), Colors.of(talkative_run)))
    assert found == []


@pytest.mark.slow
def test_nothing_comes_out_wrong_in_a_town(tmp_path: Path) -> None:
    folder = tmp_path / "town"
    command = ["run", "river-town", "--nights", "9", "--seed", "4", "--no-report", "--quiet"]
    result = CliRunner().invoke(tavern, [*command, "--out", str(folder)])
    assert result.exit_code == 0, result.output
    run = read_run(folder)
    tonight = evening_of(run)
    told = tales_of(run, tonight)
    found = lint_evening(tonight, told, load_wordings(), Colors.of(run), most=60)
    assert list(found) == []


AT_A_TABLE = re.compile(
    r"\b(?:tables?|benches|stools?|rooms?|house|indoors|counter|shutters|closing|vote[sd]?|voting"
    r"|cheat\w*|accus\w+|charge[sd]?|named|thrown?|dic?e[ds]?|games?|play\w*|lucky?|hands)\b",
    re.IGNORECASE,
)


def test_of_who_was_killed_by_day_nobody_speaks_of_tables_and_votes() -> None:
    wordings = load_wordings()
    at_a_house = {"here", "elsewhere", "has place"}
    own = [each for each in wordings.says["killed"] if "by day" in each.condition.wanted]
    for line in (*wordings.says["killed"], *wordings.heads, *wordings.tails):
        is_for_it = not line.kinds or "killed" in line.kinds
        may_be = "by day" not in line.condition.unwanted and line not in own
        is_placed = at_a_house & line.condition.wanted or {"at", "place"} & {*slots_of(line.text)}
        if is_for_it and may_be and not is_placed:
            assert not AT_A_TABLE.search(line.text), line.text
    assert len(own) >= 8
    assert len([line for line in own if "by" in slots_of(line.text)]) >= 4
    assert len([line for line in own if "by" not in slots_of(line.text)]) >= 4
    assert len({tag for line in own for tag in line.condition.wanted} & {*TEMPER}) >= 5


# ------------------------------------------------------------- the page for those who add some

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "add-a-wording.md"


def test_the_page_names_every_tag_slot_and_kind() -> None:
    page = PAGE.read_text("utf-8")
    named = set(re.findall(r"`([^`\n]*)`", page))
    assert {f"{kind}.toml" for kind in KINDS} <= named
    assert {*TAGS, *(f"game {game}" for game in GAMES)} <= named
    plain = {slot for slot in SLOTS if "." not in slot} | {"a.trade", "by.he", "src.he"}
    assert {f"{{{slot}}}" for slot in plain} <= named


def test_the_examples_of_the_page_are_sound(tmp_path: Path) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names = {"[[head]]": "heads", "[[tail]]": "tails", "denies": "cheats"}
    for block in blocks:
        entry = next((name for sign, name in names.items() if sign in block), "owes")
        file = tmp_path / f"{entry}.toml"
        file.write_text(block, "utf-8")
        assert [str(fault) for fault in lint_file(file)] == []
    assert len(blocks) == 6
