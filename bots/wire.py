"""Asking a server over HTTP: one client, its limits, its secret, and every failure as a sentence."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpx
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from arena.core.errors import BotError, BotRefused, InputError
from bots.batching import DialogueCounter
from bots.limits import Departure, Limiter, Patience, retry_after

QUOTED = 200  # characters of a server's own words in an error
LONGEST = 8 << 20  # bytes of an answer; more is no chat message


def _url(value: str) -> str:
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError:
        raise ValueError("this is no URL; write it as http://host:port/path") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("a URL has to begin with http:// or https:// and name a host")
    if parts.username is not None or parts.password is not None:
        raise ValueError("a URL must carry no user or password: name the key's environment variable instead")
    if parts.query or parts.fragment:
        raise ValueError("a URL must carry no '?' or '#': it is stored and shown")
    return value.rstrip("/")


def _variable(value: str) -> str:
    # Capitals only, because a key pasted here by mistake would be stored: keys have small letters or hyphens.
    if not value or not value.isascii() or not value.replace("_", "A").isalnum() or value != value.upper():
        raise ValueError("write the name of an environment variable, in capitals, never the key itself")
    return value


Url = Annotated[str, AfterValidator(_url)]
Variable = Annotated[str, AfterValidator(_variable)]


class WireSettings(BaseModel):
    """What every served bot may say of its connection; none of it changes what the bot says."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    rate_limit: float | None = Field(default=None, gt=0, description="requests in any second")
    max_concurrency: int = Field(default=16, ge=1, description="requests under way at once")
    timeout: float = Field(default=120.0, gt=0, description="seconds for one answer")
    retries: int = Field(default=5, ge=0, description="further tries after a passing failure")
    backoff: float = Field(default=0.5, ge=0, description="seconds before the first retry; doubles")
    max_wait: float = Field(default=120.0, gt=0, description="longest wait for a retry, in seconds")


INCIDENTAL = tuple(WireSettings.model_fields)


class Secret:
    """A key that cannot be printed by accident."""

    __slots__ = ("_value", "variable")

    def __init__(self, value: str, variable: str) -> None:
        self._value = value
        self.variable = variable

    @classmethod
    def read(cls, variable: str) -> Secret:
        value = os.environ.get(variable, "").strip()
        if not value:
            raise InputError(
                f"The environment variable {variable} is not set: put the service's key into it."
            )
        if not value.isascii() or not value.isprintable():
            raise InputError(
                f"The environment variable {variable} holds no usable key: it has odd characters in it."
            )
        return cls(value, variable)

    def header(self) -> str:
        return f"Bearer {self._value}"

    def redact(self, text: str) -> str:
        return text.replace(self._value, "***")

    def __repr__(self) -> str:
        return f"Secret({self.variable})"

    def __reduce__(self) -> Any:
        raise TypeError("a secret is not pickled")


class _Bearer(httpx.Auth):
    def __init__(self, secret: Secret) -> None:
        self._secret = secret

    def auth_flow(self, request: httpx.Request) -> Any:
        request.headers["Authorization"] = self._secret.header()
        yield request


class Unheard(BotError):
    """The server certainly did not act on the request, so that sending it again repeats nothing."""


class Refusal(BotRefused):
    """The server said no; status and its own words let the adapter say what to do."""

    def __init__(self, message: str, reason: str, status: int, words: str) -> None:
        super().__init__(message, reason)
        self.status = status
        self.words = words


