"""Compares an answer with a scenario's last column.

The first words are the status: `ok`, `waits`, `void 5.5.1`, `refused BETS_CLOSED 5.7`. After two
spaces come particulars, each of which must be true. Particulars of all kinds are listed as facts.
"""

import re
from collections.abc import Iterator

from taisai import result_of, say
from taisai.core.cage.vouchers import VoucherIssued, VoucherPaid, VoucherVoided
from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.messages import Netted, SettledLine
from taisai.core.rules.dice import call_of
from taisai.core.rules.reason import Refusal
from taisai.core.streams import CageEvent, TableEvent, VenueEvent
from taisai.core.table.betting import BetsRegistered, RoundVoided
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.interruption import InterruptionRecorded, OutcomeTestified, PlayResumed
from taisai.core.table.irregularities import IrregularityReported, ReportDeclined, VoidAnnounced
from taisai.core.table.positions import CashedOut, TerminalLocked
from taisai.core.table.provably_fair import SecretRevealed
from taisai.core.table.round import (
    BetsClosed,
    BetsOpened,
    FacePressed,
    ResultAmended,
    ResultConfirmed,
    ResultEntered,
    ResultReported,
    ResultsDisagreed,
    RoundSettled,
    RoundStarted,
)
from taisai.core.table.setup import DiceRegistered, TableStopped
from taisai.core.table.state import TableState
from taisai.wording import write_amount
from tests.scenarios.chip_table_facts import chip_table_facts, notices_shown
from tests.scenarios.house_phrases import house_facts
from tests.scenarios.venue import Answer, Venue

Event = TableEvent | CageEvent | VenueEvent


def status_of(answer: Answer) -> str:
    """Give the status of an answer."""
    if isinstance(answer, Refusal):
        return " ".join(["refused", answer.code, *filter(None, [answer.clause])])
    for event in answer:
        if isinstance(event, RoundVoided):
            return f"void {event.clause}"
    return "waits" if any(isinstance(each, ApprovalRequested) for each in answer) else "ok"


def faults(expected: str, answer: Answer, venue: Venue) -> Iterator[str]:
    """Find the differences from what is expected."""
    status, *particulars = re.split(r"  +", expected)
    if status != status_of(answer):
        yield f"expected {status!r}, but it is {status_of(answer)!r}"
        return
    events = () if isinstance(answer, Refusal) else answer
    known = list(facts(events, venue))
    for particular in particulars:
        word, _, rest = particular.partition(" ")
        if word in ("lights", "lit", "dark"):
            yield from _light_faults(word, set(rest.split(", ")), events)
        elif particular not in known:
            yield f"expected {particular!r}, but it is {known}"


def _light_faults(word: str, boxes: set[str], events: tuple[Event, ...]) -> Iterator[str]:
    """Compare the lit boxes: all of them, some of them, or those that must stay dark."""
    lit = {box for event in events for box in getattr(event, "winners", ())}
    good = {"lights": boxes == lit, "lit": boxes <= lit, "dark": bool(lit) and not boxes & lit}
    if not good[word]:
        yield f"expected {word} {sorted(boxes)}, but lit are {sorted(lit)}"


def facts(events: tuple[Event, ...], venue: Venue) -> Iterator[str]:
    """List the facts of an answer, and what each terminal has now."""
    for event in events:
        for name in ("clause", "rejected_clause"):
            clause = getattr(event, name, None)
            if clause is not None:
                yield f"[{clause}]"
        yield from _facts_of_play(event, venue.table)
        yield from _facts_of_money(event)
        yield from _facts_of_trouble(event)
        yield from chip_table_facts(event, venue.table)
        yield from house_facts(event, venue.house)
    yield from notices_shown(venue.table)
    for name, amount in venue.balances().items():
        yield f"{name}={_write(amount)}"


