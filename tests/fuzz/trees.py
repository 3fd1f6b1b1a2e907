"""Trees as YAML and JSON hold them, and sound ones of which something was spoilt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

Path = tuple[Any, ...]


def trees(words: Sequence[Any], keys: Sequence[str], *, json: bool = False) -> st.SearchStrategy[Any]:
    """Any tree; `words` and `keys` are those that mean something where it is read."""
    plain: list[st.SearchStrategy[Any]] = [
        st.none(), st.booleans(), st.integers(-3, 2**70), st.floats(), st.text(max_size=12), st.sampled_from(words),
    ]  # fmt: skip
    leaves = st.one_of(*plain) if json else st.one_of(*plain, st.dates(), st.binary(max_size=4))
    return leaves | st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names(keys), inner, max_size=4),
        max_leaves=12,
    )


def names(keys: Sequence[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.sampled_from(keys), st.text(max_size=6))


def places(tree: Any, above: Path = ()) -> list[Path]:
    """The paths of all that can be replaced."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path for key, value in items for path in ((*above, key), *places(value, (*above, key)))]


def changed(tree: Any, path: Path, value: Any) -> Any:
    """The tree with something else in that place; the old one stays as it is."""
    if not path:
        return value
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[path[0]] = changed(copy[path[0]], path[1:], value)
    return copy


@st.composite
def spoilt(
    draw: st.DrawFn, sound: st.SearchStrategy[Any], values: st.SearchStrategy[Any], keys: Sequence[str]
) -> Any:
    """A sound tree with a place or two that hold something else, or where something stands too much or is missing."""
    tree = draw(sound)
    for _ in range(draw(st.integers(1, 2))):
        result = places(tree)
        if not result:
            break
        path = draw(st.sampled_from(result))
        holder = tree
        for key in path[:-1]:
            holder = holder[key]
        how = draw(st.sampled_from(["other", "other", "more", "less"]))
        if how == "more" and isinstance(holder, dict):
            tree = changed(tree, path[:-1], {**holder, draw(names(keys)): draw(values)})
        elif how == "more" and isinstance(holder, list):
            tree = changed(tree, path[:-1], [*holder, draw(st.sampled_from(holder))])
        elif how == "less" and isinstance(holder, dict):
            tree = changed(tree, path[:-1], {key: value for key, value in holder.items() if key != path[-1]})
        else:
            tree = changed(tree, path, draw(values))
    return tree
