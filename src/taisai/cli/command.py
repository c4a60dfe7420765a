"""The parts of a command: its help and example, its arguments, its answer as text or as JSON.

A command is a function under `@command`; `cli.commands` lists its module. It returns an `Output`,
which is printed here for all commands, or prints by itself and returns its exit status.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn

import msgspec

from taisai.core.errors import SentenceError
from taisai.core.rules.money import write_fraction
from taisai.core.rules.reason import shown
from taisai.wording import LANGUAGES


class Refused(SentenceError):  # noqa: N818 - it is an answer, not an error of ours
    """Some input was refused; `details` is the whole list of faults, the sentence has the first.

    Input is what the command line names too: a file that cannot be read, a number out of its range.
    """

    def __init__(self, sentence: str, details: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.details = details


class Wrong(Exception):  # noqa: N818 - it is an answer, not an error of ours
    """The command was used wrongly: the command line is not of the form that its help shows."""


def unreadable(what: str, name: str, error: OSError) -> Refused:
    """Make the answer for a file that cannot be read."""
    return Refused(f"the {what} {name} cannot be read: {error.strerror or error}")


class Parser(argparse.ArgumentParser):
    """An argument parser that answers a mistake with one sentence instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        raise Wrong(f"{message}; '{self.prog} --help' shows how")

    def describe(self, summary: str, detail: str, example: str) -> None:
        """Set what `--help` shows around the arguments."""
        self.description = f"{summary[0].upper()}{summary[1:]}.\n{detail}".rstrip()
        self.epilog = f"example:\n  {example}"


class Help(argparse.RawDescriptionHelpFormatter):
    """The formatter of help texts: lines as they are written, as wide as the terminal."""

    def __init__(self, prog: str) -> None:
        # One is made for every argument; the standard way to find the width is slow to import.
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """Give the value of COLUMNS, or the width of the terminal, or else 80."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except (AttributeError, ValueError, OSError):
        columns = 0
    return columns or 80


class Argument(NamedTuple):
    """An argument of a command, in argparse's form."""

    name: str
    options: dict[str, Any]


def argument(name: str, help_: str, **options: Any) -> Argument:
    """Declare an argument by its name and the placeholders of its values: `--stakes LOW HIGH`.

    An option is given once, unless it says with an action of its own that it is not.
    """
    name, *values = name.split(" ")
    if name.startswith("-"):
        options.setdefault("action", _Once)
    if len(values) > 1:
        options |= {"nargs": len(values), "metavar": tuple(values)}
    elif values:
        options |= {"metavar": values[0]}
    return Argument(name, {"help": help_, **options})


class _Once(argparse.Action):
    """Accept an option only once: else the last of several would count without a warning."""

    _given = False

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        _option: str | None = None,
    ) -> None:
        if self._given:
            parser.error(f"argument {self.option_strings[0]}: it is given twice; once is right")
        self._given = True
        setattr(namespace, self.dest, values)


#: No number that a command takes has more digits.
DIGITS_MAX = 40


def read_whole(text: str) -> int:
    """Read a whole number; one beyond all that a command can reckon with is refused."""
    try:
        number = int(text[: DIGITS_MAX + 1])
    except ValueError:
        raise argparse.ArgumentTypeError(f"{shown(text)} is no whole number") from None
    if len(text) > DIGITS_MAX:
        raise Refused(f"{shown(text)} is too long; a whole number has up to {DIGITS_MAX} digits")
    return number


def whole(
    name: str, help_: str, *, least: int | None = None, most: int | None = None, **options: Any
) -> Argument:
    """Declare an argument that is a whole number, perhaps of a range that nothing else decides."""

    def read(text: str) -> int:
        number = read_whole(text)
        if (least is None or least <= number) and (most is None or number <= most):
            return number
        right = f"{least:,} or more" if most is None else f"a number from {least:,} to {most:,}"
        raise Refused(f"{name.partition(' ')[0]} is {number}; {right} is right")

    return argument(name, help_, type=read, **options)


def flag(name: str, help_: str) -> Argument:
    """Declare an option without a value."""
    return argument(name, help_, action="store_true")


#: Data for programs.
Answer = dict[str, Any]


