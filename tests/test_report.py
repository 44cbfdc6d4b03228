"""The report page: one file, no network, nothing a name could break out of."""

import json
import os
import re
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tavern_abm.report import data, write_report
from tavern_abm.report.talk_panels import MOST_TREES
from tavern_abm.run_folder import RunFolderError
from tavern_abm.scores import scores
from tests.fake_run import AWKWARD, Fake, write_fake_run

FIGURES = [
    "wealth",
    "games",
    "livings",
    "tricks",
    "accusations",
    "sentences",
    "scores",
    "accuracy",
    "network",
    "talk",
    "rumor",
    "fortunes",
]
SOCIETY = ("acquaintances", "evenings", "rumors", "tellings", "trials")
OPEN = ("details", {"class": "data", "open": None})
FIVE = ("rotting-toes", "magic-wand", "arm-wrestling", "long-throw", "race")


class Page(HTMLParser):
    """What a browser would make of a page, as far as the tests ask."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.scripts: list[tuple[str | None, str]] = []
        self._inside: str | None = None
        self._script: dict[str, str | None] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        self._script = dict(attrs)

    def handle_endtag(self, tag: str) -> None:
        self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts.append((self._script.get("id"), data))
        elif self._inside != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.words))

    def data(self, script: str) -> Any:
        return json.loads("".join(data for name, data in self.scripts if name == script))

    def ids(self) -> list[str]:
        return [str(attrs["id"]) for _, attrs in self.tags if "id" in attrs]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Fake], Path]:
    made: dict[Fake, Path] = {}

    def folder(fake: Fake) -> Path:
        if fake not in made:
            made[fake] = write_fake_run(tmp_path_factory.mktemp("run") / "run", fake)
            write_report(made[fake])
        return made[fake]

    return folder


@pytest.fixture(scope="module")
def page(runs: Callable[[Fake], Path]) -> Page:
    return Page((runs(Fake()) / "report.html").read_text(encoding="utf-8"))


def test_it_is_one_file_in_the_run_folder(runs: Callable[[Fake], Path]) -> None:
    folder = runs(Fake())
    assert write_report(folder) == folder / "report.html"
    assert [file.name for file in folder.iterdir() if "report" in file.name] == ["report.html"]
    assert (folder / "report.html").stat().st_size < 8_000_000


def test_the_same_folder_gives_the_same_bytes(runs: Callable[[Fake], Path], tmp_path: Path) -> None:
    folder = runs(Fake())
    again = shutil.copytree(folder, tmp_path / "again")
    assert write_report(again).read_bytes() == (folder / "report.html").read_bytes()


def test_nothing_comes_from_elsewhere(page: Page) -> None:
    for tag, attrs in page.tags:
        assert tag not in ("link", "img", "iframe", "base", "object")
        assert "src" not in attrs
        assert not (attrs.get("href") or "#").startswith(("http", "//"))
    policy = next(a for t, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert str(policy["content"]).startswith("default-src 'none';")


def test_the_button_that_uploads_charts_is_off(page: Page) -> None:
    own = page.scripts[-1][1]
    assert re.search(r"modeBarButtonsToRemove: \[\s*\"sendChartToCloud\"", own)


def test_every_figure_has_words_and_a_table(page: Page) -> None:
    assert [a["id"] for t, a in page.tags if t == "figure"] == FIGURES
    assert list(page.data("figures")) == FIGURES
    plots = [a for t, a in page.tags if a.get("role") == "img" and a["id"] != "purse-plot"]
    assert [a["id"] for a in plots] == [f"{name}-plot" for name in FIGURES]
    assert all(len(str(a["aria-label"])) > 30 for a in plots)
    tags = [t for t, _ in page.tags]
    assert tags.count("figcaption") == tags.count("table") == len(FIGURES)
    assert len(page.ids()) == len(set(page.ids()))
    assert ("html", {"lang": "en"}) in page.tags


def test_the_header_says_what_this_is(page: Page) -> None:
    for words in (
        "one run of a computer simulation",
        "40 people lived around The Rusty Flagon for 21 nights",
        "played Rotting Toes for coins",
        "Custom decent",
        "Seed 7",
    ):
        assert words.replace(" ", "") in page.text.replace(" ", "")


def test_names_stay_text(page: Page) -> None:
    for name in AWKWARD:
        assert name in page.text
    names = {life["name"] for life in page.data("people")["lives"]}
    assert set(AWKWARD) <= names
    own = [name for name, _ in page.scripts]
    assert own.count("figures") == own.count("people") == 1
    assert sum(t == "script" for t, _ in page.tags) == 4


def test_every_life_can_be_told_from_the_page(page: Page) -> None:
    people = page.data("people")
    assert len(people["lives"]) == 40
    for life in people["lives"]:
        assert len(life["nights"]) == len(life["purse"])
        assert all(str(event) in people["events"] for event in life["story"])
        tops = [*life["by"]["top"], *life["on"]["top"]]
        assert all(str(each) in people["names"] for each, _ in tops)
    first = next(life for life in people["lives"] if life["id"] == people["first"])
    assert first["by"]["number"] > 0
    placed = {
        each
        for trace in page.data("figures")["network"]["data"]
        for each in trace.get("customdata", [])
    }
    assert {each for edge in people["edges"] for each in edge} == placed


def test_headlines_add_up(runs: Callable[[Fake], Path], page: Page) -> None:
    totals = json.loads((runs(Fake()) / "run.json").read_text())["totals"]
    values = [str(words) for words in page.words]
    assert f"{totals['rounds']:,}" in values
    assert f"{totals['gini']:.2f}" in values
    assert str(totals["convictions_just"] + totals["convictions_unjust"]) in values


def test_who_came_later_is_counted(runs: Callable[[Fake], Path], tmp_path: Path) -> None:
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    info = json.loads((folder / "run.json").read_text())
    info["patrons"] = 33
    (folder / "run.json").write_text(json.dumps(info))
    text = Page(write_report(folder).read_text()).text
    assert "33 people lived around The Rusty Flagon at the start, and 7 more came" in text
    assert "among 40 people who ever lived here" in text


@pytest.mark.parametrize(
    ("just", "unjust", "words"),
    [
        (1, 0, "That one had cheated."),
        (0, 1, "That one had not cheated."),
        (2, 0, "All of them had cheated."),
        (1, 1, "1 of these had not cheated."),
    ],
)
def test_one_or_several_beaten(
    just: int, unjust: int, words: str, runs: Callable[[Fake], Path], tmp_path: Path
) -> None:
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    info = json.loads((folder / "run.json").read_text())
    info["totals"] |= {"beaten_just": just, "beaten_unjust": unjust}
    info["totals"] |= {"killed_just": 0, "killed_unjust": 0}
    (folder / "run.json").write_text(json.dumps(info))
    assert words in Page(write_report(folder).read_text()).text


# ---------------------------------------------------------------- the games


def test_one_game(runs: Callable[[Fake], Path], page: Page) -> None:
    games = pd.read_parquet(runs(Fake()) / "games.parquet")
    rounds = int(games["rounds"].sum())
    assert f"{rounds:,} rounds of Rotting Toes, with " in page.text
    assert "The house took nothing." in page.text
    assert "people who played" in page.text
    assert page.tags.count(OPEN) == 1


def test_five_games(runs: Callable[[Fake], Path]) -> None:
    folder = runs(Fake(games=FIVE))
    page = Page((folder / "report.html").read_text(encoding="utf-8"))
    assert "played Rotting Toes, Magic Wand, Arm Wrestling, Long Throw and 1 more" in page.text
    assert "5 games were played." in page.text
    assert page.tags.count(OPEN) == 2
    sums = pd.read_parquet(folder / "games.parquet").groupby("game")["rounds"].sum()
    for game, title in (("race", "Race"), ("arm-wrestling", "Arm Wrestling")):
        assert title in page.text
        assert f"{sums[game]:,}" in page.text
    names = {trace["name"] for trace in page.data("figures")["games"]["data"]}
    assert len(names) == 5
    panels = [t for t in page.data("figures")["livings"]["data"] if t["type"] == "bar"]
    assert all(1 <= len(trace["y"]) <= 4 for trace in panels)


def test_who_lives_by_a_game_is_counted(runs: Callable[[Fake], Path], tmp_path: Path) -> None:
    folder = shutil.copytree(runs(Fake(games=FIVE)), tmp_path / "run")
    players = pd.read_parquet(folder / "players.parquet").assign(net_cp=0)
    players.loc[players["game"].eq("race") & players["patron_id"].eq(7), "net_cp"] = 10**6
    players.to_parquet(folder / "players.parquet")
    text = Page(write_report(folder).read_text(encoding="utf-8")).text
    assert "1 is ahead by at least a day's wage a night (Race 1). Most was won by " in text
    assert "10,000 gp at Race, in " in text
    players.assign(net_cp=-1).to_parquet(folder / "players.parquet")
    assert "Nobody won a coin." in Page(write_report(folder).read_text(encoding="utf-8")).text


def test_games_that_nobody_played(runs: Callable[[Fake], Path], tmp_path: Path) -> None:
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    games = pd.read_parquet(folder / "games.parquet")
    sums = [name for name in games if name not in ("night", "tavern_id", "game")]
    games[sums] = 0
    games.to_parquet(folder / "games.parquet")
    pd.read_parquet(folder / "players.parquet").head(0).to_parquet(folder / "players.parquet")
    page = Page(write_report(folder).read_text(encoding="utf-8"))
    assert "Nobody played." in page.text
    assert "games" not in page.data("figures")


def aged(folder: Path, number: int) -> Page:
    """The page of a run as an earlier format had it."""
    gone = [*SOCIETY, *(("games", "players") if number == 1 else ())]
    for name in gone:
        (folder / f"{name}.parquet").unlink()
    nights = pd.read_parquet(folder / "nights.parquet")
    since = nights.columns.get_loc("tricked_hands")
    until = nights.columns.get_loc("unsuspected")
    nights.drop(columns=nights.columns[since : until + 1]).to_parquet(folder / "nights.parquet")
    patrons = pd.read_parquet(folder / "patrons.parquet")
    patrons.drop(columns=["first_try_night", "suspected_night"]).to_parquet(
        folder / "patrons.parquet"
    )
    info = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(info | {"format": number}))
    return Page(write_report(folder).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("number", "gone"),
    [
        (1, {"games", "livings", "accusations", "scores", "talk", "rumor"}),
        (2, {"accusations", "scores", "talk", "rumor"}),
    ],
)
def test_an_older_run_without_these_tables(
    number: int, gone: set[str], runs: Callable[[Fake], Path], tmp_path: Path
) -> None:
    page = aged(shutil.copytree(runs(Fake()), tmp_path / "run"), number)
    assert list(page.data("figures")) == [each for each in FIGURES if each not in gone]
    assert ("make a living" in page.text) == (number > 1)
    assert "A story and its versions" not in page.text


def test_a_quiet_night_says_so(runs: Callable[[Fake], Path]) -> None:
    quiet = runs(Fake(patrons=6, nights=1, quiet=True))
    page = Page((quiet / "report.html").read_text(encoding="utf-8"))
    assert list(page.data("figures")) == ["wealth", "livings", "fortunes"]
    for words in (
        "Nobody played.",
        "Nobody tried to cheat.",
        "Nobody was sentenced.",
        "In the end nobody suspects anybody.",
        "Nobody of the cheating kind has tried a trick.",
        "for 1 night.",
    ):
        assert words in page.text
    assert page.data("people")["first"] is None


def test_a_run_without_events(runs: Callable[[Fake], Path], tmp_path: Path) -> None:
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    pd.read_parquet(folder / "events.parquet").head(0).to_parquet(folder / "events.parquet")
    page = Page(write_report(folder).read_text(encoding="utf-8"))
    assert "Nothing happened that is worth telling." in page.text


def test_undefined_totals(runs: Callable[[Fake], Path], tmp_path: Path) -> None:
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    info = json.loads((folder / "run.json").read_text())
    info["totals"] |= {"auc_reputation": None, "gini": None}
    del info["versions"], info["digest"]
    (folder / "run.json").write_text(json.dumps(info))
    assert "Nobody was left to compare." in Page(write_report(folder).read_text()).text


def test_a_large_house_tells_only_some_lives_and_says_so(
    runs: Callable[[Fake], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, limit in (("EVERYBODY", 10), ("MOST_NODES", 12), ("MOST_EDGES", 9)):
        monkeypatch.setattr(data, name, limit)
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    page = Page(write_report(folder).read_text(encoding="utf-8"))
    people = page.data("people")
    assert len(people["edges"]) == 9
    assert len(people["lives"]) < 40
    assert f"Here are the {len(people['lives'])} people" in page.text
    assert "more are not." in page.text
    ids = {life["id"] for life in people["lives"]}
    assert {each for edge in people["edges"] for each in edge} <= ids


def test_no_run_no_page(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="not a run folder"):
        write_report(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_table_is_named_and_the_old_page_stays(
    runs: Callable[[Fake], Path], tmp_path: Path
) -> None:
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    before = (folder / "report.html").read_bytes()
    (folder / "wealth.parquet").write_bytes(b"nonsense")
    with pytest.raises(RunFolderError, match=r"wealth\.parquet"):
        write_report(folder)
    assert (folder / "report.html").read_bytes() == before


def test_totals_that_lack_something(runs: Callable[[Fake], Path], tmp_path: Path) -> None:
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    info = json.loads((folder / "run.json").read_text())
    del info["totals"]["brawls"], info["totals"]["rounds"]
    (folder / "run.json").write_text(json.dumps(info))
    with pytest.raises(RunFolderError, match="lack 'rounds'"):
        write_report(folder)


def test_a_full_disk_leaves_nothing_behind(
    runs: Callable[[Fake], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    before = (folder / "report.html").read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_report(folder)
    assert (folder / "report.html").read_bytes() == before
    assert not list(folder.glob(".report*"))


# ---------------------------------------------------------------- belief and truth


def test_accusations_are_counted_by_the_truth(runs: Callable[[Fake], Path], page: Page) -> None:
    trials = pd.read_parquet(runs(Fake()) / "trials.parquet")
    for is_cheat, whom in ((True, "of those who had cheated"), (False, "of those who had not")):
        accused = trials[trials["is_cheat"] == is_cheat]
        guilty = (accused["verdict"] == "convicted").sum()
        assert f"{guilty} of {len(accused)} {whom}" in page.text
    bars = page.data("figures")["accusations"]["data"]
    assert sum(sum(trace["y"]) for trace in bars) == len(trials)


def test_a_catch_is_no_trial(runs: Callable[[Fake], Path], tmp_path: Path) -> None:
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    trials = pd.read_parquet(folder / "trials.parquet")
    trials.assign(verdict="caught", accuser_id=0).to_parquet(folder / "trials.parquet")
    page = Page(write_report(folder).read_text(encoding="utf-8"))
    assert f"Nobody was accused; {len(trials)} people were caught in the act." in page.text
    assert "accusations" not in page.data("figures")


def test_the_scores_are_those_of_the_run(runs: Callable[[Fake], Path], page: Page) -> None:
    folder = runs(Fake())
    names = ("nights", "patrons", "suspicion", "events")
    found = scores(*(pd.read_parquet(folder / f"{name}.parquet") for name in names))
    assert f"At the end {100 * found['ppv']:.0f} % of suspicions are right." in page.text
    assert f"Of {found['cheats_tried']} cheats, {found['cheats_suspected']} have been" in page.text
    lines = {trace["name"]: trace for trace in page.data("figures")["scores"]["data"]}
    assert len(lines["cheats suspected"]["x"]) == 21


def test_what_nobody_knows_is_a_dash(runs: Callable[[Fake], Path], tmp_path: Path) -> None:
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    pd.read_parquet(folder / "suspicion.parquet").head(0).to_parquet(folder / "suspicion.parquet")
    page = Page(write_report(folder).read_text(encoding="utf-8"))
    assert {"accuracy", "network"}.isdisjoint(page.data("figures"))
    assert "scores" in page.data("figures")


# ---------------------------------------------------------------- talk


def test_what_was_told_adds_up(runs: Callable[[Fake], Path], page: Page) -> None:
    rumors, tellings = (
        pd.read_parquet(runs(Fake()) / f"{name}.parquet") for name in ("rumors", "tellings")
    )
    assert f"in {len(rumors)} versions, told {len(tellings)} times" in page.text
    bars = {trace["name"]: trace["y"] for trace in page.data("figures")["talk"]["data"]}
    assert sum(bars["told"]) == len(tellings)
    assert sum(bars["news to the listener"]) == (~tellings["knew"]).sum()
    assert sum(bars["news, and believed"]) == tellings["believed"].sum()


def test_each_story_has_a_tree_to_choose(page: Page) -> None:
    figure = page.data("figures")["rumor"]
    views = figure["layout"]["meta"]["views"]
    assert len(views) == MOST_TREES
    for number, view in enumerate(views):
        traces = [trace for trace in figure["data"] if trace["meta"]["view"] == number]
        heard = int(re.search(r"\((\d+) heard\)", view["title"])[1])
        assert f"{heard} people came to know of it by talk" in view["note"]
        signs = [trace for trace in traces if trace["mode"] == "markers"]
        sources = next(trace for trace in traces if trace["name"] == "sources")
        assert sum(len(trace["x"]) for trace in signs) == heard + len(sources["x"])
        assert {trace["visible"] for trace in traces} == {number == 0}


def test_a_lie_is_said_to_be_one(runs: Callable[[Fake], Path], tmp_path: Path) -> None:
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    rumors = pd.read_parquet(folder / "rumors.parquet")
    rumors["event_id"], rumors["made_by"] = 0, 7
    rumors.to_parquet(folder / "rumors.parquet")
    page = Page(write_report(folder).read_text(encoding="utf-8"))
    figure = page.data("figures")["rumor"]
    assert " made it up on night " in figure["layout"]["meta"]["views"][0]["note"]
    assert any(
        "made it up" in text for trace in figure["data"] for text in trace.get("hovertext", [])
    )


def test_a_silent_town(runs: Callable[[Fake], Path], tmp_path: Path) -> None:
    folder = shutil.copytree(runs(Fake()), tmp_path / "run")
    for name in ("rumors", "tellings"):
        pd.read_parquet(folder / f"{name}.parquet").head(0).to_parquet(folder / f"{name}.parquet")
    page = Page(write_report(folder).read_text(encoding="utf-8"))
    assert {"talk", "rumor"}.isdisjoint({a.get("id") for _, a in page.tags})
