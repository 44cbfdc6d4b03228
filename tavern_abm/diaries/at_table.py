"""What somebody did at the tables in a night, and what was done to him there, in sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ..coins import show
from ..rumor_words import in_coins, spelled
from . import wordings
from .voice import Night, Voice, in_his_words

VOTES = re.compile(r"\b(\d+) of (\d+)\b")
NIGHTS = re.compile(r"\b(\d+) nights?\b")


def tricks(voice: Voice, events: list[dict[str, Any]]) -> Iterator[str]:
    """His tries at a trick, all of the night in one sentence or two."""
    own = Counter(e["kind"] for e in events if e["patron_id"] == voice.patron_id)
    night = int(events[0]["night"]) if events else 0
    for salt, (kind, told) in enumerate(wordings.TRICKS.items()):
        n = own[kind]
        if n:
            times = {1: "once", 2: "twice"}.get(n, f"{spelled(n)} times")
            yield voice.say(told[n > 1], night, salt, times=times)


def incidents(voice: Voice, night: Night, events: list[dict[str, Any]]) -> Iterator[str]:
    """All else at the tables, round by round."""
    rounds: dict[tuple[int, ...], list[dict[str, Any]]] = {}
    for event in events:
        key = (event["round"], event["tavern_id"], event["table_id"])
        rounds.setdefault(key, []).append(event)
    wins = [e for e in events if e["kind"] == "big_win" and e["patron_id"] == voice.patron_id]
    if wins:
        yield _wins(voice, night.night, [int(e["amount_cp"]) for e in wins])
    for group in rounds.values():
        yield from _incident(voice, night, group)


def _wins(voice: Voice, night: int, sums: list[int]) -> str:
    if len(sums) == 1:
        return voice.say("{He} raked in {sum} in one round.", night, sum=in_coins(sums[0]))
    text = "{n} rounds brought {him} a heap of coins, the best {sum}."
    return voice.say(text, night, n=spelled(len(sums)), sum=in_coins(max(sums)))


def _incident(voice: Voice, night: Night, group: list[dict[str, Any]]) -> Iterator[str]:
    by_kind = {event["kind"]: event for event in group}
    if "accused" in by_kind:
        trial = next((each for each in night.trials if each["round"] == group[0]["round"]), None)
        yield _trial(voice, by_kind, trial)
    told = {"accused", "convicted", "cleared", "odd_throw", "big_win", *wordings.TRICKS}
    for event in group:
        if event["kind"] in wordings.SENTENCES:
            yield _sentence(voice, event)
        elif event["kind"] not in told:
            yield deed(voice, event)


def _trial(
    voice: Voice, by_kind: Mapping[str, dict[str, Any]], trial: dict[str, Any] | None
) -> str:
    accused = by_kind["accused"]
    is_guilty = "convicted" in by_kind
    votes = _votes(by_kind.get("convicted"))
    night = int(accused["night"])
    if accused["patron_id"] != voice.patron_id:
        accuser = voice.who(int(accused["patron_id"]))
        return voice.say(wordings.CALLED[is_guilty], night, accuser=accuser, votes=votes)
    return voice.say(
        wordings.CALLS[is_guilty],
        night,
        other=voice.who(int(accused["other_id"])),
        sure=_sureness(trial),
        votes=votes,
        truth="a cheat indeed" if accused["is_just"] else "no cheat",
    )


def _votes(verdict: dict[str, Any] | None) -> str:
    found = VOTES.search(str(verdict["text"])) if verdict else None
    return f", {spelled(int(found[1]))} of {spelled(int(found[2]))}" if found else ""


def _sureness(trial: dict[str, Any] | None) -> str:
    """How sure the accuser was, if the record has it."""
    if trial is None or trial.get("accuser_belief") is None:
        return ""
    belief = float(trial["accuser_belief"])
    return ", as good as sure of it" if belief > 0.9 else ", half sure of it" * (belief < 0.65)


def _sentence(voice: Voice, event: dict[str, Any]) -> str:
    is_own = event["patron_id"] == voice.patron_id
    who = voice.words["he"] if is_own else voice.who(int(event["patron_id"]))
    found = NIGHTS.search(str(event["text"]))
    nights = f" for {_nights(int(found[1]))}" if found else ""
    fate = wordings.SENTENCED[event["kind"]]
    text = voice.say(fate, int(event["night"]), Who=who, was="was", nights=nights)
    if is_own and event["kind"] not in ("warned", "thrown_out"):
        text += voice.say(" A cheat {he} was." if event["is_just"] else " {He} was no cheat.", 0)
    return text


def _nights(n: int) -> str:
    return f"{spelled(n)} {'night' if n == 1 else 'nights'}"


def deed(voice: Voice, event: dict[str, Any]) -> str:
    """What he did or what befell him; what has no words here tells itself."""
    is_own = event["patron_id"] == voice.patron_id
    wording = wordings.DEEDS.get(event["kind"], ("", ""))[not is_own]
    if not wording:
        return in_his_words(voice, _with_sum_in_words(event))
    other = int(event["other_id"] if is_own else event["patron_id"])
    found = NIGHTS.search(str(event["text"]))
    nights = f" ({_nights(int(found[1]))} abed)" if found else ""
    amount = in_coins(int(event["amount_cp"]))
    name = voice.who(other) if other else "somebody"
    return voice.say(wording, 0, sum=amount, nights=nights, other=name)


def _with_sum_in_words(event: Mapping[str, Any]) -> str:
    """The sentence of an event; what a user wrote himself stays as he wrote it."""
    text, amount = str(event["text"]), int(event["amount_cp"])
    for ours in wordings.COINS_FROM_OUTSIDE.get(event["kind"], ()):
        text = text.replace(ours.format(sum=show(amount)), ours.format(sum=in_coins(amount)))
    return text


def judging(voice: Voice, night: Night) -> Iterator[str]:
    """Trials in which he had a say."""
    for trial in night.judged[: wordings.MOST_JUDGED]:
        beliefs = dict(zip(trial["judges"], trial["beliefs"], strict=True))
        own = beliefs[voice.patron_id]
        if own is None or own != own:  # he had no opinion
            continue
        key = (float(own) > 0.5, trial["verdict"] == "convicted")
        accuser, accused = voice.who(int(trial["accuser_id"])), voice.who(int(trial["accused_id"]))
        own_voice = f"{voice.name}'s"  # "his" might be anybody's here
        names = accuser, accused, own_voice
        yield _judgement(voice, night.night, wordings.JUDGED[key], *names)


def _judgement(
    voice: Voice, night: int, told: tuple[str, ...], accuser: str, accused: str, own: str
) -> str:
    return voice.say(told, night, accuser=accuser, accused=accused, own=own)


def seen_by_day(voice: Voice, night: Night) -> Iterator[str]:
    """The most striking thing that he only saw, in the morning and at no table."""
    for kind in wordings.SIGHTS:
        for event in night.seen:
            if event["kind"] == kind and not event["round"]:
                yield in_his_words(voice, str(event["text"]))
                return


def sight(voice: Voice, night: Night) -> Iterator[str]:
    """The most striking thing that he only saw of an evening."""
    judged = {int(trial["accused_id"]) for trial in night.judged}
    for kind in wordings.SIGHTS:
        for event in night.seen:
            if event["kind"] != kind or not event["round"]:
                continue
            if event["patron_id"] not in judged or kind == "killed":
                other = voice.who(int(event["patron_id"]))
                third = voice.who(int(event["other_id"])) if event["other_id"] else ""
                yield voice.say(wordings.SEEN[kind], night.night, other=other, third=third)
                return
