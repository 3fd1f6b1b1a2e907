"""Questions whose answer is the object: what, who, how many, what kind."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import head, trimmed
from inquirer.language.verbs import known
from inquirer.questions.clean import modified, tangled_object
from inquirer.questions.frame import Asked, ask, have_got
from inquirer.questions.lists import DRIVEN, LIGHT, PLURAL, TASTES, WHOLE_IDIOMS
from inquirer.questions.voice import Voice


def count_of(clause: Clause, start: int, end: int, voice: Voice) -> tuple[tuple[int, int], str] | None:
    """(the number's place, the counted things) of `three sisters and a brother`."""
    words = clause.words
    stop = next((i for i in range(start, end) if words[i].lower in {"and", "or", ","}), end)
    last = start
    while last < stop and clause.tags[last] == "CD":
        last += 1
    low = [x.lower for x in words[start:stop]]
    measured = "of" in low and low.index("of") == last - start + 1 and low[last - start].endswith("s")
    if last in (start, stop) or ("of" in low and not measured) or words[start].text == "$":
        return None
    thing = voice.say(words[last:stop])
    if low[0] == "one" or low[0] == "1":
        if clause.lemma != "have" or stop != end or low[-1] in WHOLE_IDIOMS or low[-1].endswith(("s", "y")):
            return None
        thing += "ren" if low[-1] == "child" else "s"
    elif not (low[-1].endswith(PLURAL) or measured) or low[-1] in {"years", "months", "s"}:
        return None
    if len(low[0]) == 4 and low[0].isdigit() and clause.lemma != "have":
        return None
    return (start, last), thing


def _category(clause: Clause, start: int, end: int, verb: str) -> str:
    """What kind of music, what food, what sport: asks for the class that the lists know."""
    words = clause.words
    low = [x.lower for x in words[start:end]]
    last = low[-1]
    modified = (
        end - start > 1
        and clause.tags[end - 2] not in {"PRP$", "DT", "CD", "CC", "IN", "PDT", "POS"}
        and "favorite" not in low
        and not {"of", "and"} & set(low[:-1])
    )
    if (
        last in w.CATEGORIES
        and modified
        and low[0] not in {"my", "our", "his", "her", "their"}
        and verb not in {"have"}
    ):
        return f"What kind of {last}"
    if "favorite" in low or low[0] in {"my", "our", "their", "his", "her"}:
        return ""
    if verb in TASTES | {"eat", "cook", "make", "bake", "crave", "order"} and last in w.FOODS | {"food"}:
        return "What food"
    if verb in TASTES | {"drink"} and last in w.DRINKS - {"water"}:
        return "What drink" if verb != "drink" else ""
    rural = last == "country" and clause.words[start - 1].lower == "the"
    if verb in TASTES | {"listen"} and last in w.GENRES and not rural:
        return "What kind of music"
    if (verb in TASTES and last in w.SPORTS) or (verb == "play" and last in w.SPORTS):
        return "What sport"
    if verb in {"play", "learn", "practice"} and last in w.INSTRUMENTS:
        return "What instrument"
    if verb == "teach" and last == "grade" and end - start > 1:
        return "What grade"
    if verb in {"speak", "learn", "study"} and last in w.LANGUAGES:
        return "What language"
    if verb in TASTES and last in w.ANIMALS - {"pet", "pets", "animal", "animals"}:
        return "What animal"
    if (
        verb in TASTES
        and last in w.COLORS
        and set(low) <= w.COLORS | {"the", "color", "colors", "and", "or", ","}
    ):
        return "What color"
    return ""


def category_of(clause: Clause, start: int, end: int, verb: str) -> str:
    """The class that is asked for, in the plural where several things answer."""
    found = _category(clause, start, end, verb)
    if {"and", ","} & {x.lower for x in clause.words[start:end]} and found.count(" ") == 1:
        return found + "s"
    return found


def of_name(clause: Clause, phrase: Phrase, voice: Voice) -> Asked | None:
    """a pit bull named duke."""
    words = clause.words
    if (
        phrase.end + 1 >= clause.end
        or words[phrase.end].lower not in {"named", "called"}
        or clause.deepest not in {"have", "own", "get", "adopt"}
    ):
        return None
    end = phrase.end + 1
    while end < clause.end and (
        clause.tags[end] in {"NNP", "NN", "NNS", "CC", "JJ", "NNPS"}
        or words[end].lower in {"and", ",", "the"}
    ):
        end += 1
    if end == phrase.end + 1:
        return None
    thing = head(words, phrase.start, phrase.end)
    plural = "names" if thing.endswith("s") else "name"
    owner = voice.your if voice.own(clause) else None
    if owner is None:
        return None
    be = "are" if plural == "names" else "is"
    whose = f"{thing}'" if thing.endswith("s") else f"{thing}'s"
    return Asked(
        phrase.end + 1,
        end,
        f"What {be} {owner} {whose} {plural}?",
        f"Could you tell me what {owner} {whose} {plural} {be}?",
        0.95,
        clause,
    )


def of_possession(
    clause: Clause, phrase: Phrase, place: tuple[int, int], core: str, verb: str, voice: Voice
) -> Iterator[Asked]:
    """Pets and cars: what kind; everything else owned is no natural question."""
    low = [x.lower for x in clause.words[phrase.start : phrase.end]]
    if low[0] in {"my", "our", "no", "his", "her", "their", "another"} or clause.negation:
        return
    if "and" in low:
        heads = [low[k - 1] for k in range(1, len(low) + 1) if k == len(low) or low[k] in {"and", ","}]
        if all(h in w.PETS | w.BREEDS | {"sheep", "bull", "and", ","} for h in heads):
            made = ask(clause, voice, "What pets", place, [phrase], 0.85)
            if made:
                yield made
        return
    tail_words = [p for p in clause.phrases if p.start > phrase.end and p.kind in {"np", "rest", "pp"}]
    if (
        tail_words
        and verb in {"have", "get", "want"}
        and clause.words[tail_words[0].start].lower not in {"in", "at"}
    ):
        leave = [phrase, *tail_words]
    else:
        leave = [phrase]
    kind = ""
    small = {"chicken", "fish", "pig", "pup", "lab", "labs", "pit"}
    if (core in w.PETS - small and verb != "want") or core in w.BREEDS - {"track", "boxer"}:
        kind = "What kind of pet" + ("s" if core.endswith("s") else "")
        if (
            len(low) > 2
            and core in {"dog", "cat", "horse", "bird", "dogs", "cats"}
            and clause.tags[phrase.end - 2] in {"NN", "JJ", "NNP"}
            and low[-2] not in {"pet", "cute", "new", "little", "big", "old", "small"}
        ):
            kind = f"What kind of {core}"
    elif core in {"car", "truck", "bike", "motorcycle", "suv", "van"} and len(low) > 2:
        kind = f"What kind of {core}"
    elif (
        core in DRIVEN
        and core not in {"car", "truck", "bike", "van", "suv", "motorcycle"}
        and verb in {"have", "drive", "own"}
    ):
        kind = "What kind of car"
    elif core in {"hair", "eyes"} and any(x in w.COLORS for x in low):
        at = next(i for i in range(phrase.start, phrase.end) if clause.words[i].lower in w.COLORS)
        made = ask(clause, voice, f"What color {core}", (at, at + 1), leave, 0.9)
        if made:
            yield made
        return
    elif low[-1] in w.BRANDS or any(x in w.BRANDS for x in low):
        kind = "What kind of car"
    elif (
        modified(clause, phrase)
        and verb in {"have", "get", "win"}
        and core == low[-1]
        and core not in w.PEOPLE | WHOLE_IDIOMS
    ):
        kind = f"What kind of {core}"
    if kind:
        made = ask(clause, voice, kind, place, leave, 0.85)
        if made:
            yield made


def _amount_of_time(clause: Clause, phrase: Phrase, start: int, voice: Voice) -> Iterator[Asked]:
    """i work sixty hours a week, i have two weeks before the birth."""
    words, tags = clause.words, clause.tags
    low = [x.lower for x in words[start : phrase.end]]
    following = [p for p in clause.phrases if p.start >= phrase.end]
    per = following[0] if following else None
    if low[-1] not in w.TIME_UNITS or not low[-1].endswith("s") or clause.negation is not None:
        return
    if clause.deepest in {"work", "sleep", "study", "practice", "train", "drive", "read"}:
        rate = (
            per is not None and per.kind == "np" and words[per.start].lower in {"a", "per", "each", "every"}
        )
        if rate and per and per.end - per.start == 2 and tags[start] == "CD":
            unit = f"{low[-1]} {voice.say(words[per.start : per.end])}"
            made = ask(clause, voice, f"How many {unit}", (start, start + 1), [phrase, per], 0.85)
            if made:
                yield made
    elif (
        clause.deepest == "have" and per is not None and (tags[start] == "CD" or low[0] in {"couple", "few"})
    ):
        left = per.kind in {"pp", "sub"} and words[per.start].lower in {"before", "until", "till"}
        if left or (per.kind == "inf" and low[0] != "couple" and "more" in low):
            made = ask(clause, voice, "How long", (start, phrase.end), [phrase], 0.75)
            if made:
                yield made


ACTIVITIES = w.HOBBIES | {
    "yoga",
    "pilates",
    "karate",
    "crossfit",
    "crosswords",
    "puzzles",
    "ballet",
    "chores",
}


def _weighty(clause: Clause, phrase: Phrase, verb: str, core: str) -> bool:
    """Light verbs with an object that says something: do yoga, take the bus, gave me a comic."""
    index = clause.phrases.index(phrase)
    if verb == "do":
        return core in ACTIVITIES and len(clause.phrases) > 1
    if verb == "take":
        return core in {"bus", "train", "subway", "pills", "medication", "vitamins", "lessons", "classes"}
    if verb == "know":
        return core not in {"way", "answer", "feeling", "word", "reason", "truth", "deal", "name"}
    if verb in {"give", "show"}:
        receiver = clause.phrases[index - 1] if index else None
        return receiver is not None and receiver.kind == "np" and clause.tags[receiver.start] == "PRP"
    return False


def _made_with(clause: Clause, phrase: Phrase, verb: str) -> bool:
    """a pizza with cheese: `with` belongs to the thing."""
    core = head(clause.words, phrase.body, phrase.end)
    wanted = verb in TASTES | {
        "want",
        "get",
        "buy",
        "eat",
        "order",
        "make",
        "need",
        "drink",
        "cook",
        "bake",
        "see",
    }
    return wanted and core not in w.PEOPLE | w.PETS and clause.tags[phrase.body] not in {"PRP", "VBG"}


def _aged(clause: Clause, phrase: Phrase, voice: Voice) -> Iterator[Asked]:
    """i have a seven year old daughter: how old is your daughter?"""
    words = clause.words
    low = [x.lower for x in words[phrase.start : phrase.end]]
    if clause.deepest != "have" or not voice.own(clause) or low[-1] not in w.PEOPLE | w.PETS:
        return
    whom = f"{voice.your} {low[-1]}"
    at = next(
        (k for k in range(len(low) - 2) if low[k + 1] in {"year", "month"} and low[k + 2] == "old"), None
    )
    if at is not None and low[0] in {"a", "an", "my"}:
        place = (phrase.start + at, phrase.start + at + 3)
    elif low[-2:-1] and low[-2].endswith(("year-old", "yr-old")) and low[0] in {"a", "an", "my"}:
        place = (phrase.end - 2, phrase.end - 1)
    else:
        return
    be = "are" if low[-1].endswith("s") else "is"
    yield Asked(*place, f"How old {be} {whom}?", f"Could you tell me how old {whom} {be}?", 0.95, clause)


def _served(clause: Clause, phrase: Phrase) -> bool:
    """Whether what one had was eaten or drunk at a time that the clause tells."""
    last = clause.words[phrase.end - 1].lower
    core = head(clause.words, phrase.start, phrase.end)
    eaten = last in w.FOODS | w.DRINKS or core in w.FOODS | w.DRINKS
    behind = [p for p in clause.phrases if p.start >= phrase.end]
    meal = any(clause.words[p.end - 1].lower in {"breakfast", "lunch", "dinner", "dessert"} for p in behind)
    timed = any(clause.words[p.end - 1].lower in w.TIME_UNITS | w.TIMES for p in behind)
    return eaten and (meal or timed)


def of_object(clause: Clause, phrase: Phrase, voice: Voice) -> Iterator[Asked]:
    words = clause.words
    if clause.tags[phrase.start] == "PRP" or (phrase.end < clause.end and clause.tags[phrase.end] == "VBG"):
        return
    following = [p for p in clause.phrases if p.start >= phrase.end]
    if clause.deepest == "grow" and any(words[p.start].lower == "up" for p in clause.phrases):
        return
    start = trimmed(words, phrase.start, phrase.end)
    place = (start, phrase.end)
    core = head(words, start, phrase.end)
    last = words[phrase.end - 1].lower
    low = [x.lower for x in words[start : phrase.end]]
    verb = "have" if have_got(clause) else clause.deepest
    yield from _amount_of_time(clause, phrase, start, voice)
    if (
        last in w.TIME_UNITS
        or low[0] in {"every", "each", "too", "so", "much", "many", "more", "enough", "less"}
        or core in w.TIMES
    ):
        return
    if any(p.kind == "adj" and p.end <= phrase.start for p in clause.phrases):
        return
    if (
        verb == "make"
        and phrase.end < clause.end
        and clause.tags[phrase.end] in {"VB", "VBP", "VBD", "JJ", "VBN", "NN", "JJR"}
    ):
        return
    if verb in {"live", "go", "come", "arrive", "die", "sit", "stay", "lets"} or (
        verb in {"name", "call"} and len(following) == len(clause.phrases) - 1
    ):
        return
    if (
        following
        and following[0].kind == "inf"
        and core in {"decision", "choice", "effort", "attempt", "plan", "promise"}
    ):
        return
    beside = bool(following) and following[0].kind == "np" and following[0].start == phrase.end
    beside = beside and words[following[0].end - 1].lower not in {
        "best",
        "most",
        "least",
        "myself",
        "ourselves",
    }
    if beside and words[following[0].end - 1].lower not in w.TIME_UNITS | w.TIMES | w.DAYS | {"ago"}:
        return
    listed = len(following) > 1 and words[following[0].start].lower in {"especially", "specially"}
    if listed and following[1].kind == "np":
        return
    compared = bool(following) and words[following[0].end - 1].lower in {"more", "most", "better", "best"}
    if (
        following
        and following[0].kind == "adj"
        and not compared
        and verb not in {"make", "paint", "dye", "keep", "find"}
    ):
        return
    if (verb == "get" and clause.tags[start] == "VBN") or clause.deepest not in known():
        return
    if last in {"outdoors", "outside", "inside", "home", "abroad", "online"} and verb not in TASTES:
        return
    if (
        verb in {"work", "listen", "look", "wait", "end", "graduate"}
        or low[0] in {"no", "its", "ye", "alot", "that", "this", "those"}
        or low == ["lots"]
    ):
        return
    if verb == "help" and clause.tags[start] in {"NN", "NNS", "VB"} and core not in w.PEOPLE:
        return
    if verb == "spend" and low[0] in {"time", "my", "most", "hours"}:
        return
    passive = any(
        words[i].lower in {"am", "'m", "is", "are", "was", "were", "been", "'re"} for i in clause.auxiliaries
    )
    if (
        passive
        and clause.tags[clause.verb] in {"VBN", "VBD"}
        and clause.deepest not in {"give", "call", "name", "teach", "offer", "ask"}
    ):
        return
    yield from _aged(clause, phrase, voice)
    counted = count_of(clause, start, phrase.end, voice)
    if counted:
        amount, thing = counted
        made = ask(clause, voice, f"How many {thing}", amount, [phrase], 0.95)
        if made:
            yield made
        return
    alike = bool(following) and [x.lower for x in words[following[0].start : following[0].end]] == [
        "of",
        "them",
    ]
    if alike and phrase.end - start == 1 and clause.tags[start] == "CD":
        made = ask(clause, voice, "How many of them", (start, phrase.end), [phrase, following[0]], 0.75)
        if made:
            yield made
        return
    number = [i for i in range(start, phrase.end) if clause.tags[i] == "CD"]
    if number and words[phrase.start].text == "$":
        return
    if number and not any(clause.tags[i] in {"NN", "NNS", "NNP"} for i in range(start, phrase.end)):
        return
    named = of_name(clause, phrase, voice)
    if named:
        yield named
    if verb in {"have", "own", "get", "adopt", "drive", "buy", "want", "keep"}:
        yield from of_possession(clause, phrase, place, core, verb, voice)
        if verb == "have" and _served(clause, phrase):
            with_it = [p for p in following if p.kind == "pp" and words[p.start].lower == "with"]
            reach = max([phrase.end, *(p.end for p in with_it[:1])])
            made = ask(clause, voice, "What", (start, reach), [phrase, *with_it[:1]], 0.8)
            if made:
                yield made
            return
        if (verb == "have" and clause.tags[clause.verb] != "VBG") or (
            verb == "get"
            and (clause.tags[clause.verb] != "VBD" or clause.auxiliaries or modified(clause, phrase))
            and not (following and words[following[0].start].lower in {"for", "from"})
        ):
            return
    owned_job = core == "job" and low[0] == "my" and verb in TASTES
    if (
        (low[-1] in WHOLE_IDIOMS and not owned_job)
        or (core in WHOLE_IDIOMS and not owned_job)
        or (
            verb in LIGHT - {"make", "bring", "find", "get", "have"}
            and not _weighty(clause, phrase, verb, core)
        )
    ):
        return
    if tangled_object(clause, phrase):
        return
    left_out = [phrase]
    if (
        following
        and following[0].kind == "pp"
        and (
            words[following[0].start].lower in {"about", "of", "called"}
            or (words[following[0].start].lower == "like" and clause.tags[following[0].body] != "DT")
            or (words[following[0].start].lower == "with" and _made_with(clause, following[0], verb))
        )
    ):
        left_out.append(following[0])
        place = (start, following[0].end)
        if words[following[0].start].lower == "with" and len(following) > 1:
            left_out.extend(p for p in following[1:2] if words[p.start].lower == "for")
    word = "What"
    if verb in {"know", "meet", "miss", "marry"} and words[start].lower in w.NAMES:
        word = "Who"
    elif core in w.PEOPLE or last in w.PEOPLE:
        if (
            low[0] in {"my", "our", "his", "her"}
            or clause.tags[start] == "NNP"
            or verb
            in {"teach", "help", "meet", "marry", "visit", "date", "know", "miss", "admire", "coach", "tutor"}
            or (
                verb in TASTES
                and phrase.end - start == 1
                and low[0] not in {"people", "guys", "men", "women"}
            )
        ):
            word = "Who"
        elif verb != "want":
            return
    elif low[0] == "my" and verb in TASTES:
        pass
    if word == "Who" and verb in {"have", "expect", "get", "want", "make"}:
        return
    category = category_of(clause, start, phrase.end, verb)
    if category:
        made = ask(clause, voice, category, place, left_out, 0.85)
    elif verb in TASTES and not following and word == "What":
        made = ask(clause, voice, "What", place, left_out, 0.62)
    else:
        made = ask(clause, voice, word, place, left_out, 0.72)
    if made:
        yield made
