"""The phrases of a row as commands: what a dealer could say, and the command for it."""

import re
from collections.abc import Callable, Sequence
from typing import cast, get_args

import msgspec
from msgspec import Struct

import taisai
from taisai.core.cage.vouchers import (
    PayVoucher,
    PrintVoucher,
    SellVoucher,
    TakeVoucher,
    VoidVoucher,
)
from taisai.core.kernel.approvals import Approve, Decline
from taisai.core.kernel.ledger import HOUSE, SHORTFALL, credits_of
from taisai.core.kernel.messages import Actor, BoxStake, Command, Posting, Role
from taisai.core.kernel.registry import COMMANDS
from taisai.core.kernel.transits import CloseTransit
from taisai.core.streams import CageCommand, TableCommand, VenueCommand
from taisai.core.table.approval import AdoptDepartures, SetDepartures
from taisai.core.table.betting import ClearBets, PlaceBets, WithdrawBets
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.damage import FindUndamaged, ReportDamage
from taisai.core.table.interruption import DeclareOutcome, RecordInterruption, ResumePlay
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.opening import (
    ReadSeal,
    RegisterEquipment,
    RunTest,
    SwitchOn,
    TryTumbler,
    VerifyTest,
    WithdrawEquipment,
)
from taisai.core.table.positions import (
    BarTerminal,
    CashOut,
    ClearLock,
    EndOwnLimits,
    LiftBar,
    LoseTerminal,
    ReceiveCredits,
    RestoreTerminal,
    SetOwnLimits,
)
from taisai.core.table.provably_fair import PublishChain, RetireChain, RevealSecret
from taisai.core.table.round import (
    AmendResult,
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    PressFace,
    Settle,
)
from taisai.core.table.service import (
    EndSession,
    MarkTerminalFailed,
    ReturnTerminal,
    SetWinAside,
)
from taisai.core.table.setup import (
    AdoptRulebook,
    CloseTable,
    DeclareSafeProcedure,
    EnrolTerminal,
    GiveNotice,
    OpenTable,
    Rectify,
    RegisterDice,
    SetLimits,
)
from taisai.core.table.state import Aspect, Departure
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.opening import acts_wanted
from tests.kit.tables import SEALED, SECRETS, secret_chain
from tests.scenarios.chip_table_phrases import said_at_chip_table
from tests.scenarios.house_phrases import said_in_house
from tests.scenarios.reading import AMOUNT, UnreadableError, read_amount, read_limits
from tests.scenarios.venue import Venue

NO_HASH = "0" * 64
ROLES: tuple[Role, ...] = tuple(
    role for part in get_args(Role) for role in (get_args(part) or (part,))
)

_FACES = r"[\d -]+"
_NOTE = r"(?:: (?P<note>.*))?"
_FOR = r"(?: for (?P<terminal>\d+))?"


class Asked(Struct, frozen=True):
    """A command and its receiver; a voucher that it makes gets a name."""

    command: TableCommand | CageCommand | VenueCommand
    at_cage: bool = False
    voucher: str = ""
    in_house: bool = False


class Wait(Struct, frozen=True):
    """An amount of time that passes."""

    milliseconds: int


Phrase = Callable[[re.Match[str], Actor, Venue], Sequence[Asked]]


def speakers(who: str) -> list[Actor]:
    """Read the actor: a terminal's number, a role, a role with a person's name, or two of these."""
    return [_speaker(part) for part in who.split("+")]


def _speaker(text: str) -> Actor:
    if text.isdigit():
        return Actor(text, "terminal")
    word, _, person = text.partition(" ")
    for role in ROLES:
        if role == word and role != "terminal":
            return Actor(person or role, role)
    raise UnreadableError(f"nobody is called {text!r}: a terminal's number or a role is")


def wait_of(does: str) -> Wait:
    """Read how much time passes."""
    found = re.fullmatch(r"wait (\d+) (s|min|h|days)", does)
    if found is None:
        raise UnreadableError(f"{does!r}: the clock can 'wait 61 s', or so many min, h or days")
    seconds = {"s": 1, "min": 60, "h": 3600, "days": 24 * 3600}[found[2]]
    return Wait(int(found[1]) * seconds * 1000)


