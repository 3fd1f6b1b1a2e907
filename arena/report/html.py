"""Writes a report as one HTML file that needs no network and no server. Texts are escaped."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.core.safe_text import cleaned, script_json
from arena.core.safe_text import html as text
from arena.exchange.flat import written
from arena.report import captions
from arena.report.documents import number
from arena.report.tables import percent, rank, share, span
from arena.report.tables.common import distinct, interval
from arena.results.view import View, view
from arena.stats.leaderboard import leaderboard
from arena.stats.standings import Leaderboard
from db import statistics
from db.records import Record, StoredTournament
from db.repository import Repository

HERE = Path(__file__).parent
MOST = 1000  # dialogues in the transcript browser

CAPTIONS = {
    "ranks": "Contradiction rates with their intervals; the number at the right is the rank.",
    "pairs": "Rate of each pair: the row speaks, the column is tested.",
    "stability": "How often sub-samples of a given number of dialogues per pair give the same ranking.",
    "tau": "Rates against the threshold above which a score counts as a contradiction.",
    "distance": "Rates against the number of turns between a statement and the question about it.",
    "confusion": "The judge against the vote of the people who labelled.",
}


def report(repository: Repository, stored: StoredTournament, out: Path, *, judge: str | None = None) -> None:
    """Write the leaderboard, the plots and the transcripts of one tournament."""
    page = render(repository, stored, judge=judge)

    def write(part: Path) -> None:
        part.write_text(page, encoding="utf-8", errors="replace")

    written(out, write)


def render(repository: Repository, stored: StoredTournament, *, judge: str | None = None) -> str:
    from arena.report.plots import board_plots, svg

    seen = view(repository, stored, judge)
    board = leaderboard(seen.inquiries, seen.judge.tau)
    plots = {name: svg(plot) for name, plot in board_plots(seen, board).items()}
    transcripts = _transcripts(repository, stored, seen)
    script = (HERE / "page.js").read_text(encoding="utf-8")
    style = (HERE / "page.css").read_text(encoding="utf-8")
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'; img-src data:"
    figures = "\n".join(
        f'<figure id="plot-{name}">{drawn}<figcaption>{CAPTIONS[name]}</figcaption></figure>'
        for name, drawn in plots.items()
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{text(stored.release, lines=False)} · Consistency Arena</title>
<style>
{style}
</style>
</head>
<body>
<header>
<h1>Consistency Arena</h1>
<p>{_subtitle(seen, board)}</p>
<nav><a href="#leaderboard">Leaderboard</a> <a href="#plots">Plots</a> <a href="#transcripts">Transcripts</a></nav>
</header>
<main>
<section id="leaderboard">
<h2>Leaderboard</h2>
{_table(board, seen.judge.revision)}
{_warnings(board)}
</section>
<section id="plots">
<h2>Plots</h2>
<div class="figures">
{figures}
</div>
</section>
<section id="transcripts">
<h2>Transcripts</h2>
<noscript><p>The transcript browser needs JavaScript; the tables and plots above do not.</p></noscript>
<div id="browser"></div>
</section>
</main>
<script type="application/json" id="data">{script_json(cleaned(transcripts))}</script>
<script>{script}</script>
</body>
</html>
"""


def _subtitle(seen: View, board: Leaderboard) -> str:
    stored = seen.tournament
    dialogues = sum(s.dialogues for s in board.standings)
    inquiries = sum(s.inquiries for s in board.standings)
    return (
        f"Release <strong>{text(stored.release, lines=False)}</strong>, tournament <code>{text(stored.id)}</code>: "
        f"{len(board.standings)} bots, {dialogues:,} dialogues, {inquiries:,} judged inquiries. "
        f"Judge <strong>{text(seen.judge.name, lines=False)}</strong>, a contradiction is a score above "
        f"τ = {board.tau:g}. Low rates win."
    )


