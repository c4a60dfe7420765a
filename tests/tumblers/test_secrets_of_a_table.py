"""A verifiable table: its chain is published before the bets, and every secret is revealed."""

import pytest

from taisai.core.kernel.messages import Equipment
from taisai.core.rules.reason import Refusal
from taisai.core.streams import TableCommand
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import CorrectSettledRound, Rule
from taisai.core.table.interruption import DeclareOutcome, RecordInterruption
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.provably_fair import (
    AbandonChain,
    ChainAbandoned,
    ChainPublished,
    ChainRetired,
    PublishChain,
    RetireChain,
    RevealSecret,
    SecretRevealed,
)
from taisai.core.table.round import ConfirmResult, EnterResult, OpenBets, Settle
from taisai.core.table.setup import (
    CloseTable,
    EnrolTerminal,
    GiveNotice,
    OpenTable,
    Rectify,
    RegisterDice,
    TableStopped,
)
from taisai.core.table.state import Chain, Phase
from taisai.core.table.tumble import RecordTumble
from tests.kit.tables import ADDRESSES, SEALED, SECRETS, Table, open_table, secret_chain

VERIFIABLE = Equipment("verifiable")
BOTH = Equipment("verifiable", read_by_dealer_too=True)
CHAIN = secret_chain()
#: The dice of the first four rounds of table T1; HMAC by openssl, faces by hand.
DRAWN = ((5, 6, 6), (3, 5, 5), (1, 4, 6), (1, 2, 5))
#: The role that rules where no clause covers what happened.
UNCOVERED = {"ts6/2": "5.14", "tso5/2": "5.14", "etg8/2": "5.10", "div9/2": "D6"}


def begins_with(table: Table) -> TableCommand:
    """Give the command that begins a round by the table's document."""
    return RecordTumble(3) if table.before_bets else OpenBets()


def plays(table: Table, *faces: int) -> None:
    """Play a round to its end, with the device showing these faces."""
    table.betting(t7={"small": 1_000}).closed().tumbled()
    table.does("device", EnterResult(faces))
    table.does("system", ConfirmResult())
    table.does("system", Settle())


def unpublished(address: str = "ts6/2") -> Table:
    """Open a verifiable table without publishing a chain."""
    table = Table(address).created(VERIFIABLE).adopted()
    table.does("supervisor", RegisterDice("D1", "S1"))
    table.prepared()
    table.does("supervisor", OpenTable())
    return table


# --- publishing ----------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_round_begins_before_a_chain_is_published(address: str) -> None:
    table = unpublished(address)
    assert table.refuses("dealer", begins_with(table)) == ("NO_CHAIN", None)
    assert table.does("system", PublishChain(CHAIN[0], SECRETS, SEALED)) == (
        ChainPublished(CHAIN[0], SECRETS, SEALED, first=1),
    )
    assert table.state.chain == Chain(CHAIN[0], SECRETS, SEALED, 1, CHAIN[0])
    table.does("dealer", begins_with(table))


def test_a_chain_may_be_published_before_the_table_opens() -> None:
    table = Table().created(VERIFIABLE)
    table.does("system", PublishChain(CHAIN[0], SECRETS, SEALED))
    assert table.state.phase is Phase.CLOSED


@pytest.mark.parametrize("kind", ["keyed", "simulated", "reader"])
def test_other_tables_have_no_secrets(kind: str) -> None:
    table = open_table(equipment=Equipment(kind))  # type: ignore[arg-type]
    publish = PublishChain(CHAIN[0], SECRETS, SEALED)
    assert table.refuses("system", publish) == ("NOT_VERIFIABLE", None)
    assert table.refuses("system", RevealSecret(1, CHAIN[1])) == ("NOT_VERIFIABLE", None)
    table.betting()
    assert table.state.chain is None


@pytest.mark.parametrize("role", ["dealer", "supervisor", "shift-manager", "device", "technician"])
def test_only_the_venue_itself_publishes_and_reveals(role: str) -> None:
    table = unpublished()
    for command in (PublishChain(CHAIN[0], SECRETS, SEALED), RevealSecret(1, CHAIN[1])):
        decision = table.ask(role, command)  # type: ignore[arg-type]
        assert isinstance(decision, Refusal)
        assert decision.code == "NOT_ALLOWED"


