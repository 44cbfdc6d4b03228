"""When somebody was last in a house: whoever has been let in again is not kept out."""

from __future__ import annotations

from collections.abc import Mapping

from ..run_folder import RunFolder, reading


def visits_by(run: RunFolder, night: int) -> Mapping[tuple[int, int], int]:
    """The last night on which each was in each house.

    Parameters
    ----------
    run : RunFolder
        The run.
    night : int
        What came later is not looked at.

    Returns
    -------
    mapping of (int, int) to int
        Nights from 1, by patron_id and tavern_id.

    Raises
    ------
    RunFolderError
        If the run lacks the table of evenings, or it is damaged.
    """
    columns = ("night", "patron_id", "tavern_id")
    with reading(run):
        table = run.table("evenings", columns, [("night", "<=", night), ("tavern_id", ">", 0)])
    last = table.groupby(["patron_id", "tavern_id"], as_index=False)["night"].max()
    visits = zip(*(last[column].tolist() for column in columns), strict=True)
    return {(one, house): when for when, one, house in visits}
