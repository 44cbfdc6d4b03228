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


def _of_justice() -> Iterator[Quantity]:
    yield _ratio(
        "cheating_rate",
        CHEATS,
        "tricked_hands",
        "hands",
        "of all rounds of a Hand, those in which he tried a trick or threw weighted dice",
        title="Cheating rate",
    )
    yield _ratio(
        "tries_per_100",
        CHEATS,
        "tricks_tried",
        "hands",
        "tries at turning a die for every 100 rounds of a Hand",
        title="Tries per 100 rounds",
        times=100,
    )
    yield _ratio(
        "noticed_share",
        CHEATS,
        "tricks_noticed",
        "tricks_tried",
        "of all tries, those whose check failed, so that a throw looked odd",
        title="Tries that look odd",
    )
    yield _ratio(
        "accusation_ppv",
        CHEATS,
        "accusations_just",
        "accusations",
        "of all accusations, those of cheats",
        title="Accusations that are right",
    )
    yield _ratio(
        "conviction_rate",
        CHEATS,
        "convictions",
        "convictions cleared",
        "of all verdicts, those of guilty",
        title="Accused who are convicted",
    )
    yield _ratio(
        "conviction_ppv",
        CHEATS,
        "convictions_just",
        "convictions",
        "of all convictions, those of cheats",
        title="Convictions that are right",
    )
    yield _ratio(
        "unjust_per_100_convictions",
        CHEATS,
        "convictions_unjust",
        "convictions",
        "of 100 convictions, those of people who had not cheated",
        title="Unjust of 100 convictions",
        times=100,
    )
    yield _ratio(
        "beatings_per_100_days",
        CHEATS,
        "beatings",
        "living",
        "for every 100 days of a person",
        title="Beatings per 100 person-days",
        times=100,
    )


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
