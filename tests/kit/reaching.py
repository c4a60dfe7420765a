"""Finds the names that a function of the program uses, itself or through functions it calls."""

from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any


def names_reached(function: Callable[..., Any]) -> set[str]:
    """Give the names that a function uses, and those used by the functions it names."""
    found: set[str] = set()
    waiting = [function]
    seen = set()
    while waiting:
        one = waiting.pop()
        if not isinstance(one, FunctionType) or one in seen:
            continue
        seen.add(one)
        names = set(names_in(one.__code__))
        found |= names
        waiting += [one.__globals__[name] for name in names if name in one.__globals__]
    return found


def names_in(code: CodeType) -> Iterator[str]:
    """Give the names in code and in its nested functions."""
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from names_in(each)
