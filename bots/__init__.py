"""Bots: adapters for models, servers and scripts. Part of Consistency Arena."""
