"""A module for Foundry: documents of its shape, ids that stay, and nothing for players to find."""

import json
import re
from dataclasses import replace

import pytest

from tavern_abm.exports import foundry, leveldb
from tavern_abm.exports.foundry_documents import PROFICIENCY, SKILLS, Module
from tavern_abm.pack.documents import Pack
from tests.exports.foundry_checks import Reader, html_of, verify
from tests.fake_pack import LONG, SALT, fake_pack, leaks

CORES = (12, 13)
MARKUP = re.compile(r"\[\[|@\w+\[|&Reference\[")
"""What Foundry makes something of, where it stands in one run of text."""


def made(pack: Pack, core: int = 13, salt: str = SALT) -> dict[str, list[dict]]:
    return foundry.documents(pack, Module(salt, core))


def parsed(files: dict[str, bytes], start: str) -> list[dict]:
    return [json.loads(content) for name, content in files.items() if name.startswith(start)]


def manifest(files: dict[str, bytes]) -> dict:
    (found,) = (json.loads(files[name]) for name in files if name.endswith("/module.json"))
    return found


def ids(documents: dict[str, list[dict]]) -> list[str]:
    whole = [each for found in documents.values() for each in found]
    inside = [
        each
        for document in whole
        for name in ("results", "pages")
        for each in document.get(name, ())
    ]
    return [each["_id"] for each in (*whole, *inside)]


@pytest.mark.parametrize("core", CORES)
def test_every_document_is_of_foundrys_shape(core: int) -> None:
    documents = made(fake_pack(), core)
    assert {name: len(found) for name, found in documents.items()} == {
        "talk": 1,
        "notes": 3,
        "people": 12,
    }
    for found in documents.values():
        for document in found:
            verify(document, core)
    assert len(ids(documents)) == len(set(ids(documents)))


@pytest.mark.parametrize("sides", [1, 6, 7, 8, 12, 20, 100])
def test_the_table_covers_its_die(sides: int) -> None:
    ((table,),) = (made(fake_pack(sides))["talk"],)
    verify(table, 13)
    assert table["formula"] == f"1d{sides}"


def test_a_line_of_the_table_says_what_is_heard_and_who_is_seen_to_say_it() -> None:
    pack = fake_pack(6)
    ((table,),) = (made(pack)["talk"],)
    for rumor, result in zip(pack.rumors, table["results"], strict=True):
        said = Reader(result["description"]).text()
        assert said == f"{rumor.text}{rumor.speaker_as_seen} · {rumor.tavern}"


# ---------------------------------------------------------------- ids


@pytest.mark.parametrize("core", CORES)
def test_the_same_pack_makes_the_same_bytes(core: int) -> None:
    assert foundry.files(fake_pack(), SALT, core=core) == foundry.files(
        fake_pack(), SALT, core=core
    )


def test_another_run_has_other_ids() -> None:
    ours, theirs = made(fake_pack()), made(fake_pack(), salt="0" * 32)
    assert not set(ids(ours)) & set(ids(theirs))
    assert Module(SALT).id != Module("0" * 32).id


def test_ids_do_not_change_with_the_version_of_foundry() -> None:
    assert ids(made(fake_pack(), 12)) == ids(made(fake_pack(), 13))


def test_what_stays_keeps_its_id_when_something_is_added() -> None:
    few, many = fake_pack(6), fake_pack(20)
    less = replace(few, cards=few.cards[:3], hooks=few.hooks[:1])
    gone = set(ids(made(less))) - set(ids(made(many)))
    assert gone == {made(less)["talk"][0]["_id"]}  # another table, as it has another die


def test_another_evening_has_journals_of_its_own_and_the_same_people() -> None:
    tonight = fake_pack()
    later = replace(tonight, night=tonight.night + 7)
    ours, theirs = made(tonight), made(later)
    assert [each["_id"] for each in ours["people"]] == [each["_id"] for each in theirs["people"]]
    assert not {each["_id"] for each in ours["notes"]} & {each["_id"] for each in theirs["notes"]}


# ---------------------------------------------------------------- for players, or not


