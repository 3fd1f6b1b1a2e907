"""Lists of words that stand before and between clauses."""

from __future__ import annotations

LEAD = {
    "yes", "no", "yeah", "yep", "nope", "well", "oh", "hi", "hello", "hey", "lol", "wow", "haha", "sorry",
    "cool", "nice", "ok", "okay", "sure", "great", "awesome", "ah", "hmm", "um", "thanks", "and", "but",
    "so", "or", ",", "actually", "also", "then", "plus", "personally", "honestly", "however", "because",
    "cuz", "cause", "since", "man", "unfortunately", "ya", "aw", "aww", "too", "-", "right", "true",
    "hopefully", "luckily", "yea", "ha", "yup", "hm", "omg", "if", "when", "whenever", "while", "although",
    "though", "as", "until", "after", "before", "where", "except", "which", "who", "that", "&", "maybe",
    "“", '"', "like",
}  # fmt: skip
REASONS = {"because", "cuz", "cause", "since"}
TIMED = {"when", "whenever", "while", "after", "before", "until", "if", "once"}
LEADING = {"when", "whenever", "while", "after", "before"}
JOINERS = (
    {"and", "but", "so", "or", "plus", "then", "although", "though", "except", "where", "&", "as"}
    | REASONS
    | TIMED
)
RELATIVE = {"who", "which", "that"}
