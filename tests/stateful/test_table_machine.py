"""A table and the cage driven at random, by people who keep to the rules and people who do not.

After every step the books are added up a second way, and a model that reads what a box pays from
the documents' rows must agree with the table to the last cent. At the end the journal alone must
give the same state, and contain no live voucher number.
"""

import os

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from taisai.core.cage.state import CageState
from taisai.core.cage.vouchers import (
    PayVoucher,
    PrintVoucher,
    SellVoucher,
    TakeVoucher,
    VoidVoucher,
    VoucherIssued,
    VoucherTaken,
)
from taisai.core.kernel.approvals import Decline
from taisai.core.kernel.decider import evolve
from taisai.core.kernel.messages import BoxStake, Equipment, Posting, Role
from taisai.core.kernel.transits import CloseTransit
from taisai.core.rules.reason import Refusal
from taisai.core.streams import CageEvent, TableEvent
from taisai.core.table.betting import ClearBets, PlaceBets, WithdrawBets
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.interruption import DeclareOutcome, RecordInterruption
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.positions import (
    BarTerminal,
    CashOut,
    ClearLock,
    LiftBar,
    LoseTerminal,
    ReceiveCredits,
    RestoreTerminal,
    SetOwnLimits,
)
from taisai.core.table.round import (
    AmendResult,
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.service import SetWinAside
from taisai.core.table.setup import (
    CloseTable,
    EnrolTerminal,
    GiveNotice,
    OpenTable,
    Rectify,
    RegisterDice,
    SetLimits,
)
from taisai.core.table.state import Phase, pay_table_in_force
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.opening import acts_wanted
from tests.kit.people import PEOPLE
from tests.kit.tables import KEY, AnyCommand, Table, limits_on, open_cage, open_table, picture
from tests.table.books import assert_cage_books, assert_table_books
from tests.table.commands import EVERYTHING
from tests.table.model import Model

ADDRESSES = ("ts6/1", "ts6/2", "ts6/3", "tso5/2", "etg8/1", "etg8/2", "div9/1", "div9/2")
EQUIPMENT = (
    Equipment(),
    Equipment("simulated"),
    Equipment("reader", read_by_dealer_too=True),
)
ROLES: tuple[Role, ...] = tuple(PEOPLE)
#: Money arrives by the runtime's own orders, which carry real amounts; people cannot give them.
ANYTHING = [each for each in EVERYTHING if not isinstance(each, ReceiveCredits | PrintVoucher)]
TERMINALS = st.sampled_from(["7", "8", "9"])
FACES = st.tuples(*(st.integers(1, 6),) * 3)
STAKES = st.integers(1, 40).map(lambda steps: steps * 500)
SIDES = st.sampled_from(["small", "big", "odd", "even"])
PATIENT = st.sampled_from([True, True, True, False])
AGREED = st.sampled_from([True, True, False])
FOUND = st.sampled_from(["wrong, then damaged", "damaged", "wrong"])
CODES = st.sampled_from(
    [
        *("bad-tumble", "no-tumble", "die-not-flat", "dice-exposed", "tumbled-too-early"),
        *("malfunction", "lights-fail", "walked-away", "a cat on the layout"),
    ]
)


class TableAndCage(RuleBasedStateMachine):
    """One table and one cage, with money moved between them."""

    @initialize(address=st.sampled_from(ADDRESSES), equipment=st.sampled_from(EQUIPMENT))
    def open(self, address: str, equipment: Equipment) -> None:
        self.table = open_table(address, equipment=equipment, handpay_threshold=150_000)
        self.model = Model(address)
        for event in self.table.told:
            self.model.follow(event)
        self.boxes = st.sampled_from(sorted(pay_table_in_force(self.table.state).boxes))
        self.cage = open_cage(approve_above=60_000)
        self.numbers: list[str] = []
        self.taken: list[VoucherTaken] = []
        self.came_back: set[str] = set()

    def send(self, role: Role, command: AnyCommand, person: str | None = None) -> None:
        """Let the table decide, which changes nothing, and apply the events to table and model."""
        decision = self.table.ask(role, command, person)
        if isinstance(decision, Refusal):
            return
        for event in decision:
            self.table.applies(event)
            self.model.follow(event)

    def propose(self, role: Role, command: AnyCommand, agreed: bool) -> None:
        """Give a command that takes two persons, the second at hand or not."""
        self.send(role, command)
        if agreed and self.table.state.pending is not None:
            self.send("pit-manager", self.table.approval(), "vic")

    def send_to_cage(self, role: Role, command: AnyCommand, person: str | None = None) -> None:
        """Let the cage decide, and keep the numbers that a player would hold."""
        decision = self.cage.ask(role, command, person)
        if isinstance(decision, Refusal):
            return
        for event in decision:
            evolve(self.cage.state, event)
            self.cage.told.append(event)
            if isinstance(event, VoucherTaken):
                self.taken.append(event)
        for number in self.cage.state.by_number:
            if number not in self.numbers:
                self.numbers.append(number)

    # --- players ----------------------------------------------------------------------------------

    def waits_for_the_call(self) -> None:
        """Call for bets, unless something prevents it."""
        for _ in range(8):
            if self.table.state.phase is not Phase.BETTING:
                self.goes_on((1, 2, 3))

    @rule(data=st.data(), terminal=TERMINALS, count=st.integers(1, 4), patient=PATIENT)
    def bets(self, data: st.DataObject, terminal: str, count: int, patient: bool) -> None:
        if patient:
            self.waits_for_the_call()
        bets = tuple(BoxStake(data.draw(self.boxes), data.draw(STAKES)) for _ in range(count))
        self.send("terminal", PlaceBets(terminal, bets), terminal)

    @rule(side=SIDES, stake=STAKES, terminal=TERMINALS, patient=PATIENT)
    def plays_the_sides(self, side: str, stake: int, terminal: str, patient: bool) -> None:
        if patient:
            self.waits_for_the_call()
        self.send("terminal", PlaceBets(terminal, (BoxStake(side, stake),)), terminal)

    @rule(sides=st.permutations(["small", "big"]), stakes=st.tuples(STAKES, STAKES, STAKES))
    def leaves_the_other_side_alone(self, sides: list[str], stakes: tuple[int, int, int]) -> None:
        """Bet against each other up to the Differential; then one of the two leaves."""
        self.waits_for_the_call()
        one, other = sides
        first, second, third = stakes
        self.send("terminal", PlaceBets("8", (BoxStake(other, 40_000 + third),)), "8")
        self.send("terminal", PlaceBets("7", (BoxStake(one, 40_000 + first),)), "7")
        self.send("terminal", PlaceBets("7", (BoxStake(one, second),)), "7")
        self.send("terminal", ClearBets("8"), "8")

    @rule(data=st.data(), terminal=TERMINALS)
    def takes_back(self, data: st.DataObject, terminal: str) -> None:
        lying = [box for owner, box in self.model.bets if owner == terminal]
        box = data.draw(st.sampled_from(lying) if lying else self.boxes)
        bets = (BoxStake(box, data.draw(STAKES)),)
        self.send("terminal", WithdrawBets(terminal, bets), terminal)

    @rule(terminal=TERMINALS)
    def clears(self, terminal: str) -> None:
        self.send("terminal", ClearBets(terminal), terminal)

    @rule(terminal=TERMINALS, loss=st.none() | STAKES, seconds=st.none() | st.integers(0, 900))
    def binds_themself(self, terminal: str, loss: int | None, seconds: int | None) -> None:
        self.send("terminal", SetOwnLimits(terminal, loss, seconds), terminal)

    # --- money between table and cage -------------------------------------------------------------

    @rule(value=st.integers(2, 400).map(lambda steps: steps * 500), terminal=TERMINALS)
    def buys_in(self, value: int, terminal: str) -> None:
        """Buy a voucher, take it at a terminal, and let the money arrive."""
        self.send_to_cage("cage", SellVoucher(value, "counter"))
        if self.cage.state.pending is not None:
            self.send_to_cage("cage", self.cage.approval(), "eve")
        if self.numbers:
            command = TakeVoucher(self.numbers[-1], "T1", terminal)
            self.send_to_cage("terminal", command, terminal)
        for taken in self.taken:
            self.sends_credits(taken)

    def sends_credits(self, taken: VoucherTaken) -> None:
        """Send credits taken at a terminal to the table, repeatedly unless they came back."""
        if taken.transit not in self.came_back:
            self.send("system", ReceiveCredits(taken.transit, taken.terminal, taken.value))

    @rule(stake=STAKES, stays=st.sampled_from(["7", "8", ""]), found=FOUND)
    def plays_a_round_that_is_put_right(self, stake: int, stays: str, found: str) -> None:
        """Let 7 win and 8 lose a round that is corrected.

        One stays with everything at stake; or both leave, and another player comes to 8.
        """
        for terminal in ("7", "8"):
            self.buys_in(stake, terminal)
        self.waits_for_the_call()
        number = self.table.state.round
        for terminal, box in (("7", "small"), ("8", "big")):
            self.send("terminal", PlaceBets(terminal, (BoxStake(box, stake),)), terminal)
        self.plays_a_round((1, 2, 4))
        self.waits_for_the_call()
        self.send("terminal", PlaceBets(stays, (BoxStake("odd", stake),)), stays)
        for terminal in ("7", "8"):
            self.send("terminal", CashOut(terminal), terminal)
        if not stays:
            self.buys_in(stake, "8")
        if "wrong" in found:
            correction = CorrectSettledRound(number, (5, 6, 6), "misread")
            self.propose("supervisor", correction, agreed=True)
        if "damaged" in found:
            self.propose("supervisor", VoidSettledRounds(number, "chipped"), agreed=True)

    @rule(terminal=TERMINALS)
    def cashes_out(self, terminal: str) -> None:
        self.send("terminal", CashOut(terminal), terminal)

    @rule()
    def prints_what_was_cashed_out(self) -> None:
        for transit, sent in list(self.table.state.transits_open.items()):
            printed = PrintVoucher(transit, sent.table, sent.terminal, sent.amount)
            self.send_to_cage("system", printed)

    @rule()
    def brings_back_what_no_terminal_took(self) -> None:
        for transit, sent in list(self.cage.state.transits_open.items()):
            if sent.terminal not in self.table.state.positions:
                printed = PrintVoucher(transit, sent.table, sent.terminal, sent.amount)
                self.send_to_cage("system", printed)
                # A transit that is open nowhere is not sent, though its terminal be enrolled later.
                assert transit not in self.cage.state.transits_open
                self.came_back.add(transit)

    @rule()
    def closes_transits(self) -> None:
        for transit in list(self.table.state.transits_open):
            if transit in self.cage.state.transits_received:
                self.send("system", CloseTransit(transit))
        for transit in list(self.cage.state.transits_open):
            if transit in self.table.state.transits_received:
                self.send_to_cage("system", CloseTransit(transit))

    @rule(value=st.integers(0, 200).map(lambda steps: steps * 500))
    def sells(self, value: int) -> None:
        self.send_to_cage("cage", SellVoucher(value, "counter"))

    @precondition(lambda self: self.numbers)
    @rule(data=st.data(), terminal=TERMINALS)
    def takes_a_voucher(self, data: st.DataObject, terminal: str) -> None:
        number = data.draw(st.sampled_from(self.numbers))
        self.send_to_cage("terminal", TakeVoucher(number, "T1", terminal), terminal)

    @precondition(lambda self: self.taken)
    @rule(data=st.data())
    def receives(self, data: st.DataObject) -> None:
        self.sends_credits(data.draw(st.sampled_from(self.taken)))

    @precondition(lambda self: self.numbers)
    @rule(data=st.data())
    def pays_a_voucher(self, data: st.DataObject) -> None:
        self.send_to_cage("cage", PayVoucher(data.draw(st.sampled_from(self.numbers))))

    @precondition(lambda self: self.numbers)
    @rule(data=st.data())
    def voids_a_voucher(self, data: st.DataObject) -> None:
        self.send_to_cage("cage", VoidVoucher(data.draw(st.sampled_from(self.numbers)), "wrong"))

    @precondition(lambda self: self.cage.state.pending is not None)
    @rule(agrees=st.booleans(), person=st.sampled_from(["cat", "eve"]))
    def seconds_the_cage(self, agrees: bool, person: str) -> None:
        approval = self.cage.approval()
        answer = approval if agrees else Decline(approval.pending)
        self.send_to_cage("cage", answer, person)

    # --- the round --------------------------------------------------------------------------------

    @rule(faces=FACES)
    def goes_on(self, faces: tuple[int, ...]) -> None:
        """Take the next step of the round."""
        state = self.table.state
        tumbles_now = state.phase is Phase.NO_MORE_BETS or self.table.before_bets
        match state.phase:
            case Phase.CLOSED:
                self.reopens()
            case Phase.READY | Phase.TUMBLED | Phase.NO_MORE_BETS if (
                tumbles_now and not state.tumbled
            ):
                self.send("dealer", RecordTumble(3))
            case Phase.READY | Phase.TUMBLED:
                self.send("dealer", OpenBets())
            case Phase.BETTING:
                self.send("dealer", CloseBets(bell=True))
            case Phase.NO_MORE_BETS:
                self.send("device", EnterResult(faces))
                self.send("dealer", EnterResult(faces))
            case Phase.RESULT:
                self.send("dealer", ConfirmResult())
            case _:
                self.send("dealer", Settle())

    def reopens(self) -> None:
        for act in acts_wanted(self.table.state):
            self.send("supervisor", act)
        self.send("supervisor", OpenTable())

    @rule(faces=FACES)
    def plays_a_round(self, faces: tuple[int, ...]) -> None:
        """Take the next steps until the round is over, so that rounds are played at all."""
        for _ in range(6):
            self.goes_on(faces)

    @rule(times=st.integers(0, 4), flat=st.booleans(), concealed=st.booleans())
    def tumbles(self, times: int, flat: bool, concealed: bool) -> None:
        self.send("dealer", RecordTumble(times, flat, concealed))

    @rule(role=st.sampled_from(["dealer", "device"]), faces=FACES)
    def misreads(self, role: Role, faces: tuple[int, ...]) -> None:
        self.send(role, EnterResult(faces))

    @rule(faces=FACES, agreed=AGREED)
    def amends(self, faces: tuple[int, ...], agreed: bool) -> None:
        self.propose("dealer", AmendResult(faces), agreed)

    # --- what goes wrong, and two persons ---------------------------------------------------------

    @rule(code=CODES, agreed=AGREED)
    def reports(self, code: str, agreed: bool) -> None:
        self.propose("dealer", ReportIrregularity(code), agreed)

    @rule(role=st.sampled_from(["system", "supervisor"]))
    def is_interrupted(self, role: Role) -> None:
        self.send(role, RecordInterruption("power"))

    @rule(faces=st.none() | FACES, agreed=AGREED)
    def declares(self, faces: tuple[int, ...] | None, agreed: bool) -> None:
        self.propose("supervisor", DeclareOutcome(faces), agreed)

    @rule(back=st.integers(0, 3), agreed=AGREED)
    def finds_dice_damaged(self, back: int, agreed: bool) -> None:
        number = self.table.state.round - back
        self.propose("supervisor", VoidSettledRounds(number, "chipped"), agreed)

    @rule(back=st.integers(0, 3), faces=FACES, agreed=AGREED)
    def finds_a_result_wrong(self, back: int, faces: tuple[int, ...], agreed: bool) -> None:
        number = self.table.state.round - back
        self.propose("supervisor", CorrectSettledRound(number, faces, "misread"), agreed)

    @rule(
        source=st.sampled_from(["house:bank", "house:void-shortfall", "terminal:7", "terminal:8"]),
        destination=st.sampled_from(["house:bank", "terminal:7", "terminal:8", "stake:7"]),
        amount=STAKES,
        voids=st.booleans(),
    )
    def makes_a_ruling(self, source: str, destination: str, amount: int, voids: bool) -> None:
        postings = (Posting(source, destination, amount),)
        ruling = Rule("goodwill", postings, voids_round=voids)
        self.propose("shift-manager", ruling, agreed=not voids)

    @precondition(lambda self: self.table.state.pending is not None)
    @rule(
        role=st.sampled_from(["pit-manager", "supervisor", "dealer"]),
        person=st.sampled_from(["vic", "sue"]),
        agrees=st.sampled_from([True, True, True, False]),
    )
    def seconds(self, role: Role, person: str, agrees: bool) -> None:
        approval = self.table.approval()
        self.send(role, approval if agrees else Decline(approval.pending), person)

    @rule()
    def mends(self) -> None:
        self.send("technician", Rectify("a new lamp"))

    @rule(terminal=TERMINALS, which=st.integers(0, 5))
    def attends_a_terminal(self, terminal: str, which: int) -> None:
        commands: list[tuple[Role, AnyCommand]] = [
            ("supervisor", BarTerminal(terminal, "asked for it")),
            ("pit-manager", LiftBar(terminal, "over")),
            ("dealer", ClearLock(terminal)),
            ("cage", SetWinAside(terminal)),
            ("system", LoseTerminal(terminal)),
            ("system", RestoreTerminal(terminal)),
        ]
        self.send(*commands[which])

    @rule(which=st.integers(0, 4), number=st.integers(1, 9))
    def changes_the_table(self, which: int, number: int) -> None:
        commands: list[tuple[Role, AnyCommand]] = [
            ("dealer", GiveNotice()),
            ("supervisor", CloseTable()),
            ("supervisor", RegisterDice(f"D{number}", "S")),
            ("supervisor", SetLimits(limits_on(self.table.address))),
            ("technician", EnrolTerminal("9", "place 9")),
        ]
        self.propose(*commands[which], agreed=number > 3)

    @rule(seconds=st.integers(1, 120))
    def waits(self, seconds: int) -> None:
        self.table.at += seconds * 1_000
        self.cage.at = self.table.at

    # --- any command at all -----------------------------------------------------------------------

    @rule(command=st.sampled_from(ANYTHING), role=st.sampled_from(ROLES))
    def asks_anything(self, command: AnyCommand, role: Role) -> None:
        self.send(role, command)
        self.send_to_cage(role, command)

    # --- invariants -------------------------------------------------------------------------------

    @invariant()
    def books_agree(self) -> None:
        assert_table_books(self.table.state)
        assert_cage_books(self.cage.state)
        self.model.assert_agrees(self.table.state)

    @invariant()
    def money_between_the_books_is_on_its_way(self) -> None:
        sent = {taken.transit: taken.value for taken in self.taken} | dict(self.model.left)
        printed = [
            event.value
            for event in self.cage.told
            if isinstance(event, VoucherIssued) and event.transit is not None
        ]
        # Added up apart: a transit of the first credits may have the name of one from the cage.
        arrived = sum(self.model.arrived.values()) + sum(printed)
        between = self.table.state.ledger.total("transit:")
        between += self.cage.state.ledger.total("transit:")
        assert between == sum(sent.values()) - arrived

    def teardown(self) -> None:
        written = msgspec.json.encode(self.table.told)
        again = Table(self.table.address)
        for event in msgspec.json.decode(written, type=list[TableEvent]):
            again.applies(event)
        assert picture(again.state) == picture(self.table.state), "a journal alone replays"
        journal = self.cage.journal()
        twin = CageState(KEY)
        for told in msgspec.json.decode(journal, type=list[CageEvent]):
            evolve(twin, told)
        assert picture(twin) == picture(self.cage.state), "a journal alone replays"
        for number in self.numbers:
            assert number.encode() not in journal + written, "no live number is written down"


#: `make soak` plays many more.
EXAMPLES = int(os.environ.get("TAISAI_STATEFUL_EXAMPLES", "80"))
TestTableAndCage = TableAndCage.TestCase
TestTableAndCage.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
