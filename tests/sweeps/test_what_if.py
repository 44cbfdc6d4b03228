"""What if: the same luck, one thing changed."""

import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tavern_abm import Scenario, TavernModel
from tavern_abm.continuing import read_interventions
from tavern_abm.results import rounds_table
from tavern_abm.sweep_pages.what_if_page import page
from tavern_abm.sweeps.counterfactuals.absences import (
    Absence,
    absences_in,
    leave_out,
    told,
    verify_left,
)
from tavern_abm.sweeps.counterfactuals.compare_words import said as said_of
from tavern_abm.sweeps.counterfactuals.compare_words import wording_of
from tavern_abm.sweeps.counterfactuals.counterfactual import PATH, Counterfactual, purse_of
from tavern_abm.sweeps.counterfactuals.matching import Pairs, Share, effects, match
from tavern_abm.sweeps.counterfactuals.questions import Question, ask, shares_among
from tavern_abm.sweeps.counterfactuals.verdicts import fortunes, verdict
from tavern_abm.sweeps.counterfactuals.what_if import WhatIf, estimate, what_if
from tavern_abm.sweeps.counterfactuals.what_if_tables import csv_of, frame_of, json_of
from tavern_abm.sweeps.counterfactuals.what_if_text import text_of
from tavern_abm.sweeps.design import Design
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.estimating.estimates import Estimate
from tavern_abm.sweeps.runs import Run


def played(
    source: str = "rusty-flagon", nights: int = 2, without: Any = (), **settings: Any
) -> Any:
    model = TavernModel(source, rng=5, **settings)
    model.record.keep_all = True
    leave_out(model, absences_in(model, without))
    model.run_for(nights)
    return model


# ---------------------------------------------------------------- who and what is left out


def test_names_are_found_whatever_their_capitals() -> None:
    model = TavernModel("rusty-flagon", rng=1, patrons=20)
    asked = ["  wymar   IRONS ", "rusty flagon", "Magic wand"]
    assert absences_in(model, asked) == (
        Absence("person", "Wymar Irons"),
        Absence("house", "The Rusty Flagon"),
        Absence("game", "magic-wand"),
    )


def test_an_unknown_name_offers_the_nearest() -> None:
    model = TavernModel("rusty-flagon", rng=1, patrons=20)
    with pytest.raises(SweepError, match=r"called 'Wymer Irons' \(did you mean 'Wymar Irons'\?"):
        absences_in(model, ["Wymer Irons"])
    with pytest.raises(SweepError, match="twice"):
        absences_in(model, ["Odo Atwater", "odo atwater"])


def test_a_town_keeps_a_house() -> None:
    model = TavernModel("gossip-town", rng=1, patrons=20)
    signs = [tavern.name for tavern in model.scenario.taverns]
    verify_left(model, absences_in(model, signs[1:]))
    with pytest.raises(SweepError, match="no house left"):
        verify_left(model, absences_in(model, signs))


@pytest.mark.parametrize("kind", ["person", "house", "game"])
def test_what_is_done_is_told(kind: Any) -> None:
    assert told(Absence(kind, "x-y")).endswith(".")


def test_who_is_left_out_leaves_and_nobody_else_changes_his_first_evening() -> None:
    with_him, without = played(nights=1), played(nights=1, without=["Wymar Irons"])
    row = next(i for i in range(without.n_rows) if without.name_of(i) == "Wymar Irons")
    assert without.patrons["whereabouts"][row] == "left"
    assert without.patrons["gone_night"][row] == 1
    n = with_him.n_rows
    assert [with_him.name_of(i) for i in range(n)] == [without.name_of(i) for i in range(n)]
    tables = [model.results()["evenings"].set_index("patron_id") for model in (with_him, without)]
    others = tables[0]["tavern_id"].drop(row + 1)
    pd.testing.assert_series_equal(others, tables[1]["tavern_id"].reindex(others.index))


