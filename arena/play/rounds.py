"""Implements `--until-stable`: after each round, decides which pairs get more dialogues and whether the ranking is
certain.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from arena.core.types import DialoguePlan
from arena.play.options import Tally
from arena.play.orchestrator import Orchestrator
from arena.play.schedule import plans
from arena.results.view import progress_counts
from arena.stats.sequential import Decision, StoppingPlan, decide


async def until_stable(orchestrator: Orchestrator, probability: float) -> Tally:
    """Play rounds until the ranking is certain or all planned dialogues are played. A later run resumes."""
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
    """Make a decision from the stored dialogues, as judged by the tournament's first judge."""
    tournament = orchestrator.tournament
    stored = orchestrator.repository.find(tournament.info.id)
    counts = progress_counts(
        orchestrator.repository, stored, tournament.judges[0].name, tournament.judges[0].tau
    )
    index = {name: i for i, name in enumerate(counts.bots)}
    played = np.zeros((len(index), len(index)), bool)
    for speaker, tested in tournament.pairs:
        played[index[speaker], index[tested]] = True
    return decide(counts, played, StoppingPlan(tournament.dialogues_per_pair, probability))


def wanted(orchestrator: Orchestrator, decision: Decision) -> Sequence[DialoguePlan]:
    """Return the dialogues that the decision requests, including dialogues that were already played."""
    tournament = orchestrator.tournament
    index = {bot.name: i for i, bot in enumerate(tournament.bots)}
    most = int(decision.targets.max())
    return [
        plan
        for plan in plans(tournament, last=most)
        if plan.number < decision.targets[index[plan.speaker.name], index[plan.tested.name]]
    ]
