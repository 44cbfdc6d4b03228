"""What is said of a set: why there are no more of a truth is the true reason."""

from __future__ import annotations

from tavern_abm.pack.choosing import Choice
from tavern_abm.pack.notes import notes_of
from tavern_abm.pack.rumors import Wanted
from tests.pack.offers_made_up import telling_offers


def test_a_house_that_has_told_all_its_lies_says_so() -> None:
    offers = telling_offers(40, 1)
    lies = [offer for offer in offers if offer.label == 2]
    assert len(lies) >= 2
    choice = Choice([], [0, 0, 2])
    told = [offer.source for offer in lies]
    here = notes_of(choice, offers, Wanted(tavern=1), told)[0]
    assert "this house has told all its lies; let it go on some nights (tavern run --from" in here
    town = notes_of(choice, offers, Wanted(), told)[0]
    assert "those who are out have told all their lies; let it go on" in town
    untold = notes_of(choice, offers, Wanted(tavern=1))[0]
    assert "has told" not in untold
    assert "the same events, tellers or words" in untold
    too_many = Choice([], [0, 0, len(offers)])
    assert "in this house believe only" in notes_of(too_many, offers, Wanted(tavern=1))[0]
