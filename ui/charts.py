"""Interactive charts, made with Altair.

Names are treated as data, never as expressions. The colours are safe for colour-blind readers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from arena.stats.comparison import Verdict
from ui.markup import short
from ui.style import BLUE, BROWN, GREEN, GREY, SERIES, VERMILION
from ui.words import count, percent

if TYPE_CHECKING:
    from arena.results.releases import ReleaseStanding
    from arena.stats.stability import Curve, Stability
    from arena.stats.standings import Group, Standing
    from arena.stats.sweeps import Sweep

RANKED, UNRANKED = "ranked", "not ranked"  # too little data, or not comparable


def labels(names: Sequence[str], limit: int = 28) -> list[str]:
    """Shorten labels, but keep them distinct."""
    seen: Counter[str] = Counter()
    rows = []
    for name in names:
        label = short(name, limit) or "(blank)"
        seen[label] += 1
        rows.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return rows


def intervals(standings: Sequence[Standing]) -> Any:
    """Chart the rates with their intervals, the best bot on top. A click returns the bot's row."""
    import altair as alt

    names = labels([s.bot for s in standings])
    data = pd.DataFrame(
        {
            "row": range(len(names)),
            "bot": names,
            "rate": [s.rate for s in standings],
            "low": [s.low for s in standings],
            "high": [s.high for s in standings],
            "what": [RANKED if s.rank else UNRANKED for s in standings],
            "inquiries": [s.inquiries for s in standings],
        }
    ).dropna(subset=["rate"])
    click = alt.selection_point(name="click", fields=["row"], on="click", empty=False)
    y = alt.Y("bot:N", sort=names, title=None, axis=alt.Axis(labelLimit=220, ticks=False, domain=False))
    tooltip = [
        alt.Tooltip("bot:N", title="Bot"),
        alt.Tooltip("rate:Q", title="Contradiction rate", format=".1%"),
        alt.Tooltip("low:Q", title="from", format=".1%"),
        alt.Tooltip("high:Q", title="to", format=".1%"),
        alt.Tooltip("inquiries:Q", title="Inquiries", format=","),
        alt.Tooltip("what:N", title="Rank"),
    ]
    colour = alt.Color(
        "what:N",
        scale=alt.Scale(domain=[RANKED, UNRANKED], range=[BLUE, GREY]),
        legend=None
        if set(data["what"]) == {RANKED}
        else alt.Legend(title=None, orient="bottom", symbolOpacity=1),
    )
    base = alt.Chart(data).encode(y=y, tooltip=tooltip)
    x = alt.X(
        "low:Q",
        title="Contradiction rate with its 95% interval",
        axis=alt.Axis(format="%", tickCount=6, labelFlush=True),
        scale=alt.Scale(zero=True),
    )
    rule = base.mark_rule(strokeWidth=3, opacity=0.6).encode(x=x, x2="high:Q", color=colour)
    point = base.mark_point(size=110, opacity=1, strokeWidth=2.5, cursor="pointer").encode(
        x="rate:Q",
        color=colour,
        fill=alt.condition(f"datum.what == '{RANKED}'", alt.value(BLUE), alt.value("transparent")),
    )
    return dressed((rule + point.add_params(click)).properties(height=alt.Step(34 if len(data) < 20 else 22)))


def stability(result: Stability) -> Any:
    """Chart the share of sub-samples with the full ranking, for all bots and with each bot left out."""
    import altair as alt

    curves: dict[str, Curve] = {"all bots": result.curve}
    left = list(result.leave_one_out)
    for name, label in list(zip(left, labels(left), strict=True))[:7]:
        curves[f"without {label}"] = result.leave_one_out[name]
    rows = [
        {"curve": name, "dialogues": n, "agreement": share}
        for name, curve in curves.items()
        for n, share in zip(curve.dialogues, curve.agreement, strict=True)
    ]
    names = list(curves)
    line = (
        alt.Chart(pd.DataFrame(rows))
        .mark_line()
        .encode(
            x=alt.X("dialogues:Q", title="Dialogues a pair", axis=alt.Axis(tickMinStep=1, format="d")),
            y=alt.Y(
                "agreement:Q", title="Same ranking", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])
            ),
            color=alt.Color(
                "curve:N",
                sort=names,
                scale=alt.Scale(domain=names, range=list(SERIES)),
                title=None,
                legend=below(),
            ),
            strokeWidth=alt.condition("datum.curve == 'all bots'", alt.value(3), alt.value(1.4)),
            tooltip=["curve:N", "dialogues:Q", alt.Tooltip("agreement:Q", format=".1%")],
        )
    )
    bar = alt.Chart(pd.DataFrame({"y": [0.95]})).mark_rule(strokeDash=[4, 4], color=GREY).encode(y="y:Q")
    return dressed((line + bar).properties(height=340))