def asked(does: str, actor: Actor, venue: Venue) -> Sequence[Asked]:
    """Read a phrase as commands."""
    for pattern, phrase in PHRASES:
        found = pattern.fullmatch(does)
        if found is not None:
            return phrase(found, actor, venue)
    at_chip_table = said_at_chip_table(does, venue)
    if at_chip_table is not None:
        return [Asked(*at_chip_table)]
    in_house = said_in_house(does)
    if in_house is not None:
        return [Asked(in_house, in_house=True)]
    return [Asked(_by_name(does))]


def _by_name(does: str) -> Command:
    """Read a command that has no phrase of its own by its name: `lift cover` is `LiftCover`.

    Fields follow after "with", each as its name and its value: `rectify with note A new fuse.`
    """
    words, _, fields = does.partition(" with ")
    kind = next(
        (each for each in COMMANDS if each.__name__.lower() == words.replace(" ", "")), None
    )
    given = dict(field.split(" ", 1) for field in fields.split(", ") if " " in field)
    try:
        return msgspec.convert(given, kind, strict=False)
    except (TypeError, msgspec.ValidationError):
        raise UnreadableError(f"{does!r} is nothing that anyone can do here") from None


# --- the parts of phrases ------------------------------------------------------------------------


def _faces(text: str) -> tuple[int, ...]:
    return tuple(int(face) for face in text.split())


def _stakes(text: str) -> tuple[BoxStake, ...]:
    stakes = []
    for part in text.split(", "):
        found = re.fullmatch(rf"([a-z0-9-]+) ({AMOUNT})", part)
        if found is None:
            raise UnreadableError(f"{part!r} is no bet; write it like small 10.00")
        stakes.append(BoxStake(found[1], read_amount(found[2])))
    return tuple(stakes)


def _terminal(found: re.Match[str], actor: Actor) -> str:
    """Give the terminal meant: the one named, or the actor's."""
    named = found["terminal"]
    if named is None and actor.role != "terminal":
        raise UnreadableError("say for which terminal, like 'for 7'")
    return named or actor.person


def _account(name: str) -> str:
    own = {"house": HOUSE, "shortfall": SHORTFALL}
    return credits_of(name) if name.isdigit() else own.get(name, name)


def _postings(text: str) -> tuple[Posting, ...]:
    postings = []
    for part in text.split(", "):
        found = re.fullmatch(rf"({AMOUNT}) from ([\w:-]+) to ([\w:-]+)", part)
        if found is None:
            raise UnreadableError(f"{part!r}: write 20.00 from venue to 7")
        source, destination = _account(found[2]), _account(found[3])
        postings.append(Posting(source, destination, read_amount(found[1])))
    return tuple(postings)


def _number(venue: Venue, name: str) -> str:
    """Give a voucher's number, by its name or as it is typed."""
    if name.startswith("number "):
        return name.removeprefix("number ")
    if name not in venue.vouchers:
        raise UnreadableError(f"there is no voucher {name} yet")
    return venue.number_of(name)


# --- phrases that need more than a line ----------------------------------------------------------


def _approve(found: re.Match[str], _: Actor, venue: Venue) -> Sequence[Asked]:
    where = "cage" if found["cage"] else "house" if found["house"] else "table"
    waited = venue.waited.get(where)
    version = 0 if waited is None else waited.version - bool(found["older"])
    command = Approve(NO_HASH if waited is None else waited.hash, version)
    return [Asked(command, where == "cage", found["voucher"] or "", where == "house")]


def _decline(found: re.Match[str], _: Actor, venue: Venue) -> Sequence[Asked]:
    where = "cage" if found["cage"] else "table"
    waited = venue.waited.get(where)
    declined = Decline(NO_HASH if waited is None else waited.hash, found["note"] or "")
    return [Asked(declined, where == "cage")]


def _adopt(found: re.Match[str], *_: object) -> Sequence[Asked]:
    canonical = taisai.rulebook(found["key"]).canonical.decode()
    return [Asked(AdoptRulebook(canonical, int(found["number"])))]


def _rule(found: re.Match[str], *_: object) -> Sequence[Asked]:
    moves = found["moves"] or ""
    voids = moves.startswith("the round void")
    paid = moves.removeprefix("the round void").removeprefix(", ")
    postings = _postings(paid) if paid else ()
    return [Asked(Rule(found["note"] or "", postings, voids))]


