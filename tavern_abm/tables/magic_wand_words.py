"""What is said at a Magic Wand table: sentences to be read aloud.

What the players must not hear yet stands in square brackets, for the game
master alone: the faces of hidden dice, and a cheat's fingers at work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..coins import show
from ..games import magic_wand as mw

DICE = ("d4", "d6", "d8")
KEEP = "keep"
"""What is typed to cast no Teleport."""
THROWS = (
    (
        "The d4s are thrown, each under a cupped hand.",
        "Hands close over the d4s; a rattle, a peek.",
        "The d4s roll behind sleeves and mugs.",
    ),
    (
        "Now the d6s, under cupped hands again.",
        "The d6s rattle, unseen.",
        "On to the d6s; everybody peeks, nobody smiles.",
    ),
    (
        "Last the d8s, the big ones, and nobody breathes.",
        "The d8s roll in the dark of the hand.",
        "One die to go: the d8s fall, unseen.",
    ),
)
"""How a hidden throw begins, by die; one wording is picked."""
OPENS = (
    "{nth} betting round, {pot} in the pot; {who} speaks first.",
    "{nth} bets: {pot} in the pot, and {who} is first to speak.",
)
NO_MORE_BETS = "Nobody is left to bet against."
NTH = ("First", "Second", "Third")
ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh"),
)

CHECKS = ("{who} checks.", "{who} raps the table: check.", "No bet from {who}.")
BETS = ("{who} bets {cost}.", "{who} opens with {cost}.", "{who} pushes {cost} in.")
CALLS = ("{who} calls.", "{who} calls for {cost}.", "{who} stays in for {cost}.")
RAISES = ("{who} raises to {to}.", "{who} makes it {to}.", "Up to {to}, says {who}.")
FOLDS = ("{who} folds.", "{who} lets it go.", "{who} drops out.")
ALL_IN = ("{who} goes all-in with the last {cost}.", "{who} shoves in the last {cost}: all-in.")
MOVES = {
    "check": CHECKS,
    "bet": BETS,
    "call": CALLS,
    "raise": RAISES,
    "fold": FOLDS,
    "all-in": ALL_IN,
}
"""Wordings of each move; one is picked."""

ODD_THROWS = (
    "Something about {who}'s throw looks odd.",
    "{who}'s hand lingers over the die a moment too long.",
    "Was there a second click under {who}'s hand?",
)
CAUGHT = (
    "{who} is caught with two fingers on the die. The game is void: every coin goes back,"
    " and {who} plays no more."
)

INCANTATIONS = {
    mw.REDUCE_PERSON: ("{who}'s {faces} is Reduce Person!", "Reduce Person, from {who}'s {faces}!"),
    mw.TELEPORT: ("{who}'s {faces} is Teleport!", "With {faces} {who} has Teleport!"),
    mw.CONTINGENCY: ("{who}'s {faces} is a Contingency: it bides its time.",),
    mw.DIVINE_INTERVENTION: ("{who}'s three 1s call down Divine Intervention!",),
    mw.MIRROR_IMAGE: ("{who}'s three 2s are Mirror Image!",),
    mw.DISINTEGRATION: ("{who}'s three 3s are Disintegration!",),
    mw.BULLS_STRENGTH: ("{who}'s three 4s are Bull's Strength!",),
}
"""How each spell is announced."""


def in_a_row(parts: Sequence[str]) -> str:
    """Words as they are read out.

    Examples
    --------
    >>> in_a_row(["Ann"]), in_a_row(["Ann", "Bo", "Cy"])
    ('Ann', 'Ann, Bo and Cy')
    """
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def faces_of(dice: Sequence[int]) -> str:
    """Dice as they lie; a discarded one is a dash.

    Examples
    --------
    >>> faces_of([3, 0, 5])
    '3 - 5'
    """
    return " ".join(str(face) if face else "-" for face in dice)


def opening(number: int, players: Sequence[str], button: str, ante_cp: int, pot_cp: int) -> str:
    """A game begins."""
    return (
        f"Game {number}. {in_a_row(players)} put in {show(ante_cp)} each, {show(pot_cp)} in all."
        f" {button} has the button."
    )


def roll_off(faces: Mapping[str, int], is_first: bool) -> str:
    """A throw for the first button."""
    thrown = ", ".join(f"{who} {face}" for who, face in faces.items())
    best = [who for who, face in faces.items() if face == max(faces.values())]
    begins = "A d20 each for the button" if is_first else "Once more"
    if len(best) > 1:
        return f"{begins}: {thrown}. {in_a_row(best)} are level."
    return f"{begins}: {thrown}. It goes to {best[0]}."


def check(who: str, natural: int, modifier: int, dc: int, die: int, faces: tuple[int, int]) -> str:
    """A cheat's check, for the game master alone.

    Examples
    --------
    >>> check("Cy", 15, 6, 19, 1, (2, 6))
    "[GM: Cy's fingers, Thievery 15 + 6 = 21 against DC 19: the d6 turns from 2 to 6.]"
    """
    sign = "+" if modifier >= 0 else "-"
    tried = f"Thievery {natural} {sign} {abs(modifier)} = {natural + modifier} against DC {dc}"
    before, after = faces
    done = f"the {DICE[die]} turns from {before} to {after}" if after != before else "it fails"
    return f"[GM: {who}'s fingers, {tried}: {done}.]"


def all_in_at_once(names: Sequence[str]) -> str:
    """Who has nothing left after the ante.

    Examples
    --------
    >>> all_in_at_once([]), all_in_at_once(["Cy"])
    ('', ' That was the last of Cy, who is all-in.')
    """
    if not names:
        return ""
    verb = "is" if len(names) == 1 else "are"
    return f" That was the last of {in_a_row(names)}, who {verb} all-in."


def hidden_throw(who: str, face: int) -> str:
    """A throw that only its owner and the game master see.

    Examples
    --------
    >>> hidden_throw("Ann", 3)
    '[GM: Ann 3.]'
    """
    return f"[GM: {who} {face}.]"


def question(
    who: str,
    die: int,
    hidden: int,
    opened: Mapping[str, Sequence[int]],
    pot_cp: int,
    call_cp: int,
    left_cp: int | None,
) -> str:
    """What somebody is asked who bets for himself.

    Examples
    --------
    >>> question("Ann", 1, 5, {"Ann": [3], "Bo": [1]}, 8, 2, 40)
    'Ann: your hidden d6 shows 5; open: Ann 3, Bo 1; pot 8 cp, 2 cp to call, 4 sp left. Your move'
    """
    table = ", ".join(f"{name} {faces_of(dice)}" for name, dice in opened.items() if dice)
    opened_ = f"open: {table}" if table else "nothing open"
    call = f"{show(call_cp)} to call" if call_cp else "nothing to call"
    coins = f"pot {show(pot_cp)}, {call}"
    if left_cp is not None:
        coins += f", {show(left_cp)} left"
    return f"{who}: your hidden {DICE[die]} shows {hidden}; {opened_}; {coins}. Your move"


def revealed(die: int, faces: Mapping[str, int]) -> str:
    """Dice are shown.

    Examples
    --------
    >>> revealed(0, {"Ann": 3, "Bo": 1})
    'The d4s are shown: Ann 3, Bo 1.'
    """
    return f"The {DICE[die]}s are shown: " + ", ".join(f"{w} {f}" for w, f in faces.items()) + "."


def hands(dice: Mapping[str, Sequence[int]], shows: Mapping[str, int]) -> str:
    """What everybody has at the reveal.

    Examples
    --------
    >>> hands({"Ann": [3, 4, 5], "Bo": [1, 6, 8]}, {"Ann": mw.SHIELD, "Bo": mw.NO_SPELL})
    'Ann holds 3 4 5, which makes 12 and a Shield; Bo holds 1 6 8, which makes 15.'
    """
    said = []
    for who, faces in dice.items():
        shield = " and a Shield" if shows[who] == mw.SHIELD else ""
        said.append(f"{who} holds {faces_of(faces)}, which makes {sum(faces)}{shield}")
    return "; ".join(said) + "."


def halved(before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """What Reduce Person does to those it reaches."""
    if not before:
        return "It reaches nobody."
    parts = [f"{who}'s {before[who]} shrinks to {after[who]}" for who in before]
    return f"{in_a_row(parts)}."


def blocked(shielded: Sequence[str], immune: Sequence[str] = ()) -> str:
    """Whom a spell did not touch.

    Examples
    --------
    >>> blocked(["Ann"], ["Bo", "Cy"])
    " Ann's Shield flares, and holds. Bo and Cy, with 1 2 3, do not shrink."
    """
    text = ""
    if len(shielded) == 1:
        text += f" {shielded[0]}'s Shield flares, and holds."
    elif shielded:
        text += f" The Shields of {in_a_row(shielded)} flare, and hold."
    if immune:
        verb = "does" if len(immune) == 1 else "do"
        text += f" {in_a_row(immune)}, with 1 2 3, {verb} not shrink."
    return text


def swapped(
    who: str, target: str, die: int, faces: tuple[int, int], points: tuple[int, int]
) -> str:
    """Two dice have changed places; faces and scores of the caster and of the target."""
    given, taken = faces
    mine, theirs = points
    return (
        f"{who}'s {DICE[die]}, {an(given)}, changes places with {target}'s {taken}."
        f" That leaves {who} with {mine} and {target} with {theirs}."
    )


def swap_makes(target: str, before: int, after: int) -> str:
    """What a swap does to a combination of its target's that could still be used."""
    if after != mw.NO_SPELL:
        return f" And it hands {target} {_a(mw.SPELLS[after])}!"
    if before != mw.NO_SPELL:
        return f" {target}'s {mw.SPELLS[before]} is broken before it is cast."
    return ""


