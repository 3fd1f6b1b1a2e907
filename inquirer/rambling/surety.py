"""Whether a question out of a long reply is of the plain sort that hardly ever goes wrong.

A language model's prose is full of figures of speech, half sentences and things said of nobody. A question is sure
where clause and question are both simple: a short clause that was read to its end, whose speaker is asked something
brief that a thing, a place, a name or a number answers.
"""

from __future__ import annotations

import re

from arena.core.types import Question
from inquirer.language.clause import Clause
from inquirer.language.clauses import clauses
from inquirer.language.sentences import Sentence
from inquirer.language.tokens import Token
from inquirer.rambling.forms import is_plain

SENTENCE = 40  # tokens; what runs on for longer was hardly read right
REACH = 15  # tokens from the beginning of the clause to the end of the answer
SUBJECT = 3
HEDGED = re.compile(r"\b(not sure|unsure|doubt|if|whether|imagine|pretend|wish|n't (think|know|believe))\b")
JOINED = {"", ",", "and", "but", "so", "plus", "because"}


def unsure(sentence: Sentence, question: Question) -> bool:
    """Whether the question had better not be asked."""
    clause = _clause(sentence.words, question.entity.start)
    if clause is None or len(sentence.words) > SENTENCE:
        return True
    if HEDGED.search(" ".join(x.lower for x in sentence.words if x.end <= question.entity.start)):
        return True
    reach = sum(clause.words[clause.start].start <= x.start < question.entity.end for x in clause.words)
    if reach > REACH or not _is_simple(clause) or question.entity.start < clause.words[clause.verb].end:
        return True
    behind = next((x.text for x in sentence.words if x.start >= question.entity.end), "")
    return not is_plain(question, clause, behind)


def _clause(words: tuple[Token, ...], place: int) -> Clause | None:
    """The last clause that holds the place."""
    holding = (c for c in clauses(words) if c.words[c.start].start <= place < c.words[c.end - 1].end)
    return max(holding, key=lambda c: c.start, default=None)


def _is_simple(clause: Clause) -> bool:
    """Whether the speaker, or what is his, does something, in words that are all there."""
    subject = [x.lower for x in clause.subject_words]
    implied = any(x.start == x.end for x in clause.words) or (clause.borrowed and clause.joiner != "and")
    first = next(iter(clause.phrases), None)
    unread = first is not None and first.kind == "rest" and clause.words[first.start].text[0].isalnum()
    last = clause.words[clause.chain[1] - 1 if clause.chain[1] > clause.chain[0] else clause.verb]
    named = last.text[:1].isupper() and last is not clause.words[0]  # I am Hugging Face
    owned = subject[0] in {"i", "we", "my", "our"} and len(subject) <= SUBJECT
    return owned and not named and not implied and not unread and clause.joiner in JOINED
