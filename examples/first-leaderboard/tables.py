"""The tables and plots of docs/case-study.md, from the database that the export was imported into.

`python examples/first-leaderboard/tables.py --db URL` prints the tables; `--write` puts them, and the plots,
into the docs. Each table stands in the page between `<!-- table: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

import arena
from arena.api.store import opened
from arena.results.labels import drawn_votes
from arena.results.view import view
from arena.stats.calibration import corrected as correct
from arena.stats.leaderboard import MORE_EVASIVE
from arena.stats.metrics import auc, interval

sys.path.append(str(Path(__file__).parent))  # a folder with a hyphen is not a package
import aih
import checks
from study import (
    AFTER,
    AGAIN,
    BEFORE,
    JUDGES,
    MAIN,
    MODELS,
    SCRIPTED,
    SELF,
    Study,
    estimate,
    head,
    proportion,
    row,
    share,
)

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "docs" / "case-study.md", ROOT / "README.md")
PICTURES = ROOT / "docs" / "pictures"
KINDS = {
    "qwen-1.5b": "Qwen2.5-Coder 1.5B, plays characters",
    "qwen-1.5b-plain": "Qwen2.5-Coder 1.5B, told nothing",
    "qwen-0.5b": "Qwen2.5-Coder 0.5B, plays characters",
    "qwen-0.5b-plain": "Qwen2.5-Coder 0.5B, told nothing",
    "smollm2": "SmolLM2 135M, plays characters",
    "gemma3-270m": "Gemma 3 270M, a base model, with characters",
    "finder": "looks up sentences (ParlAI)",
    "steady": "script that contradicts 10% of what it said",
    "moody": "script that contradicts 40% of what it said",
}
ROUNDS = 2000


# ── the tables ────────────────────────────────────────────────────────────────────────────────


def leaderboard(study: Study) -> list[str]:
    names = (
        "rank",
        "bot",
        "rate",
        "95% interval",
        "inquiries",
        "contradictions",
        "evaded",
        "replies asked about",
    )
    lines = head(*names)
    for name, bot in study.board.frame.iterrows():
        if bot.inquiries:
            rank = "–" if pd.isna(bot["rank"]) else f"{'=' if bot.tied else ''}{int(bot['rank'])}"
            span = f"{bot.ci_low:.3f}–{bot.ci_high:.3f}"
            counts = (bot.inquiries, bot.contradictions, f"{bot.evasion_rate:.0%}", f"{bot.asked_share:.0%}")
            lines.append(row(rank, f"`{name}`", f"{bot.contradiction_rate:.3f}", span, *counts))
    return lines


def shown(study: Study) -> list[str]:
    """Which orders are significant, all differences tested together, and not due to evasion.

    A rank is one plus the number of bots that are surely better. If it is smaller than the differences say, those
    bots do not count that only evade more.
    """
    evades, rank = study.board.frame.evasion_rate, study.board.frame["rank"]
    better: dict[str, list[str]] = {}
    for one in study.board.document["differences"]:
        low, high = (one["a"], one["b"]) if one["delta"] < 0 else (one["b"], one["a"])
        if one["p_value"] <= 0.05:
            better.setdefault(high, []).append(low)
    for high, lows in better.items():
        if rank[high] <= len(lows):
            better[high] = [low for low in lows if evades[low] <= evades[high] + MORE_EVASIVE]
    lines = head("this bot", "contradicts itself less than")
    for name in study.board.frame.index:
        worse = sorted(high for high, lows in better.items() if name in lows)
        if worse:
            lines.append(row(f"`{name}`", ", ".join(f"`{high}`" for high in worse)))
    return lines


def headline(study: Study) -> list[str]:
    """The leaderboard as the README shows it, with the readers' rates where there are labels."""
    lines = head("bot", "what it is", "answers", "judge `nli`", "95% interval", "readers")
    read = study.judged("nli").groupby("tested").vote.mean() if study.read else {}
    for name, bot in study.board.frame.iterrows():
        if bot.inquiries:
            span = f"{bot.ci_low:.0%}–{bot.ci_high:.0%}"
            people = f"{read[name]:.0%}" if name in read else "–"
            rate = f"{bot.contradiction_rate:.0%}"
            lines.append(row(f"`{name}`", KINDS[name], bot.inquiries, rate, span, people))
    return lines


