"""`taisai plan`: the outcome of a betting plan on a box, within the limits of a table."""

import argparse
from pathlib import Path

import msgspec

from taisai.cli.catalogue import pay_table_of
from taisai.cli.command import (
    PAY_TABLE,
    PLAYER_EDGE,
    ROUNDS,
    RULEBOOK,
    Answer,
    Output,
    Wrong,
    argument,
    command,
    pick,
    place,
    plot,
    whole,
)
from taisai.cli.maths.figures import amount_text, chance_text, figure_answer
from taisai.cli.maths.ruin import BANK
from taisai.cli.text import align_rows, title_of
from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.money import AMOUNT_MAX, write_fraction
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.rulebook import Rulebook
from taisai.maths.distribution import Distribution
from taisai.maths.plans.plan import (
    AtMaximum,
    CannotPay,
    Plan,
    labouchere,
    plan_from_file,
    plan_named,
)
from taisai.maths.plans.play import play_plan
from taisai.maths.plans.result import Method, Played
from taisai.maths.plans.sitting import Ending, Sitting
from taisai.rulebooks.answers import identity_of

_SHARES = ("0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99")
_FILES = (".toml", ".json")

_ENDINGS = {
    Ending.RUINED: "ruined: cannot pay the next bet",
    Ending.STOPPED: "stopped by the maximum",
    Ending.LEFT: "left as the plan says",
    Ending.REACHED: "reached the target",
    Ending.PLAYING: "still playing",
}


@command(
    "taisai plan ts6/1 --plan martingale --box small --unit 100 --bank 10000 --rounds 100 "
    "--min 100 --max 5000",
    *(RULEBOOK, PLAYER_EDGE, PAY_TABLE),
    place("--plan PLAN", "its name, or a file of your own", required=True),
    argument("--box BOX", "the box that is bet on", required=True),
    whole("--unit AMOUNT", "what a stake of 1 is", required=True),
    *BANK,
    ROUNDS,
    whole("--min AMOUNT", "the least that may be bet"),
    whole("--max AMOUNT", "the most that may be bet"),
    whole("--step AMOUNT", "what every stake is a multiple of"),
    whole("--line UNITS", "the line that a labouchere begins with (1 2 3 4)", nargs="+"),
    argument(
        "--at-maximum",
        "where a stake would pass the maximum: bet the maximum, begin again, or leave (hold)",
        choices=("hold", "restart", "stop"),
    ),
    argument(
        "--cannot-pay",
        "where the bank cannot pay a stake: leave, bet what is left, or begin again (stop)",
        choices=("stop", "rest", "restart"),
    ),
    argument(
        "--method",
        "how the answer is found; auto: as exactly as the plan allows",
        choices=("auto", "exact", "bounded", "simulated"),
        default="auto",
    ),
    whole("--seed S", "the seed of a simulation (0)", default=0),
    plot("the distribution of what is won or lost"),
    detail="Plans: flat, martingale, dalembert, fibonacci, labouchere, paroli, or a file of "
    "your own\n"
    "(docs/maths.md). Exact where the states allow it, else bounded or simulated; the answer\n"
    "says which. No plan changes the house edge.",
)
def plan(arguments: argparse.Namespace) -> Output:
    rulebook, table = pay_table_of(arguments)
    played = _played(arguments, table)
    _plot(arguments, played)
    return Output(
        lambda: _answer(arguments, rulebook, played),
        lambda: _text(arguments, rulebook, table, played),
    )


def _played(arguments: argparse.Namespace, table: PayTable) -> Played:
    sitting = Sitting(
        unit=arguments.unit,
        bank=arguments.bank,
        rounds=arguments.rounds,
        limits=_limits(arguments, table),
        target=arguments.target,
    )
    method = None if arguments.method == "auto" else Method(arguments.method)
    return play_plan(table, arguments.box, _plan(arguments), sitting, method, arguments.seed)


def _plan(arguments: argparse.Namespace) -> Plan:
    """Find the plan by its name or in its file, with the rules that were given for it."""
    if Path(arguments.plan).suffix.lower() in _FILES:
        plan = plan_from_file(Path(arguments.plan))
    elif arguments.plan == "labouchere" and arguments.line is not None:
        plan = labouchere(arguments.line)
    else:
        plan = plan_named(arguments.plan)
    if arguments.line is not None and arguments.plan != "labouchere":
        raise Wrong("--line is for --plan labouchere")
    if arguments.at_maximum is not None:
        plan = msgspec.structs.replace(plan, at_maximum=AtMaximum(arguments.at_maximum))
    if arguments.cannot_pay is not None:
        plan = msgspec.structs.replace(plan, cannot_pay=CannotPay(arguments.cannot_pay))
    return plan


