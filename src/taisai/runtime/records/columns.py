"""The views that can be exported, with their columns, as `columns.toml` lists them.

`docs/records.md` has the same tables for people; a test compares the two.
"""

import tomllib
from enum import StrEnum
from importlib import resources
from typing import Any, NamedTuple

Cell = int | str | bool | None
Row = tuple[Cell, ...]


class Type(StrEnum):
    """How a column is written in each format."""

    TEXT = "text"
    WHOLE = "whole number"
    AMOUNT = "amount"
    TIME = "time"
    FLAG = "yes or no"


class Column(NamedTuple):
    """A column: its name, its type, whether a cell may be empty, and its meaning."""

    name: str
    type: Type
    may_be_empty: bool
    meaning: str


class View(NamedTuple):
    """A view of the journal: its name, what a row is, and its columns."""

    name: str
    row: str
    columns: tuple[Column, ...]


def _view(name: str, told: dict[str, Any]) -> View:
    columns = (
        Column(column, Type(type_.removesuffix("?")), type_.endswith("?"), meaning)
        for column, (type_, meaning) in told["columns"].items()
    )
    return View(name, told["row"], tuple(columns))


_TOLD = tomllib.loads((resources.files(__package__) / "columns.toml").read_text("utf-8"))
VIEWS: dict[str, View] = {name: _view(name, told) for name, told in _TOLD.items()}
SIGNIFICANT = VIEWS["significant"]
