"""Silences transformers while it loads something."""

from __future__ import annotations


class quiet:
    """Disables progress bars and warnings, and restores the previous settings at the end."""

    def __enter__(self) -> None:
        from transformers.utils import logging

        self._level = logging.get_verbosity()
        self._bars = logging.is_progress_bar_enabled()
        logging.set_verbosity_error()
        logging.disable_progress_bar()

    def __exit__(self, *_: object) -> None:
        from transformers.utils import logging

        logging.set_verbosity(self._level)
        if self._bars:
            logging.enable_progress_bar()