@pytest.mark.parametrize(
    "command",
    [
        PublishChain(CHAIN[0][1:], SECRETS, SEALED),
        PublishChain(CHAIN[0].upper(), SECRETS, SEALED),
        PublishChain(CHAIN[0], 0, SEALED),
        PublishChain(CHAIN[0], 1_000_001, SEALED),
        PublishChain(CHAIN[0], True, SEALED),
        PublishChain(CHAIN[0], SECRETS, ""),
        PublishChain(CHAIN[0], SECRETS, "x" * 513),
        PublishChain(CHAIN[0], SECRETS, "in clear"),
        PublishChain(CHAIN[0], SECRETS, "é"),
    ],
)
def test_what_is_no_chain_is_not_published(command: PublishChain) -> None:
    assert unpublished().refuses("system", command) == ("BAD_CHAIN", None)


def test_the_longest_chain_and_the_longest_seal_are_taken() -> None:
    unpublished().does("system", PublishChain(CHAIN[0], 1_000_000, "x" * 512))
    unpublished().does("system", PublishChain(CHAIN[0], 1, "x"))


def test_a_chain_that_has_secrets_left_is_not_given_up_for_another() -> None:
    """A venue that does not like its next throw cannot take a new chain."""
    table = open_table(equipment=VERIFIABLE)
    another = PublishChain(secret_chain(b"x" * 32)[0], SECRETS, SEALED)
    assert table.refuses("system", another) == ("CHAIN_GOES_ON", None)
    table.betting()
    assert table.refuses("system", another) == ("ROUND_UNDER_WAY", None)
    table.does("system", RecordInterruption())
    assert table.refuses("system", another) == ("SECRET_TO_REVEAL", None)
    table.reveals()
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    assert table.refuses("system", another) == ("CHAIN_GOES_ON", None)


def test_a_new_chain_follows_when_the_last_secret_is_revealed() -> None:
    table = open_table(equipment=VERIFIABLE)
    for faces in DRAWN:
        plays(table, *faces)
        table.reveals()
    assert table.refuses("dealer", OpenBets()) == ("CHAIN_USED_UP", None)
    again = secret_chain(b"y" * 32, 2)
    assert table.does("system", PublishChain(again[0], 2, SEALED)) == (
        ChainPublished(again[0], 2, SEALED, first=5),
    )
    table.betting()
    table.does("system", RecordInterruption())
    assert table.refuses("system", RevealSecret(5, CHAIN[4])) == ("WRONG_SECRET", None)
    revealed = table.does("system", RevealSecret(5, again[1]))[0]
    assert isinstance(revealed, SecretRevealed)
    assert table.state.chain is not None
    assert (table.state.chain.revealed, table.state.chain.link) == (1, again[1])


# --- revealing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_secret_of_a_settled_round_is_revealed_before_the_next(address: str) -> None:
    table = open_table(address, equipment=VERIFIABLE)
    assert table.refuses("system", RevealSecret(1, CHAIN[1])) == ("NO_SECRET_DUE", None)
    plays(table, *DRAWN[0])
    assert table.refuses("dealer", begins_with(table)) == ("SECRET_TO_REVEAL", None)
    assert table.reveals() == (SecretRevealed(1, CHAIN[1], DRAWN[0], agrees=True),)
    assert table.refuses("system", RevealSecret(1, CHAIN[1])) == ("NO_SECRET_DUE", None)
    table.does("dealer", begins_with(table))


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_void_round_uses_its_secret_too_even_one_that_was_never_tumbled(address: str) -> None:
    table = open_table(address, equipment=VERIFIABLE).betting(t7={"small": 1_000})
    table.agrees("shift-manager", Rule("a fire alarm", voids_round=True))
    assert table.refuses("dealer", begins_with(table)) == ("SECRET_TO_REVEAL", None)
    assert table.reveals() == (SecretRevealed(1, CHAIN[1], DRAWN[0], agrees=True),)
    plays(table, *DRAWN[1])
    assert table.reveals() == (SecretRevealed(2, CHAIN[2], DRAWN[1], agrees=True),)


