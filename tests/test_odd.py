"""The ODD page says what the code does: tables, headings, modules and equations held against it."""

import importlib.util
import math
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace as Some
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.special import expit, logit

from tavern_abm import TavernModel, odd_constants, odd_reference
from tavern_abm.continuing.standing import state
from tavern_abm.games import GAMES, betting, load_game, race_sheet
from tavern_abm.games import race as race_rules
from tavern_abm.games import rotting_toes as toes
from tavern_abm.odd_constants import CONSTANTS, origin_of
from tavern_abm.odd_decisions import IN_WORDS as WORDS_OF_DECISIONS
from tavern_abm.odd_decisions import SUBMODELS
from tavern_abm.odd_state import CHANGES, VARIABLES, name_in_state
from tavern_abm.patrons import homes, traits
from tavern_abm.patrons.decisions import (
    arm_wrestling,
    chase,
    contests,
    general,
    justice,
    learning,
    lending,
    magic_wand,
    race,
    rotting_toes,
    shipped_decisions,
    talk,
)
from tavern_abm.run_columns import STATE
from tavern_abm.society import suspicion
from tavern_abm.society import talk as gossip
from tavern_abm.tables import fitness, flight_run, seats
from tavern_abm.tables import magic_wand as wand_tables
from tavern_abm.tables import rotting_toes as toes_tables
from tavern_abm.town import bar, day, reputation

PAGE = odd_reference.PAGE.read_text(encoding="utf-8")
HEADINGS = (
    "1. Purpose and patterns",
    "2. Entities, state variables, and scales",
    "3. Process overview and scheduling",
    "4. Design concepts",
    "5. Initialization",
    "6. Input data",
    "7. Submodels",
)
CONCEPTS = (
    "Basic principles",
    "Emergence",
    "Adaptation",
    "Objectives",
    "Learning",
    "Prediction",
    "Sensing",
    "Interaction",
    "Stochasticity",
    "Collectives",
    "Observation",
)
PACKAGE = Path(odd_reference.__file__).parent


def section(number: int) -> str:
    """The text under a numbered heading of the protocol."""
    return PAGE.split(f"## {number}. ")[1].split("\n## ")[0]


# ---------------------------------------------------------------- tables


def test_the_tables_are_what_the_code_says() -> None:
    hint = "python -m tavern_abm.odd_reference"
    assert odd_reference.filled(PAGE) == PAGE, f"out of date: {hint}"


def test_a_table_out_of_date_is_noticed() -> None:
    assert "`talk.contacts` | whole number | `3`" in PAGE
    aged = PAGE.replace(
        "`talk.contacts` | whole number | `3`", "`talk.contacts` | whole number | `4`"
    )
    assert odd_reference.filled(aged) == PAGE


def test_every_parameter_is_in_one_table() -> None:
    named = [
        what or "The scenario itself"
        for kind, what in odd_reference.blocks(PAGE)
        if kind == "parameters"
    ]
    assert sorted(named) == sorted(odd_reference.parameters_by_section())


def test_every_state_variable_is_in_one_table() -> None:
    tables = [what for kind, what in odd_reference.blocks(section(2)) if kind == "state"]
    assert sorted(tables) == sorted(VARIABLES)
    named = [name_in_state(part, each) for part in tables for each in VARIABLES[part]]
    assert sorted(named) == sorted(STATE)
    assert all(each.changes in CHANGES for part in VARIABLES.values() for each in part.values())


@pytest.mark.parametrize("scenario", ["gossip-town", "rusty-flagon"])
def test_state_variables_keep_to_their_ranges_and_static_ones_stay(scenario: str) -> None:
    model = TavernModel(scenario, rng=1, patrons=60)
    before = {name: np.copy(each) for name, each in state(model).items()}
    model.run_for(15)
    for name, now in state(model).items():
        part, _, variable = name.rpartition(".")
        about = VARIABLES[part or "town"][variable]
        held = now[: model.n_rows] if part in ("people", "sheet") else now
        if np.size(held):
            assert about.least is None or np.min(held) >= about.least, name
            assert about.most is None or np.max(held) <= about.most, name
        if about.changes == "static" and part in ("people", "sheet", "ledger", "games"):
            there = before[name][:60] if part != "ledger" else before[name]
            assert np.array_equal(now[:60] if part != "ledger" else now, there), name


def test_what_is_said_to_be_of_tonight_is_set_anew_in_the_morning() -> None:
    blank = {name for name, each in VARIABLES["people"].items() if each.changes == "tonight"}
    patron = Some(games_net=7, streak=3, **dict.fromkeys(blank, 99))
    day.begin_evening(patron, 1, 12345, 1)
    kept = {name for name, value in vars(patron).items() if value == 99}
    assert (kept, patron.streak) == (set(), 3)
    changed = {name for name in vars(patron) if name not in ("games_net", "streak")}
    assert changed == blank


def test_every_decision_has_a_submodel_that_names_its_module() -> None:
    texts = dict(re.findall(r"^### (7\.\d+) (.+?)(?=^### |\Z)", section(7), flags=re.M | re.S))
    assert list(SUBMODELS) == list(shipped_decisions())
    assert set(WORDS_OF_DECISIONS) <= set(SUBMODELS)
    for name, decision in shipped_decisions().items():
        assert decision.__module__.removeprefix("tavern_abm.") in texts[SUBMODELS[name]], name
    rows = [line for line in section(4).splitlines() if line.startswith("| `")]
    assert not [row for row in rows if "see `" in row or "`choose_" in row]


