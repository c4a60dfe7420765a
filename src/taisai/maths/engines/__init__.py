"""Engines that play rounds by the million: numba where it is installed, numpy otherwise.

Both give the same whole numbers for the same seed; `philox` tells how throws are made.
"""

import os
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from taisai.maths.failures import MathsError, missing_extra

if TYPE_CHECKING:
    from taisai.maths.engines.contract import Engine

ENGINES = ("numba", "numpy")
THREADS_MAX = 256


def engine_named(name: str | None = None) -> "Engine":
    """Find an engine by name, or the fastest that is installed."""
    if name is not None and name not in ENGINES:
        raise MathsError(f"there is no engine {name!r}; there are {' and '.join(ENGINES)}")
    return _engine(name or ("numba" if is_installed("numba") else "numpy"))


@cache
def is_installed(package: str) -> bool:
    """Say whether a package can be imported."""
    return find_spec(package) is not None


def threads_for(asked: int | None) -> int:
    """Say how many threads to use: as many as asked for, or as this process may run at once."""
    if asked is None:
        return _threads_here()
    if type(asked) is not int or not 1 <= asked <= THREADS_MAX:
        raise MathsError(f"the threads are a whole number between 1 and {THREADS_MAX}")
    return asked


def _threads_here() -> int:
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(here or 1, THREADS_MAX)


@cache
def _engine(name: str) -> "Engine":
    # An engine is imported when it is asked for: numba alone takes as long as a short simulation.
    try:
        if name == "numba":
            from taisai.maths.engines.on_numba import NumbaEngine  # noqa: PLC0415

            return NumbaEngine()
        from taisai.maths.engines.on_numpy import NumpyEngine  # noqa: PLC0415

        return NumpyEngine()
    except ImportError:
        extra = "fast" if name == "numba" else "maths"
        raise missing_extra(f"the {name} engine", extra) from None
