"""arena judge: judges stored dialogues with other judges or under other checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.common import console, db_option, emit, engine_options, gathered, json_option, repository, say
from arena.cli.verdict_options import ALL_CHECKS

if TYPE_CHECKING:
    from arena.core.types import JudgeSpec
    from arena.engines.base import Engine
    from db.records import StoredTournament
    from db.repository import Repository


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """The arguments and options of `arena judge`."""

    tournament: str
    chosen: tuple[str, ...]
    checks: tuple[str, ...]
    replies: bool
    out: Path | None
    engine: str
    address: str | None
    db: str
    as_json: bool


@click.command()
@click.argument("tournament")
@click.option(
    "--judge",
    "chosen",
    multiple=True,
    metavar="NAME",
    help="A judge of `arena judges list`, NAME:VALUE, or {judge: nli, name: mine, …}; repeat for more. "
    "Without it, the tournament's own.",
)
@click.option(
    "--check",
    "checks",
    multiple=True,
    type=click.Choice(ALL_CHECKS),
    help="What is judged; repeat for more. Without it, the tournament's own `checks`.",
)
@click.option(
    "--replies",
    is_flag=True,
    help="Compare ordinary replies of bots with their knowledge, for judges of groundedness (q2, begin).",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="With --replies: one JSON line per reply, with the judge's evidence.",
)
@engine_options
@db_option
@json_option
@gathered(JudgeOptions)
def command(options: JudgeOptions) -> None:
    """Judges the stored inquiries and messages of TOURNAMENT.

    Existing verdicts are kept. Equal texts are judged only once.
    """
    if options.out is not None and not options.replies:
        raise click.UsageError("--out is for --replies; `arena export` writes verdicts of inquiries.")
    import asyncio

    from arena.cli.named import mapping
    from arena.engines.choice import opened
    from arena.judging.stored import wanted_judges
    from arena.play.paid_judging import paid_judging

    store = repository(options.db)
    stored = store.find(options.tournament)
    wanted = wanted_judges(stored, [mapping(text) or text for text in options.chosen])
    if options.replies:
        document = _replies(
            store, stored, wanted, options.engine, options.address, options.out, options.as_json
        )
        if options.as_json:
            emit(document)
        return
    with opened(options.engine, options.address, say) as engine:
        facts = asyncio.run(paid_judging(store, stored, wanted, engine, options.checks))
    for one in facts:
        reasons = ", ".join(f"{count} × {reason}" for reason, count in one["unjudged"].items())
        say(
            f"{one['judge']} ({one['revision']}): {one['new']} new verdicts, {one['verdicts']} in all"
            f"{'; not judged: ' + reasons if reasons else ''}; {one['seconds']:.1f} s."
        )
        for check, count in one["checks"].items():
            without = ", ".join(f"{number} × {reason}" for reason, number in count["unjudged"].items())
            say(f"  {check}: {count['verdicts']} messages judged{'; ' + without if without else ''}.")
    if options.as_json:
        emit({"tournament": stored.id, "release": stored.release, "judges": facts})


def _replies(
    store: Repository,
    stored: StoredTournament,
    wanted: Sequence[JudgeSpec],
    engine: str,
    address: str | None,
    out: Path | None,
    as_json: bool,
) -> dict[str, Any]:
    import asyncio
    import io
    from dataclasses import replace

    from arena.core.errors import InputError
    from arena.engines.choice import opened
    from arena.validation.base import Report
    from arena.validation.grounded_replies import collect, summary, table, write
    from arena.validation.show import show
    from bots.base import RunOptions
    from judges.cache import Cached

    given = collect(store.records(stored.id))
    if not given:
        raise InputError(
            "No bot under test of this tournament had knowledge: give a bot `knowledge:` in the tournament's file."
        )
    summaries: dict[str, Any] = {}
    tables = []
    lines = io.StringIO()

    async def judged(spec: JudgeSpec, engine: Engine) -> list[Any]:
        judge = await engine.judge(replace(spec, tau=None), RunOptions())
        try:
            return await Cached(judge, store).judge([reply.case for reply in given])
        finally:
            await judge.close()

    with opened(engine, address, say) as running:
        for spec in wanted:
            judgements = asyncio.run(judged(spec, running))
            summaries[spec.name] = summary(given, judgements, rounds=1000, seed=stored.seed)
            write(spec.name, given, judgements, lines)
            tables.append(table(spec.name, summaries[spec.name]))
    if not as_json:
        show(Report("replies", len(given), tables=tables), console())
    if out is not None:
        try:
            out.write_text(lines.getvalue(), encoding="utf-8")
        except OSError as error:
            raise InputError(f"{out} cannot be written: {error.strerror}; name another --out.") from error
        say(f"{len(given) * len(wanted)} judgements in {out}.")
    return {"tournament": stored.id, "release": stored.release, "replies": summaries}
