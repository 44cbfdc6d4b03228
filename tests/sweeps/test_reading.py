"""Design files: what they may say, and what is said of mistakes, with file and line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tavern_abm.scenario import ScenarioError
from tavern_abm.sweeps.design import Auto, Design
from tavern_abm.sweeps.designs.making import design_from
from tavern_abm.sweeps.designs.reading import load_design
from tavern_abm.sweeps.errors import SweepError
from tavern_abm.sweeps.measuring.configuration import RunConfiguration
from tavern_abm.sweeps.runs import seed_of

TAU = '[[factors]]\npath = "minds.tau"\n'
DRAWN = '[sampling]\nmethod = "{}"\n{}\n' + TAU + "between = [0.1, 0.5]\n"


def load(folder: Path, text: str, **given: Any) -> Design:
    file = folder / "d.toml"
    file.write_text(text, encoding="utf-8")
    return load_design(file, **given)


def played(design: Design) -> RunConfiguration:
    assert isinstance(design.configuration, RunConfiguration)
    return design.configuration


def test_all_that_a_file_may_say(tmp_path: Path) -> None:
    design = load(
        tmp_path,
        """
name = "rake"
about = "What does a rake do?"
scenario = "gossip-town"
nights = 40
warm_up = 5
replicates = 20
seed = 7
luck = "own"
outputs = ["gini", "house_profit_cp:mean"]
series = ["rounds"]
digest = "results"

[set]
talk.contacts = 2
"taverns.1.rake_bp" = 100

[[factors]]
path = "taverns.0.rake_bp"
label = "rake"
range = { from = 0, to = 500, step = 250 }

