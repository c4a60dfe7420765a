"""The command `taisai`: plain text for people, `--json` for programs, never a traceback.

Exit status: 0 when all went well, 1 when some input was refused, 2 for wrong usage. Usage is wrong
where the command line has not the form that `--help` shows: something unknown or missing, a word
for a number, an option given twice, options that do not go together. Whatever is refused beyond
that is input: bets and dice, a number out of its range, a file that is named and cannot be read.
"""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from taisai.cli.command import Wrong
from taisai.cli.commands import parse
from taisai.core.errors import SentenceError, require_checks
from taisai.core.rules.reason import printable
from taisai.extras import extra_of, needs

DONE, REFUSED, WRONG = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    try:
        _prepare_streams()
        require_checks()
        arguments = parse(sys.argv[1:] if argv is None else argv)
        status = arguments.run(arguments)
        sys.stdout.flush()
    except SentenceError as refused:
        _complain(str(refused))
        return REFUSED
    except Wrong as wrong:
        _complain(str(wrong))
        return WRONG
    except ModuleNotFoundError as missing:
        extra = extra_of(missing)
        if extra is None:
            raise
        _complain(needs("this command", extra))
        return REFUSED
    except BrokenPipeError:
        # The reader of the answers has closed the pipe, and wants no more.
        _leave_nothing_to_flush()
        return REFUSED
    except UnicodeError:
        _complain("an argument is not UTF-8 text")
        return WRONG
    except OSError as error:
        what = "the answer" if error.filename is None else os.fsdecode(error.filename)
        _complain(f"{what} could not be read or written: {error.strerror or error}")
        _leave_nothing_to_flush()
        return REFUSED
    except KeyboardInterrupt:
        _complain("stopped")
        return 130
    return int(status)


def _prepare_streams() -> None:
    """Write UTF-8 everywhere, and replace a standard stream that was closed."""
    if sys.stderr is None:
        # Left open on purpose: it replaces a stream until the process ends.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        raise Wrong("standard output is closed; there is nowhere to answer to")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _leave_nothing_to_flush() -> None:
    """Throw away what is still buffered, so that the interpreter does not fail on it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(sentences: str) -> None:
    # Not at the top: most commands do not need the runtime, and most do not fail.
    from taisai.runtime.journal.location import without_passwords  # noqa: PLC0415

    for sentence in sentences.splitlines():
        print(f"taisai: {printable(without_passwords(sentence))}", file=sys.stderr)
