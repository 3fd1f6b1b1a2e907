"""Bots in a process of their own: what they may not do, and what their death costs."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.core.errors import BotError, BotRefused, InputError, MissingPart
from bots import group, registry
from bots.base import Line, Reply, ReplyRequest
from db.health import examine
from tests.support import plugin
from tests.support.tournaments import STEADY, exported, play, store, text


@pytest.fixture(autouse=True, scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with plugin.installed(tmp_path_factory.mktemp("plugins")):
        yield


def bot_for(adapter: str = "obedient", **settings: Any) -> Any:
    return registry.create(registry.spec("p", adapter, {"isolate": True, **settings}))


def session(bot: Any) -> int:
    return int(bot._process._child.pid)


async def gone(first: int) -> bool:
    """Whether nothing of a session runs any more; what nobody has reaped yet does not."""
    for _ in range(100):
        states = {
            (process / "stat").read_text().rpartition(")")[2].split()[0] for process in group._members(first)
        }
        if states <= {"Z", "X"}:
            return True
        await asyncio.sleep(0.02)
    return False


async def tell(bot: Any, order: str, number: int = 1) -> Reply:
    replies: list[Reply] = await bot.reply([ReplyRequest("d", (Line(order, mine=False),), number)])
    return replies[0]


@pytest.fixture
def can_leave_the_network() -> None:
    if subprocess.run(["unshare", "--user", "--net", "true"], capture_output=True).returncode:
        pytest.skip("this kernel lets no program give up its network")


async def test_it_answers_as_it_does_here() -> None:
    here, apart = registry.create(registry.spec("p", "scripted", {})), bot_for("scripted")
    requests = [
        ReplyRequest(f"d{n}", (Line(question, mine=False),), n)
        for n, question in enumerate(["What is your name?", "Where do you live?", "Straße\n\u2028 😀", ""])
    ]
    assert await apart.reply(requests) == await here.reply(requests)
    await apart.close()
    await apart.close()


@pytest.mark.usefixtures("can_leave_the_network")
async def test_it_reaches_no_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        bot = bot_for(port=server.getsockname()[1])
        answer = (await tell(bot, "connect")).text
        await bot.close()
        outside = registry.create(registry.spec("p", "obedient", {"port": server.getsockname()[1]}))
        assert (await tell(outside, "connect")).text == "connected"  # so the test would see it
    assert answer == os.strerror(101)  # network is unreachable


async def test_it_knows_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-canary")
    monkeypatch.setenv("ARENA_DB", "postgresql://user:canary@host/db")
    bot = bot_for()
    seen = (await tell(bot, "environment")).text
    await bot.close()
    assert "PATH=" in seen and "canary" not in seen


async def test_it_gets_no_more_memory_than_it_may_have() -> None:
    bot = bot_for(resources={"memory": 1 << 30})
    with pytest.raises(BotError, match="needs more memory") as caught:
        await tell(bot, "fill")
    assert caught.value.reason == "memory"
    assert (await tell(bot, "still there?")).text == "as you say: still there?"
    await bot.close()


@pytest.mark.parametrize("order", ["share", "multiply"])
async def test_shared_memory_and_that_of_its_children_counts_too(order: str) -> None:
    """The kernel's limit is one for each process, and only for what it does not share."""
    if not Path("/proc/self/smaps_rollup").is_file():
        pytest.skip("this kernel does not tell what memory processes have")
    bot = bot_for(resources={"memory": 1 << 30})
    first = session(bot)
    with pytest.raises(BotError, match="needs more memory") as caught:
        await tell(bot, order)
    assert caught.value.reason == "memory" and await gone(first)
    assert (await tell(bot, "still there?")).text == "as you say: still there?"
    await bot.close()


@pytest.mark.parametrize("order", ["leave", "leave for good"])
async def test_a_child_that_it_leaves_holds_nothing_up(order: str) -> None:
    """The child has the bot's output open, so that its end is not seen there."""
    bot = bot_for()
    first = session(bot)
    async with asyncio.timeout(10):
        with pytest.raises(BotError, match=r"died \(exit status 3\)"):
            await tell(bot, order)
        assert await gone(first)
        assert (await tell(bot, "again")).text == "as you say: again"
        await bot.close()


