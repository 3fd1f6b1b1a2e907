"""arena demo: a whole tournament on what is embedded."""

from __future__ import annotations

import click

from arena.cli.common import at, db_option, json_option, say

DEMO = """
release: demo
seed: 7
turns: 3
dialogues_per_pair: 2
bots:
  - name: smollm2
    adapter: hf
    model: embedded:smollm2-135m
    persona: &persona >-
      You are Sam. You chat with a new friend. You live in Boston, work as a nurse, have two kids and a dog
      named Max, and like jazz. Answer in one short sentence about yourself, in the first person.
    decoding: {temperature: 0.4, max_new_tokens: 28}
  - name: goldfish
    adapter: hf
    model: embedded:smollm2-135m
    memory: 2
    persona: *persona
    decoding: {temperature: 0.4, max_new_tokens: 28}
  - {name: steady, adapter: scripted}
  - {name: moody, adapter: scripted, fickleness: 0.5, sheet_seed: 3}
inquirer: {entities: stanza, questions: rules}
judges: [nli, truth]
"""

NEXT = (
    ("arena leaderboard demo --judge truth", "what the scripted bots really did"),
    ("arena export demo --format html --out demo.html", "a page to send to others"),
    ("arena ui", "the same in the browser, and labelling by hand"),
)
OWN = "a tournament of your own (docs/launching.md)"


@click.command()
@db_option
@json_option
def command(db: str, as_json: bool) -> int:
    """Four bots, two of them language models, talk, are inquired of and judged; ends with the leaderboard.

    Running it again resumes or shows the same tournament.
    """
    from arena.cli.common import repository
    from arena.cli.run import report
    from arena.config.resolve import parse
    from arena.play.orchestrator import Options
    from arena.play.runner import run

    tournament = parse(DEMO, name="the demo")
    store = repository(db, create=True)
    tally = run(store, tournament, Options())
    code = report(store, tournament, tally, as_json=as_json)
    if not as_json:
        from arena.cli.leaderboard import show

        show(store, tournament.info.id)
        say("")
        say("Too few dialogues to rank anybody yet: that is what the intervals say. What to do next:")
        calls = [*((call + at(db), what) for call, what in NEXT), ("arena run FILE", OWN)]
        width = max(len(call) for call, _ in calls)
        for call, what in calls:
            say(f"  {call:<{width}}   {what}")
    return code
