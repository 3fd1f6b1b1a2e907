"""Rules for who somebody is: name, age, size, job, and what else one is one of."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked
from inquirer.grammar.jobs import is_machine, is_trade
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.lists import listed
from inquirer.language.tagger import seen
from inquirer.language.verbs import base, known

RULES = Rules()
NO_NAMES = (
    w.CITIES | w.NATIONALITIES | w.RELIGIONS | w.FEELINGS | w.CHARACTERS | w.MONTHS | w.DAYS | w.DIETS | w.MARITAL
    | w.GENDERS | w.COLORS | w.FOODS | w.PLACES | w.JOBS | w.PEOPLE | w.ADVERBS | listed("states")
    | listed("not-names")
)  # fmt: skip
NAMELESS_ENDINGS = ("ing", "ish", "ous", "ful", "ed", "er", "ly")
# groups that somebody may belong to, and the question words for them
GROUPS = (
    (w.MARITAL, "{your} relationship status"),
    (w.NATIONALITIES, "{your} nationality"),
    (w.RELIGIONS, "{your} religion"),
    (w.GENDERS, "{your} gender"),
)
MEASURES = {"feet", "ft", "foot", "inches", "pounds", "lbs", "tall"}
YEARS = {"year", "years", "month", "months", "week", "weeks"}
LOOSELY = {"about", "almost", "only", "over", "now", "just"}


@RULES.add(
    "name",
    "`I am …` with a name and nothing else",
    single=True,
    examples={"i'm ashley": "What is your name?"},
)
def name(r: Reading) -> Iterator[Asked]:
    first = r.stated
    if r.own and first and first.kind != "ing" and not r.past and _is_name(r, first):
        your = r.voice.your
        yield r.write((first.start, first.end), f"What is {your} name?", f"what {your} name is")


def _is_name(r: Reading, first: Phrase) -> bool:
    low, tags = r.low(first), r.clause.tags[first.start : first.end]
    further = [p for p in r.clause.phrases[1:] if r.low(p) not in (["here"], ["by", "the", "way"])]
    if len(low) > 2 or further or r.clause.adverbs or r.subject == ["we"]:
        return False
    word = low[0]
    if word in NO_NAMES or not word.isalpha() or (word.endswith("in") and base(f"{word}g") in known()):
        return False  # chillin
    if len(low) == 1:
        return word in w.NAMES or (_is_strange(word) and not word.endswith(NAMELESS_ENDINGS))
    named = tags == ("NNP", "NNP") and word in w.NAMES
    return named or (_is_strange(word) and (tags == ("NNP", "NNP") or _is_strange(low[1])))


def _is_strange(word: str) -> bool:
    """Whether the tagger does not know the word. Alone after `i am`, such a word is most likely a name."""
    return not seen(word) and len(word) < 10 and not word.startswith(("over", "non", "under"))


@RULES.add(
    "age",
    "somebody is so many years old, or so tall or heavy",
    single=True,
    examples={
        "i'm 26 years old": "How old are you?",
        "my son is 8": "How old is your son?",
        "i have a seven year old daughter": "How old is your daughter?",
        "i am 6 feet tall": "How tall are you?",
    },
)
def age(r: Reading) -> Iterator[Asked | None]:
    first = r.first
    if r.verb == "have" and r.own and first is not None and first.kind == "np":
        yield from _age_of(r, first)
    if not r.is_be or first is None or first.kind != "np":
        return
    low = r.low(first)
    if (r.own or r.person or r.animal) and is_age(r.clause, first):
        if not r.past:
            yield r.be("How old", r.place(first))
        elif any(p.kind == "sub" for p in r.clause.phrases):  # i was ten when we moved
            yield r.ask("How old", first, [first])
    elif r.own and not r.past and low[-1] in MEASURES - {"pounds", "lbs"} and len(low) > 1:
        yield r.be("How tall", r.place(first))


def is_age(clause: Clause, first: Phrase) -> bool:
    """Whether the number is an age. It either stands alone ("26") or is followed by `old` ("26 years old")."""
    low = [x.lower for x in clause.words[first.start : first.end]]
    tags = clause.tags[first.start : first.end]
    if "CD" not in tags or MEASURES & set(low):
        return False
    if low[-1] == "old":
        return True
    rest = [x for x, tag in zip(low, tags, strict=True) if tag != "CD" and x not in LOOSELY]
    following = [p for p in clause.phrases if p.start >= first.end and p.kind != "sub"][:1]
    number = low[-1].rstrip("s").isdigit() or low[-1] in w.NUMBERS
    return number and not rest and (not following or following[0].kind in {"adv", "rest"})


def _age_of(r: Reading, phrase: Phrase) -> Iterator[Asked]:
    """Asks for the age in "i have a seven year old daughter"."""
    low = r.low(phrase)
    at = next((k for k in range(len(low) - 2) if low[k + 1] in YEARS and low[k + 2] == "old"), None)
    hyphened = len(low) > 1 and low[-2].endswith(("year-old", "yr-old", "years-old"))
    if low[-1] not in w.PEOPLE | w.PETS or low[0] not in {"a", "an", "my"} or (at is None and not hyphened):
        return
    place = (phrase.end - 2, phrase.end - 1) if at is None else (phrase.start + at, phrase.start + at + 3)
    be, whom = "are" if low[-1].endswith("s") else "is", f"{r.voice.your} {low[-1]}"
    yield r.write(place, f"How old {be} {whom}?", f"how old {whom} {be}")


@RULES.add(
    "job",
    "somebody is, was, or works as something that is a job",
    single=True,
    examples={
        "i am a teacher": "What do you do for a living?",
        "i work as a waitress": "What do you do for a living?",
        "my dad was a mechanic": "What did your dad do for a living?",
        "i used to be a lawyer": "What did you use to do for a living?",
    },
)
def job(r: Reading) -> Iterator[Asked]:
    first = _work(r) if (r.own or r.person) and r.first is not None else None
    if first is None:
        return
    whom, living, place = r.subject_text, " for a living", r.place(first)
    studies = r.noun(first).core == "student"
    if r.clause.lemma == "use":
        yield r.write(place, f"What did {whom} use to do{living}?", f"what {whom} used to do{living}")
    elif not studies or (r.own and not r.past):
        several = r.own or r.verb_word == "are" or r.subject == ["they"]
        do, rest = "did" if r.past else "do" if several else "does", "" if studies else living
        own = f"what {r.voice.your} job is" if r.own and do == "do" and rest else ""
        yield r.write(place, f"What {do} {whom} do{rest}?", own or f"what {whom} {do}{rest}")


def _work(r: Reading) -> Phrase | None:
    """Returns the phrase that names the job, or None.

    For example "i am a nurse", "i work as a waitress", "i have a job as an engineer".
    """
    first, second = [*r.phrases, None][:2]
    assert first is not None
    if r.verb == "work" and not r.chained and not r.helpers and r.low(first)[0] == "as":
        return None if is_machine(r, first) else first
    if second is not None and r.verb == "have" and r.low(first)[-1] == "job" and r.low(second)[0] == "as":
        return second
    if second is not None and r.is_be and r.low(first) == ["a", "stay"]:
        return Phrase("np", first.start, second.end, first.start)  # at home mom
    named = (r.clause.lemma == "use" and r.verb == "be") or (r.is_be and first.kind == "np")
    return first if named and _is_job(r, first) and not is_machine(r, first) else None


def _is_job(r: Reading, first: Phrase) -> bool:
    low, several = r.low(first), r.clause.tags[first.end - 1] == "NNS"
    if low[:2] == ["a", "stay"] or low[1:2] in (["stay-at-home"], ["homemaker"]):
        return True
    amateur = set(low[:-1]) & (listed("unpaid") | listed("plain-adjectives") - {"full", "first"})
    if amateur or low[0] in {"my", "our", "the", "one"} or set(low) & w.BREEDS:
        return False
    return not (several and r.subject == ["i"]) and is_trade(r.noun(first), several)  # i am stuck indoors


@RULES.add(
    "status",
    "`I am` with what one is one of: married, Catholic, Canadian, vegan, a business major",
    single=True,
    examples={
        "i am married": "What is your relationship status?",
        "i'm a vegetarian": "What kind of diet do you follow?",
        "i am a business major": "What is your major?",
    },
)
def status(r: Reading) -> Iterator[Asked]:
    first = r.stated
    if not r.own or first is None or first.kind == "ing" or not r.alone:
        return
    low, your, you = r.low(first), r.voice.your, r.voice.you
    if low[-1] == "major" and len(low) > 2 and "double" not in low:
        be = "was" if r.past else "is"
        yield r.write((first.start + 1, first.end - 1), f"What {be} {your} major?", f"what {your} major {be}")
    bare = len(low) == 1 or (len(low) == 2 and low[0] in {"a", "an", "happily", "currently", "still"})
    if r.past or not bare:
        return
    for group, asked in GROUPS:
        if low[-1] in group:
            what = asked.format(your=your)
            yield r.write(r.place(first), f"What is {what}?", f"what {what} is")
    if low[-1] in w.DIETS:
        diet = "what kind of diet"
        yield r.write(r.place(first), f"What kind of diet do {you} follow?", f"{diet} {you} follow")
