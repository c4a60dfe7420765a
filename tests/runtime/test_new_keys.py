"""Voucher and sealing keys replaced after a loss: the old ones go on for what they made [D39]."""

from pathlib import Path

from taisai.core.cage.state import session_code, voucher_number
from taisai.core.cage.vouchers import PayVoucher, VoucherKeyReplaced
from taisai.core.kernel.messages import Equipment
from taisai.core.rules.reason import Refusal
from taisai.core.venue.setup import SealingKeyReplaced
from taisai.runtime.journal.anchor import ANCHOR_FILE, default_anchor
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.keys.directory import create_keys, load_keys, rotate_keys
from taisai.runtime.keys.files import every
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.runtime.streams import CAGE, VENUE, kind_of
from taisai.runtime.unclaimed import find_unclaimed
from taisai.runtime.verification.verifier import Asked, verify
from taisai.server.accounts.credentials import Credentials, Verifiers, credentials_key
from tests.kit.floor import Floor, run, until
from tests.kit.people import CASHIER

DAY_MS = 86_400_000


async def prove(data: Path) -> None:
    """Prove the journal with all keys of the venue: signatures, seals and the anchor."""
    keys = load_keys(data / KEYS_DIRECTORY)
    journal = await open_journal(data / "venue.sqlite", read_only=True)
    try:
        anchor = default_anchor(data / KEYS_DIRECTORY) / ANCHOR_FILE
        report = await verify(journal, Asked(keys.public, sealing=keys.sealing, anchor=anchor))
    finally:
        await journal.close()
    assert report.verified, report.faults


async def written(floor: Floor, stream: str, kind: type) -> list[object]:
    journal, read = floor.venue.journal, kind_of(stream).read
    events = [read(record) async for page in journal.read(stream) for record in page]
    return [each for each in events if isinstance(each, kind)]


def test_vouchers_that_are_out_keep_their_numbers_under_a_new_key(tmp_path: Path) -> None:
    async def story() -> None:
        directory = tmp_path / KEYS_DIRECTORY
        create_keys(directory)
        old = load_keys(directory).voucher
        floor = await Floor.open(tmp_path / "venue.sqlite", load_keys(directory))
        await floor.found()
        await floor.add_table(equipment=Equipment("verifiable"), terminals=1)
        first, kept = await floor.sell(1_000), await floor.sell(2_000)
        chain = floor.venue.table("T1").chain
        await floor.venue.stop()

        rotate_keys(directory, "Ann", "Bob", replacing=("voucher", "sealing"))
        new = load_keys(directory)
        assert new.voucher not in every(old)
        assert every(new.voucher)[1:] == every(old)
        floor = await Floor.open(tmp_path / "venue.sqlite", new)
        (told,) = await written(floor, CAGE, VoucherKeyReplaced)
        assert isinstance(told, VoucherKeyReplaced)
        # One voucher was sold for the terminal, and two over the counter.
        assert (told.after, told.by, told.second) == (3, "Ann", "Bob")
        assert told.mark == new.public.newest.voucher_mark
        (sealed,) = await written(floor, VENUE, SealingKeyReplaced)
        assert isinstance(sealed, SealingKeyReplaced)
        assert sealed.mark == new.public.newest.sealing_mark

        assert first == voucher_number(old, 2)
        await floor.do(CAGE, CASHIER, PayVoucher(first))
        third = await floor.sell(3_000)
        assert third == voucher_number(new.voucher, 4)
        stolen = PayVoucher(voucher_number(old, 4))
        answer = await floor.send(CAGE, CASHIER, stolen)
        assert isinstance(answer, Refusal)
        assert answer.code == "UNKNOWN_VOUCHER"
        # The holder of the old sealing key would know the dice: no more of them are dealt.
        await until(lambda: floor.venue.table("T1").chain not in (None, chain))
        await floor.venue.stop()
        await prove(tmp_path)

        # A second start reads it back, and announces it to nobody.
        floor = await Floor.open(tmp_path / "venue.sqlite", load_keys(directory))
        assert len(await written(floor, CAGE, VoucherKeyReplaced)) == 1
        assert not floor.venue.has_new_sealing_key
        for number in (kept, third):
            await floor.do(CAGE, CASHIER, PayVoucher(number))
        await floor.venue.stop()
        await prove(tmp_path)

    run(story())


def test_the_code_of_a_session_is_good_for_as_long_as_a_voucher(tmp_path: Path) -> None:
    async def story() -> None:
        directory = tmp_path / KEYS_DIRECTORY
        create_keys(directory)
        old = load_keys(directory).voucher
        floor = await Floor.open(tmp_path / "venue.sqlite", load_keys(directory))
        await floor.found()
        await floor.add_table(terminals=1)
        await floor.venue.stop()
        rotate_keys(directory, "Ann", "Bob", replacing=("voucher",))
        floor = await Floor.open(tmp_path / "venue.sqlite", load_keys(directory))
        cage, now = floor.venue.cage, floor.venue.clock.now()
        tables = {"T1": floor.venue.table("T1")}
        for code, at, found in (
            (session_code(cage.newest_key, "T1", "T1-1@1"), now + 31 * DAY_MS, "NOTHING_UNCLAIMED"),
            (session_code(old, "T1", "T1-1@1"), now, "NOTHING_UNCLAIMED"),
            (session_code(old, "T1", "T1-1@1"), now + 31 * DAY_MS, "UNKNOWN_UNCLAIMED"),
        ):
            answer = find_unclaimed(code, cage, tables, at)
            assert isinstance(answer, Refusal)
            assert answer.code == found
        await floor.venue.stop()

    run(story())


def test_credentials_are_taken_over_once(tmp_path: Path) -> None:
    directory, file = tmp_path / KEYS_DIRECTORY, tmp_path / "credentials.db"
    create_keys(directory)
    credentials = Credentials.open(file, credentials_key(load_keys(directory).sealing))
    credentials.set_verifiers("Ann", Verifiers("a verifier", "another", 7))
    credentials.close()
    rotate_keys(directory, "Ann", "Bob", replacing=("sealing",))
    key = credentials_key(load_keys(directory).sealing)
    credentials = Credentials.open(file, key, renews=True)
    assert credentials.verifiers("Ann") == Verifiers("a verifier", "another", 7)
    credentials.close()
    # From then on only the new key is believed.
    credentials = Credentials.open(file, bytes(key))
    assert credentials.persons() == ["Ann"]
    credentials.close()
