"""Unclaimed money at the cage: paid against the session's code, by two persons, once [D21]."""

import msgspec
import pytest

from taisai.core.cage import unclaimed
from taisai.core.cage.state import is_session_code, printed_session, session_code
from taisai.core.cage.unclaimed import ClaimClosed, CloseClaim, PayUnclaimed, UnclaimedPaid
from taisai.core.cage.vouchers import PrintVoucher, SellVoucher
from taisai.core.kernel.messages import Delivery, Role
from tests.kit.tables import Cage, open_cage


def code_of(cage: Cage, session: str = "7@1", table: str = "T1") -> str:
    return session_code(cage.state.key, table, session)


def pay(cage: Cage, **changed: object) -> PayUnclaimed:
    asked = PayUnclaimed(code_of(cage), "T1", "7@1", 5_000)
    return msgspec.structs.replace(asked, **changed)


def paid(cage: Cage, command: PayUnclaimed, second: Role = "cage") -> UnclaimedPaid:
    """Request a payment, and have another person approve it."""
    cage.does("cage", command, "cat")
    assert cage.refuses("cage", cage.approval(), "cat") == "SAME_PERSON"
    *_, event = cage.does(second, cage.approval(), "bob")
    assert isinstance(event, UnclaimedPaid)
    return event


def test_a_code_is_sixteen_digits_that_nobody_can_make_from_the_name() -> None:
    key, other = b"k" * 32, b"l" * 32
    code = session_code(key, "T1", "7@1")
    assert len(code) == 16
    assert is_session_code(code)
    assert code == session_code(key, "T1", "7@1")
    others = {
        session_code(key, "T1", "7@2"),
        session_code(key, "T1", "8@1"),
        session_code(key, "T2", "7@1"),
        session_code(other, "T1", "7@1"),
    }
    assert len(others | {code}) == 5
    wrong = code[:-1] + str((int(code[-1]) + 1) % 10)
    for text in ("", "7@1", code[:-1], code + "0", wrong, f" {code[:-1]}", None, 7):
        assert not is_session_code(text)


def test_two_persons_pay_in_cash_and_the_table_answers_for_it() -> None:
    """The drawer took 8,000 for a voucher and pays 5,000: 3,000 more than at the beginning."""
    cage = open_cage()
    cage.does("cage", SellVoucher(8_000, "counter"))
    event = paid(cage, pay(cage))
    told = (event.table, event.session, event.amount, event.in_chips, event.by)
    assert told == ("T1", "7@1", 5_000, False, "cat")
    assert cage.balance("cash:counter") == -3_000
    assert cage.balance("transit:settled") == -5_000
    assert cage.balance(f"transit:{event.transit}") == 0
    assert cage.state.claims_open == {event.transit: Delivery("T1", "7@1", 5_000)}
    assert cage.refuses("cage", pay(cage)) == "UNCLAIMED_IS_PAID"
    assert cage.refuses("cage", CloseClaim(event.transit)) == "NOT_ALLOWED"
    assert cage.does("system", CloseClaim(event.transit)) == (ClaimClosed(event.transit, 5_000),)
    assert cage.state.claims_open == {}
    assert cage.refuses("system", CloseClaim(event.transit)) == "TRANSIT_CLOSED"


def test_chips_that_a_table_set_aside_are_handed_over_and_the_drawer_is_untouched() -> None:
    cage = open_cage()
    paid(cage, pay(cage, in_chips=True), "supervisor")
    assert (cage.balance("floor:chips"), cage.balance("cash:counter")) == (5_000, 0)


def test_another_code_pays_nothing() -> None:
    cage = open_cage()
    for code in (code_of(cage, "7@2"), code_of(cage, "8@1"), code_of(cage, "7@1", "T2")):
        assert cage.refuses("cage", pay(cage, code=code)) == "UNKNOWN_UNCLAIMED"
    for code in ("", "12345", "0" * 18, "x" * 1_000, code_of(cage)[:-1]):
        assert cage.refuses("cage", pay(cage, code=code)) == "NO_SESSION_CODE"
    for amount in (0, -1, 10**30):
        assert cage.refuses("cage", pay(cage, amount=amount)) == "BAD_AMOUNT"
    roles: tuple[Role, ...] = ("supervisor", "dealer", "terminal", "system")
    for role in roles:
        assert cage.refuses(role, pay(cage)) == "NOT_ALLOWED"


def test_no_event_holds_a_code() -> None:
    cage = open_cage()
    paid(cage, pay(cage))
    assert code_of(cage).encode() not in cage.journal()


def test_a_voucher_carries_the_code_of_the_session_that_cashed_out() -> None:
    """A voucher sold at the counter belongs to no session."""
    cage = open_cage()
    cage.does("cage", SellVoucher(8_000, "counter"))
    cage.does("system", PrintVoucher("A/B-9", "A/B", "7", 3_000, "7@2"))
    sold, printed = cage.state.outstanding.values()
    assert printed_session(cage.state, sold) is None
    assert printed_session(cage.state, printed) == code_of(cage, "7@2", "A/B")


def test_the_cage_remembers_so_many_sessions_and_the_oldest_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unclaimed, "SESSIONS_KEPT", 2)
    cage = open_cage()
    for session in ("1@1", "2@1", "3@1"):
        paid(cage, pay(cage, code=code_of(cage, session), session=session))
    assert [*cage.state.sessions_paid] == ["T1:2@1", "T1:3@1"]
