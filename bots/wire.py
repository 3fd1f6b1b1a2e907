"""HTTP requests to a server: one client, its limits, its secret, and errors as one sentence."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpx
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from arena.core.amounts import Amount
from arena.core.errors import BotError, BotRefused
from arena.core.hashing import digest
from bots.accounts import Account, Bill, Call, paying
from bots.base import Reply
from bots.batching import DialogueCounter
from bots.limits import Departure, Limiter, Patience, Unheard, retry_after
from bots.secret import Secret
from bots.unpack import LONGEST, BadPacking, TooLong, body

CALL_MARGIN = 30.0  # additional seconds for sending, reading and storing a call
TURN_MARGIN = 0.5  # a call may arrive half a second later than the others, as with a limit of its own
QUOTED = 200  # characters of a server's own words in an error


def _url(value: str) -> str:
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError:
        raise ValueError("this is not a URL; write it as http://host:port/path") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("a URL has to begin with http:// or https:// and name a host")
    if parts.username is not None or parts.password is not None:
        raise ValueError(
            "a URL must not contain a user or password: name the key's environment variable instead"
        )
    if parts.query or parts.fragment:
        raise ValueError("a URL must not contain '?' or '#': it is stored and shown")
    return value.rstrip("/")


def _variable(value: str) -> str:
    # Capitals only, because a key pasted here by mistake would be stored: keys have small letters or hyphens.
    if not value or not value.isascii() or not value.replace("_", "A").isalnum() or value != value.upper():
        raise ValueError("write the name of an environment variable, in capitals, never the key itself")
    return value


Url = Annotated[str, AfterValidator(_url)]
Variable = Annotated[str, AfterValidator(_variable)]


class WireSettings(BaseModel):
    """The connection settings of served bots. They do not affect the replies."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    rate_limit: float | None = Field(default=None, gt=0, description="requests in any second")
    max_concurrency: int = Field(default=16, ge=1, description="requests under way at once")
    timeout: float = Field(default=120.0, gt=0, description="seconds for one answer")
    retries: int = Field(default=5, ge=0, description="further tries after a passing failure")
    backoff: float = Field(default=0.5, ge=0, description="seconds before the first retry; doubles")
    rate_limit_shared: bool = Field(
        default=False, description="the limit holds for all processes of the database together"
    )
    max_wait: float = Field(default=120.0, gt=0, description="longest wait for a retry, in seconds")


INCIDENTAL = tuple(WireSettings.model_fields)


class _Bearer(httpx.Auth):
    def __init__(self, secret: Secret) -> None:
        self._secret = secret

    def auth_flow(self, request: httpx.Request) -> Any:
        request.headers["Authorization"] = self._secret.header()
        yield request


class Refusal(BotRefused):
    """The server has refused the request. From status and message, the adapter can tell what to do."""

    def __init__(self, message: str, reason: str, status: int, words: str) -> None:
        super().__init__(message, reason)
        self.status = status
        self.words = words


@dataclass(frozen=True, slots=True)
class Turn:
    """A call that may be sent now."""

    bill: Bill
    departure: Departure


