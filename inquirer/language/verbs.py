"""Verb forms: irregular ones by list, the others by spelling."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from inquirer.language.words import VERBS

_IRREGULAR = """be was been; have had had; do did done; go went gone; get got gotten; make made made;
take took taken; come came come; see saw seen; know knew known; think thought thought;
give gave given; find found found; tell told told; feel felt felt; become became become;
leave left left; put put put; mean meant meant; keep kept kept; let let let; begin began begun;
show showed shown; hear heard heard; run ran run; hold held held; bring brought brought;
write wrote written; sit sat sat; stand stood stood; lose lost lost; pay paid paid;
meet met met; lead led led; understand understood understood; speak spoke spoken;
spend spent spent; grow grew grown; win won won; buy bought bought; send sent sent;
fall fell fallen; cut cut cut; sell sold sold; drive drove driven; break broke broken;
eat ate eaten; draw drew drawn; choose chose chosen; wear wore worn; teach taught taught;
catch caught caught; fly flew flown; throw threw thrown; sing sang sung; swim swam swum;
drink drank drunk; ride rode ridden; sleep slept slept; wake woke woken; build built built;
hit hit hit; hurt hurt hurt; read read read; quit quit quit; set set set; fight fought fought;
forget forgot forgotten; hide hid hidden; feed fed fed; shoot shot shot; steal stole stolen;
ring rang rung; rise rose risen; lie lay lain; lay laid laid; bite bit bitten; blow blew blown;
shake shook shaken; bear bore born; beat beat beaten; deal dealt dealt; dig dug dug;
hang hung hung; knit knit knit; lend lent lent; light lit lit; say said said;
seek sought sought; sew sewed sewn; shut shut shut; sink sank sunk; stick stuck stuck;
sweep swept swept; swing swung swung; tear tore torn; weave wove woven; bet bet bet;
cost cost cost; burn burned burned; dream dreamed dreamed; learn learned learned;
bend bent bent; bleed bled bled; breed bred bred; cast cast cast; creep crept crept;
flee fled fled; freeze froze frozen; kneel knelt knelt; leap leaped leaped;
spread spread spread; spin spun spun; split split split; spit spat spat; strike struck struck;
swear swore sworn; upset upset upset; weep wept wept; wind wound wound;
overcome overcame overcome; undergo underwent undergone; forgive forgave forgiven;
foresee foresaw foreseen; withdraw withdrew withdrawn; babysit babysat babysat;
broadcast broadcast broadcast"""

PAST_OF: dict[str, str] = {}
PARTICIPLE_OF: dict[str, str] = {}
BASE_OF: dict[str, str] = {
    "am": "be", "is": "be", "are": "be", "were": "be", "'m": "be", "'re": "be", "being": "be", "has": "have",
    "does": "do", "goes": "go", "got": "get", "lying": "lie", "dying": "die", "tying": "tie",
    "learnt": "learn",
    "dreamt": "dream", "burnt": "burn", "knitted": "knit", "gotten": "get", "lit": "light", "'ve": "have",
    "chilling": "chill", "modeling": "model", "traveling": "travel", "traveled": "travel",
    "travelled": "travel",
    "canceled": "cancel", "cancelled": "cancel", "visited": "visit", "majored": "major",
    "majoring": "major", "mentored": "mentor", "tutored": "tutor", "babysitting": "babysit",
    "visiting": "visit",
}  # fmt: skip
for _row in _IRREGULAR.replace("\n", " ").split(";"):
    _base, _past, _done = _row.split()
    PAST_OF[_base], PARTICIPLE_OF[_base] = _past, _done
    BASE_OF.setdefault(_past, _base)
    BASE_OF.setdefault(_done, _base)
BASES = set(PAST_OF) | VERBS
DOUBLED = set("bdgmnprt")
KEPT_DOUBLE = {
    "add",
    "odd",
    "egg",
    "err",
    "purr",
    "miss",
    "call",
    "pull",
    "fill",
    "sell",
    "tell",
    "spell",
    "smell",
    "roll",
    "kill",
    "pass",
    "dress",
    "press",
    "cross",
    "guess",
    "discuss",
    "kiss",
    "chill",
    "grill",
    "drill",
    "yell",
    "fall",
    "stall",
    "install",
    "enroll",
    "buzz",
    "stuff",
    "staff",
    "bluff",
}
E_ENDINGS = (
    "at",
    "iz",
    "is",
    "ag",
    "uc",
    "rc",
    "nc",
    "dg",
    "rg",
    "ng",
    "v",
    "u",
    "ks",
    "ls",
    "ps",
    "rs",
    "ns",
    "ir",
    "ur",
    "in",
    "ak",
    "ik",
    "ok",
    "ad",
    "id",
    "od",
    "ap",
    "ip",
    "op",
    "ib",
    "as",
    "os",
    "us",
    "tl",
    "bl",
    "dl",
    "gl",
    "pl",
    "fl",
    "kl",
    "zl",
    "or",
    "ar",
    "ol",
    "il",
    "al",
    "on",
    "am",
    "im",
    "om",
    "as",
    "et",
    "yp",
    "ut",
    "ot",
    "it",
    "ac",
    "ic",
)


@lru_cache(maxsize=1)
def known() -> frozenset[str]:
    """Verbs seen in text, which decide where spelling cannot."""
    return frozenset((Path(__file__).parents[1] / "weights" / "verbs.txt").read_text().split()) | BASES


@lru_cache(maxsize=8192)
def base(word: str) -> str:
    """The base form of a verb."""
    word = word.lower()
    if word in BASE_OF:
        return BASE_OF[word]
    for candidate in _candidates(word):
        if candidate in known():
            return candidate
    return next(_candidates(word), word) if word not in known() else word


def _candidates(word: str) -> Iterator[str]:
    if word.endswith("ies") and len(word) > 4:
        yield word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        yield word[:-2]
        yield word[:-1]
    elif word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
    elif word.endswith("ied") and len(word) > 4:
        yield word[:-3] + "y"
        yield word[:-2].rstrip("i") + "i"  # skied
    elif word.endswith("ed") and len(word) > 3:
        yield from _stem(word[:-2])
    elif word.endswith("ing") and len(word) > 4:
        yield from _stem(word[:-3])


def _stem(stem: str) -> Iterator[str]:
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] in DOUBLED | {"l", "s", "z", "f"}:
        if stem in KEPT_DOUBLE or stem[-1] in "lszf":
            yield stem
            yield stem[:-1]
        else:
            yield stem[:-1]
            yield stem
    elif stem.endswith(E_ENDINGS) and len(stem) > 2 and not _double_vowel(stem):
        yield stem + "e"
        yield stem
    else:
        yield stem
        yield stem + "e"


def _double_vowel(stem: str) -> bool:
    """Two vowels before the last consonant (rain, need): no silent e."""
    return len(stem) > 2 and stem[-1] not in "aeiouvcg" and stem[-2] in "aeiou" and stem[-3] in "aeiou"


def third(verb: str) -> str:
    """he/she/it form."""
    special = {"be": "is", "have": "has", "do": "does", "go": "goes"}
    if verb in special:
        return special[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def past(verb: str) -> str:
    if verb in PAST_OF:
        return PAST_OF[verb]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + "ed"