async def test_a_bot_that_does_not_listen_holds_nobody_else_up() -> None:
    bot = bot_for()
    stopped = asyncio.create_task(tell(bot, "stop"))
    more = [asyncio.create_task(tell(bot, "x" * 100_000)) for _ in range(5)]  # more than a pipe takes
    async with asyncio.timeout(5):
        for _ in range(20):
            await asyncio.sleep(0.01)
    assert not any(task.done() for task in (stopped, *more))
    async with asyncio.timeout(10):
        await bot.close()
        for failed in await asyncio.gather(stopped, *more, return_exceptions=True):
            assert isinstance(failed, BotError) and failed.reason == "died"


@pytest.mark.usefixtures("can_leave_the_network")
async def test_it_does_not_read_the_keys_out_of_the_arena() -> None:
    bot = bot_for()
    with pytest.raises(BotError, match="PermissionError"):
        await tell(bot, "read the keys")
    assert not bot._process.notes
    await bot.close()


def test_where_it_could_read_them_it_is_said() -> None:
    """This process has given up nothing, so the kernel lets it read its parent's environment."""
    script = "from bots import confine; print(confine.parents_keys())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "with the keys in them" in done.stdout, done.stderr


NO_NAMESPACES = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
user, people = os.getuid(), os.getgid()
if libc.unshare(0x10000000):
    sys.exit(77)
for name, text in (("uid_map", f"1000 {user} 1"), ("setgroups", "deny"), ("gid_map", f"1000 {people} 1")):
    open(f"/proc/self/{name}", "w").write(text)