def test_a_game_put_away_is_as_if_it_had_never_been_planned() -> None:
    """The last room of the plan: without it, the others have the numbers that they have with it."""
    put_away = played(nights=4, without=["arm-wrestling"])
    tables = [table.model_dump() for table in put_away.scenario.taverns[0].tables]
    never = played(nights=4, **{"taverns.0.tables": tables[:-1]})
    assert tables[-1]["game"] == "arm-wrestling"
    for name in ("evenings", "wealth", "nights", "events", "suspicion"):
        one, other = put_away.results()[name], never.results()[name]
        pd.testing.assert_frame_equal(one, other)


def test_where_the_room_that_took_everybody_in_is_gone_the_last_one_left_does() -> None:
    few = {"game": "arm-wrestling", "count": 1, "seats": 4}
    tables = [{"game": "rotting-toes"}, few, {"game": "magic-wand", "count": "auto"}]
    put_away = played(nights=2, without=["magic-wand"], **{"taverns.0.tables": tables})
    never = played(nights=2, **{"taverns.0.tables": tables[:2]})
    pd.testing.assert_frame_equal(put_away.results()["evenings"], never.results()["evenings"])


def test_a_game_put_away_leaves_others_their_dice() -> None:
    """A room before others is gone; their tables throw what they would have thrown."""
    at = ["night", "round", "tavern_id", "table_id"]
    found = [
        rounds_table(played(nights=3, without=names)).query("game == 'rotting-toes'").set_index(at)
        for names in ([], ["magic-wand"])
    ]
    both = found[0].merge(found[1], left_index=True, right_index=True, suffixes=("_base", ""))
    assert len(both) > 150
    same = [
        str(one).startswith(str(other)) or str(other).startswith(str(one))
        for one, other in zip(both["dice_base"], both["dice"], strict=True)
    ]
    assert all(same)


def test_a_game_put_away_is_played_nowhere_even_if_it_was_all_there_was() -> None:
    model = played("plain-dice", without=["rotting-toes"], patrons=20)
    assert model.nights["rounds"].sum() == 0
    assert model.nights["guests"].sum() > 0


def test_events_of_the_yard_are_put_away_too() -> None:
    game = "long-throw"
    with_it = played("harbour-games").results()["games"]
    assert with_it.loc[with_it["game"] == game, "rounds"].sum() > 0
    games = played("harbour-games", without=[game]).results()["games"]
    assert games.loc[games["game"] == game, "rounds"].sum() == 0


def test_a_house_that_stays_shut_has_no_guests_and_its_people_go_elsewhere() -> None:
    base = TavernModel("gossip-town", rng=5)
    homes = base.people.home[: base.n_rows].copy()
    model = played("gossip-town", without=["The Deaf Dog"])
    at = [tavern.name for tavern in model.scenario.taverns].index("The Deaf Dog")
    nights = model.nights[model.nights["tavern"] == "The Deaf Dog"]
    assert nights["guests"].sum() == 0
    assert not nights["is_open"].any()
    assert (nights["till_cp"] == model.scenario.taverns[at].till_cp).all() or nights[
        "till_cp"
    ].nunique() == 1
    now = model.people.home[: base.n_rows]
    assert (homes == at).any()
    assert not (now == at).any()
    np.testing.assert_array_equal(now[homes != at], homes[homes != at])


# ---------------------------------------------------------------- how a run is played


def counterfactual(**more: Any) -> Counterfactual:
    from tavern_abm.sweeps.measuring.configuration import RunConfiguration

    scenario = Scenario.load("plain-dice", {"patrons": 16})
    outputs = ("rounds", "gini", "till_cp")
    return Counterfactual(RunConfiguration(scenario, 2, outputs=outputs), **more)


def run_of(replication: int, *, is_changed: bool = False, seed: int = 9) -> Run:
    return Run(int(is_changed), replication, seed, {PATH: is_changed})


def test_a_town_that_is_kept_has_the_same_people_and_other_dice() -> None:
    made = counterfactual(town=3)
    own = TavernModel(made.played.scenario, rng=3)
    models = [made.instantiate_model(run_of(replication)) for replication in (0, 1, 2)]
    for model in models:
        assert [model.name_of(i) for i in range(16)] == [own.name_of(i) for i in range(16)]
        model.run_for(2)
    own.run_for(2)
    first, second, third = (model.results()["wealth"] for model in models)
    pd.testing.assert_frame_equal(first, own.results()["wealth"])
    assert not first.equals(second)
    assert not second.equals(third)


