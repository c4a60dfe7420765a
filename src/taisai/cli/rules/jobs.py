"""Lines settled by several processes at once, with the answers in the order of the lines.

Blocks of lines are given to each process in turn. Each process writes its answers itself when it is
its turn, and goes on with other blocks until then: so answers are in order and never copied. A
thread reads and distributes, so that a program that feeds a pipe and waits for an answer gets it.
"""

import errno
import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BufferedReader, FileIO
from itertools import chain
from queue import SimpleQueue
from select import select
from struct import Struct
from threading import Semaphore, Thread
from typing import BinaryIO, NamedTuple

from taisai.cli.command import Refused
from taisai.cli.rules.round_input import LINE_MAX, pass_over_rest

#: Large enough that distributing costs little, small enough to keep all processes busy.
_BLOCK_BYTES = 256 * 1024
#: The most unfinished blocks of a process: some answered and kept until their turn, one being
#: answered, and the next one waiting.
_UNDER_WAY = 5
_KEPT_MAX = 3
#: The message about a block for a process: its first line, where it begins, and its size.
_HEADER = Struct("!qqq")

#: Answers a block, given the number of its first line: the answers, the lines, those refused.
AnswerBlock = Callable[[int, bytes], tuple[bytes, int, int]]


class Block(NamedTuple):
    """Whole lines: the number of the first, and where in the file they begin; -1 in a pipe."""

    first: int
    begins: int
    lines: bytes


class _Worker(NamedTuple):
    """A process that settles blocks: the pipe for blocks to it, and the pipe for its reports."""

    pid: int
    dealt: BinaryIO
    said: BinaryIO


def answers_of_processes(
    file: BinaryIO, answer: AnswerBlock, jobs: int
) -> Iterator[tuple[bytes, int, int]]:
    """Answer the lines of a file in order, block by block; return how many there were."""
    # A separate reader: the end of the process does not wait for it while it still reads.
    reader = BufferedReader(FileIO(os.dup(file.fileno())), _BLOCK_BYTES)
    blocks = blocks_of(reader)
    first = next(blocks, None)
    if first is None:
        return
    # Answering here first fills the caches with which every process, a copy of this one, begins.
    yield answer(1, first.lines)
    sys.stdout.buffer.flush()
    workers = _begin(reader.fileno(), answer, jobs)
    try:
        turns: SimpleQueue[_Worker | BaseException | None] = SimpleQueue()
        free = Semaphore(_UNDER_WAY * jobs)
        Thread(target=_deal, args=(blocks, workers, turns, free), daemon=True).start()
        while (turn := turns.get()) is not None:
            if isinstance(turn, BaseException):
                raise turn
            yield b"", *_said_by(turn)
            free.release()
    except BaseException:
        for worker in workers:
            os.kill(worker.pid, signal.SIGKILL)
        raise
    finally:
        for worker in workers:
            worker.dealt.close()
            os.waitpid(worker.pid, 0)


def blocks_of(file: "BufferedReader[FileIO]") -> Iterator[Block]:
    """Read blocks of whole lines as soon as there are any; cut lines that are too long."""
    first, seekable = 1, file.seekable()
    begins = file.tell() if seekable else -1
    while lines := file.read1(_BLOCK_BYTES):
        if not lines.endswith(b"\n"):
            lines += file.readline(LINE_MAX + 1)
            if not lines.endswith(b"\n"):
                pass_over_rest(file)
        yield Block(first, begins, lines)
        first += lines.count(b"\n") + (not lines.endswith(b"\n"))
        begins = file.tell() if seekable else -1


def _deal(
    blocks: Iterator[Block],
    workers: list[_Worker],
    turns: "SimpleQueue[_Worker | BaseException | None]",
    free: Semaphore,
) -> None:
    """Give blocks to the processes in turn, and note the order."""
    try:
        for place, block in enumerate(blocks):
            free.acquire()
            worker = workers[place % len(workers)]
            # The end of a process is noticed by the thread that waits for its reports.
            turns.put(worker)
            worker.dealt.write(_HEADER.pack(block.first, block.begins, len(block.lines)))
            if block.begins < 0:
                worker.dealt.write(block.lines)
            worker.dealt.flush()
    except BrokenPipeError:
        pass
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised where it is seen
        turns.put(error)
    turns.put(None)


