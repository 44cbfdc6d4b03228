"""A game master's pack of a run into which murders and more were put from outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tavern_abm import TavernModel
from tavern_abm.cli import tavern
from tavern_abm.continuing import put_in, read_interventions
from tavern_abm.pack.evening import evening_of
from tavern_abm.pack.hooks import hooks_of, situations_of
from tavern_abm.run_folder import RunFolder, read_run
from tavern_abm.writing import write_run

BETTRIS, CORWIN, ORLA = "Bettris Longtongue", "Corwin Ashe", "Dame Orla"
DEATHS = {
    "by somebody": f'by = "{CORWIN}"\n',
    "by somebody, and seen": f'by = "{CORWIN}"\nseen_by = ["{BETTRIS}"]\n',
    "by strangers": 'by = "strangers"\n',
    "by strangers, and seen": f'by = "strangers"\nseen_by = ["{BETTRIS}"]\n',
    "by nobody": "",
}
REST = f"""
[[paid]]
who = "{BETTRIS}"
amount = "9 gp"
[[paid]]
from = "{CORWIN}"
amount = "1 cp"
[[accused]]
who = "{CORWIN}"
by = "{BETTRIS}"
[[rumor]]
by = "{BETTRIS}"
about = "{ORLA}"
claim = "killed"
other = "{CORWIN}"
"""


@pytest.fixture(scope="module", params=DEATHS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Orla died in the morning of night 4 of six."""
    place = tmp_path_factory.mktemp("put-in")
    text = f'[[died]]\nwho = "{ORLA}"\n{DEATHS[request.param]}{REST}'
    (place / "session.toml").write_text(text.replace("\n[[", "\nnight = 4\n[["), encoding="utf-8")
    model = TavernModel("gossip-town", rng=3, patrons=60)
    put_in(model, read_interventions(place / "session.toml"))
    model.run_for(6)
    return read_run(write_run(model, place / "run", report=False))


@pytest.mark.parametrize("night", [4, 6])
def test_every_situation_is_in_a_house(run: RunFolder, night: int) -> None:
    evening = evening_of(run, night)
    assert all(each.tavern in evening.houses for each in situations_of(run, evening))
    hooks_of(run, evening, count=100)  # all of them can be said


@pytest.mark.parametrize(
    "command",
    [
        ("hooks", "--count", "50"),
        ("npcs", "--count", "50", "--size", "page"),
        ("rumors", "--count", "8"),
        ("export", "--to", "markdown"),
    ],
)
def test_every_command_of_the_pack_copes(
    run: RunFolder, tmp_path: Path, command: tuple[str, ...]
) -> None:
    name, *more = command
    more += ["--out", str(tmp_path / "out")] if name == "export" else []
    result = CliRunner().invoke(tavern, [name, str(run.path), *more], prog_name="tavern")
    assert result.exception is None, result.output
    assert result.exit_code == 0
