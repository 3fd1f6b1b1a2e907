"""Turns a history into the tokens that a model was trained to continue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from arena.core.errors import BotRefused, InputError
from bots.base import Line
from bots.frames import ASIDE

LONGEST_FRAME = 200_000  # characters that a template may add


@dataclass(frozen=True, slots=True)
class Prompt:
    ids: list[int]
    dropped: int  # oldest messages left out to fit


class Format(Protocol):
    """A prompt format. Any string in `stops` ends a reply."""

    name: str
    stops: tuple[str, ...]

    def encode(self, history: Sequence[Line], system: str | None) -> list[int]: ...


class Chat:
    """The tokenizer's own chat template. The persona is the system message."""

    name = "chat"
    stops: tuple[str, ...] = ()

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        user, bot = {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}
        self._render([user])  # a template that fails here fails always
        self._system = self._accepts([{"role": "system", "content": "s"}, user])
        self._bot_first = self._accepts([bot, user])

    def _accepts(self, messages: list[dict[str, str]]) -> bool:
        try:
            text = self._render(messages)
        except BotRefused:
            return False
        return all(message["content"] in text for message in messages)

    def _render(self, messages: list[dict[str, str]]) -> str:
        try:
            text = str(
                self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
            )
        except Exception as error:  # templates may raise any error
            raise BotRefused(
                f"The chat template of the model fails ({error}): set `format: transcript`, or repair it.",
                reason="template",
            ) from error
        given = sum(len(message["content"]) for message in messages)
        if len(text) > 4 * given + LONGEST_FRAME:
            raise BotRefused(
                f"The chat template of the model makes {len(text)} characters of {given}: "
                "set `format: transcript`, or repair it.",
                reason="template",
            )
        return text

    def encode(self, history: Sequence[Line], system: str | None) -> list[int]:
        messages = [{"role": "assistant" if line.mine else "user", "content": line.text} for line in history]
        if messages and messages[0]["role"] == "assistant" and not self._bot_first:
            messages.insert(0, {"role": "user", "content": ASIDE})
        if system and self._system:
            messages.insert(0, {"role": "system", "content": system})
        elif system:
            first = messages[0]
            messages[0] = {"role": first["role"], "content": f"{system}\n\n{first['content']}"}
        return list(self._tokenizer(self._render(messages), add_special_tokens=False)["input_ids"])


class DialoGpt:
    """Joins turns by the end-of-text token. The persona becomes the first turn."""

    name = "dialogpt"
    stops: tuple[str, ...] = ()

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def encode(self, history: Sequence[Line], system: str | None) -> list[int]:
        ids: list[int] = []
        for text in ([system] if system else []) + [line.text for line in history]:
            ids += [
                *self._tokenizer(text, add_special_tokens=False)["input_ids"],
                self._tokenizer.eos_token_id,
            ]
        return ids


class BlenderBot:
    """Gives the encoder `your persona:` lines and the turns, separated as in the model's training."""

    name = "blenderbot"
    stops: tuple[str, ...] = ()

    def __init__(self, tokenizer: Any, delimiter: str) -> None:
        self._tokenizer = tokenizer
        self._delimiter = delimiter

    def encode(self, history: Sequence[Line], system: str | None) -> list[int]:
        persona = [f"your persona: {line.strip()}" for line in (system or "").splitlines() if line.strip()]
        text = self._delimiter.join([*persona, *(line.text for line in history)])
        return list(self._tokenizer(text)["input_ids"])


class Transcript:
    """A script with two speakers' names, for models without chat training."""

    name = "transcript"

    def __init__(self, tokenizer: Any, other: str, mine: str, stops: Sequence[str]) -> None:
        self._tokenizer = tokenizer
        self._names = (other, mine)
        self.stops = tuple(stops)

    def encode(self, history: Sequence[Line], system: str | None) -> list[int]:
        lines = [f"{self._names[line.mine]}: {' '.join(line.text.split())}" for line in history]
        text = "\n".join([*([f"{system}\n"] if system else []), *lines, f"{self._names[True]}:"])
        return list(self._tokenizer(text)["input_ids"])


def choose(asked: str, tokenizer: Any, config: Any, names: tuple[str, str], stops: Sequence[str]) -> Format:
    """Returns the requested format, or the format that the model was trained with."""
    name = asked if asked != "auto" else detect(tokenizer, config)
    if name == "chat":
        if not getattr(tokenizer, "chat_template", None):
            raise InputError(
                "The model's tokenizer has no chat template: leave `format` out, or set `format: transcript`."
            )
        return Chat(tokenizer)
    if name == "dialogpt":
        return DialoGpt(tokenizer)
    if name == "blenderbot":
        return BlenderBot(tokenizer, "  " if getattr(config, "model_type", "") == "blenderbot" else "\n")
    return Transcript(tokenizer, *names, stops)


def detect(tokenizer: Any, config: Any) -> str:
    if getattr(config, "is_encoder_decoder", False):
        return "blenderbot"
    description = (
        f"{getattr(config, 'name_or_path', '')} {getattr(config, 'task_specific_params', None) or ''}".lower()
    )
    if getattr(config, "model_type", "") == "gpt2" and (
        "dialogpt" in description or "conversational" in description
    ):
        return "dialogpt"
    return "chat" if getattr(tokenizer, "chat_template", None) else "transcript"


def fit(
    form: Format,
    history: Sequence[Line],
    system: str | None,
    room: int,
    before: Callable[[Sequence[Line]], Sequence[Line]] = tuple,
) -> Prompt:
    """Returns the newest whole messages that fit into `room` tokens.

    The persona is always kept, and so are the messages that `before` puts in front of the history.
    """

    def encode(first: int) -> list[int]:
        return form.encode(before(history[first:]), system)

    last = len(history) - 1
    # each message has at least one token, so only the end of a long history is read
    first = max(0, last + 1 - room)
    low, high = min(first + 1, last), last
    ids = encode(first)
    if len(ids) <= room:
        return Prompt(ids, first)
    while low < high:  # binary search for the fewest dropped messages, because each try reads all text
        middle = (low + high) // 2
        if len(encode(middle)) <= room:
            high = middle
        else:
            low = middle + 1
    ids = encode(low)
    if len(ids) > room:
        raise BotRefused(
            f"The last message and the persona make {len(ids)} tokens and the model reads {room}: "
            "shorten the persona or the opener, or set a larger `context`.",
            reason="too_long",
        )
    return Prompt(ids, low)
