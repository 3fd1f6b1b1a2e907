"""Whether a question out of a long reply is of the plain sort that hardly ever goes wrong.

A language model's prose is full of figures of speech, half sentences and things said of nobody. A question is sure
where clause and question are both simple: a short clause that was read to its end, whose speaker is asked something
brief that a thing, a place, a name or a number answers.
"""

from __future__ import annotations

import re
from functools import lru_cache

from arena.types import Kind, Question
from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.clauses import clauses
from inquirer.language.sentences import Sentence
from inquirer.language.tokens import Token, tokens
from inquirer.questions.copula import IDENTIFYING

SENTENCE = 40  # tokens; what runs on for longer was hardly read right
REACH = 15  # tokens from the beginning of the clause to the end of the answer
TAIL = 3  # words that a question keeps behind the verb
WHOLE_TAIL = 6  # the same of a yes/no-question, which names the answer
ASKED = 9  # words of a question
ANSWER = 7  # words of an answer
DEED = 9  # words of an answer that is something done
SUBJECT = 3
COULD = "could you tell me "
STOCK = re.compile(
    r"what (is )?(are )?your( \w+)?( \w+'s)? names?( is| are)?|how old (are|is|were)? ?you(r \w+)?( are| is| were)?"
    r"|what (do |does |did )?you(r \w+)?( used? to)? (do|does|did) for a living|how (are you feeling|you are feeling)"
    r"|what (is )?your gender( is)?"
)
HEDGED = re.compile(r"\b(not sure|unsure|doubt|if|whether|imagine|pretend|wish|n't (think|know|believe))\b")
DESCRIBED = re.compile(r"how (would you|you would) describe yourself")
YES_NO = {Kind.YES_NO_TRUE, Kind.YES_NO_FALSE}
POINTING = {
    "anything", "each", "else", "everything", "far", "her", "here", "herself", "him", "himself", "it", "itself",
    "me", "mine", "one", "ones", "other", "others", "something", "such", "that", "them", "themselves",
    "there", "these", "thing", "things", "this", "those", "too", "us", "way", "yours", "yourself",
}  # fmt: skip
# what, without a noun behind it
BARE = {"you", "your", "are", "did", "do", "does", "has", "have", "is", "was", "were"}
DEFINITE = {"that", "the", "these", "this", "those"}
# verbs that language models say without meaning anything by them
HOLLOW = {
    "accept", "add", "agree", "allow", "apologize", "appreciate", "ask", "assure", "become", "believe", "bless",
    "bring", "carry", "catch", "check", "come", "consider", "continue", "cover", "create", "deal", "deserve",
    "discuss", "do", "embrace", "encourage", "ensure", "envision", "experience", "explore", "express",
    "face", "feel", "fill", "find", "focus", "forget", "get", "give", "guarantee", "handle", "hear", "hold",
    "hope", "imagine", "include", "inspire", "introduce", "involve", "keep", "know", "lack", "lead",
    "leave", "let", "mean", "meet", "offer", "present", "provide", "put", "reach", "receive", "recommend",
    "remember", "remind", "represent", "respect", "rest", "ring", "say", "see", "seem", "send", "serve",
    "share", "show", "smile", "start", "suggest", "support", "tell", "thank", "think", "touch", "treat",
    "turn", "understand", "value", "wait", "welcome", "wish", "wonder",
}  # fmt: skip
LIGHT = {"do", "get", "give", "have", "make", "take"}
PLACED = {
    "be", "camp", "come", "drive", "eat", "fly", "go", "grow", "head", "hike", "live", "move", "perform",
    "play", "relocate", "run", "settle", "shop", "sit", "sleep", "stay", "study", "swim", "teach", "train",
    "travel", "volunteer", "walk", "work",
}  # fmt: skip
SURMISED = {"ca", "can", "could", "'d", "may", "might", "must", "shall", "should", "would"}
PLANNED = {"'ll", "will", "wo"}
WANTING = {"enjoy", "hate", "like", "love", "prefer"}
JOINED = {"", ",", "and", "but", "so", "plus", "because"}
COUNTED = {"kind", "many"}
UNKIND = {"certain", "different", "multiple", "other", "own", "special", "unique", "various"}
TITLES = {"dr", "madam", "miss", "mr", "mrs", "ms", "sir"}
PERSONAL = w.PEOPLE | w.PERSON_NOUNS | w.CHARACTERS | {"soul", "human"}
ABSTRACT = {
    "abilities", "ability", "advice", "attention", "balance", "beauty", "capacity", "connection",
    "difference", "energy", "essence", "feeling", "feelings", "future", "harmony", "heart", "help", "hope",
    "impact", "journey", "joy", "life", "lives", "love", "magic", "moment", "opportunities", "opportunity",
    "peace", "possibilities", "possibility", "potential", "power", "privilege", "purpose", "sense", "soul",
    "spirit", "success", "support", "talent", "truth", "world",
}  # fmt: skip


def unsure(sentence: Sentence, question: Question) -> bool:
    """Whether the question had better not be asked."""
    clause = _clause(sentence.words, question.entity.start)
    if clause is None or len(sentence.words) > SENTENCE:
        return True
    if HEDGED.search(" ".join(x.lower for x in sentence.words if x.end <= question.entity.start)):
        return True
    reach = sum(clause.words[clause.start].start <= x.start < question.entity.end for x in clause.words)
    text = question.text.lower().rstrip("?").removeprefix(COULD)
    if reach > REACH or not _plain(clause) or not _answers(question, clause, text):
        return True
    if STOCK.fullmatch(text):
        return _named(clause, text) and not _name(question.entity.text)
    if DESCRIBED.fullmatch(text):
        return question.entity.text.split()[-1].lower() not in PERSONAL
    return not _brief(question, clause, text)


