"""What is put into a run from outside: read, done, written down, and done again the same."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tavern_abm import TavernModel
from tavern_abm.analysis import sentences_by_night
from tavern_abm.continuing import put_in, read_interventions, revive
from tavern_abm.continuing.interventions import KINDS, Entry, written
from tavern_abm.crates import METADATA
from tavern_abm.data_tables import DataError
from tavern_abm.diaries import diary_of
from tavern_abm.events import FROM_OUTSIDE, event_kinds
from tavern_abm.patrons.columns import DEAD, HERE, LEFT
from tavern_abm.patrons.decisions.talk import CLAIMS
from tavern_abm.run_folder import RunFolder, RunFolderError, read_run
from tavern_abm.society.suspicion import edges
from tavern_abm.writing import write_run

PLAYED = 4
SETTINGS: dict[str, Any] = {"patrons": 60, "population.leave_prob": 0.02}
# Of gossip-town at seed 3: Bettris is at home in the Magpie, the other two in the Deaf Dog.
BETTRIS, CORWIN, ORLA = "Bettris Longtongue", "Corwin Ashe", "Dame Orla"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    model = TavernModel("gossip-town", rng=3, **SETTINGS)
    model.run_for(PLAYED)
    return read_run(write_run(model, tmp_path_factory.mktemp("runs") / "run", report=False))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "session.toml"


def after(run: RunFolder, file: Path, text: str, nights: int = 1) -> TavernModel:
    """The run, so many nights on, with these interventions."""
    file.write_text(text, encoding="utf-8")
    model = revive(run)
    put_in(model, read_interventions(file), PLAYED + nights)
    model.run_for(nights)
    return model


def row_of(model: TavernModel, name: str) -> int:
    return next(row for row in range(model.n_rows) if model.name_of(row) == name)


def told(model: TavernModel, kind: str) -> dict[str, Any]:
    """The one event of a kind since the run went on, put in from outside."""
    events = model.events
    (event,) = events[(events["kind"] == kind) & (events["round"] == 0)].to_dict("records")
    return {str(key): value for key, value in event.items()}


def refusal(run: RunFolder, file: Path, text: str, nights: int = 2) -> str:
    with pytest.raises(DataError) as caught:
        after(run, file, text, nights)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(str(file), "FILE")


# ---------------------------------------------------------------- what they do


def test_one_who_was_killed(run: RunFolder, file: Path) -> None:
    text = f'[[died]]\nwho = "{ORLA}"\nby = "{CORWIN}"\nseen_by = ["{BETTRIS}"]\n'
    before = revive(run)
    purse = int(before.people.gold[row_of(before, ORLA)])
    model = after(run, file, text)
    row = row_of(model, ORLA)
    assert model.people.whereabouts[row] == DEAD
    assert (model.people.gone[row], model.people.gold[row]) == (PLAYED + 1, 0)
    event = told(model, "killed")
    assert (event["night"], event["amount_cp"]) == (PLAYED + 1, purse)
    assert (event["patron_id"], event["other_id"]) == (row + 1, row_of(model, CORWIN) + 1)
    assert event["text"] == f"{ORLA} was killed by {CORWIN}."
    assert row_of(model, BETTRIS) + 1 in event["witnesses"]
    tables = model.results()
    rumor = tables["rumors"].query("claim == 'killed'").iloc[0]
    assert (rumor["event_id"], rumor["truth"]) == (event["event_id"], "true")
    tellings = tables["tellings"]
    first = tellings[tellings["rumor_id"] == rumor["rumor_id"]]
    assert set(first.loc[first["told_from"] == 0, "teller_id"]) <= {
        row_of(model, CORWIN) + 1,
        *event["witnesses"],
    }
    assert len(first) > 0


def test_a_murder_is_no_sentence(run: RunFolder, file: Path) -> None:
    before = sentences_by_night(run.table("events"), PLAYED)
    model = after(run, file, f'[[died]]\nwho = "{ORLA}"\nby = "strangers"\n')
    since = sentences_by_night(model.results()["events"], PLAYED + 1)
    assert since[since["night"] <= PLAYED]["number"].sum() == before["number"].sum()
    assert "killed" not in set(since.loc[since["night"] > PLAYED, "kind"])


def test_his_household_knows_that_he_was_killed(run: RunFolder, file: Path) -> None:
    patrons = run.table("patrons", filters=[("whereabouts", "==", "here")])
    kin = patrons[patrons.duplicated("household_id", keep=False)]
    who, *others = kin[kin["household_id"] == kin["household_id"].iloc[0]].itertuples()
    model = after(run, file, f'[[died]]\nwho = "{who.name}"\nby = "strangers"\n')
    event = told(model, "killed")
    assert event["witnesses"] == [each.patron_id for each in others]
    assert event["other_id"] == 0
    assert event["text"] == f"{who.name} was killed by strangers."


def test_his_household_hears_it_of_those_who_saw_it(run: RunFolder, file: Path) -> None:
    """Who was not there is no witness, kin or not; a murder without any is the murderer's own."""
    patrons = run.table("patrons", filters=[("whereabouts", "==", "here")])
    kin = patrons[patrons.duplicated("household_id", keep=False)]
    who, *others = kin[kin["household_id"] == kin["household_id"].iloc[0]].itertuples()
    known = {who.patron_id, *(each.patron_id for each in others)}
    saw = next(each for each in patrons.itertuples() if each.patron_id not in known)
    died = f'[[died]]\nwho = "{who.name}"\nby = '
    model = after(run, file, f'{died}"strangers"\nseen_by = ["{saw.name}", "{saw.name}"]\n')
    assert told(model, "killed")["witnesses"] == [saw.patron_id]
    tables = model.results()
    rumor = tables["rumors"].query("claim == 'killed'")["rumor_id"].iloc[0]
    tellings = tables["tellings"].query(f"rumor_id == {rumor} and told_from == 0")
    assert set(tellings["teller_id"]) == {saw.patron_id}
    model = after(run, file, f'{died}"{saw.name}"\n')
    assert told(model, "killed")["witnesses"] == []


