"""How banks are asked about: `taisai ruin` for one slate all along, `taisai plan` for plans."""

from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import Parser, add_command, add_rulebook, named

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands


def add_ruin(commands: "Commands") -> None:
    """Enter `taisai ruin`."""
    command = add_command(
        commands,
        "ruin",
        "show how likely a bank is lost: within so many rounds, before a target, or ever",
        "A bank is ruined when it cannot pay the next slate. The answer is exact, or says between\n"
        "which bounds it lies.",
        "taisai ruin ts6/1 --bet small=100 --bank 5000 --rounds 1000",
    )
    _add_table(command)
    command.add_argument(
        "--bet",
        metavar="BOX=STAKE",
        nargs="+",
        action="extend",
        required=True,
        help="a bet in every round, stake in minor units",
    )
    _add_bank(command)
    command.add_argument("--rounds", type=int, metavar="N", help="how many rounds are played")
    command.add_argument(
        "--quantile",
        metavar="SHARE",
        nargs="+",
        action="extend",
        help="with --rounds: the round by which such a share of banks is ruined, like 0.5",
    )
    _add_plot(command, "ruin against the bank")


def add_plan(commands: "Commands") -> None:
    """Enter `taisai plan`."""
    command = add_command(
        commands,
        "plan",
        "show what comes of a betting plan on a box, within the limits of a table",
        "Plans: flat, martingale, dalembert, fibonacci, labouchere, paroli, or a file of your own\n"
        "(docs/maths.md). Exact where the states allow it, else bounded or simulated; the answer\n"
        "says which. No plan changes the house edge.",
        "taisai plan ts6/1 --plan martingale --box small --unit 100 --bank 10000 --rounds 100 "
        "--min 100 --max 5000",
    )
    _add_table(command)
    command.add_argument(
        "--plan", metavar="PLAN", type=named, required=True, help="its name, or a file of your own"
    )
    command.add_argument("--box", metavar="BOX", required=True, help="the box that is bet on")
    command.add_argument(
        "--unit", type=int, metavar="AMOUNT", required=True, help="what a stake of 1 is"
    )
    _add_bank(command)
    command.add_argument(
        "--rounds", type=int, metavar="N", required=True, help="how many rounds are played"
    )
    for name, help_ in (
        ("min", "the least that may be bet"),
        ("max", "the most that may be bet"),
        ("step", "what every stake is a multiple of"),
    ):
        command.add_argument(f"--{name}", type=int, metavar="AMOUNT", help=help_)
    _add_rules_of_plan(command)
    command.add_argument(
        "--method",
        choices=("auto", "exact", "bounded", "simulated"),
        default="auto",
        help="how the answer is found; auto: as exactly as the plan allows",
    )
    command.add_argument(
        "--seed", type=int, metavar="S", default=0, help="the seed of a simulation (0)"
    )
    _add_plot(command, "the distribution of what is won or lost")


def _add_rules_of_plan(command: Parser) -> None:
    command.add_argument(
        "--line",
        type=int,
        metavar="UNITS",
        nargs="+",
        help="the line that a labouchere begins with (1 2 3 4)",
    )
    command.add_argument(
        "--at-maximum",
        choices=("hold", "restart", "stop"),
        help="where a stake would pass the maximum: bet the maximum, begin again, or leave (hold)",
    )
    command.add_argument(
        "--cannot-pay",
        choices=("stop", "rest", "restart"),
        help="where the bank cannot pay a stake: leave, bet what is left, or begin again (stop)",
    )


def _add_table(command: Parser) -> None:
    add_rulebook(command)
    command.add_argument(
        "--allow-player-edge",
        action="store_true",
        help="take a rulebook of your own even where a box has no house edge",
    )
    command.add_argument("pay_table", metavar="PAYTABLE", help="a pay table, like ts6/2")


def _add_bank(command: Parser) -> None:
    command.add_argument(
        "--bank", type=int, metavar="AMOUNT", required=True, help="what there is to lose"
    )
    command.add_argument(
        "--target", type=int, metavar="AMOUNT", help="the bank at which the player is content"
    )


def _add_plot(command: Parser, what: str) -> None:
    command.add_argument(
        "--plot",
        metavar="FILE",
        type=named,
        help=f"also draw {what}, as .png or .svg (extra: plots)",
    )
