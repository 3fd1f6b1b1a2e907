"""The frame of the web pages: navigation and style. Started by `arena ui`."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui import address, style

# The folder is named `views`, because Streamlit builds its own navigation from a folder named `pages`
PAGES = {
    "Results": (
        ("leaderboard", "Leaderboard", ":material/leaderboard:"),
        ("bot", "Bot", ":material/smart_toy:"),
        ("releases", "Releases", ":material/compare_arrows:"),
        ("transcripts", "Transcripts", ":material/forum:"),
    ),
    "People": (
        ("label", "Label", ":material/rule:"),
        ("organiser", "Organiser", ":material/groups:"),
        ("chat", "Chat", ":material/chat:"),
    ),
    "Run": (("launch", "Launch", ":material/rocket_launch:"),),
}

NAME = "Consistency Arena"
ICON = Path(__file__).with_name("icon.png")


def home() -> None:
    """Redirect the bare address to the leaderboard, so that every page has an address of its own."""
    st.switch_page("views/leaderboard.py")


# Icons of st.Page would be fetched from another site; the icons of links are in the page's own font
sections = {
    section: [(st.Page(f"views/{name}.py", title=title, url_path=name), icon) for name, title, icon in pages]
    for section, pages in PAGES.items()
}
pages = [page for links in sections.values() for page, _ in links]
page = st.navigation(
    [st.Page(home, title=NAME, default=True, visibility="hidden"), *pages], position="hidden"
)
st.set_page_config(
    page_title=f"{page.title} · {NAME}" if page.title != NAME else NAME,
    page_icon=str(ICON),
    layout="wide",
    initial_sidebar_state=230,
)
style.apply()
with st.sidebar:
    st.html('<div class="brand">Consistency <b>Arena</b></div>')
    for section, links in sections.items():
        st.html(f'<div class="section">{section}</div>')
        for link, icon in links:
            st.page_link(link, icon=icon, width="stretch", query_params=address.carried())
page.run()
