"""Finding pay tables and rulebooks for a command, the user's own file included."""

import argparse
import os

from taisai.cli.command import Refused, unreadable
from taisai.core.rules.dice import Result, are_dice, result_of
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.proof import RulebookError
from taisai.core.rules.rulebook import Rulebook
from taisai.rulebooks import Catalogue, read_own

#: The project's own files take a tenth of it.
RULEBOOK_FILE_MAX = 1024 * 1024


def catalogue_of(arguments: argparse.Namespace) -> Catalogue:
    """Add the user's rulebook file, if any, to the project's own catalogue."""
    if arguments.rulebook is None:
        return Catalogue()
    allow = getattr(arguments, "allow_player_edge", False)
    return Catalogue(_read_own(arguments.rulebook, allow_player_edge=allow))


def pay_table_of(arguments: argparse.Namespace) -> tuple[Rulebook, PayTable]:
    """Find the pay table that a command names, and its rulebook."""
    catalogue = catalogue_of(arguments)
    table = catalogue.pay_table(arguments.pay_table)
    return catalogue.rulebook(table.rulebook_key), table


def find_result(dice: list[int]) -> Result:
    """Read dice given on the command line."""
    if not are_dice(dice):
        raise Refused(
            f"the dice {' '.join(map(str, dice))} are no throw; three faces from 1 to 6 are"
        )
    return result_of(dice)


def _read_own(path: str, *, allow_player_edge: bool) -> Rulebook:
    name = os.path.basename(path)  # noqa: PTH119 - the path library is slow to import
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read(RULEBOOK_FILE_MAX + 1)
    except OSError as error:
        raise unreadable("rulebook file", path, error) from None
    if len(data) > RULEBOOK_FILE_MAX:
        raise Refused(f"{name}, not a rulebook: it is over {RULEBOOK_FILE_MAX} bytes")
    try:
        text = data.decode("utf-8-sig")
        return read_own(text, name, allow_player_edge=allow_player_edge)
    except UnicodeDecodeError:
        raise Refused(f"{name}, not a rulebook: it is not UTF-8 text") from None
    except RulebookError as error:
        raise Refused(_first_of(error.faults), error.faults) from None


def _first_of(faults: list[str]) -> str:
    """Give the first fault, and say if there are more."""
    more = len(faults) - 1
    return f"{faults[0]} (and {more} more, listed by 'taisai rules')" if more else faults[0]
