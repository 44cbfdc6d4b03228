"""The pins, the version in its several places, and a wheel used from elsewhere."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tavern_abm.shipped import SHIPPED

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[0-9][A-Za-z0-9.]*)")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def pins() -> dict[str, str]:
    found = [PIN.fullmatch(line) for line in read("constraints.txt").splitlines()]
    return {canonicalize_name(pin["name"]): pin["version"] for pin in found if pin}


def test_constraints_are_names_and_versions_only() -> None:
    lines = read("constraints.txt").splitlines()
    assert [line for line in lines if not PIN.fullmatch(line)] == []
    assert len(pins()) == len(lines), "a package is pinned twice"


@pytest.mark.parametrize(
    "requirement", PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
)
def test_every_requirement_is_pinned_within_its_bounds(requirement: str) -> None:
    wanted = Requirement(requirement)
    pin = pins().get(canonicalize_name(wanted.name))
    assert pin is not None, f"{wanted.name} is missing from constraints.txt"
    assert wanted.specifier.contains(pin)


def test_one_version_everywhere() -> None:
    cited = re.search(r"^version: (\S+)$", read("CITATION.cff"), re.MULTILINE)
    newest = re.search(r"^## \[(\d[^\]]*)\]", read("CHANGELOG.md"), re.MULTILINE)
    assert cited is not None
    assert newest is not None
    catalogued = json.loads(read("codemeta.json"))["version"]
    assert version("tavern-abm") == PROJECT["version"] == cited[1] == newest[1] == catalogued


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT]
    subprocess.run(command, check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.slow
def test_wheel_holds_the_package_and_what_ships_with_it(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.split("/")[0] for name in names}
    assert top == {"tavern_abm", f"tavern_abm-{PROJECT['version']}.dist-info"}
    for kind in SHIPPED:
        shipped = {p.relative_to(ROOT).as_posix() for p in (ROOT / kind).rglob("*") if p.is_file()}
        kept = {f"tavern_abm/{name}" for name in shipped if "__pycache__" not in name}
        assert kept <= set(names)
    assert "tavern_abm/py.typed" in names
    assert not [name for name in names if "__pycache__" in name]


@pytest.mark.slow
def test_wheel_runs_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    venv, elsewhere = tmp_path / "venv", tmp_path / "elsewhere"
    elsewhere.mkdir()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}

    def run(program: str, *arguments: str | Path) -> str:
        return subprocess.run(
            [venv / "bin" / program, *arguments],
            cwd=elsewhere,
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout

    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    run("python", "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel)
    run("python", "-m", "pip", "check")

    where = run("python", "-c", "from tavern_abm.shipped import shipped; print(shipped('data'))")
    assert Path(where.strip()).is_relative_to(venv.resolve())
    assert PROJECT["version"] in run("tavern", "--version")
    listed = run("tavern", "scenarios")
    for scenario in (ROOT / "scenarios").glob("*.toml"):
        assert scenario.stem in listed
    run("tavern", "run", "--nights", "2", "--patrons", "30", "--out", "X")
    record = json.loads((elsewhere / "X" / "run.json").read_text(encoding="utf-8"))
    assert record["scenario"] == "rusty-flagon"
    assert (elsewhere / "X" / "report.html").stat().st_size > 0
