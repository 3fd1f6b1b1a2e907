"""The style of all pages: muted colours that are safe for colour-blind readers, little decoration, compact layout."""

from __future__ import annotations

from pathlib import Path

# After Okabe and Ito's palette, which is safe for colour-blind readers; the blue is lighter, for dark pages
BLUE, ORANGE, GREEN, VERMILION, SKY, PURPLE, YELLOW, GREY, BROWN = (
    "#1b84c4",
    "#e69f00",
    "#009e73",
    "#d55e00",
    "#56b4e9",
    "#cc79a7",
    "#f0e442",
    "#8a949e",
    "#8c6d46",
)
SERIES = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY, BROWN, GREY)

FILE = Path(__file__).with_name("style.css")


def apply() -> None:
    import streamlit as st

    st.html(FILE)  # Streamlit wraps a .css file into <style>
