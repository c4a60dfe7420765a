"""The auditor can fail: forged chains, secrets and dice of a verifiable table are each found."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec
import pytest

from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.messages import Equipment, Event
from taisai.core.table.corrections import CorrectSettledRound, RoundResettled
from taisai.core.table.interruption import RecordInterruption
from taisai.core.table.provably_fair import (
    AbandonChain,
    ChainAbandoned,
    ChainPublished,
    ChainRetired,
    PublishChain,
    RevealSecret,
    SecretRevealed,
)
from taisai.core.table.round import BetsOpened, ConfirmResult, EnterResult, RoundStarted, Settle
from taisai.core.table.setup import (
    OpenTable,
    Rectify,
    RegisterDice,
    TableCreated,
    TableStopped,
)
from taisai.core.venue.setup import VenueOpened
from taisai.runtime.auditor import AuditError, Auditor
from taisai.runtime.auditor.provably_fair import dice_of
from tests.kit.tables import secret_chain
from tests.simulated.recorded import Decided, RecordedTable

WRONG = hashlib.sha256(b"another secret").hexdigest()
FIRST, SECOND = secret_chain(b"x" * 32, 2), secret_chain(b"y" * 32, 4)


class Observed(RecordedTable):
    """A table that records its decisions for an auditor."""

    def __init__(self) -> None:
        super().__init__("ts6/2")
        opened = (VenueOpened("Harbour", "SGD"),)
        self.seen = [Decided("venue", opened, self.at)]

    def plays(self, *faces: int) -> None:
        """Play a round in which nobody bets."""
        self.betting().closed().tumbled()
        self.does("device", EnterResult(faces))
        self.does("system", ConfirmResult())
        self.does("system", Settle())


@cache
def evening() -> tuple[Decided, ...]:
    """Play two chains: a round as drawn, a void one, one shown otherwise and corrected, another."""
    table = Observed()
    table.created(Equipment("verifiable")).adopted()
    table.does("supervisor", RegisterDice("D1", "S1"))
    table.does("system", PublishChain(FIRST[0], 2, "sealed"))
    table.does("supervisor", OpenTable())
    table.plays(*dice_of(FIRST[1], "T1", 1))
    table.does("system", RevealSecret(1, FIRST[1]))
    table.betting()
    table.does("system", RecordInterruption("power"))
    table.does("system", RevealSecret(2, FIRST[2]))
    table.does("system", PublishChain(SECOND[0], 4, "sealed"))
    table.plays(1, 1, 2)
    table.does("system", RevealSecret(3, SECOND[1]))
    drawn = dice_of(SECOND[1], "T1", 3)
    table.agrees("supervisor", CorrectSettledRound(3, drawn, "as the secret has it"))
    table.does("technician", Rectify("another device"))
    table.plays(*dice_of(SECOND[2], "T1", 4))
    table.does("system", RevealSecret(4, SECOND[2]))
    return tuple(table.seen)


def audit(decisions: Sequence[Decided]) -> Auditor:
    auditor = Auditor()
    for decided in decisions:
        auditor.observe(*decided)
    return auditor


def caught(decisions: Sequence[Decided], sentence: str) -> None:
    with pytest.raises(AuditError, match=sentence):
        audit(decisions)


def edit(event: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(event, **fields)


def place_of(kind: type[Event], nth: int = 1) -> tuple[int, int]:
    """Find the nth event of a kind: its decision, and its position there."""
    places = [
        (position, within)
        for position, decided in enumerate(evening())
        for within, event in enumerate(decided.events)
        if type(event) is kind
    ]
    return places[nth - 1]


def event_of(kind: type[Event], nth: int = 1) -> Any:
    position, within = place_of(kind, nth)
    return evening()[position].events[within]


def forged(kind: type[Event], nth: int, *events: Event) -> list[Decided]:
    """Replace one event by others."""
    position, within = place_of(kind, nth)
    world = list(evening())
    stream, before, at, role = world[position]
    after = (*before[:within], *events, *before[within + 1 :])
    world[position] = Decided(stream, after, at, role)
    return world


def test_the_evening_is_sound() -> None:
    table = audit(evening()).table("T1")
    assert (table.round, table.stopped) == (4, False)
    agreed = [event_of(SecretRevealed, nth).agrees for nth in (1, 2, 3, 4)]
    assert agreed == [True, True, False, True]


#: The event, its number, the forgery, and the auditor's complaint.
FORGERIES: dict[str, tuple[type[Event], int, Callable[[Any], Any], str]] = {
    "another commitment": (
        ChainPublished,
        1,
        lambda s: edit(s, commitment=WRONG),
        "round 1: the secret of round 1 does not lead to the one before it",
    ),
    "a commitment that is no hash": (
        ChainPublished,
        1,
        lambda s: edit(s, commitment=s.commitment[1:]),
        "whose end is no hash",
    ),
    "a chain for rounds to come later": (
        ChainPublished,
        1,
        lambda s: edit(s, first=2),
        "a chain of 2 was published from round 2 on",
    ),
    "a chain for rounds that were": (
        ChainPublished,
        2,
        lambda s: edit(s, first=2),
        "a chain of 4 was published from round 2 on",
    ),
    "a chain of nothing": (
        ChainPublished,
        1,
        lambda s: edit(s, length=0),
        "a chain of 0 was published",
    ),
    "a chain that nobody sealed": (
        ChainPublished,
        1,
        lambda s: edit(s, sealed=""),
        "was published from round",
    ),
    "a chain that is said to be shorter": (
        ChainPublished,
        1,
        lambda s: edit(s, length=1),
        "a round begins and no secret is left",
    ),
    "a chain that is said to be longer, and given up": (
        ChainPublished,
        1,
        lambda s: edit(s, length=3),
        "a chain was given up with 1 secrets left",
    ),
    "another secret": (
        SecretRevealed,
        1,
        lambda s: edit(s, secret=WRONG),
        "does not lead to the one before it",
    ),
    "a secret in capitals": (
        SecretRevealed,
        1,
        lambda s: edit(s, secret=s.secret.upper()),
        "does not lead to the one before it",
    ),
    "the secret of a later round, which leads there in two steps": (
        SecretRevealed,
        1,
        lambda s: edit(s, secret=FIRST[2]),
        "does not lead to the one before it",
    ),
    "a secret under another round's number": (
        SecretRevealed,
        1,
        lambda s: edit(s, round=2),
        "a secret of round 2 was revealed, which was not due",
    ),
    "dice that the secret does not give": (
        SecretRevealed,
        1,
        lambda s: edit(s, drawn=(1, 1, 1)),
        r"the secret gives the dice \(\d, \d, \d\), not \(1, 1, 1\)",
    ),
    "a void round's dice": (
        SecretRevealed,
        2,
        lambda s: edit(s, drawn=(1, 1, 1)),
        r"the secret gives the dice \(\d, \d, \d\), not \(1, 1, 1\)",
    ),
    "a disagreement made up": (
        SecretRevealed,
        1,
        lambda s: edit(s, agrees=False),
        "are said to disagree with the secret's",
    ),
    "a disagreement over a round that showed nothing": (
        SecretRevealed,
        2,
        lambda s: edit(s, agrees=False),
        "dice None are said to disagree",
    ),
    "a disagreement hushed up": (
        SecretRevealed,
        3,
        lambda s: edit(s, agrees=True),
        r"dice \(1, 1, 2\) are said to agree with the secret's",
    ),
    "a stop by another clause": (
        TableStopped,
        1,
        lambda s: edit(s, clause="0.0"),
        "it stopped by 0.0",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_event_is_caught(name: str) -> None:
    kind, nth, change, sentence = FORGERIES[name]
    caught(forged(kind, nth, change(event_of(kind, nth))), sentence)


@pytest.mark.parametrize(
    ("kind", "nth", "sentence"),
    [
        (ChainPublished, 1, "a round begins before any chain of secrets is published"),
        (ChainPublished, 2, "a round begins and no secret is left for it"),
        (SecretRevealed, 1, "round 1: the secret of round 1 was not revealed"),
        (SecretRevealed, 2, "round 2: the secret of round 2 was not revealed"),
        (TableStopped, 1, "TableStopped should have followed"),
    ],
)
def test_an_event_left_out_is_caught(kind: type[Event], nth: int, sentence: str) -> None:
    caught(forged(kind, nth), sentence)


@pytest.mark.parametrize(
    ("kind", "nth", "sentence"),
    [
        (ChainPublished, 1, "a chain was given up with 2 secrets left"),
        (SecretRevealed, 1, "which was not due"),
        (TableStopped, 1, "it stopped though its dice agree with the secret, or twice"),
    ],
)
def test_an_event_that_happens_twice_is_caught(kind: type[Event], nth: int, sentence: str) -> None:
    event = event_of(kind, nth)
    caught(forged(kind, nth, event, event), sentence)


@pytest.mark.parametrize("kind", [ChainPublished, SecretRevealed])
def test_secrets_that_come_while_bets_are_open_are_caught(kind: type[Event]) -> None:
    early = forged(BetsOpened, 1, event_of(BetsOpened), event_of(kind))
    caught(early, f"{kind.__name__} while the table is betting")


def test_a_round_that_begins_with_a_secret_outstanding_is_caught() -> None:
    """The venue would know two throws, and could void the one it does not like unseen."""
    position, _ = place_of(SecretRevealed, 1)
    later, _ = place_of(SecretRevealed, 2)
    world = list(evening())
    world.insert(later, world.pop(position))
    caught(world, "the secret of round 1 was not revealed")


def test_a_chain_published_over_a_secret_that_is_owed_is_caught() -> None:
    caught(
        forged(SecretRevealed, 2, event_of(ChainPublished, 2)),
        "the secret of round 2 was not revealed",
    )


def test_a_secret_of_a_table_that_published_none_is_caught() -> None:
    world = forged(ChainPublished, 1, edit(event_of(SecretRevealed, 1), round=0))
    caught(world, "a secret of round 0 was revealed, which was not due")


def test_secrets_of_a_table_whose_dice_follow_from_none_are_caught() -> None:
    created = edit(event_of(TableCreated), equipment=Equipment("simulated"))
    caught(forged(TableCreated, 1, created), "for dice that do not follow from any")


def test_a_stop_after_dice_that_agree_is_caught() -> None:
    agreed, stopped = event_of(SecretRevealed, 1), event_of(TableStopped)
    caught(forged(SecretRevealed, 1, agreed, stopped), "though its dice agree with the secret")


def test_a_round_put_right_by_other_dice_than_its_secrets_is_caught() -> None:
    """Two persons agreed on it, and every line is right for those dice; the secret's are others."""
    world = list(evening())
    for position, decided in enumerate(world):
        events = tuple(put_right_otherwise(event) for event in decided.events)
        world[position] = decided._replace(events=events)
    caught(world, r"round 3 was settled again by \(6, 6, 6\), not")


