"""The mathematics of a pay table: exact wherever possible, which is nearly always.

There are 56 results. Everything here is computed from the rows of a compiled pay table and whole
minor units; floats appear only where an answer says so.

    >>> import taisai
    >>> from taisai.maths import Slate, session
    >>> small = Slate.of(taisai.pay_table("ts6/2"), {"small": 1000})
    >>> small.house_edge
    Fraction(1, 36)
    >>> round(float(session(small, 1000).ahead), 5)
    0.1813

This is the only public interface of the package; `__init__.pyi` lists its names. They are imported
on first use, so that a question that needs no numpy does not load it.
"""

from taisai.face import face_of

_find, __dir__ = face_of(__name__, __file__)


def __getattr__(name: str) -> object:
    try:
        return _find(name)
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        from taisai.maths.errors import missing_extra  # noqa: PLC0415 - only where it is missing

        raise missing_extra(f"taisai.maths.{name}", "maths") from None
