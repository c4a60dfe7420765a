"""An attacker's input: bytes, frames and messages, from plain nonsense to almost right."""

import json
from typing import Any

from hypothesis import strategies as st

from tests.server.fuzz.hall import HONEST, MALLORY, NAMESAKE, OTHER, TABLE, VICTIM
from tests.server.fuzz.sockets import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Frame
from tools.protocol.vocabulary import members

TYPES = [str(word.tag) for word in members("ClientMessage")]
COMMANDS = [str(word.tag) for word in members("AnyCommand")]
FIELDS = sorted(
    {
        field.encode_name
        for union in ("ClientMessage", "AnyCommand")
        for word in members(union)
        for field in word.info.fields
    }
)

names = st.sampled_from([TABLE, OTHER, "cage", "venue", "table/T1", HONEST, VICTIM, NAMESAKE, ""])
numbers = st.one_of(
    st.integers(-2, 7),
    st.sampled_from([2**31, 2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**24 + 1, 10**400]),
    st.floats(allow_nan=False, allow_infinity=False),
)
texts = st.one_of(
    names,
    st.text(max_size=20),
    st.sampled_from(["\x00", "\ud83c", "\u202e", "a" * 70_000, "1794803228232-1", "-", "1-"]),
)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def written(value: Any) -> bytes:
    """Encode JSON as it is, lone surrogates too."""
    return json.dumps(value).encode("utf-8", "surrogatepass")


#: Objects with the fields of messages, and values of any kind in them.
shapes = st.fixed_dictionaries(
    {"type": st.sampled_from([*TYPES, *COMMANDS]) | texts},
    optional=dict.fromkeys(FIELDS, json_values),
)
nested = st.builds(
    lambda outer, inner: {**outer, "command": inner},
    shapes,
    shapes,
)
#: Broken JSON: cut off, doubled, deep, with numbers that are none.
broken = st.one_of(
    st.builds(lambda value, at: written(value)[: at % 40], shapes, st.integers(0, 40)),
    st.builds(lambda value: written(value) * 2, shapes),
    st.sampled_from(
        [
            b"",
            b"\n",
            b"\n" * 5_000,
            b"null",
            b"[]",
            b"{",
            b"[" * 60_000,
            b'{"type":' * 9_000,
            b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
            b'{"type":"Ping","number":1e999}',
            b'{"type":"Ping","number":NaN}',
            b'{"type":"Ping","number":' + b"9" * 5_000 + b"}",
            b'{"type":"Ping","type":"Hello","protocol":1}',
            b'{"type":"Hello","protocol":1,"protocol":2}',
            b'\xef\xbb\xbf{"type":"Ping"}',
            b"\xff\xfe\x00\x80",
            b'{"type":"Watch","table":"\xc3\x28"}',
            b'{"type":"Watch","table":"\\ud800"}',
        ]
    ),
)
payloads = st.one_of(
    st.binary(max_size=200),
    broken,
    shapes.map(written),
    nested.map(written),
    st.lists(st.one_of(shapes.map(written), broken), max_size=5).map(b"\n".join),
)

frames = st.builds(
    Frame,
    opcode=st.sampled_from([TEXT] * 6 + [BINARY, CLOSE, PING, PONG, CONTINUATION, 0x3, 0xB, 0xF]),
    payload=payloads,
    fin=st.sampled_from([True] * 4 + [False]),
    masked=st.sampled_from([True] * 6 + [False]),
    reserved=st.sampled_from([0] * 8 + [1, 4, 7]),
    claimed=st.sampled_from([None] * 12 + [0, 1, 65_536, 65_537, 2**31, 2**63 - 1, 2**64 - 1]),
)

#: Ids of all kinds; `NOW` is replaced by the venue's time when it is sent, so that it is right.
NOW = "NOW"
ids = st.one_of(
    st.integers(0, 10**9).map(lambda number: f"{NOW}-{number}"),
    st.sampled_from(["", "x", "1-1", "9" * 20 + "-1", f"{NOW}-{'a' * 80}", f"{NOW}-\n", "-1-1"]),
)


