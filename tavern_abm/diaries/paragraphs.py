"""A night as a paragraph, and quiet nights in a row as one."""

from __future__ import annotations

from ..rumor_words import in_coins, listed, spelled
from ..town.setup import SET_APART
from . import wordings
from .at_table import deed, incidents, judging, seen_by_day, sight, tricks
from .talk import heard, told
from .voice import Night, Voice


def paragraph(voice: Voice, night: Night) -> str:
    """Tell one night."""
    by_day = [event for event in night.events if event["round"] == 0]
    evening = [event for event in night.events if event["round"] > 0]
    parts = [deed(voice, event) for event in by_day]
    parts += [*seen_by_day(voice, night)]
    parts += [where(voice, night), *tricks(voice, evening), *incidents(voice, night, evening)]
    parts += [*judging(voice, night), *sight(voice, night)]
    parts += [*heard(voice, night), *told(voice, night)]
    return " ".join(part for part in parts if part)


def where(voice: Voice, night: Night) -> str:
    """Where he spent the evening and what it brought him, or why he did not go out."""
    if night.evening is None:
        return ""
    house = voice.house(int(night.evening["tavern_id"] or night.evening["home_id"]))
    if not night.is_out:
        purse = in_coins(night.before_cp or 0)
        return voice.say(wordings.HOME[night.why_home], night.night, purse=purse, house=house)
    if night.evening["is_player"]:
        return voice.say(wordings.PLAYER, night.night, house=house)
    table = int(night.evening["table_id"])
    # Tables of a second game have numbers far above, which say nothing to anybody.
    is_plain = 0 < table < SET_APART
    seat = f", last at table {table}" if is_plain and night.net_cp else ""
    mugs = f"{spelled(night.mugs)} {'mug' if night.mugs == 1 else 'mugs'}"
    came = _came(voice, night) if table else "found no seat"
    told = wordings.OUT if night.mugs else wordings.DRY
    return voice.say(told, night.night, house=house, mugs=mugs, came=came, seat=seat)


def _came(voice: Voice, night: Night) -> str:
    """What the play brought."""
    net = night.net_cp
    if net is not None:
        sign = (net > 0) - (net < 0)
        told = tuple(each.format(sum=in_coins(net)) for each in wordings.CAME[sign])
    else:
        told = wordings.UNKNOWN
    return told[voice.key(night.night, 1) % len(told)]


def quiet_text(voice: Voice, nights: list[Night]) -> str:
    """Quiet nights in a row: how often he went out, and what it came to."""
    known = [night for night in nights if night.evening is not None]
    if not known:
        return "Nothing of note."
    out = [night for night in known if night.is_out]
    if not out:
        return voice.say(wordings.AT_HOME[_commonest(known)], nights[0].night)
    often = "every evening" if len(out) == len(known) else _often(len(out))
    mugs = sum(night.mugs for night in out)
    did = [f"went out {often}"]
    did += [f"drank {spelled(mugs)} {'mug' if mugs == 1 else 'mugs'}"] if mugs else []
    net = sum(night.net_cp or 0 for night in out)
    did += [f"{'won' if net > 0 else 'lost'} {in_coins(net)}"] if net else []
    return voice.say(wordings.QUIETLY, nights[0].night, did=listed(did))


def _commonest(nights: list[Night]) -> str:
    reasons = [night.why_home for night in nights]
    return max(wordings.AT_HOME, key=reasons.count)


def _often(n: int) -> str:
    return {1: "once", 2: "twice"}.get(n, f"{spelled(n)} times")