def _said_by(worker: _Worker) -> tuple[int, int]:
    """Wait until a process has written its answers; return the lines, and those refused."""
    said = worker.said.readline().split()
    if not said:
        raise Refused("a process that settled rounds has ended by itself")
    lines, refused, failed = map(int, said)
    if failed:
        raise OSError(failed, os.strerror(failed))
    return lines, refused


# --- the processes -------------------------------------------------------------------------------


def _begin(file: int, answer: AnswerBlock, jobs: int) -> list[_Worker]:
    """Start the processes, each with a pipe to the next, by which it passes on the turn."""
    # Objects made so far are not scanned for garbage, so their memory stays shared.
    gc.freeze()
    rings = [os.pipe() for _ in range(jobs)]
    os.write(rings[0][1], b"\n")
    workers: list[_Worker] = []
    for place in range(jobs):
        deals, says = os.pipe(), os.pipe()
        pid = os.fork()
        if pid == 0:
            mine = (deals[0], rings[place][0], rings[(place + 1) % jobs][1], says[1])
            theirs = [each.fileno() for worker in workers for each in worker[1:]]
            for other in {*chain(*rings), deals[1], says[0], *theirs} - {*mine}:
                os.close(other)
            _work(*mine, file, answer)
        os.close(deals[0])
        os.close(says[1])
        workers.append(_Worker(pid, os.fdopen(deals[1], "wb"), os.fdopen(says[0], "rb")))
    for end in chain(*rings):
        os.close(end)
    return workers


def _work(dealt: int, turn: int, next_turn: int, says: int, file: int, answer: AnswerBlock) -> None:
    """Answer blocks until there are no more, and end; only the parent process stops it earlier."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = _Answers(turn, next_turn, says)
    try:
        while header := _exactly(dealt, _HEADER.size):
            first, begins, size = _HEADER.unpack(header)
            block = _exactly(dealt, size) if begins < 0 else os.pread(file, size, begins)
            answers.kept.append(answer(first, block))
            answers.write_until(dealt)
        while answers.kept:
            answers.write_next()
    except _OverError:
        pass
    finally:
        # The exit handlers of the parent process must not run here.
        os._exit(0)


class _OverError(Exception):
    """Neither this process nor the one before it can write any more."""


class _Answers:
    """The answers of a process, each kept until it is its turn to be written."""

    def __init__(self, turn: int, next_turn: int, says: int) -> None:
        self._turn, self._next_turn, self._says = turn, next_turn, says
        self._out = sys.stdout.fileno()
        self.kept: deque[tuple[bytes, int, int]] = deque()

    def write_until(self, dealt: int) -> None:
        """Write kept answers while it is their turn, until there is another block to answer."""
        while self.kept:
            awaited = [self._turn] if len(self.kept) == _KEPT_MAX else [self._turn, dealt]
            if self._turn not in select(awaited, [], [])[0]:
                return
            self.write_next()

    def write_next(self) -> None:
        """Write the answers to one block in their turn, say so, and pass the turn on."""
        answers, lines, refused = self.kept.popleft()
        if not os.read(self._turn, 1):
            raise _OverError
        failed = _written(self._out, answers)
        os.write(self._says, b"%d %d %d\n" % (lines, refused, failed))
        if failed:
            raise _OverError
        # The next process may have ended, since there is no more work for it.
        with suppress(BrokenPipeError):
            os.write(self._next_turn, b"\n")


def _exactly(dealt: int, size: int) -> bytes:
    """Read so many bytes, or nothing if there are no more blocks."""
    parts: list[bytes] = []
    while size and (part := os.read(dealt, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _written(out: int, answers: bytes) -> int:
    """Write answers; return the error number, or 0."""
    rest = memoryview(answers)
    try:
        while rest:
            rest = rest[os.write(out, rest) :]
    except OSError as error:
        return error.errno or errno.EIO
    return 0
