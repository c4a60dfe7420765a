"""Every single bit of some bytes flipped, one at a time."""

from collections.abc import Iterator


def flips(data: bytes) -> Iterator[bytes]:
    """Give the bytes with each of their bits flipped in turn."""
    for place in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[place] ^= 1 << bit
            yield bytes(flipped)
