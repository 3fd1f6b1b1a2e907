"""Rules whose answer is the direct object: what somebody likes, eats, plays, makes or owns."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.fitness import taken_as_known
from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Noun, Reading
from inquirer.grammar.rule import rule
from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.verbs import known

CAUSED = {"VB", "VBP", "VBD", "JJ", "VBN", "NN", "JJR"}
EATING = w.TASTES | {"eat", "cook", "make", "bake", "crave", "order"}
# verbs, last words of their objects, and the question words
CLASSES = (
    (EATING, w.FOODS | {"food"}, "What food"),
    (w.TASTES, w.DRINKS - {"water"}, "What drink"),
    (w.TASTES | {"listen"}, w.GENRES, "What kind of music"),
    (w.TASTES | {"play"}, w.SPORTS, "What sport"),
    ({"play", "learn", "practice"}, w.INSTRUMENTS, "What instrument"),
    ({"speak", "learn", "study"}, w.LANGUAGES, "What language"),
    (w.TASTES, w.ANIMALS - {"pet", "pets", "animal", "animals"}, "What animal"),
    (w.TASTES, w.COLORS, "What color"),
)
NOT_ASKED = w.OWNERS | {"no", "another", "any", "more", "enough"}
LOOSE_KINDS = w.PLAIN_ADJECTIVES | {"few", "some", "several", "many", "couple"}


def is_askable(r: Reading, thing: Noun) -> bool:
    """Whether the phrase is the only object of an active verb and a question can ask for it."""
    chain = {x.lower for x in r.clause.words[slice(*r.clause.chain)]}
    return not (
        thing.low[0] in w.NO_ANSWERS
        or thing.last in w.TIME_UNITS  # every day
        or thing.core in w.TIMES
        or (thing.last in w.NOWHERE and r.verb not in w.TASTES)
        or (r.verb == "spend" and thing.low[0] in {"time", "my", "most", "hours"})
        or _is_foreign(r, thing)
        or _is_part(r, thing)
        or is_idle(thing, r.verb)
        or (r.verb in w.TASTES and taken_as_known(r, thing.phrase))
        or ("and" in chain and "try" not in chain)  # "relax and watch films": of which verb?
    )


def is_idle(thing: Noun, verb: str) -> bool:
    """Whether verb and object together carry little information, for example "take part", "do things", "have fun"."""
    if thing.heads & w.IDIOM_OBJECTS:
        return True
    if verb in {"do", "take"}:
        return thing.core not in w.HOBBIES | w.DOING_OBJECTS
    return verb in w.LIGHT_VERBS - {"make", "bring", "find", "get", "have", "see"}


def _is_foreign(r: Reading, thing: Noun) -> bool:
    """Whether the verb cannot have such an object, which means that the words were misread."""
    clause, end = r.clause, thing.phrase.end
    passive = {"am", "'m", "is", "are", "was", "were", "been", "'re"} & set(r.helpers)
    return (
        r.verb in w.NO_OBJECTS
        or r.verb not in known()
        or (bool(passive) and clause.tags[clause.verb] in {"VBN", "VBD"})
        or (r.chained and clause.low(clause.chain[1] - 1) in w.BECOMING)
        or (r.verb == "get" and (clause.tags[thing.start] == "VBN" or thing.low == ("work",)))
        or (r.verb == "help" and thing.core not in w.PEOPLE)
        or (end < clause.end and clause.tags[end] in {"VBG", "VB", "VBP", "VBN"})
    )


def _is_part(r: Reading, thing: Noun) -> bool:
    """Whether the object alone would be an incomplete answer: "make me happy", "give my dog a bone"."""
    clause, phrase, following = r.clause, thing.phrase, thing.following
    if "and" in thing.low and "VBG" in thing.tags[thing.low.index("and") :]:
        return True
    caused = phrase.end < clause.end and clause.tags[phrase.end] in CAUSED
    if r.verb == "make" and (caused or (len(thing.low) > 1 and thing.last in known())):
        return True  # the cold makes my joints hurt
    if not following:
        return False
    behind = following[0]
    end = clause.low(behind.end - 1)
    if behind.kind == "np" and behind.start == phrase.end:
        return end not in {"best", "most", "least", "ago"} | w.TIME_UNITS | w.TIMES | w.DAYS | w.SEASONS
    aimed = behind.kind == "inf" and thing.core in w.INTENTIONS
    return aimed or (behind.kind == "adj" and end not in w.COMPARING) or r.low(behind)[0] == "especially"


def object_of(r: Reading) -> Phrase | None:
    """Returns the direct object of the clause."""
    for phrase in r.clause.phrases:
        if phrase.kind == "np" and not r.time(phrase):
            return phrase if r.clause.tags[phrase.start] != "PRP" else None
        if phrase.kind not in {"adv"} and not r.time(phrase):
            return None
    return None


def category(clause: Clause, start: int, end: int, verb: str) -> str:
    """Returns the category that a question names, for example "What kind of music", or an empty text."""
    named = _category(clause, start, end, verb)
    breaks = [i for i in range(start, end) if clause.low(i) in {"and", "or", ","}]
    first = start
    for place in breaks:  # travis scott and basketball are not sports
        other = _category(clause, first, place, verb) if place > first else named
        if other != named or clause.low(first) in w.NAMES or clause.tags[first] == "VBG":
            return ""
        first = place + 1
    return named + "s" if breaks and named.count(" ") == 1 and named != "What food" else named


def _category(clause: Clause, start: int, end: int, verb: str) -> str:
    low = clause.lows(start, end)
    last = low[-1]
    if "favorite" in low or low[0] in w.OWNERS or clause.tags[start] == "VBG":
        return ""
    linked = end - start < 2 or clause.tags[end - 2] in {"PRP$", "DT", "CD", "CC", "IN", "PDT", "POS"}
    plain = linked or {"of", "and"} & set(low[:-1]) or low[-2] in w.PLAIN_ADJECTIVES | w.UNTOLD
    if last in w.CATEGORIES and verb != "have" and not plain:  # horror movies, and not: the movies
        return f"What kind of {last}"
    if last == "country" and clause.low(start - 1) == "the":
        return ""
    return next((asked for verbs, things, asked in CLASSES if verb in verbs and last in things), "")


def sort_of(clause: Clause, start: int, end: int) -> str:
    """Returns the category of these words. For example, pasta is a food, and watching films is a thing to do."""
    if clause.tags[start] == "VBG" or clause.low(start) in w.HOBBIES:
        return "thing to do"
    return _category(clause, start, end, "like").removeprefix("What ")


@rule("object", single=False, denied=True)
def of_object(r: Reading) -> Iterator[Asked | None]:
    """A verb with an object."""
    phrase = object_of(r)
    if r.first is not None and r.first.kind == "adj" and r.low(r.first)[-1] in w.LANGUAGES | w.COLORS:
        phrase = r.first  # i speak spanish, i love blue
    if phrase is None or r.clause.copular:
        return
    if r.denied and not _is_denied(r):
        return
    thing = r.noun(phrase)
    if not is_askable(r, thing):
        return
    left_out, end = _whole(r, thing)
    once = _set_apart(r, left_out)
    named = category(r.clause, *thing.place, r.verb)
    general = _who_or_what(r, thing) if r.verb not in {"have", "own", "get"} and phrase.kind == "np" else ""
    for word in dict.fromkeys((named, general)):
        if word and (word == named or "CD" not in thing.tags[:1]):
            yield r.ask(word, (thing.start, end), left_out, single=once or None)


def _is_denied(r: Reading) -> bool:
    """Whether the clause plainly denies a liking or habit, as in "i don't eat meat"."""
    helped = r.helpers[:1] and r.helpers[0] in {"do", "does", "did", "ca", "can"}
    habit = r.verb in w.DENIED_VERBS and not r.chained and len(r.phrases) == 1
    return bool(helped) and habit and (r.own or r.person)


def _set_apart(r: Reading, left_out: list[Phrase]) -> bool:
    """Whether the question names a single time or group, as in "what did you eat last night?"."""
    kept = [p for p in r.phrases if p not in left_out and p.kind in {"np", "pp", "sub"}]
    timed = any(r.time(p) == "When" or r.low(p)[0] == "for" for p in kept)
    grouped = any(r.low(p)[-1] in w.TEAM_WORDS - {"company"} for p in kept)
    return (r.past and timed and r.clause.lemma != "use") or grouped or r.verb in {"marry", "drive", "major"}


def _who_or_what(r: Reading, thing: Noun) -> str:
    """Returns `What`, `Who` or a similar question word. Empty if the object is a person whom nobody would ask for."""
    first, both = thing.low[0], thing.heads
    people, dear = both & w.PEOPLE, r.verb in w.MEETING | w.TASTES
    if "and" in thing.low and (thing.core in w.PEOPLE) != (thing.last in w.PEOPLE):
        return ""  # my grandchildren and the weather
    owned = first in w.OWNERS - {"their"}
    named = first in w.NAMES and (dear or "and" not in thing.low)
    trade = both & (w.JOBS | w.PERSON_NOUNS)
    if named or (trade and ((owned and dear) or r.verb in w.MEETING)):
        return "Who"
    if r.verb == "visit" and first in w.CITIES:
        return "What place"
    if not people:
        return "What"
    return "Who" if owned and r.verb in w.TASTES | w.DEALING - {"expect", "want", "make"} else ""


def _whole(r: Reading, thing: Noun) -> tuple[list[Phrase], int]:
    """Returns the phrases of the object, and where it ends: "a book about dragons", "a pizza with cheese"."""
    phrase = thing.phrase
    behind = next((p for p in thing.following[:1] if p.kind == "pp" and p.start == phrase.end), None)
    if behind is None:
        return [phrase], phrase.end
    preposition = r.low(behind)[0]
    if preposition == "like":
        return [phrase, behind], phrase.end
    eaten = r.verb in w.TASTES | w.SERVING and r.noun(behind).core not in w.PEOPLE
    belongs = preposition in {"about", "of", "called"}
    belongs |= preposition in {"for", "from"} and r.verb in w.TASTES
    belongs |= preposition == "with" and (eaten or thing.core in w.SHARED_WITH)
    return ([phrase, behind], behind.end) if belongs else ([phrase], phrase.end)


@rule("kind", single=None)
def kind(r: Reading) -> Iterator[Asked | None]:
    """Somebody has a pet, a car, or a thing of a kind."""
    phrase = object_of(r)
    if phrase is None or r.verb not in w.OWNING or r.low(phrase)[0] in NOT_ASKED:
        return
    thing = r.noun(phrase)
    low = thing.low
    covered = [phrase, *(p for p in thing.following if p.kind in {"np", "rest", "pp"} and not r.time(p))]
    if "and" in low or "," in low:
        heads = {low[k - 1] for k in range(1, len(low) + 1) if k == len(low) or low[k] in {"and", ","}}
        if heads <= w.PETS | w.BREEDS | {"sheep", "bull", "and", ","} and r.verb in {"have", "own"}:
            yield r.ask("What pets", phrase, covered)
        return
    sort = _kind(r, thing) if "of" not in r.low(phrase) and thing.tags[0] != "CD" else ""
    if sort:
        yield r.ask(f"What kind of {sort}", phrase, covered, single=None if sort == "car" else False)


def _kind(r: Reading, thing: Noun) -> str:
    """Returns the kind of the thing, or an empty text if a question for the kind makes no sense."""
    core, low = thing.core, thing.low
    if core in w.BREEDS and r.verb != "want":
        return "pet"
    if core in w.PETS - w.PETS_MISREAD:
        return _kind_of_pet(core, low[-2] if len(low) > 1 else "")
    if set(low) & w.BRANDS:
        return "car"
    apart = len(low) > 1 and low[-2] not in LOOSE_KINDS and thing.tags[-2] in {"NN", "JJ", "NNP"}
    if core in w.BUILT and apart:
        return core
    common = w.PEOPLE | w.IDIOM_OBJECTS | w.LEANINGS | w.ILLNESSES | w.TIME_UNITS
    specific = (
        apart and core == low[-1] and r.verb in {"have", "own"} and len(low) <= 3 and core not in common
    )
    return core if specific and thing.tags[-1] in {"NN", "NNS"} and not set(low) & w.COLORS else ""


def _kind_of_pet(core: str, before: str) -> str:
    """Returns the kind of a pet: a brown dog is a kind of pet, a police dog is a kind of dog."""
    plain, several = not before or before in LOOSE_KINDS, "s" * core.endswith("s")
    if core in {"pet", "pets"} and plain:
        return ""
    if not plain and before not in w.COLORS | {"pet"} and core in w.COMMON_PETS:
        return core
    return f"animal{several}" if core.removesuffix("s") in w.FARMED else f"pet{several}"
