"""A round of bets at one server, and the resources it used for each bet."""

from bench.live.children import Child

IN_FLIGHT = 200


async def take_bets(name: str, server: Child, generator: Child, bets: int) -> dict[str, float]:
    """Let the crowd of a server bet; return the generator's and the server's figures per bet."""
    before = await server.ask("usage")
    said = await generator.ask("bet", crowd=name, bets=bets, in_flight=IN_FLIGHT)
    after = await server.ask("usage")
    refused = said.pop("refused")
    assert not refused, f"{name} refused bets: {refused}"
    used = (after["cpu"] - before["cpu"]) / bets
    # Only a venue has gateways.
    beside = (after.get("gateways_cpu", 0.0) - before.get("gateways_cpu", 0.0)) / bets
    batch = bets / (after["batches"] - before["batches"])
    return {**said, "used": used, "together": used + beside, "batch": batch}


async def play_round(name: str, venue: Child, generator: Child, bets: int) -> dict[str, float]:
    """Let a venue take bets in a round of their own; return their cost."""
    await venue.ask("open_bets")
    await generator.ask("ping", crowd=name)
    taken = await take_bets(name, venue, generator, bets)
    await venue.ask("finish_round")
    await generator.ask("ping", crowd=name)
    return taken
