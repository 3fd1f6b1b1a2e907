"""The encoders under the shipped judges, the reader and the score of questions."""
