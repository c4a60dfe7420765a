"""The flood harness in short: every bet is registered, and everything that grows has a limit."""

import subprocess
import sys

from tools.protocol_pages import ROOT

KINDS = ("heads without an end", "frames of empty lines")


def test_bets_are_registered_during_a_short_flood() -> None:
    kinds = [word for kind in KINDS for word in ("--kind", kind)]
    small = ["--connections", "60", "--seconds", "0.5", "--terminals", "20"]
    command = [sys.executable, "-m", "bench.flood", *small, *kinds]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert sum(" 150 bets," in line for line in lines) == 2 + len(KINDS), done
    assert "HEAD_TOO_LONG" in done.stdout
    # How long a bet takes can only be measured on a machine without other work.
    missed = [line for line in lines if line.startswith("MISSED") and "99 of 100" not in line]
    assert missed == []