def sweep(swept: Sweep, bots: Sequence[str], tau: float) -> Any:
    """Chart the rate of each bot at each τ. The bots are in the order of the leaderboard, as in the other charts."""
    import altair as alt

    names = labels(bots)
    rows = [
        {"bot": name, "tau": t, "rate": rate}
        for bot, name in zip(bots, names, strict=True)
        for t, rate in zip(swept.taus, swept.rates[bot], strict=True)
    ]
    line = _lines(pd.DataFrame(rows).dropna(), "tau", "τ", names, [0, 1])
    here = alt.Chart(pd.DataFrame({"x": [tau]})).mark_rule(strokeDash=[4, 4], color=GREY).encode(x="x:Q")
    return dressed((line + here).properties(height=340))


def by_distance(standings: Sequence[Standing]) -> Any:
    """Chart the rate of each bot at each distance."""
    names = labels([s.bot for s in standings])
    rows = [
        {"bot": name, "distance": distance, "rate": group.rate}
        for name, s in zip(names, standings, strict=True)
        for distance, group in sorted(s.by_distance.items())
    ]
    return dressed(
        _lines(pd.DataFrame(rows), "distance", "Distance in turns", names, None).properties(height=340)
    )


def _lines(data: pd.DataFrame, x: str, title: str, names: Sequence[str], domain: list[float] | None) -> Any:
    import altair as alt

    axis = alt.Axis(tickMinStep=1) if domain is None else alt.Axis()
    scale = alt.Scale(domain=domain) if domain else alt.Undefined
    few = len(names) <= len(SERIES)
    colours = (
        alt.Scale(domain=list(names), range=list(SERIES)[: len(names)])
        if few
        else alt.Scale(scheme="viridis")
    )
    return (
        alt.Chart(data)
        .mark_line(point=few)
        .encode(
            x=alt.X(f"{x}:Q", title=title, axis=axis, scale=scale),
            y=alt.Y("rate:Q", title="Contradiction rate", axis=alt.Axis(format="%")),
            color=alt.Color(
                "bot:N", sort=list(names), scale=colours, title=None, legend=below() if few else None
            ),
            tooltip=["bot:N", alt.Tooltip(f"{x}:Q", title=title), alt.Tooltip("rate:Q", format=".1%")],
        )
    )


def groups(standings: Sequence[Standing], of: str) -> pd.DataFrame:
    """Return a table of rates by kind or entity type, one row per bot; each cell names its number of inquiries."""
    names = sorted({str(name) for standing in standings for name in getattr(standing, of)})
    rows = []
    for standing in standings:
        by: Mapping[str, Group] = getattr(standing, of)
        rows.append(
            {
                "Bot": short(standing.bot, 40),
                **{
                    short(str(name), 30): of_how_many(by[name].rate, by[name].inquiries)
                    for name in names
                    if name in by
                },
            }
        )
    return pd.DataFrame(rows, columns=["Bot", *(short(name, 30) for name in names)])


def of_how_many(rate: float, inquiries: int) -> str:
    return f"{percent(rate)} (n = {count(inquiries)})"


COLOURS = {
    Verdict.BETTER.value: BLUE,
    Verdict.WORSE.value: VERMILION,
    Verdict.SAME.value: GREEN,
    Verdict.UNCLEAR.value: GREY,
    Verdict.UNCHANGED.value: BROWN,
}