def test_newcomers_of_a_town_that_is_kept_are_the_same_too() -> None:
    leaving = {"population.leave_prob": 0.3, "population.arrive_prob": 1.0}
    from tavern_abm.sweeps.measuring.configuration import RunConfiguration

    scenario = Scenario.load("plain-dice", {"patrons": 16, **leaving})
    made = Counterfactual(RunConfiguration(scenario, 4, outputs=("rounds",)), town=3)
    names = []
    for replication in (0, 1):
        model = made.instantiate_model(run_of(replication))
        model.run_for(4)
        assert model.n_rows > 20
        names.append([model.name_of(i) for i in range(20)])
    assert names[0] == names[1]


def test_without_a_town_every_seed_has_people_of_its_own() -> None:
    made = counterfactual()
    one, other = (made.instantiate_model(run_of(0, seed=seed)) for seed in (1, 2))
    assert [one.name_of(i) for i in range(16)] != [other.name_of(i) for i in range(16)]
    own = TavernModel(made.played.scenario, rng=1)
    own.run_for(2)
    assert made(run_of(0, seed=1)).outcomes["gini"] == own.gini


def test_the_change_is_made_in_the_changed_runs_alone() -> None:
    made = counterfactual(changes={"taverns.0.till_cp": 777})
    base = made(run_of(0)).outcomes["till_cp"]
    assert made(run_of(0, is_changed=True)).outcomes["till_cp"] != base
    assert made(run_of(0)).outcomes["till_cp"] == base


def test_purses_and_a_person_are_told_of() -> None:
    name = TavernModel(counterfactual().played.scenario, rng=3).name_of(4)
    made = counterfactual(town=3, patron=name, n_purses=16)
    outcomes = made(run_of(0)).outcomes
    assert tuple(outcomes) == made.outputs
    model = TavernModel(made.played.scenario, rng=3)
    model.run_for(2)
    assert outcomes["patron.purse_cp"] == outcomes[purse_of(4)] == model.people.gold[4]
    assert outcomes["patron.games_net_cp"] == model.people.games_net[4]
    assert outcomes["patron.is_here"] == 1


def test_the_purse_of_one_who_has_gone_is_not_known() -> None:
    name = TavernModel(counterfactual().played.scenario, rng=3).name_of(4)
    made = counterfactual(town=3, without=(Absence("person", name),), n_purses=16)
    outcomes = made(run_of(0, is_changed=True)).outcomes
    assert math.isnan(outcomes[purse_of(4)])
    assert not math.isnan(outcomes[purse_of(3)])


def test_it_travels_and_is_made_again_of_its_document() -> None:
    made = counterfactual(
        changes={"taverns.0.rake_bp": 500}, without=(Absence("game", "rotting-toes"),), town=3
    )
    assert pickle.loads(pickle.dumps(made)) == made
    document = json.loads(json.dumps(made.document()))
    again = Counterfactual.from_document(document)
    assert again(run_of(1, is_changed=True)).digest == made(run_of(1, is_changed=True)).digest


def test_what_was_put_into_both_is_in_its_document(tmp_path: Path) -> None:
    town = TavernModel(counterfactual().played.scenario, rng=3)
    leaver, dead, payer = (town.name_of(row) for row in (2, 5, 7))
    file = tmp_path / "interventions.toml"
    file.write_text(
        f'[[left]]\nnight = 2\nwho = "{leaver}"\n\n[[died]]\nnight = 1\nwho = "{dead}"\n\n'
        f'[[left]]\nnight = 1\nwho = "{payer}"\n'
    )
    made = counterfactual(town=3, put_in=tuple(read_interventions(file)))
    document = json.loads(json.dumps(made.document()))
    again = Counterfactual.from_document(document)
    assert [each.what for each in again.put_in] == [each.what for each in made.put_in]
    assert again.document() == made.document()
    digest = made(run_of(0)).digest
    assert again(run_of(0)).digest == digest
    assert counterfactual(town=3)(run_of(0)).digest != digest