def test_one_who_died_and_one_who_left(run: RunFolder, file: Path) -> None:
    text = f'[[died]]\nwho = "{ORLA}"\ntext = "A fever took her."\n[[left]]\nwho = "{CORWIN}"\n'
    model = after(run, file, text)
    assert told(model, "died")["text"] == "A fever took her."
    assert model.people.whereabouts[row_of(model, CORWIN)] == LEFT
    left = model.events.query(f"kind == 'left' and patron_id == {row_of(model, CORWIN) + 1}")
    assert left["text"].iloc[0].startswith(f"{CORWIN} left town for good with ")
    assert not len(model.results()["rumors"].query("claim == 'killed'"))


def test_nobody_comes_twice_for_one_place(run: RunFolder, file: Path) -> None:
    """Who is dead in the morning leaves a place that a newcomer may take the same day."""
    file.write_text(f'[[died]]\nwho = "{ORLA}"\n', encoding="utf-8")
    model = revive(run)
    put_in(model, read_interventions(file))
    n = len(model.living())
    model.run_for(1)
    events = model.events["kind"].value_counts()
    came, went = events.get("arrived", 0), events.get("left", 0) + events.get("killed", 0)
    assert len(model.living()) == n + came - went - 1


def test_coins_from_one_to_another(run: RunFolder, file: Path) -> None:
    text = f'[[paid]]\nwho = "{BETTRIS}"\nfrom = "{ORLA}"\namount = "2 gp 5 sp"\n'
    model = after(run, file, text)
    event = told(model, "given")
    assert (event["amount_cp"], event["other_id"]) == (250, row_of(model, ORLA) + 1)
    assert event["text"] == f"{BETTRIS} had 2 gp 5 sp from {ORLA}."
    ledger = model.results()["ledger"]
    put = ledger[ledger["reason"] == "intervention"]
    assert put["amount_cp"].tolist() == [250, 250]
    assert model.ledger.summary()["closing_cp"] == model.ledger.closing_cp


