"""How many small mistakes in the statistics and in the resume code the fast tests notice.

A mutant is one module with one small mistake, made in memory; a forked process imports it instead of the module and
runs the module's tests until one fails. The operators are those of the usual tools: comparisons, arithmetic, and/or,
numbers, conditions turned round, loops that do not run, break for continue; and calls left out. Numbers that are
defaults or a module's constants are tuning and stay.
ARENA_MUTANTS=N tries N of each group, drawn with a fixed seed (0: all); ARENA_MUTANTS_OF=resume tries one group,
ARENA_MUTANTS_OF=arena/core/process.py one module.
"""

from __future__ import annotations

import ast
import copy
import importlib.util
import os
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType

SEED = 20
SAMPLE = 300
CPU_SECONDS = 90  # a mutant that takes more, or much more than the module's tests, loops for ever
WALL_SECONDS = 900
IDLE_SECONDS = 20  # whoever needs no processor for so long waits for ever

# Each module with the tests that are about it, the quickest first.
GROUPS: dict[str, dict[str, list[str]]] = {
    "statistics": {
        "agreement": ["agreement"],
        "calibration": ["agreement"],
        "comparison": ["comparison"],
        "counts": ["intervals", "rates", "leaderboard", "agreement", "comparison"],
        "distributions": ["intervals", "rates", "agreement", "comparison", "sequential"],
        "ensemble": ["systems"],
        "intervals": ["intervals", "rates", "leaderboard", "stability"],
        "leaderboard": ["leaderboard", "intervals"],
        "metrics": ["metrics"],
        "ranks": ["intervals", "rates", "leaderboard"],
        "sequential": ["sequential"],
        "sessions": ["sessions"],
        "stability": ["stability"],
        "systems": ["systems"],
    },
    "resume": {
        "arena.play.schedule": ["play/test_schedule.py", "fuzz/test_resume.py"],
        "arena.play.orchestrator": ["play/test_orchestrator.py", "play/test_run.py", "fuzz/test_resume.py"],
        "arena.play.feeder": ["play/test_orchestrator.py", "play/test_sharing.py"],
        "arena.play.rounds": ["play/test_rounds.py", "play/test_run.py"],
        "arena.play.runner": ["play/test_runner.py", "play/test_run.py"],
        "arena.core.process": ["core/test_process.py"],
        "db.retry": ["db/test_retry.py"],
        "db.playing": [
            "db/test_playing.py",
            "db/test_repository.py",
            "play/test_run.py",
            "fuzz/test_resume.py",
        ],
    },
}


# ── mistakes ──────────────────────────────────────────────────────────────────────────────────────

COMPARED: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.Gt], ast.LtE: [ast.Lt, ast.Gt], ast.Gt: [ast.GtE, ast.Lt], ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq], ast.NotEq: [ast.Eq], ast.Is: [ast.IsNot], ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn], ast.NotIn: [ast.In],
}  # fmt: skip
REACHED: dict[type[ast.operator], list[type[ast.operator]]] = {
    ast.Add: [ast.Sub, ast.Mult], ast.Sub: [ast.Add, ast.Mult], ast.Mult: [ast.Div, ast.Add], ast.Div: [ast.Mult],
    ast.FloorDiv: [ast.Div], ast.Mod: [ast.Mult], ast.Pow: [ast.Mult], ast.BitAnd: [ast.BitOr],
    ast.BitOr: [ast.BitAnd], ast.LShift: [ast.RShift],
}  # fmt: skip
Change = Callable[[ast.AST], ast.AST | None]


@dataclass(frozen=True)
class Site:
    """One mistake: which node of the module (in walking order) becomes what."""

    node: int
    line: int
    what: str
    change: Change