def _limits(arguments: argparse.Namespace, table: PayTable) -> LimitsAsked | None:
    """Take the given limits; a limit that is left out does not apply."""
    least, most, step = arguments.min, arguments.max, arguments.step
    if least is None and most is None and step is None:
        return None
    every = table.step if step is None else step
    return LimitsAsked(
        minimum=every if least is None else least,
        maximum=AMOUNT_MAX // max(every, 1) * every if most is None else most,
        step=step,
    )


def _plot(arguments: argparse.Namespace, played: Played) -> None:
    if arguments.plot is None:
        return
    from taisai.maths.plots import plot_distribution  # noqa: PLC0415 - pictures need extras

    net = Distribution.from_pairs((bank - played.bank, w) for bank, w in played.final.pairs())
    title = f"{played.plan} on {played.box}, {played.rounds:,} rounds, {arguments.pay_table}"
    plot_distribution(net, arguments.plot, title)


def _answer(arguments: argparse.Namespace, rulebook: Rulebook, played: Played) -> Answer:
    betting = played.betting
    return {
        "pay_table": arguments.pay_table,
        "rulebook": identity_of(rulebook),
        **pick(played, "plan", "box", "bank", "rounds", "house_edge"),
        **pick(arguments, "unit", "target"),
        **pick(played.how, "method", "why", "confidence", "players", "seed"),
        "quantiles": [{"share": share, "bank": played.final.quantile(share)} for share in _SHARES],
        "endings": {end.value: figure_answer(chance) for end, chance in played.endings.items()},
        "ahead": figure_answer(played.ahead),
        "even": figure_answer(played.even),
        "behind": figure_answer(played.behind),
        "expected_loss": figure_answer(played.expected_loss),
        "expected_turnover": figure_answer(betting.turnover),
        "expected_bets": figure_answer(betting.bets),
        "largest_stake": betting.largest_stake,
        "largest_stake_chance": figure_answer(betting.largest_met),
        "bets_held_by_maximum": figure_answer(betting.held),
        "maximum_met_chance": figure_answer(betting.met_maximum),
    }


def _text(
    arguments: argparse.Namespace, rulebook: Rulebook, table: PayTable, played: Played
) -> str:
    asked = (
        f"{played.plan} on {played.box}, a unit of {arguments.unit:,} and a bank of "
        f"{played.bank:,}, {played.rounds:,} rounds"
    )
    return "\n\n".join(
        [
            title_of(rulebook, table),
            f"{asked}\n{_method(played)}",
            align_rows(_figures(played)),
            "The bank that a share of all players does not pass in the end\n"
            + "   ".join(f"{share}: {played.final.quantile(share):,}" for share in _SHARES),
        ]
    )


def _method(played: Played) -> str:
    how = played.how
    if how.method is Method.EXACT:
        return f"Exact: {how.why}."
    if how.method is Method.BOUNDED:
        return f"In floats with proven bounds: {how.why}."
    return (
        f"Simulated with {how.players:,} players from seed {how.seed}, intervals at "
        f"{how.confidence:.0%}:\n{how.why}."
    )


def _figures(played: Played) -> list[tuple[str, str]]:
    betting = played.betting
    endings = [
        (_ENDINGS[ending], chance_text(chance))
        for ending, chance in played.endings.items()
        if chance.value or ending in (Ending.RUINED, Ending.PLAYING)
    ]
    edge = write_fraction(played.house_edge)
    return [
        ("ahead in the end", chance_text(played.ahead)),
        ("even", chance_text(played.even)),
        ("behind", chance_text(played.behind)),
        *endings,
        (
            "expected loss",
            f"{amount_text(played.expected_loss)} (the edge of {edge} of what is bet)",
        ),
        ("expected turnover", amount_text(betting.turnover)),
        ("expected bets", amount_text(betting.bets)),
        ("largest stake", f"{betting.largest_stake:,}"),
        ("bet at least once", chance_text(betting.largest_met)),
        ("maximum in the plan's way", chance_text(betting.met_maximum)),
        ("bets it held, on average", amount_text(betting.held)),
    ]
