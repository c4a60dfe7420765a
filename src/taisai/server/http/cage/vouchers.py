"""The cage: vouchers sold and paid over the counter, and the outstanding ones.

A number is shown only to the person it was issued to; lists name serials and last digits.
"""

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from taisai.core.cage.state import CageState, Voucher, printed_session
from taisai.core.cage.vouchers import (
    PayVoucher,
    SellVoucher,
    TakeVoucher,
    VoidVoucher,
    VoucherPaid,
    find_voucher,
)
from taisai.core.kernel.messages import Instant, Order
from taisai.core.kernel.names import NOTE_MAX
from taisai.core.rules.reason import Refusal
from taisai.protocol.views import view_from
from taisai.runtime.answers import ID_MAX, Registered
from taisai.runtime.streams import CAGE
from taisai.server.application import Application
from taisai.server.http.frame.access import Caller, TheCaller, route
from taisai.server.http.frame.dependencies import (
    PROBLEMS,
    WAITS,
    WHOLE_MAX,
    Carried,
    CommandId,
    TheApplication,
    answered,
    check_open,
    durably,
    order,
    waits,
    whole,
)
from taisai.server.http.frame.problems import RefusedError, not_found
from taisai.server.http.frame.requests import Secret
from taisai.server.roles import SEE_VOUCHERS

VOUCHERS_SHOWN = 500

VoucherNumber = Annotated[
    str, Meta(max_length=64, description="all eighteen digits", examples=["123456789012345678"])
]


class Sale(Struct, frozen=True, forbid_unknown_fields=True):
    """A voucher to be sold over the counter."""

    id: CommandId
    value: Annotated[int, Meta(ge=1, le=WHOLE_MAX)]
    place: Annotated[str, Meta(min_length=1, max_length=64)] = "counter"


class Payment(Secret, frozen=True, forbid_unknown_fields=True):
    """A voucher to be paid in cash."""

    id: CommandId
    number: VoucherNumber


class Voiding(Secret, frozen=True, forbid_unknown_fields=True):
    """A sale to be taken back, and why."""

    id: CommandId
    number: VoucherNumber
    note: Annotated[str, Meta(max_length=NOTE_MAX, examples=["The player wanted 500.00."])]


class Presented(Secret, frozen=True, forbid_unknown_fields=True):
    """A voucher that somebody holds, to be looked at."""

    number: VoucherNumber


class IssuedVoucher(Secret, frozen=True):
    """A voucher, with its number, which is written down nowhere else and shown to nobody else.

    `id` is what it was sold by, or the transit of the cash-out that it was printed for.
    """

    id: str
    serial: int
    number: str
    value: int
    expires: Instant
    #: The code of the session whose credits it was printed for: what that is owed later, the cage
    #: pays against it.
    session: str | None = None


class PaidVoucher(Struct, frozen=True):
    """A voucher paid in cash."""

    id: str
    serial: int
    value: int
    at: Instant


class FoundVoucher(Struct, frozen=True):
    """A voucher that is out and good, as the cashier sees it before it is paid or voided."""

    serial: int
    value: int
    place: str
    at: Instant
    expires: Instant
    #: Whether it was sold over the counter: such a sale may be taken back.
    sold: bool
    #: Whether paying it takes a second person.
    takes_two: bool


class OutstandingVoucher(Struct, frozen=True):
    """A voucher that is out; of its number only the last digits are shown."""

    serial: int
    last_four: str
    value: int
    place: str
    at: Instant
    expires: Instant


class OutstandingVouchers(Struct, frozen=True):
    """Vouchers that are out, by serial; `after` asks for the ones after them."""

    count: int
    worth: int
    vouchers: list[OutstandingVoucher]
    after: int | None = None


@post("/api/vouchers", responses=WAITS, **route("cage", "Sell a voucher", ("cage",), PROBLEMS))
async def sell_voucher(
    application: TheApplication, caller: TheCaller, data: JSONBody[Sale]
) -> Response[IssuedVoucher]:
    """Sell a voucher over the counter; asked again with the same id, it is the same voucher.

    Its number is shown for ten minutes after it was first shown, and then no more [D40].
    """
    runtime = application.runtime
    command = SellVoucher(data.value, data.place)
    registered = await order(runtime, CAGE, caller.actor, data.id, command)
    if waits(registered) is not None:
        return answered(registered)
    return Response(_sold(application, caller, data.id))


