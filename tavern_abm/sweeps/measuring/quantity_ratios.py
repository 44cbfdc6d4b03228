"""Quantities that are one sum over another."""

from __future__ import annotations

from collections.abc import Iterator

from ...scores import MEANINGS
from .quantities import Quantity
from .quantity_words import BELIEFS, CHEATS, HOUSES, MONEY, TALK


def ratios() -> Iterator[Quantity]:
    """All of them."""
    yield from _of_justice()
    yield from _of_money()
    yield from _of_beliefs()


def _ratio(
    name: str,
    group: str,
    top: str,
    bottom: str,
    meaning: str,
    *,
    title: str,
    times: int = 1,
    how: str = "ratio",
) -> Quantity:
    """One sum over another; `top` and `bottom` name nightly quantities."""
    unit = "0 to 1" if times == 1 else "cp per 100 cp" if "cp" in top else "per 100"
    parts = (tuple(top.split()), tuple(bottom.split()))
    return Quantity(name, title, unit, meaning, "ratio", how, group, parts=parts, times=times)


_JUSTICE = (
    (
        *("cheating_rate", "Cheating rate", "tricked_hands", "hands", 1),
        "of all rounds of a Hand, those in which he tried a trick or threw weighted dice",
    ),
    (
        *("tries_per_100", "Tries per 100 rounds", "tricks_tried", "hands", 100),
        "tries at turning a die for every 100 rounds of a Hand",
    ),
    (
        *("noticed_share", "Tries that look odd", "tricks_noticed", "tricks_tried", 1),
        "of all tries, those whose check failed, so that a throw looked odd",
    ),
    (
        *("accusation_ppv", "Accusations that are right", "accusations_just", "accusations", 1),
        "of all accusations, those of cheats",
    ),
    (
        *("conviction_rate", "Accused who are convicted", "convictions", "convictions cleared", 1),
        "of all verdicts, those of guilty",
    ),
    (
        *("conviction_ppv", "Convictions that are right", "convictions_just", "convictions", 1),
        "of all convictions, those of cheats",
    ),
    (
        *("unjust_per_100_convictions", "Unjust of 100 convictions"),
        *("convictions_unjust", "convictions", 100),
        "of 100 convictions, those of people who had not cheated",
    ),
    (
        *("beatings_per_100_days", "Beatings per 100 person-days", "beatings", "living", 100),
        "for every 100 days of a person",
    ),
)
"""Name, title, the sums above and below, what the ratio is multiplied with, and the meaning."""


def _of_justice() -> Iterator[Quantity]:
    for name, title, top, bottom, times, meaning in _JUSTICE:
        yield _ratio(name, CHEATS, top, bottom, meaning, title=title, times=times)


def _of_money() -> Iterator[Quantity]:
    for name, prefix in (("cheating_per_100", "cheats"), ("honest_per_100", "honest")):
        about = MEANINGS[name]
        whom = "all others" if prefix == "honest" else "those of the cheating kind"
        yield _ratio(
            name,
            CHEATS,
            f"{prefix}_net_cp",
            f"{prefix}_staked_cp",
            f"stakes won for every 100 staked as the Hand by {whom}",
            title=about.title,
            times=100,
        )
    yield _ratio(
        "house_edge",
        HOUSES,
        "rake_cp",
        "staked_cp",
        "rake for every coin staked",
        title="House edge",
    )
    yield _ratio(
        "broke_share",
        MONEY,
        "broke",
        "living",
        "of those who live here, those who cannot pay the fee and two mugs",
        title="Share of people who are broke",
        how="last",
    )


def _of_beliefs() -> Iterator[Quantity]:
    for name, top, bottom in (
        ("tpr", "suspected_right", "suspected_right missed"),
        ("fpr", "suspected_wrong", "suspected_wrong unsuspected"),
        ("ppv", "suspected_right", "suspected_right suspected_wrong"),
    ):
        title, meaning, _ = MEANINGS[name]
        yield _ratio(name, BELIEFS, top, bottom, meaning, title=title, how="last")
    yield _ratio(
        "believed_share",
        TALK,
        "believed",
        "tellings",
        "of all tellings, those that were new to the listener and believed",
        title="Tellings that are believed",
    )
