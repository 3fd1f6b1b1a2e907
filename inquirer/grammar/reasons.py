"""Rules for reasons: why, what for, and how somebody gets somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inquirer.grammar.frame import Asked, as_question
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.joiners import REASONS
from inquirer.language.lists import listed

RULES = Rules()
TASTES = listed("tastes")
LONGEST = 12  # words of a reason
ADDRESS = {"you", "your", "u"}
POINTERS = listed("vague") | {"them"}


def _words(clause: Clause) -> set[str]:
    return {x.lower for x in clause.words[clause.start : clause.end]}


def _why(r: Reading, clause: Clause, place: tuple[int, int]) -> Asked | None:
    """Asks for the reason of the previous clause. The answer is in the current clause."""
    subject = [x.lower for x in clause.subject_words]
    if not subject or subject[0] in listed("unaskable-subjects") or _words(clause) & ADDRESS:
        return None
    if clause.lemma in {"hope", "think", "guess", "know", "mean", "wish", "say"} or (
        clause.lemma in {"do", "have"} and not clause.phrases
    ):
        return None
    if any(p.kind == "rest" for p in clause.phrases):
        return None
    subs = [p for p in clause.phrases if p.kind == "sub"]
    pointed = {
        x.lower for p in clause.phrases if p not in subs for x in clause.words[p.start : p.end]
    } & POINTERS
    asked = (
        None
        if pointed
        else as_question(clause, r.voice, "Why", place, subs, 0.0, negated=clause.negation is not None)
    )
    return replace(asked, clause=r.clause) if asked else None


@RULES.add(
    "because",
    matches="a clause with `because` after what it explains",
    asks="Why don't you eat meat?",
    single=False,
    examples={
        "i don't eat meat because i love animals": "Why don't you eat meat?",
        "she left me because i snore": "Why did she leave you?",
    },
    reads="both",
    pointed=True,
)
def because(r: Reading) -> Iterator[Asked | None]:
    clause, before = r.clause, r.before
    for phrase in r.phrases:
        if phrase.kind == "pp" and r.low(phrase)[0] == "because" and not r.pointing(r.phrases):
            yield r.ask("Why", (phrase.body, phrase.end), [phrase], negated=clause.negation is not None)
    if clause.joiner not in REASONS or before is None or clause.end - clause.start > LONGEST + 3:
        return
    lasting = {before.words[i].lower for i in before.auxiliaries} & {"have", "has", "'ve", "had"}
    since = clause.joiner == "since" and bool(lasting)
    led = clause.words[clause.start - 1].lower if clause.start else ""
    if not since and led != "ever" and not _words(clause) & ADDRESS:
        yield _why(r, before, (clause.start + 1, clause.end))


@RULES.add(
    "so",
    matches="what somebody does, or is, and `so` with what follows from it or is aimed at",
    asks="Why are you vegan?",
    single=False,
    examples={
        "i love animals so i am vegan": "Why are you vegan?",
        "i save money so i can travel": "Why do you save money?",
    },
    reads="both",
    pointed=True,
)
def so(r: Reading) -> Iterator[Asked | None]:
    clause, before = r.clause, r.before
    if clause.joiner != "so" or before is None or not r.own or _words(clause) & ADDRESS:
        return
    if before.subject_words and before.subject_words[0].lower in {"i", "we", "my", "our"}:
        if "can" in r.helpers and clause.negation is None:
            yield (
                _why(r, before, (clause.start + 1, clause.end))
                if clause.end - clause.start <= LONGEST
                else None
            )
        elif not r.helpers or r.helpers[0] in {"do", "did", "am", "'m", "have", "'ve"}:
            start = before.subject[0] if before.subject[1] > before.subject[0] else before.verb
            end = before.end - (before.words[before.end - 1].text == ",")
            explained = r.phrases or r.chained
            yield _why(r, clause, (start, end)) if explained and end - start <= LONGEST else None


@RULES.add(
    "purpose",
    matches="something done to reach something",
    asks="Why do you walk dogs? What do you use it for?",
    single=False,
    examples={"i walk dogs to pay for school": "Why do you walk dogs?"},
)
def purpose(r: Reading) -> Iterator[Asked | None]:
    for phrase in r.phrases:
        if phrase.kind != "inf":
            continue
        earlier = [p for p in r.phrases if p.start < phrase.start]
        taken = r.verb in listed("purpose-taken") or (r.clause.lemma in listed("purpose-taken") and r.chained)
        if taken or not (r.own or r.person) or not earlier or phrase.end - phrase.start > LONGEST:
            return
        last = earlier[-1]
        if (
            any(p.kind not in {"np", "pp"} for p in earlier)
            or r.low(last)[-1] in listed("purpose-holding") | w.EMPTY_HEADS
        ):
            return
        if r.pointing([*earlier, phrase]) or r.low(phrase)[1:2] == ["be"]:
            return
        if r.verb == "use":
            yield r.ask("What", (phrase.body, phrase.end), [phrase], kept=(phrase, "for"))
        else:
            yield r.ask("Why", (phrase.body, phrase.end), [phrase])


@RULES.add(
    "by-doing",
    matches="how somebody does something: by doing something else",
    asks="How do you relax?",
    single=False,
    examples={"i relax by painting": "How do you relax?"},
)
def by_doing(r: Reading) -> Iterator[Asked | None]:
    for phrase in r.phrases:
        if phrase.kind == "pp" and r.low(phrase)[0] == "by" and r.clause.tags[phrase.body] == "VBG":
            behind = [p for p in r.phrases if p.start >= phrase.start]
            yield r.ask("How", (phrase.body, behind[-1].end), behind)
            return
