"""Questions about those with whom or for whom something is done."""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.questions.frame import Asked
from inquirer.questions.noun import Noun
from inquirer.questions.rule import rule
from inquirer.questions.stranding import is_closing, stranded
from inquirer.questions.voice import Voice


@rule("company")
def of_household(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i live in ohio with my two cats."""
    clause = thing.clause
    if (
        thing.opener != "with"
        or clause.deepest != "live"
        or not {thing.core, *thing.low[:2]} & (w.PEOPLE | w.PETS)
    ):
        return None
    places = [p for p in clause.phrases if p.kind in {"pp", "adv"} and p is not thing.phrase]
    return stranded(thing, voice, "Who", 0.85, places)


@rule("company")
def of_people(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i play chess with my brother."""
    if (
        thing.opener not in {"with", "for", "by", "to", "about", "from"}
        or thing.core not in w.PEOPLE - {"people", "person"}
        or not (thing.adjacent or _joined(thing) or is_closing(thing))
    ):
        return None
    return stranded(thing, voice, "Who", 0.85)


@rule("company")
def of_pets(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i play with my dog."""
    if thing.core not in w.PETS | w.BREEDS or thing.low[0] not in {"my", "our"} or not _joined(thing):
        return None
    return stranded(thing, voice, "Who", 0.75)


def _joined(thing: Noun) -> bool:
    """Whether somebody takes part in what the clause tells."""
    doing = thing.clause.deepest not in {"live", "have"}
    return thing.opener == "with" and doing and all(p.kind in {"adv", "pp", "np"} for p in thing.before)
