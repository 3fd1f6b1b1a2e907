"""The agreement among people, and between judges and people, on the organiser's page."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from arena.core.types import Label
from arena.labelling.form_agreement import rows as form_agreement_of
from arena.labelling.schemas import Schema
from arena.results import agreement as agreed
from arena.results import votes
from arena.stats import agreement
from arena.stats.sessions import Work
from db.records import StoredTournament
from ui import data, memory, words
from ui.markup import short


def people(form: Schema, labels: list[Label], work: Work) -> None:
    """Show for each person how fast they label, and how often they agree with the others."""
    if not work.by_person:
        return
    question = form.question(form.main) if form.main else form.asked[0] if form.asked else None
    shares: dict[str, tuple[int, float]] = {}
    far: dict[str, float] = {}
    if question is not None and not form.repeated:
        names, _, ratings = votes.ratings(labels, question.name, form.name, question.choices)
        shares = agreement.shares_with_others(names, ratings)
        far = agreement.people(names, ratings).pearson_with_others if question.yes_no else {}
    rows = []
    for name, items, seconds in work.by_person:
        shared, same = shares.get(name, (0, math.nan))
        row: dict[str, object] = {"Person": short(name, 60), "Items": items, "Seconds per item": seconds}
        if shares:
            row |= {"Shared items": shared, "As the others": words.percent(same, 0)}
        if len(far) > 2:
            row["r with the others"] = words.number(far.get(name))
        rows.append(row)
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        placeholder=words.NOTHING,
        column_config={
            "Seconds per item": st.column_config.NumberColumn(format="%.1f", help="The median."),
            "Shared items": st.column_config.NumberColumn(help="Items on which the others have a majority."),
            "As the others": st.column_config.TextColumn(
                help=f"Share of these where the answer to '{question.name}' is that of the majority."
                if question
                else None
            ),
        },
    )


def agreements(form: Schema, labels: list[Label]) -> None:
    st.subheader("Agreement of people")
    rows = []
    for question in form.asked:
        names, subjects, ratings = votes.ratings(labels, question.name, form.name, question.choices)
        if len(names) < 2 or not len(subjects):
            continue
        measured = agreement.people(names, ratings)
        if measured.items == 0:
            continue
        rows.append(
            {
                "Question": question.name,
                "Items with two or more": measured.items,
                "Unanimous": words.percent(measured.share_unanimous),
                "Fleiss κ": words.number(measured.fleiss_kappa, 3),
                "Krippendorff α": words.number(measured.krippendorff_alpha, 3),
            }
        )
    if rows:
        st.dataframe(pd.DataFrame(rows), hide_index=True)
        st.caption("κ and α need both answers to occur; with few items they jump.")
    else:
        words.notice("Agreement appears when two people have labelled the same item.")


def of_begin(labels: list[Label]) -> None:
    st.subheader("Agreement of people")
    rows = form_agreement_of(labels)
    if not rows:
        words.notice("Agreement appears when two people have rated the same reply.")
        return
    table = [
        {
            "Question": row.question,
            "Items with two or more": row.items,
            "Unanimous": words.percent(row.unanimous),
            "Krippendorff α": words.number(row.alpha, 3),
        }
        for row in rows
    ]
    st.dataframe(pd.DataFrame(table), hide_index=True)
    st.caption("In the paper α is about 0.41 on average over the questions.")


def against_judges(chosen: StoredTournament, form: Schema) -> None:
    """Compare the judges with the people. This reads every inquiry, so it is computed only on request."""
    if form.main is None or form.subject_type not in ("inquiry", "finding"):
        return
    with st.expander(
        "Judges against the people's vote, by items drawn by lot",
        on_change="rerun",
        key=f"judges_{chosen.id}_{form.name}",
    ) as box:
        if not box.open:
            return
        stamp = data.pages().stamp("labels", "label_history", "verdicts", "message_verdicts")
        measured = _agreement(data.options().db, stamp, chosen, chosen.id, form)
        if not any(judge.items for judge in measured.judges.values()):
            words.notice("No judged item that was drawn by lot has a vote yet.")
            return
        st.dataframe(
            pd.DataFrame(
                [
                    {
                        "Judge": short(name, 60),
                        "Items": judge.items,
                        "τ": judge.tau,
                        "F1": words.number(judge.f1, 3),
                        "Accuracy": words.number(judge.accuracy, 3),
                        "κ": words.number(judge.kappa, 3),
                        "AUC": words.number(judge.auc, 3),
                    }
                    for name, judge in measured.judges.items()
                ]
            ),
            hide_index=True,
        )


@memory.values(max_entries=4, ttl=600.0, show_spinner="Comparing judges with people …")
def _agreement(
    url: str,  # noqa: ARG001
    stamp: str,  # noqa: ARG001
    _chosen: StoredTournament,
    id: str,  # noqa: ARG001
    form: Schema,
) -> agreed.Agreement:
    return agreed.compute(data.store(), _chosen, form=form)
