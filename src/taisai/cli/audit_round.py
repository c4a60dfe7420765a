"""`taisai audit round`: one round re-created from the journal, as a page for people or as JSON."""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from taisai.cli.answers import rulebook_answer
from taisai.cli.audit_events import entry_answer, tell_grounds, tell_who
from taisai.cli.journals import ReadingProgress, reading
from taisai.cli.tables import align
from taisai.cli.titles import since
from taisai.core.kernel.messages import Netted, SettledLine
from taisai.core.rules.dice import call_of, result_of
from taisai.core.rules.limits import Limits
from taisai.core.rules.reason import printable
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.provably_fair import SecretRevealed
from taisai.core.table.round import RoundSettled
from taisai.runtime.journal.contract import Journal
from taisai.runtime.records.reading import Entry, Source
from taisai.runtime.records.recall import why
from taisai.runtime.records.rounds import RoundEnd, clauses_of, odds_of, outcome_of
from taisai.runtime.records.story import Balance, RoundStory, Secret, adopted, tell_round
from taisai.runtime.records.telling import tell, write_dice
from taisai.runtime.records.writing import write_time
from taisai.wording import label, name_box, say, write_amount

_CHANGES = ("received", "cashed", "staked", "taken_back", "back", "put_right")


def run(arguments: argparse.Namespace) -> int:
    """Answer `taisai audit round`."""
    progress = ReadingProgress()

    async def work(journal: Journal) -> RoundStory:
        source = await Source.of(journal)
        source.told = progress
        return await tell_round(source, arguments.table, arguments.number)

    try:
        story = reading(arguments.where, work)
    finally:
        progress.clear()
    if arguments.json:
        print(msgspec.json.encode(_answer(story, arguments.lang)).decode())
    else:
        print("\n\n".join(_Page(story, arguments.lang).parts()))
    return 0


# --- for people ----------------------------------------------------------------------------------


