"""Tables and cages under any rulebook, brought into any phase by people's commands.

This module only asserts that a command is accepted where it must be, and that deciding it changed
nothing: the tests assert the outcome.
"""

import hashlib
import pickle
from collections.abc import Mapping
from functools import cache
from typing import TypeVar

import msgspec

import taisai
from taisai.core.cage.drawer import OpenShift
from taisai.core.cage.state import CageState
from taisai.core.cage.vouchers import OpenCage
from taisai.core.kernel.approvals import ApprovalRequested, Approve, Decline
from taisai.core.kernel.decider import decide, evolve
from taisai.core.kernel.ledger import credits_of, stakes_of
from taisai.core.kernel.messages import BoxStake, Equipment, LimitsAsked, Order, Role
from taisai.core.rules.limits import has_differential
from taisai.core.rules.reason import Refusal
from taisai.core.streams import CageCommand, CageEvent, TableCommand, TableEvent
from taisai.core.table.betting import PlaceBets
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.payout import payout_guide
from taisai.core.table.chips.rulings import RuleOnBet, bets_to_rule
from taisai.core.table.past import NOTHING_READ, Past, wanted
from taisai.core.table.positions import ReceiveCredits
from taisai.core.table.provably_fair import PublishChain, RevealSecret
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    PressFace,
    RoundSettled,
    Settle,
)
from taisai.core.table.setup import (
    AdoptRulebook,
    CloseTable,
    CreateTable,
    EnrolTerminal,
    GiveNotice,
    OpenTable,
    RegisterDice,
    SetLimits,
)
from taisai.core.table.state import Position, TableState
from taisai.core.table.tumble import LiftCover, RecordTumble
from taisai.runtime.opening import acts_wanted
from taisai.runtime.past_rounds import find_past
from tests.kit.people import actor

#: 16 November 2026, 02:13:20 UTC.
START = 1_794_795_200_000
CREDITS = 100_000
ADDRESSES = ("ts6/2", "tso5/2", "etg8/2", "div9/2")
KEYED = Equipment()
KEY = b"a key for the tests, and for nothing else"

#: A verifiable table of the tests: its last secret, the number of secrets, the sealed text.
LAST = b"the last secret, all of 32 bytes"
SECRETS = 4
SEALED = "5ea1ed"

AnyCommand = TableCommand | CageCommand
State = TypeVar("State", TableState, CageState)


def picture(state: TableState | CageState) -> bytes:
    """Make a comparable copy of everything in a state; rules are compared by fingerprint."""
    held = msgspec.structs.asdict(state)
    if isinstance(state, TableState):
        held["rulebook"] = None if state.rulebook is None else state.rulebook.sha256
        held["pay_table"] = None if state.pay_table is None else state.pay_table.address
        held["checks"], held["sides"] = sorted(state.checks), sorted(state.sides)
    return msgspec.json.encode(held)


def copied(state: State) -> State:
    """Copy a state completely; its rules, which never change, are shared."""
    names = ("rulebook", "pay_table", "limits")
    rules = {name: getattr(state, name) for name in names if hasattr(state, name)}
    bare = msgspec.structs.replace(state, **dict.fromkeys(rules))
    # Many thousands of copies are made, and pickling a state and reading it back is fastest.
    copy: State = pickle.loads(pickle.dumps(bare))  # noqa: S301 - we wrote it ourselves
    return msgspec.structs.replace(copy, **rules)


def stakes(bets: Mapping[str, int]) -> tuple[BoxStake, ...]:
    """Make the bets of a command."""
    return tuple(BoxStake(box, stake) for box, stake in bets.items())


def limits_on(address: str) -> LimitsAsked:
    """Make the limits of a small game, with a Differential if the document has one."""
    pairs = taisai.pay_table(address).limit_rules.differential_pairs
    return LimitsAsked(1_000, 100_000, 100, 50_000 if pairs else None)


def displayed(address: str, limits: LimitsAsked) -> LimitsAsked:
    """Add a Differential that never binds to limits, if the document displays one."""
    if limits.differential is not None or not has_differential(taisai.pay_table(address)):
        return limits
    return msgspec.structs.replace(limits, differential=limits.maximum)


