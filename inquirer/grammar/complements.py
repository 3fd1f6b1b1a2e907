"""Rules for phrases after a preposition that the verb or adjective takes: listen to, afraid of."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked
from inquirer.grammar.kinds import category
from inquirer.grammar.people import is_somebody
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed, pairs

RULES = Rules()
KNOWN = pairs("verb-prepositions")
WHAT_KIND = {("listen", "to"): "What kind of music"}
PLACES_ASKED = {
    ("work", "at"),
    ("study", "at"),
    ("teach", "at"),
    ("live", "in"),
    ("live", "on"),
    ("work", "in"),
}
ADJECTIVES = {
    "of": {"afraid", "scared", "proud", "tired", "sick", "fond", "terrified", "full", "aware", "capable", "jealous"},
    "to": {"allergic", "addicted", "used", "close", "married", "engaged", "dedicated"},
    "at": {"good", "great", "bad", "terrible", "awful", "amazing", "best"},
    "in": {"fluent", "interested", "involved"},
    "about": {"passionate", "excited", "nervous", "worried", "curious", "happy", "serious", "crazy"},
    "for": {"famous", "responsible", "known"},
    "with": {"obsessed", "familiar", "busy", "friends", "close"},
    "by": {"fascinated", "inspired", "raised"},
}  # fmt: skip
STAYING = listed("tastes") | {"need", "live", "want", "be", "have", "take", "get", "do"}
SINGLE = {("work", "for"), ("major", "in"), ("graduate", "from"), ("name", "after"), ("play", "for")}


@RULES.add(
    "verb-preposition",
    matches="a verb with the preposition that it takes",
    asks="What do you listen to? Who do you work for?",
    single=False,
    examples={
        "i am listening to jazz": "What kind of music are you listening to?",
        "i majored in chemistry": "What did you major in?",
        "i work for boeing": "Who do you work for?",
        "i spend my money on shoes": "What do you spend your money on?",
    },
)
def verb_preposition(r: Reading) -> Iterator[Asked | None]:
    if r.clause.copular:
        return
    for place, phrase in enumerate(r.phrases):
        pair = (r.verb, r.low(phrase)[0])
        if phrase.kind != "pp" or pair not in KNOWN - PLACES_ASKED or r.time(phrase) or not _plain(r, phrase):
            continue
        behind_object = (
            place == 1 and r.phrases[0].kind == "np" and r.verb in {"spend", "use", "earn", "name", "help"}
        )
        if place and not behind_object:
            continue
        thing = r.noun(phrase)
        if thing.core in w.PEOPLE and pair[1] in {"with", "for", "to", "by"} and pair != ("work", "for"):
            continue  # company
        employed = pair == ("work", "for")
        word = (
            "Who"
            if is_somebody(r, phrase) or employed
            else category(r.clause, *thing.place, r.verb) or "What"
        )
        yield r.ask(word, phrase, [phrase], kept=(phrase, pair[1]), single=True if pair in SINGLE else None)
        return


def _plain(r: Reading, phrase: Phrase) -> bool:
    """Whether the phrase names a thing that a question can ask for."""
    thing = r.noun(phrase)
    empty = w.EMPTY_HEADS | listed("vague") | listed("idiom-objects") - {"living"}
    return (
        r.clause.tags[phrase.body] not in {"PRP", "EX", "CD", "RB"} and not {thing.core, thing.last} & empty
    )


@RULES.add(
    "looking-forward",
    matches="what somebody looks forward to",
    asks="What are you looking forward to?",
    single=False,
    examples={"i am looking forward to retirement": "What are you looking forward to?"},
)
def looking_forward(r: Reading) -> Iterator[Asked | None]:
    if r.verb == "look" and any(r.low(p) == ["forward"] for p in r.clause.phrases):
        phrase = next((p for p in r.phrases if p.kind == "pp" and r.low(p)[0] == "to"), None)
        if phrase is not None and _plain(r, phrase):
            yield r.ask("What", phrase, [phrase], kept=(phrase, "to"))


@RULES.add(
    "adjective-preposition",
    matches="an adjective with the preposition that it takes",
    asks="What are you afraid of? What are you allergic to?",
    single=False,
    examples={
        "i'm afraid of spiders": "What are you afraid of?",
        "i am allergic to peanuts": "What are you allergic to?",
        "i am obsessed with horses": "What are you obsessed with?",
    },
)
def adjective_preposition(r: Reading) -> Iterator[Asked | None]:
    quality = r.clause.words[r.clause.verb].lower if r.clause.tags[r.clause.verb] == "VBN" else ""
    for first, phrase in zip([None, *r.phrases], r.phrases, strict=False):
        if phrase.kind != "pp" or not _plain(r, phrase) or r.time(phrase):
            continue
        last = (
            r.low(first)[-1]
            if first is not None and first.kind == "adj"
            else quality
            if first is None
            else ""
        )
        preposition = r.low(phrase)[0]
        if last not in ADJECTIVES.get(preposition, set()) or (not quality and not r.clause.copular):
            continue
        if r.clause.tags[phrase.body] == "VBG" and phrase.end - phrase.body > 5:
            continue
        word = "Who" if is_somebody(r, phrase) and r.clause.tags[phrase.body] != "VBG" else "What"
        one = True if last in {"married", "engaged"} else None
        yield r.ask(word, phrase, [phrase], kept=(phrase, preposition), single=one)
        return


@RULES.add(
    "into",
    matches="somebody is into something",
    asks="What are you into?",
    single=False,
    examples={"i am into indie rock": "What are you into?"},
)
def into(r: Reading) -> Iterator[Asked | None]:
    first = r.first
    if (
        r.is_be
        and first is not None
        and first.kind == "pp"
        and r.low(first)[0] == "into"
        and _plain(r, first)
    ):
        yield r.ask("What", first, [first], kept=(first, "into"))


@RULES.add(
    "adjective-to-do",
    matches="somebody is excited, afraid, able … to do something",
    asks="What are you excited to do?",
    single=False,
    examples={"i am excited to visit rome": "What are you excited to do?"},
)
def adjective_to_do(r: Reading) -> Iterator[Asked | None]:
    if not r.is_be or len(r.phrases) < 2 or r.phrases[0].kind != "adj" or r.phrases[1].kind != "inf":
        return
    first, done = r.phrases[:2]
    answers = 1 < done.end - done.body < 8 and not {"be", "anything", "help", "see", "hear"} & set(
        r.low(done)
    )
    if answers and r.low(first)[-1] in listed("willing") and not r.pointing([done]):
        yield r.ask("What", (done.body, done.end), [done], kept=(done, "to do"))


@RULES.add(
    "free-preposition",
    matches="any verb, or verb and object, with a preposition that may be left behind",
    asks="What do you volunteer for? What do you need a car for?",
    single=False,
    examples={
        "i paid for my tuition": "What did you pay for?",
        "i go to school for nursing": "What do you go to school for?",
        "i donate money to charity": "What do you donate money to?",
    },
)
def free_preposition(r: Reading) -> Iterator[Asked | None]:
    if r.clause.copular or r.verb in STAYING:
        return
    for place, phrase in enumerate(r.phrases[:2]):
        preposition = r.low(phrase)[0]
        if phrase.kind != "pp" or (r.verb, preposition) in KNOWN or r.time(phrase) or not _plain(r, phrase):
            continue
        if not (
            _behind_object(r, phrase) if place else preposition in {"for", "about", "on", "with", "from"}
        ):
            continue
        thing = r.noun(phrase)
        placed = r.is_place(phrase) or thing.core in w.PLACES | w.FREE_ENDS | w.PEOPLE
        long = phrase.end - phrase.body > (1 if r.clause.tags[phrase.body] == "VBG" else 5)
        if not placed and not long and thing.last not in listed("on-idioms"):
            word = "Who" if is_somebody(r, phrase) else "What"
            yield r.ask(word, phrase, [phrase], kept=(phrase, preposition))
            return


def _behind_object(r: Reading, phrase: Phrase) -> bool:
    """Whether nothing but a time follows the object and its phrase, as in "i donate money to charity"."""
    first, behind = r.phrases[0], [p for p in r.phrases if p.start >= phrase.end]
    preposition = r.low(phrase)[0]
    if preposition not in {"for", "to", "on", "from", "with"} or not all(r.time(p) for p in behind):
        return False
    if set(r.low(first)) & (w.EMPTY_HEADS | {"anything", "everything", "nothing"}):
        return False
    schooled = r.verb == "go" and r.low(first)[-1] in listed("attended")
    return schooled or (
        first.kind == "np" and first.end == phrase.start and r.clause.tags[first.start] != "PRP"
    )