def _table(board: Leaderboard, revision: str) -> str:
    relevant = any(math.isfinite(s.relevant_rate) for s in board.standings)
    high = max((s.high for s in board.standings if math.isfinite(s.high)), default=1.0) or 1.0
    head = [
        "rank",
        "bot",
        "contradiction rate",
        "",
        "ranks open",
        "inquiries",
        "dialogues",
        "per dialogue",
        "failed",
        "asked",
        "induces",
        "evasive",
        "without evasions",
        "bounds",
    ]
    rows = []
    for s in board.standings:
        mark = "" if s.comparable else '<span class="mark">rate not comparable</span>'
        thin = "" if s.enough else '<span class="mark">not enough data to rank</span>'
        bar = ""
        if math.isfinite(s.rate):
            left, width = 100 * s.low / high, 100 * (s.high - s.low) / high
            bar = (
                f'<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
                f'<rect x="{left:.2f}" y="3.5" width="{width:.2f}" height="3"/>'
                f'<rect class="dot" x="{100 * s.rate / high - 0.8:.2f}" y="0.5" width="1.6" height="9"/></svg>'
            )
        cells = [
            rank(s),
            f'<th scope="row">{text(s.bot, lines=False)} {mark}{thin}</th>',
            f"<b>{share(s.rate)}</b> <small>{interval(s.low, s.high)}</small>",
            bar,
            span(s.rank_low, s.rank_high),
            f"{s.inquiries:,}",
            distinct(s),
            f"{share(s.contradictions_per_dialogue, 2)} of {share(s.inquiries_per_dialogue, 2)}",
            f"{s.failed_dialogues:,}",
            percent(s.asked_share),
            share(s.induced_rate),
            percent(s.evasion_rate),
            share(s.non_evasive_rate),
            interval(*s.bounds),
            *((percent(s.relevant_rate),) if relevant else ()),
        ]
        rows.append("<tr>" + "".join(c if c.startswith("<th") else f"<td>{c}</td>" for c in cells) + "</tr>")
    head += ["relevant"] if relevant else []
    headings = "".join(f'<th scope="col">{h}</th>' for h in head)
    note = (
        f"{text(captions.leaderboard(board, revision))} "
        "A rank is 1 + the number of bots with a significantly lower rate, "
        "all differences tested together; = marks a shared rank, – a bot without one. "
        "Per dialogue: contradictions of inquiries. "
        "Asked: share of its replies that it was asked about. Induces: mean rate of the bots it spoke with. "
        "Without evasions: the rate among answers that do not evade. Bounds: were no evasion a contradiction, were all."
    )
    return (
        f'<div class="wide"><table><thead><tr>{headings}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
        f'<p class="note">{note}</p>'
    )


def _warnings(board: Leaderboard) -> str:
    return "".join(f'<p class="warning">{text(note)}</p>' for note in board.notes)


def _transcripts(repository: Repository, stored: StoredTournament, seen: View) -> dict[str, Any]:
    """Return the transcripts of as many dialogues of every pair as the size limit allows."""
    pairs = max(1, len({*zip(seen.played.speaker.tolist(), seen.played.tested.tolist(), strict=True)}))
    each = max(1, MOST // pairs)
    keys = statistics.keys(repository, stored.id, each)[:MOST]
    taus = {(judge.name, judge.revision): judge.tau for judge in repository.judges(stored.id)}
    taus[seen.judge.name, seen.judge.revision] = seen.judge.tau
    total = int(seen.played.done.sum())
    return {
        "judge": seen.judge.name,
        "total": total,
        "dialogues": [_dialogue(record, taus) for record in repository.records(stored.id, keys=keys)]
        if keys
        else [],
    }


def _dialogue(record: Record, taus: Mapping[tuple[str, str], float]) -> dict[str, Any]:
    return {
        "speaker": record.speaker,
        "tested": record.tested,
        "number": record.number,
        "messages": [
            {"seat": m.seat, "text": m.text} for m in sorted(record.messages, key=lambda m: m.index)
        ],
        "inquiries": [
            {
                "after": i.after,
                "source": i.source,
                "entity": i.entity,
                "question": i.question,
                "kind": i.kind.value,
                "distance": i.distance,
                "answer": i.answer,
                "reason": i.reason,
                "reference": i.reference,
                "verdicts": [
                    {
                        "judge": v.judge,
                        "score": None
                        if v.judgement.contradiction is None
                        else number(v.judgement.contradiction),
                        "tau": taus.get((v.judge, v.revision)),
                        "reason": v.judgement.reason,
                    }
                    for v in record.verdicts
                    if v.inquiry == i.id
                ],
                "labels": [
                    {"person": label.person, "values": {k: str(v) for k, v in label.values.items()}}
                    for label in record.labels
                    if label.subject == i.id
                ],
            }
            for i in record.inquiries
        ],
    }