@pytest.mark.parametrize(
    ("line", "kind", "flow"),
    [("who", "given", "from_account"), ("from", "taken", "to_account")],
)
def test_coins_from_and_to_outside(
    run: RunFolder, file: Path, line: str, kind: str, flow: str
) -> None:
    opening = run.info["ledger"]
    model = after(run, file, f'[[paid]]\n{line} = "{ORLA}"\namount = "700 cp"\n')
    assert told(model, kind)["amount_cp"] == 700
    ledger = model.results()["ledger"]
    (put,) = ledger[ledger["reason"] == "intervention"].to_dict("records")
    assert (put[flow], put["amount_cp"], put["night"]) == ("outside", 700, PLAYED + 1)
    books = model.ledger.summary()
    assert books["opening_cp"] == opening["opening_cp"]
    assert books["opening_cp"] + books["inflow_cp"] - books["outflow_cp"] == books["closing_cp"]


def test_the_purse_itself(run: RunFolder, file: Path) -> None:
    """Before anybody spends anything: that morning's coins are there to the copper."""
    file.write_text(f'[[paid]]\nwho = "{ORLA}"\namount = "123 cp"\n', encoding="utf-8")
    model = revive(run)
    put_in(model, read_interventions(file))
    row = row_of(model, ORLA)
    held = int(model.people.gold[row])
    flows, counts = model.ledger.blank(), np.zeros((2, 60), np.int64)
    assert model.interventions is not None
    assert model.interventions(model, PLAYED + 1, counts, flows)
    assert model.people.gold[row] == held + 123
    assert flows.sum() == 123
    assert not model.interventions(model, PLAYED + 2, counts, flows)


def test_an_accusation_moves_those_of_his_house(run: RunFolder, file: Path) -> None:
    file.write_text(f'[[accused]]\nwho = "{BETTRIS}"\nby = "{ORLA}"\n', encoding="utf-8")
    model = revive(run)
    put_in(model, read_interventions(file))
    before = beliefs_about(model, BETTRIS)
    flows, counts = model.ledger.blank(), np.zeros((2, 60), np.int64)
    assert model.interventions is not None
    model.interventions(model, PLAYED + 1, counts, flows)
    since, orla = beliefs_about(model, BETTRIS), row_of(model, ORLA)
    told_by = min(4.5, max(-4.5, float(model.people.threshold[orla])))
    assert since[orla + 1] >= np.float32(told_by)
    people = model.people
    n = model.n_rows
    listens = (people.home[:n] == people.home[orla]) & (people.whereabouts[:n] == HERE)
    hearers = {row + 1 for row in np.flatnonzero(listens).tolist()} - {orla + 1}
    moved = {one for one in since if since[one] != before.get(one)}
    assert moved - {orla + 1} <= hearers
    assert len(moved) > 0.9 * len(hearers)
    assert all(since[one] > before.get(one, -9.0) for one in moved)
    assert people.accused[row_of(model, BETTRIS)] == 1
    event = model.record.of_players[0]
    assert event.is_just is False
    assert set(event.witnesses) == hearers


def beliefs_about(model: TavernModel, name: str) -> dict[int, float]:
    """Log-odds on the next morning, by id of who believes it."""
    network = edges(model.beliefs, model.living(), PLAYED + 1, model.ways)
    is_about = network["subject_id"] == row_of(model, name) + 1
    pairs = zip(network["observer_id"][is_about], network["log_odds"][is_about], strict=True)
    return {int(observer): float(log_odds) for observer, log_odds in pairs}


def test_a_planted_rumour_goes_round(run: RunFolder, file: Path) -> None:
    text = (
        f'[[rumor]]\nby = "{BETTRIS}"\nabout = "{ORLA}"\nclaim = "owes"\namount = "9 gp"\n'
        f'other = "{CORWIN}"\nhappened = 2\n'
    )
    model = after(run, file, text, nights=4)
    tables = model.results()
    rumors = tables["rumors"]
    (planted,) = rumors[
        (rumors["changed"] == "invented")
        & (rumors["made_night"] == PLAYED + 1)
        & (rumors["made_by"] == row_of(model, BETTRIS) + 1)
    ].to_dict("records")
    assert (planted["claim"], planted["amount_cp"], planted["night"]) == ("owes", 900, 2)
    assert planted["subject_id"] == row_of(model, ORLA) + 1
    assert planted["other_id"] == row_of(model, CORWIN) + 1
    assert (planted["event_id"], planted["truth"], planted["tavern_id"]) == (0, "false", 0)
    of_it = rumors[rumors["story_id"] == planted["rumor_id"]]["rumor_id"]
    tellings = tables["tellings"]
    heard = tellings[tellings["rumor_id"].isin(of_it)]
    assert (heard.loc[heard["told_from"] == 0, "teller_id"] == planted["made_by"]).all()
    assert heard["listener_id"].nunique() > 5
    assert told(model, "planted")["other_id"] == planted["subject_id"]
    nights = tables["nights"]
    assert nights["rumors"].sum() == len(rumors)


