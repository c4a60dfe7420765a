"""The nodes of a venue over HTTP: their state, and requests of two persons to drain or move."""

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from taisai.core.kernel.messages import Instant
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.kernel.registry import COMMANDS
from taisai.core.rules.reason import refuse
from taisai.core.venue.nodes import DrainNode, MoveStream
from taisai.runtime.journal.contract import JournalError
from taisai.runtime.ownership.stand import NodeStanding, Stand, could_take, move_refusal
from taisai.runtime.streams import VENUE, table_of
from taisai.server.application import Application
from taisai.server.http.frame.access import TheCaller, route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    WAITS,
    Carried,
    CommandId,
    TheApplication,
    answered,
    order,
)
from taisai.server.http.frame.problems import RefusedError, busy
from taisai.server.roles import SEE_MACHINES

MAY_ASK = tuple(sorted(COMMANDS[DrainNode].by))

NodeName = Annotated[str, PathParameter(max_length=NAME_MAX, description="a node, by its name")]


class NodeView(Struct, frozen=True):
    """A node: what it does, when it was heard of, and how many streams it has."""

    node: str
    roles: list[str]
    #: Whether it was heard of just now, and how long ago that is.
    heard: bool
    silent_ms: int
    draining: bool
    #: Whether it is the node that answers.
    here: bool
    streams: int
    address: str


class StreamView(Struct, frozen=True):
    """A stream: which node has it, since when, and how often it has passed on."""

    stream: str
    #: The table that it is of; null: the cage, or the venue's own.
    table: str | None
    node: str | None
    passed: int
    since: Instant
    #: Where it is wanted, and goes once it is at rest.
    wanted: str | None
    #: Events that are in the journal, and not known yet to the node that answers.
    behind: int
    #: The nodes that it could be moved to.
    could: list[str]


class GatewayView(Struct, frozen=True):
    """A process that holds sockets, as the office that answers knows it."""

    gateway: str
    #: How many are connected there who have said who they are.
    connected: int
    #: How often it has called since this office was started.
    starts: int


class Nodes(Struct, frozen=True):
    """All nodes and all streams, as the node that answers sees them."""

    at: Instant
    #: Whether the venue has nodes at all; where not, it is one process.
    several: bool
    nodes: list[NodeView]
    streams: list[StreamView]
    #: Gateways have no lease and beat nowhere: here are those that this node has a lane to.
    gateways: list[GatewayView]
    #: Whether whoever looks may ask for something; somebody else agrees.
    may_ask: bool


class DrainAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A node is to leave all that it has."""

    id: CommandId


class MoveAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A stream is to go to a node, once it is at rest."""

    id: CommandId
    stream: Annotated[str, Meta(max_length=NAME_MAX, examples=["table/T1"])]


@get("/api/pit/nodes", **route("reports", "Nodes", SEE_MACHINES, (503,)))
async def nodes(application: TheApplication, caller: TheCaller) -> Nodes:
    """Say how all nodes stand, and where each stream is; a venue of one process has none."""
    at, may_ask = application.runtime.clock.now(), caller.role in MAY_ASK
    if application.nodes is None:
        return Nodes(at, False, [], [], [], may_ask)
    stand = await _stand(application)
    here = application.nodes.name
    return Nodes(
        at,
        True,
        [_node(each, here) for each in stand.nodes],
        await _streams(application, stand),
        _gateways(application),
        may_ask,
    )


@post(
    "/api/pit/nodes/{node:str}/drain",
    responses=WAITS,
    **route("reports", "Drain a node", MAY_ASK, PROBLEMS, status=200),
)
async def drain_node(
    application: TheApplication, caller: TheCaller, node: NodeName, data: JSONBody[DrainAsked]
) -> Response[Carried]:
    """Ask that a node leaves all that it has, each table between two rounds; a second agrees."""
    found = {each.node: each for each in (await _stand(application)).nodes}
    if node not in found:
        raise RefusedError(refuse("NO_SUCH_NODE", node=node))
    return answered(await order(application.runtime, VENUE, caller.actor, data.id, DrainNode(node)))


@post(
    "/api/pit/nodes/{node:str}/move",
    responses=WAITS,
    **route("reports", "Move a table to a node", MAY_ASK, PROBLEMS, status=200),
)
async def move_stream(
    application: TheApplication, caller: TheCaller, node: NodeName, data: JSONBody[MoveAsked]
) -> Response[Carried]:
    """Ask that a table, the cage or the venue's own stream goes to a node; a second agrees."""
    refusal = move_refusal(await _stand(application), data.stream, node)
    if refusal is not None:
        raise RefusedError(refusal)
    command = MoveStream(data.stream, node)
    return answered(await order(application.runtime, VENUE, caller.actor, data.id, command))


async def _stand(application: Application) -> Stand:
    if application.nodes is None:
        raise RefusedError(refuse("NO_NODES"))
    try:
        return await application.nodes.look()
    except JournalError as error:
        raise busy("STILL_SUSPENDED", stream=VENUE, detail=str(error)) from error


def _node(each: NodeStanding, here: str | None) -> NodeView:
    silent = round(each.silent_seconds * 1_000)
    its = (each.draining, each.node == here, len(each.streams), each.address)
    return NodeView(each.node or "", each.roles, each.heard, silent, *its)


def _gateways(application: Application) -> list[GatewayView]:
    there = sorted(application.hub.gateways.values(), key=lambda each: each.name)
    return [GatewayView(each.name, each.connected, each.generation) for each in there]


async def _streams(application: Application, stand: Stand) -> list[StreamView]:
    runtime = application.runtime
    try:
        heads = await runtime.journal.heads([each.stream for each in stand.streams])
    except JournalError as error:
        raise busy("STILL_SUSPENDED", stream=VENUE, detail=str(error)) from error

    def behind(stream: str) -> int:
        known = runtime.committer.heads.get(stream)
        there = heads.get(stream)
        return max(0, (there.version if there else 0) - (known.version if known else 0))

    return [
        StreamView(
            each.stream,
            table_of(each.stream),
            each.node,
            max(0, each.epoch - 1),
            each.since,
            each.wanted,
            behind(each.stream),
            could_take(stand, each),
        )
        for each in stand.streams
    ]
