"""Who people are: laws of the draw, and what a scenario pins."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from scipy.special import expit

from tavern_abm import Scenario, chance
from tavern_abm.data_tables import load_tables
from tavern_abm.patrons.columns import (
    ABILITIES,
    COLUMNS,
    FEATS,
    NOT_YET,
    SHEET_COLUMNS,
    TRAITS,
    People,
    Sheet,
)
from tavern_abm.patrons.traits import SKILL_ABILITY, cheat_intercept, generate, normal

N = 20_000
SURE = 1e-4
DATA = load_tables()
TRADES, ANCESTRIES = list(DATA.trades.values()), list(DATA.ancestries.values())
type Drawn = tuple[People, Sheet]


def drawn(ids: list[int] | np.ndarray, scenario: Scenario | None = None, seed: int = 1) -> Drawn:
    scenario = scenario or Scenario()
    homes = [1.0] * len(scenario.taverns)
    return generate(np.asarray(ids), chance.run_key(seed), scenario, DATA, homes)


def row_of(drawn: Drawn, row: int) -> dict[str, float]:
    people, sheet = drawn
    here = {name: getattr(people, name).item(row) for name in COLUMNS}
    return here | {name: getattr(sheet, name).item(row) for name in SHEET_COLUMNS}


def logistic_fit(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Intercept and slope of greatest likelihood."""

    def loss(at: np.ndarray) -> float:
        z = at[0] + at[1] * x
        return float(np.logaddexp(0.0, z).sum() - (y * z).sum())

    found = optimize.minimize(loss, np.zeros(2), method="BFGS")
    return float(found.x[0]), float(found.x[1])


@pytest.fixture(scope="module")
def many() -> Drawn:
    return drawn(np.arange(1, N + 1))


@pytest.mark.parametrize(
    ("share", "intercept"), [(0.10, -2.35274), (0.05, -3.12219), (0.20, -1.50029)]
)
def test_the_intercept_of_a_mean_share(share: float, intercept: float) -> None:
    assert cheat_intercept(share, 0.53) == pytest.approx(intercept, abs=5e-6)


@given(st.floats(0.001, 0.999), st.floats(0.1, 10))
def test_the_intercept_solves_its_equation(share: float, odds_ratio: float) -> None:
    a = cheat_intercept(share, odds_ratio)
    x = np.linspace(-10, 10, 20_001)
    mean = np.sum(stats.norm.pdf(x) * expit(a + math.log(odds_ratio) * x)) * (x[1] - x[0])
    assert mean == pytest.approx(share, abs=1e-6)


def test_without_an_effect_the_intercept_is_the_logit() -> None:
    assert cheat_intercept(0.10, 1.0) == pytest.approx(math.log(0.1 / 0.9), abs=1e-9)


def test_kind_follows_honesty(many: Drawn) -> None:
    people, sheet = many
    intercept, slope = logistic_fit(sheet.honesty.astype(float), people.is_cheat)
    assert slope == pytest.approx(math.log(0.53), abs=4 * 0.025)
    assert intercept == pytest.approx(-2.35274, abs=4 * 0.027)


def test_the_share_of_the_kind(many: Drawn) -> None:
    people, _ = many
    assert people.is_cheat.mean() == pytest.approx(0.10, abs=4 * math.sqrt(0.09 / N))


@pytest.mark.parametrize("trait", TRAITS)
def test_traits_are_standard_normal(many: Drawn, trait: str) -> None:
    assert stats.kstest(getattr(many[1], trait).astype(float), "norm").pvalue > SURE


def test_traits_are_independent(many: Drawn) -> None:
    traits = np.array([getattr(many[1], name) for name in TRAITS], float)
    apart = np.corrcoef(traits)[np.triu_indices(len(TRAITS), 1)]
    assert np.abs(apart).max() < 4.5 / math.sqrt(N)


@pytest.mark.parametrize("ability", ABILITIES)
def test_abilities_are_the_best_three_of_four_dice(many: Drawn, ability: str) -> None:
    faces = np.indices((6, 6, 6, 6)).reshape(4, -1) + 1
    law = Counter((faces.sum(axis=0) - faces.min(axis=0)).tolist())
    _people, sheet = many
    human = sheet.ancestry == list(DATA.ancestries).index("human")
    assert all(getattr(DATA.ancestries["human"], each) == 0 for each in ABILITIES)
    found = Counter(getattr(sheet, ability)[human].tolist())
    expected = [law[score] / 1296 * human.sum() for score in range(3, 19)]
    assert stats.chisquare([found[score] for score in range(3, 19)], expected).pvalue > SURE


