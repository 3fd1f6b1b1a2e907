"""Questions about what somebody works or serves as."""

from __future__ import annotations

from inquirer.questions.frame import Asked
from inquirer.questions.noun import Noun
from inquirer.questions.rule import rule
from inquirer.questions.stranding import stranded
from inquirer.questions.voice import Voice

SERVING = {"dress", "volunteer", "serve", "start", "act", "intern", "go"}


@rule("job", True)
def of_job(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i work as a nurse: what do you do for a living?"""
    clause = thing.clause
    working = thing.opener == "as" and clause.deepest == "work" and voice.own(clause)
    if not working or not thing.adjacent or thing.gerund:
        return None
    if clause.tags[clause.verb] == "VBD" or clause.auxiliaries:
        return stranded(thing, voice, "What", 0.85)
    text = f"What do {voice.you} do for a living?"
    return [Asked(*thing.place, text, f"Could you tell me what {voice.your} job is?", 0.95, clause)]


@rule("job", True)
def of_duty(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i volunteer as a firefighter."""
    if thing.opener != "as" or thing.clause.deepest not in SERVING:
        return None
    return stranded(thing, voice, "What", 0.75)