def _facts_of_play(event: Event, table: TableState) -> Iterator[str]:
    match event:
        case RoundStarted(round=number):
            yield f"round {number}"
        case BetsOpened(words=words):
            yield "notice" if words is None else f'"{words}"'
        case BetsClosed(words=words, bell=bell, report=report, displayed=displayed):
            yield f'"{words}"'
            yield "displayed" if displayed else "called"
            yield "bell" if bell else "no bell"
            yield f"closed for {report}"
        case BetsRegistered(terminal=terminal, on_behalf_by=str(person)):
            yield f"for {terminal} by {person}"
        case _:
            yield from _facts_of_dice(event, table)


def _facts_of_dice(event: Event, table: TableState) -> Iterator[str]:
    match event:
        case FacePressed():
            yield f"echo {_faces(table.echo)}"
        case ResultReported(source=source):
            yield f"read by {source}"
        case ResultsDisagreed():
            yield "readings disagree"
        case ResultEntered(faces=faces):
            yield f"entered {_faces(faces)}"
        case ResultConfirmed(faces=faces):
            yield say(call_of(result_of(faces)))
        case ResultAmended(faces=faces, before=before):
            yield f"{_faces(before)} becomes {_faces(faces)}"
        case SecretRevealed(drawn=drawn, agrees=agrees):
            yield f"drawn {_faces(drawn)}{'' if agrees else ', not as shown'}"
        case DiceRegistered(dice_set=dice_set):
            yield f"dice {dice_set}"
        case _:
            yield from ()


def _facts_of_money(event: Event) -> Iterator[str]:
    match event:
        case BetsClosed(rejected=rejected):
            for terminal, box, amount in rejected:
                yield f"rejected {terminal} {box} {_write(amount)}"
        case RoundSettled():
            yield f"collected {_write(event.collected)}"
            yield f"paid {_write(event.paid)}"
            for box, odds in event.odds.items():
                outcome = "loses" if odds is None else f"pays {odds}"
                yield f"{box} {outcome} [{event.clauses[box]}]"
            yield from _back(event.lines)
        case RoundVoided(returned=returned):
            yield from _back(returned)
        case RoundsReversed(netted=netted) | RoundResettled(netted=netted):
            for each in netted:
                yield from _netted(each)
        case CashedOut(amount=amount):
            yield f"on its way {_write(amount)}"
        case VoucherIssued(value=value) | VoucherPaid(value=value) | VoucherVoided(value=value):
            yield f"worth {_write(value)}"
        case _:
            yield from ()


def _facts_of_trouble(event: Event) -> Iterator[str]:
    match event:
        case IrregularityReported(code=code, ruling=ruling, in_doubt=in_doubt):
            yield ruling
            yield f"reported {code}"
            yield "in doubt" if in_doubt else "established"
        case InterruptionRecorded(ruling=ruling):
            yield ruling
        case ReportDeclined(code=code, tumbles_again=again):
            yield f"did not happen: {code}"
            yield "tumble anew" if again else "goes on"
        case VoidAnnounced(words=words):
            yield f'announced "{words}"'
        case TableStopped():
            yield "stopped"
        case RoundsReversed(rounds=rounds):
            yield f"rounds {' '.join(map(str, rounds))}"
        case RoundResettled(faces=faces, before=before):
            yield f"{_faces(before)} becomes {_faces(faces)}"
        case TerminalLocked(terminal=terminal):
            yield f"locked {terminal}"
        case _:
            yield from _facts_of_testimony(event)


def _facts_of_testimony(event: Event) -> Iterator[str]:
    match event:
        case OutcomeTestified(facts=facts):
            yield f"testified {' '.join(facts)}"
        case PlayResumed():
            yield "goes on"
        case _:
            yield from ()


def _back(lines: tuple[SettledLine, ...]) -> Iterator[str]:
    """Add up the amount that goes back to each terminal."""
    back: dict[str, int] = {}
    for line in lines:
        back[line.position] = back.get(line.position, 0) + line.back
    for terminal, amount in back.items():
        yield f"{terminal} gets {_write(amount)}"


def _netted(netted: Netted) -> Iterator[str]:
    yield f"{netted.position} given {_write(netted.given)}"
    yield f"{netted.position} taken {_write(netted.taken)}"
    yield f"{netted.position} short {_write(netted.shortfall)}"


def _faces(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))


def _write(cents: int) -> str:
    return write_amount(cents).replace(",", "")
