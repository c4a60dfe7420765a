"""Auditing the acts before a table opens: equipment, test runs, tumbler and seal [D32]."""

import unicodedata

from taisai.core.kernel.messages import Instant
from taisai.core.table.opening import (
    EquipmentRegistered,
    EquipmentSwitchedOn,
    EquipmentWithdrawn,
    LayoutTested,
    LightsVerified,
    SealRead,
    TumblerTried,
)
from taisai.runtime.auditor.registry import audits
from taisai.runtime.auditor.table import AuditedTable, Phase


def _act(table: AuditedTable, code: str, clause: str | None, *phases: Phase) -> None:
    """An act is done between rounds, by a role that the document names, and cites its clause."""
    table.expect(*phases)
    opening = table.rules_in_force().procedure.get("opening")
    if opening is not None:
        table.expect_people("opening")
    checks = {} if opening is None else {each["code"]: each["clause"] for each in opening["checks"]}
    if clause != checks.get(code):
        raise table.wrong("{code} was checked by {clause}", code=code, clause=clause)


def equipment_of(table: AuditedTable) -> list[dict[str, str]]:
    """List the equipment that the document names, needed or not."""
    return list(table.rules_in_force().procedure.get("equipment", ()))


def check_equipment(table: AuditedTable) -> None:
    """A table opens with the equipment that goes with its form and its chips."""
    colours = table.chips is not None and bool(table.chips.chips.colours)
    for each in equipment_of(table):
        when = each.get("when", "always")
        in_use = {"always": True, "chips": table.chips is not None, "colours": colours}[when]
        if in_use and each["code"] not in table.registered:
            raise table.wrong("it opened without its {each}", each=each["code"])
    # Older journals have no registered readers; but a reader that was withdrawn is missing.
    if _is_read(table) and "reader" in table.taken_away:
        raise table.wrong("it opened without its {each}", each="reader")


def _is_read(table: AuditedTable) -> bool:
    return table.equipment.tumbler == "reader"


def _plain(text: str) -> str:
    """Give the text of a seal without spaces, in one case."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _found(table: AuditedTable, code: str, *, good: bool) -> None:
    table.checks = {*table.checks, code} if good else table.checks - {code}


@audits
def registered(table: AuditedTable, event: EquipmentRegistered, _: Instant) -> None:
    """Equipment is what the document asks for, or a reader of dice, and changes between rounds."""
    table.expect("closed", "between")
    asked: dict[str, str | None] = {each["code"]: each["clause"] for each in equipment_of(table)}
    if _is_read(table):
        asked["reader"] = None
    right = event.equipment in asked and asked[event.equipment] == event.clause
    if not right or not event.identity.strip():
        raise table.wrong(
            "{equipment} was registered, which nothing asks for", equipment=event.equipment
        )
    table.registered[event.equipment] = event.identity
    table.taken_away.discard(event.equipment)
    if event.equipment == "tumbler":
        table.checks -= {"tumbler-works", "dice-sealed"}


@audits
def withdrawn(table: AuditedTable, event: EquipmentWithdrawn, _: Instant) -> None:
    """Withdrawn equipment was there, and the table is closed."""
    table.expect("closed")
    dice = event.equipment == "dice"
    there = table.dice_in_use if dice else table.registered.get(event.equipment)
    if there is None or there != event.identity or not event.by.strip():
        raise table.wrong("{identity} was taken away, which was not there", identity=event.identity)
    if dice:
        table.dice_in_use = None
        table.dice.append((table.round + 1, None))
        table.checks -= {"dice-sealed"}
        return
    del table.registered[event.equipment]
    table.taken_away.add(event.equipment)
    if event.equipment == "tumbler":
        table.checks -= {"tumbler-works", "dice-sealed"}


@audits
def switched_on(table: AuditedTable, event: EquipmentSwitchedOn, _: Instant) -> None:
    """The equipment is switched on while the table is closed."""
    _act(table, "equipment-on", event.clause, "closed")
    _found(table, "equipment-on", good=bool(event.power.strip()))


@audits
def tested(table: AuditedTable, event: LayoutTested, _: Instant) -> None:
    """A test run lights every box that would win, and no other; it moves no money."""
    _act(table, "test-runs-light", event.clause, "closed")
    rules = table.rules_in_force()
    if list(event.lit) != [box for box in rules.boxes if event.faces in rules.pays[box]]:
        raise table.wrong(
            "a test run of {faces} lit {named}",
            faces=event.faces,
            named=", ".join(event.lit) or "nothing",
        )
    table.tested = event.faces
    _found(table, "test-runs-light", good=False)


@audits
def verified(table: AuditedTable, event: LightsVerified, _: Instant) -> None:
    """A test run is verified once, with what was wrong."""
    _act(table, "test-runs-light", event.clause, "closed")
    if event.faces != table.tested or not (event.right or event.note.strip()):
        raise table.wrong("a test run was verified that was not made, or wrong without a word")
    table.tested = None
    _found(table, "test-runs-light", good=event.right)


@audits
def tried(table: AuditedTable, event: TumblerTried, _: Instant) -> None:
    """A tumbler works if it tumbles as often as a round requires."""
    _act(table, "tumbler-works", event.clause, "closed", "between")
    least = table.rules_in_force().procedure["tumble"]["at_least"]
    if event.works is not (event.times >= least):
        raise table.wrong(
            "a tumbler that tumbles {times} times was found otherwise", times=event.times
        )
    _found(table, "tumbler-works", good=event.works)


@audits
def seal_read(table: AuditedTable, event: SealRead, _: Instant) -> None:
    """A seal agrees if it is whole and has the registered text, however written."""
    _act(table, "dice-sealed", event.clause, "closed", "between")
    if event.dice_set != table.dice_in_use:
        raise table.wrong(
            "a seal was read of {dice_set}, which is not in use", dice_set=event.dice_set
        )
    sealed = table.seals[event.dice_set]
    alike = _plain(event.seal) == _plain(sealed)
    if event.agrees is not (event.intact and alike):
        raise table.wrong(
            "seal {seal} was read, and {sealed} is registered", seal=event.seal, sealed=sealed
        )
    _found(table, "dice-sealed", good=event.agrees)
