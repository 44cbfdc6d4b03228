"""What is to be played next: every run once, and no more than it takes."""

import itertools
import random
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

from tavern_abm.sweeps.design import Auto
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.estimating.estimates import mean_t
from tavern_abm.sweeps.running.rounds import AllRuns, UntilNarrow, is_narrow
from tavern_abm.sweeps.runs import parts_of, run_id_of
from tavern_abm.sweeps.stores.shards import Shard
from tests.sweeps.quick import quick_design


def ids(runs: Any) -> list[int]:
    return [run.run_id for run in runs]


# ------------------------------------------------------------- a number of replications


def test_every_run_once_replication_by_replication() -> None:
    design = quick_design(points=3, replications=2)
    plan = AllRuns(design, {})
    assert (plan.total, plan.before, plan.waiting) == (6, 0, 6)
    firsts, rest = plan.take(4), plan.take(99)
    assert ids(firsts + rest) == ids(design.runs(2))
    assert [parts_of(run.run_id) for run in firsts] == [(0, 0), (1, 0), (2, 0), (0, 1)]
    assert firsts[1] == design.run(1, 0)
    assert (plan.take(1), plan.waiting) == ([], 0)


def test_taking_little_by_little_loses_none() -> None:
    plan = AllRuns(quick_design(points=7, replications=3), {})
    taken = [*itertools.chain.from_iterable(iter(lambda: plan.take(2), []))]
    assert len(set(ids(taken))) == 21


def test_what_is_finished_is_left_out_and_strange_records_do_not_count() -> None:
    finished = {run_id_of(1, 0): "done", run_id_of(2, 1): "failed", run_id_of(0, 9): "done"}
    plan = AllRuns(quick_design(points=3, replications=2), finished)
    assert (plan.total, plan.before, plan.waiting) == (6, 2, 4)
    assert ids(plan.take(9)) == [run_id_of(*each) for each in [(0, 0), (2, 0), (0, 1), (1, 1)]]


def test_what_comes_back_goes_out_first() -> None:
    plan = AllRuns(quick_design(points=3, replications=2), {})
    runs = plan.take(3)
    plan.put_back(runs[1:])
    assert plan.waiting == 5
    assert ids(plan.take(3)) == [*ids(runs[1:]), run_id_of(0, 1)]


@pytest.mark.parametrize(
    ("points", "replications", "n"),
    [(5, 2, 3), (4, 6, 2), (1, 7, 3), (12, 20, 40), (6, 7, 4), (3, 1, 5), (7, 3, 4)],
)
def test_shards_have_every_run_once_between_them(points: int, replications: int, n: int) -> None:
    design = quick_design(points=points, replications=replications)
    plans = [AllRuns(design, {}, Shard(number, n)) for number in range(1, n + 1)]
    taken = [ids(plan.take(999)) for plan in plans]
    assert [len(each) for each in taken] == [plan.total for plan in plans]
    assert sorted(itertools.chain(*taken)) == sorted(ids(design.runs(replications)))
    assert max(map(len, taken)) - min(map(len, taken)) <= 1


@pytest.mark.parametrize(("points", "n"), [(4, 2), (4, 4), (6, 4), (3, 4), (12, 8), (5, 5)])
def test_every_shard_has_runs_of_every_point(points: int, n: int) -> None:
    for number in range(1, n + 1):
        plan = AllRuns(quick_design(points=points, replications=2 * n), {}, Shard(number, n))
        assert {parts_of(each)[0] for each in ids(plan.take(999))} == set(range(points))


@pytest.mark.parametrize("text", ["0/8", "9/8", "3", "3/", "a/b", "-1/8", "1/0", ""])
def test_what_is_no_shard(text: str) -> None:
    with pytest.raises(SweepError, match="shard"):
        Shard.from_text(text)


# ------------------------------------------------------------- until it is narrow


AUTO = Auto("value", half_width=0.4, at_least=5, at_most=40, step=5)


def value_of(run: Any) -> float:
    x = run.settings["x"]
    return float(x + (0.3 + 0.4 * x) * np.random.default_rng(run.seed).normal())


def played(plan: UntilNarrow, order: random.Random | None = None, n: int = 3) -> set[int]:
    """Play all of it; the runs that are out end in some order."""
    out: list[Any] = []
    ended: set[int] = set()
    while True:
        out += plan.take(n)
        if not out:
            return ended
        run = out.pop(order.randrange(len(out)) if order else 0)
        assert run.run_id not in ended
        ended.add(run.run_id)
        plan.note(run.run_id, value_of(run))


