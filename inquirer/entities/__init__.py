"""Extractors find what is worth asking about in an utterance."""

from inquirer.entities.rules import phrases

__all__ = ["phrases"]
