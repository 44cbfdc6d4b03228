"""What the documentation says of the code, held against it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from tavern_abm.patrons.decisions import shipped_decisions

DOCS = Path(__file__).parents[1] / "docs"


def test_the_page_of_decisions_names_those_an_evening_asks() -> None:
    page = (DOCS / "how-to" / "own-decisions.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named == set(shipped_decisions())
    for row in rows:
        names = re.findall(r"`(\w+)`", row.split("|")[1])
        given = [re.findall(r"\w+", each) for each in re.findall(r"`([^`]*)`", row.split("|")[2])]
        for name, arguments in zip(names, given * len(names), strict=False):
            found = list(inspect.signature(shipped_decisions()[name]).parameters)
            assert len(found) == len(arguments), name


def test_every_page_that_is_linked_exists() -> None:
    for page in [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_a_game_is_in_the_files_that_the_how_to_names_and_no_others() -> None:
    page = (DOCS / "how-to" / "add-a-game.md").read_text(encoding="utf-8")
    root = DOCS.parent
    game = "heads_or_tails"
    knows = {
        path.relative_to(root).as_posix()
        for folder in ("tavern_abm", "tests", "docs/games")
        for path in (root / folder).rglob("*.*")
        if path.suffix in (".py", ".md")
        and re.search(
            rf"\b{game}\b|^# Heads or tails", f"{path.stem} {path.read_text('utf-8')}", re.M
        )
    }
    named = {
        path.replace("NAME", game) for path in re.findall(r"\| `([\w/.]*NAME[\w/.]*)` \|", page)
    }
    named = {path.replace(f"docs/games/{game}", "docs/games/heads-or-tails") for path in named}
    assert knows - {"tests/test_docs.py", "tests/test_bare_games.py"} == named | {
        "tavern_abm/games/__init__.py"
    }
