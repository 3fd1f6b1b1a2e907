"""Defaults that several parts of the program share."""

DATABASE = "sqlite:///arena.db"  # in the folder where a command is called
DATABASE_VARIABLE = "ARENA_DB"
