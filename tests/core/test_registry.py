"""Every command and event is fully declared: a new one that lacks something fails here."""

import inspect
import re
from itertools import chain

import pytest

from taisai.core import streams
from taisai.core.kernel.approvals import ApprovalRequested, Approve, CommandApproved, Decline
from taisai.core.kernel.messages import Command, Event
from taisai.core.kernel.registry import COMMANDS, EVENTS, POSTINGS, WANTS, Place
from taisai.projections import sentences
from taisai.runtime.auditor import auditor
from taisai.runtime.auditor.cage import AuditedCage
from taisai.runtime.auditor.registry import AUDITS
from taisai.runtime.auditor.table import AuditedTable
from taisai.runtime.auditor.venue import AuditedVenue
from taisai.wording import LANGUAGES, words

#: The decider answers these itself, for every stream.
ANSWERED = {Approve, Decline}
AUDITED: dict[str, set[type[Event]]] = {
    stream: {*AUDITS[audited], ApprovalRequested, CommandApproved}
    for stream, audited in (("table", AuditedTable), ("cage", AuditedCage), ("venue", AuditedVenue))
}


def test_the_registry_is_complete() -> None:
    assert set(COMMANDS) == set(streams.AnyCommand.__args__)  # type: ignore[attr-defined]
    assert set(EVENTS) == set(streams.AnyEvent.__args__)  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", COMMANDS)
def test_a_command_says_by_whom_and_is_decided_wherever_it_is_given(kind: type[Command]) -> None:
    spec = COMMANDS[kind]
    assert spec.by
    assert spec.at
    if kind not in ANSWERED:
        assert all(kind in place.decides for place in spec.at)


@pytest.mark.parametrize("kind", COMMANDS)
def test_every_decision_is_asked_for_in_one_way(kind: type[Command]) -> None:
    for place in COMMANDS[kind].at:
        if kind in place.decides:
            names = [name.lstrip("_") for name in inspect.signature(place.decides[kind]).parameters]
            past = ["past"] if kind in WANTS else []
            assert names == ["state", "command", "actor", "at", *past]


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_is_applied_or_said_to_be_for_the_record(kind: type[Event]) -> None:
    for place in EVENTS[kind].at:
        assert kind in place.applies, f"say what it does to a {place.stream}, or applies=False"


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_says_what_it_posts_or_that_it_posts_nothing(kind: type[Event]) -> None:
    assert EVENTS[kind].posts is (kind in POSTINGS)


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_that_names_what_went_wrong_is_found_by_it(kind: type[Event]) -> None:
    if {"code", "irregularity"} & set(kind.__struct_fields__):
        assert EVENTS[kind].irregular, "say irregular=True, so that a search finds it"


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_is_audited_on_every_stream(kind: type[Event]) -> None:
    for place in EVENTS[kind].at:
        assert kind in AUDITED[place.stream], f"the auditor of a {place.stream} does not know it"


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_has_a_sentence_in_every_language(kind: type[Event]) -> None:
    code = "EVENT_" + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).upper()
    for language in LANGUAGES:
        assert (
            kind in {*sentences._SEVERAL, *sentences._ONE} or code in words(language)["sentences"]
        )


def test_each_place_has_its_own_stream() -> None:
    places: set[Place] = set(chain.from_iterable(spec.at for spec in EVENTS.values()))
    assert {place.stream for place in places} == set(AUDITED)
    assert auditor.SUBJECTS


def test_commands_have_names_for_people() -> None:
    for language in LANGUAGES:
        assert {kind.__name__ for kind in COMMANDS} <= set(words(language)["commands"])