def planned(address: str, maximum: int) -> str:
    """Make the line of a plan with such a Differential, if the document displays one."""
    differential = displayed(address, LimitsAsked(maximum, maximum)).differential
    return "" if differential is None else f"differential = {differential}\n"


def secret_chain(last: bytes = LAST, length: int = SECRETS) -> list[str]:
    """Compute a chain of secrets by its definition: the published end, then each round's."""
    chain = [last]
    while len(chain) <= length:
        chain.insert(0, hashlib.sha256(chain[0]).digest())
    return [link.hex() for link in chain]


class Table:
    """A table, its clock, and all its events so far."""

    def __init__(self, address: str = "ts6/2") -> None:
        self.address = address
        self.state = TableState()
        self.at = START
        self.orders = 0
        self.told: list[TableEvent] = []

    def copy(self) -> "Table":
        """Make a second table in the same state."""
        table = Table(self.address)
        table.state, table.at = copied(self.state), self.at
        table.orders, table.told = self.orders, list(self.told)
        return table

    @property
    def before_bets(self) -> bool:
        """Say whether the document has the tumble before the bets."""
        return taisai.rulebook(self.address[:-2]).content.procedure.tumble.order == "before-bets"

    def order(self, role: Role, command: AnyCommand, person: str | None = None) -> Order:
        """Make an order with an id of its own, a second after the last."""
        self.orders += 1
        self.at += 1_000
        return Order(f"order-{self.orders}", actor(role, person), command)

    def ask(
        self, role: Role, command: AnyCommand, person: str | None = None
    ) -> tuple[TableEvent, ...] | Refusal:
        """Decide an order, and assert that deciding changed nothing."""
        before = picture(self.state)
        order = self.order(role, command, person)
        decision = decide(self.state, order, self.at, self.past_for(order))
        assert picture(self.state) == before, "deciding changes nothing"
        return decision

    def past_for(self, order: Order) -> Past:
        """Read what an order needs from all events so far, as the runtime does [D24]."""
        lacking = wanted(self.state, order, NOTHING_READ)
        told, newest = self.told, len(self.told)
        return find_past(lambda each: told[each - 1], lacking.rounds, lacking.versions, newest)

    def does(
        self, role: Role, command: AnyCommand, person: str | None = None
    ) -> tuple[TableEvent, ...]:
        """Decide an order that must be accepted, and apply its events."""
        decision = self.ask(role, command, person)
        assert not isinstance(decision, Refusal), decision
        for event in decision:
            self.applies(event)
        return decision

    def applies(self, event: TableEvent) -> None:
        """Apply an event from elsewhere."""
        evolve(self.state, event)
        self.told.append(event)

    def refuses(
        self, role: Role, command: AnyCommand, person: str | None = None
    ) -> tuple[str, str | None]:
        """Decide an order that must be refused, and return the code and the clause."""
        decision = self.ask(role, command, person)
        assert isinstance(decision, Refusal), decision
        assert taisai.say(decision.reason)
        return decision.code, decision.clause

    def agrees(
        self, role: Role, command: AnyCommand, second: Role = "pit-manager"
    ) -> tuple[TableEvent, ...]:
        """Send an order, approve it by a second person, and apply its events."""
        events = self.does(role, command)
        assert isinstance(events[-1], ApprovalRequested), "it waits for a second person"
        return self.does(second, self.approval(), "vic")

    def approval(self) -> Approve:
        """Make the approval of the newest pending command."""
        short = self.state.pending
        waiting = [*self.state.lasting.values(), *([] if short is None else [short])]
        newest = max(waiting, key=lambda pending: pending.version)
        return Approve(newest.hash, newest.version)

    def declining(self, note: str = "the camera shows another thing") -> Decline:
        """Make the command by which a second person declines it, with a reason."""
        return Decline(self.approval().pending, note)

    # --- the way to any phase ---------------------------------------------------------------------

    def created(
        self, equipment: Equipment = KEYED, handpay_threshold: int | None = None
    ) -> "Table":
        """Create the table with two terminals."""
        self.does("system", CreateTable("T1", "SGD", equipment, handpay_threshold))
        for terminal in ("7", "8"):
            self.agrees("technician", EnrolTerminal(terminal, f"place {terminal}"))
        return self

    def adopts(self) -> "Table":
        """Adopt its rulebook."""
        key, _, number = self.address.partition("/")
        canonical = taisai.rulebook(key).canonical.decode()
        self.agrees("pit-manager", AdoptRulebook(canonical, int(number)), "supervisor")
        return self

    def adopted(self) -> "Table":
        """Adopt its rulebook and set its limits."""
        self.adopts()
        self.agrees("supervisor", SetLimits(limits_on(self.address)))
        return self

    def reopened_by(self, address: str) -> "Table":
        """Close the table after notice, and open it by another rulebook."""
        self.does("dealer", GiveNotice())
        self.does("supervisor", CloseTable())
        self.address = address
        self.adopted().prepared().does("supervisor", OpenTable())
        return self

    def prepared(self) -> "Table":
        """Do everything that the document requires before the table opens."""
        for act in acts_wanted(self.state):
            self.does("supervisor", act)
        return self

    def opened(self) -> "Table":
        """Register dice, do the opening acts, open the table, and receive credits."""
        self.does("supervisor", RegisterDice("D1", "S1"))
        self.prepared()
        self.does("supervisor", OpenTable())
        if self.state.equipment.tumbler == "verifiable":
            self.does("system", PublishChain(secret_chain()[0], SECRETS, SEALED))
        for number, terminal in enumerate(("7", "8"), start=1):
            self.does("system", ReceiveCredits(f"cage-T1-{number}", terminal, CREDITS))
        return self

    def betting(self, **bets: Mapping[str, int]) -> "Table":
        """Tumble if that comes first, open the bets, and place these by terminal: `t7=…`."""
        if self.before_bets:
            self.does("dealer", RecordTumble(3))
        self.does("dealer", OpenBets())
        for name, placed in bets.items():
            self.places(name[1:], placed)
        return self

    def places(self, terminal: str, bets: Mapping[str, int]) -> None:
        """Place bets as the terminal itself."""
        self.does("terminal", PlaceBets(terminal, stakes(bets)), terminal)

    def enrols(self, terminal: str) -> None:
        """Enrol one more terminal, with credits."""
        self.agrees("technician", EnrolTerminal(terminal, f"place {terminal}"))
        transit = f"cage-T1-{len(self.state.positions)}"
        self.does("system", ReceiveCredits(transit, terminal, CREDITS))

    def closed(self) -> "Table":
        """Close the bets, with the bell."""
        self.does("dealer", CloseBets(bell=True))
        return self

    def tumbled(self) -> "Table":
        """Tumble after the close, unless the document has it before."""
        if not self.before_bets:
            self.does("dealer", RecordTumble(3))
        return self

    def entered(self, *faces: int) -> "Table":
        """Enter the faces; lift a chip table's cover first, press the faces if there is an LED."""
        assert self.state.rulebook is not None
        if self.state.chips is not None and not self.state.uncovered:
            self.does("dealer", LiftCover())
        for face in faces if self.state.rulebook.content.procedure.entry.echo else ():
            self.does("dealer", PressFace(face))
        self.does("dealer", EnterResult(faces))
        return self

    def confirmed(self, *faces: int) -> "Table":
        """Close, tumble, enter and confirm."""
        self.closed().tumbled().entered(*faces)
        self.does("dealer", ConfirmResult())
        return self

    def settled(self, *faces: int) -> RoundSettled:
        """Close, tumble, enter, confirm and settle; at a chip table collect first."""
        self.confirmed(*faces)
        return self.paid()

    def paid(self) -> RoundSettled:
        """Settle a confirmed result; at a chip table first rule on bets that wait, and collect."""
        self.ruled()
        if self.state.chips is not None and payout_guide(self.state).collect:
            self.does("dealer", CollectLosers())
        settled = self.does("dealer", Settle())[0]
        assert isinstance(settled, RoundSettled)
        return settled

    def ruled(self) -> "Table":
        """Rule at a chip table that every bet that awaits a ruling stands."""
        for each in [] if self.state.chips is None else list(bets_to_rule(self.state)):
            stands = RuleOnBet(each.seat, each.box, "stands", "it lay there")
            self.agrees("shift-manager", stands, "supervisor")
        return self

    def reveals(self) -> tuple[TableEvent, ...]:
        """Reveal the secret of the ended round."""
        number = self.state.round
        return self.does("system", RevealSecret(number, secret_chain()[number]))

    # --- the resulting state ----------------------------------------------------------------------

    def seat(self, terminal: str = "7") -> Position:
        """Give a terminal's state."""
        return self.state.positions[terminal]

    def credits(self, terminal: str = "7") -> int:
        """Give a terminal's free credits."""
        return self.state.ledger.balance(credits_of(terminal))

    def live(self, terminal: str = "7") -> int:
        """Give a terminal's live stakes."""
        return self.state.ledger.balance(stakes_of(terminal))

    def balance(self, account: str) -> int:
        """Give the balance of an account."""
        return self.state.ledger.balance(account)


