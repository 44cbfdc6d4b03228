"""How a run is played: the same each time, from any copy of the configuration."""

import json
import pickle
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tavern_abm import Scenario, ScenarioError, TavernModel
from tavern_abm.scenario import load_scenario
from tavern_abm.shipped import shipped
from tavern_abm.sweeps.api import sweep
from tavern_abm.sweeps.designs.making import design_of
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.measuring import configuration as module
from tavern_abm.sweeps.measuring.collecting import Collected
from tavern_abm.sweeps.measuring.configuration import (
    FunctionConfiguration,
    RunConfiguration,
    configuration_from,
)
from tavern_abm.sweeps.measuring.naming import canonical, imported
from tavern_abm.sweeps.measuring.quantities import DEFAULT_OUTPUTS
from tavern_abm.sweeps.outputs import Output
from tavern_abm.sweeps.runs import Run

SMALL = {"patrons": 20}


def small(**more: Any) -> RunConfiguration:
    how = {"until": 3, "outputs": ("rounds", "gini"), "series": ("guests",)} | more
    return RunConfiguration("rusty-flagon", **how)


def run(seed: int = 1, **settings: Any) -> Run:
    return Run(0, 0, seed, SMALL | settings)


def through_json(document: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(document))


# ---------------------------------------------------------------- a scenario


def test_a_run_is_that_of_the_model() -> None:
    output = small(warm_up=1)(run(seed=9, **{"taverns.0.rake_bp": 700}))
    model = TavernModel("rusty-flagon", rng=9, patrons=20, **{"taverns.0.rake_bp": 700})
    model.run_for(3)
    wanted = Collected(model, 1)
    assert output.outcomes == {"rounds": wanted.outcome("rounds"), "gini": model.gini}
    assert output.series["guests"].tolist() == wanted.series("guests").tolist()
    assert output.times.tolist() == [2, 3]


def test_the_digest_can_be_that_of_tavern_run() -> None:
    model = TavernModel("rusty-flagon", rng=1, patrons=20)
    model.run_for(3)
    assert small(digest_of="results")(run()).digest == model.digest()
    assert small()(run()).digest != model.digest()


def test_without_names_there_are_some_outputs() -> None:
    assert RunConfiguration("plain-dice", until=1).outputs == DEFAULT_OUTPUTS


@pytest.mark.parametrize("scenario", ["rusty-flagon", "river-town"])
def test_a_copy_plays_the_same(scenario: str) -> None:
    one = RunConfiguration(scenario, until=2, outputs=["rounds", "till_cp"])
    copies = [
        pickle.loads(pickle.dumps(one)),
        configuration_from(through_json(one.document())),
        replace(one),
    ]
    asked = Run(0, 0, 4, {"taverns.0.rake_bp": 300})
    wanted = one(asked)
    for copy in copies:
        assert copy == one
        assert copy.document() == one.document()
        assert copy(asked).digest == wanted.digest


def test_a_founded_town_is_founded_the_same_from_its_document(tmp_path: Path) -> None:
    file = tmp_path / "village.toml"
    file.write_text("[town]\npopulation = 430\n", encoding="utf-8")
    one = RunConfiguration(file, until=1, outputs=["rounds"])
    again = configuration_from(through_json(one.document()))
    assert isinstance(again, RunConfiguration)
    assert again.scenario.model_fields_set == one.scenario.model_fields_set
    for settings in ({}, {"town.population": 600}):
        asked = Run(0, 0, 1, settings)
        assert again(asked).digest == one(asked).digest
    model = again.instantiate_model(Run(0, 0, 1, {"town.population": 2000}))
    assert model.scenario.patrons > 120  # nothing of the village was taken for said


def test_a_pickle_is_small() -> None:
    assert len(pickle.dumps(small())) < 10_000


def test_a_scenario_that_is_kept_is_played_as_if_it_were_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = [run(seed, **{"taverns.0.rake_bp": rake}) for seed in (1, 2) for rake in (0, 900)]
    first = [small()(each).digest for each in asked]
    assert [small()(each).digest for each in reversed(asked)] == first[::-1]
    monkeypatch.setattr(module, "KEPT", 0)
    assert [small()(each).digest for each in asked] == first


def test_other_scenarios_do_not_share_what_is_kept() -> None:
    outputs = [
        RunConfiguration(Scenario(patrons=n), until=1, outputs=["living"])(Run(0, 0, 1, {}))
        for n in (15, 25)
    ]
    assert [output.outcomes["living"] for output in outputs] == [15, 25]


