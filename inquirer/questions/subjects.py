"""Questions whose answer is the subject, a reason, the weather or a quality of what one has."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.phrases import head, trimmed
from inquirer.language.verbs import third
from inquirer.questions.amounts import count_of
from inquirer.questions.clean import is_bare, mentions_you, vague
from inquirer.questions.frame import Asked, ask, helper, lowered, sentence, tail
from inquirer.questions.lists import KINDS, PLAIN, UNASKABLE_SUBJECTS, VAGUE
from inquirer.questions.rule import rule
from inquirer.questions.singles import of_what_is_owned
from inquirer.questions.surroundings import WEATHER
from inquirer.questions.voice import Voice


def touches_speaker(clause: Clause) -> bool:
    """Whether what the subject does is done to the speaker (horror movies give me nightmares)."""
    if clause.tags[clause.subject[1] - 1] not in {"NN", "NNS", "NNP"} or clause.copular or clause.auxiliaries:
        return False
    return any({"me", "my", "us"} & {x.lower for x in clause.words[p.start : p.end]} for p in clause.phrases)


@rule("subject")
def of_subject(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """my dad taught me to knit: who taught you?"""
    if clause.borrowed:
        return
    start, end = clause.subject
    words = clause.words[start:end]
    low = [x.lower for x in words]
    core = head(clause.words, start, end) if low else ""
    alive = w.PEOPLE - {"people"} | w.PETS | w.BREEDS | w.JOBS
    person = bool(low) and low[0] in {"my", "our", "a", "an", "the"} and core in alive
    person |= low in (["mom"], ["mommy"], ["dad"], ["daddy"], ["grandma"], ["grandpa"])
    named = (
        bool(low)
        and all(t in {"NNP", "NN"} for t in clause.tags[start:end])
        and (low[0] in w.NAMES or (clause.tags[start] == "NNP" and end - start == 2 and core not in w.PLACES))
    )
    if not low or len(low) > 5 or clause.joiner in {"who", "which", "that"}:
        return

    own = low[0] in {"my", "our"} or len(low) == 1 or named
    heads = {clause.words[p.end - 1].lower for p in clause.phrases if p.kind == "np"}
    if heads & (w.EMPTY_HEADS - {"it", "time", "part"}):
        return
    told = touches_speaker(clause) or (own and (person or named) and "and" not in low)
    if not told and not _plain(clause, low, core):
        return
    minded = (
        clause.lemma in {"like", "hate", "love", "know", "think", "want", "hope", "wish"}
        and low[-1] not in w.ANIMALS
    )
    employing = clause.lemma in {"employ", "fire", "hire"}
    somebody = minded or employing or person or named or core in alive or low[-1] in alive
    asking = "Who" if somebody and clause.tags[start] != "VBG" else "What"
    if clause.lemma == "do" or any(
        clause.words[i].lower in {"do", "does", "did"} for i in clause.auxiliaries
    ):
        return
    behind_it = clause.words[clause.verb + 1].lower if clause.verb + 1 < clause.end else ""
    if clause.lemma == "make" and behind_it in {"sure", "certain"}:
        return
    owning = clause.words[clause.verb].lower in {"have", "has", "had"}
    if len(clause.auxiliaries) > 1 or (owning and not _noted(clause)):
        return
    behind = tail(clause, [], voice)
    if clause.lemma in {"feel", "look", "seem", "sound", "smell", "taste"}:
        return
    acting = len(clause.auxiliaries) == 1 and clause.tags[clause.verb] == "VBG"
    if (
        (not clause.phrases and not acting)
        or (not behind and not acting)
        or (clause.lemma in {"make", "let", "call"} and behind == voice.you)
        or any(
            {x.lower for x in clause.words[p.start : p.end]}
            & (
                {"he", "she", "they", "you", "u"}
                | (set() if person or named else VAGUE | {"them", "his", "her", "their"})
            )
            for p in clause.phrases
        )
    ):
        return
    verb = clause.words[clause.verb].lower
    if clause.tags[clause.verb] in {"VBP", "VB"}:
        verb = third(clause.lemma)
    if clause.auxiliaries:
        first, behind_verb = helper(clause, voice)
        verb = f"{ {'are': 'is', 'were': 'was', 'have': 'has', 'do': 'does'}.get(first, first) } {behind_verb}".strip()
    chain = "" if clause.auxiliaries else voice.say(clause.words[clause.chain[0] : clause.chain[1]])
    text = sentence(asking, verb, chain, behind or "")
    yield Asked(
        trimmed(clause.words, start, end),
        end,
        text,
        f"Could you tell me {lowered(text)}",
        0.5
        if not told
        else 0.6
        if not {"me", "us"} & {x.lower for p in clause.phrases for x in clause.words[p.start : p.end]}
        else 0.85,
        clause,
    )


MASSES = {"money", "music", "divorce", "alcohol", "exercise", "religion", "love", "art", "work"}


def _plain(clause: Clause, low: list[str], core: str) -> bool:
    """A thing or several people that do something to something."""
    if {core, low[-1], low[0]} & (w.EMPTY_HEADS | w.PERSONS | VAGUE | UNASKABLE_SUBJECTS | {"some", "your"}):
        return False
    if clause.tags[clause.subject[1] - 1] not in {"NN", "NNS", "NNP", "NNPS"} or clause.copular:
        return False
    bare = len(low) == 1 and clause.tags[clause.subject[0]] == "NN"
    if bare and not low[0].endswith("ing") and low[0] not in MASSES | w.FOODS:
        return False
    if set(low) & {"you", "i", "your", "of"} or clause.tags[clause.verb] in {"VBN", "VBG"}:
        return False
    first = next((p for p in clause.phrases if p.kind != "adv"), None)
    return first is not None and first.kind == "np" and clause.tags[first.start] != "PRP"


def _noted(clause: Clause) -> bool:
    """Whether what one has is told in more than a word: then it is worth asking who has it."""
    first = clause.phrases[0] if clause.phrases else None
    if first is None or first.kind != "np":
        return False
    return first.end - first.start > 2 or (first.end - first.start > 1 and len(clause.phrases) > 1)


@rule("family")
def of_family(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """my mom is a nurse: who in your family is a nurse?"""
    start, end = clause.subject
    low = [x.lower for x in clause.words[start:end]]
    if (
        clause.borrowed
        or len(low) != 2
        or low[0] not in {"my", "our"}
        or low[1] not in w.FAMILY
        or clause.auxiliaries
    ):
        return
    first = clause.phrases[0] if clause.phrases else None
    if (
        first is None
        or first.kind not in {"np", "pp"}
        or clause.tags[first.body] in {"PRP", "RB"}
        or clause.words[first.start].lower in {"my", "the"}
    ):
        return
    behind = tail(clause, [], voice)
    if clause.words[first.end - 1].lower in w.TIME_UNITS | {"ago"}:
        return
    if (
        behind
        and not any(p.kind == "sub" for p in clause.phrases)
        and not vague(clause, first)
        and not mentions_you(clause, first.start, first.end)
        and clause.words[first.start].lower in {"a", "an", "in"}
    ):
        be = {"'s": "is", "are": "is", "were": "was"}.get(
            clause.words[clause.verb].lower, clause.words[clause.verb].lower
        )
        if low[1].endswith("s"):
            return
        text = sentence(f"Who in {voice.your} family", be, behind)
        yield Asked(start, end, text, f"Could you tell me {lowered(text)}", 0.6, clause)


@rule("reason", False)
def of_reason(clause: Clause, before: Clause, voice: Voice) -> Iterator[Asked]:
    subject = [x.lower for x in before.subject_words]
    lead = clause.words[clause.start - 1].lower if clause.start else ""
    if lead == "ever":
        return  # ever since
    if clause.joiner == "as" and (
        not (clause.copular and voice.own(clause)) or lead in {"soon", "long", "far"}
    ):
        return
    if (
        subject[0] in UNASKABLE_SUBJECTS
        or any(
            before.words[i].lower == "'s" and before.tags[before.verb] == "VBN" for i in before.auxiliaries
        )
        or "you" in subject
        or any({x.lower for x in before.words[p.start : p.end]} & {"you", "your"} for p in before.phrases)
    ):
        return
    if before.lemma in {"hope", "think", "guess", "know", "mean", "wish", "say"}:
        return
    start = clause.start + 1
    said = [x.lower for x in before.words[before.verb + 1 : before.end]]
    if is_bare(before) or said[:2] in (["kind", "of"], ["sort", "of"]):
        return
    if start >= clause.end or mentions_you(clause, start, clause.end):
        return
    subs = [p for p in before.phrases if p.kind == "sub"]
    negated = before.negation is not None
    made = ask(before, voice, "Why", (start, clause.end), subs, 0.85, negated=negated)
    if made:
        yield made


@rule("number", True)
def of_existence(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """there are three dogs: how many are there?"""
    if (
        clause.subject_words[-1].lower != "there"
        or not clause.copular
        or not clause.phrases
        or clause.phrases[0].kind != "np"
    ):
        return
    phrase = clause.phrases[0]
    start = trimmed(clause.words, phrase.start, phrase.end)
    counted = count_of(clause, start, phrase.end, voice)
    if counted and not mentions_you(clause, clause.start, clause.end):
        made = ask(clause, voice, f"How many {counted[1]}", counted[0], [phrase], 0.8)
        if made:
            yield made


@rule("weather")
def of_weather(clause: Clause) -> Iterator[Asked]:
    """it is extremely cold here."""
    if [x.lower for x in clause.subject_words] != ["it"] or (
        not clause.copular and clause.deepest not in {"rain", "snow"}
    ):
        return
    first = next((p for p in clause.phrases if p.kind == "adj"), None)
    rains = clause.deepest in {"rain", "snow"}
    if not rains and (
        first is None
        or (
            clause.words[first.end - 1].lower not in WEATHER
            and clause.words[first.start].lower not in WEATHER
        )
    ):
        return
    said = {x.lower for x in clause.words[clause.start : clause.end]}
    placed = said & {"here", "outside", "today", "there", "now", "weather"}
    if (clause.auxiliaries and not rains) or (said & {"cool", "hot", "cold", "warm"} and not placed):
        return
    if clause.words[clause.verb].lower == "was" or any(p.kind in {"pp", "inf"} for p in clause.phrases[:2]):
        return
    place = (first.start, first.end) if first and not rains else (clause.verb, clause.verb + 1)
    where = (
        " there"
        if any(x.lower in {"here", "outside"} for x in clause.words[clause.start : clause.end])
        else ""
    )
    yield Asked(
        *place,
        f"What is the weather like{where}?",
        f"Could you tell me what the weather is like{where}?",
        0.75,
        clause,
    )


@rule("kind")
def of_cars(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """in my honda civic: what kind of car do you have?"""
    gone = {"crash", "lose", "miss", "sell", "total", "trade", "wreck"}
    if clause.deepest in gone | {"have", "drive", "own", "buy", "want"} or clause.negation is not None:
        return
    for phrase in clause.phrases:
        low = [x.lower for x in clause.words[phrase.body : phrase.end]]
        at = next((k for k, x in enumerate(low) if x in w.BRANDS), None)
        if phrase.kind in {"np", "pp"} and low[0] == "my" and at is not None and len(low) < 6:
            do = "do I have" if voice.partner else "do you have"
            start = phrase.body + at
            text = f"What kind of car {do}?"
            yield Asked(
                start, phrase.end, text, f"Could you tell me what kind of car {voice.you} have?", 0.75, clause
            )


@rule("kind", of_what_is_owned)
def of_possessions(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """in my purple room: what colour is your room? my organic garden: what kind of garden do you have?"""
    places = [
        (clause.subject[0], clause.subject[1]),
        *((p.body, p.end) for p in clause.phrases if p.kind in {"np", "pp"}),
    ]
    for start, end in places:
        if end - start != 3 or clause.words[start].lower != "my" or clause.tags[end - 1] not in {"NN", "NNS"}:
            continue
        word, thing = clause.words[start + 1].lower, clause.words[end - 1].lower
        be = "are" if clause.tags[end - 1] == "NNS" else "is"
        if word in w.COLORS:
            yield Asked(
                start + 1,
                start + 2,
                f"What color {be} {voice.your} {thing}?",
                f"Could you tell me what color {voice.your} {thing} {be}?",
                0.7,
                clause,
            )
        elif (
            clause.tags[start + 1] in {"NN", "JJ"}
            and word.isalpha()
            and word
            not in PLAIN
            | w.CHARACTERS
            | {"favorite", "own", "fellow", "dear", "late", "poor", "parents", "dream"}
            and thing in KINDS
        ):
            do = "do I have" if voice.partner else "do you have"
            yield Asked(
                start + 1,
                end,
                f"What kind of {thing} {do}?",
                f"Could you tell me what kind of {thing} {voice.you} have?",
                0.65,
                clause,
            )
