"""Whose a command is: the registry says who may give it at all, the rulebook in force who of them.

A rulebook names people for the parts of its procedure: who tumbles, who calls, who enters. A
command that takes two persons is in order where one of the two is named [D29].
"""

from taisai.core.kernel.messages import Actor, Command, Order, Role
from taisai.core.kernel.registry import COMMANDS, Place
from taisai.core.kernel.roles import NO_PERSON
from taisai.core.rules.reason import Refusal, refuse


def people_refusal(
    place: Place, state: object, kind: type[Command], *actors: Actor
) -> Refusal | None:
    """Refuse a command of which nobody who gives it is named by the rulebook [D29].

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
    """Give who may give a command here, as registry and rulebook together say."""
    spec = COMMANDS[kind]
    if spec.second:
        return spec.by
    allowed = (people_refusal(place, state, kind, Actor("", role)) is None for role in spec.by)
    return frozenset(role for role, may in zip(spec.by, allowed, strict=True) if may)


def seconds_for(place: Place, state: object, order: Order) -> frozenset[Role]:
    """Give who may agree to a command that somebody gave here."""
    kind = type(order.command)
    return frozenset(
        role
        for role in COMMANDS[kind].second
        if people_refusal(place, state, kind, order.actor, Actor("", role)) is None
    )