class Output(NamedTuple):
    """An answer: plain data for programs and text for people, each made only when printed."""

    data: Callable[[], object]
    text: Callable[[], str]
    status: int = 0
    one_line: bool = False

    def json(self) -> str:
        data = msgspec.json.encode(self.data(), enc_hook=_exactly)
        return (data if self.one_line else msgspec.json.format(data, indent=1)).decode()


def _exactly(value: object) -> str:
    """Write fractions, which JSON does not have, as exact texts."""
    if isinstance(value, Fraction):
        return write_fraction(value)
    raise NotImplementedError(f"a {type(value).__name__} is no data")


def pick(source: object, *names: str) -> Answer:
    """Give some attributes of an object as data, by name."""
    return {name: getattr(source, name) for name in names}


Run = Callable[[argparse.Namespace], Output | int]


class Command(NamedTuple):
    """A command: its function, its help and its arguments."""

    run: Run
    detail: str
    example: str
    arguments: Sequence[Argument]

    def define(self, parser: Parser, summary: str) -> None:
        """Add the command's help and arguments to a parser."""
        parser.describe(summary, self.detail, self.example)
        parser.add_argument("--json", action="store_true", help="answer as JSON, for programs")
        for each in self.arguments:
            parser.add_argument(each.name, **each.options)
        parser.set_defaults(run=self.answer)

    def answer(self, arguments: argparse.Namespace) -> int:
        """Run the command, print its answer and give the exit status."""
        output = self.run(arguments)
        if isinstance(output, int):
            return output
        print(output.json() if arguments.json else output.text())
        return output.status


def command(example: str, *arguments: Argument, detail: str = "") -> Callable[[Run], Command]:
    """Make a command of a function."""
    return lambda run: Command(run, detail, example, arguments)


# --- arguments that several commands take --------------------------------------------------------


def named(place: str) -> str:
    """Take the name of a file, a directory or an address; refuse a blank one."""
    if not place:
        raise argparse.ArgumentTypeError("it is blank, and names nothing")
    return place


RULEBOOK = argument("--rulebook FILE", "also read a rulebook file of your own, and prove it")
PLAYER_EDGE = flag(
    "--allow-player-edge", "take a rulebook of your own even where a box has no house edge"
)
PAY_TABLE = argument("pay_table PAYTABLE", "a pay table, like ts6/2")
LANGUAGE = argument("--lang", "the language of the sentences", choices=LANGUAGES, default="en")
LIMITS = tuple(
    whole(f"--{name} AMOUNT", help_)
    for name, help_ in (
        ("min", "the least a player may bet on a box"),
        ("max", "the most a box may hold, or a player bet on it, as the rulebook says"),
        ("differential", "how far Big and Small, or Odd and Even, may lie apart"),
        ("step", "what every stake is a multiple of"),
    )
)
ROUNDS = whole("--rounds N", "how many rounds are played", required=True)
SECOND = argument("--second NAME", "the second person, who agrees", required=True)
#: `cli.venue.environment` reads the values.
PASSPHRASE = argument(
    "--passphrase-file FILE",
    "the file with the passphrase of the keys; otherwise TAISAI_PASSPHRASE, if set",
    type=named,
)
#: More processes than this are of no use.
JOBS_MAX = 64
OVERWRITE = flag("--overwrite", "replace a file that is there already")


def jobs(help_: str, **options: Any) -> Argument:
    """Declare the number of processes that do the work."""
    return whole("--jobs N", help_, least=1, most=JOBS_MAX, **options)


def place(name: str, help_: str, **options: Any) -> Argument:
    """Declare an argument that names a file (the default), a directory or an address."""
    return argument(name if " " in name else f"{name} FILE", help_, type=named, **options)


def dice(**options: Any) -> Argument:
    """Declare a throw."""
    return whole("--dice A B C", "the three faces, each from 1 to 6", **options)


def bets(help_: str = "a bet in every round, stake in minor units", **options: Any) -> Argument:
    """Declare the bets of a command."""
    return several("--bet BOX=STAKE", help_, **options)


def several(name: str, help_: str, **options: Any) -> Argument:
    """Declare an option that takes several values, and may be given more than once."""
    return argument(name, help_, nargs="+", action="extend", **options)


def plot(what: str) -> Argument:
    """Declare an option to draw a picture."""
    return place("--plot", f"also draw {what}, as .png or .svg (extra: plots)")
