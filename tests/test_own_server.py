"""The PostgreSQL server of the tests: interrupted while it begins, it leaves nothing behind."""

import subprocess
import tempfile
from pathlib import Path

import pytest

from tests import postgres


def test_an_interrupted_server_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    make, wait = tempfile.mkdtemp, subprocess.Popen.wait
    homes, begun = list[str](), list[int]()

    def noted(**given: str) -> str:
        homes.append(make(**given))
        return homes[0]

    def interrupted(process: "subprocess.Popen[bytes]", timeout: float | None = None) -> int:
        """Interrupt the first who waits, as Ctrl-C does."""
        begun.append(process.pid)
        if len(begun) == 1:
            raise KeyboardInterrupt
        return wait(process, timeout)

    monkeypatch.setattr(tempfile, "mkdtemp", noted)
    monkeypatch.setattr(subprocess.Popen, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt), postgres.own_server():
        pass
    # Its process has been waited for, and its directory is gone.
    assert begun == [begun[0]] * 2
    assert [Path(each).exists() for each in homes] == [False]
