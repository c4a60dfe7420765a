"""A process or a thread that file modes restrict, even if the tests are run by root.

Run as a program with lists of arguments as JSON: `taisai` is run with each list, one after the
other, and the output and exit status of each are printed as JSON.
"""

import ctypes
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TypeVar

from taisai.cli import main
from tests.cli.command import Answer

ROOT = Path(__file__).parents[2]
#: Version 3 of Linux' structure: 64 capabilities in two parts.
_VERSION = 0x20080522

_T = TypeVar("_T")


def answers(*asked: list[str], cwd: Path) -> list[Answer]:
    """Run `taisai` with several lists of arguments in a process without privileges."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.kit.unprivileged", json.dumps(asked), str(cwd)],
        capture_output=True,
        check=True,
        cwd=ROOT,
        timeout=120,
    )
    return [Answer(*each) for each in json.loads(done.stdout)]


def without_privileges(work: Callable[[], _T]) -> _T:
    """Do something in a thread without privileges; so are the threads that it starts."""
    with ThreadPoolExecutor(1, initializer=_give_up_privileges) as pool:
        return pool.submit(work).result()


def _give_up_privileges() -> None:
    """Drop every capability of this thread: only file modes decide then what it may do."""
    header = (ctypes.c_uint32 * 2)(_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if ctypes.CDLL(None, use_errno=True).capset(header, nothing):
        raise OSError(ctypes.get_errno(), "privileges cannot be put down")


class _Stream(io.TextIOWrapper):
    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode()


def _run(arguments: list[str]) -> Answer:
    out, err = _Stream(), _Stream()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(arguments)
    return Answer(status, out.text(), err.text())


if __name__ == "__main__":
    _give_up_privileges()
    os.chdir(sys.argv[2])
    told = [_run(arguments) for arguments in json.loads(sys.argv[1])]
    sys.stdout.write(json.dumps(told))
