"""Unanswered commands: sent again with the same id until there is an answer."""

import asyncio
from collections.abc import Callable

from taisai.client.failures import Backoff, ClientError
from taisai.client.wire import write_message
from taisai.protocol.client_messages import Ask, Deal, Grant
from taisai.protocol.server_messages import Done, Refused, Registered

Question = Ask | Grant | Deal
Answer = Registered | Refused | Done
#: Called once, with the answer or with the reason why there is none.
Reply = Callable[[Answer | ClientError], None]

UNANSWERED_MAX = 1_000
#: The delays before a command is sent again after a refusal that says "again".
AGAIN = Backoff(first_seconds=0.05, attempts=7)


class _Asked:
    __slots__ = ("line", "reply", "timer", "tries", "waited")

    def __init__(self, line: bytes, reply: Reply) -> None:
        self.line = line
        self.reply = reply
        self.tries = 0
        self.waited = False
        self.timer: asyncio.TimerHandle | None = None

    def rest(self) -> None:
        """Stop sending it."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Unanswered:
    """Unanswered commands by id, in the order they were sent."""

    __slots__ = ("_asked", "_send")

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._asked: dict[str, _Asked] = {}
        self._send = send

    def __len__(self) -> int:
        return len(self._asked)

    def add(self, question: Question, reply: Reply) -> bytes:
        """Store a command, and return it as it is sent."""
        if question.id in self._asked:
            raise ClientError(f"{question.id} is being asked already; wait for its answer")
        if len(self._asked) >= UNANSWERED_MAX:
            raise ClientError(f"{UNANSWERED_MAX:,} questions wait for answers; ask when fewer do")
        line = write_message(question)
        self._asked[question.id] = _Asked(line, reply)
        return line

    def lines(self) -> list[bytes]:
        """Give all commands to send again on a new connection."""
        for asked in self._asked.values():
            asked.rest()
        return [asked.line for asked in self._asked.values()]

    def overdue(self) -> list[bytes]:
        """Give the commands that have waited since the last call, except postponed ones."""
        due = [asked.line for asked in self._asked.values() if asked.waited and not asked.timer]
        for asked in self._asked.values():
            asked.waited = True
        return due

    def answer(self, answer: Answer) -> None:
        """Take an answer; one that says "again" is followed, up to a limit."""
        asked = self._asked.get(answer.id)
        if asked is None:
            return
        if isinstance(answer, Refused) and answer.again and asked.tries < AGAIN.attempts:
            self._put_off(asked)
            return
        self.forget(answer.id)
        asked.reply(answer)

    def hurry(self) -> None:
        """Send postponed commands soon: the reason to wait is over."""
        for asked in self._asked.values():
            if asked.timer is not None:
                asked.rest()
                asked.tries = 0
                self._put_off(asked)

    def forget(self, id_: str) -> None:
        """Drop a command."""
        asked = self._asked.pop(id_, None)
        if asked is not None:
            asked.rest()

    def fail(self, error: ClientError) -> None:
        """Tell every waiting caller that there will be no answer."""
        waiting = list(self._asked.items())
        for id_, asked in waiting:
            self.forget(id_)
            asked.reply(error)

    def _put_off(self, asked: _Asked) -> None:
        delay = AGAIN.delay(asked.tries)
        asked.tries += 1
        asked.rest()
        asked.timer = asyncio.get_running_loop().call_later(delay, self._send_again, asked)

    def _send_again(self, asked: _Asked) -> None:
        asked.timer = None
        asked.waited = False
        self._send(asked.line)