def test_its_design_can_be_kept_and_read_again() -> None:
    question = ask(small(), changes={"taverns.0.rake_bp": 500}, nights=2, replicates=3)
    document = json.loads(json.dumps(question.design().document()))
    assert Design.from_document(document).document() == question.design().document()


# ---------------------------------------------------------------- asking


def small(**settings: Any) -> Scenario:
    return Scenario.load("plain-dice", {"patrons": 16} | settings)


def test_something_must_be_changed() -> None:
    with pytest.raises(SweepError, match="nothing is changed"):
        ask(small())
    with pytest.raises(SweepError, match="patrons=16 changes nothing"):
        ask(small(), changes={"patrons": 16})


def test_somebody_whom_the_file_does_not_name_keeps_the_town() -> None:
    stranger = TavernModel("rusty-flagon", rng=4, patrons=20).name_of(15)
    scenario = Scenario.load("rusty-flagon", {"patrons": 20})
    assert ask(scenario, without=["Odo Atwater"], seed=4).played.town is None
    for asked in (
        ask(scenario, without=[stranger], seed=4),
        ask(scenario, without=["Odo Atwater"], seed=4, patron=stranger),
        ask(scenario, without=["Odo Atwater"], seed=4, same_people=True),
    ):
        assert asked.played.town == 4
        assert asked.played.n_purses == 20
    assert (
        f"({stranger} would live in no other)" in ask(scenario, without=[stranger], seed=4).notes[0]
    )


def test_a_person_who_is_left_out_cannot_be_asked_after() -> None:
    with pytest.raises(SweepError, match="is the one who is left out"):
        ask("rusty-flagon", without=["Odo Atwater"], patron="odo atwater")
    with pytest.raises(SweepError, match="did you mean 'Lettice Vye'"):
        ask("rusty-flagon", without=["Odo Atwater"], patron="Lettise Vye")


def test_who_is_not_there_once_it_is_changed_cannot_be_asked_after() -> None:
    names = [TavernModel(small(), rng=4).name_of(row) for row in range(16)]
    fewer = {"patrons": 12}
    asked = ask(small(), changes=fewer, patron=names[3], seed=4)
    assert (asked.played.n_purses, asked.people) == (12, tuple(names[:12]))
    with pytest.raises(SweepError, match="--patron: nobody in the town of seed 4"):
        ask(small(), changes=fewer, patron=names[14], seed=4)
    with pytest.raises(SweepError, match="nobody, no house and no game"):
        ask(small(), changes=fewer, without=[names[14]], seed=4)


def test_whose_purse_it_changes_is_not_told_of_people_whom_the_change_makes_others() -> None:
    orcs = {"population.ancestries": {"orc": 1.0}}
    asked = ask(small(), changes=orcs, same_people=True)
    assert (asked.played.town, asked.played.n_purses, asked.people) == (1, 0, ())
    assert "as far as the change leaves them alone" in asked.notes[0]


def test_a_run_is_asked_about_with_its_nights_its_seed_and_what_was_put_in(tmp_path: Path) -> None:
    from tavern_abm.continuing import put_in, read_interventions
    from tavern_abm.writing import write_run

    name = TavernModel(small(), rng=6).name_of(2)
    file = tmp_path / "deeds.toml"
    file.write_text(f'[[paid]]\nnight = 2\nwho = "{name}"\namount = "5 gp"\n')
    model = TavernModel(small(), rng=6)
    put_in(model, read_interventions(file))
    model.run_for(3)
    folder = write_run(model, tmp_path / "run", report=False)
    question = ask(folder, changes={"taverns.0.till_cp": 777})
    assert (question.nights, question.seed, question.played.town) == (3, 6, 6)
    base = question.played(run_of(0))
    assert base.outcomes["gini"] == model.gini
    with pytest.raises(SweepError, match="played with seed 6"):
        ask(folder, changes={"patrons": 17}, seed=7)
    with pytest.raises(SweepError, match="has a part in what was put into this run"):
        ask(folder, without=[name])


# ---------------------------------------------------------------- pairs and what is said of them


