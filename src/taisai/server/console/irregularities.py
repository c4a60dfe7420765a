"""Irregularities as a short guided list: what each would lead to now, before it is reported."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved
from taisai.core.kernel.messages import Decision, Event, Instant, Role
from taisai.core.rules.dice import Faces
from taisai.core.rules.reason import Reason, Refusal, because, refuse
from taisai.core.rules.schema import IrregularityContent
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    Rule,
    VoidSettledRounds,
)
from taisai.core.table.damage import DAMAGED, FindUndamaged, ReportDamage
from taisai.core.table.interruption import RecordInterruption
from taisai.core.table.irregularities import IrregularityReported, ReportIrregularity
from taisai.core.table.past import NOTHING_READ, Past, Wanted, wanted
from taisai.core.table.round import AmendResult, BetsClosed, ResultAmended
from taisai.core.table.setup import TableStopped
from taisai.core.table.state import TableState, ground_of, in_force, ruling_on
from taisai.projections.filling import write_dice
from taisai.projections.sentences import sentences_of
from taisai.protocol.client_messages import WireCommand
from taisai.server.console.dry_run import (
    Tried,
    agreed,
    ask,
    order_of,
    other_than,
    people_for,
    request_in,
    seconds_of,
    takes_second,
    with_no_lines,
    with_nothing_on_it,
)
from taisai.server.console.guide import last_settled
from taisai.wording import name, say

#: What each ruling means for the people at the table.
_RULINGS = {
    "advise-then-stands": "RULING_ADVISE",
    "amend-before-settlement": "RULING_AMEND",
    "conclude": "RULING_CONCLUDE",
    "dice-prevail": "RULING_DICE_PREVAIL",
    "no-effect-on-later-rounds": "RULING_NO_EFFECT",
    "operator-may-correct": "RULING_MAY_CORRECT",
    "operator-may-pay": "RULING_MAY_PAY",
    "player-answers": "RULING_PLAYER_ANSWERS",
    "refuse": "RULING_REFUSE",
    "reject-then-pro-rata": "RULING_REJECT",
    "return-bets": "RULING_RETURN",
    "settle": "RULING_SETTLE",
    "shift-manager-rules": "RULING_SHIFT_MANAGER",
    "stop-until-rectified": "RULING_STOP",
}


class Consequence(Struct, frozen=True):
    """Something that would happen, in a sentence, and the clause or decision behind it."""

    sentence: str
    clause: str | None = None


class OnTable(NamedTuple):
    """The bets on a table: how many, each terminal's on each box, and how much in all."""

    bets: int
    amount: int


def bets_on(state: TableState) -> OnTable:
    """Count the bets on a table; a void round gives back all of them."""
    bets = sum(len(seat.bets) for seat in state.positions.values())
    return OnTable(bets, sum(state.box_totals.values()))


class Preview:
    """Words the events that would happen at a table, in a language.

    `named` says whether a person named the dice of a correction; otherwise they are a guess.
    """

    def __init__(self, state: TableState, on_table: OnTable, language: str, *, named: bool) -> None:
        self._on_table = on_table
        self._language = language
        self._named = named
        rulebook = state.rulebook
        self._void_clause = (
            None if rulebook is None else rulebook.content.procedure.settlement.void_clause
        )

    def tell(self, events: tuple[Event, ...]) -> list[Consequence]:
        """Word what would happen, in order."""
        return [
            Consequence(say(reason, self._language), clause)
            for event in events
            for reason, clause in self._reasons(event)
        ]

    def _reasons(self, event: Event) -> Iterator[tuple[Reason, str | None]]:
        match event:
            case IrregularityReported(in_doubt=True):
                yield because("WILL_DOUBT"), event.clause
            case IrregularityReported(ruling=ruling):
                if ruling in _RULINGS:
                    yield because(_RULINGS[ruling]), event.clause
            case ApprovalRequested():
                yield because("WILL_BE_FOUND" if event.expires is None else "WILL_WAIT"), None
            case CommandApproved() | BetsClosed():
                pass
            case RoundVoided():
                yield because("WILL_VOID", round=event.round), event.clause
                yield self._returned(), self._void_clause
            case TableStopped():
                yield because("WILL_STOP"), event.clause
            case ResultAmended() if not self._named:
                yield because("WILL_AMEND", before=write_dice(event.before)), event.clause
            case RoundResettled() if not self._named:
                yield because("WILL_RESETTLE", round=event.round), event.clause
            case _:
                clause = getattr(event, "clause", None)
                yield from ((reason, clause) for reason in sentences_of(event))

    def _returned(self) -> Reason:
        if not self._on_table.bets:
            return because("WILL_RETURN_NOTHING")
        return because(
            "WILL_RETURN", bets=self._on_table.bets, returned_cents=self._on_table.amount
        )


