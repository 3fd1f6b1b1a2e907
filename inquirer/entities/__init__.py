"""Extractors find what is worth asking about in an utterance."""