@post(
    "/api/vouchers/pay",
    responses=WAITS,
    **route("cage", "Pay a voucher", ("cage",), PROBLEMS, status=200),
)
async def pay_voucher(
    application: TheApplication, caller: TheCaller, data: JSONBody[Payment]
) -> Response[PaidVoucher]:
    """Pay a voucher in cash; asked again with the same id, it is paid once."""
    command = PayVoucher(data.number)
    registered = await try_voucher(application, caller, data.id, command)
    if waits(registered) is not None:
        return answered(registered)
    (paid,) = (each for each in registered.events if isinstance(each, VoucherPaid))
    return Response(PaidVoucher(data.id, paid.serial, paid.value, registered.at))


@post(
    "/api/vouchers/void",
    responses=WAITS,
    **route("cage", "Void a voucher", ("cage",), PROBLEMS, status=200),
)
async def void_voucher(
    application: TheApplication, caller: TheCaller, data: JSONBody[Voiding]
) -> Response[Carried]:
    """Take a sale over the counter back: it waits for a second person, always [D41]."""
    command = VoidVoucher(data.number, data.note)
    return answered(await try_voucher(application, caller, data.id, command))


@post("/api/vouchers/find", **route("cage", "Look at a voucher", ("cage",), PROBLEMS, status=200))
async def look_at_voucher(
    application: TheApplication, caller: TheCaller, data: JSONBody[Presented]
) -> FoundVoucher:
    """Say what a voucher is worth that somebody holds; nothing is paid by it, wrong ones count."""
    runtime = application.runtime
    check_open(runtime, CAGE)
    async with durably(runtime, CAGE):
        cage = runtime.cage
        found = find_voucher(cage, data.number, None, runtime.clock.now())
        above = cage.approve_above
    if isinstance(found, Refusal):
        _count_wrong(application, caller, found)
        raise RefusedError(found)
    return view_from(FoundVoucher, found, takes_two=above is not None and found.value > above)


async def try_voucher(
    application: Application,
    caller: Caller,
    id_: str,
    command: PayVoucher | VoidVoucher | TakeVoucher,
) -> Registered:
    """Redeem a voucher, and count a wrong number."""
    try:
        return await order(application.runtime, CAGE, caller.actor, id_, command)
    except RefusedError as error:
        _count_wrong(application, caller, error.refusal)
        raise


def _count_wrong(application: Application, caller: Caller, refusal: Refusal) -> None:
    who = f"{caller.table or caller.actor.role}/{caller.actor.person}"
    tries = application.hub.questions.wrong_vouchers
    tries.tried(who, refusal.code, application.runtime.clock.now())


@get(
    "/api/vouchers",
    **route("cage", "Vouchers that are out", SEE_VOUCHERS, (503,)),
)
async def outstanding_vouchers(
    application: TheApplication,
    after: Annotated[int, whole("only serials after this one")] = 0,
    limit: Annotated[int, whole("so many at most", 1, VOUCHERS_SHOWN)] = 100,
) -> OutstandingVouchers:
    """List the vouchers that are out, by serial, never with their numbers."""
    runtime = application.runtime
    check_open(runtime, CAGE)
    async with durably(runtime, CAGE):
        return _outstanding(runtime.cage, after, limit)


def _outstanding(cage: CageState, after: int, limit: int) -> OutstandingVouchers:
    # Serials only go up, and vouchers are in the order in which they were issued.
    found = [each for each in cage.outstanding.values() if each.serial > after]
    shown = [
        view_from(OutstandingVoucher, each, last_four=cage.number_of(each.serial)[-4:])
        for each in found[:limit]
    ]
    last = shown[-1].serial if len(found) > limit else None
    return OutstandingVouchers(len(cage.outstanding), cage.worth, shown, last)


@get("/api/vouchers/orders/{sold:str}", **route("cage", "A voucher sold before", ("cage",), (503,)))
async def voucher_of_order(
    application: TheApplication,
    caller: TheCaller,
    sold: Annotated[str, PathParameter(max_length=ID_MAX, description="the id it was sold by")],
) -> IssuedVoucher:
    """Show the number again to the cashier who sold the voucher, soon after it was first shown."""
    runtime = application.runtime
    check_open(runtime, CAGE)
    async with durably(runtime, CAGE):
        return _sold(application, caller, sold)


def _sold(application: Application, caller: Caller, id_: str) -> IssuedVoucher:
    """Show a voucher to the cashier who sold it."""
    found = application.hub.questions.numbers.show(Order(id_, caller.actor, SellVoucher(0, "")))
    if found is None:
        raise not_found("NUMBER_NOT_SHOWN")
    return issued(application.runtime.cage, id_, *found)


def issued(cage: CageState, id_: str, number: str, voucher: Voucher) -> IssuedVoucher:
    """Show a voucher with its number to the person it was issued to."""
    session = printed_session(cage, voucher)
    return IssuedVoucher(id_, voucher.serial, number, voucher.value, voucher.expires, session)