def test_origins_are_of_constants_that_there_are() -> None:
    listed = {f"{module}.{name}" for each in CONSTANTS.values() for module, name, _ in each}
    assert set(odd_constants._ORIGIN_OF) <= listed
    assert origin_of("checks", "HARD_DC") == odd_constants.BY_RULE


def test_the_page_names_its_version() -> None:
    project = tomllib.loads(odd_reference.PROJECT.read_text(encoding="utf-8"))["project"]
    assert f"Version {project['version']} of tavern_abm" in PAGE.split("## 1.")[0]


def test_every_constant_is_in_one_table() -> None:
    named = [what for kind, what in odd_reference.blocks(PAGE) if kind == "constants"]
    assert sorted(named) == sorted(CONSTANTS)


def test_nothing_but_what_is_made_stands_between_markers() -> None:
    n_blocks = len(odd_reference.blocks(PAGE))
    assert PAGE.count("<!-- made: ") == PAGE.count("<!-- made end -->") == n_blocks


# ---------------------------------------------------------------- the protocol


def test_the_seven_headings_of_the_protocol_in_order() -> None:
    found = re.findall(r"^## (\d\. .+)$", PAGE, flags=re.M)
    assert tuple(found) == HEADINGS


def test_the_eleven_design_concepts_in_order() -> None:
    assert tuple(re.findall(r"^### (.+)$", section(4), flags=re.M)) == CONCEPTS


def test_submodels_are_numbered_and_those_referred_to_exist() -> None:
    numbers = [int(number) for number in re.findall(r"^### 7\.(\d+) ", PAGE, flags=re.M)]
    assert numbers == list(range(1, len(numbers) + 1))
    referred = {int(number) for number in re.findall(r"\b7\.(\d+)\b", PAGE)}
    assert referred <= set(numbers)


def test_every_submodel_names_modules_that_exist() -> None:
    submodels = re.split(r"^### 7\.\d+ ", section(7), flags=re.M)[1:]
    for text in [section(5), *submodels]:
        said = re.search(r"\*Code: (.+?)\.\*", text, flags=re.S)
        assert said, text[:60]
        modules = re.findall(r"`([\w.]+)`", said[1])
        assert modules, text[:60]
        for module in modules:
            assert importlib.util.find_spec(f"tavern_abm.{module}"), module


FLOORS = ("games", "patrons", "patrons/decisions", "society", "tables", "town")
HELPERS = {
    "games": {"odds"},
    "patrons": {"competitor", "patron"},
    "society": {"grapevine", "rumor_limits"},
    "tables": {"backing", "flight_told", "happenings", "record", "runners", "sittings", "telling"},
}
"""Parts of submodels that are named by their main module, and what only records or names."""


@pytest.mark.parametrize("floor", FLOORS)
def test_no_module_of_the_dynamics_is_forgotten(floor: str) -> None:
    """A new module of the society, the tables or the town has to find its submodel.

    Games are left out: a new one is five files and no other.
    """
    named = set(re.findall(r"`([\w.]+\.[\w.]+)`", PAGE))
    stems = {file.stem for file in (PACKAGE / floor).glob("[a-z]*.py")}
    prefix = floor.replace("/", ".")
    unnamed = {stem for stem in stems if f"{prefix}.{stem}" not in named}
    of_games = tuple(GAMES.values())
    forgotten = {each for each in unnamed if not each.startswith(of_games)}
    assert forgotten == HELPERS.get(floor, set()), "name it in section 7, or list it here"


# ---------------------------------------------------------------- what is said in words


def test_streaks_last_by_the_custom_of_the_home_tavern() -> None:
    assert "unless at the person's *home* tavern" in PAGE
    settings = {"taverns.0.streaks_last": True, "minds.go_out_prob": 0.0}
    model = TavernModel("gossip-town", rng=1, patrons=40, **settings)
    model.people.streak[:] = 3
    model.run_for(1)
    assert (model.people.streak[:40] == 3 * (model.people.home[:40] == 0)).all()


def test_an_assumed_cheat_is_reckoned_with_by_the_first_house() -> None:
    assert "reckoned with the DC of its first house" in " ".join(PAGE.split())
    models = [
        TavernModel("gossip-town", rng=1, patrons=9, **{"taverns.1.thievery_dc": dc})
        for dc in (19, 30)
    ]
    assert models[0].ways.assumed_win == models[1].ways.assumed_win
    assert (models[0].ways.cheat_evidence[1] != models[1].ways.cheat_evidence[1]).any()


def test_games_need_as_many_seats_as_the_page_says() -> None:
    said = re.search(r"`MIN_SEATS`: (\d) at Magic Wand, (\d)\s+elsewhere", PAGE)
    assert said, "the page does not say it any more"
    found = {game: load_game(game).MIN_SEATS for game in GAMES}
    assert found == dict.fromkeys(GAMES, int(said[2])) | {"magic-wand": int(said[1])}


