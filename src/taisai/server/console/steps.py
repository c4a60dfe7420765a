"""The steps of the Game Console: which comes now, which may be taken, which is refused and why.

Also what a table still lacks before it opens: its rulebook, limits, dice and checks, in words.
"""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from taisai.core.kernel.messages import Decision, Event, Instant, Role
from taisai.core.kernel.registry import always_waits
from taisai.core.rules.dice import RESULTS, call_of, result_of
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.rules.schema import ProcedureContent, RulebookContent
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.payout import Guide, collection_refusal, payment_refusal
from taisai.core.table.irregularities import AnnounceVoid, IrregularityReported
from taisai.core.table.opening import DICE, WithdrawEquipment
from taisai.core.table.round import (
    AmendResult,
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    PressFace,
    Settle,
)
from taisai.core.table.setup import (
    AdoptRulebook,
    CloseTable,
    DeclareSafeProcedure,
    GiveNotice,
    OpenTable,
    Rectify,
    RegisterDice,
    SetLimits,
)
from taisai.core.table.state import (
    IN_ROUND,
    NOT_OPEN,
    Phase,
    TableState,
    clause_for,
    equipment_asked,
    not_playing,
    ruling_on,
)
from taisai.core.table.tumble import LiftCover, RecordTumble
from taisai.protocol.client_messages import WireCommand
from taisai.protocol.console import Doer, Standing, Step
from taisai.protocol.server_messages import Steps
from taisai.server.console.acts import CHECKS, act_of, registered, smallest_limits
from taisai.server.console.dry_run import (
    Tried,
    ask,
    other_than,
    people_for,
    takes_second,
    with_nothing_on_it,
)
from taisai.server.console.tries import Try, closing_line, day_tries, open_day, testimony_tries
from taisai.wording import name, say

#: Stands for a note that a person has to enter.
_SAID = "–"
#: Faces that make a result.
_DICE = 3
#: The roles in which the next step is tried; for the pit, every role that may take it.
_ROLES: dict[Doer, tuple[Role, ...]] = {
    "dealer": ("dealer",),
    "device": ("device",),
    "automatic-dealer": ("system",),
}


class _Reader(NamedTuple):
    """The role that steps are shown to, the language and time; the next step, and who deals."""

    role: Role
    language: str
    at: Instant
    due: str | None
    automatic: bool
    #: The lists of a chip table, if they are computed already.
    guide: Guide | None = None


def steps_for(
    state: TableState,
    role: Role,
    language: str,
    at: Instant,
    *,
    automatic: bool,
    guide: Guide | None = None,
) -> Steps:
    """Show a role the standing of each step; `automatic` says if the automatic dealer deals.

    The lists of a chip table are computed again for each step unless its `guide` is given.
    Nothing is carried out, and the state is not changed.
    """
    table = with_nothing_on_it(state, guide)
    due = _due(table, at, guide, automatic=automatic)
    reader = _Reader(role, language, at, due, automatic, guide)
    steps = tuple(_step(table, each, reader) for each in _tries(table, at))
    pressed = state.echo if state.phase in IN_ROUND else ()
    return Steps(state.table, due, steps, pressed)


# --- which steps there are, in which order -------------------------------------------------------


def _tries(state: TableState, at: Instant) -> Iterator[Try]:
    """List every step: the round's main line as the rulebook orders it, then the others."""
    yield from _main_line(state)
    if _has_words_for_void(state):
        yield Try(AnnounceVoid())
    yield Try(AmendResult(other_than(state.faces)), ("faces",))
    yield from testimony_tries(state)
    yield Try(Rectify(_SAID), ("note",))
    yield Try(DeclareSafeProcedure(_SAID), ("note",))
    yield Try(GiveNotice())
    yield Try(CloseTable())
    yield Try(RegisterDice(_SAID, _SAID), ("dice_set", "seal"))
    for each in [*equipment_asked(state)][:1]:
        yield Try(*registered(each.code))
    for check in CHECKS:
        yield Try(*act_of(state, check))
    yield from day_tries(state, at)
    yield Try(OpenTable())


