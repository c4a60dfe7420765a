"""`taisai audit round` and `audit events`: a round in full, and the significant events."""

import argparse
from collections.abc import Iterator, Sequence

import msgspec

from taisai.cli.command import LANGUAGE, Output, argument, command, whole
from taisai.cli.progress import ProgressLine
from taisai.cli.records.journals import WHERE, filters, read_records
from taisai.cli.text import align, effective_since
from taisai.core.rules.limits import Limits
from taisai.core.rules.reason import printable
from taisai.projections.filling import write_dice
from taisai.projections.sentences import sentences_of
from taisai.runtime.records.entries import Entry, Source
from taisai.runtime.records.export import write_time
from taisai.runtime.records.round_report import tell_round
from taisai.runtime.records.round_story import (
    Balance,
    RoundStory,
    RoundStoryView,
    StoryEnd,
    StoryLine,
    StoryNetting,
    StorySecret,
    story_view,
)
from taisai.runtime.records.significant_events import (
    event_view,
    note_of,
    significant_entries,
    summary_of,
)
from taisai.wording import name, name_box, say, write_amount


@command(
    "taisai audit events data --table T1 --from 2026-03-01",
    WHERE,
    *filters(),
    LANGUAGE,
    detail="Faults, interruptions, amendments, voids, changes of limits and rulebooks, approvals,\n"
    "terminals lost, barred or locked, rulings, corrections, opening and closing.\n"
    "With --json, one object a line. The chain of hashes is not checked here: run\n"
    "'taisai audit verify' first.",
)
def audit_events(arguments: argparse.Namespace) -> int:
    """Answer `taisai audit events`, a line or two for each as they are read."""

    async def work(source: Source, progress: ProgressLine) -> int:
        shown = 0
        async for entry in significant_entries(source):
            progress.clear()
            if arguments.json:
                print(msgspec.json.encode(event_view(entry, arguments.lang)).decode())
            else:
                print(_text(entry, arguments.lang))
            shown += 1
        return shown

    if not read_records(arguments, work) and not arguments.json:
        print(name("records", "no-events", arguments.lang))
    return 0


def who_text(entry: Entry, language: str) -> str:
    """Name the person behind an event, and the second person."""
    if entry.who is None:
        return "-"
    first = f"{entry.who.person} ({entry.who.role})"
    if entry.second is None:
        return printable(first)
    second = f"{entry.second.person} ({entry.second.role})"
    return printable(name("records", "and", language, first=first, second=second))


def grounds_text(entry: Entry) -> str:
    """Give the clause that an event cites and its note, if any."""
    clause, note = getattr(entry.event, "clause", None), note_of(entry.event)
    cited = f" [{clause}]" if clause else ""
    return cited if note is None else f"{cited} “{printable(note)}”"


def _text(entry: Entry, language: str) -> str:
    where = printable(f"{entry.stream} {entry.version}")
    said = printable(summary_of(entry.event, language)) + grounds_text(entry)
    return f"{write_time(entry.at)}  {where}  {who_text(entry, language)}\n    {said}"


_CHANGES = ("received", "cashed", "staked", "taken_back", "back", "put_right")


@command(
    "taisai audit round data T1 57",
    WHERE,
    argument("table TABLE", "the table's name"),
    whole("number N", "the round's number"),
    LANGUAGE,
    detail="Shows the rulebook and limits it was played by, what happened and who did it, each "
    "bet\n"
    "with its clause and reason, the money that moved, each terminal's credits before and\n"
    "after, and what was put right later. The chain of hashes is checked on the way.",
)
def audit_round(arguments: argparse.Namespace) -> Output:

    async def work(source: Source, _: ProgressLine) -> RoundStory:
        return await tell_round(source, arguments.table, arguments.number)

    story = read_records(arguments, work, everything=True)
    view = story_view(story, arguments.lang)
    return Output(
        lambda: view,
        lambda: "\n\n".join(_Page(story, view, arguments.lang).parts()),
        one_line=True,
    )


