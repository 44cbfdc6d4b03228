"""What the ODD page says of each state variable beside its meaning: unit, range, changes.

A line a variable: name, unit, range (`..` open at one end or both), and one of `CHANGES`.
Types are read from the arrays themselves, meanings from `run_columns.STATE`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

CHANGES = {
    "static": "as on the day the entity came",
    "tonight": "set anew every morning",
    "dynamic": "changes and is carried on",
}
"""When a variable changes."""


class Variable(NamedTuple):
    """A state variable; an end of its range that is None is open."""

    unit: str
    least: float | None
    most: float | None
    changes: str

    @property
    def range(self) -> str:
        """Its range as it is read.

        Examples
        --------
        >>> Variable("cp", 0, None, "dynamic").range, Variable("row", -1, None, "static").range
        ('0 or more', '-1 or more')
        """
        if self.least is None:
            return "any" if self.most is None else f"up to {self.most:g}"
        return (
            f"{self.least:g} or more" if self.most is None else f"{self.least:g} to {self.most:g}"
        )


_LINES = {
    "people": """
        trade            index            0..        static
        wage             cp a day         0..        static
        home             index            0..        dynamic
        is_player        flag             0..1       static
        is_rooted        flag             0..1       static
        is_cheat         flag             0..1       static
        propensity       chance           -1..1      static
        thievery         points of a d20  ..         static
        perception       points of a d20  ..         static
        soreness         share            0..1       static
        threshold        log-odds         ..         static
        rationality      per stake        0..        static
        whereabouts      code             0..3       dynamic
        gold             cp               0..        dynamic
        bruised_until    night            -1e6..     dynamic
        banned_from      index            -1..       dynamic
        banned_until     night            -1e6..     dynamic
        also_banned      code             0..        dynamic
        punished         night            -1e6..     dynamic
        lost_face_until  night            -1e6..     dynamic
        seen_rounds      rounds           0..        dynamic
        seen_wins        rounds           0..        dynamic
        arrived          night            0..        static
        gone             night            0..        dynamic
        start_gold       cp               0..        static
        games_net        cp               ..         dynamic
        drinks_cp        cp               0..        dynamic
        hands            rounds           0..        dynamic
        hand_wins        rounds           0..        dynamic
        tries            count            0..        dynamic
        failed_ever      count            0..        dynamic
        convicted        count            0..        dynamic
        beaten           count            0..        dynamic
        accusations      count            0..        dynamic
        accused          count            0..        dynamic
        luck             key              0..        tonight
        tavern           index            -1..       tonight
        table            number           -1..       tonight
        sitting          number           0..        tonight
        drinks           mugs             0..        tonight
        streak           rounds           0..        dynamic
        failed           count            0..        tonight
        filter           chance           0..1       tonight
        has_accused      flag             0..1       tonight
        wish             number           -1..       tonight
        sittings         count            0..        dynamic
        wounds           points           0..        dynamic
        hurt_hand        flag             0..1       dynamic
        weary            flag             0..1       tonight
        cheating         log-odds         ..         static
        boldness         stakes           ..         static
        visited          index            -1..       tonight
        thrill           stakes           ..         static
        chasing          stakes           ..         static
        superstition     log-odds         ..         static
        net_before       cp               ..         tonight
        thirst           factor           0..        static
        weighted         flag             0..1       static
        is_tricking      flag             0..1       tonight
        q_cheat          stakes           0..        dynamic
        q_honest         stakes           0..        dynamic
        reference        stakes           ..         dynamic
        first_try        night            0..        dynamic
        suspected        night            0..        dynamic
        low_until        night            -1e6..     dynamic
        owes_to          row              -1..       dynamic
        owes_cp          cp               0..        dynamic
        owes_due         night            0..        dynamic
        grudge           row              -1..       dynamic
        grudge_night     night            -1e6..     dynamic
        dodged           count            0..        dynamic
        escaped          count            0..        dynamic
        """,
    "sheet": """
        ancestry           index            0..     static
        sex                code             0..1    static
        level              level            1..5    static
        size_class         code             0..3    static
        base_attack        points of a d20  0..5    static
        speed_ft           feet             0..     static
        household          row              0..     static
        temper             code             0..5    static
        gambler            index            0..     static
        rank               code             0..3    static
        quarter            index            0..     static
        feats              bits             0..31   static
        strength           score            1..60   static
        dexterity          score            1..60   static
        constitution       score            1..60   static
        intelligence       score            1..60   static
        wisdom             score            1..60   static
        charisma           score            1..60   static
        bluff              points of a d20  ..      static
        insight            points of a d20  ..      static
        climb              points of a d20  ..      static
        swim               points of a d20  ..      static
        jump               points of a d20  ..      static
        balance            points of a d20  ..      static
        tumble             points of a d20  ..      static
        hide               points of a d20  ..      static
        spot               points of a d20  ..      static
        ride               points of a d20  ..      static
        honesty            sd               ..      static
        emotionality       sd               ..      static
        extraversion       sd               ..      static
        agreeableness      sd               ..      static
        conscientiousness  sd               ..      static
        openness           sd               ..      static
        """,
    "beliefs": """
        epoch     night     0..      dynamic
        subject   row       -1..     dynamic
        strength  log-odds  -1..     dynamic
        log_odds  log-odds  -6..6    dynamic
        n_own     rounds    0..      dynamic
        moved     night     0..      dynamic
        settled   flag      0..1     dynamic
        told      bits      0..      dynamic
        """,
    "acquaintances": """
        other  row    -1..    dynamic
        since  night  0..     dynamic
        tie    code   0..4    dynamic
        """,
    "known": """
        story      number   -1..    dynamic
        rumor      number   0..     dynamic
        told_from  number   -1..    dynamic
        heard      night    0..     dynamic
        claim      code     0..12   dynamic
        subject    row      0..     dynamic
        status     code     0..2    dynamic
        n_heard    stories  0..     dynamic
        """,
    "versions": """
        story       number  0..     static
        parent      number  -1..    static
        subject     row     0..     static
        other       row     -1..    static
        amount      cp      0..     static
        night       night   ..      static
        made_night  night   0..     static
        made_by     row     -1..    static
        table       number  -1..    static
        tavern      index   -1..    static
        in_round    round   0..     static
        claim       code    0..12   static
        kind        code    -1..    static
        game        code    -1..    static
        changed     bits    0..31   static
        """,
    "houses": """
        is_open     flag      0..1   dynamic
        repute      utility   -3..3  dynamic
        lift        per cent  100..  dynamic
        failing     nights    0..    dynamic
        spent       cp        0..    dynamic
        tills_then  cp        0..    dynamic
        """,
    "rooms": """
        n_tables  tables    -1..  dynamic
        stake     cp        0..   dynamic
        crowded   evenings  0..   dynamic
        """,
    "games": """
        inclination  utility   ..   static
        won          cp        ..   dynamic
        sat          sittings  0..  dynamic
        """,
    "ledger": """
        opening_cp   cp  0..  static
        outside_cp   cp  ..   dynamic
        treasury_cp  cp  0..  dynamic
        inflow_cp    cp  0..  dynamic
        outflow_cp   cp  0..  dynamic
        purses       cp  0..  dynamic
        tills        cp  0..  dynamic
        """,
    "town": """
        night     nights    0..  dynamic
        n_rows    rows      1..  dynamic
        tills     cp        0..  dynamic
        tellings  tellings  0..  dynamic
        """,
}


def _read(line: str) -> tuple[str, Variable]:
    name, unit, ends, changes = re.split(r"\s{2,}", line.strip())
    least, most = (float(end) if end else None for end in ends.split(".."))
    return name, Variable(unit, least, most, changes)


VARIABLES: dict[str, dict[str, Variable]] = {
    part: dict(_read(line) for line in lines.strip().splitlines()) for part, lines in _LINES.items()
}
"""Every state variable of every kind of entity; ``town`` has those of the whole town."""


def name_in_state(part: str, variable: str) -> str:
    """What ``state.npz`` calls a variable.

    Examples
    --------
    >>> name_in_state("people", "gold"), name_in_state("town", "night")
    ('people.gold', 'night')
    """
    return variable if part == "town" else f"{part}.{variable}"