def sites(tree: ast.Module) -> list[Site]:
    """Every mistake that can be made in a module, in order."""
    idle = _idle(tree)
    collected = []
    for number, node in enumerate(ast.walk(tree)):
        if id(node) not in idle and hasattr(node, "lineno"):
            collected += [Site(number, node.lineno, what, change) for what, change in _changes(node)]
    return sorted(collected, key=lambda site: (site.line, site.node, site.what))


def _idle(tree: ast.Module) -> set[int]:
    """What does not run when the program does, and defaults and constants, whose exact numbers are tuning."""
    parts = [part for node in ast.walk(tree) for part in (*_declared(node), *_unrun(node))]
    return {id(inner) for part in parts for inner in ast.walk(part)}


def _declared(node: ast.AST) -> Iterator[ast.AST]:
    """Decorators, annotations, defaults and constants."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from (*node.decorator_list, *filter(None, [node.returns]))
    if isinstance(node, ast.ClassDef):
        yield from node.decorator_list
    if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
        yield node.annotation
    if isinstance(node, ast.arguments):
        yield from (default for default in (*node.defaults, *node.kw_defaults) if default)
    if isinstance(node, ast.Module | ast.ClassDef):
        yield from (one for one in node.body if isinstance(one, ast.Assign | ast.AnnAssign))


def _unrun(node: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, imports for types, and what speaks to the type checker."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        yield node
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("TypeVar", "ParamSpec", "cast"):
        yield node


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            for other in COMPARED.get(type(op), []):
                yield f"{type(op).__name__} → {other.__name__}", _compared(place, other)
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        for reached in REACHED.get(type(node.op), []):
            yield f"{type(node.op).__name__} → {reached.__name__}", _set("op", reached())
    elif isinstance(node, ast.BoolOp):
        turned = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield f"{type(node.op).__name__} → {type(turned).__name__}", _set("op", turned)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not | ast.Invert):
        yield f"without {type(node.op).__name__}", lambda one: one.operand  # type: ignore[attr-defined]
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield f"{node.value} → {not node.value}", _set("value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        for step in (1, -1):
            yield f"{node.value} → {node.value + step}", _set("value", node.value + step)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "condition turned round", _set("test", ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.For):
        yield "loop does not run", _set("iter", ast.List([], ast.Load()))
    elif isinstance(node, ast.Break):
        yield "break → continue", lambda one: ast.copy_location(ast.Continue(), one)
    elif isinstance(node, ast.Continue):
        yield "continue → break", lambda one: ast.copy_location(ast.Break(), one)
    elif isinstance(node, ast.Expr):
        yield "call left out", lambda one: ast.copy_location(ast.Pass(), one)


def _compared(place: int, other: type[ast.cmpop]) -> Change:
    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Compare)
        node.ops[place] = other()

    return change


def _set(name: str, value: object) -> Change:
    def change(node: ast.AST) -> None:
        setattr(node, name, value)

    return change


def mutated(tree: ast.Module, site: Site) -> ast.Module:
    """The module with that one mistake."""
    built = copy.deepcopy(tree)
    wanted = next(node for number, node in enumerate(ast.walk(built)) if number == site.node)
    instead = site.change(wanted)
    if instead is not None:
        _Replaced(wanted, instead).visit(built)
    return ast.fix_missing_locations(built)


class _Replaced(ast.NodeTransformer):
    def __init__(self, wanted: ast.AST, instead: ast.AST) -> None:
        self._wanted, self._instead = wanted, instead

    def visit(self, node: ast.AST) -> ast.AST:
        return self._instead if node is self._wanted else super().visit(node)


# ── trying one ────────────────────────────────────────────────────────────────────────────────────


class _Loader(SourceFileLoader):
    """Gives the changed code where the module is imported."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self._tree = tree

    def get_code(self, _fullname: str) -> CodeType:
        code: CodeType = compile(self._tree, self.path, "exec")
        return code


class _Finder:
    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        self._name, self._path, self._tree = name, path, tree

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != self._name:
            return None
        return importlib.util.spec_from_file_location(
            name, self._path, loader=_Loader(name, self._path, self._tree)
        )