class _Page:
    """The story of a round on a page, in one language."""

    def __init__(self, story: RoundStory, language: str) -> None:
        self._story = story
        self._language = language

    def _label(self, code: str, **blanks: int | str) -> str:
        return label(code, self._language, **blanks)

    def parts(self) -> Iterator[str]:
        """Give the parts of the page, one after the other."""
        story = self._story
        name = printable(story.table)
        yield self._label("round", round=story.number, table=name)
        yield self._frame()
        yield self._part("happened", self._happened(story.entries))
        if story.end is not None:
            yield self._bets(story.end)
        yield self._money()
        if story.balances:
            yield self._part("balances", self._balances(story.balances))
        corrections = _corrections(story)
        if corrections:
            yield self._part("corrections", self._put_right(corrections))
        if story.secret is not None:
            yield self._part("secret", "\n".join(self._secret(story.secret)))
        yield self._label("chain", version=story.checked)

    def _part(self, heading: str, text: str) -> str:
        title = self._label(heading)
        return f"{title}\n\n{text}"

    def _frame(self) -> str:
        story = self._story
        entries, table = story.entries, story.pay_table
        rows = [
            ("rulebook", self._rulebook()),
            ("sha256", story.rulebook.sha256),
            ("pay-table", f"{table.address}, {table.layout.name} [{table.clause}]"),
            ("limits", self._limits(story.limits)),
            ("dice", self._dice()),
            ("began", self._moment(entries[0])),
        ]
        if story.ended_at is not None:
            rows.append(("ended", self._moment(entries[-1])))
        rows.append(("result", self._result()))
        return "\n".join(f"- {self._label(code)}: {text}" for code, text in rows)

    def _moment(self, entry: Entry) -> str:
        return self._label("moment", time=write_time(entry.at), version=entry.version)

    def _rulebook(self) -> str:
        rulebook = self._story.rulebook
        content = rulebook.content
        parts = [f"{printable(content.title)} ({rulebook.key})"]
        if content.version is not None:
            parts.append(self._label("edition", version=content.version))
        if content.effective is not None:
            parts.append(self._label("since", since=since(rulebook)))
        return ", ".join(parts)

    def _limits(self, limits: Limits | None) -> str:
        if limits is None:
            return "-"
        general = limits.general
        parts = [
            self._label(
                "limits-general",
                minimum=write_amount(general.minimum),
                maximum=write_amount(general.maximum),
                step=write_amount(limits.step),
            )
        ]
        if limits.differential is not None:
            differential = write_amount(limits.differential)
            parts.append(self._label("limits-differential", differential=differential))
        for box, own in limits.boxes.items():
            least, most = write_amount(own.minimum), write_amount(own.maximum)
            named = name_box(box, self._language)
            parts.append(self._label("limits-box", box=named, minimum=least, maximum=most))
        return "; ".join(parts)

    def _dice(self) -> str:
        story = self._story
        if story.dice_set is None:
            return story.equipment.tumbler
        named = self._label("dice-set", dice_set=printable(story.dice_set))
        return f"{story.equipment.tumbler}; {named}"

    def _result(self) -> str:
        end = self._story.end
        if end is None:
            return self._label("result-open")
        if isinstance(end, RoundSettled):
            return say(call_of(result_of(end.faces)), self._language)
        return f"{self._label('result-void', what=end.code)} [{end.clause}]"

    def _happened(self, entries: Sequence[Entry]) -> str:
        headings = [self._label(code) for code in ("version", "time", "who", "what")]
        rows = [row for entry in entries for row in self._event_rows(entry)]
        return align(headings, rows, "r")

    def _event_rows(self, entry: Entry) -> Iterator[tuple[str, ...]]:
        """Give an event a line for each of its sentences; the first says when and who."""
        sentences = [printable(say(reason, self._language)) for reason in tell(entry.event)]
        grounds = tell_grounds(entry)
        first = (str(entry.version), write_time(entry.at), tell_who(entry, self._language))
        for index, sentence in enumerate(sentences):
            yield (*(("", "", "") if index else first), sentence + ("" if index else grounds))

    def _bets(self, end: RoundEnd) -> str:
        story = self._story
        lines = lines_of(end)
        heading = "settled" if isinstance(end, RoundSettled) else "returned"
        if not lines:
            return self._part(heading, self._label("no-bets"))
        text = self._lines(end, lines)
        if isinstance(story.end, RoundSettled) and end is story.end:
            collected, paid = write_amount(story.end.collected), write_amount(story.end.paid)
            text += "\n" + self._label("sums", collected=collected, paid=paid)
        return self._part(heading, text)

    def _lines(self, end: RoundEnd, lines: Sequence[SettledLine]) -> str:
        codes = ("terminal", "box", "stake", "outcome", "pays", "won", "back", "clause", "why")
        rules = adopted(self._story)
        clause_of = clauses_of(end, rules)
        rows = [
            (
                printable(line.position),
                name_box(line.box, self._language),
                write_amount(line.stake),
                self._label(outcome_of(line, end)),
                odds_of(line, end, rules) or "-",
                write_amount(line.won),
                write_amount(line.back),
                clause_of(line.box),
                reason_of(line, end, self._language) or "-",
            )
            for line in lines
        ]
        return align([self._label(code) for code in codes], rows, "  r rrr")

    def _money(self) -> str:
        if not self._story.moved:
            return self._part("postings", self._label("no-postings"))
        rows = [
            (
                str(moved.version),
                printable(moved.posting.source),
                printable(moved.posting.destination),
                write_amount(moved.posting.amount),
            )
            for moved in self._story.moved
        ]
        headings = [self._label(code) for code in ("version", "from", "to", "amount")]
        return self._part("postings", align(headings, rows, "r  r"))

    def _balances(self, balances: Sequence[Balance]) -> str:
        names = ("before", *(name.replace("_", "-") for name in _CHANGES), "after")
        rows = [
            (
                printable(balance.terminal),
                write_amount(balance.before),
                *(_signed(getattr(balance, name)) for name in _CHANGES),
                write_amount(balance.after),
            )
            for balance in balances
        ]
        headings = [self._label("terminal"), *(self._label(name) for name in names)]
        return align(headings, rows, " " + "r" * len(names))

    def _put_right(self, corrections: Sequence[Entry]) -> str:
        parts = [self._happened(corrections)]
        for entry in corrections:
            event = entry.event
            assert isinstance(event, RoundResettled | RoundsReversed), "nothing else puts it right"
            if isinstance(event, RoundResettled):
                parts.append(self._lines(event, event.lines))
            if event.netted:
                parts.append(self._netted(event.netted))
        return "\n\n".join(parts)

    def _netted(self, netted: Sequence[Netted]) -> str:
        codes = ("terminal", "given", "taken", "shortfall")
        rows = [
            (printable(each.position), *map(write_amount, (each.given, each.taken, each.shortfall)))
            for each in netted
        ]
        return align([self._label(code) for code in codes], rows, " rrr")

    def _secret(self, secret: Secret) -> Iterator[str]:
        yield self._label("secret-commitment", commitment=secret.commitment)
        yield self._label("secret-before", before=secret.before)
        if secret.secret is None or secret.links is None:
            yield self._label("secret-owed")
            return
        yield self._label("secret-secret", secret=secret.secret)
        yield self._label("secret-links", answer=self._yes(yes=secret.links))
        if secret.drawn is not None:
            dice = write_dice(secret.drawn)
            if secret.agrees is None:
                yield self._label("secret-drawn-void", dice=dice)
            else:
                answer = self._yes(yes=secret.agrees)
                yield self._label("secret-drawn", dice=dice, answer=answer)

    def _yes(self, *, yes: bool) -> str:
        return self._label("yes" if yes else "no")


