"""The command `taisai`: plain text for people, `--json` for programs, never a traceback.

Exit status: 0 when all went well, 1 when some input was refused, 2 for wrong usage.
"""

import os
import sys
from collections.abc import Sequence

from taisai.cli.arguments import parse
from taisai.cli.refused import Refused, Wrong

DONE, REFUSED, WRONG = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    try:
        arguments = parse(sys.argv[1:] if argv is None else argv)
        status = arguments.run(arguments)
        sys.stdout.flush()
    except Refused as refused:
        _complain(str(refused))
        return REFUSED
    except Wrong as wrong:
        _complain(str(wrong))
        return WRONG
    except BrokenPipeError:
        # Whoever read the answers has gone; leave nothing for the interpreter to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    except KeyboardInterrupt:
        _complain("stopped")
        return 130
    return int(status)


def _complain(sentences: str) -> None:
    for sentence in sentences.splitlines():
        print(f"taisai: {sentence}", file=sys.stderr)
