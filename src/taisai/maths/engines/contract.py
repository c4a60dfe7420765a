"""The interface of all engines: every engine gives the same whole numbers."""

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Draws = npt.NDArray[np.uint32]
Amounts = npt.NDArray[np.int64]
#: Stakes and payouts, in 32 bits if they fit and in 64 otherwise.
Money = npt.NDArray[np.int32] | npt.NDArray[np.int64]
#: The multiples of stakes: as wide as the stakes, or in 16 bits if all of them fit.
Multiples = npt.NDArray[np.uint16] | Money
Players = npt.NDArray[np.int32] | npt.NDArray[np.int64]


class Round(NamedTuple):
    """The payouts of one result of a pay table, for engines: indexed by box, 256 entries each."""

    multiples: Amounts
    shift: int
    boxes: int


class Seen(NamedTuple):
    """What an engine collects about the bets besides the sums of each player.

    `staked` and `products` are the sums of the stakes and of their products with the multiples,
    `kept` that of the stakes that won, `lowest` the lowest stake, `bits` those set in any of them;
    `wrong` is a row near one with a player or box that does not exist, or -1.
    """

    staked: int
    products: int
    kept: int
    lowest: int
    bits: int
    wrong: int

    def joined(self, other: "Seen") -> "Seen":
        """Combine with what was seen of other bets."""
        # Parts are processed in order, so the first wrong row is among those found.
        wrong = min((row for row in (self.wrong, other.wrong) if row >= 0), default=-1)
        return Seen(
            self.staked + other.staked,
            self.products + other.products,
            self.kept + other.kept,
            min(self.lowest, other.lowest),
            self.bits | other.bits,
            wrong,
        )


#: Before any bet is seen: combining with it changes nothing.
NOTHING_SEEN = Seen(0, 0, 0, 2**63 - 1, 0, -1)


class Totals(NamedTuple):
    """The sums of one round: by player what was staked and what goes back, and the rest.

    If a row is wrong, the sums cover only some bets and are of no use.
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

        Round i belongs to turn i mod `turns`; the answer has a row of 56 counts for each turn.
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
