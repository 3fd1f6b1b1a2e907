"""Decides which clauses are unsuitable for questions, and which properties only lower a question's score."""

from __future__ import annotations

from itertools import pairwise

from inquirer.grammar.reading import Reading
from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.words import is_named


def unfit(r: Reading) -> bool:
    """Whether the clause is unsuitable for questions.

    Unsuitable are conditions, misread verbs, what is no longer so, and statements about the partner, about
    everybody, or about something pointed at.
    """
    clause = r.clause
    if clause.joiner in w.CONDITIONS or {"you", "your", "u"} & set(r.subject) or r.subject[0] == "me":
        return True
    if any(p.kind == "sub" and p.end - p.start < 4 and r.low(p)[0] == "if" for p in clause.phrases):
        return True
    pointing = r.subject[-1] in w.UNASKABLE_SUBJECTS and not r.favorite
    if (pointing or r.subject[0] in {"this", "that"}) and r.subject not in (["it"], ["there"]):
        return True
    over = ("no", "longer") in pairwise(x.lower for x in clause.words[clause.start : clause.end])
    beside_verb = {*r.helpers, *(clause.low(i) for i in clause.adverbs)}
    general = r.subject == ["we"] and {"should", "could", "shall", "all"} & beside_verb  # we should meet
    last = clause.chain[1] - 1 if r.chained else clause.verb
    halves = tuple(x.lower for x in clause.words[last : last + 2])
    compound = {halves, (r.subject[-1], clause.lemma)} & w.pairs("double-verbs")  # i like to rock climb
    return over or bool(general or compound) or _is_name(clause)


def _is_name(clause: Clause) -> bool:
    """Whether the verb is really part of a name, for example "I am Hugging Face"."""
    verb = clause.words[clause.verb]
    capital = verb.text[:1].isupper() and not verb.text.isupper() and verb is not clause.words[0]
    named = clause.subject_words[-1].lower == "name" and verb.lower.endswith("ing")
    return named or (capital and bool(clause.auxiliaries))


def supposed(r: Reading) -> bool:
    """Whether the statement is only a guess or a hope: "maybe i can become a mechanic", "i hope she will sing"."""
    low = r.clause.lows(0, r.clause.verb)
    near = set(low[max(0, r.clause.start - 2) :])
    return bool(w.HEDGES & set(low) or (near & w.HOPES and (w.MODALS & set(r.helpers) or not r.own)))


def tangled(r: Reading) -> bool:
    """Whether the clause has words that the grammar could not place. The other words may then be misread too."""
    rest = [p for p in r.clause.phrases if p.kind == "rest" and r.low(p)[0] not in w.CLAUSE_BREAKS]
    return any(r.clause.tags[p.start] not in w.LOOSE_TAGS or p is r.clause.phrases[0] for p in rest)


def taken_as_known(r: Reading, phrase: Phrase) -> bool:
    """Whether only the earlier conversation tells which thing is meant: "the app", but not "the internet"."""
    low = r.low(phrase)
    if low[0] != "the" or r.clause.words[phrase.start].text == "The" or {"of", "in"} & set(low):
        return False
    following = [p for p in r.clause.phrases if p.start == phrase.end and p.kind in {"pp", "inf"}]
    last = r.clause.words[phrase.end - 1]
    known = low[-1] in w.ONLY_ONES | w.COLORS or is_named(last.lower) or last.text[:1].isupper()
    quoted = r.clause.words[phrase.start].start - r.clause.words[phrase.start - 1].end > 1
    named = quoted or any(tag.startswith("NNP") for tag in r.clause.tags[phrase.start : phrase.end])
    return not (following or known or named or len(low) > 2)


def points_back(r: Reading, text: str, answer: tuple[int, int]) -> bool:
    """Whether question or answer has a `their` that refers to nobody in the clause: "i love their music"."""
    if r.person or r.mine or not w.POINTING_BACK & {x.lower for x in r.clause.words}:
        return False
    words = {x.lower for x in r.clause.words[slice(*answer)]} | set(text.lower().rstrip("?").split())
    if not words & w.POINTING_BACK:
        return False
    start, end = r.clause.start, r.clause.end
    place = next((i for i in range(start, end) if r.clause.low(i) in w.POINTING_BACK), end)
    return not any(tag.startswith("NN") for tag in r.clause.tags[start:place])