def slopes(rows: Sequence[Mapping[str, Any]], releases: Sequence[str]) -> Any:
    """Chart each bot's rate from release to release; a row is (release, bot, rate, verdict)."""
    import altair as alt

    data = pd.DataFrame(rows).dropna(subset=["rate"])
    shown = labels(list(releases), 24)
    data["at"] = [shown[list(releases).index(name)] for name in data["release"]]
    data["bot"] = [short(name, 28) for name in data["bot"]]
    verdicts = [name for name in COLOURS if name in set(data["verdict"])]
    base = alt.Chart(data).encode(
        x=alt.X(
            "at:N",
            sort=shown,
            title=None,
            axis=alt.Axis(labelAngle=0, grid=True),
            scale=alt.Scale(padding=0.4),
        ),
        y=alt.Y("rate:Q", title="Contradiction rate", axis=alt.Axis(format="%")),
        detail="bot:N",
        color=alt.Color(
            "verdict:N",
            scale=alt.Scale(domain=verdicts, range=[COLOURS[name] for name in verdicts]),
            legend=alt.Legend(title="Last against first", symbolOpacity=1, orient="bottom", columns=3),
        ),
        tooltip=["bot:N", "at:N", alt.Tooltip("rate:Q", format=".1%"), "verdict:N"],
    )
    last = data[data["at"] == shown[-1]].sort_values("rate")
    top = float(data[[name for name in ("rate", "high") if name in data]].max(axis=None) or 1)
    last = last.assign(place=stacked(last["rate"].tolist(), top / 22))
    names = base.properties(data=last).mark_text(align="left", dx=9, fontSize=12)
    names = names.encode(text="bot:N", y=alt.Y("place:Q", title="Contradiction rate"))
    interval = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=3, opacity=0.5)
    chart = interval.encode(y=alt.Y("low:Q", title="Contradiction rate"), y2="high:Q")
    chart = chart + base.mark_line(strokeWidth=2) + base.mark_point(filled=True, size=70, opacity=1)
    return dressed((chart + names).properties(height=380))


def stacked(rates: Sequence[float], gap: float) -> list[float]:
    """Return vertical positions of labels for increasing rates; labels move up where they would overlap."""
    places: list[float] = []
    for rate in rates:
        places.append(max(rate, places[-1] + gap) if places else rate)
    return places


def past(rows: Sequence[ReleaseStanding]) -> Any:
    """Chart one bot from release to release, with intervals. The symbol changes when the bot's identity changes."""
    import altair as alt

    shown = labels([p.release for p in rows], 24)
    data = pd.DataFrame(
        {
            "at": shown,
            "rate": [p.standing.rate for p in rows],
            "low": [p.standing.low for p in rows],
            "high": [p.standing.high for p in rows],
            "bot": ["changed" if p.changed else "as before" for p in rows],
        }
    ).dropna()
    base = alt.Chart(data).encode(
        x=alt.X("at:N", sort=shown, title=None, axis=alt.Axis(labelAngle=0)),
        tooltip=["at:N", alt.Tooltip("rate:Q", format=".1%"), "bot:N"],
    )
    y = alt.Y("low:Q", title="Contradiction rate with its 95% interval", axis=alt.Axis(format="%"))
    rule = base.mark_rule(strokeWidth=3, opacity=0.6, color=BLUE).encode(y=y, y2="high:Q")
    line = base.mark_line(color=GREY, strokeWidth=1).encode(y="rate:Q")
    point = base.mark_point(filled=True, size=110, opacity=1, color=BLUE).encode(
        y="rate:Q",
        shape=alt.Shape(
            "bot:N",
            scale=alt.Scale(domain=["as before", "changed"], range=["circle", "diamond"]),
            legend=alt.Legend(title="The bot", orient="bottom"),
        ),
    )
    return dressed((rule + line + point).properties(height=320))


def below() -> Any:
    """A legend under a chart, so that the chart keeps its width on a phone."""
    import altair as alt

    return alt.Legend(orient="bottom", columns=2, labelLimit=140)


def dressed(chart: Any) -> Any:
    """Apply the style of all pages to a chart: no frame, common axes and legends."""
    return (
        # Vega's width excludes names and numbers at the right edge
        chart.properties(padding={"left": 5, "top": 5, "bottom": 5, "right": 26})
        .configure_view(strokeWidth=0)
        .configure_axis(labelFontSize=12, titleFontSize=12, titleFontWeight="normal", titleOpacity=0.8)
        .configure_legend(labelLimit=200, labelFontSize=12)
    )
