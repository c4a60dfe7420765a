"""Plays a scenario: sets the table up, asks row by row, and compares with what is expected.

A scenario reads like a rule book with figures in it:

    scenario: a Bet under the minimum is refused [5.2]
    irregularity: below-minimum
    table: ts6/2  limits min=10.00 max=1000.00 differential=500.00  tumbler keyed
    credits: 7=100.00

    who                     does                expected
    dealer                  open bets           ok  "Place your Bets, please"
    7                       bet small 5.00      refused BELOW_MINIMUM 5.2
    supervisor              void rounds from 1  refused NOTE_MISSING 5.6
    end: 7=100.00

Terminals are numbers, people are roles, if need be with a name (`dealer Ann`); `supervisor+dealer`
asks and has the second person agree at once. What can be done stands in `phrases`, what can be
expected in `expecting`. At the end every account that is not named holds nothing, and the drawer
what the credits cost.

A scenario with `chips:` is played at a chip table, whose `rack:` was filled from the cage and whose
`seats:` bought chips for cash; its phrases are in `chip_table_phrases`, its facts in
`chip_table_facts`.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from taisai.core.cage.drawer import OpenShift
from taisai.core.cage.fills import FillSent
from taisai.core.cage.vouchers import OpenCage
from taisai.core.kernel.messages import Actor
from taisai.core.rules.reason import Refusal
from taisai.core.streams import TableEvent
from taisai.core.table.chips.gaming_day import OpenDay
from taisai.core.table.chips.pieces import plain_chips
from taisai.core.table.provably_fair import PublishChain
from taisai.core.table.setup import (
    CreateTable,
    EnrolTerminal,
    OpenTable,
    RegisterDice,
    SetLimits,
    TableCreated,
)
from taisai.core.table.state import every_meter
from taisai.core.venue.setup import OpenVenue
from taisai.runtime.opening import acts_wanted
from tests.kit.tables import SEALED, SECRETS, secret_chain
from tests.scenarios.chip_table_facts import chips_written
from tests.scenarios.expecting import faults, status_of
from tests.scenarios.phrases import Asked, asked, speakers, wait_of
from tests.scenarios.reading import Row, Scenario, ScenarioError, UnreadableError, read_scenarios
from tests.scenarios.venue import Answer, Venue, clock_forward, replayed, unchanged, written

HERE = Path(__file__).parent
TABLE = "T1"
CURRENCY = "SGD"
SECOND = Actor("second", "supervisor")

_SYSTEM = Actor("system", "system")
_TECHNICIAN = Actor("technician", "technician")
_SUPERVISOR = Actor("supervisor", "supervisor")
_CASHIER = Actor("cage", "cage")
_PIT_MANAGER = Actor("pit-manager", "pit-manager")


def all_scenarios() -> list[Scenario]:
    """Read all scenarios, in the order of the files' names."""
    files = sorted(HERE.glob("*_*.txt"))
    return [
        each
        for path in files
        for each in read_scenarios(path, path.relative_to(HERE.parent.parent))
    ]


def play(scenario: Scenario) -> Venue:
    """Play a scenario to its end; a difference is an error with its place."""
    venue = set_up(scenario)
    begun = len(venue.table_journal)
    for row in scenario.rows:
        try:
            wrong = list(_play_row(venue, row))
        except UnreadableError as error:
            wrong = [str(error)]
        except AssertionError as error:
            raise ScenarioError(scenario.path, row.line, f"{row.does}: {error!r}") from error
        if wrong:
            raise ScenarioError(scenario.path, row.line, f"{row.does}: {'; '.join(wrong)}")
    for line, fault in _end_faults(scenario, venue, begun):
        raise ScenarioError(scenario.path, line, fault)
    return venue


# --- rows ----------------------------------------------------------------------------------------


def _play_row(venue: Venue, row: Row) -> Iterator[str]:
    clock_forward(venue)
    if row.who == "clock":
        clock_forward(venue, wait_of(row.does).milliseconds)
        if row.expected != "ok":
            yield "time passes, and nothing else can be expected of it"
        return
    same = unchanged(venue)
    answer = _answer(venue, row)
    yield from faults(row.expected, answer, venue)
    if isinstance(answer, Refusal) and not same():
        yield "what was refused left its mark"


def _answer(venue: Venue, row: Row) -> Answer:
    """Give all commands of a row, up to a refusal; a second person approves at once."""
    first, *others = speakers(row.who)
    answer: Answer = ()
    for what in asked(row.does, first, venue):
        answer = _ask(venue, first, what)
        if isinstance(answer, Refusal):
            return answer
        for second in others:
            if status_of(answer) != "waits":
                raise UnreadableError(f"nothing waits for {second.role}")
            answer = _approve(venue, second, what)
    return answer


def _approve(venue: Venue, actor: Actor, what: Asked) -> Answer:
    """Have a second person approve a pending command."""
    where = " at the cage" if what.at_cage else " in the house" if what.in_house else ""
    voucher = f", voucher {what.voucher}" if what.voucher else ""
    (approval,) = asked(f"approve{where}{voucher}", actor, venue)
    return _ask(venue, actor, approval)


def _ask(venue: Venue, actor: Actor, what: Asked) -> Answer:
    if what.at_cage:
        return venue.ask_cage(actor, what.command, what.voucher)
    if what.in_house:
        return venue.ask_house(actor, what.command)
    return venue.ask_table(actor, what.command)


# --- before the first row ------------------------------------------------------------------------


