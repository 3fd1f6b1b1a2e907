from pathlib import Path

import pytest
from quotes_bot import adapter

from arena import testing
from arena.core.errors import InputError


@pytest.fixture
def quotes(tmp_path: Path) -> str:
    file = tmp_path / "quotes.txt"
    file.write_text("I have two dogs.\nI live in Rome.\nI love to cook.\n")
    return str(file)


def test_it_keeps_the_rules_of_bots(quotes: str) -> None:
    testing.check_bot(adapter, {"file": quotes})


def test_another_file_is_another_bot(quotes: str) -> None:
    before = adapter.revision({"file": quotes})
    Path(quotes).write_text("I have a cat.\n")
    assert adapter.revision({"file": quotes}) != before


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name a text file"):
        adapter.revision({"file": str(tmp_path / "none.txt")})
