"""Asks a bot all samples of a benchmark in batches. The answers of a batch are stored before the next batch begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.core.hashing import seed_for
from arena.core.types import BotSpec
from arena.engines.base import Engine
from arena.validation.consistest import Context, Sample, context
from bots.base import Line, Reply, ReplyRequest, RunOptions
from bots.batching import DialogueCounter
from db.interrogations import Answer, Interrogations

CHUNK = 64  # samples per transaction: the most that a killed process loses


def request(sample: Sample, variant: Context) -> ReplyRequest:
    """Return a request with the persona as the bot's knowledge, the messages that the bot remembers, and the
    question.
    """
    persona, messages = context(sample, variant)
    lines = [Line(text, mine=index % 2 == 1) for index, text in enumerate(messages)]
    return ReplyRequest(
        dialogue=f"consistest/{sample.key}/{variant}",
        history=(*lines, Line(sample.question, mine=False)),
        seed=seed_for("consistest", sample.key),
        fork=True,
        knowledge="\n".join(persona) or None,
    )


async def ask(
    bot: BotSpec,
    samples: Sequence[Sample],
    variant: Context,
    store: Interrogations,
    run: RunOptions,
    engine: Engine,
    progress: Callable[[int], None],
) -> dict[str, Answer]:
    """Return all answers by sample. Stored answers are reused, and the model is loaded only if an answer is missing."""
    known = store.answers([sample.key for sample in samples])
    progress(len(known))
    # Samples of similar length are neighbours, so that batches need little padding.
    missing = sorted((s for s in samples if s.key not in known), key=_length)
    if not missing:
        return known
    player = await engine.bot(bot, run, DialogueCounter())
    try:
        for start in range(0, len(missing), CHUNK):
            part = missing[start : start + CHUNK]
            replies = await player.reply([request(sample, variant) for sample in part])
            answers = {sample.key: _answer(reply) for sample, reply in zip(part, replies, strict=True)}
            store.store(answers)
            known |= answers
            progress(len(part))
    finally:
        await player.close()
    return known


def _length(sample: Sample) -> int:
    return sum(map(len, sample.persona)) + sum(map(len, sample.messages)) + len(sample.question)


def _answer(reply: Reply) -> Answer:
    if reply.error is not None:
        return Answer(None, str(getattr(reply.error, "reason", "") or "error"))
    return Answer(reply.text.strip()) if reply.text.strip() else Answer(None, "empty")
