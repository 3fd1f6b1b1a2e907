"""Evaluates judges on published data sets, in the papers' own tables."""
