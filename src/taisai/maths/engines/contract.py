"""What an engine does, in whatever it is written: every engine gives the same whole numbers."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Draws = npt.NDArray[np.uint32]
Amounts = npt.NDArray[np.int64]
#: Stakes and payouts, in 32 bits where they fit and in 64 otherwise.
Money = npt.NDArray[np.int32] | npt.NDArray[np.int64]
Players = npt.NDArray[np.int32] | npt.NDArray[np.int64]


class Round(Protocol):
    """What a pay table makes of one result, for engines: indexed by box, 256 entries each."""

    @property
    def multiples(self) -> Amounts: ...
    @property
    def shift(self) -> int: ...
    @property
    def boxes(self) -> int: ...


class Totals:
    """What an engine adds up of one round: by player what was staked and goes back, and the rest.

    `kept` is the stakes of the winning bets, `lowest` and `highest` are the stakes' own, `bits` are
    those set in any of them; `wrong` is a row near one whose player or box does not exist, or -1.
    """

    __slots__ = ("back", "bits", "highest", "kept", "lowest", "staked", "wrong")

    def __init__(self, staked: Amounts, back: Amounts) -> None:
        self.staked = staked
        self.back = back
        self.kept = 0
        self.lowest = 0
        self.highest = 0
        self.bits = 0
        self.wrong = -1


class Engine(Protocol):
    """Draws, pays and settles; each method but `settle` is safe in several threads at once."""

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
        self, multiples: Money, shift: int, results: Bytes, boxes: Bytes, stakes: Money, out: Money
    ) -> None:
        """Write what goes back of each stake: row i of stakes on row i of boxes, on result i."""
        ...

    def settle(
        self, round: Round, columns: tuple[Players, Bytes, Money], players: int, threads: int
    ) -> Totals:
        """Add up a round by player."""
        ...
