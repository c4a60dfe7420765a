"""The door counts connections, by their place and by whether they have proved who they are.

A connection is a newcomer until it says who it is. Newcomers are never turned away: if there are
too many of them, from one place or in all, the one that has waited longest is cut off; a client
that says hello at once never is. So a crowd of newcomers shuts nobody out. Visitors, who have said
hello without proving anything, have room of their own, and so have terminals and staff.
"""

import asyncio
import logging
from collections import Counter, OrderedDict

from taisai.server.door.guests import Guest
from taisai.server.door.places import Proxies
from taisai.server.door.turns import Turns
from taisai.server.settings import Settings

#: Connections that one person or terminal may have at a time.
LINES_EACH_MAX = 100
#: How often the log says who was turned away, and how many places it tells apart.
LOG_SECONDS = 10.0
PLACES_LOGGED = 1_000

_log = logging.getLogger(__name__)


class Door:
    """Counts the guests, and admits them, refuses them or cuts them off."""

    def __init__(self, settings: Settings, loop: asyncio.AbstractEventLoop) -> None:
        self._settings = settings
        self.time = loop.time
        self.turns = Turns(loop)
        self.proxies = Proxies(settings.proxies, settings.proxy_header)
        self.newcomers: OrderedDict[Guest, None] = OrderedDict()
        self._newcomers_at: dict[str, OrderedDict[Guest, None]] = {}
        self._visitors_at: Counter[str] = Counter()
        self._known_by: Counter[str] = Counter()
        self.visitors = self.known = 0
        #: How many guests were turned away or cut off, by reason.
        self.turned_away: Counter[str] = Counter()
        self._to_log: Counter[tuple[str, str]] = Counter()
        self._logged_at = loop.time()

    # --- who is there ------------------------------------------------------------------------

    def arrive(self, guest: Guest) -> None:
        """Add a newcomer; if there are too many, the one that has waited longest is cut off."""
        self.leave(guest)
        guest.standing = "newcomer"
        self.newcomers[guest] = None
        here = self._newcomers_at.setdefault(guest.place, OrderedDict())
        here[guest] = None
        if len(here) > self._settings.newcomers_per_place and not self._is_proxy(guest):
            self._displace(next(iter(here)))
        elif len(self.newcomers) > self._settings.newcomers_max:
            self._displace(next(iter(self.newcomers)))

    def _is_proxy(self, guest: Guest) -> bool:
        """Say whether a guest is a proxy, whose callers are not known yet."""
        return self.proxies.trust(guest.place)

    def _displace(self, guest: Guest) -> None:
        self.leave(guest)
        self.refused("DISPLACED", guest.place)
        guest.cut()

    def visit(self, guest: Guest) -> bool:
        """Count a guest as a visitor, if there is room for another from its place."""
        settings = self._settings
        if self.visitors >= settings.visitors_max:
            return self._no("VISITORS", guest)
        if self._visitors_at[guest.place] >= settings.visitors_per_place:
            return self._no("VISITORS_HERE", guest)
        self.leave(guest)
        guest.standing = "visitor"
        self.visitors += 1
        self._visitors_at[guest.place] += 1
        return True

    def know(self, guest: Guest, who: str) -> bool:
        """Count a guest as who it has proved to be, if there is room for another connection."""
        if guest.standing == "known" and guest.who == who:
            return True
        if self.known >= self._settings.connections_max:
            return self._no("FULL", guest)
        if self._known_by[who] >= LINES_EACH_MAX:
            return self._no("LINES", guest)
        self.leave(guest)
        guest.standing, guest.who = "known", who
        self.known += 1
        self._known_by[who] += 1
        return True

    def leave(self, guest: Guest) -> None:
        """Remove a guest; one that has gone already is ignored."""
        standing, guest.standing = guest.standing, "gone"
        if standing == "newcomer":
            del self.newcomers[guest]
            here = self._newcomers_at[guest.place]
            del here[guest]
            if not here:
                del self._newcomers_at[guest.place]
        elif standing == "visitor":
            self.visitors -= 1
            _less(self._visitors_at, guest.place)
        elif standing == "known":
            self.known -= 1
            _less(self._known_by, guest.who)

    # --- who was turned away -----------------------------------------------------------------

    def _no(self, why: str, guest: Guest) -> bool:
        self.refused(why, guest.place)
        return False

    def refused(self, why: str, place: str) -> None:
        """Count a guest that was turned away or cut off; the log says so now and then."""
        self.turned_away[why] += 1
        key = (why, place)
        if key not in self._to_log and len(self._to_log) >= PLACES_LOGGED:
            key = (why, "elsewhere")
        self._to_log[key] += 1

    def log(self) -> None:
        """Log in one line how many were turned away since the last one, if any were."""
        now = self.time()
        if not self._to_log or now - self._logged_at < LOG_SECONDS:
            return
        self._logged_at = now
        why: Counter[str] = Counter()
        for (each, _), count in self._to_log.items():
            why[each] += count
        (_, place), most = max(self._to_log.items(), key=lambda pair: pair[1])
        self._to_log.clear()
        told = ", ".join(f"{each} {count}" for each, count in why.most_common())
        _log.warning("turned away or cut off: %s; most of one kind, %d, from %s", told, most, place)


def _less(counts: Counter[str], key: str) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]
