"""Turns a clause into a question of an auxiliary, the subject and the remaining words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.tokens import Token
from inquirer.language.verbs import PAST_OF, base
from inquirer.person import WHOLE, Voice

SPARE = (["after", "all"], ["right", "now"], ["in", "general"], ["as", "well"], ["a", "lot"], ["a", "bit"])
PASTS = frozenset(PAST_OF.values())
LONG = 8  # most words that may follow the verb


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its indirect form, and the position of its answer in the clause's words."""

    start: int
    end: int
    direct: str
    indirect: str
    rule: str = ""
    single: bool | None = None
    true: bool | None = None  # of yes/no questions: whether the right answer is yes


def helper(clause: Clause, voice: Voice) -> tuple[str, str]:
    """Returns the verb that moves before the subject, and the words that stay after the subject."""
    if have_got(clause):
        return ("does" if clause.helpers[0] in {"'s", "has"} else "do"), "have"
    chain, adverbs = clause.words[slice(*clause.chain)], _adverbs(clause)
    if clause.auxiliaries:
        first, *others = clause.auxiliaries
        doing = clause.words[clause.verb]
        lowered = replace(doing, text=doing.lower)  # `it` may begin the sentence: "enjoying the sun"
        behind = [*adverbs, *(clause.words[i] for i in others), lowered, *chain]
        return _finite(clause, first, voice), voice.say(behind)
    if clause.copular:
        return _finite(clause, clause.verb, voice), voice.say([*adverbs, *chain])
    return _do(clause), _with_adverbs(clause, voice, clause.lemma)


def have_got(clause: Clause) -> bool:
    """Whether `got` means `have`, as in "I've got two dogs"."""
    perfect = len(clause.helpers) == 1 and clause.helpers[0] in w.HAVE | {"'s"}
    return perfect and clause.low(clause.verb) == "got" and any(p.kind == "np" for p in clause.phrases[:1])


def _do(clause: Clause) -> str:
    tag, low = clause.tags[clause.verb], clause.low(clause.verb)
    about = clause.subject_words[-1].lower
    if about in {"he", "she"} and tag in {"VB", "VBP"}:
        return "does"  # for example "he like to ride"
    if clause.lemma == "use" and clause.chained:
        return "did"  # i use to play, for i used to play
    dated = any(w.lower in {"last", "yesterday", "ago"} for w in clause.words)
    present = low == base(low) and low not in PASTS  # the tagger took "rent" for a past form
    if (about in {"i", "we"} and tag == "VBZ") or low == "'ve" or present or (low == "read" and not dated):
        return "do"
    return {"VBD": "did", "VBN": "did", "VBZ": "does"}.get(tag, "do")


def _finite(clause: Clause, place: int, voice: Voice) -> str:
    low, verb = clause.low(place), clause.low(clause.verb)
    subject = [x.lower for x in clause.subject_words]
    mine = subject in (["i"], ["we"]) or subject[-2:] == ["and", "i"]
    if low == "'s":
        perfect = place != clause.verb and clause.tags[clause.verb] == "VBN" and verb in w.DONE_WORDS
        low = "has" if perfect else "is"
    elif low == "'d":
        low = "had" if "VBN" in clause.tags[place + 1 : place + 2] else "would"
    low = WHOLE.get(low, low)
    if mine and not voice.partner:
        low = {"am": "are", "was": "were", "is": "are", "has": "have"}.get(low, low)
    return low


def finite(clause: Clause, voice: Voice) -> str:
    """Returns the verb group of a statement in this voice, for example `have` or `am studying`."""
    if have_got(clause):
        return "has" if clause.helpers[0] in {"'s", "has"} else "have"
    if clause.auxiliaries or clause.copular:
        return " ".join(helper(clause, voice)).strip()
    return _with_adverbs(clause, voice, clause.low(clause.verb))


def _with_adverbs(clause: Clause, voice: Voice, verb: str) -> str:
    chain = clause.words[slice(*clause.chain)]
    return " ".join(x for x in (voice.say(_adverbs(clause)), verb, voice.say(chain)) if x)


def _adverbs(clause: Clause) -> list[Token]:
    """Returns the adverbs that a question keeps."""
    return [clause.words[i] for i in clause.adverbs if clause.low(i) in w.KEPT_ADVERBS]


