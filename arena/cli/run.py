"""arena run: plays and judges a tournament file."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from arena.cli.common import at, db_option, emit, engine_options, gathered, json_option, say

if TYPE_CHECKING:
    from arena.config.tournament import Tournament
    from arena.play.options import Tally
    from db.paces import Played
    from db.repository import Repository


@dataclass(frozen=True, slots=True)
class RunArguments:
    """The arguments and options of `arena run`."""

    file: str
    release: str | None
    engine: str
    address: str | None
    stable: float | None
    limit: int | None
    deterministic: bool
    concurrency: int
    retry_failed: bool
    dry_run: bool
    db: str
    as_json: bool


@click.command()
@click.argument("file", type=click.Path())
@click.option("--release", metavar="TAG", help="Overrides the file's release tag.")
@engine_options
@click.option(
    "--until-stable", "stable", type=click.FloatRange(0.5, 0.999), metavar="P", help="Stop when sure."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Play at most N dialogues now.")
@click.option("--deterministic", is_flag=True, help="Batch 1 and fp32: equal seeds give equal texts.")
@click.option("--concurrency", type=click.IntRange(min=1), default=128, show_default=True)
@click.option("--retry-failed", is_flag=True, help="Try failed dialogues again.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Check every part and show calls and time, without playing.",
)
@db_option
@json_option
@gathered(RunArguments)
def command(options: RunArguments) -> int:
    """Plays and judges the tournament in FILE.

    Running it again resumes; if the file has grown, only new dialogues are played.
    """
    from arena.config.resolve import load
    from arena.play.options import Options

    tournament = load(options.file, release=options.release)
    if options.dry_run:
        from arena.play import preflight

        preflight.check(tournament)
        _dry(tournament, options.db, options.as_json)
        return 0
    from arena.cli.common import repository
    from arena.play.runner import run

    store = repository(options.db, create=True)
    playing = Options(
        concurrency=options.concurrency,
        deterministic=options.deterministic,
        limit=options.limit,
        retry_failed=options.retry_failed,
    )
    tally = run(
        store, tournament, playing, engine=options.engine, address=options.address, stable=options.stable
    )
    code = report(store, tournament, tally, as_json=options.as_json)
    if not options.as_json and store.progress(tournament.info.id).done:
        newest = next(t.id for t in store.tournaments() if t.release == tournament.info.release)
        name = tournament.info.release if newest == tournament.info.id else tournament.info.id
        say(f"The ranking: arena leaderboard {shlex.quote(name)}{at(options.db)}")
    return code


def report(store: Repository, tournament: Tournament, tally: Tally, *, as_json: bool) -> int:
    """Print what is stored now, what failed, and how to continue."""
    from arena.play.summary import summary

    facts = summary(store, store.find(tournament.info.id), tally)
    if as_json:
        emit(facts)
    dialogues = facts["dialogues"]
    say(
        f"Tournament {facts['tournament']} ({facts['release']}): {dialogues['done']} of "
        f"{dialogues['planned']} dialogues done, {facts['inquiries']} inquiries, "
        f"{facts['verdicts']} new verdicts."
    )
    if facts["yield"]["inquiries_per_100_replies"] is not None:
        rates = facts["yield"]
        minute = rates["findings_per_minute"]
        speed = "" if minute is None else f", {minute:.0f} findings judged per minute"
        say(f"Yield: {rates['inquiries_per_100_replies']:.0f} inquiries per 100 replies{speed}.")
    if dialogues["failed"]:
        reasons = ", ".join(f"{number} × {reason}" for reason, number in sorted(facts["failures"].items()))
        say(f"{dialogues['failed']} dialogues failed ({reasons}); --retry-failed tries them again.")
    if tally.stopped == "budget":
        say("The budget is spent; raise it under `budget` in the file and run it again to go on.")
    elif tally.stopped == "stable":
        say(f"{dialogues['skipped']} of the planned dialogues were not needed.")
    elif dialogues["skipped"]:
        say(f"{dialogues['skipped']} dialogues are not played yet; run the same command again to go on.")
    if tally.stopped == "signal":
        say("Stopped as asked; everything finished is stored. Run the same command again to resume.")
        return 130
    return 1 if dialogues["failed"] else 0


def _dry(tournament: Tournament, db: str, as_json: bool) -> None:
    from arena.cli.plan import plan, size_of, usual
    from arena.play.estimate import estimate

    facts = estimate(tournament, _earlier(tournament, db))
    expected = facts["yield"]
    planned = plan(usual(tournament.turns, expected["inquiries_per_100_replies"]), size_of(tournament))
    facts = {**facts, "detectable": planned["detectable"], "assumed": planned["assumed"]}
    if as_json:
        emit(facts)
        return
    say(
        f"{facts['dialogues']} dialogues of {tournament.turns} turns: {facts['replies']} replies, "
        f"up to {facts['inquiries']} inquiries, {facts['judgements']} judgements."
    )
    for bot in facts["bots"]:
        say(
            f"  {bot['bot']}: {bot['calls']} calls, about {bot['seconds']:.0f} s at {bot['rate']:g} replies/s"
        )
    seen = expected["dialogues"]
    source = (
        f"as in {seen} earlier dialogues of these bots"
        if seen
        else "assumed: nothing was asked of these bots yet"
    )
    say(
        f"Expected yield: {expected['inquiries_per_100_replies']:.0f} inquiries per 100 replies, "
        f"about {expected['inquiries']} in all ({source})."
    )
    say(f"About {facts['seconds']:.0f} s in all if nothing runs side by side ({facts['basis']}).")
    if expected["inquiries"]:
        say(
            f"Two bots whose rates differ by {facts['detectable']:.3f} or more are told apart with 80% probability, "
            f"at a rate of {facts['assumed']['rate']:g} and {facts['assumed']['inquiries_per_dialogue']:.1f} inquiries "
            "per dialogue; 'arena plan' says more."
        )


def _earlier(tournament: Tournament, db: str) -> list[Played]:
    """Return the earlier dialogues of the tournament's bots; none if there is no database yet."""
    from arena.cli.common import repository
    from arena.core.errors import StoreError
    from db.paces import played

    try:
        store = repository(db, read_only=True)
    except StoreError:
        return []
    try:
        return played(store, [bot.identity for bot in tournament.bots])
    finally:
        store.close()
