"""The payout of every box on every result, in whole numbers that machines multiply fast.

A stake on a box returns stake × (odds + 1) if it wins. With a step of odd × 2ᵏ that makes all
of a table's payments whole, the table here holds (odds + 1) × step ÷ odd in wrapping arithmetic:
the division by the odd part is a multiplication by its inverse, exact since a stake on the step is
a multiple of what it divides. The payout is then one product and one shift by k, for any odds.
"""

from fractions import Fraction

import numpy as np

from taisai.core.rules.dice import RESULTS
from taisai.core.rules.paytable import BettingBox, PayTable
from taisai.maths.engines.contract import Money, Multiples, Round

#: A box is one byte, and a byte that is no box has a row that pays nothing.
BOX_IDS = 256
#: The most pay tables whose rows are kept.
ROWS_KEPT = 32

_WIDTHS = {32: np.int32, 64: np.int64}


class PayoutRows:
    """A pay table for engines: by result and box the multiple of a stake, and the shift."""

    def __init__(self, pay_table: PayTable) -> None:
        boxes = list(pay_table.boxes.values())
        self.pay_table = pay_table
        self.keys = tuple(box.key for box in boxes)
        self.ids = {key: number for number, key in enumerate(self.keys)}
        self.boxes = len(boxes)
        self._step = pay_table.step
        self.shift = (self._step & -self._step).bit_length() - 1
        self._odd = self._step >> self.shift
        self.highest = max((odds + 1 for box in boxes for odds in box.odds), default=Fraction(1))
        self.steps = np.ones(BOX_IDS, np.int64)
        self.steps[: self.boxes] = [box.step for box in boxes]
        self._multiples = {width: self._table(boxes, width) for width in _WIDTHS}
        self._narrow = {width: _narrowed(wide) for width, wide in self._multiples.items()}

    def multiples(self, width: int = 64) -> Money:
        """Give the table, 56 results by 256 boxes, in words of this many bits."""
        return self._multiples[width]

    def narrow(self, width: int = 64) -> Multiples:
        """Give the same table in 16 bits if all of it fits, else unchanged.

        In 16 bits the rows of all results stay in the processor's first-level cache.
        """
        return self._narrow[width]

    def largest(self, width: int = 64, bets: int = 1) -> int:
        """Give the largest stake so that paying and adding so many of it fits this many bits."""
        most = (1 << (width - 1)) - 1
        return most * self.highest.denominator // (self.highest.numerator * bets << self.shift)

    def on(self, result: int) -> Round:
        """Give the rows of one result."""
        multiples = np.ascontiguousarray(self.multiples()[result], np.int64)
        return Round(multiples, self.shift, self.boxes)

    def may_be_off_step(self, bits: int) -> bool:
        """Say whether stakes may be off the step of their box, by the bits set in any of them."""
        return self._odd > 1 or bits & (self._step - 1) != 0

    def _table(self, boxes: list[BettingBox], width: int) -> Money:
        inverse = pow(self._odd, -1, 2**width)
        table = np.zeros((len(RESULTS), BOX_IDS), np.uint64)
        for number, box in enumerate(boxes):
            backs = [0, *(int((odds + 1) * self._step) * inverse % 2**width for odds in box.odds)]
            table[:, number] = [backs[times] for times in box.met]
        narrowed = table.astype(np.uint32) if width == 32 else table
        return narrowed.view(_WIDTHS[width])


def _narrowed(table: Money) -> Multiples:
    narrow = table.astype(np.uint16)
    return narrow if np.array_equal(narrow, table) else table


#: By the `id` of their pay table, which they keep alive, so that no id is reused.
_KEPT: dict[int, PayoutRows] = {}


def payout_rows(pay_table: PayTable) -> PayoutRows:
    """Give the rows of a pay table, computed once."""
    rows = _KEPT.get(id(pay_table))
    if rows is None:
        rows = _KEPT[id(pay_table)] = PayoutRows(pay_table)
        if len(_KEPT) > ROWS_KEPT:
            del _KEPT[next(iter(_KEPT))]
    return rows
