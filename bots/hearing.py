"""Parses a message for the interviewer: statements to quote, refusals, questions, bad news."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bots import machine_talk

KINDS = ("echo", "place", "love", "named", "met", "sad", "no", "yes", "plain", "machine", "thanks")
MOST_WORDS = 6  # maximal words taken from the partner

NAME = r"[A-Z][\w'’-]+"
NAMES = rf"{NAME}(?:,? {NAME}){{0,2}}"
# words after which the partner's quoted words end
AFTER = (
    "and|but|because|which|that|who|whom|when|while|so|since|where|if|though|although|as|to|for|every|each|by|from|"
    "during|until|after|before|than|or|then|too|also|lately|now|right|here|i|we|it|they|he|she"
)
END = rf"(?=$|[.,;:!?()\"]| (?:{AFTER})\b)"
NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
THING = rf"(?:an?|the|my|our|some|many|several|lots of|\d+|{NUMBERS}) [\w'’ -]+?{END}"
HAVE = "have|own|keep|got|play|teach|drive|study|studied|collect|run|make|build|repair|sell|bake|grow"
LIVE = "live|lived|living|grew up|born|raised|based|stay|moved|come|from"
NOT_LIKED = r"(?!(?:to|it|that|this|how|when|you|her|his|their|those|these|the way|anything|everything)\b)"
TURNED = re.compile(
    r",? ((?:and you|and yours|and what about you|what about you|how about you)\?)", re.IGNORECASE
)
SENTENCE = re.compile(r"[^.!?]+[.!?]*")
SAD = re.compile(
    r"\b(?:died|dead|passed away|killed|funeral|cancer|divorced?|widow(?:er|ed)?|sick|depress\w*|lonely|homeless|"
    r"lost my|crash|suffer\w*|shot at|refugee|hurts?|in pain|autism|blind since)\b",
    re.IGNORECASE,
)
NO = re.compile(
    r"^\W*(?:no\b|nope|not really|never\b|none\b|i don't|i do not|i have no\b|i haven't|nothing)",
    re.IGNORECASE,
)
YES = re.compile(r"^\W*(?:yes|yeah|yep|sure|of course|certainly|absolutely)\b", re.IGNORECASE)
THANKS = re.compile(r"^\W*(?:thank you|thanks)\b", re.IGNORECASE)
EXCLAIMED = re.compile(
    r"\W*(?:oh|wow|ah)?\W*(?:really|right|you know|huh|yeah|no|what|isn't it)?\W*", re.IGNORECASE
)
BACK = re.compile(r"\b(?:what|how) about you\b|\band you\b|\byourself\?|\bare yours\b", re.IGNORECASE)
PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, flags))
    for kind, pattern, flags in (
        (
            "met",
            rf"(?:[Mm]y name(?: is|'s)|[Cc]all me|I(?:'m| am)(?: called)?) ({NAME}(?: {NAME})?)(?=$|[.,;!])",
            0,
        ),
        ("named", rf"\b(?:called|named|name is) ({NAME})\b", 0),
        ("place", rf"\b(?:{LIVE})\b[\w ]{{0,20}}?(?:in|from|to|near|at) ({NAMES})", 0),
        (
            "love",
            rf"\bI (?:really |also |just )?(?:love|like|enjoy|prefer) ({NOT_LIKED}[\w'’ -]+?{END})",
            re.I,
        ),
        ("love", rf"\bmy favou?rite [\w ]+? (?:is|are) (?:probably )?([\w'’ -]+?{END})", re.I),
        ("echo", rf"\bI(?:'m| am|'ve been| was|'m currently| work as) (an? [\w'’ -]+?{END})", re.I),
        ("echo", rf"\b(?:I|we)(?:'ve| also| still)? (?:{HAVE}) ({THING})", re.I),
    )
)
FUNCTION = frozenset(
    "a an the my our your of in on at with some many several very really so for and or is are was were".split()  # noqa: SIM905
)
UNFIT = frozenset("i you your not don't way thing lot bit kid child own getting being having".split())  # noqa: SIM905
UNFIT |= frozenset("it this that these those them him her everything something anything".split())  # noqa: SIM905
SWAPPED = {"my": "your", "our": "your", "me": "you", "us": "you", "mine": "yours", "myself": "yourself"}


@dataclass(frozen=True, slots=True)
class Heard:
    """The interviewer's analysis of a message."""

    statement: str
    question: str
    name_was_asked: bool

    @property
    def asks(self) -> bool:
        return bool(self.question)

    @property
    def asks_back(self) -> bool:
        """Whether the message only returns the interviewer's own question to the interviewer."""
        return BACK.search(self.question) is not None

    @property
    def machine(self) -> bool:
        return machine_talk.sounds(f"{self.statement} {self.question}")

    @property
    def empty(self) -> bool:
        """Whether the message states nothing."""
        return not re.search(r"\w", self.statement) or self.machine

    @property
    def refuses(self) -> bool:
        """Whether the statement begins with a refusal, for example "no" or "never"."""
        return NO.search(self.statement) is not None

    def reaction(self) -> tuple[str, str]:
        """Returns the kind of reaction that fits, and the partner's words for that reaction."""
        statement = self.statement
        if self.machine:
            return "machine", ""
        if SAD.search(statement):
            return "sad", ""
        if self.refuses:
            return "no", ""
        for kind, pattern in PATTERNS:
            match = pattern.search(statement)
            if match and (kind != "met" or self.name_was_asked or "name" in match.group(0)):
                words = taken(match.group(1))
                if words:
                    return kind, words
        if self.name_was_asked and re.fullmatch(rf"\W*{NAME}(?: {NAME})?\W*", statement):
            return "met", statement.strip(" .!")
        if YES.search(statement):
            return "yes", ""
        return ("thanks" if THANKS.search(statement) and len(statement.split()) < 6 else "plain"), ""


def hear(message: str, name_was_asked: bool = False) -> Heard:
    """Splits a message into statements and questions."""
    statements: list[str] = []
    questions: list[str] = []
    for sentence in SENTENCE.findall(TURNED.sub(r". \1", message.replace("\n", " "))):
        asks = sentence.rstrip().endswith("?") and not EXCLAIMED.fullmatch(sentence)
        (questions if asks else statements).append(sentence.strip())
    return Heard(" ".join(statements).strip(), " ".join(questions).strip(), name_was_asked)


def taken(words: str) -> str | None:
    """Returns the partner's words from the interviewer's point of view.

    Returns None if there are too many words or if they mean nothing alone.
    """
    parts = words.replace("’", "'").strip(" '-").split()
    while parts and parts[-1].lower() in FUNCTION:
        parts.pop()
    if not 1 <= len(parts) <= MOST_WORDS or all(part.lower() in FUNCTION for part in parts):
        return None
    if any(part.lower() in UNFIT for part in parts):
        return None
    return " ".join(SWAPPED.get(part.lower(), part) for part in parts)
