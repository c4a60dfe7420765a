"""How `taisai keys` is written: create, show, check, rotate, publish."""

from typing import TYPE_CHECKING

from taisai.cli.grammar.frame import Parser, add_command, add_group, add_passphrase, named

if TYPE_CHECKING:
    from taisai.cli.grammar.frame import Commands


def add_keys(commands: "Commands") -> None:
    """Enter `taisai keys` with its commands."""
    group = add_group(
        commands,
        "keys",
        "make and look after the keys of a house",
        "A house signs what it has written, numbers its vouchers and seals its secrets with keys\n"
        "that live in a directory of their own. docs/keys.md tells what each is for, where to\n"
        "keep it, and what to do when it is lost or stolen.",
        "taisai keys create house-keys",
    )
    for add in (_add_create, _add_show, _add_check, _add_rotate, _add_publish):
        add(group)


def _add_create(group: "Commands") -> None:
    command = add_command(
        group,
        "create",
        "make a new directory with a set of keys",
        "Nothing that is there is ever written over. With a passphrase, the keys are useless to\n"
        "whoever has only the files.",
        "taisai keys create house-keys",
        "taisai.cli.keys:create",
    )
    _add_directory(command, "the directory to make")
    add_passphrase(command)


def _add_show(group: "Commands") -> None:
    command = add_command(
        group,
        "show",
        "tell what each key is for, its fingerprint, and the keys before it",
        "The fingerprint is in groups of four, for two people to read to each other.",
        "taisai keys show house-keys",
        "taisai.cli.keys:show",
    )
    _add_directory(command, "the directory of the keys, or a published file")


def _add_check(group: "Commands") -> None:
    command = add_command(
        group,
        "check",
        "prove that the keys are whole, belong together and sign",
        "With a published file that was held elsewhere, also that these keys follow on it.",
        "taisai keys check house-keys --held published.keys",
        "taisai.cli.keys:check",
    )
    _add_directory(command, "the directory of the keys, or a published file")
    command.add_argument("--held", metavar="FILE", help="a published file that was held elsewhere")
    add_passphrase(command)


def _add_rotate(group: "Commands") -> None:
    command = add_command(
        group,
        "rotate",
        "put a new signing key in the place of the old one, by two persons",
        "The old key signs the new one and is destroyed; what it signed can still be verified.\n"
        "The voucher key and the sealing key stay as they are: the vouchers that are out and the\n"
        "secrets that are sealed depend on them. Stop the house before, start it after.",
        "taisai keys rotate house-keys --by 'Ann Lee' --second 'Bob Tan'",
        "taisai.cli.keys:rotate",
    )
    _add_directory(command, "the directory of the keys")
    command.add_argument("--by", metavar="NAME", required=True, help="who rotates the key")
    command.add_argument(
        "--second", metavar="NAME", required=True, help="the second person, who agrees"
    )
    add_passphrase(command)


def _add_publish(group: "Commands") -> None:
    command = add_command(
        group,
        "publish",
        "write out the public keys, for an auditor to hold elsewhere",
        "There is no secret in them. A file that these keys follow on is brought up to\n"
        "date; any other is left alone.",
        "taisai keys publish house-keys published.keys",
        "taisai.cli.keys:publish",
    )
    _add_directory(command, "the directory of the keys")
    command.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default="-",
        help="where to; - or nothing: standard output",
    )


def _add_directory(command: Parser, help_: str) -> None:
    command.add_argument("directory", metavar="DIR", type=named, help=help_)
