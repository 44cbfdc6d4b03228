"""The vaults: every link leads to a note, every block of YAML parses, the table fits its die."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
import yaml

from tavern_abm.exports import obsidian
from tavern_abm.exports.file_names import Names, safe
from tavern_abm.exports.markdown import escaped
from tavern_abm.pack.documents import Pack, players_page
from tests.fake_pack import NAMES, SIGNS, fake_pack, leaks

LINK = re.compile(r"(?<!\\)\[\[(.*?)\]\]")
PACKS = [fake_pack(20), fake_pack(1), fake_pack(100), replace(fake_pack(6), cards=(), hooks=())]


def notes(pack: Pack) -> dict[str, str]:
    return {path: content.decode() for path, content in obsidian.files(pack).items()}


def properties(note: str) -> dict[str, object]:
    found = re.match(r"---\n(.*?)\n---\n", note, re.DOTALL)
    assert found is not None
    read: dict[str, object] = yaml.safe_load(found[1])
    return read


def of_folder(pack: Pack, folder: str) -> list[str]:
    return [note for path, note in notes(pack).items() if f"/{folder}/" in path]


@pytest.mark.parametrize("pack", PACKS, ids=["d20", "d1", "d100", "rumours alone"])
def test_every_link_leads_to_one_note(pack: Pack) -> None:
    made = notes(pack)
    names = Counter(PurePosixPath(path).stem for path in made)
    assert set(names.values()) == {1}
    targets = [
        link.partition("\\|")[0].partition("|")[0].partition("^")[0]
        for note in made.values()
        for link in LINK.findall(note)
    ]
    assert len(targets) >= len(pack.rumors)
    assert set(targets) <= set(names)


@pytest.mark.parametrize("pack", PACKS, ids=["d20", "d1", "d100", "rumours alone"])
def test_every_note_can_be_reached_from_the_first(pack: Pack) -> None:
    made = {
        PurePosixPath(path).stem: note for path, note in notes(pack).items() if "master" in path
    }
    seen, todo = set(), ["Start here"]
    while todo:
        name = todo.pop()
        seen.add(name)
        found = [link.partition("\\|")[0].partition("^")[0] for link in LINK.findall(made[name])]
        todo += [each for each in found if each not in seen]
    assert seen == set(made)


@pytest.mark.parametrize("secret", range(3))
def test_every_property_and_stat_block_parses(secret: int) -> None:
    pack = fake_pack(20, secret=secret)
    for note in (text for path, text in notes(pack).items() if path.startswith("game-master/")):
        assert properties(note)["tags"]
    blocks = [
        re.findall(r"```statblock\n(.*?)\n```", note, re.S) for note in of_folder(pack, "People")
    ]
    read = [yaml.safe_load(block) for (block,) in blocks]
    by_name = {(card.name.replace("[[", "[ ["), card.sheet.hp): card for card in pack.cards}
    assert sorted((each["name"], each["hp"]) for each in read) == sorted(by_name)
    for each in read:
        card = by_name[each["name"], each["hp"]]
        assert each["stats"] == [
            card.sheet.abilities[name] for name in ["str", "dex", "con", "int", "wis", "cha"]
        ]
        skills = {name: number for skill in each["skillsaves"] for name, number in skill.items()}
        passive = f"passive Perception {card.sheet.skills_5['passive Perception']}"
        assert skills == {"sleight of hand": 0, "insight": 1, "deception": 6}
        assert each["senses"] == passive
        assert card.secret in str(each["traits"])


def test_whatever_is_in_a_text_yaml_gives_it_back() -> None:
    text = "a: 'b' \"c\" # d \\ \u2028 \x85 \x7f \ufeff [x] {y} *z & %s | > \U0001f37a é"
    block = obsidian.front_matter({"name": text, "list": [text]})
    assert yaml.safe_load(block.strip("-")) == {"name": text, "list": [text]}


@pytest.mark.parametrize("n_rumors", [1, 6, 20, 100])
def test_the_table_fits_its_die(n_rumors: int) -> None:
    pack = fake_pack(n_rumors)
    made = notes(pack)
    for path in ("game-master/Rumours tonight.md", "for-players/What is being said.md"):
        rows = [re.split(r"(?<!\\)\|", line) for line in made[path].splitlines() if line[:1] == "|"]
        assert [len(row) for row in rows] == [4] * (n_rumors + 2)
        assert rows[0][1].strip() == f"dice: 1d{n_rumors}"
        assert [int(row[1]) for row in rows[2:]] == list(range(1, n_rumors + 1))
        assert made[path].endswith("|\n\n^rumours\n")
    texts = [escaped(rumor.text) for rumor in pack.rumors]
    assert all(text in made["game-master/Rumours tonight.md"] for text in texts)
    assert "dice: [[Rumours tonight^rumours]]" in made["game-master/Start here.md"]


def test_a_note_for_each_rumour_person_house_and_situation() -> None:
    pack = fake_pack(20)
    for folder, things in [
        ("Rumours", pack.rumors),
        ("People", pack.cards),
        ("Houses", pack.taverns),
        ("Situations", pack.hooks),
    ]:
        assert len(of_folder(pack, folder)) == len(things)
    ids = {properties(note)["id"] for note in of_folder(pack, "Rumours")}
    assert ids == {rumor.id for rumor in pack.rumors}


def test_a_rumour_leads_to_its_people_and_back() -> None:
    pack = fake_pack(20)
    made = notes(pack)
    teller = pack.cards[0]
    note = made["game-master/Rumours/Rumour 01.md"]
    assert properties(note)["truth"] == "true"
    assert f"**Says it**: [[{safe(teller.name)}]]" in note
    assert f"[[{safe(SIGNS[0])}]]" in note
    person = made[f"game-master/People/{safe(teller.name)}.md"]
    assert "**rumours**: [[Rumour 01]]" in person
    assert properties(person)["aliases"] == [teller.name]
    for hidden in (
        teller.looks,
        teller.says,
        teller.belief,
        teller.secret,
        *teller.history,
        *teller.kin,
    ):
        assert hidden in person


def test_the_players_vault_has_one_note_of_plain_text() -> None:
    made = {path: note for path, note in notes(fake_pack(20)).items() if path[:4] == "for-"}
    (note,) = made.values()
    assert list(made) == ["for-players/What is being said.md"]
    assert LINK.findall(note) == []
    assert "---\n" not in note
    assert leaks(note) == []
    assert made == {
        path: content.decode()
        for path, content in obsidian.player_files(players_page(fake_pack(20))).items()
    }


@pytest.mark.parametrize(
    "name",
    sorted(
        {*NAMES, *SIGNS, "", "...", "a" * 500, "é" * 300, "\U0001d56b" * 90, "NUL.md", "\x00\n"}
    ),
    ids=lambda name: repr(name)[:20] + str(len(name)),
)
def test_any_name_becomes_one_that_every_system_can_keep(name: str) -> None:
    made = safe(name)
    assert 1 <= len(made) <= 84
    assert len(f"game-master, {made} 1000.sources.json".encode()) <= 255
    assert not re.search(r'[\x00-\x1f\\/:*?"<>|#^\[\]]', made)
    assert made == made.strip(" .")
    assert not re.match(r"(?i)(con|prn|aux|nul|com\d|lpt\d)($|[ .])", made)


def test_no_name_is_given_twice() -> None:
    names = Names()
    taken = [names.take(each) for each in ("Tam", "tam", "TAM", "Tam 2", "Tam?", "é", "e\u0301")]
    assert len({each.casefold() for each in taken}) == len(taken)


def written(folder: Path, pack: Pack) -> Path:
    for path, content in obsidian.files(pack).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def test_a_new_export_keeps_what_the_user_wrote_and_no_old_note(tmp_path: Path) -> None:
    former = written(tmp_path / "former", fake_pack(20))
    (former / "game-master/.obsidian").mkdir()
    (former / "game-master/.obsidian/app.json").write_text("{}")
    (former / "game-master/Session 1.md").write_text("# They burned it down\n")
    for number in ("01", "20"):
        note = former / f"game-master/Rumours/Rumour {number}.md"
        note.write_text(note.read_text() + "\nThey believed it.\n")
    new = written(tmp_path / "new", fake_pack(12, secret=1))
    before = {path for path in new.rglob("*") if path.is_file()}
    obsidian.keep_own_files(former, new)
    added = {path.relative_to(new).as_posix() for path in new.rglob("*") if path.is_file()} - {
        path.relative_to(new).as_posix() for path in before
    }
    assert added == {
        "game-master/.obsidian/app.json",
        "game-master/Session 1.md",
        "game-master/Rumours/Rumour 01 2.md",
        "game-master/Rumours/Rumour 20.md",
    }
    assert (new / "game-master/Rumours/Rumour 01 2.md").read_text().endswith("believed it.\n")
    assert (new / "game-master/Rumours/Rumour 01.md").read_bytes() == obsidian.files(
        fake_pack(12, secret=1)
    )["game-master/Rumours/Rumour 01.md"]
