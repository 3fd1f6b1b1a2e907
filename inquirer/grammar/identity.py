"""Rules for who somebody is: name, age, size, job, and what else one is one of."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Noun, Reading
from inquirer.grammar.rule import rule
from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.tagger import seen
from inquirer.language.verbs import base, known

TRADES = ("er", "or", "ist", "ian", "eer", "man", "woman")
OTHERWISE = ("owner", "lover", "goer", "holder", "comer")


def is_trade(thing: Noun, several: bool = False) -> bool:
    """Whether the noun is a person's job, according to a word list or its ending."""
    core, last = (x.removesuffix("s") if several else x for x in (thing.core, thing.last))
    if {core, last} & (w.NAMES | w.ILLNESSES | w.MACHINES):
        return False
    if core in w.JOBS or last in w.JOBS:
        return True
    other = w.NO_JOBS | w.RELIGIONS | w.PEOPLE | w.NATIONALITIES | w.BREEDS | w.ANIMALS | w.FOODS
    return core not in other and len(core) > 5 and core.endswith(TRADES) and not core.endswith(OTHERWISE)


def is_machine(r: Reading, phrase: Phrase) -> bool:
    """Whether the phrase says that the speaker is a machine, which has no job: "a language model"."""
    clause, core = r.clause, r.noun(phrase).core
    if core in w.MACHINES:
        return True
    if core in w.MACHINES_OR_PEOPLE and set(r.low(phrase)) & w.MACHINE_WORDS:
        return True
    built = phrase.end < clause.end and clause.tags[phrase.end] in {"VBN", "VBD"}
    return built and base(clause.low(phrase.end)) in w.MAKING


NO_NAMES = (
    w.CITIES | w.NATIONALITIES | w.RELIGIONS | w.FEELINGS | w.CHARACTERS | w.MONTHS | w.DAYS | w.DIETS | w.MARITAL
    | w.GENDERS | w.COLORS | w.FOODS | w.PLACES | w.JOBS | w.PEOPLE | w.ADVERBS | w.STATES
    | w.NOT_NAMES
)  # fmt: skip
NAMELESS_ENDINGS = ("ing", "ish", "ous", "ful", "ed", "er", "ly")
# groups that somebody may belong to, and the question words for them
GROUPS = (
    (w.MARITAL, "relationship status"),
    (w.NATIONALITIES, "nationality"),
    (w.RELIGIONS, "religion"),
    (w.GENDERS, "gender"),
)


@rule("name", single=True)
def name(r: Reading) -> Iterator[Asked]:
    """`I am …` with a name and nothing else."""
    first = r.stated
    if r.own and first and not r.past and _is_name(r, first):
        yield r.asked_of((first.start, first.end), "What", "is", f"{r.voice.your} name")


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
    if tags == ("NNP", "NNP"):
        return word in w.NAMES or _is_strange(word)
    return _is_strange(word) and _is_strange(low[1])


def _is_strange(word: str) -> bool:
    """Whether the tagger does not know the word. Alone after `i am`, such a word is most likely a name."""
    return not seen(word) and len(word) < 10 and not word.startswith(("over", "non", "under"))


@rule("age", single=True)
def age(r: Reading) -> Iterator[Asked | None]:
    """Somebody is so many years old, or so tall or heavy."""
    first = r.first
    if r.had and r.own:
        yield from _age_of(r, r.had)
    if not r.is_be or first is None or first.kind != "np":
        return
    low = r.low(first)
    animal = r.mine and r.core in w.PETS | w.BREEDS
    if (r.own or r.person or animal) and is_age(r.clause, first):
        if not r.past:
            yield r.be("How old", r.place(first))
        elif any(p.kind == "sub" for p in r.clause.phrases):  # i was ten when we moved
            yield r.ask("How old", first, [first])
    elif r.own and not r.past and low[-1] in w.SIZES - {"pounds", "lbs"} and len(low) > 1:
        yield r.be("How tall", r.place(first))


def is_age(clause: Clause, first: Phrase) -> bool:
    """Whether the number is an age. It either stands alone ("26") or is followed by `old` ("26 years old")."""
    low = clause.lows(first.start, first.end)
    tags = clause.tags[first.start : first.end]
    if "CD" not in tags or w.SIZES & set(low):
        return False
    if low[-1] == "old":
        return True
    rest = [x for x, tag in zip(low, tags, strict=True) if tag != "CD" and x not in w.LOOSELY]
    following = [p for p in clause.phrases if p.start >= first.end and p.kind != "sub"][:1]
    number = low[-1].rstrip("s").isdigit() or low[-1] in w.NUMBERS
    return number and not rest and (not following or following[0].kind in {"adv", "rest"})


def _age_of(r: Reading, phrase: Phrase) -> Iterator[Asked]:
    """Asks for the age in "i have a seven year old daughter"."""
    low = r.low(phrase)
    at = next((k for k in range(len(low) - 2) if low[k + 1] in w.AGE_UNITS and low[k + 2] == "old"), None)
    if at is not None and low[-1] in w.PEOPLE | w.PETS and low[0] in {"a", "an", "my"}:
        place = (phrase.start + at, phrase.start + at + 3)
        be = "are" if low[-1].endswith("s") else "is"
        yield r.asked_of(place, "How old", be, f"{r.voice.your} {low[-1]}")


@rule("job", single=True)
def job(r: Reading) -> Iterator[Asked]:
    """Somebody is, was, or works as something that is a job."""
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
    """Returns the phrase that names the job, or None: "i am a nurse", "i work as a waitress"."""
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
    if low[1:2] in (["stay-at-home"], ["homemaker"]):
        return True
    amateur = set(low[:-1]) & (w.UNPAID | w.PLAIN_ADJECTIVES - {"full", "first"})
    if amateur or low[0] in {"my", "our", "the", "one"} or set(low) & w.BREEDS:
        return False
    return not (several and r.subject == ["i"]) and is_trade(r.noun(first), several)  # i am stuck indoors


@rule("status", single=True)
def status(r: Reading) -> Iterator[Asked]:
    """`I am` with what one is one of: married, Catholic, Canadian, vegan, a business major."""
    first = r.stated
    if not r.own or first is None or not r.alone:
        return
    low, your, you = r.low(first), r.voice.your, r.voice.you
    if low[-1] == "major" and len(low) > 2 and "double" not in low:
        be = "was" if r.past else "is"
        yield r.asked_of((first.start + 1, first.end - 1), "What", be, f"{your} major")
    bare = len(low) == 1 or (len(low) == 2 and low[0] in {"a", "an", "happily", "currently", "still"})
    if r.past or not bare:
        return
    for group, asked in GROUPS:
        if low[-1] in group:
            yield r.asked_of(r.place(first), "What", "is", f"{your} {asked}")
    if low[-1] in w.DIETS:
        diet = "what kind of diet"
        yield r.write(r.place(first), f"What kind of diet do {you} follow?", f"{diet} {you} follow")
