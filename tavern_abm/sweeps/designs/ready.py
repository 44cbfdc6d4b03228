"""The ready designs that come with the program."""

from __future__ import annotations

from pathlib import Path

from ...shipped import shipped


def ready_designs() -> dict[str, Path]:
    """Files of the ready designs by name, in alphabetical order.

    Examples
    --------
    >>> list(ready_designs())
    ['cheating-and-custom', 'house-edge-and-inequality', 'talk-and-unjust-beatings']
    """
    return {path.stem: path for path in sorted((shipped("scenarios") / "sweeps").glob("*.toml"))}
