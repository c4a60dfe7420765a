"""What an engine does, in whatever it is written: every engine gives the same whole numbers."""

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Draws = npt.NDArray[np.uint32]
Amounts = npt.NDArray[np.int64]
#: Stakes and payouts, in 32 bits where they fit and in 64 otherwise.
Money = npt.NDArray[np.int32] | npt.NDArray[np.int64]
#: What multiplies stakes: as wide as they are, or in 16 bits where all of it fits.
Multiples = npt.NDArray[np.uint16] | Money
Players = npt.NDArray[np.int32] | npt.NDArray[np.int64]


class Round(NamedTuple):
    """What a pay table makes of one result, for engines: indexed by box, 256 entries each."""

    multiples: Amounts
    shift: int
    boxes: int


class Seen(NamedTuple):
    """What an engine takes note of as it goes through bets, beside the sums of each player.

    `staked` and `products` are the sums of the stakes and of their products with the multiples,
    `kept` that of the stakes that won, `lowest` the lowest stake, `bits` those set in any of them;
    `wrong` is a row near one whose player or box does not exist, or -1.
    """

    staked: int
    products: int
    kept: int
    lowest: int
    bits: int
    wrong: int

    def joined(self, other: "Seen") -> "Seen":
        """Join what was seen of other bets."""
        # Parts are taken in their order, so the first wrong row is among those found.
        wrong = min((row for row in (self.wrong, other.wrong) if row >= 0), default=-1)
        return Seen(
            self.staked + other.staked,
            self.products + other.products,
            self.kept + other.kept,
            min(self.lowest, other.lowest),
            self.bits | other.bits,
            wrong,
        )


#: Before any bet is seen: joined to what is seen of some, it changes nothing.
NOTHING_SEEN = Seen(0, 0, 0, 2**63 - 1, 0, -1)


class Totals(NamedTuple):
    """What an engine adds up of one round: by player what was staked and goes back, and the rest.

    Where a row is wrong, the sums are of some bets and of no use.
    """

    staked: Amounts
    back: Amounts
    seen: Seen


class Engine(Protocol):
    """Draws, pays and settles; each method is safe in several threads at once."""

    @property
    def name(self) -> str: ...

    def draw(self, seed: int, stream: int, start: int, count: int, below: int) -> Draws:
        """Give so many draws from number `start` on, each below `below`."""
        ...

    def count_results(self, seed: int, start: int, count: int, turns: int) -> Amounts:
        """Throw rounds `start` to `start + count`, and count the results of each turn.

        Round i is of turn i mod `turns`; the answer has a row of 56 counts for each turn.
        """
        ...

    def pay(
        self,
        multiples: Multiples,
        shift: int,
        results: Bytes,
        boxes: Bytes,
        stakes: Money,
        out: Money,
    ) -> None:
        """Write what goes back of each stake: row i of stakes on row i of boxes, on result i."""
        ...

    def settle(
        self, round: Round, columns: tuple[Players, Bytes, Money], players: int, threads: int
    ) -> Totals:
        """Add up a round by player."""
        ...
