"""Collects replies of language models to ask about: what a bot says next in a conversation of Synthetic-Persona-Chat.

    python -m arena.training.inquirer.replies --data FOLDER --bot embedded:MODEL --seed 1 --out replies.jsonl

The model gets the persona of the speaker whose turn it is, and the last messages of the conversation. Every
line of the output file is one reply. A run that was stopped continues where it ended.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from arena.core.hashing import seed_for
from bots import naming, registry
from bots.base import Bot, Line, ReplyRequest

BATCH = 16
HISTORY = 6  # messages that the model sees
SYSTEM = (
    "You are a real person chatting with a stranger. These are facts about you:\n{persona}\n"
    "Stay this person and speak in the first person. Never offer help, never say that you are an AI. Write one to "
    "three casual sentences, tell something about your own life, then ask something."
)
DECODING = {"temperature": 0.9, "top_p": 0.9, "repetition_penalty": 1.05, "max_new_tokens": 60}


@dataclass(frozen=True, slots=True)
class Context:
    persona: str
    history: tuple[str, ...]  # the last message is to be answered


def contexts(path: Path, count: int, seed: int) -> list[Context]:
    """Draw contexts at random: a conversation, and a place in it."""
    conversations = list(_conversations(path))
    random = Random(seed)
    result = []
    for _ in range(count):
        personas, lines = random.choice(conversations)
        turn = random.randrange(1, len(lines))
        speaker = lines[turn][0]
        messages = tuple(text for _, text in lines[max(0, turn - HISTORY) : turn])
        result.append(Context(personas[speaker], messages))
    return result


def _conversations(path: Path) -> Iterator[tuple[list[str], list[tuple[int, str]]]]:
    """Yield (both personas, messages with their speakers) for each row."""
    import csv

    csv.field_size_limit(10**7)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            messages = re.findall(r"^User ([12]): ?(.+)$", row["Best Generated Conversation"], re.MULTILINE)
            lines = [(int(who) - 1, text.strip()) for who, text in messages]
            if len(lines) > 4:
                yield [row["user 1 personas"], row["user 2 personas"]], lines


async def write(bot: Bot, wanted: Sequence[Context], seed: int, out: Path) -> None:
    done = sum(1 for _ in out.open(encoding="utf-8")) if out.exists() else 0
    with out.open("a", encoding="utf-8") as file:
        for first in range(done, len(wanted), BATCH):
            requests = [
                ReplyRequest(
                    f"r{number}",
                    tuple(Line(text, (len(c.history) - n) % 2 == 0) for n, text in enumerate(c.history)),
                    seed_for(seed, number),
                    knowledge=SYSTEM.format(persona=c.persona),
                )
                for number, c in enumerate(wanted[first : first + BATCH], first)
            ]
            for context, reply in zip(wanted[first:], await bot.reply(requests), strict=False):
                file.write(json.dumps({"before": context.history[-1], "text": reply.text}) + "\n")
            file.flush()


async def _run(given: argparse.Namespace) -> None:
    bot = registry.create(naming.spec(given.bot, label="replies", defaults={"decoding": DECODING}))
    try:
        await write(bot, contexts(given.data, given.count, given.seed), given.seed, given.out)
    finally:
        await bot.close()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="synthetic_persona_chat_train.csv")
    parser.add_argument("--bot", required=True, help="a model, as in embedded:smollm2-135m")
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    asyncio.run(_run(parser.parse_args(arguments)))


if __name__ == "__main__":
    main()
