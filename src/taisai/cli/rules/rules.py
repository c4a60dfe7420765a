"""`taisai rules` and `taisai odds`: the rulebooks clause by clause, their pay tables box by box."""

import argparse
from collections.abc import Iterable, Iterator

from taisai.cli.catalogue import catalogue_of, pay_table_of
from taisai.cli.command import PAY_TABLE, PLAYER_EDGE, RULEBOOK, Output, Refused, argument, command
from taisai.cli.text import align, effective_since, standing_of, title_of, version_of
from taisai.core.rules.money import write_fraction, write_odds
from taisai.core.rules.paytable import BettingBox
from taisai.core.rules.rulebook import Rulebook
from taisai.core.rules.schema import RulebookContent
from taisai.rulebooks.answers import RulebookList, entry_of, odds_of
from taisai.wording import per_cent


@command(
    "taisai rules div9",
    RULEBOOK,
    argument("key RULEBOOK", "a rulebook's key, like ts6", nargs="?"),
    detail="With a key, shows its clauses, people, procedure and irregularities.",
)
def rules(arguments: argparse.Namespace) -> Output:
    try:
        catalogue = catalogue_of(arguments)
    except Refused as refused:
        # A user who proves a file of their own wants to see all its faults.
        print(*refused.details, sep="\n", end="\n" * bool(refused.details))
        raise
    keys = catalogue.keys() if arguments.key is None else (arguments.key,)
    rulebooks = [catalogue.rulebook(key) for key in keys]
    return Output(
        lambda: RulebookList([entry_of(book) for book in rulebooks]),
        lambda: _list(rulebooks) if arguments.key is None else "\n\n".join(_chapters(rulebooks[0])),
    )


def _list(rulebooks: list[Rulebook]) -> str:
    rows = [
        (
            table.address,
            book.content.title,
            book.content.version or "-",
            effective_since(book),
            table.layout.name,
            str(len(table.boxes)),
        )
        for book in rulebooks
        for table in book.pay_tables.values()
    ]
    headings = ("pay table", "rulebook", "version", "in effect since", "layout", "boxes")
    return align(headings, rows, right="     r")


def _chapters(rulebook: Rulebook) -> Iterator[str]:
    content = rulebook.content
    heads = (f"{content.title} ({content.key})", content.publisher, version_of(rulebook))
    yield "\n".join([*heads, standing_of(rulebook)])
    yield _list([rulebook])
    people = [(person.title, person.role, _ground(person)) for person in content.people]
    yield align(("person", "role", "by"), people)
    yield align(("procedure", "", "clause"), list(_procedure(content)))
    rulings = [(each.code, each.ruling, _ground(each)) for each in content.irregularities]
    yield align(("irregularity", "ruling", "by"), rulings)
    yield "\n".join(_clause(clause.number, clause.gist) for clause in content.clauses)


def _clause(number: str, gist: str) -> str:
    # Not at the top: the list of rulebooks needs no sentences.
    from textwrap import fill  # noqa: PLC0415

    return fill(gist, width=96, initial_indent=f"{number:<13} ", subsequent_indent=" " * 14)


def _ground(part: object) -> str:
    grounds = (getattr(part, "clause", None), getattr(part, "decision", None))
    return ", ".join(filter(None, grounds))


def _procedure(content: RulebookContent) -> Iterator[tuple[str, str, str]]:
    steps = content.procedure
    if steps.opening is not None:
        for check in steps.opening.checks:
            yield "opening check", f"{check.code}, by the {steps.opening.title}", check.clause
    tumble = steps.tumble
    times = f"{tumble.cover}, at least {tumble.at_least} times"
    yield "tumble", f"{times}, by {_roles(tumble.by)}", tumble.clause
    yield "tumble order", tumble.order, tumble.order_clause
    betting = steps.betting
    yield "bets open", betting.opens_words or "by a notice on the terminals", betting.opens_clause
    shown = ", on the terminals" if betting.closes == "terminal-notice" else ""
    closes = f"{betting.closes_words}{shown}{', with the bell' if betting.bell else ''}"
    yield "bets close", closes, betting.closes_clause
    yield "bets called", f"by {_roles(betting.by)}", betting.opens_clause
    entry = steps.entry
    yield "result", "the dice, lying flat", entry.dice_clause
    yield "entry", f"by {_roles(entry.by)}", entry.clause or entry.dice_clause
    if entry.echo:
        yield "entry", "as the LED shows it", entry.echo_clause or ""
    amendment = steps.amendment
    yield "amendment", f"under {_roles(amendment.by)}, until {amendment.until}", amendment.clause
    settlement = steps.settlement
    yield "settlement", f"bets as they lay at the {settlement.basis}", settlement.basis_clause
    order = settlement.order or "in any order"
    yield "order", f"{order}, by {_roles(settlement.by)}", settlement.clause
    limits = content.limits
    scope = "over all players" if limits.scope == "box" else "for each player"
    yield "limits", f"on each box, {scope}", limits.displayed_clause or limits.decision or ""


def _roles(roles: Iterable[str]) -> str:
    return " or ".join(roles)


_HEADINGS = ("box", "bet", "pays", "ways", "chance", "", "house edge", "")


@command("taisai odds etg8/2", RULEBOOK, PAY_TABLE, PLAYER_EDGE)
def odds(arguments: argparse.Namespace) -> Output:
    rulebook, table = pay_table_of(arguments)
    return Output(
        lambda: odds_of(rulebook, table),
        lambda: (
            f"{title_of(rulebook, table)}\n\n"
            f"{align(_HEADINGS, [_row(box) for box in table.boxes.values()], right='  rrrrrr')}"
        ),
    )


def _row(box: BettingBox) -> tuple[str, ...]:
    return (
        box.key,
        box.bet_name,
        " / ".join(write_odds(odds) for odds in box.odds),
        str(box.ways),
        write_fraction(box.probability),
        per_cent(box.probability),
        write_fraction(box.house_edge),
        per_cent(box.house_edge),
    )
