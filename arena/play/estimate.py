"""Estimates the cost of a tournament before it is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from arena.config.tournament import Tournament
from arena.core.defaults import INQUIRIES_PER_100_REPLIES
from arena.stats.pace import seconds_per_call
from db.paces import Played

# Replies per second of each adapter, used if nothing was measured
RATES = {"hf": 4.0, "parlai": 15.0, "openai": 5.0, "http": 2.0}
FAST = 1000.0
USUAL = "usual rates of each adapter on two cores; 'arena bench' measures yours"


def estimate(tournament: Tournament, earlier: Sequence[Played] = ()) -> dict[str, Any]:
    """Estimate the calls and seconds of each bot, from its earlier dialogues if there are any.

    If `per_turn` is `all`, the number of inquiries depends on the texts. One inquiry per turn is assumed then.
    """
    turns, dialogues = tournament.turns, tournament.dialogues
    asked = 0
    if tournament.inquirer is not None:
        per_turn = 1 if tournament.per_turn == "all" else int(tournament.per_turn)
        asked = turns * per_turn
    calls: Counter[str] = Counter()
    for speaker, tested in tournament.pairs:
        calls[speaker] += (turns - 1) * tournament.dialogues_per_pair
        calls[tested] += (turns + asked) * tournament.dialogues_per_pair
    measured = seconds_per_call((_calls(one), one.seconds) for one in earlier)
    bots = []
    for bot in tournament.bots:
        seconds = measured.get(bot.identity, 0.0)
        rate = 1 / seconds if seconds else RATES.get(bot.adapter, FAST)
        if limit := bot.settings.get("rate_limit"):
            rate = min(rate, float(limit)) if seconds else float(limit)
        spent = calls[bot.name] / rate
        bots.append({"bot": bot.name, "calls": calls[bot.name], "rate": round(rate, 3), "seconds": spent})
    return {
        "tournament": tournament.info.id,
        "release": tournament.info.release,
        "config_hash": tournament.info.config_hash,
        "dialogues": dialogues,
        "replies": dialogues * (2 * turns - 1),
        "inquiries": dialogues * asked,
        "judgements": dialogues * asked * len(tournament.judges),
        "bots": bots,
        "seconds": sum(float(str(bot["seconds"])) for bot in bots),
        "yield": _expected(tournament, earlier),
        "basis": _basis(tournament, measured, len(earlier)),
    }


def _expected(tournament: Tournament, earlier: Sequence[Played]) -> dict[str, Any]:
    """The expected number of inquiries. It is based on earlier dialogues in which the same inquirer asked the same
    bots.
    """
    tested = {bot.identity for bot in tournament.bots if any(bot.name == j for _, j in tournament.pairs)}
    alike = [one for one in earlier if one.inquirer == tournament.inquirer_id and one.tested in tested]
    replies, asked = sum(one.replies for one in alike), sum(one.inquiries for one in alike)
    rate = (
        0.0
        if tournament.inquirer is None
        else 100 * asked / replies
        if replies
        else INQUIRIES_PER_100_REPLIES
    )
    expected = rate / 100 * tournament.turns * tournament.dialogues
    return {
        "inquiries_per_100_replies": rate,
        "inquiries": round(expected),
        "dialogues": len(alike),
    }


def _calls(dialogue: Played) -> dict[str, int]:
    calls: Counter[str] = Counter({dialogue.speaker: dialogue.speaker_calls})
    calls[dialogue.tested] += dialogue.tested_calls  # if a bot talks with itself, it has both seats
    return dict(calls)


def _basis(tournament: Tournament, measured: dict[str, float], dialogues: int) -> str:
    new = [bot.name for bot in tournament.bots if bot.identity not in measured]
    if not measured:
        return USUAL
    known = f"what {dialogues} earlier dialogues in this database took"
    return f"{known}; for {', '.join(new)} {USUAL}" if new else known
