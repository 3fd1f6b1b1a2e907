"""The kinds of facts that people state about themselves. Reads them from `facts/` and fills their templates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FACTS = Path(__file__).parent / "facts"
_FAVORITE = re.compile(
    r"(?i)favou?rite|\bmost\b|\bbest\b|better|biggest|prefer|native|mother tongue|dream|ur fav"
)


@dataclass(frozen=True)
class Value:
    names: tuple[str, ...]
    broad: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    """Sentences that state the value without naming it."""


@dataclass(frozen=True)
class Kind:
    name: str
    held: bool
    values: tuple[Value, ...]
    numbers: tuple[int, int] | None
    slots: dict[str, tuple[str, ...]]
    say: tuple[str, ...]
    was: tuple[str, ...]
    ask: tuple[str, ...]
    yn: tuple[str, ...]
    denying: tuple[str, ...]
    none: tuple[str, ...]
    short: tuple[str, ...]
    loose: bool
    open: bool
    """Whether one person may have several such facts. Another value then contradicts nothing, unless the text
    speaks of a favorite.
    """
    once: bool
    """Whether an open fact is asked about one occasion, where another value may or may not contradict the first.
    No such case is generated.
    """
    rival: str
    """Another kind with similar values. Its values are easily confused with those of this kind if one message
    states both.
    """


def parts(text: str, mark: str = "|") -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(mark) if part.strip())


def _value(text: str) -> Value:
    text, *sentences = parts(text, "~")
    names, *broad = parts(text, ">")
    return Value(parts(names, "="), tuple(broad), tuple(sentences))


def kinds() -> list[Kind]:
    text = (FACTS / "kinds.txt").read_text(encoding="utf-8")
    result = []
    for block in re.split(r"^\[", text.strip(), flags=re.M)[1:]:
        head, *lines = block.strip().splitlines()
        fields = {key.strip(): value.strip() for key, value in (line.split("=", 1) for line in lines)}
        numbers = None
        values: tuple[Value, ...] = ()
        if fields["v"].startswith("number "):
            low, high = fields["v"].split()[1:]
            numbers = (max(2, int(low)), int(high))
        else:
            values = tuple(_value(part) for part in parts(fields["v"], ";"))
        known = {"v", "say", "was", "ask", "yn", "not", "none", "short", "loose", "open", "once", "rival"}
        result.append(
            Kind(
                name=head.split("]")[0],
                held=head.endswith("held"),
                values=values,
                numbers=numbers,
                slots={key: parts(value, ";") for key, value in fields.items() if key not in known},
                say=parts(fields["say"]),
                was=parts(fields.get("was", "")),
                ask=parts(fields["ask"]),
                yn=parts(fields.get("yn", "")),
                denying=parts(fields.get("not", "")),
                none=parts(fields["none"]),
                short=parts(fields["short"]),
                loose="loose" in fields,
                open="open" in fields,
                once="once" in fields,
                rival=fields.get("rival", ""),
            )
        )
    return result


def names_one(text: str) -> bool:
    """Whether the text speaks of a favorite or best thing, of which there is only one."""
    return _FAVORITE.search(text) is not None


def has_one_answer(kind: Kind, statement: str, question: str) -> bool | None:
    """Whether another value contradicts the stated value; None if this is unclear."""
    if not kind.open and not kind.loose:
        return True
    if names_one(statement) and names_one(question):
        return True
    return None if kind.once or kind.loose else False


def article(text: str) -> str:
    if re.match(r"(?i)(a|an|the|my|some|two)\b", text) or text.lower() in ("cash", "sunglasses", "shoes"):
        return text
    return (
        "an " if text[0].lower() in "aeiou" and not text.lower().startswith(("uni", "uk", "eu")) else "a "
    ) + text


def fill(template: str, value: str, slots: dict[str, str]) -> str:
    text = template.replace("{v:a}", article(value)).replace("{v}", value)
    if template.rstrip().endswith("?"):
        text = re.sub(r"\bmy\b", "your", text)
        slots = {name: re.sub(r"\bmy\b", "your", slot) for name, slot in slots.items()}
    for name, slot in slots.items():
        text = text.replace("{" + name + "}", slot)
    return text[:1].upper() + text[1:] if not template[:1].islower() else text


def listed(name: str) -> list[str]:
    """Return the texts of a file that holds several texts per line."""
    lines = (FACTS / f"{name}.txt").read_text(encoding="utf-8").strip().splitlines()
    return [text for line in lines for text in parts(line)]
