"""Going on from where a run stopped, with what was put in from outside since."""

from __future__ import annotations

from .interventions import read_interventions
from .reviving import put_in, revive

__all__ = ["put_in", "read_interventions", "revive"]
