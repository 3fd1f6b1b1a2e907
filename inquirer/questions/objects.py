"""Questions whose answer is the object: what, who, how many, what kind."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.lexicon import is_named
from inquirer.language.phrases import head
from inquirer.language.tagger import seen
from inquirer.language.verbs import known
from inquirer.questions import amounts, owning
from inquirer.questions.askable import is_askable, is_idle
from inquirer.questions.categories import category_of
from inquirer.questions.clean import tangled_object
from inquirer.questions.frame import Asked, ask, have_got
from inquirer.questions.lists import TASTES
from inquirer.questions.noun import Noun, noun, opening
from inquirer.questions.rule import rule
from inquirer.questions.singles import of_favorite
from inquirer.questions.voice import Voice

MUTUAL = {
    "affair", "appointment", "argument", "battle", "conversation", "date", "fight", "friendship", "interview",
    "meeting", "problem", "relationship", "struggle",
}  # fmt: skip
MEETING = {"know", "meet", "miss", "marry"}
DEALING = MEETING | {"bring", "teach", "help", "visit", "date", "admire", "coach", "tutor"}
SERVING = TASTES | {"want", "get", "buy", "eat", "order", "make", "need", "drink", "cook", "bake", "see"}


def of_object(clause: Clause, phrase: Phrase, voice: Voice) -> Iterator[Asked]:
    if clause.tags[phrase.start] == "PRP" or (phrase.end < clause.end and clause.tags[phrase.end] == "VBG"):
        return
    following = clause.tags[phrase.end] if phrase.end < clause.end else ""
    last = clause.words[phrase.end - 1].lower
    moved = last in known() and "NNS" in clause.tags[phrase.start : phrase.end - 1]
    aching = moved or (
        phrase.end - phrase.start > 1 and last in {"ache", "burn", "hurt", "itch", "pause", "stop", "work"}
    )
    if clause.deepest == "make" and (following in {"VB", "VBP", "JJ"} or aching):
        return  # the cold makes my joints hurt
    if clause.deepest == "grow" and any(opening(clause, p) == "up" for p in clause.phrases):
        return
    thing = noun(clause, phrase)
    verb = "have" if have_got(clause) else clause.deepest
    yield from amounts.of_time(thing, voice)
    yield from amounts.of_pay(thing, voice)
    if not is_askable(thing, verb):
        return
    yield from owning.of_age(thing, voice)
    number = amounts.of_number(thing, voice)
    if number is not None:
        yield from number
        return
    yield from owning.of_name(thing, voice)
    if verb in owning.OWNING:
        yield from owning.of_kind(thing, verb, voice)
        if verb == "have" and owning.is_meal(thing):
            yield from owning.of_meal(thing, voice)
            return
        if owning.is_mere(thing, verb) and clause.lemma != "wish":
            return
    if not is_idle(thing, verb) and not tangled_object(clause, phrase):
        yield from _of_itself(thing, verb, voice)


@rule("object", of_favorite)
def _of_itself(thing: Noun, verb: str, voice: Voice) -> Iterator[Asked]:
    """What do you bake? Who do you admire?"""
    clause = thing.clause
    word = _question_word(thing, verb)
    if not word or _visited(thing, verb):
        return
    left_out, end = _with_its_own(thing, verb)
    listed = "," in [x.text for x in clause.words[thing.start : thing.phrase.end]]
    if listed and thing.following and opening(clause, thing.following[0]) in w.PREPOSITIONS:
        return  # country music , concerts on the weekend
    linked = "and" in thing.said and any(
        t == "VBG" for t in clause.tags[thing.start + thing.said.index("and") : thing.phrase.end]
    )
    if linked and clause.words[clause.chain[1] - 1].lower.endswith("ing"):
        return  # eating cheeseburgers and watching films
    category = category_of(clause, *thing.place, verb)
    bare = verb in TASTES and not thing.following and word == "What"
    score = 0.85 if category else 0.62 if bare else 0.72
    made = ask(clause, voice, category or word, (thing.start, end), left_out, score)
    if made:
        yield made


def _visited(thing: Noun, verb: str) -> bool:
    """i love a visitor to a museum"""
    following = thing.following
    return verb in TASTES - {"prefer"} and bool(following) and opening(thing.clause, following[0]) == "to"


def _question_word(thing: Noun, verb: str) -> str:
    """What or Who; nothing where a person is an object that nobody asks for."""
    first = thing.low[0]
    if thing.clause.lemma == "wish" and verb == "have":
        return "What"  # i wish i had a girlfriend
    if "and" in thing.low and (thing.core in w.PEOPLE) != (thing.last in w.PEOPLE):
        return ""  # my grandchildren and the weather
    if verb in MEETING | TASTES and first in w.NAMES:
        return "Who"
    if verb == "visit" and (first in w.CITIES or is_named(first)) and len(thing.low) == 1:
        return "What place"
    related = bool(set(thing.low) & w.FAMILY) and thing.last in w.NAMES
    if related and verb in TASTES:
        return "Who"  # jefferson's wife jessica
    behind = [x.lower for x in thing.clause.words[thing.phrase.end : thing.phrase.end + 2]]
    unknown = not any(map(seen, thing.low))
    if verb in TASTES and unknown and behind in ([",", "he"], [",", "she"]):
        return "Who"  # i love enrique , he is my favorite
    if verb in MEETING and {thing.core, thing.last} & (w.JOBS | w.PERSON_NOUNS):
        return "Who"  # married a physician
    owned = first in {"my", "our", "his", "her"}
    if owned and thing.core in w.JOBS | w.PERSON_NOUNS and verb in MEETING | TASTES:
        return "Who"
    if thing.core not in w.PEOPLE and thing.last not in w.PEOPLE:
        return "What"
    liked = verb in TASTES and len(thing.low) == 1 and first not in {"people", "guys", "men", "women"}
    known = owned or thing.tags[0] == "NNP"
    if known or liked or verb in DEALING:
        return "" if verb in {"have", "expect", "get", "want", "make"} else "Who"
    return "What" if verb == "want" else ""


def _with_its_own(thing: Noun, verb: str) -> tuple[list[Phrase], int]:
    """A book about dragons, a pizza with cheese: the object with what belongs to it, and where that ends."""
    clause, phrase, following = thing.clause, thing.phrase, thing.following
    if not following or following[0].kind != "pp":
        return [phrase], phrase.end
    own, preposition = following[0], opening(clause, following[0])
    if preposition == "with" and thing.core in MUTUAL:
        return [phrase, own], own.end
    if preposition == "with" and _served(clause, own, verb):
        return [phrase, own, *(p for p in following[1:2] if opening(clause, p) == "for")], own.end
    if preposition == "like" and clause.words[own.body].lower in w.NAMES | w.PERSONS:
        return [phrase, own], phrase.end  # cheeseburgers like me
    alike = preposition == "like" and clause.tags[own.body] != "DT"
    if alike or preposition in {"about", "of", "called"}:
        return [phrase, own], own.end
    return [phrase], phrase.end


def _served(clause: Clause, phrase: Phrase, verb: str) -> bool:
    """a pizza with cheese: `with` belongs to the thing."""
    core = head(clause.words, phrase.body, phrase.end)
    return (
        verb in SERVING and core not in w.PEOPLE | w.PETS and clause.tags[phrase.body] not in {"PRP", "VBG"}
    )