@pytest.mark.parametrize("core", CORES)
def test_nothing_of_the_key_is_in_what_players_may_see(core: int) -> None:
    files = foundry.files(fake_pack(), SALT, core=core)
    open_ = [
        name
        for name in files
        if set(name.split("/")) & foundry.FOR_PLAYERS
        or name.endswith("module.json")
        or name == "READ-ME.txt"
    ]
    assert len(open_) >= 3
    for name in open_:
        assert leaks(name) == []
        assert leaks(files[name]) == [], name


def test_other_secrets_leave_what_players_may_see_as_it_was() -> None:
    ours, theirs = (foundry.files(fake_pack(secret=secret), SALT) for secret in (0, 1))
    for name in ours:
        if "/talk/" in name or name.endswith("module.json"):
            assert ours[name] == theirs[name], name


def test_packs_are_hidden_and_sources_are_not_where_foundry_hands_them_out() -> None:
    files = foundry.files(fake_pack(), SALT)
    module = manifest(files)
    for pack in module["packs"]:
        assert pack["ownership"]["PLAYER"] == pack["ownership"]["TRUSTED"] == "NONE"
    inside = {name.split("/")[1] for name in files if name.startswith(f"{module['id']}/")}
    assert inside <= {"module.json", "packs"}


def test_the_key_stands_in_secret_blocks() -> None:
    pack = fake_pack()
    talk, people, tonight = made(pack)["notes"]
    for journal in (talk, tonight):
        for page in journal["pages"]:
            shown = Reader(page["text"]["content"])
            assert leaks(shown.text(without="secret")) == []
            assert leaks(shown.text()) or page["name"] == "All"
    for card, page in zip(pack.cards, people["pages"], strict=True):
        shown = Reader(page["text"]["content"])
        assert card.secret in shown.text()
        assert shown.text(without="secret") == f"Looks {card.looks}Tonight {card.tonight}"


def test_titles_tell_nothing() -> None:
    talk, _, tonight = made(fake_pack())["notes"]
    names = [page["name"] for journal in (talk, tonight) for page in journal["pages"]]
    assert leaks(" ".join((talk["name"], tonight["name"], *names))) == []


def test_an_actor_shows_no_more_than_what_anybody_sees() -> None:
    pack = fake_pack()
    for card, actor in zip(pack.cards, made(pack)["people"], strict=True):
        text = " ".join(Reader(html).text() for html in html_of(actor))
        assert card.looks in text
        assert not any(each in text for each in (card.secret, card.belief, card.wants, card.says))


def test_the_game_master_finds_all_of_it() -> None:
    pack = fake_pack()
    talk, people, tonight = made(pack)["notes"]
    for rumor, page in zip(pack.rumors, talk["pages"][1:], strict=True):
        text = Reader(page["text"]["content"]).text()
        parts = (rumor.text, rumor.truth, rumor.key, rumor.hook, rumor.pressed, rumor.said.adds)
        assert all(part in text for part in (*parts, f"DC {rumor.dc}"))
    for card, page in zip(pack.cards, people["pages"], strict=True):
        text = Reader(page["text"]["content"]).text()
        assert all(part in text for part in (*card.numbers, card.says, card.fight, *card.history))
    for hook, page in zip(pack.hooks, tonight["pages"], strict=True):
        text = Reader(page["text"]["content"]).text()
        assert all(part in text for part in (hook.title, hook.now, hook.if_nobody, hook.stakes))


# ---------------------------------------------------------------- awkward names


@pytest.mark.parametrize("core", CORES)
def test_names_do_nothing_in_a_page(core: int) -> None:
    for found in made(fake_pack(), core).values():
        for document in found:
            for html in html_of(document):
                for run, _ in Reader(html).runs:
                    ours = re.sub(r"@UUID\[Compendium\.tavern-\w{8}\.[\w.]+\]\{open\}", "", run)
                    assert not MARKUP.search(ours), ours


