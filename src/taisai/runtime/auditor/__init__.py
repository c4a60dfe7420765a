"""The auditor: a second implementation of the rules, which sees nothing but events.

It keeps its own books, its own bets by terminal and box and its own phase of each round, and
settles from the dice by itself. It may not import the core's code that settles, pays or decides: a
mistake goes unnoticed only if both make the same one.
"""

from taisai.runtime.auditor.auditor import Auditor
from taisai.runtime.auditor.books import AuditError
from taisai.runtime.auditor.corrections import Asked

__all__ = ["Asked", "AuditError", "Auditor"]
