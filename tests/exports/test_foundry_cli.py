"""Packs and sources through Foundry's own command line tool, which must find them the same.

It is installed from npm for the test; without npm, or without a way to its registry, there is
nothing to test with.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tavern_abm.exports import foundry, leveldb
from tests.fake_pack import SALT, fake_pack

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm here"),
]

CLI = "@foundryvtt/foundryvtt-cli@3.0.3"
EXTRACT = """
import { extractPack } from "@foundryvtt/foundryvtt-cli";
const [pack, out] = process.argv.slice(2);
await extractPack(pack, out, { transformName: (found) => found._id + ".json" });
"""
"""As `fvtt package unpack`, but with names of files that stay short where a name is not."""


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fvtt")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    (folder / "extract.js").write_text(EXTRACT)
    installed = run(folder, "npm", "install", "--no-audit", "--no-fund", CLI)
    if installed.returncode:
        pytest.skip(f"npm cannot install {CLI}: {installed.stderr[-300:]}")
    return folder


def run(tool: Path, *command: str) -> subprocess.CompletedProcess[str]:
    home = {"HOME": str(tool), "USERPROFILE": str(tool)}
    return subprocess.run(
        [shutil.which(command[0]) or command[0], *command[1:]],
        cwd=tool,
        env={**os.environ, **home},
        capture_output=True,
        text=True,
        timeout=300,
    )


def fvtt(tool: Path, action: str, name: str, source: Path, target: Path) -> None:
    script = "node_modules/@foundryvtt/foundryvtt-cli/fvtt.mjs"
    paths = ("--in", str(source), "--out", str(target))
    done = run(tool, "node", script, "package", action, "-n", name, *paths)
    assert done.returncode == 0, done.stderr


def extracted(tool: Path, pack: Path, out: Path) -> dict[str, bytes]:
    done = run(tool, "node", "extract.js", str(pack), str(out))
    assert done.returncode == 0, done.stderr
    return content(out)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(params=[12, 13])
def export(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    for name, data in foundry.files(fake_pack(), SALT, core=request.param).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path


def module_of(export: Path) -> Path:
    (manifest,) = export.glob("*/module.json")
    return manifest.parent


@pytest.mark.skipif(not leveldb.is_available(), reason="plyvel is not installed")
@pytest.mark.parametrize("name", list(foundry.PACKS))
def test_packs_are_the_sources(tool: Path, export: Path, name: str) -> None:
    found = extracted(tool, module_of(export) / "packs" / name, export / "found")
    assert found == content(export / "sources" / name)


@pytest.mark.parametrize("name", list(foundry.PACKS))
def test_the_tool_packs_the_sources(tool: Path, export: Path, name: str) -> None:
    fvtt(tool, "pack", name, export / "sources" / name, export / "packed")
    found = extracted(tool, export / "packed" / name, export / "found")
    assert found == content(export / "sources" / name)


@pytest.mark.skipif(not leveldb.is_available(), reason="plyvel is not installed")
@pytest.mark.parametrize("name", ["talk", "notes"])
def test_the_tool_unpacks_our_packs_by_its_own_command(tool: Path, export: Path, name: str) -> None:
    fvtt(tool, "unpack", name, module_of(export) / "packs", export / "found")
    assert sorted(content(export / "found").values()) == sorted(
        content(export / "sources" / name).values()
    )