@pytest.mark.parametrize(
    ("more", "tavern", "game"),
    [("", 2, "rotting-toes"), ('tavern = "Magpie"\ngame = "race"\n', 1, "race")],
)
def test_where_it_claims_to_have_happened(
    run: RunFolder, file: Path, more: str, tavern: int, game: str
) -> None:
    text = f'[[rumor]]\nby = "{BETTRIS}"\nabout = "{ORLA}"\nclaim = "cheats"\n{more}'
    rumors = after(run, file, text).results()["rumors"]
    bettris = rumors[rumors["changed"] == "invented"].iloc[-1]
    assert (bettris["tavern_id"], bettris["game"], bettris["night"]) == (tavern, game, PLAYED)


def planted_of(model: TavernModel, teller: str) -> dict[str, Any]:
    """The last that somebody made up."""
    rumors = model.results()["rumors"]
    own = rumors[
        (rumors["changed"] == "invented") & (rumors["made_by"] == row_of(model, teller) + 1)
    ]
    return {str(key): value for key, value in own.iloc[-1].items()}


def test_a_planted_rumour_may_be_true(run: RunFolder, file: Path, tmp_path: Path) -> None:
    """Of a murder the place is that of the murder: none. And no diary calls it a lie."""
    text = (
        f'[[died]]\nwho = "{ORLA}"\nby = "{CORWIN}"\n'
        f'[[rumor]]\nby = "{BETTRIS}"\nabout = "{ORLA}"\nclaim = "killed"\n'
        f'other = "{CORWIN}"\n'
    )
    model = after(run, file, text, nights=3)
    planted = planted_of(model, BETTRIS)
    assert (planted["truth"], planted["tavern_id"], planted["night"]) == ("true", 0, PLAYED + 1)
    folder = read_run(write_run(model, tmp_path / "more", report=False))
    diary = diary_of(folder, row_of(model, BETTRIS) + 1)
    whole = " ".join(entry.text for entry in diary.entries)
    assert "hit on the truth" in whole
    assert "every word of it made up" not in whole


def test_of_one_who_was_not_killed_it_is_his_own_house(run: RunFolder, file: Path) -> None:
    text = f'[[rumor]]\nby = "{BETTRIS}"\nabout = "{ORLA}"\nclaim = "killed"\n'
    planted = planted_of(after(run, file, text), BETTRIS)
    assert (planted["truth"], planted["tavern_id"], planted["night"]) == ("false", 2, PLAYED)


def test_a_debt_is_the_tellers_if_no_other_is_named(run: RunFolder, file: Path) -> None:
    text = f'[[rumor]]\nby = "{BETTRIS}"\nabout = "{ORLA}"\nclaim = "owes"\namount = "2 gp"\n'
    model = after(run, file, text)
    assert planted_of(model, BETTRIS)["other_id"] == row_of(model, BETTRIS) + 1


@pytest.mark.parametrize(
    ("column", "until", "said"),
    [
        ("bruised_until", 6, "is laid up, and tells it only when he is out again, from night 7"),
        ("low_until", 5, "lies low, and tells it only when he is out again, from night 6"),
        ("banned_until", 8, "is banned from the Magpie, and tells it there only from night 9"),
        ("banned_until", 4, ""),
    ],
)
def test_who_cannot_tell_it_yet(
    run: RunFolder, file: Path, column: str, until: int, said: str
) -> None:
    text = f'[[rumor]]\nby = "{BETTRIS}"\nabout = "{ORLA}"\nclaim = "cheats"\n'
    file.write_text(text, encoding="utf-8")
    model = revive(run)
    one = model.people[row_of(model, BETTRIS)]
    one.banned_from = one.home
    setattr(one, column, until)
    put_in(model, read_interventions(file))
    model.run_for(1)
    assert model.interventions is not None
    notes = [f"{file}:1: rumor 1: by: {BETTRIS} {said}"] if said else []
    assert model.interventions.notes == notes


