"""arena validate: measures judges on published data sets, in the papers' own tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.common import console, db_option, emit, engine_options, gathered, json_option, say
from arena.core import extras

if TYPE_CHECKING:
    from arena.engines.base import Engine
    from arena.validation.base import Report
    from judges.base import Judge

Entry = str | Mapping[str, Any]
PUBLISHED: Entry = {"judge": "q2", "name": "q2 as published", "every": False, "graded": False}
WITHOUT_NLI: Entry = {"judge": "q2", "name": "q2 w/o NLI", "every": False, "inference": False}
DEFAULT: Mapping[str, Sequence[Entry]] = {
    "q2": ("q2", PUBLISHED, WITHOUT_NLI, "nli", "overlap", "bleu", "similarity"),
    "begin": ("begin", "nli", "overlap"),
    "consistest": ("hybrid", "hybrid:compat", "nli", "overlap"),
    "dnli": ("q2", PUBLISHED, WITHOUT_NLI, "nli"),
    "decode": ("nli", "lexical"),
    "usr": ("q2", PUBLISHED, "nli", "overlap", "bleu"),
    "nli": ("nli",),
    "pairs": ("nli", "lexical"),
    "aih": (),
}


@dataclass(frozen=True, slots=True)
class ValidateOptions:
    """The arguments and options of `arena validate`."""

    dataset: str
    data: Path | None
    chosen: tuple[str, ...]
    tournaments: tuple[str, ...]
    tau: float | None
    plots: Path | None
    rounds: int
    limit: int | None
    seed: int
    engine: str
    address: str | None
    db: str
    as_json: bool


@click.command()
@click.argument("dataset", type=click.Choice(list(DEFAULT)))
@click.option(
    "--data", type=click.Path(path_type=Path), metavar="PATH", help="The data set's folder or file."
)
@click.option(
    "--judge",
    "chosen",
    multiple=True,
    metavar="NAME",
    help="A judge, or {judge: q2, name: mine, …}; repeat for more.",
)
@click.option(
    "--tournament",
    "tournaments",
    multiple=True,
    metavar="T",
    help="aih: the tournament with labels and chats; may be repeated.",
)
@click.option("--tau", type=click.FloatRange(0, 1), help="aih: scores above it count as contradictions.")
@click.option("--plots", type=click.Path(path_type=Path), metavar="DIR", help="Write the plots as PNG files.")
@click.option(
    "--rounds", type=click.IntRange(min=20), default=1000, show_default=True, help="Bootstrap rounds."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only N items, drawn by the seed.")
@click.option("--seed", type=int, default=0, show_default=True)
@engine_options
@db_option
@json_option
@gathered(ValidateOptions)
def command(options: ValidateOptions) -> None:
    """Measures judges on DATASET: q2, begin, consistest, dnli, decode, usr, nli, pairs or aih.

    Each table has one row per judge, and the paper's figures below. The JSON also has bootstrap intervals.
    """
    if options.plots is not None:
        extras.require("matplotlib", "Plots need")
    if options.dataset == "aih":
        if options.engine != "local":
            raise click.UsageError("aih reads stored verdicts and runs no model: leave out --engine.")
        report = _aih(options.tournaments, options.chosen, options.tau, options.db)
    else:
        if options.data is None:
            raise click.UsageError("--data PATH is missing: the folder or file of the data set.")
        from arena.engines.choice import opened

        with opened(options.engine, options.address, say) as engine:
            report = REPORTS[options.dataset](
                options.data,
                _judges(options.dataset, options.chosen, engine),
                options.limit,
                options.rounds,
                options.seed,
            )
    if options.plots is not None:
        from arena.validation.show import draw

        for path in draw(report, options.plots):
            say(f"Plot: {path}")
    if options.as_json:
        emit(report.document())
    else:
        from arena.validation.show import show

        show(report, console())


def _judges(dataset: str, chosen: Sequence[str], engine: Engine) -> list[Judge]:
    from arena.cli.named import judges

    return judges(chosen or DEFAULT[dataset], engine)


def _drawn(items: Sequence[Any], limit: int | None, seed: int) -> list[Any]:
    from arena.core.hashing import generator

    if limit is None or limit >= len(items):
        return list(items)
    numbers = sorted(generator("validate", seed).sample(range(len(items)), limit))
    return [items[number] for number in numbers]


def _run(judges: Sequence[Judge], cases: Sequence[Any]) -> list[Any]:
    import time

    from arena.validation.scoring import judged

    runs = []
    for judge in judges:
        began = time.monotonic()
        runs.append(judged(judge, cases))
        reasons = ", ".join(f"{count} × {reason}" for reason, count in sorted(runs[-1].reasons.items()))
        left = f"; not judged: {reasons}" if reasons else ""
        say(f"{judge.name}: {len(cases)} cases in {time.monotonic() - began:.1f} s{left}")
    return runs


def _q2(data: Path, judges: Sequence[Judge], limit: int | None, rounds: int, seed: int) -> Report:
    from dataclasses import replace

    from arena.validation import q2, q2_table

    data_set = q2.load(data)
    if limit is not None:
        data_set = replace(data_set, items=tuple(_drawn(data_set.items, limit, seed)), crossed=(), pairs=())
    runs = _run(judges, [q2.case(item) for item in (*data_set.items, *data_set.crossed)])
    asking = [
        judge
        for judge, run in zip(judges, runs, strict=True)
        if any("checks" in judgement.evidence for judgement in run.judgements)
    ]
    controls = {}
    if asking:
        others = q2.other_knowledge(data_set.items, seed)
        say("control: knowledge of another dialogue")
        controls["other dialogue"] = _run(
            asking, [q2.case(i, k) for i, k in zip(data_set.items, others, strict=True)]
        )
        same = q2.same_dialogue_knowledge(data_set.items, seed)
        say("control: knowledge of another turn")
        controls["same dialogue"] = _run(
            asking, [q2.case(i, k) for i, k in zip(data_set.items, same, strict=True) if k is not None]
        )
    return q2_table.report(data_set, runs, controls, rounds, seed)


def _begin(data: Path, judges: Sequence[Judge], limit: int | None, rounds: int, seed: int) -> Report:
    from dataclasses import replace

    from arena.validation import begin

    sets = [replace(one, items=tuple(_drawn(one.items, limit, seed))) for one in begin.load(data)]
    runs = {}
    for one in sets:
        say(one.name)
        runs[one.name] = _run(judges, [begin.case(item) for item in one.items])
    return begin.report(sets, runs, rounds, seed)


def _consistest(data: Path, judges: Sequence[Judge], limit: int | None, rounds: int, seed: int) -> Report:
    from arena.validation import consistest, consistest_answers, consistest_table

    answers = consistest_answers.find(data)
    if answers is None:
        say(
            f"{data} holds no answers scored by people ({', '.join(consistest_answers.NAMES)} with the columns "
            f"{consistest_answers.COLUMNS}), so only the samples are counted."
        )
        return consistest_table.counts(consistest.load(data))
    items = _drawn(consistest_answers.load(answers), limit, seed)
    return consistest_table.judges(
        items, _run(judges, [consistest_answers.case(item) for item in items]), rounds, seed
    )


def _dnli(data: Path, judges: Sequence[Judge], limit: int | None, rounds: int, seed: int) -> Report:
    from arena.validation import dnli

    test, development = (_drawn(part, limit, seed) for part in dnli.load(data))
    tuning = _run(judges, [dnli.case(item) for item in development]) if development else []
    if not development:
        say(f"Without the development file the papers' τ = {dnli.TAU} on the consistency score is used.")
    runs = _run(judges, [dnli.case(item) for item in test])
    return dnli.report(test, development, runs, tuning, rounds, seed)


def _decode(data: Path, judges: Sequence[Judge], limit: int | None, rounds: int, seed: int) -> Report:
    from arena.core.types import Check
    from arena.judging.checks import cosines
    from arena.validation import decode, pairs
    from judges.vectors import Vectors

    two, whole = (_drawn(part, limit, seed) for part in decode.load(data))
    runs = _run(judges, [pairs.case(pair) for pair in two]) if two else []
    report = pairs.report("decode", two, runs, rounds, seed)
    if not two:
        report.tables.clear()
    checked = decode.history(whole, cosines(Vectors().sentences)) if whole else []
    if whole:
        measured = []
        by_utterances = _run(judges, [case for dialogue in whole for case in decode.cases(dialogue)])
        by_history = _run(judges, decode.history_cases(checked))
        for judge, one, other in zip(judges, by_utterances, by_history, strict=True):
            scale = judge.scale(Check.HISTORY)
            measured.append((judge.name, judge.tau, decode.by_utterances(whole, one)))
            checks = decode.by_history(checked, other, scale)
            measured.append((f"{judge.name}, {decode.HISTORY}", judge.tau, checks))
        decode.dialogues(report, whole, measured, rounds, seed)
    report.more["kept_by_filters"] = decode.kept_by_filters(two, whole, checked)
    for name, kept in report.more["kept_by_filters"].items():
        if kept["n"]:
            say(f"The filters of `history` keep {kept['recall']:.3f} of {kept['n']} contradictory {name}.")
    return report


def _usr(data: Path, judges: Sequence[Judge], limit: int | None, rounds: int, seed: int) -> Report:
    from arena.validation import usr

    report = None
    for name, items in usr.load(data).items():
        some = _drawn(items, limit, seed)
        part = usr.report(name, some, _run(judges, [usr.case(item) for item in some]), rounds, seed)
        if report is None:
            report = part
            report.more["files"] = {}
        else:
            report.n += part.n
            report.tables += part.tables
            report.paper |= part.paper
        report.more["files"][name] = {"n": part.n, "judges": part.judges}
    assert report is not None
    return report


def _nli(data: Path, judges: Sequence[Judge], limit: int | None, rounds: int, seed: int) -> Report:
    from arena.validation import nli

    items = _drawn(nli.load(data), limit, seed)
    return nli.report(items, _run(judges, [nli.case(item) for item in items]), rounds, seed)


def _pairs(data: Path, judges: Sequence[Judge], limit: int | None, rounds: int, seed: int) -> Report:
    from arena.validation import pairs

    items = _drawn(pairs.load(data), limit, seed)
    return pairs.report("pairs", items, _run(judges, [pairs.case(item) for item in items]), rounds, seed)


def _aih(tournaments: Sequence[str], chosen: Sequence[str], tau: float | None, db: str) -> Report:
    from arena.cli.common import repository
    from arena.validation.aih import report

    if not tournaments:
        raise click.UsageError(
            "--tournament T is missing: the tournament whose labels and chats make the tables."
        )
    if len(chosen) > 1:
        raise click.UsageError("The tables of aih are made for one judge: give --judge once.")
    return report(repository(db, read_only=True), tournaments, chosen[0] if chosen else None, tau)


REPORTS: Mapping[str, Callable[[Path, Sequence[Any], int | None, int, int], Any]] = {
    "q2": _q2,
    "begin": _begin,
    "consistest": _consistest,
    "dnli": _dnli,
    "decode": _decode,
    "usr": _usr,
    "nli": _nli,
    "pairs": _pairs,
}
