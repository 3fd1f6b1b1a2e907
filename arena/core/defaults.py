"""Defaults that several parts of the program share."""

DATABASE = "sqlite:///arena.db"  # in the folder where a command is called
DATABASE_VARIABLE = "ARENA_DB"
INQUIRIES_PER_100_REPLIES = 100 / 3  # assumed of bots that nothing is known of
