"""Motifs of money, tables and old wrongs: each finds its situation, and not where a part lacks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tavern_abm.pack.motifs.past import Past
from tavern_abm.run_folder import RunFolder, RunFolderError, read_run
from tests.pack.bench import (
    BESS,
    MORZA,
    NAN,
    NIGHT,
    OSK,
    TAM,
    evening_with,
    found,
    happening,
    judged,
    lent,
    only,
    past_with,
    person,
    roles,
    slip,
    wrongly,
)

# ------------------------------------------------------------- money


def test_a_debt_has_its_morning() -> None:
    evening = evening_with(person(TAM), person(BESS))
    situation, said = only("debt", past_with(lent(), purses={TAM: 5}), evening)
    assert situation.scene == "room"
    assert roles(situation) == {"debtor": TAM, "lender": BESS}
    assert said.clock == "Due the morning of night 17, three nights off."
    assert said.lever == "Tam has 5 cp: work, a stake or a gift would close the gap."
    assert said.stakes == "1 sp 4 cp and a friendship"


@pytest.mark.parametrize(
    ("debtor", "lender", "scene"), [(1, 2, "debtor"), (0, 1, "lender"), (2, 2, "room")]
)
def test_a_debt_stands_where_one_of_the_two_is(debtor: int, lender: int, scene: str) -> None:
    evening = evening_with(person(TAM, tavern=debtor), person(BESS, tavern=lender))
    situation, _ = only("debt", past_with(lent(), purses={TAM: 50}), evening)
    assert (situation.scene, situation.tavern) == (scene, debtor or lender)


def test_a_debt_that_was_not_paid_falls_due_again() -> None:
    kept = happening("dodged", TAM, BESS, night=12, amount_cp=14, event_id=9)
    evening = evening_with(person(TAM), person(BESS))
    situation, said = only("debt", past_with(lent(), kept, due_nights=4), evening)
    assert (situation.scene, situation.events) == ("kept_room", (9,))
    assert said.clock == "It falls due again the morning of night 16, two nights off."
    assert "fell due two nights back" in said.now
    today = past_with(lent(), kept._replace(night=NIGHT))
    assert "fell due this morning" in only("debt", today, evening)[1].now


def test_no_debt_is_left_once_paid_or_when_one_of_the_two_is_gone() -> None:
    evening = evening_with(person(TAM), person(BESS))
    paid = happening("paid_back", TAM, BESS, event_id=5)
    assert not found("debt", past_with(lent(), paid), evening)
    dead = evening_with(person(TAM), person(BESS, tavern=0, state=frozenset({"dead"})))
    assert not found("debt", past_with(lent()), dead)
    at_home = evening_with(person(TAM, tavern=0), person(BESS, tavern=0))
    assert not found("debt", past_with(lent()), at_home)


def test_ruin_is_most_of_a_purse_and_days_of_wages_and_has_a_winner() -> None:
    evening = evening_with(person(TAM), person(BESS), person(OSK))
    known = {
        "won_tonight": {TAM: -60, BESS: 40, OSK: 5},
        "purses": {TAM: 30},
        "wages": {TAM: 10},
    }
    situation, said = only("ruin", past_with(**known), evening)
    assert roles(situation) == {"loser": TAM, "winner": BESS}
    assert "six days' wages" in said.now + said.title.lower() or "6 sp" in said.now
    assert not found("ruin", past_with(**known | {"purses": {TAM: 90}}), evening)
    assert not found("ruin", past_with(**known | {"wages": {TAM: 40}}), evening)
    assert not found("ruin", past_with(**known | {"won_tonight": {TAM: -60, BESS: 3}}), evening)


def test_a_winner_who_turned_dice_tonight_is_told_so() -> None:
    evening = evening_with(person(TAM), person(BESS))
    known = {"won_tonight": {TAM: -60, BESS: 40}, "purses": {TAM: 30}, "wages": {TAM: 10}}
    situation, said = only("ruin", past_with(happening("trick", BESS), **known), evening)
    assert situation.scene == "crooked"
    assert "not by luck" in said.now
    earlier = past_with(happening("trick", BESS, night=13), **known)
    assert only("ruin", earlier, evening)[0].scene == "straight"


def nights_of_a_till(*tills: int, unpaid: int = 0) -> dict[int, list[dict[str, int]]]:
    rows = [
        {"till_cp": till, "unpaid_cp": 0, "guests": 9, "is_open": 1, "tavern_id": 1}
        for till in tills
    ]
    rows[-1] = rows[-1] | {"unpaid_cp": unpaid}
    return {1: rows}


def test_a_till_that_sinks_names_the_night_on_which_it_is_empty() -> None:
    evening = evening_with(person(TAM, trade="innkeeper"))
    sinking = past_with(houses=nights_of_a_till(900, 800, 700, 600, 500, 400))
    situation, said = only("closing", sinking, evening)
    assert (situation.scene, said.clock) == ("sinking", "At this pace it is empty on night 18.")
    unpaid = past_with(houses=nights_of_a_till(0, 0, unpaid=80))
    assert only("closing", unpaid, evening)[0].scene == "unpaid"


@pytest.mark.parametrize("tills", [(400, 500, 600), (90_000, 89_000), (400,)])
def test_a_till_that_will_do_is_none(tills: tuple[int, ...]) -> None:
    evening = evening_with(person(TAM, trade="innkeeper"))
    assert not found("closing", past_with(houses=nights_of_a_till(*tills)), evening)


def test_a_house_closes_before_somebodys_eyes() -> None:
    guests = evening_with(person(TAM, trade="carter"))
    assert not found("closing", past_with(houses=nights_of_a_till(0, 0, unpaid=80)), guests)


# ------------------------------------------------------------- at the table


def test_one_slip_tonight_is_a_clock_and_two_are_a_verdict() -> None:
    evening = evening_with(person(TAM), person(BESS), person(OSK))
    suspicions = {TAM: {OSK: 0.8}}
    situation, said = only("one_slip", past_with(slip(), suspicions=suspicions), evening)
    assert roles(situation) == {"cheat": TAM, "witness": OSK}
    assert said.clock == "Tam's next turn: a second slip is proof."
    assert not found("one_slip", past_with(slip(), slip(event_id=2)), evening)
    assert not found("one_slip", past_with(slip(night=13)), evening)
    convicted = happening("convicted", TAM, BESS, event_id=2)
    assert not found("one_slip", past_with(slip(), convicted), evening)


def test_kin_do_not_witness_against_kin() -> None:
    kin = evening_with(person(TAM), person(BESS, household=TAM), person(OSK, household=TAM))
    assert not found("one_slip", past_with(slip()), kin)


@pytest.mark.parametrize(
    ("custom", "threat"),
    [("orc", "Death"), ("dockside", "A beating"), ("guild", "A ban of 30 nights")],
)
def test_the_stakes_are_what_the_house_does(custom: str, threat: str) -> None:
    evening = evening_with(person(TAM), person(BESS))
    _, said = only("one_slip", past_with(slip(), custom=custom), evening)
    assert said.stakes.startswith(threat)


def test_a_trial_counts_the_votes_of_the_table() -> None:
    evening = evening_with(*(person(each) for each in (TAM, BESS, OSK, MORZA, NAN)))
    tried = happening("trick", TAM)
    two_of_three = {TAM: {BESS: 0.7, OSK: 0.55, MORZA: 0.6}}
    situation, said = only("trial", past_with(tried, suspicions=two_of_three), evening)
    assert situation.scene == "falls"
    assert roles(situation) == {"suspect": TAM, "accuser": BESS}
    assert "two of the other three would vote guilty" in said.lever
    assert not found("noose", past_with(tried, suspicions=two_of_three), evening)
    one_of_three = {TAM: {BESS: 0.7, OSK: 0.55}}
    situation, said = only("trial", past_with(tried, suspicions=one_of_three), evening)
    assert situation.scene == "stands"
    assert "one of the other three" in said.lever


def test_a_tie_of_votes_acquits() -> None:
    evening = evening_with(*(person(each) for each in (TAM, BESS, OSK, MORZA)))
    past = past_with(happening("trick", TAM), suspicions={TAM: {BESS: 0.7, OSK: 0.9}})
    situation, said = only("trial", past, evening)
    assert (situation.scene, roles(situation)["accuser"]) == ("stands", OSK)
    assert "one of the other two" in said.lever


def test_an_innocent_is_one_turned_vote_from_walking() -> None:
    evening = evening_with(*(person(each) for each in (TAM, BESS, OSK, MORZA, NAN)))
    past = past_with(suspicions={TAM: {BESS: 0.7, OSK: 0.55, MORZA: 0.6}}, custom="gallows")
    situation, said = only("noose", past, evening)
    assert situation.scene == "falls"
    assert "Turn one, and he walks" in said.lever
    assert said.stakes == "Death, for nothing he did"
    assert not found("trial", past, evening)


def test_a_room_that_is_sure_needs_no_table() -> None:
    apart = [person(each, table_id=each) for each in (TAM, BESS, OSK, MORZA)]
    past = past_with(suspicions={TAM: {BESS: 0.7, OSK: 0.9, MORZA: 0.6}})
    situation, said = only("noose", past, evening_with(*apart))
    assert (situation.scene, roles(situation)["accuser"]) == ("room", OSK)
    assert "three" in said.now.lower()
    assert not found("noose", past, evening_with(*apart[:3]))


def test_who_is_not_sure_enough_does_not_accuse() -> None:
    evening = evening_with(person(TAM), person(BESS))
    past = past_with(happening("trick", TAM), suspicions={TAM: {BESS: 0.55}})
    assert not found("trial", past, evening)


@pytest.mark.parametrize(("wins", "n"), [(2, 0), (3, 1), (4, 0)])
def test_a_streak_is_one_win_short(wins: int, n: int) -> None:
    evening = evening_with(person(TAM), person(BESS))
    past = past_with(streaks={TAM: wins}, custom="orc")
    assert len(found("streak", past, evening)) == n


def test_a_streak_needs_the_custom_and_says_whether_it_lasts() -> None:
    evening = evening_with(person(TAM), person(BESS))
    assert not found("streak", past_with(streaks={TAM: 3}), evening)
    tonight, said = only("streak", past_with(streaks={TAM: 3}, custom="orc"), evening)
    assert tonight.scene == "tonight"
    assert "never turned a die" in said.lever
    lasting = past_with(
        happening("trick", TAM), streaks={TAM: 3}, custom="orc", lasting=frozenset({1})
    )
    situation, said = only("streak", lasting, evening)
    assert situation.scene == "lasts"
    assert "does cheat" in said.lever


def test_a_newcomer_is_marked_by_a_cheat_at_his_table() -> None:
    evening = evening_with(person(TAM), person(BESS))
    came = happening("arrived", TAM, night=11, tavern_id=0)
    known = {"purses": {TAM: 300}, "won_tonight": {TAM: -25}}
    situation, said = only("marked", past_with(came, happening("trick", BESS), **known), evening)
    assert (situation.scene, roles(situation)) == ("losing", {"newcomer": TAM, "cheat": BESS})
    assert "three nights back" in said.now
    assert not found("marked", past_with(came, **known), evening)
    long_ago = happening("arrived", TAM, night=5)
    assert not found("marked", past_with(long_ago, happening("trick", BESS), **known), evening)


# ------------------------------------------------------------- grievances


@pytest.mark.parametrize(("kind", "scene"), [("banned", "self_shamed"), ("beaten", "self_beaten")])
def test_the_wronged_sits_with_who_did_it(kind: str, scene: str) -> None:
    evening = evening_with(person(TAM), person(BESS), person(OSK))
    trial = judged(BESS, TAM, "convicted", night=12, guilty=(OSK,))
    situation, said = only("wronged", past_with(wrongly(kind), trials=[trial]), evening)
    assert (situation.scene, roles(situation)) == (scene, {"victim": TAM, "doer": BESS})
    assert "who called it" in said.now
    assert "two here" in said.lever


@pytest.mark.parametrize(
    ("kind", "scene"),
    [("killed", "kin_killed"), ("beaten", "kin_beaten"), ("banned", "kin_shamed")],
)
def test_kin_sit_with_who_did_it(kind: str, scene: str) -> None:
    state = frozenset({"dead"} if kind == "killed" else {"bruised"})
    victim = person(TAM, tavern=0, state=state)
    evening = evening_with(victim, person(OSK, household=TAM), person(BESS))
    situation, _ = only("wronged", past_with(wrongly(kind)), evening)
    assert situation.scene == scene
    assert roles(situation) == {"victim": TAM, "doer": BESS, "avenger": OSK}


def test_where_nobody_accuses_who_saw_it_did_it() -> None:
    evening = evening_with(person(TAM), person(OSK))
    luck = wrongly("too_lucky", witnesses=(OSK,))._replace(other_id=0)
    situation, _ = only("wronged", past_with(luck), evening)
    assert (situation.scene, roles(situation)["doer"]) == ("self_lucky", OSK)


def test_a_just_sentence_wrongs_nobody() -> None:
    evening = evening_with(person(TAM), person(BESS))
    assert not found("wronged", past_with(wrongly("banned", is_just=True)), evening)
    assert not found("wronged", past_with(wrongly("banned"), happening("trick", TAM)), evening)
    assert not found("wronged", past_with(wrongly("banned", night=2)), evening)


def test_an_accuser_may_be_wrong_in_fact_and_right_in_suspicion() -> None:
    evening = evening_with(person(TAM), person(BESS))
    tries = [happening("trick", TAM, night=9), happening("trick", TAM, night=13, event_id=2)]
    trial = judged(BESS, TAM, "cleared", night=12, is_cheat=True)
    situation, said = only("half_right", past_with(*tries, trials=[trial]), evening)
    assert roles(situation) == {"accuser": BESS, "cheat": TAM}
    assert said.lever == "That throw was clean; others were not. Tam has tried once since."
    crooked = trial._replace(tricked=True, night=NIGHT)
    situation, said = only("half_right", past_with(*tries, trials=[crooked]), evening)
    assert situation.scene == "just"
    assert said.lever == "That very throw was crooked. Tam has not tried since."
    honest = trial._replace(is_cheat=False)
    assert not found("half_right", past_with(*tries, trials=[honest]), evening)


def test_old_blows_are_not_tonights() -> None:
    evening = evening_with(person(TAM), person(BESS))
    fought = happening("brawl", TAM, BESS, night=11)
    situation, said = only("old_blows", past_with(fought), evening)
    assert situation.scene == "table"
    assert said.lever.startswith("Tam is honest, and Bess too proud")
    assert not found("old_blows", past_with(happening("brawl", TAM, BESS)), evening)
    apart = evening_with(person(TAM), person(BESS, tavern=2))
    assert not found("old_blows", past_with(fought), apart)


def test_a_bought_warden_was_paid_over_somebodys_word() -> None:
    paid = happening("bribed", TAM, night=12, amount_cp=200)
    trial = judged(BESS, TAM, "convicted", night=12)
    near = evening_with(person(TAM), person(BESS))
    far = evening_with(person(TAM), person(BESS, tavern=0))
    past = past_with(paid, trials=[trial])
    assert only("bought", past, near)[0].scene == "near"
    situation, said = only("bought", past, far)
    assert situation.scene == "far"
    assert "2 gp" in said.now
    assert not found("bought", past_with(paid), near)


@pytest.mark.parametrize(("nights", "n"), [(1, 0), (2, 1), (6, 1), (7, 0)])
def test_a_ban_is_a_clock_in_its_last_nights(nights: int, n: int) -> None:
    text = f"Tam Harl was banned from The Eel Pot for {nights} nights."
    banned = happening("banned", TAM, night=12, text=text, witnesses=(BESS,))
    evening = evening_with(person(TAM, tavern=2), person(BESS))
    situations = found("term", past_with(banned), evening)
    assert [each.scene for each in situations] == ["elsewhere"] * n
    home = evening_with(person(TAM, tavern=0), person(BESS))
    assert [each.scene for each in found("term", past_with(banned), home)] == ["home"] * n


def test_who_has_accused_three_is_a_habit() -> None:
    evening = evening_with(*(person(each) for each in (TAM, BESS, OSK, MORZA)))
    calls = [
        happening("accused", TAM, other, night=night, event_id=night)
        for other, night in ((BESS, 3), (OSK, 5), (MORZA, 8))
    ]
    situation, said = only("old_accuser", past_with(*calls), evening)
    assert roles(situation) == {"accuser": TAM, "target": MORZA}
    assert said.lever.startswith("Never right, never believed. Morza is honest")
    tries = [happening("trick", each, event_id=20 + each) for each in (OSK, MORZA)]
    convicted = happening("convicted", OSK, TAM, night=5, event_id=30)
    situation, said = only("old_accuser", past_with(*calls, *tries, convicted), evening)
    assert situation.scene == "mostly_right"
    assert said.lever == "Right in two of three, once believed. Morza does cheat."
    assert not found("old_accuser", past_with(*calls[:2]), evening)


def test_a_damaged_state_is_said_in_a_line(little_town: RunFolder, tmp_path: Path) -> None:
    copy = read_run(shutil.copytree(little_town.path, tmp_path / "run"))
    (copy.path / "state.npz").write_bytes(b"PK\x03\x04 and no more")
    past = Past(copy, int(copy.info["nights"]))
    with pytest.raises(RunFolderError, match=r"state\.npz: damaged: "):
        assert past.streaks
