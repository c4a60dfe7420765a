"""How `taisai audit` is written: verify, round, events."""

from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import add_group
from taisai.cli.grammar.proof import add_audit_verify
from taisai.cli.grammar.records import add_audit_events, add_audit_round

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands


def add_audit(commands: "Commands") -> None:
    """Enter `taisai audit` with its commands."""
    group = add_group(
        commands,
        "audit",
        "prove a journal, and re-create what it tells",
        "Nothing but the journal is needed, and nothing is ever written to it.",
        "taisai audit verify data --keys published.keys",
    )
    for add in (add_audit_verify, add_audit_round, add_audit_events):
        add(group)