def test_blanks_in_names_do_not_matter(run: RunFolder, file: Path) -> None:
    text = (
        f'[[died]]\nwho = "  {ORLA.replace(" ", "   ")} "\nby = " Strangers "\n'
        f'[[paid]]\nwho = "{BETTRIS} "\nfrom = " outside"\namount = "1 gp"\n'
        f'[[rumor]]\nby = "{BETTRIS}"\nabout = "{CORWIN}"\nclaim = "ran"\n'
        'tavern = " the  magpie "\n'
    )
    model = after(run, file, text)
    assert told(model, "killed")["other_id"] == 0
    assert told(model, "given")["other_id"] == 0
    assert planted_of(model, BETTRIS)["tavern_id"] == 1


def test_each_on_its_night_and_in_the_order_of_the_file(run: RunFolder, file: Path) -> None:
    text = (
        f'[[paid]]\nwho = "{ORLA}"\namount = "1 cp"\nnight = 7\n'
        f'[[paid]]\nwho = "{ORLA}"\namount = "2 cp"\n'
        f'[[left]]\nwho = "{BETTRIS}"\n'
        f'[[paid]]\nwho = "{ORLA}"\namount = "3 cp"\n'
    )
    events = after(run, file, text, nights=3).events
    put = events[events["kind"].isin(["given"]) | (events["text"].str.startswith(BETTRIS))]
    put = put[(put["round"] == 0)]
    assert put["amount_cp"].tolist()[::2] == [2, 3]
    assert put["night"].tolist() == [5, 5, 5, 7]


# ---------------------------------------------------------------- done again the same

ALL_OF_THEM = f"""
[[paid]]
who = "{BETTRIS}"
amount = "1 gp"

[[accused]]
who = "{CORWIN}"
by = "{BETTRIS}"
night = 6

[[rumor]]
by = "{BETTRIS}"
about = "{CORWIN}"
claim = "bribed"
amount = "40 cp"
text = "“It’s true”, she says."

[[died]]
who = "{ORLA}"
by = "strangers"
seen_by = ["{CORWIN}"]
night = 6

[[left]]
who = "{CORWIN}"
night = 7
"""


