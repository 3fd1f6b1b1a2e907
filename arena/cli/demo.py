"""arena demo: interviews with the small embedded language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from arena.cli.common import at, db_option, json_option, say

if TYPE_CHECKING:
    from arena.config.tournament import Tournament
    from arena.stats.standings import Leaderboard
    from db.repository import Repository

DEMO = """
release: demo
seed: 7
turns: 4
dialogues_per_pair: 32
pairs: interviews
bots:
  - {name: interviewer, adapter: interviewer, come_back: 3}
  - name: qwen
    adapter: hf
    model: embedded:qwen2.5-coder-0.5b
    persona: library
    decoding: {temperature: 0.4, repetition_penalty: 1.05}
  - name: qwen-hot
    adapter: hf
    model: embedded:qwen2.5-coder-0.5b
    persona: library
    decoding: {temperature: 1.1, top_p: 0.95, repetition_penalty: 1.05}
  - name: smollm2
    adapter: hf
    model: embedded:smollm2-135m
    persona: library
    decoding: {temperature: 0.7, repetition_penalty: 1.05}
  - {name: moody, adapter: scripted, fickleness: 0.3}
inquirer: {entities: stanza, questions: rules}
judges: ["nli:small", truth]
"""
LARGE = """
  - name: qwen-large
    adapter: hf
    model: embedded:qwen2.5-coder-1.5b
    persona: library
    decoding: {temperature: 0.4, repetition_penalty: 1.05}
"""

INTRODUCTION = (
    "An interviewer talks with language models that play characters, and with `moody`, a script that takes back "
    "30% of what it says: {dialogues} dialogues of {turns} turns. After a reply, a model is asked about what it has "
    "just said. The question leaves no trace in the conversation; a judge decides whether the answer contradicts "
    "it. This takes a few minutes."
)
WIDTH = 78
SURE = 0.05  # p-value below which a difference counts as shown
NEXT = (
    ("arena leaderboard {release}", "differences, pairs, kinds of questions, what was not asked"),
    ("arena leaderboard {release} --judge truth", "what the scripted control really did"),
    ("arena export {release} --format html --out demo.html", "a page to send to others"),
    ("arena ui", "the same in the browser, and labelling by hand"),
)
OWN = "a tournament of your own (docs/launching.md)"


@click.command()
@click.option(
    "--large", is_flag=True, help="Add a fourth language model, with 1.5 billion parameters (1.1 GB)."
)
@click.option("--seed", type=int, help="The seed of openers, personas and samples.")
@db_option
@json_option
def command(large: bool, seed: int | None, db: str, as_json: bool) -> int:
    """Interviews three small language models and a scripted control.

    The demo asks the bots about what they said, judges the answers, and shows the leaderboard and the clearest
    contradiction. Running it again resumes the tournament or shows its result. Missing models are fetched first.
    """
    from arena.cli.common import repository
    from arena.cli.run import report
    from arena.play.options import Options
    from arena.play.runner import run

    _fetch_missing(large)
    tournament = configured(large, seed)
    store = repository(db, create=True)
    if not as_json:
        say(_wrapped(INTRODUCTION.format(dialogues=tournament.dialogues, turns=tournament.turns)))
    tally = run(store, tournament, Options())
    code = report(store, tournament, tally, as_json=as_json)
    if not as_json and tally.stopped is None:
        from arena.cli.leaderboard import show

        board = show(store, tournament.info.id)
        say("")
        say(_wrapped(_shown(board)))
        _best(store, tournament)
        say("")
        say("What to do next:")
        release = tournament.info.release
        calls = [
            *((call.format(release=release) + at(db), what) for call, what in NEXT),
            ("arena run FILE", OWN),
        ]
        width = max(len(call) for call, _ in calls)
        for call, what in calls:
            say(f"  {call:<{width}}   {what}")
    return code


def _shown(board: Leaderboard) -> str:
    """Return a sentence that says which bots differ significantly, corrected for all pairs."""
    worse: dict[str, list[str]] = {}
    for difference in board.differences:
        if difference.p_value < SURE:
            better, other = (
                (difference.a, difference.b) if difference.delta < 0 else (difference.b, difference.a)
            )
            worse.setdefault(better, []).append(other)
    groups: dict[str, list[str]] = {}
    for better, others in worse.items():
        groups.setdefault(_listed(sorted(others)), []).append(better)
    if not groups:
        return "Beyond chance, no two bots differ: that would take more dialogues (arena plan says how many)."
    parts = [f"{_listed(better)} less often than {others}" for others, better in groups.items()]
    return f"Contradictions, beyond chance: {'; '.join(parts)}."


def _wrapped(text: str) -> str:
    """Wrap a text at spaces, because a terminal's own wrapping cuts words."""
    return click.wrap_text(text, width=WIDTH)


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def text(large: bool = False, seed: int | None = None) -> str:
    """Return the text of the demo's tournament file."""
    source = DEMO
    if (
        seed is not None
    ):  # its own release tag, because another seed gives another tournament, not a new version of this one
        source = source.replace("seed: 7", f"seed: {seed}", 1).replace(
            "release: demo", f"release: demo-{seed}", 1
        )
    return source.replace("inquirer:", f"{LARGE.strip(chr(10))}\ninquirer:", 1) if large else source


def configured(large: bool = False, seed: int | None = None) -> Tournament:
    """Return the resolved tournament of the demo."""
    from arena.config.resolve import parse

    return parse(text(large, seed), name="the demo")


def _fetch_missing(large: bool) -> None:
    """Fetch the demo's models that are not on this machine yet."""
    import yaml

    from arena.cli.models import fetch_entry
    from bots import weights

    models = {bot.get("model", "") for bot in yaml.safe_load(text(large))["bots"]}
    for model in sorted(models):
        if model.startswith(weights.PREFIX):
            entry = weights.find(model.removeprefix(weights.PREFIX))
            if not weights.ready(entry):
                fetch_entry(entry)


def _best(store: Repository, tournament: Tournament) -> None:
    """Print the language models' contradiction about which the first judge is most certain."""
    from arena.core.safe_text import terminal
    from arena.results.highlight import clearest

    models = [bot.name for bot in tournament.bots if bot.adapter == "hf"]
    best = clearest(store, tournament.info.id, tournament.judges[0].name, models)
    if best is None:
        return
    say("")
    say(f"The clearest contradiction ({best.bot}, {best.score:.2f}):")
    for who, line in (
        (f"{best.bot} said", best.source),
        ("it was asked", best.question),
        ("and answered", best.answer),
    ):
        say(f"  {who}: {terminal(line)}")
