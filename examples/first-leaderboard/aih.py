"""The tables of the AIH paper (Li et al. 2021) for the bots of the case study that `tables.py` does not have."""

from __future__ import annotations

import numpy as np
from study import SCRIPTED, SELF, Study, head, row, share

import arena
from arena.stats.metrics import f1, pearson

WORDS_PER_MINUTE = 240  # how fast a person reads, as assumed
TAUS = (0.1, 0.15, 0.3, 0.5, 0.66, 0.8)


def talks(study: Study) -> list[str]:
    """AIH's Table 2: how consistent each bot is by whole conversations, read without any inquiry."""
    lines = head("bot", "conversations", "reader 1", "reader 2", "mean", "contradictions per conversation")
    seen = study.sessions
    for name in study.board.frame.index:
        own = seen[seen.tested == name]
        if len(own):
            scores = own.groupby("person").score.mean()
            shown = [share(scores.get(f"reader-{n}"), ".2f") for n in (1, 2)]
            lines.append(
                row(f"`{name}`", own.subject.nunique(), *shown, f"{own.score.mean():.2f}")
                + f" {own.listed.mean():.2f} |"
            )
    return lines


def effort(study: Study) -> list[str]:
    """AIH's Table 4: what one conversation of a language model takes to read, and how much is found in it."""
    lines = head("who reads what", "seconds of reading per conversation", "contradictions per conversation")
    bots = study.board.frame
    models = [name for name, bot in bots.iterrows() if bot.inquiries and name not in SCRIPTED]
    judged = bots.loc[models]
    read = study.judged("nli")
    read = read[read.tested.isin(models)]
    words = read.said.str.split().str.len() + read.question.str.split().str.len()
    each = (words + read.answer.str.split().str.len()).mean() / WORDS_PER_MINUTE * 60
    per_talk = judged.inquiries_per_dialogue.mean()
    by_readers = read.groupby("tested").vote.mean() * judged.inquiries_per_dialogue
    lines.append(
        row("judge `nli`, answers to inquiries", "0", f"{judged.contradictions_per_dialogue.mean():.2f}")
    )
    lines.append(row("readers, answers to inquiries", f"{each * per_talk:.0f}", f"{by_readers.mean():.2f}"))
    seen = study.sessions[study.sessions.tested.isin(models)]
    if len(seen):
        texts = study.main.messages().groupby("dialogue").text.agg(lambda some: len(" ".join(some).split()))
        whole = texts[seen.subject.unique()].mean() / WORDS_PER_MINUTE * 60
        listed = seen.groupby("tested").listed.mean().mean()
        lines.append(row("readers, whole conversations", f"{whole:.0f}", f"{listed:.2f}"))
    return lines


def pairs(study: Study) -> list[str]:
    """AIH's Table 5: inquiries and contradictions (by `nli`) per conversation of each pair in self-play."""
    result = arena.open(SELF, db=study.db)
    board = result.leaderboard(judge="nli")
    names = list(board.frame.index)
    played = result.dialogues().groupby(["speaker", "tested"]).size()
    lines = head("speaks \\ tested", *(f"`{name}`" for name in names), "mean")
    for speaker in names:
        cells = board.document["matrix"].get(speaker, {})
        per = [
            (
                cells[name]["inquiries"] / played[speaker, name],
                cells[name]["contradictions"] / played[speaker, name],
            )
            if name in cells
            else (0.0, 0.0)
            for name in names
        ]
        per.append((float(np.mean([asked for asked, _ in per])), float(np.mean([hit for _, hit in per]))))
        lines.append(row(f"`{speaker}`", *(f"{asked:.1f}; {hit:.1f}" for asked, hit in per)))
    return lines


def taus(study: Study) -> list[str]:
    """AIH's Table 7: the rate, F1 and Pearson's r at several thresholds, on answers of language models."""
    lines = head("τ", "rate", "F1", "r")
    read = study.judged("nli")
    read = read[~read.tested.isin(SCRIPTED)]
    votes, scores = read.vote.to_numpy(), read.contradiction.to_numpy(float)
    for tau in TAUS:
        flagged = scores > tau
        figures = (
            flagged.mean(),
            f1(votes, scores, tau),
            pearson(votes.astype(float), flagged.astype(float)),
        )
        lines.append(row(f"{tau:g}", *(f"{figure:.3f}" for figure in figures)))
    lines.append(row("readers", f"{votes.mean():.3f}", "–", "–"))
    return lines


def both_readers(study: Study) -> list[str]:
    """AIH's Table 8. With two readers a vote is where they agree, so each is correlated with the other."""
    lines = head("bot", "inquiries", "r of reader 1 with reader 2", "agree")
    tested = study.newest("nli", "inquiry").tested
    labels = study.labels[study.labels.contradicts.isin([True, False])]
    table = labels.pivot_table(index="subject", columns="person", values="contradicts", aggfunc="first")
    table = table.dropna().astype(float).join(tested.rename("tested"), how="inner")
    for name in study.board.frame.index:
        own = table[table.tested == name]
        if len(own):
            first, second = own["reader-1"].to_numpy(), own["reader-2"].to_numpy()
            lines.append(
                row(
                    f"`{name}`",
                    len(own),
                    share(pearson(first, second), ".2f"),
                    f"{(first == second).mean():.0%}",
                )
            )
    return lines
