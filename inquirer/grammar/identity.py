"""Rules for who somebody is: name, age, job, home, feelings, character."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked
from inquirer.grammar.introductions import is_name
from inquirer.grammar.jobs import is_machine, works
from inquirer.grammar.numbers import is_age
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed

RULES = Rules()
STATES = listed("states") | w.FEELINGS
UNPAID = {
    "amazing", "avid", "bad", "big", "decent", "good", "great", "home", "horse", "house", "huge", "pet", "proud",
    "terrible", "car", "cat", "dog", "former", "retired", "ex", "bit", "better", "best",
}  # fmt: skip
# groups that somebody may belong to, and the question words for them
GROUPS = (
    (w.MARITAL, "What is {your} relationship status?", "what {your} relationship status is"),
    (w.NATIONALITIES, "What is {your} nationality?", "what {your} nationality is"),
    (w.RELIGIONS, "What is {your} religion?", "what {your} religion is"),
    (w.GENDERS, "What is {your} gender?", "what {your} gender is"),
    (w.DIETS, "What kind of diet do {you} follow?", "what kind of diet {you} follow"),
)


def _stated(r: Reading) -> Phrase | None:
    """Returns the phrase after `be` that says what somebody is, or None for other verbs."""
    return r.first if r.is_be else None


@RULES.add(
    "name",
    matches="`I am …` with a name and nothing else",
    asks="What is your name?",
    single=True,
    examples={"i'm ashley": "What is your name?"},
)
def name(r: Reading) -> Iterator[Asked]:
    first = _stated(r)
    if r.own and first and first.kind in {"np", "adj"} and not r.past and is_name(r.clause, first):
        your = r.voice.your
        yield r.write((first.start, first.end), f"What is {your} name?", f"what {your} name is")


@RULES.add(
    "age",
    matches="somebody is so many years old",
    asks="How old are you? How old is your son?",
    single=True,
    examples={"i'm 26 years old": "How old are you?", "my son is 8": "How old is your son?"},
)
def age(r: Reading) -> Iterator[Asked]:
    first = _stated(r)
    someone = r.own or r.person or (r.mine and r.core in w.PETS | w.BREEDS) or r.subject in (["he"], ["she"])
    if first and first.kind == "np" and someone and is_age(r.clause, first):
        if r.past and not any(p.kind == "sub" for p in r.clause.phrases):
            return
        asked = r.ask("How old", r.place(first), [first]) if r.past else r.be("How old", r.place(first))
        yield from [asked] if asked else []


@RULES.add(
    "job",
    matches="somebody is, was, or works as something that is a job",
    asks="What do you do for a living?",
    single=True,
    examples={
        "i am a teacher": "What do you do for a living?",
        "i work as a waitress": "What do you do for a living?",
        "my mom is a nurse": "What does your mom do for a living?",
        "my dad was a mechanic": "What did your dad do for a living?",
        "i used to be a lawyer": "What did you use to do for a living?",
    },
)
def job(r: Reading) -> Iterator[Asked]:
    first = _work(r) if (r.own or r.person) and r.first is not None else None
    if first is None:
        return
    whom, living = r.subject_text, "for a living"
    if r.noun(first).core == "student":
        if r.own and not r.past:
            yield r.write(r.place(first), f"What do {whom} do?", f"what {whom} do")
    elif r.clause.lemma == "use":
        text = f"What did {whom} use to do {living}?"
        yield r.write(r.place(first), text, f"what {whom} used to do {living}")
    else:
        several = r.own or r.clause.words[r.clause.verb].lower == "are" or r.subject == ["they"]
        do = "did" if r.past else "do" if several else "does"
        own = f"what {r.voice.your} job is" if r.own and do == "do" else ""
        yield r.write(r.place(first), f"What {do} {whom} do {living}?", own or f"what {whom} {do} {living}")


def _work(r: Reading) -> Phrase | None:
    """Returns the phrase that names the job, or None.

    For example "i am a nurse", "i work as a waitress", "i have a job as an engineer".
    """
    first = r.phrases[0]
    if r.verb == "work" and not r.chained and not r.helpers and r.low(first)[0] == "as":
        return None if is_machine(r.clause, first) else first
    second = r.phrases[1] if len(r.phrases) > 1 else None
    if second is not None and r.verb == "have" and r.low(first)[-1] == "job" and r.low(second)[0] == "as":
        return second
    if second is not None and r.is_be and r.low(first) == ["a", "stay"]:
        first = Phrase("np", first.start, second.end, first.start)  # at home mom
    named = (r.clause.lemma == "use" and r.verb == "be") or (r.is_be and first.kind == "np")
    return first if named and _is_job(r, first) and not is_machine(r.clause, first) else None


def _is_job(r: Reading, first: Phrase) -> bool:
    thing = r.noun(first)
    low = r.low(first)
    if r.subject == ["i"] and r.clause.tags[first.end - 1] == "NNS":
        return False  # i am stuck indoors
    if low[:2] == ["a", "stay"] or low[1:2] in (["stay-at-home"], ["homemaker"]):
        return True
    if (
        set(low[:-1]) & (UNPAID | listed("plain-adjectives") - {"full", "first"})
        or low[0] in {"my", "our", "the", "one"}
        or set(low) & w.BREEDS
    ):
        return False
    last, core = thing.last, thing.core
    if r.clause.tags[first.end - 1] == "NNS":
        last, core = last.removesuffix("s"), core.removesuffix("s")
    return works(core, last) and core not in {"hunter", "kicker"}


@RULES.add(
    "status",
    matches="`I am` with what one is one of: married, Catholic, Canadian, vegan",
    asks="What is your relationship status? What is your religion?",
    single=True,
    examples={
        "i am married": "What is your relationship status?",
        "i'm a vegetarian": "What kind of diet do you follow?",
        "i am a business major": "What is your major?",
    },
)
def status(r: Reading) -> Iterator[Asked]:
    first = _stated(r)
    if not r.own or first is None or first.kind not in {"np", "adj"} or not r.alone:
        return
    low = r.low(first)
    if low[-1] == "major" and len(low) > 2 and "double" not in low:
        your, be = r.voice.your, "was" if r.past else "is"
        yield r.write((first.start + 1, first.end - 1), f"What {be} {your} major?", f"what {your} major {be}")
    if r.past:
        return
    if len(low) > 2 or (len(low) == 2 and low[0] not in {"a", "an", "happily", "currently", "still"}):
        return
    for group, direct, indirect in GROUPS:
        if low[-1] in group:
            pronouns = {"you": r.voice.you, "your": r.voice.your}
            yield r.write(r.place(first), direct.format(**pronouns), indirect.format(**pronouns))


@RULES.add(
    "character",
    matches="somebody is described by an adjective",
    asks="How would you describe yourself? What is your sister like?",
    single=False,
    examples={
        "i am shy": "How would you describe yourself?",
        "my sister is funny": "What is your sister like?",
    },
)
def character(r: Reading) -> Iterator[Asked]:
    first = _stated(r)
    if first is None or first.kind != "adj" or not r.alone:
        return
    if r.low(first)[-1] not in w.CHARACTERS - STATES - {
        "old",
        "young",
        "cold",
        "hot",
        "warm",
        "nice",
        "great",
    }:
        return
    place = (first.start, first.end)
    if r.own and not r.past:
        you, oneself = r.voice.you, "myself" if r.voice.partner else "yourself"
        yield r.write(place, f"How would {you} describe {oneself}?", f"how {you} would describe {oneself}")
    elif r.mine and (r.person or r.core in w.PETS | w.BREEDS):
        yield r.be("What", place, "like")


@RULES.add(
    "height-weight",
    matches="`I am` with feet or pounds",
    asks="How tall are you? How much do you weigh?",
    single=True,
    examples={"i am 6 feet tall": "How tall are you?"},
)
def measures(r: Reading) -> Iterator[Asked]:
    first = _stated(r)
    if not r.own or first is None or first.kind != "np" or r.past:
        return
    last, you = r.low(first)[-1], r.voice.you
    if last in {"tall", "feet", "ft", "foot"} and len(r.low(first)) > 1:
        yield r.be("How tall", r.place(first))
    elif last in {"pounds", "lbs", "kilos", "kg"} and first.end - first.start < 4:
        yield r.write(r.place(first), f"How much do {you} weigh?", f"how much {you} weigh")


@RULES.add(
    "fan",
    matches="somebody is a fan of something",
    asks="What are you a fan of?",
    single=False,
    examples={
        "i'm a big fan of jazz": "What are you a big fan of?",
        "i'm an ohio state fan": "What are you a fan of?",
    },
)
def fan(r: Reading) -> Iterator[Asked]:
    first = _stated(r)
    if first is None or first.kind != "np" or not (r.own or r.person):
        return
    low = r.low(first)
    at = next((k for k in range(1, len(low) - 1) if low[k - 1] == "fan" and low[k] == "of"), None)
    if at is not None:
        lead = r.say(first.start, first.start + at)
        body = r.place(Phrase("np", first.start + at + 1, first.end, first.start + at + 1))
        yield r.be("What", body, f"{lead} of")
    elif low[-1] == "fan" and low[0] in {"a", "an"} and len(low) > 2:
        degrees = {"big", "huge", "massive", "major", "die-hard", "real"}
        named = next(k for k in range(1, len(low)) if low[k] not in degrees)
        if named < len(low) - 1:
            lead = " ".join(["a", *low[1:named], "fan of"])
            yield r.be("What", (first.start + named, first.end - 1), lead)