def _own_limits(found: re.Match[str], actor: Actor, _: Venue) -> Sequence[Asked]:
    loss = None if found["loss"] is None else read_amount(found["loss"])
    seconds = None if found["seconds"] is None else int(found["seconds"])
    return [Asked(SetOwnLimits(_terminal(found, actor), loss, seconds))]


def _insert(found: re.Match[str], actor: Actor, venue: Venue) -> Sequence[Asked]:
    number = _number(venue, found["voucher"])
    command = TakeVoucher(number, venue.table.table, _terminal(found, actor))
    return [Asked(command, at_cage=True)]


def _credit(found: re.Match[str], _: Actor, venue: Venue) -> Sequence[Asked]:
    """Deliver a taken voucher's value at a terminal; the cage's journal has the amount."""
    taken = venue.taken(found["voucher"])
    return [Asked(ReceiveCredits(taken.transit, found["terminal"], taken.value))]


def _print(found: re.Match[str], _: Actor, venue: Venue) -> Sequence[Asked]:
    """Print a voucher for a terminal's last cash-out."""
    cashed = venue.cashed(found["terminal"])
    sent = (venue.table.table, cashed.terminal, cashed.amount, cashed.session)
    command = PrintVoucher(cashed.transit, *sent)
    return [Asked(command, at_cage=True, voucher=found["voucher"])]


def _close_transit(found: re.Match[str], _: Actor, venue: Venue) -> Sequence[Asked]:
    if found["where"] == "cage":
        return [Asked(CloseTransit(venue.taken(found["voucher"]).transit), at_cage=True)]
    return [Asked(CloseTransit(venue.printed(found["voucher"])))]


def _tumble(found: re.Match[str], *_: object) -> Sequence[Asked]:
    flat, concealed = found["flat"] is None, found["open"] is None
    return [Asked(RecordTumble(int(found["times"]), flat, concealed))]


def _enter(found: re.Match[str], actor: Actor, venue: Venue) -> Sequence[Asked]:
    """Enter faces; where there is an LED, a person presses them first."""
    faces, rulebook = _faces(found["faces"]), venue.table.rulebook
    echo = rulebook is not None and rulebook.content.procedure.entry.echo
    pressed = echo and found["unpressed"] is None and actor.role != "device"
    buttons = [Asked(PressFace(face)) for face in faces] if pressed else []
    return [*buttons, Asked(EnterResult(faces))]


def _reveal(_: re.Match[str], __: Actor, venue: Venue) -> Sequence[Asked]:
    """Reveal the secret of the last round, from the chain that every scenario has."""
    number = venue.table.round
    return [Asked(RevealSecret(number, secret_chain()[number]))]


def _publish(*_: object) -> Sequence[Asked]:
    """Publish the chain after the one that every scenario has."""
    return [Asked(PublishChain(secret_chain(b"y" * 32, SECRETS)[0], SECRETS, SEALED))]


def _declare(found: re.Match[str], *_: object) -> Sequence[Asked]:
    facts = tuple((found["facts"] or "").replace(" and ", " ").split())
    return [Asked(DeclareOutcome(_faces(found["faces"]), facts))]


def _bets(kind: type[PlaceBets] | type[WithdrawBets]) -> Phrase:
    def phrase(found: re.Match[str], actor: Actor, _: Venue) -> Sequence[Asked]:
        return [Asked(kind(_terminal(found, actor), _stakes(found["bets"])))]

    return phrase


def _about_terminal(kind: Callable[[str], TableCommand]) -> Phrase:
    """Make the phrase of a command that has only a terminal."""
    return lambda found, actor, _: [Asked(kind(_terminal(found, actor)))]


def _noted(make: Callable[[re.Match[str], str], TableCommand]) -> Phrase:
    """Make the phrase of a command with a note, which may be missing."""
    return lambda found, _, __: [Asked(make(found, found["note"] or ""))]


def _plain(command: TableCommand) -> Phrase:
    return lambda *_: [Asked(command)]


