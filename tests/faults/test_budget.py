"""A budget is a ceiling: by what a server itself has billed, in one process and in several, through kills and lies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arena.config.resolve import parse
from arena.core.amounts import Ceiling
from arena.core.errors import InputError
from arena.play.budget import purse_for
from db import Repository, connect
from db.health import examine
from tests.bots.local_server import completion, ok
from tests.support.billing import Billing, billing
from tests.support.tournaments import RULES, play

BUDGET = 0.5  # of which a call takes 0.002: 1000 tokens at 2 per million

FILE = """
release: r1
seed: 7
turns: 4
dialogues_per_pair: {dialogues}
openers: [hello]
bots:
  - {{name: paid, adapter: openai, model: m, base_url: "{url}", price_out: {price}, backoff: 0, retries: 1,
     decoding: {{max_tokens: {longest}}}, max_concurrency: 200}}
  - {{name: steady, adapter: scripted}}
pairs: [[steady, paid]]
inquirer: {inquirer}
judges: [{judges}]
budget: {budget}
limits: {{retries: 0}}
"""


def source(server: Billing, budget: str = f"{{max_cost: {BUDGET}}}", **more: Any) -> str:
    values = {
        "dialogues": 200,
        "price": 2.0,
        "longest": 1000,
        "inquirer": RULES,
        "judges": "lexical",
        "budget": budget,
        "url": server.url,
        **more,
    }
    return FILE.format(**values)


def database(folder: Path) -> Repository:
    return Repository(connect(f"sqlite:///{folder / 'arena.db'}"))


def spent(repository: Repository, text: str) -> Any:
    purse = purse_for(repository, parse(text), "look")
    assert purse is not None
    return purse.ledger.spent(purse.account)


def test_two_hundred_at_once_stay_within_it_and_store_what_was_paid_for(tmp_path: Path) -> None:
    """Before: 0.384, 0.772 and 1.160 after three runs, and no dialogue."""
    repository = database(tmp_path)
    with billing() as server:
        for _ in range(3):
            tournament, tally = play(repository, source(server), concurrency=200)
            assert tally.stopped == "budget"
            assert server.cost() <= BUDGET + 1e-9
    done = repository.progress(tournament.info.id).done
    assert server.cost() > 0.9 * BUDGET  # what is left is less than a few calls
    assert done >= 0.8 * server.calls / 11  # a dialogue is 4 replies and at most 4 answers
    account = spent(repository, source(server))
    assert account.cost == pytest.approx(server.cost()) and account.tokens == server.billed_tokens
    assert all(check.ok for check in examine(repository))


def test_a_larger_budget_goes_on_where_the_smaller_ended(tmp_path: Path) -> None:
    """Nothing is paid for twice: every call that the server has billed is a different one."""
    repository = database(tmp_path)
    with billing() as server:
        play(repository, source(server, "{max_cost: 0.05}", dialogues=8), concurrency=8)
        first = server.cost()
        assert 0 < first <= 0.05
        tournament, tally = play(repository, source(server, dialogues=8), concurrency=8)
        assert tally.stopped is None
        assert repository.progress(tournament.info.id).done == 8
    assert max(Counter(server.seen).values()) == 1
    assert spent(repository, source(server, dialogues=8)).cost == pytest.approx(server.cost())
    records = list(repository.records(tournament.info.id))
    replies = sum(m.seat == 1 for r in records for m in r.messages)
    replies += sum(i.answer is not None for r in records for i in r.inquiries)
    assert replies == server.calls  # and each of them is stored


def test_a_server_that_charges_more_than_it_should(tmp_path: Path) -> None:
    """A million tokens in each call: before, 102 was billed."""
    repository = database(tmp_path)
    with billing(tokens=1_000_000) as server:
        for _ in range(3):
            play(repository, source(server, price=0.5), concurrency=200)
    assert server.calls == 1 and server.cost(0.5) <= BUDGET + 0.5


def test_failures_are_paid_for_too(tmp_path: Path) -> None:
    """Answers that are no use cost what any answer costs; refusals cost nothing."""
    bad = [
        ok({"usage": {"prompt_tokens": 0, "completion_tokens": 1000}}),
        completion(None, usage={"prompt_tokens": 0, "completion_tokens": 1000}),
        (200, {}, b"no json"),
        b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{",
        ok({}, 401),
    ]
    repository = database(tmp_path)
    with billing(answer=lambda number, _: bad[number % 5]) as server:
        for _ in range(3):
            play(repository, source(server), concurrency=50, retry_failed=True)
        assert server.cost() <= BUDGET
        assert spent(repository, source(server)).cost == pytest.approx(server.cost())


COMMAND = [
    sys.executable,
    "-m",
    "arena",
    "run",
    "t.yaml",
    "--db",
    "sqlite:///arena.db",
    "--concurrency",
    "50",
]


def start(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(COMMAND, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.mark.slow
def test_three_processes_share_it(tmp_path: Path) -> None:
    """Before: 1.538."""
    with billing(seconds=0.02) as server:
        (tmp_path / "t.yaml").write_text(source(server))
        database(tmp_path)
        processes = [start(tmp_path) for _ in range(3)]
        assert [process.wait(120) for process in processes] == [0, 0, 0]
        assert 0.9 * BUDGET < server.cost() <= BUDGET + 1e-9
    repository = database(tmp_path)
    assert spent(repository, source(server)).cost == pytest.approx(server.cost())
    assert all(check.ok for check in examine(repository))


@pytest.mark.slow
def test_kills_do_not_add_up(tmp_path: Path) -> None:
    """Five SIGKILLs and a run: before, 1.258."""
    with billing(seconds=0.02) as server:
        (tmp_path / "t.yaml").write_text(source(server))
        repository = database(tmp_path)
        for number in range(5):
            process, calls = start(tmp_path), server.calls
            deadline = time.monotonic() + 60
            while server.calls < calls + 15 and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01 + 0.003 * number)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        assert start(tmp_path).wait(120) == 0
        assert server.cost() <= BUDGET + 1e-9
    account = spent(repository, source(server))
    assert account.cost >= server.cost() - 1e-9  # calls under way at a kill count with the most they can cost
    assert repository.progress(repository.find("r1").id).done > 0
    assert all(check.ok for check in examine(repository))


def test_judges_and_question_writers_pay_from_the_same_account(tmp_path: Path) -> None:
    repository = database(tmp_path)
    with billing(answer=lambda _n, json: _role(json)) as server:
        bot = (
            f'bot: {{adapter: openai, model: m, base_url: "{server.url}", price_out: 2.0, backoff: 0, '
            "decoding: {max_tokens: 1000}}"
        )
        text = source(
            server,
            "{max_cost: 0.2}",
            dialogues=4,
            inquirer=f"{{entities: rules, questions: {{use: llm, {bot}}}}}",
            judges=f"{{judge: llm, {bot}}}",
        )
        tournament, tally = play(repository, text)
        assert tally.stopped == "budget" and server.cost() <= 0.2
        assert spent(repository, text).cost == pytest.approx(server.cost())
        more = text.replace("max_cost: 0.2", "max_cost: 5")
        tournament, tally = play(repository, more)
        assert tally.stopped is None and tally.verdicts > 0
        assert spent(repository, more).cost == pytest.approx(server.cost())
    progress = repository.progress(tournament.info.id)
    assert progress.done == 4 and progress.inquiries > 0
    assert max(Counter(server.seen).values()) == 1


def _role(json: Any) -> Any:
    """A judge's word, a question, or nothing special."""
    asked = json["messages"][-1]["content"]
    usage = {"prompt_tokens": 0, "completion_tokens": 1000}
    if "CONTRADICTION" in asked:
        return completion("NEITHER", usage=usage)
    if "Write one short question" in asked:
        return completion("Where do you live?", usage=usage)
    return None


