"""Releases: the changes between releases, the comparisons that are not possible and why, and one bot's history."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from arena.report import captions
from arena.stats.comparison import MARGIN, Change, Comparison, Verdict
from arena.stats.counts import HEADLINE, Kinds
from db.records import StoredTournament
from ui import address, charts, config_diff, data, differences, picks, results, words
from ui.markup import short

COMPARE, HISTORY = "Compare", "History of a bot"
BOTH, ALL = " + ".join(HEADLINE), "all"
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
    view = address.choice(
        st.segmented_control,
        "View",
        "view",
        views,
        default=views[0],
        required=True,
        label_visibility="collapsed",
    )
    with words.show_arena_errors():
        if view == COMPARE:
            compare(stored)
        else:
            history(stored)


def compare(stored: list[StoredTournament]) -> None:
    ids = {t.id: t for t in stored}
    chosen = sides(ids)
    if len(chosen) < 2:
        words.notice("Choose at least two.")
        return
    names = common_judges(chosen)
    if not names:
        words.notice(
            "No judge has judged all of them; 'arena judge' asks one that has judged the others.", "warn"
        )
        return
    with st.sidebar:
        st.html('<div class="section">Shown</div>')
        judge = address.choice(
            st.selectbox, "Judge", "judge", names, default=usual_judge(ids[chosen[0]], names)
        )
        kind = address.choice(st.selectbox, "Kinds of inquiry", "kind", [BOTH, "wh", ALL], default=BOTH)
        margin = address.number(
            st.number_input, "Margin of “same”", "margin", 0.0, 0.5, default=MARGIN, step=0.01
        )
        force = address.flag(
            st.toggle,
            "Compare all the same",
            "force",
            help="Shows figures where settings differ, with the reasons.",
        )
    counted: Kinds = HEADLINE if kind == BOTH else None if kind == ALL else kind
    base = ids[chosen[0]]
    comparisons: list[tuple[StoredTournament, Comparison]] = []
    for id in chosen[1:]:
        with words.show_arena_errors():
            comparisons.append((ids[id], results.comparison(base, ids[id], judge, counted, margin, force)))
    for other, comparison in comparisons:
        reasons(base, other, comparison)
    slopes([base] + [t for t, _ in comparisons], [c for _, c in comparisons])
    for other, comparison in comparisons:
        table(base, other, comparison)
        differences.contradictions(base, other, comparison, judge)
        configuration(base, other)


def sides(ids: dict[str, StoredTournament]) -> list[str]:
    """Return the tournaments in the address, or else the two newest comparable tournaments.

    The first of them is the baseline.
    """
    given = [id for id in st.query_params.get_all("tournaments") if id in ids]
    wrong = [id for id in st.query_params.get_all("tournaments") if id not in ids]
    if wrong:
        words.notice(f"There is no judged tournament '{short(wrong[0], 40)}' in this database.", "warn")
    chosen: list[str] = st.multiselect(
        "Releases, the first is what the others are held against",
        list(ids),
        default=given if len(given) > 1 else usual_sides(list(ids.values())),
        format_func=lambda id: picks.title(ids[id]),
    )
    if len(chosen) > 1:
        st.query_params["tournaments"] = chosen
    return chosen


def usual_sides(stored: list[StoredTournament]) -> list[str]:
    """Return the newest tournament that has a comparable earlier one, preceded by the earlier one.

    Two tournaments are comparable if they share bots by name and a judge, and have the same turns and the same
    inquirer. If no two are comparable, the two newest tournaments are returned.
    """
    for at, newer in enumerate(stored):
        for older in stored[at + 1 :]:
            if older.release != newer.release and alike(older, newer):
                return [older.id, newer.id]
    return [t.id for t in reversed(stored[:2])]


def alike(a: StoredTournament, b: StoredTournament) -> bool:
    judges = {judge.name for judge in data.judges(a.id)} & {judge.name for judge in data.judges(b.id)}
    asked = [(t.config.get("inquirer") or {}).get("id") for t in (a, b)]
    same = a.config.get("turns") == b.config.get("turns") and asked[0] == asked[1]
    return bool(judges) and same and bool(set(a.bots) & set(b.bots))


def common_judges(chosen: list[str]) -> list[str]:
    sides = [{judge.name for judge in data.judges(id)} for id in chosen]
    return sorted(set.intersection(*sides))


def usual_judge(tournament: StoredTournament, names: list[str]) -> str:
    listed = [judge["name"] for judge in tournament.judges]
    return next((name for name in listed if name in names), names[0])


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
            point = _point(titles[at], change, change.rate_b, last)
            if math.isfinite(change.low) and math.isfinite(change.high):  # an unchanged bot has no interval
                low, high = change.rate_a + change.low, change.rate_a + change.high
                point |= {"low": max(0.0, low), "high": min(1.0, high)}
            rows.append(point)
    if rows:
        st.altair_chart(charts.slopes(rows, titles))
        st.caption(
            "Rates over the pairs that count: those whose speaker is the same bot in both releases. "
            "A bar is the interval of the change, drawn from the earlier rate."
        )


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
                    "Before": charts.of_how_many(c.rate_a, c.inquiries[0]),
                    "After": charts.of_how_many(c.rate_b, c.inquiries[1]),
                    "Change": words.points(c.delta),
                    "95% interval": words.between(c.low, c.high),
                    "p (Holm)": words.number(c.p_value, 3),
                    "Detectable": words.points(c.detectable).removeprefix("+"),
                    "More dialogues": c.more_dialogues,
                    "Twins": c.paired,
                    "Others": c.unpaired,
                }
                for c in comparison.changes
            ]
        ),
        hide_index=True,
        placeholder=words.NOTHING,
        column_config={
            "Twins": st.column_config.NumberColumn(help="Dialogues with the same opener and seed in both."),
            "Detectable": st.column_config.TextColumn(
                help="The change that this many dialogues detect in 80% of comparisons."
            ),
            "More dialogues": st.column_config.NumberColumn(
                help="About this many more dialogues per release would detect a change of this size."
            ),
            "Others": st.column_config.NumberColumn(help="Dialogues without a twin."),
        },
    )
    words.lead(captions.comparison(comparison))
    own = [c for c in comparison.changes if c.self_pair is not None]
    if own:
        with st.expander("Bots talking with themselves: shown, not judged, since both seats changed"):
            st.dataframe(
                pd.DataFrame(
                    [
                        {
                            "Bot": short(c.bot, 40),
                            "Before": charts.of_how_many(c.self_pair.rate_a, c.self_pair.inquiries[0]),
                            "After": charts.of_how_many(c.self_pair.rate_b, c.self_pair.inquiries[1]),
                            "Change": words.points(c.self_pair.delta),
                        }
                        for c in own
                        if c.self_pair is not None
                    ]
                ),
                hide_index=True,
            )


def configuration(base: StoredTournament, other: StoredTournament) -> None:
    changes = config_diff.changes(base.config, other.config)
    with st.expander(f"What changed in the configuration ({len(changes)})"):
        if not changes:
            words.notice("Nothing.")
            return
        words.table(
            [
                {"Key": short(c.key, 80), "Before": short(c.before, 400), "After": short(c.after, 400)}
                for c in changes
            ]
        )


def history(stored: list[StoredTournament]) -> None:
    names = sorted({name for t in stored for name in t.bots})
    bot = address.choice(
        st.selectbox, "Bot", "bot", names, default=names[0], always=True, show=lambda name: short(name, 60)
    )
    judges = sorted({judge.name for t in stored for judge in data.judges(t.id)})
    first = next((results.usual(t) for t in stored if data.judges(t.id)), judges[0])
    judge = address.choice(st.sidebar.selectbox, "Judge", "judge", judges, default=first)
    past = results.history(bot, judge)
    if not past:
        words.notice("This judge has judged none of the bot's tournaments.")
        return
    st.altair_chart(charts.past(past))
    words.lead(
        "Rates of different releases can rest on different opponents; the view Compare uses common ones."
    )
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