def test_what_is_kept_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = module._Recent()
    monkeypatch.setattr(module, "KEPT", 2)
    for number in range(5):
        kept.put(("", str(number)), Scenario())
    assert kept.get(("", "2")) is None
    assert kept.get(("", "4")) is not None


def test_a_setting_that_the_scenario_refuses() -> None:
    with pytest.raises(ScenarioError, match=r"taverns\.0\.rake_bp"):
        small()(run(**{"taverns.0.rake_bp": -1}))


@dataclass(frozen=True)
class Doubled(RunConfiguration):
    """One that plays twice as long, and has a field of its own."""

    times: int = 2

    def run_model(self, model: TavernModel) -> None:
        model.run_for(self.times * self.until)


def test_a_class_of_ones_own() -> None:
    one = Doubled("rusty-flagon", until=2, outputs=("guests",), times=3)
    long = RunConfiguration("rusty-flagon", until=6, outputs=("guests",))
    assert one(run()).outcomes == long(run()).outcomes
    document = one.document()
    assert document["class"].endswith(":Doubled")
    assert document["further"] == {"times": 3}
    assert pickle.loads(pickle.dumps(one)) == one
    assert Doubled.from_document(through_json(document)) == one


@dataclass(frozen=True)
class UntilUnequal(RunConfiguration):
    """One that stops by itself."""

    bound: float = 0.5

    def run_model(self, model: TavernModel) -> None:
        for _ in range(self.until):
            model.run_for(1)
            if model.gini >= self.bound:
                break


@dataclass(frozen=True)
class Endless(RunConfiguration):
    """One that takes a number of its own."""

    def extract_output(self, model: TavernModel) -> Output:
        output = super().extract_output(model)
        return output._replace(outcomes={"gini": float("inf")})


def test_no_class_of_ones_own_gives_what_is_infinite() -> None:
    with pytest.raises(ValueError, match="outcome 'gini' must be finite"):
        Endless("plain-dice", until=1, outputs=("gini",))(run())


def test_the_nights_told_are_those_played() -> None:
    one = UntilUnequal("rusty-flagon", until=9, outputs=("nights_played",), bound=0.0)
    output = one(run())
    assert (output.nights, output.outcomes["nights_played"]) == (1, 1)
    assert RunConfiguration("rusty-flagon", until=3, warm_up=1)(run()).nights == 3
    assert FunctionConfiguration(area, ("area",))(Run(0, 0, 1, {"a": 1, "b": 1})).nights is None


