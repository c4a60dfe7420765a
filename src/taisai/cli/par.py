"""`taisai par`: the PAR sheet of a pay table, written to a file or printed."""

import argparse
from collections.abc import Callable
from pathlib import Path

import msgspec

from taisai.cli.refused import Refused, Wrong
from taisai.cli.shelves import find_pay_table, find_rulebook, shelf_of
from taisai.core.rules.reason import printable
from taisai.maths.failures import MathsError
from taisai.maths.par import ParSheet, par_sheet
from taisai.maths.par_sheets import WRITERS, writer_for
from taisai.runtime.records.entries import RecordsError
from taisai.runtime.records.export import new_file, refuse_existing

#: Longer than this is no date.
DATED_MAX = 100


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai par`."""
    if arguments.dated is not None and not 0 < len(arguments.dated) <= DATED_MAX:
        raise Wrong(f"--dated takes up to {DATED_MAX} characters, and at least one")
    shelf = shelf_of(arguments)
    table = find_pay_table(shelf, arguments.pay_table)
    rulebook = find_rulebook(shelf, table.rulebook_key)
    try:
        write = _writer(arguments)
        sheet = par_sheet(rulebook, table, arguments.dated)
        if arguments.out is None:
            print(write(sheet), end="")
            return 0
        _write_file(arguments, write(sheet))
    except (MathsError, RecordsError) as error:
        raise Refused(str(error)) from None
    print(_told(arguments, sheet))
    return 0


def _writer(arguments: argparse.Namespace) -> Callable[[ParSheet], str]:
    """Choose how to write, and refuse before anything is worked out a file that cannot be."""
    if arguments.out is None:
        return WRITERS[".json" if arguments.json else ".md"]
    refuse_existing(Path(arguments.out), overwrite=arguments.overwrite)
    return writer_for(arguments.out)


def _write_file(arguments: argparse.Namespace, text: str) -> None:
    with new_file(Path(arguments.out), overwrite=arguments.overwrite) as file:
        file.write(text.encode("utf-8"))


def _told(arguments: argparse.Namespace, sheet: ParSheet) -> str:
    held = sum(check.held for check in sheet.checks)
    if arguments.json:
        answer = {
            "written": arguments.out,
            "pay_table": sheet.table.address,
            "sha256": sheet.rulebook.sha256,
            "boxes": len(sheet.boxes),
            "checks": len(sheet.checks),
            "held": held,
        }
        return msgspec.json.encode(answer).decode()
    checks = f"{held} of {len(sheet.checks)} checks held"
    of = f"PAR sheet of {sheet.table.address}, {len(sheet.boxes)} boxes"
    return f"{printable(arguments.out)}: {of}; {checks}"
