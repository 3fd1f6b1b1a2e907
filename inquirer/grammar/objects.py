"""Rules whose answer is the direct object: what somebody likes, eats, plays or makes."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.askable import is_askable, object_of
from inquirer.grammar.frame import Asked
from inquirer.grammar.kinds import category
from inquirer.grammar.noun import Noun, opening
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed

RULES = Rules()
TASTES = listed("tastes")
MEETING = {"know", "meet", "miss", "marry", "admire", "date"}


@RULES.add(
    "category",
    matches="an object of a known class: a food, a sport, a kind of music",
    asks="What food do you love? What kind of music do you like?",
    single=False,
    examples={
        "i like rock music": "What kind of music do you like?",
        "i love pizza": "What food do you love?",
        "i play the guitar": "What instrument do you play?",
        "i speak spanish": "What language do you speak?",
        "i play the guitar in a band": "What instrument do you play in a band?",
        "i love playing soccer": "What sport do you love playing?",
    },
)
def of_category(r: Reading) -> Iterator[Asked | None]:
    phrase = object_of(r)
    if r.first is not None and r.first.kind == "adj" and r.low(r.first)[-1] in w.LANGUAGES | w.COLORS:
        phrase = r.first  # i speak spanish, i love blue
    if phrase is None or r.clause.copular:
        return
    thing = r.noun(phrase)
    asked = category(r.clause, *thing.place, r.verb) if is_askable(r, thing) else ""
    if asked:
        left_out, end = _whole(r, thing)
        yield r.ask(asked, (thing.start, end), left_out, single=True if _set_apart(r, left_out) else None)


@RULES.add(
    "object",
    matches="a verb with an object",
    asks="What do you collect? Who do you admire?",
    single=False,
    examples={
        "i collect old coins": "What do you collect?",
        "i am reading a book about history": "What are you reading?",
        "i ate tacos last night": "What did you eat last night?",
        "i love my wife": "Who do you love?",
    },
)
def of_object(r: Reading) -> Iterator[Asked | None]:
    phrase = object_of(r)
    if phrase is None or r.clause.copular or r.verb in {"have", "own", "get"}:
        return
    thing = r.noun(phrase)
    if not is_askable(r, thing) or "CD" in thing.tags[:1]:
        return
    word = _who_or_what(r, thing)
    left_out, end = _whole(r, thing)
    if word:
        yield r.ask(word, (thing.start, end), left_out, single=True if _set_apart(r, left_out) else None)


def _who_or_what(r: Reading, thing: Noun) -> str:
    """Returns `What`, `Who` or a similar question word. Empty if the object is a person whom nobody would ask for."""
    first = thing.low[0]
    people = thing.core in w.PEOPLE or thing.last in w.PEOPLE
    if "and" in thing.low and (thing.core in w.PEOPLE) != (thing.last in w.PEOPLE):
        return ""  # my grandchildren and the weather
    named = first in w.NAMES and (r.verb in MEETING | TASTES or "and" not in thing.low)
    owned = first in {"my", "our", "his", "her"}
    if named or (owned and thing.core in w.JOBS | w.PERSON_NOUNS and r.verb in MEETING | TASTES):
        return "Who"
    if r.verb in MEETING and {thing.core, thing.last} & (w.JOBS | w.PERSON_NOUNS):
        return "Who"
    if r.verb == "visit" and first in w.CITIES:
        return "What place"
    if not people:
        return "What"
    return "Who" if owned and r.verb in TASTES | listed("dealing") - {"expect", "want", "make"} else ""


def _whole(r: Reading, thing: Noun) -> tuple[list[Phrase], int]:
    """Returns the phrases of the object, and where it ends.

    For example "a book about dragons", "a pizza with cheese".
    """
    phrase, following = thing.phrase, thing.following
    if not following or following[0].kind != "pp" or following[0].start != phrase.end:
        return [phrase], phrase.end
    own, preposition = following[0], opening(r.clause, following[0])
    belongs = preposition in {"about", "of", "called"}
    belongs |= (
        preposition == "with" and r.verb in TASTES | listed("serving") and r.noun(own).core not in w.PEOPLE
    )
    belongs |= preposition == "with" and thing.core in listed("shared-with")
    belongs |= preposition in {"for", "from"} and r.verb in TASTES
    if preposition == "like":
        return [phrase, own], phrase.end
    return ([phrase, own], own.end) if belongs else ([phrase], phrase.end)


def _set_apart(r: Reading, left_out: list[Phrase]) -> bool:
    """Whether the question names a single time or group, as in "what did you eat last night?"."""
    kept = [p for p in r.phrases if p not in left_out and p.kind in {"np", "pp", "sub"}]
    timed = any(r.time(p) == "When" for p in kept) or any(r.low(p)[0] == "for" for p in kept)
    grouped = any(r.low(p)[-1] in {"band", "team", "orchestra", "choir"} for p in kept)
    return (r.past and timed and r.clause.lemma != "use") or grouped or r.verb in {"marry", "drive", "major"}
