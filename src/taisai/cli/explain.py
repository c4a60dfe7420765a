"""`taisai explain`: one round, told bet by bet."""

import argparse
import re

import msgspec

from taisai.cli.answers import error_answer, settlement_answer
from taisai.cli.lines import LineError, RoundRequest, read_round, refused
from taisai.cli.refused import Refused, Wrong
from taisai.cli.shelves import find_rulebook, shelf_of
from taisai.cli.stories import story_of
from taisai.cli.titles import title_of
from taisai.core.rules.reason import Refusal, printable
from taisai.core.rules.rulebook import Rulebook
from taisai.core.rules.settlement import SettledBet, Settlement, settle
from taisai.rulebooks import Shelf
from taisai.wording import say

_WHOLE = re.compile(r"-?[0-9]{1,40}", re.ASCII)

#: Whose bet it is where only one person bets.
PLAYER = "player"


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai explain`."""
    shelf = shelf_of(arguments)
    try:
        asked, settlement = _settle(arguments, shelf)
    except LineError as error:
        if not arguments.json:
            raise Refused(f"{error} ({error.code})") from None
        print(msgspec.json.encode(error_answer(error.code, str(error))).decode())
        return 1
    if arguments.json:
        print(_json(asked, settlement, arguments.lang))
    else:
        rulebook = find_rulebook(shelf, asked.table.rulebook_key)
        print(_text(rulebook, asked, settlement, arguments.lang))
    return 0


def _settle(arguments: argparse.Namespace, shelf: Shelf) -> tuple[RoundRequest, Settlement]:
    """Put the arguments into the form of a line to settle, so that both are judged alike."""
    line: dict[str, object] = {
        "pay_table": arguments.pay_table,
        "dice": arguments.dice,
        "bets": [_bet(text) for text in arguments.bet],
    }
    limits = {
        name: getattr(arguments, name)
        for name in ("min", "max", "differential", "step")
        if getattr(arguments, name) is not None
    }
    if limits and not {"min", "max"} <= set(limits):
        raise Wrong("limits need both --min and --max")
    if limits:
        line["limits"] = limits
    asked = read_round(msgspec.json.encode(line), shelf, arguments.lang)
    settled = settle(asked.table, asked.result, asked.bets, asked.limits)
    if isinstance(settled, Refusal):
        raise refused(settled, arguments.lang)
    return asked, settled


def _bet(text: str) -> dict[str, object]:
    where, equals, stake = text.rpartition("=")
    player, colon, box = where.rpartition(":")
    if not (equals and _WHOLE.fullmatch(stake)):
        raise Wrong(f"{text!r} is no bet; write box and stake like 'small=1000'")
    return {"player": player if colon else PLAYER, "box": box, "stake": int(stake)}


def _story(
    asked: RoundRequest, settlement: Settlement, bet: SettledBet, language: str
) -> list[str]:
    key = asked.table.rulebook_key
    call = say(settlement.call, language)
    return [
        f"{say(reason, language)} [{key} {clause}]" if clause else say(reason, language)
        for reason, clause in story_of(asked.table, asked.limits, bet, call)
    ]


def _json(asked: RoundRequest, settlement: Settlement, language: str) -> str:
    answer = settlement_answer(settlement, language)
    answer["bets"] = [
        {**told, "story": _story(asked, settlement, bet, language)}
        for told, bet in zip(answer["bets"], settlement.bets, strict=True)
    ]
    return msgspec.json.encode(answer).decode()


def _text(rulebook: Rulebook, asked: RoundRequest, settlement: Settlement, language: str) -> str:
    stories = [
        "\n".join(
            [
                f"{printable(bet.player)}, {bet.box}",
                *_numbered(_story(asked, settlement, bet, language)),
            ]
        )
        for bet in settlement.bets
    ]
    return "\n\n".join([title_of(rulebook, asked.table).rstrip(), *stories])


def _numbered(story: list[str]) -> list[str]:
    return [f"  {number}. {sentence}" for number, sentence in enumerate(story, start=1)]