def tail(
    clause: Clause,
    out: Sequence[Phrase],
    voice: Voice,
    stranded: tuple[Phrase, str] | None = None,
    question_word: str = "",
    most: int = LONG,
) -> str | None:
    """Returns the words that stay after the verb without `out`, or None if they are too many for a natural question."""
    parts: list[str] = []
    count = 0
    for phrase in clause.phrases:
        if stranded and phrase is stranded[0]:
            parts.append(stranded[1])
            continue
        words = list(clause.words[phrase.start : phrase.end])
        first = phrase is clause.phrases[0]
        if not first and _stands_apart(clause, phrase):
            break
        themselves = words[0].lower in w.THEMSELVES and (clause.copular or bool(parts) or not first)
        asked_for = question_word == "Where" and not stranded and _is_where(clause, words)
        left = phrase in out or phrase.kind == "rest" or _is_spare(clause, phrase, question_word)
        if left or asked_for or themselves:
            continue
        if _spoils(clause, phrase, out):
            return None
        words = _closed(words) if phrase.kind == "sub" else words
        count += len(words)
        parts.append(voice.say(words))
    return " ".join(parts) if count <= most else None


def _stands_apart(clause: Clause, phrase: Phrase) -> bool:
    """Whether the phrase is a loose addition: "i moved to ohio , nice place", or a final "lol"."""
    after = clause.low(phrase.start - 1) in {",", "so"} and phrase.kind in {"np", "adj"}
    return after or clause.tags[phrase.start] == "UH"


def _is_spare(clause: Clause, phrase: Phrase, question_word: str) -> bool:
    """Whether the question is better without this phrase, for example "too", "also", "like yours", "when you come"."""
    low = clause.lows(phrase.start, phrase.end)
    first = low[0]
    if low in SPARE or (low in (["from", "now"], ["ago"]) and question_word.startswith("When")):
        return True  # in three months from now
    if phrase.kind == "adv":
        return _is_spare_adverb(clause, first, question_word)
    if phrase.kind == "sub":
        return len(low) > LONG or (first == "if" and bool({"you", "your", "u"} & set(low)))
    before = next((p for p in clause.phrases if p.end == phrase.start), None)
    beside = before is not None and before.kind == "pp" and first in {"my", "our"}  # frozen my favorite movie
    return (phrase.kind == "np" and beside) or (phrase.kind == "pp" and first in {"like", "such"})


def _closed(words: list[Token]) -> list[Token]:
    """Removes words at the end that lead over to the next clause."""
    while len(words) > 1 and words[-1].lower in w.LOOSE_ENDS:
        words = words[:-1]
    return words


def _is_spare_adverb(clause: Clause, first: str, question_word: str) -> bool:
    amount = clause.negation is not None and first in {"much", "enough"}
    here = question_word.startswith("How long") and first == "here"
    state = clause.copular and first in {"still", "here", "currently", "also"} and not here
    return state or (first in w.DROPPED_TAIL and not amount)


def _is_where(clause: Clause, words: Sequence[Token]) -> bool:
    """Whether the question word `where` already replaces the phrase, for example "here", "nearby", "up"."""
    low = [x.lower for x in words]
    near = low in (["here"], ["there"], ["close"], ["nearby"])
    return near or (low[0] in {"up", "down", "over"} and clause.copular)


def _spoils(clause: Clause, phrase: Phrase, out: Sequence[Phrase]) -> bool:
    """Whether the phrase makes every question unnatural, for example "as soon as …", "not …", brackets and quotes."""
    words = clause.words[phrase.start : phrase.end]
    low = [x.lower for x in words]
    if low == ["there"] or low[:2] in (["as", "soon"], ["as", "long"], ["in", "case"]):
        return True
    if phrase.kind == "adj" and _qualifies(clause, phrase, out):
        return True
    lost = phrase.body == phrase.start and clause.low(phrase.start - 1) in {"of", "for", "from", "at"}
    if lost and phrase.kind in {"np", "adj"}:
        return True  # "a fan of …": the preposition is separated from its noun
    denied = phrase.kind != "sub" and bool({"not", "n't"} & set(low))
    return denied or any(x.text in {",", "(", ")", '"', ":", "-"} for x in words)


def _qualifies(clause: Clause, phrase: Phrase, out: Sequence[Phrase]) -> bool:
    """Whether the adjectives belong to a noun phrase before them that the question leaves out, or end the clause."""
    before = next((p for p in reversed(clause.phrases) if p.end <= phrase.start and p.kind != "adv"), None)
    if before is None or before.kind not in {"np", "pp"} or clause.deepest in w.RESULTING:
        return False
    compared = clause.low(phrase.end - 1) in {"more", "most", "better", "best"}
    return not compared and (before in out or phrase.end == clause.end)


def lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def sentence(*parts: str) -> str:
    text = " ".join(p for p in parts if p)
    return text[:1].upper() + text[1:].rstrip(" ,.-") + "?"
