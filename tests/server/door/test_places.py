"""Which client a proxy stands for: read from the end, and only from the venue's own proxies."""

import pytest

from taisai.server.door.places import Proxies, place_of

PLAIN = [
    # What the proxy saw is last; anybody may have written what is before it.
    ("203.0.113.7", "203.0.113.7"),
    ("1.2.3.4, 203.0.113.7", "203.0.113.7"),
    ("1.2.3.4, 203.0.113.7, 10.0.0.8", "203.0.113.7"),
    ("10.0.0.8, 10.0.0.9", "10.0.0.8"),
    ("203.0.113.7:4711", "203.0.113.7"),
    ("[2001:db8::7]:4711", "2001:db8::7"),
    ("2001:db8::7", "2001:db8::7"),
    ("::ffff:203.0.113.7", "203.0.113.7"),
    ("1.2.3.4, unknown", "10.0.0.1"),
    ("1.2.3.4, nonsense, 10.0.0.8", "10.0.0.8"),
    ("", "10.0.0.1"),
    (",,,", "10.0.0.1"),
]
FORWARDED = [
    ("for=203.0.113.7", "203.0.113.7"),
    ('for=1.2.3.4, For="[2001:db8::7]:4711";proto=https', "2001:db8::7"),
    ('for="1.2.3.4, for=203.0.113.7;by=10.0.0.1', "203.0.113.7"),
    ("for=_hidden", "10.0.0.1"),
    ("proto=https", "10.0.0.1"),
]


@pytest.mark.parametrize(("value", "caller"), PLAIN)
def test_x_forwarded_for(value: str, caller: str) -> None:
    proxies = Proxies(("10.0.0.0/24",), "x-forwarded-for")
    headers = [(b"forwarded", b"for=6.6.6.6"), (b"x-forwarded-for", value.encode())]
    assert proxies.asked_for("10.0.0.1", headers) == caller


@pytest.mark.parametrize(("value", "caller"), FORWARDED)
def test_forwarded(value: str, caller: str) -> None:
    proxies = Proxies(("10.0.0.0/24",), "forwarded")
    headers = [(b"x-forwarded-for", b"6.6.6.6"), (b"forwarded", value.encode())]
    assert proxies.asked_for("10.0.0.1", headers) == caller


def test_a_header_in_several_lines_is_one() -> None:
    proxies = Proxies(("10.0.0.1",), "x-forwarded-for")
    headers = [(b"x-forwarded-for", b"1.2.3.4"), (b"x-forwarded-for", b"203.0.113.7, 10.0.0.1")]
    assert proxies.asked_for("10.0.0.1", headers) == "203.0.113.7"


def test_only_the_venues_own_proxies_are_trusted() -> None:
    proxies = Proxies(("10.0.0.0/24", "2001:db8::/32"), "x-forwarded-for")
    for trusted in ("10.0.0.200", "2001:db8::1", "::ffff:10.0.0.3"):
        assert proxies.trust(trusted)
    for other in ("10.0.1.1", "2001:db9::1", "unknown", ""):
        assert not proxies.trust(other)
    assert not Proxies((), "forwarded").trust("127.0.0.1")


def test_a_network_of_the_newer_kind_is_one_place() -> None:
    assert place_of("2001:db8:0:1::1") == place_of("2001:db8:0:1:ffff::2") == "2001:db8:0:1::/64"
    assert place_of("::ffff:10.0.0.1") == place_of("10.0.0.1") == "10.0.0.1"
    assert place_of("") == "unknown"
