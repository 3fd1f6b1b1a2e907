"""arena bench: measures the speed of this machine."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import click

from arena.cli.common import emit, json_option, say

PARTS = ("replies", "growth", "int8", "orchestrator", "nli", "stability")


@click.command()
@click.option(
    "--only", type=click.Choice(PARTS), multiple=True, help="Measure this part alone; may be repeated."
)
@click.option("--quick", is_flag=True, help="Fewer turns: takes minutes, with less precise figures.")
@click.option(
    "--dialogues", type=click.IntRange(min=1), default=32, show_default=True, help="Concurrent dialogues."
)
@json_option
def command(only: tuple[str, ...], quick: bool, dialogues: int, as_json: bool) -> None:
    """Measures the speed of replies, verdicts and the orchestrator, and compares each with a simple implementation.

    The implementations take turns, so that other load on the machine affects all of them equally.
    """
    facts: dict[str, Any] = {
        "machine": {"cores": os.cpu_count(), "load_before": [round(x, 2) for x in os.getloadavg()]}
    }
    for part in only or PARTS:
        say(f"measuring {part} …")
        facts |= _measure(part, quick, dialogues)
    if as_json:
        emit(facts)
        return
    for name, value in facts.items():
        click.echo(f"{name}: {_line(value)}")


def _measure(part: str, quick: bool, dialogues: int) -> dict[str, Any]:
    if part == "orchestrator":
        from arena.bench.orchestrator import measure

        return {part: measure(400 if quick else 10_000)}
    if part in ("nli", "stability"):
        from arena.bench import judging

        if part == "stability":
            return {"stability_seconds": judging.stability_seconds(quick)}
        return {part: asyncio.run(judging.verdicts(quick))}
    from arena.bench import generation

    if part == "replies":
        return asyncio.run(generation.replies(quick, say, dialogues))
    if part == "growth":
        return asyncio.run(generation.growth(quick, say))
    return {part: asyncio.run(generation.int8(quick, say, dialogues))}


def _line(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_line(inner)}" for name, inner in value.items())
    return str(value)
