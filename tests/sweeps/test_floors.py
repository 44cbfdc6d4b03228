"""Experiments stand above the outside floor of the house plan: they draw and print nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tavern_abm.sweeps

PACKAGE = Path(tavern_abm.__file__).parent
OUTSIDE = {"cli", "plots", "report", "sweep_pages", "diaries", "exports", "dashboards"}
FILES = sorted((PACKAGE / "sweeps").rglob("*.py"))


def rooms_of(tree: ast.AST, file: Path) -> Iterator[str]:
    """Rooms of the package that a file imports, at its top or inside a function."""
    above = ("tavern_abm", *file.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = [*above[: len(above) - node.level + 1]] if node.level else []
            base = ".".join([*home, *([node.module] if node.module else [])])
            names = [f"{base}.{each.name}" for each in node.names]
        else:
            continue
        for package, *rest in (name.split(".") for name in names):
            if package == "tavern_abm" and rest:
                yield rest[0]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_experiments_import_nothing_of_the_outside(file):
    assert not OUTSIDE & {*rooms_of(ast.parse(file.read_text(encoding="utf-8")), file)}


@pytest.mark.parametrize(
    "line",
    [
        "from ...plots.effects import plot_effects",
        "from ... import plots",
        "import tavern_abm.report.panel",
        "from tavern_abm import sweep_pages",
        "def f():\n    from ...cli import run",
    ],
)
def test_every_way_of_importing_is_seen(line):
    file = PACKAGE / "sweeps" / "stores" / "made_up.py"
    assert OUTSIDE & {*rooms_of(ast.parse(line), file)}
