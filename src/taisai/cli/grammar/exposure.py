"""How the exposure of a layout is asked for: `taisai exposure`."""

from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import add_command, add_rulebook, named

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands


def add_exposure(commands: "Commands") -> None:
    """Enter `taisai exposure`."""
    command = add_command(
        commands,
        "exposure",
        "show what the house pays on each of the 56 results, for the bets now on a layout",
        "Tells the worst case, what is expected and the boxes that drive it; with --limit, how\n"
        "much more each box can take before the house pays more than that on a win of it.\n"
        "With --min and --max it is the exposure of what plays, over-full boxes pro rata.\n"
        "FILE is CSV with the columns box and stake and perhaps player, or JSON: a list of bets,\n"
        '{"bets": [...], "limits": {...}} as taisai settle takes them, or {"small": 1000}.',
        "taisai exposure ts6/2 --bet small=50000 triple-1=2000 --limit 500000",
    )
    add_rulebook(command)
    command.add_argument("pay_table", metavar="PAYTABLE", help="a pay table, like ts6/2")
    command.add_argument(
        "file", metavar="FILE", nargs="?", type=named, help="the bets; - is standard input"
    )
    command.add_argument(
        "--bet",
        metavar="BOX=STAKE",
        nargs="+",
        action="extend",
        default=[],
        help="a bet, stake in minor units; PLAYER:BOX=STAKE for more than one player",
    )
    command.add_argument(
        "--limit", type=int, metavar="AMOUNT", help="the most the house is to pay on a result, net"
    )
    command.add_argument(
        "--box",
        metavar="BOX",
        nargs="+",
        action="extend",
        help="tell the room of these boxes alone; otherwise of all",
    )
    for name, help_ in (
        ("min", "the least a player may bet on a box"),
        ("max", "the most a box may hold, or a player bet on it, as the rulebook says"),
        ("differential", "how far Big and Small, or Odd and Even, may lie apart"),
        ("step", "what every stake is a multiple of"),
    ):
        command.add_argument(f"--{name}", type=int, metavar="AMOUNT", help=help_)
    command.add_argument(
        "--plot", metavar="FILE", type=named, help="also draw it, as .png or .svg (extra: plots)"
    )
