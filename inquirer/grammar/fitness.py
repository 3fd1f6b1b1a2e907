"""Decides which clauses are unsuitable for questions, and which properties only lower a question's score."""

from __future__ import annotations

from itertools import pairwise

from inquirer.grammar.reading import Reading
from inquirer.language.clause import Clause, Phrase
from inquirer.language.lexicon import is_named
from inquirer.language.lists import listed, pairs

CONDITIONS = {"if", "when", "whenever", "while", "unless", "once", "anytime", "until", "before", "after"}
POINTING_BACK = {"his", "her", "their", "its"}
HEDGES = {"maybe", "perhaps", "possibly", "hopefully"}
HOPES = {"bet", "guess", "hope", "hoping", "wish", "wishing", "sure", "imagine"}
MODALS = {"can", "could", "might", "may", "will", "'ll", "would", "'d", "should", "must"}
LOOSE = {
    "RB",
    "RBR",
    "UH",
    "VBG",
    ":",
    "``",
    "''",
    "-LRB-",
    "-RRB-",
    "LS",
    "SYM",
}  # tags of what may be left out


def unfit(r: Reading) -> bool:
    """Whether the clause is unsuitable for questions.

    Unsuitable are conditions, misread verbs, what is no longer so, and statements about the partner, about
    everybody, or about something pointed at.
    """
    clause = r.clause
    if clause.joiner in CONDITIONS or {"you", "your", "u"} & set(r.subject) or r.subject[0] == "me":
        return True
    if any(p.kind == "sub" and p.end - p.start < 4 and r.low(p)[0] == "if" for p in clause.phrases):
        return True
    pointing = r.subject[-1] in listed("unaskable-subjects") and not r.favorite
    if (pointing or r.subject[0] in {"this", "that"}) and r.subject not in (["it"], ["there"]):
        return True
    over = ("no", "longer") in pairwise(x.lower for x in clause.words[clause.start : clause.end])
    return over or _is_name(clause) or _is_general(r) or _is_double(r)


def _is_name(clause: Clause) -> bool:
    """Whether the verb is really part of a name, for example "I am Hugging Face"."""
    verb = clause.words[clause.verb]
    capital = verb.text[:1].isupper() and not verb.text.isupper() and verb is not clause.words[0]
    named = clause.subject_words[-1].lower == "name" and verb.lower.endswith("ing")
    return named or (capital and bool(clause.auxiliaries))


def _is_general(r: Reading) -> bool:
    """Whether the statement is about everybody or about both speakers.

    For example "we all have different values", "we should meet".
    """
    words = {*r.helpers, *(r.clause.words[i].lower for i in r.clause.adverbs)}
    return r.subject == ["we"] and bool({"should", "could", "shall", "all"} & words)


def _is_double(r: Reading) -> bool:
    """Whether the verb is only the first half of a compound, for example "i like to rock climb"."""
    last = r.clause.chain[1] - 1 if r.chained else r.clause.verb
    halves = tuple(x.lower for x in r.clause.words[last : last + 2])
    return halves in pairs("double-verbs") or (r.subject[-1], r.clause.lemma) in pairs("double-verbs")


def supposed(r: Reading) -> bool:
    """Whether the statement is only a guess or a hope: "maybe i can become a mechanic", "i hope she will sing"."""
    low = [x.lower for x in r.clause.words[: r.clause.verb]]
    near = set(low[max(0, r.clause.start - 2) :])
    return bool(HEDGES & set(low) or (near & HOPES and (MODALS & set(r.helpers) or not r.own)))


def tangled(r: Reading) -> bool:
    """Whether the clause has words that the grammar could not place. The other words may then be misread too."""
    for phrase in r.clause.phrases:
        if phrase.kind != "rest" or r.low(phrase)[0] in listed("clause-breaks"):
            continue
        if r.clause.tags[phrase.start] not in LOOSE or r.clause.phrases[0] is phrase:
            return True
    return False


def taken_as_known(r: Reading, phrase: Phrase) -> bool:
    """Whether only the earlier conversation tells which thing is meant, for example "i love the app".

    Unique things are exceptions, such as the internet or the Beatles.
    """
    low = r.low(phrase)
    if low[0] != "the" or r.clause.words[phrase.start].text == "The" or {"of", "in"} & set(low):
        return False
    following = [p for p in r.clause.phrases if p.start == phrase.end and p.kind in {"pp", "inf"}]
    last = r.clause.words[phrase.end - 1]
    known = (
        low[-1] in listed("only-ones") | listed("colors") or is_named(last.lower) or last.text[:1].isupper()
    )
    quoted = r.clause.words[phrase.start].start - r.clause.words[phrase.start - 1].end > 1
    named = quoted or any(tag.startswith("NNP") for tag in r.clause.tags[phrase.start : phrase.end])
    return not (following or known or named or len(low) > 2)


def points_back(r: Reading, text: str, answer: tuple[int, int]) -> bool:
    """Whether question or answer has a `their` that refers to nobody in the clause: "i love their music"."""
    if r.person or r.mine or not POINTING_BACK & {x.lower for x in r.clause.words}:
        return False
    words = {x.lower for x in r.clause.words[slice(*answer)]} | set(text.lower().rstrip("?").split())
    if not words & POINTING_BACK:
        return False
    start, end = r.clause.start, r.clause.end
    place = next((i for i in range(start, end) if r.clause.words[i].lower in POINTING_BACK), end)
    return not any(tag.startswith("NN") for tag in r.clause.tags[start:place])