@pytest.mark.parametrize(
    ("round_", "secret", "code"),
    [
        (1, CHAIN[2], "WRONG_SECRET"),
        (1, CHAIN[0], "WRONG_SECRET"),
        (1, CHAIN[1].upper(), "WRONG_SECRET"),
        (1, "", "WRONG_SECRET"),
        (2, CHAIN[2], "NO_SECRET_DUE"),
        (0, CHAIN[0], "NO_SECRET_DUE"),
    ],
)
def test_only_the_secret_that_is_due_is_taken(round_: int, secret: str, code: str) -> None:
    table = open_table(equipment=VERIFIABLE)
    plays(table, *DRAWN[0])
    assert table.refuses("system", RevealSecret(round_, secret)) == (code, None)


def test_no_secret_is_revealed_while_its_round_is_under_way() -> None:
    table = open_table(equipment=VERIFIABLE)
    for step in (table.betting, table.closed, table.tumbled):
        step()
        assert table.refuses("system", RevealSecret(1, CHAIN[1])) == ("ROUND_UNDER_WAY", None)


def test_a_closed_table_reveals_what_it_owes() -> None:
    table = open_table(equipment=VERIFIABLE)
    plays(table, *DRAWN[0])
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    assert table.reveals() == (SecretRevealed(1, CHAIN[1], DRAWN[0], agrees=True),)


def test_what_waits_for_a_second_person_waits_on_while_a_secret_is_revealed() -> None:
    table = open_table(equipment=VERIFIABLE)
    plays(table, *DRAWN[0])
    table.does("technician", EnrolTerminal("9", "place 9"))
    table.reveals()
    table.does("supervisor", table.approval())
    assert "9" in table.state.positions


# --- dice that are not the secret's --------------------------------------------------------------


@pytest.mark.parametrize("address", ADDRESSES)
def test_dice_shown_otherwise_are_recorded_and_stop_the_table(address: str) -> None:
    table = open_table(address, equipment=VERIFIABLE)
    plays(table, 1, 1, 2)
    clause = UNCOVERED[address]
    assert table.reveals() == (
        SecretRevealed(1, CHAIN[1], DRAWN[0], agrees=False),
        TableStopped(clause, "drawn-otherwise"),
    )
    assert table.refuses("dealer", begins_with(table)) == ("TABLE_STOPPED", clause)
    table.does("technician", Rectify("another device"))
    table.does("dealer", begins_with(table))


def test_a_table_that_is_stopped_already_is_not_stopped_again() -> None:
    table = open_table("div9/2", equipment=VERIFIABLE)
    plays(table, 1, 1, 2)
    table.does("dealer", ReportIrregularity("malfunction"))
    assert table.reveals() == (SecretRevealed(1, CHAIN[1], DRAWN[0], agrees=False),)


def test_a_void_round_that_had_been_shown_otherwise_is_found_out_too() -> None:
    table = open_table(equipment=VERIFIABLE).betting().closed().tumbled()
    table.does("device", EnterResult((1, 1, 2)))
    table.agrees("shift-manager", Rule("a stray bet", voids_round=True))
    revealed, stopped = table.reveals()
    assert revealed == SecretRevealed(1, CHAIN[1], DRAWN[0], agrees=False)
    assert isinstance(stopped, TableStopped)


@pytest.mark.parametrize(("read", "agrees"), [(DRAWN[0], True), ((1, 1, 2), False)])
def test_what_the_device_alone_read_of_a_void_round_is_compared(
    read: tuple[int, ...], agrees: bool
) -> None:
    table = open_table(equipment=BOTH).betting().closed().tumbled()
    table.does("device", EnterResult(read))
    table.does("dealer", EnterResult((4, 4, 4)))
    table.agrees("supervisor", DeclareOutcome(), "dealer")
    revealed = table.reveals()[0]
    assert revealed == SecretRevealed(1, CHAIN[1], DRAWN[0], agrees)


def test_a_declared_outcome_is_compared_with_the_secret_as_well() -> None:
    table = open_table(equipment=BOTH).betting().closed().tumbled()
    table.does("device", EnterResult((1, 1, 2)))
    table.does("dealer", EnterResult(DRAWN[0]))
    table.agrees("supervisor", DeclareOutcome(DRAWN[0]), "dealer")
    table.does("system", ConfirmResult())
    table.does("system", Settle())
    assert table.reveals() == (SecretRevealed(1, CHAIN[1], DRAWN[0], agrees=True),)


# --- putting a round right -----------------------------------------------------------------------