class Wire:
    """One server as one bot sees it."""

    def __init__(self, label: str, url: str, settings: WireSettings, secret: Secret | None = None) -> None:
        self.label = label
        self.url = url
        self.host = urlsplit(url).netloc
        self.limiter = Limiter(settings.rate_limit, settings.max_concurrency)
        self.patience = Patience(settings.retries, settings.backoff, settings.max_wait)
        self._settings = settings
        self._secret = secret
        self._client: httpx.AsyncClient | None = None
        self._company: DialogueCounter | None = None

    def attend(self, company: DialogueCounter) -> None:
        self._company = company

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Tells the other bots' batches that this dialogue cannot join them for now."""
        with self._company.waiting() if self._company is not None else nullcontext():
            yield

    async def post(self, content: bytes, content_type: str = "application/json") -> Any:
        """One try: the JSON that came back, or a BotError that says what went wrong."""
        async with self.limiter.slot() as departure:
            try:
                async with asyncio.timeout(self._settings.timeout):
                    status, headers, body = await self._exchange(content, content_type, departure)
            except TimeoutError:
                raise BotError(
                    f"{self.label} gave no answer within {self._settings.timeout:g} s: "
                    "raise `timeout` or lower `max_concurrency`.",
                    "timeout",
                ) from None
            # `from None`: the causes hold requests, and with them the key.
            except (httpx.ConnectError, httpx.ConnectTimeout):
                raise Unheard(
                    f"{self.label} cannot be reached: is the server running?", "unreachable"
                ) from None
            except httpx.TimeoutException:
                raise BotError(
                    f"{self.label} stopped answering: try again or raise `timeout`.", "timeout"
                ) from None
            except httpx.TransportError as error:
                raise BotError(
                    f"{self.label} broke off before its answer was whole ({type(error).__name__}): "
                    "look into its log.",
                    "broken_answer",
                ) from None
            except httpx.DecodingError:
                raise BotError(
                    f"{self.label} sent an answer that cannot be unpacked: look into its log.", "bad_answer"
                ) from None
        if status != 200:
            raise self._failure(status, headers, body)
        if not body.strip():
            raise BotError(f"{self.label} answered with nothing: look into the server's log.", "empty_answer")
        try:
            return json.loads(body)
        except ValueError:
            start = body[:QUOTED]
            raise BotError(
                f"{self.label} answered with something that is not JSON ({start!r}): check its URL.",
                "bad_answer",
            ) from None

    def clean(self, text: str) -> str:
        """The text without the key, should a server echo it."""
        return self._secret.redact(text) if self._secret is not None else text

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _exchange(
        self, content: bytes, content_type: str, departure: Departure
    ) -> tuple[int, httpx.Headers, str]:
        if self._client is None:
            self._client = self._open()

        async def trace(event: str, _: Any) -> None:
            if event.endswith("send_request_body.complete"):
                departure.sent()

        body = bytearray()
        headers = {"Content-Type": content_type, "Accept": "application/json"}
        async with self._client.stream(
            "POST", self.url, content=content, headers=headers, extensions={"trace": trace}
        ) as response:
            async for part in response.aiter_bytes():
                body += part
                if len(body) > LONGEST:
                    raise BotRefused(
                        f"{self.label} sends more than {LONGEST >> 20} MB, as no chat server does: check its URL.",
                        "bad_answer",
                    )
            text = body.decode("utf-8", "replace")
            return response.status_code, response.headers, self.clean(text)

    def _open(self) -> httpx.AsyncClient:
        seconds, many = self._settings.timeout, self._settings.max_concurrency
        return httpx.AsyncClient(
            auth=_Bearer(self._secret) if self._secret is not None else None,
            timeout=httpx.Timeout(seconds, connect=min(10.0, seconds), pool=None),
            # Shorter than common servers keep an idle connection, so that none is used just as it is closed.
            limits=httpx.Limits(max_connections=many, max_keepalive_connections=many, keepalive_expiry=3.0),
            # A proxy for the world outside must not catch calls to a server on this machine.
            trust_env=urlsplit(self.url).hostname not in ("127.0.0.1", "localhost", "::1"),
        )

    def _failure(self, status: int, headers: httpx.Headers, body: str) -> BotError:
        words = said(body)
        quoted = f" ({words})" if words else ""
        after = retry_after(headers.get("retry-after"))
        if status == 429:
            return Unheard(
                f"{self.label} gets too many requests (429): lower `rate_limit` or `max_concurrency`.",
                "rate_limited",
                after,
            )
        if status == 503:
            return Unheard(
                f"{self.label} is overloaded or not ready (503): try again later.", "server_error", after
            )
        if status in (408, 409, 425) or status >= 500:
            return BotError(
                f"{self.label} failed with status {status}{quoted}: look into its log.", "server_error", after
            )
        if 300 <= status < 400:
            return Refusal(
                f"{self.label} sends us elsewhere ({status}): give its final URL.", "refused", status, ""
            )
        return Refusal(
            f"{self.label} refused the request with status {status}{quoted}.", "refused", status, words
        )


def said(body: str) -> str:
    """The server's own words on a failure, short and on one line."""
    try:
        found = json.loads(body)
    except ValueError:
        found = body
    while isinstance(found, dict):
        found = next((found[key] for key in ("error", "message", "detail") if found.get(key)), "")
    text = found if isinstance(found, str) else json.dumps(found)
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:QUOTED]
