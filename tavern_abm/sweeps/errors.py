"""What is said of a design, a store or a sweep that cannot be used."""

from __future__ import annotations

from pathlib import Path


class SweepError(ValueError):
    """Something about a sweep that its user can put right.

    Attributes
    ----------
    path : pathlib.Path or None
        The design file, the store, or the file in it that is at fault.
    line : int or None
        The line of the design file.
    problem : str
        What is the matter, what was given, and the cure, in one line.

    Examples
    --------
    >>> str(SweepError("nights: must be at least 1 (got 0)", Path("d.toml"), 7))
    'd.toml:7: nights: must be at least 1 (got 0)'
    """

    def __init__(self, problem: str, path: Path | None = None, line: int | None = None) -> None:
        place = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(f"{place}{problem}")
        self.problem, self.path, self.line = problem, path, line
