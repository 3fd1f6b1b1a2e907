"""The check of file length and complexity."""

from __future__ import annotations

from tests.limits import problems

BRANCHES = "def decide(x):\n" + "".join(f"    if x == {n}:\n        return {n}\n" for n in range(25))
LONG = "x = 1\n" * 351


def test_a_complex_function_is_named() -> None:
    (problem,) = problems([("arena/a.py", BRANCHES)], [])
    assert problem.startswith("arena/a.py:decide: complexity 26")


def test_a_complex_method_is_named_with_its_class() -> None:
    method = "class A:\n" + "".join(f"    {line}\n" for line in BRANCHES.splitlines())
    (problem,) = problems([("arena/a.py", method)], [])
    assert problem.startswith("arena/a.py:A.decide:")


def test_a_long_file_is_named() -> None:
    (problem,) = problems([("tests/a.py", LONG)], [])
    assert problem.startswith("tests/a.py: 351 lines")


def test_code_within_the_limits_is_no_problem() -> None:
    assert problems([("arena/a.py", "def one():\n    return 1\n" + "x = 1\n" * 300)], []) == []


def test_exceptions_cover_what_they_name_and_nothing_else() -> None:
    files = [("arena/a.py", BRANCHES), ("inquirer/questions/b.py", BRANCHES), ("arena/c.py", LONG)]
    assert problems(files, ["arena/a.py:decide", "inquirer/questions/", "arena/c.py"]) == []
    assert len(problems(files, ["arena/a.py", "inquirer/questions/", "arena/c.py"])) == 2


def test_an_exception_that_nothing_needs_has_to_go() -> None:
    assert problems([("arena/a.py", "x = 1\n")], ["arena/a.py", "inquirer/questions/"]) == [
        "tests/limits.txt: arena/a.py breaks no limit; delete the line",
        "tests/limits.txt: inquirer/questions/ breaks no limit; delete the line",
    ]
