"""Who may talk to the web pages: Host and Origin with their ports, and the token of the address."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import httpx
import pytest

from arena.cli.gate import Gate, local, public

TOKEN = "a-secret"
HOSTS, ORIGINS = local(8501)
PUBLIC_HOSTS, PUBLIC_ORIGINS = public("https://arena.example.org/pages")


async def pages(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": b"the pages"})


def gate(token: str | None = TOKEN) -> Gate:
    return Gate(pages, hosts=HOSTS, origins=ORIGINS, token=token, port=8501)


def client(guarded: Gate, base: str = "http://127.0.0.1:8501") -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(guarded), base_url=base)


async def socket(guarded: Gate, *headers: tuple[str, str], query: str = "") -> str:
    sent: list[str] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message["type"])

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "websocket.connect"}

    raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": raw, "query_string": query.encode()}
    await guarded(scope, receive, send)
    return sent[0]


async def test_the_token_opens_the_pages_once_and_for_the_browser() -> None:
    async with client(gate()) as browser:
        refused = await browser.get("/")
        assert refused.status_code == 403 and "?token=" in refused.text
        assert (await browser.get("/?token=wrong")).status_code == 403
        welcome = await browser.get("/leaderboard", params={"token": TOKEN, "tournament": "a b", "x": ""})
        assert welcome.status_code == 302
        assert welcome.headers["location"] == "/leaderboard?tournament=a+b&x="
        cookie = welcome.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
        assert (await browser.get("/leaderboard")).text == "the pages"
    async with client(gate()) as other:
        assert (await other.get("/leaderboard")).status_code == 403
        assert (await other.get("/", headers={"Cookie": "arena-token-8501=nonsense; ="})).status_code == 403
        assert (await other.get("/_stcore/health")).status_code == 200
        assert (await other.put("/_stcore/upload_file/_stcore/health")).status_code == 403
        assert (await other.get("/leaderboard/_stcore/health")).status_code == 403
        assert (await other.post("/_stcore/health")).status_code == 403


@pytest.mark.parametrize("path", ["//evil.example/x", "/\\evil.example", "/%0d%0aX:y"])
async def test_the_token_leads_to_no_other_site(path: str) -> None:
    async with client(gate()) as browser:
        welcome = await browser.send(httpx.Request("GET", f"http://127.0.0.1:8501{path}?token={TOKEN}"))
        assert welcome.status_code == 302
        target = welcome.headers["location"]
        assert target.startswith("/") and not target.startswith(("//", "/\\"))


async def test_another_account_of_the_machine_cannot_open_a_socket() -> None:
    own = ("Host", "127.0.0.1:8501"), ("Origin", "http://127.0.0.1:8501")
    assert await socket(gate(), *own) == "websocket.close"
    assert await socket(gate(), *own, query=f"token={TOKEN}") == "websocket.close"  # sockets bring the cookie
    assert await socket(gate(), *own, ("Cookie", "arena-token-8501=wrong")) == "websocket.close"
    assert await socket(gate(), *own, ("Cookie", f"x=1; arena-token-8501={TOKEN}")) == "websocket.accept"
    assert await socket(gate(), ("Host", "127.0.0.1:8501")) == "websocket.close"


@pytest.mark.parametrize(
    "origin",
    ["http://localhost:3000", "http://127.0.0.1", "https://127.0.0.1:8501", "http://evil.example", "null"],
)
async def test_a_page_of_another_port_or_site_may_not_talk_to_the_server(origin: str) -> None:
    cookie = ("Cookie", f"arena-token-8501={TOKEN}")
    host = ("Host", "127.0.0.1:8501")
    assert await socket(gate(), host, cookie, ("Origin", origin)) == "websocket.close"
    async with client(gate()) as browser:
        headers = {"Origin": origin, "Cookie": cookie[1]}
        assert (await browser.post("/_stcore/upload_file", headers=headers)).status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8501", "127.0.0.1:1", "127.0.0.1", ""])
async def test_a_name_that_leads_to_this_machine_is_not_enough(host: str) -> None:
    cookie = {"Cookie": f"arena-token-8501={TOKEN}"}
    async with client(gate()) as browser:
        assert (await browser.get("/", headers={**cookie, "Host": host})).status_code == 403


async def test_two_hosts_are_none() -> None:
    headers = ("Host", "127.0.0.1:8501"), ("Host", "evil.example"), ("Cookie", f"arena-token-8501={TOKEN}")
    assert await socket(gate(), *headers) == "websocket.close"


async def test_behind_a_proxy_only_the_public_address_counts() -> None:
    guarded = Gate(pages, hosts=[*HOSTS, *PUBLIC_HOSTS], origins=PUBLIC_ORIGINS, token=None, port=8501)
    origin = ("Origin", "https://arena.example.org")
    for host in ("arena.example.org", "arena.example.org:443", "127.0.0.1:8501"):
        assert await socket(guarded, ("Host", host), origin) == "websocket.accept"
    for host in ("rebound.example", "arena.example.org:8443"):
        assert await socket(guarded, ("Host", host), origin) == "websocket.close"
    for other in ("http://arena.example.org", "https://arena.example.org:8443", "http://localhost:8501"):
        assert await socket(guarded, ("Host", "arena.example.org"), ("Origin", other)) == "websocket.close"


def test_addresses_have_their_ports() -> None:
    assert local(80)[0] == ["127.0.0.1:80", "localhost:80", "[::1]:80", "127.0.0.1", "localhost", "[::1]"]
    assert "127.0.0.1" not in HOSTS and "http://[::1]:8501" in ORIGINS
    assert public("http://[fe80::1]:81/x") == (["[fe80::1]:81"], ["http://[fe80::1]:81"])
    assert public("http://h") == (["h:80", "h"], ["http://h:80", "http://h"])
