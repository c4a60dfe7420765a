"""`taisai ruin`: how likely a bank that pays the same slate every round is lost."""

import argparse

import msgspec

from taisai.cli.answers import Answer
from taisai.cli.asked_slates import asked_slate, slate_answer
from taisai.cli.figures import figure_answer, told_amount, told_chance
from taisai.cli.refused import Refused, Wrong
from taisai.cli.titles import title_of
from taisai.core.rules.rulebook import Rulebook
from taisai.maths.failures import MathsError
from taisai.maths.figures import Figure
from taisai.maths.ruin import (
    RuinWithin,
    expected_rounds,
    ruin_ever,
    ruin_within,
    target_first_and_rounds,
)
from taisai.maths.slates import Slate

_SHARES = ("0.05", "0.25", "0.5", "0.75", "0.95")


class _Asked:
    """What was asked about a slate and a bank, and the answers to it."""

    def __init__(self, arguments: argparse.Namespace, rulebook: Rulebook, slate: Slate) -> None:
        bank, target = arguments.bank, arguments.target
        self.rulebook, self.slate, self.bank, self.target = rulebook, slate, bank, target
        self.shares = arguments.quantile or _SHARES
        self.within: RuinWithin | None = None
        self.target_first: Figure | None = None
        if arguments.rounds is not None:
            self.within = ruin_within(slate, bank, arguments.rounds, target=target)
        self.ever = ruin_ever(slate, bank)
        if target is None:
            self.rounds = expected_rounds(slate, bank)
        else:
            self.target_first, self.rounds = target_first_and_rounds(slate, bank, target)

    def quantiles(self) -> list[tuple[str, int | None]]:
        """Give for each share the round by which so many banks are ruined."""
        assert self.within is not None, "without rounds there are no such rounds"
        return [(share, self.within.quantile(share)) for share in self.shares]


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai ruin`."""
    if arguments.quantile and arguments.rounds is None:
        raise Wrong("--quantile needs --rounds")
    try:
        rulebook, slate = asked_slate(arguments)
        asked = _Asked(arguments, rulebook, slate)
        answer = _answer(asked) if arguments.json else None
        text = _text(asked) if answer is None else ""
        _plot(arguments, slate)
    except MathsError as error:
        raise Refused(str(error)) from None
    if answer is None:
        print(text)
    else:
        print(msgspec.json.format(msgspec.json.encode(answer), indent=1).decode())
    return 0


def _plot(arguments: argparse.Namespace, slate: Slate) -> None:
    if arguments.plot is None:
        return
    from taisai.maths.plots import check_place, plot_ruin  # noqa: PLC0415 - pictures need extras

    check_place(arguments.plot)
    from taisai.maths.ruin.curves import ruin_curves  # noqa: PLC0415

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
        "quantiles": [{"share": share, "round": round} for share, round in asked.quantiles()],
    }


def _figure_or_none(figure: Figure | None) -> Answer | None:
    return None if figure is None else figure_answer(figure)


def _text(asked: _Asked) -> str:
    slate = asked.slate
    bets = ", ".join(f"{stake:,} on {box}" for box, stake in slate.stakes.items())
    target = "" if asked.target is None else f", until it is {asked.target:,}"
    rows = [] if asked.within is None else _within_rows(asked, asked.within)
    if asked.target_first is not None:
        rows.append(("target before ruin", told_chance(asked.target_first), asked.target_first))
        rows.append(_duration("expected rounds until either", asked.rounds))
    else:
        rows.append(("ruined ever", told_chance(asked.ever), asked.ever))
        rows.append(_duration("expected rounds until ruin", asked.rounds))
    story = (
        f"A bank of {asked.bank:,} that pays {bets} every round{target};\n"
        f"it is ruined when it falls below {slate.staked:,}, and cannot pay the next one"
    )
    title = title_of(asked.rulebook, slate.pay_table).rstrip()
    return "\n\n".join([title, story, _aligned(rows)])


_Row = tuple[str, str, Figure | None]


def _within_rows(asked: _Asked, within: RuinWithin) -> list[_Row]:
    after = f"within {within.rounds:,} rounds"
    rows: list[_Row] = [(f"ruined {after}", told_chance(within.ruined), within.ruined)]
    if asked.target is not None:
        rows.append((f"target reached {after}", told_chance(within.reached), within.reached))
    rows.append(("still playing then", told_chance(within.playing), within.playing))
    for share, round in asked.quantiles():
        told = "not by then" if round is None else f"by round {round:,}"
        rows.append((f"ruined, a share of {share}", told, None))
    return rows


def _duration(name: str, rounds: Figure | None) -> _Row:
    return (name, "no end to them" if rounds is None else told_amount(rounds), rounds)


def _aligned(rows: list[_Row]) -> str:
    name_width = max(len(name) for name, _, _ in rows)
    width = max(len(told) for _, told, _ in rows)
    return "\n".join(
        f"{name:{name_width}}  {told:{width}}  {_how(figure)}".rstrip()
        for name, told, figure in rows
    )


def _how(figure: Figure | None) -> str:
    if figure is None:
        return ""
    return "exactly" if figure.exact else "proven bounds"
