"""The announced consequences of an irregularity are those that then happen, in every situation."""

from typing import Any

import pytest
from msgspec.structs import replace

import taisai
from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.messages import Role
from taisai.core.rules.reason import Refusal
from taisai.core.rules.settlement import settle_stakes
from taisai.core.streams import TableEvent
from taisai.core.table import corrections
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import RoundResettled, RoundsReversed
from taisai.core.table.damage import FindUndamaged, ReportDamage
from taisai.core.table.setup import TableStopped
from taisai.server.console.irregularities import (
    IrregularityView,
    Particulars,
    irregularities_for,
)
from taisai.wording import LANGUAGES, words, write_amount
from tests.kit.tables import ADDRESSES, Table, copied, picture
from tests.table.situations import CASES, betting, confirmed, in_situation, played, tumbled

ROLES: tuple[Role, ...] = ("dealer", "supervisor", "shift-manager")
#: What a person enters in the fields.
NOTE = "a word about it"
FACES = (2, 2, 6)
#: A table plays by no rulebook before it has one.
WITH_RULES = [each for each in CASES if each[1] not in ("new", "created")]


def preview_of(
    table: Table, role: Role, language: str = "en", **given: Any
) -> dict[str, IrregularityView]:
    particulars = Particulars(faces=FACES, **given)
    found = irregularities_for(table.state, role, language, table.at, particulars)
    return {each.code: each for each in found}


def filled(view: IrregularityView) -> Any:
    """Fill the command in as a person would."""
    assert view.command is not None
    put_in: dict[str, Any] = {"note": NOTE, "faces": FACES}
    wanted = [each for each in (*view.fields, *view.optional) if each in put_in]
    return replace(view.command, **{each: put_in[each] for each in wanted})


def carried_out(table: Table, role: Role, view: IrregularityView) -> tuple[TableEvent, ...]:
    """Report it for real, have the second person agree, and give all events."""
    events = table.does(role, filled(view))
    waits = isinstance(events[-1], ApprovalRequested)
    assert waits == view.second
    if waits:
        second: Any = view.seconds[0]
        events += table.does(second, table.approval(), "vic")
    return events


@pytest.mark.parametrize(("address", "name"), WITH_RULES)
def test_what_is_foretold_is_what_happens(address: str, name: str) -> None:
    table = in_situation(address, name)
    before = picture(table.state)
    for role in ROLES:
        views = preview_of(table, role)
        assert picture(table.state) == before, "nothing is changed by asking"
        for view in views.values():
            if view.command is None:
                assert view.sentence == "the system notes this by itself"
                continue
            trial = Table(address)
            trial.state, trial.at = copied(table.state), table.at - 1_000
            if view.standing == "refused":
                answer = trial.ask(role, filled(view))
                assert isinstance(answer, Refusal), view
                assert (taisai.say(answer.reason), answer.clause) == (
                    view.sentence,
                    view.refusal_clause,
                )
                assert (role in view.may) == (answer.code != "NOT_ALLOWED")
            else:
                compare(view, carried_out(trial, role, view))
                assert role in view.may


def compare(view: IrregularityView, events: tuple[TableEvent, ...]) -> None:
    """Compare the announced consequences with the events."""
    said = " / ".join(each.sentence for each in (*view.will, *view.agreed))
    assert said
    stopped = [each for each in events if isinstance(each, TableStopped)]
    assert view.stops == bool(stopped)
    assert ("the table stops" in said) == bool(stopped)
    voided = [each for each in events if isinstance(each, RoundVoided)]
    assert view.voids == bool(voided)
    assert bool(voided) or (view.bets, view.returned) == (0, 0)
    for void in voided:
        assert f"round {void.round} is void" in said
        returned = sum(line.back for line in void.returned)
        assert (view.bets, view.returned) == (len(void.returned), returned)
        assert ("nothing goes back" in said) == (not returned)
        if returned:
            counted = f"{len(void.returned)} in number, {write_amount(returned)} in all"
            assert counted in said
    for event in events:
        if isinstance(event, RoundsReversed | RoundResettled):
            given, aside = (
                write_amount(sum(each.given for each in several))
                for several in (event.netted, event.gone)
            )
            assert f"{given} given to players, {aside} set aside for players who have left" in said


