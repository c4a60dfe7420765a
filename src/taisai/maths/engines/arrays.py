"""numpy, or an error whose sentence names the extra to install."""

from taisai.maths.errors import missing_extra

try:
    import numpy as np
except ImportError:
    raise missing_extra("simulation, and bets in columns,", "maths") from None

__all__ = ["np"]
