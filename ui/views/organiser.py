"""Organiser: what raters get, how far they are, how far they agree, what is left to settle."""

from __future__ import annotations

import io
import math

import pandas as pd
import streamlit as st

from arena.core.types import Label
from arena.labelling import files
from arena.labelling import work as labelling
from arena.labelling.begin_file import write_tsv
from arena.labelling.form_agreement import rows as form_agreement_of
from arena.results import agreement as agreed
from arena.results import votes
from arena.stats import agreement
from db.grounded import Responses
from db.labelling import Desk, Task
from db.labels import Labels
from db.records import StoredTournament
from db.statistics import Said
from ui import data, memory, picks, queues, settling, words
from ui.markup import short

LIMIT = 200
FORMS = {labelling.AIH.name: "Inquiries (AIH)", labelling.BEGIN.name: "Replies (BEGIN)"}


def main() -> None:
    st.title("Organiser")
    stored = data.tournaments()
    if not stored:
        words.notice(picks.EMPTY)
        return
    chosen = picks.tournament(stored)
    engine = data.store().engine
    form = labelling.AIH.name
    if Responses(engine).any(chosen.id):
        form = st.segmented_control("Form", list(FORMS), format_func=FORMS.__getitem__, default=form) or form
    desk = labelling.desk(engine, form)
    with words.show_arena_errors():
        said = everything(chosen.id, form)
        task = settings(desk, chosen)
        progress(chosen, said, task, form)
        if form == labelling.BEGIN.name:
            form_agreement(said)
            export_form(desk, chosen)
            return
        agreements(said)
        against_judges(chosen)
        settling.disagreements(desk, chosen, said)
        export(chosen, said)


def everything(tournament: str, form: str) -> list[Said]:
    return _said(data.options().db, data.pages().stamp("labels", "label_history"), tournament, form)


@memory.values(max_entries=8, ttl=600.0)
def _said(url: str, stamp: str, tournament: str, form: str) -> list[Said]:  # noqa: ARG001
    return labelling.desk(data.store().engine, form).said(tournament)


def settings(desk: Desk, chosen: StoredTournament) -> Task:
    task = desk.task(chosen.id)
    with st.expander("What raters get"), st.form(f"task_{chosen.id}"):
        a, b, c, d = st.columns(4)
        wanted = a.number_input("People an item", 1, 50, task.wanted)
        seed = b.number_input("Seed of the order", 0, value=task.seed)
        share = c.number_input(
            "Random share",
            0.0,
            1.0,
            task.share,
            0.05,
            help="The rest is ordered by how much judges disagree; only the random share estimates rates.",
        )
        dialogues = d.number_input(
            "Dialogues a pair", min_value=1, value=task.dialogues, placeholder="all", help="AIH samples 50."
        )
        if st.form_submit_button("Save"):
            desk.decide(chosen.id, Task(int(wanted), int(seed), float(share), dialogues))
            st.rerun()
    return task


def progress(chosen: StoredTournament, said: list[Said], task: Task, form: str) -> None:
    work = labelling.work(said, task.wanted)
    length = queues.length(chosen.id, task, form)
    words.facts(
        in_the_queue=words.count(length) if length is not None else "being made",
        labelled=words.count(work.begun),
        **{f"with {task.wanted} people": words.count(work.complete)},
        people=words.count(len(work.by_person)),
    )
    if work.by_person:
        table = pd.DataFrame(
            [(short(name, 60), number, seconds) for name, number, seconds in work.by_person],
            columns=["Person", "Items", "Seconds an item"],
        )
        st.dataframe(
            table,
            hide_index=True,
            column_config={"Seconds an item": st.column_config.NumberColumn(format="%.1f")},
        )
    st.page_link(
        "views/label.py",
        label="The raters' page",
        icon=":material/rule:",
        query_params={"tournament": chosen.id},
    )


def form_agreement(said: list[Said]) -> None:
    st.subheader("Agreement of people")
    rows = form_agreement_of(said)
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


def export_form(desk: Desk, chosen: StoredTournament) -> None:
    """The raters' classes as a file that judges are validated on."""
    st.subheader("Export")

    def text() -> str:
        out = io.StringIO()
        write_tsv(desk.engine, Labels(desk.engine).of(chosen.id, desk.schema), out)
        return out.getvalue()

    st.download_button("Classes (TSV)", text, f"begin-{chosen.id[:8]}.tsv", key="export_begin")


def agreements(said: list[Said]) -> None:
    st.subheader("Agreement of people")
    rows = []
    for question in labelling.AIH.questions:
        names, subjects, ratings = votes.ratings(said, question.name)
        if len(names) < 2 or not len(subjects):
            continue
        found = agreement.people(names, ratings)
        if found.items == 0:
            continue
        row = {
            "Question": question.name,
            "Items with two or more": found.items,
            "Unanimous": words.percent(found.share_unanimous),
            "Fleiss κ": words.number(found.fleiss_kappa, 3),
            "Krippendorff α": words.number(found.krippendorff_alpha, 3),
        }
        for name, r in found.pearson_with_others.items():
            row[f"r of {short(name, 24)} with the others"] = (
                words.number(r) if math.isfinite(r) else words.NOTHING
            )
        rows.append(row)
    if rows:
        st.dataframe(pd.DataFrame(rows), hide_index=True)
        st.caption("κ and α need both answers to occur; with few items they jump.")
    else:
        words.notice("Agreement appears when two people have labelled the same item.")


def against_judges(chosen: StoredTournament) -> None:
    """Costs a pass over every inquiry, so only when asked for."""
    with st.expander(
        "Judges against the people's vote, by items drawn by lot",
        on_change="rerun",
        key=f"judges_{chosen.id}",
    ) as box:
        if not box.open:
            return
        found = _agreement(
            data.options().db, data.pages().stamp("labels", "label_history", "verdicts"), chosen, chosen.id
        )
        if not any(judge.items for judge in found.judges.values()):
            words.notice("No judged inquiry that was drawn by lot has a vote yet.")
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
                    for name, judge in found.judges.items()
                ]
            ),
            hide_index=True,
        )


@memory.values(max_entries=4, ttl=600.0, show_spinner="Holding judges against people …")
def _agreement(url: str, stamp: str, _chosen: StoredTournament, id: str) -> agreed.Agreement:  # noqa: ARG001
    return agreed.compute(data.store(), _chosen)


def export(chosen: StoredTournament, said: list[Said]) -> None:
    st.subheader("Export")
    complete = [one for one in said if labelling.complete(one.values)]
    if not complete:
        words.notice("There is nothing to export yet.")
        return

    def text(kind: str) -> str:
        out = io.StringIO()
        wanted = {(one.subject, one.person) for one in complete}
        labels: list[Label] = [
            label
            for label in data.pages().about([one.subject for one in complete], "inquiry", labelling.AIH.name)
            if (label.subject, label.person) in wanted
        ]
        unique = {(label.subject, label.person): label for label in labels}
        (files.write_csv if kind == "csv" else files.write_jsonl)(unique.values(), out)
        return out.getvalue()

    with st.container(horizontal=True):
        for kind in ("csv", "jsonl"):
            st.download_button(
                kind.upper(),
                lambda kind=kind: text(kind),
                f"labels-{chosen.id[:8]}.{kind}",
                key=f"export_{kind}",
            )


main()
