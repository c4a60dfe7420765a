"""A long run in parts, several at a time: what they come to is added up, and told as it grows."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, Self, TypeVar


class Addable(Protocol):
    """What the parts of a run come to: added up in any order, the sum is the same."""

    def __add__(self, other: Self, /) -> Self: ...


_Sum = TypeVar("_Sum", bound=Addable)

#: So many parts for each thread are under way, so that none waits and a long run needs no memory.
_AHEAD = 2


def in_parts(
    work: Callable[[int, int], _Sum],
    length: int,
    part: int,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> _Sum:
    """Do `work(start, count)` for every part of a run, and give the sum."""
    bounds = ((start, min(part, length - start)) for start in range(0, length, part))
    done = 0
    total: _Sum | None = None
    for count, answer in _answers(work, bounds, threads):
        total = answer if total is None else total + answer
        done += count
        if progress is not None:
            progress(done)
    assert total is not None, "a run has at least one part"
    return total


def _answers(
    work: Callable[[int, int], _Sum], bounds: Iterator[tuple[int, int]], threads: int
) -> Iterator[tuple[int, _Sum]]:
    if threads == 1:
        yield from ((count, work(start, count)) for start, count in bounds)
        return
    pool = ThreadPoolExecutor(threads)
    waiting: deque[tuple[int, Future[_Sum]]] = deque()
    try:
        for start, count in bounds:
            waiting.append((count, pool.submit(work, start, count)))
            if len(waiting) > threads * _AHEAD:
                oldest, answer = waiting.popleft()
                yield oldest, answer.result()
        for count, answer in waiting:
            yield count, answer.result()
    finally:
        # Whoever stops a long run waits for the parts under way, and for no others.
        pool.shutdown(cancel_futures=True)
