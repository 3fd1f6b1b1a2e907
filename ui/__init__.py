"""The web pages. Part of Consistency Arena."""
