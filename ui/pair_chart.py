"""The matrix of pairs: how often each bot contradicted itself with each speaker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from ui.charts import dressed, labels

if TYPE_CHECKING:
    from arena.stats.standings import Cell

TEXT = "#1d2733"


def chart(matrix: Mapping[str, Mapping[str, Cell]], order: Sequence[str]) -> Any:
    """Chart speaker × bot under test; a click returns the indices of both in `order`."""
    import altair as alt

    names = labels(order, 20)
    rows = [
        {
            "i": i,
            "j": j,
            "speaker": names[i],
            "tested": names[j],
            "rate": cell.rate,
            "inquiries": cell.inquiries,
            "of": f"n = {cell.inquiries:,}",
            "dialogues": cell.dialogues,
            "low": cell.low,
            "high": cell.high,
        }
        for i, speaker in enumerate(order)
        for j, tested in enumerate(order)
        if (cell := matrix.get(speaker, {}).get(tested)) is not None
    ]
    data = pd.DataFrame(rows)
    side = _side(len(order))
    click = alt.selection_point(name="click", fields=["i", "j"], on="click", empty=False)
    base = alt.Chart(data).encode(
        x=alt.X(
            "tested:N",
            sort=names,
            title="Bot under test (best first)",
            axis=alt.Axis(labelAngle=-40, labelLimit=80, orient="top"),
        ),
        y=alt.Y("speaker:N", sort=names, title="Speaker", axis=alt.Axis(labelLimit=110)),
        tooltip=[
            alt.Tooltip("speaker:N", title="Speaker"),
            alt.Tooltip("tested:N", title="Under test"),
            alt.Tooltip("rate:Q", title="Rate", format=".1%"),
            alt.Tooltip("low:Q", title="from", format=".1%"),
            alt.Tooltip("high:Q", title="to", format=".1%"),
            alt.Tooltip("inquiries:Q", title="Inquiries"),
            alt.Tooltip("dialogues:Q", title="Dialogues"),
        ],
    )
    cells = base.mark_rect(cursor="pointer", stroke="white", strokeWidth=1 if side > 12 else 0).encode(
        color=alt.Color(
            "rate:Q",
            scale=alt.Scale(scheme="blues", domainMin=0),
            legend=alt.Legend(
                format="%",
                title="Rate",
                gradientLength=160,
                tickCount=3,
                orient="bottom",
                direction="horizontal",
                titleOrient="left",
            ),
        )
    )
    drawn: Any = cells.add_params(click)
    if side > 30:
        middle = float(data["rate"].max() or 0) * 0.6
        colour = alt.condition(f"datum.rate > {middle}", alt.value("white"), alt.value(TEXT))
        numbers = base.mark_text(fontSize=12, dy=-6, cursor="pointer").encode(
            text=alt.Text("rate:Q", format=".0%"), color=colour
        )
        counts = base.mark_text(fontSize=9, dy=8, cursor="pointer").encode(
            text=alt.Text("of:N"), color=colour
        )
        drawn = drawn + numbers + counts
    speakers = data["i"].nunique()
    return dressed(drawn.properties(width=width(len(order)), height=side * speakers + 170))


def width(bots: int) -> int:
    """Return the width of the chart for this number of bots."""
    return int(_side(bots) * bots * 1.4) + 150


def _side(bots: int) -> int:
    return 46 if bots <= 14 else max(8, 700 // bots)
