"""The table, the people and the hours that the examples have in common."""

from taisai.core.kernel.messages import Actor, LimitsAsked, Order
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.interruption import DeclareOutcome

TABLE, TERMINAL = "T1", "T1-1"
#: The venue's time as the round of the examples begins, and later in it.
BEGAN = 1_794_803_228_232
BET, CLOSED, TUMBLED, ENTERED, SETTLED = (BEGAN + 1000 * each for each in (4, 20, 23, 27, 31))

COMMITMENT = "9f2c51d6e0a7438b1c6f0d9e2b7a45c8d3e1f6079b8a4c5d2e3f10716253a4b5"
SECRET = "4b1d7e90c2a85f63d81e7c04b95a26f3e0d7c1b8a49f5e6273846950a1b2c3d4"  # noqa: S105 - shown
FINGERPRINT = "c0ffee5a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6"
PENDING = "7d0a1f5b3c9e8d7261504f3e2d1c0b9a8f7e6d5c4b3a29180716253443526170"
CANONICAL = '{"key":"ts6","title":"Tai Sai", …}'

LIMITS = LimitsAsked(
    minimum=1_000,
    maximum=500_000,
    step=500,
    differential=1_000_000,
    boxes={"triple": (500, 10_000)},
)
WAITING = Order(f"{TUMBLED}-p3", Actor("pat", "pit-manager"), DeclareOutcome((2, 3, 5)))

#: Two value chips, as a chip table writes them.
HUNDREDS = (Pieces(10_000, 2),)
