"""Memory in large pages: which memory is worth it, and that its content stays as it is."""

import asyncio
import ctypes
import mmap
from collections.abc import Iterator
from contextlib import contextmanager

from taisai.runtime.operations.memory import IN_USE, LARGE, LargePages, put_all_together

PAGES = LARGE // mmap.PAGESIZE


@contextmanager
def memory(filled: int) -> Iterator[tuple[mmap.mmap, int]]:
    """Give memory for a large page, with this many small pages of it in use, and its address."""
    with mmap.mmap(-1, 2 * LARGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as held:
        # If the system gives large pages unasked, the first byte would bring one.
        held.madvise(mmap.MADV_NOHUGEPAGE)
        seen = (ctypes.c_char * (2 * LARGE)).from_buffer(held)
        offset = -ctypes.addressof(seen) % LARGE
        start = ctypes.addressof(seen) + offset
        # Only pages that were written to are there.
        for page in range(filled):
            held[offset + page * mmap.PAGESIZE] = page % 251
        del seen
        yield held, start


def test_memory_that_is_mostly_in_use_is_worth_a_large_page() -> None:
    with memory(round(PAGES * IN_USE)) as (_, start):
        assert start in [*LargePages().worthwhile()]


def test_memory_that_is_hardly_used_is_left_as_it_is() -> None:
    with memory(round(PAGES * IN_USE) - 1) as (_, start):
        assert start not in [*LargePages().worthwhile()]


def test_what_is_put_together_holds_what_it_held_and_is_not_asked_for_again() -> None:
    pages = LargePages()
    with memory(PAGES) as (held, start):
        before = held[:]
        asyncio.run(put_all_together(pages))
        assert start not in [*pages.worthwhile()]
        assert held[:] == before


def test_memory_has_grown_only_by_what_came_since_it_was_last_asked() -> None:
    pages = LargePages()
    assert pages.grown()
    # Much more than Linux counts per processor before it adds up.
    more = bytearray(b"x") * (32 * LARGE)
    assert pages.grown()
    assert not pages.grown()
    assert len(more) == 32 * LARGE
