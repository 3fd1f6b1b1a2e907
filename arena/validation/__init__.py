"""Evaluates judges on published data sets, in tables like those of the papers."""
