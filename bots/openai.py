"""Bots behind any OpenAI-compatible chat endpoint: vLLM, llama.cpp, Ollama, `transformers serve`, remote services."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from arena.core.amounts import Amount
from arena.core.errors import ArenaError, BotError, BotRefused
from arena.core.types import NOTHING, Facts
from bots.accounts import CHARACTERS_A_TOKEN
from bots.base import AdapterDefaults, Bot, Line, Reply, ReplyRequest, RunOptions
from bots.frames import CHOICES, Role
from bots.secret import Secret
from bots.served import ServedBot
from bots.wire import INCIDENTAL, Refusal, Url, Variable, Wire, WireSettings

Read = TypeVar("Read")

OURS = ("messages", "model", "stream", "n", "seed")  # keys of the body that `body` may not set
UNBOUNDED = 2048  # tokens that a reply may cost if the server chooses max_tokens
LARGEST_SEED = 2**31  # several servers read the seed as a signed 32-bit number
MOST_TOKENS = 10**12  # a larger count from a server is invalid
TOO_LONG = (
    "context length",
    "context_length",
    "context size",
    "context_size",
    "maximum context",
    "too long",
    "too many tokens",
)


def _body(value: dict[str, Any]) -> dict[str, Any]:
    for key in OURS:
        if key in value:
            raise ValueError(f"'{key}' cannot be set in the body: the adapter decides it")
    return value


class Decoding(BaseModel):
    """Sampling settings of the protocol. With null, the server chooses the value."""

    model_config = ConfigDict(extra="forbid")

    temperature: float | None = Field(default=None, ge=0)
    top_p: float | None = Field(default=0.9, gt=0, le=1)
    max_tokens: int | None = Field(default=128, ge=1, description="longest reply")
    presence_penalty: float | None = Field(default=None, ge=-2, le=2)
    frequency_penalty: float | None = Field(default=None, ge=-2, le=2)
    stop: list[str] | None = None


class Settings(WireSettings):
    """The settings of the adapter `openai`."""

    model: str = Field(
        min_length=1, examples=["my-model"], description="the name under which the server knows the model"
    )
    base_url: Url = Field(
        examples=["http://127.0.0.1:8000/v1"],
        description="the server's address up to, and without, /chat/completions",
    )
    api_key_env: Variable | None = Field(
        default=None, description="the environment variable that holds the key"
    )
    frame: str | None = Field(default=None, description=CHOICES)
    memory: int | None = Field(default=None, ge=1, description="the last n messages only")
    decoding: Decoding = Field(default_factory=Decoding)
    seed: bool = Field(default=True, description="false for servers that refuse the key `seed`")
    body: Annotated[dict[str, Any], AfterValidator(_body)] = Field(
        default_factory=dict, description="further keys of the request's body"
    )
    user_starts: str | None = Field(
        default=None,
        description="said in the user's name before a message of the bot's own that opens the dialogue",
    )
    fingerprint: str | None = Field(default=None, description="the served weights' version, if you know it")
    price_in: float = Field(default=0.0, ge=0, description="per million tokens read")
    price_out: float = Field(default=0.0, ge=0, description="per million tokens written")


def _own(settings: Mapping[str, Any]) -> Settings:
    return Settings.model_validate({k: v for k, v in settings.items() if k in Settings.model_fields})


class OpenAIBot(ServedBot):
    def __init__(self, settings: Settings, role: Role) -> None:
        self._settings = settings
        self._role = role
        secret = Secret.read(settings.api_key_env) if settings.api_key_env else None
        host = urlsplit(settings.base_url).netloc
        super().__init__(
            Wire(
                f"The model '{settings.model}' at {host}",
                f"{settings.base_url}/chat/completions",
                settings,
                secret,
            )
        )
        self._wire.price = self._price

    async def _answered(self, request: ReplyRequest) -> tuple[Reply, int]:
        return await self._wire.patience.insist(
            lambda: self._shortened(request), self._wire.limiter, request.seed
        )

    async def _shortened(self, request: ReplyRequest) -> Reply:
        """Makes the call, leaving out more and more old messages until the server accepts the history."""
        lines = request.history
        if self._settings.memory is not None:
            lines = lines[-self._settings.memory :]
        whole = len(lines)
        while True:
            try:
                reply = await self._ask(request, lines)
            except Refusal as error:
                if not _too_long(error):
                    raise self._explained(error) from error
                if len(lines) == 1:
                    raise BotRefused(
                        f"{self._wire.label} considers even the last message too long: give it a longer context.",
                        "too_long",
                    ) from error
                lines = lines[len(lines) // 2 :] if len(lines) > 3 else lines[1:]
                continue
            return replace(reply, dropped=whole - len(lines))

    async def _ask(self, request: ReplyRequest, lines: Sequence[Line]) -> Reply:
        payload = self._payload(request, lines)
        call = self._wire.call(request.dialogue, request.fork, request.seed, payload)
        if known := await self._wire.known(call):
            return known
        longest = payload.get("max_tokens") or UNBOUNDED
        async with self._wire.turn(_at_most(payload["messages"]), longest, call) as turn:
            if turn.bill.kept is not None:
                return turn.bill.kept
            answer = await self._wire.post(turn, json.dumps(payload).encode())
            try:
                reply = self._read(answer, payload)
            except ArenaError:
                usage = answer.get("usage") if isinstance(answer, dict) else None
                read, written = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
                if read is not None and written is not None:  # paid for, whatever the response contains
                    turn.bill.pay(Amount(1, read + written, self._price(read, written)))
                raise
            turn.bill.pay(Amount(1, reply.tokens_in + reply.tokens_out, reply.cost), reply)
            return reply

    def _price(self, read: int, written: int) -> float:
        return (read * self._settings.price_in + written * self._settings.price_out) / 1e6

    def _payload(self, request: ReplyRequest, lines: Sequence[Line]) -> dict[str, Any]:
        settings = self._settings
        system = self._role.system(request)
        messages = [{"role": "system", "content": system}] if system else []
        lines = self._role.lines(lines, self._role.note(request))
        if settings.user_starts is not None and lines[0].mine:
            messages.append({"role": "user", "content": settings.user_starts})
        messages += [{"role": "assistant" if line.mine else "user", "content": line.text} for line in lines]
        payload: dict[str, Any] = {"model": settings.model, "messages": messages, "stream": False}
        payload |= settings.decoding.model_dump(exclude_none=True)
        if settings.seed:
            payload["seed"] = request.seed % LARGEST_SEED
        return payload | settings.body

    def _read(self, answer: Any, payload: Mapping[str, Any]) -> Reply:
        try:
            choice = answer["choices"][0]
            content = choice["message"].get("content")
            finish = choice.get("finish_reason")
            if isinstance(content, list):
                content = "".join(part.get("text", "") for part in content)
            if content is None:
                content = choice["message"].get("refusal")
            if content is not None and not isinstance(content, str):
                raise TypeError
        except (KeyError, IndexError, TypeError, AttributeError):
            raise BotError(
                f"{self._wire.label} answered with JSON that is not a chat completion: check `base_url` "
                "(it usually ends in /v1).",
                "bad_answer",
            ) from None
        if content is None:
            raise BotError(
                f"{self._wire.label} gave no text: raise decoding.max_tokens if the model thinks first.",
                "empty_answer",
            )
        facts: dict[str, Any] = {"cut": True} if finish == "length" else {}
        usage = answer.get("usage")
        read, written = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
        if read is None or written is None:
            read, written = _estimate(payload["messages"]), -(-len(content) // CHARACTERS_A_TOKEN)
            facts["tokens_estimated"] = True
        return Reply(content.strip(), read, written, self._price(read, written), facts=facts)

    def _explained(self, error: Refusal) -> BotRefused:
        """Returns an error that says what the user can do about a refusal."""
        label, variable, words = self._wire.label, self._settings.api_key_env, error.words
        quoted = f" ({words})" if words else ""
        match error.status:
            case 401 if variable is None:
                text, reason = (
                    f"{label} wants a key (401): name its environment variable in `api_key_env`.",
                    "key",
                )
            case 401:
                text, reason = (
                    f"{label} does not accept the key (401): put a valid one into {variable}.",
                    "key",
                )
            case 402:
                text, reason = f"{label} wants to be paid first (402): top up the account.", "payment"
            case 403:
                text, reason = (
                    f"{label} forbids this (403): ask for access to the model, or check the key.",
                    "key",
                )
            case 404 | 405:
                text, reason = (
                    f"{label} is not there ({error.status}){quoted}: check `model`, and `base_url` "
                    "(it usually ends in /v1).",
                    "not_found",
                )
            case 400 | 422 if "seed" in words.lower():
                text, reason = f"{label} does not take a seed{quoted}: set `seed: false`.", "refused"
            case 400 | 422 if "alternat" in words.lower():
                text, reason = f"{label} wants a user to begin{quoted}: set `user_starts`.", "refused"
            case 400 | 422:
                text, reason = (
                    f"{label} does not understand the request{quoted}: check `model`, `decoding` and `body`.",
                    "refused",
                )
            case _:
                return error
        return BotRefused(text, reason)


def _too_long(error: Refusal) -> bool:
    return error.status == 413 or (
        error.status in (400, 422) and any(sign in error.words.lower() for sign in TOO_LONG)
    )


def _count(usage: Any, key: str) -> int | None:
    value = usage.get(key) if isinstance(usage, dict) else None
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None


def _at_most(messages: Sequence[Mapping[str, str]]) -> int:
    """Returns an upper bound on the number of tokens, including each message's overhead.

    The bound holds for nearly all tokenizers.
    """
    return sum(len(message["content"].encode(errors="replace")) // 2 + 8 for message in messages)


def _estimate(messages: Sequence[Mapping[str, str]]) -> int:
    return sum(-(-len(message["content"]) // CHARACTERS_A_TOKEN) for message in messages)


class OpenAIAdapter(AdapterDefaults):
    bounded = True  # time limits and retries of its own
    pays_by_call = True
    Settings: type[Any] = Settings
    incidental = (*INCIDENTAL, "base_url", "api_key_env", "price_in", "price_out")

    def revision(self, settings: Mapping[str, Any]) -> str:
        own = _own(settings)
        parts = urlsplit(own.base_url)
        place = parts.netloc + parts.path.removesuffix("/v1")  # a gateway tells its bots apart by the path
        return " ".join(filter(None, [own.model, place, own.fingerprint]))

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        return True, "talks to any OpenAI-compatible server"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        own = _own(settings)
        return {
            "url": f"{own.base_url}/chat/completions",
            "model": own.model,
            "key": f"from {own.api_key_env}" if own.api_key_env else "none",
            "seed": "sent" if own.seed else "not sent",
            "limits": {name: getattr(own, name) for name in INCIDENTAL},
        }

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> Bot:  # noqa: ARG002
        return OpenAIBot(_own(settings), Role.of(settings))


adapter = OpenAIAdapter()
