"""The work behind `taisai bots`: many terminals that bet at once, with a live display."""

import argparse
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import msgspec
import uvloop
from rich.console import Console
from rich.live import Live
from rich.table import Table

from taisai.bots.load import Share, Stage
from taisai.bots.processes import SPARE, allow_open_files, run_load
from taisai.bots.tally import EARNED, Tally
from taisai.cli.command import Output, Refused, pick
from taisai.cli.text import align
from taisai.client import ClientError
from taisai.client.http import demo_terminals
from taisai.protocol.client_messages import TerminalKey

PROCESSES_MAX = 64
#: How often a plain line is printed when there is no display.
LINE_SECONDS = 5.0
_STAGES = {"connecting": "connecting", "betting": "betting", "ending": "last answers"}


def bots_output(arguments: argparse.Namespace) -> Output:
    """Run the bots, and count their bets and answers."""
    _check(arguments)
    with _Display(arguments) as display:
        try:
            tally, seconds = uvloop.run(_play(arguments, display))
        except* ClientError as errors:
            raise Refused(str(_first(errors))) from None
    faults = tally.faults()
    if not arguments.json:
        for fault in faults:
            print(f"taisai: {fault}", file=sys.stderr)
    return Output(
        lambda: _answer(tally, seconds, faults),
        lambda: _summary(tally, seconds),
        status=1 if faults else 0,
    )


async def _play(arguments: argparse.Namespace, display: "_Display") -> tuple[Tally, float]:
    keys = await _terminals(arguments, display)
    share = Share(arguments.address, keys, arguments.seconds, arguments.rate)
    return await run_load(share, arguments.processes, display.show), arguments.seconds


async def _terminals(arguments: argparse.Namespace, display: "_Display") -> list[TerminalKey]:
    """Read terminal keys from a file, or get terminals from a demo venue."""
    if arguments.keys is not None:
        return _read_keys(Path(arguments.keys), arguments.terminals)
    keys: list[TerminalKey] = []
    async for more in demo_terminals(arguments.address, arguments.terminals):
        keys += more
        display.say(f"{len(keys):,} of {arguments.terminals:,} terminals are made")
    return keys


def _read_keys(file: Path, count: int) -> list[TerminalKey]:
    """Read as many keys as are needed; a wrong line is named by its number and not shown."""
    keys = []
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                keys.append(msgspec.json.decode(line, type=TerminalKey))
            except msgspec.MsgspecError:
                raise Refused(
                    f"{file}, line {number}: it is no key of a terminal; one is written as"
                    ' {"table": …, "terminal": …, "key": …}'
                ) from None
            if len(keys) == count:
                return keys
    raise Refused(f"{file} has {len(keys):,} keys of terminals, and {count:,} are asked for")


def _check(arguments: argparse.Namespace) -> None:
    terminals, processes = arguments.terminals, arguments.processes
    if not 0 < arguments.seconds <= 86_400:
        raise Refused(f"--seconds is {arguments.seconds:g}; more than 0, up to 86,400, is right")
    if not 0 < arguments.rate <= 1_000:
        raise Refused(f"--rate is {arguments.rate:g}; more than 0, up to 1,000, is right")
    if not 1 <= processes <= min(PROCESSES_MAX, terminals):
        most = min(PROCESSES_MAX, terminals)
        raise Refused(f"--processes is {processes}; a number from 1 to {most} is right")
    each = -(-terminals // processes) + SPARE
    allowed = allow_open_files(each)
    if allowed < each:
        raise Refused(
            f"{terminals:,} terminals in {processes} process(es) need {each:,} open files in each,"
            f" and this system allows {allowed:,}; raise that with 'ulimit -n', or ask for more"
            " --processes"
        )


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    found: BaseException = errors
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found


class _Display:
    """The display of a run: a live table, or a line now and then; nothing with JSON."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        console = Console(stderr=True)
        self._quiet = arguments.json
        self._seconds = arguments.seconds
        self._live = Live(console=console, transient=True, refresh_per_second=4)
        self._watched = console.is_terminal and not self._quiet
        self._open = ExitStack()
        self._line_at = 0.0
        self._before = (0, time.monotonic())

    def __enter__(self) -> Self:
        if self._watched:
            self._open.enter_context(self._live)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def say(self, sentence: str) -> None:
        """Show the progress of the preparations."""
        if self._watched:
            self._live.update(sentence)
        else:
            self._line(sentence)

    def show(self, tally: Tally, stage: Stage, seconds: float) -> None:
        """Show the counts so far."""
        rate = self._rate(tally)
        if self._watched:
            self._live.update(self._table(tally, stage, seconds, rate))
            return
        self._line(
            f"{_STAGES[stage]}: {tally.connected:,} of {tally.terminals:,} connected,"
            f" {tally.registered:,} registered, {sum(tally.refused.values()):,} refused,"
            f" {rate:,.0f} answers a second, p99 {_ms(tally.latencies.at(0.99))}"
        )

    def _line(self, sentence: str) -> None:
        now = time.monotonic()
        if not self._quiet and now - self._line_at >= LINE_SECONDS:
            self._line_at = now
            print(sentence, file=sys.stderr, flush=True)

    def _rate(self, tally: Tally) -> float:
        """Give the answers a second since the last call."""
        (before, then), now = self._before, time.monotonic()
        self._before = (tally.answered, now)
        return max(0.0, (tally.answered - before) / max(now - then, 0.001))

    def _table(self, tally: Tally, stage: Stage, seconds: float, rate: float) -> Table:
        table = Table(title=f"{_STAGES[stage]}, {seconds:.0f} of {self._seconds:g} seconds")
        table.add_column("")
        table.add_column("count", justify="right")
        for name, count in [*_rows(tally), ("answers a second", f"{rate:,.0f}")]:
            table.add_row(name, count)
        return table


def _ms(micros: int) -> str:
    return f"{micros / 1000:.1f} ms"


def _rows(tally: Tally) -> list[tuple[str, str]]:
    latencies = tally.latencies
    refused = sorted(tally.refused.items(), key=lambda each: -each[1])
    return [
        ("terminals connected", f"{tally.connected:,} of {tally.terminals:,}"),
        ("registered", f"{tally.registered:,}"),
        ("refused", f"{sum(tally.refused.values()):,}"),
        *((f"  {code}" + ("" if code in EARNED else " (!)"), f"{n:,}") for code, n in refused),
        ("settled lines", f"{tally.lines:,}"),
        ("reconnections", f"{tally.reconnections:,}"),
        *((f"latency {name}", _ms(latencies.at(share))) for name, share in _SHARES.items()),
        ("latency max", _ms(latencies.most)),
    ]


_SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


def _summary(tally: Tally, seconds: float) -> str:
    rate = f"{tally.answered / seconds:,.0f}"
    rows = [*_rows(tally), ("not answered", f"{tally.unanswered:,}"), ("answers a second", rate)]
    return align(("", "count"), rows, right=" r")


def _answer(tally: Tally, seconds: float, faults: list[str]) -> dict[str, Any]:
    latencies = tally.latencies
    return {
        **pick(tally, "terminals", "connected", "asked", "registered", "refused", "unearned"),
        **pick(tally, "unanswered", "reconnections"),
        "settled_lines": tally.lines,
        "seconds": seconds,
        "answers_per_second": round(tally.answered / seconds, 1),
        "latency_microseconds": {
            **{name: latencies.at(share) for name, share in _SHARES.items()},
            "max": latencies.most,
        },
        "faults": faults,
    }
