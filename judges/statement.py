"""Rewrites a question and its answer as a statement.

For example, `How many kids do you have?` `Three.` becomes `I have Three kids.` Models that were trained on statements
read a bare `Three.` badly. If no rule applies, question and answer are kept.
"""

from __future__ import annotations

import re

from inquirer.person import swap
from judges import words
from judges.wording import hypothesis

_AUX = r"do|does|did|are|is|am|was|were|have|has|had|can|could|will|would|should"
_SUBJECT = (
    r"you|u|he|she|it|they|we|i|(?:your|the|his|her|their)(?: (?:best|favou?rite|new|old|first|last))? \w+"
)
_OPEN = re.compile(
    rf"(?P<wh>who|whom|what|which|where|when|how|(?:what|which|whose|how) [\w' ]+?) "
    rf"(?P<aux>{_AUX}) (?P<subject>{_SUBJECT})(?: (?P<rest>.+))?"
)
_CLOSED = re.compile(rf"(?:so |and |but )?(?P<aux>{_AUX}) (?P<subject>{_SUBJECT})(?: (?P<rest>.+))?")
_CLAUSE = re.compile(
    r"(?:well|oh|yes|yeah|no|nope|actually|so|sure)?[, ]*"
    r"(?:(?:i|we|you|he|she|it|they|there|that|this)(?:'\w+)? \w+|(?:i|he|she|it|they|we)'\w+ \w+"
    r"|(?:my|our|his|her|their|the) (?:\w+ ){1,3}?(?:is|are|was|were|has|have|\w+s)\b)"
)
_PREPOSITION = re.compile(
    r"(?:in|at|on|from|near|for|with|to|by|as|about|around|since|during|after|before|next|last)\b"
)
_SAID_FIRST = re.compile(
    r"(?:yes+|yea+h?|yep|yup|no+|nope|nah|of course(?: not)?|sure|not really|never)\b[\s,.!;:-]*", re.I
)


def statement(question: str, answer: str) -> str:
    """Return the answer as one or more sentences in the first person of its speaker."""
    asked = words.plain(question).rstrip("?.! ")
    reply = words.without_questions(answer).strip() or answer.strip()
    if match := _CLOSED.fullmatch(asked):
        closed = _closed(match, reply)
    elif _CLAUSE.match(words.plain(reply)):
        closed = reply
    else:
        match = _OPEN.fullmatch(asked)
        closed = _open(match, reply.rstrip(".! ")) if match else None
    return closed or hypothesis(question, answer)


def _closed(match: re.Match[str], reply: str) -> str | None:
    polarity = words.polarity(reply)
    if polarity is None:
        return reply if _CLAUSE.match(words.plain(reply)) else None
    subject, aux, rest = _subject(match), _agreeing(match), swap(match["rest"] or "").strip()
    plain = "" if aux in ("do", "does") else aux
    verb = plain if polarity else f"{aux} not"
    more = _SAID_FIRST.sub("", reply, count=1).strip()
    if re.fullmatch(r"\w+ ?(?:\w+(?:n't| not)?|'\w+ not)[.!]*", more):  # `I do`, `I am not`: already said
        more = ""
    return _sentence(subject, verb, rest) + (f" {more}" if more else "")


def _open(match: re.Match[str], reply: str) -> str | None:
    subject, aux, rest = _subject(match), _agreeing(match), swap(match["rest"] or "").strip()
    wh = match["wh"]
    if wh == "how":
        return None
    if wh == "what" and rest in ("do", "do for a living", "do for work"):
        return _sentence(subject, "work as" if aux == "do" else "works as", reply)
    verb = "" if aux in ("do", "does") else aux
    if wh == "how old" and re.fullmatch(r"[\w-]+", reply):
        reply += " years old"
    if wh.startswith(("how many ", "how much ")):
        counted = wh.split(maxsplit=2)[2]
        if words.stem(counted.split()[-1]) not in words.content(reply):
            reply = f"{reply} {counted}"
    elif wh == "where" and not _PREPOSITION.match(reply.lower()) and not rest.endswith(("from", "to")):
        reply = f"in {reply}"
    if rest and words.plain(reply).startswith(last := f"{rest.split()[-1]} "):
        reply = reply[len(last) :]  # `Where are you from?` `From Oslo.`
    return _sentence(subject, verb, rest, reply)


def _subject(match: re.Match[str]) -> str:
    subject = match["subject"]
    return "I" if subject in ("you", "u") else "you" if subject == "i" else swap(subject)


def _agreeing(match: re.Match[str]) -> str:
    if match["subject"] in ("you", "u"):
        return {"are": "am", "were": "was"}.get(match["aux"], match["aux"])
    return match["aux"]


def _sentence(*parts: str) -> str:
    text = " ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}."
