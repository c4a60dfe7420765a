"""Runs the command `taisai` as a person or a program would: in a process of its own.

The processes are forked from one that has imported everything, so that hundreds of tests need not
import it again. Tests of an interpreter's start run one themselves.
"""

import atexit
import json
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.cli.starter import run

ROOT = Path(__file__).parents[2]


class Answer(NamedTuple):
    """The output and exit status of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def taisai(*arguments: str, stdin: bytes | str = b"", cwd: Path | None = None) -> Answer:
    """Run `taisai` with these arguments, in a directory or in this one."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    status, out, err = run(_starter(), [*arguments], data, cwd or Path.cwd())
    assert b"Traceback" not in err
    return Answer(status, out.decode(), err.decode())


@cache
def _starter() -> socket.socket:
    """Start the process that forks commands; it ends with this one."""
    asking, asked = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with asked:
        command = [sys.executable, "-m", "tests.cli.starter"]
        process = subprocess.Popen(command, stdin=asked.fileno(), cwd=ROOT)
    atexit.register(_stop, process, asking)
    return asking


def _stop(process: subprocess.Popen[bytes], asking: socket.socket) -> None:
    asking.close()
    process.wait()
