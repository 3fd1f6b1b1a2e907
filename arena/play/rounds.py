"""--until-stable: after each round, which pairs deserve the next dialogues, and when the ranking is sure."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from arena.core.types import DialoguePlan
from arena.play.orchestrator import Orchestrator, Tally
from arena.play.schedule import plans
from arena.results.view import progress_counts
from arena.stats.sequential import Decision, StoppingPlan, decide


async def until_stable(orchestrator: Orchestrator, probability: float) -> Tally:
    """Plays rounds until the ranking is sure or everything planned is played; a later run goes on from here."""
    try:
        while True:
            decision = await asyncio.to_thread(look, orchestrator, probability)
            if decision.stop:
                orchestrator.watcher.note(
                    f"Stopped after {decision.looks} looks: {decision.reason} "
                    f"(the order {' < '.join(decision.order)} has probability {decision.probability:.3f})."
                )
                orchestrator.tally.stopped = "stable" if decision.settled else None
                return orchestrator.tally
            await orchestrator.round(wanted(orchestrator, decision))
            if orchestrator.ended:
                return orchestrator.tally
    finally:
        await orchestrator.close()


def look(orchestrator: Orchestrator, probability: float) -> Decision:
    """The decision that the stored dialogues and the tournament's first judge lead to."""
    tournament = orchestrator.tournament
    stored = orchestrator.repository.find(tournament.info.id)
    counts = progress_counts(
        orchestrator.repository, stored, tournament.judges[0].name, tournament.judges[0].tau
    )
    place = {name: i for i, name in enumerate(counts.bots)}
    played = np.zeros((len(place), len(place)), bool)
    for speaker, tested in tournament.pairs:
        played[place[speaker], place[tested]] = True
    return decide(counts, played, StoppingPlan(tournament.dialogues_per_pair, probability))


def wanted(orchestrator: Orchestrator, decision: Decision) -> Sequence[DialoguePlan]:
    """The dialogues that the decision asks for; those already played cost nothing."""
    tournament = orchestrator.tournament
    place = {bot.name: i for i, bot in enumerate(tournament.bots)}
    most = int(decision.targets.max())
    return [
        plan
        for plan in plans(tournament, last=most)
        if plan.number < decision.targets[place[plan.speaker.name], place[plan.tested.name]]
    ]
