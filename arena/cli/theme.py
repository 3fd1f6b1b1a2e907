"""The colours of the web pages, as Streamlit settings. Light or dark mode follows the reader's system."""

from __future__ import annotations

from collections.abc import Mapping

SHARED: Mapping[str, str | bool] = {"theme.baseRadius": "8px", "theme.showSidebarBorder": True}
LIGHT = {
    "primaryColor": "#0b6288",
    "backgroundColor": "#ffffff",
    "secondaryBackgroundColor": "#f4f6f8",
    "textColor": "#1d2733",
    "borderColor": "#d9dfe5",
    "linkColor": "#0b6288",
    "codeTextColor": "#1d4e1f",
}
DARK = {
    "primaryColor": "#4c9fd1",
    "backgroundColor": "#0f161d",
    "secondaryBackgroundColor": "#16202a",
    "textColor": "#e6edf3",
    "borderColor": "#334250",
    "linkColor": "#7cc0e8",
    "codeTextColor": "#a8e0a6",
}


def theme() -> dict[str, str | bool]:
    """Return the theme settings by name."""
    return {
        **SHARED,
        **{f"theme.light.{name}": value for name, value in LIGHT.items()},
        **{f"theme.dark.{name}": value for name, value in DARK.items()},
    }