def test_as_many_as_it_takes() -> None:
    design = quick_design(points=4, replications=AUTO)
    plan = UntilNarrow(design, {}, {})
    ended = played(plan)
    assert plan.total == len(ended)
    n_of = [sum(parts_of(each)[0] == point for each in ended) for point in range(4)]
    assert n_of == sorted(n_of)
    assert n_of[0] < n_of[3]
    for point, n in enumerate(n_of):
        rounds = [range(5 * each) for each in range(1, 1 + n // 5)]
        halves = []
        for each in rounds:
            values = np.array([value_of(design.run(point, r)) for r in each])
            halves.append(t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5)
        assert all(half > 0.4 for half in halves[:-1])
        assert halves[-1] <= 0.4 or n == 40


def test_the_number_depends_on_no_order() -> None:
    design = quick_design(points=4, replications=AUTO)
    first = played(UntilNarrow(design, {}, {}))
    for seed in range(5):
        assert played(UntilNarrow(design, {}, {}), random.Random(seed), n=seed + 1) == first


def test_going_on_ends_where_going_through_does() -> None:
    design = quick_design(points=4, replications=AUTO)
    all_of_it = played(UntilNarrow(design, {}, {}))
    rng = random.Random(7)
    there = sorted(rng.sample(sorted(all_of_it), len(all_of_it) // 2))
    values = {each: value_of(design.run(*parts_of(each))) for each in there}
    plan = UntilNarrow(design, dict.fromkeys(there, "done"), values)
    assert played(plan, rng) | set(there) == all_of_it
    assert plan.total == len(all_of_it)
    assert plan.before == len(there)


def test_nothing_is_left_of_what_is_complete() -> None:
    design = quick_design(points=3, replications=AUTO)
    ended = played(UntilNarrow(design, {}, {}))
    values = {each: value_of(design.run(*parts_of(each))) for each in ended}
    plan = UntilNarrow(design, dict.fromkeys(ended, "done"), values)
    assert (plan.take(9), plan.before) == ([], len(ended))


def test_at_most_so_many_and_said_so() -> None:
    auto = Auto("value", half_width=1e-9, at_least=2, at_most=7, step=4)
    plan = UntilNarrow(quick_design(points=2, replications=auto), {}, {})
    assert len(played(plan)) == 14
    assert plan.n_wide == 2


def test_a_point_of_which_all_failed_gets_no_more() -> None:
    plan = UntilNarrow(quick_design(points=1, replications=AUTO), {}, {})
    for run in plan.take(99):
        plan.note(run.run_id, None)
    assert (plan.take(9), plan.total, plan.n_wide) == ([], 5, 0)


def test_undefined_values_and_failures_are_left_out_of_the_interval() -> None:
    auto = Auto("value", half_width=0.1, at_least=4, at_most=8, step=4)
    plan = UntilNarrow(quick_design(points=1, replications=auto), {}, {})
    for run, value in zip(plan.take(4), [1.0, float("nan"), None, 1.01], strict=True):
        plan.note(run.run_id, value)
    more = plan.take(9)
    assert len(more) == 4  # two values say too little, however close they are
    for run, value in zip(more, [1.0, 1.01, None, 1.0], strict=True):
        plan.note(run.run_id, value)
    assert (plan.take(9), plan.n_wide) == ([], 0)


def test_a_point_of_too_few_values_counts_as_wide() -> None:
    auto = Auto("value", half_width=0.1, at_least=4, at_most=8, step=4)
    plan = UntilNarrow(quick_design(points=1, replications=auto), {}, {})
    while runs := plan.take(9):
        for run in runs:
            plan.note(
                run.run_id, 1.0 + run.replication_id / 100 if run.replication_id < 3 else None
            )
    assert (plan.total, plan.n_wide) == (8, 1)


def test_a_point_of_equal_values_counts_as_wide() -> None:
    auto = Auto("value", half_width=0.1, at_least=4, at_most=8, step=4)
    plan = UntilNarrow(quick_design(points=1, replications=auto), {}, {})
    while runs := plan.take(9):
        for run in runs:
            plan.note(run.run_id, 0.1)
    assert (plan.total, plan.n_wide) == (8, 1)


def test_shards_split_points() -> None:
    design = quick_design(points=3, replications=AUTO)
    halves = [played(UntilNarrow(design, {}, {}, Shard(each, 2))) for each in (1, 2)]
    assert halves[0] | halves[1] == played(UntilNarrow(design, {}, {}))
    assert {parts_of(each)[0] for each in halves[0]} == {0, 2}


def test_of_two_widths_the_wider_is_enough() -> None:
    values = [10.0, 11.0, 10.0, 11.0, 10.5]
    assert not is_narrow(values, Auto("value", half_width=0.5, at_least=5))
    assert is_narrow(values, Auto("value", relative=0.1, at_least=5))
    assert is_narrow(values, Auto("value", half_width=0.5, relative=0.1, at_least=5))
    assert not is_narrow(values, Auto("value", half_width=0.62, confidence=0.99, at_least=5))
    assert not is_narrow(values, Auto("value", relative=0.1, at_least=6))


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_interval_is_that_of_a_summary(confidence: float) -> None:
    rng = np.random.default_rng(3)
    for n in (2, 3, 10, 40):
        values = rng.normal(20.0, 2.0, n).tolist()
        half = mean_t(values, confidence).half
        just = Auto("value", half_width=half, confidence=confidence, at_least=2)
        below = Auto("value", half_width=half * (1 - 1e-12), confidence=confidence, at_least=2)
        assert (is_narrow(values, just), is_narrow(values, below)) == (True, False)
        by_hand = t.ppf(0.5 + confidence / 2, n - 1) * np.std(values, ddof=1) / n**0.5
        assert half == pytest.approx(by_hand, rel=1e-12)


def test_equal_values_say_nothing_of_the_width() -> None:
    assert not is_narrow(10 * [0.1], Auto("value", half_width=9.0))
    assert is_narrow([*(9 * [0.1]), 0.2], Auto("value", half_width=9.0))
    assert not is_narrow([0.1], Auto("value", half_width=9.0))
