"""`taisai par`: the PAR sheet of a pay table, written to a file or printed."""

import argparse
from collections.abc import Callable
from pathlib import Path

from taisai.cli.catalogue import pay_table_of
from taisai.cli.command import (
    OVERWRITE,
    PAY_TABLE,
    PLAYER_EDGE,
    RULEBOOK,
    Output,
    Refused,
    argument,
    command,
    place,
)
from taisai.core.rules.reason import printable
from taisai.maths.par.sheet import ParSheet, par_sheet
from taisai.maths.par.writers import WRITERS, writer_for
from taisai.runtime.records.export import new_file, refuse_existing

#: The longest text for a date.
DATED_MAX = 100


@command(
    "taisai par etg8/1 --out etg8-1.html",
    RULEBOOK,
    PAY_TABLE,
    place("--out", "the file to write: .md, .html or .json"),
    OVERWRITE,
    argument("--dated TEXT", "a date to write into the sheet; otherwise it has none"),
    PLAYER_EDGE,
    detail="Every box with its ways, chance, odds, return, edge, standard deviation and "
    "volatility\n"
    "index, the bands of return after 1,000 to 10,000,000 rounds, the method, and the checks\n"
    "made. HTML is one page that needs nothing else; print it to get a PDF. The same rulebook\n"
    "gives the same bytes. Without --out the sheet is printed, as Markdown or with --json.",
)
def par(arguments: argparse.Namespace) -> Output | int:
    if arguments.dated is not None and not 0 < len(arguments.dated) <= DATED_MAX:
        raise Refused(f"--dated takes up to {DATED_MAX} characters, and at least one")
    rulebook, table = pay_table_of(arguments)
    write = _writer(arguments)
    sheet = par_sheet(rulebook, table, arguments.dated)
    if arguments.out is None:
        print(write(sheet), end="")
        return 0
    with new_file(Path(arguments.out), overwrite=arguments.overwrite) as file:
        file.write(write(sheet).encode("utf-8"))
    return _written(arguments.out, sheet)


def _writer(arguments: argparse.Namespace) -> Callable[[ParSheet], str]:
    """Choose the writer, and refuse an impossible file before anything is computed."""
    if arguments.out is None:
        return WRITERS[".json" if arguments.json else ".md"]
    refuse_existing(Path(arguments.out), overwrite=arguments.overwrite)
    return writer_for(arguments.out)


def _written(out: str, sheet: ParSheet) -> Output:
    held = sum(check.held for check in sheet.checks)
    address, boxes, checks = sheet.table.address, len(sheet.boxes), len(sheet.checks)
    answer = {
        "written": out,
        "pay_table": address,
        "sha256": sheet.rulebook.sha256,
        "boxes": boxes,
        "checks": checks,
        "held": held,
    }
    of = f"PAR sheet of {address}, {boxes} boxes"
    return Output(
        lambda: answer,
        lambda: f"{printable(out)}: {of}; {held} of {checks} checks held",
        one_line=True,
    )
