"""The memory of a process that runs for months: garbage collection, and large pages.

A bet reads the data of one of thousands of terminals, in no order, and so many pages of memory. To
find where each page is took up to a tenth of a bet's time, and nearly nothing where Linux has put
512 of them together into a large one. Linux does so where it is asked to, in steps of 2 MB.
"""

import asyncio
import ctypes
import gc
import logging
import mmap
import sys
from collections.abc import Iterator
from pathlib import Path

#: A full garbage collection runs this often, since Python does none by itself here.
COLLECT_SECONDS = 3_600.0
#: How often it is checked whether the process has new memory.
GROWN_SECONDS = 5.0
#: The size of a large page, and how much of it must be in use for it to be worth making.
LARGE = 2 * 1024 * 1024
IN_USE = 0.75

#: Since Linux 6.1: make a large page now (`include/uapi/asm-generic/mman-common.h`).
_MADV_COLLAPSE = 25
_MAPS, _PAGES = Path("/proc/self/maps"), Path("/proc/self/pagemap")
_RESIDENT = Path("/proc/self/statm")
#: Bytes of a page's entry in the page map; the last has the highest bit set if it is in memory.
_ENTRY = 8
_NOT_THERE = bytes(range(0x80))

_log = logging.getLogger(__name__)


async def look_after_memory() -> None:
    """Collect garbage once an hour, and put new memory into large pages."""
    loop = asyncio.get_running_loop()
    pages, collected = LargePages() if sys.platform == "linux" else None, loop.time()
    while True:
        try:
            if pages is not None and pages.grown():
                await put_all_together(pages)
        except OSError as error:
            _log.info("memory stays in small pages: %s", error)
            pages = None
        await asyncio.sleep(GROWN_SECONDS)
        if loop.time() - collected >= COLLECT_SECONDS:
            gc.collect()
            collected = loop.time()


async def put_all_together(pages: "LargePages") -> None:
    """Make large pages one at a time: while one is made, the process waits if it reads there."""
    for start in await asyncio.to_thread(lambda: [*pages.worthwhile()]):
        await asyncio.to_thread(pages.put_together, start)


class LargePages:
    """Finds the memory of this process that is worth large pages, and makes them."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._resident = 0
        self._madvise = ctypes.CDLL(None, use_errno=True).madvise
        self._madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)

    def grown(self) -> bool:
        """Say whether memory has grown by a large page since the last call."""
        resident = int(_RESIDENT.read_text("ascii").split()[1]) * mmap.PAGESIZE
        grown = resident - self._resident >= LARGE
        if grown:
            self._resident = resident
        return grown

    def worthwhile(self) -> Iterator[int]:
        """Find places for large pages that are mostly in use, and were not asked for yet."""
        with _PAGES.open("rb", buffering=0) as pages:
            for start in _places():
                if start in self._seen:
                    continue
                pages.seek(start // mmap.PAGESIZE * _ENTRY)
                said = pages.read(LARGE // mmap.PAGESIZE * _ENTRY)
                # Counted at once: one by one, a bet would wait for the interpreter meanwhile.
                there = len(said[_ENTRY - 1 :: _ENTRY].translate(None, _NOT_THERE))
                if there >= IN_USE * (LARGE // mmap.PAGESIZE):
                    yield start

    def put_together(self, start: int) -> bool:
        """Have a large page made here; an older system does it later, when it has time."""
        self._seen.add(start)
        self._madvise(start, LARGE, mmap.MADV_HUGEPAGE)
        if self._madvise(start, LARGE, _MADV_COLLAPSE):
            _log.debug("no large page at %x: error %d", start, ctypes.get_errno())
            return False
        return True


def _places() -> Iterator[int]:
    """Give the places where large pages could begin: in private memory without a file."""
    for line in _MAPS.read_text("utf-8").splitlines():
        bounds, rights, _, _, _, *name = line.split(maxsplit=5)
        if rights != "rw-p" or name not in ([], ["[heap]"]):
            continue
        start, end = (int(bound, 16) for bound in bounds.split("-"))
        yield from range(-(-start // LARGE) * LARGE, end - LARGE + 1, LARGE)
