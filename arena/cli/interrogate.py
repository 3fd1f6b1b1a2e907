"""arena interrogate: runs the ConsisTest benchmark on a bot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from arena.cli.common import console, db_option, emit, engine_options, gathered, json_option, say

CONTEXTS = ("standard", "fact", "fact-appended", "fact-first", "masked")


@dataclass(frozen=True, slots=True)
class InterrogateOptions:
    """The arguments and options of `arena interrogate`."""

    bot: str | None
    refresh: Path | None
    data: Path
    limit: int | None
    variant: str
    judge: str
    batch: int
    deterministic: bool
    retry_failed: bool
    seed: int
    engine: str
    address: str | None
    db: str
    as_json: bool


@click.command()
@click.argument("bot", required=False)
@click.option(
    "--refresh",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="First make new samples from these dialogues (JSON lines) in DIR.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="ConsisTest's three files, or new samples.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="A sample of N questions, drawn by the seed."
)
@click.option(
    "--context",
    "variant",
    type=click.Choice(CONTEXTS),
    default="standard",
    show_default=True,
    help="What the bot sees (Table 6).",
)
@click.option(
    "--judge",
    default="hybrid",
    show_default=True,
    metavar="NAME",
    help="A judge to use instead of the paper's pipeline.",
)
@click.option("--batch", type=click.IntRange(min=1), default=32, show_default=True)
@click.option("--deterministic", is_flag=True, help="Batch 1 and fp32.")
@click.option("--retry-failed", is_flag=True, help="Repeat questions that the bot failed to answer.")
@click.option("--seed", type=int, default=0, show_default=True)
@engine_options
@db_option
@json_option
@gathered(InterrogateOptions)
def command(options: InterrogateOptions) -> None:
    """Asks BOT the questions of ConsisTest and scores its answers.

    BOT is FILE.yaml:NAME, embedded:MODEL, a model folder, an adapter, or {adapter: hf, model: FOLDER, …}. A bot without
    settings of its own answers greedily, as in the paper. Each answer is stored at once, so an interrupted run resumes
    with the same command. Without BOT, --refresh only makes samples.
    """
    if options.refresh is not None:
        _refreshed(options.refresh, options.data)
    if options.bot is None:
        if options.refresh is None:
            raise click.UsageError("BOT is missing: name a bot, or make samples with --refresh FILE.")
        return
    import asyncio
    from collections import Counter

    from arena.cli import named
    from arena.cli.common import repository
    from arena.engines.choice import opened
    from arena.validation import consistest
    from arena.validation.base import Report
    from arena.validation.consistest_table import interrogation
    from arena.validation.interrogation import ask
    from arena.validation.scoring import judged
    from arena.validation.show import show
    from bots.base import RunOptions
    from db.interrogations import Interrogations

    samples = consistest.drawn(consistest.load(options.data), options.limit, options.seed)
    spec = named.bot(options.bot, greedy=True)
    store = Interrogations(repository(options.db, create=True), spec.identity, options.variant)
    if options.retry_failed:
        store.forget_failures()
    run = RunOptions(deterministic=options.deterministic, batch=1 if options.deterministic else options.batch)
    progress = _Progress(len(samples))
    with opened(options.engine, options.address, say) as engine:
        (judging,) = named.judges([options.judge], engine)
        answers = asyncio.run(
            ask(spec, samples, consistest.Context(options.variant), store, run, engine, progress.advance)
        )
        given = [(s, text) for s in samples if (text := answers[s.key].text) is not None]
        judgements = dict(
            zip(
                (sample.key for sample, _ in given),
                judged(judging, [consistest.case(sample, text) for sample, text in given]).judgements,
                strict=True,
            )
        )
    failed = Counter(reason for sample in samples if (reason := answers[sample.key].reason))
    document, tables = interrogation(
        spec.name,
        consistest.Context(options.variant),
        samples,
        [judgements.get(sample.key) for sample in samples],
        failed,
        rounds=1000,
        seed=options.seed,
    )
    if options.as_json:
        emit({**document, "judge": judging.name, "identity": spec.identity})
    else:
        show(Report("consistest", document["n"], tables=tables), console())


def _refreshed(chats: Path, folder: Path) -> None:
    """Write new samples, made by rules. Short answers are found by the embedded reader, if it is installed."""
    from arena.core import plugins
    from arena.core.errors import ArenaError
    from arena.validation import consistest
    from arena.validation import consistest_refresh as making
    from inquirer import build

    try:
        reader = plugins.load("arena.readers", "embedded")({})
    except ArenaError as error:
        say(f"{error} Long answers to wh-questions are left out.")
        reader = None
    samples = making.samples(making.load(chats), build({"entities": "rules"}), reader)
    making.write(samples, folder)
    say(f"{len(consistest.load(folder))} samples in {folder}")


class _Progress:
    """Prints a line after each tenth of the questions."""

    def __init__(self, total: int) -> None:
        self._total, self._done, self._told = total, 0, 0

    def advance(self, number: int) -> None:
        self._done += number
        tenth = 10 * self._done // self._total if self._total else 10
        if tenth > self._told:
            self._told = tenth
            say(f"{self._done} of {self._total} answers")
