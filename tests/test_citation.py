"""What others cite and catalogues read agrees with the package."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tavern_abm.odd_reference import PAGE

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CODEMETA: dict[str, Any] = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
CFF = (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_codemeta_says_what_the_project_says() -> None:
    assert CODEMETA["@context"] == "https://w3id.org/codemeta/3.0"
    assert CODEMETA["@type"] == "SoftwareSourceCode"
    assert CODEMETA["identifier"] == PROJECT["name"]
    assert CODEMETA["version"] == PROJECT["version"]
    assert CODEMETA["description"] == PROJECT["description"]
    assert CODEMETA["keywords"] == PROJECT["keywords"]
    assert CODEMETA["license"].endswith(f"/{PROJECT['license']}")
    assert CODEMETA["softwareRequirements"] == PROJECT["dependencies"]
    assert CODEMETA["programmingLanguage"]["version"] == PROJECT["requires-python"]


def test_codemeta_names_files_that_are_there() -> None:
    for key in ("readme", "softwareHelp", "releaseNotes"):
        assert (ROOT / CODEMETA[key]).is_file()


def test_both_name_the_same_authors_version_and_licence() -> None:
    authors = [author["name"] for author in CODEMETA["author"]]
    assert authors == [author["name"] for author in PROJECT["authors"]]
    assert re.findall(r"^authors:\n  - name: (.+)$", CFF, flags=re.M) == authors
    assert f"\nversion: {CODEMETA['version']}\n" in CFF
    assert f"\nlicense: {PROJECT['license']}\n" in CFF


def test_a_day_of_release_is_said_as_soon_as_there_is_one() -> None:
    """As the changelog has it; a year is what a journal asks for first."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## \[{re.escape(PROJECT['version'])}\] - (\S+)$", changes, flags=re.M)
    assert found
    released = None if found[1] == "unreleased" else found[1]
    assert CODEMETA.get("datePublished") == released
    assert re.findall(r"^date-released: (.+)$", CFF, flags=re.M) == ([released] if released else [])


def test_the_status_is_one_of_those_that_have_an_address() -> None:
    assert re.fullmatch(r"https://www\.repostatus\.org/#\w+", CODEMETA["developmentStatus"])


def test_the_protocol_is_cited_alike() -> None:
    doi = "10.18564/jasss.4259"
    assert f"doi: {doi}" in CFF
    assert CODEMETA["citation"][0]["@id"] == f"https://doi.org/{doi}"
    assert "referencePublication" not in CODEMETA  # there is none about this program
    assert f"doi {doi}" in PAGE.read_text(encoding="utf-8")


def test_the_citation_file_keeps_its_schema() -> None:
    cffconvert = pytest.importorskip("cffconvert")
    citation = cffconvert.Citation(CFF)
    citation.validate()
    assert PROJECT["version"] in citation.as_bibtex() + citation.as_apalike()
