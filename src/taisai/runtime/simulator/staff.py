"""The staff of a simulated house: the office, and attendants who look after terminals."""

import random
from collections.abc import Callable, Sequence

from taisai.core.kernel.approvals import Approve, Decline
from taisai.core.kernel.roles import STAFF_ROLES
from taisai.core.rules.reason import because
from taisai.core.streams import VenueCommand
from taisai.core.table.positions import CashOut
from taisai.core.table.service import EndSession, MarkTerminalFailed, ReturnTerminal
from taisai.core.venue.alerts import AcknowledgeAlert, AssignAlert
from taisai.core.venue.nodes import DrainNode, MoveStream
from taisai.core.venue.setup import (
    AcceptClock,
    OpenVenue,
    PlaceTable,
    RecordDealer,
    RenameVenue,
    ReplaceSealingKey,
)
from taisai.core.venue.staff import (
    AppointStaff,
    ChangeRoles,
    DismissStaff,
    EngageStaff,
    GiveCode,
    MakeCode,
    RecordCredentials,
    RecordLockOut,
    RecordLogIn,
    RecordLogOut,
    ReinstateStaff,
    SuspendStaff,
)
from taisai.core.venue.terminal_keys import (
    IssueTerminalKey,
    RecordSecondConnection,
    WithdrawTerminal,
)
from taisai.runtime.answers import HOST
from taisai.runtime.simulator.crowd import ROLES, STAFF, Chance
from taisai.runtime.simulator.pit import Pit
from taisai.runtime.simulator.venue import CURRENCY, GAMING_DAY, OPERATOR, SimulatedVenue
from taisai.runtime.streams import VENUE

_NAMES = (*STAFF["shift-manager"], *STAFF["technician"], *STAFF["auditor"])
#: One person's name written in different ways or letters, and names that are nobody's [D34].
_STRANGERS = (
    *("Ann Lee", "ann  LEE", "Bob Tan", "B0b Tan", "陳 David", "", "a:b", "x" * 65),
    *("\u0410nn Lee", "Bob\u200b Tan", "Automatic-Dealer"),
)


