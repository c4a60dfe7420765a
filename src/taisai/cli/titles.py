"""How a rulebook and a pay table are headed in answers for people."""

from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import printable
from taisai.core.rules.rulebook import Rulebook


def version_of(rulebook: Rulebook) -> str:
    """Tell a rulebook's version and since when it holds, as far as its document says."""
    content = rulebook.content
    parts = [] if content.version is None else [f"version {content.version}"]
    if content.effective is not None:
        parts.append(f"in effect since {since(rulebook)}")
    return ", ".join(parts) or "no version given"


def since(rulebook: Rulebook) -> str:
    """Tell since when a rulebook holds, or a dash where its document does not say."""
    content = rulebook.content
    if content.effective is None:
        return "-"
    zone = content.zone or content.effective.tzname()
    return f"{content.effective:%Y-%m-%d %H:%M} {zone}"


def title_of(rulebook: Rulebook, table: PayTable) -> str:
    """Head an answer about a pay table."""
    title = f"{printable(rulebook.content.title)}, {version_of(rulebook)}"
    boxes = f"{len(table.boxes)} boxes"
    return (
        f"{title}\nPay table {table.address}, {table.layout.name}, clause {table.clause}, {boxes}\n"
    )