@pytest.mark.parametrize(("budget", "calls"), [("{max_calls: 20}", 20), ("{max_tokens: 20000}", 20)])
def test_calls_and_tokens_are_ceilings_too(tmp_path: Path, budget: str, calls: int) -> None:
    repository = database(tmp_path)
    with billing() as server:
        # the scripted partner's calls count, too; it reports no tokens
        text = source(server, budget, dialogues=20, price=0.0)
        _, tally = play(repository, text, concurrency=20)
    assert tally.stopped == "budget"
    account = spent(repository, text)
    assert account.calls <= calls if "calls" in budget else account.tokens <= 20_000
    assert 0 < server.calls <= calls


def test_seconds_are_a_ceiling_too(tmp_path: Path) -> None:
    repository = database(tmp_path)
    with billing(seconds=0.05) as server:
        # loading the encoder of the second score would use up the time
        asking = "{entities: rules, questions: {use: rules, encoder: false}}"
        text = source(server, "{max_seconds: 1.5}", dialogues=500, inquirer=asking)
        for _ in range(2):
            began = time.monotonic()
            tournament, tally = play(repository, text, concurrency=4)
            assert time.monotonic() - began < 15
            assert tally.stopped == "budget"
    assert 1.5 <= spent(repository, text).seconds < 10
    assert 0 < repository.progress(tournament.info.id).done < 500


def test_money_needs_prices() -> None:
    paid = """
bots:
  - {name: paid, adapter: openai, model: m, base_url: "http://h/v1", api_key_env: MY_KEY}
  - {name: steady, adapter: scripted}
judges: [lexical]
inquirer: false
budget: {max_cost: 1}
"""
    with pytest.raises(InputError, match=r"line 3, bots.0: .*needs the price"):
        parse(paid)
    for cure in ("api_key_env: MY_KEY, price_in: 0", "api_key_env: MY_KEY, price_out: 1.5"):
        parse(paid.replace("api_key_env: MY_KEY", cure))
    parse(paid.replace("max_cost: 1", "max_calls: 1"))
    judge = '{judge: llm, bot: {adapter: openai, model: m, base_url: "http://h/v1", api_key_env: MY_KEY}}'
    with pytest.raises(InputError, match=r"judges.0.*needs the price"):
        parse(paid.replace("api_key_env: MY_KEY", "price_in: 1").replace("lexical", judge))


def test_old_files_keep_their_hash() -> None:
    with_budget = (
        "bots: [{name: a, adapter: echo}]\ninquirer: false\njudges: [truth]\nbudget: {max_cost: 5}\n"
    )
    config = parse(with_budget).info.config
    assert config["budget"] == {"max_cost": 5.0}
    assert parse(with_budget.replace("{max_cost: 5}", "{}")).info.config["budget"] == {"max_cost": None}
    assert Ceiling.of({"max_cost": None}) == Ceiling() and not Ceiling().given
