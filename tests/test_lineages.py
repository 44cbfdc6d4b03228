"""Rumours with their lineage: counted rightly, and traced back to who saw or made it up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tavern_abm.lineages import NoSuchStoryError, lineage, list_lines, stories_of, tree_lines
from tavern_abm.patrons.decisions.talk import CLAIMS as TOLD
from tavern_abm.rumor_words import CLAIMS, claim_of, hearsay_of
from tavern_abm.run_folder import RunFolder, read_run
from tests.fake_life import write_life
from tests.fake_run import Fake, write_fake_run


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return read_run(write_life(tmp_path / "run"))


def test_every_story_is_listed_with_its_truth(run: RunFolder) -> None:
    found = {each["story_id"]: each for each in stories_of(run)}
    assert [each["story_id"] for each in stories_of(run)] == [2, 4, 1]
    assert found[1] == {
        "story_id": 1,
        "event_id": 2,
        "says": "Ned Flint cheats at Rotting Toes",
        "truth": "true",
        "night": 2,
        "versions": 1,
        "tellings": 2,
        "heard": 1,
        "believed": 1,
        "false": 0,
    }
    assert (found[2]["versions"], found[2]["tellings"], found[2]["heard"]) == (2, 3, 2)
    assert (found[2]["believed"], found[2]["false"]) == (1, 1)
    assert (found[4]["event_id"], found[4]["truth"]) == (0, "false")


def test_the_list_in_print(run: RunFolder) -> None:
    lines = list_lines(stories_of(run), most=2)
    assert lines[1].split()[:5] == ["2", "5", "2", "2", "1"]
    assert lines[1].endswith("Ned Flint was banned from the Eel Pot on night 3")
    assert lines[-2:] == [
        "3 stories; as they began: 2 true, 1 false.",
        "The 2 most widely heard are shown; --top shows more.",
    ]


def test_the_tree_of_an_event(run: RunFolder) -> None:
    found = lineage(run, event=5)
    assert found["event"]["witnesses"] == ["Hob Marsh", "Edda Reed"]
    (story,) = found["stories"]
    assert [root["who"] for root in story["roots"]] == ["Cora Dunn", "Hob Marsh"]
    assert story["roots"][0]["told"][0]["believed"] is False
    hob = story["roots"][1]
    assert hob["knew"] == 1
    assert hob["told"][0]["says"] == "Edda Reed was banned from the Eel Pot on night 3"
    assert hob["told"][0]["truth"] == "wrong person"


def test_a_tree_in_print(run: RunFolder) -> None:
    assert "\n".join(tree_lines(lineage(run, event=5))) == (
        "Event 5, night 3, at the Eel Pot:\n"
        "  Ned Flint was banned from The Eel Pot for 2 nights.\n"
        "  Seen by Hob Marsh and Edda Reed.\n"
        "\n"
        "Story 2: Ned Flint was banned from the Eel Pot on night 3. [true]\n"
        "  Told 3 times: new to 2 people, of whom 1 believed it; 1 knew it already. 2 versions.\n"
        "\n"
        "  Cora Dunn, who was there\n"
        "  └─ Old Tam, night 3: did not believe it\n"
        "\n"
        "  Hob Marsh, who saw it\n"
        "  └─ Ned Flint, night 6: believed it\n"
        "        it became another's story: “Edda Reed was banned from the Eel Pot on night 3”"
        " [wrong person]"
    )


def test_what_was_made_up_goes_back_to_who_made_it_up(run: RunFolder) -> None:
    found = lineage(run, story=4)
    assert found["event"] is None
    (root,) = found["stories"][0]["roots"]
    assert (root["who"], root["how"]) == ("Edda Reed", "inventor")
    cora = root["told"][0]
    assert cora["listener"] == "Cora Dunn"
    assert cora["told"][0]["listener"] == "Hob Marsh"
    assert "who made it up" in "\n".join(tree_lines(found))


@pytest.mark.parametrize("asked", [{"event": 1}, {"event": 99}, {"story": 3}, {}])
def test_what_nobody_told_of(run: RunFolder, asked: dict[str, int]) -> None:
    with pytest.raises(NoSuchStoryError):
        lineage(run, **asked)


def test_every_telling_that_was_news_is_in_its_tree_once(tmp_path: Path) -> None:
    run = read_run(write_fake_run(tmp_path / "run", Fake(patrons=20, nights=8)))
    tellings = run.table("tellings")
    seen: list[int] = []
    for story in stories_of(run):
        found = lineage(run, story=story["story_id"])
        ids = [i for each in found["stories"] for root in each["roots"] for i in _ids(root)]
        assert len(ids) == story["heard"]
        seen += ids
        json.dumps(found)
        assert all(isinstance(line, str) for line in tree_lines(found))
    assert sorted(seen) == sorted(tellings.loc[~tellings["knew"], "telling_id"].tolist())


def _ids(node: dict[str, Any]) -> list[int]:
    return [i for told in node["told"] for i in (told["telling_id"], *_ids(told))]


@pytest.mark.parametrize("claim", TOLD)
def test_every_claim_can_be_said(claim: str) -> None:
    assert claim in CLAIMS
    names, houses = {1: "Ned", 2: "Cora"}.get, {1: "The Eel Pot"}
    rumor = {"claim": claim, "game": "rotting-toes", "subject_id": 1, "other_id": 2}
    rumor |= {"amount_cp": 250, "night": 3, "tavern_id": 1}
    for text in (
        claim_of(rumor, names, houses),
        hearsay_of(rumor, names, houses, now=3, here=2),
        hearsay_of(rumor, names, houses, 5, 1, {2: "her"}.get),
        hearsay_of(rumor | {"other_id": 0, "tavern_id": 0}, names, houses, now=4, here=0),
    ):
        assert text.startswith("Ned ")
        assert not any(sign in text for sign in "[]{}|")
        assert "  " not in text
        assert text == text.strip()