_TABLE: dict[str, Phrase] = {
    # Setting up, opening, closing.
    r"enrol (?P<terminal>\d+) at (?P<place>.+)": lambda f, *_: [
        Asked(EnrolTerminal(f["terminal"], f["place"]))
    ],
    r"adopt (?P<key>[a-z]+\d)/(?P<number>\d)": _adopt,
    r"depart from (?P<key>[a-z]+\d) in (?P<aspect>[a-z]+)"
    r" by (?P<by>.+), (?P<paper>.+)": lambda f, *_: [
        Asked(SetDepartures((Departure(f["key"], cast(Aspect, f["aspect"]), f["by"], f["paper"]),)))
    ],
    r"adopt departure from (?P<key>[a-z]+\d) in (?P<aspect>[a-z]+)"
    r" by (?P<by>.+), (?P<paper>.+)": lambda f, *_: [
        Asked(
            AdoptDepartures((Departure(f["key"], cast(Aspect, f["aspect"]), f["by"], f["paper"]),))
        )
    ],
    r"withdraw (?P<equipment>[a-z-]+)": lambda f, *_: [Asked(WithdrawEquipment(f["equipment"]))],
    r"set limits (?P<limits>.+)": lambda f, *_: [Asked(SetLimits(read_limits(f["limits"])))],
    rf"report damage(?: of dice (?P<dice>\w+))?{_NOTE}": _noted(
        lambda f, n: ReportDamage(n, f["dice"])
    ),
    rf"find dice (?P<dice>\w+) undamaged{_NOTE}": _noted(lambda f, n: FindUndamaged(f["dice"], n)),
    r"register dice (?P<dice>.+) under seal (?P<seal>.+)": lambda f, *_: [
        Asked(RegisterDice(f["dice"], f["seal"]))
    ],
    r"register (?P<equipment>[a-z-]+) (?P<identity>\S+)": lambda f, *_: [
        Asked(RegisterEquipment(f["equipment"], f["identity"]))
    ],
    r"switch on, power from the (?P<power>.+)": lambda f, *_: [Asked(SwitchOn(f["power"]))],
    r"test run (?P<faces>[\d ]+)": lambda f, *_: [Asked(RunTest(_faces(f["faces"])))],
    r"the lights are right": _plain(VerifyTest(right=True)),
    r"the lights are wrong(?:: (?P<note>.+))?": lambda f, *_: [
        Asked(VerifyTest(right=False, note=f["note"] or ""))
    ],
    r"try the tumbler (?P<times>\d+)": lambda f, *_: [Asked(TryTumbler(int(f["times"])))],
    r"read seal (?P<seal>\S+)": lambda f, *_: [Asked(ReadSeal(f["seal"]))],
    r"read broken seal (?P<seal>\S+)": lambda f, *_: [Asked(ReadSeal(f["seal"], intact=False))],
    r"do all that the opening wants": lambda _, __, venue: [
        Asked(act) for act in acts_wanted(venue.table)
    ],
    r"open table": _plain(OpenTable()),
    r"give notice": _plain(GiveNotice()),
    r"close table": _plain(CloseTable()),
    # The round.
    r"open bets": _plain(OpenBets()),
    r"tumble (?P<times>\d+)(?P<flat>, one die not flat)?(?P<open>, dice seen)?": _tumble,
    r"close bets": _plain(CloseBets()),
    r"close bets, ring the bell": _plain(CloseBets(bell=True)),
    rf"press (?P<faces>{_FACES})": lambda f, *_: [
        Asked(PressFace(face)) for face in _faces(f["faces"])
    ],
    r"enter": _plain(EnterResult()),
    rf"enter (?P<faces>{_FACES})(?P<unpressed> without pressing)?": _enter,
    r"confirm": _plain(ConfirmResult()),
    rf"amend to (?P<faces>{_FACES})": lambda f, *_: [Asked(AmendResult(_faces(f["faces"])))],
    r"settle": _plain(Settle()),
    r"reveal the secret": _reveal,
    r"retire the chain: (?P<note>.+)": lambda f, *_: [Asked(RetireChain(f["note"]))],
    r"publish another chain": _publish,
    # Bets.
    rf"bet (?P<bets>.+?){_FOR}": _bets(PlaceBets),
    rf"withdraw (?P<bets>.+?){_FOR}": _bets(WithdrawBets),
    rf"clear bets{_FOR}": _about_terminal(ClearBets),
    # What goes wrong.
    rf"report (?P<code>[a-z-]+){_NOTE}": _noted(lambda f, n: ReportIrregularity(f["code"], n)),
    rf"record an interruption{_NOTE}": _noted(lambda _, n: RecordInterruption(n)),
    r"declare no outcome": _plain(DeclareOutcome()),
    rf"declare (?P<faces>{_FACES})(?:, testifying (?P<facts>[a-z ]+))?": _declare,
    rf"go on{_NOTE}": _noted(lambda _, n: ResumePlay(n)),
    rf"void rounds from (?P<first>\d+)(?: of dice (?P<dice>\w+))?{_NOTE}": _noted(
        lambda f, n: VoidSettledRounds(int(f["first"]), n, f["dice"])
    ),
    rf"correct round (?P<round>\d+) to (?P<faces>{_FACES}){_NOTE}": _noted(
        lambda f, n: CorrectSettledRound(int(f["round"]), _faces(f["faces"]), n)
    ),
    rf"rule(?: (?P<moves>[^:]+(?::[^: ]+)*))?{_NOTE}": _rule,
    rf"rectify{_NOTE}": _noted(lambda _, n: Rectify(n)),
    rf"declare a safe procedure{_NOTE}": _noted(lambda _, n: DeclareSafeProcedure(n)),
    # Terminals.
    r"lose (?P<terminal>\d+)": _about_terminal(LoseTerminal),
    r"restore (?P<terminal>\d+)": _about_terminal(RestoreTerminal),
    rf"limit myself(?: to losing (?P<loss>{AMOUNT}))?(?: for (?P<seconds>\d+) s)?"
    r"(?: at (?P<terminal>\d+))?": _own_limits,
    rf"bar (?P<terminal>\d+){_NOTE}": _noted(lambda f, n: BarTerminal(f["terminal"], n)),
    rf"end the limits of (?P<terminal>\d+){_NOTE}": _noted(
        lambda f, n: EndOwnLimits(f["terminal"], n)
    ),
    rf"mark (?P<terminal>\d+) failed{_NOTE}": _noted(
        lambda f, n: MarkTerminalFailed(f["terminal"], n)
    ),
    rf"return (?P<terminal>\d+) to service{_NOTE}": _noted(
        lambda f, n: ReturnTerminal(f["terminal"], n)
    ),
    rf"end the session of (?P<terminal>\d+){_NOTE}": _noted(
        lambda f, n: EndSession(f["terminal"], n)
    ),
    rf"lift the bar on (?P<terminal>\d+){_NOTE}": _noted(lambda f, n: LiftBar(f["terminal"], n)),
    r"clear the lock on (?P<terminal>\d+)": _about_terminal(ClearLock),
    r"set the win of (?P<terminal>\d+) aside": _about_terminal(SetWinAside),
    rf"cash out{_FOR}": _about_terminal(CashOut),
    r"credit (?P<terminal>\d+) from voucher (?P<voucher>[A-Z])": _credit,
    # Two persons.
    r"approve(?P<older> an older version)?(?P<cage> at the cage)?(?P<house> in the house)?"
    r"(?:, voucher (?P<voucher>[A-Z]))?": _approve,
    rf"decline(?P<cage> at the cage)?{_NOTE}": _decline,
    # The cage.
    rf"sell voucher (?P<voucher>[A-Z]) for (?P<value>{AMOUNT})": lambda f, *_: [
        Asked(SellVoucher(read_amount(f["value"]), "counter"), True, f["voucher"])
    ],
    r"insert voucher (?P<voucher>[A-Z]|number \d+)(?: at (?P<terminal>\d+))?": _insert,
    r"print voucher (?P<voucher>[A-Z]) for (?P<terminal>\d+)": _print,
    r"close the (?P<where>cage|table)'s transit of voucher (?P<voucher>[A-Z])": _close_transit,
    r"pay voucher (?P<voucher>[A-Z]|number \d+)": lambda f, _, venue: [
        Asked(PayVoucher(_number(venue, f["voucher"])), at_cage=True)
    ],
    rf"void voucher (?P<voucher>[A-Z]|number \d+){_NOTE}": lambda f, _, venue: [
        Asked(VoidVoucher(_number(venue, f["voucher"]), f["note"] or ""), at_cage=True)
    ],
}

PHRASES = [(re.compile(pattern), phrase) for pattern, phrase in _TABLE.items()]
