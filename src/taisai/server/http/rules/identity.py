"""Which rulebook it is, in every answer that names one."""

from msgspec import Struct

from taisai.core.rules.rulebook import Rulebook


class RulebookIdentity(Struct, frozen=True):
    """Which document, which version, and the fingerprint of its content."""

    key: str
    title: str
    version: str | None
    effective: str | None
    sha256: str


def identity_of(book: Rulebook) -> RulebookIdentity:
    """Tell which rulebook it is."""
    content = book.content
    effective = None if content.effective is None else content.effective.isoformat()
    return RulebookIdentity(content.key, content.title, content.version, effective, book.sha256)