def _main_line(state: TableState) -> tuple[Try, ...]:
    """Order the steps of a round [D5]; where the document leaves it open, the tumble comes last."""
    procedure = _procedure(state)
    tumble = Try(RecordTumble(0 if procedure is None else procedure.tumble.at_least))
    bell = procedure is not None and procedure.betting.bell
    opens, closes = Try(OpenBets()), Try(CloseBets(bell=bell))
    bets = (tumble, opens, closes) if _tumbles_first(state) else (opens, closes, tumble)
    entry = (Try(PressFace(1), ("face",)), Try(EnterResult()), Try(ConfirmResult()))
    if state.chips is None:
        return (*bets, *entry, Try(Settle()))
    covered = procedure is not None and procedure.tumble.cover == "covered"
    lift = (Try(LiftCover()),) if covered else ()
    return (*bets, *lift, *entry, Try(CollectLosers()), Try(Settle()))


def _has_words_for_void(state: TableState) -> bool:
    """Say whether the document has the dealer announce that a spin is void [div9 7.1]."""
    content = None if state.rulebook is None else state.rulebook.content
    return content is not None and any(each.words for each in content.irregularities)


def _procedure(state: TableState) -> ProcedureContent | None:
    return None if state.rulebook is None else state.rulebook.content.procedure


def _tumbles_first(state: TableState) -> bool:
    procedure = _procedure(state)
    return procedure is not None and procedure.tumble.order == "before-bets"


# --- which comes now -----------------------------------------------------------------------------


def _due(state: TableState, at: Instant, guide: Guide | None, *, automatic: bool) -> str | None:
    """Find the step that comes now: the first of the line that its doer may take."""
    for command in _line(state, at):
        doer = _doer(state, command, automatic=automatic)
        # A device presses no faces: it enters what it read.
        reads = doer == "device" and isinstance(command, EnterResult)
        tried = EnterResult(RESULTS[0].faces) if reads else command
        roles = _ROLES.get(doer) or people_for(state, command)
        answers = (_asked(state, role, tried, at, guide) for role in roles)
        if not all(isinstance(answer, Refusal) for answer in answers):
            return type(command).__name__
    return None


def _line(state: TableState, at: Instant) -> Iterator[WireCommand]:
    """List the steps still to be taken, in order: to open, to play, to go on, to close."""
    if state.phase in NOT_OPEN:
        yield from _opening_line(state, at)
        return
    if state.to_announce is not None and state.phase is Phase.READY:
        # The round is void with or without the announcement, but it has to be made.
        yield AnnounceVoid()
    if state.notice_given and state.phase is Phase.READY:
        yield CloseTable()
        return
    for command, _ in _main_line(state):
        if not _is_done(state, command):
            yield command
    yield from (each.command for each in testimony_tries(state))
    yield Rectify(_SAID)


def _opening_line(state: TableState, at: Instant) -> Iterator[WireCommand]:
    closing = closing_line(state)
    if closing:
        # The table has closed for this gaming day: its count comes before the next day.
        yield from closing
        return
    for item in _items(state, at):
        # Rulebook and limits are the pit's to set: the console has no step for them.
        if not item.done and item.code not in ("rulebook", "limits"):
            yield item.tried.command


def _is_done(state: TableState, command: WireCommand) -> bool:
    """Say whether a step is done, even if the table would accept it again."""
    match command:
        case RecordTumble():
            return state.tumbled
        case PressFace():
            return len(state.echo) == _DICE or "keyed" in state.reported
        case EnterResult():
            return "keyed" in state.reported
        case _:
            return False


def _doer(state: TableState, command: WireCommand, *, automatic: bool) -> Doer:
    """Say who ordinarily takes a step."""
    equipment = state.equipment
    device = equipment.tumbler != "keyed"
    match command:
        case RecordTumble() if device and (automatic or not _tumbles_first(state)):
            return "device"
        case PressFace() | EnterResult() if device and not equipment.read_by_dealer_too:
            return "device"
        case OpenBets() | CloseBets() | Settle() | AnnounceVoid() if automatic:
            return "automatic-dealer"
        case ConfirmResult() if automatic and device:
            return "automatic-dealer"
        case _:
            return "dealer" if "dealer" in people_for(state, command) else "pit"


# --- how a step stands ---------------------------------------------------------------------------