def tables(base: Any, changed: Any, failed: Any = ()) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Runs and outcomes of two points; `base` and `changed` by outcome."""
    rows, found = [], []
    for scenario_id, side in enumerate((base, changed)):
        n = len(next(iter(side.values())))
        for replication_id in range(n):
            keys = {
                "run_id": scenario_id * 1_000_000 + replication_id,
                "scenario_id": scenario_id,
                "replication_id": replication_id,
            }
            is_done = (scenario_id, replication_id) not in failed
            rows.append(keys | {"status": "done" if is_done else "failed"})
            if is_done:
                found.append(keys | {name: side[name][replication_id] for name in side})
    shuffled = pd.DataFrame(rows).sample(frac=1, random_state=1)
    return shuffled, pd.DataFrame(found).sample(frac=1, random_state=2)


def test_pairs_are_matched_by_replication_and_those_with_a_failed_run_are_lost() -> None:
    base, changed = {"gini": [0.1, 0.2, 0.3]}, {"gini": [0.2, 0.3, 0.4]}
    pairs = match(*tables(base, changed, failed={(1, 1)}))
    assert pairs.replications.tolist() == [0, 2]
    assert pairs.n_lost == 1
    assert pairs.base["gini"].tolist() == [0.1, 0.3]
    (found,) = effects(pairs)
    assert found.change.value == pytest.approx(0.1)
    assert found.n_differ == 2


def test_what_is_undefined_on_one_side_counts_on_neither() -> None:
    base = {"ppv": [0.5, float("nan"), 0.7, 0.6]}
    changed = {"ppv": [0.6, 0.9, float("nan"), 0.7]}
    (found,) = effects(match(*tables(base, changed)))
    assert found.change.n == 2
    assert found.base.value == pytest.approx(0.55)
    assert found.changed.value == pytest.approx(0.65)


def test_p_values_are_adjusted_for_all_that_is_looked_at() -> None:
    rng = np.random.default_rng(1)
    luck = rng.normal(size=(3, 30))
    base = {f"x{i}": luck[i] for i in range(3)}
    noise = rng.normal(size=(3, 30)) * 0.5
    changed = {f"x{i}": luck[i] + noise[i] + 0.2 * i for i in range(3)}
    found = effects(match(*tables(base, changed)))
    assert all(each.p_holm >= each.p for each in found)
    assert max(each.p_holm / each.p for each in found) == pytest.approx(3)
    alone = effects(match(*tables(base, changed)), ["x2"])
    assert alone[0].p_holm == alone[0].p


def test_common_luck_that_cancels_is_counted() -> None:
    """Variance 2 of two apart against 0.02 of the pairs."""
    rng = np.random.default_rng(2)
    luck, noise = rng.normal(size=400), 0.1 * rng.normal(size=(2, 400))
    found = effects(match(*tables({"x": luck + noise[0]}, {"x": luck + noise[1]})))[0]
    # The ratio of two variances from 400 values each is within 20 % of itself, two errors.
    assert found.narrowed == pytest.approx(2.02 / 0.02, rel=0.2)


def found_of(base: Any, changed: Any) -> WhatIf:
    """What is found of made outcomes: of a question whose runs are never played."""
    scenario = small()
    asked = Counterfactual(counterfactual().played, {"taverns.0.rake_bp": 500})
    names = tuple(base)

    class Looking(Counterfactual):
        outputs = names  # type: ignore[assignment]

    played_ = type("Played", (), {"outputs": names, "until": 30, "series": ()})()
    fake = Looking(played_, asked.changes)
    question = Question(fake, scenario.name, len(next(iter(base.values()))), 1, names)
    runs, outcomes = tables(base, changed)
    return estimate(question, runs, outcomes, pd.DataFrame())


@pytest.fixture(scope="module")
def made_up() -> WhatIf:
    """A change that surely takes 360 cp off the cheats, perhaps adds a brawl, and no beating."""
    rng = np.random.default_rng(3)
    luck = rng.normal(0, 300, 50)
    brawls = rng.poisson(2, 50).astype(float)
    noise = rng.normal(0, 200, 50)
    noise -= noise.mean()
    extra = np.zeros(50)
    extra[:5] = 1
    base = {
        "cheats_net_cp": 1500 + luck,
        "brawls": brawls,
        "unjust_beatings": np.full(50, 2.0),
        "rounds": rng.normal(500, 20, 50),
    }
    changed = {
        "cheats_net_cp": 1500 - 360 + luck + noise,
        "brawls": brawls + extra,
        "unjust_beatings": np.full(50, 2.0),
        "rounds": base["rounds"] + rng.normal(0, 20, 50),
    }
    return found_of(base, changed)


def test_the_verdict_says_what_is_sure_likely_unseen_and_untouched(made_up: WhatIf) -> None:
    said = {each.kind: each for each in verdict(made_up)}
    (sentence,) = said["sure"].sentences
    assert sentence.startswith("cheats win 12 cp a night less as the Hand (1")
    assert said["likely"].sentences == (
        "0.10 more brawls break out (0.01 to 0.19); it shows in 5 pairs only",
    )
    assert said["not seen"].sentences == ("rounds played",)
    assert said["untouched"].sentences == ("unjust beatings",)


def test_a_change_that_is_the_same_in_every_pair_has_no_star() -> None:
    luck = np.array([3.0, 5.0])
    found = found_of({"brawls": luck, "gini": luck}, {"brawls": luck + 1, "gini": luck})
    effect = found.effects[0]
    assert (effect.is_sure, effect.is_likely, effect.is_alike) == (False, False, True)
    said = {each.kind: each for each in verdict(found)}
    assert said["alike"].sentences == ("1 more brawls break out",)
    assert "sure" not in said
    assert "likely" not in said
    row = next(line for line in text_of(found).splitlines() if line.startswith("  brawls"))
    assert "+1.0 in every pair" in row
    assert "*" not in row
    assert frame_of(found)["verdict"].tolist() == ["alike", "untouched"]
    assert "the same in every pair: nothing to test it by" in page(found)


def test_one_is_told_in_the_singular() -> None:
    wording = wording_of("ppv")
    assert "1 point more" in said_of(wording, Estimate(0.012, 0.002, 0.6, 50, 1.0), 30)
    assert "12 points more" in said_of(wording, Estimate(0.12, 0.02, 0.6, 50, 1.0), 30)
    nights = said_of(wording_of("nights_to_suspicion"), Estimate(1.0, 1.0, 1.0, 50, 0.0), 30)
    assert nights == "it takes 1 night longer until a cheat is suspected"


def test_text_fits_in_a_hundred_columns(made_up: WhatIf) -> None:
    text = text_of(made_up)
    assert text == str(made_up)
    assert not [line for line in text.splitlines() if len(line) > 100]
    assert text.startswith("plain-dice with taverns.0.rake_bp = 500\n30 nights, 50 pairs")
    assert "the same" in text
    assert "Sharing luck saved runs" in text


def test_tables_have_every_number(made_up: WhatIf) -> None:
    pd.testing.assert_frame_equal(made_up.to_frame(), frame_of(made_up))
    table = frame_of(made_up).set_index("quantity")
    assert table.loc["cheats_net_cp", "difference"] == pytest.approx(-360)
    assert table["verdict"].to_dict() == {
        "cheats_net_cp": "sure",
        "brawls": "likely",
        "unjust_beatings": "untouched",
        "rounds": "not seen",
    }
    assert csv_of(made_up).splitlines()[0].startswith("about,quantity,base,changed,difference")
    document = json.loads(json_of(made_up))
    assert document["pairs"] == 50
    assert document["changes"] == {"taverns.0.rake_bp": 500}
    assert [each["verdict"] for each in document["effects"]] == table["verdict"].tolist()


def test_the_page_is_whole_and_the_same_each_time(made_up: WhatIf) -> None:
    made = page(made_up)
    assert made == page(made_up)
    assert "cheats win 12 cp a night less" in made
    assert "http://" not in made.split("<script>")[0]


def test_one_pair_has_no_interval_and_says_so() -> None:
    found = found_of({"rounds": [5.0]}, {"rounds": [7.0]})
    (said,) = verdict(found)
    assert "One pair shows what happened once" in said.heading
    assert "+2" in text_of(found)
    assert json.loads(json_of(found))["effects"][0]["low"] is None
    assert "One pair" in page(found)


def test_where_nothing_differs_it_says_that_it_does_nothing() -> None:
    found = found_of({"rounds": [5.0, 6.0]}, {"rounds": [5.0, 6.0]})
    assert [each.heading for each in verdict(found)] == [
        "It does nothing: every pair is the same in all that was looked at."
    ]


# ---------------------------------------------------------------- all of it


def test_an_effect_that_is_known_is_found_exactly() -> None:
    """A fuller till changes nothing else, and by as much in every pair."""
    base = Scenario.load("plain-dice", {"patrons": 16, "taverns.0.till_cp": 5_000})
    outputs = ["till_cp", "gini", "rounds"]
    found = what_if(
        base, changes={"taverns.0.till_cp": 5_100}, nights=3, replicates=4, outputs=outputs
    )
    by_name = {each.name: each for each in found.effects}
    assert by_name["till_cp"].change[:3] == (100.0, 100.0, 100.0)
    assert by_name["gini"].is_untouched
    assert by_name["rounds"].is_untouched
    assert not len(found.failures)


def test_runs_that_fail_are_told_and_their_pairs_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = Counterfactual._of_people

    def breaks(self: Counterfactual, model: TavernModel) -> dict[str, float]:
        if model.run_key % 2:
            raise RuntimeError("the roof fell in")
        return whole(self, model)

    monkeypatch.setattr(Counterfactual, "_of_people", breaks)
    found = what_if(small(), changes={"minds.tau": 0.9}, nights=1, replicates=8)
    assert 0 < found.n < 8
    assert len(found.failures) == 2 * (8 - found.n)
    assert "the roof fell in" in text_of(found)


def test_whose_purse_it_changes_is_told_of_a_town_that_is_kept() -> None:
    """Everybody's purse is fuller where wages are: hers who has the wage that is raised."""
    found = what_if(
        small(),
        changes={"population.purse_days": 60.0},
        nights=1,
        replicates=4,
        same_people=True,
        outputs=["gini"],
    )
    said = fortunes(found)
    assert said is not None
    assert said.kind == "sure"
    assert all("richer" in each for each in said.sentences[:10])
    assert said.sentences[-1].startswith("and ")


