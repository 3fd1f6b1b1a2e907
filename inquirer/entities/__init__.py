"""Extractors: what in an utterance is worth asking about."""

from inquirer.entities.rules import phrases

__all__ = ["phrases"]