open("/proc/sys/user/max_user_namespaces", "w").write("0")
inner = "import asyncio, logging; logging.basicConfig(); from bots import registry; "
inner += "bot = registry.create(registry.spec('p', 'scripted', {'isolate': True})); asyncio.run(bot.close())"
os.execv(sys.executable, [sys.executable, "-c", inner])
"""


def test_what_the_kernel_does_not_enforce_is_said() -> None:
    """A user whom the kernel gives no namespaces, as some distributions do."""
    done = subprocess.run([sys.executable, "-c", NO_NAMESPACES], capture_output=True, text=True)
    if done.returncode == 77:
        pytest.skip("this kernel lets no program be such a user")
    assert done.returncode == 0, done.stderr
    assert "isolated, except that the kernel does not let a program give up its network" in done.stderr
    assert "isolated, except that it can read the environment variables" in done.stderr


async def test_what_it_prints_is_no_answer() -> None:
    bot = bot_for()
    assert (await tell(bot, "print")).text == "as you say: print"
    await bot.close()


@pytest.mark.parametrize("order", ["nonsense", "cost", "count", "facts"])
async def test_what_it_answers_is_checked(order: str) -> None:
    bot = bot_for()
    with pytest.raises(BotError, match="answered with nonsense"):
        await tell(bot, order)
    await bot.close()


async def test_its_messages_fill_no_log(caplog: pytest.LogCaptureFixture) -> None:
    bot = bot_for()
    assert (await tell(bot, "log")).text == "as you say: log"
    await bot.close()
    assert "message 100" in caplog.text and "logs too much" in caplog.text and len(caplog.records) <= 201


async def test_an_answer_that_answers_nothing_is_passed_over() -> None:
    bot = bot_for()
    async with asyncio.timeout(10):
        assert (await tell(bot, "lie")).text == "as you say: lie"
        assert (await tell(bot, "deep")).facts == {}
        await bot.close()


async def test_its_death_is_an_error_of_one_reply_and_it_comes_back() -> None:
    bot = bot_for()
    first = asyncio.create_task(tell(bot, "die"))
    with pytest.raises(BotError, match=r"died.*memory") as caught:
        await first
    assert caught.value.reason == "died"
    assert (await tell(bot, "again")).text == "as you say: again"
    for _ in range(3):
        with pytest.raises(BotError, match="died"):
            await tell(bot, "die")
    with pytest.raises(BotRefused, match="died 4 times"):
        await tell(bot, "again")
    await bot.close()


def test_its_death_does_not_take_the_run_along(tmp_path: Path) -> None:
    repository = store(tmp_path)
    crashing = "  - {name: crashing, adapter: crashing, calls: 30, isolate: true}"
    tournament, tally = play(repository, text(STEADY, crashing, dialogues=6, turns=3), concurrency=2)
    assert tally.played == 24 and tally.stopped is None
    records = list(repository.records(tournament.info.id))
    assert {r.reason for r in records} <= {None, "died"}
    assert all(r.status == "done" for r in records if {r.speaker, r.tested} == {"steady"})
    assert all(check.ok for check in examine(repository))


def test_isolation_changes_nothing_but_the_place(tmp_path: Path) -> None:
    texts = []
    for name, more in (("a.db", ""), ("b.db", ", isolate: true")):
        repository = store(tmp_path, name)
        moody = f"  - {{name: moody, adapter: scripted, fickleness: 0.3, sheet_seed: 2{more}}}"
        tournament, _ = play(repository, text(STEADY, moody))
        texts.append(exported(repository, tournament.info.id))
    assert texts[0] == texts[1]


def test_a_model_that_is_missing_says_so() -> None:
    with pytest.raises(MissingPart, match="There is no model here"):
        bot_for("missing", model="m")


@pytest.mark.parametrize(
    ("adapter", "settings", "words"),
    [
        ("openai", {"model": "m", "base_url": "http://127.0.0.1:1/v1", "isolate": True}, "leave out"),
        ("http", {"url": "http://127.0.0.1:1/interact", "isolate": True}, "leave out"),
        ("echo", {"isolate": "yes"}, "true or false"),
    ],
)
def test_isolation_that_makes_no_sense_is_refused(adapter: str, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        registry.settle(adapter, settings)


def test_not_isolated_is_as_if_nothing_was_said() -> None:
    assert registry.spec("p", "echo", {"isolate": False}) == registry.spec("p", "echo", {})
    apart, here = registry.spec("p", "echo", {"isolate": True}), registry.spec("p", "echo", {})
    assert apart.identity == here.identity


PICKLES = """
import sys
from bots import confine
confine.forbid_pickles()
import io, pathlib, pickle
import numpy, torch
fired = pathlib.Path(sys.argv[1])
class Bomb:
    def __reduce__(self):
        return (pathlib.Path.touch, (fired,))
bomb = pickle.dumps(Bomb())
box = numpy.empty(1, dtype=object); box[0] = Bomb()
array = io.BytesIO(); numpy.save(array, box, allow_pickle=True); array.seek(0)
weights = io.BytesIO(); torch.save({"model": Bomb()}, weights); weights.seek(0)
ways = [
    lambda: pickle.loads(bomb),
    lambda: pickle.load(io.BytesIO(bomb)),
    lambda: pickle._loads(bomb),
    lambda: pickle.Unpickler(io.BytesIO(bomb)).load(),
    lambda: numpy.load(array, allow_pickle=True),
    lambda: numpy.load(io.BytesIO(bomb), allow_pickle=True),
    lambda: torch.load(weights, weights_only=False),
    lambda: __import__("joblib").load(io.BytesIO(bomb)),
]
for way in ways:
    try:
        way()
    except Exception:
        continue
    sys.exit("something was read")
assert not fired.exists()
assert pickle.loads(pickle.dumps({"a": [1, 2.5, "x"]})) == {"a": [1, 2.5, "x"]}
tensor = io.BytesIO(); torch.save({"w": torch.ones(3)}, tensor); tensor.seek(0)
assert torch.load(tensor, weights_only=True)["w"].sum() == 3
print(confine.refused)
"""


def test_no_way_to_read_a_pickle_runs_its_code(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PICKLES, str(tmp_path / "fired")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "pickle" in done.stdout
