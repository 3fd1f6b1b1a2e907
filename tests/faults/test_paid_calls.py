"""Calls that are under way when a run is killed: their replies are kept, and nobody pays for them twice."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.core.amounts import Ceiling
from arena.core.errors import BudgetSpent, InputError
from arena.play.purse import Purse, lost_sentence
from bots import registry
from bots.base import Bot, Line, ReplyRequest, RunOptions
from bots.paid import PaidBot
from db import Database, Repository, connect
from db.health import examine
from db.ledger import Ledger, Lost
from tests.bots.local_server import completion
from tests.faults.test_budget import source, spent, start
from tests.support.billing import Billing, billing
from tests.support.tournaments import exported, play


def purse(folder: Path) -> Purse:
    opened = Purse(Ledger(Database(connect(f"sqlite:///{folder / 'arena.db'}"))), "a", Ceiling(max_cost=1.0))
    opened.open("no tournament")
    return opened


def bot(server: Billing, account: Purse) -> PaidBot:
    settings = {"model": "m", "base_url": server.url, "price_out": 2.0, "backoff": 0.0, "retries": 1}
    loaded: Bot = registry.create(
        registry.spec("paid", "openai", settings), RunOptions(account=account, keep_replies=True)
    )
    assert isinstance(loaded, PaidBot)
    return loaded


def payers(folder: Path) -> list[int]:
    """The processes that pay into this folder's database: its owners are named after them."""
    return [int(pid.name) for pid in Path("/proc").iterdir() if pid.name.isdecimal() and _pays(pid, folder)]


def _pays(process: Path, folder: Path) -> bool:
    try:
        if b"bots.payer" not in (process / "cmdline").read_bytes():
            return False
        opened = [file.readlink() for file in (process / "fd").iterdir()]
    except OSError:
        return False
    return folder / "arena.db" in opened


def asks(number: int) -> list[ReplyRequest]:
    return [ReplyRequest(f"d{n}", (Line("How many dogs?", False),), n) for n in range(number)]


class Gate:
    """A server that has billed a call and answers it when it is told to."""

    def __init__(self) -> None:
        self.arrived, self.open = threading.Semaphore(0), threading.Event()

    def __call__(self, number: int, _: object) -> None:
        self.arrived.release()


async def killed_while_asking(paid: PaidBot, gate: Gate, kill: Callable[[], None]) -> list[Any]:
    """One call is with the server when the process that asked for it is gone."""
    asking = asyncio.create_task(paid.reply(asks(1)))
    await asyncio.to_thread(gate.arrived.acquire, timeout=60)
    kill()
    return await asyncio.gather(asking, return_exceptions=True)


async def test_a_call_under_way_ends_without_its_run(tmp_path: Path) -> None:
    gate = Gate()
    with billing(seconds=0.5, answer=gate) as server:
        account = purse(tmp_path)
        paid = bot(server, account)
        process = paid._process
        assert process._child.stdin is not None
        # What the kernel does for a process that is killed: all its files are closed.
        await killed_while_asking(paid, gate, process._child.stdin.close)
        await asyncio.to_thread(process._reader.join, 60)
        after = purse(tmp_path)
        again = bot(server, after)
        replies = await again.reply(asks(1))
        await again.close()
        assert replies[0].text.endswith("dogs and I live in Rome.") and server.calls == 1
    answers = account.ledger.spent("a")
    assert answers is not None and (answers.calls, answers.lost) == (1, Lost())
    assert answers.cost == pytest.approx(server.cost())


def test_a_payer_is_nobodys_child(tmp_path: Path) -> None:
    """Ray ends the children of a worker that ends."""
    with billing() as server:
        paid = bot(server, purse(tmp_path))
        [pid] = payers(tmp_path)
        status = Path(f"/proc/{pid}/status").read_text()
        assert f"PPid:\t{os.getpid()}\n" not in status and os.getsid(pid) != os.getsid(0)
        asyncio.run(paid.close())
        assert not payers(tmp_path)