def test_another_void_round_settles_a_faded_belief_again() -> None:
    assert "another void round sets it to 6 again" in " ".join(PAGE.split())
    ways = TavernModel("gossip-town", rng=1, patrons=9).ways
    memory = suspicion.memory_of(suspicion.blank_beliefs(1, 4), 0)
    k = suspicion.place(memory, 7, 1, ways)
    suspicion.settle(memory, k, 1, ways)
    assert suspicion.log_odds_now(memory, k, 40, ways) < 5
    suspicion.settle(memory, k, 40, ways)
    assert close(suspicion.log_odds_now(memory, k, 40, ways), 6)


def test_prose_keeps_its_margin() -> None:
    lines = [line for line in PAGE.splitlines() if not line.startswith(("|", "    ", "<!--"))]
    assert not [line for line in lines if len(line) > 104]


# ---------------------------------------------------------------- equations

type Rng = np.random.Generator


def close(a: Any, b: Any) -> bool:
    return math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-12)


def chance_of(decide: Callable[[float], bool]) -> float:
    """The chance of a decision that says yes for u below it, found by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if decide(middle) else (low, middle)
    return low


def living(rng: Rng) -> bool:
    purse, wage = (int(each) for each in rng.integers(0, [9000, 300]))
    cost = min(purse, (40 * wage + max(0, purse - 15 * wage)) // 50)
    return day.living_cost(purse, wage) == cost


def going_out(rng: Rng) -> bool:
    purse, wage = (int(each) for each in rng.integers(1, 900, 2))
    patron, minds = Some(gold=purse, wage=wage), Some(go_out_prob=0.6)
    said = 0.6 * min(1, purse / (5 * wage))
    return close(chance_of(lambda u: general.goes_out(patron, minds, 1, u)), said)


def appeal_of_a_house(rng: Rng) -> bool:
    loyalty, taste, quality, far, worth, name = rng.normal(size=6)
    price, purse = (int(each) for each in rng.integers(0, 300, 2))
    said = loyalty - 10 * price / max(1, purse) + taste * (quality - 3) - far + worth * name
    patron = Some(gold=purse)
    found = general.tavern_appeal(patron, loyalty, price, taste * (quality - 3), far, worth * name)
    return close(found, said)


def mugs(rng: Rng) -> bool:
    purse, mug, d = (int(each) for each in rng.integers(1, [900, 9, 9]))
    return bar.mugs_afforded(purse, mug, d) == max(
        0, min((purse + d * mug) // 10 - d * mug, purse) // mug
    )


def appeal_of_a_game(rng: Rng) -> bool:
    likes, stake, purse = rng.normal(), int(rng.integers(0, 99)), int(rng.integers(0, 999))
    return close(
        general.game_appeal(Some(gold=purse), likes, stake), likes - 10 * stake / max(1, purse)
    )


def stake_of_a_table(rng: Rng) -> bool:
    median = int(rng.integers(0, 9000))
    said = max([s for s in general.STAKES if 50 * s <= median], default=1)
    return general.table_stake(median) == said


def estimate(rng: Rng) -> bool:
    won, seen = sorted(int(each) for each in rng.integers(0, 200, 2))
    return close(rotting_toes.hand_wins_prob(won, seen), (20.4 + won) / (50 + seen))


def sides(rng: Rng) -> bool:
    rationality, mood, p = rng.uniform(0, 6), rng.normal(0, 0.3), rng.uniform()
    n_rot, n_not = (int(each) for each in rng.integers(0, 5, 2))
    ev_not = p * n_rot / (2 + n_not) - (1 - p) if n_rot else 0.0
    ev_rot = (1 - p) * (1 + n_not) / (n_rot + 1) - p
    rot, not_ = (math.exp(rationality * (ev + mood)) for ev in (ev_rot, ev_not))
    args = (rationality, mood, p, n_rot, n_not)
    below = chance_of(lambda u: rotting_toes.choose_side(*args, u) == rotting_toes.ROT)
    out = 1 - chance_of(lambda u: rotting_toes.choose_side(*args, u) != rotting_toes.OUT)
    return close(below, rot / (rot + not_ + 1)) and close(out, 1 / (rot + not_ + 1))


def attention(rng: Rng) -> bool:
    perception, drinks = int(rng.integers(-3, 9)), int(rng.integers(0, 9))
    patron, ways = Some(perception=perception, drinks=drinks), Some(attention=1)
    said = expit(1.5 + 0.15 * perception - 0.4 * max(0, drinks - 2))
    return close(seats.attention_of(patron, ways), said)


def tries(rng: Rng) -> bool:
    stake, purse, drinks, failed = (int(each) for each in rng.integers(0, [99, 999, 9, 2]))
    cheating, restraint, tau = rng.normal(), rng.uniform(0, 2), rng.uniform(0.05, 0.9)
    since = int(rng.integers(27, 35))
    m = cheating + 0.5 * min(4, 10 * stake / max(1, purse)) + 0.2 * max(0, drinks - 2)
    m -= restraint + 1.5 * (failed == 1) + 1.0 * (since <= 30)
    patron = Some(
        is_cheat=1, propensity=-1.0, cheating=cheating, gold=purse, drinks=drinks, punished=0
    )
    minds = Some(tau_moves=1, tau_logit=float(logit(tau)))
    args = (patron, failed, stake, restraint, since, minds)
    return close(chance_of(lambda u: rotting_toes.is_tempted(*args, u)), expit(logit(tau) + m))


def moved_by_hearsay(rng: Rng) -> bool:
    own, told, n_own, b = rng.normal(0, 4), rng.normal(0, 4), rng.uniform(0, 30), rng.uniform()
    m = np.clip(told, -4.5, 4.5)
    w = 0.3 * (1 - b) * 8 / (8 + n_own)
    stays = abs(own) > 4.5 and abs(own) > abs(m) and own * m > 0
    return close(suspicion.heard(own, told, n_own, b, 0.3), own if stays else own + w * (m - own))


def accusing(rng: Rng) -> bool:
    threshold, drinks, night = (
        rng.normal(0.7, 0.7),
        int(rng.integers(0, 9)),
        int(rng.integers(0, 9)),
    )
    patron = Some(threshold=threshold, drinks=drinks, lost_face_until=4)
    bar_ = threshold - 0.1 * max(0, drinks - 2) + 0.7 * (night <= 4)
    level = rng.normal(0.7, 1)
    said = 0.3 if level > bar_ else 0.0
    return close(chance_of(lambda u: general.accuses(patron, level, night, 0.3, 0.7, u)), said)


def bribing(rng: Rng) -> bool:
    h = rng.normal()
    args = (Some(gold=500), Some(honesty=h), 4, 200, Some(bribe_prob=0.05))
    odds = 0.05 / (1 - 0.05) * math.exp(math.log(0.53) * h)
    return close(chance_of(lambda u: justice.offers_bribe(*args, u)), odds / (1 + odds))


def away(rng: Rng) -> bool:
    lead, edge = rng.uniform(1, 29), rng.normal(0, 4)
    g = 2 * edge / 66.5
    said = (1 - math.exp(-g * (lead + 4.75))) / (1 - math.exp(-g * (30 + 2 * 4.75)))
    at_rest = (lead + 4.75) / 39.5
    return close(chase.escape_prob(lead, edge), said) and close(
        chase.escape_prob(lead, 0.0), at_rest
    )


def fleeing(rng: Rng) -> bool:
    e, edge, dexterity = rng.normal(), rng.normal(0, 3), int(rng.integers(3, 19))
    what, dread = [(3, 0.5), (4, 1.5), (5, 4)][int(rng.integers(0, 3))]
    p = chase.escape_prob(10.5 + (dexterity - 10) // 2, edge)
    args = (None, Some(dexterity=dexterity, emotionality=e), what, edge, Some(runs=1))
    said = expit(2 * (dread * p - 1) + 0.3 * e)
    return close(chance_of(lambda u: justice.flees(*args, u)), said)


def lying(rng: Rng) -> bool:
    h, slope = rng.normal(), math.log(0.53)
    odds = 0.05 / (1 - 0.05) * math.exp(slope * h)
    return close(chance_of(lambda u: talk.lies(None, h, slope, 0.05, u)), odds / (1 + odds))


def on_mind(rng: Rng) -> bool:
    heard, night = (int(each) for each in rng.integers(0, 12, 2))
    return close(gossip.freshness(heard, night, 7), max(0, 1 - (night - heard) / 7))


def telling(rng: Rng) -> bool:
    claim = int(rng.integers(0, len(talk.CLAIMS)))
    said = min(1, 0.7 * talk.INTEREST[claim])
    return close(chance_of(lambda u: talk.tells(None, claim, False, 0.7, u)), said)


def believing(rng: Rng) -> bool:
    b, prior = rng.uniform(), rng.uniform(0, 0.5)
    said = min(1, 0.7 * (1 - b) / (1 - prior))
    return close(chance_of(lambda u: talk.believes(None, b, prior, 0.7, u)), said)


def dodging(rng: Rng) -> bool:
    h = rng.normal()
    loans = Some(dodge_logit=float(logit(0.1)), honesty=lending.dodge_slope(0.53))
    args = (None, Some(honesty=h), loans)
    kept = chance_of(lambda u: not lending.pays_back(*args, u))
    return close(kept, expit(logit(0.1) + math.log(0.53) * h))


def form(rng: Rng) -> bool:
    drinks, weary = int(rng.integers(0, 12)), int(rng.integers(0, 2))
    said = -1 * min(4, max(0, drinks - 2)) - 2 * weary
    return fitness.form(Some(drinks=drinks, weary=weary), Some(drink_penalty=1)) == said


def doubting(rng: Rng) -> bool:
    w, z = rng.uniform(0.01, 0.99), rng.uniform(0, 2)
    return close(magic_wand.doubted(w, z), w / (w + (1 - w) * math.exp(3 * min(1, z))))


def wrestling(rng: Rng) -> bool:
    edge, stake, purse = (
        int(rng.integers(-6, 7)),
        int(rng.integers(1, 20)),
        int(rng.integers(20, 999)),
    )
    mood, bold = rng.normal(0, 0.3), rng.normal()
    m = 4 * (2 * expit(0.56 * edge) - 1 + mood) + bold - 10 * stake / max(1, purse)
    args = (edge, stake, purse, 4.0, mood, bold)
    return close(chance_of(lambda u: arm_wrestling.wrestles(*args, u)), expit(m))


def nerve(rng: Rng) -> bool:
    x, e, wounds, hurts = (
        rng.normal(),
        rng.normal(),
        int(rng.integers(0, 9)),
        int(rng.integers(0, 2)),
    )
    return close(
        arm_wrestling.nerve(x, e, wounds, hurts), 0.5 * x - 0.25 * wounds - 0.5 * (1 + e) * hurts
    )


def entering(rng: Rng) -> bool:
    q, n, stake, purse = rng.uniform(), int(rng.integers(2, 9)), 10, int(rng.integers(10, 60))
    mood, wounds = rng.normal(0, 0.3), int(rng.integers(0, 9))
    m = 4 * (n * q - 1 + mood) - min(4, 10 * stake / purse) / 2 - wounds / 4
    args = (q, n, stake, purse, wounds, 4.0, mood)
    return close(chance_of(lambda u: contests.enters_contest(*args, u)), expit(m))


def backing(rng: Rng) -> bool:
    p, on, pool, n = rng.uniform(), int(rng.integers(0, 99)), int(rng.integers(99, 999)), 4
    said = p * (pool + 2 * 10) / (on + 10 + 10 / n) - 1
    return close(contests.backed_gain(p, on, pool, 10, n), said)


def reinforced(rng: Rng) -> bool:
    q, reward, chosen = rng.uniform(0, 9), rng.normal(0, 5), bool(rng.integers(0, 2))
    said = max(0.01, 0.98 * q + reward * (0.95 if chosen else 0.05))
    kept = (learning.KEPT, learning.SPILL, learning.LEAST)
    return close(learning.reinforced(q, reward, chosen, *kept), said)


def cost_of_a_sentence(rng: Rng) -> bool:
    out, beaten, nights = (
        bool(rng.integers(0, 2)),
        bool(rng.integers(0, 2)),
        int(rng.integers(0, 30)),
    )
    return close(learning.cost_of(out, nights, beaten), 1 * out + 0.5 * nights + 8 * beaten)


def names_of_houses(rng: Rng) -> bool:
    counts = rng.integers(0, int(rng.integers(2, 9)), (1, 80))
    counts[0, reputation.N_GUESTS] = guests = int(rng.integers(0, 90))
    name = np.array([rng.uniform(-3, 3)])
    total = sum(counts[0, at] * weight for at, weight in reputation.WEIGHTS.items())
    said = np.clip(0.9 * name[0] + 0.1 * 10 * total / max(20, guests), -3, 3)
    reputation.renew_repute(name, counts)
    return close(name[0], said)


def kinds(rng: Rng) -> bool:
    h, population = rng.normal(), Some(honesty_odds_ratio=0.53)
    a0 = traits.cheat_intercept(0.10, 0.53)
    said = expit(a0 + math.log(0.53) * h)
    is_noted = f"a0 = {a0:.5f} by default" in PAGE
    return is_noted and close(traits.kind_prob(np.array([h]), a0, population)[0], said)


def what_a_round_proves(rng: Rng) -> bool:
    cheat, honest, phi = rng.uniform(size=(1, 2, 2, 4, 2)), rng.uniform(size=(2, 4)), rng.uniform()
    x, odd = int(rng.integers(0, 2)), int(rng.integers(0, 4))
    prior = (1 - phi, phi)
    s = sum(prior[f] * cheat[0, f, x, odd, after] for f in (0, 1) for after in (0, 1))
    marked = sum(prior[f] * cheat[0, f, x, odd, 1] for f in (0, 1)) / s
    hand, ways = Some(filter=phi), Some(cheat_evidence=cheat, honest_evidence=honest)
    shift = toes_tables.weigh(hand, ways, 0, (toes.WIN, toes.LOSE)[x], odd)
    return close(shift, math.log(s / honest[x, odd])) and close(hand.filter, marked)


def what_a_throw_proves(rng: Rng) -> bool:
    tau, alarm, thievery, dc = rng.uniform(0.1, 0.9), 0.01, int(rng.integers(0, 12)), 19
    beliefs = Some(false_alarm=alarm, assumed_thievery=thievery, assumed_tau=tau)
    own = wand_tables.make_own([], Some(suspicion=beliefs, taverns=[Some(thievery_dc=dc)]))
    fails = 1 - min(20, max(0, 21 + thievery - dc)) / 20
    ok = True
    for die, faces in enumerate((4, 6, 8)):
        t = tau * (1 - 1 / faces) * fails
        ok &= close(own.odd[0, die], math.log((t + (1 - t) * alarm) / alarm))
        ok &= close(own.plain[0, die], math.log(1 - t))
    return ok


def fading_away(rng: Rng) -> bool:
    prior, level, nights = -2.2, rng.normal(0, 3), int(rng.integers(0, 60))
    held = Some(log_odds=level, moved=5, settled=int(rng.integers(0, 2)))
    kept = (suspicion.fading(0.95), suspicion.fading(0.99))
    ways = Some(prior=prior, fade=kept[0], settled_fade=kept[1])
    said = prior + (level - prior) * (0.95, 0.99)[held.settled] ** nights
    return close(suspicion.log_odds_now(Some(held=[held]), 0, 5 + nights, ways), said)


def betting_on_a_hand(rng: Rng) -> bool:
    w, stake, mood, bold = rng.uniform(0.05, 0.95), 10, rng.normal(0, 0.3), rng.normal(0, 0.3)
    p, c, r = (int(each) for each in rng.integers(1, 200, 3))
    w1, w2 = (w / (w + (1 - w) * math.exp(3 * min(1, z))) for z in (c / p, (c + r) / (p + c + r)))
    call = (w1 * p - (1 - w1) * c) / stake + mood
    rise = call + (2 * w2 - 1) * r / stake + bold
    best = max(0, call, rise)
    weights = [math.exp(2 * (ev - best)) for ev in (rise, call, 0)]
    spot = magic_wand.Spot(p, c, r, 3, stake)
    args = (w, spot, bold, mood, 2.0, 0.1)
    raises = chance_of(lambda u: magic_wand.choose_bet(*args, u) == betting.RAISE)
    folds = 1 - chance_of(lambda u: magic_wand.choose_bet(*args, u) != betting.FOLD)
    share = (1 - 0.1) / sum(weights)
    return close(raises, 0.1 + share * weights[0]) and abs(folds - share * weights[2]) < 1e-9


def backing_an_arm(rng: Rng) -> bool:
    edge, n1, n2 = int(rng.integers(-6, 7)), int(rng.integers(0, 5)), int(rng.integers(0, 5))
    mood, p = rng.normal(0, 0.3), expit(0.35 * edge)
    ev_1, ev_2 = p * (1 + n2) / (1 + n1) - (1 - p), (1 - p) * (1 + n1) / (1 + n2) - p
    one, two = math.exp(4 * (ev_1 + mood)), math.exp(4 * (ev_2 + mood))
    args = (edge, n1, n2, 4.0, mood)
    first = chance_of(lambda u: arm_wrestling.backs_wrestler(*args, u) == 0)
    either = chance_of(lambda u: arm_wrestling.backs_wrestler(*args, u) != contests.NO_BET)
    return close(first, one / (one + two + 1)) and close(either, (one + two) / (one + two + 1))


def homes_of_people(rng: Rng) -> bool:
    fit, quality, places = rng.uniform(0, 3), int(rng.integers(1, 6)), float(rng.integers(1, 99))
    scenario = Some(
        taverns=[Some(quality=quality), Some(quality=3)], minds=Some(home_fit=fit), districts=[]
    )
    found = homes.home_weights(scenario, [places, 50.0])[0, :, 0]
    said = [places * math.exp(-fit * abs(quality - q)) for q in homes.FITTING.values()]
    return bool(np.allclose(found, said))


def hurt_rather_than_stopped(rng: Rng) -> bool:
    saved, harm = rng.uniform(0, 40), rng.uniform(0, 20)
    said = expit((saved - 1.5 * harm) / 3)
    return close(chance_of(lambda u: chase.rather_hurt(saved, harm, u)), said)


class Way(NamedTuple):
    """A way of a chase, at random, and who runs there."""

    who: Any
    way: Any
    q: float
    alone: float


def way_with(rng: Rng, failing: int, dc: int = 14) -> Way:
    """A way on foot where Jump may fail with this to follow."""
    who = np.zeros(race_sheet.N_FIELDS, np.int64)
    who[race_sheet.OWN : race_sheet.OWN + race_sheet.N_SKILLS] = rng.integers(-3, 6, 12)
    who[race_sheet.RATE] = 6
    way = np.array([race_sheet.FOOT, 0, race_sheet.JUMP, dc, failing, 0, 0], np.int64)
    q = min(20, max(0, 21 + flight_run.modifier_of(who, way) - dc)) / 20
    return Way(who, way, q, 10.5 + flight_run.pace_of(who, race_sheet.FOOT))


def worth_of_a_way(rng: Rng) -> bool:
    slow, retry, out = (
        way_with(rng, failing)
        for failing in (flight_run.SLOWED, flight_run.RETRY, flight_run.FORFEIT)
    )
    clear = way_with(rng, flight_run.SLOWED, dc=0)
    found = [flight_run.expected(each.who, each.way) for each in (clear, slow, retry, out)]
    said = [
        clear.alone,
        slow.q * slow.alone,
        retry.q * retry.alone - 10 * (1 - retry.q) / retry.q,
        out.q * out.alone - 60 * (1 - out.q),
    ]
    return all(map(close, found, said))


def saved_by_damage(rng: Rng) -> bool:
    slow, retry, out = (
        way_with(rng, failing)
        for failing in (flight_run.SLOWED, flight_run.RETRY, flight_run.FORFEIT)
    )
    found = [flight_run.saved_by_harm(each.who, each.way) for each in (slow, retry, out)]
    return all(map(close, found, [slow.alone, retry.alone + 10 / retry.q, out.alone + 60]))


def hiding(rng: Rng) -> bool:
    lead, over, m, edge = (int(each) for each in rng.integers([20, -9, -3, -6], [30, 10, 9, 7]))
    h = sum(a + over > b for a in range(1, 21) for b in range(1, 21)) / 400
    said = h + (1 - h) * chase.escape_prob(lead - 10.5 - m, edge)
    return close(chase.hide_worth(lead, edge, m, over), said)


def hampering(rng: Rng) -> bool:
    lead, m, edge, dexterity, balance = (
        int(each) for each in rng.integers([7, -3, -6, -3, -3], [30, 9, 7, 9, 9])
    )
    penalty = int(rng.integers(0, lead - 5))
    made = min(20, max(0, 21 + dexterity - penalty - 14)) / 20
    s = made * (1 - min(20, max(0, 21 + balance - 10 - penalty)) / 20)
    left = lead - 5 - penalty
    alone, with_him = chase.escape_prob(left + 10.5 + m, edge), chase.escape_prob(left, edge)
    args = (lead, edge, m, penalty, 5 + penalty, dexterity, balance)
    return close(chase.hazard_worth(*args), s * alone + (1 - s) * with_him)


def giving_up(rng: Rng) -> bool:
    ahead, left = int(rng.integers(-60, 60)), int(rng.integers(0, 15))
    said = expit(4 * ((10 - ahead) / math.sqrt(66.5 * (left + 1)) - 3))
    return close(chance_of(lambda u: race.gives_up(ahead, left, u)), said)


def loss_at(rng: Rng, way: int, can_retry: int) -> tuple[float, float, float]:
    """What a failure on foot costs where damage may be taken; 10.5 + M, and the chance of a try."""
    who = np.zeros(race_sheet.N_FIELDS, np.int64)
    who[race_sheet.OWN : race_sheet.OWN + race_sheet.N_SKILLS] = rng.integers(-3, 6, 12)
    course = np.zeros((1, race_rules.N_COLUMNS), np.int64)
    course[0, race_rules.KIND] = race_sheet.FOOT
    course[0, race_rules.WAY] = way
    course[0, race_rules.SKILL] = race_sheet.JUMP
    course[0, race_rules.WAY_DC] = 14
    course[0, race_rules.CAN_RETRY] = can_retry
    course[0, race_rules.MOST_RETRIES] = 9
    racer = np.zeros(race_rules.N_RACER, np.int64)
    racer[race_rules.NEEDS] = race_rules.CHOOSE
    q = min(20, max(1, 21 + race_rules.needed_modifier(racer, course, who) - 14)) / 20
    pace = race_sheet.check_modifier(who, race_sheet.FOOT, race_sheet.STRENGTH)
    return race.expected_loss(racer, course, who), 10.5 + pace, q


def loss_of_a_failure(rng: Rng) -> bool:
    at_hazard, ground, _ = loss_at(rng, race_rules.HAZARD, 0)
    at_obstacle, alone, q = loss_at(rng, race_rules.OBSTACLE, 1)
    is_out, _, _ = loss_at(rng, race_rules.OBSTACLE, 0)
    return close(at_hazard, ground) and close(at_obstacle, alone + 10 / q) and is_out == 100


def talents(rng: Rng) -> bool:
    names = ("strength", "constitution", "speed_ft", "bluff", "insight", "intelligence")
    sheet = Some(**{name: rng.integers(3, 19, 5) for name in names})
    s, c = (sheet.strength - 10.5) / 3, (sheet.constitution - 10.5) / 3
    said = {
        "arm-wrestling": s,
        "long-throw": s,
        "race": (s + c) / math.sqrt(2) + (sheet.speed_ft - 30) / 10,
        "magic-wand": ((sheet.bluff + sheet.insight - 3) / 2.7 + (sheet.intelligence - 12) / 3)
        / math.sqrt(2),
    }
    found = {game: getattr(load_game(game, "patrons.decisions"), "talent", None) for game in GAMES}
    has_some = {game for game, talent in found.items() if talent is not None}
    close_to = (np.allclose(found[game](None, sheet), said[game]) for game in said)
    return has_some == set(said) and all(close_to)


EQUATIONS: dict[str, Callable[[Rng], bool]] = {
    "places_j near_j exp(-home_fit |quality_j - q(rank)|)": homes_of_people,
    "P(kind) = expit(a0 + ln(honesty_odds_ratio) H)": kinds,
    "cost = min(purse, (40 wage + max(0, purse - 15 wage)) // 50)": living,
    "P(out) = go_out_prob min(1, purse / (5 wage))": going_out,
    "U = loyalty [own] - 10 price / max(1, purse) + quality_taste (quality - 3) - distance [far] "
    "+ repute name": appeal_of_a_house,
    "afforded = max(0, min((purse + d mug) // 10 - d mug, purse) // mug)": mugs,
    "V = inclination - 10 stake / max(1, purse)": appeal_of_a_game,
    "50 s <= median purse seated * lift / 100": stake_of_a_table,
    "p = (20.4 + W) / (50 + N)": estimate,
    "EV_rot = (1 - p) (1 + n_not) / (n_rot + 1) - p": sides,
    "attention = expit(1.5 + 0.15 Perception - 0.4 max(0, drinks - 2))": attention,
    "m = cheating + 0.5 min(4, 10 stake / max(1, purse)) + 0.2 max(0, drinks - 2)": tries,
    "shift = ln(S / H(x, o))": what_a_round_proves,
    "odd throw: ln((t + (1 - t) a) / a)        any other: ln(1 - t)": what_a_throw_proves,
    "L(n) = L0 + (L - L0) fading^n           n_own(n) = n_own fading^n": fading_away,
    "EV_raise = EV_call + (2 w2 - 1) r / stake + bold": betting_on_a_hand,
    "EV_1 = p (1 + n2) / (1 + n1) - (1 - p)        EV_2 = (1 - p) (1 + n1) / (1 + n2) - p": (
        backing_an_arm
    ),
    "w = hearsay (1 - b_ik) 8 / (8 + n_own)": moved_by_hearsay,
    "L > threshold - 0.1 max(0, drinks - 2) + lost_face "
    "[a false accusation is remembered]": accusing,
    "bribe_prob / (1 - bribe_prob) exp(ln(0.53) H)": bribing,
    "p = (1 - exp(-g (lead + 4.75))) / (1 - exp(-g (30 + 2 * 4.75)))        "
    "g = 2 edge / 66.5": away,
    "expit(2 (dread p - 1) + 0.3 E)        dread: banned 0.5, beaten 1.5, killed 4": fleeing,
    "lie_prob / (1 - lie_prob) exp(ln(honesty_odds_ratio) H)": lying,
    "interest(claim) max(0, 1 - (night - heard) / fresh_nights)": on_mind,
    "min(1, tell_prob interest(claim))": telling,
    "min(1, believe_prob (1 - b) / (1 - expit(L0)))": believing,
    "expit(logit(dodge_prob) + ln(honesty_odds_ratio) H)": dodging,
    "form = -drink_penalty min(4, max(0, drinks - 2)) - 2 [worn out]": form,
    "doubted(w, z) = w / (w + (1 - w) exp(3 min(1, z)))": doubting,
    "expit(rationality (2 expit(0.56 edge) - 1 + mood) + nerve "
    "- 10 stake / max(1, purse))": wrestling,
    "nerve = 0.5 X - 0.25 wounds - 0.5 (1 + E) [the loser is hurt]": nerve,
    "rationality (n q - 1 + mood) - min(4, 10 stake / purse) / 2 - wounds / 4": entering,
    "EV_i = p_i (pool + 2 stake) / (on_i + stake + stake / n) - 1        p_i in proportion to "
    "exp(g_i)": backing,
    "q_k <- max(0.01, 0.98 q_k + R (0.95 if k was chosen, else 0.05))": reinforced,
    "cost = 1 [thrown out, or ran] + 0.5 nights banned + 8 [beaten]": cost_of_a_sentence,
    "name <- clip(0.9 name + 0.1 * 10 S / max(20, guests), -3, 3)": names_of_houses,
    "t = (s(Strength) + s(Constitution)) / sqrt(2) + (speed - 30) / 10  race": talents,
    "E = q (10.5 + M) - 60 (1 - q)                      failing, he is out (or q = 0)": (
        worth_of_a_way
    ),
    "w_hide   = h + (1 - h) escape(lead - 10.5 - m_chaser)": hiding,
    "w_hazard = s escape(lead - 5 - penalty + 10.5 + m_escapee) + "
    "(1 - s) escape(lead - 5 - penalty)": hampering,
    "expit((saved - 1.5 harm) / 3)": hurt_rather_than_stopped,
    "expit(4 ((10 - ahead) / sqrt(66.5 (left + 1)) - 3))": giving_up,
    "loss = 10.5 + M + 10 / q      where he would try again, each time with chance q": (
        loss_of_a_failure
    ),
}


def hurt_rather_than_behind(rng: Rng) -> bool:
    loss, harm = rng.uniform(0, 40), rng.uniform(0, 20)
    said = expit(0.1 * (loss - 3 * harm))
    return close(chance_of(lambda u: race.takes_damage(harm, loss, u)), said)


def form_of_a_racer(rng: Rng) -> bool:
    m, k = rng.normal(0, 4), int(rng.integers(1, 30))
    return close(race.racing_form(m, k), 1.6 * m * k / math.sqrt(66.5 * k))


def bluffing(rng: Rng) -> bool:
    h = rng.normal(0, 3)
    return close(magic_wand.bluff_prob_of(Some(honesty=h)), min(0.25, 0.05 * math.exp(-0.5 * h)))


IN_WORDS = {
    "10.5 + M + 10 / q where he would try again; 10.5 + M + 60 where he would be out": (
        saved_by_damage
    ),
    "expit(0.1 (loss - 3 harm))": hurt_rather_than_behind,
    "1.6 m k / sqrt(66.5 k)": form_of_a_racer,
    "bluff = min(0.25, 0.05 exp(-0.5 H))": bluffing,
}


@pytest.mark.parametrize("said", EQUATIONS)
def test_equations_of_the_page_are_those_of_the_code(said: str) -> None:
    lines = [line.strip() for line in PAGE.splitlines() if line.startswith("    ")]
    assert said in lines, "the page does not say so any more: test what it says"
    rng = np.random.default_rng(1)
    assert all(EQUATIONS[said](rng) for _ in range(50))


@pytest.mark.parametrize("said", IN_WORDS)
def test_equations_in_the_text(said: str) -> None:
    assert said in PAGE
    rng = np.random.default_rng(1)
    assert all(IN_WORDS[said](rng) for _ in range(50))