def an(face: int) -> str:
    """A face with its article.

    Examples
    --------
    >>> an(7), an(8)
    ('a 7', 'an 8')
    """
    return f"an {face}" if face == 8 else f"a {face}"


def _a(spell: str) -> str:
    return f"a {spell}" if spell in ("Shield", "Contingency") else spell


def whose_die(who: str, own: Sequence[int], others: Mapping[str, Sequence[int]]) -> str:
    """The first question to who casts Teleport, a line for each hand.

    Examples
    --------
    >>> print(whose_die("Ann", [2, 3, 4], {"Bo": [4, 4, 7], "Di": [1, 1, 2]}))
    Ann, Teleport: your d4 d6 d8 show 2 3 4
      Bo has 4 4 7
      Di has 1 1 2
    Swap a die with whom, or keep yours
    """
    lines = [f"{who}, Teleport: your {' '.join(DICE)} show {faces_of(own)}"]
    lines += [f"  {name} has {faces_of(dice)}" for name, dice in others.items()]
    return "\n".join([*lines, f"Swap a die with whom, or {KEEP} yours"])


def which_die(who: str, target: str, swaps: Mapping[str, tuple[int, int]]) -> str:
    """The second: which of the target's dice.

    Examples
    --------
    >>> which_die("Ann", "Bo", {"d4": (2, 4), "d8": (4, 7)})
    "Ann, which die? The d4, your 2 for Bo's 4; the d8, your 4 for Bo's 7"
    """
    listed = "; ".join(
        f"the {die}, your {mine} for {target}'s {theirs}" for die, (mine, theirs) in swaps.items()
    )
    return f"{who}, which die? {listed[:1].upper()}{listed[1:]}"