def put_right_otherwise(event: Event) -> Any:
    match event:
        case ApprovalRequested(order=order) if isinstance(order.command, CorrectSettledRound):
            return edit(event, order=edit(order, command=edit(order.command, faces=(6, 6, 6))))
        case RoundResettled():
            return edit(event, faces=(6, 6, 6))
        case _:
            return event


# --- a chain that two persons abandoned ----------------------------------------------------------

ABANDONED = ChainAbandoned("Ann", "Bob", "restored")


def begun(*faces: int) -> Observed:
    """Play a round with a chain of four, and begin another; with faces, up to its result."""
    table = Observed()
    table.created(Equipment("verifiable")).adopted()
    table.does("supervisor", RegisterDice("D1", "S1"))
    table.does("system", PublishChain(SECOND[0], 4, "sealed"))
    table.does("supervisor", OpenTable())
    table.plays(*dice_of(SECOND[1], "T1", 1))
    table.does("system", RevealSecret(1, SECOND[1]))
    table.betting().closed().tumbled()
    if faces:
        table.does("device", EnterResult(faces))
    return table


def abandoned(table: Observed) -> tuple[Event, ...]:
    return table.does("system", AbandonChain("Ann", "Bob", "restored"))


def test_a_chain_abandoned_in_a_round_is_sound_and_so_is_the_next() -> None:
    table = begun()
    assert len(abandoned(table)) == 2
    table.does("system", RevealSecret(2, SECOND[2]))
    table.does("system", PublishChain(FIRST[0], 2, "sealed"))
    table.plays(*dice_of(FIRST[1], "T1", 3))
    assert audit(table.seen).table("T1").round == 3