@cache
def _set_up(address: str, equipment: Equipment, handpay_threshold: int | None) -> Table:
    return Table(address).created(equipment, handpay_threshold).adopted()


def open_table(
    address: str = "ts6/2",
    limits: LimitsAsked | None = None,
    equipment: Equipment = KEYED,
    handpay_threshold: int | None = None,
) -> Table:
    """Open a table, ready for its first round; cached, since proving a rulebook takes long."""
    table = _set_up(address, equipment, handpay_threshold).copy()
    if limits is not None:
        table.agrees("supervisor", SetLimits(limits))
    return table.opened()


class Cage:
    """A cage, its clock, and all its events so far."""

    def __init__(self) -> None:
        self.state = CageState(KEY)
        self.at = START
        self.orders = 0
        self.last: Order | None = None
        self.told: list[CageEvent] = []

    def ask(
        self, role: Role, command: AnyCommand, person: str | None = None
    ) -> tuple[CageEvent, ...] | Refusal:
        """Decide an order, and assert that deciding changed nothing."""
        self.orders += 1
        self.at += 1_000
        self.last = Order(f"order-{self.orders}", actor(role, person), command)
        before = picture(self.state)
        decision = decide(self.state, self.last, self.at)
        assert picture(self.state) == before, "deciding changes nothing"
        return decision

    def does(
        self, role: Role, command: AnyCommand, person: str | None = None
    ) -> tuple[CageEvent, ...]:
        """Decide an order that must be accepted, and apply its events."""
        decision = self.ask(role, command, person)
        assert not isinstance(decision, Refusal), decision
        for event in decision:
            evolve(self.state, event)
        self.told.extend(decision)
        return decision

    def refuses(self, role: Role, command: AnyCommand, person: str | None = None) -> str:
        """Decide an order that must be refused, and give the code."""
        decision = self.ask(role, command, person)
        assert isinstance(decision, Refusal), decision
        assert taisai.say(decision.reason)
        return decision.code

    def approval(self) -> Approve:
        """Make the approval of the pending command."""
        assert self.state.pending is not None
        return Approve(self.state.pending.hash, self.state.pending.version)

    def balance(self, account: str) -> int:
        """Give the balance of an account."""
        return self.state.ledger.balance(account)

    def journal(self) -> bytes:
        """Encode all events applied to it."""
        return msgspec.json.encode(self.told)


def open_cage(approve_above: int | None = None, *, shift: bool = True) -> Cage:
    """Open a cage with a shift under way; above the threshold it asks for a second person."""
    cage = Cage()
    cage.does("system", OpenCage("SGD", 30, approve_above))
    if shift:
        cage.does("cage", OpenShift(0))
        cage.does("supervisor", cage.approval())
    return cage