def test_ancestries_and_trades_have_their_weights(many: Drawn) -> None:
    people, sheet = many
    by_head = sheet.ancestry[sheet.household == np.arange(N)]  # kin are of the same
    for column, kinds in ((by_head, ANCESTRIES), (people.trade, TRADES)):
        weights = np.array([each.weight for each in kinds])
        found, some = np.bincount(column, minlength=len(kinds)), weights > 0
        assert not found[~some].any()
        assert (
            stats.chisquare(found[some], weights[some] / weights.sum() * len(column)).pvalue > SURE
        )


def test_levels_and_sexes(many: Drawn) -> None:
    _, sheet = many
    expected = np.array([0.60, 0.25, 0.10, 0.04, 0.01]) * N
    assert stats.chisquare(np.bincount(sheet.level)[1:], expected).pvalue > SURE
    assert stats.binomtest(int(sheet.sex.sum()), N).pvalue > SURE


def test_purses_are_lognormal(many: Drawn) -> None:
    people, _ = many
    assert (people.gold == people.start_gold).all()
    rich = people.wage >= 60  # whose purses are so large that whole coins do not matter
    log = np.log(people.gold[rich] / people.wage[rich])
    assert np.median(log) == pytest.approx(math.log(15) - 0.32, abs=4 * 1.2533 * 0.8 / N**0.5)
    assert log.std() == pytest.approx(0.8, abs=4 * 0.8 / math.sqrt(2 * rich.sum()))
    standard = (log - math.log(15) + 0.32) / 0.8
    assert stats.kstest(standard, "norm").pvalue > SURE


def test_thresholds_are_normal_and_soreness_follows_agreeableness(many: Drawn) -> None:
    people, sheet = many
    assert stats.kstest((people.threshold - 0.7) / 0.7, "norm").pvalue > SURE
    np.testing.assert_allclose(people.soreness, expit(-sheet.agreeableness.astype(float)))
    assert (people.rationality == 4.0).all()


def test_skills_follow_from_the_sheet(many: Drawn) -> None:
    people, sheet = many
    for row in range(300):
        trade, ancestry = TRADES[people.trade[row]], ANCESTRIES[sheet.ancestry[row]]
        for skill, ability in SKILL_ABILITY.items():
            expected = (getattr(sheet, ability)[row] - 10) // 2
            expected += getattr(trade, skill) + getattr(ancestry, skill)
            if skill == "thievery":
                expected += sheet.level[row] // 2 + 5 * people.is_cheat[row]
            column = getattr(people if skill in COLUMNS else sheet, skill)
            assert column[row] == expected, skill
        feats = [feat for i, feat in enumerate(FEATS) if sheet.feats[row] >> i & 1]
        assert sorted(feats) == sorted(trade.feats)
        assert people.wage[row] == trade.wage_cp
        assert sheet.speed_ft[row] == ancestry.speed_ft


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=6, unique=True))
def test_a_person_is_the_same_whoever_is_drawn_beside_him(ids: list[int]) -> None:
    together = drawn(ids)
    for row, patron_id in enumerate(ids):
        assert row_of(together, row) == row_of(drawn([patron_id]), 0)


def test_another_seed_makes_other_people() -> None:
    one, other = drawn(np.arange(1, 101)), drawn(np.arange(1, 101), seed=2)
    assert (one[1].honesty != other[1].honesty).all()
    assert (one[0].gold != other[0].gold).mean() > 0.9


def test_nobody_has_arrived_yet(many: Drawn) -> None:
    assert (many[0].whereabouts == NOT_YET).all()


def test_normal_numbers_are_finite_at_the_ends() -> None:
    keys = chance.subkeys(chance.run_key(3), chance.PERSON, np.arange(1, 100_001))
    z = normal(keys, 0)
    assert np.isfinite(z).all()
    assert stats.kstest(z, "norm").pvalue > SURE


# ---------------------------------------------------------------- pinned people


PINNED = {
    "name": "Ada Bell",
    "ancestry": "dwarf",
    "trade": "noble",
    "sex": "female",
    "gold": 12_345,
    "strength": 18,
    "dexterity": 5,
    "constitution": 17,
    "intelligence": 16,
    "wisdom": 3,
    "charisma": 15,
    "thievery": 11,
    "perception": -2,
    "honesty": -2.5,
    "emotionality": 1.25,
    "extraversion": 0.5,
    "agreeableness": -1.5,
    "conscientiousness": 0.25,
    "openness": 3.0,
    "propensity": 0.75,
    "rationality": 9.0,
}


def with_people(*people: dict) -> Scenario:
    return Scenario().with_settings({"people": list(people)})