# ---------------------------------------------------------------- shares of sums


def test_a_share_is_of_the_sums_of_all_runs() -> None:
    """Two just of four convictions against three of three; runs without any count with none."""
    base = {"just": [1.0, 1.0, 0.0, 0.0], "all": [2.0, 2.0, 0.0, 0.0]}
    changed = {"just": [0.0, 2.0, 1.0, 0.0], "all": [0.0, 2.0, 1.0, 0.0]}
    shares = {"right": Share(("just",), ("all",), 100.0)}
    (found,) = effects(match(*tables(base, changed)), ["right"], shares=shares)
    assert (found.base.value, found.changed.value, found.change.value) == (50, 100, 50)
    assert found.change.n == 4
    assert found.n_differ == 3


def test_of_a_share_its_parts_are_played_and_not_told() -> None:
    question = ask(small(), changes={"minds.tau": 0.9}, outputs=["conviction_ppv", "gini"])
    assert question.outputs == ("conviction_ppv", "gini")
    assert question.played.outputs == ("conviction_ppv", "gini", "convictions_just", "convictions")
    assert list(shares_among(question.outputs)) == ["conviction_ppv"]


@pytest.mark.slow
def test_the_interval_of_a_share_covers_as_often_as_it_says() -> None:
    """600 experiments of 40 pairs: 95 % of the intervals hold the difference, by three errors."""
    rng = np.random.default_rng(5)
    n, held = 600, 0
    shares = {"x": Share(("top",), ("bottom",))}
    for _ in range(n):
        cases = rng.poisson(6, (2, 40)).astype(float)
        tops = [rng.binomial(cases[0].astype(int), 0.5), rng.binomial(cases[1].astype(int), 0.7)]
        sides = [
            pd.DataFrame({"top": top.astype(float), "bottom": bottom})
            for top, bottom in zip(tops, cases, strict=True)
        ]
        (found,) = effects(Pairs(np.arange(40), *sides, 0), ["x"], shares=shares)
        held += found.change.low <= 0.2 <= found.change.high
    assert held / n == pytest.approx(0.95, abs=3 * (0.95 * 0.05 / n) ** 0.5 + 0.005)
