"""Tests of fairness: whether observed throws are those of fair dice, and what could be found.

    >>> from taisai.maths.fairness import Throws, examine
    >>> report = examine(Throws.of([(1, 2, 3), (6, 6, 4), (2, 5, 5)]))
    >>> report.is_rejected
    False

Here is what knows throws, tests and reports; journals are not known here. numpy is needed, which
the extra `maths` brings; `taisai.maths.watching` does without it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from taisai.maths.failures import missing_extra

if TYPE_CHECKING:
    from taisai.maths.fairness.examining import Group as Group
    from taisai.maths.fairness.examining import Report as Report
    from taisai.maths.fairness.examining import examine as examine
    from taisai.maths.fairness.examining import examine_groups as examine_groups
    from taisai.maths.fairness.picturing import plot_fairness as plot_fairness
    from taisai.maths.fairness.reading import read_throws as read_throws
    from taisai.maths.fairness.throws import Throws as Throws

_HOMES = {
    "Group": "taisai.maths.fairness.examining",
    "Report": "taisai.maths.fairness.examining",
    "Throws": "taisai.maths.fairness.throws",
    "examine": "taisai.maths.fairness.examining",
    "examine_groups": "taisai.maths.fairness.examining",
    "plot_fairness": "taisai.maths.fairness.picturing",
    "read_throws": "taisai.maths.fairness.reading",
}

__all__ = [
    "Group",
    "Report",
    "Throws",
    "examine",
    "examine_groups",
    "plot_fairness",
    "read_throws",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(_HOMES[name]), name)
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        raise missing_extra("testing throws for fairness", "maths") from None


def __dir__() -> list[str]:
    return __all__
