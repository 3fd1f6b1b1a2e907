"""Rules for phrases after a preposition (listen to, afraid of, live with), and for who does something."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked, helper, sentence, tail
from inquirer.grammar.objects import category
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import rule
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.phrases import trimmed
from inquirer.language.verbs import third

BY_VERB, BY_ADJECTIVE = w.pairs("verb-prepositions"), w.pairs("adjective-prepositions")
UNBOUND = w.TASTES | {"need", "live", "want", "be", "have", "take", "get", "do"}
EMPTY = w.EMPTY_HEADS | w.VAGUE | w.IDIOM_OBJECTS - {"living"}
SINGLE = {"work for", "major in", "graduate from", "name after", "play for", "married to", "engaged to"}
SINGLE |= {f"{title} in" for title in ("degree", "phd", "masters", "bachelors", "major")}


@rule("preposition", single=False, denied=True)
def preposition(r: Reading) -> Iterator[Asked | None]:
    """A verb, adjective or object with a preposition that may be left behind."""
    for place, phrase in enumerate(r.phrases):
        if phrase.kind != "pp" or r.time(phrase) or not _is_thing(r, phrase):
            continue
        before = r.phrases[place - 1] if place else None
        company = _is_company(r, phrase)
        if not (company or _governs(r, before, phrase) or _is_loose(r, place, phrase)):
            continue
        first = r.low(phrase)[0]
        governor = r.low(before)[-1] if before and before.kind in {"adj", "np"} else r.verb
        who = company or is_somebody(r, phrase) or (r.verb, first) == ("work", "for")
        word = "Who" if who else category(r.clause, *r.noun(phrase).place, r.verb) or "What"
        homes = [p for p in r.clause.phrases if company and r.verb == "live" and p.kind in {"pp", "adv"}]
        single = True if f"{governor} {first}" in SINGLE else None
        yield r.ask(word, phrase, [phrase, *homes], kept=(phrase, first), single=single)


def _is_thing(r: Reading, phrase: Phrase) -> bool:
    """Whether the phrase names a thing that a question can ask for."""
    return r.clause.tags[phrase.body] not in {"PRP", "EX", "CD", "RB"} and not r.noun(phrase).heads & EMPTY


def _governs(r: Reading, before: Phrase | None, phrase: Phrase) -> bool:
    """Whether the word before the phrase takes its preposition: listen to, afraid of, a passion for."""
    first = r.low(phrase)[0]
    if before is None:
        if r.is_be:
            return first == "into"
        done = r.clause.tags[r.clause.verb] == "VBN" and (r.verb_word, first) in BY_ADJECTIVE
        return done or (not r.clause.copular and (r.verb, first) in BY_VERB)
    if before.kind == "adj":
        long_doing = r.noun(phrase).gerund and phrase.end - phrase.body > 5
        return r.clause.copular and (r.low(before)[-1], first) in BY_ADJECTIVE and not long_doing
    if before.kind != "np" or r.denied:
        return False
    leaning = r.verb == "have" and before.end == phrase.start and r.noun(before).core in w.LEANINGS
    return leaning or (r.verb in w.BEHIND_OBJECT and (r.verb, first) in BY_VERB)


def _is_loose(r: Reading, place: int, phrase: Phrase) -> bool:
    """Whether a preposition that the verb does not demand may be left behind: "i donate money to charity"."""
    first, thing = r.low(phrase)[0], r.noun(phrase)
    bound = r.clause.copular or r.verb in UNBOUND or r.denied or (r.verb, first) in BY_VERB
    if bound or place > 1 or first not in {"for", "to", "on", "from", "with", "about"}:
        return False
    if first == "to" if not place else first == "about" or not _behind_object(r):
        return False
    elsewhere = r.is_place(phrase) or thing.core in w.PLACES | w.FREE_ENDS | w.PEOPLE
    long = phrase.end - phrase.body > (1 if thing.gerund else 5)
    return not (elsewhere or long or thing.last in w.ON_IDIOMS)


def _behind_object(r: Reading) -> bool:
    """Whether the second phrase follows an object, and nothing but a time follows it."""
    given, phrase, *behind = r.phrases
    if set(r.low(given)) & (w.EMPTY_HEADS | {"anything", "everything", "nothing"}):
        return False
    schooled = r.verb == "go" and r.low(given)[-1] in w.ATTENDED
    named = given.kind == "np" and given.end == phrase.start and r.clause.tags[given.start] != "PRP"
    return (schooled or named) and all(r.time(p) for p in behind)


def _is_company(r: Reading, phrase: Phrase) -> bool:
    """Whether the phrase names a companion: "with my brother", but not "a lady with two children"."""
    first, thing = r.low(phrase)[0], r.noun(phrase)
    pet = thing.core in w.PETS | w.BREEDS and thing.low[0] in {"my", "our"}
    known = pet or thing.core in w.PEOPLE - {"people", "person"}
    if r.denied or thing.gerund or not known or first not in {"with", "for", "by", "to", "from"}:
        return False
    before = [p for p in r.phrases if p.start < phrase.start]
    plain = all(p.kind in {"np", "pp", "ing"} and not r.time(p) for p in before) and len(before) < 3
    described = any(p.kind == "np" and r.low(p) != ["friends"] for p in before)
    return plain and not (r.is_be and (described or first != "with"))


def is_somebody(r: Reading, phrase: Phrase) -> bool:
    """Whether the phrase names people, so that the question word is `who` and not `what`."""
    thing = r.noun(phrase)
    if thing.gerund:
        return False
    proper = thing.tags == ("NNP", "NNP") and r.low(phrase)[0] in {"with", "for", "by"}
    return thing.low[0] in w.NAMES or proper or thing.core in w.PEOPLE | w.TEAM_WORDS


@rule("fan", single=False, denied=True)
def fan(r: Reading) -> Iterator[Asked | None]:
    """Somebody is a fan of something, or has a fear, a love … of it."""
    first = r.first
    if first is None or first.kind != "np" or not (r.own or r.person):
        return
    low, start = r.low(first), first.start
    at = next((k for k in range(1, len(low) - 1) if low[k] == "of"), 0)
    if at and ((r.is_be and low[at - 1] == "fan") or (r.verb == "have" and low[at - 1] in w.LEANINGS)):
        body = r.place(Phrase("np", start + at + 1, first.end, start + at + 1))
        yield r.ask("What", body, [first], kept=(first, r.say(start, start + at + 1)))
    elif r.is_be and low[-1] == "fan" and low[0] in {"a", "an"} and len(low) > 2:
        named = next(k for k in range(1, len(low)) if low[k] not in w.FAN_DEGREES)
        if named < len(low) - 1:
            lead = " ".join(["a", *low[1:named], "fan of"])
            yield r.ask("What", (start + named, first.end - 1), [first], kept=(first, lead))


@rule("who", single=None)
def who(r: Reading) -> Iterator[Asked]:
    """Somebody of the speaker's does something to the speaker or with a thing."""
    (start, end), joined = r.clause.subject, r.clause.joiner in w.RELATIVE
    named = len(r.subject) < 3 and r.subject[0] in w.NAMES
    one = len(r.subject) < 5 and "and" not in r.subject and end > start and not r.clause.borrowed
    if joined or not one or not (named or (r.mine and r.core in w.PEOPLE | w.PETS)):
        return
    behind = tail(r.clause, [], r.voice) if _is_deed(r) else ""
    if not behind:
        return
    if r.helpers:
        first, done = helper(r.clause, r.voice)
        verb = f"{ {'are': 'is', 'were': 'was', 'have': 'has'}.get(first, first) } {done}"
    else:
        verb = third(r.clause.lemma) if r.clause.tags[r.clause.verb] in {"VBP", "VB"} else r.verb_word
        verb = f"{verb} {r.say(*r.clause.chain)}".strip()
    text = sentence("Who", verb, behind)
    yield r.write((trimmed(r.clause.words, start, end), end), text, text)


def _is_deed(r: Reading) -> bool:
    """Whether the clause describes an action that affects the speaker or a named thing."""
    idle = r.clause.copular or r.verb in w.MINDING or len(r.helpers) > 1
    whom = {x for p in r.phrases for x in r.low(p)}
    if idle or not r.phrases or {"do", "does", "did"} & set(r.helpers) or whom & w.POINTED_AT:
        return False
    return bool({"me", "us"} & whom) or r.phrases[0].kind == "np" or r.past
