"""Whoever is named can be found: of all that is said on an evening, in whatever words.

`meant` goes the way of a listener: he knows the teller, everybody's names, trades, looks,
houses and kin, and nothing of how the words were made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product

import pytest
from click.testing import CliRunner

from tavern_abm.cli import tavern
from tavern_abm.pack.colors import Colors
from tavern_abm.pack.evening import Evening, Person, evening_of
from tavern_abm.pack.knowledge import tales_of
from tavern_abm.pack.matter import Tale, Utterance
from tavern_abm.pack.speaking import beside, fits, speak
from tavern_abm.pack.wordings import load_wordings
from tavern_abm.rumor_words import in_passing
from tavern_abm.run_folder import RunFolder, read_run


def expressions(person: Person, teller: Person, evening: Evening) -> Iterator[tuple[str, set[int]]]:
    """All words that could mean somebody, each with everybody whom they could mean."""
    people = list(evening.people.values())
    yield person.name, {each.patron_id for each in people if each.name == person.name}
    surname = person.name.split()[-1]
    yield (
        f"{surname} the {person.trade_word}",
        {
            each.patron_id
            for each in people
            if each.name.split()[-1] == surname and each.trade_word == person.trade_word
        },
    )
    if person.household == teller.household:
        kin = [each for each in people if each.household == teller.household]
        kin = [each for each in kin if each.patron_id != teller.patron_id]
        for word, n in product(("brother", "sister", "cousin"), (1, 2)):
            called = person.name.split()[:n]  # a title goes with the given name
            same = {each.patron_id for each in kin if each.name.split()[:n] == called}
            yield f"my {word} {' '.join(called)}", same
    house = in_passing(evening.houses.get(person.home_tavern, "nowhere"))
    alike = {
        each.patron_id
        for each in people
        if (each.what, each.home_tavern) == (person.what, person.home_tavern)
    }
    yield f"{person.what} from {house}", alike
    yield from _as_kin(person, people)


def _as_kin(person: Person, people: list[Person]) -> Iterator[tuple[str, set[int]]]:
    word = {"female": "sister", "male": "brother"}[person.sex]
    for other in people:
        if other.household == person.household and other is not person:
            such = [each for each in people if each.household == person.household]
            such = [each for each in such if each is not other and each.sex == person.sex]
            yield f"{other.name}'s {word}", {each.patron_id for each in such}


def meant(said: Utterance, person: int, teller: Person, evening: Evening) -> set[int]:
    """Whom the words can mean that stand for one of those who are named; empty for nobody."""
    text = said.text[:1].lower() + said.text[1:]
    ways = []
    for words, who in expressions(evening.people[person], teller, evening):
        at = rf"(?<![\w-]){re.escape(words)}(?![\w-])"
        if re.search(at, said.text) or re.search(at, text) or re.search(at, said.text, re.I):
            ways.append(who)
    return min(ways, key=len, default=set())


def utterances(run: RunFolder, most: int) -> Iterator[tuple[Evening, Tale, Utterance]]:
    """What is said on the last evening, each wording of so many tales."""
    evening, wordings, colors = evening_of(run), load_wordings(), Colors.of(run)
    tales = tales_of(run, evening)
    for line in (line for lines in wordings.says.values() for line in lines):
        for tale in islice((tale for tale in tales if fits(tale, line)), most):
            head = beside(wordings.heads, tale, "findable")
            said = speak(tale, line, evening, colors, "findable", head=head)
            if said:
                yield evening, tale, said


def lost(run: RunFolder, most: int) -> tuple[int, int, list[str]]:
    """How much was said, how many were named, and of whom it is not clear who is meant."""
    n_said = n_named = 0
    unclear = []
    for evening, tale, said in utterances(run, most):
        n_said += 1
        teller = evening.people[tale.teller]
        for person in sorted(said.named):
            n_named += 1
            found = meant(said, person, teller, evening)
            if found != {person}:
                unclear.append(f"{evening.people[person].name}, or {sorted(found)}: {said.text}")
    return n_said, n_named, unclear


def test_everybody_can_be_found(talkative_run: RunFolder) -> None:
    n_said, n_named, unclear = lost(talkative_run, 40)
    assert min(n_said, n_named) > 2_000
    assert unclear == []


@pytest.mark.slow
def test_everybody_of_a_town_can_be_found(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("findable") / "town"
    command = ["run", "river-town", "--nights", "14", "--seed", "4", "--no-report", "--quiet"]
    result = CliRunner().invoke(tavern, [*command, "--out", str(folder)])
    assert result.exit_code == 0, result.output
    n_said, _, unclear = lost(read_run(folder), 6)
    assert n_said > 3_000
    assert unclear == []
