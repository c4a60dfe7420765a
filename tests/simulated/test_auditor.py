"""The auditor can fail: for acts by one person alone, or too late, or by the wrong one."""

import pytest

from taisai.core.cage.vouchers import PayVoucher, SellVoucher, VoidVoucher
from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved
from taisai.core.kernel.messages import Actor, Command, Posting
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn
from taisai.core.table.corrections import (
    CorrectSettledRound,
    Rule,
    RulingRecorded,
    VoidSettledRounds,
)
from taisai.core.table.interruption import DeclareOutcome
from taisai.core.table.irregularities import IrregularityReported, ReportIrregularity
from taisai.core.table.positions import (
    CashedOut,
    CreditsReceived,
    OwnLimitsSet,
    TerminalBarred,
    TerminalLost,
)
from taisai.core.table.round import (
    AmendResult,
    BetsClosed,
    BetsOpened,
    ResultEntered,
    RoundStarted,
)
from taisai.core.table.service import (
    SessionEndedByStaff,
    TerminalFailed,
    TerminalReturned,
    WinSetAside,
)
from taisai.core.table.setup import (
    AdoptRulebook,
    DeclareSafeProcedure,
    EnrolTerminal,
    LimitsSet,
    RulebookAdopted,
    SetLimits,
)
from taisai.rulebooks import KEYS
from taisai.runtime.auditor import AuditError
from tests.simulated.forging import (
    Place,
    audit,
    caught,
    edit,
    find,
    find_all,
    find_approved,
    forge,
)
from tests.simulated.recorded import Decided, recorded

TWO_PERSONS: list[type[Command]] = [
    *(EnrolTerminal, AdoptRulebook, SetLimits, AmendResult, DeclareOutcome),
    *(VoidSettledRounds, CorrectSettledRound, DeclareSafeProcedure, ReportIrregularity),
    *(Rule, SellVoucher, PayVoucher, VoidVoucher),
]


@pytest.mark.parametrize("kind", TWO_PERSONS)
def test_a_command_of_two_carried_out_by_one_is_caught(kind: type[Command]) -> None:
    caught(forge(find_approved(kind), []), "without a second person|without ground")


@pytest.mark.parametrize("kind", TWO_PERSONS)
def test_an_approval_that_comes_to_nothing_is_caught(kind: type[Command]) -> None:
    place = find_approved(kind)
    stream, events, at, role = place.decided
    world = list(place.world)
    world[place.position] = Decided(stream, events[: place.within + 1], at, role)
    caught(world, "was approved and not carried out")


def test_an_approval_of_ones_own_command_is_caught() -> None:
    place = find(CommandApproved)
    asked = next(
        event.order.actor
        for decided in reversed(place.world[: place.position])
        for event in decided.events
        if isinstance(event, ApprovalRequested) and event.pending == place.event.pending
    )
    forged = edit(place.event, by=Actor(asked.person, "shift-manager"))
    caught(forge(place, [forged]), "approved a command of their own")


def test_an_approval_by_nobody_is_caught() -> None:
    place = find(CommandApproved)
    forged = edit(place.event, by=Actor("host", "system"))
    caught(forge(place, [forged]), "a system is no second person")


def test_an_approval_after_a_minute_is_caught() -> None:
    place = find(CommandApproved)
    stream, events, at, role = place.decided
    world = list(place.world)
    world[place.position] = Decided(stream, events, at + 60_001, role)
    caught(world, "after more than a minute")


def test_a_bet_after_the_close_is_caught() -> None:
    bet = find(BetsRegistered)
    stream, earlier = bet.decided.stream, bet.event
    position = next(
        position
        for position, decided in enumerate(bet.world)
        if position > bet.position and decided.stream == stream
        if isinstance(decided.events[0], BetsClosed)
    )
    place, events = Place(bet.world, position, 0), bet.world[position].events
    late = forge(place, [*events, earlier])
    caught(late, "BetsRegistered while the table is shut")
    withdrawn = BetsWithdrawn(earlier.terminal, earlier.bets)
    caught(forge(place, [*events, withdrawn]), "BetsWithdrawn while the table is shut")


def test_a_bet_from_a_terminal_that_takes_none_is_caught() -> None:
    place = find(BetsRegistered, lambda event: event.on_behalf_by is None)
    terminal = place.event.terminal
    barred = TerminalBarred(terminal, "sue", "asked for it")
    caught(forge(place, [barred, place.event]), "which is barred or locked")
    clause = "5.2.1" if "etg8" in str(place.world[0]) else None
    lost = TerminalLost(terminal, clause)
    caught(forge(place, [lost, place.event]), "which is lost")


def after_failing(place: Place) -> list[Decided]:
    """Let staff take a terminal out of service just before something happens there."""
    stream, _, at, _ = place.decided
    clause = "5.2.1" if "etg8" in str(place.world[0]) else None
    failed = TerminalFailed(place.event.terminal, "sue", "the screen is dark", clause)
    before, after = place.world[: place.position], place.world[place.position :]
    return [*before, Decided(stream, (failed,), at, "supervisor"), *after]


