"""Rules on short English utterances: numbers, polarity, evasion, content words."""

from __future__ import annotations

import re

_UNITS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
    """.split()  # noqa: SIM905
_TENS = """
    twenty thirty forty fifty sixty seventy eighty ninety
    """.split()  # noqa: SIM905
_VALUES = {word: value for value, word in enumerate(_UNITS)} | {
    word: 10 * (place + 2) for place, word in enumerate(_TENS)
}
_VALUES |= {"a couple of": 2, "couple": 2, "dozen": 12, "once": 1, "twice": 2, "thrice": 3, "both": 2}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_DIGITS = frozenset("0123456789")
_TOKEN = re.compile(r"[0-9]+(?:[.,][0-9]+)*|[^\W\d_]+(?:'[^\W\d_]+)*")

STOP = frozenset(
    """
    a an the and or but so if then than that this these those there here i me my mine myself you your
    yours yourself he him his she her hers it its we us our ours they them their theirs who whom whose
    which what when where why how am is are was were be been being do does did doing done have has had
    having will would shall should can could may might must ought 'm 're 've 's 'd 'll of in on at to
    from by with for about as into over under up down out off just really very quite too also only even
    still yet well oh hey hi hello yes yeah yep yup no nope nah not n't never ok okay sure please thanks
    thank like kind sort lot lots some any much many more most other another such own same get got gets
    go goes going went let lets s t m re ve ll d name called named think guess believe actually
    currently right now today always usually often sometimes all one
    """.split()  # noqa: SIM905
)
# Words of STOP that can be an answer on their own.
_KEPT = frozenset({"one", "all", "never", "always", "often", "sometimes", "usually"})

_NEGATIVE = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|nowhere|hardly|cannot|cant|dont|doesnt|didnt|isnt|"
    r"arent|wasnt|werent|wont|wouldnt|couldnt|havent|hasnt|hadnt|aint)\b|n't\b"
)
_NONE = re.compile(
    r"\b(?:no|zero|none|without any|never had)\b|(?:n't|\bnot)\s+(?:\w+\s+)?(?:have|own|got|any)\b"
)
_YES = re.compile(
    r"(?:yes+|yea+h?|yep|yup|ya|yah|of course|sure|absolutely|definitely|certainly|indeed|correct|right|"
    r"that'?s (?:right|correct|true)|i sure (?:do|am|did|have|can)|you bet|always|affirmative)\b"
)
_NO = re.compile(
    r"(?:no+|nope|nah|not (?:at all|really|yet|anymore|any more|me)|never|none|"
    r"of course not|absolutely not|certainly not|definitely not|negative|i'?m afraid not)\b"
)
_PRONOUN = r"(?:i|we|he|she|it|they|you)"
_VERB = r"(?:do|does|did|am|are|is|was|were|have|has|had|can|could|will|would)"
_SHORT_NO = re.compile(
    rf"{_PRONOUN}(?:'m not|'re not|'s not|'ve not| {_VERB}(?:n't| ?not)|(?: can't| won't|'ll not))\b"
    rf"|{_PRONOUN} (?:dont|doesnt|didnt|havent|cant|wont|wasnt)\b"
)
_SHORT_YES = re.compile(
    rf"{_PRONOUN} {_VERB}(?: indeed| so| too)?"
    r"(?=\s*(?:[.,;!]|$|and\b|but\b))"
)
_EVASIVE = re.compile(
    r"\bi (?:do not|don't|dont|really don't|honestly don't) "
    r"(?:know|remember|recall|want to (?:say|talk|answer|tell)|understand|get (?:it|what you))"
    r"|\bi(?:'m| am) not (?:really |quite |so |too )?sure\b|\bno idea\b|\bnot sure\b|\bhard to say\b"
    r"|\bi (?:can't|cannot|can not) (?:say|tell|remember|recall|answer)\b|\bi forg[oe]t\b"
    r"|\bi(?:'d| would) rather not\b|\bnone of your business\b|\bwhy do you (?:ask|want)\b"
    r"|\bwhat do you (?:mean|think)\b|\blet'?s (?:talk about|change)\b|\b(?:it )?depends\b"
    r"|\bthat(?:'s| is) (?:a (?:good|great|nice|interesting|hard|tough) question|private|personal|a secret)\b"
    r"|\bas an ai\b|\bi (?:have not|haven't) (?:decided|thought about)\b|\bwho knows\b|\bno comment\b"
)
_AUXILIARY = re.compile(
    r"^(?:so |and |but |hey |well )*(?:do|does|did|are|is|am|was|were|have|has|had|can|could|will|would|"
    r"should|shall|may|might|must|don't|doesn't|didn't|aren't|isn't|wasn't|weren't|haven't|hasn't|can't|won't|"
    r"wouldn't)\b"
)
_INTERROGATIVE = re.compile(
    r"^(?:and |but |so |well |hey |,|\s)*(?:who|whom|whose|what|what's|when|where|which|why|how|"
    r"do|does|did|are|is|was|were|can|could|will|would|have|has)\s+(?:\w+\s+)?(?:you|your|u|i|it|that|they|about)\b"
)
_ASKS_BACK = re.compile(
    rf"(?:(?:how|what) about )?(?:you|u|yours|yourself|your \w+)\b[\s?]*$|{_INTERROGATIVE.pattern}"
    r"|(?:who|what|when|where|which|why|how)\b"
)


LONGEST = 8192  # characters: more than any judge's model reads of one text


def readable(text: str) -> str:
    """Return text that tokenizers and databases accept: no lone surrogates, no NUL, and a limited length."""
    return text[:LONGEST].encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def plain(text: str) -> str:
    """Normalise spacing, apostrophes and case."""
    return re.sub(r"\s+", " ", text.replace("’", "'").replace("`", "'")).strip().lower()


def tokens(text: str) -> list[str]:
    """Split a text into words and numbers, in lower case and with numbers as digits."""
    words: list[str] = []
    for token in _TOKEN.findall(plain(text).replace("-", " ")):
        words += [token.replace(",", "")] if token[0] in _DIGITS else [token]
    return _digits(words)


def numbers(text: str) -> list[float]:
    """All numbers of a text, in digits or words; `no` before a noun is not a number."""
    return [float(word) for word in tokens(text) if _number(word)]


def content(text: str) -> list[str]:
    """Return the stems of the content words, so that plural and tense do not matter."""
    return [stem(word) for word in tokens(text) if word not in STOP or word in _KEPT]


def stem(word: str) -> str:
    """A rough stem that matches, for example, `dogs` with `dog` and `working` with `work`."""
    word = word.removesuffix("'s").removesuffix("'")
    for ending, least, instead in (
        ("ies", 5, "y"),
        ("sses", 6, "ss"),
        ("ing", 6, ""),
        ("ed", 5, ""),
        ("s", 4, ""),
    ):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            cut = word[: -len(ending)] + instead
            return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "lsz" else cut
    return word


def negative(text: str) -> bool:
    return _NEGATIVE.search(plain(text)) is not None


def denies_any(answer: str) -> bool:
    """Whether the first sentence says that there is none: for example, `I have no kids` or `I do not have any`."""
    return _NONE.search(plain(next(iter(sentences(answer)), ""))) is not None


def asks_yes_no(question: str) -> bool:
    return _AUXILIARY.match(plain(question)) is not None and " or " not in plain(question)


def polarity(answer: str) -> bool | None:
    """Return True for an answer that begins with yes, False for no, else None."""
    polarity_of_answer, _ = _split(answer)
    return polarity_of_answer


def after_polarity(answer: str) -> str:
    """The rest of an answer after yes or no and its short form; in `No, I am not.`, nothing is left."""
    polarity_of_answer, rest = _split(answer)
    again, more = _split(rest)
    return more if again is polarity_of_answer else rest


def _split(answer: str) -> tuple[bool | None, str]:
    text = plain(answer).lstrip("\"'(,.!- ")
    text = re.sub(r"^(?:well|oh|um+|uh+|hm+|haha|lol|ah|so|honestly|actually|sorry)\b[,.! ]*", "", text)
    for pattern, value in ((_NO, False), (_YES, True), (_SHORT_NO, False), (_SHORT_YES, True)):
        if match := pattern.match(text):
            return value, text[match.end() :].lstrip(" ,.;:!-")
    return None, text


def evasive(answer: str) -> bool:
    """Whether the answer avoids the question: the speaker does not know, refuses, or only asks a question back."""
    text = plain(answer)
    return _EVASIVE.search(text) is not None or (bool(text) and not plain(without_questions(answer)))


def without_questions(answer: str) -> str:
    """The answer without the questions that it contains."""
    return " ".join(statement for part in sentences(answer) if (statement := _told(part)))


def sentences(text: str) -> list[str]:
    return [
        part.strip() for part in re.findall(r"[^.!?;]*(?:[.!?;]+(?=\s|$)|[.!?;]|$)", text) if part.strip()
    ]


def _told(sentence: str) -> str:
    """Return the part of a sentence before a question begins."""
    if _INTERROGATIVE.match(plain(sentence)):
        return ""
    if not sentence.endswith("?"):
        return sentence
    clauses = re.split(r"(?:,| - |\band\b|\bbut\b|\bso\b)", sentence)
    for length in range(1, len(clauses)):
        if _ASKS_BACK.match(plain(clauses[-length])):
            beginning = sentence[: sentence.rfind(clauses[-length])].rstrip(" ,-")
            return beginning.removesuffix(" and").removesuffix(" but").removesuffix(" so").rstrip(" ,-")
    return "" if _ASKS_BACK.match(plain(sentence)) else sentence


def _number(word: str) -> bool:
    return word[0] in _DIGITS and word.count(".") < 2


def _digits(words: list[str]) -> list[str]:
    """Replace number words by digits.

    `twenty one` becomes 21 and `two hundred and five` becomes 205, but `two three` stays two numbers.
    """
    result: list[str] = []
    index = 0
    while index < len(words):
        value, used = _spelt(words, index)
        result.append(str(value) if used else words[index])
        index += max(used, 1)
    return result


def _spelt(words: list[str], start: int) -> tuple[int, int]:
    """The number that begins at `start`, and the count of its words; (0, 0) if no number begins there."""
    total = group = 0
    index, room = start, 0  # room: what the group may still take (100 after hundred, 10 after twenty)
    while index < len(words):
        word = words[index]
        joined = word == "and" and index > start and words[index - 1] in _SCALES
        if joined and index + 1 < len(words) and words[index + 1] in _VALUES:
            index += 1
            continue
        if word in _SCALES and (index > start or words[start - 1 : start] == ["a"]):
            group, scale = group or 1, _SCALES[word]
            if scale == 100:
                group, room = group * 100, 100
            else:
                total, group, room = total + group * scale, 0, 1000
        elif word in _VALUES and (index == start or _VALUES[word] < room):
            group += _VALUES[word]
            room = 10 if word in _TENS else 0
        else:
            break
        index += 1
    return total + group, index - start
