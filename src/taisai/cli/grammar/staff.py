"""How `taisai staff` is written: add, list."""

from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import add_command, add_group, add_passphrase, named

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands


def add_staff(commands: "Commands") -> None:
    """Enter `taisai staff` with its commands."""
    group = add_group(
        commands,
        "staff",
        "put the first people on the staff of a house, and show who is on it",
        "Once two people can log in, staff is appointed in the house itself.",
        "taisai staff list data",
    )
    for add in (_add_add, _add_list):
        add(group)


def _add_add(group: "Commands") -> None:
    command = add_command(
        group,
        "add",
        "put a person on the staff of a house that is stopped, by two persons",
        "The journal says who did it. The code that is shown is for the person alone, who sets a\n"
        "password and a PIN with it, once, within a day. The roles are dealer, supervisor,\n"
        "pit-manager, shift-manager, cage, technician and auditor.",
        "taisai staff add data --person 'Ann Lee' --role shift-manager"
        " --by 'Ann Lee' --second 'Bob Tan'",
        "taisai.cli.staff:add",
    )
    command.add_argument("data", metavar="DATA", type=named, help="the data directory of the house")
    command.add_argument("--person", metavar="NAME", required=True, help="who is put on the staff")
    command.add_argument(
        "--role",
        metavar="ROLE",
        dest="roles",
        action="append",
        required=True,
        help="a role the person may take; may be given more than once",
    )
    command.add_argument("--by", metavar="NAME", required=True, help="who puts them on the staff")
    command.add_argument(
        "--second", metavar="NAME", required=True, help="the second person, who agrees"
    )
    command.add_argument(
        "--journal",
        metavar="URL",
        type=named,
        help="the postgresql:// database of the house; otherwise TAISAI_JOURNAL, if set; otherwise"
        " the journal is in DATA",
    )
    add_passphrase(command)


def _add_list(group: "Commands") -> None:
    command = add_command(
        group,
        "list",
        "show who is on the staff, in which roles, since when and by whom",
        "Nothing is written.",
        "taisai staff list data",
        "taisai.cli.staff:list_",
    )
    command.add_argument(
        "where",
        metavar="DATA",
        type=named,
        help="the data directory of the house, its journal, or its database as postgresql://…",
    )
