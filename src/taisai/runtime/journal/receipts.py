"""Receipts: signing them, and checking them against keys and a journal.

What a round's receipt says comes from `records.receipts`; here it is signed like any other.
"""

from pathlib import Path

import msgspec

from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Instant
from taisai.core.rules.reason import printable
from taisai.protocol.receipts import Receipt, RoundReceipt
from taisai.runtime.journal.contract import Head, Journal
from taisai.runtime.keys.files import read_file
from taisai.runtime.keys.signing import PublicKeys, Signer

RECEIPT_DOMAIN = b"taisai receipt\0"
ROUND_DOMAIN = b"taisai round receipt\0"
#: A receipt is a few hundred bytes, however it is formatted.
RECEIPT_FILE_MAX = 16 * 1024

_encode = msgspec.json.Encoder(order="sorted").encode


class ReceiptError(SentenceError):
    """A receipt is not valid, or the journal lacks what it attests; the sentence says why."""


def sign_receipt(stream: str, head: Head, at: Instant, signer: Signer) -> Receipt:
    """Sign the durable head of a stream."""
    said = Receipt(stream, head.version, head.hash.hex(), at, signer.key_id)
    return msgspec.structs.replace(said, signature=signer.sign(_signed_part(said)).hex())


def sign_round(said: RoundReceipt, signer: Signer) -> RoundReceipt:
    """Sign a round's outcome for a player."""
    said = msgspec.structs.replace(said, key=signer.key_id)
    return msgspec.structs.replace(said, signature=signer.sign(_signed_part(said)).hex())


def check_receipt(receipt: Receipt | RoundReceipt, public: PublicKeys) -> None:
    """Refuse a receipt that no key of this venue has signed."""
    if not public.verify(receipt.key, _signed_part(receipt), bytes.fromhex(receipt.signature)):
        raise ReceiptError(
            f"the receipt is not signed by the key {printable(receipt.key)!r} of"
            " this venue, or was altered"
        )


async def hold_against(receipt: Receipt | RoundReceipt, journal: Journal) -> None:
    """Refuse a journal that lacks, or has otherwise, what the venue signed."""
    stream, version = receipt.stream, receipt.version
    heads = await journal.heads([stream])
    ends = heads[stream].version if stream in heads else 0
    if ends < version:
        raise ReceiptError(
            f"{printable(stream)} ends at version {ends}, and the venue signed that it had"
            f" {version}: its end was cut off, or an older journal was put in its place"
        )
    found = await journal.records(stream, [version])
    if not found or found[0].hash.hex() != receipt.hash:
        raise ReceiptError(
            f"{printable(stream)} is another at version {version} than the venue signed for: it is"
            " another history"
        )


def read_receipt(file: Path) -> Receipt | RoundReceipt:
    """Read, and do not check, a receipt that a terminal or a player kept."""
    data = read_file(file, secret=False, most=RECEIPT_FILE_MAX)
    try:
        told = msgspec.json.decode(data)
        if isinstance(told, dict) and "round" in told:
            return msgspec.convert(told, RoundReceipt)
        return msgspec.convert(told, Receipt)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ReceiptError(f"{file} is no receipt: {error}") from None


def _signed_part(receipt: Receipt | RoundReceipt) -> bytes:
    domain = ROUND_DOMAIN if isinstance(receipt, RoundReceipt) else RECEIPT_DOMAIN
    return domain + _encode(msgspec.structs.replace(receipt, signature=""))
