"""Who may give a command: the registry lists the roles, the rulebook in force narrows them.

A rulebook names people for the parts of its procedure: who tumbles, who calls, who enters. For a
command of two persons it is enough that one of them is named [D29].
"""

from taisai.core.kernel.messages import Actor, Command, Order, Role
from taisai.core.kernel.registry import COMMANDS, Place
from taisai.core.kernel.roles import NO_PERSON
from taisai.core.rules.reason import Refusal, refuse


def people_refusal(
    place: Place, state: object, kind: type[Command], *actors: Actor
) -> Refusal | None:
    """Refuse a command if none of the people who give it is named by the rulebook [D29].

    [ts6 1.2, 1.5; etg8 1.2, 1.5; div9 6.1, 6.2, 6.3, 6.4, 6.5, 6.6, 7.2, 5.0]
    """
    part = COMMANDS[kind].part
    people = None if part is None or place.people is None else place.people(state, part)
    if people is None or any(_is_named(actor.role, people.roles) for actor in actors):
        return None
    role = actors[-1].role
    return refuse("NOT_NAMED", people.clause, role=role, command=kind.__name__)


def _is_named(role: Role, roles: tuple[Role, ...]) -> bool:
    return role in roles or role in NO_PERSON


def roles_for(place: Place, state: object, kind: type[Command]) -> frozenset[Role]:
    """Give the roles that may give a command here, by the registry and the rulebook."""
    spec = COMMANDS[kind]
    if spec.second:
        return spec.by
    allowed = (people_refusal(place, state, kind, Actor("", role)) is None for role in spec.by)
    return frozenset(role for role, may in zip(spec.by, allowed, strict=True) if may)


def seconds_for(place: Place, state: object, order: Order) -> frozenset[Role]:
    """Give the roles that may approve an order here."""
    kind = type(order.command)
    return frozenset(
        role
        for role in COMMANDS[kind].second
        if people_refusal(place, state, kind, order.actor, Actor("", role)) is None
    )