[[factors]]
paths = ["taverns.0.custom", "taverns.1.custom"]
values = ["orc", ["lax", "decent"]]
""",
    )
    assert (design.name, design.about) == ("rake", "What does a rake do?")
    assert (design.replications, design.seed, design.luck) == (20, 7, "own")
    how = played(design)
    assert (how.until, how.warm_up, how.digest_of) == (40, 5, "results")
    assert (how.outputs, how.series) == (("gini", "house_profit_cp:mean"), ("rounds",))
    assert how.scenario.talk.contacts == 2
    assert [tavern.rake_bp for tavern in how.scenario.taverns] == [0, 100]
    assert [factor.label for factor in design.factors] == ["rake", "taverns.0.custom"]
    assert [design.points[number] for number in (0, 5)] == [
        {"taverns.0.rake_bp": 0, "taverns.0.custom": "orc", "taverns.1.custom": "orc"},
        {"taverns.0.rake_bp": 500, "taverns.0.custom": "lax", "taverns.1.custom": "decent"},
    ]


@pytest.mark.parametrize("text", ["", '# scenario = "rusty-flagon"\n'], ids=["", "a comment"])
def test_a_file_that_says_nothing_is_refused_with_the_cure(tmp_path: Path, text: str) -> None:
    with pytest.raises(SweepError, match=r"d\.toml: says nothing .*name a scenario, .*--sweep"):
        load(tmp_path, text, nights=3)


def test_what_is_not_said_has_a_default(tmp_path: Path) -> None:
    design = load(tmp_path, "set = {}\n")
    assert (design.name, len(design.points), design.points[0]) == ("d", 1, {})
    assert (design.replications, design.seed, design.luck) == (10, 1, "shared")
    assert played(design).scenario.name == "rusty-flagon"


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    text = "nights = 3\n" + TAU + "values = [0.1, 9]\n"
    with pytest.raises(SweepError, match=r"d\.toml:4: minds.tau: must be at most 1"):
        load(tmp_path, "\ufeff" + text)
    assert played(load(tmp_path, "\ufeff" + text.replace("9", "0.9"))).until == 3


def test_blanks_around_a_path_do_not_count(tmp_path: Path) -> None:
    text = '[set]\n" talk. lie_prob" = 0.0\n[[factors]]\npath = " minds.tau "\nvalues = [0.1]\n'
    design = load(tmp_path, text)
    assert (design.points.paths, design.factors[0].label) == (("minds.tau",), "minds.tau")
    assert played(design).scenario.talk.lie_prob == 0
    design = load(tmp_path, '[[points]]\n"minds.tau " = 0.2\n')
    assert design.points[0] == {"minds.tau": 0.2}


@pytest.mark.parametrize(
    "values", ['path = "patrons"\nvalues = [40, 50.0]', "[sampling]", "[[points]]"]
)
def test_whole_numbers_count_as_such_however_they_are_written(tmp_path: Path, values: str) -> None:
    (tmp_path / "points.csv").write_text("patrons,minds.tau\n40.0,0.5\n50.0,1\n")
    text = {
        "[sampling]": '[sampling]\nmethod = "table"\nfile = "points.csv"\n',
        "[[points]]": "[[points]]\npatrons = 40\n[[points]]\npatrons = 50\n",
    }.get(values, f"[[factors]]\n{values}\n")
    design = load(tmp_path, text)
    assert design.points.frame()["patrons"].tolist() == [40, 50]
    assert [type(design.points[k]["patrons"]) for k in range(2)] == [int, int]


def test_what_the_caller_says_goes_first(tmp_path: Path) -> None:
    text = 'replicates = "auto"\noutputs = ["gini"]\n[auto]\noutput = "gini"\nrelative = 0.1\n'
    design = load(tmp_path, text)
    assert design.replications == Auto("gini", relative=0.1)
    design = load(tmp_path, text, nights=3, replications=4, seed=5)
    assert (design.replications, design.seed, played(design).until) == (4, 5, 3)
    design = load(tmp_path, "[set]\nminds.tau = 0.1\n", settings={"minds.tau": 0.4})
    assert played(design).scenario.minds.tau == 0.4


def test_files_are_seen_from_the_design(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inn.toml").write_text("patrons = 33\n")
    (tmp_path / "mine.py").write_text("def delay(model):\n    return 1.0\n")
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "points.csv").write_text("minds.tau\n0.3\n")
    text = 'scenario = "../inn.toml"\noutputs = ["gini", "../mine.py:delay"]\n'
    text += '[sampling]\nmethod = "table"\nfile = "points.csv"\n'
    monkeypatch.chdir(tmp_path.parent)
    design = load(tmp_path / "far", text)
    assert played(design).scenario.patrons == 33
    assert played(design).outputs == ("gini", "delay")
    assert design.points[0] == {"minds.tau": 0.3}


def test_courses_in_settings_are_seen_from_the_design(tmp_path: Path) -> None:
    course = "taverns.0.yard.0.options.course"
    (tmp_path / "mill.toml").write_text("")
    text = f'scenario = "harbour-games"\n[[factors]]\npath = "{course}"\nvalues = ["mill.toml"]\n'
    with pytest.raises(SweepError, match=str(tmp_path / "mill.toml")):  # which is none, as told
        load(tmp_path, text)


def test_a_scenario_of_its_own_faults_names_its_own_lines(tmp_path: Path) -> None:
    (tmp_path / "inn.toml").write_text("\npatrons = 0\n")
    with pytest.raises(ScenarioError, match=r"inn\.toml:2: patrons: must be at least 1"):
        load(tmp_path, 'scenario = "inn.toml"\n')


def test_listed_points_are_filled_up_from_the_scenario(tmp_path: Path) -> None:
    text = """
[[factors]]
path = "minds.tau"
label = "daring"

[[points]]

[[points]]
minds.tau = 0.5