def test_what_a_terminal_out_of_service_does_is_caught() -> None:
    bet = find(BetsRegistered, lambda event: event.on_behalf_by is None)
    caught(after_failing(bet), "a bet was taken at terminal .*, out of service")
    caught(after_failing(find(CreditsReceived)), "credits came to terminal .*, which is out of")
    own = next(each for each in find_all(CashedOut) if each.decided.role == "terminal")
    caught(after_failing(own), "cashed out by itself, out of service")


def test_only_the_pit_judges_terminals_and_ends_sessions() -> None:
    for kind, wrong in (
        (TerminalFailed, "a dealer judged whether terminal"),
        (TerminalReturned, "a dealer judged whether terminal"),
        (SessionEndedByStaff, "a dealer ended the session"),
        (WinSetAside, "a dealer set the win"),
    ):
        place = find(kind)
        world = list(place.world)
        world[place.position] = place.decided._replace(role="dealer")
        caught(world, wrong)


def test_a_bet_beyond_what_a_player_allowed_themself_is_caught() -> None:
    place = find(BetsRegistered)
    terminal = place.event.terminal
    caught(
        forge(place, [OwnLimitsSet(terminal, 1, None), place.event]),
        "more than its player set|loosened",
    )
    caught(
        forge(place, [OwnLimitsSet(terminal, None, 0), place.event]),
        "after the time its player set|loosened",
    )


def test_own_limits_that_are_loosened_are_caught() -> None:
    place = find(BetsRegistered)
    terminal = place.event.terminal
    tight, loose = OwnLimitsSet(terminal, 10**9, None), OwnLimitsSet(terminal, None, None)
    caught(forge(place, [tight, loose, place.event]), "loosened its own limits")


def test_a_bet_on_behalf_where_no_clause_provides_for_it_is_caught() -> None:
    world = recorded("etg8")
    index, decided = next(
        (index, decided)
        for index, decided in enumerate(world)
        if isinstance(decided.events[0], BetsRegistered)
    )
    place = Place(world, index, 0)
    forged = edit(decided.events[0], on_behalf_by="dora")
    caught(forge(place, [forged]), "on behalf of a player, which no clause provides for")


def test_a_void_of_the_dealer_alone_is_caught() -> None:
    """Once the dice were seen, the person who saw them may not void the round alone [D14]."""
    place = find(ResultEntered)
    report = IrregularityReported("bad-tumble", "void-round", "", "dora", "")
    for clause in ("5.5.1", "5.3.1", "7.1(b)"):
        forged = forge(place, [place.event, edit(report, clause=clause)])
        with pytest.raises(AuditError, match=r"voids the round by itself|was ruled void-round"):
            audit(forged)


def test_limits_and_rulebook_changed_during_a_round_are_caught() -> None:
    limits, rules = find(LimitsSet), find(RulebookAdopted)
    place = find(BetsOpened)
    caught(forge(place, [place.event, limits.event]), "LimitsSet while the table is betting")
    caught(forge(place, [place.event, rules.event]), "RulebookAdopted while the table is betting")


def test_a_round_begun_on_a_stopped_table_is_caught() -> None:
    place = find(RoundStarted, lambda event: event.round > 1)
    table = place.decided.stream
    auditor = audit(place.world[: place.position])
    auditor.table(table).stopped = True
    with pytest.raises(AuditError, match="a round begins while the table is stopped"):
        auditor.observe(*place.decided)


def test_a_ruling_that_touches_what_is_not_its_own_is_caught() -> None:
    place = find_approved(Rule)
    requested = next(
        (position, event)
        for position, decided in enumerate(place.world)
        for event in decided.events
        if isinstance(event, ApprovalRequested) and event.pending == place.event.pending
    )
    for account in ("cash:counter", "terminal:99", "stake:1"):
        postings = (Posting("house:bank", account, 5),)
        world = list(place.world)
        index, event = requested
        order = edit(event.order, command=edit(event.order.command, postings=postings))
        world[index] = world[index]._replace(events=(edit(event, order=order),))
        stream, events, at, role = place.decided
        ruled = [edit(each, postings=postings) for each in events if type(each) is RulingRecorded]
        world[place.position] = Decided(stream, (events[0], *ruled), at, role)
        caught(world, f"a ruling touched {account}")


def test_a_ledger_that_says_otherwise_is_caught() -> None:
    world = recorded("ts6")
    auditor = audit(world)
    (name, *_) = auditor.tables
    balances = dict(auditor.tables[name].books.pockets)
    auditor.compare(name, balances)
    with pytest.raises(AuditError, match="house:bank is"):
        auditor.compare(name, {**balances, "house:bank": balances["house:bank"] + 1})
    with pytest.raises(AuditError, match="the ledger has no house:bank"):
        auditor.compare(name, {key: balances[key] for key in balances if key != "house:bank"})
    auditor.tables[name].bets["1"] = {"small": 5}
    with pytest.raises(AuditError, match="the stakes of terminal 1 are not its bets, 5"):
        auditor.compare(name, balances)


def test_the_recorded_worlds_are_sound() -> None:
    for key in KEYS:
        auditor = audit(recorded(key))
        assert auditor.decisions > 1000
        assert auditor.transits.open_count() == 0