#: Two codes of the documents for one command: the table finds out which it is.
_INTERRUPTIONS = ("interrupted-with-outcome", "interrupted-without-outcome")
INTERRUPTION, RULING = "interruption", "ruling"
REVERSAL, UNDAMAGED = "reversal", "dice-undamaged"
#: The venue records these by itself, and no person can.
_NOTED = ("terminal-lost-registered", "terminal-lost-unregistered")


class Particulars(NamedTuple):
    """The fields that a person has filled in; a missing round is the newest."""

    first: int | None = None
    round: int | None = None
    faces: Faces | None = None
    voids_round: bool = False


class IrregularityView(Struct, frozen=True):
    """An irregularity: the command that reports it, and what would happen if it were given now."""

    code: str
    name: str
    clause: str | None
    #: The command to give once `fields` are filled in, and `optional` ones if wanted; null where
    #: the venue notes it by itself.
    command: WireCommand | None
    fields: tuple[str, ...]
    optional: tuple[str, ...]
    #: The roles that may give the command.
    may: tuple[str, ...]
    standing: Literal["open", "refused"]
    #: Why it is refused now, and by which clause.
    sentence: str | None
    refusal_clause: str | None
    #: Whether it waits for a second person, and which roles that person may have.
    second: bool
    seconds: tuple[str, ...]
    #: What happens at once.
    will: list[Consequence]
    #: What happens once the second person agrees.
    agreed: list[Consequence]
    #: Whether the round under way is void by it, now or once a second person agrees.
    voids: bool
    #: How many bets go back by that, and how much in all.
    bets: int
    returned: int
    #: Whether the table stops.
    stops: bool


class _Report(NamedTuple):
    """An irregularity with its command, and the complete command that is tried in its place."""

    code: str
    clause: str | None
    command: WireCommand | None
    tried: Tried
    fields: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


class _Asker(NamedTuple):
    """The role that asks, in which language and when, and the preview that words the answer."""

    role: Role
    language: str
    at: Instant
    preview: Preview
    on_table: OnTable
    past: Past


def irregularities_for(  # noqa: PLR0913, PLR0917 - who asks, of what, and what is known
    state: TableState,
    role: Role,
    language: str,
    at: Instant,
    given: Particulars,
    code: str | None = None,
    past: Past = NOTHING_READ,
) -> list[IrregularityView]:
    """Show a role what each irregularity would lead to now; nothing is carried out.

    `past` has the rounds concerned, read as `needed_for` says.
    """
    light = with_nothing_on_it(state)
    on_table = bets_on(state)
    preview = Preview(state, on_table, language, named=given.faces is not None)
    who = _Asker(role, language, at, preview, on_table, past)
    return [
        _view(_asked_of(state, light, each, given), each, who)
        for each in _reports(state, given, past)
        if code in (None, each.code)
    ]


def needed_for(state: TableState, role: Role, given: Particulars) -> Wanted:
    """Say what must be read from the journal before the irregularities can be shown [D24]."""
    lacking = [
        wanted(state, order_of(role, each.tried), NOTHING_READ) for each in _reports(state, given)
    ]
    return Wanted(
        tuple(sorted({span for each in lacking for span in each.rounds})),
        tuple({version: None for each in lacking for version in each.versions}),
    )


def _asked_of(
    state: TableState, light: TableState, report: _Report, given: Particulars
) -> TableState:
    """Choose the state to try a report on: correcting settled rounds needs the sessions [D21].

    A round is not settled again on guessed dice: the result would not be shown.
    """
    tried = report.tried
    if given.faces is None and isinstance(tried, CorrectSettledRound):
        return with_no_lines(light, tried.round) if tried.round in state.history else state
    settled = isinstance(report.tried, CorrectSettledRound | VoidSettledRounds)
    return state if settled else light


# --- which there are -----------------------------------------------------------------------------


