"""Running the command `taisai` as a person or a program would: a process of its own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """What a command printed and how it ended."""

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
    command = [sys.executable, "-m", "taisai", *arguments]
    done = subprocess.run(
        command, input=data, capture_output=True, check=False, timeout=120, cwd=cwd
    )
    assert b"Traceback" not in done.stderr
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())
