"""What has to answer: a name, an age, a job, a thing that one can picture."""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.language.lexicon import is_named, is_pictured, is_written
from inquirer.language.tokens import tokens
from inquirer.questions.jobs import works
from inquirer.rambling.form import Form

SPAN = 5  # words of an answer
INTENSE = {
    "a",
    "bit",
    "feeling",
    "feel",
    "just",
    "little",
    "pretty",
    "quite",
    "really",
    "so",
    "still",
    "super",
    "very",
}
CHARACTER = w.GENDERS | {"person", "people"}
TITLES = {"dr", "madam", "miss", "mr", "mrs", "ms", "sir"}
# pictured, and yet figures of speech
ABSTRACT = {
    "attention", "beauty", "day", "days", "experience", "heart", "help", "joy", "laugh", "life", "light", "line",
    "love", "mind", "minds", "people", "silence", "smile", "smiles", "soul", "sound", "spirit", "story", "success",
    "surprise", "talent", "touch", "view", "voice", "wonder",
}  # fmt: skip
ENDS = {"and", "because", "but", "lately", "now", "or", "so", "today", "too", "when"}
THINGS = (
    w.FOODS | w.DRINKS | w.GENRES | w.SPORTS | w.INSTRUMENTS | w.HOBBIES | w.ANIMALS | w.LANGUAGES | w.CITIES
    | w.COLORS | w.BREEDS | w.BRANDS | w.DIETS | w.CATEGORIES
)  # fmt: skip


def is_name(form: Form, _: str) -> bool:
    """Written like a name, known as one, or no word at all where it is called a name."""
    first = form.answer[0]
    known = (form.said[:1].isupper() or first in w.NAMES or is_named(first)) and first not in TITLES
    told = form.subject[-1] in {"name", "names"} and not is_written(first)
    return (known or told) and "," not in form.said and len(form.answer) < SPAN


def is_age(form: Form, _: str = "") -> bool:
    return any(word.isdigit() or word in w.NUMBERS for word in form.answer)


def is_job(form: Form, _: str = "") -> bool:
    last = form.answer[-1]
    trained = last.endswith(("ist", "ian", "eer")) and works(last, last)
    paid = last in w.JOBS or trained or last == "director"
    return (
        paid
        and "ai" not in form.answer
        and "," not in form.said
        and len(form.answer) < SPAN
        and all(is_written(x) for x in form.answer[: -1 if trained else None])
    )


def is_feeling(form: Form, behind: str) -> bool:
    felt = form.answer[-1] in w.FEELINGS and set(form.answer[:-1]) <= INTENSE
    return felt and (not behind[:1].isalnum() or behind.lower() in ENDS | {"out"})


def is_married(form: Form, _: str) -> bool:
    return form.answer[-1] in w.MARITAL


def is_character(form: Form, _: str) -> bool:
    return 1 < len(form.answer) < SPAN and form.answer[-1] in CHARACTER and form.answer[-2] in w.CHARACTERS


def is_thing(form: Form) -> bool:
    """Whether the answer is something that one can picture."""
    last = form.answer[-1]
    named = is_named(last) or [t.text for t in tokens(form.said)][-1][:1].isupper()
    return is_whole(form) and (named or last in THINGS or (form.noun and is_seen(last)))


def is_spot(form: Form) -> bool:
    """Whether it is a place of a known sort: small town in ohio."""
    at = next((i for i, x in enumerate(form.answer) if x in w.PLACES), None)
    whole = (
        at == len(form.answer) - 1 or form.answer[at + 1] in {"in", "near", "of"} if at is not None else False
    )
    return whole and len(form.answer) <= 2 * SPAN and exists(form) and "," not in form.said


def is_told(form: Form, behind: str) -> bool:
    """Whether the answer is a thing of any sort, told to its end: dreams, history of chess."""
    ended = not behind[:1].isalnum() or behind.lower() in ENDS
    partitive = "of" in form.answer[1:2] and len(form.answer) < SPAN and exists(form)
    return form.noun and ended and (is_whole(form) or partitive) and form.answer[-1] not in w.PEOPLE


def is_seen(noun: str) -> bool:
    singles = (noun, noun.removesuffix("s"), noun.removesuffix("es"))
    return noun not in ABSTRACT and any(map(is_pictured, singles))


def is_whole(form: Form) -> bool:
    """Whether the answer is a thing or a list of things, in words that exist."""
    listed = "," not in form.said or {"and", "or"} & set(form.answer)
    loose = not listed or bool({"of", "things", "thing"} & set(form.answer))
    bare = form.definite and len(form.answer) == 1 and form.asked == ("what",)
    which = bare and form.answer[0] not in w.INSTRUMENTS
    ends = form.answer[-1] in w.EMPTY_HEADS | w.PREPOSITIONS or form.answer[0] in w.EMPTY_HEADS
    return (
        len(form.answer) <= SPAN
        and not (which or loose or ends)
        and not set(form.answer) & w.ADVERBS
        and exists(form)
    )


def exists(form: Form) -> bool:
    """Whether all words are known, or the unknown ones written like names."""
    written = [t.text for t in tokens(form.said)]
    return all(is_written(x.lower()) or x[:1].isupper() or not x[0].isalpha() for x in written)
