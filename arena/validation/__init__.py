"""Judges judged: the papers' tables from what judges said of published data sets."""