def run(tests: list[str], finder: _Finder | None, seconds: int = CPU_SECONDS) -> bool:
    """Whether the tests pass, in a process of their own."""
    child = os.fork()
    if child == 0:
        _tried(tests, finder, seconds)
    now = time.monotonic()
    until, used, active = now + WALL_SECONDS, 0.0, now
    while now < until and now < active + IDLE_SECONDS:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.05)
        now = time.monotonic()
        if _processor(child) > used + 0.1:
            used, active = _processor(child), now
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def _processor(process: int) -> float:
    """The seconds that a process has computed."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _tried(tests: list[str], finder: _Finder | None, seconds: int) -> None:
    code = 1
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        void = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(void, number)
        if finder is not None:
            sys.meta_path.insert(0, finder)
        import pytest

        options = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", "-k", "not postgresql", "--tb=no"]
        code = int(pytest.main([*options, *tests]))
    finally:
        os._exit(code)


def prepared() -> None:
    """What every child needs is imported once; nothing of ours, which a mutant would miss."""
    for name in (
        "alembic.command", "asyncio", "httpx", "hypothesis.stateful", "numpy", "pydantic", "pytest", "scipy.special",
        "sqlalchemy", "sqlalchemy.dialects.sqlite", "yaml",
    ):  # fmt: skip
        importlib.import_module(name)


def main() -> None:
    prepared()
    wanted = int(os.environ.get("ARENA_MUTANTS", SAMPLE))
    only = os.environ.get("ARENA_MUTANTS_OF")
    for group, modules in GROUPS.items():
        one = {name: tests for name, tests in modules.items() if places(name, tests)[0] == only}
        if only in (None, group) or one:
            measure(group, one or modules, wanted)


def measure(group: str, modules: Mapping[str, Sequence[str]], wanted: int) -> None:
    tests = dict(places(name, result) for name, result in modules.items())
    seconds = {path: patience(files) for path, files in tests.items()}
    trees = {path: ast.parse(Path(path).read_text("utf-8")) for path in tests}
    every = [(path, site) for path in tests for site in sites(trees[path])]
    drawn = every if not wanted else random.Random(SEED).sample(every, min(wanted, len(every)))
    print(f"{group}: {len(drawn)} of {len(every)} mutants, seed {SEED}", flush=True)
    noticed: Counter[str] = Counter()
    tried = Counter(path for path, _ in drawn)
    for path, site in sorted(drawn, key=lambda one: (one[0], one[1].line)):
        name = path.removesuffix(".py").replace("/", ".")
        if run(tests[path], _Finder(name, path, mutated(trees[path], site)), seconds[path]):
            source = Path(path).read_text("utf-8").splitlines()[site.line - 1].strip()
            print(f"  survived: {path}:{site.line}  {site.what}  in  {source}", flush=True)
        else:
            noticed[path] += 1
    for path in sorted(tried):
        print(f"  {path}: {noticed[path]} of {tried[path]} noticed", flush=True)
    share = sum(noticed.values()) / max(1, len(drawn))
    print(f"{group}: {sum(noticed.values())} of {len(drawn)} noticed ({share:.1%})", flush=True)


def patience(tests: list[str]) -> int:
    """The CPU seconds that a mutant is given: thrice what the tests take."""
    before = _spent()
    if not run(tests, None):
        sys.exit(f"{' '.join(tests)} fail without any mistake; fix them first.")
    return min(CPU_SECONDS, 5 + int(3 * (_spent() - before)))


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def places(module: str, tests: Sequence[str]) -> tuple[str, list[str]]:
    """The module's file and the tests' files."""
    if "." not in module:
        return f"arena/stats/{module}.py", [f"tests/stats/test_{test}.py" for test in tests]
    return f"{module.replace('.', '/')}.py", [f"tests/{test}" for test in tests]
