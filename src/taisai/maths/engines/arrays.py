"""numpy, or a sentence that says which extra brings it."""

from taisai.maths.errors import missing_extra

try:
    import numpy as np
except ImportError:
    raise missing_extra("simulation, and bets in columns,", "maths") from None

__all__ = ["np"]
