"""arena train: trains each kind of model that the project ships."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arena.cli.common import emit, json_option, say

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")


@click.group()
def command() -> None:
    """Trains judges, the reader, the BEGIN classifier and the inquirer's models."""


def _data(function: F) -> F:
    return click.option(
        "--data",
        type=click.Path(path_type=Path, exists=True),
        required=True,
        metavar="DIR",
        help="The data sets.",
    )(function)


def _out(function: F) -> F:
    return click.option(
        "--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="The output folder."
    )(function)


def _running(steps: int) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in (
            click.option(
                "--start",
                type=click.Path(path_type=Path, exists=True),
                metavar="FILE",
                help="Start from these weights.",
            ),
            click.option("--threads", type=click.IntRange(min=1), default=2, show_default=True),
            click.option("--seed", type=int, default=7, show_default=True),
            click.option(
                "--steps",
                type=click.IntRange(min=0),
                default=steps,
                show_default=True,
                help="Training steps; 0 runs only the later stages, such as the blend.",
            ),
        ):
            function = option(function)
        return function

    return decorate


def _encoder(default: str) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in (
            click.option(
                "--rank",
                type=click.IntRange(min=0),
                default=32,
                show_default=True,
                help="The rank of the adapters on the large encoder; 0 trains all layers.",
            ),
            click.option(
                "--base",
                type=click.Choice(["all-minilm-l6-v2", "all-mpnet-base-v2"]),
                default=default,
                show_default=True,
                help="The small or the large encoder.",
            ),
        ):
            function = option(function)
        return function

    return decorate


_blend = click.option(
    "--blend",
    type=click.Path(path_type=Path, exists=True),
    metavar="FILE",
    help="Average the result with these weights.",
)


@command.command()
@_data
@_out
@_running(6_500)
@_blend
@_encoder("all-minilm-l6-v2")
@click.option(
    "--answers",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Labelled answers of language models for a last stage, as in docs/readings/answers.",
)
@click.option(
    "--published",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Published tournaments with labels for the last stage, as in examples/first-leaderboard.",
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Further labels of these tournaments, as in docs/readings/published.",
)
@click.option("--answer-steps", type=click.IntRange(min=1), default=350, show_default=True)
def judge(**options: Any) -> None:
    """Trains a contradiction judge.

    A stopped training resumes from its checkpoint when the command is run again.
    """
    from arena.training.judges.judge import JudgeOptions, train

    trained = train(JudgeOptions(**options), say)
    say(f"Trained: {trained}")


@command.command()
@_data
@_out
@_running(4_500)
@_encoder("all-minilm-l6-v2")
@click.option(
    "--blend",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="FILE",
    help="Average the result with these weights; may be repeated.",
)
@click.option(
    "--ruled",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Also learn from N questions that Q²'s rules write.",
)
@click.option(
    "--teacher",
    type=click.Path(path_type=Path, exists=True),
    metavar="FILE",
    help="A reader's weights, used to mark answers in unmarked data.",
)
def reader(**options: Any) -> None:
    """Trains the reader, which answers questions for Q² and for the inquirer's round trips."""
    from arena.training.judges.reader import ReaderOptions, train

    trained = train(ReaderOptions(**options), say)
    say(f"Trained: {trained}")


@command.command()
@click.option(
    "--data",
    "turns",
    type=click.Path(path_type=Path, exists=True),
    required=True,
    metavar="PATH",
    help="Grounded dialogue turns: evidence, previous turn, response.",
)
@_out
@click.option(
    "--generator",
    metavar="BOT",
    default="embedded:smollm2-135m",
    show_default=True,
    help="The bot that writes silver replies.",
)
@click.option("--encoder", default="embedded", show_default=True, help="A Hugging Face folder or hub name.")
@click.option("--ways", type=click.Choice(["3", "5"]), default="5", show_default=True)
@click.option(
    "--size", type=click.IntRange(min=10), default=7900, show_default=True, help="Number of silver examples."
)
@click.option(
    "--nli", type=click.Path(path_type=Path, exists=True), metavar="PATH", help="Data of the first stage."
)
@click.option("--epochs", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--rate", type=float, help="Learning rate (default: the paper's for large encoders).")
@click.option("--seed", type=int, default=7, show_default=True)
@click.option("--threads", type=click.IntRange(min=1), default=2, show_default=True)
@json_option
def begin(out: Path, generator: str, ways: str, as_json: bool, **options: Any) -> None:
    """Trains a BEGIN classifier on adversarial silver data."""
    from arena.cli.named import bot
    from arena.stats.metrics import macro_f1
    from arena.training.judges.begin import Options, train

    spec = bot(generator)
    entry = {"adapter": spec.adapter, **spec.settings}
    outcome = train(Options(out=out, generator=entry, ways=int(ways), **options), say)
    right = sum(one == other for one, other in zip(outcome.gold, outcome.predicted, strict=True))
    facts = {
        "trained_on": outcome.trained_on,
        "held_out": len(outcome.gold),
        "accuracy": right / len(outcome.gold) if outcome.gold else None,
        "macro_f1": macro_f1(outcome.gold, outcome.predicted) if outcome.gold else None,
        "labels": dict(outcome.counts),
        "methods": dict(outcome.methods),
        "antonyms": outcome.antonyms,
    }
    if as_json:
        emit(facts)
        return
    say(f"Trained on {outcome.trained_on} silver examples into {out}.")
    if outcome.gold:
        say(
            f"Held out: {len(outcome.gold)}, accuracy {facts['accuracy']:.3f}, macro F1 {facts['macro_f1']:.3f}."
        )


@command.command()
@_data
@_out
@click.option(
    "--work", type=click.Path(path_type=Path), metavar="DIR", help="Keep the labelled text in this folder."
)
@click.option(
    "--tagger", metavar="NAME", help="The spaCy model for labelling (default: any installed model)."
)
@json_option
def entities(data: Path, out: Path, work: Path | None, tagger: str | None, as_json: bool) -> None:
    """Trains the Stanza models that find entities."""
    from arena.training.inquirer.entities import train

    facts = train(data, out, work, name=tagger)
    if as_json:
        emit(facts)
    else:
        say(f"Trained into {out}: {facts}")


@command.command()
@_data
@_out
@click.option(
    "--model", default="qwen2.5-coder-0.5b", show_default=True, help="An embedded model, or a folder."
)
@click.option("--steps", type=click.IntRange(min=1), default=400, show_default=True)
@click.option("--batch", type=click.IntRange(min=1), default=16, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--half", is_flag=True, help="Use bfloat16, if the processor supports it natively.")
def questions(data: Path, out: Path, model: str, steps: int, batch: int, seed: int, half: bool) -> None:
    """Trains a small adapter that makes a language model write questions about a message."""
    from arena.training.inquirer.questions import Settings, examples, train

    by_hand, by_rules = examples(data, seed)
    say(f"{len(by_hand)} written examples, {len(by_rules)} of the rules")

    def report(step: int, loss: float) -> None:
        if step % 50 == 0:
            say(f"step {step} of {steps}: loss {loss:.3f}")

    settings = Settings(steps=steps, batch=batch, seed=seed, half=half)
    losses = train(by_hand, by_rules, model, out, settings, report)
    last = losses[-50:]
    say(f"Trained into {out}; the loss fell from {losses[0]:.3f} to {sum(last) / len(last):.3f}.")
