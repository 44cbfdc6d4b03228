"""Every format of an evening by its name, called in one way."""

from __future__ import annotations

from collections.abc import Callable

from ..pack.documents import Pack
from . import foundry, gm_csv, improved_initiative, markdown, obsidian, printable, roll20

Files = dict[str, bytes]
"""Content by path, with forward slashes."""

FORMATS: dict[str, Callable[[Pack, str, int], Files]] = {
    "foundry": lambda pack, salt, core: foundry.files(pack, salt, core=core),
    "gm-csv": lambda pack, salt, core: gm_csv.files(pack),
    "html": lambda pack, salt, core: printable.files(pack),
    "improved-initiative": lambda pack, salt, core: improved_initiative.files(pack),
    "markdown": lambda pack, salt, core: markdown.files(pack),
    "obsidian": lambda pack, salt, core: obsidian.files(pack),
    "roll20": lambda pack, salt, core: roll20.files(pack),
}
"""Each makes files of a pack, the salt of its run and a version of Foundry."""
