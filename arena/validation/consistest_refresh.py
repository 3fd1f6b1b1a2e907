"""Makes new ConsisTest samples from any dialogues, by our own rules, in the format of the released files.

The paper's authors cleaned their samples by hand. Here, rules leave out questions about facts with several
right answers ("What do you like?"), duplicates, and questions about questions.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from arena.core.types import InquiryReport, Kind, Question
from arena.validation.consistest import FILES
from arena.validation.rows import rows
from inquirer import Inquirer, Reader
from judges import words

KINDS = (Kind.WH, Kind.YES_NO_TRUE, Kind.YES_NO_FALSE)
TYPES = {Kind.WH: ("wh", None), Kind.YES_NO_TRUE: ("yn", "yes"), Kind.YES_NO_FALSE: ("yn", "no")}
AGENTS = {"assistant", "bot", "model", "ai"}
NOBODY = {"system", "tool", "developer", "function"}
LONGEST_TRUTH = 8  # words: a longer answer is a story, not a fact
_OPEN = re.compile(r"\b(?:like|love|enjoy|hate|dislike|want|prefer|need|think|feel)s?\b", re.IGNORECASE)
# Questions that ask for no fact, or that depend on what was said before
_IDLE = re.compile(
    r"\bhow (?:are|is|was|has|have) (?:you|u|it|things|your day)\b|\b(?:how|what) about\b|^(?:and )?you\b|"
    r"\bwhat else\b|^(?:oh|so|and|,|\s)*(?:really|yeah|right|why|why not)\W*$|"
    r"^(?:oh|so|and|,|\s)*(?:do|are|did|have|can|would|will) (?:you|u|they|it)\W*$",
    re.IGNORECASE,
)
_FAVOURITE = re.compile(r"\bfavou?rite\b|\bmost\b|\bbest\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Chat:
    """A dialogue that the user begins. The agent writes every second message."""

    name: str
    persona: tuple[str, ...]
    messages: tuple[str, ...]


def load(path: Path) -> list[Chat]:
    """Load a JSONL file with one dialogue per line, as `arena export` and chat logs write it.

    A line is {"persona": [text], "messages": [text or {"text"|"content"}]}. Messages of the agent before the
    user's first message are left out.
    """
    if not path.is_file():
        raise InputError(f"{path} is not there: give a JSONL file with a dialogue a line.")
    chats = []
    for row in rows(path):
        try:
            messages = tuple(_text(message) for message in _spoken(row.values["messages"]))
            persona = tuple(str(line) for line in row.values.get("persona") or ())
        except (KeyError, TypeError) as error:
            raise row.wrong(f"has no list of messages ({error})") from None
        chats.append(Chat(str(row.values.get("dialogue") or row.line), persona, messages))
    return chats


def _spoken(messages: Sequence[Any]) -> Sequence[Any]:
    """Return the messages from the user's first message on, by the roles in the chat log."""
    spoken = [message for message in messages if _role(message) not in NOBODY]
    first = next((index for index, message in enumerate(spoken) if _role(message) not in AGENTS), len(spoken))
    return spoken[first:]


def _role(message: Any) -> str:
    return str(message.get("role", "")).lower() if isinstance(message, dict) else ""


def _text(message: Any) -> str:
    if isinstance(message, str):
        return message
    return str(message["text"] if "text" in message else message["content"])


def samples(chats: Sequence[Chat], inquirer: Inquirer, reader: Reader | None) -> dict[str, Any]:
    """Return the contents of the three files by name. `reader` finds the short answers to extracted wh-questions."""
    lines = list(dict.fromkeys(line for chat in chats for line in chat.persona))
    replies = [(chat, turn, text) for chat in chats for turn, text in enumerate(chat.messages[1::2])]
    asked = asyncio.run(inquirer.inquire([*lines, *(text for _, _, text in replies)], KINDS))
    persona = {
        line: [_entry(question, line, "pers") for question in _kept(inquest)]
        for line, inquest in zip(lines, asked, strict=False)
    }
    history: dict[str, list[dict[str, Any]]] = {chat.name: [] for chat in chats}
    for (chat, turn, text), inquest in zip(replies, asked[len(lines) :], strict=True):
        known = {entry["q"].lower() for line in chat.persona for entry in persona[line]}
        for question in _kept(inquest):
            if question.text.lower() not in known:
                entry = _entry(question, _fact(question, text), "hist")
                history[chat.name].append({**entry, "turn": turn, "dialog": chat.name, "alt_c": ""})
    for chat in chats:
        history[chat.name] += list(_extracted(chat, reader))
        history[chat.name] = _distinct(history[chat.name])
    dialogues = {
        chat.name: {"persona": list(chat.persona), "utterances": _even(chat.messages)} for chat in chats
    }
    return dict(zip(FILES, (persona, history, dialogues), strict=True))


def _kept(inquest: InquiryReport) -> list[Question]:
    return [
        q for q in inquest.questions if q.kind in KINDS and (q.kind is not Kind.WH or _exclusive(q, inquest))
    ]


def _exclusive(question: Question, inquest: InquiryReport) -> bool:
    """Whether only one answer can be right. False, for example, for facts about likes."""
    clause = inquest.utterance[question.entity.clause_start : question.entity.clause_end]
    return bool(_FAVOURITE.search(clause)) or not _OPEN.search(clause)


def _entry(question: Question, fact: str, source: str) -> dict[str, Any]:
    kind, truth = TYPES[question.kind]
    return {
        "q": question.text,
        "a": truth or question.expected or question.entity.text,
        "source": source,
        "type": kind,
        "c": fact,
    }


def _fact(question: Question, text: str) -> str:
    """Return the clause that states the fact. The paper's facts are self-contained, so the whole message is not
    needed.
    """
    return text[question.entity.clause_start : question.entity.clause_end].strip() or text


def _extracted(chat: Chat, reader: Reader | None) -> Iterator[dict[str, Any]]:
    """Yield the pairs of question and answer that the dialogue already contains."""
    pairs = list(zip(chat.messages[::2], chat.messages[1::2], strict=False))
    for turn, (user, agent) in enumerate(pairs):
        asked = [part for part in words.sentences(user) if part.endswith("?")]
        answer = words.without_questions(agent).strip()
        if len(asked) != 1 or not answer or words.evasive(agent) or _IDLE.search(asked[0]):
            continue
        truth = _truth(asked[0], answer, reader)
        if truth:
            yield {
                "q": asked[0],
                "a": truth,
                "source": "hist_ext",
                "type": "yn" if words.asks_yes_no(asked[0]) else "wh",
                "c": answer,
                "turn": turn,
                "dialog": chat.name,
                "alt_c": "",
            }


def _truth(question: str, answer: str, reader: Reader | None) -> str | None:
    if words.asks_yes_no(question):
        polarity = words.polarity(answer)
        return None if polarity is None else ("yes" if polarity else "no")
    span = reader.read([(question, answer)])[0] if reader is not None else None
    truth = span.text if span is not None else answer.rstrip(" .!")
    return truth if 0 < len(truth.split()) <= LONGEST_TRUTH and words.content(truth) else None


def _distinct(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    seen: dict[tuple[str, int], dict[str, Any]] = {}
    for entry in entries:
        seen.setdefault((entry["q"].lower(), entry["turn"]), entry)
    return list(seen.values())


def _even(messages: Sequence[str]) -> list[str]:
    """Return the messages of the complete turns."""
    return list(messages[: len(messages) // 2 * 2])


def write(files: Mapping[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
