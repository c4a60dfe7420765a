"""Play round by round with plain objects: a table for trying a way of playing.

    >>> import taisai
    >>> from taisai.maths.simulation.play import Play
    >>> play = Play(taisai.pay_table("ts6/2"), seed=7)
    >>> outcome = play.round({"small": 1000, "single-3": 500})
    >>> outcome.staked, outcome.net == outcome.back - outcome.staked
    (1500, True)

The dice are those of a simulation with the same seed: round 1 here is round 0 there.
"""

from collections.abc import Iterator, Mapping
from itertools import chain, product

from msgspec import Struct

from taisai.core.rules.dice import FACES, THROWS, Faces, Result, result_of
from taisai.core.rules.money import AMOUNT_MAX
from taisai.core.rules.paytable import PayTable
from taisai.maths.engines import philox
from taisai.maths.engines.choice import engine_named, is_installed
from taisai.maths.slates import Slate, backs

#: The first throws are made in plain Python, so that a short play imports no large package.
_PLAIN_BLOCKS = 32
_BATCH = 8192

_THROWN: tuple[tuple[Faces, Result], ...] = tuple(
    ((first, second, third), result_of((first, second, third)))
    for first, second, third in product(FACES, repeat=3)
)


class RoundOutcome(Struct, frozen=True):
    """A played round: the dice, the stakes, and what goes back."""

    number: int
    faces: Faces
    result: Result
    staked: int
    back: int
    bets: Mapping[str, int]
    pay_table: PayTable

    @property
    def net(self) -> int:
        """The player's net of the round."""
        return self.back - self.staked

    @property
    def won(self) -> dict[str, int]:
        """The winnings of each winning bet, without its stake."""
        odds = {key: self.pay_table.boxes[key].odds_on(self.result) for key in self.bets}
        return {key: int(each * self.bets[key]) for key, each in odds.items() if each is not None}


class Play:
    """A player at a table of their own: bets in, the outcome out, from a seed."""

    __slots__ = (
        *("_rows", "_throws", "_thrown"),
        *("back", "pay_table", "rounds", "seed", "staked"),
    )

    def __init__(self, pay_table: PayTable, seed: int) -> None:
        self.pay_table = pay_table
        #: Each box's step, and what a stake of one step gives back on each result.
        self._rows = {key: (box.step, backs(box, box.step)) for key, box in pay_table.boxes.items()}
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin again: with the same dice, or with another seed's."""
        if seed is not None:
            philox.check_seed(seed)
            self.seed = seed
        self.rounds = 0
        self.staked = 0
        self.back = 0
        # The dice are drawn before the bets are checked, so that refused bets use up no throw.
        self._throws = map(_THROWN.__getitem__, _throws(self.seed))
        self._thrown = next(self._throws)

    @property
    def net(self) -> int:
        """The player's net of all rounds since the beginning."""
        return self.back - self.staked

    def round(self, bets: Mapping[str, int]) -> RoundOutcome:
        """Play one round of these bets, stakes in minor units; bad bets are refused unplayed."""
        faces, result = self._thrown
        rows, index = self._rows, result.index
        staked = back = 0
        try:
            for key, stake in bets.items():
                step, multiples = rows[key]
                if type(stake) is not int or not 0 < stake <= AMOUNT_MAX or stake % step:
                    self._refuse(bets)
                staked += stake
                back += stake // step * multiples[index]
        except KeyError:
            self._refuse(bets)
        if not staked:
            self._refuse(bets)
        self._thrown = next(self._throws)
        self.rounds = number = self.rounds + 1
        self.staked += staked
        self.back += back
        return RoundOutcome(number, faces, result, staked, back, bets, self.pay_table)

    def _refuse(self, bets: Mapping[str, int]) -> None:
        Slate.of(self.pay_table, bets)
        raise AssertionError("a slate refuses what a round refuses")


def _throws(seed: int) -> Iterator[int]:
    """Yield the throws of the rounds; after a while in batches from numpy, if it is installed."""
    plain = chain.from_iterable(
        philox.draw_block(seed, philox.DICE, number, THROWS) for number in range(_PLAIN_BLOCKS)
    )
    return chain(plain, chain.from_iterable(_batches(seed, _PLAIN_BLOCKS * philox.LANES)))


def _batches(seed: int, start: int) -> Iterator[list[int]]:
    if not is_installed("numpy"):
        number = start // philox.LANES
        while True:
            yield philox.draw_block(seed, philox.DICE, number, THROWS)
            number += 1
    engine = engine_named("numpy")
    while True:
        yield engine.draw(seed, philox.DICE, start, _BATCH, THROWS).tolist()
        start += _BATCH
