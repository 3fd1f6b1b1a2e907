"""Organiser: labelling settings, progress, agreement, and disagreements to settle."""

from __future__ import annotations

import io
import time

import streamlit as st

from arena.core.errors import ArenaError
from arena.core.types import Label
from arena.labelling import files, own
from arena.labelling import work as labelling
from arena.labelling.begin_file import write_tsv
from arena.labelling.schemas import Schema
from arena.stats.sessions import Work
from db.labelling import Desk, Task
from db.labels import Labels
from db.records import StoredTournament
from ui import agreeing, data, label_forms, memory, picks, queues, settling, words


def main() -> None:
    st.title("Organiser")
    stored = data.tournaments()
    if not stored:
        picks.nothing_yet()
        return
    chosen = picks.tournament(stored)
    form = label_forms.choose(
        chosen.id, st.segmented_control, "What is labelled", label_forms.short_title, required=True
    )
    desk = labelling.desk(data.store(), form)
    with words.show_arena_errors():
        labels = everything(chosen.id, form)
        task = settings(desk, chosen)
        work = progress(chosen, form, labels, task)
        agreeing.people(form, labels, work)
        raters(chosen, form)
        if form.name == labelling.BEGIN.name:
            agreeing.of_begin(labels)
            export_classes(desk, chosen)
        else:
            agreeing.agreements(form, labels)
            agreeing.against_judges(chosen, form)
            settling.disagreements(desk, form, chosen, labels)
            export(chosen, form, labels)
    own_schema()


def everything(tournament: str, form: Schema) -> list[Label]:
    return _said(data.options().db, data.pages().stamp("labels", "label_history"), tournament, form)


@memory.values(max_entries=8, ttl=600.0)
def _said(url: str, stamp: str, tournament: str, form: Schema) -> list[Label]:  # noqa: ARG001
    return labelling.desk(data.store(), form).labels(tournament)


def settings(desk: Desk, chosen: StoredTournament) -> Task:
    task = desk.task(chosen.id)
    with st.expander("What raters get"), st.form(f"task_{chosen.id}_{desk.schema}"):
        a, b, c, d = st.columns(4)
        wanted = a.number_input("People per item", 1, 50, task.wanted)
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
            "Dialogues per pair", min_value=1, value=task.dialogues, placeholder="all", help="AIH samples 50."
        )
        if st.form_submit_button("Save"):
            desk.decide(chosen.id, Task(int(wanted), int(seed), float(share), dialogues))
            st.rerun()
    return task


def progress(chosen: StoredTournament, form: Schema, labels: list[Label], task: Task) -> Work:
    work = labelling.work(labels, task.wanted, form)
    length = queues.length(chosen.id, task, form.name)
    words.facts(
        in_the_queue=words.count(length) if length is not None else "being made",
        labelled=words.count(work.begun),
        **{f"with {words.plural(task.wanted, 'person', 'people')}": words.count(work.complete)},
        people=words.count(len(work.by_person)),
    )
    return work


def raters(chosen: StoredTournament, form: Schema) -> None:
    st.page_link(
        "views/label.py",
        label="The raters' page",
        icon=":material/rule:",
        query_params={"tournament": chosen.id, "form": form.name},
    )


def export_classes(desk: Desk, chosen: StoredTournament) -> None:
    """Export the raters' classes as a file on which judges are validated."""
    st.subheader("Export")

    def text() -> str:
        out = io.StringIO()
        write_tsv(desk.store, Labels(desk.store).of(chosen.id, desk.schema), out)
        return out.getvalue()

    st.download_button("Classes (TSV)", text, f"begin-{chosen.id[:8]}.tsv", key="export_begin")


def export(chosen: StoredTournament, form: Schema, labels: list[Label]) -> None:
    st.subheader("Export")
    complete = [one for one in labels if form.complete(one.values)]
    if not complete:
        words.notice("There is nothing to export yet.")
        return

    def text(kind: str) -> str:
        out = io.StringIO()
        wanted = {(one.subject, one.person) for one in complete}
        subjects = sorted({one.subject for one in complete})
        labels: list[Label] = [
            label
            for label in data.pages().about(subjects, form.subject_type, form.name)
            if (label.subject, label.person) in wanted
        ]
        (files.write_csv if kind == "csv" else files.write_jsonl)(labels, out)
        return out.getvalue()

    with st.container(horizontal=True):
        for kind in ("csv", "jsonl"):
            name = "labels" if form.name == labelling.AIH.name else form.name
            st.download_button(
                kind.upper(),
                lambda kind=kind: text(kind),
                f"{name}-{chosen.id[:8]}.{kind}",
                key=f"export_{kind}",
            )


def own_schema() -> None:
    """Upload a user's own questions from a file; docs/labelling.md shows one."""
    with st.expander("Questions of your own"):
        words.lead(
            "A YAML file with questions, answers and keys, and a practice round if you like. It is then on the page "
            "Label, in exports and in agreement, for every tournament of this database."
        )
        file = st.file_uploader("Label schema", type=["yaml", "yml"], key="own_schema")
        if file is None:
            return
        try:
            form = own.parse(file.getvalue().decode("utf-8"), file.name)
            own.add(data.store(), form, time.time())
        except UnicodeDecodeError:
            words.notice(f"{file.name} is not text in UTF-8; save it as such.", "bad")
        except ArenaError as error:
            words.notice(str(error), "bad")
        else:
            words.notice(
                f"'{form.title or form.name}' is on the page Label, with "
                f"{words.plural(len(form.questions), 'question')}."
            )


main()