def test_a_chain_abandoned_after_the_dice_were_recorded_is_sound() -> None:
    table = begun(*dice_of(SECOND[2], "T1", 2))
    assert len(abandoned(table)) == 1
    table.does("system", ConfirmResult())
    table.does("system", Settle())
    table.does("system", RevealSecret(2, SECOND[2]))
    table.does("system", PublishChain(FIRST[0], 2, "sealed"))
    audit(table.seen)


@pytest.mark.parametrize(
    "event",
    [
        edit(ABANDONED, second="Ann"),
        edit(ABANDONED, second="ANN "),
        edit(ABANDONED, second=" "),
        edit(ABANDONED, note=" "),
    ],
)
def test_a_chain_that_one_person_abandoned_is_caught(event: Event) -> None:
    decided = Decided("T1", (event,), 0)
    caught([*evening(), decided], "Ann alone abandoned a chain, or nobody said why")


def test_a_chain_that_is_not_there_and_is_abandoned_is_caught() -> None:
    world = forged(ChainPublished, 1, ABANDONED)
    caught(world, "a chain was abandoned, and there is none that goes on")
    twice = [*evening(), *[Decided("T1", (ABANDONED,), 0)] * 2]
    caught(twice, "a chain was abandoned, and there is none that goes on")


def test_a_round_that_should_be_void_with_its_chain_is_caught() -> None:
    table = begun()
    abandoned(table)
    stream, events, at, role = table.seen[-1]
    world = [*table.seen[:-1], Decided(stream, events[:1], at, role)]
    caught(world, "RoundVoided should have followed, and nothing did")


