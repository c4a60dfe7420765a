"""The counter of a simulated venue: its shifts, and players with the code of an ended session."""

import random

from msgspec.structs import replace

from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.state import session_code
from taisai.core.cage.unclaimed import PayUnclaimed
from taisai.core.cage.vouchers import ReplaceVoucherKey
from taisai.core.rules.reason import Refusal
from taisai.runtime.answers import HOST
from taisai.runtime.simulator.crowd import Chance
from taisai.runtime.simulator.venue import SimulatedVenue
from taisai.runtime.streams import CAGE
from taisai.runtime.unclaimed import find_unclaimed

#: Texts that are no codes, and a code of no session.
_STRANGE = ("", "12345", "123456789012345678", "0" * 16)


class Counter:
    """The counter, its shifts and payments; it has a chance of its own, as others have."""

    def __init__(self, venue: SimulatedVenue, seed: int) -> None:
        self._venue = venue
        rng = random.Random(f"the counter of {seed}")  # noqa: S311 - a seeded world, nothing secret
        self._chance = Chance(rng)

    def work(self) -> None:
        """Have a player come now and then, mostly with the code of a session owed money."""
        chance, venue = self._chance, self._venue
        if chance.happens(0.25 if venue.cage.shift is None else 0.002):
            self._change_shift()
        if chance.happens(0.001):
            second = chance.pick(["bob", "bob", "bob", "ANN "])
            venue.send(CAGE, HOST, ReplaceVoucherKey("0" * 64, "ann", second))
        if not chance.happens(0.04):
            return
        table, session = self._a_session()
        code = session_code(venue.cage.newest_key, table, session)
        asked = find_unclaimed(code, venue.cage, venue.tables, venue.now)
        if isinstance(asked, Refusal):
            asked = PayUnclaimed(code, table, session, chance.pick([0, 5_000]))
        cashier = chance.actor("cage")
        if not isinstance(venue.send(CAGE, cashier, self._with_a_slip(asked)), Refusal):
            venue.answer_pending(CAGE, chance)
            if chance.happens(0.3):
                # The same again, before the table has released the money.
                venue.send(CAGE, cashier, asked)

    def _change_shift(self) -> None:
        """Have a cashier begin a shift, without which nothing is sold, or end one."""
        chance, venue = self._chance, self._venue
        changes = OpenShift if venue.cage.shift is None else CloseShift
        counted = changes(chance.between(0, 1_000_000))
        if not isinstance(venue.send(CAGE, chance.actor("cage"), counted), Refusal):
            venue.answer_pending(CAGE, chance)

    def _a_session(self) -> tuple[str, str]:
        """Name a session that is owed money; or one that was paid, or is owed none."""
        chance, venue = self._chance, self._venue
        owed = [(name, each) for name, table in venue.tables.items() for each in table.unclaimed]
        if owed and chance.happens(0.8):
            return chance.pick(owed)
        paid = [each.partition(":") for each in venue.cage.sessions_paid]
        if paid and chance.happens(0.5):
            table, _, session = chance.pick(paid)
            return table, session
        return chance.pick([*venue.tables]), "1@1"

    def _with_a_slip(self, asked: PayUnclaimed) -> PayUnclaimed:
        """Mistake the code or the amount now and then."""
        chance = self._chance
        if chance.happens(0.1):
            return replace(asked, code=chance.pick(_STRANGE))
        if chance.happens(0.1):
            return replace(asked, amount=asked.amount + 100)
        return asked