def test_names_come_out_whole() -> None:
    pack = fake_pack()
    documents = made(pack)
    assert [actor["name"] for actor in documents["people"]] == [card.name for card in pack.cards]
    texts = [Reader(html).text() for each in documents["notes"] for html in html_of(each)]
    for name in {card.name for card in pack.cards} | set(pack.taverns.values()):
        assert any(name in text for text in texts), name
    assert any(LONG.strip() in text for text in texts)


def test_links_lead_to_documents_of_the_module() -> None:
    module = Module(SALT)
    documents = made(fake_pack())
    known = set(ids(documents))
    links = re.findall(r"@UUID\[(.*?)\]", json.dumps(documents))
    assert len(links) > 40
    for link in links:
        if not link.startswith("Compendium."):
            continue  # in the name of somebody, where it leads nowhere
        _, owner, pack, *steps = link.split(".")
        assert (owner, pack in documents) == (module.id, True)
        assert set(steps[1::2]) <= known


# ---------------------------------------------------------------- people


def test_a_sheet_shows_the_numbers_of_the_card() -> None:
    pack = fake_pack()
    for card, actor in zip(pack.cards, made(pack)["people"], strict=True):
        skills = actor["system"]["skills"]
        assert set(skills) == {"slt", "ins", "dec", "prc"}
        for name, (letters, ability) in SKILLS.items():
            printed = {**card.sheet.skills_5, "Perception": 3}.get(name)
            if printed is not None:
                own = actor["system"]["abilities"][ability]["value"] // 2 - 5
                bonus = int(skills[letters]["bonuses"]["check"] or 0)
                assert own + PROFICIENCY * skills[letters]["value"] + bonus == printed, name


def test_a_purse_is_whole() -> None:
    pack = fake_pack()
    for card, actor in zip(pack.cards, made(pack)["people"], strict=True):
        purse = actor["system"]["currency"]
        assert purse["gp"] * 100 + purse["sp"] * 10 + purse["cp"] == card.sheet.coins_cp


# ---------------------------------------------------------------- the module


@pytest.mark.parametrize("core", CORES)
def test_the_manifest_names_each_pack(core: int) -> None:
    module = manifest(foundry.files(fake_pack(), SALT, core=core))
    assert {each["name"]: each["type"] for each in module["packs"]} == foundry.PACKS
    assert module["compatibility"] == {"minimum": str(core), "verified": str(core)}
    assert [each.get("system") for each in module["packs"]] == [None, None, "dnd5e"]
    assert "relationships" not in module  # the talk goes with any rules


def test_only_packs_with_something_in_them_are_there() -> None:
    pack = replace(fake_pack(), cards=(), hooks=())
    files = foundry.files(pack, SALT)
    assert [each["name"] for each in manifest(files)["packs"]] == ["talk", "notes"]
    assert len(parsed(files, "sources/")) == 2
    rest = foundry.files(replace(fake_pack(), rumors=()), SALT)
    assert [each["name"] for each in manifest(rest)["packs"]] == ["notes", "people"]


def test_packs_are_there_with_plyvel() -> None:
    pytest.importorskip("plyvel")
    files = foundry.files(fake_pack(), SALT)
    folders = {"/".join(name.split("/")[1:3]) for name in files if "/packs/" in name}
    assert folders == {each["path"] for each in manifest(files)["packs"]}
    assert foundry.remark() == ""


def _not_loading(name: str) -> None:
    raise ImportError(f"{name}: libleveldb.so.1: cannot open shared object file")


def test_without_plyvel_the_read_me_says_how_to_make_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leveldb, "import_module", _not_loading)
    files = foundry.files(fake_pack(), SALT)
    assert not any("/packs/" in name for name in files)
    text = files["READ-ME.txt"].decode()
    for name in foundry.PACKS:
        assert f"-n {name} --in sources/{name} --out {manifest(files)['id']}/packs" in text
    assert "tavern-abm[foundry]" in foundry.remark()
    assert text.index("npx fvtt package pack") < text.index("Copy the folder")


def test_there_is_no_third_shape() -> None:
    with pytest.raises(ValueError, match=r"no shape for Foundry 11; there are 12 and 13"):
        foundry.files(fake_pack(), SALT, core=11)
