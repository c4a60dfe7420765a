"""A bot in thirty lines: it bets on Small or Big, in every round, for as long as it can.

With a demo venue open (`taisai serve --demo`): python examples/bot.py http://127.0.0.1:8888
"""

import asyncio
import random
import sys

from taisai.client import ClientError, connect
from taisai.client.http import demo_terminal
from taisai.protocol.server_messages import Refused


async def play(address: str, rounds: int) -> None:
    key = await demo_terminal(address)  # in a real venue a technician enrols it, and gives the key
    async with connect(address, terminal=key) as live:
        table = await live.watch(key.table)
        for _ in range(rounds):
            await live.until(lambda: table.taking_bets)
            answer = await live.place({random.choice(["small", "big"]): table.minimum})
            if isinstance(answer, Refused):
                print(answer.sentence)
            await live.until(lambda: not table.taking_bets)
            await live.until(lambda: table.phase == "ready")
            dice = table.last_round.faces if table.last_round else None
            print(f"round {table.round}: {dice}; {live.terminal.credits} credits", flush=True)


try:
    asyncio.run(play(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000))
except ClientError as error:
    sys.exit(str(error))