[[points]]
"taverns.0.custom" = "orc"
population = { newcomers_share_of_cheats = 0.2 }
"""
    design = load(tmp_path, text)
    # Of what the scenario leaves out nothing is set.
    assert design.points[0] == {"minds.tau": 0.25, "taverns.0.custom": "decent"}
    assert design.points[1] == {"minds.tau": 0.5, "taverns.0.custom": "decent"}
    assert design.points[2] == {
        "minds.tau": 0.25,
        "taverns.0.custom": "orc",
        "population.newcomers_share_of_cheats": 0.2,
    }
    assert (design.method, design.factors[0].label) == ("points", "daring")
    newcomers = design.points.frame()["population.newcomers_share_of_cheats"]
    assert newcomers.isna().tolist() == [True, True, False]


def test_a_point_may_add_a_house(tmp_path: Path) -> None:
    text = '[[points]]\n\n[[points]]\n"taverns.1" = { name = "The Eel Pot", custom = "orc" }\n'
    design = load(tmp_path, text)
    assert design.points[0] == {}
    towns = [played(design).scenario.with_settings(design.points[k]) for k in range(2)]
    assert [len(town.taverns) for town in towns] == [1, 2]


def test_a_table_of_weights_is_a_value_and_a_table_of_fields_is_opened(tmp_path: Path) -> None:
    text = "[[points]]\npopulation.trades = { guard = 3 }\n[[points]]\nminds = { tau = 0.5 }\n"
    design = load(tmp_path, text)
    assert design.points[0] == {"population.trades": {"guard": 3}, "minds.tau": 0.25}
    assert design.points[1] == {"population.trades": {}, "minds.tau": 0.5}


@pytest.mark.parametrize(
    ("method", "how", "n"),
    [
        ("latin-hypercube", "points = 7", 7),
        ("random", "points = 7", 7),
        ("sobol", "points = 8", 8),
        ("saltelli", "points = 8", 32),
        ("saltelli", "points = 8\nsecond_order = false", 24),
        ("morris", "trajectories = 5", 10),
    ],
)
def test_samples(tmp_path: Path, method: str, how: str, n: int) -> None:
    if method in ("saltelli", "morris"):
        pytest.importorskip("SALib")
    design = load(tmp_path, DRAWN.format(method, how))
    values = [design.points[number]["minds.tau"] for number in range(len(design.points))]
    assert (design.method, len(values)) == (method, n)
    assert all(0.1 <= value <= 0.5 for value in values)
    assert (design.problem is None) == (method not in ("saltelli", "morris"))
    again = load(tmp_path, DRAWN.format(method, how))
    assert again.digest() == design.digest()
    other = load(tmp_path, DRAWN.format(method, how), seed=2)
    assert [other.points[number]["minds.tau"] for number in range(n)] != values
    fixed = load(tmp_path, DRAWN.format(method, f"{how}\nseed = 3"), seed=2)
    same = load(tmp_path, DRAWN.format(method, f"{how}\nseed = 3"), seed=1)
    assert [fixed.points[k] for k in range(n)] == [same.points[k] for k in range(n)]


def test_the_draw_is_no_replicates_luck(tmp_path: Path) -> None:
    design = load(tmp_path, DRAWN.format("random", "points = 3\nseed = 9"))
    assert design.run(2, 1).seed == seed_of(1, 1)
    assert design.run(0, 1).seed == seed_of(1, 1)


def test_luck_of_ones_own_goes_by_what_a_point_sets(tmp_path: Path) -> None:
    grid = 'luck = "own"\n' + TAU + "values = [{}]\n"
    one, other = load(tmp_path, grid.format("0.1, 0.2")), load(tmp_path, grid.format("0.3, 0.1"))
    assert one.run(0, 4).seed == other.run(1, 4).seed  # wherever it stands
    assert len({one.run(point, k).seed for point in range(2) for k in range(5)}) == 10


FAULTS: dict[str, tuple[str, str]] = {
    "no TOML": ('about = "x\n', r"d\.toml:1: invalid TOML"),
    "unknown key": ("nigths = 3\n", r"d\.toml:1: nigths: unknown key \(did you mean 'nights'\?\)"),
    "a field of the scenario": ("patrons = 3\n", r":1: patrons: unknown key; .*under \[set\]"),
    "unknown key inside": (TAU + "value = [1]\n", r":3: factors.0.value: .*did you mean 'values'"),
    "replicates none": ("seed = 1\nreplicates = 0\n", r":2: replicates: must be at least 1"),
    "replicates in words": ('replicates = "many"\n', r"a whole number or 'auto' \(got 'many'\)"),
    "warm-up": ("nights = 3\nwarm_up = 3\n", r":2: warm_up: must leave nights .*3 of 3"),
    "auto alone": ('replicates = "auto"\n', r":1: replicates: 'auto' needs a table \[auto\]"),
    "auto unasked": (
        'outputs = ["gini"]\n[auto]\noutput = "gini"\nrelative = 0.1\n',
        r':2: auto: goes with replicates = "auto"',
    ),
    "auto without a width": (
        'replicates = "auto"\n[auto]\noutput = "gini"\n',
        r":2: auto: needs half_width or relative",
    ),
    "auto of no output": (
        'replicates = "auto"\noutputs = ["gini"]\n[auto]\noutput = "gni"\nrelative = 0.1\n',
        r":4: auto.output: is none of the outputs .*did you mean 'gini'",
    ),
    "auto that cannot end": (
        'replicates = "auto"\n[auto]\noutput = "gini"\nrelative = 0.1\nat_least = 500\n',
        r":5: auto.at_least: must not be above at_most \(got 500 and 200\)",
    ),
    "no scenario": ('scenario = "rusty-flagn"\n', r":1: scenario: .*did you mean 'rusty-flagon'"),
    "no scenario file": ('scenario = "../x.toml"\n', r":1: scenario: no such file"),
    "unknown path": (
        '[[factors]]\npath = "minds.tua"\nvalues = [0.1]\n',
        r":2: minds.tua: unknown field \(did you mean 'tau'\?\)",
    ),
    "unknown path of the second": (
        TAU + 'values = [0.1]\n[[factors]]\npath = "population.share"\nvalues = [0.1]\n',
        r":5: population.share: unknown field",
    ),
    "no such house": (
        '[[factors]]\npath = "taverns.3.custom"\nvalues = ["orc"]\n',
        r":2: taverns.3.custom: no such entry of taverns \(got 3",
    ),
    "a level out of range": (
        TAU + "values = [\n  0.1,\n  2,\n]\n",
        r":5: minds.tau: must be at most 1 \(got 2",
    ),
    "the last of many levels": (
        '[[factors]]\npath = "patrons"\nrange = { from = 3000, to = 0, step = -1 }\n',
        r":3: patrons: must be at least 1 \(got 0\)",
    ),
    "a name that is none": (
        '[[factors]]\npath = "taverns.0.custom"\nvalues = ["orc", "decnt"]\n',
        r":3: taverns.0.custom: no such custom .*did you mean 'decent'",
    ),
    "the same field twice": (
        TAU + "values = [0.1]\n" + TAU + "values = [0.2]\n",
        r":5: minds.tau: varies already \(line 2\)",
    ),
    "one inside the other": (
        '[[factors]]\npath = "minds"\nvalues = [{ tau = 0.1 }]\n' + TAU + "values = [0.2]\n",
        r":5: minds.tau: overlaps with minds \(line 2\)",
    ),
    "set and varied": (
        "[set]\nminds.tau = 0.1\n" + TAU + "values = [0.2]\n",
        r":2: minds.tau: is set for all points, and varied as minds.tau \(line 4\)",
    ),
    "two labels": (
        TAU + 'label = "a"\nvalues = [0.1]\n'
        '[[factors]]\npath = "patrons"\nlabel = "a"\nvalues = [40]\n',
        r":7: factors.1.label: must differ from that of factors.0",
    ),
    "a level twice": (TAU + "values = [0.1, 0.1]\n", r":3: .*same level stands twice \(0.1\)"),
    "a date": (TAU + "values = [1979-05-27]\n", r":3: .*must be a finite number, text"),
    "no number": (TAU + "values = [nan]\n", r":3: .*must be a finite number, text"),
    "an endless range": (
        TAU + "range = { from = 0, to = 1, step = 0 }\n",
        r":3: factors.0.range: never ends: from 0 to 1 by 0",
    ),
    "half a range": (TAU + "range = { from = 0, to = 1 }\n", r":3: .*either step or levels"),
    "two kinds": (TAU + "values = [1]\nbetween = [0, 1]\n", r":4: .*values says already"),
    "no kind": (TAU, r":1: factors.0: needs values, a range, or bounds"),
    "bounds reversed": (TAU + "between = [0.5, 0.1]\n", r":3: .*lower bound comes first"),
    "a scale without bounds": (TAU + "values = [0.1]\nlog = true\n", r":4: .*log: is said of"),
    "a scale from nothing": (
        TAU + "between = [0, 1]\nlog = true\n",
        r":3: factors.0.between: bounds of a logarithmic scale must be above 0 \(got 0 and 1\)",
    ),
    "halves of whole numbers": (
        TAU + "between = [0.5, 1]\nwhole = true\n",
        r":3: factors.0.between: bounds of whole numbers must be whole",
    ),
    "bounds in a grid": (TAU + "between = [0.1, 0.5]\n", r":3: .*is for samples"),
    "a whole number": (
        '[sampling]\nmethod = "random"\npoints = 4\n'
        '[[factors]]\npath = "patrons"\nbetween = [30, 40]\n',
        r":6: patrons: must be a whole number .*say whole = true",
    ),
    "a bound out of range": (
        '[sampling]\nmethod = "random"\npoints = 4\n' + TAU + "between = [0, 3]\n",
        r":6: minds.tau: must be at most 1 \(got",
    ),
    "no power of two": (
        DRAWN.format("sobol", "points = 100"),
        r":3: sampling.points: must be a power of two .*near are 64 and 128",
    ),
    "Saltelli's too": (DRAWN.format("saltelli", "points = 3"), r":3: .*near are 2 and 4"),
    "no points said": (DRAWN.format("random", ""), r":1: sampling.points: must be given"),
    "trajectories of others": (
        DRAWN.format("sobol", "points = 4\ntrajectories = 4"),
        r":4: sampling.trajectories: method 'sobol' goes by points",
    ),
    "points of Morris": (
        DRAWN.format("morris", "points = 4"),
        r":3: sampling.points: method 'morris' goes by trajectories",
    ),
    "the same field twice in a sample": (
        DRAWN.format("random", "points = 4") + '[[factors]]\npaths = ["patrons", "minds.tau"]\n'
        "between = [0.1, 0.2]\n",
        r":8: minds.tau: varies already \(line 5\)",
    ),
    "a sample beside a table": (
        DRAWN.format("random", 'points = 4\nfile = "x.csv"'),
        r":4: sampling.file: goes with method",
    ),
    "too large a sample": (
        DRAWN.format("saltelli", "points = 1048576"),
        r":3: sampling.points: makes 4,194,304 points",
    ),
    "odd levels of Morris": (
        DRAWN.format("morris", "trajectories = 4\nlevels = 5"),
        r":4: sampling.levels: must be an even number",
    ),
    "Morris over names": (
        '[sampling]\nmethod = "morris"\ntrajectories = 4\n' + TAU + "values = [0.1, 0.2]\n",
        r":6: .*Morris steps between bounds",
    ),
    "unknown method": ('[sampling]\nmethod = "lhs"\n', r":2: sampling.method: must be 'grid'"),
    "points of a grid": ("[sampling]\npoints = 9\n" + TAU + "values = [0.1]\n", r":1: .*a method"),
    "nothing to sample": ('[sampling]\nmethod = "random"\npoints = 9\n', r"no factors to sample"),
    "unknown output": (
        'outputs = [\n  "gini",\n  "ginni_change",\n]\n',
        r":3: .*'ginni_change'; did you mean 'gini_change'",
    ),
    "an output twice": ('outputs = ["gini",\n"gini"]\n', r":2: output 'gini' is there twice"),
    "unknown series": ('series = ["round"]\n', r":1: .*did you mean 'rounds'"),
    "no file of outputs": ('outputs = ["mine.py:delay"]\n', r":1: .*no such file"),
    "no file of points": (
        '[sampling]\nmethod = "table"\nfile = "nope.csv"\n',
        r":3: sampling.file: no such file \(got 'nope.csv'",
    ),
    "a fixed setting": ("[set]\nminds.tau = 0.1\nminds.tua = 3\n", r":3: minds.tua: unknown"),
    "a point": (
        "[[points]]\nminds.tau = 0.3\n\n[[points]]\nminds.tau = 3\n",
        r":4: minds.tau: must be at most 1",
    ),
    "points and factors": (
        "[[points]]\nminds.tau = 0.3\n" + TAU + "values = [0.1]\n",
        r":3: the points are given one by one",
    ),
    "a label of no point": (
        '[[points]]\nminds.tau = 0.3\n[[factors]]\npath = "patrons"\nlabel = "p"\n',
        r":4: factors.0.path: patrons is set by no point",
    ),
    "a point that says a field twice": (
        '[[points]]\nminds.tau = 0.3\n\n[[points]]\n"minds.tau" = 0.2\nminds = { tau = 0.1 }\n',
        r":6: minds.tau: is set already \(line 5\), written in another way",
    ),
    "a setting twice": (
        '[set]\n"talk.contacts" = 2\n[set.talk]\ncontacts = 3\n',
        r":4: talk.contacts: is set already \(line 2\)",
    ),
    "a point twice": (
        "[[points]]\nminds.tau = 0.3\n\n[[points]]\nminds.tau = 0.30\n",
        r":4: points.1: sets the same as points.0 \(line 1\); leave one out",
    ),
    "a point as the scenario is, twice": (
        "[[points]]\n[[points]]\nminds.tau = 0.3\n[[points]]\n",
        r":4: points.2: sets the same as points.0 \(line 1\)",
    ),
    "points that overlap": (
        '[[points]]\nminds.tau = 0.3\n[[points]]\n"minds.tau.x" = 1\n',
        r":1: minds.tau.x: overlaps with minds.tau, which the points set",
    ),
    "a name of a folder": ('name = "../x"\n', r":1: name: must not start with a dot"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_told_with_their_line(tmp_path: Path, name: str) -> None:
    text, told = FAULTS[name]
    with pytest.raises(SweepError, match=told) as caught:
        load(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path}/d.toml:")
    assert "\n" not in str(caught.value)


def test_several_mistakes_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(SweepError) as caught:
        load(tmp_path, 'nights = 0\nluck = "both"\nseed = -1\n')
    lines = str(caught.value).splitlines()
    assert [line.partition("d.toml:")[2][:4] for line in lines] == ["1: n", "2: l", "3: s"]


def test_a_thousand_million_points_are_counted_not_made(tmp_path: Path) -> None:
    paths = ("minds.tau", "justice.accuse_prob", "justice.brawl_prob")
    text = "".join(
        f'[[factors]]\npath = "{path}"\nrange = {{ from = 0, to = 0.999, step = 0.001 }}\n'
        for path in paths
    )
    with pytest.raises(SweepError, match=r"has 1,000,000,000 points .*latin-hypercube") as caught:
        load(tmp_path, text)
    assert "minds.tau: 1,000 x" in str(caught.value)


def test_too_many_runs(tmp_path: Path) -> None:
    text = "replicates = 1000000\n" + TAU + "range = { from = 0, to = 1, levels = 21 }\n"
    with pytest.raises(SweepError, match=r":1: 21 points x 1,000,000 replicates are 21,000,000"):
        load(tmp_path, text)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("3,40,lax", r":3335: minds.tau: must be at most 1"),
        ("0.1,40,ork", ":3335: taverns.0.custom"),
    ],
)
def test_the_corners_of_a_large_table_are_tried(tmp_path: Path, row: str, told: str) -> None:
    rows = [f"{k / 1e5:.5f},{40 + k % 300},{'orc' if k % 2 else 'lax'}" for k in range(5000)]
    rows[3333] = row
    head = "minds.tau,patrons,taverns.0.custom"
    (tmp_path / "points.csv").write_text("\n".join([head, *rows]))
    with pytest.raises(SweepError, match=told):
        load(tmp_path, '[sampling]\nmethod = "table"\nfile = "points.csv"\n')


TABLES = {
    "": r"points\.csv: is empty",
    "minds.tua\n0.1\n": r"points\.csv:1: column minds.tua: unknown field \(did you mean 'tau'",
    "minds.tau,patrons\n0.1,40\n0.2\n": r"points\.csv:3: this row has 1 cells, and .*2 columns",
    "minds.tau,patrons\n0.1,40\n0.2,\n": r"points\.csv:3: patrons: the cell is empty",
    "minds.tau,patrons\n0.1,40\n\n3,40\n": r"points\.csv:4: minds.tau: must be at most 1",
    "minds.tau,patrons\n": r"points\.csv: there is no point in it",
    "minds.tau,minds.tau\n1,2\n": r"points\.csv:1: column 'minds.tau' stands twice",
    ",minds.tau\n0,0.1\n": r"points\.csv:1: column 1 has no name .*index=False",
    "minds.tau\n0.1\n\n0.2\n0.10\n": r"points\.csv:5: sets the same as line 2; leave one out",
    "minds.tau\nnan\n": r"points\.csv:2: minds.tau: must be a finite number",
    'minds.tau\n"0.1\n': r"points\.csv:2: is no CSV",
    "minds.tau,minds.tau.x\n0.1,1\n": r"points\.csv:1: minds.tau.x: overlaps with minds.tau",
    "scenario_id,minds.tau\n1,0.1\n": r"points\.csv: column scenario_id must number the points",
}


@pytest.mark.parametrize("text", TABLES)
def test_faulty_tables(tmp_path: Path, text: str) -> None:
    (tmp_path / "points.csv").write_text(text)
    with pytest.raises(SweepError, match=TABLES[text]):
        load(tmp_path, '[sampling]\nmethod = "table"\nfile = "points.csv"\n')


@pytest.mark.parametrize(
    "text",
    [
        "minds.tau,taverns.0.streaks_last,taverns.0.custom,taverns.0.mug_cp\n"
        "0.1,true,orc,5 cp\n0.2,FALSE,lax,1 sp\n",
        "\ufeffscenario_id;minds.tau;taverns.0.streaks_last;taverns.0.custom;taverns.0.mug_cp\r\n"
        '0;0.1;TRUE;orc;"5 cp"\r\n1;0.2;false; lax;1 sp\r\n',
    ],
    ids=["plain", "of a spreadsheet"],
)
def test_cells_are_read_as_settings_are(tmp_path: Path, text: str) -> None:
    (tmp_path / "points.csv").write_text(text, encoding="utf-8", newline="")
    design = load(tmp_path, '[sampling]\nmethod = "table"\nfile = "points.csv"\n')
    assert [*design.points[1].values()] == [0.2, False, "lax", "1 sp"]
    assert design.points[0]["taverns.0.streaks_last"] is True


def test_what_a_design_writes_it_reads(tmp_path: Path) -> None:
    design = load(tmp_path, TAU + "values = [0.1, 0.3]\n")
    frame = design.points.frame()
    frame.to_csv(tmp_path / "points.csv", index=False)
    frame.to_parquet(tmp_path / "points.parquet")
    for name in ("points.csv", "points.parquet"):
        again = load(tmp_path, f'[sampling]\nmethod = "table"\nfile = "{name}"\n')
        assert again.points.frame().equals(frame)


def test_mappings_say_the_same_as_files(tmp_path: Path) -> None:
    document: dict[str, Any] = {
        "outputs": ["gini"],
        "factors": [{"path": "minds.tau", "values": [0.1, 0.2]}],
    }
    text = 'outputs = ["gini"]\n' + TAU + "values = [0.1, 0.2]\n"
    assert design_from(document).digest() == load(tmp_path, text).digest()
    with pytest.raises(SweepError, match=r"^factors.0.value: unknown key"):
        design_from({"factors": [{"path": "minds.tau", "value": [1]}]})


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("cheating-and-custm", "no such design .*did you mean 'cheating-and-custom'"),
        ("rusty-flagon", "is a scenario, not a design; .*tavern new FILE --sweep"),
        ("nope.toml", "no such design"),
        (Path(), "is a folder; a design is a TOML file"),
    ],
)
def test_what_is_no_design(source: str | Path, told: str) -> None:
    with pytest.raises(SweepError, match=told):
        load_design(source)


def test_errors_can_be_read_by_a_program(tmp_path: Path) -> None:
    with pytest.raises(SweepError) as caught:
        load(tmp_path, "nights = 30\nreplicates = 0\n")
    assert (caught.value.path, caught.value.line) == (tmp_path / "d.toml", 2)
    assert json.dumps(caught.value.problem)
