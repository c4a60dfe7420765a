"""A client's requests over HTTP: logging in, terminals of a demo, tables, odds, recall.

A refusal of the venue is raised as `HttpProblem`, with the venue's own sentence.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ssl import SSLContext
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
import msgspec
from msgspec import Struct

from taisai.client.failures import ClientError, HttpProblem, NotConnected
from taisai.core.kernel.messages import Role
from taisai.protocol.client_messages import Language, TerminalKey
from taisai.protocol.receipts import Receipt
from taisai.protocol.views import RecalledRound, TableEntry
from taisai.rulebooks.answers import OddsView

#: The slowest request: a venue takes a while to make many terminals.
ANSWER_SECONDS = 120.0
#: The most demo terminals in one request.
TERMINALS_AT_ONCE = 250

_T = TypeVar("_T")


class Recall(Struct, frozen=True):
    """The last rounds of the session at a terminal, and its code, if there is a session."""

    rounds: list[RecalledRound]
    session: str | None = None


class _Problem(Struct, frozen=True):
    detail: str = ""
    code: str = ""


async def log_in(
    address: str, person: str, password: str, role: Role, trust: SSLContext | None = None
) -> str:
    """Log in with a role, and return the session to connect with."""
    body = {"person": person, "password": password, "role": role}
    return str((await _post(address, "/api/sessions", body, dict[str, Any], trust))["token"])


async def demo_staff(address: str, role: Role) -> str:
    """Log in as a member of a demo venue's staff, and return the session to connect with."""
    return str((await _post(address, "/api/demo/staff", {"role": role}, dict[str, Any]))["token"])


async def demo_terminal(address: str, table: str | None = None) -> TerminalKey:
    """Get a terminal with credits in a demo venue."""
    body = {} if table is None else {"table": table}
    return _key(await _post(address, "/api/demo/terminals", body, dict[str, Any]))


async def demo_terminals(
    address: str, count: int, table: str | None = None
) -> AsyncIterator[list[TerminalKey]]:
    """Get many terminals in a demo venue, a batch at a time."""
    while count > 0:
        body: dict[str, Any] = {"count": min(count, TERMINALS_AT_ONCE)}
        if table is not None:
            body["table"] = table
        made = await _post(address, "/api/demo/terminals/many", body, list[dict[str, Any]])
        if not made:
            raise ClientError("the demo venue has no room for more terminals")
        count -= len(made)
        yield [_key(each) for each in made]


async def tables(address: str, trust: SSLContext | None = None) -> list[TableEntry]:
    """List the tables of a venue."""
    return await _get(address, "/api/tables", list[TableEntry], trust)


async def odds(address: str, pay_table: str, trust: SSLContext | None = None) -> OddsView:
    """Get what each box of a pay table pays; a pay table is named like `k/2`."""
    key, _, number = pay_table.partition("/")
    path = f"/api/pay-tables/{quote(key, safe='')}/{quote(number, safe='')}/odds"
    return await _get(address, path, OddsView, trust)


async def recall(
    address: str, key: TerminalKey, language: Language = "en", trust: SSLContext | None = None
) -> Recall:
    """Get a terminal's own last rounds, every bet with its reason in words."""
    who = {"Authorization": f"Terminal {key.table}/{key.terminal}:{key.key}"}
    path = f"/api/terminal/recall?language={language}"
    return await _get(address, path, Recall, trust, who)


async def receipt(address: str, key: TerminalKey, trust: SSLContext | None = None) -> Receipt:
    """Get a receipt for a terminal: what the venue signs of its table's position, to be kept."""
    who = {"Authorization": f"Terminal {key.table}/{key.terminal}:{key.key}"}
    return await _get(address, "/api/terminal/receipt", Receipt, trust, who)


def _key(made: dict[str, Any]) -> TerminalKey:
    return TerminalKey(made["table"], made["terminal"], made["key"])


async def _get(
    address: str,
    path: str,
    kind: type[_T],
    trust: SSLContext | None = None,
    headers: dict[str, str] | None = None,
) -> _T:
    async with _http_client(address, trust) as client:
        return _answer(await client.get(path, headers=headers), kind)


async def _post(
    address: str,
    path: str,
    body: dict[str, Any],
    kind: type[_T],
    trust: SSLContext | None = None,
) -> _T:
    async with _http_client(address, trust) as client:
        return _answer(await client.post(path, json=body), kind)


@asynccontextmanager
async def _http_client(address: str, trust: SSLContext | None) -> AsyncIterator[httpx.AsyncClient]:
    """Open an HTTP client; if the venue does not answer, the error names the address."""
    base = address.rstrip("/")
    if not base.startswith(("http://", "https://")):
        raise ClientError(
            f"{address!r} is no address of a venue; one is like http://127.0.0.1:8888"
        )
    # Without TLS there is nothing to verify, and loading the trusted certificates takes long.
    verify: SSLContext | bool = trust or base.startswith("https://")
    try:
        async with httpx.AsyncClient(
            base_url=base, timeout=ANSWER_SECONDS, verify=verify, trust_env=False
        ) as client:
            yield client
    except (httpx.TransportError, httpx.InvalidURL) as error:
        why = str(error) or type(error).__name__
        raise NotConnected(f"cannot connect to {base}: {why}") from error


def _answer(response: httpx.Response, kind: type[_T]) -> _T:
    if response.is_success:
        try:
            return msgspec.json.decode(response.content, type=kind)
        except msgspec.MsgspecError as error:
            raise ClientError(f"{response.request.url} answered something else: {error}") from None
    try:
        problem = msgspec.json.decode(response.content, type=_Problem)
    except msgspec.MsgspecError:
        problem = _Problem()
    sentence = problem.detail or f"{response.request.url.path} answered {response.status_code}"
    raise HttpProblem(response.status_code, problem.code, sentence)