class Office:
    """Appoints and changes staff, by a chance of its own, so that tables play as without it."""

    def __init__(self, venue: SimulatedVenue, seed: int) -> None:
        self._venue = venue
        rng = random.Random(f"the office of {seed}")  # noqa: S311 - a seeded world, nothing secret
        self._chance = Chance(rng)
        self._kinds: list[Callable[[Pit], VenueCommand]] = [
            *(self._appoint, self._appoint, self._change, self._change),
            *(self._dismiss, self._dismiss),
            *(self._suspend, self._suspend, self._reinstate, self._reinstate, self._reinstate),
            *(self._engage, self._key, self._key, self._log_in, self._log_in),
            self._second_connection,
            lambda _: ReplaceSealingKey("0" * 64, "ann", self._chance.pick(["bob", "ANN "])),
            lambda _: RecordLogOut(self._somebody()),
            *(self._make_code, self._set_password),
            lambda _: RecordLockOut(self._somebody(), "127.0.0.1"),
            self._stray_answer,
            lambda _: AcceptClock(self._chance.pick([2_000, 86_400_000, 0])),
            *(self._alert, self._alert),
            *(self._withdraw, self._withdraw),
            lambda _: RenameVenue(self._chance.pick(["the venue", "the other house", " "])),
            *(self._dealer, self._place),
            lambda _: DrainNode(self._chance.pick(["east", " "])),
            lambda _: MoveStream("table/T1", self._chance.pick(["west", ""])),
        ]

    def open_venue(self) -> None:
        """Open the venue, perhaps as a demo, and appoint those who appoint the others."""
        demo = self._chance.happens(0.25)
        opens = OpenVenue("the venue", CURRENCY, demo, OPERATOR, *GAMING_DAY)
        self._venue.send(VENUE, HOST, opens)
        first = EngageStaff("max", ("shift-manager",), "max", "tara", founds=True)
        self._venue.send(VENUE, HOST, first)

    def work(self, pit: Pit) -> None:
        """Do something now and then; mostly there is nothing to do."""
        chance, pending = self._chance, self._venue.state.pending
        if pending is not None and chance.happens(0.3):
            answer = chance.answer_to(pending)
            if answer is not None:
                self._venue.send(VENUE, *answer[:2])
        if not chance.happens(0.06):
            return
        command = chance.pick(self._kinds)(pit)
        right = chance.happens(0.9)
        role = chance.who_may(type(command)) if right else chance.actor(chance.pick(ROLES))
        self._venue.send(VENUE, role, command)

    def _somebody(self) -> str:
        on_staff = list(self._venue.state.staff)
        return self._chance.pick([*_NAMES, *_STRANGERS, *on_staff * 6])

    def _roles(self) -> tuple[str, ...]:
        if self._chance.happens(0.1):
            return self._chance.pick([(), ("king",), ("dealer", "dealer"), ("system",)])
        return tuple(dict.fromkeys(self._chance.some(STAFF_ROLES, 3)))

    def _engage(self, _: Pit) -> VenueCommand:
        second = self._chance.pick(["bob", "bob", "ANN ", ""])
        founds = self._chance.happens(0.2)
        return EngageStaff(self._somebody(), self._roles(), "ann", second, founds)

    def _appoint(self, _: Pit) -> VenueCommand:
        return AppointStaff(self._chance.pick([*_NAMES, *_STRANGERS]), self._roles())

    def _make_code(self, _: Pit) -> VenueCommand:
        if self._chance.happens(0.6):
            return MakeCode(self._somebody())
        return GiveCode(self._somebody(), "ann", self._chance.pick(["bob", "bob", "ANN "]))

    def _set_password(self, _: Pit) -> VenueCommand:
        coded = [*self._venue.state.codes]
        return RecordCredentials(self._chance.pick([*coded * 4, self._somebody()]))

    def _change(self, _: Pit) -> VenueCommand:
        return ChangeRoles(self._somebody(), self._roles())

    def _dismiss(self, _: Pit) -> VenueCommand:
        return DismissStaff(self._somebody())

    def _suspend(self, _: Pit) -> VenueCommand:
        return SuspendStaff(self._somebody())

    def _reinstate(self, _: Pit) -> VenueCommand:
        out = sorted(self._venue.state.suspended)
        return ReinstateStaff(self._chance.pick([*out * 6, self._somebody()]))

    def _key(self, pit: Pit) -> VenueCommand:
        return IssueTerminalKey(pit.table, self._chance.pick([*pit.terminals, " "]))

    def _withdraw(self, pit: Pit) -> VenueCommand:
        keyed = [each.split("/") for each in self._venue.state.keyed]
        table, terminal = self._chance.pick([*keyed * 4, [pit.table, "nobody"]])
        return WithdrawTerminal(table, terminal)

    def _dealer(self, pit: Pit) -> VenueCommand:
        stream = self._chance.pick([pit.table, pit.table, "nowhere"])
        person = self._chance.pick(["pia", "pia", " "])
        return RecordDealer(stream, automatic=self._chance.happens(0.5), by=person)

    def _place(self, pit: Pit) -> VenueCommand:
        stream = self._chance.pick([pit.table, pit.table, "nowhere"])
        return PlaceTable(stream, self._chance.pick([(1, 1), (2, 1), (0, 41), None]))

    def _second_connection(self, pit: Pit) -> VenueCommand:
        terminal = self._chance.pick([*pit.terminals, "nobody"])
        place = self._chance.pick(["192.0.2.7", "192.0.2.8", " "])
        return RecordSecondConnection(pit.table, terminal, place, "192.0.2.9")

    def _log_in(self, _: Pit) -> VenueCommand:
        chance, person = self._chance, self._somebody()
        roles = [role for role in STAFF_ROLES if role in self._venue.state.staff.get(person, ())]
        place = chance.pick(["127.0.0.1", "the pit", "the pit", "the cage", " ", "x" * 65])
        return RecordLogIn(person, chance.pick([*STAFF_ROLES, *roles * 9]), place)

    def _alert(self, pit: Pit) -> VenueCommand:
        alert = self._chance.pick(["stopped", "stopped", "locked", "late", " "])
        reason = because("PIT_STOPPED", table=pit.table, clause="7.4")
        if self._chance.happens(0.4):
            return AcknowledgeAlert(alert, reason, pit.table, "seen")
        return AssignAlert(alert, reason, self._somebody(), pit.table)

    def _stray_answer(self, _: Pit) -> VenueCommand:
        return Approve("0" * 64, 1) if self._chance.happens(0.5) else Decline("0" * 64)


#: The share of a world's steps in which one of them acts.
_SHARE = 0.03
_NOTES = ("the screen is dark", "the screen is dark", "the player has gone", " ")


class Attendants:
    """Attendants among the terminals, by a chance of their own, as others have."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def act(self, pits: Sequence[Pit]) -> None:
        """Perhaps look after one of the terminals."""
        chance = self._chance
        if not chance.happens(_SHARE):
            return
        pit = chance.pick(pits)
        failed = [name for name, each in pit.state.positions.items() if each.failed]
        if failed and chance.happens(0.6):
            self._put_back(pit, chance.pick(failed))
        elif chance.happens(0.4):
            self._fails(pit, chance.pick(pit.terminals))
        else:
            self._ends(pit, chance.pick([*failed, *pit.terminals, "no such"]))

    def _put_back(self, pit: Pit, terminal: str) -> None:
        """Pay a player what a failed terminal holds, or not, and return it to service."""
        chance = self._chance
        if chance.happens(0.4):
            pit.send(chance.actor("supervisor"), CashOut(terminal))
        note = chance.pick(_NOTES)
        kind = ReturnTerminal
        pit.send(chance.who_may(kind), kind(terminal, note))

    def _fails(self, pit: Pit, terminal: str) -> None:
        chance = self._chance
        mark = MarkTerminalFailed(terminal, chance.pick(_NOTES))
        who = chance.who_may(MarkTerminalFailed) if chance.happens(0.9) else chance.actor("dealer")
        pit.send(who, mark)

    def _ends(self, pit: Pit, terminal: str) -> None:
        chance = self._chance
        who = chance.who_may(EndSession) if chance.happens(0.9) else chance.actor("dealer")
        pit.send(who, EndSession(terminal, chance.pick(_NOTES)))
