"""What plays a sweep again, from what stands in its folder alone."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import batched
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import SweepError
from .shards import Shard

if TYPE_CHECKING:
    from ..design import Design


def options_for(
    written: Path, design: Design, settings: Sequence[str] = ()
) -> tuple[str, ...] | None:
    """With which options a design file gives a design.

    Parameters
    ----------
    written : Path
        The file as it is kept: whatever it names must be seen from there.
    design : Design
        What is played.
    settings : sequence of str
        Fields of the scenario that were set besides, such as ``"patrons=40"``.

    Returns
    -------
    tuple of str or None
        Such as ``("--replicates", "5")``; None if the file does not give this design, or not
        without other files, or if there is none.
    """
    if not written.is_file():
        return None
    from ...scenario import parse_setting
    from ..designs.reading import load_design

    asked, besides = _asked(design), dict(map(parse_setting, settings))
    if any(_is_path(name, value) for name, value in besides.items()):
        return None
    try:
        plain = load_design(written, besides)
        found = {name: value for name, value in asked.items() if _asked(plain)[name] != value}
        made: Design = load_design(written, besides, **found) if found else plain
    except (SweepError, OSError, TypeError, ValueError):
        return None
    if made.digest() != design.digest() or _asked(made) != asked:
        return None
    words = [(OPTIONS[name], str(value)) for name, value in found.items()]
    return tuple(word for pair in (*words, *((SET, each) for each in settings)) for word in pair)


def settings_in(options: tuple[str, ...] | None) -> tuple[str, ...]:
    """The settings that are among options.

    Examples
    --------
    >>> settings_in(("--seed", "3", "--set", "patrons=40"))
    ('patrons=40',)
    """
    pairs = batched(options or (), 2)
    return tuple(value for option, value in pairs if option == SET)


SET = "--set"
OPTIONS = {"nights": "--nights", "replications": "--replicates", "seed": "--seed"}
"""Options of ``tavern sweep``, by what `load_design` calls them."""


def _is_path(name: str, value: Any) -> bool:
    """Whether a setting names something that is outside of the folder."""
    return name == "data" or ".toml" in str(value)


def _asked(design: Design) -> dict[str, Any]:
    """What these options would have to be."""
    nights = getattr(design.configuration, "until", None)
    return {"nights": nights, "replications": design.replications, "seed": design.seed}


def command_for(options: tuple[str, ...] | None, shard: tuple[int, int] | None) -> str:
    """What plays the sweep of a folder again, if it is called in there.

    Parameters
    ----------
    options : tuple of str or None
        As `options_for` found them.
    shard : (int, int) or None
        Which part of the runs is in the folder.

    Examples
    --------
    >>> command_for(("--replicates", "5"), (3, 8))
    'tavern sweep design.toml --replicates 5 --shard 3/8'
    """
    part = None if shard is None else Shard(*shard)
    if options is not None:
        words = [*options, *(("--shard", str(part)) if part else ())]
        return shlex.join(["tavern", "sweep", "design.toml", *words])
    given = "Design.from_document(json.loads(Path('design.json').read_bytes())), store='again'"
    given += f", shard='{part}'" if part else ""
    imports = "import json; from pathlib import Path; from tavern_abm import Design, sweep"
    return f'python -c "{imports}; sweep({given})"'