def declined(who: str) -> str:
    """A Teleport that is not used."""
    return f"{who} looks round the table and keeps the dice as they are."


def crumbled(lost: Mapping[str, Sequence[str]]) -> str:
    """Whose 3s are gone.

    Examples
    --------
    >>> crumbled({"Ann": ["d4", "d6"], "Bo": ["d8"]})
    "Ann's d4 and d6 crumble to dust. Bo's d8 crumbles to dust."
    """
    if not lost:
        return "There is no other 3 it could reach."
    return " ".join(
        f"{who}'s {in_a_row(dice)} crumble{'s' if len(dice) == 1 else ''} to dust."
        for who, dice in lost.items()
    )


def thrown_for(who: str, spell: int, dice: Sequence[int], score: int) -> str:
    """Further dice and what they come to."""
    if spell == mw.DIVINE_INTERVENTION:
        return f"{who} keeps the 3 and throws everything again: {faces_of(dice)}, {score} in all."
    if spell == mw.MIRROR_IMAGE:
        times = "triples" if dice[0] == 6 else "doubles"
        return f"A d6 shows {dice[0]} and {times} the score: {score}."
    if spell == mw.BULLS_STRENGTH:
        return f"A d4 shows {dice[0]}: {who} now has {score}."
    return ""


def contingency(who: str, above: str, points: tuple[int, int], face: int) -> str:
    """A Contingency comes; the scores of its caster before and after."""
    before, after = points
    return (
        f"{above} stands above {who}'s {before}, and the Contingency comes:"
        f" a d4 shows {face}, and {who} has {after}."
    )


