"""Closed lists of English words: `words.TIME_UNITS` is the list `time-units` of the data files."""

from inquirer.language.lists import listed


def __getattr__(name: str) -> frozenset[str]:
    if not name.isupper():
        raise AttributeError(name)
    words = globals()[name] = listed(name.lower().replace("_", "-"))
    return words
