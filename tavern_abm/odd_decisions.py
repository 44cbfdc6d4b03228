"""What the ODD page says of each decision: its submodel, and some of them in other words.

The page takes the first sentence of a decision's docstring, unless that speaks of other code.
"""

from __future__ import annotations

SUBMODELS: dict[str, str] = {
    "goes_out": "7.2",
    "tavern_appeal": "7.2",
    "game_appeal": "7.4",
    "table_stake": "7.4",
    "accuses": "7.10",
    "flees": "7.11",
    "offers_bribe": "7.11",
    "asks_for_loan": "7.14",
    "lends": "7.14",
    "pays_back": "7.14",
    "tells": "7.13",
    "believes": "7.13",
    "lies": "7.13",
    "bets": "7.6",
    "tries_to_cheat": "7.9",
    "throws_own_dice": "7.9",
    "chooses_to_cheat": "7.16",
    "wand_bet": "7.15",
    "wand_raise_to": "7.15",
    "wand_cheat": "7.15",
    "wrestles": "7.15",
    "backs_wrestler": "7.15",
    "enters_throw": "7.15",
    "backs_thrower": "7.15",
    "enters_race": "7.15",
    "backs_racer": "7.15",
    "gives_up": "7.15",
    "takes_damage": "7.15",
    "chooses_pace": "7.15",
    "chooses_way": "7.11",
    "chooses_tactic": "7.11",
    "hazard_penalty": "7.11",
    "presses_on": "7.11",
    "rather_hurt": "7.11",
    "calls_coin": "7.15",
}
"""The submodel of the page in which a decision is described."""

IN_WORDS: dict[str, str] = {
    "bets": "Bet that the Hand loses, that he wins, or sit out: a logit choice by expected gain.",
    "wand_bet": "Fold, call or raise: a bluff, or a logit choice by expected gain.",
    "wand_raise_to": "How high to raise, in cp, where the limit leaves a choice.",
    "backs_wrestler": "Which of two wrestlers an onlooker backs, or neither.",
    "enters_throw": "Put up the stake and throw, or look on: a logit choice by expected gain.",
    "backs_thrower": "Whom an onlooker backs with one stake, or nobody.",
    "enters_race": "Put up the stake and race, or look on: a logit choice by expected gain.",
    "backs_racer": "Whom an onlooker backs with one stake, or nobody.",
    "gives_up": "Give up at an obstacle, or try again for 10 points of the total.",
    "takes_damage": "Take damage in place of a failure: a point of it weighs 3 of the total.",
    "chooses_pace": "Slow, even or fast in a long race: a logit choice by the total to hope for.",
    "chooses_way": "Which way on offer the escapee takes: a logit choice by his edge there.",
    "chooses_tactic": "Run, hide or make a hazard: a logit choice by the chance to get away.",
    "hazard_penalty": "The penalty that makes a hazard worth most; the smallest of equals.",
    "calls_coin": "Heads or tails: mostly the face that fewer have called.",
}
"""What is decided, where the docstring speaks to whoever reads the code."""
