"""The schedule: same file, same dialogues; a longer one holds the shorter one."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.config.resolve import parse
from arena.config.tournament import restore
from arena.play.schedule import plans
from tests.support.tournaments import text


def keys(source: str) -> set[str]:
    return {plan.key for plan in plans(parse(source))}


def test_all_ordered_pairs_with_self_pairs() -> None:
    result = [(p.speaker.name, p.tested.name, p.number) for p in plans(parse(text(dialogues=2)))]
    pairs = [(i, j) for i in ("steady", "moody") for j in ("steady", "moody")]
    assert result == [(*pair, number) for number in range(2) for pair in pairs]


def test_openers_take_turns_and_the_first_dialogues_can_be_had_alone() -> None:
    tournament = parse(text(dialogues=5, openers="[hey, good day, hello]"))
    everything = list(plans(tournament))
    for plan in everything:
        assert plan.opener == ("hey", "good day", "hello")[plan.number % 3]
    for last, number in ((0, 0), (2, 2), (5, 5), (9, 5)):
        assert list(plans(tournament, last)) == everything[: 4 * number]


def test_every_dialogue_has_its_own_seed() -> None:
    seeds = [plan.seed for plan in plans(parse(text(dialogues=50)))]
    assert len(set(seeds)) == len(seeds) == 200


def test_release_and_bot_order_do_not_matter() -> None:
    from tests.support.tournaments import MOODY, STEADY

    assert keys(text(release="a")) == keys(text(release="b")) == keys(text(MOODY, STEADY))


@settings(max_examples=20, deadline=None)
@given(few=st.integers(1, 6), more=st.integers(0, 6), seed=st.integers(0, 2**63 - 1))
def test_growing_keeps_what_is_there(few: int, more: int, seed: int) -> None:
    from tests.support.tournaments import MOODY, STEADY

    small = keys(text(STEADY, dialogues=few, seed=seed))
    large = keys(text(STEADY, MOODY, "  - {name: e, adapter: echo}", dialogues=few + more, seed=seed))
    assert small <= large and len(large) == 9 * (few + more)


def test_what_decides_the_content_is_in_the_key() -> None:
    base = keys(text())
    for other in (text(seed=8), text(turns=5), text(inquirer="false"), text(openers="[hey]")):
        assert not base & keys(other)


def test_the_default_openers_are_drawn_per_pair_without_replacement_and_alike_in_every_release() -> None:
    tournament = parse(text(release="a", dialogues=250, openers="default"))
    assert len(set(tournament.openers)) == 200 and tournament.openers_drawn
    drawn: dict[tuple[str, str], list[str]] = {}
    for plan in plans(tournament):
        drawn.setdefault((plan.speaker.name, plan.tested.name), []).append(plan.opener)
    for openers in drawn.values():
        assert set(openers[:200]) == set(tournament.openers)
        assert len(set(openers[200:])) == 50 and openers[200:] != openers[:50]
    assert len({tuple(openers) for openers in drawn.values()}) == 4
    again = parse(text(release="b", dialogues=20, openers="default"))
    assert {plan.key for plan in plans(again)} <= {plan.key for plan in plans(tournament)}
    assert {p.opener for p in plans(parse(text(seed=8, dialogues=1, openers="default")))} != {
        p.opener for p in plans(parse(text(seed=9, dialogues=1, openers="default")))
    }


def test_a_list_is_used_in_turn_unless_the_file_asks_for_a_draw() -> None:
    three = "[hey, good day, hello]"
    drawn = parse(text(dialogues=3, openers=three, more="opener_order: drawn"))
    per_pair: dict[tuple[str, str], set[str]] = {}
    for plan in plans(drawn):
        per_pair.setdefault((plan.speaker.name, plan.tested.name), set()).add(plan.opener)
    assert all(openers == {"hey", "good day", "hello"} for openers in per_pair.values())
    assert "opener_order" not in parse(text(openers=three)).info.config  # so that older hashes stay
    assert restore(drawn.info) == drawn