def test_a_class_of_ones_own_in_a_sweep() -> None:
    grid = design_of(
        scenario="plain-dice", factors={"patrons": [20, 30]}, nights=9, outputs=["gini"]
    )
    mine = UntilUnequal("plain-dice", until=9, outputs=("nights_played", "gini"), bound=0.45)
    found = sweep(replace(grid, configuration=mine), progress=False).outcomes
    assert len(found) == 2
    assert ((found["gini"] >= 0.45) | (found["nights_played"] == 9)).all()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"until": 0}, "nights must be at least 1 (got 0)"),
        ({"until": 2.5}, "nights must be a whole number (got 2.5)"),
        ({"until": True}, "nights must be a whole number (got True)"),
        ({"warm_up": -1}, "warm_up must be at least 0 (got -1)"),
        ({"warm_up": 3}, "warm_up must leave nights to look at (got 3 of 3 nights)"),
        ({"outputs": ("gin",)}, "did you mean 'gini'?"),
        ({"outputs": ("gini", "gini")}, "output 'gini' is there twice"),
        ({"series": ("gini_change",)}, "has no nights"),
        (
            {"outputs": ("mugs@The Moon",)},
            "no house is called 'The Moon'; there are 'The Rusty Flagon'",
        ),
        ({"series": ("mugs@The Rusty Flaggon",)}, "did you mean 'The Rusty Flagon'?"),
        ({"digest_of": "all"}, "digest must be 'state' or 'results' (got 'all')"),
    ],
)
def test_what_cannot_be_played_is_said_at_once(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(SweepError, match=r"^[^\n]*$") as error:
        small(**wrong)
    assert message in str(error.value)


def test_documents_tell_configurations_apart() -> None:
    one = canonical(small().document())
    others = [
        small(until=4),
        small(warm_up=1),
        small(outputs=("gini", "rounds")),
        small(series=()),
        small(digest_of="results"),
        replace(small(), scenario=load_scenario("rusty-flagon", {"patrons": 119})),
    ]
    texts = {canonical(each.document()) for each in others}
    assert len(texts) == len(others)
    assert one not in texts
    assert canonical(small().document()) == one


def test_a_data_folder_is_told_by_what_is_in_it(tmp_path: Path) -> None:
    table = tmp_path / "trades.toml"
    shutil.copy(shipped("data") / "trades.toml", table)
    scenario = load_scenario("rusty-flagon", {"data": str(tmp_path)})
    one = RunConfiguration(scenario, until=1).document()
    table.write_text(table.read_text(encoding="utf-8") + "\n# mine", encoding="utf-8")
    other = RunConfiguration(scenario, until=1).document()
    assert one["data_digest"] != other["data_digest"]


# ---------------------------------------------------------------- a function


def area(settings: dict[str, Any], seed: int) -> dict[str, float]:
    """A model of another kind."""
    return {"area": settings["a"] * settings["b"], "seed": float(seed % 7), "more": 1.0}


def test_a_function_is_called_with_settings_and_seed() -> None:
    one = FunctionConfiguration(area, ("seed", "area"), fixed={"b": 3})
    output = one(Run(2, 5, 9, {"a": 2}))
    assert output == Output({"seed": 2.0, "area": 6.0}, {}, output.times, output.digest)
    assert one(Run(0, 0, 9, {"a": 2})).digest == output.digest
    assert one(Run(0, 0, 8, {"a": 2})).digest != output.digest
    assert one(Run(0, 0, 9, {"a": 2, "b": 4})).outcomes["area"] == 8


def no_dict(settings: dict[str, Any], seed: int) -> Any:
    """Gives a number, not a dict."""
    return 3.0


@pytest.mark.parametrize(
    ("function", "outputs", "error", "message"),
    [
        (area, ("volume",), LookupError, "gives no 'volume' (it gives area, seed, more)"),
        (no_dict, ("area",), TypeError, "must give a dict (it gave 3.0)"),
    ],
)
def test_a_function_that_gives_something_else(
    function: Any, outputs: tuple[str, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as raised:
        FunctionConfiguration(function, outputs)(Run(0, 0, 1, {"a": 1, "b": 1}))
    assert message in str(raised.value)


def test_a_function_may_give_nothing_infinite() -> None:
    one = FunctionConfiguration(area, ("seed", "area"), fixed={"b": float("inf")})
    with pytest.raises(ValueError, match=r"outcome 'area' must be finite.* \(got inf\)"):
        one(Run(0, 0, 1, {"a": 1}))


def test_a_function_must_have_outputs() -> None:
    with pytest.raises(SweepError, match="name at least one number"):
        FunctionConfiguration(area, ())
    with pytest.raises(SweepError, match="there twice"):
        FunctionConfiguration(area, ("area", "area"))
    with pytest.raises(SweepError, match="function must be a function"):
        FunctionConfiguration("area", ("area",))  # type: ignore[arg-type]


def test_a_function_is_found_again_by_its_name() -> None:
    from tavern_abm import coins

    one = FunctionConfiguration(coins.show, ("sum",))  # type: ignore[arg-type]
    document = through_json(one.document())
    assert document["function"] == "tavern_abm.coins:show"
    assert configuration_from(document) == one
    with pytest.raises(SweepError, match="it was changed"):
        configuration_from(document | {"source_digest": "0"})
    with pytest.raises(SweepError, match="cannot be imported"):
        configuration_from(document | {"function": "tavern_abm.coins:shew"})
    with pytest.raises(SweepError, match="unknown to this version"):
        configuration_from({"kind": "cellular automaton"})


def test_a_function_of_a_script_cannot_be_found_again() -> None:
    with pytest.raises(SweepError, match=r"__main__:f of this sweep is of a script; put it into"):
        imported("__main__:f", "function")


def test_a_module_in_the_current_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_own_model.py").write_text("def play(settings, seed):\n    return {}\n")
    monkeypatch.setattr("sys.path", [each for each in sys.path if each])
    monkeypatch.chdir(tmp_path)
    assert callable(imported("my_own_model:play", "function"))
    with pytest.raises(SweepError, match="no_such_model"):
        imported("no_such_model:play", "function")