def no_contingency(who: str) -> str:
    """A Contingency that is not needed."""
    return f"Nobody stands above {who}, so the Contingency sleeps on."


def standing(scores: Mapping[str, int]) -> str:
    """The scores at the end.

    Examples
    --------
    >>> standing({"Ann": 7, "Bo": 14})
    'When the sparks settle: Ann 7, Bo 14.'
    """
    listed = ", ".join(f"{who} {points}" for who, points in scores.items())
    return f"When the sparks settle: {listed}."


def pot_name(place: int, n_pots: int) -> str:
    """What the pot at a place is called among so many; the main pot is at 0.

    Examples
    --------
    >>> pot_name(0, 1), pot_name(1, 2), [pot_name(place, 4) for place in range(4)]
    ('pot', 'side pot', ['main pot', 'first side pot', 'second side pot', 'third side pot'])
    """
    if n_pots == 1:
        return "pot"
    if place == 0:
        return "main pot"
    return f"{ORDINALS[place - 1]} side pot" if n_pots > 2 else "side pot"


def pot(
    name: str, coins: int, shares: Mapping[str, int], score: int, by_spell: bool, raked: int
) -> str:
    """Who takes a pot, or how it is shared.

    Parameters
    ----------
    name : str
        ``"pot"``, ``"main pot"``, ``"side pot"`` or, of several, ``"first side pot"``.
    shares : mapping of name to int
        What each winner takes, in cp.
    by_spell : bool
        Whether Reduce Person decided a tie.
    raked : int
        The house's part, in cp.

    Examples
    --------
    >>> pot("pot", 13, {"Bo": 7, "Ann": 6}, 14, False, 0)
    'Bo and Ann share the pot of 1 sp 3 cp with 14 each: 7 cp to Bo, 6 cp to Ann.'
    >>> pot("side pot", 8, {"Bo": 8}, 6, True, 0)
    'Bo takes the side pot of 8 cp with 6; the tie goes to the caster of Reduce Person.'
    """
    house = f" The house keeps {show(raked)} of it." if raked else ""
    what = f"the {name} of {show(coins)}"
    winners = list(shares)
    if len(winners) == 1:
        tie = "; the tie goes to the caster of Reduce Person" if by_spell else ""
        return f"{winners[0]} takes {what} with {score}{tie}.{house}"
    tie = ", who cast Reduce Person," if by_spell else ""
    parts = ", ".join(f"{show(cp)} to {who}" for who, cp in shares.items())
    return f"{in_a_row(winners)}{tie} share {what} with {score} each: {parts}.{house}"


def unopposed(who: str, name: str, coins: int, raked: int, is_last: bool) -> str:
    """A pot that nobody else is left to win.

    Examples
    --------
    >>> unopposed("Bo", "pot", 9, 0, is_last=True)
    'Everybody else is out: Bo takes the pot of 9 cp unseen.'
    """
    house = f" The house keeps {show(raked)} of it." if raked else ""
    if is_last:
        return f"Everybody else is out: {who} takes the {name} of {show(coins)} unseen.{house}"
    return f"{who} alone is left in the {name} of {show(coins)}, and takes it.{house}"


def uncalled(who: str, coins: int) -> str:
    """Coins that nobody matched."""
    return f"{show(coins)} that nobody called go back to {who}."


def gains(net_cp: Mapping[str, int]) -> str:
    """Who has won and lost what; empty if nobody has.

    Examples
    --------
    >>> gains({"Ann": -5, "Bo": 5, "Cy": 0})
    'Bo is up 5 cp; Ann is down 5 cp.'
    """
    parts = [f"{who} is up {show(net)}" for who, net in net_cp.items() if net > 0]
    parts += [f"{who} is down {show(-net)}" for who, net in net_cp.items() if net < 0]
    return "; ".join(parts) + "." if parts else ""
