"""A load spread over several processes: each has a share, and reports what it has counted."""

import asyncio
import resource
import sys
from collections.abc import Callable, Sequence

import msgspec
import uvloop
from msgspec import Struct

from taisai import child_processes
from taisai.bots.load import LoadRun, Report, Share, Stage
from taisai.bots.tally import Tally
from taisai.client import ClientError

#: A tally with a full histogram takes a tenth of it.
LINE_BYTES_MAX = 256 * 1024


#: What a process has open besides its connections.
SPARE = 100


class Progress(Struct, frozen=True):
    """What a process reports: its tally so far, and why it failed if it did."""

    tally: Tally
    stage: Stage = "connecting"
    seconds: float = 0.0
    failed: str | None = None


_write = msgspec.json.Encoder().encode
_read = msgspec.json.Decoder(Progress).decode
_read_share = msgspec.json.Decoder(Share).decode


def shares(share: Share, processes: int) -> list[Share]:
    """Divide a load: every process gets terminals of every table."""
    divided = [share.keys[number::processes] for number in range(processes)]
    return [msgspec.structs.replace(share, keys=keys) for keys in divided if keys]


async def run_load(share: Share, processes: int, report: Report) -> Tally:
    """Do a load in this process, or in several others."""
    if processes == 1:
        return await LoadRun(share, report).run()
    divided = shares(share, processes)
    newest = [Progress(Tally(terminals=len(each.keys))) for each in divided]

    def take(number: int, progress: Progress) -> None:
        newest[number] = progress
        # The slowest says what all are doing.
        stages: Sequence[Stage] = ("connecting", "betting", "ending")
        stage = min((each.stage for each in newest), key=stages.index)
        report(_sum(newest), stage, min(each.seconds for each in newest))

    async with asyncio.TaskGroup() as group:
        for number, each in enumerate(divided):
            group.create_task(_run_elsewhere(number, each, take))
    failed = [each.failed for each in newest if each.failed is not None]
    if failed:
        raise ClientError(failed[0])
    return _sum(newest)


def _sum(newest: list[Progress]) -> Tally:
    tally = Tally()
    for each in newest:
        tally.merge(each.tally)
    return tally


async def _run_elsewhere(number: int, share: Share, take: Callable[[int, Progress], None]) -> None:
    """Run a share in a process of its own, and take what it reports."""
    process = await child_processes.begin("taisai.bots.processes", LINE_BYTES_MAX)
    try:
        async for line in child_processes.lines_of(process, _write(share)):
            take(number, _read(line))
        await process.wait()
    finally:
        await child_processes.end(process)
    if process.returncode:
        failed = f"a process of the load ended with status {process.returncode}"
        take(number, Progress(Tally(), failed=failed))


def allow_open_files(wanted: int) -> int:
    """Raise what this process may have open as far as is allowed, and give how much that is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft != unlimited and soft < wanted:
        soft = wanted if hard == unlimited else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == unlimited else soft


def main() -> None:
    """Be one of the processes: a share comes in, tallies go out."""
    share = _read_share(sys.stdin.buffer.read())

    def report(tally: Tally, stage: Stage, seconds: float, failed: str | None = None) -> None:
        sys.stdout.buffer.write(_write(Progress(tally, stage, seconds, failed)) + b"\n")
        sys.stdout.buffer.flush()

    async def run() -> None:
        load = LoadRun(share, report)
        try:
            report(await load.run(), "ending", share.seconds)
        except ClientError as error:
            report(load.tally, "ending", 0.0, str(error))

    uvloop.run(run())


if __name__ == "__main__":
    main()
