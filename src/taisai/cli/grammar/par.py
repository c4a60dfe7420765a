"""How a PAR sheet is asked for: `taisai par`."""

from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import add_command, add_rulebook, named

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands


def add_par(commands: "Commands") -> None:
    """Enter `taisai par`."""
    command = add_command(
        commands,
        "par",
        "write the PAR sheet of a pay table as Markdown, HTML or JSON",
        "Every box with its ways, chance, odds, return, edge, standard deviation and volatility\n"
        "index, the bands of return after 1,000 to 10,000,000 rounds, the method, and the checks\n"
        "made. HTML is one page that needs nothing else; print it to get a PDF. The same rulebook\n"
        "gives the same bytes. Without --out the sheet is printed, as Markdown or with --json.",
        "taisai par etg8/1 --out etg8-1.html",
    )
    add_rulebook(command)
    command.add_argument("pay_table", metavar="PAYTABLE", help="a pay table, like ts6/2")
    command.add_argument(
        "--out", metavar="FILE", type=named, help="the file to write: .md, .html or .json"
    )
    command.add_argument(
        "--overwrite", action="store_true", help="replace a file that is there already"
    )
    command.add_argument(
        "--dated", metavar="TEXT", help="a date to write into the sheet; otherwise it has none"
    )
    command.add_argument(
        "--allow-player-edge",
        action="store_true",
        help="take a rulebook of your own even where a box has no house edge",
    )
