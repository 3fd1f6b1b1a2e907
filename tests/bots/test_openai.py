"""The openai adapter against servers on this machine: kind ones, broken ones, and a real one."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from arena.core.errors import BotError, BotRefused, InputError, MissingPart
from bots import registry, weights
from bots.base import Line, ReplyRequest
from tests.bots.local_server import Answer, Call, Server, completion, ok, serve
from tests.bots.served import CANARY, ask, kind, request


async def test_what_is_sent_and_what_comes_back() -> None:
    async with serve(kind) as server:
        history = (Line("first", False), Line("mine", True), Line("second", False), Line("mine too", True))
        (reply,) = await ask(
            server,
            ReplyRequest("d", (*history, Line("third", False)), seed=2**40 + 5, knowledge="Rome is old."),
            persona="You are Ann.",
            frame="none",
            memory=3,
            decoding={"temperature": 0.5, "max_tokens": 9, "stop": ["\n"]},
            body={"top_k": 4},
            price_in=2.0,
            price_out=4.0,
        )
    assert (reply.text, reply.tokens_in, reply.tokens_out, reply.error) == ("hi there", 10, 2, None)
    assert reply.cost == pytest.approx((10 * 2 + 2 * 4) / 1e6)
    call = server.calls[0]
    assert call.path == "/v1/chat/completions"
    assert "authorization" not in call.headers
    assert call.json == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "You are Ann.\nRome is old."},
            {"role": "user", "content": "second"},
            {"role": "assistant", "content": "mine too"},
            {"role": "user", "content": "third"},
        ],
        "stream": False,
        "temperature": 0.5,
        "top_p": 0.9,
        "max_tokens": 9,
        "stop": ["\n"],
        "seed": 5,
        "top_k": 4,
    }


async def test_the_messages_of_a_frame_are_sent_before_the_history() -> None:
    async with serve(kind) as server:
        own = "Be a pirate. {persona}{before}\nReady?\nArr!"
        await ask(server, request("Who are you?"), persona="I am Ann.", frame=own)
    assert [(m["role"], m["content"]) for m in server.calls[0].json["messages"]] == [
        ("system", "Be a pirate. I am Ann."),
        ("user", "Ready?"),
        ("assistant", "Arr!"),
        ("user", "Who are you?"),
    ]


async def test_seed_left_out_and_an_opener_of_ones_own() -> None:
    async with serve(kind) as server:
        await ask(
            server,
            request(history=(Line("hello, I am the bot", True),)),
            seed=False,
            user_starts="(the talk begins)",
            decoding={"top_p": None, "max_tokens": None},
        )
    sent = server.calls[0].json
    assert set(sent) == {"model", "messages", "stream"}
    assert [m["role"] for m in sent["messages"]] == ["user", "assistant", "user"]


async def test_uncounted_tokens_are_estimated_and_say_so() -> None:
    async def handle(_: Call) -> Answer:
        return completion("12345678", usage=None)

    async with serve(handle) as server:
        (reply,) = await ask(server, request("x" * 40), price_in=1e6, price_out=1e6)
    assert (reply.tokens_in, reply.tokens_out, reply.cost) == (10, 2, 12.0)
    assert reply.facts == {"tokens_estimated": True}


BROKEN: list[Answer | bytes] = [
    (429, {"Retry-After": "0.05"}, b""),
    (429, {"Retry-After": "Wed, 18 Nov 2015 12:00:30 GMT"}, b"slow down"),
    (500, {}, b"Traceback (most recent call last)"),
    (503, {"Retry-After": "0"}, b""),
    (200, {}, b"<html>garbage</html>"),
    (200, {}, b""),
    (200, {}, b'{"choices": ['),
    ok({"choices": []}),
    ok([1, 2]),
    ok({"choices": [{"message": {"content": None}, "finish_reason": "length"}]}),
    b"",
    b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n" + b'{"choices": [{"mess',
    b"not even HTTP\r\n\r\n",
]


async def test_broken_answers_cost_retries_not_results() -> None:
    """Each dialogue meets every fault once, in another order, before its answer comes."""
    met: dict[str, int] = {}

    async def handle(call: Call) -> Answer | bytes:
        text = call.json["messages"][-1]["content"]
        met[text] = met.get(text, 0) + 1
        if met[text] <= len(BROKEN):
            return BROKEN[(int(text) + met[text]) % len(BROKEN)]
        return completion(f"answer to {text}")

    async with serve(handle) as server:
        replies = await ask(server, *(request(str(n), seed=n) for n in range(30)), retries=len(BROKEN))
    assert [reply.text for reply in replies] == [f"answer to {n}" for n in range(30)]
    assert all(reply.error is None and reply.facts["retries"] == len(BROKEN) for reply in replies)


async def test_a_retry_waits_as_long_as_the_server_says() -> None:
    async def handle(_: Call) -> Answer:
        return (429, {"Retry-After": "0.3"}, b"") if len(server.calls) == 1 else completion("now")

    async with serve(handle) as server:
        (reply,) = await ask(server)
    assert reply.text == "now"
    assert server.arrivals[1] - server.arrivals[0] >= 0.3


@pytest.mark.parametrize(
    ("status", "body", "reason", "words"),
    [
        (400, {"error": {"message": "unknown parameter seed"}}, "refused", "seed: false"),
        (400, {"error": {"message": "Conversation roles must alternate"}}, "refused", "user_starts"),
        (422, {"detail": "top_p is odd"}, "refused", "top_p is odd"),
        (401, {"error": "who?"}, "key", "api_key_env"),
        (403, {}, "key", "forbids"),
        (404, {"message": "no such model"}, "not_found", "no such model"),
        (413, {}, "too_long", "longer context"),
        (307, {}, "refused", "final URL"),
        (418, {}, "refused", "418"),
    ],
)
async def test_refusals_say_what_to_do(status: int, body: dict[str, Any], reason: str, words: str) -> None:
    async def handle(_: Call) -> Answer:
        return ok(body, status)

    async with serve(handle) as server:
        (reply,) = await ask(server)
    assert isinstance(reply.error, BotRefused) and reply.error.reason == reason
    assert words in str(reply.error) and "\n" not in str(reply.error)
    assert len(server.calls) == 1  # no retry fixes a refusal


@pytest.mark.parametrize(
    ("status", "reason"), [(429, "rate_limited"), (502, "server_error"), (503, "server_error")]
)
async def test_lasting_failures_end_in_one_sentence(status: int, reason: str) -> None:
    async def handle(_: Call) -> Answer:
        return ok({}, status)

    async with serve(handle) as server:
        (reply,) = await ask(server, retries=2)
    assert isinstance(reply.error, BotError) and reply.error.reason == reason
    assert "gave up after 3 tries" in str(reply.error)
    assert len(server.calls) == 3


async def test_a_silent_server_is_a_timeout_and_no_server_is_unreachable() -> None:
    silent = asyncio.Event()

    async def handle(_: Call) -> Answer:
        await silent.wait()
        return completion("too late")

    async with serve(handle) as server:
        (reply,) = await ask(server, timeout=0.1, retries=1)
        assert isinstance(reply.error, BotError) and reply.error.reason == "timeout"
        silent.set()
    (reply,) = await ask(server, retries=0)
    assert isinstance(reply.error, BotError) and reply.error.reason == "unreachable"


async def test_a_history_too_long_loses_its_oldest_messages_never_the_persona() -> None:
    async def handle(call: Call) -> Answer:
        if len(call.json["messages"]) > 4:
            return ok({"error": {"message": "maximum context length is 4 messages"}}, 400)
        return completion("fits")

    history = tuple(Line(str(n), mine=bool(n % 2)) for n in range(10))
    async with serve(handle) as server:
        (reply,) = await ask(server, request("last", history=history), persona="I am Ann.", frame="none")
    assert reply.text == "fits"
    sent = server.calls[-1].json["messages"]
    assert sent[0] == {"role": "system", "content": "I am Ann."}
    assert sent[-1]["content"] == "last"
    assert reply.dropped == 11 - (len(sent) - 1) > 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "ftp://host/v1"},
        {"base_url": "127.0.0.1:8000"},
        {"base_url": "http://user:secret@host/v1"},
        {"base_url": "http://host/v1?key=secret"},
        {"base_url": "http://host:port/v1"},
        {"api_key_env": CANARY},
        {"api_key_env": "sk_live_abc"},
        {"body": {"messages": []}},
        {"temperatur": 1},
        {"rate_limit": 0},
    ],
)
def test_wrong_settings_are_refused_without_showing_secrets(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        registry.settle("openai", {"model": "m", "base_url": "http://host/v1"} | wrong)
    assert "secret" not in str(caught.value) and CANARY not in str(caught.value)


def test_identity_is_model_host_and_decoding_not_limits() -> None:
    given = {"model": "m", "base_url": "http://host/v1"}
    same = registry.identity("openai", given)
    assert same == registry.identity("openai", given | {"rate_limit": 3, "timeout": 9, "price_in": 1.0})
    hosts = ({"base_url": "http://host:8001/v1"}, {"base_url": "http://host/other/v1"})
    for other in (*hosts, {"fingerprint": "v2"}, {"decoding": {"top_p": 0.5}}):
        assert same != registry.identity("openai", given | other)


SERVE = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port, params.n_parallel, params.n_ctx, params.verbosity = sys.argv[1], 0, 2, 1024, 0
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.mark.slow
async def test_against_llama_cpps_own_server() -> None:
    pytest.importorskip("xllamacpp", reason="llama.cpp's server is not installed: pip install xllamacpp")
    try:
        file = weights.need("smollm2-135m")
    except MissingPart as error:
        pytest.skip(str(error))
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        server = Server(kind, port=int(process.stdout.readline().strip().rpartition(":")[2]))
        greedy = {"temperature": 0.0, "max_tokens": 8}
        requests = [request("What is the capital of France?", dialogue=str(n)) for n in range(4)]
        replies = await ask(server, *requests, decoding=greedy, price_in=1.0, timeout=600.0)
        assert len({reply.text for reply in replies}) == 1 and replies[0].text
        assert all(
            reply.error is None and reply.tokens_out == 8 and reply.tokens_in > 10 for reply in replies
        )
        assert replies[0].cost > 0
        (long,) = await ask(
            server, request("again " * 400, history=history_of(12)), decoding=greedy, timeout=600.0
        )
        assert long.error is None and long.dropped > 0
    finally:
        process.kill()
        process.wait()


def history_of(messages: int) -> tuple[Line, ...]:
    return tuple(Line("a fairly long message " * 8, mine=bool(n % 2)) for n in range(messages))
