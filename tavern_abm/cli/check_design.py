"""`tavern check` of a design: what is wrong with it, or how many runs of what it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..shipped import shipped
from .errors import INVALID_SCENARIO

if TYPE_CHECKING:
    from ..sweeps.design import Design

_OF_DESIGNS = re.compile(
    r"^\s*(?:\[\[\s*(?:factors|points)\s*\]\]|\[\s*(?:sampling|auto)\s*\]"
    r"|(?:replicates|outputs|scenario)\s*=)",
    re.MULTILINE,
)


def holds_design(name: str) -> bool:
    """Whether a name is that of a ready design, or of a file that is a design and no scenario."""
    path = Path(name)
    if path.suffix != ".toml":
        return "/" not in name and (shipped("scenarios") / "sweeps" / f"{name}.toml").is_file()
    return path.is_file() and bool(_OF_DESIGNS.search(path.read_text("utf-8-sig", "replace")))


def check_design(name: str, *, as_json: bool) -> None:
    """Say what is wrong with a design, and leave with exit code 3; or what it comes to."""
    from ..scenario import ScenarioError
    from ..sweeps.designs.reading import load_design
    from ..sweeps.errors import SweepError

    try:
        design = load_design(name)
    except (SweepError, ScenarioError) as error:
        if not as_json:
            raise
        click.echo(_fault_as_json(name, error))
        raise click.exceptions.Exit(INVALID_SCENARIO) from None
    click.echo(_as_json(name, design) if as_json else "\n".join(_lines(design)))


def _lines(design: Design) -> Iterator[str]:
    from ..sweeps.designs.design_words import told

    yield f"{design.name}: a sound design"
    if design.about:
        yield f"  {design.about.strip().partition('\n')[0]}"
    how: Any = design.configuration
    yield f"  {how.scenario.name}, {how.until:,} nights a run; {_size(design)}"
    yield from (f"  {line}" for line in told(design))


def _size(design: Design) -> str:
    points, asked = len(design.points), design.replications
    word = "point" if points == 1 else "points"
    if not isinstance(asked, int):
        wanted = f"{asked.at_least:,} to {asked.at_most:,} replicates, by {asked.output}"
        return f"{points:,} {word} ({design.method}) x {wanted}"
    runs = f"{points * asked:,} run{'' if points * asked == 1 else 's'}"
    return f"{points:,} {word} ({design.method}) x {asked:,} replicates: {runs}"


def _as_json(source: str, design: Design) -> str:
    asked = design.replications
    how: Any = design.configuration
    summary = {
        "source": source,
        "is_valid": True,
        "name": design.name,
        "about": design.about,
        "scenario": how.scenario.name,
        "nights": how.until,
        "method": design.method,
        "points": len(design.points),
        "replicates": asked if isinstance(asked, int) else "auto",
        "seed": design.seed,
        "luck": design.luck,
        "factors": [factor.label for factor in design.factors],
        "outputs": list(how.outputs),
        "series": list(how.series),
        "digest": design.digest(),
        "problems": [],
    }
    return json.dumps(summary, indent=2, ensure_ascii=False)


def _fault_as_json(source: str, error: Any) -> str:
    problem = {
        "path": None if error.path is None else str(error.path),
        "line": error.line,
        "problem": error.problem,
    }
    summary = {"source": source, "is_valid": False, "problems": [problem]}
    return json.dumps(summary, indent=2, ensure_ascii=False)