async def test_a_call_whose_own_process_is_killed_is_lost_and_counted(tmp_path: Path) -> None:
    gate = Gate()
    with billing(seconds=0.5, answer=gate) as server:
        account = purse(tmp_path)
        paid = bot(server, account)
        [payer] = payers(tmp_path)
        [replies] = await killed_while_asking(paid, gate, lambda: os.kill(payer, signal.SIGKILL))
        await paid.close()
        assert replies[0].error is None and server.calls == 2  # the second by a new process
    answers = account.ledger.spent("a")
    assert answers is not None and answers.calls == 2 and answers.lost.calls == 1
    assert answers.cost - answers.lost.cost == pytest.approx(
        server.cost() / 2
    )  # the other half is the lost call's
    assert lost_sentence(Lost(1, 0.25)) == (
        "1 paid call was under way in a process that was killed: it counts with the most that can have been "
        "charged (0.25), and is made again."
    )
    assert lost_sentence(Lost(2, 0.5)).startswith("2 paid calls were") and "are made again" in lost_sentence(
        Lost(2)
    )


async def test_two_processes_pay_once_for_the_same_call(tmp_path: Path) -> None:
    with billing(seconds=0.3) as server:
        bots = [bot(server, purse(tmp_path)) for _ in range(2)]
        replies = await asyncio.gather(*(one.reply(asks(3)) for one in bots))
        for one in bots:
            await one.close()
    assert server.calls == 3 and max(Counter(server.seen).values()) == 1
    assert [reply.text for reply in replies[0]] == [reply.text for reply in replies[1]]


async def test_failures_come_through_as_what_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with billing(answer=lambda _n, _j: completion(None)) as server:
        paid = bot(server, purse(tmp_path))
        [reply] = await paid.reply(asks(1))
        assert "gave no text: raise decoding.max_tokens" in str(reply.error)
        await paid.close()
    with billing(tokens=900_000) as server:
        paid = bot(server, purse(tmp_path))
        replies = await paid.reply(asks(3))
        assert any(isinstance(reply.error, BudgetSpent) for reply in replies)
        await paid.close()
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    settings = {"model": "m", "base_url": server.url, "price_out": 2.0, "api_key_env": "NO_SUCH_KEY"}
    spec = registry.spec("paid", "openai", settings)
    with pytest.raises(InputError, match="NO_SUCH_KEY"):
        registry.create(spec, RunOptions(account=purse(tmp_path), keep_replies=True))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_kills_of_a_run_pay_nothing_twice_and_the_account_is_the_servers_own(tmp_path: Path) -> None:
    """Thirty calls were billed twice in thirty kills, and the account was 0.04 above the bill."""
    with billing(seconds=0.1) as server:
        text = source(server, "{max_cost: 100}", dialogues=8, judges=judge(server))
        (tmp_path / "t.yaml").write_text(text)
        database = f"sqlite:///{tmp_path / 'arena.db'}"
        for number in range(3):
            process, calls = start(tmp_path), server.calls
            while server.calls < calls + 7 + 11 * number and process.poll() is None:
                threading.Event().wait(0.005)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        assert start(tmp_path).wait(600) == 0
        repository = Repository(connect(database))
        account = spent(repository, text)
        assert max(Counter(server.seen).values()) == 1 and account.lost == Lost()
        assert account.cost == pytest.approx(server.cost())
        assert all(check.ok for check in examine(repository))
        calm = Repository(connect(f"sqlite:///{tmp_path / 'calm.db'}"))
        tournament, _ = play(calm, text)
        assert exported(repository, tournament.info.id) == exported(calm, tournament.info.id)


def judge(server: Billing) -> str:
    bot = f'{{adapter: openai, model: m, base_url: "{server.url}", price_out: 2.0, backoff: 0}}'
    return f"{{judge: llm, both: false, bot: {bot}}}"
