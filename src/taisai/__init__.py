"""Tai Sai: four approved rulebooks, eleven pay tables, every settled bet with its reason.

    >>> import taisai
    >>> taisai.pay_table("etg8/1").boxes["total-8"].house_edge
    Fraction(11, 144)

Names are imported when first asked for, so that a command that needs little starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taisai.core.kernel.messages import LimitsAsked as LimitsAsked
    from taisai.core.rules.bets import Bet as Bet
    from taisai.core.rules.dice import result_of as result_of
    from taisai.core.rules.limits import set_limits as set_limits
    from taisai.core.rules.proof import RulebookError as RulebookError
    from taisai.core.rules.reason import Refusal as Refusal
    from taisai.core.rules.rulebook import read_rulebook as read_rulebook
    from taisai.core.rules.settlement import Settlement as Settlement
    from taisai.core.rules.settlement import settle as settle
    from taisai.rulebooks import pay_table as pay_table
    from taisai.rulebooks import rulebook as rulebook
    from taisai.wording import say as say

__version__ = "0.1.0"

_HOMES = {
    "Bet": "taisai.core.rules.bets",
    "LimitsAsked": "taisai.core.kernel.messages",
    "Refusal": "taisai.core.rules.reason",
    "RulebookError": "taisai.core.rules.proof",
    "Settlement": "taisai.core.rules.settlement",
    "pay_table": "taisai.rulebooks",
    "read_rulebook": "taisai.core.rules.rulebook",
    "result_of": "taisai.core.rules.dice",
    "rulebook": "taisai.rulebooks",
    "say": "taisai.wording",
    "set_limits": "taisai.core.rules.limits",
    "settle": "taisai.core.rules.settlement",
}

__all__ = [
    "Bet",
    "LimitsAsked",
    "Refusal",
    "RulebookError",
    "Settlement",
    "__version__",
    "pay_table",
    "read_rulebook",
    "result_of",
    "rulebook",
    "say",
    "set_limits",
    "settle",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
