"""A game master's pack made up without a run: awkward names, and a mark in all that is secret.

What players may see of it is the words of the rumours, the signs of the houses and who is
seen to speak. All else holds `CANARY`, or is a number from 9470000 to 9479999, or one of a
closed set that changes with `fake_pack(secret=...)`: so `leaks` finds it, and players'
documents of two packs that differ in nothing but their secrets must be the same bytes.
"""

from __future__ import annotations

import re

from tavern_abm.pack.documents import Card, Link, Pack, Rumor, SessionHook, Sheet
from tavern_abm.pack.matter import Said

CANARY = "Zqxcanary"
SALT = "00112233445566778899aabbccddeeff"
LONG = "Wulfrun " * 40
"""320 characters: longer than a file name may be."""
SIGNS = (
    'The "Gilded" Rat & <b>Crown</b>',
    "Zoë's [[Eel]] Pot | ^rumours",
    f"The Sign of {LONG}".strip(),
)
NAMES = (
    "<> Harl",
    '<> "Red" O\'Brien',
    "Zoë <> & <script>alert('name')</script>",
    "<> [[Tam|Harl]] #tag ^block",
    "<>: Tam/Harl\\Quill?*",
    "<> Tam Harl Quill",
    "<> Tam Harl Quill",
    "../<>",
    "<> " + LONG.strip(),
    "{{ 7 * 7 }} <> $1 %s @UUID[Actor.<>]",
    "- <>: 'x'",
    "CON <>",
)
"""Of people; the name of a file, a link or a cell of a table can be none of them as it is."""
TRUTHS = ("true", "partly true", "false")
WORDS = (
    "Don't drink from the tannery pump. I'm not saying why.",
    "“Whose cattle are those?” “Nobody's, these five nights.” “Drink up.”",
    "Sixty-two silver | sixty if you haggle. <script>alert('text')</script> & so on.",
    "He said [[Tam Harl]] and `dice: 1d4` and {{ 7 * 7 }} and $1, and meant none of it.",
    "# Twice he dropped it. *Twice*, in _my_ own yard, with my \\ own dice ^there",
    "[[/roll 1d20]] @UUID[Actor.x] is no way to greet a friend, %s, ?{sum|1} @{name}.",
    "=1+1 is what she owes, he says, “and an egg”; Zoë had it from the ferryman.",
)
CAST = range(len(NAMES))


def leaks(content: bytes | str) -> list[str]:
    """Every secret of a fake pack that stands in some bytes or text, whatever its case."""
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    return re.findall(rf"(?i){CANARY}\w*|947\d{{4}}", text)


def fake_pack(n_rumors: int = 20, *, secret: int = 0) -> Pack:
    """A pack of twelve people and three situations.

    Parameters
    ----------
    n_rumors : int
        Their numbers run from 1.
    secret : int
        Another one gives other secrets (truths, chains, names, counts of people) and the
        same words, signs and ids of rumours.
    """
    signs = {9473001 + at: sign for at, sign in enumerate(SIGNS)}
    return Pack(
        title=_mark("title", secret),
        run={
            "scenario": _mark("scenario", secret),
            "seed": 9470100 + secret,
            "replicate": 9470200 + secret,
            "version": _mark("version", secret),
            "nights": 14 + secret,
        },
        night=14 + secret,
        taverns=signs,
        rumors=tuple(_rumor(at, secret) for at in range(n_rumors)),
        notes=(_mark("note", secret), _mark("second note: 12 true", secret)),
        cards=tuple(_card(at, secret) for at in CAST),
        hooks=tuple(_hook(at, secret) for at in range(3)),
    )


def _mark(field: str, secret: int, at: int = 0) -> str:
    return f"{CANARY}{secret} {field} {at}"


def _name(at: int, secret: int) -> str:
    return NAMES[at % len(NAMES)].replace("<>", f"{CANARY}{secret}")


def _person(at: int, secret: int) -> int:
    return 9470001 + at % len(NAMES) + 20 * secret


def _id(kind: str, at: int) -> str:
    return f"{kind}{'x' * 16}"[: 16 - 3] + f"{at:03d}"


def _link(at: int, how: str, secret: int) -> Link:
    return Link(
        name=_name(at, secret),
        patron_id=_person(at, secret),
        how=how if how == "was told" else f"{how} {_mark('how', secret, at)}",
        night=9474001 + at,
        tavern=_mark("of the chain", secret, at),
        pressed=_mark("pressed", secret, at),
    )


