"""The house's side of a verifiable table: what it owes, what it draws, and how it restarts."""

import asyncio
import hashlib

import msgspec
import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from taisai.core.kernel.messages import Equipment
from taisai.core.snapshots import pack_table, unpack_table
from taisai.core.streams import TableEvent
from taisai.core.table.interruption import InterruptionRecorded, RecordInterruption
from taisai.core.table.positions import ReceiveCredits
from taisai.core.table.provably_fair import ChainPublished, PublishChain, SecretRevealed
from taisai.core.table.round import (
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.setup import OpenTable, RegisterDice
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.tumblers import (
    CHAIN_LENGTH,
    SealBrokenError,
    Sealer,
    TumblerFault,
    VerifiableTumbler,
    link_at,
    links_from,
)
from tests.kit.tables import Table, open_table

KEY = bytes(range(32))
VERIFIABLE = Equipment("verifiable")


def tumbler_of(length: int = 3, key: bytes = KEY) -> VerifiableTumbler:
    return VerifiableTumbler(Sealer(key), length)


def new_table(tumbler: VerifiableTumbler, address: str = "ts6/2") -> Table:
    """Open a table and let its venue publish what it owes."""
    table = Table(address).created(VERIFIABLE).adopted()
    says_all(table, tumbler)
    return opened(table)


def opened(table: Table) -> Table:
    table.does("supervisor", RegisterDice("D1", "S1"))
    table.does("supervisor", OpenTable())
    table.does("system", ReceiveCredits("cage-7", "7", 100_000))
    return table


def says_all(table: Table, tumbler: VerifiableTumbler) -> list[TableEvent]:
    """Give the owed commands until none is owed."""
    told: list[TableEvent] = []
    while (owed := tumbler.owed(table.state)) is not None:
        told += table.does("system", owed)
    return told


def closed_round(table: Table) -> None:
    table.betting(t7={"small": 1_000}).closed()


def concludes(table: Table, tumbler: VerifiableTumbler) -> tuple[int, int, int]:
    """Tumble, draw, settle."""
    faces = asyncio.run(tumbler.draw(table.state.table, table.state.round))
    table.does("device", RecordTumble(3))
    table.does("device", EnterResult(faces))
    table.does("system", ConfirmResult())
    table.does("system", Settle())
    return faces


def replayed(table: Table) -> Table:
    """Replay a table from its journal."""
    again = Table(table.address)
    for event in msgspec.json.decode(msgspec.json.encode(table.told), type=list[TableEvent]):
        again.applies(event)
    return again


def test_a_table_is_played_from_publication_to_publication() -> None:
    tumbler = tumbler_of(length=2)
    table = new_table(tumbler)
    for number in range(1, 6):
        closed_round(table)
        assert tumbler.owed(table.state) is None
        faces = concludes(table, tumbler)
        told = says_all(table, tumbler)
        revealed = told[0]
        assert isinstance(revealed, SecretRevealed)
        assert (revealed.round, revealed.drawn, revealed.agrees) == (number, faces, True)
        assert len(told) == (2 if number % 2 == 0 else 1), "two rounds to a chain, then another"
    chains = [event for event in table.told if isinstance(event, ChainPublished)]
    assert [chain.first for chain in chains] == [1, 3, 5]
    assert len({chain.commitment for chain in chains}) == 3


def test_the_same_chain_is_offered_until_a_journal_has_it() -> None:
    tumbler = tumbler_of()
    table = Table().created(VERIFIABLE)
    assert tumbler.owed(table.state) == tumbler.owed(table.state)


def test_a_chain_has_ten_thousand_secrets_unless_told_otherwise() -> None:
    owed = VerifiableTumbler(Sealer(KEY)).owed(Table().created(VERIFIABLE).state)
    assert isinstance(owed, PublishChain)
    assert owed.length == CHAIN_LENGTH == 10_000
    assert len(bytes.fromhex(owed.sealed)) == 12 + 32 + 16


def test_a_chain_goes_back_from_its_last_secret_by_sha256() -> None:
    last = b"z" * 32
    links = links_from(last, 3)
    assert len(links) == 4 * 32
    assert link_at(links, 3) == last
    for index in (2, 1, 0):
        assert link_at(links, index) == hashlib.sha256(link_at(links, index + 1)).digest()


@pytest.mark.parametrize("kind", ["keyed", "simulated", "reader"])
def test_nothing_is_owed_at_other_tables(kind: str) -> None:
    table = open_table(equipment=Equipment(kind))  # type: ignore[arg-type]
    assert tumbler_of().owed(table.state) is None


# --- after a crash -------------------------------------------------------------------------------


def test_after_a_crash_the_round_is_concluded_with_the_dice_that_were_bound() -> None:
    """Journal and key are all that is left; the dice are those that were committed to [D9]."""
    first = tumbler_of()
    table = new_table(first)
    closed_round(table)
    bound = first.drawn("T1", 1)
    table, second = replayed(table), tumbler_of()
    conclude = table.does("system", RecordInterruption("power"))[0]
    assert isinstance(conclude, InterruptionRecorded)
    assert conclude.ruling == "conclude"
    second.follow(table.state)
    assert concludes(table, second) == bound
    revealed = says_all(table, second)[0]
    assert isinstance(revealed, SecretRevealed)
    assert revealed.agrees


def test_after_a_crash_the_secret_that_is_owed_is_revealed_first() -> None:
    first = tumbler_of()
    table = new_table(first)
    closed_round(table)
    concludes(table, first)
    table, second = replayed(table), tumbler_of()
    assert table.refuses("dealer", OpenBets()) == ("SECRET_TO_REVEAL", None)
    assert second.owed(table.state) == first.owed(table.state)
    says_all(table, second)
    closed_round(table)
    concludes(table, second)


def test_a_snapshot_holds_what_a_tumbler_needs() -> None:
    first = tumbler_of()
    table = new_table(first)
    closed_round(table)
    again = unpack_table(pack_table(table.state), {})
    second = tumbler_of()
    second.follow(again)
    assert again.chain == table.state.chain
    assert second.drawn("T1", 1) == first.drawn("T1", 1)


def test_a_publication_that_was_lost_is_made_anew() -> None:
    """A decision that was not written leaves a table without its chain; another one is offered."""
    tumbler = tumbler_of()
    table = Table().created(VERIFIABLE)
    before = replayed(table)
    says_all(table, tumbler)
    lost = table.state.chain
    says_all(before, tumbler)
    assert lost is not None
    assert before.state.chain is not None
    assert before.state.chain.commitment != lost.commitment
    tumbler.follow(before.state)
    assert tumbler.drawn("T1", 1)


def test_a_used_up_chain_needs_no_key_any_more() -> None:
    first = tumbler_of(length=1)
    table = new_table(first)
    closed_round(table)
    concludes(table, first)
    table.does("system", first.owed(table.state) or OpenBets())
    another_key = tumbler_of(key=bytes(32))
    assert isinstance(another_key.owed(table.state), PublishChain)


@pytest.mark.parametrize("number", [-1, 0, 4, 10**9])
def test_a_round_without_a_secret_is_a_fault(number: int) -> None:
    tumbler = tumbler_of(length=3)
    new_table(tumbler)
    with pytest.raises(TumblerFault, match=f"no secret is published for round {number}"):
        asyncio.run(tumbler.draw("T1", number))


def test_a_tumbler_that_follows_no_table_has_no_dice() -> None:
    with pytest.raises(TumblerFault, match="no secret is published"):
        asyncio.run(tumbler_of().draw("T1", 1))


# --- the seal ------------------------------------------------------------------------------------


def test_what_is_sealed_is_chacha20_poly1305_bound_to_table_and_commitment() -> None:
    secret = b"s" * 32
    sealed = bytes.fromhex(Sealer(KEY).seal(secret, "T1", "ab" * 32))
    bound = b"T1:" + b"ab" * 32
    assert ChaCha20Poly1305(KEY).decrypt(sealed[:12], sealed[12:], bound) == secret
    assert secret not in sealed


def test_the_same_secret_is_never_sealed_alike() -> None:
    sealer = Sealer(KEY)
    assert len({sealer.seal(b"s" * 32, "T1", "ab" * 32) for _ in range(100)}) == 100


@pytest.mark.parametrize(
    ("key", "table", "commitment", "sealed"),
    [
        (bytes(32), "T1", "ab" * 32, None),
        (KEY, "T2", "ab" * 32, None),
        (KEY, "T1", "ac" * 32, None),
        (KEY, "T1", "ab" * 32, ""),
        (KEY, "T1", "ab" * 32, "00" * 60),
        (KEY, "T1", "ab" * 32, "no hexadecimal"),
    ],
)
def test_a_seal_opens_with_its_key_for_its_table_and_chain_alone(
    key: bytes, table: str, commitment: str, sealed: str | None
) -> None:
    good = Sealer(KEY).seal(b"s" * 32, "T1", "ab" * 32)
    assert Sealer(KEY).open(good, "T1", "ab" * 32) == b"s" * 32
    with pytest.raises(SealBrokenError, match=f"the secrets of table {table} cannot be opened"):
        Sealer(key).open(good if sealed is None else sealed, table, commitment)


def test_any_bit_of_a_seal_that_is_flipped_breaks_it() -> None:
    good = bytes.fromhex(Sealer(KEY).seal(b"s" * 32, "T1", "ab" * 32))
    for position in range(len(good) * 8):
        flipped = bytearray(good)
        flipped[position // 8] ^= 1 << position % 8
        with pytest.raises(SealBrokenError):
            Sealer(KEY).open(flipped.hex(), "T1", "ab" * 32)


def test_a_chain_whose_length_was_changed_does_not_lead_to_what_was_published() -> None:
    table = new_table(tumbler_of())
    assert table.state.chain is not None
    table.state.chain.length += 1
    with pytest.raises(SealBrokenError, match="do not lead to the chain it has published"):
        tumbler_of().follow(table.state)