class Wire:
    """The connection of one bot to its server."""

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
        self._account: Account | None = None
        self.price: Callable[[int, int], float] = lambda read, written: 0.0  # noqa: ARG005

    def charge(self, account: Account) -> None:
        """Charges all further calls to this account."""
        self._account = account

    @asynccontextmanager
    async def turn(self, read: int, written: int, call: Call | None = None) -> AsyncIterator[Turn]:
        """Waits for a turn, and reserves money for a call that reads and writes at most this many tokens.

        The turn comes first, so that a call is sent as soon as its money is reserved.
        """
        most = Amount(1, read + written, self.price(read, written))
        async with self.limiter.slot() as departure, paying(self._account, self.url, most, call) as bill:
            if bill.kept is None:
                await self._turn_of_all()
            yield Turn(bill, departure)

    def call(self, dialogue: str, *about: Any) -> Call:
        """Returns the call with these texts in the form that the account uses."""
        key = digest(self.url, dialogue, list(about))[:64]
        return Call(key, dialogue, self._settings.timeout + CALL_MARGIN)

    async def known(self, call: Call) -> Reply | None:
        """Returns the reply if it was paid for before. Such a reply needs no turn."""
        kept = None if self._account is None else await self._account.recall(call.key)
        return None if kept is None else Reply(**kept)

    async def _turn_of_all(self) -> None:
        """Waits for this call's turn among the calls of all processes, if the processes share the rate."""
        settings = self._settings
        if settings.rate_limit_shared and settings.rate_limit and self._account is not None:
            await self._account.turn(digest(self.url)[:32], (1 + TURN_MARGIN) / settings.rate_limit)

    def attend(self, company: DialogueCounter) -> None:
        self._company = company

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Marks a wait, so that other bots' batches do not wait for this dialogue."""
        with self._company.waiting() if self._company is not None else nullcontext():
            yield

    async def post(self, turn: Turn, content: bytes, content_type: str = "application/json") -> Any:
        """Makes one attempt. Returns the JSON response, or raises a BotError that says what went wrong."""
        status, headers, text = await self._answer(content, content_type, turn.departure)
        if status != 200:
            raise self._failure(status, headers, text)
        if not text.strip():
            raise BotError(f"{self.label} answered with nothing: look into the server's log.", "empty_answer")
        try:
            answer = json.loads(text)
            return answer if self._secret is None else self._secret.redacted(answer)
        except RecursionError:
            raise BotError(
                f"{self.label} answered with JSON that is nested too deeply: check its URL.", "bad_answer"
            ) from None
        except ValueError:
            start = text[:QUOTED]
            raise BotError(
                f"{self.label} answered with something that is not JSON ({start!r}): check its URL.",
                "bad_answer",
            ) from None

    async def _answer(
        self, content: bytes, content_type: str, departure: Departure
    ) -> tuple[int, httpx.Headers, str]:
        """Returns status, headers and text. Every network failure raises an error of one sentence."""
        try:
            async with asyncio.timeout(self._settings.timeout):
                return await self._exchange(content, content_type, departure)
        except TimeoutError:
            raise BotError(
                f"{self.label} gave no answer within {self._settings.timeout:g} s: "
                "raise `timeout` or lower `max_concurrency`.",
                "timeout",
            ) from None
        # `from None`: the causes hold requests, and with them the key.
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise _unreached(self.label, error) from None
        except httpx.TimeoutException:
            raise BotError(
                f"{self.label} did not finish its answer in time: try again or raise `timeout`.", "timeout"
            ) from None
        except httpx.TransportError as error:
            raise BotError(
                f"{self.label} ended its answer too early ({type(error).__name__}): look into its log.",
                "broken_answer",
            ) from None
        except TooLong:
            raise BotRefused(
                f"{self.label} sends more than {LONGEST >> 20} MB, as no chat server does: check its URL.",
                "bad_answer",
            ) from None
        except BadPacking:
            raise BotError(
                f"{self.label} sent an answer that cannot be unpacked: switch its compression off.",
                "bad_answer",
            ) from None

    def clean(self, text: str) -> str:
        """Removes the key from a text, because the server may have repeated it."""
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

        headers = {
            "Content-Type": content_type,
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # a small packed answer can unpack to gigabytes
        }
        async with self._client.stream(
            "POST", self.url, content=content, headers=headers, extensions={"trace": trace}
        ) as response:
            raw = await body(response.aiter_raw(), response.headers.get("content-encoding", ""))
            return response.status_code, response.headers, self.clean(raw.decode("utf-8", "replace"))

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

    def _failure(self, status: int, headers: httpx.Headers, answer: str) -> BotError:
        words = server_words(answer, self.clean)
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


def server_words(answer: str, clean: Callable[[str], str]) -> str:
    """Returns the server's message about a failure: shortened, on one line, and without the key."""
    try:
        value = json.loads(answer)
        while isinstance(value, dict):
            value = next((value[key] for key in ("error", "message", "detail") if value.get(key)), "")
        text = value if isinstance(value, str) else json.dumps(value)
    except (ValueError, RecursionError):
        text = answer
    line = " ".join("".join(c if c.isprintable() else " " for c in clean(text)).split())
    return clean(line)[:QUOTED]  # again, because cleaning may have joined parts of the key


def _unreached(label: str, error: Exception) -> BotError:
    """Returns why no connection was made.

    An invalid certificate, for example, does not mean that the server is down.
    """
    chain: BaseException | None = error
    while chain is not None:
        if isinstance(chain, ssl.SSLCertVerificationError):
            why = (chain.verify_message or "it cannot be verified").rstrip(".")
            return BotRefused(
                f"{label} shows a certificate that is not trusted ({why}): correct the URL's host, or add the "
                "certificate's issuer to the file that SSL_CERT_FILE names.",
                "tls",
            )
        if isinstance(chain, ssl.SSLError):
            return BotRefused(f"{label} does not speak TLS properly: use http:// if it has none.", "tls")
        chain = chain.__cause__ or chain.__context__
    return Unheard(f"{label} cannot be reached: is the server running?", "unreachable")