def _reports(state: TableState, given: Particulars, past: Past = NOTHING_READ) -> Iterator[_Report]:
    """List the rulebook's irregularities, in its order, then the interruption and the ruling."""
    for found in in_force(state).content.irregularities:
        if found.code not in _INTERRUPTIONS:
            yield _report(state, found, given, past)
    note = ("note",)
    yield _reversal(state, given)
    if state.quarantined:
        name = next(reversed(state.quarantined))
        whole, tried_whole = (FindUndamaged(name, said) for said in ("", "–"))
        yield _Report(UNDAMAGED, "D25", whole, tried_whole, note, ("dice_set",))
    yield _Report(INTERRUPTION, None, RecordInterruption(), RecordInterruption(), (), note)
    rule, tried = (Rule(said, voids_round=given.voids_round) for said in ("", "–"))
    yield _Report(RULING, None, rule, tried, note, ("voids_round", "postings"))


def _reversal(state: TableState, given: Particulars) -> _Report:
    """Make the report that voids the settled rounds affected by damaged dice."""
    first = state.round if given.first is None else given.first
    void, tried = VoidSettledRounds(first, ""), VoidSettledRounds(first, "–")
    clause = ground_of(state, ruling_on(state, DAMAGED))
    return _Report(REVERSAL, clause, void, tried, ("first", "note"), ("dice_set",))


def _report(
    state: TableState, found: IrregularityContent, given: Particulars, past: Past
) -> _Report:
    code, clause = found.code, found.clause or found.decision
    report = ReportIrregularity(code)
    match code:
        case "damaged-dice":
            damage, tried = ReportDamage(""), ReportDamage("–")
            return _Report(code, clause, damage, tried, ("note",), ("dice_set",))
        case "wrong-result-settled":
            last = last_settled(state)
            newest = state.round if last is None else last.number
            number = newest if given.round is None else given.round
            faces = given.faces or other_than(_shown(state, past, number))
            correct = CorrectSettledRound(number, given.faces or (), "")
            tried_ = CorrectSettledRound(number, faces, "–")
            return _Report(code, clause, correct, tried_, ("round", "faces", "note"))
        case "wrong-entry":
            amend = AmendResult(given.faces or other_than(state.faces))
            return _Report(code, clause, AmendResult(given.faces or ()), amend, ("faces",))
        case _ if code in _NOTED:
            return _Report(code, clause, None, report)
        case _:
            return _Report(code, clause, report, report, (), ("note",))


def _shown(state: TableState, past: Past, number: int) -> Faces | None:
    """Give the dice of a round as it stands now, from the history or as read from the journal."""
    again = past.events.get(state.resettled.get(number, 0))
    found = state.history.get(number) or again or past.ends.get(number)
    faces: Faces | None = getattr(found, "faces", None)
    return faces


# --- what each comes to --------------------------------------------------------------------------


def _view(state: TableState, report: _Report, who: _Asker) -> IrregularityView:
    decision = _decided(state, report, who)
    refusal = decision if isinstance(decision, Refusal) else None
    events = () if isinstance(decision, Refusal) else decision
    request = request_in(events)
    then = _then(state, request, who)
    kinds = {type(each).__name__ for each in (*events, *then)}
    voids = "RoundVoided" in kinds
    return IrregularityView(
        code=report.code,
        name=name("irregularities", report.code, who.language),
        clause=report.clause,
        command=report.command,
        fields=report.fields,
        optional=report.optional,
        may=() if report.command is None else people_for(state, report.tried),
        standing="refused" if refusal is not None else "open",
        sentence=None if refusal is None else say(refusal.reason, who.language),
        refusal_clause=None if refusal is None else refusal.clause,
        second=takes_second(report.tried, decision),
        seconds=() if request is None else seconds_of(state, request),
        will=who.preview.tell(events),
        agreed=who.preview.tell(then),
        voids=voids,
        bets=who.on_table.bets if voids else 0,
        returned=who.on_table.amount if voids else 0,
        stops="TableStopped" in kinds,
    )


def _decided(state: TableState, report: _Report, who: _Asker) -> Decision:
    if report.command is None:
        return refuse("NOTED_BY_THE_VENUE", report.clause)
    return ask(state, who.role, report.tried, who.at, who.past)


def _then(state: TableState, request: ApprovalRequested | None, who: _Asker) -> tuple[Event, ...]:
    if request is None:
        return ()
    decision = agreed(state, request, who.at, who.past)
    assert not isinstance(decision, Refusal), "what waits was decided as if it were carried out"
    return decision