def test_a_round_voided_with_its_chain_for_another_reason_is_caught() -> None:
    table = begun()
    _, void = abandoned(table)
    rules = audit(table.seen).table("T1").rules_in_force()
    other = edit(void, code="bad-tumble", clause=rules.ground_of("bad-tumble"))
    world = [*table.seen[:-1], Decided("T1", (ABANDONED, other), table.at)]
    caught(world, "was voided for bad-tumble without ground")


def test_a_round_that_begins_on_an_abandoned_chain_is_caught() -> None:
    table = begun()
    abandoned(table)
    table.does("system", RevealSecret(2, SECOND[2]))
    started = Decided("T1", (RoundStarted(3, table.at),), table.at)
    caught([*table.seen, started], "a round begins and no secret is left for it")


def test_a_secret_withheld_with_an_abandoned_chain_is_caught() -> None:
    table = begun()
    abandoned(table)
    published = ChainPublished(FIRST[0], 2, "sealed", 3)
    caught(
        [*table.seen, Decided("T1", (published,), table.at)],
        "the secret of round 2 was not revealed",
    )


# --- a chain that the venue retired --------------------------------------------------------------

RETIRED = ChainRetired("cut off")


def test_a_chain_retired_between_rounds_is_sound() -> None:
    audit([*evening(), Decided("T1", (RETIRED,), 0)])


def test_a_chain_retired_in_a_round_or_twice_or_without_a_word_is_caught() -> None:
    table = begun()
    with pytest.raises(AuditError):
        audit([*table.seen, Decided("T1", (RETIRED,), table.at)])
    twice = [*evening(), *[Decided("T1", (RETIRED,), 0)] * 2]
    caught(twice, "a chain was retired, and there is none that goes on")
    silent = Decided("T1", (edit(RETIRED, note=" "),), 0)
    caught([*evening(), silent], "a chain was retired, and nothing says why")


def test_a_chain_retired_again_while_its_last_secret_is_owed_is_caught() -> None:
    table = begun()
    abandoned(table)
    again = Decided("T1", (RETIRED,), table.at)
    caught([*table.seen, again], "a chain was retired, and there is none that goes on")


def test_a_round_that_begins_on_a_retired_chain_is_caught() -> None:
    begins = Decided("T1", (RoundStarted(len(SECOND), 0),), 0)
    with pytest.raises(AuditError):
        audit([*evening(), Decided("T1", (RETIRED,), 0), begins])
