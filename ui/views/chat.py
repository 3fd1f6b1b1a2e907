"""Chat: people talk with bots whose names are hidden, score the bots, and mark inconsistent messages."""

from __future__ import annotations

import random
import time

import pandas as pd
import streamlit as st

from arena.core.errors import ArenaError
from arena.core.types import Label, TournamentInfo
from arena.labelling.schemas import checked
from arena.play import chat as chats_of
from arena.play.chat import FEWEST_TURNS, Mode, Partners
from arena.stats import sessions
from db.chats import DONE, OPEN, Chat, Chats
from db.labels import Labels
from db.records import StoredTournament
from ui import address, data, marks, memory, picks, thread, words
from ui.markup import short, show

TALK, MARK, SUMMARY = "Talk", "Mark utterances", "Summary"
MODES = {
    Mode.NATURAL: "Just talk (natural interaction)",
    Mode.EXPERT: "Make it contradict itself (expert evaluation)",
}
TASKS = {
    Mode.NATURAL: f"Talk as with a stranger, for at least {FEWEST_TURNS} turns, then say how consistent it was.",
    Mode.EXPERT: "Come back to what the bot said before, in other words and after a while, and see whether it keeps "
    "to it. About 15 turns; then score it from 0 to 1.",
}


def main() -> None:
    st.title("Chat")
    stored = data.tournaments()
    if not stored:
        picks.nothing_yet()
        return
    view = address.choice(
        st.segmented_control,
        "View",
        "view",
        [TALK, MARK, SUMMARY],
        default=TALK,
        required=True,
        label_visibility="collapsed",
    )
    with words.show_arena_errors():
        open_chat = current()
        if view == TALK and open_chat is not None:
            talk(*open_chat)
            return
        chosen = picks.tournament(stored)
        info = chats_of.home(chosen, data.store().bots(chosen.id))
        if view == TALK:
            begin(chosen, info)
        elif view == MARK:
            mark(info)
        else:
            summary(info)


@memory.things()
def partners() -> Partners:
    return Partners()


def chats() -> Chats:
    return Chats(data.store())


# ── talking ───────────────────────────────────────────────────────────────────────────────────────


def current() -> tuple[Chat | None, chats_of.Opening | None] | None:
    """Return the chat in the address, or a new chat that waits for its first message."""
    key = st.query_params.get("chat")
    if not key:
        return None
    chat = chats().get(key)
    start: chats_of.Opening | None = st.session_state.get("opening")
    if chat is None and (start is None or start.key != key):
        words.notice("This chat is over, or it had not begun; start a new one.", "warn")
        return None
    return chat, start


def begin(chosen: StoredTournament, info: TournamentInfo) -> None:
    bots = [bot for bot in info.bots if data.options().launch or chats_of.may_load(bot)]
    if not bots:
        words.notice(
            "None of these bots may be loaded for visitors; whoever runs the pages can allow it.", "warn"
        )
        return
    a, b = st.columns([2, 3])
    name = a.text_input("Your name", st.query_params.get("rater", ""), max_chars=80, key="chat_name").strip()
    mode = b.radio("What for", list(MODES), format_func=MODES.__getitem__, horizontal=True)
    words.lead(TASKS[mode])
    words.lead("You meet one of the bots at random, without its name.")
    if st.button("Meet a bot", type="primary", disabled=not name, icon=":material/chat:"):
        had = chats().numbers(info.id, mode.value)
        bot = chats_of.partner(bots, had, random.Random())
        start = chats_of.opening(chats_of.person(name), bot, mode)
        st.session_state["opening"] = start
        st.session_state["chat_home"] = info
        st.query_params.from_dict({"tournament": chosen.id, "chat": start.key, "rater": name})
        st.rerun()
    waiting = chats().of(info.id, person=f"person: {name}", status=OPEN) if name else []
    for chat in waiting[:3]:
        if st.button(
            f"Go on with the chat of {words.plural(chats_of.turns(chat.messages), 'turn')}", key=chat.key
        ):
            st.query_params.from_dict({"tournament": chosen.id, "chat": chat.key, "rater": name})
            st.rerun()


def talk(chat: Chat | None, start: chats_of.Opening | None) -> None:
    mode = Mode(chat.mode if chat is not None else start.mode if start is not None else Mode.NATURAL)
    words.lead(TASKS[mode])
    if chat is not None:
        st.session_state.setdefault(f"since_{chat.key}", time.time())
        if chats_of.waits(chat.messages):
            chat = replied(chat)
        show(thread.bubbles(chat.messages, ("You", "Bot")))
    number = chats_of.turns(chat.messages) if chat is not None else 0
    text = st.chat_input("Write a message", max_chars=chats_of.LONGEST, key="message")
    if text:
        send(chat, start, text)
    if chat is not None and chat.status == OPEN:
        end(chat, number)


def send(chat: Chat | None, start: chats_of.Opening | None, text: str) -> None:
    if chat is not None:
        chats_of.speak(chats(), chat, text)
    elif start is not None:
        chats_of.begin(chats(), st.session_state["chat_home"], start, text, time.time())
    st.rerun()


def replied(chat: Chat) -> Chat:
    """Get the bot's answer; the person's message is already stored."""
    bot = chats().participant(chat.tournament, chat.bot)
    if bot is None or not (data.options().launch or chats_of.may_load(bot)):
        words.notice("This bot may not be loaded here.", "warn")
        return chat
    try:
        with st.spinner("The bot is thinking …"):
            reply = partners().ask(bot, chats_of.request(chat, bot))
        chats_of.answer(chats(), chat, reply)
    except ArenaError:
        words.notice("The bot gave no answer. Try again, or finish the chat.", "warn")
        if st.button("Ask it again"):
            st.rerun()
    return chats().get(chat.key) or chat