@pytest.fixture(scope="module")
def folders(run: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> list[RunFolder]:
    """A run that went on twice, and one in one go with all that was put in."""
    place = tmp_path_factory.mktemp("again")
    model = after(run, place / "session.toml", ALL_OF_THEM, nights=3)
    first = read_run(write_run(model, place / "first", report=False))
    model = revive(first)
    model.run_for(2)
    second = read_run(write_run(model, place / "second", report=False))
    whole = TavernModel("gossip-town", rng=3, **SETTINGS)
    put_in(whole, read_interventions(second.path / "interventions.toml"), PLAYED + 5)
    whole.run_for(PLAYED + 5)
    return [first, second, read_run(write_run(whole, place / "whole", report=False))]


def test_the_folder_has_all_that_was_put_in(folders: list[RunFolder]) -> None:
    first, second, _ = (run.path / "interventions.toml" for run in folders)
    entries = read_interventions(first)
    assert [entry.kind for entry in entries] == ["paid", "rumor", "accused", "died", "left"]
    assert [entry.what.night for entry in entries] == [5, 5, 6, 6, 7]
    assert first.read_bytes() == second.read_bytes()


def test_it_makes_the_same_run_in_one_go(folders: list[RunFolder]) -> None:
    _, second, whole = folders
    assert second.info["digest"] == whole.info["digest"]
    for file in whole.path.iterdir():
        if file.name not in ("run.json", METADATA):
            assert file.read_bytes() == (second.path / file.name).read_bytes(), file.name


def test_a_diary_tells_of_it(folders: list[RunFolder]) -> None:
    run = folders[1]
    ids = run.table("patrons").set_index("name")["patron_id"]
    orla = " ".join(entry.text for entry in diary_of(run, int(ids[ORLA])).entries)
    assert "She was killed by strangers." in orla
    corwin = " ".join(entry.text for entry in diary_of(run, int(ids[CORWIN])).entries)
    assert f"{BETTRIS} called {CORWIN} a cheat before all who drink at the Magpie." in corwin
    assert f"{ORLA} was killed by strangers. " in corwin
    # The deeds of a morning come before its evening.
    of_night = next(e.text for e in diary_of(run, int(ids[CORWIN])).entries if e.first == 6)
    assert of_night.index("was killed by strangers") < 130


def test_coins_in_a_diary_are_in_words(run: RunFolder, file: Path, tmp_path: Path) -> None:
    text = (
        f'[[paid]]\nwho = "{BETTRIS}"\namount = "2 gp 5 sp"\n'
        f'[[paid]]\nfrom = "{BETTRIS}"\namount = "2 gp 4 sp"\n'
        f'[[paid]]\nwho = "{ORLA}"\namount = "3 sp"\ntext = "Three coins, 3 sp, were hers."\n'
    )
    model = after(run, file, text)
    folder = read_run(write_run(model, tmp_path / "more", report=False))
    bettris, orla = (diary_of(folder, row_of(model, name) + 1) for name in (BETTRIS, ORLA))
    words = " ".join(entry.text for entry in bettris.entries)
    assert "She had two gold and five silver from somebody from outside. " in words
    assert "She was made two gold and four silver poorer by somebody from outside." in words
    assert "Three coins, 3 sp, were hers." in " ".join(entry.text for entry in orla.entries)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_read_back(kind: str, tmp_path: Path, folders: list[RunFolder]) -> None:
    entries = list(read_interventions(folders[0].path / "interventions.toml"))
    file = tmp_path / "again.toml"
    file.write_text(written(entries), encoding="utf-8")
    again = read_interventions(file)
    assert [entry.what for entry in again] == [entry.what for entry in entries]
    assert kind in [entry.kind for entry in again]
    assert all(isinstance(entry, Entry) for entry in again)


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[died]]\nwho = "Dame Oral"', "who: nobody in town is called 'Dame Oral' (did you mean"),
        ('[[died]]\nwho = "Xyzzy"', "FILE:1: died 1: who: nobody in town is called 'Xyzzy'"),
        (f'[[died]]\nwho = "{ORLA}"\n' * 2, f"FILE:3: died 2: who: {ORLA} died on night 5"),
        (
            f'[[left]]\nwho = "{ORLA}"\n[[paid]]\nwho = "{ORLA}"\namount = "1 cp"\nnight = 6',
            f"FILE:3: paid 1: who: {ORLA} left town on night 5",
        ),
        (f'[[paid]]\nwho = "{BETTRIS}"\nfrom = "{ORLA}"\namount = "90000 gp"', "no more (got 90,"),
        (f'[[paid]]\nwho = "{ORLA}"\namount = "0 cp"', "FILE:3: paid 1: amount: must be at least"),
        (f'[[paid]]\nwho = "{ORLA}"\namount = "2 quid"', "amount: not a sum of money: '2 quid'"),
        (f'[[paid]]\nwho = "{ORLA}"\nfrom = "{ORLA}"\namount = "1 cp"', "who and from: name two"),
        ('[[paid]]\namount = "1 cp"', "who and from: name two"),
        (f'[[died]]\nwho = "{ORLA}"\nnight = 4', "night 4 is over; the next one is night 5"),
        (f'[[died]]\nwho = "{ORLA}"\nnight = 7', "night 7 is not played; the last one is night 6"),
        (f'[[died]]\nwho = "{ORLA}"\nby = "{ORLA}"', "by: leave it out"),
        (f'[[died]]\nwho = "{ORLA}"\nnigth = 6', "FILE:3: died 1: nigth: unknown field (did you"),
        (f'[[accused]]\nwho = "{ORLA}"', "accused 1: by: is missing"),
        (f'[[accused]]\nwho = "{ORLA}"\nby = "{ORLA}"', "by: nobody accuses himself"),
        (f'[[accused]]\nwho = "{ORLA} "\nby = "Dame  Orla"', "by: nobody accuses himself"),
        (f'[[died]]\nwho = " {ORLA}"\nby = "Dame  Orla"', "by: leave it out"),
        (
            f'[[paid]]\nwho = " {ORLA}"\nfrom = "Dame  Orla"\namount = "1 cp"',
            "who and from: name two",
        ),
        (
            f'[[died]]\nwho = "{ORLA}"\nby = "strangers"\nseen_by = ["dame orla"]',
            f"seen_by: {ORLA} is who died; name others",
        ),
        (
            f'[[died]]\nwho = "{ORLA}"\nby = "strangers"\nseen_by = ["Strangers"]',
            "seen_by: strangers can only kill",
        ),
        (
            f'[[paid]]\nwho = "{ORLA}"\nfrom = "strangers"\namount = "1 gp"',
            "paid 1: from: strangers can only kill; for coins of theirs leave the name out",
        ),
        (f'[[accused]]\nwho = "strangers"\nby = "{ORLA}"', "who: strangers can only kill"),
        (
            f'[[rumor]]\nby = "strangers"\nabout = "{ORLA}"\nclaim = "ran"',
            "by: strangers can only kill",
        ),
        (
            f'[[rumor]]\nby = "{BETTRIS}"\nabout = "{ORLA}"\nclaim = "owes"\namount = "1 gp"\n'
            f'other = "{ORLA}"',
            f"rumor 1: other: name another than {ORLA}",
        ),
        (
            f'[[rumor]]\nby = "{ORLA}"\nabout = "{ORLA}"\nclaim = "owes"\namount = "1 gp"',
            f"rumor 1: other: left out, it is the teller; name another than {ORLA}",
        ),
        (
            f'[[rumor]]\nby = "{BETTRIS}"\nabout = "{ORLA}"\nclaim = "brawl"',
            "rumor 1: other: the claim 'brawl' is of two; name the other one",
        ),
        (
            f'[[rumor]]\nby = "{BETTRIS}"\nabout = "{ORLA}"\nclaim = "ran"\namount = "1 gp"',
            "rumor 1: amount: the claim 'ran' names no sum; leave it out",
        ),
        ('[[dead]]\nwho = "x"', "FILE:1: no such intervention: 'dead' (did you mean [[died]]?)"),
        ('[died]\nwho = "x"', "write it with two brackets, [[died]]"),
        (
            f'[[rumor]]\nby = "{ORLA}"\nabout = "{BETTRIS}"\nclaim = "owes"',
            "rumor 1: amount: the claim 'owes' names a sum",
        ),
        (
            f'[[rumor]]\nby = "{ORLA}"\nabout = "{BETTRIS}"\nclaim = "sang"',
            "FILE:4: rumor 1: claim: must be 'cheats'",
        ),
        (
            f'[[rumor]]\nby = "{ORLA}"\nabout = "{BETTRIS}"\nclaim = "ran"\nhappened = 8',
            "happened: night 8 is still to come",
        ),
        (
            f'[[rumor]]\nby = "{ORLA}"\nabout = "{BETTRIS}"\nclaim = "ran"\ntavern = "Magpye"',
            "no house in town is called 'Magpye' (did you mean 'The Magpie'?)",
        ),
        (f'[[died]]\nwho = "{ORLA}"\ntext = "two\\nlines"', "must be a sentence without line"),
        ('[[died]]\nwho = "', "FILE:2: invalid TOML"),
        (
            "[[died]]\nwho = Hob Mistbrook",
            'FILE:2: invalid TOML: names and other texts go in quotes: who = "Hob Mistbrook"',
        ),
        (f'[[paid]]\nwho = "{ORLA}"\namount = 50', 'amount: which coins? write "50 cp", or sp'),
        (f'[[paid]]\nwho = "{ORLA}"\namount = "50"', 'amount: which coins? write "50 cp", or sp'),
        (
            f'[[died]]\nwho = "{ORLA}"\nby = "the players"',
            "called 'the players' (for your players, or others from outside, write by = \"strang",
        ),
        (
            f'[[paid]]\nwho = "{ORLA}"\nfrom = "our party"\namount = "1 gp"',
            "called 'our party' (for your players, or others from outside, leave out 'from')",
        ),
    ],
)
def test_one_clear_line(run: RunFolder, file: Path, text: str, said: str) -> None:
    assert said in refusal(run, file, text)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read: No such file"):
        read_interventions(tmp_path / "none.toml")
    (tmp_path / "odd.toml").write_bytes(b'[[died]]\nwho = "\xff"')
    with pytest.raises(DataError, match=r"odd.toml:2: is not UTF-8 text"):
        read_interventions(tmp_path / "odd.toml")


