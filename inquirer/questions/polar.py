"""Yes/no-questions, true of the utterance or false by one exchanged word."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from inquirer.language.clause import Clause
from inquirer.language.phrases import trimmed
from inquirer.language.words import COLORS, DAYS, MONTHS, SEASONS
from inquirer.questions.frame import helper, sentence, tail
from inquirer.questions.lists import UNASKABLE_SUBJECTS, VAGUE
from inquirer.questions.voice import Voice

WHEN = MONTHS | DAYS | SEASONS
NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
SETS: tuple[tuple[str, ...], ...] = (
    ("red", "blue", "green", "yellow", "purple", "orange", "black", "white", "brown", "pink"),
    ("chicago", "boston", "seattle", "london", "paris", "tokyo", "miami", "denver", "toronto", "berlin"),
    ("texas", "florida", "california", "ohio", "michigan", "oregon", "georgia", "virginia", "nevada",
    "alaska"),
    ("canada", "france", "germany", "italy", "spain", "mexico", "japan", "china", "india", "brazil"),
    ("teacher", "doctor", "nurse", "lawyer", "engineer", "mechanic", "chef", "farmer", "pilot", "librarian", "student",
     "waitress", "accountant", "artist"),
    ("dog", "cat", "horse", "bird", "hamster", "rabbit", "snake", "turtle"),
    ("dogs", "cats", "horses", "birds", "rabbits", "snakes", "turtles"),
    ("brother", "sister"), ("brothers", "sisters"), ("mom", "dad"), ("mother", "father"), ("son",
    "daughter"), ("sons", "daughters"),
    ("wife", "husband"), ("pizza", "sushi", "pasta", "steak", "tacos", "salad", "soup"), ("coffee", "tea",
    "beer", "wine", "milk"),
    ("rock", "country", "jazz", "pop", "rap", "metal", "folk"),
    ("soccer", "football", "basketball", "baseball", "tennis", "golf", "hockey", "volleyball"),
    ("guitar", "piano", "drums", "violin", "flute", "trumpet"),
    ("january", "march", "april", "june", "july", "august", "september", "october", "november"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), ("spring", "summer",
    "fall", "winter"),
    ("english", "spanish", "french", "german", "italian", "chinese", "japanese"), ("single", "married"),
    ("morning", "evening"), ("hiking", "fishing", "cooking", "painting", "reading", "dancing", "gardening"),
    ("tall", "short"), ("big", "small"), ("old", "young"), ("cars", "trucks"), ("movies", "books",
    "video games"),
    ("car", "truck"), ("city", "village"), ("hospital", "school", "bank", "restaurant", "library"),
    ("beach", "mountains"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Polar:
    """`true` says whether the utterance's answer is yes."""

    start: int
    end: int
    text: str
    true: bool
    score: float
    clause: Clause


def questions(clause: Clause, voice: Voice) -> Iterator[Polar]:
    """One question the utterance answers with yes (or, being a negation, with no), and one it denies."""
    subject = [x.lower for x in clause.subject_words]
    if (
        not subject
        or subject[-1] in UNASKABLE_SUBJECTS
        or subject[0] in UNASKABLE_SUBJECTS
        or "you" in subject
        or "your" in subject
    ):
        return
    if clause.joiner in {"if", "when", "whenever", "while", "unless", "because"} or (
        not clause.phrases and clause.chain[1] <= clause.chain[0]
    ):
        return
    words = [x.lower for p in clause.phrases for x in clause.words[p.start : p.end] if p.kind != "rest"]
    if set(words) & (VAGUE | {"you", "your", "lot", "bit"}):
        return
    chained = clause.chain[1] > clause.chain[0]  # i like to paint
    if not words and not chained:
        return
    behind = tail(clause, [], voice)
    if behind is None or not (behind or chained):
        return
    first, verb = helper(clause, voice)
    place = _place(clause)
    said = voice.subject(clause)
    text = sentence(first, said, verb, behind)
    if clause.negation is not None:
        yield Polar(*place, sentence(first, said, verb, _positive(behind)), False, 0.7, clause)
        return
    yield Polar(*place, text, True, 0.8, clause)
    exchanged = _exchanged(clause, behind)
    if exchanged:
        yield Polar(*exchanged[:2], sentence(first, said, verb, exchanged[2]), False, 0.8, clause)


def _positive(text: str) -> str:
    return " ".join("some" if x == "no" else x for x in text.split() if x not in {"either"})


def _place(clause: Clause) -> tuple[int, int]:
    for phrase in clause.phrases:
        if phrase.kind in {"np", "pp", "adj", "ing"} and clause.tags[phrase.body] != "PRP":
            return trimmed(clause.words, phrase.body, phrase.end), phrase.end
    start, end = clause.chain
    if end > start:
        return start + (clause.words[start].lower == "to"), end
    return clause.verb, clause.verb + 1


# who plays the piano may play the guitar as well: only a count or a colour of such things can be false
SHARED = {
    "like", "love", "enjoy", "hate", "prefer", "dislike", "adore", "play", "eat", "drink", "watch", "read",
    "listen", "collect",
    "want", "need", "speak", "ride", "own", "have", "cook", "bake", "make", "grow", "visit", "see", "teach",
    "study", "learn", "sell",
    "buy", "use", "know", "wear", "try", "get", "write", "help", "do", "go", "travel", "meet",
}  # fmt: skip
COUNTED = {"have", "own", "get", "buy", "sell"}


def _exchanged(clause: Clause, behind: str) -> tuple[int, int, str] | None:
    """(start, end, the words behind the verb with one of them replaced)."""
    shared = clause.deepest in SHARED or clause.lemma in SHARED
    for phrase in clause.phrases:
        if phrase.kind == "rest" or clause.words[phrase.start].lower == "for":
            continue
        for i in range(phrase.body, phrase.end):
            low = clause.words[i].lower
            count = (clause.deepest in COUNTED and clause.tags[i] == "CD") or (
                low in COLORS and clause.lemma == "have"
            )
            dated = phrase.kind == "pp" and clause.tags[clause.verb] == "VBD" and low in WHEN
            if shared and not count and not dated:
                continue
            other = _other(low)
            pieces = behind.split(" ")
            at = [k for k, piece in enumerate(pieces) if piece.lower() == low]
            if other and len(at) == 1:
                pieces[at[0]] = other.capitalize() if pieces[at[0]][:1].isupper() else other
                if at[0] and pieces[at[0] - 1] in {"a", "an"}:
                    pieces[at[0] - 1] = "an" if other[0] in "aeio" else "a"
                return i, i + 1, " ".join(pieces)
    return None


def _other(word: str) -> str | None:
    """Another of the same set, always the same one for the same word."""
    spin = int(hashlib.sha256(word.encode("utf-8", "surrogatepass")).hexdigest()[:6], 16)
    if word in NUMBERS:
        return NUMBERS[(NUMBERS.index(word) + 1 + spin % (len(NUMBERS) - 1)) % len(NUMBERS)]
    if word.isascii() and word.isdigit() and 1 < int(word[:9]) < 3000:
        value = int(word)
        return str(value + (5 if value > 12 else 2))
    for group in SETS:
        if word in group:
            return group[(group.index(word) + 1 + spin % (len(group) - 1)) % len(group)]
    return None
