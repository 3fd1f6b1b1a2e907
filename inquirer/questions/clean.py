"""What makes a clause unfit to be asked about."""

from __future__ import annotations

from collections.abc import Set

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import head
from inquirer.questions.lists import CLEAN_BREAKS, GIVING, PLAIN, VAGUE

LOOSE = {
    "RB",
    "RBR",
    "UH",
    "VBG",
    ":",
    "``",
    "''",
    "-LRB-",
    "-RRB-",
    "LS",
    "SYM",
}  # what follows may be left out


def is_bare(clause: Clause) -> bool:
    """Whether have and do stand for something said before: so i have to."""
    alone = clause.chain[1] <= clause.chain[0] and not any(p.kind == "np" for p in clause.phrases)
    return alone and clause.lemma in {"have", "do"}


def mentions_you(clause: Clause, start: int, end: int) -> bool:
    return any(x.lower in {"you", "your", "u"} for x in clause.words[start:end])


def vague(clause: Clause, left_out: Phrase, adverbial: bool = False) -> bool:
    """Whether the rest of the clause points at something that the question would not name.

    An `adverbial` question (when, where, how long) may keep `it`: it was just spoken of."""
    for phrase in clause.phrases:
        if phrase is left_out or phrase.kind not in {"np", "pp", "inf", "ger", "bare"}:
            continue
        if _timed(clause, phrase):
            continue
        words = [x.lower for x in clause.words[phrase.body : phrase.end]]
        if adverbial and words in (["it"], ["them"]) and phrase.kind == "np":
            continue
        if phrase.kind == "np" and all(t == "CD" for t in clause.tags[phrase.body : phrase.end]):
            return True
        if words == ["them"] and clause.deepest in GIVING and phrase.kind == "np":
            continue  # i am building them a house
        if (
            set(words) & (VAGUE | {"ours", "theirs"})
            or words[0] in {"you", "them"}
            or (phrase.kind == "inf" and "them" in words)
        ):
            return True
    return False


def _timed(clause: Clause, phrase: Phrase) -> bool:
    """this year, this morning: pointing, but at the time of speaking."""
    last = clause.words[phrase.end - 1].lower
    return last in w.TIME_UNITS | w.SEASONS | w.DAYS and clause.words[phrase.end - 2].lower == "this"


def tangled(clause: Clause) -> bool:
    """Whether words are left over that the grammar could not place: then the rest is not to be trusted either."""
    for phrase in clause.phrases:
        if phrase.kind != "rest" or clause.words[phrase.start].lower in CLEAN_BREAKS:
            continue
        if clause.tags[phrase.start] not in LOOSE or clause.phrases[0] is phrase:
            return True
    low = [x.lower for x in clause.subject_words]
    return low[0] == "me" and low[1:2] != ["and"]


def tangled_object(clause: Clause, phrase: Phrase) -> bool:
    """Whether a clause of its own hangs on the object (the lamp my parents had): too tangled to ask about."""
    index = clause.phrases.index(phrase)
    earlier = [p for p in clause.phrases[:index] if p.kind in {"np", "ing"}]
    if earlier:
        before = earlier[-1]
        core = head(clause.words, before.start, before.end)
        receiver = clause.tags[before.start] == "PRP" or core in w.PEOPLE | w.PETS
        if clause.deepest not in GIVING or not receiver:
            return True
    following = clause.phrases[index + 1 : index + 2]
    ends_open = {"WP", "WDT", "PRP", "VBZ", "VBP", "VBD", "WRB"}
    return bool(following) and following[0].kind == "rest" and clause.tags[following[0].start] in ends_open


def modified(clause: Clause, phrase: Phrase) -> bool:
    """Whether the noun has a word before it that tells its kind."""
    if phrase.end - phrase.start < 2:
        return False
    before = clause.words[phrase.end - 2].lower
    return (
        clause.tags[phrase.end - 2] in {"NN", "NNP", "JJ"}
        and before not in PLAIN
        and phrase.end - phrase.start <= 4
        and clause.tags[phrase.end - 1] != "NNP"
    )


def is_name(clause: Clause) -> bool:
    """Whether what was read as the verb is a name: I am Hugging Face, my name is hugging face."""
    verb = clause.words[clause.verb]
    said = [x for x in clause.words if x.end > x.start]
    capital = verb.text[:1].isupper() and not verb.text.isupper() and verb is not said[0]
    named = clause.subject_words[-1].lower in {"name", "names"} and clause.tags[clause.verb] == "VBG"
    return (capital and bool(clause.auxiliaries)) or named


HEDGES = {"maybe", "perhaps", "possibly", "hopefully"}
AIMS = {"so", "that", "where"}  # i work so i can afford a car
HOPES = {"bet", "guess", "hope", "hoping", "wish", "wishing"}
ABLE = {"can", "could", "might", "may"}
MODALS = ABLE | {"will", "'ll", "would", "'d"}
# two words that are one verb, or none
DOUBLE = {
    ("binge", "watch"), ("day", "dream"), ("horse", "ride"), ("ice", "fish"), ("ice", "skate"), ("people", "watch"),
    ("belly", "dance"), ("dumpster", "dive"), ("line", "dance"), ("pole", "dance"), ("power", "walk"), ("tap", "dance"),
    ("rock", "climb"), ("roller", "skate"), ("scuba", "dive"), ("sky", "dive"), ("snow", "board"), ("water", "ski"),
    ("weight", "lift"), ("window", "shop"),
    ("take", "after"), ("takes", "after"), ("took", "after"),
    ("won", "t"), ("don", "t"), ("didn", "t"), ("isn", "t"), ("can", "t"),
}  # fmt: skip


def is_supposed(clause: Clause) -> bool:
    """Whether it is only guessed or hoped: maybe i can become a mechanic, i hope she will sing."""
    helpers = {clause.words[i].lower for i in clause.auxiliaries}
    other = clause.subject_words[-1].lower not in {"i", "we"}
    if not helpers & MODALS:
        return other and is_hoped(clause, HOPES - {"bet", "guess"})
    opening = clause.words[clause.start - 1].lower if clause.start else ""
    earlier = {x.lower for x in clause.words[: clause.verb]}
    hedged = bool(earlier & HEDGES)
    aimed = bool(helpers & ABLE and {opening, clause.joiner} & AIMS)
    return hedged or aimed or is_hoped(clause)


def is_hoped(clause: Clause, hopes: Set[str] = HOPES) -> bool:
    return bool({x.lower for x in clause.words[max(0, clause.start - 2) : clause.verb]} & hopes)


def is_general(clause: Clause) -> bool:
    """we all have different values, we should meet: said of everybody, or of both."""
    everybody = any(clause.words[i].lower == "all" for i in clause.adverbs)
    ours = [x.lower for x in clause.subject_words] == ["we"]
    if ours and {clause.words[i].lower for i in clause.auxiliaries} & {"should", "could", "shall"}:
        return True  # we should meet
    return everybody and ours and clause.tags[clause.verb] in {"VBP", "VB"} and not clause.auxiliaries


def is_double(clause: Clause) -> bool:
    """Whether the verb is the first half of one: i like to rock climb."""
    last = clause.chain[1] - 1 if clause.chain[1] > clause.chain[0] else clause.verb
    halves = (clause.subject_words[-1].lower, clause.lemma) if clause.subject_words else ("", "")
    return halves in DOUBLE or tuple(x.lower for x in clause.words[last : last + 2]) in DOUBLE
