"""Splits an utterance into sentences and decides which sentences are statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from inquirer.language import words as w
from inquirer.language.tokens import LONGEST_WORD, Token, is_emoticon, tokens

WITHIN = ",'’\"“”:-–—$%&/()#*’‘`"  # all other signs end a sentence
RETURNED = (["you"], ["u"], ["yours"], ["yourself"], ["you", "guys"], ["you", "all"])  # and you?
QUOTES = {'"', "“", "”"}
STATED = 3  # tokens before a question that state something


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens between two stops. `mark` is the closing stop."""

    words: tuple[Token, ...]
    mark: str

    @property
    def start(self) -> int:
        return self.words[0].start

    @property
    def end(self) -> int:
        return self.words[-1].end


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[Sentence, ...]:
    result: list[Sentence] = []
    words: list[Token] = []
    for token in tokens(text):
        if token.text in QUOTES:
            continue  # i love "the office"
        if token.text.startswith("..") and text[token.end : token.end + 1].isalnum():
            continue  # you're always...talking
        shortened = token.text == "." and words and words[-1].lower in w.SHORTENED
        if shortened and text[token.end :].lstrip()[:1].isalpha():
            continue  # st . louis
        symbol = len(token.text) == 1 and not token.text.isalnum() and token.text not in WITHIN
        if symbol or token.text.startswith("..") or is_emoticon(token.text):
            result.extend(_parted(words, token.text))
            words = []
        else:
            words.append(token)
    result.extend(_parted(words, ""))
    return tuple(result)


def _parted(words: list[Token], mark: str) -> Iterator[Sentence]:
    """Splits a sentence that ends with a question: "i live in texas and you" is a statement and a question."""
    at = _turned(words, mark)
    stated = at or len(words)
    while at and stated and words[stated - 1].lower in {"and", "but", ",", "so", "-"}:
        stated -= 1
    if stated:
        yield Sentence(tuple(words[:stated]), "," if at else mark)
    if at:
        yield Sentence(tuple(words[at:]), "?")


def _turned(words: list[Token], mark: str) -> int:
    """Returns where the speaker, after a statement, turns to the partner with a question, or 0 if nowhere."""
    low = [x.lower for x in words]
    spoken = next((k for k, x in enumerate(low) if x in w.SPEAKER_SUBJECTS), len(low))
    for i in range(max(STATED, spoken + 1), len(low)):
        if low[i - 1] in {"know", "wonder", "ask", "if", "than", "like", "as"}:
            continue
        rest = low[i:]
        if rest in RETURNED and low[i - 1] in {"and", ",", "&"}:
            return i
        if rest[:2] in (["how", "about"], ["what", "about"]) and len(rest) > 2 and rest[2] in w.ADDRESSED:
            return i
        if len(rest) == 2 and rest[0] in w.TURNING and rest[1] in {"you", "u"}:
            return i - (low[i - 1] in w.QUESTION_WORDS)  # i love to work out do you
        if mark == "?" and _asks_back(rest):
            return i
    return 0


def _asks_back(low: Sequence[str]) -> bool:
    """Whether the words begin a question to the partner: "do you …", "what is yours", "how old are you"."""
    start = (
        next((k for k, x in enumerate(low[:3]) if x in w.TURNING), None) if low[0] in w.QUESTION_WORDS else 0
    )
    if start is None or low[start] not in w.TURNING or len(low) < start + 2:
        return False
    return low[start + 1] in w.ADDRESSED and (start > 0 or low[0] not in {"is", "was", "'s"})


def asks(sentence: Sentence) -> bool:
    """Whether the sentence is a question. Chatbots often leave out the question mark."""
    if sentence.mark == "?":
        return True
    low = [w.lower for w in sentence.words]
    while low and low[0] in w.GREETINGS:
        low = low[1:]
    if len(low) > 1 and low[0] in w.QUESTION_WORDS:
        return low[0] not in {"when", "how", "what"} or low[1] in w.ASKING | {"'s", "'re", "about"}
    return len(low) > 2 and low[0] in w.ASKING and low[1] in w.ASKED_SUBJECTS | {"n't"}


@lru_cache(maxsize=4096)
def statements(text: str) -> tuple[Sentence, ...]:
    """Returns the sentences that state something. They are not questions and have at least two real words."""
    result = []
    for sentence in sentences(text):
        words = [token.text for token in sentence.words if token.text[0].isalnum()]
        real = any(word.isascii() and word[0].isalpha() for word in words)
        if real and max(map(len, words)) <= LONGEST_WORD and not asks(sentence):
            result.append(sentence)
    return tuple(result)