def commands_naming(terminal: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Make well-formed commands that name a terminal."""
    bets = st.lists(
        st.tuples(st.sampled_from(["small", "big", "any-triple", "nowhere"]), numbers), max_size=3
    )
    return st.one_of(
        st.fixed_dictionaries(
            {
                "type": st.sampled_from(["PlaceBets", "WithdrawBets"]),
                "terminal": terminal,
                "bets": bets,
            }
        ),
        st.fixed_dictionaries(
            {
                "type": st.sampled_from(["ClearBets", "CashOut", "ClearLock", "SetOwnLimits"]),
                "terminal": terminal,
            }
        ),
        st.fixed_dictionaries(
            {
                "type": st.just("TakeVoucher"),
                "number": st.sampled_from(["", "1", "482915073366104927"]),
                "table": st.sampled_from([TABLE, OTHER, "cage", ""]),
                "terminal": terminal,
            }
        ),
        st.fixed_dictionaries(
            {
                "type": st.sampled_from(["BarTerminal", "LiftBar"]),
                "terminal": terminal,
                "note": st.text(max_size=5),
            }
        ),
    )


#: Commands of staff that need no further words.
PLAIN = [
    *("OpenTable", "GiveNotice", "CloseTable", "OpenBets", "CloseBets", "EnterResult"),
    *("ConfirmResult", "Settle", "RecordInterruption", "DeclareOutcome"),
]
#: Commands that only staff may give, as a terminal or a visitor gives them.
staff_commands = st.one_of(
    st.fixed_dictionaries({"type": st.sampled_from(PLAIN)}),
    st.fixed_dictionaries(
        {
            "type": st.just("Rule"),
            "note": st.just("mine"),
            "postings": st.just([["house:bank", f"terminal:{MALLORY}", 1_000_000]]),
        }
    ),
    st.fixed_dictionaries({"type": st.just("EnterResult"), "faces": st.lists(numbers, max_size=4)}),
    st.fixed_dictionaries({"type": st.just("Decline"), "pending": texts}),
    st.fixed_dictionaries({"type": st.just("RegisterDice"), "dice_set": texts, "seal": texts}),
    st.fixed_dictionaries(
        {"type": st.just("ReportIrregularity"), "code": texts, "note": st.text(max_size=5)}
    ),
)


def questions_of(command: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Make well-formed questions of commands."""
    return st.fixed_dictionaries(
        {
            "type": st.just("Ask"),
            "to": st.sampled_from([TABLE, OTHER, "cage", "venue", "nowhere", "table/T1", ""]),
            "id": ids,
            "command": command,
        }
    )


#: Every well-formed message that an attacker may send.
well_formed = st.one_of(
    questions_of(commands_naming(st.sampled_from([HONEST, VICTIM, NAMESAKE, "", "nobody"]))),
    questions_of(staff_commands),
    st.fixed_dictionaries(
        {
            "type": st.just("Grant"),
            "to": names,
            "id": ids,
            "pending": texts,
            "version": numbers,
            "pin": texts,
        }
    ),
    st.fixed_dictionaries(
        {"type": st.just("Deal"), "table": names, "id": ids, "automatic": st.booleans()}
    ),
    st.fixed_dictionaries(
        {"type": st.just("Watch"), "table": names}, optional={"after": numbers | st.none()}
    ),
    st.fixed_dictionaries({"type": st.just("Unwatch"), "table": names}),
    st.fixed_dictionaries({"type": st.just("Ping")}, optional={"number": numbers}),
    st.fixed_dictionaries(
        {"type": st.just("Hello"), "protocol": st.integers(0, 2)},
        optional={
            "session": texts,
            "terminal": st.fixed_dictionaries(
                {"table": names, "terminal": names, "key": texts}, optional={"more": texts}
            ),
            "after": numbers,
        },
    ),
)


def framed(message: dict[str, Any]) -> Frame:
    """Put one message into an ordinary frame."""
    return Frame(TEXT, written(message))


#: What an attacker sends over one connection: mostly frames, sometimes other bytes.
attacks = st.lists(
    st.one_of(well_formed.map(framed), well_formed.map(framed), frames, st.binary(max_size=300)),
    min_size=1,
    max_size=6,
)