def judges(study: Study) -> list[str]:
    lines = head("judge", "answers of", "read", "flagged", "right", "precision", "recall", "AUC")
    for judge in JUDGES:
        every = study.judged(judge)
        if every.empty:
            continue
        models = every[~every.tested.isin(SCRIPTED)]
        for name, read in (("language models", models), ("all bots", every)):
            y, s = read.vote.to_numpy(), read.flagged.to_numpy()
            groups = read.dialogue.to_numpy()
            area = interval(auc, y, read.contradiction.to_numpy(float), groups=groups)
            both = (proportion(y[s], groups[s]), proportion(s[y], groups[y]))
            counts = (len(read), int(s.sum()), int((y & s).sum()))
            lines.append(row(f"`{judge}`", name, *counts, *map(estimate, (*both, area))))
    return lines


def bots(study: Study) -> list[str]:
    """What the judge and the readers say of each bot, and AIH's question about the questions."""
    lines = head("bot", "inquiries", "`nli`", "readers", "corrected", "appropriate", "relevant")
    read, fixed = study.judged("nli"), corrected(study)
    fit = [study.agreed(study.labels, question) for question in ("appropriate", "relevant")]
    for name in labelled(study):
        own = read[read.tested == name]
        shares = [votes[votes.index.isin(own.index)].mean() for votes in fit]
        lines.append(
            row(f"`{name}`", len(own), f"{own.flagged.mean():.3f}", f"{own.vote.mean():.3f}", fixed[name])
            + "".join(f" {share:.0%} |" for share in shares)
        )
    return lines


def readers(study: Study) -> list[str]:
    lines = head("question", "items", "agree", "κ")
    asked = [("aih", question, question) for question in ("contradicts", "relevant", "appropriate")]
    asked.append(("finding", "contradicts", "contradicts (messages)"))
    for schema, question, name in asked:
        people = study.main.agreement(question, schema=schema).document["people"]
        pairs = (people["items"], f"{people['share_unanimous']:.0%}", f"{people['fleiss_kappa']:.2f}")
        lines.append(row(name, *pairs))
    return lines


def matrix(study: Study) -> list[str]:
    return rates(study, SELF)


def matrix_models(study: Study) -> list[str]:
    return rates(study, MODELS)


def talk(study: Study) -> list[str]:
    """How much there is to ask about when models talk with each other, and how often they fall into a loop."""
    board = arena.open(MODELS, db=study.db).leaderboard(judge="nli").document
    lines = head("bot", "replies", "asked about", "dialogues that looped", "median turn", "by this bot")
    for bot in board["bots"]:
        loops, asked = bot["collapsed"], f"{bot['asked_share']:.0%}"
        turn = "–" if loops["median_turn"] is None else f"{loops['median_turn']:.0f}"
        counts = (bot["replies"], asked, f"{loops['share']:.0%}", turn, loops["by_itself"])
        lines.append(row(f"`{bot['bot']}`", *counts))
    return lines


def rates(study: Study, release: str) -> list[str]:
    """The rates of the pairs by `nli`, with the numbers of inquiries."""
    board = arena.open(release, db=study.db).leaderboard(judge="nli")
    names = [name for name, bot in board.frame.iterrows() if bot.inquiries]
    lines = head("speaks \\ tested", *(f"`{name}`" for name in names))
    cells = board.document["matrix"]
    for speaker in names:
        own = (cells.get(speaker, {}).get(name) for name in names)
        lines.append(row(f"`{speaker}`", *(cell(one) for one in own)))
    means = board.frame.loc[names]
    lines.append(row("mean", *(f"**{rate:.2f}**" for rate in means.contradiction_rate)))
    return lines


def cell(one: Any) -> str:
    if one is None or not one["inquiries"]:
        return "–"
    return f"{one['rate']:.2f} ({one['inquiries']})"


def releases(study: Study) -> list[str]:
    return changes(study, AFTER)


def repetition(study: Study) -> list[str]:
    return changes(
        study, AGAIN, force=True
    )  # an import does not know that both drew from one list of openers


def changes(study: Study, other: str, force: bool = False) -> list[str]:
    compared = arena.compare(BEFORE, other, db=study.db, judge="nli", force=force).frame
    lines = head("bot", "before", "after", "change", "95% interval", "detectable", "verdict")
    for name, bot in compared.iterrows():
        if name == "interviewer":  # it is never asked
            continue
        span = (
            "–" if bot.ci_low is None or pd.isna(bot.ci_low) else f"{bot.ci_low:+.3f} to {bot.ci_high:+.3f}"
        )
        figures = (share(bot.rate_a), share(bot.rate_b), share(bot.delta, "+.3f"))
        lines.append(row(f"`{name}`", *figures, span, share(bot.detectable, ".2f"), bot.verdict))
    return lines


