"""Bot: a bot's worst contradictions, its rates by kind, distance, entity type and opponent, and its releases."""

from __future__ import annotations

import streamlit as st

from arena.report.headline import remark
from arena.results.checks import CheckRate
from arena.stats.standings import Leaderboard, Standing
from db.matching import Hit
from db.records import JudgeRow, StoredTournament
from ui import address, assist, charts, data, finding, live, picks, results, words
from ui.markup import Element, element, short, show, utterance

WORST = 10
MOST_ROWS = 30


def main() -> None:
    st.title("Bot")
    stored = data.tournaments()
    if not stored:
        picks.nothing_yet()
        return
    chosen = picks.tournament(stored)
    names = list(chosen.bots)
    if (wrong := address.unknown("bot", names)) is not None:
        words.notice(f"There is no bot '{short(wrong, 60)}' in this tournament.", "warn")
    bot = address.choice(
        st.selectbox, "Bot", "bot", names, default=names[0], always=True, show=lambda name: short(name, 80)
    )
    judges = data.judges(chosen.id)
    if not judges:
        live.nothing_judged(chosen, data.states(chosen.id))
        return
    with words.show_arena_errors():
        judged(chosen, bot, picks.judge(chosen, judges))


def judged(chosen: StoredTournament, bot: str, judge: JudgeRow) -> None:
    seen = results.view(chosen, judge.name)
    tau = picks.tau(seen.judge.tau)
    kind, distance = picks.counted(chosen, seen.inquiries.kinds)
    board = results.board(seen, tau, kind, distance)
    standing = next((s for s in board.standings if s.bot == bot), None)
    if standing is None:
        words.notice("This bot was not under test here.")
        return
    if data.waiting(chosen.id, judge.row):
        live.judging(chosen, judge)
    summary(standing)
    checks = results.check_rates(seen, bot)
    worst(chosen, bot, judge, tau, list(checks))
    rates(board, standing, checks)
    releases(bot, judge.name)


def summary(s: Standing) -> None:
    words.facts(
        contradiction_rate=words.percent(s.rate),
        confidence_interval=f"{words.percent(s.low)} – {words.percent(s.high)}"
        if s.inquiries
        else words.NOTHING,
        rank=words.ranks(s.rank_low, s.rank_high),
        contradictions=f"{words.count(s.contradictions)} of {words.count(s.inquiries)} inquiries",
        dialogues=words.distinct(s.distinct_dialogues, s.dialogues),
        replies_asked_about=words.percent(s.asked_share, 0),
        evasive=words.percent(s.evasion_rate, 0),
    )
    if text := remark(s):
        words.notice(short(text, 300).capitalize() + ".", "warn")


def worst(chosen: StoredTournament, bot: str, judge: JudgeRow, tau: float, checks: list[str]) -> None:
    st.subheader("Its worst contradictions")
    check = None
    if checks:
        code = address.choice(
            st.segmented_control,
            "Check",
            "check",
            [finding.INQUIRY, *checks],
            default=finding.INQUIRY,
            required=True,
            show=lambda one: "inquiries" if one == finding.INQUIRY else one,
            label_visibility="collapsed",
        )
        check = None if code == finding.INQUIRY else code
    hits = data.pages().worst(chosen.id, bot, judge.row, tau, WORST, check)
    if not hits:
        words.notice(f"No {'inquiry' if check is None else 'message'} of this bot lies above τ.")
        return
    for number, hit in enumerate(hits):
        with st.container(border=True, key=f"worst_{number}"):
            show(element("div", [_row(name, text) for name, text in texts(hit, check)], class_="qa"))
            with st.container(horizontal=True, vertical_alignment="center"):
                show(words.tag(f"score {words.number(hit.contradiction, 3)}", "bad"))
                if st.button("Read the dialogue", key=f"read_{number}"):
                    assist.go(
                        "transcripts",
                        {
                            **address.carried(),
                            "tested": bot,
                            "says": "contradicts",
                            "dialogue": hit.dialogue,
                            ("inquiry" if check is None else "finding"): hit.inquiry,
                        },
                    )


def texts(hit: Hit, check: str | None) -> list[tuple[str, str | None]]:
    if check is None:
        return [("said", hit.source), ("asked", hit.question), ("answered", hit.answer)]
    first = {"history": "had said", "persona": "was told", "knowledge": "was given"}[check]
    return [(first, hit.source or "(its knowledge)"), ("then said", hit.answer)]


def _row(name: str, text: str | None) -> Element:
    return element("div", element("span", name), utterance(text or words.NOTHING), class_="row")


def rates(board: Leaderboard, s: Standing, checks: dict[str, CheckRate]) -> None:
    st.subheader("Its rates")
    if checks:
        by_check: list[dict[str, str | int]] = [
            {
                "Check": check,
                "Rate": words.percent(one.rate),
                "95% interval": f"{words.percent(one.low)} – {words.percent(one.high)}",
                "Contradictions": one.contradictions,
                "Messages": one.findings,
                "Judge": short(one.judge, 40),
            }
            for check, one in checks.items()
        ]
        words.table(by_check)
    opponents = {speaker: cells[s.bot] for speaker, cells in board.matrix.items() if s.bot in cells}
    tables = (
        (
            "Opponent",
            {name: (cell.rate, cell.contradictions, cell.inquiries) for name, cell in opponents.items()},
        ),
        ("Kind", {str(k): (g.rate, g.contradictions, g.inquiries) for k, g in s.by_kind.items()}),
        (
            "Distance in turns",
            {str(k): (g.rate, g.contradictions, g.inquiries) for k, g in s.by_distance.items()},
        ),
        (
            "Entity type",
            {str(k): (g.rate, g.contradictions, g.inquiries) for k, g in s.by_entity_type.items()},
        ),
    )
    for column, (name, groups) in zip(st.columns(2) * 2, tables, strict=True):
        rows: list[dict[str, str | int]] = [
            {
                name: short(group, 60),
                "Rate": words.percent(rate),
                "Contradictions": contradictions,
                "Inquiries": inquiries,
            }
            for group, (rate, contradictions, inquiries) in sorted(
                groups.items(), key=lambda item: -item[1][2]
            )
        ]
        with column:
            words.table(rows[:MOST_ROWS])


def releases(bot: str, judge: str) -> None:
    past = results.history(bot, judge)
    if len(past) < 2:
        return
    st.subheader("Its releases")
    st.altair_chart(charts.past(past))
    words.lead(
        "Rates of different releases can rest on different opponents; the page Releases compares them."
    )


main()