def end(chat: Chat, number: int) -> None:
    st.divider()
    a, b, c = st.columns([5, 2, 2], vertical_alignment="bottom")
    enough = number >= FEWEST_TURNS
    score = a.slider(
        "How consistent was the bot? 0: not at all, 1: fully",
        0.0,
        1.0,
        0.5,
        0.05,
        disabled=not enough,
        key="score",
    )
    if b.button("Score and finish", type="primary", disabled=not enough, width="stretch"):
        close(chat, score)
    if c.button(
        "Give up", width="stretch", help="The chat is kept; without a score, and not counted if it is short."
    ):
        close(chat, None)
    if not enough:
        st.caption(f"A score needs at least {FEWEST_TURNS} turns; this chat has {number}.")


def close(chat: Chat, score: float | None) -> None:
    bots = {bot.name: bot for bot in data.store().bots(chat.tournament)}
    seconds = max(0.0, time.time() - st.session_state.get(f"since_{chat.key}", time.time()))
    key = chats_of.finish(chats(), chat, bots[chat.person], bots[chat.bot], round(seconds, 1))
    if key is not None and score is not None:
        name = chat.person.removeprefix("person: ")
        label = Label(key, "dialogue", "session", name, {"score": score}, "", round(seconds, 1))
        Labels(data.store()).put([checked(label)], time.time())
    st.session_state.pop("opening", None)
    params = {name: st.query_params[name] for name in ("tournament", "rater") if name in st.query_params}
    st.query_params.from_dict(params)
    st.rerun()


# ── marking ───────────────────────────────────────────────────────────────────────────────────────


def mark(info: TournamentInfo) -> None:
    closed = [c for c in chats().of(info.id, status=DONE) if chats_of.left_out(c.messages) is None]
    if not closed:
        words.notice(f"There is no finished chat of at least {FEWEST_TURNS} turns yet.")
        return
    a, b = st.columns([2, 3])
    person = a.text_input(
        "Your name", st.query_params.get("rater", ""), max_chars=80, key="chat_marker"
    ).strip()
    at = b.selectbox(
        "Chat",
        range(len(closed)),
        format_func=lambda n: (
            f"{n + 1}. {words.plural(chats_of.turns(closed[n].messages), 'turn')}: "
            f"{short(closed[n].messages[0].text, 60)}"
        ),
    )
    chat = closed[at]
    left, right = st.columns(2, gap="large")
    with left:
        show(thread.bubbles(chat.messages, ("Person", "Bot")))
    with right:
        marks.marks(chat.key, chat.messages, ("Person", "Bot"), person)


# ── what came of it ───────────────────────────────────────────────────────────────────────────────


def summary(info: TournamentInfo) -> None:
    closed = chats().of(info.id, status=DONE, limit=5000)
    if not closed:
        words.notice("Nobody has finished a chat with these bots yet.")
        return
    reasons = {c.key: chats_of.left_out(c.messages) for c in closed}
    counted = {c.key: c for c in closed if reasons[c.key] is None}
    scores = [
        (label.person, counted[label.subject], label.values["score"])
        for label in data.pages().about(list(counted), "dialogue", "session")
    ]
    for mode, title in ((Mode.EXPERT, "Expert evaluation"), (Mode.NATURAL, "Natural interaction")):
        given = [(person, chat.bot, score) for person, chat, score in scores if chat.mode == mode]
        st.subheader(title)
        if given:
            st.caption("Mean consistency score of each person for each bot; higher is better.")
            st.dataframe(score_table(sessions.scores(given)), hide_index=True)
        else:
            words.notice("No scored chat yet.")
    st.subheader("Marked utterances")
    marked = [
        (label.person, chat.bot, chat.key, int(label.subject.rpartition(":")[2]), value)
        for chat in counted.values()
        for label in data.pages().marks(chat.key)
        if isinstance(value := label.values.get(marks.INCONSISTENT), bool)
    ]
    if marked:
        st.dataframe(mark_table(sessions.marks(marked)), hide_index=True)
    else:
        words.notice("No utterance is marked yet.")
    out = [reason for reason in reasons.values() if reason]
    reasons_left_out = ", ".join(f"{out.count(reason)} × {reason}" for reason in sorted(set(out))) or "none"
    st.caption(f"{words.plural(len(counted), 'chat')} counted; left out: {reasons_left_out}.")


def score_table(scores: sessions.Scores) -> pd.DataFrame:
    rows = [
        {"Person": short(person, 40), **{short(bot, 40): words.number(by.get(bot)) for bot in scores.bots}}
        for person, by in scores.by_person.items()
    ]
    rows.append({"Person": "Mean", **{short(bot, 40): words.number(scores.mean[bot]) for bot in scores.bots}})
    rows.append(
        {"Person": "Chats", **{short(bot, 40): words.count(scores.chats[bot]) for bot in scores.bots}}
    )
    return pd.DataFrame(rows)


def mark_table(table: tuple[sessions.Marks, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Bot": short(one.bot, 40),
                "Chats": one.chats,
                "Utterances marked": one.utterances,
                "Inconsistent": one.inconsistent,
                "Rate": words.percent(one.rate),
                "A chat": words.number(one.per_chat),
                "People": one.people,
                "Ties": one.open,
            }
            for one in table
        ]
    )


main()
