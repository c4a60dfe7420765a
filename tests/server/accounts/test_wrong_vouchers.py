"""Wrong vouchers are counted by person and for the whole venue; the lists are limited [D38]."""

from taisai.server.accounts.wrong_vouchers import (
    COUNTED_MAX,
    MANY,
    MANY_HERE,
    OTHERS,
    TRIES_MAX,
    VISITORS_MAX,
    WITHIN_MS,
    Many,
    WrongVouchers,
)

NOW = 1_760_000_000_000


def test_a_few_of_one_are_told_and_for_ten_minutes() -> None:
    tries = WrongVouchers()
    for number in range(MANY):
        assert [*tries.many(NOW + number)] == []
        tries.tried("T1/T1-1", "UNKNOWN_VOUCHER", NOW + number)
    tries.tried("T1/T1-2", "NO_VOUCHER_NUMBER", NOW)
    last = NOW + MANY - 1
    assert [*tries.many(last)] == [Many("T1/T1-1", MANY, last)]
    assert [*tries.many(NOW + WITHIN_MS - 1)] == [Many("T1/T1-1", MANY, last)]
    assert [*tries.many(NOW + WITHIN_MS)] == []
    assert tries.counts == {"T1/T1-1": MANY, "T1/T1-2": 1}


def test_many_by_many_are_told_of_the_venue() -> None:
    tries = WrongVouchers()
    for number in range(MANY_HERE):
        assert [*tries.many(NOW)] == []
        tries.tried(f"T1/T1-{number}", "UNKNOWN_VOUCHER", NOW)
    assert [*tries.many(NOW)] == [Many(None, MANY_HERE, NOW)]


def test_what_is_no_wrong_voucher_is_not_counted() -> None:
    tries = WrongVouchers()
    for code in ("VOUCHER_EXPIRED", "NOT_YOUR_TERMINAL", "RETRY"):
        tries.tried("T1/T1-1", code, NOW)
    assert not tries.counts


def test_the_lists_have_an_end() -> None:
    tries = WrongVouchers()
    for number in range(2 * VISITORS_MAX):
        tries.tried(f"T1/{number}", "UNKNOWN_VOUCHER", NOW)
    for _ in range(2 * TRIES_MAX):
        tries.tried("T1/0", "UNKNOWN_VOUCHER", NOW)
    assert len(tries.counts) == COUNTED_MAX + 1
    assert tries.counts[OTHERS] == 2 * VISITORS_MAX - COUNTED_MAX
    assert tries.counts.total() == 2 * (VISITORS_MAX + TRIES_MAX)
    assert [*tries.many(NOW)] == [Many(None, TRIES_MAX, NOW), Many("T1/0", TRIES_MAX, NOW)]
    assert len(tries._by) == VISITORS_MAX
