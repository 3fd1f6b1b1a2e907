"""What pages read: in order, page by page, in bounded work."""

from __future__ import annotations

import pytest

from arena.core.types import Label
from db import Repository, connect
from db.labels import Labels
from db.pages import Pages, Wanted
from tests.support import tournaments as play

KINDS = "{entities: rules, questions: rules, kinds: [wh, ask_twice], per_turn: 2}"


@pytest.fixture
def stored(database: str) -> tuple[Repository, Pages, str]:
    store = Repository(connect(database))
    text = play.text(dialogues=4, inquirer=KINDS).replace("[truth]", "[truth, lexical]")
    tournament, _ = play.play(store, text)
    return store, Pages(store), tournament.info.id


def everything(pages: Pages, tournament: str, wanted: Wanted, limit: int) -> list[str]:
    collected: list[str] = []
    after = None
    while True:
        page = pages.find(tournament, wanted, after, limit)
        collected += [hit.inquiry for hit in page.hits]
        if page.next is None:
            return collected
        after = page.next


def test_pages_put_together_are_the_whole(stored: tuple[Repository, Pages, str]) -> None:
    store, pages, tournament = stored
    all_there = [i.id for record in store.records(tournament) for i in record.inquiries]
    for limit in (1, 7, 1000):
        assert everything(pages, tournament, Wanted(), limit) == all_there


def test_filters(stored: tuple[Repository, Pages, str]) -> None:
    store, pages, tournament = stored
    row, _, _, tau = next(j for j in store.judges(tournament) if j[1] == "truth")
    records = list(store.records(tournament))
    verdicts = {
        v.inquiry: v.judgement.contradiction for r in records for v in r.verdicts if v.judge == "truth"
    }
    wanted = Wanted(tested="moody", kind="wh", judge=row, above=tau)
    expected = [
        i.id
        for r in records
        for i in r.inquiries
        if r.tested == "moody" and i.kind == "wh" and (verdicts.get(i.id) or 0) > tau
    ]
    assert expected and everything(pages, tournament, wanted, 5) == expected
    unjudged = everything(pages, tournament, Wanted(judge=row, unjudged=True), 50)
    assert unjudged == [i.id for r in records for i in r.inquiries if verdicts.get(i.id) is None]


def test_disagreement(stored: tuple[Repository, Pages, str]) -> None:
    store, pages, tournament = stored
    taus = {name: tau for _, name, _, tau in store.judges(tournament)}
    expected = []
    for record in store.records(tournament):
        for inquiry in record.inquiries:
            sides = {
                v.judgement.contradiction > taus[v.judge]
                for v in record.verdicts
                if v.inquiry == inquiry.id and v.judgement.contradiction is not None
            }
            if len(sides) == 2:
                expected.append(inquiry.id)
    assert expected and everything(pages, tournament, Wanted(disagreed=True), 3) == expected


def test_a_search_ends_when_its_time_is_up(
    stored: tuple[Repository, Pages, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, pages, tournament = stored
    monkeypatch.setattr("db.pages.WINDOW", 2)
    ticks = iter(range(1000))
    page = pages.find(tournament, Wanted(kind="paraphrase"), None, 50, seconds=1.5, clock=lambda: next(ticks))
    assert page.hits == () and page.next is not None and 0 < page.looked < 16


def test_backwards_is_the_reverse_of_what_stands_before(stored: tuple[Repository, Pages, str]) -> None:
    store, pages, tournament = stored
    records = [record for record in store.records(tournament) if record.inquiries]
    before = [i.id for record in records[:5] for i in record.inquiries]
    at = pages.place(tournament, records[5].key)
    assert at == (records[5].speaker, records[5].tested, records[5].number)
    page = pages.find(tournament, Wanted(), at, 1000, backwards=True)
    assert [hit.inquiry for hit in page.hits] == before[::-1] and page.next is None
    nearest = pages.find(tournament, Wanted(), at, 1, backwards=True)
    assert nearest.hits[0].inquiry == before[-1] and nearest.last == records[4].key
    assert pages.place(tournament, "nonsense") is None and pages.place("nowhere", records[5].key) is None


def test_neighbours_and_homes(stored: tuple[Repository, Pages, str]) -> None:
    store, pages, tournament = stored
    records = list(store.records(tournament))
    middle = records[5]
    place = (middle.speaker, middle.tested, middle.number)
    assert pages.beside(tournament, place) == (records[4].key, records[6].key)
    assert pages.homes(middle.key) == [tournament]
    entries = pages.entries(tournament, limit=6)
    assert [e.dialogue for e in entries.rows] == [r.key for r in records[:6]]
    assert [e.inquiries for e in entries.rows] == [len(r.inquiries) for r in records[:6]]
    assert pages.entries(tournament, after=entries.next).rows[0].dialogue == records[6].key


def test_the_stamp_changes_with_the_tables(stored: tuple[Repository, Pages, str]) -> None:
    store, pages, tournament = stored
    before = pages.stamp("tournaments", "inquiries")
    assert before == pages.stamp("tournaments", "inquiries")
    with pytest.raises(ValueError):
        pages.stamp("tournaments; drop table labels")
    assert pages.states(tournament).done == 16
    assert store.engine is pages.engine


def test_texts_are_searched_as_they_are(stored: tuple[Repository, Pages, str]) -> None:
    store, pages, tournament = stored
    records = list(store.records(tournament))
    texts = {
        i.id: f"{next(m.text for m in r.messages if m.index == i.source)}|{i.question}|{i.answer}".lower()
        for r in records
        for i in r.inquiries
    }
    word = next(iter(texts.values())).split("|")[1].split()[-1].rstrip("?")
    expected = [id for id, text in texts.items() if word in text]
    assert expected and everything(pages, tournament, Wanted(text=word.upper()), 5) == expected
    assert everything(pages, tournament, Wanted(text="100%_\\"), 5) == []  # no wildcards


def test_labelled_or_not(stored: tuple[Repository, Pages, str]) -> None:
    store, pages, tournament = stored
    ids = [i.id for record in store.records(tournament) for i in record.inquiries]
    Labels(store).put([Label(ids[3], "inquiry", "aih", "Ann", {"contradicts": True})], 1.0)
    assert everything(pages, tournament, Wanted(labelled=True), 5) == [ids[3]]
    assert everything(pages, tournament, Wanted(labelled=False), 5) == ids[:3] + ids[4:]
    assert [hit.labels for hit in pages.find(tournament, Wanted(labelled=True)).hits] == [1]


def test_the_worst_come_first(stored: tuple[Repository, Pages, str]) -> None:
    store, pages, tournament = stored
    row = next(j[0] for j in store.judges(tournament) if j[1] == "lexical")
    worst = pages.worst(tournament, "moody", row, 0.2, limit=5)
    scores = [hit.contradiction or 0.0 for hit in worst]
    assert scores == sorted(scores, reverse=True) and all(score > 0.2 for score in scores)
    assert {hit.tested for hit in worst} == {"moody"}
    best = max(
        v.judgement.contradiction or 0.0
        for r in store.records(tournament)
        if r.tested == "moody"
        for v in r.verdicts
        if v.judge == "lexical"
    )
    assert scores[0] == best