def test_nothing_is_planted_where_nobody_talks(file: Path) -> None:
    text = f'[[rumor]]\nby = "{BETTRIS}"\nabout = "{ORLA}"\nclaim = "cheats"'
    file.write_text(text, encoding="utf-8")
    model = TavernModel("silent-town", rng=3, patrons=20)
    put_in(model, read_interventions(file))
    with pytest.raises(DataError, match="no rumours travel in this town"):
        model.run_for(1)


def test_players_talk_for_themselves(file: Path) -> None:
    people = [{"name": "Ada Hero", "player": True}, {"name": "Bo Reed"}]
    file.write_text('[[accused]]\nwho = "Bo Reed"\nby = "Ada Hero"', encoding="utf-8")
    model = TavernModel("gossip-town", rng=3, patrons=20, people=people)
    put_in(model, read_interventions(file))
    with pytest.raises(DataError, match="Ada Hero is a player's character"):
        model.run_for(1)


def test_a_folder_whose_interventions_were_damaged(
    folders: list[RunFolder], tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(folders[0].path, tmp_path / "copy"))
    (copy / "interventions.toml").write_text("[[died]]\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"interventions.toml:1: died 1: who: is missing"):
        revive(read_run(copy))


FORGED = {
    "another": (f'[[died]]\nwho = "{BETTRIS}"\nnight = 6\n', "died 1 was never put into this run"),
    "nobody": ('[[died]]\nwho = "Nobody"\nnight = 3\n', "died 1 was never put into this run"),
    "no night": (f'[[paid]]\nwho = "{BETTRIS}"\namount = "1 gp"\n', "never put into this run"),
    "nothing": ("", "it lacks what was put in on night 5 (the event 'given')"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_folder_whose_interventions_were_forged(
    folders: list[RunFolder], tmp_path: Path, name: str
) -> None:
    content, said = FORGED[name]
    copy = Path(shutil.copytree(folders[0].path, tmp_path / "copy"))
    (copy / "interventions.toml").write_text(content, encoding="utf-8")
    with pytest.raises(RunFolderError) as caught:
        revive(read_run(copy))
    assert str(caught.value).startswith(f"{copy}/interventions.toml: damaged: ")
    assert said in str(caught.value)


def test_a_folder_whose_interventions_are_none(folders: list[RunFolder], tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folders[0].path, tmp_path / "copy"))
    (copy / "interventions.toml").unlink()
    with pytest.raises(RunFolderError, match="it lacks what was put in"):
        revive(read_run(copy))
    (copy / "interventions.toml").mkdir()
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        revive(read_run(copy))


# ---------------------------------------------------------------- what the page says of them


def page() -> str:
    file = Path(__file__).parents[1] / "docs" / "how-to" / "go-on.md"
    return file.read_text(encoding="utf-8")


def test_the_example_of_the_page_can_be_read(file: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", page(), re.DOTALL)
    file.write_text(example, encoding="utf-8")
    assert {entry.kind for entry in read_interventions(file)} == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_names_every_field(kind: str) -> None:
    (row,) = [line for line in page().splitlines() if line.startswith(f"| `[[{kind}]]` |")]
    named = set(re.findall(r"`(\w+)`", row.split("|")[2]))
    fields = {each.alias or name for name, each in KINDS[kind].model_fields.items()}
    assert named == fields - {"night", "text"}
    if kind == "rumor":
        assert set(CLAIMS) <= set(re.findall(r"`(\w+)`", row))


def test_the_page_says_whom_each_claim_is_about() -> None:
    rows = [line for line in page().splitlines() if re.match(r"\| `\w+`", line)]
    assert sorted(re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in rows[1:]))) == (
        sorted(CLAIMS)
    )


def test_the_page_names_every_kind_of_event() -> None:
    named = re.findall(r"kinds ((?:`\w+`(?:, | and ))+`\w+`)", page())
    kinds = {"killed", "left", *FROM_OUTSIDE}
    assert set(re.findall(r"`(\w+)`", named[0])) == kinds
    assert kinds <= set(event_kinds())
