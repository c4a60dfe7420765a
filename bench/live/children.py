"""The processes of a bench: servers on the first core, the generator on the second.

The bench asks each of them in lines of JSON, and each answers every line with one. What fails in
one of them is said in such a line too, and of one that ends the bench says how it ended.
"""

import asyncio
import faulthandler
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import uvloop

ROOT = Path(__file__).resolve().parent.parent.parent
#: A trace of ten minutes has tens of thousands of spans, and is answered in one line.
LINE_MAX = 64 * 1024 * 1024
#: The time after which the bench gives up on any one request.
TIMEOUT_SECONDS = 120
#: The answer of a process in which something failed, and how much of a traceback is said: the pipe
#: has room for it also when the bench reads nothing.
FAULT = "fault"
FAULT_MAX = 20_000

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode

Question = Callable[..., Awaitable[dict[str, Any]]]


def server_core() -> int:
    """Give the core that servers run on."""
    return min(os.sched_getaffinity(0))


def generator_core() -> int:
    """Give the core that the generator runs on: another one, if there is one."""
    return max(os.sched_getaffinity(0))


class Child:
    """A process that the bench started."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        self._name = name
        self._process = process

    @property
    def pid(self) -> int:
        """Give the number of the process."""
        return self._process.pid

    async def ask(self, what: str, **more: Any) -> dict[str, Any]:
        """Send a request, and wait for its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(_encode({"what": what, **more}) + b"\n")
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                line = await self._process.stdout.readline()
                if not line:
                    await self._process.wait()
        except TimeoutError:
            raise RuntimeError(f"{what!r} took {self._name} of the bench too long") from None
        if not line:
            raise RuntimeError(f"asked for {what!r}, {self._how_ended()}")
        answer: dict[str, Any] = _decode(line)
        if FAULT in answer:
            raise RuntimeError(f"asked for {what!r}, {self._name} failed:\n{answer[FAULT]}")
        return answer

    def _how_ended(self) -> str:
        """Say with what status the process has ended, or by which signal."""
        status = self._process.returncode
        assert status is not None, "it has ended"
        how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
        return f"{self._name} of the bench ended {how}"

    async def end(self) -> None:
        """Close the pipe, and wait until the process has ended; say what went wrong meanwhile.

        The figures are all there by then, so that is no reason to lose them.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            last = await self._process.stdout.read()
            await self._process.wait()
        if self._process.returncode != 0 or last:
            faults = [_decode(line).get(FAULT, "") for line in last.splitlines()]
            print(self._how_ended(), *faults, sep="\n", file=sys.stderr)


@asynccontextmanager
async def started(module: str, core: int, *arguments: str) -> AsyncIterator[Child]:
    """Run a module of the bench on a core, until the bench is done with it."""
    command = sys.executable, "-m", f"bench.live.{module}", str(core), *arguments
    async with running(module, *command) as child:
        yield child


@asynccontextmanager
async def running(name: str, *command: str) -> AsyncIterator[Child]:
    """Run a command that answers lines, until the bench is done with it."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LINE_MAX,
    )
    child = Child(name, process)
    try:
        yield child
        await child.end()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


# --- in the process itself -----------------------------------------------------------------------


def run_child(main: Callable[[list[str]], Awaitable[None]]) -> None:
    """Run a process of the bench on its given core."""
    # So that a fault below Python is said, with what Python was at.
    faulthandler.enable()
    os.sched_setaffinity(0, {int(sys.argv[1])})
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)

    async def whole() -> None:
        asyncio.get_running_loop().set_exception_handler(_end_loudly)
        try:
            await main(sys.argv[2:])
        except BaseException as error:
            _say_fault(error)
            raise

    uvloop.run(whole())


def _end_loudly(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """End at once after an error: the bench would wait for an answer that never comes."""
    try:
        loop.default_exception_handler(context)
        _say_fault(context.get("exception"), context.get("message", ""))
    finally:
        os._exit(1)


def _say(answer: dict[str, Any]) -> None:
    sys.stdout.buffer.write(_encode(answer) + b"\n")
    sys.stdout.buffer.flush()


def _say_fault(error: BaseException | None, message: str = "") -> None:
    """Answer with what has failed, whatever the bench asked for, or will ask for next."""
    lines = traceback.format_exception(error) if error is not None else []
    _say({FAULT: "\n".join([message, "".join(lines)]).strip()[-FAULT_MAX:]})


async def answer_lines(questions: Mapping[str, Question]) -> None:
    """Answer the bench's requests one after another, until it closes the pipe."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LINE_MAX)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        asked = _decode(line)
        try:
            answer = await questions[asked.pop("what")](**asked)
        except Exception as error:  # noqa: BLE001 - said at once: to end in order may take long
            _say_fault(error)
        else:
            # The pipe has room for one line, since the bench waits for it.
            _say(answer)


def memory_bytes() -> int:
    """Give the resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def processor_seconds(pid: int) -> float:
    """Give the processor time of another process."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    # Fields 14 and 15 of the line: the first one after the name in brackets is field 3.
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def used(batches: int) -> dict[str, Any]:
    """Give the resources that this server has used so far, and its number of commits."""
    return {"cpu": time.process_time(), "memory": memory_bytes(), "batches": batches}
