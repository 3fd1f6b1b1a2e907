"""Splits text into words with their positions. A contraction is two tokens, as in the Penn treebank."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from inquirer.language import words as w

LONGEST_TEXT = 2_000  # characters read of one utterance: more says nothing a question needs
LONGEST_WORD = 40

EMOTICON = r"(?<!\w)(?:[:;=][-^']?[)(DPpOo3/\\|\]\[*]+|[xX]D+)(?!\w)|<3"
WORD = re.compile(
    rf"{EMOTICON}|"
    r"\d{1,3}(?: , \d{3})+(?!\d)"
    r"|\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s|am|pm|k|%|\b)"
    r"|[^\W\d_]+\d[^\W_]*"
    r"|(?:[A-Za-z]\.){2,}|\b[b-hj-z](?: \. [a-hj-z]\b)+"
    r"|[^\W\d_]+(?:['’][^\W\d_]+)*(?:-[^\W_]+(?:['’][^\W\d_]+)*)*['’]?"
    r"|\.{2,}|[^\w\s]|\w+"
)
PARTS = re.compile(r"(?i)(.+?)(n['’]t|['’](?:s|m|re|ve|ll|d))$")
PLAIN = {first + second: len(first) for first, second in w.pairs("contractions")}
ITS = re.compile(  # it's without its apostrophe
    r"(?i)\s+(?:a|an|the|not|so|very|really|just|also|been|my|great|good|ok|okay|nice|fun|cool|hard|awesome|too)\b"
)
MARKED = {"s": "'s", "m": "'m", "re": "'re", "ve": "'ve", "nt": "n't"}  # wont: wo, n't


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    lower: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Returns the tokens of the first LONGEST_TEXT characters."""
    result: list[Token] = []
    for match in WORD.finditer(text[:LONGEST_TEXT]):
        word, start = match.group(), match.start()
        low = word.lower().replace("’", "'")
        if low[0].isalpha() and "'" in low and low not in w.WHOLE_WORDS:
            result.extend(_contraction(word, start))
        elif low == "its" and ITS.match(text, match.end()):
            result.append(_token(word[:2], start))
            result.append(_token(word[2:], start + 2))
        elif low in PLAIN:
            cut = PLAIN[low]
            result.append(_token(word[:cut], start))
            tail = _token(word[cut:], start + cut)
            result.append(replace(tail, lower=MARKED.get(tail.lower, tail.lower)))
        elif " " in word:  # t . v . and 100 , 000, as some write them
            whole = word.replace(" ", "")
            result.append(replace(_token(whole, start), end=match.end()))
        else:
            result.append(_token(word, start))
    return result


def _contraction(word: str, start: int) -> list[Token]:
    match = PARTS.match(word)
    if match:
        head, tail = match.group(1), match.group(2)
        return [_token(head, start), _token(tail, start + len(head))]
    if word[-1] in "'’" and len(word) > 1 and word[-2] not in "sS":
        return [_token(word[:-1], start), _token(word[-1], start + len(word) - 1)]
    return [_token(word, start)]


def _token(text: str, start: int) -> Token:
    return Token(text, text.lower().replace("’", "'"), start, start + len(text))


def is_emoticon(text: str) -> bool:
    return re.fullmatch(EMOTICON, text) is not None
