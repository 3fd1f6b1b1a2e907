"""Releases: what changed from one to the next, what cannot be compared and why, and one bot's history."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from arena.stats.comparison import Change, Comparison, Verdict
from db.records import StoredTournament
from ui import charts, data, picks, results, words
from ui.markup import short

COMPARE, HISTORY = "Compare", "History of a bot"
WORDS = {
    Verdict.BETTER: "better: contradicts itself less",
    Verdict.WORSE: "worse: contradicts itself more",
    Verdict.SAME: "same within the margin",
    Verdict.UNCLEAR: "unclear: too little data to tell",
    Verdict.UNCHANGED: "unchanged: the same bot",
}


def main() -> None:
    st.title("Releases")
    stored = [t for t in data.tournaments() if data.judges(t.id)]
    if len(stored) < 2:
        words.notice(
            "Two judged tournaments are needed to compare. Play the next release of your bots under another "
            "release tag, with the same inquirer, judge, turns and openers."
        )
        if not stored:
            return
    views = [COMPARE, HISTORY] if len(stored) > 1 else [HISTORY]
    view = st.segmented_control(
        "View", views, default=views[0], required=True, label_visibility="collapsed", key="releases_view"
    )
    with words.show_arena_errors():
        if view == COMPARE:
            compare(stored)
        else:
            history(stored)


def compare(stored: list[StoredTournament]) -> None:
    ids = {t.id: t for t in stored}
    given = [id for id in st.query_params.get_all("tournaments") if id in ids]
    usual = list(reversed([t.id for t in stored[:2]]))
    chosen = st.multiselect(
        "Releases, the first is what the others are held against",
        list(ids),
        default=given if len(given) > 1 else usual,
        format_func=lambda id: picks.title(ids[id]),
    )
    if len(chosen) < 2:
        words.notice("Choose at least two.")
        return
    st.query_params["tournaments"] = chosen
    names = common_judges(chosen)
    if not names:
        words.notice(
            "No judge has judged all of them; 'arena judge' asks one that has judged the others.", "warn"
        )
        return
    a, b, c, d = st.columns([2, 2, 2, 2], vertical_alignment="bottom")
    judge = a.selectbox(
        "Judge", names, index=usual_judge(ids[chosen[0]], names), format_func=lambda n: short(n, 60)
    )
    kind = b.selectbox("Kind", ["wh", "all"])
    margin = c.number_input("Margin of “same”", 0.0, 0.5, 0.03, 0.01)
    force = d.toggle(
        "Compare all the same", help="Shows figures where the settings differ too, with the reasons."
    )
    base = ids[chosen[0]]
    found: list[tuple[StoredTournament, Comparison]] = []
    for other in chosen[1:]:
        with words.show_arena_errors():
            compared = results.comparison(
                base, ids[other], judge, None if kind == "all" else kind, margin, force
            )
            found.append((ids[other], compared))
    for other, comparison in found:
        reasons(base, other, comparison)
    slopes([base] + [t for t, _ in found], [c for _, c in found])
    for other, comparison in found:
        table(base, other, comparison)


def common_judges(chosen: list[str]) -> list[str]:
    sides = [{name for _, name, _, _ in data.judges(id)} for id in chosen]
    return sorted(set.intersection(*sides))


def usual_judge(tournament: StoredTournament, names: list[str]) -> int:
    listed = [judge["name"] for judge in tournament.config.get("judges", ())]
    return next((names.index(name) for name in listed if name in names), 0)


def reasons(base: StoredTournament, other: StoredTournament, comparison: Comparison) -> None:
    pair = f"{short(base.release, 40)} and {short(other.release, 40)}"
    if comparison.reasons:
        words.notice(f"{pair} are not comparable: {'; '.join(comparison.reasons)}.", "warn")
    for note in comparison.notes:
        words.notice(note)
    for names, where in ((comparison.only_a, base.release), (comparison.only_b, other.release)):
        if names:
            words.notice(f"Only in {short(where, 40)}: {', '.join(short(n, 40) for n in names)}.")


def slopes(releases: list[StoredTournament], comparisons: list[Comparison]) -> None:
    titles = charts.labels([t.release for t in releases], 24)
    last = {c.bot: c.verdict.value for comparison in comparisons for c in comparison.changes}
    rows = []
    for at, comparison in enumerate(comparisons, 1):
        for change in comparison.changes:
            if at == 1:
                rows.append(_point(titles[0], change, change.rate_a, last))
            rows.append(_point(titles[at], change, change.rate_b, last))
    if rows:
        st.altair_chart(charts.slopes(rows, titles))
        st.caption("Rates over the pairs that count: those whose speaker is the same bot in both releases.")


def _point(release: str, change: Change, rate: float, verdicts: dict[str, str]) -> dict[str, object]:
    return {"release": release, "bot": change.bot, "rate": rate, "verdict": verdicts[change.bot]}


def table(base: StoredTournament, other: StoredTournament, comparison: Comparison) -> None:
    if not comparison.changes:
        return
    st.subheader("Verdicts")
    st.text(f"{short(other.release, 60)} against {short(base.release, 60)}")
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Bot": short(c.bot, 40),
                    "Verdict": WORDS[c.verdict],
                    "Before": words.percent(c.rate_a),
                    "After": words.percent(c.rate_b),
                    "Change": words.points(c.delta),
                    "95% interval": f"{words.points(c.low)} … {words.points(c.high)}",
                    "p (Holm)": words.number(c.p_value, 3),
                    "Detectable": words.points(c.detectable),
                    "Twins": c.paired,
                    "Others": c.unpaired,
                }
                for c in comparison.changes
            ]
        ),
        hide_index=True,
        column_config={
            "Twins": st.column_config.NumberColumn(help="Dialogues with the same opener and seed in both."),
            "Detectable": st.column_config.TextColumn(
                help="The change that so many dialogues find in 80% of comparisons."
            ),
            "Others": st.column_config.NumberColumn(help="Dialogues without a twin."),
        },
    )
    own = [c for c in comparison.changes if c.self_pair is not None]
    if own:
        with st.expander("Bots talking with themselves: shown, not judged, since both seats changed"):
            st.dataframe(
                pd.DataFrame(
                    [
                        {
                            "Bot": short(c.bot, 40),
                            "Before": words.percent(c.self_pair.rate_a),
                            "After": words.percent(c.self_pair.rate_b),
                            "Change": words.points(c.self_pair.delta),
                        }
                        for c in own
                        if c.self_pair is not None
                    ]
                ),
                hide_index=True,
            )


def history(stored: list[StoredTournament]) -> None:
    names = sorted({name for t in stored for name in t.bots})
    a, b = st.columns(2)
    bot = a.selectbox("Bot", names, format_func=lambda name: short(name, 60))
    judges = sorted({name for t in stored for _, name, _, _ in data.judges(t.id)})
    first = next((results.usual(t) for t in stored if data.judges(t.id)), None)
    at = judges.index(first) if first in judges else 0
    judge = b.selectbox("Judge", judges, index=at, format_func=lambda name: short(name, 60))
    past = results.history(bot, judge)
    if not past:
        words.notice("This judge has judged none of the bot's tournaments.")
        return
    st.altair_chart(charts.past(past))
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Release": short(p.release, 60),
                    "Rate": words.percent(p.standing.rate),
                    "95% interval": f"{words.percent(p.standing.low)} – {words.percent(p.standing.high)}",
                    "Rank": f"{words.ranks(p.standing.rank_low, p.standing.rank_high)} of {p.bots}",
                    "Inquiries": p.standing.inquiries,
                    "The bot": "changed" if p.changed else "as before",
                    "Tournament": p.tournament[:8],
                }
                for p in past
            ]
        ),
        hide_index=True,
    )


main()