class _Page:
    """The story of a round on a page, in one language."""

    def __init__(self, story: RoundStory, view: RoundStoryView, language: str) -> None:
        self._story = story
        self._view = view
        self._language = language

    def _label(self, code: str, **blanks: int | str) -> str:
        return name("records", code, self._language, **blanks)

    def parts(self) -> Iterator[str]:
        """Give the parts of the page, one after the other."""
        story = self._story
        yield self._label("round", round=story.number, table=printable(story.table))
        yield self._frame()
        yield self._part("happened", self._happened(story.entries))
        if self._view.result is not None:
            yield self._bets(self._view.result)
        yield self._money()
        if story.balances:
            yield self._part("balances", self._balances(story.balances))
        if story.corrections:
            yield self._part("corrections", self._put_right(story.corrections))
        if story.secret is not None:
            yield self._part("secret", "\n".join(self._secret(story.secret)))
        yield self._label("chain", version=story.checked)

    def _table(self, codes: Sequence[str], rows: Sequence[Sequence[str]], right: str) -> str:
        return align([self._label(code) for code in codes], rows, right)

    def _part(self, heading: str, text: str) -> str:
        title = self._label(heading)
        return f"{title}\n\n{text}"

    def _frame(self) -> str:
        story = self._story
        entries, table = story.entries, story.began.pay_table
        rows = [
            ("rulebook", self._rulebook()),
            ("sha256", story.began.rulebook.sha256),
            ("pay-table", f"{table.address}, {table.layout.name} [{table.clause}]"),
            ("limits", self._limits(story.began.limits)),
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
        rulebook = self._story.began.rulebook
        content = rulebook.content
        parts = [f"{printable(content.title)} ({rulebook.key})"]
        if content.version is not None:
            parts.append(self._label("edition", version=content.version))
        if content.effective is not None:
            parts.append(self._label("since", since=effective_since(rulebook)))
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
        if story.began.dice_set is None:
            return story.began.equipment.tumbler
        named = self._label("dice-set", dice_set=printable(story.began.dice_set))
        return f"{story.began.equipment.tumbler}; {named}"

    def _result(self) -> str:
        end = self._view.result
        if end is None:
            return self._label("result-open")
        if end.code is not None:
            return f"{self._label('result-void', what=end.code)} [{end.clause}]"
        assert end.call is not None, "a settled round was called"
        return end.call

    def _happened(self, entries: Sequence[Entry]) -> str:
        rows = [row for entry in entries for row in self._event_rows(entry)]
        return self._table(("version", "time", "who", "what"), rows, "r")

    def _event_rows(self, entry: Entry) -> Iterator[tuple[str, ...]]:
        """Give a line for each sentence of an event; the first has the time and the person."""
        sentences = [printable(say(reason, self._language)) for reason in sentences_of(entry.event)]
        grounds = grounds_text(entry)
        first = (str(entry.version), write_time(entry.at), who_text(entry, self._language))
        for index, sentence in enumerate(sentences):
            yield (*(("", "", "") if index else first), sentence + ("" if index else grounds))

    def _bets(self, end: StoryEnd) -> str:
        heading = "settled" if end.end == "settled" else "returned"
        lines = self._view.bets
        if not lines:
            return self._part(heading, self._label("no-bets"))
        text = self._lines(lines)
        if end.end == "settled":
            collected, paid = write_amount(end.collected), write_amount(end.paid)
            text += "\n" + self._label("sums", collected=collected, paid=paid)
        return self._part(heading, text)

    def _lines(self, lines: Sequence[StoryLine]) -> str:
        codes = ("terminal", "box", "stake", "outcome", "pays", "won", "back", "clause", "why")
        rows = [
            (
                printable(line.terminal),
                name_box(line.box, self._language),
                write_amount(line.stake),
                self._label(line.outcome),
                line.odds or "-",
                write_amount(line.won),
                write_amount(line.back),
                line.clause,
                line.reason or "-",
            )
            for line in lines
        ]
        return self._table(codes, rows, "  r rrr")

    def _money(self) -> str:
        if not self._story.postings:
            return self._part("postings", self._label("no-postings"))
        rows = [
            (
                str(posting.version),
                printable(posting.source),
                printable(posting.destination),
                write_amount(posting.amount),
            )
            for posting in self._story.postings
        ]
        table = self._table(("version", "from", "to", "amount"), rows, "r  r")
        return self._part("postings", table)

    def _balances(self, balances: Sequence[Balance]) -> str:
        changes = (each.replace("_", "-") for each in _CHANGES)
        rows = [
            (
                printable(balance.terminal),
                write_amount(balance.before),
                *(_signed(getattr(balance, each)) for each in _CHANGES),
                write_amount(balance.after),
            )
            for balance in balances
        ]
        return self._table(("terminal", "before", *changes, "after"), rows, " rrrrrrrr")

    def _put_right(self, corrections: Sequence[Entry]) -> str:
        parts = [self._happened(corrections)]
        for correction in self._view.corrections:
            if correction.bets:
                parts.append(self._lines(correction.bets))
            if correction.netted:
                parts.append(self._netted(correction.netted))
        return "\n\n".join(parts)

    def _netted(self, netted: Sequence[StoryNetting]) -> str:
        rows = [
            (printable(each.terminal), *map(write_amount, msgspec.structs.astuple(each)[1:]))
            for each in netted
        ]
        return self._table(("terminal", "given", "taken", "shortfall", "covered"), rows, " rrrr")

    def _secret(self, secret: StorySecret) -> Iterator[str]:
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
