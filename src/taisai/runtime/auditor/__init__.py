"""An auditor that knows the rules a second way, and sees nothing but events.

It keeps its own books, its own bets by terminal and box, its own idea of where a round is, and
settles by asking the dice itself. It may not import what the core settles, pays or decides with:
where both are wrong, they would have to be wrong alike.
"""

from taisai.runtime.auditor.auditor import Auditor
from taisai.runtime.auditor.books import AuditError
from taisai.runtime.auditor.corrections import Asked

__all__ = ["Asked", "AuditError", "Auditor"]
