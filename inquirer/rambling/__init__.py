"""What is not worth asking of a long reply: it offers enough, so only what is surely meant is asked.

Language models ramble where people chat: they are cut off in the middle, exchange pleasantries, speak of the other
one and of the world. A chat message of the usual length is left alone.
"""

from inquirer.rambling.reasons import ALL, ASKED, MEANT, SURE, is_long, reason

__all__ = ["ALL", "ASKED", "MEANT", "SURE", "is_long", "reason"]
