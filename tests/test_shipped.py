"""Shipped folders are found in the package first, then beside it."""

import re
from pathlib import Path

import pytest

from tavern_abm.shipped import SHIPPED, shipped


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in for the package's own folder: empty, in an empty checkout."""
    folder = tmp_path / "checkout" / "tavern_abm"
    folder.mkdir(parents=True)
    monkeypatch.setattr("tavern_abm.shipped._PACKAGE", folder)
    return folder


@pytest.mark.parametrize("kind", SHIPPED)
def test_every_kind_is_there(kind: str) -> None:
    folder = shipped(kind)
    assert folder.is_absolute()
    assert any(folder.iterdir())


@pytest.mark.parametrize("kind", SHIPPED)
def test_checkout_has_it_beside_the_package(package: Path, kind: str) -> None:
    beside = package.parent / kind
    beside.mkdir()
    assert shipped(kind) == beside


@pytest.mark.parametrize("kind", SHIPPED)
def test_package_comes_first(package: Path, kind: str) -> None:
    (package.parent / kind).mkdir()
    inside = package / kind
    inside.mkdir()
    assert shipped(kind) == inside


def test_a_file_of_that_name_is_not_a_folder(package: Path) -> None:
    (package / "data").touch()
    (package.parent / "data").mkdir()
    assert shipped("data") == package.parent / "data"


def test_missing_folder_says_where_it_looked(package: Path) -> None:
    with pytest.raises(FileNotFoundError, match=re.escape(str(package / "data"))) as error:
        shipped("data")
    assert str(package.parent / "data") in str(error.value)


@pytest.mark.parametrize("kind", ["scenario", "tests", "..", ""])
def test_unknown_kind_names_the_known_ones(kind: str) -> None:
    with pytest.raises(FileNotFoundError, match=r"scenarios, data, dashboards"):
        shipped(kind)
