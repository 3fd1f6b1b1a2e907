"""Rules whose answer is the direct object: what somebody likes, eats, plays, makes or owns."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.fitness import taken_as_known
from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Noun, Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.lists import listed
from inquirer.language.verb_groups import BECOMING
from inquirer.language.verbs import known

RULES = Rules()
TASTES = listed("tastes")
CAUSED = {"VB", "VBP", "VBD", "JJ", "VBN", "NN", "JJR"}
COMPARED = {"more", "most", "better", "best"}
MEETING = {"know", "meet", "miss", "marry", "admire", "date"}
EATING = TASTES | {"eat", "cook", "make", "bake", "crave", "order"}
OWNERS = {"my", "our", "his", "her", "their"}
# verbs, last words of their objects, and the question words
CLASSES = (
    (EATING, w.FOODS | {"food"}, "What food"),
    (TASTES, w.DRINKS - {"water"}, "What drink"),
    (TASTES | {"listen"}, w.GENRES, "What kind of music"),
    (TASTES | {"play"}, w.SPORTS, "What sport"),
    ({"play", "learn", "practice"}, w.INSTRUMENTS, "What instrument"),
    ({"speak", "learn", "study"}, w.LANGUAGES, "What language"),
    (TASTES, w.ANIMALS - {"pet", "pets", "animal", "animals"}, "What animal"),
    (TASTES, w.COLORS, "What color"),
)
BUILT = {"car", "truck", "bike", "motorcycle", "suv", "van"}
FARMED = {"cow", "donkey", "goat", "sheep", "pig", "chicken"}
NOT_ASKED = OWNERS | {"no", "another", "any", "more", "enough"}
LOOSE_KINDS = listed("plain-adjectives") | {"few", "some", "several", "many", "couple"}
UNTOLD = listed("plain-adjectives") | listed("untold")


def is_askable(r: Reading, thing: Noun) -> bool:
    """Whether the phrase is the only object of an active verb and a question can ask for it."""
    chain = {x.lower for x in r.clause.words[slice(*r.clause.chain)]}
    return not (
        thing.low[0] in listed("no-answers")
        or _is_adverbial(r, thing)
        or _is_foreign(r, thing)
        or _is_part(r, thing)
        or is_idle(thing, r.verb)
        or (r.verb in TASTES and taken_as_known(r, thing.phrase))
        or ("and" in chain and "try" not in chain)  # "relax and watch films": of which verb?
    )


def is_idle(thing: Noun, verb: str) -> bool:
    """Whether verb and object together carry little information, for example "take part", "do things", "have fun"."""
    if {thing.last, thing.core} & listed("idiom-objects"):
        return True
    if verb in {"do", "take"}:
        return thing.core not in w.HOBBIES | listed("doing-objects")
    return verb in listed("light-verbs") - {"make", "bring", "find", "get", "have", "see"}


def _is_adverbial(r: Reading, thing: Noun) -> bool:
    """Whether the noun phrase says when, where or how much, for example "every day", "christmas", "my time"."""
    nowhere = thing.last in listed("nowhere") and r.verb not in TASTES
    spent = r.verb == "spend" and thing.low[0] in {"time", "my", "most", "hours"}
    return thing.last in w.TIME_UNITS or thing.core in w.TIMES or nowhere or spent


def _is_foreign(r: Reading, thing: Noun) -> bool:
    """Whether the verb cannot have such an object, which means that the words were misread."""
    clause, end = r.clause, thing.phrase.end
    passive = {"am", "'m", "is", "are", "was", "were", "been", "'re"} & set(r.helpers)
    return (
        r.verb in listed("no-objects")
        or r.verb not in known()
        or (bool(passive) and clause.tags[clause.verb] in {"VBN", "VBD"})
        or (r.chained and clause.words[clause.chain[1] - 1].lower in BECOMING)
        or (r.verb == "get" and (clause.tags[thing.start] == "VBN" or thing.low == ("work",)))
        or (r.verb == "help" and thing.core not in w.PEOPLE)
        or (end < clause.end and clause.tags[end] in {"VBG", "VB", "VBP", "VBN"})
    )


def _is_part(r: Reading, thing: Noun) -> bool:
    """Whether the object alone would be an incomplete answer.

    For example "make me happy", "give my dog a bone", "eating cake and watching films", "like fruits, especially
    apples".
    """
    clause, phrase, following = r.clause, thing.phrase, thing.following
    if "and" in thing.low and "VBG" in thing.tags[thing.low.index("and") :]:
        return True
    caused = phrase.end < clause.end and clause.tags[phrase.end] in CAUSED
    if r.verb == "make" and (caused or (len(thing.low) > 1 and thing.last in known())):
        return True  # the cold makes my joints hurt
    if any(p.kind == "adj" and p.end <= phrase.start for p in clause.phrases):
        return True
    if not following:
        return False
    behind = following[0]
    end = clause.words[behind.end - 1].lower
    if behind.kind == "np" and behind.start == phrase.end:
        return end not in {"best", "most", "least", "ago"} | w.TIME_UNITS | w.TIMES | w.DAYS | w.SEASONS
    aimed = behind.kind == "inf" and thing.core in listed("intentions")
    return aimed or (behind.kind == "adj" and end not in COMPARED) or r.low(behind)[0] == "especially"


def object_of(r: Reading) -> Phrase | None:
    """Returns the direct object of the clause."""
    for phrase in r.clause.phrases:
        if phrase.kind == "np" and not r.time(phrase):
            return phrase if r.clause.tags[phrase.start] != "PRP" else None
        if phrase.kind not in {"adv"} and not r.time(phrase):
            return None
    return None


def category(clause: Clause, start: int, end: int, verb: str) -> str:
    """Returns the category that a question names, for example "What kind of music", "What food", "What sports".

    Returns an empty text if no category is known.
    """
    named = _category(clause, start, end, verb)
    breaks = [i for i in range(start, end) if clause.words[i].lower in {"and", "or", ","}]
    first = start
    for place in breaks:  # travis scott and basketball are not sports
        other = _category(clause, first, place, verb) if place > first else named
        if other != named or clause.words[first].lower in w.NAMES or clause.tags[first] == "VBG":
            return ""
        first = place + 1
    return named + "s" if breaks and named.count(" ") == 1 and named != "What food" else named


def _category(clause: Clause, start: int, end: int, verb: str) -> str:
    low = [x.lower for x in clause.words[start:end]]
    last = low[-1]
    if "favorite" in low or low[0] in OWNERS or clause.tags[start] == "VBG":
        return ""
    if last in w.CATEGORIES and verb != "have" and _told_apart(clause, start, end, low):
        return f"What kind of {last}"
    if last == "country" and clause.words[start - 1].lower == "the":
        return ""
    return next((asked for verbs, things, asked in CLASSES if verb in verbs and last in things), "")


def _told_apart(clause: Clause, start: int, end: int, low: list[str]) -> bool:
    """Whether a word specifies the kind within the category. "horror movies" does, "the movies" does not."""
    linking = {"PRP$", "DT", "CD", "CC", "IN", "PDT", "POS"}
    described = end - start > 1 and clause.tags[end - 2] not in linking and not {"of", "and"} & set(low[:-1])
    return described and low[-2] not in UNTOLD


def sort_of(clause: Clause, start: int, end: int) -> str:
    """Returns the category of these words. For example, pasta is a food, and watching films is a thing to do."""
    if clause.tags[start] == "VBG" or clause.words[start].lower in w.HOBBIES:
        return "thing to do"
    return _category(clause, start, end, "like").removeprefix("What ")


@RULES.add(
    "object",
    "a verb with an object",
    single=False,
    examples={
        "i collect old coins": "What do you collect?",
        "i like rock music": "What kind of music do you like?",
        "i play the guitar in a band": "What instrument do you play in a band?",
        "i ate tacos last night": "What food did you eat last night?",
        "i love my wife": "Who do you love?",
        "i don't eat meat": "What food don't you eat?",
    },
    denied=True,
)
def of_object(r: Reading) -> Iterator[Asked | None]:
    phrase = object_of(r)
    if r.first is not None and r.first.kind == "adj" and r.low(r.first)[-1] in w.LANGUAGES | w.COLORS:
        phrase = r.first  # i speak spanish, i love blue
    if phrase is None or r.clause.copular or (r.denied and not _is_denied(r)):
        return
    thing = r.noun(phrase)
    if not is_askable(r, thing):
        return
    left_out, end = _whole(r, thing)
    one = True if _set_apart(r, left_out) else None
    named = category(r.clause, *thing.place, r.verb)
    general = _who_or_what(r, thing) if r.verb not in {"have", "own", "get"} and phrase.kind == "np" else ""
    for word in dict.fromkeys((named, general)):
        if word and (word == named or "CD" not in thing.tags[:1]):
            yield r.ask(word, (thing.start, end), left_out, single=one)


def _is_denied(r: Reading) -> bool:
    """Whether the clause plainly denies a liking or habit, as in "i don't eat meat"."""
    helped = r.helpers[:1] and r.helpers[0] in {"do", "does", "did", "ca", "can"}
    habit = r.verb in listed("denied-verbs") and not r.chained and len(r.phrases) == 1
    return bool(helped) and habit and (r.own or r.person)


def _who_or_what(r: Reading, thing: Noun) -> str:
    """Returns `What`, `Who` or a similar question word. Empty if the object is a person whom nobody would ask for."""
    first, both = thing.low[0], {thing.core, thing.last}
    people, dear = both & w.PEOPLE, r.verb in MEETING | TASTES
    if "and" in thing.low and (thing.core in w.PEOPLE) != (thing.last in w.PEOPLE):
        return ""  # my grandchildren and the weather
    owned = first in OWNERS - {"their"}
    named = first in w.NAMES and (dear or "and" not in thing.low)
    trade = both & (w.JOBS | w.PERSON_NOUNS)
    if named or (trade and ((owned and dear) or r.verb in MEETING)):
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
    phrase = thing.phrase
    behind = next((p for p in thing.following[:1] if p.kind == "pp" and p.start == phrase.end), None)
    if behind is None:
        return [phrase], phrase.end
    preposition = r.low(behind)[0]
    if preposition == "like":
        return [phrase, behind], phrase.end
    eaten = r.verb in TASTES | listed("serving") and r.noun(behind).core not in w.PEOPLE
    belongs = preposition in {"about", "of", "called"} or (
        preposition in {"for", "from"} and r.verb in TASTES
    )
    belongs |= preposition == "with" and (eaten or thing.core in listed("shared-with"))
    return ([phrase, behind], behind.end) if belongs else ([phrase], phrase.end)


def _set_apart(r: Reading, left_out: list[Phrase]) -> bool:
    """Whether the question names a single time or group, as in "what did you eat last night?"."""
    kept = [p for p in r.phrases if p not in left_out and p.kind in {"np", "pp", "sub"}]
    timed = any(r.time(p) == "When" or r.low(p)[0] == "for" for p in kept)
    grouped = any(r.low(p)[-1] in {"band", "team", "orchestra", "choir"} for p in kept)
    return (r.past and timed and r.clause.lemma != "use") or grouped or r.verb in {"marry", "drive", "major"}


@RULES.add(
    "kind",
    "somebody has a pet, a car, or a thing of a kind",
    single=None,
    examples={
        "i have a dog named max": "What kind of pet do you have?",
        "i drive a honda": "What kind of car do you drive?",
        "i have a cat and a dog": "What pets do you have?",
    },
)
def kind(r: Reading) -> Iterator[Asked | None]:
    phrase = object_of(r)
    if phrase is None or r.verb not in listed("owning") or r.low(phrase)[0] in NOT_ASKED:
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
    if core in w.PETS - listed("pets-misread"):
        return _kind_of_pet(core, low[-2] if len(low) > 1 else "")
    if set(low) & w.BRANDS or (core in listed("vehicles") - BUILT and r.verb in {"have", "drive", "own"}):
        return "car"
    apart = len(low) > 1 and low[-2] not in LOOSE_KINDS and thing.tags[-2] in {"NN", "JJ", "NNP"}
    if core in BUILT and apart:
        return core
    plain = w.PEOPLE | listed("idiom-objects") | listed("leanings") | w.ILLNESSES | w.TIME_UNITS
    specific = apart and core == low[-1] and r.verb in {"have", "own"} and len(low) <= 3 and core not in plain
    return core if specific and thing.tags[-1] in {"NN", "NNS"} and not set(low) & w.COLORS else ""


def _kind_of_pet(core: str, before: str) -> str:
    """Returns the kind of a pet. For example, a brown dog is a kind of pet, a police dog is a kind of dog."""
    if core in {"pet", "pets"} and (not before or before in LOOSE_KINDS):
        return ""
    if before and before not in LOOSE_KINDS | {"pet"} | w.COLORS and core in listed("common-pets"):
        return core
    return ("animal" if core.removesuffix("s") in FARMED else "pet") + "s" * core.endswith("s")
