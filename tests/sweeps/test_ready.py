"""The ready designs: sound, documented, small enough to play, and playable."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavern_abm.sweeps.designs import design_reference
from tavern_abm.sweeps.designs.reading import load_design
from tavern_abm.sweeps.designs.ready import ready_designs
from tavern_abm.sweeps.errors import SweepError

DOCS = Path(__file__).resolve().parents[2] / "docs"
NAMES = list(ready_designs())


def test_there_are_those_that_are_promised() -> None:
    assert NAMES == ["cheating-and-custom", "house-edge-and-inequality", "talk-and-unjust-beatings"]


@pytest.mark.parametrize("name", NAMES)
def test_each_says_what_it_asks_and_can_be_played_at_a_sitting(name: str) -> None:
    design = load_design(name)
    assert design.name == name
    assert design.about.endswith("?")
    assert isinstance(design.replications, int)
    nights = design.configuration.until  # type: ignore[attr-defined]
    # A night of these towns takes less than 4 ms: ten minutes of two processes.
    assert len(design.points) * design.replications * nights * 0.004 < 1200
    assert len(design.configuration.outputs) >= 5
    text = ready_designs()[name].read_text(encoding="utf-8")
    assert text.startswith("#:schema ../../docs/reference/design.schema.json\n")
    assert f"tavern sweep {name} --dry-run" in text
    for output in ("Look at:", *design.configuration.outputs[:1]):
        assert output in text.partition("\nabout")[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_corners_of_each_can_be_played(name: str) -> None:
    design = load_design(name, nights=12, replications=1)
    for scenario_id in (0, len(design.points) - 1):
        output = design.configuration(design.run(scenario_id, 0))
        assert list(output.outcomes) == list(design.configuration.outputs)
        assert not all(np.isnan(value) for value in output.outcomes.values())


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("design.schema.json", design_reference.json_text(), "tavern schema --sweep"),
        ("design.md", design_reference.markdown(), "tavern schema --sweep --markdown"),
    ],
)
def test_committed_copy_is_what_the_schema_says(name: str, text: str, command: str) -> None:
    committed = (DOCS / "reference" / name).read_text(encoding="utf-8")
    assert committed == text, f"out of date: {command} > docs/reference/{name}"


def test_every_key_says_what_it_means() -> None:
    rows = [line for line in design_reference.markdown().splitlines() if line.startswith("| `")]
    assert len(rows) > 35
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert len(cells) == 5, row
        assert cells[1], row
        assert cells[2], row
        assert cells[4], row


def test_the_schema_refuses_unknown_keys_and_refers_only_to_what_it_holds() -> None:
    schema = json.loads(design_reference.json_text())
    assert all(
        table["additionalProperties"] is False for table in (schema, *schema["$defs"].values())
    )
    for name in schema["$defs"]:
        assert f'"#/$defs/{name}"' in design_reference.json_text()
    assert "from" in schema["$defs"]["RangeWords"]["properties"]


HOW_TO = (DOCS / "how-to" / "design-an-experiment.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", re.findall(r"```toml\n(.*?)```", HOW_TO, re.DOTALL))
def test_the_designs_of_the_how_to_are_sound(text: str, tmp_path: Path) -> None:
    (table,) = re.findall(r"```text\n(population.*?)```", HOW_TO, re.DOTALL)
    (tmp_path / "points.csv").write_text(table)
    (own,) = re.findall(r"```python\n(def first_brawl.*?)```", HOW_TO, re.DOTALL)
    (tmp_path / "mine.py").write_text(own)
    (tmp_path / "study.toml").write_text(text)
    design = load_design(tmp_path / "study.toml")
    assert len(design.points) >= 1
    assert design.configuration.outputs


def test_the_programs_of_the_how_to_run() -> None:
    *_, program = re.findall(r"```python\n(.*?)```", HOW_TO, re.DOTALL)
    names: dict[str, Any] = {"__name__": __name__}
    exec(program, names)
    assert len(names["design"].points) == 64


def test_an_output_of_ones_own_as_the_how_to_has_it(tmp_path: Path) -> None:
    (own,) = re.findall(r"```python\n(def first_brawl.*?)```", HOW_TO, re.DOTALL)
    (tmp_path / "mine.py").write_text(own)
    (tmp_path / "study.toml").write_text('nights = 25\noutputs = ["mine.py:first_brawl"]\n')
    design = load_design(tmp_path / "study.toml")
    night = design.configuration(design.run(0, 0)).outcomes["first_brawl"]
    assert np.isnan(night) or 1 <= night <= 25


def test_the_mistakes_of_the_how_to_are_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = re.findall(r"```toml\n(.*?)```", HOW_TO, re.DOTALL)[0]
    mistakes = [
        ('share_of_cheats"', 'share_of_cheat"'),
        ("to = 0.2,", "to = 1.2,"),
        ('path = "population.share_of_cheats"', 'path = "taverns.0.custom"'),
        ('"conviction_ppv"', '"convicton_ppv"'),
    ]
    monkeypatch.chdir(tmp_path)
    told = []
    for right, wrong in mistakes:
        Path("study.toml").write_text(text.replace(right, wrong))
        with pytest.raises(SweepError) as caught:
            load_design("study.toml")
        told.append(f"    {caught.value}")
    assert re.findall(r"^    study\.toml:.*$", HOW_TO, re.MULTILINE) == told
