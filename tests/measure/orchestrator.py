"""10,000 dialogues of 15 turns of scripted bots into SQLite: replies a second and memory."""

from __future__ import annotations

from arena.bench.orchestrator import measure


def main() -> None:
    print(measure(10_000))
