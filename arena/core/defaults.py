"""Defaults that several parts of the program share."""

DATABASE = "sqlite:///arena.db"  # in the current folder
DATABASE_VARIABLE = "ARENA_DB"
INQUIRIES_PER_100_REPLIES = 100 / 3  # assumed for bots without earlier results