def _rumor(at: int, secret: int) -> Rumor:
    teller, subject = _person(at, secret), _person(at + 1, secret)
    return Rumor(
        id=_id("Rumour", at),
        number=at + 1,
        text=f"{WORDS[at % len(WORDS)]} ({at + 1})",
        form=_mark("form", secret, at),
        teller=_name(at, secret),
        teller_id=teller,
        speaker_as_seen=f'a sour half-orc carter on settle {at + 1} by the "fire"',
        seat=_mark("seat", secret, at),
        tavern=SIGNS[at % len(SIGNS)],
        tavern_id=9473001 + at % len(SIGNS),
        chain=(_link(at + 2, "saw it", secret), _link(at, "was told", secret))[secret % 2 :],
        pressed=_mark("if pressed", secret, at),
        truth=TRUTHS[(at + secret) % len(TRUTHS)],
        key=_mark("key", secret, at),
        said=Said(
            kind="cheats",
            subject=subject,
            other=teller,
            amount_cp=(9476001, 9476002 + at),
            night=(9474001, 9474002),
            tavern=9473001,
            adds=_mark("adds", secret, at),
            adds_untrue=bool((at + secret) % 2),
        ),
        kind=("cheats", "owes", "killed")[(at + secret) % 3],
        event=9471001 + at,
        story=9472001 + at,
        hook=_mark("leads to", secret, at),
        strength=1 + (at + secret) % 3,
        dc=9475001 + at,
        wording=_mark("wording", secret, at),
        head=_mark("head", secret, at),
        tail=_mark("tail", secret, at),
        about=(subject, teller),
    )


def _card(at: int, secret: int) -> Card:
    lines = ("what", "tonight", "looks", "says", "wants", "belief", "secret", "fight")
    what, tonight, looks, says, wants, belief, hidden, fight = (
        _mark(line, secret, at) for line in lines
    )
    is_home = at % 5 == 4
    return Card(
        id=_id("Person", at),
        patron_id=_person(at, secret),
        name=_name(at, secret),
        what=what,
        sex="female" if at % 2 else "male",
        tavern="" if is_home else SIGNS[at % len(SIGNS)],
        tavern_id=0 if is_home else 9473001 + at % len(SIGNS),
        tonight=tonight,
        looks=looks,
        says=says,
        wants=wants,
        belief=belief,
        secret=hidden,
        numbers=(
            f"Sleight +0, Spot +5, Bluff +9 {_mark('3.5', secret, at)}",
            f"Thievery +2, Perc +8, Bluff +9 {_mark('4e', secret, at)}",
            f"Sleight +0, pPerc 13, Decept +6 {_mark('5e', secret, at)}",
        ),
        fight=fight,
        rumors=(at + 1, at) if at else (1,),
        history=(_mark("history", secret, at), _mark("older history", secret, at)),
        sheet=_sheet(at),
        kin=(_mark("kin", secret, at), _mark("more kin", secret, at)),
    )


def _sheet(at: int) -> Sheet:
    return Sheet(
        abilities={"str": 10 + at % 4, "dex": 12, "con": 11, "int": 9, "wis": 13, "cha": 8},
        hp=4 + at,
        level=1 + at % 3,
        size="Small" if at % 4 == 3 else "Medium",
        speed_ft=20 if at % 4 == 3 else 30,
        block=("commoner", "bandit", "guard", "thug", "spy", "noble")[at % 6],
        skills_35={"Sleight of Hand": at, "Spot": 5, "Sense Motive": 2, "Bluff": 9 - at},
        skills_4={"Thievery": 2, "Perception": 8, "Insight": 3, "Bluff": 9},
        skills_5={"Sleight of Hand": 0, "Insight": 1, "Deception": 6, "passive Perception": 13},
        coins_cp=9477001 + at,
    )


def _hook(at: int, secret: int) -> SessionHook:
    fields = ("hook title", "motif", "now", "clock", "if nobody", "lever", "stakes")
    title, motif, now, clock, if_nobody, lever, stakes = (
        _mark(field, secret, at) for field in fields
    )
    return SessionHook(
        id=_id("Hook", at),
        title=f"{title} <script> \" ' | [[x]]",
        motif=motif,
        tavern=SIGNS[at % len(SIGNS)],
        tavern_id=9473001 + at % len(SIGNS),
        now=now,
        wants=(_mark("wants one", secret, at), _mark("wants two", secret, at)),
        clock=clock,
        if_nobody=if_nobody,
        lever=lever,
        stakes=stakes,
        people=(_person(at, secret), _person(at + 1, secret), 9470099),
        events=(9471001 + at, 9471002 + at),
    )