def _asked(
    state: TableState, role: Role, command: Tried, at: Instant, guide: Guide | None
) -> Refusal | bool:
    """Ask whether a step may be taken: why not, or whether it takes a second person.

    A tumble out of its order is never refused, since it has happened [D5]; but as a step it is
    shown as refused.
    """
    decision = ask(state, role, command, at)
    if guide is not None and isinstance(command, CollectLosers | Settle):
        decision = _by_lists(state, command, guide, decision)
    if isinstance(decision, Refusal):
        return _why_not(state, command, decision)
    if isinstance(command, RecordTumble):
        return _tumble_now(state, decision)
    return takes_second(command, decision)


def _tumble_now(state: TableState, decision: tuple[Event, ...]) -> Refusal | bool:
    """Refuse a tumble that would void the round, be its second, or come while it is in doubt."""
    wrong = [each for each in decision if isinstance(each, IrregularityReported)]
    if not wrong:
        return not_playing(state) or False
    voids = any(each.ruling == "void-round" for each in wrong)
    return refuse("TUMBLE_OUT_OF_ORDER" if voids else "TUMBLED_ALREADY", wrong[0].clause)


def _by_lists(
    state: TableState, command: CollectLosers | Settle, guide: Guide, decision: Decision
) -> Decision:
    """Decide collecting and paying by the lists: the dry run had no bets on the table."""
    if isinstance(command, Settle):
        return decision if isinstance(decision, Refusal) else payment_refusal(state, guide) or ()
    if isinstance(decision, Refusal) and decision.code != "NOTHING_TO_COLLECT":
        return decision
    return collection_refusal(state, guide) or ()


def _why_not(state: TableState, command: Tried, refusal: Refusal) -> Refusal | bool:
    """Say why a step is refused; a field that is still to be filled in is no reason."""
    if isinstance(command, AdoptRulebook) and refusal.code == "RULEBOOK_REFUSED":
        return always_waits(AdoptRulebook)
    if isinstance(command, EnterResult) and refusal.code == "BAD_DICE":
        return refuse("FACES_FIRST", _clause(state, command), pressed=len(state.echo))
    return refusal


def _step(state: TableState, tried: Try, reader: _Reader) -> Step:
    command = tried.command
    code = type(command).__name__
    by = _doer(state, command, automatic=reader.automatic)
    answer = _asked(state, reader.role, command, reader.at, reader.guide)
    refused = isinstance(answer, Refusal)
    return Step(
        command=code,
        label=name("steps", _called(state, code), reader.language),
        standing=_standing(refused=refused, now=code == reader.due and by in ("dealer", "pit")),
        second=takes_second(command, answer) if isinstance(answer, Refusal) else answer,
        by=by,
        sentence=say(answer.reason, reader.language) if isinstance(answer, Refusal) else None,
        clause=answer.clause if isinstance(answer, Refusal) else _clause(state, command),
        words=_words(state, command, reader.language),
        times=command.times or None if isinstance(command, RecordTumble) else None,
        give=None if tried.fields else command,
        fields=tried.fields,
    )


def _called(state: TableState, code: str) -> str:
    """Give the name of a step: at a chip table to settle is to pay the bets not collected."""
    return "SettleChipTable" if code == "Settle" and state.chips is not None else code


def _standing(*, refused: bool, now: bool) -> Standing:
    if refused:
        return "refused"
    return "next" if now else "open"


def _words(state: TableState, command: WireCommand, language: str) -> str | None:
    """Give what the dealer says with a step: the document's words, or the call."""
    procedure = _procedure(state)
    if procedure is None:
        return None
    match command:
        case OpenBets():
            return procedure.betting.opens_words
        case CloseBets():
            called = procedure.betting.closes == "announcement"
            return procedure.betting.closes_words if called else None
        case AnnounceVoid() if state.to_announce is not None:
            found = ruling_on(state, state.to_announce)
            return None if found is None else found.words
        case ConfirmResult() if state.faces is not None:
            return say(call_of(result_of(state.faces)), language)
        case _:
            return None


def _clause(state: TableState, command: Tried) -> str | None:
    """Give the clause that provides for a step."""
    procedure = _procedure(state)
    if procedure is None:
        return None
    entry = procedure.entry
    clauses: dict[type, str | None] = {
        OpenBets: procedure.betting.opens_clause,
        RecordTumble: procedure.tumble.clause,
        CloseBets: procedure.betting.closes_clause,
        LiftCover: procedure.uncovering_clause,
        PressFace: entry.clause or entry.dice_clause,
        EnterResult: entry.clause or entry.dice_clause,
        ConfirmResult: entry.lights_clause or entry.dice_clause,
        AmendResult: procedure.amendment.clause,
        Settle: procedure.settlement.clause,
        CollectLosers: procedure.settlement.clause,
        AnnounceVoid: clause_for(state, state.to_announce or ""),
        Rectify: state.stopped,
        DeclareSafeProcedure: state.stopped,
    }
    return clauses.get(type(command))


