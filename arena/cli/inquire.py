"""arena inquire: what the inquirer would ask about utterances, and why not."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.common import console, engine_options, gathered, say
from arena.core.source_map import safe_load

if TYPE_CHECKING:
    from arena.core.types import InquiryReport, Question
    from arena.engines.base import Engine

KINDS = ("wh", "yes_no_true", "yes_no_false", "ask_twice", "paraphrase", "about_partner")
BATCH = 256


@dataclass(frozen=True, slots=True)
class InquireOptions:
    """The arguments and options of `arena inquire`."""

    file: Path
    file_: Path | None
    entities: str | None
    questions: Sequence[str]
    kinds: Sequence[str]
    round_trip: bool | None
    top: int | None
    min_score: float | None
    explain: bool
    engine: str
    address: str | None
    as_json: bool


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--inquirer",
    "file_",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A tournament file (or a YAML mapping) whose inquirer is used.",
)
@click.option("--entities", metavar="NAME", help="The entity extractor: stanza, rules, spacy or a plug-in.")
@click.option(
    "--questions",
    metavar="NAME",
    multiple=True,
    help="The question writer; if given twice, both write and the better question is used.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="Which kinds of questions (default: wh and yes_no_true).",
)
@click.option(
    "--round-trip/--no-round-trip",
    default=None,
    help="Keep only questions that a reader answers with the entity.",
)
@click.option(
    "--top", type=click.IntRange(min=1), help="How many questions per entity and kind (default: 1)."
)
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    help="Ask only questions of at least this score, a number from 0 to 1 (default: 0.75).",
)
@click.option("--explain", is_flag=True, help="Explain how each question was made and when it is drawn.")
@engine_options
@click.option("--json", "as_json", is_flag=True, help="Facts as JSON lines on stdout, one per utterance.")
@gathered(InquireOptions)
def command(options: InquireOptions) -> None:
    """Show what the inquirer would ask about the utterances in FILE, and why not.

    FILE has one utterance per line, or one dialogue per line as JSON ({"messages": [{"text": …}]}); - reads from stdin.
    """
    import asyncio

    from arena.core.inquirer_form import PARTS, InquirerForm
    from arena.core.types import Kind
    from arena.engines.choice import opened

    settings: dict[str, Any] = dict(_configured(options.file_)) if options.file_ else {}
    settings |= {part: value for part in PARTS if (value := getattr(options, part)) not in (None, ())}
    if options.questions:
        settings["questions"] = (
            list(options.questions) if len(options.questions) > 1 else options.questions[0]
        )
    usual: list[Kind] = InquirerForm.model_fields["kinds"].default
    wanted = [Kind(kind) for kind in options.kinds or settings.get("kinds") or usual]

    async def show(engine: Engine) -> None:
        inquirer = await engine.inquirer(settings)
        batch: list[str] = []
        seen = False
        for text in _utterances(options.file):
            batch.append(text)
            if len(batch) == BATCH:
                _shown(await inquirer.inquire(batch, wanted), options.as_json, options.explain)
                batch = []
                seen = True
        if batch:
            _shown(await inquirer.inquire(batch, wanted), options.as_json, options.explain)
        elif not seen:
            say(f"{options.file} contains no utterance: write one per line.")

    with opened(options.engine, options.address, say) as engine:
        asyncio.run(show(engine))


def _configured(path: Path) -> Mapping[str, Any]:
    """Read the `inquirer` section of a tournament file, or a file that consists of this section only."""
    import yaml

    from arena.core.errors import InputError

    try:
        content = safe_load(path.read_text())
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}; check the path.") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not a YAML file: {' '.join(str(error).split())[:160]}.") from error
    mapping = content.get("inquirer", content) if isinstance(content, Mapping) else None
    if not isinstance(mapping, Mapping):
        raise InputError(f"{path} contains no inquirer: write 'inquirer: {{entities: …, questions: …}}'.")
    return mapping


def _utterances(path: Path) -> Iterator[str]:
    from arena.core.errors import InputError
    from arena.core.lines import bounded

    if str(path) == "-":
        yield from _lines(bounded(sys.stdin, "standard input"))
        return
    try:
        with path.open(encoding="utf-8") as file:
            yield from _lines(bounded(file, str(path)))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}; check the path.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text: convert it first.") from error


def _lines(lines: Any) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        if text.lstrip().startswith("{"):
            yield from _messages(text, number)
        elif text.strip():
            yield text


def _messages(line: str, number: int) -> Iterator[str]:
    """Return the texts of a dialogue line; any other line is an utterance, even if it resembles JSON."""
    from arena.core.errors import InputError

    try:
        dialogue = json.loads(line)
    except ValueError:
        yield line
        return
    except RecursionError:
        raise InputError(f"Line {number} is JSON that is nested too deeply: leave it out.") from None
    messages = dialogue.get("messages")
    if not isinstance(messages, list):
        raise InputError(
            f'Line {number} is JSON without \'messages\': a dialogue is {{"messages": [{{"text": …}}]}}.'
        )
    for message in messages:
        text = message.get("text", message.get("content")) if isinstance(message, dict) else message
        if not isinstance(text, str):
            raise InputError(f"Line {number} has a message without 'text' or 'content'.")
        yield text


def _shown(inquests: Sequence[InquiryReport], as_json: bool, explain: bool) -> None:
    from arena.report.inquiries import document

    for inquest in inquests:
        if as_json:
            sys.stdout.write(json.dumps(document(inquest), ensure_ascii=False) + "\n")
        else:
            _for_people(inquest, explain)


def _for_people(inquest: InquiryReport, explain: bool) -> None:
    from arena.core.safe_text import rich_text

    out = console()
    out.print(rich_text(inquest.utterance))
    for question in inquest.questions:
        out.print(rich_text(f"  {question.text}  [{question.kind}: {question.entity.text}]"))
        if explain:
            out.print(rich_text(f"    {_explained(question, inquest.utterance)}"))
    if inquest.refused:
        reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(inquest.refused.items()))
        out.print(rich_text(f"  refused: {reasons}"))


def _explained(question: Question, utterance: str) -> str:
    """Explain a question: its rule, its score, how many right answers it has, its clause and its answer."""
    answers = {True: "one right answer", False: "several right answers", None: "right answers unknown"}
    parts = [f"rule {question.rule or 'unknown'}", f"score {question.score:.2f}"]
    parts.append(answers[question.single_answer])
    for name, offsets in (("clause", question.clause), ("answer", question.span)):
        if offsets is not None:
            parts.append(f'{name} "{utterance[slice(*offsets)]}"')
    return ", ".join(parts)