def test_a_void_after_the_dice_were_seen_waits_for_a_second_person() -> None:
    open_bets = preview_of(betting("ts6/2"), "dealer")["bad-tumble"]
    assert not open_bets.second
    assert [(each.sentence, each.clause) for each in open_bets.will] == [
        ("round 2 is void", "5.5.1"),
        ("every bet goes back: 3 in number, 70.00 in all", "5.12"),
    ]
    seen = preview_of(tumbled("ts6/2"), "dealer")["bad-tumble"]
    assert seen.second
    assert seen.seconds == ("pit-manager", "shift-manager", "supervisor")
    closed, waits = (each.sentence for each in seen.will)
    assert closed == "bets are closed at once, and nothing more is bet or entered"
    assert waits.startswith(
        "a supervisor or above who is not you agrees, or declines with a reason"
    )
    assert [each.clause for each in seen.agreed] == ["5.5.1", "5.12"]


def test_a_malfunction_stops_a_table_where_the_document_says_so() -> None:
    told = preview_of(confirmed("div9/2"), "dealer")
    assert told["lights-fail"].stops
    assert [each.clause for each in told["lights-fail"].will] == ["7.3", "7.4"]
    assert not preview_of(confirmed("ts6/2"), "dealer")["malfunction"].stops
    assert told["damaged-dice"].stops
    assert told["reversal"].sentence == "no dealer may void settled rounds"
    assert told["reversal"].may == ("supervisor", "pit-manager", "shift-manager")


def test_dice_that_were_put_away_may_be_found_undamaged() -> None:
    table = betting("ts6/2")
    assert preview_of(table, "dealer")["damaged-dice"].voids
    assert "dice-undamaged" not in preview_of(table, "supervisor")
    table.does("dealer", ReportDamage("a chipped die"))
    found = preview_of(table, "supervisor")["dice-undamaged"]
    assert (found.standing, found.second, found.command) == ("open", True, FindUndamaged("D1", ""))


def test_what_a_person_names_is_what_is_tried() -> None:
    table = played("ts6/2")
    asked = Particulars()
    (guess,) = irregularities_for(
        table.state, "supervisor", "en", table.at, asked, "wrong-result-settled"
    )
    assert guess.agreed[0].sentence.startswith("round 1 is settled again on the faces you enter")
    assert guess.fields == ("round", "faces", "note")
    named = preview_of(table, "supervisor")["wrong-result-settled"]
    assert "settled again on 2 2 6 instead of 2 2 5" in named.agreed[0].sentence
    late = preview_of(table, "supervisor", first=7)["reversal"]
    assert late.sentence == "with this set of dice, rounds 1 to 1 were played"
    rules = preview_of(betting("ts6/2"), "shift-manager", voids_round=True)["ruling"]
    assert (rules.second, rules.voids) == (True, True)
    assert not preview_of(betting("ts6/2"), "shift-manager")["ruling"].voids


def test_a_round_is_not_settled_again_on_dice_that_nobody_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = played("ts6/2")
    settled: list[int] = []

    def counting(pay_table: Any, result: Any, stakes: Any, idle: Any) -> Any:
        settled.append(len(stakes))
        return settle_stakes(pay_table, result, stakes, idle)

    monkeypatch.setattr(corrections, "settle_stakes", counting)
    before = picture(table.state)
    guessed = irregularities_for(table.state, "supervisor", "en", table.at, Particulars())
    view = next(each for each in guessed if each.code == "wrong-result-settled")
    assert (view.standing, view.second) == ("open", True)
    assert settled
    assert not any(settled), "a list that is asked for all the time costs no settlement"
    preview_of(table, "supervisor")
    assert any(settled), "what is named is worked out"
    assert picture(table.state) == before


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_irregularity_of_every_document_has_a_name(address: str) -> None:
    rulebook = taisai.rulebook(address.partition("/")[0])
    interrupted = {"interrupted-with-outcome", "interrupted-without-outcome"}
    known = {each.code for each in rulebook.content.irregularities} - interrupted
    for language in LANGUAGES:
        views = preview_of(betting(address), "supervisor", language)
        assert set(views) == known | {"reversal", "interruption", "ruling"}
        names = words(language)["irregularities"]
        assert all(view.name == names[code] for code, view in views.items())
        assert len({view.name for view in views.values()}) == len(views)
