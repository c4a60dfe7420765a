"""The counter of a simulated venue: its shifts, and people with the code of an ended session."""

import random

from msgspec.structs import replace

from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.state import session_code
from taisai.core.cage.unclaimed import PayUnclaimed
from taisai.core.rules.reason import Refusal
from taisai.runtime.simulator.crowd import Chance
from taisai.runtime.simulator.venue import SimulatedVenue
from taisai.runtime.streams import CAGE
from taisai.runtime.unclaimed import find_unclaimed

#: Codes that are none, and one that is nobody's.
_STRANGE = ("", "12345", "123456789012345678", "0" * 16)


class Counter:
    """The counter, its shifts and what is paid there; its moods are its own, as are others'."""

    def __init__(self, venue: SimulatedVenue, seed: int) -> None:
        self._venue = venue
        rng = random.Random(f"the counter of {seed}")  # noqa: S311 - a seeded world, nothing secret
        self._chance = Chance(rng)

    def work(self) -> None:
        """Have somebody come now and then, mostly with a code that something is owed for."""
        chance, venue = self._chance, self._venue
        if chance.happens(0.25 if venue.cage.shift is None else 0.002):
            self._change_shift()
        if not chance.happens(0.04):
            return
        table, session = self._a_session()
        code = session_code(venue.cage.key, table, session)
        asked = find_unclaimed(code, venue.cage, venue.tables)
        if isinstance(asked, Refusal):
            asked = PayUnclaimed(code, table, session, chance.pick([0, 5_000]))
        cashier = chance.actor("cage")
        if not isinstance(venue.send(CAGE, cashier, self._with_a_slip(asked)), Refusal):
            venue.answer_pending(CAGE, chance)
            if chance.happens(0.3):
                # The same again, before the table has heard of it.
                venue.send(CAGE, cashier, asked)

    def _change_shift(self) -> None:
        """Have a cashier begin a shift, without which nothing is sold, or end it."""
        chance, venue = self._chance, self._venue
        changes = OpenShift if venue.cage.shift is None else CloseShift
        counted = changes(chance.between(0, 1_000_000))
        if not isinstance(venue.send(CAGE, chance.actor("cage"), counted), Refusal):
            venue.answer_pending(CAGE, chance)

    def _a_session(self) -> tuple[str, str]:
        """Name a session that is owed something; or one that was paid, or is owed nothing."""
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
