"""The pages to print: what is on them, what is escaped, and how they come out on paper."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tavern_abm.exports import printable
from tavern_abm.exports.gm_words import spoken_by
from tavern_abm.pack.documents import Pack, players_page
from tests.fake_pack import CANARY, fake_pack, leaks

VOID = {"meta"}


class Page(HTMLParser):
    """Elements of a page with their classes, and the text in those of one class."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[tuple[str, str]] = set()
        self.texts: dict[str, list[str]] = {}
        self.comments: list[str] = []
        self._open: list[tuple[str, str]] = []
        self.feed(html)
        assert self._open == [], "an element is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {(name, value or "") for name, value in attrs}
        if tag not in VOID:
            self._open.append((tag, dict(attrs).get("class") or tag))
            self.texts.setdefault(self._open[-1][1], []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for _, name in self._open:
            self.texts[name][-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def test_the_table_has_each_number_and_its_words() -> None:
    pack = fake_pack(20)
    page = Page(printable.game_master(pack))
    assert page.texts["said"] == [rumor.text for rumor in pack.rumors]
    assert page.texts["die"] == ["d20", *map(str, range(1, 21))]
    assert page.texts["seen"] == [spoken_by(rumor) for rumor in pack.rumors]


def test_in_one_house_nobody_names_it_twenty_times() -> None:
    pack = fake_pack(20)
    rumors = tuple(replace(rumor, tavern="The Eel Pot") for rumor in pack.rumors)
    page = Page(printable.game_master(replace(pack, rumors=rumors)))
    assert page.texts["seen"] == [rumor.speaker_as_seen for rumor in pack.rumors]


def test_the_key_the_cards_and_the_situations_are_whole() -> None:
    pack = fake_pack(6)
    page = Page(printable.game_master(pack))
    for rumor, entry in zip(pack.rumors, page.texts["entry"], strict=True):
        secrets = (rumor.teller, rumor.key, rumor.said.adds, rumor.pressed, rumor.hook)
        assert all(secret in entry for secret in (*secrets, rumor.truth.upper(), f"DC {rumor.dc}"))
        assert all(f"{link.name} ({link.how}" in entry for link in rumor.chain)
    for card, text in zip(pack.cards, page.texts["card"], strict=True):
        lines = (card.name, card.what, card.tonight, card.looks, card.says, card.wants)
        assert all(line in text for line in (*lines, card.belief, card.secret, *card.numbers))
    for hook, text in zip(pack.hooks, page.texts["hook"], strict=True):
        lines = (hook.title, hook.now, *hook.wants, hook.clock, hook.if_nobody, hook.lever)
        assert all(line in text for line in (*lines, hook.stakes))


def test_a_pack_of_rumours_alone_has_no_empty_page() -> None:
    page = Page(printable.game_master(replace(fake_pack(3), cards=(), hooks=())))
    assert page.tags.count("section") == 1


def players_html(pack: Pack) -> str:
    return printable.players(players_page(pack))


@pytest.mark.parametrize("make", [printable.game_master, players_html])
def test_no_name_breaks_out_and_nothing_is_fetched(make: Callable[[Pack], str]) -> None:
    html = make(fake_pack(20))
    page = Page(html)
    assert {"script", "img", "link", "iframe", "details", "template"} & set(page.tags) == set()
    assert page.comments == []
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in page.attributes
    assert not re.search(r"url\(|@import|https?:", html)


def test_the_players_page_has_slips_and_nothing_else() -> None:
    seen = players_page(fake_pack(20))
    html = printable.players(seen)
    page = Page(html)
    assert page.texts["said"] == [rumor.text for rumor in seen.rumors]
    assert page.texts["seen"] == [spoken_by(each) for each in seen.rumors]
    assert page.texts["number"] == list(map(str, range(1, 21)))
    assert page.texts["title"] == page.texts["h1"] == [seen.title]
    words = "".join(page.texts["html"]).replace("".join(page.texts["style"]), "")
    for part in ("said", "seen", "number", "title", "h1"):
        for text in page.texts[part]:
            words = words.replace(text, "", 1)
    assert words.strip() == ""
    assert {name for name, _ in page.attributes} == {
        *("lang", "charset", "name", "content", "http-equiv", "class")
    }
    assert leaks(html) == []


def test_two_files_that_are_the_same_each_time() -> None:
    made = printable.files(fake_pack(20))
    assert sorted(made) == ["for-players.html", "game-master.html"]
    assert made == printable.files(fake_pack(20))


# ---------------------------------------------------------------- on paper

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
POINTS = {"A4": (595, 842), "Letter": (612, 792)}


def printed(html: str, paper: str, folder: Path) -> list[str]:
    """The text of each page as Chromium prints them."""
    folder.mkdir(exist_ok=True)
    (folder / "page.html").write_text(html.replace("@page {", f"@page {{ size: {paper};"))
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu"]
    command += [f"--user-data-dir={folder / 'profile'}", f"--print-to-pdf={folder / 'page.pdf'}"]
    subprocess.run([*command, folder / "page.html"], check=True, capture_output=True)
    found = re.search(r"Page size:\s+([\d.]+) x ([\d.]+)", told_of("pdfinfo", folder / "page.pdf"))
    assert found is not None
    assert (round(float(found[1])), round(float(found[2]))) == POINTS[paper]
    return told_of("pdftotext", "-layout", folder / "page.pdf", "-").split("\f")[:-1]


def told_of(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.slow
@pytest.mark.skipif(not (CHROMIUM and shutil.which("pdftotext")), reason="needs chromium, poppler")
@pytest.mark.parametrize("paper", POINTS)
def test_on_paper_the_key_stands_apart_from_the_table(paper: str, tmp_path: Path) -> None:
    pages = printed(printable.game_master(fake_pack(20)), paper, tmp_path)
    first = next(at for at, page in enumerate(pages) if "The key" in page)
    assert first >= 1
    assert not re.search(r"\b(TRUE|FALSE)\b|DC \d", "".join(pages[:first]))
    assert all(page.strip() for page in pages)
    people = next(at for at, page in enumerate(pages) if re.search(r"(?m)^ *People$", page))
    assert "SECRET" not in "".join(pages[:people])


@pytest.mark.slow
@pytest.mark.skipif(not (CHROMIUM and shutil.which("pdftotext")), reason="needs chromium, poppler")
@pytest.mark.parametrize("paper", POINTS)
def test_on_paper_the_players_have_nothing_of_the_key(paper: str, tmp_path: Path) -> None:
    """Nor the path of the file, which browsers print at the foot of a page."""
    folder = tmp_path / CANARY
    pages = printed(printable.players(players_page(fake_pack(20))), paper, folder)
    content = (folder / "page.pdf").read_bytes()
    told = told_of("pdfinfo", folder / "page.pdf")
    assert leaks("".join(pages)) == leaks(content) == leaks(told) == []
    assert "page.html" not in "".join(pages)
    assert "(20)" in pages[-1]
