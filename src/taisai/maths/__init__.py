"""The mathematics of a pay table: exact where that is possible, and it nearly always is.

There are 56 results. Everything here follows from the rows of a compiled pay table and whole minor
units; floats appear only where an answer says so.

    >>> import taisai
    >>> from taisai.maths import Slate, session
    >>> small = Slate.of(taisai.pay_table("ts6/2"), {"small": 1000})
    >>> small.house_edge
    Fraction(1, 36)
    >>> round(float(session(small, 1000).ahead), 5)
    0.1813

This is the one face of the package; `__init__.pyi` lists its names. They are imported when first
asked for, so that a question that needs no numpy loads none.
"""

import re
from functools import cache
from importlib import import_module
from pathlib import Path

_IMPORT = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)


@cache
def _homes() -> dict[str, str]:
    """Read which module each name comes from, where type checkers read it too."""
    listed = Path(__file__).with_suffix(".pyi").read_text("utf-8")
    return {name: home for home, name in _IMPORT.findall(listed)}


def __getattr__(name: str) -> object:
    if name not in _homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(_homes()[name]), name)
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        from taisai.maths.errors import missing_extra  # noqa: PLC0415 - only where it is missing

        raise missing_extra(f"taisai.maths.{name}", "maths") from None


def __dir__() -> list[str]:
    return sorted(_homes())
