"""Consistency Arena: finds out which chatbots contradict themselves."""

__version__ = "0.1.0"
