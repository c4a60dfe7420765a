"""`taisai ruin`: how likely a bank that pays the same slate every round is lost."""

import argparse

from taisai.cli.command import Answer, Output, Wrong, command, plot, several, whole
from taisai.cli.maths.figures import amount_text, chance_text, figure_answer
from taisai.cli.maths.slate import SLATE, slate_answer, slate_of
from taisai.cli.text import align_rows, stakes_text, title_of
from taisai.core.rules.rulebook import Rulebook
from taisai.maths.figures import Figure
from taisai.maths.ruin import RuinWithin, ruin_within
from taisai.maths.ruin.ever import expected_rounds, ruin_ever, target_first_and_rounds
from taisai.maths.slates import Slate

_SHARES = ("0.05", "0.25", "0.5", "0.75", "0.95")

#: The arguments of every command about a bank.
BANK = (
    whole("--bank AMOUNT", "what there is to lose", required=True),
    whole("--target AMOUNT", "the bank at which the player is content"),
)


class _Asked:
    """The questions about a slate and a bank, and their answers."""

    def __init__(self, arguments: argparse.Namespace, rulebook: Rulebook, slate: Slate) -> None:
        bank, target = arguments.bank, arguments.target
        self.rulebook, self.slate, self.bank, self.target = rulebook, slate, bank, target
        shares = arguments.quantile or _SHARES
        self.within: RuinWithin | None = None
        self.target_first: Figure | None = None
        if arguments.rounds is not None:
            self.within = ruin_within(slate, bank, arguments.rounds, target=target)
        self.ever = ruin_ever(slate, bank)
        if target is None:
            self.rounds = expected_rounds(slate, bank)
        else:
            self.target_first, self.rounds = target_first_and_rounds(slate, bank, target)
        self.quantiles: list[tuple[str, int | None]] = []
        if self.within is not None:
            self.quantiles = [(share, self.within.quantile(share)) for share in shares]


@command(
    "taisai ruin ts6/1 --bet small=100 --bank 5000 --rounds 1000",
    *SLATE,
    *BANK,
    whole("--rounds N", "how many rounds are played"),
    several(
        "--quantile SHARE",
        "with --rounds: the round by which such a share of banks is ruined, like 0.5",
    ),
    plot("ruin against the bank"),
    detail="A bank is ruined when it cannot pay the next slate. The answer is exact, or says "
    "between\n"
    "which bounds it lies.",
)
def ruin(arguments: argparse.Namespace) -> Output:
    if arguments.quantile and arguments.rounds is None:
        raise Wrong("--quantile needs --rounds")
    rulebook, slate = slate_of(arguments)
    asked = _Asked(arguments, rulebook, slate)
    _plot(arguments, slate)
    return Output(lambda: _answer(asked), lambda: _text(asked))


def _plot(arguments: argparse.Namespace, slate: Slate) -> None:
    if arguments.plot is None:
        return
    from taisai.maths.plots import check_place, plot_ruin  # noqa: PLC0415 - pictures need extras

    check_place(arguments.plot)
    from taisai.maths.ruin.float_bounds import ruin_curves  # noqa: PLC0415

    curves = ruin_curves(slate, arguments.bank, rounds=arguments.rounds, target=arguments.target)
    title = f"Ruin against bank, {slate.pay_table.address}"
    plot_ruin(curves.banks, curves.chances, arguments.plot, title)


def _answer(asked: _Asked) -> Answer:
    return {
        **slate_answer(asked.rulebook, asked.slate),
        "bank": asked.bank,
        "target": asked.target,
        "within": None if asked.within is None else _within_answer(asked, asked.within),
        "target_first": _figure_or_none(asked.target_first),
        "ruin_ever": figure_answer(asked.ever),
        "expected_rounds": _figure_or_none(asked.rounds),
    }


def _within_answer(asked: _Asked, within: RuinWithin) -> Answer:
    return {
        "rounds": within.rounds,
        "method": "exact" if within.exact else "bounded",
        "ruined": figure_answer(within.ruined),
        "target_reached": figure_answer(within.reached),
        "playing": figure_answer(within.playing),
        "quantiles": [{"share": share, "round": round} for share, round in asked.quantiles],
    }


def _figure_or_none(figure: Figure | None) -> Answer | None:
    return None if figure is None else figure_answer(figure)


def _text(asked: _Asked) -> str:
    slate = asked.slate
    target = "" if asked.target is None else f", until it is {asked.target:,}"
    rows = [] if asked.within is None else _within_rows(asked, asked.within)
    if asked.target_first is not None:
        rows.append(("target before ruin", chance_text(asked.target_first), asked.target_first))
        rows.append(_duration("expected rounds until either", asked.rounds))
    else:
        rows.append(("ruined ever", chance_text(asked.ever), asked.ever))
        rows.append(_duration("expected rounds until ruin", asked.rounds))
    story = (
        f"A bank of {asked.bank:,} that pays {stakes_text(slate.stakes)} every round{target};\n"
        f"it is ruined when it falls below {slate.staked:,}, and cannot pay the next one"
    )
    title = title_of(asked.rulebook, slate.pay_table)
    return "\n\n".join(
        [title, story, align_rows([(*each, _how(figure)) for *each, figure in rows])]
    )


_Row = tuple[str, str, Figure | None]


def _within_rows(asked: _Asked, within: RuinWithin) -> list[_Row]:
    after = f"within {within.rounds:,} rounds"
    rows: list[_Row] = [(f"ruined {after}", chance_text(within.ruined), within.ruined)]
    if asked.target is not None:
        rows.append((f"target reached {after}", chance_text(within.reached), within.reached))
    rows.append(("still playing then", chance_text(within.playing), within.playing))
    for share, round in asked.quantiles:
        when = "not by then" if round is None else f"by round {round:,}"
        rows.append((f"ruined, a share of {share}", when, None))
    return rows


def _duration(name: str, rounds: Figure | None) -> _Row:
    return (name, "no end to them" if rounds is None else amount_text(rounds), rounds)


def _how(figure: Figure | None) -> str:
    if figure is None:
        return ""
    return "exactly" if figure.exact else "proven bounds"