def _named(clause: Clause, text: str) -> bool:
    """Whether the name was told without the word: i am ben."""
    return " name" in text and clause.subject_words[-1].lower not in {"name", "names"}


def _name(said: str) -> bool:
    return said[:1].isupper() or said.split()[0] in w.NAMES


@lru_cache(maxsize=1024)
def _clauses(words: tuple[Token, ...]) -> tuple[Clause, ...]:
    return tuple(clauses(words))


def _clause(words: tuple[Token, ...], place: int) -> Clause | None:
    """The last clause that holds the place."""
    holding = (c for c in _clauses(words) if c.words[c.start].start <= place < c.words[c.end - 1].end)
    return max(holding, key=lambda c: c.start, default=None)


def _plain(clause: Clause) -> bool:
    """Whether the speaker, or what is his, does something, in words that are all there."""
    subject = [x.lower for x in clause.subject_words]
    implied = any(x.start == x.end for x in clause.words) or (clause.borrowed and clause.joiner != "and")
    unread = bool(clause.phrases) and clause.phrases[0].kind == "rest"
    owned = subject[0] in {"i", "we", "my", "our"} and len(subject) <= SUBJECT
    return owned and not implied and not unread and clause.joiner in JOINED


def _answers(question: Question, clause: Clause, text: str) -> bool:
    """Whether the answer is something of its own, behind the verb."""
    said = [t.lower for t in tokens(question.entity.text)]
    if not said or set(said) & (POINTING | {"you", "your", "yours"}):
        return False
    if question.entity.start < clause.words[clause.verb].end:
        return False
    if text.endswith((" do", " doing")) or said[0].endswith("ing"):
        return len(said) <= DEED
    if len(said) > ANSWER or said[-1] in w.PREPOSITIONS | TITLES | w.EMPTY_HEADS | ABSTRACT:
        return False
    if not text.startswith("what ") or STOCK.fullmatch(text) or "favorite" in text:
        return said[0] not in w.EMPTY_HEADS
    if text.startswith("what kind") and said[0] in UNKIND:
        return False
    after = next((x.lower for x in clause.words if x.start >= question.entity.end), "")
    if after in {"like", "such"}:  # a book like that
        return False
    before = next((x.lower for x in reversed(clause.words) if x.end <= question.entity.start), "")
    known = (
        before in DEFINITE
        and text.split()[1] in BARE
        and question.kind not in YES_NO
        and "of" not in said
        and said[-1] not in w.INSTRUMENTS
    )
    person = said[-1] in PERSONAL and not text.endswith("like")
    return not known and not person and said[0] not in w.EMPTY_HEADS


def _brief(question: Question, clause: Clause, text: str) -> bool:
    """Whether the question is short and its verb means something."""
    asked = [t.lower for t in tokens(text)]
    if set(asked) & POINTING or "a lot" in text or len(asked) > ASKED or asked[0] == "why":
        return False
    own = [x.lower for x in clause.subject_words] in (["i"], ["we"])
    if clause.copular and clause.chain[1] <= clause.chain[0]:
        return _states(clause, asked, own)
    last = clause.words[clause.chain[1] - 1 if clause.chain[1] > clause.chain[0] else clause.verb]
    if last.text[:1].isupper() and last is not clause.words[0]:
        return False  # a name
    if not _asks_of(clause, asked):
        return False
    tail = _tail(asked, last.lower, clause.deepest)
    stranded = len(tail) == 1 and tail[0] in w.PREPOSITIONS and clause.chain[1] <= clause.chain[0]
    liked = clause.lemma in WANTING
    met = clause.deepest == "meet" and asked[0] == "who"
    if clause.deepest in HOLLOW and not stranded and not liked and not met and asked[1] != "kind":
        return False
    if question.kind in YES_NO:
        return len(tail) <= WHOLE_TAIL
    if clause.deepest in LIGHT and not stranded and (asked[1] in BARE or (tail and asked[1] not in COUNTED)):
        return False
    hung = len(tail) > 1 and tail[-1] in w.PREPOSITIONS  # what do you light up with?
    return len(tail) <= TAIL and not hung


def _states(clause: Clause, asked: list[str], own: bool) -> bool:
    """Of `to be`: where I am, what I am good at, what my hobby is, what my boss is like."""
    if asked[0] == "where":
        return own and asked[-1] in {"from", "now", "today", "currently", "are", "you", "were"}
    about = clause.subject_words[-1].lower
    return own or asked[-1] == "like" or "favorite" in asked or about in IDENTIFYING


def _asks_of(clause: Clause, asked: list[str]) -> bool:
    """Whether the question word goes with the verb: facts, and places of what happens in places."""
    helpers = {clause.words[i].lower for i in clause.auxiliaries}
    if helpers & SURMISED:
        return False
    if asked[0] == "where":
        return clause.deepest in PLACED and (clause.deepest != "grow" or "up" in asked)
    if asked[0] == "when":
        return clause.deepest not in LIGHT
    return not helpers & PLANNED and (asked[-1] != "have" or len(asked) > 4)


def _tail(asked: list[str], form: str, verb: str) -> list[str]:
    """The words of the question behind its verb."""
    forms = {form, verb, "do", "doing", "have" if verb == "get" else verb}
    place = max((i for i, word in enumerate(asked) if word in forms), default=0)
    return asked[place + 1 :]
