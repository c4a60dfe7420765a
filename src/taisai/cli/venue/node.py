"""`taisai node` and `taisai cluster`: run one node of a cluster, and show the state of all."""

import argparse
import asyncio
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from taisai.cli.command import PASSPHRASE, Output, Refused, argument, command, place
from taisai.cli.text import printable_lines
from taisai.cli.venue.environment import passphrase_of
from taisai.cli.venue.serve import heed_signals
from taisai.core.errors import SentenceError
from taisai.core.rules.reason import Refusal
from taisai.extras import require
from taisai.runtime.operations.memory import look_after_memory
from taisai.runtime.operations.process import prepare
from taisai.runtime.ownership.stand import kept
from taisai.runtime.streams import stream_of
from taisai.server.nodes.cluster import Cluster, read_cluster
from taisai.wording import say

if TYPE_CHECKING:
    from taisai.runtime.ownership.stand import NodeStanding
    from taisai.runtime.ownership.standing import Standing

CLUSTER = place("--cluster FILE", "the nodes of the venue, as TOML", required=True)
_log = logging.getLogger("taisai.node")

_NODE_DETAIL = """\
Nodes share one journal in PostgreSQL, and speak over NATS. Gateways hold the sockets, owners decide
for the tables that they have, an office has the rest; when an owner is lost, others go on with its
tables. docs/cluster.md says what stands in the file. Ctrl-C or SIGTERM finishes the rounds of this
node's tables, and leaves them to the others."""


@command(
    "taisai node --cluster cluster.toml --name east",
    CLUSTER,
    argument("--name NAME", "which node of the cluster this one is", required=True),
    argument("--roles LIST", "what it does, otherwise than in the file: gateway,owner,office"),
    PASSPHRASE,
    argument(
        "--log",
        "how the log is written: lines for people, or a JSON object a line (on a terminal:"
        " text; otherwise: json)",
        choices=("text", "json"),
    ),
    detail=_NODE_DETAIL,
)
def node(arguments: argparse.Namespace) -> int:
    require("a live venue", "server")
    require("a journal in PostgreSQL", "postgres")
    cluster = read_cluster(Path(arguments.cluster))
    if arguments.roles is not None:
        cluster = cluster.with_roles(arguments.name, arguments.roles.split(","))
    cluster.of(arguments.name)
    # Not at the top: the framework takes half a second, and `--help` needs none of it.
    import uvloop  # noqa: PLC0415

    from taisai.server.logs import set_up  # noqa: PLC0415

    set_up(arguments.log or ("text" if sys.stderr.isatty() else "json"))
    work = _run(cluster, arguments.name, passphrase_of(arguments), as_json=arguments.json)
    try:
        uvloop.run(work)
    except SentenceError:
        raise
    except Exception:  # noqa: BLE001 - logged with its traceback, and said in a sentence
        _log.exception("the node has failed")
        raise Refused("a fault of ours ended the node; what is registered is safe") from None
    return 0


async def _run(cluster: Cluster, name: str, passphrase: str | None, *, as_json: bool) -> None:
    from taisai.server.nodes.process import serve_node  # noqa: PLC0415 - as above

    stop = asyncio.Event()
    beside: list[asyncio.Task[None]] = []

    def ready(address: str) -> None:
        prepare()
        beside.append(asyncio.get_running_loop().create_task(look_after_memory()))
        print(f'{{"address": "{address}"}}' if as_json else address, flush=True)

    heed_signals(stop)
    await serve_node(cluster, name, ready, stop, passphrase)
    for task in beside:
        task.cancel()
    await asyncio.gather(*beside, return_exceptions=True)


# --- taisai cluster -------------------------------------------------------------------------------


@command("taisai cluster status --cluster cluster.toml", CLUSTER)
def status(arguments: argparse.Namespace) -> Output:
    found = asyncio.run(_standing(arguments).read())
    return Output(lambda: found, lambda: printable_lines(_told(found)))


@command(
    "taisai cluster drain east --cluster cluster.toml",
    argument("node NODE", "the node that is to leave its streams, each between two rounds"),
    CLUSTER,
)
def drain(arguments: argparse.Namespace) -> Output:
    node, standing = arguments.node, _standing(arguments)
    _refuse(asyncio.run(standing.drain(node)))
    keeps = kept(asyncio.run(standing.look()), node)
    said = f"{node} leaves its streams to the others, until it is started again"
    if keeps:
        said = (
            f"{node} takes no more streams until it is started again; no other node that is at work"
            f" can take {', '.join(keeps)}, so it keeps that until one can"
        )
    return Output(lambda: {"draining": node, "kept": keeps}, lambda: printable_lines([said]))


@command(
    "taisai cluster move T1 west --cluster cluster.toml",
    argument("table TABLE", "the table, or cage or venue"),
    argument("node NODE", "the node that is to have it, from the next pause between rounds on"),
    CLUSTER,
)
def move(arguments: argparse.Namespace) -> Output:
    stream = stream_of(arguments.table)
    _refuse(asyncio.run(_standing(arguments).move(stream, arguments.node)))
    said = f"{stream} goes to {arguments.node} when it is at rest"
    return Output(
        lambda: {"stream": stream, "node": arguments.node}, lambda: printable_lines([said])
    )


def _refuse(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise Refused(say(refusal.reason))


def _standing(arguments: argparse.Namespace) -> "Standing":
    require("a journal in PostgreSQL", "postgres")
    # Not at the top: it cannot be imported without what was just looked for.
    from taisai.runtime.ownership.standing import Standing  # noqa: PLC0415

    cluster = read_cluster(Path(arguments.cluster))
    cluster.check_journal()
    return Standing(cluster.journal)


def _told(found: "list[NodeStanding]") -> list[str]:
    lines = []
    for each in found:
        # A node that was stopped drained first, and one that was killed may have.
        how = "silent" if not each.heard else "draining" if each.draining else "at work"
        roles = ", ".join(each.roles) or "none"
        lines.append(f"{each.node or 'nobody'}: {how}; roles: {roles}; {len(each.streams)} streams")
        lines += [f"  {stream}, epoch {epoch}" for stream, epoch in each.streams.items()]
    return lines or ["no node has ever begun here"]