def _signed(amount: int) -> str:
    if not amount:
        return "-"
    return write_amount(amount) if amount < 0 else f"+{write_amount(amount)}"


def lines_of(end: RoundEnd) -> tuple[SettledLine, ...]:
    """Give what lay on the table when a round ended."""
    return end.lines if isinstance(end, RoundSettled | RoundResettled) else end.returned


def reason_of(line: SettledLine, end: RoundEnd, language: str) -> str | None:
    """Say why a line won or lost; one that was returned did neither."""
    if isinstance(end, RoundSettled | RoundResettled):
        return say(why(line, result_of(end.faces)), language)
    return None


def _corrections(story: RoundStory) -> list[Entry]:
    return [entry for entry in story.later if not isinstance(entry.event, SecretRevealed)]


# --- for programs --------------------------------------------------------------------------------


def _answer(story: RoundStory, language: str) -> dict[str, Any]:
    return {
        "table": story.table,
        "round": story.number,
        "rulebook": rulebook_answer(story.rulebook),
        "pay_table": story.pay_table.address,
        "limits": story.limits,
        "equipment": story.equipment,
        "dice_set": story.dice_set,
        "began_at": write_time(story.began_at),
        "ended_at": None if story.ended_at is None else write_time(story.ended_at),
        "result": _result_answer(story, language),
        "events": [_event_answer(entry, language) for entry in story.entries],
        "bets": [] if story.end is None else _lines_answer(story, story.end, language),
        "postings": [
            {
                "version": moved.version,
                "event": moved.event,
                "source": moved.posting.source,
                "destination": moved.posting.destination,
                "amount": moved.posting.amount,
            }
            for moved in story.moved
        ],
        "balances": list(story.balances),
        "corrections": [
            _correction_answer(story, entry, language) for entry in _corrections(story)
        ],
        "secret": None if story.secret is None else story.secret._asdict(),
        "chain_unbroken_to": story.checked,
    }


def _result_answer(story: RoundStory, language: str) -> dict[str, Any] | None:
    end = story.end
    if end is None:
        return None
    if not isinstance(end, RoundSettled):
        return {"end": "void", "code": end.code, "clause": end.clause}
    result = result_of(end.faces)
    return {
        "end": "settled",
        "dice": end.faces,
        "total": result.total,
        "call": say(call_of(result), language),
        "winners": story.pay_table.winners(result),
        "collected": end.collected,
        "paid": end.paid,
    }


def _event_answer(entry: Entry, language: str) -> dict[str, Any]:
    return {**entry_answer(entry, language), "fields": entry.event}


def _lines_answer(story: RoundStory, end: RoundEnd, language: str) -> list[dict[str, Any]]:
    rules = adopted(story)
    clause_of = clauses_of(end, rules)
    return [
        {
            "terminal": line.position,
            "box": line.box,
            "stake": line.stake,
            "outcome": outcome_of(line, end),
            "odds": odds_of(line, end, rules),
            "won": line.won,
            "back": line.back,
            "clause": clause_of(line.box),
            "reason": reason_of(line, end, language),
        }
        for line in lines_of(end)
    ]


def _correction_answer(story: RoundStory, entry: Entry, language: str) -> dict[str, Any]:
    answer = _event_answer(entry, language)
    if isinstance(entry.event, RoundResettled):
        answer["bets"] = _lines_answer(story, entry.event, language)
    return answer
