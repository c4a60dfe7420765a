"""The choice of the engine: the one that is named, or the fastest that is installed."""

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from taisai.maths.errors import MathsError, missing_extra

if TYPE_CHECKING:
    from taisai.maths.engines.contract import Engine

ENGINES = ("numba", "numpy")


def engine_named(name: str | None = None) -> "Engine":
    """Find an engine by name, or the fastest that is installed."""
    if name is not None and name not in ENGINES:
        raise MathsError(f"there is no engine {name!r}; there are {' and '.join(ENGINES)}")
    return _engine(name or ("numba" if is_installed("numba") else "numpy"))


@cache
def is_installed(package: str) -> bool:
    """Say whether a package can be imported."""
    return find_spec(package) is not None


@cache
def _engine(name: str) -> "Engine":
    # An engine is imported only when used: importing numba takes as long as a short simulation.
    try:
        if name == "numba":
            from taisai.maths.engines.numba_engine import NumbaEngine  # noqa: PLC0415

            return NumbaEngine()
        from taisai.maths.engines.numpy_engine import NumpyEngine  # noqa: PLC0415

        return NumpyEngine()
    except ImportError:
        extra = "fast" if name == "numba" else "maths"
        raise missing_extra(f"the {name} engine", extra) from None
