"""Small run folders, and what is made of one of them."""

from __future__ import annotations

import pytest

from tavern_abm.pack.evening import Evening, evening_of
from tavern_abm.pack.judging import Facts
from tavern_abm.pack.knowledge import tales_of
from tavern_abm.pack.matter import Tale
from tavern_abm.run_folder import RunFolder, read_run
from tests.fake_run import Fake, write_fake_run
from tests.pack.little_town import write_little_town


@pytest.fixture(scope="session")
def little_town(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Twelve people in two houses: see `little_town`. Not to be written to."""
    return write_little_town(tmp_path_factory.mktemp("pack") / "little")


@pytest.fixture(scope="session")
def evening(little_town: RunFolder) -> Evening:
    """Its last evening."""
    return evening_of(little_town)


@pytest.fixture(scope="session")
def tales(little_town: RunFolder, evening: Evening) -> list[Tale]:
    """All that is told on it."""
    return tales_of(little_town, evening)


@pytest.fixture(scope="session")
def facts(little_town: RunFolder) -> Facts:
    """What is so by then."""
    return Facts.of(little_town)


@pytest.fixture(scope="session")
def talkative_run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Forty people, some with awkward names, 21 nights, some 250 tales. Not to be written to."""
    return read_run(write_fake_run(tmp_path_factory.mktemp("pack") / "talkative", Fake()))