def test_pinned_values_come_out() -> None:
    found = row_of(drawn([1, 2], with_people(PINNED)), 0)
    plain = ("name", "ancestry", "trade", "sex")
    assert {name: found[name] for name in PINNED if name not in plain} == {
        name: value for name, value in PINNED.items() if name not in plain
    }
    assert ANCESTRIES[int(found["ancestry"])].name == "dwarf"
    assert TRADES[int(found["trade"])].name == "noble"
    assert found["sex"] == 0
    assert found["wage"] == DATA.trades["noble"].wage_cp
    assert found["start_gold"] == 12_345
    assert found["is_cheat"] == 1
    assert found["is_rooted"] == 1
    assert found["is_player"] == 0


def test_what_is_not_pinned_is_drawn_as_for_anybody() -> None:
    pinned = row_of(drawn([1], with_people({"name": "Ada Bell", "gold": 5})), 0)
    anybody = row_of(drawn([1]), 0)
    different = {name for name in pinned if pinned[name] != anybody[name]}
    assert different <= {"gold", "start_gold", "is_rooted"}


def test_a_pinned_ability_changes_what_follows_from_it() -> None:
    for dexterity in (4, 10, 19):
        scenario = with_people({"name": "Ada Bell", "dexterity": dexterity, "cheat": False})
        people, sheet = drawn([1], scenario)
        trade, ancestry = TRADES[people.trade[0]], ANCESTRIES[sheet.ancestry[0]]
        modifier = (dexterity - 10) // 2
        assert sheet.dexterity[0] == dexterity  # the ancestry adds nothing to it
        assert sheet.hide[0] == modifier + trade.hide + ancestry.hide
        expected = modifier + trade.thievery + ancestry.thievery + sheet.level[0] // 2
        assert people.thievery[0] == expected


def test_a_pinned_kind_is_trained_and_a_pinned_trait_moves_the_mind() -> None:
    honest = drawn([1], with_people({"name": "Ada Bell", "cheat": False}))[0]
    cheat = drawn([1], with_people({"name": "Ada Bell", "cheat": True}))[0]
    assert (honest.is_cheat[0], cheat.is_cheat[0]) == (0, 1)
    assert cheat.thievery[0] - honest.thievery[0] == 5
    mild = drawn([1], with_people({"name": "Ada Bell", "agreeableness": 3.0}))[0]
    assert mild.soreness[0] == pytest.approx(expit(-3.0))


def test_a_propensity_makes_the_kind_and_none_makes_none() -> None:
    for propensity, kind in ((0.0, 0), (0.01, 1), (1.0, 1)):
        scenario = with_people({"name": "Ada Bell", "propensity": propensity})
        assert drawn([1], scenario)[0].is_cheat[0] == kind


def test_honesty_alone_decides_the_kind() -> None:
    """Pinned honesty moves the chance, so nearly all of the wicked are of the kind."""
    kinds = [
        drawn([1], with_people({"name": "Ada Bell", "honesty": honesty}), seed)[0].is_cheat[0]
        for honesty in (-5.0, 5.0)
        for seed in range(60)
    ]
    assert sum(kinds[:60]) > 25  # of chance 0.69
    assert sum(kinds[60:]) < 5  # of chance 0.004


def test_a_scenarios_weights_wages_and_purses() -> None:
    scenario = Scenario().with_settings(
        {
            "population.trades": {"smith": 1.0, "guard": 3.0},
            "population.ancestries": {"orc": 2.0},
            "population.purse_days": 100.0,
            "population.purse_sigma": 0.0,
            "economy.wages_cp": {"smith": 77},
        }
    )
    people, sheet = drawn(np.arange(1, 2001), scenario)
    names = Counter(TRADES[i].name for i in people.trade)
    assert set(names) == {"smith", "guard"}
    assert stats.binomtest(names["guard"], 2000, 0.75).pvalue > SURE
    assert {ANCESTRIES[i].name for i in sheet.ancestry} == {"orc"}
    smith = people.trade == list(DATA.trades).index("smith")
    assert set(people.wage[smith]) == {77}
    assert set(people.gold[smith]) == {7700}


def test_homes_have_their_weights() -> None:
    scenario = Scenario().with_settings({"taverns.1.name": "B", "taverns.2.name": "C"})
    people, sheet = generate(np.arange(1, 4001), chance.run_key(1), scenario, DATA, [1.0, 0.0, 3.0])
    heads = np.unique(sheet.household)  # kin share the home
    homes = Counter(people.home[heads].tolist())
    assert set(homes) == {0, 2}
    assert stats.binomtest(homes[2], len(heads), 0.75).pvalue > SURE
