"""Samples: as many points as were counted, in their strata, the same for the same seed."""

import subprocess
import sys

import numpy as np
import pytest

from tavern_abm.sweeps.design import Factor
from tavern_abm.sweeps.designs import sampling
from tavern_abm.sweeps.designs.sampling import Drawing, n_points, near_powers, spread, unit_sample
from tavern_abm.sweeps.errors import SweepError

SIZES = {"latin-hypercube": 10, "sobol": 16, "random": 10, "saltelli": 8, "morris": 5}
SHARE = Factor(("share",), "share", None, 0.1, 0.3)
DIE = Factor(("die",), "die", None, 1, 6, is_whole=True)


@pytest.fixture(autouse=True)
def with_salib(request: pytest.FixtureRequest) -> None:
    if any(name in request.node.name for name in sampling.OF_SALIB):
        pytest.importorskip("SALib")


@pytest.mark.parametrize("method", SIZES)
def test_as_many_as_counted_and_the_same_for_the_same_seed(method: str) -> None:
    n = SIZES[method]
    unit = unit_sample(method, n, 3, seed=5)
    assert unit.shape == (n_points(method, n, 3), 3)
    assert unit.dtype == np.float64
    assert ((unit >= 0) & (unit <= 1)).all()
    assert (unit == unit_sample(method, n, 3, seed=5)).all()
    assert (unit != unit_sample(method, n, 3, seed=6)).any()


@pytest.mark.parametrize("method", SIZES)
def test_drawing_leaves_numpys_own_dice_alone(method: str) -> None:
    state = np.random.get_state()[1]
    unit_sample(method, SIZES[method], 3, seed=5)
    assert (np.random.get_state()[1] == state).all()


def test_a_latin_hypercube_has_a_point_in_each_stratum() -> None:
    unit = unit_sample("latin-hypercube", 50, 4, seed=1)
    assert (np.sort((unit * 50).astype(int), axis=0) == np.arange(50)[:, None]).all()
    middle = unit_sample("latin-hypercube", 50, 4, seed=1, drawing=Drawing(scramble=False))
    assert np.allclose(middle * 50 % 1, 0.5)


def test_sobol_is_balanced_in_two_dimensions() -> None:
    cells = (unit_sample("sobol", 64, 2, seed=1) * 8).astype(int)
    assert len({tuple(cell) for cell in cells}) == 64


def test_saltelli_counts_pairs_or_not() -> None:
    pytest.importorskip("SALib")
    without = unit_sample("saltelli", 8, 3, 1, Drawing(second_order=False))
    assert len(without) == n_points("saltelli", 8, 3, second_order=False) == 40
    assert n_points("saltelli", 8, 3) == 64


def test_morris_steps_in_one_factor_at_a_time() -> None:
    pytest.importorskip("SALib")
    unit = unit_sample("morris", 5, 3, 1, Drawing(n_levels=6)).reshape(5, 4, 3)
    assert np.allclose(unit * 5, np.round(unit * 5))
    steps = np.diff(unit, axis=1) != 0
    assert (steps.sum(axis=2) == 1).all()
    assert (steps.sum(axis=1) == 1).all()


@pytest.mark.parametrize("n", [3, 5, 100, 1000])
def test_near_powers(n: int) -> None:
    below, above = near_powers(n)
    assert below < n < above == 2 * below
    assert sampling.is_power(below)
    assert not sampling.is_power(n)


def test_bounds_are_reached_and_kept() -> None:
    (column,) = spread(SHARE, np.array([0.0, 0.5, 1.0]))
    assert column == pytest.approx([0.1, 0.2, 0.3])


def test_a_logarithmic_scale() -> None:
    (column,) = spread(Factor(("a",), "a", None, 0.001, 0.1, is_log=True), np.array([0, 0.5, 1]))
    assert column == pytest.approx([0.001, 0.01, 0.1])


def test_whole_numbers_have_equal_shares() -> None:
    (column,) = spread(DIE, (np.arange(600) + 0.5) / 600)
    assert np.bincount(np.asarray(column))[1:].tolist() == [100] * 6
    (ends,) = spread(DIE, np.array([0.0, 1.0]))
    assert list(ends) == [1, 6]


@pytest.mark.parametrize("high", [1, 2, 3, 10])
@pytest.mark.parametrize("n_levels", [4, 6, 8])
def test_no_step_of_morris_is_lost_in_rounding(high: int, n_levels: int) -> None:
    factor = Factor(("a",), "a", None, 0, high, is_whole=True)
    (column,) = spread(factor, np.arange(n_levels) / (n_levels - 1), "morris")
    jump = n_levels // 2
    assert all(column[k] < column[k + jump] for k in range(n_levels - jump))


def test_levels_have_equal_shares_and_their_paths_go_together() -> None:
    temper = Factor(("sore", "paranoid"), "temper", ((0, "no"), (1, "yes"), (2, "very")))
    sore, paranoid = spread(temper, np.array([0.0, 0.3, 0.4, 0.7, 1.0]))
    assert sore == [0, 0, 1, 2, 2]
    assert paranoid == ["no", "no", "yes", "very", "very"]


def test_what_salib_is_told() -> None:
    coin = Factor(("coin",), "the coin", (("heads",), ("tails",)))
    assert sampling.problem_of([SHARE, coin], "sobol", Drawing()) is None
    told = sampling.problem_of([SHARE, coin], "saltelli", Drawing(second_order=False))
    assert told == {
        "num_vars": 2,
        "names": ["share", "the coin"],
        "bounds": [[0.1, 0.3], [0.0, 2.0]],
        "calc_second_order": False,
    }
    told = sampling.problem_of([SHARE], "morris", Drawing(n_levels=6))
    assert told is not None
    assert told["num_levels"] == 6


def test_without_salib_the_cure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "SALib.sample.morris", None)
    with pytest.raises(SweepError, match=r"pip install 'tavern-abm\[sensitivity\]'"):
        unit_sample("morris", 4, 2, seed=1)


def test_salib_and_scipy_wait_until_they_are_wanted() -> None:
    program = "import sys, tavern_abm.sweeps.designs.reading\nprint([m in sys.modules for m in %r])"
    heavy = ["SALib", "scipy", "mesa", "numba", "pandas", "pyarrow"]
    done = subprocess.run(
        [sys.executable, "-c", program % heavy], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["[False,", *["False,"] * 4, "False]"]