def ranking(study: Study) -> list[str]:
    """Kendall's τ between the judge's ranking and the readers', over the bots that were read."""
    lines = head("judge", "bots", "Kendall τ", "95% interval")
    for judge in JUDGES:
        read = study.judged(judge)
        if read.empty:
            continue
        value, low, high = correlation(read)
        lines.append(row(f"`{judge}`", read.tested.nunique(), f"{value:.2f}", f"{low:.2f} to {high:.2f}"))
    return lines


def correlation(read: pd.DataFrame) -> tuple[float, float, float]:
    """With a bootstrap interval: each bot's dialogues are drawn anew, with replacement."""
    sums = read.groupby(["tested", "dialogue"]).agg(
        flagged=("flagged", "sum"), vote=("vote", "sum"), n=("vote", "size")
    )
    by_bot = [group.to_numpy(float) for _, group in sums.groupby(level="tested")]
    rng = np.random.default_rng(0)

    def tau(tables: Iterable[np.ndarray]) -> float:
        totals = np.array([table.sum(0) for table in tables])
        return float(kendalltau(totals[:, 0] / totals[:, 2], totals[:, 1] / totals[:, 2]).statistic)

    drawn = [tau(t[rng.integers(0, len(t), len(t))] for t in by_bot) for _ in range(ROUNDS)]
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return tau(by_bot), float(low), float(high)


_OWN = (
    leaderboard,
    shown,
    headline,
    checks.messages,
    judges,
    bots,
    readers,
    checks.flagged_messages,
    checks.flagged_read,
    ranking,
    matrix,
    matrix_models,
    talk,
)
_AIH = (aih.talks, aih.effort, aih.pairs, aih.taus, aih.both_readers)
TABLES: dict[str, Callable[[Study], list[str]]] = {
    one.__name__: one for one in (*_OWN, releases, repetition, *_AIH)
}
BY_READERS = (
    judges,
    bots,
    readers,
    checks.flagged_messages,
    checks.flagged_read,
    ranking,
    aih.talks,
    aih.effort,
    aih.taus,
    aih.both_readers,
)

# ── parts ─────────────────────────────────────────────────────────────────────────────────────


def labelled(study: Study) -> list[str]:
    """The bots that the readers read, in the order of the leaderboard."""
    read = set(study.judged("nli").tested)
    return [name for name in study.board.frame.index if name in read]


def corrected(study: Study) -> dict[str, str]:
    store = opened(study.db)
    seen = view(store, store.find(MAIN), "nli")
    rows = correct(seen.inquiries, seen.judge.tau, drawn_votes(seen).votes)
    return {
        one.bot: "–" if np.isnan(one.rate) else f"{one.rate:.3f} ({one.low:.3f}–{one.high:.3f})"
        for one in rows
    }


def rendered(page: str, study: Study) -> str:
    """The page with its tables as the database has them."""

    def table(match: re.Match[str]) -> str:
        return f"<!-- table: {match[1]} -->\n" + "\n".join(TABLES[match[1]](study)) + "\n<!-- end -->"

    return re.sub(r"<!-- table: (\w+) -->\n.*?<!-- end -->", table, page, flags=re.DOTALL)


def main(words: Sequence[str]) -> None:
    db = words[words.index("--db") + 1] if "--db" in words else "sqlite:///case-study.db"
    study = Study(db)
    if "--write" in words:
        for page in PAGES:
            page.write_text(rendered(page.read_text(encoding="utf-8"), study), encoding="utf-8")
        study.board.plot().save(PICTURES / "case-study-ranks.svg")
        study.main.stability(judge="nli").plot().save(PICTURES / "case-study-stability.svg")
        arena.compare(BEFORE, AFTER, db=db, judge="nli").plot().save(PICTURES / "case-study-releases.svg")
    else:
        for name, table in TABLES.items():
            if not study.read and table in BY_READERS:
                continue
            print(f"\n{name}\n" + "\n".join(table(study)))


if __name__ == "__main__":
    main(sys.argv[1:])
