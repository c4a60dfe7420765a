"""The people of a table: the roles its rulebook names for each part of the procedure [D29]."""

from taisai.core.kernel.registry import TABLE, People, names_people
from taisai.core.table.state import TableState


@names_people(TABLE)
def people_for(state: TableState, part: str) -> People | None:
    """Give the roles for a part of the procedure, and the clause; None without a rulebook.

    [ts6 1.5; etg8 1.5; div9 5.0, 6.1, 6.2, 6.3, 6.4, 6.5, 7.2]
    """
    if state.rulebook is None:
        return None
    procedure = state.rulebook.content.procedure
    betting, entry, opening = procedure.betting, procedure.entry, procedure.opening
    match part:
        case "opening":
            return None if opening is None else People(opening.by, opening.clause)
        case "tumble":
            return People(procedure.tumble.by, procedure.tumble.clause)
        case "opens":
            return People(betting.by, betting.opens_clause)
        case "closes":
            return People(betting.by, betting.closes_clause)
        case "entry":
            return People(entry.by, entry.clause or entry.dice_clause)
        case "amendment" | "correction":
            return People(procedure.amendment.by, procedure.amendment.clause)
        case _:
            assert part == "settlement", "a command names a part of the procedure"
            return People(procedure.settlement.by, procedure.settlement.clause)
