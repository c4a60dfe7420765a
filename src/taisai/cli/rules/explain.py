"""`taisai explain`: one round, explained bet by bet."""

import argparse

import msgspec

from taisai.cli.catalogue import catalogue_of
from taisai.cli.command import (
    LANGUAGE,
    LIMITS,
    PAY_TABLE,
    RULEBOOK,
    Answer,
    Output,
    Refused,
    bets,
    command,
    dice,
)
from taisai.cli.rules.round_input import (
    LineError,
    RoundRequest,
    limits_of,
    read_bet,
    read_round,
    settle_round,
)
from taisai.cli.rules.settlements import (
    counts_for_nothing,
    error_answer,
    settlement_answer,
    story_of,
)
from taisai.cli.text import title_of
from taisai.core.rules.reason import printable
from taisai.core.rules.rulebook import Rulebook
from taisai.core.rules.settlement import Settlement
from taisai.rulebooks import Catalogue
from taisai.wording import say


@command(
    "taisai explain ts6/2 --dice 2 2 2 --bet small=1000",
    RULEBOOK,
    PAY_TABLE,
    dice(required=True),
    bets("a bet, stake in minor units; PLAYER:BOX=STAKE for more than one player", required=True),
    *LIMITS,
    LANGUAGE,
)
def explain(arguments: argparse.Namespace) -> Output:
    catalogue = catalogue_of(arguments)
    try:
        asked = _asked(arguments, catalogue)
        settlement = settle_round(asked)
    except LineError as error:
        sentence = error.sentence(arguments.lang)
        if not arguments.json:
            raise Refused(f"{sentence} ({error.code})") from None
        answer = error_answer(error.code, sentence)
        return Output(lambda: answer, str, status=1, one_line=True)
    rulebook = catalogue.rulebook(asked.table.rulebook_key)
    stories = _stories(asked, settlement, arguments.lang)
    return Output(
        lambda: _answer(settlement, stories, arguments.lang),
        lambda: _text(rulebook, asked, settlement, stories, arguments.lang),
        one_line=True,
    )


def _asked(arguments: argparse.Namespace, catalogue: Catalogue) -> RoundRequest:
    """Put the arguments into the form of a line to settle, so that both are checked alike."""
    line: dict[str, object] = {
        "pay_table": arguments.pay_table,
        "dice": arguments.dice,
        "bets": [read_bet(text) for text in arguments.bet],
    }
    if limits := limits_of(arguments):
        line["limits"] = limits
    return read_round(msgspec.json.encode(line), catalogue)


def _stories(asked: RoundRequest, settlement: Settlement, language: str) -> list[list[str]]:
    """Give the sentences of each bet, with the clause if there is one."""
    key, call = asked.table.rulebook_key, say(settlement.call, language)
    return [
        [
            f"{say(reason, language)} {_cited(key, clause)}" if clause else say(reason, language)
            for reason, clause in story_of(asked.table, asked.limits, bet, call)
        ]
        for bet in settlement.bets
    ]


def _cited(key: str, clause: str) -> str:
    """Cite a clause with its document, and a decision by itself."""
    return f"[{clause}]" if clause.startswith("D") else f"[{key} {clause}]"


def _answer(settlement: Settlement, stories: list[list[str]], language: str) -> Answer:
    answer = settlement_answer(settlement, language)
    answer["bets"] = [
        {**bet, "story": story} for bet, story in zip(answer["bets"], stories, strict=True)
    ]
    return answer


def _text(
    rulebook: Rulebook,
    asked: RoundRequest,
    settlement: Settlement,
    stories: list[list[str]],
    language: str,
) -> str:
    parts = [title_of(rulebook, asked.table)]
    if note := counts_for_nothing(asked.table, asked.limits):
        parts.append(f"{say(note, language)} [D6]")
    for bet, story in zip(settlement.bets, stories, strict=True):
        numbered = [f"  {number}. {sentence}" for number, sentence in enumerate(story, start=1)]
        parts.append("\n".join([f"{printable(bet.player)}, {bet.box}", *numbered]))
    return "\n\n".join(parts)
