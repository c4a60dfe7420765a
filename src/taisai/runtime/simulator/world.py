"""A simulated world: a cage, one or several tables, their people, and time that passes."""

import random
from collections.abc import Iterator, Sequence

from taisai.core.cage.vouchers import OpenCage, SellVoucher
from taisai.core.kernel.messages import Equipment
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import CreateTable
from taisai.core.table.state import Phase
from taisai.core.venue.setup import AdmitTable
from taisai.runtime.answers import HOST
from taisai.runtime.auditor import Auditor
from taisai.runtime.simulator.chip_floor import ChipFloor
from taisai.runtime.simulator.counter import Counter
from taisai.runtime.simulator.crowd import Chance
from taisai.runtime.simulator.incidents import Trouble
from taisai.runtime.simulator.newcomers import Newcomers
from taisai.runtime.simulator.pit import Pit
from taisai.runtime.simulator.players import Player
from taisai.runtime.simulator.staff import Attendants, Office
from taisai.runtime.simulator.transfers import Router
from taisai.runtime.simulator.venue import CURRENCY, Finding, SimulatedVenue
from taisai.runtime.streams import CAGE, VENUE

#: So many steps without the end of a round mean that the people are stuck.
STANDSTILL = 5_000
#: This share of worlds has a chip table beside the others.
CHIP_TABLE_SHARE = 0.4

_EQUIPMENT = (
    *(Equipment(), Equipment(), Equipment()),
    Equipment("simulated"),
    Equipment("simulated", read_by_dealer_too=True),
    *(Equipment("verifiable"), Equipment("verifiable")),
    Equipment("verifiable", read_by_dealer_too=True),
    Equipment("reader"),
    Equipment("reader", read_by_dealer_too=True),
)


class World:
    """Everything that follows from a seed."""

    def __init__(
        self,
        seed: int,
        rulebooks: Sequence[Rulebook],
        auditor: Auditor | None = None,
        *,
        chip_table_share: float = CHIP_TABLE_SHARE,
    ) -> None:
        rng = random.Random(seed)  # noqa: S311 - a seeded world, nothing secret
        self.chance = chance = Chance(rng)
        self.venue = SimulatedVenue(rng.randbytes(16), auditor)
        self.router = Router(self.venue, rng, crash=0.05)
        self.trouble = Trouble(self.venue, chance)
        self.office = Office(self.venue, seed)
        self.counter = Counter(self.venue, seed)
        self.pits: list[Pit] = []
        self.players: dict[str, list[Player]] = {}
        self._open_venue()
        for number in range(1, chance.pick([1, 1, 2, 3]) + 1):
            self._add_table(f"T{number}", rulebooks)
        self.chip_table: ChipFloor | None = None
        # A chip table has a chance of its own, so that the other tables play as without it.
        # Its seed keeps its old name: with another, every seed would play another world.
        apart = random.Random(f"felt {seed}")  # noqa: S311 - a seeded world, nothing secret
        if apart.random() < chip_table_share:
            self.chip_table = ChipFloor(self.venue, self.router, Chance(apart), rulebooks)
        others = random.Random(f"newcomers {seed}")  # noqa: S311 - a seeded world, nothing secret
        self._newcomers = Newcomers(Chance(others))
        walking = random.Random(f"attendants {seed}")  # noqa: S311 - a seeded world, nothing secret
        self._attendants = Attendants(Chance(walking))

    def _open_venue(self) -> None:
        chance, send = self.chance, self.venue.send
        if chance.happens(0.3):
            send(VENUE, HOST, AdmitTable(CAGE, CURRENCY))
            send(CAGE, chance.actor("cage"), SellVoucher(1000, "counter"))
        self.office.open_venue()
        send(VENUE, HOST, AdmitTable(CAGE, CURRENCY))
        above = chance.pick([None, 500_000, 2_000_000])
        send(CAGE, HOST, OpenCage(CURRENCY, chance.pick([1, 7, 30]), above))

    def _add_table(self, name: str, rulebooks: Sequence[Rulebook]) -> None:
        chance, venue = self.chance, self.venue
        venue.add_table(name)
        if chance.happens(0.3):
            venue.send(name, chance.actor("dealer"), OpenBets())
        handpay_threshold = chance.pick([None, 100_000, 1_000_000])
        command = CreateTable(
            name,
            CURRENCY,
            chance.pick(_EQUIPMENT),
            handpay_threshold,
            operator=venue.operator,
        )
        venue.send(name, HOST, command)
        pit = Pit(venue, self.router, chance, name, rulebooks)
        pit.enrol(chance.between(2, 7))
        self.pits.append(pit)
        self.players[name] = [
            Player(venue, self.router, chance, name, terminal) for terminal in pit.terminals
        ]

    def run(self, rounds: int) -> Iterator[int]:
        """Play until so many rounds have ended, with checks; give the count as they end.

        Journals are replayed after 50 rounds, 100, 200 and so on, and at the end.
        """
        tally, replay_at, told, idle = self.venue.tally, 50, 0, 0
        while tally.rounds < rounds:
            self.step()
            idle += 1
            if tally.rounds >= replay_at:
                self.venue.check_replay()
                replay_at *= 2
            if tally.rounds > told:
                told, idle = tally.rounds, 0
                yield told
            if idle > STANDSTILL:
                raise Finding("nobody gets any further: no round ends")
        self._end()

    def step(self) -> None:
        """Let somebody do one thing somewhere."""
        chance, venue = self.chance, self.venue
        self._newcomers.act(
            self.pits if self.chip_table is None else [*self.pits, self.chip_table.pit]
        )
        self._attendants.act(self.pits)
        self.counter.work()
        if self.chip_table is not None and self.chip_table.has_its_turn():
            self.chip_table.step()
            return
        venue.now += chance.between(50, 2_500)
        pit = chance.pick(self.pits)
        players = self.players[pit.table]
        if chance.happens(0.06):
            self.trouble.strike(pit)
        elif (pit.state.phase is Phase.BETTING and pit.may_still_bet()) or chance.happens(0.12):
            chance.pick(players).act()
        else:
            pit.work()
        if len(self.router) and chance.happens(0.6):
            self.router.run()
        self.office.work(pit)

    def _end(self) -> None:
        """Deliver open transits, and check everything once more."""
        venue = self.venue
        while len(self.router):
            self.router.run(crashing=False)
        if self.chip_table is not None:
            self.chip_table.deliver_all()
        venue.check_replay()
        venue.check_sums()
        if venue.auditor.transits.open_count():
            raise Finding("money is still on its way, and nobody carries it")
        between = sum(
            held
            for ledger in (venue.cage.ledger, *(table.ledger for table in venue.tables.values()))
            for account, held in ledger.balances.items()
            if account.startswith("transit:")
        )
        if between:
            raise Finding(f"{between} was lost or doubled between the streams")