def test_a_settled_round_is_put_right_by_the_dice_of_its_secret_and_by_no_others() -> None:
    table = open_table(equipment=VERIFIABLE)
    plays(table, 1, 1, 2)
    assert table.credits() == 101_000
    right = CorrectSettledRound(1, DRAWN[0], "shown otherwise than drawn")
    assert table.refuses("supervisor", right) == ("SECRET_TO_REVEAL", "3.8")
    table.reveals()
    other = CorrectSettledRound(1, (1, 1, 3), "as the venue would like it")
    assert table.refuses("supervisor", other) == ("DRAWN_OTHERWISE", "3.8")
    table.agrees("supervisor", right)
    assert table.credits() == 99_000
    assert table.state.history[1].faces == table.state.history[1].drawn == DRAWN[0]


def test_a_round_that_was_shown_as_drawn_stays_as_it_is() -> None:
    table = open_table(equipment=VERIFIABLE)
    plays(table, *DRAWN[0])
    table.reveals()
    other = CorrectSettledRound(1, (1, 1, 3), "misread")
    assert table.refuses("supervisor", other) == ("DRAWN_OTHERWISE", "3.8")
    same = CorrectSettledRound(1, DRAWN[0], "misread")
    assert table.refuses("supervisor", same) == ("NOTHING_TO_AMEND", "3.8")


def test_the_journal_holds_no_secret_before_its_round_is_over() -> None:
    table = open_table(equipment=VERIFIABLE)
    for number in range(1, SECRETS + 1):
        written = str(table.told)
        assert not any(secret in written for secret in CHAIN[number:])
        plays(table, *DRAWN[number - 1])
        assert not any(secret in str(table.told) for secret in CHAIN[number:])
        table.reveals()
        assert CHAIN[number] in str(table.told)


# --- abandoning a chain --------------------------------------------------------------------------

ABANDON = AbandonChain("Ann Lee", "Bob Tan", "restored")
ABANDONED = ChainAbandoned("Ann Lee", "Bob Tan", "restored")


def test_after_a_chain_is_abandoned_the_next_round_needs_another() -> None:
    table = open_table(equipment=VERIFIABLE)
    plays(table, *DRAWN[0])
    table.reveals()
    assert table.does("system", ABANDON) == (ABANDONED,)
    assert table.refuses("dealer", OpenBets()) == ("CHAIN_USED_UP", None)
    assert table.refuses("system", RevealSecret(2, CHAIN[2])) == ("NO_SECRET_DUE", None)
    again = secret_chain(b"y" * 32, 2)
    assert table.does("system", PublishChain(again[0], 2, SEALED)) == (
        ChainPublished(again[0], 2, SEALED, first=2),
    )
    table.betting()


def test_a_chain_that_served_no_round_may_be_abandoned() -> None:
    table = open_table(equipment=VERIFIABLE)
    table.does("system", ABANDON)
    assert table.refuses("system", ABANDON) == ("CHAIN_USED_UP", None)
    table.does("system", PublishChain(secret_chain(b"y" * 32)[0], SECRETS, SEALED))


def test_the_secret_that_is_owed_comes_out_though_its_chain_is_abandoned() -> None:
    table = open_table(equipment=VERIFIABLE)
    plays(table, *DRAWN[0])
    table.does("system", ABANDON)
    assert table.refuses("dealer", OpenBets()) == ("SECRET_TO_REVEAL", None)
    another = PublishChain(secret_chain(b"y" * 32)[0], SECRETS, SEALED)
    assert table.refuses("system", another) == ("SECRET_TO_REVEAL", None)
    assert table.reveals() == (SecretRevealed(1, CHAIN[1], DRAWN[0], agrees=True),)
    assert table.refuses("dealer", OpenBets()) == ("CHAIN_USED_UP", None)
    table.does("system", another)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("closed", [False, True])
def test_a_round_without_its_dice_is_void_when_its_chain_is_abandoned(
    address: str, closed: bool
) -> None:
    table = open_table(address, equipment=VERIFIABLE).betting(t7={"small": 1_000})
    if closed:
        table.closed().tumbled()
    abandoned, void = table.does("system", ABANDON)
    assert abandoned == ABANDONED
    assert isinstance(void, RoundVoided)
    # Division 9 has no clause that voids such a round: a ruling must [D6].
    code = "not-covered" if address == "div9/2" else "interrupted-without-outcome"
    assert (void.round, void.code) == (1, code)
    assert (table.credits(), table.state.phase) == (100_000, Phase.READY)
    assert table.reveals() == (SecretRevealed(1, CHAIN[1], DRAWN[0], agrees=True),)
    assert table.state.chain is not None
    assert table.state.chain.used_up


