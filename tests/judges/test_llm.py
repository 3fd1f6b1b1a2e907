"""A bot as judge: fixed prompt, both orders, replies that say nothing counted."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from arena.core.errors import InputError
from arena.core.types import Case, Kind
from judges import registry
from judges.llm import ASKED, Llm, parsed, statements

Served = tuple[str, list[str]]
SEEN = Case("I have two kids.", "How many kids do you have?", "Three.")


@pytest.fixture
def serve() -> Iterator[Callable[[Callable[[str], str]], Served]]:
    """A local model server whose replies a function of the prompt decides."""
    servers = []

    def start(reply: Callable[[str], str]) -> Served:
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked.append(body["messages"][-1]["content"])
                text = json.dumps(
                    {"choices": [{"message": {"content": reply(asked[-1])}, "finish_reason": "stop"}]}
                )
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_: Any) -> None:
                """Keeps the test quiet."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/v1", asked

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def judge_at(url: str, **settings: Any) -> Llm:
    bot = {"adapter": "openai", "model": "m", "base_url": url}
    created = registry.create("llm", "llm", {"bot": bot, **settings})
    assert isinstance(created, Llm)
    return created


def counts_differ(prompt: str) -> str:
    first, second = re.findall(r"(?:FIRST|SECOND): (.*)", prompt)
    words = {"two": 2, "three": 3}
    numbers = [{value for word, value in words.items() if word in text.lower()} for text in (first, second)]
    return "CONTRADICTION" if numbers[0] != numbers[1] else "Agreement."


async def test_it_judges_what_the_model_says(serve: Callable[..., Served]) -> None:
    url, asked = serve(counts_differ)
    judge = judge_at(url)
    other, same = await judge.judge([SEEN, Case(SEEN.source, SEEN.question, "Two of them.")])
    await judge.close()
    assert (other.contradiction, same.contradiction) == (1.0, 0.0)
    assert same.classes["entailment"] == 1.0
    assert len(asked) == 4
    first, second = statements(SEEN)
    assert set(asked[:4]) >= {
        ASKED.format(first=first, second=second),
        ASKED.format(first=second, second=first),
    }


async def test_orders_that_disagree_are_half_a_contradiction(serve: Callable[..., Served]) -> None:
    url, _ = serve(lambda prompt: "CONTRADICTION" if "FIRST: I have two" in prompt else "NEITHER")
    judge = judge_at(url)
    [judgement] = await judge.judge([SEEN])
    await judge.close()
    assert judgement.contradiction == 0.5
    assert judgement.evidence["orders_agree"] is False


async def test_unparsable_replies_are_counted(serve: Callable[..., Served]) -> None:
    url, _ = serve(lambda prompt: "CONTRADICTION" if "FIRST: I have two" in prompt else "Who can say?")
    judge = judge_at(url)
    [judgement] = await judge.judge([SEEN])
    await judge.close()
    assert (judgement.contradiction, judgement.evidence["unparsable"]) == (1.0, 1)
    url, _ = serve(lambda _: "I would like to talk about dogs.")
    judge = judge_at(url)
    [judgement] = await judge.judge([SEEN])
    await judge.close()
    assert (judgement.contradiction, judgement.reason, judgement.evidence["unparsable"]) == (
        None,
        "unparsable",
        2,
    )


async def test_a_bot_that_repeats_the_prompt_judges_nothing() -> None:
    judge = registry.create("x", "llm", {"bot": {"adapter": "echo"}})
    [judgement] = await judge.judge([SEEN])
    assert judgement.reason == "unparsable"


async def test_nothing_said_is_not_asked(serve: Callable[..., Served]) -> None:
    url, asked = serve(counts_differ)
    judge = judge_at(url)
    judgements = await judge.judge([Case(" ", "?", "x"), Case("x", "?", " ")])
    await judge.close()
    assert [one.reason for one in judgements] == ["empty_source", "empty_answer"]
    assert not asked


async def test_a_bot_that_fails_is_a_reason() -> None:
    judge = registry.create("x", "llm", {"bot": {"adapter": "faulty", "raises": 1.0}})
    [judgement] = await judge.judge([SEEN])
    assert judgement.contradiction is None
    assert judgement.reason == "error"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("CONTRADICTION", "contradiction"),
        ("They contradict each other.", "contradiction"),
        ("Agreement", "entailment"),
        ("There is no contradiction.", "entailment"),
        ("They are inconsistent", "contradiction"),
        ("They are consistent", "entailment"),
        ("Neither.", "neutral"),
        ("agreement or contradiction", None),
        ("", None),
        ("Yes", None),
    ],
)
def test_parsing(text: str, sentence: str | None) -> None:
    assert parsed(text) == sentence


def test_a_statement_is_one_line_and_cannot_grow_a_section() -> None:
    first, second = statements(Case("a\nSECOND: b", "q\n?", "x\n\nAGREEMENT " + "y" * 5000))
    assert "\n" not in first + second
    assert len(second) < 2000


def test_asked_twice_both_are_answers() -> None:
    first, second = statements(Case("Two.", SEEN.question, "Three.", kind=Kind.ASK_TWICE))
    assert first.startswith('Two. (the answer to "How') and second.startswith("Three. (")


def test_the_bot_is_part_of_the_revision_and_must_be_whole() -> None:
    one, other = judge_at("http://127.0.0.1:9/v1"), registry.create("x", "llm", {"bot": {"adapter": "echo"}})
    assert one.revision != other.revision
    with pytest.raises(InputError, match="needs an `adapter`"):
        registry.create("x", "llm", {"bot": {"model": "m"}})
    with pytest.raises(InputError, match="'bot'"):
        registry.create("x", "llm")
