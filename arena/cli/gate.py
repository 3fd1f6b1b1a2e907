"""Access control for the web pages: only requests with the right Host, Origin and token get through."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HEALTH = "/_stcore/health"  # tells only that the server runs
MONTH = 30 * 24 * 3600


class Gate:
    """ASGI middleware that lets only permitted requests reach the web application.

    `hosts` and `origins` include ports. If `token` is None, requests need no token.
    """

    def __init__(
        self, app: App, *, hosts: Iterable[str], origins: Iterable[str], token: str | None, port: int
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._origins = frozenset(origin.lower() for origin in origins)
        self._token = token
        self._cookie = f"arena-token-{port}"  # browsers send cookies to every port of a host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        if not self._known(headers):
            await _refuse(scope, send, "This address is not one of the server's own.")
            return
        if self._token is None or _asks_for_health(scope) or self._has_cookie(headers):
            await self._app(scope, receive, send)
            return
        query = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
        given = [value for key, value in query if key == "token"]
        if scope["type"] == "http" and given and self._right(given[-1]):
            rest = [(key, value) for key, value in query if key != "token"]
            await self._welcome(send, scope["path"], rest)
            return
        await _refuse(
            scope,
            send,
            "Open the address that 'arena ui' printed: it ends in ?token= and some letters. "
            "Without the token another account of this machine could act as you.",
        )

    def _known(self, headers: dict[str, list[str]]) -> bool:
        """Whether the Host header is permitted, and the Origin header too if it is sent."""
        hosts, origins = headers.get("host", []), headers.get("origin", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return False
        return all(origin.lower() in self._origins for origin in origins)

    def _has_cookie(self, headers: dict[str, list[str]]) -> bool:
        for line in headers.get("cookie", []):
            try:
                morsel = SimpleCookie(line).get(self._cookie)
            except CookieError:
                continue
            if morsel is not None and self._right(morsel.value):
                return True
        return False

    def _right(self, given: str) -> bool:
        return self._token is not None and secrets.compare_digest(given.encode(), self._token.encode())

    async def _welcome(self, send: Send, path: str, query: list[tuple[str, str]]) -> None:
        """Store the token in a cookie, and redirect to the address without the token."""
        # Exactly one slash: a browser reads //host as another site.
        target = "/" + path.lstrip("/\\") + (f"?{urlencode(query)}" if query else "")
        cookie = f"{self._cookie}={self._token}; Path=/; Max-Age={MONTH}; HttpOnly; SameSite=Lax"
        headers = [
            (b"location", target.encode("ascii", "ignore").replace(b"\r", b"").replace(b"\n", b"")),
            (b"set-cookie", cookie.encode()),
            (b"cache-control", b"no-store"),
            (b"referrer-policy", b"no-referrer"),
            (b"content-length", b"0"),
        ]
        await send({"type": "http.response.start", "status": 302, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _asks_for_health(scope: Scope) -> bool:
    return bool(scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and scope["path"] == HEALTH)


def _headers(scope: Scope) -> dict[str, list[str]]:
    headers: dict[str, list[str]] = {}
    for name, value in scope.get("headers", ()):
        headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return headers


async def _refuse(scope: Scope, send: Send, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    body = sentence.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def local(port: int) -> tuple[list[str], list[str]]:
    """Return the hosts and origins of this machine; for port 80, also without a port, as browsers send them."""
    names = ("127.0.0.1", "localhost", "[::1]")
    hosts = [f"{name}:{port}" for name in names] + (list(names) if port == 80 else [])
    return hosts, [f"http://{host}" for host in hosts]


def public(url: str) -> tuple[list[str], list[str]]:
    """Return the hosts and origins of the public URL."""
    parts = urlsplit(url)
    name = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else str(parts.hostname)
    usual = 443 if parts.scheme == "https" else 80
    port = parts.port or usual
    hosts = [f"{name}:{port}"] + ([name] if port == usual else [])
    return hosts, [f"{parts.scheme}://{host}" for host in hosts]
