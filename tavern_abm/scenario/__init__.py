"""Scenario files: what they may say, how they are read, and what is said of mistakes."""

from .loading import builtin_scenarios, load_scenario
from .problems import Problem, ScenarioError
from .schema import (
    Economy,
    Justice,
    Minds,
    Person,
    Population,
    Scenario,
    Suspicion,
    TableOfGames,
    Tavern,
    YardEvent,
)
from .settings import parse_setting
from .verifying import verify_scenario

__all__ = [
    "Economy",
    "Justice",
    "Minds",
    "Person",
    "Population",
    "Problem",
    "Scenario",
    "ScenarioError",
    "Suspicion",
    "TableOfGames",
    "Tavern",
    "YardEvent",
    "builtin_scenarios",
    "load_scenario",
    "parse_setting",
    "verify_scenario",
]