def test_a_round_whose_dice_are_in_the_journal_is_concluded() -> None:
    table = open_table(equipment=VERIFIABLE).betting(t7={"small": 1_000}).closed().tumbled()
    table.does("device", EnterResult(DRAWN[0]))
    assert table.does("system", ABANDON) == (ABANDONED,)
    table.does("system", ConfirmResult())
    table.does("system", Settle())
    assert table.credits() == 99_000
    table.reveals()
    assert table.refuses("dealer", OpenBets()) == ("CHAIN_USED_UP", None)


def test_a_round_whose_dice_the_device_has_read_waits_for_the_dealer() -> None:
    table = open_table(equipment=BOTH).betting().closed().tumbled()
    table.does("device", EnterResult(DRAWN[0]))
    assert table.does("system", ABANDON) == (ABANDONED,)
    table.does("dealer", EnterResult(DRAWN[0]))


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (AbandonChain("Ann Lee", "ann  LEE", "restored"), "SAME_PERSON"),
        (AbandonChain("Ann Lee", "", "restored"), "NAME_MISSING"),
        (AbandonChain(" ", "Bob Tan", "restored"), "NAME_MISSING"),
        (AbandonChain("Ann Lee", "Bob Tan", " "), "NOTE_MISSING"),
    ],
)
def test_abandoning_a_chain_takes_two_persons_who_say_why(command: AbandonChain, code: str) -> None:
    assert open_table(equipment=VERIFIABLE).refuses("system", command) == (code, None)


def test_only_a_chain_that_is_there_is_abandoned() -> None:
    assert open_table().refuses("system", ABANDON) == ("NOT_VERIFIABLE", None)
    table = unpublished()
    assert table.refuses("system", ABANDON) == ("NO_CHAIN", None)
    assert table.refuses("shift-manager", ABANDON) == ("NOT_ALLOWED", None)


def test_what_waits_for_a_second_person_does_not_outlast_a_chain_that_is_abandoned() -> None:
    table = open_table(equipment=VERIFIABLE)
    table.does("technician", EnrolTerminal("9", "place 9"))
    table.does("system", ABANDON)
    assert table.state.pending is None


# --- retiring a chain ----------------------------------------------------------------------------


def test_after_a_chain_is_retired_the_next_round_needs_another() -> None:
    table = open_table(equipment=VERIFIABLE)
    plays(table, *DRAWN[0])
    assert table.does("system", RetireChain("cut off")) == (ChainRetired("cut off"),)
    # The owed secrets are still revealed, and until then no round begins.
    assert table.refuses("dealer", OpenBets()) == ("SECRET_TO_REVEAL", None)
    # A chain is ended once, even with a secret owed: otherwise it would be ended again for ever.
    assert table.refuses("system", RetireChain("cut off")) == ("CHAIN_USED_UP", None)
    table.reveals()
    assert table.refuses("dealer", OpenBets()) == ("CHAIN_USED_UP", None)
    table.does("system", PublishChain(secret_chain(b"y" * 32, 2)[0], 2, SEALED))
    table.betting()


def test_no_round_is_void_by_retiring_its_chain() -> None:
    table = open_table(equipment=VERIFIABLE)
    table.betting()
    assert table.refuses("system", RetireChain("cut off")) == ("ROUND_UNDER_WAY", None)


def test_only_a_chain_that_goes_on_is_retired_and_somebody_says_why() -> None:
    table = open_table(equipment=VERIFIABLE)
    assert table.refuses("system", RetireChain(" ")) == ("NOTE_MISSING", None)
    assert table.refuses("supervisor", RetireChain("cut off"))[0] == "NOT_ALLOWED"
    table.does("system", RetireChain("cut off"))
    assert table.refuses("system", RetireChain("cut off")) == ("CHAIN_USED_UP", None)
    assert open_table().refuses("system", RetireChain("cut off")) == ("NOT_VERIFIABLE", None)
    assert unpublished().refuses("system", RetireChain("cut off")) == ("NO_CHAIN", None)
