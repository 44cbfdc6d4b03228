"""The money of a town: figures of a finished run, all of them from its ledger."""

from __future__ import annotations

from .bookkeeping import books_of
from .books import TownBooks

__all__ = ["TownBooks", "books_of"]
