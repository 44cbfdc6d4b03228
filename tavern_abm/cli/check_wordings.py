"""`tavern check` of wordings: what is wrong with a file of them, or how its lines sound."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .errors import INVALID_SCENARIO

if TYPE_CHECKING:
    from ..pack.sounding import Choir
    from ..pack.wordings import Fault, Wording

SAMPLES = 5
_ENTRY = re.compile(r"^\s*\[\[\s*(say|head|tail)\s*\]\]", re.MULTILINE)


def holds_wordings(name: str) -> bool:
    """Whether a path is a file of wordings, a folder of such or of data, and no scenario."""
    path = Path(name)
    if path.is_dir():
        return any(holds_wordings(str(file)) for file in _files(path))
    if path.suffix != ".toml" or not path.is_file():
        return False
    return path.parent.resolve().name == "wordings" or bool(
        _ENTRY.search(path.read_text("utf-8", "replace"))
    )


def check_wordings(name: str, run: str | None, samples: int | None, *, as_json: bool) -> None:
    """Say what is wrong with wordings, and leave with exit code 3; or give samples of each line."""
    files = _files(Path(name))
    faults = [fault for file in files for fault in _faults(file)]
    if as_json:
        click.echo(_as_json(name, faults))
    elif faults:
        click.echo("\n".join(map(str, faults)), err=True)
    if faults:
        raise click.exceptions.Exit(INVALID_SCENARIO)
    if not as_json:
        for line in _lines(files, run, samples):
            click.echo(line)


def _files(path: Path) -> list[Path]:
    return (_in_data(path) or sorted(path.glob("*.toml"))) if path.is_dir() else [path]


def _in_data(folder: Path) -> list[Path]:
    """The files of wordings of a user's own folder of data."""
    return sorted((folder / "wordings").glob("*.toml"))


def _faults(file: Path) -> list[Fault]:
    from ..data_tables import DataError
    from ..pack.lint import lint_file
    from ..pack.wordings import Fault

    try:
        return lint_file(file)
    except DataError as error:
        problem = ": ".join(part for part in (error.entry, error.problem) if part)
        return [Fault(error.path, error.line or 1, problem)]


def _lines(files: list[Path], run: str | None, samples: int | None) -> Iterator[str]:
    """How many lines there are, and how those sound that are new."""
    from ..data_tables import read_source
    from ..pack.wordings import COLORS, read_lines

    choir: Choir | None = None
    for file in files:
        if file.stem == COLORS:
            yield f"{file}: all sound"
            continue
        found, _ = read_lines(read_source(file))
        yield f"{file}: {_lines_in_words(len(found))}, all sound"
        known = _shipped() if samples is None else frozenset()
        new = [line for line in found if line.id not in known] if samples != 0 else []
        choir = choir or (_choir(run) if new else None)
        for line in new:
            yield from _sounds(line, choir, SAMPLES if samples is None else samples)


def _shipped() -> frozenset[str]:
    """Ids of the lines that come with the program."""
    from ..pack.wordings import load_wordings

    return frozenset(load_wordings().by_id)


def _choir(run: str | None) -> Choir:
    """Those who say the samples: the people of a run, or made-up ones."""
    from ..pack.sounding import Choir

    if run is None:
        return Choir.made_up()
    from ..run_folder import read_run

    return Choir.of(read_run(run))


def _sounds(line: Wording, choir: Choir | None, samples: int) -> Iterator[str]:
    """How a line sounds: a few samples, or why there are none."""
    found = choir.samples(line, samples) if choir else []
    yield f"  line {line.line}{': ' + _asked(line) if line.condition.tags else ''}"
    yield from (f"    {said.text}" for said in found)
    if not found:
        yield "    (nobody of this run could say it tonight)"


def _asked(line: Wording) -> str:
    """Its condition, as it is written."""
    return ", ".join(tag if is_wanted else f"not {tag}" for tag, is_wanted in line.condition.tags)


def _as_json(source: str, faults: list[Fault]) -> str:
    problems = [fault._asdict() for fault in faults]
    summary = {"source": source, "is_valid": not faults, "problems": problems}
    return json.dumps(summary, indent=2, ensure_ascii=False)


def _lines_in_words(number: int) -> str:
    return f"{number:,} line{'' if number == 1 else 's'}"
