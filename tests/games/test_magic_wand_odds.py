"""Magic Wand: what hands show, exactly; what seats are worth, simulated."""

from fractions import Fraction
from math import comb, sqrt
from typing import Any

import pytest
from click.testing import CliRunner

from tavern_abm.asking import Estimate, to_json
from tavern_abm.cli.odds import odds
from tavern_abm.games import magic_wand as mw
from tavern_abm.games import magic_wand_odds as wand_odds
from tavern_abm.games.magic_wand import ODDS

IN_192 = {
    "reduce_person": 6,
    "teleport": 6,
    "shield": 4,
    "contingency": 2,
    "divine_intervention": 1,
    "mirror_image": 1,
    "disintegration": 1,
    "bulls_strength": 1,
}


def asked(**given: Any) -> dict[str, Any]:
    defaults = {option.name: option.default for option in ODDS.options}
    return defaults | {"games": mw.LEAST_GAMES} | given


def within(estimate: Estimate, exact: Fraction | float, errors: float = 4.0) -> bool:
    return abs(estimate.value - float(exact)) <= errors * estimate.standard_error


def test_chances_of_one_hand() -> None:
    counts = wand_odds.throws_by_spell()
    assert {wand_odds.slug(spell): n for spell, n in counts.items()} == IN_192
    assert wand_odds.any_spell() == Fraction(22, 192)
    assert wand_odds.mean_score() == Fraction(21, 2)


def test_strict_order_leaves_8_of_192() -> None:
    assert wand_odds.throws_by_spell(True) == dict.fromkeys(mw.SPELLS, 1)
    assert wand_odds.any_spell(1, True) == Fraction(8, 192)


@pytest.mark.parametrize("n_seats", [4, 7, 12])
def test_at_least_one_spell(n_seats: int) -> None:
    one = Fraction(22, 192)
    by_number = sum(
        comb(n_seats, k) * one**k * (1 - one) ** (n_seats - k) for k in range(1, n_seats + 1)
    )
    assert wand_odds.any_spell(n_seats) == by_number
    assert float(wand_odds.any_spell(4)) == pytest.approx(0.385403, abs=5e-7)


def test_the_answer_names_method_and_error() -> None:
    data = to_json(ODDS.answer(asked()).data)
    assert data["in_192"] == IN_192
    assert data["any_spell"]["exact"] == "11/96"
    assert data["at_least_one_spell"]["value"] == pytest.approx(0.385403, abs=5e-7)
    assert data["mean_score"]["value"] == 10.5
    assert (data["method"], data["n"], data["seats"]) == ("simulated", mw.LEAST_GAMES, 4)
    assert [share["method"] for share in data["share"]] == ["simulated"] * 4
    assert sum(share["value"] for share in data["share"]) == pytest.approx(1.0)
    assert 0 < data["standard_error"] < 0.0005


@pytest.mark.parametrize("n_seats", range(mw.MIN_SEATS, mw.MAX_SEATS + 1))
def test_errors_stay_below_the_promised_at_any_table(n_seats: int) -> None:
    found = wand_odds.simulate(n_seats, 20_000, seed=n_seats)
    assert sum(share.value for share in found.share) == pytest.approx(1.0)
    for share in found.share:
        assert share.standard_error * sqrt(20_000 / mw.LEAST_GAMES) < 0.0005
        assert within(share, 1 / n_seats, 10)


def test_simulated_games_show_spells_as_often_as_they_should() -> None:
    found = wand_odds.simulate(4, mw.LEAST_GAMES, seed=7)
    assert within(found.casting, Fraction(22, 192))
    assert within(found.any_spell, wand_odds.any_spell(4))
    assert found.casting.n == 4 * mw.LEAST_GAMES


def test_who_casts_late_has_the_better_of_it() -> None:
    share = wand_odds.simulate(4, mw.LEAST_GAMES, seed=3).share
    assert share[0].value < share[1].value < share[2].value < share[3].value


def test_a_seed_gives_the_same_games_and_another_others() -> None:
    one, same, other = (wand_odds.simulate(5, 5000, seed) for seed in (1, 1, 2))
    assert one == same
    assert one.share != other.share


def test_without_spells_that_are_cast_all_seats_are_alike() -> None:
    """Under the strict order 8 of 192 hands cast, so the button matters less."""
    loose = wand_odds.simulate(4, mw.LEAST_GAMES).share
    strict = wand_odds.simulate(4, mw.LEAST_GAMES, order_matters=True).share
    assert strict[3].value - strict[0].value < loose[3].value - loose[0].value


def test_kernel_and_plain_python_agree() -> None:
    loop = wand_odds._compiled_loop()
    plain = getattr(loop, "py_func", loop)
    tallies = []
    for play in (loop, plain):
        hands, tally = wand_odds._empty_hands(6, 0, 0), wand_odds._empty_tally(6)
        play(12345, 1500, hands, tally)
        tallies.append([column.tolist() for column in tally])
    assert tallies[0] == tallies[1]


def test_an_estimate_of_nothing() -> None:
    assert wand_odds._mean(0, 0, 0) == Estimate(0.0, 0.0, 0)


def test_the_answer_in_words() -> None:
    text = "\n".join(ODDS.answer(asked(seats=5)).lines)
    assert "at least one of 5 does" in text
    assert "simulated, 1,200,000 games; standard error at most 0.000" in text


@pytest.mark.parametrize(
    ("seats", "problem"),
    [
        ("-1", "magic-wand needs 4 or more seats (got -1)"),
        ("3", "magic-wand needs 4 or more seats (got 3)"),
        ("13", "magic-wand has 12 seats at the most (got 13)"),
        ("x", "'x' is not a whole number"),
    ],
)
def test_too_few_and_too_many_are_refused_by_name(seats: str, problem: str) -> None:
    told = CliRunner().invoke(odds, ["magic-wand", "--seats", seats])
    assert told.exit_code == 2
    assert told.stderr.splitlines()[-1].endswith(problem)
