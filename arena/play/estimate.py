"""What a tournament will cost before it is played."""

from __future__ import annotations

from collections import Counter
from typing import Any

from arena.config.tournament import Tournament

# Replies a second of each adapter where nothing is known of the machine; `arena bench` measures.
RATES = {"hf": 15.0, "parlai": 15.0, "openai": 5.0, "http": 2.0}
FAST = 1000.0


def estimate(tournament: Tournament) -> dict[str, Any]:
    """Calls for each bot; inquiries at most one where `per_turn` is `all`, since only the texts decide."""
    turns, dialogues = tournament.turns, tournament.dialogues
    asked = 0
    if tournament.inquirer is not None:
        per_turn = 1 if tournament.per_turn == "all" else int(tournament.per_turn)
        asked = turns * per_turn
    calls: Counter[str] = Counter()
    for speaker, tested in tournament.pairs:
        calls[speaker] += (turns - 1) * tournament.dialogues_per_pair
        calls[tested] += (turns + asked) * tournament.dialogues_per_pair
    bots = []
    for bot in tournament.bots:
        rate = float(bot.settings.get("rate_limit") or RATES.get(bot.adapter, FAST))
        bots.append(
            {"bot": bot.name, "calls": calls[bot.name], "rate": rate, "seconds": calls[bot.name] / rate}
        )
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
        "basis": "usual rates of each adapter on two cores; 'arena bench' measures yours",
    }