class Wanted(Struct, frozen=True):
    """Something wanted before a table opens: whether it is there, and the step that brings it."""

    code: str
    name: str
    done: bool
    #: What is there: which rulebook, which set of dice.
    value: str | None
    clause: str | None
    step: Step
    #: How it is taken away again, of dice and equipment that are there.
    withdraw: Step | None = None


class Opening(Struct, frozen=True):
    """What is wanted before a table opens, in its order; the last is to open it."""

    table: str
    phase: str
    #: Whether it has been opened.
    open: bool
    #: Whether nothing is wanted any more but to open it.
    ready: bool
    #: Who makes the checks, as the document calls them.
    checked_by: str | None
    wanted: list[Wanted]


class _Item(NamedTuple):
    code: str
    done: bool
    tried: Try
    value: str | None = None
    clause: str | None = None
    away: Try | None = None


def opening_for(state: TableState, role: Role, language: str, at: Instant) -> Opening:
    """Show a role what a table lacks before it opens; nothing is carried out."""
    items, table = [*_items(state, at)], with_nothing_on_it(state)
    lacking = [item for item in items if not item.done]

    due = type(lacking[0].tried.command).__name__ if lacking else None

    def step(item: _Item, tried: Try) -> Step:
        next_ = due if item in lacking[:1] else None
        return _step(table, tried, _Reader(role, language, at, next_, automatic=False))

    content = None if state.rulebook is None else state.rulebook.content
    return Opening(
        table=state.table,
        phase=state.phase.value,
        open=_is_open(state),
        ready=[item.code for item in lacking] == ["open"],
        checked_by=_checked_by(content),
        wanted=[
            Wanted(
                item.code,
                name("opening", item.code, language),
                item.done,
                item.value,
                item.clause,
                step(item, item.tried),
                None if item.away is None else step(item, item.away),
            )
            for item in items
        ],
    )


def _checked_by(content: RulebookContent | None) -> str | None:
    opening = None if content is None else content.procedure.opening
    return None if opening is None else opening.title


def _is_open(state: TableState) -> bool:
    return state.phase not in NOT_OPEN


def _items(state: TableState, at: Instant) -> Iterator[_Item]:
    content = None if state.rulebook is None else state.rulebook.content
    address = None if state.pay_table is None else state.pay_table.address
    book = None if content is None else f"{content.title}, {address}"
    adopt = Try(AdoptRulebook("", 0), ("canonical", "pay_table"))
    yield _Item("rulebook", content is not None, adopt, book)
    clause = None if content is None else content.limits.displayed_clause
    limits = Try(SetLimits(smallest_limits(state)), ("limits",))
    yield _Item("limits", state.limits is not None, limits, None, clause)
    dice = Try(RegisterDice(_SAID, _SAID), ("dice_set", "seal"))
    yield _Item(
        "dice", state.dice_set is not None, dice, state.dice_set, away=_away(DICE, state.dice_set)
    )
    for each in equipment_asked(state):
        register = Try(*registered(each.code))
        value = state.registered.get(each.code)
        away = _away(each.code, value)
        yield _Item(each.code, value is not None, register, value, each.clause, away)
    for check in () if content is None else content.procedure.opening_checks:
        act = Try(*act_of(state, check.code))
        yield _Item(check.code, check.code in state.checks, act, None, check.clause)
    if state.stopped is not None:
        yield _Item("in-order", False, Try(Rectify(_SAID), ("note",)), None, state.stopped)
    if state.chips is not None:
        day = state.chips.day
        value = None if day is None else day.date
        yield _Item("gaming-day", day is not None, open_day(at), value)
    yield _Item("open", _is_open(state), Try(OpenTable()))


def _away(code: str, identity: str | None) -> Try | None:
    """Give the step that withdraws a registered piece of equipment."""
    return None if identity is None else Try(WithdrawEquipment(code))