def set_up(scenario: Scenario) -> Venue:
    """Make a venue by the scenario's first lines: table, terminals, credits from the cage."""
    line = scenario.table
    venue = Venue()
    table = (TABLE, CURRENCY, line.equipment, line.handpay_threshold, line.chips)
    venue.ask_table(_SYSTEM, CreateTable(*table, line.operator))
    venue.ask_house(_SYSTEM, OpenVenue("the house", CURRENCY))
    if line.begins != "bare":
        venue.begin_with(_adopted(line.key, line.number))
    for actor, what in _preparations(venue, scenario):
        _prepare(venue, scenario, actor, what)
    for terminal, amount in scenario.credits.items():
        for who, does in _buying_in(terminal, amount):
            (actor,) = speakers(who)
            (what,) = asked(does, actor, venue)
            _prepare(venue, scenario, actor, what)
    for who, does in _seated(scenario):
        (actor,) = speakers(who)
        (what,) = asked(does, actor, venue)
        _prepare(venue, scenario, actor, what)
    venue.fills_before = len([each for each in venue.cage_journal if isinstance(each, FillSent)])
    venue.vouchers.clear()
    venue.waited.clear()
    return venue


def _prepare(venue: Venue, scenario: Scenario, actor: Actor, what: Asked) -> None:
    answer = _ask(venue, actor, what)
    if status_of(answer) == "waits":
        answer = _approve(venue, SECOND, what)
    if status_of(answer) != "ok":
        message = f"it cannot begin: {type(what.command).__name__} is {status_of(answer)}"
        raise ScenarioError(scenario.path, scenario.line, message)


def _preparations(venue: Venue, scenario: Scenario) -> Iterator[tuple[Actor, Asked]]:
    line, cage = scenario.table, scenario.cage
    yield _SYSTEM, Asked(OpenCage(CURRENCY, cage.voucher_days, cage.approve_above), at_cage=True)
    yield _CASHIER, Asked(OpenShift(0), at_cage=True)
    for terminal in scenario.credits:
        yield _TECHNICIAN, Asked(EnrolTerminal(terminal, f"seat {terminal}"))
    if line.limits is not None:
        yield _SUPERVISOR, Asked(SetLimits(line.limits))
    if line.begins == "open":
        if line.chips is not None:
            yield _SUPERVISOR, Asked(OpenDay("2026-11-16", ()))
        yield _SUPERVISOR, Asked(RegisterDice("D1", "S1"))
        for act in acts_wanted(venue.table):
            yield _SUPERVISOR, Asked(act)
        yield _SUPERVISOR, Asked(OpenTable())
    if line.equipment.tumbler == "verifiable":
        yield _SYSTEM, Asked(PublishChain(secret_chain()[0], SECRETS, SEALED))


def _buying_in(terminal: str, amount: int) -> Iterator[tuple[str, str]]:
    """Sell a voucher at the counter, take it at the terminal, and deliver the credits."""
    if amount:
        yield "cage", f"sell voucher A for {amount // 100}.{amount % 100:02d}"
        yield terminal, "insert voucher A"
        yield "system", f"credit {terminal} from voucher A"
        yield "system", "close the cage's transit of voucher A"


def _seated(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Fill the rack of a chip table, and let players sit down and buy chips for cash."""
    if scenario.rack:
        yield "cage", f"send fill of {chips_written(scenario.rack)}"
        yield "dealer", "receive fill A"
        yield "system", "close the transit of fill A"
    values = scenario.table.chips.values if scenario.table.chips else ()
    for seat, amount in scenario.seats.items():
        yield "dealer", f"seat {seat}"
        if amount:
            chips = chips_written(plain_chips(amount, values))
            cash = f"{amount // 100}.{amount % 100:02d}"
            yield "dealer", f"sell {seat} {chips} for {cash} cash"


@cache
def _adopted(key: str, number: int) -> tuple[TableEvent, ...]:
    """Adopt a rulebook at a new table, proved once for all scenarios that begin like this."""
    venue = Venue()
    venue.ask_table(_SYSTEM, CreateTable(TABLE, CURRENCY))
    (adopt,) = asked(f"adopt {key}/{number}", _PIT_MANAGER, venue)
    assert status_of(_ask(venue, _PIT_MANAGER, adopt)) == "waits"
    assert status_of(_approve(venue, SECOND, adopt)) == "ok"
    created, *adopted = venue.table_journal
    assert isinstance(created, TableCreated), "a table is created first"
    return tuple(adopted)


# --- after the last row --------------------------------------------------------------------------


def _end_faults(scenario: Scenario, venue: Venue, begun: int) -> Iterator[tuple[int, str]]:
    """Compare the end: balances, the journal, the meters, and a replay of everything."""
    expected = dict.fromkeys(venue.balances(), 0) | dict(scenario.end)
    bought = sum(scenario.credits.values())
    expected["cash"] = scenario.end.get("cash", bought)
    apart = {
        name: f"{expected[name]} expected, {venue.balances().get(name)} found, in cents"
        for name in expected
        if expected[name] != venue.balances().get(name)
    }
    if apart:
        yield scenario.end_line, f"at the end {apart}"
    kinds = [type(event).__name__ for event in venue.table_journal[begun:]]
    if scenario.journal is not None and kinds != list(scenario.journal):
        yield scenario.journal_line, f"the journal says {', '.join(kinds)}"
    for meter in scenario.meters:
        for field, amount in meter.amounts.items():
            found = getattr(every_meter(venue.table).get(meter.name), field, None)
            if found != amount:
                yield meter.line, f"{meter.name} {field} is {found} cents, not {amount}"
    for name in venue.vouchers:
        if venue.number_of(name) in written(venue):
            yield scenario.line, f"a journal holds the number of voucher {name}"
    if replayed(venue) != (venue.table, venue.cage, venue.house):
        yield scenario.line, "the journals played again do not come to the same"
