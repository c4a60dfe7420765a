"""Bytes that are secret: they work as bytes do, and never show themselves."""

from typing import NoReturn, SupportsIndex


class Secret(bytes):
    """Secret bytes, to be used and never shown."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Secret(...)"

    __str__ = __repr__

    def __format__(self, format_spec: str) -> str:
        return format(repr(self), format_spec)

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        stay_here()


def stay_here() -> NoReturn:
    """Refuse to be pickled or copied."""
    raise TypeError("keys are neither pickled nor copied")
